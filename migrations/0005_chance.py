"""What chance has given in finished matches, and which of them are counted."""

from peewee import CompositeKey, DoubleField, IntegerField, Model, TextField


def up(migrator, db):
    """Sums per game, number of seats, kind and seat; matches that were finished before are counted by and by."""

    class Chance(Model):
        game = TextField()
        seats = IntegerField()
        what = TextField()
        seat = IntegerField()
        times = IntegerField()
        count = IntegerField()
        mean = DoubleField()
        variance = DoubleField()

        class Meta:
            database = db
            legacy_table_names = False
            primary_key = CompositeKey("game", "seats", "what", "seat")

    class Counted(Model):
        table = IntegerField(primary_key=True)

        class Meta:
            database = db
            legacy_table_names = False

    db.create_tables([Chance, Counted])
