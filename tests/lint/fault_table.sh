#!/usr/bin/env bash
# fault_table.sh TABLE CTEST BUILD: every test that the table of faults names
# is one of the build's; a * stands for anything.
table=$1
tests=$("$2" --test-dir "$3" -N | sed -n 's/^ *Test *#[0-9]*: //p')
status=0
checked=0
while read -r name; do
  checked=$((checked + 1))
  pattern=$(sed 's/[.]/[.]/g; s/[*]/.*/g' <<<"$name")
  grep -qE "(^|[./])$pattern\$" <<<"$tests" || {
    echo "$table: no such test: $name"
    status=1
  }
done < <(sed -n 's/^|.*|\([^|]*\)|$/\1/p' "$table" | grep -o '`[^`]*`' |
  tr -d '`' | grep '[.]' | sort -u)
[ "$checked" -gt 20 ] || {
  echo "$table: names $checked tests"
  status=1
}
exit $status
