"""Settings, read once from the environment into one frozen value and passed down."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Self

from msgspec import Meta, Struct, ValidationError, convert

ORIGIN: Final = r"^(?!http:.*:80\Z|https:.*:443\Z)https?://([a-z0-9._-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\Z"
"""As browsers write it: small letters, no port that goes without saying, no path."""

Word = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Whole = Annotated[int, Meta(ge=1, le=86_400)]
Minutes = Annotated[int, Meta(ge=0, le=1_000_000)]
Seconds = Annotated[float, Meta(ge=0.1, le=86_400)]


class Settings(Struct, frozen=True, kw_only=True):
    """Every figure of the house, each with a default; read from ``MOKALI_`` and its name in capitals."""

    host: Word = "0.0.0.0"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 8000
    data: Word = "var"
    """Folder of the database."""
    origin: Annotated[str, Meta(pattern=ORIGIN)] | None = None
    """Scheme and host that browsers must name, "https://okey.example.org"; None: as they were called (RL-14)."""
    proxies: Annotated[int, Meta(ge=0, le=16)] = 0
    """How many trusted proxies stand in front; their forwarding headers count, nobody else's (RL-19)."""
    log_days: Annotated[int, Meta(ge=2, le=3_650)] = 14
    """So long what happened stays in the folder's ``log`` (RL-54)."""
    max_people: Count = 8
    max_sockets: Count = 200
    max_sockets_per_person: Count = 3
    max_tables: Count = 50
    max_tables_per_hour: Count = 20
    max_message: Annotated[int, Meta(ge=1_024, le=1_048_576)] = 8192
    """Characters of one socket message (RL-20)."""
    max_body: Annotated[int, Meta(ge=1_024, le=1_048_576)] = 16_384
    """Bytes of one posted form (RL-19)."""
    max_outbox: Annotated[int, Meta(ge=16_384, le=1_073_741_824)] = 262_144
    """Bytes that may wait for one slow reader (RL-22)."""
    max_voice: Annotated[int, Meta(ge=1_024, le=300_000)] = 300_000
    """Bytes of one voice message as it is sent (RL-40)."""
    upload_seconds: Seconds = 30.0
    """So long a voice message may take to come in."""
    voice_room: Annotated[int, Meta(ge=1_048_576, le=10_737_418_240)] = 52_428_800
    """Bytes of all voice messages that are kept at a time (RL-44)."""
    chat_seconds: Seconds = 1.0
    """So far apart one person's lines are at least; likewise phrases and voice messages (SITE-14, SITE-17, RL-18)."""
    phrase_seconds: Seconds = 2.0
    voice_seconds: Seconds = 2.0
    chats_per_minute: Count = 20
    phrases_per_minute: Count = 10
    voices_per_minute: Count = 10
    entries_per_minute: Count = 30
    posts_per_minute: Count = 60
    handshakes_per_minute: Count = 30
    code_misses_per_minute: Count = 20
    pleas_per_hour: Count = 3
    messages_per_second: Count = 20
    messages_in_reserve: Count = 40
    bytes_per_second: Annotated[int, Meta(ge=1_024, le=1_073_741_824)] = 16_384
    """What is read of one socket; more waits, and for too long closes it (RL-18)."""
    bytes_in_reserve: Annotated[int, Meta(ge=1_024, le=1_073_741_824)] = 65_536
    heartbeat_seconds: Seconds = 5.0
    ping_seconds: Whole = 25
    stall_seconds: Seconds = 10.0
    """A socket without progress for so long is closed (RL-22)."""
    grace_seconds: Seconds = 20.0
    """Without connection for so long, a seated person counts as absent."""
    linger_seconds: Seconds = 60.0
    """A person counts as inside for so long after the last connection (SITE-3)."""
    nudge_seconds: Seconds = 30.0
    transfer_seconds: Whole = 300
    """A link to another phone is good for so long (RL-5)."""
    bot_seconds: Annotated[float, Meta(ge=0, le=60)] = 1.2
    """About how long a bot seems to think."""
    bot_after_seconds: Whole = 60
    """So long somebody is away before a bot plays, at tables that say so (AB-4)."""
    forfeit_after_seconds: Whole = 180
    """So long before the match is lost, at tables that say that (PT-10)."""
    pause_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 30
    waiting_minutes: Minutes = 15
    vacant_minutes: Minutes = 60
    backup_hour: Annotated[int, Meta(ge=0, le=23)] = 4
    """At this hour, in local time, a night's backup is due (RL-48)."""
    backups_kept: Annotated[int, Meta(ge=1, le=3_650)] = 7

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """The settings of these variables. Raises msgspec.ValidationError, a sentence, where one is wrong."""
        given = {name: environ[key] for name in cls.__struct_fields__ if (key := _variable(name)) in environ}
        for name, value in given.items():
            try:
                convert({name: value}, cls, strict=False)
            except ValidationError as error:
                raise ValidationError(f"{_variable(name)} is {value!r}: {_wanted(name, error)}") from error
        return convert(given, cls, strict=False)

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return Path(self.data) / "mokali.sqlite3"

    @property
    def backups(self) -> Path:
        """The folder of the backups."""
        return Path(self.data) / "backups"


def _variable(name: str) -> str:
    return f"MOKALI_{name.upper()}"


def _wanted(name: str, error: ValidationError) -> str:
    if name == "origin":
        return "it must be what browsers call the house, like https://okey.example.org or http://10.0.0.7:8000"
    told = str(error).partition(" - at ")[0]
    return told[:1].lower() + told[1:]
