"""How examples are drawn: the same in each run, and as slowly as a busy machine may."""

from hypothesis import HealthCheck, settings

PATIENT = settings(deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
