#!/usr/bin/env python3
"""Whether every link inside a site leads somewhere.

  links.py SITE
  links.py --self-test

Files and anchors of every href and src that names no other host, in the HTML as
it is written. Prints those that lead nowhere, and how many there are; exits 1
where one does not, or where nothing was found to check.
"""
import html.parser
import pathlib
import sys
import tempfile
import urllib.parse


# Doxygen 1.9.4 links a list of inner classes also where all are private.
NOWHERE = {"#nested-classes"}


class Page(html.parser.HTMLParser):
    """What a page links, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), {"", "top"}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.add(value)
            elif name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)


def check(site):
    """What leads nowhere, and how many links were looked at."""
    pages = {p.resolve(): Page(p) for p in site.rglob("*.html")}
    wrong, count = [], 0
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or link in NOWHERE:
                continue
            count += 1
            named = urllib.parse.unquote(parts.path)
            to = (path.parent / named).resolve() if named else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not to.is_file():
                wrong.append(f"{path}: no file: {link}")
            elif to in pages and anchor not in pages[to].anchors:
                wrong.append(f"{path}: no anchor: {link}")
    return wrong, count


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "a.html").write_text(
            '<a href="b.html#x">1</a><a href="b.html#y">2</a>'
            '<img src="no.png"><a href="https://example.org/no">3</a>')
        (site / "b.html").write_text('<p id="x"><a href="#x">4</a>')
        wrong, count = check(site)
    assert [w.split(": ", 1)[1] for w in wrong] == [
        "no anchor: b.html#y", "no file: no.png"], wrong
    assert count == 4, count


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    wrong, count = check(pathlib.Path(sys.argv[1]))
    print("\n".join([*wrong, f"{count} links"]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
