/* ---- Neighbours in a topology ------------------------------------------- */
#include "reduction/api/neighbours.inc"

/* Where the sources of graphs stood in the recorded run: `rank, communicator,
 * edges out, their marks..., edges in, their marks..., ...`, ended by a rank of
 * -1. MPI_Dist_graph_create gives them in an order of its own in each run. */
static const number *graph_edges;

/* A graph's list of places, see find_recorded_sources. */
static int graph_key = MPI_KEYVAL_INVALID;

static int free_places(MPI_Comm c, int key, void *places, void *state) {
  (void)c, (void)key, (void)state;
  free(places);
  return MPI_SUCCESS;
}

/* Edges of this rank in communicator number k: behind both numbers. */
static inline const number *edges_of(number k) {
  const number *e = graph_edges;
  while (e != NULL && *e >= 0) {
    const number *own = e + 2;
    if (e[0] == rank && e[1] == k) return own;
    own += 1 + own[0];
    e = own + 1 + own[0];
  }
  return NULL;
}

static inline uint64_t *marks(const number *list, size_t room) {
  uint64_t *all = get_memory((room + (size_t)list[0]) * sizeof *all);
  for (number i = 0; i < list[0]; ++i) all[i] = (uint64_t)list[1 + i];
  return all;
}

/* Keeps with a graph where its sources stood. */
static inline void know_sources(MPI_Comm graph, const number *edges) {
  const number *recorded = edges + 1 + edges[0];
  size_t n = (size_t)recorded[0];
  int sources, destinations;
  count_neighbours(graph, &sources, &destinations);
  uint64_t *away = marks(edges, (size_t)destinations + 1);
  uint64_t *to_here = marks(recorded, 1);
  int *places = get_memory((n + 1) * sizeof *places);
  if (find_recorded_sources(graph, away, to_here, n, places)) {
    if (graph_key == MPI_KEYVAL_INVALID) {
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_places, &graph_key,
                              NULL);
    }
    PMPI_Comm_set_attr(graph, graph_key, places);
  } else {
    free(places);
  }
  free(away);
  free(to_here);
}

static inline int *peers(MPI_Comm c, number n, struct value *ranks_of) {
  int *list = array(sizeof(int) * (size_t)(n + 1));
  begin_array(ranks_of, n);
  for (number i = 0; i < n; ++i) list[i] = rank_in(c, next(ranks_of));
  return list;
}

static inline void dist_graph_create(MPI_Comm c, number n, int *sources,
                                     int *degrees, int *destinations,
                                     int reorder, MPI_Comm *made) {
  const number *edges = edges_of(comms_made - 1);
  MPI_Dist_graph_create(c, (int)n, sources, degrees, destinations,
                        MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, made);
  if (edges != NULL) know_sources(*made, edges);
}

static inline void reorder(void *list, size_t each, number n,
                           const int *places) {
  if (list == NULL) return;
  char *old = get_memory(each * (size_t)n);
  memcpy(old, list, each * (size_t)n);
  for (number i = 0; i < n; ++i) {
    memcpy((char *)list + each * (size_t)i, old + each * (size_t)places[i],
           each);
  }
  free(old);
}

/* The shares of the sources in the order in which this run has them. */
static inline struct shares as_found(MPI_Comm c, struct shares s) {
  int *places, found = 0;
  if (graph_key == MPI_KEYVAL_INVALID) return s;
  PMPI_Comm_get_attr(c, graph_key, &places, &found);
  if (!found) return s;
  reorder(s.counts, sizeof *s.counts, s.n, places);
  reorder(s.places, sizeof *s.places, s.n, places);
  reorder(s.byte_places, sizeof *s.byte_places, s.n, places);
  reorder(s.types, sizeof *s.types, s.n, places);
  return s;
}

/* As much from each source, and as much to each destination or the same to
 * all. */
static inline void room_for_neighbours(MPI_Comm c, int n, MPI_Datatype type,
                                       int same, int rn, MPI_Datatype rtype) {
  int sources, destinations;
  MPI_Aint lower, extent, rextent;
  count_neighbours(c, &sources, &destinations);
  PMPI_Type_get_extent(type, &lower, &extent);
  PMPI_Type_get_extent(rtype, &lower, &rextent);
  make_room(&out,
            (size_t)(same ? 1 : destinations) * (size_t)n * (size_t)extent +
                reach_beyond(type, extent));
  make_room(&in, (size_t)sources * (size_t)rn * (size_t)rextent +
                     reach_beyond(rtype, rextent));
}

#define OVER_NEIGHBOURS(Name, name, parameters, before, ...) \
  static inline void name(parameters) {                      \
    before;                                                  \
    MPI_##Name(__VA_ARGS__);                                 \
  }                                                          \
  BEGUN(Name, name, LIST(parameters), before, __VA_ARGS__)
OVER_NEIGHBOURS(Neighbor_allgather, neighbor_allgather,
                LIST(int n, MPI_Datatype type, int rn, MPI_Datatype rtype,
                     MPI_Comm c),
                room_for_neighbours(c, n, type, 1, rn, rtype), out, n, type, in,
                rn, rtype, c)
OVER_NEIGHBOURS(Neighbor_allgatherv, neighbor_allgatherv,
                LIST(int n, MPI_Datatype type, struct shares r, MPI_Comm c),
                r = as_found(c, r);
                room_for_neighbours(c, n, type, 1, 0, MPI_BYTE), out, n, type,
                in, r.counts, r.places, r.type, c)
OVER_NEIGHBOURS(Neighbor_alltoall, neighbor_alltoall,
                LIST(int n, MPI_Datatype type, int rn, MPI_Datatype rtype,
                     MPI_Comm c),
                room_for_neighbours(c, n, type, 0, rn, rtype), out, n, type, in,
                rn, rtype, c)
OVER_NEIGHBOURS(Neighbor_alltoallv, neighbor_alltoallv,
                LIST(struct shares s, struct shares r, MPI_Comm c),
                r = as_found(c, r), out, s.counts, s.places, s.type, in,
                r.counts, r.places, r.type, c)
OVER_NEIGHBOURS(Neighbor_alltoallw, neighbor_alltoallw,
                LIST(struct shares s, struct shares r, MPI_Comm c),
                r = as_found(c, r), out, s.counts, s.byte_places, s.types, in,
                r.counts, r.byte_places, r.types, c)
