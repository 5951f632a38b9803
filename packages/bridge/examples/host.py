#!/usr/bin/env python3
"""Holds a session of two turns through a bridge. Python's standard library only.

    python3 host.py reins bridge
"""

import json
import subprocess
import sys

ADD = {
    "name": "add",
    "description": "Adds two numbers.",
    "input_schema": {
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
    },
}


def run_tool(call):
    try:
        numbers = call["input"]
        return {"content": str(numbers["a"] + numbers["b"])}
    except Exception as error:  # The model is told, and goes on.
        return {"content": f"{type(error).__name__}: {error}", "is_error": True}


def decide(question):
    """Allows one command, and nothing else."""
    if question["tool_name"] == "Bash" and question["input"].get("command", "").startswith("date"):
        return {"behavior": "allow"}
    return {"behavior": "deny", "message": "This host allows the command date only."}


class Bridge:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def until(self, wanted):
        """Reads up to a message of a type, and answers what is asked on the way."""
        for line in self.process.stdout:
            message = json.loads(line)
            kind = message["type"]
            if kind == "tool_call":
                self.send(type="tool_result", id=message["id"], **run_tool(message))
            elif kind == "permission_question":
                self.send(type="permission_answer", id=message["id"], **decide(message))
            elif kind == "error":
                print(f"{message['code']}: {message['message']}", file=sys.stderr)
                # Without its answer a prompt has no end, and without a session there is nothing to wait for.
                if "id" in message or message["code"] in ("open_failed", "unsupported_protocol", "session_failed"):
                    raise SystemExit(1)
            # Whatever else there is, now or in a later version, is passed over.
            if kind == wanted:
                return message
        raise SystemExit(f"The bridge ended before {wanted}.")


def main(command):
    bridge = Bridge(command)
    try:
        bridge.send(type="hello", protocols=[1], host="host.py")
        bridge.until("hello")
        bridge.send(type="open", tools=[ADD], options={"built_in_tools": ["Bash"]})
        bridge.until("opened")
        for number, prompt in enumerate(["How much is 2 + 40?", "What time is it? Use Bash."]):
            bridge.send(type="send", id=f"prompt-{number}", content=prompt)
            turn = bridge.until("turn_end")
            print(f"{turn['outcome']}: {turn['text']}", flush=True)
        bridge.send(type="close")
        bridge.until("closed")
    finally:
        bridge.process.stdin.close()
        bridge.process.wait()


main(sys.argv[1:] or ["reins", "bridge"])
