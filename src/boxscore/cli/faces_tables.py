"""What `boxscore faces min-size` prints for people."""

from __future__ import annotations

from boxscore.cli.tables import aligned, figure
from boxscore.model.notes import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boxscore.faces.extrapolated import Growth
    from boxscore.faces.measured import AtSize, Measured
    from boxscore.faces.measuring import MinSize
    from boxscore.faces.rates import Rate


def lines(found: MinSize) -> list[str]:
    """Definitions, then each embedder's sizes, smallest size and growth by gallery, then the comparison."""
    from boxscore.faces.written import DEFINITIONS

    told = [f"{name}: {DEFINITIONS[name]}" for name in ("TPI", "FPI", "size", "native")]
    actors = counted(len({picture.actor for picture in found.probes}), "actor")
    sides = f"{min(found.sides)}" if len(set(found.sides)) == 1 else f"{min(found.sides)} to {max(found.sides)}"
    told.append(
        f"{counted(len(found.probes), 'probe')} of {actors}, {sides} px native; degraded by {found.options.recipe}; "
        f"seed {found.options.seed}"
    )
    for one in found.embedders:
        told += ["", *_embedder(one, found)]
    if found.comparison is not None:
        told += ["", found.comparison.sentence]
    return told


def _embedder(one: Measured, found: MinSize) -> list[str]:
    percent = f"{found.options.confidence:.0%}"
    head = ["size", "probes", "TPI", percent, "FPI", percent, "rank 1", "loss of TPI", percent]
    body = [_row(at) for at in one.sizes]
    return [
        f"{one.name}: gallery of {one.gallery_actors} actors; {one.threshold.sentence()}",
        *aligned(head, body),
        *_all_native(one),
        _smallest(one, found.options.margin),
        *_growth(one),
    ]


def _row(at: AtSize) -> list[str]:
    name = "native" if at.size is None else f"{at.size} px"
    cells = [name, str(at.tpi.trials), figure(at.tpi.value), _ends(at.tpi), figure(at.fpi.value), _ends(at.fpi)]
    return [*cells, figure(at.rank_1.value), *(("", "") if at.loss is None else (_signed(at.loss), _ends(at.loss)))]


def _ends(rate: Rate) -> str:
    return "" if rate.low is None or rate.high is None else f"{rate.low:.3f}..{rate.high:.3f}"


def _signed(rate: Rate) -> str:
    return figure(rate.value)


def _all_native(one: Measured) -> list[str]:
    """Sizes at which some or all probes are native."""
    every = [f"{at.size} px" for at in one.sizes if at.size is not None and not at.tpi.trials]
    some = [f"{at.native} at {at.size} px" for at in one.sizes if at.size is not None and at.native and at.tpi.trials]
    told = []
    if every:
        told.append(f"n/a: every probe is native at {', '.join(every)}")
    if some:
        told.append(f"probes no larger than the size are left out there, as they are native: {', '.join(some)}")
    return told


def _smallest(one: Measured, margin: float) -> str:
    found = one.smallest
    if found.size is None:
        return f"smallest size within {margin:g} of native TPI: none ({found.reason})"
    sure = f"surely from {found.sure} px on" if found.sure is not None else f"not surely: {found.sure_reason}"
    return f"smallest size within {margin:g} of native TPI: {found.size} px ({sure})"


def _growth(one: Measured) -> list[str]:
    """FPI by gallery size, native and at the smallest size that serves (where none does, at the smallest tested)."""
    degraded = [at for at in one.sizes if at.size is not None and at.tpi.trials]
    wanted = [None, *(at.size for at in degraded if at.size == one.smallest.size)]
    if one.smallest.size is None:
        wanted += [at.size for at in degraded[-1:]]
    shown = [(at, at.growth) for at in one.sizes if at.size in wanted and at.growth is not None]
    if not shown or shown[0][1] is None:
        return []
    names = [f"{row.actors}{'' if row.kind == 'counted' else '*'}" for row in shown[0][1].sizes]
    body = [
        [
            "FPI, native" if at.size is None else f"FPI, {at.size} px",
            *(figure(row.value) for row in growth.sizes),
        ]
        for at, growth in shown
    ]
    checks = [text for at, growth in shown for text in _check(at, growth)]
    return [*aligned(["actors in the gallery", *names], body), "* modelled by the tail of strangers' likeness", *checks]


def _check(at: AtSize, growth: Growth) -> list[str]:
    name = "native" if at.size is None else f"{at.size} px"
    check = growth.check
    if check is None:
        return []
    given = f"{check.predicted:.3f} ({check.least:.3f}..{check.most:.3f})"
    return [f"model's check, {name}: from {check.half} others it gives {given} for all, counted {check.counted:.3f}"]
