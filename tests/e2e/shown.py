"""shown.py FORM FILE...: exit 1 and a line where a file does what a hostile name
in it says. Forms: text, json, jsonl, csv, html, metrics."""
import csv
import html.parser
import io
import json
import re
import sys

# Of terminals: C0 but newline and tab, DEL, C1; direction of text, line ends.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f"
                    "\u2028-\u202e\u2066-\u2069]")
FORGED = "FORGED"  # what stands behind the newline in the name


def no_obeyed(text):
    found = OBEYED.search(text)
    if found:
        at = found.start()
        raise ValueError(f"{found.group()!r} in {text[max(at-60, 0):at+20]!r}")


def check_text(text):
    no_obeyed(text)
    for line in text.split("\n"):
        if line.startswith(FORGED):
            raise ValueError(f"a forged line: {line!r}")


def check_json(text):
    no_obeyed(text)
    json.loads(text)


def check_jsonl(text):
    for line in text.splitlines():
        check_json(line)


def check_csv(text):
    no_obeyed(text)
    rows = list(csv.reader(io.StringIO(text), strict=True))
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError("rows of different widths")
    if any(row[0].startswith(FORGED) for row in rows):
        raise ValueError("a forged row")


SCRIPTS = 13  # the data, what draws, and eleven of the page


class Page(html.parser.HTMLParser):
    """All elements and handlers are those of the page, none of a name."""
    scripts = 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        if any(name.startswith("on") for name, _ in attributes):
            raise ValueError(f"a handler in <{tag}>")
        if tag in ("b", "img", "iframe"):
            raise ValueError(f"<{tag}> of a name")


def check_html(text):
    no_obeyed(text.replace("\r", ""))
    page = Page()
    page.feed(text)
    if page.scripts != SCRIPTS:
        raise ValueError(f"{page.scripts} scripts instead of {SCRIPTS}")


SAMPLE = re.compile(r'[a-z_]+(\{([a-z]+="([^"\\\n]|\\[\\"n])*",?)*\})? '
                    r'[-+.0-9einfa]+$')


def check_metrics(text):
    check_text(text)
    for line in text.splitlines():
        if not line.startswith("# ") and not SAMPLE.match(line):
            raise ValueError(f"no sample: {line!r}")


def main():
    check = globals()["check_" + sys.argv[1]]
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            data = file.read()
        try:
            check(data.decode("utf-8"))
        except ValueError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    return 0


sys.exit(main())
