// MPI-IO.
#include "log.h"

#define CALL(call, parameters, arguments, write) \
  int MPI_File_##call parameters {               \
    const char* name = "MPI_File_" #call;        \
    int outer = LogEnter();                      \
    int error = PMPI_File_##call arguments;      \
    if (outer) write;                            \
    LogLeave();                                  \
    return error;                                \
  }

static void LogOnComm(const char* call, MPI_Comm comm) {
  LogBegin(call);
  LogComm(comm);
  LogEnd();
}

static void LogData(const char* call, int count, MPI_Datatype type) {
  LogBegin(call);
  LogBytes("bytes", count * SizeOf(type));
  LogEnd();
}

CALL(open,
     (MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* made),
     (comm, path, mode, info, made), if (!error) LogOnComm(name, comm))
CALL(close, (MPI_File * file), (file), if (!error) LogName(name))
CALL(delete, (const char* path, MPI_Info info), (path, info), LogName(name))
CALL(set_size, (MPI_File file, MPI_Offset size), (file, size), LogName(name))
CALL(preallocate, (MPI_File file, MPI_Offset size), (file, size), LogName(name))
CALL(set_view,
     (MPI_File file, MPI_Offset place, MPI_Datatype element, MPI_Datatype type,
      const char* form, MPI_Info info),
     (file, place, element, type, form, info), LogName(name))
CALL(seek, (MPI_File file, MPI_Offset place, int whence), (file, place, whence),
     LogName(name))
CALL(seek_shared, (MPI_File file, MPI_Offset place, int whence),
     (file, place, whence), LogName(name))
CALL(set_atomicity, (MPI_File file, int flag), (file, flag), LogName(name))
CALL(sync, (MPI_File file), (file), LogName(name))

#define MOVE(call, Buffer, Last)                                      \
  CALL(call,                                                          \
       (MPI_File file, Buffer * buffer, int count, MPI_Datatype type, \
        Last* last),                                                  \
       (file, buffer, count, type, last), LogData(name, count, type))
#define MOVE_AT(call, Buffer, Last)                                  \
  CALL(call,                                                         \
       (MPI_File file, MPI_Offset place, Buffer * buffer, int count, \
        MPI_Datatype type, Last* last),                              \
       (file, place, buffer, count, type, last), LogData(name, count, type))
#define BEGIN_AND_END(call, Buffer)                                       \
  CALL(call##_begin,                                                      \
       (MPI_File file, Buffer * buffer, int count, MPI_Datatype type),    \
       (file, buffer, count, type), LogData(name, count, type))           \
  CALL(call##_end, (MPI_File file, Buffer * buffer, MPI_Status * status), \
       (file, buffer, status), LogName(name))
#define BEGIN_AND_END_AT(call, Buffer)                                    \
  CALL(call##_begin,                                                      \
       (MPI_File file, MPI_Offset place, Buffer * buffer, int count,      \
        MPI_Datatype type),                                               \
       (file, place, buffer, count, type), LogData(name, count, type))    \
  CALL(call##_end, (MPI_File file, Buffer * buffer, MPI_Status * status), \
       (file, buffer, status), LogName(name))
#define ALL(way, Buffer)                        \
  MOVE(way, Buffer, MPI_Status)                 \
  MOVE(way##_all, Buffer, MPI_Status)           \
  MOVE(way##_shared, Buffer, MPI_Status)        \
  MOVE(way##_ordered, Buffer, MPI_Status)       \
  MOVE(i##way, Buffer, MPI_Request)             \
  MOVE(i##way##_all, Buffer, MPI_Request)       \
  MOVE(i##way##_shared, Buffer, MPI_Request)    \
  MOVE_AT(way##_at, Buffer, MPI_Status)         \
  MOVE_AT(way##_at_all, Buffer, MPI_Status)     \
  MOVE_AT(i##way##_at, Buffer, MPI_Request)     \
  MOVE_AT(i##way##_at_all, Buffer, MPI_Request) \
  BEGIN_AND_END(way##_all, Buffer)              \
  BEGIN_AND_END(way##_ordered, Buffer)          \
  BEGIN_AND_END_AT(way##_at_all, Buffer)

ALL(read, void)
ALL(write, const void)
