"""The rules that the demonstration's runs are held to, as a user would write them."""

CONFIDENCE = 0.25
"""Lowest confidence that counts at the operating point."""

IOU = 0.5
"""Overlap from which a detection finds an object."""

AT_POINT = f"[conf={CONFIDENCE:g}]@{IOU:g}"
RECALL, PRECISION, MEAN_IOU = f"recall{AT_POINT}", f"precision{AT_POINT}", f"meanIoU{AT_POINT}"

SLICES = ("profile", "ambient_light:0,0.25,0.7,1", "file_name")

RULES = f"""\
# The rules of `boxscore demo --regression`.
#
# Twenty scenes are few. Over all of them a drop can be told from noise, so AP is judged significant; a slice has two
# or three scenes, in which nothing is significant, so that slices and labels are held to a share of the baseline's
# figure. That is right where the model is deterministic and the scenes are always the same: an unchanged model has the
# same figures again.

other_protocol: fail            # a run evaluated otherwise fails by name, instead of stopping the gate
slices:
  by: [{", ".join(f'"{one}"' if ":" in one else one for one in SLICES)}]
rules:
  - measure: AP                 # over all labels: no significant drop
    judge: significant
  - measure: AP                 # of each label; those without objects pass
    label: each
    fraction: 0.1
    undefined: pass
  - measure: AP[area=small]     # of objects below 32 x 32 pixels
    fraction: 0.1
    undefined: pass
  - measure: {RECALL}
    fraction: 0.05
  - measure: {RECALL}
    slice: ["profile=*", "ambient_light=*"]
    fraction: 0.1
    undefined: pass
  - measure: {PRECISION}
    fraction: 0.05
    undefined: pass
  - measure: {MEAN_IOU}   # how well boxes fit, of what is found
    fraction: 0.03
  - measure: detections         # a picture that gave some gives some: else it was lost on the way
    slice: "file_name=*"
    fraction: 0.99
"""
