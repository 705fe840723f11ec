"""When a worker was last at work while a clock ran (RL-33)."""

from peewee import BigIntegerField, Model


def up(migrator, db):
    """One row, written over and over."""

    class Mark(Model):
        at = BigIntegerField()

        class Meta:
            database = db
            legacy_table_names = False

    db.create_tables([Mark])
