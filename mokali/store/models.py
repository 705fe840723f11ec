"""The peewee models. They stay inside the store; times are whole milliseconds."""

from peewee import (
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    DatabaseProxy,
    DoubleField,
    IntegerField,
    Model,
    TextField,
)

DATABASE = DatabaseProxy()


class _Row(Model):
    class Meta:
        database = DATABASE
        legacy_table_names = False


class PersonRow(_Row):
    """A person: a nickname and the hash of a device token. A closed account keeps neither (RL-7)."""

    name = TextField(null=True)
    key = TextField(null=True, unique=True)
    token = TextField(null=True, unique=True)
    seen_at = BigIntegerField(index=True)
    entered_at = BigIntegerField()

    class Meta:
        table_name = "person"


class TableRow(_Row):
    """A table: what the lobby needs in columns, the rest as text."""

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

    class Meta:
        table_name = "game_table"


class LineRow(_Row):
    """One line of a table's log."""

    table = IntegerField()
    n = IntegerField()
    seat = IntegerField()
    action = TextField()

    class Meta:
        table_name = "line"
        primary_key = CompositeKey("table", "n")


class ChairRow(_Row):
    """A person at a table. ``holds`` is the person while the seat binds him, else null: one seat a person (SITE-7)."""

    table = IntegerField()
    person = IntegerField(index=True)
    holds = IntegerField(null=True, unique=True)
    seen_at = BigIntegerField()
    away = BooleanField()

    class Meta:
        table_name = "chair"
        primary_key = CompositeKey("table", "person")


class RackRow(_Row):
    """How the tiles of one seat lie in its rack; nobody else ever sees it."""

    table = IntegerField()
    seat = IntegerField()
    body = TextField()

    class Meta:
        table_name = "rack"
        primary_key = CompositeKey("table", "seat")


class ResultRow(_Row):
    """What a finished match was for one person (SITE-11)."""

    table = IntegerField()
    person = IntegerField(index=True)
    game = TextField(index=True)
    ruleset = TextField()
    length = TextField()
    place = IntegerField()
    won = BooleanField()
    ended_at = BigIntegerField(index=True)
    side = IntegerField(null=True)
    """Who have the same one at a table were partners."""
    points = IntegerField(null=True)
    """The total at the end, and in ``hands`` how many hands it took: null where the match was not played to its end."""
    hands = IntegerField(null=True)

    class Meta:
        table_name = "result"
        primary_key = CompositeKey("table", "person")
        indexes = ((("person", "ended_at"), False),)


class ChanceRow(_Row):
    """What chance has given one seat in all finished matches of a game with so many seats."""

    game = TextField()
    seats = IntegerField()
    what = TextField()
    seat = IntegerField()
    times = IntegerField()
    """How often it was counted: deals, or throws."""
    count = IntegerField()
    mean = DoubleField()
    variance = DoubleField()

    class Meta:
        table_name = "chance"
        primary_key = CompositeKey("game", "seats", "what", "seat")


class CountedRow(_Row):
    """A finished match whose chance is in those sums."""

    table = IntegerField(primary_key=True)

    class Meta:
        table_name = "counted"


class TransferRow(_Row):
    """A way to another device: a link from the old one, or a plea to the people at the table (SITE-21)."""

    code = TextField(primary_key=True)
    """The hash of what the new device holds."""
    person = IntegerField(index=True)
    table = IntegerField(null=True, index=True)
    """The table whose people must agree; null for a link."""
    agreed = TextField(default="")
    """Who has agreed, as numbers of persons with commas around them."""
    refused = BooleanField(default=False)
    expires_at = BigIntegerField()

    class Meta:
        table_name = "transfer"


class TalkRow(_Row):
    """Something said at a table: a line, a phrase, or a voice message with its sound (SITE-20)."""

    table = IntegerField(index=True)
    person = IntegerField(index=True)
    kind = TextField()
    text = TextField()
    seconds = DoubleField()
    said_at = BigIntegerField()
    audio = BlobField(null=True)

    class Meta:
        table_name = "talk"


class MarkRow(_Row):
    """The one row that says when a worker was last at work (RL-33)."""

    at = BigIntegerField()

    class Meta:
        table_name = "mark"


MODELS = (
    PersonRow,
    TableRow,
    LineRow,
    ChairRow,
    RackRow,
    ResultRow,
    ChanceRow,
    CountedRow,
    TransferRow,
    TalkRow,
    MarkRow,
)
