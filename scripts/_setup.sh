# Sourced by scripts/demo and scripts/test: makes .venv, installs the pinned tools, builds the kernel into it.
#
# Each step leaves a stamp in .venv/.stamps, keyed on the content of what it read. A stamp is taken away before its step
# begins and written, by a rename, after the step has ended, so a step that was interrupted is done again. A half-done
# pip install can't be told from a whole one: then the environment is made anew.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
VENV=$ROOT/.venv
BIN=$VENV/bin
STAMPS=$VENV/.stamps

fail() {
  echo "error: $*" >&2
  exit 2
}

# The same bytes give the same word. Runs without site-packages, for it is called before they exist.
fingerprint() { "$BIN/python" -I -S scripts/fingerprint.py "$@"; }

stamped() { [ -f "$STAMPS/$1" ] && [ "$(cat "$STAMPS/$1")" = "$2" ]; }

stamp() {
  printf '%s\n' "$2" >"$STAMPS/$1.new"
  mv -f "$STAMPS/$1.new" "$STAMPS/$1"
}

make_environment() {
  if stamped environment "$ROOT" && [ ! -e "$STAMPS/installing" ] && [ -x "$BIN/python" ]; then return; fi
  local python=${PYTHON:-python3}
  command -v "$python" >/dev/null || fail "$python was not found: install Python 3.11 or newer, or set PYTHON"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old: boxscore needs Python 3.11 or newer (set PYTHON to name another)"
  echo "setup: making .venv"
  "$python" -m venv --clear "$VENV"
  mkdir -p "$STAMPS"
  stamp environment "$ROOT"
}

install_tools() {
  local key
  key=$(fingerprint requirements-dev.txt)
  if stamped tools "$key"; then return; fi
  echo "setup: installing the pinned tools"
  rm -f "$STAMPS/tools"
  touch "$STAMPS/installing"
  "$BIN/python" -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
  rm -f "$STAMPS/installing"
  stamp tools "$key"
}

build_kernel() {
  command -v cargo >/dev/null || fail "cargo was not found: install a Rust toolchain (1.90 or newer)"
  local key kernel
  key=$(fingerprint native pyproject.toml --word "$(rustc --version)")
  kernel=$(compgen -G "src/boxscore/_kernel*.so" || true)
  if [ -n "$kernel" ] && stamped kernel "$key"; then return; fi
  echo "setup: building the kernel"
  rm -f "$STAMPS/kernel"
  if ! "$BIN/maturin" develop --release ${CARGO_LOCKED:+--locked} >"$STAMPS/kernel.log" 2>&1; then
    cat "$STAMPS/kernel.log" >&2
    fail "the kernel could not be built (above)"
  fi
  stamp kernel "$key"
}

# CI must build what was committed; a person who adds a crate must not be stopped by the lock file.
if [ "${CI:-}" = true ]; then CARGO_LOCKED=1; else CARGO_LOCKED=; fi
# maturin takes the environment from here, whichever one the caller has activated.
export VIRTUAL_ENV=$VENV
unset CONDA_PREFIX

(
  # Two runs at once would install over each other. Where there is no flock, that is left to the person.
  if command -v flock >/dev/null; then flock 9; fi
  make_environment
  install_tools
  build_kernel
  # Start-up is part of every figure: compiled even where PYTHONDONTWRITEBYTECODE keeps Python from doing it.
  "$BIN/python" -I -S -m compileall -q src
) 9>"$VENV.lock"
