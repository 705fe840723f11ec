"""What a profile counts beside victories: points, hands, and who played with whom."""

from peewee import IntegerField
from playhouse.migrate import migrate


def up(migrator, db):
    """Of matches that ended before, the side follows from the chairs; points and hands stay unknown."""
    migrate(
        migrator.add_column("result", "side", IntegerField(null=True)),
        migrator.add_column("result", "points", IntegerField(null=True)),
        migrator.add_column("result", "hands", IntegerField(null=True)),
        migrator.add_index("result", ("person", "ended_at")),
    )
    db.execute_sql(
        """UPDATE result SET side = (
            SELECT CASE WHEN result.length LIKE 'Eşli%' THEN chair.key % 2 ELSE chair.key END
            FROM game_table, json_each(game_table.body, '$.chairs') AS chair
            WHERE game_table.id = result."table" AND json_extract(chair.value, '$.user') = result.person)"""
    )
