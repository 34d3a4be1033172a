// Frozen codes of predefined datatypes and operations: a code is a position
// in its list, so names are only ever added at the end. Synonyms stand under
// the name mpi.h gives first (MPI_LONG_LONG is MPI_LONG_LONG_INT).
#include <algorithm>
#include <iterator>
#include <string_view>

#include "reduction/api/call.h"

namespace ranksight::reduction {
namespace {

constexpr std::string_view kTypeNames[] = {
    "",
    "MPI_CHAR",
    "MPI_SIGNED_CHAR",
    "MPI_UNSIGNED_CHAR",
    "MPI_BYTE",
    "MPI_WCHAR",
    "MPI_SHORT",
    "MPI_UNSIGNED_SHORT",
    "MPI_INT",
    "MPI_UNSIGNED",
    "MPI_LONG",
    "MPI_UNSIGNED_LONG",
    "MPI_FLOAT",
    "MPI_DOUBLE",
    "MPI_LONG_DOUBLE",
    "MPI_LONG_LONG_INT",
    "MPI_UNSIGNED_LONG_LONG",
    "MPI_PACKED",
    "MPI_FLOAT_INT",
    "MPI_DOUBLE_INT",
    "MPI_LONG_INT",
    "MPI_SHORT_INT",
    "MPI_2INT",
    "MPI_LONG_DOUBLE_INT",
    "MPI_INT8_T",
    "MPI_INT16_T",
    "MPI_INT32_T",
    "MPI_INT64_T",
    "MPI_UINT8_T",
    "MPI_UINT16_T",
    "MPI_UINT32_T",
    "MPI_UINT64_T",
    "MPI_C_BOOL",
    "MPI_C_FLOAT_COMPLEX",
    "MPI_C_DOUBLE_COMPLEX",
    "MPI_C_LONG_DOUBLE_COMPLEX",
    "MPI_AINT",
    "MPI_OFFSET",
    "MPI_COUNT",
    "MPI_CXX_BOOL",
    "MPI_CXX_FLOAT_COMPLEX",
    "MPI_CXX_DOUBLE_COMPLEX",
    "MPI_CXX_LONG_DOUBLE_COMPLEX",
    "MPI_INTEGER",
    "MPI_REAL",
    "MPI_DOUBLE_PRECISION",
    "MPI_COMPLEX",
    "MPI_DOUBLE_COMPLEX",
    "MPI_LOGICAL",
    "MPI_CHARACTER",
    "MPI_2INTEGER",
    "MPI_2REAL",
    "MPI_2DOUBLE_PRECISION",
    "MPI_INTEGER1",
    "MPI_INTEGER2",
    "MPI_INTEGER4",
    "MPI_INTEGER8",
    "MPI_INTEGER16",
    "MPI_REAL2",
    "MPI_REAL4",
    "MPI_REAL8",
    "MPI_REAL16",
    "MPI_COMPLEX4",
    "MPI_COMPLEX8",
    "MPI_COMPLEX16",
    "MPI_COMPLEX32",
    "MPI_LB",
    "MPI_UB",
    "MPI_DATATYPE_NULL",
};

constexpr std::string_view kOpNames[] = {
    "",         "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
    "MPI_LAND", "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
    "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP",
};

int64_t CodeOf(std::span<const std::string_view> names, std::string_view name) {
  if (name.empty()) return 0;
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? 0 : it - names.begin();
}

std::string_view NameOf(std::span<const std::string_view> names, int64_t code) {
  if (code < 0 || code >= std::ssize(names)) return "";
  return names[static_cast<size_t>(code)];
}

}  // namespace

int64_t TypeCodeByName(std::string_view name) {
  return CodeOf(kTypeNames, name);
}
std::string_view TypeNameByCode(int64_t code) {
  return NameOf(kTypeNames, code);
}
std::span<const std::string_view> TypeNames() { return kTypeNames; }

int64_t OpCodeByName(std::string_view name) { return CodeOf(kOpNames, name); }
std::string_view OpNameByCode(int64_t code) { return NameOf(kOpNames, code); }
std::span<const std::string_view> OpNames() { return kOpNames; }

}  // namespace ranksight::reduction
