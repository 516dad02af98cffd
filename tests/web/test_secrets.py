"""Nothing that lets somebody in is in what `serve` prints, but the one link that it prints once."""

from __future__ import annotations

import http.cookiejar
import json
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pyotp
import pytest

PASSWORD, WRONG = "correct horse battery", "incorrect horse battery"


class Browser:
    """Cookies, forms and the page's token, by the standard library."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.token = ""

    def page(self, path: str, **fields: str) -> str:
        data = urllib.parse.urlencode({"token": self.token, **fields}).encode() if fields else None
        headers = {"origin": self.address, "accept": "text/html"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers)
        try:
            text = self._opener.open(request, timeout=20).read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
        found = re.search(r'name="token" content="(\w+)"', text)
        self.token = found[1] if found else self.token
        return text

    @property
    def cookies(self) -> set[str]:
        return {str(one.value) for one in self.jar}


def _rubbish(address: str, line: str) -> None:
    """A request that is none, so that the server has something to complain about."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        wire.sendall(f"{line}\r\n\r\n".encode())
        wire.recv(4096)


@pytest.mark.slow
def test_no_secret_is_in_what_serve_prints(tmp_path: Path) -> None:
    said = tmp_path / "said"
    command = [
        sys.executable, "-m", "houseway", "serve", "--no-demonstration", "--database",
        str(tmp_path / "house.db"), "--port", "0", "--json", "--no-open",
    ]  # fmt: skip
    with said.open("w+") as out:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, text=True)
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            opened = json.loads(first)
            browser = Browser(opened["address"])
            link = opened["link"].removeprefix(opened["address"])
            browser.page(link)
            browser.page(link, password="short", again="short")
            browser.page(link, password=PASSWORD, again=PASSWORD)
            key = re.search(r"Key: <code>(\w+)</code>", browser.page("/second-factor"))[1]
            told = browser.page("/second-factor", secret=key, code=pyotp.TOTP(key).now())
            codes = re.findall(r"<code>([0-9a-f]{6}-[0-9a-f]{6})</code>", told)
            secrets = {PASSWORD, WRONG, key, browser.token, *browser.cookies}
            # signing in again, wrongly and rightly
            browser.page("/sign-out", x="")
            browser.page("/sign-in", person="admin", password=WRONG)
            browser.page("/sign-in", person="admin", password=PASSWORD, code=codes[0])
            secrets |= {browser.token, *browser.cookies}
            # a link for somebody new, a token for a program, and the token in use
            people = browser.page("/people", what="add", person="rosa", name="Rosa", roles="player")
            secrets.add(re.search(r"/link/([\w-]{20,})", people)[1])
            token = re.search(
                r'role="status"><code>([\w-]+)</code>', browser.page("/me/token", x="")
            )[1]
            secrets.add(token)
            by_name = urllib.request.Request(
                opened["address"] + "/api/session",
                json.dumps({"person": "admin", "password": PASSWORD, "code": codes[1]}).encode(),
            )
            secrets.add(json.load(urllib.request.urlopen(by_name, timeout=20))["token"])
            for path in ("/api/tables", "/api/tables/nowhere", "/api/tables/%ff"):
                asked = urllib.request.Request(
                    opened["address"] + path, headers={"authorization": f"Bearer {token}"}
                )
                try:
                    urllib.request.urlopen(asked, timeout=20).read()
                except urllib.error.HTTPError as error:
                    assert error.code == 404
            _rubbish(
                opened["address"], f"GET {link} HTTP/9.9\r\ncookie: houseway={token}\r\nno line"
            )
        finally:
            process.terminate()
            rest = process.communicate(timeout=20)[0]
        out.seek(0)
        printed = first + rest + out.read()
    assert "Invalid HTTP request" in printed, "the log says nothing at all, so it proves nothing"
    assert printed.count(link.rpartition("/")[2]) == 1
    assert min(map(len, secrets)) >= 20
    for secret in (*secrets, *codes):
        assert secret not in printed
