"""Pictures, where matplotlib is installed."""
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .command import Forecast
    from .trace import Trace


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots()[1]


def matrix(trace: "Trace", output: str, ax: Any) -> Any:
    from matplotlib.colors import LogNorm
    ax = _axes(ax)
    values = trace.comm_matrix(output).to_numpy(dtype=float)
    values[values == 0] = float("nan")
    picture = ax.imshow(values, norm=LogNorm(), interpolation="nearest")
    ax.figure.colorbar(picture, ax=ax,
                       label="bytes" if output == "size" else "messages")
    ax.set(xlabel="receiver", ylabel="sender",
           title=f"{trace.program}, {trace.ranks} ranks")
    return ax


def forecast(said: "Forecast", ax: Any) -> Any:
    ax = _axes(ax)
    points = said.points
    for refused, marker in ((False, "o"), (True, "x")):
        some = points[points["refused"] == refused]
        if some.empty or "seconds" not in some:
            continue
        ax.errorbar(some["ranks"], some["seconds"],
                    [some["seconds"] - some["low"],
                     some["high"] - some["seconds"]],
                    fmt=marker, capsize=3,
                    label="refused" if refused else "forecast, 90 %")
    if len(said.sizes):
        ax.plot(said.sizes["ranks"], said.sizes["seconds"], "s",
                label="measured")
    ax.set(xlabel="ranks", ylabel="seconds", xscale="log", yscale="log")
    ax.legend()
    return ax
