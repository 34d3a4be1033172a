#!/usr/bin/env bash
# serve takes its options from a file, the command line first; its token is the
# same after a restart.
. "$(dirname "$0")/lib.sh"
printf '%s\n' '# options' "listen = \"ipc://$folder/socket\"" \
  'store = "kept"' 'http = "127.0.0.1:0"' 'quota = "1M"' >serve.toml
token() { sed -n 's/.*#token=//p' serve.err; }
start_service
grep -q "listening at ipc://$folder/socket, storing in kept" serve.err ||
  fail "$(cat serve.err)"
first=$(token)
end_service
start_service
[ -n "$first" ] && [ "$(token)" = "$first" ] || fail "another token"
end_service
start_service --store other
[ -d other/runs ] || fail "the command line does not count first"
[ "$(token)" != "$first" ] || fail "two stores have one token"
end_service
for line in 'stoer = "x"' 'config = "serve.toml"' '[part]
store = "x"' 'quota = "many"'; do
  echo "$line" >bad.toml
  expect_exit 2 "$ranksight" serve --config bad.toml
  grep -q 'bad.toml: ' err.txt || fail "$(cat err.txt)"
done
expect_exit 4 "$ranksight" serve --config none.toml
