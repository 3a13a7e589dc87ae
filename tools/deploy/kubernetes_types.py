"""Checks Kubernetes objects against the types of the official Python client (Debian's python3-kubernetes): every
field exists and has the right type, and required fields are present. It checks no cluster and no admission rules."""

import re

from kubernetes import client

SIMPLE = {"str": str, "int": int, "bool": bool, "float": (int, float)}


def errors(kind_object):
    """Returns the errors, one line each."""
    kind = kind_object.get("kind")
    version = kind_object.get("apiVersion", "").rsplit("/", 1)[-1]
    cls = getattr(client, f"{version.capitalize()}{kind}", None)
    if cls is None:
        return [f"{kind_object.get('apiVersion')} has no {kind}"]
    return list(of_class(kind_object, cls, kind))


def of_class(value, cls, where):
    if not isinstance(value, dict):
        yield f"{where} is not an object"
        return
    names = {wire: name for name, wire in cls.attribute_map.items()}
    given = {}
    for key, inner in value.items():
        if key not in names:
            yield f"{where} has no field {key}"
            continue
        given[names[key]] = inner
        yield from of_type(inner, cls.openapi_types[names[key]], f"{where}.{key}")
    try:
        cls(**given)
    except ValueError as error:
        yield f"{where}: {error}"


def of_type(value, kind, where):
    if found := re.fullmatch(r"list\[(.+)]", kind):
        if not isinstance(value, list):
            yield f"{where} is not a list"
            return
        for index, inner in enumerate(value):
            yield from of_type(inner, found[1], f"{where}[{index}]")
    elif found := re.fullmatch(r"dict\(str, (.+)\)", kind):
        for key, inner in value.items():
            yield from of_type(inner, found[1], f"{where}.{key}")
    elif kind in SIMPLE:
        is_bool_as_int = kind == "int" and isinstance(value, bool)
        if not isinstance(value, SIMPLE[kind]) or is_bool_as_int:
            yield f"{where} is not of type {kind}"
    elif kind not in ("object", "datetime"):
        yield from of_class(value, getattr(client, kind), where)
