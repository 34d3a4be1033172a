#!/usr/bin/env bash
# site.sh: scripts/site makes the site without a warning, in another folder than
# the tree; its links lead somewhere, and it is searched without a server.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
code=0
"$here/../../scripts/site" "$site" || code=$?
if [ $code -eq 4 ]; then
  echo "SKIPPED: what makes the site is not installed"
  exit 77
fi
[ $code -eq 0 ] || exit $code
python3 "$here/links.py" "$site"
python3 "$here/search.py" "$site"
