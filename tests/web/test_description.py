"""The OpenAPI description held against the house by Schemathesis: what it says is what is done."""

from __future__ import annotations

import pytest
import schemathesis
from desk import token
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from served import served

from houseway.web.api.openapi import described

pytestmark = pytest.mark.slow
CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_headers_conformance, response_schema_conformance, negative_data_rejection,
    unsupported_method,
)  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("described"), pace=0) as one:
        yield one


@pytest.fixture(scope="module")
def tokens(house):
    return {role: token(house.address, role) for role in ("guest", "floorperson")}


@pytest.fixture(scope="module")
def operations():
    found = schemathesis.openapi.from_dict(described("http://127.0.0.1"))
    return {one.ok().definition.raw["operationId"]: one.ok() for one in found.get_all_operations()}


# a stream has no end to wait for: test_api follows it
@pytest.mark.parametrize(
    ("id", "mode"),
    [
        *((id, GenerationMode.POSITIVE) for id in ("signIn", "tables", "view", "next", "send")),
        # the others have nothing that could be got wrong
        *((id, GenerationMode.NEGATIVE) for id in ("signIn", "view", "send")),
    ],
)
def test_what_is_asked_is_answered_as_described(id, mode, house, tokens, operations):
    """Well-formed or not, from each role: no fault of ours, and only what is described."""
    cases = operations[id].as_strategy(generation_mode=mode)

    # a sign-in is made slow on purpose
    @settings(
        max_examples=2 if id == "signIn" else 60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def holds(case):
        for given_token in tokens.values():
            # most of what is made up is for a table that there is not: let some of it find one
            if len(case.path_parameters.get("table", "")) > 1:
                case.path_parameters["table"] = "prime"
            case.call_and_validate(
                base_url=house.address,
                headers={"Authorization": f"Bearer {given_token}"},
                checks=CHECKS,
                timeout=20,
            )

    holds()
