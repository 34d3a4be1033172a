#include "replay_engine/backend_mpi/predefined.h"

#ifdef SMPI_PREDEFINED_POINTER
// SimGrid 3.32 names these and does not declare what they stand for.
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX
#endif

namespace ranksight::replay_engine {
namespace {

struct NamedType {
  std::string_view name;
  MPI_Datatype type;
};

struct NamedOp {
  std::string_view name;
  MPI_Op op;
};

}  // namespace

MPI_Datatype PredefinedType(std::string_view name) {
  // Optional types are macros where they exist.
  static const NamedType kTypes[] = {
      {"MPI_CHAR", MPI_CHAR},
      {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR},
      {"MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR},
      {"MPI_BYTE", MPI_BYTE},
      {"MPI_WCHAR", MPI_WCHAR},
      {"MPI_SHORT", MPI_SHORT},
      {"MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT},
      {"MPI_INT", MPI_INT},
      {"MPI_UNSIGNED", MPI_UNSIGNED},
      {"MPI_LONG", MPI_LONG},
      {"MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG},
      {"MPI_FLOAT", MPI_FLOAT},
      {"MPI_DOUBLE", MPI_DOUBLE},
      {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE},
      {"MPI_LONG_LONG_INT", MPI_LONG_LONG_INT},
      {"MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG},
      {"MPI_PACKED", MPI_PACKED},
      {"MPI_FLOAT_INT", MPI_FLOAT_INT},
      {"MPI_DOUBLE_INT", MPI_DOUBLE_INT},
      {"MPI_LONG_INT", MPI_LONG_INT},
      {"MPI_SHORT_INT", MPI_SHORT_INT},
      {"MPI_2INT", MPI_2INT},
      {"MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT},
      {"MPI_INT8_T", MPI_INT8_T},
      {"MPI_INT16_T", MPI_INT16_T},
      {"MPI_INT32_T", MPI_INT32_T},
      {"MPI_INT64_T", MPI_INT64_T},
      {"MPI_UINT8_T", MPI_UINT8_T},
      {"MPI_UINT16_T", MPI_UINT16_T},
      {"MPI_UINT32_T", MPI_UINT32_T},
      {"MPI_UINT64_T", MPI_UINT64_T},
      {"MPI_C_BOOL", MPI_C_BOOL},
      {"MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX},
      {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX},
      {"MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX},
      {"MPI_AINT", MPI_AINT},
      {"MPI_OFFSET", MPI_OFFSET},
      {"MPI_COUNT", MPI_COUNT},
#ifdef MPI_CXX_BOOL
      {"MPI_CXX_BOOL", MPI_CXX_BOOL},
#endif
#ifdef MPI_CXX_FLOAT_COMPLEX
      {"MPI_CXX_FLOAT_COMPLEX", MPI_CXX_FLOAT_COMPLEX},
#endif
#ifdef MPI_CXX_DOUBLE_COMPLEX
      {"MPI_CXX_DOUBLE_COMPLEX", MPI_CXX_DOUBLE_COMPLEX},
#endif
#ifdef MPI_CXX_LONG_DOUBLE_COMPLEX
      {"MPI_CXX_LONG_DOUBLE_COMPLEX", MPI_CXX_LONG_DOUBLE_COMPLEX},
#endif
#ifdef MPI_INTEGER
      {"MPI_INTEGER", MPI_INTEGER},
#endif
#ifdef MPI_REAL
      {"MPI_REAL", MPI_REAL},
#endif
#ifdef MPI_DOUBLE_PRECISION
      {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION},
#endif
#ifdef MPI_COMPLEX
      {"MPI_COMPLEX", MPI_COMPLEX},
#endif
#ifdef MPI_DOUBLE_COMPLEX
      {"MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX},
#endif
#ifdef MPI_LOGICAL
      {"MPI_LOGICAL", MPI_LOGICAL},
#endif
#ifdef MPI_CHARACTER
      {"MPI_CHARACTER", MPI_CHARACTER},
#endif
#ifdef MPI_2INTEGER
      {"MPI_2INTEGER", MPI_2INTEGER},
#endif
#ifdef MPI_2REAL
      {"MPI_2REAL", MPI_2REAL},
#endif
#ifdef MPI_2DOUBLE_PRECISION
      {"MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION},
#endif
#ifdef MPI_INTEGER1
      {"MPI_INTEGER1", MPI_INTEGER1},
#endif
#ifdef MPI_INTEGER2
      {"MPI_INTEGER2", MPI_INTEGER2},
#endif
#ifdef MPI_INTEGER4
      {"MPI_INTEGER4", MPI_INTEGER4},
#endif
#ifdef MPI_INTEGER8
      {"MPI_INTEGER8", MPI_INTEGER8},
#endif
#ifdef MPI_INTEGER16
      {"MPI_INTEGER16", MPI_INTEGER16},
#endif
#ifdef MPI_REAL2
      {"MPI_REAL2", MPI_REAL2},
#endif
#ifdef MPI_REAL4
      {"MPI_REAL4", MPI_REAL4},
#endif
#ifdef MPI_REAL8
      {"MPI_REAL8", MPI_REAL8},
#endif
#ifdef MPI_REAL16
      {"MPI_REAL16", MPI_REAL16},
#endif
#ifdef MPI_COMPLEX4
      {"MPI_COMPLEX4", MPI_COMPLEX4},
#endif
#ifdef MPI_COMPLEX8
      {"MPI_COMPLEX8", MPI_COMPLEX8},
#endif
#ifdef MPI_COMPLEX16
      {"MPI_COMPLEX16", MPI_COMPLEX16},
#endif
#ifdef MPI_COMPLEX32
      {"MPI_COMPLEX32", MPI_COMPLEX32},
#endif
  };
  for (const NamedType& t : kTypes) {
    if (t.name == name) return t.type;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op PredefinedOp(std::string_view name) {
  static const NamedOp kOps[] = {
      {"MPI_MAX", MPI_MAX},         {"MPI_MIN", MPI_MIN},
      {"MPI_SUM", MPI_SUM},         {"MPI_PROD", MPI_PROD},
      {"MPI_LAND", MPI_LAND},       {"MPI_BAND", MPI_BAND},
      {"MPI_LOR", MPI_LOR},         {"MPI_BOR", MPI_BOR},
      {"MPI_LXOR", MPI_LXOR},       {"MPI_BXOR", MPI_BXOR},
      {"MPI_MINLOC", MPI_MINLOC},   {"MPI_MAXLOC", MPI_MAXLOC},
      {"MPI_REPLACE", MPI_REPLACE}, {"MPI_NO_OP", MPI_NO_OP},
  };
  for (const NamedOp& o : kOps) {
    if (o.name == name) return o.op;
  }
  return MPI_OP_NULL;
}

}  // namespace ranksight::replay_engine
