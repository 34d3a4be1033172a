/* ---- Communicators: numbered as this rank obtains them ------------------ */
enum { CHUNK = 1024 };
static MPI_Comm *comm_chunks[1 << 16];
static number comms_made = 2;

static inline MPI_Comm *comm_slot(number k) {
  MPI_Comm **chunk = &comm_chunks[k / CHUNK % (1 << 16)];
  if (*chunk == NULL) *chunk = get_memory(CHUNK * sizeof(MPI_Comm));
  return *chunk + k % CHUNK;
}

static inline MPI_Comm comm(number k) {
  return k == 0 ? MPI_COMM_WORLD : k == 1 ? MPI_COMM_SELF : *comm_slot(k);
}

/* Where a call leaves a communicator of `size` ranks; with size 0 it leaves
 * MPI_COMM_NULL, which takes no number. */
static inline MPI_Comm *new_comm(number size) {
  static MPI_Comm none;
  return size == 0 ? &none : comm_slot(comms_made++);
}

static inline MPI_Comm *old_comm(number k) { return comm_slot(k); }

/* Into known: each rank of the world's rank in the group, which is freed. */
static inline void know_ranks(MPI_Group group, int *known) {
  MPI_Group world;
  int size;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, &size);
  int *members = get_memory(sizeof(int) * (size_t)(size + 1));
  int *in_world = get_memory(sizeof(int) * (size_t)(size + 1));
  for (int i = 0; i < ranks; ++i) known[i] = MPI_UNDEFINED;
  for (int i = 0; i < size; ++i) members[i] = i;
  PMPI_Group_translate_ranks(group, size, members, world, in_world);
  for (int i = 0; i < size; ++i) known[in_world[i]] = i;
  free(members);
  free(in_world);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
}

/* The rank in c of a rank of the world. Remembers the group asked last. */
static inline int rank_in(MPI_Comm c, number world_rank) {
  static MPI_Comm last = MPI_COMM_NULL;
  static int *known;
  static number last_made;
  int inter = 0;
  if (world_rank == ANY_PEER) return MPI_ANY_SOURCE;
  if (world_rank == NULL_PEER) return MPI_PROC_NULL;
  if (world_rank == ROOT_PEER) return MPI_ROOT;
  if (c == MPI_COMM_WORLD) return (int)world_rank;
  if (c != last || last_made != comms_made) {
    MPI_Group group;
    PMPI_Comm_test_inter(c, &inter);
    if (inter) {
      PMPI_Comm_remote_group(c, &group);
    } else {
      PMPI_Comm_group(c, &group);
    }
    if (known == NULL) known = get_memory(sizeof(int) * (size_t)ranks);
    know_ranks(group, known);
    last = c;
    last_made = comms_made;
  }
  return known[world_rank];
}

/* The other group's leader and the communicator to it count at the leader. */
static inline void intercomm_create(MPI_Comm c, int leader, number peers,
                                    number other, int with_tag,
                                    MPI_Comm *made) {
  MPI_Comm to_other = MPI_COMM_NULL;
  int me, there = 0;
  PMPI_Comm_rank(c, &me);
  if (me == leader) {
    to_other = comm(peers);
    there = rank_in(to_other, other);
  }
  MPI_Intercomm_create(c, leader, to_other, there, with_tag, made);
}

/* Whether those who share a host here are those with one first member, as many
 * as size says, on all ranks of c. */
static inline int hosts_are_as_recorded(MPI_Comm c, number first, int key,
                                        number size) {
  MPI_Comm part;
  int alike = 1, all_alike, here;
  PMPI_Comm_split_type(c, size == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, key,
                       MPI_INFO_NULL, &part);
  if (part != MPI_COMM_NULL) {
    long long mine[2] = {first, -first}, least[2];
    PMPI_Comm_size(part, &here);
    PMPI_Allreduce(mine, least, 2, MPI_LONG_LONG, MPI_MIN, part);
    alike = here == size && least[0] == -least[1];
    PMPI_Comm_free(&part);
  }
  PMPI_Allreduce(&alike, &all_alike, 1, MPI_INT, MPI_MIN, c);
  return all_alike;
}

/* By host where that leaves together who was together, and otherwise by who
 * was. */
static inline void split_by_host(MPI_Comm c, number first, int key, number size,
                                 MPI_Comm *made) {
  if (hosts_are_as_recorded(c, first, key, size)) {
    MPI_Comm_split_type(c, size == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED,
                        key, MPI_INFO_NULL, made);
  } else {
    MPI_Comm_split(c, size == 0 ? MPI_UNDEFINED : (int)first, key, made);
  }
}

static inline int tag(number v) { return v == TAG_ANY ? MPI_ANY_TAG : (int)v; }
static inline int color(number v) {
  return v == NO_COLOR ? MPI_UNDEFINED : (int)v;
}

/* Count elements with the bytes scaled; receives of messages round up, so that
 * what is sent always fits. */
static inline int scaled(number count) {
  double exact = (double)count * bytes_scale;
  if (exact > INT_MAX) stop("--bytes-scale: more elements than an int counts");
  return bytes_scale == 1 ? (int)count : (int)exact;
}
static inline int scaled_up(number count) {
  int less = scaled(count);
  return less + ((double)count * bytes_scale > less && bytes_scale != 1);
}
