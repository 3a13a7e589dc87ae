#!/usr/bin/env python3
"""Generates crates/server/src/sessions/passwords/tried-first.bin, the common passwords that are rejected.

    tools/passwords/make-tried-first.py FREQUENCY_LISTS_RS > crates/server/src/sessions/passwords/tried-first.bin

The argument is `src/frequency_lists.rs` of the crate `zxcvbn` 3.1.1 (MIT, (c) 2016 Joshua Holmer, after
zxcvbn, MIT, (c) 2012 Dropbox), whose list of passwords is ordered by frequency. Our passwords have at
least 12 characters, but few in the list are that long. So the script adds the ways in which people
lengthen a short password: repeated, or followed by a number or a year.

The file contains the first four bytes of the SHA-256 of each password in lower case, big endian and sorted.
"""

import hashlib
import re
import sys

CHARACTERS_MIN = 12
DOUBLED = 5000
WITH_SUFFIX = 500
ALSO = ["admin", "administrator", "changeme", "changeit", "welcome", "default", "passwort", "hallo",
        "letmein", "secret", "geheim", "test", "testtest", "musette"]
SUFFIXES = ["1", "01", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789",
            "1234567890", "000", "0000", "111", "321", "4321", "!", "!!", "1!", "12!", "123!", "1234!",
            "@123", "@1234", "#1", "qwerty", "abc", "xyz"]
SUFFIXES += [str(year) for year in range(1980, 2036)]
SUFFIXES += [f"{year}!" for year in range(2015, 2036)]
ROWS = ["1234567890" * 3, "0123456789" * 3, "9876543210" * 3, "0987654321" * 3,
        "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba",
        "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
        "qwerty1234567890", "1234567890qwertyuiop"]


def passwords(source):
    match = re.search(r'const PASSWORDS: &str = "([^"]*)"', source)
    return match.group(1).split(",")


def stretched(common):
    for word in common:
        yield word
    for word in common[:DOUBLED] + ALSO:
        for times in (2, 3, 4):
            yield word * times
    for word in common[:WITH_SUFFIX] + ALSO:
        for suffix in SUFFIXES:
            yield word + suffix
    for row in ROWS:
        for length in range(CHARACTERS_MIN, len(row) + 1):
            yield row[:length]
    for character in map(chr, range(33, 127)):
        for length in range(CHARACTERS_MIN, 33):
            yield character * length


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        common = passwords(file.read())
    words = {word.lower() for word in stretched(common) if CHARACTERS_MIN <= len(word) <= 32}
    prefixes = {hashlib.sha256(word.encode()).digest()[:4] for word in words}
    sys.stdout.buffer.write(b"".join(sorted(prefixes)))
    print(f"{len(words)} passwords, {len(prefixes)} prefixes", file=sys.stderr)


main()
