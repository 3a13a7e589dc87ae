"""Lets schemathesis send arbitrary bytes where the API expects a PDF or a report of a mail server."""

import schemathesis


def as_bytes(value):
    return {"data": value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")}


@schemathesis.serializer("application/pdf")
def pdf(context, value):
    return as_bytes(value)


@schemathesis.serializer("multipart/report")
def report(context, value):
    return as_bytes(value)
