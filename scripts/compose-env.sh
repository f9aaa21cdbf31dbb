#!/bin/sh
# Makes .env for docker-compose.yml from .env.example, once: secrets filled in, readable by you alone.
#   sh scripts/compose-env.sh         for production
#   sh scripts/compose-env.sh demo    for the demo: the bundled sample, simulated models, profile demo
set -eu
cd "$(dirname "$0")/.."
umask 077
secret() { head -c 48 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }

if [ -e .env ]; then
    echo "compose-env: .env is there already, and stays as it is; move it away to make another" >&2
    exit 2
fi
draft=.env.$$
owner=$(secret) admin=$(secret) sim=$(secret)
trap 'rm -f "$draft"' EXIT
while IFS= read -r line; do
    case $line in
        *=SECRET) echo "${line%SECRET}$(secret)" ;;
        *=FERNET) echo "${line%FERNET}$(head -c 32 /dev/urandom | base64 | tr '+/' '-_')" ;;
        '#'*) echo "$line" ;;
        *OWNER*@*) echo "${line%%OWNER*}$owner${line#*OWNER}" ;;
        *ADMIN*@*) echo "${line%%:ADMIN*}:$admin${line#*:ADMIN}" ;;
        *=OWNER) echo "${line%OWNER}$owner" ;;
        *=ADMIN) echo "${line%ADMIN}$admin" ;;
        *) echo "$line" ;;
    esac
done <.env.example >"$draft"
if [ "${1:-}" = demo ]; then
    cat >>"$draft" <<ENV
COMPOSE_PROFILES=demo
HALLUVAULT_CONFIG_DIR=/opt/halluvault/config/demo
HALLUVAULT_BENCHMARK_SIZE=demo
HALLUVAULT_SPARQL_ENDPOINT=http://endpoint:7878/sparql
HALLUVAULT_SOURCE=bundled-sample
HALLUVAULT_AS_OF=2019-08-01
HALLUVAULT_SIM_PASSWORD=$sim
HALLUVAULT_SIM_DATABASE_URL=postgresql+psycopg2://halluvault_sim:$sim@postgres:5432/halluvault
ENV
fi
mv "$draft" .env
trap - EXIT
echo "compose-env: wrote .env; Airflow's login is admin and AIRFLOW_ADMIN_PASSWORD there" >&2
