"use strict";
const require_cli = require("../cli.cjs");
const require_inside = require("./inside.cjs");
var MOST_ANCESTORS = 256;
var SLACK_MS = 2e3;
var START_UP_MS = 12e4;
function originFinder(processes, calls) {
	const byPid = /* @__PURE__ */ new Map();
	for (const one of processes) byPid.set(one.pid, one);
	const ids = /* @__PURE__ */ new Set();
	const byLauncher = /* @__PURE__ */ new Map();
	for (const one of calls) {
		ids.add(one.call);
		byLauncher.set(one.pid, one);
	}
	return (pid) => {
		let at = byPid.get(pid);
		for (let i = 0; at !== void 0 && i < MOST_ANCESTORS; i++) {
			if (at.marker !== null && ids.has(at.marker)) return at.marker;
			const known = byLauncher.get(at.inside ? at.sid : at.pid);
			if (known !== void 0 && mayBe(at, byPid.get(known.pid), known)) return known.call;
			at = byPid.get(at.parent);
		}
		return null;
	};
}
function mayBe(one, leader, { from }) {
	if (one.began < from - START_UP_MS) return false;
	return leader === void 0 || leader.began <= from + SLACK_MS && leader.began >= from - START_UP_MS;
}
var processes_exports = /* @__PURE__ */ require_cli.__exportAll({
	callProcesses: () => callProcesses,
	endThese: () => endThese,
	sessionProcesses: () => sessionProcesses
});
async function callProcesses(source, calls) {
	const found = (await require_cli.liveProcesses(source)).filter(({ pid }) => !isOwnOrOver(pid));
	if (found.length === 0) return [];
	const facts = /* @__PURE__ */ new Map();
	for (const { pid } of found) learn(facts, pid, true);
	for (const one of facts.values()) for (const pid of [one.parent, one.sid]) if (pid > 1 && !facts.has(pid)) learn(facts, pid, false);
	const origin = originFinder(facts.values(), await calls());
	return found.map((process) => ({
		...process,
		call: origin(process.pid)
	})).sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid);
}
async function sessionProcesses(...asked) {
	const found = await callProcesses(...asked);
	if (found.length === 0) return [];
	const sockets = listeningSockets();
	return found.map((process) => ({
		...process,
		ports: portsOf(process.pid, sockets)
	}));
}
function isOwnOrOver(pid) {
	if (require_inside.isRefresh(argumentsOf(pid))) return true;
	const stat = require_cli.processStat(pid);
	return stat === null || stat.state === "Z" || require_inside.isRefresh(argumentsOf(stat.parent));
}
function argumentsOf(pid) {
	for (let look = 0; look < 5; look++) {
		const argv = require_cli.processArguments(pid);
		if (argv === null || argv.some((word) => word !== "")) return argv ?? [];
	}
	return [];
}
function learn(facts, pid, inside) {
	const stat = require_cli.processStat(pid);
	if (stat === null) return;
	const marker = inside ? require_cli.processEnvironment(pid)?.get("TRAI_CALL") ?? null : null;
	const { parent, sid, start } = stat;
	facts.set(pid, {
		pid,
		parent,
		sid,
		began: require_cli.startedMs(start),
		marker,
		inside
	});
}
var LISTEN = "0A";
function listeningSockets() {
	const sockets = /* @__PURE__ */ new Map();
	for (const { local, state, inode } of require_cli.tcpSockets()) {
		const port = Number.parseInt(local.split(":").at(-1) ?? "", 16);
		if (state === LISTEN && port > 0) sockets.set(inode, port);
	}
	return sockets;
}
function portsOf(pid, sockets) {
	if (sockets.size === 0) return [];
	const ports = /* @__PURE__ */ new Set();
	for (const target of require_cli.descriptorLinks(pid)) {
		const port = sockets.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? "");
		if (port !== void 0) ports.add(port);
	}
	return [...ports].sort((a, b) => a - b);
}
async function endThese(source, keys) {
	const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
	return await require_cli.endWhile(async () => {
		return (await require_cli.liveProcesses(source)).filter(({ pid, start }) => wanted.get(pid) === start);
	});
}
Object.defineProperty(exports, "endThese", {
	enumerable: true,
	get: function() {
		return endThese;
	}
});
Object.defineProperty(exports, "processes_exports", {
	enumerable: true,
	get: function() {
		return processes_exports;
	}
});
Object.defineProperty(exports, "sessionProcesses", {
	enumerable: true,
	get: function() {
		return sessionProcesses;
	}
});
