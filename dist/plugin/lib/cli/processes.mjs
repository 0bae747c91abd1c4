import { $ as nodePort, $n as nameOf, A as noSuchSession, C as logNotWritten, Ct as setuidPath, D as metaOfOther, E as metaNotWritten, F as sessionsUnreadable, G as parseMountinfo, Gn as bytePath, J as at, Jn as isAscii, K as unescapeMount, Kn as fromText, O as metaUnreadable, P as sessionNotMade, Q as lstat, Qn as joinPath, R as ROOT_OPTIONS, S as logLineCut, St as programPath, T as metaField, U as mountOf, Vn as TraiError, W as ownMounts, X as fsPath, Xn as isByteString, Y as errorCode, Yn as isBelowAny, Z as isNoSpace, Zn as isWithin, _ as configTooLarge, a as isSessionId, at as toStat, bt as run$1, ct as withHandle, d as META_IS_NO_JSON, dt as areCopies, er as parentOf, et as orIfRefused, g as configNotUsable, gt as xattrIdentity, h as configIsNoJson, ht as otherXattrs, i as ensureStateDir, it as syncFileSystems, k as metaUnusable, l as META_IS_MISSING, lt as withHandleAsync, nt as realPath, o as runtimeDir, pt as askXattrs, qn as innermost, r as configDir, rt as syncDirs, s as sessionDir, st as useAndCloseAsync, t as absolute, tn as countText, tr as toDisplay, tt as orNull, u as META_IS_NO_FILE, v as configUnreadable, vt as xattrsOf, x as logIsNoFile, y as configUnusable } from "../cli.mjs";
import { _ as lockUnusable, a as isRealRoot, c as processEnvironment, f as processStat, g as lockHeld, h as tcpSockets, i as endWhile, l as processIds, m as startedMs, n as commandLine, o as namesIn$1, p as processText, r as descriptorLinks, s as processArguments, t as ageSeconds, u as processLink, v as noFlock } from "./proc.mjs";
import { createHash, hash, randomBytes } from "node:crypto";
import { accessSync, appendFileSync, chmodSync, closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, statfsSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { spawn } from "node:child_process";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import { mkdir, mkdtemp, open, readdir, rename, rm, symlink } from "node:fs/promises";
import { isUtf8 } from "node:buffer";
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
function* jsonLines(text) {
	for (const line of text.split("\n")) try {
		const value = JSON.parse(line);
		if (isObject(value)) yield value;
	} catch {}
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
async function writeNewFile(path, content) {
	await useAndCloseAsync(await open(path, "wx", 384), async (file) => {
		await file.writeFile(content);
		await file.sync();
	});
}
async function replaceFile(path, content) {
	const temporary = temporaryName(path);
	try {
		await writeNewFile(temporary, content);
		await rename(temporary, path);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
	await syncDirectory(dirname(path));
}
function temporaryName(path) {
	const at = path.lastIndexOf("/") + 1;
	return `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(6).toString("hex")}`;
}
async function syncDirectory(path) {
	await useAndCloseAsync(await open(path, "r"), (directory) => directory.sync());
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
var RULE_KEYS = [
	"tool",
	"match",
	"reason",
	"tests",
	"modes",
	"until",
	"disabled"
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
		mode: "mode"
	},
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
var LATER_FIELDS = { commit: { auto: "" } };
function withLaterFields(value) {
	if (!isObject(value) || value["v"] !== 1 || !isEventType(value["t"])) return value;
	const later = LATER_FIELDS[value["t"]];
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
var TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
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
function isLogTime(value) {
	return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
var FIELD_LISTS = new Map(Object.entries(EVENT_FIELDS).map(([type, fields]) => [type, Object.entries(fields)]));
function isLogEvent(value) {
	if (!isObject(value)) return false;
	const { t: type, v, at } = value;
	if (v !== 1 || !isEventType(type) || !isLogTime(at)) return false;
	const fields = FIELD_LISTS.get(type) ?? [];
	return Object.keys(value).length === fields.length + 3 && fields.every(([name, kind]) => {
		const own = value[name];
		return typeof kind === "string" ? CHECKS[kind](own) : isText(own) && kind.includes(String(own));
	});
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
var HEAD = /^\{"v":1,(?:"at":"[^"]{0,30}",)?"t":"([a-z.]{1,30})"(?:,"at":"[^"]{0,30}")?(?:,"request":"([^"\\]{0,60})")?/;
var HEAD_BYTES$1 = 200;
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
var LogParser = class {
	#offset = 0;
	#length = 0;
	#kept = [];
	#wanted;
	constructor(wanted = null) {
		this.#wanted = wanted;
	}
	push(chunk) {
		const lines = [];
		let from = 0;
		for (let at = chunk.indexOf(NEWLINE$1); at !== -1; at = chunk.indexOf(NEWLINE$1, from)) {
			const bytes = this.#complete(chunk.subarray(from, at));
			if (this.#length > 0) {
				if (this.#isTooLong) lines.push(rawLine(shownText(bytes), this.#offset, "too-long"));
				else if (this.#isWanted(bytes)) lines.push(parseLine(decoder.decode(bytes), this.#offset));
			}
			this.#offset += this.#length + 1;
			this.#length = 0;
			this.#kept = [];
			from = at + 1;
		}
		this.#keep(chunk.subarray(from));
		return lines;
	}
	pending() {
		if (this.#length === 0) return null;
		const bytes = this.#whole();
		if (this.#isTooLong) return rawLine(shownText(bytes), this.#offset, "too-long");
		return rawLine(decoder.decode(bytes), this.#offset, "torn");
	}
	#isWanted(bytes) {
		if (this.#wanted === null) return true;
		const [, type, request] = HEAD.exec(decoder.decode(bytes.subarray(0, HEAD_BYTES$1))) ?? [];
		const { types, requests } = this.#wanted;
		if (type === void 0 || !isEventType(type)) return true;
		return types.has(type) && (request === void 0 || requests === void 0 || requests.has(request));
	}
	get #isTooLong() {
		return this.#length > MAX_LOG_LINE_BYTES;
	}
	#complete(bytes) {
		const isWhole = this.#length === 0 && bytes.length <= 65536;
		if (!isWhole) this.#keep(bytes);
		else this.#length = bytes.length;
		return isWhole ? bytes : this.#whole();
	}
	#keep(bytes) {
		if (bytes.length === 0) return;
		const room = MAX_LOG_LINE_BYTES - this.#length;
		this.#length += bytes.length;
		if (room > 0) this.#kept.push(bytes.slice(0, room));
	}
	#whole() {
		const whole = new Uint8Array(Math.min(this.#length, MAX_LOG_LINE_BYTES));
		let at = 0;
		for (const part of this.#kept) {
			whole.set(part, at);
			at += part.length;
		}
		return whole;
	}
};
function shownText(bytes) {
	return decoder.decode(bytes.subarray(0, SHOWN_BYTES));
}
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
var { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
var NEWLINE = 10;
var LOG_NAME = "calls.jsonl";
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
function isSame$1(identity, now) {
	if (identity === null || now === null) return identity === null && now === null;
	return identityOf$1(now) === identity || isUnchanged(fingerprint(identity), now);
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
function isOf(identity, host) {
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
	const count = withHandle(port, port.openDir(at(dir, name)), (fd) => {
		if ((entry.mode & 448) !== 448) port.chmod(at(fd), 448);
		return port.readdir(at(fd)).reduce((sum, child) => sum + removeTree(port, fd, child), 1);
	});
	port.rmdir(at(dir, name));
	return count;
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
function isClosed$1(entry, asRoot) {
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
function identityOf(entry) {
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
var boxRecordPath = (sessionDir) => join(sessionDir, "box.json");
var isBoxed = (sessionDir) => existsSync(boxRecordPath(sessionDir));
function writeBoxRecord(sessionDir, record) {
	if (record === null) rmSync(boxRecordPath(sessionDir), { force: true });
	else writeFileSync(boxRecordPath(sessionDir), JSON.stringify(record), { mode: 384 });
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
var NAME = "inside";
var CLIENT = "client.json";
var INSTANCE = "instance";
var insideAt = (stateDir) => join(stateDir, NAME);
var instanceAt = (stateDir) => join(stateDir, INSTANCE);
var clientRecordPath = (sessionDir) => join(sessionDir, CLIENT);
function readClientRecord(sessionDir) {
	const value = readPlainJson(clientRecordPath(sessionDir));
	return isObject(value) && value["v"] === 1 ? value : null;
}
function isClientRunning(sessionDir) {
	const record = readClientRecord(sessionDir);
	return record !== null && processStat(record.pid)?.start === record.start;
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
	if (!existsSync(overlay)) return false;
	const numbers = readdirSync(overlay, { encoding: "latin1" }).filter((n) => /^[0-9]+$/.test(n) && lstatSync(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== void 0);
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
	return uppers.filter((n) => existsSync(`${overlay}/${n}/w/work`)).map((n) => ownProbe(n, NO_LOWER));
}
var BUSY = /already mounted|busy/;
var FREE = /stale file handle|failed to verify/i;
async function ask(session, probes) {
	const overlay = `${session.sessionDir}/overlay`;
	const script = `exec 2>&1; ${CLEAR}; ${`${ROOM} 2>/dev/null; mkdir -p ${[
		"parking/probe",
		NO_LOWER,
		...probes.flatMap(({ own }) => own)
	].join(" ")} && printf %s "$1" >parking/probe.fstab || exit`}; LC_ALL=C mount -c -a -T parking/probe.fstab; rc=\$?; echo; echo "mounted \$rc"; [ $rc = 0 ] || cat /proc/self/mountinfo; clear; echo done`;
	const fstab = probes.map(({ line }) => line).join("");
	const args = [
		...enter(session, "--mount"),
		"/bin/sh",
		"-c",
		script,
		"probe",
		fstab
	];
	const { stdout, stderr } = await run$1(programPath("unshare"), args, { cwd: overlay });
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
	if (!existsSync(`${overlay}/guard/u`)) return [];
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
		await setTimeout$1(RETRY_MS);
	}
	return false;
}
function* mountedSources() {
	const without = /* @__PURE__ */ new Set();
	for (const pid of processIds()) {
		const namespace = processLink(pid, "ns/mnt");
		if (namespace === null || without.has(namespace)) continue;
		const mounts = processText(pid, "mountinfo");
		if (mounts === null) continue;
		const sources = new Set([...mounts.matchAll(/ - overlay (trai:\S+) /g)].map(([, source = ""]) => source));
		if (sources.size === 0) without.add(namespace);
		else yield {
			pid,
			sources
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
async function endProcesses(source) {
	return await endWhile(() => liveProcesses(source));
}
function addTo(lists, key, value) {
	const list = lists.get(key);
	if (list === void 0) lists.set(key, [value]);
	else list.push(value);
}
function conflictOf(input) {
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
var GIT = /^(.*?\/\.git)(?:\/|$)/s;
var SQLITE = /-(?:wal|shm|journal)$/;
function setGroups(changes) {
	const databases = /* @__PURE__ */ new Set();
	for (const { path } of changes) if (SQLITE.test(path)) databases.add(path.replace(SQLITE, ""));
	for (const change of changes) {
		const git = change.path.includes("/.git") ? GIT.exec(change.path)?.[1] : void 0;
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
async function collect(steps) {
	const all = [];
	await inSlices(steps, (step) => {
		all.push(step);
		return false;
	});
	return all;
}
async function resultOf$1(steps) {
	const pace = new Pace();
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (pace.isDue) await pace.rest();
	}
}
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
var PASS = ".base-pass";
var DEAD_LINES_MAX = 2e3;
function readBaseFile(ctx) {
	const path = fileOf$2(ctx);
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
	const path = fileOf$2(ctx);
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
	const path = fileOf$2(ctx);
	if (!existsSync(path)) writeFileSync(path, "", { mode: 384 });
	tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmBases(ctx, beganMs) {
	if (existsSync(fileOf$2(ctx))) tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmEmpty(dir) {
	tryWriteWhole(`${dir}/${PASS}`, String(Date.now() - 20));
}
function readPass(ctx) {
	const text = readPlainFile(passOf(ctx))?.toString("latin1") ?? "";
	return /^\d{1,15}$/.test(text) ? BigInt(text) * 1000000n : 0n;
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
	writeWhole(fileOf$2(ctx), text);
	file.lines = file.records.size;
}
function endsWithNewline(path) {
	const last = readTail(path, 1);
	return last === null || last.length === 0 || last[0] === 10;
}
function fileOf$2(ctx) {
	return `${ctx.sessionDir}/overlay/base.jsonl`;
}
function passOf(ctx) {
	return `${ctx.sessionDir}/overlay/${PASS}`;
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
var HASH_MAX_BYTES = 67108864;
var CHUNK = 262144;
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
	if (a.size <= CHUNK) return yield* compare(pathA, a, pathB, b);
	const key = `${a.dev}:${identityOf(a)}|${b.dev}:${identityOf(b)}`;
	const known = remembered$1.get(key);
	if (known !== void 0) return known;
	const same = yield* compare(pathA, a, pathB, b);
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
	const bytes = Math.min(CHUNK, size);
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
		if (entry.type !== "file" || identityOf(entry) !== identity) return null;
		const result = read(fd, entry);
		return result !== null && identityOf(statOpen(fd)) === identity ? result : null;
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
	return withSame(path, identity, (fd, { size }) => size > 67108864 ? null : hashOf$1(fd, size));
}
function hashOf$1(fd, size) {
	const hash = createHash("sha256");
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
	let rest = size;
	for (let got = 1; rest > 0 && got > 0; rest -= got) {
		got = readSync(fd, buffer, 0, Math.min(buffer.length, rest), null);
		hash.update(buffer.subarray(0, got));
	}
	return rest === 0 ? hash.digest("hex") : null;
}
var MAX_NAMES = 2e3;
var dirOf = (covered) => parentOf(covered.upper);
function isCopyable(dir) {
	return (orNull(() => readdirSync(fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES;
}
function readCopies(covered) {
	const value = orNull(() => readPlainJson(fsPath(joinPath(dirOf(covered), "copies.json"))));
	return Object(value).v === 1 ? value : null;
}
function isSame(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
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
var MAX_BYTES = 134217728;
var CACHES = /* @__PURE__ */ new Set([
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
	const bytes = readSame(path, identity, MAX_BYTES);
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
	if (end < 12 || !(sum.every((byte) => byte === 0) || sum.equals(hashOf(bytes.subarray(0, end), algorithm)))) return null;
	const hash = createHash("sha256").update(`${algorithm}\0${bytes.readUInt32BE(8)}\0`);
	try {
		const at = addEntries(hash, bytes.subarray(0, end), version, idBytes);
		return at !== null && addExtensions(hash, bytes.subarray(0, end), at) ? hash.digest("hex") : null;
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}
var hashOf = (bytes, algorithm) => createHash(algorithm).update(bytes).digest();
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
		if (!CACHES.has(name)) hash.update(`${name} ${size}\0`).update(content);
		at += 8 + size;
	}
	return at === bytes.length;
}
function knownBase(ctx, path, host, upper) {
	const seen = {
		state: "known",
		host: toHostStat(host, path)
	};
	if (host.type !== "file" || upper.type !== "file") return seen;
	const index = indexDigest(path, identityOf(host));
	const known = index === null ? seen : {
		...seen,
		index
	};
	const text = readSame(path, identityOf(host), BASE_BLOB_BYTES);
	if (text !== null && !isBinary(text)) {
		const sha256 = hash("sha256", text);
		storeBlob(ctx, sha256, text);
		return {
			...known,
			sha256,
			blob: true
		};
	}
	const sha256 = host.size === upper.size ? hashSame(path, identityOf(host)) : null;
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
	if (host !== null && upper !== null && isSame(seen, toHostStat(host, path))) return knownBase(ctx, path, host, upper);
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
var SUBGID = "/etc/subgid";
var NEWGIDMAP = setuidPath("newgidmap");
var known = null;
function mappedGroups() {
	if (isRealRoot()) return [];
	const read = () => {
		const stat = statSync(SUBGID, { bigint: true });
		const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
		const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(",")}`;
		if (known?.identity === identity) return known.groups;
		accessSync(NEWGIDMAP, constants.X_OK);
		const ranges = rangesOf(readFileSync(SUBGID, "utf8"), userName(), String(process.getuid?.() ?? 0));
		const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
		known = {
			identity,
			groups: [...new Set(groups)].sort((a, b) => a - b)
		};
		return known.groups;
	};
	return orNull(read) ?? [];
}
async function mapGroups(pid, gid, groups) {
	const map = groups.flatMap((group) => [
		group,
		group,
		1
	]);
	await run$1(NEWGIDMAP, [
		pid,
		0,
		gid,
		1,
		...map
	].map(String), { timeout: 5e3 });
}
function isUnmapped(gid) {
	return gid !== process.getgid?.() && !mappedGroups().includes(gid);
}
function groupRemedy(gid, packageRemedy) {
	const steps = [`echo '${userName()}:${gid}:1' | sudo tee -a ${SUBGID}`];
	if (orNull(() => accessSync(NEWGIDMAP, constants.X_OK)) === null) steps.unshift(packageRemedy);
	return `Let the sandbox map the group${(process.getgroups?.() ?? []).includes(gid) ? "" : " (and become a member of that group: you are not)"}:\n  ${steps.join("\n  ")}\nor give the directory your own group: chgrp -R, chmod g-s.`;
}
function rangesOf(text, name, uid) {
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
var OPEN_LIMIT_MS = 1e4;
var SCRIPT$1 = `
options=$1 dirs=$2; shift 2
if [ "$1" = groups ]; then echo groups; read -r answer; shift; fi
mount -t tmpfs -o mode=0700,size=1m trai-view ../view || exit 1
mkdir -p ../view/e $dirs
while [ $# -gt 0 ]; do
  lower=$1/l
  if [ "$2" = copied ]; then lower=$1/c; mkdir -p $1/c; fi
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
	return spawn("unshare", [
		...user,
		"--mount",
		"sh",
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
			PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
			LC_ALL: "C",
			LIBMOUNT_FORCE_MOUNT2: "always"
		}
	});
}
function lowerKind({ copied, upper, path }) {
	if (copied !== void 0) return "copied";
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
				if (madeAgain !== null) remember(dir.upperPath, {
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
function remember(upperPath, answer) {
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
var UNSEEN = {
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
function below(above, dir) {
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
var toNs = (ms) => BigInt(ms - 20) * 1000000n;
var SeenWindow = class {
	since;
	#lastPass;
	#starts;
	#blind;
	constructor(ctx, { lastPassNs }, { earliestCall }) {
		this.#lastPass = lastPassNs;
		const births = ctx.coveredDirs.map(({ upper }) => lstatEntry(upper)?.birthNs ?? 0n);
		const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
		const call = toNs(earliestCall ?? 0);
		this.since = later(call, since);
		this.#starts = callStarts(ctx).map(toNs);
		this.#blind = this.#starts.length === 0 && lastPassNs === 0n && earliestCall === void 0;
	}
	of(upper) {
		const bound = isWhiteout(upper) && this.since > upper.birthNs ? this.since : upper.birthNs;
		if (this.#blind) return bound;
		const before = this.#starts.filter((start) => start <= bound);
		const fresh = before.filter((start) => start > this.#lastPass);
		return earlier((fresh.length > 1 ? fresh[0] : before.at(-1)) ?? this.since, bound);
	}
};
var TAIL_BYTES$1 = 262144;
function callStarts(ctx) {
	return (orNull(() => readTail(logPath(ctx.sessionDir), TAIL_BYTES$1))?.toString("latin1") ?? "").split("\n").filter((line) => line.includes("\"t\":\"call.started\"") && line.includes("\"mode\":\"sandbox\"")).map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "")).filter(Number.isFinite).sort((a, b) => a - b);
}
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
	const pass = new Pass(ctx, file, options, () => viewer.begin());
	try {
		for (const covered of ctx.coveredDirs) await inSlices(pass.walk(covered.path, covered.upper), never);
		while (pass.asked.length > 0) await inSlices(pass.askForCopies(), never);
		const noted = noteXattrs(pass.taken.values());
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
var Pass = class {
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
					above: UNSEEN
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
				const above = known.host !== null && onHost ? below(at.above, known.host) : known.above;
				stack.push({
					path,
					upperPath,
					onHost,
					above: this.hid.has(path) ? UNSEEN : above
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
			yield* this.listing(path, this.window.since - this.clocks.lag(path), blind ? UNSEEN : above);
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
		if (gone) yield* this.listing(path, window, below(above, host));
		if (both) this.touch({
			path,
			upperPath,
			onHost: true,
			above: below(above, host)
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
				const shown = old.shows === true ? below(above, host) : UNSEEN;
				yield* this.listing(path, this.windowOf(path, upper), shown);
			} else if (isDir && old.base.state !== "absent") this.touch({
				path,
				upperPath,
				onHost: true,
				above: below(above, host)
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
			if (node?.entry.type === "dir") dirs.set(node.path, below(holder, node.entry));
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
var SIZE = 16;
function fingerprintText(change) {
	const { path, kind, upperIdentity = "-", hostIdentity = "-", xattrIdentity } = change;
	const sides = `${upperIdentity} ${hostIdentity}`;
	return `${path}\0${kind} ${xattrIdentity === void 0 ? sides : `${sides} ${xattrIdentity}`}\0`;
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
var SOCKET_RULE = "socket";
var TIMES_RULE = "only its time differs";
var SPECIAL_RULE = "pipe or device";
function typeRule(pending, host) {
	if ((pending ?? host) === "socket") return SOCKET_RULE;
	return pending === "fifo" || pending === "char" || pending === "block" ? SPECIAL_RULE : null;
}
var OUTSIDE = "outside-project:";
var PROJECT = "project:";
function compileIgnore(scope) {
	const rules = scope.ignore.filter((text) => text.trim() !== "").map((text) => compileRule(text, scope));
	if (rules.length === 0) return () => null;
	const any = new RegExp(rules.map((rule) => `(?:${rule.pattern.source})`).join("|"), "s");
	return (path, isDir) => {
		if (!any.test(path)) return null;
		for (const rule of rules) {
			const found = rule.pattern.exec(path);
			if (found === null || rule.dirOnly && !isDir && found[1] === void 0) continue;
			if (!rule.outside || !isWithin(path, scope.projectRoot)) return rule.text;
		}
		return null;
	};
}
function compileRule(text, scope) {
	const outside = text.startsWith(OUTSIDE);
	const inside = text.startsWith(PROJECT);
	let body = fromText(text.slice(outside ? 16 : inside ? 8 : 0));
	const dirOnly = body.endsWith("/") && body !== "/";
	if (dirOnly) body = body.slice(0, -1);
	let start = "(?:^|/)";
	if (body === "~" || body.startsWith("~/")) {
		start = `^${escapeText(scope.home === "/" ? "" : scope.home)}`;
		body = body.slice(1);
	} else if (inside) {
		start = `^${escapeText(scope.projectRoot === "/" ? "" : scope.projectRoot)}/`;
		body = body.replace(/^\/+/, "");
	} else if (body.startsWith("/")) start = "^";
	return {
		text,
		outside,
		dirOnly,
		pattern: new RegExp(`${start}${globSource(body)}(/.*)?$`, "s")
	};
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
function* judgeSameType(pair) {
	if (yield* sameThing(pair)) return metaChanged(pair) ? "meta" : null;
	return isStaleCopy(pair) ? null : "modified";
}
function isUntouched({ host, ...look }) {
	const { upperPath, upper, base } = look;
	if (equalsBase(upperPath, upper, base)) return true;
	if (host?.type !== upper.type) return false;
	const steps = judgeSameType({
		...look,
		host,
		base: { state: "none" }
	});
	for (let step = steps.next();; step = steps.next()) if (step.done === true) return step.value === null;
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
	return base.sha256 !== void 0 && hashSame(upperPath, identityOf(upper)) === base.sha256;
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
			conflict: input.closed === true ? "unreadable" : conflictOf({
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
		const above = onHost ? below(frame.above, host) : frame.above;
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
		const above = below(frame.above, host);
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
		const dirs = /* @__PURE__ */ new Map([[dir, below(above, host)]]);
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
			if (node.entry.type === "dir") dirs.set(node.path, below(holder, node.entry));
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
		return isExcluded(path, this.ctx.excluded) || this.ctx.coveredDirs.some((one) => one.path === path);
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
async function scan(ctx, trace) {
	const bases = await readBases(ctx);
	const walk = new Walk(ctx, new ChangeMaker(ctx, bases));
	const found = [];
	const keep = (one) => {
		found.push(one);
		return false;
	};
	await run(ctx, walk, keep, trace);
	await collect(forgiveSame(ctx, found, bases));
	const list = trace?.during(() => listOf$1(ctx, walk, found)) ?? listOf$1(ctx, walk, found);
	await collect(findRenames(ctx, list.changes));
	return list;
}
async function hasPending(ctx) {
	const walk = new Walk(ctx, new ChangeMaker(ctx, await readBases(ctx)));
	return await run(ctx, walk, ({ ignored }) => ignored === null) || walk.problems.length > 0;
}
async function run(ctx, walk, take, trace) {
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
	const times = timesOf(walk, changes);
	return {
		session: ctx.session,
		revision: revisionOf(changes, times.timed),
		at: (/* @__PURE__ */ new Date()).toISOString(),
		changes,
		counts: countChanges(changes),
		bytes: bytesOf$1(kept),
		ignored: {
			count: ignored.length,
			bytes: bytesOf$1(ignored)
		},
		conflicts: kept.filter((change) => change.conflict !== null).length,
		...times,
		problems: walk.problems.map(({ path, message }) => ({
			path: toDisplay(path),
			message
		}))
	};
}
function timesOf(walk, changes) {
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
function bytesOf$1(changes) {
	return changes.reduce((sum, { kind, pending }) => sum + (kind === "meta" ? 0 : pending?.size ?? 0), 0);
}
var ACCESS = 3;
function heldForWriting(wanted) {
	return new Set(holders(wanted).map(({ ino }) => ino));
}
function writersOf(files) {
	const found = /* @__PURE__ */ new Map();
	const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`));
	for (const { pid, ino, fd } of holders(new Set(files.map(({ ino: one }) => one)))) {
		const key = `${(fd === null ? null : statOf$2(`/proc/${pid}/fd/${fd}`)?.dev) ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
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
		for (const name of ["cwd", "root"]) used.set(processLink(pid, name) ?? "", true);
		for (const [, name = ""] of (processText(pid, "maps") ?? "").matchAll(MAPPED$1)) used.set(name, false);
		for (const fd of namesIn$1(`/proc/${pid}/fd`)) {
			const name = processLink(pid, `fd/${fd}`) ?? "";
			if (name.startsWith("/")) used.set(name, used.get(name) === true || isOpenDir(pid, fd));
		}
		return [...used].flatMap(([name, isDir]) => {
			const path = name;
			const top = path.startsWith("/") ? topOf(path, tops) : null;
			return top === null ? [] : [{
				top,
				path,
				pid,
				isDir
			}];
		});
	});
}
function topOf(path, tops) {
	for (let at = path; at !== "/"; at = parentOf(at)) if (tops.has(at)) return at;
	return null;
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
				ino: at === "" || devices.has(deviceAt(mounts, at)) ? statOf$2(`/proc/${pid}/${name}`)?.ino ?? null : null
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
	for (const fd of namesIn$1(`/proc/${pid}/fd`)) {
		const open = openInode(pid, fd);
		if (open !== null) yield {
			...open,
			fd
		};
	}
	for (const [, ino = ""] of (processText(pid, "maps") ?? "").matchAll(SHARED)) yield {
		ino: BigInt(ino),
		fd: null,
		writes: true
	};
}
var SHARED = /^\S+ .w.s \S+ \S+ (\d+)/gm;
function statOf$2(path) {
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
	const held = writes ? statOf$2(`/proc/${pid}/fd/${fd}`) : null;
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
var NAMED = 5;
var named = (texts) => `${texts.slice(0, NAMED).join("; ")}${texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ""}`;
var toldText = ({ path, why }) => `${toDisplay(path)}: ${why}`;
var because = ([first]) => first === void 0 ? "" : ` (${toldText(first)})`;
var notADiscard = (session, name) => new TraiError("bad-input", `expected the name of a discard of session ${session}, found ${toDisplay(name)}`);
var discardGone = (trash) => new TraiError("not-found", `the trash has no discard ${trash} that can be undone`);
var historyEntryGone = () => new TraiError("not-found", "the history has no such entry any more", { hint: "Load the history again." });
function nothingPending(scope, unsure) {
	const where = scope.kind === "paths" ? "at the paths that were given" : "of the calls that were given";
	return new TraiError("not-found", `nothing is pending ${where}${because(unsure)}`, {
		hint: "See: trai status",
		paths: unsure.map(toldText)
	});
}
var noSuchCall = (id, alike) => new TraiError("not-found", `this session has ${alike === 0 ? "no sandboxed call" : `${alike} sandboxed calls`} ${JSON.stringify(id)}`, { hint: "The ids stand in: trai log --json, and for a path in: trai why PATH" });
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
	return new TraiError("conflicts", `${texts.length} in conflict with the host: ${named(texts)}`, {
		hint: "Decide for all (--conflicts keep-host, take-sandbox or merge) or for each path (--keep-host PATH, --take-sandbox PATH, --merge PATH), or in the dashboard.",
		paths: changes.map(({ path }) => toDisplay(path)),
		data: { count: changes.length }
	});
}
var openUndoConflicts = (open) => new TraiError("conflicts", `the host is not as the commit left it: ${named(open.map(({ path, reason }) => `${toDisplay(path)}: ${UNDO_REASONS[reason]}`))}`, {
	hint: "Decide: --conflicts keep-host leaves them as they are, --conflicts take-back undoes them too (what the host has now is pending then).",
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
var massUndo = ({ reasons, count }) => new TraiError("mass-guard", `this undo ${reasons.join("; ")}`, {
	hint: `Confirm with --yes, or with the number (${count}).`,
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
function bytesOf(unit) {
	return "bytes" in unit ? unit.bytes : 0;
}
function replacedBelow(unit) {
	return unit.kind === "swap" ? unit.below : [];
}
function resultOf(unit) {
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
var unpacked = /* @__PURE__ */ new WeakMap();
function unpackTree(top, tree) {
	const known = unpacked.get(tree);
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
	unpacked.set(tree, entries);
	return entries;
}
function wholeIdentity(id, dev, owner) {
	const fields = id.split(".");
	if (fields.length < 8) return id;
	const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
	return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
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
	const [head = "", tail = ""] = readEnds(Buffer.from(joinPath(dir, "journal.jsonl"), "latin1"), HEAD_BYTES, TAIL_BYTES)?.map((part) => part.toString("latin1")) ?? [];
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
function beganAt(port, ctx, n) {
	const closed = readClosed(commitDir(ctx, n));
	const record = closed === null ? readJournal(port, ctx, n) : null;
	return record?.phase === "closed" ? record.begin.at : closed?.at ?? null;
}
var HEAD_BYTES = 100;
var TAIL_BYTES = 65536;
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
	const n = (commitNumbers(port, ctx).at(-1) ?? 0) + 1;
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
var notPending = (why) => `it could not be kept as pending: ${why}`;
var MEANWHILE = "it changed meanwhile";
var IN_VIEW = "a process of the session works in it";
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
var NOT_NEWEST = "it is not the newest";
var NOT_KEPT_ANY_MORE = "what was there before is not kept any more";
var NEVER_KEPT = "it was made without keeping what was there before";
var LEFTOVER = "left by a discard that was interrupted before it took anything";
var PROJECT_GONE = "its project is gone, and nothing is pending";
var olderThan = (days) => `older than ${days} days`;
var moreThan = (bytes) => `more than ${bytes} bytes are kept`;
var takenFromHost = (limit) => `${limit}; what its undo took off the host is nowhere else`;
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
	const along = collectSelectionClosure(tree, states, rulesOf(request));
	refuseUndecided(changes, states.map((state) => state === "take" ? state : "ignored"), request);
	const pick = (state) => changes.filter((_, i) => states[i] === state);
	const stale = staleIn(tree, chosen, states, request);
	return {
		steps: order(build(tree, states)),
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
function rulesOf(request) {
	return {
		forSelection: isSelection(request),
		leftOut: (change) => leftOut(change, request),
		decide: (change) => decided(change, request)
	};
}
function staleIn(tree, chosen, states, { stale, ...fresh }) {
	if (stale === void 0 || stale.size === 0) return /* @__PURE__ */ new Set();
	const going = firstStates(tree.changes, chosen, fresh);
	collectSelectionClosure(tree, going, rulesOf(fresh));
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
function order(steps) {
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
	const upper = await look(uppers, asked, pace);
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
async function look(uppers, asked, pace) {
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
	let complaints = await copyWith(copying, [...isRoot || viewer === void 0 ? [] : [
		"nsenter",
		"--preserve-credentials",
		"-U",
		"-t",
		viewer
	], ...SHELL]);
	const other = complaints.filter((line) => !line.endsWith("Permission denied"));
	if (!isRoot && viewer === void 0 && other.length < complaints.length) {
		const again = await copyWith(copying, [
			"unshare",
			"--user",
			"--map-root-user",
			...SHELL
		]);
		complaints = [...other, ...again];
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
var GONE = "gone";
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
		return this.#ctx.coveredDirs.some((covered) => covered.path === path);
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
		const gone = joinPath(parentOf(covered.upper), GONE);
		if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 448);
		this.takeOut(path, joinPath(gone, String(this.#moved++)));
	}
	removeMovedOut() {
		for (const { upper } of this.#ctx.coveredDirs) {
			const beside = parentOf(upper);
			if (this.#port.lstat(joinPath(beside, GONE)) !== null) removePath(this.#port, beside, GONE);
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
	const prepared = prepare(work, list, findings, bases);
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
function prepare({ areas, journal }, list, findings, bases) {
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
	for (const { path } of deepest) makeDirs(port, area.fd, relativeTo(area.base, path));
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
function makeParents(port, fd, names) {
	const parents = new Set(names.map((name) => parentOf(`/${name}`).slice(1)));
	for (const parent of parents) if (parent !== "") makeDirs(port, fd, parent);
}
function makeDirs(port, fd, rel) {
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
		return before === void 0 || isSame$1(identityOf$1(before), uppers.lstat(path));
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
function takenAway({ step, host, below }) {
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
		const prints = takenAway(one).map(({ id }) => fingerprint(id));
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
		makeParents(port, fd, names);
		const complaint = await copyOut(port, "/", names, fd);
		for (const one of copied) {
			if (takenAway(one).every(({ path, id }) => isCopyOf(port, fd, path, id))) continue;
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
	if (port.lstat(file) === null) writeFile$1(port, file, CACHE_TAG);
}
function writeFile$1(port, path, text) {
	const temporary = `${path}.new`;
	if (port.lstat(temporary) !== null) port.unlink(temporary);
	withHandle(port, port.openAppend(temporary), (fd) => {
		port.append(fd, text);
		port.fsync(fd);
	});
	port.rename(temporary, path);
}
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
var KEPT_BY_COMMIT = [
	BEFORE,
	MERGED,
	BACK
];
var LIVE_MS = 6e4;
async function diskSizes(ctx, live) {
	const key = keyOf(ctx);
	const known = readKept(ctx, key, live);
	if (known !== null) return known;
	const sizes = await countSizes(ctx);
	const kept = {
		v: 1,
		key,
		at: Date.now(),
		sizes
	};
	tryWriteWhole(fileOf$1(ctx), JSON.stringify(kept));
	return sizes;
}
function freeSpace(dir) {
	const { bavail, blocks, bsize } = statfsSync(dir);
	return {
		free: bavail * bsize,
		size: blocks * bsize
	};
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
function keyOf(ctx) {
	const images = commitNumbers(nodePort, ctx).flatMap((n) => KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(commitDir(ctx, n), name)) !== null).map((name) => `${n}${name}`));
	return `${logSize(ctx.sessionDir)} ${images.join(",")} ${trashNames(nodePort, ctx).join(",")}`;
}
function readKept(ctx, key, live) {
	const value = orNull(() => readPlainJson(fileOf$1(ctx)));
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
function fileOf$1({ sessionDir }) {
	return `${sessionDir}/disk.json`;
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
var block = (text) => {
	const made = parseBlock(text);
	if (made === null) throw new Error(`expected addresses: ${text}`);
	return made;
};
var kinds = (kind, texts) => texts.split(" ").map((text) => [block(text), kind]);
[
	...kinds("unspecified", "0.0.0.0/8 ::/128"),
	...kinds("loopback", "127.0.0.0/8 ::1/128"),
	...kinds("link-local", "169.254.0.0/16 fe80::/10"),
	...kinds("link-local", "168.63.129.16/32"),
	...kinds("private", "10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10 64:ff9b:1::/48"),
	...kinds("multicast", "224.0.0.0/4 ff00::/8"),
	...kinds("reserved", "192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4"),
	...kinds("reserved", "2001::/23 2001:db8::/32 3fff::/20")
];
block("::/96"), block("64:ff9b::/96"), block("2002::/16");
block("2000::/3");
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
		config: CONFIG(json, "", DEFAULT_CONFIG, problems),
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
			problems.push(problem(path || "the config", "an object", value));
			return fallback;
		}
		const prefix = path === "" ? "" : `${path}.`;
		reportUnknown(value, prefix, Object.keys(fields), problems);
		const read = { ...fallback };
		for (const key in fields) if (Object.hasOwn(value, key)) read[key] = fields[key](value[key], prefix + key, fallback[key], problems);
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
		reportUnknown(value, `${path}.`, ["add", "remove"], problems);
		const add = entries(value["add"] ?? [], `${path}.add`, entry, problems);
		const remove = entries(value["remove"] ?? [], `${path}.remove`, entry, problems);
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
		if (text === null || !entry.ok(text)) problems.push(problem(`${path}[${i}]`, entry.expected, one));
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
	const read = Object.entries(value).map(([name, one]) => [name, PROFILE(one, `${path}.${name}`, DEFAULT_BOX_OPTIONS, problems)]);
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
function reportUnknown(value, prefix, known, problems) {
	for (const key of Object.keys(value)) {
		if (known.includes(key)) continue;
		problems.push(`${prefix}${shown(key)} is not a key of the config; expected one of ${known.join(", ")}.`);
	}
}
function problem(path, expected, found) {
	return `${path}: expected ${expected}, found ${shown(found)}; the default is used.`;
}
function shown(value) {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
async function takeFileLock(path, waitSeconds = 10) {
	let file;
	try {
		file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 384);
	} catch (cause) {
		throw lockUnusable(path, errorText(cause), cause);
	}
	try {
		await lock(file, path, waitSeconds);
	} catch (error) {
		await file.close();
		throw error;
	}
	return async () => await file.close();
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
	const { status, stderr } = await run$1("flock", [
		"-x",
		"-w",
		String(waitSeconds),
		"3"
	], { fds: [file.fd] });
	if (status === 0) return;
	throw status === 127 ? noFlock(path, stderr) : lockHeld(path, waitSeconds, lockHolder(path));
}
var WORDS = 3;
var CHARACTERS = 200;
function lockHolder(path) {
	try {
		const lock = statSync(path);
		for (const pid of processIds()) {
			if (!namesIn$1(`/proc/${pid}/fdinfo`).some((fd) => holds(pid, fd, lock))) continue;
			const words = (processArguments(pid) ?? []).slice(0, WORDS).join(" ");
			return {
				pid,
				command: toDisplay(words).slice(0, CHARACTERS)
			};
		}
	} catch {}
	return null;
}
function holds(pid, fd, lock) {
	const text = processText(pid, `fdinfo/${fd}`) ?? "";
	if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
	const found = orNull(() => statSync(`/proc/${pid}/fd/${fd}`));
	return found?.dev === lock.dev && found.ino === lock.ino;
}
var MAX_CONFIG_BYTES = 262144;
function configFiles(env) {
	const data = absolute(env, "CLAUDE_PLUGIN_DATA");
	return [configDir(env), ...data === null ? [] : [data]].map((dir) => join(dir, "config.json"));
}
function loadConfig(env, recorded = null) {
	for (const file of [...recorded === null ? [] : [recorded], ...configFiles(env)]) {
		const read = readConfig(file);
		if (read === null) continue;
		return {
			...read,
			file,
			problems: read.problems.map((problem) => `${file}: ${problem}`)
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
		problems: [configUnusable(why)]
	});
	let bytes;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		const code = errorCode(error);
		return code === "ENOENT" || code === "ENOTDIR" ? null : unusable(configUnreadable(code));
	}
	if (bytes.length > MAX_CONFIG_BYTES) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
	try {
		return parseConfig(JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, "")));
	} catch (error) {
		return unusable(configIsNoJson(error));
	}
}
async function changeConfig({ env, stateDir }, change) {
	const named = loadConfig(env).file ?? configFiles(env)[0] ?? "";
	const file = orNull(() => realpathSync(named)) ?? named;
	ensureStateDir(stateDir);
	return await withFileLock(join(stateDir, "rules.lock"), async () => {
		const bytes = readPlainFile(file);
		if (bytes === null ? isThere(file) : !isUtf8(bytes)) throw configNotUsable(file);
		const text = bytes?.toString("utf8") ?? null;
		const next = change(contentOf(text, file));
		const made = `${JSON.stringify(next, null, 2)}\n`;
		if (next === null || Buffer.byteLength(made) > MAX_CONFIG_BYTES) throw configNotUsable(file);
		if (text !== null) {
			const backup = join(stateDir, "rules", `${hash("sha256", file)}.before.json`);
			mkdirSync(dirname(backup), {
				recursive: true,
				mode: 448
			});
			await replaceFile(backup, text);
		}
		mkdirSync(dirname(file), {
			recursive: true,
			mode: 448
		});
		await replaceFile(file, made);
		return file;
	}, 5);
}
var isThere = (file) => orNull(() => lstatSync(file)) !== null;
function contentOf(text, file) {
	if (text === null) return {};
	try {
		const value = JSON.parse(text.replace(/^\uFEFF/, ""));
		if (isObject(value)) return value;
	} catch {}
	throw configNotUsable(file);
}
function objectIn(content, name) {
	const value = content[name];
	return value === void 0 ? {} : isObject(value) ? value : null;
}
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
function isWholePlan(dir) {
	const { sums } = Object(readPlainJson(`${dir}/plan.json`));
	if (typeof sums !== "object" || sums === null) return false;
	const entered = lstatSync(`${dir}/entered`, { throwIfNoEntry: false });
	if (entered !== void 0 && !entered.isFile()) return false;
	return Object.entries(sums).every(([name, sum]) => {
		const content = readPlainFile(`${dir}/${name}`);
		return content !== null && sumOf(content) === sum;
	});
}
function sumOf(content) {
	return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
var fsPathIn = (dir, name) => fsPath(`${dir}/${name}`);
function knownCoveredDirs(sessionDir, plan) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const numbers = readNumbers(overlayDir);
	const planned = plan.filter(({ path, n }) => numbers.get(path) === n);
	const others = [...numbers].filter(([path]) => planned.every((covered) => covered.path !== path)).map(([path, n]) => {
		const covered = coveredDirAt(overlayDir, path, n);
		return existsSync(fsPathIn(overlayDir, `${n}/copies.json`)) ? {
			...covered,
			copied: []
		} : covered;
	});
	return [...planned, ...others.filter(({ path, upper }) => isDirectory(upper) && hasChanges(path, upper))];
}
function hasChanges(path, upper) {
	if (readdirSync(fsPath(upper)).length > 0) return true;
	const host = lstat(path);
	return host?.uid === process.getuid?.() && host?.mode !== lstat(upper)?.mode;
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
var isDirectory = (path) => lstat(path)?.type === "dir";
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
	if (isDirectory(joinPath(overlayDir, "places.json"))) rmSync(file, { recursive: true });
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
function damagedFiles(sessionDir) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const id = currentId(sessionDir);
	const lacksTable = storedNumbers(overlayDir) === null && numberedDirs(overlayDir).length > 0;
	return [...id === null || isWholePlan(`${sessionDir}/plan/${id}`) ? [] : [`${sessionDir}/plan/${id}`], ...lacksTable ? [`${sessionDir}/overlay/places.json`] : []];
}
var REPLAY_NAME = ".trai-replay";
var KEPT = "kept-";
var replayDirIn = (dir) => joinPath(dir, REPLAY_NAME);
function replayDirs(projectRoot) {
	return [replayDirIn(joinPath(projectRoot, ".git")), replayDirIn(projectRoot)];
}
function savedIn(projectRoot, replayDir) {
	return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf(replayDir);
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
	return ownReplayDirs(scope, paths.map((path) => replayDirIn(parentOf(path)))).filter((path) => coveringDir(scope.coveredDirs, path) === covered);
}
function presentReplayDirs(scope) {
	return ownReplayDirs(scope).filter((path) => upperOf(scope, path)?.type === "dir");
}
function noteReplayDir(scope, path, make) {
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
	const upper = upperOf(scope, path);
	note(upper === null ? void 0 : idOf(upper));
}
function isOwn(scope, made, path) {
	if (statOf$1(path) !== null) return false;
	const upper = upperOf(scope, path);
	if (upper === null) return true;
	const id = made.get(path);
	if (upper.type !== "dir" || id === void 0) return false;
	if (id !== null) return id === idOf(upper);
	const covered = coveringDir(scope.coveredDirs, path);
	return covered !== null && namesOrNone(upperPath(covered, path)).every((name) => name === "in");
}
function upperOf({ coveredDirs }, path) {
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
			...claudeOwnFiles(home, claudeDirs(home, meta.claudeDirs ?? [], env), meta.levels?.includes("box"))
		],
		ignore: config.ignore,
		configDir: configDir(env),
		undo: config.undo
	};
}
function homeOf(env) {
	return withoutLinks(fromText(env["HOME"] ?? "/"));
}
function claudeDirs(home, recorded, env) {
	const own = env["CLAUDE_CONFIG_DIR"] ?? "";
	const named = [joinPath(home, ".claude"), ...[...recorded, own].filter(isAbsolute).map(fromText)];
	return [.../* @__PURE__ */ new Set([...named, ...named.map(withoutLinks)])];
}
function withoutLinks(path) {
	return orNull(() => realPath(path)) ?? path;
}
function mountSource(stateDir, session) {
	return `trai:${hash("sha256", stateDir).slice(0, 8)}:${session}`;
}
function projectOf(cwd) {
	const start = resolved(cwd) ?? cwd;
	const found = discover(start);
	const id = hash("sha256", Buffer.from(found?.commonDir ?? start, "latin1")).slice(0, 16);
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
	for (let dir = start;; dir = parentOf(dir)) {
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
	const [, target] = GIT_FILE.exec(readBytes(path, GIT_FILE_BYTES) ?? "") ?? [];
	return target === void 0 ? "broken" : against(dir, target);
}
function commonDirOf(gitDir) {
	if (!hasValidHead(gitDir)) return null;
	const named = readBytes(joinPath(gitDir, "commondir"), 65536)?.replace(/[\r\n]+$/, "");
	const common = named === void 0 ? gitDir : against(gitDir, named);
	const isDirectory = (name) => statOf(joinPath(common, name))?.isDirectory() === true;
	return isDirectory("objects") && isDirectory("refs") ? resolved(common) : null;
}
function hasValidHead(gitDir) {
	const path = joinPath(gitDir, "HEAD");
	if (readLink(path)?.startsWith("refs/")) return true;
	return /^(ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/.test(readBytes(path, 256) ?? "");
}
function against(dir, target) {
	return bytePath(target.startsWith("/") ? target : joinPath(dir, target));
}
var resolved = (path) => orNull(() => realPath(path));
var readLink = (path) => orNull(() => readlinkSync(fsPath(path), "latin1"));
var statOf = (path) => orNull(() => statSync(fsPath(path)));
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
async function listSessions(stateDir) {
	const ids = (await namesIn(join(stateDir, "sessions"))).filter(isSessionId).sort();
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
	const created = !existsSync(dir) && await create(dir, freshMeta(id, input));
	return {
		meta: await readMeta(dir),
		created
	};
}
function freshMeta(id, { cwd, project = projectOf(cwd), levels, now = /* @__PURE__ */ new Date() }) {
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
async function create(dir, meta) {
	const sessions = join(dir, "..");
	const temporary = await mkdtemp(join(sessions, `.new.${basename(dir)}.`));
	let overlay = temporary;
	try {
		const overlays = join(sessions, "../overlays");
		await mkdir(overlays, {
			recursive: true,
			mode: 448
		});
		overlay = await mkdtemp(join(overlays, `${basename(dir)}.`));
		await symlink(`../../overlays/${basename(overlay)}`, join(temporary, "overlay"));
		for (const name of [
			"plan",
			"run",
			"requests",
			"grants",
			"commits"
		]) await mkdir(join(temporary, name), { mode: 448 });
		await writeNewFile(join(temporary, LOG_NAME), "");
		await writeNewFile(join(temporary, "meta.json"), metaText(meta));
		await syncDirectory(temporary);
		await rename(temporary, dir);
	} catch (error) {
		for (const made of [temporary, overlay]) await rm(made, {
			recursive: true,
			force: true
		});
		if (existsSync(dir)) return false;
		throw sessionNotMade(dir, error);
	}
	await syncDirectory(sessions);
	return true;
}
async function namesIn(dir) {
	try {
		return await readdir(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw sessionsUnreadable(dir, error);
	}
}
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
async function openInside(source, covered) {
	for (const { pid } of await liveProcesses(source)) {
		const opened = openAt(pid, source, covered);
		if (opened === null) continue;
		return {
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
		dev
	};
	nodePort.close(fd);
	return null;
}
function deviceText(dev) {
	return `${dev >> 8n & 4095n | dev >> 32n & -4096n}:${dev & 255n | dev >> 12n & -256n}`;
}
var SCRIPT = `export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do ${programPath("mount")} -o remount "$at" || exit; done`;
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
async function sessionProcesses(source, calls) {
	const found = (await liveProcesses(source)).filter(({ pid }) => !isOwnOrOver(pid));
	if (found.length === 0) return [];
	const facts = /* @__PURE__ */ new Map();
	for (const { pid } of found) learn(facts, pid, true);
	for (const one of facts.values()) for (const pid of [one.parent, one.sid]) if (pid > 1 && !facts.has(pid)) learn(facts, pid, false);
	const origin = originFinder(facts.values(), await calls());
	const sockets = listeningSockets();
	return found.map((process) => ({
		...process,
		call: origin(process.pid),
		ports: portsOf(process.pid, sockets)
	})).sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid);
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
var LISTEN = "0A";
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
export { readDiscards as $, lstatEntry as $a, isCopyable as $i, hostHasIn as $n, logTo as $o, mergeWhileLive as $r, groupsOf as $t, loadConfig as A, resultOf$1 as Aa, judgeSameType as Ai, NOT_COVERED_NOW as An, isRenamed as Ao, TreePacker as Ar, MASS_GUARD_ENTRIES as As, otherThanHost as At, freeSpace as B, clientRecordPath as Ba, replacedAmong as Bi, SESSION_CHANGED as Bn, isSameTime as Bo, changedSinceUndo as Br, expectReviewed as Bt, uppersIn as C, parseBaseLines as Ca, hasPending as Ci, NEEDS_KEPT as Cn, birthOf$1 as Co, isAborted as Cr, BASE_BLOB_BYTES as Cs, Uppers as Ct, readMeta as D, Pace as Da, partnersOf as Di, NOTHING_THERE as Dn, isAsLeft as Do, readJournalIn as Dr, HEX_BYTES as Ds, dirsTo as Dt, metaPath as E, writesBy as Ea, partnerMovedSince as Ei, NEW_OR_CHANGED as En, identityOf$1 as Eo, readJournal as Er, GRANT_MS as Es, dirsAbove as Et, BOX_NETS as F, endProcesses as Fa, staleAmong as Fi, NOT_NEWEST as Fn, onDeviceOf as Fo, isTimeOnly as Fr, UNDO_LIMITS as Fs, xattrChanges as Ft, restoreBases as G, isBoxed as Ga, knownBase as Gi, UNDONE_ALREADY as Gn, entryMessage as Go, discardGone as Gr, isUnmarked as Gt, MERGED as H, instanceAt as Ha, openViewer as Hi, SESSION_LIVE as Hn, lookIdentity as Ho, copyIsOther as Hr, failUnread as Ht, BOX_WRITES as I, isQuiet as Ia, readBases as Ii, ONLY_WHOLE as In, sameFields as Io, leavesUpper as Ir, copyOut as It, beginWhole as J, errorText as Ja, xattrHash as Ji, byOtherCalls as Jn, HOST_CHANGED as Jo, historyEntryGone as Jr, planCommit as Jt, TAG as K, writeBoxRecord as Ka, rebase as Ki, XATTR_ERRORS as Kn, refusalOf as Ko, discardInTheWay as Kr, changesOf as Kt, DEFAULT_BOX_OPTIONS as L, liveProcesses as La, recordBases as Li, PENDING_WHEN_QUIET as Ln, typeOf as Lo, replacedBelow as Lr, isWholeCopy as Lt, withFileLock as M, goesWithOthers as Ma, onlyTouched as Mi, NOT_KEPT_ANY_MORE as Mn, isSame$1 as Mo, entriesOf as Mr, MAX_DIFF_LINES as Ms, isBetween as Mt, BUILT_IN as N, sameEntry as Na, TIMES_RULE as Ni, NOT_MOVED_IN as Nn, isStillOurs as No, entryCount as Nr, REPLAY_BYTES as Ns, needsWriting as Nt, updateMeta as O, collect as Oa, equalsBase as Oi, NOT_COMPLETE as On, isBornAs as Oo, redoable as Or, HIDDEN_FILE_BYTES as Os, hostXattrs as Ot, BOX_HISTORIES as P, addTo as Pa, compileIgnore as Pi, NOT_MOVED_OUT as Pn, looksAlike as Po, hostOf as Pr, REPLAY_KEPT_MS as Ps, removesAcl as Pt, readDiscard as Q, isClosed$1 as Qa, upperPathIn as Qi, hostHas as Qn, logSize as Qo, mergeOverlaps as Qr, Tree as Qt, KEPT_BY_COMMIT as R, liveSources as Ra, HostClocks as Ri, PROJECT_GONE as Rn, closedIdentity as Ro, resultOf as Rr, checkBelieved as Rt, prepareCoveredDir as S, makeBases as Sa, bytesOf$1 as Si, MEANWHILE as Sn, removeTree as So, endTime as Sr, AUTO_DIFF_BYTES as Ss, withStaging as St, isSessionMeta as T, overlaySpans as Ta, isSameDatabase as Ti, NEW_INSIDE as Tn, hostStatOf as To, readClosed as Tr, EXPORT_MS as Ts, askHostXattrs as Tt, beforeMerge as U, isClientRunning as Ua, groupRemedy as Ui, SOCKET as Un, Cancelled as Uo, coveredSince as Ur, isChangedFile as Ut, sizeOnDisk as V, insideAt as Va, showsHost as Vi, SESSION_CHANGED_XATTRS as Vn, isWhiteout as Vo, commitNotClosed as Vr, failGroups as Vt, mergedUnits as W, readClientRecord as Wa, isUnmapped as Wi, STOPPED as Wn, NotApplied as Wo, deletionNotPending as Wr, isNewTree as Wt, isLeftover as X, hostEntry as Xa, coveringDir as Xi, dirGone as Xn, expectLog as Xo, massUndo as Xr, replacedBytes as Xt, ensureTrash as Y, holdsOutOfReach as Ya, indexDigest as Yi, cleaningStopped as Yn, NO_XATTRS as Yo, manyFileSystems as Yr, planTakingSandbox as Yt, isReturnable as Z, identityOf as Za, upperPath as Zi, givenUp as Zn, logPath as Zo, mergeNotWritten as Zr, Closure as Zt, presentReplayDirs as _, readBaseFile as _a, openFiles as _i, IN_USE as _n, lstatEach as _o, beganAt as _r, temporaryName as _s, topsOf as _t, ensureSession as a, sameContent as aa, nothingPending as ai, hostDirs as an, toHostStat as ao, partlyApplied as ar, ruleFileProblems as as, linkTo as at, damagedFiles as b, isExcluded as ba, usersBelow as bi, LEFTOVER as bn, relativeTo as bo, commitNumbers as br, writeWhole as bs, copyAll as bt, listSessions as c, decodeText as ca, overlayNotEmpty as ci, CALL_UNKNOWN as cn, CONFLICT_REASONS as co, savedBeside as cr, addsRule as cs, overlaysIn as ct, repositoryOf as d, sniffMime as da, staleUndo as di, GROUP_FAILED as dn, sameRevision as do, stoppedAt as dr, subjectOf as ds, copyWrittenImages as dt, HASH_MAX_BYTES as ea, noSuchCall as ei, isDir as en, lstatOrNone as eo, ignoredBy as er, LogParser as es, tag as et, homeOf as f, appendBases as fa, undoTooLarge as fi, HELD_OPEN as fn, timeOf$1 as fo, takenFromHost as fr, REASONS as fs, dropUnusedImages as ft, noteReplayDir as g, dropBases as ga, inodeIn as gi, HOST_UNREADABLE as gn, dressDir as go, Journal as gr, syncDirectory as gs, linkedImage as gt, REPLAY_NAME as h, confirmEmpty as ha, heldForWriting as hi, HOST_REMOVED as hn, chmodEntry as ho, JOURNAL as hr, replaceFile as hs, keepImages as ht, refreshMounts as i, readSame as ia, nothingDiscardedLive as ii, asideName as in, readTarget as io, openForWriting as ir, fieldOf as is, writeFile$1 as it, objectIn as j, conflictOf as ja, metaChanged as ji, NOT_DISCARDED_LIVE as jn, isRenamedBy as jo, bytesOf as jr, MAX_DIFF_BYTES as js, unlisted as jt, changeConfig as k, inSlices as ka, isUntouched as ki, NOT_COVERED as kn, isOf as ko, unfinishedCommit as kr, HIDDEN_MS as ks, openUppers as kt, projectOf as l, isBinary as la, staleList as li, CHANGED_MEANWHILE as ln, countChanges as lo, sessionChanged as lr, answerNamed as ls, BEFORE as lt, KEPT as m, confirmBases as ma, versionNotKept as mi, HOST_HAS_OTHER as mn, byParent as mo, treeStays as mr, readPlainJson as ms, imageOf as mt, sessionProcesses as n, hashSame as na, notMergeable as ni, Areas as nn, readEntries as no, notPending as nr, RULE_KEYS as ns, trashDir as nt, findSession as o, withSame as oa, nothingToRedo as oi, waitingAt as on, toSide as oo, pendingAgainStopped as or, ruleOf as os, overlayOf as ot, sessionContext as p, blobsStored as pa, undoWhileLive as pi, HOST_HAS_DIR as pn, Dirs as po, treeReplaced as pr, readPlainFile as ps, imageName as pt, beginDiscard as q, entryEtag as qa, rootBase as qi, beforeImageChanged as qn, COPY_GONE as qo, discardStopped as qr, isSelection as qt, openInside as r, readBytes$1 as ra, notUndoable as ri, BACK as rn, readNames as ro, olderThan as rr, RULE_LISTS as rs, trashNames as rt, lastUse as s, SNIFF_BYTES as sa, openUndoConflicts as si, ALONG as sn, watchLstat as so, replacedKept as sr, ANSWER_SCOPES as ss, overlaysDir as st, endThese as t, READ_FLAGS as ta, notADiscard as ti, linkedOf as tn, namesOrNone as to, moreThan as tr, isRaw as ts, timeOf as tt, readBytes as u, isBinaryHead as ua, staleMerge as ui, COVERED_ITSELF as un, hostMoved as uo, sessionHasOther as ur, proposedRule as us, copiedImage as ut, replayDirsOf as v, clientDirs as va, statOf$2 as vi, IN_VIEW as vn, moveOut as vo, beginTransaction as vr, tryWriteWhole as vs, checkSpace as vt, readPlan as w, WriterIndex as wa, scan as wi, NEVER_KEPT as wn, fingerprint as wo, openJournal as wr, DIFF_TIMEOUT_MS as ws, allDirsTo as wt, makeSameDirs as x, formatBaseLine as xa, writersOf as xi, LIVE_ENDED as xn, removePath as xo, commitsDir as xr, isObject as xs, makeParents as xt, savedIn as y, hostsOfClient as ya, treesInUse as yi, KEPT_AS_CHOSEN as yn, moveOutEmpty as yo, commitDir as yr, writeNewFile as ys, chooseBases as yt, diskSizes as z, clearMarks as za, hasOurTimes as zi, SANDBOX_CHANGED as zn, identityFields as zo, asTraiError as zr, checkSteps as zt };
