#!/bin/sh
# What the `init` service of docker-compose.yml does before Airflow starts; every step may be repeated.
set -eu
umask 077
python3 "$(dirname "$0")/check_settings.py"
python3 "$(dirname "$0")/check_secrets.py"
# A models.yaml that cannot be read stops the stack here, in one line, and not at its first task.
halluvault models list >/dev/null
# The superuser's URL comes by a secret of this service alone. Only a demo has a simulators' role.
case ",${COMPOSE_PROFILES:-}," in *,demo,*) simulator=--simulator ;; *) simulator= ;; esac
halluvault db roles --airflow --backup $simulator
halluvault db upgrade
airflow db migrate
python3 - <<'PY'
import json, os, pathlib
target = pathlib.Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
target.touch(mode=0o600)
secrets = {name: pathlib.Path(f"/run/secrets/airflow_{name}_password") for name in ("admin", "viewer")}
target.write_text(json.dumps({name: file.read_text() for name, file in secrets.items()}))
PY
# One pool per model server of models.yaml, and the fixed ones: a task whose pool is missing never starts.
halluvault pools --apply
