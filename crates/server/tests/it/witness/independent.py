"""A log and a client of a witness, written from the specifications alone and without code of this
program: C2SP tlog-witness, tlog-cosignature, tlog-checkpoint and signed-note, RFC 6962, RFC 8032 and
FIPS 204. It uses only the standard library. If the package `cryptography` knows ML-DSA, each signature
is verified with it as well.

    independent.py vkey                    prints the key of the log
    independent.py run HOST:PORT FILE      submits checkpoints; FILE has the vkeys of the witness
"""

import base64
import hashlib
import http.client
import struct
import sys
import time

ORIGIN = "independent.example/log"
SEED = hashlib.sha256(b"a log for tests").digest()


# RFC 8032, Ed25519.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = f - e, d - c, d + c, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decompress(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not a point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def compress(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def secret_scalar(seed):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    return scalar, digest[32:]


def ed25519_public(seed):
    return compress(multiply(secret_scalar(seed)[0], BASE))


def ed25519_sign(seed, message):
    scalar, prefix = secret_scalar(seed)
    public = compress(multiply(scalar, BASE))
    r = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    commitment = compress(multiply(r, BASE))
    h = int.from_bytes(hashlib.sha512(commitment + public + message).digest(), "little") % L
    return commitment + ((r + h * scalar) % L).to_bytes(32, "little")


def ed25519_verify(public, message, signature):
    commitment, s = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(commitment + public + message).digest(), "little") % L
    right = add(decompress(commitment), multiply(h, decompress(public)))
    return compress(multiply(s, BASE)) == compress(right)


# FIPS 204, verification of ML-DSA-44.

Q, DROPPED, TAU, GAMMA1, GAMMA2, K, BETA, OMEGA = 8380417, 13, 39, 2**17, 95232, 4, 78, 80
ZETAS = [pow(1753, int(f"{i:08b}"[::-1], 2), Q) for i in range(256)]


def ntt(w):
    w, m, length = list(w), 0, 128
    while length:
        for start in range(0, 256, 2 * length):
            m += 1
            for j in range(start, start + length):
                t = ZETAS[m] * w[j + length] % Q
                w[j], w[j + length] = (w[j] + t) % Q, (w[j] - t) % Q
        length //= 2
    return w


def inverse_ntt(w):
    w, m, length = list(w), 256, 1
    while length < 256:
        for start in range(0, 256, 2 * length):
            m -= 1
            for j in range(start, start + length):
                t = w[j]
                w[j] = (t + w[j + length]) % Q
                w[j + length] = -ZETAS[m] * (t - w[j + length]) % Q
        length *= 2
    return [value * 8347681 % Q for value in w]


def unpack(data, bits):
    number = int.from_bytes(data, "little")
    return [number >> bits * i & (1 << bits) - 1 for i in range(len(data) * 8 // bits)]


def sample_uniform(seed):
    stream, values, at = hashlib.shake_128(seed).digest(1680), [], 0
    while len(values) < 256:
        value = int.from_bytes(stream[at : at + 3], "little") & 0x7FFFFF
        at += 3
        if value < Q:
            values.append(value)
    return values


def sample_in_ball(seed):
    stream, c, at = hashlib.shake_256(seed).digest(1024), [0] * 256, 8
    signs = int.from_bytes(stream[:8], "little")
    for i in range(256 - TAU, 256):
        while stream[at] > i:
            at += 1
        j, at = stream[at], at + 1
        c[i] = c[j]
        c[j] = -1 if signs >> (i + TAU - 256) & 1 else 1
    return c


def unpack_hint(y):
    hint, index = [[0] * 256 for _ in range(K)], 0
    for i in range(K):
        end = y[OMEGA + i]
        if not index <= end <= OMEGA:
            return None
        positions = y[index:end]
        if any(a >= b for a, b in zip(positions, positions[1:])):
            return None
        for position in positions:
            hint[i][position] = 1
        index = end
    return None if any(y[index:OMEGA]) else hint


def use_hint(hint, r):
    r0 = r % (2 * GAMMA2)
    if r0 > GAMMA2:
        r0 -= 2 * GAMMA2
    r1 = (r - r0) // (2 * GAMMA2)
    if r - r0 == Q - 1:
        r1, r0 = 0, r0 - 1
    if not hint:
        return r1
    return (r1 + 1) % 44 if r0 > 0 else (r1 - 1) % 44


def ml_dsa_44_verify(public, message, signature):
    if len(public) != 1312 or len(signature) != 2420:
        return False
    seed, challenge, hint = public[:32], signature[:32], unpack_hint(signature[2336:])
    t1 = [unpack(public[32 + 320 * i : 352 + 320 * i], 10) for i in range(K)]
    z = [unpack(signature[32 + 576 * i : 608 + 576 * i], 18) for i in range(4)]
    z = [[GAMMA1 - value for value in row] for row in z]
    if hint is None or max(abs(value) for row in z for value in row) >= GAMMA1 - BETA:
        return False
    key_hash = hashlib.shake_256(public).digest(64)
    mu = hashlib.shake_256(key_hash + b"\0\0" + message).digest(64)
    c, z, packed = ntt(sample_in_ball(challenge)), [ntt(row) for row in z], 0
    for row in range(K):
        t = ntt([value << DROPPED for value in t1[row]])
        w = [-a * b for a, b in zip(c, t)]
        for column in range(4):
            a = sample_uniform(seed + bytes([column, row]))
            w = [sum_ + x * y for sum_, x, y in zip(w, a, z[column])]
        for i, value in enumerate(inverse_ntt([value % Q for value in w])):
            packed |= use_hint(hint[row][i], value) << 6 * (256 * row + i)
    encoded = packed.to_bytes(768, "little")
    return hashlib.shake_256(mu + encoded).digest(32) == challenge


def ml_dsa_44_verify_by_package(public, message, signature):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import mldsa
    except ImportError:
        return None
    try:
        mldsa.MLDSA44PublicKey.from_public_bytes(public).verify(signature, message)
        return True
    except InvalidSignature:
        return False


# RFC 6962, section 2.1.


def tree_hash(entries):
    if not entries:
        return hashlib.sha256(b"").digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\0" + entries[0]).digest()
    k = split(len(entries))
    return hashlib.sha256(b"\1" + tree_hash(entries[:k]) + tree_hash(entries[k:])).digest()


def split(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def consistency(m, entries, is_known=True):
    n = len(entries)
    if m == n:
        return [] if is_known else [tree_hash(entries)]
    k = split(n)
    if m <= k:
        return consistency(m, entries[:k], is_known) + [tree_hash(entries[k:])]
    return consistency(m - k, entries[k:], False) + [tree_hash(entries[:k])]


# C2SP signed-note, tlog-checkpoint and tlog-cosignature.


def b64(data):
    return base64.b64encode(data).decode()


def key_id(name, kind, public):
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def checkpoint(entries):
    text = f"{ORIGIN}\n{len(entries)}\n{b64(tree_hash(entries))}\n"
    identity = key_id(ORIGIN, 1, ed25519_public(SEED))
    signature = identity + ed25519_sign(SEED, text.encode())
    return text, f"\u2014 {ORIGIN} {b64(signature)}\n"


def read_vkey(line):
    name, identity, rest = line.split("+", 2)
    decoded = base64.b64decode(rest, validate=True)
    kind, public = decoded[0], decoded[1:]
    assert key_id(name, kind, public).hex() == identity, line
    return name, kind, public


def signed_message(name, kind, timestamp, text):
    if kind == 4:
        return f"cosignature/v1\ntime {timestamp}\n{text}".encode()
    origin, size, root = text.split("\n")[:3]
    return (
        b"subtree/v1\n\0"
        + bytes([len(name.encode())])
        + name.encode()
        + struct.pack(">Q", timestamp)
        + bytes([len(origin.encode())])
        + origin.encode()
        + struct.pack(">QQ", 0, int(size))
        + base64.b64decode(root)
    )


def check_cosignatures(lines, keys, text):
    """Checks that there is one valid line for each key, and returns their times."""
    times = []
    for name, kind, public in keys:
        identity, matching = key_id(name, kind, public), []
        for line in lines:
            dash, signer, encoded = line.split(" ")
            decoded = base64.b64decode(encoded, validate=True)
            if dash == "\u2014" and signer == name and decoded[:4] == identity:
                matching.append(decoded[4:])
        assert len(matching) == 1, (name, kind, lines)
        timestamp, signature = struct.unpack(">Q", matching[0][:8])[0], matching[0][8:]
        message = signed_message(name, kind, timestamp, text)
        if kind == 4:
            assert ed25519_verify(public, message, signature), "Ed25519"
        else:
            assert ml_dsa_44_verify(public, message, signature), "ML-DSA-44"
            assert not ml_dsa_44_verify(public, message + b"x", signature), "ML-DSA-44"
            assert ml_dsa_44_verify_by_package(public, message, signature) in (True, None)
        times.append(timestamp)
    return times


def request(address, method, path, body=None):
    connection = http.client.HTTPConnection(address, timeout=30)
    connection.request(method, path, body=None if body is None else body.encode())
    response = connection.getresponse()
    answer = response.status, response.getheader("content-type"), response.read().decode()
    connection.close()
    return answer


def run(address, file):
    keys = [read_vkey(line) for line in open(file).read().split()]
    assert sorted(kind for _, kind, _ in keys) == [4, 6], keys
    path = f"/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/checkpoint"
    assert request(address, "GET", path)[0] == 404
    entries, checked = [f"entry {i}".encode() for i in range(300)], 0
    sizes = [0, 0, 1, 2, 7, 7, 64, 200, 256, 257, 300]
    for old, new in zip(sizes, sizes[1:]):
        text, log_line = checkpoint(entries[:new])
        proof = "".join(b64(h) + "\n" for h in (consistency(old, entries[:new]) if old else []))
        status, _, body = request(
            address, "POST", "/add-checkpoint", f"old {old}\n{proof}\n{text}\n{log_line}"
        )
        assert status == 200, (old, new, status, body)
        assert body.endswith("\n")
        times = check_cosignatures(body.splitlines(), keys, text)
        assert all(abs(at - time.time()) < 60 for at in times), times
        checked += len(times)
        status, media_type, note = request(address, "GET", path)
        assert (status, media_type) == (200, "text/plain; charset=utf-8")
        served, lines = note.rsplit("\n\n", 1)
        assert served + "\n" == text
        assert log_line.strip() in lines.splitlines()
        assert sorted(lines.splitlines()) == sorted(log_line.splitlines() + body.splitlines())
        status, media_type, body = request(
            address, "POST", "/add-checkpoint", f"old {new + 1}\n\n{text}\n{log_line}"
        )
        assert status == 400, status
        if new:
            status, media_type, body = request(
                address, "POST", "/add-checkpoint", f"old {new - 1}\n\n{text}\n{log_line}"
            )
            assert (status, media_type, body) == (409, "text/x.tlog.size", f"{new}\n")
    print(f"{checked} cosignatures verified")


if __name__ == "__main__":
    if sys.argv[1] == "vkey":
        public = ed25519_public(SEED)
        print(f"{ORIGIN}+{key_id(ORIGIN, 1, public).hex()}+{b64(bytes([1]) + public)}")
    else:
        run(sys.argv[2], sys.argv[3])
