"""Once a night a backup is made, in a process of its own: to write a big file would stop the loop (RL-48)."""

import logging
import os
import sys
from typing import Final

import gevent
from gevent import subprocess

from mokali import journal
from mokali.config import Settings
from mokali.store import backup

PERIOD: Final = 60.0
"""Seconds between two looks at the clock, and before the first: a night missed is made up for after the start."""

AGAIN: Final = 3600.0
"""Seconds until the next try after one that came to nothing."""


class Nights:
    """One worker's alarm clock. Any number may ring: the files decide who makes the backup."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def start(self) -> None:
        """Look now and then whether a backup is due."""
        gevent.spawn(self._run)

    def due(self, now: int) -> bool:
        """Whether this night's backup is not there yet."""
        return not backup.tonight(self.settings.backups, now, self.settings.backup_hour).exists()

    def look(self) -> bool:
        """Have it made where it is due; whether it is there now."""
        if not self.due(backup.today()):
            return True
        self.make()
        return not self.due(backup.today())

    def make(self) -> None:
        """Have it made as an operator would, and wait."""
        figures = {"data": self.settings.data, "backup_hour": self.settings.backup_hour}
        figures["backups_kept"] = self.settings.backups_kept
        environ = os.environ | {f"MOKALI_{name.upper()}": str(value) for name, value in figures.items()}
        command = [sys.executable, "-m", "mokali", "backup", "--nightly"]
        made = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if made.returncode:
            journal.note("backup_failed", logging.ERROR, code=made.returncode)

    def _run(self) -> None:
        well = True
        while True:
            gevent.sleep(PERIOD if well else AGAIN)
            try:
                well = self.look()
            except Exception as error:
                well = False
                journal.fault(error, action="backup")
