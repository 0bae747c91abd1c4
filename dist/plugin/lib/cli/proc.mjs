import { Vn as TraiError, tn as countText, tr as toDisplay, tt as orNull } from "../cli.mjs";
import { closeSync, openSync, readFileSync, readSync, readdirSync, readlinkSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
var lockUnusable = (path, why, cause) => new TraiError("io", `the lock file could not be opened: ${why}`, {
	path,
	cause,
	hint: "If it is no regular file, remove it: it is made anew."
});
var noFlock = (path, why) => new TraiError("unsupported", `flock could not be started: ${why}`, {
	path,
	hint: "Install util-linux (flock)."
});
function lockHeld(path, seconds, holder) {
	const who = holder === null ? "" : `: process ${holder.pid} (${holder.command}) has it`;
	return new TraiError("busy", `the lock was not free within ${seconds} seconds${who}`, {
		path,
		hint: "A call is just entering, or a commit is running. Try again in a moment."
	});
}
var processesNotEnded = (processes) => new TraiError("live", `${countText(processes.length, "process", "processes")} could not be ended`, { paths: processes.map(({ pid, command }) => `${pid} ${command}`) });
function processStat(pid, file = "stat") {
	const text = processText(pid, file);
	if (text === null) return null;
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const [state, parent, group, sid] = fields;
	const [user, start] = [fields[11], fields[19]];
	if (state === void 0 || user === void 0 || start === void 0) return null;
	return {
		name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")),
		state,
		parent: Number(parent),
		group: Number(group),
		sid: Number(sid),
		user,
		start
	};
}
function processArguments(pid) {
	return processText(pid, "cmdline")?.replace(/\0$/, "").split("\0") ?? null;
}
function processEnvironment(pid) {
	const text = processText(pid, "environ");
	return text === null ? null : parseEnviron(text);
}
function parseEnviron(text) {
	const variables = /* @__PURE__ */ new Map();
	for (const entry of text.split("\0")) {
		const at = entry.indexOf("=");
		if (at > 0 && !variables.has(entry.slice(0, at))) variables.set(entry.slice(0, at), entry.slice(at + 1));
	}
	return variables;
}
function processProgram(pid) {
	return processLink(pid, "exe")?.replace(/ \(deleted\)$/, "") ?? null;
}
function processIds() {
	return readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).map(Number);
}
function processText(pid, name) {
	return orNull(() => textOf(`/proc/${pid}/${name}`));
}
var room = Buffer.allocUnsafeSlow(262144);
function textOf(file) {
	const fd = openSync(file, "r");
	try {
		let length = 0;
		for (;;) {
			if (length === room.length) room = Buffer.concat([room], 2 * length);
			const read = readSync(fd, room, length, room.length - length, null);
			if (read === 0) return room.toString("latin1", 0, length);
			length += read;
		}
	} finally {
		closeSync(fd);
	}
}
function processLink(pid, name) {
	return orNull(() => readlinkSync(`/proc/${pid}/${name}`, "latin1"));
}
function namesIn(dir) {
	return orNull(() => readdirSync(dir)) ?? [];
}
function descriptorLinks(pid) {
	return namesIn(`/proc/${pid}/fd`).map((fd) => processLink(pid, `fd/${fd}`) ?? "");
}
function tcpSockets(pid = "self") {
	return ["tcp", "tcp6"].flatMap((name) => (processText(pid, `net/${name}`) ?? "").trimEnd().split("\n").slice(1)).map((line) => {
		const [, local = "", remote = "", state = "", , , , uid, , inode = "0"] = line.trim().split(/\s+/);
		return {
			local,
			remote,
			state,
			uid: Number(uid),
			inode
		};
	});
}
var TICKS_PER_SECOND = 100;
var MOST_CHARACTERS = 200;
var ENV_LINE_END = /; fi(?:; :)? '?# trai:/;
function commandLine(argv, name) {
	const words = (argv[1] === "-c" && ENV_LINE_END.test(argv[2] ?? "") ? `${argv[0]} -c (the call itself)` : argv.join(" ")).trim();
	const text = toDisplay(words === "" ? `[${name}]` : words).replaceAll("\\\\", "\\");
	return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, 199)}…`;
}
function ageSeconds(start) {
	return Math.max(0, Math.round(uptime() - Number(start) / TICKS_PER_SECOND));
}
function startedMs(start) {
	return Math.round(Date.now() - 1e3 * (uptime() - Number(start) / TICKS_PER_SECOND));
}
function uptime() {
	return Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
}
var TERM_MS = 2e3;
var KILL_MS = 1e4;
var POLL_MS = 50;
async function endWhile(remaining) {
	const signalled = /* @__PURE__ */ new Set();
	const term = Date.now() + TERM_MS;
	for (let processes = await remaining(); processes.length > 0; processes = await remaining()) {
		if (Date.now() > term + KILL_MS) throw processesNotEnded(processes);
		const late = Date.now() > term;
		for (const process of processes) {
			if (!late && signalled.has(process.pid)) continue;
			if (signal(process, late ? "SIGKILL" : "SIGTERM")) signalled.add(process.pid);
		}
		await setTimeout(POLL_MS);
	}
	return [...signalled];
}
function signal({ pid, start }, name) {
	return processStat(pid)?.start === start && orNull(() => process.kill(pid, name)) !== null;
}
var known = null;
function isRealRoot() {
	known ??= process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync("/proc/self/uid_map", "latin1"));
	return known;
}
export { lockUnusable as _, isRealRoot as a, processEnvironment as c, processProgram as d, processStat as f, lockHeld as g, tcpSockets as h, endWhile as i, processIds as l, startedMs as m, commandLine as n, namesIn as o, processText as p, descriptorLinks as r, processArguments as s, ageSeconds as t, processLink as u, noFlock as v };
