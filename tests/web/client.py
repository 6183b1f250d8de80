"""A client of the server in this process, for tests without a browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from goodmeasure.web.application import ServerOptions, application

TOKEN = "a-token-for-tests"
ADDRESS = "http://127.0.0.1:8642"
MATRIX = {"labels": ["ham", "spam"], "counts": [[50, 3], [4, 20]]}


def opened(**options):
    """A client of a server of its own."""
    return TestClient(application(ServerOptions(TOKEN, **options)), base_url=ADDRESS)


@pytest.fixture(scope="package")
def client():
    with opened() as found:
        yield found


def asked(client, route, **data):
    """The answer to a question that the server takes."""
    reply = client.post(f"/api/{route}", json=data)
    assert reply.status_code == 200, reply.text
    return reply.json()


def refused(client, route, data, status=400):
    """The error that the server answers with."""
    reply = client.post(f"/api/{route}", json=data)
    assert reply.status_code == status, reply.text
    return reply.json()["error"]
