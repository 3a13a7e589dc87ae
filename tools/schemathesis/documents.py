"""What schemathesis sends where the API takes a PDF: whatever bytes it made up."""

import schemathesis


@schemathesis.serializer("application/pdf")
def pdf(context, value):
    return {"data": value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")}
