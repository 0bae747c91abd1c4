"use strict";
Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
let node_fs = require("node:fs");
node_fs = __toESM(node_fs, 1);
let node_tty = require("node:tty");
let node_crypto = require("node:crypto");
let node_timers_promises = require("node:timers/promises");
let node_util = require("node:util");
let node_os = require("node:os");
let node_child_process = require("node:child_process");
let node_path = require("node:path");
node_path = __toESM(node_path, 1);
let node_events = require("node:events");
let node_net = require("node:net");
var utf8 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
var decoder$1 = new TextDecoder("utf-8", { ignoreBOM: true });
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
var NOT_ASCII = /[^\0-\x7f]/;
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
var INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;
function parentOf$1(path) {
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
		at = parentOf$1(at);
		if (dirs.has(at)) return true;
	}
	return false;
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
var ERROR_TABLE = {
	"bad-usage": {
		http: 400,
		exit: 2
	},
	"bad-input": {
		http: 400,
		exit: 2
	},
	"too-large": {
		http: 413,
		exit: 2
	},
	"unauthorised": {
		http: 401,
		exit: 1
	},
	"forbidden": {
		http: 403,
		exit: 1
	},
	"needs-permit": {
		http: 403,
		exit: 1
	},
	"inside-sandbox": {
		http: 403,
		exit: 1
	},
	"no-session": {
		http: 404,
		exit: 1
	},
	"not-found": {
		http: 404,
		exit: 1
	},
	"stale-revision": {
		http: 409,
		exit: 1
	},
	"conflicts": {
		http: 409,
		exit: 1
	},
	"mass-guard": {
		http: 409,
		exit: 1
	},
	"undo-size": {
		http: 409,
		exit: 1
	},
	"live": {
		http: 409,
		exit: 1
	},
	"not-empty": {
		http: 409,
		exit: 1
	},
	"cancelled": {
		http: 409,
		exit: 1
	},
	"answered": {
		http: 409,
		exit: 1
	},
	"busy": {
		http: 423,
		exit: 1
	},
	"unfinished": {
		http: 409,
		exit: 1
	},
	"not-entered": {
		http: 500,
		exit: 125
	},
	"no-program": {
		http: 500,
		exit: 127
	},
	"unsupported": {
		http: 501,
		exit: 1
	},
	"no-space": {
		http: 507,
		exit: 1
	},
	"io": {
		http: 500,
		exit: 1
	},
	"corrupt": {
		http: 500,
		exit: 1
	},
	"internal": {
		http: 500,
		exit: 1
	}
};
var TraiError = class extends Error {
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
function messageWithPath({ message, path }) {
	return path === void 0 || message.includes(path) ? message : `${message} (${path})`;
}
var refused = (message, hint, path) => new TraiError("not-entered", message, {
	hint,
	path: path === void 0 ? void 0 : toDisplay(path)
});
var noBwrap = (remedy) => refused("expected the program bwrap (bubblewrap), found none", `${remedy}\nWithout it: trai claude`);
var unsafeBwrap = (path, found, remedy) => refused(`${path} cannot be trusted: ${found}`, `${remedy}\nWithout it: trai claude`);
var BWRAP = {
	others: (uid) => `it belongs to uid ${uid}, and not to root`,
	written: "others can write to it, or to a directory above it",
	setuid: (version) => `it is setuid root in version ${version}, which lets every user of this machine become root`
};
var projectTooWide = (project, what) => refused(`the project would be ${toDisplay(project)}, ${what}`, "A box shows the project whole. Start it in the directory of one project (a git repository, or any directory of its own).");
var WIDE = {
	root: "the root of the file system",
	home: "your home, or a directory above it",
	scratch: "a directory for temporary files",
	state: "trai’s own directory"
};
var foreignRepository = (project, repository) => refused(`the repository of ${toDisplay(project)} would be ${toDisplay(repository)}, which does not lead back to it: it may be another project’s`, "If it is its own, note that there: git worktree repair, or: git --git-dir REPOSITORY config core.worktree PROJECT");
var projectNotPending = (project, why) => refused(`nothing can be pending in ${toDisplay(project)}: ${why}`, "Let the box write there at once with --write direct, or not at all with --write read-only.");
var CANNOT_COVER = "no overlay can lie over it (it is read-only, or FUSE, 9p, FAT ...)";
var settingsNotPending = (dir) => refused(`nothing can be pending in ${toDisplay(dir)}, where Claude Code has its settings`, "What is written there would be yours at once. Move it out of the scratch directories, or see: trai doctor");
var settingsDirect = (dir) => refused(`Claude Code has its settings in the project (${toDisplay(dir)}), and --write direct would write them at once`, "Start the box without --write direct.");
var noHome = (home) => refused(`expected your home directory, found none: ${toDisplay(home)}`, "It is what HOME names, or else the password file. Nothing was started.");
var alreadyInside = (command, where) => refused(`this runs inside ${where}, and trai ${command} cannot run in it`, `Run trai ${command} in a terminal outside of it.`);
var INSIDE = {
	session: "a session or a box of trai’s",
	client: "Claude Code’s own sandbox (SANDBOX_RUNTIME=1)"
};
var otherProject$1 = (session, project) => refused(`session ${session} is about another project: ${toDisplay(project)}`, "Start the box there, or without --session.");
var programPending = (session, path) => refused(`session ${session} has another ${toDisplay(path)} pending, and no box is made with that`, `Look at it (trai diff --session ${session}), then commit or discard it; or start the box in a new session.`);
var notMade = () => refused("the box could not be made, and nothing ran", "bwrap’s own words are above. See: trai box --check");
var noGate = (said) => refused(`a FIFO for the start of the box could not be made: ${said}`, "See: trai doctor");
var noNetwork = (why, hint) => refused(`the box was not started: ${why}`, hint ?? "Without its network: --net off, or --net open.");
var wrong = (message, hint) => new TraiError("bad-usage", message, { hint });
var allowsAll = (path, what) => wrong(`--allow ${toDisplay(path)} is ${what}`, "Name what the box needs. Without a box all is visible: trai claude");
var ALLOWS = {
	root: "everything",
	state: "trai’s own directory, or one above it"
};
var allowedMissing = (path) => wrong(`expected something at the path of --allow, found nothing: ${toDisplay(path)}`, "Nothing was started.");
var hiddenOutside = (path, project) => wrong(`expected a path in the project for --hide, found ${toDisplay(path)}`, `The project is ${toDisplay(project)}. What lies outside of it is only there if the table of --dry-run says so.`);
var hiddenMissing = (given) => `--hide ${JSON.stringify(given)}: nothing is there, so nothing is hidden. Is the name right?`;
var pendingUnseen = (session) => `--write direct: what session ${session} has pending in the project is not seen in the box.`;
var hiddenPattern = (path) => `Nothing is hidden by ${toDisplay(path)}: no such name, and * is no wildcard.`;
var hiddenWhole = (given, dir) => `--hide ${JSON.stringify(given)}: you can't look into ${toDisplay(dir)}, so all of that directory is hidden.`;
var noVariable = (given) => wrong(`expected NAME or NAME=VALUE for --env, found ${JSON.stringify(given.split("=")[0])}`, "Nothing was started.");
var variableUnset = (name) => `--env ${name}: it is not set, so the box does not have it. Is it exported?`;
var placeVariable = (name, value) => wrong(`--env ${name} would be ${JSON.stringify(value)} inside alone, and the box is made by its value outside`, `Nothing was started. Give it to trai itself: ${name}=… trai box`);
var noProfile = (name, names) => wrong(`expected a profile of config.json, found ${JSON.stringify(name)}`, names.length === 0 ? "There are none: box.profiles in config.json." : `There are: ${names.join(", ")}`);
var brokenProfile = (name, problems) => wrong(`the profile ${JSON.stringify(name)} is not as it should be: ${problems.join(" ")}`, "Nothing was started. Mend it there, or start the box without --profile.");
var emptyPath = (option) => wrong(`expected a path after ${option}, found ""`, "Nothing was started. Is a variable empty?");
var NARROWS = {
	widens: (key) => `.claude/trai.box.json: ${JSON.stringify(key)} is ignored, since a project may only narrow its box (hide, net, read-only)`,
	form: (key) => `.claude/trai.box.json: ${JSON.stringify(key)} is ignored: expected "hide": ["PATH"], "net": ${BOX_NETS.map((net) => `"${net}"`).join(" or ")}, "read-only": true`,
	outside: (path) => `.claude/trai.box.json: hide ${JSON.stringify(path)} is ignored: not a path in the project`,
	broken: ".claude/trai.box.json is ignored: it is no JSON object of at most 64 kB in a regular file"
};
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
var VERSION = "0.1.0";
var UNITS = [
	"B",
	"kB",
	"MB",
	"GB",
	"TB"
];
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
var same = (text) => text;
var PLAIN = {
	bold: same,
	dim: same,
	red: same,
	green: same,
	yellow: same,
	cyan: same
};
var sgr = (on, off) => (text) => `\x1b[${on}m${text}\x1b[${off}m`;
var COLOURED = {
	bold: sgr(1, 22),
	dim: sgr(2, 22),
	red: sgr(31, 39),
	green: sgr(32, 39),
	yellow: sgr(33, 39),
	cyan: sgr(36, 39)
};
function countText(count, one, many = `${one}s`) {
	return `${count} ${count === 1 ? one : many}`;
}
function firstLines(items, most, line, total = items.length) {
	const shown = items.slice(0, most).map(line);
	return total > shown.length ? [...shown, `  … and ${total - shown.length} more`] : shown;
}
function clockText(iso) {
	return localText(iso).slice(11, 19);
}
function minuteText(iso) {
	return localText(iso).slice(0, 16);
}
function shownPath(path, projectRoot) {
	return toDisplay(path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== "/" ? path.slice(projectRoot.length + 1) : path);
}
var MOST_NAMED = 5;
function namedPaths(paths, projectRoot, more = false) {
	const named = paths.slice(0, MOST_NAMED).map((path) => shownPath(path, projectRoot)).join(", ");
	const left = paths.length - MOST_NAMED;
	if (left <= 0) return more ? `${named} and more` : named;
	return `${named} and ${more ? "more than " : ""}${left} more`;
}
var NAMED = 20;
function markedLines(paths) {
	if (paths.length === 0) return [];
	return [`Conflict markers were written into ${countText(paths.length, "file")} of yours; resolve them:`, ...firstLines(paths, NAMED, (path) => `  conflict markers: ${toDisplay(path)}`)];
}
function besideLines(beside) {
	if (beside.length === 0) return [];
	const [what, its] = [countText(beside.length, "path"), beside.length === 1 ? "its version stays" : "its versions stay"];
	return [`A later call had changed ${what}: ${its} pending, and what was committed is kept:`, ...firstLines(beside, NAMED, ({ path, at }) => `  ${toDisplay(path)}: ${toDisplay(at)}`)];
}
function overlapText(other, { paths, more }, projectRoot) {
	return `session ${other} has pending changes of ${paths.length === 1 && !more ? "the same path" : "the same paths"}: ${namedPaths(paths, projectRoot, more)}`;
}
function committedText(other, { paths, more }, projectRoot, mine) {
	const what = namedPaths(paths, projectRoot, more);
	if (mine) return `session ${other} has pending changes of what you committed; they are in conflict there now: ${what}`;
	return `session ${other} has committed paths that are pending here; they are in conflict now: ${what}`;
}
function diskText(disk, style) {
	const { sessions, total, free } = disk;
	const line = `${countText(sessions.length, "session")} ${sessions.length === 1 ? "takes" : "take"} ${sizeText(total)}; ${sizeText(free)} are free.`;
	return disk.low ? `${line}\n${style.yellow(lowText(disk))}` : line;
}
function lowText({ free, warnFreeBytes }) {
	return `Only ${sizeText(free)} are free where trai keeps pending changes (config disk.warnFreeBytes: ${sizeText(warnFreeBytes)}). When the disk is full, calls and commits fail; nothing is lost. Free space with: trai gc`;
}
function fullText(stateDir) {
	return `No space left on the file system of ${stateDir}. Free some (trai gc, or trai commit if your files are on another disk), then try again.`;
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
function visibleJson(json) {
	return json.replace(UNSEEN, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}
var UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
var PATTERN = new RegExp(`\\u001b\\[(?:1|2|22|3[1236]|39)m|${UNSEEN.source}`, "g");
var MOST_SLIPS = 2;
function closest(typed, words) {
	const most = Math.min(MOST_SLIPS, Math.floor(typed.length / 2));
	let best;
	for (const word of words) {
		const slips = slipsBetween(typed, word);
		if (slips <= most && (best === void 0 || slips < best.slips)) best = {
			word,
			slips
		};
	}
	return best?.word;
}
function slipsBetween(a, b) {
	const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
	const at = (i, j) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		rows.push(row);
		for (let j = 1; j <= b.length; j++) {
			const other = a[i - 1] === b[j - 1] ? 0 : 1;
			const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
			row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + other, swap));
		}
	}
	return at(a.length, b.length);
}
var argsOf$1 = (status) => `${status}.args`;
var gateOf = (status) => `${status}.gate`;
function saveArgs({ status, args }) {
	const path = argsOf$1(status);
	(0, node_fs.rmSync)(path, { force: true });
	(0, node_fs.writeFileSync)(path, args, {
		flag: "wx",
		mode: 384
	});
	return path;
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
var OBEYED = /mcp|hook|command|helper|script|trust|allow|deny|permission|approv|bypass|server|env$/i;
var ANSWERED = /* @__PURE__ */ new Set(["customApiKeyResponses"]);
function mergeClientState(sides, isOwn) {
	const left = [];
	return {
		merged: merge(sides, [], {
			left,
			isOwn
		}),
		left: left.sort()
	};
}
function merge({ base, inside, host }, at, to) {
	const [was, now, theirs] = [
		objectOf(base),
		objectOf(inside),
		objectOf(host)
	];
	const merged = { ...theirs };
	for (const key of /* @__PURE__ */ new Set([...Object.keys(was), ...Object.keys(now)])) {
		const sides = {
			base: was[key],
			inside: now[key],
			host: theirs[key]
		};
		if (isSame$1(sides.inside, sides.base) || isSame$1(sides.inside, sides.host)) continue;
		const path = [...at, key];
		if (isObeyed(path, to)) {
			if (!(isNothing(sides.inside) && isNothing(sides.host))) to.left.push(path.join("."));
		} else if (isObject(sides.inside) && (sides.host === void 0 || isObject(sides.host))) merged[key] = merge(sides, path, to);
		else if (key in now) merged[key] = sides.inside;
		else delete merged[key];
	}
	return merged;
}
function isObeyed(path, { isOwn }) {
	const [first = "", project = ""] = path;
	const key = path.at(-1) ?? "";
	if (ANSWERED.has(first)) return false;
	if (first === "projects" && path.length <= 2) return false;
	if (first === "projects" && path.length === 3 && key === "hasTrustDialogAccepted") return !isOwn(project);
	return !/^cached|Cache$/.test(first) && OBEYED.test(key);
}
function objectOf(value) {
	return isObject(value) ? value : {};
}
function isNothing(value) {
	return value === void 0 || value === null || value === false || isEmpty(value);
}
function isEmpty(value) {
	return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
function isSame$1(one, other) {
	if (one === other) return true;
	if (Array.isArray(one) || Array.isArray(other)) return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((value, i) => isSame$1(value, other[i]));
	if (!isObject(one) || !isObject(other)) return false;
	const [mine, theirs] = [one, other];
	const keys = Object.keys(mine);
	return keys.length === Object.keys(theirs).length && keys.every((key) => key in theirs && isSame$1(mine[key], theirs[key]));
}
var AUTO_DIFF_BYTES = 20480;
var MAX_DIFF_LINES = 2e4;
var MAX_DIFF_BYTES = 512e3;
var HIDDEN_FILE_BYTES = 2097152;
var HIDDEN_MS = {
	page: 150,
	status: 500,
	order: 5e3
};
var HEX_BYTES = 1024;
var MAX_LINE_CHARS = 2e3;
var DIFF_TIMEOUT_MS = 1e3;
var BASE_BLOB_BYTES = 262144;
var MASS_GUARD_ENTRIES = 1e3;
var MAX_PATH_BYTES = 4e3;
var MAX_LEVELS = 1e3;
var GRANT_MS = 3e5;
var MAX_LOG_LINE_BYTES = 65536;
var UNDO_LIMITS = {
	maxBytes: 2 * 1024 ** 3,
	keepDays: 7,
	keepBytes: 10 * 1024 ** 3
};
var REPLAY_BYTES = 16777216;
var REPLAY_KEPT_MS = 2e3;
var FOREIGN_CLOCK_MS = 6e5;
var DISK_WARN_FREE_BYTES = 1024 ** 3;
var EXPORT_MS = 6e5;
function inOnePiece(text) {
	return text.charCodeAt(0) >= 0 ? text : "";
}
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
var USR = "/usr/bin";
var NIXOS = "/run/current-system/sw/bin";
var NIXOS_SETUID = "/run/wrappers/bin";
var isNixos = !(0, node_fs.existsSync)(`${USR}/unshare`) && (0, node_fs.existsSync)(NIXOS);
var PROGRAM_DIR = isNixos ? NIXOS : USR;
var programPath = (name) => `${PROGRAM_DIR}/${name}`;
var setuidPath = (name) => `${isNixos ? NIXOS_SETUID : USR}/${name}`;
var KILL_MS$1 = 500;
function run(program, args, options = {}) {
	return new Promise((resolve) => {
		const { cwd, env = process.env, fds = [], timeout, grace = 0, mostOutput = Infinity } = options;
		const stdio = [
			"pipe",
			options.stdout ?? "pipe",
			"pipe",
			...fds
		];
		const child = (0, node_child_process.spawn)(program, args, {
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
			const [stdout, stderr] = [textOf$2(output), textOf$2(errors) + error];
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
		child.on("close", (code, signal) => finish(code ?? 128 + (signal === null ? 0 : node_os.constants.signals[signal])));
		child.stdin?.on("error", () => {});
		child.stdin?.end(options.input ?? "");
	});
}
var textOf$2 = (chunks) => Buffer.concat(chunks).toString("latin1");
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
var X64 = {
	get: "191",
	list: "194",
	set: "188",
	remove: "197",
	lget: "192",
	llist: "195",
	lremove: "198",
	syncfs: "306"
};
var GENERIC = {
	get: "8",
	list: "11",
	set: "5",
	remove: "14",
	lget: "9",
	llist: "12",
	lremove: "15",
	syncfs: "267"
};
var CALLS = {
	x64: X64,
	arm64: GENERIC,
	riscv64: GENERIC,
	loong64: GENERIC
};
var PRELUDE = `
exit 3 unless length(pack("p", "")) == 8;
my $max = 65536; my $names = "\\0" x $max; my $v = "\\0" x $max;`;
var ONCE = "my @call = map { $_ + 0 } @ARGV; my $out = \"\"; binmode STDIN; my $input = do { local $/; <STDIN> };";
var SERVE = `
binmode STDIN; binmode STDOUT; $| = 1;
while (defined(my $head = <STDIN>)) {
  my ($p, $i, @call) = map { $_ + 0 } split " ", $head; my ($program, $input, $out) = ("", "", "");
  last unless read(STDIN, $program, $p) == $p && read(STDIN, $input, $i) == $i;
  print eval("$program; 1") ? length($out) . "\\n$out" : "-1\\n"; chdir "/"; }`;
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
	const { status, stdout } = (0, node_child_process.spawnSync)("perl", args, {
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
var kept = null;
var keepers = 0;
async function keepPerl(work) {
	keepers++;
	try {
		return await work();
	} finally {
		keepers--;
		if (keepers === 0) {
			kept?.end();
			kept = null;
		}
	}
}
function isPerlKept() {
	return keepers > 0;
}
async function askPerl(program, input) {
	const bytes = Buffer.from(input, "latin1");
	if (keepers > 0) {
		kept ??= new KeptPerl();
		const first = kept;
		const answer = await first.ask(program, bytes);
		if (answer !== null || !first.isLost || keepers === 0) return answer;
		if (kept === first) kept = null;
		kept ??= new KeptPerl();
		return await kept.ask(program, bytes);
	}
	const args = argsOf(program);
	if (args === null) return null;
	const { status, stdout } = await run("perl", args, {
		input: bytes,
		env: plainEnv(),
		cwd: "/"
	});
	return status === 0 ? stdout : null;
}
var KeptPerl = class {
	#child;
	#waiting = [];
	#chunks = [];
	#read = 0;
	#wanted = 1;
	#isOver = false;
	#hasAnswered = false;
	constructor() {
		this.#child = (0, node_child_process.spawn)("perl", ["-e", SERVE], {
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
var UNSUPPORTED = `$! == ${node_os.constants.errno.ENOTSUP}`;
var READ = `
for my $p (split /\\0/, $input) {
  my $n = syscall($call[1], $p, $names, $max);
  if ($n < 0) { $out .= ${UNSUPPORTED} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($call[0], $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }`;
var READ_HERE = ["lget", "llist"];
var READ_OPEN = ["get", "list"];
var [OWN, OURS] = [/^\/proc\/self\/fd\//, `/proc/${process.pid}/fd/`];
function readAll(paths, fd) {
	if (paths.length === 0) return [];
	const calls = fd === void 0 ? READ_HERE : READ_OPEN;
	const input = (fd === void 0 ? paths.map((path) => path.replace(OWN, OURS)) : paths).map((path) => `${path}\0`).join("");
	return linesOf(paths, perl({
		text: READ,
		calls
	}, input, fd));
}
function linesOf(paths, output) {
	const lines = output?.split("\n").slice(0, -1);
	return lines?.length === paths.length ? lines : paths.map(() => "?");
}
var MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
var MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;
var ACLS = /^system\.posix_acl_/;
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
	return linesOf(paths, await askPerl({
		text: READ,
		calls: READ_HERE
	}, input));
}
var HELD = "/proc/self/fd/3";
function readOpenXattrs(fd) {
	return meant(readAll([HELD], fd)[0] ?? "?");
}
var ORIGINS = ["user.overlay.origin", "trusted.overlay.origin"].map((name) => `${Buffer.from(name).toString("hex")}=`);
var isCopy = (line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`));
function areCopies(paths) {
	return readAll(paths).map(isCopy);
}
async function areExactCopies(pairs) {
	const lines = await askAll(pairs.flat());
	return pairs.every((_, i) => {
		const [from = "?", copy = "?"] = lines.slice(2 * i);
		return isCopy(copy) && meant(copy) !== null && meant(copy) === meant(from);
	});
}
var BATCH = 1e4;
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
	return (0, node_crypto.hash)("sha256", `${host}/${upper}`).slice(0, 16);
}
var SET = `
my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($call[1], $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($call[0], $p, $n, $v, length($v), 0); }
$out = "0";
for my $line (split /\\n/, $input) { my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  $out = $! + 0; put(@$_) for @done; last }`;
function setOpenXattrs(fd, changes) {
	const value = (hex) => hex === null ? "-" : `=${hex}`;
	const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join("");
	const output = perl({
		text: SET,
		calls: ["set", "remove"]
	}, input, fd);
	if (output === "0") return;
	const number = output === null ? node_os.constants.errno.ENOSYS : Number(output);
	const code = Object.entries(node_os.constants.errno).find(([, one]) => one === number)?.[0] ?? "EIO";
	throw Object.assign(/* @__PURE__ */ new Error(`${code}: extended attributes could not be set`), { code });
}
var NAMES = `
my $i = -1; my $dot = "."; my $count;
for my $d (split /\\0/, $input) { $i++;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($call[0], $name, $names, $max); next if $n == 0 || ($n < 0 && ${UNSUPPORTED});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
$out .= $i + 1 . "\\n";`;
var OF_THE_PLACE = /^(?:user|trusted)\.overlay\.|^security\.(?!capability$)/;
var FREE$1 = `
for my $p (split /\\0/, $input) { my $free = 1;
  my $n = syscall($call[0], $p, $names, $max); $free = 0 if $n < 0 && !(${UNSUPPORTED});
  for my $name ($n > 0 ? split /\\0/, substr($names, 0, $n) : ()) {
    if ($name =~ /^(?:user|trusted)\\.overlay\\.origin$/) { $free = 0 if syscall($call[1], $p, "$name") < 0 }
    elsif ($name =~ /${OF_THE_PLACE.source}/) { $free = 0 } }
  $out .= $free; }`;
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
	return namesIn$2(asked, perl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
async function askXattrNames(asked) {
	if (asked.whole.length + asked.alone.length === 0) return namesIn$2(asked, null);
	return namesIn$2(asked, await askPerl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
function namesInput({ whole, alone }) {
	return [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join("");
}
function namesIn$2({ whole, alone }, output) {
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
var O_PATH = 2097152;
var O_DIR = O_PATH | node_fs.default.constants.O_DIRECTORY | node_fs.default.constants.O_NOFOLLOW;
var O_ENTRY = O_PATH | node_fs.default.constants.O_NOFOLLOW;
var O_APPEND$1 = node_fs.default.constants.O_WRONLY | node_fs.default.constants.O_APPEND | node_fs.default.constants.O_CREAT | node_fs.default.constants.O_NOFOLLOW;
function fsPath(path) {
	return isAscii(path) ? path : Buffer.from(path, "latin1");
}
var TYPES = /* @__PURE__ */ new Map([
	[4096, "fifo"],
	[8192, "char"],
	[16384, "dir"],
	[24576, "block"],
	[32768, "file"],
	[40960, "symlink"],
	[49152, "socket"]
]);
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
		const s = node_fs.default.lstatSync(fsPath(path), {
			bigint: true,
			throwIfNoEntry: false
		});
		return s === void 0 ? null : toStat(s);
	} catch (error) {
		if (errorCode(error) === "ENOTDIR") return null;
		throw error;
	}
}
var nodePort = {
	lstat,
	fstat: (fd) => toStat(node_fs.default.fstatSync(fd, { bigint: true })),
	openDir: (path) => node_fs.default.openSync(fsPath(path), O_DIR),
	openEntry: (path) => node_fs.default.openSync(fsPath(path), O_ENTRY),
	openAppend: (path) => node_fs.default.openSync(fsPath(path), O_APPEND$1, 384),
	openRead: (path) => node_fs.default.openSync(fsPath(path), node_fs.default.constants.O_RDONLY | node_fs.default.constants.O_NONBLOCK),
	close: (fd) => node_fs.default.closeSync(fd),
	readdir: (path) => node_fs.default.readdirSync(fsPath(path), { encoding: "latin1" }),
	readlink: (path) => node_fs.default.readlinkSync(fsPath(path), { encoding: "latin1" }),
	readText(path) {
		try {
			return node_fs.default.readFileSync(fsPath(path), "utf8");
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		}
	},
	append(fd, text) {
		let done = node_fs.default.writeSync(fd, text);
		if (done === Buffer.byteLength(text)) return;
		for (const bytes = Buffer.from(text, "utf8"); done < bytes.length;) done += node_fs.default.writeSync(fd, bytes, done);
	},
	fsync: (fd) => node_fs.default.fsyncSync(fd),
	syncFs: syncFileSystem,
	mkdir: (path, mode) => void node_fs.default.mkdirSync(fsPath(path), { mode }),
	symlink: (target, path) => node_fs.default.symlinkSync(fsPath(target), fsPath(path)),
	link: (from, to) => node_fs.default.linkSync(fsPath(from), fsPath(to)),
	rename: (from, to) => node_fs.default.renameSync(fsPath(from), fsPath(to)),
	unlink: (path) => node_fs.default.unlinkSync(fsPath(path)),
	rmdir: (path) => node_fs.default.rmdirSync(fsPath(path)),
	chmod: (path, mode) => node_fs.default.chmodSync(fsPath(path), mode),
	lchown: (path, uid, gid) => node_fs.default.lchownSync(fsPath(path), uid, gid),
	utimes(path, mtimeNs) {
		const seconds = Number(mtimeNs / 1000000n) / 1e3 + Number(mtimeNs % 1000000n) / 1e9;
		node_fs.default.utimesSync(fsPath(path), String(seconds), String(seconds));
	},
	xattrsOf,
	askXattrs,
	xattrs: readOpenXattrs,
	setXattrs: setOpenXattrs,
	writable(path) {
		try {
			node_fs.default.accessSync(fsPath(path), node_fs.default.constants.W_OK | node_fs.default.constants.X_OK);
			return true;
		} catch {
			return false;
		}
	},
	space(path) {
		const { bavail, bsize, type } = node_fs.default.statfsSync(fsPath(path));
		return {
			free: bavail * bsize,
			kind: type
		};
	},
	run: async (program, args, input, fds) => await run(program, args, {
		input,
		fds,
		stdout: "ignore",
		env: plainEnv()
	})
};
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
var SYNC = `
if (opendir my $h, $input) { my $fd = fileno $h;
  $out = syscall($call[0], $fd) < 0 ? $! + 0 : 0 if defined $fd; }`;
async function syncFileSystem(fd) {
	const held = `/proc/${process.pid}/fd/${fd}`;
	const answer = isPerlKept() ? await askPerl({
		text: SYNC,
		calls: ["syncfs"]
	}, held) : null;
	if (answer === null || answer === "") await syncByProgram(fd);
	else if (answer !== "0") throw notSynced(`errno ${answer}`, isFull$1(Number(answer)));
}
async function syncByProgram(fd) {
	const { status, stderr } = await run("sync", ["-f", "/proc/self/fd/3"], {
		fds: [fd],
		stdout: "ignore",
		env: plainEnv()
	});
	if (status !== 0) throw notSynced(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}
function isFull$1(errno) {
	return errno === node_os.constants.errno.ENOSPC || errno === node_os.constants.errno.EDQUOT;
}
function notSynced(why, isNoSpace) {
	return Object.assign(/* @__PURE__ */ new Error(`sync -f: ${why}`), { code: isNoSpace ? "ENOSPC" : "EIO" });
}
function orNull(call) {
	return orIfRefused(call, null);
}
function realPath(path) {
	return bytePath(node_fs.realpathSync.native(fsPath(path), { encoding: "buffer" }).toString("latin1"));
}
var onLstat = null;
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
function isClosed(entry, asRoot) {
	return entry.type === "dir" && !asRoot && (entry.mode & 320) !== 320;
}
var NAME_MAX = 255;
function isNearLimit(dir) {
	return dir.length + NAME_MAX >= 4e3 || dir.length >= 1998;
}
function isOutOfReach(path) {
	return path.length > 4e3 || path.split("/").length > 1e3;
}
function holdsOutOfReach(dir) {
	if (!isNearLimit(dir)) return false;
	return (orNull(() => (0, node_fs.readdirSync)(fsPath(dir), "latin1")) ?? []).some((name) => isOutOfReach(joinPath(dir, name)));
}
function readNames(dir) {
	const names = (0, node_fs.readdirSync)(fsPath(dir), { encoding: "latin1" }).sort(byBytes);
	return isNearLimit(dir) ? names.filter((name) => !isOutOfReach(joinPath(dir, name))) : names;
}
function namesOrNone(dir) {
	return orNull(() => readNames(dir)) ?? [];
}
function readEntries(dir) {
	const entries = (0, node_fs.readdirSync)(fsPath(dir), {
		encoding: "latin1",
		withFileTypes: true
	});
	return isNearLimit(dir) ? entries.filter(({ name }) => !isOutOfReach(joinPath(dir, name))) : entries;
}
function readTarget(path) {
	return (0, node_fs.readlinkSync)(fsPath(path), "latin1");
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
function identityOf$1(entry) {
	return entry === null ? "-" : lookIdentity(entry);
}
function entryEtag(host, pending) {
	return (0, node_crypto.createHash)("sha256").update(`${host} ${pending}`).digest("hex").slice(0, 16);
}
function errorText(error) {
	if (!(error instanceof Error)) return String(error);
	return error.message.replace(/, \w+ '.*$/s, "");
}
function fileSystemType(dir) {
	return (0, node_fs.statfsSync)(fsPath(dir)).type;
}
var lockUnusable = (path, why, cause) => new TraiError("io", `the lock file could not be opened: ${why}`, {
	path,
	cause,
	hint: "If it is no regular file, remove it: it is made anew."
});
var fileNotWritten = (path, why, cause) => new TraiError("io", `the file could not be written: ${why}`, {
	path,
	cause,
	hint: "Nothing was changed. Make room on its disk, or its directory writable, and try again."
});
var noFlock = (path, why) => new TraiError("unsupported", `flock could not be started: ${why}`, {
	path,
	hint: why.includes("ENOENT") ? "Install util-linux (flock). See: trai doctor" : "Is the limit of open files (ulimit -n) or of processes (ulimit -u) reached? See: trai doctor"
});
function lockHeld(path, seconds, holder) {
	return new TraiError("busy", `the lock was not free within ${seconds} seconds${holder === null ? "" : `: process ${holder.pid} (${holder.command}) has it`}`, {
		path,
		hint: "A call is just entering, or a commit is running. Try again in a moment."
	});
}
var processesNotEnded = (processes) => new TraiError("live", `${countText(processes.length, "process", "processes")} could not be ended`, { paths: processes.map(({ pid, command }) => `${pid} ${command}`) });
var sync = (0, node_util.promisify)(node_fs.fsync);
async function writeNewFile(path, content, mode = 384) {
	const file = (0, node_fs.openSync)(path, "wx", 384);
	try {
		(0, node_fs.writeFileSync)(file, content);
		(0, node_fs.fchmodSync)(file, mode);
		await sync(file);
	} finally {
		(0, node_fs.closeSync)(file);
	}
}
async function replaceFile(path, content, mode) {
	const temporary = temporaryName(path);
	try {
		await writeNewFile(temporary, content, mode);
		(0, node_fs.renameSync)(temporary, path);
	} catch (error) {
		(0, node_fs.rmSync)(temporary, { force: true });
		throw error;
	}
	await syncPath((0, node_path.dirname)(path));
}
async function writing(path, work) {
	try {
		return await work();
	} catch (error) {
		throw error instanceof TraiError || errorCode(error) === "" ? error : fileNotWritten(path, errorText(error), error);
	}
}
function temporaryName(path) {
	const at = path.lastIndexOf("/") + 1;
	return `${path.slice(0, at)}.${path.slice(at)}.${(0, node_crypto.randomBytes)(6).toString("hex")}`;
}
async function syncPath(path) {
	const file = (0, node_fs.openSync)(path, "r");
	try {
		await sync(file);
	} finally {
		(0, node_fs.closeSync)(file);
	}
}
function writeWhole(file, content) {
	const temporary = temporaryName(file);
	try {
		(0, node_fs.writeFileSync)(temporary, content, {
			encoding: "latin1",
			mode: 384
		});
		(0, node_fs.renameSync)(temporary, file);
	} catch (error) {
		(0, node_fs.rmSync)(temporary, { force: true });
		throw error;
	}
}
function tryWriteWhole(file, content) {
	return orIfRefused(() => {
		writeWhole(file, content);
		return true;
	}, false);
}
function readText$1(path) {
	const file = (0, node_fs.openSync)(path, "r");
	return withHandle(nodePort, file, () => (0, node_fs.readFileSync)(file, "utf8"));
}
function readPlainFile(path) {
	return withPlainFile(path, (file) => (0, node_fs.readFileSync)(file));
}
function readTail(path, most) {
	return readEnds(path, 0, most)?.[1] ?? null;
}
function readEnds(path, first, last) {
	return withPlainFile(path, (file, size) => {
		const read = (bytes, from) => {
			const part = Buffer.alloc(bytes);
			return part.subarray(0, (0, node_fs.readSync)(file, part, 0, bytes, from));
		};
		return [read(Math.min(size, first), 0), read(Math.min(size, last), size - Math.min(size, last))];
	});
}
function withPlainFile(path, read) {
	let file;
	try {
		file = (0, node_fs.openSync)(path, node_fs.constants.O_RDONLY | node_fs.constants.O_NOFOLLOW | node_fs.constants.O_NONBLOCK);
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
		const found = (0, node_fs.fstatSync)(file);
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
function ownProcess() {
	return {
		pid: process.pid,
		start: processStat(process.pid)?.start ?? ""
	};
}
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
	return (0, node_fs.readdirSync)("/proc").filter((name) => /^[0-9]+$/.test(name)).map(Number);
}
function processText(pid, name) {
	return orNull(() => textOf$1(`/proc/${pid}/${name}`));
}
var room = Buffer.allocUnsafeSlow(262144);
function textOf$1(file) {
	const fd = (0, node_fs.openSync)(file, "r");
	try {
		let length = 0;
		for (;;) {
			if (length === room.length) room = Buffer.concat([room], 2 * length);
			const read = (0, node_fs.readSync)(fd, room, length, room.length - length, null);
			if (read === 0) return room.toString("latin1", 0, length);
			length += read;
		}
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function processLink(pid, name) {
	return orNull(() => (0, node_fs.readlinkSync)(`/proc/${pid}/${name}`, "latin1"));
}
function namesIn$1(dir) {
	return orNull(() => (0, node_fs.readdirSync)(dir)) ?? [];
}
function descriptorLinks(pid) {
	return namesIn$1(`/proc/${pid}/fd`).map((fd) => processLink(pid, `fd/${fd}`) ?? "");
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
	return Number((0, node_fs.readFileSync)("/proc/uptime", "latin1").split(" ")[0]);
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
		await (0, node_timers_promises.setTimeout)(POLL_MS);
	}
	return [...signalled];
}
function signal({ pid, start }, name) {
	return processStat(pid)?.start === start && orNull(() => process.kill(pid, name)) !== null;
}
var known = null;
function isRealRoot() {
	known ??= process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295\s*$/.test((0, node_fs.readFileSync)("/proc/self/uid_map", "latin1"));
	return known;
}
function callerFrom(lineage, clients) {
	const { chain, isHere } = lineage;
	const [own] = chain;
	if (own === void 0) return {
		kind: "unknown",
		found: "a process that has ended"
	};
	const found = described(own);
	if (!isHere) return {
		kind: "elsewhere",
		found: `${found}, in a sandbox or another namespace`
	};
	if (chain.find((one) => one.isCall) !== void 0) return {
		kind: "call",
		found: `${found}, started by a call of a session`
	};
	const client = orphanSince(lineage, clients);
	if (client !== null) return {
		kind: "unknown",
		found: `${found}, whose parents are gone and which is younger than the Claude client ${client.pid} beside it`
	};
	return chain.some((one, at) => one.isMarked || at > 0 && (one.isClient || one.isRegistered)) ? {
		kind: "client",
		found: `${found}, started by Claude Code`
	} : {
		kind: "user",
		found
	};
}
function orphanSince({ chain, adopter }, clients) {
	const top = chain.at(-1);
	if (adopter === null || top === void 0 || top.sid === adopter.sid) return null;
	if (chain.some((one) => one.isRegistered)) return null;
	return clients.find((client) => client.began < top.began && client.cgroup === top.cgroup) ?? null;
}
function described({ pid, name }) {
	return `process ${pid} (${name})`;
}
var CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;
var RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;
function isClaudeClient({ program, argv }) {
	if (program !== null && CLIENT.test(program)) return true;
	const [name = ""] = argv;
	if (CLIENT.test(name)) return true;
	if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
	const script = argv.slice(1).find((argument) => !argument.startsWith("-"));
	return script !== void 0 && CLIENT.test(script);
}
var MOST_ANCESTORS = 256;
var MOST_TRIES = 3;
function callerOf(pid, stateDir) {
	const clients = registeredClients(stateDir);
	return callerFrom(lineageOf(pid, clients), clients);
}
function lineageOf(pid, clients) {
	const chain = [];
	const stat = processStat(pid);
	let next = stat === null ? null : {
		pid,
		stat
	};
	while (next !== null && chain.length < MOST_ANCESTORS && !(chain.length > 0 && isAdopter(next))) {
		chain.push(signsOf(next, clients));
		next = parentOf(next);
	}
	return {
		chain,
		adopter: next !== null && isAdopter(next) ? { sid: next.stat.sid } : null,
		isHere: isHere(pid, clients)
	};
}
function registeredClients(stateDir) {
	const found = [];
	for (const record of namesIn$1(`${stateDir}/claude-pid`)) {
		const [, pid = "", start = ""] = /^(\d{1,10})\.(\d{1,20})$/.exec(record) ?? [];
		if (pid !== "" && processStat(Number(pid))?.start === start) found.push({
			pid: Number(pid),
			began: Number(start),
			cgroup: processText(Number(pid), "cgroup")
		});
	}
	return found;
}
function namespaceOf(pid) {
	return processLink(pid, `ns/${process.getuid?.() === 0 ? "mnt" : "user"}`);
}
function isHere(pid, clients) {
	const namespace = namespaceOf(pid);
	if (namespace === null) return false;
	return namespace === namespaceOf("self") || clients.some((client) => namespace === namespaceOf(client.pid));
}
function parentOf({ pid, stat }) {
	let child = stat;
	for (let tries = 0; child !== null && tries < MOST_TRIES; tries++) {
		const above = processStat(child.parent);
		if (above !== null && Number(above.start) <= Number(child.start)) return {
			pid: child.parent,
			stat: above
		};
		const before = child.parent;
		child = processStat(pid);
		if (child?.parent === before) return null;
	}
	return null;
}
function isAdopter({ pid, stat }) {
	return pid === 1 || stat.name === "systemd" && stat.parent === 1;
}
function signsOf({ pid, stat }, clients) {
	const argv = processArguments(pid) ?? [];
	const variables = processEnvironment(pid) ?? /* @__PURE__ */ new Map();
	const began = Number(stat.start);
	return {
		pid,
		parent: stat.parent,
		sid: stat.sid,
		began,
		name: toDisplay(stat.name),
		cgroup: processText(pid, "cgroup"),
		isClient: isClaudeClient({
			program: processProgram(pid),
			argv
		}),
		isRegistered: clients.some((client) => client.pid === pid && client.began === began),
		isMarked: variables.get("CLAUDECODE") === "1" || (variables.get("CLAUDE_PID") ?? "") !== "",
		isCall: variables.has("TRAI_CALL") || isLauncher(argv)
	};
}
function isLauncher(argv) {
	return argv.slice(1, 3).some((word) => {
		const state = /^(\/.*)\/bin\/[^/]+\/launch$/.exec(word)?.[1];
		return state !== void 0 && (0, node_fs.existsSync)(Buffer.from(`${state}/sessions`, "latin1"));
	});
}
async function takeFileLock(path, waitSeconds = 10) {
	let file;
	try {
		file = (0, node_fs.openSync)(path, node_fs.constants.O_RDWR | node_fs.constants.O_CREAT | node_fs.constants.O_NOFOLLOW, 384);
	} catch (cause) {
		throw lockUnusable(path, errorText(cause), cause);
	}
	try {
		await lock(file, path, waitSeconds);
	} catch (error) {
		(0, node_fs.closeSync)(file);
		throw error;
	}
	return async () => (0, node_fs.closeSync)(file);
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
	const { status, stderr } = await run(programPath("flock"), [
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
		const lock = (0, node_fs.statSync)(path);
		for (const pid of processIds()) {
			if (!namesIn$1(`/proc/${pid}/fdinfo`).some((fd) => holds(pid, fd, lock))) continue;
			return {
				pid,
				command: toDisplay((processArguments(pid) ?? []).slice(0, WORDS).join(" ")).slice(0, CHARACTERS)
			};
		}
	} catch {}
	return null;
}
function holds(pid, fd, lock) {
	const text = processText(pid, `fdinfo/${fd}`) ?? "";
	if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
	const found = orNull(() => (0, node_fs.statSync)(`/proc/${pid}/fd/${fd}`));
	return found?.dev === lock.dev && found.ino === lock.ino;
}
var UNKNOWN = "could not look whether the session is in use";
var probeFailed = (said) => new TraiError("not-entered", `${UNKNOWN}: ${said || "unshare failed"}`, { hint: "Run: trai doctor" });
var upperNotMounted = (path, said) => new TraiError("not-entered", `${UNKNOWN}: expected to mount ${path}, found: ${said}`, {
	path,
	hint: "Nothing was changed. Put that directory right, or run: trai doctor"
});
function linkContradicts(overlayDir, n, found) {
	const link = `${toDisplay(overlayDir)}/${n}/l`;
	return new TraiError("corrupt", `expected that the link ${link} names the directory of which overlay/${n} holds the pending changes; ${found}`, {
		path: link,
		hint: "Nothing was changed. Make that link name the right directory (ln -sfn DIRECTORY LINK), and remove places.json beside it; or start a new session."
	});
}
var LINK_IS_MISSING = "there is no such link";
var tableSays = (path) => `places.json says ${toDisplay(path)}`;
var linkIsTaken = (n) => `overlay/${n} is of that directory, too`;
var boxRecordPath = (sessionDir) => (0, node_path.join)(sessionDir, "box.json");
function knownBoxRecord(sessionDir) {
	const value = orNull(() => readPlainJson(boxRecordPath(sessionDir)));
	return isObject(value) && value["v"] === 1 ? value : null;
}
var isBoxed = (sessionDir) => (0, node_fs.existsSync)(boxRecordPath(sessionDir));
function writeBoxRecord(sessionDir, record) {
	if (record === null) (0, node_fs.rmSync)(boxRecordPath(sessionDir), { force: true });
	else writeWhole(boxRecordPath(sessionDir), Buffer.from(JSON.stringify(record)));
}
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
var HOST_DIRS = [
	"projects",
	"sessions",
	"file-history",
	"plans",
	"tasks"
];
var MORE_HOST_DIRS = [
	"todos",
	"teams",
	"statsig",
	"usage-data",
	"paste-cache",
	"image-cache"
];
var HOST_FILE = "history.jsonl";
var EMPTY_DIR = "plugins";
function hostsOfClient(home, env) {
	const { configDir, locks } = clientDirs(home, env);
	const at = (name) => joinPath(configDir, name);
	return {
		dirs: [...[...HOST_DIRS, ...MORE_HOST_DIRS].map(at), locks],
		files: [at(HOST_FILE)],
		history: at(HOST_FILE),
		made: HOST_DIRS.map(at),
		empty: at(EMPTY_DIR)
	};
}
function clientDirs(home, env) {
	const dirOf = (name, otherwise) => {
		const value = env.get(name) ?? "";
		return value.startsWith("/") && isByteString(value) ? bytePath(value) : otherwise;
	};
	const state = dirOf("XDG_STATE_HOME", joinPath(home, ".local/state"));
	return {
		configDir: dirOf("CLAUDE_CONFIG_DIR", joinPath(home, ".claude")),
		locks: joinPath(state, "claude/locks")
	};
}
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
var REASONS = {
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
var ANSWERS = [
	"once",
	"session",
	"always",
	"no",
	"never",
	"leave"
];
function addsRule(answer) {
	return answer === "session" || answer === "always" || answer === "never";
}
var LETTERS = {
	y: "once",
	s: "session",
	a: "always",
	n: "no",
	d: "never",
	l: "leave"
};
function answerNamed(word) {
	return ANSWERS.find((one) => one === word) ?? (Object.hasOwn(LETTERS, word) ? LETTERS[word] ?? null : null);
}
var QUESTION_ENDS = [
	...ANSWERS,
	"ran",
	"refused",
	"ended",
	"late",
	"gone"
];
var ANSWERED_BY = [
	"tab",
	"answer",
	"client"
];
var ANSWER_SCOPES = [
	"session",
	"project",
	"user"
];
var SUBJECTS = [
	"command",
	"file_path",
	"notebook_path",
	"url",
	"path",
	"query",
	"skill"
];
function subjectOf({ input }) {
	const found = SUBJECTS.find((name) => typeof input[name] === "string");
	return found === void 0 ? JSON.stringify(input) : String(input[found]);
}
function proposedRule({ allow, deny }, answer) {
	const draft = answer === "never" ? deny : allow;
	return draft === null ? null : {
		scope: answer === "session" ? "session" : "user",
		...draft
	};
}
var RULE_LISTS = [
	"deny",
	"ask",
	"allow"
];
var EFFECT_KINDS = [
	"added",
	"modified",
	"deleted"
];
var EFFECT_DOES = [
	"flag",
	"confirm",
	"never",
	"auto"
];
var EFFECT_KEYS = [
	"paths",
	"kinds",
	"do",
	"reason"
];
var RULE_KEYS = [
	"tool",
	"match",
	"reason",
	"tests",
	"modes",
	"until",
	"disabled"
];
var MODES$1 = [
	"default",
	"acceptEdits",
	"plan",
	"auto",
	"dontAsk",
	"bypassPermissions"
];
var PERMISSION_BY = [
	"rule",
	"broken",
	"read-only",
	"built-in",
	"sandboxed",
	"trai",
	"client"
];
var FIELDS = [
	[/^(Bash|Monitor)$/, "command"],
	[/^(Read|Edit|MultiEdit|Write)$/, "file_path"],
	[/^(NotebookEdit|NotebookRead)$/, "notebook_path"],
	[/^(Grep|Glob|LS)$/, "path"],
	[/^WebFetch$/, "url"],
	[/^WebSearch$/, "query"],
	[/^Skill$/, "skill"]
];
function fieldOf(tool) {
	const name = tool.replace(/^\^|\$$/g, "");
	return FIELDS.find(([tools]) => tools.test(name))?.[1] ?? null;
}
function ruleOf(tool, match, reason) {
	return {
		tool: /^[A-Za-z]\w*$/.test(tool) ? `^${tool}$` : tool,
		...match === void 0 ? {} : { match },
		...reason === "" ? {} : { reason }
	};
}
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
var isOneOf = (words) => (value) => words.some((word) => word === value);
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
var TIME$1 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
function isTime(value) {
	return typeof value === "string" && TIME$1.test(value) && !Number.isNaN(Date.parse(value));
}
var EVENT_FIELDS = {
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
var LATER_FIELDS = /* @__PURE__ */ new Map([["commit", { auto: "" }], ["call.started", { overlay: "mounted" }]]);
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
var MODES = [
	"sandbox",
	"host",
	"refuse"
];
var TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}|24:00:00\.000)Z$/;
var isText = (value) => typeof value === "string";
var isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
var CHECKS = {
	text: isText,
	texts: (value) => Array.isArray(value) && value.every(isText),
	flag: (value) => typeof value === "boolean",
	count: isCount,
	counts: (value) => Array.isArray(value) && value.every(isCount),
	number: (value) => Number.isFinite(value),
	mode: (value) => MODES.includes(value),
	reason: (value) => typeof value === "string" && Object.hasOwn(REASONS, value)
};
function checkOf(kind) {
	return typeof kind === "string" ? CHECKS[kind] : (value) => isText(value) && kind.includes(String(value));
}
var FIELD_CHECKS = new Map(Object.entries(EVENT_FIELDS).map(([type, fields]) => [type, Object.entries(fields).map(([name, kind]) => ({
	name,
	isFine: checkOf(kind)
}))]));
function isLogEvent(value) {
	if (!isObject(value)) return false;
	const { t: type, v, at } = value;
	const fields = FIELD_CHECKS.get(type);
	if (v !== 1 || fields === void 0 || typeof at !== "string" || !TIME.test(at)) return false;
	return Object.keys(value).length === fields.length + 3 && fields.every(({ name, isFine }) => isFine(value[name]));
}
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
var NEWLINE$1 = 10;
var SHOWN_BYTES = MAX_LINE_CHARS * 4;
var HEAD = /^\{"v":1,(?:"at":"[^"]{0,30}",)?"t":"([a-z.]{1,30})"(?:,"at":"[^"]{0,30}")?(?:,"request":"([^"\\]+)")?/;
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
var LogParser = class {
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
var LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
var MARK_BYTES = 64;
var byteLength = (text) => encoder.encode(text).length;
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
var quoted$2 = (text) => JSON.stringify(text);
var relativeStateHome = (value) => new TraiError("bad-input", `expected TRAI_STATE_HOME to be an absolute path, found ${quoted$2(value)}`);
var invalidSessionId = (id) => new TraiError("bad-input", `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${quoted$2(id)}`);
var noSuchSession = (path, cause) => new TraiError("no-session", "there is no such session", {
	path,
	cause
});
var dirIsLink = (path) => notYourDir(path, "a symbolic link", "Set TRAI_STATE_HOME to the directory itself.");
var dirIsOther = (path) => notYourDir(path, "something else", "Move it away.");
var dirOfOther = (path, uid) => notYourDir(path, `one that belongs to uid ${uid}`, "Do not share it between users.");
var dirOthersWrite = (path) => notYourDir(path, "one that others can write to", "chmod 700 it, if its content is yours.");
var notYourDir = (path, found, hint) => new TraiError("forbidden", `expected a directory of your own, found ${found}`, {
	path,
	hint
});
var foreignServerFile = (path, cause) => new TraiError("forbidden", "expected a file of your own with mode 0600 and no other name, found something else", {
	path,
	cause,
	hint: "Look who made it, and remove it."
});
var stateHidden = () => new TraiError("inside-sandbox", "this runs inside a sandboxed call, where trai’s own state is hidden", { hint: "Ask the user: they can type the /trai: command, or run trai in a terminal of their own." });
var REPAIR_SESSION = "Repair what is named, or let this user read it; nothing of the session is removed until then. More: trai doctor";
var metaUnusable = (path, why) => new TraiError("corrupt", `the session’s meta.json cannot be used: ${why}`, {
	path,
	hint: "Nothing was changed. Put the file right, or move the session directory away."
});
var META_IS_MISSING = "it is missing";
var META_IS_NO_FILE = "it is not a regular file";
var META_IS_NO_JSON = "not JSON";
var metaOfOther = (id) => `it is that of session ${id}`;
var metaField = (field) => `missing or wrong: ${field}`;
var attachmentDamaged = (path, found) => new TraiError("corrupt", `expected the id of a session, found ${quoted$2(found.slice(0, 80))}`, { path });
var logIsNoFile = (path, cause) => new TraiError("corrupt", `expected the log to be a regular file: ${path}. Move it away (mv ${path} ${path}.other): a new log is begun.`, {
	path,
	cause
});
var NOT_LOGGED = "Free some space: what could not be logged is not run.";
var logLineCut = (path, written, length) => new TraiError("no-space", `wrote ${written} of ${length} bytes of a log line`, {
	path,
	hint: NOT_LOGGED
});
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
var failed = (what, path, cause, hint) => new TraiError("io", `${what}: ${messageOf(cause)}`, {
	path,
	cause,
	hint
});
var ELSEWHERE = "Set TRAI_STATE_HOME to a directory on a local disk that you can write to.";
var stateDirNotMade = (path, cause) => failed("the state directory could not be made", path, cause, ELSEWHERE);
var sessionsUnreadable = (path, cause) => failed("the sessions could not be listed", path, cause, `${ELSEWHERE} More: trai doctor`);
var sessionNotMade = (path, cause) => failed("the session could not be made", path, cause);
var logUnreadable = (path, cause) => failed("the log could not be read", path, cause);
var metaUnreadable = (path, cause) => failed("meta.json could not be read", path, cause);
var metaNotWritten = (path, cause) => failed("meta.json could not be written", path, cause);
var attachmentUnreadable = (path, cause) => failed("an attachment could not be read", path, cause);
var permitsUnreadable = (path, cause) => failed("the permits could not be read", path, cause);
var permitNotWritten = (path, cause) => failed("the permit could not be written", path, cause);
var permitNotUsedUp = (path, cause) => failed("a permit could not be used up", path, cause);
var configNotUsable = (file) => new TraiError("corrupt", "the config is not JSON of the expected form", {
	path: file,
	hint: "Nothing was changed. Repair the file first; see: trai doctor"
});
var configUnusable = (why) => `${why}. The defaults are used.`;
var CONFIG_IS_NO_FILE = "expected a regular file";
var configUnreadable = (code) => `can't be read (${code})`;
var configTooLarge = (most, bytes) => `expected at most ${most} bytes, found ${bytes}`;
var configIsNoJson = (error) => `expected JSON: ${messageOf(error)}`;
var { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW: O_NOFOLLOW$1, O_NONBLOCK: O_NONBLOCK$1 } = node_fs.constants;
var NEWLINE = 10;
var LOG_NAME = "calls.jsonl";
function logPath(sessionDir) {
	return (0, node_path.join)(sessionDir, LOG_NAME);
}
function logSize(sessionDir) {
	return (0, node_fs.statSync)(logPath(sessionDir), { throwIfNoEntry: false })?.size ?? 0;
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
		const written = (0, node_fs.writeSync)(fd, line);
		if (written === line.length) return;
		throw logLineCut(path, written, line.length);
	} catch (error) {
		throw asTraiError(error, path);
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function expectLog(sessionDir) {
	const path = logPath(sessionDir);
	if ((0, node_fs.lstatSync)(path, { throwIfNoEntry: false })?.isFile() === false) throw logIsNoFile(path);
}
function openLog(path) {
	try {
		return (0, node_fs.openSync)(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW$1 | O_NONBLOCK$1, 384);
	} catch (error) {
		throw asTraiError(error, path);
	}
}
function endsInMidLine(fd, path) {
	const found = (0, node_fs.fstatSync)(fd);
	if (!found.isFile()) throw logIsNoFile(path);
	if (found.size === 0) return false;
	const last = /* @__PURE__ */ new Uint8Array(1);
	return (0, node_fs.readSync)(fd, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
}
function asTraiError(error, path) {
	if (error instanceof TraiError) return error;
	return [
		"EISDIR",
		"ELOOP",
		"ENXIO"
	].includes(errorCode(error)) ? logIsNoFile(path, error) : logNotWritten(path, error);
}
var BIND_FLAGS = /* @__PURE__ */ new Set([
	"nosuid",
	"nodev",
	"noexec",
	"noatime",
	"nodiratime",
	"relatime"
]);
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
	return parseMountinfo((0, node_fs.readFileSync)("/proc/self/mountinfo", "latin1"));
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
function holderOf(path, mounts) {
	return innermost(path, mounts.values(), (mount) => mount.point);
}
function mountOf(port, path) {
	return withHandle(port, port.openDir(joinPath(path, ".")), (fd) => {
		return `${/^mnt_id:\s+(\d+)/m.exec(port.readText(`/proc/self/fdinfo/${fd}`) ?? "")?.[1] ?? ""}:${port.fstat(fd).dev}`;
	});
}
var ROOT_OPTIONS = "index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off";
var KERNEL_TYPES = new Set("proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs".split(" "));
var REMOTE_TYPES = new Set("fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2".split(" "));
function isRemote(type) {
	return REMOTE_TYPES.has(type) || type.startsWith("fuse.");
}
function isNetwork(type) {
	return type === "nfs" || type === "nfs4" || type === "ceph";
}
function isLocal(path, mounts) {
	const type = holderOf(path, mounts)?.type;
	return type !== void 0 && !isRemote(type) && !isNetwork(type) && type !== "autofs";
}
var LOWER_TYPES = new Set("ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ecryptfs nfs nfs4 ceph virtiofs".split(" "));
var silentUntil = /* @__PURE__ */ new Map();
function knownSilent() {
	const now = Date.now();
	return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}
var NAME = "inside";
var CLIENT_RECORD = "client.json";
var INSTANCE = "instance";
var insideAt = (stateDir) => (0, node_path.join)(stateDir, NAME);
var instanceAt = (stateDir) => (0, node_path.join)(stateDir, INSTANCE);
var clientRecordPath = (sessionDir) => (0, node_path.join)(sessionDir, CLIENT_RECORD);
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
var isWaiter = ({ name }) => name.startsWith("trai");
var isClientRunning = (sessionDir) => runningClient(sessionDir) !== null;
function removeCopy(sessionDir) {
	const copy = readClientRecord(sessionDir)?.copy;
	if (copy !== void 0) (0, node_fs.rmSync)(copy, { force: true });
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
function group(fields) {
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
var PROFILE = group({
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
var CONFIG = group({
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
	undo: group({
		maxBytes: bytes,
		keepDays: integer(0, 36500),
		keepBytes: bytes
	}),
	testCommands,
	disk: group({ warnFreeBytes: bytes }),
	server: group({
		autostart: flag,
		port: integer(0, 65535),
		idleMinutes: integer(1, 10080)
	}),
	rules: group({
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
	box: group({
		profiles,
		network: group({
			allow: hosts,
			deny: hosts
		})
	})
});
function reportUnknown(value, path, known, problems) {
	for (const key of Object.keys(value)) {
		if (known.includes(key)) continue;
		const text = `${[...path, shown(key)].join(".")} is not a key of the config; expected one of ${known.join(", ")}.`;
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
		text: `${path.length === 0 ? "the config" : path.join(".") + index}: expected ${expected}, found ${shown(found)}; the default is used.`
	};
}
function shown(value) {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
function stateDir(env) {
	const own = env["TRAI_STATE_HOME"] ?? "";
	if (own !== "" && !(0, node_path.isAbsolute)(own)) throw relativeStateHome(own);
	const state = absolute(env, "XDG_STATE_HOME") ?? (0, node_path.join)(homeDir(env), ".local/state");
	return unlinkedAbove((0, node_path.resolve)(own === "" ? (0, node_path.join)(state, "trai") : own));
}
function unlinkedAbove(path) {
	const above = (0, node_path.dirname)(path);
	if (above === path) return path;
	return (0, node_path.join)(orNull(() => node_fs.realpathSync.native(above)) ?? unlinkedAbove(above), (0, node_path.basename)(path));
}
function runtimeDir(env) {
	const xdg = absolute(env, "XDG_RUNTIME_DIR");
	return xdg === null ? null : (0, node_path.resolve)(xdg, "trai");
}
function configDir(env) {
	return (0, node_path.resolve)(absolute(env, "XDG_CONFIG_HOME") ?? (0, node_path.join)(homeDir(env), ".config"), "trai");
}
function homeDir(env) {
	return absolute(env, "HOME") ?? orNull(() => (0, node_os.userInfo)().homedir) ?? "/";
}
function absolute(env, name) {
	const value = env[name] ?? "";
	return (0, node_path.isAbsolute)(value) ? value : null;
}
function sessionDir(state, id) {
	if (isSessionId(id)) return (0, node_path.join)(state, "sessions", id);
	throw invalidSessionId(id);
}
function isInsideSandbox(state, mountinfo) {
	const text = mountinfo ?? (0, node_fs.readFileSync)("/proc/self/mountinfo", "latin1");
	if (!/ trai:[0-9a-f]+:/.test(text)) return false;
	const point = realBytes(state);
	const mounts = parseMountinfo(text);
	return mounts.some((mount) => mount.point === point) && mounts.some((mount) => /^trai:[0-9a-f]+:/.test(mount.source));
}
function realBytes(path) {
	return (orNull(() => node_fs.realpathSync.native(path, { encoding: "buffer" })) ?? Buffer.from((0, node_path.resolve)(path))).toString("latin1");
}
function ensureStateDir(state) {
	if (isInsideSandbox(state)) throw stateHidden();
	try {
		(0, node_fs.mkdirSync)(state, {
			recursive: true,
			mode: 448
		});
		checkOwnDir(state);
		for (const name of [
			"sessions",
			"claude",
			"trash"
		]) {
			(0, node_fs.mkdirSync)((0, node_path.join)(state, name), {
				recursive: true,
				mode: 448
			});
			checkOwnDir((0, node_path.join)(state, name));
		}
		if (!(0, node_fs.existsSync)((0, node_path.join)(state, ".gitignore"))) (0, node_fs.writeFileSync)((0, node_path.join)(state, ".gitignore"), "*\n", { mode: 384 });
	} catch (error) {
		if (error instanceof TraiError) throw error;
		throw stateDirNotMade(state, error);
	}
}
var OTHERS_WRITE = node_fs.constants.S_IWGRP | node_fs.constants.S_IWOTH;
function checkOwnDir(path) {
	const found = (0, node_fs.lstatSync)(path);
	if (found.isSymbolicLink()) throw dirIsLink(path);
	if (!found.isDirectory()) throw dirIsOther(path);
	if (found.uid !== process.getuid?.()) throw dirOfOther(path, found.uid);
	if ((found.mode & OTHERS_WRITE) !== 0) throw dirOthersWrite(path);
	if (((0, node_fs.statSync)(path).mode & 63) !== 0) (0, node_fs.chmodSync)(path, 448);
}
function isSessionId(text) {
	return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}
function sessionIdOfClaude(claudeId) {
	if (isSessionId(claudeId)) return claudeId;
	return `${claudeId.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 40) || "claude"}.${(0, node_crypto.hash)("sha256", Buffer.from(claudeId, "utf16le")).slice(0, 16)}`;
}
var MAX_CONFIG_BYTES = 262144;
function configFiles(env) {
	const data = absolute(env, "CLAUDE_PLUGIN_DATA");
	return [configDir(env), ...data === null ? [] : [data]].map((dir) => (0, node_path.join)(dir, "config.json"));
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
function problemsAbout({ problems }, path) {
	const isAbout = ({ path: at, isUnknownKey }) => {
		const shared = at.findIndex((key, i) => key !== path[i]);
		const isSibling = at.length === path.length && shared === at.length - 1;
		if (isUnknownKey) return isSibling || shared === path.length && at.length > path.length;
		return shared === -1 || shared === path.length;
	};
	return problems.filter(isAbout).map(({ text }) => text);
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
		bytes = readPlainFile(orNull(() => (0, node_fs.realpathSync)(file)) ?? file);
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
		return (0, node_fs.statSync)(file, { throwIfNoEntry: false }) === void 0;
	} catch (error) {
		return errorCode(error) === "ENOTDIR";
	}
}
function metaPath(sessionDir) {
	return (0, node_path.join)(sessionDir, "meta.json");
}
async function readMeta(sessionDir) {
	const path = metaPath(sessionDir);
	const parsed = parseMeta(readText(path, sessionDir));
	if ("meta" in parsed && parsed.meta.id === (0, node_path.basename)(sessionDir)) return parsed.meta;
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
	return withFileLock((0, node_path.join)(sessionDir, ".meta.lock"), async () => {
		const meta = await readMeta(sessionDir);
		const changed = change(meta);
		if (changed === null) return meta;
		await writeMeta(sessionDir, changed);
		return changed;
	});
}
function readText(path, sessionDir) {
	try {
		const file = (0, node_fs.openSync)(path, node_fs.constants.O_RDONLY | node_fs.constants.O_NOFOLLOW | node_fs.constants.O_NONBLOCK);
		return withHandle(nodePort, file, () => (0, node_fs.readFileSync)(file, "utf8"));
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") {
			if (orNull(() => (0, node_fs.lstatSync)(sessionDir)) !== null) throw metaUnusable(path, META_IS_MISSING);
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
function readPlan(sessionDir, id = currentId(sessionDir)) {
	return id === null ? null : readPlanFile(`${sessionDir}/plan/${id}/plan.json`);
}
function currentId(sessionDir) {
	return orNull(() => (0, node_fs.readlinkSync)(`${sessionDir}/plan/current`, "latin1"));
}
function readPlanFile(path) {
	const value = readPlainJson(path);
	const { v, coveredDirs, source } = Object(value);
	return v === 1 && Array.isArray(coveredDirs) && source !== void 0 ? value : null;
}
function isWholePlan(dir) {
	const { sums } = Object(readPlainJson(`${dir}/plan.json`));
	if (typeof sums !== "object" || sums === null) return false;
	const entered = (0, node_fs.lstatSync)(`${dir}/entered`, { throwIfNoEntry: false });
	if (entered !== void 0 && !entered.isFile()) return false;
	return Object.entries(sums).every(([name, sum]) => {
		const content = readPlainFile(`${dir}/${name}`);
		return content !== null && sumOf(content) === sum;
	});
}
function sumOf(content) {
	return (0, node_crypto.createHash)("sha256").update(content).digest("hex").slice(0, 16);
}
var fsPathIn = (dir, name) => fsPath(`${dir}/${name}`);
function knownCoveredDirs(sessionDir, plan) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const numbers = readNumbers(overlayDir);
	const planned = plan.filter(({ path, n }) => numbers.get(path) === n);
	const others = [...numbers].filter(([path]) => planned.every((covered) => covered.path !== path)).map(([path, n]) => coveredDirAt(overlayDir, path, n)).filter(({ upper }) => isDirectory(upper));
	const empty = others.filter(({ upper }) => (0, node_fs.readdirSync)(fsPath(upper)).length === 0);
	const written = others.filter((one) => !empty.includes(one)).map((one) => (0, node_fs.existsSync)(fsPathIn(overlayDir, `${one.n}/copies.json`)) ? {
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
	const made = coveredDirs.filter(({ path }) => isDirectory(path)).map(({ path, n }) => coveredDirAt(overlayDir, path, n));
	for (const covered of made) prepareCoveredDir(covered, uid);
	writeNumbers(overlayDir, new Map(made.map(({ path, n }) => [path, n])));
	return made;
}
function uppersIn(overlayDir) {
	let table = null;
	const numbers = () => {
		table ??= readNumbers(overlayDir);
		return table;
	};
	return {
		has: (path) => numbers().has(path),
		names(path) {
			const n = numbers().get(path);
			return (n === void 0 ? null : upperNames(overlayDir, n)) ?? [];
		}
	};
}
function prepareCoveredDir({ path, upper }, uid) {
	const dir = upper.slice(0, -2);
	for (const name of ["u", "w"]) (0, node_fs.mkdirSync)(fsPathIn(dir, name), {
		recursive: true,
		mode: 448
	});
	(0, node_fs.rmSync)(fsPathIn(dir, "l"), { force: true });
	(0, node_fs.symlinkSync)(fsPath(path), fsPathIn(dir, "l"));
	const host = (0, node_fs.lstatSync)(fsPath(path));
	const own = host.uid === uid || uid === 0;
	(0, node_fs.chmodSync)(fsPath(upper), own ? host.mode & 4095 : host.mode & 365);
}
function coveredDirAt(overlayDir, path, n) {
	return {
		n,
		path,
		upper: `${overlayDir}/${n}/u`,
		work: `${overlayDir}/${n}/w`
	};
}
var isDirectory = (path) => lstat(path)?.type === "dir";
function upperNames(overlayDir, n) {
	return orNull(() => (0, node_fs.readdirSync)(fsPathIn(overlayDir, `${n}/u`), { encoding: "latin1" }));
}
function readNumbers(overlayDir) {
	const numbers = storedNumbers(overlayDir) ?? /* @__PURE__ */ new Map();
	const listed = new Map([...numbers].map(([path, n]) => [n, path]));
	for (const n of numberedDirs(overlayDir)) {
		const target = orNull(() => (0, node_fs.readlinkSync)(fsPathIn(overlayDir, `${n}/l`), "latin1"));
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
	(0, node_fs.writeFileSync)(temporary, JSON.stringify([...numbers]), { mode: 384 });
	if (isDirectory(joinPath(overlayDir, "places.json"))) (0, node_fs.rmSync)(file, { recursive: true });
	(0, node_fs.renameSync)(temporary, file);
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
	return (orNull(() => (0, node_fs.readdirSync)(fsPath(overlayDir), "latin1")) ?? []).filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number).sort((a, b) => a - b);
}
function damagedFiles(sessionDir) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const id = currentId(sessionDir);
	const lacksTable = storedNumbers(overlayDir) === null && numberedDirs(overlayDir).length > 0;
	return [...id === null || isWholePlan(`${sessionDir}/plan/${id}`) ? [] : [`${sessionDir}/plan/${id}`], ...lacksTable ? [`${sessionDir}/overlay/places.json`] : []];
}
var REPLAY_NAME = ".trai-replay";
var SEEN_NAME = `${REPLAY_NAME}-seen`;
var KEPT = "kept-";
var GONE = "gone-";
var replayDirIn = (dir) => joinPath(dir, REPLAY_NAME);
function replayDirs(projectRoot) {
	return [replayDirIn(joinPath(projectRoot, ".git")), replayDirIn(projectRoot)];
}
function savedIn(projectRoot, replayDir) {
	return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf$1(replayDir);
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
	const beside = paths.map((path) => replayDirIn(parentOf$1(path)));
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
		writeWhole(fileOf(scope.sessionDir), lines.join(""));
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
	if (statOf$1(path) !== null) return false;
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
	return covered === null ? null : statOf$1(upperPath(covered, path));
}
var statOf$1 = (path) => orNull(() => lstatOrNone(path));
function idOf({ ino, birthNs }) {
	return `${ino}:${birthNs}`;
}
function readMade(sessionDir) {
	const lines = readPlainFile(fileOf(sessionDir))?.toString("latin1").split("\n") ?? [];
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
function fileOf(sessionDir) {
	return `${sessionDir}/overlay/replay-dirs.jsonl`;
}
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
	const named = [joinPath(home, ".claude"), ...[...recorded, own].filter(node_path.isAbsolute).map(fromText)];
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
	return `trai:${(0, node_crypto.hash)("sha256", stateDir).slice(0, 8)}:${session}`;
}
var HOST_CHANGED = "the host changed it after the review; it stays pending";
var COPY_GONE = "its copy is gone; it stays pending";
var NEW_ENTRIES = "the host has entries in it that were not in the reviewed list";
var NO_XATTRS = "its extended attributes (an ACL, user.*) cannot be read: perl is missing, or it may not be read";
var OUT_OF_REACH = `It holds paths of more than ${MAX_PATH_BYTES} bytes or ${MAX_LEVELS} directories, which cannot be worked on. Shorten them with a command in the sandbox (mv).`;
var ENTRY_ERRORS = {
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
var NotApplied = class extends Error {
	name = "NotApplied";
};
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
var Cancelled = class extends Error {
	name = "Cancelled";
};
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
var WriterIndex = class {
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
function writesBy({ ended }, earliest) {
	return ended === null || ended >= Math.floor(earliest) ? "command" : "process";
}
function identityOf(s) {
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
var SECOND = 1000000000n;
function isPast(timeNs) {
	const step = timeNs % SECOND === 0n ? 1e3 : 0;
	return Number(timeNs / 1000000n) < Date.now() - 20 - step;
}
var LASTING = [
	"type",
	"mode",
	"uid",
	"gid",
	"size",
	"dev",
	"ino",
	"birthNs"
];
function sameFields(a, b, fields) {
	return fields.every((field) => a[field] === b[field]);
}
function isSame(identity, now) {
	if (identity === null || now === null) return identity === null && now === null;
	return identityOf(now) === identity || isUnchanged(fingerprint(identity), now);
}
function isUnchanged(then, now) {
	if (!sameFields(then, now, LASTING)) return false;
	if (now.type === "dir") return true;
	return then.mtimeNs === now.mtimeNs && (then.nlink > 1 || then.ctimeNs === now.ctimeNs);
}
function isRenamed(identity, now) {
	return identity !== null && now !== null && isUnchanged({
		...fingerprint(identity),
		ctimeNs: now.ctimeNs
	}, now);
}
function withoutChangeTime(identity) {
	return identity.slice(0, identity.lastIndexOf(":"));
}
function hasOnlyOtherChange(identity, now) {
	const text = identityOf(now);
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
function isOf(identity, host) {
	const { type, mode, uid, gid, size, dev, ino, nlink, mtimeNs, ctimeNs } = host;
	return identity.startsWith(`${type}:${mode}:${uid}:${gid}:${size}:${dev}:${ino}:`) && identity.endsWith(`:${nlink}:${mtimeNs}:${ctimeNs}`);
}
function birthOf(s) {
	return `${s.type}:${s.dev}:${s.ino}:${s.birthNs}`;
}
function isBornAs(birth, now) {
	return birth !== null && now !== null && birthOf(now) === birth;
}
function isStillOurs(birth, now) {
	if (birth === null || now === null || birth.endsWith(":0")) return isBornAs(birth, now);
	return isBornAs(birth.replace(/^(\w+):\d+:/, `$1:${now.dev}:`), now);
}
function onDeviceOf(identity, now) {
	if (identity === null || now === null) return identity;
	return identityOf({
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
var SEARCH = 64;
var LIST = 320;
var WRITE = 192;
var Dirs = class {
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
		return at(this.openToWrite(parentOf$1(path)), nameOf(path));
	}
	targetHere(path) {
		const dir = parentOf$1(path);
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
		const mode = now.type === "dir" && this.loosened.size > 0 ? this.loosened.get(birthOf(now)) : void 0;
		return mode !== void 0 && now.mode === (mode | 448) ? {
			...now,
			mode
		} : now;
	}
	lstat(path) {
		const isRoot = path === this.#root;
		const fd = this.openOrNone(isRoot ? path : parentOf$1(path));
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
		const id = birthOf(held.stat);
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
function isIn(path, dir) {
	return path.lastIndexOf("/") === dir.length && path.startsWith(dir);
}
function byParent(paths) {
	const found = /* @__PURE__ */ new Map();
	for (const path of paths) {
		const dir = parentOf$1(path);
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
var EMPTYING_ROUNDS = 1e3;
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
var CLEAR = "clear() { set -- */w/work/incompat; [ ! -e \"$1\" ] || rm -rf \"$@\"; }; clear";
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
var NO_SUBDIRECTORY = 2;
var ROOM = "mount -t tmpfs -o size=64m,mode=700 trai-room parking";
var NO_LOWER = "parking/none";
async function isBusy(session) {
	const overlay = `${session.sessionDir}/overlay`;
	if (!(0, node_fs.existsSync)(overlay)) return false;
	const numbers = (0, node_fs.readdirSync)(overlay, { encoding: "latin1" }).filter((n) => /^[0-9]+$/.test(n) && (0, node_fs.lstatSync)(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== void 0);
	const first = await ask(session, session.root ? rootProbes(overlay, numbers) : numbers.map((n) => ownProbe(n, `${n}/l`)));
	if (first.busy || first.open.length === 0) return first.busy;
	for (const probe of first.open.flatMap((open) => onceMore(session, overlay, open))) {
		const { busy, open, said } = await ask(session, [probe]);
		if (busy) return true;
		if (open.length > 0) throw upperNotMounted(`${overlay}/${probe.uppers[0] ?? ""}/u`, said);
	}
	return false;
}
function onceMore({ root }, overlay, probe) {
	const { name, uppers } = probe;
	if (root) return name === "guard" ? [probe] : uppers.map((n) => rootProbe("again", [n]));
	return uppers.filter((n) => (0, node_fs.existsSync)(`${overlay}/${n}/w/work`)).map((n) => ownProbe(n, NO_LOWER));
}
var BUSY = /already mounted|busy/;
var FREE = /stale file handle|failed to verify/i;
async function ask(session, probes) {
	const overlay = `${session.sessionDir}/overlay`;
	const script = `exec 2>&1; ${CLEAR}; ${`${ROOM} 2>/dev/null; mkdir -p ${[
		"parking/probe",
		NO_LOWER,
		...probes.flatMap(({ own }) => own)
	].join(" ")} && printf %s "$1" >parking/probe.fstab || exit`}; mount -c -a -T parking/probe.fstab; rc=\$?; echo; echo "mounted \$rc"; [ $rc = 0 ] || cat /proc/self/mountinfo; clear; echo done`;
	const fstab = probes.map(({ line }) => line).join("");
	const args = [
		...enter(session, "--mount"),
		"/bin/sh",
		"-c",
		script,
		"probe",
		fstab
	];
	const { stdout, stderr } = await run(programPath("unshare"), args, {
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
		busy: lines.some((line) => BUSY.test(line)),
		open: open.length <= free ? [] : open,
		said
	};
}
var sourceOf = (name) => `trai-probe-${name}`;
function lineOf(name, dir, lower, user) {
	return `${sourceOf(name)} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}
function ownProbe(n, lower) {
	return {
		name: n,
		line: lineOf(n, n, lower, "userxattr,"),
		ownLower: lower === NO_LOWER,
		uppers: [n],
		own: []
	};
}
function rootProbes(overlay, numbers) {
	if (!(0, node_fs.existsSync)(`${overlay}/guard/u`)) return [];
	const probes = [{
		name: "guard",
		line: lineOf("guard", "guard", "guard/l", ""),
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
		line: lineOf(name, asks, lower, ""),
		ownLower: true,
		uppers,
		own
	};
}
var AT_ONCE = 30;
var RETRIES = 20;
var RETRY_MS = 15;
async function isQuiet(ctx) {
	const seen = ctx.root || isClientRunning(ctx.sessionDir);
	for (let i = 0; i < RETRIES; i++) {
		if (seen && (await liveProcesses(ctx.source)).length > 0) return false;
		if (!await isBusy(ctx)) return true;
		if (!seen && (await liveProcesses(ctx.source)).length > 0) return false;
		await (0, node_timers_promises.setTimeout)(RETRY_MS);
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
function projectOf(cwd) {
	const start = resolved(cwd) ?? cwd;
	const found = discover(start);
	const id = (0, node_crypto.hash)("sha256", Buffer.from(found?.commonDir ?? start, "latin1")).slice(0, 16);
	return {
		root: found?.top ?? start,
		id
	};
}
function repositoryOf(cwd) {
	return discover(resolved(cwd) ?? cwd);
}
function discover(start) {
	const device = statOf(start)?.dev;
	for (let dir = start;; dir = parentOf$1(dir)) {
		if (statOf(dir)?.dev !== device) return null;
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
	if (statOf(path)?.isFile() !== true) return null;
	const [, target] = GIT_FILE.exec(readBytes$1(path, GIT_FILE_BYTES) ?? "") ?? [];
	return target === void 0 ? "broken" : against(dir, target);
}
function commonDirOf(gitDir) {
	if (!hasValidHead(gitDir)) return null;
	const named = readBytes$1(joinPath(gitDir, "commondir"), 65536)?.replace(/[\r\n]+$/, "");
	const common = named === void 0 ? gitDir : against(gitDir, named);
	const isDirectory = (name) => statOf(joinPath(common, name))?.isDirectory() === true;
	return isDirectory("objects") && isDirectory("refs") ? resolved(common) : null;
}
function hasValidHead(gitDir) {
	const path = joinPath(gitDir, "HEAD");
	if (readLink(path)?.startsWith("refs/")) return true;
	return /^(ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/.test(readBytes$1(path, 256) ?? "");
}
function against(dir, target) {
	return bytePath(target.startsWith("/") ? target : joinPath(dir, target));
}
var resolved = (path) => orNull(() => realPath(path));
var readLink = (path) => orNull(() => (0, node_fs.readlinkSync)(fsPath(path), "latin1"));
var statOf = (path) => orNull(() => (0, node_fs.statSync)(fsPath(path)));
function readBytes$1(path, limit) {
	const fd = orNull(() => (0, node_fs.openSync)(fsPath(path), node_fs.constants.O_RDONLY | node_fs.constants.O_NONBLOCK));
	if (fd === null) return void 0;
	try {
		if (!(0, node_fs.fstatSync)(fd).isFile()) return void 0;
		const buffer = Buffer.alloc(Math.min(limit, (0, node_fs.fstatSync)(fd).size));
		return buffer.toString("latin1", 0, (0, node_fs.readSync)(fd, buffer, 0, buffer.length, 0));
	} catch {
		return;
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
var adoptsItself = (session) => new TraiError("bad-input", `session ${session} cannot adopt its own changes`, { hint: `Name the session that continues with them: trai adopt ${session} --session NEW. All sessions: trai sessions` });
var rootOf = ({ projectRoot }) => toDisplay(bytePath(projectRoot));
var otherProject = (from, to) => new TraiError("bad-input", `session ${from.id} belongs to another project (${rootOf(from)}) than session ${to.id} (${rootOf(to)})`, { hint: "Commit it from there, or adopt it in a session of that project." });
var nothingPending = (session) => new TraiError("not-found", `nothing is pending in session ${session}`);
var notOneCall = (id, session, found) => new TraiError("not-found", `expected one call ${JSON.stringify(id)} in session ${session}, found ${found === 0 ? "none" : `${found} of them`}`, { hint: "See: trai log. Without an id the newest call is meant; 2 = the one before it." });
var nothingToDiscard = (cannot) => new TraiError("not-found", `nothing of it can be dropped alone: ${cannot[0]?.why ?? ""}`, { paths: cannot.map(({ path, why }) => `${toDisplay(path)}: ${why}`) });
var MovedOn = class extends TraiError {
	constructor() {
		super("stale-revision", "the session has adopted the changes of another one since", { hint: "Review them, then repeat." });
	}
};
var UNTIL_QUIET = "Wait until they are done, or end them.";
var UNTIL_QUIET_TO_DISCARD = "Discard and end what runs (trai discard --yes --end-processes), or wait until it is done. See also: trai ps";
var UNTIL_QUIET_TO_UNDO = "Undo and end what runs (trai undo --end-processes), or wait until it is done. See also: trai ps";
var UNTIL_CLIENT_ENDS = "Claude Code itself runs in this session (trai claude): end it first. What is pending stays.";
var UNTIL_QUIET_TO_ADOPT = "Wait until it is done, or end it. Nothing was moved.";
function isLive(processes, hint, session = "this session") {
	const [first] = processes;
	const count = countText(processes.length, "process", "processes");
	return new TraiError("live", `${session} ${first === void 0 ? "is busy" : `is live, with ${count} running: ${first.command}`}`, {
		hint,
		paths: processes.map(({ pid, command }) => `${pid} ${command}`),
		data: { processes: processes.length }
	});
}
var clientIsOpen = (session, pid) => new TraiError("live", `a Claude client is open in session ${session} (process ${pid})`, { hint: "Go on there, or close it first. Nothing was moved." });
var clientIsHere = (session, pid) => new TraiError("live", `Claude Code already runs in session ${session} (process ${pid})`, { hint: "Go on there, or end it first. Without --session and --continue, a start has a session of its own." });
var clientStateLocked = (lock, seconds) => new TraiError("busy", `the client’s lock of ~/.claude.json was not free within ${seconds} seconds`, {
	path: lock,
	hint: `Another client has ${lock}. What Claude Code counted in the session goes to ~/.claude.json at the next start of trai claude in that session.`
});
var adopterHasChanges = (session) => new TraiError("not-empty", `session ${session} has pending changes of its own`, { hint: "Commit or discard them first, or adopt in a new session. Nothing was moved." });
var noClient = (looked) => new TraiError("no-program", "expected the program claude, found none", { hint: `Looked on PATH and for ${looked.join(" and ")}. Install Claude Code, or add its directory to PATH. Nothing was started.` });
var FOLLOW_MS = 500;
var LOCK_STALE_MS = 1e4;
var LOCK_WAIT_MS = 12e3;
var variablesOf = (env) => new Map(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
function pathsOf$1(env) {
	const home = homeOf(env);
	const real = (path) => orNull(() => realPath(path)) ?? path;
	const configDir = real(clientDirs(home, variablesOf(env)).configDir);
	return {
		state: real(joinPath((env["CLAUDE_CONFIG_DIR"] ?? "") !== "" ? configDir : home, ".claude.json")),
		credentials: real(joinPath(configDir, ".credentials.json")),
		cleanup: joinPath(configDir, ".last-cleanup")
	};
}
function firstRecord(env, projectRoot, starting) {
	const paths = pathsOf$1(env);
	return recordOf(paths, paths.state, projectRoot, starting);
}
function beginFirst(sessionDir, env, box) {
	makeHosts(sessionDir, env, box);
	if (box !== null) writeCopy(box, readClientRecord(sessionDir)?.state ?? null);
}
async function beginClient(ctx, env, starting) {
	await withFileLock(`${clientRecordPath(ctx.sessionDir)}.lock`, async () => await begin(ctx, env, starting));
}
async function begin(ctx, env, starting) {
	const { box } = starting;
	await expectNoClient(ctx);
	await endClient(ctx, env);
	const paths = pathsOf$1(env);
	makeHosts(ctx.sessionDir, env, box);
	await makeAnew(ctx, paths);
	const record = recordOf(paths, box === null ? upperOf(ctx, paths.state) ?? paths.state : paths.state, ctx.projectRoot, starting);
	if (box !== null) writeCopy(box, record.state);
	await replaceFile(clientRecordPath(ctx.sessionDir), JSON.stringify(record));
}
function makeHosts(sessionDir, env, box) {
	const { made, empty, history } = hostsOfClient(homeOf(env), variablesOf(env));
	for (const dir of box === null ? [...made, empty] : [empty]) (0, node_fs.mkdirSync)(fsPath(dir), {
		recursive: true,
		mode: 448
	});
	if (box === null) (0, node_fs.writeFileSync)(fsPath(history), "", {
		flag: "a",
		mode: 384
	});
	writeBoxRecord(sessionDir, box?.record ?? null);
}
function recordOf({ credentials }, state, projectRoot, { box, served }) {
	const { pid, start } = served ?? ownProcess();
	const text = textOf(state);
	return {
		v: 1,
		pid,
		start,
		state: box === null ? text : withoutOthers(text, projectRoot),
		...served === null ? {} : { mounted: keyOf(entryOf(credentials)) },
		...box === null ? {} : { copy: box.copy }
	};
}
function writeCopy({ copy }, state) {
	(0, node_fs.writeFileSync)(copy, state ?? "{}", { mode: 384 });
}
async function expectNoClient(ctx) {
	const record = readClientRecord(ctx.sessionDir);
	if (record !== null && isClientRunning(ctx.sessionDir)) throw clientIsHere(ctx.session, record.pid);
	for (const { pid } of await liveProcesses(ctx.source)) if (isClaudeClient({
		program: processProgram(pid),
		argv: processArguments(pid) ?? []
	})) throw clientIsHere(ctx.session, pid);
}
async function makeAnew(ctx, { state, credentials, cleanup }) {
	const uppers = [
		state,
		credentials,
		cleanup
	].flatMap((path) => upperOf(ctx, path) ?? []);
	if (uppers.length === 0) return;
	try {
		const { withSession } = await Promise.resolve().then(() => require("./cli/with-session.cjs")).then((n) => n.with_session_exports);
		await withSession(ctx, "quiet", async () => {
			for (const path of uppers) (0, node_fs.rmSync)(fsPath(path), { force: true });
		});
	} catch (error) {
		if (!(error instanceof TraiError) || error.code !== "live") throw error;
	}
}
async function endClient(ctx, env) {
	const record = readClientRecord(ctx.sessionDir);
	if (record === null) return [];
	const paths = pathsOf$1(env);
	if (record.copy === void 0) giveToHost(ctx, paths.cleanup);
	giveToHost(ctx, paths.credentials);
	const left = await giveState(ctx, paths.state, record);
	if (record.copy !== void 0) (0, node_fs.rmSync)(record.copy, { force: true });
	(0, node_fs.rmSync)(clientRecordPath(ctx.sessionDir), { force: true });
	return left;
}
var isNear = (project, root) => isWithin(root, fromText(project)) || isWithin(fromText(project), root);
function withoutOthers(text, root) {
	const state = parsed$1(text);
	if (state === null || !isObject(state["projects"])) return state === null ? null : text;
	const common = repositoryOf(root)?.commonDir;
	const roots = common !== void 0 && nameOf(common) === ".git" ? [root, parentOf$1(common)] : [root];
	const own = Object.entries(state["projects"]).filter(([name]) => roots.some((one) => isNear(name, one)));
	return JSON.stringify({
		...state,
		projects: Object.fromEntries(own)
	});
}
async function giveState(ctx, path, record) {
	const from = record.copy === void 0 ? upperOf(ctx, path) : fromText(record.copy);
	const inside = from === null ? null : parsed$1(textOf(from));
	const base = parsed$1(record.state) ?? {};
	if (inside === null || (0, node_util.isDeepStrictEqual)(inside, base)) return [];
	return await withClientLock(path, () => {
		const content = readPlainFile(fsPath(path));
		const host = content === null && entryOf(path) === null ? {} : parsed$1(content?.toString("utf8") ?? null);
		if (host === null) return [];
		const isOwn = (project) => record.copy === void 0 && fromText(project) === ctx.projectRoot;
		const { merged, left } = mergeClientState({
			base,
			inside,
			host
		}, isOwn);
		const after = JSON.stringify(merged, null, 2);
		if (after !== JSON.stringify(host, null, 2)) writeWhole(toText(path), Buffer.from(after, "utf8"));
		return left;
	});
}
async function withClientLock(path, work) {
	const lock = `${toText(path)}.lock`;
	const until = Date.now() + LOCK_WAIT_MS;
	while (!takesLock(lock)) {
		if (Date.now() > until) throw clientStateLocked(lock, LOCK_WAIT_MS / 1e3);
		await (0, node_timers_promises.setTimeout)(100);
	}
	try {
		return work();
	} finally {
		orNull(() => (0, node_fs.rmdirSync)(lock));
	}
}
function takesLock(lock) {
	try {
		(0, node_fs.mkdirSync)(lock);
		return true;
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
		const since = orNull(() => (0, node_fs.statSync)(lock).mtimeMs);
		if (since !== null && Date.now() - since > LOCK_STALE_MS) orNull(() => (0, node_fs.rmdirSync)(lock));
		return false;
	}
}
function giveToHost(ctx, path) {
	const upper = upperOf(ctx, path);
	const content = upper === null ? null : orNull(() => readPlainFile(fsPath(upper)));
	if (content === null) return;
	const temporary = temporaryName(toText(path));
	orNull(() => {
		(0, node_fs.writeFileSync)(temporary, content, {
			flag: "wx",
			mode: 384
		});
		(0, node_fs.linkSync)(temporary, toText(path));
	});
	(0, node_fs.rmSync)(temporary, { force: true });
}
function followCredentials({ stateDir, session }, env, { runs = () => true, mounted = keyOf(entryOf(pathsOf$1(env).credentials)) } = {}) {
	const { credentials } = pathsOf$1(env);
	let known = null;
	let running = null;
	const look = async (now) => {
		const upper = upperOf(now, credentials);
		const [host, inside] = [entryOf(credentials), upper === null ? null : entryOf(upper)];
		const seen = {
			host: keyOf(host),
			inside: keyOf(inside)
		};
		const isInsideNew = inside?.type === "file" && seen.inside !== known?.inside;
		const isHostNew = seen.host !== (known?.host ?? mounted);
		if (isInsideNew && upper !== null && (known !== null && !isHostNew || host === null || inside.mtimeNs > host.mtimeNs)) {
			const copied = copyOut(upper, credentials);
			if (copied !== null) known = {
				...seen,
				host: keyWith(credentials, copied) ?? seen.host
			};
		} else if ((isInsideNew || isHostNew) && host?.type === "file") {
			const copied = await copyIn(now, credentials, seen.inside);
			const made = upperOf(now, credentials);
			if (copied !== null) known = {
				...seen,
				inside: (made === null ? null : keyWith(made, copied)) ?? seen.inside
			};
		} else known = seen;
	};
	const next = () => {
		if (!runs()) clearInterval(timer);
		else running ??= sessionContext(stateDir, session, env).then(look).catch(() => void 0).finally(() => {
			running = null;
		});
	};
	const timer = globalThis.setInterval(next, FOLLOW_MS);
	return { stop: async (now) => {
		clearInterval(timer);
		await running;
		if (now !== null) await look(now).catch(() => void 0);
	} };
}
function keyWith(path, content) {
	const key = keyOf(entryOf(path));
	const found = content === null ? null : orNull(() => readPlainFile(fsPath(path)));
	return content !== null && found?.equals(content) === true && keyOf(entryOf(path)) === key ? key : null;
}
function wholeAt(path) {
	const content = readPlainFile(fsPath(path));
	return content === null || parsed$1(content.toString("utf8")) === null ? null : content;
}
function copyOut(from, to) {
	const content = wholeAt(from);
	if (content === null) return null;
	if (readPlainFile(fsPath(to))?.equals(content) !== true) writeWhole(toText(to), content);
	return content;
}
async function copyIn(ctx, path, seen) {
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null || wholeAt(path) === null) return null;
	const { withLock } = await Promise.resolve().then(() => require("./cli/lock.cjs")).then((n) => n.lock_exports);
	const { openInside } = await Promise.resolve().then(() => require("./cli/inside.cjs")).then((n) => n.inside_exports);
	return await withLock(ctx, async () => {
		const inside = await openInside(ctx.source, covered);
		if (inside === null) return null;
		try {
			const upper = upperOf(ctx, path);
			const content = wholeAt(path);
			if (content === null || keyOf(upper === null ? null : entryOf(upper)) !== seen) return null;
			const below = path.slice(covered.path === "/" ? 1 : covered.path.length + 1);
			const target = `/proc/self/fd/${inside.fd}/${toText(below)}`;
			if (readPlainFile(target)?.equals(content) !== true) writeWhole(target, content);
			return content;
		} finally {
			inside.close();
		}
	});
}
function upperOf(ctx, path) {
	const upper = upperPathIn(ctx.coveredDirs, path);
	return upper !== null && orNull(() => lstatEntry(upper)) !== null ? upper : null;
}
function entryOf(path) {
	return orNull(() => lstatEntry(path));
}
function keyOf(entry) {
	return entry === null ? "" : `${entry.ino}.${entry.size}.${entry.mtimeNs}`;
}
function textOf(path) {
	return orNull(() => readPlainFile(fsPath(path))?.toString("utf8")) ?? null;
}
function parsed$1(text) {
	try {
		const value = JSON.parse(text ?? "");
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}
async function listSessions(stateDir) {
	const ids = namesIn((0, node_path.join)(stateDir, "sessions")).filter(isSessionId).sort();
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
async function newestOfProject(stateDir, projectId) {
	const { sessions } = await listSessions(stateDir);
	return sessions.find((meta) => meta.projectId === projectId) ?? null;
}
async function findSession(stateDir, { cwd }) {
	return newestOfProject(stateDir, projectOf(cwd).id);
}
async function ensureSession(stateDir, id, input) {
	const dir = sessionDir(stateDir, id);
	ensureStateDir(stateDir);
	const created = !(0, node_fs.existsSync)(dir) && await create(dir, id, input);
	return {
		meta: await readMeta(dir),
		created
	};
}
function freshMeta(id, { cwd, levels, now = /* @__PURE__ */ new Date() }, project) {
	return {
		v: 1,
		id,
		claude: [],
		projectRoot: project.root,
		cwd,
		projectId: project.id,
		createdAt: now.toISOString(),
		configFile: null,
		configProblems: [],
		off: null,
		caught: null,
		logVersion: 1,
		...levels === void 0 ? {} : { levels }
	};
}
var NEW = ".new.";
function maker() {
	const { pid, start } = ownProcess();
	return `${pid}-${start}`;
}
function unmadeSessions(stateDir) {
	return namesIn((0, node_path.join)(stateDir, "sessions")).filter((name) => {
		const [, pid, start] = /^\.new\..+\.(\d+)-(\d+)\.\w+$/.exec(name) ?? [];
		return pid !== void 0 && processStat(Number(pid))?.start !== start;
	});
}
async function create(dir, id, input) {
	const { cwd, project = projectOf(cwd), files, fill } = input;
	const meta = freshMeta(id, input, project);
	const sessions = (0, node_path.join)(dir, "..");
	const temporary = (0, node_fs.mkdtempSync)((0, node_path.join)(sessions, `${NEW}${(0, node_path.basename)(dir)}.${maker()}.`));
	let overlay = temporary;
	try {
		const overlays = (0, node_path.join)(sessions, "../overlays");
		(0, node_fs.mkdirSync)(overlays, {
			recursive: true,
			mode: 448
		});
		const name = (0, node_path.basename)(temporary).slice(5);
		(0, node_fs.symlinkSync)(`../../overlays/${name}`, (0, node_path.join)(temporary, "overlay"));
		(0, node_fs.mkdirSync)((0, node_path.join)(overlays, name), { mode: 448 });
		overlay = (0, node_path.join)(overlays, name);
		for (const name of [
			"plan",
			"run",
			"requests",
			"grants",
			"commits"
		]) (0, node_fs.mkdirSync)((0, node_path.join)(temporary, name), { mode: 448 });
		(0, node_fs.writeFileSync)((0, node_path.join)(temporary, LOG_NAME), "", { mode: 384 });
		const all = {
			...files?.(project),
			"meta.json": metaText(meta)
		};
		for (const [name, content] of Object.entries(all)) (0, node_fs.writeFileSync)((0, node_path.join)(temporary, name), content, {
			flag: "wx",
			mode: 384
		});
		await fill?.(temporary, meta);
		await Promise.all([...Object.keys(all).map((name) => (0, node_path.join)(temporary, name)), temporary].map(syncPath));
		(0, node_fs.renameSync)(temporary, dir);
	} catch (error) {
		for (const made of [temporary, overlay]) (0, node_fs.rmSync)(made, {
			recursive: true,
			force: true
		});
		if ((0, node_fs.existsSync)(dir)) return false;
		throw error instanceof TraiError || errorCode(error) === "" ? error : sessionNotMade(dir, error);
	}
	await syncPath(sessions);
	return true;
}
function namesIn(dir) {
	try {
		return (0, node_fs.readdirSync)(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw sessionsUnreadable(dir, error);
	}
}
var DISABLED = {
	DISABLE_AUTOUPDATER: "1",
	CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1"
};
var defaultsIn = (env) => Object.fromEntries(Object.entries(DISABLED).filter(([name]) => env[name] === void 0));
var PLACES = [".local/bin/claude", ".claude/local/claude"];
function findClient(env) {
	const dirs = (env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/"));
	const more = PLACES.map((place) => (0, node_path.join)(homeDir(env), place));
	const found = [...dirs.map((dir) => (0, node_path.join)(dir, "claude")), ...more].find(isProgram);
	if (found === void 0) throw noClient(more);
	return found;
}
function isProgram(path) {
	return orIfRefused(() => {
		(0, node_fs.accessSync)(path, node_fs.constants.X_OK);
		return (0, node_fs.statSync)(path).isFile();
	}, false);
}
function ownOptions(root, words) {
	const given = (name) => words.some((word) => word === name || word.startsWith(`${name}=`));
	return [
		"--plugin-dir",
		root,
		...given("--settings") ? [] : ["--settings", "{\"disableDeepLinkRegistration\":\"disable\"}"]
	];
}
async function sessionForClient(stateDir, id, { cwd, level, files, fill }) {
	const { meta, created } = await ensureSession(stateDir, id, {
		cwd,
		levels: [level],
		files,
		fill
	});
	logTo(sessionDir(stateDir, meta.id), {
		t: "session",
		claude: "",
		source: "client",
		cwd: toText(cwd),
		plugin: VERSION
	});
	return {
		session: meta.id,
		created
	};
}
async function sessionOfClaude(stateDir, claudeId) {
	const path = attachmentPath(stateDir, claudeId);
	let text;
	try {
		text = readText$1(path);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw attachmentUnreadable(path, error);
	}
	const id = text.replace(/\n$/, "");
	if (isSessionId(id)) return id;
	throw attachmentDamaged(path, id);
}
function attachmentPath(stateDir, claudeId) {
	return (0, node_path.join)(stateDir, "claude", sessionIdOfClaude(claudeId));
}
function quoted$1(word) {
	if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
	if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
	return `'${word.replaceAll("'", "'\\''")}'`;
}
var quoted = (text) => JSON.stringify(text);
var instead = (text) => `found ${text === "" ? "none" : quoted(text)}`;
var anyOf = (choices) => `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
var unknownCommand = (name, meant, names) => new TraiError("bad-usage", `expected a command, found ${quoted(name)}`, { hint: `${meant === void 0 ? "" : `Did you mean: trai ${meant}\n`}Commands: ${names.join(" ")}. What each does: trai help` });
var badUsageOf = (command, usage, problem) => new TraiError("bad-usage", problem, { hint: `Usage: trai ${usage}\nMore: trai ${command} --help` });
var USAGE = {
	helpTyped: "nothing was done",
	noCommand: "expected a command after --",
	notStartedBy: "expected the session of a client that bin/trai has started",
	noPath: "expected a path",
	noAdopted: "expected the id of the session to continue",
	noTarget: "expected --patch FILE or --branch NAME",
	twoTargets: "expected --patch or --branch, found both",
	twoSessions: "expected --session or --continue, found both",
	twoScopes: "expected paths, --call or --up-to, found more than one of them",
	emptyWord: "expected a path or the id of a call, found an empty word",
	unexpected: (word) => `unexpected ${quoted(word)}`,
	unexpectedBeside: (option, word) => `unexpected ${quoted(word)} beside ${option}`,
	wordWithoutEnd: (word) => `unexpected ${quoted(word)}: to end a process say --end PID`,
	unknownOption: (option) => `unknown option ${quoted(option)}`,
	noValue: (option) => `expected a value after ${option}`,
	takesNoValue: (option) => `${option} takes no value`,
	noNumber: (option, found) => `expected a number for --${option}, ${instead(found)}`,
	noChoice: (option, choices, found) => `expected ${anyOf(choices)} for --${option}, ${instead(found)}`,
	noPid: (found) => `expected a process number (PID), ${instead(found)}`,
	noDigits: (found) => `expected the six digits that the page shows, ${instead(found)}`,
	noSubcommand: (names, found) => `expected ${anyOf(names)}, ${instead(found)}`,
	noScope: (scopes, found) => `expected ${anyOf(scopes)}, ${instead(found)}`,
	noList: (found) => `expected deny, ask or allow, ${instead(found)}`,
	noTime: (found) => `expected 1h, 7d, today or an ISO time, ${instead(found)}`,
	noSource: (found) => `expected passthru or settings, ${instead(found)}`,
	noSandboxed: (found) => `expected ask or allow, ${instead(found)}`,
	noIndex: (found) => `expected the number of a rule, ${instead(found)}`,
	noHash: (found) => `expected a hash as listed, or its first 8 digits or more, ${instead(found)}`,
	twoLists: "expected one of --allow, --ask and --deny, found more",
	onAndOff: "expected --on or --off, found both",
	noTool: "expected the name of a tool, or a pattern of names",
	noField: (tool) => `expected --field with a pattern for ${quoted(tool)}: it is not a tool whose field is known`,
	noPattern: (pattern, why) => `expected a pattern, found ${quoted(pattern)}: ${why}`,
	noInput: (found) => `expected the tool’s input as JSON, ${instead(found)}`,
	noQuestionNumber: (found) => `expected the number of a question, ${instead(found)}`,
	noAnswer: (found) => `expected once, session, always, no, never or leave, ${instead(found)}`,
	messageWithNo: "--message goes with the answer no",
	patternWithRule: "--pattern goes with the answers session, always and never",
	noSessionId: (found) => `expected the id of a session, ${instead(found)}`,
	manySessions: (start, fits) => `${fits.length} sessions begin with ${start}: ${fits.slice(0, 5).join(", ")}`
};
var shortHash = (hash) => hash.slice(0, 16);
var RULES = {
	off: "Permission rules are turned off by the config (\"rules\": {\"enabled\": false}).",
	none: "No rules.",
	uncounted: "does not count",
	untrusted: (hash) => `Its allow rules and directories do not count until you trust them: trai rules trust${hash === "" ? "" : ` ${shortHash(hash)}`}`,
	allowedDirs: (dirs, trusted) => `allowed directories: ${dirs.join(", ")}${trusted ? "" : " (do not count)"}`,
	byNone: "no rule",
	runs: {
		sandbox: "It would run in the sandbox.",
		host: "It would run on the host.",
		refuse: "trai would refuse to run it; see: trai why-host"
	},
	settings: {
		allow: "Claude Code’s own settings allow it:",
		ask: "Claude Code’s own settings ask about it, which no rule overrides:",
		deny: "Claude Code’s own settings deny it, which no rule overrides:",
		pass: "Claude Code’s own settings do not decide it."
	},
	verified: (files) => files === 0 ? "There are no rule files." : `${countText(files, "rule file")}, nothing found.`,
	added: (rule, file) => `Added to ${file}\n  ${rule}`,
	changed: (rule, file) => `Changed in ${file}\n  ${rule}`,
	moved: (rule, file) => `Moved in ${file}\n  ${rule}`,
	removed: (rule, file) => `Removed from ${file}\n  ${rule}`,
	noSuggestions: "No suggestions: nothing was left to Claude Code often enough.",
	wouldHaveSaved: (calls, sessions, failed) => `Would have saved up to ${calls} prompts in ${countText(sessions, "session")}${failed === 0 ? "" : `; ${failed} of these calls failed`}:`,
	evidence: (exits, { written, committed, discarded, undone }) => {
		const status = exits.map(({ rc, count }) => `${rc} in ${count}`).join(", ");
		const wrote = written === 0 ? "no path is known to be written by them alone" : `${written} paths written; ${committed} of them committed, ${discarded} discarded, ${undone} undone`;
		return `  ${exits.length === 0 ? "" : `exit status ${status}; `}${wrote}`;
	},
	noDecisions: "Nothing was decided in that time.",
	matches: (matched, looked, asked, denied) => `It matches ${matched} of ${looked} calls; you may have been asked about ${asked} of them, and ${denied} were denied.`,
	sandboxed: {
		ask: "Calls whose writes all stay pending are left to Claude Code, which may ask (\"sandboxed\": \"ask\").",
		allow: "Calls whose writes all stay pending run without a prompt (\"sandboxed\": \"allow\")."
	},
	wouldSave: (saved, all) => all === 0 ? "No shell call of that time was left to Claude Code." : `Of ${all} shell calls that were left to Claude Code, "allow" lets ${saved} run without a prompt${saved === all ? "." : ", and not:"}`,
	networkOpen: "The network is open to everything that runs in the sandbox.",
	leftOut: (entry, file, why) => `  left: ${entry} in ${file}: ${why}`,
	importable: (rules, dirs, known) => {
		const parts = [...rules === 0 ? [] : [countText(rules, "rule")], ...dirs === 0 ? [] : [countText(dirs, "allowed directory", "allowed directories")]];
		return `${parts.length === 0 ? "Nothing new to import" : `${parts.join(" and ")} to import`}${known === 0 ? "." : `, ${known} imported before.`}`;
	},
	dismissed: (count) => count === 0 ? "There is nothing to dismiss." : `Dismissed ${count}; SessionStart does not name them any more.`,
	importWith: (from) => `To import them: trai rules import ${from} --yes`,
	turnOn: "To turn it on: trai rules sandboxed allow --yes",
	written: (file) => `Written to ${file}`,
	trusted: (file, hash) => `Trusted ${file} (SHA-256 ${shortHash(hash)}…)`,
	nothingToTrust: "Nothing waits to be trusted."
};
var ANSWER = {
	none: "No open questions.",
	how: "Answer one with: trai answer N once|session|always|no|never|leave",
	elsewhere: "It was settled elsewhere.",
	more: (count) => `${count} more wait${count === 1 ? "s" : ""}: up, down`,
	next: "Any key: the next one. q: quit",
	quit: "q: quit",
	unmeant: "Keys count after a second without one. Ctrl-C: quit",
	message: "What the model is told (Enter: say no with it, Esc: back)",
	keys: "y once · s in this session · a always · n no · m no, with a message · d never · Esc leave it to Claude Code · q quit",
	keysWithoutAllow: "y once · n no · m no, with a message · d never · Esc leave it to Claude Code · q quit",
	confirm: (list, rule, scope) => `Adds to the ${list} rules (${scope}): ${rule}`,
	confirmKeys: "Enter: yes · any other key: back"
};
var noQuestion = (n) => new TraiError("not-found", `there is no open question ${n}`, { hint: "See: trai answer --list" });
var notYetConfirmed = (what, undo) => new TraiError("bad-usage", `this discards ${what}`, { hint: `Confirm with --yes. You can undo it with: ${undo}` });
var typedForOther = (command, session, other, line) => new TraiError("bad-usage", `/trai:${command} is about the session that it is typed in, ${session}`, { hint: `Nothing was done. For session ${other}, type it there, or run in a terminal: trai ${line}` });
var SESSION_STARTS = "A session starts with trai claude, with claude where the plugin is installed, or with: trai exec --session NAME -- COMMAND.";
var noSessionHere = (cwd) => new TraiError("no-session", `no session of this project (${cwd})`, { hint: `${SESSION_STARTS} All sessions: trai sessions` });
var noSessionNamed = (id, cause) => new TraiError("no-session", `there is no session ${id}`, {
	hint: "All sessions: trai sessions",
	cause
});
var nothingPendingAt = (path) => new TraiError("not-found", `nothing is pending at ${toDisplay(path)}`, { hint: "See: trai status" });
var noConflictAt = (path) => new TraiError("not-found", `no conflict at ${toDisplay(path)}`, { hint: "See: trai status" });
var nothingToUndo = (newest) => {
	return new TraiError("not-found", `there is nothing to undo in this session${newest === void 0 || newest.why === "" ? "" : ` (commit ${newest.n}: ${newest.why})`}`, { hint: "See: trai undo --list" });
};
var noSuchProcesses = (pids, session) => new TraiError("not-found", `${pids.join(", ")} ${pids.length === 1 ? "is no process" : "are no processes"} of session ${session}; nothing was ended`, { hint: "See: trai ps" });
function clientStays(own) {
	const pids = own.map(({ pid }) => pid);
	return pids.length === 0 ? "" : `Claude Code itself goes on (${pids.join(", ")}). To end it: trai ps --end ${pids.join(" ")}`;
}
var noHostCalls = (session, pid) => new TraiError("live", `Claude Code itself runs in session ${session} (process ${pid}): no call of it can run on the host`, { hint: "Run the command in a terminal outside." });
var DOES = {
	ps: "end processes",
	answer: "answer questions"
};
function needsPermit(name, { kind, found }) {
	const by = kind === "unknown" ? `asked by ${found}` : "started by Claude";
	return new TraiError("needs-permit", `only the user may ${DOES[name] ?? name}: this was ${by}, and the user has not typed it`, { hint: `Ask the user to type /trai:${name}, or to run \`trai ${name}\` in a terminal of their own.` });
}
var needsTerminal = ({ found }) => new TraiError("needs-permit", `only the user may change permission rules: this was asked by ${found}`, { hint: "Ask the user to run the command in a terminal of their own." });
var needsYes = () => new TraiError("needs-permit", "expected a terminal, to show what the box will see and to ask", { hint: "Nothing was started. Without a terminal say --yes; --dry-run prints what the box would see." });
var onlyUserRemoves = (found) => new TraiError("needs-permit", `only the user may remove what is kept: this was asked by ${found}`, { hint: "Ask the user to run `trai gc --yes` in a terminal of their own." });
var NOT_STARTED = "the server did not start";
var stateNotWritable = (path, cause) => new TraiError("io", `${NOT_STARTED}: this user may not write to the state directory`, {
	path,
	hint: "Make it writable for this user, or set TRAI_STATE_HOME to a directory on a local disk that is. More: trai doctor",
	cause
});
var portTaken = (port, config) => new TraiError("io", `${NOT_STARTED}: another program has port ${port}`, {
	path: config ?? void 0,
	hint: "The config names that port (server.port): name another, or 0 for any. Until then calls take the slower Node path, and nothing is lost."
});
var noSpaceForServer = (state) => new TraiError("no-space", NOT_STARTED, { hint: fullText(state) });
var noRoomToEnter = (state, cause) => new TraiError("not-entered", `the session could not be entered: ${messageOf(cause)}`, {
	cause,
	hint: fullText(state)
});
var notEntered = (cause) => new TraiError("not-entered", messageOf(cause), {
	cause,
	hint: "Nothing was started. See: trai doctor"
});
var serverNotStarted = (why, log) => new TraiError("io", `${NOT_STARTED}${why === "" ? "" : `: ${why}`}`, {
	path: log,
	hint: `Look at the end of ${log}, and at: trai doctor`
});
var bashNotStarted = (cause) => new TraiError("not-entered", `bash could not be started: ${messageOf(cause)}`);
var COMMON = {
	"json": { type: "boolean" },
	"session": { type: "string" },
	"help": {
		type: "boolean",
		short: "h"
	},
	"from-prompt": { type: "boolean" },
	"answer": { type: "boolean" }
};
function readArgs(command, argv) {
	const { words = 0 } = command;
	const own = {};
	for (const [spelling] of command.arguments) {
		const [, short, name, value] = /^(?:-([a-z]), )?--([a-z-]+)( [A-Z])?/.exec(spelling) ?? [];
		if (name === void 0) continue;
		own[name] = {
			type: value === void 0 ? "boolean" : "string",
			...short === void 0 ? {} : { short },
			multiple: /[A-Z]…$/.test(spelling)
		};
	}
	const shape = {
		...COMMON,
		...own
	};
	const at = command.handsOn === true ? ownWords$1(argv, shape) : argv.length;
	const { values, positionals } = parsed(command, argv.slice(0, at), shape);
	const handedOn = argv.slice(argv[at] === "--" ? at + 1 : at);
	for (const [spelling] of command.arguments) {
		const name = /^--(\S+) N$/.exec(spelling)?.[1] ?? "";
		const value = values[name];
		if (value !== void 0 && !/^[1-9]\d{0,6}$/.test(String(value))) throw badUsage(command, USAGE.noNumber(name, String(value)));
	}
	const extra = positionals[words];
	if (extra !== void 0) throw badUsage(command, USAGE.unexpected(extra));
	const given = Object.keys(own).map((name) => [name, values[name]]);
	const session = values["session"];
	return {
		json: values["json"] === true || values["format"] === "json",
		session: typeof session === "string" ? session : null,
		help: values["help"] === true,
		fromPrompt: values["from-prompt"] === true,
		flags: new Set(given.flatMap(([name, value]) => value === true ? [name] : [])),
		options: new Map(given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])),
		lists: new Map(given.flatMap(([name, value]) => Array.isArray(value) ? [[name, value.map(String)]] : [])),
		words: [...positionals, ...handedOn]
	};
}
function ownWords$1(argv, shape) {
	let at = 0;
	for (let word = argv[0]; word !== void 0; word = argv[at]) {
		const short = Object.entries(shape).find(([, one]) => `-${one.short}` === word)?.[0];
		const [name = "", value] = short !== void 0 ? [short] : word.startsWith("--") ? word.slice(2).split("=", 2) : [""];
		const option = Object.hasOwn(shape, name) ? shape[name] : void 0;
		if (option === void 0) break;
		at += option.type === "string" && value === void 0 ? 2 : 1;
	}
	return Math.min(at, argv.length);
}
function parsed(command, argv, options) {
	try {
		return (0, node_util.parseArgs)({
			args: [...argv],
			options,
			allowPositionals: true,
			strict: true
		});
	} catch (error) {
		throw badUsage(command, wordingOf(error));
	}
}
var WORDINGS = [
	[/^Unknown option '(.+?)'(?:\.|$)/s, USAGE.unknownOption],
	[/^Option '(\S+) <value>' argument missing/, USAGE.noValue],
	[/^Option '(\S+)' argument is ambiguous/, USAGE.noValue],
	[/^Option '(?:-\w, )?(\S+)' does not take an argument/, USAGE.takesNoValue]
];
function wordingOf(error) {
	const message = messageOf(error);
	for (const [pattern, say] of WORDINGS) {
		const option = pattern.exec(message)?.[1];
		if (option !== void 0) return say(option);
	}
	return message;
}
function badUsage(command, message) {
	return badUsageOf(command.name, usageOf(command), message);
}
function choiceOf(command, args, option, choices) {
	const given = args.options.get(option) ?? choices[0];
	const choice = choices.find((one) => one === given);
	if (choice !== void 0) return choice;
	throw badUsage(command, USAGE.noChoice(option, choices, given));
}
function pathsOf(cli, { options }, option) {
	return (options.get(option) ?? "").split(",").filter((word) => word !== "").map((word) => pathAt(cli, word));
}
function pathAt({ dir, env }, word) {
	const path = (0, node_path.resolve)(dir, fromText(word));
	const home = (0, node_path.resolve)(fromText(homeDir(env)));
	return isWithin(path, home) ? (0, node_path.resolve)(homeOf(env), (0, node_path.relative)(home, path)) : path;
}
function usageOf({ name, usage, arguments: own }) {
	return `${name} ${usage ?? own.map(([spelling]) => `[${spelling}]`).join(" ")}`.trimEnd();
}
function commandHelp(command) {
	const { summary, arguments: own, session = "the session (default: this project’s newest)", json } = command;
	const lines = [...own];
	if (session !== null) lines.push(["--session ID", session]);
	if (json !== false) lines.push(["--json", "prints JSON"]);
	const width = Math.max(...lines.map(([word]) => word.length));
	const indent = `\n  ${" ".repeat(width)}  `;
	const shown = lines.map(([word, text]) => `  ${word.padEnd(width)}  ${text.replaceAll("\n", indent)}`);
	return [
		`trai ${usageOf(command)}`,
		summary,
		"",
		...shown
	].join("\n");
}
function freeSpace(dir) {
	const { bavail, blocks, bsize } = (0, node_fs.statfsSync)(nearest(dir));
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
var NO_ROOM = 65536;
function isFull(stateDir) {
	return freeSpace(stateDir).free < NO_ROOM;
}
function nearest(dir) {
	let at = dir;
	while (at !== "/" && !(0, node_fs.existsSync)(at)) at = (0, node_path.dirname)(at);
	return at;
}
var { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = node_fs.constants;
function serverFilePath(stateDir) {
	return node_path.default.join(stateDir, "server.json");
}
function readServerFile(stateDir) {
	const file = serverFilePath(stateDir);
	let fd;
	try {
		fd = (0, node_fs.openSync)(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw foreignServerFile(file, error);
	}
	return withHandle(nodePort, fd, () => {
		const stat = (0, node_fs.fstatSync)(fd);
		if (!(stat.isFile() && stat.uid === process.getuid?.()) || (stat.mode & 63) !== 0 || stat.nlink !== 1) throw foreignServerFile(file);
		return parse((0, node_fs.readFileSync)(fd, "utf8"));
	});
}
function mayRun({ pid }) {
	if ((0, node_fs.statSync)(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== process.geteuid?.()) return false;
	const stat = processStat(pid);
	return stat !== null && stat.state !== "Z";
}
function parse(text) {
	try {
		const { v, pid, port, version, hook, proof } = Object(JSON.parse(text));
		const texts = [
			version,
			hook,
			proof
		].every((value) => typeof value === "string");
		return v === 1 && Number.isInteger(port) && port > 0 && port < 65536 && typeof pid === "number" && texts ? {
			v,
			pid,
			port,
			version,
			hook,
			proof
		} : null;
	} catch {
		return null;
	}
}
var hello = async (server) => (await post(server, "hello", "{}")).startsWith(`${server.proof}\n`) ? server : null;
async function findServer(cli, ask = hello) {
	return await asked(cli, ask);
}
async function asked(cli, ask) {
	const server = readServerFile(cli.state);
	if (server === null || !mayRun(server)) return null;
	try {
		return await ask(server);
	} catch (error) {
		if (error instanceof TraiError) throw error;
		return null;
	}
}
async function needServer(cli, ask, stop) {
	const running = await asked(cli, ask);
	if (running !== null) return running;
	stop?.throwIfAborted();
	ensureStateDir(cli.state);
	canWrite(cli.state);
	const log = (0, node_path.join)(cli.state, "server.log");
	const before = sizeOf(log);
	const pid = await startServer(cli);
	const until = Date.now() + START_MS;
	for (;;) {
		const ended = pid !== null && !mayRun({ pid });
		const started = await asked(cli, ask);
		if (started !== null) return started;
		stop?.throwIfAborted();
		const said = sizeOf(log) > before ? (0, node_fs.readFileSync)(log).subarray(before).toString("utf8") : "";
		const last = /^\S+Z ended: (.*)/m.exec(said)?.[1];
		if (last !== void 0 || ended || Date.now() > until) throw notStarted(cli, log, last ?? reason(said));
		await (0, node_timers_promises.setTimeout)(START_STEP_MS);
	}
}
var START_MS = 1e4;
var START_STEP_MS = 10;
async function startServer(cli) {
	const child = (0, node_child_process.spawn)(programPath("bash"), [`${cli.root}/hooks/start-server.sh`], {
		stdio: [
			"ignore",
			"pipe",
			"ignore"
		],
		env: {
			...process.env,
			TRAI_STATE_HOME: cli.state
		}
	});
	let said = "";
	child.stdout.setEncoding("latin1").on("data", (text) => {
		said += text;
	});
	await (0, node_events.once)(child, "close");
	return /^\d+\n$/.test(said) ? Number(said) : null;
}
var sizeOf = (file) => (0, node_fs.statSync)(file, { throwIfNoEntry: false })?.size ?? 0;
function reason(said) {
	return /^\w*Error\b.*$/m.exec(said)?.[0] ?? said.trim().split("\n")[0] ?? "";
}
function canWrite(state) {
	try {
		(0, node_fs.accessSync)(state, node_fs.constants.W_OK);
	} catch (cause) {
		throw stateNotWritable(state, cause);
	}
}
function notStarted(cli, log, said) {
	const port = /EADDRINUSE.*:(\d+)/.exec(said)?.[1];
	if (port !== void 0) return portTaken(port, loadConfig(cli.env).file);
	if (isFull(cli.state)) return noSpaceForServer(cli.state);
	return serverNotStarted(said.replace(/^(\S+Z )?(Error: )?/, ""), log);
}
var ANSWER_MS = 5e3;
async function post(server, endpoint, body, stop) {
	const socket = (0, node_net.connect)(server.port, "127.0.0.1");
	const chunks = [];
	socket.on("data", (chunk) => chunks.push(chunk));
	const late = globalThis.setTimeout(() => socket.destroy(/* @__PURE__ */ new Error("no answer")), ANSWER_MS);
	try {
		const head = [
			`POST /hook/${endpoint} HTTP/1.1`,
			`Host: 127.0.0.1:${server.port}`,
			`Authorization: Bearer ${server.hook}`,
			"Content-Type: application/json",
			`Content-Length: ${Buffer.byteLength(body)}`,
			"Connection: close"
		];
		socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
		await (0, node_events.once)(socket, "end", stop === void 0 ? {} : { signal: stop });
	} finally {
		clearTimeout(late);
		socket.destroy();
	}
	return bodyOf(Buffer.concat(chunks));
}
function bodyOf(answer) {
	const end = answer.indexOf("\r\n\r\n");
	const head = answer.toString("latin1", 0, Math.max(end, 0));
	const status = /^HTTP\/1\.1 (\d)\d\d /.exec(head)?.[1];
	if (status === "1") return bodyOf(answer.subarray(end + 4));
	const length = /^content-length: *(\d+) *$/im.exec(head)?.[1];
	const body = answer.subarray(end + 4);
	if (status === void 0 || Number(length) !== body.length) throw new Error("expected a whole answer");
	return body.toString("utf8");
}
async function postJson(server, endpoint, body, stop) {
	const said = JSON.parse(await post(server, endpoint, JSON.stringify(body), stop));
	if (!isObject(said)) return null;
	const { error, proof } = said;
	if (!isObject(error)) return proof === server.proof ? said : null;
	const code = String(error["code"]);
	const known = Object.hasOwn(ERROR_TABLE, code) ? code : "internal";
	const hint = "hint" in error ? String(error["hint"]) : void 0;
	throw new TraiError(known, String(error["message"] ?? ""), { hint });
}
var entryWord = (path) => path.replace(/[^ -[\]-~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
var HASH_MAX_BYTES = 67108864;
var CHUNK = 262144;
var READ_FLAGS = node_fs.constants.O_RDONLY | node_fs.constants.O_NOFOLLOW | node_fs.constants.O_NONBLOCK;
function openToRead(path) {
	return (0, node_fs.openSync)(fsPath(path), READ_FLAGS);
}
function statOpen(fd) {
	return toStat((0, node_fs.fstatSync)(fd, { bigint: true }));
}
var remembered = /* @__PURE__ */ new Map();
var REMEMBERED_MAX = 1e3;
function* sameContent(pathA, a, pathB, b) {
	if (a.size !== b.size) return false;
	if (a.size === 0) return true;
	if (a.size <= CHUNK) return yield* compare(pathA, a, pathB, b);
	const key = `${a.dev}:${identityOf$1(a)}|${b.dev}:${identityOf$1(b)}`;
	const known = remembered.get(key);
	if (known !== void 0) return known;
	const isSettled = isPast(a.ctimeNs) && isPast(b.ctimeNs);
	const same = yield* compare(pathA, a, pathB, b);
	if (!isSettled) return same;
	if (remembered.size >= REMEMBERED_MAX) remembered.clear();
	remembered.set(key, same);
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
		for (const fd of open) (0, node_fs.closeSync)(fd);
	}
}
function* sameBytes(fdA, fdB, size) {
	const bytes = Math.min(CHUNK, size);
	const [bufferA, bufferB] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)];
	for (let at = 0; at < size;) {
		const a = (0, node_fs.readSync)(fdA, bufferA, 0, bytes, at);
		const b = (0, node_fs.readSync)(fdB, bufferB, 0, bytes, at);
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
		if (entry.type !== "file" || identityOf$1(entry) !== identity) return null;
		const result = read(fd, entry);
		return result !== null && identityOf$1(statOpen(fd)) === identity ? result : null;
	} catch {
		return null;
	} finally {
		if (fd !== null) (0, node_fs.closeSync)(fd);
	}
}
function readBytes(fd, size) {
	const bytes = Buffer.alloc(size);
	let at = 0;
	for (let got = 1; at < size && got > 0; at += got) got = (0, node_fs.readSync)(fd, bytes, at, size - at, at);
	return at === size ? bytes : null;
}
function readSame(path, identity, maxBytes) {
	return withSame(path, identity, (fd, { size }) => size > maxBytes ? null : readBytes(fd, size));
}
function hashSame(path, identity) {
	return withSame(path, identity, (fd, { size }) => size > 67108864 ? null : hashOf(fd, size));
}
function hashOf(fd, size) {
	const hash = (0, node_crypto.createHash)("sha256");
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
	let rest = size;
	for (let got = 1; rest > 0 && got > 0; rest -= got) {
		got = (0, node_fs.readSync)(fd, buffer, 0, Math.min(buffer.length, rest), null);
		hash.update(buffer.subarray(0, got));
	}
	return rest === 0 ? hash.digest("hex") : null;
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
		await (0, node_timers_promises.setImmediate)();
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
async function collect(steps) {
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
function launcherDir(stateDir) {
	return (0, node_path.join)(stateDir, "bin", VERSION);
}
var launchWords = (stateDir, origin, session, text) => [
	programPath("bash"),
	"-p",
	(0, node_path.join)(launcherDir(stateDir), "launch"),
	"-o",
	origin,
	session,
	text
];
var SETPRIV = programPath("setpriv");
var ENDS_WITH_PARENT = (0, node_fs.existsSync)(SETPRIV) ? [
	SETPRIV,
	"--pdeathsig",
	"KILL",
	"--"
] : [];
function installLauncher(stateDir, root) {
	const bin = launcherDir(stateDir);
	const lib = (0, node_fs.existsSync)((0, node_path.join)(root, "lib/fallback.mjs")) ? (0, node_path.join)(root, "lib") : (0, node_path.join)(root, "dist/plugin/lib");
	(0, node_fs.mkdirSync)((0, node_path.join)(bin, "lib"), {
		recursive: true,
		mode: 448
	});
	const source = (0, node_path.join)(root, "hooks/launcher");
	const names = (0, node_fs.readdirSync)(source).sort((a, b) => Number(a === "launch") - Number(b === "launch"));
	copyNewer((0, node_path.join)(lib, "fallback.mjs"), (0, node_path.join)(bin, "lib/fallback.mjs"));
	for (const name of names) copyNewer((0, node_path.join)(source, name), (0, node_path.join)(bin, name));
	const node = (0, node_path.join)(stateDir, "node");
	if (namesProgram(node)) return;
	(0, node_fs.rmSync)(node, {
		recursive: true,
		force: true
	});
	(0, node_fs.writeFileSync)(node, `${process.execPath}\n`, { mode: 384 });
}
function namesProgram(file) {
	const program = readPlainFile(file)?.toString("utf8").trim() ?? "";
	return program.startsWith("/") && (0, node_fs.existsSync)(program);
}
function copyNewer(source, target) {
	if (hasSameBytes(source, target)) return;
	const temporary = `${target}.${process.pid}`;
	(0, node_fs.copyFileSync)(source, temporary);
	(0, node_fs.chmodSync)(temporary, 448);
	(0, node_fs.renameSync)(temporary, target);
}
function hasSameBytes(source, target) {
	const [from, to] = [realPath(fromText(source)), fromText(target)];
	const [a, b] = [lstatEntry(from), lstatEntry(to)];
	return a !== null && b?.type === "file" && resultAtOnce(sameContent(from, a, to, b));
}
var OF_BASH = /^(POSIXLY_CORRECT|SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_ENV|TRAI_ROOT|BASH_FUNC_(?!which|module|ml|scl|_).*)$/;
var OF_VARIABLE = /^([A-Za-z_]\w*|BASH_FUNC_.*%%)$/s;
function givesVariables(env, isBox) {
	const names = Object.keys(env);
	return !names.some((name) => OF_BASH.test(name)) && (!isBox || names.every((name) => OF_VARIABLE.test(name)));
}
var AFTER_WORD = "";
function startText({ stateDir, session, variables, box, text, ...start }) {
	const pairs = Object.entries(variables).map((pair) => pair.join("="));
	const own = [
		...pairs,
		box === null ? "" : argsOf$1(box.status),
		...box === null ? [] : ENDS_WITH_PARENT,
		...launchWords(stateDir, "client", session, text),
		...box?.entry ?? []
	];
	const head = [
		"started",
		session,
		start.keepsServer ? "keep" : "-",
		start.keepsRunning ? "keep-running" : "-",
		box === null ? "more" : "only",
		pairs.length,
		box?.signals.map((name) => name.slice(3)).join(",") || "-"
	];
	const words = [...own.map(fromText), ...start.command];
	return `${head.join(" ")}\n${words.map((word) => entryWord(word) + AFTER_WORD).join("")}`;
}
var isAutostart = ({ env }) => loadConfig(env).config.server.autostart;
async function waiterOf(cli, isBox) {
	const pid = process.ppid;
	const [environment, stat] = [processEnvironment(pid), processStat(pid)];
	if (cli.startFd === null || environment === null || stat === null) return null;
	if (!givesVariables(Object.fromEntries(environment), isBox)) return null;
	if (!isWaiter(stat)) return null;
	return (await (isAutostart(cli) ? needServer(cli, willServe) : findServer(cli, willServe)).catch(() => null))?.version === VERSION ? {
		fd: cli.startFd,
		by: {
			pid,
			start: stat.start
		}
	} : null;
}
var made = async (server, session) => await postJson(server, "client-made", { session });
var willServe = async (server) => await made(server, null) === null ? null : server;
async function handOver(cli, { fd }, { argv, ...run }) {
	await needServer(cli, async (server) => await made(server, run.session));
	const command = argv.map(fromText);
	const text = startText({
		...run,
		command,
		stateDir: cli.state,
		keepsServer: isAutostart(cli)
	});
	const bytes = Buffer.from(text, "latin1");
	for (let at = 0; at < bytes.length;) at += (0, node_fs.writeSync)(fd, bytes, at);
}
function noRoomText(stateDir, status) {
	return status === 125 && isFull(stateDir) ? fullText(stateDir) : null;
}
async function tidyAlone(stateDir, session, env) {
	try {
		const { tidy } = await Promise.resolve().then(() => require("./cli/tidy.cjs")).then((n) => n.tidy_exports);
		await tidy(await sessionContext(stateDir, session, env), null);
	} catch {}
}
var FORWARDED = [
	"SIGTERM",
	"SIGHUP",
	"SIGQUIT"
];
async function runLauncher(cli, wanted) {
	const { session, origin, text, argv, box } = wanted;
	const { TRAI_ROOT: _, ...env } = wanted.env ?? cli.env;
	const own = [...launchWords(cli.state, origin, session, text), ...argv];
	const [program = "", ...words] = box === void 0 ? own : [...ENDS_WITH_PARENT, ...own];
	const stdio = [
		"inherit",
		"inherit",
		"inherit",
		...box === void 0 ? [] : [box.fd]
	];
	const child = (0, node_child_process.spawn)(program, words, {
		stdio,
		env
	});
	const forward = (signal) => {
		for (const pid of descendants(child.pid)) if (!(processProgram(pid) ?? "").endsWith("/bwrap")) orNull(() => process.kill(pid, signal));
	};
	const forwarded = [...FORWARDED, ...box?.signals ?? []];
	for (const signal of forwarded) process.on(signal, forward);
	process.on("SIGINT", () => void 0);
	try {
		const [code, signal] = await Promise.race([(0, node_events.once)(child, "close"), (0, node_events.once)(child, "error").then(([error]) => Promise.reject(error))]);
		return typeof code === "number" ? code : 128 + (node_os.constants.signals[signal] ?? 0);
	} catch (error) {
		throw bashNotStarted(error);
	} finally {
		for (const signal of forwarded) process.off(signal, forward);
	}
}
function descendants(pid) {
	if (pid === void 0) return [];
	return (orNull(() => (0, node_fs.readFileSync)(`/proc/${pid}/task/${pid}/children`, "latin1")) ?? "").split(" ").filter((word) => word.trim() !== "").map(Number).flatMap((child) => [child, ...descendants(child)]);
}
var exec = {
	name: "exec",
	usage: "[--session ID] -- COMMAND [ARGUMENT…]",
	summary: "run a command in a session’s sandbox (a new ID creates a session)",
	arguments: [["-- COMMAND", "the command and its arguments; no shell interprets them"]],
	words: Number.POSITIVE_INFINITY,
	session: "the session; a new ID creates one (default: this project’s newest)",
	json: false,
	async run(cli, { words }) {
		if (words.length === 0) throw badUsage(exec, USAGE.noCommand);
		const { session } = await enterable(cli, cli.session);
		const status = await runLauncher(cli, {
			session,
			origin: "exec",
			text: words.map(quoted$1).join(" "),
			argv: words
		});
		remarkOnRoom(cli, status);
		await tidyUnlessServed(cli, session);
		return status;
	}
};
var explore = {
	name: "explore",
	usage: "[--session ID]",
	summary: "open an interactive shell in the session’s view of your files",
	arguments: [],
	json: false,
	async run(cli, { fromPrompt }) {
		const { session } = await sessionFor(cli, cli.session);
		if (fromPrompt || callerOf(process.pid, cli.state).kind !== "user" || process.stdin.isTTY !== true) {
			const line = `${quoted$1((0, node_path.join)(cli.root, "bin/trai"))} explore --session ${session}`;
			cli.print(`Run this in a terminal of your own:\n  ${line}`, { command: line });
			return 0;
		}
		installLauncher(cli.state, cli.root);
		cli.remark(`A shell in session ${session}: what it writes stays pending. Leave with exit.`);
		const shell = cli.env["SHELL"] ?? programPath("bash");
		const argv = [shell, "-i"];
		const status = await runLauncher(cli, {
			session,
			origin: "explore",
			text: `explore (${shell})`,
			argv
		});
		await tidyUnlessServed(cli, session);
		return status;
	}
};
async function enterable(cli, named, client = null) {
	return await orNotEntered(() => withRoom(cli, async () => {
		const found = await sessionFor(cli, named, client);
		installLauncher(cli.state, cli.root);
		return found;
	}));
}
var OTHER_STATUS = /* @__PURE__ */ new Set([
	"bad-usage",
	"bad-input",
	"no-program",
	"needs-permit"
]);
async function orNotEntered(work) {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof TraiError) || OTHER_STATUS.has(error.code) || error.code === "not-entered") throw error;
		throw new TraiError("not-entered", error.message, {
			cause: error,
			hint: error.hint,
			path: error.path
		});
	}
}
var OTHER_CAUSES = /* @__PURE__ */ new Set([
	"bad-input",
	"live",
	"busy"
]);
async function withRoom(cli, work) {
	try {
		return await work();
	} catch (error) {
		const isSaid = error instanceof TraiError;
		if (!(isSaid && OTHER_CAUSES.has(error.code)) && isFull(cli.state)) throw noRoomToEnter(cli.state, error);
		throw isSaid ? error : notEntered(error);
	}
}
async function sessionFor(cli, named, client = null) {
	const cwd = cli.dir;
	if (named === null) {
		const meta = await findSession(cli.state, { cwd });
		if (meta !== null) return {
			session: meta.id,
			created: false
		};
		throw noSessionHere(cli.cwd);
	}
	if (client !== null) return await sessionForClient(cli.state, named, {
		cwd,
		...client
	});
	const { meta, created } = await ensureSession(cli.state, named, { cwd });
	const dir = sessionDir(cli.state, meta.id);
	if (created || !(0, node_fs.existsSync)(logPath(dir))) logTo(dir, {
		t: "session",
		claude: "",
		source: "exec",
		cwd: cli.cwd,
		plugin: VERSION
	});
	return {
		session: meta.id,
		created
	};
}
function remarkOnRoom(cli, status) {
	const text = noRoomText(cli.state, status);
	if (text !== null) cli.remark(text);
}
async function tidyUnlessServed(cli, session) {
	if (await findServer(cli).catch(() => null) === null) await tidyAlone(cli.state, session, cli.env);
}
var claude = {
	name: "claude",
	usage: "[--session ID | --continue] [--keep-running] [--] [ARGUMENT…]",
	summary: "run Claude Code itself in a session, so that all that it writes is pending",
	arguments: [
		["--continue", "goes on with this project’s newest session, and with its conversation"],
		["--keep-running", "leaves what still runs when Claude Code ends"],
		["ARGUMENT…", "of claude: all words from the first that is none of these options"]
	],
	words: Number.POSITIVE_INFINITY,
	handsOn: true,
	session: "goes on with this session; a new ID creates one (default: a new session)",
	json: false,
	async run(cli, args) {
		expectOutside("claude", cli);
		return await orNotEntered(async () => {
			const session = await sessionOf(claude, cli, args);
			const program = findClient(cli.env);
			return await runClient(cli, {
				session,
				text: ["claude", ...args.words].map(quoted$1).join(" "),
				argv: [program, ...ownWords(cli, args)],
				variables: defaultsIn(cli.env),
				keepsRunning: args.flags.has("keep-running"),
				box: null,
				waiter: await waiterOf(cli, false)
			});
		});
	}
};
var TEXT_MOST = 3e4;
async function runClient(cli, wanted) {
	const { session: named, box, waiter } = wanted;
	const level = box === null ? "claude" : "box";
	const starting = {
		box: box?.start ?? null,
		served: waiter?.by ?? null
	};
	const asked = waiter === null && isAutostart(cli) ? findServer(cli).catch(() => null) : null;
	const { session, created } = await enterable(cli, named, {
		level,
		files: ({ root }) => ({ [CLIENT_RECORD]: JSON.stringify(firstRecord(cli.env, root, starting)) })
	});
	const dir = sessionDir(cli.state, session);
	await withRoom(cli, async () => {
		if (created) return beginFirst(dir, cli.env, starting.box);
		await beginClient(await sessionContext(cli.state, session, cli.env), cli.env, starting);
		await noteLevel(dir, level);
	});
	const run = {
		...wanted,
		session,
		text: wanted.text.slice(0, TEXT_MOST)
	};
	if (waiter !== null) {
		await withRoom(cli, async () => {
			if (box !== null) saveArgs(box);
			await handOver(cli, waiter, run);
		});
		return 0;
	}
	if (asked !== null && await asked === null) await needServer(cli, hello).catch((error) => cli.remark(`trai: ${messageOf(error)}`));
	const { runBeside } = await Promise.resolve().then(() => require("./cli/client-beside.cjs"));
	return await runBeside(cli, run);
}
async function noteLevel(dir, level) {
	if ((await readMeta(dir)).levels?.at(-1) === level) return;
	await updateMeta(dir, (meta) => {
		const before = meta.levels ?? [];
		return before.at(-1) === level ? null : {
			...meta,
			levels: [...before.filter((one) => one !== level), level]
		};
	});
}
function expectOutside(command, { env }) {
	if (env["SANDBOX_RUNTIME"] === "1") throw alreadyInside(command, INSIDE.client);
}
async function sessionOf(command, cli, { words, flags }) {
	if (cli.session !== null && flags.has("continue")) throw badUsage(command, USAGE.twoSessions);
	if (cli.session !== null) return cli.session;
	const resumed = resumedBy(words);
	const known = resumed === null ? null : await sessionOfClaude(cli.state, resumed);
	if (known !== null) return known;
	if (!flags.has("continue") && !words.some((word) => word === "--continue" || word === "-c")) return (0, node_crypto.randomUUID)();
	const newest = await findSession(cli.state, { cwd: cli.dir });
	if (newest === null) throw noSessionHere(cli.cwd);
	return newest.id;
}
function resumedBy(words) {
	for (const [at, word] of words.entries()) {
		if (word.startsWith("--resume=")) return word.slice(9);
		const next = words[at + 1];
		if ((word === "--resume" || word === "-r") && next !== void 0 && !next.startsWith("-")) return next;
	}
	return null;
}
function ownWords({ root }, { flags, words }) {
	return [
		...ownOptions(root, words),
		...flags.has("continue") ? ["--continue"] : [],
		...words
	];
}
var PROGRAMS = /* @__PURE__ */ new Map([
	["claude", () => claude],
	["box", async () => (await Promise.resolve().then(() => require("./cli/box.cjs")).then((n) => n.box_exports)).box],
	["client-ended", async () => (await Promise.resolve().then(() => require("./cli/client-beside.cjs"))).clientEnded],
	["exec", () => exec],
	["explore", () => explore],
	["rules", async () => (await Promise.resolve().then(() => require("./cli/rules.cjs"))).rules]
]);
async function programNamed(name) {
	return await PROGRAMS.get(name)?.() ?? null;
}
var TERMINAL = {
	out: (text) => void process.stdout.write(text),
	err: (text) => void process.stderr.write(text)
};
var PromptAnswer = class {
	#text = "";
	out(text) {
		this.#text += text;
	}
	err(text) {
		this.#text += text;
	}
	line() {
		return `${JSON.stringify({
			decision: "block",
			reason: answerText(this.#text)
		})}\n`;
	}
};
function ignoreClosedOutput() {
	for (const stream of [process.stdout, process.stderr]) stream.on("error", (error) => {
		if (error.code === "EPIPE" || error.code === "EIO") return;
		process.once("exit", () => {
			process.exitCode = 1;
		});
		if (stream === process.stdout) process.stderr.write(`trai: the output could not be written: ${error.message}\n`);
	});
}
async function stoppable(cli, work) {
	const stop = new AbortController();
	const onSignal = () => {
		if (stop.signal.aborted) process.exit(130);
		stop.abort();
		cli.remark("Stopping between two entries. Ctrl-C once more leaves at once; the next run then finishes it.");
	};
	process.on("SIGINT", onSignal);
	try {
		return await work(stop.signal);
	} finally {
		process.off("SIGINT", onSignal);
	}
}
var SLASH = /`?\btrai (status|diff|log|ps|why|commit|discard|undo|adopt|export|ui|sessions|explore|passthrough|doctor|rules|answer)(?![\w-])([^`\n]*)`?/g;
function typedHint(name, hint) {
	if (hint === void 0 || hint.includes("terminal")) return hint;
	const slashed = hint.replace(SLASH, "/trai:$1$2");
	return slashed === hint && /(?:^|\s|\()--[a-z]/.test(hint) ? `${hint}\nType it after /trai:${name} and what you typed before.` : slashed;
}
function makeCli(options, sink) {
	const env = process.env;
	const state = stateDir(env);
	if (isInsideSandbox(state)) throw stateHidden();
	const coloured = process.stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
	return {
		env,
		cwd: process.cwd(),
		dir: realPath("."),
		state,
		root: env["TRAI_ROOT"] ?? "",
		startFd: options.startFd,
		json: options.json,
		style: coloured ? COLOURED : PLAIN,
		session: options.session,
		own: (name) => `${options.fromPrompt ? "/trai:" : "trai "}${name}`,
		print(text, value) {
			if (options.json) sink.out(`${visibleJson(JSON.stringify(value))}\n`);
			else if (text !== "") sink.out(`${visible(text, coloured)}\n`);
		},
		remark(text) {
			if (!options.json) sink.err(`${visible(text, coloured)}\n`);
		}
	};
}
async function main(argv, sink) {
	const [first = "help", ...others] = argv;
	const isHelp = first === "help" || first === "--help" || first === "-h";
	const [name = "", ...rest] = isHelp ? [...others.slice(0, 1), "--help"] : argv;
	if (isHelp && others.length === 0) {
		const { helpText } = await Promise.resolve().then(() => require("./cli/all.cjs"));
		sink.out(`${helpText()}\n`);
		return 0;
	}
	if (name === "--version" || name === "version") {
		sink.out(`${VERSION}\n`);
		return 0;
	}
	const command = await commandNamed(name);
	const args = readArgs(command, rest);
	if (args.help) {
		sink.out(`${commandHelp(command)}\n`);
		return 0;
	}
	return await command.run(cliFor(command, args, sink), args);
}
async function commandNamed(name) {
	const program = await programNamed(name);
	if (program !== null) return program;
	const { COMMANDS } = await Promise.resolve().then(() => require("./cli/all.cjs"));
	const found = COMMANDS.find((one) => one.name === name);
	if (found !== void 0) return found;
	const names = COMMANDS.map((one) => one.name);
	throw unknownCommand(name, closest(name, names), names);
}
function cliFor({ name }, args, sink) {
	try {
		return makeCli({
			...args,
			startFd
		}, sink);
	} catch (error) {
		if ((name === "box" || name === "claude") && error instanceof TraiError && error.code === "inside-sandbox") throw alreadyInside(name, INSIDE.session);
		throw error;
	}
}
function report(thrown, { json, typed }, sink) {
	const body = toErrorBody(thrown);
	const { code, message, path, paths } = body.error;
	const hint = typed === null ? body.error.hint : typedHint(typed, body.error.hint);
	if (json) sink.out(`${visibleJson(JSON.stringify(body))}\n`);
	else {
		const isSaid = path === void 0 || [
			message,
			hint,
			...paths ?? []
		].some((text) => text?.includes(path));
		const named = (paths ?? []).filter((one) => !message.includes(one));
		const shown = [...isSaid ? [] : [`  ${path}`], ...firstLines(named, 20, (one) => `  ${one}`)];
		const lines = [
			`trai: ${message}`,
			...shown,
			...hint === void 0 ? [] : [hint]
		];
		sink.err(`${visible(lines.join("\n"), false)}\n`);
	}
	return ERROR_TABLE[code].exit;
}
var terminals = [
	0,
	1,
	2
].filter(node_tty.isatty);
ignoreClosedOutput();
var waits = process.argv[2] === "--start-fd";
var startFd = waits ? Number(process.argv[3]) : null;
var argv = process.argv.slice(waits ? 4 : 2);
var ours = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
var answer = ours.includes("--answer") ? new PromptAnswer() : null;
var typed = ours.includes("--from-prompt") ? ours[0] ?? "" : null;
var sink = answer ?? TERMINAL;
main(argv, sink).catch((thrown) => report(thrown, {
	json: ours.includes("--json"),
	typed
}, sink)).then((status) => {
	if (answer !== null) process.stdout.write(answer.line());
	process.exitCode = status;
	for (const fd of terminals) if (!(0, node_tty.isatty)(fd)) (0, node_fs.closeSync)(fd);
});
exports.ALLOWS = ALLOWS;
exports.ANSWER = ANSWER;
exports.ANSWER_SCOPES = ANSWER_SCOPES;
exports.AUTO_DIFF_BYTES = AUTO_DIFF_BYTES;
exports.BASE_BLOB_BYTES = BASE_BLOB_BYTES;
exports.BOX_HISTORIES = BOX_HISTORIES;
exports.BOX_NETS = BOX_NETS;
exports.BOX_WRITES = BOX_WRITES;
exports.BUILT_IN = BUILT_IN;
exports.BWRAP = BWRAP;
exports.CANNOT_COVER = CANNOT_COVER;
exports.COPY_GONE = COPY_GONE;
exports.Cancelled = Cancelled;
exports.DEFAULT_BOX_OPTIONS = DEFAULT_BOX_OPTIONS;
exports.DIFF_TIMEOUT_MS = DIFF_TIMEOUT_MS;
exports.DISABLED = DISABLED;
exports.Dirs = Dirs;
exports.EFFECT_KEYS = EFFECT_KEYS;
exports.EXPORT_MS = EXPORT_MS;
exports.FOREIGN_CLOCK_MS = FOREIGN_CLOCK_MS;
exports.GONE = GONE;
exports.GRANT_MS = GRANT_MS;
exports.HASH_MAX_BYTES = HASH_MAX_BYTES;
exports.HEX_BYTES = HEX_BYTES;
exports.HIDDEN_FILE_BYTES = HIDDEN_FILE_BYTES;
exports.HIDDEN_MS = HIDDEN_MS;
exports.HOST_CHANGED = HOST_CHANGED;
exports.KEPT = KEPT;
exports.KERNEL_TYPES = KERNEL_TYPES;
exports.LOWER_TYPES = LOWER_TYPES;
exports.LogParser = LogParser;
exports.MASS_GUARD_ENTRIES = MASS_GUARD_ENTRIES;
exports.MAX_CONFIG_BYTES = MAX_CONFIG_BYTES;
exports.MAX_DIFF_BYTES = MAX_DIFF_BYTES;
exports.MAX_DIFF_LINES = MAX_DIFF_LINES;
exports.MODES = MODES$1;
exports.MovedOn = MovedOn;
exports.NARROWS = NARROWS;
exports.NO_XATTRS = NO_XATTRS;
exports.NotApplied = NotApplied;
exports.OF_THE_PLACE = OF_THE_PLACE;
exports.OUT_OF_REACH = OUT_OF_REACH;
exports.PROGRAM_DIR = PROGRAM_DIR;
exports.Pace = Pace;
exports.READ_FLAGS = READ_FLAGS;
exports.REASONS = REASONS;
exports.REPAIR_SESSION = REPAIR_SESSION;
exports.REPLAY_BYTES = REPLAY_BYTES;
exports.REPLAY_KEPT_MS = REPLAY_KEPT_MS;
exports.REPLAY_NAME = REPLAY_NAME;
exports.ROOT_OPTIONS = ROOT_OPTIONS;
exports.RULES = RULES;
exports.RULE_KEYS = RULE_KEYS;
exports.RULE_LISTS = RULE_LISTS;
exports.SEEN_NAME = SEEN_NAME;
exports.SESSION_STARTS = SESSION_STARTS;
exports.STAYS = STAYS;
exports.TraiError = TraiError;
exports.UNDO_LIMITS = UNDO_LIMITS;
exports.UNTIL_CLIENT_ENDS = UNTIL_CLIENT_ENDS;
exports.UNTIL_QUIET = UNTIL_QUIET;
exports.UNTIL_QUIET_TO_ADOPT = UNTIL_QUIET_TO_ADOPT;
exports.UNTIL_QUIET_TO_DISCARD = UNTIL_QUIET_TO_DISCARD;
exports.UNTIL_QUIET_TO_UNDO = UNTIL_QUIET_TO_UNDO;
exports.USAGE = USAGE;
exports.WIDE = WIDE;
exports.WriterIndex = WriterIndex;
exports.__exportAll = __exportAll;
exports.__toESM = __toESM;
exports.absolute = absolute;
exports.aclsOf = aclsOf;
exports.addsRule = addsRule;
exports.adopterHasChanges = adopterHasChanges;
exports.adoptsItself = adoptsItself;
exports.allowedMissing = allowedMissing;
exports.allowsAll = allowsAll;
exports.answerNamed = answerNamed;
exports.areCopies = areCopies;
exports.areExactCopies = areExactCopies;
exports.argsOf = argsOf$1;
exports.askXattrNames = askXattrNames;
exports.askXattrs = askXattrs;
exports.at = at;
exports.badUsage = badUsage;
exports.besideLines = besideLines;
exports.birthOf = birthOf;
exports.brokenProfile = brokenProfile;
exports.byBytes = byBytes;
exports.byParent = byParent;
exports.bytePath = bytePath;
exports.callerOf = callerOf;
exports.checkOwnDir = checkOwnDir;
exports.chmodEntry = chmodEntry;
exports.choiceOf = choiceOf;
exports.claude = claude;
exports.clearMarks = clearMarks;
exports.clientDirs = clientDirs;
exports.clientIsOpen = clientIsOpen;
exports.clientStays = clientStays;
exports.clockText = clockText;
exports.closedIdentity = closedIdentity;
exports.collect = collect;
exports.committedText = committedText;
exports.configDir = configDir;
exports.configFiles = configFiles;
exports.configNotUsable = configNotUsable;
exports.countText = countText;
exports.coveringDir = coveringDir;
exports.damagedFiles = damagedFiles;
exports.descriptorLinks = descriptorLinks;
exports.diskText = diskText;
exports.dressDir = dressDir;
exports.durationText = durationText;
exports.emptyPath = emptyPath;
exports.endClient = endClient;
exports.endWhile = endWhile;
exports.ensureStateDir = ensureStateDir;
exports.entryEtag = entryEtag;
exports.entryMessage = entryMessage;
exports.entryWord = entryWord;
exports.errorCode = errorCode;
exports.errorText = errorText;
exports.excludedBelow = excludedBelow;
exports.exec = exec;
exports.expectLog = expectLog;
exports.expectOutside = expectOutside;
exports.explore = explore;
exports.fieldOf = fieldOf;
exports.fileSystemType = fileSystemType;
exports.findClient = findClient;
exports.findServer = findServer;
exports.findSession = findSession;
exports.fingerprint = fingerprint;
exports.firstLines = firstLines;
exports.followCredentials = followCredentials;
exports.foreignRepository = foreignRepository;
exports.freeOfOrigin = freeOfOrigin;
exports.freeSpace = freeSpace;
exports.fromText = fromText;
exports.fsPath = fsPath;
exports.gateOf = gateOf;
exports.hashSame = hashSame;
exports.hello = hello;
exports.hiddenMissing = hiddenMissing;
exports.hiddenOutside = hiddenOutside;
exports.hiddenPattern = hiddenPattern;
exports.hiddenWhole = hiddenWhole;
exports.holderOf = holderOf;
exports.holdsOutOfReach = holdsOutOfReach;
exports.homeDir = homeDir;
exports.homeOf = homeOf;
exports.hostEntry = hostEntry;
exports.hostStatOf = hostStatOf;
exports.identityFields = identityFields;
exports.identityOf = identityOf;
exports.identityOf$1 = identityOf$1;
exports.inSlices = inSlices;
exports.innermost = innermost;
exports.insideAt = insideAt;
exports.instanceAt = instanceAt;
exports.isAsLeft = isAsLeft;
exports.isAscii = isAscii;
exports.isAutostart = isAutostart;
exports.isBelowAny = isBelowAny;
exports.isBornAs = isBornAs;
exports.isBoxed = isBoxed;
exports.isByteString = isByteString;
exports.isClientRunning = isClientRunning;
exports.isClosed = isClosed;
exports.isEventMark = isEventMark;
exports.isExcluded = isExcluded;
exports.isLive = isLive;
exports.isLocal = isLocal;
exports.isNetwork = isNetwork;
exports.isNoSpace = isNoSpace;
exports.isObject = isObject;
exports.isOf = isOf;
exports.isPast = isPast;
exports.isQuiet = isQuiet;
exports.isRaw = isRaw;
exports.isRealRoot = isRealRoot;
exports.isRemote = isRemote;
exports.isRenamed = isRenamed;
exports.isRenamedBy = isRenamedBy;
exports.isSame = isSame;
exports.isSameTime = isSameTime;
exports.isSessionId = isSessionId;
exports.isSessionMeta = isSessionMeta;
exports.isStillOurs = isStillOurs;
exports.isWhiteout = isWhiteout;
exports.isWholeIdentity = isWholeIdentity;
exports.isWithin = isWithin;
exports.joinPath = joinPath;
exports.jsonLines = jsonLines;
exports.keepPerl = keepPerl;
exports.knownBoxRecord = knownBoxRecord;
exports.knownSilent = knownSilent;
exports.lastUse = lastUse;
exports.listSessions = listSessions;
exports.liveProcesses = liveProcesses;
exports.liveSources = liveSources;
exports.loadConfig = loadConfig;
exports.localText = localText;
exports.logPath = logPath;
exports.logSize = logSize;
exports.logTo = logTo;
exports.logUnreadable = logUnreadable;
exports.lookIdentity = lookIdentity;
exports.looksAlike = looksAlike;
exports.looksLike = looksLike;
exports.lowSpace = lowSpace;
exports.lowText = lowText;
exports.lstat = lstat;
exports.lstatEach = lstatEach;
exports.lstatEntry = lstatEntry;
exports.lstatOrNone = lstatOrNone;
exports.makeSameDirs = makeSameDirs;
exports.markedLines = markedLines;
exports.mayHoldListed = mayHoldListed;
exports.mayRun = mayRun;
exports.messageOf = messageOf;
exports.messageWithPath = messageWithPath;
exports.metaPath = metaPath;
exports.minuteText = minuteText;
exports.modeText = modeText;
exports.mountOf = mountOf;
exports.moveOut = moveOut;
exports.moveOutEmpty = moveOutEmpty;
exports.nameOf = nameOf;
exports.namedPaths = namedPaths;
exports.namesIn = namesIn$1;
exports.namesOrNone = namesOrNone;
exports.needServer = needServer;
exports.needsPermit = needsPermit;
exports.needsTerminal = needsTerminal;
exports.needsYes = needsYes;
exports.noBwrap = noBwrap;
exports.noConflictAt = noConflictAt;
exports.noGate = noGate;
exports.noHome = noHome;
exports.noHostCalls = noHostCalls;
exports.noNetwork = noNetwork;
exports.noProfile = noProfile;
exports.noQuestion = noQuestion;
exports.noSessionHere = noSessionHere;
exports.noSessionNamed = noSessionNamed;
exports.noSuchProcesses = noSuchProcesses;
exports.noSuchSession = noSuchSession;
exports.noVariable = noVariable;
exports.nodePort = nodePort;
exports.notMade = notMade;
exports.notOneCall = notOneCall;
exports.notYetConfirmed = notYetConfirmed;
exports.noteReplayDir = noteReplayDir;
exports.nothingPending = nothingPending;
exports.nothingPendingAt = nothingPendingAt;
exports.nothingToDiscard = nothingToDiscard;
exports.nothingToUndo = nothingToUndo;
exports.onDeviceOf = onDeviceOf;
exports.onlyUserRemoves = onlyUserRemoves;
exports.orIfRefused = orIfRefused;
exports.orNotEntered = orNotEntered;
exports.orNull = orNull;
exports.otherProject = otherProject;
exports.otherProject$1 = otherProject$1;
exports.otherXattrs = otherXattrs;
exports.overlapText = overlapText;
exports.overlaySpans = overlaySpans;
exports.ownMounts = ownMounts;
exports.ownWords = ownWords;
exports.parentOf = parentOf$1;
exports.parseMountinfo = parseMountinfo;
exports.pathAt = pathAt;
exports.pathsOf = pathsOf;
exports.pendingUnseen = pendingUnseen;
exports.permitNotUsedUp = permitNotUsedUp;
exports.permitNotWritten = permitNotWritten;
exports.permitsUnreadable = permitsUnreadable;
exports.placeVariable = placeVariable;
exports.plainEnv = plainEnv;
exports.post = post;
exports.postJson = postJson;
exports.prepareCoveredDir = prepareCoveredDir;
exports.presentReplayDirs = presentReplayDirs;
exports.problemsAbout = problemsAbout;
exports.processArguments = processArguments;
exports.processEnvironment = processEnvironment;
exports.processIds = processIds;
exports.processLink = processLink;
exports.processStat = processStat;
exports.processText = processText;
exports.programPath = programPath;
exports.programPending = programPending;
exports.projectNotPending = projectNotPending;
exports.projectOf = projectOf;
exports.projectTooWide = projectTooWide;
exports.proposedRule = proposedRule;
exports.quoted = quoted$1;
exports.readArgs = readArgs;
exports.readBytes = readBytes;
exports.readBytes$1 = readBytes$1;
exports.readClientRecord = readClientRecord;
exports.readEnds = readEnds;
exports.readEntries = readEntries;
exports.readMeta = readMeta;
exports.readNames = readNames;
exports.readPlainFile = readPlainFile;
exports.readPlainJson = readPlainJson;
exports.readPlan = readPlan;
exports.readSame = readSame;
exports.readServerFile = readServerFile;
exports.readTail = readTail;
exports.readTarget = readTarget;
exports.realPath = realPath;
exports.refusalOf = refusalOf;
exports.relativeTo = relativeTo;
exports.remarkOnRoom = remarkOnRoom;
exports.removeCopy = removeCopy;
exports.removePath = removePath;
exports.removeTree = removeTree;
exports.replaceFile = replaceFile;
exports.replayDirsOf = replayDirsOf;
exports.repositoryOf = repositoryOf;
exports.resultAtOnce = resultAtOnce;
exports.resultOf = resultOf;
exports.ruleFileProblems = ruleFileProblems;
exports.ruleOf = ruleOf;
exports.run = run;
exports.runClient = runClient;
exports.runLauncher = runLauncher;
exports.runningClient = runningClient;
exports.sameContent = sameContent;
exports.sameFields = sameFields;
exports.saveArgs = saveArgs;
exports.savedIn = savedIn;
exports.sessionContext = sessionContext;
exports.sessionDir = sessionDir;
exports.sessionOf = sessionOf;
exports.sessionOfClaude = sessionOfClaude;
exports.settingsDirect = settingsDirect;
exports.settingsNotPending = settingsNotPending;
exports.setuidPath = setuidPath;
exports.shownPath = shownPath;
exports.sizeText = sizeText;
exports.startedMs = startedMs;
exports.stoppable = stoppable;
exports.subjectOf = subjectOf;
exports.syncDirs = syncDirs;
exports.syncFileSystems = syncFileSystems;
exports.syncPath = syncPath;
exports.tcpSockets = tcpSockets;
exports.tidyAlone = tidyAlone;
exports.toDisplay = toDisplay;
exports.toErrorBody = toErrorBody;
exports.toHostStat = toHostStat;
exports.toSide = toSide;
exports.toStat = toStat;
exports.toText = toText;
exports.tryWriteWhole = tryWriteWhole;
exports.typeOf = typeOf;
exports.typedForOther = typedForOther;
exports.unescapeMount = unescapeMount;
exports.unmadeSessions = unmadeSessions;
exports.unsafeBwrap = unsafeBwrap;
exports.updateMeta = updateMeta;
exports.upperPath = upperPath;
exports.upperPathIn = upperPathIn;
exports.uppersIn = uppersIn;
exports.useAndClose = useAndClose;
exports.useAndCloseAsync = useAndCloseAsync;
exports.variableUnset = variableUnset;
exports.visible = visible;
exports.visibleMounts = visibleMounts;
exports.waiterOf = waiterOf;
exports.watchLstat = watchLstat;
exports.withFileLock = withFileLock;
exports.withHandle = withHandle;
exports.withHandleAsync = withHandleAsync;
exports.withRoom = withRoom;
exports.withSame = withSame;
exports.writeNewFile = writeNewFile;
exports.writeWhole = writeWhole;
exports.writesBy = writesBy;
exports.writing = writing;
exports.xattrIdentity = xattrIdentity;
exports.xattrNames = xattrNames;
exports.xattrsOf = xattrsOf;
