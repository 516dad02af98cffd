"""The examples of `examples/deploy`: each is parsed, and run where this machine can run it."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from served import served

from houseway.cli import build

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "examples" / "deploy"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
#: what a container file may say
INSTRUCTIONS = {
    "FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK",
    "ENTRYPOINT", "CMD",
}  # fmt: skip


def serve_options(words: list[str]) -> dict[str, object]:
    """The options of `houseway serve …` as the program reads them; an unknown one is refused."""
    assert Path(words[0]).name == "houseway"
    _, bound, *_ = build("serve").parse_args(words[1:], exit_on_error=False, print_error=False)
    return dict(bound.arguments)


def unit() -> configparser.ConfigParser:
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(DEPLOY / "houseway.service", encoding="utf-8")
    return found


def test_the_unit_starts_the_house_without_the_demonstration() -> None:
    given = serve_options(shlex.split(unit()["Service"]["ExecStart"]))
    assert given["demonstration"] is False
    assert given["open_browser"] is False
    assert str(given["public"]).startswith("https://")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path) -> None:
    text = (DEPLOY / "houseway.service").read_text(encoding="utf-8")
    program = tmp_path / "houseway"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "houseway.service").write_text(
        text.replace("/opt/houseway/bin/houseway serve", f"{program} serve")
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", tmp_path / "houseway.service"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, [line for line in done.stderr.splitlines() if "houseway" in line]) == (
        0, [],
    )  # fmt: skip


def blocks(text: str) -> list[tuple[list[str], ...]]:
    """The directives of an nginx configuration, each with the blocks that it stands in."""
    tokens = re.findall(r"[{};]|[^\s{};]+", re.sub(r"#.*", "", text))
    found: list[tuple[list[str], ...]] = []
    within: list[list[str]] = []
    words: list[str] = []
    for token in tokens:
        if token == "{":
            within.append(words)
            words = []
        elif token == "}":
            assert not words, f"no ; after {words}"
            within.pop()
        elif token == ";":
            found.append((*within, words))
            words = []
        else:
            words.append(token)
    assert not within
    assert not words
    return found


def test_nginx_passes_streams_on_and_tells_who_asks() -> None:
    given = blocks((DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    assert {place[0][0] for place in given} == {"server"}
    root = [place[-1] for place in given if place[-2] == ["location", "/"]]
    assert ["proxy_pass", "http://127.0.0.1:8321"] in root  # where `serve` listens by default
    assert ["proxy_buffering", "off"] in root
    for header in ("Host", "X-Forwarded-For", "X-Forwarded-Proto"):
        assert any(words[:2] == ["proxy_set_header", header] for words in root), header


def instructions() -> list[tuple[str, str]]:
    """The instructions of the container file, each with what follows it."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [(word, rest) for line in lines if line for word, rest in [line.split(None, 1)]]


def test_the_container_file_can_be_read_and_copies_what_is_there() -> None:
    given = instructions()
    assert {word for word, _ in given} <= INSTRUCTIONS
    said = dict(given)
    serve_options(json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"]))
    assert said["USER"] not in ("root", "0")
    for word, rest in given:
        if word == "COPY" and not rest.startswith("--from"):
            assert all((ROOT / name).exists() for name in rest.split()[:-1])
    assert any("[web,record,documents,workbooks,maths,site]" in rest for _, rest in given)


def certificate(folder: Path) -> None:
    """A certificate of our own for casino.example."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "casino.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "casino.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "casino.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@pytest.mark.slow
@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_a_house_behind_nginx_is_reached_by_https(tmp_path) -> None:
    """The example as it stands, with other ports and a certificate of our own."""
    assert NGINX is not None
    certificate(tmp_path)
    public = "https://casino.example"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with served(tmp_path, "--no-demonstration", "--public", public, port=port):
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        for before, after in (
            ("/etc/ssl/certs/casino.example.pem", str(tmp_path / "casino.pem")),
            ("/etc/ssl/private/casino.example.key", str(tmp_path / "casino.key")),
            ("http://127.0.0.1:8321", f"http://127.0.0.1:{port}"),
            ("listen 443 ssl", f"listen unix:{tmp_path}/https.sock ssl"),
            ("listen 80", f"listen unix:{tmp_path}/http.sock"),
        ):
            assert before in text
            text = text.replace(before, after)
        whole = tmp_path / "nginx.conf"
        whole.write_text(
            f"pid {tmp_path}/nginx.pid; error_log {tmp_path}/error.log; daemon off;\n"
            f"events {{}} http {{ access_log off; client_body_temp_path {tmp_path}/body;\n"
            f"proxy_temp_path {tmp_path}/proxy; fastcgi_temp_path {tmp_path}/f;\n"
            f"uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;\n{text}}}\n"
        )
        command = [NGINX, "-e", tmp_path / "error.log", "-p", tmp_path, "-c", whole]
        done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        try:
            answer = over_https(tmp_path / "https.sock")
            stream = over_https(tmp_path / "https.sock", "/stream", until=b"event: beat")
        finally:
            process.terminate()
            process.communicate(timeout=30)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"strict-transport-security" in answer.lower()
    assert b"content-type: text/event-stream" in stream.lower()


def over_https(socket_path: Path, path: str = "/sign-in", until: bytes = b"") -> bytes:
    """What a page answers through the proxy; of a stream, which has no end, what comes `until`."""
    deadline = time.monotonic() + 30
    while True:
        try:
            plain = socket.socket(socket.AF_UNIX)
            plain.settimeout(30)
            plain.connect(str(socket_path))
            break
        except OSError:
            plain.close()
            assert time.monotonic() < deadline
            time.sleep(0.1)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with context.wrap_socket(plain, server_hostname="casino.example") as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: casino.example\r\nAccept: */*\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        found = b""
        while (not until or until not in found) and (piece := line.recv(65536)):
            found += piece
            assert time.monotonic() < deadline, found
    return found


@pytest.mark.full
def test_what_the_container_file_says_works_without_an_engine(tmp_path) -> None:
    """Its first stage is followed in a folder; the house it makes opens and has all its pages."""
    source, venv, data = (tmp_path / name for name in ("src", "venv", "data"))
    for folder in (source, data):
        folder.mkdir()

    def moved(text: str) -> str:
        return text.replace("/venv", str(venv)).replace("/data", str(data))

    given = instructions()
    stage = given[1 : next(at for at, (word, _) in enumerate(given) if word == "FROM" and at)]
    for word, rest in stage:
        *names, target = rest.split()
        for name in names if word == "COPY" else ():
            if (ROOT / name).is_dir():
                leave = shutil.ignore_patterns("__pycache__", "site" if name == "src" else "")
                shutil.copytree(ROOT / name, source / target, ignore=leave)
            else:
                shutil.copy(ROOT / name, source / target)
        if word == "RUN":
            command = moved(rest).replace("python -m venv", f"{sys.executable} -m venv")
            subprocess.run(command, shell=True, cwd=source, check=True, timeout=1800)
    said = dict(given)
    command = json.loads(moved(said["ENTRYPOINT"])) + json.loads(said["CMD"])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {"PATH": os.environ["PATH"]} | dict(
        one.split("=") for one in moved(said["ENV"]).split()
    )
    house = subprocess.Popen(
        [*command, "--port", str(port)], env=environment, cwd=data, stdout=subprocess.PIPE
    )
    try:
        assert house.stdout is not None
        assert house.stdout.readline().startswith(b"The house is open at https://casino.example")
        for path in ("/alive", "/docs/index.html", "/mathematics/pa-saigon-5-card/workbook"):
            asked = urllib.request.Request(
                f"http://127.0.0.1:{port}{path}", headers={"Host": "casino.example"}
            )
            status = 202  # figures that are still being counted are asked for again
            for _ in range(60):
                with urllib.request.urlopen(asked, timeout=120) as answer:
                    status = answer.status
                if status != 202:
                    break
                time.sleep(2)
            assert (path, status) == (path, 200)
    finally:
        house.terminate()
        house.communicate(timeout=60)


def _docker_runs() -> bool:
    docker = shutil.which("docker") or shutil.which("podman")
    if docker is None:
        return False
    done = subprocess.run([docker, "info"], capture_output=True, check=False, timeout=30)
    return done.returncode == 0


@pytest.mark.full
def test_the_container_is_built_and_answers() -> None:
    if not _docker_runs():
        pytest.skip("no container engine runs here")
    docker = shutil.which("docker") or shutil.which("podman") or ""
    subprocess.run(
        [docker, "build", "-f", DEPLOY / "Containerfile", "-t", "houseway-test", ROOT],
        check=True, capture_output=True, timeout=1800,
    )  # fmt: skip
    started = subprocess.run(
        [docker, "run", "-d", "--rm", "-p", "127.0.0.1:18321:8321", "houseway-test"],
        check=True, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    try:
        for _ in range(60):
            try:
                urllib.request.urlopen("http://127.0.0.1:18321/alive", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(1)
        else:
            pytest.fail("the container does not answer")
    finally:
        subprocess.run([docker, "stop", started.stdout.strip()], check=False, capture_output=True)
