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
  const char* symbol;
  const char* flavour;  // nullptr: none of ours
  const char* words;
};
constexpr Kind kKinds[] = {
    {"ompi_mpi_comm_world", "openmpi", "Open MPI"},
    {"smpi_execute", nullptr,
     "SimGrid's, for which libranksight-smpi.a is linked"},
    // MPICH, Intel MPI, MVAPICH, Cray MPICH. The standard interface of MPI 5
    // has a number there.
    {"MPI_UNWEIGHTED", "mpich", "MPICH's kind"},
};

const Kind* KindOf(const MpiLibrary& library) {
  for (const Kind& kind : kKinds) {
    if (dlsym(library.handle, kind.symbol) != nullptr) return &kind;
  }
  return nullptr;
}

bool IsOneOfOurs(const char* flavour) {
  for (const Kind& kind : kKinds) {
    if (kind.flavour != nullptr && strcmp(kind.flavour, flavour) == 0) {
      return true;
    }
  }
  return false;
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
  if (chosen && !IsOneOfOurs(asked)) {
    const char* const parts[] = {"RANKSIGHT_MPI=", asked,
                                 ": there are mpich, openmpi and none",
                                 nullptr};
    JoinText(reason, room, parts);
    return nullptr;
  }
  if (kind == nullptr && chosen) {
    return strcmp(asked, "mpich") == 0 ? "mpich" : "openmpi";
  }
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
