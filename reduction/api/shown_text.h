// Text that came from elsewhere: names of programs, files, regions and call
// sites may hold any bytes, and terminals, logs and browsers obey some of them.
// All that shows such text as text comes through here; languages with quotes of
// their own (JSON, HTML, labels) escape instead.
//
// What is obeyed: control characters (C0, DEL, C1), the ends of lines and
// paragraphs of Unicode, and what sets the direction of text (UAX #9), which
// turns around what stands behind it.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ranksight::reduction {

// Length of the valid UTF-8 sequence at the start of text, 0 when there is
// none (RFC 3629: no overlong forms, no surrogates, nothing above 10FFFF).
// REQUIRES: !text.empty().
size_t Utf8Length(std::string_view text);
// REQUIRES: one whole character.
bool IsObeyed(std::string_view character);

// A name: '?' for every character that is obeyed, and for every byte that is no
// UTF-8. One line, whatever it was.
std::string ShownName(std::string_view name);
// The same for text of several lines that we made: newlines and tabs stay.
// REQUIRES: names in it went through ShownName.
std::string Harmless(std::string_view text);

// An amount of memory, three digits: "812 B", "4.56 KiB", "12.3 GiB"; "unknown"
// when it is no number.
std::string ShownBytes(double bytes);

}  // namespace ranksight::reduction
