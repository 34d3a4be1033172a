// Functions of MPI that take functions of the program, and those that fit no
// rule of generate_shim.py.
#include <cstring>
#include <type_traits>
#include <utility>

#include "tests/abi/conversions.h"

namespace ranksight::abi_shim {
namespace {

// MPICH calls such a function with nothing that would tell which one it is, so
// each gets a place of its own, and MPICH a function that knows its place.
constexpr size_t kPlaces = 32;

template <class Function>
struct Places {
  static inline Function* taken[kPlaces];
  // The place of a function, kPlaces where none is left.
  static size_t Find(Function* function) {
    size_t place = 0;
    while (place < kPlaces && taken[place] != nullptr &&
           taken[place] != function) {
      ++place;
    }
    if (place < kPlaces) taken[place] = function;
    return place;
  }
};

template <class Function, class Count, size_t place>
void Reduce(void* in, void* inout, Count* count, MpichHandle* type) {
  auto abi = HandleFromMpich<MPI_Datatype>(*type);
  Places<Function>::taken[place](in, inout, count, &abi);
}

template <class Function, class Handle, size_t place>
void HandleError(typename HandleOf<Handle>::Mpich* object, int* error, ...) {
  auto abi = HandleFromMpich<Handle>(*object);
  int code = ErrorFromMpich(*error);
  Places<Function>::taken[place](&abi, &code);
  *error = ErrorToMpich(code);
}

template <class Function, class Count, size_t... places>
void* ReduceAt(size_t place, std::index_sequence<places...>) {
  using Mpich = void (*)(void*, void*, Count*, MpichHandle*);
  constexpr Mpich kFunctions[] = {Reduce<Function, Count, places>...};
  return reinterpret_cast<void*>(kFunctions[place]);
}

template <class Function, class Handle, size_t... places>
void* HandleAt(size_t place, std::index_sequence<places...>) {
  using Mpich = void (*)(typename HandleOf<Handle>::Mpich*, int*, ...);
  constexpr Mpich kFunctions[] = {HandleError<Function, Handle, places>...};
  return reinterpret_cast<void*>(kFunctions[place]);
}

template <class Function, class Count>
int CreateOp(const char* name, Function* function, int commutes, MPI_Op* op) {
  const auto real = Mpich<int (*)(void*, int, MpichHandle*)>(name);
  const size_t place = Places<Function>::Find(function);
  if (place == kPlaces) return MPI_ERR_INTERN;
  HandleArgument<MPI_Op> made(op);
  return ErrorFromMpich(real(
      ReduceAt<Function, Count>(place, std::make_index_sequence<kPlaces>()),
      commutes, made.mpich()));
}

template <class Handle, class Function>
int CreateErrhandler(const char* name, Function* function,
                     MPI_Errhandler* handler) {
  const auto real = Mpich<int (*)(void*, MpichHandle*)>(name);
  const size_t place = Places<Function>::Find(function);
  if (place == kPlaces) return MPI_ERR_INTERN;
  HandleArgument<MPI_Errhandler> made(handler);
  return ErrorFromMpich(real(
      HandleAt<Function, Handle>(place, std::make_index_sequence<kPlaces>()),
      made.mpich()));
}

// What a key's functions are called with besides: MPICH passes it on. Where a
// key is given up MPICH may call them still, so that it stays.
template <class Copy, class Delete>
struct KeyFunctions {
  Copy* copy;
  Delete* remove;
  void* extra;
};

template <class Handle, class Copy, class Delete>
int CopyAttribute(MpichHandle object, int key, void* functions, void* in,
                  void* out, int* flag) {
  const auto* of_key = static_cast<KeyFunctions<Copy, Delete>*>(functions);
  *flag = 0;
  if (of_key->copy == nullptr) return 0;
  if (of_key->copy == (Copy*)MPI_DUP_FN) {
    *static_cast<void**>(out) = in;
    *flag = 1;
    return 0;
  }
  return ErrorToMpich(of_key->copy(HandleFromMpich<Handle>(object),
                                   int(FromMpich(Kind::kKeyval, key)),
                                   of_key->extra, in, out, flag));
}

template <class Handle, class Copy, class Delete>
int DeleteAttribute(MpichHandle object, int key, void* value, void* functions) {
  const auto* of_key = static_cast<KeyFunctions<Copy, Delete>*>(functions);
  if (of_key->remove == nullptr) return 0;
  return ErrorToMpich(of_key->remove(HandleFromMpich<Handle>(object),
                                     int(FromMpich(Kind::kKeyval, key)), value,
                                     of_key->extra));
}

template <class Handle, class Copy, class Delete>
int CreateKeyval(const char* name, Copy* copy, Delete* remove, int* key,
                 void* extra) {
  using MpichCopy = int (*)(MpichHandle, int, void*, void*, void*, int*);
  using MpichDelete = int (*)(MpichHandle, int, void*, void*);
  const auto real = Mpich<int (*)(MpichCopy, MpichDelete, int*, void*)>(name);
  return ErrorFromMpich(
      real(CopyAttribute<Handle, Copy, Delete>,
           DeleteAttribute<Handle, Copy, Delete>, key,
           new KeyFunctions<Copy, Delete>{copy, remove, extra}));
}

struct RequestFunctions {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
};

int QueryRequest(void* functions, MpichStatus* status) {
  const auto* of_request = static_cast<RequestFunctions*>(functions);
  MPI_Status abi{};
  StatusFromMpich(*status, &abi);
  const int error = of_request->query(of_request->extra, &abi);
  *status = StatusToMpich(abi);
  return ErrorToMpich(error);
}

int FreeRequest(void* functions) {
  auto* of_request = static_cast<RequestFunctions*>(functions);
  const int error = of_request->free(of_request->extra);
  delete of_request;
  return ErrorToMpich(error);
}

int CancelRequest(void* functions, int complete) {
  const auto* of_request = static_cast<RequestFunctions*>(functions);
  return ErrorToMpich(of_request->cancel(of_request->extra, complete));
}

// A number that MPICH keeps for an attribute, in the standard's words.
void* TranslateAttribute(Kind kind, const void* number) {
  static thread_local int translated[2];
  int* const place = &translated[kind == Kind::kModel];
  *place = int(FromMpich(kind, *static_cast<const int*>(number)));
  return place;
}

}  // namespace
}  // namespace ranksight::abi_shim

using namespace ranksight::abi_shim;

// MPI_X is the same as PMPI_X, for whoever stands before it.
#define RANKSIGHT_ABI_DEFINE(name, ...)                                    \
  int MPI_##name(__VA_ARGS__) __attribute__((weak, alias("PMPI_" #name))); \
  int PMPI_##name(__VA_ARGS__)

extern "C" {
#pragma GCC visibility push(default)

RANKSIGHT_ABI_DEFINE(Op_create, MPI_User_function* user_fn, int commute,
                     MPI_Op* op) {
  return CreateOp<MPI_User_function, int>("PMPI_Op_create", user_fn, commute,
                                          op);
}

RANKSIGHT_ABI_DEFINE(Op_create_c, MPI_User_function_c* user_fn, int commute,
                     MPI_Op* op) {
  return CreateOp<MPI_User_function_c, MPI_Count>("PMPI_Op_create_c", user_fn,
                                                  commute, op);
}

RANKSIGHT_ABI_DEFINE(Comm_create_errhandler,
                     MPI_Comm_errhandler_function* function,
                     MPI_Errhandler* handler) {
  return CreateErrhandler<MPI_Comm>("PMPI_Comm_create_errhandler", function,
                                    handler);
}

RANKSIGHT_ABI_DEFINE(Win_create_errhandler,
                     MPI_Win_errhandler_function* function,
                     MPI_Errhandler* handler) {
  return CreateErrhandler<MPI_Win>("PMPI_Win_create_errhandler", function,
                                   handler);
}

RANKSIGHT_ABI_DEFINE(File_create_errhandler,
                     MPI_File_errhandler_function* function,
                     MPI_Errhandler* handler) {
  return CreateErrhandler<MPI_File>("PMPI_File_create_errhandler", function,
                                    handler);
}

RANKSIGHT_ABI_DEFINE(Comm_create_keyval, MPI_Comm_copy_attr_function* copy,
                     MPI_Comm_delete_attr_function* remove, int* key,
                     void* extra) {
  return CreateKeyval<MPI_Comm>("PMPI_Comm_create_keyval", copy, remove, key,
                                extra);
}

RANKSIGHT_ABI_DEFINE(Type_create_keyval, MPI_Type_copy_attr_function* copy,
                     MPI_Type_delete_attr_function* remove, int* key,
                     void* extra) {
  return CreateKeyval<MPI_Datatype>("PMPI_Type_create_keyval", copy, remove,
                                    key, extra);
}

RANKSIGHT_ABI_DEFINE(Win_create_keyval, MPI_Win_copy_attr_function* copy,
                     MPI_Win_delete_attr_function* remove, int* key,
                     void* extra) {
  return CreateKeyval<MPI_Win>("PMPI_Win_create_keyval", copy, remove, key,
                               extra);
}

RANKSIGHT_ABI_DEFINE(Grequest_start, MPI_Grequest_query_function* query,
                     MPI_Grequest_free_function* free_fn,
                     MPI_Grequest_cancel_function* cancel, void* extra,
                     MPI_Request* request) {
  static const auto real =
      Mpich<int (*)(void*, void*, void*, void*, MpichHandle*)>(
          "PMPI_Grequest_start");
  HandleArgument<MPI_Request> made(request);
  return ErrorFromMpich(
      real((void*)QueryRequest, (void*)FreeRequest, (void*)CancelRequest,
           new RequestFunctions{query, free_fn, cancel, extra}, made.mpich()));
}

RANKSIGHT_ABI_DEFINE(Win_get_attr, MPI_Win win, int key, void* value,
                     int* flag) {
  static const auto real =
      Mpich<int (*)(MpichHandle, int, void*, int*)>("PMPI_Win_get_attr");
  const int error =
      real(HandleToMpich(win), int(ToMpich(Kind::kKeyval, key)), value, flag);
  void** const found = static_cast<void**>(value);
  if (error == 0 && *flag != 0 && key == MPI_WIN_CREATE_FLAVOR) {
    *found = TranslateAttribute(Kind::kFlavor, *found);
  } else if (error == 0 && *flag != 0 && key == MPI_WIN_MODEL) {
    *found = TranslateAttribute(Kind::kModel, *found);
  }
  return ErrorFromMpich(error);
}

// The ranks of one group in another: none is MPI_UNDEFINED in both interfaces,
// MPI_PROC_NULL is not the same.
RANKSIGHT_ABI_DEFINE(Group_translate_ranks, MPI_Group group1, int n,
                     const int ranks1[], MPI_Group group2, int ranks2[]) {
  static const auto real =
      Mpich<int (*)(MpichHandle, int, const int*, MpichHandle, int*)>(
          "PMPI_Group_translate_ranks");
  const auto given = ConstantsToMpich(Kind::kRank, ranks1, n);
  const int error = real(HandleToMpich(group1), n, given.data(),
                         HandleToMpich(group2), ranks2);
  for (int i = 0; i < n; ++i)
    ranks2[i] = int(FromMpich(Kind::kRank, ranks2[i]));
  return ErrorFromMpich(error);
}

RANKSIGHT_ABI_DEFINE(Get_version, int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

RANKSIGHT_ABI_DEFINE(Abi_get_version, int* abi_major, int* abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

RANKSIGHT_ABI_DEFINE(Pcontrol, const int, ...) { return MPI_SUCCESS; }

#pragma GCC visibility pop
}
