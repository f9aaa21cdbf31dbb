"""Queries in processes of their own, because a running query can only be stopped by ending its process.

pyoxigraph has no timeout and no cancelling. So one small process, the *nursery*, is forked while nothing else runs,
holds the loaded store and does nothing but fork workers from itself: a worker is ready within milliseconds and shares
the store's memory with all the others. The process that listens never evaluates anything.
"""

import contextlib
import gc
import json
import os
import resource
import signal
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from halluvault_tasks.local.endpoint_store import QueryAnswer, Served, evaluate

_HEAD = struct.Struct("!II")
_LONGEST_MESSAGE = 64


class Late(Exception):
    """The query ran into the deadline; its worker was ended."""


class Crowded(Exception):
    """Every worker was busy for the length of a deadline."""


class Died(Exception):
    """The worker ended in the middle of the query, by no wish of ours."""


class _Worker(NamedTuple):
    pid: int
    channel: socket.socket


class WorkerPool:
    """Workers over one store, started when needed.

    Make it before the process starts threads where that can be arranged: the nursery is a fork of the caller.

    Args:
        served: the loaded store.
        workers: how many queries run at a time.
        deadline: seconds that one query may run.
    """

    def __init__(self, served: Served, workers: int, deadline: float) -> None:
        self.deadline = deadline
        self.killed = 0
        """How many workers met the deadline."""
        self._idle: deque[_Worker] = deque()
        self._free = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        gc.freeze()  # a collection would otherwise write to, and so unshare, every page of ours in the children
        self._nursery = os.fork()
        if self._nursery == 0:
            _child(theirs, lambda control: _nurse(served, control))
        gc.unfreeze()
        theirs.close()

    def ask(self, query: str, accept: str) -> QueryAnswer:
        """Have a worker answer one query.

        Raises:
            Late: it ran for longer than the deadline.
            Crowded: no worker became free in that time.
            Died: the worker, or all of them, ended.
        """
        if not self._free.acquire(timeout=self.deadline):
            raise Crowded(f"all workers were busy for {self.deadline:g} s")
        try:
            try:
                worker = self._idle.pop()
            except IndexError:
                worker = self._start()
            try:
                answer = _ask(worker.channel, query, accept, self.deadline)
            except TimeoutError as error:
                self._end(worker)
                self.killed += 1
                raise Late(f"the query ran for longer than {self.deadline:g} s") from error
            except (OSError, EOFError) as error:
                self._end(worker)
                raise Died("the worker ended in the middle of the query") from error
            self._idle.append(worker)
            return answer
        finally:
            self._free.release()

    def close(self) -> None:
        """End every worker and the nursery."""
        self._control.close()
        for worker in self._idle:
            worker.channel.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._nursery, 0)

    def _start(self) -> _Worker:
        with self._lock:
            try:
                self._control.send(b"new")
                text, descriptors, _, _ = socket.recv_fds(self._control, _LONGEST_MESSAGE, 1)
            except OSError as error:
                raise Died("the process that starts workers has ended") from error
        if not descriptors:
            raise Died("the process that starts workers has ended")
        return _Worker(int(text), socket.socket(fileno=descriptors[0]))

    def _end(self, worker: _Worker) -> None:
        worker.channel.close()
        with self._lock, contextlib.suppress(OSError):
            self._control.send(f"end {worker.pid}".encode())


def _child(channel: socket.socket, work: Callable[[socket.socket], None]) -> NoReturn:
    """Be a child: keep one descriptor and the three standard ones, and never return into the caller's code."""
    status = 1
    try:
        # Ctrl-C reaches the whole group, and the parent alone decides what it means; we end with our channel.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        kept = os.dup2(channel.fileno(), 3) if channel.fileno() != 3 else 3
        channel.detach()
        # Also our parent's listening sockets and database connections: a port must not outlive its server.
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        work(socket.socket(fileno=kept))
        status = 0
    finally:
        os._exit(status)


def _nurse(served: Served, control: socket.socket) -> None:
    children: set[int] = set()
    try:
        while message := control.recv(_LONGEST_MESSAGE).decode():
            if message == "new":
                ours, theirs = socket.socketpair()
                pid = os.fork()
                if pid == 0:
                    control.close()
                    ours.close()
                    _child(theirs, lambda channel: _serve(served, channel))
                children.add(pid)
                socket.send_fds(control, [str(pid).encode()], [ours.fileno()])
                ours.close()
                theirs.close()
            elif (pid := int(message.removeprefix("end "))) in children:
                children.remove(pid)
                _kill(pid)
    finally:
        for pid in children:
            _kill(pid)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _serve(served: Served, channel: socket.socket) -> None:
    # No further descriptor, hence no socket: a SERVICE clause must not make this machine call others.
    resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    while True:
        try:
            query, accept = _receive(channel)
        except EOFError:
            return
        answer = evaluate(served.store, query.decode(), accept.decode())
        head = json.dumps([answer.status, answer.kind, answer.seconds, answer.cpu]).encode()
        _send(channel, head, answer.body)


def _ask(channel: socket.socket, query: str, accept: str, deadline: float) -> QueryAnswer:
    ends = time.monotonic() + deadline
    channel.settimeout(deadline)
    _send(channel, query.encode(), accept.encode())
    head, body = _receive(channel, ends)
    status, kind, seconds, cpu = json.loads(head)
    return QueryAnswer(status, kind, body, seconds, cpu)


def _send(channel: socket.socket, first: bytes, second: bytes) -> None:
    channel.sendall(_HEAD.pack(len(first), len(second)) + first)
    channel.sendall(second)


def _receive(channel: socket.socket, ends: float | None = None) -> tuple[bytes, bytes]:
    sizes = _HEAD.unpack(_exactly(channel, _HEAD.size, ends))
    first, second = (_exactly(channel, size, ends) for size in sizes)
    return first, second


def _exactly(channel: socket.socket, size: int, ends: float | None) -> bytes:
    found = bytearray(size)
    view, done = memoryview(found), 0
    while done < size:
        if ends is not None:
            if (left := ends - time.monotonic()) <= 0:
                raise TimeoutError
            channel.settimeout(left)
        count = channel.recv_into(view[done:])
        if not count:
            raise EOFError
        done += count
    return bytes(found)
