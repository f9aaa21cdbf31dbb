#!/bin/sh
# What the `init` service of docker-compose.yml does before Airflow starts; every step may be repeated.
set -eu
halluvault db roles --admin-url "$HALLUVAULT_ADMIN_URL"
halluvault db upgrade
airflow db migrate
python3 - <<'PY'
import json, os, pathlib
target = pathlib.Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
target.touch(mode=0o600)
target.write_text(json.dumps({"admin": os.environ["AIRFLOW_ADMIN_PASSWORD"]}))
PY
airflow pools set wikidata 1 "one pull at a time: the query service asks for it"
airflow pools set halluvault_sim_a 2 "tasks at once at this model server"
airflow pools set halluvault_sim_b 2 "tasks at once at this model server"
