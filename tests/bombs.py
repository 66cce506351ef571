"""Small files that would unpack to very large ones."""

import struct
import zlib
from pathlib import Path

_BLOCK = 2**20


def deflated(unit: bytes, size: int) -> bytes:
    """A deflate stream that unpacks to `size` bytes of units; whole megabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(unit * (_BLOCK // len(unit))) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (size // _BLOCK) + b"\x03\x00"


def zip_bomb(path: Path, member: str, size: int) -> None:
    """Write a zip of one member that unpacks to `size` zeros; its checksum is wrong."""
    data, name = deflated(b"\0", size), member.encode()
    sizes = struct.pack("<HHHIIIHH", 8, 0, 33, 0, len(data), size, len(name), 0)
    local = b"PK\3\4" + struct.pack("<HH", 20, 0) + sizes + name
    central = b"PK\1\2" + struct.pack("<HHH", 20, 20, 0) + sizes
    central += struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local + data), 0)
    path.write_bytes(local + data + central + end)


def gzip_bomb(path: Path, unit: bytes, size: int, begin: bytes = b"") -> None:
    """Write a gzip file that unpacks to `begin` and `size` bytes of repeated units."""
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    first = zlib.compressobj(9, zlib.DEFLATED, -15)
    begun = first.compress(begin) + first.flush(zlib.Z_FULL_FLUSH)
    path.write_bytes(head + begun + deflated(unit, size) + bytes(8))
