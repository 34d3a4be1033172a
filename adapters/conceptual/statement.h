// Statement: coNCePTuaL source as a tree, and how it is laid out.
// Thread-safety: value types.
#pragma once

#include <string>
#include <vector>

namespace ranksight::adapters::conceptual {

struct Statement {
  std::string text;             // without THEN or a full stop
  std::vector<Statement> body;  // of a loop or a condition, in braces
  std::string comment;          // above it, one line
};

// Joined by THEN, two columns deeper for each level, broken at blanks.
std::string LaidOut(const std::vector<Statement>& statements, int depth);

}  // namespace ranksight::adapters::conceptual
