"""libranksight_trace.so by ctypes: reduction/api/ranksight_trace.h."""
import ctypes
import ctypes.util
import functools
import os
import pathlib
from ctypes import (POINTER, c_char_p, c_double, c_int, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from typing import Any, Iterator, Optional

_SPECIAL_MAX = -(1 << 40)
PEER_ANY = _SPECIAL_MAX - 1
PEER_NULL = _SPECIAL_MAX - 2
TAG_ANY = _SPECIAL_MAX - 4
NONE = _SPECIAL_MAX - 6
NOT_KEPT = _SPECIAL_MAX - 7

# enum ranksight_column
COLUMNS = ("call", "site", "comm", "peer", "tag", "bytes", "rpeer", "rtag",
           "rbytes", "root", "n")

ERROR_SIZE = 4096


class RanksightError(Exception):
    """What cannot be done, and why; `code` is the command's exit code, 3 bad
    input, 4 file trouble."""

    def __init__(self, message: str, code: int = 3) -> None:
        super().__init__(message)
        self.code = code


class Times(ctypes.Structure):
    _fields_ = [("count", c_uint64)] + [
        (name, c_double) for name in
        ("sum_ns", "min_ns", "max_ns", "by_rank_min_ns", "by_rank_mean_ns",
         "by_rank_max_ns", "by_rank_deviation_ns")]


class Total(ctypes.Structure):
    _fields_ = [("call", c_char_p), ("site", c_uint32), ("estimated", c_int),
                ("calls", c_uint64), ("sent_bytes", c_uint64),
                ("posted_bytes", c_uint64), ("pairs", c_uint64),
                ("call_ns", c_double), ("compute_ns", c_double),
                ("call_p50_ns", c_double), ("call_p99_ns", c_double)]


class Memory(ctypes.Structure):
    _fields_ = [("ranks", c_uint64), ("unknown_ranks", c_uint64)] + [
        (name, c_double) for name in
        ("peak_min", "peak_mean", "peak_max", "start_mean", "end_mean",
         "files_mean", "shared_mean", "own_mean")]


# name -> result, arguments. Strings that the caller frees are void pointers.
_FUNCTIONS = {
    "ranksight_trace_open": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "ranksight_trace_close": (None, [c_void_p]),
    "ranksight_trace_program": (c_char_p, [c_void_p]),
    "ranksight_trace_build": (c_char_p, [c_void_p]),
    "ranksight_trace_job": (c_char_p, [c_void_p]),
    "ranksight_trace_start_unix_ns": (c_int64, [c_void_p]),
    "ranksight_trace_ranks": (c_int64, [c_void_p]),
    "ranksight_trace_is_complete": (c_int, [c_void_p]),
    "ranksight_trace_is_extrapolated": (c_int, [c_void_p]),
    "ranksight_trace_shared_cores": (c_int, [c_void_p]),
    "ranksight_trace_events": (c_uint64, [c_void_p, c_int64]),
    "ranksight_trace_setting":
        (c_char_p, [c_void_p, c_size_t, POINTER(c_char_p)]),
    "ranksight_trace_law": (c_char_p, [c_void_p, c_size_t]),
    "ranksight_trace_elapsed": (None, [c_void_p, POINTER(Times)]),
    "ranksight_trace_memory": (None, [c_void_p, POINTER(Memory)]),
    "ranksight_trace_site": (c_void_p, [c_void_p, c_uint32]),
    "ranksight_trace_traffic":
        (c_int64, [c_void_p, c_int64, POINTER(c_int64), POINTER(c_uint64),
                   POINTER(c_uint64), c_size_t, c_char_p, c_size_t]),
    "ranksight_root": (c_void_p, [c_void_p]),
    "ranksight_is_event": (c_int, [c_void_p]),
    "ranksight_child": (c_void_p, [c_void_p, c_size_t]),
    "ranksight_call_name": (c_char_p, [c_void_p]),
    "ranksight_call_site": (c_void_p, [c_void_p, c_void_p]),
    "ranksight_call_by_number": (c_char_p, [c_int64]),
    "ranksight_call_times": (None, [c_void_p, POINTER(Times)]),
    "ranksight_compute_times": (None, [c_void_p, POINTER(Times)]),
    "ranksight_call_quantile_ns": (c_double, [c_void_p, c_double]),
    "ranksight_totals_open": (c_void_p, [c_void_p, c_char_p, c_size_t]),
    "ranksight_totals_close": (None, [c_void_p]),
    "ranksight_totals_at": (c_int, [c_void_p, c_size_t, POINTER(Total)]),
    "ranksight_cursor_open":
        (c_void_p, [c_void_p, c_int64, c_char_p, c_size_t]),
    "ranksight_cursor_close": (None, [c_void_p]),
    "ranksight_cursor_fill":
        (c_int64, [c_void_p, c_size_t, POINTER(c_int64)]),
    "ranksight_cursor_error": (c_char_p, [c_void_p]),
}


def prefixes() -> Iterator[pathlib.Path]:
    """Where an install may be: lib and bin are below."""
    if "RANKSIGHT_PREFIX" in os.environ:
        yield pathlib.Path(os.environ["RANKSIGHT_PREFIX"])
    yield from pathlib.Path(__file__).resolve().parents


def _candidates() -> Iterator[str]:
    name = "libranksight_trace.so"
    if "RANKSIGHT_LIBRARY" in os.environ:
        yield os.environ["RANKSIGHT_LIBRARY"]
        return
    for prefix in prefixes():
        for folder in ("lib", "lib64", "lib/*"):
            yield from map(str, sorted(prefix.glob(f"{folder}/{name}")))
    found: Optional[str] = ctypes.util.find_library("ranksight_trace")
    yield found or name


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    path = next(_candidates())
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise RanksightError(f"{error}; set RANKSIGHT_PREFIX to where Ranksight "
                             "is installed", 4) from error
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


@functools.lru_cache(maxsize=None)
def _free() -> Any:
    free = ctypes.CDLL(None).free
    free.restype, free.argtypes = None, [c_void_p]
    return free


def take_text(pointer: Optional[int]) -> str:
    """The text of a string that the caller frees."""
    if not pointer:
        return ""
    text = ctypes.string_at(pointer).decode(errors="replace")
    _free()(pointer)
    return text
