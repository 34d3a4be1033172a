#!/usr/bin/env bash
# The first of a team, which no law tells, scatters and gathers lists that follow
# none: in a twin the root's list is what its members give and take.
. "$(dirname "$0")/lib.sh"
must_make_twin 4,6,8,12 24 "$apps/teams"
must_record real.trace 24 "$apps/teams"
must_give_alike MPI_Gatherv 10
# Which ranks are in teams has a law, the teams themselves have none.
must_make_twin 4,6,8,12 24 "$apps/teams" even
