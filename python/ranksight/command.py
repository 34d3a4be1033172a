"""What only the command can do, through its JSON."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Union

import pandas as pd

from . import _library
from ._library import RanksightError
from .trace import PathLike, Trace

Traces = Sequence[Union[PathLike, Trace]]

_NO = 1
_CANNOT_TELL = 5


@dataclass(frozen=True)
class Refused:
    """No answer, and why there is none. False where a truth is asked for."""
    reason: str

    def __bool__(self) -> bool:
        return False

    def _repr_html_(self) -> str:
        import html
        return f"<b>refused</b>: {html.escape(self.reason)}"


def _command() -> str:
    if "RANKSIGHT_COMMAND" in os.environ:
        return os.environ["RANKSIGHT_COMMAND"]
    for prefix in _library.prefixes():
        candidate = prefix / "bin" / "ranksight"
        if candidate.is_file():
            return str(candidate)
    found = shutil.which("ranksight")
    if found is None:
        raise RanksightError("no command ranksight; set RANKSIGHT_PREFIX to "
                             "where Ranksight is installed", 4)
    return found


def _paths(traces: Union[PathLike, Trace, Traces]) -> List[str]:
    if isinstance(traces, (str, os.PathLike, Trace)):
        traces = [traces]
    return [t.path if isinstance(t, Trace) else os.fspath(t) for t in traces]


def _run(arguments: Sequence[str], *fine: int) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([_command(), *arguments], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, *fine):
        raise RanksightError(_reason(done), done.returncode)
    return done


def _reason(done: "subprocess.CompletedProcess[str]") -> str:
    return done.stderr.strip().replace("ranksight: ", "")


def _options(values: Dict[str, Any]) -> List[str]:
    options: List[str] = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        options.append("--" + name.replace("_", "-"))
        if value is not True:
            options.append(str(value))
    return options


def extrapolate(traces: Traces, ranks: int,
                output: Optional[PathLike] = None, *,
                dims: Optional[str] = None, exact: bool = False,
                **options: Any) -> Union[Trace, Refused]:
    """The trace of a rank count that never ran, or Refused. output: where it
    stays; without it the file goes away once it was read. `report` of the trace
    says what is exact and what estimated."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(output or pathlib.Path(folder) / "made.trace")
        done = _run(["extrapolate", *_paths(traces), "--ranks", str(ranks),
                     "-o", path, "--json",
                     *_options({"dims": dims, "exact": exact, **options})], _NO)
        if done.returncode == _NO:
            return Refused(_reason(done))
        made = Trace(path)
    made.report = json.loads(done.stdout)
    return made


def site_names(trace: Trace) -> List[str]:
    """Names of the call sites, in the order of Trace.call_sites."""
    said = json.loads(_run(["stats", trace.path, "--json"]).stdout)
    return [str(site["name"]) for site in said["sites"]]


class Forecast:
    """Times at rank counts. `points` has a row for each, seconds; where
    "refused" is true they are not to be relied on, and "reason" says why."""

    def __init__(self, said: Dict[str, Any]) -> None:
        self.json = said
        # The reason stands only where a point is refused.
        self.points = pd.DataFrame(
            [{"reason": "", **point} for point in said["points"]])
        self.sizes = pd.DataFrame(said.get("sizes", []))

    def __bool__(self) -> bool:
        return not bool(self.points["refused"].all())

    def _repr_html_(self) -> str:
        return str(self.points.to_html(index=False, float_format="%.4g"))

    def plot(self, ax: Any = None) -> Any:
        """What was measured, and what is forecast with its intervals."""
        from . import plots
        return plots.forecast(self, ax)


def forecast(traces: Traces, ranks: Sequence[int],
             **options: Any) -> Union[Forecast, Refused]:
    """options: those of the command, network="..." for --network ..."""
    done = _run(["forecast", *_paths(traces), "--ranks",
                 ",".join(str(n) for n in ranks), "--json",
                 *_options(options)], _NO)
    if not done.stdout:
        return Refused(_reason(done))
    return Forecast(json.loads(done.stdout))


class Check:
    """Whether a build is worse: `verdict` is "same", "better", "worse" or
    "cannot tell"; True unless it is worse."""

    def __init__(self, said: Dict[str, Any]) -> None:
        self.json = said
        self.verdict = str(said["verdict"])
        self.changes = pd.DataFrame(
            {"Name": change["call"], "where": change["where"],
             "quantity": change["quantity"], "ranks": at["ranks"],
             "before": at["before"][-1], "after": at["after"][-1],
             "verdict": change["verdict"]}
            for change in said["communication"]["changes"]
            for at in change["sizes"])
        self.times = pd.DataFrame(said["times"])
        self.budget = pd.DataFrame(said["budget"])

    def __bool__(self) -> bool:
        return self.verdict != "worse"

    def _repr_html_(self) -> str:
        return f"<b>{self.verdict}</b>" + "".join(
            str(frame.to_html(index=False, float_format="%.4g"))
            for frame in (self.changes, self.times, self.budget) if len(frame))


def check(against: Union[PathLike, Trace, Traces], traces: Traces,
          **options: Any) -> Check:
    """against: a baseline, a folder of traces, or traces."""
    before = [word for path in _paths(against) for word in ("--against", path)]
    done = _run(["check", *before, *_paths(traces), "--json",
                 *_options(options)], _NO, _CANNOT_TELL)
    if not done.stdout:
        raise RanksightError(_reason(done), done.returncode)
    return Check(json.loads(done.stdout))
