// Printing: results to stdout, everything else to stderr, failures as exit
// codes of the CLI contract.
//
// Thread-safety: Note and Fail may be called from any thread; Print belongs
// to the main thread.
#pragma once

#include <string>
#include <string_view>

#include "reduction/api/status.h"

namespace ranksight::cli {

// Writes to stdout, buffered by the C library. As in a Note, '?' stands for
// what a terminal would obey (reduction/api/shown_text.h); in whole characters,
// please.
void Print(std::string_view text);
// "ranksight: text" and a newline on stderr. One line: a newline in it is one
// in a name, and would forge a line of ours.
void Note(std::string_view text);
// The same for text of several lines. REQUIRES: as Harmless.
void NoteLines(std::string_view text);
// Notes the reason and returns its exit code. REQUIRES: !status.ok().
int Fail(const reduction::Status& status);
// Flushes stdout; `code`, or 4 with a note when something could not be
// written (a full disk behind a redirection, for example).
int FinishOutput(int code);
// From here on a reader of ours who goes away ends nothing: what cannot be
// written is lost, and FinishOutput says so of results. Programs started later
// are ended as ever.
void OutliveReaders();

}  // namespace ranksight::cli
