#include "runtime/front/mpi_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "runtime/front/reason.h"

namespace ranksight::runtime {
namespace {

// A function that every MPI library has and no program defines.
constexpr char kMark[] = "PMPI_Init";

const char* LibraryOf(const void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 ? info.dli_fname : nullptr;
}

const char* OwnPath() { return LibraryOf(reinterpret_cast<void*>(&OwnPath)); }

// A kind of MPI is known by a symbol that it alone has: an object of its binary
// interface, which cannot go without breaking programs. Names of files differ
// from one distribution to the next.
struct Kind {
  const char* symbol;   // nullptr: the library's name tells (IsOfStandard)
  const char* flavour;  // nullptr: none of ours
  const char* words;
};
// The first that fits: a library of the standard's interface may stand before
// one of another kind, whose symbols are then found through it.
constexpr Kind kKinds[] = {
    {nullptr, "abi", "of the standard's binary interface"},
    {"ompi_mpi_comm_world", "openmpi", "Open MPI"},
    {"smpi_execute", nullptr,
     "SimGrid's, for which libranksight-smpi.a is linked"},
    // MPICH, Intel MPI, MVAPICH, Cray MPICH.
    {"MPI_UNWEIGHTED", "mpich", "MPICH's kind"},
};

// The name that programs which were linked with a library look for it by, where
// it says one; else that of its file.
const char* NameOf(const MpiLibrary& library) {
  const char* const slash = strrchr(library.path, '/');
  const char* const file = slash == nullptr ? library.path : slash + 1;
  const link_map* map = nullptr;
  if (dlinfo(library.handle, RTLD_DI_LINKMAP, &map) != 0) return file;
  const char* texts = nullptr;
  size_t at = 0;
  for (const ElfW(Dyn)* d = map->l_ld; d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_SONAME) at = d->d_un.d_val;
    if (d->d_tag == DT_STRTAB) {
      // The GNU loader has made an address of it, others leave the offset.
      const ElfW(Addr) value = d->d_un.d_ptr;
      texts = reinterpret_cast<const char*>(
          value < map->l_addr ? value + map->l_addr : value);
    }
  }
  return at == 0 || texts == nullptr ? file : texts + at;
}

// By its name, which the standard fixes. Its functions and constants tell
// nothing: a library of another kind may have them all, for MPI_Abi_get_version
// says there that this is not the standard's interface.
bool IsOfStandard(const MpiLibrary& library) {
  const char* const name = NameOf(library);
  // MPICH 5 may have the profiling names in a library of their own.
  constexpr const char* kStarts[] = {"libmpi_abi.so", "libpmpi_abi.so"};
  for (const char* start : kStarts) {
    const size_t length = strlen(start);
    if (strncmp(name, start, length) == 0 &&
        (name[length] == '\0' || name[length] == '.')) {
      return true;
    }
  }
  return false;
}

const Kind* KindOf(const MpiLibrary& library) {
  for (const Kind& kind : kKinds) {
    const bool fits = kind.symbol == nullptr
                          ? IsOfStandard(library)
                          : dlsym(library.handle, kind.symbol) != nullptr;
    if (fits) return &kind;
  }
  return nullptr;
}

const Kind* FlavourNamed(const char* flavour) {
  for (const Kind& kind : kKinds) {
    if (kind.flavour != nullptr && strcmp(kind.flavour, flavour) == 0) {
      return &kind;
    }
  }
  return nullptr;
}

struct Search {
  char path[4096] = "";
};

// The library of the first module that has an MPI or needs one.
int LookInModule(dl_phdr_info* info, size_t, void* data) {
  const char* const name = info->dlpi_name;
  // The program itself was looked at when it was started.
  if (name == nullptr || name[0] == '\0') return 0;
  void* const module = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (module == nullptr) return 0;
  void* const mark = dlsym(module, kMark);
  const char* const library = mark == nullptr ? nullptr : LibraryOf(mark);
  dlclose(module);
  const char* const own = OwnPath();
  auto* search = static_cast<Search*>(data);
  if (library == nullptr || own == nullptr || strcmp(library, own) == 0 ||
      strlen(library) >= sizeof search->path) {
    return 0;
  }
  strcpy(search->path, library);
  return 1;
}

}  // namespace

MpiLibrary MpiAtStart() {
  void* const mark = dlsym(RTLD_NEXT, kMark);
  const char* const path = mark == nullptr ? nullptr : LibraryOf(mark);
  if (path == nullptr) return {};
  return {dlopen(path, RTLD_LAZY | RTLD_NOLOAD), path, true};
}

MpiLibrary MpiLoadedSince() {
  static Search search;
  dl_iterate_phdr(LookInModule, &search);
  if (search.path[0] == '\0') return {};
  return {dlopen(search.path, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL),
          search.path, false};
}

const char* ChooseFlavour(const MpiLibrary& library, const char* asked,
                          char* reason, size_t room) {
  reason[0] = '\0';
  const bool chosen = asked != nullptr && asked[0] != '\0';
  if (chosen && strcmp(asked, "none") == 0) return nullptr;
  const Kind* const kind = KindOf(library);
  const Kind* const wanted = chosen ? FlavourNamed(asked) : nullptr;
  if (chosen && wanted == nullptr) {
    const char* const parts[] = {"RANKSIGHT_MPI=", asked,
                                 ": there are mpich, openmpi, abi and none",
                                 nullptr};
    JoinText(reason, room, parts);
    return nullptr;
  }
  // The user may know an MPI that we do not. One that we know is not overruled
  // below: another flavour would crash.
  if (kind == nullptr && chosen) return wanted->flavour;
  if (kind == nullptr) {
    const char* const parts[] = {
        "its MPI, ", library.path,
        ", is none that Ranksight knows (RANKSIGHT_MPI=mpich where it has "
        "MPICH's binary interface)",
        nullptr};
    JoinText(reason, room, parts);
    return nullptr;
  }
  const bool contradicts =
      chosen && (kind->flavour == nullptr || strcmp(asked, kind->flavour) != 0);
  if (contradicts || kind->flavour == nullptr) {
    const char* const parts[] = {contradicts ? "RANKSIGHT_MPI=" : "",
                                 contradicts ? asked : "",
                                 contradicts ? ", but " : "",
                                 "its MPI, ",
                                 library.path,
                                 ", is ",
                                 kind->words,
                                 nullptr};
    JoinText(reason, room, parts);
    return nullptr;
  }
  return kind->flavour;
}

}  // namespace ranksight::runtime
