#!/usr/bin/env bash
# epochs_crowded.sh RANKS EVENTS PROGRAM ARGS...: as epochs.sh, where a rank
# that looks for messages in vain gets the processor back only half a
# millisecond later, longer than a slice may take.
export IDLE_US=500
. "$(dirname "$0")/epochs.sh"
