"""Traces of MPI programs as pandas frames.

    import ranksight
    trace = ranksight.open("stencil2d.16.trace")
    trace.call_sites()
    trace.events(3)
    ranksight.forecast(["app.4.trace", "app.9.trace", "app.16.trace"], [64, 1024])

Reads traces through libranksight_trace.so, and asks the command `ranksight` for
what only that can do. Both are found beside this package in an install, in what
RANKSIGHT_PREFIX or RANKSIGHT_LIBRARY and RANKSIGHT_COMMAND name, and on the
usual paths.
"""
from ._library import PEER_ANY, PEER_NULL, TAG_ANY, RanksightError
from .command import Check, Forecast, Refused, check, extrapolate, forecast
from .trace import Trace, open

__all__ = [
    "PEER_ANY", "PEER_NULL", "TAG_ANY", "Check", "Forecast", "RanksightError",
    "Refused", "Trace", "check", "extrapolate", "forecast", "open",
]
__version__ = "0.1.0"
