"""How the tiles of each seat lie in its rack."""

from peewee import CompositeKey, IntegerField, Model, TextField


def up(migrator, db):
    """One row a table and seat, written over and over."""

    class Rack(Model):
        table = IntegerField()
        seat = IntegerField()
        body = TextField()

        class Meta:
            database = db
            legacy_table_names = False
            primary_key = CompositeKey("table", "seat")

    db.create_tables([Rack])
