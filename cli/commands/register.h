// One function per command: adds it, its options and its help to the list.
// To add a command, write commands/NAME.cc, declare it here and call it in
// main.cc.
#pragma once

#include "cli/base/commands.h"

namespace ranksight::cli {

// In the order of the help: recording, looking, modelling, replaying.
void RegisterRecord(Commands& commands);
void RegisterStudy(Commands& commands);
void RegisterShow(Commands& commands);
void RegisterStats(Commands& commands);
void RegisterMatrix(Commands& commands);
void RegisterDiff(Commands& commands);
void RegisterCheck(Commands& commands);
void RegisterMerge(Commands& commands);
void RegisterCondense(Commands& commands);
void RegisterExtrapolate(Commands& commands);
void RegisterForecast(Commands& commands);
void RegisterMachine(Commands& commands);
void RegisterServe(Commands& commands);
void RegisterMonitor(Commands& commands);
void RegisterRuns(Commands& commands);
void RegisterKeys(Commands& commands);
void RegisterReplay(Commands& commands);
void RegisterGenerate(Commands& commands);
void RegisterSimulate(Commands& commands);
void RegisterMap(Commands& commands);
void RegisterConvert(Commands& commands);
void RegisterDoctor(Commands& commands);

}  // namespace ranksight::cli
