#!/usr/bin/env bash
# Who is in a group has no law, and roots sum in place: a twin is made in which
# none but the root of a group does, which no MPI would take.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12,16 24 "$apps/leaders"
