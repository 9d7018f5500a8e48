// @panehook-extension: tells panehook what this Pi is doing. Written by
// "panehook install pi", taken out by "panehook uninstall pi"; changes to this
// file are lost. PANEHOOK_DISABLE=1 switches it off.
// @ts-nocheck: plain JavaScript, so that any Node can run it in a test.
//
// Nothing in here may disturb Pi: events are written to the pipe of one child
// process and never waited for, every error is caught, nothing is printed, and
// nothing is imported from Pi, so that it loads in every version.

import { spawn } from "node:child_process";

const PROGRAM = "panehook";

const KB = 1024;
const QUEUE_LIMIT = 1024 * KB; // bytes that may wait for a child that does not read
const RESTART_AFTER = 10_000; // ms between two attempts to start the child

// What goes into the line of each event. Pi ignores names that a version does
// not know. Without these, the state of the pane would be wrong; the rest may
// be dropped when the child does not keep up.
const STATE_EVENTS = {
	session_start: (e) => ({ reason: e.reason, previousSessionFile: e.previousSessionFile }),
	before_agent_start: (e) => ({ messageType: e.messageType, prompt: head(e.prompt, KB) }),
	agent_start: () => ({}),
	agent_end: (e) => ({ messages: lastAnswer(e.messages) }),
	agent_settled: (e) => ({ aborted: e.aborted }),
	ui_prompt_start: (e) => ({ reason: e.reason, kind: e.kind, title: head(e.title, KB) }),
	ui_prompt_end: (e) => ({ reason: e.reason, kind: e.kind }),
	session_before_compact: (e) => ({ reason: e.reason, willRetry: e.willRetry }),
	session_compact: (e) => ({ reason: e.reason, willRetry: e.willRetry }),
	session_compact_failed: (e) => ({ reason: e.reason, aborted: e.aborted, errorMessage: firstLine(e.errorMessage), willRetry: e.willRetry }),
	session_shutdown: (e) => ({ reason: e.reason }),
};
const OTHER_EVENTS = {
	input: (e) => ({ text: head(e.text, KB), source: e.source, streamingBehavior: e.streamingBehavior }),
	tool_execution_start: (e) => ({ toolCallId: e.toolCallId, toolName: e.toolName, args: summary(e.args) }),
	tool_execution_end: (e) => ({ toolCallId: e.toolCallId, toolName: e.toolName, isError: e.isError }),
	message_end: (e) => (e.message?.role === "assistant" ? { message: small(e.message) } : undefined),
	session_info_changed: (e) => ({ name: head(e.name, KB) }),
	user_bash: (e) => ({ command: head(e.command, KB) }),
};

// Pi loads this file again for each new session of the same process, so what
// belongs to the process is kept outside of the module.
const shared = (globalThis[Symbol.for("panehook")] ??= { child: undefined, started: 0, seq: 0 });

export default function (pi) {
	try {
		const off = process.env.PANEHOOK_DISABLE;
		if ((off && off !== "0") || isNested()) return;
		for (const events of [STATE_EVENTS, OTHER_EVENTS]) {
			for (const [name, fields] of Object.entries(events)) {
				pi.on(name, (event, ctx) => {
					try {
						send(name, fields(event ?? {}), ctx);
					} catch {}
				});
			}
		}
	} catch {}
}

// A Pi that a tool of another Pi started in the same pane loads this file too,
// and its sessions are none of the pane's. It inherits the environment, in
// which the outer Pi has left its mark.
function isNested() {
	const place = [process.env.QUESTMASTER_SESSION, process.env.TMUX_PANE].join(" ");
	const [pid, ...rest] = (process.env.PANEHOOK_PI_OWNER ?? "").split(" ");
	if (pid && Number(pid) !== process.pid && rest.join(" ") === place && isAlive(Number(pid))) return true;
	process.env.PANEHOOK_PI_OWNER = `${process.pid} ${place}`;
	return false;
}

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error?.code === "EPERM";
	}
}

function send(name, fields, ctx) {
	if (fields === undefined) return;
	const seq = ++shared.seq;
	const child = shared.child ?? start();
	if (!child) return;
	const waiting = child.stdin.writableLength;
	if (waiting > QUEUE_LIMIT && !(name in STATE_EVENTS)) return;
	if (waiting > 4 * QUEUE_LIMIT && name !== "session_shutdown") return;
	const line = {
		event: name,
		...fields,
		seq,
		ts: Date.now(),
		pid: process.pid,
		pi_session_id: attempt(() => ctx.sessionManager.getSessionId()),
		session_file: attempt(() => ctx.sessionManager.getSessionFile()),
		cwd: attempt(() => ctx.cwd) ?? attempt(() => process.cwd()),
		mode: attempt(() => ctx.mode),
		is_idle: attempt(() => ctx.isIdle()),
	};
	child.stdin.write(JSON.stringify(line) + "\n");
	if (name === "session_shutdown" && (fields.reason ?? "quit") === "quit") {
		shared.child = undefined;
		child.stdin.end();
	}
}

// The child is detached: a terminal that closes must not take it along before
// it has read the last line. Its directory is one that cannot vanish.
function start() {
	if (Date.now() - shared.started < RESTART_AFTER) return undefined;
	shared.started = Date.now();
	const child = spawn(PROGRAM, ["hook", "pi", "--stream"], {
		cwd: "/",
		detached: true,
		stdio: ["pipe", "ignore", "ignore"],
		windowsHide: true,
	});
	const forget = () => {
		if (shared.child === child) shared.child = undefined;
	};
	// An 'error' event that nobody listens to would end Pi.
	child.on("error", forget);
	child.on("exit", forget);
	child.stdin.on("error", forget);
	child.unref();
	child.stdin.unref?.();
	shared.child = child;
	return child;
}

function attempt(get) {
	try {
		return get();
	} catch {
		return undefined;
	}
}

// Texts are cut by code points, first roughly, since they can be megabytes.
function head(text, limit) {
	if (typeof text !== "string") return undefined;
	return text.length <= limit ? text : Array.from(text.slice(0, 2 * limit)).slice(0, limit).join("");
}

function tail(text, limit) {
	return text.length <= limit ? text : Array.from(text.slice(-2 * limit)).slice(-limit).join("");
}

function firstLine(text) {
	return typeof text === "string" ? head(text.split("\n", 1)[0], KB) : undefined;
}

// What a tool is called with, without what it writes.
function summary(args) {
	const short = {};
	for (const key of ["command", "path", "file_path", "pattern", "url", "query", "question", "prompt", "title", "description"]) {
		const value = head(args?.[key], KB);
		if (value !== undefined) short[key] = value;
	}
	return short;
}

function small(message) {
	const content = message.content;
	const parts = Array.isArray(content) ? content : [{ type: "text", text: content }];
	let text = "";
	for (let i = parts.length - 1; i >= 0 && text.length < 4 * KB; i--) {
		if (parts[i]?.type === "text" && typeof parts[i].text === "string") text = parts[i].text + (text && "\n" + text);
	}
	return {
		role: message.role,
		content: text ? [{ type: "text", text: tail(text, 4 * KB) }] : [],
		stopReason: message.stopReason,
		errorMessage: firstLine(message.errorMessage),
	};
}

function lastAnswer(messages) {
	if (!Array.isArray(messages)) return [];
	for (let i = messages.length - 1; i >= 0; i--) {
		if (messages[i]?.role === "assistant") return [small(messages[i])];
	}
	return [];
}
