"""Lets schemathesis send arbitrary bytes where the API expects a PDF or a report of a mail server."""

import schemathesis


@schemathesis.serializer("application/pdf")
def pdf(context, value):
    return {"data": value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")}


@schemathesis.serializer("multipart/report")
def report(context, value):
    return pdf(context, value)
