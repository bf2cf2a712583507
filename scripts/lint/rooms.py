"""An import-linter contract that reads the design's table of rooms: one row a room, naming all that it may import.

import-linter's own contract types can't hold such a table: layers force an order on rooms that have none, and forbidden
contracts must name modules that do not exist yet. The kernel is a compiled module, which the import graph does not see:
tests/test_import_rules.py holds the arrows to it, from the same table.
"""

from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ROOT = "__init__"


class RoomsContract(Contract):
    """Each direct import from one room to another needs an arrow, and each room a row.

    Options: `arrows`, rows such as `io -> errors model` (`*`: everything); `kernel`, the compiled module's name.
    """

    type_name = "rooms"

    arrows = fields.ListField(subfield=fields.StringField())
    kernel = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001  the base's signature
        """Collect rooms without a row and imports without an arrow."""
        allowed = dict(_parse_row(row) for row in _rows(self.arrows))
        package = str(self.session_options["root_packages"][0])
        rooms = {_room(module, package) for module in graph.modules if module.split(".")[0] == package}
        faults = [f"{room} has no row in the table of rooms" for room in sorted(rooms - allowed.keys())]
        for importer, imported, line, text in _crossings(graph, package, str(self.kernel)):
            source = _room(importer, package)
            arrows = allowed.get(source, {"*"})  # a room without a row is reported once, above
            if imported not in arrows and "*" not in arrows:
                faults.append(f"{importer}:{line} may not import {imported}: {text}")
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line a fault."""
        for fault in check.metadata["faults"]:
            output.print_error(f"- {fault}")


def _rows(arrows: object) -> list[str]:
    return [str(row) for row in arrows] if isinstance(arrows, list) else []


def _parse_row(row: str) -> tuple[str, set[str]]:
    room, arrow, targets = row.partition("->")
    if not arrow:
        message = f"not a row of the table of rooms: {row!r} (wanted: 'room -> room room')"
        raise ValueError(message)
    return room.strip(), set(targets.split())


def _room(module: str, package: str) -> str:
    return ROOT if module == package else module.split(".")[1]


def _crossings(graph: ImportGraph, package: str, kernel: str) -> Iterator[tuple[str, str, int, str]]:
    """Every direct import that leaves its room: importing module, imported room, line number, the line."""
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            for detail in graph.get_import_details(importer=importer, imported=imported):
                text = detail["line_contents"]
                if imported == package and kernel in text:
                    continue  # `from boxscore import _kernel` shows as an import of the package itself
                target = _room(imported, package)
                if target != _room(importer, package):
                    yield importer, target, detail["line_number"], text
