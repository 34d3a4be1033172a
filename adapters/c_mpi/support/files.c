/* ---- Files: scratch files of this program's own, gone when closed ------- */
struct file {
  MPI_File handle;
};
static struct file **files;
static number files_made, files_room, scratch_files;
static const char *scratch = "."; /* --scratch */

static inline struct file *file(number k) {
  if (k < 0 || k >= files_made) stop("uses a file that was never opened");
  return files[k];
}

static inline struct file *new_file(void) {
  if (files_made == files_room) {
    files_room = 2 * files_room + 16;
    files = realloc(files, (size_t)files_room * sizeof *files);
    if (files == NULL) stop("out of memory");
  }
  return files[files_made++] = get_memory(sizeof(struct file));
}

/* One name for all ranks of c, nobody else's. */
static inline char *scratch_name(MPI_Comm c) {
  long long made[2] = {getpid(), scratch_files++};
  char *name = array(strlen(scratch) + 80);
  PMPI_Bcast(made, 2, MPI_LONG_LONG, 0, c);
  sprintf(name, "%s/ranksight-benchmark.%lld.%lld", scratch, made[0], made[1]);
  return name;
}

/* Whatever the program opened, scratch files are made, read and written. What
 * was there before is 64 GiB of zeros, and no blocks on the disk. */
static inline void file_open(MPI_Comm c, int access) {
  struct file *f = new_file();
  int kept = access & (MPI_MODE_UNIQUE_OPEN | MPI_MODE_APPEND);
  int existed = !(access & (MPI_MODE_CREATE | MPI_MODE_WRONLY));
  int code = MPI_File_open(
      c, scratch_name(c),
      kept | MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
      MPI_INFO_NULL, &f->handle);
  if (code != MPI_SUCCESS) stop("no scratch file: give --scratch FOLDER");
  if (existed) PMPI_File_set_size(f->handle, (MPI_Offset)1 << 36);
}

static inline void file_delete(void) {
  char *name = scratch_name(MPI_COMM_SELF);
  MPI_File made;
  int code =
      PMPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
                     MPI_INFO_NULL, &made);
  if (code != MPI_SUCCESS) stop("no scratch file: give --scratch FOLDER");
  PMPI_File_close(&made);
  MPI_File_delete(name, MPI_INFO_NULL);
}

/* Below 0 is MPI_DISPLACEMENT_CURRENT. */
static inline void file_set_view(MPI_File handle, number place,
                                 MPI_Datatype element, MPI_Datatype pattern) {
  MPI_File_set_view(handle, place < 0 ? 0 : place, element, pattern, "native",
                    MPI_INFO_NULL);
}
