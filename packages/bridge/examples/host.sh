#!/usr/bin/env bash
# Holds a session of two turns through a bridge, with jq.
#
#     bash host.sh reins bridge
set -euo pipefail

[ $# -gt 0 ] || set -- reins bridge
# Events are many, and of no use here: one jq takes them out, so that each line that is left can have one of its own.
coproc BRIDGE { "$@" | jq -c --unbuffered 'select(.type != "event")'; }
# The names of a coprocess are gone when it ends, and its ends would stay open: own numbers for both.
exec 3<&"${BRIDGE[0]}" 4>&"${BRIDGE[1]}"
eval "exec ${BRIDGE[0]}<&- ${BRIDGE[1]}>&-"
bridge_pid=$!

say() { printf '%s\n' "$1" >&4; }

run_tool() { jq -c '{type: "tool_result", id, content: (.input.a + .input.b | tostring)}'; }

# Allows one command, and nothing else.
decide() {
  jq -c 'if .tool_name == "Bash" and (.input.command // "" | startswith("date"))
    then {type: "permission_answer", id, behavior: "allow"}
    else {type: "permission_answer", id, behavior: "deny", message: "This host allows the command date only."} end'
}

# Reads up to a message of a type, which is then in $message, and answers what is asked on the way.
until_type() {
  while IFS= read -r message <&3; do
    local type
    type=$(jq -r .type <<<"$message")
    case $type in
      tool_call) say "$(run_tool <<<"$message")" ;;
      permission_question) say "$(decide <<<"$message")" ;;
      error)
        jq -r '"\(.code): \(.message)"' <<<"$message" >&2
        # Without its answer a prompt has no end, and without a session there is nothing to wait for.
        if jq -e '.id or (.code | IN("open_failed", "unsupported_protocol", "session_failed"))' <<<"$message" >/dev/null; then
          exit 1
        fi
        ;;
    esac
    # Whatever else there is, now or in a later version, is passed over.
    [ "$type" != "$1" ] || return 0
  done
  echo "The bridge ended before $1." >&2
  exit 1
}

say '{"type": "hello", "protocols": [1], "host": "host.sh"}'
until_type hello
say "$(jq -nc '{
  type: "open",
  options: {built_in_tools: ["Bash"]},
  tools: [{
    name: "add", description: "Adds two numbers.",
    input_schema: {properties: {a: {type: "number"}, b: {type: "number"}}, required: ["a", "b"]}
  }]
}')"
until_type opened
number=0
for prompt in "How much is 2 + 40?" "What time is it? Use Bash."; do
  number=$((number + 1))
  say "$(jq -nc --arg id "prompt-$number" --arg content "$prompt" '{type: "send", $id, $content}')"
  until_type turn_end
  jq -r '"\(.outcome): \(.text)"' <<<"$message"
done
say '{"type": "close"}'
until_type closed
exec 4>&-
wait "$bridge_pid"
