"""XXH3, 64 bits, seed 0, in plain Python: written after the xxHash specification (version 0.8), for tools/wad_reader.py."""

import struct

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
MASK = (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def swapped(value):
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def folded(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def avalanche(value):
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & MASK
    return value ^ value >> 32


def avalanche64(value):
    value ^= value >> 33
    value = value * P2 & MASK
    value ^= value >> 29
    value = value * P3 & MASK
    return value ^ value >> 32


def rotated(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def mix16(data, at, secret):
    return folded(u64(data, at) ^ u64(SECRET, secret), u64(data, at + 8) ^ u64(SECRET, secret + 8))


def short(data):
    size = len(data)
    if size > 8:
        low = u64(data, 0) ^ u64(SECRET, 24) ^ u64(SECRET, 32)
        high = u64(data, size - 8) ^ u64(SECRET, 40) ^ u64(SECRET, 48)
        return avalanche(size + swapped(low) + high + folded(low, high) & MASK)
    if size >= 4:
        value = u32(data, size - 4) + (u32(data, 0) << 32) ^ u64(SECRET, 8) ^ u64(SECRET, 16)
        value ^= rotated(value, 49) ^ rotated(value, 24)
        value = value * 0x9FB21C651E98DF25 & MASK
        value ^= (value >> 35) + size
        value = value * 0x9FB21C651E98DF25 & MASK
        return value ^ value >> 28
    if size > 0:
        value = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return avalanche64(value ^ u32(SECRET, 0) ^ u32(SECRET, 4))
    return avalanche64(u64(SECRET, 56) ^ u64(SECRET, 64))


def middle(data):
    size = len(data)
    total = size * P1
    if size <= 128:
        for step in range((size - 1) // 32, -1, -1):
            total += mix16(data, 16 * step, 32 * step) + mix16(data, size - 16 * (step + 1), 32 * step + 16)
        return avalanche(total & MASK)
    total += sum(mix16(data, 16 * step, 16 * step) for step in range(8))
    total = avalanche(total & MASK)
    total += sum(mix16(data, 16 * step, 16 * (step - 8) + 3) for step in range(8, size // 16))
    return avalanche(total + mix16(data, size - 16, 136 - 17) & MASK)


def long(data):
    size = len(data)
    sums = [P32_3, P1, P2, P3, P4, P32_2, P5, P32_1]
    keys = [struct.unpack_from("<8Q", SECRET, 8 * stripe) for stripe in range(16)]
    scramble = struct.unpack_from("<8Q", SECRET, 128)

    def accumulate(at, keys):
        lanes = struct.unpack_from("<8Q", data, at)
        for lane in range(8):
            value = lanes[lane]
            key = value ^ keys[lane]
            sums[lane ^ 1] = sums[lane ^ 1] + value & MASK
            sums[lane] = sums[lane] + (key & 0xFFFFFFFF) * (key >> 32) & MASK

    blocks = (size - 1) // 1024
    for block in range(blocks):
        for stripe in range(16):
            accumulate(1024 * block + 64 * stripe, keys[stripe])
        for lane in range(8):
            value = sums[lane]
            sums[lane] = (value ^ value >> 47 ^ scramble[lane]) * P32_1 & MASK
    for stripe in range((size - 1 - 1024 * blocks) // 64):
        accumulate(1024 * blocks + 64 * stripe, keys[stripe])
    accumulate(size - 64, struct.unpack_from("<8Q", SECRET, 192 - 64 - 7))
    total = size * P1
    for pair in range(4):
        total += folded(sums[2 * pair] ^ u64(SECRET, 11 + 16 * pair), sums[2 * pair + 1] ^ u64(SECRET, 19 + 16 * pair))
    return avalanche(total & MASK)


def xxh3(data):
    """The 64-bit XXH3 of bytes."""
    if len(data) <= 16:
        return short(data)
    return middle(data) if len(data) <= 240 else long(data)
