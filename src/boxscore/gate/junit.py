"""A gate's verdict as JUnit XML: a test case a check, which CI servers list and count."""

from __future__ import annotations

from boxscore.gate import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.gate.result import GateResult


def junit(result: GateResult) -> str:
    """One suite; `classname` is the slice, `name` label and measure."""
    from xml.etree import ElementTree as ET

    counts = {"tests": str(len(result.checks)), "failures": str(len(result.failed)), "errors": "0", "skipped": "0"}
    suites = ET.Element("testsuites", {"name": "boxscore gate"} | counts)
    suite = ET.SubElement(suites, "testsuite", {"name": clean(f"{result.current} against {result.baseline}")} | counts)
    for check in result.checks:
        name = ", ".join(part for part in (check.label, check.rule.measure, check.rule.judge) if part is not None)
        case = ET.SubElement(
            suite, "testcase", {"classname": clean(f"gate.{check.slice or 'all'}"), "name": clean(name)}
        )
        words = clean(told.sentence(check, result.rules.level))
        if check.failed:
            failure = ET.SubElement(case, "failure", {"message": words, "type": check.rule.judge})
            failure.text = words
        else:
            ET.SubElement(case, "system-out").text = words
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """Without the control characters and halves of pairs that XML 1.0 can't hold, however they are written."""
    return "".join(letter if _may_stand(letter) else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _may_stand(letter: str) -> bool:
    code = ord(letter)
    return letter in "\t\n\r" or (code >= 0x20 and not 0xD800 <= code < 0xE000 and code not in (0xFFFE, 0xFFFF))
