"""A minimal host for the Claude Code CLI, written from the pages in contracts/ and from nothing else.

It starts the CLI, writes and reads its lines, answers its questions and ends it. Python 3.11, standard library only.
The section numbers in the comments are those of the pages.

    with Client(["claude"], can_use_tool=lambda request, cancelled: {"behavior": "allow"}) as client:
        for message in client.turn("List the files here"):
            print(message["type"])
        exit_code = client.end()
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Handler = Callable[[Json, threading.Event], Json]
"""Answers a question of the CLI. The event is set when the answer is no longer wanted."""

BASE_ARGUMENTS = (  # spawn-args 2
    "--output-format=stream-json",
    "--verbose",
    "--input-format=stream-json",
    "--permission-prompt-tool=stdio",
)
NOT_HANDED_ON = ("CLAUDECODE", "NODE_OPTIONS", "DEBUG", "TRACEPARENT", "TRACESTATE", "BAGGAGE")  # spawn-args 4
LONGEST_LINE = 64 * 1024 * 1024  # streamjson 2
GRACE = (2.0, 5.0, 5.0)  # seconds behind the end of input, SIGTERM and SIGKILL: spawn-args 6
PROTOCOL_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # tools 3; the newest first
SILENT = (
    "request_user_dialog",
    "remote_tool_call",
    "remote_plumbing_call",
    "remote_tools_probe",
    "remote_tools_reannounce",
)
"""Questions that this host must leave to others: control 3.2."""


class ClientError(Exception):
    """What went wrong between host and CLI: a refused request, or a CLI that is gone."""


class NotServed(ClientError):
    """The CLI asked for something that this host does not offer."""


@dataclass(frozen=True)
class Tool:
    """A tool that runs in this process. `call` gets the arguments and returns the text for the model."""

    name: str
    description: str
    input_schema: Json
    call: Callable[[Json, threading.Event], str]

    def listed(self) -> Json:
        return {"name": self.name, "description": self.description, "inputSchema": self.input_schema}


@dataclass(frozen=True)
class Hook:
    """A callback for one hook event. `matcher` None matches all; `call` returns the output, `{}` for no opinion."""

    event: str
    call: Handler
    matcher: str | None = None


def encode(frame: Json) -> bytes:
    """One frame as one line: ASCII only, whole before the first byte is written. NaN would be a fatal line."""
    return json.dumps(frame, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> Json | None:
    """The object in a line, None when the line is blank. Raises ValueError for everything else (streamjson 2)."""
    text = line.strip(b" \t\r\n")
    if not text:
        return None
    frame = json.loads(text.decode("utf-8", "replace"), parse_constant=_no_constant)
    if not isinstance(frame, dict):
        raise ValueError("no JSON object")
    return frame


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class Client:
    """One CLI process. Use it as a context manager: leaving the block ends the process, however it is left."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        arguments: Sequence[str] = (),
        can_use_tool: Handler | None = None,
        hooks: Sequence[Hook] = (),
        tools: Mapping[str, Sequence[Tool]] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        on_diagnostic: Callable[[str], None] = lambda text: None,
        initialize_timeout: float = 60,
    ) -> None:
        """Start `command` and wait until it answered `initialize`; `tools` are grouped by the name of their server."""
        self._can_use_tool = can_use_tool
        self._hooks = {f"hook_{number}": hook for number, hook in enumerate(hooks)}
        self._servers = {server: {tool.name: tool for tool in offered} for server, offered in (tools or {}).items()}
        self._on_diagnostic = on_diagnostic
        self._writing = threading.Lock()
        self._tables = threading.Lock()  # guards the two maps and _ended
        self._asked: dict[str, Future[Json]] = {}  # our questions, by id
        self._serving: dict[str, tuple[Json, threading.Event]] = {}  # the CLI's questions, by id
        self._ended = False
        self._messages: queue.SimpleQueue[Json | None] = queue.SimpleQueue()  # None: the end of stdout
        self._stderr: deque[str] = deque(maxlen=50)
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_HANDED_ON}
        self._process = subprocess.Popen(
            [*command, *BASE_ARGUMENTS, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**(inherited if env is None else env), "CLAUDE_CODE_SDK_READS_SESSION_STATE": "1"},
            start_new_session=os.name == "posix",  # so that Ctrl-C in a terminal reaches the host only
        )
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_frames, self._read_stderr)]
        self._watch = threading.Thread(target=self._watch_exit, daemon=True)
        for thread in (*self._readers, self._watch):
            thread.start()
        try:
            self.initialized = self.request("initialize", timeout=initialize_timeout, **self._initialize_fields())
            if self._hooks and not self.initialized.get("hooks_applied"):
                raise ClientError("the CLI did not take the hooks")
        except BaseException as error:
            self.close()
            reasons = [text for message in self.receive() for text in message.get("errors", [])]
            if reasons:  # a start that fails may tell why in a result (control 9)
                raise ClientError("; ".join(reasons)) from error
            raise

    # The host's side: prompts, requests, the end.

    def send(self, content: str | list[Json], **fields: Any) -> None:
        """Write a user message; it does not wait for anything. `fields` are those of events 3."""
        message = {"role": "user", "content": content}
        frame = {"type": "user", "message": message, "parent_tool_use_id": None, "session_id": ""}
        self._write(encode({**frame, **fields}))

    def turn(self, content: str | list[Json], **fields: Any) -> Iterator[Json]:
        """Send a prompt and yield messages until it has a result and the session is idle. Read it to its end.

        Raises ClientError when the CLI ends before the result.
        """
        self.send(content, **fields)
        return self._turn()

    def _turn(self) -> Iterator[Json]:
        result, state = False, None  # both count anew with each prompt; no state: a CLI that writes none (spawn-args 5)
        for message in self._receive():
            if message.get("subtype") == "session_state_changed":
                state = message.get("state")
            result = result or message.get("type") == "result"
            if not message.get("sdk_host_only"):
                yield message
            if result and state in (None, "idle"):
                return
        if not result:
            raise self._gone()

    def receive(self) -> Iterator[Json]:
        """Yield every message until the CLI closes its stdout."""
        return (message for message in self._receive() if not message.get("sdk_host_only"))

    def _receive(self) -> Iterator[Json]:
        while (message := self._messages.get()) is not None:
            yield message
        self._messages.put(None)  # the end stays the end for the next reader

    def request(self, subtype: str, *, timeout: float = 60, **fields: Any) -> Json:
        """Ask the CLI and return the payload of its answer. Raises ClientError for an error, a timeout, or the end."""
        request_id = str(uuid.uuid4())
        line = encode({"type": "control_request", "request_id": request_id, "request": {"subtype": subtype, **fields}})
        answer: Future[Json] = Future()
        with self._tables:
            if not self._ended:
                self._asked[request_id] = answer
        if request_id not in self._asked:
            raise self._gone()
        try:
            self._write(line)
            return answer.result(timeout)
        except TimeoutError:
            self._write(encode({"type": "control_cancel_request", "request_id": request_id}))
            raise ClientError(f"{subtype}: no answer within {timeout} s") from None
        finally:
            with self._tables:
                self._asked.pop(request_id, None)

    def interrupt(self) -> Json:
        """Stop the running turn. Its result still comes, as a message (control 8)."""
        return self.request("interrupt")

    def end(self, timeout: float = 60) -> int:
        """End the input and wait for the exit; the code is 1 after a result with `is_error` (spawn-args 8)."""
        self._close_stdin(timeout)
        return self._process.wait(timeout)

    def close(self) -> None:
        """End the process, step by step (spawn-args 6), and let nothing wait. May be called twice."""
        self._finish(ClientError("the client was closed"))
        self._close_stdin(1)
        for step, seconds in zip((None, self._process.terminate, self._kill), GRACE, strict=True):
            if step and self._process.poll() is None:
                step()
            try:
                self._process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                continue
        self._watch.join(5)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Bytes and frames.

    def _write(self, line: bytes) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            with self._writing:  # whole lines, one after the other
                stdin.write(line)
                stdin.flush()
        except ValueError:
            raise ClientError("the input was ended") from None
        except OSError as error:
            raise self._gone() from error

    def _close_stdin(self, timeout: float) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        if not self._writing.acquire(timeout=timeout):
            return  # a write hangs; the signals of close will end it
        try:
            stdin.close()
        except OSError:
            pass  # the CLI is gone, which its exit tells
        finally:
            self._writing.release()

    def _kill(self) -> None:
        """Kill the CLI and what it started: its shells lead sessions of their own and would live on (spawn-args 6)."""
        if os.name != "posix":
            self._process.kill()
            return
        try:
            listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, timeout=5).stdout
        except (OSError, subprocess.TimeoutExpired):
            listing = ""  # then the CLI alone
        parents = [(int(pid), int(parent)) for pid, parent in map(str.split, listing.splitlines())]
        doomed = [self._process.pid]
        for ancestor in doomed:
            doomed.extend(pid for pid, parent in parents if parent == ancestor)
        for pid in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _gone(self) -> ClientError:
        """What to raise when a pipe has ended: the exit and the last lines of stderr come a moment later."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
            self._readers[1].join(2)
        stderr = "".join(self._stderr).strip()
        return ClientError(f"the CLI is gone (exit code {self._process.poll()}): {stderr or 'nothing on stderr'}")

    def _watch_exit(self) -> None:
        """A grandchild may hold the pipes open, so behind the exit their ends are not waited for any longer."""
        self._process.wait()
        for reader in self._readers:
            reader.join(2)
        self._finish()

    def _finish(self, reason: ClientError | None = None) -> None:
        """The session is over: fail our open questions, withdraw the CLI's, take no new ones. The first call counts."""
        with self._tables:
            if self._ended:
                return
            self._ended = True
            asked, serving = list(self._asked.values()), list(self._serving.values())
            self._asked.clear()
            self._serving.clear()
        for answer in asked:
            answer.set_exception(reason or self._gone())
        for _, cancelled in serving:
            cancelled.set()
        self._messages.put(None)

    def _read_stderr(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with stderr:
            while text := stderr.readline(8192):
                self._stderr.append(text.decode("utf-8", "replace"))

    def _read_frames(self) -> None:
        try:
            for line in self._lines():
                try:
                    if (frame := decode(line)) is not None:
                        self._take(frame)
                except (ValueError, RecursionError) as error:
                    self._on_diagnostic(f"not a frame ({error}): {line!r}")
        finally:
            self._finish()  # also where the process lives on without an output

    def _lines(self) -> Iterator[bytes]:
        stdout = self._process.stdout
        assert stdout is not None
        with stdout:
            yield stdout.readline(LONGEST_LINE).removeprefix(b"\xef\xbb\xbf")
            while line := stdout.readline(LONGEST_LINE):
                if len(line) < LONGEST_LINE or line.endswith(b"\n"):
                    yield line
                    continue
                while line and not line.endswith(b"\n"):  # its rest must not pass for a frame
                    line = stdout.readline(LONGEST_LINE)
                self._on_diagnostic(f"a line over {LONGEST_LINE} bytes was passed over")

    def _take(self, frame: Json) -> None:
        """Route one frame. Never waits for a handler or for the reader of messages (control 3.2)."""
        match frame:
            case {"type": "control_response", "response": {"request_id": str(request_id), **response}}:
                self._settle(request_id, response)
            case {"type": "control_request", "request_id": str(request_id), "request": {"subtype": str()} as request}:
                self._start(request_id, request)
            case {"type": "control_cancel_request", "request_id": str(request_id)}:
                self._withdraw(request_id)
            case {"type": "keep_alive" | "transcript_mirror"}:
                pass
            case {"type": "control_response" | "control_request" | "control_cancel_request"}:
                self._on_diagnostic(f"an envelope without its fields: {frame}")
            case _:
                self._messages.put(frame)

    def _settle(self, request_id: str, response: Json) -> None:
        with self._tables:
            answer = self._asked.pop(request_id, None)
        if answer is None:
            return  # late, doubled or echoed
        if response.get("subtype") == "success":
            answer.set_result(response.get("response") or {})
        else:
            answer.set_exception(ClientError(f"{response.get('error')} ({response.get('error_code')})"))

    # The CLI's side: its questions. Each runs in a thread of its own.

    def _start(self, request_id: str, request: Json) -> None:
        cancelled = threading.Event()
        with self._tables:
            if self._ended or request_id in self._serving or request["subtype"] in SILENT:
                return
            self._serving[request_id] = (request, cancelled)
        threading.Thread(target=self._serve, args=(request_id, request, cancelled), daemon=True).start()

    def _withdraw(self, request_id: str) -> None:
        with self._tables:
            _, cancelled = self._serving.pop(request_id, (None, None))
        if cancelled:
            cancelled.set()

    def _serve(self, request_id: str, request: Json, cancelled: threading.Event) -> None:
        try:
            answer = {"subtype": "success", "response": self._answer(request, cancelled)}
            line = encode({"type": "control_response", "response": {"request_id": request_id, **answer}})
        except Exception as error:  # whatever a callback raises, also an answer that JSON cannot carry
            answer = self._failed(request, error)
            line = encode({"type": "control_response", "response": {"request_id": request_id, **answer}})
        with self._tables:
            wanted = self._serving.pop(request_id, None)
        if wanted:
            try:
                self._write(line)
            except ClientError as error:
                self._on_diagnostic(f"an answer could not be written: {error}")

    def _answer(self, request: Json, cancelled: threading.Event) -> Json:
        match request:
            case {"subtype": "can_use_tool", "tool_name": str(), "input": dict()}:
                return self._decide(request, cancelled)
            case {"subtype": "hook_callback", "callback_id": str(name), "input": dict(fields)}:
                output = self._hooks[name].call(fields, cancelled)
                if not isinstance(output, dict):
                    raise TypeError("a hook has to return a dict")
                return output
            case {"subtype": "mcp_message", "server_name": str(name), "message": dict(message)}:
                if name not in self._servers:
                    raise ClientError(f"no MCP server {name}")
                return {"mcp_response": self._mcp(name, message, cancelled)}
            case {"subtype": "elicitation"}:
                return {"action": "decline"}
            case _:
                raise NotServed(f"Unsupported control request subtype: {request['subtype']}")

    def _failed(self, request: Json, error: Exception) -> Json:
        """The answer when a handler failed: a refusal wherever the CLI would go on without one (control 11)."""
        reason = f"{type(error).__name__}: {error}"
        match request:
            case {"subtype": "can_use_tool"}:
                payload: Json = {"behavior": "deny", "message": f"The permission callback failed: {reason}"}
            case {"subtype": "hook_callback", "input": {"hook_event_name": "PreToolUse"}}:
                output = {"permissionDecision": "deny", "permissionDecisionReason": f"The hook failed: {reason}"}
                payload = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **output}}
            case {"subtype": "hook_callback", "input": {"hook_event_name": "UserPromptSubmit"}}:
                payload = {"decision": "block", "reason": f"The hook failed: {reason}"}
            case {"subtype": "hook_callback", "input": {"hook_event_name": "PermissionRequest"}}:
                decision = {"behavior": "deny", "message": f"The hook failed: {reason}"}
                payload = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
            case {"subtype": "mcp_message", "server_name": name, "message": {"method": "tools/call", "id": call}} if (
                name in self._servers
            ):
                result = {"content": [{"type": "text", "text": reason}], "isError": True}
                payload = {"mcp_response": {"jsonrpc": "2.0", "id": call, "result": result}}
            case _:
                code = {"error_code": "unsupported_request"} if isinstance(error, NotServed) else {}
                return {"subtype": "error", "error": str(error), **code}
        return {"subtype": "success", "response": payload}

    def _decide(self, request: Json, cancelled: threading.Event) -> Json:
        if self._can_use_tool is None:
            return {"behavior": "deny", "message": "This host permits no tool that has to be asked for."}
        match self._can_use_tool(request, cancelled):
            case {"behavior": "allow", **more}:
                return {"behavior": "allow", "updatedInput": request["input"], **more}
            case {"behavior": "deny", "message": str(), **_rest} as denial:
                return dict(denial)
            case other:
                raise TypeError(f"neither allow nor deny with a message: {other!r}")

    def _initialize_fields(self) -> Json:
        fields: Json = {}
        for name, hook in self._hooks.items():
            matcher = {"hookCallbackIds": [name], "onFailure": "block"}
            if hook.matcher is not None:
                matcher["matcher"] = hook.matcher
            fields.setdefault("hooks", {}).setdefault(hook.event, []).append(matcher)
        if self._servers:
            fields["sdkMcpServers"] = list(self._servers)
        return fields

    def _mcp(self, server: str, message: Json, cancelled: threading.Event) -> Json:
        """Answer one JSON-RPC message of the CLI; notifications are acknowledged (tools 1 to 6)."""
        match message:
            case {"method": "notifications/cancelled", "params": {"requestId": call}}:
                self._void_calls(server, lambda call_id: call_id == call)
            case {"method": "initialize", "id": _, "params": {"protocolVersion": asked}}:
                self._void_calls(server, lambda call_id: True)  # a fresh connection: the calls of the old one are void
                version = asked if asked in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0]
                info = {"name": server, "version": "1"}
                result: Json = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            case {"method": "tools/list", "id": _}:
                result = {"tools": [tool.listed() for tool in self._servers[server].values()]}
            case {"method": "tools/call", "id": call, "params": {"name": str(name), **params}}:
                tool = self._servers[server].get(name)
                if tool is None:
                    return {"jsonrpc": "2.0", "id": call, "error": {"code": -32602, "message": f"Unknown tool: {name}"}}
                arguments = params.get("arguments") or {}
                missing = [field for field in tool.input_schema.get("required", []) if field not in arguments]
                if missing:  # arguments arrive unchecked; a real server validates the whole schema
                    raise ValueError(f"missing arguments: {', '.join(missing)}")
                result = {"content": [{"type": "text", "text": str(tool.call(arguments, cancelled))}]}
            case {"method": str(method), "id": call}:
                error = {"code": -32601, "message": f"Method not found: {method}"}
                return {"jsonrpc": "2.0", "id": call, "error": error}
            case _:
                pass
        if "method" in message and "id" in message:
            return {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return {"jsonrpc": "2.0", "id": 0, "result": {}}

    def _void_calls(self, server: str, void: Callable[[Any], bool]) -> None:
        with self._tables:
            serving = list(self._serving.items())
        for request_id, (request, _) in serving:
            match request:
                case {"server_name": name, "message": {"method": "tools/call", "id": call}}:
                    if name == server and void(call):
                        self._withdraw(request_id)
