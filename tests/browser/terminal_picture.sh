#!/usr/bin/env bash
# terminal_picture.sh SOCKET COLUMNS ROWS FILE.png WHAT COMMAND: a terminal of that
# size with the command in it, as soon as it shows WHAT. The socket is tmux's; its
# server goes on until it is killed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
page=$(mktemp --suffix .html)
trap 'rm -f "$page"' EXIT
TERM=xterm-256color tmux -S "$1" -f /dev/null new-session -d -x "$2" -y "$3" "$6"
until text=$(tmux -S "$1" capture-pane -p) && grep -qF -- "$5" <<<"$text"; do
  sleep 0.2
done
{
  # What the font of a browser has no character of comes from another, with a width
  # of its own: each has the room that it has on a terminal.
  echo '<meta charset="utf-8"><style>i { display: inline-block; width: 1ch;
    height: 16px; vertical-align: top; font-style: normal; text-align: center }
    </style><body style="margin:12px;background:#161615">'
  echo '<pre style="color:#f0efec;font:13px/16px monospace">'
  LC_ALL=C.UTF-8 sed 's/&/\&amp;/g; s/</\&lt;/g; s/[^ -~]/<i>&<\/i>/g' <<<"$text"
} >"$page"
python3 "$here/picture.py" "file://$page" $(($2 * 8 + 30)) $(($3 * 16 + 38)) "$4"
