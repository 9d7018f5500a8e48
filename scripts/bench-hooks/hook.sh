#!/bin/sh
# The least that a hook does, as a shell script with jq: under a lock, a line in
# the log and a new state. It knows no owner, no parallel calls and no secrets.
set -eu
dir=$QUESTMASTER_STATE_ROOT/$QUESTMASTER_SESSION
mkdir -p "$dir"
line=$(jq -c '{ts: (now | todate), action: .hook_event_name, tool: .tool_name, state: (if .hook_event_name == "Stop" then "done" else "working" end)}')
exec 9>"$dir/state.json.lock"
flock 9
echo "$line" >>"$dir/state.jsonl"
echo "$line" >"$dir/state.json.tmp"
mv "$dir/state.json.tmp" "$dir/state.json"
