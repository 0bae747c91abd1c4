import { parseArgs } from "node:util";
import { hash } from "node:crypto";
import fs, { chmodSync, constants, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { constants as constants$1, homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { spawn, spawnSync } from "node:child_process";
var utf8 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
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
	return decoder.decode(toBytes(bytes));
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
var CANNOT_COVER = "no overlay can lie over it (a file system such as FUSE, 9p or FAT)";
var settingsNotPending = (dir) => refused(`nothing can be pending in ${toDisplay(dir)}, where Claude Code has its settings`, "What is written there would be yours at once. Move it out of the scratch directories, or see: trai doctor");
var alreadyInside = (where) => refused(`this runs inside ${where}, and a box cannot be made in it`, "Run trai box in a terminal outside of it.");
var INSIDE = {
	session: "a session or a box of trai’s",
	client: "Claude Code’s own sandbox (SANDBOX_RUNTIME=1)"
};
var otherProject = (session, project) => refused(`session ${session} is about another project: ${toDisplay(project)}`, "Start the box there, or without --session.");
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
var noVariable = (given) => wrong(`expected NAME or NAME=VALUE for --env, found ${JSON.stringify(given.split("=")[0])}`, "Nothing was started.");
var noProfile = (name, names) => wrong(`expected a profile of config.json, found ${JSON.stringify(name)}`, names.length === 0 ? "There are none: box.profiles in config.json." : `There are: ${names.join(", ")}`);
var NARROWS = {
	widens: (key) => `.claude/trai.box.json: ${JSON.stringify(key)} is ignored, since a project may only narrow its box (hide, net, read-only)`,
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
var quoted$1 = (text) => JSON.stringify(text);
var unknownCommand = (name, meant, names) => new TraiError("bad-usage", `expected a command, found ${quoted$1(name)}`, { hint: `${meant === void 0 ? "" : `Did you mean: trai ${meant}\n`}Commands: ${names.join(" ")}. What each does: trai help` });
var badUsageOf = (command, usage, problem) => new TraiError("bad-usage", problem, { hint: `Usage: trai ${usage}\nMore: trai ${command} --help` });
var USAGE = {
	helpTyped: "nothing was done",
	noCommand: "expected a command after --",
	noPath: "expected a path",
	noAdopted: "expected the id of the session to continue",
	noTarget: "expected --patch FILE or --branch NAME",
	twoTargets: "expected --patch or --branch, found both",
	twoScopes: "expected paths, --call or --up-to, found more than one of them",
	emptyWord: "expected a path or the id of a call, found an empty word",
	unexpected: (word) => `unexpected ${quoted$1(word)}`,
	wordWithoutEnd: (word) => `unexpected ${quoted$1(word)}: to end a process say --end PID`,
	unknownOption: (option) => `unknown option ${quoted$1(option)}`,
	noValue: (option) => `expected a value after ${option}`,
	takesNoValue: (option) => `${option} takes no value`,
	noNumber: (option, found) => `expected a number for --${option}, found ${quoted$1(found)}`,
	noChoice: (option, choices, found) => `expected ${choices.join(", ")} for --${option}, found ${quoted$1(found)}`,
	noPid: (found) => `expected a process number (PID), found ${quoted$1(found)}`,
	noDigits: (found) => `expected the six digits that the page shows, found ${quoted$1(found)}`,
	noSubcommand: (names, found) => `expected ${names.join(", ")}, found ${quoted$1(found)}`,
	noScope: (scopes, found) => `expected ${scopes.join(", ")}, found ${quoted$1(found)}`,
	noList: (found) => `expected deny, ask or allow, found ${quoted$1(found)}`,
	noTime: (found) => `expected 1h, 7d, today or an ISO time, found ${quoted$1(found)}`,
	noSource: (found) => `expected passthru or settings, found ${quoted$1(found)}`,
	noSandboxed: (found) => `expected ask or allow, found ${quoted$1(found)}`,
	noIndex: (found) => `expected the number of a rule, found ${quoted$1(found)}`,
	twoLists: "expected one of --allow, --ask and --deny, found more",
	noTool: "expected the name of a tool, or a pattern of names",
	noField: (tool) => `expected --field with a pattern for ${quoted$1(tool)}: it is not a tool whose field is known`,
	noPattern: (pattern, why) => `expected a pattern, found ${quoted$1(pattern)}: ${why}`,
	noInput: (found) => `expected the tool’s input as JSON, found ${quoted$1(found)}`,
	noQuestionNumber: (found) => `expected the number of a question, found ${quoted$1(found)}`,
	noAnswer: (found) => `expected once, session, always, no, never or leave, found ${quoted$1(found)}`,
	messageWithNo: "--message goes with the answer no",
	patternWithRule: "--pattern goes with the answers session, always and never",
	noSessionId: (found) => `expected the id of a session, found ${quoted$1(found)}`,
	manySessions: (start, fits) => `${fits.length} sessions begin with ${start}: ${fits.slice(0, 5).join(", ")}`
};
var RULES = {
	off: "Permission rules are turned off by the config (\"rules\": {\"enabled\": false}).",
	none: "No rules.",
	uncounted: "does not count",
	untrusted: "Its allow rules and directories do not count until you trust them: trai rules trust",
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
	verified: (files) => files === 0 ? "There are no rule files." : `${files} rule file(s), nothing found.`,
	added: (rule, file) => `Added to ${file}\n  ${rule}`,
	changed: (rule, file) => `Changed in ${file}\n  ${rule}`,
	moved: (rule, file) => `Moved in ${file}\n  ${rule}`,
	removed: (rule, file) => `Removed from ${file}\n  ${rule}`,
	noSuggestions: "No suggestions: nothing was left to Claude Code often enough.",
	wouldHaveSaved: (calls, sessions, failed) => `Would have saved up to ${calls} prompts in ${sessions} session(s)${failed === 0 ? "" : `; ${failed} of these calls failed`}:`,
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
		const parts = [...rules === 0 ? [] : [`${rules} rule(s)`], ...dirs === 0 ? [] : [`${dirs} allowed ${dirs === 1 ? "directory" : "directories"}`]];
		return `${parts.length === 0 ? "Nothing new to import" : `${parts.join(" and ")} to import`}${known === 0 ? "." : `, ${known} imported before.`}`;
	},
	dismissed: (count) => count === 0 ? "There is nothing to dismiss." : `Dismissed ${count}; SessionStart does not name them any more.`,
	importWith: (from) => `To import them: trai rules import ${from} --yes`,
	turnOn: "To turn it on: trai rules sandboxed allow --yes",
	written: (file) => `Written to ${file}`,
	trusted: (file, hash) => `Trusted ${file} (SHA-256 ${hash.slice(0, 16)}…)`,
	nothingToTrust: "Nothing waits to be trusted."
};
var ANSWER = {
	none: "Claude Code asks nothing.",
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
var noSessionHere = (cwd) => new TraiError("no-session", `no session of this project (${cwd})`, { hint: "A session starts with claude (with the plugin), or with: trai exec --session NAME -- COMMAND. All sessions: trai sessions" });
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
var serverNotStarted = (why, log) => new TraiError("io", `${NOT_STARTED}${why === "" ? "" : `: ${why}`}`, {
	path: log,
	hint: `Look at the end of ${log}, and at: trai doctor`
});
var bashNotStarted = (cause) => new TraiError("not-entered", `bash could not be started: ${messageOf(cause)}`);
var noClient = (looked) => new TraiError("no-program", "expected the program claude, found none", { hint: `Looked on PATH and for ${looked.join(" and ")}. Install Claude Code, or add its directory to PATH. Nothing was started.` });
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
	const at = command.handsOn === true ? ownWords(argv, shape) : argv.length;
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
function ownWords(argv, shape) {
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
		return parseArgs({
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
	[/^Option '(?:-h, )?(\S+)' does not take an argument/, USAGE.takesNoValue]
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
function pathsOf({ cwd }, { options }, option) {
	return (options.get(option) ?? "").split(",").filter((word) => word !== "").map((word) => fromText(word.startsWith("/") ? word : `${cwd}/${word}`));
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
var SLASH = /`?\btrai (status|diff|log|ps|why|commit|discard|undo|adopt|export|ui|sessions|explore|passthrough|doctor|answer)\b([^`\n]*)`?/g;
function typedHint(name, hint) {
	if (hint === void 0 || hint.includes("terminal")) return hint;
	const slashed = hint.replace(SLASH, "/trai:$1$2");
	return slashed === hint && /(?:^|\s|\()--[a-z]/.test(hint) ? `${hint}\nType it after /trai:${name} and what you typed before.` : slashed;
}
var USR = "/usr/bin";
var NIXOS = "/run/current-system/sw/bin";
var NIXOS_SETUID = "/run/wrappers/bin";
var isNixos = !existsSync(`${USR}/unshare`) && existsSync(NIXOS);
var PROGRAM_DIR = isNixos ? NIXOS : USR;
var programPath = (name) => `${PROGRAM_DIR}/${name}`;
var setuidPath = (name) => `${isNixos ? NIXOS_SETUID : USR}/${name}`;
var KILL_MS = 500;
function run(program, args, options = {}) {
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
			const [stdout, stderr] = [textOf(output), textOf(errors) + error];
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
			}, KILL_MS);
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
var textOf = (chunks) => Buffer.concat(chunks).toString("latin1");
function signalGroup(pid, name) {
	try {
		if (pid !== void 0) process.kill(-pid, name);
	} catch {}
}
function plainEnv() {
	return {
		PATH: process.env["PATH"] ?? "/usr/bin:/bin",
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
			this.#waiting.shift()?.(answer);
		}
		this.#chunks = [bytes];
		this.#read = bytes.length;
	}
};
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
	else if (answer !== "0") throw failed$1(`errno ${answer}`, isFull(Number(answer)));
}
async function syncByProgram(fd) {
	const { status, stderr } = await run("sync", ["-f", "/proc/self/fd/3"], {
		fds: [fd],
		stdout: "ignore",
		env: plainEnv()
	});
	if (status !== 0) throw failed$1(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}
function isFull(errno) {
	return errno === constants$1.errno.ENOSPC || errno === constants$1.errno.EDQUOT;
}
function failed$1(why, isNoSpace) {
	return Object.assign(/* @__PURE__ */ new Error(`sync -f: ${why}`), { code: isNoSpace ? "ENOSPC" : "EIO" });
}
var UNSUPPORTED = `$! == ${constants$1.errno.ENOTSUP}`;
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
function readAll(paths, fd) {
	if (paths.length === 0) return [];
	const input = paths.map((path) => `${path}\0`).join("");
	return linesOf(paths, perl({
		text: READ,
		calls: fd === void 0 ? READ_HERE : READ_OPEN
	}, input, fd));
}
function linesOf(paths, output) {
	const lines = output?.split("\n").slice(0, -1);
	return lines?.length === paths.length ? lines : paths.map(() => "?");
}
var MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
var MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;
function meant(line) {
	if (line === "") return "";
	if (line === "?") return null;
	const pattern = process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT;
	const all = line.split(" ").filter((one) => pattern.test(fromHex(one.slice(0, one.indexOf("=")))));
	return all.some((one) => one.endsWith("=?")) ? null : all.sort().join(" ");
}
function fromHex(hex) {
	return Buffer.from(hex, "hex").toString("latin1");
}
function xattrsOf(paths) {
	return readAll(paths).map(meant);
}
async function askXattrs(paths) {
	if (paths.length === 0) return [];
	return linesOf(paths, await askPerl({
		text: READ,
		calls: READ_HERE
	}, paths.map((path) => `${path}\0`).join(""))).map(meant);
}
var HELD = "/proc/self/fd/3";
function readOpenXattrs(fd) {
	return meant(readAll([HELD], fd)[0] ?? "?");
}
var ORIGINS = ["user.overlay.origin", "trusted.overlay.origin"].map((name) => `${Buffer.from(name).toString("hex")}=`);
function areCopies(paths) {
	return readAll(paths).map((line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`)));
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
	return hash("sha256", `${host}/${upper}`).slice(0, 16);
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
	const number = output === null ? constants$1.errno.ENOSYS : Number(output);
	const code = Object.entries(constants$1.errno).find(([, one]) => one === number)?.[0] ?? "EIO";
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
var FREE = `
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
		text: FREE,
		calls: ["llist", "lremove"]
	}, input);
	return paths.map((_, i) => output?.[i] === "1");
}
function xattrNames(asked) {
	return namesIn(asked, perl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
async function askXattrNames(asked) {
	if (asked.whole.length + asked.alone.length === 0) return namesIn(asked, null);
	return namesIn(asked, await askPerl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
function namesInput({ whole, alone }) {
	return [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join("");
}
function namesIn({ whole, alone }, output) {
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
var O_DIR = O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
var O_ENTRY = O_PATH | fs.constants.O_NOFOLLOW;
var O_APPEND = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;
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
var nodePort = {
	lstat,
	fstat: (fd) => toStat(fs.fstatSync(fd, { bigint: true })),
	openDir: (path) => fs.openSync(fsPath(path), O_DIR),
	openEntry: (path) => fs.openSync(fsPath(path), O_ENTRY),
	openAppend: (path) => fs.openSync(fsPath(path), O_APPEND, 384),
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
function orNull(call) {
	return orIfRefused(call, null);
}
function realPath(path) {
	return bytePath(realpathSync.native(fsPath(path), { encoding: "buffer" }).toString("latin1"));
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
var LOWER_TYPES = new Set("ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ecryptfs nfs nfs4 ceph virtiofs".split(" "));
var silentUntil = /* @__PURE__ */ new Map();
function knownSilent() {
	const now = Date.now();
	return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}
var quoted = (text) => JSON.stringify(text);
var relativeStateHome = (value) => new TraiError("bad-input", `expected TRAI_STATE_HOME to be an absolute path, found ${quoted(value)}`);
var invalidSessionId = (id) => new TraiError("bad-input", `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${quoted(id)}`);
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
var attachmentDamaged = (path, found) => new TraiError("corrupt", `expected the id of a session, found ${quoted(found.slice(0, 80))}`, { path });
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
var configUnreadable = (code) => `can't be read (${code})`;
var configTooLarge = (most, bytes) => `expected at most ${most} bytes, found ${bytes}`;
var configIsNoJson = (error) => `expected JSON: ${messageOf(error)}`;
function stateDir(env) {
	const own = env["TRAI_STATE_HOME"] ?? "";
	if (own !== "") {
		if (isAbsolute(own)) return resolve(own);
		throw relativeStateHome(own);
	}
	return resolve(absolute(env, "XDG_STATE_HOME") ?? join(home(env), ".local/state"), "trai");
}
function runtimeDir(env) {
	const xdg = absolute(env, "XDG_RUNTIME_DIR");
	return xdg === null ? null : resolve(xdg, "trai");
}
function configDir(env) {
	return resolve(absolute(env, "XDG_CONFIG_HOME") ?? join(home(env), ".config"), "trai");
}
var home = (env) => absolute(env, "HOME") ?? homedir();
function absolute(env, name) {
	const value = env[name] ?? "";
	return isAbsolute(value) ? value : null;
}
function sessionDir(state, id) {
	if (isSessionId(id)) return join(state, "sessions", id);
	throw invalidSessionId(id);
}
function isInsideSandbox(state, mountinfo) {
	const point = realBytes(state);
	const mounts = parseMountinfo(mountinfo ?? readFileSync("/proc/self/mountinfo", "latin1"));
	return mounts.some((mount) => mount.point === point) && mounts.some((mount) => /^trai:[0-9a-f]+:/.test(mount.source));
}
function realBytes(path) {
	return (orNull(() => realpathSync.native(path, { encoding: "buffer" })) ?? Buffer.from(resolve(path))).toString("latin1");
}
function ensureStateDir(state) {
	if (isInsideSandbox(state)) throw stateHidden();
	try {
		mkdirSync(state, {
			recursive: true,
			mode: 448
		});
		checkOwnDir(state);
		for (const name of [
			"sessions",
			"claude",
			"trash"
		]) {
			mkdirSync(join(state, name), {
				recursive: true,
				mode: 448
			});
			checkOwnDir(join(state, name));
		}
		if (!existsSync(join(state, ".gitignore"))) writeFileSync(join(state, ".gitignore"), "*\n", { mode: 384 });
	} catch (error) {
		if (error instanceof TraiError) throw error;
		throw stateDirNotMade(state, error);
	}
}
var OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;
function checkOwnDir(path) {
	const found = lstatSync(path);
	if (found.isSymbolicLink()) throw dirIsLink(path);
	if (!found.isDirectory()) throw dirIsOther(path);
	if (found.uid !== process.getuid?.()) throw dirOfOther(path, found.uid);
	if ((found.mode & OTHERS_WRITE) !== 0) throw dirOthersWrite(path);
	if ((statSync(path).mode & 63) !== 0) chmodSync(path, 448);
}
function isSessionId(text) {
	return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}
function sessionIdOfClaude(claudeId) {
	if (isSessionId(claudeId)) return claudeId;
	return `${claudeId.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 40) || "claude"}.${hash("sha256", Buffer.from(claudeId, "utf16le")).slice(0, 16)}`;
}
function makeCli(options, sink) {
	const env = process.env;
	const state = stateDir(env);
	if (isInsideSandbox(state)) throw stateHidden();
	const coloured = process.stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
	return {
		env,
		cwd: process.cwd(),
		state,
		root: env["TRAI_ROOT"] ?? "",
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
		const { helpText } = await import("./cli/all.mjs");
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
var PROGRAM_NAMES = [
	"claude",
	"box",
	"exec",
	"explore"
];
async function commandNamed(name) {
	const commands = PROGRAM_NAMES.includes(name) ? (await import("./cli/programs.mjs").then((n) => n.n)).PROGRAMS : (await import("./cli/all.mjs")).COMMANDS;
	const found = commands.find((one) => one.name === name);
	if (found !== void 0) return found;
	const names = commands.map((one) => one.name);
	throw unknownCommand(name, closest(name, names), names);
}
function cliFor({ name }, args, sink) {
	try {
		return makeCli(args, sink);
	} catch (error) {
		if (name === "box" && error instanceof TraiError && error.code === "inside-sandbox") throw alreadyInside(INSIDE.session);
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
ignoreClosedOutput();
var argv = process.argv.slice(2);
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
});
export { nodePort as $, nameOf as $n, clockText as $t, noSuchSession as A, noNetwork as An, RULES as At, isNetwork as B, ERROR_TABLE as Bn, noSessionHere as Bt, logNotWritten as C, allowsAll as Cn, setuidPath as Ct, metaOfOther as D, hiddenOutside as Dn, pathsOf as Dt, metaNotWritten as E, hiddenMissing as En, choiceOf as Et, sessionsUnreadable as F, programPending as Fn, needsYes as Ft, parseMountinfo as G, bytePath as Gn, nothingPendingAt as Gt, knownSilent as H, messageOf as Hn, noSpaceForServer as Ht, KERNEL_TYPES as I, projectNotPending as In, noClient as It, at as J, isAscii as Jn, portTaken as Jt, unescapeMount as K, fromText as Kn, nothingToUndo as Kt, LOWER_TYPES as L, projectTooWide as Ln, noConflictAt as Lt, permitNotWritten as M, noVariable as Mn, bashNotStarted as Mt, permitsUnreadable as N, notMade as Nn, needsPermit as Nt, metaUnreadable as O, noBwrap as On, readArgs as Ot, sessionNotMade as P, otherProject as Pn, needsTerminal as Pt, lstat as Q, joinPath as Qn, visible as Qt, ROOT_OPTIONS as R, settingsNotPending as Rn, noQuestion as Rt, logLineCut as S, allowedMissing as Sn, programPath as St, metaField as T, foreignRepository as Tn, badUsage as Tt, mountOf as U, messageWithPath as Un, noSuchProcesses as Ut, isRemote as V, TraiError as Vn, noSessionNamed as Vt, ownMounts as W, toErrorBody as Wn, notYetConfirmed as Wt, fsPath as X, isByteString as Xn, stateNotWritable as Xt, errorCode as Y, isBelowAny as Yn, serverNotStarted as Yt, isNoSpace as Z, isWithin as Zn, typedForOther as Zt, configTooLarge as _, CANNOT_COVER as _n, xattrNames as _t, isSessionId as a, lowText as an, toStat as at, foreignServerFile as b, STAYS as bn, run as bt, sessionIdOfClaude as c, namedPaths as cn, withHandle as ct, META_IS_NO_JSON as d, durationText as dn, areCopies as dt, committedText as en, parentOf as er, orIfRefused as et, REPAIR_SESSION as f, localText as fn, askXattrNames as ft, configNotUsable as g, BWRAP as gn, xattrIdentity as gt, configIsNoJson as h, ALLOWS as hn, otherXattrs as ht, ensureStateDir as i, fullText as in, syncFileSystems as it, permitNotUsedUp as j, noProfile as jn, USAGE as jt, metaUnusable as k, noGate as kn, ANSWER as kt, META_IS_MISSING as l, overlapText as ln, withHandleAsync as lt, attachmentUnreadable as m, VERSION as mn, freeOfOrigin as mt, checkOwnDir as n, diskText as nn, toText as nr, realPath as nt, runtimeDir as o, markedLines as on, useAndClose as ot, attachmentDamaged as p, sizeText as pn, askXattrs as pt, visibleMounts as q, innermost as qn, onlyUserRemoves as qt, configDir as r, firstLines as rn, syncDirs as rt, sessionDir as s, minuteText as sn, useAndCloseAsync as st, absolute as t, countText as tn, toDisplay as tr, orNull as tt, META_IS_NO_FILE as u, shownPath as un, OF_THE_PLACE as ut, configUnreadable as v, INSIDE as vn, xattrsOf as vt, logUnreadable as w, alreadyInside as wn, stoppable as wt, logIsNoFile as x, WIDE as xn, PROGRAM_DIR as xt, configUnusable as y, NARROWS as yn, keepPerl as yt, holderOf as z, unsafeBwrap as zn, noRoomToEnter as zt };
