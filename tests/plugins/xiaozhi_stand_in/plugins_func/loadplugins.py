"""Imports everything in a folder, while `core.connection` is being imported itself."""

import importlib
import pkgutil
from typing import Any


def auto_import_modules(package_name: str) -> None:
    package: Any = importlib.import_module(package_name)
    for _, name, _ in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package_name}.{name}")
