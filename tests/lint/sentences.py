#!/usr/bin/env python3
"""Whether every sentence of the documents is short.

  sentences.py TREE         of README.md, CONTRIBUTING.md and docs: prints those
                            above 35 words, exits 1
  sentences.py --self-test
"""
import pathlib
import re
import sys

LIMIT = 35  # words: above it readers go back to the beginning
STARTS_ITEM = re.compile(r"\s*([-*]|\d+\.)\s")
ENDS = re.compile(r"(?<=[.!?])[)\"*_]*\s+")


def blocks(text):
    """Paragraphs, items of lists and cells of tables, without code."""
    lines, in_code = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
        code = in_code or line.lstrip().startswith("```")
        code = code or (line.startswith("    ") and not lines)
        alone = line.startswith(("#", "|")) or not line.strip()
        if lines and (code or alone or STARTS_ITEM.match(line)):
            yield " ".join(lines)
            lines = []
        if code or line.startswith("#"):
            continue
        if line.startswith("|"):
            # A cell lists cases: each is read by itself.
            yield from re.split(r"[|;]", line.strip("|"))
        elif line.strip():
            lines.append(line.strip())
    if lines:
        yield " ".join(lines)


def words_of(sentence):
    """What a reader reads: of a link its words, of code one, of pictures none."""
    sentence = re.sub(r"!\[[^]]*\]\([^)]*\)", "", sentence)
    sentence = re.sub(r"`[^`]*`", "code", sentence)
    sentence = re.sub(r"\]\([^)]*\)", "]", sentence)
    return [w for w in sentence.split() if re.search(r"\w", w)]


def long_sentences(text):
    for block in blocks(text):
        for sentence in ENDS.split(block):
            count = len(words_of(sentence))
            if count > LIMIT:
                yield count, sentence


def self_test():
    long_one = " ".join(["word"] * 36) + "."
    short = " ".join(["word"] * 35) + "."
    assert [c for c, _ in long_sentences(f"{short} {short}")] == []
    assert [c for c, _ in long_sentences(f"{short} {long_one}")] == [36]
    assert [c for c, _ in long_sentences(f"- {short}\n- {short}")] == []
    assert [c for c, _ in long_sentences(f"- {short[:-1]}\n  {short}")] == [70]
    assert not list(long_sentences(f"```\n{long_one}\n```\n\n    {long_one}"))
    assert not list(long_sentences(f"{short[:-1]}:\n\n    {long_one}\n"))
    assert not list(long_sentences(f"| {short[:-1]} | {short[:-1]} |"))


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return 0
    tree = pathlib.Path(sys.argv[1])
    documents = [tree / "README.md", tree / "CONTRIBUTING.md",
                 *sorted((tree / "docs").rglob("*.md"))]
    found = [f"{d.relative_to(tree)}: {count} words: {sentence}"
             for d in documents
             for count, sentence in long_sentences(d.read_text())]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
