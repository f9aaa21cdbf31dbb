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
# One pool per model server of config/models.yaml, and the fixed ones: a task whose pool is missing never starts.
halluvault pools --to /tmp/halluvault-pools.json
airflow pools import /tmp/halluvault-pools.json
