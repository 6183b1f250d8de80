"""The client that these tests share."""

from tests.web.client import client as client
