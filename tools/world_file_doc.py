#!/usr/bin/env python3
"""Fills the tables of docs/world_file.md from the schema, so that they are always what the parser reads.

    build/release/bin/strew schema | tools/world_file_doc.py           rewrites the tables
    build/release/bin/strew schema | tools/world_file_doc.py --check   exits 1 when a table is not up to date

A table stands between <!-- table NAME --> and <!-- end -->; NAME is an object of the schema, or "world" for its root.
"""

import json
import re
import sys
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parent.parent / "docs/world_file.md"
TABLE = re.compile(r"<!-- table (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def one_value(schema):
    """A number or text in words, with its range; the alternative ${NAME} is described once, in the prose."""
    options = [option for option in schema.get("anyOf", [schema]) if option.get("$ref") != "#/$defs/variable"]
    words = []
    for option in options:
        kind = option.get("type", "")
        if isinstance(kind, list):
            kind = " or ".join(kind)
        if "anyOf" in option:
            kind = one_value(option)
        elif "const" in option:
            kind = json.dumps(option["const"])
        elif "enum" in option:
            kind = " or ".join(map(json.dumps, option["enum"]))
        elif "$ref" in option:
            kind = "[%s](#%s)" % ((option["$ref"].rsplit("/", 1)[1],) * 2)
        elif kind == "array":
            kind = value_in_words(option)
        low, high = option.get("minimum"), option.get("maximum")
        above = option.get("exclusiveMinimum")
        if high == 2**64 - 1:
            kind += ", below 2^64"
        elif above is not None:
            kind += " above %s" % above + (", at most %s" % high if high is not None else "")
        elif low is not None and high is not None:
            kind += " in [%s, %s]" % (low, high)
        elif low is not None:
            kind += ", at least %s" % low
        words.append(kind)
    return " or ".join(words)


def value_in_words(schema):
    if schema.get("type") == "array":
        item = one_value(schema["items"])
        if schema.get("minItems") == schema.get("maxItems") == 2:
            return "two of: " + item
        return "list of: " + item
    if schema.get("type") == "object":
        of = schema.get("additionalProperties")
        return "object" + (" of: " + one_value(of) if isinstance(of, dict) else "")
    return one_value(schema)


def table_of(schema):
    lines = ["| key | value | absent | meaning |", "|---|---|---|---|"]
    required = schema.get("required", [])
    for key, value in schema["properties"].items():
        absent = "**required**" if key in required else "`%s`" % json.dumps(value["default"]) if "default" in value else ""
        cells = ("`%s`" % key, value_in_words(value), absent, value["description"])
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def main():
    schema = json.load(sys.stdin)
    objects = {"world": schema}
    objects.update({name: body for name, body in schema["$defs"].items() if "properties" in body})
    text = DOCUMENT.read_text(encoding="utf-8")
    named = TABLE.findall(text)
    for name in sorted(set(objects) ^ set(named)):
        sys.exit("%s: object %s is not in both the schema and the document" % (DOCUMENT.name, name))
    filled = TABLE.sub(lambda m: "<!-- table %s -->\n%s\n<!-- end -->" % (m[1], table_of(objects[m[1]])), text)
    if "--check" in sys.argv[1:]:
        if filled != text:
            sys.exit("%s: its tables are not the schema's; run: strew schema | tools/world_file_doc.py" % DOCUMENT.name)
    else:
        DOCUMENT.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
