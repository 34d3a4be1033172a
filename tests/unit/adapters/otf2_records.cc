#include "tests/unit/adapters/otf2_records.h"

#include <gtest/gtest.h>
#include <otf2/otf2.h>

namespace ranksight::adapters {
namespace {

using RecordLines = std::vector<std::string>;

OTF2_CallbackCode Add(void* data, const std::string& record) {
  static_cast<RecordLines*>(data)->push_back(record);
  return OTF2_CALLBACK_SUCCESS;
}
std::string Message(const char* what, uint32_t peer, uint32_t tag,
                    uint64_t bytes) {
  return std::string(what) + ' ' + std::to_string(peer) + ' ' +
         std::to_string(tag) + ' ' + std::to_string(bytes);
}

OTF2_CallbackCode OnSend(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data,
                         OTF2_AttributeList*, uint32_t to, OTF2_CommRef,
                         uint32_t tag, uint64_t bytes) {
  return Add(data, Message("send", to, tag, bytes));
}
OTF2_CallbackCode OnIsend(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                          void* data, OTF2_AttributeList*, uint32_t to,
                          OTF2_CommRef, uint32_t tag, uint64_t bytes,
                          uint64_t) {
  return Add(data, Message("isend", to, tag, bytes));
}
OTF2_CallbackCode OnReceive(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                            void* data, OTF2_AttributeList*, uint32_t from,
                            OTF2_CommRef, uint32_t tag, uint64_t bytes) {
  return Add(data, Message("receive", from, tag, bytes));
}
OTF2_CallbackCode OnRequest(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                            void* data, OTF2_AttributeList*, uint64_t) {
  return Add(data, "request");
}
OTF2_CallbackCode OnReceived(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                             void* data, OTF2_AttributeList*, uint32_t from,
                             OTF2_CommRef, uint32_t tag, uint64_t bytes,
                             uint64_t) {
  return Add(data, Message("received", from, tag, bytes));
}
OTF2_CallbackCode OnCancelled(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                              void* data, OTF2_AttributeList*, uint64_t) {
  return Add(data, "cancelled");
}
OTF2_CallbackCode OnBegin(OTF2_LocationRef, OTF2_TimeStamp, uint64_t,
                          void* data, OTF2_AttributeList*) {
  return Add(data, "begin");
}
OTF2_CallbackCode OnEnd(OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void* data,
                        OTF2_AttributeList*, OTF2_CollectiveOp, OTF2_CommRef,
                        uint32_t, uint64_t, uint64_t) {
  return Add(data, "end");
}

}  // namespace

std::vector<std::string> MpiRecords(const std::string& folder, uint64_t rank) {
  RecordLines records;
  OTF2_Reader* reader = OTF2_Reader_Open((folder + "/traces.otf2").c_str());
  EXPECT_NE(reader, nullptr);
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  OTF2_Reader_SelectLocation(reader, rank);
  EXPECT_EQ(OTF2_Reader_OpenEvtFiles(reader), OTF2_SUCCESS);
  OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, rank);
  OTF2_EvtReaderCallbacks* on = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(on, &OnSend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(on, &OnIsend);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(on, &OnReceive);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(on, &OnRequest);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(on, &OnReceived);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(on, &OnCancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(on, &OnBegin);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(on, &OnEnd);
  OTF2_Reader_RegisterEvtCallbacks(reader, events, on, &records);
  OTF2_EvtReaderCallbacks_Delete(on);
  uint64_t read = 0;
  EXPECT_EQ(OTF2_Reader_ReadAllLocalEvents(reader, events, &read),
            OTF2_SUCCESS);
  OTF2_Reader_CloseEvtReader(reader, events);
  OTF2_Reader_CloseEvtFiles(reader);
  OTF2_Reader_Close(reader);
  return records;
}

}  // namespace ranksight::adapters
