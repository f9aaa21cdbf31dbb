# One image for every process: Airflow's components, the SPARQL endpoint and the simulated model servers.
#
#   docker build --network host -t halluvault .
#
# pip's own variables are build arguments, so that a CPU build of torch is found where the caller keeps it:
#   --build-arg PIP_FIND_LINKS=URL   or   --build-arg PIP_EXTRA_INDEX_URL=URL   or   --build-arg TORCH=cuda
#   --build-arg BASE=debian@sha256:DIGEST   pins the base image, with the digest that your registry gives
ARG BASE=debian:bookworm-slim
FROM $BASE

RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv swi-prolog-nox \
 && rm -rf /var/lib/apt/lists/*

ARG TORCH=cpu
ARG HASHES=on
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS
ARG PIP_TRUSTED_HOST

WORKDIR /opt/halluvault
COPY pyproject.toml setup.py constraints.txt README.md ./
COPY scripts scripts
COPY locked locked
# The packages alone first: a change of our own code then rebuilds in seconds.
RUN mkdir -p halluvault_tasks plugins/halluvault_airflow && touch halluvault_tasks/__init__.py plugins/halluvault_airflow/__init__.py \
 && PIP_NO_CACHE_DIR=1 EXTRAS= VENV=/opt/venv sh scripts/setup.sh

COPY halluvault_tasks halluvault_tasks
COPY plugins plugins
COPY prolog_rules prolog_rules
COPY config config
COPY dags dags

RUN useradd --uid 50000 --gid 0 --create-home --home-dir /opt/airflow airflow \
 && mkdir -p /opt/airflow/logs /opt/airflow/auth /opt/state && chown -R airflow:0 /opt/airflow /opt/state
USER airflow
ENV PATH=/opt/venv/bin:$PATH \
    AIRFLOW_HOME=/opt/airflow \
    AIRFLOW__CORE__DAGS_FOLDER=/opt/halluvault/dags \
    AIRFLOW__CORE__LOAD_EXAMPLES=False \
    HALLUVAULT_STATE_DIR=/opt/state \
    PYTHONUNBUFFERED=1
ENTRYPOINT []
CMD ["halluvault", "--help"]
