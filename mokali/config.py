"""Settings, read once from the environment into one frozen value and passed down."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from msgspec import Meta, Struct, convert


class Settings(Struct, frozen=True, kw_only=True):
    """Every figure of the house, each with a default; read from ``MOKALI_`` and its name in capitals."""

    host: str = "0.0.0.0"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 8000
    data: str = "var"
    """Folder of the database."""
    origin: str | None = None
    """Scheme and host that browsers must name, "https://okey.example.org"; None: as they were called (RL-14)."""
    proxies: int = 0
    """How many trusted proxies stand in front; their forwarding headers count, nobody else's (RL-19)."""
    log_days: Annotated[int, Meta(ge=2)] = 14
    """So long what happened stays in the folder's ``log`` (RL-54)."""
    max_people: Annotated[int, Meta(ge=1)] = 8
    max_sockets: int = 200
    max_sockets_per_person: int = 3
    max_tables: int = 50
    max_tables_per_hour: int = 20
    max_message: int = 8192
    """Characters of one socket message (RL-20)."""
    max_body: int = 16_384
    """Bytes of one posted form (RL-19)."""
    max_outbox: int = 262_144
    """Bytes that may wait for one slow reader (RL-22)."""
    entries_per_minute: int = 30
    posts_per_minute: int = 60
    handshakes_per_minute: int = 30
    code_misses_per_minute: int = 20
    pleas_per_hour: int = 3
    messages_per_second: int = 20
    messages_in_reserve: int = 40
    bytes_per_second: int = 16_384
    """What is read of one socket; more waits, and for too long closes it (RL-18)."""
    bytes_in_reserve: int = 65_536
    heartbeat_seconds: float = 5.0
    ping_seconds: int = 25
    stall_seconds: float = 10.0
    """A socket without progress for so long is closed (RL-22)."""
    grace_seconds: float = 20.0
    """Without connection for so long, a seated person counts as absent."""
    linger_seconds: float = 60.0
    """A person counts as inside for so long after the last connection (SITE-3)."""
    nudge_seconds: float = 30.0
    transfer_seconds: int = 300
    """A link to another phone is good for so long (RL-5)."""
    pause_seconds: int = 30
    waiting_minutes: int = 15
    vacant_minutes: int = 60
    backup_hour: Annotated[int, Meta(ge=0, le=23)] = 4
    """At this hour, in local time, a night's backup is due (RL-48)."""
    backups_kept: Annotated[int, Meta(ge=1)] = 7

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """The settings of these variables. Raises msgspec.ValidationError where a figure is none."""
        given = {name: environ[key] for name in cls.__struct_fields__ if (key := f"MOKALI_{name.upper()}") in environ}
        return convert(given, cls, strict=False)

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return Path(self.data) / "mokali.sqlite3"

    @property
    def backups(self) -> Path:
        """The folder of the backups."""
        return Path(self.data) / "backups"
