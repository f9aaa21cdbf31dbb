#!/bin/sh
# Every step may be repeated. Charts that are there stay as they are (docs/dashboards.md).
set -eu
superset db upgrade
superset fab create-admin --username admin --firstname HalluVault --lastname Admin --email admin@localhost \
    --password "$(cat /run/secrets/superset_admin_password)"
superset init
work=$(mktemp -d)
cp -r /opt/dashboards "$work/halluvault"
(cd "$work" && python3 -m zipfile -c halluvault.zip halluvault)
superset import-dashboards -p "$work/halluvault.zip" -u admin
superset set-database-uri -d HalluVault \
    -u "postgresql+psycopg2://halluvault_reader:$(cat /run/secrets/halluvault_reader_password)@$HALLUVAULT_DB"
rm -rf "$work"
exec gunicorn -k gthread --threads 6 --timeout 120 -b 0.0.0.0:8088 'superset.app:create_app()'
