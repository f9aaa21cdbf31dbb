#!/bin/sh
# A virtualenv of its own for `make tuned-model` and `make edited-model`: TRL and FastEdit. Torch is the build that .venv has.
# Honours the caller's pip configuration, as setup.sh does.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3} VENV=${VENV:-.venv} TUNED_VENV=${TUNED_VENV:-.venv-tuned-model}
torch=$("$VENV/bin/python" -c 'import importlib.metadata as m; print(m.version("torch"))')
want="torch==$torch trl==1.16.0 transformers==5.23.0 datasets==5.2.0 gguf==0.19.0 pyfastedit==0.0.5"

say() { printf 'tuned-model: %s\n' "$*" >&2; }

stamp=$TUNED_VENV/.installed
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && exit 0
[ -x "$TUNED_VENV/bin/python" ] || "$PYTHON" -m venv "$TUNED_VENV"
say "fetching TRL, FastEdit, transformers and torch into $TUNED_VENV (1.5 GB)"
# shellcheck disable=SC2086 # words are meant
"$TUNED_VENV/bin/python" -m pip --disable-pip-version-check install -qq $want
echo "$want" >"$stamp"
