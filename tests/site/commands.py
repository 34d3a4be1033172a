#!/usr/bin/env python3
"""Whether the commands that documents show are commands.

  commands.py RANKSIGHT TREE
  commands.py --self-test RANKSIGHT

Of every line of a code block and every piece of code in a Markdown file, and of
the workflow files in examples: what begins with `ranksight` must name a command
that is there, options that it has, and a value for each that takes one. Prints
what does not, exits 1.
"""
import functools
import pathlib
import re
import shlex
import subprocess
import sys

WORD = r"[a-z][a-z-]*"
# What ends a command; "..." stands for what the page leaves out.
ENDS = {"--", "|", "||", "&&", ";", ">", ">>", "2>", "&", "<", "..."}
# --complete is for shells, and no help names it.
HELP = {"-h", "--help", "--version", "--complete"}


class Command:
    """What --help of a command says: its own commands, and its options, with
    whether each takes a value."""

    def __init__(self, words, parent=None):
        text = subprocess.run([*words, "--help"], check=True,
                              capture_output=True, text=True).stdout
        self.words, self.options = words, dict(parent or {})
        self.commands = set(re.findall(rf"^  ({WORD}) ", text.partition(
            "\nSubcommands:")[2], re.M))
        for line in re.findall(r"^  (-\S.*)", text, re.M):
            # Two spaces and the description, or nothing, end an option.
            names, *rest = re.split(r"\s{2,}", line)[0].split(" ", 1)
            takes = bool(rest) and bool(
                re.match(r"(?!Needs|Excludes)\S", rest[0]))
            for name in names.split(","):
                self.options[re.split(r"[=\[]", name)[0]] = takes
        self.options.update(dict.fromkeys(HELP, False))


@functools.lru_cache(None)
def command(words):
    return Command(words, command(words[:-1]).options if words[1:] else None)


def words_of(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quote that ends on another line
        return shlex.split(re.sub(r"['\"]", "", text), comments=True)


def fault_of(ranksight, line):
    """What is wrong with a line that begins with the command, or None."""
    here, words, i = command((ranksight,)), words_of(line)[1:], 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in ENDS or word.startswith("{"):
            return None
        if here.commands and not word.startswith("-"):
            if re.fullmatch(r"[A-Z]+|<.*", word):  # any command
                return None
            if word.rstrip(",.:;)") not in here.commands:
                return None if here.words[1:] else f"no command {word}"
            here = command((*here.words, word.rstrip(",.:;)")))
            continue
        if not re.match(r"--?[a-zA-Z]", word):
            continue
        name, given, _ = word.partition("=")
        if name not in here.options:
            return f"{' '.join(here.words[1:])} has no {name}"
        if here.options[name] and not given:
            if i == len(words) or words[i] in ENDS - {"..."}:
                return f"{name} without a value"
            i += 1
    return None


def lines_of(text, markdown):
    """(number, command line, whether it is whole) of what is code, joined
    where one goes on in the next line."""
    inside, skipped, held = not markdown, False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if markdown and line.lstrip().startswith("```"):
            # What is marked as text is a file or what a command printed.
            inside, skipped, held = not inside, line.strip() == "```text", ""
            continue
        if skipped:
            continue
        if not inside:
            for code in re.findall(r"`(ranksight [^`]+)`", line):
                # Prose names options without their values.
                yield number, code, False
            continue
        line = held + re.sub(r"^(\$|>) ", "", line.strip())
        if line.endswith("\\"):
            held = line[:-1]
            continue
        held = ""
        # Behind an assignment, a pipe, a loop's `do`, a substitution.
        for found in re.finditer(rf"(?:^|[|;&(]\s*|\bdo |\brun: )(?:\w+=\S+ )*"
                                 rf"(ranksight (?!\d)[^;|)]*)", line):
            yield number, found[1], True


def faults(ranksight, name, text):
    for number, line, whole in lines_of(text, name.endswith(".md")):
        fault = fault_of(ranksight, line)
        if fault and (whole or not fault.endswith("without a value")):
            yield f"{name}:{number}: {fault}: {line}"


def self_test(ranksight):
    def of(*lines):
        text = "\n".join(("```", *lines, "```"))
        return [f.split(": ")[1] for f in faults(ranksight, "x.md", text)]
    assert of("$ ranksight show a.trace --tree") == []
    assert of("$ ranksight shw a.trace") == ["no command shw"]
    assert of("ranksight show a --three") == ["show has no --three"]
    assert of("a | ranksight show \\", "  --three") == ["show has no --three"]
    assert of("$ ranksight forecast a --ranks") == ["--ranks without a value"]
    assert of("$ ranksight record -- ./app --no-such") == []
    assert of("$ ranksight machine measure --rank 4") == [
        "machine measure has no --rank"]
    assert list(faults(
        ranksight, "x.md", "```text\nranksight a 1\n```\n`ranksight b`")
    ) == ["x.md:4: no command b: ranksight b"]
    assert list(faults(ranksight, "x.md", "as `ranksight show --three` does"))


def main():
    if sys.argv[1] == "--self-test":
        return self_test(sys.argv[2])
    ranksight, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    listed = subprocess.run(
        ["git", "-C", tree, "ls-files", "*.md", "examples/*.yml"], check=True,
        capture_output=True, text=True).stdout.split()
    found = [f for name in listed for f in
             faults(ranksight, name, (tree / name).read_text("utf-8"))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
