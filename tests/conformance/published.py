"""The published description of text-generation-inference as JSON schemas that jsonschema can check."""

import json
from pathlib import Path
from typing import Any

import jsonschema


class Published:
    """The description in `../shared/data/tgi/openapi.json`."""

    def __init__(self, path: Path) -> None:
        raw = json.loads(path.read_text())
        self.paths: dict[str, Any] = raw["paths"]
        self._schemas = {name: _schema(each) for name, each in raw["components"]["schemas"].items()}

    def check(self, name: str, value: object) -> None:
        """Fail unless a value is what the description calls `name`."""
        jsonschema.validate(value, {"$ref": f"#/components/schemas/{name}", "components": {"schemas": self._schemas}})

    def check_answer(self, method: str, path: str, status: int, content_type: str, value: object) -> None:
        """Fail unless a value is what a route is said to answer."""
        content = self.paths[path][method]["responses"][str(status)]["content"][content_type]
        jsonschema.validate(value, {**_schema(content["schema"]), "components": {"schemas": self._schemas}})

    def properties(self, name: str) -> set[str]:
        """Every property that the description gives an object."""
        return set(self._schemas[name]["properties"])


def _schema(raw: Any) -> Any:
    """OpenAPI 3.0 says `nullable` and boolean exclusive bounds where JSON schema has types and numbers."""
    if isinstance(raw, list):
        return [_schema(each) for each in raw]
    if not isinstance(raw, dict):
        return raw
    found = {key: _schema(each) for key, each in raw.items() if key not in ("nullable", "example", "discriminator")}
    if isinstance(found.get("exclusiveMinimum"), bool):
        del found["exclusiveMinimum"]
    return {"anyOf": [found, {"type": "null"}]} if raw.get("nullable") is True else found
