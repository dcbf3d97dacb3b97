"""An archive by another hand: Python's tarfile, and JSON as Ruby's pretty_generate prints it.

python3 test/bench/references/rewrite-archive.py archive output [pax|gnu|ustar] [new|old]

The last word is the form of empty arrays: [], or with an empty line inside, as Ruby printed them for years.
"""

import io
import json
import re
import sys
import tarfile

archive, output, dialect, empty = (sys.argv[1:] + ["pax", "new"])[:4]
DIALECTS = {"pax": tarfile.PAX_FORMAT, "gnu": tarfile.GNU_FORMAT, "ustar": tarfile.USTAR_FORMAT}


def printed(value, margin="\n"):
    inner = margin + "  "
    if isinstance(value, dict) and value:
        members = (f"{json.dumps(k, ensure_ascii=False)}: {printed(v, inner)}" for k, v in value.items())
        return f"{{{inner}{f',{inner}'.join(members)}{margin}}}"
    if isinstance(value, list) and value:
        return f"[{inner}{f',{inner}'.join(printed(v, inner) for v in value)}{margin}]"
    if value == [] and empty == "old":
        return f"[\n{margin}]"
    return json.dumps(value, ensure_ascii=False)


with tarfile.open(archive, "r|gz") as before, tarfile.open(
    output, "w:gz", compresslevel=6, format=DIALECTS[dialect]
) as after:
    for entry in before:
        if entry.name == ".":
            continue
        content = before.extractfile(entry).read() if entry.isfile() else b""
        if re.fullmatch(r"(?:\./)?\w+_\d{6}\.json", entry.name):
            content = printed(json.loads(content)).encode()
        fresh = tarfile.TarInfo(entry.name.removeprefix("./"))
        fresh.type, fresh.mode, fresh.size = entry.type, entry.mode, len(content)
        # As from a file system, whose times have fractions: pax has another header for them.
        fresh.mtime = entry.mtime + 0.25
        after.addfile(fresh, io.BytesIO(content))
