"""Requirements as JUnit XML, which continuous integration services show as tests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from goodmeasure.exceptions import Either, InputError
from goodmeasure.report.formats.format import Format, register
from goodmeasure.report.visible_text import visible

if TYPE_CHECKING:
    from goodmeasure.evaluation.requirements.gate import Gate
    from goodmeasure.report.formats.format import Writable

_SUITE = "goodmeasure"


def junit(gate: Gate) -> str:
    """Return a test case for each requirement, with a failure where it is not met."""
    numbers = {"tests": str(len(gate)), "failures": str(len(gate.unmet)), "errors": "0", "skipped": "0"}
    suites = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _SUITE, **numbers})
    for x in gate:
        names = {"classname": f"{_SUITE}.requirements", "name": visible(x.requirement), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", names)
        said = visible(". ".join(text for text in (x.found, x.strength) if text))
        if x.met:
            ElementTree.SubElement(case, "system-out").text = said
        else:
            failure = {"message": visible(x.line), "type": "RequirementNotMet"}
            ElementTree.SubElement(case, "failure", failure).text = said
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def _written(writer: Writable) -> str:
    if writer.gate is None:
        raise InputError(
            "a JUnit file (.xml) lists requirements, and there are none",
            argument="gate",
            how=Either("check some, and write result.with_gate(result.checked('mcc >= 0.8'))", "give {require}"),
            advice="{how}",
        )
    return junit(writer.gate)


register(Format("junit", (".xml",), _written, place=5))
