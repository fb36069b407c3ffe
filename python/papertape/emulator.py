"""`papertape serve` for as long as a program or a test needs it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence
from urllib.parse import quote

from .client import Client
from .errors import ServiceError
from .http import send


class EmulatorError(Exception):
    """The emulator did not start."""


def _command() -> List[str]:
    given = os.environ.get("PAPERTAPE_COMMAND")
    if given:
        return shlex.split(given)
    found = shutil.which("papertape")
    if found:
        return [found]
    npx = shutil.which("npx")
    if npx is None:
        raise EmulatorError("found no papertape, and no npx: install it with 'npm install papertape', or set PAPERTAPE_COMMAND")
    return [npx, "--no-install", "papertape"]


class Emulator:
    """An exchange on a free port of this machine: `with Emulator() as emulator: emulator.client().place_order(...)`."""

    def __init__(
        self,
        config: Optional[Mapping[str, Any]] = None,
        *,
        args: Sequence[str] = (),
        command: Optional[Sequence[str]] = None,
        start_s: float = 60,
    ) -> None:
        """
        :param config: markets, users, limits and agents, as in the file of `--config`
        :param args: more flags of `papertape serve`, such as `["--virtual-clock"]`
        :param command: how papertape is started; default: PAPERTAPE_COMMAND, `papertape`, or `npx papertape`
        :param start_s: how long its start may take
        """
        self._config = config
        self._args = list(args)
        self._given_command = command
        self._start_s = start_s
        self._process: Optional[subprocess.Popen[str]] = None
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self.base_url = ""
        self.stream_url = ""
        self.emulator_url = ""
        self.users: List[Dict[str, Any]] = []
        self._admin_token: Optional[str] = None

    def __enter__(self) -> Emulator:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        command = list(self._given_command) if self._given_command is not None else _command()
        self._folder = tempfile.TemporaryDirectory(prefix="papertape-")
        flags = ["serve", "--json", *([] if "--port" in self._args else ["--port", "0"]), *self._args]
        if self._config is not None:
            file = os.path.join(self._folder.name, "emulator.json")
            with open(file, "w", encoding="utf-8") as out:
                json.dump(self._config, out)
            flags += ["--config", file]
        self._errors = open(os.path.join(self._folder.name, "stderr"), "w+", encoding="utf-8")
        try:
            self._process = subprocess.Popen(
                command + flags,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                start_new_session=os.name == "posix",
            )
            self._read_line()
        except BaseException:
            self.stop()
            raise

    def _read_line(self) -> None:
        process = self._process
        assert process is not None and process.stdout is not None
        timer = threading.Timer(self._start_s, self._signal, [signal.SIGTERM])
        timer.start()
        try:
            line = process.stdout.readline()
        finally:
            timer.cancel()
        try:
            said = json.loads(line)
        except ValueError:
            self._errors.seek(0)
            text = self._errors.read().strip() or f"it did not start within {self._start_s} s"
            raise EmulatorError(text) from None
        self.base_url, self.stream_url = said["baseUrl"], said["streamUrl"]
        self.emulator_url, self.users, self._admin_token = said["emulatorUrl"], said["users"], said["adminToken"]

    def stop(self) -> None:
        """Ends it; a second call does nothing."""
        process, self._process = self._process, None
        if process is not None:
            self._signal(signal.SIGTERM, process)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                self._signal(getattr(signal, "SIGKILL", signal.SIGTERM), process)
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if self._folder is not None:
            self._errors.close()
            self._folder.cleanup()
            self._folder = None

    def _signal(self, which: int, process: Optional[subprocess.Popen[str]] = None) -> None:
        process = process or self._process
        if process is None or process.poll() is not None:
            return
        # A group of its own, because npx starts the emulator as another process.
        if os.name == "posix":
            os.killpg(process.pid, which)
        else:
            process.terminate()

    @property
    def api_key(self) -> str:
        """Key of the first user."""
        return self.users[0]["keys"][0]

    def client(self, api_key: Optional[str] = None, **options: Any) -> Client:
        """A client of the first user, or of another key."""
        return Client(self.base_url, api_key or self.api_key, **options)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the emulator's own, such as `control("GET", "/audit")`."""
        headers = {} if self._admin_token is None else {"authorization": f"Bearer {self._admin_token}"}
        answer = send(method, self.emulator_url + path, headers, body, 30)
        if not answer.is_success:
            raise ServiceError(answer.code or "NO_ANSWER", f"{method} {path}: {answer.message}", details=answer.details)
        return answer.body

    def fault(self, fault: str, route: str = "*", count: int = 1, **more: Any) -> str:
        """Plans a fault, and returns its id."""
        return self.control("POST", "/faults", {"fault": fault, "route": route, "count": count, **more})["id"]

    def credit(self, asset: str, amount: str, user_id: Optional[str] = None) -> Dict[str, Any]:
        """Gives money to a user, or takes it if the amount is negative."""
        user = quote(user_id or self.users[0]["id"], "")
        return self.control("POST", f"/users/{user}/credits", {"asset": asset, "amount": str(amount)})

    def advance(self, ms: int) -> int:
        """Moves the clock of `--virtual-clock`, and returns its time in Unix milliseconds."""
        return self.control("POST", "/clock", {"advanceMs": ms})["now"]
