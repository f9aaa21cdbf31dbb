#!/bin/sh
# The part that `make demo` and `make test` share: virtualenv, pinned packages, SWI-Prolog.
# Honours the caller's pip configuration (PIP_FIND_LINKS, PIP_EXTRA_INDEX_URL, PIP_CONFIG_FILE …).
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3} VENV=${VENV:-.venv} TORCH=${TORCH:-cpu} EXTRAS=${EXTRAS-[dev]}

say() { printf 'setup: %s\n' "$*" >&2; }
# What pip refuses changes nothing in the folder, so that it need not be made anew; a mark of another setup stays.
mark=
die() { say "$*"; [ -z "$mark" ] || rm -f "$mark"; exit 2; }

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    die "$PYTHON is not Python 3.11 or newer; name another with PYTHON=…"

# --- SWI-Prolog, from the system's packages
if ! command -v swipl >/dev/null; then
    install='apt-get update && apt-get install -y --no-install-recommends swi-prolog-nox'
    if ! command -v apt-get >/dev/null; then
        die "SWI-Prolog (swipl) is missing; install it with this system's package manager and run make again"
    elif [ "$(id -u)" = 0 ]; then
        say "installing SWI-Prolog"
        DEBIAN_FRONTEND=noninteractive sh -c "$install" >/dev/null
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        say "installing SWI-Prolog"
        sudo -n env DEBIAN_FRONTEND=noninteractive sh -c "$install" >/dev/null
    else
        die "SWI-Prolog (swipl) is missing; type: sudo sh -c '$install'"
    fi
fi

# --- packages, all pinned; a second run with the same pins does nothing
stamp=$VENV/.installed
want=$(cat pyproject.toml constraints.txt locked/*.txt scripts/setup.sh | sha256sum | cut -d' ' -f1)-$TORCH$EXTRAS
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && exit 0

# Who works on the folder stands in this file. What was killed leaves it behind, in a folder in which anything may be
# missing: begin anew. Numbers are given out again, in a container soon, even our own; so on Linux the process must be a
# setup, elsewhere it must be alive.
unfinished=$VENV/.unfinished
alive() {
    [ "$1" != $$ ] || return 1
    if [ -d /proc/self ]; then grep -qs setup.sh "/proc/$1/cmdline"; else kill -0 "$1" 2>/dev/null; fi
}
there=$(ls -A "$VENV" 2>/dev/null) || :
mkdir -p "$VENV"
anew=
if (set -C && echo $$ >"$unfinished") 2>/dev/null; then
    "$VENV/bin/python" -c 'import pip' 2>/dev/null || anew="$VENV has no python and pip that work; it is made anew"
else
    other=$(cat "$unfinished")
    if [ -n "$other" ] && alive "$other"; then
        die "another setup (process $other) is installing into $VENV → wait for it, or end it"
    fi
    echo $$ >"$unfinished"
    anew="$VENV was left half-made; it is made anew"
fi
mark=$unfinished
if [ -n "$anew" ]; then
    [ -z "$there" ] || say "$anew"
    # Not by `venv --clear`, which would take the mark away, too.
    find "$VENV/" -mindepth 1 ! -name .unfinished -delete
    "$PYTHON" -m venv "$VENV" ||
        die "no virtualenv could be made; on Debian type: apt-get install python3-venv"
fi
log=$VENV/pip.log
pip="$VENV/bin/python -m pip --disable-pip-version-check --log $log"
$pip install -qq -c constraints.txt pip setuptools wheel

if [ "$TORCH" != cuda ]; then
    # Ask what torch would bring before anything large is fetched: the newer pip reads metadata alone.
    $pip install -qq --dry-run --ignore-installed --report "$VENV/torch.json" -c constraints.txt torch
    cuda=$("$VENV/bin/python" - "$VENV/torch.json" <<'PY'
import json, sys
names = sorted(row["metadata"]["name"] for row in json.load(open(sys.argv[1]))["install"])
print(" ".join(n for n in names if n.lower().startswith(("nvidia", "cuda-"))))
PY
)
    rm -f "$VENV/torch.json"
    [ -z "$cuda" ] || die "torch would bring $(echo "$cuda" | wc -w) CUDA packages ($(echo "$cuda" | cut -d' ' -f1), …), some gigabytes. Nothing was fetched.
  For the CPU build, tell pip where to find it: PIP_FIND_LINKS=FOLDER make … or PIP_EXTRA_INDEX_URL=PYTORCH_CPU_INDEX make …
  (docs/start.md, 'Torch without CUDA'); for CUDA on purpose: make … TORCH=cuda"
fi

say "installing packages into $VENV (a few minutes the first time; pip's full output: $log)"
: >"$log"
(waited=0
while sleep 15 >/dev/null 2>&1; do
    waited=$((waited + 15))
    fetched=$(grep -c ' Collecting ' "$log") || :
    grep -q ' Installing collected packages' "$log" && now="being installed" || now=found
    say "$fetched packages $now, $waited s so far"
done) &
ticker=$!
trap 'kill $ticker 2>/dev/null || :' EXIT
trap 'exit 130' INT TERM
# Where this platform's hashes are known, nothing is installed that has another one; torch's build is the caller's choice.
locked=locked/$("$VENV/bin/python" -c 'import sys, sysconfig; print("%s-cp%d%d" % (sysconfig.get_platform(), *sys.version_info[:2]))')
if [ -f "$locked.txt" ] && [ "${HASHES:-on}" = on ]; then
    files="-r $locked.txt"
    for extra in $(echo "$EXTRAS" | tr -d '[]' | tr ',' ' '); do
        [ ! -f "$locked-$extra.txt" ] || files="$files -r $locked-$extra.txt"
    done
    $pip install -qq --require-hashes --no-deps $files ||
        die "a package is not the one that $locked.txt names; if you build or mirror packages yourself: make … HASHES=off"
fi
$pip install -qq --no-build-isolation -c constraints.txt -e ".$EXTRAS"
echo "$want" >"$stamp"
rm -f "$mark"
