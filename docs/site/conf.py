"""The documentation site, by Sphinx from the Markdown that is there.

Started by scripts/site. The tree itself is the source, so that links between
pages are the same in the site as in the tree.
"""
import pathlib

from pygments.lexers import TextLexer

project = "Ranksight"
copyright = "the Ranksight authors, BSD-3-Clause"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "*/README.md", "tests/*/README.md",
                    "reduction/*/README.md", "online_model/*/README.md",
                    "replay_engine/*/README.md",
                    "tests/bench/results/*.md", "tests/idioms/*.md",
                    "reduction/*.md"]
exclude_patterns = ["build", "docs/site/*"]
# Headings are linked as a forge links them.
myst_heading_anchors = 4
# Nothing is fetched, so that the site works from disk; search too, whose
# extracts would be fetched.
html_show_search_summary = False
html_copy_source = False
html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "page_width": "70em",
                      "sidebar_width": "15em"}
templates_path = ["templates"]
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html",
                        "reference.html"]}
html_extra_path = ["entry"]


def add_contents(app, docname, source):
    """The list of pages, which a reader of the tree does without."""
    if docname == root_doc:
        contents = pathlib.Path(app.confdir, "contents.txt")
        source[0] += "\n" + contents.read_text(encoding="utf-8")


def setup(app):
    app.connect("source-read", add_contents)
    app.add_lexer("hex", TextLexer)
