"""The clauses of a hand-written file, to stand in a program that runs by itself."""

import re
from pathlib import Path

from halluvault_tasks.errors import UserError


def clauses(prolog_dir: Path, name: str) -> str:
    """A file of `prolog_rules/` without comments, module header and imports, under a line that says where it is from.

    Args:
        prolog_dir: directory of the hand-written Prolog.
        name: of the file, within that.

    Raises:
        UserError: `prolog_dir` does not hold it.
    """
    file = prolog_dir / name
    if not file.is_file():
        raise UserError(f"no Prolog file {name} in {prolog_dir}", "set HALLUVAULT_PROLOG_DIR to prolog_rules/")
    source = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    source = re.sub(r"^:- (module|use_module)\(.*?\)\.\n", "", source, flags=re.DOTALL | re.MULTILINE)
    source = re.sub(r"^%.*\n", "", source, flags=re.MULTILINE)
    source = re.sub(r"[ \t]{2,}% .*$", "", source, flags=re.MULTILINE)
    return f"% From prolog_rules/{name}\n\n" + re.sub(r"\n{2,}", "\n\n", source).strip() + "\n"
