#!/usr/bin/env python3
"""Counts words, as a program of Hadoop Pipes: mapper and reducer in one, by the protocol of its C++ library, which Maven
Central does not have."""

import base64
import hmac
import os
import socket

RUN_MAP, MAP_ITEM, RUN_REDUCE, REDUCE_KEY, REDUCE_VALUE, CLOSE, ABORT, ASK = 3, 4, 5, 6, 7, 8, 9, 10
OUTPUT, DONE, ANSWER = 50, 54, 57

with open(os.environ["hadoop.pipes.shared.secret.location"], "rb") as file:
    secret = file.read()
link = socket.create_connection(("localhost", int(os.environ["mapreduce.pipes.command.port"]))).makefile("rwb")


def number():
    """Hadoop's variable-length integer."""
    first = int.from_bytes(link.read(1), "big", signed=True)
    if first >= -112:
        return first
    is_negative = first < -120
    value = int.from_bytes(link.read((-120 if is_negative else -112) - first), "big")
    return ~value if is_negative else value


def text():
    return link.read(number())


def pack(value):
    if value < 128:
        return bytes([value])
    data = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([256 - 112 - len(data)]) + data


def say(code, *texts):
    link.write(pack(code) + b"".join(pack(len(it)) + it for it in texts))
    link.flush()


key, count = None, 0
while True:
    code = number()
    if code == ASK:
        digest, _ = text(), text()
        say(ANSWER, base64.b64encode(hmac.digest(secret, digest, "sha1")))
    elif code == 0:
        number()
    elif code == 1:
        for _ in range(number()):
            text()
    elif code == 2:
        text(), text()
    elif code == RUN_MAP:
        text(), number(), number()
    elif code == MAP_ITEM:
        text()
        for word in text().split():
            say(OUTPUT, word, b"1")
    elif code == RUN_REDUCE:
        number(), number()
    elif code in (REDUCE_KEY, CLOSE, ABORT):
        if key is not None:
            say(OUTPUT, key, b"%d" % count)
        if code != REDUCE_KEY:
            say(DONE)
            break
        key, count = text(), 0
    elif code == REDUCE_VALUE:
        count += int(text())
