#!/bin/sh
# What the `init` service of docker-compose.yml does before Airflow starts; every step may be repeated.
set -eu
umask 077
# The superuser's URL comes by HALLUVAULT_ADMIN_URL, to this service alone. Only a demo has a simulators' role.
halluvault db roles --airflow ${HALLUVAULT_SIM_PASSWORD:+--simulator}
halluvault db upgrade
airflow db migrate
python3 - <<'PY'
import json, os, pathlib
target = pathlib.Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
target.touch(mode=0o600)
target.write_text(json.dumps({"admin": os.environ["AIRFLOW_ADMIN_PASSWORD"]}))
PY
# One pool per model server of models.yaml, and the fixed ones: a task whose pool is missing never starts.
halluvault pools --apply
