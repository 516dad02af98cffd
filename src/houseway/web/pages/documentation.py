"""The documentation at /docs, as `script/site` built it."""

from __future__ import annotations

import posixpath
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from houseway.web.page_support import page

SITE = Path(str(files("houseway.web").joinpath("site")))


async def documentation(request: Request) -> Response:
    """A file of the built documentation, or how to build it."""
    if not (SITE / "index.html").is_file():
        return page(request, "documentation.html")
    # html: a folder is answered by its index, and a path never leaves the folder
    site = StaticFiles(directory=SITE, html=True)
    path = posixpath.normpath(request.path_params["path"])
    answer = await site.get_response(path, request.scope)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


async def with_slash(_request: Request) -> Response:
    """Links in the pages are relative to the folder."""
    return RedirectResponse("/docs/", status_code=308)


ROUTES = [Route("/docs", with_slash), Route("/docs/{path:path}", documentation)]
