"""What is said at tables; gone when the match is."""

from peewee import BigIntegerField, BlobField, DoubleField, IntegerField, Model, TextField
from playhouse.sqlite_ext import AutoIncrementField


def up(migrator, db):
    """Lines, phrases and voice messages. A number is never used twice: phones remember what they have heard by it."""

    class Talk(Model):
        id = AutoIncrementField()
        table = IntegerField(index=True)
        person = IntegerField(index=True)
        kind = TextField()
        text = TextField()
        seconds = DoubleField()
        said_at = BigIntegerField()
        audio = BlobField(null=True)

        class Meta:
            database = db
            legacy_table_names = False

    db.create_tables([Talk])
