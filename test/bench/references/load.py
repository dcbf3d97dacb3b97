"""The loader one writes in five minutes: tarfile, json, sqlite3, and no indexes."""

import json
import re
import sqlite3
import sys
import tarfile

archive, path = sys.argv[1:]
database = sqlite3.connect(path)
database.execute("PRAGMA synchronous = OFF")
columns = {}


def stored(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value


with tarfile.open(archive, "r|gz") as tar:
    for member in tar:
        name = re.fullmatch(r"(?:\./)?(\w+)_\d{6}\.json", member.name)
        if not name:
            continue
        kind, records = name[1], json.load(tar.extractfile(member))
        known = columns.setdefault(kind, [])
        for column in {column: None for record in records for column in record}:
            if column not in known:
                known.append(column)
                if len(known) == 1:
                    database.execute(f'CREATE TABLE "{kind}" ("{column}")')
                else:
                    database.execute(f'ALTER TABLE "{kind}" ADD COLUMN "{column}"')
        marks = ", ".join("?" * len(known))
        database.executemany(
            f'INSERT INTO "{kind}" VALUES ({marks})',
            ([stored(record.get(column)) for column in known] for record in records),
        )
database.commit()
