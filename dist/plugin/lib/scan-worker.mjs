import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { Script, runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import fs, { accessSync, appendFileSync, chmodSync, closeSync, constants, existsSync, fchmodSync, fstatSync, fsync, lstatSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, rmdirSync, statSync, statfsSync, symlinkSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { constants as constants$1, userInfo } from "node:os";
import { spawn, spawnSync } from "node:child_process";
import { createHash, hash, randomBytes } from "node:crypto";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import path, { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { isUtf8 } from "node:buffer";
import { appendFile, open, readFile, readlink } from "node:fs/promises";
var __defProp = Object.defineProperty;
var __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
};
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
function isByteString(text) {
	for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return false;
	return true;
}
function bytePath(text) {
	if (!isByteString(text)) throw new RangeError("expected a byte string (every character <= U+00FF)");
	return text;
}
function isAscii(path) {
	return !NOT_ASCII.test(path);
}
function fromText(text) {
	let out = "";
	for (const byte of new TextEncoder().encode(text)) out += String.fromCharCode(byte);
	return out;
}
function toText(bytes) {
	return decoder$1.decode(toBytes(bytes));
}
function toBytes(path) {
	const out = new Uint8Array(path.length);
	for (let i = 0; i < path.length; i++) out[i] = path.charCodeAt(i);
	return out;
}
function toDisplay(path) {
	const escaped = path.replaceAll("\\", "\\\\");
	let text;
	try {
		text = utf8.decode(toBytes(escaped));
	} catch {
		text = escaped.replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
	}
	return text.replace(INVISIBLE, (c) => {
		const code = c.codePointAt(0) ?? 0;
		if (c === "\n") return "\\n";
		if (c === "\r") return "\\r";
		if (c === "	") return "\\t";
		return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
	});
}
function parentOf(path) {
	const at = path.lastIndexOf("/");
	return at <= 0 ? "/" : path.slice(0, at);
}
function nameOf(path) {
	return path.slice(path.lastIndexOf("/") + 1);
}
function joinPath(dir, name) {
	return dir.endsWith("/") ? dir + name : `${dir}/${name}`;
}
function isWithin(path, dir) {
	return path === dir || dir === "/" || path.startsWith(dir) && path.charCodeAt(dir.length) === 47;
}
function innermost(path, all, dirOf) {
	let best;
	for (const one of all) {
		const dir = dirOf(one);
		if (isWithin(path, dir) && (best === void 0 || dir.length >= dirOf(best).length)) best = one;
	}
	return best;
}
function isBelowAny(path, dirs) {
	for (let at = path; at !== "/";) {
		at = parentOf(at);
		if (dirs.has(at)) return true;
	}
	return false;
}
var utf8, decoder$1, NOT_ASCII, INVISIBLE;
var init_bytes = __esmMin((() => {
	utf8 = new TextDecoder("utf-8", {
		fatal: true,
		ignoreBOM: true
	});
	decoder$1 = new TextDecoder("utf-8", { ignoreBOM: true });
	NOT_ASCII = /[^\0-\x7f]/;
	INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;
}));
function messageOf(thrown) {
	return thrown instanceof Error ? thrown.message : String(thrown);
}
function toErrorBody(thrown) {
	if (!(thrown instanceof TraiError)) return { error: {
		code: "internal",
		message: messageOf(thrown)
	} };
	const { code, message, hint, path, paths, data } = thrown;
	const details = Object.entries({
		hint,
		path,
		paths,
		data
	}).filter(([, value]) => value !== void 0);
	return { error: {
		code,
		message,
		...Object.fromEntries(details)
	} };
}
var TraiError;
var init_errors$3 = __esmMin((() => {
	TraiError = class extends Error {
		code;
		hint;
		path;
		paths;
		data;
		constructor(code, message, details = {}) {
			super(message, details.cause === void 0 ? void 0 : { cause: details.cause });
			this.name = "TraiError";
			this.code = code;
			this.hint = details.hint;
			this.path = details.path;
			this.paths = details.paths;
			this.data = details.data;
		}
	};
})), MAX_DIFF_LINES, MAX_DIFF_BYTES, SEARCH_FILE_BYTES, HIDDEN_FILE_BYTES, HIDDEN_MS, HEX_BYTES, MAX_LINE_CHARS, DIFF_TIMEOUT_MS, BASE_BLOB_BYTES, MASS_GUARD_ENTRIES, MAX_PATH_BYTES, MAX_LEVELS, MAX_LOG_LINE_BYTES, UNDO_LIMITS, FOREIGN_CLOCK_MS, DISK_WARN_FREE_BYTES;
var init_limits = __esmMin((() => {
	MAX_DIFF_LINES = 2e4;
	MAX_DIFF_BYTES = 512e3;
	SEARCH_FILE_BYTES = 2097152;
	HIDDEN_FILE_BYTES = 2097152;
	HIDDEN_MS = {
		page: 150,
		status: 500,
		order: 5e3
	};
	HEX_BYTES = 1024;
	MAX_LINE_CHARS = 2e3;
	DIFF_TIMEOUT_MS = 1e3;
	BASE_BLOB_BYTES = 262144;
	MASS_GUARD_ENTRIES = 1e3;
	MAX_PATH_BYTES = 4e3;
	MAX_LEVELS = 1e3;
	MAX_LOG_LINE_BYTES = 65536;
	UNDO_LIMITS = {
		maxBytes: 2 * 1024 ** 3,
		keepDays: 7,
		keepBytes: 10 * 1024 ** 3
	};
	FOREIGN_CLOCK_MS = 6e5;
	DISK_WARN_FREE_BYTES = 1024 ** 3;
}));
init_bytes();
init_errors$3();
init_limits();
var ENTRY_TYPES = [
	"file",
	"dir",
	"symlink",
	"fifo",
	"socket",
	"char",
	"block"
];
var CONFLICT_REASONS = {
	"host-changed": "the host changed it after the sandbox took its copy",
	"host-deleted": "the host removed it after the sandbox took its copy",
	"host-created": "the host made an entry of that name since",
	"host-parent-gone": "the host removed the directory that holds it",
	"host-new-below": "the host has a new or changed entry below the deleted directory",
	"unknown-base": "the host changed it at about the time the sandbox took its copy; which came first is not known",
	unreadable: "nobody may look into the directory in the sandbox, or paths in it are too long, so what is below it can be neither shown nor committed; it stays pending until a command in the sandbox makes it readable (chmod u+rx) or its paths shorter (mv)"
};
function countChanges(changes) {
	const counts = {
		added: 0,
		modified: 0,
		deleted: 0,
		replaced: 0,
		meta: 0
	};
	for (const change of changes) {
		if (change.ignored !== null) continue;
		counts[change.kind === "dir-replaced" ? "replaced" : change.kind]++;
	}
	return counts;
}
function sameRevision(now, seen, includeIgnored) {
	if (includeIgnored) return now === seen;
	return now.split("-")[0] === seen.split("-")[0];
}
function hostMoved(list) {
	return list.changes.filter(({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== "unreadable");
}
function timeOf$1(times, i) {
	const [from = NaN, to = NaN] = times.subarray(2 * i, 2 * i + 2);
	return Number.isNaN(from) ? null : [from, to];
}
var SOCKET_RULE = "socket";
var TIMES_RULE = "only its time differs";
var SPECIAL_RULE = "pipe or device";
function typeRule(pending, host) {
	if ((pending ?? host) === "socket") return SOCKET_RULE;
	return pending === "fifo" || pending === "char" || pending === "block" ? SPECIAL_RULE : null;
}
var OUTSIDE$1 = "outside-project:";
var PROJECT = "project:";
function compileIgnore(scope) {
	const rules = scope.ignore.filter((text) => text.trim() !== "").map((text) => compileRule$1(text, scope));
	if (rules.length === 0) return () => null;
	const any = new RegExp(rules.map((rule) => `(?:${rule.pattern.source})`).join("|"), "s");
	return (path, isDir) => {
		if (!any.test(path)) return null;
		for (const rule of rules) {
			if (!(isDir ? rule.pattern : rule.ofFile).test(path)) continue;
			if (!rule.outside || !isWithin(path, scope.projectRoot)) return rule.text;
		}
		return null;
	};
}
function compileRule$1(text, scope) {
	const outside = text.startsWith(OUTSIDE$1);
	const inside = text.startsWith(PROJECT);
	let body = fromText(text.slice(outside ? 16 : inside ? 8 : 0));
	const dirOnly = body.endsWith("/") && body !== "/";
	if (dirOnly) body = body.slice(0, -1);
	let anchor = null;
	if (body === "~" || body.startsWith("~/")) {
		anchor = scope.home;
		body = body.slice(1);
	} else if (inside) {
		anchor = scope.projectRoot;
		body = `/${body.replace(/^\/+/, "")}`;
	} else if (body.startsWith("/")) anchor = "/";
	else body = body.replace(/^(\*\*\/)+(?=.)/s, "");
	const source = anchor === null ? `/${globSource(body)}` : anchoredSource(anchor, body, scope);
	const pattern = new RegExp(`${source}(?:/.*)?$`, "s");
	return {
		text,
		outside,
		pattern,
		ofFile: dirOnly ? new RegExp(`${source}/`, "s") : pattern
	};
}
function anchoredSource(anchor, body, { resolve }) {
	const literal = /^(?:\/[^/*?]*(?=\/|$))*/.exec(body)?.[0] ?? "";
	const written = `${anchor === "/" ? "" : anchor}${literal}`;
	const real = resolve?.(written) ?? written;
	return `^(?:${[.../* @__PURE__ */ new Set([written, real === "/" && written !== "/" ? "" : real])].map(escapeText).join("|")})${globSource(body.slice(literal.length))}`;
}
function globSource(glob) {
	let source = "";
	for (let i = 0; i < glob.length; i++) if (glob.startsWith("**/", i) && (i === 0 || glob[i - 1] === "/")) {
		source += "(?:.*/)?";
		i += 2;
	} else if (glob.startsWith("**", i)) {
		source += ".*";
		i += 1;
	} else if (glob[i] === "*") source += "[^/]*";
	else if (glob[i] === "?") source += "[^/]";
	else source += escapeText(glob.charAt(i));
	return source;
}
function escapeText(text) {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
function addTo(lists, key, value) {
	const list = lists.get(key);
	if (list === void 0) lists.set(key, [value]);
	else list.push(value);
}
function setNewest(map, key, value, most) {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (oldest !== void 0 && map.size > most) map.delete(oldest);
}
function inOnePiece(text) {
	return text.charCodeAt(0) >= 0 ? text : "";
}
var init_flatten_string = __esmMin((() => {}));
function lookIdentity(entry) {
	if (entry.type === "dir") return `d${entry.mode}.${entry.uid}.${entry.gid}`;
	if (isWhiteout(entry)) return "w";
	const size = entry.type === "file" ? entry.size : 0;
	const { ino, mtimeNs, ctimeNs, mode, type, nlink, birthNs } = entry;
	return inOnePiece(`${ino}.${size}.${mtimeNs}.${ctimeNs}.${mode}.${type}.${nlink}.${birthNs}`);
}
function isWholeIdentity(identity, type) {
	return identity?.includes(`.${type}.1.`) === true;
}
function closedIdentity(entry) {
	return `closed.${lookIdentity(entry)}`;
}
function isSameTime(a, b) {
	return (a > b ? a - b : b - a) < 2000n;
}
function identityFields(identity = "") {
	const [, ino = "", size = "", mtimeNs = "", ctimeNs = ""] = /^(\d+)\.(\d+)\.(-?\d+)\.(-?\d+)\./.exec(identity) ?? [];
	return ino === "" ? null : {
		ino,
		size,
		mtimeNs,
		ctimeNs
	};
}
function isWhiteout(entry) {
	return entry.type === "char" && entry.rdev === 0n;
}
var init_identity = __esmMin((() => {
	init_flatten_string();
}));
init_bytes();
init_identity();
function conflictOf$1(input) {
	const { base, host } = input;
	if (host === null) {
		if (base.state === "known" || base.state === "unknown") return "host-deleted";
		return input.parentGone ? "host-parent-gone" : null;
	}
	switch (base.state) {
		case "absent": return input.below ? "host-new-below" : "host-created";
		case "known": return sameEntry(base.host, host) ? null : "host-changed";
		case "unknown": return "unknown-base";
		case "none": return BigInt(host.ctimeNs) < input.since && (input.movedNs ?? 0n) < input.since ? null : "unknown-base";
	}
}
function sameEntry(base, now) {
	const isSame = (field) => base[field] === now[field];
	return ATTRIBUTES.every(isSame) && (base.type === "dir" || CONTENT.every(isSame));
}
var ATTRIBUTES = [
	"type",
	"uid",
	"gid",
	"mode"
];
var CONTENT = [
	"size",
	"nlink",
	"ino",
	"mtimeNs",
	"ctimeNs",
	"target"
];
function spreadGroupConflicts(changes) {
	const reasons = /* @__PURE__ */ new Map();
	for (const { group, conflict } of changes) if (group !== null && conflict !== null && !reasons.has(group)) reasons.set(group, conflict);
	if (reasons.size === 0) return;
	for (const change of changes) if (change.group !== null && change.conflict === null) change.conflict = reasons.get(change.group) ?? null;
}
var GIT$1 = /^(.*?\/\.git)(?:\/|$)/s;
var SQLITE = /-(?:wal|shm|journal)$/;
function setGroups(changes) {
	const databases = /* @__PURE__ */ new Set();
	for (const { path } of changes) if (SQLITE.test(path)) databases.add(path.replace(SQLITE, ""));
	for (const change of changes) {
		const git = change.path.includes("/.git") ? GIT$1.exec(change.path)?.[1] : void 0;
		if (git !== void 0) change.group = `git:${git}`;
		else if (databases.size > 0) {
			const database = change.path.replace(SQLITE, "");
			if (databases.has(database)) change.group = `sqlite:${database}`;
		}
	}
	for (const names of linkSets(changes)) {
		const [first] = names;
		const group = names.find((change) => change.group !== null)?.group ?? `links:${first?.path}`;
		for (const change of names) change.group ??= group;
	}
}
function linkSets(changes) {
	if (changes.every(({ conflict }) => conflict === null)) return [];
	const sets = /* @__PURE__ */ new Map();
	const wanted = /* @__PURE__ */ new Set();
	for (const change of changes) {
		const inode = change.pending?.type === "file" ? identityFields(change.upperIdentity)?.ino : void 0;
		if (inode === void 0) continue;
		addTo(sets, inode, change);
		if (change.conflict !== null) wanted.add(inode);
	}
	return [...wanted].map((inode) => sets.get(inode) ?? []).filter((set) => set.length > 1);
}
function goesWithOthers(changes) {
	const groups = /* @__PURE__ */ new Set();
	const removed = /* @__PURE__ */ new Set();
	for (const { path, group, ignored, host, pending } of changes) {
		if (ignored !== null) continue;
		if (group !== null) groups.add(group);
		if (host?.type === "dir" && pending?.type !== "dir") removed.add(path);
	}
	return ({ path, group, pending }) => {
		if (group !== null && groups.has(group) && pending?.type !== "socket") return true;
		return removed.size > 0 && isBelowAny(path, removed);
	};
}
init_bytes();
function takesAway(change) {
	return change.host !== null && (change.kind === "deleted" || change.kind === "replaced" || change.kind === "dir-replaced");
}
function reasonFor(ctx, change) {
	const what = change.kind === "deleted" ? "deletes" : "replaces";
	const shown = toDisplay(change.path);
	if (isWithin(ctx.projectRoot, change.path)) return `${what} the project ${shown}`;
	if (nameOf(change.path) === ".git") return `${what} the repository data ${shown}`;
	if (parentOf(change.path) === ctx.home) return `${what} ${shown}, which lies directly in the home directory`;
	return null;
}
function massGuard(ctx, list, includeIgnored) {
	const goes = goesWithOthers(list.changes);
	const gone = list.changes.filter((c) => takesAway(c) && (includeIgnored || c.ignored === null || goes(c)));
	const reasons = gone.map((c) => reasonFor(ctx, c)).filter((reason) => reason !== null);
	if (gone.length > 1e3) reasons.push(`deletes or replaces ${gone.length} entries of the host (more than ${MASS_GUARD_ENTRIES})`);
	const asked = list.changes.filter((c) => c.effect?.do === "confirm" && (includeIgnored || c.ignored === null || goes(c)));
	reasons.push(...asked.map((c) => `changes ${toDisplay(c.path)}, which is to be confirmed (${c.effect?.text})`));
	if (reasons.length === 0) return null;
	const count = (/* @__PURE__ */ new Set([...gone, ...asked])).size;
	return asked.length === 0 ? {
		reasons,
		count
	} : {
		reasons,
		count,
		asked: asked.length
	};
}
function askMassGuard(ctx, list, request) {
	const guard = massGuard(ctx, list, request.includeIgnored);
	if (guard === null || request.yes || request.typedCount === guard.count) return;
	const shown = guard.reasons.slice(0, 5).join("; ");
	const more = guard.reasons.length > 5 ? ` and ${guard.reasons.length - 5} more reasons` : "";
	throw new TraiError("mass-guard", `this commit ${shown}${more}`, {
		hint: `Confirm with the number of these entries (${guard.count}), or with --yes.`,
		paths: guard.reasons,
		data: { count: guard.count }
	});
}
var HOST_CHANGED, COPY_GONE, NEW_ENTRIES, NO_XATTRS, OUT_OF_REACH, ENTRY_ERRORS;
var init_reasons = __esmMin((() => {
	init_limits();
	HOST_CHANGED = "the host changed it after the review; it stays pending";
	COPY_GONE = "its copy is gone; it stays pending";
	NEW_ENTRIES = "the host has entries in it that were not in the reviewed list";
	NO_XATTRS = "its extended attributes (an ACL, user.*) cannot be read: perl is missing, or it may not be read";
	OUT_OF_REACH = `It holds paths of more than ${MAX_PATH_BYTES} bytes or ${MAX_LEVELS} directories, which cannot be worked on. Shorten them with a command in the sandbox (mv).`;
	ENTRY_ERRORS = {
		EACCES: "permission denied on the host",
		EPERM: "the host does not permit it (owner, or an immutable entry)",
		EROFS: "the file system is read-only",
		EBUSY: "it is in use on the host (a mount point?)",
		ENOTEMPTY: NEW_ENTRIES,
		EEXIST: HOST_CHANGED,
		ENOTDIR: "a directory above it is no directory any more",
		ELOOP: "a directory above it became a symbolic link",
		ENOENT: "it or a directory above it is gone",
		EXDEV: "it can only be copied there, not renamed (another file system or subvolume)",
		ENAMETOOLONG: "its name or path, or one in it, is too long",
		EINVAL: "the host’s file system does not take such a name or value",
		EILSEQ: "the host’s file system does not take such a name",
		EOVERFLOW: "its owner or group is not known there",
		EOPNOTSUPP: "the host’s file system has no such thing",
		ENOTSUP: "the host’s file system has no such thing",
		EFBIG: "it is too large for the host’s file system",
		EMLINK: "it has too many names for the host’s file system",
		EISDIR: HOST_CHANGED,
		ETXTBSY: "it is being executed"
	};
}));
var USR, NIXOS, NIXOS_SETUID, isNixos, PROGRAM_DIR, programPath, setuidPath;
var init_programs = __esmMin((() => {
	USR = "/usr/bin";
	NIXOS = "/run/current-system/sw/bin";
	NIXOS_SETUID = "/run/wrappers/bin";
	isNixos = !existsSync(`${USR}/unshare`) && existsSync(NIXOS);
	PROGRAM_DIR = isNixos ? NIXOS : USR;
	programPath = (name) => `${PROGRAM_DIR}/${name}`;
	setuidPath = (name) => `${isNixos ? NIXOS_SETUID : USR}/${name}`;
}));
function run$2(program, args, options = {}) {
	return new Promise((resolve) => {
		const { cwd, env = process.env, fds = [], timeout, grace = 0, mostOutput = Infinity } = options;
		const stdio = [
			"pipe",
			options.stdout ?? "pipe",
			"pipe",
			...fds
		];
		const child = spawn(program, args, {
			cwd,
			env,
			stdio,
			detached: true
		});
		const [output, errors] = [[], []];
		let [size, timedOut] = [0, false];
		let timer;
		const finish = (status, error = "") => {
			clearTimeout(timer);
			const [stdout, stderr] = [textOf$4(output), textOf$4(errors) + error];
			resolve({
				status: timedOut ? 124 : status,
				stdout,
				stderr,
				timedOut
			});
		};
		const kill = () => {
			signalGroup(child.pid, "SIGKILL");
			timer = setTimeout(() => {
				child.stdout?.destroy();
				child.stderr?.destroy();
				child.unref();
				finish(124);
			}, KILL_MS$1);
		};
		const stop = () => {
			if (timedOut) return;
			timedOut = true;
			clearTimeout(timer);
			signalGroup(child.pid, "SIGTERM");
			timer = setTimeout(kill, grace);
		};
		if (timeout !== void 0) timer = setTimeout(stop, timeout);
		child.stdout?.on("data", (chunk) => {
			output.push(chunk);
			size += chunk.length;
			if (size > mostOutput) stop();
		});
		child.stderr?.on("data", (chunk) => errors.push(chunk));
		child.on("error", (error) => finish(127, error.message));
		child.on("close", (code, signal) => finish(code ?? 128 + (signal === null ? 0 : constants$1.signals[signal])));
		child.stdin?.on("error", () => {});
		child.stdin?.end(options.input ?? "");
	});
}
function signalGroup(pid, name) {
	try {
		if (pid !== void 0) process.kill(-pid, name);
	} catch {}
}
function plainEnv() {
	return {
		PATH: PROGRAM_DIR,
		LC_ALL: "C"
	};
}
var KILL_MS$1, textOf$4;
var init_run = __esmMin((() => {
	init_programs();
	KILL_MS$1 = 500;
	textOf$4 = (chunks) => Buffer.concat(chunks).toString("latin1");
}));
function numbersOf({ calls }) {
	const numbers = CALLS[process.arch];
	return numbers === void 0 ? null : calls.map((call) => numbers[call]);
}
function argsOf(program) {
	const numbers = numbersOf(program);
	return numbers === null ? null : [
		"-e",
		`${ONCE}${PRELUDE}${program.text}\nprint $out;`,
		...numbers
	];
}
function perl(program, input, fd) {
	const args = argsOf(program);
	if (args === null) return null;
	const { status, stdout } = spawnSync("perl", args, {
		input: Buffer.from(input, "latin1"),
		stdio: [
			"pipe",
			"pipe",
			"ignore",
			...fd === void 0 ? [] : [fd]
		],
		encoding: "latin1",
		env: plainEnv(),
		cwd: "/",
		maxBuffer: 536870912
	});
	return status === 0 ? stdout : null;
}
async function keepPerl(work) {
	keepers++;
	try {
		return await work();
	} finally {
		keepers--;
		if (keepers === 0) {
			kept$1?.end();
			kept$1 = null;
		}
	}
}
function isPerlKept() {
	return keepers > 0;
}
async function askPerl(program, input) {
	const bytes = Buffer.from(input, "latin1");
	if (keepers > 0) {
		kept$1 ??= new KeptPerl();
		const first = kept$1;
		const answer = await first.ask(program, bytes);
		if (answer !== null || !first.isLost || keepers === 0) return answer;
		if (kept$1 === first) kept$1 = null;
		kept$1 ??= new KeptPerl();
		return await kept$1.ask(program, bytes);
	}
	const args = argsOf(program);
	if (args === null) return null;
	const { status, stdout } = await run$2("perl", args, {
		input: bytes,
		env: plainEnv(),
		cwd: "/"
	});
	return status === 0 ? stdout : null;
}
var X64, GENERIC, CALLS, PRELUDE, ONCE, SERVE, kept$1, keepers, KeptPerl;
var init_perl = __esmMin((() => {
	init_run();
	X64 = {
		get: "191",
		list: "194",
		set: "188",
		remove: "197",
		lget: "192",
		llist: "195",
		lremove: "198",
		syncfs: "306"
	};
	GENERIC = {
		get: "8",
		list: "11",
		set: "5",
		remove: "14",
		lget: "9",
		llist: "12",
		lremove: "15",
		syncfs: "267"
	};
	CALLS = {
		x64: X64,
		arm64: GENERIC,
		riscv64: GENERIC,
		loong64: GENERIC
	};
	PRELUDE = `
exit 3 unless length(pack("p", "")) == 8;
my $max = 65536; my $names = "\\0" x $max; my $v = "\\0" x $max;`;
	ONCE = "my @call = map { $_ + 0 } @ARGV; my $out = \"\"; binmode STDIN; my $input = do { local $/; <STDIN> };";
	SERVE = `
binmode STDIN; binmode STDOUT; $| = 1;
while (defined(my $head = <STDIN>)) {
  my ($p, $i, @call) = map { $_ + 0 } split " ", $head; my ($program, $input, $out) = ("", "", "");
  last unless read(STDIN, $program, $p) == $p && read(STDIN, $input, $i) == $i;
  print eval("$program; 1") ? length($out) . "\\n$out" : "-1\\n"; chdir "/"; }`;
	kept$1 = null;
	keepers = 0;
	KeptPerl = class {
		#child;
		#waiting = [];
		#chunks = [];
		#read = 0;
		#wanted = 1;
		#isOver = false;
		#hasAnswered = false;
		constructor() {
			this.#child = spawn("perl", ["-e", SERVE], {
				cwd: "/",
				env: plainEnv(),
				stdio: [
					"pipe",
					"pipe",
					"ignore"
				],
				detached: true
			});
			this.#child.stdout?.on("data", (chunk) => this.#take(chunk));
			this.#child.stdin?.on("error", () => {});
			this.#child.on("error", () => this.#fail());
			this.#child.on("close", () => this.#fail());
		}
		get isLost() {
			return this.#isOver && this.#hasAnswered;
		}
		async ask(program, input) {
			const numbers = numbersOf(program);
			if (numbers === null || this.#isOver) return null;
			const text = Buffer.from(`${PRELUDE}${program.text}`, "latin1");
			const head = Buffer.from(`${[
				text.length,
				input.length,
				...numbers
			].join(" ")}\n`, "latin1");
			return await new Promise((resolve) => {
				this.#waiting.push(resolve);
				this.#child.stdin?.write(Buffer.concat([
					head,
					text,
					input
				]));
			});
		}
		end() {
			this.#child.stdin?.end();
		}
		#fail() {
			this.#isOver = true;
			for (const resolve of this.#waiting.splice(0)) resolve(null);
		}
		#take(chunk) {
			this.#chunks.push(chunk);
			this.#read += chunk.length;
			if (this.#read < this.#wanted) return;
			let bytes = Buffer.concat(this.#chunks);
			for (this.#wanted = 1; bytes.length >= this.#wanted;) {
				const end = bytes.indexOf("\n");
				if (end === -1) break;
				const length = Number(bytes.toString("latin1", 0, end));
				this.#wanted = end + 1 + Math.max(length, 0);
				if (bytes.length < this.#wanted) break;
				const answer = length < 0 ? null : bytes.toString("latin1", end + 1, this.#wanted);
				bytes = bytes.subarray(this.#wanted);
				this.#wanted = 1;
				this.#hasAnswered = true;
				this.#waiting.shift()?.(answer);
			}
			this.#chunks = [bytes];
			this.#read = bytes.length;
		}
	};
}));
function readAll(paths, fd) {
	if (paths.length === 0) return [];
	const calls = fd === void 0 ? READ_HERE : READ_OPEN;
	const input = (fd === void 0 ? paths.map((path) => path.replace(OWN, OURS)) : paths).map((path) => `${path}\0`).join("");
	return linesOf$1(paths, perl({
		text: READ,
		calls
	}, input, fd));
}
function linesOf$1(paths, output) {
	const lines = output?.split("\n").slice(0, -1);
	return lines?.length === paths.length ? lines : paths.map(() => "?");
}
function meant(line) {
	return only(process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT, line);
}
function only(pattern, line) {
	if (line === "") return "";
	if (line === "?") return null;
	const all = line.split(" ").filter((one) => pattern.test(fromHex(one.slice(0, one.indexOf("=")))));
	return all.some((one) => one.endsWith("=?")) ? null : all.sort().join(" ");
}
function fromHex(hex) {
	return Buffer.from(hex, "hex").toString("latin1");
}
function xattrsOf(paths) {
	return readAll(paths).map(meant);
}
function aclsOf(paths) {
	return readAll(paths).map((line) => only(ACLS, line));
}
async function askXattrs(paths) {
	return (await askAll(paths)).map(meant);
}
async function askAll(paths) {
	if (paths.length === 0) return [];
	const input = paths.map((path) => `${path}\0`).join("");
	return linesOf$1(paths, await askPerl({
		text: READ,
		calls: READ_HERE
	}, input));
}
function readOpenXattrs(fd) {
	return meant(readAll([HELD], fd)[0] ?? "?");
}
function areCopies(paths) {
	return readAll(paths).map(isCopy);
}
function otherXattrs(pairs) {
	const other = [];
	for (let at = 0; at < pairs.length; at += BATCH) {
		const batch = pairs.slice(at, at + BATCH);
		const texts = xattrsOf(batch.flatMap(({ path, upperPath }) => [path, upperPath]));
		batch.forEach((pair, i) => {
			const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
			if (host !== null && upper !== null && host !== upper) other.push({
				pair,
				host,
				upper
			});
		});
	}
	return other;
}
function xattrIdentity({ host, upper }) {
	return hash("sha256", `${host}/${upper}`).slice(0, 16);
}
function setOpenXattrs(fd, changes) {
	const value = (hex) => hex === null ? "-" : `=${hex}`;
	const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join("");
	const output = perl({
		text: SET,
		calls: ["set", "remove"]
	}, input, fd);
	if (output === "0") return;
	const number = output === null ? constants$1.errno.ENOSYS : Number(output);
	const code = Object.entries(constants$1.errno).find(([, one]) => one === number)?.[0] ?? "EIO";
	throw Object.assign(/* @__PURE__ */ new Error(`${code}: extended attributes could not be set`), { code });
}
async function freeOfOrigin(paths) {
	if (paths.length === 0) return [];
	const input = paths.map((path) => `${path}\0`).join("");
	const output = await askPerl({
		text: FREE$1,
		calls: ["llist", "lremove"]
	}, input);
	return paths.map((_, i) => output?.[i] === "1");
}
function xattrNames(asked) {
	return namesIn$3(asked, perl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
async function askXattrNames(asked) {
	if (asked.whole.length + asked.alone.length === 0) return namesIn$3(asked, null);
	return namesIn$3(asked, await askPerl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
function namesInput({ whole, alone }) {
	return [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join("");
}
function namesIn$3({ whole, alone }, output) {
	const dirs = [...whole, ...alone];
	return (output === null ? null : parseNames(dirs, output)) ?? {
		names: /* @__PURE__ */ new Map(),
		unknown: new Set(dirs),
		counts: /* @__PURE__ */ new Map()
	};
}
function parseNames(dirs, output) {
	const lines = output.split("\n").slice(0, -1);
	if (lines.pop() !== String(dirs.length)) return null;
	const names = /* @__PURE__ */ new Map();
	const unknown = /* @__PURE__ */ new Set();
	const counts = /* @__PURE__ */ new Map();
	for (const line of lines) {
		const [i, name = "", ...found] = line.split(" ");
		const dir = dirs[Number(i)];
		if (dir === void 0) return null;
		if (name === "?") unknown.add(dir);
		else if (name.startsWith("=")) counts.set(dir, Number(name.slice(1)));
		else names.set(fromHex(name) === "." ? dir : joinPath(dir, fromHex(name)), found.map(fromHex));
	}
	return {
		names,
		unknown,
		counts
	};
}
var UNSUPPORTED, READ, READ_HERE, READ_OPEN, OWN, OURS, MEANT, MEANT_AS_ROOT, ACLS, HELD, ORIGINS, isCopy, BATCH, SET, NAMES, OF_THE_PLACE, FREE$1;
var init_xattrs = __esmMin((() => {
	init_bytes();
	init_perl();
	UNSUPPORTED = `$! == ${constants$1.errno.ENOTSUP}`;
	READ = `
for my $p (split /\\0/, $input) {
  my $n = syscall($call[1], $p, $names, $max);
  if ($n < 0) { $out .= ${UNSUPPORTED} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($call[0], $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }`;
	READ_HERE = ["lget", "llist"];
	READ_OPEN = ["get", "list"];
	[OWN, OURS] = [/^\/proc\/self\/fd\//, `/proc/${process.pid}/fd/`];
	MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
	MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;
	ACLS = /^system\.posix_acl_/;
	HELD = "/proc/self/fd/3";
	ORIGINS = ["user.overlay.origin", "trusted.overlay.origin"].map((name) => `${Buffer.from(name).toString("hex")}=`);
	isCopy = (line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`));
	BATCH = 1e4;
	SET = `
my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($call[1], $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($call[0], $p, $n, $v, length($v), 0); }
$out = "0";
for my $line (split /\\n/, $input) { my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  $out = $! + 0; put(@$_) for @done; last }`;
	NAMES = `
my $i = -1; my $dot = "."; my $count;
for my $d (split /\\0/, $input) { $i++;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($call[0], $name, $names, $max); next if $n == 0 || ($n < 0 && ${UNSUPPORTED});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
$out .= $i + 1 . "\\n";`;
	OF_THE_PLACE = /^(?:user|trusted)\.overlay\.|^security\.(?!capability$)/;
	FREE$1 = `
for my $p (split /\\0/, $input) { my $free = 1;
  my $n = syscall($call[0], $p, $names, $max); $free = 0 if $n < 0 && !(${UNSUPPORTED});
  for my $name ($n > 0 ? split /\\0/, substr($names, 0, $n) : ()) {
    if ($name =~ /^(?:user|trusted)\\.overlay\\.origin$/) { $free = 0 if syscall($call[1], $p, "$name") < 0 }
    elsif ($name =~ /${OF_THE_PLACE.source}/) { $free = 0 } }
  $out .= $free; }`;
}));
function at(fd, name = "") {
	return name === "" ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`;
}
function withHandle(port, fd, use) {
	return useAndClose({ close: () => port.close(fd) }, () => use(fd));
}
async function withHandleAsync(port, fd, use) {
	return await useAndCloseAsync({ close: () => port.close(fd) }, async () => await use(fd));
}
function useAndClose(held, use) {
	try {
		return use(held);
	} finally {
		held.close();
	}
}
async function useAndCloseAsync(held, use) {
	try {
		return await use(held);
	} finally {
		await held.close();
	}
}
function errorCode(thrown) {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}
function isNoSpace(thrown) {
	return [
		"ENOSPC",
		"EDQUOT",
		"no-space"
	].includes(errorCode(thrown));
}
function orIfRefused(call, otherwise) {
	try {
		return call();
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return otherwise;
	}
}
function fsPath(path) {
	return isAscii(path) ? path : Buffer.from(path, "latin1");
}
function toStat(s) {
	const mode = Number(s.mode);
	const type = TYPES.get(mode & 61440);
	if (type === void 0) throw new RangeError(`expected a file type, got mode ${mode.toString(8)}`);
	return {
		type,
		mode: mode & 4095,
		uid: Number(s.uid),
		gid: Number(s.gid),
		size: type === "file" ? Number(s.size) : 0,
		nlink: Number(s.nlink),
		dev: s.dev,
		ino: s.ino,
		rdev: s.rdev,
		mtimeNs: s.mtimeNs,
		ctimeNs: s.ctimeNs,
		birthNs: s.birthtimeNs,
		disk: Number(s.blocks) * 512
	};
}
function lstat(path) {
	try {
		const s = fs.lstatSync(fsPath(path), {
			bigint: true,
			throwIfNoEntry: false
		});
		return s === void 0 ? null : toStat(s);
	} catch (error) {
		if (errorCode(error) === "ENOTDIR") return null;
		throw error;
	}
}
function syncDirs(port, dirs) {
	for (const dir of dirs) withHandle(port, port.openRead(dir), (fd) => port.fsync(fd));
}
async function syncFileSystems(port, fds) {
	const synced = /* @__PURE__ */ new Set();
	for (const fd of fds) {
		const { dev } = port.fstat(fd);
		if (!synced.has(dev)) await port.syncFs(fd);
		synced.add(dev);
	}
}
async function syncFileSystem(fd) {
	const held = `/proc/${process.pid}/fd/${fd}`;
	const answer = isPerlKept() ? await askPerl({
		text: SYNC,
		calls: ["syncfs"]
	}, held) : null;
	if (answer === null || answer === "") await syncByProgram(fd);
	else if (answer !== "0") throw notSynced(`errno ${answer}`, isFull(Number(answer)));
}
async function syncByProgram(fd) {
	const { status, stderr } = await run$2("sync", ["-f", "/proc/self/fd/3"], {
		fds: [fd],
		stdout: "ignore",
		env: plainEnv()
	});
	if (status !== 0) throw notSynced(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}
function isFull(errno) {
	return errno === constants$1.errno.ENOSPC || errno === constants$1.errno.EDQUOT;
}
function notSynced(why, isNoSpace) {
	return Object.assign(/* @__PURE__ */ new Error(`sync -f: ${why}`), { code: isNoSpace ? "ENOSPC" : "EIO" });
}
function orNull(call) {
	return orIfRefused(call, null);
}
function realPath(path) {
	return bytePath(realpathSync.native(fsPath(path), { encoding: "buffer" }).toString("latin1"));
}
var O_PATH, O_DIR, O_ENTRY, O_APPEND$1, TYPES, nodePort, SYNC;
var init_port = __esmMin((() => {
	init_bytes();
	init_perl();
	init_run();
	init_xattrs();
	O_PATH = 2097152;
	O_DIR = O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
	O_ENTRY = O_PATH | fs.constants.O_NOFOLLOW;
	O_APPEND$1 = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;
	TYPES = /* @__PURE__ */ new Map([
		[4096, "fifo"],
		[8192, "char"],
		[16384, "dir"],
		[24576, "block"],
		[32768, "file"],
		[40960, "symlink"],
		[49152, "socket"]
	]);
	nodePort = {
		lstat,
		fstat: (fd) => toStat(fs.fstatSync(fd, { bigint: true })),
		openDir: (path) => fs.openSync(fsPath(path), O_DIR),
		openEntry: (path) => fs.openSync(fsPath(path), O_ENTRY),
		openAppend: (path) => fs.openSync(fsPath(path), O_APPEND$1, 384),
		openRead: (path) => fs.openSync(fsPath(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK),
		close: (fd) => fs.closeSync(fd),
		readdir: (path) => fs.readdirSync(fsPath(path), { encoding: "latin1" }),
		readlink: (path) => fs.readlinkSync(fsPath(path), { encoding: "latin1" }),
		readText(path) {
			try {
				return fs.readFileSync(fsPath(path), "utf8");
			} catch (error) {
				if (errorCode(error) === "ENOENT") return null;
				throw error;
			}
		},
		append(fd, text) {
			let done = fs.writeSync(fd, text);
			if (done === Buffer.byteLength(text)) return;
			for (const bytes = Buffer.from(text, "utf8"); done < bytes.length;) done += fs.writeSync(fd, bytes, done);
		},
		fsync: (fd) => fs.fsyncSync(fd),
		syncFs: syncFileSystem,
		mkdir: (path, mode) => void fs.mkdirSync(fsPath(path), { mode }),
		symlink: (target, path) => fs.symlinkSync(fsPath(target), fsPath(path)),
		link: (from, to) => fs.linkSync(fsPath(from), fsPath(to)),
		rename: (from, to) => fs.renameSync(fsPath(from), fsPath(to)),
		unlink: (path) => fs.unlinkSync(fsPath(path)),
		rmdir: (path) => fs.rmdirSync(fsPath(path)),
		chmod: (path, mode) => fs.chmodSync(fsPath(path), mode),
		lchown: (path, uid, gid) => fs.lchownSync(fsPath(path), uid, gid),
		utimes(path, mtimeNs) {
			const seconds = Number(mtimeNs / 1000000n) / 1e3 + Number(mtimeNs % 1000000n) / 1e9;
			fs.utimesSync(fsPath(path), String(seconds), String(seconds));
		},
		xattrsOf,
		askXattrs,
		xattrs: readOpenXattrs,
		setXattrs: setOpenXattrs,
		writable(path) {
			try {
				fs.accessSync(fsPath(path), fs.constants.W_OK | fs.constants.X_OK);
				return true;
			} catch {
				return false;
			}
		},
		space(path) {
			const { bavail, bsize, type } = fs.statfsSync(fsPath(path));
			return {
				free: bavail * bsize,
				kind: type
			};
		},
		run: async (program, args, input, fds) => await run$2(program, args, {
			input,
			fds,
			stdout: "ignore",
			env: plainEnv()
		})
	};
	SYNC = `
if (opendir my $h, $input) { my $fd = fileno $h;
  $out = syscall($call[0], $fd) < 0 ? $! + 0 : 0 if defined $fd; }`;
}));
function entryMessage(thrown) {
	if (thrown instanceof NotApplied) return thrown.message;
	const code = errorCode(thrown);
	const text = ENTRY_ERRORS[code];
	return text === void 0 ? null : `${text} (${code})`;
}
function refusalOf(work) {
	try {
		work();
		return null;
	} catch (error) {
		const message = entryMessage(error);
		if (message === null) throw error;
		return message;
	}
}
var NotApplied, Cancelled;
var init_entry_errors = __esmMin((() => {
	init_reasons();
	init_port();
	NotApplied = class extends Error {
		name = "NotApplied";
	};
	Cancelled = class extends Error {
		name = "Cancelled";
	};
}));
function watchLstat(watcher) {
	const before = onLstat;
	onLstat = watcher;
	return before;
}
function lstatEntry(path) {
	let entry = null;
	try {
		entry = lstat(path);
	} catch (error) {
		if (errorCode(error) !== "ELOOP") throw error;
	}
	onLstat?.(path, entry);
	return entry;
}
function hostEntry(path) {
	try {
		return lstatEntry(path);
	} catch (error) {
		if (["EACCES", "ENAMETOOLONG"].includes(errorCode(error))) return "closed";
		throw error;
	}
}
function lstatOrNone(path) {
	const entry = hostEntry(path);
	return entry === "closed" ? null : entry;
}
function isClosed$1(entry, asRoot) {
	return entry.type === "dir" && !asRoot && (entry.mode & 320) !== 320;
}
function isNearLimit(dir) {
	return dir.length + NAME_MAX >= 4e3 || dir.length >= 1998;
}
function isOutOfReach(path) {
	return path.length > 4e3 || path.split("/").length > 1e3;
}
function holdsOutOfReach(dir) {
	if (!isNearLimit(dir)) return false;
	return (orNull(() => readdirSync(fsPath(dir), "latin1")) ?? []).some((name) => isOutOfReach(joinPath(dir, name)));
}
function readNames(dir) {
	const names = readdirSync(fsPath(dir), { encoding: "latin1" }).sort(byBytes);
	return isNearLimit(dir) ? names.filter((name) => !isOutOfReach(joinPath(dir, name))) : names;
}
function namesOrNone(dir) {
	return orNull(() => readNames(dir)) ?? [];
}
function readEntries(dir) {
	const entries = readdirSync(fsPath(dir), {
		encoding: "latin1",
		withFileTypes: true
	});
	return isNearLimit(dir) ? entries.filter(({ name }) => !isOutOfReach(joinPath(dir, name))) : entries;
}
function readTarget(path) {
	return readlinkSync(fsPath(path), "latin1");
}
function byBytes(a, b) {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
function toSide(entry, path) {
	const { type, mode, uid, gid, size } = entry;
	const side = {
		type,
		mode,
		uid,
		gid,
		size
	};
	return type === "symlink" ? {
		...side,
		target: readTarget(path)
	} : side;
}
function toHostStat(entry, path) {
	const { type, mode, uid, gid, size, nlink } = entry;
	const stat = {
		type,
		mode,
		uid,
		gid,
		size,
		nlink,
		dev: String(entry.dev),
		ino: String(entry.ino),
		mtimeNs: String(entry.mtimeNs),
		ctimeNs: String(entry.ctimeNs)
	};
	return type === "symlink" ? {
		...stat,
		target: readTarget(path)
	} : stat;
}
function identityOf$2(entry) {
	return entry === null ? "-" : lookIdentity(entry);
}
function entryEtag(host, pending) {
	return createHash("sha256").update(`${host} ${pending}`).digest("hex").slice(0, 16);
}
function errorText(error) {
	if (!(error instanceof Error)) return String(error);
	return error.message.replace(/, \w+ '.*$/s, "");
}
function fileSystemType(dir) {
	return statfsSync(fsPath(dir)).type;
}
var onLstat, NAME_MAX;
var init_entry = __esmMin((() => {
	init_bytes();
	init_limits();
	init_identity();
	init_port();
	onLstat = null;
	NAME_MAX = 255;
}));
function unescapeMount(text) {
	return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}
function parseMountinfo(text) {
	const mounts = [];
	const lines = [];
	for (const line of text.split("\n")) {
		const end = line.indexOf(" - ");
		const [id = "", parent = "", device = "", root = "", at, flags = ""] = line.slice(0, end).split(" ");
		const [type, source = "", options = ""] = line.slice(end + 3).split(" ");
		if (end < 0 || at === void 0 || type === void 0) continue;
		const point = unescapeMount(at);
		lines.push({
			id,
			parent,
			point
		});
		mounts.push({
			point,
			root: unescapeMount(root),
			type,
			device,
			source: unescapeMount(source),
			options,
			readOnly: flags.split(",").includes("ro"),
			flags: flags.split(",").filter((flag) => BIND_FLAGS.has(flag))
		});
	}
	const hidden = hiddenLines(lines);
	return mounts.map((mount, i) => hidden[i] === true ? {
		...mount,
		hidden: true
	} : mount);
}
function ownMounts() {
	return parseMountinfo(readFileSync("/proc/self/mountinfo", "latin1"));
}
function hiddenLines(lines) {
	const byId = new Map(lines.map((line, i) => [line.id, i]));
	const onParent = /* @__PURE__ */ new Map();
	for (const line of lines) onParent.set(line.parent, [...onParent.get(line.parent) ?? [], line]);
	const known = [];
	const isHidden = (i) => {
		const line = lines[i];
		if (line === void 0) return false;
		const answer = known[i];
		if (answer !== void 0) return answer;
		known[i] = false;
		const covers = (other) => other.point !== line.point && isWithin(line.point, other.point);
		const parent = byId.get(line.parent);
		known[i] = (onParent.get(line.parent) ?? []).some(covers) || parent !== void 0 && isHidden(parent);
		return known[i] === true;
	};
	return lines.map((_, i) => isHidden(i));
}
function visibleMounts(mounts) {
	const seen = /* @__PURE__ */ new Map();
	for (const mount of mounts) if (mount.hidden !== true) seen.set(mount.point, mount);
	return seen;
}
function holderOf$1(path, mounts) {
	return innermost(path, mounts.values(), (mount) => mount.point);
}
function mountOf(port, path) {
	return withHandle(port, port.openDir(joinPath(path, ".")), (fd) => {
		return `${/^mnt_id:\s+(\d+)/m.exec(port.readText(`/proc/self/fdinfo/${fd}`) ?? "")?.[1] ?? ""}:${port.fstat(fd).dev}`;
	});
}
function isRemote(type) {
	return REMOTE_TYPES.has(type) || type.startsWith("fuse.");
}
function isNetwork(type) {
	return type === "nfs" || type === "nfs4" || type === "ceph";
}
function isLocal$1(path, mounts) {
	const type = holderOf$1(path, mounts)?.type;
	return type !== void 0 && !isRemote(type) && !isNetwork(type) && type !== "autofs";
}
var BIND_FLAGS, ROOT_OPTIONS, REMOTE_TYPES;
var init_mounts = __esmMin((() => {
	init_bytes();
	init_programs();
	init_run();
	init_port();
	BIND_FLAGS = /* @__PURE__ */ new Set([
		"nosuid",
		"nodev",
		"noexec",
		"noatime",
		"nodiratime",
		"relatime"
	]);
	ROOT_OPTIONS = "index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off";
	new Set("proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs".split(" "));
	REMOTE_TYPES = new Set("fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2".split(" "));
	new Set("ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ecryptfs nfs nfs4 ceph virtiofs".split(" "));
}));
function sizeText(value) {
	let size = value;
	let unit = 0;
	while (size >= 999.5 && unit < UNITS.length - 1) {
		size /= 1e3;
		unit++;
	}
	const digits = unit === 0 || size >= 99.95 ? 0 : 1;
	return `${size.toFixed(digits).replace(/\.0$/, "")} ${UNITS[unit]}`;
}
function modeText(mode) {
	return mode.toString(8).padStart(4, "0");
}
function durationText(ms) {
	if (ms < 1e3) return `${Math.round(ms)} ms`;
	if (ms < 59950) return `${(ms / 1e3).toFixed(1).replace(/\.0$/, "")} s`;
	const seconds = Math.round(ms / 1e3);
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return two(minutes, "min", seconds % 60, "s");
	return two(Math.floor(minutes / 60), "h", minutes % 60, "min");
}
function two(large, unit, small, smallUnit) {
	return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}
function localText(iso) {
	const utc = Date.parse(iso);
	if (Number.isNaN(utc)) return "";
	const shift = new Date(utc).getTimezoneOffset() * 6e4;
	return new Date(utc - shift).toISOString().slice(0, 23).replace("T", " ");
}
function filled(message, values) {
	return message.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
}
var UNITS;
var init_format = __esmMin((() => {
	UNITS = [
		"B",
		"kB",
		"MB",
		"GB",
		"TB"
	];
}));
function countText(count, one, many = `${one}s`) {
	return `${count} ${count === 1 ? one : many}`;
}
function clockText(iso) {
	return localText(iso).slice(11, 19);
}
function shownPath(path, projectRoot) {
	return toDisplay(path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== "/" ? path.slice(projectRoot.length + 1) : path);
}
function namedPaths(paths, projectRoot, more = false) {
	const named = paths.slice(0, MOST_NAMED$1).map((path) => shownPath(path, projectRoot)).join(", ");
	const left = paths.length - MOST_NAMED$1;
	if (left <= 0) return more ? `${named} and more` : named;
	return `${named} and ${more ? "more than " : ""}${left} more`;
}
function overlapText(other, { paths, more }, projectRoot) {
	return `session ${other} has pending changes of ${paths.length === 1 && !more ? "the same path" : "the same paths"}: ${namedPaths(paths, projectRoot, more)}`;
}
function committedText(other, { paths, more }, projectRoot, mine) {
	const what = namedPaths(paths, projectRoot, more);
	if (mine) return `session ${other} has pending changes of what you committed; they are in conflict there now: ${what}`;
	return `session ${other} has committed paths that are pending here; they are in conflict now: ${what}`;
}
function lowText({ free, warnFreeBytes }) {
	return `Only ${sizeText(free)} are free where trai keeps pending changes (config disk.warnFreeBytes: ${sizeText(warnFreeBytes)}). When the disk is full, calls and commits fail; nothing is lost. Free space with: trai gc`;
}
var same, PLAIN$1, sgr, MOST_NAMED$1;
var init_text = __esmMin((() => {
	init_bytes();
	init_format();
	same = (text) => text;
	PLAIN$1 = {
		bold: same,
		dim: same,
		red: same,
		green: same,
		yellow: same,
		cyan: same
	};
	sgr = (on, off) => (text) => `\x1b[${on}m${text}\x1b[${off}m`;
	sgr(1, 22), sgr(2, 22), sgr(31, 39), sgr(32, 39), sgr(33, 39), sgr(36, 39);
	MOST_NAMED$1 = 5;
}));
function lockHeld(path, seconds, holder) {
	const who = holder === null ? "" : `: process ${holder.pid} (${holder.command}) has it`;
	return new TraiError("busy", `the lock was not free within ${seconds} seconds${who}`, {
		path,
		hint: "A call is just entering, or a commit is running. Try again in a moment."
	});
}
var lockUnusable, noFlock, processesNotEnded;
var init_errors$2 = __esmMin((() => {
	init_errors$3();
	init_text();
	lockUnusable = (path, why, cause) => new TraiError("io", `the lock file could not be opened: ${why}`, {
		path,
		cause,
		hint: "If it is no regular file, remove it: it is made anew."
	});
	noFlock = (path, why) => new TraiError("unsupported", `flock could not be started: ${why}`, {
		path,
		hint: why.includes("ENOENT") ? "Install util-linux (flock). See: trai doctor" : "Is the limit of open files (ulimit -n) or of processes (ulimit -u) reached? See: trai doctor"
	});
	processesNotEnded = (processes) => new TraiError("live", `${countText(processes.length, "process", "processes")} could not be ended`, { paths: processes.map(({ pid, command }) => `${pid} ${command}`) });
}));
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
function processIds() {
	return readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).map(Number);
}
function processText(pid, name) {
	return orNull(() => textOf$3(`/proc/${pid}/${name}`));
}
function textOf$3(file) {
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
function namesIn$2(dir) {
	return orNull(() => readdirSync(dir)) ?? [];
}
function descriptorLinks(pid) {
	return namesIn$2(`/proc/${pid}/fd`).map((fd) => processLink(pid, `fd/${fd}`) ?? "");
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
		await setTimeout$1(POLL_MS);
	}
	return [...signalled];
}
function signal({ pid, start }, name) {
	return processStat(pid)?.start === start && orNull(() => process.kill(pid, name)) !== null;
}
function isRealRoot() {
	known$3 ??= process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync("/proc/self/uid_map", "latin1"));
	return known$3;
}
var room, TICKS_PER_SECOND, MOST_CHARACTERS, ENV_LINE_END, TERM_MS, KILL_MS, POLL_MS, known$3;
var init_proc = __esmMin((() => {
	init_bytes();
	init_port();
	init_errors$2();
	room = Buffer.allocUnsafeSlow(262144);
	TICKS_PER_SECOND = 100;
	MOST_CHARACTERS = 200;
	ENV_LINE_END = /; fi(?:; :)? '?# trai:/;
	TERM_MS = 2e3;
	KILL_MS = 1e4;
	POLL_MS = 50;
	known$3 = null;
}));
init_entry_errors();
init_entry();
init_mounts();
init_port();
init_proc();
init_programs();
init_run();
var SUBGID = "/etc/subgid";
var NEWGIDMAP = setuidPath("newgidmap");
var known$2 = null;
function mappedGroups() {
	if (isRealRoot()) return [];
	const read = () => {
		const stat = statSync(SUBGID, { bigint: true });
		const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
		const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(",")}`;
		if (known$2?.identity === identity) return known$2.groups;
		accessSync(NEWGIDMAP, constants.X_OK);
		const ranges = rangesOf$1(readFileSync(SUBGID, "utf8"), userName(), String(process.getuid?.() ?? 0));
		const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
		known$2 = {
			identity,
			groups: [...new Set(groups)].sort((a, b) => a - b)
		};
		return known$2.groups;
	};
	return orNull(read) ?? [];
}
async function mapGroups(pid, gid, groups) {
	await run$2(NEWGIDMAP, [
		pid,
		0,
		gid,
		1,
		...groups.flatMap((group) => [
			group,
			group,
			1
		])
	].map(String), { timeout: 5e3 });
}
function rangesOf$1(text, name, uid) {
	return text.split("\n").flatMap((line) => {
		const [who, from = "", count = ""] = line.trim().split(":");
		return (who === name || who === uid) && /^\d+$/.test(from) && /^\d+$/.test(count) ? [{
			from: Number(from),
			count: Number(count)
		}] : [];
	});
}
function userName() {
	return orNull(() => userInfo().username) ?? String(process.getuid?.() ?? 0);
}
init_bytes();
function coveringDir(coveredDirs, path) {
	return innermost(path, coveredDirs, (covered) => covered.path) ?? null;
}
function upperPath(covered, path) {
	if (path === covered.path) return covered.upper;
	return `${covered.upper}${covered.path === "/" ? path : path.slice(covered.path.length)}`;
}
function upperPathIn(coveredDirs, path) {
	const covered = coveringDir(coveredDirs, path);
	return covered === null ? null : upperPath(covered, path);
}
init_bytes();
init_errors$3();
var viewNotMounted = (why, cause) => new TraiError("unsupported", `the merged view could not be mounted: ${why}`, {
	hint: "`trai doctor` checks what the kernel allows and says what to do.",
	cause
});
var mountedBelow = (point, covered, cause) => new TraiError("unsupported", `${toDisplay(point)} was mounted below ${toDisplay(covered)} after calls had changed something there, and as long as it is, that can't be looked at`, {
	hint: `Unmount ${toDisplay(point)}; nothing of what is pending is lost.`,
	cause
});
var basesAreNoFile = (path) => new TraiError("corrupt", "expected base records, found something that is no file", {
	path,
	hint: "Move it away: then the host’s changes since are conflicts. Nothing was changed."
});
var dirUnreadable = (why) => `The host’s directory could not be read: ${why}`;
var DIR_CLOSED = "The host’s directory may not be searched (no x permission).";
var OTHER_FILE_SYSTEM = "Another file system is mounted here now: it is left alone.";
var CLOSED_IN_SANDBOX = "What is below it cannot be read: the sandbox took away the permission to look into it. A command in the sandbox can give it back (chmod u+rx).";
init_bytes();
init_port();
init_programs();
init_run();
var OPEN_LIMIT_MS = 1e4;
var SCRIPT$1 = `
options=$1 dirs=$2; shift 2
if [ "$1" = groups ]; then echo groups; read -r answer; shift; fi
mount -t tmpfs -o mode=0700,size=1m trai-view ../view || exit 1
mkdir -p ../view/e $dirs
while [ $# -gt 0 ]; do
  lower=$1/l
  if [ "$2" = copied ]; then lower=$1/c; mkdir -p $1/c; fi
  if [ "$2" = gone ]; then lower=../view/e; fi
  if [ "$2" = wrapped ]; then
    mount -t overlay -o "ro,$options,lowerdir=$1/l:../view/e" trai-view ../view/h/$1 || exit 1
    lower=../view/h/$1
  fi
  mount -t overlay -o "ro,$options,lowerdir=$1/u:$lower" trai-view ../view/v/$1 || exit 1
  shift 2
done
echo ready
read -r end
`;
async function openViewer(ctx) {
	const shown = shownBy(ctx);
	if (shown.length === 0) return {
		pathOf: (path) => path,
		close: async () => {}
	};
	const room = joinPath(parentOf(realPath(fromText(`${ctx.sessionDir}/overlay`))), "view");
	mkdirSync(fsPath(room), {
		recursive: true,
		mode: 448
	});
	const groups = ctx.root ? [] : mappedGroups();
	const child = startNamespace(ctx, shown, groups.length > 0);
	if (groups.length > 0) child.stdout?.once("data", () => {
		mapGroups(child.pid ?? 0, ctx.gid, groups).finally(() => child.stdin?.write("\n"));
	});
	await untilReady(child).catch((error) => {
		throw withMounts(error, shown);
	});
	const root = bytePath(`/proc/${child.pid}/root${room}/v`);
	return {
		pathOf(path) {
			const covered = coveringDir(shown, path);
			if (covered === null || covered !== coveringDir(ctx.coveredDirs, path)) return path;
			return upperPath({
				...covered,
				upper: joinPath(root, String(covered.n))
			}, path);
		},
		close: () => end(child)
	};
}
function shownBy({ coveredDirs }) {
	return coveredDirs.filter(({ upper }) => namesOrNone(upper).length > 0);
}
function withMounts(error, shown) {
	const mounts = ownMounts();
	for (const { path } of shown) {
		const below = mounts.find(({ point }) => point !== path && isWithin(point, path));
		if (below !== void 0) return mountedBelow(below.point, path, error);
	}
	return error;
}
function startNamespace(ctx, shown, groups) {
	const user = ctx.root ? [] : ["--user", groups ? "--map-user=0" : "--map-root-user"];
	const options = ctx.root ? ROOT_OPTIONS : "userxattr";
	const places = shown.flatMap((covered) => [String(covered.n), lowerKind(covered)]);
	const dirs = shown.map(({ n }) => `../view/v/${n} ../view/h/${n}`).join(" ");
	return spawn(programPath("unshare"), [
		...user,
		"--mount",
		"/bin/sh",
		"-c",
		SCRIPT$1,
		"sh",
		options,
		dirs,
		...groups ? ["groups"] : [],
		...places
	], {
		cwd: `${ctx.sessionDir}/overlay`,
		stdio: [
			"pipe",
			"pipe",
			"pipe"
		],
		detached: true,
		env: {
			...plainEnv(),
			LIBMOUNT_FORCE_MOUNT2: "always"
		}
	});
}
function lowerKind({ copied, upper, path }) {
	if (copied !== void 0) return "copied";
	if (lstat(path)?.type !== "dir") return "gone";
	return isWithin(realPath(upper), realPath(path)) ? "wrapped" : "direct";
}
function untilReady(child) {
	return new Promise((resolve, reject) => {
		let said = "";
		const fail = (why, cause) => {
			clearTimeout(timer);
			child.kill("SIGKILL");
			reject(viewNotMounted(why, cause));
		};
		const timer = setTimeout(() => fail(`no answer within ${OPEN_LIMIT_MS / 1e3} s`), OPEN_LIMIT_MS);
		child.on("error", (error) => fail(error.message, error));
		child.on("exit", (code, signal) => fail(said.trim() || `unshare ended with ${signal ?? `status ${code}`}`));
		child.stderr?.on("data", (chunk) => {
			if (said.length < 2e3) said += chunk.toString("utf8");
		});
		child.stdin?.on("error", () => {});
		child.stdout?.on("data", (chunk) => {
			if (!chunk.includes("ready")) return;
			clearTimeout(timer);
			child.removeAllListeners("exit");
			child.unref();
			resolve();
		});
	});
}
function end(child) {
	if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
	return new Promise((resolve) => {
		child.once("exit", () => resolve());
		child.ref();
		child.kill("SIGKILL");
	});
}
init_bytes();
init_limits();
init_entry();
init_port();
init_errors$2();
init_programs();
init_run();
init_proc();
async function takeFileLock(path, waitSeconds = 10) {
	let file;
	try {
		file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 384);
	} catch (cause) {
		throw lockUnusable(path, errorText(cause), cause);
	}
	try {
		await lock(file, path, waitSeconds);
	} catch (error) {
		closeSync(file);
		throw error;
	}
	return async () => closeSync(file);
}
async function withFileLock(path, work, waitSeconds = 10) {
	const release = await takeFileLock(path, waitSeconds);
	try {
		return await work();
	} finally {
		await release();
	}
}
async function lock(file, path, waitSeconds) {
	const { status, stderr } = await run$2(programPath("flock"), [
		"-x",
		"-w",
		String(waitSeconds),
		"3"
	], { fds: [file] });
	if (status === 0) return;
	throw status === 127 ? noFlock(path, stderr) : lockHeld(path, waitSeconds, lockHolder(path));
}
var WORDS = 3;
var CHARACTERS = 200;
function lockHolder(path) {
	try {
		const lock = statSync(path);
		for (const pid of processIds()) {
			if (!namesIn$2(`/proc/${pid}/fdinfo`).some((fd) => holds$1(pid, fd, lock))) continue;
			return {
				pid,
				command: toDisplay((processArguments(pid) ?? []).slice(0, WORDS).join(" ")).slice(0, CHARACTERS)
			};
		}
	} catch {}
	return null;
}
function holds$1(pid, fd, lock) {
	const text = processText(pid, `fdinfo/${fd}`) ?? "";
	if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
	const found = orNull(() => statSync(`/proc/${pid}/fd/${fd}`));
	return found?.dev === lock.dev && found.ino === lock.ino;
}
function* jsonLines(text) {
	for (const line of text.split("\n")) try {
		const value = JSON.parse(line);
		if (isObject(value)) yield value;
	} catch {}
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
var init_json_lines = __esmMin((() => {}));
async function writeNewFile(path, content, mode = 384) {
	const file = openSync(path, "wx", 384);
	try {
		writeFileSync(file, content);
		fchmodSync(file, mode);
		await sync(file);
	} finally {
		closeSync(file);
	}
}
async function replaceFile(path, content, mode) {
	const temporary = temporaryName(path);
	try {
		await writeNewFile(temporary, content, mode);
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
	await syncPath(dirname(path));
}
function temporaryName(path) {
	const at = path.lastIndexOf("/") + 1;
	return `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(6).toString("hex")}`;
}
async function syncPath(path) {
	const file = openSync(path, "r");
	try {
		await sync(file);
	} finally {
		closeSync(file);
	}
}
function writeWhole(file, content) {
	const temporary = temporaryName(file);
	try {
		writeFileSync(temporary, content, {
			encoding: "latin1",
			mode: 384
		});
		renameSync(temporary, file);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}
function tryWriteWhole(file, content) {
	return orIfRefused(() => {
		writeWhole(file, content);
		return true;
	}, false);
}
function readPlainFile(path) {
	return withPlainFile(path, (file) => readFileSync(file));
}
function readTail(path, most) {
	return readEnds(path, 0, most)?.[1] ?? null;
}
function readEnds(path, first, last) {
	return withPlainFile(path, (file, size) => {
		const read = (bytes, from) => {
			const part = Buffer.alloc(bytes);
			return part.subarray(0, readSync(file, part, 0, bytes, from));
		};
		return [read(Math.min(size, first), 0), read(Math.min(size, last), size - Math.min(size, last))];
	});
}
function withPlainFile(path, read) {
	let file;
	try {
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch (error) {
		if ([
			"ENOENT",
			"ENOTDIR",
			"ELOOP",
			"ENXIO"
		].includes(errorCode(error))) return null;
		throw error;
	}
	return withHandle(nodePort, file, () => {
		const found = fstatSync(file);
		return found.isFile() ? read(file, found.size) : null;
	});
}
function readPlainJson(path) {
	const text = readPlainFile(path);
	try {
		return text === null ? void 0 : JSON.parse(text.toString("utf8"));
	} catch {
		return;
	}
}
var sync;
var init_state_file = __esmMin((() => {
	init_errors$2();
	init_entry();
	init_port();
	sync = promisify(fsync);
}));
var REASONS;
var init_decision = __esmMin((() => {
	REASONS = {
		"default": "runs in the sandbox",
		"not-understood": "not understood with certainty, so it runs in the sandbox",
		"passthrough": "passthrough program",
		"inside": "the client runs in the session itself, with all that it starts",
		"runs-programs": "git that may run other programs; the user was asked",
		"host-with-pending": "works on files that are pending, which the config refuses",
		"unasked": "needs the user to be asked, and nobody was",
		"read-only": "reads only, and nothing is pending",
		"own-program": "trai's own program, asked for by the user",
		"one-shot": "the user let the next call run on the host",
		"session-off": "the user turned the sandbox off for this session",
		"config-off": "the sandbox is turned off by the config",
		"mixed": "mixes a writing passthrough program with sandboxed parts",
		"own-program-by-model": "trai's own program, but not asked for by the user",
		"caught": "an earlier call of this session ran outside the sandbox unnoticed",
		"env-file": "the session's env file is missing or was changed",
		"own-directories": "would reach trai's own directories from the host",
		"unavailable": "the sandbox cannot be entered on this machine",
		"rule": "a permission rule denies it"
	};
}));
var ANSWERS$1, QUESTION_ENDS, ANSWERED_BY;
var init_question = __esmMin((() => {
	ANSWERS$1 = [
		"once",
		"session",
		"always",
		"no",
		"never",
		"leave"
	];
	QUESTION_ENDS = [
		...ANSWERS$1,
		"ran",
		"refused",
		"ended",
		"late",
		"gone"
	];
	ANSWERED_BY = [
		"tab",
		"answer",
		"client"
	];
}));
function ruleFileProblems(value) {
	if (!isObject(value)) return ["expected an object"];
	const problems = [];
	const { version } = value;
	if (version !== 1 && version !== 2) problems.push("version: expected 1 or 2");
	checkTexts(value["allowed_dirs"], "allowed_dirs", problems);
	checkEffects(value["effects"], problems);
	for (const list of RULE_LISTS) {
		const rules = value[list];
		if (rules === void 0 || list === "ask" && version === 1) continue;
		if (!Array.isArray(rules)) problems.push(`${list}: expected an array of rules`);
		else for (const [i, rule] of rules.entries()) checkRule(rule, `${list}[${i}]`, problems);
	}
	return problems;
}
function checkRule(rule, at, problems) {
	if (!isObject(rule)) {
		problems.push(`${at}: expected an object`);
		return;
	}
	const { tool, match, reason, tests, modes, until, disabled, _source_hash: source } = rule;
	if (tool !== void 0 && !isFilled(tool)) problems.push(`${at}.tool: expected a pattern`);
	if (match !== void 0) checkMatch(match, `${at}.match`, problems);
	const hasField = isObject(match) && Object.keys(match).length > 0;
	if (tool === void 0 && !hasField) problems.push(`${at}: expected "tool" or a field in "match"`);
	if (reason !== void 0 && typeof reason !== "string") problems.push(`${at}.reason: expected a text`);
	if (source !== void 0 && typeof source !== "string") problems.push(`${at}._source_hash: expected a text`);
	if (tests !== void 0) checkTests(tests, `${at}.tests`, problems);
	checkTexts(modes, `${at}.modes`, problems);
	if (until !== void 0 && !isTime(until)) problems.push(`${at}.until: expected an ISO time`);
	if (disabled !== void 0 && typeof disabled !== "boolean") problems.push(`${at}.disabled: expected true or false`);
}
function checkEffects(effects, problems) {
	if (effects === void 0) return;
	if (!Array.isArray(effects)) {
		problems.push("effects: expected an array");
		return;
	}
	for (const [i, effect] of effects.entries()) {
		const at = `effects[${i}]`;
		if (!isObject(effect)) {
			problems.push(`${at}: expected an object`);
			continue;
		}
		const { paths, kinds, reason } = effect;
		if (!(Array.isArray(paths) && paths.length > 0 && paths.every(isFilled))) problems.push(`${at}.paths: expected patterns of paths`);
		if (kinds !== void 0 && !(Array.isArray(kinds) && kinds.every(isOneOf(EFFECT_KINDS)))) problems.push(`${at}.kinds: expected ${EFFECT_KINDS.join(", ")}`);
		if (!isOneOf(EFFECT_DOES)(effect["do"])) problems.push(`${at}.do: expected ${EFFECT_DOES.join(", ")}`);
		if (reason !== void 0 && typeof reason !== "string") problems.push(`${at}.reason: expected a text`);
	}
}
function checkMatch(match, at, problems) {
	if (!isObject(match)) {
		problems.push(`${at}: expected an object of patterns`);
		return;
	}
	for (const [field, pattern] of Object.entries(match)) if (typeof pattern !== "string") problems.push(`${at}.${field}: expected a pattern`);
}
function checkTests(tests, at, problems) {
	if (!isObject(tests)) {
		problems.push(`${at}: expected an object with "yes" and "no"`);
		return;
	}
	for (const key of ["yes", "no"]) {
		const calls = tests[key];
		if (calls !== void 0 && !(Array.isArray(calls) && calls.every(isTestCall))) problems.push(`${at}.${key}: expected an array of commands, or of {"tool", "input"}`);
	}
}
function checkTexts(value, at, problems) {
	if (value === void 0) return;
	if (!(Array.isArray(value) && value.every(isFilled))) problems.push(`${at}: expected an array of texts that are not empty`);
}
function isTestCall(value) {
	if (typeof value === "string") return true;
	return isObject(value) && isFilled(value["tool"]) && isObject(value["input"]);
}
function isFilled(value) {
	return typeof value === "string" && value !== "";
}
function isTime(value) {
	return typeof value === "string" && TIME$1.test(value) && !Number.isNaN(Date.parse(value));
}
var RULE_LISTS, EFFECT_KINDS, EFFECT_DOES, EFFECT_KEYS, RULE_KEYS, PERMISSION_BY, isOneOf, TIME$1;
var init_rule = __esmMin((() => {
	init_json_lines();
	RULE_LISTS = [
		"deny",
		"ask",
		"allow"
	];
	EFFECT_KINDS = [
		"added",
		"modified",
		"deleted"
	];
	EFFECT_DOES = [
		"flag",
		"confirm",
		"never",
		"auto"
	];
	EFFECT_KEYS = [
		"paths",
		"kinds",
		"do",
		"reason"
	];
	RULE_KEYS = [
		"tool",
		"match",
		"reason",
		"tests",
		"modes",
		"until",
		"disabled"
	];
	PERMISSION_BY = [
		"rule",
		"broken",
		"read-only",
		"built-in",
		"sandboxed",
		"trai",
		"client"
	];
	isOneOf = (words) => (value) => words.some((word) => word === value);
	TIME$1 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
}));
function withLaterFields(value) {
	if (!isObject(value) || value["v"] !== 1) return value;
	const later = LATER_FIELDS.get(value["t"]);
	return later === void 0 ? value : {
		...later,
		...value
	};
}
function isEventType(value) {
	return typeof value === "string" && Object.hasOwn(EVENT_FIELDS, value);
}
function checkOf(kind) {
	return typeof kind === "string" ? CHECKS[kind] : (value) => isText(value) && kind.includes(String(value));
}
function isLogEvent(value) {
	if (!isObject(value)) return false;
	const { t: type, v, at } = value;
	const fields = FIELD_CHECKS.get(type);
	if (v !== 1 || fields === void 0 || typeof at !== "string" || !TIME.test(at)) return false;
	return Object.keys(value).length === fields.length + 3 && fields.every(({ name, isFine }) => isFine(value[name]));
}
var EVENT_FIELDS, LATER_FIELDS, MODES, TIME, isText, isCount, CHECKS, FIELD_CHECKS;
var init_events = __esmMin((() => {
	init_json_lines();
	init_decision();
	init_question();
	init_rule();
	EVENT_FIELDS = {
		"session": {
			claude: "text",
			source: [
				"startup",
				"resume",
				"clear",
				"compact",
				"fork",
				"exec",
				"client"
			],
			cwd: "text",
			plugin: "text"
		},
		"session.end": {
			claude: "text",
			reason: "text"
		},
		"prompt": {
			claude: "text",
			text: "text",
			cut: "count"
		},
		"call.requested": {
			request: "text",
			claude: "text",
			tool: "text",
			command: "text",
			cwd: "text",
			agent: "text",
			background: "flag",
			mode: "mode",
			reason: "reason",
			text: "text",
			twins: "count"
		},
		"permission": {
			request: "text",
			claude: "text",
			agent: "text",
			tool: "text",
			subject: "text",
			cut: "count",
			decision: [
				"allow",
				"ask",
				"deny",
				"pass"
			],
			by: PERMISSION_BY,
			rule: "text",
			hash: "text",
			also: "texts",
			segment: "text",
			why: "text",
			ms: "number"
		},
		"permission.outcome": {
			request: "text",
			outcome: [
				"ran",
				"failed",
				"timed-out",
				"interrupted",
				"denied"
			],
			by: ["client", "classifier"],
			error: "text"
		},
		"question": {
			question: "text",
			request: "text",
			claude: "text",
			agent: "text",
			tool: "text",
			end: ["open", ...QUESTION_ENDS],
			by: ANSWERED_BY,
			text: "text",
			waited: "number"
		},
		"call.decided": {
			call: "text",
			request: "text",
			matched: [
				"exact",
				"normalised",
				"only-open",
				"none"
			],
			origin: [
				"claude",
				"exec",
				"explore",
				"client"
			],
			command: "text",
			cwd: "text",
			mode: "mode",
			reason: "reason",
			text: "text"
		},
		"call.grounds": {
			call: "text",
			program: "text",
			pending: [
				"yes",
				"no",
				"unasked"
			],
			config: "text"
		},
		"call.started": {
			call: "text",
			pid: "count",
			mode: "mode",
			overlay: [
				"none",
				"mounted",
				"joined",
				"inside"
			]
		},
		"call.joined": { call: "text" },
		"call.ended": {
			call: "text",
			rc: "count",
			ms: "number"
		},
		"call.failed": {
			call: "text",
			step: "count"
		},
		"call.closed": {
			call: "text",
			request: "text",
			why: ["launcher-gone", "not-run"]
		},
		"call.outcome": {
			request: "text",
			ok: "flag",
			interrupted: "flag",
			background: "text",
			head: "text",
			tail: "text",
			cut: "count",
			ms: "number",
			unsandboxed: "flag"
		},
		"call.saved": {
			call: "text",
			what: "text",
			dir: "text",
			restore: "texts",
			untracked: "texts",
			count: "count",
			text: "text"
		},
		"call.left": {
			call: "text",
			pids: "counts"
		},
		"processes": {
			state: ["ending", "ended"],
			pids: "counts",
			commands: "texts",
			quiet: "flag"
		},
		"grant": {
			kind: ["permit", "passthrough"],
			what: "text",
			state: ["open", "used"]
		},
		"commit": {
			n: "count",
			state: [
				"started",
				"applied",
				"partial",
				"finished-later",
				"refused"
			],
			entries: "count",
			bytes: "count",
			conflicts: "count",
			text: "text",
			auto: "text"
		},
		"discard": {
			trash: "text",
			entries: "count",
			ended: "counts"
		},
		"undo": {
			what: ["discard"],
			trash: "text",
			entries: "count"
		},
		"commit.undone": {
			n: "count",
			of: "count",
			redo: "flag",
			state: [
				"applied",
				"partial",
				"finished-later",
				"refused"
			],
			entries: "count",
			bytes: "count",
			text: "text"
		},
		"adopt": {
			from: "text",
			to: "text",
			entries: "count"
		},
		"doctor": {
			ok: "flag",
			failed: "texts"
		},
		"file": {
			request: "text",
			claude: "text",
			agent: "text",
			tool: "text",
			path: "text",
			outcome: [
				"asked",
				"written",
				"failed",
				"refused"
			],
			text: "text"
		},
		"notice": {
			code: "text",
			text: "text"
		}
	};
	LATER_FIELDS = /* @__PURE__ */ new Map([["commit", { auto: "" }], ["call.started", { overlay: "mounted" }]]);
	MODES = [
		"sandbox",
		"host",
		"refuse"
	];
	TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}|24:00:00\.000)Z$/;
	isText = (value) => typeof value === "string";
	isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
	CHECKS = {
		text: isText,
		texts: (value) => Array.isArray(value) && value.every(isText),
		flag: (value) => typeof value === "boolean",
		count: isCount,
		counts: (value) => Array.isArray(value) && value.every(isCount),
		number: (value) => Number.isFinite(value),
		mode: (value) => MODES.includes(value),
		reason: (value) => typeof value === "string" && Object.hasOwn(REASONS, value)
	};
	FIELD_CHECKS = new Map(Object.entries(EVENT_FIELDS).map(([type, fields]) => [type, Object.entries(fields).map(([name, kind]) => ({
		name,
		isFine: checkOf(kind)
	}))]));
}));
function isRaw(line) {
	return "raw" in line;
}
function parseLine(text, offset) {
	let value;
	try {
		value = withLaterFields(JSON.parse(text));
	} catch {
		return rawLine(text, offset, text.startsWith("{") && !text.trimEnd().endsWith("}") ? "torn" : "not-json");
	}
	return isLogEvent(value) ? value : rawLine(text, offset, problemOf(value));
}
function problemOf(value) {
	if (!isObject(value)) return "bad-shape";
	const { v, t } = value;
	if (v !== void 0 && v !== 1) return "unknown-version";
	return v === 1 && typeof t === "string" && !isEventType(t) ? "unknown-type" : "bad-shape";
}
function rawLine(text, offset, problem) {
	return {
		raw: text.length > 2e3 ? `${text.slice(0, MAX_LINE_CHARS)}…` : text,
		offset,
		problem
	};
}
function eventLine(event) {
	const copy = { ...event };
	let line = JSON.stringify(event);
	for (let size = byteLength(line); size > LINE_BYTES; size = byteLength(line)) {
		cutLongest(copy, size - LINE_BYTES);
		line = JSON.stringify(copy);
	}
	return line;
}
function cutLongest(event, excess) {
	let longest = "";
	let bytes = -1;
	for (const [name, value] of Object.entries(event)) {
		if (typeof value !== "string" && !Array.isArray(value)) continue;
		const size = byteLength(JSON.stringify(value));
		if (size > bytes) [longest, bytes] = [name, size];
	}
	const value = event[longest];
	if (Array.isArray(value)) {
		event[longest] = value.slice(0, Math.floor(value.length / 2));
		return;
	}
	const text = String(value);
	const isOutput = event["t"] === "call.outcome" && (longest === "head" || longest === "tail");
	const kept = oneEnd(text, bytes - 2 - excess - MARK_BYTES, isOutput ? longest : "head");
	const lost = byteLength(text) - byteLength(kept);
	event[longest] = isOutput ? kept : `${kept}… [${lost} bytes cut]`;
	if (isOutput) event["cut"] = Number(event["cut"]) + lost;
}
function oneEnd(text, limit, end) {
	const characters = end === "head" ? [...text] : [...text].reverse();
	let bytes = 0;
	const over = characters.findIndex((one) => {
		bytes += byteLength(JSON.stringify(one)) - 2;
		return bytes > limit;
	});
	const kept = over < 0 ? characters : characters.slice(0, over);
	return (end === "head" ? kept : kept.reverse()).join("");
}
var NEWLINE$1, SHOWN_BYTES, HEAD, encoder, decoder, LogParser, LINE_BYTES, MARK_BYTES, byteLength;
var init_lines = __esmMin((() => {
	init_json_lines();
	init_limits();
	init_events();
	NEWLINE$1 = 10;
	SHOWN_BYTES = MAX_LINE_CHARS * 4;
	HEAD = /^\{"v":1,(?:"at":"[^"]{0,30}",)?"t":"([a-z.]{1,30})"(?:,"at":"[^"]{0,30}")?(?:,"request":"([^"\\]+)")?/;
	encoder = new TextEncoder();
	decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	LogParser = class {
		#offset = 0;
		#length = 0;
		#kept = [];
		#wanted;
		#unwanted;
		#enough = /* @__PURE__ */ new Map();
		constructor(wanted = null) {
			this.#wanted = wanted;
			const types = wanted === null ? [] : Object.keys(EVENT_FIELDS);
			this.#unwanted = new Set(types.filter((type) => isEventType(type) && wanted?.types.has(type) === false));
		}
		push(chunk) {
			const lines = [];
			const end = chunk.lastIndexOf(NEWLINE$1) + 1;
			let from = 0;
			if (this.#length > 0 && end > 0) {
				from = chunk.indexOf(NEWLINE$1) + 1;
				this.#keep(chunk.subarray(0, from - 1));
				this.#end(this.#text(), lines);
			}
			const text = decoder.decode(chunk.subarray(from, end));
			const isOneToOne = text.length === end - from;
			for (let at = 0; from < end;) {
				const next = text.indexOf("\n", at);
				this.#length = isOneToOne ? next - at : chunk.indexOf(NEWLINE$1, from) - from;
				from += this.#length + 1;
				this.#end(text.slice(at, next), lines);
				at = next + 1;
			}
			this.#keep(chunk.subarray(end));
			return lines;
		}
		#end(text, lines) {
			if (this.#length > 0) {
				if (this.#isTooLong) lines.push(rawLine(text, this.#offset, "too-long"));
				else if (this.#isWanted(text)) {
					const line = parseLine(text, this.#offset);
					if (!this.#isEnough(line)) lines.push(line);
				}
			}
			this.#offset += this.#length + 1;
			this.#length = 0;
			this.#kept = [];
		}
		pending() {
			if (this.#length === 0) return null;
			return rawLine(this.#text(), this.#offset, this.#isTooLong ? "too-long" : "torn");
		}
		#isWanted(text) {
			if (this.#wanted === null) return true;
			const head = HEAD.exec(text);
			const type = head?.[1] ?? "";
			if (this.#unwanted.has(type)) return false;
			const enough = this.#enough.get(head?.[2] ?? "");
			return enough === void 0 || enough === type;
		}
		#isEnough(line) {
			const isEnough = this.#wanted?.isEnough;
			if (isEnough === void 0 || isRaw(line) || !("request" in line) || line.request === "") return false;
			if (!isEnough(line)) return false;
			this.#enough.set(line.request, line.t);
			return true;
		}
		get #isTooLong() {
			return this.#length > MAX_LOG_LINE_BYTES;
		}
		#keep(bytes) {
			if (bytes.length === 0) return;
			const room = MAX_LOG_LINE_BYTES - this.#length;
			this.#length += bytes.length;
			if (room > 0) this.#kept.push(bytes.slice(0, room));
		}
		#text() {
			const whole = new Uint8Array(Math.min(this.#length, MAX_LOG_LINE_BYTES));
			let at = 0;
			for (const part of this.#kept) {
				whole.set(part, at);
				at += part.length;
			}
			return decoder.decode(this.#isTooLong ? whole.subarray(0, SHOWN_BYTES) : whole);
		}
	};
	LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
	MARK_BYTES = 64;
	byteLength = (text) => encoder.encode(text).length;
}));
function logNotWritten(path, cause) {
	const code = errorCode(cause);
	const message = `the log could not be written: ${messageOf(cause)}`;
	if (code === "ENOENT") return new TraiError("no-session", message, {
		path,
		cause
	});
	if (isNoSpace(cause) || code === "EFBIG") return new TraiError("no-space", message, {
		path,
		cause,
		hint: NOT_LOGGED
	});
	return new TraiError("io", message, {
		path,
		cause
	});
}
var quoted, invalidSessionId, noSuchSession, REPAIR_SESSION, metaUnusable, META_IS_MISSING, META_IS_NO_FILE, META_IS_NO_JSON, metaOfOther, metaField, logIsNoFile, NOT_LOGGED, logLineCut, failed, ELSEWHERE, sessionsUnreadable, logUnreadable, metaUnreadable, metaNotWritten, configUnusable, CONFIG_IS_NO_FILE, configUnreadable, configTooLarge, configIsNoJson;
var init_errors$1 = __esmMin((() => {
	init_errors$3();
	init_port();
	quoted = (text) => JSON.stringify(text);
	invalidSessionId = (id) => new TraiError("bad-input", `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${quoted(id)}`);
	noSuchSession = (path, cause) => new TraiError("no-session", "there is no such session", {
		path,
		cause
	});
	REPAIR_SESSION = "Repair what is named, or let this user read it; nothing of the session is removed until then. More: trai doctor";
	metaUnusable = (path, why) => new TraiError("corrupt", `the session’s meta.json cannot be used: ${why}`, {
		path,
		hint: "Nothing was changed. Put the file right, or move the session directory away."
	});
	META_IS_MISSING = "it is missing";
	META_IS_NO_FILE = "it is not a regular file";
	META_IS_NO_JSON = "not JSON";
	metaOfOther = (id) => `it is that of session ${id}`;
	metaField = (field) => `missing or wrong: ${field}`;
	logIsNoFile = (path, cause) => new TraiError("corrupt", `expected the log to be a regular file: ${path}. Move it away (mv ${path} ${path}.other): a new log is begun.`, {
		path,
		cause
	});
	NOT_LOGGED = "Free some space: what could not be logged is not run.";
	logLineCut = (path, written, length) => new TraiError("no-space", `wrote ${written} of ${length} bytes of a log line`, {
		path,
		hint: NOT_LOGGED
	});
	failed = (what, path, cause, hint) => new TraiError("io", `${what}: ${messageOf(cause)}`, {
		path,
		cause,
		hint
	});
	ELSEWHERE = "Set TRAI_STATE_HOME to a directory on a local disk that you can write to.";
	sessionsUnreadable = (path, cause) => failed("the sessions could not be listed", path, cause, `${ELSEWHERE} More: trai doctor`);
	logUnreadable = (path, cause) => failed("the log could not be read", path, cause);
	metaUnreadable = (path, cause) => failed("meta.json could not be read", path, cause);
	metaNotWritten = (path, cause) => failed("meta.json could not be written", path, cause);
	configUnusable = (why) => `${why}. The defaults are used.`;
	CONFIG_IS_NO_FILE = "expected a regular file";
	configUnreadable = (code) => `can't be read (${code})`;
	configTooLarge = (most, bytes) => `expected at most ${most} bytes, found ${bytes}`;
	configIsNoJson = (error) => `expected JSON: ${messageOf(error)}`;
}));
function logPath(sessionDir) {
	return join(sessionDir, LOG_NAME);
}
function logSize(sessionDir) {
	return statSync(logPath(sessionDir), { throwIfNoEntry: false })?.size ?? 0;
}
function logTo(sessionDir, event) {
	appendEvent(sessionDir, {
		v: 1,
		at: (/* @__PURE__ */ new Date()).toISOString(),
		...event
	});
}
function appendEvent(sessionDir, event) {
	if (!isLogEvent(event)) throw new TraiError("internal", `expected a log event, got ${JSON.stringify(event).slice(0, 200)}`);
	const path = logPath(sessionDir);
	const fd = openLog(path);
	try {
		const start = endsInMidLine(fd, path) ? "\n" : "";
		const line = Buffer.from(`${start}${eventLine(event)}\n`);
		const written = writeSync(fd, line);
		if (written === line.length) return;
		throw logLineCut(path, written, line.length);
	} catch (error) {
		throw asTraiError$1(error, path);
	} finally {
		closeSync(fd);
	}
}
function expectLog(sessionDir) {
	const path = logPath(sessionDir);
	if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw logIsNoFile(path);
}
function openLog(path) {
	try {
		return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 384);
	} catch (error) {
		throw asTraiError$1(error, path);
	}
}
function endsInMidLine(fd, path) {
	const found = fstatSync(fd);
	if (!found.isFile()) throw logIsNoFile(path);
	if (found.size === 0) return false;
	const last = /* @__PURE__ */ new Uint8Array(1);
	return readSync(fd, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
}
function asTraiError$1(error, path) {
	if (error instanceof TraiError) return error;
	return [
		"EISDIR",
		"ELOOP",
		"ENXIO"
	].includes(errorCode(error)) ? logIsNoFile(path, error) : logNotWritten(path, error);
}
var O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, NEWLINE, LOG_NAME;
var init_append = __esmMin((() => {
	init_errors$3();
	init_events();
	init_lines();
	init_port();
	init_errors$1();
	({O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK} = constants);
	NEWLINE = 10;
	LOG_NAME = "calls.jsonl";
}));
function linkContradicts(overlayDir, n, found) {
	const link = `${toDisplay(overlayDir)}/${n}/l`;
	return new TraiError("corrupt", `expected that the link ${link} names the directory of which overlay/${n} holds the pending changes; ${found}`, {
		path: link,
		hint: "Nothing was changed. Make that link name the right directory (ln -sfn DIRECTORY LINK), and remove places.json beside it; or start a new session."
	});
}
var UNKNOWN, probeFailed, upperNotMounted, LINK_IS_MISSING, tableSays, linkIsTaken;
var init_errors = __esmMin((() => {
	init_bytes();
	init_errors$3();
	UNKNOWN = "could not look whether the session is in use";
	probeFailed = (said) => new TraiError("not-entered", `${UNKNOWN}: ${said || "unshare failed"}`, { hint: "Run: trai doctor" });
	upperNotMounted = (path, said) => new TraiError("not-entered", `${UNKNOWN}: expected to mount ${path}, found: ${said}`, {
		path,
		hint: "Nothing was changed. Put that directory right, or run: trai doctor"
	});
	LINK_IS_MISSING = "there is no such link";
	tableSays = (path) => `places.json says ${toDisplay(path)}`;
	linkIsTaken = (n) => `overlay/${n} is of that directory, too`;
}));
function knownBoxRecord(sessionDir) {
	const value = orNull(() => readPlainJson(boxRecordPath(sessionDir)));
	return isObject(value) && value["v"] === 1 ? value : null;
}
var boxRecordPath, isBoxed;
var init_box_record = __esmMin((() => {
	init_json_lines();
	init_port();
	init_state_file();
	init_errors();
	boxRecordPath = (sessionDir) => join(sessionDir, "box.json");
	isBoxed = (sessionDir) => existsSync(boxRecordPath(sessionDir));
}));
var init_fstab = __esmMin((() => {
	init_bytes();
	init_mounts();
	init_errors();
}));
function readClientRecord(sessionDir) {
	const value = readPlainJson(clientRecordPath(sessionDir));
	return isObject(value) && value["v"] === 1 ? value : null;
}
function runningClient(sessionDir) {
	const record = readClientRecord(sessionDir);
	const stat = record === null ? null : processStat(record.pid);
	if (record === null || stat === null || stat.start !== record.start || stat.state === "Z") return null;
	return record.mounted === void 0 || isWaiter(stat) ? record : null;
}
function removeCopy(sessionDir) {
	const copy = readClientRecord(sessionDir)?.copy;
	if (copy !== void 0) rmSync(copy, { force: true });
}
var CLIENT_RECORD, clientRecordPath, isWaiter, isClientRunning;
var init_client_door = __esmMin((() => {
	init_bytes();
	init_json_lines();
	init_port();
	init_state_file();
	init_proc();
	init_append();
	init_box_record();
	init_errors();
	init_fstab();
	CLIENT_RECORD = "client.json";
	clientRecordPath = (sessionDir) => join(sessionDir, CLIENT_RECORD);
	isWaiter = ({ name }) => name.startsWith("trai");
	isClientRunning = (sessionDir) => runningClient(sessionDir) !== null;
}));
function overlaySpans(session, sourceOf) {
	const found = [];
	const seen = /* @__PURE__ */ new Set();
	const visit = (id, until) => {
		const source = seen.has(id) ? null : sourceOf(id);
		seen.add(id);
		if (source === null) return;
		for (const span of source.spans()) {
			if (span.from > until || span.around === true) continue;
			const to = Math.min(span.to ?? until, until);
			found.push({
				...span,
				to: to === Number.POSITIVE_INFINITY ? null : to,
				session: id
			});
		}
		for (const { from, to, at } of source.adoptions) if (to === id && at <= until) visit(from, at);
	};
	visit(session, Number.POSITIVE_INFINITY);
	return found;
}
function writesBy({ ended }, earliest) {
	return ended === null || ended >= Math.floor(earliest) ? "command" : "process";
}
var WriterIndex;
var init_call_times = __esmMin((() => {
	WriterIndex = class {
		#spans;
		#latestTo = [];
		#known = /* @__PURE__ */ new Map();
		#sets = /* @__PURE__ */ new Map();
		constructor(spans) {
			this.#spans = [...spans].sort((a, b) => a.from - b.from);
			let latest = Number.NEGATIVE_INFINITY;
			for (const { to } of this.#spans) {
				latest = Math.max(latest, to ?? Number.POSITIVE_INFINITY);
				this.#latestTo.push(latest);
			}
		}
		spansBetween(earliest, latest) {
			const found = [];
			const first = Math.floor(earliest);
			for (let i = this.#after(latest + 20) - 1; i >= 0; i--) {
				if ((this.#latestTo[i] ?? 0) < first) break;
				const span = this.#spans[i];
				if (span !== void 0 && (span.to === null || span.to >= first)) found.push(span);
			}
			return found.reverse();
		}
		ids(from, to) {
			const [earliest, latest] = [Math.floor(from), Math.ceil(to)];
			const asked = `${earliest} ${latest}`;
			const known = this.#known.get(asked);
			if (known !== void 0) return known;
			const found = this.spansBetween(earliest, latest).map(({ call }) => call);
			const set = found.join("\0");
			const ids = this.#sets.get(set) ?? found;
			this.#sets.set(set, ids);
			this.#known.set(asked, ids);
			return ids;
		}
		#after(time) {
			let low = 0;
			let high = this.#spans.length;
			while (low < high) {
				const middle = low + high >> 1;
				if ((this.#spans[middle]?.from ?? 0) <= time) low = middle + 1;
				else high = middle;
			}
			return low;
		}
	};
}));
function identityOf$1(s) {
	return `${`${s.type}:${s.mode}:${s.uid}:${s.gid}:${s.size}:${s.dev}:${s.ino}:${s.birthNs}`}:${s.nlink}:${s.mtimeNs}:${s.ctimeNs}`;
}
function fingerprint(identity) {
	const [type, mode, uid, gid, size, dev, ino, birthNs, nlink, mtimeNs, ctimeNs] = identity.split(":");
	return {
		type,
		mode: Number(mode),
		uid: Number(uid),
		gid: Number(gid),
		size: Number(size),
		nlink: Number(nlink),
		dev: BigInt(dev ?? 0),
		ino: BigInt(ino ?? 0),
		birthNs: BigInt(birthNs ?? 0),
		mtimeNs: BigInt(mtimeNs ?? 0),
		ctimeNs: BigInt(ctimeNs ?? 0)
	};
}
function typeOf(identity) {
	return identity?.slice(0, identity.indexOf(":"));
}
function isPast(timeNs) {
	const step = timeNs % SECOND$1 === 0n ? 1e3 : 0;
	return Number(timeNs / 1000000n) < Date.now() - 20 - step;
}
function sameFields(a, b, fields) {
	return fields.every((field) => a[field] === b[field]);
}
function isSame$3(identity, now) {
	if (identity === null || now === null) return identity === null && now === null;
	return identityOf$1(now) === identity || isUnchanged$1(fingerprint(identity), now);
}
function isUnchanged$1(then, now) {
	if (!sameFields(then, now, LASTING)) return false;
	if (now.type === "dir") return true;
	return then.mtimeNs === now.mtimeNs && (then.nlink > 1 || then.ctimeNs === now.ctimeNs);
}
function isRenamed(identity, now) {
	return identity !== null && now !== null && isUnchanged$1({
		...fingerprint(identity),
		ctimeNs: now.ctimeNs
	}, now);
}
function withoutChangeTime(identity) {
	return identity.slice(0, identity.lastIndexOf(":"));
}
function hasOnlyOtherChange(identity, now) {
	const text = identityOf$1(now);
	const end = text.lastIndexOf(":");
	return identity.lastIndexOf(":") === end && identity.startsWith(text.slice(0, end));
}
function isRenamedBy(until, before, after) {
	const prefix = withoutChangeTime(before);
	if (withoutChangeTime(after) !== prefix) return false;
	return BigInt(after.slice(prefix.length + 1)) <= BigInt(until) * 1000000n;
}
function hostStatOf(identity, ctimeNs) {
	const [type, mode, uid, gid, size, dev = "", ino = "", , nlink, mtimeNs = ""] = identity.split(":");
	return {
		type,
		mode: Number(mode),
		uid: Number(uid),
		gid: Number(gid),
		size: Number(size),
		nlink: Number(nlink),
		dev,
		ino,
		mtimeNs,
		ctimeNs
	};
}
function isOf$1(identity, host) {
	const { type, mode, uid, gid, size, dev, ino, nlink, mtimeNs, ctimeNs } = host;
	return identity.startsWith(`${type}:${mode}:${uid}:${gid}:${size}:${dev}:${ino}:`) && identity.endsWith(`:${nlink}:${mtimeNs}:${ctimeNs}`);
}
function birthOf$1(s) {
	return `${s.type}:${s.dev}:${s.ino}:${s.birthNs}`;
}
function isBornAs(birth, now) {
	return birth !== null && now !== null && birthOf$1(now) === birth;
}
function isStillOurs(birth, now) {
	if (birth === null || now === null || birth.endsWith(":0")) return isBornAs(birth, now);
	return isBornAs(birth.replace(/^(\w+):\d+:/, `$1:${now.dev}:`), now);
}
function onDeviceOf(identity, now) {
	if (identity === null || now === null) return identity;
	return identityOf$1({
		...fingerprint(identity),
		dev: now.dev
	});
}
function isAsLeft(identity, now, endedAt, stamp) {
	if (identity === null || now === null) return identity === null && now === null;
	if (stamp !== void 0 && now.nlink === 1 && stamp === String(now.ctimeNs) && hasOnlyOtherChange(identity, now)) return true;
	const then = fingerprint(identity);
	const mode = now.type === "symlink" ? now.mode : then.mode;
	if (!sameFields({
		...then,
		mode,
		dev: now.dev
	}, now, LASTING)) return false;
	if (now.type === "dir") return true;
	if (!isSameTime(then.mtimeNs, now.mtimeNs)) return false;
	if (now.nlink > 1 || then.nlink > 1) return true;
	if (stamp !== void 0) return stamp === String(now.ctimeNs);
	return endedAt === null || now.ctimeNs <= BigInt(endedAt) * 1000000n;
}
function looksLike(side, now) {
	if (side === null || now === null) return side === null && now === null;
	return side.type === now.type && (side.type === "symlink" || side.mode === now.mode) && side.uid === now.uid && side.gid === now.gid && (side.type !== "file" || side.size === now.size);
}
function looksAlike(identity, now) {
	if (hasOnlyOtherChange(identity, now)) return true;
	const then = fingerprint(identity);
	const mode = now.type === "symlink" ? now.mode : then.mode;
	return sameFields({
		...then,
		mode
	}, now, [
		"type",
		"mode",
		"uid",
		"gid",
		"size"
	]) && (now.type === "dir" || then.mtimeNs === now.mtimeNs);
}
var SECOND$1, LASTING;
var init_fingerprint = __esmMin((() => {
	init_call_times();
	init_identity();
	SECOND$1 = 1000000000n;
	LASTING = [
		"type",
		"mode",
		"uid",
		"gid",
		"size",
		"dev",
		"ino",
		"birthNs"
	];
}));
function isIn(path, dir) {
	return path.lastIndexOf("/") === dir.length && path.startsWith(dir);
}
function byParent(paths) {
	const found = /* @__PURE__ */ new Map();
	for (const path of paths) {
		const dir = parentOf(path);
		const known = found.get(dir);
		if (known === void 0) found.set(dir, [path]);
		else known.push(path);
	}
	return found;
}
async function lstatEach(port, dirs, paths, pace) {
	const found = /* @__PURE__ */ new Map();
	for (const [dir, inside] of byParent(paths)) {
		await pace.breathe();
		const fd = dirs.openOrNone(dir);
		if (fd === null) continue;
		for (const path of inside) {
			const now = port.lstat(at(fd, nameOf(path)));
			if (now !== null) found.set(path, now);
		}
	}
	return found;
}
function relativeTo(dir, path) {
	if (!isWithin(path, dir)) throw new TraiError("internal", `expected a path below ${toDisplay(dir)}, got ${toDisplay(path)}`);
	return path === dir ? "" : path.slice(dir === "/" ? 1 : dir.length + 1);
}
function removeTree(port, dir, name) {
	const entry = port.lstat(at(dir, name));
	if (entry === null) return 0;
	if (entry.type !== "dir") {
		port.unlink(at(dir, name));
		return 1;
	}
	let count = 1;
	for (let round = 1;; round++) {
		count += withHandle(port, port.openDir(at(dir, name)), (fd) => {
			if ((entry.mode & 448) !== 448) port.chmod(at(fd), 448);
			return port.readdir(at(fd)).reduce((sum, child) => sum + removeTree(port, fd, child), 0);
		});
		try {
			port.rmdir(at(dir, name));
			return count;
		} catch (error) {
			if (errorCode(error) !== "ENOTEMPTY" || round === EMPTYING_ROUNDS) throw error;
		}
	}
}
function removePath(port, parent, name) {
	return withHandle(port, port.openDir(joinPath(parent, ".")), (fd) => removeTree(port, fd, name));
}
function dressDir(port, path, like, xattrs = []) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return;
	const { uid = now.uid, gid = now.gid } = like;
	if (now.uid !== uid || now.gid !== gid) port.lchown(path, uid, gid);
	withHandle(port, port.openDir(path), (fd) => {
		if (xattrs.length > 0) port.setXattrs(fd, xattrs);
		port.utimes(at(fd), like.mtimeNs);
		port.chmod(at(fd), like.mode);
	});
}
function chmodEntry(port, path, mode) {
	withHandle(port, port.openEntry(path), (fd) => port.chmod(at(fd), mode));
}
function moveOut(port, dirs, path, image) {
	if (dirs.lstat(path)?.type === "dir") dirs.openToWrite(path);
	port.rename(dirs.target(path), image);
}
function moveOutEmpty(port, dirs, path, image) {
	const now = dirs.lstat(path);
	const mode = now === null ? 448 : dirs.asFound(now).mode;
	if (port.readdir(at(dirs.openToList(path))).length === 0) {
		moveOut(port, dirs, path, image);
		if (port.readdir(image).length === 0) return;
		const target = dirs.target(path);
		port.rename(image, target);
		chmodEntry(port, target, mode);
	}
	throw new NotApplied(`${NEW_ENTRIES} (ENOTEMPTY)`);
}
var SEARCH, LIST, WRITE, Dirs, EMPTYING_ROUNDS;
var init_dir_handles = __esmMin((() => {
	init_bytes();
	init_errors$3();
	init_reasons();
	init_fingerprint();
	init_port();
	SEARCH = 64;
	LIST = 320;
	WRITE = 192;
	Dirs = class {
		#port;
		#root;
		#uid;
		#onLoosen;
		loosened = /* @__PURE__ */ new Map();
		#held = [];
		#realRoot = null;
		constructor(port, root, uid, onLoosen) {
			this.#port = port;
			this.#root = root;
			this.#uid = uid;
			this.#onLoosen = onLoosen;
		}
		open(path) {
			return this.#open(path).fd;
		}
		openOrNone(path) {
			try {
				return this.open(path);
			} catch (error) {
				if ([
					"ENOENT",
					"ENOTDIR",
					"ELOOP"
				].includes(errorCode(error))) return null;
				throw error;
			}
		}
		openToWrite(path) {
			return this.#loosen(this.#open(path), WRITE);
		}
		target(path) {
			return at(this.openToWrite(parentOf(path)), nameOf(path));
		}
		targetHere(path) {
			const dir = parentOf(path);
			const last = this.#held.at(-1);
			return at(this.#loosen(last?.path === dir ? last : this.#open(dir), WRITE), nameOf(path));
		}
		targetOrNone(path) {
			try {
				return this.target(path);
			} catch (error) {
				if (errorCode(error) === "ENOENT") return null;
				throw error;
			}
		}
		openToList(path) {
			return this.#loosen(this.#open(path), LIST);
		}
		asFound(now) {
			const mode = now.type === "dir" && this.loosened.size > 0 ? this.loosened.get(birthOf$1(now)) : void 0;
			return mode !== void 0 && now.mode === (mode | 448) ? {
				...now,
				mode
			} : now;
		}
		lstat(path) {
			const isRoot = path === this.#root;
			const fd = this.openOrNone(isRoot ? path : parentOf(path));
			if (fd === null) return null;
			return isRoot ? this.#port.fstat(fd) : this.#port.lstat(at(fd, nameOf(path)));
		}
		lstatHere(path) {
			const last = this.#held.at(-1);
			if (last === void 0 || !isIn(path, last.path)) return this.lstat(path);
			return this.#port.lstat(at(last.fd, nameOf(path)));
		}
		openHere(path) {
			const last = this.#held.at(-1);
			return last?.path === path ? last.fd : this.open(path);
		}
		close() {
			for (const held of this.#held.splice(0)) this.#port.close(held.fd);
		}
		#open(path) {
			this.#keepCommon(path);
			let last = this.#held.at(-1) ?? this.#openRoot();
			for (const name of relativeTo(last.path, path).split("/")) {
				if (name === "") continue;
				this.#loosen(last, SEARCH);
				const fd = this.#port.openDir(at(last.fd, name));
				last = {
					path: joinPath(last.path, name),
					fd,
					stat: this.#port.fstat(fd)
				};
				this.#held.push(last);
			}
			return last;
		}
		#openRoot() {
			const fd = this.#port.openDir(this.#root === "/" ? this.#root : joinPath(this.#root, "."));
			const held = {
				path: this.#root,
				fd,
				stat: this.#port.fstat(fd)
			};
			this.#held.push(held);
			this.#realRoot = this.#port.readlink(at(fd));
			return held;
		}
		#keepCommon(path) {
			let last = this.#held.at(-1);
			for (; last !== void 0 && !isWithin(path, last.path); last = this.#held.at(-1)) {
				this.#held.pop();
				this.#port.close(last.fd);
			}
			if (last !== void 0 && this.#port.readlink(at(last.fd)) !== this.#realOf(last.path)) this.close();
		}
		#realOf(path) {
			const root = this.#realRoot ?? this.#root;
			return path === this.#root ? root : joinPath(root, relativeTo(this.#root, path));
		}
		#loosen(held, bits) {
			const { mode, uid } = held.stat;
			if (this.#uid === 0 || uid !== this.#uid || (mode & bits) === bits || this.#onLoosen === null) return held.fd;
			const id = birthOf$1(held.stat);
			this.#onLoosen(held.path, mode, id);
			this.loosened.set(id, mode);
			this.#port.chmod(at(held.fd), mode | 448);
			held.stat = {
				...held.stat,
				mode: mode | 448
			};
			return held.fd;
		}
	};
	EMPTYING_ROUNDS = 1e3;
}));
function enter({ root }, ...more) {
	return root ? more : [
		"--user",
		"--map-root-user",
		...more
	];
}
function clearMarks({ sessionDir }) {
	const overlay = fromText(`${sessionDir}/overlay`);
	for (const name of namesOrNone(joinPath(overlay, "."))) orNull(() => clearMark(joinPath(joinPath(overlay, name), "w/work")));
}
function clearMark(work) {
	const entry = nodePort.lstat(work);
	if (entry?.type !== "dir" || entry.nlink === NO_SUBDIRECTORY) return;
	nodePort.chmod(work, 448);
	try {
		for (const name of ["incompat", "incompat/volatile"]) nodePort.chmod(joinPath(work, name), 448);
		removePath(nodePort, work, fromText("incompat"));
	} finally {
		nodePort.chmod(work, 0);
	}
}
async function isBusy(session) {
	const overlay = `${session.sessionDir}/overlay`;
	if (!existsSync(overlay)) return false;
	const numbers = readdirSync(overlay, { encoding: "latin1" }).filter((n) => /^[0-9]+$/.test(n) && lstatSync(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== void 0);
	const first = await ask$1(session, session.root ? rootProbes(overlay, numbers) : numbers.map((n) => ownProbe(n, `${n}/l`)));
	if (first.busy || first.open.length === 0) return first.busy;
	for (const probe of first.open.flatMap((open) => onceMore(session, overlay, open))) {
		const { busy, open, said } = await ask$1(session, [probe]);
		if (busy) return true;
		if (open.length > 0) throw upperNotMounted(`${overlay}/${probe.uppers[0] ?? ""}/u`, said);
	}
	return false;
}
function onceMore({ root }, overlay, probe) {
	const { name, uppers } = probe;
	if (root) return name === "guard" ? [probe] : uppers.map((n) => rootProbe("again", [n]));
	return uppers.filter((n) => existsSync(`${overlay}/${n}/w/work`)).map((n) => ownProbe(n, NO_LOWER));
}
async function ask$1(session, probes) {
	const overlay = `${session.sessionDir}/overlay`;
	const dirs = [
		"parking/probe",
		NO_LOWER,
		...probes.flatMap(({ own }) => own)
	].join(" ");
	const room = `${ROOM} 2>/dev/null; mkdir -p ${dirs} && printf %s "$1" >parking/probe.fstab || exit`;
	const script = `exec 2>&1; ${CLEAR}; ${room}; mount -c -a -T parking/probe.fstab; rc=\$?; echo; echo "mounted \$rc"; [ $rc = 0 ] || cat /proc/self/mountinfo; clear; echo done`;
	const fstab = probes.map(({ line }) => line).join("");
	const args = [
		...enter(session, "--mount"),
		"/bin/sh",
		"-c",
		script,
		"probe",
		fstab
	];
	const { stdout, stderr } = await run$2(programPath("unshare"), args, {
		cwd: overlay,
		env: plainEnv()
	});
	const text = stdout + stderr;
	const [, told = "", status, table = ""] = /^(.*?)\nmounted (0|32|64)\n(.*)done\n$/s.exec(text) ?? [];
	if (status === void 0) throw probeFailed(text.trim());
	const lines = told.split("\n").filter((line) => line.startsWith("mount: "));
	const mounted = new Set(parseMountinfo(table).map(({ source }) => source));
	const open = status === "0" ? [] : probes.filter(({ name }) => !mounted.has(sourceOf(name)));
	const free = probes.every(({ ownLower }) => ownLower) ? lines.filter((line) => FREE.test(line)).length : 0;
	const said = lines.join("; ") || "no word of mount(8)";
	return {
		busy: lines.some((line) => BUSY$1.test(line)),
		open: open.length <= free ? [] : open,
		said
	};
}
function lineOf$1(name, dir, lower, user) {
	return `${sourceOf(name)} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}
function ownProbe(n, lower) {
	return {
		name: n,
		line: lineOf$1(n, n, lower, "userxattr,"),
		ownLower: lower === NO_LOWER,
		uppers: [n],
		own: []
	};
}
function rootProbes(overlay, numbers) {
	if (!existsSync(`${overlay}/guard/u`)) return [];
	const probes = [{
		name: "guard",
		line: lineOf$1("guard", "guard", "guard/l", ""),
		ownLower: true,
		uppers: ["guard"],
		own: []
	}];
	for (let from = 0; from < numbers.length; from += AT_ONCE) probes.push(rootProbe(String(from), numbers.slice(from, from + AT_ONCE)));
	return probes;
}
function rootProbe(dir, uppers) {
	const name = `uppers-${dir}`;
	const lower = ["guard/l", ...uppers.map((n) => `${n}/u`)].join(":");
	const asks = `parking/asks-${dir}`;
	const own = [`${asks}/u`, `${asks}/w`];
	return {
		name,
		line: lineOf$1(name, asks, lower, ""),
		ownLower: true,
		uppers,
		own
	};
}
var CLEAR, NO_SUBDIRECTORY, ROOM, NO_LOWER, BUSY$1, FREE, sourceOf, AT_ONCE;
var init_probe = __esmMin((() => {
	init_bytes();
	init_dir_handles();
	init_entry();
	init_mounts();
	init_port();
	init_programs();
	init_run();
	init_errors();
	CLEAR = "clear() { set -- */w/work/incompat; [ ! -e \"$1\" ] || rm -rf \"$@\"; }; clear";
	NO_SUBDIRECTORY = 2;
	ROOM = "mount -t tmpfs -o size=64m,mode=700 trai-room parking";
	NO_LOWER = "parking/none";
	BUSY$1 = /already mounted|busy/;
	FREE = /stale file handle|failed to verify/i;
	sourceOf = (name) => `trai-probe-${name}`;
	AT_ONCE = 30;
}));
async function isQuiet(ctx) {
	const seen = ctx.root || isClientRunning(ctx.sessionDir);
	for (let i = 0; i < RETRIES; i++) {
		if (seen && (await liveProcesses(ctx.source)).length > 0) return false;
		if (!await isBusy(ctx)) return true;
		if (!seen && (await liveProcesses(ctx.source)).length > 0) return false;
		await setTimeout$1(RETRY_MS);
	}
	return false;
}
function* mountedSources() {
	const without = /* @__PURE__ */ new Set();
	const of = /* @__PURE__ */ new Map();
	const chrooted = [];
	for (const pid of processIds()) {
		const namespace = processLink(pid, "ns/mnt");
		if (namespace === null || without.has(namespace)) continue;
		const mounts = processText(pid, "mountinfo");
		if (mounts === null) continue;
		const sources = new Set([...mounts.matchAll(/ - overlay (trai:\S+) /g)].map(([, source = ""]) => source));
		if (sources.size > 0) {
			of.set(namespace, {
				pid,
				sources
			});
			yield {
				pid,
				sources
			};
		} else if (processLink(pid, "root") === "/") without.add(namespace);
		else chrooted.push({
			pid,
			namespace
		});
	}
	for (const { pid, namespace } of chrooted) {
		const other = of.get(namespace);
		const isThere = (one) => processLink(one, "ns/mnt") === namespace;
		if (other !== void 0 && isThere(pid) && isThere(other.pid)) yield {
			pid,
			sources: other.sources
		};
	}
}
async function liveProcesses(source) {
	const found = [];
	for (const { pid, sources } of mountedSources()) {
		const stat = sources.has(source) ? processStat(pid) : null;
		if (stat === null) continue;
		const command = commandLine(processArguments(pid) ?? [], stat.name);
		found.push({
			pid,
			start: stat.start,
			command,
			seconds: ageSeconds(stat.start)
		});
	}
	return found;
}
function liveSources() {
	return new Set([...mountedSources()].flatMap(({ sources }) => [...sources]));
}
var RETRIES, RETRY_MS;
var init_live = __esmMin((() => {
	init_proc();
	init_client_door();
	init_probe();
	RETRIES = 20;
	RETRY_MS = 15;
}));
init_limits();
init_live();
var holds = /* @__PURE__ */ new WeakMap();
async function withLock(session, work, waitSeconds = 10) {
	const run = async () => {
		const hold = {
			held: true,
			quiet: false
		};
		try {
			return await work(register(hold, {
				...session,
				quiet: false
			}));
		} finally {
			hold.held = false;
		}
	};
	return await withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
}
function lockedAs(locked, session) {
	if (session.sessionDir !== locked.sessionDir) throw new Error("expected the session whose lock is held");
	return register(holdOf(locked), {
		...session,
		quiet: false
	});
}
async function asQuiet(session) {
	const hold = holdOf(session);
	hold.quiet ||= await isQuiet(session);
	if (!hold.quiet) return null;
	return session.quiet ? session : register(hold, {
		...session,
		quiet: true
	});
}
function register(hold, locked) {
	holds.set(locked, hold);
	return locked;
}
function holdOf(locked) {
	const hold = holds.get(locked);
	if (hold?.held === true) return hold;
	throw new Error("the lock of this session is not held (any more)");
}
init_bytes();
init_mounts();
init_port();
init_proc();
var ACCESS = 3;
function heldForWriting(wanted) {
	return new Set(holders(wanted).map(({ ino }) => ino));
}
function writersOf(files) {
	const found = /* @__PURE__ */ new Map();
	const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`));
	for (const { pid, ino, fd } of holders(new Set(files.map(({ ino: one }) => one)))) {
		const key = `${(fd === null ? null : statOf$3(`/proc/${pid}/fd/${fd}`)?.dev) ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
		const known = found.get(key) ?? [];
		if (wanted.has(key) && !known.includes(pid)) found.set(key, [...known, pid]);
	}
	return found;
}
function treesInUse(trees) {
	const used = /* @__PURE__ */ new Set();
	if (trees.length === 0) return used;
	const all = (sets) => new Set(sets.flatMap((set) => [...set]));
	const dirs = all(trees.map((tree) => tree.dirs));
	const held = new Set(holders(all(trees.map(({ files }) => files)), dirs).map(({ ino }) => ino));
	const workDirs = findWorkDirs(trees);
	for (const tree of trees) {
		const { real, files, dirs: own } = tree;
		const isInside = ({ at, ino }) => isWithin(at, real) || ino !== null && own.has(ino);
		if ([...held].some((ino) => files.has(ino) || own.has(ino)) || workDirs.some(isInside)) used.add(tree);
	}
	return used;
}
function usersBelow(processes, tops) {
	if (tops.size === 0) return [];
	return processes.flatMap(({ pid }) => {
		const used = /* @__PURE__ */ new Map();
		for (const thread of namesIn$2(`/proc/${pid}/task`)) for (const name of ["cwd", "root"]) used.set(processLink(pid, `task/${thread}/${name}`) ?? "", true);
		for (const [, name = ""] of (processText(pid, "maps") ?? "").matchAll(MAPPED$1)) used.set(name, false);
		for (const fd of namesIn$2(`/proc/${pid}/fd`)) {
			const name = processLink(pid, `fd/${fd}`) ?? "";
			if (name.startsWith("/")) used.set(name, used.get(name) === true || isOpenDir(pid, fd));
		}
		return [...used].flatMap(([name, isDir]) => {
			const path = name;
			const top = path.startsWith("/") ? topOf$1(path, tops) : null;
			return top === null ? [] : [{
				top,
				path,
				pid,
				isDir
			}];
		});
	});
}
function topOf$1(path, tops) {
	for (let at = path;; at = parentOf(at)) {
		if (tops.has(at)) return at;
		if (at === "/") return null;
	}
}
var MAPPED$1 = /^\S+ \S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm;
var DIRECTORY = 65536;
function isOpenDir(pid, fd) {
	const flags = /^flags:\s+([0-7]+)/m.exec(processText(pid, `fdinfo/${fd}`) ?? "")?.[1];
	return flags !== void 0 && (Number.parseInt(flags, 8) & DIRECTORY) !== 0;
}
function findWorkDirs(trees) {
	const own = devicesByPoint("self");
	const devices = new Set(trees.map(({ real }) => deviceAt(own, real)));
	const tables = /* @__PURE__ */ new Map();
	return processIds().filter((pid) => pid !== process.pid).flatMap((pid) => {
		const namespace = processLink(pid, "ns/mnt") ?? "";
		const mounts = tables.get(namespace) ?? devicesByPoint(pid);
		if (namespace !== "") tables.set(namespace, mounts);
		return ["cwd", "root"].map((name) => {
			const at = processLink(pid, name) ?? "";
			return {
				at,
				ino: at === "" || devices.has(deviceAt(mounts, at)) ? statOf$3(`/proc/${pid}/${name}`)?.ino ?? null : null
			};
		});
	});
}
function devicesByPoint(pid) {
	return (processText(pid, "mountinfo") ?? "").split("\n").flatMap((line) => {
		const [, , device = "", , point] = line.split(" ", 5);
		return point === void 0 ? [] : [[unescapeMount(point), device]];
	});
}
function deviceAt(mounts, at) {
	return innermost(at, mounts, ([point]) => point)?.[1] ?? null;
}
function holders(wanted, dirs = /* @__PURE__ */ new Set()) {
	if (wanted.size === 0 && dirs.size === 0) return [];
	const isWanted = (pid, { ino, writes }) => writes ? wanted.has(ino) : pid !== process.pid && dirs.has(ino);
	return processIds().flatMap((pid) => [...openFiles(pid)].filter((file) => isWanted(pid, file)).map((file) => ({
		...file,
		pid
	})));
}
function* openFiles(pid) {
	for (const fd of namesIn$2(`/proc/${pid}/fd`)) {
		const open = openInode(pid, fd);
		if (open !== null) yield {
			...open,
			fd
		};
	}
	for (const [, ino = ""] of (processText(pid, "maps") ?? "").matchAll(SHARED$1)) yield {
		ino: BigInt(ino),
		fd: null,
		writes: true
	};
}
var SHARED$1 = /^\S+ .w.s \S+ \S+ (\d+)/gm;
function statOf$3(path) {
	return orNull(() => statSync(path, { bigint: true }));
}
function openInode(pid, fd) {
	const name = processLink(pid, `fd/${fd}`) ?? "";
	if (!name.startsWith("/") || name === "/dev/null" || name.startsWith("/dev/pts/")) return null;
	const info = processText(pid, `fdinfo/${fd}`) ?? "";
	const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
	if (flags === void 0) return null;
	const writes = (Number.parseInt(flags, 8) & ACCESS) !== 0;
	const ino = inodeIn(info);
	if (ino !== null) return {
		ino,
		writes
	};
	const held = writes ? statOf$3(`/proc/${pid}/fd/${fd}`) : null;
	return held === null ? null : {
		ino: held.ino,
		writes
	};
}
function inodeIn(info) {
	const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
	return ino === void 0 ? null : BigInt(ino);
}
var UNDO_REASONS = {
	"host-changed": "changed on the host since",
	"host-removed": "removed on the host since",
	"host-created": "created on the host since",
	"host-new-below": "added below it on the host since, and stays in any case"
};
init_bytes();
init_errors$3();
init_text();
init_port();
var NAMED = 5;
var named$2 = (texts) => `${texts.slice(0, NAMED).join("; ")}${texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ""}`;
var toldText = ({ path, why }) => `${toDisplay(path)}: ${why}`;
var because = ([first]) => first === void 0 ? "" : ` (${toldText(first)})`;
var notADiscard = (session, name) => new TraiError("bad-input", `expected the name of a discard of session ${session}, found ${toDisplay(name)}`);
var discardGone = (trash) => new TraiError("not-found", `the trash has no discard ${trash} that can be undone`);
var historyEntryGone = () => new TraiError("not-found", "the history has no such entry any more", { hint: "Load the history again." });
function nothingPending$1(scope, unsure) {
	const where = scope.kind === "paths" ? "at the paths that were given" : "of the calls that were given";
	return new TraiError("not-found", `nothing is pending ${where}${because(unsure)}`, {
		hint: "See: trai status",
		paths: unsure.map(toldText)
	});
}
var noSuchCall = (id, alike) => new TraiError("not-found", alike === 0 ? `this session has no sandboxed call ${JSON.stringify(id)}` : `the ids of ${alike} sandboxed calls begin with ${JSON.stringify(id)}`, { hint: "The ids stand in: trai status --by-call, and for a path in: trai why PATH" });
var notUndoable = (n, why) => new TraiError("not-found", `commit ${n} cannot be undone: ${why}`, { hint: "See: trai undo --list" });
var nothingToRedo = () => new TraiError("not-found", "nothing was undone that could be committed again", { hint: "A redo commits what the newest undo reverted, and only until the next commit. What is pending is committed with: trai commit. See: trai undo --list" });
var staleList = (data) => new TraiError("stale-revision", "the pending changes are not the ones that were reviewed", {
	hint: "Review them again, then repeat.",
	data
});
var staleUndo = () => new TraiError("stale-revision", "the host is not as it was when the undo was reviewed", { hint: "Review it again, then repeat." });
var staleMerge = (path) => new TraiError("stale-revision", `the merge of ${toDisplay(path)} would be another one by now`, {
	hint: "Review it again, then commit.",
	paths: [toDisplay(path)]
});
var changedSinceUndo = (path) => new TraiError("stale-revision", `the session has changed ${toDisplay(path)} since it was undone`, {
	hint: "Look at the pending changes, then commit them.",
	paths: [toDisplay(path)]
});
function openConflicts(changes) {
	const texts = changes.map(({ path, conflict }) => toDisplay(path) + (conflict === null ? "" : `: ${CONFLICT_REASONS[conflict]}`));
	return new TraiError("conflicts", `${texts.length} in conflict with the host: ${named$2(texts)}`, {
		hint: "Decide for all (--conflicts keep-host, take-sandbox or merge) or for each path (--keep-host PATH, --take-sandbox PATH, --merge PATH), or in the dashboard.",
		paths: changes.map(({ path }) => toDisplay(path)),
		data: { count: changes.length }
	});
}
var keptText = (kept) => kept.length === 0 ? "" : ` The session has ${kept.length === 1 ? "a version" : "versions"} of its own of ${countText(kept.length, "path")}, which ${kept.length === 1 ? "stays" : "stay"} pending; what the host has there would be kept: ${named$2(kept.map(({ path, at }) => `${toDisplay(path)} as ${toDisplay(at)}`))}.`;
var openUndoConflicts = (open, kept) => new TraiError("conflicts", `the host is not as the commit left it: ${named$2(open.map(({ path, reason }) => `${toDisplay(path)}: ${UNDO_REASONS[reason]}`))}`, {
	hint: `Decide: --conflicts keep-host leaves them as they are, --conflicts take-back undoes them too (what the host has now is pending then).${keptText(kept)}`,
	paths: open.map(({ path }) => toDisplay(path)),
	data: { count: open.length }
});
var notMergeable = (path, refused) => new TraiError("conflicts", `${toDisplay(path)} cannot be merged. ${refused}`, {
	hint: "Keep the host’s version or take the sandbox’s for it.",
	paths: [toDisplay(path)]
});
var mergeOverlaps = (path, count) => new TraiError("conflicts", `both changed the same lines of ${toDisplay(path)} in ${countText(count, "place")}`, {
	hint: "Take one side, or have markers written at those places (merge-markers).",
	paths: [toDisplay(path)],
	data: { count }
});
var massUndo = ({ reasons, count }, kept) => new TraiError("mass-guard", `this undo ${reasons.join("; ")}`, {
	hint: `Confirm with --yes, or with the number (${count}).${keptText(kept)}`,
	data: { count }
});
var undoTooLarge = (bytes, maxBytes) => new TraiError("undo-size", `what this commit replaces or deletes takes ${bytes} bytes to keep for an undo; up to ${maxBytes} are kept without asking`, {
	hint: "Commit with --no-undo: it cannot be undone then. Or raise undo.maxBytes in the config.",
	data: {
		bytes,
		maxBytes
	}
});
var mergeWhileLive = () => new TraiError("live", "processes of this session are running: they would go on with another version than the merged one", { hint: "Wait until they are done, or end them (trai ps), then merge." });
var undoWhileLive = () => new TraiError("live", "processes of this session are running: what is undone could not be pending again", { hint: "Wait until they are done, or end them (--end-processes)." });
var nothingDiscardedLive = (left) => new TraiError("live", `nothing was discarded: ${left.slice(0, 1).map(toldText).join("")}`, {
	hint: "Wait until the processes of the session are done with it, or end them (trai ps), then discard again.",
	paths: left.map(toldText)
});
var overlayNotEmpty = () => new TraiError("not-empty", "the session has pending changes; a discard can be undone into an empty one only", { hint: "Commit or discard what is pending first, also what could not be read. The earlier discard stays in the trash." });
var discardInTheWay = (obstacles) => new TraiError("not-empty", `${obstacles.length} of what was discarded can't come back: ${obstacles.slice(0, 1).map(toldText).join("")}`, {
	hint: "Commit or discard what is pending there first. The earlier discard stays in the trash.",
	paths: obstacles.map(toldText)
});
var discardStopped = (left) => left === 0 ? new TraiError("cancelled", "the discard was stopped; everything is still pending") : new TraiError("not-empty", `the discard was stopped, and ${countText(left, "entry", "entries")} could not come back: something took the place`, { hint: "Nothing is lost: the discard is in the trash, and trai undo brings it back when its places are free." });
var commitNotClosed = (why, cause) => new TraiError(isNoSpace(cause) ? "no-space" : "unfinished", `an interrupted commit could not be closed first: ${why}`, {
	hint: "Nothing was discarded. Remove the cause, then try again, or commit to finish it.",
	cause
});
var noSpace = (bytes, free, dir) => new TraiError("no-space", `the commit needs ${bytes} bytes below ${toDisplay(dir)}; ${free} are free`, {
	hint: "Nothing was applied. Free some space there and commit again.",
	path: toDisplay(dir),
	data: {
		needed: bytes,
		free
	}
});
var noSpaceForCopies = (said) => new TraiError("no-space", `the copies could not be written: ${said}`, { hint: "Nothing was changed. Free some space on the file system of the target and try again." });
var noCp = (said) => new TraiError("io", `cp could not be started: ${said}`);
var versionNotKept = (path, said) => new TraiError("io", `the sandbox’s version of ${toDisplay(path)} could not be kept: ${said}`);
var mergeNotWritten = (said) => new TraiError("io", `the merge could not be written: ${said}`);
var copyIsOther = (path) => new TraiError("io", `expected the copy of ${toDisplay(path)}, found something else`);
var deletionNotPending = (said) => new TraiError("io", `a deletion could not be made pending again: ${said}`);
var FAILED = {
	commit: ["nothing was applied", "Everything is still pending. Try again."],
	discard: ["it could not be discarded", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	undoDiscard: ["it could not be brought back", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	adoption: ["it could not be moved", "Nothing was moved."],
	begunAdoption: ["it could not be moved", "It is on its way: the next run completes what was begun."]
};
function asTraiError(thrown, what = "commit") {
	if (!(thrown instanceof Error) || errorCode(thrown) === "" || thrown instanceof TraiError) return thrown;
	const [message, hint] = FAILED[what];
	const full = isNoSpace(thrown);
	return new TraiError(full ? "no-space" : "io", `${message}: ${thrown.message}`, {
		hint: full ? `Free some space. ${hint}` : hint,
		cause: thrown
	});
}
var OLD_VERSION = "Save what is pending with `trai export` of that version, then begin a new session.";
var otherVersion = (link) => new TraiError("unsupported", "another version of trai has made this session", {
	path: toDisplay(link),
	hint: OLD_VERSION
});
var otherJournalVersion = (dir, found, expected) => new TraiError("unsupported", `another version of trai has written the journal of ${titleOf(dir)} (format ${String(found)}, expected ${expected})`, {
	path: toDisplay(dir),
	hint: OLD_VERSION
});
var journalDamaged = (journal, why) => new TraiError("corrupt", `the journal of ${titleOf(parentOf(journal))} can't be read: ${why}`, {
	path: toDisplay(journal),
	hint: "When nothing of it needs finishing, rename its directory."
});
var JOURNAL_HAS_NO_BEGIN = "it does not begin with a line `begin`";
var unitsMissing = (expected, found) => `expected ${expected} units, found ${found}`;
function titleOf(dir) {
	const name = nameOf(dir);
	return /^[0-9]+$/.test(name) ? `commit ${name}` : `discard ${toDisplay(name)}`;
}
var manyFileSystems = () => new TraiError("unsupported", "expected the overlay and the commits of the session on one file system");
var coveredSince = (path, back) => new TraiError("unsupported", "expected a path in a covered directory, found the directory itself", {
	path: toDisplay(path),
	hint: `What was there is in ${toDisplay(back)}`
});
init_fingerprint();
function leavesUpper(unit) {
	return unit.kind === "move-to-host" || unit.kind === "put" && unit.stage === null;
}
function entriesOf(unit) {
	switch (unit.kind) {
		case "put":
		case "swap":
		case "move-to-store": return unit.entries;
		case "meta":
		case "delete": return [{
			path: unit.path,
			id: unit.upper
		}];
		case "move-to-host": return unpackTree(unit.path, unit.tree);
	}
}
function entryCount(unit) {
	return unit.kind === "move-to-host" ? unit.tree.count : entriesOf(unit).length;
}
function hostOf(unit) {
	return unit.kind === "move-to-host" ? null : unit.host;
}
function bytesOf$3(unit) {
	return "bytes" in unit ? unit.bytes : 0;
}
function replacedBelow(unit) {
	return unit.kind === "swap" ? unit.below : [];
}
function resultOf$1(unit) {
	switch (unit.kind) {
		case "put":
		case "swap": return unit.stage === null ? unit.entries : unit.result;
		case "meta": return [resultOfMeta(unit)];
		case "delete": return [{
			path: unit.path,
			id: null
		}];
		case "move-to-host": return entriesOf(unit);
		case "move-to-store": return unit.entries.map(({ path }) => ({
			path,
			id: null
		}));
	}
}
function resultOfMeta({ path, host, mode, uid, gid, mtime }) {
	const then = {
		...fingerprint(host),
		uid,
		gid
	};
	if (then.type !== "symlink") then.mode = mode;
	if (then.type === "file" && mtime !== null) then.mtimeNs = BigInt(mtime);
	return {
		path,
		id: identityOf$1(then)
	};
}
function isTimeOnly(unit) {
	if (unit.kind !== "meta" || unit.mtime === null || unit.xattrs !== void 0) return false;
	return unit.host.startsWith(`file:${unit.mode}:${unit.uid}:${unit.gid}:`);
}
var END = "//";
var TreePacker = class {
	#count = 0;
	#parts = [];
	#skip;
	#dev;
	#owner;
	constructor(top, id) {
		const [, , uid = "", gid = "", , dev = ""] = id.split(":");
		this.#skip = top.length;
		this.#dev = dev;
		this.#owner = `${uid}:${gid}`;
	}
	looked(path, id) {
		this.#count++;
		this.#parts.push(path.slice(this.#skip), END, id, END);
	}
	listed({ path, pending, upperIdentity = "" }) {
		const owner = `${pending?.uid}:${pending?.gid}`;
		this.looked(path, owner === this.#owner ? upperIdentity : `${upperIdentity}.${owner}`);
	}
	done() {
		return {
			count: this.#count,
			dev: this.#dev,
			owner: this.#owner,
			text: this.#parts.join("")
		};
	}
};
var unpacked$1 = /* @__PURE__ */ new WeakMap();
function unpackTree(top, tree) {
	const known = unpacked$1.get(tree);
	if (known !== void 0) return known;
	const { dev, owner, text } = tree;
	const fields = text.split(END);
	const entries = [];
	for (let i = 0; i + 1 < fields.length; i += 2) {
		const path = `${top}${fields[i] ?? ""}`;
		entries.push({
			path,
			id: wholeIdentity(fields[i + 1] ?? "", dev, owner)
		});
	}
	unpacked$1.set(tree, entries);
	return entries;
}
function wholeIdentity(id, dev, owner) {
	const fields = id.split(".");
	if (fields.length < 8) return id;
	const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
	return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
init_bytes();
init_errors$3();
init_port();
init_state_file();
var JOURNAL = "journal.jsonl";
function phaseAfter(phase, { t }) {
	switch (t) {
		case "ready":
		case "applied": return t;
		case "done":
		case "fail":
		case "abandon": return phase === "ready" ? "applying" : phase;
		case "end":
		case "discarded": return "closed";
		case "reopen": return "staging";
		default: return phase;
	}
}
function isAborted({ phase, report }) {
	return phase === "closed" && report === null;
}
var CommitRecord = class {
	begin;
	n;
	phase = "staging";
	stages = [];
	units = [];
	unitOf = /* @__PURE__ */ new Map();
	above = [];
	same = [];
	refused = [];
	loosened = [];
	upperLoosened = [];
	done = /* @__PURE__ */ new Map();
	stamps = /* @__PURE__ */ new Map();
	failed = /* @__PURE__ */ new Map();
	hashes = /* @__PURE__ */ new Map();
	abandoned = null;
	report = null;
	dropped = false;
	pending = [];
	beside = [];
	imageless = /* @__PURE__ */ new Set();
	undone = /* @__PURE__ */ new Set();
	collected = false;
	endedAt = null;
	indexes = {};
	drops = [];
	bases = "";
	whiteouts = /* @__PURE__ */ new Set();
	discarded = false;
	entries = null;
	reopened = null;
	constructor(begin) {
		this.begin = begin;
		this.n = begin.n;
	}
	standing() {
		return this.units.filter(({ i }) => this.done.has(i) && !this.undone.has(i));
	}
	fold(line) {
		this.phase = phaseAfter(this.phase, line);
		switch (line.t) {
			case "stage":
				this.stages.push(line);
				break;
			case "unit":
				this.units.push(line);
				this.unitOf.set(line.i, line);
				break;
			case "above":
				this.above = this.above.concat(line.entries);
				break;
			case "refused":
				this.refused = this.refused.concat(line.entries);
				break;
			case "same":
				this.same = this.same.concat(line.entries, ...(line.trees ?? []).map((i) => this.#belowTop(i)));
				break;
			case "loosen":
				this.loosened.push(line);
				break;
			case "loosen-upper":
				this.upperLoosened.push(line);
				break;
			case "done":
				this.done.set(line.i, line.note ?? "");
				if (line.stamp !== void 0) this.stamps.set(line.i, line.stamp);
				if (line.whiteout === true) this.whiteouts.add(line.i);
				break;
			case "fail":
				this.failed.set(line.i, line.message);
				break;
			case "end":
				this.report = line.report;
				this.endedAt = line.at ?? null;
				this.indexes = line.indexes ?? {};
				this.discarded = false;
				break;
			case "drop":
				this.drops.push(line);
				break;
			case "bases":
				this.bases = line.text;
				break;
			case "reopen":
				this.reopened = line;
				break;
			case "pending":
				this.pending.push(line);
				break;
			case "beside":
				this.beside = this.beside.concat(line.paths);
				break;
			case "no-image":
				this.imageless.add(line.i);
				break;
			case "unlinked":
				this.stamps.set(line.i, line.stamp);
				break;
			case "undone":
				for (const i of line.units) this.undone.add(i);
				break;
			case "abandon":
				this.abandoned = line.why;
				break;
			case "discarded":
				this.discarded = true;
				this.entries = line.entries ?? this.entries;
				break;
			case "hashes":
				for (const [i, sha256, blob] of line.of) this.hashes.set(i, {
					sha256,
					blob
				});
				break;
			case "collected":
			case "dropped": this[line.t] = true;
		}
	}
	#belowTop(i) {
		const unit = this.unitOf.get(i);
		return unit === void 0 ? [] : entriesOf(unit).filter(({ path }) => path !== unit.path);
	}
};
function endTime() {
	return Date.now() + 1;
}
var Journal = class {
	record;
	dir;
	#port;
	#fd;
	#pending;
	#isDurable;
	constructor(port, dir, { record, torn }) {
		this.#port = port;
		this.dir = dir;
		this.record = record;
		this.#pending = torn ? "\n" : "";
		this.#isDurable = false;
		this.#fd = port.openAppend(joinPath(dir, JOURNAL));
	}
	add(line) {
		this.record.fold(line);
		this.#pending += `${JSON.stringify(line)}\n`;
		if (this.#pending.length > 1e6) this.flush();
	}
	addSynced(...lines) {
		for (const line of lines) this.add(line);
		this.sync();
	}
	flush() {
		const text = this.#pending;
		if (text === "") return;
		this.#pending = "";
		this.#port.append(this.#fd, text);
	}
	sync() {
		this.flush();
		this.#port.fsync(this.#fd);
		this.#isDurable = true;
	}
	syncBegin() {
		if (!this.#isDurable) this.sync();
	}
	close() {
		this.#port.close(this.#fd);
	}
};
function commitsDir(ctx) {
	return joinPath(fromText(ctx.sessionDir), "commits");
}
function commitDir(ctx, n) {
	return joinPath(commitsDir(ctx), String(n));
}
function commitNumbers(port, ctx) {
	if (port.lstat(commitsDir(ctx)) === null) return [];
	return port.readdir(commitsDir(ctx)).filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number).sort((a, b) => a - b);
}
function nextNumber(port, ctx) {
	return (commitNumbers(port, ctx).at(-1) ?? 0) + 1;
}
function readJournal(port, ctx, n) {
	return readJournalIn(port, commitDir(ctx, n))?.record ?? null;
}
function unfinishedCommit(ctx, port = nodePort) {
	for (const n of commitNumbers(port, ctx).reverse()) {
		if (readClosed(commitDir(ctx, n)) !== null) return null;
		const record = readJournal(port, ctx, n);
		if (record !== null) return record.phase === "closed" ? null : n;
	}
	return null;
}
function openJournal(port, dir) {
	const found = readJournalIn(port, dir);
	return found === null ? null : new Journal(port, dir, found);
}
function readJournalIn(port, dir) {
	const text = port.readText(joinPath(dir, "journal.jsonl")) ?? "";
	let record = null;
	for (const raw of text.split("\n")) {
		const line = raw === "" ? null : parse$1(raw);
		if (line === null) continue;
		if (record === null) {
			if (line.t !== "begin") throw journalDamaged(joinPath(dir, JOURNAL), JOURNAL_HAS_NO_BEGIN);
			if (line.v !== 5) throw otherJournalVersion(dir, line.v, 5);
			record = new CommitRecord(line);
		} else if (line.t === "ready" && record.units.length !== line.units) throw journalDamaged(joinPath(dir, JOURNAL), unitsMissing(line.units, record.units.length));
		else record.fold(line);
	}
	return record === null ? null : {
		record,
		torn: !text.endsWith("\n")
	};
}
function readClosed(dir) {
	const [head = "", tail = ""] = readEnds(Buffer.from(joinPath(dir, "journal.jsonl"), "latin1"), HEAD_BYTES, TAIL_BYTES$1)?.map((part) => part.toString("latin1")) ?? [];
	const [, version, at] = /^\{"t":"begin","v":(\d+),"at":"([^"]+)"/.exec(head) ?? [];
	if (at === void 0 || Number(version) !== 5 || !tail.endsWith("}\n")) return null;
	const after = /* @__PURE__ */ new Set();
	for (let end = tail.length - 1; end > 0;) {
		const start = tail.lastIndexOf("\n", end - 1) + 1;
		const kind = /^\{"t":"([a-z-]+)"/.exec(tail.slice(start, Math.min(end, start + 30)))?.[1] ?? "";
		if (kind === "end" || kind === "discarded") return {
			at,
			after
		};
		if (!AFTER_END.has(kind)) return null;
		after.add(kind);
		end = start - 1;
	}
	return null;
}
function beganAt$1(port, ctx, n) {
	const closed = readClosed(commitDir(ctx, n));
	const record = closed === null ? readJournal(port, ctx, n) : null;
	return record?.phase === "closed" ? record.begin.at : closed?.at ?? null;
}
var HEAD_BYTES = 100;
var TAIL_BYTES$1 = 65536;
var AFTER_END = /* @__PURE__ */ new Set([
	"dropped",
	"undone",
	"collected"
]);
function parse$1(raw) {
	try {
		return JSON.parse(raw);
	} catch {
		return null;
	}
}
function beginTransaction(port, ctx, about) {
	if (unfinishedCommit(ctx, port) !== null) throw new TraiError("internal", "expected no interrupted commit or undo");
	if (port.lstat(commitsDir(ctx)) === null) port.mkdir(commitsDir(ctx), 448);
	const n = nextNumber(port, ctx);
	return beginJournal(port, commitDir(ctx, n), {
		n,
		session: ctx.session,
		live: !ctx.quiet,
		...about
	});
}
function beginJournal(port, dir, about) {
	port.mkdir(dir, 448);
	const line = {
		t: "begin",
		v: 5,
		at: (/* @__PURE__ */ new Date()).toISOString(),
		...about
	};
	const journal = new Journal(port, dir, {
		record: new CommitRecord(line),
		torn: false
	});
	journal.add(line);
	journal.flush();
	return journal;
}
function redoable(port, ctx) {
	for (const n of commitNumbers(port, ctx).reverse()) {
		const record = readJournal(port, ctx, n);
		if (record === null || isAborted(record)) continue;
		return record.phase === "closed" && record.begin.undoes !== void 0 && record.done.size > 0 ? record : null;
	}
	return null;
}
init_bytes();
var NOTHING_THERE = "nothing is pending there";
var CALL_UNKNOWN = "which call wrote it is not known";
var byOtherCalls = (calls) => `it can also have been written by call ${calls.slice(0, 3).join(", ")}${calls.length > 3 ? ` and ${calls.length - 3} more` : ""}, which ran at the same time`;
var ALONG = {
	holds: (path) => `it is the directory that holds ${toDisplay(path)}`,
	sameFile: (path) => `it is another name of the same file as ${toDisplay(path)}`,
	oldName: (path) => `it is the old name of ${toDisplay(path)}, which was renamed`,
	newName: (path) => `it is the new name of ${toDisplay(path)}, which was renamed`,
	belowDeleted: (path) => `it goes with ${toDisplay(path)}, which is deleted`,
	belowReplaced: (path) => `it goes with ${toDisplay(path)}, which is replaced`,
	above: (path) => `it has to go first: ${toDisplay(path)} lies in it`,
	again: (path) => `${toDisplay(path)} was deleted and made again, and goes as a whole`,
	git: (path) => `the repository’s data ${toDisplay(path)} goes as a whole`,
	database: (path) => `it belongs to the database ${toDisplay(path)}`,
	inDropped: (path) => `it lies in ${toDisplay(path)}, which is dropped whole`,
	aboveDropped: (path) => `${toDisplay(path)} lies in it, and it can only be dropped whole`
};
var SOCKET = "a socket is an address of a process, not content";
var ignoredBy = (rule) => `it is ignored (${rule}) and was not asked for by --include-ignored`;
var KEPT_AS_CHOSEN = "it stays as on the host, as was chosen for this conflict";
var NEEDS_KEPT = "it cannot go without an entry that stays as on the host";
var ONLY_WHOLE = "its directory was made in the sandbox and hides the host’s: commit it, or discard everything";
var NOT_REVIEWED = "it is not as it was reviewed any more; it stays pending";
var NOT_ALL_READ = "not all of it could be read; it stays pending";
var NO_NEW_NAME = "its new name could not be committed; it stays pending";
var GROUP_FAILED = "it belongs together with an entry that could not be applied";
var XATTRS_CHANGED = "its extended attributes (an ACL, user.*) are not as they were reviewed; it stays pending";
var SANDBOX_CHANGED = "the sandbox changed it after the review; it stays pending";
var CHANGED_MEANWHILE = "it changed while it was being copied; it stays pending";
var DIR_NOT_WRITABLE = "its directory on the host is missing or cannot be written";
var notCopied = (complaint) => `it could not be copied${complaint === "" ? "" : `: ${complaint}`}`;
var aclNotKept = (name, why) => `the ACL of ${name} could not be kept: ${why}`;
var noBeforeImage = (complaint) => `what it replaces could not be kept for an undo, so it stays pending (a commit without undo leaves that out)${complaint === "" ? "" : `: ${complaint}`}`;
var XATTR_ERRORS = {
	ENOTSUP: "the file system keeps no such extended attributes",
	EOPNOTSUPP: "the file system keeps no such extended attributes",
	ENOSPC: "the file system has no room for its extended attributes",
	EDQUOT: "the file system has no room for its extended attributes",
	E2BIG: "its extended attributes are too large for the file system",
	ERANGE: "its extended attributes are too large for the file system",
	EINVAL: "the file system does not take its extended attributes",
	ENOSYS: "its extended attributes cannot be set: perl is missing"
};
var SESSION_LIVE = "processes of the session are running; it stays pending";
var NOT_MOVED_OUT = "it cannot be renamed out of the overlay (EXDEV); it stays pending, and the next commit copies it";
var hostHas = (path) => `the host has an entry ${toDisplay(path)}`;
var hostHasIn = (path) => `the host has a new or changed entry in it: ${toDisplay(path)}`;
var replacedKept = (path, why) => `what it replaced could not be removed wholly and is kept as ${toDisplay(path)}: ${why}`;
var partlyApplied = (why) => `it is in place on the host, but not finished: ${why}`;
var STOPPED = "it was stopped";
var stoppedAt = (path, why) => `the commit stopped at ${toDisplay(path)}: ${why}`;
var givenUp = (entries) => `${entries} entries were given up by a discard before they were applied`;
var cleaningStopped = (why) => `everything else is as reported, but cleaning up stopped (the next run does it): ${why}`;
var pendingAgainStopped = (why) => `everything else is as reported, but making it pending again stopped (the next run does it): ${why}`;
var PENDING_WHEN_QUIET = "it is on the host; what was undone is pending again when the session is quiet";
var HOST_REMOVED = "the host has removed it";
var HOST_HAS_OTHER = "the host has something else there";
var HOST_HAS_DIR = "the host has a directory there now";
var COVERED_ITSELF = "it is a covered directory of its own by now, and stays";
var NOT_COVERED_NOW = "the session does not cover that place now, so it could not be pending again; it stays until a command of the session covers it";
var beforeImageChanged = (complaint) => `a process that still had it open has changed what was kept of it; it stays as it is on the host${complaint === "" ? "" : ` (${complaint})`}`;
var sessionHasOther = (kept) => `the session has something else there by now, which stays; what was taken off the host is kept: ${toDisplay(kept)}`;
var notPending$1 = (why) => `it could not be kept as pending: ${why}`;
var MEANWHILE = "it changed meanwhile";
var IN_VIEW = "a process of the session works in it, or has something of it open";
var MOUNTED_OVER = "a process of the session has it mounted, or something over it, as a box has what it shows and hides; it stays as it is until that ends";
var LIVE_ENDED = "the last process of the session has just ended, or no directory beside it can be written";
var IN_USE = "a process on the host works in it, or has a file of it open for writing";
var NEW_OR_CHANGED = "the host has a new or changed entry in it";
var treeStays = (why) => `${why}; it stays`;
var treeReplaced = (why) => `${why}, and something else is in its place by now: all that it had is pending`;
var NOT_MOVED_IN = "it cannot be renamed into the overlay (EXDEV); it stays, and the next undo copies it";
var NOT_COVERED = "it is not covered any more";
var SESSION_CHANGED = "the session has changed it since";
var openForWriting = (who) => `${who === "" ? "a process of the session" : who} has it open for writing; it stays pending`;
var NOT_DISCARDED_LIVE = "the session is changing it; it stays pending";
var HELD_OPEN = "a process has something of the deleted directory open, and until it closes that the kernel shows no other one; its deletion stays pending";
var NEW_INSIDE = "the session has made something new in it meanwhile, which stays pending";
var HOST_UNREADABLE = "the host’s entry could not be read or copied; it stays pending";
var savedBeside = (path) => `a process wrote it meanwhile; it is ${path} now`;
var SESSION_CHANGED_XATTRS = "the session has changed its extended attributes since";
var dirGone = (path) => `the directory ${toDisplay(path)} is gone`;
var sessionChanged = (path) => `the session has changed ${toDisplay(path)} since`;
var NOT_COMPLETE = "it is not a complete commit of this session";
var UNDONE_ALREADY = "it is undone already";
var NOT_KEPT_ANY_MORE = "what was there before is not kept any more";
var NEVER_KEPT = "it was made without keeping what was there before";
var LEFTOVER = "left by a discard that was interrupted before it took anything";
var PROJECT_GONE = "its project is gone, and nothing is pending";
var NEVER_BEGAN = "its client was ended before it had begun, and nothing is pending";
var olderThan = (days) => `older than ${days} days`;
var moreThan = (bytes) => `more than ${bytes} bytes are kept`;
var takenFromHost = (limit) => `${limit}; what its undo took off the host is nowhere else`;
init_bytes();
init_dir_handles();
init_entry_errors();
init_port();
function hostDirs({ port, ctx, journal }) {
	const dirs = new Dirs(port, "/", ctx.root ? 0 : ctx.uid, (path, mode, id) => {
		journal.addSynced({
			t: "loosen",
			path,
			mode,
			id
		});
	});
	for (const { id, mode } of journal.record.loosened) dirs.loosened.set(id, mode);
	return dirs;
}
var Areas = class {
	#port;
	#ctx;
	#dirs;
	#bases = /* @__PURE__ */ new Map();
	all = [];
	constructor(port, ctx, dirs) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
	}
	baseFor(parent) {
		const known = this.#bases.get(parent);
		const base = known === void 0 ? this.#find(parent) : known;
		this.#bases.set(parent, base);
		if (base === null) throw new NotApplied(DIR_NOT_WRITABLE);
		return base;
	}
	areaAt(base, journal) {
		const found = this.all.find((area) => area.base === base);
		if (found !== void 0) return found;
		const name = stageName(this.#ctx.session, journal.record.n);
		journal.addSynced({
			t: "stage",
			base,
			name
		});
		const dir = this.#dirs.openToWrite(base);
		this.#port.mkdir(at(dir, name), 448);
		const area = {
			index: this.all.length,
			base,
			fd: this.#port.openDir(at(dir, name))
		};
		this.all.push(area);
		return area;
	}
	async sync(more) {
		const fds = more.map((dir) => this.#port.openDir(joinPath(dir, ".")));
		try {
			await syncFileSystems(this.#port, [...this.all.map(({ fd }) => fd), ...fds]);
		} finally {
			for (const fd of fds) this.#port.close(fd);
		}
	}
	close() {
		for (const area of this.all.splice(0)) this.#port.close(area.fd);
	}
	#find(parent) {
		const covered = coveringDir(this.#ctx.coveredDirs, parent);
		const target = this.#dirs.lstat(parent);
		if (covered === null || target?.type !== "dir") return null;
		const mine = !this.#ctx.root && target.uid === this.#ctx.uid;
		if (!mine && !this.#port.writable(at(this.#dirs.open(parent)))) return null;
		const names = parent.slice(covered.path.length).split("/").filter(Boolean);
		let dir = covered.path;
		for (;;) {
			const fd = this.#dirs.open(dir);
			if (this.#port.fstat(fd).dev === target.dev && this.#port.writable(at(fd))) return dir;
			const name = names.shift();
			if (name === void 0) break;
			dir = joinPath(dir, name);
		}
		return mine ? parent : null;
	}
};
function stageName(session, n) {
	return `.trai-commit.${session}.${n}`;
}
function asideName(session, n, i) {
	return `.trai-old.${session}.${n}.${i}`;
}
var BACK = "back";
function waitingAt(back, covered, path) {
	return joinPath(back, joinPath(String(covered.n), relativeTo(covered.path, path)));
}
init_bytes();
var isDir = (side) => side?.type === "dir";
var Tree = class {
	changes;
	above;
	#index = null;
	#dirs = /* @__PURE__ */ new Map();
	#nearest = /* @__PURE__ */ new Map();
	constructor(changes) {
		this.changes = changes;
		changes.forEach(({ path, pending, host }, i) => {
			if (isDir(pending) || isDir(host)) this.#dirs.set(path, i);
		});
		let dir = "\0";
		let at = -1;
		this.above = changes.map(({ path }) => {
			if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) {
				dir = parentOf(path);
				at = this.#listed(dir);
			}
			return at;
		});
	}
	indexOf(change) {
		this.#index ??= new Map(this.changes.map((one, i) => [one, i]));
		return this.#index.get(change) ?? -1;
	}
	#listed(dir) {
		const known = this.#dirs.get(dir) ?? this.#nearest.get(dir);
		if (known !== void 0) return known;
		const found = dir === "/" ? -1 : this.#listed(parentOf(dir));
		this.#nearest.set(dir, found);
		return found;
	}
};
function collectSelectionClosure(tree, states, rules) {
	const sets = [...groupsOf(tree.changes), ...rules.forSelection ? linkedOf(tree.changes) : []];
	const closure = new Closure(tree, states, (change, rule) => {
		return (rule === "links" || rule === "rename" || rule === "again") && rules.leftOut(change) ? "ignored" : rules.decide(change);
	});
	closure.run(sets, (i, up) => pairOfCommit(closure, i, up, rules.forSelection));
	return closure.along;
}
function sets(changes, keyOf) {
	const found = /* @__PURE__ */ new Map();
	changes.forEach((change, i) => {
		const key = keyOf(change);
		if (key === null) return;
		const known = found.get(key);
		if (known === void 0) found.set(key, [i]);
		else known.push(i);
	});
	return [...found.values()].filter((members) => members.length > 1);
}
var groupOf = (change) => change.pending?.type === "socket" ? null : change.group;
function renamesOf(changes) {
	const renamed = changes.flatMap(({ renamedFrom }, i) => renamedFrom === void 0 ? [] : [{
		renamedFrom,
		i
	}]);
	if (renamed.length === 0) return [];
	const wanted = new Set(renamed.map(({ renamedFrom }) => renamedFrom));
	const deleted = /* @__PURE__ */ new Map();
	changes.forEach(({ path, pending }, i) => {
		if (pending === null && wanted.has(path)) deleted.set(path, i);
	});
	return renamed.flatMap(({ renamedFrom, i }) => {
		const from = deleted.get(renamedFrom);
		return from === void 0 ? [] : [[i, from]];
	});
}
function linkSetOf({ pending, upperIdentity }) {
	if (pending === null || pending.type === "dir" || pending.type === "socket") return null;
	return upperIdentity ?? null;
}
function linkedOf(changes) {
	return [...sets(changes, linkSetOf).map((members) => ({
		members,
		rule: "links",
		keeps: false
	})), ...renamesOf(changes).map((members) => ({
		members,
		rule: "rename",
		keeps: false
	}))];
}
function groupsOf(changes) {
	return sets(changes, groupOf).map((members) => ({
		members,
		rule: "group",
		keeps: true
	}));
}
var Closure = class {
	along = [];
	tree;
	states;
	#decide;
	#moved = false;
	constructor(tree, states, decide) {
		this.tree = tree;
		this.states = states;
		this.#decide = decide;
	}
	run(sets, pair) {
		do {
			this.#moved = false;
			for (const { members, rule, keeps } of sets) {
				if (keeps && members.some((i) => this.states[i] === "keep")) for (const i of members) this.keep(i);
				const taken = members.find((i) => this.states[i] === "take");
				if (taken !== void 0) for (const i of members) this.takeAlong(i, taken, rule);
			}
			this.tree.above.forEach((up, i) => {
				pair(i, up);
			});
		} while (this.#moved);
	}
	keep(i) {
		if (this.states[i] === "keep") return;
		this.states[i] = "keep";
		this.#moved = true;
	}
	takeAlong(i, because, rule) {
		const change = this.tree.changes[i];
		const cause = this.tree.changes[because];
		if (this.states[i] !== "ignored" || change === void 0 || cause === void 0) return;
		const state = this.#decide(change, rule);
		if (state === "ignored") return;
		this.states[i] = state;
		this.along.push({
			change,
			because: cause,
			rule
		});
		this.#moved = true;
	}
};
function pairOfCommit(closure, i, up, forSelection) {
	const { tree, states } = closure;
	const parent = tree.changes[up];
	if (parent === void 0 || parent.kind === "meta") return;
	const [mine, theirs] = [states[i], states[up]];
	if (isDir(parent.pending) && !isDir(parent.host)) {
		if (theirs === "keep") closure.keep(i);
		else if (mine === "take") closure.takeAlong(up, i, "holds");
		return;
	}
	if (theirs === "keep" && (parent.kind !== "deleted" || parent.conflict !== null)) closure.keep(i);
	else if (isDir(parent.pending)) {
		if (forSelection && theirs === "take") closure.takeAlong(i, up, "again");
	} else if (mine === "keep") closure.keep(up);
	else if (theirs === "take") closure.takeAlong(i, up, "below");
	else if (mine === "take" && parent.pending !== null) closure.takeAlong(up, i, "above");
}
init_bytes();
function changesOf({ members, below }) {
	return [...members, ...below];
}
function planTakingSandbox(list, includeIgnored, paths) {
	const { revision } = list;
	return planCommit(list, {
		revision,
		includeIgnored,
		conflicts: "take-sandbox",
		choices: {},
		yes: true,
		typedCount: null,
		exactly: paths ?? void 0
	});
}
function planCommit(list, request) {
	const changes = [...list.changes, ...list.timed ?? []].sort((a, b) => a.path < b.path ? -1 : 1);
	const chosen = changes.map((change) => isChosen(change, request));
	const first = firstStates(changes, chosen, request);
	refuseUndecided(changes, first, request);
	const tree = new Tree(changes);
	const states = [...first];
	const along = collectSelectionClosure(tree, states, rulesOf$1(request));
	refuseUndecided(changes, states.map((state) => state === "take" ? state : "ignored"), request);
	const pick = (state) => changes.filter((_, i) => states[i] === state);
	const stale = staleIn(tree, chosen, states, request);
	return {
		steps: order$2(build(tree, states)),
		kept: pick("keep").filter((change) => !isClosed(change) && !stale.has(change)),
		closed: pick("keep").filter(isClosed),
		ignored: pick("ignored"),
		stale: [...stale],
		along: along.filter(({ change }) => states[tree.indexOf(change)] === "take"),
		stays: isSelection(request) ? changes.filter((_, i) => chosen[i] === true && states[i] !== "take") : []
	};
}
function firstStates(changes, chosen, request) {
	return changes.map((change, i) => chosen[i] !== true || leftOut(change, request) ? "ignored" : decided(change, request));
}
function rulesOf$1(request) {
	return {
		forSelection: isSelection(request),
		leftOut: (change) => leftOut(change, request),
		decide: (change) => decided(change, request)
	};
}
function staleIn(tree, chosen, states, { stale, ...fresh }) {
	if (stale === void 0 || stale.size === 0) return /* @__PURE__ */ new Set();
	const going = firstStates(tree.changes, chosen, fresh);
	collectSelectionClosure(tree, going, rulesOf$1(fresh));
	return new Set(tree.changes.filter((_, i) => states[i] === "keep" && going[i] === "take"));
}
function isSelection({ only, exactly }) {
	return only !== void 0 || exactly !== void 0;
}
function isClosed({ conflict }) {
	return conflict === "unreadable";
}
function leftOut(change, request) {
	return change.pending?.type === "socket" || change.ignored !== null && change.ignored !== "only its time differs" && !request.includeIgnored;
}
function isChosen({ path }, { only, exactly }) {
	if (exactly !== void 0) return exactly.has(path);
	return only === void 0 || only.has(path) || isBelowAny(path, only);
}
function refuseUndecided(changes, states, request) {
	const open = changes.filter((c, i) => c.conflict !== null && !isClosed(c) && states[i] !== "ignored" && !isStale(c, request) && (request.choices[c.id] ?? request.conflicts) === "refuse");
	if (open.length > 0) throw openConflicts(open);
}
function isStale({ path }, { stale }) {
	return stale?.has(path) === true;
}
function decided(change, request) {
	if (isStale(change, request)) return "keep";
	if (change.conflict === null) return "take";
	if (isClosed(change)) return "keep";
	return (request.choices[change.id] ?? request.conflicts) === "keep-host" ? "keep" : "take";
}
function opOf(change) {
	if (change.pending === null) return "delete";
	const parted = change.xattrs === true || change.hostLinks !== void 0;
	if (change.kind === "meta" && parted && !isDir(change.pending)) return "put";
	if (change.kind === "meta" || change.kind === "dir-replaced") return "meta";
	if (change.host === null) return "put";
	if (isDir(change.host) !== isDir(change.pending)) return "swap";
	return isDir(change.pending) ? "meta" : "put";
}
function build(tree, states) {
	const steps = [];
	const stepOf = [];
	tree.changes.forEach((change, i) => {
		if (states[i] !== "take") return;
		const above = stepOf[tree.above[i] ?? -1];
		const op = opOf(change);
		if (above !== void 0 && (above.op === "put" || above.op === "swap")) {
			if (op === "delete") above.below.push(change);
			else above.members.push(change);
			stepOf[i] = above;
			return;
		}
		const step = {
			op,
			change,
			members: [change],
			below: []
		};
		stepOf[i] = step;
		steps.push(step);
	});
	return steps;
}
function order$2(steps) {
	const lastMeta = (step) => step.op === "meta" && isDir(step.change.pending);
	return [
		...steps.filter((step) => step.op !== "delete" && !lastMeta(step)),
		...steps.filter((step) => step.op === "delete").reverse(),
		...steps.filter(lastMeta).reverse()
	];
}
function replacedBytes({ steps }) {
	const sizeOf = ({ host }) => host?.size ?? 0;
	return steps.filter(({ op }) => op !== "meta").flatMap(({ change, below }) => [change, ...below]).reduce((sum, change) => sum + sizeOf(change), 0);
}
init_bytes();
init_identity();
init_entry_errors();
init_fingerprint();
init_port();
init_xattrs();
init_reasons();
async function checkSteps(work, steps, settled = false) {
	const looked = [];
	const failed = /* @__PURE__ */ new Map();
	for (const step of steps) {
		await work.pace.breathe();
		try {
			looked.push(await checkStep(work, step, failed, settled && (isNewTree(step) || isChangedFile(step))));
		} catch (error) {
			const message = entryMessage(error);
			if (message === null) throw error;
			failStep(step, message, failed);
		}
	}
	return {
		checked: checkXattrs(work, looked, failed),
		failed
	};
}
async function checkBelieved(work, findings, moves) {
	const believed = findings.checked.filter((one) => one.listed === true && !moves.has(one));
	if (believed.length === 0) return;
	const { checked: looked, failed } = await checkSteps(work, believed.map(({ step }) => step));
	const found = new Map(looked.map((one) => [one.step, one]));
	for (const [path, message] of failed) findings.failed.set(path, message);
	findings.checked = findings.checked.filter((one) => {
		if (one.listed !== true || moves.has(one)) return true;
		const now = found.get(one.step);
		if (now === void 0) return false;
		one.listed = void 0;
		one.host = now.host;
		one.upper = now.upper;
		return true;
	});
}
function isNewTree({ op, change }) {
	return op === "put" && change.host === null && change.pending?.type === "dir";
}
function isChangedFile({ op, change, members }) {
	return op === "put" && change.pending?.type === "file" && change.host !== null && members.length === 1;
}
function checkXattrs({ port, uppers }, looked, failed) {
	const asked = looked.filter(({ step }) => step.op === "meta" && step.change.xattrs === true);
	const paths = asked.flatMap(({ step: { change } }) => [change.path, uppers.pathOf(change.path)]);
	const texts = port.xattrsOf(paths);
	asked.forEach((one, i) => {
		const [from, to] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		const { change } = one.step;
		if (from === null || to === null) failStep(one.step, NO_XATTRS, failed);
		else if (change.xattrIdentity !== xattrIdentity({
			host: from,
			upper: to
		})) failStep(one.step, XATTRS_CHANGED, failed);
		else one.xattrs = {
			from,
			to
		};
	});
	return looked.filter(({ step }) => !failed.has(step.change.path));
}
function failStep(step, message, failed) {
	for (const { path } of changesOf(step)) if (!failed.has(path)) failed.set(path, message);
}
async function checkStep({ port, dirs, uppers, pace }, step, failed, listed) {
	const top = expectReviewed(port, dirs, step.change);
	const host = top === null ? null : identityOf$1(top);
	const below = [];
	for (const change of step.below) {
		await pace.breathe();
		const found = expectReviewed(port, dirs, change);
		if (found === null) throw new NotApplied(HOST_CHANGED);
		below.push({
			path: change.path,
			host: identityOf$1(found)
		});
	}
	const asked = listed ? step.members.filter((member) => !saysAll(member)) : step.members;
	const upper = await look$2(uppers, asked, pace);
	for (const member of asked) {
		if (member.pending === null || isAsReviewed(member, upper.get(member.path) ?? null)) continue;
		failed.set(member.path, SANDBOX_CHANGED);
		upper.delete(member.path);
	}
	if (failed.has(step.change.path)) throw new NotApplied(SANDBOX_CHANGED);
	return {
		step,
		host,
		below,
		upper,
		...listed ? { listed } : {}
	};
}
async function look$2(uppers, asked, pace) {
	const [one, more] = asked;
	if (one === void 0) return /* @__PURE__ */ new Map();
	if (more === void 0) {
		const now = uppers.lstatHere(one.path);
		return new Map(now === null ? [] : [[one.path, now]]);
	}
	return await uppers.lstatEach(asked.map(({ path }) => path), pace);
}
function saysAll({ pending, upperIdentity }) {
	return pending !== null && isWholeIdentity(upperIdentity, pending.type);
}
function isUnmarked(change, now) {
	const then = identityFields(change.upperIdentity);
	return then !== null && isAsReviewed(change, now, BigInt(then.ctimeNs));
}
function isAsReviewed({ pending, upperIdentity }, now, ctimeNs = now?.ctimeNs) {
	if (now === null || ctimeNs === void 0 || !looksLike(pending, now)) return false;
	return upperIdentity === void 0 || upperIdentity === lookIdentity({
		...now,
		ctimeNs
	});
}
function expectReviewed(port, dirs, { path, host, hostIdentity }) {
	const now = dirs.lstatHere(path);
	if (!looksLike(host, now) || now !== null && hostIdentity !== void 0 && hostIdentity !== lookIdentity(now) || now?.type === "symlink" && port.readlink(at(dirs.open(parentOf(path)), nameOf(path))) !== host?.target) throw new NotApplied(HOST_CHANGED);
	return now;
}
function failUnread(list, { stale, closed }, findings) {
	for (const { path } of stale) findings.failed.set(path, NOT_REVIEWED);
	for (const { path } of closed) findings.failed.set(path, CONFLICT_REASONS.unreadable);
	if (list.problems.length === 0) return;
	const unread = list.problems.map(({ path }) => path);
	const isUnread = (path) => unread.includes(toDisplay(path));
	const holdsUnread = (path) => unread.some((one) => one.startsWith(`${toDisplay(path)}/`));
	const { failed } = findings;
	findings.checked = findings.checked.filter(({ step }) => {
		const { op, change, members } = step;
		if (isUnread(change.path) || op === "delete" && holdsUnread(change.path)) {
			failStep(step, NOT_ALL_READ, failed);
			return false;
		}
		const unreadDirs = /* @__PURE__ */ new Set();
		for (const { path } of members) {
			if (!unreadDirs.has(parentOf(path)) && !isUnread(path)) continue;
			unreadDirs.add(path);
			failed.set(path, NOT_ALL_READ);
		}
		return true;
	});
}
function failGroups({ steps }, findings) {
	const { failed } = findings;
	const fail = (isMeant, message) => {
		const falling = findings.checked.filter(({ step }) => isMeant(step));
		for (const { step } of falling) failStep(step, message, failed);
		findings.checked = findings.checked.filter(({ step }) => !failed.has(step.change.path));
		return falling.length > 0;
	};
	for (let more = failed.size > 0; more;) {
		const changes = steps.flatMap(changesOf).filter(({ path }) => failed.has(path));
		const renamed = new Set(changes.map(({ renamedFrom }) => renamedFrom));
		const groups = new Set(changes.map(({ group }) => group).filter((group) => group !== null));
		const deletesOf = ({ op, change, below }) => op === "delete" ? [change] : below;
		const names = fail((step) => deletesOf(step).some(({ path }) => renamed.has(path)), NO_NEW_NAME);
		more = fail((step) => changesOf(step).some(({ group }) => group !== null && groups.has(group)), "it belongs together with an entry that could not be applied") || names;
	}
}
var ACL = Buffer.from("system.posix_acl_access").toString("hex");
var USER = Buffer.from("user.").toString("hex");
function parse(text) {
	return new Map(text.split(" ").flatMap((one) => {
		const end = one.indexOf("=");
		return end === -1 ? [] : [[one.slice(0, end), one.slice(end + 1)]];
	}));
}
function xattrChanges(now, to) {
	const [before, after] = [parse(now), parse(to)];
	return [...[.../* @__PURE__ */ new Set([...before.keys(), ...after.keys()])].filter((name) => name !== ACL).sort(), ACL].flatMap((name) => {
		const [old, value] = [before.get(name) ?? null, after.get(name) ?? null];
		return old === value ? [] : [{
			name,
			from: old,
			to: value
		}];
	});
}
function removesAcl(changes) {
	return changes.some(({ name, to }) => name === ACL && to === null);
}
function needsWriting(changes) {
	return changes.some(({ name }) => name.startsWith(USER));
}
function isBetween(now, { from, to }) {
	const [is, was, wanted] = [
		parse(now),
		parse(from),
		parse(to)
	];
	return [.../* @__PURE__ */ new Set([
		...is.keys(),
		...was.keys(),
		...wanted.keys()
	])].every((name) => {
		const one = lasting(name, is.get(name));
		return one === lasting(name, was.get(name)) || one === lasting(name, wanted.get(name));
	});
}
var OWNER = "0100";
var GROUP = "0400";
var MASK = "1000";
var OTHERS = "2000";
function lasting(name, value) {
	if (name !== ACL || value === void 0) return value;
	const entries = value.slice(8).match(/.{16}/g) ?? [];
	const set = [
		OWNER,
		entries.some((entry) => entry.startsWith(MASK)) ? MASK : GROUP,
		OTHERS
	];
	return entries.map((entry) => set.includes(entry.slice(0, 4)) ? `${entry.slice(0, 4)}${entry.slice(8)}` : entry).join("");
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
init_xattrs();
init_reasons();
var ARGUMENT_BYTES = 1e6;
var SHELL = [
	"bash",
	"--norc",
	"-c",
	"IFS= read -r -d \"\" how; IFS= read -r -d \"\" dir; cd -- \"$dir\" || exit 3; mapfile -d \"\" -t names; exec cp -au \"$how\" --parents -t /proc/self/fd/3 -- \"${names[@]}\""
];
async function copyOut(port, from, names, to, how = "--reflink=auto") {
	const copying = {
		port,
		from,
		names,
		to,
		how
	};
	const viewer = /^\/proc\/(\d+)\/root\//.exec(from)?.[1];
	const isRoot = process.getuid?.() === 0;
	const enter = viewer === void 0 ? [
		"unshare",
		"--user",
		"--map-root-user"
	] : [
		"nsenter",
		"--preserve-credentials",
		"-U",
		"-t",
		viewer
	];
	let complaints = await copyWith(copying, SHELL);
	const other = complaints.filter((line) => !line.endsWith("Permission denied"));
	if (!isRoot && other.length < complaints.length) {
		const again = (await copyWith(copying, [...enter, ...SHELL])).filter((line) => !ACL_LOST.test(line));
		complaints = [
			...other,
			...again,
			...setAcls(copying)
		];
	}
	dropInheritedSetgid(copying);
	return complaints[0] ?? "";
}
async function copyWith({ port, from, names, to, how }, command) {
	const [program = "", ...args] = command;
	const complaints = [];
	for (const chunk of chunks(names)) {
		const input = [
			how,
			`${from}/.`,
			...chunk.map((name) => `./${name}`),
			""
		].join("\0");
		const { status, stderr } = await port.run(program, args, Buffer.from(input, "latin1"), [to]);
		if (status === 0) continue;
		const lines = stderr.trim().split("\n");
		if (/No space left on device|Disk quota exceeded/.test(stderr)) throw noSpaceForCopies(lines[0] ?? "");
		if (status === 127) throw noCp(stderr.trim());
		complaints.push(...lines);
	}
	return complaints;
}
function* chunks(names) {
	let chunk = [];
	let bytes = 0;
	for (const name of names) {
		bytes += name.length + 12;
		if (bytes > ARGUMENT_BYTES && chunk.length > 0) {
			yield chunk;
			chunk = [];
			bytes = name.length + 12;
		}
		chunk.push(name);
	}
	if (chunk.length > 0) yield chunk;
}
var ACL_LOST = /^cp: preserving permissions for /;
function setAcls({ port, from, names, to }) {
	const pairs = names.flatMap((name) => [...pairsBelow(port, joinPath(from, name), to, name)]);
	const texts = aclsOf(pairs.flatMap(({ original, dir, name }) => [original, at(dir, name)]));
	return pairs.flatMap(({ original, dir, name, mode }, i) => {
		const [wanted, has] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		if (wanted === has && (wanted !== null || (mode & 256) !== 0)) return [];
		const why = refusalOf(() => {
			if (wanted === null || has === null) throw new NotApplied(NO_XATTRS);
			withHandle(port, port.openEntry(at(dir, name)), (fd) => {
				port.setXattrs(fd, xattrChanges(has, wanted));
				port.chmod(at(fd), mode);
			});
		});
		if (why === null) return [];
		const above = at(dir, `.${parentOf(`/${name}`)}`);
		withHandle(port, port.openDir(above), (fd) => {
			const { mode: closed } = port.fstat(fd);
			port.chmod(at(fd), closed | 448);
			removeTree(port, fd, nameOf(name));
			port.chmod(at(fd), closed);
		});
		return [aclNotKept(toDisplay(nameOf(original)), why)];
	});
}
function* pairsBelow(port, original, dir, name) {
	const [mine = null, copy] = orIfRefused(() => [port.lstat(original), port.lstat(at(dir, name))], []);
	if (mine === null || mine.type !== copy?.type || mine.type === "symlink") return;
	const children = mine.type === "dir" ? orIfRefused(() => port.readdir(original), []) : [];
	for (const child of children) yield* pairsBelow(port, joinPath(original, child), dir, joinPath(name, child));
	yield {
		original,
		dir,
		name,
		mode: mine.mode
	};
}
var SETGID = 1024;
function dropInheritedSetgid({ port, from, names, to }) {
	for (const [container, inside] of byParent(names.map((name) => `/${name}`))) {
		const dir = orNull(() => port.openDir(at(to, `.${container}`)));
		if (dir === null) continue;
		withHandle(port, dir, () => {
			if ((port.fstat(dir).mode & SETGID) !== 0) for (const path of inside) dropBelow(port, joinPath(from, path.slice(1)), dir, nameOf(path));
		});
	}
}
function dropBelow(port, original, dir, name) {
	const copy = orNull(() => port.lstat(at(dir, name)));
	if (copy?.type !== "dir" || (copy.mode & SETGID) === 0) return;
	const fd = orNull(() => port.openDir(at(dir, name)));
	if (fd === null) return;
	withHandle(port, fd, () => {
		for (const child of orIfRefused(() => port.readdir(at(fd)), [])) dropBelow(port, joinPath(original, child), fd, child);
		if (((orNull(() => port.lstat(original))?.mode ?? SETGID) & SETGID) === 0) port.chmod(at(fd), copy.mode & -1025);
	});
}
function isWholeCopy(port, from, to) {
	try {
		const pairs = pairsOf(port, from, to);
		if (pairs === null) return false;
		const texts = port.xattrsOf(pairs.flat());
		return pairs.every((_, i) => texts[2 * i] === texts[2 * i + 1]);
	} catch (error) {
		if (entryMessage(error) === null) throw error;
		return false;
	}
}
function pairsOf(port, from, to) {
	const open = [[from, to]];
	const pairs = [];
	for (let pair = open.pop(); pair !== void 0; pair = open.pop()) {
		const [mine, theirs] = pair;
		const [original, copy] = [port.lstat(mine), port.lstat(theirs)];
		if (original === null || copy === null || !looksAlike(identityOf$1(original), copy)) return null;
		if (original.type === "symlink" && port.readlink(mine) !== port.readlink(theirs)) return null;
		pairs.push(pair);
		if (original.type !== "dir") continue;
		const names = port.readdir(mine);
		if (names.length !== port.readdir(theirs).length) return null;
		for (const name of names) open.push([joinPath(mine, name), joinPath(theirs, name)]);
	}
	return pairs;
}
var SLICE_MS = 20;
var Pace = class {
	#last = performance.now();
	async breathe() {
		if (this.isDue) await this.rest();
	}
	get isDue() {
		return performance.now() - this.#last >= SLICE_MS;
	}
	async rest() {
		await setImmediate();
		this.#last = performance.now();
	}
};
async function inSlices(steps, take) {
	const pace = new Pace();
	for (const step of steps) if (step !== null) {
		if (take(step)) return true;
	} else if (pace.isDue) await pace.rest();
	return false;
}
async function collect$1(steps) {
	const all = [];
	await inSlices(steps, (step) => {
		all.push(step);
		return false;
	});
	return all;
}
async function resultOf(steps) {
	const pace = new Pace();
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (pace.isDue) await pace.rest();
	}
}
function resultAtOnce(steps) {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
init_bytes();
var CLIENT_NAMES = [
	"projects",
	"sessions",
	"session-env",
	"shell-snapshots",
	"history.jsonl",
	"backups",
	"file-history",
	"cache",
	"daemon*",
	"jobs",
	"bridge-spawn",
	"plugins/store",
	"plugins/data",
	"todos",
	"statsig",
	"debug",
	"telemetry",
	"usage-data",
	"startup-perf",
	"paste-cache",
	"image-cache",
	"ide",
	"stats-cache.json",
	"gh-pr-status-cache.json",
	"mcp-needs-auth-cache.json",
	"mcp-discovery-cache",
	"policy-limits.json",
	".credentials.json",
	".cc-writes",
	".last-cleanup",
	".last-update-result.json",
	".update.lock",
	".npm-cache-cleanup",
	".version-cleanup",
	".deep-link-register-failed"
];
var BOX_NAMES = [
	"plans",
	"tasks",
	"teams"
];
var MEMORY = /^\/[^/]+\/memory(?:\/|$)/;
function claudeOwnFiles(home, configDirs, boxed = false) {
	const names = [
		".claude.json*",
		...CLIENT_NAMES,
		...boxed ? BOX_NAMES : []
	];
	return [joinPath(home, ".claude.json*"), ...configDirs.flatMap((dir) => names.map((name) => joinPath(dir, name)))];
}
function isExcluded(path, excluded) {
	for (const entry of excluded) {
		if (!matches(path, entry)) continue;
		return !(entry.endsWith("/projects") && MEMORY.test(path.slice(entry.length)));
	}
	return false;
}
function mayHoldListed(path, excluded) {
	return excluded.some((entry) => entry.endsWith("/projects") && isWithin(path, entry) && path.slice(entry.length + 1).split("/").length <= 1);
}
function excludedBelow(dir, excluded) {
	const prefix = dir === "/" ? dir : `${dir}/`;
	return excluded.filter((entry) => entry.startsWith(prefix));
}
function matches(path, entry) {
	return entry.endsWith("*") ? path.startsWith(entry.slice(0, -1)) : isWithin(path, entry);
}
init_bytes();
init_dir_handles();
init_fingerprint();
init_port();
var GONE$1 = "gone";
var Uppers = class {
	#port;
	#ctx;
	#onLoosen;
	#walks = /* @__PURE__ */ new Map();
	#moved = 0;
	#loosened = [];
	constructor(port, ctx, onLoosen) {
		this.#port = port;
		this.#ctx = ctx;
		this.#onLoosen = onLoosen;
	}
	isRoot(path) {
		return coveringDir(this.#ctx.coveredDirs, path)?.path === path;
	}
	lstat(path) {
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstat(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	lstatHere(path) {
		if (this.isRoot(path)) return this.lstat(path);
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstatHere(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	async lstatEach(paths, pace) {
		const found = /* @__PURE__ */ new Map();
		for (const path of paths) {
			const root = this.isRoot(path) ? this.lstat(path) : null;
			if (root !== null) found.set(path, root);
		}
		for (const [dir, inDir] of byParent(paths.filter((path) => !this.isRoot(path)))) {
			await pace.breathe();
			this.#in(dir, ({ walk, inside }) => {
				const fd = walk.openOrNone(inside);
				for (const path of fd === null ? [] : inDir) {
					const now = this.#port.lstat(at(fd ?? 0, nameOf(path)));
					if (now !== null) found.set(path, walk.asFound(now));
				}
			});
		}
		return found;
	}
	placed(path) {
		return this.#in(path, ({ walk, inside }) => this.isRoot(path) ? at(walk.open(inside)) : at(walk.open(parentOf(inside)), nameOf(inside)));
	}
	placedHere(path) {
		return this.#in(path, ({ walk, inside }) => at(walk.openHere(parentOf(inside)), nameOf(inside)));
	}
	pathOf(path) {
		return upperPathIn(this.#ctx.coveredDirs, path) ?? path;
	}
	readdir(path) {
		return this.#in(path, ({ walk, inside }) => walk.lstat(inside)?.type === "dir" ? this.#port.readdir(at(walk.openToList(inside))) : []) ?? [];
	}
	remove(path, type) {
		this.#at(path, (target) => type === "dir" ? this.#port.rmdir(target) : this.#port.unlink(target));
	}
	insert(path, from, closedMode = null) {
		const now = closedMode === null ? null : this.#port.lstat(from);
		if (closedMode !== null && now !== null) {
			this.#in(path, ({ inside }) => this.#onLoosen?.(inside, closedMode, birthOf$1(now)));
			chmodEntry(this.#port, from, closedMode | 448);
		}
		this.#in(path, ({ walk, inside }) => this.#port.rename(from, walk.targetHere(inside)));
		if (closedMode !== null) this.chmod(path, closedMode);
	}
	takeOut(path, to) {
		this.#in(path, ({ walk, inside }) => moveOut(this.#port, walk, inside, to));
	}
	dress(path, { mode, uid, gid }) {
		this.#at(path, (target) => {
			const now = this.#port.lstat(target);
			if (now?.type !== "dir") return;
			if (now.uid !== uid || now.gid !== gid) this.#port.lchown(target, uid, gid);
			chmodEntry(this.#port, target, mode);
		});
	}
	xattrs(path) {
		return this.#in(path, ({ walk, inside }) => this.#port.xattrs(walk.open(inside)));
	}
	setXattrs(path, changes) {
		if (changes.length > 0) this.#in(path, ({ walk, inside }) => this.#port.setXattrs(walk.open(inside), changes));
	}
	link(path, from) {
		this.#at(path, (target) => this.#port.link(from, target));
	}
	chmod(path, mode) {
		this.#at(path, (target) => chmodEntry(this.#port, target, mode));
	}
	moveOut(path) {
		const covered = coveringDir(this.#ctx.coveredDirs, path);
		if (covered === null) return;
		const gone = joinPath(parentOf(covered.upper), GONE$1);
		if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 448);
		this.takeOut(path, joinPath(gone, String(this.#moved++)));
	}
	removeMovedOut() {
		for (const { upper } of this.#ctx.coveredDirs) {
			const beside = parentOf(upper);
			if (this.#port.lstat(joinPath(beside, GONE$1)) !== null) removePath(this.#port, beside, GONE$1);
		}
	}
	restore(loosened) {
		for (const { path, mode, id } of loosened) {
			const covered = this.#ctx.coveredDirs.find(({ upper }) => isWithin(path, upper));
			const walk = covered === void 0 ? null : this.#walk(covered);
			const now = walk?.lstat(path) ?? null;
			if (walk === null || now === null || birthOf$1(now) !== id || now.mode !== (mode | 448)) continue;
			this.#port.chmod(at(walk.open(path)), mode);
		}
	}
	close() {
		for (const { walk, path, mode } of this.#loosened.splice(0).reverse()) if (walk.lstat(path)?.type === "dir") this.#port.chmod(at(walk.open(path)), mode);
		for (const walk of this.#walks.values()) walk.close();
		this.#walks.clear();
	}
	#in(path, use) {
		const covered = coveringDir(this.#ctx.coveredDirs, path);
		return covered === null ? null : use({
			inside: upperPath(covered, path),
			walk: this.#walk(covered)
		});
	}
	#at(path, use) {
		this.#in(path, ({ walk, inside }) => {
			if (this.isRoot(path)) use(at(walk.open(inside), "."));
			else use(walk.target(inside));
		});
	}
	#walk({ n, upper }) {
		const known = this.#walks.get(n);
		if (known !== void 0) return known;
		const announce = this.#onLoosen;
		const note = (dir, mode, id) => {
			announce?.(dir, mode, id);
			this.#loosened.push({
				walk,
				path: dir,
				mode
			});
		};
		const uid = this.#ctx.root ? 0 : this.#ctx.uid;
		const walk = new Dirs(this.#port, upper, uid, announce === null ? null : note);
		this.#walks.set(n, walk);
		return walk;
	}
};
function openUppers({ port, ctx, journal }) {
	const earlier = [...journal.record.upperLoosened];
	const uppers = new Uppers(port, ctx, (path, mode, id) => {
		journal.addSynced({
			t: "loosen-upper",
			path,
			mode,
			id
		});
	});
	uppers.restore(earlier);
	return uppers;
}
function* dirsTo({ coveredDirs }, path) {
	const root = coveringDir(coveredDirs, path)?.path ?? path;
	for (let dir = parentOf(path); dir !== root && isWithin(dir, root); dir = parentOf(dir)) yield dir;
}
function allDirsTo(ctx, paths) {
	const seen = /* @__PURE__ */ new Set();
	for (const path of paths) {
		if (seen.has(parentOf(path))) continue;
		for (const dir of dirsTo(ctx, path)) {
			if (seen.has(dir)) break;
			seen.add(dir);
		}
	}
	return seen;
}
function dirsAbove(ctx, uppers, paths) {
	return [...allDirsTo(ctx, paths)].sort().flatMap((path) => {
		const stat = uppers.lstat(path);
		return stat?.type === "dir" ? [{
			path,
			id: identityOf$1(stat)
		}] : [];
	});
}
async function unlisted(ctx, uppers, changes, pace) {
	const found = /* @__PURE__ */ new Map();
	const stack = changes.filter(({ kind }) => kind === "dir-replaced").map(({ path }) => path);
	if (stack.length === 0) return [];
	const listed = new Set(changes.map(({ path }) => path));
	for (let dir = stack.pop(); dir !== void 0; dir = stack.pop()) for (const name of uppers.readdir(dir)) {
		await pace.breathe();
		const path = joinPath(dir, name);
		const stat = listed.has(path) || found.has(path) || isExcluded(path, ctx.excluded) ? null : uppers.lstat(path);
		if (stat === null) continue;
		found.set(path, {
			path,
			id: identityOf$1(stat)
		});
		if (stat.type === "dir") stack.push(path);
	}
	return [...found.values()];
}
function hostXattrs(port, ctx, paths, dirs = []) {
	let texts = null;
	return (dir) => {
		if (texts === null) {
			const all = [.../* @__PURE__ */ new Set([
				dir,
				...dirs,
				...allDirsTo(ctx, paths)
			])];
			const found = port.xattrsOf(all);
			texts = new Map(all.map((one, i) => [one, found[i] ?? ""]));
		}
		return texts.get(dir) ?? "";
	};
}
async function askHostXattrs({ port, ctx }, uppers, paths) {
	const lacking = [...allDirsTo(ctx, paths)].filter((dir) => uppers.lstat(dir) === null);
	const found = await port.askXattrs(lacking);
	const texts = new Map(lacking.map((dir, i) => [dir, found[i] ?? ""]));
	return (dir) => texts.get(dir) ?? "";
}
function otherThanHost(port, uppers, dirs) {
	const texts = port.xattrsOf(dirs.flatMap((dir) => [dir, uppers.pathOf(dir)]));
	return dirs.filter((_, i) => {
		const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		return host !== null && upper !== null && host !== upper;
	});
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
async function withStaging(transaction, stage) {
	const { port, ctx } = transaction;
	const dirs = hostDirs(transaction);
	const uppers = new Uppers(port, ctx, null);
	const areas = new Areas(port, ctx, dirs);
	try {
		await stage({
			...transaction,
			dirs,
			uppers,
			areas,
			pace: new Pace()
		});
	} finally {
		areas.close();
		uppers.close();
		dirs.close();
	}
}
function chooseBases(areas, findings) {
	const bases = /* @__PURE__ */ new Map();
	findings.checked = findings.checked.filter((one) => {
		const { op, change } = one.step;
		if (op !== "put" && op !== "swap") return true;
		const message = refusalOf(() => bases.set(one, areas.baseFor(parentOf(change.path))));
		if (message !== null) failStep(one.step, message, findings.failed);
		return message === null;
	});
	return bases;
}
async function copyAll(work, list, findings, bases, viewer) {
	const prepared = prepare$1(work, list, findings, bases);
	const copies = /* @__PURE__ */ new Map();
	for (const area of work.areas.all) {
		const mine = [...prepared].filter(([, one]) => one.area === area);
		const all = mine.map(([, one]) => one);
		const copied = await copyArea(work.port, area, viewer.pathOf(area.base), all);
		const { complaint } = copied;
		for (const [checked, one] of mine) {
			const copy = await checkCopy(work, one, findings.failed, copied);
			if (copy !== null) copies.set(checked, copy);
			else failStep(one.step, complaint || notCopied(""), findings.failed);
		}
	}
	findings.checked = findings.checked.filter((one) => !prepared.has(one) || copies.has(one));
	return copies;
}
function prepare$1({ areas, journal }, list, findings, bases) {
	const prepared = /* @__PURE__ */ new Map();
	const excludedBelow = /* @__PURE__ */ new Map();
	const going = /* @__PURE__ */ new Set();
	for (const [one, base] of bases) {
		const area = areas.areaAt(base, journal);
		const members = one.step.members.filter(({ path }) => !findings.failed.has(path));
		for (const { path } of members) going.add(path);
		const excluded = [];
		if (one.step.change.pending?.type === "dir") excludedBelow.set(one.step.change.path, excluded);
		prepared.set(one, {
			step: {
				...one.step,
				members
			},
			upper: one.upper,
			area,
			excluded
		});
	}
	for (const { path, pending } of list.changes) {
		if (pending === null || going.has(path)) continue;
		for (let dir = parentOf(path); dir !== "/"; dir = parentOf(dir)) excludedBelow.get(dir)?.push(path);
	}
	return prepared;
}
async function copyArea(port, area, from, prepared) {
	const names = [];
	const linked = [];
	const bare = [];
	for (const one of prepared) for (const { change, whole } of toCopy(one)) {
		const stat = one.upper.get(change.path);
		if (stat === void 0) continue;
		if (change.pending?.type === "dir" && !whole) bare.push({
			path: change.path,
			stat
		});
		else (stat.nlink > 1 && stat.type !== "dir" ? linked : names).push(relativeTo(area.base, change.path));
	}
	const complaint = await copyOut(port, from, [...linked, ...names], area.fd);
	const deepest = bare.filter(({ path }, i) => bare[i + 1]?.path.startsWith(`${path}/`) !== true);
	for (const { path } of deepest) makeDirs$1(port, area.fd, relativeTo(area.base, path));
	return {
		complaint,
		undressed: dressBare(port, area, from, bare.reverse())
	};
}
function dressBare(port, area, from, bare) {
	const undressed = /* @__PURE__ */ new Map();
	const rels = bare.map(({ path }) => relativeTo(area.base, path));
	const texts = port.xattrsOf(rels.map((rel) => joinPath(from, rel)));
	for (const [i, { path, stat }] of bare.entries()) {
		const staged = at(area.fd, rels[i]);
		try {
			dressDir(port, staged, stat, xattrChanges("", texts[i] ?? ""));
		} catch (error) {
			const why = XATTR_ERRORS[errorCode(error)];
			if (why === void 0) throw error;
			undressed.set(path, why);
		}
	}
	return undressed;
}
function toCopy({ step, excluded }) {
	const partly = /* @__PURE__ */ new Set();
	for (const path of excluded) for (let dir = parentOf(path); dir.length >= step.change.path.length; dir = parentOf(dir)) partly.add(dir);
	const brought = /* @__PURE__ */ new Set();
	const out = [];
	for (const change of step.members) {
		const isBrought = brought.has(parentOf(change.path));
		const whole = !partly.has(change.path);
		if (change.pending?.type === "dir" && (isBrought || whole)) brought.add(change.path);
		if (!isBrought) out.push({
			change,
			whole
		});
	}
	return out;
}
function makeParents$1(port, fd, names) {
	const parents = new Set(names.map((name) => parentOf(`/${name}`).slice(1)));
	for (const parent of parents) if (parent !== "") makeDirs$1(port, fd, parent);
}
function makeDirs$1(port, fd, rel) {
	let path = "";
	for (const name of rel.split("/")) {
		path = path === "" ? name : `${path}/${name}`;
		const stat = port.lstat(at(fd, path));
		if (stat === null) port.mkdir(at(fd, path), 448);
		else if (stat.type === "dir" && (stat.mode & 448) !== 448) port.chmod(at(fd, path), 448);
	}
}
async function checkCopy({ port, ctx, uppers, pace }, prepared, failed, { complaint, undressed }) {
	const { step, area, upper } = prepared;
	const members = new Map(step.members.map((change) => [change.path, change]));
	const found = /* @__PURE__ */ new Map();
	const agrees = (staged, { path, pending }, stat) => {
		if (!looksLike(pending, stat)) return false;
		if (stat.type === "symlink" && port.readlink(staged) !== pending?.target) return false;
		const before = ctx.quiet ? void 0 : upper.get(path);
		return before === void 0 || isSame$3(identityOf$1(before), uppers.lstat(path));
	};
	const checkEntry = async (dir, name, path, stat) => {
		await pace.breathe();
		const change = members.get(path);
		const why = undressed.get(path);
		if (change === void 0 || why !== void 0 || !agrees(at(dir, name), change, stat)) {
			if (change !== void 0) failed.set(path, why ?? "it changed while it was being copied; it stays pending");
			removeTree(port, dir, name);
			return false;
		}
		found.set(path, {
			path,
			id: identityOf$1(stat)
		});
		if (stat.type === "dir") await checkChildren(at(dir, name), path, stat);
		return true;
	};
	const checkChildren = async (staged, path, stat) => {
		await withHandleAsync(port, port.openDir(staged), async (fd) => {
			const closed = (stat.mode & 448) !== 448;
			if (closed) port.chmod(at(fd), stat.mode | 448);
			let removed = false;
			for (const child of port.readdir(at(fd))) {
				const now = port.lstat(at(fd, child));
				if (now !== null && !await checkEntry(fd, child, joinPath(path, child), now)) removed = true;
			}
			if (removed) port.utimes(at(fd), stat.mtimeNs);
			if (closed) port.chmod(at(fd), stat.mode);
		});
	};
	const { path } = step.change;
	const rel = relativeTo(area.base, path);
	const top = openContainers(port, area.fd, rel) ? port.lstat(at(area.fd, rel)) : null;
	if (top !== null) await checkEntry(area.fd, rel, path, top);
	for (const member of members.keys()) {
		if (found.has(member) || failed.has(member)) continue;
		failed.set(member, complaint === "" ? CHANGED_MEANWHILE : notCopied(complaint));
	}
	if (top === null || failed.has(path)) return null;
	return {
		prepared,
		born: birthOf$1(top),
		result: [...found.values()]
	};
}
function openContainers(port, fd, rel) {
	const names = rel.split("/").slice(0, -1);
	let path = "";
	for (const name of names) {
		path = path === "" ? name : `${path}/${name}`;
		const stat = port.lstat(at(fd, path));
		if (stat === null || stat.type !== "dir") return false;
		if ((stat.mode & 448) !== 448) port.chmod(at(fd, path), 448);
	}
	return true;
}
var RESERVE = 262144;
var SHARING = /* @__PURE__ */ new Set([
	2435016766,
	1481003842,
	3393526350
]);
function checkSpace(port, dirs, bases) {
	const needed = /* @__PURE__ */ new Map();
	for (const [{ upper }, base] of bases) {
		let bytes = needed.get(base) ?? RESERVE;
		for (const stat of upper.values()) bytes += stat.disk;
		needed.set(base, bytes);
	}
	for (const [base, bytes] of needed) {
		const { free, kind } = port.space(at(dirs.open(base)));
		if (bytes <= free || SHARING.has(kind)) continue;
		throw noSpace(bytes, free, base);
	}
}
init_bytes();
init_dir_handles();
init_fingerprint();
init_mounts();
init_port();
var BEFORE = "before";
var COPIES = "c";
function imageName(i) {
	return `l${i}`;
}
function copiedImage(path) {
	return `${BEFORE}/${COPIES}${path}`;
}
function imageOf(unit) {
	return "image" in unit ? unit.image : void 0;
}
function takenAway$1({ step, host, below }) {
	if (host === null || step.op === "meta") return [];
	return [{
		path: step.change.path,
		id: host
	}, ...below.map(({ path, host: id }) => ({
		path,
		id
	}))];
}
async function keepImages({ port, ctx, journal }, findings) {
	const kinds = /* @__PURE__ */ new Map();
	const taking = findings.checked.flatMap((one) => {
		const prints = takenAway$1(one).map(({ id }) => fingerprint(id));
		return prints.length === 0 ? [] : [{
			one,
			prints
		}];
	});
	if (taking.length === 0) return kinds;
	const dir = commitDir(ctx, journal.record.n);
	port.mkdir(joinPath(dir, BEFORE), 448);
	const own = mountOf(port, joinPath(dir, BEFORE));
	const files = taking.flatMap(({ prints }) => prints).filter(({ type }) => type === "file");
	const held = heldForWriting(new Set(files.map(({ ino }) => ino)));
	const mounts = /* @__PURE__ */ new Map();
	for (const { one, prints } of taking) {
		const place = coveringDir(ctx.coveredDirs, one.step.change.path)?.path ?? "/";
		if (!mounts.has(place)) mounts.set(place, mountOf(port, place));
		const mayLink = mounts.get(place) === own && prints.every(({ dev }) => own.endsWith(`:${dev}`)) && prints.every((print) => isOnlyOurs(print, held));
		const permitted = one.step.op === "delete" || ctx.root || prints[0]?.uid === ctx.uid;
		kinds.set(one, mayLink && permitted ? "link" : "copy");
	}
	if ([...kinds.values()].includes("copy")) journal.syncBegin();
	await copyImages(port, dir, kinds, findings);
	return kinds;
}
function isOnlyOurs({ type, nlink, ino }, held) {
	return type === "dir" || nlink === 1 && !(type === "file" && held.has(ino));
}
async function copyImages(port, dir, kinds, findings) {
	const copied = [...kinds].filter(([, kind]) => kind === "copy").map(([one]) => one);
	if (copied.length === 0) return;
	port.mkdir(joinPath(dir, copiedImage("")), 448);
	await withHandleAsync(port, port.openDir(joinPath(dir, copiedImage(""))), async (fd) => {
		const names = topsOf(copied.map(({ step, host }) => ({
			path: step.change.path,
			id: host
		}))).map((path) => relativeTo("/", path));
		makeParents$1(port, fd, names);
		const complaint = await copyOut(port, "/", names, fd);
		for (const one of copied) {
			if (takenAway$1(one).every(({ path, id }) => isCopyOf(port, fd, path, id))) continue;
			failStep(one.step, noBeforeImage(complaint), findings.failed);
		}
		findings.checked = findings.checked.filter(({ step }) => !findings.failed.has(step.change.path));
	});
}
function topsOf(entries) {
	const dirs = new Set(entries.filter(({ id }) => typeOf(id) === "dir").map(({ path }) => path));
	return entries.map(({ path }) => path).filter((path) => !isBelowAny(path, dirs));
}
function isCopyOf(port, fd, path, id) {
	const stat = port.lstat(at(fd, relativeTo("/", path)));
	return stat !== null && looksAlike(id, stat);
}
function linkedImage({ coveredDirs }, commit, unit) {
	const kind = imageOf(unit);
	if (kind === "link") return joinPath(commit, joinPath(BEFORE, imageName(unit.i)));
	const covered = kind === "back" ? coveringDir(coveredDirs, unit.path) : null;
	return covered === null ? null : waitingAt(joinPath(commit, BACK), covered, unit.path);
}
async function copyWrittenImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	const linked = /* @__PURE__ */ new Map();
	for (const unit of units) {
		const id = hostOf(unit);
		if (imageOf(unit) !== "link" || !done.has(unit.i) || id === null) continue;
		const top = imageName(unit.i);
		if (typeOf(id) === "file") linked.set(fingerprint(id).ino, {
			unit,
			path: top
		});
		for (const { path, host } of replacedBelow(unit)) {
			const below = joinPath(top, relativeTo(unit.path, path));
			if (typeOf(host) === "file") linked.set(fingerprint(host).ino, {
				unit,
				path: below
			});
		}
	}
	const held = heldForWriting(new Set(linked.keys()));
	if (held.size === 0) return;
	const dir = joinPath(commitDir(ctx, n), BEFORE);
	for (const ino of held) {
		const found = linked.get(ino);
		if (found === void 0) continue;
		const image = joinPath(dir, found.path);
		if (port.lstat(image)?.ino !== ino) continue;
		if (!await ownCopy(port, dir, image)) journal.add({
			t: "no-image",
			i: found.unit.i
		});
	}
}
async function ownCopy(port, dir, image) {
	const copy = joinPath(dir, "copy");
	if (port.lstat(copy) !== null) port.unlink(copy);
	const script = "IFS= read -r -d \"\" a; IFS= read -r -d \"\" b; exec cp -aT --reflink=auto -- \"$a\" \"$b\"";
	const input = Buffer.from(`${image}\0${copy}\0`, "latin1");
	const { status } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) return false;
	port.rename(copy, image);
	return true;
}
function dropUnusedImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	for (const unit of units) {
		if (unit.kind !== "put" || done.has(unit.i)) continue;
		const image = linkedImage(ctx, commitDir(ctx, n), unit);
		if (image === null) continue;
		orIfRefused(() => {
			if ((port.lstat(image)?.nlink ?? 0) <= 1) return;
			port.unlink(image);
			const now = imageOf(unit) === "back" ? port.lstat(unit.path) : null;
			if (now !== null) journal.add({
				t: "unlinked",
				i: unit.i,
				stamp: String(now.ctimeNs)
			});
		}, void 0);
	}
}
init_bytes();
init_json_lines();
function formatBaseLine(path, record) {
	if (record === null) return `${JSON.stringify({
		v: 1,
		path,
		state: "gone"
	})}\n`;
	const { base, listed, born, shows } = record;
	const flags = {
		listed: listed || void 0,
		born,
		shows: shows || void 0
	};
	return `${JSON.stringify({
		v: 1,
		path,
		...base,
		...flags
	})}\n`;
}
function parseBaseLines(text) {
	const records = /* @__PURE__ */ new Map();
	let lines = 0;
	for (const value of jsonLines(text)) {
		const { v, path, state, listed, born, shows } = value;
		const base = parseBase(value);
		if (v !== 1 || !isPath(path) || base === null && state !== "gone") continue;
		lines++;
		if (base === null) {
			records.delete(path);
			continue;
		}
		const record = {
			path,
			base,
			listed: listed === true
		};
		if (isDigits(born)) record.born = born;
		if (shows === true) record.shows = true;
		records.set(path, record);
	}
	return {
		records,
		lines
	};
}
function makeBases(records) {
	const covering = [...records.values()].some(hadNothingElse);
	return { lookup(path) {
		const own = records.get(path);
		if (own !== void 0) return own.base;
		for (let dir = parentOf(path); covering && dir !== "/"; dir = parentOf(dir)) {
			const above = records.get(dir);
			if (above !== void 0 && hadNothingElse(above)) return { state: "absent" };
		}
		return { state: "none" };
	} };
}
function hadNothingElse({ base, listed }) {
	return listed || base.state === "absent" || base.state === "known" && base.host.type !== "dir";
}
function parseBase(value) {
	const { state, sha256, blob, index, xattrs } = value;
	if (state === "absent" || state === "unknown") return { state };
	const host = state === "known" ? parseHost(value["host"]) : null;
	if (host === null) return null;
	const base = {
		state: "known",
		host
	};
	if (typeof sha256 === "string") {
		base.sha256 = sha256;
		base.blob = blob === true;
	}
	if (typeof index === "string") base.index = index;
	if (typeof xattrs === "string") base.xattrs = xattrs;
	return base;
}
function parseHost(value) {
	if (!isObject(value)) return null;
	const { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs, target } = value;
	if (!isEntryType(type) || !isNumber(mode) || !isNumber(uid) || !isNumber(gid)) return null;
	if (!isNumber(size) || !isNumber(nlink) || !isDigits(dev) || !isDigits(ino)) return null;
	if (!isDigits(mtimeNs) || !isDigits(ctimeNs)) return null;
	const stat = {
		type,
		mode,
		uid,
		gid,
		size,
		nlink,
		dev,
		ino,
		mtimeNs,
		ctimeNs
	};
	if (typeof target === "string" && isByteString(target)) stat.target = target;
	return stat;
}
var isNumber = (value) => typeof value === "number";
var isEntryType = (value) => ENTRY_TYPES.some((type) => type === value);
function isPath(value) {
	return typeof value === "string" && value.startsWith("/") && isByteString(value);
}
function isDigits(value) {
	return typeof value === "string" && /^-?\d+$/.test(value);
}
function wasThere(base) {
	return base.state === "known" || base.state === "unknown";
}
function wasDirectory(base) {
	return base.state === "unknown" || base.state === "known" && base.host.type === "dir";
}
init_bytes();
init_call_times();
init_entry();
init_port();
init_state_file();
var PASS = ".base-pass";
var LOOKS = ".base-looks";
var DEAD_LINES_MAX = 2e3;
function readBaseFile(ctx) {
	const path = fileOf$5(ctx);
	const text = readPlainFile(path);
	if (text !== null) return {
		...parseBaseLines(text.toString("latin1")),
		lastPassNs: readPass(ctx)
	};
	if (lstatSync(path, { throwIfNoEntry: false }) !== void 0) throw basesAreNoFile(path);
	return {
		records: /* @__PURE__ */ new Map(),
		lines: 0,
		lastPassNs: 0n
	};
}
function appendBases(ctx, file, entries) {
	const path = fileOf$5(ctx);
	const added = [...entries];
	if (added.length === 0) return;
	const text = added.map(([at, record]) => formatBaseLine(at, record)).join("");
	appendFileSync(path, endsWithNewline(path) ? text : `\n${text}`, {
		encoding: "latin1",
		mode: 384
	});
	for (const [at, record] of added) if (record === null) file.records.delete(at);
	else file.records.set(at, record);
	file.lines += added.length;
	if (file.lines - file.records.size > DEAD_LINES_MAX + file.records.size) rewrite(ctx, file);
}
function dropBases(ctx, file, paths) {
	appendBases(ctx, file, paths.map((path) => [path, null]));
}
function notePass(ctx, beganMs) {
	const path = fileOf$5(ctx);
	if (!existsSync(path)) writeFileSync(path, "", { mode: 384 });
	tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmBases(ctx, beganMs) {
	if (existsSync(fileOf$5(ctx))) tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmEmpty(dir) {
	tryWriteWhole(`${dir}/${PASS}`, String(Date.now() - 20));
}
function readPass(ctx) {
	const text = readPlainFile(passOf(ctx))?.toString("latin1") ?? "";
	return /^\d{1,15}$/.test(text) ? BigInt(text) * 1000000n : 0n;
}
function noteLook(ctx, look) {
	const known = readLooks(ctx);
	const lastPass = readPass(ctx);
	if (known.some(({ from }) => toNs(from) > lastPass)) return;
	const text = [...known.slice(-1), look].map(({ from, until }) => `${from} ${until}\n`).join("");
	tryWriteWhole(looksOf(ctx), text);
}
function readLooks(ctx) {
	return [...(readPlainFile(looksOf(ctx))?.toString("latin1") ?? "").matchAll(/^(\d{1,15}) (\d{1,15})$/gm)].map(([, from, until]) => ({
		from: Number(from),
		until: Number(until)
	}));
}
function toNs(ms) {
	return BigInt(ms - 20) * 1000000n;
}
function storeBlob(ctx, sha256, content) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if (existsSync(`${dir}/${sha256}`)) return;
	try {
		writeWhole(`${dir}/${sha256}`, content);
	} catch (error) {
		if (errorCode(error) !== "ENOENT") throw error;
		mkdirSync(dir, {
			recursive: true,
			mode: 448
		});
		writeWhole(`${dir}/${sha256}`, content);
	}
}
var FEW_BLOBS = 64;
function blobsStored(ctx, asked) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if (asked <= FEW_BLOBS) return (sha256) => existsSync(`${dir}/${sha256}`);
	const names = new Set(namesOrNone(fromText(dir)));
	return (sha256) => names.has(sha256);
}
function rewrite(ctx, file) {
	const text = [...file.records].map(([at, record]) => formatBaseLine(at, record)).join("");
	writeWhole(fileOf$5(ctx), text);
	file.lines = file.records.size;
}
function endsWithNewline(path) {
	const last = readTail(path, 1);
	return last === null || last.length === 0 || last[0] === 10;
}
function fileOf$5(ctx) {
	return `${ctx.sessionDir}/overlay/base.jsonl`;
}
function looksOf(ctx) {
	return `${ctx.sessionDir}/overlay/${LOOKS}`;
}
function passOf(ctx) {
	return `${ctx.sessionDir}/overlay/${PASS}`;
}
init_limits();
init_identity();
init_entry();
init_port();
init_state_file();
init_append();
var UNSEEN$1 = {
	ctimeNs: 2n ** 63n,
	movedNs: 2n ** 63n
};
function aboveRoot(root) {
	const ctimeNs = root?.ctimeNs ?? 0n;
	return {
		ctimeNs,
		movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs
	};
}
function below$1(above, dir) {
	return {
		ctimeNs: dir.ctimeNs,
		movedNs: later(putThere(dir, above), above.movedNs)
	};
}
function putThere(entry, above) {
	return earlier(entry.ctimeNs, above.ctimeNs);
}
var earlier = (a, b) => b < a ? b : a;
var later = (a, b) => b > a ? b : a;
function wasSeen(entry, bound, window, above) {
	return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}
var SeenWindow = class {
	#ctx;
	#since;
	#lastPass;
	#looks;
	#mounts;
	#isWholeLog = false;
	#blind;
	constructor(ctx, { lastPassNs }, { earliestCall }) {
		this.#ctx = ctx;
		this.#lastPass = lastPassNs;
		const births = ctx.coveredDirs.map(({ upper }) => lstatEntry(upper)?.birthNs ?? 0n);
		const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
		this.#since = later(toNs(earliestCall ?? 0), since);
		this.#looks = readLooks(ctx).map(({ from, until }) => ({
			from: toNs(from),
			until: BigInt(until) * 1000000n
		}));
		this.#mounts = mountsIn(orNull(() => readTail(logPath(ctx.sessionDir), TAIL_BYTES)));
		this.#blind = this.#mounts.length === 0 && lastPassNs === 0n && earliestCall === void 0;
	}
	of(upper) {
		const bound = isWhiteout(upper) && this.#since > upper.birthNs ? this.#since : upper.birthNs;
		return this.#blind ? bound : earlier(this.#before(bound) ?? this.#since, bound);
	}
	get latest() {
		return this.#before(BigInt(Date.now()) * 1000000n) ?? 0n;
	}
	#before(bound) {
		const looks = [...this.#mounts, ...this.#looks].filter(({ until }) => until <= bound);
		if (looks.length > 0) {
			const times = looks.map(({ from }) => from);
			const fresh = times.filter((from) => from > this.#lastPass);
			return fresh.length > 0 ? fresh.reduce(earlier) : times.reduce(later);
		}
		if (this.#isWholeLog) return null;
		this.#isWholeLog = true;
		this.#mounts = mountsIn(orNull(() => readPlainFile(logPath(this.#ctx.sessionDir))));
		return this.#before(bound);
	}
};
var TAIL_BYTES = 262144;
function mountsIn(log) {
	const lines = (log?.toString("latin1") ?? "").split("\n");
	const callOf = (line) => /"call":"([^"]*)"/.exec(line)?.[1] ?? "";
	const joined = new Set(lines.filter((line) => line.includes("\"t\":\"call.joined\"")).map(callOf));
	return lines.filter((line) => line.includes("\"t\":\"call.started\"") && MOUNTED.test(line) && !joined.has(callOf(line))).map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "")).filter(Number.isFinite).map((at) => ({
		from: toNs(at),
		until: toNs(at)
	}));
}
var MOUNTED = /"mode":"sandbox"(?!,"overlay":"(?:joined|inside)")/;
var LOCAL = /* @__PURE__ */ new Set([...[
	61267,
	2435016766,
	1481003842,
	16914836,
	4076150800,
	801189825,
	3393526350
], ...[
	827541066,
	13364,
	2240043254,
	2035054128
]]);
function hasOurTimes(dir) {
	return LOCAL.has(orNull(() => fileSystemType(dir)) ?? NaN);
}
var FOREIGN_NS = BigInt(FOREIGN_CLOCK_MS) * 1000000n;
var HostClocks = class {
	#ctx;
	#foreign = null;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	lag(path) {
		const { coveredDirs } = this.#ctx;
		this.#foreign ??= new Set(coveredDirs.filter((dir) => !hasOurTimes(dir.path)).map(({ n }) => n));
		if (this.#foreign.size === 0) return 0n;
		const covered = coveringDir(coveredDirs, path);
		return covered !== null && this.#foreign.has(covered.n) ? FOREIGN_NS : 0n;
	}
};
var DOUBT = "-";
var LAST_UNIT_MS = 1e3;
var Stamps = class {
	#clocks;
	#until;
	constructor(ctx, until) {
		this.#clocks = new HostClocks(ctx);
		this.#until = until;
	}
	of(path, left, found) {
		if (left === null || left.type !== "dir" && left.nlink > 1) return void 0;
		if (this.#clocks.lag(path) > 0n) return void 0;
		return this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1000000n ? DOUBT : String(left.ctimeNs);
	}
};
function stampOf({ stamps, unitOf }, i, path, id) {
	const stamp = stamps.get(i);
	return stamp === void 0 || unitOf.get(i)?.path === path ? stamp : id?.split(":")[10];
}
init_entry();
init_fingerprint();
init_port();
var CHUNK$2 = 262144;
var READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
function openToRead(path) {
	return openSync(fsPath(path), READ_FLAGS);
}
function statOpen(fd) {
	return toStat(fstatSync(fd, { bigint: true }));
}
var remembered$1 = /* @__PURE__ */ new Map();
var REMEMBERED_MAX$1 = 1e3;
function* sameContent(pathA, a, pathB, b) {
	if (a.size !== b.size) return false;
	if (a.size === 0) return true;
	if (a.size <= CHUNK$2) return yield* compare(pathA, a, pathB, b);
	const key = `${a.dev}:${identityOf$2(a)}|${b.dev}:${identityOf$2(b)}`;
	const known = remembered$1.get(key);
	if (known !== void 0) return known;
	const isSettled = isPast(a.ctimeNs) && isPast(b.ctimeNs);
	const same = yield* compare(pathA, a, pathB, b);
	if (!isSettled) return same;
	if (remembered$1.size >= REMEMBERED_MAX$1) remembered$1.clear();
	remembered$1.set(key, same);
	return same;
}
var LOOKED_AT = [
	"type",
	"mode",
	"size",
	"dev",
	"ino",
	"birthNs",
	"nlink",
	"mtimeNs",
	"ctimeNs"
];
function* compare(pathA, a, pathB, b) {
	const open = [];
	try {
		const fdA = openToRead(pathA);
		open.push(fdA);
		const fdB = openToRead(pathB);
		open.push(fdB);
		if (!sameFields(statOpen(fdA), a, LOOKED_AT) || !sameFields(statOpen(fdB), b, LOOKED_AT)) return false;
		return yield* sameBytes(fdA, fdB, a.size);
	} finally {
		for (const fd of open) closeSync(fd);
	}
}
function* sameBytes(fdA, fdB, size) {
	const bytes = Math.min(CHUNK$2, size);
	const [bufferA, bufferB] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)];
	for (let at = 0; at < size;) {
		const a = readSync(fdA, bufferA, 0, bytes, at);
		const b = readSync(fdB, bufferB, 0, bytes, at);
		if (a === 0 || a !== b || !bufferA.subarray(0, a).equals(bufferB.subarray(0, b))) return false;
		at += a;
		if (at < size) yield null;
	}
	return true;
}
function withSame(path, identity, read) {
	let fd = null;
	try {
		fd = openToRead(path);
		const entry = statOpen(fd);
		if (entry.type !== "file" || identityOf$2(entry) !== identity) return null;
		const result = read(fd, entry);
		return result !== null && identityOf$2(statOpen(fd)) === identity ? result : null;
	} catch {
		return null;
	} finally {
		if (fd !== null) closeSync(fd);
	}
}
function readBytes$1(fd, size) {
	const bytes = Buffer.alloc(size);
	let at = 0;
	for (let got = 1; at < size && got > 0; at += got) got = readSync(fd, bytes, at, size - at, at);
	return at === size ? bytes : null;
}
function readSame(path, identity, maxBytes) {
	return withSame(path, identity, (fd, { size }) => size > maxBytes ? null : readBytes$1(fd, size));
}
function hashSame(path, identity) {
	return withSame(path, identity, (fd, { size }) => size > 67108864 ? null : hashOf$2(fd, size));
}
function hashOf$2(fd, size) {
	const hash = createHash("sha256");
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK$2, size));
	let rest = size;
	for (let got = 1; rest > 0 && got > 0; rest -= got) {
		got = readSync(fd, buffer, 0, Math.min(buffer.length, rest), null);
		hash.update(buffer.subarray(0, got));
	}
	return rest === 0 ? hash.digest("hex") : null;
}
var SNIFF_BYTES = 8192;
function isBinary(content) {
	return hasNul(content) || decodeText(content) === null;
}
function isBinaryHead(head) {
	return hasNul(head) || decodeText(head, true) === null;
}
function decodeText(content, head = false) {
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(content, { stream: head });
	} catch {
		return null;
	}
}
var MAGIC = [
	{
		at: 0,
		bytes: "PNG\r\n\n",
		mime: "image/png"
	},
	{
		at: 0,
		bytes: "ÿØÿ",
		mime: "image/jpeg"
	},
	{
		at: 0,
		bytes: "GIF87a",
		mime: "image/gif"
	},
	{
		at: 0,
		bytes: "GIF89a",
		mime: "image/gif"
	},
	{
		at: 8,
		bytes: "WEBPVP8",
		mime: "image/webp"
	},
	{
		at: 4,
		bytes: "ftypavif",
		mime: "image/avif"
	},
	{
		at: 0,
		bytes: "\0\0\0",
		mime: "image/x-icon"
	},
	{
		at: 0,
		bytes: "%PDF-",
		mime: "application/pdf"
	},
	{
		at: 0,
		bytes: "PK",
		mime: "application/zip"
	},
	{
		at: 0,
		bytes: "",
		mime: "application/gzip"
	},
	{
		at: 0,
		bytes: "ELF",
		mime: "application/x-executable"
	},
	{
		at: 0,
		bytes: "SQLite format 3\0",
		mime: "application/vnd.sqlite3"
	},
	{
		at: 0,
		bytes: "\0asm",
		mime: "application/wasm"
	},
	{
		at: 0,
		bytes: "ÿþ",
		mime: "text/plain; charset=utf-16"
	},
	{
		at: 0,
		bytes: "þÿ",
		mime: "text/plain; charset=utf-16"
	}
];
function sniffMime(head) {
	const text = String.fromCharCode(...head.subarray(0, 32));
	return MAGIC.find(({ at, bytes }) => text.startsWith(bytes, at))?.mime ?? null;
}
function hasNul(content) {
	return content.subarray(0, SNIFF_BYTES).includes(0);
}
init_bytes();
init_entry();
init_port();
init_state_file();
var dirOf = (covered) => parentOf(covered.upper);
function readCopies(covered) {
	const value = orNull(() => readPlainJson(fsPath(joinPath(dirOf(covered), "copies.json"))));
	return Object(value).v === 1 ? value : null;
}
function isSame$2(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
}
init_bytes();
var MAX_BYTES$2 = 134217728;
var CACHES$2 = /* @__PURE__ */ new Set([
	"TREE",
	"UNTR",
	"FSMN",
	"EOIE",
	"IEOT"
]);
var STAT = 40;
var MODE_AT = 24;
var EXTENDED = 16384;
var FLAGS = 45056;
function indexDigest(path, identity) {
	if (nameOf(path) !== "index") return null;
	const bytes = readSame(path, identity, MAX_BYTES$2);
	return bytes === null ? null : digestOf(bytes);
}
function digestOf(bytes) {
	if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
	const version = bytes.readUInt32BE(4);
	if (version < 2 || version > 4) return null;
	for (const algorithm of ["sha1", "sha256"]) {
		const digest = digestWith(bytes, version, algorithm);
		if (digest !== null) return digest;
	}
	return null;
}
function digestWith(bytes, version, algorithm) {
	const idBytes = algorithm === "sha1" ? 20 : 32;
	const end = bytes.length - idBytes;
	const sum = bytes.subarray(end);
	if (end < 12 || !(sum.every((byte) => byte === 0) || sum.equals(hashOf$1(bytes.subarray(0, end), algorithm)))) return null;
	const hash = createHash("sha256").update(`${algorithm}\0${bytes.readUInt32BE(8)}\0`);
	try {
		const at = addEntries(hash, bytes.subarray(0, end), version, idBytes);
		return at !== null && addExtensions(hash, bytes.subarray(0, end), at) ? hash.digest("hex") : null;
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}
var hashOf$1 = (bytes, algorithm) => createHash(algorithm).update(bytes).digest();
function addEntries(hash, bytes, version, idBytes) {
	let at = 12;
	let name = Buffer.alloc(0);
	for (let left = bytes.readUInt32BE(8); left > 0; left--) {
		const start = at;
		const id = bytes.subarray(start + STAT, start + STAT + idBytes);
		at = start + STAT + idBytes;
		const flags = bytes.readUInt16BE(at);
		at += 2;
		let more = 0;
		if ((flags & EXTENDED) !== 0) {
			more = bytes.readUInt16BE(at);
			at += 2;
		}
		let kept = Buffer.alloc(0);
		if (version === 4) {
			const strip = readVarint(bytes, at);
			at = strip.at;
			if (strip.value > name.length) return null;
			kept = name.subarray(0, name.length - strip.value);
		}
		const nul = bytes.indexOf(0, at);
		if (nul < 0) return null;
		name = Buffer.concat([kept, bytes.subarray(at, nul)]);
		at = version === 4 ? nul + 1 : start + (nul - start + 8 & -8);
		const mode = bytes.readUInt32BE(start + MODE_AT).toString(8);
		hash.update(`${mode} ${flags & FLAGS} ${more} ${id.toString("hex")} ${name.length}\0`).update(name);
	}
	return at;
}
function readVarint(bytes, from) {
	let at = from;
	let byte = bytes.readUInt8(at++);
	let value = byte & 127;
	while ((byte & 128) !== 0) {
		byte = bytes.readUInt8(at++);
		value = (value + 1) * 128 + (byte & 127);
	}
	return {
		value,
		at
	};
}
function addExtensions(hash, bytes, from) {
	let at = from;
	while (at < bytes.length) {
		const name = bytes.toString("latin1", at, at + 4);
		const size = bytes.readUInt32BE(at + 4);
		const content = bytes.subarray(at + 8, at + 8 + size);
		if (content.length < size) return false;
		if (!CACHES$2.has(name)) hash.update(`${name} ${size}\0`).update(content);
		at += 8 + size;
	}
	return at === bytes.length;
}
init_bytes();
init_limits();
init_entry();
init_xattrs();
function knownBase(ctx, path, host, upper) {
	const seen = {
		state: "known",
		host: toHostStat(host, path)
	};
	if (host.type !== "file" || upper.type !== "file") return seen;
	const index = indexDigest(path, identityOf$2(host));
	const known = index === null ? seen : {
		...seen,
		index
	};
	const text = readSame(path, identityOf$2(host), BASE_BLOB_BYTES);
	if (text !== null && !isBinary(text)) {
		const sha256 = hash("sha256", text);
		storeBlob(ctx, sha256, text);
		return {
			...known,
			sha256,
			blob: true
		};
	}
	const sha256 = host.size === upper.size ? hashSame(path, identityOf$2(host)) : null;
	return sha256 === null ? known : {
		...known,
		sha256
	};
}
function copiedDirOf(ctx, path) {
	return ctx.coveredDirs.find((covered) => covered.copied !== void 0 && path !== covered.path && isWithin(path, covered.path) && lstatEntry(upperPath(covered, path)) !== null);
}
function copiedBase(ctx, covered, path, upper) {
	const seen = parentOf(path) === covered.path ? readCopies(covered)?.entries[nameOf(path)] : void 0;
	if (seen === void 0) return { state: "absent" };
	const host = lstatEntry(path);
	if (host !== null && upper !== null && isSame$2(seen, toHostStat(host, path))) return knownBase(ctx, path, host, upper);
	return {
		state: "known",
		host: seen
	};
}
function rootBase({ path, upper }) {
	const [host, made] = [lstatEntry(path), lstatEntry(upper)];
	if (host?.type !== "dir" || made === null) return null;
	if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
	return {
		state: "known",
		host: toHostStat(host, path)
	};
}
async function rebase(ctx, paths, hiding = /* @__PURE__ */ new Set(), file = readBaseFile(ctx)) {
	const seen = /* @__PURE__ */ new Map();
	const entries = paths.map((path) => {
		const host = lstatEntry(path);
		seen.set(path, host);
		const base = host === null ? { state: "absent" } : knownBase(ctx, path, host, host);
		const covered = host?.type === "dir" ? coveringDir(ctx.coveredDirs, path) : null;
		const upper = covered === null ? null : lstatEntry(upperPath(covered, path));
		const born = upper?.type === "dir" ? { born: String(upper.birthNs) } : {};
		return [path, {
			path,
			base,
			listed: host?.type === "dir" && hiding.has(path),
			...born
		}];
	});
	await noteXattrs(entries.map(([, record]) => record));
	appendBases(ctx, file, entries);
	return seen;
}
async function noteXattrs(records, known = /* @__PURE__ */ new Set()) {
	const asked = [];
	for (const { path, base } of records) if (base.state === "known" && base.host.type === "dir" && !known.has(base)) asked.push({
		path,
		base
	});
	const texts = await askXattrs(asked.map(({ path }) => path));
	asked.forEach(({ path, base }, i) => {
		const text = texts[i] ?? null;
		const now = text === null ? null : hostEntry(path);
		if (text === null || now === null || now === "closed") return;
		if (String(now.ino) === base.host.ino && String(now.ctimeNs) === base.host.ctimeNs) base.xattrs = xattrHash(text);
	});
	return /* @__PURE__ */ new Set([...known, ...asked.map(({ base }) => base)]);
}
function xattrHash(text) {
	return text === "" ? "none" : hash("sha256", text).slice(0, 16);
}
init_bytes();
init_identity();
init_entry();
init_xattrs();
function* judgeSameType(pair) {
	if (yield* sameThing(pair)) return metaChanged(pair) ? "meta" : null;
	return isStaleCopy(pair) ? null : "modified";
}
function isUntouched$1({ host, ...look }) {
	const { upperPath, upper, base } = look;
	if (equalsBase(upperPath, upper, base)) return true;
	if (host?.type !== upper.type) return false;
	return resultAtOnce(judgeSameType({
		...look,
		host,
		base: { state: "none" }
	})) === null;
}
function metaChanged({ host, upper, base }) {
	const from = base.state === "known" && base.host.type === upper.type ? base.host : host;
	const changed = (field) => upper[field] !== from[field] && upper[field] !== host[field];
	return upper.type !== "symlink" && changed("mode") || changed("uid") || changed("gid");
}
var SECOND = 1000000000n;
function timeChanged({ host, upper }) {
	if (upper.type !== "file" || host.type !== "file" || host.nlink > 1) return false;
	return !isSameTime(upper.mtimeNs, host.mtimeNs) && upper.mtimeNs !== host.mtimeNs - host.mtimeNs % SECOND;
}
function equalsBase(upperPath, upper, base) {
	if (base.state !== "known" || !sameMeta(upper, base.host)) return false;
	if (upper.type === "symlink") return readTarget(upperPath) === base.host.target;
	if (upper.type !== "file" || upper.size !== base.host.size) return false;
	return base.sha256 !== void 0 && hashSame(upperPath, identityOf$2(upper)) === base.sha256;
}
function onlyTouched(upper, base) {
	if (base.state !== "known") return base.state === "unknown";
	const { type, mode, uid, gid } = base.host;
	return type === "dir" && mode === upper.mode && uid === upper.uid && gid === upper.gid;
}
function isStaleCopy({ path, host, upperPath, upper, base }) {
	if (base.state !== "known" || sameEntry(base.host, toHostStat(host, path))) return false;
	return equalsBase(upperPath, upper, base);
}
function* sameThing({ path, host, upperPath, upper }) {
	switch (upper.type) {
		case "file": return yield* sameContent(upperPath, upper, path, host);
		case "symlink": return readTarget(upperPath) === readTarget(path);
		case "char":
		case "block": return upper.rdev === host.rdev;
		default: return true;
	}
}
function sameMeta(upper, host) {
	if (upper.type !== host.type || upper.uid !== host.uid || upper.gid !== host.gid) return false;
	return upper.type === "symlink" || upper.mode === host.mode;
}
var ChangeMaker = class {
	ignoreRule;
	bases;
	#clocks;
	constructor(ctx, bases) {
		this.ignoreRule = compileIgnore(ctx);
		this.bases = bases;
		this.#clocks = new HostClocks(ctx);
	}
	make(input) {
		const { path, pending, host, base, since } = input;
		const type = (pending?.entry ?? host)?.type;
		const change = {
			id: changeId(path),
			path,
			kind: input.kind,
			pending: pending === null ? null : toSide(pending.entry, pending.path),
			host: host === null ? null : toSide(host, path),
			ignored: typeRule(pending?.entry.type ?? null, host?.type ?? null) ?? input.ignoredAbove ?? this.ignoreRule(path, type === "dir"),
			conflict: input.closed === true ? "unreadable" : conflictOf$1({
				base,
				host: host === null ? null : toHostStat(host, path),
				since: since - this.#clocks.lag(path),
				movedNs: input.movedNs,
				parentGone: input.parentGone ?? false,
				below: input.below ?? false
			}),
			group: null
		};
		if (host !== null && host.type !== "dir" && host.nlink > 1) change.hostLinks = host.nlink;
		if (host !== null) change.hostIdentity = lookIdentity(host);
		if (pending !== null) change.upperIdentity = lookIdentity(pending.entry);
		if (input.closed === true && pending !== null) change.upperIdentity = closedIdentity(pending.entry);
		return change;
	}
};
var ID_BYTES = 8;
function changeId(path) {
	return hash("sha256", isAscii(path) ? path : Buffer.from(path, "latin1"), "buffer").toString("hex", 0, ID_BYTES);
}
var Attributes = class {
	times = [];
	#asked = [];
	ask(pair, found, make) {
		this.#asked.push({
			...pair,
			found,
			make
		});
		if (found !== null || !timeChanged(pair)) return;
		const change = make();
		if (change.kind !== "meta" || change.conflict !== null || change.ignored !== null) return;
		this.times.push({
			...change,
			ignored: TIMES_RULE
		});
	}
	*compare() {
		yield null;
		for (const { pair, ...both } of otherXattrs(this.#asked)) {
			const { upper, host, base, found, make } = pair;
			const from = base.state === "known" ? base.xattrs : void 0;
			if (from === xattrHash(both.upper)) continue;
			const change = found ?? make();
			change.xattrs = true;
			change.xattrIdentity = xattrIdentity(both);
			if (from !== void 0 && from !== xattrHash(both.host)) change.conflict ??= "host-changed";
			if (from === void 0 && host.type === "dir" && host.ctimeNs >= upper.birthNs) change.conflict ??= "unknown-base";
			if (found === null) yield change;
		}
	}
};
init_bytes();
init_entry();
var MERGED = "merged";
function mergedUnits(units) {
	return units.flatMap((unit) => unit.kind === "put" && unit.merged !== void 0 ? [{
		...unit,
		merged: unit.merged
	}] : []);
}
function beforeMerge(port, ctx, record) {
	const found = /* @__PURE__ */ new Map();
	for (const { path, merged } of mergedUnits(record.units)) {
		const dir = joinPath(joinPath(commitDir(ctx, record.n), MERGED), merged.id);
		if (port.lstat(joinPath(dir, nameOf(path)))?.type === "file") found.set(path, dir);
	}
	return found;
}
function restoreBases(ctx, commit, paths) {
	const unseen = [...commit.units.flatMap(({ overrides }) => overrides ?? []), ...mergedUnits(commit.units).map(({ path, merged }) => ({
		path,
		base: merged.base
	}))];
	if (unseen.length === 0) return;
	const file = readBaseFile(ctx);
	appendBases(ctx, file, unseen.flatMap(({ path, base }) => {
		if (base === void 0 || !paths.has(path)) return [];
		return [[path, {
			listed: false,
			...file.records.get(path),
			path,
			base: looksUntouched(ctx, path, base) ? { state: "unknown" } : base
		}]];
	}));
}
function looksUntouched(ctx, path, base) {
	const at = upperPathIn(ctx.coveredDirs, path);
	const upper = at === null ? null : lstatEntry(at);
	if (at === null || upper === null) return false;
	return upper.type === "dir" ? onlyTouched(upper, base) : equalsBase(at, upper, base);
}
init_bytes();
init_entry_errors();
init_fingerprint();
init_mounts();
init_port();
init_xattrs();
var NO_MOVES = "no-moves";
function mayMove(port, ctx) {
	return port.lstat(joinPath(commitsDir(ctx), NO_MOVES)) === null;
}
var HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;
function isFileStep(step, merges) {
	return isChangedFile(step) && step.change.group === null && !merges.has(step.change.path);
}
async function askMarks(ctx, steps, merges) {
	return await askXattrNames(marksAsked(ctx, steps.filter((step) => isNewTree(step) || isFileStep(step, merges)).map(({ change, members }) => ({
		top: change.path,
		dirs: members.filter(({ pending }) => pending?.type === "dir").map(({ path }) => path)
	}))));
}
function findMoves(port, ctx, uppers, { checked, failed }, { marks, merges }) {
	const mayRename = /* @__PURE__ */ new Map();
	const candidates = checked.filter((one) => {
		if (!isReady(one, failed, merges)) return false;
		const above = parentOf(one.step.change.path);
		if (!mayRename.has(above)) mayRename.set(above, isOneMount(port, ctx, above) && isWritable(port, uppers, above));
		return mayRename.get(above) === true;
	});
	if (candidates.length === 0 || !mayMove(port, ctx)) return /* @__PURE__ */ new Set();
	const whole = candidates.filter((one) => !isNewTree(one.step) || isWhole(port, ctx, uppers, treeOf(one), marks.counts));
	const marked = markedTops(ctx, uppers, whole.map(treeOf), marks);
	return new Set(whole.filter(({ step }) => !marked.has(step.change.path)));
}
async function takeMarksOff(uppers, moves, pace) {
	const files = [...moves].filter(({ step }) => !isNewTree(step));
	const paths = files.map(({ step }) => step.change.path);
	const free = await freeOfOrigin(paths.map((path) => uppers.pathOf(path)));
	const found = await uppers.lstatEach(paths, pace);
	for (const [i, one] of files.entries()) {
		const { change } = one.step;
		const [before, now] = [one.upper.get(change.path), found.get(change.path)];
		const isSame = now !== void 0 && (before === void 0 ? isUnmarked(change, now) : isRenamed(identityOf$1(before), now));
		if (isSame) {
			one.upper.set(change.path, now);
			one.listed = void 0;
		}
		if (free[i] !== true || !isSame) moves.delete(one);
	}
}
function uppersOf(ctx, moves) {
	const covering = [...moves].map(({ step }) => coveringDir(ctx.coveredDirs, step.change.path));
	return [...new Set(covering.flatMap((covered) => covered?.upper ?? []))];
}
function moveWhole(port, ctx, [from, to], refused) {
	try {
		port.rename(from, to);
	} catch (error) {
		if (errorCode(error) !== "EXDEV") throw error;
		port.close(port.openAppend(joinPath(commitsDir(ctx), NO_MOVES)));
		throw new NotApplied(refused);
	}
}
function expectUnmoved(port, ctx, uppers, unit) {
	const entries = /* @__PURE__ */ new Map();
	for (const { path, id } of entriesOf(unit)) {
		const now = uppers.lstat(path);
		if (now === null || identityOf$1(now) !== id) throw new NotApplied(SANDBOX_CHANGED);
		entries.set(path, now);
	}
	const tree = {
		top: unit.path,
		paths: [...entries.keys()],
		entries
	};
	const dirs = [...entries].flatMap(([path, { type }]) => type === "dir" ? [path] : []);
	const marks = xattrNames(marksAsked(ctx, [{
		top: unit.path,
		dirs
	}]));
	if (!isWhole(port, ctx, uppers, tree, /* @__PURE__ */ new Map()) || markedTops(ctx, uppers, [tree], marks).size > 0) throw new NotApplied(SANDBOX_CHANGED);
}
function isReady({ step, host, upper, listed }, failed, merges) {
	const top = upper.get(step.change.path);
	const isOnlyName = top === void 0 ? listed === true : top.nlink === 1;
	if (isFileStep(step, merges)) return host !== null && isOnlyName && !failed.has(step.change.path);
	if (!isNewTree(step) || host !== null || top === void 0) return false;
	return step.members.every(({ path }) => (listed === true || upper.has(path)) && !failed.has(path));
}
function treeOf({ step, upper }) {
	return {
		top: step.change.path,
		paths: step.members.map(({ path }) => path),
		entries: upper
	};
}
function isOneMount(port, ctx, dir) {
	const upper = upperPathIn(ctx.coveredDirs, dir);
	return upper !== null && orIfRefused(() => mountOf(port, dir) === mountOf(port, upper), false);
}
function isWritable(port, uppers, dir) {
	return orIfRefused(() => {
		const upper = uppers.placed(dir);
		return upper !== null && port.writable(upper);
	}, false);
}
function isWhole(port, ctx, uppers, tree, counts) {
	const { top, entries } = tree;
	if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 128) === 0) return false;
	if (!isWritable(port, uppers, parentOf(top))) return false;
	return orIfRefused(() => hasExactly(uppers, tree, counts) && hasAllNames(entries), false);
}
function hasExactly(uppers, { top, paths, entries }, counts) {
	const names = /* @__PURE__ */ new Map();
	let dir = parentOf(top);
	for (const path of paths) {
		if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) dir = parentOf(path);
		if (path !== top) names.set(dir, (names.get(dir) ?? 0) + 1);
	}
	for (const [path, { type }] of entries) {
		if (type !== "dir") continue;
		if ((counts.get(uppers.pathOf(path)) ?? uppers.readdir(path).length) !== (names.get(path) ?? 0)) return false;
	}
	return true;
}
function hasAllNames(entries) {
	const missing = /* @__PURE__ */ new Map();
	for (const { type, nlink, ino } of entries.values()) if (type !== "dir" && nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
	return [...missing.values()].every((names) => names === 0);
}
function marksAsked(ctx, trees) {
	const above = allDirsTo(ctx, trees.map(({ top }) => top));
	const inUpper = (path) => upperPathIn(ctx.coveredDirs, path) ?? path;
	return {
		whole: trees.flatMap(({ dirs }) => dirs).map(inUpper),
		alone: [...above].map(inUpper)
	};
}
function markedTops(ctx, uppers, trees, { names, unknown }) {
	const tops = new Map(trees.map(({ top }) => [uppers.pathOf(top), top]));
	const marked = /* @__PURE__ */ new Set();
	const mark = (path) => {
		for (let at = path; at !== "/"; at = parentOf(at)) {
			const top = tops.get(at);
			if (top !== void 0) marked.add(top);
		}
	};
	for (const dir of unknown) mark(dir);
	for (const [path, found] of names) if (found.some((name) => OF_THE_PLACE.test(name))) mark(path);
	const hidden = /* @__PURE__ */ new Map();
	const isHiding = (dir) => unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true;
	for (const { top } of trees) {
		const above = parentOf(top);
		if (!hidden.has(above)) hidden.set(above, [...dirsTo(ctx, top)].some((dir) => isHiding(uppers.pathOf(dir))));
		if (hidden.get(above) === true) marked.add(top);
	}
	return marked;
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
init_reasons();
function takeTree({ port, ctx, commit, resumed, dirs }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) throw new NotApplied(treeStays(NOT_COVERED));
	const to = waitingAt(joinPath(commit, BACK), covered, unit.path);
	const target = dirs.targetOrNone(unit.path);
	const waits = port.lstat(to);
	if (waits === null) {
		const now = target === null ? null : port.lstat(target);
		if (target === null || now === null) return "";
		if (!isSame$3(unit.host, dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		const why = resumed ? whyNotWhole(port, target, unit) : null;
		if (why !== null) throw new NotApplied(treeStays(why));
		moveWhole(port, ctx, [target, to], NOT_MOVED_IN);
	} else if (!isStillOurs(unit.born, waits)) throw new NotApplied(treeStays(NEW_OR_CHANGED));
	const why = whyNotWhole(port, to, unit);
	if (why === null) return "";
	if (target === null || port.lstat(target) !== null) return treeReplaced(why);
	port.rename(to, target);
	throw new NotApplied(treeStays(why));
}
function isTaken$1({ port, ctx, commit }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) return false;
	return isStillOurs(unit.born, port.lstat(waitingAt(joinPath(commit, BACK), covered, unit.path)));
}
function whyNotWhole(port, root, unit) {
	const walk = new Dirs(port, root, 0, null);
	try {
		const top = port.lstat(root);
		if (!isSame$3(onDeviceOf(unit.host, top), top) || !isAsNoted(port, walk, root, unit)) return NEW_OR_CHANGED;
		const inodes = (type) => new Set(unit.entries.flatMap(({ id }) => id?.startsWith(type) === true ? [fingerprint(id).ino] : []));
		return treesInUse([{
			real: port.readlink(at(walk.open(root))),
			files: inodes("file:"),
			dirs: inodes("dir:")
		}]).size > 0 ? IN_USE : null;
	} catch (error) {
		const message = entryMessage(error);
		if (message === null) throw error;
		return message;
	} finally {
		walk.close();
	}
}
function isAsNoted(port, walk, root, { path, entries }) {
	const ids = new Map(entries.map((entry) => [entry.path, entry.id]));
	const inside = byParent([...ids.keys()].filter((one) => one !== path));
	for (const [dir, id] of ids) {
		if (id?.startsWith("dir:") !== true) continue;
		const below = relativeTo(path, dir);
		const fd = walk.openOrNone(below === "" ? root : joinPath(root, below));
		const names = inside.get(dir) ?? [];
		if (fd === null || port.readdir(at(fd)).length !== names.length) return false;
		for (const one of names) {
			const now = port.lstat(at(fd, nameOf(one)));
			if (now === null || identityOf$1(now) !== onDeviceOf(ids.get(one) ?? null, now)) return false;
		}
	}
	return true;
}
init_bytes();
init_identity();
init_entry_errors();
init_fingerprint();
init_port();
init_reasons();
function xattrsAt(port, dirs, path) {
	const fd = port.openEntry(at(dirs.open(parentOf(path)), nameOf(path)));
	return withHandle(port, fd, () => port.xattrs(fd));
}
function isMetaInPlace(port, dirs, unit) {
	const now = dirs.lstat(unit.path);
	if (now === null || now.uid !== unit.uid || now.gid !== unit.gid) return false;
	if (now.type !== "symlink" && now.mode !== unit.mode) return false;
	if (!hasTime(unit, now)) return false;
	return unit.xattrs === void 0 || xattrsAt(port, dirs, unit.path) === unit.xattrs.to;
}
function hasTime({ mtime }, now) {
	return mtime === null || now.type === "dir" || isSameTime(now.mtimeNs, BigInt(mtime));
}
function isMetaBegun(port, dirs, unit, root) {
	const now = dirs.lstat(unit.path);
	if (now === null) return false;
	if (unit.xattrs === void 0) return isHalfOwned(unit, now, root);
	const xattrs = xattrsAt(port, dirs, unit.path);
	return (xattrs !== unit.xattrs.from || now.mode !== fingerprint(unit.host).mode) && isHalfSet(unit, unit.xattrs, now, xattrs);
}
function applyMeta(port, dirs, unit, { root, resumed }) {
	const dir = dirs.open(parentOf(unit.path));
	withHandle(port, port.openEntry(at(dir, nameOf(unit.path))), (fd) => {
		const now = port.fstat(fd);
		const isLink = now.type === "symlink";
		const owned = now.uid === unit.uid && now.gid === unit.gid;
		const { xattrs } = unit;
		const has = xattrs === void 0 ? "" : port.xattrs(fd);
		if (has === null) throw new NotApplied(NO_XATTRS);
		if (!(owned && (isLink || now.mode === unit.mode) && hasTime(unit, now)) || xattrs !== void 0 && has !== xattrs.to) {
			const asReviewed = isSame$3(unit.host, dirs.asFound(now)) && (xattrs === void 0 || has === xattrs.from);
			const half = xattrs === void 0 ? isHalfOwned(unit, now, root) || resumed && isHalfTimed(unit, now) : resumed && isHalfSet(unit, xattrs, now, has);
			if (!asReviewed && !half) throw new NotApplied(HOST_CHANGED);
			if (xattrs !== void 0) {
				const changes = xattrChanges(has, xattrs.to);
				setXattrs(port, fd, now, {
					mode: unit.mode,
					changes,
					root
				});
			}
			if (!owned) port.lchown(at(dir, nameOf(unit.path)), unit.uid, unit.gid);
			if (!isLink) port.chmod(at(fd), unit.mode);
		}
		if (unit.mtime !== null && !isLink) port.utimes(at(fd), BigInt(unit.mtime));
	});
}
function setXattrs(port, fd, now, { mode, changes, root }) {
	if (changes.length === 0) return;
	const closed = !root && (now.mode & 128) === 0 && needsWriting(changes);
	try {
		if (removesAcl(changes)) port.chmod(at(fd), mode | (closed ? 448 : 0));
		else if (closed) port.chmod(at(fd), now.mode | 448);
		port.setXattrs(fd, changes);
	} catch (error) {
		if (closed || port.fstat(fd).mode !== now.mode) port.chmod(at(fd), now.mode);
		const why = XATTR_ERRORS[errorCode(error)];
		throw why === void 0 ? error : new NotApplied(`${why} (${errorCode(error)})`);
	}
}
function isHalfOwned(unit, now, root) {
	return root && fingerprint(unit.host).ino === now.ino && now.uid === unit.uid && now.gid === unit.gid;
}
function isHalfTimed({ host, mode, uid, gid, mtime }, now) {
	if (mtime === null || now.type !== "file" || now.mode !== mode) return false;
	return sameFields(fingerprint(host), now, [
		"type",
		"ino",
		"birthNs",
		"size",
		"mtimeNs"
	]) && now.uid === uid && now.gid === gid;
}
function isHalfSet(unit, step, now, xattrs) {
	const then = fingerprint(unit.host);
	if (then.type !== now.type || then.ino !== now.ino || then.birthNs !== now.birthNs) return false;
	const owners = [`${then.uid}:${then.gid}`, `${unit.uid}:${unit.gid}`];
	const modes = [then.mode, unit.mode];
	const bits = modes.flatMap((one) => [one & 511, (one | 448) & 511]);
	const special = modes.reduce((all, one) => all | one & 3584, 0);
	return owners.includes(`${now.uid}:${now.gid}`) && bits.includes(now.mode & 511) && (now.mode & 3584 & ~special) === 0 && xattrs !== null && isBetween(xattrs, step);
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
init_reasons();
var UnitApplier = class {
	#task;
	#port;
	#dirs;
	#commit;
	#images;
	#resumed;
	#uppers;
	#stageFds = /* @__PURE__ */ new Map();
	constructor(task, dirs) {
		const { port, ctx, journal, earlier } = task;
		this.#task = task;
		this.#port = port;
		this.#dirs = dirs;
		const { n, undoes = n } = journal.record.begin;
		this.#commit = commitDir(ctx, n);
		this.#images = joinPath(commitDir(ctx, undoes), BEFORE);
		this.#resumed = earlier !== void 0;
		this.#uppers = new Uppers(port, ctx, null);
	}
	apply(unit) {
		switch (unit.kind) {
			case "put": return this.#put(unit);
			case "swap": return this.#swap(unit);
			case "meta":
				applyMeta(this.#port, this.#dirs, unit, {
					root: this.#task.ctx.root,
					resumed: this.#resumed
				});
				return "";
			case "delete":
				this.#remove(unit.path, unit.host, isSame$3, linkedImage(this.#task.ctx, this.#commit, unit));
				return "";
			case "move-to-host": return this.#moveToHost(unit);
			case "move-to-store": return takeTree({
				...this.#taking(),
				resumed: this.#resumed,
				dirs: this.#dirs
			}, unit);
		}
	}
	isInPlace(unit) {
		return orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
	}
	isBegun(unit) {
		if (this.isInPlace(unit)) return true;
		switch (unit.kind) {
			case "swap": return this.#dirs.lstat(asidePath(unit)) !== null;
			case "meta": return isMetaBegun(this.#port, this.#dirs, unit, this.#task.ctx.root);
			case "move-to-store": return isTaken$1(this.#taking(), unit);
			default: return false;
		}
	}
	close() {
		for (const fd of this.#stageFds.values()) if (fd !== null) this.#port.close(fd);
		this.#stageFds.clear();
		this.#uppers.close();
	}
	#staged({ stage, rel, born, path: target, entries }) {
		if (stage === null) {
			if (!this.#task.ctx.quiet) throw new NotApplied(SESSION_LIVE);
			const from = this.#uppers.placedHere(target);
			const now = from === null ? null : this.#port.lstat(from);
			if (!isBornAs(born, now)) return null;
			if (!isSame$3(entries[0]?.id ?? null, now)) throw new NotApplied(SANDBOX_CHANGED);
			return from;
		}
		if (stage === "before") {
			const image = joinPath(this.#images, rel);
			if (!this.#resumed) return image;
			return isBornAs(born, this.#port.lstat(image)) ? image : null;
		}
		if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
		const fd = this.#stageFds.get(stage) ?? null;
		if (fd === null) return null;
		const path = at(fd, rel);
		return isBornAs(born, this.#port.lstat(path)) ? path : null;
	}
	#openStage(index) {
		const stage = this.#task.journal.record.stages[index];
		if (stage === void 0) return null;
		const base = new Dirs(this.#port, "/", 0, null);
		try {
			return this.#port.openDir(at(base.open(stage.base), stage.name));
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		} finally {
			base.close();
		}
	}
	#isReviewed(identity, now) {
		return isSame$3(identity, now === null ? null : this.#dirs.asFound(now));
	}
	#put(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		const inPlace = isBornAs(unit.born, now);
		const staged = inPlace && unit.stage === null ? null : this.#staged(unit);
		if (inPlace) {
			if (staged !== null) this.#port.unlink(staged);
			this.#setMode(unit, target);
			return "";
		}
		const image = now === null ? null : linkedImage(this.#task.ctx, this.#commit, unit);
		const linked = image === null || !this.#resumed ? null : this.#port.lstat(image);
		if (!(linked !== null && linked.ino === now?.ino && isRenamed(unit.host, now)) && !this.#isReviewed(unit.host, now)) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(unit.stage === null ? SANDBOX_CHANGED : COPY_GONE);
		if (image !== null && linked === null) this.#port.link(target, image);
		const isDir = typeOf(unit.born) === "dir";
		if (isDir) this.#setMode(unit, staged, 448);
		if (unit.stage === null) moveWhole(this.#port, this.#task.ctx, [staged, target], NOT_MOVED_OUT);
		else if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
		this.#setMode(unit, target);
		return "";
	}
	#moveToHost(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		if (isBornAs(unit.born, now)) return "";
		if (now !== null) throw new NotApplied(HOST_CHANGED);
		const { ctx } = this.#task;
		if (!ctx.quiet) throw new NotApplied(SESSION_LIVE);
		if (!isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new NotApplied(SANDBOX_CHANGED);
		if (this.#resumed) {
			expectUnmoved(this.#port, ctx, this.#uppers, unit);
			if (this.#port.lstat(target) !== null) throw new NotApplied(HOST_CHANGED);
		}
		const from = this.#uppers.placed(unit.path);
		if (from === null) throw new NotApplied(SANDBOX_CHANGED);
		moveWhole(this.#port, ctx, [from, target], NOT_MOVED_OUT);
		return "";
	}
	#taking() {
		return {
			port: this.#port,
			ctx: this.#task.ctx,
			commit: this.#commit
		};
	}
	#linked(staged, target) {
		try {
			this.#port.link(staged, target);
		} catch (error) {
			if ([
				"EPERM",
				"EMLINK",
				"EOPNOTSUPP",
				"ENOSYS"
			].includes(errorCode(error))) return false;
			throw error;
		}
		this.#port.unlink(staged);
		return true;
	}
	#setMode({ closedMode }, path, bits = 0) {
		if (closedMode !== null) chmodEntry(this.#port, path, closedMode | bits);
	}
	#swap(unit) {
		const staged = this.#staged(unit);
		const now = this.#port.lstat(this.#dirs.target(unit.path));
		if (!isBornAs(unit.born, now)) {
			const old = this.#dirs.lstat(asidePath(unit));
			if (now !== null) this.#mayMoveAside(unit, now, old, staged);
			else if (old === null || !isRenamed(unit.host, old)) throw new NotApplied(HOST_CHANGED);
			const dir = this.#dirs.openToWrite(parentOf(unit.path));
			if (now !== null) this.#port.rename(at(dir, nameOf(unit.path)), at(dir, unit.aside));
			this.#moveIn(unit, dir, staged);
		}
		const note = this.#removeAside(unit);
		this.#setMode(unit, this.#dirs.target(unit.path));
		return note;
	}
	#mayMoveAside(unit, now, old, staged) {
		if (!(this.#isReviewed(unit.host, now) || this.#resumed && isRenamed(unit.host, now))) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(COPY_GONE);
		if (old !== null) throw new NotApplied(hostHas(asidePath(unit)));
		if (now.type === "dir") this.#onlyReviewed(unit);
	}
	#moveIn(unit, dir, staged) {
		const target = at(dir, nameOf(unit.path));
		try {
			if (staged === null) throw new NotApplied(COPY_GONE);
			if (typeOf(unit.born) === "dir") this.#setMode(unit, staged, 448);
			this.#port.rename(staged, target);
		} catch (error) {
			this.#port.rename(at(dir, unit.aside), target);
			throw error;
		}
	}
	#onlyReviewed(unit) {
		const known = new Map(unit.below.map(({ path, host }) => [path, host]));
		let met = 0;
		const walk = (dir) => {
			for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
				const path = joinPath(dir, name);
				const stat = this.#dirs.lstat(path);
				if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) throw new NotApplied(hostHasIn(path));
				met++;
				if (stat.type === "dir") walk(path);
			}
		};
		walk(unit.path);
		if (met !== known.size) throw new NotApplied(HOST_CHANGED);
	}
	#removeAside(unit) {
		const aside = asidePath(unit);
		const message = refusalOf(() => {
			if (this.#dirs.lstat(aside) === null) return;
			const image = linkedImage(this.#task.ctx, this.#commit, unit);
			if (image !== null) return moveOut(this.#port, this.#dirs, aside, image);
			for (const { path, host } of unit.below.toReversed()) this.#remove(joinPath(aside, relativeTo(unit.path, path)), host);
			this.#remove(aside, unit.host, isRenamed);
		});
		return message === null ? "" : replacedKept(aside, message);
	}
	#remove(path, host, same = isSame$3, image = null) {
		const target = this.#dirs.targetOrNone(path);
		const now = target === null ? null : this.#port.lstat(target);
		if (target === null || now === null) return;
		if (!same(host, this.#dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		if (image !== null && now.type === "dir") moveOutEmpty(this.#port, this.#dirs, path, image);
		else if (image !== null) moveOut(this.#port, this.#dirs, path, image);
		else if (now.type === "dir") this.#port.rmdir(target);
		else this.#port.unlink(target);
	}
};
function asidePath({ path, aside }) {
	return joinPath(parentOf(path), aside);
}
function isInPlace(port, dirs, unit) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return dirs.lstat(unit.path) === null;
		case "meta": return isMetaInPlace(port, dirs, unit);
		default: return isBornAs(unit.born, dirs.lstat(unit.path));
	}
}
init_bytes();
init_errors$3();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
function toolsOf(task, dirs) {
	const { units, failed } = task.journal.record;
	const stamps = new Stamps(task.ctx, task.earlier?.until ?? null);
	const broken = new Set(units.filter(({ i }) => failed.has(i)).flatMap(({ groups }) => groups));
	return {
		dirs,
		applier: new UnitApplier(task, dirs),
		stamps,
		broken
	};
}
async function applyAll(task) {
	const { port, journal } = task;
	const dirs = hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		await applyUnits(task, tools);
		const loosened = journal.record.loosened.length > 0;
		restoreModes(port, dirs, journal);
		if (journal.record.phase !== "applied") {
			await copyWrittenImages(task);
			dropUnusedImages(task);
			await makeDurable(task, dirs, loosened);
		}
		applier.close();
		removeStages(port, dirs, journal);
		return {
			report: reportOf(task, null),
			stopped: false
		};
	} catch (error) {
		if (errorCode(error) === "") throw error;
		orIfRefused(() => restoreModes(port, dirs, journal), void 0);
		return {
			report: reportOf(task, messageOf(error)),
			stopped: true
		};
	} finally {
		applier.close();
		dirs.close();
	}
}
function abandonRest(task) {
	const { units, done, failed, phase, abandoned } = task.journal.record;
	if (phase === "applied" || abandoned !== null) return;
	const dirs = hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		abandon(task, tools, units.filter((unit) => done.has(unit.i) || !failed.has(unit.i) && applier.isBegun(unit)), "discarded");
	} finally {
		applier.close();
		dirs.close();
	}
}
function abandon(task, tools, begun, why) {
	const { journal } = task;
	const going = new Set(begun);
	for (const unit of withTheirGroups(journal.record.units, begun)) applyUnit(task, tools, unit, going.has(unit));
	journal.addSynced({
		t: "abandon",
		why
	});
}
async function applyUnits(task, tools) {
	const { record } = task.journal;
	const { units, done } = record;
	const pace = new Pace();
	const total = units.reduce((sum, unit) => sum + entryCount(unit), 0);
	const count = {
		done: 0,
		bytes: 0
	};
	for (const unit of units) {
		await pace.breathe();
		if (record.abandoned === null && task.cancelled?.() === true) abandon(task, tools, units.filter(({ i }) => done.has(i)), "cancelled");
		if (record.abandoned === null) applyUnit(task, tools, unit, false);
		count.done += entryCount(unit);
		count.bytes += bytesOf$3(unit);
		task.onProgress?.({
			done: count.done,
			total,
			path: unit.path,
			bytes: count.bytes
		});
	}
}
function applyUnit({ port, journal, unfinished, earlier }, { dirs, applier, stamps, broken }, unit, isBegun) {
	const { done, failed } = journal.record;
	if (done.has(unit.i) || failed.has(unit.i)) return;
	try {
		if (unit.kind === "meta" && typeOf(unit.host) === "dir") restoreModes(port, dirs, journal);
		if (!isBegun && unit.groups.some((group) => broken.has(group))) journal.add({
			t: "fail",
			i: unit.i,
			message: GROUP_FAILED
		});
		else {
			const found = earlier !== void 0 && applier.isInPlace(unit) ? entryAt(unit, dirs) : null;
			const note = applier.apply(unit);
			const stamp = stamps.of(unit.path, entryAt(unit, dirs), found);
			const more = {
				...note === "" ? {} : { note },
				...stamp === void 0 ? {} : { stamp }
			};
			journal.add({
				t: "done",
				i: unit.i,
				...more
			});
		}
	} catch (error) {
		const known = entryMessage(error);
		if (known === null && errorCode(error) === "") throw error;
		const message = known ?? messageOf(error);
		const partly = applier.isInPlace(unit) ? partlyApplied(message) : null;
		if (known === null) {
			if (partly !== null) unfinished.set(unit.i, partly);
			throw error;
		}
		journal.add({
			t: "fail",
			i: unit.i,
			message: partly ?? message
		});
	}
	if (failed.has(unit.i)) for (const group of unit.groups) broken.add(group);
	journal.flush();
}
function entryAt({ kind, path }, dirs) {
	if (kind === "delete" || kind === "move-to-store") return null;
	return orNull(() => dirs.lstatHere(path));
}
async function makeDurable({ port, journal, ctx }, dirs, loosened) {
	const bases = /* @__PURE__ */ new Set([...journal.record.stages.map(({ base }) => base)]);
	const renamed = /* @__PURE__ */ new Set();
	for (const unit of journal.record.units) {
		const { path, i } = unit;
		if (unit.kind === "move-to-host") {
			if (journal.record.done.has(i)) renamed.add(parentOf(path));
		} else if (unit.kind !== "put" || typeof unit.stage !== "number") bases.add(coveringDir(ctx.coveredDirs, path)?.path ?? parentOf(path));
	}
	for (const dir of renamed) if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir)) bases.add(coveringDir(ctx.coveredDirs, dir)?.path ?? dir);
	await syncFileSystems(port, heldOneByOne(dirs, bases));
	journal.addSynced({ t: "applied" });
}
var FEW = 32;
function syncRename(port, ctx, dirs, dir) {
	const from = upperPathIn(ctx.coveredDirs, dir);
	try {
		syncDirs(port, [at(dirs.open(dir), "."), ...from === null ? [] : [joinPath(from, ".")]]);
		return from !== null;
	} catch (error) {
		if ([
			"EACCES",
			"ENOENT",
			"ENOTDIR",
			"ELOOP"
		].includes(errorCode(error))) return false;
		throw error;
	}
}
function* heldOneByOne(dirs, paths) {
	for (const path of paths) yield dirs.open(path);
}
function restoreModes(port, dirs, journal) {
	const { loosened } = journal.record;
	if (loosened.length === 0) return;
	for (const { path, mode } of loosened.toReversed()) {
		const now = dirs.lstat(path);
		if (now?.type !== "dir" || now.mode !== (mode | 448)) continue;
		const fd = port.openDir(at(dirs.open(parentOf(path)), nameOf(path)));
		withHandle(port, fd, () => port.chmod(at(fd), mode));
	}
	loosened.length = 0;
	dirs.loosened.clear();
	dirs.close();
}
function removeStages(port, dirs, journal) {
	for (const { base, name } of journal.record.stages) {
		if (dirs.lstat(base) === null) continue;
		removeTree(port, dirs.openToWrite(base), name);
	}
	restoreModes(port, dirs, journal);
}
function markedIn(done) {
	const marked = mergedUnits(done).filter(({ merged }) => merged.marks !== void 0);
	return marked.length === 0 ? {} : { marked: marked.map(({ path }) => path) };
}
function reportOf(task, stopped) {
	const { record } = task.journal;
	const failures = [...record.refused];
	const out = {
		applied: 0,
		bytes: 0,
		notApplied: []
	};
	let [left, times] = [0, 0];
	for (const unit of record.units) {
		const message = record.failed.get(unit.i) ?? task.unfinished.get(unit.i);
		const note = record.done.get(unit.i);
		if (message !== void 0) for (const { path } of entriesOf(unit)) failures.push({
			path,
			message
		});
		else if (note !== void 0) {
			if (isTimeOnly(unit)) times++;
			else out.applied += entryCount(unit);
			out.bytes += bytesOf$3(unit);
			if (note !== "") failures.push({
				path: unit.path,
				message: note
			});
		} else if (record.abandoned === "discarded") left += entryCount(unit);
		else for (const { path } of entriesOf(unit)) out.notApplied.push(path);
	}
	if (left > 0) failures.push({
		path: task.ctx.projectRoot,
		message: givenUp(left)
	});
	if (stopped !== null) {
		const where = out.notApplied[0] ?? record.units.at(-1)?.path ?? "/";
		failures.push({
			path: where,
			message: stoppedAt(where, stopped)
		});
	}
	return {
		n: record.n,
		state: stopped === null && failures.length === 0 && record.abandoned !== "cancelled" ? "applied" : "partial",
		...record.abandoned === "cancelled" ? { cancelled: true } : {},
		...stopped === null ? {} : { stopped: true },
		...markedIn(record.units.filter(({ i }) => record.done.has(i))),
		...out,
		...times > 0 ? { times } : {},
		kept: record.begin.kept,
		ignored: record.begin.ignored,
		failed: failures,
		copies: record.begin.live,
		ms: Math.round(performance.now() - task.startedAt)
	};
}
function withTheirGroups(units, begun) {
	const going = new Set(begun);
	const groups = new Set(begun.flatMap((unit) => unit.groups));
	for (let before = -1; before < groups.size;) {
		before = groups.size;
		for (const unit of units) {
			if (!going.has(unit) && !unit.groups.some((group) => groups.has(group))) continue;
			going.add(unit);
			for (const group of unit.groups) groups.add(group);
		}
	}
	return units.filter((unit) => going.has(unit));
}
init_bytes();
init_entry();
function hiddenNames(viewer, dir, names) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return [];
	const hidden = [];
	for (const name of names) {
		if (lstatEntry(joinPath(view, name)) !== null) return [];
		if (lstatEntry(joinPath(dir.upper, name)) === null && lstatEntry(joinPath(dir.host, name)) !== null) hidden.push(name);
	}
	return hidden;
}
function showsHost(viewer, dir) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return false;
	const own = lstatEntry(dir.upper);
	if (own !== null && own.nlink >= 2) return lstatEntry(view)?.nlink === 1;
	const present = new Set(readNames(dir.upper));
	return readNames(dir.host).some((name) => !present.has(name) && lstatEntry(joinPath(view, name)) !== null);
}
var remembered = /* @__PURE__ */ new Map();
var REMEMBERED_MAX = 1e3;
async function replacedAmong(ctx, covered, dirs) {
	let viewer = null;
	try {
		let way = "";
		for (const dir of dirs) {
			way += identity$1(dir.upper);
			const known = remembered.get(dir.upperPath);
			let madeAgain = known?.way === way ? known.madeAgain : null;
			if (madeAgain === null) {
				viewer ??= await openViewer({
					...ctx,
					coveredDirs: [covered]
				});
				madeAgain = isMadeAgain(viewer, dir);
				if (madeAgain !== null) remember$1(dir.upperPath, {
					way,
					madeAgain
				});
			}
			if (madeAgain === true) return dir.path;
		}
		return null;
	} finally {
		await viewer?.close();
	}
}
function remember$1(upperPath, answer) {
	if (remembered.size >= REMEMBERED_MAX) remembered.clear();
	remembered.set(upperPath, answer);
}
function isMadeAgain(viewer, { path, upperPath, upper }) {
	const shown = lstatEntry(viewer.pathOf(path));
	if (shown === null) return null;
	if (upper.nlink >= 2) return shown.nlink !== 1;
	const here = new Set(namesOrNone(upperPath));
	const missing = namesOrNone(path).filter((name) => !here.has(name));
	if (missing.length === 0) return null;
	return hiddenNames(viewer, {
		host: path,
		upper: upperPath
	}, missing).length > 0;
}
function identity$1({ dev, ino, birthNs, ctimeNs }) {
	return `${dev}:${ino}:${birthNs === 0n ? `c${ctimeNs}` : birthNs} `;
}
init_bytes();
init_identity();
init_fingerprint();
init_port();
async function dropCommitted(ctx) {
	let count = 0;
	for (const n of commitNumbers(nodePort, ctx)) {
		if (readClosed(commitDir(ctx, n))?.after.has("dropped") === true) continue;
		const journal = openJournal(nodePort, commitDir(ctx, n));
		if (journal === null) continue;
		await useAndCloseAsync(journal, async () => {
			const { phase, dropped, report, begin } = journal.record;
			if (phase !== "closed" || dropped) return;
			if (report !== null && begin.undoes === void 0) count += (await dropRecord({
				port: nodePort,
				ctx,
				journal
			})).count;
			journal.addSynced({ t: "dropped" });
		});
	}
	return count;
}
async function dropRecord(transaction, { bases = readBaseFile(transaction.ctx), settled = false } = {}) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const applied = record.standing();
	const moved = applied.filter(isMoved);
	const copied = applied.filter((unit) => !isMoved(unit)).flatMap(entriesOf);
	const isRoot = ({ path }) => coveringDir(ctx.coveredDirs, path)?.path === path;
	const going = copied.filter((entry) => !isRoot(entry));
	return await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		uppers.removeMovedOut();
		const made = new MadeDirs(ctx);
		const gone = new Set(applied.filter(leavesUpper).map(({ path }) => path));
		const left = going.filter(({ path }) => !gone.has(path));
		const entries = [
			...record.above,
			...record.same,
			...left
		];
		const there = [...left, ...record.same].filter(({ id }) => id !== null).map(({ path }) => path);
		await made.look(there, (path) => uppers.lstat(path)?.type === "dir");
		const before = there.some((path) => made.topOf(path) !== null) ? earlierEntries(port, ctx, record.n).filter((entry) => !isRoot(entry)) : [];
		const dirs = [...settled ? [...record.same, ...left] : entries, ...before].filter(({ id }) => typeOf(id) === "dir");
		const stays = blocked(record);
		for (const path of otherThanHost(port, uppers, [...new Set(dirs.map(({ path }) => path))])) stays.add(path);
		const drop = new Drop({
			port,
			uppers,
			made,
			stays,
			going: idsOf(entries),
			before: idsOf(before)
		});
		await drop.all();
		forget({
			ctx,
			bases,
			uppers
		}, [...going, ...before], moved);
		const frozen = going.filter(({ path }) => drop.isFrozen(path));
		return {
			count: drop.count,
			stay: [...frozen, ...copied.filter(isRoot)].map(({ path }) => path)
		};
	});
}
function earlierEntries(port, ctx, n) {
	return commitNumbers(port, ctx).filter((number) => number < n).flatMap((number) => {
		const record = readJournal(port, ctx, number);
		if (record === null || record.report === null || record.begin.undoes !== void 0) return [];
		return [...record.same, ...record.standing().flatMap(entriesOf)];
	});
}
function idsOf(entries) {
	return new Map(entries.flatMap(({ path, id }) => id === null ? [] : [[path, id]]));
}
function mayBeOnHost(port, path) {
	return orIfRefused(() => port.lstat(path) !== null, true);
}
function forgetMoved(port, ctx, record) {
	const moved = record.units.filter(isMoved).filter(({ i }) => record.done.has(i));
	if (moved.length === 0) return;
	const bases = readBaseFile(ctx);
	useAndClose(new Uppers(port, ctx, null), (uppers) => forget({
		ctx,
		bases,
		uppers
	}, [], moved));
}
var isMoved = (unit) => unit.kind === "move-to-host";
function forget({ ctx, bases: file, uppers }, going, moved) {
	const names = /* @__PURE__ */ new Map();
	const isThere = (path) => {
		const dir = parentOf(path);
		if (!names.has(dir)) names.set(dir, orIfRefused(() => new Set(uppers.readdir(dir)), null));
		return names.get(dir)?.has(nameOf(path)) ?? uppers.lstat(path) !== null;
	};
	const isGone = ({ path }) => file.records.has(path) && !isThere(path);
	const gone = new Set(going.filter(isGone).map(({ path }) => path));
	const again = moved.filter(({ path }) => uppers.lstat(path) !== null);
	for (const { path } of again.flatMap((unit) => entriesOf(unit).filter(isGone))) gone.add(path);
	const left = new Set(moved.filter((unit) => !again.includes(unit)).map(({ path }) => path));
	if (left.size > 0) {
		for (const path of file.records.keys()) if (left.has(path) || isBelowAny(path, left)) gone.add(path);
	}
	dropBases(ctx, file, [...gone]);
}
function blocked(record) {
	const standing = new Set(record.standing());
	const failed = record.units.filter((unit) => !standing.has(unit)).flatMap(entriesOf);
	const left = [
		...record.begin.leftOut,
		...record.refused.map(({ path }) => path),
		...failed.map(({ path }) => path)
	];
	const stays = new Set(left);
	for (const path of left) for (let dir = parentOf(path); dir !== "/" && !stays.has(dir); dir = parentOf(dir)) stays.add(dir);
	return stays;
}
var Drop = class {
	count = 0;
	#parts;
	#decided = /* @__PURE__ */ new Map();
	#pace = new Pace();
	constructor(parts) {
		this.#parts = parts;
	}
	isFrozen(path) {
		const top = this.#parts.made.topOf(path);
		return top !== null && this.#decided.get(top) === false;
	}
	async all() {
		const errors = [];
		const { going, made, uppers } = this.#parts;
		for (const path of [...going.keys()].sort().reverse()) {
			await this.#pace.breathe();
			const top = made.topOf(path);
			try {
				if (top !== null) await this.#whole(top);
				else this.#one(path);
			} catch (error) {
				if (errorCode(error) === "") throw error;
				errors.push(error);
			}
		}
		uppers.removeMovedOut();
		if (errors.length > 0) throw errors[0];
	}
	#one(path) {
		const { uppers, going } = this.#parts;
		const now = uppers.lstat(path);
		if (now === null || !this.#mayGo(path, now, going.get(path))) return;
		if (now.type === "dir" && uppers.readdir(path).length > 0) return;
		uppers.remove(path, now.type);
		this.count++;
	}
	async #whole(top) {
		if (this.#decided.has(top)) return;
		const inside = await this.#countIfCommitted(top);
		this.#decided.set(top, inside !== null);
		const { uppers } = this.#parts;
		if (inside === null || inside === 0 || uppers.lstat(top)?.type !== "dir") return;
		uppers.moveOut(top);
		this.count += inside;
	}
	async #countIfCommitted(top) {
		const { uppers, going, before } = this.#parts;
		const stack = [top];
		let count = 0;
		for (let path = stack.pop(); path !== void 0; path = stack.pop()) {
			await this.#pace.breathe();
			const now = uppers.lstat(path);
			if (now === null) continue;
			if (!this.#mayGo(path, now, going.get(path) ?? before.get(path))) return null;
			count++;
			if (now.type === "dir") for (const name of uppers.readdir(path)) stack.push(joinPath(path, name));
		}
		return count;
	}
	#mayGo(path, now, id) {
		if (id === void 0 || this.#parts.stays.has(path)) return false;
		return isWhiteout(now) ? typeOf(id) === "char" && !mayBeOnHost(this.#parts.port, path) : isSame$3(id, now);
	}
};
var MadeDirs = class {
	#ctx;
	#tops = /* @__PURE__ */ new Map();
	constructor(ctx) {
		this.#ctx = ctx;
	}
	async look(paths, isDir) {
		if (paths.length === 0) return;
		const pace = new Pace();
		await useAndCloseAsync(await openViewer(this.#ctx), async (viewer) => {
			const shows = (path) => {
				const upper = upperPathIn(this.#ctx.coveredDirs, path);
				if (upper === null) return false;
				return orIfRefused(() => showsHost(viewer, {
					host: path,
					upper
				}), false);
			};
			for (const path of paths) {
				await pace.breathe();
				const dir = parentOf(path);
				if (this.#find(dir, shows) !== null || this.#tops.has(path) || !isDir(path)) continue;
				this.#tops.set(path, shows(path) ? null : path);
			}
		});
	}
	topOf(path) {
		return this.#tops.get(path) ?? this.#tops.get(parentOf(path)) ?? null;
	}
	#find(dir, shows) {
		const known = this.#tops.get(dir);
		if (known !== void 0) return known;
		const isRoot = coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === "/";
		const top = (isRoot ? null : this.#find(parentOf(dir), shows)) ?? (isRoot || shows(dir) ? null : dir);
		this.#tops.set(dir, top);
		return top;
	}
};
init_fingerprint();
function hashesIn({ begin, units, done }, records) {
	const found = [];
	if (!begin.reversible) return found;
	for (const unit of units) {
		if (unit.kind !== "put" || unit.image !== "link" || unit.host === null || !done.has(unit.i)) continue;
		const base = records.get(unit.path)?.base;
		if (base?.state !== "known" || base.sha256 === void 0 || base.index !== void 0) continue;
		if (isOf$1(unit.host, base.host)) found.push([
			unit.i,
			base.sha256,
			base.blob === true
		]);
	}
	return found;
}
function restoredBases({ ctx, journal: { record }, earlier }, commit) {
	const found = /* @__PURE__ */ new Map();
	if (earlier !== void 0 || commit === null || commit.hashes.size === 0) return found;
	const isStored = blobsStored(ctx, commit.hashes.size);
	for (const unit of record.units) {
		const stamp = record.stamps.get(unit.i);
		if (stamp === void 0 || record.done.get(unit.i) !== "" || !isImage(unit)) continue;
		const { path, result, reverts = [] } = unit;
		const [id, hash] = [result[0]?.id ?? null, commit.hashes.get(reverts[0] ?? -1)];
		if (id === null || hash === void 0 || !isUntouched(commit, reverts[0] ?? -1, id)) continue;
		const { sha256, blob } = hash;
		if (blob && !isStored(sha256)) continue;
		const base = {
			state: "known",
			host: hostStatOf(id, stamp),
			sha256,
			blob
		};
		found.set(path, {
			path,
			base,
			listed: false
		});
	}
	return found;
}
var isImage = (unit) => unit.kind === "put" && unit.stage === "before";
function isUntouched({ unitOf, endedAt }, i, id) {
	const unit = unitOf.get(i);
	const host = unit === void 0 ? null : hostOf(unit);
	return endedAt !== null && host !== null && isRenamedBy(endedAt, host, id);
}
init_bytes();
init_entry();
init_fingerprint();
init_port();
function indexesIn(port, record) {
	const indexes = {};
	if (!record.begin.reversible) return {};
	for (const unit of record.units) {
		const { i } = unit;
		if (!record.done.has(i)) continue;
		if (unit.kind === "move-to-host" && !unit.tree.text.includes("/index//")) continue;
		for (const { path, id } of resultOf$1(unit)) {
			if (id === null || nameOf(path) !== "index") continue;
			const now = orNull(() => port.lstat(path));
			if (now === null || !isAsLeft(id, now, null, stampOf(record, i, path, id))) continue;
			const digest = digestNow(path, now);
			if (digest !== null) indexes[path] = digest;
		}
	}
	return Object.keys(indexes).length === 0 ? {} : { indexes };
}
function saysAsLeft(path, { id, index }, now) {
	if (index === void 0 || id === null || now?.type !== "file" || now.nlink !== 1) return false;
	return sameFields(fingerprint(id), now, [
		"type",
		"mode",
		"uid",
		"gid"
	]) && digestNow(path, now) === index;
}
function digestNow(path, now) {
	const entry = orNull(() => lstatEntry(path));
	if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
	return orNull(() => indexDigest(path, identityOf$2(entry)));
}
async function rebaseResults(task, paths, hiding, undone = null) {
	const { port, ctx, earlier } = task;
	const { record } = task.journal;
	const file = readBaseFile(ctx);
	const restored = restoredBases(task, undone);
	const entries = [...findUnseen(port, record, await rebase(ctx, restored.size === 0 ? paths : paths.filter((path) => !restored.has(path)), hiding, file), earlier)].map(([path, base]) => [path, {
		listed: false,
		...file.records.get(path),
		path,
		base
	}]);
	appendBases(ctx, file, [...restored, ...entries]);
}
function findUnseen(port, record, based, earlier) {
	const unseen = /* @__PURE__ */ new Map();
	const dressed = [];
	for (const unit of record.units) {
		if (!record.done.has(unit.i)) continue;
		const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
		const nothing = entriesOf(unit).map(({ path }) => ({
			path,
			id: null
		}));
		const left = new Map([...nothing, ...resultOf$1(unit)].map(({ path, id }) => [path, id]));
		for (const [path, id] of left) {
			const now = based.get(path);
			if (now === void 0) continue;
			if (isAsLeft(id, now, until, stampOf(record, unit.i, path, id))) unseen.delete(path);
			else unseen.set(path, { state: id === null ? "absent" : "unknown" });
		}
		if (unit.kind === "meta" && unit.xattrs !== void 0 && based.has(unit.path)) dressed.push(unit);
	}
	const texts = port.xattrsOf(dressed.map(({ path }) => path));
	dressed.forEach(({ path, xattrs }, i) => {
		if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: "unknown" });
	});
	return unseen;
}
init_bytes();
init_entry();
init_reasons();
function* hostTree(dir, dev, look) {
	const stack = [dir];
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
		yield null;
		let names;
		try {
			names = readNames(at);
			if (holdsOutOfReach(at)) look.onProblem({
				path: at,
				message: OUT_OF_REACH
			});
		} catch (error) {
			look.onProblem({
				path: at,
				message: dirUnreadable(errorText(error))
			});
			continue;
		}
		for (const name of names) {
			const path = joinPath(at, name);
			if (look.skip(path)) continue;
			const entry = hostEntry(path);
			if (entry === null) continue;
			if (entry === "closed") {
				look.onProblem({
					path: at,
					message: DIR_CLOSED
				});
				break;
			}
			if (entry.type === "dir" && entry.dev !== dev) {
				look.onProblem({
					path,
					message: OTHER_FILE_SYSTEM
				});
				continue;
			}
			yield {
				path,
				entry
			};
			if (entry.type === "dir") stack.push(path);
		}
	}
}
init_bytes();
init_call_times();
init_identity();
init_entry();
init_xattrs();
async function readBases(ctx) {
	const bases = makeBases(readBaseFile(ctx).records);
	return { lookup(path) {
		const base = bases.lookup(path);
		const covered = base.state === "none" ? copiedDirOf(ctx, path) : void 0;
		return covered === void 0 ? base : copiedBase(ctx, covered, path, null);
	} };
}
async function recordBases(ctx, options = {}) {
	const began = Date.now() - 20;
	const file = readBaseFile(ctx);
	const viewer = new EarlyViewer(ctx);
	const pass = new Pass$1(ctx, file, options, () => viewer.begin());
	try {
		for (const covered of ctx.coveredDirs) await inSlices(pass.walk(covered.path, covered.upper), never);
		while (pass.asked.length > 0) await inSlices(pass.askForCopies(), never);
		const noted = noteXattrs(pass.taken.values());
		noted.catch(() => {});
		if (pass.touched.length > 0) await inSlices(pass.listReplaced(await viewer.opened()), never);
		await noteXattrs(pass.taken.values(), await noted);
	} finally {
		await viewer.close();
	}
	appendBases(ctx, file, [...pass.left().map((path) => [path, null]), ...pass.taken]);
	notePass(ctx, began);
	return { added: pass.taken.size };
}
var never = () => false;
var EarlyViewer = class {
	#ctx;
	#opening = null;
	#shown = 0;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	begin() {
		if (this.#opening !== null) return;
		this.#shown = shownBy(this.#ctx).length;
		this.#opening = openViewer(this.#ctx);
		this.#opening.catch(() => {});
	}
	async opened() {
		if (this.#opening !== null && shownBy(this.#ctx).length !== this.#shown) {
			await this.close();
			this.#opening = null;
		}
		this.begin();
		return await this.#opening;
	}
	async close() {
		await (await this.#opening?.catch(() => null))?.close();
	}
};
var Pass$1 = class {
	taken = /* @__PURE__ */ new Map();
	touched = [];
	asked = [];
	seen = /* @__PURE__ */ new Set();
	hid = /* @__PURE__ */ new Set();
	closed = /* @__PURE__ */ new Set();
	ctx;
	file;
	window;
	clocks;
	before;
	onTouched;
	constructor(ctx, file, options, onTouched) {
		[this.ctx, this.file, this.onTouched] = [
			ctx,
			file,
			onTouched
		];
		this.window = new SeenWindow(ctx, file, options);
		this.clocks = new HostClocks(ctx);
		this.before = makeBases(file.records);
	}
	*walk(root, upperRoot) {
		this.seen.add(root);
		const upper = lstatEntry(upperRoot);
		if (upper !== null && isClosed$1(upper, this.ctx.root)) return void this.closed.add(root);
		const rootEntry = lstatEntry(root);
		const onHost = rootEntry?.type === "dir";
		yield* this.directories([{
			path: root,
			upperPath: upperRoot,
			onHost,
			above: aboveRoot(rootEntry)
		}]);
	}
	*askForCopies() {
		const asked = this.asked;
		this.asked = [];
		const answers = areCopies(asked.map(({ upperPath }) => upperPath));
		yield null;
		const stack = [];
		for (const { path, upperPath, upper, host, above } of asked.filter((_, i) => answers[i] === true)) {
			const listed = this.taken.get(path)?.listed === true;
			const base = host === null ? { state: "unknown" } : knownBase(this.ctx, path, host, upper);
			this.take({
				path,
				base,
				listed
			});
			if (host === null && upper.type === "dir" && !isClosed$1(upper, this.ctx.root)) stack.push({
				path,
				upperPath,
				onHost: false,
				above
			});
		}
		yield* this.directories(stack);
	}
	*directories(stack) {
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			for (const name of namesOrNone(at.upperPath)) {
				const path = joinPath(at.path, name);
				const upperPath = joinPath(at.upperPath, name);
				const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
				const host = upper !== null && at.onHost ? hostEntry(path) : null;
				if (upper === null) continue;
				const known = host === "closed" ? {
					host: null,
					above: UNSEEN$1
				} : {
					host,
					above: at.above
				};
				if (!(yield* this.entry({
					path,
					upperPath,
					upper,
					...known
				}))) continue;
				if (isClosed$1(upper, this.ctx.root)) continue;
				const onHost = known.host?.type === "dir";
				const above = known.host !== null && onHost ? below$1(at.above, known.host) : known.above;
				stack.push({
					path,
					upperPath,
					onHost,
					above: this.hid.has(path) ? UNSEEN$1 : above
				});
			}
		}
	}
	*listReplaced(viewer) {
		const unseen = /* @__PURE__ */ new Set();
		for (const { path, upperPath, above } of this.touched) {
			yield null;
			const present = new Set(namesOrNone(upperPath));
			const missing = namesOrNone(path).filter((name) => !present.has(name));
			const record = this.taken.get(path) ?? this.file.records.get(path);
			if (record === void 0 || this.closed.has(path)) continue;
			const born = String(lstatEntry(upperPath)?.birthNs ?? 0n);
			const dir = {
				host: path,
				upper: upperPath
			};
			const hides = hiddenNames(viewer, dir, missing).length > 0;
			const shows = !hides && showsHost(viewer, dir);
			if (hides || record.born !== born || (record.shows ?? false) !== shows) this.take({
				...record,
				listed: record.listed || hides,
				born,
				shows
			});
			const met = this.file.records.get(path);
			const blind = met !== void 0 && !shows && ((met.born ?? born) === born || met.shows !== true);
			if (blind) unseen.add(path);
			if (!hides) continue;
			const made = lstatEntry(upperPath);
			if (made !== null) yield* this.listing(path, this.windowOf(path, made), blind ? UNSEEN$1 : above);
		}
		if (unseen.size > 0) this.doubt(unseen);
	}
	doubt(dirs) {
		for (const { path, base, ...more } of this.taken.values()) if (base.state === "known" && !this.file.records.has(path) && isBelowAny(path, dirs)) this.take({
			path,
			base: { state: "unknown" },
			...more
		});
	}
	left() {
		const gone = [];
		const listed = new Set(this.closed);
		for (const record of [...this.file.records.values(), ...this.taken.values()]) if (record.listed && this.seen.has(record.path)) listed.add(record.path);
		for (const path of this.file.records.keys()) if (!this.seen.has(path) && !this.taken.has(path) && !isBelowAny(path, listed)) gone.push(path);
		return gone;
	}
	*entry({ path, upperPath, upper, host, above }) {
		this.seen.add(path);
		const isDir = upper.type === "dir";
		const old = this.file.records.get(path);
		if (isClosed$1(upper, this.ctx.root)) this.closed.add(path);
		if (old !== void 0) return yield* this.again(old, {
			path,
			upperPath,
			upper,
			host,
			above
		});
		const copied = copiedDirOf(this.ctx, path);
		if (copied !== void 0) {
			this.take({
				path,
				base: copiedBase(this.ctx, copied, path, upper),
				listed: false
			});
			return false;
		}
		const birth = upper.birthNs - this.clocks.lag(path);
		const hidden = this.before.lookup(path).state === "absent";
		if (host === null || hidden) {
			this.take({
				path,
				base: { state: "absent" },
				listed: false
			});
			if (!hidden && above.ctimeNs >= birth && !isWhiteout(upper)) this.asked.push({
				path,
				upperPath,
				upper,
				host,
				above
			});
			return false;
		}
		yield null;
		const window = this.windowOf(path, upper);
		const gone = host.type === "dir" && !isDir;
		const seen = wasSeen(host, window, window, above);
		const base = seen ? knownBase(this.ctx, path, host, upper) : { state: "unknown" };
		const both = isDir && host.type === "dir";
		this.take({
			path,
			base,
			listed: gone,
			...both && { born: String(upper.birthNs) }
		});
		if (!seen && both && wasSeen(host, birth, window, above)) this.asked.push({
			path,
			upperPath,
			upper,
			host,
			above
		});
		if (gone) yield* this.listing(path, window, below$1(above, host));
		if (both) this.touch({
			path,
			upperPath,
			onHost: true,
			above: below$1(above, host)
		});
		return isDir && wasDirectory(base);
	}
	*again(old, { path, upperPath, upper, host, above }) {
		const isDir = upper.type === "dir";
		if (host?.type === "dir" && !old.listed) {
			if (!isDir && wasDirectory(old.base)) {
				this.take({
					...old,
					listed: true
				});
				const shown = old.shows === true ? below$1(above, host) : UNSEEN$1;
				yield* this.listing(path, this.windowOf(path, upper), shown);
			} else if (isDir && old.base.state !== "absent") this.touch({
				path,
				upperPath,
				onHost: true,
				above: below$1(above, host)
			});
		} else if (host?.type !== "dir" && old.shows === true && !(isDir && old.born === String(upper.birthNs))) this.take({
			...old,
			shows: false
		});
		if (isDir && old.base.state === "unknown" && upper.birthNs > this.file.lastPassNs) this.hid.add(path);
		return isDir && wasDirectory(old.base);
	}
	windowOf(path, upper) {
		return this.window.of(upper) - this.clocks.lag(path);
	}
	*listing(dir, window, above) {
		const host = lstatEntry(dir);
		if (host?.type !== "dir") return;
		const dirs = /* @__PURE__ */ new Map([[dir, above]]);
		const look = {
			skip: (path) => isExcluded(path, this.ctx.excluded),
			onProblem: () => {}
		};
		for (const node of hostTree(dir, host.dev, look)) {
			if (node === null) yield null;
			const holder = node === null ? above : dirs.get(parentOf(node.path)) ?? above;
			if (node?.entry.type === "dir") dirs.set(node.path, below$1(holder, node.entry));
			if (node === null || this.taken.has(node.path)) continue;
			if (this.before.lookup(node.path).state !== "none") continue;
			const base = wasSeen(node.entry, window, window, holder) ? {
				state: "known",
				host: toHostStat(node.entry, node.path)
			} : { state: "unknown" };
			this.take({
				path: node.path,
				base,
				listed: false
			});
		}
	}
	touch(dir) {
		this.touched.push(dir);
		this.onTouched();
	}
	take(record) {
		this.taken.set(record.path, record);
	}
};
init_bytes();
init_identity();
init_entry();
init_xattrs();
function* forgiveSame(ctx, changes, bases) {
	const same = [];
	for (const change of changes) {
		const base = change.conflict === "host-changed" ? bases.lookup(change.path) : null;
		if (base === null || !looksSame(change, base)) continue;
		yield null;
		if (saysSame(change, base)) same.push(change);
	}
	const texts = xattrsOf(same.flatMap(({ path }) => [path, upperPathIn(ctx.coveredDirs, path) ?? path]));
	same.forEach((change, i) => {
		if (texts[2 * i] === "" && texts[2 * i + 1] === "" || change.host?.type === "symlink") change.conflict = null;
	});
}
function saysSame({ path, hostIdentity }, { host, sha256, index }) {
	if (host.type === "symlink") return true;
	if (index !== void 0) return indexDigest(path, hostIdentity) === index;
	return hashSame(path, hostIdentity) === sha256;
}
function looksSame({ pending, host, hostLinks }, base) {
	if (base.state !== "known") return false;
	const { type, mode, uid, gid, size, nlink, target } = base.host;
	if (pending?.type !== host?.type || host?.type !== type) return false;
	if (!(type === "symlink" ? target !== void 0 && host.target === target : type === "file") || type === "file" && base.sha256 === void 0 && base.index === void 0) return false;
	if (nlink !== 1 || hostLinks !== void 0) return false;
	const sameMode = type === "symlink" || host.mode === mode;
	const sameSize = host.size === size || base.index !== void 0;
	return sameMode && host.uid === uid && host.gid === gid && sameSize;
}
function databaseFiles(path) {
	const base = path.replace(SQLITE, "");
	return [
		base,
		`${base}-wal`,
		`${base}-journal`
	];
}
function findMovedPartners(ctx, changes) {
	const names = /* @__PURE__ */ new Map();
	let listed = null;
	const clocks = new HostClocks(ctx);
	for (const change of changes) {
		if (change.conflict !== null || change.pending?.type === "dir") continue;
		if (change.host === null && !SQLITE.test(change.path)) continue;
		const dir = parentOf(change.path);
		const inDir = names.get(dir) ?? new Set(namesOrNone(dir));
		names.set(dir, inDir);
		const partners = databaseFiles(change.path).filter((path) => path !== change.path && inDir.has(nameOf(path)));
		if (partners.length === 0) continue;
		const since = birthOf(ctx, change.path) - clocks.lag(change.path);
		listed ??= new Set(changes.map(({ path }) => path));
		if (partners.filter((path) => listed?.has(path) === false).some((path) => (lstatEntry(path)?.ctimeNs ?? 0n) >= since)) change.conflict = "host-changed";
	}
}
function partnerMovedSince(path, since) {
	return databaseFiles(path).filter((other) => other !== path).some((other) => (lstatOrNone(other)?.ctimeNs ?? 0n) > since);
}
function partnersOf(path) {
	return [...databaseFiles(path), `${path.replace(SQLITE, "")}-shm`].filter((other) => other !== path && lstatOrNone(other) !== null);
}
function isSameDatabase(a, b) {
	return a.replace(SQLITE, "") === b.replace(SQLITE, "");
}
function birthOf(ctx, path) {
	const upper = upperPathIn(ctx.coveredDirs, path);
	return (upper === null ? null : lstatEntry(upper))?.birthNs ?? 0n;
}
var ALIKE_MAX = 16;
function* findRenames(ctx, changes) {
	const candidates = candidatesIn(ctx, changes);
	if (candidates.length === 0) return;
	const copies = areCopies(candidates.map(({ upper }) => upper));
	const claims = /* @__PURE__ */ new Map();
	for (const candidate of candidates.filter((_, i) => copies[i])) {
		yield null;
		const equal = [];
		for (const from of candidate.from) if (yield* sameFile(candidate, from)) equal.push(from);
		const [only] = equal;
		if (only === void 0 || equal.length > 1) continue;
		claims.set(only, [...claims.get(only) ?? [], candidate]);
	}
	for (const [from, claimed] of claims) {
		const [only] = claimed;
		if (only !== void 0 && claimed.length === 1) only.to.renamedFrom = from.path;
	}
}
function candidatesIn(ctx, changes) {
	const deleted = /* @__PURE__ */ new Map();
	for (const change of changes) {
		if (change.kind !== "deleted" || change.host?.type !== "file") continue;
		const key = sizeAndTime(change.hostIdentity);
		const alike = deleted.get(key);
		if (alike === void 0) deleted.set(key, [change]);
		else alike.push(change);
	}
	if (deleted.size === 0) return [];
	return changes.flatMap((to) => {
		if (to.kind !== "added" || to.pending?.type !== "file") return [];
		const from = deleted.get(sizeAndTime(to.upperIdentity));
		if (from === void 0 || from.length > ALIKE_MAX) return [];
		const upper = upperPathIn(ctx.coveredDirs, to.path);
		return upper === null ? [] : [{
			to,
			upper,
			from
		}];
	});
}
function sizeAndTime(identity) {
	const fields = identityFields(identity);
	return `${fields?.size}.${fields?.mtimeNs}`;
}
function* sameFile({ to, upper }, from) {
	try {
		const [old, now] = [entryOf(from.path, from.hostIdentity), entryOf(upper, to.upperIdentity)];
		return old !== null && now !== null && (yield* sameContent(from.path, old, upper, now));
	} catch {
		return false;
	}
}
function entryOf(path, identity) {
	const entry = lstatEntry(path);
	return entry !== null && lookIdentity(entry) === identity ? entry : null;
}
init_fingerprint();
function lastResults(port, ctx, record) {
	const found = /* @__PURE__ */ new Map();
	for (const n of commitNumbers(port, ctx)) {
		if (n < record.n) continue;
		const one = n === record.n ? record : readJournal(port, ctx, n);
		if (one?.begin.reversible !== true) continue;
		for (const unit of one.units) {
			const { i } = unit;
			const before = foundBelow(unit);
			const isOurs = (path) => {
				const known = found.get(path);
				return known === void 0 || known.n === n || hasFound(unit, path, before, known);
			};
			if (!isOurs(unit.path)) continue;
			const known = found.get(unit.path);
			if (!one.done.has(i)) {
				if (known !== void 0 && one.stamps.has(i)) found.set(unit.path, {
					...known,
					stamp: one.stamps.get(i)
				});
				continue;
			}
			const to = unit.kind === "meta" ? unit.xattrs?.to : void 0;
			const gone = [...before.keys()].map((path) => ({
				path,
				id: null
			}));
			const left = new Map([...gone, ...resultOf$1(unit)].map(({ path, id }) => [path, id]));
			for (const [path, id] of left) {
				if (!isOurs(path)) continue;
				const xattrs = to ?? (typeOf(id) === "dir" ? found.get(path)?.xattrs : void 0);
				const stamp = stampOf(one, i, path, id);
				const index = one.indexes[path];
				found.set(path, {
					n,
					id,
					endedAt: one.endedAt,
					stamp,
					index,
					...xattrs === void 0 ? {} : { xattrs }
				});
			}
		}
	}
	return found;
}
function foundBelow(unit) {
	if (unit.kind === "move-to-store") return new Map(unit.entries.map(({ path, id }) => [path, id]));
	return new Map(replacedBelow(unit).map(({ path, host }) => [path, host]));
}
function hasFound(unit, path, before, known) {
	const from = unit.kind === "meta" ? unit.xattrs?.from : void 0;
	if (from !== void 0 && known.xattrs !== void 0 && from !== known.xattrs) return false;
	const host = path === unit.path ? hostOf(unit) : before.get(path) ?? null;
	return isAsLeft(known.id, host === null ? null : fingerprint(host), null);
}
init_entry();
init_fingerprint();
async function collectOverrides(ctx, { steps }, merges) {
	const taken = /* @__PURE__ */ new Map();
	const against = steps.flatMap(changesOf).filter(({ conflict, path }) => conflict !== null && !merges.has(path));
	if (against.length === 0) return taken;
	const bases = await readBases(ctx);
	const ownGroups = /* @__PURE__ */ new Set();
	for (const change of against) {
		const base = ownBase(change, bases.lookup(change.path));
		if (base !== null) ownGroups.add(change.group);
		taken.set(change.path, {
			path: change.path,
			...base === null ? {} : { base }
		});
	}
	for (const { path, group } of against) {
		const isByGroup = group !== null && ownGroups.has(group);
		if (taken.get(path)?.base === void 0 && !isByGroup) taken.set(path, {
			path,
			base: { state: "unknown" }
		});
	}
	return taken;
}
function ownBase({ path, conflict }, base) {
	if (conflict === "host-parent-gone") return { state: "absent" };
	if (base.state === "none") return conflict === "unknown-base" ? { state: "unknown" } : null;
	const now = lstatEntry(path);
	return conflictOf$1({
		base,
		host: now === null ? null : toHostStat(now, path),
		since: 0n,
		parentGone: false,
		below: false
	}) === null ? null : base;
}
function overridesOf(overrides, step, failed) {
	if (overrides.size === 0) return [];
	return changesOf(step).flatMap(({ path }) => {
		const one = failed.has(path) ? void 0 : overrides.get(path);
		return one === void 0 ? [] : [one];
	});
}
function revertedOverrides({ units, undone }) {
	return units.flatMap(({ i, overrides }) => undone.has(i) ? overrides ?? [] : []).map(({ path }) => path);
}
function noteBeside(journal, commit) {
	const paths = [...new Set(revertedOverrides(commit).flatMap(partnersOf))];
	if (paths.length > 0) journal.add({
		t: "beside",
		paths
	});
}
function isPartnerGone(path, beside) {
	const now = new Set(partnersOf(path));
	return beside.some((other) => isSameDatabase(path, other) && !now.has(other));
}
function choicesOfRedo(port, ctx, changes, undo, commit) {
	const choices = {};
	const taken = new Set(commit === null ? [] : revertedOverrides(commit));
	if (taken.size === 0) return choices;
	const left = lastResults(port, ctx, undo);
	for (const { id, path, conflict, xattrs } of changes) {
		const then = left.get(path);
		if (conflict === null || !taken.has(path) || then === void 0) continue;
		const now = port.lstat(path);
		if (then.endedAt === null || !isAsLeft(then.id, now, then.endedAt, then.stamp)) continue;
		const end = BigInt(then.endedAt) * 1000000n;
		if (partnerMovedSince(path, end) || isPartnerGone(path, undo.beside)) continue;
		if (now !== null && now.type !== "dir" && now.ctimeNs > end) continue;
		if (xattrs === true && now?.type === "dir" && port.xattrsOf([path])[0] !== then.xattrs) continue;
		choices[id] = "take-sandbox";
	}
	return choices;
}
init_bytes();
init_entry();
init_port();
init_state_file();
var REPLAY_NAME = ".trai-replay";
var SEEN_NAME = `${REPLAY_NAME}-seen`;
var KEPT$1 = "kept-";
var GONE = "gone-";
var replayDirIn = (dir) => joinPath(dir, REPLAY_NAME);
function replayDirs(projectRoot) {
	return [replayDirIn(joinPath(projectRoot, ".git")), replayDirIn(projectRoot)];
}
function savedIn(projectRoot, replayDir) {
	return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf(replayDir);
}
function isEventMark(upper) {
	return lstatOrNone(upper)?.type === "symlink" && readTarget(upper) === nameOf(upper);
}
function ownReplayDirs(scope, beside = []) {
	const made = readMade(scope.sessionDir);
	const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
	return [.../* @__PURE__ */ new Set([
		...usual,
		...made.keys(),
		...beside
	])].filter((path) => isOwn(scope, made, path));
}
function replayDirsOf(scope, covered, paths) {
	const beside = paths.map((path) => replayDirIn(parentOf(path)));
	const going = new Set(paths);
	return ownReplayDirs(scope, beside).filter((path) => coveringDir(scope.coveredDirs, path) === covered && !isBelowAny(path, going));
}
function presentReplayDirs(scope) {
	return ownReplayDirs(scope).filter((path) => upperOf$1(scope, path)?.type === "dir");
}
function noteReplayDir(scope, path, make) {
	const there = upperOf$1(scope, path);
	if (there !== null && readMade(scope.sessionDir).get(path) === idOf(there)) return;
	const note = (id) => {
		const made = readMade(scope.sessionDir);
		if (id === void 0) made.delete(path);
		else made.set(path, id);
		const lines = [...made].map(([at, known]) => `${JSON.stringify({
			path: at,
			id: known
		})}\n`);
		writeWhole(fileOf$4(scope.sessionDir), lines.join(""));
	};
	note(null);
	try {
		make();
	} catch (error) {
		note(void 0);
		throw error;
	}
	const upper = upperOf$1(scope, path);
	note(upper === null ? void 0 : idOf(upper));
}
function isOwn(scope, made, path) {
	if (statOf$2(path) !== null) return false;
	const upper = upperOf$1(scope, path);
	if (upper === null) return true;
	const id = made.get(path);
	if (upper.type !== "dir" || id === void 0) return false;
	if (id !== null) return id === idOf(upper);
	const covered = coveringDir(scope.coveredDirs, path);
	return covered !== null && namesOrNone(upperPath(covered, path)).every((name) => name === "in");
}
function upperOf$1({ coveredDirs }, path) {
	const covered = coveringDir(coveredDirs, path);
	return covered === null ? null : statOf$2(upperPath(covered, path));
}
var statOf$2 = (path) => orNull(() => lstatOrNone(path));
function idOf({ ino, birthNs }) {
	return `${ino}:${birthNs}`;
}
function readMade(sessionDir) {
	const lines = readPlainFile(fileOf$4(sessionDir))?.toString("latin1").split("\n") ?? [];
	return new Map(lines.flatMap(parseNote));
}
function parseNote(line) {
	try {
		const { path, id } = Object(JSON.parse(line));
		return typeof path === "string" && path.startsWith("/") && isByteString(path) && (id === null || typeof id === "string") ? [[path, id]] : [];
	} catch {
		return [];
	}
}
function fileOf$4(sessionDir) {
	return `${sessionDir}/overlay/replay-dirs.jsonl`;
}
init_bytes();
init_identity();
init_fingerprint();
init_port();
function isStored(port, at, stored) {
	return orIfRefused(() => {
		const pair = pairOf(port, at, stored);
		return pair !== null && isSame$1(pair);
	}, false);
}
function isStoredWhole(port, at, stored) {
	return orIfRefused(() => eachIs(isSame$1, port, at, stored), false);
}
function isLikeStored(port, at, stored) {
	return eachIs(isLike$1, port, at, stored);
}
function pairOf(port, at, stored) {
	const [now, kept] = [port.lstat(at), port.lstat(stored)];
	return now === null || kept === null ? null : {
		port,
		at,
		now,
		stored,
		kept
	};
}
function eachIs(is, port, at, stored) {
	const pair = pairOf(port, at, stored);
	if (pair === null || !is(pair)) return false;
	if (pair.kept.type !== "dir") return true;
	const names = port.readdir(stored);
	if (names.length !== port.readdir(at).length) return false;
	return names.every((name) => eachIs(is, port, joinPath(at, name), joinPath(stored, name)));
}
var isLike$1 = ({ now, kept }) => looksAlike(identityOf$1(kept), now);
function isSame$1(pair) {
	const { port, at, now, stored, kept } = pair;
	if (isWhiteout(now) || isWhiteout(kept)) return isWhiteout(now) && isWhiteout(kept);
	if (!isLike$1(pair)) return false;
	if (now.type === "symlink") return port.readlink(at) === port.readlink(stored);
	return now.type !== "file" || resultAtOnce(sameContent(at, now, stored, kept));
}
init_bytes();
init_dir_handles();
init_entry();
init_entry_errors();
init_fingerprint();
init_port();
init_xattrs();
var PendingPlan = class {
	items = [];
	failed = /* @__PURE__ */ new Map();
	#port;
	#ctx;
	#dirs;
	#uppers;
	#commit;
	#changed;
	#copies = null;
	#opaque = /* @__PURE__ */ new Map();
	#hidden = /* @__PURE__ */ new Map();
	#missing = /* @__PURE__ */ new Set();
	#viewer = null;
	constructor({ port, ctx, dirs, uppers }, commit, changed) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
		this.#uppers = uppers;
		this.#commit = commit;
		this.#changed = changed;
	}
	async add(displaced) {
		const { path, i } = displaced;
		const before = this.items.length;
		try {
			if (coveringDir(this.#ctx.coveredDirs, path) === null) return;
			if (await this.#isHidden(parentOf(path))) this.#keep(displaced);
			else await this.#add(displaced);
		} catch (error) {
			const message = entryMessage(error);
			if (message === null) throw error;
			this.items.length = before;
			this.failed.set(i, message);
		}
	}
	async isWhole(path) {
		if (coveringDir(this.#ctx.coveredDirs, path) === null || this.#uppers.lstat(path) !== null) return false;
		return !await this.#isHidden(parentOf(path));
	}
	async dropNeedless() {
		const isDeletion = ({ line }) => line.kind === "whiteout";
		const opaque = await markedOpaque(this.#ctx, this.items.filter(isDeletion));
		this.items = this.items.filter((item) => !isDeletion(item) || !isBelowAny(item.line.path, opaque));
	}
	async close() {
		await this.#viewer?.close();
		this.#viewer = null;
	}
	async #add(displaced) {
		const { i, path, now, alone, below, moves } = displaced;
		const upper = this.#missing.has(parentOf(path)) ? null : this.#uppers.lstatHere(path);
		if (upper === null) {
			const kind = now === null ? "whiteout" : alone && now.type === "dir" ? "dir" : "copy";
			this.#push({
				i,
				path,
				kind
			}, now, moves);
			return;
		}
		if (alone) return;
		if (upper.type !== "dir") return this.#keep(displaced);
		if (now?.type !== "dir") {
			this.#keep(displaced);
			return this.#hide(i, below);
		}
		if (await this.#isOpaque(path)) return this.#keep(displaced);
		for (const name of this.#port.readdir(at(this.#dirs.openToList(path)))) {
			const inside = joinPath(path, name);
			await this.#add({
				i,
				path: inside,
				now: this.#dirs.lstat(inside),
				alone: false,
				below: []
			});
		}
	}
	#push(about, now, moves = false) {
		const { mode, uid, gid, mtimeNs } = now ?? {
			mode: 0,
			uid: 0,
			gid: 0,
			mtimeNs: 0n
		};
		const mtime = String(mtimeNs);
		const line = {
			t: "pending",
			...about,
			born: null,
			mode,
			uid,
			gid,
			mtime
		};
		this.items.push({
			line,
			now,
			moves
		});
	}
	#keep({ i, path, now, alone, moves }) {
		if (!alone && now !== null) this.#keepBelow(i, path, now, moves);
	}
	#keepBelow(i, path, now, moves) {
		const keep = {
			i,
			path,
			kind: "copy",
			stays: true
		};
		const all = this.#changed;
		if (all.has(path) || isBelowAny(path, all)) {
			this.#push(keep, now);
			return;
		}
		const upper = this.#uppers.lstat(path);
		if (now.type !== "dir") {
			if (!this.#isCopy(path, upper)) this.#push({
				...keep,
				later: true
			}, now, moves);
			return;
		}
		const names = this.#port.readdir(at(this.#dirs.openToList(path)));
		const isWhole = upper?.type !== "dir" && ![...all].some((one) => isWithin(one, path));
		if (isWhole && names.length > 0) this.#push({
			...keep,
			later: true
		}, now);
		for (const name of isWhole ? [] : names) {
			const inside = joinPath(path, name);
			const stat = this.#dirs.lstat(inside);
			if (stat !== null) this.#keepBelow(i, inside, stat);
		}
	}
	#isCopy(path, upper) {
		this.#copies ??= new Map(this.#commit.units.flatMap(entriesOf).map((entry) => [entry.path, entry.id]));
		return upper !== null && isSame$3(this.#copies.get(path) ?? null, upper);
	}
	#hide(i, paths) {
		const hidden = /* @__PURE__ */ new Set();
		for (const path of paths) {
			const upper = hidden.has(parentOf(path)) ? void 0 : this.#uppers.lstat(path);
			if (upper?.type === "dir") continue;
			hidden.add(path);
			if (upper === null) this.#push({
				i,
				path,
				kind: "whiteout"
			}, null);
		}
	}
	async #isHidden(dir) {
		const known = this.#hidden.get(dir);
		if (known !== void 0) return known;
		const root = coveringDir(this.#ctx.coveredDirs, dir)?.path;
		if (root === void 0 || dir === root) return false;
		const upper = this.#uppers.lstat(dir);
		if (upper === null) this.#missing.add(dir);
		const hidden = upper !== null && (upper.type !== "dir" || await this.#isOpaque(dir)) || await this.#isHidden(parentOf(dir));
		this.#hidden.set(dir, hidden);
		return hidden;
	}
	async #isOpaque(dir) {
		const known = this.#opaque.get(dir);
		if (known !== void 0) return known;
		this.#viewer ??= await openViewer(this.#ctx);
		const upper = upperPathIn(this.#ctx.coveredDirs, dir);
		const own = upper === null ? null : lstatEntry(upper);
		const view = lstatEntry(this.#viewer.pathOf(dir));
		const opaque = own !== null && own.nlink >= 2 && view !== null && view.nlink > 1;
		this.#opaque.set(dir, opaque);
		return opaque;
	}
};
async function markedOpaque(ctx, items) {
	const above = [...allDirsTo(ctx, items.map(({ line }) => line.path))];
	if (above.length === 0) return /* @__PURE__ */ new Set();
	const uppers = above.map((dir) => upperPathIn(ctx.coveredDirs, dir) ?? dir);
	const { names } = await askXattrNames({
		whole: [],
		alone: uppers
	});
	const isOpaque = (upper = "/") => names.get(upper)?.some((name) => /\.overlay\.opaque$/.test(name)) === true;
	return new Set(above.filter((_, i) => isOpaque(uppers[i])));
}
async function stagePending({ port, ctx, journal }, items, instead) {
	const failed = /* @__PURE__ */ new Map();
	if (items.length === 0) return failed;
	const dirs = items.map(({ line }) => line).filter(({ kind }) => kind === "dir");
	port.xattrsOf(dirs.map(({ path }) => path)).forEach((text, i) => {
		const line = dirs[i];
		if (line !== void 0 && text !== null && text !== "") line.xattrs = text;
	});
	const back = joinPath(journal.dir, BACK);
	if (items.some(({ line, moves }) => line.kind === "copy" && !moves)) journal.syncBegin();
	port.mkdir(back, 448);
	expectOneFileSystem(port, ctx, back);
	if (items.some(({ line }) => line.kind === "whiteout")) await makeWhiteout(port, back);
	for (const covered of ctx.coveredDirs) {
		const mine = items.filter(({ line: { kind, path } }) => kind === "copy" && coveringDir(ctx.coveredDirs, path) === covered);
		if (mine.length === 0) continue;
		const dir = joinPath(back, String(covered.n));
		port.mkdir(dir, 448);
		await withHandleAsync(port, port.openDir(dir), async (fd) => {
			await copyItems(port, {
				covered,
				items: mine,
				fd,
				instead
			}, failed);
		});
	}
	return failed;
}
async function copyItems(port, { covered, items, fd, instead }, failed) {
	const nameIn = ({ line }) => relativeTo(covered.path, line.path);
	const copied = items.filter(({ moves }) => !moves);
	makeParents$1(port, fd, items.map(nameIn));
	const own = copied.filter(({ line }) => !instead.has(line.path)).map(nameIn);
	let complaint = own.length === 0 ? "" : await copyOut(port, covered.path, own, fd);
	for (const item of items) {
		const { path } = item.line;
		const dir = instead.get(path);
		if (dir === void 0) continue;
		const holder = at(fd, `.${parentOf(`/${nameIn(item)}`)}`);
		await withHandleAsync(port, port.openDir(holder), async (to) => {
			complaint += await copyOut(port, dir, [nameOf(path)], to);
		});
	}
	const sourceOf = (path) => {
		const dir = instead.get(path);
		return dir === void 0 ? path : joinPath(dir, nameOf(path));
	};
	const fails = ({ line }, why) => failed.set(line.i, notPending$1(why));
	for (const item of items) {
		const { line, now, moves } = item;
		const from = instead.has(line.path) ? port.lstat(sourceOf(line.path)) : now;
		const copy = moves ? from : port.lstat(at(fd, nameIn(item)));
		if (copy !== null && from !== null && (moves || looksAlike(identityOf$1(from), copy))) line.born = birthOf$1(copy);
		else fails(item, complaint || "it changed meanwhile");
	}
	if (complaint === "") return;
	for (const item of copied) if (!failed.has(item.line.i) && !isWholeCopy(port, sourceOf(item.line.path), at(fd, nameIn(item)))) fails(item, complaint);
}
function expectOneFileSystem(port, ctx, dir) {
	const dev = port.lstat(dir)?.dev;
	for (const { upper } of ctx.coveredDirs) {
		const there = port.lstat(upper)?.dev;
		if (there !== void 0 && there !== dev) throw manyFileSystems();
	}
}
async function makeWhiteout(port, dir) {
	const script = "IFS= read -r -d \"\" path; exec mknod -- \"$path\" c 0 0";
	const input = Buffer.from(`${joinPath(dir, "w")}\0`, "latin1");
	const { status, stderr } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) throw deletionNotPending(stderr.trim());
}
init_bytes();
init_dir_handles();
init_fingerprint();
init_port();
function isPendingAlready({ port, ctx, journal: { record } }) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => record.pending.every(({ i, kind, path, born, stays }) => stays === true || !record.done.has(i) || kind === "copy" && born === null || uppers.lstat(path) !== null));
}
function keptBeside({ port, ctx, journal }) {
	return journal.record.pending.flatMap((line) => {
		const covered = line.stays === true ? coveringDir(ctx.coveredDirs, line.path) : null;
		const at = covered === null ? null : waitingAt(joinPath(journal.dir, BACK), covered, line.path);
		return at === null || port.lstat(at) === null ? [] : [{
			path: line.path,
			at,
			later: line.later
		}];
	});
}
async function insertPending(transaction, resumed) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const { pending, done } = record;
	const dir = joinPath(journal.dir, BACK);
	const paths = pending.map(({ path }) => path);
	const kept = [];
	const pace = new Pace();
	await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		const parents = /* @__PURE__ */ new Map();
		const making = {
			port,
			uppers,
			dir,
			likeHost: await askHostXattrs(transaction, uppers, paths),
			parents
		};
		const broken = brokenTrees(record);
		const rank = ({ kind }) => kind === "dir" ? 0 : 1;
		for (const line of [...pending].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
			await pace.breathe();
			if (!done.has(line.i) && !broken.has(line.path) && !isGone(port, record, line)) continue;
			const covered = coveringDir(ctx.coveredDirs, line.path);
			const isThere = !resumed && done.get(line.i) === "" && typeOf(line.born) === "file";
			if (covered !== null && line.stays !== true && insertOne(making, covered, line, isThere)) continue;
			if (line.kind !== "copy" || line.born === null) continue;
			const copy = covered === null ? dir : waitingAt(dir, covered, line.path);
			if (port.lstat(copy) !== null) kept.push({
				path: line.path,
				at: copy,
				later: line.later
			});
		}
	});
	return kept;
}
function isGone(port, { unitOf }, { i, path }) {
	const unit = unitOf.get(i);
	const reviewed = unit === void 0 ? null : hostOf(unit);
	const now = orIfRefused(() => port.lstat(path), null);
	return !isSame$3(reviewed, now) && !(unit?.kind === "swap" && isRenamed(reviewed, now));
}
function brokenTrees({ units, pending, done }) {
	const paths = new Set(pending.map(({ path }) => path));
	const broken = /* @__PURE__ */ new Set();
	for (const { i, kind, path } of units) {
		if (kind !== "delete" && kind !== "move-to-store" || !done.has(i)) continue;
		for (let at = path; at !== "/" && !broken.has(at); at = parentOf(at)) if (paths.has(at)) broken.add(at);
	}
	return broken;
}
function insertOne(making, covered, line, isThere) {
	const { port, uppers, dir, parents } = making;
	const { path, kind, mode } = line;
	const parent = parentOf(path);
	if (parents.get(parent)?.has(path) ?? uppers.lstat(path) !== null) return false;
	if (!parents.has(parent)) {
		const isNew = uppers.lstat(parent) === null;
		if (!makeParents(making, parent, covered)) return false;
		parents.set(parent, isNew ? /* @__PURE__ */ new Set() : null);
	}
	if (kind === "whiteout") uppers.link(path, joinPath(dir, "w"));
	else if (kind === "dir") makeDir(making, path, {
		...line,
		mtimeNs: BigInt(line.mtime)
	}, line.xattrs);
	else {
		const copy = waitingAt(dir, covered, path);
		const stat = isThere ? null : port.lstat(copy);
		if (!isThere && !isStillOurs(line.born, stat)) return false;
		uppers.insert(path, copy, stat?.type === "dir" ? ifClosed(mode) : null);
	}
	parents.get(parent)?.add(path);
	return kind === "copy";
}
function ifClosed(mode) {
	return (mode & 128) === 0 ? mode : null;
}
function makeParents(making, path, covered) {
	const { port, uppers, dir, likeHost } = making;
	if (path === covered.path) return true;
	if (!isWithin(path, covered.path)) throw coveredSince(covered.path, dir);
	const there = uppers.lstat(path);
	if (there !== null) return there.type === "dir";
	if (!makeParents(making, parentOf(path), covered)) return false;
	const host = port.lstat(path);
	if (host?.type === "dir") makeDir(making, path, host, likeHost(path));
	else makeDir(making, path, {
		mode: 493,
		mtimeNs: 0n
	});
	return true;
}
function makeDir({ port, uppers, dir }, path, like, xattrs = "") {
	const name = "d";
	removePath(port, dir, name);
	const fresh = joinPath(dir, name);
	port.mkdir(fresh, 448);
	dressDir(port, fresh, like, xattrChanges("", xattrs));
	uppers.insert(path, fresh, ifClosed(like.mode));
}
init_bytes();
init_identity();
init_dir_handles();
init_entry();
init_entry_errors();
init_fingerprint();
init_port();
var STORE = "overlay";
function dropEntries(transaction, units, cancelled) {
	const { port, journal } = transaction;
	announceDrops(transaction, units);
	useAndClose(openUppers(transaction), (uppers) => {
		for (const unit of units) if (unit.kind === "mode") resetDir(uppers, unit);
		for (const [i, unit] of units.entries()) {
			if (cancelled()) throw new Cancelled(STOPPED);
			if (unit.kind !== "entry") continue;
			uppers.takeOut(unit.path, storedAt(journal.dir, i));
			if (unit.closed) chmodEntry(port, storedAt(journal.dir, i), unit.mode);
		}
	});
	forgetDropped(transaction);
	syncDirs(port, [joinPath(journal.dir, STORE), journal.dir]);
}
function announceDrops({ port, ctx, journal }, units) {
	port.mkdir(joinPath(journal.dir, STORE), 448);
	const tops = new Set(units.filter(({ kind }) => kind === "entry").map(({ path }) => path));
	const bases = [...readBaseFile(ctx).records].filter(([path]) => tops.has(path) || isBelowAny(path, tops));
	for (const unit of units) journal.add(unit);
	journal.addSynced({
		t: "bases",
		text: bases.map(([path, record]) => formatBaseLine(path, record)).join("")
	});
	syncDirs(port, [journal.dir, parentOf(journal.dir)]);
}
function forgetDropped({ port, ctx, journal: { record } }) {
	const file = readBaseFile(ctx);
	const isLeft = (i) => record.failed.has(i) || record.whiteouts.has(i);
	const stay = new Set(record.drops.flatMap(({ path }, i) => isLeft(i) ? [path] : []));
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		const paths = [...parseBaseLines(record.bases).records.keys()].filter((path) => !isBelowAny(path, stay));
		dropBases(ctx, file, paths.filter((path) => file.records.has(path) && orIfRefused(() => uppers.lstat(path) === null, false)));
	});
}
function restoreEntries(transaction) {
	const { port, ctx, journal } = transaction;
	const { drops, bases, failed } = journal.record;
	const store = joinPath(journal.dir, STORE);
	const paths = drops.map(({ path }) => path);
	const file = readBaseFile(ctx);
	const before = parseBaseLines(bases).records;
	useAndClose(openUppers(transaction), (uppers) => {
		const places = placesOf$1(transaction, uppers, makeBases(file.records));
		appendBases(ctx, file, basesBack(file.records, before, new Set(places.keys())));
		const dirs = drops.flatMap(({ kind, path }) => kind === "mode" ? [path] : []);
		const making = {
			port,
			uppers,
			dir: journal.dir,
			likeHost: hostXattrs(port, ctx, paths, dirs)
		};
		for (const [i, unit] of drops.entries()) if (unit.kind === "mode" && !failed.has(i)) restoreDir(ctx, making, unit);
		for (const [i, unit] of drops.entries()) if (unit.kind === "entry") restoreEntry(transaction, making, unit, {
			from: storedAt(journal.dir, i),
			place: places.get(unit.path)
		});
	});
	if (port.lstat(store) === null) return 0;
	syncDirs(port, [store, journal.dir]);
	return port.readdir(store).length;
}
function storedAt(dir, i) {
	return joinPath(dir, `${STORE}/${i}`);
}
function resetDir(uppers, { path, mode, host, born, xattrs }) {
	const now = uppers.lstat(path);
	if (host === void 0 || now?.type !== "dir") return;
	if (xattrs !== void 0 && birthOf$1(now) === born) dressWhole(uppers, path, now, xattrs, host);
	else if (now.mode === mode) uppers.dress(path, host);
}
function dressWhole(uppers, path, now, xattrs, like) {
	const has = uppers.xattrs(path);
	if (has === null || !isBetween(has, xattrs)) return;
	const changes = xattrChanges(has, xattrs.to);
	if (needsWriting(changes) && (now.mode & 128) === 0) uppers.chmod(path, now.mode | 448);
	uppers.setXattrs(path, changes);
	uppers.dress(path, like);
}
function restoreDir(ctx, making, unit) {
	const { uppers } = making;
	const { path, host, xattrs } = unit;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null || host === void 0) return;
	const before = uppers.lstat(path);
	if (before === null && !makeParents(making, path, covered)) return;
	const now = uppers.lstat(path);
	if (now?.type !== "dir") return;
	if (xattrs !== void 0) dressWhole(uppers, path, now, {
		from: xattrs.to,
		to: xattrs.from
	}, unit);
	else if (before === null || now.mode === host.mode) uppers.dress(path, unit);
}
function placesOf$1({ port, journal: { dir, record } }, uppers, bases) {
	const places = /* @__PURE__ */ new Map();
	for (const [i, { kind, path }] of record.drops.entries()) {
		const from = storedAt(dir, i);
		if (kind !== "entry" || port.lstat(from) === null) continue;
		const there = uppers.lstat(path);
		const at = there === null ? null : uppers.placed(path);
		if (there === null || at === null) places.set(path, "free");
		else if (isStoredWhole(port, at, from)) places.set(path, "back");
		else if (record.reopened !== null && (isWhiteout(there) || isEventMark(at))) places.set(path, "free");
		else if (isReplaceable(bases, uppers, path)) places.set(path, "free");
	}
	return places;
}
function* basesBack(now, before, entries) {
	const isBack = (path) => entries.has(path) || isBelowAny(path, entries);
	for (const path of now.keys()) if (isBack(path) && !before.has(path)) yield [path, null];
	for (const [path, record] of before) if (isBack(path)) yield [path, record];
}
function isReplaceable(bases, uppers, path) {
	const upper = uppers.lstat(path);
	if (upper?.type !== "file" && upper?.type !== "symlink") return false;
	const [upperPath, host] = [uppers.placed(path), hostEntry(path)];
	if (upperPath === null || host === "closed") return false;
	return isUntouched$1({
		path,
		upperPath,
		upper,
		host,
		base: bases.lookup(path)
	});
}
function restoreEntry({ ctx }, making, unit, { from, place }) {
	const { path, mode, closed, born } = unit;
	const { port, uppers } = making;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null) return;
	if (port.lstat(from) === null) {
		const now = closed ? uppers.lstat(path) : null;
		if (now?.mode === (mode | 448) && birthOf$1(now) === born) uppers.chmod(path, mode);
		return;
	}
	if (place === void 0) return;
	const there = uppers.lstat(path);
	const at = there === null ? null : uppers.placed(path);
	if (there !== null && at !== null) {
		if (place === "back") {
			const sync = () => withHandle(port, port.openRead(at), (fd) => port.fsync(fd));
			if (there.type === "file") orIfRefused(sync, void 0);
			removePath(port, parentOf(from), nameOf(from));
			return;
		}
		uppers.remove(path, "file");
	}
	if (makeParents(making, parentOf(path), covered)) uppers.insert(path, from, closed ? mode : null);
}
init_bytes();
init_errors$3();
init_identity();
init_dir_handles();
init_fingerprint();
init_port();
async function advance(task) {
	const { ctx, journal } = task;
	const { report: applied, stopped } = await applyAll(task);
	const report = {
		...applied,
		copies: !ctx.quiet
	};
	if (stopped) return report;
	const { undoes } = journal.record.begin;
	try {
		return undoes === void 0 ? await closeCommit(task, report) : await closeUndo(task, report, undoes);
	} catch (error) {
		if (errorCode(error) === "") throw error;
		const why = messageOf(error);
		return partial(task, report, undoes === void 0 ? cleaningStopped(why) : pendingAgainStopped(why));
	}
}
function partial({ ctx }, report, message) {
	return {
		...report,
		state: "partial",
		failed: [...report.failed, {
			path: ctx.projectRoot,
			message
		}]
	};
}
async function closeCommit(task, report) {
	const { port, ctx, journal } = task;
	if (!ctx.quiet) forgetMoved(port, ctx, journal.record);
	const stay = ctx.quiet ? await cleanUppers({
		port,
		ctx,
		journal
	}, task.settled === true) : copiedPaths(journal.record);
	if (stay.length > 0) await rebaseResults(task, stay);
	const end = {
		t: "end",
		report,
		at: endTime(),
		...indexesIn(port, journal.record)
	};
	journal.addSynced(end, ...ctx.quiet ? [{ t: "dropped" }] : []);
	return report;
}
async function cleanUppers(transaction, settled) {
	const { ctx, journal } = transaction;
	const bases = readBaseFile(ctx);
	const of = hashesIn(journal.record, bases.records);
	if (of.length > 0) journal.add({
		t: "hashes",
		of
	});
	journal.flush();
	return (await dropRecord(transaction, {
		bases,
		settled
	})).stay;
}
function copiedPaths({ units, done }) {
	return units.filter(({ i, kind }) => done.has(i) && kind !== "move-to-host").flatMap(entriesOf).map(({ path }) => path);
}
function abort(transaction) {
	const { port, journal } = transaction;
	if (journal.record.begin.discards !== void 0) return abortDiscard(transaction);
	useAndClose(hostDirs(transaction), (dirs) => {
		removeStages(port, dirs, journal);
		restoreModes(port, dirs, journal);
	});
	for (const name of [BEFORE, BACK]) removePath(port, journal.dir, name);
	journal.addSynced({
		t: "end",
		report: null
	});
	return 0;
}
function abortDiscard(transaction) {
	const { port, journal } = transaction;
	const { begin, reopened } = journal.record;
	if (begin.discards?.live === true && reopened === null) {
		removePath(port, parentOf(journal.dir), nameOf(journal.dir));
		return 0;
	}
	const left = restoreEntries(transaction);
	journal.addSynced(left > 0 ? { t: "discarded" } : {
		t: "end",
		report: null
	});
	if (left === 0 && reopened === null) removePath(port, parentOf(journal.dir), nameOf(journal.dir));
	return left;
}
function abortQuietly(transaction, forget) {
	const { port, journal } = transaction;
	orNull(() => {
		abort(transaction);
		if (forget) removePath(port, parentOf(journal.dir), nameOf(journal.dir));
	});
}
async function closeUndo(task, report, of) {
	const { ctx, journal } = task;
	if (!ctx.quiet && !isPendingAlready(task)) return partial(task, report, PENDING_WHEN_QUIET);
	noteInPlace(task);
	const kept = ctx.quiet ? await insertPending(task, task.earlier !== void 0) : keptBeside(task);
	await closeRecords(task, of, kept);
	journal.sync();
	if (kept.length === 0) removePath(task.port, journal.dir, BACK);
	const told = withKept(report, kept);
	journal.addSynced({
		t: "end",
		report: told,
		at: endTime()
	}, { t: "dropped" });
	return told;
}
function withKept(report, kept) {
	const failed = kept.filter(({ later }) => later !== true).map(({ path, at }) => ({
		path,
		message: sessionHasOther(at)
	}));
	const beside = kept.filter(({ later }) => later === true).map(({ path, at }) => ({
		path,
		at
	}));
	return {
		...report,
		...failed.length === 0 ? {} : {
			state: "partial",
			failed: [...report.failed, ...failed]
		},
		...beside.length === 0 ? {} : { beside }
	};
}
function noteInPlace(task) {
	const { port, journal } = task;
	const { failed, unitOf } = journal.record;
	if (failed.size === 0) return;
	useAndClose(hostDirs(task), (dirs) => {
		for (const [i, note] of failed) {
			const unit = unitOf.get(i);
			if (unit !== void 0 && isInPlace(port, dirs, unit)) journal.add({
				t: "done",
				i,
				note
			});
		}
	});
}
async function closeRecords(task, of, kept) {
	const { port, ctx, journal } = task;
	const { record } = journal;
	const commit = markUndone(task, of);
	await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const trees = record.units.filter((unit) => unit.kind === "move-to-store").filter(({ i, path, born }) => record.done.get(i) === "" && isStillOurs(born, uppers.lstat(path)));
		const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
		const paths = touchedPaths(record).filter((path) => !whole.has(path));
		const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
		const all = /* @__PURE__ */ new Set([
			...paths,
			...reverted,
			...trees.map(({ path }) => path)
		]);
		const found = await uppers.lstatEach([...all], new Pace());
		const hiding = paths.filter((path) => {
			const upper = found.get(path);
			return upper !== void 0 && upper.type !== "dir";
		});
		await rebaseResults(task, paths, new Set(hiding), commit);
		baseOnNothing(ctx, whole);
		if (commit !== null) restoreBases(ctx, commit, /* @__PURE__ */ new Set([...paths, ...whole]));
		if (commit !== null) noteBeside(journal, commit);
		const deleted = deletedPaths(record, commit);
		const others = new Set(kept.map(({ path }) => path));
		const entries = [...all].sort().flatMap((path) => {
			const stat = found.get(path);
			if (stat !== void 0 && deleted.has(path) && !isWhiteout(stat) || others.has(path) || isBelowAny(path, others)) return [];
			return [{
				path,
				id: stat === void 0 ? null : identityOf$1(stat)
			}];
		});
		journal.add({
			t: "same",
			entries,
			...trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}
		});
	});
}
function baseOnNothing(ctx, paths) {
	if (paths.size === 0) return;
	const base = { state: "absent" };
	const entries = [...paths].map((path) => [path, {
		path,
		base,
		listed: false
	}]);
	appendBases(ctx, readBaseFile(ctx), entries);
}
function touchedPaths({ units, done }) {
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => [unit.path, ...resultOf$1(unit).map(({ path }) => path)]);
	return [...new Set(paths)].sort();
}
function revertedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	return (commit?.units.filter(({ i }) => reverted.has(i)) ?? []).flatMap(entriesOf).map(({ path }) => path);
}
function deletedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	const units = commit?.units.filter(({ i, kind }) => reverted.has(i) && kind === "delete") ?? [];
	return new Set(units.map(({ path }) => path));
}
function revertedUnits({ units, done }, isDone) {
	return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}
function markUndone({ port, ctx, journal: { record: undo }, commit }, of) {
	const dirOf = commitDir(ctx, of);
	const journal = commit === void 0 ? openJournal(port, dirOf) : new Journal(port, dirOf, commit);
	if (journal === null) return null;
	const { record, dir } = journal;
	const open = revertedUnits(undo, false);
	const refused = new Set(undo.refused.map(({ path }) => path));
	const isRefused = (i) => refused.has(record.unitOf.get(i)?.path ?? "/");
	const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
	useAndClose(journal, () => journal.addSynced({
		t: "undone",
		by: undo.n,
		units
	}));
	if (record.standing().length === 0) removePath(port, dir, BEFORE);
	else if (port.lstat(joinPath(dir, "before")) !== null) withHandle(port, port.openDir(joinPath(dir, BEFORE)), (fd) => {
		for (const i of units) removeTree(port, fd, imageName(i));
	});
	return record;
}
var Diff = class {
	diff(oldStr, newStr, options = {}) {
		let callback;
		if (typeof options === "function") {
			callback = options;
			options = {};
		} else if ("callback" in options) callback = options.callback;
		const oldString = this.castInput(oldStr, options);
		const newString = this.castInput(newStr, options);
		const oldTokens = this.removeEmpty(this.tokenize(oldString, options));
		const newTokens = this.removeEmpty(this.tokenize(newString, options));
		return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
	}
	diffWithOptionsObj(oldTokens, newTokens, options, callback) {
		var _a;
		const done = (value) => {
			value = this.postProcess(value, options);
			if (callback) {
				setTimeout(function() {
					callback(value);
				}, 0);
				return;
			} else return value;
		};
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let editLength = 1;
		let maxEditLength = newLen + oldLen;
		if (options.maxEditLength != null) maxEditLength = Math.min(maxEditLength, options.maxEditLength);
		const maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : Infinity;
		const abortAfterTimestamp = Date.now() + maxExecutionTime;
		const bestPath = [{
			oldPos: -1,
			lastComponent: void 0
		}];
		let newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
		if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
		let minDiagonalToConsider = -Infinity, maxDiagonalToConsider = Infinity;
		const execEditLength = () => {
			for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
				let basePath;
				const removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
				if (removePath) bestPath[diagonalPath - 1] = void 0;
				let canAdd = false;
				if (addPath) {
					const addPathNewPos = addPath.oldPos - diagonalPath;
					canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
				}
				const canRemove = removePath && removePath.oldPos + 1 < oldLen;
				if (!canAdd && !canRemove) {
					bestPath[diagonalPath] = void 0;
					continue;
				}
				if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos) basePath = this.addToPath(addPath, true, false, 0, options);
				else basePath = this.addToPath(removePath, false, true, 1, options);
				newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options);
				if (basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || true;
				else {
					bestPath[diagonalPath] = basePath;
					if (basePath.oldPos + 1 >= oldLen) maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1);
					if (newPos + 1 >= newLen) minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1);
				}
			}
			editLength++;
		};
		if (callback) (function exec() {
			setTimeout(function() {
				if (editLength > maxEditLength || Date.now() > abortAfterTimestamp) return callback(void 0);
				if (!execEditLength()) exec();
			}, 0);
		})();
		else while (editLength <= maxEditLength && Date.now() <= abortAfterTimestamp) {
			const ret = execEditLength();
			if (ret) return ret;
		}
	}
	addToPath(path, added, removed, oldPosInc, options) {
		const last = path.lastComponent;
		if (last && !options.oneChangePerToken && last.added === added && last.removed === removed) return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: last.count + 1,
				added,
				removed,
				previousComponent: last.previousComponent
			}
		};
		else return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: 1,
				added,
				removed,
				previousComponent: last
			}
		};
	}
	extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
		while (newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options)) {
			newPos++;
			oldPos++;
			commonCount++;
			if (options.oneChangePerToken) basePath.lastComponent = {
				count: 1,
				previousComponent: basePath.lastComponent,
				added: false,
				removed: false
			};
		}
		if (commonCount && !options.oneChangePerToken) basePath.lastComponent = {
			count: commonCount,
			previousComponent: basePath.lastComponent,
			added: false,
			removed: false
		};
		basePath.oldPos = oldPos;
		return newPos;
	}
	equals(left, right, options) {
		if (options.comparator) return options.comparator(left, right);
		else return left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
	}
	removeEmpty(array) {
		const ret = [];
		for (let i = 0; i < array.length; i++) if (array[i]) ret.push(array[i]);
		return ret;
	}
	castInput(value, options) {
		return value;
	}
	tokenize(value, options) {
		return Array.from(value);
	}
	join(chars) {
		return chars.join("");
	}
	postProcess(changeObjects, options) {
		return changeObjects;
	}
	get useLongestToken() {
		return false;
	}
	buildValues(lastComponent, newTokens, oldTokens) {
		const components = [];
		let nextComponent;
		while (lastComponent) {
			components.push(lastComponent);
			nextComponent = lastComponent.previousComponent;
			delete lastComponent.previousComponent;
			lastComponent = nextComponent;
		}
		components.reverse();
		const componentLen = components.length;
		let componentPos = 0, newPos = 0, oldPos = 0;
		for (; componentPos < componentLen; componentPos++) {
			const component = components[componentPos];
			if (!component.removed) {
				if (!component.added && this.useLongestToken) {
					let value = newTokens.slice(newPos, newPos + component.count);
					value = value.map(function(value, i) {
						const oldValue = oldTokens[oldPos + i];
						return oldValue.length > value.length ? oldValue : value;
					});
					component.value = this.join(value);
				} else component.value = this.join(newTokens.slice(newPos, newPos + component.count));
				newPos += component.count;
				if (!component.added) oldPos += component.count;
			} else {
				component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count));
				oldPos += component.count;
			}
		}
		return components;
	}
};
var CharacterDiff = class extends Diff {};
new CharacterDiff();
function longestCommonPrefix(str1, str2) {
	let i = 0;
	for (; i < str1.length && i < str2.length; i++) if (str1[i] != str2[i]) return str1.slice(0, i);
	return str1.slice(0, i);
}
function longestCommonSuffix(str1, str2) {
	let i;
	if (!str1 || !str2 || str1[str1.length - 1] != str2[str2.length - 1]) return "";
	for (i = 0; i < str1.length && i < str2.length; i++) if (str1[str1.length - (i + 1)] != str2[str2.length - (i + 1)]) return str1.slice(-i);
	return str1.slice(-i);
}
function replacePrefix(string, oldPrefix, newPrefix) {
	if (string.slice(0, oldPrefix.length) != oldPrefix) throw Error(`string ${JSON.stringify(string)} doesn't start with prefix ${JSON.stringify(oldPrefix)}; this is a bug`);
	return newPrefix + string.slice(oldPrefix.length);
}
function replaceSuffix(string, oldSuffix, newSuffix) {
	if (!oldSuffix) return string + newSuffix;
	if (string.slice(-oldSuffix.length) != oldSuffix) throw Error(`string ${JSON.stringify(string)} doesn't end with suffix ${JSON.stringify(oldSuffix)}; this is a bug`);
	return string.slice(0, -oldSuffix.length) + newSuffix;
}
function removePrefix(string, oldPrefix) {
	return replacePrefix(string, oldPrefix, "");
}
function removeSuffix(string, oldSuffix) {
	return replaceSuffix(string, oldSuffix, "");
}
function maximumOverlap(string1, string2) {
	return string2.slice(0, overlapCount(string1, string2));
}
function overlapCount(a, b) {
	let startA = 0;
	if (a.length > b.length) startA = a.length - b.length;
	let endB = b.length;
	if (a.length < b.length) endB = a.length;
	const map = Array(endB);
	let k = 0;
	map[0] = 0;
	for (let j = 1; j < endB; j++) {
		if (b[j] == b[k]) map[j] = map[k];
		else map[j] = k;
		while (k > 0 && b[j] != b[k]) k = map[k];
		if (b[j] == b[k]) k++;
	}
	k = 0;
	for (let i = startA; i < a.length; i++) {
		while (k > 0 && a[i] != b[k]) k = map[k];
		if (a[i] == b[k]) k++;
	}
	return k;
}
function segment(string, segmenter) {
	const parts = [];
	for (const segmentObj of Array.from(segmenter.segment(string))) {
		const segment = segmentObj.segment;
		if (parts.length && /\s/.test(parts[parts.length - 1]) && /\s/.test(segment)) parts[parts.length - 1] += segment;
		else parts.push(segment);
	}
	return parts;
}
function trailingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[1];
	let i;
	for (i = string.length - 1; i >= 0; i--) if (!string[i].match(/\s/)) break;
	return string.substring(i + 1);
}
function leadingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[0];
	const match = string.match(/^\s*/);
	return match ? match[0] : "";
}
function leadingAndTrailingWs(string, segmenter) {
	if (!segmenter) return [leadingWs(string), trailingWs(string)];
	if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
	const segments = segment(string, segmenter);
	const firstSeg = segments[0];
	const lastSeg = segments[segments.length - 1];
	return [/\s/.test(firstSeg) ? firstSeg : "", /\s/.test(lastSeg) ? lastSeg : ""];
}
var extendedWordChars = "a-zA-Z0-9_\\u{AD}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2C6}\\u{2C8}-\\u{2D7}\\u{2DE}-\\u{2FF}\\u{1E00}-\\u{1EFF}";
var tokenizeIncludingWhitespace = new RegExp(`[${extendedWordChars}]+|\\s+|[^${extendedWordChars}]`, "ug");
var WordDiff = class extends Diff {
	equals(left, right, options) {
		if (options.ignoreCase) {
			left = left.toLowerCase();
			right = right.toLowerCase();
		}
		return left.trim() === right.trim();
	}
	tokenize(value, options = {}) {
		let parts;
		if (options.intlSegmenter) {
			const segmenter = options.intlSegmenter;
			if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
			parts = segment(value, segmenter);
		} else parts = value.match(tokenizeIncludingWhitespace) || [];
		const tokens = [];
		let prevPart = null;
		parts.forEach((part) => {
			if (/\s/.test(part)) {
				if (prevPart == null) tokens.push(part);
				else tokens.push(tokens.pop() + part);
			} else if (prevPart != null && /\s/.test(prevPart)) {
				if (tokens[tokens.length - 1] == prevPart) tokens.push(tokens.pop() + part);
				else tokens.push(prevPart + part);
			} else tokens.push(part);
			prevPart = part;
		});
		return tokens;
	}
	join(tokens) {
		return tokens.map((token, i) => {
			if (i == 0) return token;
			else return token.replace(/^\s+/, "");
		}).join("");
	}
	postProcess(changes, options) {
		if (!changes || options.oneChangePerToken) return changes;
		let lastKeep = null;
		let insertion = null;
		let deletion = null;
		changes.forEach((change) => {
			if (change.added) insertion = change;
			else if (change.removed) deletion = change;
			else {
				if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, change, options.intlSegmenter);
				lastKeep = change;
				insertion = null;
				deletion = null;
			}
		});
		if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, null, options.intlSegmenter);
		return changes;
	}
};
new WordDiff();
function dedupeWhitespaceInChangeObjects(startKeep, deletion, insertion, endKeep, segmenter) {
	if (deletion && insertion) {
		const [oldWsPrefix, oldWsSuffix] = leadingAndTrailingWs(deletion.value, segmenter);
		const [newWsPrefix, newWsSuffix] = leadingAndTrailingWs(insertion.value, segmenter);
		if (startKeep) {
			const commonWsPrefix = longestCommonPrefix(oldWsPrefix, newWsPrefix);
			startKeep.value = replaceSuffix(startKeep.value, newWsPrefix, commonWsPrefix);
			deletion.value = removePrefix(deletion.value, commonWsPrefix);
			insertion.value = removePrefix(insertion.value, commonWsPrefix);
		}
		if (endKeep) {
			const commonWsSuffix = longestCommonSuffix(oldWsSuffix, newWsSuffix);
			endKeep.value = replacePrefix(endKeep.value, newWsSuffix, commonWsSuffix);
			deletion.value = removeSuffix(deletion.value, commonWsSuffix);
			insertion.value = removeSuffix(insertion.value, commonWsSuffix);
		}
	} else if (insertion) {
		if (startKeep) {
			const ws = leadingWs(insertion.value, segmenter);
			insertion.value = insertion.value.substring(ws.length);
		}
		if (endKeep) {
			const ws = leadingWs(endKeep.value, segmenter);
			endKeep.value = endKeep.value.substring(ws.length);
		}
	} else if (startKeep && endKeep) {
		const newWsFull = leadingWs(endKeep.value, segmenter), [delWsStart, delWsEnd] = leadingAndTrailingWs(deletion.value, segmenter);
		const newWsStart = longestCommonPrefix(newWsFull, delWsStart);
		deletion.value = removePrefix(deletion.value, newWsStart);
		const newWsEnd = longestCommonSuffix(removePrefix(newWsFull, newWsStart), delWsEnd);
		deletion.value = removeSuffix(deletion.value, newWsEnd);
		endKeep.value = replacePrefix(endKeep.value, newWsFull, newWsEnd);
		startKeep.value = replaceSuffix(startKeep.value, newWsFull, newWsFull.slice(0, newWsFull.length - newWsEnd.length));
	} else if (endKeep) {
		const endKeepWsPrefix = leadingWs(endKeep.value, segmenter);
		const overlap = maximumOverlap(trailingWs(deletion.value, segmenter), endKeepWsPrefix);
		deletion.value = removeSuffix(deletion.value, overlap);
	} else if (startKeep) {
		const overlap = maximumOverlap(trailingWs(startKeep.value, segmenter), leadingWs(deletion.value, segmenter));
		deletion.value = removePrefix(deletion.value, overlap);
	}
}
var WordsWithSpaceDiff = class extends Diff {
	tokenize(value) {
		const regex = new RegExp(`(\\r?\\n)|[${extendedWordChars}]+|[^\\S\\n\\r]+|[^${extendedWordChars}]`, "ug");
		return value.match(regex) || [];
	}
};
new WordsWithSpaceDiff();
var LineDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	equals(left, right, options) {
		if (options.ignoreWhitespace) {
			if (!options.newlineIsToken || !left.includes("\n")) left = left.trim();
			if (!options.newlineIsToken || !right.includes("\n")) right = right.trim();
		} else if (options.ignoreNewlineAtEof && !options.newlineIsToken) {
			if (left.endsWith("\n")) left = left.slice(0, -1);
			if (right.endsWith("\n")) right = right.slice(0, -1);
		}
		return super.equals(left, right, options);
	}
};
new LineDiff();
function tokenize(value, options) {
	if (options.stripTrailingCr) value = value.replace(/\r\n/g, "\n");
	const retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
	if (!linesAndNewlines[linesAndNewlines.length - 1]) linesAndNewlines.pop();
	for (let i = 0; i < linesAndNewlines.length; i++) {
		const line = linesAndNewlines[i];
		if (i % 2 && !options.newlineIsToken) retLines[retLines.length - 1] += line;
		else retLines.push(line);
	}
	return retLines;
}
function isSentenceEndPunct(char) {
	return char == "." || char == "!" || char == "?";
}
var SentenceDiff = class extends Diff {
	tokenize(value) {
		var _a;
		const result = [];
		let tokenStartI = 0;
		for (let i = 0; i < value.length; i++) {
			if (i == value.length - 1) {
				result.push(value.slice(tokenStartI));
				break;
			}
			if (isSentenceEndPunct(value[i]) && value[i + 1].match(/\s/)) {
				result.push(value.slice(tokenStartI, i + 1));
				i = tokenStartI = i + 1;
				while ((_a = value[i + 1]) === null || _a === void 0 ? void 0 : _a.match(/\s/)) i++;
				result.push(value.slice(tokenStartI, i + 1));
				tokenStartI = i + 1;
			}
		}
		return result;
	}
};
new SentenceDiff();
var CssDiff = class extends Diff {
	tokenize(value) {
		return value.split(/([{}:;,]|\s+)/);
	}
};
new CssDiff();
var JsonDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	get useLongestToken() {
		return true;
	}
	castInput(value, options) {
		const { undefinedReplacement, stringifyReplacer = (k, v) => typeof v === "undefined" ? undefinedReplacement : v } = options;
		return typeof value === "string" ? value : JSON.stringify(canonicalize(value, null, null, stringifyReplacer), null, "  ");
	}
	equals(left, right, options) {
		return super.equals(left.replace(/,([\r\n])/g, "$1"), right.replace(/,([\r\n])/g, "$1"), options);
	}
};
new JsonDiff();
function canonicalize(obj, stack, replacementStack, replacer, key) {
	stack = stack || [];
	replacementStack = replacementStack || [];
	if (replacer) obj = replacer(key === void 0 ? "" : key, obj);
	let i = 0;
	for (; i < stack.length; i += 1) if (stack[i] === obj) return replacementStack[i];
	let canonicalizedObj;
	if ("[object Array]" === Object.prototype.toString.call(obj)) {
		stack.push(obj);
		canonicalizedObj = new Array(obj.length);
		replacementStack.push(canonicalizedObj);
		for (i = 0; i < obj.length; i += 1) canonicalizedObj[i] = canonicalize(obj[i], stack, replacementStack, replacer, String(i));
		stack.pop();
		replacementStack.pop();
		return canonicalizedObj;
	}
	if (obj && obj.toJSON) obj = obj.toJSON();
	if (typeof obj === "object" && obj !== null) {
		stack.push(obj);
		canonicalizedObj = {};
		replacementStack.push(canonicalizedObj);
		const sortedKeys = [];
		let key;
		for (key in obj)
 /* istanbul ignore else */
		if (Object.prototype.hasOwnProperty.call(obj, key)) sortedKeys.push(key);
		sortedKeys.sort();
		for (i = 0; i < sortedKeys.length; i += 1) {
			key = sortedKeys[i];
			canonicalizedObj[key] = canonicalize(obj[key], stack, replacementStack, replacer, key);
		}
		stack.pop();
		replacementStack.pop();
	} else canonicalizedObj = obj;
	return canonicalizedObj;
}
var ArrayDiff = class extends Diff {
	tokenize(value) {
		return value.slice();
	}
	join(value) {
		return value;
	}
	removeEmpty(value) {
		return value;
	}
};
var arrayDiff = new ArrayDiff();
function diffArrays(oldArr, newArr, options) {
	return arrayDiff.diff(oldArr, newArr, options);
}
var TERMINATOR = {
	lf: "\n",
	crlf: "\r\n",
	cr: "\r",
	none: ""
};
function splitLines(text) {
	const lines = [];
	for (let at = 0; at < text.length;) {
		const feed = text.indexOf("\n", at);
		if (feed === -1) {
			lines.push({
				text: text.slice(at),
				end: "none"
			});
			break;
		}
		const crlf = feed > at && text.charCodeAt(feed - 1) === 13;
		lines.push({
			text: text.slice(at, crlf ? feed - 1 : feed),
			end: crlf ? "crlf" : "lf"
		});
		at = feed + 1;
	}
	return lines;
}
function countLines(text) {
	let lines = text === "" || text.endsWith("\n") ? 0 : 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
	return lines;
}
function rawOf(line) {
	return line.text + TERMINATOR[line.end];
}
function countOf(texts) {
	const counts = /* @__PURE__ */ new Map();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}
init_limits();
var MAX_EDITS = 2e4;
var BLANKS = /[ \t]+/g;
var KEYS = {
	exact: rawOf,
	amount: ({ text, end }) => `${text.replace(BLANKS, " ").trimEnd()}${end === "none" ? "" : "\n"}`,
	ignored: ({ text, end }) => `${text.replace(BLANKS, "")}${end === "none" ? "" : "\n"}`
};
function compareTexts(oldText, newText, { context = 3, spaces = "exact", timeoutMs = DIFF_TIMEOUT_MS } = {}) {
	const oldLines = splitLines(oldText);
	const newLines = splitLines(newText);
	const key = KEYS[spaces];
	const { edits, approximate } = editsOf(oldLines.map(key), newLines.map(key), timeoutMs);
	const { rows, spacesHidden } = toRows(oldLines, newLines, edits);
	return {
		hunks: rangesOf(rows, context).map(([from, to]) => hunkOf(rows, from, to)),
		added: rows.filter((row) => row.kind === "added").length,
		removed: rows.filter((row) => row.kind === "removed").length,
		oldTotal: oldLines.length,
		newTotal: newLines.length,
		approximate,
		spacesHidden
	};
}
function editsOf(oldRaw, newRaw, timeout) {
	const shorter = Math.min(oldRaw.length, newRaw.length);
	let head = 0;
	while (head < shorter && oldRaw[head] === newRaw[head]) head++;
	let tail = 0;
	while (tail < shorter - head && oldRaw[oldRaw.length - 1 - tail] === newRaw[newRaw.length - 1 - tail]) tail++;
	const oldMiddle = oldRaw.slice(head, oldRaw.length - tail);
	const newMiddle = newRaw.slice(head, newRaw.length - tail);
	const found = diffArrays(oldMiddle, newMiddle, {
		timeout,
		maxEditLength: MAX_EDITS
	});
	const middle = found?.map((part) => ({
		kind: kindOf(part),
		count: part.value.length
	})) ?? [{
		kind: "removed",
		count: oldMiddle.length
	}, {
		kind: "added",
		count: newMiddle.length
	}];
	return {
		edits: [
			{
				kind: "context",
				count: head
			},
			...middle,
			{
				kind: "context",
				count: tail
			}
		],
		approximate: found === void 0
	};
}
function kindOf(part) {
	if (part.added) return "added";
	return part.removed ? "removed" : "context";
}
function toRows(oldLines, newLines, edits) {
	const rows = [];
	let spacesHidden = 0;
	let oldAt = 0;
	let newAt = 0;
	for (const { kind, count } of edits) for (let i = 0; i < count; i++) {
		const before = oldLines[oldAt];
		const line = kind === "removed" ? before : newLines[newAt];
		if (line === void 0) continue;
		if (kind === "context" && before !== void 0 && rawOf(before) !== rawOf(line)) spacesHidden++;
		const oldNumber = kind === "added" ? null : ++oldAt;
		const newNumber = kind === "removed" ? null : ++newAt;
		rows.push({
			kind,
			text: line.text,
			oldNumber,
			newNumber,
			end: line.end
		});
	}
	return {
		rows,
		spacesHidden
	};
}
function hunkOf(all, from, to) {
	const lines = all.slice(from, to);
	const olds = lines.filter((line) => line.oldNumber !== null);
	const news = lines.filter((line) => line.newNumber !== null);
	return {
		oldStart: olds[0]?.oldNumber ?? lastOf(all, from, "oldNumber"),
		oldLines: olds.length,
		newStart: news[0]?.newNumber ?? lastOf(all, from, "newNumber"),
		newLines: news.length,
		lines
	};
}
function lastOf(all, before, side) {
	for (let i = before - 1; i >= 0; i--) {
		const number = all[i]?.[side];
		if (number != null) return number;
	}
	return 0;
}
function rangesOf(rows, context) {
	const ranges = [];
	for (const [at, row] of rows.entries()) {
		if (row.kind === "context") continue;
		const start = Math.max(0, at - context);
		const end = Math.min(rows.length, at + 1 + context);
		const last = ranges.at(-1);
		if (last !== void 0 && start <= last[1]) last[1] = end;
		else ranges.push([start, end]);
	}
	return ranges;
}
function LCS(buffer1, buffer2) {
	let equivalenceClasses = Object.create(null);
	for (let j = 0; j < buffer2.length; j++) {
		const item = buffer2[j];
		if (equivalenceClasses[item]) equivalenceClasses[item].push(j);
		else equivalenceClasses[item] = [j];
	}
	let candidates = [{
		buffer1index: -1,
		buffer2index: -1,
		chain: null
	}];
	for (let i = 0; i < buffer1.length; i++) {
		const buffer2indices = equivalenceClasses[buffer1[i]] || [];
		let r = 0;
		let c = candidates[0];
		for (const j of buffer2indices) {
			let s;
			for (s = r; s < candidates.length; s++) if (candidates[s].buffer2index < j && (s === candidates.length - 1 || candidates[s + 1].buffer2index > j)) break;
			if (s < candidates.length) {
				const newCandidate = {
					buffer1index: i,
					buffer2index: j,
					chain: candidates[s]
				};
				if (r === candidates.length) candidates.push(c);
				else candidates[r] = c;
				r = s + 1;
				c = newCandidate;
				if (r === candidates.length) break;
			}
		}
		candidates[r] = c;
	}
	return candidates[candidates.length - 1];
}
function diffIndices(buffer1, buffer2) {
	const lcs = LCS(buffer1, buffer2);
	let result = [];
	let tail1 = buffer1.length;
	let tail2 = buffer2.length;
	for (let candidate = lcs; candidate !== null; candidate = candidate.chain) {
		const mismatchLength1 = tail1 - candidate.buffer1index - 1;
		const mismatchLength2 = tail2 - candidate.buffer2index - 1;
		tail1 = candidate.buffer1index;
		tail2 = candidate.buffer2index;
		if (mismatchLength1 || mismatchLength2) result.push({
			buffer1: [tail1 + 1, mismatchLength1],
			buffer1Content: buffer1.slice(tail1 + 1, tail1 + 1 + mismatchLength1),
			buffer2: [tail2 + 1, mismatchLength2],
			buffer2Content: buffer2.slice(tail2 + 1, tail2 + 1 + mismatchLength2)
		});
	}
	result.reverse();
	return result;
}
function diff3MergeRegions(a, o, b) {
	let hunks = [];
	function addHunk(h, ab) {
		hunks.push({
			ab,
			oStart: h.buffer1[0],
			oLength: h.buffer1[1],
			abStart: h.buffer2[0],
			abLength: h.buffer2[1]
		});
	}
	diffIndices(o, a).forEach((item) => addHunk(item, "a"));
	diffIndices(o, b).forEach((item) => addHunk(item, "b"));
	hunks.sort((x, y) => x.oStart - y.oStart);
	let results = [];
	let currOffset = 0;
	function advanceTo(endOffset) {
		if (endOffset > currOffset) {
			results.push({
				stable: true,
				buffer: "o",
				bufferStart: currOffset,
				bufferLength: endOffset - currOffset,
				bufferContent: o.slice(currOffset, endOffset)
			});
			currOffset = endOffset;
		}
	}
	while (hunks.length) {
		let hunk = hunks.shift();
		let regionStart = hunk.oStart;
		let regionEnd = hunk.oStart + hunk.oLength;
		let regionHunks = [hunk];
		advanceTo(regionStart);
		while (hunks.length) {
			const nextHunk = hunks[0];
			const nextHunkStart = nextHunk.oStart;
			if (nextHunkStart > regionEnd) break;
			regionEnd = Math.max(regionEnd, nextHunkStart + nextHunk.oLength);
			regionHunks.push(hunks.shift());
		}
		if (regionHunks.length === 1) {
			if (hunk.abLength > 0) {
				const buffer = hunk.ab === "a" ? a : b;
				results.push({
					stable: true,
					buffer: hunk.ab,
					bufferStart: hunk.abStart,
					bufferLength: hunk.abLength,
					bufferContent: buffer.slice(hunk.abStart, hunk.abStart + hunk.abLength)
				});
			}
		} else {
			let bounds = {
				a: [
					a.length,
					-1,
					o.length,
					-1
				],
				b: [
					b.length,
					-1,
					o.length,
					-1
				]
			};
			while (regionHunks.length) {
				hunk = regionHunks.shift();
				const oStart = hunk.oStart;
				const oEnd = oStart + hunk.oLength;
				const abStart = hunk.abStart;
				const abEnd = abStart + hunk.abLength;
				let b2 = bounds[hunk.ab];
				b2[0] = Math.min(abStart, b2[0]);
				b2[1] = Math.max(abEnd, b2[1]);
				b2[2] = Math.min(oStart, b2[2]);
				b2[3] = Math.max(oEnd, b2[3]);
			}
			const aStart = bounds.a[0] + (regionStart - bounds.a[2]);
			const aEnd = bounds.a[1] + (regionEnd - bounds.a[3]);
			const bStart = bounds.b[0] + (regionStart - bounds.b[2]);
			const bEnd = bounds.b[1] + (regionEnd - bounds.b[3]);
			let result = {
				stable: false,
				aStart,
				aLength: aEnd - aStart,
				aContent: a.slice(aStart, aEnd),
				oStart: regionStart,
				oLength: regionEnd - regionStart,
				oContent: o.slice(regionStart, regionEnd),
				bStart,
				bLength: bEnd - bStart,
				bContent: b.slice(bStart, bEnd)
			};
			results.push(result);
		}
		currOffset = regionEnd;
	}
	advanceTo(o.length);
	return results;
}
function diff3Merge(a, o, b, options) {
	options = Object.assign({
		excludeFalseConflicts: true,
		stringSeparator: /\s+/
	}, options);
	if (typeof a === "string") a = a.split(options.stringSeparator);
	if (typeof o === "string") o = o.split(options.stringSeparator);
	if (typeof b === "string") b = b.split(options.stringSeparator);
	let results = [];
	const regions = diff3MergeRegions(a, o, b);
	let okBuffer = [];
	function flushOk() {
		if (okBuffer.length) results.push({ ok: okBuffer });
		okBuffer = [];
	}
	function isFalseConflict(a2, b2) {
		if (a2.length !== b2.length) return false;
		for (let i = 0; i < a2.length; i++) if (a2[i] !== b2[i]) return false;
		return true;
	}
	regions.forEach((region) => {
		if (region.stable) okBuffer.push(...region.bufferContent);
		else if (options.excludeFalseConflicts && isFalseConflict(region.aContent, region.bContent)) okBuffer.push(...region.aContent);
		else {
			flushOk();
			results.push({ conflict: {
				a: region.aContent,
				aIndex: region.aStart,
				o: region.oContent,
				oIndex: region.oStart,
				b: region.bContent,
				bIndex: region.bStart
			} });
		}
	});
	flushOk();
	return results;
}
var MAX_PAIRS = 4e6;
function mergeTexts(base, host, sandbox) {
	const [o, a, b] = [
		linesOf(base),
		linesOf(host),
		linesOf(sandbox)
	];
	if (isTooRepetitive(o, a) || isTooRepetitive(o, b)) return null;
	let conflicts = 0;
	return {
		text: diff3Merge(a, o, b, { excludeFalseConflicts: true }).map(({ ok, conflict }) => {
			if (conflict === void 0) return (ok ?? []).join("");
			conflicts++;
			const side = (mark, lines) => `${mark}\n${ended(lines.join(""))}`;
			return `${side("<<<<<<< host", conflict.a)}${side("||||||| base", conflict.o)}${side("=======", conflict.b)}>>>>>>> sandbox\n`;
		}).join(""),
		conflicts
	};
}
function isTooRepetitive(one, other) {
	const counts = countOf(one);
	return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0) > MAX_PAIRS;
}
function linesOf(text) {
	return splitLines(text).map(rawOf);
}
function ended(text) {
	return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
function threeWay(base, host, sandbox) {
	const lines = {
		base: splitLines(base),
		host: splitLines(host),
		sandbox: splitLines(sandbox)
	};
	const raw = {
		base: lines.base.map(rawOf),
		host: lines.host.map(rawOf),
		sandbox: lines.sandbox.map(rawOf)
	};
	if (isTooRepetitive(raw.base, raw.host) || isTooRepetitive(raw.base, raw.sandbox)) return null;
	const hunks = [...hunksOf("host", raw.base, raw.host), ...hunksOf("sandbox", raw.base, raw.sandbox)];
	hunks.sort((a, b) => a.from - b.from);
	const at = {
		base: 0,
		host: 0,
		sandbox: 0
	};
	const blocks = [];
	const take = (size, kindOf) => {
		const block = {
			kind: "same",
			hostAt: at.host + 1,
			baseAt: at.base + 1,
			sandboxAt: at.sandbox + 1,
			host: lines.host.slice(at.host, at.host + size.host),
			base: lines.base.slice(at.base, at.base + size.base),
			sandbox: lines.sandbox.slice(at.sandbox, at.sandbox + size.sandbox)
		};
		block.kind = kindOf(block);
		if (size.base + size.host + size.sandbox > 0) blocks.push(block.kind === "same" ? {
			...block,
			base: [],
			sandbox: []
		} : block);
		at.base += size.base;
		at.host += size.host;
		at.sandbox += size.sandbox;
	};
	const takeSame = (until) => {
		const size = until - at.base;
		take({
			base: size,
			host: size,
			sandbox: size
		}, () => "same");
	};
	for (const region of regionsOf(hunks)) {
		const [first] = region;
		if (first === void 0) continue;
		takeSame(first.from);
		const size = Math.max(...region.map(({ to }) => to)) - first.from;
		const moreOf = (side) => region.reduce((sum, hunk) => sum + (hunk.side === side ? hunk.more : 0), 0);
		take({
			base: size,
			host: size + moreOf("host"),
			sandbox: size + moreOf("sandbox")
		}, (block) => whoChanged(region, block));
	}
	takeSame(raw.base.length);
	return blocks;
}
function twoWay(host, sandbox) {
	const { hunks, approximate } = compareTexts(host, sandbox, { context: Number.POSITIVE_INFINITY });
	const lines = hunks.length > 0 ? hunks.flatMap((hunk) => hunk.lines) : splitLines(host).map((line) => ({
		kind: "context",
		...line
	}));
	const blocks = [];
	let [hostAt, sandboxAt] = [1, 1];
	for (const { kind, text, end } of lines) {
		const wanted = kind === "context" ? "same" : "differs";
		let block = blocks.at(-1);
		if (block?.kind !== wanted) {
			block = {
				kind: wanted,
				hostAt,
				baseAt: 0,
				sandboxAt,
				host: [],
				base: [],
				sandbox: []
			};
			blocks.push(block);
		}
		if (kind !== "added") hostAt++;
		if (kind !== "removed") sandboxAt++;
		(kind === "added" ? block.sandbox : block.host).push({
			text,
			end
		});
	}
	return {
		blocks,
		approximate
	};
}
function hunksOf(side, base, now) {
	return diffIndices(base, now).map(({ buffer1: [from, length], buffer2: [, lines] }) => {
		return {
			side,
			from,
			to: from + length,
			more: lines - length
		};
	});
}
function regionsOf(hunks) {
	const regions = [];
	let end = 0;
	for (const hunk of hunks) {
		const last = regions.at(-1);
		const touches = last !== void 0 && hunk.from <= end;
		if (touches) last.push(hunk);
		else regions.push([hunk]);
		end = touches ? Math.max(end, hunk.to) : hunk.to;
	}
	return regions;
}
function whoChanged(region, { host, sandbox }) {
	const [first] = region;
	if (region.every(({ side }) => side === first?.side)) return first?.side ?? "same";
	const raw = (lines) => lines.map(rawOf).join("");
	return raw(host) === raw(sandbox) ? "alike" : "both";
}
init_bytes();
var BY_NAME = new Map(Object.entries({
	bash: ".bash .sh .zsh .bashrc .bash_profile .profile .zshrc",
	c: ".c .h",
	cmake: "cmakelists.txt",
	cpp: ".cc .cpp .cxx .hh .hpp",
	csharp: ".cs",
	css: ".css",
	dart: ".dart",
	diff: ".diff .patch",
	dockerfile: "dockerfile containerfile",
	elixir: ".ex .exs",
	erlang: ".erl",
	go: ".go",
	gradle: ".gradle",
	graphql: ".graphql",
	groovy: "jenkinsfile",
	haskell: ".hs",
	ini: ".ini .cfg .conf .toml .gitconfig .npmrc .editorconfig",
	java: ".java",
	javascript: ".cjs .js .jsx .mjs",
	json: ".json .jsonc .jsonl",
	julia: ".jl",
	kotlin: ".kt .kts",
	less: ".less",
	lua: ".lua",
	makefile: ".mk makefile gnumakefile",
	markdown: ".md .markdown",
	nix: ".nix",
	objectivec: ".m",
	perl: ".pl .pm",
	php: ".php",
	protobuf: ".proto",
	python: ".py .pyi",
	r: ".r",
	ruby: ".rb gemfile rakefile",
	rust: ".rs",
	scala: ".scala",
	scss: ".scss",
	sql: ".sql",
	swift: ".swift",
	typescript: ".cts .mts .ts .tsx",
	xml: ".htm .html .svg .vue .xml",
	yaml: ".yaml .yml",
	zig: ".zig"
}).flatMap(([language, names]) => names.split(" ").map((name) => [name, language])));
function languageOf(path) {
	const name = nameOf(path).toLowerCase();
	const dot = name.lastIndexOf(".");
	return BY_NAME.get(name) ?? (dot > 0 ? BY_NAME.get(name.slice(dot)) : void 0) ?? null;
}
var NOT_BOTH_TEXT = "Only text that both changed, whose common base was kept, can be merged.";
var CHANGED_OR_LARGE = "It changed since the list was made, or it is too large. Look again.";
var BASE_GONE = "The common base is not kept any more.";
var ONE_IS_NO_TEXT = "One side is not text.";
var MERGE_REPETITIVE = "It has too many equal lines to be merged.";
var WHERE = {
	host: "On the host",
	sandbox: "In the sandbox"
};
var isNoFile = (side) => `${WHERE[side]} it is no regular file: only texts are laid side by side.`;
var isTooLarge = (side, bytes, most) => `${WHERE[side]} it has ${bytes} bytes: only texts of up to ${most} are laid side by side.`;
var isUnreadable = (side) => `${WHERE[side]} it has changed since the list was made, or can’t be read. Look again.`;
var isNoText = (side) => `${WHERE[side]} it is not text.`;
var hasManyLines = (side, most) => `${WHERE[side]} it has more than ${most} lines, too many to be laid side by side.`;
var REPETITIVE = "The three have too many equal lines to be compared with one another in time.";
var EACH_ITS_OWN = "Neither had an entry of that name when the sandbox began: each made its own.";
var BASE_UNKNOWN = "It is not on record what both began with.";
var BASE_NO_FILE = "What both began with was no regular file.";
var BASE_NOT_KEPT = "The content that both began with was not kept: it was too large, or no text.";
var BASE_CONTENT_GONE = "The content that both began with is not kept any more.";
init_limits();
init_port();
var MAX_BYTES$1 = 4 * BASE_BLOB_BYTES;
function mayMerge(change, base) {
	return change.conflict === "host-changed" && change.kind === "modified" && change.group === null && change.pending?.type === "file" && change.host?.type === "file" && base.state === "known" && base.blob === true;
}
function mergeable(ctx, changes) {
	if (!changes.some(({ conflict }) => conflict === "host-changed")) return /* @__PURE__ */ new Set();
	const { records } = readBaseFile(ctx);
	const fits = (change) => mayMerge(change, records.get(change.path)?.base ?? { state: "none" });
	return new Set(changes.filter(fits).map(({ id }) => id));
}
function mergeChange(ctx, change, records) {
	const base = records.get(change.path)?.base ?? { state: "none" };
	if (!mayMerge(change, base)) return NOT_BOTH_TEXT;
	const host = readAs(change.path, change.hostIdentity);
	const sandbox = readUpper(ctx, change);
	if (host === null || sandbox === null) return CHANGED_OR_LARGE;
	const kept = readBlob(ctx, base.sha256 ?? "");
	if (kept === null) return BASE_GONE;
	if (isBinary(host) || isBinary(sandbox)) return ONE_IS_NO_TEXT;
	const merged = mergeTexts(latin(kept), latin(host), latin(sandbox));
	if (merged === null) return MERGE_REPETITIVE;
	const content = Buffer.from(merged.text, "latin1");
	const mode = change.pending?.mode === base.host.mode ? change.host?.mode : change.pending?.mode;
	const names = [
		change.id,
		change.hostIdentity,
		change.upperIdentity,
		base.sha256,
		String(mode)
	];
	const etag = createHash("sha256").update(names.join("\0")).update(content).digest("hex").slice(0, 32);
	return {
		content,
		host,
		conflicts: merged.conflicts,
		etag,
		mode: mode ?? 420,
		base
	};
}
function previewMerge(ctx, change) {
	const { id, path } = change;
	const merged = mergeChange(ctx, change, readBaseFile(ctx).records);
	const nothing = {
		id,
		etag: "",
		conflicts: 0,
		diff: null
	};
	if (typeof merged === "string") return {
		...nothing,
		refused: merged
	};
	const { etag, conflicts, content, host } = merged;
	return {
		id,
		etag,
		conflicts,
		diff: {
			kind: "text",
			id,
			etag,
			...compareTexts(textOf$2(host), textOf$2(content), { context: host.length + content.length }),
			language: languageOf(path)
		},
		refused: null
	};
}
var latin = (content) => content.toString("latin1");
var textOf$2 = (content) => decodeText(content) ?? latin(content);
var readAs = (path, identity) => readSame(path, identity, MAX_BYTES$1);
function readUpper({ coveredDirs }, { path, upperIdentity }) {
	const upper = upperPathIn(coveredDirs, path);
	return upper === null ? null : readAs(upper, upperIdentity);
}
function readBlob(ctx, sha256) {
	const content = orNull(() => readFileSync(`${ctx.sessionDir}/overlay/blobs/${sha256}`));
	return content !== null && hash("sha256", content) === sha256 ? content : null;
}
function conflictView(ctx, change) {
	const { id, path } = change;
	const host = sideText("host", change.host, () => readAs(path, change.hostIdentity));
	const sandbox = sideText("sandbox", change.pending, () => readUpper(ctx, change));
	const view = {
		id,
		host: change.host !== null,
		sandbox: change.pending !== null,
		noBase: null,
		blocks: [],
		approximate: false,
		refused: null
	};
	if ("refused" in host) return {
		...view,
		refused: host.refused
	};
	if ("refused" in sandbox) return {
		...view,
		refused: sandbox.refused
	};
	const base = baseOf(ctx, makeBases(readBaseFile(ctx).records).lookup(path));
	if ("text" in base) {
		const blocks = threeWay(base.text, host.text, sandbox.text);
		if (blocks !== null) return {
			...view,
			blocks
		};
	}
	const { blocks, approximate } = twoWay(host.text, sandbox.text);
	return {
		...view,
		noBase: "text" in base ? REPETITIVE : base.refused,
		blocks,
		approximate
	};
}
function sideText(name, side, read) {
	if (side === null) return { text: "" };
	if (side.type !== "file") return { refused: isNoFile(name) };
	if (side.size > 512e3) return { refused: isTooLarge(name, side.size, MAX_DIFF_BYTES) };
	const content = read();
	if (content === null) return { refused: isUnreadable(name) };
	const text = isBinary(content) ? null : decodeText(content);
	if (text === null) return { refused: isNoText(name) };
	if (countLines(text) > 2e4) return { refused: hasManyLines(name, MAX_DIFF_LINES) };
	return { text };
}
function baseOf(ctx, base) {
	if (base.state === "absent") return { refused: EACH_ITS_OWN };
	if (base.state !== "known") return { refused: BASE_UNKNOWN };
	if (base.host.type !== "file") return { refused: BASE_NO_FILE };
	if (base.blob !== true || base.sha256 === void 0) return { refused: BASE_NOT_KEPT };
	const kept = readBlob(ctx, base.sha256);
	const text = kept === null ? null : decodeText(kept);
	return text === null ? { refused: BASE_CONTENT_GONE } : { text };
}
init_bytes();
init_dir_handles();
init_fingerprint();
init_port();
function mergesOf(ctx, plan, request) {
	const merges = /* @__PURE__ */ new Map();
	let records = null;
	const inConflict = plan.steps.flatMap(({ members }) => members.filter(({ conflict }) => conflict !== null));
	for (const change of inConflict) {
		const choice = request.choices[change.id] ?? request.conflicts;
		if (choice !== "merge" && choice !== "merge-markers") continue;
		records ??= readBaseFile(ctx).records;
		const merged = mergeChange(ctx, change, records);
		if (typeof merged === "string") throw notMergeable(change.path, merged);
		const shown = request.merges?.[change.id];
		if (shown !== void 0 && shown !== merged.etag) throw staleMerge(change.path);
		if (merged.conflicts > 0 && choice === "merge") throw mergeOverlaps(change.path, merged.conflicts);
		merges.set(change.path, {
			...merged,
			id: change.id
		});
	}
	if (!ctx.quiet && merges.size > 0) throw mergeWhileLive();
	return merges;
}
function mergedEntry(merge) {
	const { id, base, conflicts } = merge;
	return {
		id,
		base,
		print: printOfMerge(merge),
		...conflicts > 0 ? { marks: conflicts } : {}
	};
}
function printOfMerge({ content, mode }) {
	return `${createHash("sha256").update(content).digest("hex")}.${mode.toString(8)}`;
}
function mergesAgain(ctx, changes, units, wanted) {
	const again = {
		choices: {},
		merges: {}
	};
	const merged = mergedUnits(units).filter(({ path }) => wanted.has(path));
	if (merged.length === 0) return again;
	const { records } = readBaseFile(ctx);
	for (const { path, merged: was } of merged) {
		const change = changes.find((one) => one.path === path);
		const now = change === void 0 ? null : mergeChange(ctx, change, records);
		if (change === void 0 || now === null || typeof now === "string" || printOfMerge(now) !== was.print) throw staleMerge(path);
		again.choices[change.id] = "merge-markers";
		again.merges[change.id] = now.etag;
	}
	return again;
}
async function stageMerges({ port, ctx, journal }, merges, copies, viewer) {
	for (const copy of copies) {
		const { path } = copy.prepared.step.change;
		const merge = merges.get(path);
		if (merge === void 0) continue;
		const all = joinPath(commitDir(ctx, journal.record.n), MERGED);
		if (port.lstat(all) === null) port.mkdir(all, 448);
		const dir = joinPath(all, merge.id);
		port.mkdir(dir, 448);
		await withHandleAsync(port, port.openDir(dir), async (fd) => {
			const complaint = await copyOut(port, viewer.pathOf(parentOf(path)), [nameOf(path)], fd);
			if (port.lstat(at(fd, nameOf(path)))?.type !== "file") throw versionNotKept(path, complaint);
		});
		const staged = at(copy.prepared.area.fd, relativeTo(copy.prepared.area.base, path));
		const before = port.lstat(staged);
		if (before?.type !== "file" || before.nlink !== 1) throw copyIsOther(path);
		await writeThrough(port, staged, merge, before.mode);
		const now = port.lstat(staged);
		if (now === null) throw copyIsOther(path);
		copy.born = birthOf$1(now);
		copy.result = copy.result.map((one) => one.path === path ? {
			path,
			id: identityOf$1(now)
		} : one);
	}
}
async function writeThrough(port, staged, { content, mode }, had) {
	await withHandleAsync(port, port.openEntry(staged), async (entry) => {
		if ((had & 128) === 0) port.chmod(at(entry), had | 128);
		const { status, stderr } = await port.run("bash", [
			"--norc",
			"-c",
			"exec cat > /proc/self/fd/3"
		], content, [entry]);
		if (status !== 0) throw mergeNotWritten(stderr.trim());
		port.chmod(at(entry), mode);
	});
}
init_dir_handles();
init_fingerprint();
function writeUnits(ctx, journal, findings, staged) {
	const { moves } = staged;
	const { failed } = findings;
	findings.checked = findings.checked.toSorted((a, b) => Number(moves.has(b)) - Number(moves.has(a)));
	findings.checked.forEach((one, i) => {
		const unit = movedFile(one, i, staged) ?? unitOf$1(one, i, {
			ctx,
			journal,
			failed,
			staged
		});
		const overrides = overridesOf(staged.overrides, one.step, failed);
		journal.add(overrides.length === 0 ? unit : {
			...unit,
			overrides
		});
	});
}
function movedFile(one, i, { moves, images }) {
	const { step, host, upper } = one;
	if (!moves.has(one) || isNewTree(step) || step.op !== "put") return null;
	const { path, pending, group } = step.change;
	const stat = known$1(upper.get(path));
	const unit = {
		t: "unit",
		i,
		path,
		groups: group === null ? [] : [group],
		kind: "put",
		host,
		stage: null,
		rel: "",
		born: birthOf$1(stat),
		closedMode: null,
		entries: [{
			path,
			id: identityOf$1(stat)
		}],
		result: [],
		bytes: pending?.size ?? 0
	};
	const image = images?.get(one);
	if (image !== void 0) unit.image = image;
	return unit;
}
function unitOf$1(one, i, { ctx, journal, failed, staged }) {
	const { step, host, below, upper, xattrs } = one;
	const image = staged.images?.get(one);
	const merge = staged.merges.get(step.change.path);
	const { path, pending, kind } = step.change;
	const upperStat = upper.get(path);
	const members = failed.size === 0 ? step.members : step.members.filter((change) => !failed.has(change.path));
	const groups = /* @__PURE__ */ new Set();
	for (const { group } of changesOf(step)) if (group !== null) groups.add(group);
	const every = {
		t: "unit",
		i,
		path,
		groups: [...groups]
	};
	const kept = image === void 0 ? {} : { image };
	const upperId = upperStat === void 0 ? null : identityOf$1(upperStat);
	if (step.op === "delete") return {
		...every,
		kind: "delete",
		host: known$1(host),
		upper: upperId,
		...kept
	};
	if (step.op === "meta") {
		const { mode, uid, gid } = known$1(pending);
		const mtime = upperStat === void 0 ? null : newTime(kind, host, upperStat);
		const more = xattrs === void 0 ? {} : { xattrs };
		return {
			...every,
			kind: "meta",
			host: known$1(host),
			upper: upperId,
			mode,
			uid,
			gid,
			mtime,
			...more
		};
	}
	const bytes = members.reduce((sum, change) => sum + (change.pending?.size ?? 0), 0);
	if (staged.moves.has(one) && isNewTree(step)) {
		const top = known$1(upperStat);
		return {
			...every,
			kind: "move-to-host",
			born: birthOf$1(top),
			tree: packed(one, top),
			bytes
		};
	}
	const { prepared, born, result } = known$1(staged.copies.get(one));
	const closed = pending?.type === "dir" && !ctx.root && (pending.mode & 128) === 0;
	const fields = {
		stage: prepared.area.index,
		rel: relativeTo(prepared.area.base, path),
		born,
		result,
		bytes,
		closedMode: closed ? pending.mode : null,
		entries: entriesIn(one, members),
		...kept
	};
	if (step.op === "put") return {
		...every,
		kind: "put",
		host,
		...fields,
		...merge === void 0 ? {} : { merged: mergedEntry(merge) }
	};
	return {
		...every,
		kind: "swap",
		host: known$1(host),
		...fields,
		aside: asideName(ctx.session, journal.record.n, i),
		below
	};
}
function known$1(value) {
	if (value === null || value === void 0) throw new RangeError("expected a checked step");
	return value;
}
function entriesIn({ step, upper }, members) {
	return [...members.map(({ path }) => {
		const stat = upper.get(path);
		return {
			path,
			id: stat === void 0 ? null : identityOf$1(stat)
		};
	}), ...step.below.map(({ path }) => ({
		path,
		id: null
	}))];
}
function newTime(kind, host, { type, mtimeNs }) {
	const hasOther = type === "file" && (host === null || fingerprint(host).mtimeNs !== mtimeNs);
	return kind === "dir-replaced" || hasOther ? String(mtimeNs) : null;
}
function packed({ step, upper }, top) {
	const packer = new TreePacker(step.change.path, identityOf$1(top));
	for (const member of step.members) {
		const stat = upper.get(member.path);
		if (stat === void 0) packer.listed(member);
		else packer.looked(member.path, identityOf$1(stat));
	}
	return packer.done();
}
init_limits();
init_entry_errors();
init_port();
init_perl();
async function commitAll(ctx, list, request, tools = {}) {
	return await keepPerl(async () => await commitList(ctx, list, request, tools));
}
async function commitList(ctx, list, request, tools) {
	if (!sameRevision(list.revision, request.revision, request.includeIgnored)) throw staleList();
	const startedAt = performance.now();
	const { port = nodePort, onProgress, cancelled } = tools;
	const plan = planCommit(list, request);
	if (plan.steps.length === 0 && plan.stale.length > 0) throw staleList();
	askMassGuard(ctx, isSelection(request) ? {
		...list,
		changes: plan.steps.flatMap(changesOf)
	} : list, request);
	const merges = mergesOf(ctx, plan, request);
	const marks = ctx.quiet ? askMarks(ctx, plan.steps, merges) : null;
	const reversible = request.noUndo !== true;
	const { maxBytes } = ctx.undo ?? UNDO_LIMITS;
	const bytes = replacedBytes(plan);
	if (reversible && bytes > maxBytes) throw undoTooLarge(bytes, maxBytes);
	const order = {
		list,
		plan,
		merges,
		reversible,
		marks,
		tools
	};
	const transaction = {
		port,
		ctx,
		journal: begin(port, ctx, order)
	};
	const { journal } = transaction;
	return await useAndCloseAsync(journal, async () => {
		try {
			await withStaging(transaction, async (work) => await stageAll(work, order));
		} catch (error) {
			if (error instanceof Cancelled) {
				abortQuietly(transaction, false);
				return cancelledReport(journal, plan, startedAt);
			}
			if (errorCode(error) !== "") abortQuietly(transaction, isNoSpace(error));
			throw asTraiError(error);
		}
		const settled = isSettled(ctx, tools);
		return await advance({
			...transaction,
			onProgress,
			startedAt,
			cancelled,
			settled,
			unfinished: /* @__PURE__ */ new Map()
		});
	});
}
function isSettled({ quiet }, { settled }) {
	return settled === true && quiet;
}
function begin(port, ctx, { list, plan, reversible, tools }) {
	try {
		const ignored = plan.ignored.filter((c) => c.ignored !== null && c.ignored !== "only its time differs" || c.pending?.type === "socket");
		return beginTransaction(port, ctx, {
			revision: list.revision,
			reversible,
			leftOut: [
				...plan.kept,
				...plan.closed,
				...plan.ignored,
				...plan.stale
			].map(({ path }) => path),
			kept: plan.kept.length,
			ignored: ignored.length,
			...tools.redoes === void 0 ? {} : { redoes: tools.redoes },
			...tools.auto === void 0 ? {} : { auto: tools.auto }
		});
	} catch (error) {
		throw asTraiError(error);
	}
}
async function stageAll(work, order) {
	const { port, ctx, journal, dirs, uppers, areas } = work;
	const { list, plan, merges, reversible, marks, tools } = order;
	const mayGoOn = () => {
		if (tools.cancelled?.() === true) throw new Cancelled(STOPPED);
	};
	const findings = await checkSteps(work, plan.steps, isSettled(ctx, tools));
	const settle = () => {
		mayGoOn();
		failGroups(plan, findings);
	};
	failUnread(list, plan, findings);
	const bases = chooseBases(areas, findings);
	settle();
	const moves = marks ? findMoves(port, ctx, uppers, findings, {
		marks: await marks,
		merges
	}) : /* @__PURE__ */ new Set();
	await takeMarksOff(uppers, moves, work.pace);
	await checkBelieved(work, findings, moves);
	settle();
	const copied = new Set(findings.checked.filter((one) => !moves.has(one)));
	for (const one of bases.keys()) if (!copied.has(one)) bases.delete(one);
	checkSpace(port, dirs, bases);
	const copies = await copyWithViewer(work, order, findings, bases);
	settle();
	const images = reversible ? await keepImages(work, findings) : null;
	settle();
	writeUnits(ctx, journal, findings, {
		copies,
		moves,
		images,
		overrides: await collectOverrides(ctx, plan, merges),
		merges
	});
	const paths = journal.record.units.flatMap((unit) => unit.kind === "move-to-host" ? [unit.path] : entriesOf(unit).map(({ path }) => path));
	journal.add({
		t: "above",
		entries: dirsAbove(ctx, uppers, paths)
	});
	journal.add({
		t: "same",
		entries: await unlisted(ctx, uppers, list.changes, work.pace)
	});
	journal.add({
		t: "refused",
		entries: [...findings.failed].map(([path, message]) => ({
			path,
			message
		}))
	});
	const areCopied = images !== null && [...images.values()].includes("copy");
	await areas.sync([...uppersOf(ctx, moves), ...areCopied ? [journal.dir] : []]);
	mayGoOn();
	journal.addSynced({
		t: "ready",
		units: journal.record.units.length
	});
}
async function copyWithViewer(work, { list, merges }, findings, bases) {
	if (bases.size === 0) return /* @__PURE__ */ new Map();
	return await useAndCloseAsync(await openViewer(work.ctx), async (viewer) => {
		const copies = await copyAll(work, list, findings, bases, viewer);
		await stageMerges(work, merges, copies.values(), viewer);
		return copies;
	});
}
function cancelledReport({ record }, plan, startedAt) {
	return {
		n: record.n,
		state: "partial",
		cancelled: true,
		applied: 0,
		bytes: 0,
		failed: [],
		copies: false,
		kept: record.begin.kept,
		ignored: record.begin.ignored,
		notApplied: plan.steps.flatMap(changesOf).map(({ path }) => path),
		ms: Math.round(performance.now() - startedAt)
	};
}
async function lookSettled(session, look) {
	const before = await asQuiet(session);
	return {
		found: await look(),
		session: before ?? await asQuiet(session) ?? session,
		settled: before !== null
	};
}
var SIZE = 16;
var STEP$2 = 500;
function fingerprintText(change) {
	const { path, kind, upperIdentity = "-", hostIdentity = "-", xattrIdentity } = change;
	const sides = `${upperIdentity} ${hostIdentity}`;
	return `${path}\0${kind} ${xattrIdentity === void 0 ? sides : `${sides} ${xattrIdentity}`}\0`;
}
function* fingerprints(changes) {
	const all = new Uint8Array(changes.length * SIZE);
	for (const [i, change] of changes.entries()) {
		all.set(fingerprintOf(change), i * SIZE);
		if (i % STEP$2 === 0) yield null;
	}
	return all;
}
function staleAmong(changes, reviewed) {
	const bytes = Buffer.from(reviewed.buffer, reviewed.byteOffset, reviewed.byteLength);
	const known = /* @__PURE__ */ new Set();
	for (let at = 0; at < bytes.length; at += SIZE) known.add(bytes.toString("latin1", at, at + SIZE));
	const isStale = (change) => !known.has(fingerprintOf(change).toString("latin1"));
	return new Set(changes.filter(isStale).map(({ path }) => path));
}
function fingerprintOf(change) {
	return hash("sha256", Buffer.from(fingerprintText(change), "latin1"), "buffer").subarray(0, SIZE);
}
init_bytes();
init_identity();
init_entry();
init_reasons();
var NEW = { state: "none" };
var Walk = class {
	problems = [];
	holders = [];
	attributes = new Attributes();
	questions = [];
	frames = [];
	ctx;
	maker;
	constructor(ctx, maker) {
		this.ctx = ctx;
		this.maker = maker;
	}
	get needsViewer() {
		return this.questions.length > 0;
	}
	*walkUppers() {
		for (const covered of this.ctx.coveredDirs) {
			const root = this.rootFrame(covered);
			yield this.rootChange(root);
			this.frames.push(root);
			for (let frame = this.frames.pop(); frame !== void 0; frame = this.frames.pop()) {
				yield null;
				yield* this.guarded(frame.path, this.directory(frame));
			}
		}
	}
	*answerQuestions(viewer) {
		const replaced = /* @__PURE__ */ new Set();
		for (const question of this.questions) {
			yield null;
			yield* this.guarded(question.child.path, this.answer(question, viewer, replaced));
		}
	}
	rootFrame({ path, upper }) {
		const host = lstatEntry(path);
		const onHost = host?.type === "dir";
		return {
			path,
			upperPath: upper,
			onHost,
			parentGone: !onHost,
			fresh: false,
			ignored: isWithin(this.ctx.projectRoot, path) ? null : this.maker.ignoreRule(path, true),
			above: aboveRoot(host)
		};
	}
	rootChange(frame) {
		const { path, upperPath } = frame;
		const base = this.maker.bases.lookup(path);
		const [host, upper] = [lstatEntry(path), lstatEntry(upperPath)];
		if (base.state !== "known" || host?.type !== "dir" || upper === null) return null;
		if (isClosed$1(upper, this.ctx.root) || isExcluded(path, this.ctx.excluded)) return null;
		const child = {
			path,
			upperPath,
			upper,
			host,
			base
		};
		return metaChanged(child) ? this.found(frame, child, "meta") : null;
	}
	*guarded(path, steps) {
		try {
			yield* steps;
		} catch (error) {
			this.problem(path, error);
		}
	}
	problem(path, error) {
		this.problems.push({
			path,
			message: errorText(error)
		});
	}
	*directory(frame) {
		const { excluded } = this.ctx;
		const nearExcluded = isExcluded(frame.path, excluded) || excludedBelow(frame.path, excluded).length > 0;
		const first = this.frames.length;
		for (const name of readNames(frame.upperPath)) {
			const path = joinPath(frame.path, name);
			const upperPath = joinPath(frame.upperPath, name);
			const upper = lstatEntry(upperPath);
			if (upper === null) continue;
			const host = frame.onHost ? lstatEntry(path) : null;
			if (nearExcluded && isExcluded(path, excluded)) {
				this.excludedEntry(frame, {
					path,
					upperPath,
					upper,
					host,
					base: NEW
				});
				continue;
			}
			const child = {
				path,
				upperPath,
				upper,
				host,
				base: frame.fresh ? NEW : this.maker.bases.lookup(path)
			};
			if (host === null && upper.type !== "dir" && !isWhiteout(upper)) yield this.newEntry(frame, child);
			else yield* this.guarded(path, this.child(frame, child));
		}
		for (const dir of this.frames.splice(first).reverse()) this.frames.push(dir);
	}
	*child(frame, child) {
		const { path, upper, host, base } = child;
		if (isWhiteout(upper)) {
			if (host !== null) yield* this.deleted({
				path,
				entry: host
			}, frame.above, upper.birthNs, false);
		} else if (upper.type === "dir") yield* this.childDirectory(frame, child);
		else if (host === null) yield this.newEntry(frame, child);
		else if (host.type !== upper.type) {
			if (equalsBase(child.upperPath, upper, base)) return;
			yield this.found(frame, child, "replaced");
			if (host.type === "dir") yield* this.below(path, host, frame.above, upper.birthNs);
		} else {
			const kind = yield* judgeSameType({
				...child,
				host
			});
			const found = kind === null ? null : this.found(frame, child, kind);
			if (kind !== "modified") this.attributes.ask({
				...child,
				host
			}, found, () => this.found(frame, child, isStaleCopy({
				...child,
				host
			}) ? "modified" : "meta"));
			yield found;
		}
	}
	newEntry(frame, child) {
		try {
			if (equalsBase(child.upperPath, child.upper, child.base)) return null;
			return this.found(frame, child, wasThere(child.base) ? "modified" : "added");
		} catch (error) {
			this.problem(child.path, error);
			return null;
		}
	}
	*childDirectory(frame, child) {
		const { path, upperPath, upper, host, base } = child;
		const onHost = host?.type === "dir";
		const isDeep = holdsOutOfReach(upperPath) || onHost && holdsOutOfReach(path);
		if (isDeep || isClosed$1(upper, this.ctx.root) && !isNewAndEmpty(child)) {
			this.problems.push({
				path,
				message: isDeep ? OUT_OF_REACH : CLOSED_IN_SANDBOX
			});
			const kind = host === null ? "added" : onHost ? "meta" : "replaced";
			yield this.found(frame, child, kind, true);
			return;
		}
		const parentGone = frame.parentGone || !onHost && wasDirectory(base);
		const ignored = isWithin(this.ctx.projectRoot, path) ? null : frame.ignored ?? this.maker.ignoreRule(path, true);
		const above = onHost ? below$1(frame.above, host) : frame.above;
		this.frames.push({
			path,
			upperPath,
			onHost,
			parentGone,
			fresh: !onHost && !parentGone,
			ignored,
			above
		});
		if (!onHost) {
			const found = this.found(frame, child, host === null ? "added" : "replaced");
			if (onlyTouched(upper, base) && (host === null || base.state === "known")) this.holders.push(found);
			else yield found;
			return;
		}
		const both = {
			...child,
			host
		};
		const missing = this.missingNames(path, upperPath);
		if (missing.length > 0) this.questions.push({
			frame,
			child: both,
			missing
		});
		else yield this.sameDirectory(frame, both);
	}
	sameDirectory(frame, child, replaced = false) {
		const kind = replaced ? "dir-replaced" : metaChanged(child) ? "meta" : null;
		const found = kind === null ? null : this.found(frame, child, kind);
		this.attributes.ask(child, found, () => this.found(frame, child, "meta"));
		return found;
	}
	*answer({ frame, child, missing }, viewer, replaced) {
		const { path, upperPath, upper, host } = child;
		const hidden = hiddenNames(viewer, {
			host: path,
			upper: upperPath
		}, missing);
		const isReplaced = hidden.length > 0 && !isBelowAny(path, replaced);
		if (isReplaced) replaced.add(path);
		yield this.sameDirectory(frame, child, isReplaced);
		const above = below$1(frame.above, host);
		for (const name of hidden) {
			const at = joinPath(path, name);
			const entry = lstatEntry(at);
			if (entry !== null) yield* this.deleted({
				path: at,
				entry
			}, above, upper.birthNs, true);
		}
	}
	*deleted(node, above, since, isBelow) {
		if (this.isSkipped(node.path)) return;
		yield this.gone(node, above, since, isBelow);
		if (node.entry.type === "dir") yield* this.below(node.path, node.entry, above, since);
	}
	*below(dir, host, above, since) {
		const dirs = /* @__PURE__ */ new Map([[dir, below$1(above, host)]]);
		const tree = hostTree(dir, host.dev, {
			skip: (path) => this.isSkipped(path),
			onProblem: (problem) => this.problems.push(problem)
		});
		for (const node of tree) {
			if (node === null) {
				yield null;
				continue;
			}
			const holder = dirs.get(parentOf(node.path)) ?? above;
			if (node.entry.type === "dir") dirs.set(node.path, below$1(holder, node.entry));
			yield this.gone(node, holder, since, true);
		}
	}
	gone({ path, entry }, above, since, isBelow) {
		const { excluded } = this.ctx;
		const holdsExcluded = () => excludedBelow(path, excluded).some((one) => lstatEntry(one) !== null);
		if (entry.type === "dir" && holdsExcluded()) return null;
		return this.maker.make({
			kind: "deleted",
			path,
			pending: null,
			host: entry,
			base: this.maker.bases.lookup(path),
			since,
			movedNs: above.movedNs,
			below: isBelow
		});
	}
	found(frame, child, kind, closed = false) {
		return this.maker.make({
			kind,
			path: child.path,
			host: child.host,
			base: child.base,
			closed,
			pending: {
				entry: child.upper,
				path: child.upperPath
			},
			since: child.upper.birthNs,
			movedNs: frame.above.movedNs,
			parentGone: frame.parentGone,
			ignoredAbove: frame.ignored
		});
	}
	excludedEntry(frame, child) {
		if (child.upper.type !== "dir" || !mayHoldListed(child.path, this.ctx.excluded)) return;
		const onHost = child.host?.type === "dir";
		this.frames.push({
			...frame,
			path: child.path,
			upperPath: child.upperPath,
			onHost,
			fresh: !onHost
		});
		if (child.host === null) this.holders.push(this.found(frame, child, "added"));
	}
	isSkipped(path) {
		return isExcluded(path, this.ctx.excluded) || coveringDir(this.ctx.coveredDirs, path)?.path === path;
	}
	missingNames(path, upperPath) {
		if (copiedDirOf(this.ctx, path) !== void 0) return [];
		const present = new Set(readNames(upperPath));
		return namesOrNone(path).filter((name) => !present.has(name) && !this.isSkipped(joinPath(path, name)));
	}
};
function isNewAndEmpty({ host, upper, upperPath }) {
	return host === null && (upper.mode & 256) !== 0 && readNames(upperPath).length === 0;
}
init_bytes();
init_entry();
init_port();
async function scan(ctx, trace) {
	const bases = await readBases(ctx);
	const walk = new Walk(ctx, new ChangeMaker(ctx, bases));
	const found = [];
	const keep = (one) => {
		found.push(one);
		return false;
	};
	await run$1(ctx, walk, keep, trace);
	await collect$1(forgiveSame(ctx, found, bases));
	const list = trace?.during(() => listOf$1(ctx, walk, found)) ?? listOf$1(ctx, walk, found);
	await collect$1(findRenames(ctx, list.changes));
	return list;
}
async function hasPending(ctx) {
	const walk = new Walk(ctx, new ChangeMaker(ctx, await readBases(ctx)));
	return await run$1(ctx, walk, ({ ignored }) => ignored === null) || walk.problems.length > 0;
}
async function run$1(ctx, walk, take, trace) {
	const part = async (steps) => await inSlices(trace?.along(steps) ?? steps, take);
	if (await part(walk.walkUppers())) return true;
	if (walk.needsViewer) {
		const answers = async (viewer) => await part(walk.answerQuestions(viewer));
		if (await useAndCloseAsync(await openViewer(ctx), answers)) return true;
	}
	return await part(walk.attributes.compare());
}
function listOf$1(ctx, walk, found) {
	found.sort((a, b) => byBytes(a.path, b.path));
	const changes = withHolders(found, walk.holders);
	findMovedPartners(ctx, changes);
	setGroups(changes);
	spreadGroupConflicts(changes);
	const ignored = changes.filter((change) => change.ignored !== null);
	const kept = changes.filter((change) => change.ignored === null);
	const times = timesOf$1(walk, changes);
	return {
		session: ctx.session,
		revision: revisionOf(changes, times.timed),
		at: (/* @__PURE__ */ new Date()).toISOString(),
		changes,
		counts: countChanges(changes),
		bytes: bytesOf$2(kept),
		ignored: {
			count: ignored.length,
			bytes: bytesOf$2(ignored)
		},
		conflicts: kept.filter((change) => change.conflict !== null).length,
		...times,
		problems: walk.problems.map(({ path, message }) => ({
			path: toDisplay(path),
			message
		}))
	};
}
function timesOf$1(walk, changes) {
	if (walk.attributes.times.length === 0) return {};
	const listed = new Set(changes.map(({ path }) => path));
	const timed = walk.attributes.times.filter(({ path }) => !listed.has(path));
	return timed.length === 0 ? {} : {
		timed,
		times: timed.length
	};
}
function withHolders(sorted, holders) {
	const needed = holders.filter((holder) => {
		const prefix = `${holder.path}/`;
		return sorted[firstFrom(sorted, prefix)]?.path.startsWith(prefix) === true;
	});
	if (needed.length === 0) return sorted;
	return [...sorted, ...needed].sort((a, b) => byBytes(a.path, b.path));
}
function firstFrom(sorted, path) {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = low + high >> 1;
		if ((sorted[middle]?.path ?? "") < path) low = middle + 1;
		else high = middle;
	}
	return low;
}
function revisionOf(changes, timed = []) {
	const kept = createHash("sha256");
	const ignored = createHash("sha256");
	const goes = goesWithOthers(changes);
	for (const change of changes) (change.ignored === null || goes(change) ? kept : ignored).update(fingerprintText(change), "latin1");
	for (const change of timed) ignored.update(fingerprintText(change), "latin1");
	return `${kept.digest("hex").slice(0, 32)}-${ignored.digest("hex").slice(0, 32)}`;
}
function bytesOf$2(changes) {
	return changes.reduce((sum, { kind, pending }) => sum + (kind === "meta" ? 0 : pending?.size ?? 0), 0);
}
init_bytes();
function overlaysDir({ stateDir }) {
	return joinPath(fromText(stateDir), "overlays");
}
function overlayOf(port, { sessionDir }) {
	const link = joinPath(fromText(sessionDir), "overlay");
	if (port.lstat(link)?.type !== "dir") return port.readlink(link);
	throw otherVersion(link);
}
function linkTo(name) {
	return `../../overlays/${name}`;
}
function overlaysIn(port, ctx, dir) {
	if (port.lstat(dir) === null) return [];
	return port.readdir(dir).flatMap((name) => {
		const path = joinPath(dir, name);
		const target = port.lstat(path)?.type === "symlink" ? port.readlink(path) : null;
		return target === null || target !== linkTo(nameOf(target)) ? [] : [joinPath(overlaysDir(ctx), nameOf(target))];
	});
}
init_bytes();
init_port();
var TAG = "CACHEDIR.TAG";
var CACHE_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Overlays that were discarded; `trai undo` undoes a discard.\n";
function trashDir(ctx) {
	return joinPath(fromText(ctx.stateDir), "trash");
}
function timeOf({ session }, name) {
	if (!name.startsWith(`${session}.`)) return null;
	const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name.slice(session.length + 1));
	if (time === null) return null;
	const [, year, month, day, hour, minute, second, ms] = time;
	return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}
function trashNames(port, ctx) {
	if (port.lstat(trashDir(ctx)) === null) return [];
	return port.readdir(trashDir(ctx)).filter((name) => timeOf(ctx, name) !== null).sort();
}
function readDiscard(port, ctx, name) {
	if (timeOf(ctx, name) === null) return null;
	const dir = joinPath(trashDir(ctx), name);
	const record = readJournalIn(port, dir)?.record;
	const about = record?.begin.discards;
	if (record === void 0 || about === void 0 || record.begin.session !== ctx.session) return null;
	return {
		...about,
		entries: record.entries ?? about.entries,
		name,
		dir,
		record
	};
}
function readDiscards(port, ctx) {
	return trashNames(port, ctx).flatMap((name) => readDiscard(port, ctx, name) ?? []).filter((discard) => discard.record.reopened !== null || isReturnable(port, discard));
}
function isReturnable(port, { dir, record }) {
	return record.discarded && port.lstat(joinPath(dir, "overlay")) !== null;
}
function isLeftover(port, ctx, name) {
	const dir = joinPath(trashDir(ctx), name);
	return orIfRefused(() => {
		if (port.readdir(dir).some((one) => one !== "overlay" && one !== "journal.jsonl")) return false;
		const overlay = joinPath(dir, "overlay");
		if (port.lstat(overlay) !== null && port.readdir(overlay).length > 0) return false;
		return readJournalIn(port, dir) === null;
	}, false);
}
function beginDiscard(port, ctx, discards) {
	ensureTrash(port, ctx);
	const last = trashNames(port, ctx).at(-1) ?? "";
	let time = Date.now();
	const nameAt = () => `${ctx.session}.${new Date(time).toISOString().replace(/[-:.]/g, "")}`;
	while (nameAt() <= last) time++;
	const journal = beginJournal(port, joinPath(trashDir(ctx), nameAt()), {
		n: 0,
		session: ctx.session,
		revision: "",
		live: false,
		leftOut: [],
		kept: 0,
		ignored: 0,
		reversible: true,
		discards
	});
	journal.sync();
	return journal;
}
function beginWhole(port, ctx, entries, as) {
	const journal = beginDiscard(port, ctx, {
		kind: "all",
		entries
	});
	port.symlink(overlayOf(port, ctx), joinPath(journal.dir, as));
	syncDirs(port, [journal.dir, trashDir(ctx)]);
	return journal;
}
function ensureTrash(port, ctx) {
	if (port.lstat(trashDir(ctx)) === null) port.mkdir(trashDir(ctx), 448);
	tag(port, trashDir(ctx));
}
function tag(port, dir) {
	const file = joinPath(dir, TAG);
	if (port.lstat(file) === null) writeFile(port, file, CACHE_TAG);
}
function writeFile(port, path, text) {
	const temporary = `${path}.new`;
	if (port.lstat(temporary) !== null) port.unlink(temporary);
	withHandle(port, port.openAppend(temporary), (fd) => {
		port.append(fd, text);
		port.fsync(fd);
	});
	port.rename(temporary, path);
}
init_bytes();
init_errors$3();
init_port();
init_perl();
async function finishCommit(ctx, { port = nodePort, onProgress } = {}) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress
		}, advance);
	} catch (error) {
		throw asTraiError(error);
	}
}
async function closeUnfinished(ctx, port = nodePort) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress: void 0
		}, async (task) => {
			abandonRest(task);
			const report = await advance(task);
			if (task.journal.record.phase === "closed") return report;
			throw commitNotClosed(report.failed.at(-1)?.message ?? "it was stopped");
		});
	} catch (error) {
		if (!(error instanceof Error) || errorCode(error) === "" || error instanceof TraiError) throw error;
		throw commitNotClosed(error.message, error);
	}
}
async function withOpen({ port, ctx, onProgress }, forward) {
	const startedAt = performance.now();
	const n = unfinishedCommit(ctx, port);
	if (n === null) return null;
	const dir = commitDir(ctx, n);
	const written = port.lstat(joinPath(dir, "journal.jsonl"))?.mtimeNs ?? 0n;
	const journal = openJournal(port, dir);
	if (journal === null) return null;
	return await useAndCloseAsync(journal, async () => {
		if (journal.record.phase === "staging") {
			abort({
				port,
				ctx,
				journal
			});
			return null;
		}
		const earlier = {
			done: new Set(journal.record.done.keys()),
			until: Number(written / 1000000n) + 1
		};
		const task = {
			port,
			ctx,
			journal,
			earlier,
			onProgress,
			startedAt,
			unfinished: /* @__PURE__ */ new Map()
		};
		return await keepPerl(async () => await forward(task));
	});
}
init_bytes();
init_identity();
init_dir_handles();
init_port();
function finishStored(transaction, resumed) {
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const open = [...record.drops.keys()].filter((i) => !record.done.has(i) && !record.failed.has(i));
	const first = (i) => record.drops[i]?.with ?? i;
	const staying = new Set([...record.failed.keys()].map(first));
	useAndClose(openUppers(transaction), (uppers) => {
		for (const parent of new Set(record.drops.map(({ path }) => parentOf(path)))) {
			const mark = joinPath(parent, SEEN_NAME);
			const place = uppers.lstat(mark) === null ? null : uppers.placed(mark);
			if (place !== null && isEventMark(place)) uppers.remove(mark, "symlink");
		}
		const isOther = (i, path) => {
			if (uppers.lstat(path) === null) return false;
			const place = uppers.placed(path);
			return place === null || !isStoredWhole(port, place, storedAt(dir, i));
		};
		for (const i of open) {
			const unit = record.drops[i];
			if (!resumed && unit?.kind === "entry" && isOther(i, unit.path)) staying.add(first(i));
		}
		for (const i of open) {
			const unit = record.drops[i];
			const stays = staying.has(first(i));
			if (unit === void 0) continue;
			if (!stays && unit.kind === "mode") resetDir(uppers, unit);
			else if (!stays) removeStored(port, uppers, unit.path, storedAt(dir, i));
			journal.add(stays && !resumed ? {
				t: "fail",
				i,
				message: NOT_DISCARDED_LIVE
			} : {
				t: "done",
				i
			});
		}
	});
}
function closeStored(transaction) {
	dropFailed(transaction);
	forgetDropped(transaction);
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const entries = record.drops.flatMap((unit, i) => record.failed.has(i) ? [] : [entriesAt(port, dir, unit, i)]).reduce((sum, count) => sum + count, 0);
	if (entries > 0) {
		syncDirs(port, [joinPath(dir, STORE), dir]);
		const all = record.failed.size === 0;
		journal.addSynced({
			t: "discarded",
			...all ? {} : { entries }
		});
	} else removePath(port, parentOf(dir), nameOf(dir));
	return entries;
}
function entriesAt(port, dir, { kind }, i) {
	return kind === "mode" ? 1 : countBelow(port, storedAt(dir, i));
}
function countBelow(port, path) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return now === null ? 0 : 1;
	return orIfRefused(() => port.readdir(path), []).reduce((sum, name) => sum + countBelow(port, joinPath(path, name)), 1);
}
function dropFailed({ port, journal: { record, dir } }) {
	for (const i of record.failed.keys()) if (port.lstat(storedAt(dir, i)) !== null) removePath(port, joinPath(dir, STORE), String(i));
}
function removeStored(port, uppers, path, stored) {
	const now = uppers.lstat(path);
	if (now === null) return true;
	if (isWhiteout(now)) {
		uppers.remove(path, now.type);
		return true;
	}
	if (now.type !== "dir") {
		const place = uppers.placed(path);
		if (place === null || !isStored(port, place, stored)) return false;
		uppers.remove(path, now.type);
		return true;
	}
	if (port.lstat(stored)?.type !== "dir") return false;
	if (uppers.readdir(path).map((name) => removeStored(port, uppers, joinPath(path, name), joinPath(stored, name))).includes(false)) return false;
	uppers.remove(path, now.type);
	return true;
}
init_bytes();
init_dir_handles();
init_port();
function repairLink(session, port = nodePort) {
	const at = (name) => joinPath(fromText(session.sessionDir), name);
	const has = (name) => port.lstat(at(name)) !== null;
	if (!has("overlay") && has("overlay.new")) port.rename(at("overlay.new"), at("overlay"));
	const open = has("overlay") ? openDiscard(session, port) : null;
	if (open?.kind !== "all") return null;
	const outcome = inJournal(port, open, (journal) => closeWhole(port, session, journal));
	return outcome === null ? null : {
		discard: open,
		outcome
	};
}
function repairOverlay(session, port = nodePort) {
	const repaired = repairLink(session, port);
	const open = openDiscard(session, port);
	if (open === null) return repaired;
	if (isForward(open)) return {
		discard: open,
		outcome: inJournal(port, open, (journal) => {
			finishStored({
				port,
				ctx: session,
				journal
			}, true);
			return closeStored({
				port,
				ctx: session,
				journal
			});
		}) > 0 ? "discarded" : "rolled-back"
	};
	const left = inJournal(port, open, (journal) => abort({
		port,
		ctx: session,
		journal
	}));
	const outcome = open.record.reopened === null ? "rolled-back" : "undone";
	return {
		discard: open,
		outcome: left > 0 ? "left" : outcome
	};
}
function isForward({ record: { phase } }) {
	return phase === "ready" || phase === "applying";
}
function openDiscard(session, port = nodePort) {
	for (const name of trashNames(port, session)) {
		if (readClosed(joinPath(trashDir(session), name)) !== null) continue;
		const discard = readDiscard(port, session, name);
		if (discard !== null && discard.record.phase !== "closed") return discard;
	}
	return null;
}
function needsRepair(session) {
	if (openDiscard(session) !== null) return true;
	const has = (name) => nodePort.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
	return has("overlay.new") && !has("overlay");
}
function closeWhole(port, session, journal) {
	const { dir, record } = journal;
	const has = (name) => port.lstat(joinPath(dir, name)) !== null;
	const own = overlayOf(port, session);
	const isOwn = (name) => port.readlink(joinPath(dir, name)) === own;
	if (record.reopened !== null) {
		const happened = !has("overlay") || isOwn("overlay");
		for (const name of ["overlay", record.reopened.aside ?? ""]) if (has(name) && isOwn(name)) port.unlink(joinPath(dir, name));
		const tagged = joinPath(fromText(session.sessionDir), `overlay/${TAG}`);
		if (port.lstat(tagged) !== null) port.unlink(tagged);
		journal.addSynced(happened ? {
			t: "end",
			report: null
		} : { t: "discarded" });
		return happened ? "undone" : "rolled-back";
	}
	const link = ["overlay", "replaced"].find(has);
	const happened = link !== void 0 && !isOwn(link);
	if (happened) {
		tag(port, joinPath(dir, link));
		journal.addSynced(link === "overlay" ? { t: "discarded" } : {
			t: "end",
			report: null
		});
	} else {
		if (link !== void 0) port.unlink(joinPath(dir, link));
		removePath(port, parentOf(dir), nameOf(dir));
	}
	if (link !== "overlay") return null;
	return happened ? "discarded" : "rolled-back";
}
function inJournal(port, { dir }, work) {
	const journal = openJournal(port, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return useAndClose(journal, work);
}
init_port();
init_state_file();
function readPlan(sessionDir, id = currentId(sessionDir)) {
	return id === null ? null : readPlanFile(`${sessionDir}/plan/${id}/plan.json`);
}
function currentId(sessionDir) {
	return orNull(() => readlinkSync(`${sessionDir}/plan/current`, "latin1"));
}
function readPlanFile(path) {
	const value = readPlainJson(path);
	const { v, coveredDirs, source } = Object(value);
	return v === 1 && Array.isArray(coveredDirs) && source !== void 0 ? value : null;
}
init_bytes();
init_port();
init_state_file();
init_errors();
var fsPathIn = (dir, name) => fsPath(`${dir}/${name}`);
function knownCoveredDirs(sessionDir, plan) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const numbers = readNumbers(overlayDir);
	const planned = plan.filter(({ path, n }) => numbers.get(path) === n);
	const others = [...numbers].filter(([path]) => planned.every((covered) => covered.path !== path)).map(([path, n]) => coveredDirAt(overlayDir, path, n)).filter(({ upper }) => isDirectory$1(upper));
	const empty = others.filter(({ upper }) => readdirSync(fsPath(upper)).length === 0);
	const written = others.filter((one) => !empty.includes(one)).map((one) => existsSync(fsPathIn(overlayDir, `${one.n}/copies.json`)) ? {
		...one,
		copied: []
	} : one);
	const found = [...planned, ...written];
	return [...found, ...empty.filter((one) => hasOtherMode(one) && !isWrittenAbove(one, found))];
}
function hasOtherMode({ path, upper }) {
	const host = lstat(path);
	return host?.uid === process.getuid?.() && host?.mode !== lstat(upper)?.mode;
}
function isWrittenAbove({ path }, others) {
	const around = coveringDir(others, path);
	return around !== null && lstat(upperPath(around, path)) !== null;
}
function makeSameDirs(overlayDir, coveredDirs, uid) {
	const made = coveredDirs.filter(({ path }) => isDirectory$1(path)).map(({ path, n }) => coveredDirAt(overlayDir, path, n));
	for (const covered of made) prepareCoveredDir(covered, uid);
	writeNumbers(overlayDir, new Map(made.map(({ path, n }) => [path, n])));
	return made;
}
function prepareCoveredDir({ path, upper }, uid) {
	const dir = upper.slice(0, -2);
	for (const name of ["u", "w"]) mkdirSync(fsPathIn(dir, name), {
		recursive: true,
		mode: 448
	});
	rmSync(fsPathIn(dir, "l"), { force: true });
	symlinkSync(fsPath(path), fsPathIn(dir, "l"));
	const host = lstatSync(fsPath(path));
	const own = host.uid === uid || uid === 0;
	chmodSync(fsPath(upper), own ? host.mode & 4095 : host.mode & 365);
}
function coveredDirAt(overlayDir, path, n) {
	return {
		n,
		path,
		upper: `${overlayDir}/${n}/u`,
		work: `${overlayDir}/${n}/w`
	};
}
var isDirectory$1 = (path) => lstat(path)?.type === "dir";
function upperNames(overlayDir, n) {
	return orNull(() => readdirSync(fsPathIn(overlayDir, `${n}/u`), { encoding: "latin1" }));
}
function readNumbers(overlayDir) {
	const numbers = storedNumbers(overlayDir) ?? /* @__PURE__ */ new Map();
	const listed = new Map([...numbers].map(([path, n]) => [n, path]));
	for (const n of numberedDirs(overlayDir)) {
		const target = orNull(() => readlinkSync(fsPathIn(overlayDir, `${n}/l`), "latin1"));
		const link = target === null ? null : bytePath(target);
		const path = listed.get(n);
		if (path !== void 0 && (link === null || link === path)) continue;
		if (path !== void 0) throw linkContradicts(overlayDir, n, tableSays(path));
		if ((upperNames(overlayDir, n) ?? []).length === 0) continue;
		if (link === null) throw linkContradicts(overlayDir, n, LINK_IS_MISSING);
		const other = numbers.get(link);
		if (other !== void 0) throw linkContradicts(overlayDir, n, linkIsTaken(other));
		numbers.set(link, n);
	}
	return numbers;
}
function writeNumbers(overlayDir, numbers) {
	const file = fsPathIn(overlayDir, "places.json");
	const stored = storedNumbers(overlayDir);
	if (stored !== null && JSON.stringify([...stored]) === JSON.stringify([...numbers])) return;
	const temporary = fsPathIn(overlayDir, ".places.new");
	writeFileSync(temporary, JSON.stringify([...numbers]), { mode: 384 });
	if (isDirectory$1(joinPath(overlayDir, "places.json"))) rmSync(file, { recursive: true });
	renameSync(temporary, file);
}
function storedNumbers(overlayDir) {
	const stored = readPlainJson(fsPathIn(overlayDir, "places.json"));
	return isNumberTable(stored) ? new Map(stored.map(([path, n]) => [path, n])) : null;
}
function isNumberTable(value) {
	const isRow = (row) => Array.isArray(row) && typeof row[0] === "string" && Number.isSafeInteger(row[1]) && row[1] > 0;
	return Array.isArray(value) && value.every(isRow);
}
function numberedDirs(overlayDir) {
	return (orNull(() => readdirSync(fsPath(overlayDir), "latin1")) ?? []).filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number).sort((a, b) => a - b);
}
init_bytes();
init_dir_handles();
init_port();
init_state_file();
function makeFresh(port, ctx) {
	const [link, overlays] = [joinPath(fromText(ctx.sessionDir), "overlay.new"), overlaysDir(ctx)];
	overlayOf(port, ctx);
	if (port.lstat(link) !== null) {
		removePath(port, overlays, nameOf(port.readlink(link)));
		port.unlink(link);
	}
	let time = Date.now();
	const nameAt = () => `${ctx.session}.${time}`;
	while (port.lstat(joinPath(overlays, nameAt())) !== null) time++;
	const dir = joinPath(overlays, nameAt());
	port.symlink(linkTo(nameAt()), link);
	port.mkdir(dir, 448);
	const records = makeSameDirs(dir, ctx.coveredDirs, ctx.uid).flatMap((covered) => {
		const base = rootBase(covered);
		return base === null ? [] : [formatBaseLine(covered.path, {
			path: covered.path,
			base,
			listed: false
		})];
	});
	writeWhole(`${ctx.stateDir}/overlays/${nameAt()}/base.jsonl`, records.join(""));
	confirmEmpty(`${ctx.stateDir}/overlays/${nameAt()}`);
	syncDirs(port, [dir, overlays]);
}
init_bytes();
function choose(list, scope, calls) {
	if (scope.kind === "all") return {
		paths: null,
		unsure: []
	};
	const chosen = scope.kind === "paths" ? chooseBelow(list, scope.paths) : chooseCalls(list, scope, calls);
	if (chosen.paths !== null && chosen.paths.size === 0) throw nothingPending$1(scope, chosen.unsure);
	return chosen;
}
function chooseBelow(list, paths) {
	const wanted = new Set(paths.map(withoutSlash));
	const met = /* @__PURE__ */ new Set();
	const found = /* @__PURE__ */ new Set();
	for (const { path } of list.changes) for (let at = path;; at = parentOf(at)) {
		if (wanted.has(at)) {
			met.add(at);
			found.add(path);
		}
		if (at === "/") break;
	}
	return {
		paths: found,
		unsure: [...wanted].filter((path) => !met.has(path)).map((path) => ({
			path,
			why: NOTHING_THERE
		}))
	};
}
function withoutSlash(path) {
	return path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") || path : path;
}
function chooseCalls(list, scope, calls) {
	const at = indexOfCall(calls, scope.call);
	const meant = new Set(scope.kind === "call" ? calls.slice(at, at + 1) : calls.slice(0, at + 1));
	const found = /* @__PURE__ */ new Set();
	const unsure = [];
	for (const { path, by } of list.changes) if (by === void 0 || by.length === 0) unsure.push({
		path,
		why: CALL_UNKNOWN
	});
	else if (by.every((call) => meant.has(call))) found.add(path);
	else if (by.some((call) => meant.has(call))) {
		const others = by.filter((call) => !meant.has(call));
		unsure.push({
			path,
			why: byOtherCalls(others)
		});
	}
	return {
		paths: found,
		unsure
	};
}
function indexOfCall(calls, id) {
	const exact = calls.indexOf(id);
	const alike = calls.filter((call) => call.startsWith(id));
	if (exact < 0 && alike.length !== 1) throw noSuchCall(id, alike.length);
	return exact < 0 ? calls.indexOf(alike[0] ?? "") : exact;
}
function alongText({ because, rule, change }) {
	const { path } = because;
	switch (rule) {
		case "links": return ALONG.sameFile(path);
		case "rename": return change.pending === null ? ALONG.oldName(path) : ALONG.newName(path);
		case "below": return because.pending === null ? ALONG.belowDeleted(path) : ALONG.belowReplaced(path);
		case "group": {
			const group = change.group ?? "";
			const name = group.slice(group.indexOf(":") + 1);
			if (group.startsWith("links:")) return ALONG.sameFile(path);
			return group.startsWith("git:") ? ALONG.git(name) : ALONG.database(name);
		}
		default: return ALONG[rule](path);
	}
}
function staysText(change) {
	if (change.pending?.type === "socket") return SOCKET;
	if (change.ignored !== null) return ignoredBy(change.ignored);
	if (change.conflict === "unreadable") return CONFLICT_REASONS.unreadable;
	if (change.conflict !== null) return KEPT_AS_CHOSEN;
	return NEEDS_KEPT;
}
function isDirMeta({ kind, pending }) {
	return kind === "meta" && isDir(pending);
}
function planDiscard(list, chosen, fixed = /* @__PURE__ */ new Set()) {
	const changes = [...list.changes].sort((a, b) => a.path < b.path ? -1 : 1);
	const tree = new Tree(changes);
	const states = changes.map(({ path }) => chosen.has(path) ? "take" : "ignored");
	const sets = [...groupsOf(changes), ...linkedOf(changes)].map((set) => ({
		...set,
		keeps: true
	}));
	const closure = new Closure(tree, states, () => "take");
	const close = () => closure.run(sets, (i) => pairOfDiscard(closure, i));
	close();
	changes.forEach(({ path }, i) => {
		if (fixed.has(path) && states[i] === "take") closure.keep(i);
	});
	if (fixed.size > 0) close();
	const goes = (i) => states[i] === "take";
	const isBelowGoing = (i) => {
		const up = holderOf(tree, i);
		return up >= 0 && (goes(up) || isBelowGoing(up));
	};
	return {
		going: changes.filter((_, i) => goes(i)),
		tops: changes.filter((_, i) => goes(i) && !isBelowGoing(i)),
		along: closure.along.filter(({ change }) => goes(tree.indexOf(change))),
		stays: changes.filter(({ path }, i) => chosen.has(path) && !goes(i))
	};
}
function pairOfDiscard(closure, i) {
	const { tree, states } = closure;
	const up = holderOf(tree, i);
	if (states[i] === "keep" && up >= 0) closure.keep(up);
	if (states[up] === "take") closure.takeAlong(i, up, "below");
	if (!needsHolder(tree, i, up)) return;
	if (states[up] === "keep") closure.keep(i);
	else if (states[i] === "take") closure.takeAlong(up, i, "above");
}
function holderOf({ above, changes }, i) {
	let up = above[i] ?? -1;
	while (changes[up]?.kind === "meta") up = above[up] ?? -1;
	return up;
}
function needsHolder({ changes }, i, up) {
	const [change, holder] = [changes[i], changes[up]];
	if (change === void 0 || holder === void 0 || !isDir(holder.host)) return false;
	return !isDir(holder.pending) || change.host !== null;
}
function droppedAlongText(along) {
	const { path } = along.because;
	if (along.rule === "below") return ALONG.inDropped(path);
	if (along.rule === "above") return ALONG.aboveDropped(path);
	return alongText(along);
}
init_bytes();
init_identity();
init_entry_errors();
init_fingerprint();
init_port();
init_xattrs();
async function lookAtDiscard(ctx, list, chosen, live = false) {
	const first = planDiscard(list, chosen);
	const fixed = await fixedEntries(ctx, first.tops.filter((change) => !live || !isPut(change)));
	const plan = fixed.size === 0 ? first : planDiscard(list, chosen, fixed);
	return {
		plan,
		along: plan.along.map((one) => ({
			path: one.change.path,
			why: droppedAlongText(one)
		})),
		cannot: plan.stays.map(({ path }) => ({
			path,
			why: ONLY_WHOLE
		}))
	};
}
function isPut({ host, pending }) {
	return [host, pending].every((side) => side?.type === "file" || side?.type === "symlink");
}
async function fixedEntries(ctx, tops) {
	const asked = tops.filter((change) => change.host !== null && !isDirMeta(change)).map(({ path }) => path);
	const made = new MadeDirs(ctx);
	await made.look(asked, () => false);
	return new Set(asked.filter((path) => made.topOf(path) !== null));
}
function discardPart(ctx, { going, tops }, { port, cancelled } = {
	port: nodePort,
	cancelled: () => false
}) {
	try {
		const units = unitsOf(port, ctx, tops);
		const journal = beginDiscard(port, ctx, {
			kind: "selection",
			entries: going.length
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		try {
			dropEntries(transaction, units, cancelled);
			journal.addSynced({ t: "discarded" });
			return {
				trash: nameOf(journal.dir),
				entries: going.length
			};
		} catch (error) {
			if (error instanceof Cancelled) throw discardStopped(abort(transaction));
			if (errorCode(error) !== "") abortQuietly(transaction, false);
			throw error;
		} finally {
			journal.close();
		}
	} catch (error) {
		throw asTraiError(error, "discard");
	}
}
function staleTops(port, ctx, tops) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => tops.filter((change) => {
		const now = uppers.lstat(change.path);
		return now === null || !isAsListed(change, now);
	}));
}
function unitsOf(port, ctx, tops) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => {
		const units = tops.map((change) => {
			const now = uppers.lstat(change.path);
			if (now === null || !isAsListed(change, now)) throw staleList();
			return unitOf(change, now);
		});
		addXattrs(port, uppers, tops, units);
		return units;
	});
}
function addXattrs(port, uppers, tops, units) {
	const asked = tops.flatMap((change, i) => {
		const unit = units[i];
		return change.xattrs === true && unit?.kind === "mode" ? [{
			change,
			unit
		}] : [];
	});
	const texts = port.xattrsOf(asked.flatMap(({ unit: { path } }) => [path, uppers.pathOf(path)]));
	asked.forEach(({ change, unit }, i) => {
		const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		if (host === null || upper === null) throw staleList();
		if (change.xattrIdentity !== xattrIdentity({
			host,
			upper
		})) throw staleList();
		unit.xattrs = {
			from: upper,
			to: host
		};
	});
}
function isAsListed({ pending, upperIdentity }, now) {
	if (pending === null) return isWhiteout(now);
	return [
		void 0,
		lookIdentity(now),
		closedIdentity(now)
	].includes(upperIdentity);
}
function unitOf(change, now) {
	const { mode, uid, gid } = now;
	const about = {
		t: "drop",
		path: change.path,
		born: birthOf$1(now),
		mode,
		uid,
		gid
	};
	if (isDirMeta(change) && change.host !== null) {
		const { host } = change;
		return {
			...about,
			kind: "mode",
			closed: false,
			host: {
				mode: host.mode,
				uid: host.uid,
				gid: host.gid
			}
		};
	}
	return {
		...about,
		kind: "entry",
		closed: now.type === "dir" && (mode & 128) === 0
	};
}
function hasLeftWhiteout({ whiteouts }, i, now) {
	return now !== null && isWhiteout(now) && whiteouts.has(i);
}
function undoPart(port, ctx, discard) {
	const inTheWay = [];
	const bases = makeBases(readBaseFile(ctx).records);
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		for (const [i, unit] of discard.record.drops.entries()) {
			if (unit.kind === "entry" && port.lstat(storedAt(discard.dir, i)) === null) continue;
			if (discard.record.failed.has(i)) continue;
			const why = obstacle(port, ctx, uppers, unit, hasLeftWhiteout(discard.record, i, uppers.lstat(unit.path)) || unit.kind === "entry" && isReplaceable(bases, uppers, unit.path));
			if (why !== null) inTheWay.push({
				path: unit.path,
				why
			});
		}
	});
	if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
	inJournal(port, discard, (journal) => {
		journal.addSynced({ t: "reopen" });
		abort({
			port,
			ctx,
			journal
		});
	});
}
function obstacle(port, ctx, uppers, unit, free) {
	const { path, kind, host, xattrs } = unit;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null || kind === "entry" && covered.path === path) return NOT_COVERED;
	const now = uppers.lstat(path);
	if (kind === "entry" && now !== null) return free ? null : SESSION_CHANGED;
	if (kind === "mode" && now !== null && (now.type !== "dir" || ![host?.mode, unit.mode].includes(now.mode))) return SESSION_CHANGED;
	const has = kind === "mode" && now !== null && xattrs !== void 0 ? uppers.xattrs(path) : null;
	if (has !== null && xattrs !== void 0 && !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
	for (let dir = kind === "mode" ? path : parentOf(path); dir !== covered.path; dir = parentOf(dir)) {
		const there = uppers.lstat(dir);
		if (there === null) {
			if (port.lstat(dir)?.type === "dir") continue;
			return dirGone(dir);
		}
		return there.type === "dir" ? null : sessionChanged(dir);
	}
	return null;
}
init_bytes();
init_port();
async function discardAll(ctx, entries, port = nodePort) {
	try {
		repairOverlay(ctx, port);
		await closeUnfinished(ctx, port);
		makeFresh(port, ctx);
		const journal = beginWhole(port, ctx, entries, "overlay");
		useAndClose(journal, () => {
			moveLink(port, ctx, joinPath(fromText(ctx.sessionDir), "overlay.new"));
			closeWhole(port, ctx, journal);
		});
		return {
			trash: nameOf(journal.dir),
			entries
		};
	} catch (error) {
		throw asTraiError(error, "discard");
	}
}
async function undoDiscard(ctx, trash, port = nodePort) {
	if (timeOf(ctx, trash) === null) throw notADiscard(ctx.session, trash);
	try {
		repairOverlay(ctx, port);
		const discard = readDiscard(port, ctx, trash);
		if (discard === null || !isReturnable(port, discard)) throw discardGone(trash);
		if (discard.kind === "selection") undoPart(port, ctx, discard);
		else {
			if (await mayHavePending(ctx)) throw overlayNotEmpty();
			await closeUnfinished(ctx, port);
			undoWhole(port, ctx, discard);
		}
		return {
			trash,
			entries: discard.entries
		};
	} catch (error) {
		throw asTraiError(error, "undoDiscard");
	}
}
function undoWhole(port, ctx, discard) {
	const stored = joinPath(discard.dir, "overlay");
	const aside = freeName(port, discard.dir);
	inJournal(port, discard, (journal) => {
		journal.addSynced({
			t: "reopen",
			aside
		});
		port.symlink(overlayOf(port, ctx), joinPath(discard.dir, aside));
		syncDirs(port, [discard.dir]);
		moveLink(port, ctx, stored);
		closeWhole(port, ctx, journal);
	});
}
function moveLink(port, { sessionDir }, link) {
	port.rename(link, joinPath(fromText(sessionDir), "overlay"));
	syncDirs(port, [fromText(sessionDir)]);
}
async function mayHavePending(ctx) {
	const { changes, problems } = await scan(ctx);
	return problems.length > 0 || changes.some(({ ignored }) => ignored === null);
}
function freeName(port, dir) {
	for (let i = 1;; i++) {
		const name = `replaced-${i}`;
		if (port.lstat(joinPath(dir, name)) === null) return name;
	}
}
init_bytes();
init_limits();
init_identity();
init_entry();
init_port();
function readHistory(ctx) {
	const entries = [...transactions(ctx), ...discards(ctx)];
	entries.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n);
	const redo = redoable(nodePort, ctx)?.n ?? null;
	const newest = entries.find(({ kind, state }) => kind !== "undo" && state !== "undone");
	for (const entry of entries) if (entry === newest && entry.why === "" && entry.state !== "unfinished") entry.can = "undo";
	else if (entry.kind === "undo" && entry.n === redo && entry === entries[0]) entry.can = "redo";
	return entries;
}
function transactions(ctx) {
	return commitNumbers(nodePort, ctx).flatMap((n) => {
		const record = readJournal(nodePort, ctx, n);
		if (record === null || isAborted(record)) return [];
		if (record.phase === "closed" && record.done.size === 0) return [];
		const { begin, report } = record;
		const kind = begin.undoes !== void 0 ? "undo" : begin.redoes !== void 0 ? "redo" : "commit";
		return [{
			n,
			kind,
			at: begin.at,
			state: stateOf$2(record),
			entries: report?.applied ?? 0,
			bytes: report?.bytes ?? 0,
			of: begin.undoes ?? begin.redoes ?? null,
			trash: null,
			auto: begin.auto ?? "",
			can: null,
			why: kind === "undo" ? "" : whyNot(record)
		}];
	});
}
function stateOf$2(record) {
	if (record.phase !== "closed") return "unfinished";
	if (record.undone.size > 0) return record.standing().length === 0 ? "undone" : "partly-undone";
	return record.report?.state ?? "applied";
}
function whyNot({ begin, collected }) {
	if (collected) return NOT_KEPT_ANY_MORE;
	return !begin.reversible ? NEVER_KEPT : "";
}
function discards(ctx) {
	return readDiscards(nodePort, ctx).map((discard) => {
		const there = isReturnable(nodePort, discard);
		return {
			n: 0,
			kind: "discard",
			at: discard.record.begin.at,
			entries: discard.entries,
			bytes: 0,
			state: there ? "applied" : "undone",
			trash: there ? discard.name : null,
			of: null,
			auto: "",
			can: null,
			why: ""
		};
	});
}
function historyPaths(ctx, key, after) {
	if ("n" in key) {
		const record = readJournal(nodePort, ctx, key.n);
		if (record === null) throw historyEntryGone();
		const note = record.phase === "closed" ? "" : "It was stopped in the middle; the next run finishes it.";
		return {
			...pageOf(inOrder(pathsOf(record)), after),
			note
		};
	}
	const discard = readDiscard(nodePort, ctx, key.trash);
	if (discard === null || !isReturnable(nodePort, discard)) throw historyEntryGone();
	return {
		...pageOf(dropped(discard), after),
		note: ""
	};
}
function pageOf(paths, after) {
	const page = [];
	let at = 0;
	for (const path of paths) {
		if (at++ < after) continue;
		if (page.length === 500) return {
			paths: page,
			next: after + page.length
		};
		page.push(path);
	}
	return {
		paths: page,
		next: null
	};
}
function pathsOf({ units, done }) {
	const found = /* @__PURE__ */ new Map();
	for (const unit of units) {
		if (!done.has(unit.i)) continue;
		const removed = new Set(replacedBelow(unit).map(({ path }) => path));
		for (const { path } of entriesOf(unit)) found.set(path, {
			path,
			what: removed.has(path) ? "removed" : whatOf(unit, path)
		});
	}
	return found;
}
function whatOf(unit, at) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return "removed";
		case "meta": return "meta";
		default: return at === unit.path && hostOf(unit) !== null ? "changed" : "added";
	}
}
function inOrder(found) {
	return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}
function* dropped({ kind, dir, record }) {
	for (const n of kind === "all" ? namesOrNone(joinPath(dir, "overlay")) : []) {
		const path = orNull(() => nodePort.readlink(joinPath(dir, `overlay/${n}/l`)));
		if (path !== null) yield* below(joinPath(dir, `overlay/${n}/u`), path, false);
	}
	for (const [i, unit] of record.drops.entries()) {
		if (record.failed.has(i)) continue;
		if (unit.kind === "mode") yield {
			path: unit.path,
			what: "meta"
		};
		else yield* below(storedAt(dir, i), unit.path, true);
	}
}
function* below(at, path, chosen) {
	const stack = [{
		at,
		path,
		chosen
	}];
	for (let one = stack.pop(); one !== void 0; one = stack.pop()) {
		const entry = lstatOrNone(one.at);
		if (entry === null) continue;
		const names = entry.type === "dir" ? namesOrNone(one.at).filter((name) => name !== REPLAY_NAME) : [];
		if (entry.type !== "dir" || one.chosen || names.length === 0 && one.at !== at) yield {
			path: one.path,
			what: isWhiteout(entry) ? "kept" : "dropped"
		};
		for (const name of names.reverse()) stack.push({
			at: joinPath(one.at, name),
			path: joinPath(one.path, name),
			chosen: false
		});
	}
}
init_bytes();
init_port();
async function logAdoption(to, record, port = nodePort) {
	const path = noteIn(to.sessionDir);
	const text = port.readText(path);
	if (text === null) return;
	const note = JSON.parse(text);
	if (note.to === to.session) await record(to.stateDir, note);
	port.unlink(path);
}
function adoptionWaits(sessionDir) {
	return nodePort.lstat(noteIn(sessionDir)) !== null;
}
function noteIn(sessionDir) {
	return joinPath(fromText(sessionDir), "overlay/.adopting");
}
init_bytes();
init_entry();
init_port();
init_state_file();
var TIMES = "times";
var RETURNED = ".returned";
var FORMAT = "1";
function keepTimes(file, changes, times) {
	writeWhole(file, `${FORMAT}\0${changes.flatMap(({ path }, i) => {
		const time = timeOf$1(times, i);
		return time === null ? [] : [`${time[0]} ${time[1]} ${path}\0`];
	}).join("")}`);
}
function readTimes(file) {
	const [version, ...lines] = (readOrNull(file) ?? "").split("\0");
	return version === FORMAT ? lines.flatMap(timeLine) : [];
}
function timeLine(line) {
	const [, from, to, path] = /^([\d.]+) ([\d.]+) (\/.*)$/s.exec(line) ?? [];
	return path === void 0 ? [] : [[path, [Number(from), Number(to)]]];
}
function returnTimes(ctx, file, name, since, moved = /* @__PURE__ */ new Map()) {
	const text = readOrNull(file);
	if (text === null) return;
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	writeWhole(`${dir}/${name.padStart(8, "0")}`, `${since} ${Date.now()}\0${text}${[...moved].map(([path, born]) => `=${born} ${path}\0`).join("")}`);
	for (const old of names(dir).slice(0, -4)) rmSync(`${dir}/${old}`, { force: true });
}
function readReturned(ctx) {
	const found = /* @__PURE__ */ new Map();
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	for (const name of names(dir).reverse()) {
		const [window = "", version, ...lines] = (readOrNull(`${dir}/${name}`) ?? "").split("\0");
		const [since = NaN, until = NaN] = window.split(" ").map(Number);
		if (version !== FORMAT || Number.isNaN(since + until)) continue;
		const moved = new Map(lines.flatMap(bornLine));
		for (const [path, time] of lines.flatMap(timeLine)) found.set(path, [...found.get(path) ?? [], {
			time,
			since,
			until,
			born: moved.get(path)
		}]);
	}
	return found;
}
function bornLine(line) {
	const [, born, path] = /^=(\d+) (\/.*)$/s.exec(line) ?? [];
	return born === void 0 || path === void 0 ? [] : [[path, born]];
}
function readOrNull(file) {
	return orNull(() => readFileSync(file, "latin1"));
}
function names(dir) {
	return namesOrNone(fromText(dir)).filter((name) => /^\d{8}$/.test(name));
}
function isShell(tool) {
	return tool === "Bash" || tool === "Monitor";
}
function callKey({ id, request }) {
	return request === "" ? id : `request ${request}`;
}
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
function stateOf$1(facts) {
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
	const state = stateOf$1(facts);
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
var FROM_PROMPT;
var init_calls = __esmMin((() => {
	FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;
}));
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
var init_marks = __esmMin((() => {
	init_calls();
}));
function foldLog(events) {
	const fold = new LogFold();
	for (const event of events) fold.push(event);
	return fold;
}
function viewOfEntry(entry) {
	entry.view ??= viewOf(entry.call === "" ? entry.request : entry.call, entry.request, entry.facts);
	return entry.view;
}
var LogFold;
var init_fold = __esmMin((() => {
	init_calls();
	init_marks();
	LogFold = class {
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
}));
var read_exports = /* @__PURE__ */ __exportAll({
	LogTail: () => LogTail,
	readFold: () => readFold,
	readLog: () => readLog
});
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
function lastBytes(before, chunk) {
	if (chunk.length >= WITNESS_BYTES) return chunk.slice(-64);
	const joined = Buffer.concat([before, chunk]);
	return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
var CHUNK_BYTES, SMALL_BYTES, WITNESS_BYTES, LogTail, QUIETLY, seenOf;
var init_read = __esmMin((() => {
	init_fold();
	init_lines();
	init_fingerprint();
	init_port();
	init_errors$1();
	init_append();
	CHUNK_BYTES = 65536;
	SMALL_BYTES = 4096;
	WITNESS_BYTES = 64;
	LogTail = class {
		#path;
		#wanted;
		#parser;
		#size = 0;
		#inode = "";
		#seen = "";
		#witness = /* @__PURE__ */ new Uint8Array();
		#queue = Promise.resolve();
		constructor(sessionDir, wanted = null) {
			this.#path = logPath(sessionDir);
			this.#wanted = wanted;
			this.#parser = new LogParser(wanted);
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
				if (this.#seen !== "" && this.#seen === seenOf(statSync(this.#path, QUIETLY))) return {
					events: [],
					raw: [],
					size: this.#size,
					reset: false
				};
				file = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
				const reset = this.#isAnother(file);
				if (reset) this.#restart();
				return {
					...await this.#readOn(file),
					reset
				};
			} catch (error) {
				if (file === null && errorCode(error) === "ENOENT") return this.#gone();
				if (file !== null) [this.#inode, this.#seen] = ["unknown", ""];
				throw logUnreadable(this.#path, error);
			} finally {
				if (file !== null) closeSync(file);
			}
		}
		async #readOn(file) {
			const news = {
				events: [],
				raw: [],
				size: this.#size
			};
			const left = fstatSync(file).size - this.#size;
			const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
			for (;;) {
				const bytesRead = readSync(file, buffer, 0, buffer.length, this.#size);
				if (bytesRead === 0) break;
				const chunk = buffer.subarray(0, bytesRead);
				for (const line of this.#parser.push(chunk)) if (isRaw(line)) news.raw.push(line);
				else news.events.push(line);
				this.#size += bytesRead;
				this.#witness = lastBytes(this.#witness, chunk);
				if (bytesRead < buffer.length) break;
				await setImmediate();
			}
			return {
				...news,
				size: this.#size
			};
		}
		#isAnother(file) {
			const now = fstatSync(file, { bigint: true });
			this.#seen = isPast(now.ctimeNs) ? seenOf(now) : "";
			const inode = `${now.dev}:${now.ino}`;
			const known = this.#inode;
			this.#inode = inode;
			if (known === "") return false;
			if (known !== inode) return true;
			const length = this.#witness.length;
			const found = new Uint8Array(length);
			return readSync(file, found, 0, length, this.#size - length) < length || Buffer.compare(found, this.#witness) !== 0;
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
			this.#parser = new LogParser(this.#wanted);
			this.#size = 0;
			this.#witness = /* @__PURE__ */ new Uint8Array();
		}
	};
	QUIETLY = {
		bigint: true,
		throwIfNoEntry: false
	};
	seenOf = (file) => file === void 0 ? "" : `${file.dev}:${file.ino} ${file.size} ${file.ctimeNs}`;
}));
init_read();
init_mounts();
init_port();
init_errors$1();
function runtimeDir(env) {
	const xdg = absolute(env, "XDG_RUNTIME_DIR");
	return xdg === null ? null : resolve(xdg, "trai");
}
function configDir(env) {
	return resolve(absolute(env, "XDG_CONFIG_HOME") ?? join(homeDir(env), ".config"), "trai");
}
function homeDir(env) {
	return absolute(env, "HOME") ?? orNull(() => userInfo().homedir) ?? "/";
}
function absolute(env, name) {
	const value = env[name] ?? "";
	return isAbsolute(value) ? value : null;
}
function sessionDir(state, id) {
	if (isSessionId(id)) return join(state, "sessions", id);
	throw invalidSessionId(id);
}
constants.S_IWGRP | constants.S_IWOTH;
function isSessionId(text) {
	return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}
init_bytes();
init_errors$3();
init_events();
init_port();
init_state_file();
init_errors$1();
function metaPath(sessionDir) {
	return join(sessionDir, "meta.json");
}
async function readMeta(sessionDir) {
	const path = metaPath(sessionDir);
	const parsed = parseMeta(readText(path, sessionDir));
	if ("meta" in parsed && parsed.meta.id === basename(sessionDir)) return parsed.meta;
	throw metaUnusable(path, "meta" in parsed ? metaOfOther(parsed.meta.id) : parsed.problem);
}
async function writeMeta(sessionDir, meta) {
	const path = metaPath(sessionDir);
	try {
		await replaceFile(path, metaText(meta));
	} catch (error) {
		if (error instanceof TraiError) throw error;
		throw metaNotWritten(path, error);
	}
}
function metaText(meta) {
	if (!isSessionMeta(meta)) throw new TraiError("internal", "expected a valid SessionMeta");
	return `${JSON.stringify(meta, null, 2)}\n`;
}
async function updateMeta(sessionDir, change) {
	await readMeta(sessionDir);
	return withFileLock(join(sessionDir, ".meta.lock"), async () => {
		const meta = await readMeta(sessionDir);
		const changed = change(meta);
		if (changed === null) return meta;
		await writeMeta(sessionDir, changed);
		return changed;
	});
}
function readText(path, sessionDir) {
	try {
		const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		return withHandle(nodePort, file, () => readFileSync(file, "utf8"));
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") {
			if (orNull(() => lstatSync(sessionDir)) !== null) throw metaUnusable(path, META_IS_MISSING);
			throw noSuchSession(sessionDir, error);
		}
		if (code === "ELOOP" || code === "EISDIR") throw metaUnusable(path, META_IS_NO_FILE);
		throw metaUnreadable(path, error);
	}
}
var SOURCES = EVENT_FIELDS.session.source;
var text = (value) => typeof value === "string";
var byteText = (value) => text(value) && isByteString(value);
var time = (value) => text(value) && !Number.isNaN(Date.parse(value));
var sessionId = (value) => text(value) && isSessionId(value);
var projectId = (value) => text(value) && /^[0-9a-f]{16}$/.test(value);
var pid = (value) => Number.isSafeInteger(value) && Number(value) > 0;
var one = (value) => value === 1;
var source = (value) => SOURCES.some((word) => word === value);
function nullOr(check) {
	return (value) => value === null || check(value);
}
function listOf(check) {
	return (value) => Array.isArray(value) && value.every(check);
}
var IDENTITY = {
	id: text,
	source,
	pid: nullOr(pid),
	pidStart: nullOr(text),
	at: time
};
var level = (value) => value === "claude" || value === "box";
var identity = (value) => wrongField(value, IDENTITY) === null;
var REQUIRED = {
	v: one,
	id: sessionId,
	claude: listOf(identity),
	projectRoot: byteText,
	cwd: byteText,
	projectId,
	createdAt: time,
	configFile: nullOr(text),
	configProblems: listOf(text),
	off: nullOr(text),
	caught: nullOr(text),
	logVersion: one
};
var OPTIONAL = {
	claudeDirs: listOf(text),
	adopted: listOf(sessionId),
	levels: listOf(level),
	wentOnIn: sessionId
};
function wrongField(value, required, optional = {}) {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "an object";
	const found = new Map(Object.entries(value));
	for (const [name, check] of Object.entries(required)) if (!check(found.get(name))) return name;
	for (const [name, check] of Object.entries(optional)) if (found.get(name) !== void 0 && !check(found.get(name))) return name;
	return null;
}
function isSessionMeta(value) {
	return wrongField(value, REQUIRED, OPTIONAL) === null;
}
function parseMeta(json) {
	let value;
	try {
		value = JSON.parse(json);
	} catch {
		return { problem: META_IS_NO_JSON };
	}
	if (isSessionMeta(value)) return { meta: value };
	return { problem: metaField(wrongField(value, REQUIRED, OPTIONAL) ?? "") };
}
init_bytes();
init_port();
function projectOf(cwd) {
	const start = resolved$1(cwd) ?? cwd;
	const found = discover(start);
	const id = hash("sha256", Buffer.from(found?.commonDir ?? start, "latin1")).slice(0, 16);
	return {
		root: found?.top ?? start,
		id
	};
}
function repositoryOf(cwd) {
	return discover(resolved$1(cwd) ?? cwd);
}
function discover(start) {
	const device = statOf$1(start)?.dev;
	for (let dir = start;; dir = parentOf(dir)) {
		if (statOf$1(dir)?.dev !== device) return null;
		const link = gitFileTarget(joinPath(dir, ".git"), dir);
		if (link === "broken") return null;
		const gitDir = link ?? joinPath(dir, ".git");
		const commonDir = commonDirOf(gitDir);
		if (commonDir !== null) return {
			top: dir,
			gitDir,
			commonDir
		};
		if (link !== null) return null;
		const bare = commonDirOf(dir);
		if (bare !== null) return {
			top: dir,
			gitDir: dir,
			commonDir: bare
		};
		if (dir === "/") return null;
	}
}
var GIT_FILE_BYTES = 1048576;
var GIT_FILE = /^gitdir: ([\s\S]+?)[\r\n]*$/;
function gitFileTarget(path, dir) {
	if (statOf$1(path)?.isFile() !== true) return null;
	const [, target] = GIT_FILE.exec(readBytes(path, GIT_FILE_BYTES) ?? "") ?? [];
	return target === void 0 ? "broken" : against(dir, target);
}
function commonDirOf(gitDir) {
	if (!hasValidHead(gitDir)) return null;
	const named = readBytes(joinPath(gitDir, "commondir"), 65536)?.replace(/[\r\n]+$/, "");
	const common = named === void 0 ? gitDir : against(gitDir, named);
	const isDirectory = (name) => statOf$1(joinPath(common, name))?.isDirectory() === true;
	return isDirectory("objects") && isDirectory("refs") ? resolved$1(common) : null;
}
function hasValidHead(gitDir) {
	const path = joinPath(gitDir, "HEAD");
	if (readLink(path)?.startsWith("refs/")) return true;
	return /^(ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/.test(readBytes(path, 256) ?? "");
}
function against(dir, target) {
	return bytePath(target.startsWith("/") ? target : joinPath(dir, target));
}
var resolved$1 = (path) => orNull(() => realPath(path));
var readLink = (path) => orNull(() => readlinkSync(fsPath(path), "latin1"));
var statOf$1 = (path) => orNull(() => statSync(fsPath(path)));
function readBytes(path, limit) {
	const fd = orNull(() => openSync(fsPath(path), constants.O_RDONLY | constants.O_NONBLOCK));
	if (fd === null) return void 0;
	try {
		if (!fstatSync(fd).isFile()) return void 0;
		const buffer = Buffer.alloc(Math.min(limit, fstatSync(fd).size));
		return buffer.toString("latin1", 0, readSync(fd, buffer, 0, buffer.length, 0));
	} catch {
		return;
	} finally {
		closeSync(fd);
	}
}
init_errors$3();
init_entry();
init_port();
init_state_file();
init_proc();
init_append();
init_errors$1();
async function listSessions(stateDir) {
	const ids = namesIn$1(join(stateDir, "sessions")).filter(isSessionId).sort();
	const listing = {
		sessions: [],
		broken: []
	};
	await Promise.all(ids.map(async (id) => {
		try {
			listing.sessions.push(await readMeta(sessionDir(stateDir, id)));
		} catch (error) {
			if (!(error instanceof TraiError)) throw error;
			if (error.code !== "no-session") listing.broken.push({
				id,
				error
			});
		}
	}));
	listing.sessions.sort((a, b) => byBytes(lastUse(b), lastUse(a)) || byBytes(b.createdAt, a.createdAt) || byBytes(a.id, b.id));
	listing.broken.sort((a, b) => byBytes(a.id, b.id));
	return listing;
}
function lastUse(meta) {
	return [meta.createdAt, ...meta.claude.map(({ at }) => at)].sort().at(-1) ?? meta.createdAt;
}
function unmadeSessions(stateDir) {
	return namesIn$1(join(stateDir, "sessions")).filter((name) => {
		const [, pid, start] = /^\.new\..+\.(\d+)-(\d+)\.\w+$/.exec(name) ?? [];
		return pid !== void 0 && processStat(Number(pid))?.start !== start;
	});
}
function namesIn$1(dir) {
	try {
		return readdirSync(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw sessionsUnreadable(dir, error);
	}
}
init_errors$3();
init_errors$1();
function unreadSession(session, thrown) {
	const { message, path, hint = REPAIR_SESSION } = toErrorBody(thrown).error;
	return {
		session,
		message,
		...path === void 0 ? {} : { path },
		hint
	};
}
init_bytes();
init_json_lines();
init_entry();
init_port();
init_state_file();
init_append();
var KEPT_BY_COMMIT = [
	BEFORE,
	MERGED,
	BACK
];
var LIVE_MS = 6e4;
async function diskSizes(ctx, live) {
	const key = keyOf$1(ctx);
	const known = readKept(ctx, key, live);
	if (known !== null) return known;
	const sizes = await countSizes(ctx);
	const kept = {
		v: 1,
		key,
		at: Date.now(),
		sizes
	};
	tryWriteWhole(fileOf$3(ctx), JSON.stringify(kept));
	return sizes;
}
async function sizeOnDisk(...paths) {
	return await new Sum().of(paths);
}
async function countSizes(ctx) {
	const sum = new Sum();
	const session = fromText(ctx.sessionDir);
	const commits = commitNumbers(nodePort, ctx).map((n) => commitDir(ctx, n));
	const discards = trashNames(nodePort, ctx).map((name) => joinPath(trashDir(ctx), name));
	return {
		upper: await sum.of(overlaysIn(nodePort, ctx, session)),
		images: await sum.of(commits.flatMap((dir) => KEPT_BY_COMMIT.map((name) => joinPath(dir, name)))),
		trash: await sum.of(discards.flatMap((dir) => [dir, ...overlaysIn(nodePort, ctx, dir)])),
		other: await sum.of([session])
	};
}
var Sum = class {
	#linked = /* @__PURE__ */ new Set();
	#dirs = /* @__PURE__ */ new Set();
	#bytes = 0;
	async of(paths) {
		this.#bytes = 0;
		await inSlices(this.#walk(paths), () => false);
		return this.#bytes;
	}
	*#walk(stack) {
		for (let path = stack.pop(); path !== void 0; path = stack.pop()) {
			yield null;
			const entry = orNull(() => lstatSync(fsPath(path), { throwIfNoEntry: false })) ?? null;
			if (entry?.isDirectory()) {
				if (this.#dirs.has(path)) continue;
				this.#dirs.add(path);
				for (const name of namesOrNone(path)) stack.push(joinPath(path, name));
			}
			if (entry !== null && this.#isNew(entry)) this.#bytes += entry.blocks * 512;
		}
	}
	#isNew(entry) {
		if (entry.isDirectory() || entry.nlink < 2) return true;
		if (this.#linked.has(entry.ino)) return false;
		this.#linked.add(entry.ino);
		return true;
	}
};
function keyOf$1(ctx) {
	const images = commitNumbers(nodePort, ctx).flatMap((n) => KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(commitDir(ctx, n), name)) !== null).map((name) => `${n}${name}`));
	return `${logSize(ctx.sessionDir)} ${images.join(",")} ${trashNames(nodePort, ctx).join(",")}`;
}
function readKept(ctx, key, live) {
	const value = orNull(() => readPlainJson(fileOf$3(ctx)));
	if (!isKept(value) || value.key !== key) return null;
	return live && Date.now() - value.at > LIVE_MS ? null : value.sizes;
}
function isKept(value) {
	if (!isObject(value) || value["v"] !== 1) return false;
	const { sizes } = value;
	if (!isObject(sizes)) return false;
	return [
		"upper",
		"images",
		"trash",
		"other"
	].every((part) => typeof sizes[part] === "number");
}
function fileOf$3({ sessionDir }) {
	return `${sessionDir}/disk.json`;
}
init_bytes();
init_limits();
init_dir_handles();
init_port();
init_client_door();
init_live();
var DAY_MS = 864e5;
var REMOVING = ".removing.";
function kept(ctx) {
	return [...keptImages(ctx), ...keptDiscards(ctx)];
}
function keptImages(ctx) {
	const found = [];
	let undoable;
	const open = unfinishedCommit(ctx);
	const needed = open === null ? void 0 : readJournal(nodePort, ctx, open)?.begin.undoes;
	for (const n of commitNumbers(nodePort, ctx)) {
		const dir = commitDir(ctx, n);
		const there = KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(dir, name)) !== null);
		const at = there.length === 0 ? null : beganAt$1(nodePort, ctx, n);
		if (at === null) continue;
		const about = {
			session: ctx.session,
			name: String(n),
			at,
			why: "",
			stays: n === needed
		};
		const paths = there.map((name) => joinPath(dir, name));
		const one = {
			kind: "images",
			...about,
			paths,
			taken: there.includes(BACK)
		};
		found.push(one);
		if (there.includes("before")) undoable = one;
	}
	for (const newest of [undoable, found.findLast((one) => one.taken)]) if (newest !== void 0) newest.stays = true;
	return found;
}
function keptDiscards(ctx) {
	const found = [];
	let returnable;
	for (const name of trashNames(nodePort, ctx)) {
		const discard = readDiscard(nodePort, ctx, name);
		const leftover = discard === null && isLeftover(nodePort, ctx, name);
		if (!leftover && discard?.record.phase !== "closed") continue;
		const about = {
			session: ctx.session,
			name,
			at: timeOf(ctx, name) ?? "",
			stays: false
		};
		const dir = joinPath(trashDir(ctx), name);
		const paths = [dir, ...overlaysIn(nodePort, ctx, dir)];
		const one = {
			kind: "discard",
			...about,
			why: leftover ? LEFTOVER : "",
			paths
		};
		found.push(one);
		if (discard !== null && isReturnable(nodePort, discard)) returnable = one;
	}
	if (returnable !== void 0) returnable.stays = true;
	return found;
}
async function findGarbage(contexts, now) {
	const found = [];
	const problems = [];
	const rest = [];
	const limits = contexts[0]?.undo ?? UNDO_LIMITS;
	for (const ctx of contexts) {
		let all;
		let why;
		try {
			all = kept(ctx);
			why = await whyForgotten(ctx, all);
		} catch (error) {
			problems.push(unreadSession(ctx.session, error));
			continue;
		}
		if (why !== null) {
			const dir = fromText(ctx.sessionDir);
			const bytes = await sizeOnDisk(dir, ...overlaysIn(nodePort, ctx, dir));
			found.push({
				kind: "session",
				session: ctx.session,
				name: "",
				at: "",
				bytes,
				why
			});
			continue;
		}
		rest.push(...all);
	}
	return {
		found: [...found, ...await beyond(rest, limits, now)],
		problems
	};
}
async function beyond(all, limits, now) {
	const { keepDays, keepBytes } = limits;
	const sorted = [];
	for (const { paths, ...one } of [...all].sort((a, b) => a.at < b.at ? -1 : 1)) sorted.push({
		...one,
		bytes: await sizeOnDisk(...paths)
	});
	let total = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
	return sorted.flatMap(({ stays, taken, ...one }) => {
		const isOld = now - Date.parse(one.at) > keepDays * DAY_MS;
		if (one.why === "" && (stays || !isOld && total <= keepBytes)) return [];
		total -= one.bytes;
		const limit = isOld ? olderThan(keepDays) : moreThan(keepBytes);
		return [{
			...one,
			why: one.why || (taken === true ? takenFromHost(limit) : limit)
		}];
	});
}
async function whyForgotten(ctx, all) {
	const isGone = !existsSync(Buffer.from(ctx.projectRoot, "latin1"));
	if (all.length > 0 || !(isGone || await neverBegan(ctx))) return null;
	if (unfinishedCommit(ctx) !== null || !await isQuiet(ctx)) return null;
	const list = await scan(ctx);
	if (list.changes.length + list.problems.length > 0) return null;
	return isGone ? PROJECT_GONE : NEVER_BEGAN;
}
var BEFORE_START = /* @__PURE__ */ new Set([
	"call.decided",
	"call.grounds",
	"call.failed",
	"call.closed"
]);
async function neverBegan({ sessionDir }) {
	if (isClientRunning(sessionDir)) return false;
	const { events, raw } = await readLog(sessionDir);
	const isForClient = readClientRecord(sessionDir) !== null || events.some(({ t }) => t === "session");
	const isBefore = (event) => event.t === "session" ? event.source === "client" : BEFORE_START.has(event.t);
	return isForClient && raw.length === 0 && events.every(isBefore);
}
async function removeGarbage(ctx, garbage, now) {
	const all = kept(ctx);
	if (garbage.kind === "session") {
		if (await whyForgotten(ctx, all) === null) return false;
		removeCopy(ctx.sessionDir);
		ensureTrash(nodePort, ctx);
		remove$1(ctx, fromText(ctx.sessionDir), ctx.session);
		return true;
	}
	const still = all.find(({ kind, name }) => kind === garbage.kind && name === garbage.name);
	if (still === void 0 || still.stays || Date.parse(still.at) > now) return false;
	if (garbage.kind === "discard") {
		remove$1(ctx, joinPath(trashDir(ctx), garbage.name), garbage.name);
		return true;
	}
	const n = Number(garbage.name);
	const journal = openJournal(nodePort, commitDir(ctx, n));
	if (journal === null) return false;
	useAndClose(journal, () => journal.addSynced({ t: "collected" }));
	for (const name of [...KEPT_BY_COMMIT, TIMES]) removePath(nodePort, journal.dir, name);
	return true;
}
function sweepTrash(ctx) {
	if (nodePort.lstat(trashDir(ctx)) === null) return;
	for (const name of nodePort.readdir(trashDir(ctx))) if (name.startsWith(REMOVING)) removeWith(ctx, name);
}
function sweepUnmade(stateDir) {
	const sessions = joinPath(fromText(stateDir), "sessions");
	for (const name of unmadeSessions(stateDir)) {
		const gone = fromText(`${name}_`);
		if (!orIfRefused(() => {
			nodePort.rename(joinPath(sessions, fromText(name)), joinPath(sessions, gone));
			return true;
		}, false)) continue;
		for (const overlay of overlaysIn(nodePort, { stateDir }, joinPath(sessions, gone))) removePath(nodePort, overlaysDir({ stateDir }), nameOf(overlay));
		removePath(nodePort, sessions, gone);
	}
}
function remove$1(ctx, dir, name) {
	const gone = `${REMOVING}${name}`;
	removePath(nodePort, trashDir(ctx), gone);
	nodePort.rename(dir, joinPath(trashDir(ctx), gone));
	removeWith(ctx, gone);
}
function removeWith(ctx, name) {
	const own = overlaysIn(nodePort, ctx, fromText(ctx.sessionDir));
	for (const overlay of overlaysIn(nodePort, ctx, joinPath(trashDir(ctx), name))) if (!own.includes(overlay)) removePath(nodePort, overlaysDir(ctx), nameOf(overlay));
	removePath(nodePort, trashDir(ctx), name);
}
async function collectOwn(ctx) {
	const now = Date.now();
	const images = keptImages(ctx).map((one) => ({
		...one,
		stays: one.stays || one.taken === true
	}));
	for (const one of await beyond(images, ctx.undo ?? UNDO_LIMITS, now)) await removeGarbage(ctx, one, now);
}
init_identity();
init_fingerprint();
init_port();
async function redoCommit(ctx, list, tools = {}) {
	const port = tools.port ?? nodePort;
	const undo = redoable(port, ctx);
	if (undo === null) throw nothingToRedo();
	expectSame(port, ctx, undo);
	const commit = undo.begin.undoes === void 0 ? null : readJournal(port, ctx, undo.begin.undoes);
	const exactly = new Set(undo.same.map(({ path }) => path));
	const again = mergesAgain(ctx, list.changes, commit?.units ?? [], exactly);
	const choices = {
		...choicesOfRedo(port, ctx, list.changes, undo, commit),
		...again.choices
	};
	const request = {
		revision: list.revision,
		includeIgnored: true,
		conflicts: "refuse",
		merges: again.merges,
		choices,
		yes: true,
		typedCount: null,
		exactly
	};
	const come = planCommit(list, request).along.find(({ rule, change }) => rule !== "below" || change.pending !== null);
	if (come !== void 0) throw changedSinceUndo(come.change.path);
	return await commitAll(ctx, list, request, {
		...tools,
		redoes: undo.n
	});
}
function expectSame(port, ctx, record) {
	const latest = new Map(record.same.map(({ path, id }) => [path, id]));
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		for (const [path, id] of latest) {
			const now = uppers.lstat(path);
			if (now !== null && isWhiteout(now) ? typeOf(id) === "char" : isSame$3(id, now)) continue;
			throw changedSinceUndo(path);
		}
		const dressed = record.units.filter((unit) => unit.kind === "meta" && unit.xattrs !== void 0 && record.done.has(unit.i));
		const texts = port.xattrsOf(dressed.map(({ path }) => uppers.pathOf(path)));
		const other = dressed.find((unit, i) => unit.kind === "meta" && texts[i] !== unit.xattrs?.from);
		if (other !== void 0) throw changedSinceUndo(other.path);
	});
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
init_reasons();
async function compareHost(port, ctx, record) {
	return await useAndCloseAsync(new Dirs(port, "/", 0, null), async (dirs) => await new Comparison(port, ctx, dirs, record).run());
}
var Comparison = class {
	#port;
	#ctx;
	#dirs;
	#record;
	#expected;
	#restores = [];
	#removes = [];
	#trees = [];
	#metas = [];
	#conflicts = [];
	#unable = [];
	#hash = createHash("sha256");
	#pace = new Pace();
	constructor(port, ctx, dirs, record) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
		this.#record = record;
		this.#expected = lastResults(port, ctx, record);
		this.#hash.update(`${record.n} ${[...record.undone].join()}\n`);
	}
	async run() {
		const going = this.#record.standing();
		const deleted = new Set(going.filter(({ kind }) => kind === "delete").map(({ path }) => path));
		const trees = /* @__PURE__ */ new Map();
		for (const unit of going) if (unit.kind === "delete" && coveringDir(this.#ctx.coveredDirs, unit.path) !== null) {
			const top = topOf(unit.path, deleted);
			trees.set(top, [...trees.get(top) ?? [], unit]);
		} else await this.#alone(unit.path, () => this.#unit(unit));
		for (const [path, members] of trees) {
			members.sort((a, b) => a.path < b.path ? -1 : 1);
			await this.#alone(path, () => this.#deleted(path, members));
		}
		return {
			restores: this.#restores,
			removes: this.#removes,
			trees: this.#trees,
			metas: this.#metas,
			conflicts: this.#conflicts,
			unable: this.#unable,
			revision: this.#hash.digest("hex").slice(0, 32)
		};
	}
	async #alone(path, work) {
		await this.#pace.breathe();
		const lists = [
			this.#restores,
			this.#removes,
			this.#trees,
			this.#metas,
			this.#conflicts
		];
		const lengths = lists.map(({ length }) => length);
		try {
			await work();
		} catch (error) {
			const message = entryMessage(error);
			if (message === null) throw error;
			lists.forEach((list, i) => {
				list.length = lengths[i] ?? 0;
			});
			this.#hash.update(`${path}\0${message}\n`);
			this.#unable.push({
				path,
				message
			});
		}
	}
	async #unit(unit) {
		if (coveringDir(this.#ctx.coveredDirs, unit.path) === null) {
			this.#lookAt(unit.path);
			this.#unable.push({
				path: unit.path,
				message: NOT_COVERED_NOW
			});
		} else if (unit.kind === "meta") this.#meta(unit);
		else if (unit.kind === "move-to-host" || unit.kind === "put" && unit.host === null) await this.#added(unit);
		else if (unit.kind === "put" || unit.kind === "swap") this.#replaced(unit);
	}
	#meta(unit) {
		const { path, xattrs } = unit;
		const unable = (message) => this.#unable.push({
			path,
			message
		});
		const now = this.#lookAt(path);
		const ok = this.#check(path, now);
		if (now === null) unable(HOST_REMOVED);
		else if (!ok && now.type !== typeOf(unit.host)) unable(HOST_HAS_OTHER);
		else if (xattrs === void 0) this.#metas.push({
			path,
			unit,
			now,
			xattrs: null
		});
		else {
			const has = xattrsAt(this.#port, this.#dirs, path);
			this.#hash.update(`${has}\n`);
			const expected = this.#expected.get(path)?.xattrs ?? xattrs.to;
			if (ok && has !== null && has !== expected) this.#conflict(path, "host-changed");
			if (has === null) unable(NO_XATTRS);
			else this.#metas.push({
				path,
				unit,
				now,
				xattrs: {
					from: has,
					to: xattrs.from
				}
			});
		}
	}
	async #added(unit) {
		const left = resultOf$1(unit);
		const mine = new Set(left.map(({ path }) => path));
		const found = await lstatEach(this.#port, this.#dirs, [...mine], this.#pace);
		const before = this.#conflicts.length + this.#unable.length;
		for (const path of mine) {
			await this.#pace.breathe();
			const now = this.#note(path, found.get(path) ?? null);
			if (now === null) continue;
			this.#check(path, now);
			this.#foreign(path, now, mine);
			if (this.#isCovered(path)) this.#unable.push({
				path,
				message: COVERED_ITSELF
			});
			else this.#removes.push({
				path,
				unit,
				now
			});
		}
		if (before === this.#conflicts.length + this.#unable.length && unit.kind === "move-to-host") this.#tree(unit, left, found);
	}
	#tree(unit, left, stats) {
		const now = stats.get(unit.path);
		const { endedAt, stamps } = this.#record;
		if (now?.type !== "dir" || endedAt === null) return;
		const stamp = stamps.get(unit.i);
		if (stamp === void 0 ? now.ctimeNs > BigInt(endedAt) * 1000000n : stamp !== String(now.ctimeNs)) return;
		const entries = left.map(({ path }) => {
			const stat = stats.get(path);
			return {
				path,
				id: stat === void 0 ? null : identityOf$1(stat)
			};
		});
		if (entries.every(({ path, id }, i) => path === unit.path || id !== null && id === left[i]?.id)) this.#trees.push({
			unit,
			now,
			entries,
			stats
		});
	}
	#replaced(unit) {
		const mine = unit.result.filter(({ path }) => path !== unit.path);
		const paths = new Set(mine.map(({ path }) => path));
		const now = this.#lookAt(unit.path);
		this.#check(unit.path, now);
		if (this.#isCovered(unit.path)) {
			this.#unable.push({
				path: unit.path,
				message: COVERED_ITSELF
			});
			return;
		}
		if (now !== null) this.#foreign(unit.path, now, paths);
		const found = [];
		for (const { path } of mine) {
			const below = this.#lookAt(path);
			this.#check(path, below);
			if (below === null) continue;
			this.#foreign(path, below, paths);
			found.push({
				path,
				id: identityOf$1(below)
			});
		}
		this.#restore({
			path: unit.path,
			units: [unit],
			now,
			below: found
		});
	}
	#deleted(path, units) {
		const now = this.#lookAt(path);
		this.#check(path, now);
		if (now?.type === "dir") this.#unable.push({
			path,
			message: HOST_HAS_DIR
		});
		else this.#restore({
			path,
			units,
			now,
			below: []
		});
	}
	#restore(restore) {
		const { imageless, collected } = this.#record;
		if (restore.units.some((unit) => collected || imageOf(unit) === void 0 || imageless.has(unit.i))) this.#unable.push({
			path: restore.path,
			message: NOT_KEPT_ANY_MORE
		});
		else this.#restores.push(restore);
	}
	#isCovered(path) {
		return this.#ctx.coveredDirs.some((covered) => isWithin(covered.path, path));
	}
	#lookAt(path) {
		return this.#note(path, this.#dirs.lstatHere(path));
	}
	#note(path, now) {
		const { type, ino, mtimeNs, mode, uid, gid, size } = now ?? { type: "none" };
		this.#hash.update(`${path}\0${[
			type,
			ino,
			type === "dir" ? 0 : mtimeNs,
			mode,
			uid,
			gid,
			size
		].join()}\n`);
		return now;
	}
	#check(path, now) {
		const expected = this.#expected.get(path) ?? {
			id: null,
			endedAt: null
		};
		if (isAsLeft(expected.id, now, expected.endedAt, expected.stamp) || saysAsLeft(path, expected, now)) return true;
		const reason = expected.id === null ? "host-created" : "host-changed";
		this.#conflict(path, now === null ? "host-removed" : reason);
		return false;
	}
	#foreign(dir, now, mine) {
		if (now.type !== "dir" || typeOf(this.#expected.get(dir)?.id) !== "dir") return;
		for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
			const path = joinPath(dir, name);
			if (!mine.has(path)) this.#conflict(path, "host-new-below");
		}
	}
	#conflict(path, reason) {
		this.#conflicts.push({
			path,
			reason
		});
	}
};
function topOf(path, deleted) {
	let top = path;
	for (let dir = parentOf(path); dir !== "/" && deleted.has(dir); dir = parentOf(dir)) top = dir;
	return top;
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_mounts();
init_port();
async function stageUndo(work, commit, reversal, pendLive) {
	const { port, ctx, journal, areas, pace } = work;
	const refused = [...reversal.unable];
	const puts = await assembleAll(work, commit, reversal, refused);
	const changed = new Set(reversal.conflicts.map(({ path }) => path));
	const instead = beforeMerge(port, ctx, commit);
	for (const path of changed) instead.delete(path);
	const pending = new PendingPlan(work, commit, changed);
	let planned;
	try {
		const trees = ctx.quiet ? await movableTrees(work, pending, reversal) : [];
		const files = ctx.quiet ? movableFiles(work, puts, (path) => changed.has(path) || instead.has(path)) : [];
		planned = planUnits(work, reversal, puts, {
			trees,
			files: new Set(files)
		});
		for (const { displaced } of planned) {
			await pace.breathe();
			if (displaced !== null) await pending.add(displaced);
		}
		await pending.dropNeedless();
		for (const { line } of pending.items) if (line.stays === true) instead.delete(line.path);
	} finally {
		await pending.close();
	}
	const losing = planned.flatMap(({ displaced }) => displaced?.now?.type === "dir" && !displaced.alone ? [displaced] : []);
	const pend = ctx.quiet || pending.items.length + losing.length === 0 ? stagePending : pendLive;
	if (pend === void 0) throw undoWhileLive();
	const moving = new Set(pending.items.filter(({ moves }) => moves).map(({ line }) => line.i));
	for (const { unit } of planned) if (unit.kind === "put" && moving.has(unit.i)) unit.image = "back";
	const failed = await pend(work, pending.items, instead, losing);
	for (const [i, message] of pending.failed) failed.set(i, message);
	const messageOf = ({ unit, top }) => failed.get(unit.i) ?? failed.get(top);
	for (const one of planned) {
		const message = messageOf(one);
		if (message === void 0) journal.add(one.unit);
		else refused.push({
			path: one.unit.path,
			message
		});
	}
	for (const { line } of pending.items) journal.add(line);
	journal.add({
		t: "refused",
		entries: refused
	});
	await areas.sync([journal.dir]);
	journal.addSynced({
		t: "ready",
		units: journal.record.units.length
	});
}
async function movableTrees({ port, ctx }, pending, { trees }) {
	if (trees.length === 0 || !mayMove(port, ctx)) return [];
	const own = mountOf(port, commitsDir(ctx));
	const points = ownMounts().map(({ point }) => point);
	const found = /* @__PURE__ */ new Map();
	for (const tree of trees) {
		const { path } = tree.unit;
		const isFree = () => isOurs(ctx, tree.now) && hasAllNames(tree.stats) && mountOf(port, parentOf(path)) === own && !points.some((point) => isWithin(point, path));
		if (orIfRefused(isFree, false) && await pending.isWhole(path)) found.set(inodesOf$1(tree), tree);
	}
	for (const used of treesInUse([...found.keys()])) found.delete(used);
	return [...found.values()];
}
function movableFiles({ port, ctx }, puts, isOther) {
	if (!mayMove(port, ctx)) return [];
	const own = mountOf(port, commitsDir(ctx));
	const near = /* @__PURE__ */ new Map();
	const candidates = puts.flatMap(({ restore: { path, now, units }, born }) => {
		if (now?.type !== "file" || now.nlink !== 1 || typeOf(born) === "dir" || isOther(path)) return [];
		if (units.some(({ kind }) => kind !== "put") || !(ctx.root || now.uid === ctx.uid)) return [];
		const above = parentOf(path);
		if (!near.has(above)) near.set(above, orIfRefused(() => mountOf(port, above) === own, false));
		return near.get(above) === true ? [{
			path,
			ino: now.ino
		}] : [];
	});
	const held = heldForWriting(new Set(candidates.map(({ ino }) => ino)));
	return candidates.filter(({ ino }) => !held.has(ino)).map(({ path }) => path);
}
function isOurs({ root, uid }, { mode, uid: owner }) {
	return root || owner === uid && (mode & 128) !== 0;
}
function inodesOf$1({ unit, stats }) {
	const [files, dirs] = [/* @__PURE__ */ new Set(), /* @__PURE__ */ new Set()];
	for (const { type, ino } of stats.values()) if (type === "dir") dirs.add(ino);
	else if (type === "file") files.add(ino);
	return {
		real: unit.path,
		files,
		dirs
	};
}
function displacedBy({ path, now, units }) {
	return {
		path,
		now,
		alone: false,
		below: units.flatMap(takenAway).flatMap((entry) => entry.path === path ? [] : [entry.path]).sort()
	};
}
function topmost(removes) {
	const going = new Set(removes.map(({ path }) => path));
	return removes.filter(({ path }) => !going.has(parentOf(path)));
}
async function keptBack(port, ctx, commit, { restores, removes, conflicts }) {
	const back = joinPath(commitDir(ctx, nextNumber(port, ctx)), BACK);
	const dirs = new Dirs(port, "/", 0, null);
	const pace = new Pace();
	return await useAndCloseAsync(dirs, async () => useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const changed = new Set(conflicts.map(({ path }) => path));
		const pending = new PendingPlan({
			port,
			ctx,
			dirs,
			uppers
		}, commit, changed);
		const removed = topmost(removes).map(({ path, now }) => ({
			path,
			now,
			alone: false,
			below: []
		}));
		try {
			for (const displaced of [...restores.map(displacedBy), ...removed]) {
				await pace.breathe();
				await pending.add({
					i: 0,
					...displaced
				});
			}
		} finally {
			await pending.close();
		}
		return pending.items.flatMap(({ line: { path, stays } }) => {
			const covered = stays === true ? coveringDir(ctx.coveredDirs, path) : null;
			return covered === null ? [] : [{
				path,
				at: waitingAt(back, covered, path)
			}];
		});
	}));
}
function planUnits(transaction, { removes, metas }, puts, { trees, files }) {
	const out = [];
	const add = (make, displaced) => {
		const i = out.length;
		const planned = {
			unit: make({
				t: "unit",
				i,
				groups: []
			}),
			top: i,
			displaced: displaced === null ? null : {
				i,
				...displaced
			}
		};
		out.push(planned);
		return planned;
	};
	for (const put of puts) {
		const { path } = put.restore;
		const displaced = displacedBy(put.restore);
		add((every) => restoreUnit(transaction, every, put), files.has(path) ? {
			...displaced,
			moves: true
		} : displaced);
	}
	for (const { unit, now, entries } of trees) {
		const { path, i } = unit;
		const of = {
			path,
			host: identityOf$1(now),
			reverts: [i],
			born: birthOf$1(now),
			entries
		};
		add((every) => ({
			...every,
			kind: "move-to-store",
			...of
		}), {
			path,
			now,
			alone: false,
			below: [],
			moves: true
		});
	}
	const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
	const single = removes.filter(({ path }) => !whole.has(path));
	const tops = new Set(topmost(single));
	const added = /* @__PURE__ */ new Map();
	for (const remove of single.sort((a, b) => a.path < b.path ? 1 : -1)) {
		const { path, unit, now } = remove;
		const displaced = tops.has(remove) ? {
			path,
			now,
			alone: false,
			below: []
		} : null;
		const of = {
			path,
			host: identityOf$1(now),
			upper: null,
			reverts: [unit.i]
		};
		added.set(path, add((every) => ({
			...every,
			kind: "delete",
			...of
		}), displaced));
	}
	for (const [path, planned] of [...added].reverse()) planned.top = added.get(parentOf(path))?.top ?? planned.top;
	for (const meta of [...metas].reverse()) add((every) => metaUnit(every, meta), {
		path: meta.path,
		now: meta.now,
		alone: true,
		below: []
	});
	return out;
}
function metaUnit(every, { path, unit, now, xattrs }) {
	const { mode, uid, gid, mtimeNs } = fingerprint(unit.host);
	return {
		...every,
		kind: "meta",
		path,
		host: identityOf$1(now),
		upper: null,
		reverts: [unit.i],
		mode,
		uid,
		gid,
		mtime: unit.mtime === null ? null : String(mtimeNs),
		...xattrs === null ? {} : { xattrs }
	};
}
function restoreUnit({ ctx, journal }, every, { restore, source, born, left }) {
	const { path, now, units, below } = restore;
	const before = units.flatMap((unit) => {
		const id = hostOf(unit);
		return id === null ? [] : [fingerprint(id)];
	});
	const mode = before[0]?.mode ?? 0;
	const isNowDir = typeOf(born) === "dir";
	const put = {
		t: "unit",
		i: every.i,
		path,
		groups: every.groups,
		kind: "put",
		host: now === null ? null : identityOf$1(now),
		reverts: units.map(({ i }) => i),
		stage: source.stage,
		rel: source.rel,
		born,
		closedMode: isNowDir && !ctx.root && (mode & 128) === 0 ? mode : null,
		entries: units.flatMap(entriesOf).map((entry) => ({
			path: entry.path,
			id: null
		})),
		result: left,
		bytes: before.reduce((sum, { size }) => sum + size, 0)
	};
	if (now === null || isNowDir === (now.type === "dir")) return put;
	return {
		...put,
		kind: "swap",
		host: identityOf$1(now),
		aside: asideName(ctx.session, journal.record.n, every.i),
		below: below.map(({ path: at, id }) => ({
			path: at,
			host: id ?? ""
		}))
	};
}
async function assembleAll({ port, ctx, journal, areas, pace }, commit, { restores }, refused) {
	const bases = /* @__PURE__ */ new Map();
	for (const restore of restores) {
		const { path } = restore;
		const message = refusalOf(() => bases.set(restore, areas.baseFor(parentOf(path))));
		if (message !== null) refused.push({
			path,
			message
		});
	}
	const puts = [];
	const images = joinPath(commitDir(ctx, commit.n), BEFORE);
	for (const restore of bases.keys()) {
		const rel = imageAlone(restore);
		if (rel === null) continue;
		const found = await checkAssembled(restore, () => port.lstat(joinPath(images, rel)), pace);
		bases.delete(restore);
		if (found !== null) puts.push({
			...found,
			restore,
			source: {
				stage: "before",
				rel
			}
		});
		else refused.push({
			path: restore.path,
			message: beforeImageChanged("")
		});
	}
	for (const base of bases.values()) areas.areaAt(base, journal);
	for (const area of areas.all) {
		const inArea = [...bases].flatMap(([restore, base]) => base === area.base ? [restore] : []);
		const complaint = await assemble(port, commitDir(ctx, commit.n), area, inArea);
		const relOf = (path) => joinPath(TREES, relativeTo(area.base, path));
		for (const restore of inArea) {
			const found = await checkAssembled(restore, (path) => port.lstat(at(area.fd, relOf(path))), pace);
			if (found !== null) puts.push({
				...found,
				restore,
				source: {
					stage: area.index,
					rel: relOf(restore.path)
				}
			});
			else refused.push({
				path: restore.path,
				message: beforeImageChanged(complaint)
			});
		}
	}
	return puts;
}
var IMAGES = "i";
var TREES = "t";
function imageAlone({ units }) {
	const [unit, other] = units;
	if (unit === void 0 || other !== void 0) return null;
	return imageOf(unit) === "link" && typeOf(hostOf(unit)) !== "dir" ? imageName(unit.i) : null;
}
function takenAway(unit) {
	const below = replacedBelow(unit).map(({ path, host }) => ({
		path,
		id: host
	}));
	return [{
		path: unit.path,
		id: hostOf(unit) ?? ""
	}, ...below];
}
async function assemble(port, dir, area, restores) {
	const units = restores.flatMap((one) => one.units);
	const linked = units.filter((unit) => imageOf(unit) === "link");
	let complaint = "";
	if (linked.length > 0) {
		const names = linked.map(({ i }) => imageName(i));
		complaint = await inside(port, area, IMAGES, async (fd) => {
			return await copyOut(port, joinPath(dir, BEFORE), names, fd, "--link");
		});
	}
	const alone = (work) => {
		complaint = refusalOf(work) ?? complaint;
	};
	const relOf = (path) => relativeTo(area.base, path);
	await inside(port, area, TREES, async (fd) => {
		for (const unit of units) if (imageOf(unit) === "link") alone(() => arrange$1(port, area, unit.i, [fd, relOf(unit.path)]));
		const copied = topsOf(units.filter((unit) => imageOf(unit) === "copy").map((unit) => ({
			path: unit.path,
			id: hostOf(unit)
		})));
		const from = joinPath(dir, copiedImage(area.base === "/" ? "" : area.base));
		if (copied.length > 0) {
			const wanted = copied.map(relOf);
			makeParents$1(port, fd, wanted);
			complaint ||= await copyOut(port, from, wanted, fd);
		}
		for (const unit of [...units].reverse()) for (const { path, id } of takenAway(unit).reverse()) if (typeOf(id) === "dir") alone(() => dressDir(port, at(fd, relOf(path)), fingerprint(id)));
	});
	return complaint;
}
async function inside(port, area, name, work) {
	port.mkdir(at(area.fd, name), 448);
	return await withHandleAsync(port, port.openDir(at(area.fd, name)), work);
}
function arrange$1(port, area, i, [to, rel]) {
	const image = at(area.fd, joinPath(IMAGES, imageName(i)));
	const now = port.lstat(image);
	if (now === null) return;
	if (now.type === "dir") chmodEntry(port, image, now.mode | 448);
	makeParents$1(port, to, [rel]);
	port.rename(image, at(to, rel));
}
async function checkAssembled(restore, look, pace) {
	const left = [];
	let born = null;
	for (const { path, id } of restore.units.flatMap(takenAway)) {
		await pace.breathe();
		const found = orIfRefused(() => look(path), null);
		if (found === null || !looksAlike(id, found)) return null;
		if (path === restore.path) born = birthOf$1(found);
		left.push({
			path,
			id: identityOf$1(found)
		});
	}
	return born === null ? null : {
		born,
		left
	};
}
init_bytes();
init_limits();
init_port();
init_perl();
function readUndoable(port, ctx, n) {
	const found = readJournalIn(port, commitDir(ctx, n));
	if (found === null) throw notUndoable(n, NOT_COMPLETE);
	const { record } = found;
	if (record.phase !== "closed" || record.begin.undoes !== void 0 || record.done.size === 0) throw notUndoable(n, NOT_COMPLETE);
	if (record.standing().length === 0) throw notUndoable(n, UNDONE_ALREADY);
	if (!record.begin.reversible) throw notUndoable(n, NEVER_KEPT);
	return found;
}
async function previewUndo(ctx, n) {
	const { record } = readUndoable(nodePort, ctx, n);
	const reversal = await compareHost(nodePort, ctx, record);
	const { revision, restores, removes, metas, conflicts, unable } = reversal;
	const kept = await keptBack(nodePort, ctx, record, leaveOut(reversal, conflicts.filter(isForeign)));
	const held = withParents(conflicts);
	const heldRestores = new Set(restores.flatMap(({ path }) => held.has(path) ? [path] : []));
	const restored = restores.flatMap(({ units }) => units).reduce((sum, unit) => sum + entryCount(unit), 0);
	return {
		n,
		at: record.begin.at,
		revision,
		restored,
		removed: removes.length,
		meta: metas.length,
		conflicts,
		unable,
		kept: kept.map((one) => {
			return {
				...one,
				conflict: held.has(one.path) || isBelowAny(one.path, heldRestores)
			};
		}),
		guard: guardOf(reversal)
	};
}
function guardOf({ removes, restores }) {
	const count = removes.length + restores.filter(({ now }) => now !== null).length;
	if (count <= 1e3) return null;
	return {
		reasons: [`removes or replaces ${count} entries of the host (more than ${MASS_GUARD_ENTRIES})`],
		count
	};
}
async function undoCommit(ctx, request, tools = {}) {
	return await keepPerl(async () => await undoRecord(ctx, request, tools));
}
async function undoRecord(ctx, request, { port = nodePort, onProgress, pendLive }) {
	const startedAt = performance.now();
	let commit;
	let transaction;
	try {
		commit = readUndoable(port, ctx, request.n);
		transaction = await prepare(ctx, request, commit.record, {
			port,
			pendLive
		});
	} catch (error) {
		throw asTraiError(error);
	}
	return await useAndCloseAsync(transaction.journal, async () => await advance({
		...transaction,
		onProgress,
		startedAt,
		commit,
		unfinished: /* @__PURE__ */ new Map()
	}));
}
async function prepare(ctx, request, record, { port, pendLive }) {
	const reversal = await compareHost(port, ctx, record);
	const { going, kept } = await decide$1(reversal, request, async (left) => await keptBack(port, ctx, record, left));
	const journal = beginTransaction(port, ctx, {
		revision: reversal.revision,
		leftOut: [],
		kept,
		ignored: 0,
		reversible: true,
		undoes: request.n
	});
	const transaction = {
		port,
		ctx,
		journal
	};
	try {
		await withStaging(transaction, async (work) => await stageUndo(work, record, going, pendLive));
	} catch (error) {
		if (errorCode(error) !== "") abortQuietly(transaction, true);
		journal.close();
		throw error;
	}
	return transaction;
}
async function decide$1(reversal, { revision, yes, typedCount, choices, conflicts }, keptOf) {
	if (revision !== null && revision !== reversal.revision) throw staleUndo();
	const choiceOf = ({ path }) => choices[path] ?? conflicts;
	const kept = reversal.conflicts.filter((one) => choiceOf(one) === "keep-host");
	const going = leaveOut(reversal, [...kept, ...reversal.conflicts.filter(isForeign)]);
	const guard = guardOf(reversal);
	if (guard !== null && !yes && typedCount !== guard.count) throw massUndo(guard, await keptOf(going));
	const open = reversal.conflicts.filter((one) => choiceOf(one) === "refuse");
	if (open.length > 0) throw openUndoConflicts(open, await keptOf(going));
	return {
		going,
		kept: kept.length
	};
}
var isForeign = ({ reason }) => reason === "host-new-below";
function withParents(conflicts) {
	const found = /* @__PURE__ */ new Set();
	for (const { path } of conflicts) for (let at = path; at !== "/" && !found.has(at); at = parentOf(at)) found.add(at);
	return found;
}
function leaveOut(reversal, conflicts) {
	const kept = withParents(conflicts);
	if (kept.size === 0) return reversal;
	const changed = new Set(reversal.conflicts.map(({ path }) => path));
	return {
		...reversal,
		removes: reversal.removes.filter(({ path }) => !kept.has(path)),
		trees: reversal.trees.filter(({ entries }) => !entries.some(({ path }) => kept.has(path))),
		restores: reversal.restores.filter(({ path }) => !kept.has(path)),
		metas: reversal.metas.filter(({ path }) => !kept.has(path) || !changed.has(path))
	};
}
async function openInside(source, covered) {
	return openInsideOf(await liveProcesses(source), source, covered);
}
function openInsideOf(processes, source, covered) {
	for (const { pid } of processes) {
		const opened = openAt(pid, source, covered);
		if (opened !== null) return {
			...opened,
			pid,
			close: () => nodePort.close(opened.fd)
		};
	}
	return null;
}
function openAt(pid, source, covered) {
	const fd = orNull(() => nodePort.openDir(`/proc/${pid}/root${covered.path}`));
	if (fd === null) return null;
	const dev = orNull(() => nodePort.fstat(fd).dev);
	const device = dev === null ? "" : deviceText(dev);
	const isMounted = parseMountinfo(processText(pid, "mountinfo") ?? "").some((mount) => mount.source === source && mount.device === device && mount.point === covered.path);
	if (dev !== null && isMounted) return {
		fd,
		dev,
		device
	};
	nodePort.close(fd);
	return null;
}
function mountedDevices(processes, source) {
	return [...new Set(processes.map(({ pid }) => processText(pid, "mountinfo") ?? ""))].flatMap(parseMountinfo).filter((mount) => mount.source === source).map(({ device }) => device);
}
function deviceText(dev) {
	return `${dev >> 8n & 4095n | dev >> 32n & -4096n}:${dev & 255n | dev >> 12n & -256n}`;
}
function isRefresh(argv) {
	return argv.includes(SCRIPT);
}
async function refreshMounts(ctx, pid, points) {
	const fds = [];
	try {
		fds.push(openSync(`/proc/${pid}/ns/mnt`, "r"));
		if (!ctx.root) fds.push(openSync(`/proc/${pid}/root${ctx.stateDir}/userns`, "r"));
		const owner = ctx.root ? [] : ["--preserve-credentials", "--user=/proc/self/fd/4"];
		const shell = [
			programPath("bash"),
			"--norc",
			"-p",
			"-c",
			SCRIPT
		];
		const input = Buffer.from(points.map((point) => `${point}\0`).join(""), "latin1");
		const args = [
			...owner,
			"--mount=/proc/self/fd/3",
			...shell
		];
		const { status, stderr } = await nodePort.run(programPath("nsenter"), args, input, fds);
		return status === 0 ? null : stderr.trim() || `nsenter ended with status ${status}`;
	} catch (error) {
		return errorText(error);
	} finally {
		for (const fd of fds) closeSync(fd);
	}
}
var SCRIPT;
var init_inside = __esmMin((() => {
	init_entry();
	init_mounts();
	init_port();
	init_proc();
	init_programs();
	init_live();
	SCRIPT = `export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do ${programPath("mount")} -o remount "$at" || exit; done`;
}));
init_inside();
init_entry();
init_port();
init_proc();
var REMEMBERED = 1e4;
var seenAs = /* @__PURE__ */ new Map();
function numberOf(at) {
	const fd = orNull(() => nodePort.openEntry(at));
	if (fd === null) return null;
	const inode = withHandle(nodePort, fd, () => inodeIn(processText("self", `fdinfo/${fd}`) ?? ""));
	return inode === null ? null : String(inode);
}
function remember(upper, number) {
	const key = `${upper.dev}:${upper.ino}:${upper.birthNs}`;
	const numbers = seenAs.get(key) ?? /* @__PURE__ */ new Set([String(upper.ino)]);
	if (number !== null) numbers.add(number);
	if (seenAs.size >= REMEMBERED) seenAs.clear();
	seenAs.set(key, numbers);
	return numbers;
}
function marksOf({ at, upper }) {
	const number = numberOf(at);
	const entry = number === null ? null : lstatEntry(upper);
	return entry === null ? null : {
		numbers: remember(entry, number),
		times: timesOf(entry)
	};
}
function heldBy(pids) {
	const marks = /* @__PURE__ */ new Set();
	let byNumber = false;
	for (const pid of pids) for (const { ino, fd, writes } of openFiles(pid)) {
		if (!writes) continue;
		marks.add(String(ino));
		const stat = fd === null ? null : statOf$3(`/proc/${pid}/fd/${fd}`);
		if (stat === null) byNumber = true;
		else marks.add(timesOf({
			birthNs: stat.birthtimeNs,
			ctimeNs: stat.ctimeNs
		}));
	}
	return {
		marks,
		byNumber
	};
}
function isMarked({ marks }, file) {
	return file === null || marks.has(file.times) || [...file.numbers].some((number) => marks.has(number));
}
function isHeldOpen({ marks, byNumber }, at, upper) {
	if (marks.has(String(upper.ino)) || marks.has(timesOf(upper))) return true;
	const number = byNumber ? numberOf(at) : "";
	return number === null || marks.has(number);
}
function timesOf({ birthNs, ctimeNs }) {
	return `${birthNs} ${ctimeNs}`;
}
var BUSY = /* @__PURE__ */ new Set(["R", "D"]);
function momentOf(pids) {
	return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}
function allPassed(pids, since) {
	if (since.size === 0) return true;
	const now = tasks(pids);
	return [...since].every(([key, then]) => {
		const task = now.get(key);
		return task === void 0 || !BUSY.has(task.state) || task.user !== then.user;
	});
}
function tasks(pids) {
	const found = /* @__PURE__ */ new Map();
	for (const pid of pids) for (const tid of namesIn$2(`/proc/${pid}/task`)) {
		const stat = processStat(pid, `task/${tid}/stat`);
		if (stat !== null) found.set(`${tid} ${stat.start}`, stat);
	}
	return found;
}
init_bytes();
init_entry();
init_mounts();
init_port();
init_proc();
function lookAtTree(top, held) {
	const hash = createHash("sha256");
	const look = {
		seal: null,
		isHeld: false,
		ctimeNs: 0n
	};
	const missing = /* @__PURE__ */ new Map();
	const add = (tree, name, entry) => {
		const { type, mode, uid, gid, size, ino, mtimeNs, ctimeNs, nlink } = entry;
		if (ctimeNs > look.ctimeNs) look.ctimeNs = ctimeNs;
		hash.update(`${name}\0${type} ${mode} ${uid} ${gid} ${size} ${ino} ${mtimeNs} `, "latin1");
		if (tree !== top) hash.update(`${ctimeNs} `);
		if (type === "dir") return addDir(tree);
		if (type !== "file" && type !== "symlink") return false;
		if (nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
		look.isHeld ||= type === "file" && isHeldOpen(held, tree.at, entry);
		return true;
	};
	const addDir = (tree) => {
		if (holdsOutOfReach(tree.upper)) return false;
		const names = readNames(tree.upper);
		hash.update(`${names.length}\n`);
		return names.every((name) => {
			const child = {
				at: joinPath(tree.at, name),
				upper: joinPath(tree.upper, name)
			};
			const entry = lstatEntry(child.upper);
			return entry !== null && add(child, name, entry);
		});
	};
	const entry = lstatEntry(top.upper);
	if (entry?.type === "dir" && orIfRefused(() => add(top, "", entry), false) && [...missing.values()].every((names) => names === 0)) look.seal = hash.digest("hex");
	return look;
}
function dirsOfMounts(pids) {
	const mounts = mountsOf(pids);
	const covered = /* @__PURE__ */ new Map();
	for (const { source, device, root, point } of mounts) if (root === "/" && source.startsWith("trai:")) covered.set(device, (covered.get(device) ?? /* @__PURE__ */ new Set()).add(point));
	const dirs = /* @__PURE__ */ new Set();
	for (const { device, root, point } of mounts) {
		const shown = root !== "/" && !root.endsWith("//deleted") ? [...covered.get(device) ?? []].map((top) => `${top}${root}`) : [];
		for (const path of [point, ...shown]) for (let at = path; at !== "/"; at = parentOf(at)) dirs.add(at);
	}
	return dirs;
}
function mountsOf(pids) {
	const tables = /* @__PURE__ */ new Map();
	for (const pid of pids) {
		const table = `${processLink(pid, "ns/mnt") ?? pid} ${processLink(pid, "root")}`;
		const text = tables.has(table) ? null : processText(pid, "mountinfo");
		if (text !== null) tables.set(table, text);
	}
	return [...tables.values()].flatMap(parseMountinfo);
}
init_bytes();
init_limits();
init_dir_handles();
init_entry();
init_port();
function printOf(path) {
	const entry = lstatEntry(path);
	if (entry?.type === "symlink") return `link ${readTarget(path)}`;
	if (entry?.type === "file" && entry.size > 67108864) return `large ${entry.size} ${entry.mtimeNs}`;
	return entry?.type === "file" ? hashSame(path, identityOf$2(entry)) : null;
}
function keptName(print, mtimeNs) {
	return `${KEPT$1}${randomBytes(4).toString("hex")}-${sealOf(print, mtimeNs)}`;
}
function clearKept(dir, pids) {
	const cleared = {
		saved: [],
		waiting: 0
	};
	const orWait = (work) => {
		if (orIfRefused(work, "refused") === "refused") cleared.waiting++;
	};
	const names = nodePort.readdir(dir.upper).filter((name) => name !== "in");
	const kept = names.filter((name) => !name.startsWith(GONE));
	const gone = names.filter((name) => name.startsWith(GONE));
	const mounted = mountedIn(dir, gone, pids);
	for (const name of gone) if (mounted.has(name)) cleared.waiting++;
	else orWait(() => removePath(nodePort, dir.own, name));
	const since = momentsOf(dir, kept, pids);
	const isDue = (name) => isOld$1(dir, name) && allPassed(pids, since.get(name) ?? /* @__PURE__ */ new Map());
	const due = kept.filter((name) => pids.length === 0 || isDue(name));
	cleared.waiting += kept.length - due.length;
	const look = looker(dir, due, pids);
	for (const name of due) orWait(() => {
		const { isInUse, isSealed } = look(name);
		if (pids.length > 0 && isInUse) cleared.waiting++;
		else if (isSealed()) removeKept(dir, name);
		else cleared.saved.push(makeVisible(dir, name));
	});
	return cleared;
}
function looker(dir, names, pids) {
	const trees = new Set(names.filter((name) => isTree(dir, name)));
	const marks = new Map(names.flatMap((name) => trees.has(name) ? [] : [[name, marksOf(spotOf(dir, name))]]));
	const held = heldBy(names.length === 0 ? [] : pids);
	const used = /* @__PURE__ */ new Set([...usedTrees(dir, trees, pids), ...mountedIn(dir, [...trees], pids)]);
	return (name) => {
		if (!trees.has(name)) return {
			isInUse: isMarked(held, marks.get(name) ?? null),
			isSealed: () => isAsNamed(dir, name)
		};
		const { seal, isHeld } = lookAtTree(spotOf(dir, name), held);
		return {
			isInUse: isHeld || used.has(name),
			isSealed: () => isNamedAfter(name, seal, 0n)
		};
	};
}
function usedTrees({ path }, trees, pids) {
	const users = usersBelow(pids.map((pid) => ({ pid })), new Set([...trees].map((name) => joinPath(path, name))));
	return new Set(users.map(({ top }) => nameOf(top)));
}
function mountedIn({ path }, names, pids) {
	const dirs = names.length === 0 ? /* @__PURE__ */ new Set() : dirsOfMounts(pids);
	return new Set(names.filter((name) => dirs.has(joinPath(path, name))));
}
function isTree({ upper }, name) {
	return lstatEntry(joinPath(upper, name))?.type === "dir";
}
var moments = /* @__PURE__ */ new Map();
function momentsOf({ upper }, names, pids) {
	const before = moments.get(upper);
	const fresh = names.every((name) => before?.has(name)) ? /* @__PURE__ */ new Map() : momentOf(pids);
	const now = new Map(names.map((name) => [name, before?.get(name) ?? fresh]));
	if (now.size === 0) moments.delete(upper);
	else moments.set(upper, now);
	return now;
}
function clearQuiet(ctx) {
	return presentReplayDirs(ctx).flatMap((path) => {
		const covered = coveringDir(ctx.coveredDirs, path);
		if (covered === null) return [];
		const own = upperPath(covered, path);
		const dir = savedIn(ctx.projectRoot, path);
		removePath(nodePort, own, "in");
		const { saved, waiting } = clearKept({
			path,
			own,
			upper: own,
			saved: upperPath(covered, dir)
		}, []);
		if (waiting === 0) nodePort.rmdir(own);
		return saved.map((name) => joinPath(dir, name));
	});
}
function spotOf(dir, name) {
	return {
		at: joinPath(dir.own, name),
		upper: joinPath(dir.upper, name)
	};
}
function isOld$1({ upper }, name) {
	const entry = lstatEntry(joinPath(upper, name));
	return entry !== null && Date.now() - Number(entry.ctimeNs / 1000000n) > 2e3;
}
function isAsNamed({ upper }, name) {
	const path = joinPath(upper, name);
	const [entry, print] = [lstatEntry(path), printOf(path)];
	return entry !== null && isNamedAfter(name, print, entry.mtimeNs);
}
function isNamedAfter(name, print, mtimeNs) {
	return print !== null && name.endsWith(`-${sealOf(print, mtimeNs)}`);
}
function removeKept(dir, name) {
	const from = joinPath(dir.own, name);
	const gone = `${GONE}${name}`;
	if (isTree(dir, name)) {
		nodePort.rename(from, joinPath(dir.own, gone));
		removePath(nodePort, dir.own, gone);
	} else nodePort.unlink(from);
}
function sealOf(print, mtimeNs) {
	return createHash("sha256").update(`${print} ${mtimeNs}`, "latin1").digest("hex").slice(0, 32);
}
function makeVisible({ own, saved }, name) {
	const visible = (n) => `trai-kept-${n + 1}`;
	return visible(moveToFree(joinPath(own, name), (n) => joinPath(saved, visible(n))));
}
function moveToFree(from, named) {
	const isDir = nodePort.lstat(from)?.type === "dir";
	for (let n = 0;; n++) {
		const to = named(n);
		const isTaken = () => nodePort.lstat(to) !== null;
		if (isDir && isTaken()) continue;
		try {
			if (isDir) nodePort.rename(from, to);
			else {
				nodePort.link(from, to);
				nodePort.unlink(from);
			}
			return n;
		} catch (error) {
			if (errorCode(error) !== "EEXIST" && !(isDir && isTaken())) throw error;
		}
	}
}
init_bytes();
init_dir_handles();
init_entry();
init_port();
var HeldDirs = class {
	#covered;
	#inside;
	#fds = /* @__PURE__ */ new Map();
	constructor(covered, inside) {
		this.#covered = covered;
		this.#inside = inside;
	}
	open(path) {
		if (path === this.#covered.path) return this.#inside.fd;
		const known = this.#fds.get(path);
		if (known !== void 0) return known;
		const parent = path.length > this.#covered.path.length ? this.open(parentOf(path)) : null;
		const opened = parent === null ? null : orNull(() => nodePort.openDir(at(parent, nameOf(path))));
		const isHere = opened !== null && orNull(() => nodePort.fstat(opened).dev) === this.#inside.dev;
		if (opened !== null && !isHere) nodePort.close(opened);
		const fd = isHere ? opened : null;
		this.#fds.set(path, fd);
		return fd;
	}
	close(isKept = () => false) {
		for (const [path, fd] of this.#fds) {
			if (isKept(path)) continue;
			if (fd !== null) nodePort.close(fd);
			this.#fds.delete(path);
		}
	}
};
var Room = class Room {
	covered;
	inside;
	incoming;
	parent;
	#path;
	#own;
	#saved;
	#dirs;
	#before;
	#earlier = null;
	#count = 0;
	constructor(covered, inside, saved, { path, own, incoming }, dirs) {
		this.covered = covered;
		this.inside = inside;
		this.incoming = incoming;
		this.parent = parentOf(path);
		this.#path = path;
		this.#own = own;
		this.#saved = saved;
		this.#dirs = dirs;
		this.#before = namesOrNone(upperPath(covered, path));
	}
	static open(ctx, covered, inside, paths = []) {
		for (const path of replayDirsOf(ctx, covered, paths)) {
			const dirs = new HeldDirs(covered, inside);
			const saved = savedIn(ctx.projectRoot, path);
			const parent = dirs.open(parentOf(path));
			if (parent !== null && dirs.open(saved) !== null && makeDirs(ctx, path, parent)) {
				const [own, incoming] = [dirs.open(path), dirs.open(joinPath(path, "in"))];
				if (own !== null && incoming !== null) return new Room(covered, inside, saved, {
					path,
					own,
					incoming
				}, dirs);
			}
			dirs.close();
		}
		return null;
	}
	spot(path) {
		const dir = this.#dirs.open(parentOf(path));
		return dir === null ? null : {
			path,
			at: at(dir, nameOf(path)),
			upper: upperPath(this.covered, path)
		};
	}
	letGo() {
		this.#dirs.close((path) => isWithin(path, this.#path) || isWithin(this.#path, path));
	}
	earlierNamesOf({ ino }) {
		this.#earlier ??= this.#namesBefore();
		return this.#earlier.get(ino) ?? 0;
	}
	#namesBefore() {
		const names = /* @__PURE__ */ new Map();
		for (const name of this.#before) {
			const ino = lstatEntry(joinPath(upperPath(this.covered, this.#path), name))?.ino ?? 0n;
			names.set(ino, (names.get(ino) ?? 0) + 1);
		}
		return names;
	}
	fresh() {
		return this.named(`${KEPT$1}${process.pid}-${++this.#count}-${randomBytes(4).toString("hex")}`);
	}
	named(name) {
		const path = joinPath(this.#path, name);
		return {
			path,
			at: at(this.#own, name),
			upper: upperPath(this.covered, path)
		};
	}
	mark() {
		return this.copied(`mark-${randomBytes(4).toString("hex")}`);
	}
	copied(name) {
		return this.named(joinPath("in", name));
	}
	clear(pids) {
		const saved = this.#dirs.open(this.#saved);
		if (saved === null) return {
			saved: [],
			waiting: 0
		};
		const upper = upperPath(this.covered, this.#path);
		const cleared = clearKept({
			path: this.#path,
			own: at(this.#own),
			upper,
			saved: at(saved)
		}, pids);
		return {
			...cleared,
			saved: cleared.saved.map((name) => joinPath(this.#saved, name))
		};
	}
	takeKept(dir) {
		const [fd, parent] = [this.#dirs.open(dir), this.#dirs.open(parentOf(dir))];
		if (fd === null || parent === null) return;
		removeTree(nodePort, fd, "in");
		for (const name of nodePort.readdir(at(fd))) nodePort.rename(at(fd, name), this.named(name).at);
		nodePort.rmdir(at(parent, REPLAY_NAME));
	}
	close() {
		const parent = this.#dirs.open(this.parent);
		orNull(() => {
			removeTree(nodePort, this.#own, "in");
			if (parent !== null) nodePort.rmdir(at(parent, REPLAY_NAME));
		});
		this.#dirs.close();
	}
};
function makeDirs(ctx, path, parent) {
	const own = at(parent, REPLAY_NAME);
	return orIfRefused(() => {
		noteReplayDir(ctx, path, () => {
			if (nodePort.lstat(own) === null) nodePort.mkdir(own, 448);
		});
		withHandle(nodePort, nodePort.openDir(own), (fd) => {
			removeTree(nodePort, fd, "in");
			nodePort.mkdir(at(fd, "in"), 448);
		});
		return true;
	}, false);
}
function isSameEntry(a, b) {
	const [first, second] = [lookUpper(a), lookUpper(b)];
	return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}
function lookUpper(spot) {
	return lstatEntry(spot.upper);
}
init_bytes();
init_port();
async function putOver(room, spot, from, isOld, names = 1) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	nodePort.link(spot.at, kept.at);
	const placed = placedOf(from);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isAlone = old !== null && old.nlink === names + 1 + room.earlierNamesOf(old);
	if (!(old !== null && isAlone && print !== null && placed !== null && await isSealed(sealed, old, isOld)) || !isSameEntry(spot, kept)) {
		nodePort.unlink(kept.at);
		return null;
	}
	const last = sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept;
	nodePort.rename(from.at, spot.at);
	return {
		spot,
		kept: last,
		print,
		mtimeNs: old.mtimeNs,
		placed
	};
}
async function sealedName(room, spot, isOld) {
	const before = lookUpper(spot);
	if (before === null) return {
		kept: room.fresh(),
		print: null,
		before
	};
	const print = printOf(spot.upper);
	if (print === null || !await isOld(spot)) return null;
	return {
		kept: room.named(keptName(print, before.mtimeNs)),
		print,
		before
	};
}
async function isSealed({ kept, before }, old, isOld) {
	if (old === null) return false;
	if (before === null) return await isOld(kept);
	return old.ino === before.ino && old.dev === before.dev && old.mtimeNs === before.mtimeNs;
}
function seal(room, kept, print, mtimeNs) {
	const sealed = room.named(keptName(print, mtimeNs));
	nodePort.rename(kept.at, sealed.at);
	return sealed;
}
function placedOf(from) {
	const entry = lookUpper(from);
	const print = printOf(from.upper);
	return entry === null || print === null ? null : {
		ino: entry.ino,
		mtimeNs: entry.mtimeNs,
		print
	};
}
async function takeOut(room, spot, isOld) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	const copied = sealed.before === null ? room.fresh() : null;
	if (copied !== null) nodePort.link(spot.at, copied.at);
	nodePort.rename(spot.at, kept.at);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isSame = copied === null || isSameEntry(kept, copied);
	const fits = old !== null && print !== null && isSame && await isSealed(sealed, old, isOld);
	if (copied !== null) nodePort.unlink(copied.at);
	if (!fits) {
		giveBack(spot, kept);
		return null;
	}
	return {
		spot,
		kept: sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept,
		print,
		mtimeNs: old.mtimeNs,
		placed: null
	};
}
function takeSpecial(room, spot) {
	const [kept, before] = [room.fresh(), lookUpper(spot)];
	nodePort.rename(spot.at, kept.at);
	if (before !== null && lookUpper(kept)?.ino === before.ino) {
		nodePort.unlink(kept.at);
		return true;
	}
	giveBack(spot, kept);
	return false;
}
function stir(room, spot) {
	const mark = room.mark();
	nodePort.symlink(nameOf(spot.path), mark.at);
	try {
		nodePort.link(mark.at, spot.at);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
		nodePort.unlink(mark.at);
		return;
	}
	unstir(room, spot);
	nodePort.unlink(mark.at);
}
function unstir(room, spot) {
	const now = lookUpper(spot);
	const print = now !== null && isEventMark(spot.upper) ? printOf(spot.upper) : null;
	if (now === null || print === null) return;
	const out = room.named(keptName(print, now.mtimeNs));
	nodePort.rename(spot.at, out.at);
	if (lookUpper(out)?.ino !== now.ino) giveBack(spot, out);
	else nodePort.unlink(out.at);
}
function settle(room, pids, asides, together) {
	const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
	const held = heldBy(pids);
	const names = namesOf(asides);
	const stays = (aside) => isMarked(held, marks.get(aside) ?? null) || !isStill(room, aside, names);
	const staying = new Set(asides.filter(stays));
	for (const aside of together === void 0 ? [] : staying) together?.broken.add(together.groupOf(aside));
	const settled = {
		done: [],
		back: [],
		saved: []
	};
	for (const aside of asides) if (!staying.has(aside) && together?.broken.has(together.groupOf(aside)) !== true) settled.done.push(aside.spot);
	else {
		const saved = restore(room, aside);
		if (saved !== null) settled.saved.push(saved);
		settled.back.push(aside.spot);
	}
	return settled;
}
function namesOf(asides) {
	const names = /* @__PURE__ */ new Map();
	for (const { kept } of asides) {
		const ino = lookUpper(kept)?.ino ?? 0n;
		names.set(ino, (names.get(ino) ?? 0) + 1);
	}
	return names;
}
function isStill(room, { kept, print, mtimeNs }, names) {
	const now = lookUpper(kept);
	if (now?.mtimeNs !== mtimeNs || printOf(kept.upper) !== print) return false;
	return now.nlink === (names.get(now.ino) ?? 0) + room.earlierNamesOf(now);
}
function restore(room, { spot, kept, placed }) {
	const beside = placed === null ? null : secondName(room, spot);
	if (placed === null || beside === null) return giveBack(spot, kept);
	const now = lookUpper(beside);
	if (!(now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print) || !isSameEntry(spot, beside)) {
		nodePort.unlink(beside.at);
		return giveBack(spot, kept);
	}
	nodePort.rename(kept.at, spot.at);
	seal(room, beside, placed.print, placed.mtimeNs);
	return null;
}
function secondName(room, spot) {
	const beside = room.fresh();
	try {
		nodePort.link(spot.at, beside.at);
		return beside;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw error;
	}
}
function giveBack(spot, kept) {
	const named = (path, n) => n === 0 ? path : `${path}.trai-${n}`;
	const n = moveToFree(kept.at, (number) => named(spot.at, number));
	return n === 0 ? null : named(spot.path, n);
}
init_entry();
init_fingerprint();
init_port();
function takeTrees(room, units, processes, used) {
	const held = heldBy(pidsOf(processes));
	return units.flatMap(({ i, path, stored }) => {
		const spot = used.has(path) ? null : room.spot(path);
		const seal = spot === null ? null : orIfRefused(() => sealOfStored(spot, stored, held), null);
		if (spot === null || seal === null) return [];
		const kept = room.named(keptName(seal, 0n));
		return orIfRefused(() => {
			nodePort.rename(spot.at, kept.at);
			return true;
		}, false) ? [{
			i,
			spot,
			kept,
			seal,
			stored
		}] : [];
	});
}
function changedTrees(trees, processes) {
	const held = heldBy(pidsOf(processes));
	const mounts = dirsOfMounts(pidsOf(processes));
	const used = new Set(usersBelow(processes, new Set(trees.map(({ kept }) => kept.path))).map(({ top }) => top));
	return trees.filter(({ kept, seal, stored }) => {
		const now = lookAtTree(kept, held);
		if (now.seal !== seal || now.isHeld || used.has(kept.path) || mounts.has(kept.path)) return true;
		return !stampsMappings(kept.upper) && !isStoredWhole(nodePort, kept.upper, stored);
	});
}
var STAMPING = /* @__PURE__ */ new Set([
	61267,
	1481003842,
	2435016766
]);
var stampsMappings = (upper) => orIfRefused(() => STAMPING.has(fileSystemType(upper)), false);
function sealOfStored(spot, stored, held) {
	if (lookUpper(spot)?.type !== "dir") return null;
	const { seal, isHeld, ctimeNs } = lookAtTree(spot, held);
	return !isHeld && isPast(ctimeNs) && isStoredWhole(nodePort, spot.upper, stored) ? seal : null;
}
var pidsOf = (processes) => processes.map(({ pid }) => pid);
init_bytes();
init_entry();
init_fingerprint();
init_port();
init_live();
var Placer = class {
	bases;
	#ctx;
	#room;
	#file;
	#records = /* @__PURE__ */ new Map();
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#file = readBaseFile(ctx);
		this.bases = makeBases(this.#file.records);
	}
	async copy(steps) {
		const found = {
			copied: [],
			again: [],
			left: []
		};
		if (steps.length === 0) return found;
		const root = this.#room.covered.path;
		const name = ({ spot }) => spot.path.slice(root.length + 1);
		await copyOut(nodePort, root, steps.map(name), this.#room.incoming);
		for (const step of steps) {
			const { path } = step.spot;
			const from = this.#room.copied(name(step));
			const [host, copy] = [hostEntry(path), lookUpper(from)];
			const base = copy === null ? null : knownBase(this.#ctx, from.upper, copy, copy);
			if (host === "closed" || identityOf$2(host) !== identityOf$2(step.host)) found.again.push(path);
			else if (copy !== null && base?.state === "known" && isLike(copy, step.host)) found.copied.push({
				step,
				from,
				record: recordOf(step, from, base)
			});
			else found.left.push(path);
		}
		return found;
	}
	touch({ path, at: place }, shown) {
		const host = hostEntry(path);
		if (host === "closed" || host?.type !== "dir" || lstatEntry(place)?.type !== "dir") return false;
		withHandle(nodePort, nodePort.openDir(place), (fd) => {
			if (shown.mode === host.mode) nodePort.utimes(at(fd), BigInt(Date.now()) * 1000000n);
			else nodePort.chmod(at(fd), host.mode);
		});
		this.record(path);
		return true;
	}
	async settle(asides, together) {
		if (asides.length === 0) return {
			done: [],
			back: [],
			saved: []
		};
		const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		return settle(this.#room, pids, asides, together);
	}
	placed(record) {
		this.#records.set(record.path, record);
		this.record(parentOf(record.path));
	}
	restored(entries, before) {
		for (const [path, record] of basesBack(this.#file.records, before, entries)) this.#records.set(path, record);
	}
	removed(path) {
		this.#records.set(path, null);
	}
	record(dir) {
		for (let path = dir; path !== this.#room.covered.path && path !== "/"; path = parentOf(path)) {
			if (this.#file.records.has(path) || this.#records.has(path)) continue;
			const host = hostEntry(path);
			if (host === null || host === "closed" || host.type !== "dir") continue;
			const upper = lstatEntry(upperPath(this.#room.covered, path));
			if (upper?.type !== "dir") continue;
			if (!sameFields(upper, host, [
				"mode",
				"uid",
				"gid"
			])) continue;
			const base = {
				state: "known",
				host: toHostStat(host, path)
			};
			this.#records.set(path, {
				path,
				base,
				listed: false,
				born: String(upper.birthNs)
			});
		}
	}
	save() {
		this.record(this.#room.parent);
		appendBases(this.#ctx, this.#file, this.#records);
		this.#records.clear();
	}
};
function recordOf({ spot, host }, from, base) {
	return {
		path: spot.path,
		base: {
			...base,
			host: toHostStat(host, from.upper)
		},
		listed: false
	};
}
function isLike(copy, host) {
	if (copy.type !== host.type || copy.uid !== host.uid || copy.gid !== host.gid || copy.size !== host.size) return false;
	return host.type === "symlink" || copy.mode === host.mode && copy.mtimeNs === host.mtimeNs;
}
init_bytes();
init_identity();
init_entry();
init_port();
async function inView(ctx, items, pathOf, work) {
	const groups = /* @__PURE__ */ new Map();
	for (const item of items) addTo(groups, coveringDir(ctx.coveredDirs, pathOf(item)), item);
	const rest = [];
	for (const [covered, mine] of groups) {
		const inside = covered === null ? null : await openInside(ctx.source, covered);
		if (covered === null || inside === null) {
			rest.push(...mine);
			continue;
		}
		await useAndCloseAsync(inside, async () => {
			const room = Room.open(ctx, covered, inside, mine.map(pathOf));
			if (room === null) rest.push(...mine);
			else await useAndCloseAsync(room, () => inRoom(ctx, room, (view) => work(view, mine)));
		});
	}
	return rest;
}
async function inRoom(ctx, room, work) {
	const placer = new Placer(ctx, room);
	const upper = (path) => upperPath(room.covered, path);
	await work({
		room,
		placer,
		upper
	});
	placer.save();
}
function dressInView({ room }, path, { from, to, xattrs }) {
	const place = path === room.covered.path ? at(room.inside.fd, ".") : room.spot(path)?.at ?? null;
	if (place === null || lstatEntry(place)?.type !== "dir") return SESSION_CHANGED;
	return withHandle(nodePort, nodePort.openDir(place), (fd) => {
		const now = nodePort.fstat(fd);
		const has = xattrs === void 0 ? null : nodePort.xattrs(fd);
		if (xattrs === void 0) {
			if (now.mode !== from && now.mode !== to.mode) return SESSION_CHANGED;
		} else if (has === null || !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
		else nodePort.setXattrs(fd, xattrChanges(has, xattrs.to));
		if (now.uid !== to.uid || now.gid !== to.gid) nodePort.lchown(at(fd, "."), to.uid, to.gid);
		nodePort.chmod(at(fd), to.mode);
		return null;
	});
}
function takeWhiteout({ ctx, journal }, path, i) {
	const out = outOf(journal.dir, i);
	const putBack = () => useAndClose(new Uppers(nodePort, ctx, null), (uppers) => uppers.insert(path, out));
	useAndClose(new Uppers(nodePort, ctx, null), (uppers) => {
		if (uppers.lstat(path) !== null) uppers.takeOut(path, out);
	});
	const taken = nodePort.lstat(out);
	if (taken !== null && !isWhiteout(taken)) {
		putBack();
		return null;
	}
	return {
		putBack: () => taken === null ? void 0 : putBack(),
		remove: () => taken === null ? void 0 : nodePort.unlink(out)
	};
}
var outOf = (dir, i) => joinPath(dir, `out${i}`);
function wasTaken({ journal }, i) {
	return nodePort.lstat(outOf(journal.dir, i)) !== null;
}
var ESTALE = -116;
function isHeld(spot) {
	try {
		if (spot !== null) lstatEntry(spot.at);
		return false;
	} catch (error) {
		if (error instanceof Error && "errno" in error && error.errno === ESTALE) return true;
		if (errorCode(error) === "") throw error;
		return false;
	}
}
init_bytes();
init_identity();
init_entry();
init_entry_errors();
init_port();
init_inside();
init_live();
var isPlain$1 = (entry) => entry?.type === "file" || entry?.type === "symlink";
var Dropping = class {
	#transaction;
	#view;
	#resumed;
	#asides = /* @__PURE__ */ new Map();
	#broken = /* @__PURE__ */ new Map();
	#brokenSets = /* @__PURE__ */ new Map();
	#late = /* @__PURE__ */ new Map();
	#told = [];
	#puts = [];
	#dirs = [];
	#specials = [];
	#trees = [];
	#placed = /* @__PURE__ */ new Map();
	#names = /* @__PURE__ */ new Map();
	#whiteouts = /* @__PURE__ */ new Set();
	#isSettled = false;
	constructor(transaction, view, resumed) {
		this.#transaction = transaction;
		this.#view = view;
		this.#resumed = resumed;
	}
	async run(drops) {
		const { dir, record } = this.#transaction.journal;
		for (const [i, why] of record.failed) this.#brokenSets.set(this.#first(i), why);
		const processes = await this.#processes();
		const uses = this.#usesOf(drops, processes);
		const mounts = dirsOfMounts(processes.map(({ pid }) => pid));
		for (const { i, unit } of drops) if (unit.kind === "entry" && mounts.has(unit.path)) this.#breaks(i, MOUNTED_OVER);
		if (this.#resumed) this.#clearMarks(drops);
		const entries = drops.flatMap(({ i, unit: { kind, path } }) => kind === "entry" && !this.#isBroken(i) ? [{
			i,
			path,
			stored: storedAt(dir, i)
		}] : []);
		this.#trees.push(...takeTrees(this.#view.room, entries, processes, uses.paths));
		const trees = new Set(this.#trees.map(({ i }) => i));
		const rest = entries.filter(({ i }) => !trees.has(i));
		for (const { path } of rest) this.#countNames(path);
		for (const { i, path, stored } of rest) await this.#alone(i, async () => await this.#take(i, path, stored));
		await this.#put();
		await this.#settle(uses);
		for (const { i, unit } of drops) if (unit.kind === "mode" && !this.#isBroken(i)) await this.#alone(i, async () => this.#resetDir(i, unit));
		const going = drops.filter(({ i, unit }) => unit.kind === "entry" && !this.#isBroken(i));
		for (const { i, spot } of this.#specials) if (!this.#isBroken(i) && !takeSpecial(this.#view.room, spot)) this.#tell(spot.path, NEW_INSIDE);
		this.#removeDirs();
		await this.#uncover(going);
		await this.#clearKept();
		this.#close(drops);
		return this.#told;
	}
	async #processes() {
		return await liveProcesses(this.#transaction.ctx.source);
	}
	#countNames(path) {
		const upper = this.#view.upper(path);
		const now = orNull(() => lstatEntry(upper));
		if (now === null) return;
		if (now.type === "dir") for (const name of namesOrNone(upper)) this.#countNames(joinPath(path, name));
		else this.#names.set(now.ino, (this.#names.get(now.ino) ?? 0) + 1);
	}
	#clearMarks(drops) {
		const { room } = this.#view;
		for (const dir of new Set(drops.map(({ unit }) => parentOf(unit.path)))) {
			const mark = room.spot(joinPath(dir, SEEN_NAME));
			if (mark !== null) orIfRefused(() => unstir(room, mark), void 0);
		}
	}
	async #take(i, path, stored) {
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null || isWhiteout(now)) return;
		const host = hostEntry(path);
		const isTop = stored === storedAt(this.#transaction.journal.dir, i);
		if (now.type === "dir") {
			this.#dirs.push({
				i,
				path
			});
			for (const name of namesOrNone(spot.upper)) await this.#take(i, joinPath(path, name), joinPath(stored, name));
		} else if (!isPlain$1(now)) this.#specials.push({
			i,
			spot
		});
		else if (isTop && host !== "closed" && isPlain$1(host)) await this.#wantPut({
			i,
			spot,
			host
		}, now);
		else this.#noteAside(i, spot, await takeOut(this.#view.room, spot, this.#isStored(stored)));
	}
	async #wantPut(put, now) {
		const { i, spot, host } = put;
		const stored = storedAt(this.#transaction.journal.dir, i);
		const base = this.#view.placer.bases.lookup(spot.path);
		if (!(this.#resumed && !isStored(nodePort, spot.upper, stored) && isUntouched$1({
			path: spot.path,
			upperPath: spot.upper,
			upper: now,
			host,
			base
		}))) this.#puts.push(put);
	}
	#isStored(stored) {
		return async (kept) => isStored(nodePort, kept.upper, stored);
	}
	#noteAside(i, spot, aside) {
		if (aside !== null) this.#asides.set(aside, i);
		else this.#breaks(i, printOf(spot.upper) === null ? NOT_ALL_READ : NOT_DISCARDED_LIVE);
	}
	async #put() {
		const { copied, again, left } = await this.#view.placer.copy(this.#puts);
		const failed = /* @__PURE__ */ new Set([...again, ...left]);
		for (const { i, spot } of this.#puts) if (failed.has(spot.path)) this.#breaks(i, HOST_UNREADABLE);
		for (const one of copied) {
			const { i, spot } = one.step;
			await this.#alone(i, async () => {
				const stored = storedAt(this.#transaction.journal.dir, i);
				const names = this.#names.get(lookUpper(spot)?.ino ?? 0n) ?? 1;
				const aside = await putOver(this.#view.room, spot, one.from, this.#isStored(stored), names);
				this.#noteAside(i, spot, aside);
				this.#placed.set(spot.path, one);
			});
		}
	}
	async #settle(uses) {
		const { placer } = this.#view;
		const changed = this.#trees.length === 0 ? [] : changedTrees(this.#trees, await this.#processes());
		for (const { i } of changed) this.#breaks(i, NOT_DISCARDED_LIVE);
		const broken = new Set(this.#brokenSets.keys());
		const groupOf = (aside) => this.#first(this.#asides.get(aside) ?? -1);
		const { done, saved } = await placer.settle([...this.#asides.keys()], {
			groupOf,
			broken
		});
		for (const i of new Set(this.#asides.values())) if (broken.has(this.#first(i)) && !this.#isBroken(i)) this.#breaks(i, openForWriting([...uses.texts.get(i) ?? []].join(", ")));
		for (const { i, spot, kept } of this.#trees) {
			const beside = this.#isBroken(i) ? giveBack(spot, kept) : null;
			if (!this.#isBroken(i)) placer.removed(spot.path);
			else if (beside !== null) saved.push(beside);
		}
		for (const { path } of done) {
			const put = this.#placed.get(path);
			if (put === void 0) placer.removed(path);
			else placer.placed(put.record);
		}
		for (const path of saved) this.#tell(path, savedBeside(toDisplay(path)));
		this.#isSettled = true;
	}
	#usesOf(drops, processes) {
		const tops = new Map(drops.map(({ i, unit }) => [unit.path, i]));
		const uses = {
			paths: /* @__PURE__ */ new Set(),
			texts: /* @__PURE__ */ new Map()
		};
		for (const { top, pid, isDir } of usersBelow(processes, new Set(tops.keys()))) {
			uses.paths.add(top);
			const [i, command] = [tops.get(top), processes.find((one) => one.pid === pid)?.command];
			if (isDir || i === void 0) continue;
			uses.texts.set(i, (uses.texts.get(i) ?? /* @__PURE__ */ new Set()).add(`${command} (process ${pid})`));
		}
		return uses;
	}
	#removeDirs() {
		for (const { i, path } of this.#dirs.toReversed()) {
			const spot = this.#isBroken(i) ? null : this.#view.room.spot(path);
			if (spot === null) continue;
			try {
				nodePort.rmdir(spot.at);
				this.#view.placer.removed(path);
			} catch (error) {
				if (errorCode(error) === "") throw error;
				this.#tell(path, NEW_INSIDE);
			}
		}
	}
	async #uncover(going) {
		const { room, placer } = this.#view;
		const hidden = going.flatMap(({ i, unit: { path } }) => {
			const spot = room.spot(path);
			const now = spot === null ? null : lookUpper(spot);
			const isHidden = now === null ? wasTaken(this.#transaction, i) : isWhiteout(now);
			return spot !== null && isHidden ? [{
				i,
				spot,
				now,
				host: hostEntry(path)
			}] : [];
		});
		const plain = hidden.flatMap(({ i, spot, now, host }) => now !== null && host !== "closed" && isPlain$1(host) ? [{
			i,
			spot,
			host
		}] : []);
		const linked = /* @__PURE__ */ new Set();
		for (const { step, from, record } of (await placer.copy(plain)).copied) await this.#alone(step.i, async () => {
			nodePort.link(from.at, step.spot.at);
			placer.placed(record);
			linked.add(step.spot.path);
		});
		const rest = hidden.filter(({ i, spot }) => !linked.has(spot.path) && !this.#isBroken(i));
		const taken = /* @__PURE__ */ new Map();
		for (const { i, spot } of rest) await this.#alone(i, async () => {
			const one = takeWhiteout(this.#transaction, spot.path, i);
			if (one === null) this.#breaks(i, NOT_DISCARDED_LIVE);
			else taken.set(spot.path, one);
		});
		let problem = await this.#refresh();
		const held = rest.filter(({ spot: { path } }) => taken.has(path) && isHeld(room.spot(path)));
		for (const { i, spot } of held) {
			if (!orIfRefused(() => {
				taken.get(spot.path)?.putBack();
				return true;
			}, false)) continue;
			taken.delete(spot.path);
			this.#breaks(i, HELD_OPEN);
		}
		for (const one of taken.values()) one.remove();
		if (held.length > 0) problem ??= await this.#refresh();
		const hiding = /* @__PURE__ */ new Set();
		for (const { i, spot } of rest) {
			const now = lstatEntry(spot.upper);
			if (now === null) placer.removed(spot.path);
			else if (isWhiteout(now)) {
				this.#whiteouts.add(i);
				hiding.add(spot.path);
			}
			if (problem !== null) this.#tell(spot.path, problem);
		}
		if (hiding.size > 0) placer.restored(hiding, parseBaseLines(this.#transaction.journal.record.bases).records);
		for (const dir of new Set(rest.map(({ spot }) => parentOf(spot.path)))) {
			const mark = room.spot(joinPath(dir, SEEN_NAME));
			if (mark === null) continue;
			stir(room, mark);
			placer.record(dir);
		}
	}
	async #refresh() {
		const { room } = this.#view;
		room.letGo();
		return await refreshMounts(this.#transaction.ctx, room.inside.pid, [room.covered.path]);
	}
	#resetDir(i, { path, host, mode, xattrs }) {
		if (host === void 0) return;
		const why = dressInView(this.#view, path, {
			from: mode,
			to: host,
			xattrs
		});
		if (why !== null) this.#breaks(i, why);
	}
	async #clearKept() {
		const pids = (await this.#processes()).map(({ pid }) => pid);
		if (pids.length === 0) return;
		for (const path of this.#view.room.clear(pids).saved) this.#tell(path, savedBeside(toDisplay(path)));
	}
	#close(drops) {
		const { journal } = this.#transaction;
		for (const { i } of drops) {
			const message = this.#late.get(i) ?? this.#reasonOf(i);
			if (message === void 0 || this.#resumed) journal.add({
				t: "done",
				i,
				...this.#whiteouts.has(i) ? { whiteout: true } : {}
			});
			else journal.add({
				t: "fail",
				i,
				message
			});
		}
		journal.flush();
	}
	#first(i) {
		return this.#transaction.journal.record.drops[i]?.with ?? i;
	}
	#isBroken(i) {
		return this.#late.has(i) || this.#reasonOf(i) !== void 0;
	}
	#reasonOf(i) {
		return this.#broken.get(i) ?? this.#brokenSets.get(this.#first(i));
	}
	#breaks(i, why) {
		if (!this.#isSettled) {
			if (!this.#broken.has(i)) this.#broken.set(i, why);
			const first = this.#first(i);
			if (!this.#brokenSets.has(first)) this.#brokenSets.set(first, why);
			return;
		}
		const { dir, record } = this.#transaction.journal;
		const [unit, stored] = [record.drops[i], nodePort.lstat(storedAt(dir, i))];
		if (unit?.kind === "mode" || stored !== null && isWhiteout(stored)) this.#late.set(i, why);
		else this.#tell(unit?.path ?? this.#view.room.covered.path, why);
	}
	#tell(path, why) {
		this.#told.push({
			path,
			why
		});
	}
	async #alone(i, work) {
		try {
			await work();
		} catch (error) {
			const message = errorCode(error) === "EEXIST" ? NOT_DISCARDED_LIVE : entryMessage(error);
			if (message === null) throw error;
			this.#breaks(i, message);
		}
	}
};
init_bytes();
init_identity();
init_dir_handles();
init_entry_errors();
init_port();
async function discardLive(ctx, { going, tops }, { port, cancelled }) {
	try {
		const { units, left, entries } = unitsThatGo(port, ctx, {
			going,
			tops
		});
		if (units.length === 0) throw nothingDiscardedLive(left);
		await moveKept(ctx, units);
		const journal = beginDiscard(port, ctx, {
			kind: "selection",
			entries,
			live: true
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		return await useAndCloseAsync(journal, async () => {
			try {
				announceDrops(transaction, units);
				await store(transaction);
				if (cancelled()) throw new Cancelled(STOPPED);
				journal.addSynced({
					t: "ready",
					units: 0
				});
			} catch (error) {
				if (error instanceof Cancelled) {
					abortQuietly(transaction, false);
					throw discardStopped(0);
				}
				if (errorCode(error) !== "") abortQuietly(transaction, false);
				throw error;
			}
			const report = await finishDiscard(transaction, false);
			const all = [...left, ...report.left ?? []];
			if (report.entries === 0) throw nothingDiscardedLive(all);
			return all.length === 0 ? report : {
				...report,
				left: all
			};
		});
	} catch (error) {
		throw asTraiError(error, "discard");
	}
}
async function moveKept(ctx, units) {
	const going = new Set(units.map(({ path }) => path));
	await inView(ctx, presentReplayDirs(ctx).filter((dir) => isBelowAny(dir, going)), (dir) => units.find(({ path }) => isWithin(dir, path))?.path ?? dir, async ({ room }, mine) => {
		for (const dir of mine) orIfRefused(() => room.takeKept(dir), void 0);
	});
}
function unitsThatGo(port, ctx, { going, tops }) {
	const first = firstOfSets(going, tops);
	const stale = new Set(staleTops(port, ctx, tops).map((change) => first(change)));
	const isStale = (change) => stale.has(first(change));
	const rest = tops.filter((change) => !isStale(change));
	const units = unitsOf(port, ctx, rest);
	const firsts = /* @__PURE__ */ new Map();
	units.forEach((unit, i) => {
		const known = firsts.get(first(rest[i]));
		if (known === void 0) firsts.set(first(rest[i]), i);
		else unit.with = known;
	});
	const left = tops.filter(isStale).map(({ path }) => ({
		path,
		why: NOT_DISCARDED_LIVE
	}));
	const out = new Set(left.map(({ path }) => path));
	return {
		units,
		left,
		entries: going.filter(({ path }) => !out.has(path) && !isBelowAny(path, out)).length
	};
}
function firstOfSets(going, tops) {
	const byPath = new Map(tops.map((top) => [top.path, top]));
	const topOf = ({ path }) => {
		for (let at = path; at !== "/"; at = parentOf(at)) if (byPath.has(at)) return byPath.get(at);
	};
	const joined = /* @__PURE__ */ new Map();
	const first = (top) => {
		let at = top;
		for (let next = at; next !== void 0; next = at === void 0 ? void 0 : joined.get(at)) at = next;
		return at;
	};
	for (const { members } of [...groupsOf(going), ...linkedOf(going)]) {
		const [head, ...others] = members.flatMap((i) => {
			const member = going[i];
			return member === void 0 ? [] : first(topOf(member)) ?? [];
		});
		for (const other of others) if (head !== void 0 && first(other) !== first(head)) joined.set(other, head);
	}
	return first;
}
async function finishDiscard(transaction, resumed) {
	const { ctx, journal } = transaction;
	const { record } = journal;
	const left = [];
	const open = openDrops(transaction);
	const quiet = await asQuiet(ctx);
	const rest = quiet !== null ? open : await inView(ctx, open, ({ unit }) => unit.path, async (view, mine) => {
		const dropping = new Dropping(transaction, view, resumed);
		left.push(...await dropping.run(mine));
	});
	const ended = rest.length === 0 ? null : quiet ?? await asQuiet(ctx);
	if (ended !== null) finishStored({
		...transaction,
		ctx: ended
	}, resumed);
	else for (const { i } of rest) journal.add(resumed ? {
		t: "done",
		i
	} : {
		t: "fail",
		i,
		message: LIVE_ENDED
	});
	left.push(...[...record.failed].map(([i, why]) => ({
		path: record.drops[i]?.path ?? ctx.projectRoot,
		why
	})));
	const entries = closeStored(transaction);
	return {
		trash: nameOf(journal.dir),
		entries,
		...left.length > 0 ? { left } : {}
	};
}
function openDrops({ journal: { record } }) {
	return [...record.drops.entries()].flatMap(([i, unit]) => record.done.has(i) || record.failed.has(i) ? [] : [{
		i,
		unit
	}]);
}
async function store(transaction) {
	const { port, ctx, journal } = transaction;
	const entries = openDrops(transaction).filter(({ unit }) => unit.kind === "entry");
	await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const isGone = ({ unit }) => {
			const now = uppers.lstat(unit.path);
			return now !== null && isWhiteout(now);
		};
		for (const { i, unit } of entries.filter(isGone)) {
			const from = uppers.placed(unit.path);
			if (from !== null) port.link(from, storedAt(journal.dir, i));
		}
		for (const covered of ctx.coveredDirs) {
			const mine = entries.filter((drop) => coveringDir(ctx.coveredDirs, drop.unit.path) === covered && !isGone(drop));
			if (mine.length === 0) continue;
			const name = `copies-${covered.n}`;
			const dir = joinPath(journal.dir, name);
			port.mkdir(dir, 448);
			const nameIn = ({ unit }) => relativeTo(covered.path, unit.path);
			await withHandleAsync(port, port.openDir(dir), async (fd) => {
				await copyOut(port, covered.upper, mine.map(nameIn), fd);
			});
			for (const drop of mine) arrange(transaction, uppers, drop, joinPath(dir, nameIn(drop)));
			removePath(port, journal.dir, name);
		}
	});
	const dir = port.openDir(journal.dir);
	await withHandleAsync(port, dir, async () => await syncFileSystems(port, [dir]));
}
function arrange({ port, journal }, uppers, { i, unit }, copy) {
	const from = uppers.placed(unit.path);
	const isLike = from !== null && orNull(() => isLikeStored(port, from, copy));
	if (isLike !== true) {
		journal.add({
			t: "fail",
			i,
			message: isLike === null ? NOT_ALL_READ : CHANGED_MEANWHILE
		});
		return;
	}
	const now = port.lstat(copy);
	const stored = storedAt(journal.dir, i);
	const isClosed = now?.type === "dir" && (now.mode & 128) === 0;
	if (isClosed) chmodEntry(port, copy, now.mode | 448);
	port.rename(copy, stored);
	if (isClosed) chmodEntry(port, stored, now.mode);
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_fingerprint();
init_port();
init_inside();
init_live();
var pendLive = async (transaction, items, instead, losing) => {
	const { port, ctx, journal } = transaction;
	const used = await inUse(transaction, losing);
	const failed = new Map([...used].map((i) => [i, notPending$1(IN_VIEW)]));
	if (items.length === 0) return failed;
	const beside = items.filter(({ line }) => line.stays === true);
	const going = items.filter((item) => !beside.includes(item));
	for (const [i, why] of await stagePending(transaction, beside, instead)) failed.set(i, why);
	const fail = ({ line }, why) => failed.set(line.i, notPending$1(why));
	const back = joinPath(journal.dir, BACK);
	if (port.lstat(back) === null) port.mkdir(back, 448);
	if (going.some(({ line }) => line.kind === "whiteout")) await makeWhiteout(port, back);
	const rest = await inView(ctx, going, pathOf$1, async (view, mine) => {
		await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		for (const item of mine) {
			const { path } = item.line;
			if (used.has(item.line.i)) continue;
			if (instead.has(path)) fail(item, MEANWHILE);
			else await pendOne(transaction, view, item, (why) => fail(item, why));
		}
		view.room.letGo();
		const problem = await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		if (problem !== null) for (const item of mine) fail(item, problem);
	});
	for (const item of rest) fail(item, LIVE_ENDED);
	return failed;
};
async function refreshView(ctx, paths) {
	for (const covered of new Set(paths.map((path) => coveringDir(ctx.coveredDirs, path)))) {
		const inside = covered === null ? null : await openInside(ctx.source, covered);
		if (covered === null || inside === null) continue;
		await useAndCloseAsync(inside, async () => {
			await refreshMounts(ctx, inside.pid, [covered.path]);
		});
	}
}
var pathOf$1 = ({ line }) => line.path;
async function inUse({ ctx }, losing) {
	const users = usersBelow(await liveProcesses(ctx.source), new Set(losing.map(({ path }) => path)));
	const used = new Set(users.map(({ top }) => top));
	return new Set(losing.flatMap(({ i, path }) => used.has(path) ? [i] : []));
}
async function pendOne({ port, ctx, journal }, view, { line, now }, fail) {
	const { path, kind } = line;
	try {
		copyUpDirs(port, view, path);
		if (kind === "whiteout") useAndClose(new Uppers(port, ctx, null), (uppers) => uppers.link(path, joinPath(journal.dir, joinPath(BACK, "w"))));
		else if (kind === "dir") copyUp(port, view, path);
		else copyUpTree(port, view, path);
		const upper = port.lstat(view.upper(path));
		if (!(kind !== "copy" || now !== null && upper !== null && looksAlike(identityOf$1(now), upper))) fail(MEANWHILE);
	} catch (error) {
		const message = errorCode(error) === "EEXIST" ? MEANWHILE : entryMessage(error);
		if (message === null) throw error;
		fail(message);
	}
}
function copyUpTree(port, view, path) {
	copyUp(port, view, path);
	const spot = view.room.spot(path);
	if (spot === null || port.lstat(spot.at)?.type !== "dir") return;
	for (const name of port.readdir(spot.at)) copyUpTree(port, view, joinPath(path, name));
}
function copyUp(port, { room }, path) {
	const spot = room.spot(path);
	const shown = spot === null ? null : port.lstat(spot.at);
	if (spot === null || shown === null) return;
	if (shown.type === "symlink") port.lchown(spot.at, shown.uid, shown.gid);
	else chmodEntry(port, spot.at, shown.mode);
}
function copyUpDirs(port, view, path) {
	const missing = [];
	for (let dir = parentOf(path); dir !== view.room.covered.path && dir !== "/"; dir = parentOf(dir)) {
		if (port.lstat(view.upper(dir)) !== null) break;
		missing.push(dir);
	}
	for (const dir of missing.reverse()) copyUp(port, view, dir);
	view.placer.record(parentOf(path));
}
init_bytes();
init_identity();
init_dir_handles();
init_entry();
init_entry_errors();
init_port();
init_inside();
init_live();
function returnableLive(ctx, trash) {
	const discard = readDiscard(nodePort, ctx, trash);
	return discard?.kind === "selection" && isReturnable(nodePort, discard) ? discard : null;
}
async function undoDiscardLive(ctx, discard) {
	try {
		const drops = storedOf(discard);
		const inTheWay = await obstacles(ctx, discard.record, drops);
		if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
		const journal = openJournalOf(discard);
		return await useAndCloseAsync(journal, async () => {
			journal.addSynced({ t: "reopen" });
			const left = await restoreLive({
				port: nodePort,
				ctx,
				journal
			});
			if (left.length > 0) throw discardInTheWay(left);
			return {
				trash: discard.name,
				entries: discard.entries
			};
		});
	} catch (error) {
		throw asTraiError(error, "undoDiscard");
	}
}
async function restoreLive(transaction) {
	const { ctx, journal } = transaction;
	const left = [];
	const rest = await inView(ctx, storedOf({
		dir: journal.dir,
		record: journal.record
	}), ({ unit }) => unit.path, async (view, mine) => {
		left.push(...await new Restoring(transaction, view).run(mine));
	});
	left.push(...rest.map(({ unit: { path } }) => ({
		path,
		why: LIVE_ENDED
	})));
	const store = joinPath(journal.dir, STORE);
	syncDirs(nodePort, [store, journal.dir]);
	const isEmpty = left.length === 0 && nodePort.readdir(store).length === 0;
	journal.addSynced(isEmpty ? {
		t: "end",
		report: null
	} : { t: "discarded" });
	return left;
}
function openJournalOf({ dir }) {
	const journal = openJournal(nodePort, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return journal;
}
function storedOf({ dir, record }) {
	return [...record.drops.entries()].flatMap(([i, unit]) => {
		const at = storedAt(dir, i);
		const stat = unit.kind === "mode" ? null : nodePort.lstat(at);
		return record.failed.has(i) || unit.kind === "entry" && stat === null ? [] : [{
			i,
			unit,
			at,
			stat
		}];
	});
}
async function obstacles(ctx, record, drops) {
	const bases = makeBases(readBaseFile(ctx).records);
	const processes = await liveProcesses(ctx.source);
	const uppers = new Uppers(nodePort, ctx, null);
	return await useAndCloseAsync(uppers, async () => {
		const found = [];
		for (const { i, unit, at: stored } of drops) {
			const { path } = unit;
			const now = uppers.lstat(path);
			const free = hasLeftWhiteout(record, i, now) || now !== null && unit.kind === "entry" && await isFree$1(bases, path, now, uppers, stored);
			const why = obstacle(nodePort, ctx, uppers, unit, free) ?? usedDir(processes, unit, now);
			if (why !== null) found.push({
				path,
				why
			});
		}
		return found;
	});
}
async function isFree$1(bases, path, now, uppers, stored) {
	const place = uppers.placed(path);
	if (place === null) return false;
	if (isStoredWhole(nodePort, place, stored)) return true;
	const host = hostEntry(path);
	if (host === "closed" || !isPlain(now)) return false;
	return isUntouched$1({
		path,
		upperPath: place,
		upper: now,
		host,
		base: bases.lookup(path)
	});
}
var isPlain = (entry) => entry?.type === "file" || entry?.type === "symlink";
function usedDir(processes, { path, kind }, now) {
	const host = hostEntry(path);
	if (host === null || host === "closed" || host.type !== "dir") return null;
	const isShown = kind === "entry" && (now === null || !isWhiteout(now));
	return usersBelow(processes, /* @__PURE__ */ new Set([path])).some(({ isDir }) => isDir || isShown) ? IN_VIEW : null;
}
var isDeletion = ({ stat }) => stat !== null && isWhiteout(stat);
var Restoring = class {
	#transaction;
	#view;
	#left = [];
	#leftPaths = /* @__PURE__ */ new Set();
	#done = [];
	constructor(transaction, view) {
		this.#transaction = transaction;
		this.#view = view;
	}
	async run(drops) {
		const { room } = this.#view;
		const files = [];
		const hidden = [];
		const mounts = dirsOfMounts((await liveProcesses(this.#transaction.ctx.source)).map(({ pid }) => pid));
		for (const drop of drops) {
			if (drop.stat !== null && mounts.has(drop.unit.path)) {
				this.#stays(drop, MOUNTED_OVER);
				continue;
			}
			await this.#alone(drop, async () => {
				const spot = isDeletion(drop) ? room.spot(drop.unit.path) : null;
				if (spot !== null) unstir(room, spot);
				if (drop.stat === null) this.#dress(drop);
				else if (isStoredWhole(nodePort, this.#view.upper(drop.unit.path), drop.at)) this.#done.push(drop);
				else if (isPlain(drop.stat)) {
					files.push(drop);
					if (this.#isHiding(drop)) await this.#hide(drop);
				} else if (await this.#insert(drop)) hidden.push(drop);
			});
		}
		room.letGo();
		const { inside, covered } = room;
		const problem = await refreshMounts(this.#transaction.ctx, inside.pid, [covered.path]);
		if (problem !== null) this.#left.push({
			path: covered.path,
			why: problem
		});
		await this.#putFiles(files.filter((drop) => !this.#isLeft(drop)));
		for (const { unit, stat } of hidden) {
			const spot = room.spot(unit.path);
			if (spot === null || stat === null) continue;
			if (isWhiteout(stat)) stir(room, spot);
			else if (stat.type === "dir") this.#touch(spot);
		}
		await this.#empty();
		return this.#left;
	}
	async #empty() {
		const { room, placer } = this.#view;
		const { dir, record } = this.#transaction.journal;
		const entries = new Set(this.#done.flatMap(({ stat, unit }) => stat === null ? [] : [unit.path]));
		placer.restored(entries, parseBaseLines(record.bases).records);
		for (const { unit } of this.#done) placer.record(unit.path);
		placer.save();
		const both = this.#done.filter(({ i, stat }) => stat !== null && nodePort.lstat(storedAt(dir, i)) !== null);
		if (both.length === 0) return;
		await withHandleAsync(nodePort, nodePort.openDir(room.covered.upper), async (fd) => {
			await syncFileSystems(nodePort, [fd]);
		});
		for (const { i } of both) removePath(nodePort, joinPath(dir, STORE), String(i));
	}
	#isHiding({ unit: { path } }) {
		const host = hostEntry(path);
		return lstatEntry(this.#view.upper(path)) === null && host !== null && host !== "closed" && !isPlain(host);
	}
	async #hide({ unit: { path } }) {
		const { ctx, journal } = this.#transaction;
		const whiteout = joinPath(journal.dir, "w");
		if (nodePort.lstat(whiteout) === null) await makeWhiteout(nodePort, journal.dir);
		copyUpDirs(nodePort, this.#view, path);
		useAndClose(new Uppers(nodePort, ctx, null), (uppers) => uppers.link(path, whiteout));
	}
	async #insert(drop) {
		const { path, closed, mode } = drop.unit;
		if (!await this.#freePlace(drop)) return false;
		copyUpDirs(nodePort, this.#view, path);
		return useAndClose(new Uppers(nodePort, this.#transaction.ctx, null), (uppers) => {
			const now = uppers.lstat(path);
			if (now === null && isDeletion(drop)) uppers.link(path, drop.at);
			else if (now === null) uppers.insert(path, drop.at, closed ? mode : null);
			else if (!isWhiteout(now) || !isDeletion(drop)) return this.#stays(drop, SESSION_CHANGED);
			this.#done.push(drop);
			return now === null;
		});
	}
	async #freePlace(drop) {
		const { path } = drop.unit;
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null) return true;
		const isTaken = isWhiteout(now) || await this.#takeCopy(spot, now);
		const isFree = (isTaken ? lookUpper(spot) : null) === null || isDeletion(drop) || this.#takesWhiteout(drop);
		return isTaken && isFree ? true : this.#stays(drop, SESSION_CHANGED);
	}
	#takesWhiteout({ unit: { path }, i }) {
		const taken = takeWhiteout(this.#transaction, path, i);
		taken?.remove();
		return taken !== null;
	}
	async #takeCopy(spot, now) {
		const { room, placer } = this.#view;
		const aside = isPlain(now) ? await takeOut(room, spot, this.#isUntouched(spot.path)) : null;
		return aside !== null && (await placer.settle([aside])).done.length > 0;
	}
	async #putFiles(files) {
		const { room, placer } = this.#view;
		if (files.length === 0) return;
		const names = files.map(({ i }) => String(i));
		await copyOut(nodePort, joinPath(this.#transaction.journal.dir, STORE), names, room.incoming);
		const asides = /* @__PURE__ */ new Map();
		for (const drop of files) {
			const { i, unit, at: stored } = drop;
			await this.#alone(drop, async () => {
				const from = room.copied(String(i));
				const spot = room.spot(unit.path);
				if (spot === null || !isStored(nodePort, from.upper, stored)) {
					this.#stays(drop, MEANWHILE);
					return;
				}
				if (lstatEntry(spot.at) === null) {
					nodePort.link(from.at, spot.at);
					this.#done.push(drop);
					return;
				}
				const aside = await putOver(room, spot, from, this.#isUntouched(unit.path));
				if (aside === null) this.#stays(drop, SESSION_CHANGED);
				else asides.set(aside, drop);
			});
		}
		const { done } = await placer.settle([...asides.keys()].flatMap((aside) => aside === null ? [] : [aside]));
		const placed = new Set(done.map(({ path }) => path));
		for (const drop of asides.values()) if (placed.has(drop.unit.path)) this.#done.push(drop);
		else this.#stays(drop, SESSION_CHANGED);
	}
	#isUntouched(path) {
		return async (kept) => {
			const [now, host] = [lookUpper(kept), hostEntry(path)];
			const base = this.#view.placer.bases.lookup(path);
			return now !== null && host !== "closed" && isUntouched$1({
				path,
				upperPath: kept.upper,
				upper: now,
				host,
				base
			});
		};
	}
	#dress(drop) {
		const { path, host, mode, uid, gid, xattrs } = drop.unit;
		if (host === void 0) return;
		const step = xattrs === void 0 ? void 0 : {
			from: xattrs.to,
			to: xattrs.from
		};
		const why = dressInView(this.#view, path, {
			from: host.mode,
			to: {
				mode,
				uid,
				gid
			},
			xattrs: step
		});
		if (why === null) this.#done.push(drop);
		else this.#stays(drop, why);
	}
	#touch(spot) {
		const now = lstatEntry(spot.at);
		if (now?.type !== "dir") return;
		withHandle(nodePort, nodePort.openDir(spot.at), (fd) => nodePort.chmod(at(fd), now.mode));
	}
	#isLeft({ unit }) {
		return this.#leftPaths.has(unit.path);
	}
	#stays({ unit: { path } }, why) {
		this.#left.push({
			path,
			why
		});
		this.#leftPaths.add(path);
		return false;
	}
	async #alone(drop, work) {
		try {
			await work();
		} catch (error) {
			const message = errorCode(error) === "EEXIST" ? SESSION_CHANGED : entryMessage(error);
			if (message === null) throw error;
			this.#stays(drop, message);
		}
	}
};
function packMarks(changes, effectsOf) {
	const sets = /* @__PURE__ */ new Map();
	for (const [i, change] of changes.entries()) {
		const effects = effectsOf(change, i);
		if (effects.length === 0) continue;
		const key = effects.map((one) => `${one.do} ${one.text}`).join("\0");
		const set = sets.get(key);
		if (set === void 0) sets.set(key, {
			effects,
			ids: [change.id]
		});
		else set.ids.push(change.id);
	}
	return [...sets.values()].map(({ effects, ids }) => ({
		effects: [...effects],
		ids: ids.join("")
	}));
}
init_bytes();
var HOME_STARTUP = /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout)|inputrc|x(?:profile|initrc|sessionrc)|pam_environment|config\/(?:fish|autostart|systemd|environment\.d)\/.*)$/s;
var HOME_KEYS = ".ssh/ .gnupg/ .aws/ .kube/ .docker/ .azure/ .config/gcloud/ .config/gh/ .password-store/ .netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf".split(" ");
var ROOT_KEYS = "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d/ /etc/ssh/ /etc/pam.d/".split(" ");
var HOME_CREDENTIALS = atOrBelow(HOME_KEYS);
var ROOT_CREDENTIALS = atOrBelow(ROOT_KEYS);
var HOME_GIT = /^\.(?:gitconfig|config\/git\/.*)$/s;
var ROOT_STARTUP = /^\/(?:etc\/(?:cron[^/]*|init\.d|rc[^/]*|profile(?:\.d)?|systemd|xdg\/autostart|bash\.bashrc|zsh)(?:\/|$)|var\/spool\/cron\/|(?:usr\/)?lib\/systemd\/system\/)/s;
var GIT_RUNS = /\/\.git\/(?:hooks\/(?!.*\.sample$)|config(?:\.worktree)?$|info\/attributes$)/s;
var AGENT = /\/\.claude\/|\/(?:CLAUDE(?:\.local)?\.md|\.mcp\.json)$|\/trai\/(?:config|rules(?:\.imported)?)\.json$/s;
var SETS_ID = 3072;
var RUNS = 73;
var DOT = 46;
var RISKS = {
	"flagged": {
		one: "change named by a rule of yours",
		many: "changes named by rules of yours",
		why: "An effect rule names it: trai rules list.",
		test: ({ effect }) => effect !== void 0
	},
	"setuid": {
		one: "new setuid or setgid file",
		many: "new setuid or setgid files",
		why: "It runs with the rights of its owner or group.",
		test: ({ pending, host }) => pending?.type === "file" && (pending.mode & SETS_ID & ~(host?.mode ?? 0)) !== 0
	},
	"git-hook": {
		one: "Git hook",
		many: "Git hooks",
		why: "Git runs it, or what it names.",
		test: (change, { home }) => isWritten(change) && isAt(change, GIT_RUNS, home, HOME_GIT)
	},
	"startup": {
		one: "start-up file",
		many: "start-up files",
		why: "It runs by itself: when a shell or a session starts, or at a set time.",
		test: (change, { home }) => isWritten(change) && isAt(change, ROOT_STARTUP, home, HOME_STARTUP)
	},
	"credentials": {
		one: "file of keys or passwords",
		many: "files of keys or passwords",
		why: "It says who may log in, or holds what one logs in with.",
		test: (change, { home }) => holdsKeys(change.path, home)
	},
	"agent": {
		one: "Claude Code setting",
		many: "Claude Code settings",
		why: "It changes what Claude may do, or what it runs by itself.",
		test: (change) => AGENT.test(change.path)
	},
	"link-out": {
		one: "symlink outside the project",
		many: "symlinks outside the project",
		why: "What is written through it lands outside the project.",
		test: (change, { projectRoot }) => {
			const { path, pending } = change;
			if (pending?.type !== "symlink" || pending.target === void 0 || !isWithin(path, projectRoot)) return false;
			return !isWithin(resolved(parentOf(path), pending.target), projectRoot);
		}
	},
	"odd-name": {
		one: "name with hidden characters",
		many: "names with hidden characters",
		why: "It may impersonate another file.",
		test: ({ path, pending }) => pending !== null && hasHidden(nameOf(path))
	},
	"hidden": {
		one: "file with hidden characters",
		many: "files with hidden characters",
		why: "Its text may read otherwise than it works. The diff shows each of them by name.",
		test: ({ id }, { hidden }) => hidden?.has(id) === true
	},
	"outside": {
		one: "outside the project",
		many: "outside the project",
		why: "It lies outside the directory that the session works in.",
		test: ({ path }, { projectRoot }) => !isWithin(path, projectRoot)
	},
	"executable": {
		one: "newly executable",
		many: "newly executable",
		why: "It could not be executed before.",
		test: ({ pending, host }) => pending?.type === "file" && (pending.mode & RUNS) !== 0 && (host?.type !== "file" || (host.mode & RUNS) === 0)
	}
};
var ORDER = Object.keys(RISKS);
function risksOf(change, place) {
	if (change.ignored !== null) return [];
	const risks = [];
	for (const risk of ORDER) if (RISKS[risk].test(change, place)) risks.push(risk);
	return risks;
}
var PLAIN_TYPES = /* @__PURE__ */ new Set([
	"file",
	"dir",
	"symlink"
]);
function mayGoUnread(change, place) {
	const { ignored, effect, conflict, pending, host } = change;
	if (ignored !== null || effect !== void 0 || conflict !== null) return false;
	return PLAIN_TYPES.has((pending ?? host)?.type) && risksOf(change, place).length === 0;
}
function holdsKeys(path, home) {
	return [path, `${path}/`].some((one) => isAt({ path: one }, ROOT_CREDENTIALS, home, HOME_CREDENTIALS));
}
function isWritten({ pending }) {
	return pending !== null && pending.type !== "dir";
}
function isAt({ path }, anywhere, home, inHome) {
	const below = belowHome(path, home);
	return anywhere.test(path) || below !== null && inHome.test(below);
}
function belowHome(path, home) {
	if (path.charCodeAt(home === "/" ? 1 : home.length + 1) !== DOT) return null;
	return path !== home && isWithin(path, home) ? path.slice(home === "/" ? 1 : home.length + 1) : null;
}
function atOrBelow(paths) {
	const forms = paths.map((path) => path.replaceAll(".", "\\.") + (path.endsWith("/") ? "" : "$"));
	return new RegExp(`^(?:${forms.join("|")})`, "s");
}
var PLAIN = /^[ -~]*$/;
function hasHidden(name) {
	if (PLAIN.test(name)) return false;
	return toDisplay(name.replaceAll("\\", "")).includes("\\");
}
function resolved(dir, target) {
	const parts = [];
	for (const part of (target.startsWith("/") ? target : joinPath(dir, target)).split("/")) if (part === "..") parts.pop();
	else if (part !== "" && part !== ".") parts.push(part);
	return `/${parts.join("/")}`;
}
function countRisks(changes, place) {
	return tallyRisks(changes.map((change) => risksOf(change, place)));
}
function tallyRisks(found) {
	const counts = /* @__PURE__ */ new Map();
	for (const risks of found) for (const risk of risks) counts.set(risk, (counts.get(risk) ?? 0) + 1);
	return ORDER.flatMap((risk) => {
		const count = counts.get(risk) ?? 0;
		return count === 0 ? [] : [{
			risk,
			count
		}];
	});
}
function unreadText(files) {
	const text = files === 1 ? "file" : "files";
	return `${files.toLocaleString("en")} ${text} not scanned for hidden characters`;
}
function riskText({ risk, count }) {
	return `${count.toLocaleString("en")} ${count === 1 ? RISKS[risk].one : RISKS[risk].many}`;
}
init_bytes();
init_identity();
init_entry();
var MAX_PATH_CHARS = 4096;
function resolvePath(view, given, passed = () => {}) {
	if (given.includes("\0") || given.length > MAX_PATH_CHARS) return null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf(at);
			continue;
		}
		const here = joinPath(at, name);
		if (passed(here) === false) return null;
		const target = linkTarget(view, here);
		if (target === "unknown" || links > 40) return null;
		if (target === null) {
			at = here;
			continue;
		}
		links += 1;
		todo.unshift(...partsOf(target.to));
		if (target.to.startsWith("/")) at = "/";
	}
	return at;
}
function upperOf(view, path) {
	const covered = isExcluded(path, view.excluded) ? null : coveringDir(view.coveredDirs, path);
	return covered === null ? null : upperPath(covered, path);
}
function linkTarget(view, path) {
	const upper = view === null ? null : upperOf(view, path);
	const pending = upper === null ? null : hostEntry(upper);
	if (pending === "closed") return "unknown";
	if (upper !== null && pending !== null) {
		if (isWhiteout(pending) || pending.type !== "symlink") return null;
		return { to: readTarget(upper) };
	}
	const host = hostEntry(path);
	if (host === "closed") return "unknown";
	return host?.type === "symlink" ? { to: readTarget(path) } : null;
}
function partsOf(path) {
	return path.split("/").filter((name) => name !== "" && name !== ".");
}
var BITS = {
	4: 32,
	6: 128
};
var MAPPED = 65535n << 32n;
function parseAddress(text) {
	const four = parseDotted(text);
	if (four !== null) return four;
	const value = parseSix(text);
	if (value === null) return null;
	return value >> 32n === MAPPED >> 32n ? {
		family: 4,
		value: value & 4294967295n
	} : {
		family: 6,
		value
	};
}
function parseDotted(text) {
	if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null;
	const bytes = text.split(".").map(Number);
	if (bytes.some((byte) => byte > 255)) return null;
	return {
		family: 4,
		value: bytes.reduce((sum, byte) => sum << 8n | BigInt(byte), 0n)
	};
}
function parseSix(text) {
	const [, before = text, tail] = /^(.*:)([^:]*\.[^:]*)$/.exec(text) ?? [];
	const four = tail === void 0 ? null : parseDotted(tail);
	if (tail !== void 0 && four === null) return null;
	const low = four?.value ?? 0n;
	const halves = (four === null ? text : `${before}${(low >> 16n).toString(16)}:${(low & 65535n).toString(16)}`).split("::").map((half) => half === "" ? [] : half.split(":"));
	const [left = [], right] = halves;
	const groups = [...left, ...right ?? []];
	const isRight = right === void 0 ? groups.length === 8 : groups.length < 8;
	if (halves.length > 2 || !isRight || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
	const zeros = Array.from({ length: 8 - groups.length }, () => "0");
	return [
		...left,
		...zeros,
		...right ?? []
	].reduce((sum, group) => sum << 16n | BigInt(`0x${group}`), 0n);
}
function addressIn(host) {
	const usual = parseAddress(host);
	if (usual !== null) return usual;
	if (host.includes(":")) return "invalid";
	const parts = host.replace(/\.$/, "").split(".");
	if (!/^(?:\d+|0x[0-9a-f]*)$/.test(parts.at(-1) ?? "")) return null;
	return legacyFour(parts) ?? "invalid";
}
function legacyFour(parts) {
	const numbers = parts.map((part) => {
		if (/^0x[0-9a-f]*$/.test(part)) return part === "0x" ? 0n : BigInt(part);
		if (/^0[0-7]*$/.test(part)) return BigInt(`0o${part}`);
		return /^[1-9]\d{0,19}$/.test(part) ? BigInt(part) : null;
	});
	const last = numbers.pop();
	const room = 8n * BigInt(4 - numbers.length);
	if (numbers.length > 3 || last === void 0 || last === null || last >= 1n << room) return null;
	let value = 0n;
	for (const number of numbers) {
		if (number === null || number > 255n) return null;
		value = value << 8n | number;
	}
	return {
		family: 4,
		value: value << room | last
	};
}
function parseBlock(text) {
	const [, address = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const base = parseAddress(address);
	if (base === null) return null;
	const most = BITS[base.family];
	const bits = length === void 0 ? most : Number(length);
	if (bits > most || base.value & (1n << BigInt(most - bits)) - 1n) return null;
	return {
		base,
		bits
	};
}
var PRESETS = {
	anthropic: [...[
		"api.anthropic.com",
		"console.anthropic.com",
		"statsig.anthropic.com"
	], ...["claude.ai", "platform.claude.com"]],
	github: [...[
		"github.com",
		"api.github.com",
		"codeload.github.com",
		"uploads.github.com"
	], "*.githubusercontent.com"],
	npm: ["registry.npmjs.org", "registry.yarnpkg.com"],
	pypi: ["pypi.org", "files.pythonhosted.org"],
	crates: [
		"crates.io",
		"index.crates.io",
		"static.crates.io"
	],
	go: ["proxy.golang.org", "sum.golang.org"],
	debian: ["deb.debian.org", "security.debian.org"]
};
var isPreset = (name) => Object.hasOwn(PRESETS, name);
var LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
var MAX_NAME = 253;
function isName(text) {
	return text.length <= MAX_NAME && text.split(".").every((label) => LABEL.test(label));
}
function portIn(text) {
	const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
	return port > 0 && port < 65536 ? port : null;
}
function parseEntry(text) {
	const preset = /^preset:(.*)$/.exec(text)?.[1];
	if (preset !== void 0) return isPreset(preset) ? PRESETS[preset].flatMap((one) => parseEntry(one) ?? []) : null;
	const pattern = parsePattern(text);
	return pattern === null ? null : [pattern];
}
function parsePattern(text) {
	const lower = text.toLowerCase();
	const whole = parseBlock(lower);
	if (whole !== null) return {
		kind: "address",
		block: whole,
		port: null
	};
	const [, bracketed, plain = "", given] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(lower) ?? [];
	const port = given === void 0 ? null : portIn(given);
	if (given !== void 0 && port === null) return null;
	const block = parseBlock(bracketed ?? plain);
	if (block !== null) return {
		kind: "address",
		block,
		port
	};
	const below = plain.startsWith("*.");
	const name = below ? plain.slice(2) : plain;
	return bracketed === void 0 && isName(name) && addressIn(name) === null ? {
		kind: "name",
		name,
		below,
		port
	} : null;
}
var BOX_WRITES = [
	"pending",
	"direct",
	"read-only"
];
var BOX_NETS = [
	"open",
	"list",
	"off"
];
var BOX_HISTORIES = ["project", "shared"];
var DEFAULT_BOX_OPTIONS = {
	write: "pending",
	net: "open",
	history: "project",
	allow: [],
	hide: [],
	env: []
};
init_json_lines();
init_limits();
var BUILT_IN = [
	"Agent",
	"Skill",
	"Glob",
	"WebSearch",
	"read-only",
	"allowed-dirs"
];
var DEFAULT_CONFIG = {
	passthrough: [
		"git",
		"gh",
		"sudo",
		"docker",
		"podman"
	],
	readOnly: "ls cat head tail wc grep egrep fgrep rg find which type command env pwd echo true false printf test [ : basename dirname realpath readlink stat file du df tree id whoami uname date nproc printenv ps uptime sort uniq cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep".split(" "),
	enabled: true,
	hostWithPending: "ask",
	scratch: [
		"/tmp",
		"/var/tmp",
		"/dev/shm",
		"/run"
	],
	ignore: [
		"~/.cache/",
		"~/.npm/_cacache/",
		"~/.npm/_logs/",
		"~/.bash_history",
		"~/.zsh_history",
		"~/.python_history",
		"~/.node_repl_history",
		"~/.psql_history",
		"~/.sqlite_history",
		"~/.mysql_history",
		"~/.lesshst",
		"~/.viminfo",
		"outside-project:__pycache__/"
	],
	undo: UNDO_LIMITS,
	disk: { warnFreeBytes: DISK_WARN_FREE_BYTES },
	testCommands: [
		...[
			"npm test",
			"npm t",
			"npm run test",
			"pnpm test",
			"pnpm run test",
			"yarn test",
			"yarn run test"
		],
		...[
			"bun test",
			"bun run test",
			"deno test",
			"node --test",
			"npx vitest run",
			"npx jest",
			"npx mocha"
		],
		...[
			"pytest",
			"python -m pytest",
			"python3 -m pytest",
			"uv run pytest",
			"poetry run pytest",
			"tox",
			"nox"
		],
		...[
			"cargo test",
			"cargo nextest run",
			"go test",
			"make test",
			"make check",
			"ctest",
			"mvn test"
		],
		...[
			"mvn verify",
			"gradle test",
			"./gradlew test",
			"dotnet test",
			"mix test",
			"rspec",
			"bundle exec rspec"
		]
	],
	server: {
		autostart: true,
		port: 0,
		idleMinutes: 30
	},
	rules: {
		enabled: true,
		sandboxed: "ask",
		builtIn: BUILT_IN,
		logMcp: false,
		questions: true,
		holdSeconds: 60,
		headlessSeconds: 0,
		notify: true,
		popup: false
	},
	box: {
		profiles: {},
		network: {
			allow: ["preset:anthropic"],
			deny: []
		}
	}
};
function parseConfig(json) {
	const problems = [];
	return {
		config: CONFIG(json, [], DEFAULT_CONFIG, problems),
		problems
	};
}
function plain(expected, isRight) {
	return (value, path, fallback, problems) => {
		if (isRight(value)) return value;
		problems.push(problem(path, expected, value));
		return fallback;
	};
}
var flag = plain("true or false", (value) => typeof value === "boolean");
var integer = (least, most) => plain(`a whole number from ${least} to ${most}`, (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
var word = (words) => plain(`one of ${words.map((one) => `"${one}"`).join(", ")}`, (value) => words.some((one) => one === value));
function group$1(fields) {
	return (value, path, fallback, problems) => {
		if (!isObject(value)) {
			problems.push(problem(path, "an object", value));
			return fallback;
		}
		reportUnknown(value, path, Object.keys(fields), problems);
		const read = { ...fallback };
		for (const key in fields) if (Object.hasOwn(value, key)) read[key] = fields[key](value[key], [...path, key], fallback[key], problems);
		return read;
	};
}
function list(entry) {
	return (value, path, fallback, problems) => {
		if (Array.isArray(value)) return entries(value, path, entry, problems) ?? fallback;
		if (!isObject(value)) {
			problems.push(problem(path, "an array, or an object with \"add\" and \"remove\"", value));
			return fallback;
		}
		reportUnknown(value, path, ["add", "remove"], problems);
		const add = entries(value["add"] ?? [], [...path, "add"], entry, problems);
		const remove = entries(value["remove"] ?? [], [...path, "remove"], entry, problems);
		if (add === null || remove === null) return fallback;
		return [.../* @__PURE__ */ new Set([...fallback, ...add])].filter((one) => !remove.includes(one));
	};
}
function entries(value, path, entry, problems) {
	if (!Array.isArray(value)) {
		problems.push(problem(path, "an array of strings", value));
		return null;
	}
	const before = problems.length;
	const texts = value.map((one, i) => {
		const text = typeof one === "string" ? entry.tidy?.(one) ?? one : null;
		if (text === null || !entry.ok(text)) problems.push(problem(path, entry.expected, one, `[${i}]`));
		return text ?? "";
	});
	return problems.length === before ? texts : null;
}
var programs = list({
	expected: "the name of a program, without a path or arguments",
	ok: (text) => /^[A-Za-z0-9_.+:[-]+$/.test(text) && !text.startsWith("-"),
	tidy: (text) => text.replace(/ \*$/, "")
});
var directories = list({
	expected: "an absolute directory other than \"/\", without \"..\"",
	ok: (text) => /^\/[^\0]/.test(text) && !text.split("/").includes("..") && /[^/]/.test(text),
	tidy: (text) => text.replace(/(.)\/+$/, "$1")
});
var ignoreRules = list({
	expected: "a rule that begins with \"~/\", \"/\" or \"outside-project:\"",
	ok: (text) => /^(~\/|\/|outside-project:)[^\0]+$/.test(text)
});
var testCommands = list({
	expected: "the beginning of a command, such as \"npm test\", without quotes or other signs of a shell",
	ok: (text) => /^[A-Za-z0-9_./:@+=-]+( [A-Za-z0-9_./:@+=-]+)*$/.test(text),
	tidy: (text) => text.trim().replace(/\s+/g, " ")
});
var words = list({
	expected: "a text",
	ok: (text) => text !== "" && !text.includes("\0")
});
var hosts = list({
	expected: `host, *.host, an address or block, each also with :port, or preset:NAME (${Object.keys(PRESETS).join(", ")})`,
	ok: (text) => parseEntry(text) !== null
});
var builtIn = list({
	expected: `one of ${BUILT_IN.map((one) => `"${one}"`).join(", ")}`,
	ok: (text) => BUILT_IN.includes(text)
});
var PROFILE = group$1({
	write: word(BOX_WRITES),
	net: word(BOX_NETS),
	history: word(BOX_HISTORIES),
	allow: words,
	hide: words,
	env: words
});
var profiles = (value, path, fallback, problems) => {
	if (!isObject(value)) {
		problems.push(problem(path, "an object with a profile a name", value));
		return fallback;
	}
	const read = Object.entries(value).map(([name, one]) => [name, PROFILE(one, [...path, name], DEFAULT_BOX_OPTIONS, problems)]);
	return Object.fromEntries(read);
};
var bytes = integer(0, Number.MAX_SAFE_INTEGER);
var CONFIG = group$1({
	passthrough: programs,
	readOnly: programs,
	enabled: flag,
	hostWithPending: word([
		"ask",
		"warn",
		"refuse"
	]),
	scratch: directories,
	ignore: ignoreRules,
	undo: group$1({
		maxBytes: bytes,
		keepDays: integer(0, 36500),
		keepBytes: bytes
	}),
	testCommands,
	disk: group$1({ warnFreeBytes: bytes }),
	server: group$1({
		autostart: flag,
		port: integer(0, 65535),
		idleMinutes: integer(1, 10080)
	}),
	rules: group$1({
		enabled: flag,
		sandboxed: word(["ask", "allow"]),
		builtIn,
		logMcp: flag,
		questions: flag,
		holdSeconds: integer(0, 3600),
		headlessSeconds: integer(0, 86400),
		notify: flag,
		popup: flag
	}),
	box: group$1({
		profiles,
		network: group$1({
			allow: hosts,
			deny: hosts
		})
	})
});
function reportUnknown(value, path, known, problems) {
	for (const key of Object.keys(value)) {
		if (known.includes(key)) continue;
		const text = `${[...path, shown$4(key)].join(".")} is not a key of the config; expected one of ${known.join(", ")}.`;
		problems.push({
			path: [...path, key],
			isUnknownKey: true,
			text
		});
	}
}
function problem(path, expected, found, index = "") {
	return {
		path,
		text: `${path.length === 0 ? "the config" : path.join(".") + index}: expected ${expected}, found ${shown$4(found)}; the default is used.`
	};
}
function shown$4(value) {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
init_port();
init_state_file();
init_errors$1();
var MAX_CONFIG_BYTES = 262144;
function configFiles(env) {
	const data = absolute(env, "CLAUDE_PLUGIN_DATA");
	return [configDir(env), ...data === null ? [] : [data]].map((dir) => join(dir, "config.json"));
}
function loadConfig(env, recorded = null) {
	for (const file of [...recorded === null ? [] : [recorded], ...configFiles(env)]) {
		const read = readConfig(file);
		if (read === null) continue;
		const problems = read.problems.map((one) => ({
			...one,
			text: `${file}: ${one.text}`
		}));
		return {
			...read,
			file,
			problems
		};
	}
	return {
		config: DEFAULT_CONFIG,
		file: null,
		problems: []
	};
}
function readConfig(file) {
	const unusable = (why) => ({
		config: DEFAULT_CONFIG,
		problems: [{
			path: [],
			text: configUnusable(why)
		}]
	});
	let bytes;
	if (isMissing(file)) return null;
	try {
		bytes = readPlainFile(orNull(() => realpathSync(file)) ?? file);
	} catch (error) {
		return unusable(configUnreadable(errorCode(error)));
	}
	if (bytes === null) return unusable(CONFIG_IS_NO_FILE);
	if (bytes.length > 262144) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
	try {
		return parseConfig(JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, "")));
	} catch (error) {
		return unusable(configIsNoJson(error));
	}
}
function isMissing(file) {
	try {
		return statSync(file, { throwIfNoEntry: false }) === void 0;
	} catch (error) {
		return errorCode(error) === "ENOTDIR";
	}
}
init_errors$3();
var jsonProblem = (error) => `not JSON: ${messageOf(error)}`;
var repeatedKey = (key) => `an object has the key ${JSON.stringify(key)} twice, and only the last would count`;
var patternProblem = (at, source, why) => `${at}: the pattern ${JSON.stringify(source)} cannot be used: ${why}`;
var unsupportedPattern = (what) => `${what} is not supported`;
var fileIsLink = () => "it is a symbolic link; put the file itself there";
var fileIsNoFile = () => "it is not a regular file";
var fileNoText = () => "it is not UTF-8";
var fileOfOther = (uid) => `it belongs to uid ${uid}`;
var fileTooLarge = (most, found) => `expected at most ${most} bytes, found ${found}`;
var fileUnreadable = (code) => `it cannot be read (${code})`;
var ruleFileProblem = (file, problem) => `The rule file ${file} cannot be used: ${problem}; see: trai rules verify`;
var rulesOff = "Permission rules are turned off by the config (\"rules\": {\"enabled\": false}).";
var MOST_SHOWN = 120;
function shortened(text) {
	return text.length <= MOST_SHOWN ? text : `${text.slice(0, 119)}…`;
}
var effectText = (place, reason) => reason === "" ? place : `${place}: ${reason}`;
var effectSlow = (place) => `${place}: its patterns take too long, so it counts for every path`;
var effectsUnknown = (file, problem) => `the rule file ${file} cannot be used (${problem}), and no good version of it is known, so its effects are not known`;
var FINDING = {
	lastGood: "its last good version stays in force",
	neverGood: "no good version of it is known, so every call is asked about",
	untrusted: "its allow rules and directories do not count until you trust them: trai rules trust",
	auto: "\"auto\" counts in your own rules.json only, so this is ignored",
	relative: (dir) => `${JSON.stringify(dir)} is not absolute, so it does not count`,
	duplicate: (place) => `the same rule as ${place}`,
	conflict: (place) => `contradicts the same rule in another list, ${place}`,
	shadowed: (place) => `never reached behind ${place}, which is about all calls of these tools`,
	unused: "decided nothing in the last 90 days",
	expired: (until) => `expired on ${until}`,
	noMode: "counts in no mode: name one in \"modes\", or remove the key",
	unknownMode: (unknown, known) => `Claude Code has no permission mode ${unknown.map((mode) => JSON.stringify(mode)).join(", ")} that trai knows: ${known.join(", ")}`,
	untried: (count) => `${count === 1 ? "one test was" : `${count} tests were`} not tried, because those before took too long`,
	slowEffect: "its patterns take too long on some paths, and then it counts for every path",
	slow: (pattern) => `the pattern ${JSON.stringify(pattern)} takes too long on some texts`,
	noMatch: (call) => `does not match its own test ${shortened(call)}`,
	match: (call) => `matches ${shortened(call)}, which its own test says it must not`
};
init_errors$3();
var PatternError = class extends Error {};
var MAX_PATTERN_CHARS = 1e4;
function compilePattern(source) {
	if (source.length > MAX_PATTERN_CHARS) throw new PatternError(unsupportedPattern(`${source.length} characters`));
	const { text, literal, atStart } = new Translation(source).result();
	const choice = CHOICE.exec(source);
	const literals = literal === "" ? choice?.[1]?.split("|") ?? [] : [literal];
	try {
		return {
			source,
			regexp: new RegExp(text, "u"),
			literals,
			atStart
		};
	} catch (error) {
		throw new PatternError(messageOf(error).replace(/^Invalid regular expression: \/.*\/u?: /s, ""));
	}
}
var CHOICE = /^(?:\^|\\A)?\((?:\?:)?([A-Za-z0-9_/ -]+(?:\|[A-Za-z0-9_/ -]+)*)\)(?![*?+{])(?!.*\|)/s;
var SPACES = "\\t\\n\\v\\f\\r ";
var NO_SPACES = "\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}";
var VERTICAL = "\\n\\v\\f\\r\\x85\\u2028\\u2029";
var SETS = {
	s: [SPACES, NO_SPACES],
	h: ["\\t ", "\\0-\\x08\\x0a-\\x1f\\x21-\\u{10ffff}"],
	v: [VERTICAL, "\\0-\\x09\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}"],
	d: ["0-9", "\\0-\\x2f\\x3a-\\u{10ffff}"],
	w: ["0-9A-Za-z_", "\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}"]
};
var POSIX_SETS = {
	alnum: "0-9A-Za-z",
	alpha: "A-Za-z",
	ascii: "\\0-\\x7f",
	blank: "\\t ",
	cntrl: "\\0-\\x1f\\x7f",
	digit: "0-9",
	graph: "\\x21-\\x7e",
	lower: "a-z",
	print: "\\x20-\\x7e",
	punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
	space: SPACES,
	upper: "A-Z",
	word: "0-9A-Za-z_",
	xdigit: "0-9A-Fa-f"
};
var CONTROLS = {
	a: 7,
	e: 27,
	f: 12,
	n: 10,
	r: 13,
	t: 9
};
var Translation = class {
	source;
	at = 0;
	out = "";
	flags = {
		i: false,
		m: false,
		s: false,
		x: false
	};
	groups = [];
	atom = -1;
	helpers = 0;
	captures = 0;
	named;
	literal = "";
	isLiteral = true;
	atStart = false;
	alternates = false;
	constructor(source) {
		this.source = source;
		this.named = /\\[1-9]|\\g/.test(source);
	}
	result() {
		while (this.at < this.source.length) this.step();
		if (this.groups.length > 0) throw new PatternError("Unterminated group");
		const text = this.out;
		return this.alternates ? {
			text,
			literal: "",
			atStart: false
		} : {
			text,
			literal: this.literal,
			atStart: this.atStart
		};
	}
	refuse(what) {
		throw new PatternError(unsupportedPattern(what));
	}
	take(pattern) {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.source);
		if (found !== null) this.at += found[0].length;
		return found;
	}
	put(text) {
		this.isLiteral = false;
		this.atom = this.out.length;
		this.out += text;
	}
	putZeroWidth(text) {
		this.isLiteral = false;
		this.atom = -1;
		this.out += text;
	}
	step() {
		if (this.flags.x && this.take(/(?:\s|#[^\n]*)+/y) !== null) return;
		const quantifier = this.take(/([*+?]|\{\d+(?:,\d*)?\})([+?]?)/y);
		if (quantifier !== null) {
			this.quantify(quantifier[1] ?? "", quantifier[2] ?? "");
			return;
		}
		const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
		this.at += char.length;
		switch (char) {
			case "\\":
				this.escape();
				return;
			case "[":
				this.set();
				return;
			case "(":
				this.open();
				return;
			case ")":
				this.close();
				return;
			case "|":
				if (this.groups.length === 0) this.alternates = true;
				this.putZeroWidth("|");
				return;
			case ".":
				this.put(this.flags.s ? "[^]" : "[^\\n]");
				return;
			case "^":
				if (this.out === "" && !this.flags.m) {
					this.atStart = true;
					this.out = "^";
				} else this.putZeroWidth(this.flags.m ? "(?<![^\\n])" : "^");
				this.atom = -1;
				return;
			case "$":
				this.putZeroWidth(this.flags.m ? "(?![^\\n])" : "(?=\\n?$)");
				return;
			case "{":
				if (/^\{,\d+\}/.test(this.source.slice(this.at - 1))) this.refuse("{,n}");
				this.character(char);
				return;
			default: this.character(char);
		}
	}
	character(char) {
		if (this.flags.i && char.toLowerCase() !== char.toUpperCase()) {
			this.put(`[${char}${char.toLowerCase()}${upper(char)}]`);
			return;
		}
		const wasLiteral = this.isLiteral;
		this.put(escaped(char));
		this.isLiteral = wasLiteral;
		if (wasLiteral) this.literal += char;
	}
	quantify(quantifier, mode) {
		if (this.atom < 0) throw new PatternError("Nothing to repeat");
		if (this.isLiteral) this.literal = [...this.literal].slice(0, -1).join("");
		this.isLiteral = false;
		if (mode === "+") {
			const atom = this.out.slice(this.atom) + quantifier;
			this.out = this.out.slice(0, this.atom) + this.atomic(atom);
		} else this.out += quantifier + mode;
		this.atom = -1;
	}
	atomic(text) {
		this.helpers += 1;
		const name = `atomic${this.helpers}_`;
		return `(?:(?=(?<${name}>${text}))\\k<${name}>)`;
	}
	open() {
		const start = this.out.length;
		const flags = { ...this.flags };
		const enter = (begin, end = ")") => {
			this.groups.push({
				start,
				flags,
				end
			});
			this.putZeroWidth(begin);
		};
		if (this.take(/\?#[^)]*\)/y) !== null) return;
		if (this.take(/\*/y) !== null) this.refuse("(*");
		if (this.take(/(?!\?)/y) !== null) {
			this.captures += 1;
			enter(this.named ? `(?<group${this.captures}_>` : "(");
			return;
		}
		const plain = this.take(/\?(?::|<?=|<?!)/y);
		if (plain !== null) {
			enter(`(${plain[0]}`);
			return;
		}
		const name = this.take(/\?P?<([A-Za-z_]\w*)>|\?'([A-Za-z_]\w*)'/y);
		if (name !== null) {
			this.captures += 1;
			if (this.named) this.refuse("numbered references beside named groups");
			enter(`(?<${name[1] ?? name[2] ?? ""}>`);
			return;
		}
		const reference = this.take(/\?P=([A-Za-z_]\w*)\)/y);
		if (reference !== null) {
			this.put(`\\k<${reference[1] ?? ""}>`);
			return;
		}
		if (this.take(/\?>/y) !== null) {
			this.helpers += 1;
			const helper = `atomic${this.helpers}_`;
			enter(`(?:(?=(?<${helper}>`, `))\\k<${helper}>)`);
			return;
		}
		const inline = this.take(/\?(\^?[imsxun]*(?:-[imsx]*)?)(:|\))/y);
		if (inline === null) this.refuse(`(${this.source.slice(this.at, this.at + 3)}`);
		if (inline[2] === ":") enter("(?:");
		this.flags = changed(this.flags, inline[1] ?? "");
	}
	close() {
		const group = this.groups.pop();
		if (group === void 0) throw new PatternError("Unmatched )");
		this.put(group.end);
		this.atom = /^\(\?<?[=!]/.test(this.out.slice(group.start, group.start + 4)) ? -1 : group.start;
		this.flags = group.flags;
	}
	escape() {
		const set = this.take(/[sShHvVdDwW]/y)?.[0];
		if (set !== void 0) {
			this.put(`[${setText(set)}]`);
			return;
		}
		const property = this.take(/[pP]\{\^?\w+\}|[pP][LMNPSZC]/y)?.[0];
		if (property !== void 0) {
			this.put(`\\${propertyText(property)}`);
			return;
		}
		if (this.take(/Q/y) !== null) {
			const end = this.source.indexOf("\\E", this.at);
			const text = this.source.slice(this.at, end < 0 ? void 0 : end);
			this.at += text.length + (end < 0 ? 0 : 2);
			for (const char of text) this.character(char);
			return;
		}
		if (this.take(/[EK]/y) !== null) return;
		const assertion = this.take(/[AzZbBG]/y)?.[0];
		if (assertion !== void 0) {
			this.assert(assertion);
			return;
		}
		if (this.take(/R/y) !== null) {
			this.put(`(?:\\r\\n|[${VERTICAL}])`);
			return;
		}
		if (this.take(/N(?!\{)/y) !== null) {
			this.put("[^\\n]");
			return;
		}
		const octal = this.take(/[1-3][0-7]{2}/y)?.[0];
		if (octal !== void 0) {
			this.character(codeText(Number.parseInt(octal, 8)));
			return;
		}
		const number = this.take(/([1-9]\d?)|g(\d+)|g\{(\d+)\}/y);
		if (number !== null) {
			this.put(`\\k<group${number[1] ?? number[2] ?? number[3] ?? ""}_>`);
			return;
		}
		const name = this.take(/k(?:<(\w+)>|\{(\w+)\}|'(\w+)')/y);
		if (name !== null) {
			this.put(`\\k<${name[1] ?? name[2] ?? name[3] ?? ""}>`);
			return;
		}
		this.character(this.escapedCharacter());
	}
	assert(letter) {
		if (letter === "G") this.refuse("\\G");
		if (letter === "A") {
			if (this.out === "") this.atStart = true;
			const isFirst = this.out === "";
			this.putZeroWidth("(?<![^])");
			this.isLiteral = isFirst;
		} else if (letter === "z") this.putZeroWidth("(?![^])");
		else if (letter === "Z") this.putZeroWidth("(?=\\n?(?![^]))");
		else this.putZeroWidth(`\\${letter}`);
	}
	escapedCharacter() {
		const code = this.take(/x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{4})/y);
		if (code !== null) return codeText(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16) || 0);
		const octal = this.take(/0[0-7]{0,2}|o\{([0-7]+)\}/y);
		if (octal !== null) return codeText(Number.parseInt(octal[1] ?? octal[0], 8));
		const control = this.take(/c([A-Za-z])/y)?.[1];
		if (control !== void 0) return codeText(control.toUpperCase().charCodeAt(0) - 64);
		const known = this.take(/[aefnrt]/y)?.[0];
		if (known !== void 0) return codeText(CONTROLS[known] ?? 0);
		const other = this.source.codePointAt(this.at);
		if (other === void 0) throw new PatternError("\\ at end of pattern");
		const char = String.fromCodePoint(other);
		if (/[A-Za-z0-9]/.test(char)) this.refuse(`\\${char}`);
		this.at += char.length;
		return char;
	}
	set() {
		let text = this.take(/\^/y) === null ? "[" : "[^";
		let isFirst = true;
		for (;;) {
			const char = this.source[this.at];
			if (char === void 0) throw new PatternError("Unterminated character class");
			if (char === "]" && !isFirst) break;
			isFirst = false;
			text += this.member();
		}
		this.at += 1;
		this.put(`${text}]`);
	}
	member() {
		const posix = this.take(/\[:(\^?)(\w+):\]/y);
		if (posix !== null) {
			const set = POSIX_SETS[posix[2] ?? ""];
			if (set === void 0 || posix[1] === "^") this.refuse(posix[0]);
			return this.flags.i && /upper|lower/.test(posix[0]) ? "A-Za-z" : set;
		}
		const set = this.take(/\\([sShHvVdDwW])/y)?.[1];
		if (set !== void 0) return setText(set);
		const property = this.take(/\\([pP]\{\^?\w+\}|[pP][LMNPSZC])/y)?.[1];
		if (property !== void 0) return `\\${propertyText(property)}`;
		if (this.take(/\\[QE]/y) !== null) this.refuse("\\Q in a class");
		const from = this.memberCharacter();
		if (this.take(/-(?!\]|\\[sShHvVdDwWpP]|\[:)/y) === null) return this.folded(from, from);
		return this.folded(from, this.memberCharacter());
	}
	memberCharacter() {
		if (this.take(/\\b/y) !== null) return "\b";
		if (this.take(/\\/y) !== null) return this.escapedCharacter();
		const code = this.source.codePointAt(this.at);
		if (code === void 0) throw new PatternError("Unterminated character class");
		const char = String.fromCodePoint(code);
		this.at += char.length;
		return char;
	}
	folded(from, to) {
		const range = (a, b) => a === b ? inClass(a) : `${inClass(a)}-${inClass(b)}`;
		const plain = range(from, to);
		if (!this.flags.i) return plain;
		if (from === to) return plain + range(from.toLowerCase(), from.toLowerCase()) + range(upper(from), upper(from));
		let text = plain;
		for (const [first, last, shift] of [[
			65,
			90,
			32
		], [
			97,
			122,
			-32
		]]) {
			const low = Math.max(from.codePointAt(0) ?? 0, first);
			const high = Math.min(to.codePointAt(0) ?? 0, last);
			if (low <= high) text += range(codeText(low + shift), codeText(high + shift));
		}
		return text;
	}
};
function upper(char) {
	const text = char.toUpperCase();
	return [...text].length === 1 ? text : char;
}
function changed(flags, text) {
	const [on = "", off = ""] = text.split("-");
	const next = on.startsWith("^") ? {
		i: false,
		m: false,
		s: false,
		x: false
	} : { ...flags };
	for (const name of [
		"i",
		"m",
		"s",
		"x"
	]) {
		if (on.includes(name)) next[name] = true;
		if (off.includes(name)) next[name] = false;
	}
	return next;
}
function setText(letter) {
	const [set, complement] = SETS[letter.toLowerCase()] ?? ["", ""];
	return letter === letter.toLowerCase() ? set : complement;
}
function propertyText(text) {
	const name = text.slice(1).replace(/[{}^]/g, "");
	return `${text[0] === "P" !== text.includes("^") ? "P" : "p"}{${name}}`;
}
function codeText(code) {
	if (code > 1114111) throw new PatternError(unsupportedPattern(`\\x{${code.toString(16)}}`));
	return String.fromCodePoint(code);
}
function escaped(char) {
	return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char === "\n" ? "\\n" : char;
}
function inClass(char) {
	return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}
init_json_lines();
init_rule();
function compileRuleText(text, origin) {
	let value;
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		return {
			file: null,
			problems: [jsonProblem(error)]
		};
	}
	const twice = repeatedKeys(text).find(({ counts }) => counts);
	return twice === void 0 ? compileRules(value, origin) : {
		file: null,
		problems: [repeatedKey(twice.key)]
	};
}
var FILE_KEYS = /* @__PURE__ */ new Set([
	...RULE_LISTS,
	"version",
	"allowed_dirs",
	"effects"
]);
var ENTRY_KEYS = /* @__PURE__ */ new Set([
	...RULE_KEYS,
	...EFFECT_KEYS,
	"_source_hash"
]);
function repeatedKeys(text) {
	const found = [];
	const open = [];
	const means = (key) => {
		const known = open.length === 1 ? FILE_KEYS : open.length === 2 ? ENTRY_KEYS : null;
		return open.at(-1)?.counts !== false && known?.has(key) !== false;
	};
	for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
		const inside = open.at(-1);
		if (token === "{") open.push({
			keys: /* @__PURE__ */ new Set(),
			at: "",
			counts: inside === void 0 || means(inside.at)
		});
		else if (token === "}") open.pop();
		else if (name !== void 0 && colon !== void 0 && inside !== void 0) {
			inside.at = JSON.parse(name);
			if (inside.keys.has(inside.at)) found.push({
				key: inside.at,
				counts: means(inside.at)
			});
			inside.keys.add(inside.at);
		}
	}
	return found;
}
function compileRules(value, origin) {
	const problems = ruleFileProblems(value);
	if (!isObject(value) || problems.length > 0) return {
		file: null,
		problems
	};
	const lists = {
		deny: [],
		ask: [],
		allow: []
	};
	const ordered = [];
	const known = /* @__PURE__ */ new Map();
	for (const [key, rules] of Object.entries(value)) {
		if (!isList(key) || !Array.isArray(rules) || key === "ask" && value["version"] === 1) continue;
		for (const [index, rule] of rules.entries()) {
			const compiled = compileRule(rule, {
				...origin,
				list: key,
				index
			}, {
				problems,
				known
			});
			if (compiled === null) continue;
			lists[key].push(compiled);
			if (key !== "deny") ordered.push(compiled);
		}
	}
	if (problems.length > 0) return {
		file: null,
		problems
	};
	const dirs = value["allowed_dirs"];
	const allowedDirs = Array.isArray(dirs) ? dirs.filter((dir) => typeof dir === "string") : [];
	const effects = Array.isArray(value["effects"]) ? value["effects"] : [];
	return {
		file: {
			deny: lists.deny,
			ordered,
			allowedDirs,
			effects
		},
		problems: []
	};
}
function isList(key) {
	return key === "deny" || key === "ask" || key === "allow";
}
function compileRule(rule, position, { problems, known }) {
	const at = `${position.list}[${position.index}]`;
	const compiled = (source, place) => {
		try {
			const pattern = known.get(source) ?? compilePattern(source);
			known.set(source, pattern);
			return pattern;
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			problems.push(patternProblem(`${at}.${place}`, source, error.message));
			return null;
		}
	};
	const tool = rule.tool === void 0 ? null : compiled(rule.tool, "tool");
	const match = [];
	for (const [field, source] of Object.entries(rule.match ?? {})) {
		const pattern = compiled(source, `match.${field}`);
		if (pattern === null) return null;
		match.push([field, pattern]);
	}
	if (rule.tool !== void 0 && tool === null) return null;
	const until = rule.until === void 0 ? null : Date.parse(rule.until);
	return {
		ref: refOf(rule, position),
		rule,
		tool,
		match,
		until
	};
}
function refOf(rule, { scope, file, list, index }) {
	return {
		scope,
		file,
		list,
		index,
		hash: ruleHash(rule),
		text: ruleText(rule),
		reason: rule.reason ?? ""
	};
}
function ruleHash({ tool, match = {}, modes = [], until }) {
	const fields = Object.entries(match).sort(([a], [b]) => a < b ? -1 : 1);
	return hash("sha256", JSON.stringify([
		tool ?? null,
		fields,
		[...modes].sort(),
		until ?? null
	]));
}
function ruleText({ tool, match = {} }) {
	const fields = Object.entries(match).map(([field, pattern]) => `${field}=${pattern}`);
	return [tool ?? "*", ...fields].join(" ");
}
init_bytes();
init_port();
init_state_file();
var MAX_RULE_FILE_BYTES = 2097152;
function rulePlaces({ env, stateDir, projectRoot, session }) {
	const user = fromText(configDir(env));
	const project = joinPath(projectRoot, ".claude");
	const places = [
		{
			scope: "user",
			imported: false,
			path: joinPath(user, "rules.json")
		},
		{
			scope: "user",
			imported: true,
			path: joinPath(user, "rules.imported.json")
		},
		{
			scope: "project",
			imported: false,
			path: joinPath(project, "trai.rules.json")
		},
		{
			scope: "project",
			imported: true,
			path: joinPath(project, "trai.rules.imported.json")
		}
	];
	if (session === null) return places;
	const path = joinPath(fromText(sessionDir(stateDir, session)), "rules.json");
	return [...places, {
		scope: "session",
		imported: false,
		path
	}];
}
var RuleFiles = class {
	known = /* @__PURE__ */ new Map();
	stateDir;
	instead;
	constructor(stateDir, instead = /* @__PURE__ */ new Map()) {
		this.stateDir = stateDir;
		this.instead = instead;
	}
	load(place) {
		const path = this.instead.get(place.path) ?? place.path;
		const identity = identityOf(path);
		const known = this.known.get(place.path);
		if (known !== void 0 && known.identity === identity) return known.loaded;
		const loaded = this.judged(place, contentOf$1({
			...place,
			path
		}));
		this.known.set(place.path, {
			identity,
			loaded
		});
		return loaded;
	}
	judged(place, content) {
		if (content.kind === "missing") return {
			...place,
			state: "missing",
			problems: [],
			hash: null,
			rules: null
		};
		const origin = {
			scope: place.scope,
			file: toDisplay(place.path)
		};
		const problems = [];
		if (content.kind === "text") {
			const { file, problems: found } = compileRuleText(content.text, origin);
			if (file !== null) {
				if (!this.instead.has(place.path)) this.keepGood(place.path, content.text);
				return {
					...place,
					state: "good",
					problems: [],
					hash: hash("sha256", content.text),
					rules: file
				};
			}
			problems.push(...found);
		} else problems.push(content.problem);
		const before = this.lastGood(place.path);
		const last = before === null ? null : compileRuleText(before, origin).file;
		if (before === null || last === null) return {
			...place,
			state: "broken",
			problems,
			hash: null,
			rules: null
		};
		return {
			...place,
			state: "last-good",
			problems,
			hash: hash("sha256", before),
			rules: last
		};
	}
	goodFile(path) {
		return `${this.stateDir}/rules/${hash("sha256", Buffer.from(path, "latin1"))}.json`;
	}
	lastGood(path) {
		const kept = readPlainJson(this.goodFile(path));
		const [ofPath, text] = Array.isArray(kept) ? kept : [];
		return ofPath === path && typeof text === "string" ? text : null;
	}
	keepGood(path, text) {
		if (this.lastGood(path) === text) return;
		orIfRefused(() => mkdirSync(`${this.stateDir}/rules`, {
			recursive: true,
			mode: 448
		}), void 0);
		tryWriteWhole(this.goodFile(path), Buffer.from(JSON.stringify([path, text]), "utf8"));
	}
};
function identityOf(path) {
	try {
		const found = lstat(path);
		if (found === null) return "";
		return [
			found.dev,
			found.ino,
			found.size,
			found.mode,
			found.uid,
			found.mtimeNs,
			found.ctimeNs
		].join(" ");
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return errorCode(error);
	}
}
function contentOf$1({ scope, path }) {
	const unusable = (problem) => ({
		kind: "unusable",
		problem
	});
	try {
		const found = lstat(path);
		if (found === null) return { kind: "missing" };
		if (found.type === "symlink") return unusable(fileIsLink());
		if (found.type !== "file") return unusable(fileIsNoFile());
		if (scope !== "project" && found.uid !== process.getuid?.()) return unusable(fileOfOther(found.uid));
		if (found.size > 2097152) return unusable(fileTooLarge(MAX_RULE_FILE_BYTES, found.size));
		const bytes = readPlainFile(Buffer.from(path, "latin1"));
		if (bytes === null) return { kind: "missing" };
		return isUtf8(bytes) ? {
			kind: "text",
			text: bytes.toString("utf8")
		} : unusable(fileNoText());
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return unusable(fileUnreadable(errorCode(error)));
	}
}
init_json_lines();
init_state_file();
function readTrusted(stateDir) {
	const value = readPlainJson(`${stateDir}/trust.json`);
	const list = isObject(value) && value["v"] === 1 ? value["trusted"] : null;
	return Array.isArray(list) ? list.filter(isTrusted) : [];
}
function isTrusted(value) {
	if (!isObject(value)) return false;
	return [
		"project",
		"hash",
		"at"
	].every((key) => typeof value[key] === "string");
}
init_bytes();
function loadRules(request, files = new RuleFiles(request.stateDir)) {
	const { project, stateDir, home, config } = request;
	const { enabled, sandboxed, builtIn } = config.rules;
	const loaded = rulePlaces({
		...request,
		projectRoot: project.root
	}).map((place) => files.load(place));
	const needsTrust = loaded.some((file) => file.scope === "project" && file.hash !== null);
	const hashes = new Set(needsTrust ? readTrusted(stateDir).flatMap((one) => one.project === project.id ? [one.hash] : []) : []);
	const own = loaded.map((file) => {
		return {
			...file,
			trusted: file.scope !== "project" || file.hash !== null && hashes.has(file.hash)
		};
	});
	const counting = enabled ? own : [];
	const dirs = counting.flatMap(({ trusted, rules }) => trusted ? rules?.allowedDirs ?? [] : []);
	return {
		enabled,
		sandboxed,
		deny: counting.flatMap(({ rules }) => rules?.deny ?? []),
		ordered: counting.flatMap(orderedOf),
		builtIn: new Set(enabled ? builtIn : []),
		allowedDirs: [...new Set(dirs.map((dir) => dir.replace(/^~(?=\/|$)/, home)).filter((dir) => isAbsolute(dir)))],
		effects: counting.flatMap(effectsOf).filter(({ effect }) => effect.do !== "auto"),
		auto: counting.filter((file) => mayCommit(file) && file.state === "good").flatMap(effectsOf).filter(({ effect }) => effect.do === "auto"),
		files: own,
		projectRoot: project.root
	};
}
function mayCommit({ scope, imported }) {
	return scope === "user" && !imported;
}
function effectsOf({ path, rules }) {
	return (rules?.effects ?? []).map((effect, i) => ({
		effect,
		place: `effects[${i}] of ${toDisplay(path)}`
	}));
}
function problemsOf({ problems, state }) {
	const inForce = state === "last-good" ? FINDING.lastGood : FINDING.neverGood;
	return problems.map((problem) => `${problem} (${inForce})`);
}
function orderedOf(file) {
	if (file.state === "broken") return [askAboutAll(file)];
	const rules = file.rules?.ordered ?? [];
	return file.trusted ? rules : rules.filter(({ ref }) => ref.list === "ask");
}
function askAboutAll({ scope, path, problems }) {
	const reason = problems[0] ?? "";
	return {
		ref: {
			scope,
			file: toDisplay(path),
			list: "ask",
			index: -1,
			hash: "",
			text: "",
			reason
		},
		rule: {},
		tool: null,
		match: [],
		until: null
	};
}
init_port();
var SLOW_MS = 25;
var MOST_MS$1 = 1e3;
var MOST_SLOW$1 = 2;
var ENTRY = Symbol.for("trai.rules.guarded");
var script = new Script(`globalThis[Symbol.for('trai.rules.guarded')]()`);
var Guard = class {
	slow = /* @__PURE__ */ new Map();
	count = 0;
	running = null;
	isSpent = false;
	run(work) {
		const started = performance.now();
		const usage = process.cpuUsage();
		for (let limit = 50;;) {
			const spent = Math.min(performance.now() - started, processorMs(usage));
			this.isSpent = this.count >= MOST_SLOW$1 || spent > MOST_MS$1;
			if (this.isSpent) return work();
			const before = process.cpuUsage();
			try {
				return interruptible(work, limit);
			} catch (error) {
				if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
				if (processorMs(before) >= SLOW_MS && this.noteSlow()) continue;
				limit *= 2;
			}
		}
	}
	test(pattern, text) {
		const { literals, atStart, regexp } = pattern;
		const isThere = (one) => atStart ? text.startsWith(one) : text.includes(one);
		if (literals.length > 0 && !literals.some(isThere)) return false;
		return this.watch(pattern, text, () => regexp.test(text));
	}
	watch(what, text, match) {
		if (this.isSpent || this.slow.get(what)?.has(text) === true) return null;
		this.running = {
			what,
			text,
			since: performance.now()
		};
		const found = match();
		this.running = null;
		return found;
	}
	noteSlow() {
		if (this.running === null || performance.now() - this.running.since < SLOW_MS) return false;
		const { what, text } = this.running;
		this.slow.set(what, (this.slow.get(what) ?? /* @__PURE__ */ new Set()).add(text));
		this.count += 1;
		return true;
	}
};
function processorMs(since) {
	const { user, system } = process.cpuUsage(since);
	return (user + system) / 1e3;
}
function interruptible(work, timeout) {
	const results = [];
	Reflect.set(globalThis, ENTRY, () => {
		results.push(work());
	});
	try {
		script.runInThisContext({ timeout });
	} finally {
		Reflect.deleteProperty(globalThis, ENTRY);
	}
	const [result] = results;
	return result === void 0 ? work() : result;
}
var CHUNK$1 = 2e3;
var WATCHED = 50;
var MOST_SLOW = 3;
var MOST_MS = 5e3;
var PLAIN_MS = .01;
function matchEffects(effects, entries, roots) {
	const isOver = limit(MOST_MS + PLAIN_MS * effects.length * entries.length);
	let slow = 0;
	return effects.map(({ paths }) => {
		const found = slow < MOST_SLOW && !isOver() ? matchEffect(compileIgnore({
			...roots,
			ignore: paths
		}), entries, isOver) : null;
		if (found === null) slow += 1;
		return found;
	});
}
function limit(most) {
	const started = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(started);
		return (user + system) / 1e3 > most;
	};
}
function matchEffect(matches, entries, isOver) {
	const found = [];
	for (let from = 0; from < entries.length; from += CHUNK$1) {
		if (isOver()) return null;
		const part = entries.slice(from, from + CHUNK$1);
		const guard = new Guard();
		const said = guard.run(() => matchPart(matches, part, guard));
		if (said === null) return null;
		found.push(...said);
	}
	return found;
}
function matchPart(matches, part, guard) {
	const found = [];
	for (let from = 0; from < part.length; from += WATCHED) {
		const some = part.slice(from, from + WATCHED);
		const said = guard.watch(matches, some[0]?.path ?? "", () => some.map(({ path, isDir }) => matches(path, isDir) !== null));
		if (said === null) return null;
		found.push(...said);
	}
	return found;
}
init_bytes();
init_mounts();
init_port();
var knownFiles = /* @__PURE__ */ new Map();
function loadEffects(ctx) {
	const { effects, auto, enabled, files } = rulesOf(ctx);
	return {
		effects,
		auto: brokenOf({
			enabled,
			files
		}).length > 0 ? [] : auto
	};
}
function withEffects(ctx, list, { effects } = rulesOf(ctx)) {
	return effects.length === 0 ? list : {
		...list,
		changes: markChanges(list.changes, effects, ctx)
	};
}
function autoChanges(changes, auto, roots) {
	const matched = matchAll(changes, auto, roots);
	return new Map(changes.flatMap((change, i) => {
		const first = auto.find(({ effect }, e) => matched[e]?.[i] === true && isOfKind(effect, change));
		return first === void 0 ? [] : [[change, first.place]];
	}));
}
function withNamedEffects(ctx, changes) {
	const found = namedEffects(changes, rulesOf(ctx).effects, ctx);
	return changes.map((change, i) => {
		const effects = found[i] ?? [];
		return effects.length === 0 ? change : {
			...change,
			effects
		};
	});
}
function effectMarks(ctx, changes) {
	const { effects, auto } = loadEffects(ctx);
	const key = JSON.stringify([effects, auto]);
	const known = knownMarks.get(changes);
	if (known?.key === key) return {
		marks: known.marks,
		unknown: unknownEffects(ctx)
	};
	const found = namedEffects(changes, effects, ctx);
	const places = autoChanges(auto.length === 0 ? [] : changes.filter((change, i) => found[i]?.length === 0 && mayGoUnread(change, ctx)), auto, ctx);
	const texts = new Map(auto.map(({ effect, place }) => [place, effectText(place, effect.reason ?? "")]));
	const packed = packMarks(changes, (change, i) => {
		const place = places.get(change);
		return place === void 0 ? found[i] ?? [] : [{
			do: "auto",
			text: texts.get(place) ?? place
		}];
	});
	knownMarks.set(changes, {
		key,
		marks: packed
	});
	return {
		marks: packed,
		unknown: unknownEffects(ctx)
	};
}
var knownMarks = /* @__PURE__ */ new WeakMap();
function unknownEffects(ctx) {
	return brokenOf(rulesOf(ctx)).map(({ path, problems }) => effectsUnknown(toDisplay(path), problems[0] ?? ""));
}
function brokenOf({ enabled, files }) {
	return enabled ? files.filter(({ state }) => state === "broken") : [];
}
function ruleNews(ctx) {
	const { enabled, files } = rulesOf(ctx);
	if (!enabled) return ctx.configDir === void 0 ? [] : [rulesOff];
	return files.flatMap((file) => problemsOf(file).map((problem) => ruleFileProblem(toDisplay(file.path), problem)));
}
function rulesOf(ctx) {
	const { configDir } = ctx;
	if (configDir === void 0) return {
		effects: [],
		auto: [],
		enabled: false,
		files: []
	};
	const env = { XDG_CONFIG_HOME: dirname(configDir) };
	const known = knownFiles.get(ctx.stateDir) ?? new RuleFiles(ctx.stateDir);
	knownFiles.set(ctx.stateDir, known);
	return loadRules({
		env,
		stateDir: ctx.stateDir,
		project: projectOf(ctx.projectRoot),
		session: ctx.session,
		home: toText(ctx.home),
		config: loadConfig(env).config
	}, known);
}
function markChanges(changes, effects, roots) {
	const found = namedEffects(changes, effects, roots);
	return changes.map((change, i) => {
		const named = found[i] ?? [];
		if (named.length === 0) return change;
		const first = (does) => named.find((one) => one.do === does)?.text;
		const [never = null, confirm, flag] = [
			first("never"),
			first("confirm"),
			first("flag")
		];
		const ignored = change.ignored ?? never;
		if (confirm !== void 0) return {
			...change,
			ignored,
			effect: {
				do: "confirm",
				text: confirm
			}
		};
		return flag === void 0 ? {
			...change,
			ignored
		} : {
			...change,
			ignored,
			effect: {
				do: "flag",
				text: flag
			}
		};
	});
}
function namedEffects(changes, effects, roots) {
	const found = changes.map(() => []);
	const matched = matchAll(changes, effects, {
		...roots,
		resolve: hostResolver(roots)
	});
	for (const [e, { effect, place }] of effects.entries()) {
		const isAbout = matched[e] ?? null;
		const text = isAbout === null ? effectSlow(place) : effectText(place, effect.reason ?? "");
		const { do: does } = effect;
		if (does === "auto") continue;
		for (const [i, change] of changes.entries()) {
			const named = found[i];
			if (isAbout?.[i] === false || named === void 0 || !isOfKind(effect, change)) continue;
			if (!named.some((one) => one.do === does)) named.push({
				do: does,
				text
			});
		}
	}
	return found;
}
function hostResolver({ home, projectRoot }) {
	let mounts = null;
	const mayLookAt = (path) => {
		mounts ??= visibleMounts(ownMounts());
		const known = mounts;
		const isInUse = (root) => isWithin(root, path) || holderOf$1(root, known) === holderOf$1(path, known);
		return isLocal$1(path, known) || isInUse(home) || isInUse(projectRoot);
	};
	return (path) => orNull(() => resolvePath(null, path, mayLookAt));
}
function matchAll(changes, effects, roots) {
	const entries = changes.map(({ path, pending, host }) => {
		return {
			path,
			isDir: (pending ?? host)?.type === "dir"
		};
	});
	return matchEffects(effects.map(({ effect }) => effect), entries, roots);
}
function isOfKind({ kinds }, { kind }) {
	if (kinds === void 0) return true;
	return kinds.includes(kind === "added" || kind === "deleted" ? kind : "modified");
}
var HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\ud800-\udfff]/gu;
var PICTURE = /\p{Extended_Pictographic}/u;
var SKIN = /\p{Emoji_Modifier}/u;
var KEY = /[0-9#*]/;
var BOM = 65279;
var CR = 13;
var JOINER = 8205;
var KEYCAP = "⃣";
function replaceHidden(text, by) {
	return text.replace(HIDDEN, (c, at) => {
		const code = c.codePointAt(0) ?? 0;
		return isPartOfPicture(text, at, code) ? c : by(code, at);
	});
}
function isPartOfPicture(text, at, code) {
	if (code === 65039 || code === 65038) {
		const before = characterBefore(text, at);
		if (KEY.test(before)) return text[at + 1] === KEYCAP;
		return PICTURE.test(before);
	}
	if (code !== JOINER || !PICTURE.test(characterAt(text, at + 1))) return false;
	const before = characterBefore(text, at);
	if (before === "️") return isPartOfPicture(text, at - 1, 65039);
	return PICTURE.test(before) || SKIN.test(before);
}
function characterBefore(text, at) {
	return [...text.slice(Math.max(0, at - 2), at)].pop() ?? "";
}
function characterAt(text, at) {
	const code = text.codePointAt(at);
	return code === void 0 ? "" : String.fromCodePoint(code);
}
var AROUND = 8;
function addsHidden(before, after) {
	let had = null;
	for (const place of hiddenPlaces(after)) {
		had ??= countOf(hiddenPlaces(before));
		const left = had.get(place) ?? 0;
		if (left === 0) return true;
		had.set(place, left - 1);
	}
	return false;
}
function* hiddenPlaces(text) {
	for (const { 0: c, index: at } of text.matchAll(HIDDEN)) {
		const code = c.codePointAt(0) ?? 0;
		const end = at + c.length;
		if (code === BOM && at === 0) continue;
		if (code === CR && text[end] === "\n") continue;
		if (isPartOfPicture(text, at, code)) continue;
		const left = text.slice(Math.max(0, at - AROUND), at).split(/[\r\n]/);
		const [right = ""] = text.slice(end, end + AROUND).split(/[\r\n]/);
		yield `${left.at(-1) ?? ""}${c}\n${right}`;
	}
}
init_limits();
function findLines(content, { text, matchCase }, max) {
	const fold = (of) => matchCase ? of : of.toLowerCase();
	const wanted = fold(text);
	const found = [];
	let total = 0;
	if (wanted === "" || !fold(content).includes(wanted)) return {
		found,
		total
	};
	for (const [index, line] of splitLines(content).entries()) {
		const folded = fold(line.text);
		const at = folded.indexOf(wanted);
		if (at < 0) continue;
		total++;
		if (found.length >= max) continue;
		const isExact = folded.length === line.text.length;
		found.push({
			line: index + 1,
			...snippet(line.text, isExact ? at : -1, wanted.length)
		});
	}
	return {
		found,
		total
	};
}
function snippet(line, at, length) {
	if (line.length <= 160) return {
		text: line,
		at,
		length: at < 0 ? 0 : length
	};
	if (at < 0) return {
		text: `${line.slice(0, 160)}…`,
		at,
		length: 0
	};
	const from = Math.max(0, Math.min(at - 40, line.length - 160));
	const to = Math.max(from + 160, at + length);
	const head = from > 0 ? "…" : "";
	return {
		text: `${head}${line.slice(from, to)}${to < line.length ? "…" : ""}`,
		at: at - from + head.length,
		length
	};
}
init_limits();
init_identity();
init_entry();
init_port();
function lookAt$1(ctx, change) {
	const covered = coveringDir(ctx.coveredDirs, change.path);
	if (covered === null) return null;
	const upper = upperPath(covered, change.path);
	try {
		const entry = change.pending === null ? null : lstatEntry(upper);
		const pending = entry !== null && isWhiteout(entry) ? null : entry;
		return {
			host: {
				path: change.path,
				real: realBelow(covered, covered.path, change.path),
				entry: change.host === null ? null : lstatEntry(change.path)
			},
			pending: {
				path: upper,
				real: realBelow(covered, covered.upper, change.path),
				entry: pending
			}
		};
	} catch {
		return null;
	}
}
function realBelow(covered, root, path) {
	const real = realPath(root);
	return upperPath({
		...covered,
		upper: real === "/" ? "" : real
	}, path);
}
function readNow({ path, real, entry }, maxBytes) {
	if (entry?.type !== "file") return null;
	return withSame(path, identityOf$2(entry), (fd, { dev, size }) => {
		if (dev !== entry.dev || readlinkSync(`/proc/self/fd/${fd}`, "latin1") !== real) return null;
		const head = readBytes$1(fd, Math.min(size, 8192));
		if (head === null) return null;
		if (isBinaryHead(head)) return { text: null };
		const bytes = size > maxBytes ? null : readBytes$1(fd, size);
		return bytes === null ? null : { text: decodeText(bytes) };
	}) ?? (entry.size === 0 ? { text: "" } : null);
}
var READ_LIMIT_MS = 3e3;
var HASH_MAX_BYTES = 16777216;
var CHUNK = 262144;
async function readSide(path, entry, real) {
	const omitted = (reason) => ({
		state: "omitted",
		reason,
		bytes: entry.size
	});
	if (entry.type !== "file") return omitted("special");
	const late = new AbortController();
	let timer;
	const limit = new Promise((resolve) => {
		timer = setTimeout(() => {
			late.abort();
			resolve(omitted("timeout"));
		}, READ_LIMIT_MS);
	});
	try {
		return await Promise.race([read(path, entry, real, late.signal), limit]);
	} catch {
		return entry.size === 0 ? {
			state: "text",
			text: "",
			bytes: 0
		} : omitted("unreadable");
	} finally {
		clearTimeout(timer);
	}
}
async function read(path, entry, real, late) {
	const file = await openSame(path, entry, real);
	try {
		const content = file === null ? null : await readOpen(file, entry, late);
		if (file !== null && content !== null && await isSame(file, entry)) return content;
		return {
			state: "omitted",
			reason: "changed",
			bytes: entry.size
		};
	} finally {
		await file?.close();
	}
}
async function openSame(path, entry, real) {
	const file = await open(fsPath(path), READ_FLAGS);
	if (await readlink(`/proc/self/fd/${file.fd}`, "latin1") === real && await isSame(file, entry)) return file;
	await file.close();
	return null;
}
async function readOpen(file, entry, late) {
	const bytes = entry.size;
	const head = await readChunk(file, Math.min(bytes, SNIFF_BYTES), 0);
	if (head === null) return null;
	if (isBinaryHead(head)) return binary(file, head, bytes, late);
	if (bytes > 512e3) return {
		state: "large",
		head: new TextDecoder().decode(head, { stream: true }),
		bytes
	};
	const content = await readChunk(file, bytes, 0);
	if (content === null) return null;
	const text = decodeText(content);
	return text === null ? binary(file, head, bytes, late) : {
		state: "text",
		text,
		bytes
	};
}
async function binary(file, head, bytes, late) {
	const about = {
		state: "binary",
		mime: sniffMime(head),
		bytes,
		head: head.toString("hex", 0, HEX_BYTES)
	};
	if (bytes > HASH_MAX_BYTES) return {
		...about,
		sha256: null
	};
	const hash = createHash("sha256");
	for (let at = 0; at < bytes && !late.aborted; at += CHUNK) {
		const chunk = await readChunk(file, Math.min(CHUNK, bytes - at), at);
		if (chunk === null) return null;
		hash.update(chunk);
	}
	return {
		...about,
		sha256: hash.digest("hex")
	};
}
async function readChunk(file, bytes, from) {
	const buffer = Buffer.alloc(bytes);
	for (let at = 0; at < bytes;) {
		const { bytesRead } = await file.read(buffer, at, bytes - at, from + at);
		if (bytesRead === 0) return null;
		at += bytesRead;
	}
	return buffer;
}
async function isSame(file, entry) {
	const now = toStat(await file.stat({ bigint: true }));
	return now.type === "file" && now.dev === entry.dev && identityOf$2(now) === identityOf$2(entry);
}
init_limits();
init_entry();
function hasNewText({ kind, pending, ignored, renamedFrom }) {
	return pending?.type === "file" && kind !== "meta" && ignored === null && renamedFrom === void 0;
}
function* oneByOne(changes) {
	for (const change of changes) {
		yield change;
		yield null;
	}
}
async function lookForHidden(ctx, changes, ms) {
	const ends = performance.now() + ms;
	const found = /* @__PURE__ */ new Map();
	await inSlices(oneByOne(changes), (change) => {
		found.set(change.id, verdictOf(ctx, change));
		return performance.now() >= ends;
	});
	return found;
}
async function hiddenAmong(ctx, changes, ms, known = /* @__PURE__ */ new Map()) {
	const texts = changes.filter(hasNewText);
	const open = texts.filter(({ id }) => !known.has(id));
	const found = open.length === 0 ? known : await lookForHidden(ctx, open, ms);
	const hidden = /* @__PURE__ */ new Set();
	let unread = 0;
	for (const { id } of texts) {
		const verdict = known.get(id) ?? found.get(id);
		if (verdict === "hidden") hidden.add(id);
		else if (verdict !== "clean") unread++;
	}
	return {
		hidden,
		unread
	};
}
function verdictOf(ctx, change) {
	const sides = lookAt$1(ctx, change);
	if (sides === null) return "unread";
	const { host, pending } = sides;
	if (!isListed(pending, change.upperIdentity) || !isListed(host, change.hostIdentity)) return "moved";
	const after = readNow(pending, HIDDEN_FILE_BYTES);
	if (after === null) return "unread";
	if (after.text === null || !addsHidden("", after.text)) return "clean";
	if (host.entry?.type !== "file") return "hidden";
	const before = readNow(host, HIDDEN_FILE_BYTES);
	if (before === null) return "unread";
	return addsHidden(before.text ?? "", after.text) ? "hidden" : "clean";
}
function isListed({ entry }, identity) {
	return identity === void 0 || identityOf$2(entry) === identity;
}
function searchable(changes, includeIgnored) {
	return changes.filter(({ pending, kind, ignored }) => pending?.type === "file" && kind !== "meta" && (includeIgnored || ignored === null));
}
async function searchPending(ctx, changes, order) {
	const page = {
		hits: [],
		more: {},
		searched: 0,
		skipped: 0,
		next: null
	};
	const ends = performance.now() + 400;
	await inSlices(oneByOne(changes), (change) => {
		searchOne(ctx, change, order, page);
		if (page.hits.length < 200 && performance.now() < ends) return false;
		page.next = page.searched < changes.length ? change.id : null;
		return true;
	});
	return page;
}
function searchOne(ctx, change, order, page) {
	page.searched++;
	const pending = lookAt$1(ctx, change)?.pending;
	const content = pending === void 0 ? null : readNow(pending, SEARCH_FILE_BYTES);
	if (content === null) page.skipped++;
	if (content === null || content.text === null) return;
	const { found, total } = findLines(content.text, order, 20);
	const { id: entry, path } = change;
	page.hits.push(...found.map((one) => ({
		entry,
		path,
		...one
	})));
	if (total > found.length) page.more[entry] = total - found.length;
}
var COMPARE_MS = 100;
async function lineCounts(ctx, changes) {
	const counts = {};
	for (const change of changes) counts[change.id] = await countOne(ctx, change);
	return counts;
}
async function countOne(ctx, change) {
	const sides = (change.pending?.type === "file" || change.host?.type === "file") && change.kind !== "meta" ? lookAt$1(ctx, change) : null;
	if (sides === null || !isCounted(sides.host) || !isCounted(sides.pending)) return null;
	const [before, after] = await Promise.all([textOf$1(sides.host), textOf$1(sides.pending)]);
	if (before === null || after === null) return null;
	const { added, removed, approximate } = compareTexts(before, after, { timeoutMs: COMPARE_MS });
	return approximate ? null : [added, removed];
}
function isCounted({ entry }) {
	return entry === null || entry.type !== "file" || entry.size <= 262144;
}
async function textOf$1({ path, real, entry }) {
	if (entry?.type !== "file") return "";
	const side = await readSide(path, entry, real);
	return side.state === "text" ? side.text : null;
}
init_bytes();
init_port();
var BYTES = 65536;
var BYTES_PER_PLACE = 16384;
function freeReserve(sessionDir) {
	const file = joinPath(fromText(sessionDir), "reserve");
	if (nodePort.lstat(file) !== null) nodePort.unlink(file);
}
function keepReserve(session) {
	const file = joinPath(fromText(session.sessionDir), "reserve");
	const wanted = BYTES + BYTES_PER_PLACE * session.coveredDirs.length;
	orNull(() => {
		const missing = wanted - (nodePort.lstat(file)?.size ?? 0);
		if (missing <= 0) return;
		const text = randomBytes(Math.ceil(missing * 3 / 4)).toString("base64");
		withHandle(nodePort, nodePort.openAppend(file), (fd) => nodePort.append(fd, text));
	});
}
init_bytes();
init_port();
init_proc();
async function sessionContext(stateDir, id, env = process.env, made) {
	return contextOf(stateDir, await readMeta(sessionDir(stateDir, id)), env, made);
}
function contextOf(stateDir, meta, env, made) {
	const { id } = meta;
	const dir = sessionDir(stateDir, id);
	const plan = made ?? readPlan(dir);
	const home = homeOf(env);
	const runtime = runtimeDir(env);
	const { config } = loadConfig(env, meta.configFile);
	const coveredDirs = knownCoveredDirs(dir, plan?.coveredDirs ?? []);
	const configDirs = claudeDirs(home, meta.claudeDirs ?? [], env);
	return {
		session: id,
		stateDir,
		sessionDir: dir,
		coveredDirs,
		source: plan?.source ?? mountSource(stateDir, id),
		root: isRealRoot(),
		uid: process.getuid?.() ?? 0,
		gid: process.getgid?.() ?? 0,
		home,
		projectRoot: meta.projectRoot,
		excluded: [
			fromText(stateDir),
			...runtime === null ? [] : [fromText(runtime)],
			...ownReplayDirs({
				sessionDir: dir,
				projectRoot: meta.projectRoot,
				home,
				coveredDirs
			}),
			...claudeOwnFiles(home, configDirs, meta.levels?.includes("box")),
			...linkedFiles(home, configDirs)
		],
		ignore: config.ignore,
		configDir: configDir(env),
		undo: config.undo
	};
}
function homeOf(env) {
	return withoutLinks(fromText(homeDir(env)));
}
function claudeDirs(home, recorded, env) {
	const own = env["CLAUDE_CONFIG_DIR"] ?? "";
	const named = [joinPath(home, ".claude"), ...[...recorded, own].filter(isAbsolute).map(fromText)];
	return [.../* @__PURE__ */ new Set([...named, ...named.map(withoutLinks)])];
}
function linkedFiles(home, configDirs) {
	const named = [home, ...configDirs].map((dir) => joinPath(dir, ".claude.json"));
	named.push(...configDirs.map((dir) => joinPath(dir, ".credentials.json")));
	return named.map(withoutLinks).filter((path) => !named.includes(path)).flatMap((path) => [
		"",
		".lock",
		".backup*",
		".tmp.*"
	].map((end) => `${path}${end}`));
}
function withoutLinks(path) {
	return orNull(() => realPath(path)) ?? path;
}
function mountSource(stateDir, session) {
	return `trai:${hash("sha256", stateDir).slice(0, 8)}:${session}`;
}
init_bytes();
init_errors$3();
init_text();
var nothingPending = (session) => new TraiError("not-found", `nothing is pending in session ${session}`);
var nothingToDiscard = (cannot) => new TraiError("not-found", `nothing of it can be dropped alone: ${cannot[0]?.why ?? ""}`, { paths: cannot.map(({ path, why }) => `${toDisplay(path)}: ${why}`) });
var MovedOn = class extends TraiError {
	constructor() {
		super("stale-revision", "the session has adopted the changes of another one since", { hint: "Review them, then repeat." });
	}
};
var UNTIL_QUIET = "Wait until they are done, or end them.";
var UNTIL_QUIET_TO_DISCARD = "Discard and end what runs (trai discard --yes --end-processes), or wait until it is done. See also: trai ps";
var UNTIL_CLIENT_ENDS = "Claude Code itself runs in this session (trai claude): end it first. What is pending stays.";
function isLive(processes, hint, session = "this session") {
	const [first] = processes;
	const count = countText(processes.length, "process", "processes");
	const what = first === void 0 ? "is busy" : `is live, with ${count} running: ${first.command}`;
	return new TraiError("live", `${session} ${what}`, {
		hint,
		paths: processes.map(({ pid, command }) => `${pid} ${command}`),
		data: { processes: processes.length }
	});
}
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
var MOST_ANCESTORS, SLACK_MS, START_UP_MS;
var init_origin = __esmMin((() => {
	MOST_ANCESTORS = 256;
	SLACK_MS = 2e3;
	START_UP_MS = 12e4;
}));
var processes_exports = /* @__PURE__ */ __exportAll({
	callProcesses: () => callProcesses,
	endThese: () => endThese,
	sessionProcesses: () => sessionProcesses
});
async function callProcesses(source, calls) {
	const found = (await liveProcesses(source)).filter(({ pid }) => !isOwnOrOver(pid));
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
	if (isRefresh(argumentsOf(pid))) return true;
	const stat = processStat(pid);
	return stat === null || stat.state === "Z" || isRefresh(argumentsOf(stat.parent));
}
function argumentsOf(pid) {
	for (let look = 0; look < 5; look++) {
		const argv = processArguments(pid);
		if (argv === null || argv.some((word) => word !== "")) return argv ?? [];
	}
	return [];
}
function learn(facts, pid, inside) {
	const stat = processStat(pid);
	if (stat === null) return;
	const marker = inside ? processEnvironment(pid)?.get("TRAI_CALL") ?? null : null;
	const { parent, sid, start } = stat;
	facts.set(pid, {
		pid,
		parent,
		sid,
		began: startedMs(start),
		marker,
		inside
	});
}
function listeningSockets() {
	const sockets = /* @__PURE__ */ new Map();
	for (const { local, state, inode } of tcpSockets()) {
		const port = Number.parseInt(local.split(":").at(-1) ?? "", 16);
		if (state === LISTEN && port > 0) sockets.set(inode, port);
	}
	return sockets;
}
function portsOf(pid, sockets) {
	if (sockets.size === 0) return [];
	const ports = /* @__PURE__ */ new Set();
	for (const target of descriptorLinks(pid)) {
		const port = sockets.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? "");
		if (port !== void 0) ports.add(port);
	}
	return [...ports].sort((a, b) => a - b);
}
async function endThese(source, keys) {
	const wanted = new Map(keys.map(({ pid, start }) => [pid, start]));
	return await endWhile(async () => {
		return (await liveProcesses(source)).filter(({ pid, start }) => wanted.get(pid) === start);
	});
}
var LISTEN;
var init_processes = __esmMin((() => {
	init_origin();
	init_proc();
	init_inside();
	init_live();
	LISTEN = "0A";
}));
init_processes();
init_bytes();
init_json_lines();
init_identity();
init_entry();
init_port();
init_state_file();
var LISTING_VERSION = 2;
var DIRS = ".listed.json";
var AT = ".listed-at";
function fileOf$2({ sessionDir }, name) {
	return `${sessionDir}/overlay/${name}`;
}
function readListing(ctx) {
	const none = {
		began: 0,
		stamp: 0,
		dirs: /* @__PURE__ */ new Map()
	};
	try {
		const [, began, stamp] = /^(\d+) (\d+)$/.exec(readPlainFile(fileOf$2(ctx, AT))?.toString("latin1") ?? "") ?? [];
		const value = JSON.parse(readPlainFile(fileOf$2(ctx, DIRS))?.toString("latin1") ?? "");
		if (!isListing(value) || began === void 0) return none;
		const dirs = new Map(value.dirs.map(([path, dir]) => [path, {
			...dir,
			marks: new Map(dir.marks)
		}]));
		return {
			began: Number(began),
			stamp: Number(stamp) / 1e6,
			dirs
		};
	} catch (error) {
		if (error instanceof SyntaxError || errorCode(error) !== "") return none;
		throw error;
	}
}
function isListing(value) {
	return isObject(value) && value["v"] === LISTING_VERSION && Array.isArray(value["dirs"]);
}
function momentNow(ctx) {
	const probe = `${fileOf$2(ctx, AT)}.${process.pid}`;
	try {
		return orNull(() => {
			writeFileSync(probe, "", { mode: 384 });
			return {
				began: Date.now(),
				stampNs: statSync(probe, { bigint: true }).mtimeNs
			};
		});
	} finally {
		rmSync(probe, { force: true });
	}
}
function writeListing(ctx, moment, dirs) {
	const lines = [...dirs].map(([path, dir]) => [path, {
		...dir,
		marks: [...dir.marks]
	}]);
	if (tryWriteWhole(fileOf$2(ctx, DIRS), JSON.stringify({
		v: LISTING_VERSION,
		dirs: lines
	}))) confirmListing(ctx, moment);
}
function confirmListing(ctx, { began, stampNs }) {
	tryWriteWhole(fileOf$2(ctx, AT), `${began} ${stampNs}`);
}
async function listUppers(ctx, quiet) {
	const moment = momentNow(ctx);
	const pass = await passOver(ctx, quiet);
	if (moment === null || pass.closed.size > 0) return pass;
	if (pass.changed) writeListing(ctx, moment, pass.dirs);
	else confirmListing(ctx, moment);
	return pass;
}
async function readUppers(ctx) {
	return await passOver(ctx, false);
}
async function passOver(ctx, quiet) {
	const pass = new Pass(readListing(ctx), quiet);
	for (const { path, upper } of ctx.coveredDirs) await collect$1(pass.walk(path, upper));
	return pass;
}
function entryId({ ino, birthNs }) {
	return `${ino}.${birthNs}`;
}
function ownState({ mode, uid, gid }) {
	return `${mode}.${uid}.${gid}`;
}
function toMs(ns) {
	return Number(ns) / 1e6;
}
var Pass = class {
	dirs = /* @__PURE__ */ new Map();
	closed = /* @__PURE__ */ new Set();
	before;
	quiet;
	byId = /* @__PURE__ */ new Map();
	reread = false;
	earliest = 0;
	constructor(before, quiet) {
		this.before = before;
		this.quiet = quiet;
		for (const dir of before.dirs.values()) this.byId.set(dir.id, dir);
	}
	get changed() {
		return this.reread || this.before.dirs.size !== this.dirs.size;
	}
	*walk(root, upperRoot) {
		this.earliest = this.before.began || toMs(lstatEntry(upperRoot)?.birthNs ?? 0n);
		const stack = [{
			path: root,
			upperPath: upperRoot
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			try {
				const entry = lstatEntry(at.upperPath);
				if (entry?.type !== "dir") continue;
				const dir = this.directory(at, entry);
				this.dirs.set(at.path, dir);
				for (const name of dir.dirs) stack.push({
					path: joinPath(at.path, name),
					upperPath: joinPath(at.upperPath, name)
				});
			} catch (error) {
				if (errorCode(error) === "") throw error;
				this.closed.add(at.path);
			}
		}
	}
	directory(at, entry) {
		const old = this.before.dirs.get(at.path);
		const known = old?.id === entryId(entry) ? old : void 0;
		const own = this.ownTimes(entry, known);
		const hides = known ?? {
			since: this.goneSince(at.path),
			placed: upTo(entry.ctimeNs)
		};
		const ctimeNs = String(entry.ctimeNs);
		const settled = toMs(entry.ctimeNs) < this.before.stamp;
		const same = known !== void 0 && known.ctimeNs === ctimeNs && settled;
		if (!same) this.reread = true;
		const names = same ? known : this.names(at, entry, known);
		return {
			id: entryId(entry),
			own: ownState(entry),
			...own,
			since: hides.since,
			placed: hides.placed,
			ctimeNs,
			marks: names.marks,
			dirs: names.dirs
		};
	}
	ownTimes(entry, known) {
		if (known !== void 0 && known.own === ownState(entry)) return {
			from: known.from,
			to: known.to
		};
		const moved = this.byId.get(entryId(entry));
		if (moved !== void 0 && toMs(entry.ctimeNs) < this.before.stamp) return {
			from: moved.from,
			to: moved.to
		};
		return order$1(Math.max(this.since(entry), toMs(entry.birthNs)), upTo(entry.ctimeNs));
	}
	since(entry) {
		return toMs(entry.ctimeNs) < this.before.stamp ? 0 : this.before.began;
	}
	markBefore(path) {
		const slash = path.lastIndexOf("/");
		return this.before.dirs.get(path.slice(0, slash) || "/")?.marks.get(path.slice(slash + 1));
	}
	names(at, holder, known) {
		const marks = /* @__PURE__ */ new Map();
		const dirs = [];
		const onHost = isDirectory(at.path);
		for (const one of readEntries(at.upperPath)) {
			const path = joinPath(at.path, one.name);
			if (one.isDirectory()) dirs.push(one.name);
			else if (one.isCharacterDevice() || onHost && isDirectory(path)) {
				const entry = lstatEntry(joinPath(at.upperPath, one.name));
				const was = known?.marks.get(one.name);
				if (entry === null) continue;
				if (isWhiteout(entry)) marks.set(one.name, this.mark(path, entry, holder, was));
				else if (onHost && isDirectory(path)) marks.set(one.name, this.instead(path, entry, holder, was));
			}
		}
		return {
			marks,
			dirs
		};
	}
	mark(path, mark, holder, was) {
		const { began } = this.before;
		const id = entryId(mark);
		const latest = Math.min(upTo(mark.ctimeNs), upTo(holder.ctimeNs));
		if (was?.id === id) {
			const times = !was.final && toMs(mark.ctimeNs) >= this.before.stamp ? order$1(was.from, Math.max(was.to, latest)) : {
				from: was.from,
				to: was.to
			};
			return {
				...was,
				...times,
				final: was.final || this.quiet
			};
		}
		const times = order$1(Math.max(began, toMs(mark.birthNs), began === 0 ? toMs(holder.birthNs) : 0), latest);
		return {
			id,
			...times,
			final: this.quiet,
			since: Math.min(this.goneSince(path), times.from)
		};
	}
	instead(path, entry, holder, was) {
		if (was?.id === "") return was;
		const since = this.goneSince(path);
		return {
			id: "",
			final: true,
			since,
			...order$1(since, Math.min(upTo(entry.ctimeNs), upTo(holder.ctimeNs)))
		};
	}
	goneSince(path) {
		return this.before.dirs.get(path)?.since ?? this.markBefore(path)?.since ?? this.earliest;
	}
};
function upTo(ns) {
	return Math.min(Date.now(), toMs(ns));
}
function order$1(from, to) {
	return {
		from: Math.min(from, to),
		to: Math.max(from, to)
	};
}
function isDirectory(path) {
	return lstatOrNone(path)?.type === "dir";
}
init_bytes();
init_call_times();
init_identity();
init_entry();
async function writeTimes(ctx, changes) {
	const asked = new WriteTimes(ctx, await readUppers(ctx));
	const times = new Float64Array(changes.length * 2);
	for (const [i, change] of changes.entries()) {
		const [from, to] = asked.of(change) ?? [NaN, NaN];
		times[2 * i] = from;
		times[2 * i + 1] = to;
	}
	return times;
}
var WriteTimes = class {
	ctx;
	uppers;
	returned;
	merged = /* @__PURE__ */ new Map();
	constructor(ctx, uppers) {
		this.ctx = ctx;
		this.uppers = uppers;
		this.returned = readReturned(ctx);
	}
	of(change) {
		const returned = this.returned.get(change.path);
		const time = this.now(change);
		return (returned === void 0 ? null : this.asReturned(change, time, returned)) ?? time;
	}
	now({ path, pending, upperIdentity }) {
		if (pending === null) return this.deleted(path);
		if (pending.type === "dir") {
			const listed = this.uppers.dirs.get(path);
			return listed === void 0 ? null : [listed.from, listed.to];
		}
		const ctimeNs = identityFields(upperIdentity)?.ctimeNs ?? this.look(path)?.ctimeNs;
		return ctimeNs === void 0 ? null : [Number(ctimeNs) / 1e6, Number(ctimeNs) / 1e6];
	}
	asReturned({ path }, time, returned) {
		let at = path;
		let entry = this.look(at);
		while (entry === null && at !== "/") {
			at = parentOf(at);
			entry = this.look(at);
		}
		const made = entry === null ? 0 : toMs(entry.birthNs);
		if (time === null || made === 0) return null;
		const isItself = (born) => at === path && born === String(entry?.birthNs);
		const isFrom = ({ since, until, born }) => (made >= since - 20 && made <= until || isItself(born)) && time[0] <= until;
		return returned.find(isFrom)?.time ?? null;
	}
	deleted(path) {
		const covered = coveringDir(this.ctx.coveredDirs, path);
		if (covered === null) return null;
		const { dirs, closed } = this.uppers;
		let gone = path;
		let holder = parentOf(path);
		for (; !dirs.has(holder); holder = parentOf(gone)) {
			if (holder === covered.path || closed.has(holder)) return null;
			gone = holder;
		}
		const listed = dirs.get(holder);
		const mark = listed?.marks.get(nameOf(gone));
		if (listed === void 0) return null;
		if (mark === void 0) return order(Math.min(listed.since, this.hiddenSince(parentOf(holder), covered.path)), listed.placed);
		if (gone === path) return [mark.from, mark.to];
		const since = mark.id === "" ? this.hiddenSince(holder, covered.path) : mark.from;
		return order(Math.min(mark.since, since), mark.to);
	}
	hiddenSince(dir, root) {
		let since = Number.POSITIVE_INFINITY;
		for (let at = dir; at.length > root.length; at = parentOf(at)) {
			const listed = this.uppers.dirs.get(at);
			if (listed === void 0 || this.isMerged(at, listed)) break;
			since = Math.min(since, listed.since);
		}
		return since;
	}
	isMerged(dir, { marks }) {
		const known = this.merged.get(dir) ?? [...marks.values()].some(({ id }) => id !== "");
		this.merged.set(dir, known);
		return known;
	}
	look(path) {
		const upper = upperPathIn(this.ctx.coveredDirs, path);
		return upper === null ? null : lstatOrNone(upper);
	}
};
function order(from, to) {
	return from <= to ? [from, to] : [to, from];
}
init_bytes();
init_text();
var NEWS = {
	committed: (entries, named) => `the user committed ${countText(entries, "change")}${named}: they are in the user's files now, where file tools and host commands see them.`,
	committedByRule: (entries, named) => `by a rule of the user, ${countText(entries, "change")}${named} went to the user's files after the call, where file tools and host commands see them.`,
	committedAgain: (entries, named) => `the user committed ${countText(entries, "change")} again${named}: they are in the user's files now.`,
	undone: (entries, named) => `the user undid a commit${named}: ${countText(entries, "change")} are pending again, and the user's files are as before the commit.`,
	discarded: (entries, named) => `the user discarded ${countText(entries, "change")}${named}: Bash sees the user's own files there again.`,
	discardUndone: (entries) => `the user undid a discard: ${countText(entries, "change")} are pending again.`,
	adopted: (from) => `the user lets this session go on with the pending changes of session ${from}.`
};
var manyFailed = (entries) => `${entries} entries failed`;
var STOPPED_BETWEEN = "it was stopped between two entries";
var markersWritten = (paths) => `conflict markers were written into ${paths.slice(0, 3).map(toDisplay).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
var COMMIT_NOT_BEGUN = "it was interrupted before it changed anything; everything is still pending";
var INTERRUPTED = {
	left: {
		discard: "a discard was interrupted, and not all of it could come back: the rest can still be undone",
		undo: "the undo of a discard was interrupted, and not all of it could come back: the rest can still be undone"
	},
	closed: {
		discard: "a discard was interrupted, and rolled back: all of it is pending",
		undo: "the undo of a discard was interrupted before it changed anything"
	}
};
var NEEDED_AGAIN = "it is gone already, or is needed again";
var autoLeft = (path, rule, because) => because === path ? `${path} stays pending: ${rule} matches it, but not everything that it goes with` : `${path} stays pending: ${rule} matches it, but not ${because}, without which it cannot go`;
var autoFailed = (why) => `what effect rules would commit stays pending: ${why}`;
init_bytes();
init_text();
init_port();
init_state_file();
init_append();
function log(ctx, event) {
	logTo(ctx.sessionDir, event);
	const line = lineOf(ctx, event);
	if (line !== null) tellAgent(ctx.sessionDir, line);
}
function logCommit(ctx, report, state) {
	const [first, ...more] = report.failed;
	const many = more.length > 0 ? manyFailed(report.failed.length) : void 0;
	const stopped = report.cancelled === true ? STOPPED_BETWEEN : "";
	const { n, applied, bytes, kept, marked = [] } = report;
	const markers = marked.length === 0 ? "" : markersWritten(marked);
	const failed = [many ?? first?.message ?? stopped, markers].filter(Boolean).join("; ");
	const begin = readJournal(nodePort, ctx, n)?.begin;
	const of = begin?.undoes ?? begin?.redoes;
	if (of !== void 0) {
		log(ctx, {
			t: "commit.undone",
			n,
			of,
			redo: begin?.redoes !== void 0,
			state,
			entries: applied,
			bytes,
			text: failed
		});
		return;
	}
	log(ctx, {
		t: "commit",
		n,
		state,
		entries: applied,
		bytes,
		conflicts: kept,
		text: failed,
		auto: begin?.auto ?? ""
	});
}
var AGENT_NEWS = "agent-news";
var MAX_BYTES = 8e3;
function tellAgent(sessionDir, line) {
	const file = `${sessionDir}/${AGENT_NEWS}`;
	try {
		const known = lstatSync(file, { throwIfNoEntry: false });
		if (known !== void 0 && (!known.isFile() || known.size > MAX_BYTES)) return;
		appendFileSync(file, `${line}\n`, { mode: 384 });
	} catch {}
}
function lineOf(ctx, event) {
	if (event.t === "undo") return NEWS.discardUndone(event.entries);
	if (!("entries" in event) || event.entries === 0) return null;
	if (event.t === "commit") return (event.auto === "" ? NEWS.committed : NEWS.committedByRule)(event.entries, named$1(ctx, { n: event.n }));
	if (event.t === "commit.undone") return (event.redo ? NEWS.committedAgain : NEWS.undone)(event.entries, named$1(ctx, { n: event.n }));
	if (event.t === "discard") return NEWS.discarded(event.entries, named$1(ctx, { trash: event.trash }));
	return null;
}
function named$1(ctx, key) {
	try {
		const { paths, next } = historyPaths(ctx, key, 0);
		const names = paths.map(({ path: one }) => one);
		return names.length === 0 ? "" : ` (${namedPaths(names, ctx.projectRoot, next !== null)})`;
	} catch {
		return "";
	}
}
async function keepingTimes(ctx, list, commit) {
	const times = await writeTimes(ctx, list.changes);
	const report = await commit();
	if (report.applied > 0) ignoring(() => keepTimes(timesFile(ctx, report.n), list.changes, times));
	return report;
}
async function keepingDiscarded(ctx, { changes }, discard) {
	const times = await writeTimes(ctx, changes);
	const { paths, ...report } = await discard();
	const left = new Set((report.left ?? []).map(({ path }) => path));
	ignoring(() => {
		const taken = changes.map((_, i) => i).filter((i) => isTaken(changes[i], paths, left));
		const own = new Float64Array(taken.flatMap((i) => [...times.subarray(2 * i, 2 * i + 2)]));
		keepTimes(`${toText(trashDir(ctx))}/${report.trash}/${TIMES}`, taken.flatMap((i) => changes[i] ?? []), own);
	});
	return report;
}
function isTaken(change, paths, left) {
	return change !== void 0 && (paths === null || paths.has(change.path)) && !left.has(change.path);
}
function returnWritten(ctx, { n }) {
	ignoring(() => {
		const record = readJournal(nodePort, ctx, n);
		const of = record?.begin.undoes;
		if (record === null || of === void 0) return;
		const moved = record.units.filter((unit) => unit.kind === "move-to-store");
		const births = new Map(moved.flatMap(({ i, path, born }) => record.done.has(i) ? [[path, born.split(":")[3] ?? ""]] : []));
		returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
	});
}
function timesFile(ctx, n) {
	return `${toText(commitDir(ctx, n))}/${TIMES}`;
}
function ignoring(work) {
	try {
		work();
	} catch {}
}
init_port();
init_append();
async function finishInterrupted(session, onProgress) {
	const n = unfinishedCommit(session);
	if (n === null) return null;
	const report = await finishCommit(await asQuiet(session) ?? session, { onProgress });
	if (report === null) {
		log(session, {
			t: "commit",
			n,
			state: "refused",
			entries: 0,
			bytes: 0,
			conflicts: 0,
			auto: "",
			text: COMMIT_NOT_BEGUN
		});
		return null;
	}
	await showUndone(session, report);
	returnWritten(session, report);
	logCommit(session, report, "finished-later");
	return report;
}
async function showUndone(session, { n }) {
	const record = readJournal(nodePort, session, n);
	if (record?.begin.undoes === void 0 || await asQuiet(session) !== null) return;
	await refreshView(session, record.units.map(({ path }) => path));
}
async function finishInterruptedUndo(session) {
	const n = unfinishedCommit(session);
	if ((n === null ? void 0 : readJournal(nodePort, session, n))?.begin.undoes !== void 0) await finishInterrupted(session);
}
async function giveUpInterrupted(session) {
	const closed = await closeUnfinished(session);
	if (closed !== null) logCommit(session, closed, "finished-later");
	return closed;
}
function repairedEvent({ discard: { name: trash, entries, record }, outcome }) {
	if (outcome === "discarded") return {
		t: "discard",
		trash,
		entries,
		ended: []
	};
	if (outcome === "undone") return {
		t: "undo",
		what: "discard",
		trash,
		entries
	};
	const what = record.reopened === null ? "discard" : "undo";
	return {
		t: "notice",
		code: "unfinished",
		text: outcome === "left" ? INTERRUPTED.left[what] : INTERRUPTED.closed[what]
	};
}
async function finishDiscardLive(session) {
	const discard = openDiscard(session);
	if (discard?.kind !== "selection") return discard === null;
	const { record } = discard;
	if (record.begin.discards?.live !== true && record.reopened === null) return false;
	const journal = openJournal(nodePort, discard.dir);
	if (journal === null) return false;
	log(session, repairedEvent({
		discard,
		outcome: await useAndCloseAsync(journal, async () => {
			const transaction = {
				port: nodePort,
				ctx: session,
				journal
			};
			if (record.reopened !== null) return (await restoreLive(transaction)).length > 0 ? "left" : "undone";
			if (!isForward(discard)) {
				abort(transaction);
				return "rolled-back";
			}
			return (await finishDiscard(transaction, true)).entries > 0 ? "discarded" : "rolled-back";
		})
	}));
	return true;
}
async function recordAdoption(stateDir, { from, to, entries }) {
	const known = await readMeta(sessionDir(stateDir, from)).catch((error) => {
		if (errorCode(error) === "no-session") return null;
		throw error;
	});
	for (const id of known === null ? [to] : [from, to]) logTo(sessionDir(stateDir, id), {
		t: "adopt",
		from,
		to,
		entries
	});
	if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({
		...meta,
		wentOnIn: to
	}));
	tellAgent(sessionDir(stateDir, to), NEWS.adopted(from));
	await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}
function adopter(meta, from, known) {
	const adopted = [.../* @__PURE__ */ new Set([...meta.adopted ?? [], from])];
	const claudeDirs = [.../* @__PURE__ */ new Set([...meta.claudeDirs ?? [], ...known?.claudeDirs ?? []])];
	const { wentOnIn: _, ...rest } = meta;
	return {
		...rest,
		adopted,
		claudeDirs
	};
}
init_bytes();
init_port();
init_client_door();
init_live();
init_append();
async function withSession(who, mode, work) {
	return await withLock(directoryOf(who), async (locked) => {
		if (mode === "read" && isContext(who)) return await work(lockedAs(locked, who));
		const live = await recovered(locked, who);
		return await work(mode === "quiet" ? await expectQuiet(live) : live);
	});
}
async function withRequest(ctx, work) {
	expectLog(ctx.sessionDir);
	return await withSession(ctx, "live", async (session) => {
		freeReserve(session.sessionDir);
		try {
			if (openDiscard(session) !== null && (await asQuiet(session) !== null || !await finishDiscardLive(session))) await expectQuiet(session, "An interrupted discard has to be finished first, which takes a session where nothing runs.");
			return await work(session);
		} finally {
			keepReserve(session);
		}
	});
}
async function expectQuiet(session, hint = UNTIL_QUIET, whose) {
	const quiet = await asQuiet(session);
	if (quiet !== null) {
		recoverQuiet(quiet);
		return quiet;
	}
	const way = isClientRunning(session.sessionDir) ? UNTIL_CLIENT_ENDS : hint;
	throw isLive(await liveProcesses(session.source), way, whose);
}
async function recovered(locked, who) {
	const context = async () => isContext(who) ? who : await sessionContext(who.stateDir, who.session, who.env);
	const waits = needsRepair(locked);
	if (waits) {
		freeReserve(locked.sessionDir);
		const repaired = repairLink(locked);
		if (repaired !== null) log(await context(), repairedEvent(repaired));
	}
	const session = lockedAs(locked, await context());
	const quiet = waits ? await asQuiet(session) : null;
	if (quiet !== null) recoverQuiet(quiet);
	if (adoptionWaits(session.sessionDir)) await logAdoption(session, recordAdoption);
	if (!session.coveredDirs.every(isOfOverlay)) throw new MovedOn();
	return session;
}
function recoverQuiet(session) {
	const repaired = repairOverlay(session);
	if (repaired !== null) log(session, repairedEvent(repaired));
}
function directoryOf(who) {
	const { stateDir, session } = who;
	return {
		stateDir,
		session,
		sessionDir: isContext(who) ? who.sessionDir : sessionDir(stateDir, session)
	};
}
function isContext(who) {
	return "coveredDirs" in who;
}
function isOfOverlay({ path, upper }) {
	const dir = fsPath(parentOf(upper));
	const link = orNull(() => readlinkSync(fsPath(joinPath(parentOf(upper), "l")), "latin1"));
	return existsSync(dir) && (link ?? path) === path;
}
init_bytes();
function selectAuto(request) {
	const { list, matched } = request;
	const rules = /* @__PURE__ */ new Map();
	for (const change of list.changes) {
		const rule = matched.get(change);
		if (rule !== void 0 && isFree(change, request)) rules.set(change.path, rule);
	}
	const left = [];
	for (let out = dependents(list, rules); out.size > 0; out = dependents(list, rules)) for (const [path, because] of out) {
		const rule = rules.get(path);
		if (rule !== void 0) left.push({
			path,
			rule,
			because
		});
		rules.delete(path);
	}
	return {
		paths: new Set(rules.keys()),
		rules: [...new Set(rules.values())],
		left
	};
}
function isFree(change, { place, refused }) {
	return mayGoUnread(change, place) && !refused(change);
}
function dependents(list, selected) {
	const out = brokenSets(list, selected);
	if (out.size > 0 || selected.size === 0) return out;
	const { along, stays, steps } = planTakingSandbox(list, false, new Set(selected.keys()));
	const causes = new Map(along.map(({ change, because }) => [change.path, because.path]));
	const holders = /* @__PURE__ */ new Set();
	for (const { change, because, rule } of along) {
		let cause = because.path;
		for (let next = causes.get(cause); next !== void 0; next = causes.get(cause)) cause = next;
		if (selected.has(cause)) out.set(cause, change.path);
		if (HOLDS.has(rule)) holders.add(change.path);
	}
	if (holders.size > 0) {
		for (const path of selected.keys()) if (!out.has(path) && isBelowAny(path, holders)) out.set(path, above(path, holders));
	}
	for (const { path } of stays) if (selected.has(path)) out.set(path, path);
	if (out.size === 0 && steps.flatMap(changesOf).some(({ path }) => !selected.has(path))) for (const path of selected.keys()) out.set(path, path);
	return out;
}
var HOLDS = /* @__PURE__ */ new Set(["holds", "above"]);
function above(path, dirs) {
	let at = parentOf(path);
	while (at !== "/" && !dirs.has(at)) at = parentOf(at);
	return at;
}
function brokenSets({ changes }, selected) {
	const out = /* @__PURE__ */ new Map();
	for (const { members } of [...groupsOf(changes), ...linkedOf(changes)]) {
		const paths = members.flatMap((i) => changes[i]?.path ?? []);
		const missing = paths.find((path) => !selected.has(path));
		if (missing === void 0) continue;
		for (const path of paths) if (selected.has(path)) out.set(path, missing);
	}
	return out;
}
init_bytes();
init_identity();
init_entry();
init_port();
init_state_file();
var known = /* @__PURE__ */ new Map();
function leftAlone(ctx, changes) {
	const undone = undonePaths(ctx);
	const found = /* @__PURE__ */ new Set();
	if (undone.size === 0) return found;
	const dirs = [];
	const needed = /* @__PURE__ */ new Set();
	for (const { path, pending, host } of changes) {
		const endedAt = undone.get(path);
		if (endedAt !== void 0 && (pending ?? host)?.type === "dir") dirs.push(path);
		else if (endedAt !== void 0 && !wasWritten(ctx, path, endedAt)) found.add(path);
		else for (let at = parentOf(path); at !== "/" && !needed.has(at); at = parentOf(at)) needed.add(at);
	}
	for (const path of dirs) if (!needed.has(path)) found.add(path);
	return found;
}
function undonePaths(ctx) {
	const found = /* @__PURE__ */ new Map();
	for (const owner of ownersOf(ctx)) for (const n of commitNumbers(nodePort, owner)) {
		const { paths = [], endedAt = 0 } = undoneBy(owner, n) ?? {};
		for (const path of paths) found.set(path, Math.max(endedAt, found.get(path) ?? 0));
	}
	return found;
}
function ownersOf({ stateDir, session }) {
	const owners = /* @__PURE__ */ new Map();
	const visit = (id) => {
		if (owners.has(id)) return;
		const owner = { sessionDir: sessionDir(stateDir, id) };
		owners.set(id, owner);
		const meta = readPlainJson(metaPath(owner.sessionDir));
		if (isSessionMeta(meta)) for (const from of meta.adopted ?? []) visit(from);
	};
	visit(session);
	return [...owners.values()];
}
function undoneBy(ctx, n) {
	const ofSession = known.get(ctx.sessionDir) ?? /* @__PURE__ */ new Map();
	known.set(ctx.sessionDir, ofSession);
	const before = ofSession.get(n);
	if (before !== void 0) return before;
	const record = readJournal(nodePort, ctx, n);
	if (record?.phase !== "closed") return null;
	const { begin, units, done, pending, endedAt } = record;
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => entriesOf(unit));
	const undone = begin.undoes === void 0 || endedAt === null ? null : {
		paths: new Set([...paths, ...pending].map(({ path }) => path)),
		endedAt
	};
	ofSession.set(n, undone);
	return undone;
}
function wasWritten({ coveredDirs }, path, endedAt) {
	for (let at = path; at !== "/"; at = parentOf(at)) {
		const upper = upperPathIn(coveredDirs, at);
		const entry = upper === null ? null : lstatOrNone(upper);
		if (entry === null) continue;
		return (at === path || isWhiteout(entry)) && entry.mtimeNs > BigInt(endedAt) * 1000000n;
	}
	return false;
}
init_bytes();
init_port();
function rulePathsOf(configDir) {
	const through = /* @__PURE__ */ new Set();
	return {
		through,
		real: orNull(() => resolvePath(null, fromText(configDir), (path) => through.add(path)))
	};
}
function decidesRules(path, { through, real }) {
	return through.has(path) || real !== null && isWithin(path, real);
}
init_bytes();
init_errors$3();
init_limits();
init_entry();
init_client_door();
var NOTHING$1 = {
	report: null,
	left: []
};
var MOST_NAMED = 5;
async function autoCommit(ctx, commit, signal) {
	const effects = loadEffects(ctx);
	if (effects.auto.length === 0) return NOTHING$1;
	const cancelled = () => signal?.aborted === true;
	const seen = await scan(ctx);
	const first = select(ctx, seen, {
		effects,
		clean: null,
		held: /* @__PURE__ */ new Set()
	});
	const left = leftTexts(first);
	if (first.paths.size === 0 || cancelled()) return {
		report: null,
		left
	};
	const clean = await readTexts(ctx, seen.changes.filter(({ path }) => first.paths.has(path)));
	try {
		const look = {
			effects,
			clean,
			cancelled,
			commit
		};
		return {
			report: await withRequest(ctx, async (locked) => await commitMatched(locked, look)),
			left
		};
	} catch (error) {
		if (!(error instanceof TraiError) || error.code === "busy") return NOTHING$1;
		return {
			report: null,
			left: [...left, autoFailed(messageOf(error))]
		};
	}
}
async function commitMatched(locked, { effects, clean, cancelled, commit }) {
	const isIdle = await asQuiet(locked) !== null || isClientRunning(locked.sessionDir);
	if (cancelled() || !isIdle) return null;
	await recordBases(locked);
	const { found, session, settled } = await lookSettled(locked, () => scan(locked));
	const list = withEffects(session, found, effects);
	const selection = select(session, found, {
		effects,
		clean,
		held: session.quiet ? /* @__PURE__ */ new Set() : heldForWriting(matchedInodes(session, found, effects))
	});
	if (selection.paths.size === 0 || cancelled()) return null;
	const tools = {
		settled,
		cancelled,
		auto: selection.rules.join(", ")
	};
	return await commit(session, list, requestOf(list, selection), tools);
}
function requestOf({ revision }, { paths }) {
	return {
		revision,
		includeIgnored: false,
		conflicts: "refuse",
		choices: {},
		yes: false,
		typedCount: null,
		exactly: paths
	};
}
function select(ctx, scanned, { effects, clean, held }) {
	const list = withEffects(ctx, scanned, effects);
	const matched = autoChanges(list.changes, effects.auto, ctx);
	const alone = matched.size === 0 ? /* @__PURE__ */ new Set() : leftAlone(ctx, matched.keys());
	const rulePaths = ctx.configDir === void 0 ? null : rulePathsOf(ctx.configDir);
	return selectAuto({
		list,
		matched,
		place: ctx,
		refused: (change) => alone.has(change.path) || rulePaths !== null && decidesRules(change.path, rulePaths) || clean !== null && hasNewText(change) && !clean.has(textKey(change)) || held.size > 0 && inodesOf(ctx, change).some((ino) => held.has(ino))
	});
}
async function readTexts(ctx, changes) {
	const texts = changes.filter(hasNewText);
	const verdicts = texts.length === 0 ? /* @__PURE__ */ new Map() : await lookForHidden(ctx, texts, HIDDEN_MS.order);
	return new Set(texts.filter(({ id }) => verdicts.get(id) === "clean").map(textKey));
}
function textKey({ path, upperIdentity, hostIdentity }) {
	return `${path}\0${upperIdentity}\0${hostIdentity}`;
}
function matchedInodes(ctx, { changes }, { auto }) {
	const matched = [...autoChanges(changes, auto, ctx).keys()];
	return new Set(matched.flatMap((change) => inodesOf(ctx, change)));
}
function inodesOf({ coveredDirs }, { path, pending, renamedFrom }) {
	if (pending?.type !== "file") return [];
	return [
		upperPathIn(coveredDirs, path),
		path,
		renamedFrom ?? null
	].flatMap((name) => name === null ? [] : lstatOrNone(name)?.ino ?? []);
}
function leftTexts({ left }) {
	return left.slice(0, MOST_NAMED).map(({ path, rule, because }) => autoLeft(toDisplay(path), rule, toDisplay(because)));
}
var NO_BOX = {
	record: null,
	everBoxed: false,
	running: false,
	startedAt: "",
	endedAt: "",
	call: null,
	processes: [],
	instance: null,
	hosts: null,
	network: null
};
init_bytes();
var STAYS = {
	used: "its project is there",
	away: "it is not there any more",
	name: "its name is no project’s id",
	foreign: "it is no directory of yours with mode 0700",
	record: "its project-root is no file of yours with one absolute path",
	running: "a box of it runs",
	pending: (session) => `session ${session} of it has pending changes`,
	unread: (session) => `session ${session} of it could not be read`,
	above: (dir) => `the directory above its project is gone as well (${dir}): a disk that is not mounted?`,
	empty: (dir) => `the directory above its project can’t be read, or is empty (${dir}): a disk that is not mounted?`
};
init_bytes();
init_bytes();
init_client_door();
var p = (...paths) => paths;
p(...[
	"passwd",
	"group",
	"hosts",
	"host.conf",
	"resolv.conf",
	"nsswitch.conf",
	"gai.conf",
	"protocols",
	"services"
], ...[
	"ssl",
	"pki",
	"ca-certificates",
	"ca-certificates.conf",
	"crypto-policies",
	"localtime",
	"timezone"
], ...[
	"ld.so.cache",
	"ld.so.conf",
	"ld.so.conf.d",
	"alternatives",
	"os-release",
	"login.defs",
	"shells"
], ...[
	"environment",
	"locale.conf",
	"locale.alias",
	"profile",
	"profile.d",
	"bash.bashrc",
	"bashrc",
	"bash_completion.d"
], ...[
	"zsh",
	"zshenv",
	"zprofile",
	"zshrc",
	"inputrc",
	"terminfo",
	"mime.types",
	"magic",
	"fonts",
	"gitconfig"
], ...[
	"npmrc",
	"python3",
	"java",
	"maven",
	"nix",
	"static",
	"claude-code"
]).map((name) => joinPath("/etc", name));
[
	[
		"xdg",
		".cache",
		null
	],
	[
		"npm",
		".npm",
		null
	],
	[
		"cargo-registry",
		".cargo/registry",
		".cargo/bin"
	],
	[
		"cargo-git",
		".cargo/git",
		".cargo/bin"
	],
	[
		"go-pkg",
		"go/pkg",
		"go/bin"
	],
	[
		"gradle",
		".gradle",
		null
	],
	[
		"maven",
		".m2",
		null
	]
].map(([name]) => name);
[...p(...[
	"sessions",
	"file-history",
	"plans",
	"tasks",
	"todos",
	"teams",
	"statsig",
	"usage-data"
], ...[
	"paste-cache",
	"image-cache",
	"backups",
	"debug",
	"ide"
])];
init_bytes();
init_dir_handles();
init_entry();
init_port();
init_state_file();
init_proc();
init_box_record();
init_client_door();
var ROOT$1 = "project-root";
var boxesDir = (stateDir) => join(stateDir, "box");
var instanceDir = (stateDir, projectId) => join(boxesDir(stateDir), projectId);
function readRoot(dir) {
	const file = join(dir, ROOT$1);
	const stat = orNull(() => lstatSync(file));
	if (stat === null || !stat.isFile() || stat.uid !== process.getuid?.() || stat.size > 8192) return null;
	const text = readFileSync(file, "latin1");
	const [, path] = /^(\/[^\0\n]*)\n?$/.exec(text) ?? /^(\/[^\0]*)\0$/.exec(text) ?? [];
	return path === void 0 || /(^|\/)\.\.?(\/|$)/.test(path) ? null : path;
}
async function listInstances(stateDir, facts) {
	const names = instanceNames(stateDir);
	return await Promise.all(names.map((name) => instanceNamed(stateDir, name, facts)));
}
function instanceNames(stateDir) {
	return (orNull(() => readdirSync(boxesDir(stateDir))) ?? []).sort();
}
function lastUsed(instance) {
	return orNull(() => statSync(join(instance, "run")).mtimeMs);
}
async function instanceNamed(stateDir, id, facts) {
	const dir = instanceDir(stateDir, id);
	const stat = orNull(() => lstatSync(dir));
	const one = {
		id,
		root: null,
		lastUse: "",
		running: false,
		state: "unsure",
		why: "",
		sessions: []
	};
	if (!/^[0-9a-f]{16}$/.test(id)) return {
		...one,
		why: STAYS.name
	};
	if (stat === null || !stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 63) !== 0) return {
		...one,
		why: STAYS.foreign
	};
	const own = facts.sessions.filter(({ projectId }) => projectId === id);
	const used = lastUsed(dir);
	one.lastUse = used === null ? "" : new Date(used).toISOString();
	one.sessions = own.filter(({ levels }) => levels?.includes("box")).map((meta) => meta.id);
	one.running = own.some((meta) => isBoxRunning(stateDir, meta.id));
	const root = readRoot(dir);
	one.root = root;
	if (root === null) return {
		...one,
		why: STAYS.record
	};
	if (orNull(() => lstatSync(fsPath(root))) !== null) return {
		...one,
		state: "used"
	};
	const above = parentOf(root);
	if (orNull(() => statSync(fsPath(above)))?.isDirectory() !== true) return {
		...one,
		why: STAYS.above(toDisplay(above))
	};
	if (namesOrNone(above).length === 0) return {
		...one,
		why: STAYS.empty(toDisplay(above))
	};
	if (one.running) return {
		...one,
		why: STAYS.running
	};
	for (const meta of own) {
		const pending = await facts.hasPending(meta.id).catch(() => null);
		if (pending !== false) return {
			...one,
			why: (pending === null ? STAYS.unread : STAYS.pending)(meta.id)
		};
	}
	const [unread] = facts.broken;
	if (unread !== void 0) return {
		...one,
		why: STAYS.unread(unread.id)
	};
	return {
		...one,
		state: "gone"
	};
}
function isBoxRunning(stateDir, session) {
	const dir = sessionDir(stateDir, session);
	return isBoxed(dir) && isClientRunning(dir);
}
async function trashInstance(stateDir, id, now) {
	const trash = join(stateDir, "trash");
	mkdirSync(trash, {
		recursive: true,
		mode: 448
	});
	const to = join(trash, `box.${id}.${now}`);
	renameSync(instanceDir(stateDir, id), to);
	await syncPath(trash);
	return to;
}
init_json_lines();
init_state_file();
var fileIn$1 = (sessionDir) => join(sessionDir, "network.json");
function readBoxHosts(sessionDir) {
	const value = readPlainJson(fileIn$1(sessionDir));
	return isObject(value) && value["v"] === 1 && Array.isArray(value["hosts"]) ? value["hosts"] : [];
}
init_json_lines();
init_state_file();
init_proc();
var fileIn = (sessionDir) => join(sessionDir, "network-box.json");
function readNetworkRecord(sessionDir) {
	const value = readPlainJson(fileIn(sessionDir));
	if (!isObject(value) || value["v"] !== 1) return null;
	const record = value;
	return processStat(record.pid)?.start === record.start ? record : null;
}
init_live();
async function clientProcesses(ctx) {
	if ((await liveProcesses(ctx.source)).length === 0) return [];
	const { sessionProcesses } = await Promise.resolve().then(() => (init_processes(), processes_exports));
	const { readFold } = await Promise.resolve().then(() => (init_read(), read_exports));
	const fold = async () => await readFold(ctx.sessionDir);
	const found = await sessionProcesses(ctx.source, async () => (await fold()).spans());
	if (found.length === 0) return [];
	const others = new Set((await fold()).views().flatMap(({ id, origin }) => origin === "exec" || origin === "explore" ? [id] : []));
	return found.filter(({ call }) => call === null || !others.has(call));
}
init_bytes();
init_json_lines();
init_port();
init_state_file();
init_box_record();
init_read();
async function instancesAt({ stateDir, env }) {
	return await listInstances(stateDir, {
		...await listSessions(stateDir),
		hasPending: async (session) => await hasPending(await sessionContext(stateDir, session, env))
	});
}
async function sizedInstances(at) {
	const instances = [];
	for (const one of await instancesAt(at)) instances.push(await sized(at.stateDir, one));
	return {
		instances,
		dir: boxesDir(at.stateDir)
	};
}
async function sized(stateDir, one) {
	return {
		...one,
		bytes: await instanceSize(instanceDir(stateDir, one.id), one.running)
	};
}
async function collectInstances(at, { ids, dry }) {
	const { stateDir } = at;
	const wanted = ids === null ? null : new Set(ids);
	const report = {
		taken: [],
		left: [],
		dir: boxesDir(stateDir)
	};
	for (const one of await instancesAt(at)) {
		const isNamed = wanted?.delete(one.id) ?? false;
		const { id, root, state, why } = one;
		if (wanted !== null && !isNamed) continue;
		if (state === "gone" && root !== null) {
			const moved = dry ? "" : await trashInstance(stateDir, id, Date.now());
			report.taken.push({
				id,
				root,
				bytes: 0,
				at: moved
			});
		} else if (state === "unsure") report.left.push({
			id,
			why
		});
		else if (isNamed) report.left.push({
			id,
			why: STAYS.used
		});
	}
	for (const id of wanted ?? []) report.left.push({
		id,
		why: STAYS.away
	});
	for (const one of report.taken) one.bytes = await instanceSize(dry ? instanceDir(stateDir, one.id) : one.at, false);
	return report;
}
async function sessionBox({ session, stateDir, env }) {
	const ctx = await sessionContext(stateDir, session, env);
	const { sessionDir } = ctx;
	const record = knownBoxRecord(sessionDir);
	const { levels = [] } = await readMeta(sessionDir);
	const everBoxed = levels.includes("box");
	if (record === null) return {
		...NO_BOX,
		everBoxed
	};
	const running = isBoxRunning(stateDir, session);
	const start = (await readFold(sessionDir)).views().findLast(({ origin }) => origin === "client");
	return {
		record,
		everBoxed,
		running,
		startedAt: start?.startedAt ?? "",
		endedAt: running ? "" : start?.endedAt ?? "",
		call: start === void 0 ? null : {
			id: start.id,
			command: start.command
		},
		processes: await clientProcesses(ctx),
		instance: await instanceOf(record, running),
		hosts: record.net === "list" ? readBoxHosts(sessionDir) : null,
		network: record.net === "list" ? networkNow(env, sessionDir) : null
	};
}
function networkNow(env, sessionDir) {
	const { allow, deny } = loadConfig(env).config.box.network;
	const own = readNetworkRecord(sessionDir);
	return {
		allow: [.../* @__PURE__ */ new Set([...allow, ...own?.allow ?? []])].map((entry) => ({
			entry,
			hosts: parseEntry(entry)?.length ?? 0
		})),
		deny: [.../* @__PURE__ */ new Set([...deny, ...own?.deny ?? []])]
	};
}
async function instanceOf({ instance }, running) {
	if (!isOwnDir(instance)) return null;
	return {
		id: basename(instance),
		bytes: await instanceSize(instance, running)
	};
}
var RUNNING_MS = 6e4;
var QUIET_MS$1 = 864e5;
async function instanceSize(instance, running) {
	if (!isOwnDir(instance)) return await sizeOnDisk(fromText(instance));
	const file = join(instance, "size.json");
	const used = lastUsed(instance) ?? 0;
	const kept = orNull(() => readPlainJson(file));
	if (isValid(kept, used, running)) return kept.bytes;
	const at = Date.now();
	const bytes = await sizeOnDisk(fromText(instance));
	tryWriteWhole(file, JSON.stringify({
		v: 1,
		used,
		at,
		running,
		bytes
	}));
	return bytes;
}
function isOwnDir(path) {
	const stat = orNull(() => lstatSync(path));
	return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}
function isValid(kept, used, running) {
	if (!isObject(kept) || kept["v"] !== 1 || kept["used"] !== used || kept["running"] !== running) return false;
	const { at, bytes } = kept;
	if (typeof at !== "number" || typeof bytes !== "number") return false;
	const age = Date.now() - at;
	return age >= 0 && age < (running ? RUNNING_MS : QUIET_MS$1);
}
function freeSpace(dir) {
	const { bavail, blocks, bsize } = statfsSync(nearest(dir));
	return {
		free: bavail * bsize,
		size: blocks * bsize
	};
}
function lowSpace(stateDir, warnFreeBytes) {
	const { free } = freeSpace(stateDir);
	return free < warnFreeBytes ? {
		free,
		warnFreeBytes
	} : null;
}
function nearest(dir) {
	let at = dir;
	while (at !== "/" && !existsSync(at)) at = dirname(at);
	return at;
}
init_errors$3();
init_port();
init_live();
async function previewGc({ sessions, broken }) {
	const { found, problems } = await findGarbage(sessions.map(({ ctx }) => ctx), Date.now());
	return {
		found,
		problems: [...broken, ...problems],
		bytes: found.reduce((sum, { bytes }) => sum + bytes, 0)
	};
}
async function collect(stateDir, contexts, { items }) {
	const now = Date.now();
	const found = new Map((await findGarbage(contexts, now)).found.map((one) => [keyOf(one), one]));
	const report = {
		removed: [],
		kept: [],
		freed: 0
	};
	for (const item of items) {
		const garbage = found.get(keyOf(item));
		const ctx = contexts.find(({ session }) => session === item.session);
		const why = garbage === void 0 || ctx === void 0 ? NEEDED_AGAIN : await remove(ctx, garbage, now);
		const { kind, session, name } = item;
		if (garbage === void 0 || why !== null) {
			report.kept.push({
				kind,
				session,
				name,
				why: why ?? "it is gone already, or is needed again"
			});
			continue;
		}
		report.removed.push(garbage);
		report.freed += garbage.bytes;
	}
	const [first] = contexts;
	if (first !== void 0) sweepTrash(first);
	sweepUnmade(stateDir);
	return report;
}
async function remove(ctx, garbage, now) {
	try {
		return await withSession(ctx, "read", (session) => removeGarbage(session, garbage, now)) ? null : NEEDED_AGAIN;
	} catch (error) {
		return toErrorBody(error).error.message;
	}
}
function keyOf({ kind, session, name }) {
	return `${kind} ${session} ${name}`;
}
init_processes();
init_proc();
init_client_door();
init_live();
init_read();
async function withoutClient({ sessionDir }, processes) {
	if (!isClientRunning(sessionDir)) return {
		own: [],
		others: processes
	};
	const views = (await readFold(sessionDir)).views();
	const running = new Set(views.flatMap(({ id, origin, state }) => origin === "client" && state === "running" ? [id] : []));
	const isOwn = ({ call }) => call !== null && running.has(call);
	return {
		own: processes.filter(isOwn),
		others: processes.filter((one) => !isOwn(one))
	};
}
async function byClient(session) {
	const calls = async () => (await readFold(session.sessionDir)).spans();
	return await withoutClient(session, await sessionProcesses(session.source, calls));
}
async function endOthers(session) {
	return await endWhile(async () => isClientRunning(session.sessionDir) ? (await byClient(session)).others : await liveProcesses(session.source));
}
init_call_times();
init_read();
async function readOverlayLogs({ stateDir, session }) {
	const folds = /* @__PURE__ */ new Map();
	const waiting = [session];
	for (let id = waiting.pop(); id !== void 0; id = waiting.pop()) {
		if (folds.has(id)) continue;
		const fold = await readFold(sessionDir(stateDir, id));
		folds.set(id, fold);
		for (const { from, to } of fold.adoptions) if (to === id) waiting.push(from);
	}
	return {
		folds,
		spans: overlaySpans(session, (id) => folds.get(id) ?? null)
	};
}
init_flatten_string();
var IDENTITIES = [
	"hostIdentity",
	"upperIdentity",
	"xattrIdentity"
];
var ID_LENGTH = 16;
var STEP$1 = 5e3;
function addRun(runs, index) {
	const last = runs.length - 1;
	if (runs[last - 1] === index) runs[last] = (runs[last] ?? 0) + 1;
	else runs.push(index, 1);
}
var Column = class {
	values = [];
	runs = [];
	#known = /* @__PURE__ */ new Map();
	again() {
		const at = this.runs.length - 1;
		this.runs[at] = (this.runs[at] ?? 0) + 1;
	}
	add(key, value) {
		let index = this.#known.get(key);
		if (index === void 0) {
			index = this.values.push(value) - 1;
			this.#known.set(key, index);
		}
		addRun(this.runs, index);
	}
};
function* packing(changes, identities = false) {
	const dirs = new Column();
	const shapes = new Column();
	const names = [];
	const pendingSizes = [];
	const hostSizes = [];
	let last = null;
	let lastDir = null;
	for (const change of changes) {
		const slash = change.path.lastIndexOf("/");
		if (slash === lastDir?.length && change.path.startsWith(lastDir)) dirs.again();
		else {
			lastDir = change.path.slice(0, slash);
			dirs.add(lastDir, lastDir);
		}
		if (last !== null && haveOneShape(last, change)) shapes.again();
		else addShape(shapes, change);
		if (change.pending !== null) pendingSizes.push(change.pending.size);
		if (change.host !== null) hostSizes.push(change.host.size);
		last = change;
		names.push(change.path.slice(slash + 1));
		if (names.length % STEP$1 === 0) yield null;
	}
	return {
		count: changes.length,
		ids: changes.map(({ id }) => id).join(""),
		names: names.join("/"),
		dirs: dirs.values,
		dirRuns: dirs.runs,
		shapes: shapes.values,
		shapeRuns: shapes.runs,
		pendingSizes,
		hostSizes,
		...identities ? { identities: identitiesOf(changes) } : {}
	};
}
function identitiesOf(changes) {
	const column = (name) => changes.map((change) => change[name] ?? "").join("\n");
	return {
		hostIdentity: column("hostIdentity"),
		upperIdentity: column("upperIdentity"),
		xattrIdentity: column("xattrIdentity")
	};
}
function haveOneShape(a, b) {
	return a.kind === b.kind && a.xattrs === b.xattrs && a.hostLinks === b.hostLinks && a.renamedFrom === b.renamedFrom && a.ignored === b.ignored && a.conflict === b.conflict && a.group === b.group && haveOneLook(a.pending, b.pending) && haveOneLook(a.host, b.host) && (a.by === b.by || JSON.stringify(a.by) === JSON.stringify(b.by));
}
function haveOneLook(a, b) {
	if (a === null || b === null) return a === b;
	return a.type === b.type && a.mode === b.mode && a.uid === b.uid && a.gid === b.gid && a.target === b.target;
}
function addShape(shapes, change) {
	const { id: _i, path: _p, hostIdentity: _h, upperIdentity: _u, xattrIdentity: _x, ...rest } = change;
	const shape = {
		...rest,
		pending: attributesOf(rest.pending),
		host: attributesOf(rest.host)
	};
	shapes.add(JSON.stringify(shape), shape);
}
function attributesOf(side) {
	if (side === null) return null;
	const { size: _, ...attributes } = side;
	return attributes;
}
function unpackChanges(packed) {
	const { count, ids, dirs, shapes, pendingSizes, hostSizes } = packed;
	const names = count === 0 ? [] : packed.names.split("/");
	expectCount(count, ids.length / ID_LENGTH, "ids");
	expectCount(count, names.length, "names");
	const dirAt = readRuns(packed.dirRuns, count, dirs.length);
	const shapeAt = readRuns(packed.shapeRuns, count, shapes.length);
	let [pending, host] = [0, 0];
	const sides = new Sides();
	const changes = names.map((name, i) => {
		const shape = shapes[shapeAt[i] ?? -1];
		if (shape === void 0) throw new RangeError("expected a shape");
		const change = {
			id: ids.slice(i * ID_LENGTH, (i + 1) * ID_LENGTH),
			path: inOnePiece(`${dirs[dirAt[i] ?? -1]}/${name}`),
			kind: shape.kind,
			pending: shape.pending === null ? null : sides.of(shape.pending, pendingSizes[pending++]),
			host: shape.host === null ? null : sides.of(shape.host, hostSizes[host++]),
			ignored: shape.ignored,
			conflict: shape.conflict,
			group: shape.group
		};
		if (shape.by !== void 0) change.by = shape.by;
		if (shape.xattrs !== void 0) change.xattrs = shape.xattrs;
		if (shape.hostLinks !== void 0) change.hostLinks = shape.hostLinks;
		if (shape.renamedFrom !== void 0) change.renamedFrom = shape.renamedFrom;
		return change;
	});
	expectCount(pending, pendingSizes.length, "pending sizes");
	expectCount(host, hostSizes.length, "sizes on the host");
	if (packed.identities !== void 0) setIdentities(changes, packed.identities);
	return changes;
}
function setIdentities(changes, columns) {
	for (const name of IDENTITIES) {
		const values = columns[name].split("\n");
		expectCount(Math.max(changes.length, 1), values.length, name);
		for (const [i, change] of changes.entries()) {
			const value = values[i] ?? "";
			if (value !== "") change[name] = value;
		}
	}
}
function expectCount(expected, found, what) {
	if (expected !== found) throw new RangeError(`expected ${expected} ${what}, found ${found}`);
}
var Sides = class {
	#known = /* @__PURE__ */ new Map();
	#last = null;
	#sizes = /* @__PURE__ */ new Map();
	of(attributes, size) {
		if (size === void 0) throw new RangeError("expected a size for each side");
		if (attributes !== this.#last) this.#turnTo(attributes);
		const known = this.#sizes.get(size);
		if (known !== void 0) return known;
		const side = sideOf(attributes, size);
		this.#sizes.set(size, side);
		return side;
	}
	#turnTo(attributes) {
		this.#last = attributes;
		this.#sizes = this.#known.get(attributes) ?? /* @__PURE__ */ new Map();
		this.#known.set(attributes, this.#sizes);
	}
};
function sideOf({ type, mode, uid, gid, target }, size) {
	return target === void 0 ? {
		type,
		mode,
		uid,
		gid,
		size
	} : {
		type,
		mode,
		uid,
		gid,
		size,
		target
	};
}
function readRuns(runs, count, values) {
	const indices = new Uint32Array(count);
	let to = 0;
	for (let at = 0; at < runs.length; at += 2) {
		const [index = -1, length = 0] = [runs[at], runs[at + 1]];
		if (!Number.isInteger(index) || index < 0 || index >= values) throw new RangeError(`expected one of ${values} values, found ${index}`);
		if (!Number.isInteger(length) || length < 1) throw new RangeError(`expected a run of entries, found ${length}`);
		indices.fill(index, to, to + length);
		to += length;
	}
	expectCount(count, to, "entries in runs");
	return indices;
}
init_port();
init_state_file();
init_append();
function countsKey({ sessionDir, ignore }) {
	return `${logSize(sessionDir)} ${createHash("sha1").update(ignore.join("\0")).digest("hex")}`;
}
function saveCounts(ctx, key, list) {
	const { at, counts, bytes, conflicts, ignored, changes } = list;
	const kept = {
		at,
		counts,
		bytes,
		conflicts,
		ignored,
		entries: changes.length
	};
	tryWriteWhole(fileOf$1(ctx), JSON.stringify({
		v: 1,
		key,
		...kept
	}));
}
function fileOf$1({ sessionDir }) {
	return `${sessionDir}/counts.json`;
}
init_bytes();
init_entry();
init_port();
init_live();
var YOUNG_MS = 50;
var PATHS_MAX = 6e5;
var ScanTrace = class ScanTrace {
	#ctx;
	#uppers;
	#began = Date.now();
	#paths = [];
	#stats = [];
	#usable;
	#lastDir = "";
	constructor(ctx, usable) {
		this.#ctx = ctx;
		this.#uppers = ctx.coveredDirs.map(({ upper }) => upper);
		this.#usable = usable;
	}
	static async begin(ctx) {
		const trace = new ScanTrace(ctx, isLocal(ctx) && (await liveProcesses(ctx.source)).length === 0);
		trace.during(() => {
			for (const path of ownFiles(ctx)) trace.#take(path, lstatEntry(path));
		});
		return trace;
	}
	during(part) {
		const before = watchLstat((path, entry) => this.#record(path, entry));
		try {
			return part();
		} finally {
			watchLstat(before);
		}
	}
	*along(steps) {
		const iterator = steps[Symbol.iterator]();
		for (;;) {
			const step = this.during(() => iterator.next());
			if (step.done === true) return;
			yield step.value;
		}
	}
	mark() {
		if (!this.#usable) return null;
		const text = Buffer.from(this.#paths.map((path) => `${path}\0`).join(""), "latin1");
		const paths = new SharedArrayBuffer(text.length);
		text.copy(Buffer.from(paths));
		const stats = new SharedArrayBuffer(this.#stats.length * Float64Array.BYTES_PER_ELEMENT);
		new Float64Array(stats).set(this.#stats);
		return {
			settings: settingsOf(this.#ctx),
			paths,
			stats
		};
	}
	#record(path, entry) {
		if (!this.#usable || path.startsWith("/proc/")) return;
		if (this.#uppers.some((upper) => isWithin(path, upper))) {
			if (entry?.type === "dir") this.#take(path, entry);
			return;
		}
		if (entry !== null) this.#take(path, entry);
		else this.#missing(parentOf(path));
	}
	#missing(dir) {
		if (dir === this.#lastDir) return;
		this.#lastDir = dir;
		this.during(() => this.#take(dir, lstatEntry(dir)));
	}
	#take(path, entry) {
		const changed = entry === null ? -1 : Number(entry.ctimeNs / 1000n) / 1e3;
		if (changed > this.#began - YOUNG_MS || this.#paths.length === PATHS_MAX) this.#usable = false;
		this.#paths.push(path);
		this.#stats.push(entry === null ? -1 : Number(entry.ino), changed);
	}
};
async function isUnchanged(ctx, mark) {
	if (mark.settings !== settingsOf(ctx) || (await liveProcesses(ctx.source)).length > 0) return false;
	try {
		return !await inSlices(differences(mark), () => true);
	} catch {
		return false;
	}
}
var STEP = 500;
var SAME_MS = .01;
function* differences({ paths, stats }) {
	const text = Buffer.from(paths);
	const known = new Float64Array(stats);
	for (let at = 0, i = 0; at < text.length; i += 2) {
		const end = text.indexOf(0, at);
		const now = statOf(text.subarray(at, end));
		const changed = Math.abs((now?.ctimeMs ?? -1) - (known[i + 1] ?? 0));
		if ((now?.ino ?? -1) !== known[i] || changed > SAME_MS) yield true;
		at = end + 1;
		if (i % STEP === 0) yield null;
	}
}
function statOf(path) {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch (error) {
		if (errorCode(error) === "ENOTDIR") return void 0;
		throw error;
	}
}
function ownFiles({ sessionDir, coveredDirs }) {
	const overlay = joinPath(fromText(sessionDir), "overlay");
	return [
		joinPath(overlay, "."),
		...namesOrNone(overlay).map((name) => joinPath(overlay, name)),
		...coveredDirs.flatMap(({ upper, work }) => [
			upper,
			work,
			joinPath(work, "work"),
			joinPath(parentOf(upper), "copies.json")
		])
	];
}
function isLocal({ coveredDirs }) {
	return coveredDirs.every(({ path, upper }) => hasOurTimes(path) && hasOurTimes(upper));
}
function settingsOf(ctx) {
	const { coveredDirs, excluded, ignore, home, projectRoot, uid, gid, root } = ctx;
	return JSON.stringify([
		coveredDirs,
		excluded,
		ignore,
		home,
		projectRoot,
		uid,
		gid,
		root
	]);
}
var FILES_MAX = 2e3;
function upperState(ctx, { dirs, closed }) {
	if (closed.size > 0) return null;
	const hash = createHash("sha1");
	for (const [path, { id, own, ctimeNs }] of dirs) hash.update(`${path}\0${id}\0${own}\0${ctimeNs}\0`);
	const files = orNull(() => filesIn(ctx, dirs));
	if (files === null) return null;
	const { coveredDirs } = ctx;
	const looked = files.length > FILES_MAX ? coveredDirs.map(({ work }) => joinPath(work, "work")) : files;
	for (const path of looked) {
		const entry = lstatEntry(path);
		hash.update(`${path}\0${entry?.ino}\0${entry?.ctimeNs}\0`);
	}
	return hash.digest("hex");
}
function filesIn({ coveredDirs }, dirs) {
	const found = [];
	for (const [path, dir] of dirs) {
		const upper = upperPathIn(coveredDirs, path);
		if (upper === null) continue;
		const below = new Set(dir.dirs);
		for (const name of readNames(upper)) if (!below.has(name)) found.push(joinPath(upper, name));
		if (found.length > FILES_MAX) break;
	}
	return found;
}
init_limits();
init_call_times();
init_live();
init_read();
async function timedScan(ctx, live) {
	const key = countsKey(ctx);
	const list = await scan(ctx);
	if (!live && key === countsKey(ctx)) saveCounts(ctx, key, list);
	return {
		list,
		times: await writeTimes(ctx, list.changes)
	};
}
function nameWriters({ list, times }, spans) {
	const index = new WriterIndex(spans);
	for (const [i, change] of list.changes.entries()) {
		const by = writersAt(index, times, i);
		if (by !== void 0) change.by = by;
		else delete change.by;
	}
}
function writersIn(index, [from, to]) {
	return Number.isNaN(from) ? [] : index.ids(from, to);
}
function writersAt(index, times, i) {
	const [from = NaN, to = NaN] = [times[2 * i], times[2 * i + 1]];
	const ids = writersIn(index, [from, to]);
	return ids.length > 0 && ids.length <= 20 ? ids : void 0;
}
function countWritten(changes) {
	const counts = /* @__PURE__ */ new Map();
	for (const { by } of changes) for (const call of by ?? []) counts.set(call, (counts.get(call) ?? 0) + 1);
	return counts;
}
async function scanWritten(ctx) {
	const timed = await timedScan(ctx, liveSources().has(ctx.source));
	nameWriters(timed, (await readOverlayLogs(ctx)).spans);
	return timed.list;
}
async function scanJob(ctx, mark) {
	if (mark !== null && await isUnchanged(ctx, mark)) return { same: true };
	const trace = await ScanTrace.begin(ctx);
	const list = await scan(ctx, trace);
	return {
		same: false,
		timed: {
			list,
			times: await writeTimes(ctx, list.changes)
		},
		mark: trace.mark()
	};
}
async function packScan(answer) {
	if (answer.same) return answer;
	const { timed, ...rest } = answer;
	const { changes, ...list } = timed.list;
	return {
		same: false,
		list,
		packed: await resultOf(packing(changes, true)),
		rest,
		times: timed.times
	};
}
async function reviewedList(session, { scope, revision, includeIgnored, fingerprints }) {
	const list = await scanFor(session, scope);
	if (revision === null || sameRevision(list.revision, revision, includeIgnored)) return { list };
	const stale = fingerprints === void 0 ? null : staleAmong(list.changes, fingerprints);
	if (stale !== null && stale.size < list.changes.length) return {
		list,
		stale
	};
	throw staleList({ revision: list.revision });
}
async function scanFor(ctx, scope) {
	return isAboutCalls(scope) ? await scanWritten(ctx) : await scan(ctx);
}
async function chosenOf(ctx, list, scope) {
	return choose(list, scope, (isAboutCalls(scope) ? (await readFold(ctx.sessionDir)).spans() : []).map(({ call }) => call));
}
function withTimes(list, { kind }) {
	if (kind !== "paths" || list.timed === void 0) return list;
	return {
		...list,
		changes: [...list.changes, ...list.timed]
	};
}
function isAboutCalls({ kind }) {
	return kind === "call" || kind === "up-to";
}
init_bytes();
init_call_times();
init_port();
init_read();
async function fatesJob(ctx) {
	const [fold, { spans }] = [await readFold(ctx.sessionDir), await readOverlayLogs(ctx)];
	const index = new WriterIndex(spans);
	const found = /* @__PURE__ */ new Map();
	const add = (call, path, kinds) => {
		const request = call === void 0 ? "" : fold.view(call)?.request ?? "";
		if (request === "") return;
		const paths = found.get(request) ?? emptyPaths();
		for (const kind of kinds) paths[kind].add(path);
		found.set(request, paths);
	};
	for (const { path, by = [] } of (await scanWritten(ctx)).changes) if (by.length === 1) add(by[0], path, ["written"]);
	for (const { path, time, kinds } of [...committed(ctx), ...discarded(ctx)]) {
		const by = writersIn(index, time);
		if (by.length === 1) add(by[0], path, ["written", ...kinds]);
	}
	return Object.fromEntries([...found].map(([request, paths]) => [request, countsOf(paths)]));
}
function committed(ctx) {
	return commitNumbers(nodePort, ctx).flatMap((n) => {
		const record = readJournal(nodePort, ctx, n);
		if (record === null || record.begin.undoes !== void 0) return [];
		const kinds = /* @__PURE__ */ new Map();
		for (const unit of record.units) {
			if (!record.done.has(unit.i)) continue;
			const of = record.undone.has(unit.i) ? ["committed", "undone"] : ["committed"];
			for (const { path } of entriesOf(unit)) kinds.set(path, of);
		}
		return readTimes(`${toText(commitDir(ctx, n))}/${TIMES}`).flatMap(([path, time]) => {
			const of = kinds.get(path);
			return of === void 0 ? [] : [{
				path,
				time,
				kinds: of
			}];
		});
	});
}
function discarded(ctx) {
	return readDiscards(nodePort, ctx).filter((discard) => isReturnable(nodePort, discard)).flatMap(({ dir }) => readTimes(toText(joinPath(dir, TIMES)))).map(([path, time]) => ({
		path,
		time,
		kinds: ["discarded"]
	}));
}
var emptyPaths = () => ({
	written: /* @__PURE__ */ new Set(),
	committed: /* @__PURE__ */ new Set(),
	discarded: /* @__PURE__ */ new Set(),
	undone: /* @__PURE__ */ new Set()
});
function countsOf({ written, committed, discarded, undone }) {
	return {
		written: written.size,
		committed: committed.size,
		discarded: discarded.size,
		undone: undone.size
	};
}
init_bytes();
init_entry();
init_port();
init_proc();
function mayInspect(pid) {
	return processLink(pid, "cwd") !== null || processStat(pid) === null;
}
function namesInUse(processes, shown) {
	const coveredOf = new Map(shown.map(({ inside, covered }) => [inside.device, covered.path]));
	const parts = /* @__PURE__ */ new Map();
	for (const mount of mountsOf(processes.map(({ pid }) => pid))) if (coveredOf.has(mount.device)) parts.set(`${mount.device} ${mount.point}\0${mount.root}`, mount);
	const paths = usersBelow(processes, new Set([...parts.values()].map(({ point }) => point))).map(({ path }) => path);
	const names = /* @__PURE__ */ new Map();
	for (const { device, point, root } of parts.values()) for (const path of [point, ...paths.filter((one) => isWithin(one, point))]) addTo(names, device, pathOf(coveredOf.get(device) ?? "", root, path.slice(point.length)));
	return names;
}
function areCurrent({ excluded }, { inside, covered }, used, since) {
	const names = new NamesInUse(inside, covered, {
		used,
		since
	});
	return [covered.path, ...used].every((path) => isExcluded(path, excluded) || names.isCurrent(path));
}
function pathOf(...parts) {
	return `/${parts.flatMap((part) => part.split("/")).filter((name) => name !== "").join("/")}`;
}
var MOST_TRIED = 16;
var NamesInUse = class {
	#inside;
	#covered;
	#since;
	#used = /* @__PURE__ */ new Set();
	#known = /* @__PURE__ */ new Map();
	constructor(inside, covered, use) {
		[this.#inside, this.#covered, this.#since] = [
			inside,
			covered,
			use.since
		];
		for (const path of use.used) for (let at = path; at !== covered.path && !this.#used.has(at); at = parentOf(at)) this.#used.add(at);
	}
	isCurrent(path) {
		return this.#answer(path) !== "stale";
	}
	#answer(path) {
		const known = this.#known.get(path);
		if (known !== void 0) return known;
		const isRoot = path === this.#covered.path;
		const above = isRoot ? "current" : this.#answer(parentOf(path));
		const answer = isRoot ? this.#lookAtRoot() : above === "current" ? this.#look(path) : above;
		this.#known.set(path, answer);
		return answer;
	}
	#lookAtRoot() {
		const host = lstatEntry(this.#covered.path);
		if (host === null) return "own";
		return aboveRoot(host).movedNs < this.#since || this.#isMerged(this.#covered.path) ? "current" : "stale";
	}
	#look(path) {
		const [upper, host, holder] = [
			lstatEntry(this.#upper(path)),
			hostEntry(path),
			hostEntry(parentOf(path))
		];
		if (host === null || host === "closed" || holder === null || holder === "closed") return "own";
		if (upper !== null && (upper.type !== "dir" || host.type !== "dir")) return "own";
		const shown = this.#shown(path);
		if (shown?.type === "dir" && shown.dev !== this.#inside.dev) return "own";
		if (upper !== null && upper.nlink > 1 && shown !== null && shown.nlink > 1) return "own";
		if (putThere(host, holder) < this.#since) return "current";
		return (upper === null && (host.type !== "dir" || this.#hasNumbers(host)) ? this.#isSame(shown, host) : this.#isMerged(path)) ? "current" : "stale";
	}
	#isMerged(path) {
		const [here, there] = [new Set(namesOrNone(this.#upper(path))), namesOrNone(path)];
		const missing = there.filter((name) => !here.has(name));
		for (const name of missing.slice(0, MOST_TRIED)) {
			const child = joinPath(path, name);
			const host = lstatEntry(child);
			if (host !== null && (host.type === "dir" || host.nlink === 1) && (!this.#used.has(child) || host.ctimeNs < this.#since) && this.#isSame(this.#shown(child), host)) return true;
		}
		const view = missing.length > 0 ? null : orNull(() => readNames(this.#view(path)));
		if (view === null || !view.every((name) => here.has(name))) return false;
		return there.every((name) => {
			const child = joinPath(path, name);
			return !(lstatEntry(child)?.type === "dir" && lstatEntry(this.#upper(child))?.type === "dir") || this.#isMerged(child);
		});
	}
	#isSame(shown, host) {
		if (shown === null || shown.type !== host.type || shown.size !== host.size) return false;
		if (shown.ctimeNs !== host.ctimeNs || shown.mtimeNs !== host.mtimeNs) return false;
		return shown.ino === host.ino || host.type === "dir" && !this.#hasNumbers(host);
	}
	#hasNumbers(host) {
		return lstatEntry(this.#covered.upper)?.dev === host.dev;
	}
	#upper(path) {
		return upperPath(this.#covered, path);
	}
	#view(path) {
		return joinPath(at(this.#inside.fd), path.slice(this.#covered.path.length + 1));
	}
	#shown(path) {
		return orNull(() => lstatEntry(this.#view(path)));
	}
};
init_port();
var OLD_MS = 864e5;
function dropRunFiles(sessionDir, quiet) {
	const dir = `${sessionDir}/run`;
	for (const name of orNull(() => readdirSync(dir)) ?? []) {
		const file = `${dir}/${name}`;
		const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
		orNull(() => {
			if (pid === void 0 ? quiet && Date.now() - lstatSync(file).mtimeMs > OLD_MS : !existsSync(`/proc/${pid}`)) rmSync(file, { force: true });
		});
	}
}
init_bytes();
init_identity();
init_entry();
init_port();
init_xattrs();
async function reap(ctx, listed = /* @__PURE__ */ new Map()) {
	const file = readBaseFile(ctx);
	const directories = [];
	const finder = new Finder(ctx, makeBases(file.records), listed);
	for (const { path, upper } of ctx.coveredDirs) {
		if (lstatEntry(path)?.type !== "dir") continue;
		for (const directory of await collect$1(finder.find(path, upper))) directories.push(directory);
	}
	keepXattrs(directories);
	const asked = directories.filter(({ root, unchanged, entries }) => !root && (unchanged || entries.length > 0));
	const visible = asked.length === 0 ? /* @__PURE__ */ new Set() : await showing(ctx, asked);
	const removed = await collect$1(removeFrom(directories.filter(({ root, path }) => root || visible.has(path))));
	dropBases(ctx, file, removed.filter((path) => file.records.has(path)));
	return { removed: removed.length };
}
var Finder = class {
	ctx;
	bases;
	listed;
	constructor(ctx, bases, listed) {
		this.ctx = ctx;
		this.bases = bases;
		this.listed = listed;
	}
	*find(root, upperRoot) {
		const stack = [{
			path: root,
			upperPath: upperRoot,
			onHost: lstatEntry(root)?.type === "dir",
			root: true,
			unchanged: false,
			entries: []
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			if (at.fresh === true) {
				stack.push(...this.fresh(at));
				yield at;
				continue;
			}
			for (const name of namesOrNone(at.upperPath)) {
				const path = joinPath(at.path, name);
				const upperPath = joinPath(at.upperPath, name);
				const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
				if (upper === null) continue;
				const host = at.onHost ? hostEntry(path) : null;
				if (host === "closed" || isClosed$1(upper, this.ctx.root) || holdsOutOfReach(upperPath)) continue;
				if (upper.type !== "dir") {
					if (yield* this.unchangedEntry({
						path,
						upperPath,
						upper,
						host
					})) at.entries.push(name);
				} else stack.push(this.directory({
					path,
					upperPath,
					upper,
					host
				}));
			}
			yield at;
		}
	}
	*unchangedEntry({ path, upperPath, upper, host }) {
		if (isWhiteout(upper)) return host === null;
		if (host?.type === upper.type && host.mtimeNs === upper.mtimeNs) {
			if ((yield* judgeSameType({
				path,
				host,
				upperPath,
				upper,
				base: { state: "none" }
			})) === null) return true;
		}
		const base = this.bases.lookup(path);
		if (base.state !== "known") return false;
		return (host === null || !sameEntry(base.host, toHostStat(host, path))) && equalsBase(upperPath, upper, base);
	}
	fresh(at) {
		const { dirs, devices } = this.inside(at);
		const below = [];
		for (const name of dirs) {
			const [path, upperPath] = [joinPath(at.path, name), joinPath(at.upperPath, name)];
			if (!isExcluded(path, this.ctx.excluded)) below.push({
				...at,
				path,
				upperPath,
				entries: []
			});
		}
		for (const name of devices) {
			if (isExcluded(joinPath(at.path, name), this.ctx.excluded)) continue;
			const entry = lstatEntry(joinPath(at.upperPath, name));
			if (entry !== null && isWhiteout(entry)) at.entries.push(name);
		}
		return below;
	}
	inside({ path, upperPath }) {
		const was = this.listed.get(path);
		if (was !== void 0 && was.ctimeNs === String(lstatEntry(upperPath)?.ctimeNs)) return {
			dirs: was.dirs,
			devices: [...was.marks.keys()]
		};
		const found = orIfRefused(() => readEntries(upperPath), []);
		const named = (is) => found.filter(is).map(({ name }) => name);
		return {
			dirs: named((one) => one.isDirectory()),
			devices: named((one) => one.isCharacterDevice())
		};
	}
	directory({ path, upperPath, upper, host }) {
		const base = this.bases.lookup(path);
		const onHost = host?.type === "dir";
		if (!onHost && base.state !== "known") return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: false,
			entries: [],
			fresh: true
		};
		return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: onHost ? !metaChanged({
				host,
				upper,
				base
			}) : onlyTouched(upper, base),
			entries: [],
			xattrs: base.state === "known" ? base.xattrs : void 0
		};
	}
};
function keepXattrs(directories) {
	const pairs = directories.flatMap((directory) => {
		const { path, upperPath, onHost, root, unchanged, entries } = directory;
		if (!onHost) return [];
		const inside = entries.map((name) => ({
			directory,
			path: joinPath(path, name),
			upperPath: joinPath(upperPath, name)
		}));
		return unchanged && !root ? [...inside, {
			directory,
			path,
			upperPath
		}] : inside;
	});
	for (const { pair, upper } of otherXattrs(pairs)) {
		const { directory, path } = pair;
		if (directory.path === path) directory.unchanged = directory.xattrs === xattrHash(upper);
		else directory.entries = directory.entries.filter((name) => joinPath(directory.path, name) !== path);
	}
}
async function showing(ctx, directories) {
	return await useAndCloseAsync(await openViewer(ctx), async (viewer) => {
		const shows = ({ path, upperPath, onHost }) => !onHost || orIfRefused(() => showsHost(viewer, {
			host: path,
			upper: upperPath
		}), false);
		return new Set(directories.filter(shows).map(({ path }) => path));
	});
}
function* removeFrom(directories) {
	for (const { path, upperPath, unchanged, entries } of directories.toReversed()) {
		for (const name of entries) {
			yield null;
			removeOne(() => unlinkSync(fsPath(joinPath(upperPath, name))), upperPath);
			yield joinPath(path, name);
		}
		if (!unchanged || namesOrNone(upperPath).length > 0) continue;
		removeOne(() => rmdirSync(fsPath(upperPath)), parentOf(upperPath));
		yield path;
	}
}
function removeOne(take, parent) {
	try {
		take();
	} catch (error) {
		const mode = errorCode(error) === "EACCES" ? lstatEntry(parent)?.mode : void 0;
		if (mode === void 0) throw error;
		chmodSync(fsPath(parent), mode | 192);
		try {
			take();
		} finally {
			chmodSync(fsPath(parent), mode);
		}
	}
}
init_call_times();
init_fingerprint();
init_port();
init_live();
init_probe();
var rounds = /* @__PURE__ */ new Map();
async function tidy(ctx, earliestCall) {
	const began = momentNow(ctx);
	const passBegan = Date.now() - 20;
	const left = await leftIn(ctx);
	const live = left.length > 0;
	dropRunFiles(ctx.sessionDir, !live);
	const before = rounds.get(ctx.sessionDir);
	if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await readUppers(ctx))) {
		if (!live) clearMarks(ctx);
		confirmBases(ctx, passBegan);
		if (began !== null) confirmListing(ctx, began);
		return { left };
	}
	rounds.delete(ctx.sessionDir);
	try {
		return await withSession(ctx, "live", async (session) => await tidyBehindDoor(session, {
			live,
			earliestCall
		}));
	} catch (error) {
		if (error instanceof MovedOn) return { left: [] };
		throw error;
	}
}
async function tidyBehindDoor(session, { live, earliestCall }) {
	keepReserve(session);
	const listed = await listUppers(session, !live && await asQuiet(session) !== null);
	const before = live ? restingState(session, listed) : null;
	await recordBases(session, earliestCall === null ? {} : { earliestCall });
	const left = live ? await leftIn(session) : [];
	if (left.length > 0 || await asQuiet(session) === null) {
		if (before !== null) rounds.set(session.sessionDir, {
			state: before,
			quiet: false
		});
		return { left: left.length > 0 ? left : await leftIn(session) };
	}
	const quiet = await expectQuiet(session);
	await finishInterruptedUndo(quiet);
	const dropped = await dropCommitted(quiet);
	clearQuiet(quiet);
	const { removed } = await reap(quiet, listed.dirs);
	const state = stateOf(quiet, dropped + removed === 0 ? listed : await readUppers(quiet));
	if (state !== null) rounds.set(session.sessionDir, {
		state,
		quiet: true
	});
	return { left: [] };
}
async function leftIn({ source }) {
	return (await liveProcesses(source)).map(({ pid }) => pid);
}
function restingState(ctx, listed) {
	return [...listed.dirs.values()].every(({ ctimeNs }) => isPast(BigInt(ctimeNs))) ? stateOf(ctx, listed) : null;
}
function stateOf(ctx, dirs) {
	const uppers = upperState(ctx, dirs);
	return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
init_inside();
init_live();
async function look$1(ctx) {
	if ((await liveProcesses(ctx.source)).length === 0) return;
	await withSession(ctx, "live", async (session) => {
		const from = Date.now();
		if (await isSeen(session)) noteLook(session, {
			from,
			until: Date.now() + 1
		});
	});
	await tidy(ctx, null);
}
var REFRESHES = 2;
async function isSeen(session) {
	const since = new SeenWindow(session, readBaseFile(session), {}).latest;
	const clocks = new HostClocks(session);
	let processes = await liveProcesses(session.source);
	const shown = [];
	try {
		for (const covered of session.coveredDirs) {
			const inside = openInsideOf(processes, session.source, covered);
			if (inside !== null) shown.push({
				inside,
				covered
			});
		}
		const used = /* @__PURE__ */ new Map();
		const note = () => {
			for (const [device, names] of namesInUse(processes, shown)) for (const name of names) addTo(used, device, name);
		};
		note();
		for (let i = 0; i < REFRESHES; i++) {
			if (!await refreshAll(session, shown)) return false;
			processes = await liveProcesses(session.source);
			if (!processes.every(({ pid }) => mayInspect(pid))) return false;
			note();
		}
		const devices = new Set(shown.map(({ inside }) => inside.device));
		return mountedDevices(processes, session.source).every((device) => devices.has(device)) && shown.every((one) => one.covered.copied !== void 0 || areCurrent(session, one, used.get(one.inside.device) ?? [], since - clocks.lag(one.covered.path)));
	} finally {
		for (const { inside } of shown) inside.close();
	}
}
async function refreshAll(session, shown) {
	for (const pid of new Set(shown.map(({ inside }) => inside.pid))) if (await refreshMounts(session, pid, shown.filter(({ inside }) => inside.pid === pid).map(({ covered }) => covered.path)) !== null) return false;
	return true;
}
init_bytes();
init_identity();
init_entry();
init_port();
function readsOtherwise({ kind }) {
	return kind !== "none" && kind !== "meta";
}
var NOT_READ = { state: "none" };
async function lookThrough(ctx, given, thorough) {
	const onHost = lstatOrNone(given) !== null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf(at);
			continue;
		}
		const here = joinPath(at, name);
		if (lstatOrNone(here)?.type !== "symlink" || links === 40) {
			at = here;
			continue;
		}
		links++;
		const link = await look(ctx, here, thorough);
		if (readsOtherwise(link)) return {
			...link,
			onHost
		};
		const target = readTarget(here);
		todo.unshift(...partsOf(target));
		if (target.startsWith("/")) at = "/";
	}
	return await look(ctx, at, thorough);
}
async function look(ctx, path, thorough) {
	const covered = isExcluded(path, ctx.excluded) ? null : coveringDir(ctx.coveredDirs, path);
	if (covered === null) return {
		...nothing(path),
		onHost: lstatOrNone(path) !== null
	};
	const descent = new Descent(ctx, covered, path);
	const found = await descent.run();
	if (found.kind !== "none") return found;
	const fromHost = found.onHost && !found.copied;
	if (!fromHost && !thorough) return found;
	const replaced = await replacedAmong(ctx, covered, descent.merged);
	if (replaced === null) return found;
	return {
		...found,
		kind: "replaced",
		at: replaced,
		inView: found.inView && !fromHost
	};
}
var Descent = class {
	merged = [];
	ctx;
	covered;
	path;
	added = null;
	constructor(ctx, covered, path) {
		this.ctx = ctx;
		this.covered = covered;
		this.path = path;
	}
	async run() {
		let at = this.covered.path;
		const rest = partsOf(this.path.slice(at === "/" ? 0 : at.length));
		let hostDir = lstatOrNone(at)?.type === "dir";
		for (let name = rest.shift(); name !== void 0; name = rest.shift()) {
			at = joinPath(at, name);
			const upper = hostEntry(upperPath(this.covered, at));
			if (upper === "closed") return this.differs("closed", parentOf(at), true);
			const host = hostDir ? lstatOrNone(at) : null;
			const last = rest.length === 0;
			if (upper === null || isWhiteout(upper)) return this.withoutUpper(at, upper, host);
			if (upper.type !== "dir") return await this.notADirectory(at, upper, host, last);
			if (host === null) this.added ??= at;
			else if (host.type !== "dir") return this.differs("replaced", at, this.isInUpper());
			else this.merged.push({
				path: at,
				upperPath: upperPath(this.covered, at),
				upper
			});
			hostDir = host?.type === "dir";
		}
		if (this.added !== null) return this.differs("added", this.added, true);
		return {
			...nothing(this.path),
			onHost: hostDir,
			copied: this.merged.length > 0
		};
	}
	withoutUpper(at, upper, host) {
		if (host !== null && upper !== null) return this.differs("deleted", at, false);
		if (this.added !== null) return this.differs("added", this.added, false);
		return {
			...nothing(this.path),
			onHost: host !== null && this.isOnHost()
		};
	}
	async notADirectory(at, upper, host, last) {
		const inView = last || upper.type === "symlink";
		const kind = !last && host !== null && host.type !== "dir" ? "none" : await this.judge(at, upper, host);
		if (kind === "none") {
			if (this.added !== null) return this.differs("added", this.added, inView);
			return {
				...nothing(this.path),
				onHost: this.isOnHost(),
				copied: last
			};
		}
		return this.differs(kind, kind === "added" ? this.added ?? at : at, inView);
	}
	async judge(at, upper, host) {
		const copy = upperPath(this.covered, at);
		const judge = async (base) => {
			if (host?.type === upper.type) {
				const kind = await resultOf(judgeSameType({
					path: at,
					host,
					upperPath: copy,
					upper,
					base
				}));
				return kind === "modified" || kind === "meta" ? kind : "none";
			}
			if (equalsBase(copy, upper, base)) return "none";
			return host === null ? "added" : "replaced";
		};
		try {
			const kind = await judge(NOT_READ);
			return kind === "none" ? kind : await judge((await readBases(this.ctx)).lookup(at));
		} catch (error) {
			if (errorCode(error) === "EACCES") return host === null ? "added" : "modified";
			throw error;
		}
	}
	isInUpper() {
		const entry = lstatEntry(upperPath(this.covered, this.path));
		return entry !== null && !isWhiteout(entry);
	}
	isOnHost() {
		return lstatOrNone(this.path) !== null;
	}
	differs(kind, at, inView) {
		return {
			kind,
			at,
			inView,
			onHost: this.isOnHost(),
			copied: false
		};
	}
};
function nothing(path) {
	return {
		kind: "none",
		at: path,
		inView: true,
		onHost: false,
		copied: false
	};
}
init_bytes();
init_identity();
init_entry();
init_port();
var SLICE = 2e3;
async function overlapOf(a, b, most) {
	const ignored = compileIgnore(a);
	const stack = a.coveredDirs.flatMap(({ path, upper }) => {
		const other = b.coveredDirs.find((covered) => covered.path === path);
		return other === void 0 ? [] : [{
			path,
			upperA: upper,
			upperB: other.upper
		}];
	});
	const paths = [];
	let seen = 0;
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
		const names = namesOrNone(at.upperA);
		const inB = names.length === 0 ? /* @__PURE__ */ new Set() : new Set(namesOrNone(at.upperB));
		for (const name of names) {
			if (++seen % SLICE === 0) await setImmediate();
			if (!inB.has(name)) continue;
			const both = {
				path: joinPath(at.path, name),
				upperA: joinPath(at.upperA, name),
				upperB: joinPath(at.upperB, name)
			};
			const [entryA, entryB] = [lstatOrNone(both.upperA), lstatOrNone(both.upperB)];
			if (entryA === null || entryB === null || [a, b].some((ctx) => isExcluded(both.path, ctx.excluded))) continue;
			const { path } = both;
			if (ignored(path, entryA.type === "dir") !== null && !isWithin(a.projectRoot, path)) continue;
			if (entryA.type === "dir" && entryB.type === "dir") stack.push(both);
			else if (await isPending(a, path, entryA) && await isPending(b, path, entryB)) {
				if (paths.length === most) return {
					paths,
					more: true
				};
				paths.push(path);
			}
		}
	}
	return {
		paths: paths.sort(),
		more: false
	};
}
async function isPending(ctx, path, entry) {
	if (entry.type === "socket") return false;
	try {
		if (entry.type === "dir") return pendingBelow(ctx, path, 1).count > 0;
		return (await lookThrough(ctx, path, false)).kind !== "none";
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
		throw error;
	}
}
function pendingBelow(ctx, dir, limit) {
	const ignored = compileIgnore(ctx);
	const hash = createHash("sha1");
	const stack = startsBelow(ctx, dir);
	let count = 0;
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) for (const name of namesOrNone(at.upper)) {
		const path = joinPath(at.path, name);
		const upper = joinPath(at.upper, name);
		const entry = lstatEntry(upper);
		if (entry === null || isExcluded(path, ctx.excluded) || entry.type === "socket") continue;
		if (ignored(path, entry.type === "dir") !== null) continue;
		if (entry.type === "dir") stack.push({
			path,
			upper
		});
		else if (says(entry, path)) {
			if (count === limit) return {
				count,
				more: true,
				signature: hash.digest("hex")
			};
			count++;
			hash.update(`${path}\0`, "latin1");
		}
	}
	return {
		count,
		more: false,
		signature: hash.digest("hex")
	};
}
function startsBelow(ctx, dir) {
	const holding = coveringDir(ctx.coveredDirs, dir);
	const own = holding === null ? [] : [{
		path: dir,
		upper: upperPath(holding, dir)
	}];
	const inner = ctx.coveredDirs.filter((covered) => covered !== holding && isWithin(covered.path, dir));
	return [...own, ...inner.map(({ path, upper }) => ({
		path,
		upper
	}))];
}
function says(entry, path) {
	return !isWhiteout(entry) || lstatEntry(path) !== null;
}
init_bytes();
init_entry();
init_port();
init_xattrs();
var holdsDirsAlone = (ctx) => copiesAlone(ctx) !== null;
function copiesAlone({ coveredDirs, excluded }) {
	const copies = [];
	const plainAt = (dir) => {
		const [own, host] = [lstatEntry(dir.upper), lstatEntry(dir.path)];
		if (own?.type !== "dir" || host?.type !== "dir") return null;
		if (own.mode !== host.mode || own.uid !== host.uid || own.gid !== host.gid) return null;
		return readNames(dir.upper).every((name) => {
			const below = {
				path: joinPath(dir.path, name),
				upper: joinPath(dir.upper, name)
			};
			if (isExcluded(below.path, excluded)) return !mayHoldListed(below.path, excluded) || readNames(below.upper).length === 0;
			if (excludedBelow(below.path, excluded).length === 0) return false;
			const copy = plainAt(below);
			if (copy !== null) copies.push({
				...below,
				changedNs: copy.ctimeNs
			});
			return copy !== null;
		}) ? own : null;
	};
	return orNull(() => coveredDirs.every((covered) => plainAt(covered) !== null)) === true ? copies : null;
}
init_bytes();
init_text();
init_entry();
init_port();
init_append();
var MOST_PATHS = 50;
var MOST_SESSIONS = 20;
var projects = /* @__PURE__ */ new Map();
async function overlapsOf(stateDir, env, id) {
	if (isEmpty(sessionDir(stateDir, id))) return [];
	const context = async (one) => await sessionContext(stateDir, one, env);
	const own = await unlessGone(async () => await context(id));
	if (own === null || holdsDirsAlone(own)) return [];
	const found = [];
	for (const other of (await othersOfProject(stateDir, id)).slice(0, MOST_SESSIONS)) {
		await setImmediate();
		const overlap = await unlessGone(async () => await overlapOf(own, await context(other), MOST_PATHS));
		if (overlap !== null && overlap.paths.length > 0) found.push({
			session: other,
			...overlap
		});
	}
	return found;
}
async function overlapWith(stateDir, env, id, other) {
	const context = async (one) => await sessionContext(stateDir, one, env);
	return await unlessGone(async () => overlapOf(await context(id), await context(other), MOST_PATHS)) ?? {
		paths: [],
		more: false
	};
}
async function unlessGone(work) {
	try {
		return await work();
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return null;
	}
}
async function tellCommitted(stateDir, env, id, before) {
	for (const { session: other, paths } of before) {
		const still = new Set((await overlapWith(stateDir, env, id, other)).paths);
		const committed = {
			paths: paths.filter((path) => !still.has(path)),
			more: false
		};
		if (committed.paths.length === 0) continue;
		for (const [one, two] of [[id, other], [other, id]]) await note(sessionDir(stateDir, one), (root) => committedText(two, committed, root, one === id));
	}
}
async function note(dir, textOf) {
	const { projectRoot } = await readMeta(dir);
	logTo(dir, {
		t: "notice",
		code: "overlap",
		text: textOf(bytePath(projectRoot))
	});
}
async function projectIdOf(stateDir, id) {
	const key = `${stateDir}\0${id}`;
	const known = projects.get(key);
	if (known !== void 0) return known;
	try {
		const { projectId } = await readMeta(sessionDir(stateDir, id));
		projects.set(key, projectId);
		return projectId;
	} catch {
		return null;
	}
}
async function othersOfProject(stateDir, id) {
	const project = await projectIdOf(stateDir, id);
	const found = [];
	for (const other of namesIn(path.join(stateDir, "sessions"))) {
		if (other === id || project === null || !isSessionId(other)) continue;
		const dir = sessionDir(stateDir, other);
		if (await projectIdOf(stateDir, other) !== project) continue;
		await setImmediate();
		if (isEmpty(dir)) continue;
		found.push({
			other,
			at: statSync(logPath(dir), { throwIfNoEntry: false })?.mtimeMs ?? 0
		});
	}
	return found.sort((a, b) => b.at - a.at).map(({ other }) => other);
}
function isEmpty(dir) {
	const overlay = path.join(dir, "overlay");
	return namesIn(overlay).every((n) => !/^[0-9]+$/.test(n) || namesIn(path.join(overlay, n, "u")).length === 0);
}
var namesIn = (dir) => namesOrNone(fromText(dir));
init_bytes();
var MOST = 12;
var OUTSIDE = 4;
var CACHE = 2;
var CACHES = [...[
	".cache",
	".npm",
	".yarn",
	".pnpm-store",
	".local/share/pnpm",
	".bun",
	".deno",
	".gradle",
	".m2"
], ...[
	".nuget",
	".cargo/registry",
	".cargo/git",
	".rustup",
	"go/pkg"
]].map((name) => fromText(name));
var SHARED = [
	".config",
	".local",
	".local/share",
	".local/state"
].map((name) => fromText(name));
function placesOf(changes, { projectRoot: root, home }, includeIgnored = false) {
	const counted = changes.filter(({ ignored }) => includeIgnored || ignored === null);
	const sorts = {
		project: [],
		outside: [],
		cache: []
	};
	const caches = CACHES.map((name) => joinPath(home, name)).filter((dir) => !isWithin(root, dir));
	for (const change of counted) sorts[caches.some((dir) => isWithin(change.path, dir)) ? "cache" : isWithin(change.path, root) ? "project" : "outside"].push(change);
	const groups = {
		project: group(sorts.project, childBelow(commonDir(sorts.project, root)), "project"),
		outside: group(sorts.outside, placeOutside(home), "outside"),
		cache: group(sorts.cache, ({ path }) => caches.find((dir) => isWithin(path, dir)) ?? path, "cache")
	};
	const cache = Math.min(groups.cache.length, CACHE);
	const outside = Math.min(groups.outside.length, Math.max(OUTSIDE, MOST - cache - groups.project.length));
	const shown = [
		...largest(groups.project, MOST - cache - outside),
		...largest(groups.outside, outside),
		...largest(groups.cache, cache)
	];
	const left = (where) => shown.reduce((sum, place) => sum - (place.where === where ? place.total : 0), sorts[where].length);
	return {
		root,
		shown,
		more: {
			project: left("project"),
			outside: left("outside"),
			cache: left("cache")
		}
	};
}
function largest(places, most) {
	const kept = new Set([...places].sort((a, b) => b.total - a.total).slice(0, most));
	return places.filter((place) => kept.has(place));
}
function placeOutside(home) {
	const shared = new Set(SHARED.map((name) => joinPath(home, name)));
	const belowRoot = childBelow("/");
	return (change) => {
		let dir = isWithin(change.path, home) ? home : belowRoot(change);
		let place = childBelow(dir)(change);
		while (shared.has(place) && place !== dir) {
			dir = place;
			place = childBelow(dir)(change);
		}
		return place;
	};
}
function commonDir(changes, root) {
	let dir = root;
	for (;;) {
		const children = new Set(changes.map(childBelow(dir)));
		const [only] = children;
		if (only === void 0 || children.size > 1 || changes.some(({ path }) => path === only)) return dir;
		dir = only;
	}
}
function childBelow(dir) {
	const from = dir === "/" ? 1 : dir.length + 1;
	return ({ path }) => {
		if (path === dir) return dir;
		const end = path.indexOf("/", from);
		return end < 0 ? path : joinPath(dir, path.slice(from, end));
	};
}
function group(changes, placeOf, where) {
	const groups = /* @__PURE__ */ new Map();
	for (const change of changes) addTo(groups, placeOf(change), change);
	return [...groups].map(([place, within]) => {
		const [only] = within;
		const single = within.length === 1 && only !== void 0 ? only.path : null;
		const counts = countChanges(within);
		return {
			path: single ?? place,
			isDir: single === null,
			where,
			counts,
			total: within.length
		};
	}).sort((a, b) => a.path < b.path ? -1 : 1);
}
init_bytes();
init_dir_handles();
init_entry_errors();
init_port();
init_proc();
var MAX_COMMAND = 200;
async function preflight(ctx, plan, live) {
	return await useAndCloseAsync(new PreflightCheck(ctx), async (check) => {
		for (const step of plan.steps) await check.step(step);
		return await check.result(live);
	});
}
var PreflightCheck = class {
	#ctx;
	#dirs;
	#areas;
	#pace = new Pace();
	#cannot = [];
	#targets = [];
	#copied = /* @__PURE__ */ new Map();
	constructor(ctx) {
		this.#ctx = ctx;
		this.#dirs = new Dirs(nodePort, "/", ctx.root ? 0 : ctx.uid, null);
		this.#areas = new Areas(nodePort, ctx, this.#dirs);
	}
	async step(step) {
		for (const change of [step.change, ...step.below]) {
			await this.#pace.breathe();
			if (change.host !== null && !this.#target(change)) return;
		}
		if (step.op !== "put" && step.op !== "swap") return;
		refusalOf(() => {
			const base = this.#areas.baseFor(parentOf(step.change.path));
			const steps = this.#copied.get(base) ?? [];
			steps.push(step);
			this.#copied.set(base, steps);
		});
	}
	async result(live) {
		const files = this.#targets.filter(({ stat }) => stat.type === "file");
		const held = writersOf(files.map(({ stat }) => stat));
		const writers = files.flatMap(({ path, stat }) => (held.get(`${stat.dev}:${stat.ino}`) ?? []).map((pid) => shown$3(path, pid)));
		const linked = files.filter(({ stat }) => stat.nlink > 1).map(({ path, stat }) => ({
			path,
			links: stat.nlink
		}));
		return {
			cannot: this.#cannot,
			writers,
			linked,
			space: await this.#space(held, live)
		};
	}
	close() {
		this.#areas.close();
		this.#dirs.close();
	}
	#target(change) {
		const { path } = change;
		const why = refusalOf(() => {
			const stat = expectReviewed(nodePort, this.#dirs, change);
			if (stat !== null && change.kind !== "meta") this.#targets.push({
				path,
				stat
			});
		});
		if (why !== null) this.#cannot.push({
			path,
			why
		});
		return why === null;
	}
	async #moved(steps) {
		return await useAndCloseAsync(new Uppers(nodePort, this.#ctx, null), async (uppers) => {
			const findings = await checkSteps({
				port: nodePort,
				dirs: this.#dirs,
				uppers,
				pace: this.#pace
			}, steps);
			const merges = /* @__PURE__ */ new Map();
			const moves = findMoves(nodePort, this.#ctx, uppers, findings, {
				marks: await askMarks(this.#ctx, steps, merges),
				merges
			});
			return new Set([...moves].map(({ step }) => step));
		});
	}
	async #space(held, live) {
		const own = fromText(this.#ctx.sessionDir);
		const device = nodePort.lstat(own)?.dev;
		let images = 0;
		for (const { stat } of this.#targets) {
			const linkable = stat.nlink === 1 && stat.dev === device && !held.has(`${stat.dev}:${stat.ino}`);
			if (stat.type === "file" && !linkable) images += stat.disk;
		}
		const found = [];
		for (const [path, steps] of this.#copied) {
			const { free } = nodePort.space(at(this.#dirs.open(path)));
			const moved = !live && bytesOf$1(steps) > free ? await this.#moved(steps) : /* @__PURE__ */ new Set();
			found.push({
				path,
				needed: bytesOf$1(steps.filter((step) => !moved.has(step))),
				free
			});
		}
		if (images > 0) found.push({
			path: own,
			needed: images,
			free: nodePort.space(own).free
		});
		return found;
	}
};
function bytesOf$1(steps) {
	let bytes = 0;
	for (const { members } of steps) for (const { pending } of members) bytes += pending?.size ?? 0;
	return bytes;
}
function shown$3(path, pid) {
	return {
		path,
		pid,
		command: Buffer.from(processText(pid, "cmdline") ?? "", "latin1").toString().replaceAll("\0", " ").trim().replace(/\p{C}/gu, "?").slice(0, MAX_COMMAND)
	};
}
init_limits();
init_client_door();
init_live();
async function previewJob(ctx, { list: scanned, order, texts }) {
	const { scope, action, includeIgnored } = order;
	const processes = await liveProcesses(ctx.source);
	const list = action === "commit" ? withEffects(ctx, scanned) : scanned;
	const unknown = action === "commit" ? unknownEffects(ctx) : [];
	const chosen = await chosenOf(ctx, action === "commit" ? withTimes(list, scope) : list, scope);
	const { going, along, cannot, writers, linked, ...rest } = action === "commit" ? await aboutCommit(ctx, list, chosen, order, processes.length > 0) : await aboutDiscard(ctx, list, chosen, processes);
	const { hidden, unread } = await hiddenAmong(ctx, action === "commit" && texts !== null ? going : [], HIDDEN_MS.order, texts ?? void 0);
	const ignored = (chosen.paths === null ? list.changes : list.changes.filter(({ path }) => chosen.paths?.has(path))).filter((change) => change.ignored !== null);
	const first = (all) => all.slice(0, 100);
	const { flagged, confirm, never } = action === "commit" ? effectsIn(scanned, going, ignored) : NO_EFFECTS;
	return {
		revision: list.revision,
		scope,
		action,
		counts: countChanges(going),
		places: placesOf(going, ctx, includeIgnored),
		bytes: bytesOf$2(going.filter((change) => includeIgnored || change.ignored === null)),
		risks: countRisks(going, {
			...ctx,
			hidden
		}),
		unread,
		conflicts: action === "discard" ? [] : conflictsOf(ctx, going),
		ignored: {
			count: ignored.length,
			bytes: bytesOf$2(ignored)
		},
		...unknown.length === 0 ? {} : { unknownEffects: unknown },
		along: first(along),
		cannot: first(cannot),
		writers: first(writers),
		linked: first(linked),
		effects: {
			flagged: first(flagged),
			confirm: first(confirm),
			never: first(never)
		},
		totals: {
			along: along.length,
			cannot: cannot.length,
			writers: writers.length,
			linked: linked.length,
			flagged: flagged.length,
			confirm: confirm.length,
			never: never.length
		},
		...rest,
		processes: action === "discard" && isClientRunning(ctx.sessionDir) ? [...(await byClient(ctx)).others] : processes,
		live: processes.length > 0
	};
}
var NO_EFFECTS = {
	flagged: [],
	confirm: [],
	never: []
};
function effectsIn(scanned, going, ignored) {
	const before = new Set(scanned.changes.flatMap(({ path, ignored: rule }) => rule === null ? [] : [path]));
	const marked = (does) => going.flatMap(({ path, effect }) => effect?.do === does ? [{
		path,
		why: effect.text
	}] : []);
	const never = ignored.filter(({ path }) => !before.has(path));
	return {
		flagged: marked("flag"),
		confirm: marked("confirm"),
		never: never.map(({ path, ignored: why }) => ({
			path,
			why: why ?? ""
		}))
	};
}
function conflictsOf(ctx, going) {
	const merges = mergeable(ctx, going);
	return going.flatMap(({ id, path, conflict }) => conflict === null ? [] : [{
		id,
		path,
		reason: conflict,
		...merges.has(id) ? { merge: true } : {}
	}]);
}
async function aboutCommit(ctx, list, { paths, unsure }, { includeIgnored }, live) {
	const plan = planTakingSandbox(list, includeIgnored, paths);
	const all = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
	const going = all.filter(({ ignored }) => ignored !== TIMES_RULE);
	const times = all.length - going.length;
	const { cannot, ...found } = await preflight(ctx, plan, live);
	const toldStays = (change) => ({
		path: change.path,
		why: staysText(change)
	});
	const stays = plan.stays.map(toldStays);
	const closed = paths === null ? plan.closed.map(toldStays) : [];
	return {
		going,
		...times === 0 ? {} : { times },
		along: plan.along.map((one) => ({
			path: one.change.path,
			why: alongText(one)
		})),
		cannot: [
			...unsure,
			...stays,
			...closed,
			...cannot
		],
		...found,
		guard: massGuard(ctx, paths === null ? list : {
			...list,
			changes: going
		}, includeIgnored),
		undo: {
			bytes: replacedBytes(plan),
			maxBytes: (ctx.undo ?? UNDO_LIMITS).maxBytes
		}
	};
}
async function aboutDiscard(ctx, list, { paths, unsure }, processes) {
	const none = {
		linked: [],
		space: [],
		guard: null,
		undo: {
			bytes: 0,
			maxBytes: (ctx.undo ?? UNDO_LIMITS).maxBytes
		}
	};
	const users = (changes) => usersOf(processes, changes);
	const live = processes.length > 0;
	if (paths === null && !live) return {
		...none,
		writers: [],
		going: list.changes,
		along: [],
		cannot: []
	};
	const { plan, along, cannot } = await lookAtDiscard(ctx, list, paths ?? new Set(list.changes.map(({ path }) => path)), live);
	return {
		...none,
		writers: users(plan.tops),
		going: plan.going,
		along,
		cannot: [...unsure, ...cannot]
	};
}
function usersOf(processes, changes) {
	const users = usersBelow(processes, new Set(changes.map(({ path }) => path)));
	const commands = new Map(processes.map(({ pid, command }) => [pid, command]));
	return users.map(({ path, pid }) => ({
		path,
		pid,
		command: commands.get(pid) ?? ""
	}));
}
init_bytes();
init_limits();
init_identity();
init_entry();
var LEAVE = { do: "leave" };
var NOTHING = { do: "nothing" };
async function isOld(kept, step, host) {
	const now = lstatEntry(kept.upper);
	const { copied, shown, print, base } = step.old;
	if (now?.type !== shown.type) return false;
	if (!copied) return now.mtimeNs === shown.mtimeNs && now.mode === shown.mode && printOf(kept.upper) === print;
	return isUntouched$1({
		path: step.spot.path,
		upperPath: kept.upper,
		upper: now,
		host,
		base
	});
}
async function decide(ctx, room, bases, path) {
	const spot = isExcluded(path, ctx.excluded) || path === room.covered.path ? null : room.spot(path);
	const host = spot === null ? "closed" : hostEntry(path);
	if (spot === null || host === "closed") return LEAVE;
	const shown = lstatEntry(spot.at);
	const print = host !== null && host.size > 16777216 || lstatEntry(spot.upper) !== null ? null : printOf(spot.at);
	const base = bases.lookup(path);
	const upper = lstatEntry(spot.upper);
	if (upper !== null && isWhiteout(upper)) return host === null ? NOTHING : LEAVE;
	if (host === null) return upper === null ? vanished(spot, shown, print, base) : removed(spot, upper, base);
	if (host.type === "dir") return directory(spot, shown, upper);
	if (host.type !== "file" && host.type !== "symlink") return NOTHING;
	if (host.size > (upper === null ? 16777216 : 67108864)) return LEAVE;
	if (upper === null) {
		if (shown === null || shown.type !== "file" && shown.type !== "symlink") return LEAVE;
		return {
			do: "put",
			spot,
			host,
			old: {
				copied: false,
				shown,
				print,
				base
			}
		};
	}
	if (upper.type !== "file" && upper.type !== "symlink") return LEAVE;
	const look = {
		path,
		upperPath: spot.upper,
		upper,
		host
	};
	if (!isUntouched$1({
		...look,
		base
	})) return LEAVE;
	if (host.type === upper.type && host.mtimeNs === upper.mtimeNs && host.size === upper.size && host.mode === upper.mode && isUntouched$1({
		...look,
		base: { state: "none" }
	})) return NOTHING;
	return {
		do: "put",
		spot,
		host,
		old: {
			copied: true,
			shown: upper,
			print: null,
			base
		}
	};
}
function vanished(spot, shown, print, base) {
	const parent = hostEntry(parentOf(spot.path));
	if (parent === null || parent !== "closed" && parent.type !== "dir") return NOTHING;
	if (shown === null) return {
		do: "stir",
		spot
	};
	if (shown.type !== "file" && shown.type !== "symlink") return NOTHING;
	return {
		do: "take",
		spot,
		old: {
			copied: false,
			shown,
			print,
			base
		}
	};
}
function removed(spot, upper, base) {
	if (upper.type === "dir") return base.state === "known" && onlyTouched(upper, base) ? {
		do: "clear",
		spot
	} : LEAVE;
	if (!equalsBase(spot.upper, upper, base)) return LEAVE;
	return {
		do: "take",
		spot,
		old: {
			copied: true,
			shown: upper,
			print: null,
			base
		}
	};
}
function directory(spot, shown, upper) {
	if (upper !== null) return upper.type === "dir" ? NOTHING : LEAVE;
	return shown?.type === "dir" ? {
		do: "touch",
		spot,
		shown
	} : LEAVE;
}
init_bytes();
init_identity();
init_entry();
init_port();
init_inside();
init_live();
var Round = class {
	result = {
		replayed: [],
		left: [],
		held: [],
		saved: [],
		again: [],
		kept: 0
	};
	#ctx;
	#room;
	#placer;
	#mounted = null;
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#placer = new Placer(ctx, room);
	}
	async run(paths) {
		const removed = paths.filter((path) => hostEntry(path) === null);
		const cleared = await this.#removals(removed.flatMap((path) => [...this.#below(path), path]));
		this.#room.letGo();
		const { inside, covered } = this.#room;
		const problem = await refreshMounts(this.#ctx, inside.pid, [covered.path]);
		for (const path of cleared) await this.#guarded(path, async () => this.#clear(path));
		for (const path of removed) await this.#guarded(path, () => this.#stirIfGone(path));
		await this.#puts(paths.filter((path) => hostEntry(path) !== null));
		this.#placer.save();
		await this.#clearKept();
		return problem;
	}
	*#below(dir) {
		const upper = upperPath(this.#room.covered, dir);
		if (lstatEntry(upper)?.type !== "dir") return;
		for (const name of namesOrNone(upper)) {
			const path = joinPath(dir, name);
			yield* this.#below(path);
			yield path;
		}
	}
	async #removals(paths) {
		const asides = [];
		const cleared = [];
		for (const path of paths) await this.#guarded(path, async () => {
			const step = await this.#decide(path);
			if (step.do === "take") {
				const aside = await this.#take(step);
				if (aside === null) this.#held(path);
				else asides.push(aside);
			} else if (step.do === "clear") cleared.push(path);
			else if (step.do === "leave") this.result.left.push(path);
		});
		for (const path of await this.#settle(asides)) this.#placer.removed(path);
		return cleared;
	}
	#clear(path) {
		const spot = this.#room.spot(path);
		if (spot === null) return;
		nodePort.rmdir(spot.at);
		this.#placer.removed(path);
		this.result.replayed.push(path);
	}
	async #take(step) {
		const aside = await takeOut(this.#room, step.spot, (kept) => isOld(kept, step, null));
		this.#placer.record(parentOf(step.spot.path));
		await this.#unmark(step.spot);
		return aside;
	}
	async #stirIfGone(path) {
		const step = await this.#decide(path);
		if (step.do !== "stir") return;
		stir(this.#room, step.spot);
		this.#placer.record(parentOf(path));
		await this.#unmark(step.spot);
	}
	async #unmark(spot) {
		const upper = lookUpper(spot);
		if (upper === null || !isWhiteout(upper)) return;
		const host = hostEntry(spot.path);
		if (host === null || host === "closed") return stir(this.#room, spot);
		const [copied] = (await this.#placer.copy([{
			spot,
			host
		}])).copied;
		if (copied === void 0) {
			this.result.again.push(spot.path);
			return;
		}
		nodePort.link(copied.from.at, spot.at);
		this.#placer.placed(copied.record);
	}
	async #puts(paths) {
		const puts = [];
		for (const path of paths) await this.#guarded(path, async () => {
			const step = await this.#decide(path);
			if (step.do === "put") puts.push(step);
			else if (step.do === "touch" && this.#placer.touch(step.spot, step.shown)) this.result.replayed.push(path);
			else if (step.do === "leave") this.result.left.push(path);
		});
		const records = /* @__PURE__ */ new Map();
		const asides = [];
		const { copied, again, left } = await this.#placer.copy(puts);
		this.result.again.push(...again);
		this.result.left.push(...left);
		for (const { step, from, record } of copied) {
			records.set(record.path, record);
			await this.#guarded(step.spot.path, async () => {
				const aside = await putOver(this.#room, step.spot, from, (kept) => isOld(kept, step, step.host));
				if (aside === null) this.#held(step.spot.path);
				else asides.push(aside);
			});
		}
		for (const path of await this.#settle(asides)) {
			const record = records.get(path);
			if (record !== void 0) this.#placer.placed(record);
		}
	}
	async #settle(asides) {
		const settled = await this.#placer.settle(asides);
		for (const { path } of settled.back) this.#held(path);
		this.result.saved.push(...settled.saved);
		this.result.replayed.push(...settled.done.map(({ path }) => path));
		return settled.done.map(({ path }) => path);
	}
	async #clearKept() {
		const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		if (pids.length === 0) return;
		const { saved, waiting } = this.#room.clear(pids);
		this.result.saved.push(...saved);
		this.result.kept += waiting;
	}
	async #decide(path) {
		const step = await decide(this.#ctx, this.#room, this.#placer.bases, path);
		if (step.do !== "put" && step.do !== "take" && step.do !== "clear") return step;
		this.#mounted ??= dirsOfMounts((await liveProcesses(this.#ctx.source)).map(({ pid }) => pid));
		return this.#mounted.has(path) ? { do: "leave" } : step;
	}
	#held(path) {
		this.result.left.push(path);
		this.result.held.push(path);
	}
	async #guarded(path, work) {
		try {
			await work();
		} catch (error) {
			if (errorCode(error) === "") throw error;
			this.result.left.push(path);
		}
	}
};
init_bytes();
init_entry();
init_port();
init_inside();
async function movedOn(records) {
	const moved = [];
	const pace = new Pace();
	for (const { path, base } of records) {
		await pace.breathe();
		if (base.state !== "known" || base.host.type === "dir") continue;
		const host = hostEntry(path);
		if (host === "closed") continue;
		if (host === null || !sameEntry(base.host, toHostStat(host, path))) moved.push(path);
	}
	return moved;
}
async function replayBatch(ctx, paths, report) {
	const groups = byPlace(ctx, paths);
	report.left.push(...paths.filter((path) => coveringDir(ctx.coveredDirs, path) === null));
	report.kept = 0;
	for (const [covered, mine] of groups) {
		const inside = await openInside(ctx.source, covered);
		if (inside === null) continue;
		await useAndCloseAsync(inside, async () => {
			report.live = true;
			const room = Room.open(ctx, covered, inside, mine);
			if (room === null) {
				report.left.push(...mine);
				report.problem ??= await refreshMounts(ctx, inside.pid, [covered.path]);
			} else await replayIn(ctx, room, mine, report);
		});
	}
}
async function replayIn(ctx, room, paths, report) {
	await useAndCloseAsync(room, async () => {
		const round = new Round(ctx, room);
		report.problem ??= await round.run(paths);
		for (const key of [
			"replayed",
			"left",
			"held",
			"saved",
			"again"
		]) report[key].push(...round.result[key]);
		report.kept += round.result.kept;
	});
}
function byPlace(ctx, paths) {
	const groups = /* @__PURE__ */ new Map();
	const add = (path, ...mine) => {
		const covered = coveringDir(ctx.coveredDirs, path);
		if (covered !== null) groups.set(covered, [...groups.get(covered) ?? [], ...mine]);
	};
	add(ctx.projectRoot);
	for (const path of paths) add(path, path);
	for (const path of presentReplayDirs(ctx)) add(path);
	const any = ctx.coveredDirs.find(({ path }) => isWithin(ctx.home, path)) ?? ctx.coveredDirs[0];
	if (groups.size === 0 && any !== void 0) groups.set(any, []);
	return groups;
}
init_limits();
init_live();
async function replay(ctx, request) {
	const report = {
		live: false,
		problem: null,
		kept: 0,
		replayed: [],
		left: [],
		held: [],
		saved: [],
		again: []
	};
	if ((await liveProcesses(ctx.source)).length === 0) return report;
	const moved = request.everything ? await movedOn(readBaseFile(ctx).records.values()) : [];
	const paths = [.../* @__PURE__ */ new Set([...request.paths, ...moved])];
	for (let at = 0; at === 0 || at < paths.length; at += 256) {
		const batch = paths.slice(at, at + 256);
		await withSession(ctx, "live", async (session) => {
			await finishInterruptedUndo(session);
			await replayBatch(session, batch, report);
		});
	}
	return report;
}
init_bytes();
init_errors$3();
init_port();
init_client_door();
var JOBS = {
	scan: async (ctx, mark) => await packScan(await scanJob(ctx, mark)),
	preview: previewJob,
	history: async (ctx, _) => readHistory(ctx),
	historyPaths: async (ctx, { key, after }) => historyPaths(ctx, key, after),
	undoPreview: async (ctx, { n }) => {
		return {
			...await previewUndo(ctx, n),
			processes: [...(await byClient(ctx)).others]
		};
	},
	fates: async (ctx, _) => await fatesJob(ctx),
	disk: (ctx, { live }) => diskSizes(ctx, live),
	commit: commitJob,
	discard: discardJob,
	undo: undoDiscardJob,
	undoCommit: undoCommitJob,
	redo: redoJob,
	recover: recoverJob,
	replay: (ctx, request) => replay(ctx, request),
	look: (ctx, _) => look$1(ctx),
	tidy: (ctx, { earliestCall }) => tidy(ctx, earliestCall),
	autoCommit: (ctx, _, __, signal) => autoCommit(ctx, commitListed, signal)
};
var STATE_JOBS = {
	garbage: previewGc,
	collect: ({ stateDir, contexts, order }) => collect(stateDir, contexts, order),
	box: sessionBox,
	boxes: sizedInstances,
	collectBoxes: ({ ids, ...at }) => collectInstances(at, {
		ids,
		dry: false
	})
};
async function commitJob(ctx, { scope, fingerprints, ...order }, progress, signal) {
	return await withRequest(ctx, async (locked) => {
		await recordBases(locked);
		const { found, session, settled } = await lookSettled(locked, () => reviewedList(locked, {
			...order,
			scope,
			fingerprints
		}));
		const { stale } = found;
		const list = withEffects(session, found.list);
		const { paths } = await chosenOf(session, withTimes(list, scope), scope);
		const request = {
			...order,
			revision: list.revision,
			exactly: paths ?? void 0,
			stale
		};
		const tools = {
			settled,
			onProgress: shown$2(progress),
			cancelled: () => signal?.aborted === true
		};
		const { bytes, conflicts } = list;
		const refused = {
			n: 0,
			state: "refused",
			entries: list.changes.length,
			bytes,
			conflicts,
			auto: ""
		};
		return await logged(session, (text) => ({
			t: "commit",
			...refused,
			text
		}), async () => await commitListed(session, list, request, tools));
	});
}
async function commitListed(session, list, request, tools) {
	const { stateDir, session: id } = session;
	const shared = await overlapsOf(stateDir, process.env, id).catch(() => []);
	const report = await keepingTimes(session, list, async () => {
		const earlier = await finishInterrupted(session, tools.onProgress);
		if (earlier !== null) return earlier;
		const done = await commitAll(session, list, request, tools);
		logCommit(session, done, done.state);
		return done;
	});
	await tellCommitted(stateDir, process.env, id, shared).catch(() => void 0);
	await collectOwn(session).catch(() => void 0);
	return report;
}
async function undoCommitJob(ctx, { endProcesses: end, ...request }, progress) {
	return await withRequest(ctx, async (session) => {
		expectNewest(session, request.n);
		await recordBases(session);
		if (end) await endOthers(session);
		return await logged(session, refusedUndo(request.n, false), async () => {
			const onProgress = shown$2(progress);
			const earlier = await finishInterrupted(session, onProgress);
			if (earlier !== null) return earlier;
			const tools = {
				onProgress,
				pendLive
			};
			const report = await undoCommit(await asQuiet(session) ?? session, request, tools);
			await showUndone(session, report);
			returnWritten(session, report);
			logCommit(session, report, report.state);
			return report;
		});
	});
}
function expectNewest(ctx, n) {
	const history = readHistory(ctx);
	if (history.find(({ can }) => can === "undo")?.n === n) return;
	const older = history.find((entry) => entry.n === n);
	throw notUndoable(n, older?.why || (older?.state === "undone" ? "it is undone already" : "it is not the newest"));
}
async function redoJob(ctx, _, progress) {
	return await withRequest(ctx, async (locked) => {
		const onProgress = shown$2(progress);
		const earlier = await finishInterrupted(locked, onProgress);
		if (earlier !== null) return earlier;
		await recordBases(locked);
		const { found: list, session, settled } = await lookSettled(locked, () => scan(locked));
		const tools = {
			settled,
			onProgress
		};
		return await logged(session, refusedUndo(0, true), async () => {
			const report = await keepingTimes(session, list, () => redoCommit(session, list, tools));
			logCommit(session, report, report.state);
			return report;
		});
	});
}
function refusedUndo(of, redo) {
	return (text) => ({
		t: "commit.undone",
		of,
		redo,
		state: "refused",
		n: 0,
		entries: 0,
		bytes: 0,
		text
	});
}
async function logged(session, refused, work) {
	try {
		return await work();
	} catch (error) {
		if (error instanceof TraiError) log(session, refused(error.message));
		throw error;
	}
}
function shown$2(progress) {
	return ({ done, total, path }) => progress?.(done, total, toDisplay(path));
}
async function discardJob(ctx, { scope, revision, endProcesses: end }, _, signal) {
	return await withRequest(ctx, async (session) => {
		const asked = {
			scope,
			revision,
			includeIgnored: true
		};
		let { list } = await reviewedList(session, asked);
		const ended = end ? await endOthers(session) : [];
		const now = end && !isClientRunning(session.sessionDir) ? await expectQuiet(session, UNTIL_QUIET_TO_DISCARD) : await asQuiet(session) ?? session;
		const closed = await giveUpInterrupted(now);
		if (ended.length > 0 || closed !== null) ({list} = await reviewedList(now, asked));
		const report = await keepingDiscarded(now, list, () => discardScope(now, list, scope, () => signal?.aborted === true));
		log(now, {
			t: "discard",
			trash: report.trash,
			entries: report.entries,
			ended
		});
		return report;
	});
}
async function discardScope(session, list, scope, cancelled) {
	const { paths } = await chosenOf(session, list, scope);
	if (cancelled()) throw discardStopped(0);
	const quiet = await asQuiet(session);
	if (quiet !== null && paths === null) return {
		...await discardAll(quiet, list.changes.length),
		paths
	};
	const all = paths ?? new Set(list.changes.map(({ path }) => path));
	const { plan, cannot } = await lookAtDiscard(session, list, all, quiet === null);
	if (all.size === 0) throw nothingPending(session.session);
	if (plan.going.length === 0) throw nothingToDiscard(cannot);
	const tools = {
		port: nodePort,
		cancelled
	};
	return {
		...quiet === null ? await discardLive(session, plan, tools) : discardPart(quiet, plan, tools),
		paths: new Set(plan.going.map(({ path }) => path))
	};
}
async function undoDiscardJob(ctx, { trash, endProcesses: end = false }) {
	return await withRequest(ctx, async (session) => {
		if (end) {
			if (isClientRunning(session.sessionDir) && returnableLive(session, trash) === null) await expectQuiet(session);
			await endOthers(session);
		}
		const quiet = await asQuiet(session);
		const live = quiet === null ? returnableLive(session, trash) : null;
		const report = live === null ? await undoDiscard(quiet ?? await expectQuiet(session, "Undo and end what runs (trai undo --end-processes), or wait until it is done. See also: trai ps"), trash) : await undoDiscardLive(session, live);
		log(session, {
			t: "undo",
			what: "discard",
			trash: report.trash,
			entries: report.entries
		});
		return report;
	});
}
async function recoverJob(ctx, _) {
	if (!(needsRepair(ctx) || adoptionWaits(ctx.sessionDir) || unfinishedCommit(ctx) !== null)) return null;
	try {
		return await withRequest(ctx, finishInterrupted);
	} catch (error) {
		if (error instanceof MovedOn) return null;
		throw error;
	}
}
function columnsOf({ list, packed, times }) {
	return {
		list,
		packed,
		times
	};
}
function keptOf(revision, packed) {
	return {
		revision,
		packed,
		spansVersion: "",
		timed: null
	};
}
var LISTS = 4;
var Lists = class {
	#kept = /* @__PURE__ */ new Map();
	forget(session) {
		const kept = this.#kept.get(session);
		this.#kept.delete(session);
		return kept;
	}
	scanned(session, found, before) {
		const kept = found.same ? before : keptOf(found.list.revision, columnsOf(found));
		if (kept !== void 0) setNewest(this.#kept, session, kept, LISTS);
	}
	async get({ session, revision, spansVersion }, ask) {
		let kept = this.forget(session);
		if (kept?.revision !== revision) kept = keptOf(revision, null);
		setNewest(this.#kept, session, kept, LISTS);
		if (kept.timed === null || kept.spansVersion !== spansVersion) {
			kept.spansVersion = spansVersion;
			kept.timed = named(kept, ask);
		}
		return (await kept.timed).list;
	}
};
async function named(kept, ask) {
	const { timed, packed } = kept;
	const { found, spans } = await ask(timed === null && packed === null);
	kept.packed = null;
	const list = timed === null ? unpacked(packed ?? found) : await timed;
	nameWriters(list, spans);
	return list;
}
function unpacked(found) {
	if (found === null) throw new Error("expected the columns of the list");
	return {
		list: {
			...found.list,
			changes: unpackChanges(found.packed)
		},
		times: found.times
	};
}
init_bytes();
init_call_times();
init_identity();
init_entry();
async function whyPath(ctx, list, path) {
	const listed = listedAt(list, path);
	const { change, below, times } = listed;
	const covered = coveringDir(ctx.coveredDirs, path);
	const host = lookAt(path);
	const upper = covered === null ? null : lookAt(upperPath(covered, path));
	const place = placeFacts(ctx, covered, path);
	const found = (await readBases(ctx)).lookup(path);
	const base = covered === null || isExcluded(path, ctx.excluded) ? { state: "none" } : found;
	const shown = upper === null || isWhiteout(upper.entry) ? null : upper.side;
	return {
		session: ctx.session,
		path,
		change,
		notPending: change === null ? notPending(ctx, path, {
			...listed,
			place,
			host,
			upper
		}) : null,
		below,
		...times === 0 ? {} : { times },
		place,
		base: base.state,
		baseHost: base.state === "known" ? base.host : null,
		host: host?.side ?? null,
		upper: shown,
		writes: change === null || covered === null ? [] : await writesOf(ctx, covered, change)
	};
}
function listedAt({ changes, timed = [], problems }, path) {
	const prefix = path === "/" ? "/" : `${path}/`;
	const inside = (list) => list.filter((one) => one.path.startsWith(prefix)).length;
	return {
		change: changes.find((one) => one.path === path) ?? null,
		below: inside(changes),
		times: inside(timed),
		timed: timed.some((one) => one.path === path),
		unreadable: problems.some((problem) => isWithin(path, fromText(problem.path)))
	};
}
function lookAt(path) {
	const entry = lstatOrNone(path);
	return entry === null ? null : {
		entry,
		side: toSide(entry, path)
	};
}
function placeFacts(ctx, covered, path) {
	let found = covered === null ? {
		path: "/",
		kind: "none",
		why: ""
	} : {
		path: covered.path,
		kind: "covered",
		why: ""
	};
	for (const note of readPlan(ctx.sessionDir)?.notes ?? []) if (isWithin(path, note.path) && (found.kind === "none" || note.path.length > found.path.length)) found = { ...note };
	return found;
}
function notPending(ctx, path, { below, unreadable, timed, place, host, upper }) {
	if (isWithin(path, fromText(ctx.stateDir))) return "state";
	if (isExcluded(path, ctx.excluded)) return "client";
	if (ctx.coveredDirs.length === 0) return "no-call";
	if (ctx.coveredDirs.some((one) => one.path === path)) return "place";
	if (place.kind === "none") return "uncovered";
	if (place.kind !== "covered") return place.kind;
	if (unreadable) return "unreadable";
	if (below > 0) return "below";
	if (upper !== null && !isWhiteout(upper.entry)) return timed ? "time" : "same";
	return host === null ? "absent" : "untouched";
}
async function writesOf(ctx, covered, change) {
	const written = timeOf$1(await writeTimes(ctx, [change]), 0);
	const whens = written === null ? [] : whensOf(covered, change, written);
	if (whens.length === 0) return [];
	const { folds, spans } = await readOverlayLogs(ctx);
	const index = new WriterIndex(spans);
	const writes = whens.map(([what, [from, to]]) => {
		const writers = index.spansBetween(from, to).map((span) => {
			const { call, session } = span;
			const view = folds.get(session)?.view(call);
			return {
				call,
				session,
				by: writesBy(span, from),
				command: view?.command ?? "",
				at: view?.startedAt ?? ""
			};
		});
		return {
			what,
			from: new Date(from).toISOString(),
			to: new Date(to).toISOString(),
			writers
		};
	});
	return writes.filter((one, at) => at === 0 || !isDeepStrictEqual(one.writers, writes[0]?.writers));
}
function whensOf(covered, change, written) {
	if (change.kind === "deleted") return [["deleted", written]];
	const made = Number((lstatOrNone(upperPath(covered, change.path))?.birthNs ?? 0n) / 1000000n);
	const isOfHost = change.kind === "modified" || change.kind === "meta";
	return made > 0 && made < written[0] ? [["changed", written], [isOfHost ? "earlier" : "made", [made, made]]] : [["changed", written]];
}
var OMITTED_REASONS = {
	"too-large": "it is too large to show here",
	"too-long-lines": "it has lines that are too long to show here",
	timeout: "comparing took too long",
	unreadable: "it could not be read",
	changed: "it changed while it was read",
	special: "it is not a regular file"
};
init_bytes();
init_format();
init_limits();
init_entry();
var HEAD_LINES = 40;
async function diffEntry(ctx, change, view = {}) {
	const sides = lookAt$1(ctx, change);
	if (sides === null) return omitted({
		id: change.id,
		etag: ""
	}, "unreadable", null, null);
	const base = {
		id: change.id,
		etag: entryEtag(identityOf$2(sides.host.entry), identityOf$2(sides.pending.entry))
	};
	if (isOutdated(change.host, sides.host.entry) || isOutdated(change.pending, sides.pending.entry)) return omitted(base, "changed", null, null);
	const types = [change.host?.type, change.pending?.type];
	if (types.includes("symlink")) return linkDiff(base, sides);
	if (change.kind === "meta" || !types.includes("file")) return {
		...base,
		kind: "meta",
		notes: notesOf(change)
	};
	const [oldSide, newSide] = await Promise.all([contentOf(sides.host), contentOf(sides.pending)]);
	return fileDiff(base, change, [oldSide, newSide], view);
}
function isOutdated(side, entry) {
	return side?.type !== entry?.type;
}
async function contentOf({ path, real, entry }) {
	return entry?.type === "file" ? readSide(path, entry, real) : { state: "absent" };
}
function fileDiff(base, change, [old, now], view) {
	for (const side of [now, old]) if (side.state === "omitted") return omitted(base, side.reason, old, now);
	if (old.state === "binary" || now.state === "binary") return {
		...base,
		kind: "binary",
		mime: mimeOf(now) ?? mimeOf(old),
		oldBytes: bytesOf(old),
		newBytes: bytesOf(now),
		oldSha256: hashOf(old),
		newSha256: hashOf(now),
		oldHead: headOf(old),
		newHead: headOf(now)
	};
	if (old.state === "large" || now.state === "large") return omitted(base, "too-large", old, now);
	const oldText = textOf(old);
	const newText = textOf(now);
	if (countLines(oldText) > 2e4 || countLines(newText) > 2e4) return omitted(base, "too-large", old, now);
	const compared = compareTexts(oldText, newText, {
		...view.whole ? { context: Number.POSITIVE_INFINITY } : {},
		spaces: view.spaces ?? "exact"
	});
	if (view.load !== true && !isSmall(compared)) {
		const { oldTotal: oldLines, newTotal: newLines } = compared;
		return {
			...base,
			kind: "collapsed",
			oldLines,
			newLines,
			oldBytes: bytesOf(old) ?? 0,
			newBytes: bytesOf(now) ?? 0
		};
	}
	return {
		...base,
		kind: "text",
		...compared,
		language: languageOf(change.path)
	};
}
function isSmall({ hunks }) {
	let lines = 0;
	let bytes = 0;
	for (const hunk of hunks) {
		lines += hunk.lines.length;
		for (const line of hunk.lines) bytes += line.text.length + 1;
	}
	return lines <= 400 && bytes <= 20480;
}
function linkDiff(base, { host, pending }) {
	try {
		return {
			...base,
			kind: "symlink",
			oldTarget: targetOf(host),
			newTarget: targetOf(pending)
		};
	} catch {
		return omitted(base, "changed", null, null);
	}
}
function targetOf({ path, entry }) {
	return entry?.type === "symlink" ? toDisplay(readTarget(path)) : null;
}
function omitted(base, reason, old, now) {
	const shown = [now, old].find((side) => side?.state === "text" || side?.state === "large") ?? null;
	const text = shown?.state === "large" ? shown.head : shown === null ? "" : textOf(shown);
	return {
		...base,
		kind: "omitted",
		reason,
		message: OMITTED_REASONS[reason],
		oldBytes: old === null ? null : bytesOf(old),
		newBytes: now === null ? null : bytesOf(now),
		head: splitLines(text.slice(0, 8192)).slice(0, HEAD_LINES).map((line) => line.text)
	};
}
function notesOf({ host, pending, kind, xattrs }) {
	const notes = [];
	if (host === null && pending !== null) notes.push(`new ${TYPE_WORDS[pending.type]}, mode ${modeText(pending.mode)}`);
	if (host !== null && pending === null) notes.push(`${TYPE_WORDS[host.type]} deleted`);
	if (kind === "dir-replaced") notes.push("directory deleted and made again: what it held is listed as deleted");
	if (host === null || pending === null) return notes;
	if (host.type !== pending.type) notes.push(`${TYPE_WORDS[host.type]} → ${TYPE_WORDS[pending.type]}`);
	if (host.mode !== pending.mode) notes.push(`mode ${modeText(host.mode)} → ${modeText(pending.mode)}`);
	if (host.uid !== pending.uid || host.gid !== pending.gid) notes.push(`owner ${host.uid}:${host.gid} → ${pending.uid}:${pending.gid}`);
	if (xattrs === true) notes.push("other extended attributes (an ACL, a capability, user.*)");
	return notes;
}
var TYPE_WORDS = {
	file: "file",
	dir: "directory",
	symlink: "symbolic link",
	fifo: "FIFO",
	socket: "socket",
	char: "character device",
	block: "block device"
};
function textOf(side) {
	return side.state === "text" ? side.text : "";
}
function bytesOf(side) {
	return side.state === "absent" ? null : side.bytes;
}
function hashOf(side) {
	return side.state === "binary" ? side.sha256 : null;
}
function headOf(side) {
	if (side.state === "text") return Buffer.from(side.text.slice(0, HEX_BYTES)).toString("hex", 0, HEX_BYTES);
	return side.state === "binary" ? side.head : "";
}
function mimeOf(side) {
	return side.state === "binary" ? side.mime : null;
}
init_bytes();
init_format();
init_text();
var MARKS = {
	"added": "A",
	"modified": "M",
	"deleted": "D",
	"replaced": "R",
	"dir-replaced": "R",
	"meta": "P"
};
function countsText(counts) {
	const parts = [
		"added",
		"modified",
		"deleted",
		"replaced",
		"meta"
	].filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind === "meta" ? "mode or owner" : kind}`);
	return parts.length === 0 ? "nothing" : parts.join(", ");
}
function statusText(input, style, most) {
	const { list } = input;
	const shown = list.changes.filter((change) => change.ignored === null);
	const head = shown.length === 0 ? `${list.problems.length > 0 ? "Nothing readable" : "Nothing"} is pending in session ${style.bold(input.session)}` : `${countText(shown.length, "change")} pending in session ${style.bold(input.session)}: ${countsText(list.counts)}, ${sizeText(list.bytes)}`;
	const ignored = list.ignored.count === 0 ? "" : style.dim(` (+ ${list.ignored.count} ignored, ${sizeText(list.ignored.bytes)})`);
	const times = list.times === void 0 ? "" : style.dim(` (+ ${countText(list.times, "time")})`);
	const lines = [head + ignored + times, ...warnings(input, style)];
	for (const change of shown.slice(0, most)) lines.push(changeLine(change, input.projectRoot, style));
	if (shown.length > most) lines.push(style.dim(`  … and ${shown.length - most} more: trai diff --list, or /trai:ui`));
	return lines.join("\n");
}
function warnings(input, style) {
	const lines = [];
	if (input.off !== null) lines.push(style.yellow(`The sandbox is off for this session: ${input.off}`));
	if (input.caught) lines.push(style.red("NOT SANDBOXED: a call of this session ran on the host, see trai log"));
	if (input.unfinished) lines.push(style.yellow("A commit was interrupted. The next commit completes it."));
	for (const text of input.rules) lines.push(style.yellow(text));
	if (input.low !== null) lines.push(style.yellow(lowText(input.low)));
	const risks = countRisks(input.list.changes, {
		...input,
		hidden: input.texts.hidden
	}).map(riskText);
	if (input.texts.unread > 0) risks.push(unreadText(input.texts.unread));
	if (risks.length > 0) lines.push(style.yellow(`Worth a look: ${risks.join(", ")}`));
	if (input.list.conflicts > 0) lines.push(style.red(conflictText(input.list)));
	for (const overlap of input.overlaps) {
		const text = overlapText(overlap.session, overlap, input.projectRoot);
		lines.push(style.yellow(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
	}
	for (const problem of input.list.problems) lines.push(style.red(`Could not be read: ${problem.path}: ${problem.message}`));
	if (input.processes.length > 0) {
		lines.push(`${countText(input.processes.length, "running process", "running processes")}:`);
		for (const one of input.processes.slice(0, 10)) lines.push(style.dim(`  ${one.pid}  ${one.command}`));
	}
	return lines;
}
function conflictText(list) {
	const moved = hostMoved(list).length;
	const closed = list.conflicts - moved;
	const pending = list.changes.filter((change) => change.ignored === null).length;
	const parts = moved === 0 ? [] : [`The host changed ${moved} of ${countText(pending, "pending path")} since`];
	if (closed > 0) parts.push(`${countText(closed, "directory", "directories")} cannot be read`);
	return parts.join("; ");
}
function changeLine(change, projectRoot, style) {
	const mark = MARKS[change.kind];
	const colour = mark === "A" ? style.green : mark === "D" ? style.red : style.yellow;
	const slash = (change.pending ?? change.host)?.type === "dir" ? "/" : "";
	const conflict = conflictOf(change, style);
	return `  ${colour(mark)} ${shownPath(change.path, projectRoot)}${slash}${style.dim(detailOf(change, projectRoot))}${conflict}${effectsText(change, style)}`;
}
function conflictOf({ conflict }, style) {
	if (conflict === null) return "";
	return style.red(`  ${conflict === "unreadable" ? "" : "conflict: "}${CONFLICT_REASONS[conflict]}`);
}
var EFFECT_WORDS = {
	flag: "flagged",
	confirm: "to be confirmed",
	never: "not to be committed",
	auto: "committed by itself"
};
function effectsText({ effects = [] }, style) {
	return effects.map((one) => style.yellow(`  ${EFFECT_WORDS[one.do]} (${one.text})`)).join("");
}
function detailOf(change, projectRoot) {
	const { pending, host } = change;
	if (pending?.type === "symlink" && pending.target !== void 0) return ` -> ${toDisplay(pending.target)}`;
	if (change.renamedFrom !== void 0) return ` (renamed from ${shownPath(change.renamedFrom, projectRoot)})`;
	if (pending === null || host === null) return "";
	if (change.kind === "dir-replaced") return " (directory recreated)";
	if (pending.type !== host.type) return ` (${host.type} becomes ${pending.type})`;
	const parts = [];
	if (pending.mode !== host.mode) parts.push(`mode ${modeText(host.mode)} to ${modeText(pending.mode)}`);
	if (pending.uid !== host.uid || pending.gid !== host.gid) parts.push(`owner ${host.uid}:${host.gid} to ${pending.uid}:${pending.gid}`);
	if (change.xattrs === true) parts.push("extended attributes");
	return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
init_port();
init_bytes();
function followed(given) {
	for (let at = given; at !== "/"; at = parentOf(at)) {
		const real = orNull(() => realPath(at));
		if (real !== null) return at === given ? real : joinPath(real, given.slice(at.length + 1));
	}
	return given;
}
init_port();
init_bytes();
init_text();
var HOOK_QUESTIONS = {
	missing: async ({ projectRoot }, { changes }, uses) => {
		const missing = missingFor(uses, changes);
		return missing.length === 0 ? "" : missingText(missing, projectRoot);
	},
	conflicts: async (_, { changes }) => changes.filter(({ conflict, ignored }) => conflict !== null && ignored === null).map(({ path, conflict }) => ({
		path,
		conflict
	})),
	facts: async ({ projectRoot }, list) => {
		const pathsOf = (changes) => changes.map(({ path }) => path);
		const counted = pathsOf(list.changes.filter(({ ignored }) => ignored === null));
		const moved = pathsOf(hostMoved(list));
		return {
			count: counted.length,
			named: namedPaths(counted, projectRoot),
			moved: moved.length,
			movedNamed: namedPaths(moved, projectRoot)
		};
	}
};
function missingFor(uses, changes) {
	const found = [];
	for (const use of uses) {
		const roots = rootsOf(use);
		const inside = (change) => change.ignored === null && (roots === null || roots.some((root) => matters(change, root)));
		const missing = changes.filter(inside);
		if (missing.length > 0) found.push({
			what: use.what,
			changes: missing
		});
	}
	return found;
}
function matters({ kind, path }, root) {
	return isWithin(path, root) || HIDES.has(kind) && isWithin(root, path);
}
var HIDES = /* @__PURE__ */ new Set([
	"added",
	"deleted",
	"dir-replaced",
	"replaced"
]);
function rootsOf({ scope, dirs, records = [] }) {
	if (dirs === null || records === null) return null;
	const read = records.length === 0 ? [] : rootsOf({
		scope: "git-dir",
		dirs: records
	}) ?? [];
	const roots = dirs.flatMap((dir) => {
		const start = followed(fromText(dir));
		if (scope === "below") return [start];
		const repository = repositoryOf(existing(start));
		if (repository === null) return scope === "repository" ? [start] : [joinPath(start, ".git")];
		const records = [repository.commonDir, joinPath(repository.top, ".git")];
		return scope === "git-dir" ? records : [repository.top, repository.commonDir];
	});
	return [.../* @__PURE__ */ new Set([...roots, ...read])];
}
function existing(path) {
	for (let at = path;; at = parentOf(at)) if (at === "/" || lstatSync(fsPath(at), { throwIfNoEntry: false }) !== void 0) return at;
}
var SHOWN = 5;
function changesText(changes, projectRoot) {
	const first = changes.slice(0, SHOWN).map((change) => `${MARKS[change.kind]} ${shown$1(change.path, projectRoot)}`);
	const more = changes.length > SHOWN ? ` and ${changes.length - SHOWN} more` : "";
	return `${countText(changes.length, "pending change")}: ${first.join(", ")}${more}`;
}
function shown$1(path, projectRoot) {
	const text = shownPath(path, projectRoot);
	return text.length <= 120 ? text : `…/${toDisplay(nameOf(path)).slice(-118)}`;
}
function missingText(missing, projectRoot) {
	return `${[...new Set(missing.map(({ what }) => `\`${what}\``))].join(" and ")} would run on the host without ${changesText([...new Set(missing.flatMap((one) => one.changes))], projectRoot)}.`;
}
init_errors$3();
init_format();
var NEW_CODE = "Type `/trai:ui` in Claude Code, or run `trai ui`, for a new one.";
var RELOAD = "Reload the page for a new number.";
var REFUSALS = {
	"unknown-code": [
		"unauthorised",
		"this code is not known",
		NEW_CODE
	],
	"late-code": [
		"unauthorised",
		"this code is older than 30 seconds",
		NEW_CODE
	],
	"used-code": [
		"unauthorised",
		"this link was already used, and works once",
		`The tab that it opened first stays signed in. ${NEW_CODE}`
	],
	"many-pages": [
		"busy",
		"too many pages are waiting for a number",
		"Try again in two minutes."
	],
	"void-numbers": [
		"not-found",
		"too many wrong numbers: all numbers on open pages are void",
		RELOAD
	],
	"wrong-number": [
		"not-found",
		"no page shows the number {number}",
		"Numbers are good for two minutes; reload the page for a new one."
	],
	"late-number": [
		"not-found",
		"this number is no longer valid",
		RELOAD
	],
	"not-signed-in": [
		"unauthorised",
		"this tab is not signed in",
		"Type `/trai:ui` in Claude Code, or run `trai ui` in a terminal."
	],
	"not-your-browser": [
		"forbidden",
		"only a browser of yours may do this: it was asked by {who}",
		"Open the page in a browser that you started yourself, outside Claude Code’s commands; or use trai in a terminal."
	],
	"not-the-user": [
		"needs-permit",
		"only the user can open the dashboard: this was asked by {who}",
		"Type `/trai:ui` in Claude Code, or run `trai ui` in a terminal of your own."
	],
	"no-question": ["not-found", "there is no such question"],
	"answered": [
		"answered",
		"this question has been settled already ({how})",
		"The first answer counts."
	],
	"answer-denied": [
		"forbidden",
		"a permission rule denies this call now: {why}",
		"Deny it, or change the rule first."
	],
	"no-question-diff": ["not-found", "this question is not about a text that is written to a file"],
	"not-the-user-answers": [
		"needs-permit",
		"only the user can answer: this was asked by {who}",
		"Answer in the dashboard, in Claude Code itself, or with `trai answer` in a terminal of your own."
	],
	"not-the-user-boxes": [
		"needs-permit",
		"only the user can open the network of a box: this was asked by {who}",
		"Start the box in a terminal of your own."
	],
	"not-a-box": ["forbidden", "process {pid} is not the first one in a box of that session"],
	"no-box-network": [
		"io",
		"the network of the box could not be opened: {why}",
		"Without it: --net off, or --net open."
	],
	"many-tabs": ["busy", "too many tabs are open"],
	"no-session": ["no-session", "there is no such session"],
	"no-call-yet": ["not-found", "this session has not run anything yet"],
	"no-call": ["not-found", "there is no such call in the log"],
	"no-entry": ["not-found", "there is no such entry in the list any more"],
	"not-as-seen": ["stale-revision", "the changes moved on since you looked: refresh, and look again"],
	"search-moved-on": [
		"stale-revision",
		"the changes moved on while they were searched",
		"Search again."
	],
	"no-file": [
		"not-found",
		"expected a file on that side, and there is none, or it has just changed",
		"Refresh and look again."
	],
	"no-image": ["bad-input", "expected a PNG, JPEG, GIF or WebP image, found something else"],
	"unreadable": ["io", "the file cannot be read"],
	"changed-while-read": ["io", "the file changed while it was read"],
	"too-large": [
		"too-large",
		"{size} bytes are too many to be {done}; at most {most} are",
		"In a terminal, `trai exec` sees the sandbox’s version: copy it from there."
	],
	"rules-need-session": [
		"bad-input",
		"rules of the scope {scope} belong to a project or session, and none was chosen",
		"Choose a session on the page."
	],
	"no-tool-input": [
		"bad-input",
		"the input of this tool is not JSON",
		"Write it as {\"field\": \"value\"}."
	],
	"no-editor": [
		"unsupported",
		"{why}",
		"Choose one in the settings."
	],
	"editor-failed": ["io", "the editor could not be started"],
	"settings-foreign": [
		"corrupt",
		"the settings were not saved: {why}",
		"Nothing was changed. Move the file away, and the defaults are used."
	],
	"settings-failed": ["io", "the settings were not saved: {why}"]
};
function refusal(name, values = {}, details = {}) {
	const [code, message, hint] = REFUSALS[name];
	return new TraiError(code, filled(message, values), {
		...details,
		hint
	});
}
init_limits();
var KEPT = 8;
var HiddenTextCache = class {
	#known = /* @__PURE__ */ new Map();
	#looking = /* @__PURE__ */ new Map();
	async look(ctx, list, ms = HIDDEN_MS.page) {
		const key = `${ctx.sessionDir} ${list.revision}`;
		const looking = this.#looking.get(key) ?? this.#look(ctx, list, ms).finally(() => this.#looking.delete(key));
		this.#looking.set(key, looking);
		return await looking;
	}
	known({ sessionDir }, { changes }) {
		const all = this.#known.get(sessionDir);
		const verdicts = /* @__PURE__ */ new Map();
		for (const change of all === void 0 ? [] : changes) {
			const known = all?.get(change.id);
			if (known !== void 0 && known.verdict !== "moved" && isOf(known, change)) verdicts.set(change.id, known.verdict);
		}
		return verdicts;
	}
	async #look(ctx, { changes }, ms) {
		const before = this.#known.get(ctx.sessionDir);
		const now = /* @__PURE__ */ new Map();
		const open = [];
		for (const change of changes) {
			if (!hasNewText(change)) continue;
			const known = before?.get(change.id);
			if (known !== void 0 && isOf(known, change)) now.set(change.id, known);
			else open.push(change);
		}
		setNewest(this.#known, ctx.sessionDir, now, KEPT);
		const found = await lookForHidden(ctx, open, ms);
		for (const change of open) {
			const verdict = found.get(change.id);
			if (verdict !== void 0) now.set(change.id, {
				host: change.hostIdentity,
				upper: change.upperIdentity,
				verdict
			});
		}
		const hidden = [...now].flatMap(([id, { verdict }]) => verdict === "hidden" ? [id] : []);
		const clean = [...now.values()].filter(({ verdict }) => verdict === "clean").length;
		return {
			hidden,
			unread: now.size - hidden.length - clean,
			left: open.length - found.size
		};
	}
};
function isOf(known, { hostIdentity, upperIdentity }) {
	return known.host === hostIdentity && known.upper === upperIdentity;
}
init_live();
async function statusFacts(ctx, env) {
	const { stateDir, session } = ctx;
	return {
		processes: await liveProcesses(ctx.source),
		unfinished: unfinishedCommit(ctx) !== null,
		overlaps: await overlapsOf(stateDir, env, session),
		rules: ruleNews(ctx),
		low: lowSpace(stateDir, loadConfig(env).config.disk.warnFreeBytes)
	};
}
function errorOfTool(text) {
	const [, name, mcp] = /^(?:<tool_use_error>)?\s*(?:(\w{1,60}Error)\b|(MCP error -?\d{1,9}))/.exec(text) ?? [];
	return name ?? mcp ?? "error";
}
init_format();
init_calls();
init_text();
var STATES = {
	"requested": "waiting",
	"running": "running",
	"ended": "",
	"not-entered": "not entered, nothing ran",
	"refused": "refused",
	"not-run": "not run",
	"unsandboxed": "NOT SANDBOXED",
	"lost": "end unknown (the launcher was killed)"
};
function logText({ calls, tools, wrote }, style, most) {
	const decided = tools.filter(({ decision }) => decision !== "pass");
	if (calls.length + decided.length === 0) return "No calls yet.";
	const newest = calls.slice(-most);
	const head = newest.length === calls.length ? countText(calls.length, "call") : `The last ${newest.length} of ${calls.length} calls`;
	const from = newest.length === calls.length ? "" : beganAt(newest[0]);
	let at = "";
	const lines = newest.map((call) => {
		at = beganAt(call) || at;
		const text = [callLine(call, style, wrote.get(call.id) ?? 0), ...savedLines(call, style)].join("\n");
		return {
			at,
			text
		};
	});
	const shown = decided.filter(({ at }) => at >= from).slice(-most);
	lines.push(...shown.map((tool) => ({
		at: tool.at,
		text: toolLine(tool, style)
	})));
	lines.sort((a, b) => a.at === b.at ? 0 : a.at < b.at ? -1 : 1);
	return [head, ...lines.map(({ text }) => text)].join("\n");
}
function beganAt(call) {
	return call?.startedAt ?? call?.requestedAt ?? "";
}
var DECISIONS = {
	allow: "allowed",
	ask: "asked",
	deny: "denied",
	pass: "client"
};
function toolLine(tool, style) {
	const said = (tool.decision === "deny" ? style.red : style.dim)(DECISIONS[tool.decision].padEnd(7));
	const by = tool.outcomeBy === "classifier" ? " by the classifier" : "";
	const type = tool.outcome === "failed" ? `: ${errorOfTool(tool.error)}` : "";
	const outcome = tool.outcome === null ? "" : style.dim(` ${tool.outcome}${type}${by}`);
	return `${style.dim(clockText(tool.at).padEnd(8))} ${said}          ${tool.tool} ${oneLine(tool.subject)}${outcome}${byText(tool, style)}`;
}
function byText(permission, style) {
	if (permission === null || permission.by === "read-only") return "";
	if (permission.decision === "pass" && permission.answered === null) return "";
	return style.dim(` (${permissionText(permission)})`);
}
function permissionText({ decision, by, rule, segment, subject, answered }) {
	const who = {
		"trai": "trai itself",
		"client": "Claude Code",
		"broken": `the unusable rule file ${rule}`
	};
	const named = by === "trai" || by === "client" || by === "broken" ? who[by] : rule === "" ? by : rule;
	const part = segment === "" || segment === subject ? "" : `, for ${oneLine(segment)}`;
	return `${decision === "pass" ? "left to" : decision === "ask" ? "asked about by" : `${DECISIONS[decision]} by`} ${named}${part}${answered === null ? "" : answerText$1(answered)}`;
}
var PLACES = {
	tab: "in the dashboard",
	answer: "with trai answer",
	client: "in Claude Code"
};
var ANSWERS = {
	once: "allowed",
	session: "allowed, with a rule for the session,",
	always: "allowed, with a rule,",
	no: "denied",
	never: "denied, with a rule,",
	leave: "left to Claude Code",
	ran: "allowed",
	refused: "denied",
	ended: "",
	late: "",
	gone: ""
};
function answerText$1({ end, by }) {
	return ANSWERS[end] === "" ? "" : `; ${ANSWERS[end]} by you ${PLACES[by]}`;
}
function callLine(call, style, wrote) {
	const at = clockText(call.startedAt ?? call.requestedAt ?? "");
	const place = call.mode === "host" ? style.yellow("host   ") : call.mode === "refuse" ? style.red("refused") : "sandbox";
	const exit = call.rc === null ? " ".repeat(8) : (call.rc === 0 ? style.green : style.red)(`exit ${String(call.rc).padEnd(3)}`);
	const time = call.ms === null ? "" : style.dim(` ${durationText(call.ms)}`);
	const state = STATES[call.state];
	const reach = call.mode === "sandbox" && call.text !== "" ? ` ${style.yellow("may act on the host")}` : "";
	const ended = state === "" ? "" : ` ${call.state === "unsandboxed" ? style.red(state) : style.dim(state)}`;
	const pending = wrote === 0 ? "" : ` ${style.cyan(`${wrote} pending`)}`;
	const said = call.state === "unsandboxed" ? ended : ended + reach + byText(call.permission, style);
	return `${style.dim(at.padEnd(8))} ${place} ${exit} ${oneLine(shownCommand(call))}${time}${said}${pending}${leftText(call, style)}`;
}
function leftText({ left, gone }, style) {
	const running = left.filter((pid) => !gone.includes(pid)).length;
	return running === 0 ? "" : ` ${style.yellow(`${countText(running, "process", "processes")} of it still running: trai ps`)}`;
}
function savedLines({ saved }, style) {
	return saved.flatMap(({ what, restore, text }) => [...restore.map((line) => `  ${style.yellow("saved")} what \`${what}\` threw away; restore it in a terminal with: ${line}`), ...text === "" ? [] : [`  ${style.red("not saved")} what \`${what}\` threw away: ${oneLine(text)}`]]);
}
function oneLine(command) {
	const text = command.replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
	return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
function psText({ session, processes, calls }, style) {
	if (processes.length === 0) return `No processes of session ${style.bold(session)} are running.`;
	const byCall = /* @__PURE__ */ new Map();
	for (const process of processes) addTo(byCall, process.call, process);
	const lines = [`${countText(processes.length, "process", "processes")} of session ${style.bold(session)} running`];
	for (const [id, group] of byCall) {
		const call = calls.find((one) => one.id === id);
		lines.push(callHead(call, style));
		for (const process of group) lines.push(processLine(process, style));
	}
	lines.push(style.dim("End them with: trai ps --end [PID...]"));
	return lines.join("\n");
}
function callHead(call, style) {
	if (call === void 0) return style.dim("  call unknown:");
	const at = clockText(call.startedAt ?? "");
	const state = call.state === "running" ? "running since" : "ended, started at";
	return `  ${oneLine(call.command)} ${style.dim(`(call ${call.id}, ${state} ${at})`)}`;
}
function processLine({ pid, seconds, ports, command }, style) {
	const age = durationText(seconds * 1e3).padEnd(12);
	const listens = ports.length === 0 ? "" : `${style.cyan(ports.map((port) => `:${port}`).join(" "))}  `;
	return `  ${String(pid).padStart(9)}  ${style.dim(age)} ${listens}${command}`;
}
init_bytes();
init_format();
var ROOT = "/";
function diffText(change, diff, style) {
	const detail = diff.kind !== "meta" && diff.kind !== "symlink" ? style.dim(detailOf(change, ROOT)) : "";
	return [`${style.bold(`${change.kind}: ${toDisplay(change.path)}`)}${detail}${conflictOf(change, style)}`, ...body(diff, style)].join("\n");
}
function body(diff, style) {
	switch (diff.kind) {
		case "text":
			if (diff.hunks.length === 0) return ["  (empty file)"];
			return [...diff.hunks.flatMap((hunk) => hunkLines(hunk, style)), ...diff.approximate ? [style.dim("(comparison cut short: correct, but not minimal)")] : []];
		case "collapsed": return [`  ${diff.oldLines} to ${diff.newLines} lines, ${sizeText(diff.oldBytes)} to ${sizeText(diff.newBytes)}: too many changed lines. Show them with: trai diff PATH`];
		case "binary": return [`  binary${diff.mime === null ? "" : ` (${diff.mime})`}: ${side(diff.oldBytes)} to ${side(diff.newBytes)}`];
		case "symlink": return [...diff.oldTarget === null ? [] : [style.red(`-> ${shown(diff.oldTarget)}`)], ...diff.newTarget === null ? [] : [style.green(`-> ${shown(diff.newTarget)}`)]];
		case "meta": return diff.notes.map((note) => `  ${shown(note)}`);
		case "omitted": return [`  not shown: ${diff.message} (${side(diff.oldBytes)} to ${side(diff.newBytes)})`, ...diff.head.map((line) => style.dim(`  ${shown(line)}`))];
	}
}
function hunkLines(hunk, style) {
	return [style.cyan(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`), ...hunk.lines.flatMap((line) => {
		const text = `${line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " "}${shown(line.text)}${line.end === "crlf" ? "\\r" : ""}`;
		const coloured = line.kind === "added" ? style.green(text) : line.kind === "removed" ? style.red(text) : text;
		return line.end === "none" ? [coloured, style.dim("\\ No newline at end of file")] : [coloured];
	})];
}
function shown(text) {
	return replaceHidden(text, (code) => `\\u{${code.toString(16)}}`);
}
function side(bytes) {
	return bytes === null ? "nothing" : sizeText(bytes);
}
function visible(text, coloured) {
	return text.replace(PATTERN, (found) => {
		if (found.length > 1) return coloured ? found : `\\x1b${found.slice(1)}`;
		const code = found.codePointAt(0) ?? 0;
		return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
	});
}
var MAX_ANSWER = 9e3;
function answerText(text) {
	const whole = visible(text.trimEnd(), false);
	const kept = whole.slice(0, MAX_ANSWER).replace(/[\ud800-\udbff]$/, "");
	return kept.length === whole.length ? whole : `${kept}\n… (cut; /trai:ui shows all)`;
}
var PATTERN = new RegExp(`\\u001b\\[(?:1|2|22|3[1236]|39)m|${/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g.source}`, "g");
init_processes();
init_read();
init_bytes();
init_limits();
init_text();
var MAX_DIFFS = 4500;
var STATUS_PATHS = 50;
var LOG_CALLS = 50;
var PLAIN_PATH = /^[\p{L}\p{N}./_@+,=:%][\p{L}\p{N}./_@+,=:%-]*$/u;
async function typedAnswer(ctx, list, typed) {
	const text = await answer$1(ctx, list, typed);
	return text === null ? null : answerText(text);
}
async function answer$1(ctx, list, typed) {
	const { name, args, cwd } = typed;
	if (name === "diff" && args !== "") {
		if (!PLAIN_PATH.test(args) || cwd === "") return null;
		const wanted = fromText(resolve(cwd, args));
		const changes = list.changes.filter((change) => isWithin(change.path, wanted));
		const [only] = changes;
		if (only === void 0) return null;
		if (only.path === wanted && (await diffEntry(ctx, only)).kind === "collapsed") return null;
		return await diffs(ctx, changes);
	}
	if (args !== "") return null;
	const fold = () => readFold(ctx.sessionDir);
	if (name === "status") return await status(ctx, list, typed);
	if (name === "log") {
		const log = await fold();
		const wrote = countWritten(list.changes);
		return logText({
			calls: log.views(),
			tools: log.tools(),
			wrote
		}, PLAIN$1, LOG_CALLS);
	}
	if (name === "ps") {
		const processes = await sessionProcesses(ctx.source, async () => (await fold()).spans());
		return psText({
			session: ctx.session,
			processes,
			calls: (await fold()).views()
		}, PLAIN$1);
	}
	if (name !== "diff") return null;
	const changes = list.changes.filter((change) => change.ignored === null);
	const unread = list.problems.map(({ path, message }) => `Could not be read: ${path}: ${message}`);
	if (changes.length > 0) return await diffs(ctx, changes);
	return unread.length > 0 ? unread.join("\n") : "Nothing is pending.";
}
async function status(ctx, scanned, { env, off, caught }) {
	const list = {
		...scanned,
		changes: withNamedEffects(ctx, scanned.changes)
	};
	const { session, projectRoot, home } = ctx;
	const facts = await statusFacts(ctx, env);
	return statusText({
		session,
		projectRoot,
		home,
		off,
		caught,
		list,
		texts: await hiddenAmong(ctx, list.changes, HIDDEN_MS.status),
		...facts
	}, PLAIN$1, STATUS_PATHS);
}
async function diffs(ctx, changes) {
	let text = "";
	let shown = 0;
	for (const change of changes) {
		if (text.length > MAX_DIFFS) break;
		text += `${diffText(change, await diffEntry(ctx, change), PLAIN$1)}\n\n`;
		shown++;
	}
	const rest = changes.slice(shown).map((change) => changeLine(change, ctx.projectRoot, PLAIN$1));
	return [text.trimEnd(), ...rest.length === 0 ? [] : [`And ${rest.length} more:`, ...rest]].join("\n");
}
init_json_lines();
init_entry();
init_state_file();
var SPARE_LINES = 1e4;
var fileOf = (sessionDir) => path.join(sessionDir, "viewed.jsonl");
async function readViewed(sessionDir) {
	let text;
	try {
		text = await readFile(fileOf(sessionDir), "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return /* @__PURE__ */ new Map();
		throw error;
	}
	const { marks, lines } = parseViewed(text);
	if (lines - marks.size > SPARE_LINES) await replaceFile(fileOf(sessionDir), formatViewed([...marks].map(([id, mark]) => [id, mark])));
	return marks;
}
function formatViewed(marks) {
	return marks.map(([id, mark]) => `${JSON.stringify({
		v: 1,
		id,
		...mark === null ? { gone: true } : mark
	})}\n`).join("");
}
function parseViewed(text) {
	const marks = /* @__PURE__ */ new Map();
	for (const { v, id, gone, etag, content } of jsonLines(text)) {
		if (v !== 1 || typeof id !== "string") continue;
		if (gone === true) marks.delete(id);
		else if (typeof etag === "string" && (content === null || typeof content === "string")) marks.set(id, {
			id,
			etag,
			content
		});
	}
	return {
		marks,
		lines: text.split("\n").length - 1
	};
}
async function writeViewed(sessionDir, marks) {
	await appendFile(fileOf(sessionDir), formatViewed(marks), { mode: 384 });
}
function etagOfChange(change) {
	return entryEtag(change.hostIdentity ?? "-", change.upperIdentity ?? "-");
}
async function contentKey(ctx, change) {
	const sides = lookAt$1(ctx, change);
	if (sides === null) return null;
	const hash = createHash("sha256").update(change.kind);
	for (const [side, now] of [[change.host, sides.host], [change.pending, sides.pending]]) {
		hash.update(`\0${side === null ? "-" : `${side.type} ${side.mode} ${side.uid} ${side.gid} `}`);
		if (side?.type === "symlink") hash.update(side.target ?? "", "latin1");
		if (side?.type !== "file" || change.kind === "meta") continue;
		if (now.entry === null) return null;
		const content = await readSide(now.path, now.entry, now.real);
		if (content.state === "text") hash.update(content.text);
		else if (content.state === "binary" && content.sha256 !== null) hash.update(content.sha256);
		else return null;
	}
	return hash.digest("hex").slice(0, 32);
}
var MAX_READ = 200;
async function viewedState(ctx, list) {
	const marks = await readViewed(ctx.sessionDir);
	const state = {
		viewed: [],
		updated: []
	};
	const renewed = [];
	let reads = 0;
	for (const change of marks.size === 0 ? [] : list.changes) {
		const mark = marks.get(change.id);
		if (mark === void 0) continue;
		const etag = etagOfChange(change);
		let isSame = mark.etag === etag;
		if (!isSame && mark.content !== null && reads++ < MAX_READ) {
			isSame = await contentKey(ctx, change) === mark.content;
			if (isSame) renewed.push([change.id, {
				...mark,
				etag
			}]);
		}
		(isSame ? state.viewed : state.updated).push(change.id);
	}
	if (renewed.length > 0) await writeViewed(ctx.sessionDir, renewed);
	return state;
}
async function markViewed(ctx, list, order) {
	const marks = order.viewed ? await marksFor(ctx, list, order) : order.entries.map((id) => [id, null]);
	await writeViewed(ctx.sessionDir, marks);
	return await viewedState(ctx, list);
}
async function marksFor(ctx, list, order) {
	const wanted = new Set(order.entries);
	const changes = list.changes.filter(({ id }) => wanted.has(id));
	const [only] = changes;
	if (!(order.etag === null ? sameRevision(list.revision, order.revision, true) : changes.length === 1 && only !== void 0 && etagOfChange(only) === order.etag) || changes.length < order.entries.length) throw refusal("not-as-seen");
	const marks = [];
	for (const change of changes) {
		const content = changes.length > MAX_READ ? null : await contentKey(ctx, change);
		marks.push([change.id, {
			id: change.id,
			etag: etagOfChange(change),
			content
		}]);
	}
	return marks;
}
var texts = new HiddenTextCache();
var QUESTIONS = {
	...HOOK_QUESTIONS,
	diff: async (ctx, list, { entry, ...view }) => await diffEntry(ctx, changeIn(list, entry), view),
	merge: async (ctx, list, { entry }) => previewMerge(ctx, changeIn(list, entry)),
	conflict: async (ctx, list, { entry }) => conflictView(ctx, changeIn(list, entry)),
	lineCounts: async (ctx, { changes }, { entries }) => {
		const wanted = new Set(entries);
		return await lineCounts(ctx, changes.filter(({ id }) => wanted.has(id)));
	},
	search: async (ctx, list, order) => {
		const changes = searchable(list.changes, order.includeIgnored);
		const at = order.after === null ? -1 : changes.findIndex(({ id }) => id === order.after);
		if (order.after !== null && at < 0) throw refusal("search-moved-on");
		return await searchPending(ctx, changes.slice(at + 1), order);
	},
	preview: async (ctx, list, { order, review }) => ({
		preview: await JOBS.preview(ctx, {
			list,
			order,
			texts: texts.known(ctx, list)
		}, () => void 0),
		reviewed: review ? await resultOf(fingerprints(list.changes)) : null
	}),
	hiddenTexts: async (ctx, list) => await texts.look(ctx, list),
	effects: async (ctx, { changes }) => effectMarks(ctx, changes),
	viewed: viewedState,
	markViewed,
	why: async (ctx, list, { entry }) => await explain(ctx, list, changeIn(list, entry).path),
	whyNot: async (ctx, list, { path }) => await explain(ctx, list, path),
	locate: async (ctx, list, { entry, side }) => {
		const change = changeIn(list, entry);
		const shown = side ?? (change.pending === null ? "host" : "pending");
		return {
			path: change.path,
			file: lookAt$1(ctx, change)?.[shown] ?? null
		};
	},
	typed: typedAnswer
};
function changeIn({ changes }, entry) {
	const change = changes.find(({ id }) => id === entry);
	if (change === void 0) throw refusal("no-entry");
	return change;
}
async function explain(ctx, list, path) {
	const found = await whyPath(ctx, list, path);
	if (found.change === null) return found;
	const { hostIdentity: _host, upperIdentity: _upper, xattrIdentity: _xattrs, ...shown } = found.change;
	return {
		...found,
		change: shown
	};
}
init_errors$3();
var PROGRESS_MS = 200;
var QUIET_MS = 1e3;
var MUCH = 64e6;
setFlagsFromString("--expose-gc");
var collectGarbage = runInNewContext("gc");
function releaseMemory() {
	collectGarbage();
	collectGarbage();
}
var lists = new Lists();
var running = /* @__PURE__ */ new Map();
var waiting = /* @__PURE__ */ new Map();
parentPort?.on("message", (message) => {
	const { id } = message;
	if ("cancel" in message) running.get(id)?.abort();
	else if ("parts" in message) {
		waiting.get(id)?.(message.parts);
		waiting.delete(id);
	} else if ("ask" in message) answer(id, async () => await ask(message));
	else if ("onState" in message) answer(id, async () => await STATE_JOBS[message.onState](message.input));
	else answer(id, async (tell, signal) => await run(message, tell, signal));
});
function reply(message) {
	parentPort?.postMessage(message);
}
async function run({ name, ctx, input }, progress, signal) {
	const before = name === "scan" ? lists.forget(ctx.session) : void 0;
	const output = await JOBS[name](ctx, input, progress, signal);
	if (name === "scan") lists.scanned(ctx.session, output, before);
	return output;
}
async function ask({ id, ask: name, ctx, list, input }) {
	const wanted = (columns) => new Promise((resolve) => {
		waiting.set(id, resolve);
		reply({
			id,
			type: "list-wanted",
			columns
		});
	});
	return await QUESTIONS[name](ctx, await lists.get(list, wanted), input);
}
async function answer(id, work) {
	const stop = new AbortController();
	running.set(id, stop);
	let last = 0;
	try {
		const tell = (done, total, path) => {
			const now = Date.now();
			if (now - last < PROGRESS_MS && done < total) return;
			last = now;
			reply({
				id,
				type: "progress",
				done,
				total,
				path
			});
		};
		const output = await work(tell, stop.signal);
		if (getHeapStatistics().used_heap_size > MUCH) releaseMemory();
		reply({
			id,
			type: "done",
			output
		});
	} catch (error) {
		reply({
			id,
			type: "failed",
			error: toErrorBody(error).error
		});
	} finally {
		running.delete(id);
		releaseMemorySoon();
	}
}
var releasing;
function releaseMemorySoon() {
	clearTimeout(releasing);
	releasing = setTimeout(() => {
		if (running.size === 0) releaseMemory();
	}, QUIET_MS).unref();
}
export {};
