"""What holds for every test: a slow machine is no failure, so no example has a deadline."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("houseway", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("houseway")
