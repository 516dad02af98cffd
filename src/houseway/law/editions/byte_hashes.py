"""Editions by the hash that tables recorded before editions had an identity.

Until then an edition was identified by the bytes of its files. A table on record with one of these
hashes plays by the edition that is named here.
"""

from __future__ import annotations

from houseway.law.chapter import DOWN_UNDER, MA, MD, PRIME, SAIGON

BYTE_HASHES = {
    "9b447ab4ee43dc9183ba1384c1abbbfebeb93b3d2bc4c699f2d19b50ce4375bc": (MD, "1.4"),
    "783c4a1c30acf60acb7d2c69b7b1dbf3ab9ee1108e11771f4578a5f04b09cb02": (MA, "undated"),
    "966f0cca65dc6ab4243bd5c4e5155a838887d08c912f35baaaa4925758fc7673": (PRIME, "2015-12-12"),
    "59915cb53a43cd85cc5d84a79153a6055ff09eef9b303032de9323ee5316170d": (SAIGON, "2015-12-12"),
    "ab95f53caeac9879c316183319d07f3609b05bf2d53687283203e48bc65d3e13": (DOWN_UNDER, "2018-09-11"),
}  # fmt: skip
