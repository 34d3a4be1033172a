// What stays on the rank: datatypes, groups, attributes, info, operations,
// memory. A line of the name alone; packing prints how much.
#include "log.h"

#define NAMED(call, parameters, arguments) \
  int MPI_##call parameters {              \
    int outer = LogEnter();                \
    int error = PMPI_##call arguments;     \
    if (outer) LogName("MPI_" #call);      \
    LogLeave();                            \
    return error;                          \
  }

NAMED(Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype *newtype),
      (count, oldtype, newtype))
NAMED(Type_vector,
      (int count, int blocklength, int stride, MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (count, blocklength, stride, oldtype, newtype))
NAMED(Type_create_hvector,
      (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (count, blocklength, stride, oldtype, newtype))
NAMED(Type_indexed,
      (int count, const int array_of_blocklengths[],
       const int array_of_displacements[], MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (count, array_of_blocklengths, array_of_displacements, oldtype, newtype))
NAMED(Type_create_hindexed,
      (int count, const int array_of_blocklengths[],
       const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (count, array_of_blocklengths, array_of_displacements, oldtype, newtype))
NAMED(Type_create_indexed_block,
      (int count, int blocklength, const int array_of_displacements[],
       MPI_Datatype oldtype, MPI_Datatype *newtype),
      (count, blocklength, array_of_displacements, oldtype, newtype))
NAMED(Type_create_hindexed_block,
      (int count, int blocklength, const MPI_Aint array_of_displacements[],
       MPI_Datatype oldtype, MPI_Datatype *newtype),
      (count, blocklength, array_of_displacements, oldtype, newtype))
NAMED(Type_create_struct,
      (int count, const int array_of_blocklengths[],
       const MPI_Aint array_of_displacements[],
       const MPI_Datatype array_of_types[], MPI_Datatype *newtype),
      (count, array_of_blocklengths, array_of_displacements, array_of_types,
       newtype))
NAMED(Type_create_subarray,
      (int ndims, const int array_of_sizes[], const int array_of_subsizes[],
       const int array_of_starts[], int order, MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (ndims, array_of_sizes, array_of_subsizes, array_of_starts, order,
       oldtype, newtype))
NAMED(Type_create_darray,
      (int size, int rank, int ndims, const int array_of_gsizes[],
       const int array_of_distribs[], const int array_of_dargs[],
       const int array_of_psizes[], int order, MPI_Datatype oldtype,
       MPI_Datatype *newtype),
      (size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs,
       array_of_psizes, order, oldtype, newtype))
NAMED(Type_create_resized,
      (MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
       MPI_Datatype *newtype),
      (oldtype, lb, extent, newtype))
NAMED(Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype),
      (oldtype, newtype))
NAMED(Type_commit, (MPI_Datatype * datatype), (datatype))
NAMED(Type_free, (MPI_Datatype * datatype), (datatype))
NAMED(Group_incl,
      (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup),
      (group, n, ranks, newgroup))
NAMED(Group_excl,
      (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup),
      (group, n, ranks, newgroup))
NAMED(Group_range_incl,
      (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup),
      (group, n, ranges, newgroup))
NAMED(Group_range_excl,
      (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup),
      (group, n, ranges, newgroup))
NAMED(Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
      (group1, group2, newgroup))
NAMED(Group_intersection,
      (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
      (group1, group2, newgroup))
NAMED(Group_difference,
      (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup),
      (group1, group2, newgroup))
NAMED(Group_free, (MPI_Group * group), (group))
NAMED(Comm_create_keyval,
      (MPI_Comm_copy_attr_function * comm_copy_attr_fn,
       MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
       void *extra_state),
      (comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state))
NAMED(Comm_free_keyval, (int *comm_keyval), (comm_keyval))
NAMED(Type_create_keyval,
      (MPI_Type_copy_attr_function * type_copy_attr_fn,
       MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
       void *extra_state),
      (type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state))
NAMED(Type_free_keyval, (int *type_keyval), (type_keyval))
NAMED(Type_set_attr,
      (MPI_Datatype datatype, int type_keyval, void *attribute_val),
      (datatype, type_keyval, attribute_val))
NAMED(Type_delete_attr, (MPI_Datatype datatype, int type_keyval),
      (datatype, type_keyval))
NAMED(Win_create_keyval,
      (MPI_Win_copy_attr_function * win_copy_attr_fn,
       MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
       void *extra_state),
      (win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state))
NAMED(Win_free_keyval, (int *win_keyval), (win_keyval))
NAMED(Win_set_attr, (MPI_Win win, int win_keyval, void *attribute_val),
      (win, win_keyval, attribute_val))
NAMED(Win_delete_attr, (MPI_Win win, int win_keyval), (win, win_keyval))
NAMED(Info_create, (MPI_Info * info), (info))
NAMED(Info_delete, (MPI_Info info, const char *key), (info, key))
NAMED(Info_dup, (MPI_Info info, MPI_Info *newinfo), (info, newinfo))
NAMED(Info_free, (MPI_Info * info), (info))
NAMED(Info_set, (MPI_Info info, const char *key, const char *value),
      (info, key, value))
NAMED(Comm_create_errhandler,
      (MPI_Comm_errhandler_function * comm_errhandler_fn,
       MPI_Errhandler *errhandler),
      (comm_errhandler_fn, errhandler))
NAMED(Type_match_size, (int typeclass, int size, MPI_Datatype *type),
      (typeclass, size, type))
NAMED(Type_create_f90_real, (int p, int r, MPI_Datatype *newtype),
      (p, r, newtype))
NAMED(Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype),
      (p, r, newtype))
NAMED(Type_create_f90_integer, (int r, MPI_Datatype *newtype), (r, newtype))
NAMED(Win_create_errhandler,
      (MPI_Win_errhandler_function * win_errhandler_fn,
       MPI_Errhandler *errhandler),
      (win_errhandler_fn, errhandler))
NAMED(File_create_errhandler,
      (MPI_File_errhandler_function * file_errhandler_fn,
       MPI_Errhandler *errhandler),
      (file_errhandler_fn, errhandler))
NAMED(Errhandler_free, (MPI_Errhandler * errhandler), (errhandler))
NAMED(Op_create, (MPI_User_function * user_fn, int commute, MPI_Op *op),
      (user_fn, commute, op))
NAMED(Op_free, (MPI_Op * op), (op))
NAMED(Add_error_class, (int *errorclass), (errorclass))
NAMED(Add_error_code, (int errorclass, int *errorcode), (errorclass, errorcode))
NAMED(Add_error_string, (int errorcode, const char *string),
      (errorcode, string))

NAMED(Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr),
      (size, info, baseptr))
NAMED(Free_mem, (void *base), (base))
NAMED(Buffer_attach, (void *buffer, int size), (buffer, size))
NAMED(Buffer_detach, (void *buffer_addr, int *size), (buffer_addr, size))
NAMED(Grequest_start,
      (MPI_Grequest_query_function * query_fn,
       MPI_Grequest_free_function *free_fn,
       MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
       MPI_Request *request),
      (query_fn, free_fn, cancel_fn, extra_state, request))
NAMED(Grequest_complete, (MPI_Request request), (request))

#define ON_COMM(call, parameters, arguments) \
  int MPI_##call parameters {                \
    int outer = LogEnter();                  \
    int error = PMPI_##call arguments;       \
    if (outer) {                             \
      LogBegin("MPI_" #call);                \
      LogComm(comm);                         \
      LogEnd();                              \
    }                                        \
    LogLeave();                              \
    return error;                            \
  }

ON_COMM(Comm_set_attr, (MPI_Comm comm, int key, void *value),
        (comm, key, value))
ON_COMM(Comm_delete_attr, (MPI_Comm comm, int key), (comm, key))
ON_COMM(Comm_set_info, (MPI_Comm comm, MPI_Info info), (comm, info))

int MPI_Reduce_local(const void *in, void *out, int count, MPI_Datatype type,
                     MPI_Op op) {
  int outer = LogEnter();
  int error = PMPI_Reduce_local(in, out, count, type, op);
  if (outer) {
    LogBegin("MPI_Reduce_local");
    LogBytes("bytes", count * SizeOf(type));
    LogEnd();
  }
  LogLeave();
  return error;
}

static void LogPacking(const char *call, MPI_Comm comm, long long bytes) {
  LogBegin(call);
  LogComm(comm);
  LogBytes("bytes", bytes);
  LogEnd();
}

int MPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int size,
             int *place, MPI_Comm comm) {
  int outer = LogEnter();
  int error = PMPI_Pack(in, count, type, out, size, place, comm);
  if (outer) LogPacking("MPI_Pack", comm, count * SizeOf(type));
  LogLeave();
  return error;
}

int MPI_Unpack(const void *in, int size, int *place, void *out, int count,
               MPI_Datatype type, MPI_Comm comm) {
  int outer = LogEnter();
  int error = PMPI_Unpack(in, size, place, out, count, type, comm);
  if (outer) LogPacking("MPI_Unpack", comm, count * SizeOf(type));
  LogLeave();
  return error;
}
