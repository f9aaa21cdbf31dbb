"""A frozen benchmark as files: for people (JSON lines, Parquet, a Hugging Face dataset) and for other harnesses.

Every export is a folder with a data card, `README.md`, and `export.json`: its origin, and the sha256 of each file. The
same benchmark gives the same bytes. The folder appears complete or not at all.
"""

from halluvault_tasks.benchmark.export.formats import FORMATS, Written, export

__all__ = ["FORMATS", "Written", "export"]
