"""drawn.py FILE...: whether each picture has something on it: a PNG of more than one
colour and as large as a window, an SVG with words."""
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LEAST_WIDTH, LEAST_HEIGHT, LEAST_BYTES = 300, 100, 16  # pixels; values of bytes


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def what_lacks(path):
    """Why this is no picture; None where it is one."""
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".svg"):
        words = [e.text for e in ElementTree.fromstring(data).iter()
                 if e.tag.endswith("}text")]
        return None if any(words) else "no words"
    if not data.startswith(SIGNATURE):
        return "not a PNG"
    parts = list(chunks(data))
    width, height = struct.unpack(">II", dict(parts)[b"IHDR"][:8])
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return f"{width} x {height} pixels"
    rows = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    return None if len(set(rows)) >= LEAST_BYTES else "nothing is drawn"


lacking = [(path, why) for path in sys.argv[1:] if (why := what_lacks(path))]
for path, why in lacking:
    print(f"{path}: {why}", file=sys.stderr)
sys.exit(bool(lacking))
