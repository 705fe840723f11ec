"""The first shape of the house: people, tables, their logs and chairs, results, ways to another device."""

from peewee import BigIntegerField, BooleanField, CompositeKey, IntegerField, Model, TextField


def up(migrator, db):
    """Create every table; these models are a frozen copy of the application's."""

    class Row(Model):
        class Meta:
            database = db
            legacy_table_names = False

    class Person(Row):
        name = TextField(null=True)
        key = TextField(null=True, unique=True)
        token = TextField(null=True, unique=True)
        seen_at = BigIntegerField(index=True)
        entered_at = BigIntegerField()

    class GameTable(Row):
        code = TextField(unique=True)
        status = TextField(index=True)
        listed = BooleanField()
        opener = IntegerField()
        game = TextField()
        edition = IntegerField()
        revision = IntegerField()
        played = IntegerField()
        logged = IntegerField()
        wake_at = BigIntegerField(null=True, index=True)
        opened_at = BigIntegerField()
        rules = TextField()
        body = TextField()
        state = TextField(null=True)

    class Line(Row):
        table = IntegerField()
        n = IntegerField()
        seat = IntegerField()
        action = TextField()

        class Meta:
            primary_key = CompositeKey("table", "n")

    class Chair(Row):
        table = IntegerField()
        person = IntegerField(index=True)
        holds = IntegerField(null=True, unique=True)
        seen_at = BigIntegerField()
        away = BooleanField()

        class Meta:
            primary_key = CompositeKey("table", "person")

    class Result(Row):
        table = IntegerField()
        person = IntegerField(index=True)
        game = TextField(index=True)
        ruleset = TextField()
        length = TextField()
        place = IntegerField()
        won = BooleanField()
        ended_at = BigIntegerField(index=True)

        class Meta:
            primary_key = CompositeKey("table", "person")

    class Transfer(Row):
        code = TextField(primary_key=True)
        person = IntegerField(index=True)
        table = IntegerField(null=True, index=True)
        agreed = TextField(default="")
        refused = BooleanField(default=False)
        expires_at = BigIntegerField()

    db.create_tables([Person, GameTable, Line, Chair, Result, Transfer])
