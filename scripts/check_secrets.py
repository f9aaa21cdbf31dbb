"""Refuses to start a stack whose secrets are missing, weak or at odds: one line each, exit 2.

python3 scripts/check_secrets.py [FOLDER]     /run/secrets by default
"""

import base64
import binascii
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEAST = 16
"""Characters of a password that nobody guesses."""

OTHERS = {"halluvault_model_token", "hf_token"}
"""Keys that somebody else makes, or that are not needed."""

URLS = {
    "halluvault_database_url": "halluvault_owner_password",
    "halluvault_sim_database_url": "halluvault_sim_password",
    "airflow_database_url": "halluvault_airflow_password",
    "celery_broker_url": "redis_password",
}
"""Which file's password stands in which URL."""
ENV = "scripts/compose-env.sh"


def faults(folder: Path) -> list[str]:
    """One line for each secret that no stack should start with; values are never shown."""
    values, found = {}, []
    for file in sorted(folder.iterdir()):
        if not file.is_file():  # Docker makes a folder of a file that is missing
            found.append(f"secrets/{file.name} is missing: remove the folder of that name and run `sh {ENV}`")
            continue
        values[file.name] = file.read_text(encoding="utf-8", errors="replace")
        if wrong := _fault(file.name, values[file.name]):
            found.append(f"secrets/{file.name} {wrong}")
    for url, of in URLS.items():
        if url in values and of in values and unquote(urlsplit(values[url]).password or "") != values[of]:
            found.append(f"secrets/{url} holds another password than secrets/{of}: run `sh {ENV}` again")
    return found


def _fault(name: str, value: str) -> str:
    fix = f"delete the file and run `sh {ENV}` again"
    if value != value.strip():
        return "begins or ends with a space or an empty line: write it without (printf, not echo)"
    if name in OTHERS:
        return ""
    if not value:
        return f"is empty: {fix}"
    if name == "airflow_fernet_key":
        return "" if _is_fernet(value) else f"is no Fernet key (32 bytes in URL-safe base64): {fix}"
    if name.endswith("_url"):
        return "" if urlsplit(value).password else f"is no URL with a password: {fix}"
    if len(value) < LEAST or len(set(value)) < LEAST // 2:
        return f"is weak ({len(value)} characters, {len(set(value))} different; {LEAST} at least): {fix}"
    return ""


def _is_fernet(value: str) -> bool:
    try:
        return len(base64.urlsafe_b64decode(value.encode())) == 32
    except (binascii.Error, ValueError):
        return False


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1] if len(sys.argv) > 1 else "/run/secrets"))
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    sys.exit(2 if wrong else 0)
