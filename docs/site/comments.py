#!/usr/bin/env python3
"""A header as Doxygen wants it: our plain comments as its own.

  comments.py FILE     (C, C++ or Fortran), to stdout

Lines stay where they are. The first comment of a file is about the file.
Indented lines below an empty one are an example or a table, and stay as they
are written.
"""
import re
import sys

# Words that Doxygen would obey.
OBEYED = re.compile(r"[\\@<>#]")


class Text:
    """The text of one comment, line by line."""

    def __init__(self):
        self.after_empty = self.as_written = False

    def line(self, text):
        if not text.strip():
            self.after_empty, self.as_written = True, False
            return text
        if self.after_empty and text.startswith("   "):
            self.as_written = True
        self.after_empty = False
        if self.as_written:
            return "    " + text
        return OBEYED.sub(lambda m: "\\" + m[0], text)


def lines_behind(lines, mark):
    """Comments that begin with mark on each line."""
    text, column = Text(), None
    whole = re.compile(r"^(\s*)" + re.escape(mark) + r"(?!/)(.*)$")
    behind = re.compile(r"^(.*[;,{}]\s*)" + re.escape(mark) + r" (.*)$")
    for number, line in enumerate(lines):
        own, trailing = whole.match(line), behind.match(line)
        if own and column is not None and len(own[1]) == column:
            yield own[1] + mark + MORE[mark] + "<" + text.line(own[2])
        elif own:
            column = None
            about = r" \file" + "\n" + mark + MORE[mark] if number == 0 else ""
            yield own[1] + mark + MORE[mark] + about + text.line(own[2])
        elif trailing:
            text, column = Text(), len(trailing[1])
            yield (trailing[1] + mark + MORE[mark] + "< " +
                   text.line(trailing[2]))
        else:
            text, column = Text(), None
            yield line


MORE = {"//": "/", "!": ">"}


def blocks(lines):
    """Comments of C, which end where they say."""
    text, inside = Text(), False
    for number, line in enumerate(lines):
        begin = re.match(r"^(\s*)/\* (.*)$", line)
        behind = re.match(r"^(.*[;,{}]\s+)/\* (.*)\*/$", line)
        if begin:
            text, inside = Text(), "*/" not in line
            about = r"\file" + "\n * " if number == 0 else ""
            yield begin[1] + "/** " + about + text.line(begin[2])
        elif inside:
            inside = "*/" not in line
            star = re.match(r"^(\s*\*)(?!/)(.*)$", line)
            yield star[1] + text.line(star[2]) if star else line
        elif behind:
            yield behind[1] + "/**< " + Text().line(behind[2]) + "*/"
        else:
            yield line


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    if path.endswith(".f90"):
        made = lines_behind(lines, "!")
    elif lines[0].startswith("/*"):
        made = blocks(lines)
    else:
        made = lines_behind(lines, "//")
    print("\n".join(made))


if __name__ == "__main__":
    main()
