#!/usr/bin/env bash
# release.sh SOURCE: in a clone, scripts/release refuses what is no release, and
# cuts the one that CMakeLists.txt names: a heading, a commit, an archive.
set -u
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "SKIPPED: no git"; exit 77; }
git clone -q "$source" "$folder/clone" || fail "git clone"
cd "$folder/clone" || exit 1
git config user.name Tester
git config user.email tester@example.org
version=$(sed -n 's/^project(ranksight VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
before=$(git rev-parse HEAD)

# refuses REASON ARGS...: with $path as PATH, where there is one.
refuses() {
  PATH=${path:-$PATH} scripts/release "${@:2}" >"$folder/out.txt" 2>&1
  [ $? -eq 1 ] || fail "not refused: ${*:2}"
  grep -qF "$1" "$folder/out.txt" || fail "$(cat "$folder/out.txt")"
}
refuses 'CMakeLists.txt does not say' 99.0.0 "$folder/out" --source-only
touch forgotten
refuses 'the checkout has changes' "$version" "$folder/out" --source-only
rm forgotten
# Packages want more than a build, the source archive does not.
mkdir "$folder/few"
for tool in bash git dirname mkdir; do
  ln -s "$(command -v $tool)" "$folder/few/$tool"
done
path=$folder/few refuses 'no help2man; scripts/install-packages all' \
  "$version" "$folder/out"
sed -i 's/^## \[Unreleased\].*/&, more/' CHANGELOG.md
git commit -qam 'A heading that is none'
refuses 'has more behind' "$version" "$folder/out" --source-only
git reset -q --hard "$before"
[ -z "$(ls "$folder/out")" ] || fail "a refused release left something"

scripts/release "$version" "$folder/out" --source-only >"$folder/out.txt" 2>&1 ||
  fail "$(cat "$folder/out.txt")"
[ "$(git log -1 --format=%s)" = "Release $version" ] || fail "no commit"
[ "$(git rev-parse HEAD^)" = "$before" ] || fail "more than one commit"
[ -z "$(git tag -l "v$version")" ] || fail "it tagged"
cd "$folder/out" || exit 1
sha256sum -c SHA256SUMS >/dev/null || fail "the checksums"
tar -xzf "ranksight-$version.tar.gz" || fail "the archive"
grep -qx "## \[$version\] - [0-9]*-[0-9]*-[0-9]*" \
  "ranksight-$version/CHANGELOG.md" || fail "no date in CHANGELOG.md"
diff -r -x .git "$folder/clone" "ranksight-$version" || fail "the archive is not whole"
