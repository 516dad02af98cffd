"""Connections to a PostgreSQL server: a few for all threads, with errors that say what happened."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, LiteralString

import psycopg
from psycopg import errors, pq

from houseway.store.log import Unavailable

_OK = int(pq.ConnStatus.OK)
_TUPLES_OK = int(pq.ExecStatus.TUPLES_OK)
_BINARY = int(pq.Format.BINARY)


class Connections:
    """A limited number of connections; a caller that finds none free waits for one."""

    def __init__(self, url: str, *, readonly: bool, most: int) -> None:
        self._url = url
        self._readonly = readonly
        #: idle connections; None in place of a broken one, where another may be opened
        self._free: SimpleQueue[psycopg.Connection | None] = SimpleQueue()
        self._more = threading.Semaphore(most)

    def connect(self, *prepare: LiteralString) -> psycopg.Connection:
        """A separate connection, after these statements; closed if one of them fails."""
        try:
            connection = psycopg.connect(
                self._url, autocommit=True, prepare_threshold=0, connect_timeout=10,
                application_name="houseway", client_encoding="utf8",
            )  # fmt: skip
            try:
                connection.execute(
                    "select set_config('synchronous_commit', 'on', false),"
                    " set_config('default_transaction_isolation', 'read committed', false)"
                )
                if self._readonly:
                    connection.execute("set default_transaction_read_only = on")
                for statement in prepare:
                    connection.execute(statement)
            except BaseException:
                connection.close()
                raise
        except psycopg.Error as error:
            raise clear(error) from error
        return connection

    @contextmanager
    def one(self) -> Iterator[psycopg.Connection]:
        """One of the connections; a broken one is closed and not used again."""
        connection = self._take()
        try:
            yield connection
        except psycopg.Error as error:
            raise clear(error) from error
        finally:
            self._give_back(connection)

    def _take(self) -> psycopg.Connection:
        try:
            found = self._free.get_nowait()
        except Empty:
            found = None if self._more.acquire(blocking=False) else self._free.get()
        if found is not None:
            return found
        try:
            return self.connect()
        except BaseException:
            self._free.put(None)
            raise

    def _give_back(self, connection: psycopg.Connection) -> None:
        if connection.pgconn.status == _OK:
            self._free.put(connection)
        else:
            connection.close()
            self._free.put(None)

    def close_free(self) -> None:
        """Close idle connections; they are opened again when needed."""
        found = []
        while True:
            try:
                found.append(self._free.get_nowait())
            except Empty:
                break
        for connection in found:
            if connection is not None:
                connection.close()
            self._free.put(None)

    def ask(self, sql: LiteralString, *values: object) -> list[Any]:
        """The result of a query; it is sent once more after a restart of the server."""
        try:
            with self.one() as connection:
                return connection.cursor(binary=True).execute(sql, values).fetchall()
        except Unavailable as lost:
            if lost.code != "record_unreachable":
                raise
            self.close_free()
            with self.one() as connection:
                return connection.cursor(binary=True).execute(sql, values).fetchall()

    def call(self, prepared: Prepared, *values: bytes) -> bytes | None:
        """The single result of a statement, directly through libpq.

        The overhead of a cursor would take as long as the server takes for one row.
        """
        connection = self._take()
        try:
            server = connection.pgconn
            result = server.exec_prepared(prepared.name, values, None, _BINARY)
            if result.status == _TUPLES_OK:
                return result.get_value(0, 0)
            if result.error_field(pq.DiagnosticField.SQLSTATE) == b"26000":  # not prepared here yet
                server.prepare(prepared.name, prepared.sql, prepared.types)
                result = server.exec_prepared(prepared.name, values, None, _BINARY)
            if result.status == _TUPLES_OK:
                return result.get_value(0, 0)
            if server.status != _OK:
                raise psycopg.OperationalError(server.get_error_message())
            raise errors.error_from_result(result)
        except psycopg.Error as error:
            raise clear(error) from error
        finally:
            self._give_back(connection)


class Prepared:
    """A statement that is prepared once on each connection, with the types of its parameters."""

    def __init__(self, name: bytes, sql: bytes, *types: str) -> None:
        self.name = name
        self.sql = sql
        self.types = [psycopg.adapters.types.get_oid(one) for one in types]


def clear(error: psycopg.Error) -> Unavailable:
    """PostgreSQL's errors as refusals that say what happened to the record."""
    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, errors.DiskFull):
        return Unavailable("record_full", f"the database server's disk is full ({said})")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return Unavailable("record_read_only", "the database can only be read")
    if isinstance(error, errors.IntegrityConstraintViolation | errors.UniqueViolation):
        return Unavailable("record_rule", f"a rule of the record forbids it ({said})")
    if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled | errors.DeadlockDetected):
        return Unavailable("record_busy", f"the database did not answer in time ({said})")
    if isinstance(error, errors.InsufficientPrivilege | errors.InvalidPassword):
        return Unavailable("record_forbidden", f"the database refused this user ({said})")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Unavailable("record_unreachable", f"the database cannot be reached ({said})")
    return Unavailable("record_error", f"the database refuses ({said})")
