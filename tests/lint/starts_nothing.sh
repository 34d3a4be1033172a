#!/usr/bin/env bash
# starts_nothing.sh FILE: it calls nothing of the C library that starts a process
# or a thread; compute nodes of Blue Gene have no processes to start, and as many
# threads as the node has. Apart from a copy of a process that dies, which need
# not come about (_Fork: runtime/intercept/fatal_signals.h).
set -euo pipefail
called=$(nm -D --undefined-only "$1" | awk '{print $NF}' | sed 's/@.*//')
grep -Eq '^P?MPI_' <<<"$called" || { echo "no call of MPI in $1?"; exit 1; }
starts=$(grep -Ex 'v?fork|clone3?|system|popen|posix_spawnp?|exec[lv].*|pthread_create|thrd_create' \
  <<<"$called" || true)
[ -z "$starts" ] || { echo "$1 calls $starts"; exit 1; }
