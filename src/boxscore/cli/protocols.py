"""List the shipped protocols, or print the file of one: a start for a protocol of your own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("name", metavar="NAME|FILE", nargs="?", help="the protocol to print")
    parser.add_argument("--json", action="store_true", help="print protocols in effect as JSON")


def run(options: argparse.Namespace) -> int:
    """Print all, or one."""
    from boxscore import protocols

    shown = [protocols.load(name) for name in ([options.name] if options.name else protocols.shipped())]
    if options.json:
        import json

        found = [protocol.to_dict() for protocol in shown]
        print(json.dumps(found[0] if options.name else found, ensure_ascii=False, indent=1))
    elif options.name:
        print(protocols.source_text(options.name), end="")
    else:
        width = max(len(protocol.name) for protocol in shown)
        print("\n".join(f"{p.name:<{width}}  version {p.version}  {p.description}" for p in shown))
    return 0
