"""What boxscore raises.

    BoxscoreError            everything below
    ├── InputError           a file, an array or an argument is wrong; also a ValueError
    ├── ProtocolError        a protocol file or an override of a protocol is wrong; also a ValueError
    └── MeasureError         no such measure, or the run's protocol can't give it; also a ValueError

Each message is one paragraph that says what is wrong, where, and what to do. The command line prints it after
`error: ` and ends with status 2.
"""


class BoxscoreError(Exception):
    """Base of all errors that boxscore raises on purpose."""


class InputError(BoxscoreError, ValueError):
    """The input is not what it should be; the message names file, place, field, value and remedy."""


class ProtocolError(BoxscoreError, ValueError):
    """A protocol file, or an override of one of its fields, is wrong; the message names the field."""


class MeasureError(BoxscoreError, ValueError):
    """A measure that does not exist, or that the protocol of a run can't give."""
