// Text that came from elsewhere: names of programs, files and call sites may
// hold any bytes, and a terminal obeys some of them.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ranksight::cli {

// Length of the valid UTF-8 sequence at the start of text, 0 when there is
// none (RFC 3629: no overlong forms, no surrogates, nothing above 10FFFF).
// REQUIRES: !text.empty().
size_t Utf8Length(std::string_view text);

// The same with '?' for every control character (C0 but newline and tab, DEL,
// C1) and for every byte that is no UTF-8.
std::string Harmless(std::string_view text);

// The text with '?' for newlines and tabs, for what has one line among others;
// all else as it is.
std::string OneLine(std::string text);

}  // namespace ranksight::cli
