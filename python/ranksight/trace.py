"""One trace, read through the C interface."""
import ctypes
import html
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np
import pandas as pd

from . import _library
from ._library import (COLUMNS, NONE, NOT_KEPT, Memory, RanksightError, Times,
                       Total)

PathLike = Union[str, "os.PathLike[str]"]

# Calls that a frame is made of at once: 44 MB.
_CHUNK = 500_000


def open(path: PathLike) -> "Trace":  # pylint: disable=redefined-builtin
    """Reads a trace. RanksightError says what is wrong, and where."""
    return Trace(path)


def _times(times: Times) -> Dict[str, float]:
    return {name: getattr(times, name) for name, _ in Times._fields_}


class Trace:
    """What one run did. Times are nanoseconds; frames are made when they are
    asked for."""

    def __init__(self, path: PathLike) -> None:
        self._handle: Optional[int] = None
        self.path = os.fspath(path)
        self._library = _library.library()
        error = ctypes.create_string_buffer(_library.ERROR_SIZE)
        self._handle = self._library.ranksight_trace_open(
            os.fsencode(path), error, len(error))
        if not self._handle:
            code = 3 if os.path.exists(path) else 4
            raise RanksightError(error.value.decode(errors="replace"), code)
        self._site_texts: Dict[int, str] = {}
        # Of one that was extrapolated just now: what the command said.
        self.report: Dict[str, Any] = {}

    def __del__(self) -> None:
        if self._handle:
            self._library.ranksight_trace_close(self._handle)

    def _text(self, name: str) -> str:
        text = getattr(self._library, "ranksight_trace_" + name)(self._handle)
        return str(text.decode(errors="replace"))

    @property
    def program(self) -> str:
        return self._text("program")

    @property
    def build(self) -> str:
        return self._text("build")

    @property
    def job(self) -> str:
        return self._text("job")

    @property
    def ranks(self) -> int:
        return int(self._library.ranksight_trace_ranks(self._handle))

    @property
    def is_complete(self) -> bool:
        return bool(self._library.ranksight_trace_is_complete(self._handle))

    @property
    def is_extrapolated(self) -> bool:
        return bool(self._library.ranksight_trace_is_extrapolated(self._handle))

    @property
    def shared_cores(self) -> bool:
        """Whether computation is processor time, and times in calls are not to
        be used."""
        return bool(self._library.ranksight_trace_shared_cores(self._handle))

    @property
    def start(self) -> pd.Timestamp:
        return pd.Timestamp(
            self._library.ranksight_trace_start_unix_ns(self._handle), tz="UTC")

    @property
    def elapsed(self) -> Dict[str, float]:
        """From MPI_Init's return to MPI_Finalize, over ranks."""
        times = Times()
        self._library.ranksight_trace_elapsed(self._handle, ctypes.byref(times))
        return {"min": times.min_ns, "max": times.max_ns,
                "mean": times.sum_ns / max(times.count, 1)}

    @property
    def memory(self) -> Dict[str, float]:
        """What a rank held, bytes, over ranks; empty where it is not known."""
        memory = Memory()
        self._library.ranksight_trace_memory(
            self._handle, ctypes.byref(memory))
        if not memory.ranks:
            return {}
        return {name: getattr(memory, name) for name, _ in Memory._fields_}

    @property
    def settings(self) -> Dict[str, str]:
        found: Dict[str, str] = {}
        value = ctypes.c_char_p()
        while True:
            name = self._library.ranksight_trace_setting(
                self._handle, len(found), ctypes.byref(value))
            if name is None:
                return found
            found[name.decode(errors="replace")] = (
                value.value or b"").decode(errors="replace")

    @property
    def laws(self) -> List[str]:
        """Of an extrapolated trace: which law each parameter follows."""
        found: List[str] = []
        while True:
            law = self._library.ranksight_trace_law(self._handle, len(found))
            if law is None:
                return found
            found.append(law.decode(errors="replace"))

    def count(self, rank: Optional[int] = None) -> int:
        """Events of a rank, or of all."""
        return int(self._library.ranksight_trace_events(
            self._handle, -1 if rank is None else rank))

    def _site(self, site: int) -> str:
        if site not in self._site_texts:
            self._site_texts[site] = _library.take_text(
                self._library.ranksight_trace_site(self._handle, site))
        return self._site_texts[site]

    def call_sites(self, names: bool = False) -> pd.DataFrame:
        """A row for each call at each call site, sums over all ranks.
        "time.exc" is the time in the call, as a call of MPI has no others
        within; "compute" what was computed before it. names: functions, files
        and lines as the command finds them, as "Call Site"."""
        error = ctypes.create_string_buffer(_library.ERROR_SIZE)
        totals = self._library.ranksight_totals_open(
            self._handle, error, len(error))
        if not totals:
            raise RanksightError(error.value.decode(errors="replace"))
        rows: List[Any] = []
        total = Total()
        while self._library.ranksight_totals_at(
                totals, len(rows), ctypes.byref(total)):
            rows.append((
                total.call.decode(), self._site(total.site), total.calls,
                total.sent_bytes, total.posted_bytes, total.pairs,
                total.call_ns, total.call_p50_ns, total.call_p99_ns,
                total.compute_ns, bool(total.estimated)))
        self._library.ranksight_totals_close(totals)
        if names:
            from .command import site_names  # which imports this
            rows = [(row[0], name, *row[2:])
                    for row, name in zip(rows, site_names(self))]
        return pd.DataFrame(rows, columns=[
            "Name", "Call Site", "calls", "sent_bytes", "posted_bytes", "pairs",
            "time.exc", "time.p50", "time.p99", "compute", "estimated"])

    def flat_profile(self) -> pd.DataFrame:
        """The same by call, longest first, as Pipit's flat_profile."""
        sites = self.call_sites()
        sums = sites.groupby("Name")[
            ["calls", "sent_bytes", "posted_bytes", "time.exc", "compute"]].sum()
        return sums.sort_values("time.exc", ascending=False).reset_index()

    def times(self) -> pd.DataFrame:
        """A row for each event of the tree: how long its calls take and what is
        computed before them, over occurrences and over ranks."""
        rows: List[Dict[str, Any]] = []
        lib, times = self._library, Times()

        def visit(node: int) -> None:
            if lib.ranksight_is_event(node):
                row: Dict[str, Any] = {
                    "Name": lib.ranksight_call_name(node).decode(),
                    "Call Site": _library.take_text(
                        lib.ranksight_call_site(self._handle, node))}
                for what, of in (("call", lib.ranksight_call_times),
                                 ("compute", lib.ranksight_compute_times)):
                    of(node, ctypes.byref(times))
                    row.update({f"{what}.{key.replace('_ns', '')}": value
                                for key, value in _times(times).items()})
                for q in (50, 99):
                    row[f"call.p{q}"] = lib.ranksight_call_quantile_ns(
                        node, q / 100)
                rows.append(row)
            i = 0
            while True:
                child = lib.ranksight_child(node, i)
                if not child:
                    return
                visit(child)
                i += 1

        visit(lib.ranksight_root(self._handle))
        return pd.DataFrame(rows)

    def iter_events(self, rank: int,
                    rows: int = _CHUNK) -> Iterator[pd.DataFrame]:
        """The calls of a rank in their order, `rows` at a time, so that memory
        does not grow with their number."""
        error = ctypes.create_string_buffer(_library.ERROR_SIZE)
        cursor = self._library.ranksight_cursor_open(
            self._handle, rank, error, len(error))
        if not cursor:
            raise RanksightError(error.value.decode(errors="replace"))
        try:
            first = 0
            while True:
                values = np.empty((len(COLUMNS), rows), dtype=np.int64)
                filled = self._library.ranksight_cursor_fill(
                    cursor, rows,
                    values.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)))
                if filled < 0:
                    raise RanksightError(self._library.ranksight_cursor_error(
                        cursor).decode(errors="replace"))
                if filled == 0:
                    return
                yield self._frame(rank, first, values[:, :filled])
                first += filled
        finally:
            self._library.ranksight_cursor_close(cursor)

    def _frame(self, rank: int, first: int,
               values: "np.ndarray[Any, Any]") -> pd.DataFrame:
        by_name = dict(zip(COLUMNS, values))
        frame = {
            "Name": _categories(by_name.pop("call"), lambda number: str(
                self._library.ranksight_call_by_number(number).decode())),
            "Process": np.full(values.shape[1], rank),
            "Call Site": _categories(by_name.pop("site"), self._site)}
        for name, column in by_name.items():
            missing = (column == NONE) | (column == NOT_KEPT)
            frame[name] = pd.arrays.IntegerArray(column.copy(), missing)
        return pd.DataFrame(frame, index=pd.RangeIndex(
            first, first + values.shape[1]))

    def events(self, rank: int, limit: Optional[int] = None) -> pd.DataFrame:
        """The calls of a rank as one frame: "Name", "Process", "Call Site" and
        the fields of `ranksight show --events`, missing where a call has none.
        A peer may be PEER_ANY or PEER_NULL, a tag TAG_ANY."""
        frames, left = [], self.count(rank) if limit is None else limit
        for frame in self.iter_events(rank, max(1, min(left, _CHUNK))):
            frames.append(frame.iloc[:left])
            left -= len(frames[-1])
            if left == 0:
                break
        if len(frames) == 1:
            return frames[0]
        # Of categories that differ the union, or names would become objects.
        joined = {}
        for name in ("Name", "Call Site"):
            joined[name] = pd.api.types.union_categoricals(
                [f[name].array for f in frames])
        whole = pd.concat([f.drop(columns=list(joined)) for f in frames])
        whole.insert(0, "Name", joined["Name"])
        whole.insert(2, "Call Site", joined["Call Site"])
        return whole

    def traffic(self) -> pd.DataFrame:
        """Messages between ranks, a row for each pair that has some."""
        columns: List[pd.DataFrame] = []
        error = ctypes.create_string_buffer(_library.ERROR_SIZE)
        to = np.empty(self.ranks, dtype=np.int64)
        count, size = (np.empty(self.ranks, dtype=np.uint64) for _ in range(2))
        for rank in range(self.ranks):
            found = self._library.ranksight_trace_traffic(
                self._handle, rank,
                to.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
                count.ctypes.data_as(ctypes.POINTER(ctypes.c_uint64)),
                size.ctypes.data_as(ctypes.POINTER(ctypes.c_uint64)),
                self.ranks, error, len(error))
            if found < 0:
                raise RanksightError(error.value.decode(errors="replace"))
            columns.append(pd.DataFrame({
                "Sender": rank, "Receiver": to[:found].copy(),
                "count": count[:found].copy(), "size": size[:found].copy()}))
        return pd.concat(columns, ignore_index=True)

    def comm_matrix(self, output: str = "size") -> pd.DataFrame:
        """Senders down, receivers across; "size" in bytes, or "count"."""
        if output not in ("size", "count"):
            raise ValueError("output is 'size' or 'count'")
        matrix = np.zeros((self.ranks, self.ranks), dtype=np.uint64)
        traffic = self.traffic()
        matrix[traffic["Sender"], traffic["Receiver"]] = traffic[output]
        return pd.DataFrame(matrix)

    def at(self, ranks: int) -> Any:
        """The trace that the laws in this one give at another rank count
        (`ranksight extrapolate --symbolic` writes such), or Refused."""
        from .command import extrapolate  # which imports this
        return extrapolate([self], ranks)

    def laws_at(self, ranks: Sequence[int]) -> pd.DataFrame:
        """What the laws give at rank counts: calls and bytes of each call site,
        a row for each site and rank count; "refused" says why where they do
        not hold."""
        frames = []
        for n in ranks:
            made = self.at(n)
            if not made:
                frames.append(pd.DataFrame({"ranks": [n],
                                            "refused": [made.reason]}))
                continue
            sites = made.call_sites()[
                ["Name", "Call Site", "calls", "sent_bytes", "posted_bytes",
                 "pairs"]]
            sites.insert(0, "ranks", n)
            frames.append(sites)
        return pd.concat(frames, ignore_index=True)

    def to_hatchet(self) -> Any:
        """A Hatchet GraphFrame of call paths, where Hatchet is installed."""
        import hatchet
        return hatchet.GraphFrame.from_literal(self._call_tree())

    def _call_tree(self) -> List[Dict[str, Any]]:
        root: Dict[str, Any] = {"children": []}
        for _, site in self.call_sites().iterrows():
            node = root
            path = list(reversed(site["Call Site"].split(" < ")))
            for name in path + [site["Name"]]:
                node = _child_named(node, name)
            node["metrics"]["time"] += site["time.exc"]
            node["metrics"]["calls"] += site["calls"]
        for top in root["children"]:
            _sum_up(top)
        return list(root["children"])

    def __repr__(self) -> str:
        return (f"<ranksight.Trace {self.program} of {self.ranks} ranks, "
                f"{self.count()} events>")

    def _repr_html_(self) -> str:
        facts = {
            "program": self.program, "ranks": self.ranks,
            "events": self.count(),
            "state": "complete" if self.is_complete else "partial",
            "elapsed": f"{self.elapsed['mean'] / 1e9:.4g} s",
            "made by": "extrapolation" if self.is_extrapolated else "a run"}
        rows = "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td>"
                       "</tr>" for name, value in facts.items())
        profile = self.flat_profile().to_html(index=False, max_rows=10,
                                              float_format="%.4g")
        return f"<table>{rows}</table>{profile}"

    def plot(self, output: str = "size", ax: Any = None) -> Any:
        """Who sends how much to whom, as a picture."""
        from . import plots
        return plots.matrix(self, output, ax)


def _categories(numbers: "np.ndarray[Any, Any]", name: Any) -> pd.Categorical:
    codes, kinds = pd.factorize(numbers)
    names = [name(int(kind)) for kind in kinds]
    distinct = list(dict.fromkeys(names))
    place = np.array([distinct.index(n) for n in names], dtype=np.int32)
    return pd.Categorical.from_codes(place[codes], distinct)


def _child_named(node: Dict[str, Any], name: str) -> Dict[str, Any]:
    children: List[Dict[str, Any]] = node["children"]
    for child in children:
        if child["frame"]["name"] == name:
            return child
    children.append({"frame": {"name": name, "type": "function"},
                     "metrics": {"time": 0.0, "time (inc)": 0.0, "calls": 0},
                     "children": []})
    return children[-1]


def _sum_up(node: Dict[str, Any]) -> float:
    inner = sum(_sum_up(child) for child in node["children"])
    node["metrics"]["time (inc)"] = node["metrics"]["time"] + inner
    return float(node["metrics"]["time (inc)"])
