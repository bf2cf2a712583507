"""`python -m boxscore` is the command `boxscore`."""

import sys

from boxscore.cli import main

sys.exit(main())
