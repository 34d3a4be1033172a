#include <otf2/otf2.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "adapters/otf2/otf2_adapter.h"
#include "adapters/otf2/rank_reader.h"
#include "reduction/api/merge.h"

namespace ranksight::adapters::otf2 {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

RankReader& At(void* data) { return *static_cast<RankReader*>(data); }

OTF2_CallbackCode OnEnter(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t,
                          void* data, OTF2_AttributeList* attributes,
                          OTF2_RegionRef region) {
  At(data).Enter(time, attributes, region);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnLeave(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t,
                          void* data, OTF2_AttributeList*,
                          OTF2_RegionRef region) {
  At(data).Leave(time, region);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnSend(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data,
                         OTF2_AttributeList*, uint32_t to, OTF2_CommRef comm,
                         uint32_t tag, uint64_t bytes) {
  At(data).Send(to, comm, tag, bytes);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnIsend(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                          void* data, OTF2_AttributeList*, uint32_t to,
                          OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                          uint64_t) {
  At(data).Send(to, comm, tag, bytes);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnIsendComplete(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                                  void* data, OTF2_AttributeList*, uint64_t) {
  At(data).SendCompleted();
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnIrecvRequest(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                                 void* data, OTF2_AttributeList*,
                                 uint64_t request) {
  At(data).ReceiveStarted(request);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnRecv(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data,
                         OTF2_AttributeList*, uint32_t from, OTF2_CommRef comm,
                         uint32_t tag, uint64_t bytes) {
  At(data).Receive(from, comm, tag, bytes);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnIrecv(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                          void* data, OTF2_AttributeList*, uint32_t from,
                          OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
                          uint64_t request) {
  At(data).ReceiveCompleted(from, comm, tag, bytes, request);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnCollective(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                               void* data, OTF2_AttributeList*,
                               OTF2_CollectiveOp, OTF2_CommRef comm,
                               uint32_t root, uint64_t sent,
                               uint64_t received) {
  At(data).Collective(comm, root, sent, received);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnCollectiveRequest(OTF2_LocationRef, OTF2_TimeStamp,
                                      uint64_t, void* data, OTF2_AttributeList*,
                                      uint64_t request) {
  At(data).CollectiveStarted(request);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnCollectiveComplete(OTF2_LocationRef, OTF2_TimeStamp,
                                       uint64_t, void* data,
                                       OTF2_AttributeList*, OTF2_CollectiveOp,
                                       OTF2_CommRef comm, uint32_t root,
                                       uint64_t sent, uint64_t received,
                                       uint64_t request) {
  At(data).CollectiveCompleted(comm, root, sent, received, request);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode OnCommCreate(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                               void* data, OTF2_AttributeList*,
                               OTF2_CommRef comm) {
  At(data).CommCreated(comm);
  return OTF2_CALLBACK_SUCCESS;
}

struct ReaderCloser {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};

bool ReadLocation(OTF2_Reader* reader, OTF2_LocationRef location,
                  RankReader* rank) {
  OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, location);
  if (events == nullptr) return false;
  OTF2_EvtReaderCallbacks* on = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(on, &OnEnter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(on, &OnLeave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(on, &OnSend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(on, &OnIsend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(on, &OnIsendComplete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(on, &OnIrecvRequest);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(on, &OnRecv);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(on, &OnIrecv);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(on, &OnCollective);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
      on, &OnCollectiveRequest);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
      on, &OnCollectiveComplete);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback(on, &OnCommCreate);
  OTF2_Reader_RegisterEvtCallbacks(reader, events, on, rank);
  OTF2_EvtReaderCallbacks_Delete(on);
  uint64_t read = 0;
  const bool ok =
      OTF2_Reader_ReadAllLocalEvents(reader, events, &read) == OTF2_SUCCESS;
  OTF2_Reader_CloseEvtReader(reader, events);
  return ok;
}

}  // namespace

Result<std::string> AnchorOf(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(given, failed)) return given;
  std::vector<std::string> anchors;
  for (auto it = fs::directory_iterator(given, failed);
       !failed && it != fs::directory_iterator(); it.increment(failed)) {
    std::error_code none;
    const bool is_anchor = it->path().extension() == ".otf2";
    if (is_anchor && it->is_regular_file(none)) {
      anchors.push_back(it->path().string());
    }
  }
  if (anchors.size() == 1) return anchors[0];
  if (anchors.empty()) return Status::Io(given + ": has no *.otf2 to read");
  const std::string usual = given + "/traces.otf2";
  if (fs::is_regular_file(usual, failed)) return usual;
  return Status::Usage(given + ": has " + std::to_string(anchors.size()) +
                       " files *.otf2; name the one to read");
}

Result<Trace> ReadArchive(const std::string& given, bool use_attributes,
                          const TellShare& tell_share) {
  const Result<std::string> anchor = AnchorOf(given);
  if (!anchor.ok()) return anchor.status();
  const std::string& path = *anchor;
  // So that a file that cannot be read is told from one that is no archive.
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Status::Io(path + ": cannot be read");
  std::fclose(file);
  const auto bad = [&](const std::string& what) {
    return Status::BadInput(path + ":0: " + what);
  };
  std::unique_ptr<OTF2_Reader, ReaderCloser> reader(
      OTF2_Reader_Open(path.c_str()));
  if (reader == nullptr) return bad("no OTF2 archive");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  ArchiveNames names;
  if (!ReadNames(reader.get(), &names)) return bad("definitions are damaged");
  const std::vector<OTF2_LocationRef> ranks = names.Ranks();
  if (ranks.empty()) return bad("holds no MPI process");
  for (const OTF2_LocationRef location : ranks) {
    OTF2_Reader_SelectLocation(reader.get(), location);
  }
  if (OTF2_Reader_OpenEvtFiles(reader.get()) != OTF2_SUCCESS) {
    return bad("events cannot be opened");
  }
  const bool local_definitions =
      OTF2_Reader_OpenDefFiles(reader.get()) == OTF2_SUCCESS;
  Trace all;
  for (size_t i = 0; i < ranks.size(); ++i) {
    CommNumbers own;
    if (local_definitions) own = ReadOwnNumbers(reader.get(), ranks[i]);
    RankReader rank(names, int64_t(i), own, use_attributes);
    if (!ReadLocation(reader.get(), ranks[i], &rank)) {
      return bad("events of rank " + std::to_string(i) + " are damaged");
    }
    Result<Trace> one = rank.Fold(int64_t(ranks.size()));
    if (!one.ok()) return bad(one.status().message());
    if (i == 0) {
      all = std::move(*one);
    } else {
      Result<Trace> merged = Merge(std::move(all), std::move(*one));
      if (!merged.ok()) return merged;
      all = std::move(*merged);
    }
    if (tell_share) tell_share(double(i + 1) / double(ranks.size()));
  }
  // An archive without MPI reads well and holds nothing.
  if (reduction::CountEvents(all) == 0) return bad("holds no MPI calls");
  all.meta.losses["call paths, types and requests"] = 1;
  return all;
}

}  // namespace ranksight::adapters::otf2
