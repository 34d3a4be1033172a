# Read by tests of graphs whose neighbours MPI gives in two orders: what each
# order of a recorded run receives. Sets ranks.
. "$(dirname "$0")/lib.sh"
ranks=$1
shift
yield_preload=$build/lib/liborder_preload.so:$yield_preload
# received TRACE: counts by neighbour, of all ranks and calls.
received() { "$ranksight" show "$1" --tree | grep -o ' recv_counts=[^a-z]*'; }
for order in up down; do
  SOURCES=$order must_record "$order.trace" "$ranks" "$@"
  received "$order.trace" >"$order.txt"
done
! cmp -s up.txt down.txt || fail "the order makes no difference"
