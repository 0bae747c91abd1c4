"use strict";
const require_cli = require("../cli.cjs");
let node_fs = require("node:fs");
let node_timers_promises = require("node:timers/promises");
function isShell(tool) {
	return tool === "Bash" || tool === "Monitor";
}
function callKey({ id, request }) {
	return request === "" ? id : `request ${request}`;
}
var FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;
function shownCommand({ command, reason }) {
	const name = reason === "own-program" ? FROM_PROMPT.exec(command)?.[1] : void 0;
	return name === void 0 ? command : `/trai:${name}`;
}
function ranUnnoticed(facts) {
	const { decision, outcome } = facts;
	const launched = facts.start ?? facts.end ?? facts.failed;
	if (outcome === void 0 || launched !== void 0 || decision?.mode === "refuse") return false;
	if (outcome.unsandboxed) return true;
	return decision?.mode === "sandbox" && !outcome.interrupted && !saysNothingRan(outcome);
}
function saysNothingRan({ ok, head }) {
	return !ok && head.startsWith("Exit code 125") && head.includes("Nothing of the command was run");
}
function stateOf(facts) {
	const { request, decision, start, outcome, closed } = facts;
	if (facts.failed !== void 0) return "not-entered";
	if (facts.end !== void 0) return "ended";
	if (start !== void 0) return closed?.why === "launcher-gone" ? "lost" : "running";
	if (ranUnnoticed(facts)) return "unsandboxed";
	if ((decision ?? request)?.mode === "refuse") return "refused";
	if (outcome?.interrupted === true && decision?.mode === "sandbox") return "not-run";
	if (outcome !== void 0) return saysNothingRan(outcome) ? "not-entered" : "ended";
	if (closed !== void 0) return closed.why === "launcher-gone" ? "lost" : "not-run";
	return "requested";
}
function viewOf(id, own, facts) {
	const { request, decision, start, end, failed, closed, outcome } = facts;
	const decided = decision ?? request;
	const state = stateOf(facts);
	const ms = end?.ms ?? (start === void 0 ? outcome?.ms : void 0);
	const isOpen = state === "running" || state === "requested";
	return {
		id,
		request: own,
		command: decided?.command ?? "",
		cwd: decided?.cwd ?? "",
		origin: originOf(facts),
		agent: request?.agent ?? "",
		mode: (start ?? decided)?.mode ?? null,
		reason: decided?.reason ?? null,
		text: decision?.text || request?.text || facts.denied?.error || "",
		state,
		requestedAt: request?.at ?? decision?.at ?? null,
		startedAt: start?.at ?? null,
		endedAt: isOpen ? null : (end ?? failed ?? outcome ?? closed)?.at ?? null,
		rc: end?.rc ?? null,
		ms: ms === void 0 ? null : Math.max(0, Math.round(ms)),
		background: request?.background === true || (outcome?.background ?? "") !== "",
		interrupted: outcome?.interrupted ?? false,
		ok: outcome?.ok ?? null,
		head: outcome?.head ?? "",
		tail: outcome?.tail ?? "",
		cut: outcome?.cut ?? 0,
		left: facts.left ?? [],
		gone: facts.gone ?? [],
		saved: (facts.saved ?? []).map(({ v: _v, at: _at, t: _t, call: _call, ...saved }) => saved),
		twins: request?.twins ?? 0,
		permission: facts.permission === void 0 ? null : permissionView(facts.permission, facts.answered ?? null)
	};
}
function permissionView(event, answered = null) {
	const { at, request, agent, tool, subject, cut, decision, by, rule, hash, also, segment, why, ms } = event;
	return {
		at,
		request,
		agent,
		tool,
		subject,
		cut,
		decision,
		by,
		rule,
		hash,
		also,
		segment,
		why,
		ms,
		answered
	};
}
function originOf({ request, decision, outcome }) {
	if (request !== void 0) return request.tool;
	if (decision === void 0) return outcome === void 0 ? "" : "Bash";
	if (decision.origin !== "claude") return decision.origin;
	return decision.request === "" ? "!" : "Bash";
}
function spanOf(call, { decision, start, end, failed, closed, left, gone, goneAt }) {
	if (start?.mode !== "sandbox" || failed !== void 0) return null;
	const from = Date.parse(start.at);
	const ends = [end, closed].flatMap((event) => event === void 0 ? [] : [Date.parse(event.at)]);
	const ended = ends.length === 0 ? null : Math.max(from, ...ends);
	const leaves = (left?.length ?? 0) > (gone?.length ?? 0);
	const to = ended === null || leaves ? null : Math.max(ended, goneAt === void 0 ? ended : Date.parse(goneAt));
	const around = decision?.origin === "client" ? { around: true } : {};
	return {
		call,
		pid: start.pid,
		from,
		ended,
		to,
		...around
	};
}
function ownMark(event) {
	if (event.t === "file" && event.request !== "") return `file-${event.request}`;
	if (event.t === "permission" && event.request !== "") return `tool-${event.request}`;
	return (event.t === "commit" || event.t === "commit.undone") && event.n > 0 ? `commit-${event.n}` : null;
}
function markContent(event) {
	switch (event.t) {
		case "prompt": return {
			kind: "prompt",
			text: event.text,
			cut: event.cut
		};
		case "file": {
			const { tool, path, outcome, agent, text } = event;
			return {
				kind: "file",
				tool,
				path,
				outcome,
				agent,
				text
			};
		}
		case "permission": {
			const { tool, subject, agent, decision, by, rule, why } = event;
			if (isShell(tool) || decision === "pass" || by === "built-in") return null;
			return {
				kind: "tool",
				tool,
				subject,
				agent,
				decision,
				by,
				rule,
				why
			};
		}
		case "commit": {
			const { n, state, entries, bytes, conflicts, text, auto } = event;
			return {
				kind: "commit",
				n,
				state,
				entries,
				bytes,
				conflicts,
				text,
				auto
			};
		}
		case "discard": return {
			kind: "discard",
			trash: event.trash,
			entries: event.entries
		};
		case "undo": return {
			kind: "undo",
			what: "discard",
			of: 0,
			state: "applied",
			entries: event.entries,
			text: ""
		};
		case "commit.undone": {
			const { of, redo, state, entries, text } = event;
			return {
				kind: "undo",
				what: redo ? "undo" : "commit",
				of,
				state,
				entries,
				text
			};
		}
		case "adopt": return {
			kind: "adopt",
			from: event.from,
			to: event.to,
			entries: event.entries
		};
		case "session": return {
			kind: "session",
			what: event.source,
			text: ""
		};
		case "session.end": return {
			kind: "session",
			what: "end",
			text: event.reason
		};
		default: return null;
	}
}
function foldLog(events) {
	const fold = new LogFold();
	for (const event of events) fold.push(event);
	return fold;
}
var LogFold = class {
	adoptions = [];
	#entries = /* @__PURE__ */ new Set();
	#byCall = /* @__PURE__ */ new Map();
	#byRequest = /* @__PURE__ */ new Map();
	#tools = /* @__PURE__ */ new Map();
	#leftBy = /* @__PURE__ */ new Map();
	#running = /* @__PURE__ */ new Map();
	#marks = /* @__PURE__ */ new Map();
	#oldKeys = [];
	#position = 1;
	#version = 0;
	#spansVersion = 0;
	push(event, position = 1) {
		this.#position = position;
		this.#version++;
		this.#mark(event);
		switch (event.t) {
			case "call.requested":
				this.#requested(event);
				break;
			case "permission":
				this.#permission(event);
				break;
			case "permission.outcome":
				this.#toolOutcome(event);
				break;
			case "question":
				this.#answered(event);
				break;
			case "call.decided":
				this.#decided(event);
				break;
			case "call.grounds":
			case "call.joined":
				this.#ofCall(event.call);
				break;
			case "call.started":
				this.#update(this.#ofCall(event.call), { start: event });
				this.#running.set(event.call, event);
				return {
					is: "started",
					start: event
				};
			case "call.ended":
				this.#update(this.#ofCall(event.call), { end: event });
				return this.#ended(event.call);
			case "call.failed":
				this.#update(this.#ofCall(event.call), { failed: event });
				return this.#ended(event.call);
			case "call.closed":
				this.#closed(event);
				return this.#ended(event.call);
			case "call.outcome":
				this.#update(this.#ofRequest(event.request), { outcome: event });
				break;
			case "call.saved":
				this.#saved(event);
				break;
			case "call.left":
				this.#left(event);
				break;
			case "processes":
				if (event.state === "ended") this.#gone(event.pids, event.at);
				break;
			case "adopt":
				this.adoptions.push({
					from: event.from,
					to: event.to,
					at: Date.parse(event.at)
				});
				this.#spansVersion++;
		}
		return null;
	}
	views() {
		return Array.from(this.#entries, viewOfEntry);
	}
	view(id) {
		const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
		return entry === void 0 ? null : viewOfEntry(entry);
	}
	tools() {
		return [...this.#tools.values()];
	}
	spans() {
		const found = [];
		for (const entry of this.#entries) {
			if (entry.span === void 0) entry.span = spanOf(entry.call, entry.facts);
			if (entry.span !== null) found.push(entry.span);
		}
		return found.sort((a, b) => a.from - b.from);
	}
	get version() {
		return this.#version;
	}
	get spansVersion() {
		return this.#spansVersion;
	}
	get running() {
		return this.#running;
	}
	marks(after = 0) {
		const found = [];
		for (const { mark, touched } of this.#marks.values()) if (touched > after) found.push(mark);
		return found;
	}
	after(position) {
		const calls = [];
		for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
		if (position > 0 && calls.some((call) => callKey(call) === "")) return this.after(0);
		const gone = this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key);
		return {
			whole: position === 0,
			calls: calls.map((call) => ({
				...call,
				head: "",
				tail: ""
			})),
			gone: position === 0 ? [] : gone,
			marks: this.marks(position)
		};
	}
	#requested(event) {
		const entry = this.#ofRequest(event.request);
		this.#update(entry, { request: {
			...event,
			at: entry.facts.request?.at ?? event.at
		} });
	}
	#permission(event) {
		if (isShell(event.tool)) {
			this.#update(this.#ofRequest(event.request), { permission: event });
			return;
		}
		const before = this.#tools.get(event.request);
		this.#tools.set(event.request, {
			...permissionView(event),
			at: before?.at ?? event.at,
			outcome: null,
			outcomeBy: null,
			error: ""
		});
	}
	#toolOutcome(event) {
		const { request, outcome, by, error } = event;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			outcome,
			outcomeBy: by,
			error
		});
		else if (entry !== void 0 && outcome === "denied") this.#update(entry, { denied: event });
	}
	#answered({ request, end, by }) {
		if (end === "open") return;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		const answered = {
			end,
			by
		};
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			answered
		});
		else if (entry !== void 0) this.#update(entry, { answered });
	}
	#decided(event) {
		const byRequest = event.request === "" ? void 0 : this.#byRequest.get(event.request);
		const byCall = this.#byCall.get(event.call);
		if (byRequest === void 0 || byRequest.call !== "" && byRequest !== byCall) {
			const entry = byCall ?? this.#add({ call: event.call });
			if (byRequest === void 0 && event.request !== "") this.#bindRequest(entry, event.request);
			const request = byRequest?.facts.request;
			this.#update(entry, request === void 0 ? { decision: event } : {
				decision: event,
				request
			});
			return;
		}
		byRequest.call = event.call;
		this.#byCall.set(event.call, byRequest);
		this.#update(byRequest, {
			...byCall?.facts,
			decision: event
		});
		if (byCall !== void 0 && byCall !== byRequest) {
			this.#entries.delete(byCall);
			this.#wasKey(callKey({
				id: byCall.call,
				request: byCall.request
			}));
		}
	}
	#ended(call) {
		const start = this.#running.get(call) ?? null;
		this.#running.delete(call);
		return {
			is: "ended",
			start
		};
	}
	#saved(event) {
		const entry = this.#ofCall(event.call);
		this.#update(entry, { saved: [...entry.facts.saved ?? [], event] });
	}
	#closed(event) {
		if (event.call === "" && event.request === "") return;
		const entry = event.call === "" ? this.#ofRequest(event.request) : this.#ofCall(event.call);
		this.#update(entry, { closed: event });
	}
	#left({ call, pids, at }) {
		this.#gone(pids, at);
		const entry = this.#ofCall(call);
		for (const pid of pids) this.#leftBy.set(pid, call);
		const left = [.../* @__PURE__ */ new Set([...entry.facts.left ?? [], ...pids])];
		this.#update(entry, {
			left,
			gone: entry.facts.gone?.filter((pid) => !pids.includes(pid)) ?? []
		});
	}
	#gone(pids, at) {
		for (const pid of pids) {
			const call = this.#leftBy.get(pid);
			this.#leftBy.delete(pid);
			if (call === void 0) continue;
			const entry = this.#ofCall(call);
			this.#update(entry, {
				gone: [...entry.facts.gone ?? [], pid],
				goneAt: at
			});
		}
	}
	#mark(event) {
		const content = markContent(event);
		if (content === null) return;
		const prefix = event.t === "commit" ? "refused" : content.kind;
		const id = ownMark(event) ?? `${prefix}-${this.#marks.size}`;
		const at = this.#marks.get(id)?.mark.at ?? event.at;
		this.#marks.set(id, {
			mark: {
				id,
				at,
				...content
			},
			touched: this.#position
		});
	}
	#ofRequest(request) {
		return this.#byRequest.get(request) ?? this.#add({ request });
	}
	#ofCall(call) {
		return this.#byCall.get(call) ?? this.#add({ call });
	}
	#add({ call = "", request = "" }) {
		const entry = {
			call,
			request: "",
			facts: {},
			view: void 0,
			span: void 0,
			touched: this.#position
		};
		this.#entries.add(entry);
		if (call !== "") this.#byCall.set(call, entry);
		if (request !== "") this.#bindRequest(entry, request);
		return entry;
	}
	#bindRequest(entry, request) {
		this.#wasKey(callKey({
			id: entry.call,
			request: entry.request
		}));
		entry.request = request;
		this.#byRequest.set(request, entry);
	}
	#wasKey(key) {
		if (key !== "") this.#oldKeys.push({
			key,
			touched: this.#position
		});
	}
	#update(entry, facts) {
		Object.assign(entry.facts, facts);
		entry.view = void 0;
		entry.span = void 0;
		entry.touched = this.#position;
		if (facts.outcome === void 0 && entry.facts.start?.mode === "sandbox") this.#spansVersion++;
	}
};
function viewOfEntry(entry) {
	entry.view ??= viewOf(entry.call === "" ? entry.request : entry.call, entry.request, entry.facts);
	return entry.view;
}
var read_exports = /* @__PURE__ */ require_cli.__exportAll({
	LogTail: () => LogTail,
	readFold: () => readFold,
	readLog: () => readLog
});
var CHUNK_BYTES = 65536;
var SMALL_BYTES = 4096;
var WITNESS_BYTES = 64;
async function readLog(sessionDir, wanted = null) {
	const tail = new LogTail(sessionDir, wanted);
	const { events, raw, size } = await tail.read();
	const pending = tail.pending();
	return {
		events,
		raw: pending === null ? raw : [...raw, pending],
		size
	};
}
async function readFold(sessionDir, wanted = null) {
	return foldLog((await readLog(sessionDir, wanted)).events);
}
var LogTail = class {
	#path;
	#wanted;
	#parser;
	#size = 0;
	#inode = "";
	#seen = "";
	#witness = /* @__PURE__ */ new Uint8Array();
	#queue = Promise.resolve();
	constructor(sessionDir, wanted = null) {
		this.#path = require_cli.logPath(sessionDir);
		this.#wanted = wanted;
		this.#parser = new require_cli.LogParser(wanted);
	}
	read() {
		const result = this.#queue.then(() => this.#read());
		this.#queue = result.catch(() => void 0);
		return result;
	}
	pending() {
		return this.#parser.pending();
	}
	async #read() {
		let file = null;
		try {
			if (this.#seen !== "" && this.#seen === seenOf((0, node_fs.statSync)(this.#path, QUIETLY))) return {
				events: [],
				raw: [],
				size: this.#size,
				reset: false
			};
			file = (0, node_fs.openSync)(this.#path, node_fs.constants.O_RDONLY | node_fs.constants.O_NONBLOCK);
			const reset = this.#isAnother(file);
			if (reset) this.#restart();
			return {
				...await this.#readOn(file),
				reset
			};
		} catch (error) {
			if (file === null && require_cli.errorCode(error) === "ENOENT") return this.#gone();
			if (file !== null) [this.#inode, this.#seen] = ["unknown", ""];
			throw require_cli.logUnreadable(this.#path, error);
		} finally {
			if (file !== null) (0, node_fs.closeSync)(file);
		}
	}
	async #readOn(file) {
		const news = {
			events: [],
			raw: [],
			size: this.#size
		};
		const left = (0, node_fs.fstatSync)(file).size - this.#size;
		const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
		for (;;) {
			const bytesRead = (0, node_fs.readSync)(file, buffer, 0, buffer.length, this.#size);
			if (bytesRead === 0) break;
			const chunk = buffer.subarray(0, bytesRead);
			for (const line of this.#parser.push(chunk)) if (require_cli.isRaw(line)) news.raw.push(line);
			else news.events.push(line);
			this.#size += bytesRead;
			this.#witness = lastBytes(this.#witness, chunk);
			if (bytesRead < buffer.length) break;
			await (0, node_timers_promises.setImmediate)();
		}
		return {
			...news,
			size: this.#size
		};
	}
	#isAnother(file) {
		const now = (0, node_fs.fstatSync)(file, { bigint: true });
		this.#seen = require_cli.isPast(now.ctimeNs) ? seenOf(now) : "";
		const inode = `${now.dev}:${now.ino}`;
		const known = this.#inode;
		this.#inode = inode;
		if (known === "") return false;
		if (known !== inode) return true;
		const length = this.#witness.length;
		const found = new Uint8Array(length);
		return (0, node_fs.readSync)(file, found, 0, length, this.#size - length) < length || Buffer.compare(found, this.#witness) !== 0;
	}
	#gone() {
		const reset = this.#size > 0;
		this.#restart();
		[this.#inode, this.#seen] = ["", ""];
		return {
			events: [],
			raw: [],
			size: 0,
			reset
		};
	}
	#restart() {
		this.#parser = new require_cli.LogParser(this.#wanted);
		this.#size = 0;
		this.#witness = /* @__PURE__ */ new Uint8Array();
	}
};
var QUIETLY = {
	bigint: true,
	throwIfNoEntry: false
};
var seenOf = (file) => file === void 0 ? "" : `${file.dev}:${file.ino} ${file.size} ${file.ctimeNs}`;
function lastBytes(before, chunk) {
	if (chunk.length >= WITNESS_BYTES) return chunk.slice(-64);
	const joined = Buffer.concat([before, chunk]);
	return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
Object.defineProperty(exports, "foldLog", {
	enumerable: true,
	get: function() {
		return foldLog;
	}
});
Object.defineProperty(exports, "isShell", {
	enumerable: true,
	get: function() {
		return isShell;
	}
});
Object.defineProperty(exports, "readFold", {
	enumerable: true,
	get: function() {
		return readFold;
	}
});
Object.defineProperty(exports, "readLog", {
	enumerable: true,
	get: function() {
		return readLog;
	}
});
Object.defineProperty(exports, "read_exports", {
	enumerable: true,
	get: function() {
		return read_exports;
	}
});
Object.defineProperty(exports, "shownCommand", {
	enumerable: true,
	get: function() {
		return shownCommand;
	}
});
