#!/bin/sh
# Makes what docker-compose.yml reads: .env with settings, from .env.example, and secrets/ with one file a secret.
#   sh scripts/compose-env.sh           for production
#   sh scripts/compose-env.sh demo      for the demo: the bundled sample, simulated models, profile demo
#   sh scripts/compose-env.sh celery    tasks on workers; also: demo celery
# What is there stays as it is: typed again, it makes what is missing. A secret that stands in an .env of before goes into its
# file. The folder secrets/ is its owner's alone; the files in it can be read by whichever account a container runs as.
set -eu
cd "$(dirname "$0")/.."
umask 077
random() { head -c 48 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }

# --- settings
profiles='' executor=''
for word in "$@"; do
    case $word in
        demo) profiles="$profiles${profiles:+,}demo" ;;
        celery) profiles="$profiles${profiles:+,}celery" executor=CeleryExecutor ;;
        *) echo "compose-env: $word is none of demo, celery" >&2; exit 2 ;;
    esac
done
if [ ! -e .env ]; then
    draft=.env.$$
    trap 'rm -f "$draft"' EXIT
    cat .env.example >"$draft"
    [ -z "$profiles" ] || echo "COMPOSE_PROFILES=$profiles" >>"$draft"
    [ -z "$executor" ] || echo "AIRFLOW_EXECUTOR=$executor" >>"$draft"
    case ,$profiles, in *,demo,*) cat >>"$draft" <<'ENV'
HALLUVAULT_CONFIG_DIR=/opt/halluvault/config/demo
HALLUVAULT_BENCHMARK_SIZE=demo
HALLUVAULT_SPARQL_ENDPOINT=http://endpoint:7878/sparql
HALLUVAULT_SOURCE=bundled-sample
HALLUVAULT_AS_OF=2019-08-01
ENV
    esac
    mv "$draft" .env
    trap - EXIT
    echo "compose-env: wrote .env" >&2
elif [ $# -gt 0 ]; then
    echo "compose-env: .env is there already, and stays as it is; move it away to make another" >&2
    exit 2
fi

# --- secrets
mkdir -p secrets
kept() { sed -n "s/^$1=//p" .env | tail -1; }
# put FILE VALUE: unless the file is there; readable in a container, behind a folder that only its owner may enter.
put() {
    [ -s "secrets/$1" ] && return
    printf '%s' "$2" >"secrets/.$1"
    chmod 0444 "secrets/.$1"
    mv "secrets/.$1" "secrets/$1"
}
# password FILE VARIABLE_OF_BEFORE
password() { before=$(kept "$2"); put "$1" "${before:-$(random)}"; }
password postgres_password POSTGRES_PASSWORD
password halluvault_owner_password HALLUVAULT_OWNER_PASSWORD
password halluvault_reader_password HALLUVAULT_READER_PASSWORD
password halluvault_airflow_password HALLUVAULT_AIRFLOW_PASSWORD
password halluvault_sim_password HALLUVAULT_SIM_PASSWORD
password airflow_admin_password AIRFLOW_ADMIN_PASSWORD
password airflow_api_secret AIRFLOW_API_SECRET
password airflow_jwt_secret AIRFLOW_JWT_SECRET
for name in halluvault_backup_password airflow_viewer_password redis_password superset_secret_key superset_admin_password grafana_admin_password; do
    put "$name" "$(random)"
done
before=$(kept AIRFLOW_FERNET_KEY)
put airflow_fernet_key "${before:-$(head -c 32 /dev/urandom | base64 | tr '+/' '-_')}"
# URLs of compose's own servers hold a password, and are made anew in case it changed; one that you wrote stays.
url() { grep -qvE '@(postgres|redis):' "secrets/$1" 2>/dev/null || { rm -f "secrets/$1"; put "$1" "$2"; }; }
url halluvault_database_url "postgresql+psycopg2://halluvault:$(cat secrets/halluvault_owner_password)@postgres:5432/halluvault"
url halluvault_sim_database_url "postgresql+psycopg2://halluvault_sim:$(cat secrets/halluvault_sim_password)@postgres:5432/halluvault"
url airflow_database_url "postgresql+psycopg2://airflow:$(cat secrets/halluvault_airflow_password)@postgres:5432/airflow"
superuser=$(kept POSTGRES_USER)
url halluvault_admin_url "postgresql+psycopg2://${superuser:-postgres}:$(cat secrets/postgres_password)@postgres:5432/postgres"
url celery_broker_url "redis://:$(cat secrets/redis_password)@redis:6379/0"
# Keys of others, empty until you fill them in.
for name in halluvault_model_token hf_token; do
    [ -e "secrets/$name" ] || { before=$(kept "$(echo $name | tr a-z A-Z)"); printf '%s' "$before" >"secrets/$name"; chmod 0444 "secrets/$name"; }
done
old=$(grep -E '^(POSTGRES_PASSWORD|HALLUVAULT_[A-Z]+_PASSWORD|HALLUVAULT_(SIM_)?DATABASE_URL|HALLUVAULT_ADMIN_URL|AIRFLOW_[A-Z_]*(PASSWORD|KEY|SECRET))=.' .env | cut -d= -f1 | tr '\n' ' ') || true
[ -z "$old" ] || echo "compose-env: secrets/ has them now; delete from .env: $old" >&2
echo "compose-env: secrets/ is complete; Airflow's logins are admin and viewer, with secrets/airflow_admin_password and secrets/airflow_viewer_password" >&2
