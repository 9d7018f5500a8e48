// The least that a hook does, for Node: a line in the log and a new state. It
// takes no lock, which Node has none of, and knows no owner, no parallel calls
// and no secrets.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const dir = `${process.env.QUESTMASTER_STATE_ROOT}/${process.env.QUESTMASTER_SESSION}`;
mkdirSync(dir, { recursive: true });
const payload = JSON.parse(readFileSync(0, "utf8"));
const line = JSON.stringify({
	ts: new Date().toISOString(),
	action: payload.hook_event_name,
	tool: payload.tool_name,
	state: payload.hook_event_name === "Stop" ? "done" : "working",
});
appendFileSync(`${dir}/state.jsonl`, line + "\n");
writeFileSync(`${dir}/state.json.tmp`, line + "\n");
renameSync(`${dir}/state.json.tmp`, `${dir}/state.json`);
