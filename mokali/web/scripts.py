"""A table page's twenty modules in one file: smaller on the line, and one answer instead of twenty.

Our modules are written so that this is a matter of lines (``test_scripts.py`` holds them to it): imports stand alone,
by name, from the same folder; exported are functions and constants. Each becomes a function of its own that returns
what it exports, so no name of one meets another's. What a page loads later is joined to what it has: ``pisti-recorder``
is the recorder for a page that has ``pisti``, and shares its modules.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

IMPORT: Final = re.compile(r"^import (?:(\{ [\w, ]+ \}) from )?'\./(\w+)\.js';\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
LATER: Final = re.compile(r"\bimport\('\./(\w+)\.js'\)")


class Unknown(LookupError):
    """There is no such script."""


@lru_cache(maxsize=64)
def joined(folder: Path, name: str) -> str:
    """All modules of ``pisti``; or, of ``pisti-recorder``, those that ``pisti`` has not. Raises Unknown."""
    page, _, later = name.partition("-")
    had = _order(folder, page)
    if not later:
        shared = ", ".join(f"${module}" for module in had)
        return "".join(_scope(folder, module, page) for module in had) + f"export {{ {shared} }};\n"
    new = [module for module in _order(folder, later) if module not in had]
    wanted = {dep for module in new for _, dep in IMPORT.findall(_text(folder, module))} & {*had}
    head = (
        f"import {{ {', '.join(f'${module}' for module in sorted(wanted))} }} from './{page}.js';\n" if wanted else ""
    )
    exports = EXPORT.findall(_text(folder, later))
    tail = f"export const {{ {', '.join(exports)} }} = ${later};\n" if exports else ""
    return head + "".join(_scope(folder, module, page) for module in new) + tail


def _order(folder: Path, name: str, before: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A module after all that it imports, as a browser would run them."""
    if name in before:
        return before
    for _, wanted in IMPORT.findall(_text(folder, name)):
        before = _order(folder, wanted, before)
    return (*before, name)


def _scope(folder: Path, name: str, page: str) -> str:
    """A module as a function that is called at once."""
    text = IMPORT.sub(lambda found: f"const {found[1]} = ${found[2]};\n" if found[1] else "", _text(folder, name))
    text = LATER.sub(rf"import('./{page}-\1.js')", text)
    given = ", ".join(EXPORT.findall(text))
    return f"const ${name} = (() => {{\n{EXPORT.sub('', text)}\nreturn {{ {given} }};\n}})();\n"


def _text(folder: Path, name: str) -> str:
    file = folder / f"{name}.js"
    if not re.fullmatch(r"\w+", name) or not file.is_file():
        raise Unknown(name)
    return file.read_text("utf-8")
