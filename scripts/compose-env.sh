#!/bin/sh
# Secrets for docker-compose.yml, made once: sh scripts/compose-env.sh > .env
set -eu
secret() { head -c 48 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }
cat <<ENV
POSTGRES_PASSWORD=$(secret)
HALLUVAULT_OWNER_PASSWORD=$(secret)
HALLUVAULT_READER_PASSWORD=$(secret)
HALLUVAULT_SIM_PASSWORD=$(secret)
AIRFLOW_FERNET_KEY=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_')
AIRFLOW_API_SECRET=$(secret)
AIRFLOW_JWT_SECRET=$(secret)$(secret)
AIRFLOW_ADMIN_PASSWORD=$(secret | cut -c1-16)
ENV
