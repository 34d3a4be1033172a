// The file by which a process that is not recorded says why, in words, to the
// `ranksight record` that started it: beside the output, or in RANKSIGHT_FOLDER
// where that has no name yet, kUnrecordedPrefix, RANKSIGHT_BEGAN,
// kUnrecordedSuffix. The process has nothing of ours but the front.
#pragma once

namespace ranksight::reduction {

inline constexpr char kUnrecordedPrefix[] = ".ranksight.";
inline constexpr char kUnrecordedSuffix[] = ".unrecorded";

}  // namespace ranksight::reduction
