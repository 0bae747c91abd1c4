"use strict";
const require_cli = require("../cli.cjs");
const require_rule_set = require("./rule-set.cjs");
const require_read = require("./read.cjs");
const require_draft = require("./draft.cjs");
const require_resolve = require("./resolve.cjs");
const require_settings = require("./settings.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
let node_os = require("node:os");
let node_path = require("node:path");
let node_fs_promises = require("node:fs/promises");
let node_buffer = require("node:buffer");
let node_vm = require("node:vm");
let node_v8 = require("node:v8");
var bootId = () => digest((0, node_fs.readFileSync)("/proc/sys/kernel/random/boot_id", "latin1").trim());
var sinceBoot = () => Math.round((0, node_os.uptime)() * 1e3);
async function openGrant(sessionDir, { kind, what = "" }) {
	const dir = grantsDir(sessionDir);
	const random = (0, node_crypto.randomBytes)(6).toString("hex");
	const name = [
		kind,
		digest(what),
		bootId(),
		sinceBoot(),
		random
	].join(".");
	try {
		await (0, node_fs_promises.mkdir)(dir, { mode: 448 }).catch((error) => {
			if (require_cli.errorCode(error) !== "EEXIST") throw error;
		});
		await (0, node_fs_promises.writeFile)((0, node_path.join)(dir, `.${random}`), what, {
			flag: "wx",
			mode: 384
		});
		await (0, node_fs_promises.rename)((0, node_path.join)(dir, `.${random}`), (0, node_path.join)(dir, name));
	} catch (error) {
		throw require_cli.errorCode(error) === "ENOENT" ? require_cli.noSuchSession(sessionDir, error) : require_cli.permitNotWritten(dir, error);
	}
}
async function takeGrant(sessionDir, kind, what = "") {
	for (const grant of await grantsOf(sessionDir, kind)) {
		if (grant.what !== digest(what)) continue;
		const valid = isValid(grant);
		if (await remove$1(sessionDir, grant) && valid) return true;
	}
	return false;
}
async function permitText(sessionDir, command) {
	const open = (await grantsOf(sessionDir, "permit")).filter(isValid);
	for (const grant of open.reverse()) {
		const text = await (0, node_fs_promises.readFile)((0, node_path.join)(grantsDir(sessionDir), grant.file), "utf8").catch(() => "");
		if (digest(text) === grant.what && (text === command || text.startsWith(`${command} `))) return text;
	}
	return null;
}
function wordsOf$2(text) {
	return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
var FILE = /^(permit|passthrough)\.([0-9a-f]{32})\.([0-9a-f]{32})\.(\d{1,15})\.[0-9a-f]{12}$/;
async function grantsOf(sessionDir, wanted) {
	const dir = grantsDir(sessionDir);
	let files;
	try {
		files = (0, node_fs.readdirSync)(dir);
	} catch (error) {
		if (require_cli.errorCode(error) === "ENOENT") return [];
		throw require_cli.permitsUnreadable(dir, error);
	}
	const grants = [];
	for (const file of files) {
		const [, kind, what = "", boot = "", openedAt = ""] = FILE.exec(file) ?? [];
		if (kind === wanted) grants.push({
			file,
			what,
			boot,
			openedAt: Number(openedAt)
		});
	}
	return grants.sort((a, b) => a.openedAt - b.openedAt);
}
function isValid({ boot, openedAt }) {
	const age = sinceBoot() - openedAt;
	return boot === bootId() && age >= 0 && age <= 3e5;
}
async function remove$1(sessionDir, { file }) {
	const path = (0, node_path.join)(grantsDir(sessionDir), file);
	try {
		await (0, node_fs_promises.unlink)(path);
		return true;
	} catch (error) {
		if (require_cli.errorCode(error) === "ENOENT") return false;
		throw require_cli.permitNotUsedUp(path, error);
	}
}
function digest(text) {
	return (0, node_crypto.createHash)("sha256").update(text).digest("hex").slice(0, 32);
}
function grantsDir(sessionDir) {
	return (0, node_path.join)(sessionDir, "grants");
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
async function withPermit(cli, command, given, ctx) {
	const caller = require_cli.callerOf(process.pid, cli.state);
	if (caller.kind === "user" && !given.fromPrompt) return given;
	const text = await permitText(ctx.sessionDir, command.name);
	if (text === null || !await takeGrant(ctx.sessionDir, "permit", text)) throw require_cli.needsPermit(command.name, caller);
	require_cli.logTo(ctx.sessionDir, {
		t: "grant",
		kind: "permit",
		what: text,
		state: "used"
	});
	const args = {
		...require_cli.readArgs(command, wordsOf$2(text).slice(1)),
		json: given.json
	};
	if (args.help) throw require_cli.badUsage(command, require_cli.USAGE.helpTyped);
	if (args.session === null || args.session === ctx.session || command.name === "adopt") return args;
	throw require_cli.typedForOther(command.name, ctx.session, args.session, lineOf(command, args));
}
function lineOf(command, { flags, options, session, words }) {
	return [
		command.name,
		...[...flags].map((flag) => `--${flag}`),
		...[...options, ["session", session ?? ""]].flatMap(([name, value = ""]) => [`--${name}`, require_cli.quoted(value)]),
		...words.some((word) => word.startsWith("-")) ? ["--"] : [],
		...words.map(require_cli.quoted)
	].join(" ");
}
function aboutSession({ acts, run, ...about }) {
	const command = {
		...about,
		async run(cli, given) {
			const chosen = await chosenSession(cli);
			for (const { text } of require_cli.loadConfig(cli.env, chosen.meta.configFile).problems) cli.remark(text);
			const args = given.fromPrompt || acts(given) ? await withPermit(cli, command, given, chosen.ctx) : given;
			return await run({
				cli,
				...chosen,
				args
			});
		}
	};
	return command;
}
var always = () => true;
var never = () => false;
async function chosenSession(cli) {
	const meta = await chosenMeta(cli);
	if (meta === null) throw require_cli.noSessionHere(cli.cwd);
	const { recoverOverlay } = await Promise.resolve().then(() => require("./with-session.cjs")).then((n) => n.with_session_exports);
	await recoverOverlay({
		stateDir: cli.state,
		session: meta.id,
		env: cli.env
	});
	return {
		meta,
		ctx: await require_cli.sessionContext(cli.state, meta.id, cli.env)
	};
}
async function chosenMeta(cli) {
	if (cli.session !== null) return await namedMeta(cli.state, cli.session);
	const claude = cli.env["CLAUDE_CODE_SESSION_ID"] ?? "";
	const attached = claude === "" ? null : await require_cli.sessionOfClaude(cli.state, claude);
	if (attached !== null) return await require_cli.readMeta(require_cli.sessionDir(cli.state, attached));
	return await require_cli.findSession(cli.state, { cwd: cli.dir });
}
async function namedMeta(state, id) {
	try {
		return await require_cli.readMeta(require_cli.sessionDir(state, id));
	} catch (error) {
		if (!(error instanceof require_cli.TraiError) || error.code !== "no-session") throw error;
		throw require_cli.noSessionNamed(id, error);
	}
}
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
var RUNS$2 = 73;
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
			if (pending?.type !== "symlink" || pending.target === void 0 || !require_cli.isWithin(path, projectRoot)) return false;
			return !require_cli.isWithin(resolved(require_cli.parentOf(path), pending.target), projectRoot);
		}
	},
	"odd-name": {
		one: "name with hidden characters",
		many: "names with hidden characters",
		why: "It may impersonate another file.",
		test: ({ path, pending }) => pending !== null && hasHidden(require_cli.nameOf(path))
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
		test: ({ path }, { projectRoot }) => !require_cli.isWithin(path, projectRoot)
	},
	"executable": {
		one: "newly executable",
		many: "newly executable",
		why: "It could not be executed before.",
		test: ({ pending, host }) => pending?.type === "file" && (pending.mode & RUNS$2) !== 0 && (host?.type !== "file" || (host.mode & RUNS$2) === 0)
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
function keyPaths(home) {
	return [...HOME_KEYS.map((key) => `${home}/${key}`), ...ROOT_KEYS];
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
	return path !== home && require_cli.isWithin(path, home) ? path.slice(home === "/" ? 1 : home.length + 1) : null;
}
function atOrBelow(paths) {
	const forms = paths.map((path) => path.replaceAll(".", "\\.") + (path.endsWith("/") ? "" : "$"));
	return new RegExp(`^(?:${forms.join("|")})`, "s");
}
var PLAIN$1 = /^[ -~]*$/;
function hasHidden(name) {
	if (PLAIN$1.test(name)) return false;
	return require_cli.toDisplay(name.replaceAll("\\", "")).includes("\\");
}
function resolved(dir, target) {
	const parts = [];
	for (const part of (target.startsWith("/") ? target : require_cli.joinPath(dir, target)).split("/")) if (part === "..") parts.pop();
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
var SLOW_MS = 25;
var MOST_MS$1 = 1e3;
var MOST_SLOW$2 = 2;
var ENTRY = Symbol.for("trai.rules.guarded");
var script = new node_vm.Script(`globalThis[Symbol.for('trai.rules.guarded')]()`);
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
			this.isSpent = this.count >= MOST_SLOW$2 || spent > MOST_MS$1;
			if (this.isSpent) return work();
			const before = process.cpuUsage();
			try {
				return interruptible(work, limit);
			} catch (error) {
				if (require_cli.errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
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
var CHUNK = 2e3;
var WATCHED = 50;
var MOST_SLOW$1 = 3;
var MOST_MS = 5e3;
var PLAIN_MS = .01;
function matchEffects(effects, entries, roots) {
	const isOver = limit(MOST_MS + PLAIN_MS * effects.length * entries.length);
	let slow = 0;
	return effects.map(({ paths }) => {
		const found = slow < MOST_SLOW$1 && !isOver() ? matchEffect(require_draft.compileIgnore({
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
	for (let from = 0; from < entries.length; from += CHUNK) {
		if (isOver()) return null;
		const part = entries.slice(from, from + CHUNK);
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
	const head = shown.length === 0 ? `${list.problems.length > 0 ? "Nothing readable" : "Nothing"} is pending in session ${style.bold(input.session)}` : `${require_cli.countText(shown.length, "change")} pending in session ${style.bold(input.session)}: ${countsText(list.counts)}, ${require_cli.sizeText(list.bytes)}`;
	const ignored = list.ignored.count === 0 ? "" : style.dim(` (+ ${list.ignored.count} ignored, ${require_cli.sizeText(list.ignored.bytes)})`);
	const times = list.times === void 0 ? "" : style.dim(` (+ ${require_cli.countText(list.times, "time")})`);
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
	if (input.low !== null) lines.push(style.yellow(require_cli.lowText(input.low)));
	const risks = countRisks(input.list.changes, {
		...input,
		hidden: input.texts.hidden
	}).map(riskText);
	if (input.texts.unread > 0) risks.push(unreadText(input.texts.unread));
	if (risks.length > 0) lines.push(style.yellow(`Worth a look: ${risks.join(", ")}`));
	if (input.list.conflicts > 0) lines.push(style.red(conflictText(input.list)));
	for (const overlap of input.overlaps) {
		const text = require_cli.overlapText(overlap.session, overlap, input.projectRoot);
		lines.push(style.yellow(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
	}
	for (const problem of input.list.problems) lines.push(style.red(`Could not be read: ${problem.path}: ${problem.message}`));
	if (input.processes.length > 0) {
		lines.push(`${require_cli.countText(input.processes.length, "running process", "running processes")}:`);
		for (const one of input.processes.slice(0, 10)) lines.push(style.dim(`  ${one.pid}  ${one.command}`));
	}
	return lines;
}
function conflictText(list) {
	const moved = require_draft.hostMoved(list).length;
	const closed = list.conflicts - moved;
	const pending = list.changes.filter((change) => change.ignored === null).length;
	const parts = moved === 0 ? [] : [`The host changed ${moved} of ${require_cli.countText(pending, "pending path")} since`];
	if (closed > 0) parts.push(`${require_cli.countText(closed, "directory", "directories")} cannot be read`);
	return parts.join("; ");
}
function changeLine(change, projectRoot, style) {
	const mark = MARKS[change.kind];
	const colour = mark === "A" ? style.green : mark === "D" ? style.red : style.yellow;
	const slash = (change.pending ?? change.host)?.type === "dir" ? "/" : "";
	const conflict = conflictOf(change, style);
	return `  ${colour(mark)} ${require_cli.shownPath(change.path, projectRoot)}${slash}${style.dim(detailOf(change, projectRoot))}${conflict}${effectsText(change, style)}`;
}
function conflictOf({ conflict }, style) {
	if (conflict === null) return "";
	return style.red(`  ${conflict === "unreadable" ? "" : "conflict: "}${require_draft.CONFLICT_REASONS[conflict]}`);
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
	if (pending?.type === "symlink" && pending.target !== void 0) return ` -> ${require_cli.toDisplay(pending.target)}`;
	if (change.renamedFrom !== void 0) return ` (renamed from ${require_cli.shownPath(change.renamedFrom, projectRoot)})`;
	if (pending === null || host === null) return "";
	if (change.kind === "dir-replaced") return " (directory recreated)";
	if (pending.type !== host.type) return ` (${host.type} becomes ${pending.type})`;
	const parts = [];
	if (pending.mode !== host.mode) parts.push(`mode ${require_cli.modeText(host.mode)} to ${require_cli.modeText(pending.mode)}`);
	if (pending.uid !== host.uid || pending.gid !== host.gid) parts.push(`owner ${host.uid}:${host.gid} to ${pending.uid}:${pending.gid}`);
	if (change.xattrs === true) parts.push("extended attributes");
	return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
var ANSWERS$1 = {
	once: "allowed_once",
	session: "allowed_always",
	always: "allowed_always",
	no: "denied_once",
	never: "denied_always",
	ran: "allowed_unknown",
	refused: "denied_unknown",
	ended: "denied_unknown",
	leave: null,
	late: null,
	gone: null
};
function answerOf({ decision, outcome, answered }) {
	if (decision === "allow" || decision === "deny") return null;
	const said = answered === null ? null : ANSWERS$1[answered.end];
	if (said !== null) return said;
	if (outcome === "denied") return "denied_unknown";
	return (decision === "ask" || answered !== null) && outcome !== "unknown" ? "allowed_unknown" : null;
}
function eventOf(call) {
	const answer = answerOf(call);
	return answer === null ? call.decision : `${call.decision}_${answer}`;
}
function endingOf({ outcome, error }) {
	if (outcome === "failed") return error === "" ? "failed" : `failed: ${error}`;
	return outcome === "timed-out" || outcome === "interrupted" ? outcome : "";
}
function errorOfCommand(rc) {
	if (rc === null || rc === 0) return "";
	return rc > 128 ? `signal ${rc - 128}` : `exit ${rc}`;
}
function errorOfTool(text) {
	const [, name, mcp] = /^(?:<tool_use_error>)?\s*(?:(\w{1,60}Error)\b|(MCP error -?\d{1,9}))/.exec(text) ?? [];
	return name ?? mcp ?? "error";
}
function isCommandTimeout(head) {
	return /^Exit code (137|143)\nCommand timed out after \d/.test(head);
}
var TELLING = /* @__PURE__ */ new Set([
	"permission",
	"permission.outcome",
	"question",
	"call.requested",
	"call.closed",
	"call.outcome"
]);
async function readDecisions(request) {
	const { decisions } = await readCandidates(request, null);
	return decisions;
}
async function readCandidates({ stateDir, since }, mayCount) {
	const { sessions } = await require_cli.listSessions(stateDir);
	const all = await Promise.all(sessions.map(async ({ id }) => {
		const counting = /* @__PURE__ */ new Set();
		const others = /* @__PURE__ */ new Map();
		const isEnough = (event) => {
			if (mayCount === null || event.t !== "permission") return false;
			const { request, at, cut } = event;
			if (counting.has(request)) return false;
			if (mayCount(event)) {
				counting.add(request);
				others.delete(request);
				return false;
			}
			others.set(request, cut === 0 && at >= since);
			return true;
		};
		const wanted = {
			types: TELLING,
			isEnough
		};
		const fold = await require_read.readFold(require_cli.sessionDir(stateDir, id), wanted).catch(() => null);
		if (fold === null) return {
			decisions: [],
			others: 0
		};
		return {
			decisions: decisionsOf(id, fold).filter(({ at }) => at >= since),
			others: [...others.values()].filter(Boolean).length
		};
	}));
	return {
		decisions: all.flatMap(({ decisions }) => decisions).sort(byTime),
		others: all.reduce((sum, { others }) => sum + others, 0)
	};
}
function decisionsOf(session, fold) {
	const found = [];
	for (const call of fold.views()) {
		const { permission, cwd, id } = call;
		if (permission === null) continue;
		found.push(decidedCall(permission, {
			session,
			id,
			cwd
		}, endOfCall(call)));
	}
	for (const tool of fold.tools()) found.push(decidedCall(tool, {
		session,
		id: "",
		cwd: ""
	}, endOfTool(tool)));
	return found;
}
function decidedCall(one, { session, id, cwd }, { rc, error, outcome }) {
	return {
		session,
		id,
		cwd,
		rc,
		error,
		outcome,
		at: one.at,
		request: one.request,
		agent: one.agent,
		tool: one.tool,
		subject: one.subject,
		cut: one.cut,
		decision: one.decision,
		by: one.by,
		rule: one.rule,
		hash: one.hash,
		also: one.also,
		segment: one.segment,
		why: one.why,
		ms: one.ms,
		answered: one.answered
	};
}
function byTime(a, b) {
	return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}
function endOfCall(call) {
	const [rc, outcome] = [exitOf(call), outcomeOfCall(call)];
	if (outcome !== "failed") return {
		rc,
		error: "",
		outcome
	};
	if (call.state === "not-entered") return {
		rc,
		error: "not entered",
		outcome
	};
	return {
		rc,
		error: errorOfCommand(rc),
		outcome
	};
}
function outcomeOfCall({ state, permission, interrupted, rc, ok, head }) {
	if (state === "refused" || permission?.decision === "deny") return "denied";
	if (state === "not-run") return permission?.decision === "allow" ? "unknown" : "denied";
	if (state === "not-entered") return "failed";
	if (state !== "ended" && state !== "unsandboxed") return "unknown";
	if (interrupted) return "interrupted";
	if (ok === false && isCommandTimeout(head)) return "timed-out";
	return (rc ?? (ok === false ? 1 : 0)) === 0 ? "ran" : "failed";
}
function exitOf({ rc, ok, head }) {
	if (rc !== null || ok === null) return rc;
	const said = ok ? "0" : /^Exit code (\d{1,3})\b/.exec(head)?.[1];
	return said === void 0 ? null : Number(said);
}
function endOfTool({ decision, outcome, error }) {
	if (decision === "deny") return {
		rc: null,
		error: "",
		outcome: "denied"
	};
	return {
		rc: null,
		error: outcome === "failed" ? errorOfTool(error) : "",
		outcome: outcome ?? "unknown"
	};
}
function hitsOf(decisions) {
	const found = /* @__PURE__ */ new Map();
	for (const { at, hash, rule, also } of decisions) for (const key of [hash === "" ? rule : hash, ...also]) {
		if (key === "") continue;
		const known = found.get(key);
		if (known === void 0) found.set(key, {
			hits: 1,
			last: at
		});
		else {
			known.hits += 1;
			if (known.last < at) known.last = at;
		}
	}
	return found;
}
function hitsKey({ hash, text }) {
	return hash === "" ? text : hash;
}
async function changeConfig({ env, stateDir }, change) {
	const named = require_cli.loadConfig(env).file ?? require_cli.configFiles(env)[0] ?? "";
	const file = require_cli.orNull(() => (0, node_fs.realpathSync)(named)) ?? named;
	require_cli.ensureStateDir(stateDir);
	return await require_cli.withFileLock((0, node_path.join)(stateDir, "rules.lock"), async () => {
		const bytes = require_cli.readPlainFile(file);
		if (bytes === null ? isThere(file) : !(0, node_buffer.isUtf8)(bytes)) throw require_cli.configNotUsable(file);
		const text = bytes?.toString("utf8") ?? null;
		const next = change(contentOf$1(text, file));
		const made = `${JSON.stringify(next, null, 2)}\n`;
		if (next === null || Buffer.byteLength(made) > 262144) throw require_cli.configNotUsable(file);
		await require_cli.writing(file, async () => {
			if (text !== null) {
				const backup = (0, node_path.join)(stateDir, "rules", `${(0, node_crypto.hash)("sha256", file)}.before.json`);
				(0, node_fs.mkdirSync)((0, node_path.dirname)(backup), {
					recursive: true,
					mode: 448
				});
				await require_cli.writing(backup, () => require_cli.replaceFile(backup, text));
			}
			(0, node_fs.mkdirSync)((0, node_path.dirname)(file), {
				recursive: true,
				mode: 448
			});
			await require_cli.replaceFile(file, made, modeOf$1(file));
		});
		return file;
	}, 5);
}
var modeOf$1 = (file) => {
	const found = require_cli.orNull(() => (0, node_fs.lstatSync)(file));
	return found === null ? void 0 : found.mode & 511;
};
var isThere = (file) => require_cli.orNull(() => (0, node_fs.lstatSync)(file)) !== null;
function contentOf$1(text, file) {
	if (text === null) return {};
	try {
		const value = JSON.parse(text.replace(/^\uFEFF/, ""));
		if (require_cli.isObject(value)) return value;
	} catch {}
	throw require_cli.configNotUsable(file);
}
function objectIn(content, name) {
	const value = content[name];
	return value === void 0 ? {} : require_cli.isObject(value) ? value : null;
}
function allCommands(script) {
	const found = [];
	for (const command of script.commands) {
		found.push(command);
		for (const inner of scriptsOf(command)) found.push(...allCommands(inner));
	}
	return found;
}
function isPlain(script) {
	if (script.broken || script.odd.length > 0) return false;
	return script.commands.every((command) => wordsOf$1(command).every(({ value, pieces }) => value !== null || pieces.every((piece) => piece.kind !== "odd")) && scriptsOf(command).every(isPlain));
}
function wordsOf$1(command) {
	const { loose, assignments, redirects } = command;
	if (loose.length === 0 && assignments.length === 0 && redirects.length === 0) return command.words;
	const words = [...command.words, ...loose];
	for (const { value } of assignments) if (value !== null) words.push(value);
	for (const { target, body } of redirects) {
		if (target !== null) words.push(target);
		if (body !== null) words.push(body);
	}
	return words;
}
function scriptsOf(command) {
	const words = wordsOf$1(command).filter(({ value }) => value === null);
	return words.length === 0 ? NONE$1 : words.flatMap(({ pieces }) => pieces.flatMap(scriptsOfPiece));
}
var NONE$1 = [];
function scriptsOfPiece(piece) {
	if (piece.kind === "script") return [piece.script];
	return piece.kind === "odd" ? piece.scripts : [];
}
function wordSet(text) {
	return new Set(text.split(/\s+/));
}
function programOf(command) {
	const value = command.words[0]?.value;
	if (value === void 0 || value === null || value === "") return null;
	if (!value.includes("/")) return value;
	return /^\/(?:usr\/(?:local\/)?)?bin\/([^/]+)$/.exec(value)?.[1] ?? null;
}
function isFixed(word) {
	if (word.value !== null) return true;
	const start = word.pieces.find((piece) => piece.kind !== "text" || piece.text !== "");
	if (start?.kind === "pattern" && start.text === "~") return staysOneWord(word);
	if (start?.kind !== "text" || start.text.startsWith("-")) return false;
	return staysOneWord(word);
}
function staysOneWord(word) {
	return word.pieces.every((piece) => piece.kind === "pattern" ? piece.text === "~" : isOneVariable(piece));
}
function isOneVariable(piece) {
	if (piece.kind === "text") return true;
	if (piece.kind === "script") return piece.quoted;
	if (piece.kind !== "variable") return false;
	return /^[?#]$/.test(piece.name) || piece.quoted && !/^[@*]$/.test(piece.name);
}
function avoids(word, rules) {
	if (word.value === null) return isFixed(word);
	const long = /^--([^=]+)/.exec(word.value)?.[1];
	if (long !== void 0) return !(rules.long ?? []).some((name) => name.startsWith(long));
	if (!/^-[^-]/.test(word.value)) return true;
	return ![...rules.short ?? ""].some((letter) => word.value?.slice(1).includes(letter));
}
var HARMLESS = /^(TZ|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|CI|TERM|GH_REPO|GH_PROMPT_DISABLED|DOCKER_BUILDKIT|BUILDKIT_PROGRESS|COMPOSE_PROJECT_NAME|BRANCH|MSG|MESSAGE|VERSION|TAG|NAME|FILE|FILES|DIR|COMMIT|SHA|REF|REMOTE|BASE|TITLE|BODY|PR|NUM|COUNT|[A-Z])$/;
var HARMLESS_VALUES = [[/^(COLUMNS|LINES)$/, /^\d{1,5}$/], [/^(LANG|LANGUAGE|LC_[A-Z]+)$/, /^[\w.@:-]*$/]];
var GIT_DATA = /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|ADVICE|DIR|WORK_TREE|CEILING_DIRECTORIES|LITERAL_PATHSPECS|REFLOG_ACTION)|HUSKY|LEFTHOOK|SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|FILTER_BRANCH_SQUELCH_WARNING)$/;
var GIT_TAMED = [
	[/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/, /^(true|:)$/],
	[/^(GIT_PAGER|PAGER)$/, /^(cat|)$/],
	[/^(GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/, /^\/dev\/null$/]
];
function isGitHarmlessAssignment({ name, plain, value }) {
	if (!plain) return false;
	if (GIT_DATA.test(name)) return true;
	const text = value === null ? "" : value.value;
	return text !== null && GIT_TAMED.some(([names, values]) => names.test(name) && values.test(text));
}
var SHELL_SPECIAL = /^(f|cd|man|mail|module_|info)?path$|^(dis_)?(aliases|galiases|saliases|functions|functions_source|builtins|reswords|patchars)$|^(options|commands|parameters|modules|dirstack|history|historywords|jobdirs|jobtexts|jobstates|nameddirs|userdirs|usergroups|mapfile|psvar|fignore|watch|argv|status|pipestatus|signals|prompt|histchars|keymaps|widgets|termcap|terminfo|langinfo|errnos|sysparams|epochtime|(zsh|zle|zcurses|zgdbm|zftp)_.*|func.*trace|funcstack|auto_resume)$/;
var OBEYED = /_proxy$|^(p?npm|yarn|msbuild)_|^(msbuild|custom(before|after)|directorybuild)/;
function isHarmlessAssignment({ name, plain, value }) {
	return plain && isHarmlessVariable(name, value === null ? null : value.value);
}
function isHarmlessVariable(name, value) {
	if (/^[a-z][a-z0-9_]*$/.test(name)) return !SHELL_SPECIAL.test(name) && !OBEYED.test(name);
	if (HARMLESS.test(name)) return true;
	return value !== null && HARMLESS_VALUES.some(([names, values]) => names.test(name) && values.test(value));
}
function isHarmlessSet({ source, value }) {
	const text = value ?? source;
	const name = text.slice(0, text.indexOf("="));
	return isHarmlessVariable(name, value === null ? null : value.slice(name.length + 1));
}
var READ = {
	plain: true,
	writes: false,
	because: ""
};
var WRITE = {
	plain: true,
	writes: true,
	because: ""
};
function cited(source) {
	const text = require_cli.toDisplay(require_cli.fromText(source));
	return `\`${text.length <= MOST$2 ? text : `${text.slice(0, MOST$2 - 1)}…`}\``;
}
var MOST$2 = 60;
function unplain(because, writes = true) {
	return {
		plain: false,
		writes,
		because
	};
}
var ANYWHERE = {
	dirs: null,
	above: false
};
function whereabouts(script, cwd, home) {
	const found = /* @__PURE__ */ new Map();
	follow(script, isText(cwd) ? {
		dirs: [squeeze(cwd)],
		above: false
	} : ANYWHERE, home, found);
	return found;
}
function follow(script, start, home, found) {
	let seen = start;
	let now = start;
	for (const command of script.commands) {
		if (!command.chained) now = seen;
		found.set(command, now);
		let inside = now;
		for (const inner of scriptsOf(command)) inside = both(inside, follow(inner, now, home, found));
		seen = both(seen, inside);
		const next = after(command, now, home);
		if (next !== null) {
			now = next;
			seen = both(seen, next);
		}
	}
	return seen;
}
function after(command, now, home) {
	const program = programOf(command);
	if (program !== "cd" && program !== "pushd") return null;
	const [target, ...more] = command.words.slice(1).filter((word) => !/^(-[LPe]+|--)$/.test(word.value ?? ""));
	if (target === void 0) return program === "cd" ? {
		dirs: [home],
		above: false
	} : ANYWHERE;
	if (more.length > 0) return ANYWHERE;
	if (isTopLevel(target)) return {
		...now,
		above: true
	};
	return inDirectory(now, target, home);
}
function inDirectory(now, word, home, by = "text") {
	const tidy = (path) => by === "links" && path.includes("..") ? path : squeeze(path);
	const text = pathText(word, home);
	if (text === null || !isText(text) || /^[-+]\d*$/.test(text)) return ANYWHERE;
	if (text.startsWith("/")) return {
		dirs: [tidy(text)],
		above: false
	};
	if (now.dirs === null) return ANYWHERE;
	return {
		dirs: [...new Set(now.dirs.map((dir) => tidy(`${dir}/${text}`)))],
		above: now.above
	};
}
function pathText(word, home) {
	let text = "";
	let tilde = false;
	if (/^=./.test(word.source)) return null;
	for (const piece of word.pieces) if (piece.kind === "text") {
		text += tilde ? piece.text.slice(1) : piece.text;
		tilde = false;
	} else if (text !== "") return null;
	else if (piece.kind === "pattern" && piece.text === "~" && /^~(\/|$)/.test(word.source)) {
		tilde = true;
		text = home;
	} else if (piece.kind === "variable" && piece.name === "HOME") text = home;
	else if (piece.kind === "variable" ? piece.name === "PWD" : piece.kind === "script" && isPwd(piece.script)) text = ".";
	else return null;
	return text === "" ? null : text;
}
function isText(path) {
	return !path.includes("�");
}
function isPwd(script) {
	const [only, ...more] = script.commands;
	return more.length === 0 && only?.words.length === 1 && only.words[0]?.value === "pwd";
}
function isTopLevel(word) {
	return /^"?\$\(git rev-parse --show-toplevel\)"?$/.test(word.source);
}
function both(a, b) {
	if (a === b) return a;
	if (a.dirs === null || b.dirs === null) return ANYWHERE;
	return {
		dirs: [.../* @__PURE__ */ new Set([...a.dirs, ...b.dirs])],
		above: a.above || b.above
	};
}
var SQUEEZED = /^(?!.*(?:\/\.{0,2}\/|.\/$|\/\.{1,2}$))\//s;
function squeeze(path) {
	return SQUEEZED.test(path) ? path : node_path.posix.resolve("/", path);
}
function builtInRef(name) {
	return {
		scope: "built-in",
		file: "",
		list: "allow",
		index: require_cli.BUILT_IN.indexOf(name),
		hash: "",
		text: name,
		reason: ""
	};
}
function builtInFor(call, rules, facts) {
	const name = require_cli.BUILT_IN.includes(call.tool) ? call.tool : isInAllowedDir(call, rules, facts) ? "allowed-dirs" : "";
	return rules.builtIn.has(name) ? builtInRef(name) : null;
}
var READING$1 = /^(Read|Grep|Glob|LS|NotebookRead)$/;
var WRITING$1 = /^(Edit|MultiEdit|Write|NotebookEdit)$/;
function isInAllowedDir({ tool, input, mode, cwd }, rules, facts) {
	if (rules.allowedDirs.length === 0 || !require_cli.isObject(input)) return false;
	if (!READING$1.test(tool) && !(WRITING$1.test(tool) && mode === "acceptEdits")) return false;
	const path = input["file_path"] ?? input["notebook_path"] ?? input["path"];
	return typeof path === "string" && isInside(absolutePath(path, cwd, facts.home), rules.allowedDirs, facts);
}
function isInside(path, dirs, facts) {
	const found = facts.resolve(path);
	if (found === null || found.length === 0) return false;
	const roots = dirs.flatMap((dir) => facts.resolve(dir) ?? []);
	return found.every((one) => roots.some((root) => require_cli.isWithin(one, root)));
}
function absolutePath(path, cwd, home) {
	const named = path.replace(/^~(?=\/|$)/, home);
	return node_path.posix.isAbsolute(named) ? named : `${cwd}/${named}`;
}
function resolvedPaths(path, cwd, facts) {
	const whole = absolutePath(path, cwd, facts.home);
	return [node_path.posix.normalize(whole), ...facts.resolve(whole) ?? []];
}
var REACHING = wordSet("tmux screen byobu zellij systemd-run systemctl at batch crontab");
var RUNNERS$3 = wordSet("env command exec nohup setsid nice ionice time timeout stdbuf xargs");
function reachesHost(script) {
	for (const command of allCommands(script)) {
		const found = namesOf(command).find((name) => REACHING.has(name));
		if (found !== void 0) return found;
	}
	return null;
}
function namesOf(command) {
	const program = programOf(command);
	if (program === null) return [];
	if (!RUNNERS$3.has(program)) return [program];
	return command.words.flatMap((word) => word.value === null ? [] : [word.value]);
}
function reachText(program) {
	return `\`${program}\` may act on the host: what its server does there is written directly.`;
}
function literalPaths(script, cwd) {
	const paths = allCommands(script).flatMap(wordsOf$1).flatMap(({ value }) => {
		if (value === null || value === "" || value.startsWith("-") || /\s/.test(value)) return [];
		return [squeeze(value.startsWith("/") ? value : `${cwd}/${value}`)];
	});
	return [...new Set(paths)];
}
function forEachChild(node, callback) {
	switch (node.type) {
		case "Script":
		case "CompoundList":
		case "AndOr":
			for (const command of node.commands) callback(command);
			return;
		case "Statement":
			callback(node.command);
			return;
		case "Command":
			for (const child of node.prefix) callback(child);
			if (node.name) callback(node.name);
			for (const child of node.suffix) callback(child);
			return;
		case "Pipeline":
			for (const prefix of node.prefixes) callback(prefix);
			for (const command of node.commands) callback(command);
			return;
		case "Redirected":
			callback(node.command);
			for (const redirect of node.redirects) callback(redirect);
			return;
		case "If":
			callback(node.clause);
			callback(node.then);
			for (const branch of node.elif) callback(branch);
			if (node.else) callback(node.else);
			return;
		case "Elif":
			callback(node.clause);
			callback(node.then);
			return;
		case "For":
		case "Select":
			callback(node.name);
			if (node.wordlist) for (const word of node.wordlist) callback(word);
			callback(node.body);
			return;
		case "While":
			callback(node.clause);
			callback(node.body);
			return;
		case "Function":
		case "Coproc":
			if (node.name) callback(node.name);
			callback(node.body);
			return;
		case "Subshell":
		case "BraceGroup":
			callback(node.body);
			return;
		case "Case":
			callback(node.word);
			for (const item of node.items) callback(item);
			return;
		case "CaseItem":
			for (const pattern of node.pattern) callback(pattern);
			callback(node.body);
			return;
		case "ArithmeticFor": {
			const initialize = node.initialize;
			if (initialize) callback(initialize);
			const test = node.test;
			if (test) callback(test);
			const update = node.update;
			if (update) callback(update);
			callback(node.body);
			return;
		}
		case "Word":
		case "Glob":
		case "ArithmeticWord":
		case "HereDocBody":
		case "BraceExpansion":
		case "ExtendedGlob": {
			const parts = node.parts;
			if (parts) for (const part of parts) callback(part);
			return;
		}
		case "DoubleQuoted":
		case "LocaleString":
			for (const part of node.parts) callback(part);
			return;
		case "ParameterExpansion":
			if (node.index) callback(node.index);
			if (node.operation) callback(node.operation);
			return;
		case "Default":
		case "Remove":
		case "Transform":
			callback(node.operand);
			return;
		case "CaseModification":
			if (node.operand) callback(node.operand);
			return;
		case "Replace":
			callback(node.pattern);
			callback(node.replacement);
			return;
		case "Slice":
			callback(node.offset);
			if (node.length) callback(node.length);
			return;
		case "Assignment": {
			const index = node.index;
			if (index) callback(index);
			callback(node.value);
			return;
		}
		case "ArrayValue":
			for (const element of node.elements) callback(element);
			return;
		case "Redirect":
		case "HereString":
			if (node.descriptor) callback(node.descriptor);
			if (node.target) callback(node.target);
			return;
		case "HereDoc":
			if (node.descriptor) callback(node.descriptor);
			if (node.delimiter) callback(node.delimiter);
			callback(node.body);
			return;
		case "CommandExpansion":
		case "ProcessSubstitution":
		case "ArithmeticCommandExpansion": {
			const script = node.script;
			if (script) callback(script);
			return;
		}
		case "ArithmeticExpansion":
		case "ArithmeticCommand":
		case "ArithmeticGroup":
		case "TestCommand":
		case "TestGroup": {
			const expression = node.expression;
			if (expression) callback(expression);
			return;
		}
		case "ArithmeticBinary":
		case "TestBinary":
			callback(node.left);
			callback(node.right);
			return;
		case "ArithmeticUnary":
		case "TestUnary":
			callback(node.operand);
			return;
		case "ArithmeticTernary":
			callback(node.test);
			callback(node.consequent);
			callback(node.alternate);
			return;
		case "TestLogical":
			for (const operand of node.operands) callback(operand);
			return;
		case "TestNot":
			for (const negation of node.negations) callback(negation);
			callback(node.operand);
			return;
		case "Literal":
		case "SingleQuoted":
		case "AnsiCQuoted":
		case "SimpleExpansion":
		case "Names":
		case "Unknown":
		case "FileDescriptor":
		case "FileDescriptorVariable":
		case "HereDocDelimiter":
		case "Time":
		case "Negation": return;
		default: throw new TypeError(`Unexpected syntax node: ${node}`);
	}
}
function isOctal(code) {
	return code >= 48 && code <= 55;
}
function isHex(code) {
	return code >= 48 && code <= 57 || code >= 65 && code <= 70 || code >= 97 && code <= 102;
}
function codePoint(value, fallback) {
	try {
		return String.fromCodePoint(value);
	} catch {
		return fallback;
	}
}
var utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
function decodeBytes(bytes) {
	return utf8.decode(new Uint8Array(bytes));
}
function readByteEscape(source, pos, limit) {
	if (source.charCodeAt(pos) !== 92 || pos + 2 > limit) return void 0;
	const escaped = source.charCodeAt(pos + 1);
	const digitsStart = pos + 2;
	let end = digitsStart;
	if (escaped === 120) {
		while (end < limit && end - digitsStart < 2 && isHex(source.charCodeAt(end))) end++;
		if (end === digitsStart) return void 0;
		return {
			value: Number.parseInt(source.slice(digitsStart, end), 16),
			end
		};
	}
	if (!isOctal(escaped)) return void 0;
	while (end < limit && end - digitsStart < 2 && isOctal(source.charCodeAt(end))) end++;
	return {
		value: Number.parseInt(source.slice(pos + 1, end), 8) & 255,
		end
	};
}
function decodeAnsiCQuoted(source, start, limit) {
	let pos = start;
	let value = "";
	let bytes = [];
	let nul = -1;
	while (pos < limit && source.charCodeAt(pos) !== 39) {
		const escapeStart = pos;
		const byte = readByteEscape(source, pos, limit);
		if (byte && byte.value >= 128) {
			bytes.push(byte.value);
			pos = byte.end;
			continue;
		}
		if (bytes.length > 0) {
			value += decodeBytes(bytes);
			bytes = [];
		}
		if (byte) {
			if (byte.value === 0 && nul === -1) nul = value.length;
			value += String.fromCharCode(byte.value);
			pos = byte.end;
			continue;
		}
		if (source.charCodeAt(pos) !== 92 || pos + 1 >= limit) {
			const runStart = pos;
			while (pos < limit) {
				const code = source.charCodeAt(pos);
				if (code === 39 || code === 92 && pos + 1 < limit) break;
				pos++;
			}
			value += source.slice(runStart, pos);
			continue;
		}
		pos++;
		const escaped = source[pos++];
		switch (escaped) {
			case "a":
				value += "\x07";
				break;
			case "b":
				value += "\b";
				break;
			case "e":
			case "E":
				value += "\x1B";
				break;
			case "f":
				value += "\f";
				break;
			case "n":
				value += "\n";
				break;
			case "r":
				value += "\r";
				break;
			case "t":
				value += "	";
				break;
			case "v":
				value += "\v";
				break;
			case "\\":
				value += "\\";
				break;
			case "'":
				value += "'";
				break;
			case "\"":
				value += "\"";
				break;
			case "?":
				value += "?";
				break;
			case "\n": break;
			case "c": {
				const code = pos < limit ? source.charCodeAt(pos) : 39;
				if (code === 39) {
					value += source.slice(escapeStart, pos);
					break;
				}
				pos++;
				if (code === 92) {
					const pair = pos < limit && source.charCodeAt(pos) === 92;
					if (pair) pos++;
					value += "";
					if (!pair && pos < limit) {
						value += source[pos];
						pos++;
					}
					break;
				}
				const control = code === 63 ? 127 : code & 31;
				if (control === 0 && code < 128 && nul === -1) nul = value.length;
				value += String.fromCharCode(control);
				break;
			}
			case "u":
			case "U": {
				const digitsStart = pos;
				const maxDigits = escaped === "u" ? 4 : 8;
				while (pos < limit && pos - digitsStart < maxDigits && isHex(source.charCodeAt(pos))) pos++;
				if (pos === digitsStart) {
					value += `\\${escaped}`;
					break;
				}
				const raw = source.slice(escapeStart, pos);
				const point = Number.parseInt(source.slice(digitsStart, pos), 16);
				if (point === 0 && nul === -1) nul = value.length;
				value += codePoint(point, raw);
				break;
			}
			default: value += `\\${escaped}`;
		}
	}
	if (bytes.length > 0) value += decodeBytes(bytes);
	if (nul !== -1) value = value.slice(0, nul);
	const closed = pos < limit;
	if (closed) pos++;
	return {
		value,
		end: pos,
		closed
	};
}
var ScriptExpansionImpl = class ScriptExpansionImpl {
	static _resolveScript;
	type;
	pos;
	end;
	text;
	#window;
	#script = void 0;
	constructor(type, pos, end, text, window) {
		this.type = type;
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#window = window;
	}
	get script() {
		const window = this.#window;
		if (window !== void 0) {
			const script = ScriptExpansionImpl._resolveScript(window.source, window.start, window.end, window.depth, window.parenBoundary, window.context);
			if (window.context === void 0) script.source = window.source;
			this.script = script;
		}
		return this.#script;
	}
	set script(script) {
		this.#script = script;
		this.#window = void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			script: this.script
		};
	}
};
var ProcessSubstitutionImpl = class extends ScriptExpansionImpl {
	operator;
	constructor(pos, end, text, operator, window) {
		super("ProcessSubstitution", pos, end, text, window);
		this.operator = operator;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			operator: this.operator,
			script: this.script
		};
	}
};
var ArithmeticExpansionImpl = class ArithmeticExpansionImpl {
	static _resolveExpression;
	type = "ArithmeticExpansion";
	pos;
	end;
	text;
	#window;
	#expression = void 0;
	constructor(pos, end, text, window) {
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#window = window;
	}
	get expression() {
		const window = this.#window;
		if (window !== void 0) this.expression = ArithmeticExpansionImpl._resolveExpression(window.body, window.offset, window.source, window.depth, window.context, window.depth + 1);
		return this.#expression;
	}
	set expression(expression) {
		this.#expression = expression;
		this.#window = void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			expression: this.expression
		};
	}
};
function dequoteValue(parts) {
	let s = "";
	for (const c of parts) s += c.type === "Literal" ? c.value : c.text;
	return s;
}
function unescapeBareValue(text) {
	const first = text.indexOf("\\");
	if (first === -1) return text;
	let s = "";
	let start = 0;
	for (let i = first; i < text.length; i++) {
		if (text.charCodeAt(i) !== 92) continue;
		s += text.slice(start, i);
		i++;
		if (i >= text.length) {
			s += "\\";
			start = i;
			break;
		}
		if (text.charCodeAt(i) !== 10) s += text[i];
		start = i + 1;
	}
	return s + text.slice(start);
}
function continuedExpansionValue(text) {
	let pos = 1;
	while (text[pos] === "\\" && text[pos + 1] === "\n") pos += 2;
	return pos === 1 || text[pos] !== "(" ? text : text[0] + text.slice(pos);
}
function wordPartsValue(parts) {
	let value = "";
	for (const part of parts) switch (part.type) {
		case "Literal":
		case "Glob":
		case "SingleQuoted":
		case "AnsiCQuoted":
			value += part.value;
			break;
		case "DoubleQuoted":
		case "LocaleString":
			value += dequoteValue(part.parts);
			break;
		case "CommandExpansion":
			value += part.text[0] === "$" ? continuedExpansionValue(part.text) : part.text;
			break;
		case "ExtendedGlob":
			value += continuedExpansionValue(part.text);
			break;
		default: value += part.text;
	}
	return value;
}
var WordImpl = class {
	type = "Word";
	text;
	pos;
	end;
	#source;
	#resolver;
	#depth;
	#parts;
	#value = null;
	constructor(text, pos, end, source, resolver, depth = 0) {
		this.text = text;
		this.pos = pos;
		this.end = end;
		this.#source = source;
		this.#resolver = resolver;
		this.#depth = depth;
		this.#parts = resolver === void 0 ? void 0 : null;
	}
	get value() {
		if (this.#value === null) {
			const parts = this.#source === void 0 && this.#parts === null ? void 0 : this.parts;
			this.#value = parts ? wordPartsValue(parts) : unescapeBareValue(this.text);
		}
		return this.#value;
	}
	get parts() {
		if (this.#parts === null) this.#parts = this.#resolver?.(this.#source ?? "", this, this.#depth) ?? void 0;
		return this.#parts;
	}
	set parts(v) {
		this.#parts = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			text: this.text,
			pos: this.pos,
			end: this.end,
			parts: this.parts,
			value: this.value
		};
	}
};
function createSubstitutionContext(parent) {
	return {
		boundaries: parent === void 0 ? void 0 : substitutionBoundaries(parent),
		wordParts: void 0,
		embeddedParts: void 0,
		arrayParts: void 0
	};
}
function substitutionBoundaries(context) {
	return context.boundaries ?? (context.boundaries = /* @__PURE__ */ new Map());
}
function skipLineContinuations(source, pos, end) {
	while (pos + 1 < end && source.charCodeAt(pos) === 92 && source.charCodeAt(pos + 1) === 10) pos += 2;
	return pos;
}
function hasGlobCharacters(text) {
	return /[*?[]/.test(text);
}
var bracketSyntax = /* @__PURE__ */ new Uint8Array(128);
bracketSyntax[33] = 1;
bracketSyntax[94] = 1;
bracketSyntax[91] = 1;
bracketSyntax[93] = 1;
bracketSyntax[58] = 1;
bracketSyntax[46] = 1;
bracketSyntax[61] = 1;
bracketSyntax[45] = 1;
bracketSyntax[92] = 1;
function bracketEnds(source, start, end, parts, offset) {
	let close = end - 1;
	while (close > start && source.charCodeAt(close) !== 93) close--;
	if (close === start) return null;
	const positions = [];
	const kinds = [];
	const members = [];
	let partIndex = 0;
	let symbols = false;
	for (let pos = start; pos < end; pos++) {
		while (parts && partIndex < parts.length && parts[partIndex].end <= pos + offset) partIndex++;
		const part = parts?.[partIndex];
		const tokenPos = pos;
		let kind = 0;
		if (part && part.pos <= pos + offset && part.type !== "Literal") pos = part.end - offset - 1;
		else {
			kind = source.charCodeAt(pos);
			if (kind === 92 && pos + 1 < end && source.charCodeAt(pos + 1) === 10) {
				pos++;
				continue;
			}
			if (kind >= 128 || !bracketSyntax[kind]) kind = 0;
		}
		const last = kinds.length - 1;
		if (kind === 0 && last >= 0 && kinds[last] === 0) {
			members[last]++;
			continue;
		}
		if (last >= 0 && kinds[last] === 91 && (kind === 58 || kind === 61 || kind === 46)) symbols = true;
		positions.push(tokenPos);
		kinds.push(kind);
		members.push(1);
	}
	const count = kinds.length;
	let symbolEnd;
	if (symbols) {
		symbolEnd = new Int32Array(count).fill(-1);
		let close = -1;
		let colon = -1;
		let eq = -1;
		let dot = -1;
		for (let i = count - 1; i >= 0; i--) {
			const kind = kinds[i + 2];
			if (kind === 93) close = i + 2;
			else if (kinds[i + 3] === 93) {
				if (kind === 58) colon = i + 2;
				else if (kind === 61) eq = i + 2;
				else if (kind === 46) dot = i + 2;
			}
			if (kinds[i] !== 91) continue;
			const type = kinds[i + 1];
			const found = type === 58 ? colon : type === 61 ? eq : type === 46 ? dot : -1;
			if (found !== -1 && (type === 46 || close === -1 || close > found)) symbolEnd[i] = found + 2;
		}
	}
	const subBracket = (open) => symbolEnd === void 0 ? -1 : symbolEnd[open];
	const endFrom = new Int32Array(count + 2).fill(-1);
	const resume = (next, range) => {
		if (next >= count) return -1;
		if (range && kinds[next] === 45 && next + 1 < count && kinds[next + 1] !== 93) {
			let last = next + 1;
			if (kinds[last] === 92) {
				if (last + 1 >= count) return -1;
				last++;
			}
			let after = last + 1;
			if (kinds[last] === 91 && kinds[last + 1] === 46) {
				const symbol = subBracket(last);
				if (symbol !== -1) after = symbol;
			} else if (kinds[last] === 0 && members[last] > 1) return endFrom[last];
			if (after >= count) return -1;
			return kinds[after] === 93 ? after + 1 : endFrom[after];
		}
		return kinds[next] === 93 ? next + 1 : endFrom[next];
	};
	for (let t = count - 1; t >= 0; t--) {
		const kind = kinds[t];
		let after = t + 1;
		let range = true;
		if (kind === 92) {
			if (t + 1 >= count) continue;
			after = t + 2;
		} else if (kind === 91) {
			const type = kinds[t + 1];
			if (type === 58 || type === 61 || type === 46) {
				const symbol = subBracket(t);
				if (symbol !== -1) {
					after = symbol;
					range = type === 46;
				}
			}
		}
		endFrom[t] = resume(after, range);
	}
	const ends = /* @__PURE__ */ new Map();
	for (let t = 0; t < count; t++) {
		if (kinds[t] !== 91) continue;
		let first = t + 1;
		if (kinds[first] === 33 || kinds[first] === 94) first++;
		if (first >= count) continue;
		const close = kinds[first] === 93 ? resume(first + 1, true) : endFrom[first];
		if (close !== -1) ends.set(positions[t], positions[close - 1] + 1);
	}
	return ends;
}
function appendRange(source, start, end, parts, index, offset, result) {
	while (start < end) {
		while (parts && index < parts.length && parts[index].end <= start + offset) index++;
		const part = parts?.[index];
		if (part && part.pos === start + offset && part.end <= end + offset) {
			result.push(part);
			start = part.end - offset;
			index++;
			continue;
		}
		const stop = part ? Math.min(end, (part.pos > start + offset ? part.pos : part.end) - offset) : end;
		const text = source.slice(start, stop);
		result.push({
			type: "Literal",
			pos: start + offset,
			end: stop + offset,
			text,
			value: unescapeBareValue(text)
		});
		start = stop;
	}
	return index;
}
function parseGlobParts(source, start, end, parts, offset = 0) {
	let result;
	let brackets;
	let partIndex = 0;
	let emittedIndex = 0;
	let literalStart = start;
	for (let pos = start; pos < end; pos++) {
		while (parts && partIndex < parts.length && parts[partIndex].end <= pos + offset) partIndex++;
		const part = parts?.[partIndex];
		if (part && part.pos <= pos + offset && part.type !== "Literal") {
			pos = part.end - offset - 1;
			continue;
		}
		const character = source.charCodeAt(pos);
		if (character === 92) {
			pos++;
			continue;
		}
		let globEnd;
		if (character === 42 || character === 63) {
			const limit = part ? Math.min(end, part.end - offset) : end;
			const next = skipLineContinuations(source, pos + 1, limit);
			if (next < limit && source.charCodeAt(next) === 40) continue;
			globEnd = pos + 1;
			if (character === 42) while (globEnd < limit && source.charCodeAt(globEnd) === 42) {
				const next = skipLineContinuations(source, globEnd + 1, limit);
				if (next < limit && source.charCodeAt(next) === 40) break;
				globEnd++;
			}
		} else if (character === 91) {
			if (brackets === void 0) brackets = bracketEnds(source, pos, end, parts, offset);
			const close = brackets?.get(pos);
			if (close === void 0) continue;
			globEnd = close;
		} else continue;
		if (!result) result = [];
		emittedIndex = appendRange(source, literalStart, pos, parts, emittedIndex, offset, result);
		const text = source.slice(pos, globEnd);
		let glob;
		if (character === 91) {
			const interior = [];
			emittedIndex = appendRange(source, pos + 1, globEnd - 1, parts, emittedIndex, offset, interior);
			glob = {
				type: "Glob",
				kind: "bracket",
				pos: pos + offset,
				end: globEnd + offset,
				text,
				value: "[" + wordPartsValue(interior) + "]",
				parts: interior
			};
		} else glob = {
			type: "Glob",
			kind: character === 42 ? "star" : "question",
			pos: pos + offset,
			end: globEnd + offset,
			text,
			value: text,
			parts: void 0
		};
		result.push(glob);
		literalStart = globEnd;
		pos = globEnd - 1;
	}
	if (!result) return parts ?? void 0;
	appendRange(source, literalStart, end, parts, emittedIndex, offset, result);
	return result;
}
var Token = {
	Word: 0,
	Assignment: 1,
	Semi: 2,
	Newline: 3,
	Pipe: 4,
	And: 5,
	Or: 6,
	Amp: 7,
	LParen: 8,
	RParen: 9,
	LBrace: 10,
	RBrace: 11,
	Bang: 12,
	If: 13,
	Then: 14,
	Else: 15,
	Elif: 16,
	Fi: 17,
	Do: 18,
	Done: 19,
	For: 20,
	While: 21,
	Until: 22,
	In: 23,
	Case: 24,
	Esac: 25,
	Function: 26,
	DoubleSemi: 27,
	SemiAmp: 28,
	DoubleSemiAmp: 29,
	Select: 30,
	DblLBracket: 31,
	DblRBracket: 32,
	EOF: 33,
	ArithCmd: 34,
	Coproc: 35,
	Redirect: 36
};
var TokenValue = class {
	token = Token.EOF;
	_value = "";
	_owner;
	pos = 0;
	end = 0;
	fileDescriptor = void 0;
	variableName = void 0;
	descriptorEnd = 0;
	delimiterQuoted = false;
	content = void 0;
	targetPos = 0;
	targetEnd = 0;
	assignmentOperatorPos = -1;
	raw = false;
	keywordEligible = false;
	constructor(owner = null) {
		this._owner = owner;
	}
	get value() {
		return this._value ?? (this._value = this._owner === null ? "" : this._owner._tokenValue(this.pos, this.end, this.raw));
	}
	set value(v) {
		this._value = v;
	}
	reset() {
		this.token = Token.EOF;
		this._value = "";
		this.pos = 0;
		this.end = 0;
		this.fileDescriptor = void 0;
		this.variableName = void 0;
		this.descriptorEnd = 0;
		this.delimiterQuoted = false;
		this.content = void 0;
		this.targetPos = 0;
		this.targetEnd = 0;
		this.assignmentOperatorPos = -1;
		this.raw = false;
		this.keywordEligible = false;
	}
	copyFrom(other) {
		this.token = other.token;
		this._value = other._value;
		this.pos = other.pos;
		this.end = other.end;
		this.fileDescriptor = other.fileDescriptor;
		this.variableName = other.variableName;
		this.descriptorEnd = other.descriptorEnd;
		this.delimiterQuoted = other.delimiterQuoted;
		this.content = other.content;
		this.targetPos = other.targetPos;
		this.targetEnd = other.targetEnd;
		this.assignmentOperatorPos = other.assignmentOperatorPos;
		this.raw = other.raw;
		this.keywordEligible = other.keywordEligible;
	}
};
var RESERVED_WORDS = /* @__PURE__ */ new Map([
	["if", Token.If],
	["then", Token.Then],
	["else", Token.Else],
	["elif", Token.Elif],
	["fi", Token.Fi],
	["do", Token.Do],
	["done", Token.Done],
	["for", Token.For],
	["while", Token.While],
	["until", Token.Until],
	["in", Token.In],
	["case", Token.Case],
	["esac", Token.Esac],
	["function", Token.Function],
	["select", Token.Select],
	["coproc", Token.Coproc],
	["!", Token.Bang],
	["{", Token.LBrace],
	["}", Token.RBrace]
]);
var charType = /* @__PURE__ */ new Uint8Array(128);
charType[124] = 1;
charType[38] = 1;
charType[59] = 1;
charType[40] = 1;
charType[41] = 1;
charType[60] = 1;
charType[62] = 1;
charType[32] = 1;
charType[9] = 1;
charType[10] = 1;
charType[92] = 2;
charType[39] = 2;
charType[34] = 2;
charType[36] = 2;
charType[96] = 2;
charType[123] = 2;
function skipBlanks(source, pos, end) {
	while (pos < end) {
		const ch = source.charCodeAt(pos);
		if (ch === 32 || ch === 9) pos++;
		else if (ch === 92 && pos + 1 < end && source.charCodeAt(pos + 1) === 10) pos += 2;
		else break;
	}
	return pos;
}
var arithmeticWordDelimiter = /* @__PURE__ */ new Uint8Array(128);
for (const ch of [
	9,
	10,
	32,
	33,
	37,
	38,
	40,
	41,
	42,
	43,
	44,
	45,
	47,
	58,
	60,
	61,
	62,
	63,
	94,
	124
]) arithmeticWordDelimiter[ch] = 1;
function hasEmbeddedWordStructure(source, start, end) {
	for (let pos = start; pos < end; pos++) {
		const ch = source.charCodeAt(pos);
		if (ch === 92 || ch === 39 || ch === 34 || ch === 36 || ch === 96 || (ch === 60 || ch === 62) && pos + 1 < end && source.charCodeAt(pos + 1) === 40) return true;
	}
	return false;
}
function findUnnested(s, target, pairTernaries = false, findNestedEnd) {
	let depth = 0;
	let ternaryDepth = 0;
	for (let i = 0; i < s.length; i++) {
		const c = s.charCodeAt(i);
		if (c === 92) {
			i++;
			continue;
		}
		if (c === 123) {
			depth++;
			continue;
		}
		if (c === 125) {
			if (depth > 0) depth--;
			continue;
		}
		if (c === 39) {
			i++;
			while (i < s.length && s.charCodeAt(i) !== 39) i++;
			continue;
		}
		if (c === 34) {
			i++;
			while (i < s.length) {
				const quoted = s.charCodeAt(i);
				if (quoted === 34) break;
				if (quoted === 92) {
					i += 2;
					continue;
				}
				const nestedEnd = findNestedEnd?.(i, true) ?? i;
				if (nestedEnd > i) {
					i = nestedEnd;
					continue;
				}
				i++;
			}
			continue;
		}
		const nestedEnd = findNestedEnd?.(i, false) ?? i;
		if (nestedEnd > i) {
			i = nestedEnd - 1;
			continue;
		}
		if (pairTernaries && depth === 0) {
			if (c === 63) {
				ternaryDepth++;
				continue;
			}
			if (c === 58 && ternaryDepth > 0) {
				ternaryDepth--;
				continue;
			}
		}
		if (c === target && depth === 0) return i;
	}
	return -1;
}
var isIdChar = /* @__PURE__ */ new Uint8Array(128);
for (let i = 97; i <= 122; i++) isIdChar[i] = 3;
for (let i = 65; i <= 90; i++) isIdChar[i] = 3;
for (let i = 48; i <= 57; i++) isIdChar[i] = 2;
isIdChar[95] = 3;
var extglobPrefix = /* @__PURE__ */ new Uint8Array(128);
extglobPrefix[63] = 1;
extglobPrefix[64] = 1;
extglobPrefix[42] = 1;
extglobPrefix[43] = 1;
extglobPrefix[33] = 1;
extglobPrefix[61] = 1;
function isExtglobOpen(prefix) {
	return prefix < 128 && prefix !== 61 && extglobPrefix[prefix] === 1;
}
var extglobOp = {
	[63]: "?",
	[64]: "@",
	[42]: "*",
	[43]: "+",
	[33]: "!"
};
function isDQChild(p) {
	const t = p.type;
	return t === "Literal" || t === "SimpleExpansion" || t === "ParameterExpansion" || t === "CommandExpansion" || t === "ArithmeticExpansion";
}
function isAllDigitsRange(src, start, end) {
	for (let i = start; i < end; i++) {
		const c = src.charCodeAt(i);
		if (c < 48 || c > 57) return false;
	}
	return end > start;
}
var ASSIGNMENT_INVALID = -1;
var ASSIGNMENT_NAME_START = 0;
var ASSIGNMENT_NAME = 1;
var ASSIGNMENT_AFTER_INDEX = 2;
var ASSIGNMENT_AFTER_PLUS = 3;
var ASSIGNMENT_INDEX_BASE = 4;
function joinWordParts(head, tail) {
	const last = head[head.length - 1];
	const first = tail[0];
	let start = 0;
	if (last?.type === "Literal" && first?.type === "Literal" && last.end === first.pos) {
		head[head.length - 1] = {
			type: "Literal",
			pos: last.pos,
			end: first.end,
			text: last.text + first.text,
			value: last.value + first.value
		};
		start = 1;
	}
	for (let i = start; i < tail.length; i++) head.push(tail[i]);
	return head;
}
function isMatchedAssignment(state) {
	return state < ASSIGNMENT_INVALID;
}
function assignmentOperatorPos(state) {
	return -state - 2;
}
function scanAssignmentPrefix(src, start, end, initialState) {
	let state = initialState;
	for (let i = start; i < end && state >= 0; i++) {
		const c = src.charCodeAt(i);
		if (state >= ASSIGNMENT_INDEX_BASE) {
			if (c === 91) state++;
			else if (c === 93 && --state === ASSIGNMENT_INDEX_BASE) state = ASSIGNMENT_AFTER_INDEX;
		} else if (state === ASSIGNMENT_NAME_START) state = c < 128 && isIdChar[c] & 1 ? ASSIGNMENT_NAME : ASSIGNMENT_INVALID;
		else if (state === ASSIGNMENT_NAME) {
			if (c < 128 && isIdChar[c] & 2) continue;
			if (c === 91) state = 5;
			else if (c === 43) state = ASSIGNMENT_AFTER_PLUS;
			else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
		} else if (state === ASSIGNMENT_AFTER_INDEX) {
			if (c === 43) state = ASSIGNMENT_AFTER_PLUS;
			else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
		} else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
	}
	return state;
}
function setToken(out, token, value, pos = 0, end = 0) {
	out.token = token;
	out._value = value;
	out.pos = pos;
	out.end = end;
	out.fileDescriptor = void 0;
	out.variableName = void 0;
	out.descriptorEnd = 0;
	out.delimiterQuoted = false;
	out.content = void 0;
	out.assignmentOperatorPos = -1;
	out.raw = false;
	out.keywordEligible = false;
}
function setSpanToken(out, token, pos, end, raw) {
	out.token = token;
	out._value = null;
	out.pos = pos;
	out.end = end;
	out.fileDescriptor = void 0;
	out.variableName = void 0;
	out.descriptorEnd = 0;
	out.delimiterQuoted = false;
	out.content = void 0;
	out.assignmentOperatorPos = -1;
	out.raw = raw;
	out.keywordEligible = false;
}
function matchReservedWord(src, start, len) {
	switch (src.charCodeAt(start)) {
		case 33: return len === 1 ? Token.Bang : void 0;
		case 123: return len === 1 ? Token.LBrace : void 0;
		case 125: return len === 1 ? Token.RBrace : void 0;
		case 105: {
			if (len !== 2) return void 0;
			const c = src.charCodeAt(start + 1);
			return c === 102 ? Token.If : c === 110 ? Token.In : void 0;
		}
		case 102:
			if (len === 2) return src.charCodeAt(start + 1) === 105 ? Token.Fi : void 0;
			if (len === 3) return src.startsWith("for", start) ? Token.For : void 0;
			if (len === 8) return src.startsWith("function", start) ? Token.Function : void 0;
			return;
		case 116: return len === 4 && src.startsWith("then", start) ? Token.Then : void 0;
		case 101:
			if (len !== 4) return void 0;
			if (src.startsWith("else", start)) return Token.Else;
			if (src.startsWith("elif", start)) return Token.Elif;
			if (src.startsWith("esac", start)) return Token.Esac;
			return;
		case 100:
			if (len === 2) return src.charCodeAt(start + 1) === 111 ? Token.Do : void 0;
			if (len === 4) return src.startsWith("done", start) ? Token.Done : void 0;
			return;
		case 99:
			if (len === 4) return src.startsWith("case", start) ? Token.Case : void 0;
			if (len === 6) return src.startsWith("coproc", start) ? Token.Coproc : void 0;
			return;
		case 119: return len === 5 && src.startsWith("while", start) ? Token.While : void 0;
		case 117: return len === 5 && src.startsWith("until", start) ? Token.Until : void 0;
		case 115: return len === 6 && src.startsWith("select", start) ? Token.Select : void 0;
		default: return;
	}
}
var LexContext = {
	Normal: 0,
	CommandStart: 1,
	TestMode: 2,
	CommandPrefix: 3,
	Declaration: 4,
	ArrayElement: 5,
	FunctionName: 6,
	CasePattern: 7,
	EvalArgument: 8
};
function isBraceCommandOpener(after) {
	return after === 32 || after === 9 || after === 10 || after === 124;
}
var Lexer = class Lexer {
	static _findSubstitutionEnd;
	src;
	srcEnd;
	parenBoundary;
	pos;
	current;
	nextState;
	hasPeek;
	pendingHereDocs;
	substitutionContext;
	_errors = null;
	_buildParts = false;
	_buildValue = false;
	_nestingDepth = 0;
	constructor(src, start = 0, end = src.length, parenBoundary = false, context = createSubstitutionContext()) {
		this.src = src;
		this.srcEnd = end;
		this.parenBoundary = parenBoundary;
		this.pos = start;
		this.current = new TokenValue(this);
		this.nextState = new TokenValue(this);
		this.hasPeek = false;
		this.pendingHereDocs = null;
		this.substitutionContext = context;
		if (start === 0 && src.charCodeAt(0) === 35 && src.charCodeAt(1) === 33) {
			const nl = src.indexOf("\n");
			this.pos = nl === -1 ? this.srcEnd : nl + 1;
		}
	}
	getSource() {
		return this.src;
	}
	fork(start, end, parenBoundary = false) {
		const lexer = new Lexer(this.src, start, end, parenBoundary, this.substitutionContext);
		lexer._nestingDepth = this._nestingDepth;
		return lexer;
	}
	getSubstitutionContext() {
		return this.substitutionContext;
	}
	get errors() {
		return this._errors ?? (this._errors = []);
	}
	commandExpansion(pos, text, start, inner, parenBoundary = false) {
		const window = this.scriptWindow(this.src, start, start + inner.length, parenBoundary);
		return new ScriptExpansionImpl("CommandExpansion", pos, this.pos, text, window);
	}
	decodedCommandExpansion(pos, text, inner) {
		const window = this.scriptWindow(inner, 0, inner.length, false, true);
		return new ScriptExpansionImpl("CommandExpansion", pos, this.pos, text, window);
	}
	processSubstitution(pos, text, operator, inner) {
		const window = this.scriptWindow(this.src, pos + 2, pos + 2 + inner.length, !this._unbalanced);
		return new ProcessSubstitutionImpl(pos, this.pos, text, operator, window);
	}
	scriptWindow(source, start, end, parenBoundary, decoded = false) {
		if (this._nestingDepth > 256) return void 0;
		const context = decoded ? void 0 : this.substitutionContext;
		return {
			source,
			start,
			end,
			depth: this._nestingDepth + 1,
			parenBoundary,
			context
		};
	}
	getPos() {
		return this.pos;
	}
	findSubstitutionEnd(start, end, depth = this._nestingDepth + 1) {
		if (Lexer._findSubstitutionEnd === void 0) return -1;
		return Lexer._findSubstitutionEnd(this.src, start, end, depth, this.substitutionContext);
	}
	_tokenValue(pos, end, raw) {
		return raw ? this.src.slice(pos, end) : this.wordValueOf(pos, end);
	}
	wordValueOf(start, end) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedBuildValue = this._buildValue;
		const savedUnbalanced = this._unbalanced;
		const errorCount = this._errors === null ? 0 : this._errors.length;
		this.pos = start;
		this.srcEnd = end;
		this._buildValue = true;
		this.readWordText();
		if (this.pos < end && this._wordAssignmentState !== void 0 && this._wordAssignmentState >= ASSIGNMENT_INDEX_BASE) {
			this.pos = start;
			this.readWordText(true);
		}
		const value = this._wordText;
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._buildValue = savedBuildValue;
		this._unbalanced = savedUnbalanced;
		if (this._errors !== null) this._errors.length = errorCount;
		return value;
	}
	findClosingBracket(start, end = this.srcEnd) {
		const limit = Math.min(end, this.srcEnd);
		let window = this._bracketWindow;
		if (!window || window.limit !== limit) {
			window = {
				limit,
				depth: this._nestingDepth,
				last: this.src.lastIndexOf("]", limit - 1)
			};
			this._bracketWindow = window;
		}
		if (start > window.last) return -1;
		if (window.depth !== this._nestingDepth) {
			window = {
				limit,
				depth: this._nestingDepth,
				last: window.last
			};
			this._bracketWindow = window;
		}
		if (window.failed?.has(start)) return -1;
		const unmatched = [];
		const close = this.findClosingShellDelimiter(start, end, 93, false, true, unmatched);
		if (close === -1) {
			const failed = window.failed ?? (window.failed = /* @__PURE__ */ new Set());
			for (const starts of unmatched) for (const pos of starts) failed.add(pos);
		}
		return close;
	}
	findClosingArithmeticBracket(start, end = this.srcEnd) {
		const limit = Math.min(end, this.srcEnd);
		let window = this._arithmeticBracketWindow;
		if (!window || window.end !== limit || window.depth !== this._nestingDepth) {
			window = {
				end: limit,
				depth: this._nestingDepth,
				failed: /* @__PURE__ */ new Set()
			};
			this._arithmeticBracketWindow = window;
		}
		if (window.failed.has(start)) return -1;
		return this.findClosingShellDelimiter(start, end, 93, false, false, void 0, window.failed);
	}
	findClosingBrace(start, end = this.srcEnd) {
		return this.findClosingShellDelimiter(start, end, 125);
	}
	findClosingParenthesis(start, end = this.srcEnd) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedUnbalanced = this._unbalanced;
		this.pos = start;
		this.srcEnd = Math.min(end, this.srcEnd);
		this.extractBalanced();
		const close = this._unbalanced ? -1 : this.pos - 1;
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._unbalanced = savedUnbalanced;
		return close;
	}
	findArithmeticExpansionEnd(start, end = this.srcEnd) {
		const scanner = this.fork(start, end);
		scanner.pos = start + 1;
		scanner.scanArithmeticBody();
		return scanner.pos;
	}
	findArithmeticWordEnd(start, end = this.srcEnd) {
		const scanner = this.fork(start, end);
		scanner.pos = start;
		return scanner.scanArithmeticWordEnd();
	}
	scanArithmeticWordEnd() {
		while (this.pos < this.srcEnd) {
			const ch = this.src.charCodeAt(this.pos);
			if (ch === 36) {
				this.readDollar();
				continue;
			}
			if (ch === 96) {
				this.readBacktickExpansion();
				continue;
			}
			if (ch === 39) {
				this.pos++;
				this.skipSQ();
				continue;
			}
			if (ch === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			}
			if (ch === 92) {
				this.pos += 2;
				continue;
			}
			if (ch === 91) {
				const close = this.findClosingBracket(this.pos + 1);
				if (close !== -1) {
					this.pos = close + 1;
					continue;
				}
			}
			if ((ch === 60 || ch === 62) && this.src.charCodeAt(this.pos + 1) === 40) {
				this.pos += 2;
				this.extractBalanced();
				continue;
			}
			if (ch < 128 && arithmeticWordDelimiter[ch]) break;
			this.pos++;
		}
		return this.pos;
	}
	findClosingShellDelimiter(start, end, closing, array = false, braces = true, bracketStarts, failedBrackets) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedUnbalanced = this._unbalanced;
		this.srcEnd = Math.min(end, this.srcEnd);
		const delimiters = [closing];
		bracketStarts?.push([]);
		const failedStarts = failedBrackets ? [start] : void 0;
		let pos = start;
		let wordStart = true;
		let invalid = -1;
		while (pos < this.srcEnd) {
			const expected = delimiters[delimiters.length - 1];
			if (bracketStarts && expected === 93) bracketStarts[bracketStarts.length - 1].push(pos);
			const ch = this.src.charCodeAt(pos);
			if (ch === 92) {
				if (pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) !== 10) wordStart = false;
				pos += 2;
				continue;
			}
			if (ch === 35 && array && delimiters.length === 1 && wordStart) {
				while (pos < this.srcEnd && this.src.charCodeAt(pos) !== 10) pos++;
				continue;
			}
			if (ch === 39) {
				this.pos = pos + 1;
				this.skipSQ();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 34) {
				this.pos = pos + 1;
				this.skipDQ();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 96) {
				pos++;
				while (pos < this.srcEnd && this.src.charCodeAt(pos) !== 96) {
					if (this.src.charCodeAt(pos) === 92) pos++;
					pos++;
				}
				if (pos < this.srcEnd) pos++;
				wordStart = false;
				continue;
			}
			if (ch === 36 && pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) === 40 || (ch === 60 || ch === 62) && pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) === 40) {
				this.pos = pos + 2;
				this.extractBalanced();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 36 && pos + 1 < this.srcEnd) {
				const after = this.src.charCodeAt(pos + 1);
				if (after === 39) {
					pos = decodeAnsiCQuoted(this.src, pos + 2, this.srcEnd).end;
					wordStart = false;
					continue;
				}
				if (after === 36) {
					pos += 2;
					wordStart = false;
					continue;
				}
				if (after === 123 && braces) {
					delimiters.push(125);
					bracketStarts?.push([]);
					pos += 2;
					wordStart = false;
					continue;
				}
			}
			if (array && delimiters.length === 1) {
				if (ch === 91 && wordStart) {
					delimiters.push(93);
					bracketStarts?.push([]);
				} else if (invalid === -1 && (ch === 59 || ch === 38 || ch === 124 || ch === 60 || ch === 62 || ch === 40 && !isExtglobOpen(this.src.charCodeAt(pos - 1)))) invalid = pos;
			}
			if (expected === 93 && ch === 91) {
				delimiters.push(93);
				bracketStarts?.push([]);
				failedStarts?.push(pos + 1);
			} else if (expected === 41 && ch === 40) {
				delimiters.push(41);
				bracketStarts?.push([]);
			} else if (ch === expected) {
				delimiters.pop();
				failedStarts?.pop();
				bracketStarts?.pop();
				if (delimiters.length === 0) {
					this.pos = savedPos;
					this.srcEnd = savedEnd;
					this._bracketWindow = savedBracketWindow;
					this._arithmeticBracketWindow = savedArithmeticBracketWindow;
					this._unbalanced = savedUnbalanced;
					if (invalid !== -1) this.errors.push({
						message: `unexpected '${this.src[invalid]}' in array assignment`,
						pos: invalid
					});
					return pos;
				}
				wordStart = false;
				pos++;
				continue;
			}
			wordStart = ch < 128 && (charType[ch] & 1) !== 0;
			pos++;
		}
		if (failedStarts) for (const start of failedStarts) failedBrackets.add(start);
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._unbalanced = savedUnbalanced;
		return -1;
	}
	scanBraceExpansion(start, results) {
		const src = this.src;
		const len = this.srcEnd;
		const cached = results.get(start);
		if (cached !== void 0) return cached;
		const savedPos = this.pos;
		const savedUnbalanced = this._unbalanced;
		const errorCount = this._errors === null ? 0 : this._errors.length;
		const frames = [start, 0];
		let pos = start + 1;
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			const type = ch < 128 ? charType[ch] : 0;
			if (type === 0) {
				pos++;
				if (ch === 125) {
					const hasSep = frames.pop();
					results.set(frames.pop(), hasSep ? pos : -1);
					if (frames.length === 0) break;
				} else if (ch === 44 || ch === 46 && src.charCodeAt(pos) === 46) frames[frames.length - 1] = 1;
				continue;
			}
			const next = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
			if (type & 1) {
				if (next === 40 && (ch === 60 || ch === 62)) {
					this.pos = pos + 2;
					this.extractBalanced();
					pos = this.pos;
				} else if (ch === 40 && isExtglobOpen(src.charCodeAt(pos - 1))) {
					const close = this.findClosingShellDelimiter(pos + 1, len, 41);
					if (close === -1) break;
					pos = close + 1;
				} else break;
			} else if (ch === 92) pos += 2;
			else if (ch === 39) {
				this.pos = pos + 1;
				this.skipSQ();
				pos = this.pos;
			} else if (ch === 34) {
				this.pos = pos + 1;
				this.skipDQ();
				pos = this.pos;
			} else if (ch === 96) {
				pos++;
				while (pos < len && src.charCodeAt(pos) !== 96) pos += src.charCodeAt(pos) === 92 ? 2 : 1;
				pos++;
			} else if (ch === 123) {
				frames.push(pos, 0);
				pos++;
			} else if (next === 39) pos = decodeAnsiCQuoted(src, pos + 2, len).end;
			else if (next === 123) {
				const close = this.findClosingBrace(pos + 2, len);
				if (close === -1) break;
				pos = close + 1;
			} else if (next === 40) {
				this.pos = pos + 2;
				this.extractBalanced();
				pos = this.pos;
			} else pos++;
		}
		this.pos = savedPos;
		this._unbalanced = savedUnbalanced;
		if (this._errors !== null) this._errors.length = errorCount;
		for (let index = 0; index < frames.length; index += 2) results.set(frames[index], -1);
		return results.get(start);
	}
	skipSubshellBody() {
		this.extractBalanced(false);
		return this._unbalanced ? -1 : this.pos;
	}
	skipCompoundBody(closeToken) {
		const frames = [{
			close: closeToken,
			phase: closeToken === Token.Esac ? "case-pattern" : "commands"
		}];
		let commandStart = true;
		for (;;) {
			const phase = frames[frames.length - 1].phase;
			let ctx = commandStart ? LexContext.CommandStart : LexContext.Normal;
			if (phase === "function-name") ctx = LexContext.FunctionName;
			else if (phase === "case-pattern" && commandStart) ctx = LexContext.CasePattern;
			const value = this.next(ctx);
			const token = value.token;
			if (token === Token.EOF) return -1;
			const frame = frames[frames.length - 1];
			if (frame.phase === "function-name") {
				if (token === Token.Newline) continue;
				frame.phase = "function-body";
				commandStart = true;
				continue;
			} else if (frame.phase === "function-body") {
				if (token === Token.Newline) continue;
				frame.phase = "commands";
				commandStart = true;
				if (token === Token.LParen && this.peek(LexContext.Normal).token === Token.RParen) {
					this.next(LexContext.Normal);
					frame.phase = "function-body";
					continue;
				}
			} else if (frame.phase === "coproc-command") {
				if (token === Token.Newline) continue;
				if (token === Token.Word) {
					frame.phase = "coproc-body";
					commandStart = true;
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "coproc-body") {
				if (token === Token.Newline) continue;
				frame.phase = token === Token.Word && value.keywordEligible && value.value === "time" ? "time-command" : "commands";
				commandStart = true;
				if (frame.phase === "time-command") continue;
			} else if (frame.phase === "time-command") {
				if (token === Token.Word && value.keywordEligible && value.value === "-p") {
					frame.phase = "time-command-after-p";
					continue;
				}
				if (token === Token.Word && value.keywordEligible && value.value === "--") {
					frame.phase = "commands";
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "time-command-after-p") {
				if (token === Token.Word && value.keywordEligible && value.value === "--") {
					frame.phase = "commands";
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "for-header") {
				if (token === Token.ArithCmd || token === Token.Semi || token === Token.Newline) {
					commandStart = true;
					continue;
				}
				if (token === Token.Do || token === Token.LBrace) {
					frame.close = token === Token.Do ? Token.Done : Token.RBrace;
					frame.phase = "commands";
					commandStart = true;
					continue;
				}
			} else if (frame.phase === "case-word") {
				if (token === Token.Newline) continue;
				frame.phase = "case-in";
				commandStart = false;
				continue;
			} else if (frame.phase === "case-in") {
				if (token === Token.Newline) {
					commandStart = true;
					continue;
				}
				frame.phase = "case-pattern";
				commandStart = true;
				continue;
			} else if (frame.phase === "case-pattern") {
				if (token === Token.Esac && commandStart) {
					frames.pop();
					if (frames.length === 0) return value.end;
					commandStart = false;
					continue;
				}
				if (token === Token.RParen) {
					frame.phase = "commands";
					commandStart = true;
				} else commandStart = token === Token.Newline;
				continue;
			}
			if (token === frame.close) {
				frames.pop();
				if (frames.length === 0) return value.end;
				commandStart = false;
				continue;
			}
			if (commandStart) switch (token) {
				case Token.LParen:
					frames.push({
						close: Token.RParen,
						phase: "commands"
					});
					break;
				case Token.LBrace:
					frames.push({
						close: Token.RBrace,
						phase: "commands"
					});
					break;
				case Token.If:
					frames.push({
						close: Token.Fi,
						phase: "commands"
					});
					break;
				case Token.For:
					frames.push({
						close: Token.Done,
						phase: "for-header"
					});
					break;
				case Token.While:
				case Token.Until:
				case Token.Select:
					frames.push({
						close: Token.Done,
						phase: "commands"
					});
					break;
				case Token.Case:
					frames.push({
						close: Token.Esac,
						phase: "case-word"
					});
					break;
				case Token.DblLBracket:
					if (!this.skipTestCommandBody()) return -1;
					commandStart = false;
					continue;
				case Token.Assignment:
				case Token.Redirect:
				case Token.Bang:
				case Token.Then:
				case Token.Else:
				case Token.Elif:
				case Token.Do:
				case Token.In: break;
				case Token.Semi:
				case Token.Newline:
				case Token.Pipe:
				case Token.And:
				case Token.Or:
				case Token.Amp:
				case Token.DoubleSemi:
				case Token.SemiAmp:
				case Token.DoubleSemiAmp: break;
				case Token.Function:
					frame.phase = "function-name";
					break;
				case Token.Coproc:
					frame.phase = "coproc-command";
					break;
				default:
					if (token === Token.Word && value.keywordEligible && value.value === "time") {
						frame.phase = "time-command";
						commandStart = true;
					} else commandStart = false;
					continue;
			}
			switch (token) {
				case Token.Semi:
				case Token.Newline:
				case Token.Pipe:
				case Token.And:
				case Token.Or:
				case Token.Amp:
					commandStart = true;
					break;
				case Token.DoubleSemi:
				case Token.SemiAmp:
				case Token.DoubleSemiAmp:
					if (frame.close === Token.Esac) frame.phase = "case-pattern";
					commandStart = true;
					break;
				case Token.RParen: commandStart = true;
			}
		}
	}
	skipTestGroup() {
		let depth = 1;
		for (;;) {
			const value = this.next(LexContext.TestMode);
			if (value.token === Token.EOF) return -1;
			if (value.token === Token.DblRBracket) {
				this.unshift(value);
				return -1;
			}
			if (value.token === Token.LParen) depth++;
			else if (value.token === Token.RParen && --depth === 0) return value.end;
		}
	}
	skipTestCommandBody() {
		for (;;) {
			const token = this.next(LexContext.TestMode).token;
			if (token === Token.DblRBracket) return true;
			if (token === Token.EOF) return false;
		}
	}
	buildWordParts(startPos) {
		this._buildParts = true;
		this.pos = startPos;
		const ch = this.src.charCodeAt(startPos);
		if ((ch === 60 || ch === 62) && startPos + 1 < this.srcEnd && this.src.charCodeAt(startPos + 1) === 40) {
			this.pos = startPos + 2;
			const inner = this.extractBalanced();
			const text = this.src.slice(startPos, this.pos);
			const part = this.processSubstitution(startPos, text, ch === 60 ? "<" : ">", inner);
			if (this.pos < this.srcEnd) {
				this.readWordText();
				if (this._wordParts) this._wordParts.unshift(part);
				else this._wordParts = [part];
			} else this._wordParts = [part];
		} else {
			this.readWordText();
			if (this.pos < this.srcEnd && this._wordAssignmentState !== void 0 && this._wordAssignmentState >= ASSIGNMENT_INDEX_BASE) {
				this.pos = startPos;
				this.readWordText(true);
			}
		}
		return this._wordParts;
	}
	buildEmbeddedWordParts(startPos, arithmetic = false) {
		this._buildParts = true;
		this.pos = startPos;
		this.readInnerWordText(false, arithmetic);
		return this._wordParts;
	}
	buildArrayElementParts(startPos) {
		const close = this.findClosingBracket(startPos + 1);
		if (close === -1) return this.buildWordParts(startPos);
		const src = this.src;
		this._buildParts = true;
		const head = hasEmbeddedWordStructure(src, startPos, close + 1) ? this.parseSubFieldWord(startPos, close + 1, "embedded") : void 0;
		this.pos = close + 1;
		this.readWordText(false, LexContext.ArrayElement);
		const end = this.pos;
		const operator = skipLineContinuations(src, close + 1, end);
		const after = src.charCodeAt(operator);
		const keyed = after === 61 || after === 43 && src.charCodeAt(operator + 1) === 61;
		let headParts = head?.parts;
		let tailParts = this._wordParts;
		if (keyed) tailParts = parseGlobParts(src, close + 1, end, tailParts) ?? tailParts;
		if (!headParts && !tailParts) return keyed ? null : parseGlobParts(src, startPos, end, void 0) ?? null;
		const headText = src.slice(startPos, close + 1);
		if (!headParts) headParts = [{
			type: "Literal",
			pos: startPos,
			end: close + 1,
			text: headText,
			value: head?.value ?? headText
		}];
		if (!tailParts) tailParts = end > close + 1 ? [{
			type: "Literal",
			pos: close + 1,
			end,
			text: src.slice(close + 1, end),
			value: this._wordText
		}] : [];
		let parts = joinWordParts(headParts, tailParts);
		if (!keyed) parts = parseGlobParts(src, startPos, end, parts) ?? parts;
		return parts.length > 1 || parts[0].type !== "Literal" ? parts : null;
	}
	buildHereDocParts(bodyPos, bodyEnd) {
		this._buildParts = true;
		const src = this.src;
		const parts = [];
		let hasExpansion = false;
		let litBuf = "";
		let litStart = bodyPos;
		let i = bodyPos;
		const flushLit = () => {
			if (i > litStart) {
				parts.push({
					type: "Literal",
					pos: litStart,
					end: i,
					value: litBuf,
					text: src.slice(litStart, i)
				});
				litBuf = "";
			}
		};
		while (i < bodyEnd) {
			const ch = src.charCodeAt(i);
			if (ch === 92) {
				if (i + 1 < bodyEnd) {
					const nc = src.charCodeAt(i + 1);
					if (nc === 10) {
						i += 2;
						continue;
					}
					if (nc === 36 || nc === 96 || nc === 92) {
						litBuf += String.fromCharCode(nc);
						i += 2;
						continue;
					}
				}
				litBuf += "\\";
				i++;
				continue;
			}
			if (ch === 36 && src.charCodeAt(i + 1) !== 39 && src.charCodeAt(i + 1) !== 34) {
				flushLit();
				litStart = i;
				this.pos = i;
				this.readDollar();
				if (this._resultPart) {
					hasExpansion = true;
					parts.push(this._resultPart);
					litStart = this.pos;
				} else litBuf += src.slice(i, this.pos);
				i = this.pos;
				continue;
			}
			if (ch === 96) {
				flushLit();
				litStart = i;
				this.pos = i;
				this.readBacktickExpansion();
				if (this._resultPart) {
					hasExpansion = true;
					parts.push(this._resultPart);
					litStart = this.pos;
				} else litBuf += src.slice(i, this.pos);
				i = this.pos;
				continue;
			}
			litBuf += src[i];
			i++;
		}
		flushLit();
		return hasExpansion ? parts : null;
	}
	registerHereDocTarget(target) {
		if (this.pendingHereDocs === null) return;
		for (const hd of this.pendingHereDocs) if (!hd.target) {
			hd.target = target;
			return;
		}
	}
	readTestRegexWord() {
		this.hasPeek = false;
		this.skipSpacesAndTabs();
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		let depth = 0;
		while (this.pos < len) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 40) {
				depth++;
				this.pos++;
				continue;
			}
			if (ch === 92) {
				this.pos += this.pos + 1 < len ? 2 : 1;
				continue;
			}
			if (ch === 39) {
				const quotePos = this.pos++;
				const ansiC = quotePos > start && src.charCodeAt(quotePos - 1) === 36;
				while (this.pos < len && src.charCodeAt(this.pos) !== 39) {
					if (ansiC && src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				else this.errors.push({
					message: ansiC ? "unterminated ANSI-C quote" : "unterminated single quote",
					pos: quotePos
				});
				continue;
			}
			if (ch === 34) {
				this.pos++;
				this.readDoubleQuoted();
				continue;
			}
			if (ch === 96) {
				this.readBacktickExpansion();
				continue;
			}
			if (depth > 0) {
				if (ch === 41) depth--;
				this.pos++;
				continue;
			}
			if (ch === 36) {
				this.readDollar();
				continue;
			}
			if ((ch === 60 || ch === 62) && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				const subPos = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated process substitution",
					pos: subPos
				});
				continue;
			}
			if (ch < 128 && charType[ch] & 1 && ch !== 124) break;
			this.pos++;
		}
		setToken(this.current, Token.Word, src.slice(start, this.pos), start, this.pos);
		return this.current;
	}
	readCStyleForExprs() {
		this.hasPeek = false;
		const src = this.src;
		const len = this.srcEnd;
		while (this.pos < len && (src.charCodeAt(this.pos) === 32 || src.charCodeAt(this.pos) === 9)) this.pos++;
		const openPos = this.pos;
		if (this.pos < len && src.charCodeAt(this.pos) === 40) this.pos++;
		const starts = [
			this.pos,
			0,
			0
		];
		const parts = [
			"",
			"",
			"",
			0,
			0,
			0
		];
		let partIdx = 0;
		let depth = 1;
		let partStart = this.pos;
		let extra = false;
		const setPart = (end) => {
			const raw = src.slice(partStart, end);
			parts[partIdx] = raw.trim();
			parts[3 + partIdx] = starts[partIdx] + raw.length - raw.trimStart().length;
		};
		while (this.pos < len && depth > 0) {
			const c = src.charCodeAt(this.pos);
			if (c === 40) {
				depth++;
				this.pos++;
			} else if (c === 41) {
				depth--;
				if (depth === 0) {
					if (!extra) setPart(this.pos);
					if (partIdx < 2) this.errors.push({
						message: "expected three arithmetic expressions in for header",
						pos: this.pos
					});
					this.pos++;
					while (this.pos < len && (src.charCodeAt(this.pos) === 32 || src.charCodeAt(this.pos) === 9)) this.pos++;
					if (this.pos < len && src.charCodeAt(this.pos) === 41) this.pos++;
					break;
				}
				this.pos++;
			} else if (c === 59 && depth === 1) {
				if (partIdx === 2) {
					if (!extra) {
						setPart(this.pos);
						this.errors.push({
							message: "expected three arithmetic expressions in for header",
							pos: this.pos
						});
					}
					extra = true;
					this.pos++;
					continue;
				}
				setPart(this.pos);
				partIdx++;
				this.pos++;
				partStart = this.pos;
				starts[partIdx] = partStart;
			} else if (c === 36) this.readDollar();
			else if (c === 96) this.readBacktickExpansion();
			else if (c === 92) this.pos += this.pos + 1 < len ? 2 : 1;
			else if (c === 39) {
				this.pos++;
				this.skipSQ();
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
			} else this.pos++;
		}
		if (depth > 0) {
			if (!extra) setPart(this.pos);
			this.errors.push({
				message: "unterminated arithmetic for header",
				pos: openPos
			});
		}
		return parts;
	}
	peek(ctx = LexContext.Normal) {
		if (!this.hasPeek) {
			this.readNext(this.nextState, ctx);
			this.hasPeek = true;
		}
		return this.nextState;
	}
	peekFollow(closers) {
		if (!this.hasPeek) {
			const ctx = closers[this.current.token] ? LexContext.CommandStart : LexContext.Normal;
			this.readNext(this.nextState, ctx);
			this.hasPeek = true;
		}
		return this.nextState;
	}
	next(ctx = LexContext.Normal) {
		if (this.hasPeek) {
			this.hasPeek = false;
			const temp = this.current;
			this.current = this.nextState;
			this.nextState = temp;
			return this.current;
		}
		this.readNext(this.current, ctx);
		return this.current;
	}
	unshift(tok) {
		this.nextState.copyFrom(tok);
		this.hasPeek = true;
	}
	readNext(out, ctx) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		while (true) {
			pos = skipBlanks(src, pos, len);
			if (ctx === LexContext.TestMode) while (pos < len && src.charCodeAt(pos) === 10) pos = skipBlanks(src, pos + 1, len);
			if (pos >= len || src.charCodeAt(pos) !== 35) break;
			while (pos < len && src.charCodeAt(pos) !== 10) pos++;
		}
		this.pos = pos;
		if (pos >= len) {
			this.consumePendingHereDocs();
			setToken(out, Token.EOF, "", pos, pos);
			return;
		}
		const tokenStart = pos;
		const ch = src.charCodeAt(pos);
		if (ch === 10) {
			this.pos++;
			this.consumePendingHereDocs();
			setToken(out, Token.Newline, "\n", tokenStart, this.pos);
			return;
		}
		if (ctx === LexContext.TestMode && (ch === 60 || ch === 62) && !(this.pos + 1 < this.srcEnd && src.charCodeAt(this.pos + 1) === 40)) {
			this.pos++;
			setToken(out, Token.Word, ch === 60 ? "<" : ">", tokenStart, this.pos);
			out.keywordEligible = true;
			return;
		}
		if (ch < 128 && charType[ch] & 1 && this.tryReadOperator(out, ch, ctx, tokenStart)) return;
		if (ch === 91 && ctx === LexContext.ArrayElement && this.readArrayElement(out, tokenStart)) return;
		this.readWord(out, ctx, tokenStart);
	}
	tryReadOperator(out, ch, ctx, tokenStart) {
		const src = this.src;
		const pos = this.pos;
		const next = pos + 1 < this.srcEnd ? src.charCodeAt(pos + 1) : 0;
		switch (ch) {
			case 59:
				if (next === 59) {
					if (pos + 2 < this.srcEnd && src.charCodeAt(pos + 2) === 38) {
						this.pos += 3;
						setToken(out, Token.DoubleSemiAmp, ";;&", tokenStart, this.pos);
						return true;
					}
					this.pos += 2;
					setToken(out, Token.DoubleSemi, ";;", tokenStart, this.pos);
					return true;
				}
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.SemiAmp, ";&", tokenStart, this.pos);
					return true;
				}
				this.pos++;
				setToken(out, Token.Semi, ";", tokenStart, this.pos);
				return true;
			case 124:
				if (next === 124) {
					this.pos += 2;
					setToken(out, Token.Or, "||", tokenStart, this.pos);
					return true;
				}
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.Pipe, "|&", tokenStart, this.pos);
					return true;
				}
				this.pos++;
				setToken(out, Token.Pipe, "|", tokenStart, this.pos);
				return true;
			case 38:
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.And, "&&", tokenStart, this.pos);
					return true;
				}
				if (next === 62) {
					this.pos += 2;
					const append = this.pos < this.srcEnd && src.charCodeAt(this.pos) === 62;
					if (append) this.pos++;
					return this.readRedirectTarget(out, append ? "&>>" : "&>", tokenStart);
				}
				this.pos++;
				setToken(out, Token.Amp, "&", tokenStart, this.pos);
				return true;
			case 40:
				if (ctx === LexContext.CommandStart && next === 40) {
					const savedErrors = this.errors.length;
					this.readArithmeticCommand(out, tokenStart);
					if (!this._notArithmetic) return true;
					this.errors.length = savedErrors;
					this.pos = tokenStart;
				}
				this.pos++;
				setToken(out, Token.LParen, "(", tokenStart, this.pos);
				return true;
			case 41:
				this.pos++;
				setToken(out, Token.RParen, ")", tokenStart, this.pos);
				return true;
			case 60:
			case 62: return this.readRedirection(out, tokenStart);
			default: return false;
		}
	}
	readRedirection(out, tokenStart) {
		const src = this.src;
		const ch = src.charCodeAt(this.pos);
		let op = "";
		if (ch === 60) {
			this.pos++;
			const next = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
			if (next === 60) {
				this.pos++;
				const third = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
				if (third === 60) {
					this.pos++;
					op = "<<<";
				} else {
					const dash = third === 45;
					if (dash) this.pos++;
					this.skipSpacesAndTabs();
					const targetPos = this.pos;
					if (this.pos >= this.srcEnd || src.charCodeAt(this.pos) !== 35) this.readHereDocDelimiter();
					const hasTarget = this.pos > targetPos;
					if (hasTarget) (this.pendingHereDocs ?? (this.pendingHereDocs = [])).push({
						delimiter: this._hereDelim,
						strip: dash,
						quoted: this._hereQuoted
					});
					setToken(out, Token.Redirect, dash ? "<<-" : "<<", tokenStart, this.pos);
					out.content = hasTarget ? this._hereDelim : void 0;
					out.delimiterQuoted = hasTarget && this._hereQuoted;
					out.targetPos = targetPos;
					out.targetEnd = hasTarget ? this.pos : targetPos;
					return true;
				}
			} else if (next === 40) {
				this.readProcessSubstitution(out, "<", tokenStart);
				return true;
			} else if (next === 62) {
				op = "<>";
				this.pos++;
			} else if (next === 38) {
				op = "<&";
				this.pos++;
			} else op = "<";
		} else if (ch === 62) {
			this.pos++;
			const next = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
			if (next === 40) {
				this.readProcessSubstitution(out, ">", tokenStart);
				return true;
			}
			if (next === 62) {
				op = ">>";
				this.pos++;
			} else if (next === 38) {
				op = ">&";
				this.pos++;
			} else if (next === 124) {
				op = ">|";
				this.pos++;
			} else op = ">";
		}
		return this.readRedirectTarget(out, op, tokenStart);
	}
	readRedirectTarget(out, op, tokenStart) {
		const src = this.src;
		this.skipSpacesAndTabs();
		if (this.pos < this.srcEnd) {
			const nc = src.charCodeAt(this.pos);
			if ((nc === 60 || nc === 62) && this.pos + 1 < this.srcEnd && src.charCodeAt(this.pos + 1) === 40) {
				const psStart = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated process substitution",
					pos: psStart
				});
				const psText = src.slice(psStart, this.pos);
				setToken(out, Token.Redirect, op, tokenStart, this.pos);
				out.content = psText;
				out.targetPos = psStart;
				out.targetEnd = this.pos;
				return true;
			}
			const targetPos = this.pos;
			if (nc !== 10 && nc !== 35) this.readRedirectTargetText();
			this.redirectToken(out, op, tokenStart, targetPos);
			return true;
		}
		this.redirectToken(out, op, tokenStart, this.pos);
		return true;
	}
	readRedirectTargetText() {
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		this.readWordText();
		this._buildValue = savedBuildValue;
	}
	redirectToken(out, operator, tokenStart, targetPos) {
		const hasTarget = this.pos > targetPos && (this._wordText.length > 0 || this._wordQuoted);
		setToken(out, Token.Redirect, operator, tokenStart, this.pos);
		out.content = hasTarget ? this._wordText : void 0;
		out.targetPos = targetPos;
		out.targetEnd = hasTarget ? this.pos : targetPos;
	}
	readProcessSubstitution(out, operator, tokenStart) {
		this.pos++;
		this.extractBalanced();
		if (this._unbalanced) this.errors.push({
			message: "unterminated process substitution",
			pos: tokenStart
		});
		const text = this.src.slice(tokenStart, this.pos);
		setToken(out, Token.Word, text, tokenStart, this.pos);
	}
	readHereDocDelimiter() {
		const src = this.src;
		const len = this.srcEnd;
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		let delimiter = "";
		let quoted = false;
		while (this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 39) {
				quoted = true;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 39) {
					delimiter += src[this.pos];
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 34) {
				quoted = true;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 34) {
					if (src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) {
						const next = src.charCodeAt(this.pos + 1);
						if (next === 10) {
							this.pos += 2;
							continue;
						}
						if (next === 36 || next === 96 || next === 34 || next === 92) this.pos++;
					}
					delimiter += src[this.pos];
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 92) {
				if (this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 10) {
					this.pos += 2;
					continue;
				}
				quoted = true;
				this.pos++;
				if (this.pos < len) {
					delimiter += src[this.pos];
					this.pos++;
				} else delimiter += "\\";
			} else if (c === 96) {
				const btStart = this.pos;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				delimiter += src.slice(btStart, this.pos);
			} else if (c === 36) {
				const next = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (next === 39 || next === 34) quoted = true;
				this.readDollar();
				delimiter += this._resultText;
			} else if (c < 128 && charType[c] & 1) break;
			else {
				delimiter += src[this.pos];
				this.pos++;
			}
		}
		this._buildValue = savedBuildValue;
		this._hereDelim = delimiter;
		this._hereQuoted = quoted;
	}
	consumePendingHereDocs() {
		const pending = this.pendingHereDocs;
		if (pending === null || pending.length === 0) return;
		for (const hd of pending) {
			const bodyPos = this.pos;
			const bodyEnd = this.skipHereDocBody(hd.delimiter, hd.strip, this.parenBoundary, hd.quoted);
			if (hd.target) {
				hd.target.body.pos = bodyPos;
				hd.target.body.end = bodyEnd;
				hd.target.body.text = this.src.slice(bodyPos, bodyEnd);
				if (this.hereDocClosingPos !== -1) hd.target.closing = {
					pos: this.hereDocClosingPos,
					end: this.hereDocClosingEnd
				};
			}
		}
		pending.length = 0;
	}
	hereDocClosingPos = -1;
	hereDocClosingEnd = -1;
	matchHereDocDelimiter(delimiter, lineStart, end, join) {
		const src = this.src;
		let pos = lineStart;
		for (let i = 0; i < delimiter.length;) {
			if (join && src.charCodeAt(pos) === 92 && pos + 1 < end && src.charCodeAt(pos + 1) === 10) {
				pos += 2;
				continue;
			}
			if (pos >= end || src.charCodeAt(pos) !== delimiter.charCodeAt(i)) return -1;
			pos++;
			i++;
		}
		return pos;
	}
	logicalLineEnd(from, end, join) {
		const src = this.src;
		let lineEnd = src.indexOf("\n", from);
		while (lineEnd !== -1 && lineEnd < end) {
			if (!join) return lineEnd;
			let backslashes = lineEnd;
			while (backslashes > from && src.charCodeAt(backslashes - 1) === 92) backslashes--;
			if ((lineEnd - backslashes) % 2 === 0) return lineEnd;
			from = lineEnd + 1;
			lineEnd = src.indexOf("\n", from);
		}
		return end;
	}
	skipHereDocBody(delimiter, strip, parenEnds = false, quoted = false) {
		this.hereDocClosingPos = -1;
		this.hereDocClosingEnd = -1;
		const src = this.src;
		const len = this.srcEnd;
		while (this.pos < len) {
			let lineStart = this.pos;
			const lineEnd = this.logicalLineEnd(lineStart, len, !quoted);
			for (;;) {
				const before = lineStart;
				if (strip) while (lineStart < lineEnd && src.charCodeAt(lineStart) === 9) lineStart++;
				if (!quoted) lineStart = skipLineContinuations(src, lineStart, lineEnd);
				if (lineStart === before) break;
			}
			let afterDelim = this.matchHereDocDelimiter(delimiter, lineStart, lineEnd, !quoted);
			if (afterDelim !== -1 && !quoted) afterDelim = skipLineContinuations(src, afterDelim, lineEnd);
			if (afterDelim === lineEnd) {
				const bodyEnd = this.pos;
				if (!parenEnds || !this.parenBoundary || lineEnd !== len) {
					this.hereDocClosingPos = lineStart;
					this.hereDocClosingEnd = lineEnd;
				}
				this.pos = lineEnd < len ? lineEnd + 1 : lineEnd;
				return bodyEnd;
			}
			if (parenEnds && afterDelim !== -1) {
				let paren = afterDelim;
				while (paren < lineEnd && src.charCodeAt(paren) !== 41) paren++;
				if (paren < lineEnd || this.parenBoundary && lineEnd === len) {
					const bodyEnd = this.pos;
					this.pos = afterDelim;
					return bodyEnd;
				}
			}
			this.pos = lineEnd < len ? lineEnd + 1 : lineEnd;
		}
		return this.pos;
	}
	_wordText = "";
	_wordRaw = false;
	_wordQuoted = false;
	_wordHasExpansions = false;
	_wordKeywordEligible = false;
	_wordAssignmentState;
	_bracketWindow;
	_arithmeticBracketWindow;
	_wordParts = null;
	_resultText = "";
	_resultIsRaw = true;
	_resultHasExpansion = false;
	_resultPart;
	_unbalanced = false;
	_notArithmetic = false;
	_arithUnterminated = false;
	_dqText = "";
	_dqHasExpansions = false;
	_dqParts = null;
	_dqEnd = 0;
	_hereDelim = "";
	_hereQuoted = false;
	readWord(out, ctx, tokenStart = 0) {
		const errorStart = this._errors === null ? 0 : this._errors.length;
		this.readWordText(false, ctx, true);
		if (ctx === LexContext.Normal) {
			const next = this.pos < this.srcEnd ? this.src.charCodeAt(this.pos) : 0;
			if (!this._wordRaw || next !== 60 && next !== 62) {
				setSpanToken(out, Token.Word, tokenStart, this.pos, this._wordRaw);
				out.keywordEligible = this._wordKeywordEligible;
				return;
			}
		}
		this.classifyWord(out, ctx, tokenStart, errorStart);
	}
	isRedirectVariable(start, end) {
		const src = this.src;
		for (let i = start; i < end; i++) {
			const c = src.charCodeAt(i);
			if (c === 91 && i > start) return i + 2 < end && src.charCodeAt(end - 1) === 93 && this.findClosingShellDelimiter(i + 1, end, 93) === end - 1;
			if (c >= 128 || !(isIdChar[c] & (i === start ? 1 : 2))) return false;
		}
		return end > start;
	}
	readArrayElement(out, tokenStart) {
		const close = this.findClosingBracket(tokenStart + 1);
		if (close === -1) return false;
		this.pos = close + 1;
		this.readWordText();
		setSpanToken(out, Token.Word, tokenStart, this.pos, true);
		return true;
	}
	classifyWord(out, ctx, tokenStart, errorStart) {
		const src = this.src;
		const raw = this._wordRaw;
		const hasExpansions = this._wordHasExpansions;
		const quoted = this._wordQuoted;
		const keywordEligible = this._wordKeywordEligible;
		let assignmentState = this._wordAssignmentState;
		const wordEnd = this.pos;
		const wordLen = wordEnd - tokenStart;
		if (ctx === LexContext.CasePattern) {
			let token = Token.Word;
			if (keywordEligible) {
				const reserved = raw ? matchReservedWord(src, tokenStart, wordLen) : RESERVED_WORDS.get(this.wordValueOf(tokenStart, wordEnd));
				if (reserved === Token.Esac) token = reserved;
			}
			setSpanToken(out, token, tokenStart, wordEnd, raw);
			out.keywordEligible = keywordEligible;
			return;
		}
		let value = null;
		if (!raw && !hasExpansions && keywordEligible && (ctx === LexContext.CommandStart || ctx === LexContext.TestMode)) {
			const nextCh = wordEnd < this.srcEnd ? src.charCodeAt(wordEnd) : 0;
			if (!quoted && wordLen <= 16 || nextCh === 60 || nextCh === 62) value = this.wordValueOf(tokenStart, wordEnd);
		}
		if (ctx === LexContext.CommandStart && keywordEligible) {
			if (raw) {
				if (wordLen <= 8) {
					const reserved = matchReservedWord(src, tokenStart, wordLen);
					if (reserved !== void 0) {
						setSpanToken(out, reserved, tokenStart, wordEnd, true);
						return;
					}
				}
				if (wordLen === 2 && src.charCodeAt(tokenStart) === 91 && src.charCodeAt(tokenStart + 1) === 91) {
					setSpanToken(out, Token.DblLBracket, tokenStart, wordEnd, true);
					return;
				}
			} else if (value !== null && value.length > 0) {
				const fc = value.charCodeAt(0);
				if (fc >= 97 && fc <= 122 && value.length <= 8 || fc === 33 || fc === 123 || fc === 125) {
					const reserved = RESERVED_WORDS.get(value);
					if (reserved !== void 0) {
						setToken(out, reserved, value, tokenStart, wordEnd);
						return;
					}
				}
				if (fc === 91 && value === "[[") {
					setToken(out, Token.DblLBracket, value, tokenStart, wordEnd);
					return;
				}
			}
		}
		if (ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix || ctx === LexContext.Declaration) {
			if (assignmentState === void 0) {
				let eq = -1;
				let bracket = false;
				for (let i = tokenStart + 1; i < wordEnd; i++) {
					const c = src.charCodeAt(i);
					if (c === 61) {
						eq = i;
						break;
					}
					if (c === 91) bracket = true;
				}
				if (eq !== -1 || ctx !== LexContext.Declaration && bracket) assignmentState = scanAssignmentPrefix(src, tokenStart, wordEnd, ASSIGNMENT_NAME_START);
			}
			if (assignmentState !== void 0) {
				if (ctx !== LexContext.Declaration && assignmentState >= ASSIGNMENT_INDEX_BASE) {
					if (wordEnd < this.srcEnd) {
						if (this._errors !== null) this._errors.length = errorStart;
						this.pos = tokenStart;
						this.readWordText(true, ctx, true);
						if (this.pos > wordEnd) {
							this.classifyWord(out, ctx, tokenStart, errorStart);
							return;
						}
					}
					if (this._errors === null || this._errors.length === errorStart) this.errors.push({
						message: "unterminated array subscript",
						pos: src.indexOf("[", tokenStart)
					});
				}
				if (isMatchedAssignment(assignmentState)) {
					setSpanToken(out, Token.Assignment, tokenStart, wordEnd, raw);
					if (value !== null) out._value = value;
					out.assignmentOperatorPos = assignmentOperatorPos(assignmentState);
					return;
				}
			}
		}
		if ((ctx === LexContext.CommandStart || ctx === LexContext.TestMode) && keywordEligible) {
			if (raw) {
				if (wordLen === 2 && src.charCodeAt(tokenStart) === 93 && src.charCodeAt(tokenStart + 1) === 93) {
					setSpanToken(out, Token.DblRBracket, tokenStart, wordEnd, true);
					return;
				}
			} else if (value === "]]") {
				setToken(out, Token.DblRBracket, value, tokenStart, wordEnd);
				return;
			}
		}
		if (!hasExpansions && this.pos < this.srcEnd) {
			const nc = src.charCodeAt(this.pos);
			if (nc === 60 || nc === 62) {
				if (raw) {
					const fc = src.charCodeAt(tokenStart);
					if (fc >= 48 && fc <= 57 && isAllDigitsRange(src, tokenStart, wordEnd)) {
						const fd = Number.parseInt(src.slice(tokenStart, wordEnd), 10);
						if (this.readRedirection(out, tokenStart)) {
							out.fileDescriptor = fd;
							out.descriptorEnd = wordEnd;
							return;
						}
					}
					if (fc === 123 && src.charCodeAt(wordEnd - 1) === 125 && this.isRedirectVariable(tokenStart + 1, wordEnd - 1)) {
						const varname = src.slice(tokenStart + 1, wordEnd - 1);
						if (this.readRedirection(out, tokenStart)) {
							out.variableName = varname;
							out.descriptorEnd = wordEnd;
							return;
						}
					}
				}
			}
		}
		setSpanToken(out, Token.Word, tokenStart, wordEnd, raw);
		if (value !== null) out._value = value;
		out.keywordEligible = keywordEligible;
	}
	readWordText(subscripts = false, ctx = LexContext.Normal, scanning = false) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		const fastStart = pos;
		let exitCh = 0;
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c < 128 && charType[c]) {
				exitCh = c;
				break;
			}
			pos++;
		}
		if (pos >= len || charType[exitCh] & 1 && !(exitCh === 40 && pos > fastStart && extglobPrefix[src.charCodeAt(pos - 1)]) && !subscripts) {
			this.pos = pos;
			this._wordText = (this._buildParts || this._buildValue) && pos > fastStart ? src.slice(fastStart, pos) : "";
			this._wordRaw = true;
			this._wordQuoted = false;
			this._wordHasExpansions = false;
			this._wordKeywordEligible = true;
			this._wordAssignmentState = void 0;
			if (this._buildParts) this._wordParts = hasGlobCharacters(this._wordText) && ctx !== LexContext.ArrayElement ? parseGlobParts(src, fastStart, pos, void 0) ?? null : null;
			return;
		}
		const bp = this._buildParts;
		const bt = bp || this._buildValue;
		let text = bt && pos > fastStart ? src.slice(fastStart, pos) : "";
		let quoted = false;
		let hasExpansions = false;
		let keywordEligible = true;
		let valueIsRaw = true;
		let lastValueChar = pos > fastStart ? src.charCodeAt(pos - 1) : 0;
		let assignmentState = scanAssignmentPrefix(src, fastStart, pos, ASSIGNMENT_NAME_START);
		let parts;
		let litBuf = "";
		let litStart = 0;
		let hasGlobs = false;
		let braceResults;
		if (bp) {
			parts = [];
			litBuf = text;
			litStart = fastStart;
			hasGlobs = text.length > 0 && hasGlobCharacters(text);
		}
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch >= 128 || !charType[ch]) {
				const runStart = pos;
				pos++;
				while (pos < len) {
					const c = src.charCodeAt(pos);
					if (c < 128 && charType[c]) break;
					pos++;
				}
				lastValueChar = src.charCodeAt(pos - 1);
				assignmentState = scanAssignmentPrefix(src, runStart, pos, assignmentState);
				if (bt) {
					const chunk = src.slice(runStart, pos);
					text += chunk;
					if (bp) {
						litBuf += chunk;
						hasGlobs = hasGlobs || hasGlobCharacters(chunk);
					}
				}
				continue;
			}
			if (charType[ch] & 1) {
				if (subscripts && assignmentState >= ASSIGNMENT_INDEX_BASE) {
					const close = this.findClosingBracket(pos);
					if (close !== -1) {
						const spanEnd = close + 1;
						assignmentState = assignmentState === 5 ? ASSIGNMENT_AFTER_INDEX : assignmentState - 1;
						lastValueChar = src.charCodeAt(close);
						if (bt) {
							const chunk = src.slice(pos, spanEnd);
							text += chunk;
							if (bp) {
								litBuf += chunk;
								hasGlobs = hasGlobs || hasGlobCharacters(chunk);
							}
						}
						pos = spanEnd;
						continue;
					}
				}
				if (ch === 40 && lastValueChar < 128 && extglobPrefix[lastValueChar]) {
					if (ctx === LexContext.FunctionName || assignmentState >= ASSIGNMENT_INDEX_BASE && (ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix)) break;
					if (ctx === LexContext.CommandStart && lastValueChar === 33 && keywordEligible && src.charCodeAt(fastStart) === 33 && skipLineContinuations(src, fastStart + 1, len) === pos) break;
					const prefixChar = lastValueChar;
					if (prefixChar === 61 && scanning && !((ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix || ctx === LexContext.Declaration || ctx === LexContext.EvalArgument) && isMatchedAssignment(assignmentState) && skipLineContinuations(src, assignmentOperatorPos(assignmentState) + 1, len) === pos)) break;
					const innerStart = pos + 1;
					const close = this.findClosingShellDelimiter(innerStart, len, 41, prefixChar === 61);
					if (close === -1 && !scanning && !subscripts && assignmentState >= ASSIGNMENT_INDEX_BASE) break;
					if (ctx === LexContext.CommandStart && prefixChar !== 61 && close !== -1 && skipBlanks(src, innerStart, close) === close) break;
					keywordEligible = false;
					const patternEnd = close === -1 ? len : close;
					pos = close === -1 ? len : close + 1;
					if (close === -1) this.errors.push({
						message: "unterminated extended glob",
						pos: innerStart - 2
					});
					lastValueChar = src.charCodeAt(pos - 1);
					if (bt) {
						const eg = "(" + src.slice(innerStart, pos);
						text += eg;
						if (bp && prefixChar !== 61) {
							let prefixPos = innerStart - 2;
							while (src.charCodeAt(prefixPos) === 10 && src.charCodeAt(prefixPos - 1) === 92) prefixPos -= 2;
							if (litBuf.length > 0) {
								const trimmed = litBuf.slice(0, -1);
								if (prefixPos > litStart) parts.push({
									type: "Literal",
									pos: litStart,
									end: prefixPos,
									value: trimmed,
									text: src.slice(litStart, prefixPos)
								});
								litBuf = "";
							}
							const op = extglobOp[prefixChar];
							parts.push({
								type: "ExtendedGlob",
								pos: prefixPos,
								end: pos,
								text: src.slice(prefixPos, pos),
								operator: op,
								pattern: src.slice(innerStart, patternEnd),
								parts: this.subFieldParts(innerStart, patternEnd)
							});
							litStart = pos;
						} else if (bp) {
							litBuf += eg;
							hasGlobs = hasGlobs || hasGlobCharacters(eg);
						}
					}
					continue;
				}
				break;
			}
			if (ch === 92) {
				pos++;
				if (pos < len) {
					if (src.charCodeAt(pos) === 10) {
						pos++;
						valueIsRaw = false;
					} else {
						if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
						quoted = true;
						keywordEligible = false;
						valueIsRaw = false;
						lastValueChar = src.charCodeAt(pos);
						if (bt) {
							text += src[pos];
							if (bp) litBuf += src[pos];
						}
						pos++;
					}
				} else {
					if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
					quoted = true;
					keywordEligible = false;
					lastValueChar = 92;
					if (bt) {
						text += "\\";
						if (bp) litBuf += "\\";
					}
				}
				continue;
			}
			if (ch === 39) {
				const sqStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				quoted = true;
				keywordEligible = false;
				valueIsRaw = false;
				pos++;
				const start = pos;
				while (pos < len && src.charCodeAt(pos) !== 39) pos++;
				if (pos > start) lastValueChar = src.charCodeAt(pos - 1);
				const value = bt ? src.slice(start, pos) : "";
				if (bt) text += value;
				if (pos < len) pos++;
				else this.errors.push({
					message: "unterminated single quote",
					pos: start - 1
				});
				if (bp) {
					if (sqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: sqStart,
							value: litBuf,
							text: src.slice(litStart, sqStart)
						});
						litBuf = "";
					}
					parts.push({
						type: "SingleQuoted",
						pos: sqStart,
						end: pos,
						value,
						text: src.slice(sqStart, pos)
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 34) {
				const dqStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				quoted = true;
				keywordEligible = false;
				valueIsRaw = false;
				pos++;
				this.pos = pos;
				this.readDoubleQuoted();
				pos = this.pos;
				if (this._dqEnd > dqStart + 1) lastValueChar = src.charCodeAt(this._dqEnd - 1);
				if (this._dqHasExpansions) hasExpansions = true;
				if (bt) text += this._dqText;
				if (bp) {
					if (dqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: dqStart,
							value: litBuf,
							text: src.slice(litStart, dqStart)
						});
						litBuf = "";
					}
					const dqText = src.slice(dqStart, pos);
					parts.push({
						type: "DoubleQuoted",
						pos: dqStart,
						end: pos,
						text: dqText,
						parts: this._dqParts ?? [{
							type: "Literal",
							pos: dqStart + 1,
							end: this._dqEnd,
							value: this._dqText,
							text: src.slice(dqStart + 1, this._dqEnd)
						}]
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 36) {
				keywordEligible = false;
				const dollarStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				const next = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
				if (next === 39 || next === 34) quoted = true;
				this.pos = pos;
				this.readDollar();
				pos = this.pos;
				if (!this._resultIsRaw) valueIsRaw = false;
				if (pos > dollarStart) lastValueChar = src.charCodeAt(pos - 1);
				if (this._resultHasExpansion) hasExpansions = true;
				if (bt) text += this._resultText;
				if (bp) {
					if (this._resultPart) {
						if (dollarStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: dollarStart,
								value: litBuf,
								text: src.slice(litStart, dollarStart)
							});
							litBuf = "";
						}
						parts.push(this._resultPart);
						litStart = pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				keywordEligible = false;
				const btStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				this.pos = pos;
				this.readBacktickExpansion();
				pos = this.pos;
				valueIsRaw = false;
				lastValueChar = src.charCodeAt(pos - 1);
				hasExpansions = true;
				if (bt) text += this._resultText;
				if (bp) {
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = pos;
				}
				continue;
			}
			if (ch === 123) {
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				const first = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
				const braceEnd = first <= 32 || first === 125 ? -1 : this.scanBraceExpansion(pos, braceResults ?? (braceResults = /* @__PURE__ */ new Map()));
				if (braceEnd > 0) {
					keywordEligible = false;
					lastValueChar = src.charCodeAt(braceEnd - 1);
					if (bt) {
						const braceText = src.slice(pos, braceEnd);
						text += braceText;
						if (bp) {
							if (pos > litStart) {
								parts.push({
									type: "Literal",
									pos: litStart,
									end: pos,
									value: litBuf,
									text: src.slice(litStart, pos)
								});
								litBuf = "";
							}
							parts.push({
								type: "BraceExpansion",
								pos,
								end: braceEnd,
								text: braceText,
								parts: this.subFieldParts(pos + 1, braceEnd - 1)
							});
							litStart = braceEnd;
						}
					}
					pos = braceEnd;
					continue;
				}
				lastValueChar = 123;
				if (bt) {
					text += "{";
					if (bp) litBuf += "{";
				}
				pos++;
				continue;
			}
			pos++;
		}
		if (bp && pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: pos,
			value: litBuf,
			text: src.slice(litStart, pos)
		});
		this.pos = pos;
		this._wordText = text;
		this._wordRaw = valueIsRaw;
		this._wordQuoted = quoted;
		this._wordHasExpansions = hasExpansions;
		this._wordKeywordEligible = keywordEligible;
		this._wordAssignmentState = assignmentState;
		if (bp) {
			this._wordParts = parts.length > 1 || parts.length === 1 && parts[0].type !== "Literal" ? parts : null;
			if (hasGlobs && ctx !== LexContext.ArrayElement) this._wordParts = parseGlobParts(src, fastStart, pos, this._wordParts) ?? null;
		}
	}
	readInnerWordText(insideDoubleQuotes = false, arithmetic = false, globs = false) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		const start = pos;
		let text = "";
		const bp = this._buildParts;
		let parts;
		let litBuf = "";
		let litStart = 0;
		let preserveLiteral = false;
		let hasGlobs = false;
		if (bp) {
			parts = [];
			litStart = pos;
		}
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch === 92) {
				pos++;
				if (pos < len) {
					if (src.charCodeAt(pos) === 10) pos++;
					else {
						const next = src.charCodeAt(pos);
						if (insideDoubleQuotes && next !== 36 && next !== 96 && next !== 34 && next !== 92 && next !== 125) {
							text += "\\";
							if (bp) litBuf += "\\";
							preserveLiteral = true;
						}
						const escaped = src[pos++];
						text += escaped;
						if (bp) litBuf += escaped;
					}
				}
				continue;
			}
			if (ch === 39 && !insideDoubleQuotes) {
				const sqStart = pos;
				pos++;
				const start = pos;
				while (pos < len && src.charCodeAt(pos) !== 39) pos++;
				const value = src.slice(start, pos);
				text += value;
				if (pos < len) pos++;
				if (bp) {
					if (sqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: sqStart,
							value: litBuf,
							text: src.slice(litStart, sqStart)
						});
						litBuf = "";
					}
					parts.push({
						type: "SingleQuoted",
						pos: sqStart,
						end: pos,
						value,
						text: src.slice(sqStart, pos)
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 34) {
				const dqStart = pos;
				pos++;
				this.pos = pos;
				this.readDoubleQuoted(insideDoubleQuotes);
				pos = this.pos;
				text += this._dqText;
				if (bp) {
					if (dqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: dqStart,
							value: litBuf,
							text: src.slice(litStart, dqStart)
						});
						litBuf = "";
					}
					const dqText = src.slice(dqStart, pos);
					parts.push({
						type: "DoubleQuoted",
						pos: dqStart,
						end: pos,
						text: dqText,
						parts: this._dqParts ?? [{
							type: "Literal",
							pos: dqStart + 1,
							end: this._dqEnd,
							value: this._dqText,
							text: src.slice(dqStart + 1, this._dqEnd)
						}]
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 36) {
				const dollarStart = pos;
				this.pos = pos;
				this.readDollar(insideDoubleQuotes);
				pos = this.pos;
				text += this._resultText;
				if (bp) {
					if (this._resultPart) {
						if (dollarStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: dollarStart,
								value: litBuf,
								text: src.slice(litStart, dollarStart)
							});
							litBuf = "";
						}
						parts.push(this._resultPart);
						litStart = pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				const btStart = pos;
				this.pos = pos;
				this.readBacktickExpansion(insideDoubleQuotes);
				pos = this.pos;
				text += this._resultText;
				if (bp) {
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = pos;
				}
				continue;
			}
			if (!insideDoubleQuotes && !arithmetic && (ch === 60 || ch === 62) && pos + 1 < len && src.charCodeAt(pos + 1) === 40) {
				const psStart = pos;
				this.pos = pos + 2;
				const inner = this.extractBalanced();
				pos = this.pos;
				const raw = src.slice(psStart, pos);
				text += raw;
				if (bp) {
					if (psStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: psStart,
							value: litBuf,
							text: src.slice(litStart, psStart)
						});
						litBuf = "";
					}
					parts.push(this.processSubstitution(psStart, raw, ch === 60 ? "<" : ">", inner));
					litStart = pos;
				}
				continue;
			}
			text += src[pos];
			if (bp) {
				litBuf += src[pos];
				if (globs && (ch === 42 || ch === 63 || ch === 91)) hasGlobs = true;
			}
			pos++;
		}
		if (bp && pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: pos,
			value: litBuf,
			text: src.slice(litStart, pos)
		});
		this.pos = pos;
		this._wordText = text;
		this._wordRaw = false;
		this._wordQuoted = false;
		this._wordHasExpansions = false;
		this._wordKeywordEligible = false;
		if (bp) {
			this._wordParts = parts.length > 1 || parts.length === 1 && (parts[0].type !== "Literal" || preserveLiteral) ? parts : null;
			if (hasGlobs) this._wordParts = parseGlobParts(src, start, pos, this._wordParts) ?? null;
		}
	}
	subFieldParts(start, end) {
		if (this._nestingDepth >= 256) return void 0;
		return hasEmbeddedWordStructure(this.src, start, end) ? this.parseSubFieldWord(start, end).parts : parseGlobParts(this.src, start, end, void 0);
	}
	parseSubFieldWord(start, end, context = "word", arithmetic = false) {
		if (start >= end) return new WordImpl("", start, start);
		if (this._nestingDepth >= 256) return new WordImpl(this.src.slice(start, end), start, end);
		this._nestingDepth++;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedPos = this.pos;
		const savedText = this._wordText;
		const savedParts = this._wordParts;
		const savedQuoted = this._wordQuoted;
		const savedKeywordEligible = this._wordKeywordEligible;
		this.srcEnd = end;
		this.pos = start;
		this.readInnerWordText(context === "quoted", arithmetic, context === "word");
		const word = new WordImpl(this.src.slice(start, end), start, end);
		if (this._buildParts) word.parts = this._wordParts ?? void 0;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this.pos = savedPos;
		this._wordText = savedText;
		this._wordParts = savedParts;
		this._wordQuoted = savedQuoted;
		this._wordKeywordEligible = savedKeywordEligible;
		this._nestingDepth--;
		return word;
	}
	skipSQ() {
		while (this.pos < this.srcEnd && this.src.charCodeAt(this.pos) !== 39) this.pos++;
		if (this.pos < this.srcEnd) this.pos++;
	}
	skipAnsiCQuoted() {
		const quotePos = this.pos - 1;
		const result = decodeAnsiCQuoted(this.src, this.pos, this.srcEnd);
		this.pos = result.end;
		if (!result.closed) this.errors.push({
			message: "unterminated ANSI-C quote",
			pos: quotePos
		});
	}
	skipDQ() {
		const src = this.src;
		const len = this.srcEnd;
		this._unbalanced = false;
		if (this._nestingDepth < 256) while (this.pos < len) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 34) {
				this.pos++;
				return;
			}
			if (ch === 92) {
				this.pos = Math.min(this.pos + 2, len);
				continue;
			}
			if (ch === 96) break;
			if (ch === 36) {
				const next = src.charCodeAt(this.pos + 1);
				if (next === 40 || next === 123 || next === 36) break;
			}
			this.pos++;
		}
		this.extractBalanced(true, true);
	}
	skipSpacesAndTabs() {
		this.pos = skipBlanks(this.src, this.pos, this.srcEnd);
	}
	readDoubleQuoted(unescapeAll = false) {
		const src = this.src;
		const len = this.srcEnd;
		const contentStart = this.pos;
		let hasExpansions = false;
		const bp = this._buildParts;
		const bt = bp || this._buildValue;
		if (!bp) {
			let p = this.pos;
			while (p < len) {
				const c = src.charCodeAt(p);
				if (c === 34) {
					this._dqText = bt ? src.slice(contentStart, p) : "";
					this._dqEnd = p;
					this.pos = p + 1;
					this._dqHasExpansions = false;
					this._dqParts = null;
					return;
				}
				if (c === 36 || c === 96 || c === 92) break;
				p++;
			}
		}
		let text = "";
		let parts = null;
		let litBuf = "";
		let litStart = bp ? this.pos : 0;
		while (this.pos < len && src.charCodeAt(this.pos) !== 34) {
			const runStart = this.pos;
			while (this.pos < len) {
				const c = src.charCodeAt(this.pos);
				if (c === 34 || c === 92 || c === 36 || c === 96) break;
				this.pos++;
			}
			if (bt && this.pos > runStart) {
				const chunk = src.slice(runStart, this.pos);
				text += chunk;
				if (bp) litBuf += chunk;
			}
			if (this.pos >= len || src.charCodeAt(this.pos) === 34) break;
			const ch = src.charCodeAt(this.pos);
			if (ch === 92) {
				this.pos++;
				if (this.pos < len) {
					const next = src.charCodeAt(this.pos);
					if (next === 10) {
						this.pos++;
						continue;
					}
					if (bt) {
						if (unescapeAll || next === 36 || next === 96 || next === 34 || next === 92) {
							const c = src[this.pos];
							text += c;
							if (bp) litBuf += c;
						} else {
							const pair = "\\" + src[this.pos];
							text += pair;
							if (bp) litBuf += pair;
						}
					}
					this.pos++;
				}
				continue;
			}
			if (ch === 36) {
				const afterDollar = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (afterDollar === 34 || afterDollar === 39) {
					if (bt) {
						text += "$";
						if (bp) litBuf += "$";
					}
					this.pos++;
					continue;
				}
				const expStart = this.pos;
				this.readDollar(true);
				if (bt) text += this._resultText;
				if (this._resultHasExpansion) hasExpansions = true;
				if (bp) {
					const rp = this._resultPart;
					if (rp && isDQChild(rp)) {
						if (!parts) parts = [];
						if (expStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: expStart,
								value: litBuf,
								text: src.slice(litStart, expStart)
							});
							litBuf = "";
						}
						parts.push(rp);
						litStart = this.pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				const btStart = this.pos;
				this.readBacktickExpansion(true);
				if (bt) text += this._resultText;
				hasExpansions = true;
				if (bp && this._resultPart && isDQChild(this._resultPart)) {
					if (!parts) parts = [];
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = this.pos;
				}
				continue;
			}
		}
		if (bp && parts && this.pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: this.pos,
			value: litBuf,
			text: src.slice(litStart, this.pos)
		});
		this._dqEnd = this.pos;
		if (this.pos < len) this.pos++;
		else this.errors.push({
			message: "unterminated double quote",
			pos: contentStart - 1
		});
		this._dqText = text;
		this._dqHasExpansions = hasExpansions;
		this._dqParts = parts;
	}
	readDollar(insideDoubleQuotes = false) {
		const dollarPos = this.pos;
		this.pos++;
		const src = this.src;
		const len = this.srcEnd;
		const bt = this._buildParts || this._buildValue;
		if (this.pos >= len) {
			this._resultText = "$";
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = void 0;
			return;
		}
		const logicalPos = skipLineContinuations(src, this.pos, len);
		if (logicalPos > this.pos && src.charCodeAt(logicalPos) === 40 && src.charCodeAt(logicalPos + 1) !== 40) this.pos = logicalPos;
		const ch = src.charCodeAt(this.pos);
		if (ch === 40) {
			if (this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				const savedPos = this.pos;
				const savedErrors = this.errors.length;
				this.readArithmeticExpansion(dollarPos);
				if (!this._notArithmetic) return;
				this.errors.length = savedErrors;
				this.pos = savedPos;
			}
			this.readCommandSubstitution(dollarPos);
			return;
		}
		if (ch === 123) {
			const after = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
			if (after === 32 || after === 9 || after === 10) {
				this.readBraceCommandSubstitution();
				return;
			}
			if (after === 124) {
				this.readValueSubstitution();
				return;
			}
			this.readParameterExpansion(insideDoubleQuotes);
			return;
		}
		if (ch === 39) {
			this.pos++;
			if (bt) {
				const value = this.readAnsiCQuoted();
				this._resultText = value;
				this._resultPart = this._buildParts ? {
					type: "AnsiCQuoted",
					pos: dollarPos,
					end: this.pos,
					text: src.slice(dollarPos, this.pos),
					value
				} : void 0;
			} else {
				this.skipAnsiCQuoted();
				this._resultText = "";
				this._resultPart = void 0;
			}
			this._resultIsRaw = false;
			this._resultHasExpansion = false;
			return;
		}
		if (ch === 34) {
			this.pos++;
			this.readDoubleQuoted(insideDoubleQuotes);
			this._resultText = this._dqText;
			this._resultIsRaw = false;
			this._resultHasExpansion = this._dqHasExpansions;
			if (this._buildParts) {
				const text = src.slice(dollarPos, this.pos);
				this._resultPart = {
					type: "LocaleString",
					pos: dollarPos,
					end: this.pos,
					text,
					parts: this._dqParts ?? [{
						type: "Literal",
						pos: dollarPos + 2,
						end: this._dqEnd,
						value: this._dqText,
						text: src.slice(dollarPos + 2, this._dqEnd)
					}]
				};
			} else this._resultPart = void 0;
			return;
		}
		if (ch === 64 || ch === 42 || ch === 35 || ch === 63 || ch === 45 || ch === 36 || ch === 33 || ch >= 48 && ch <= 57) {
			this.pos++;
			const text = bt ? src.slice(this.pos - 2, this.pos) : "";
			this._resultText = text;
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = this._buildParts ? {
				type: "SimpleExpansion",
				pos: dollarPos,
				end: this.pos,
				text
			} : void 0;
			return;
		}
		if (ch < 128 && isIdChar[ch] & 1) {
			const namePos = this.pos - 1;
			while (this.pos < len) {
				const c = src.charCodeAt(this.pos);
				if (c < 128 && isIdChar[c] & 2) this.pos++;
				else break;
			}
			const text = bt ? src.slice(namePos, this.pos) : "";
			this._resultText = text;
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = this._buildParts ? {
				type: "SimpleExpansion",
				pos: dollarPos,
				end: this.pos,
				text
			} : void 0;
			return;
		}
		if (ch === 91) {
			const errorCount = this._errors === null ? 0 : this._errors.length;
			const close = this.findClosingArithmeticBracket(this.pos + 1);
			if (close !== -1) {
				const bodyStart = this.pos + 1;
				const body = src.slice(bodyStart, close);
				this.pos = close + 1;
				const text = bt ? src.slice(dollarPos, this.pos) : "";
				this._resultText = text;
				this._resultIsRaw = true;
				this._resultHasExpansion = false;
				this._resultPart = this._buildParts ? this.arithmeticExpansion(bodyStart - 2, text, body, bodyStart) : void 0;
				return;
			}
			if (this._errors !== null) this._errors.length = errorCount;
		}
		this._resultText = "$";
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		this._resultPart = void 0;
	}
	scanArithmeticBody() {
		this._notArithmetic = false;
		this._arithUnterminated = false;
		this.pos += 2;
		let depth = 1;
		let parenDepth = 0;
		let parentParenDepth = 0;
		let parenDepths;
		let reported = false;
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		while (this.pos < len && depth > 0) {
			const c = src.charCodeAt(this.pos);
			if (c === 92) this.pos += this.pos + 1 < len ? 2 : 1;
			else if (c === 39) {
				this.pos++;
				this.skipSQ();
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
			} else if (c === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 36 && this.pos + 2 < len && src.charCodeAt(this.pos + 1) === 40 && src.charCodeAt(this.pos + 2) !== 40) {
				const dollarPos = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated command substitution",
					pos: dollarPos
				});
			} else if (c === 36 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 123) {
				const close = this.findClosingBrace(this.pos + 2, len);
				this.pos = close === -1 ? len : close + 1;
			} else if ((c === 60 || c === 62) && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				this.pos += 2;
				this.extractBalanced();
			} else if (c === 40) {
				if (src.charCodeAt(this.pos - 1) === 36 && src.charCodeAt(this.pos + 1) === 40) {
					if (depth === 1) parentParenDepth = parenDepth;
					else (parenDepths ?? (parenDepths = [])).push(parenDepth);
					depth++;
					parenDepth = 0;
					if (depth + this._nestingDepth > 256 && !reported) {
						this.errors.push({
							message: "maximum arithmetic expansion nesting depth exceeded",
							pos: this.pos - 1
						});
						reported = true;
					}
					this.pos += 2;
				} else {
					if (++parenDepth + depth - 1 + this._nestingDepth > 256 && !reported) {
						this.errors.push({
							message: "maximum arithmetic expression nesting depth exceeded",
							pos: this.pos
						});
						reported = true;
					}
					this.pos++;
				}
			} else if (c === 41 && parenDepth > 0) {
				parenDepth--;
				this.pos++;
			} else if (c === 41 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 41) {
				if (--depth === 0) {
					this.pos += 2;
					break;
				}
				parenDepth = depth === 1 ? parentParenDepth : parenDepths.pop();
				this.pos += 2;
			} else if (c === 41 && depth === 1) {
				this._notArithmetic = true;
				return "";
			} else this.pos++;
		}
		const bt = this._buildParts || this._buildValue;
		if (depth > 0) {
			this._arithUnterminated = true;
			return bt ? src.slice(start, this.pos) : "";
		}
		return bt ? src.slice(start, this.pos - 2) : "";
	}
	readArithmeticExpansion(dollarPos) {
		const bodyStart = this.pos + 2;
		const body = this.scanArithmeticBody();
		if (this._notArithmetic) return;
		if (this._arithUnterminated) this.errors.push({
			message: "unterminated arithmetic expansion",
			pos: dollarPos
		});
		const text = this._buildParts || this._buildValue ? this.src.slice(dollarPos, this.pos) : "";
		this._resultText = text;
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		this._resultPart = this._buildParts ? this.arithmeticExpansion(dollarPos, text, body, bodyStart) : void 0;
	}
	arithmeticExpansion(pos, text, body, bodyStart) {
		return new ArithmeticExpansionImpl(pos, this.pos, text, {
			source: this.src,
			body,
			offset: bodyStart,
			depth: this._nestingDepth,
			context: this.substitutionContext
		});
	}
	readArithmeticCommand(out, tokenStart) {
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		const body = this.scanArithmeticBody();
		this._buildValue = savedBuildValue;
		if (this._arithUnterminated) this.errors.push({
			message: "unterminated arithmetic command",
			pos: tokenStart
		});
		setToken(out, Token.ArithCmd, body, tokenStart, this.pos);
	}
	readCommandSubstitution(dollarPos) {
		const openPos = this.pos;
		this.pos++;
		const inner = this.extractBalanced();
		if (this._unbalanced) this.errors.push({
			message: "unterminated command substitution",
			pos: dollarPos
		});
		const bt = this._buildParts || this._buildValue;
		const rawText = bt ? this.src.slice(dollarPos, this.pos) : "";
		const text = !bt || openPos === dollarPos + 1 ? rawText : "$" + this.src.slice(openPos, this.pos);
		this._resultText = text;
		this._resultIsRaw = openPos === dollarPos + 1;
		this._resultHasExpansion = true;
		if (this._buildParts) this._resultPart = this.commandExpansion(dollarPos, rawText, openPos + 1, inner, !this._unbalanced);
		else this._resultPart = void 0;
	}
	readBraceCommandSubstitution() {
		this.readBraceSubstitution(1);
	}
	readValueSubstitution() {
		this.readBraceSubstitution(2);
	}
	readBraceSubstitution(skip) {
		const dollarPos = this.pos - 1;
		this.pos += skip;
		const src = this.src;
		const len = this.srcEnd;
		let depth = 1;
		const start = this.pos;
		while (this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 123) depth++;
			else if (c === 125) {
				if (--depth === 0) {
					this.pos++;
					break;
				}
			} else if (c === 39) {
				this.pos++;
				this.skipSQ();
				continue;
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			} else if (c === 92) this.pos++;
			this.pos++;
		}
		this._resultIsRaw = true;
		this._resultHasExpansion = true;
		if (this._buildParts || this._buildValue) {
			const rawInner = src.slice(start, this.pos - 1);
			const inner = rawInner.trim();
			const text = src.slice(dollarPos, this.pos);
			this._resultText = text;
			if (this._buildParts) {
				const innerStart = start + (rawInner.length - rawInner.trimStart().length);
				this._resultPart = this.commandExpansion(dollarPos, text, innerStart, inner);
			} else this._resultPart = void 0;
		} else {
			this._resultText = "";
			this._resultPart = void 0;
		}
	}
	readBacktickExpansion(insideDoubleQuotes = false) {
		this.pos++;
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		if (!this._buildParts && !this._buildValue) {
			while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
				if (src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) this.pos++;
				this.pos++;
			}
			if (this.pos < len) this.pos++;
			else this.errors.push({
				message: "unterminated backtick",
				pos: start - 1
			});
			this._resultText = "";
			this._resultIsRaw = false;
			this._resultHasExpansion = true;
			this._resultPart = void 0;
			return;
		}
		let inner = "";
		let hasEscapes = false;
		while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
			if (src.charCodeAt(this.pos) === 92) {
				hasEscapes = true;
				break;
			}
			this.pos++;
		}
		if (!hasEscapes) inner = src.slice(start, this.pos);
		else {
			inner = src.slice(start, this.pos);
			while (this.pos < len && src.charCodeAt(this.pos) !== 96) if (src.charCodeAt(this.pos) === 92) {
				this.pos++;
				if (this.pos < len) {
					const c = src.charCodeAt(this.pos);
					if (c === 36 || c === 96 || c === 92 || insideDoubleQuotes && c === 34) inner += src[this.pos];
					else inner += "\\" + src[this.pos];
					this.pos++;
				}
			} else {
				const runStart = this.pos;
				while (this.pos < len) {
					const c = src.charCodeAt(this.pos);
					if (c === 96 || c === 92) break;
					this.pos++;
				}
				inner += src.slice(runStart, this.pos);
			}
		}
		if (this.pos < len) this.pos++;
		else this.errors.push({
			message: "unterminated backtick",
			pos: start - 1
		});
		const text = src.slice(start - 1, this.pos);
		this._resultText = inner;
		this._resultHasExpansion = true;
		if (this._buildParts) this._resultPart = hasEscapes ? this.decodedCommandExpansion(start - 1, text, inner) : this.commandExpansion(start - 1, text, start, inner);
		else this._resultPart = void 0;
	}
	readParameterExpansion(insideDoubleQuotes) {
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		this.pos++;
		let depth = 1;
		let reported = false;
		while (this.pos < len && depth > 0) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 36) {
				const next = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (next === 123) {
					depth++;
					if (this._nestingDepth + depth > 256 && !reported) {
						this.errors.push({
							message: "maximum parameter expansion nesting depth exceeded",
							pos: this.pos
						});
						reported = true;
					}
					this.pos += 2;
					continue;
				}
				if (next === 36) {
					this.pos += 2;
					continue;
				}
				if (next === 40) {
					const dollarPos = this.pos;
					this.pos += 2;
					this.extractBalanced();
					if (this._unbalanced) this.errors.push({
						message: "unterminated command substitution",
						pos: dollarPos
					});
					continue;
				}
			} else if (ch === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				continue;
			} else if (ch === 125) {
				if (--depth === 0) {
					this.pos++;
					break;
				}
			} else if (ch === 92) {
				if (this.pos + 1 < len) this.pos++;
			} else if (ch === 39) {
				this.pos++;
				if (this.pos > start + 1 && src.charCodeAt(this.pos - 2) === 36) this.skipAnsiCQuoted();
				else this.skipSQ();
				continue;
			} else if (ch === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			}
			this.pos++;
		}
		const closed = depth === 0;
		if (!closed) this.errors.push({
			message: "unterminated parameter expansion",
			pos: start - 1
		});
		const text = this._buildParts || this._buildValue ? src.slice(start - 1, this.pos) : "";
		this._resultText = text;
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		if (this._buildParts) {
			const inner = src.slice(start + 1, closed ? this.pos - 1 : this.pos);
			this._resultPart = this.parseParamInner(text, inner, start + 1, insideDoubleQuotes);
		} else this._resultPart = void 0;
	}
	parseParamInner(text, inner, innerStart, insideDoubleQuotes) {
		const result = {
			type: "ParameterExpansion",
			pos: innerStart - 2,
			end: this.pos,
			text,
			parameter: "",
			parameterPos: innerStart,
			parameterEnd: innerStart,
			prefix: void 0,
			index: void 0,
			operation: void 0
		};
		const ilen = inner.length;
		if (ilen === 0) return result;
		const sub = (a, b, context = "word") => this.parseSubFieldWord(innerStart + a, innerStart + b, context);
		const closeBracket = (start) => {
			const close = this.findClosingBracket(innerStart + start, innerStart + ilen);
			return close === -1 ? -1 : close - innerStart;
		};
		let i = 0;
		if (ilen > 1 && inner.charCodeAt(0) === 33) {
			result.prefix = "!";
			i = 1;
		}
		if (ilen > 1 && inner.charCodeAt(0) === 35) {
			const nameEnd = this.scanParamName(inner, 1);
			let parameterEnd = nameEnd;
			let indexEnd = -1;
			if (parameterEnd < ilen && inner.charCodeAt(parameterEnd) === 91) {
				indexEnd = closeBracket(parameterEnd + 1);
				if (indexEnd !== -1) parameterEnd = indexEnd + 1;
			}
			if (nameEnd > 1 && parameterEnd === ilen) {
				result.prefix = "#";
				result.parameter = inner.slice(1, nameEnd);
				result.parameterPos = innerStart + 1;
				result.parameterEnd = innerStart + nameEnd;
				if (indexEnd !== -1) result.index = sub(nameEnd + 1, indexEnd, "embedded");
				return result;
			}
		}
		const nameStart = i;
		i = this.scanParamName(inner, i);
		result.parameter = inner.slice(nameStart, i);
		result.parameterPos = innerStart + nameStart;
		result.parameterEnd = innerStart + i;
		if (i < ilen && inner.charCodeAt(i) === 91) {
			const closeB = closeBracket(i + 1);
			if (closeB !== -1) {
				result.index = sub(i + 1, closeB, "embedded");
				i = closeB + 1;
			}
		}
		if (i >= ilen) return result;
		const pos = innerStart + i;
		const end = innerStart + ilen;
		const opChar = inner.charCodeAt(i);
		const nextChar = inner.charCodeAt(i + 1);
		const defaultChar = inner[opChar === 58 ? i + 1 : i];
		if (defaultChar === "-" || defaultChar === "=" || defaultChar === "+" || defaultChar === "?") {
			const operandStart = i + (opChar === 58 ? 2 : 1);
			result.operation = {
				type: "Default",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator: opChar === 58 ? `:${defaultChar}` : defaultChar,
				operand: sub(operandStart, ilen, insideDoubleQuotes ? "quoted" : "word")
			};
			return result;
		}
		if (opChar === 58) {
			i++;
			const sliceStart = innerStart + i;
			const colonIdx = findUnnested(inner.slice(i), 58, true, (index, quoted) => {
				return this.findNestedShellEnd(sliceStart + index, end, quoted) - sliceStart;
			});
			result.operation = {
				type: "Slice",
				pos,
				end,
				operatorEnd: sliceStart,
				operator: ":",
				offset: sub(i, colonIdx === -1 ? ilen : i + colonIdx, "embedded"),
				length: colonIdx === -1 ? void 0 : sub(i + colonIdx + 1, ilen, "embedded")
			};
			return result;
		}
		if (opChar === 35 || opChar === 37) {
			const doubled = nextChar === opChar;
			const operator = opChar === 35 ? doubled ? "##" : "#" : doubled ? "%%" : "%";
			const operandStart = i + (doubled ? 2 : 1);
			result.operation = {
				type: "Remove",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator,
				operand: sub(operandStart, ilen)
			};
			return result;
		}
		if (opChar === 47) {
			i++;
			let operator = "/";
			if (nextChar === 47 || nextChar === 35 || nextChar === 37) {
				operator = nextChar === 47 ? "//" : nextChar === 35 ? "/#" : "/%";
				i++;
			}
			let separatorStart = i;
			if (nextChar === 47) {
				separatorStart = skipLineContinuations(inner, i, ilen);
				if (inner.charCodeAt(separatorStart) === 47) separatorStart++;
			}
			const sepIdx = findUnnested(inner.slice(separatorStart), 47);
			const patternEnd = sepIdx === -1 ? ilen : separatorStart + sepIdx;
			result.operation = {
				type: "Replace",
				pos,
				end,
				operatorEnd: innerStart + i,
				operator,
				pattern: sub(i, patternEnd),
				replacement: sub(sepIdx === -1 ? ilen : patternEnd + 1, ilen)
			};
			return result;
		}
		if (opChar === 94 || opChar === 44) {
			const doubled = nextChar === opChar;
			const operator = opChar === 94 ? doubled ? "^^" : "^" : doubled ? ",," : ",";
			const operandStart = i + (doubled ? 2 : 1);
			result.operation = {
				type: "CaseModification",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator,
				operand: operandStart === ilen ? void 0 : sub(operandStart, ilen)
			};
			return result;
		}
		if (result.prefix === "!" && result.index === void 0 && i + 1 === ilen && (opChar === 64 || opChar === 42)) {
			result.operation = {
				type: "Names",
				pos,
				end,
				operatorEnd: end,
				operator: opChar === 64 ? "@" : "*"
			};
			return result;
		}
		if (opChar === 64) {
			result.operation = {
				type: "Transform",
				pos,
				end,
				operatorEnd: pos + 1,
				operator: "@",
				operand: sub(i + 1, ilen)
			};
			return result;
		}
		result.operation = {
			type: "Unknown",
			pos,
			end,
			operatorEnd: end,
			operator: inner.slice(i)
		};
		return result;
	}
	findNestedShellEnd(start, end, quoted) {
		const ch = this.src.charCodeAt(start);
		if (ch === 96) {
			let pos = start + 1;
			while (pos < end) {
				const current = this.src.charCodeAt(pos);
				if (current === 92) {
					pos += 2;
					continue;
				}
				pos++;
				if (current === 96) return pos;
			}
			return end;
		}
		let close;
		if (ch === 36) {
			const next = start + 1;
			if (next < end && this.src.charCodeAt(next) === 123) close = this.findClosingBrace(next + 1, end);
			else {
				const open = skipLineContinuations(this.src, next, end);
				if (open >= end || this.src.charCodeAt(open) !== 40) return start;
				close = this.findClosingParenthesis(open + 1, end);
			}
		} else {
			const open = start + 1;
			if (quoted || ch !== 60 && ch !== 62 || open >= end || this.src.charCodeAt(open) !== 40) return start;
			close = this.findClosingParenthesis(open + 1, end);
		}
		return close === -1 ? end : close + 1;
	}
	scanParamName(s, start) {
		let i = start;
		if (i >= s.length) return i;
		const c = s.charCodeAt(i);
		if (c === 64 || c === 42 || c === 35 || c === 63 || c === 45 || c === 36 || c === 33) return i + 1;
		if (c >= 48 && c <= 57) {
			while (i < s.length && s.charCodeAt(i) >= 48 && s.charCodeAt(i) <= 57) i++;
			return i;
		}
		if (c >= 97 && c <= 122 || c >= 65 && c <= 90 || c === 95) {
			i++;
			while (i < s.length) {
				const ch = s.charCodeAt(i);
				if (ch >= 97 && ch <= 122 || ch >= 65 && ch <= 90 || ch >= 48 && ch <= 57 || ch === 95) i++;
				else break;
			}
		}
		return i;
	}
	readAnsiCQuoted() {
		const quotePos = this.pos - 1;
		const result = decodeAnsiCQuoted(this.src, this.pos, this.srcEnd);
		this.pos = result.end;
		if (!result.closed) this.errors.push({
			message: "unterminated ANSI-C quote",
			pos: quotePos
		});
		return result.value;
	}
	extractBalanced(useGrammar = true, quoteOnly = false) {
		const src = this.src;
		const len = this.srcEnd;
		const bt = this._buildParts || this._buildValue;
		let depth = quoteOnly ? 0 : 1;
		const start = this.pos;
		this._unbalanced = false;
		const knownEnd = useGrammar && !quoteOnly ? this.substitutionContext.boundaries?.get(start) : void 0;
		if (knownEnd !== void 0 && knownEnd <= len && this._nestingDepth < 256) {
			this.pos = knownEnd;
			return bt ? src.slice(start, knownEnd - 1) : "";
		}
		let wordStart = true;
		while (!quoteOnly && this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 41) {
				const result = bt ? src.slice(start, this.pos) : "";
				this.pos++;
				return result;
			} else if (c === 40 || c === 92 || c === 39 || c === 34 || c === 96 || c === 36 && (src.charCodeAt(this.pos + 1) === 39 || src.charCodeAt(this.pos + 1) === 36 || src.charCodeAt(this.pos + 1) === 123)) break;
			else if (c === 60 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 60) break;
			else if (c === 35 && wordStart) break;
			else if (c === 99 && wordStart && this.pos + 3 < len && src.charCodeAt(this.pos + 1) === 97 && src.charCodeAt(this.pos + 2) === 115 && src.charCodeAt(this.pos + 3) === 101 && (this.pos + 4 >= len || src.charCodeAt(this.pos + 4) < 128 && charType[src.charCodeAt(this.pos + 4)] & 1)) break;
			else {
				wordStart = c < 128 && (charType[c] & 1) !== 0;
				this.pos++;
			}
		}
		let caseDepth = 0;
		let caseParens = 0;
		const wordStartAfterParen = [];
		let pendingDelims = null;
		let scripts;
		let arithBase = -1;
		let arithExtent = start >= 2 && src.charCodeAt(start) === 40 && src.charCodeAt(start - 1) === 40 && src.charCodeAt(start - 2) === 36;
		let substitutions = 0;
		let reported = false;
		const quotes = quoteOnly ? [{
			close: 34,
			depth: 0
		}] : [];
		let quotedDepth = quoteOnly ? 1 : 0;
		let parameterDepth = 0;
		let arithmeticOpens;
		let continuedDollarPos = -1;
		let continuedParenPos = -1;
		let escapedEnd = -1;
		let lastParenEnd = -1;
		let checkedGrammar = false;
		while (this.pos < len && (depth > 0 || quotes.length > 0)) {
			let ch = src.charCodeAt(this.pos);
			const quote = quotes.length === 0 ? void 0 : quotes[quotes.length - 1];
			if (quote !== void 0 && quote.depth === depth) {
				let commandOpen = false;
				if (ch === 92) {
					this.pos = Math.min(this.pos + 2, len);
					continue;
				}
				if (ch === quote.close) {
					quotes.pop();
					if (ch === 34) quotedDepth--;
					else parameterDepth--;
					this.pos++;
					if (quoteOnly && depth === 0 && quotes.length === 0) return "";
					continue;
				}
				if (ch === 34) {
					quotes.push({
						close: 34,
						depth
					});
					quotedDepth++;
				} else if (ch === 39 && quote.close === 125) {
					this.pos++;
					this.skipSQ();
					continue;
				} else if (ch === 96) {
					this.pos++;
					while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
						if (src.charCodeAt(this.pos) === 92) this.pos++;
						if (this.pos < len) this.pos++;
					}
					if (this.pos < len) this.pos++;
					continue;
				} else if (ch === 36) {
					const next = src.charCodeAt(this.pos + 1);
					if (next === 39 && quote.close === 125) {
						this.pos += 2;
						this.skipAnsiCQuoted();
						continue;
					}
					if (next === 123) {
						quotes.push({
							close: 125,
							depth
						});
						parameterDepth++;
						this.pos++;
					} else if (next === 40) {
						this.pos++;
						ch = 40;
						commandOpen = true;
					} else if (next === 36) {
						this.pos += src.charCodeAt(this.pos + 2) === 40 ? 1 : 2;
						continue;
					}
				}
				if (!reported && this._nestingDepth + Math.max(quotedDepth, parameterDepth) > 256) {
					this.errors.push({
						message: "maximum word nesting depth exceeded",
						pos: this.pos
					});
					reported = true;
				}
				if (!commandOpen) {
					this.pos++;
					while (this.pos < len) {
						const c = src.charCodeAt(this.pos);
						if (c === 92 || c === 34 || c === 36 || c === 96 || c === 125 || c === 39) break;
						this.pos++;
					}
					continue;
				}
			}
			if (ch === 35 && lastParenEnd !== -1 && !arithExtent && arithBase < 0 && useGrammar && !checkedGrammar && this._nestingDepth + (scripts?.length ?? 0) < 256 && skipBlanks(src, lastParenEnd, len) === this.pos) {
				checkedGrammar = true;
				const scope = scripts?.[scripts.length - 1];
				const end = this.findSubstitutionEnd(scope?.start ?? start, len, this._nestingDepth + (scripts?.length ?? 0) + 1);
				if (end !== -1) {
					if (scope === void 0) {
						this.pos = end;
						return bt ? src.slice(start, end - 1) : "";
					}
					this.pos = end - 1;
					depth = scope.depth + 1;
					caseDepth = 0;
					caseParens = 0;
					wordStartAfterParen.length = scope.parens + 1;
					ch = 41;
				}
			}
			if (ch === 40) {
				const prev = this.pos > start && this.pos !== escapedEnd ? src.charCodeAt(this.pos - 1) : 0;
				const commandDollarPos = prev === 36 ? this.pos - 1 : this.pos === continuedParenPos ? continuedDollarPos : -1;
				const wordParen = commandDollarPos !== -1 || prev === 60 || prev === 62 || prev === 61 || prev === 64 || prev === 63 || prev === 42 || prev === 43 || prev === 33 || prev === 40 && wordStartAfterParen[wordStartAfterParen.length - 1] === false || arithExtent && this.pos === start;
				const script = commandDollarPos !== -1 && src.charCodeAt(this.pos + 1) !== 40 || (prev === 60 || prev === 62) && arithBase < 0 && !arithExtent;
				if (script) {
					(scripts ?? (scripts = [])).push({
						start: this.pos + 1,
						dollar: commandDollarPos,
						depth,
						parens: wordStartAfterParen.length,
						caseDepth,
						caseParens,
						arithBase,
						arithExtent,
						substitutions,
						checkedGrammar,
						pendingDelims
					});
					caseDepth = 0;
					caseParens = 0;
					arithBase = -1;
					arithExtent = false;
					checkedGrammar = false;
					pendingDelims = null;
				}
				wordStartAfterParen.push(!wordParen);
				wordStart = true;
				if (!script && arithBase < 0 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) arithBase = depth;
				if (commandDollarPos !== -1) {
					if (script) substitutions++;
					else (arithmeticOpens ?? (arithmeticOpens = [])).push(depth);
					if (substitutions + (arithmeticOpens?.length ?? 0) + this._nestingDepth + (quoteOnly ? 0 : 1) > 256 && !reported) {
						this.errors.push({
							message: "maximum command substitution nesting depth exceeded",
							pos: commandDollarPos
						});
						reported = true;
					}
				}
				continuedDollarPos = -1;
				continuedParenPos = -1;
				depth++;
				if (caseDepth > 0) caseParens++;
				this.pos++;
			} else if (ch === 41) {
				if (caseDepth > 0 && caseParens === 0) {
					this.pos++;
					wordStart = true;
				} else {
					if (caseDepth > 0) caseParens--;
					depth--;
					if (depth === 0 && !quoteOnly) {
						const result = bt ? src.slice(start, this.pos) : "";
						this.pos++;
						return result;
					}
					if (depth <= arithBase) arithBase = -1;
					if (arithmeticOpens !== void 0) while (arithmeticOpens.length > 0 && arithmeticOpens[arithmeticOpens.length - 1] >= depth) arithmeticOpens.pop();
					wordStart = wordStartAfterParen.pop() ?? true;
					this.pos++;
					const scope = scripts?.[scripts.length - 1];
					if (scope !== void 0 && scope.depth === depth) {
						scripts.pop();
						caseDepth = scope.caseDepth;
						caseParens = scope.caseParens;
						arithBase = scope.arithBase;
						arithExtent = scope.arithExtent;
						substitutions = scope.substitutions;
						checkedGrammar = scope.checkedGrammar;
						pendingDelims = scope.pendingDelims;
					}
				}
				lastParenEnd = this.pos;
			} else if (ch === 92) {
				if (this.pos > start && src.charCodeAt(this.pos - 1) === 36) {
					const logicalPos = skipLineContinuations(src, this.pos, len);
					if (logicalPos > this.pos && src.charCodeAt(logicalPos) === 40 && src.charCodeAt(logicalPos + 1) !== 40) {
						continuedDollarPos = this.pos - 1;
						continuedParenPos = logicalPos;
					}
				}
				this.pos++;
				if (this.pos < len) {
					if (src.charCodeAt(this.pos) !== 10) wordStart = false;
					this.pos++;
				}
				escapedEnd = this.pos;
			} else if (ch === 36) {
				const next = src.charCodeAt(++this.pos);
				if (next === 39) {
					this.pos++;
					this.skipAnsiCQuoted();
				} else if (next === 36) this.pos++;
				else if (next === 123 && !isBraceCommandOpener(src.charCodeAt(this.pos + 1))) {
					quotes.push({
						close: 125,
						depth
					});
					parameterDepth++;
					this.pos++;
				}
				wordStart = false;
			} else if (ch === 39) {
				this.pos++;
				this.skipSQ();
				wordStart = false;
			} else if (ch === 34) {
				quotes.push({
					close: 34,
					depth
				});
				quotedDepth++;
				this.pos++;
				wordStart = false;
			} else if (ch === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					if (this.pos < len) this.pos++;
				}
				if (this.pos < len) this.pos++;
				wordStart = false;
			} else if (ch === 60 && arithBase < 0 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 60) {
				if (this.pos + 2 < len && src.charCodeAt(this.pos + 2) === 60) this.pos += 3;
				else {
					this.pos += 2;
					const strip = this.pos < len && src.charCodeAt(this.pos) === 45;
					if (strip) this.pos++;
					this.skipSpacesAndTabs();
					this.readHereDocDelimiter();
					if (this._hereDelim || this._hereQuoted) (pendingDelims ?? (pendingDelims = [])).push({
						delimiter: this._hereDelim,
						strip,
						quoted: this._hereQuoted
					});
				}
				wordStart = false;
			} else if (ch === 10 && pendingDelims) {
				this.pos++;
				for (const hd of pendingDelims) this.skipHereDocBody(hd.delimiter, hd.strip, true, hd.quoted);
				pendingDelims = null;
				wordStart = true;
			} else if (ch === 35 && arithBase < 0 && !arithExtent && wordStart) while (this.pos < len && src.charCodeAt(this.pos) !== 10) this.pos++;
			else {
				const wStart = this.pos;
				while (this.pos < len) {
					const wc = src.charCodeAt(this.pos);
					if (wc < 128 && charType[wc]) break;
					this.pos++;
				}
				if (this.pos > wStart) {
					if (this.pos - wStart === 4 && wordStart && arithBase < 0 && !arithExtent) {
						const c0 = src.charCodeAt(wStart);
						if (c0 === 99 && src.charCodeAt(wStart + 1) === 97 && src.charCodeAt(wStart + 2) === 115 && src.charCodeAt(wStart + 3) === 101) caseDepth++;
						else if (c0 === 101 && src.charCodeAt(wStart + 1) === 115 && src.charCodeAt(wStart + 2) === 97 && src.charCodeAt(wStart + 3) === 99 && caseDepth > 0) {
							caseDepth--;
							if (caseDepth === 0) caseParens = 0;
						}
					}
					wordStart = false;
				} else {
					const wc = src.charCodeAt(this.pos);
					wordStart = wc < 128 && (charType[wc] & 1) !== 0;
					this.pos++;
				}
			}
		}
		this._unbalanced = true;
		if (quoteOnly && scripts !== void 0 && scripts.length > 0) this.errors.push({
			message: "unterminated command substitution",
			pos: scripts[0].dollar
		});
		return bt ? src.slice(start, this.pos) : "";
	}
};
function opPrec(op) {
	switch (op) {
		case ",": return 1;
		case "=":
		case "+=":
		case "-=":
		case "*=":
		case "/=":
		case "%=":
		case "<<=":
		case ">>=":
		case "&=":
		case "|=":
		case "^=": return 2;
		case "||": return 4;
		case "&&": return 5;
		case "|": return 6;
		case "^": return 7;
		case "&": return 8;
		case "==":
		case "!=": return 9;
		case "<":
		case "<=":
		case ">":
		case ">=": return 10;
		case "<<":
		case ">>": return 11;
		case "+":
		case "-": return 12;
		case "*":
		case "/":
		case "%": return 13;
		case "**": return 14;
		case "?": return 3;
		default: return -1;
	}
}
function trimEnd(src, start, end) {
	while (end > start) {
		const c = src.charCodeAt(end - 1);
		if (c !== 32 && c !== 9 && c !== 10) break;
		end--;
	}
	return end;
}
function opRightAssoc(op) {
	switch (op) {
		case "=":
		case "+=":
		case "-=":
		case "*=":
		case "/=":
		case "%=":
		case "<<=":
		case ">>=":
		case "&=":
		case "|=":
		case "^=":
		case "**": return true;
		default: return false;
	}
}
function parseArithmeticExpression(src, offset = 0, collector, nestingDepth = 0) {
	let pos = 0;
	const len = src.length;
	const initialWordCount = collector?.embeddedWords.length ?? 0;
	function makeWord(start, end, embedded = false) {
		const node = {
			type: "ArithmeticWord",
			pos: start + offset,
			end: end + offset,
			value: src.slice(start, end),
			parts: void 0
		};
		if (embedded) collector?.embeddedWords.push(node);
		return node;
	}
	function skipWS() {
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c === 32 || c === 9 || c === 10) pos++;
			else break;
		}
	}
	function tryReadBinOp() {
		if (pos >= len) return null;
		const c = src.charCodeAt(pos);
		const nc = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
		const nnc = pos + 2 < len ? src.charCodeAt(pos + 2) : 0;
		switch (c) {
			case 44:
				pos++;
				return ",";
			case 61:
				if (nc === 61) {
					pos += 2;
					return "==";
				}
				pos++;
				return "=";
			case 33:
				if (nc === 61) {
					pos += 2;
					return "!=";
				}
				return null;
			case 60:
				if (nc === 60) {
					if (nnc === 61) {
						pos += 3;
						return "<<=";
					}
					pos += 2;
					return "<<";
				}
				if (nc === 61) {
					pos += 2;
					return "<=";
				}
				pos++;
				return "<";
			case 62:
				if (nc === 62) {
					if (nnc === 61) {
						pos += 3;
						return ">>=";
					}
					pos += 2;
					return ">>";
				}
				if (nc === 61) {
					pos += 2;
					return ">=";
				}
				pos++;
				return ">";
			case 43:
				if (nc === 61) {
					pos += 2;
					return "+=";
				}
				if (nc === 43) return null;
				pos++;
				return "+";
			case 45:
				if (nc === 61) {
					pos += 2;
					return "-=";
				}
				if (nc === 45) return null;
				pos++;
				return "-";
			case 42:
				if (nc === 42) {
					pos += 2;
					return "**";
				}
				if (nc === 61) {
					pos += 2;
					return "*=";
				}
				pos++;
				return "*";
			case 47:
				if (nc === 61) {
					pos += 2;
					return "/=";
				}
				pos++;
				return "/";
			case 37:
				if (nc === 61) {
					pos += 2;
					return "%=";
				}
				pos++;
				return "%";
			case 124:
				if (nc === 124) {
					pos += 2;
					return "||";
				}
				if (nc === 61) {
					pos += 2;
					return "|=";
				}
				pos++;
				return "|";
			case 38:
				if (nc === 38) {
					pos += 2;
					return "&&";
				}
				if (nc === 61) {
					pos += 2;
					return "&=";
				}
				pos++;
				return "&";
			case 94:
				if (nc === 61) {
					pos += 2;
					return "^=";
				}
				pos++;
				return "^";
			case 63:
				pos++;
				return "?";
			default: return null;
		}
	}
	function skipTruncatedUnary() {
		skipWS();
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c !== 33 && c !== 126 && c !== 43 && c !== 45) break;
			if (src.charCodeAt(pos + 1) === 61) break;
			pos++;
			skipWS();
		}
		if (src.charCodeAt(pos) === 40) {
			let groups = 1;
			pos++;
			while (pos < len && groups > 0) {
				const wordEnd = collector?.findArithmeticWordEnd?.(pos + offset, offset + len) ?? pos + offset;
				if (wordEnd > pos + offset) {
					pos = wordEnd - offset;
					continue;
				}
				const c = src.charCodeAt(pos++);
				if (c === 40) groups++;
				else if (c === 41) groups--;
			}
		} else if (pos < len && src.charCodeAt(pos) !== 41 && src.charCodeAt(pos) !== 58) parseAtom(0);
		skipWS();
		const c = src.charCodeAt(pos);
		if ((c === 43 || c === 45) && src.charCodeAt(pos + 1) === c) pos += 2;
	}
	function recoverExpression(minPrec) {
		skipWS();
		const start = pos;
		if (start === len) return makeWord(start, start);
		const wordCount = collector?.embeddedWords.length ?? 0;
		let ternaries = 0;
		for (;;) {
			skipTruncatedUnary();
			skipWS();
			if (src.charCodeAt(pos) === 58 && ternaries > 0) {
				ternaries--;
				pos++;
				continue;
			}
			const saved = pos;
			const op = tryReadBinOp();
			if (op === null || ternaries === 0 && opPrec(op) < minPrec) {
				pos = saved;
				break;
			}
			if (op === "?") ternaries++;
		}
		if (collector) collector.embeddedWords.length = wordCount;
		return makeWord(start, trimEnd(src, start, pos));
	}
	function parseBinExpr(minPrec, depth) {
		if (depth > 256) return recoverExpression(minPrec);
		let left = parseUnaryExpr(depth);
		while (true) {
			skipWS();
			if (pos >= len) break;
			const saved = pos;
			const op = tryReadBinOp();
			if (!op) break;
			if (op === "?") {
				if (opPrec(op) < minPrec) {
					pos = saved;
					break;
				}
				const consequent = parseBinExpr(1, depth + 1);
				skipWS();
				if (pos < len && src.charCodeAt(pos) === 58) pos++;
				const alternate = parseBinExpr(3, depth + 1);
				left = {
					type: "ArithmeticTernary",
					pos: left.pos,
					end: alternate.end,
					test: left,
					consequent,
					alternate
				};
				continue;
			}
			const prec = opPrec(op);
			if (prec < minPrec) {
				pos = saved;
				break;
			}
			const right = parseBinExpr(opRightAssoc(op) ? prec : prec + 1, depth + 1);
			left = {
				type: "ArithmeticBinary",
				pos: left.pos,
				end: right.end,
				operator: op,
				left,
				right
			};
		}
		return left;
	}
	function parseUnaryExpr(depth) {
		skipWS();
		if (depth > 256) return recoverExpression(15);
		if (pos >= len) return makeWord(pos, pos);
		const start = pos;
		const c = src.charCodeAt(pos);
		const nc = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
		if (c === 43 && nc === 43) {
			pos += 2;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "++",
				operand,
				prefix: true
			};
		}
		if (c === 45 && nc === 45) {
			pos += 2;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "--",
				operand,
				prefix: true
			};
		}
		if (c === 33) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "!",
				operand,
				prefix: true
			};
		}
		if (c === 126) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "~",
				operand,
				prefix: true
			};
		}
		if (c === 43 && nc !== 43 && nc !== 61) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "+",
				operand,
				prefix: true
			};
		}
		if (c === 45 && nc !== 45 && nc !== 61) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "-",
				operand,
				prefix: true
			};
		}
		return parsePostfixExpr(depth);
	}
	function parsePostfixExpr(depth) {
		const operand = parseAtom(depth);
		skipWS();
		if (pos + 1 < len) {
			const c = src.charCodeAt(pos);
			const nc = src.charCodeAt(pos + 1);
			if (c === 43 && nc === 43) {
				pos += 2;
				return {
					type: "ArithmeticUnary",
					pos: operand.pos,
					end: pos + offset,
					operator: "++",
					operand,
					prefix: false
				};
			}
			if (c === 45 && nc === 45) {
				pos += 2;
				return {
					type: "ArithmeticUnary",
					pos: operand.pos,
					end: pos + offset,
					operator: "--",
					operand,
					prefix: false
				};
			}
		}
		return operand;
	}
	function parseAtom(depth) {
		skipWS();
		if (pos >= len) return makeWord(pos, pos);
		const c = src.charCodeAt(pos);
		if (c === 40) {
			const start = pos;
			pos++;
			const expr = parseBinExpr(0, depth + 1);
			skipWS();
			if (pos < len && src.charCodeAt(pos) === 41) pos++;
			return {
				type: "ArithmeticGroup",
				pos: start + offset,
				end: pos + offset,
				expression: expr
			};
		}
		if (c === 36) {
			const start = pos;
			const wordCount = collector?.embeddedWords.length ?? 0;
			const atom = readDollarAtom();
			const wordEnd = collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? pos + offset;
			if (wordEnd > pos + offset) {
				if (collector) collector.embeddedWords.length = wordCount;
				pos = wordEnd - offset;
				return makeWord(start, pos, true);
			}
			return atom;
		}
		if (c === 96 || c === 34 || c === 39) {
			const start = pos;
			pos = (collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? start + offset + 1) - offset;
			return makeWord(start, pos, true);
		}
		const start = pos;
		const wordCount = collector?.embeddedWords.length ?? 0;
		const atom = readWordAtom();
		const wordEnd = collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? pos + offset;
		if (wordEnd > pos + offset) {
			if (collector) collector.embeddedWords.length = wordCount;
			pos = wordEnd - offset;
			return makeWord(start, pos, true);
		}
		return atom;
	}
	function readDollarAtom() {
		const start = pos;
		pos++;
		if (pos >= len) return makeWord(start, pos);
		const c = src.charCodeAt(pos);
		if (c === 40) {
			if (pos + 1 < len && src.charCodeAt(pos + 1) === 40) {
				const expansionEnd = collector?.findArithmeticExpansionEnd(start + offset, offset + len) ?? -1;
				if (expansionEnd !== -1) pos = expansionEnd - offset;
				else {
					pos += 2;
					let depth = 1;
					while (pos < len && depth > 0) if (src.charCodeAt(pos) === 40 && src.charCodeAt(pos + 1) === 40) {
						depth++;
						pos += 2;
					} else if (src.charCodeAt(pos) === 41 && src.charCodeAt(pos + 1) === 41) {
						depth--;
						pos += 2;
					} else pos++;
				}
			} else {
				pos++;
				const close = collector?.findClosingParenthesis(pos + offset, offset + len) ?? -1;
				if (close !== -1) pos = close - offset + 1;
				else {
					let depth = 1;
					while (pos < len && depth > 0) {
						const ch = src.charCodeAt(pos++);
						if (ch === 40) depth++;
						else if (ch === 41) depth--;
					}
				}
				const text = src.slice(start, pos);
				return collector ? collector.commandExpansion(start + offset, pos + offset, text) : new ScriptExpansionImpl("ArithmeticCommandExpansion", start + offset, pos + offset, text);
			}
		} else if (c === 123) {
			const close = collector?.findClosingBrace(pos + offset + 1, offset + len) ?? -1;
			if (close !== -1) pos = close - offset + 1;
			else {
				pos++;
				let depth = 1;
				while (pos < len && depth > 0) {
					const ch = src.charCodeAt(pos++);
					if (ch === 123) depth++;
					else if (ch === 125) depth--;
				}
			}
		} else while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch >= 97 && ch <= 122 || ch >= 65 && ch <= 90 || ch >= 48 && ch <= 57 || ch === 95) pos++;
			else break;
		}
		return makeWord(start, pos, c === 40 || c === 123);
	}
	function readWordAtom() {
		const start = pos;
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 95 || c === 35) pos++;
			else break;
		}
		if (pos > start && pos < len && src.charCodeAt(pos) === 91) {
			const close = collector?.findClosingBracket?.(pos + offset + 1, offset + len) ?? -1;
			if (close !== -1) pos = close - offset + 1;
			else {
				pos++;
				let depth = 1;
				while (pos < len && depth > 0) {
					const c = src.charCodeAt(pos);
					if (c === 91) depth++;
					else if (c === 93) depth--;
					pos++;
				}
			}
			return makeWord(start, pos, true);
		}
		if (pos === start) {
			pos++;
			return makeWord(start, pos);
		}
		return makeWord(start, pos);
	}
	skipWS();
	if (pos >= len) return null;
	const start = pos;
	const result = parseBinExpr(0, nestingDepth);
	skipWS();
	if (pos < len) {
		if (collector) collector.embeddedWords.length = initialWordCount;
		return makeWord(start, trimEnd(src, start, len), collector !== void 0);
	}
	return result;
}
var computeBareWordParts = (_source, word) => hasGlobCharacters(word.text) ? parseGlobParts(word.text, 0, word.text.length, void 0, word.pos) : void 0;
function wordPartsResolver(context) {
	return context.wordParts ?? (context.wordParts = (source, word, depth) => computeWordParts(source, word, depth, context));
}
function embeddedPartsResolver(context) {
	return context.embeddedParts ?? (context.embeddedParts = (source, word, depth) => computeEmbeddedWordParts(source, word, depth, context));
}
function arrayPartsResolver(context) {
	return context.arrayParts ?? (context.arrayParts = (source, word, depth) => computeArrayElementParts(source, word, depth, context));
}
function computeWordParts(source, word, depth = 0, context = createSubstitutionContext()) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildWordParts(word.pos) ?? void 0;
}
function computeEmbeddedWordParts(source, word, depth = 0, context, arithmetic = false) {
	if (!hasEmbeddedWordStructure(source, word.pos, word.end)) return void 0;
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildEmbeddedWordParts(word.pos, arithmetic) ?? void 0;
}
function computeArrayElementParts(source, word, depth = 0, context) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildArrayElementParts(word.pos) ?? void 0;
}
function computeHereDocBodyParts(source, word, depth = 0, context) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildHereDocParts(word.pos, word.end) ?? void 0;
}
function parseArithmeticWithParts(body, offset, source, depth, context, embeddedDepth = depth) {
	if (!hasEmbeddedWordStructure(source, offset, offset + body.length)) return parseArithmeticExpression(body, offset, void 0, depth) ?? void 0;
	const embeddedWords = [];
	const lexer = new Lexer(source, 0, source.length, false, context);
	lexer._nestingDepth = depth;
	const expression = parseArithmeticExpression(body, offset, {
		embeddedWords,
		commandExpansion: (pos, end, text) => new ScriptExpansionImpl("ArithmeticCommandExpansion", pos, end, text, {
			source,
			start: pos + 2,
			end: end - 1,
			depth: depth + 1,
			parenBoundary: true,
			context
		}),
		findClosingBracket: (start, end) => lexer.findClosingBracket(start, end),
		findClosingBrace: (start, end) => lexer.findClosingBrace(start, end),
		findClosingParenthesis: (start, end) => lexer.findClosingParenthesis(start, end),
		findArithmeticExpansionEnd: (start, end) => lexer.findArithmeticExpansionEnd(start, end),
		findArithmeticWordEnd: (start, end) => lexer.findArithmeticWordEnd(start, end)
	}, depth) ?? void 0;
	if (embeddedDepth <= 256) for (const node of embeddedWords) node.parts = computeEmbeddedWordParts(source, node, embeddedDepth, context, true);
	return expression;
}
var ArrayValueImpl = class {
	type = "ArrayValue";
	pos;
	end;
	#source;
	#depth;
	#context;
	#elements;
	constructor(source, pos, end, depth, context) {
		this.pos = pos;
		this.end = end;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get elements() {
		if (this.#elements) return this.#elements;
		const lexer = new Lexer(this.#source, this.pos + 1, this.end - 1, false, this.#context);
		lexer._nestingDepth = this.#depth;
		const elements = [];
		while (lexer.peek(LexContext.ArrayElement).token !== Token.EOF) {
			const token = lexer.next(LexContext.ArrayElement);
			if (token.token !== Token.Word && token.token !== Token.Assignment) continue;
			const text = token.raw ? token.value : this.#source.slice(token.pos, token.end);
			const indexed = text.charCodeAt(0) === 91;
			const context = lexer.getSubstitutionContext();
			const source = !indexed && token.raw && token.keywordEligible ? void 0 : this.#source;
			const resolver = source === void 0 ? computeBareWordParts : indexed ? arrayPartsResolver(context) : wordPartsResolver(context);
			elements.push(new WordImpl(text, token.pos, token.end, source, resolver, this.#depth));
		}
		this.#elements = elements;
		return elements;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			elements: this.elements
		};
	}
};
var AssignmentImpl = class {
	type = "Assignment";
	pos;
	end;
	text;
	#source;
	#depth;
	#context;
	#operatorPos;
	#name = null;
	#append;
	#index;
	#value = null;
	constructor(text, pos, end, source, operatorPos, depth, context) {
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#source = source;
		this.#operatorPos = operatorPos;
		this.#depth = depth;
		this.#context = context;
	}
	get name() {
		return this.#name ?? this.resolveTarget();
	}
	get append() {
		if (this.#name === null) this.resolveTarget();
		return this.#append;
	}
	get index() {
		if (this.#name === null) this.resolveTarget();
		return this.#index;
	}
	get value() {
		if (this.#value !== null) return this.#value;
		const start = this.#operatorPos + 1;
		const arrayStart = skipLineContinuations(this.#source, start, this.end);
		this.#value = this.#source.charCodeAt(arrayStart) === 40 && this.#source.charCodeAt(this.end - 1) === 41 ? new ArrayValueImpl(this.#source, arrayStart, this.end, this.#depth, this.#context) : new WordImpl(this.#source.slice(start, this.end), start, this.end, this.#source, wordPartsResolver(this.#context), this.#depth);
		return this.#value;
	}
	resolveTarget() {
		const equal = this.#operatorPos - this.pos;
		let nameEnd = equal;
		let appendPos = equal;
		while (appendPos >= 2 && this.text.charCodeAt(appendPos - 2) === 92 && this.text.charCodeAt(appendPos - 1) === 10) appendPos -= 2;
		if (this.text.charCodeAt(appendPos - 1) === 43) {
			this.#append = true;
			nameEnd = appendPos - 1;
		}
		const bracket = this.text.indexOf("[");
		if (bracket > 0 && bracket < nameEnd) {
			const close = this.text.lastIndexOf("]", equal);
			if (close > bracket) {
				const start = this.pos + bracket + 1;
				const end = this.pos + close;
				this.#index = new WordImpl(this.#source.slice(start, end), start, end, this.#source, embeddedPartsResolver(this.#context), this.#depth);
				nameEnd = bracket;
			}
		}
		const name = this.text.slice(0, nameEnd);
		return this.#name = name.includes("\\\n") ? name.split("\\\n").join("") : name;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			name: this.name,
			append: this.append,
			index: this.index,
			value: this.value
		};
	}
};
var isArgument = (item) => item.type === "Word" || item.type === "Assignment";
var CommandImpl = class {
	type = "Command";
	pos;
	end;
	name;
	prefix;
	suffix;
	#args;
	#redirects;
	constructor(pos, end, name, prefix, suffix) {
		this.pos = pos;
		this.end = end;
		this.name = name;
		this.prefix = prefix;
		this.suffix = suffix;
	}
	get args() {
		if (this.#args === void 0) {
			const suffix = this.suffix;
			this.#args = suffix.every(isArgument) ? suffix : suffix.filter(isArgument);
		}
		return this.#args;
	}
	get redirects() {
		if (this.#redirects === void 0) {
			const redirects = [];
			for (const item of this.prefix) if (item.type !== "Assignment") redirects.push(item);
			for (const item of this.suffix) if (!isArgument(item)) redirects.push(item);
			this.#redirects = redirects;
		}
		return this.#redirects;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			name: this.name,
			prefix: this.prefix,
			suffix: this.suffix
		};
	}
};
var HereDocBodyImpl = class {
	type = "HereDocBody";
	pos;
	end;
	text = "";
	#source;
	#depth;
	#context;
	#parts;
	constructor(source, pos, quoted, depth, context) {
		this.pos = pos;
		this.end = pos;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
		this.#parts = quoted ? void 0 : null;
	}
	get parts() {
		if (this.#parts === null) this.#parts = computeHereDocBodyParts(this.#source, this, this.#depth, this.#context);
		return this.#parts;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			parts: this.parts
		};
	}
};
Lexer._findSubstitutionEnd = findSubstitutionEnd;
ScriptExpansionImpl._resolveScript = parseRegion;
ArithmeticExpansionImpl._resolveExpression = parseArithmeticWithParts;
function isDeclarationCommand(name) {
	switch (name.length) {
		case 5: return name === "local" || name === "alias";
		case 6: return name === "export";
		case 7: return name === "declare" || name === "typeset";
		case 8: return name === "readonly";
		default: return false;
	}
}
var ArithmeticCommandImpl = class {
	type = "ArithmeticCommand";
	pos;
	end;
	body;
	#source;
	#depth;
	#context;
	#expression = null;
	constructor(pos, end, body, source, depth, context) {
		this.pos = pos;
		this.end = end;
		this.body = body;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get expression() {
		if (this.#expression === null) this.#expression = parseArithmeticWithParts(this.body, this.pos + 2, this.#source, this.#depth, this.#context);
		return this.#expression;
	}
	set expression(v) {
		this.#expression = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			expression: this.expression,
			body: this.body
		};
	}
};
var ArithmeticForImpl = class {
	type = "ArithmeticFor";
	pos;
	end;
	body;
	#initStr;
	#testStr;
	#updateStr;
	#initPos;
	#testPos;
	#updatePos;
	#source;
	#depth;
	#context;
	#initialize = null;
	#test = null;
	#update = null;
	constructor(pos, end, body, initStr, testStr, updateStr, initPos, testPos, updatePos, source, depth, context) {
		this.pos = pos;
		this.end = end;
		this.body = body;
		this.#initStr = initStr;
		this.#testStr = testStr;
		this.#updateStr = updateStr;
		this.#initPos = initPos;
		this.#testPos = testPos;
		this.#updatePos = updatePos;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get initialize() {
		if (this.#initialize === null) {
			if (this.#initStr) this.#initialize = parseArithmeticWithParts(this.#initStr, this.#initPos, this.#source, this.#depth, this.#context);
			else this.#initialize = void 0;
		}
		return this.#initialize;
	}
	set initialize(v) {
		this.#initialize = v ?? void 0;
	}
	get test() {
		if (this.#test === null) {
			if (this.#testStr) this.#test = parseArithmeticWithParts(this.#testStr, this.#testPos, this.#source, this.#depth, this.#context);
			else this.#test = void 0;
		}
		return this.#test;
	}
	set test(v) {
		this.#test = v ?? void 0;
	}
	get update() {
		if (this.#update === null) {
			if (this.#updateStr) this.#update = parseArithmeticWithParts(this.#updateStr, this.#updatePos, this.#source, this.#depth, this.#context);
			else this.#update = void 0;
		}
		return this.#update;
	}
	set update(v) {
		this.#update = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			initialize: this.initialize,
			test: this.test,
			update: this.update,
			body: this.body
		};
	}
};
var CASE_TERMINATORS = {
	[Token.DoubleSemi]: ";;",
	[Token.SemiAmp]: ";&",
	[Token.DoubleSemiAmp]: ";;&"
};
var REDIRECT_OPS = {
	">": ">",
	">>": ">>",
	"<": "<",
	"<>": "<>",
	"<&": "<&",
	">&": ">&",
	">|": ">|",
	"&>": "&>",
	"&>>": "&>>"
};
var listTerminators = /* @__PURE__ */ new Uint8Array(37);
listTerminators[Token.EOF] = 1;
listTerminators[Token.RParen] = 1;
listTerminators[Token.RBrace] = 1;
listTerminators[Token.Then] = 1;
listTerminators[Token.Else] = 1;
listTerminators[Token.Elif] = 1;
listTerminators[Token.Fi] = 1;
listTerminators[Token.Do] = 1;
listTerminators[Token.Done] = 1;
listTerminators[Token.Esac] = 1;
listTerminators[Token.DoubleSemi] = 1;
listTerminators[Token.SemiAmp] = 1;
listTerminators[Token.DoubleSemiAmp] = 1;
var compoundClosers = /* @__PURE__ */ new Uint8Array(37);
compoundClosers[Token.RParen] = 1;
compoundClosers[Token.RBrace] = 1;
compoundClosers[Token.DblRBracket] = 1;
compoundClosers[Token.Fi] = 1;
compoundClosers[Token.Done] = 1;
compoundClosers[Token.Esac] = 1;
compoundClosers[Token.ArithCmd] = 1;
function isTestNegation(t) {
	return t.token === Token.Word && t.keywordEligible && t.value === "!";
}
var commandStarts = /* @__PURE__ */ new Uint8Array(37);
commandStarts[Token.Word] = 1;
commandStarts[Token.Assignment] = 1;
commandStarts[Token.Bang] = 1;
commandStarts[Token.LParen] = 1;
commandStarts[Token.LBrace] = 1;
commandStarts[Token.DblLBracket] = 1;
commandStarts[Token.If] = 1;
commandStarts[Token.For] = 1;
commandStarts[Token.While] = 1;
commandStarts[Token.Until] = 1;
commandStarts[Token.Case] = 1;
commandStarts[Token.Function] = 1;
commandStarts[Token.Select] = 1;
commandStarts[Token.ArithCmd] = 1;
commandStarts[Token.Coproc] = 1;
commandStarts[Token.Redirect] = 1;
var UNARY_TEST_OPS = {
	"-a": 1,
	"-b": 1,
	"-c": 1,
	"-d": 1,
	"-e": 1,
	"-f": 1,
	"-g": 1,
	"-h": 1,
	"-k": 1,
	"-p": 1,
	"-r": 1,
	"-s": 1,
	"-t": 1,
	"-u": 1,
	"-v": 1,
	"-w": 1,
	"-x": 1,
	"-z": 1,
	"-n": 1,
	"-o": 1,
	"-N": 1,
	"-S": 1,
	"-L": 1,
	"-G": 1,
	"-O": 1,
	"-R": 1
};
var BINARY_TEST_OPS = {
	"==": 1,
	"!=": 1,
	"=~": 1,
	"=": 1,
	"-eq": 1,
	"-ne": 1,
	"-lt": 1,
	"-le": 1,
	"-gt": 1,
	"-ge": 1,
	"-nt": 1,
	"-ot": 1,
	"-ef": 1,
	"<": 1,
	">": 1
};
var EMPTY_REDIRECTS = [];
var EMPTY_PREFIXES = [];
var EMPTY_ELIFS = [];
function parse(source) {
	return new Parser(source, 0, source.length).run();
}
function parseRegion(source, start, end, depth = 0, parenBoundary = false, context) {
	return new Parser(source, start, end, depth, parenBoundary, void 0, context).run();
}
var SubstitutionLexer = class SubstitutionLexer extends Lexer {
	boundaries;
	pending;
	context;
	constructor(source, boundary, boundaries, pending, context, parenBoundary = true) {
		super(source, boundary.start, boundary.end, parenBoundary, context);
		this._nestingDepth = boundary.depth;
		this.boundaries = boundaries;
		this.pending = pending;
		this.context = context;
	}
	fork(start, end, parenBoundary = false) {
		return new SubstitutionLexer(this.getSource(), {
			start,
			end,
			depth: this._nestingDepth
		}, this.boundaries, this.pending, this.context, parenBoundary);
	}
	findSubstitutionEnd(start, end, depth = this._nestingDepth + 1) {
		const known = this.context.boundaries?.get(start);
		if (known !== void 0) return known <= end ? known : -1;
		const boundary = this.boundaries.get(start);
		if (boundary !== void 0) return boundary <= end ? boundary : -1;
		if (!this.boundaries.has(start)) {
			this.boundaries.set(start, void 0);
			this.pending.push({
				start,
				end,
				depth
			});
		}
		return -1;
	}
};
function findSubstitutionEnd(source, start, end, depth, context) {
	const boundaries = /* @__PURE__ */ new Map([[start, void 0]]);
	const pending = [{
		start,
		end,
		depth
	}];
	while (pending.length > 0) {
		const count = pending.length;
		const boundary = pending[count - 1];
		const lexer = new SubstitutionLexer(source, boundary, boundaries, pending, context);
		const found = new Parser(source, boundary.start, boundary.end, boundary.depth, true, lexer).findSubstitutionEnd();
		if (pending.length === count) {
			boundaries.set(boundary.start, found);
			if (found !== -1) substitutionBoundaries(context).set(boundary.start, found);
			pending.pop();
		}
	}
	return boundaries.get(start) ?? -1;
}
var Parser = class {
	tok;
	source;
	start;
	end;
	depth;
	errors = null;
	syntaxDepth = 0;
	constructor(source, start, end, depth = 0, parenBoundary = false, lexer, context) {
		this.tok = lexer ?? new Lexer(source, start, end, parenBoundary, createSubstitutionContext(context));
		this.tok._nestingDepth = depth;
		this.source = source;
		this.start = start;
		this.end = end;
		this.depth = depth;
	}
	run() {
		const start = this.start;
		if (this.depth > 256) this.error("maximum substitution nesting depth exceeded", start);
		let shebang;
		if (start === 0 && this.source.charCodeAt(0) === 35 && this.source.charCodeAt(1) === 33) {
			const nl = this.source.indexOf("\n");
			shebang = nl === -1 ? this.source : this.source.slice(0, nl);
		}
		const commands = this.list();
		for (;;) {
			const unexpected = this.tok.peek(LexContext.CommandStart);
			if (unexpected.token === Token.EOF) break;
			this.unexpectedToken(unexpected);
			if (!listTerminators[unexpected.token] && unexpected.token !== Token.In) break;
			this.tok.next(LexContext.CommandStart);
			let separator = this.tok.peek(LexContext.CommandStart).token;
			if (separator !== Token.Semi && separator !== Token.Newline && separator !== Token.Amp) break;
			while (separator === Token.Semi || separator === Token.Newline || separator === Token.Amp) {
				this.tok.next(LexContext.CommandStart);
				separator = this.tok.peek(LexContext.CommandStart).token;
			}
			const recovered = this.list();
			for (let i = 0; i < recovered.length; i++) commands.push(recovered[i]);
		}
		const lexerErrors = this.tok._errors;
		if (lexerErrors !== null && lexerErrors.length > 0) {
			const errors = this.errors ?? (this.errors = []);
			for (let i = 0; i < lexerErrors.length; i++) errors.push(lexerErrors[i]);
		}
		if (this.errors !== null && this.errors.length > 1) this.errors.sort((a, b) => a.pos - b.pos);
		return {
			type: "Script",
			pos: start,
			end: this.end,
			shebang,
			commands,
			errors: this.errors ?? void 0
		};
	}
	error(message, pos) {
		(this.errors ?? (this.errors = [])).push({
			message,
			pos
		});
	}
	unexpectedToken(t) {
		this.error(`unexpected token '${t.token === Token.Newline ? "newline" : t.value}'`, t.pos);
	}
	findSubstitutionEnd() {
		this.list();
		return this.acceptEnd(Token.RParen);
	}
	skipSemi() {
		if (this.tok.peek(LexContext.Normal).token === Token.Semi) this.tok.next(LexContext.Normal);
	}
	accept(token, ctx = LexContext.Normal) {
		if (this.tok.peek(ctx).token === token) return this.tok.next(ctx);
		return null;
	}
	acceptEnd(token, ctx = LexContext.Normal) {
		if (this.tok.peek(ctx).token === token) return this.tok.next(ctx).end;
		return -1;
	}
	skipNewlines(ctx = LexContext.Normal) {
		while (this.tok.peek(ctx).token === Token.Newline) this.tok.next(ctx);
	}
	doBody(hasDo) {
		const body = this.list();
		const emptyPos = hasDo ? this.emptyListPos(body) : -1;
		if (emptyPos >= 0) this.error("expected command after 'do'", emptyPos);
		return body;
	}
	emptyListPos(commands) {
		return commands.length === 0 ? this.tok.peek(LexContext.CommandStart).pos : -1;
	}
	makeStatement(command) {
		return {
			type: "Statement",
			pos: command.pos,
			end: command.end,
			command,
			background: void 0
		};
	}
	list() {
		const commands = [];
		this.skipNewlines(LexContext.CommandStart);
		let t = this.tok.peek(LexContext.CommandStart).token;
		if (listTerminators[t] || !commandStarts[t]) return commands;
		const first = this.andOr();
		if (first) commands.push(this.makeStatement(first));
		for (;;) {
			t = this.tok.peekFollow(compoundClosers).token;
			if (t !== Token.Semi && t !== Token.Newline && t !== Token.Amp) break;
			const isBackground = t === Token.Amp;
			const sepEnd = this.tok.next(LexContext.Normal).end;
			if (isBackground) {
				const stmt = commands[commands.length - 1];
				stmt.background = true;
				stmt.end = sepEnd;
			}
			this.skipNewlines(LexContext.CommandStart);
			t = this.tok.peek(LexContext.CommandStart).token;
			if (listTerminators[t] || !commandStarts[t]) break;
			const node = this.andOr();
			if (node) commands.push(this.makeStatement(node));
		}
		return commands;
	}
	andOr() {
		const first = this.pipeline();
		if (!first) return null;
		let t = this.tok.peek(LexContext.Normal).token;
		if (t !== Token.And && t !== Token.Or) return first;
		const commands = [first];
		const operators = [];
		do {
			const operatorToken = this.tok.next(LexContext.Normal);
			const operator = operatorToken.token === Token.And ? "&&" : "||";
			this.skipNewlines(LexContext.CommandStart);
			const next = this.pipeline();
			if (!next) {
				this.error(`expected command after '${operator}'`, operatorToken.end);
				break;
			}
			operators.push(operator);
			commands.push(next);
			t = this.tok.peek(LexContext.Normal).token;
		} while (t === Token.And || t === Token.Or);
		return {
			type: "AndOr",
			pos: first.pos,
			end: commands[commands.length - 1].end,
			commands,
			operators
		};
	}
	withRedirects(command) {
		const redirects = this.collectTrailingRedirects();
		if (redirects.length === 0) return command;
		return {
			type: "Redirected",
			pos: command.pos,
			end: redirects[redirects.length - 1].end,
			command,
			redirects
		};
	}
	pipeline() {
		let prefixes;
		for (;;) {
			const token = this.tok.peek(LexContext.CommandStart);
			const isTime = token.token === Token.Word && token.keywordEligible && token.value === "time";
			if (token.token !== Token.Bang && !isTime) break;
			const prefix = this.tok.next(LexContext.CommandStart);
			const pos = prefix.pos;
			const keywordEnd = prefix.end;
			let posix;
			let endOfOptions;
			if (isTime) {
				let flag = this.tok.peek(LexContext.CommandStart);
				if (flag.token === Token.Word && flag.keywordEligible && flag.value === "-p") {
					this.tok.next(LexContext.CommandStart);
					posix = {
						pos: flag.pos,
						end: flag.end
					};
					flag = this.tok.peek(LexContext.CommandStart);
				}
				if (flag.token === Token.Word && flag.keywordEligible && flag.value === "--") {
					this.tok.next(LexContext.CommandStart);
					endOfOptions = {
						pos: flag.pos,
						end: flag.end
					};
				}
			}
			if (prefixes === void 0) prefixes = [];
			prefixes.push(isTime ? {
				type: "Time",
				pos,
				end: endOfOptions?.end ?? posix?.end ?? keywordEnd,
				keywordEnd,
				posix,
				endOfOptions
			} : {
				type: "Negation",
				pos,
				end: keywordEnd
			});
		}
		const command = this.pipelineCommands();
		if (!prefixes) return command;
		const pos = prefixes[0].pos;
		if (command?.type === "Pipeline") {
			command.prefixes = prefixes;
			command.pos = pos;
			return command;
		}
		return {
			type: "Pipeline",
			pos,
			end: command ? command.end : prefixes[prefixes.length - 1].end,
			prefixes,
			commands: command ? [command] : [],
			operators: []
		};
	}
	pipelineCommands() {
		const first = this.command();
		if (!first) return null;
		if (this.tok.peek(LexContext.Normal).token !== Token.Pipe) return first;
		const commands = [first];
		const operators = [];
		while (this.tok.peek(LexContext.Normal).token === Token.Pipe) {
			const pipeToken = this.tok.next(LexContext.Normal);
			const operator = pipeToken.value === "|&" ? "|&" : "|";
			this.skipNewlines(LexContext.CommandStart);
			const cmd = this.command();
			if (!cmd) {
				this.error(`expected command after '${operator}'`, pipeToken.end);
				break;
			}
			operators.push(operator);
			commands.push(cmd);
		}
		if (commands.length === 1) return commands[0];
		return {
			type: "Pipeline",
			pos: first.pos,
			end: commands[commands.length - 1].end,
			prefixes: EMPTY_PREFIXES,
			commands,
			operators
		};
	}
	command() {
		let compound;
		switch (this.tok.peek(LexContext.CommandStart).token) {
			case Token.LParen:
				compound = this.subshell();
				break;
			case Token.LBrace:
				compound = this.braceGroup();
				break;
			case Token.If:
				compound = this.ifClause();
				break;
			case Token.For:
				compound = this.forClause();
				break;
			case Token.While:
				compound = this.whileClause();
				break;
			case Token.Until:
				compound = this.untilClause();
				break;
			case Token.Case:
				compound = this.caseClause();
				break;
			case Token.Function: return this.functionDef();
			case Token.Select:
				compound = this.selectClause();
				break;
			case Token.DblLBracket:
				compound = this.testCommand();
				break;
			case Token.ArithCmd:
				compound = this.arithCommand();
				break;
			case Token.Coproc: return this.coprocCommand();
			case Token.Word:
			case Token.Assignment:
			case Token.Redirect: return this.simpleCommandOrFunction(false);
			default: return null;
		}
		return this.withRedirects(compound);
	}
	collectTrailingRedirects() {
		let redirects = EMPTY_REDIRECTS;
		while (this.tok.peekFollow(compoundClosers).token === Token.Redirect) {
			if (redirects === EMPTY_REDIRECTS) redirects = [];
			redirects.push(this.readRedirect(LexContext.Normal));
		}
		return redirects;
	}
	arithCommand() {
		const tok = this.tok.next(LexContext.CommandStart);
		return new ArithmeticCommandImpl(tok.pos, tok.end, tok.value, this.source, this.depth, this.tok.getSubstitutionContext());
	}
	coprocCommand() {
		const start = this.tok.next(LexContext.CommandStart);
		const pos = start.pos;
		const first = this.tok.peek(LexContext.CommandStart);
		let name;
		if (first.token === Token.Word) {
			const lookahead = this.tok.fork(first.end, this.end);
			switch (lookahead.peek(LexContext.CommandStart).token) {
				case Token.LParen:
					lookahead.next(LexContext.CommandStart);
					if (lookahead.peek(LexContext.Normal).token !== Token.RParen) name = this.readWord(LexContext.CommandStart);
					break;
				case Token.LBrace:
				case Token.If:
				case Token.For:
				case Token.While:
				case Token.Until:
				case Token.Case:
				case Token.Select:
				case Token.DblLBracket:
				case Token.ArithCmd: name = this.readWord(LexContext.CommandStart);
			}
		}
		const cmd = first.token === Token.Word && name === void 0 ? this.simpleCommandOrFunction(true) : this.command();
		if (cmd && cmd.type !== "Function" && cmd.type !== "Coproc") return {
			type: "Coproc",
			pos,
			end: cmd.end,
			name,
			body: cmd
		};
		this.error("expected command after 'coproc'", cmd?.pos ?? start.end);
		const body = cmd ? this.makeCompoundList([this.makeStatement(cmd)]) : {
			type: "CompoundList",
			pos: start.end,
			end: start.end,
			commands: []
		};
		return {
			type: "Coproc",
			pos,
			end: body.end,
			name,
			body
		};
	}
	subshell() {
		return this.subshellBody(this.tok.next(LexContext.CommandStart).pos);
	}
	subshellBody(pos) {
		if (this.syntaxDepth >= 256) {
			this.error("maximum subshell nesting depth exceeded", pos);
			const closeEnd = this.tok.skipSubshellBody();
			if (closeEnd < 0) this.error("expected ')' to close subshell", this.tok.getPos());
			return {
				type: "Subshell",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const commands = this.list();
		this.syntaxDepth--;
		if (commands.length === 0) this.error("expected command in subshell", pos);
		const closeEnd = this.acceptEnd(Token.RParen, LexContext.Normal);
		if (closeEnd < 0) this.error("expected ')' to close subshell", this.tok.getPos());
		return {
			type: "Subshell",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			body: this.makeCompoundList(commands)
		};
	}
	braceGroup() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error("maximum brace group nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.RBrace);
			if (closeEnd < 0) this.error("expected '}' to close brace group", this.tok.getPos());
			return {
				type: "BraceGroup",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const commands = this.list();
		this.syntaxDepth--;
		if (commands.length === 0) this.error("expected command in brace group", pos);
		const closeEnd = this.acceptEnd(Token.RBrace, LexContext.Normal);
		if (closeEnd < 0) this.error("expected '}' to close brace group", this.tok.getPos());
		return {
			type: "BraceGroup",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			body: this.makeCompoundList(commands)
		};
	}
	ifClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error("maximum if nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Fi);
			if (closeEnd < 0) this.error("expected 'fi' to close 'if'", this.tok.getPos());
			return {
				type: "If",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				clause: this.makeCompoundList([]),
				then: this.makeCompoundList([]),
				elif: EMPTY_ELIFS,
				else: void 0
			};
		}
		this.syntaxDepth++;
		let command;
		let branchPos = pos;
		for (;;) {
			const clauseCommands = this.list();
			const emptyClausePos = this.emptyListPos(clauseCommands);
			const clause = this.makeCompoundList(clauseCommands);
			this.skipSemi();
			const thenToken = this.accept(Token.Then, LexContext.CommandStart);
			if (!thenToken) this.error("expected 'then'", this.tok.getPos());
			else if (emptyClausePos >= 0) this.error(`expected command after '${branchPos === pos ? "if" : "elif"}'`, emptyClausePos);
			const thenCommands = this.list();
			const then_ = this.makeCompoundList(thenCommands);
			if (thenToken && thenCommands.length === 0) {
				this.error("expected command after 'then'", this.tok.peek(LexContext.CommandStart).pos);
				then_.pos = thenToken.end;
				then_.end = thenToken.end;
			}
			if (command) {
				if (command.elif === EMPTY_ELIFS) command.elif = [];
				command.elif.push({
					type: "Elif",
					pos: branchPos,
					end: then_.end,
					clause,
					then: then_
				});
			} else command = {
				type: "If",
				pos,
				end: pos,
				clause,
				then: then_,
				elif: EMPTY_ELIFS,
				else: void 0
			};
			this.skipSemi();
			const elif = this.accept(Token.Elif, LexContext.CommandStart);
			if (!elif) break;
			branchPos = elif.pos;
		}
		if (this.accept(Token.Else, LexContext.CommandStart)) {
			const elseCommands = this.list();
			const emptyElsePos = this.emptyListPos(elseCommands);
			if (emptyElsePos >= 0) this.error("expected command after 'else'", emptyElsePos);
			command.else = this.makeCompoundList(elseCommands);
			this.skipSemi();
		}
		const closeEnd = this.acceptEnd(Token.Fi, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'fi' to close 'if'", this.tok.getPos());
		command.end = closeEnd >= 0 ? closeEnd : branchPos;
		this.syntaxDepth--;
		return command;
	}
	forClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.tok.peek(LexContext.Normal).token === Token.LParen) return this.cStyleFor(pos);
		const name = this.readRequiredWord("for");
		let wordlist;
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.In) {
			this.tok.next(LexContext.CommandStart);
			wordlist = [];
			while (this.tok.peek(LexContext.Normal).token === Token.Word) wordlist.push(this.readWord(LexContext.Normal));
		}
		this.skipSemi();
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return {
				type: "For",
				pos,
				end: bg.end,
				name,
				wordlist,
				body: bg.body
			};
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum for nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
			return {
				type: "For",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				name,
				wordlist,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
		return {
			type: "For",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			name,
			wordlist,
			body: this.makeCompoundList(body)
		};
	}
	cStyleFor(pos) {
		const [initStr, testStr, updateStr, initPos, testPos, updatePos] = this.tok.readCStyleForExprs();
		if (this.tok.peek(LexContext.CommandStart).token === Token.Semi) this.tok.next(LexContext.CommandStart);
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return new ArithmeticForImpl(pos, bg.end, bg.body, initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum for nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
			return new ArithmeticForImpl(pos, closeEnd >= 0 ? closeEnd : pos, this.makeCompoundList([]), initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
		return new ArithmeticForImpl(pos, closeEnd >= 0 ? closeEnd : pos, this.makeCompoundList(body), initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
	}
	whileClause() {
		return this.whileOrUntil("while");
	}
	untilClause() {
		return this.whileOrUntil("until");
	}
	whileOrUntil(kind) {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error(`maximum ${kind} nesting depth exceeded`, pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error(`expected 'done' to close '${kind}'`, this.tok.getPos());
			return {
				type: "While",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				kind,
				clause: this.makeCompoundList([]),
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const clauseCommands = this.list();
		const emptyClausePos = this.emptyListPos(clauseCommands);
		const clause = this.makeCompoundList(clauseCommands);
		this.skipSemi();
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		else if (emptyClausePos >= 0) this.error(`expected command after '${kind}'`, emptyClausePos);
		const body = this.doBody(hasDo);
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error(`expected 'done' to close '${kind}'`, this.tok.getPos());
		const end = closeEnd >= 0 ? closeEnd : pos;
		this.syntaxDepth--;
		return {
			type: "While",
			pos,
			end,
			kind,
			clause,
			body: this.makeCompoundList(body)
		};
	}
	caseClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const word = this.readRequiredWord("case");
		this.skipNewlines(LexContext.CommandStart);
		if (!this.accept(Token.In, LexContext.CommandStart)) this.error("expected 'in' after 'case' word", this.tok.getPos());
		this.skipNewlines(LexContext.CasePattern);
		if (this.syntaxDepth >= 256) {
			this.error("maximum case nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Esac);
			if (closeEnd < 0) this.error("expected 'esac' to close 'case'", this.tok.getPos());
			return {
				type: "Case",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				word,
				items: []
			};
		}
		this.syntaxDepth++;
		const items = [];
		let invalid = false;
		let t = this.tok.peek(LexContext.CasePattern).token;
		while (t !== Token.Esac && t !== Token.EOF) {
			const itemPos = this.tok.peek(LexContext.Normal).pos;
			this.accept(Token.LParen, LexContext.Normal);
			const pattern = [];
			let expectWord = true;
			let next = this.tok.peek(LexContext.Normal);
			while (next.token !== Token.RParen && next.token !== Token.EOF) {
				if (next.token === (expectWord ? Token.Word : Token.Pipe)) expectWord = !expectWord;
				else if (!invalid) {
					this.unexpectedToken(next);
					invalid = true;
				}
				const tok = this.tok.next(LexContext.Normal);
				if (tok.token === Token.Word) pattern.push(this.toWord(tok));
				next = this.tok.peek(LexContext.Normal);
			}
			if (expectWord && next.token === Token.RParen && !invalid) {
				this.unexpectedToken(next);
				invalid = true;
			}
			const rparenEnd = this.acceptEnd(Token.RParen, LexContext.Normal);
			const cmds = this.list();
			const bodyPos = rparenEnd >= 0 ? rparenEnd : pattern.length > 0 ? pattern[pattern.length - 1].end : itemPos;
			const item = {
				type: "CaseItem",
				pos: itemPos,
				end: cmds.length > 0 ? cmds[cmds.length - 1].end : bodyPos,
				pattern,
				body: cmds.length > 0 ? this.makeCompoundList(cmds) : {
					type: "CompoundList",
					pos: bodyPos,
					end: bodyPos,
					commands: []
				},
				terminator: void 0
			};
			const after = this.tok.peek(LexContext.CommandStart);
			t = after.token;
			if (t === Token.DoubleSemi || t === Token.SemiAmp || t === Token.DoubleSemiAmp) {
				const termTok = this.tok.next(LexContext.CommandStart);
				item.terminator = CASE_TERMINATORS[termTok.token];
				item.end = termTok.end;
			} else if (t !== Token.Esac && t !== Token.EOF && !invalid) {
				this.unexpectedToken(after);
				invalid = true;
			}
			items.push(item);
			this.skipNewlines(LexContext.CasePattern);
			t = this.tok.peek(LexContext.CasePattern).token;
		}
		const closeEnd = this.acceptEnd(Token.Esac, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'esac' to close 'case'", this.tok.getPos());
		const end = closeEnd >= 0 ? closeEnd : pos;
		this.syntaxDepth--;
		return {
			type: "Case",
			pos,
			end,
			word,
			items
		};
	}
	selectClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const name = this.readRequiredWord("select");
		let wordlist;
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.In) {
			this.tok.next(LexContext.CommandStart);
			wordlist = [];
			while (this.tok.peek(LexContext.Normal).token === Token.Word) wordlist.push(this.readWord(LexContext.Normal));
		}
		this.skipSemi();
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return {
				type: "Select",
				pos,
				end: bg.end,
				name,
				wordlist,
				body: bg.body
			};
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum select nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'select'", this.tok.getPos());
			return {
				type: "Select",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				name,
				wordlist,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'select'", this.tok.getPos());
		return {
			type: "Select",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			name,
			wordlist,
			body: this.makeCompoundList(body)
		};
	}
	testCommand() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const expr = this.parseTestOr();
		const closeEnd = this.acceptEnd(Token.DblRBracket, LexContext.TestMode);
		if (closeEnd < 0) this.error("expected ']]' to close '[['", this.tok.getPos());
		return {
			type: "TestCommand",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			expression: expr
		};
	}
	parseTestOr() {
		const first = this.parseTestAnd();
		if (this.tok.peek(LexContext.TestMode).token !== Token.Or) return first;
		const operands = [first];
		do {
			this.tok.next(LexContext.TestMode);
			operands.push(this.parseTestAnd());
		} while (this.tok.peek(LexContext.TestMode).token === Token.Or);
		return {
			type: "TestLogical",
			pos: first.pos,
			end: operands[operands.length - 1].end,
			operator: "||",
			operands
		};
	}
	parseTestAnd() {
		const first = this.parseTestNot();
		if (this.tok.peek(LexContext.TestMode).token !== Token.And) return first;
		const operands = [first];
		do {
			this.tok.next(LexContext.TestMode);
			operands.push(this.parseTestNot());
		} while (this.tok.peek(LexContext.TestMode).token === Token.And);
		return {
			type: "TestLogical",
			pos: first.pos,
			end: operands[operands.length - 1].end,
			operator: "&&",
			operands
		};
	}
	parseTestNot() {
		let t = this.tok.peek(LexContext.TestMode);
		if (!isTestNegation(t)) return this.parseTestPrimary();
		const negations = [];
		while (isTestNegation(t)) {
			const bang = this.tok.next(LexContext.TestMode);
			negations.push({
				type: "Negation",
				pos: bang.pos,
				end: bang.end
			});
			t = this.tok.peek(LexContext.TestMode);
		}
		const operand = this.parseTestPrimary();
		return {
			type: "TestNot",
			pos: negations[0].pos,
			end: operand.end,
			negations,
			operand
		};
	}
	parseTestPrimary() {
		if (this.tok.peek(LexContext.TestMode).token === Token.LParen) {
			const openPos = this.tok.next(LexContext.TestMode).pos;
			if (this.syntaxDepth >= 256) {
				this.error("maximum test group nesting depth exceeded", openPos);
				const closeEnd = this.tok.skipTestGroup();
				if (closeEnd < 0) this.error("expected ')' to close test group", this.tok.getPos());
				return {
					type: "TestGroup",
					pos: openPos,
					end: closeEnd >= 0 ? closeEnd : openPos,
					expression: {
						type: "TestUnary",
						pos: openPos,
						end: openPos,
						operator: "-n",
						operand: new WordImpl("", openPos, openPos)
					}
				};
			}
			this.syntaxDepth++;
			const expr = this.parseTestOr();
			this.syntaxDepth--;
			const closeEnd = this.acceptEnd(Token.RParen, LexContext.TestMode);
			if (closeEnd < 0) this.error("expected ')' to close test group", this.tok.getPos());
			return {
				type: "TestGroup",
				pos: openPos,
				end: closeEnd >= 0 ? closeEnd : openPos,
				expression: expr
			};
		}
		const first = this.tok.next(LexContext.TestMode);
		if (first.token === Token.And || first.token === Token.Or) this.unexpectedToken(first);
		const val = first.value;
		const firstPos = first.pos;
		const firstEnd = first.end;
		if (first.keywordEligible && UNARY_TEST_OPS[val] === 1) {
			if (this.tok.peek(LexContext.TestMode).token === Token.Word) {
				const operand = this.readTestOperand();
				return {
					type: "TestUnary",
					pos: firstPos,
					end: operand.end,
					operator: val,
					operand
				};
			}
			this.error("expected operand after unary test operator", firstEnd);
			return {
				type: "TestUnary",
				pos: firstPos,
				end: firstEnd,
				operator: val,
				operand: new WordImpl("", firstEnd, firstEnd)
			};
		}
		const nt = this.tok.peek(LexContext.TestMode);
		if (nt.token === Token.Word && nt.keywordEligible && BINARY_TEST_OPS[nt.value] === 1) {
			const op = this.tok.next(LexContext.TestMode).value;
			let right;
			if (op === "=~") {
				const token = this.tok.readTestRegexWord();
				right = new WordImpl(this.source.slice(token.pos, token.end), token.pos, token.end, this.source, embeddedPartsResolver(this.tok.getSubstitutionContext()), this.depth);
			} else right = this.readTestOperand();
			const left = this.toWordFromPosEnd(first, firstPos, firstEnd);
			return {
				type: "TestBinary",
				pos: firstPos,
				end: right.end,
				operator: op,
				left,
				right
			};
		}
		const w = this.toWordFromPosEnd(first, firstPos, firstEnd);
		return {
			type: "TestUnary",
			pos: firstPos,
			end: w.end,
			operator: "-n",
			operand: w
		};
	}
	readTestOperand() {
		const t = this.tok.next(LexContext.TestMode);
		if (t.keywordEligible && (t.value === "<" || t.value === ">")) this.error(`unexpected argument '${t.value}' to conditional operator`, t.pos);
		return this.toWord(t);
	}
	functionDef() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const name = this.readWord(LexContext.FunctionName);
		let body;
		if (this.tok.peek(LexContext.CommandStart).token === Token.LParen) {
			const openPos = this.tok.next(LexContext.CommandStart).pos;
			if (this.tok.peek(LexContext.CommandStart).token === Token.RParen) {
				this.tok.next(LexContext.CommandStart);
				this.skipNewlines(LexContext.CommandStart);
				body = this.commandAsBody();
			} else body = this.withRedirects(this.subshellBody(openPos));
		} else {
			this.skipNewlines(LexContext.CommandStart);
			body = this.commandAsBody();
		}
		return {
			type: "Function",
			pos,
			end: body.end,
			name,
			body
		};
	}
	simpleCommandOrFunction(coproc) {
		const prefix = [];
		const cmdPos = this.tok.peek(LexContext.CommandStart).pos;
		let lastEnd = cmdPos;
		let ctx = LexContext.CommandStart;
		for (;;) {
			const t = this.tok.peek(ctx).token;
			if (t === Token.Assignment) {
				const assignment = this.tok.next(ctx);
				lastEnd = assignment.end;
				prefix.push(this.parseAssignment(assignment));
			} else if (t === Token.Redirect) {
				const redirect = this.readRedirect(ctx);
				prefix.push(redirect);
				lastEnd = redirect.end;
			} else break;
			ctx = LexContext.CommandPrefix;
		}
		if (this.tok.peek(LexContext.Normal).token !== Token.Word) return new CommandImpl(cmdPos, lastEnd, void 0, prefix, []);
		const nameToken = this.tok.next(LexContext.Normal);
		const keyword = nameToken.keywordEligible ? nameToken.value : "";
		const name = this.toWord(nameToken);
		ctx = isDeclarationCommand(keyword) ? LexContext.Declaration : keyword === "eval" || keyword === "let" ? LexContext.EvalArgument : LexContext.Normal;
		lastEnd = name.end;
		const suffix = [];
		if (coproc) while (this.tok.peek(LexContext.CommandPrefix).token === Token.Assignment) {
			const token = this.tok.next(LexContext.CommandPrefix);
			const word = ctx === LexContext.Declaration ? this.parseAssignment(token) : this.toWord(token);
			suffix.push(word);
			lastEnd = word.end;
		}
		if (this.tok.peek(ctx).token === Token.LParen && suffix.length === 0) {
			this.tok.next(LexContext.Normal);
			if (this.tok.peek(LexContext.Normal).token === Token.RParen) {
				this.tok.next(LexContext.Normal);
				this.skipNewlines(LexContext.CommandStart);
				const body = this.commandAsBody();
				return {
					type: "Function",
					pos: name.pos,
					end: body.end,
					name,
					body
				};
			}
		}
		for (;;) {
			const st = this.tok.peek(ctx).token;
			if (st === Token.Word || st === Token.Assignment) {
				const token = this.tok.next(ctx);
				const w = st === Token.Assignment ? this.parseAssignment(token) : this.toWord(token);
				suffix.push(w);
				lastEnd = w.end;
			} else if (st === Token.Redirect) {
				const redirect = this.readRedirect(ctx);
				suffix.push(redirect);
				lastEnd = redirect.end;
			} else break;
		}
		return new CommandImpl(cmdPos, lastEnd, name, prefix, suffix);
	}
	readRedirect(ctx) {
		const t = this.tok.next(ctx);
		const tPos = t.pos;
		const tEnd = t.end;
		const descriptor = t.fileDescriptor !== void 0 ? {
			type: "FileDescriptor",
			pos: tPos,
			end: t.descriptorEnd,
			value: t.fileDescriptor
		} : t.variableName !== void 0 ? {
			type: "FileDescriptorVariable",
			pos: tPos,
			end: t.descriptorEnd,
			name: t.variableName
		} : void 0;
		const hasTarget = t.targetEnd > t.targetPos;
		if (!hasTarget) this.error("expected redirect target", t.targetPos);
		if (t.value === "<<" || t.value === "<<-") {
			const r = {
				type: "HereDoc",
				pos: tPos,
				end: tEnd,
				operator: t.value,
				descriptor,
				delimiter: hasTarget ? {
					type: "HereDocDelimiter",
					pos: t.targetPos,
					end: t.targetEnd,
					text: this.source.slice(t.targetPos, t.targetEnd),
					value: t.content ?? "",
					quoted: t.delimiterQuoted
				} : void 0,
				body: new HereDocBodyImpl(this.source, tEnd, t.delimiterQuoted, this.depth, this.tok.getSubstitutionContext()),
				closing: void 0
			};
			if (hasTarget) this.tok.registerHereDocTarget(r);
			return r;
		}
		const target = hasTarget ? new WordImpl(this.source.slice(t.targetPos, t.targetEnd), t.targetPos, t.targetEnd, this.source, wordPartsResolver(this.tok.getSubstitutionContext()), this.depth) : void 0;
		return t.value === "<<<" ? {
			type: "HereString",
			pos: tPos,
			end: tEnd,
			operator: "<<<",
			descriptor,
			target
		} : {
			type: "Redirect",
			pos: tPos,
			end: tEnd,
			operator: REDIRECT_OPS[t.value] ?? ">",
			descriptor,
			target
		};
	}
	commandAsBody() {
		const cmd = this.command();
		if (cmd && cmd.type !== "Command" && cmd.type !== "Function" && cmd.type !== "Coproc") return cmd;
		this.error("expected compound command as function body", cmd?.pos ?? this.tok.getPos());
		return this.makeCompoundList(cmd ? [this.makeStatement(cmd)] : []);
	}
	readWord(ctx) {
		return this.toWord(this.tok.next(ctx));
	}
	readRequiredWord(keyword) {
		const t = this.tok.peek(LexContext.Normal);
		if (t.token === Token.Word) return this.toWord(this.tok.next(LexContext.Normal));
		if (t.token !== Token.EOF) this.error(`expected word after '${keyword}'`, t.pos);
		return new WordImpl("", t.pos, t.pos);
	}
	toWord(tok) {
		const text = tok.raw ? tok.value : this.source.slice(tok.pos, tok.end);
		const source = tok.raw && tok.keywordEligible ? void 0 : this.source;
		return new WordImpl(text, tok.pos, tok.end, source, source === void 0 ? computeBareWordParts : wordPartsResolver(this.tok.getSubstitutionContext()), this.depth);
	}
	toWordFromPosEnd(tok, pos, end) {
		if (tok.pos === pos && tok.end === end) return this.toWord(tok);
		return new WordImpl(this.source.slice(pos, end), pos, end, this.source, wordPartsResolver(this.tok.getSubstitutionContext()), this.depth);
	}
	parseAssignment(token) {
		return new AssignmentImpl(token.raw ? token.value : this.source.slice(token.pos, token.end), token.pos, token.end, this.source, token.assignmentOperatorPos, this.depth, this.tok.getSubstitutionContext());
	}
	makeCompoundList(commands) {
		const p = this.tok.getPos();
		return {
			type: "CompoundList",
			pos: commands.length > 0 ? commands[0].pos : p,
			end: commands.length > 0 ? commands[commands.length - 1].end : p,
			commands
		};
	}
};
var PLAIN = /^[\w./:@%,+-]+(?: (?:[\w./:@%,+][\w./:@%,+-]*|-[\w./:@%,+=-]*))*$/;
var RESERVED = wordSet("if then elif else fi case esac for select while until do done in function time coproc");
var AND = " && ";
var MOST$1 = 50;
function plainScript(text) {
	const parts = text.includes(AND) ? text.split(AND) : [text];
	if (parts.length > MOST$1 || !parts.every(isPlainCommand)) return null;
	return {
		commands: parts.map((part, i) => commandOf(part, i > 0)),
		odd: [],
		broken: false,
		functions: [],
		comments: []
	};
}
function isPlainCommand(text) {
	const end = text.indexOf(" ");
	return PLAIN.test(text) && !RESERVED.has(end < 0 ? text : text.slice(0, end));
}
function commandOf(text, chained) {
	return {
		words: text.split(" ").map(wordOf$2),
		assignments: [],
		redirects: [],
		loose: [],
		piped: false,
		chained
	};
}
function wordOf$2(text) {
	return {
		source: text,
		value: text,
		pieces: [{
			kind: "text",
			text,
			quoted: false
		}]
	};
}
var MAX_DEPTH$1 = 12;
var MAX_COMMANDS = 2e3;
function parseShell(text) {
	if (text.length > 1e4) return brokenScript();
	return plainScript(text) ?? parseAll(text);
}
function brokenScript() {
	return {
		commands: [],
		odd: [],
		broken: true,
		functions: [],
		comments: []
	};
}
function parseAll(text) {
	const broken = brokenScript();
	if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return broken;
	if (/[<>]\(/.test(text) && text.includes("#")) return broken;
	try {
		const parsed = parse(text);
		const script = scriptOf(parsed, 0, {
			text,
			budget: { left: MAX_COMMANDS }
		});
		if (!script.broken && text.includes("#")) script.comments = commentsOf(text, parsed);
		return script;
	} catch {
		return broken;
	}
}
function scriptOf(parsed, depth, whole) {
	const script = {
		commands: [],
		odd: [],
		broken: parsed === void 0 || depth > MAX_DEPTH$1,
		functions: [],
		comments: []
	};
	if (parsed === void 0 || script.broken) return script;
	if (parsed.errors !== void 0 && parsed.errors.length > 0) script.broken = true;
	const walk = {
		script,
		depth,
		whole
	};
	for (const statement of parsed.commands) visit(statement, walk, false);
	return script;
}
function push(walk, part, piped, chained = false) {
	if (walk.whole.budget.left-- <= 0) {
		walk.script.broken = true;
		return;
	}
	const { words = [], assignments = [], redirects = [], loose = [] } = part;
	walk.script.commands.push({
		words,
		assignments,
		redirects,
		loose,
		piped,
		chained
	});
}
var GROUPS = wordSet("Statement CompoundList If Elif While Subshell BraceGroup Time Negation");
function visit(node, walk, piped, chained = false) {
	if (node.type === "Command") visitCommand(node, walk, piped, chained);
	else if (node.type === "Pipeline") for (const [i, command] of node.commands.entries()) {
		const from = walk.script.commands.length;
		visit(command, walk, i > 0, chained);
		if (command.type !== "Command") markInPipe(walk.script.commands.slice(from));
	}
	else if (node.type === "AndOr") {
		const or = node.operators.findIndex((operator) => operator !== "&&");
		for (const [i, command] of node.commands.entries()) {
			const before = node.commands[i - 1];
			visit(command, walk, false, before?.type === "Command" && (or < 0 || i <= or));
		}
	} else if (node.type === "Redirected") {
		push(walk, { redirects: node.redirects.map((one) => redirectOf(one, walk)) }, false);
		const { commands } = walk.script;
		const [from, group] = [commands.length, commands.at(-1)];
		visit(node.command, walk, piped);
		if (group !== void 0) group.covers = commands.length - from;
	} else if (node.type === "For" || node.type === "Case" || node.type === "CaseItem") visitData(node, walk);
	else if (GROUPS.has(node.type)) forEachChild(node, (child) => visit(child, walk, false));
	else {
		walk.script.odd.push(node.type);
		const from = walk.script.commands.length;
		visitOdd(node, walk);
		if (node.type === "Function") walk.script.functions.push({
			name: node.name.value,
			from,
			to: walk.script.commands.length
		});
	}
}
function markInPipe(commands) {
	for (const command of commands) command.inPipe = true;
}
function visitData(node, walk) {
	if (node.type === "For") {
		const loose = (node.wordlist ?? []).map((word) => wordOf$1(word, walk));
		const name = node.name.value;
		push(walk, {
			loose,
			assignments: [{
				source: "",
				name,
				plain: true,
				value: null
			}]
		}, false);
		visit(node.body, walk, false);
	} else if (node.type === "Case") {
		push(walk, { loose: [wordOf$1(node.word, walk)] }, false);
		for (const item of node.items) visit(item, walk, false);
	} else {
		push(walk, { loose: node.pattern.map((word) => wordOf$1(word, walk)) }, false);
		visit(node.body, walk, false);
	}
}
function visitOdd(node, walk) {
	forEachChild(node, (child) => {
		if (child.type === "Word") push(walk, { loose: [wordOf$1(child, walk)] }, false);
		else if (isCommandNode(child)) visit(child, walk, false);
		else visitOdd(child, walk);
	});
}
function isCommandNode(node) {
	return GROUPS.has(node.type) || [
		"AndOr",
		"Command",
		"Pipeline",
		"Redirected",
		"For",
		"Case",
		"CaseItem"
	].includes(node.type);
}
function visitCommand(node, walk, piped, chained) {
	if (node.name !== void 0 && isParenthesisAt(walk.whole.text, node.name.end)) walk.script.broken = true;
	const assignments = [];
	for (const item of node.prefix) if (item.type === "Assignment") assignments.push(assignmentOf(item, walk));
	push(walk, {
		words: [...node.name === void 0 ? [] : [node.name], ...node.args].map((arg) => argumentOf(arg, walk)),
		assignments,
		redirects: node.redirects.map((one) => redirectOf(one, walk))
	}, piped, chained);
}
var LOOSE_PARENTHESIS = /[^\s$<>;&|(`][ \t]*\(/;
var OPENING = /(?:[ \t]|\\\n)*\(/y;
function isParenthesisAt(text, at) {
	OPENING.lastIndex = at;
	return text !== null && OPENING.test(text);
}
function assignmentOf(node, walk) {
	const { value } = node;
	const plain = node.append === void 0 && node.index === void 0 && value.type === "Word";
	const word = value.type === "Word" ? wordOf$1(value, walk) : oddWord(node.text, node, walk);
	return {
		source: node.text,
		name: node.name,
		plain,
		value: word
	};
}
function argumentOf(node, walk) {
	if (node.type === "Word") return wordOf$1(node, walk);
	const { name, plain, value } = assignmentOf(node, walk);
	if (!plain || value === null) return oddWord(node.text, node, walk);
	return {
		source: node.text,
		value: value.value === null ? null : `${name}=${value.value}`,
		pieces: [{
			kind: "text",
			text: `${name}=`,
			quoted: false
		}, ...value.pieces]
	};
}
function redirectOf(node, walk) {
	const { operator, descriptor } = node;
	const assigns = descriptor?.type === "FileDescriptorVariable";
	if (node.type !== "HereDoc") {
		const target = node.target ? wordOf$1(node.target, walk) : null;
		return {
			operator,
			assigns,
			target: target === null || !target.source.startsWith("!") ? target : null,
			body: null,
			span: null
		};
	}
	const { text, parts, pos, end } = node.body;
	const whole = node.delimiter?.quoted === true ? {
		kind: "text",
		text,
		quoted: true
	} : literal$1(text, text, true);
	return {
		operator,
		assigns,
		target: null,
		body: finish(text, parts === void 0 ? [whole] : piecesOf(parts, true, walk)),
		span: [pos, end]
	};
}
function oddWord(source, node, walk) {
	return {
		source,
		value: null,
		pieces: [oddPiece(source, node, walk)]
	};
}
function oddPiece(text, node, walk) {
	const scripts = [];
	const collect = (child) => {
		if (child.type === "Script") scripts.push(scriptOf(child, walk.depth + 1, {
			...walk.whole,
			text: null
		}));
		else forEachChild(child, collect);
	};
	forEachChild(node, collect);
	return {
		kind: "odd",
		text,
		scripts
	};
}
function wordOf$1(node, walk) {
	const { text, parts } = node;
	const pieces = parts === void 0 ? [literal$1(node.value, text, false)] : piecesOf(parts, false, walk);
	if (parts !== void 0 && parts.map((part) => part.text).join("") !== text) pieces.push({
		kind: "odd",
		text,
		scripts: []
	});
	if (text.startsWith("~[")) pieces.push({
		kind: "odd",
		text,
		scripts: []
	});
	if (text.startsWith("~")) pieces.unshift({
		kind: "pattern",
		text: "~"
	});
	return finish(text, pieces);
}
function finish(source, pieces) {
	let value = "";
	for (const [i, piece] of pieces.entries()) {
		value = value === null || piece.kind !== "text" ? null : value + piece.text;
		if (piece.kind === "variable" && zshGoesOn(piece.name, pieces[i + 1])) pieces[i] = {
			kind: "odd",
			text: piece.name,
			scripts: []
		};
	}
	return {
		source,
		value,
		pieces
	};
}
function literal$1(text, source, quoted) {
	return (quoted ? !zshExpands(source) : isInert(source)) ? {
		kind: "text",
		text,
		quoted
	} : {
		kind: "odd",
		text,
		scripts: []
	};
}
function isInert(source) {
	return !/[\s()<>|&;`$"']/.test(source.replace(/\\[\s\S]/g, ""));
}
function piecesOf(parts, quoted, walk) {
	return parts.flatMap((part) => pieceOf(part, quoted, walk));
}
var NO_COMMENTS = /^(Word|Assignment|HereDoc\w*|Arithmetic\w*|Test\w*)$/;
function commentsOf(text, parsed) {
	if (text.includes("`")) return [];
	const covered = new Uint8Array(text.length);
	const mark = (node) => {
		if (node.type === "Script") covered.fill(0, node.pos, node.end);
		else if (NO_COMMENTS.test(node.type)) covered.fill(1, node.pos, node.end);
		forEachChild(node, mark);
	};
	for (const statement of parsed.commands) mark(statement);
	const found = [];
	for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
		if (covered[at] === 1) continue;
		const end = text.indexOf("\n", at);
		found.push([at, end < 0 ? text.length : end]);
		at = end < 0 ? text.length : end;
	}
	return found;
}
var SIMPLE_PARAMETER = /^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9]|[?#$!@*-])\}?$/;
function pieceOf(part, quoted, walk) {
	switch (part.type) {
		case "Literal": return literal$1(part.value, part.text, quoted);
		case "SingleQuoted":
		case "AnsiCQuoted": return {
			kind: "text",
			text: part.value,
			quoted: true
		};
		case "DoubleQuoted":
		case "LocaleString": return [{
			kind: "text",
			text: "",
			quoted: true
		}, ...piecesOf(part.parts, true, walk)];
		case "Glob":
		case "BraceExpansion": return isInert(part.text) ? {
			kind: "pattern",
			text: part.text
		} : oddPiece(part.text, part, walk);
		case "SimpleExpansion":
		case "ParameterExpansion": {
			const name = SIMPLE_PARAMETER.exec(part.text)?.[1];
			return name === void 0 ? oddPiece(part.text, part, walk) : {
				kind: "variable",
				name,
				quoted
			};
		}
		case "CommandExpansion":
		case "ProcessSubstitution": {
			const inBackticks = part.text.startsWith("`");
			const whole = inBackticks ? {
				...walk.whole,
				text: null
			} : walk.whole;
			const script = scriptOf(part.script, walk.depth + 1, whole);
			if (inBackticks && LOOSE_PARENTHESIS.test(part.text)) script.broken = true;
			if (part.text.startsWith(">(")) markInPipe(script.commands);
			return {
				kind: "script",
				script,
				quoted,
				source: part.text
			};
		}
		default: return oddPiece(part.text, part, walk);
	}
}
function zshGoesOn(name, next) {
	if (next === void 0) return false;
	if (name === "#") return !("text" in next) || !/^[\s.,;:)/]/.test(next.text);
	if (!("text" in next)) return false;
	if (/^\d$/.test(name) && /^\d/.test(next.text)) return true;
	if (/^(\[|[^\0-\x7f])/.test(next.text)) return true;
	return next.text.startsWith(":") && /:[a-z&]*[FW]/.test(next.text);
}
function zshExpands(source) {
	return /\$(?![\s|)/.,;:%\]}<>&'"]|$)/.test(source.replace(/\\[\s\S]/g, " "));
}
var MAX_VALUES$1 = 8;
var DECLARES = /^(export|alias|declare|typeset|local|readonly)$/;
var KnownValues = class {
	known = /* @__PURE__ */ new Map();
	unknown;
	constructor(unknown) {
		this.unknown = unknown;
	}
	learn(command) {
		for (const { name, value } of command.assignments) {
			const values = [...value === null ? command.loose : [value]].flatMap((word) => this.textsOf(word));
			this.remember(name, values);
		}
		if (!DECLARES.test(command.words[0]?.value ?? "")) return;
		for (const text of command.words.slice(1).flatMap((word) => this.textsOf(word))) {
			const at = text.indexOf("=");
			if (at > 0) this.remember(text.slice(0, at), [text.slice(at + 1)]);
		}
	}
	remember(name, values) {
		const known = this.known.get(name) ?? /* @__PURE__ */ new Set();
		for (const value of values.slice(0, MAX_VALUES$1)) known.add(value);
		this.known.set(name, known);
	}
	textsOf(word) {
		let texts = [""];
		for (const piece of word.pieces) {
			const options = this.optionsOf(piece);
			texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES$1);
		}
		return texts;
	}
	optionsOf(piece) {
		if (piece.kind === "text" || piece.kind === "pattern") return [piece.text];
		const known = piece.kind === "variable" ? this.known.get(piece.name) : void 0;
		return known === void 0 || known.size === 0 ? [this.unknown(piece)] : [...known];
	}
};
var MAX_WORDS = 200;
var MAX_BRACES = 8;
function withoutBraces(words) {
	if (!words.some(hasBraces)) return words;
	const found = [];
	for (const word of words) if (found.length >= MAX_WORDS || !hasBraces(word)) found.push(word);
	else for (const pieces of expanded(word.pieces)) if (pieces.length > 0) found.push(wordOf(pieces));
	return found;
}
function hasBraces({ value, pieces }) {
	return value === null && pieces.some(isBrace);
}
function isBrace(piece) {
	return (piece.kind === "pattern" || piece.kind === "odd" && piece.scripts.length === 0) && piece.text.startsWith("{");
}
function expanded(pieces) {
	let forms = [[]];
	const last = pieces.filter(isBrace)[MAX_BRACES];
	const end = last === void 0 ? pieces.length : pieces.indexOf(last);
	for (const piece of pieces.slice(0, end)) {
		const options = (isBrace(piece) && "text" in piece ? textsOf$1(piece.text.replace(/['"]/g, ""), 0) : null)?.map((text) => text === "" ? [] : [{
			kind: "text",
			text,
			quoted: false
		}]);
		forms = forms.flatMap((form) => (options ?? [[piece]]).map((option) => [...form, ...option])).slice(0, MAX_WORDS);
	}
	if (last === void 0) return forms;
	const rest = pieces.slice(end).map((piece) => "text" in piece ? piece.text : piece.kind);
	return forms.map((form) => [...form, {
		kind: "odd",
		text: rest.join(""),
		scripts: []
	}]);
}
function wordOf(pieces) {
	const texts = pieces.map((piece) => piece.kind === "text" ? piece.text : null);
	const value = texts.includes(null) ? null : texts.join("");
	return {
		source: pieces.map((piece) => "text" in piece ? piece.text : "").join(""),
		value,
		pieces
	};
}
function textsOf$1(text, depth) {
	const from = text.indexOf("{");
	const parts = from < 0 || depth > MAX_BRACES ? null : partsAt(text, from);
	if (parts === null) return [text];
	const { options, end } = parts;
	const heads = options.flatMap((one) => textsOf$1(one, depth + 1)).map((one) => text.slice(0, from) + one);
	const tails = textsOf$1(text.slice(end), depth + 1);
	return heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_WORDS);
}
function partsAt(text, from) {
	const options = [];
	let [depth, start] = [0, from + 1];
	for (let at = from; at < text.length; at++) {
		const sign = text[at];
		if (sign === "\\") at++;
		else if (sign === "{") depth++;
		else if (sign === "}") depth--;
		if (depth === 0 || sign === "," && depth === 1) {
			options.push(text.slice(start, at).replace(/\\(.)/gs, "$1"));
			start = at + 1;
		}
		if (depth > 0) continue;
		const all = options.length > 1 ? options : rangeOf(options[0] ?? "");
		return all === null ? null : {
			options: all,
			end: start
		};
	}
	return null;
}
function rangeOf(text) {
	const [, first, last] = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text) ?? [];
	if (first === void 0 || last === void 0) return null;
	const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)].sort((a, b) => a - b);
	const all = Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i));
	return first < last ? all : all.reverse();
}
var KINDS = {
	"=": "value",
	"?": "joined",
	"~": "unsure",
	"+": "next"
};
var TAKES_NONE = /* @__PURE__ */ new Set(["flag", "joined"]);
var compiled = /* @__PURE__ */ new Map();
function grammarOf(line) {
	const known = compiled.get(line);
	if (known !== void 0) return known;
	const grammar = /* @__PURE__ */ new Map();
	for (const token of line.split(/\s+/)) {
		const kind = KINDS[token.slice(-1)] ?? "flag";
		const name = kind === "flag" ? token : token.slice(0, -1);
		if (name.startsWith("--")) grammar.set(name, kind);
		else for (const letter of name.slice(1).replace("#", "0123456789")) grammar.set(`-${letter}`, kind);
	}
	compiled.set(line, grammar);
	return grammar;
}
function readOptions(args, line, leniency = {}) {
	const grammar = grammarOf(line);
	const operands = [];
	const named = /* @__PURE__ */ new Map();
	const done = (bad) => {
		const countless = operands.some((word) => !staysOneWord(word));
		return {
			bad,
			operands,
			named,
			countless
		};
	};
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === void 0) break;
		if (word.value === "--" && grammar.has("--")) {
			operands.push(...args.slice(i + 1));
			return done(null);
		}
		const start = literalStart(word);
		const found = start.startsWith("-") && word.value !== "-" ? optionOf(word, start, grammar) : null;
		if (found !== null) {
			const value = found.next === null ? void 0 : args[++i];
			for (const name of found.names) named.set(name, value ?? null);
			if (value !== void 0 && !isValue(value, found.next, leniency)) return done(value);
		} else if (isOperand(word, start) || word.value === null && leniency.unknown?.(word) === true) {
			if (leniency.stop === true) {
				operands.push(...args.slice(i));
				return done(null);
			}
			operands.push(word);
		} else return done(word);
	}
	return done(null);
}
function verbIndex(args, line) {
	const at = args.findIndex((_, i) => {
		const { bad, operands } = readOptions(args.slice(0, i + 1), line);
		return bad !== null || operands.length > 0;
	});
	return at < 0 ? args.length : at;
}
function optionOf(word, start, grammar) {
	const whole = word.value !== null;
	if (start.startsWith("--")) {
		const name = /^[^=]+/.exec(start)?.[0] ?? "";
		const kind = grammar.get(name);
		const hasValue = name !== start;
		if (kind === void 0 || name === "--" || (hasValue ? kind === "flag" || !keepsStart(word) : !whole)) return null;
		return {
			names: [name],
			next: hasValue || TAKES_NONE.has(kind) ? null : kind
		};
	}
	const names = [];
	for (const [i, letter] of [...start].entries()) {
		if (i === 0) continue;
		const kind = grammar.get(`-${letter}`);
		if (kind === void 0) return null;
		names.push(`-${letter}`);
		if (kind === "flag") continue;
		const next = !TAKES_NONE.has(kind) && whole && i === start.length - 1 ? kind : null;
		return keepsStart(word) && (next !== null || kind !== "next") ? {
			names,
			next
		} : null;
	}
	return whole ? {
		names,
		next: null
	} : null;
}
function literalStart(word) {
	if (word.value !== null) return word.value;
	let start = "";
	for (const piece of word.pieces) {
		if (piece.kind === "pattern" && piece.text === "~" && start === "") return "~";
		if (piece.kind !== "text") break;
		start += piece.text;
	}
	return start;
}
function keepsStart(word) {
	return word.pieces.every((piece) => piece.kind === "pattern" || isOneVariable(piece));
}
function isOperand(word, start) {
	if (word.value !== null) return !word.value.startsWith("-") || word.value === "-";
	return start !== "" && !start.startsWith("-") && keepsStart(word);
}
function isValue(word, kind, { anyValue }) {
	if (!staysOneWord(word)) return false;
	if (kind === "unsure") return isOperand(word, literalStart(word));
	return anyValue === true || word.value === null || !/^-[^\d]/.test(word.value) || word.value === "-";
}
var HELP = "--help --version --";
var WRAPPERS = {
	env: {
		options: `-i0v -u= -C= -a= --ignore-environment --null --unset= --chdir= --argv0= --block-signal? --default-signal? --ignore-signal?
      --list-signal-handling --debug ${HELP}`,
		runs: "words",
		sets: true,
		moves: ["-C", "--chdir"]
	},
	command: {
		options: "-pvV --",
		runs: "words",
		except: ["-v", "-V"]
	},
	builtin: {
		options: "--",
		runs: "words"
	},
	exec: {
		options: "-cl -a= --",
		runs: "words"
	},
	nohup: {
		options: HELP,
		runs: "words"
	},
	nice: {
		options: `-# -n= --adjustment= ${HELP}`,
		runs: "words"
	},
	ionice: {
		options: `-t -c= -n= -p= -P= -u= --class= --classdata= --pid= --pgid= --uid= --ignore ${HELP}`,
		runs: "words",
		except: [
			"-p",
			"-P",
			"-u",
			"--pid",
			"--pgid",
			"--uid"
		]
	},
	timeout: {
		options: `-vfp -s= -k= --signal= --kill-after= --foreground --preserve-status --verbose ${HELP}`,
		runs: "words",
		skip: 1
	},
	time: {
		options: `-pqv -f= --format= --portability --verbose --quiet ${HELP}`,
		runs: "words"
	},
	stdbuf: {
		options: `-i= -o= -e= --input= --output= --error= ${HELP}`,
		runs: "words"
	},
	setsid: {
		options: `-cfw --ctty --fork --wait ${HELP}`,
		runs: "words"
	},
	noglob: {
		options: "",
		runs: "words"
	},
	nocorrect: {
		options: "",
		runs: "words"
	},
	"-": {
		options: "",
		runs: "words"
	},
	"!": {
		options: "",
		runs: "words"
	},
	eval: {
		options: "--",
		runs: "text",
		any: true
	},
	watch: {
		options: `-bcegprtwxC -n= -q= -s= -d? --beep --color --no-color --differences? --errexit --chgexit --equexit= --interval=
      --precise --no-rerun --no-title --no-wrap --exec ${HELP}`,
		runs: "text"
	},
	xargs: {
		options: `-0rtpxo -a= -d= -E= -e? -I= -i? -L= -l? -n= -P= -s= --null --arg-file= --delimiter= --eof? --replace? --max-lines?
      --max-args= --max-procs= --max-chars= --no-run-if-empty --verbose --interactive --open-tty --process-slot-var= --exit
      --show-limits ${HELP}`,
		runs: "words",
		fills: true
	},
	parallel: {
		options: "-kXmqu -j= -n= -N= -I= -a= --jobs= --keep-order --bar --eta --will-cite --dry-run --max-args= --arg-file= --colsep= --",
		runs: "text",
		fills: true,
		also: true
	},
	flock: {
		options: `-sxeunFov -w= -E= --shared --exclusive --unlock --nonblock --nb --timeout= --wait= --conflict-exit-code= --close
      --no-fork --fcntl --verbose ${HELP}`,
		runs: "words",
		skip: 1,
		also: true
	},
	script: {
		options: `-aefqT -c= -E= -I= -O= -B= -m= -o= -t? --append --command= --echo= --return --flush --force --log-in= --log-out=
      --log-io= --logging-format= --output-limit= --quiet --timing? --log-timing= ${HELP}`,
		runs: "text",
		text: ["-c", "--command"],
		also: true
	},
	sudo: {
		options: `-ABbEHiKklNnPSsVv -C= -D= -g= -p= -r= -T= -t= -U= -u= --askpass --background --bell --close-from=
      --preserve-env? --chdir= --group= --set-home --host= --login --remove-timestamp --reset-timestamp --list
      --non-interactive --preserve-groups --prompt= --role= --stdin --shell --type= --other-user= --command-timeout=
      --user= --validate ${HELP}`,
		runs: "words",
		sets: true,
		moves: [
			"-D",
			"--chdir",
			"-i",
			"--login"
		],
		privileged: true
	},
	doas: {
		options: "-Lns -a= -C= -u= --",
		runs: "words",
		privileged: true
	},
	su: {
		options: `-lmpfP -c= -g= -G= -w= --command= --session-command= --login --preserve-environment --group=
      --supp-group= --fast --pty --whitelist-environment= ${HELP}`,
		runs: "text",
		text: [
			"-c",
			"--command",
			"--session-command"
		],
		moves: [
			"-l",
			"--login",
			"-"
		],
		privileged: true
	}
};
var SHELL = `-abCefhmnuvxilcrsDEHkpPtTB -o= -O= --norc --noprofile --login --posix --restricted --verbose --noediting --`;
var SHELLS$1 = wordSet("sh bash zsh dash ksh ash mksh");
var INTERPRETERS = /^(python|python\d(\.\d+)?|perl|ruby|node|nodejs|php|lua|deno|bun|tclsh|Rscript|osascript|psql|mysql|sqlite3)$/;
var OTHER_RUNNERS = wordSet(`strace ltrace chrt taskset setarch unbuffer chronic runuser unshare nsenter chroot systemd-run entr busybox toybox
   ssh-agent dbus-run-session xvfb-run firejail bwrap fakeroot proxychains torsocks catchsegv valgrind gdb rlwrap
   setpriv capsh pkexec run0 sg newgrp at batch coproc prlimit choom numactl cpulimit gosu su-exec linux32 linux64 i386 x86_64
   eatmydata faketime fakechroot proot trickle dtach emulate repeat fish csh tcsh pwsh nu elvish xonsh`);
var OTHER_KNOWN = /* @__PURE__ */ new Set([
	...SHELLS$1,
	"find",
	"trap",
	"git",
	...OTHER_RUNNERS
]);
function nameOfProgram(word) {
	const value = word?.value ?? "";
	return value.slice(value.lastIndexOf("/") + 1);
}
function unwrap(words) {
	const name = nameOfProgram(words[0]);
	if (!Object.hasOwn(WRAPPERS, name) && !OTHER_KNOWN.has(name)) return null;
	const found = unwrapAs(name, words.slice(1));
	return found !== null && programOf({ words: words.slice(0, 1) }) === null ? {
		...found,
		sure: false
	} : found;
}
function unwrapAs(name, args) {
	const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : void 0;
	if (SHELLS$1.has(name)) return ofShell(args);
	if (name === "find") return ofFind(args);
	if (name === "trap") return ofTrap(args);
	if (name === "git") return ofGit(args);
	return wrapper === void 0 ? guessed(args) : ofWrapper(wrapper, args);
}
function made(inner, changed = {}) {
	const { privileged = false, also = false, fills = false, sets = [], moves = false, sure = true } = changed;
	return {
		inner,
		privileged,
		also,
		fills,
		sets,
		moves,
		sure
	};
}
function setsVariable({ value, pieces }) {
	if (value !== null) return value.includes("=");
	return pieces.some((piece) => piece.kind === "text" && piece.text.includes("="));
}
function ofWrapper(wrapper, args) {
	const { privileged = false, also = false, fills = false } = wrapper;
	const stop = wrapper.text === void 0;
	const unknown = () => wrapper.any === true;
	const read = readOptions(args, wrapper.options, {
		stop,
		unknown,
		anyValue: true
	});
	const moves = hasAny(read, wrapper.moves);
	const about = {
		privileged,
		also,
		fills,
		moves
	};
	if (read.bad !== null) return {
		...guessed(args),
		...about,
		sure: false
	};
	if (hasAny(read, wrapper.except)) return null;
	if (wrapper.text !== void 0) return ofTextOption(wrapper.text, read, args, about);
	const operands = read.operands.slice(wrapper.skip ?? 0);
	const isSet = (word) => wrapper.sets === true && setsVariable(word);
	const first = operands.findIndex((word) => !isSet(word));
	const sets = first < 0 ? operands : operands.slice(0, first);
	const rest = operands.slice(sets.length);
	if (wrapper.skip !== void 0 && /^(-c|--command)$/.test(rest[0]?.value ?? "")) return made([{
		kind: "text",
		text: rest.slice(1, 2)
	}], about);
	if (rest.length === 0) return null;
	const end = fills ? rest.findIndex(({ value }) => /^:::/.test(value ?? "")) : -1;
	const command = end < 0 ? rest : rest.slice(0, end);
	return made([wrapper.runs === "words" || hasAny(read, ["-x", "--exec"]) ? {
		kind: "words",
		words: command
	} : {
		kind: "text",
		text: command
	}], {
		privileged,
		also,
		fills,
		moves,
		sets
	});
}
function ofTextOption(names, { named }, args, about) {
	const name = names.find((one) => named.has(one));
	if (name === void 0) return null;
	const value = named.get(name) ?? null;
	if (value === null) return {
		...guessed(args),
		...about,
		sure: false
	};
	return made([{
		kind: "text",
		text: [value]
	}], about);
}
function hasAny({ named }, names = []) {
	return names.some((name) => named.has(name));
}
function ofShell(args) {
	const plain = args.filter(({ value }) => value === null || !/^\+[A-Za-z]+$/.test(value));
	const read = readOptions(plain, SHELL, {
		stop: true,
		anyValue: true
	});
	if (read.bad !== null) {
		const at = plain.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? ""));
		return at < 0 ? null : made([{
			kind: "text",
			text: plain.slice(at + 1, at + 2)
		}], { sure: false });
	}
	if (!read.named.has("-c")) return null;
	const [text, ...rest] = read.operands;
	return made([{
		kind: "text",
		text: text === void 0 ? [] : [text],
		args: rest
	}]);
}
function runsFile(name) {
	return SHELLS$1.has(name) || name === "source" || name === ".";
}
function filesRunBy([shell, ...args]) {
	if (!SHELLS$1.has(nameOfProgram(shell))) return args.slice(0, 1);
	const read = readOptions(args, SHELL, {
		stop: true,
		anyValue: true
	});
	return read.bad === null ? read.operands.slice(0, 1) : args;
}
function mayReadProgram(name) {
	return runsFile(name) || INTERPRETERS.test(name);
}
function readsProgram(words) {
	const name = nameOfProgram(words[0]);
	const args = words.slice(1);
	if (SHELLS$1.has(name)) {
		const read = readOptions(args, SHELL, {
			stop: true,
			anyValue: true
		});
		return (read.bad !== null || read.named.has("-s") || read.operands.every(isInput)) && !read.named.has("-c") ? "shell" : null;
	}
	if (name === "source" || name === ".") return isInput(args[0]) ? "shell" : null;
	if (!INTERPRETERS.test(name)) return null;
	return args.every((word) => isInput(word) || (word.value ?? "").startsWith("-")) ? "interpreter" : null;
}
function innermost(words) {
	let inner = words;
	for (let i = 0; i < 12; i++) {
		const [only] = unwrap(inner)?.inner ?? [];
		if (only?.kind !== "words") return inner;
		inner = only.words;
	}
	return inner;
}
function innermostReads(words) {
	if (!words.some((word) => mayReadProgram(nameOfProgram(word)))) return null;
	return readsProgram(innermost(words));
}
function isInput(word) {
	return /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word?.value ?? "");
}
function ofFind(args) {
	const inner = [];
	for (let at = 0; at < args.length; at++) {
		if (!/^-(exec|ok)(dir)?$/.test(args[at]?.value ?? "")) continue;
		const words = [];
		for (at++; at < args.length && !/^[;+]$/.test(args[at]?.value ?? ""); at++) words.push(...args.slice(at, at + 1));
		inner.push({
			kind: "words",
			words
		});
	}
	return inner.length === 0 ? null : made(inner, {
		also: true,
		fills: true
	});
}
function ofTrap(args) {
	const rest = args[0]?.value === "--" ? args.slice(1) : args;
	const value = rest[0]?.value ?? null;
	if (rest.length < 2 || value === "" || value?.startsWith("-") === true) return null;
	return made([{
		kind: "text",
		text: rest.slice(0, 1)
	}]);
}
function ofGit(args) {
	const inner = args.flatMap((word) => {
		const text = /=\s*!(.*)$/s.exec(word.value ?? "")?.[1];
		return text === void 0 ? [] : [{
			kind: "text",
			text: [literalWord(text)]
		}];
	});
	return inner.length === 0 ? null : made(inner, {
		also: true,
		fills: true
	});
}
function literalWord(text) {
	return {
		source: text,
		value: text,
		pieces: [{
			kind: "text",
			text,
			quoted: true
		}]
	};
}
var MAX_GUESSES = 12;
function guessed(args) {
	const inner = [];
	for (const [at, { value }] of args.slice(0, MAX_GUESSES).entries()) {
		const attached = /^(?:-[A-Za-z]|--[\w-]+=)(.+)$/s.exec(value ?? "")?.[1];
		if (value !== null && /\s/.test(value)) inner.push({
			kind: "text",
			text: [literalWord(attached ?? value)]
		});
		else if (attached === void 0 && !(value ?? "").startsWith("-")) inner.push({
			kind: "words",
			words: args.slice(at)
		});
	}
	return made(inner, {
		also: true,
		fills: true,
		sure: false
	});
}
var MAX_TEXTS = 8;
var Spellings = class {
	list = [];
	add(spelling, text) {
		if (text !== "" && !this.list.some(([, one]) => one === text)) this.list.push([spelling, text]);
	}
};
var WordTexts = class {
	values = new KnownValues(textOfPiece);
	aliases = /* @__PURE__ */ new Map();
	functions = /* @__PURE__ */ new Map();
	learn(command) {
		this.values.learn(command);
		if (command.words[0]?.value !== "alias") return false;
		let defines = false;
		for (const { value } of command.words.slice(1)) {
			const [, name, text] = /^([^=]+)=(.*)$/s.exec(value ?? "") ?? [];
			if (name !== void 0 && text !== void 0) this.aliases.set(name, text);
			defines ||= name !== void 0 || value === null;
		}
		return defines;
	}
	learnFunctions(script) {
		for (const { name, from, to } of script.functions) this.functions.set(name, script.commands.slice(from, to));
	}
	dequoted(words) {
		if (words.every(({ value }) => value !== null)) return [words.map(({ value }) => value ?? "").join(" ").trimStart()];
		let texts = [""];
		for (const [i, word] of withoutBraces(words).entries()) {
			const options = this.values.textsOf(word).map(tilde);
			const before = i === 0 ? "" : " ";
			texts = texts.flatMap((text) => options.map((one) => text + before + one)).slice(0, MAX_TEXTS);
		}
		return texts.map((text) => text.replace(/^\s+/, ""));
	}
	expanded(words) {
		const [first, ...rest] = words;
		const value = first?.value ?? "";
		const name = value.startsWith("=") ? value.slice(1) : nameOfProgram(first);
		if (name === value && !this.aliases.has(name) && !this.functions.has(name)) return [];
		const args = this.dequoted(rest);
		const texts = name === value || name === "" ? [] : args.map((one) => `${name} ${one}`.trimEnd());
		const alias = this.aliases.get(name);
		if (alias !== void 0) for (const { words: inner } of parseShell(alias).commands) texts.push(...args.flatMap((one) => this.dequoted(inner).map((text) => `${text} ${one}`)));
		for (const { words: inner } of this.functions.get(name) ?? []) texts.push(inner.map((word) => word.pieces.map((piece) => argument(piece, args[0] ?? "")).join("")).join(" "));
		return texts;
	}
};
function canonical(words) {
	return words.map((word) => tilde(word.value ?? word.pieces.map(canonicalPiece).join(""))).join(" ");
}
function withoutUnknown(words) {
	return words.map(({ value, pieces }) => {
		return value ?? pieces.map((piece) => piece.kind === "text" ? piece.text : "").join("");
	}).join(" ").trim();
}
function withLines(word) {
	return literalWord((word.value ?? "").replace(/\\n/g, "\n"));
}
function withPositions(text, args) {
	return text.replace(/"?\$\{?(\d|[@*])\}?"?/g, (_, name) => /\d/.test(name) ? args[Number(name)] ?? "" : args.slice(1).join(" "));
}
function textOfPiece(piece) {
	if (piece.kind === "variable") return piece.name === "IFS" && !piece.quoted ? " " : `$${piece.name}`;
	if (piece.kind === "script") return piece.source;
	return /^\$\{\w*:?[-=+]([^{}$`]*)\}$/.exec(piece.text)?.[1] ?? piece.text;
}
var tilde = (text) => text.replace(/^~~/, "~");
function canonicalPiece(piece) {
	return piece.kind === "variable" ? `$${piece.name}` : piece.kind === "script" ? piece.source : piece.text;
}
function argument(piece, args) {
	if (piece.kind !== "variable") return textOfPiece(piece);
	if (piece.name === "@" || piece.name === "*") return args;
	return /^[1-9]$/.test(piece.name) ? args.split(" ")[Number(piece.name) - 1] ?? "" : textOfPiece(piece);
}
var MAX_SUFFIXES = 64;
function roughly(piece, anywhere) {
	const bare = piece.replace(/['"\\]/g, "").replace(/\s+/g, " ").trim();
	if (bare === "") return null;
	const spellings = new Spellings();
	spellings.add("written", piece.trim());
	spellings.add("dequoted", bare);
	spellings.add("unwrapped", bare.replace(/^((\w+=\S*|[!-]|then|do|else|sudo|exec|command|env|nohup) )+/, ""));
	const words = anywhere ? bare.split(" ") : [];
	for (const [i] of words.slice(0, MAX_SUFFIXES).entries()) spellings.add("unwrapped", words.slice(i).join(" "));
	return spellings;
}
var ELSEWHERE = wordSet(`ssh scp sftp mosh telnet ftp lftp nc ncat netcat socat http https xh xhs mail mailx mutt sendmail msmtp
   dbus-send gdbus busctl qdbus loginctl machinectl systemctl
   kubectl oc helm k9s istioctl argocd flux aws gcloud gsutil bq az doctl linode-cli hcloud oci ibmcloud eb
   vercel netlify fly flyctl heroku wrangler firebase surge railway render now
   terraform tofu terragrunt pulumi cdk sls serverless sam copilot ansible ansible-playbook packer nomad vault
   twine goreleaser kill pkill killall skill xkill fuser`);
var SUBCOMMANDS$1 = {
	npm: /^(publish|unpublish|deprecate|dist-tag|access|owner|token|login|adduser|team|star|unstar)$/,
	pnpm: /^(publish|deploy)$/,
	yarn: /^(publish|npm)$/,
	bun: /^publish$/,
	cargo: /^(publish|yank|owner|login)$/,
	gem: /^(push|yank|owner|signin)$/,
	poetry: /^publish$/,
	uv: /^publish$/,
	flit: /^publish$/,
	hatch: /^publish$/,
	mvn: /^(deploy|release:.*)$/,
	gradle: /^publish/,
	gradlew: /^publish/,
	docker: /./,
	podman: /^(push|login)$/,
	git: /^(push|send-email|svn|p4|alias\..*)$/i,
	gh: /./,
	glab: /./,
	openssl: /^s_client$/
};
var RUNNERS$2 = {
	npx: null,
	bunx: null,
	uvx: null,
	pnpx: null,
	pnpm: /^(dlx|exec)$/,
	yarn: /^(dlx|exec)$/,
	npm: /^(exec|x)$/,
	bun: /^x$/,
	pipx: /^run$/,
	uv: /^run$/,
	poetry: /^run$/,
	bundle: /^exec$/,
	python: /^-m$/,
	python3: /^-m$/
};
var CURL_SENDS = /^(-[A-Za-z#:0-9]*[dFTK]|-[A-Za-z#:0-9]*X(?=.)(?!GET$|HEAD$)|--(da|fo|up|js|conf|request(?!=(GET|HEAD)$)|url-query|mail))/;
var WGET_SENDS = /^--(post|body|method|config|input-file|execute)|^-[A-Za-z]*[ei]/;
var reads$1 = (when, choose) => {
	return (args) => {
		const isOne = (one, i) => (i === 0 || one.startsWith("-")) && when.test(one);
		return args.some(isOne) ? choose(operandsOf$1(args), args) : [];
	};
};
var ENTERS = /^(-C|--directory)$/;
function operandsOf$1(args) {
	return args.filter((one, i) => !one.startsWith("-") && !ENTERS.test(args[i - 1] ?? ""));
}
function enteredBy(args) {
	return args.flatMap((one, i) => {
		const [, attached] = /^(?:-C|--directory=)(.+)$/.exec(one) ?? [];
		return ENTERS.test(args[i - 1] ?? "") ? [one] : attached === void 0 ? [] : [attached];
	});
}
var all = (operands) => operands;
var allButLast = (operands) => operands.slice(0, -1);
var TARGET = /^(?:-[A-Za-z]*?t|--target-directory(?:=|$))(.*)$/s;
var allButTarget = (operands, args) => {
	const at = args.findIndex((one) => TARGET.test(one));
	if (at < 0) return allButLast(operands, args);
	const isApart = TARGET.exec(args[at] ?? "")?.[1] === "";
	return operands.filter((one) => !isApart || one !== args[at + 1]);
};
var PATTERN = /^(-[A-Za-z0-9]*?[ef].|--(regexp|file)=)/s;
var behindPattern = (operands, args) => {
	const paths = args.some((one) => PATTERN.test(one)) ? operands : operands.slice(1);
	return paths.length === 0 ? ["."] : paths;
};
var beforeTests = (_, args) => {
	const paths = args.filter((one) => !/^-([HLP]$|O)/.test(one));
	const end = paths.findIndex((one) => /^[-(!]/.test(one));
	return end === 0 || paths.length === 0 ? ["."] : end < 0 ? paths : paths.slice(0, end);
};
var ALWAYS = /^/;
var EXEC = /^-(exec|ok)(dir)?$/;
var FD_EXEC = /^(-[A-Za-z]*[xX]|--exec(-batch)?)/;
var ARCHIVES = /^-?[A-Za-z]*[cru]|^--(create|append|update)/;
var COPIES$1 = /^-[A-Za-z]*[rRa]|^--(recursive|archive)/;
var RECURSIVE$1 = /^-[A-Za-z]*[rR]|^--(dereference-)?recursive/;
var GREP_RECURSIVE = /^-[A-Za-ce-z]*([rR]|d=?rec)|^--(dereference-)?recursive|^--directories=rec/;
var greps = (args, isTaken) => {
	const joined = args.flatMap((one, i) => {
		if (GREP_DIRECTORIES.test(one)) return [`${one}=${args[i + 1] ?? ""}`];
		return GREP_DIRECTORIES.test(args[i - 1] ?? "") ? [] : [one];
	});
	return reads$1(GREP_RECURSIVE, behindPattern)(joined, isTaken);
};
var GREP_DIRECTORIES = /^(-[A-Za-ce-z]*d|--directories)$/;
var lists = (when, choose) => {
	return (args, isTaken) => isTaken ? choose(operandsOf$1(args), args) : reads$1(when, choose)(args, isTaken);
};
var READS_BELOW = {
	tar: reads$1(ARCHIVES, all),
	bsdtar: reads$1(ARCHIVES, all),
	zip: reads$1(/^-[A-Za-z]*r|^--recurse/, all),
	"7z": reads$1(/^[au]$/, all),
	cp: reads$1(COPIES$1, allButTarget),
	rsync: reads$1(COPIES$1, allButLast),
	diff: reads$1(RECURSIVE$1, all),
	grep: greps,
	egrep: greps,
	fgrep: greps,
	rgrep: reads$1(ALWAYS, behindPattern),
	rg: reads$1(ALWAYS, behindPattern),
	ag: reads$1(ALWAYS, behindPattern),
	ack: reads$1(ALWAYS, behindPattern),
	find: lists(EXEC, beforeTests),
	fd: lists(FD_EXEC, behindPattern),
	fdfind: lists(FD_EXEC, behindPattern)
};
var TAKES_NAMES = wordSet("xargs parallel read mapfile readarray");
var SUBSTITUTES = /\$\(|`|<\(/;
function takesNames({ segments, whole }) {
	const isOne = ([, text]) => TAKES_NAMES.has(nameIn(text.split(/\s/, 1)[0]));
	return SUBSTITUTES.test(whole) || segments.some(({ spellings }) => spellings.some(isOne));
}
function nameIn(word = "") {
	return word.slice(word.lastIndexOf("/") + 1);
}
function leavingWhy(segment, isTaken, facts) {
	for (const [, text] of segment.spellings) {
		const [first = "", ...args] = text.split(/\s+/);
		const name = nameIn(first);
		if (acts(name, args)) return require_rule_set.LEAVING.program(name);
		const key = keyIn([first, ...args], segment, facts);
		if (key !== void 0) return require_rule_set.LEAVING.keys(key);
	}
	for (const [name, args] of argumentsOf(segment)) {
		const dir = keysBelow(Object.hasOwn(READS_BELOW, name) ? READS_BELOW[name]?.(args, isTaken) ?? [] : [], args, segment, facts);
		if (dir !== void 0) return require_rule_set.LEAVING.keysBelow(name, dir);
	}
	if (segment.files.some((one) => /\/dev\/(tcp|udp)\//.test(one))) return require_rule_set.LEAVING.program("/dev/tcp");
	const key = keyIn(segment.files, segment, facts);
	return key === void 0 ? null : require_rule_set.LEAVING.keys(key);
}
function keyIn(words, { where }, facts) {
	const paths = words.flatMap(pathsIn);
	const isHome = (path) => named$1(path, facts).replace(/\/+$/, "") === facts.home;
	const dirs = [...dirsOf(words, where.dirs ?? [facts.home], facts), ...paths.some(isHome) ? [facts.home] : []];
	return paths.find((path) => dirs.some((dir) => isKey(named$1(path, facts), dir, facts)));
}
function argumentsOf({ command, spellings }) {
	const words = command?.words.map((word) => canonical([word])) ?? [];
	const spaced = words.filter((word) => /\S\s|\s\S/.test(word));
	const whole = (text) => spaced.reduce((all, word) => all.replaceAll(word, () => word.replace(/\s/g, "\0")), text);
	const emptied = command?.words.some(({ pieces }) => pieces.some((one) => one.kind !== "text")) === true ? withoutUnknown(command?.words ?? []) : "";
	return [words, ...spellings.filter(([spelling, text]) => (command === null || spelling !== "written") && text !== emptied).map(([, text]) => whole(text).split(/\s+/))].map(([first, ...args]) => [nameIn(first), args]);
}
function dirsOf(args, start, facts) {
	const found = [...start];
	let now = start;
	for (const path of enteredBy(args)) {
		now = now.map((dir) => absolutePath(named$1(path, facts), dir, facts.home));
		found.push(...now);
	}
	return found;
}
function keysBelow(paths, args, { where }, facts) {
	const dirs = dirsOf(args, where.dirs ?? [UNKNOWN], facts);
	const isAbove = (path, dir) => resolvedPaths(named$1(path, facts), dir, facts).some((one) => mayBeAboveKeys(one, facts.home));
	return paths.find((path) => dirs.some((dir) => isAbove(path, dir)));
}
function acts(name, args) {
	if (ELSEWHERE.has(name) || REACHING.has(name)) return true;
	const isUnknown = args.some((one) => one.startsWith("$"));
	if (name === "curl") return isUnknown || args.some((one) => CURL_SENDS.test(one)) || sendsByMethod(args);
	if (name === "wget") return isUnknown || args.some((one) => WGET_SENDS.test(one));
	if (name === "rsync") return isUnknown || args.some((one) => /^[^/-][^/]*:|^rsync:/.test(one));
	const verbs = args.filter((one) => !one.startsWith("-"));
	const subcommands = Object.hasOwn(SUBCOMMANDS$1, name) ? SUBCOMMANDS$1[name] : void 0;
	const most = 3 + args.length - verbs.length;
	if (subcommands !== void 0 && verbs.slice(0, most).some((one) => subcommands.test(one))) return true;
	const runs = Object.hasOwn(RUNNERS$2, name) ? RUNNERS$2[name] : void 0;
	if (runs === void 0) return false;
	const at = runs === null ? -1 : args.findIndex((one) => runs.test(one));
	if (runs !== null && at < 0) return false;
	const behind = args.slice(at + 1);
	const program = behind.findIndex((one) => !one.startsWith("-"));
	return program >= 0 && acts((behind[program] ?? "").replace(/(.)@.*$/, "$1"), behind.slice(program + 1));
}
function sendsByMethod(args) {
	return args.some((one, i) => /^(-[A-Za-z]*X|--request)$/.test(one) && !/^(GET|HEAD)$/.test(args[i + 1] ?? ""));
}
var UNKNOWN = "/?";
var HOME_NAMES = /^(?:~[^/]*|\$\{?HOME\}?)(?=\/|$)/;
function named$1(path, { home }) {
	return path.replace(HOME_NAMES, home);
}
function pathsIn(word) {
	return word.replace(/^-[A-Za-z0-9]+(?=[/~.$])/, "").split(/['"=:,;@<>|]+/).filter((one) => /[/~.]|^\$\{?HOME/.test(one));
}
function isKey(path, dir, facts) {
	const { home } = facts;
	return resolvedPaths(path, dir, facts).some((one) => {
		return /[*?[]/.test(one) ? mayHoldKeys(one, home) : holdsKeys(require_cli.fromText(one), require_cli.fromText(home));
	});
}
function mayHoldKeys(glob, home) {
	const parts = namesIn$1(glob);
	return keyPaths(home).some((key) => {
		const names = namesIn$1(key);
		return (key.endsWith("/") ? parts.length >= names.length : parts.length === names.length) && names.every((name, i) => mayBe(parts[i] ?? "", name));
	});
}
function mayBeAboveKeys(glob, home) {
	const parts = namesIn$1(glob);
	return keyPaths(home).some((key) => {
		const names = namesIn$1(key);
		return parts.length < names.length && parts.every((part, i) => mayBe(part, names[i] ?? ""));
	});
}
var namesIn$1 = (path) => path.split("/").filter((part) => part !== "");
function mayBe(glob, name) {
	return (!name.startsWith(".") || glob.startsWith(".")) && require_draft.globMatches(glob, name);
}
var GREP = `-#EFGPiywxzsvVbnHhoqaIrRLlcTZU -e= -f= -m= -d= -D= -A= -B= -C= --extended-regexp --fixed-strings --basic-regexp
    --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages
    --invert-match --version --help --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label=
    --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include=
    --exclude= --exclude-from= --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null
    --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour? --binary --`;
var SUMS = "-bctzw --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --help --version --";
var READER_OPTIONS = {
	"ls": `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -T= -w= --all --almost-all --author --block-size= --color? --classify?
    --context --dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired --escape
    --file-type --format= --full-time --group-directories-first --help --hide= --hide-control-chars --human-readable --hyperlink?
    --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name
    --quoting-style= --recursive --reverse --show-control-chars --si --size --sort= --tabsize= --time= --time-style= --version
    --width= --zero --`,
	"cat": `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help
    --version --`,
	"head": "-#qvz -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated --help --version --",
	"tail": `-#fFqvz -c= -n= -s= --bytes= --follow? --lines= --max-unchanged-stats= --pid= --quiet --silent --retry
    --sleep-interval= --verbose --zero-terminated --help --version --`,
	"wc": "-cmlLw --bytes --chars --lines --max-line-length --words --files0-from= --total= --help --version --",
	"grep": GREP,
	"egrep": GREP,
	"fgrep": GREP,
	"rg": `-.0bcFhHiIlLnNopPqsSuUvVwx -A= -B= -C= -d= -E= -e= -f= -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context=
    --context= --auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --color=
    --colors= --column --no-column --context-separator= --no-context-separator --count --count-matches --crlf --no-crlf --debug
    --dfa-size-limit= --encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --file= --files
    --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob= --glob-case-insensitive
    --heading --no-heading --help --hidden --no-hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive
    --ignore-dot --ignore-exclude --ignore-files --ignore-global --ignore-parent --ignore-vcs --include-zero --invert-match --json
    --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count=
    --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename
    --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
    --no-ignore-vcs --no-messages --messages --no-pcre2-unicode --no-require-git --require-git --no-unicode --unicode --null
    --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --no-pcre2 --pcre2-version --pretty --quiet
    --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr= --stats --no-stats --text --no-text --threads= --trace
    --trim --no-trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --version --vimgrep --with-filename
    --word-regexp --`,
	"which": "-acfmpsSvw --",
	"type": "-acfmpPsStvw --",
	"pwd": "-LP --logical --physical",
	"true": "--help --version",
	"false": "--help --version",
	":": "",
	"basename": "-az -s= --multiple --suffix= --zero --help --version --",
	"dirname": "-z --zero --help --version --",
	"realpath": `-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base=
    --strip --no-symlinks --zero --help --version --`,
	"readlink": `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero
    --help --version --`,
	"stat": "-Lft -c= --dereference --file-system --cached= --format= --printf= --terse --help --version --",
	"file": `-vbchiklLnNrs0 -m= -e= -f= -F= --brief --checking-printout --exclude= --exclude-quiet= --files-from= --separator= --mime
    --mime-encoding --mime-type --apple --extension --keep-going --list --dereference --no-dereference --no-buffer --no-pad --print0
    --raw --special-files --magic-file= --help --version --`,
	"du": `-0abcDHhklLmPSsx -B= -d= -t= -X= --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth=
    --files0-from= --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize
    --threshold= --time? --time-style= --exclude-from= --exclude= --one-file-system --help --version --`,
	"df": `-ahHiklPTv -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --total
    --type= --print-type --exclude-type= --help --version --`,
	"tree": `-adfilxpsughDFqNQrtcUvnACSXJ -L+ -P+ -I+ --noreport --inodes --device --dirsfirst --filesfirst --filelimit? --sort?
    --du --si --prune --gitignore --matchdirs --metafirst --ignore-case --charset? --timefmt? --help --version --info --fromfile`,
	"id": "-aZgGnruz --context --group --groups --name --real --user --zero --help --version",
	"whoami": "--help --version",
	"uname": `-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform
    --operating-system --help --version`,
	"nproc": "--all --ignore= --help --version",
	"printenv": "-0 --null --help --version",
	"ps": `-#AadeNfFHjlMPyLmTcwVxhZ -C= -G= -g= -p= -q= -s= -t= -u= -U= -O= -o= --deselect --Group= --group= --pid= --ppid=
    --quick-pid= --sid= --tty= --user= --User= --forest --format= --context --headers --no-headers --no-heading --cols= --columns= --width=
    --rows= --lines= --cumulative --sort= --help --version`,
	"uptime": "-psV --pretty --since --help --version",
	"sort": `-bdfgiMhnRrVcCmsuz -k= -S= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
    --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --sort=
    --version-sort --batch-size= --check? --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique
    --zero-terminated --files0-from= --help --version --`,
	"uniq": `-cdDiuz -f= -s= -w= --count --repeated --all-repeated? --group? --skip-fields= --ignore-case --skip-chars= --unique
    --zero-terminated --check-chars= --help --version`,
	"cut": `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
    --zero-terminated --help --version --`,
	"tr": "-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version --",
	"nl": `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering=
    --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=
    --help --version --`,
	"column": `-tEdeLJxhV -n= -O= -N= -l= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --table-name= --table-order=
    --table-columns= --table-columns-limit= --table-noextreme= --table-noheadings --table-header-repeat --table-hide= --table-right=
    --table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= --output-separator=
    --separator= --fillrows --help --version --`,
	"jq": `-crjasSCMneRh0 -f= -L= --compact-output --raw-output --join-output --raw-output0 --ascii-output --slurp --sort-keys
    --color-output --monochrome-output --null-input --exit-status --raw-input --tab --indent= --unbuffered --stream --stream-errors
    --seq --from-file= --arg --argjson --slurpfile --rawfile --args --jsonargs --help --version --`,
	"tac": "-br -s= --before --regex --separator= --help --version --",
	"rev": "-hV0 --zero --help --version --",
	"diff": `-#qsceunyptTrNiEZbwBadPv -C= -U= -W= -F= -x= -X= -S= -I= -D= -L= --normal --brief --report-identical-files --context?
    --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line=
    --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file
    --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file=
    --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --old-group-format= --new-group-format=
    --unchanged-group-format= --changed-group-format= --line-format= --old-line-format= --new-line-format= --unchanged-line-format=
    --minimal --horizon-lines= --speed-large-files --color? --palette= --help --version --`,
	"cmp": "-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version --",
	"comm": `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated --help --version --`,
	"od": `-abcdfiloshHxXvBDeFILO -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
    --output-duplicates --width? --traditional --help --version --`,
	"seq": "-#w -f= -s= --format= --separator= --equal-width --help --version --",
	"sleep": "--help --version",
	"md5sum": SUMS,
	"sha1sum": SUMS,
	"sha256sum": SUMS
};
var HARMLESS_READERS = wordSet(`ls cat head tail wc grep egrep fgrep which type pwd true false : basename dirname realpath readlink stat du df id whoami uname
   nproc printenv ps uptime cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep`);
var MAX_OPERANDS = { uniq: 1 };
var FIND_TESTS = [wordSet(`-H -L -P -O0 -O1 -O2 -O3 -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn
     -noleaf -empty -executable -readable -writable -false -true -nouser -nogroup -print -print0 -ls -prune -quit -not -a -and -o -or
     -help --help -version --version`), wordSet(`-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
     -iwholename -links -lname -mmin -mtime -name -newer -path -perm -printf -regex -samefile -size -type -uid -used -user -wholename
     -xtype`)];
var GH_READS = `-#cvx -L~ -s~ -l~ -a~ -A~ -B~ -b~ -e~ -H~ -S~ -R~ -q~ -t~ -i~ -j~ -u~ --limit~ --state~ --label~ --assignee~
  --author~ --base~ --head~ --search~ --repo~ --jq~ --json~ --template~ --comments --name-only --patch --color~ --watch --interval~
  --required --fail-fast --log --log-failed --verbose --exit-status --job~ --attempt~ --branch~ --workflow~ --event~ --user~ --status~
  --commit~ --created~ --milestone~ --mention~ --app~ --draft --archived --no-archived --fork --source --language~ --topic~ --visibility~
  --order~ --sort~ --match~ --owner~ --org~ --env~ --key~ --ref~ --closed --active --hostname~ --yaml --files --filename~ --raw
  --exclude-drafts --exclude-pre-releases --compact --all --help`;
var GH_API_READS = `-i -q= -t= -p= -H= -X= --include --jq= --template= --preview= --header= --hostname= --method= --paginate
  --slurp --silent --verbose --help`;
var GH_API_FIELDS = "-f= -F= --field= --raw-field=";
var CONTAINER_READS = `-afqslt -n~ --all --quiet --size --latest --last~ --no-trunc --filter~ --format~ --digests --tree
  --follow --timestamps --tail~ --since~ --until~ --details --type~ --no-stream --limit~ --human --services --status~ --orphans --volumes
  --images --profiles --hash~ --environment --no-interpolate --no-normalize --no-consistency --no-path-resolution
  --resolve-image-digests --no-color --no-log-prefix --index~ --protocol~ --json --short --verbose --names --sort~ --noheading --pod
  --external --help`;
var COMPOSE_GLOBALS = `-f~ -p~ --file~ --project-name~ --profile~ --project-directory~ --env-file~ --ansi~ --progress~ --parallel~
  --all-resources --compatibility`;
var DIFF = `-#puszabwRWrtcm -U~ -M? -C? -B? -D? -l~ -S= -G= -I~ -O~ -X? --patch --no-patch --unified~ --raw --stat? --numstat
  --shortstat --dirstat? --dirstat-by-file? --cumulative --summary --name-only --name-status --patch-with-stat --patch-with-raw
  --compact-summary --output-indicator-new~ --output-indicator-old~ --output-indicator-context~ --no-color --color? --color-moved?
  --no-color-moved --color-moved-ws~ --no-color-moved-ws --word-diff? --word-diff-regex~ --color-words? --check --full-index
  --binary --abbrev? --no-abbrev --find-renames? --no-renames --rename-empty --no-rename-empty --find-copies? --find-copies-harder
  --break-rewrites? --irreversible-delete --diff-filter~ --pickaxe-all --pickaxe-regex --find-object~ --relative? --no-relative --text
  --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines~
  --inter-hunk-context~ --function-context --exit-code --quiet --no-ext-diff --textconv --no-textconv --ignore-submodules?
  --submodule? --src-prefix~ --dst-prefix~ --no-prefix --default-prefix --line-prefix~ --ita-invisible-in-index --minimal --patience
  --histogram --anchored~ --diff-algorithm~ --indent-heuristic --no-indent-heuristic --ws-error-highlight~ --skip-to~ --rotate-to~
  --cc --combined-all-paths --cached --staged --merge-base --no-index --base --ours --theirs --`;
var REVISIONS = `-#iEFPgq -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter~ --author= --committer=
  --grep= --grep-reflog~ --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings
  --perl-regexp --remove-empty --merges --no-merges --min-parents~ --max-parents~ --no-min-parents --no-max-parents --first-parent
  --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob~ --exclude~ --exclude-hidden~ --reflog
  --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry
  --walk-reflogs --merge --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path?
  --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format~ --abbrev-commit
  --no-abbrev-commit --oneline --encoding~ --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --relative-date --date=
  --parents --children --left-right --graph --no-graph --show-linear-break? --count --timestamp --header --objects --no-object-names
  --disk-usage? --no-commit-header --commit-header --`;
var LOG = `${DIFF} ${REVISIONS} -L= --follow --decorate? --no-decorate --decorate-refs~ --decorate-refs-exclude~ --clear-decorations
  --source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --full-diff --log-size --root --diff-merges~ --no-diff-merges`;
var withoutEnd = (line) => line.replace(/ --(?= |$)/g, "");
var REFS = `-i --sort= --format= --color? --no-color --ignore-case --points-at= --merged= --no-merged= --contains= --no-contains=
  --omit-empty`;
var BLAME = `-bltpcsewfn -L= -S= -M? -C? --root --show-stats --reverse --first-parent --porcelain --line-porcelain --incremental
  --encoding~ --contents~ --date~ --progress --no-progress --ignore-rev~ --ignore-revs-file~ --color-lines --color-by-age --score-debug
  --show-name --show-number --show-email --abbrev? --`;
var GIT_READS = {
	"annotate": BLAME,
	"archive": "-#lv --format~ --prefix~ --list --verbose --worktree-attributes",
	"blame": BLAME,
	"cat-file": `-tsepz --mailmap --no-mailmap --use-mailmap --no-use-mailmap --batch? --batch-check? --batch-command?
    --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks`,
	"check-attr": "-az --all --cached --stdin --",
	"check-ignore": "-qvzn --quiet --verbose --stdin --non-matching --no-index --",
	"cherry": "-v --verbose --abbrev?",
	"count-objects": "-vH --verbose --human-readable",
	"describe": `--dirty? --broken? --all --tags --contains --abbrev? --candidates~ --exact-match --debug --long --match= --exclude=
    --always --first-parent`,
	"diff": `${DIFF} --left-right --diff-merges~`,
	"diff-files": `${DIFF} -q`,
	"diff-index": DIFF,
	"diff-tree": `${DIFF} --root --stdin -v --pretty? --format~ --oneline --abbrev-commit --no-commit-id --always`,
	"fast-export": `${withoutEnd(REVISIONS)} -M? -C? --signed-tags~ --tag-of-filtered-object~ --reencode~ --no-data --full-tree
    --show-original-ids --reference-excluded-parents --progress~`,
	"for-each-ref": `${REFS} -spP --count= --shell --perl --python --tcl --exclude=`,
	"format-patch": `${DIFF} ${REVISIONS} -kN -v~ --stdout --root --no-numbered --numbered --no-signature --signature~ --subject-prefix~
    --cover-letter --no-stat --zero-commit --keep-subject --attach? --inline? --base~ --rfc`,
	"fsck": `--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict
    --verbose --name-objects --progress --no-progress -v`,
	"grep": `-#aiIwvhHEGPFnlLzocpWrq -A= -B= -C= -m= -e= -f= --cached --no-index --untracked --no-exclude-standard --exclude-standard
    --recurse-submodules --text --textconv --no-textconv --ignore-case --max-depth= --recursive --no-recursive --word-regexp
    --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
    --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading
    --show-function --after-context= --before-context= --context= --function-context --max-count= --threads= --and --or --not --all-match
    --quiet --`,
	"log": LOG,
	"ls-files": `-cdmoisukztvf -x= -X= --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory
    --unmerged --killed --deduplicate --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch
    --with-tree= --full-name --recurse-submodules --abbrev? --debug --eol --sparse --format= --`,
	"ls-remote": "-htq -o~ --heads --branches --tags --refs --quiet --exit-code --get-url --symref --sort= --server-option=",
	"ls-tree": "-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format=",
	"merge-base": "-a --all --octopus --independent --is-ancestor --fork-point",
	"name-rev": "--tags --refs= --exclude= --all --stdin --annotate-stdin --name-only --no-undefined --undefined --always",
	"range-diff": `${DIFF} --no-dual-color --creation-factor~ --left-only --right-only --notes? --no-notes`,
	"rev-list": `${REVISIONS} --objects-edge --use-bitmap-index --bisect-vars --bisect-all --unpacked`,
	"rev-parse": `${REVISIONS} --keep-dashdash --revs-only --no-revs --flags --no-flags --default= --prefix= --verify --quiet --sq --short?
    --abbrev-ref? --symbolic --symbolic-full-name --disambiguate? --local-env-vars --path-format? --git-dir --git-common-dir
    --resolve-git-dir --git-path --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir
    --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix
    --show-object-format? --show-ref-format`,
	"shortlog": `${REVISIONS} -nsec -w? --numbered --summary --email --group= --no-group`,
	"show": LOG,
	"show-branch": `-rag --remotes --all --current --topo-order --date-order --sparse --more? --list --merge-base --independent --no-name
    --sha1-name --topics --reflog? --color? --no-color`,
	"show-ref": "-dqs? --head --heads --branches --tags --dereference --hash? --verify --exists --abbrev? --quiet --exclude-existing? --",
	"status": `-sbvz -u? -M? --short --branch --show-stash --no-show-stash --porcelain? --long --verbose --untracked-files? --no-untracked-files
    --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --`,
	"var": "-l",
	"version": "--build-options",
	"whatchanged": LOG
};
var GIT_READING_VERBS = {
	bisect: { log: "" },
	remote: {
		"": "-v --verbose",
		show: "-n",
		"get-url": "--push --all"
	},
	stash: {
		list: withoutEnd(LOG),
		show: `${withoutEnd(LOG)} --include-untracked --only-untracked`
	},
	worktree: { list: "-vz --verbose --porcelain --expire=" },
	submodule: {
		"": "-q --quiet",
		status: "-q --quiet --cached --recursive --",
		summary: "-n= --cached --files --for-status --summary-limit= --"
	},
	notes: {
		"": "--ref=",
		list: "",
		show: ""
	},
	reflog: {
		"": LOG,
		show: LOG,
		exists: ""
	}
};
var GIT_LISTS = {
	branch: `${REFS} -arvl --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --column? --no-column --quiet -q`,
	tag: `${REFS} -l -n? --list --column? --no-column`
};
var LISTING = /^(-l|-n|--(list|contains|no-contains|merged|no-merged|points-at))$/;
var SYMBOLIC_REF_READS = "-q --quiet --short --recurse --no-recurse";
var WRITING = wordSet(`add am apply checkout checkout-index cherry-pick clean clone commit commit-tree fetch gc hash-object init merge merge-tree merge-file mktag mktree mv pack-refs prune pull push read-tree rebase repack
   replace rerere reset restore revert rm sparse-checkout switch unpack-objects update-index update-ref write-tree`);
var RUNS$1 = {
	"cherry-pick": { long: ["strategy"] },
	clone: {
		long: [
			"upload-pack",
			"config",
			"template"
		],
		short: "uc"
	},
	fetch: { long: ["upload-pack"] },
	init: { long: ["template"] },
	merge: {
		long: ["strategy"],
		short: "s"
	},
	pull: {
		long: ["upload-pack", "strategy"],
		short: "s"
	},
	push: { long: ["receive-pack", "exec"] },
	rebase: {
		long: [
			"exec",
			"interactive",
			"edit-todo",
			"strategy"
		],
		short: "xis"
	},
	revert: { long: ["strategy"] }
};
var RUNNERS$1 = wordSet("difftool mergetool filter-branch citool gui instaweb daemon web--browse");
var UNPLAIN$1 = unplain("");
var BY_ARGUMENTS = {
	bisect: byVerb("bisect", { write: "start good bad old new skip reset terms replay" }),
	branch: (args) => listing("branch", args),
	tag: (args) => listing("tag", args),
	remote: byVerb("remote", {
		write: "add remove rm rename set-url set-head set-branches prune update",
		before: "-v --verbose"
	}),
	stash: byVerb("stash", {
		write: "push pop apply drop clear branch save create store -u -k -m",
		none: WRITE
	}),
	worktree: byVerb("worktree", { write: "add remove prune move lock unlock repair" }),
	submodule: byVerb("submodule", {
		write: "add init update sync deinit absorbgitdirs",
		before: "-q --quiet"
	}),
	notes: byVerb("notes", {
		write: "add append copy remove prune merge",
		before: "--ref="
	}),
	reflog: judgeReflog,
	"symbolic-ref": (args) => {
		const { bad, operands, countless } = readOptions(args, SYMBOLIC_REF_READS);
		return bad === null && operands.length === 1 && !countless ? READ : WRITE;
	},
	config: judgeConfig
};
function judgeGit(args) {
	const globals = readGlobals(args);
	if (globals === null) {
		const odd = args.find((word) => !isFixed(word));
		return unplain(odd === void 0 ? "an option in front of git's subcommand" : unknownOption(odd));
	}
	const [name, ...operands] = globals.rest;
	if (name === void 0) return READ;
	if (name.value === null) return unplain(`${cited(name.source)}, which may stand for any subcommand`);
	const judged = judgeSubcommand(name.value, operands);
	if (!judged.plain) return judged;
	const remote = args.find(isTransportHelper);
	if (globals.runs !== null) return unplain(cited(globals.runs), judged.writes);
	if (remote !== void 0) return unplain(`${cited(remote.source)}, a remote that is a program`, judged.writes);
	return judged;
}
function judgeSubcommand(sub, operands) {
	const judge = Object.hasOwn(BY_ARGUMENTS, sub) ? BY_ARGUMENTS[sub] : void 0;
	if (judge !== void 0) return named(judge(operands), sub);
	if (RUNNERS$1.has(sub)) return unplain(cited(`git ${sub}`));
	if (Object.hasOwn(GIT_READS, sub)) return judgeReading(sub, operands);
	if (sub === "bundle") return unplain(cited(`git ${sub}`), false);
	if (!WRITING.has(sub)) return unplain(`${cited(`git ${sub}`)}, an alias or a program of its own`);
	const rules = Object.hasOwn(RUNS$1, sub) ? RUNS$1[sub] : void 0;
	const bad = operands.find((word) => !isRefOutput(word) && rules !== void 0 && !avoids(word, rules));
	if (bad !== void 0) return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source));
	return WRITE;
}
function judgeReading(sub, operands) {
	const read = readGit(operands, GIT_READS[sub] ?? "");
	if (read.bad !== null) return unreadable(read.bad);
	return sub === "format-patch" && !printsPatches(operands) ? unplain(cited(`git ${sub}`), false) : READ;
}
function printsPatches(operands) {
	const values = operands.map((word) => word.value);
	const at = values.indexOf("--stdout");
	const dashes = values.indexOf("--");
	if (at < 0 || dashes >= 0 && dashes < at) return false;
	const before = at === 0 ? "" : values[at - 1] ?? null;
	return before !== null && (!before.startsWith("-") || /^-\d+$|=/.test(before));
}
function readGit(args, line) {
	return readOptions(args, line, { unknown: isRefOutput });
}
function unreadable(bad) {
	return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source), false);
}
function unknownOption(word) {
	return `${cited(word.source)}, which may stand for any option (quote it, behind a literal start)`;
}
function named(judged, sub) {
	return judged.plain || judged.because !== "" ? judged : unplain(cited(`git ${sub}`), judged.writes);
}
function isTransportHelper(word) {
	return /^[A-Za-z0-9]+::/.test(word.value ?? "");
}
function isRefOutput(word) {
	return /^"\$\(git (branch --show-current|rev-parse (--short |--abbrev-ref )?HEAD|rev-parse --show-toplevel|symbolic-ref --short HEAD)\)"$/.test(word.source);
}
function byVerb(sub, { write, none, before = "" }) {
	const reading = GIT_READING_VERBS[sub] ?? {};
	const writing = new Set(write.split(" "));
	return (args) => {
		const at = verbIndex(args, before);
		const first = args[at];
		if (first === void 0) return reading[""] === void 0 ? none ?? UNPLAIN$1 : READ;
		if (first.value === null) return unplain(unknownOption(first));
		if (writing.has(first.value)) return WRITE;
		const line = first.value !== "" && Object.hasOwn(reading, first.value) ? reading[first.value] : void 0;
		if (line === void 0) return UNPLAIN$1;
		const { bad } = readGit(args.slice(at + 1), line);
		return bad === null ? READ : unreadable(bad);
	};
}
var REFLOG_WRITES = wordSet("expire delete drop write");
function judgeReflog(args) {
	if (args.some((word) => REFLOG_WRITES.has(word.value ?? ""))) return WRITE;
	const verb = /^(show|exists)$/.exec(args[0]?.value ?? "")?.[0] ?? "";
	const { bad, operands } = readGit(verb === "" ? args : args.slice(1), GIT_READING_VERBS["reflog"]?.[verb] ?? "");
	const odd = verb === "" ? operands.slice(0, 1).find(({ source }) => !/^(HEAD|stash|main|master)$|[@/]/.test(source)) : void 0;
	const refused = bad ?? odd;
	return refused === void 0 ? READ : unreadable(refused);
}
function listing(sub, args) {
	const { bad, operands, named } = readGit(args, GIT_LISTS[sub] ?? "");
	if (bad !== null) return WRITE;
	return operands.length === 0 || [...named.keys()].some((name) => LISTING.test(name)) ? READ : WRITE;
}
var CONFIG_OPTION = /^--(global|local|system|worktree|null|show-origin|show-scope|name-only|bool|int|path|includes|type=\w+|add|replace-all|unset|unset-all|get|get-all|get-regexp|list)$|^-[lz]$/;
function judgeConfig(args) {
	const options = args.filter((word) => word.value?.startsWith("-"));
	if (!args.every(isFixed) || !options.every((word) => CONFIG_OPTION.test(word.value ?? ""))) return UNPLAIN$1;
	const [first, second, ...more] = args.filter((word) => !word.value?.startsWith("-"));
	const has = (pattern) => options.some((word) => pattern.test(word.value ?? ""));
	if (has(/^--(get.*|list)$|^-l$/) || first?.value === "get" || first?.value === "list") return READ;
	if (has(/^--unset/)) return WRITE;
	const named = first?.value === "set" || first?.value === "unset";
	const key = named ? second : first;
	const hasValue = named ? more.length > 0 : second !== void 0;
	if (key?.value == null || !key.value.includes(".")) return UNPLAIN$1;
	if (!hasValue) return named ? WRITE : READ;
	const value = named ? more[0] : second;
	return isSafeSetting(key.value, value?.value ?? null) ? WRITE : unplain(`the setting ${cited(key.value)}`);
}
var ALONE = wordSet(`--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
   --no-replace-objects --bare --version -v`);
var WITH_VALUE = wordSet("-C -c --git-dir --work-tree --namespace --config-env");
function readGlobals(args) {
	const directories = [];
	const named = /* @__PURE__ */ new Map();
	let runs = null;
	let i = 0;
	for (; i < args.length; i++) {
		const word = args[i];
		if (word === void 0 || !isFixed(word)) return null;
		const text = word.value ?? word.source;
		if (!text.startsWith("-")) break;
		if (ALONE.has(text)) continue;
		const joined = /^(--[a-z-]+)=/.exec(text)?.[1];
		const name = joined ?? text;
		const value = joined === void 0 ? args[++i] : behindEquals(word);
		if (name === "--exec-path" && joined !== void 0) runs ??= name;
		else if (!WITH_VALUE.has(name) || value === void 0 || !staysOneWord(value)) return null;
		else if (name === "-C") directories.push(value);
		else if (name === "--config-env") runs ??= name;
		else if (name === "-c") runs ??= isSafeOption(value) ? null : `-c ${value.source}`;
		else named.set(name, value);
	}
	return {
		rest: args.slice(i),
		runs,
		directories,
		gitDir: named.get("--git-dir") ?? null,
		workTree: named.get("--work-tree") ?? null
	};
}
function behindEquals(word) {
	if (word.value === null) return void 0;
	const value = word.value.slice(word.value.indexOf("=") + 1);
	return {
		source: value,
		value,
		pieces: [{
			kind: "text",
			text: value,
			quoted: true
		}]
	};
}
var DATA = /^(user\.(name|email|signingkey|useconfigonly)|author\.(name|email)|committer\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|branch\.[^=]+\.(remote|merge|rebase)|core\.(autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|longpaths|abbrev|preloadindex|untrackedcache)|color\..*|column\.ui|commit\.gpgsign|tag\.(gpgsign|sort)|branch\.sort|fetch\.(prune|parallel)|merge\.(ff|conflictstyle|renamelimit)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix)|log\.(date|decorate|showsignature)|status\.[a-z]+|rebase\.(autostash|autosquash)|rerere\.enabled|advice\..*|safe\.directory|gc\.auto|maintenance\.auto|http\.(postbuffer|version|lowspeedlimit|lowspeedtime)|submodule\.recurse|checkout\.workers)$/i;
var TAMED = [
	[/^core\.pager$|^pager\.[a-z-]+$/i, /^(cat|less|false|true|)$/],
	[/^(core|sequence)\.editor$/i, /^(true|:)$/],
	[/^core\.hookspath$/i, /^\/dev\/null$/],
	[/^core\.fsmonitor$/i, /^(false|0)$/],
	[/^credential\.helper$/i, /^$/]
];
function isSafeSetting(key, value) {
	if (DATA.test(key)) return true;
	return value !== null && TAMED.some(([keys, values]) => keys.test(key) && values.test(value));
}
function isSafeOption(word) {
	if (word.value !== null) {
		const at = word.value.indexOf("=");
		return at < 0 ? isSafeSetting(word.value, "true") : isSafeSetting(word.value.slice(0, at), word.value.slice(at + 1));
	}
	const start = word.pieces.find((piece) => piece.kind !== "text" || piece.text !== "");
	const key = start?.kind === "text" ? /^([^=]+)=/.exec(start.text)?.[1] : void 0;
	return key !== void 0 && staysOneWord(word) && isSafeSetting(key, null);
}
var RECORDS = {
	touches: "git-dir",
	losses: [],
	target: null,
	makes: false
};
var TREE = {
	kind: "tree",
	unlessRef: null
};
var WORK_TREE = wordSet(`add am apply bisect checkout checkout-index cherry-pick clean commit difftool filter-branch merge merge-file
   mergetool mv pull push read-tree rebase reset restore revert rm sparse-checkout stash submodule switch
   update-index`);
var LOSSES = {
	"reset": (args) => when(has(args, [
		"hard",
		"merge",
		"keep"
	], ""), TREE),
	"checkout": checkoutLosses,
	"switch": (args) => when(has(args, [
		"discard-changes",
		"force",
		"merge"
	], "fm"), TREE),
	"restore": (args) => when(!has(args, ["staged"], "S") || has(args, ["worktree"], "W"), TREE),
	"clean": cleanLosses,
	"stash": stashLosses,
	"rm": (args) => when(has(args, ["force"], "f") && !has(args, ["cached"], ""), TREE),
	"read-tree": (args) => when(has(args, ["reset"], "u"), TREE),
	"checkout-index": (args) => when(has(args, ["force"], "f"), TREE),
	"mv": (args) => when(has(args, ["force"], "f"), TREE),
	"submodule": (args) => when(/^(update|deinit)$/.test(operandsOf(args)[0]?.value ?? "") && has(args, ["force"], "f"), { kind: "submodule" }),
	"merge": aborting,
	"rebase": aborting,
	"am": aborting,
	"cherry-pick": aborting,
	"revert": aborting
};
function gitUse(sub, args) {
	if (sub === null) return {
		touches: "work-tree",
		losses: [],
		target: null,
		makes: false
	};
	if (isDryRun(sub, args)) return null;
	if (sub === "worktree") return worktreeUse(args);
	if (sub === "clone") return makes(cloned(args), sourceOf(args));
	if (!WORK_TREE.has(sub) || onlyMakesBranch(sub, args)) return RECORDS;
	const losses = (Object.hasOwn(LOSSES, sub) ? LOSSES[sub]?.(args) ?? [] : []).map((loss) => loss.kind === "tree" && TARGETED.has(sub) ? {
		...loss,
		over: targets(args)
	} : loss);
	return {
		touches: "work-tree",
		losses: losses.some(({ kind }) => kind === "tree") && has(args, ["recurse-submodules"], "") ? [...losses, { kind: "submodule" }] : losses,
		target: null,
		makes: false
	};
}
var TARGETED = wordSet("reset checkout switch restore read-tree");
function targets(args) {
	return ["HEAD", ...beforeDashes(args).map(({ value }) => value).flatMap((value) => {
		if (!value?.startsWith("-")) return [value];
		const joined = /^(?:--so[a-z]*=|-s)(.+)$/.exec(value)?.[1];
		return joined === void 0 ? [] : [joined];
	})];
}
function when(holds, loss) {
	return holds ? [loss] : [];
}
function has(args, long, short) {
	return beforeDashes(args).some(({ value }) => {
		if (value === null) return false;
		const name = /^--([^=]+)/.exec(value)?.[1];
		if (name !== void 0) return long.some((one) => one.startsWith(name));
		return /^-[^-]/.test(value) && [...short].some((letter) => value.slice(1).includes(letter));
	});
}
function beforeDashes(args) {
	const at = args.findIndex((word) => word.value === "--");
	return at < 0 ? args : args.slice(0, at);
}
function operandsOf(args) {
	return args.filter((word) => !word.value?.startsWith("-"));
}
var DRY_LETTER = wordSet("add clean mv push rm");
function isDryRun(sub, args) {
	if (sub === "apply") return has(args, [
		"check",
		"stat",
		"numstat",
		"summary"
	], "") && !has(args, ["apply"], "");
	const dry = beforeDashes(args).some(({ value }) => value === "--dry-run");
	if (sub === "commit") return dry;
	if (sub === "clean") return readClean(args).dry;
	return DRY_LETTER.has(sub) && (dry || has(args, [], "n"));
}
function onlyMakesBranch(sub, args) {
	if (sub !== "switch" && sub !== "checkout") return false;
	const maker = sub === "switch" ? /^(-[cC]|--(force-)?create)$/ : /^-[bB]$/;
	const [first, second, ...more] = args;
	return maker.test(first?.value ?? "") && second !== void 0 && more.length === 0;
}
function checkoutLosses(args) {
	const operands = operandsOf(args);
	if (has(args, [
		"force",
		"merge",
		"pathspec-from-file"
	], "fm") || args.some((word) => word.value === "--")) return [TREE];
	if (has(args, ["orphan", "detach"], "bB") || operands.length === 0) return [];
	const [only, ...more] = operands;
	return [{
		kind: "tree",
		unlessRef: more.length === 0 ? only?.value ?? null : null
	}];
}
function stashLosses(args) {
	const [verb, entry] = operandsOf(args);
	if (verb?.value === "clear") return [{
		kind: "stash",
		entry: null
	}];
	if (verb?.value !== "drop") return [];
	const name = entry === void 0 ? "stash@{0}" : entry.value;
	return [{
		kind: "stash",
		entry: name !== null && /^\d+$/.test(name) ? `stash@{${name}}` : name
	}];
}
function cleanLosses(args) {
	return [{
		kind: "untracked",
		clean: readClean(args).listing
	}];
}
function readClean(args) {
	const listing = [];
	const values = args.map((word) => word.value);
	let [dry, known] = [false, true];
	for (let i = 0; i < values.length; i++) {
		const value = values[i] ?? null;
		if (value === null) known = false;
		else if (value === "--") {
			known &&= values.slice(i).every((one) => one !== null);
			listing.push(...values.slice(i).filter((one) => one !== null));
			break;
		} else if (/^-[^-]/.test(value)) {
			const at = value.indexOf("e", 1);
			const letters = at < 0 ? value.slice(1) : value.slice(1, at);
			dry ||= letters.includes("n");
			listing.push(...[...letters].filter((letter) => "dxXf".includes(letter)).map((letter) => `-${letter}`));
			if (at >= 0) exclude(value.slice(at + 1) || (values[++i] ?? null));
		} else if (/^--e[^=]*=/.test(value)) exclude(value.slice(value.indexOf("=") + 1));
		else if (/^--e/.test(value)) exclude(values[++i] ?? null);
		else if (/^--f/.test(value)) listing.push("-f");
		else if (value === "--dry-run") dry = true;
		else if (!value.startsWith("--")) listing.push(value);
	}
	return {
		dry,
		listing: known ? listing : null
	};
	function exclude(pattern) {
		known &&= pattern !== null;
		if (pattern !== null) listing.push("-e", pattern);
	}
}
function aborting(args) {
	return when(has(args, ["abort", "skip"], ""), TREE);
}
function worktreeUse(args) {
	const [verb, dir] = operandsOf(args);
	if (verb?.value === "add") return makes(withoutValues(args, /^(-[^-]*[bB]|--reason)$/)[1] ?? null, "here");
	if (verb?.value !== "remove" && verb?.value !== "move") return RECORDS;
	return {
		touches: "work-tree",
		losses: verb.value === "remove" && has(args, ["force"], "f") ? [TREE, {
			kind: "untracked",
			clean: ["-d"]
		}] : [],
		target: dir ?? null,
		makes: false
	};
}
function makes(target, from) {
	return target === null ? RECORDS : {
		touches: "work-tree",
		losses: [],
		target,
		makes: true,
		from
	};
}
var CLONE_VALUES = /^(-[^-]*[bojuc]|--(branch|origin|jobs|upload-pack|config|depth|filter|reference|reference-if-able|revision|template|ref-format|separate-git-dir|server-option|shallow-since|shallow-exclude|bundle-uri))$/;
function sourceOf(args) {
	const [from] = withoutValues(args, CLONE_VALUES);
	return from === void 0 || /^[^/]*:/.test(from.value ?? from.source) ? null : from;
}
var MAX_ADDRESS = 4096;
function cloned(args) {
	const [from, dir] = withoutValues(args, CLONE_VALUES);
	if (dir !== void 0) return dir;
	if ((from?.value?.length ?? 0) > MAX_ADDRESS) return null;
	const name = /([^/:]+?)(\/?\.git)?\/*$/.exec(from?.value ?? "")?.[1];
	if (from === void 0 || name === void 0) return null;
	return {
		source: name,
		value: name,
		pieces: [{
			kind: "text",
			text: name,
			quoted: true
		}]
	};
}
function withoutValues(args, takesValue) {
	return args.filter((word, at) => {
		if (word.value?.startsWith("-")) return false;
		return !takesValue.test(args[at - 1]?.value ?? "");
	});
}
function globalWords(gitDir, workTree, home) {
	const words = [];
	for (const [name, word] of [["--git-dir", gitDir], ["--work-tree", workTree]]) {
		if (word === null) continue;
		const text = pathText(word, home);
		if (text === null) return null;
		words.push(`${name}=${text}`);
	}
	return words;
}
function hostUse(program, command, now, home) {
	const args = command.words.slice(1);
	if (program === "git") return useOfGit(args, command.assignments, now, home);
	if (program === "gh") return useOfGh(args, now);
	if (program === "docker" || program === "podman") {
		const use = containerUse(args, now, home);
		return use === null ? null : useAt(`${program} ${use.verb}`, "below", use.where);
	}
	return program === "sudo" ? useBehindSudo(command, now, home) : null;
}
function useAt(what, scope, { dirs, above }) {
	return {
		what,
		scope: above ? "repository" : scope,
		dirs,
		globals: [],
		losses: []
	};
}
var REPOSITORY_VARIABLES = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/;
function useOfGit(args, assignments, now, home) {
	const globals = readGlobals(args);
	const sub = globals?.rest[0];
	const use = gitUse(sub?.value ?? null, globals?.rest.slice(1) ?? []);
	if (use === null) return null;
	let where = now;
	for (const dir of globals?.directories ?? []) where = inDirectory(where, dir, home, "links");
	const variables = assignments.filter(({ name }) => REPOSITORY_VARIABLES.test(name));
	const named = (name) => variables.find((one) => one.name === name)?.value ?? null;
	const gitDir = globals?.gitDir ?? named("GIT_DIR");
	const workTree = globals?.workTree ?? named("GIT_WORK_TREE");
	const words = variables.some(({ name }) => !/^GIT_(DIR|WORK_TREE)$/.test(name)) || globals === null ? null : globalWords(gitDir, workTree, home);
	const here = treePlaces(where, gitDir, workTree, home);
	const places = use.target === null ? here : inDirectory(where, use.target, home, "links");
	const records = use.from === "here" ? here : use.from == null ? null : inDirectory(where, use.from, home, "links");
	const name = sub?.value ?? "";
	return {
		what: `git ${/^[a-z][a-z0-9-]{0,40}$/i.test(name) ? name : "…"}`,
		scope: use.makes && !places.above ? "below" : use.touches === "git-dir" ? "git-dir" : "repository",
		dirs: words === null ? null : places.dirs,
		...records === null ? {} : { records: words === null ? null : records.dirs },
		globals: use.target === null ? words ?? [] : [],
		losses: use.losses
	};
}
function treePlaces(where, gitDir, workTree, home) {
	if (workTree !== null) return inDirectory(where, workTree, home, "links");
	if (gitDir === null) return where;
	const text = pathText(gitDir, home);
	if (text === null || where.dirs === null) return ANYWHERE;
	return both(where, {
		dirs: where.dirs.map((dir) => squeeze(`${text.startsWith("/") ? text : `${dir}/${text}`}/..`)),
		above: false
	});
}
var GH_FILES = /* @__PURE__ */ new Set([
	"pr create",
	"pr merge",
	"pr checkout",
	"pr co",
	"release create",
	"release upload",
	"repo sync"
]);
function useOfGh(args, now) {
	const verb = `${args[0]?.value ?? ""} ${args[1]?.value ?? ""}`;
	if (!GH_FILES.has(verb)) return null;
	const forced = args.some((word) => /^(-f|--force)$/.test(word.value ?? ""));
	const use = useAt(`gh ${verb}`, "repository", now);
	return forced && verb !== "pr create" ? {
		...use,
		losses: [{
			kind: "tree",
			unlessRef: null
		}]
	} : use;
}
function useBehindSudo(command, now, home) {
	const words = command.words.slice(1);
	let i = 0;
	for (; words[i]?.value?.startsWith("-"); i++) if (/^-[ug]$/.test(words[i]?.value ?? "")) i++;
	const program = words[i]?.value ?? "";
	if (program !== "git" && program !== "docker" && program !== "podman") return null;
	const use = hostUse(program, {
		...command,
		words: words.slice(i)
	}, now, home);
	return use === null ? null : {
		...use,
		what: `sudo ${use.what}`
	};
}
var BUILDS = /* @__PURE__ */ new Set([
	"build",
	"buildx build",
	"builder build",
	"image build"
]);
var RUNS = /* @__PURE__ */ new Set([
	"run",
	"create",
	"container run",
	"container create"
]);
var COPIES = /* @__PURE__ */ new Set(["cp", "container cp"]);
var COMPOSE = wordSet("up run build create watch");
var FLAGS = /^(-[aDhLq]+|--(debug|archive|follow-link|quiet|no-cache|pull|rm|force-rm|squash|squash-all|compress|load|push|check|layers|tls-verify|tls|tlsverify))$/;
function containerUse(args, now, home) {
	const rest = behindOptions(args);
	const [first, second] = [rest[0]?.value ?? "", rest[1]?.value ?? ""];
	if (first === "compose") return composeUse(rest.slice(1), now, home);
	const [verb, words] = BUILDS.has(first) || RUNS.has(first) || COPIES.has(first) ? [first, rest.slice(1)] : [`${first} ${second}`, rest.slice(2)];
	if (BUILDS.has(verb)) return {
		verb,
		where: buildPlaces(words, now, home)
	};
	if (COPIES.has(verb)) return {
		verb,
		where: placesOf(operands(words).slice(0, 1), now, home)
	};
	if (!RUNS.has(verb)) return null;
	const where = mountPlaces(words, now, home);
	return where === null ? null : {
		verb,
		where
	};
}
function behindOptions(args) {
	let i = 0;
	while (args[i]?.value?.startsWith("-")) i += FLAGS.test(args[i]?.value ?? "") || args[i]?.value?.includes("=") ? 1 : 2;
	return args.slice(i);
}
function operands(words) {
	const found = [];
	for (let i = 0; i < words.length; i++) {
		const word = words[i];
		const value = word?.value ?? "";
		if (word === void 0) continue;
		if (value === "--") return [...found, ...words.slice(i + 1)];
		if (!value.startsWith("-") || value === "-") found.push(word);
		else if (!FLAGS.test(value) && !value.includes("=")) i++;
	}
	return found;
}
function values$1(words, names) {
	return words.flatMap((word, i) => {
		const next = words[i + 1];
		if (names.includes(word.value ?? "")) return next === void 0 ? [] : [next];
		const name = names.find((one) => word.source.startsWith(`${one}=`));
		return name === void 0 ? [] : [tail(word, name.length + 1)];
	});
}
function tail(word, count) {
	const [first, ...more] = word.pieces;
	if (first?.kind !== "text" || first.text.length < count) return {
		...word,
		value: null,
		pieces: []
	};
	const pieces = [{
		...first,
		text: first.text.slice(count)
	}, ...more];
	return {
		source: word.source.slice(count),
		value: word.value?.slice(count) ?? null,
		pieces
	};
}
function buildPlaces(words, now, home) {
	const [context, ...more] = operands(words);
	if (context === void 0 || more.length > 0) return {
		...now,
		above: true
	};
	const contexts = context.value === "-" ? [] : [context];
	const named = values$1(words, ["--build-context"]).map((word) => tail(word, (word.value?.indexOf("=") ?? -1) + 1));
	const files = values$1(words, ["-f", "--file"]).filter((word) => word.value !== "-");
	return placesOf([
		...contexts,
		...named,
		...files
	], now, home);
}
function mountPlaces(words, now, home) {
	const found = [];
	for (const word of values$1(words, ["-v", "--volume"])) {
		const text = pathText(word, home);
		if (text === null) return ANYWHERE;
		const source = text.split(":")[0] ?? "";
		if (text.includes(":") && /^[./]/.test(source)) found.push(at(source, now));
	}
	for (const word of values$1(words, ["--mount"])) {
		const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(word.value ?? "")?.[1];
		if (word.value === null) return ANYWHERE;
		if (source !== void 0 && /type=bind/.test(word.value)) found.push(at(source, now));
	}
	for (const word of values$1(words, ["--env-file"])) found.push(inDirectory(now, word, home));
	const [first, ...more] = found;
	return first === void 0 ? null : more.reduce(both, first);
}
function at(text, now) {
	if (text.startsWith("/")) return {
		dirs: [squeeze(text)],
		above: false
	};
	if (now.dirs === null) return ANYWHERE;
	return {
		dirs: now.dirs.map((dir) => squeeze(`${dir}/${text}`)),
		above: now.above
	};
}
function composeUse(args, now, home) {
	const words = args.findIndex((word) => COMPOSE.has(word.value ?? ""));
	if (words < 0) return null;
	const before = args.slice(0, words);
	const verb = `compose ${args[words]?.value ?? ""}`;
	const [project] = values$1(before, ["--project-directory", "--workdir"]);
	if (project !== void 0) return {
		verb,
		where: inDirectory(now, project, home)
	};
	const files = values$1(before, ["-f", "--file"]);
	if (files.length === 0) return {
		verb,
		where: {
			...now,
			above: true
		}
	};
	return {
		verb,
		where: files.map((word) => {
			const text = pathText(word, home);
			return text === null ? ANYWHERE : at(text.includes("/") ? text.slice(0, text.lastIndexOf("/") + 1) : ".", now);
		}).reduce(both)
	};
}
function placesOf(words, now, home) {
	return words.filter((word) => !/^([a-z+]+:\/\/|git@)/.test(word.value ?? "")).map((word) => inDirectory(now, word, home)).reduce(both, {
		dirs: [],
		above: false
	});
}
var UNPLAIN = unplain("");
function judgePassthrough(program, args) {
	if (program === "git") return judgeGit(args);
	if (program === "gh") return judgeGh(args);
	if (program === "docker" || program === "podman") return judgeContainers(args);
	return WRITE;
}
var GH_GROUPS = wordSet(`attestation auth browse cache gist gpg-key issue label org pr project release repo ruleset run search secret
   ssh-key status variable version workflow`);
var GH_READING = wordSet("list ls view status diff checks watch verify");
function judgeGh(args) {
	const [group, action, ...rest] = args;
	if (group === void 0 || group.value === "--version") return READ;
	if (group.value === "api") return judgeGhApi(args.slice(1));
	if (group.value === null || !GH_GROUPS.has(group.value)) return UNPLAIN;
	if (group.value === "browse") return byOptions(args.slice(1), `${GH_READS} -n --no-browser`, ["-n", "--no-browser"]);
	if ([
		"search",
		"status",
		"version"
	].includes(group.value)) return byOptions(args.slice(1), GH_READS);
	if (action === void 0) return READ;
	if (action.value === null) return UNPLAIN;
	if ([
		"clone",
		"fork",
		"create"
	].includes(action.value) && group.value !== "pr" && group.value !== "issue" && !rest.every((word) => isFixed(word) && word.value !== "--")) return UNPLAIN;
	return GH_READING.has(action.value) ? byOptions(rest, GH_READS) : WRITE;
}
function byOptions(args, line, needed = []) {
	const { bad, named } = readOptions(args, line);
	return bad === null && (needed.length === 0 || needed.some((name) => named.has(name))) ? READ : WRITE;
}
function judgeGhApi(args) {
	const texts = args.map((word) => word.value ?? word.source);
	const methods = texts.filter((text) => /^-[^-]*X|^--method/.test(text));
	const gets = texts.filter((text, i) => /^(-X|--method=)(GET|HEAD)$/.test(text) || /^(-X|--method)$/.test(text) && /^(GET|HEAD)$/.test(texts[i + 1] ?? ""));
	if (methods.length !== gets.length) return WRITE;
	return byOptions(args, methods.length === 0 ? GH_API_READS : `${GH_API_READS} ${GH_API_FIELDS}`);
}
var CONTAINER_READING = wordSet("ps images logs inspect version info stats top port diff history search events");
var CONTAINER_GROUPS = wordSet("container image volume network system context compose builder buildx");
var CONTAINER_READING_VERBS = wordSet("ls list ps inspect logs images config df top port version events");
var CONTAINER_GLOBALS = wordSet("-H --host -c --context --connection --url -l --log-level");
var CONTAINER_UNPLAIN = wordSet("unshare runlabel machine");
function judgeContainers(args) {
	let i = 0;
	for (; args[i]?.value?.startsWith("-"); i++) {
		const option = args[i]?.value ?? "";
		if (CONTAINER_GLOBALS.has(option)) i++;
		else if (!/^(--(host|context|connection|url|log-level)=.*|-D|--debug|-v|--version|--help)$/.test(option)) return UNPLAIN;
	}
	const [name, ...rest] = args.slice(i);
	if (name === void 0) return READ;
	if (name.value === null || CONTAINER_UNPLAIN.has(name.value)) return UNPLAIN;
	if (CONTAINER_READING.has(name.value)) return byOptions(rest, CONTAINER_READS);
	if (!CONTAINER_GROUPS.has(name.value)) return WRITE;
	const at = name.value === "compose" ? verbIndex(rest, COMPOSE_GLOBALS) : 0;
	const verb = rest[at];
	if (verb?.value == null || CONTAINER_UNPLAIN.has(verb.value)) return UNPLAIN;
	return CONTAINER_READING_VERBS.has(verb.value) ? byOptions(rest.slice(at + 1), CONTAINER_READS) : WRITE;
}
var values = (args) => args.map((word) => word.value ?? "");
var FORMS$1 = {
	find: (args) => isFind(args),
	date: (args) => isDate(args),
	env: (args) => values(args).every((arg) => arg === "-0" || arg === "--null"),
	command: ([first, ...names]) => (first?.value === "-v" || first?.value === "-V") && names.every(staysOneWord),
	test: (args) => isTest(args),
	"[": (args) => args.at(-1)?.value === "]" && isTest(args.slice(0, -1)),
	printf: (args) => isPrintf(args),
	export: (args) => args.every((word) => word.value === "-p" || isHarmlessExport(word)),
	echo: () => true,
	cd: () => true,
	pushd: () => true,
	popd: () => true
};
function readsOnly$1(program, args) {
	const form = Object.hasOwn(FORMS$1, program) ? FORMS$1[program] : void 0;
	if (form !== void 0) return form(args);
	const read = readReader(program, args);
	if (read === null) return true;
	const most = Object.hasOwn(MAX_OPERANDS, program) ? MAX_OPERANDS[program] : void 0;
	return read.bad === null && (most === void 0 || !read.countless && isOrdered(args, read, most));
}
function readReader(program, args) {
	const line = Object.hasOwn(READER_OPTIONS, program) ? READER_OPTIONS[program] : void 0;
	if (line === void 0) return null;
	return readOptions(args, line, HARMLESS_READERS.has(program) ? {
		unknown: () => true,
		anyValue: true
	} : {});
}
function isOrdered(args, { operands }, most) {
	const first = operands[0];
	return first === void 0 || operands.length <= most && args.length - args.indexOf(first) <= most;
}
function isFind(args) {
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === void 0) break;
		const text = word.value;
		if (text === null || !/^-./.test(text)) {
			if (!(text !== null && /^([(),!]|)$/.test(text)) && readOptions([word], "").bad !== null) return false;
		} else if (FIND_TESTS[1]?.has(text) === true || /^-newer[aBcmt][aBcmt]$/.test(text)) {
			const value = args[++i];
			if (value !== void 0 && !staysOneWord(value)) return false;
		} else if (FIND_TESTS[0]?.has(text) !== true) return false;
	}
	return true;
}
var DATE_OPTIONS = "-uR -d= -I? --utc --universal --rfc-email --iso-8601? --rfc-3339? --date?";
function isDate(args) {
	const { bad, operands } = readOptions(args, DATE_OPTIONS);
	return bad === null && operands.every((word) => word.source.replace(/^['"]/, "").startsWith("+"));
}
function isHarmlessExport(word) {
	if (!staysOneWord(word)) return false;
	const first = word.pieces[0];
	const text = word.value ?? (first?.kind === "text" ? first.text : "");
	const [, name, equals] = /^([A-Za-z0-9_]+)(=|$)/.exec(text) ?? [];
	if (name === void 0 || equals === "" && word.value === null) return false;
	return isHarmlessVariable(name, word.value === null ? null : word.value.slice(name.length + 1));
}
var UNARY = /^-[efdrwxsLhnzSbcpugkOGN]$/;
var INTEGER = /^-?\d+$/;
function isTest(args) {
	const [first, ...rest] = args;
	if (first?.value === "!") return isTest(rest);
	if (!args.every((word) => staysOneWord(word))) return false;
	const [a, b, c] = args;
	if (args.length === 1) return true;
	if (args.length === 2) return a?.value != null && UNARY.test(a.value);
	if (args.length !== 3 || b?.value == null) return false;
	if (/^(=|==|!=)$/.test(b.value)) return true;
	return /^-(eq|ne|lt|le|gt|ge)$/.test(b.value) && isNumber(a) && isNumber(c);
}
function isNumber(word) {
	if (word === void 0) return false;
	return word.value === null ? /^"?\$[?#]"?$/.test(word.source) : INTEGER.test(word.value);
}
var TEXT_DIRECTIVE = /^%-?\d*(\.\d+)?[sbqc]$/;
var NUMBER_DIRECTIVE = /^%[-0+ #]*\d*(\.\d+)?[duixXofeg]$/;
function isPrintf([first, ...args]) {
	const format = first?.value;
	if (format == null || format.startsWith("-")) return false;
	const directives = format.replace(/%%/g, "").match(/%[^A-Za-z]*[A-Za-z]?/g) ?? [];
	if (directives.every((one) => TEXT_DIRECTIVE.test(one))) return true;
	if (!directives.every((one) => TEXT_DIRECTIVE.test(one) || NUMBER_DIRECTIVE.test(one))) return false;
	return args.every((word, i) => {
		const directive = directives[i % directives.length] ?? "";
		return staysOneWord(word) && (TEXT_DIRECTIVE.test(directive) || /^[-+]?\d+(\.\d+)?$/.test(word.value ?? ""));
	});
}
var COMPANIONS = wordSet("echo true false pwd date basename dirname whoami id seq cd pushd popd : [ test printf export sleep env command find rg type");
var PIPE_ENDS = wordSet("head tail wc sort uniq cut tr nl column jq cat grep");
var OWN_OPERANDS = {
	tr: 2,
	jq: 1,
	grep: 1
};
function isCompanion(program, command) {
	const args = command.words.slice(1);
	if (COMPANIONS.has(program)) return readsOnly$1(program, args);
	if (!PIPE_ENDS.has(program) || !readsOnly$1(program, args)) return false;
	return (command.piped || command.redirects.some(({ operator }) => operator.startsWith("<<"))) && filesOf$1(program, args) <= (OWN_OPERANDS[program] ?? 0);
}
function filesOf$1(program, args) {
	const read = readReader(program, args);
	if (read === null || read.countless) return Number.POSITIVE_INFINITY;
	return read.operands.filter((word) => word.value !== "-").length;
}
function classify(script, facts) {
	const where = whereabouts(script, facts.cwd, facts.home);
	return {
		parts: allCommands(script).map((command) => partOf(command, facts, where.get(command) ?? ANYWHERE)),
		plain: isPlain(script)
	};
}
function partOf(command, facts, where) {
	const { config, home } = facts;
	const program = programOf(command) ?? "";
	const args = command.words.slice(1);
	if (config.passthrough.includes(program) && isLiteralName(command)) return passthroughPart(program, command, where, home);
	const sandboxed = {
		kind: "sandboxed",
		program,
		blocked: false
	};
	const writesNothing = command.redirects.every(isHarmlessRedirect);
	if (!command.assignments.every(isHarmlessAssignment) || !writesNothing) return sandboxed;
	if (command.words.length === 0) return {
		kind: "companion",
		program
	};
	if (program === "") return sandboxed;
	if (isCompanion(program, command)) return {
		kind: "companion",
		program
	};
	if (config.readOnly.includes(program) && readsOnly$1(program, args)) return {
		kind: "reader",
		program
	};
	return sandboxed;
}
function passthroughPart(program, command, where, home) {
	const { plain, writes, because } = judgePassthrough(program, command.words.slice(1));
	const writesNothing = command.redirects.every(isHarmlessRedirect);
	const isGit = program === "git";
	const setter = command.assignments.find((one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)));
	const use = writes ? hostUse(program, command, where, home) : null;
	if (plain && setter === void 0 && writesNothing) return {
		kind: "passthrough",
		program,
		writes,
		use
	};
	const asks = isGit && writes && (!plain || setter !== void 0);
	if (asks && writesNothing) return {
		kind: "asked",
		program,
		because: plain ? `the variable \`${setter?.name ?? ""}\`` : because,
		use
	};
	return {
		kind: "sandboxed",
		program,
		blocked: asks || plain && setter === void 0 && writes
	};
}
function isLiteralName(command) {
	return command.words[0]?.value != null;
}
function isHarmlessRedirect({ operator, target, body, assigns }) {
	if (assigns) return false;
	if (body !== null) return true;
	if (target === null) return false;
	if (operator === "<<<") return true;
	if (operator === "<&" || operator === ">&") return /^\d$/.test(target.source) || isNull(target);
	if (operator === "<") return isNull(target) || target.value !== null && !/\/dev\//.test(target.value);
	return isNull(target);
}
function isNull(target) {
	return target.value === "/dev/null";
}
function readsFile(redirect, home) {
	const { operator, target, assigns } = redirect;
	if (operator !== "<" || target === null || isNull(target)) return false;
	if (isHarmlessRedirect(redirect)) return true;
	const path = assigns ? null : pathText(target, home);
	return path !== null && !path.startsWith("/dev/");
}
function explainParts(command, facts) {
	const { parts, plain } = classify(parseShell(command), facts);
	return {
		parts: parts.map((part) => ({
			program: part.program,
			kind: part.kind,
			why: whyPart(part, facts.config)
		})),
		plain
	};
}
function whyPart(part, { passthrough, readOnly }) {
	switch (part.kind) {
		case "passthrough": return `is on the list "passthrough"; this use of it ${part.writes ? "writes" : "only reads"}`;
		case "asked": return `is on the list "passthrough", but may run other programs (${part.because}): the user is asked`;
		case "companion": return "changes no file: it may run beside a program that runs on the host";
		case "reader": return "is on the list \"readOnly\", and this use of it only reads";
		case "sandboxed":
			if (part.blocked) return "is on the list \"passthrough\", but its own redirections or assignments keep it from the host";
			if (part.program === "") return "has no literal name, or a path that may be anything";
			if (passthrough.includes(part.program)) return "is on the list \"passthrough\", but not in this use";
			if (readOnly.includes(part.program)) return "is on the list \"readOnly\", but this use of it may write";
			return "is on no list";
	}
}
var READERS = wordSet(`cal uptime cat head tail wc stat strings hexdump od nl id uname free df du locale groups nproc basename dirname
   realpath cut paste tr column tac rev fold expand unexpand fmt comm cmp numfmt readlink diff true false sleep which type
   expr test getconf seq tsort pr docker echo pwd whoami ls find cd jq uniq history alias arch node python python3 : [`);
var literally = (form) => (args) => form.test(args.map(({ value }) => value ?? "\0").join(" "));
var FORMS = {
	history: literally(/^\d*$/),
	alias: literally(/^$/),
	node: literally(/^(-v|--version)$/),
	python: literally(/^(-V|--version)$/),
	python3: literally(/^(-V|--version)$/),
	jq: literally(/^(?!.*\b(import|include)\b)[^\0]*$/s),
	strings: literally(/^(?!(.* )?@)[^\0]*$/s),
	docker: literally(/^(ps|images)( (-a|-q|-aq|--all|--quiet|--no-trunc))*$/)
};
var NO_FILES = wordSet(`echo printf true false : seq sleep basename dirname date whoami id uname nproc uptime arch groups locale getconf
   which type command expr cal free ps printenv env node python python3 docker history alias export numfmt`);
var FOLLOWS = {
	ls: /^-[A-Za-z]*L|^--dereference/,
	grep: /^-[A-Za-z]*R|^--dereference-recursive/,
	find: /^-(L|follow)$/,
	rg: /^-[A-Za-z]*L|^--follow/,
	du: /^-[A-Za-z]*L|^--dereference/,
	tree: /^-[A-Za-z]*l/,
	diff: /^-[A-Za-z]*r|^--recursive/,
	file: /^-[A-Za-z]*f|^--files-from/
};
var NAMES_FILES = /^--files0-from/;
function isReadOnly(command, where, dirs, facts) {
	const program = programOf(command);
	const args = command.words.slice(1);
	if (program === null || !(READERS.has(program) || facts.readOnly.includes(program))) return false;
	const files = command.redirects.filter((one) => readsFile(one, facts.home));
	if (!command.assignments.every(isHarmlessAssignment)) return false;
	if (!command.redirects.every((one) => isHarmlessRedirect(one) || files.includes(one))) return false;
	const form = Object.hasOwn(FORMS, program) ? FORMS[program] : void 0;
	if (!readsOnly$1(program, args) || form?.(args) === false) return false;
	const inside = new Inside(where, dirs, facts);
	if (!files.every(({ target }) => inside.has(target))) return false;
	if (NO_FILES.has(program)) return true;
	const follows = Object.hasOwn(FOLLOWS, program) ? FOLLOWS[program] : void 0;
	return args.every((word) => {
		const text = word.value ?? "";
		return follows?.test(text) !== true && !NAMES_FILES.test(text) && inside.hasArgument(word);
	});
}
var MAX_NAMES$1 = 1e3;
var Inside = class {
	where;
	dirs;
	facts;
	constructor(where, dirs, facts) {
		this.where = where;
		this.dirs = dirs;
		this.facts = facts;
	}
	hasArgument(word) {
		const { value } = word;
		if (value === null || !value.startsWith("-") || value === "-") return this.has(word);
		const [, after] = /^--[^=]*=(.*)$/s.exec(value) ?? [];
		if (after !== void 0) return this.hasText(after);
		return !/[/~]|\.\./.test(value);
	}
	has(word) {
		if (word === null || this.where.dirs === null || this.where.above) return false;
		if (word.value === "" || word.value === "-") return true;
		const { dirs } = inDirectory(this.where, word, this.facts.home, "links");
		if (pathText(word, this.facts.home) !== null) return dirs?.every((path) => this.holds(path)) === true;
		return this.hasGlob(word);
	}
	hasText(text) {
		if (text === "") return true;
		if (this.where.dirs === null || text.startsWith("~")) return false;
		return (text.startsWith("/") ? [text] : this.where.dirs.map((dir) => `${dir}/${text}`)).every((path) => this.holds(path));
	}
	hasGlob({ pieces, source }) {
		if (source.startsWith("=")) return false;
		const text = pieces.map((piece) => piece.kind === "text" || piece.kind === "pattern" ? piece.text : "\0").join("");
		if (!pieces.every((piece) => piece.kind === "text" || /^[*?[]/.test("text" in piece ? piece.text : "")) || !pieces.some(({ kind }) => kind === "pattern") || this.where.dirs === null) return false;
		const at = text.lastIndexOf("/");
		if (/[*?[]/.test(text.slice(0, Math.max(0, at)))) return false;
		const last = text.slice(at + 1);
		return (text.startsWith("/") ? [text.slice(0, at + 1)] : this.where.dirs.map((dir) => `${dir}/${text.slice(0, at + 1)}`)).every((parent) => {
			if (!this.holds(parent)) return false;
			const names = this.facts.names(node_path.posix.normalize(parent));
			if (names === null || names.length > MAX_NAMES$1) return false;
			return names.filter((name) => require_draft.globMatches(last, name)).every((name) => this.holds(`${parent}/${name}`));
		});
	}
	holds(path) {
		return isInside(path, this.dirs, this.facts);
	}
};
var PRINTS = /^(echo|printf|print)$/;
var PRINTS_NOTHING = /^(read|test|\[|true|:|cd)$/;
var STARTS_FILLED = /^\s*["']?(\{\}|[%@])/;
var STARTS_UNKNOWN = /^"?(\$(?!\{?(HOME|PWD)\b)|`)/;
var UnseenTexts = class {
	texts;
	constructor(texts) {
		this.texts = texts;
	}
	readsUnknownText({ redirects, piped, inPipe }, leaf, before) {
		if (!runsFile(nameOfProgram(leaf[0]))) return false;
		if (filesRunBy(leaf).some(isMade)) return true;
		if (readsProgram(leaf) !== "shell") return false;
		if (redirects.some(({ operator, target }) => operator === "<" && target !== null && isMade(target))) return true;
		const text = fedBy(redirects);
		if (text.length > 0) return this.startsUnknown(text);
		if (piped) return !this.isTold(before);
		const isSure = leaf.every(({ value }) => value !== null);
		return inPipe === true && isSure && redirects.every(({ operator }) => operator !== "<");
	}
	isUnknown(text, isFilled) {
		if (this.startsUnknown(text)) return true;
		return isFilled && (text.length === 0 || this.texts.dequoted(text).some((one) => STARTS_FILLED.test(one)));
	}
	isTold(before) {
		for (let at = before.length - 1; at >= 0; at--) {
			if (!this.isTellingAt(before, at)) return false;
			if (before[at]?.inPipe !== true || before[at - 1]?.inPipe !== true) return true;
		}
		return false;
	}
	isTellingAt(commands, at) {
		const { words = [], redirects = [], piped = false, inPipe } = commands[at] ?? {};
		const [first, ...args] = innermost(words);
		const name = nameOfProgram(first);
		if (first === void 0 || PRINTS_NOTHING.test(name)) return inPipe === true;
		if (PRINTS.test(name)) return !this.printsUnknown(name, args);
		if (name !== "tee" && (name !== "cat" || args.length > 0)) return false;
		if (redirects.some(({ operator }) => operator === "<")) return false;
		const text = fedBy(redirects);
		if (text.length > 0) return !this.startsUnknown(text);
		return piped && this.isTold(commands.slice(0, at));
	}
	printsUnknown(name, args) {
		if (name === "printf") return args.some((arg) => this.startsUnknown([arg], true));
		const first = args.findIndex(({ value }) => !/^-/.test(value ?? ""));
		return first >= 0 && this.startsUnknown(args.slice(first), true);
	}
	startsUnknown(words, isPrinted = false) {
		if (words.every(({ value }) => value !== null)) return false;
		return this.texts.dequoted(words).some((text) => {
			const { commands } = parseShell(isPrinted ? text.replace(/\\n/g, "\n") : text);
			return commands.some((command) => {
				const [first] = innermost(command.words);
				return first?.value === null && STARTS_UNKNOWN.test(first.source);
			});
		});
	}
};
function isMade({ pieces }) {
	return pieces.some((piece) => piece.kind === "script" && piece.source.startsWith("<("));
}
function fedBy(redirects) {
	return redirects.flatMap(({ body, operator, target }) => body ?? (operator === "<<<" ? target : null) ?? []);
}
function isUnread(why) {
	return why === require_rule_set.NOT_ALLOWABLE.broken || why === require_rule_set.NOT_ALLOWABLE.hidden;
}
function cutText(text, cwd, home) {
	return cutPlainly(text, cwd, home) ?? cutByLevels(text, cwd, home);
}
function cutPlainly(text, cwd, home) {
	const script = text.length > 1e4 ? null : plainScript(text);
	const [command, ...more] = script?.commands ?? [];
	const program = command?.words[0]?.value ?? "/";
	if (script === null || command === void 0 || more.length > 0) return null;
	if (program.includes("/") || program === "alias" || unwrap(command.words) !== null) return null;
	return {
		segments: [{
			text,
			spellings: [["written", text]],
			allowed: text,
			why: "",
			needsAllow: true,
			command,
			writes: [],
			files: [],
			where: (cwd === "" ? null : whereabouts(script, cwd, home).get(command)) ?? {
				dirs: null,
				above: false
			}
		}],
		whole: text,
		why: "",
		runsUnknown: false
	};
}
function cutByLevels(text, cwd, home) {
	const clean = replaceHidden(text, () => "");
	const script = parseShell(clean);
	const cutter = new Cutter(home, script);
	if (clean !== text) cutter.bar(require_rule_set.NOT_ALLOWABLE.hidden);
	cutter.cut(script, {
		cwd,
		prefix: "",
		depth: 0,
		isFilled: false,
		isSure: true
	});
	if (script.broken || cutter.isFull) cutter.cutRoughly(clean, false);
	return cutter.result(clean);
}
var MAX_DEPTH = 8;
var MAX_SEGMENTS = 4e3;
var Cutter = class {
	segments = [];
	home;
	texts = new WordTexts();
	unseen = new UnseenTexts(this.texts);
	data = [];
	unasked = [];
	reader = false;
	why = "";
	runsUnknown = false;
	constructor(home, script) {
		this.home = home;
		this.data.push(...script.comments);
		if (script.broken) this.bar(require_rule_set.NOT_ALLOWABLE.broken);
		else if (!isPlain(script)) this.bar(require_rule_set.NOT_ALLOWABLE.odd);
	}
	get isFull() {
		return this.segments.length >= MAX_SEGMENTS;
	}
	bar(why) {
		if (this.why === "" || isUnread(why) && !isUnread(this.why)) this.why = why;
	}
	result(text) {
		let whole = "";
		let at = 0;
		for (const [from, to] of this.data.sort(([a], [b]) => a - b)) {
			whole += text.slice(at, Math.max(at, from));
			at = Math.max(at, to);
		}
		const { segments, why, runsUnknown } = this;
		return {
			segments,
			whole: (whole + text.slice(at)).trim(),
			why,
			runsUnknown
		};
	}
	cut(script, context) {
		const { cwd, depth } = context;
		if (depth > MAX_DEPTH) return;
		const commands = allCommands(script);
		for (const command of commands) if (this.texts.learn(command)) this.bar(require_rule_set.NOT_ALLOWABLE.alias);
		for (const command of commands) this.unasked.push(command);
		this.texts.learnFunctions(script);
		const where = cwd === "" ? null : whereabouts(script, cwd, this.home);
		this.cutLevel(script, context, where);
	}
	get hasReader() {
		this.reader ||= this.unasked.some(({ words }) => innermostReads(words) !== null);
		this.unasked.length = 0;
		return this.reader;
	}
	cutLevel(script, context, where) {
		const groups = [];
		const close = (before) => {
			while ((groups.at(-1)?.end ?? before) < before) {
				const group = groups.pop();
				if (group !== void 0) group.reading.readers = [group.from, this.segments.length];
			}
		};
		for (const [i, command] of script.commands.entries()) {
			close(i);
			if (this.isFull) {
				this.bar(require_rule_set.NOT_ALLOWABLE.broken);
				return;
			}
			const place = where?.get(command) ?? {
				dirs: null,
				above: false
			};
			this.cutInputs(command, script.commands[i + 1]?.piped === true, context);
			const before = command.piped ? script.commands.slice(0, i) : [];
			const reading = this.cutCommand(command, place, context, before);
			const { covers = 0 } = command;
			if (reading !== null && covers > 0) groups.push({
				reading,
				from: this.segments.length,
				end: i + covers
			});
			for (const inner of scriptsOf(command)) this.cutLevel(inner, context, where);
		}
		close(Number.POSITIVE_INFINITY);
	}
	cutInputs(command, isPipedOn, context) {
		const reads = command.redirects.length === 0 ? null : innermostReads(command.words);
		for (const { operator, target, body, span } of command.redirects) {
			const text = body ?? (operator === "<<<" ? target : null);
			if (text === null) continue;
			const goesOn = reads === null && (isPipedOn || command.words.length === 0) && this.hasReader;
			if (reads === "shell" || goesOn) this.cutFed([text], context);
			else if (reads === null && span !== null && context.depth === 0) this.data.push(span);
		}
		if (!isPipedOn || !this.hasReader) return;
		const [first, ...args] = innermost(command.words);
		if (!PRINTS.test(nameOfProgram(first))) return;
		this.cutFed(args, context);
		for (const arg of args) if (/\s/.test(arg.value ?? "")) this.cutFed([withLines(arg)], context);
	}
	cutFed(words, context) {
		for (const text of this.texts.dequoted(words)) this.cutTextOf(text, {
			...context,
			cwd: "",
			prefix: "",
			depth: context.depth + 1
		});
	}
	cutTextOf(text, context) {
		const script = parseShell(text);
		if (context.isSure && script.broken) this.bar(require_rule_set.NOT_ALLOWABLE.broken);
		else if (context.isSure && !isPlain(script)) this.bar(require_rule_set.NOT_ALLOWABLE.odd);
		this.cut(script, context);
		if (context.depth > MAX_DEPTH) this.bar(require_rule_set.NOT_ALLOWABLE.broken);
		if (context.depth > MAX_DEPTH || script.broken) this.cutRoughly(text, context.depth > MAX_DEPTH);
	}
	cutCommand(command, where, context, before = []) {
		const { words, assignments } = command;
		const text = [...assignments.map(({ source }) => source).filter((source) => source !== ""), ...words.map(({ source }) => source)].join(" ");
		const { writes, readsUnknown } = redirectsOf(command, this.home);
		if (words.length === 0) return this.pushBare(command, text, where);
		const from = this.segments.length;
		const isGit = nameOfProgram(words[0]) === "git";
		const setter = assignments.find((one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)));
		const spellings = new Spellings();
		spellings.add("written", text);
		const chain = this.unwrapped(command, where, context, spellings);
		const { levels, needsAllow, sets } = chain;
		for (const level of levels) for (const one of this.texts.dequoted(level)) spellings.add(level === words ? "dequoted" : "unwrapped", one);
		const leaf = levels.at(-1) ?? words;
		this.runsUnknown ||= needsAllow && !chain.isFilled && this.unseen.readsUnknownText(command, innermost(leaf), before);
		this.spellBraces(command, where, context, spellings);
		for (const one of this.texts.expanded(leaf)) spellings.add("unwrapped", one);
		if (leaf.some(({ value }) => value === null)) spellings.add("unwrapped", withoutUnknown(leaf));
		const why = [
			setter === void 0 && sets.every(isHarmlessSet) ? "" : require_rule_set.NOT_ALLOWABLE.assignment,
			leaf[0]?.value ? "" : require_rule_set.NOT_ALLOWABLE.noProgram,
			/^[\x20-\x7e]*$/.test(leaf[0]?.value ?? "") ? "" : require_rule_set.NOT_ALLOWABLE.hidden,
			chain.isSure && context.isSure ? "" : require_rule_set.NOT_ALLOWABLE.wrapper,
			chain.moves ? require_rule_set.NOT_ALLOWABLE.moves : "",
			readsUnknown ? require_rule_set.NOT_ALLOWABLE.reads : "",
			writes.every(({ target }) => target !== null) ? "" : require_rule_set.NOT_ALLOWABLE.redirect
		].find((one) => one !== "");
		const plain = chain.prefix === "" && !chain.isFilled && levels.length > 0;
		const inside = [from, this.segments.length];
		const reading = needsAllow ? null : this.pushReading(command, where);
		if (reading !== null) reading.readers = inside;
		this.segments.push({
			text,
			spellings: spellings.list,
			allowed: `${chain.prefix}${canonical(leaf)}${chain.isFilled ? " $@" : ""}`,
			why: why ?? "",
			needsAllow,
			command: plain ? withWords(command, leaf) : null,
			writes: writesOf(writes, where),
			files: filesOf(command),
			where: chain.moves ? {
				dirs: null,
				above: false
			} : where
		});
		return null;
	}
	spellBraces(command, where, context, spellings) {
		const words = withoutBraces(command.words);
		if (words === command.words) return;
		const { levels } = this.unwrapped(withWords(command, words), where, {
			...context,
			isSure: false
		}, spellings);
		for (const level of levels) for (const one of [...this.texts.dequoted(level), ...this.texts.expanded(level)]) spellings.add("unwrapped", one);
	}
	pushBare(command, text, where) {
		const { writes, readsUnknown } = redirectsOf(command, this.home);
		if (!command.assignments.every(isHarmlessAssignment)) this.bar(require_rule_set.NOT_ALLOWABLE.assignment);
		if (!writes.every(({ target }) => target !== null)) this.bar(require_rule_set.NOT_ALLOWABLE.redirect);
		const reading = this.pushReading(command, where);
		if (text === "" && writes.length === 0 && !readsUnknown) return reading;
		this.segments.push({
			text,
			spellings: [["written", text]],
			allowed: "",
			why: readsUnknown ? require_rule_set.NOT_ALLOWABLE.reads : "",
			needsAllow: false,
			command: null,
			writes: writesOf(writes, where),
			files: filesOf(command),
			where
		});
		return reading;
	}
	pushReading(command, where) {
		const redirects = command.redirects.filter((one) => readsFile(one, this.home));
		if (redirects.length === 0) return null;
		const { piped, chained } = command;
		const text = redirects.map(({ target }) => `< ${target?.source ?? ""}`).join(" ");
		const reading = {
			text,
			spellings: [["written", text]],
			allowed: "cat",
			why: "",
			needsAllow: true,
			command: {
				words: [literalWord("cat")],
				assignments: [],
				redirects,
				loose: [],
				piped,
				chained
			},
			writes: [],
			files: filesOf(command),
			where
		};
		this.segments.push(reading);
		return reading;
	}
	unwrapped(command, where, context, spellings) {
		const chain = {
			levels: [command.words],
			prefix: context.prefix,
			needsAllow: true,
			isFilled: context.isFilled,
			isSure: true,
			moves: false,
			sets: []
		};
		let words = command.words;
		for (let i = 0;; i++) {
			const found = unwrap(words);
			if (found === null) return chain;
			if (i >= 12) return {
				...chain,
				isSure: false
			};
			chain.sets.push(...found.sets);
			chain.moves ||= found.moves;
			if (!found.sure && !found.also) chain.isSure = false;
			const prefix = found.privileged ? `${chain.prefix}${nameOfProgram(words[0])} ` : chain.prefix;
			const [only] = found.inner;
			if (only?.kind === "words" && found.inner.length === 1 && !found.also) {
				chain.prefix = prefix;
				chain.isFilled ||= found.fills;
				chain.levels.push(only.words);
				words = only.words;
				continue;
			}
			const inside = {
				cwd: chain.moves || where.dirs?.length !== 1 ? "" : where.dirs[0] ?? "",
				prefix,
				depth: context.depth + 1,
				isFilled: chain.isFilled || found.fills,
				isSure: context.isSure && chain.isSure && found.sure
			};
			for (const inner of found.inner) this.cutInner(inner, {
				command,
				inside,
				spellings,
				where
			});
			chain.needsAllow = found.also || !found.sure || chain.moves;
			return chain;
		}
	}
	cutInner(inner, around) {
		const { command, inside, spellings, where } = around;
		if (inner.kind === "words") {
			if (!inside.isSure) for (const one of this.texts.dequoted(inner.words)) spellings.add("unwrapped", one);
			if (!inside.isSure || inside.depth > MAX_DEPTH) return;
			const { piped, chained } = command;
			const bare = {
				words: [...inner.words],
				assignments: [],
				redirects: [],
				loose: [],
				piped,
				chained
			};
			this.cutCommand(bare, inside.cwd === "" ? {
				dirs: null,
				above: false
			} : where, inside);
			return;
		}
		if (!inner.text.every(({ value }) => value !== null) && inside.isSure) this.bar(require_rule_set.NOT_ALLOWABLE.unknownText);
		this.runsUnknown ||= this.unseen.isUnknown(inner.text, inside.isFilled);
		const texts = this.texts.dequoted(inner.text);
		if (inside.isFilled && inside.isSure) this.bar(require_rule_set.NOT_ALLOWABLE.unknownText);
		const args = this.texts.dequoted(inner.args ?? [])[0]?.split(" ") ?? [];
		const filled = args.length === 0 ? [] : texts.map((text) => withPositions(text, args));
		for (const text of /* @__PURE__ */ new Set([...texts, ...filled])) this.cutTextOf(text, {
			...inside,
			isFilled: false
		});
	}
	cutRoughly(text, anywhere) {
		const pieces = new Set(text.split(/\$\(|[\n;&|(){}`]+/));
		for (const piece of pieces) {
			const spellings = roughly(piece, anywhere);
			if (spellings === null) continue;
			this.segments.push({
				text: piece.trim(),
				spellings: spellings.list,
				allowed: "",
				why: require_rule_set.NOT_ALLOWABLE.broken,
				needsAllow: true,
				command: null,
				writes: [],
				files: [],
				where: {
					dirs: null,
					above: false
				}
			});
		}
	}
};
function withWords(command, words) {
	const { assignments, redirects, loose, piped, chained } = command;
	return {
		words: [...words],
		assignments,
		redirects,
		loose,
		piped,
		chained
	};
}
function redirectsOf({ redirects }, home) {
	const open = redirects.filter((one) => !isHarmlessRedirect(one) && !readsFile(one, home));
	const reads = ({ operator, assigns }) => operator === "<" && !assigns;
	return {
		writes: open.filter((one) => !reads(one)),
		readsUnknown: open.some(reads)
	};
}
function filesOf({ redirects }) {
	return redirects.flatMap(({ target }) => target === null ? [] : [target.source, target.value ?? ""]);
}
function writesOf(redirects, where) {
	return redirects.flatMap(({ target }) => target === null ? [] : [{
		target,
		where
	}]);
}
function judge(call, rules, facts) {
	const [only] = judgeAll([call], rules, facts);
	return only ?? verdict("pass", {
		by: "none",
		why: require_rule_set.VERDICT.noRule
	});
}
function judgeAll(calls, rules, facts) {
	if (!rules.enabled) return calls.map(() => verdict("pass", {
		by: "none",
		why: require_rule_set.VERDICT.off
	}));
	const known = remembering(facts);
	const hasPatterns = rules.deny.length + rules.ordered.length > 0;
	const found = [];
	for (let from = 0; from < calls.length; from += AT_ONCE) {
		const guard = new Guard();
		const several = calls.slice(from, from + AT_ONCE).map((call) => {
			const command = require_read.isShell(call.tool) && require_cli.isObject(call.input) ? call.input["command"] : void 0;
			const cut = typeof command === "string" ? cutText(command, call.cwd, facts.home) : null;
			return new Judgement({
				call,
				rules,
				facts: known,
				cut
			}, guard);
		});
		const verdicts = () => several.map((one) => one.verdict());
		found.push(...hasPatterns ? guard.run(verdicts) : verdicts());
	}
	return found;
}
var AT_ONCE = 100;
function remembering(facts) {
	const known = /* @__PURE__ */ new Map();
	const resolve = (path) => {
		const before = known.get(path);
		if (before !== void 0) return before;
		const found = facts.resolve(path);
		known.set(path, found);
		return found;
	};
	return {
		...facts,
		resolve
	};
}
function verdict(decision, { by, why, rule = null, segments = [], slow = [] }) {
	return {
		decision,
		by,
		why,
		rule,
		segments,
		slow
	};
}
var Judgement = class {
	slow = /* @__PURE__ */ new Set();
	tools = /* @__PURE__ */ new Map();
	call;
	rules;
	facts;
	guard;
	cut;
	texts = null;
	readersAllowed;
	constructor(subject, guard) {
		this.call = subject.call;
		this.rules = subject.rules;
		this.facts = subject.facts;
		this.cut = subject.cut;
		this.guard = guard;
		const redirects = this.cut?.segments.some(({ needsAllow, writes }) => !needsAllow && writes.length > 0);
		this.readersAllowed = redirects !== true && this.rules.builtIn.has("read-only");
	}
	get root() {
		return require_cli.toText(this.rules.projectRoot);
	}
	verdict() {
		return {
			...this.cut === null ? this.ofTool() : this.ofText(this.cut),
			slow: [...this.slow]
		};
	}
	ofTool() {
		const [deny] = this.candidates(this.rules.deny);
		if (deny !== void 0) return decided("deny", deny.rule);
		const [first] = this.candidates(this.rules.ordered);
		if (first !== void 0) return decided(first.rule.ref.list, first.rule);
		const builtIn = builtInFor(this.call, this.rules, this.facts);
		if (builtIn !== null) return verdict("allow", {
			by: "built-in",
			why: require_rule_set.builtInWhy(builtIn.text),
			rule: builtIn
		});
		return verdict("pass", {
			by: "none",
			why: require_rule_set.VERDICT.noRule
		});
	}
	ofText(cut) {
		const segments = [];
		const denied = this.denial(cut);
		if (denied !== null) return denied;
		const ordered = this.candidates(this.rules.ordered);
		const judged = cut.segments.map((segment) => this.ofSegment(segment, ordered, cut.why));
		this.allowFed(cut, judged);
		for (const [i, { needsAllow }] of cut.segments.entries()) {
			const one = judged[i];
			if (one !== void 0 && (needsAllow || one.decision === "ask")) segments.push(one);
		}
		const asking = this.asking(segments, this.wholeAsk(cut, ordered));
		if (asking !== null) return decided("ask", asking, segments);
		const why = cut.why === "" ? this.barring(cut) : cut.why;
		if (why === "" && segments.length > 0 && segments.every(({ decision }) => decision === "allow")) return allowed(segments);
		if (why === "" && segments.length === 0 && cut.segments.length > 0 && this.readersAllowed) return verdict("allow", {
			by: "read-only",
			why: require_rule_set.VERDICT.readOnly,
			rule: builtInRef("read-only")
		});
		return this.unlessPending(unsaid(segments, why), cut);
	}
	allowFed({ segments }, judged) {
		for (let i = segments.length - 1; i >= 0; i--) {
			const [segment, before] = [segments[i], judged[i]];
			if (segment?.readers === void 0 || before?.decision !== "pass" || this.barredBy(segment) !== "") continue;
			const [from, to] = segment.readers;
			const readers = judged.slice(from, to).filter((_, at) => segments[from + at]?.needsAllow === true);
			const isAllowed = ({ decision, by }) => decision === "allow" && by === "rule";
			const [first] = readers;
			if (first !== void 0 && readers.every(isAllowed)) judged[i] = {
				...first,
				text: segment.text
			};
		}
	}
	barring({ segments }) {
		for (const segment of segments) {
			const why = segment.needsAllow ? "" : this.barredBy(segment);
			if (why !== "") return why;
		}
		return "";
	}
	barredBy({ why, writes }) {
		if (why !== "") return why;
		const isFine = (path) => this.facts.isPending(path) || isInside(path, [this.root, ...this.rules.allowedDirs], this.facts);
		return writes.every(({ target, where }) => {
			const { dirs } = inDirectory(where, target, this.facts.home, "links");
			return dirs?.every(isFine) === true;
		}) ? "" : require_rule_set.NOT_ALLOWABLE.outside;
	}
	unlessPending(passed, cut) {
		const { rules, facts, call } = this;
		if (rules.sandboxed !== "allow" || facts.runs !== "sandbox" || call.mode === "plan") return passed;
		if (isUnread(cut.why)) return passed;
		if (cut.runsUnknown) return {
			...passed,
			why: require_rule_set.staysAsked(require_rule_set.LEAVING.unknown)
		};
		const listed = takesNames(cut);
		for (const segment of cut.segments) {
			const why = leavingWhy(segment, listed, facts);
			if (why !== null) return {
				...passed,
				why: require_rule_set.staysAsked(why)
			};
		}
		return {
			...passed,
			decision: "allow",
			by: "sandboxed",
			why: require_rule_set.VERDICT.sandboxed
		};
	}
	denial(cut) {
		for (const candidate of this.candidates(this.rules.deny)) {
			for (const segment of cut.segments) {
				const found = this.find([candidate], this.textsOf(segment, cut));
				if (found !== null) return decided("deny", found.candidate.rule, [segmentVerdict(segment, "deny", found)]);
			}
			if (this.find([candidate], [["whole", cut.whole]]) !== null) return decided("deny", candidate.rule);
		}
		return null;
	}
	textsOf({ spellings }, { segments, whole }) {
		return segments.length === 1 ? [...spellings, ["whole", whole]] : spellings;
	}
	ofSegment(segment, ordered, wholeWhy) {
		const why = wholeWhy === "" ? this.barredBy(segment) : wholeWhy;
		const texts = this.cut === null ? segment.spellings : this.textsOf(segment, this.cut);
		for (const candidate of ordered) {
			const { list } = candidate.rule.ref;
			if (list === "allow" && why !== "") continue;
			const found = this.find([candidate], list === "allow" ? [["unwrapped", segment.allowed]] : texts);
			if (found !== null) return segmentVerdict(segment, list, found);
		}
		const { text, command, where } = segment;
		if (why === "" && command !== null && this.readersAllowed) {
			if (isReadOnly(command, where, [
				this.call.cwd,
				this.root,
				...this.rules.allowedDirs
			], this.facts)) return {
				text,
				spelling: "unwrapped",
				decision: "allow",
				by: "read-only",
				rule: builtInRef("read-only"),
				why
			};
		}
		return {
			text,
			spelling: null,
			decision: "pass",
			by: "none",
			rule: null,
			why
		};
	}
	wholeAsk({ segments, whole }, ordered) {
		if (segments.length === 1) return null;
		const asks = ordered.filter(({ rule, command }) => {
			return rule.ref.list === "ask" && (command !== null || segments.length === 0);
		});
		return this.find(asks, [["whole", whole]])?.candidate.rule ?? null;
	}
	asking(segments, whole) {
		const refs = new Set(segments.flatMap(({ decision, rule }) => decision === "ask" && rule !== null ? [rule] : []));
		return this.rules.ordered.find((rule) => rule === whole || refs.has(rule.ref)) ?? null;
	}
	find(candidates, texts) {
		for (const candidate of candidates) {
			const { rule, command } = candidate;
			for (const [spelling, text] of texts) if (command === null || this.matches(rule, command, text)) return {
				candidate,
				spelling
			};
		}
		return null;
	}
	matches(rule, pattern, text) {
		const found = this.guard.test(pattern, text);
		if (found !== null) return found;
		this.slow.add(rule.ref);
		return rule.ref.list !== "allow";
	}
	candidates(rules) {
		return rules.flatMap((rule) => {
			const command = this.cut === null ? null : rule.match.find(([field]) => field === "command")?.[1] ?? null;
			return this.counts(rule, command) ? [{
				rule,
				command
			}] : [];
		});
	}
	counts(rule, command) {
		if (rule.rule.disabled === true) return false;
		if (rule.until !== null && rule.until < this.facts.now) return false;
		if (rule.rule.modes !== void 0 && !rule.rule.modes.includes(this.call.mode)) return false;
		if (rule.tool !== null && !this.isAboutTool(rule, rule.tool)) return false;
		if (command !== null && !this.mayOccur(command)) return false;
		return rule.match.every(([field, pattern]) => pattern === command || this.fieldMatches(rule, field, pattern));
	}
	isAboutTool(rule, pattern) {
		const known = this.tools.get(pattern);
		if (known !== void 0) return known;
		const found = this.guard.test(pattern, this.call.tool);
		if (found === null) return this.matches(rule, pattern, this.call.tool);
		this.tools.set(pattern, found);
		return found;
	}
	mayOccur({ literals, atStart }) {
		if (literals.length === 0 || this.cut === null || this.rules.deny.length + this.rules.ordered.length < FEW) return true;
		this.texts ??= textsOf(this.cut);
		const { sorted, joined } = this.texts;
		return literals.some((one) => atStart ? anyStartsWith(sorted, one) : joined.includes(one));
	}
	fieldMatches(rule, field, pattern) {
		const texts = fieldTexts(this.call, field, this.facts);
		const test = (text) => this.matches(rule, pattern, text);
		return texts.length > 0 && (rule.ref.list === "allow" ? texts.every(test) : texts.some(test));
	}
};
var FEW = 4;
function textsOf({ segments, whole }) {
	const texts = segments.flatMap(({ spellings, allowed }) => [allowed, ...spellings.map(([, text]) => text)]);
	const sorted = [.../* @__PURE__ */ new Set([...texts, whole])].sort();
	return {
		sorted,
		joined: sorted.join("\n")
	};
}
function anyStartsWith(texts, prefix) {
	let [low, high] = [0, texts.length];
	while (low < high) {
		const middle = low + high >> 1;
		if ((texts[middle] ?? "") < prefix) low = middle + 1;
		else high = middle;
	}
	return texts[low]?.startsWith(prefix) === true;
}
var PATH_FIELDS = [
	"file_path",
	"path",
	"notebook_path"
];
function fieldTexts({ input, cwd }, field, facts) {
	if (!require_cli.isObject(input) || !Object.hasOwn(input, field)) return [];
	const value = input[field];
	if (typeof value === "number" || typeof value === "boolean") return [JSON.stringify(value)];
	if (typeof value !== "string") return [];
	if (!PATH_FIELDS.includes(field)) return [value];
	return [.../* @__PURE__ */ new Set([value, ...resolvedPaths(value, cwd, facts)])];
}
function decided(decision, { ref }, segments = []) {
	if (ref.index === -1) return verdict("ask", {
		by: "broken",
		why: require_rule_set.brokenWhy(ref.file, ref.reason),
		rule: ref,
		segments
	});
	const text = segments.find((one) => one.rule === ref)?.text ?? "";
	return verdict(decision, {
		by: "rule",
		why: require_rule_set.ruleWhy(decision, ref, text),
		rule: ref,
		segments
	});
}
function segmentVerdict({ text }, decision, found) {
	const { ref } = found.candidate.rule;
	const by = ref.index === -1 ? "broken" : "rule";
	return {
		text,
		spelling: found.spelling,
		decision,
		by,
		rule: ref,
		why: ""
	};
}
function allowed(segments) {
	const refs = new Set(segments.flatMap(({ rule }) => rule === null ? [] : [rule]));
	const [rule = null] = refs.size === 1 ? refs : [];
	const by = segments.find((one) => one.by === "rule")?.by ?? segments[0]?.by ?? "none";
	return verdict("allow", {
		by,
		why: by === "rule" ? require_rule_set.VERDICT.allowed : require_rule_set.VERDICT.readOnly,
		rule,
		segments
	});
}
function unsaid(segments, why) {
	return verdict("pass", {
		by: "none",
		why: why === "" ? require_rule_set.VERDICT.noRule : require_rule_set.notAllowable(why),
		segments
	});
}
var OPEN_ONLY = wordSet(`sudo sudoedit su doas pkexec run0 newgrp sg passwd chsh chfn gpasswd mount umount fusermount fusermount3 crontab at
   atq atrm batch podman buildah toolbox distrobox yay paru`);
var OPEN_ALONE = wordSet("docker");
var PREFIXES = wordSet("env command exec time nohup nice setsid");
var SHALLOW = wordSet("ls stat df du mount umount findmnt test [ mkdir touch chmod chown chgrp install ln systemctl useradd usermod");
var SUDO_VALUE = /^-[CDRTUghpru]$/;
var RECURSIVE = /^-[A-Za-z]*[rR]|^--(recursive|reference)/;
function hidingFor(script, facts, parts) {
	const commands = allCommands(script);
	const needy = commands.map(openProgram);
	if (needy.find((name) => name !== "") === void 0) return {
		open: null,
		torn: ""
	};
	if (commands.every((command, i) => needy[i] !== "" || readsNoFile(command))) return {
		open: openUse(script, facts, parts),
		torn: ""
	};
	return {
		open: null,
		torn: needy.find((name) => OPEN_ONLY.has(name)) ?? ""
	};
}
function openProgram(command) {
	const program = programOf(command) ?? "";
	const named = PREFIXES.has(program) ? command.words.slice(1).find((word) => word.value !== null && !/^-|=/.test(word.value))?.value : program;
	const name = named?.slice(named.lastIndexOf("/") + 1) ?? "";
	return OPEN_ONLY.has(name) || OPEN_ALONE.has(name) ? name : "";
}
var FILE_READERS = wordSet("find rg");
function readsNoFile(command) {
	const program = programOf(command) ?? "";
	if (command.redirects.some(({ operator, target }) => operator === "<" && target?.value !== "/dev/null")) return false;
	if (command.words.length === 0) return true;
	return !FILE_READERS.has(program) && isCompanion(program, command);
}
function openUse(script, facts, parts) {
	const where = whereabouts(script, facts.cwd, facts.home);
	const found = new Naming(facts, script);
	const paths = /* @__PURE__ */ new Set();
	const trees = /* @__PURE__ */ new Set();
	for (const command of allCommands(script)) {
		const dirs = where.get(command)?.dirs ?? [facts.cwd, facts.home];
		const deep = goesDeep(command);
		for (const word of wordsOf$1(command)) for (const path of found.pathsOf(word, dirs)) {
			paths.add(path);
			if (deep || isSudo(command) && holdsText(word)) trees.add(path);
		}
	}
	for (const use of parts.flatMap((part) => "use" in part && part.use !== null ? [part.use] : [])) if (use.scope === "below" && !use.what.includes("compose")) for (const dir of use.dirs ?? []) trees.add(dir);
	return {
		paths: [...paths],
		trees: [...trees]
	};
}
function isSudo(command) {
	const program = openProgram(command);
	return program !== "" && !OPEN_ALONE.has(program) && program !== "podman";
}
function goesDeep(command) {
	if (!isSudo(command)) return false;
	const words = command.words.slice(1).map((word) => word.value ?? "");
	const program = words.find((word, i) => !/^$|^-|=/.test(word) && !SUDO_VALUE.test(words[i - 1] ?? "")) ?? "";
	return !SHALLOW.has(program.slice(program.lastIndexOf("/") + 1)) || words.some((word) => RECURSIVE.test(word));
}
function holdsText(word) {
	return /\s/.test(word.value ?? "");
}
var MAX_VALUES = 8;
var Naming = class {
	facts;
	known = /* @__PURE__ */ new Map();
	constructor(facts, script) {
		this.facts = facts;
		for (const command of allCommands(script)) for (const { name, value } of command.assignments) {
			const values = value === null ? ["*"] : this.texts(value);
			this.known.set(name, [...this.known.get(name) ?? [], ...values].slice(0, MAX_VALUES));
		}
	}
	pathsOf(word, dirs) {
		const tokens = this.texts(word).flatMap(tokensOf);
		return [...new Set(tokens)].flatMap((token) => this.absolute(token, dirs));
	}
	absolute(token, dirs) {
		if (token.startsWith("/")) return [token];
		if (/^~(\/|$)/.test(token)) return [`${this.facts.home}${token.slice(1)}`];
		return dirs.map((dir) => squeeze(`${dir}/${token}`));
	}
	texts(word) {
		let texts = [""];
		for (const piece of word.pieces) {
			const options = this.optionsOf(piece);
			texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES);
		}
		return texts.map((text) => this.named(text.replace(/^~~/, "~")));
	}
	optionsOf(piece) {
		if (piece.kind === "text") return [piece.text];
		if (piece.kind === "pattern") return [/^[{]/.test(piece.text) ? "*" : piece.text];
		if (piece.kind === "variable") {
			if (piece.name === "HOME" || piece.name === "PWD") return [`$${piece.name}`];
			return this.known.get(piece.name) ?? ["*"];
		}
		return ["*"];
	}
	named(text) {
		return text.replace(/\$\{?HOME\}?/g, this.facts.home).replace(/\$\{?PWD\}?/g, ".").replace(/\$\{?\w+\}?/g, "*");
	}
};
function tokensOf(text) {
	return [text, ...text.split(/[\s'"=:,;|&<>(){}`]+/)].flatMap((part) => {
		const at = part.search(/[~/]/);
		if (/^-+\w*$/.test(part)) return [];
		if (part.startsWith("@")) return [part.slice(1)];
		return part.startsWith("-") && at > 0 ? [part, part.slice(at)] : part === "" ? [] : [part];
	});
}
function mixedText(program, others) {
	const named = [...new Set(others.filter((other) => other !== "" && other !== program))].slice(0, 3);
	return `this command mixes \`${program}\`, which runs on the host, with ${named.length === 0 ? "parts that run in the sandbox" : named.map((name) => `\`${name}\``).join(", ")}, which must run in the sandbox. Nothing was run. Run \`${program} ...\` as a call of its own: it runs on the host. Run the rest as another call, without redirecting output of the first one into a file.`;
}
function openBesideText(program) {
	return `\`${program}\` gains no rights beside commands that read files on the host, since those run in a user namespace. Nothing was run. Run \`${program} ...\` as a call of its own, and the rest as another.`;
}
function ownProgramText(program) {
	return `only the user commits, discards, undoes or bypasses the sandbox. Nothing was run. Ask the user to type the slash command (for example \`/trai:commit\`). To look at the session, run \`${program} status\` (or diff, log, sessions, doctor, why) as a call of its own, written exactly so.`;
}
function hostText(program, pending) {
	const warning = `\`${program}\` runs on the host, outside the sandbox.`;
	return pending ? `${warning} Pending changes of this session are not on the host, so it does not see them.` : warning;
}
function runsProgramsText(program, because) {
	return `this \`${program}\` may run other programs, because of ${because}. It would run on the host, outside the sandbox, and what those programs write is not reviewed. Allow it only if you know what it runs.`;
}
var CONFIG_OFF_TEXT = "the sandbox is turned off by the config (\"enabled\": false); this call runs on the host.";
var ONE_SHOT_TEXT = "you let this one call run on the host, outside the sandbox.";
var READING = wordSet("status diff log ps sessions doctor why why-host");
var ARGUMENTS = /^[ A-Za-z0-9_.,:=@%+/-]*$/;
var BARE_PATH = /^\/[A-Za-z0-9_.,:=@%+/-]+$/;
function ownUse(command, script, facts) {
	for (const program of facts.ownPrograms) {
		const args = exactArguments(command, program);
		if (args !== null) return {
			kind: "exact",
			reads: readsOnly(args)
		};
	}
	if (script.broken && script.commands.length === 0) return { kind: facts.ownPrograms.some((program) => command.includes(program)) ? "hidden" : "none" };
	return new Search(facts).finds(script, 0) ? { kind: "hidden" } : { kind: "none" };
}
function readsOnly(args) {
	const [name = "", ...rest] = args.trim().split(/ +/);
	return READING.has(name) && !(name === "ps" && rest.some((word) => word.startsWith("--end")));
}
function exactArguments(command, program) {
	const spellings = [...BARE_PATH.test(program) ? [program] : []];
	if (!/["'$`\\!\n]/.test(program)) spellings.push(`"${program}"`, `'${program}'`);
	for (const spelling of spellings) {
		if (!command.startsWith(spelling)) continue;
		const rest = command.slice(spelling.length);
		if (rest === "" || rest.startsWith(" ") && ARGUMENTS.test(rest)) return rest;
	}
	return null;
}
var SHELLS = wordSet("sh bash zsh dash ksh ash eval source . trap alias su script ssh docker podman");
var RUNNERS = wordSet(`env command exec builtin nohup nice ionice timeout time stdbuf setsid sudo doas xargs flock watch strace chrt
   unbuffer parallel find coproc noglob nocorrect chronic runuser unshare nsenter chroot systemd-run entr`);
var HANDLES_FILES = /^(ls|cat|head|tail|wc|stat|file|grep|rg|which|type|echo|printf|test|\[|cd|readlink|realpath|basename|dirname|cp|ln|mv|rm|chmod|diff|cmp|sha256sum|md5sum|git|export|sed|awk|less|bat|tee|touch|:|strings)$/;
var MAX_NESTED_TEXTS = 4;
var Search = class {
	facts;
	names;
	values = new KnownValues((piece) => piece.kind === "script" ? echoed(piece.script) ?? "" : "");
	constructor(facts) {
		this.facts = facts;
		this.names = new Set(facts.ownPrograms.map((program) => program.slice(program.lastIndexOf("/") + 1)));
	}
	finds(script, depth) {
		const commands = allCommands(script);
		for (const command of commands) this.values.learn(command);
		return commands.some((command) => this.runsIt(command, depth));
	}
	runsIt(command, depth) {
		const [first, ...rest] = command.words.map((word) => this.values.textsOf(word));
		if (first === void 0) return false;
		if (first.some((text) => this.isIt(text.split(/\s/)[0] ?? "") || this.matches(text))) return true;
		const program = programOf(command) ?? first[0]?.split("/").pop() ?? "";
		const args = rest.flat();
		if (RUNNERS.has(program) && args.some((text) => this.isIt(text))) return true;
		const bodies = command.redirects.flatMap(({ target, body }) => [...body === null ? [] : this.values.textsOf(body), ...target === null ? [] : this.values.textsOf(target)]);
		if (SHELLS.has(program) || RUNNERS.has(program)) {
			const texts = program === "find" ? behindExec(args) : args;
			if ([
				...texts,
				texts.join(" "),
				...bodies
			].some((text) => this.textRunsIt(text, depth))) return true;
		}
		if (program === "git") return args.some((text) => /=?!/.test(text) && this.textRunsIt(text.replace(/^.*?!/, ""), depth));
		return !HANDLES_FILES.test(program) && [...args, ...bodies].some((text) => this.mentions(text));
	}
	textRunsIt(text, depth) {
		if (depth >= MAX_NESTED_TEXTS || text === "") return false;
		if (this.isIt(text)) return true;
		return this.finds(parseShell(text.replace(/^[A-Za-z_][\w-]*=/, "")), depth + 1);
	}
	isIt(text) {
		const at = text.lastIndexOf("/");
		return this.names.has(text.slice(at + 1)) && (at < 0 || this.isPath(text));
	}
	isPath(text) {
		const path = squeeze(text.startsWith("/") ? text : `${this.facts.cwd}/${text}`);
		return this.facts.ownPrograms.includes(path) || /(^|\/)bin\/[^/]+$/.test(path) || !text.startsWith("/");
	}
	matches(text) {
		if (!/[*?[]/.test(text)) return false;
		const pattern = text.slice(text.lastIndexOf("/") + 1);
		return [...this.names].some((name) => require_draft.globMatches(pattern, name));
	}
	mentions(text) {
		return this.facts.ownPrograms.some((program) => text.includes(program));
	}
};
function behindExec(args) {
	const at = args.findIndex((text) => /^-(exec|ok)|^-.*[*?[{]/.test(text));
	return at < 0 ? [] : args.slice(at + 1);
}
function echoed(script) {
	const [only] = script.commands;
	if (only === void 0 || script.commands.length !== 1) return null;
	const values = only.words.map((word) => word.value ?? "");
	if (!/^(echo|printf|which|command|type|realpath|readlink)$/.test(values[0] ?? "")) return null;
	return values.slice(1).filter((value) => !value.startsWith("-")).join(" ");
}
function decide(command, facts) {
	const script = parseShell(command);
	const own = ownUse(command, script, facts);
	if (own.kind === "exact" && (own.reads || facts.ownPermit)) return {
		...decision("host", "own-program", "trai"),
		open: NO_PATHS
	};
	if (own.kind !== "none") return decision("refuse", "own-program-by-model", "trai", ownProgramText(facts.ownPrograms[0] ?? "trai"));
	if (!facts.config.enabled) return withoutSandbox(script, facts);
	if (facts.oneShot) {
		const { parts } = classify(script, facts);
		return hidden(script, facts, parts, {
			...decision("host", "one-shot", "", ONE_SHOT_TEXT),
			usedOneShot: true,
			uses: usesOf(parts)
		});
	}
	if (script.commands.length === 0) return decision("sandbox", isPlain(script) ? "default" : "not-understood");
	const classified = classify(script, facts);
	const made = hidden(script, facts, classified.parts, decideParts(classified, facts.pending));
	if (made.mode !== "sandbox") return made;
	const reaching = reachesHost(script);
	return {
		...made,
		text: reaching === null ? "" : reachText(reaching),
		paths: literalPaths(script, facts.cwd)
	};
}
var NO_PATHS = {
	paths: [],
	trees: []
};
function withoutSandbox(script, facts) {
	const off = decision("host", "config-off", "", CONFIG_OFF_TEXT);
	const { parts, plain } = classify(script, facts);
	if (script.commands.length === 0 || !plain || parts.some((part) => part.kind === "sandboxed")) return {
		...off,
		open: NO_PATHS
	};
	const { open, torn } = hidingFor(script, facts, parts);
	return {
		...off,
		open: torn === "" ? open : NO_PATHS
	};
}
function hidden(script, facts, parts, made) {
	if (made.mode !== "host") return made;
	const { open, torn } = hidingFor(script, facts, parts);
	return torn === "" ? {
		...made,
		open
	} : decision("refuse", "mixed", torn, openBesideText(torn));
}
function decideParts({ parts, plain }, pending) {
	const passthrough = parts.find((part) => part.kind === "passthrough");
	const readers = parts.filter((part) => part.kind === "reader");
	const sandboxed = parts.filter((part) => part.kind === "sandboxed");
	if (plain && sandboxed.length === 0) {
		const asked = parts.find((part) => part.kind === "asked");
		const uses = usesOf(parts);
		if (asked !== void 0 && readers.length === 0) {
			const ask = runsProgramsText(asked.program, asked.because);
			return {
				...decision("host", "runs-programs", asked.program, ask),
				ask,
				uses
			};
		}
		if (passthrough !== void 0 && readers.length === 0) {
			const text = hostText(passthrough.program, pending);
			return {
				...decision("host", "passthrough", passthrough.program, text),
				uses
			};
		}
		if (!parts.some((part) => part.kind === "asked" || part.kind === "passthrough" && part.writes)) {
			if (pending) return decision("sandbox", "default");
			return decision("host", "read-only", passthrough?.program ?? parts[0]?.program ?? "");
		}
	}
	const torn = parts.find((part) => isTorn(part, parts.length > 1 || !plain));
	if (torn !== void 0) {
		const others = [...sandboxed, ...readers].map((part) => part.program);
		return decision("refuse", "mixed", torn.program, mixedText(torn.program, others));
	}
	return decision("sandbox", plain ? "default" : "not-understood");
}
function usesOf(parts) {
	const uses = parts.flatMap((part) => "use" in part && part.use !== null ? [part.use] : []);
	return parts.length === 1 ? uses : uses.map((use) => ({
		...use,
		losses: use.losses.flatMap(besideOthers)
	}));
}
function besideOthers(loss) {
	if (loss.kind !== "stash") return [loss];
	return [
		{
			kind: "stash",
			entry: null
		},
		{
			kind: "tree",
			unlessRef: null
		},
		{
			kind: "untracked",
			clean: ["-d"]
		}
	];
}
function isTorn(part, compound) {
	if (part.kind === "passthrough") return part.writes && compound;
	if (part.kind === "asked") return compound;
	return part.kind === "sandboxed" && part.blocked;
}
function decision(mode, reason, program = "", text = "") {
	return {
		mode,
		reason,
		program,
		text,
		usedOneShot: false,
		ask: "",
		uses: [],
		open: null,
		paths: []
	};
}
var MAX_NAMES = 2e3;
function judgeFacts({ view, home, config, runs }) {
	let seen;
	const parts = () => {
		if (seen === void 0) seen = view === "none" ? null : viewOrDamaged(view);
		return seen;
	};
	const inView = (path) => {
		const side = parts();
		return side === "damaged" ? null : require_cli.orNull(() => require_resolve.resolvePath(side, require_cli.fromText(path)));
	};
	return {
		home,
		now: Date.now(),
		readOnly: config.readOnly,
		runs,
		resolve(path) {
			const onHost = textOf$1(require_cli.orNull(() => require_resolve.resolvePath(null, require_cli.fromText(path))));
			const pending = parts() === null ? onHost : textOf$1(inView(path));
			return onHost === null || pending === null ? null : [.../* @__PURE__ */ new Set([onHost, pending])];
		},
		names(dir) {
			const [at, side] = [inView(dir), parts()];
			return at === null || side === "damaged" ? null : namesIn(side, at);
		},
		isPending(path) {
			const at = inView(path);
			if (view === "none") return runs === "sandbox" && at !== null && staysPending(at, config);
			const side = parts();
			return at !== null && side !== null && side !== "damaged" && require_resolve.upperOf(side, at) !== null;
		}
	};
}
function whereItRuns(command, cwd, { home, config }) {
	return decide(command, {
		cwd,
		home,
		ownPrograms: [],
		ownPermit: false,
		oneShot: false,
		pending: true,
		config
	}).mode;
}
var KERNEL_DIRS = [
	"/dev",
	"/proc",
	"/sys"
];
function staysPending(path, { enabled, scratch }) {
	return enabled && ![...KERNEL_DIRS, ...scratch.map(require_cli.fromText)].some((dir) => require_cli.isWithin(path, dir));
}
function viewOrDamaged(view) {
	try {
		return view();
	} catch {
		return "damaged";
	}
}
function namesIn(view, dir) {
	const names = new Set(require_cli.namesOrNone(dir));
	const upper = view === null ? null : require_resolve.upperOf(view, dir);
	if (upper !== null) for (const name of require_cli.namesOrNone(upper)) {
		const entry = require_cli.lstatOrNone(require_cli.joinPath(upper, name));
		if (entry !== null && !require_cli.isWhiteout(entry)) names.add(name);
	}
	if (names.size > MAX_NAMES) return null;
	const texts = [...names].map((name) => textOf$1(name));
	return texts.includes(null) ? null : texts.filter((text) => text !== null);
}
function textOf$1(path) {
	if (path === null) return null;
	const text = require_cli.toText(path);
	return require_cli.fromText(text) === path ? text : null;
}
function matchHistory(rule, decisions, set, facts) {
	const whole = decisions.filter(({ cut }) => cut === 0);
	const mayCount = mayDecide(rule);
	const open = /* @__PURE__ */ new Map();
	for (const call of whole) if (mayCount(call)) open.set(keyOf$1(call), callOf$2(call, rule.rule));
	const verdicts = judgeAll([...open.values()], aloneSet(rule, set), facts);
	const found = new Set([...open.keys()].filter((_key, i) => isBy(rule, verdicts[i])));
	return {
		looked: whole.length,
		matched: whole.filter((call) => found.has(keyOf$1(call)))
	};
}
function keyOf$1({ tool, cwd, subject }) {
	return `${tool}\0${cwd}\0${subject}`;
}
function ruleHistory(rule, decisions, set, facts) {
	const { looked, matched } = matchHistory(rule, decisions, set, facts);
	const byText = new Map(matched.map((call) => [`${call.tool} ${call.subject}`, call]));
	return {
		looked,
		matched: matched.length,
		asked: matched.filter(({ decision }) => decision === "ask" || decision === "pass").length,
		denied: matched.filter(({ outcome }) => outcome === "denied").length,
		newest: [...byText.values()].slice(-10).reverse()
	};
}
function isBy({ ref }, verdict) {
	if (verdict?.decision !== ref.list) return false;
	return verdict.rule?.hash === ref.hash || verdict.segments.some((one) => one.rule?.hash === ref.hash);
}
function mayDecide(rule) {
	const tools = /* @__PURE__ */ new Map();
	const mayMatch = textsThatMayMatch(rule);
	return ({ tool, subject, cut }) => {
		const isNamed = tools.get(tool) ?? isAbout(rule, tool);
		tools.set(tool, isNamed);
		return cut === 0 && isNamed && (!require_read.isShell(tool) || mayMatch(subject));
	};
}
function isAbout({ tool: pattern }, tool) {
	const guard = new Guard();
	return pattern === null || guard.run(() => guard.test(pattern, tool)) !== false;
}
var OTHER = /\$'|\{\w\.\.|[^\t\n\x20-\x7e]/;
var SPECIAL = /[$`{*?[]/;
var QUOTES = /\\\n|["'\\]/g;
var ADDED = "$@";
function textsThatMayMatch({ match }) {
	const parts = (match.find(([field]) => field === "command")?.[1].literals ?? []).map((literal) => {
		const words = literal.replaceAll(ADDED, " ").replace(QUOTES, "").split(/\s+/);
		return {
			words,
			characters: [...words.join("")]
		};
	});
	return (subject) => {
		if (parts.length === 0 || OTHER.test(subject)) return true;
		const text = subject.replace(QUOTES, "");
		const bare = text.includes("<") ? `${text} cat` : text;
		const isSpecial = SPECIAL.test(subject);
		return parts.some(({ words, characters }) => (isSpecial ? characters : words).every((one) => bare.includes(one)));
	};
}
function aloneSet(rule, set) {
	const alone = {
		...rule,
		until: null
	};
	const isDeny = rule.ref.list === "deny";
	return {
		...set,
		enabled: true,
		sandboxed: "ask",
		deny: isDeny ? [alone] : [],
		ordered: isDeny ? [] : [alone]
	};
}
function callOf$2({ tool, subject, cwd }, { modes }) {
	const field = require_cli.fieldOf(tool);
	return {
		tool,
		input: field === null ? recordedInput(subject) : { [field]: subject },
		cwd: cwd === "" ? "/" : cwd,
		mode: modes?.[0] ?? "default"
	};
}
function recordedInput(subject) {
	try {
		return JSON.parse(subject);
	} catch {
		return {};
	}
}
function savedPrompts(decisions, request, config) {
	const set = {
		...require_rule_set.loadRules(request),
		sandboxed: "allow"
	};
	const { home } = request;
	const judged = (call) => {
		const runs = whereItRuns(call.subject, call.cwd, {
			home,
			config
		});
		return judge(callOf$2(call, {}), set, judgeFacts({
			view: "none",
			home,
			config,
			runs
		}));
	};
	const known = /* @__PURE__ */ new Map();
	const saved = [];
	const still = [];
	for (const call of decisions) {
		if (!require_read.isShell(call.tool) || call.decision !== "pass" || call.cut > 0) continue;
		const verdict = known.get(keyOf$1(call)) ?? judged(call);
		known.set(keyOf$1(call), verdict);
		const { decision, why } = verdict;
		if (decision === "allow") saved.push(call);
		else still.push({
			call,
			why
		});
	}
	return {
		saved,
		still
	};
}
async function setSandboxed(at, value) {
	return await changeConfig(at, (content) => {
		const rules = objectIn(content, "rules");
		return rules === null ? null : {
			...content,
			rules: {
				...rules,
				sandboxed: value
			}
		};
	});
}
var ERRORS = /* @__PURE__ */ new Set([
	"unusable",
	"conflict",
	"test"
]);
var UNUSED_MS = 7776e6;
function verifyRules(set, facts, use = null) {
	const rules = set.files.flatMap(rulesOf);
	return [
		...use === null ? [] : set.files.flatMap((file) => unusedIn(file, use, facts.now)),
		...set.files.flatMap(fileFindings),
		...repeated(set.files.flatMap(require_rule_set.countingIn)),
		...shadowed(set),
		...testFindings(rules, set, facts),
		...rules.flatMap((rule) => expired(rule, facts)),
		...rules.flatMap(unknownModes),
		...slowRules(rules),
		...set.files.flatMap((file) => slowEffects(file, {
			home: require_cli.fromText(facts.home),
			projectRoot: set.projectRoot
		}))
	];
}
function rulesOf({ rules }) {
	return (rules === null ? [] : [...rules.deny, ...rules.ordered]).filter(({ rule }) => rule.disabled !== true);
}
function finding(code, { file, list, index }, text) {
	return {
		level: ERRORS.has(code) ? "error" : "warning",
		code,
		file,
		at: `${list}[${index}]`,
		text
	};
}
function fileFindings(own) {
	const { path, trusted, rules } = own;
	const file = require_cli.toDisplay(path);
	const found = require_rule_set.problemsOf(own).map((text) => {
		return {
			level: "error",
			code: "unusable",
			file,
			at: "",
			text
		};
	});
	const dirs = (rules?.allowedDirs ?? []).filter((dir) => !/^(\/|~\/|~$)/.test(dir));
	for (const dir of dirs) found.push({
		level: "warning",
		code: "directory",
		file,
		at: "allowed_dirs",
		text: require_rule_set.FINDING.relative(dir)
	});
	for (const [i, { do: does }] of (require_rule_set.mayCommit(own) ? [] : rules?.effects ?? []).entries()) if (does === "auto") found.push({
		level: "warning",
		code: "effect",
		file,
		at: `effects[${i}]`,
		text: require_rule_set.FINDING.auto
	});
	const waits = rules !== null && (rules.allowedDirs.length > 0 || rules.ordered.some(({ ref }) => ref.list === "allow"));
	if (!trusted && waits) found.push({
		level: "warning",
		code: "untrusted",
		file,
		at: "",
		text: require_rule_set.FINDING.untrusted
	});
	return found;
}
function repeated(rules) {
	const first = /* @__PURE__ */ new Map();
	return rules.flatMap((rule) => {
		const before = first.get(rule.ref.hash);
		if (before === void 0) {
			first.set(rule.ref.hash, rule);
			return [];
		}
		const code = before.ref.list === rule.ref.list ? "duplicate" : "conflict";
		return [finding(code, rule.ref, require_rule_set.FINDING[code](placeOf$2(before.ref)))];
	});
}
function shadowed({ deny, ordered }) {
	const all = /* @__PURE__ */ new Map();
	return [...deny, ...ordered].filter(({ rule }) => rule.disabled !== true).flatMap(({ ref, rule, until }) => {
		const before = all.get(rule.tool ?? "");
		const isBehind = before !== void 0 && (before.list !== "allow" || ref.list === "allow");
		if (isBehind && before.hash !== ref.hash) return [finding("shadowed", ref, require_rule_set.FINDING.shadowed(placeOf$2(before)))];
		if (Object.keys(rule.match ?? {}).length === 0 && rule.modes === void 0 && until === null && rule.tool !== void 0 && !isBehind) all.set(rule.tool, ref);
		return [];
	});
}
function unusedIn(file, { hits, oldest }, now) {
	const before = (/* @__PURE__ */ new Date(now - UNUSED_MS)).toISOString();
	const found = require_cli.orNull(() => require_cli.lstat(file.path));
	const changed = found === null ? now : Number(found.mtimeNs / 1000000n);
	if (oldest === "" || oldest > before || changed > now - UNUSED_MS) return [];
	return rulesOf(file).filter(({ ref }) => (hits.get(hitsKey(ref))?.last ?? "") < before).map(({ ref }) => finding("unused", ref, require_rule_set.FINDING.unused));
}
function placeOf$2({ file, list, index }) {
	return `${list}[${index}] of ${file}`;
}
function expired({ ref, rule, until }, { now }) {
	return until !== null && until < now ? [finding("expired", ref, require_rule_set.FINDING.expired(rule.until ?? ""))] : [];
}
function unknownModes({ ref, rule: { modes } }) {
	const known = require_cli.MODES;
	const unknown = modes?.filter((mode) => !known.includes(mode)) ?? [];
	if (modes?.length === 0) return [finding("mode", ref, require_rule_set.FINDING.noMode)];
	return unknown.length === 0 ? [] : [finding("mode", ref, require_rule_set.FINDING.unknownMode(unknown, known))];
}
var LONG = 4e3;
var PROBES = [
	"a",
	" ",
	"/",
	"-a ",
	"a.",
	"0",
	"ab/",
	"\"a\" "
].map((text) => `${text.repeat(LONG / text.length)}\n!`);
var MOST_SLOW = 5;
function slowRules(rules) {
	const fine = /* @__PURE__ */ new Set();
	const found = [];
	for (const { ref, tool, match } of rules) {
		if (found.length >= MOST_SLOW) break;
		const patterns = [...tool === null ? [] : [tool], ...match.map(([, one]) => one)];
		const slow = patterns.find((one) => !fine.has(one) && isSlow(one));
		if (slow !== void 0) found.push(finding("slow", ref, require_rule_set.FINDING.slow(slow.source)));
		else for (const one of patterns) fine.add(one);
	}
	return found;
}
function isSlow(pattern) {
	const guard = new Guard();
	return guard.run(() => PROBES.some((probe) => guard.test(pattern, probe) === null));
}
var MOST_TESTS_MS = 5e3;
function testFindings(rules, set, facts) {
	const until = performance.now() + MOST_TESTS_MS;
	let slow = 0;
	return rules.flatMap((rule) => {
		const found = [];
		let untried = 0;
		for (const { call, expected } of testsOf(rule)) {
			if (slow >= MOST_SLOW || performance.now() > until) {
				untried += 1;
				continue;
			}
			const verdict = verdictAlone(rule, call, set, facts);
			if (verdict.slow.length > 0) slow += 1;
			if (verdict.decision === rule.ref.list === expected) continue;
			const text = expected ? require_rule_set.FINDING.noMatch(shown(call)) : require_rule_set.FINDING.match(shown(call));
			found.push(finding("test", rule.ref, text));
		}
		return untried === 0 ? found : [...found, finding("slow", rule.ref, require_rule_set.FINDING.untried(untried))];
	});
}
function testsOf({ rule: { tests } }) {
	return [...(tests?.yes ?? []).map((call) => ({
		call,
		expected: true
	})), ...(tests?.no ?? []).map((call) => ({
		call,
		expected: false
	}))];
}
function verdictAlone(rule, test, set, facts) {
	const only = aloneSet(rule, {
		...set,
		builtIn: /* @__PURE__ */ new Set()
	});
	return judge(callOf$1(test, rule.rule, facts.home), only, facts);
}
var PATH_PROBES = [
	`/${"a".repeat(200)}`,
	"/a".repeat(200),
	`/${"a/".repeat(100)}.env`
].map((path) => {
	return {
		path: require_cli.fromText(path),
		isDir: false
	};
});
function slowEffects({ path, rules }, roots) {
	return matchEffects(rules?.effects ?? [], PATH_PROBES, roots).flatMap((found, i) => {
		if (found !== null) return [];
		return [{
			level: "warning",
			code: "slow",
			file: require_cli.toDisplay(path),
			at: `effects[${i}]`,
			text: require_rule_set.FINDING.slowEffect
		}];
	});
}
function callOf$1(test, { modes }, home) {
	const mode = modes?.[0] ?? "default";
	if (typeof test === "string") return {
		tool: "Bash",
		input: { command: test },
		cwd: home,
		mode
	};
	return {
		tool: test.tool,
		input: test.input,
		cwd: home,
		mode
	};
}
function shown(call) {
	return typeof call === "string" ? call : `${call.tool} ${JSON.stringify(call.input)}`;
}
async function importRules(edit, rules, dirs) {
	return await changeFile({
		...edit,
		imported: true
	}, "foreign", (content) => {
		let last = {
			list: "allow",
			index: 0,
			rule: {}
		};
		const written = require_cli.RULE_LISTS.flatMap((list) => listOf(content, list)).filter(require_cli.isObject);
		const sources = new Set(written.map(({ _source_hash: source }) => source));
		const fresh = rules.filter(({ rule: { _source_hash: source } }) => source === void 0 || !sources.has(source));
		for (const { list, rule } of fresh) last = put(content, list, rule);
		const known = content["allowed_dirs"];
		const all = [...Array.isArray(known) ? known : [], ...dirs.map(({ dir }) => dir)];
		if (dirs.length > 0) content["allowed_dirs"] = [...new Set(all)];
		return last;
	});
}
async function changeRules(edit, change) {
	return await changeFile(edit, "own", (content, file) => {
		const { list } = change;
		const rules = listOf(content, list);
		if (change.do === "add") return put(content, list, change.rule);
		const { index } = change;
		const [taken] = index < rules.length ? rules.splice(index, 1) : [];
		if (!require_cli.isObject(taken)) throw require_rule_set.noSuchRule(file, `${list}[${index}]`, rules.length);
		content[list] = rules;
		if (change.do === "remove") return {
			list,
			index,
			rule: taken
		};
		if (change.do === "move") {
			const at = Math.min(change.before, rules.length);
			rules.splice(at, 0, taken);
			return {
				list,
				index: at,
				rule: taken
			};
		}
		const own = Object.entries(taken).filter(([key]) => !require_cli.RULE_KEYS.some((known) => known === key));
		const rule = {
			...change.rule,
			...Object.fromEntries(own)
		};
		if (change.to !== list) return put(content, change.to, rule);
		rules.splice(index, 0, rule);
		return {
			list,
			index,
			rule
		};
	});
}
function put(content, list, rule) {
	const rules = listOf(content, list);
	rules.push(rule);
	content[list] = rules;
	if (list === "ask") content["version"] = 2;
	return {
		list,
		index: rules.length - 1,
		rule
	};
}
async function trustProject(request, seen = null) {
	return await withRulesLock(request.stateDir, async () => {
		const waiting = require_rule_set.loadRules(request).files.filter(({ trusted, hash: content }) => !trusted && content !== null && seen?.some((one) => content.startsWith(one)) !== false);
		const hashes = waiting.flatMap(({ hash: content }) => content === null ? [] : [content]);
		await require_rule_set.trustContent(request.stateDir, request.project.id, hashes);
		return waiting;
	});
}
var lockOf = (stateDir) => `${stateDir}/rules.lock`;
async function withRulesLock(stateDir, work) {
	require_cli.ensureStateDir(stateDir);
	try {
		return await require_cli.withFileLock(lockOf(stateDir), work, 5);
	} catch (error) {
		throw error instanceof require_cli.TraiError && error.code === "busy" ? require_rule_set.rulesBusy(error, 5) : error;
	}
}
async function changeFile(edit, kind, change) {
	const { request, scope } = edit;
	return await withRulesLock(request.stateDir, async () => {
		const place = placeOf$1(edit);
		const file = require_cli.toDisplay(place.path);
		const identity = require_rule_set.identitiesOf([place.path]);
		const before = require_rule_set.loadRules(request);
		const old = before.files.find(({ path }) => path === place.path);
		if (old !== void 0 && old.state !== "missing" && old.state !== "good") throw require_rule_set.ruleFileUnusable(file, old.problems[0] ?? "");
		const text = textOf(place.path);
		if (!(edit.seen === void 0 || edit.seen === (text === null ? "" : (0, node_crypto.hash)("sha256", text))) || require_rule_set.identitiesOf([place.path]) !== identity) throw require_rule_set.ruleFileChanged(file);
		const [twice] = require_rule_set.repeatedKeys(text ?? "");
		if (twice !== void 0) throw require_rule_set.ruleFileRepeats(file, twice.key);
		const content = text === null ? { version: 2 } : contentOf(text);
		const done = change(content, file);
		const next = `${JSON.stringify(content, null, 2)}\n`;
		const trusted = scope !== "project" || kind === "own" && (text === null || old?.trusted === true);
		const replacement = {
			edit,
			place,
			before,
			text,
			next,
			identity,
			trusted
		};
		const findings = await require_cli.writing(file, () => replaceVerified(replacement));
		await require_cli.syncPath(require_cli.fsPath(require_cli.parentOf(place.path)));
		const left = findings.filter((one) => one.code !== "untrusted" || one.file !== file || !trusted);
		return {
			file,
			...done,
			findings: left,
			trusted
		};
	});
}
function placeOf$1({ request, scope, imported = false }) {
	const place = require_rule_set.rulePlaces({
		...request,
		projectRoot: request.project.root
	}).find((one) => one.scope === scope && one.imported === imported);
	if (place === void 0) throw new require_cli.TraiError("internal", `no place for the scope ${scope}`);
	return place;
}
function textOf(path) {
	return require_cli.readPlainFile(Buffer.from(path, "latin1"))?.toString("utf8") ?? null;
}
function contentOf(text) {
	const value = JSON.parse(text.replace(/^\uFEFF/, ""));
	return require_cli.isObject(value) ? value : { version: 2 };
}
function listOf(content, list) {
	const rules = content[list];
	return Array.isArray(rules) ? rules : [];
}
async function replaceVerified(replacement) {
	const { edit, place, before, text, next, identity, trusted } = replacement;
	const { request, facts } = edit;
	const path = place.path;
	(0, node_fs.mkdirSync)(require_cli.fsPath(require_cli.parentOf(path)), {
		recursive: true,
		mode: place.scope === "project" ? 511 : 448
	});
	const backup = `${request.stateDir}/rules/${(0, node_crypto.hash)("sha256", Buffer.from(path, "latin1"))}.before.json`;
	(0, node_fs.mkdirSync)((0, node_path.dirname)(backup), {
		recursive: true,
		mode: 448
	});
	if (text !== null) await require_cli.writing(backup, () => require_cli.replaceFile(backup, text));
	const beside = besideOf(path, request.stateDir);
	(0, node_fs.rmSync)(require_cli.fsPath(beside), { force: true });
	try {
		await require_cli.writeNewFile(require_cli.fsPath(beside), next);
		const files = new require_rule_set.RuleFiles(request.stateDir, /* @__PURE__ */ new Map([[path, beside]]));
		const findings = verifyRules(require_rule_set.loadRules(request, files), facts);
		const fresh = freshErrors(verifyRules(before, facts), findings);
		if (fresh.length > 0) throw require_rule_set.wouldBreak(require_cli.toDisplay(path), fresh);
		if (place.scope === "project" && trusted) await require_rule_set.trustContent(request.stateDir, request.project.id, [(0, node_crypto.hash)("sha256", next)]);
		(0, node_fs.chmodSync)(require_cli.fsPath(beside), modeOf(place));
		if (require_rule_set.identitiesOf([path]) !== identity) throw require_rule_set.ruleFileChanged(require_cli.toDisplay(path));
		(0, node_fs.renameSync)(require_cli.fsPath(beside), require_cli.fsPath(path));
		return findings;
	} catch (error) {
		require_cli.orNull(() => (0, node_fs.rmSync)(require_cli.fsPath(beside), { force: true }));
		throw error;
	}
}
function besideOf(path, stateDir) {
	const lock = require_cli.lstat(require_cli.fromText(lockOf(stateDir)));
	const name = (0, node_crypto.hash)("sha256", `${lock?.dev} ${lock?.ino}`).slice(0, 12);
	return require_cli.joinPath(require_cli.parentOf(path), `.${require_cli.nameOf(path)}.${name}`);
}
function freshErrors(before, after) {
	const like = (list, one) => list.filter(({ level, code, file }) => level === "error" && code === one.code && file === one.file);
	return after.filter((one) => one.level === "error" && like(after, one).length > like(before, one).length);
}
function modeOf({ scope, path }) {
	const found = require_cli.orNull(() => require_cli.lstat(path));
	return found === null ? scope === "project" ? 420 : 384 : found.mode & 511;
}
var PLAIN_WORDS = "( [\\w./:=@%+,~-]+)*";
function widened(allowed) {
	const start = startOf(allowed);
	if (start === "" || isOpen(start)) return null;
	const pattern = `${literal(start)}${PLAIN_WORDS}`;
	return new RegExp(`^${pattern}$`).test(allowed) ? pattern : null;
}
var WITH_SUBCOMMAND = /^(git|gh|npm|pnpm|yarn|bun|npx|pnpx|cargo|go|docker|podman|kubectl|helm|terraform|make|just|pip|pip3|uv|poetry|apt|apt-get|brew|systemctl|dotnet|mvn|gradle|rake|bundle|composer|deno|rustup|aws|gcloud|az)$/;
var WITH_SECOND = /^((npm|pnpm|yarn|bun) run|docker compose|uv (run|pip)|poetry run|gh \w+|aws \w+|gcloud \w+|az \w+)$/;
var OPEN = /^((ba|z|da|k|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|sed|sudo|doas|su|env|xargs|find|parallel|script|watch|eval|exec|source|\.|ssh|scp|rsync|curl|wget|nc|rm|dd|mv|chmod|chown|kill|pkill|killall|mkfs.*|npx|pnpx)$/;
var OPEN_SUBCOMMAND = /^((docker|podman|go) run|(npm|bun) x|(pnpm|yarn) dlx|(uv|poetry|npm|pnpm|yarn|bun) run|git config|gh api)$/;
var WORD = /^[A-Za-z0-9][\w.:@+-]*$/;
function startOf(allowed) {
	const [program = "", first = "", second = ""] = allowed.split(" ");
	if (!/^[\w./~@+-]+$/.test(program)) return "";
	const name = node_path.posix.basename(program);
	if (!WITH_SUBCOMMAND.test(name) || !WORD.test(first)) return program;
	return WITH_SECOND.test(`${name} ${first}`) && WORD.test(second) ? `${program} ${first} ${second}` : `${program} ${first}`;
}
function isOpen(start) {
	const [program = "", ...more] = start.split(" ");
	const name = node_path.posix.basename(program);
	return more.length === 0 && WITH_SUBCOMMAND.test(name) || [name, ...more].some((word) => OPEN.test(word)) || OPEN_SUBCOMMAND.test([name, ...more].join(" "));
}
function literal(text) {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
var IMPORT_SOURCES = ["passthru", "settings"];
function planImport(from, request) {
	const { files } = request.set;
	const known = new Set(files.flatMap(({ rules }) => [...rules?.deny ?? [], ...rules?.ordered ?? []].map(({ rule }) => rule._source_hash ?? "")));
	const found = from === "settings" ? ofSettings(request) : ofPassthru(request);
	const isFresh = ({ rule }) => !known.has(rule._source_hash ?? "");
	const freshRules = found.rules.filter(isFresh);
	const { agreeing, left } = withoutContradictions(freshRules, files);
	const fresh = new Map(agreeing.map((one) => [`${one.scope} ${one.rule._source_hash}`, one]));
	const dirsOf = (of) => files.flatMap(({ scope, rules }) => scope === of ? rules?.allowedDirs ?? [] : []);
	const newDirs = found.dirs.filter(({ scope, dir }) => !dirsOf(scope).includes(dir));
	const freshDirs = new Map(newDirs.map((one) => [`${one.scope} ${one.dir}`, one]));
	return {
		rules: [...fresh.values()],
		dirs: [...freshDirs.values()],
		left: [...found.left, ...left],
		known: found.rules.length - freshRules.length + found.dirs.length - newDirs.length
	};
}
function withoutContradictions(rules, files) {
	const lists = /* @__PURE__ */ new Map();
	for (const file of files) for (const { ref } of require_rule_set.countingIn(file)) lists.set(ref.hash, ref.list);
	for (const list of require_cli.RULE_LISTS) for (const one of rules) if (one.list === list && !lists.has(require_rule_set.ruleHash(one.rule))) lists.set(require_rule_set.ruleHash(one.rule), list);
	const agrees = (one) => lists.get(require_rule_set.ruleHash(one.rule)) === one.list;
	const left = rules.filter((one) => !agrees(one)).map(({ entry, file }) => ({
		entry,
		file,
		why: require_rule_set.IMPORT.contradicts
	}));
	return {
		agreeing: rules.filter(agrees),
		left
	};
}
function ofPassthru({ env, home, projectRoot }) {
	const user = require_cli.absolute(env, "CLAUDE_CONFIG_DIR") ?? (0, node_path.join)(home, ".claude");
	const files = ["passthru.json", "passthru.imported.json"].flatMap((name) => [{
		scope: "user",
		file: (0, node_path.join)(user, name)
	}, {
		scope: "project",
		file: (0, node_path.join)(projectRoot, ".claude", name)
	}]);
	const found = {
		rules: [],
		dirs: [],
		left: []
	};
	for (const { scope, file } of files) {
		const content = require_settings.readSmallJson(file) ?? null;
		if (content === null) continue;
		const [problem] = require_cli.ruleFileProblems(content);
		if (problem !== void 0 || !require_cli.isObject(content)) {
			found.left.push({
				entry: file,
				file,
				why: problem ?? ""
			});
			continue;
		}
		for (const list of require_cli.RULE_LISTS) {
			const rules = content[list];
			const isRead = Array.isArray(rules) && (list !== "ask" || content["version"] !== 1);
			for (const rule of isRead ? rules : []) {
				const _source_hash = rule._source_hash ?? (0, node_crypto.hash)("sha256", `passthru\0${list}\0${JSON.stringify(rule)}`);
				const why = require_rule_set.ruleProblem(rule, list);
				if (why !== "") found.left.push({
					entry: require_rule_set.ruleText(rule),
					file,
					why
				});
				else found.rules.push({
					scope,
					list,
					rule: {
						...rule,
						_source_hash
					},
					entry: rule.tool ?? "*",
					file
				});
			}
		}
		const dirs = content["allowed_dirs"];
		for (const dir of Array.isArray(dirs) ? dirs : []) addDir(found, {
			scope,
			dir,
			file
		}, "allowed_dirs");
	}
	return found;
}
function ofSettings({ env, home, projectRoot }) {
	const place = {
		env,
		home,
		projectRoot
	};
	const found = {
		rules: [],
		dirs: [],
		left: []
	};
	for (const one of require_settings.settingsEntries(place)) {
		const made = ruleOfEntry(one, {
			home,
			projectRoot
		});
		const { list, entry, file } = one;
		if (typeof made === "string") found.left.push({
			entry,
			file,
			why: made
		});
		else if (one.scope === "local" && list === "allow" && !isInProject(made, projectRoot)) found.left.push({
			entry,
			file,
			why: require_rule_set.IMPORT.local
		});
		else {
			const scope = one.scope === "project" ? "project" : "user";
			const _source_hash = (0, node_crypto.hash)("sha256", `settings\0${list}\0${entry.trim()}\0${scope}`);
			found.rules.push({
				scope,
				list,
				rule: {
					...made,
					_source_hash
				},
				entry,
				file
			});
		}
	}
	for (const { scope, dir, file } of require_settings.settingsDirs(place)) {
		const key = "additionalDirectories";
		if (scope === "local") found.left.push({
			entry: `${key}: ${dir}`,
			file,
			why: require_rule_set.IMPORT.localDir
		});
		else addDir(found, {
			scope: scope === "project" ? "project" : "user",
			dir,
			file
		}, key);
	}
	return found;
}
function addDir({ dirs, left }, one, key) {
	const entry = `${key}: ${one.dir}`;
	if (/^(\/|~\/|~$)/.test(one.dir)) dirs.push(one);
	else left.push({
		entry,
		file: one.file,
		why: require_rule_set.IMPORT.relativeDir
	});
}
function isInProject({ match = {} }, projectRoot) {
	const start = `^${literal(projectRoot === "/" ? "" : projectRoot)}/`;
	return Object.values(match).some((pattern) => pattern.startsWith(start));
}
function ruleOfEntry(one, where) {
	const [, tool = "", spec] = /^([^()]+?)(?:\((.*)\))?$/s.exec(one.entry.trim()) ?? [];
	if (tool === "" || spec === "") return require_rule_set.IMPORT.notUnderstood;
	const name = toolPattern(tool);
	if (spec === void 0 || spec === "*") return { tool: name };
	if (tool === "Bash") return {
		tool: name,
		match: { command: commandPattern(spec) }
	};
	if (tool === "WebFetch") {
		const domain = /^domain:([A-Za-z0-9.*-]+)$/.exec(spec)?.[1];
		if (domain === void 0) return require_rule_set.IMPORT.notUnderstood;
		return {
			tool: name,
			match: { url: `^https?://${domain.split("*").map(literal).join("[^./:@?#]*")}(:\\d+)?([/?#]|$)` }
		};
	}
	if (tool === "Skill") return spec.includes("*") ? require_rule_set.IMPORT.notUnderstood : {
		tool: name,
		match: { skill: `^${literal(spec)}$` }
	};
	const about = PATH_TOOLS.get(tool);
	if (about === void 0) return require_rule_set.IMPORT.notUnderstood;
	const [tools, field] = about;
	const { pattern, why } = pathPattern(spec, one, where);
	return pattern === void 0 ? why : {
		tool: tools,
		match: { [field]: pattern }
	};
}
function toolPattern(tool) {
	if (tool === "Edit") return "^(Edit|MultiEdit|Write|NotebookEdit)$";
	if (tool === "Read") return "^(Read|Grep|Glob|LS|NotebookRead)$";
	if (/^mcp__[^_*]+(_[^_*]+)*$/.test(tool)) return `^${literal(tool)}(__.*)?$`;
	return `^${tool.split("*").map(literal).join(".*")}$`;
}
function commandPattern(spec) {
	const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
	const shape = (text) => text.split("*").map(literal).join("[\\s\\S]*");
	return prefix === void 0 ? `^${shape(spec)}$` : `^${shape(prefix)}( [\\s\\S]*)?$`;
}
var PATH_TOOLS = /* @__PURE__ */ new Map([
	["Read", ["^Read$", "file_path"]],
	["Edit", ["^(Edit|MultiEdit|Write)$", "file_path"]],
	["MultiEdit", ["^MultiEdit$", "file_path"]],
	["Write", ["^Write$", "file_path"]],
	["NotebookEdit", ["^NotebookEdit$", "notebook_path"]]
]);
function pathPattern(spec, { scope, file, list }, where) {
	if (/[[\]!{}]/.test(spec)) return { why: require_rule_set.IMPORT.glob };
	const isOfProject = scope === "project" || scope === "local";
	const base = isOfProject ? where.projectRoot : node_path.posix.dirname(file);
	const isAnywhere = !spec.includes("/") || spec.startsWith("**/");
	const isWider = isAnywhere && list !== "allow";
	if (!/^(\/|~\/)/.test(spec) && !isOfProject && !isWider) return { why: require_rule_set.IMPORT.relative };
	return { pattern: `^${globPattern(spec.startsWith("//") ? spec.slice(1) : spec.startsWith("~/") ? (0, node_path.join)(where.home, spec.slice(2)) : spec.startsWith("/") ? (0, node_path.join)(base, spec) : isAnywhere ? (0, node_path.join)(isWider ? "/" : where.projectRoot, "**", spec.replace(/^\*\*\//, "")) : (0, node_path.join)(where.projectRoot, spec))}$` };
}
function globPattern(glob) {
	const named = glob.endsWith("/") ? `${glob}**` : glob;
	const pattern = named.split(/(\/\*\*\/|\*\*|\*|\?)/).map((part) => {
		if (part === "/**/") return "/(.*/)?";
		if (part === "**") return ".*";
		if (part === "*") return "[^/]*";
		return part === "?" ? "[^/]" : literal(part);
	}).join("");
	return /[*?]/.test(named) ? pattern : `${pattern}(/.*)?`;
}
async function dismissImports({ stateDir, project }, plans) {
	return await withRulesLock(stateDir, async () => {
		const before = readDismissed(stateDir);
		const known = new Set(before.map(keyOf));
		const fresh = plans.flatMap((plan) => itemsOf(plan, project.id)).filter((one) => !known.has(keyOf(one)));
		const dismissed = [...before, ...fresh].slice(-2e4);
		const file = fileOf(stateDir);
		const text = `${JSON.stringify({
			v: 1,
			dismissed
		})}\n`;
		if (fresh.length > 0) await require_cli.writing(file, () => require_cli.replaceFile(file, text));
		return fresh.length;
	});
}
function itemsOf({ rules, dirs }, project) {
	const owner = (scope) => scope === "user" ? "" : project;
	return [...rules.map(({ scope, rule }) => ({
		project: owner(scope),
		hash: rule._source_hash ?? ""
	})), ...dirs.map(({ scope, dir }) => ({
		project: owner(scope),
		hash: (0, node_crypto.hash)("sha256", `dir\0${dir}`)
	}))];
}
var keyOf = (one) => `${one.project} ${one.hash}`;
var fileOf = (stateDir) => `${stateDir}/dismissed-imports.json`;
function readDismissed(stateDir) {
	const value = require_cli.orNull(() => require_cli.readPlainJson(fileOf(stateDir)));
	const list = require_cli.isObject(value) && value["v"] === 1 ? value["dismissed"] : null;
	return Array.isArray(list) ? list.filter(isDismissed) : [];
}
function isDismissed(value) {
	return require_cli.isObject(value) && ["project", "hash"].every((key) => typeof value[key] === "string");
}
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
	const head = newest.length === calls.length ? require_cli.countText(calls.length, "call") : `The last ${newest.length} of ${calls.length} calls`;
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
	return `${style.dim(require_cli.clockText(tool.at).padEnd(8))} ${said}          ${tool.tool} ${oneLine(tool.subject)}${outcome}${byText(tool, style)}`;
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
	return `${decision === "pass" ? "left to" : decision === "ask" ? "asked about by" : `${DECISIONS[decision]} by`} ${named}${part}${answered === null ? "" : answerText(answered)}`;
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
function answerText({ end, by }) {
	return ANSWERS[end] === "" ? "" : `; ${ANSWERS[end]} by you ${PLACES[by]}`;
}
function callLine(call, style, wrote) {
	const at = require_cli.clockText(call.startedAt ?? call.requestedAt ?? "");
	const place = call.mode === "host" ? style.yellow("host   ") : call.mode === "refuse" ? style.red("refused") : "sandbox";
	const exit = call.rc === null ? " ".repeat(8) : (call.rc === 0 ? style.green : style.red)(`exit ${String(call.rc).padEnd(3)}`);
	const time = call.ms === null ? "" : style.dim(` ${require_cli.durationText(call.ms)}`);
	const state = STATES[call.state];
	const reach = call.mode === "sandbox" && call.text !== "" ? ` ${style.yellow("may act on the host")}` : "";
	const ended = state === "" ? "" : ` ${call.state === "unsandboxed" ? style.red(state) : style.dim(state)}`;
	const pending = wrote === 0 ? "" : ` ${style.cyan(`${wrote} pending`)}`;
	const said = call.state === "unsandboxed" ? ended : ended + reach + byText(call.permission, style);
	return `${style.dim(at.padEnd(8))} ${place} ${exit} ${oneLine(require_read.shownCommand(call))}${time}${said}${pending}${leftText(call, style)}`;
}
function leftText({ left, gone }, style) {
	const running = left.filter((pid) => !gone.includes(pid)).length;
	return running === 0 ? "" : ` ${style.yellow(`${require_cli.countText(running, "process", "processes")} of it still running: trai ps`)}`;
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
	for (const process of processes) require_draft.addTo(byCall, process.call, process);
	const lines = [`${require_cli.countText(processes.length, "process", "processes")} of session ${style.bold(session)} running`];
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
	const at = require_cli.clockText(call.startedAt ?? "");
	const state = call.state === "running" ? "running since" : "ended, started at";
	return `  ${oneLine(call.command)} ${style.dim(`(call ${call.id}, ${state} ${at})`)}`;
}
function processLine({ pid, seconds, ports, command }, style) {
	const age = require_cli.durationText(seconds * 1e3).padEnd(12);
	const listens = ports.length === 0 ? "" : `${style.cyan(ports.map((port) => `:${port}`).join(" "))}  `;
	return `  ${String(pid).padStart(9)}  ${style.dim(age)} ${listens}${command}`;
}
var NAMED = 20;
function groupByCall(changes, calls) {
	const known = new Map(calls.map(({ id, command }, order) => [id, {
		command,
		order
	}]));
	const groups = /* @__PURE__ */ new Map();
	for (const change of changes) {
		if (change.ignored !== null) continue;
		const { by = [] } = change;
		const key = by.join(" ");
		const commands = by.map((id) => known.get(id)?.command ?? "");
		const group = groups.get(key) ?? {
			calls: by,
			commands,
			changes: []
		};
		group.changes.push(change);
		groups.set(key, group);
	}
	const order = ({ calls: [first] }) => first === void 0 ? Number.POSITIVE_INFINITY : known.get(first)?.order ?? -1;
	const rank = (a, b) => order(a) === order(b) ? 0 : order(a) - order(b);
	return [...groups.values()].sort(rank);
}
function byCallText(groups, projectRoot, style) {
	if (groups.length === 0) return "Nothing is pending.";
	return groups.map((group) => {
		const lines = [...headLines(group, style)];
		for (const change of group.changes.slice(0, NAMED)) lines.push(changeLine(change, projectRoot, style));
		const more = group.changes.length - NAMED;
		if (more > 0) lines.push(style.dim(`  … and ${more} more`));
		return lines.join("\n");
	}).join("\n\n");
}
function headLines({ calls, commands, changes }, style) {
	const count = require_cli.countText(changes.length, "change");
	if (calls.length === 0) return [style.bold(`${count}; call unknown`)];
	const named = calls.map((id, i) => `${oneLine(commands[i] || "(a call of another session)")} ${style.dim(id)}`);
	if (named.length === 1) return [style.bold(`${count} by `) + (named[0] ?? "")];
	return [style.bold(`${count} by one of ${named.length} calls:`), ...named.map((name) => `  | ${name}`)];
}
function placeOf(cli) {
	const { config, problems } = require_cli.loadConfig(cli.env);
	for (const { text } of problems) cli.remark(text);
	const project = require_cli.projectOf(cli.dir);
	const home = require_cli.homeDir(cli.env);
	return {
		config,
		request: {
			env: cli.env,
			stateDir: cli.state,
			project,
			session: cli.session,
			home,
			config
		},
		projectRoot: require_cli.toText(project.root)
	};
}
function factsOf({ config, request: { home } }, runs = null) {
	return judgeFacts({
		view: "none",
		home,
		config,
		runs
	});
}
function patternOf(command, source) {
	if (source === void 0) return null;
	try {
		return require_rule_set.compilePattern(source).regexp;
	} catch (error) {
		if (!(error instanceof require_rule_set.PatternError)) throw error;
		throw require_cli.badUsage(command, require_cli.USAGE.noPattern(source, error.message));
	}
}
var NEVER = {
	hits: 0,
	last: ""
};
function listRules(set, { rules: { builtIn, enabled } }, hits, now) {
	const ofFiles = set.files.flatMap((file) => [...file.rules?.deny ?? [], ...file.rules?.ordered ?? []].map(({ ref, rule, until }) => {
		const isOn = rule.disabled !== true && (until === null || until >= now);
		const counts = enabled && isOn && (file.trusted || ref.list !== "allow");
		return {
			ref,
			rule,
			source: file.imported ? "imported" : "authored",
			counts,
			...hits.get(hitsKey(ref)) ?? NEVER
		};
	}));
	const own = builtIn.map((name) => {
		const ref = builtInRef(name);
		const { hits: count, last } = hits.get(hitsKey(ref)) ?? NEVER;
		return {
			ref,
			rule: { tool: name },
			source: "built-in",
			counts: enabled,
			hits: count,
			last
		};
	});
	return [...ofFiles, ...own];
}
function listFiles(files) {
	return files.map((file) => ({
		scope: file.scope,
		imported: file.imported,
		path: require_cli.toDisplay(file.path),
		state: file.state,
		trusted: file.trusted,
		hash: file.hash ?? "",
		problems: require_rule_set.problemsOf(file),
		allowedDirs: file.rules?.allowedDirs ?? [],
		effects: file.rules?.effects ?? []
	}));
}
function ruleLimits({ modes, until }) {
	return [...modes === void 0 ? [] : [`${modes.length === 1 ? "mode" : "modes"} ${modes.join(", ") || "none"}`], ...until === void 0 ? [] : [`until ${until}`]];
}
var LEAST = 3;
var MOST = 20;
var FATES = [
	"written",
	"committed",
	"discarded",
	"undone"
];
function suggestRules({ decisions, set, facts, place, fates }) {
	const groups = /* @__PURE__ */ new Map();
	const known = /* @__PURE__ */ new Map();
	const entries = require_settings.settingsEntries(place);
	const shapeOf = (call) => {
		const asked = callOf$2(call, {});
		const cut = require_read.isShell(call.tool) && require_cli.isObject(asked.input) ? cutText(call.subject, call.cwd, facts.home) : null;
		if (require_settings.settingsSay(asked, cut, entries, place).decision === "allow") return null;
		const { decision, segments } = judge(asked, set, facts);
		if (decision !== "pass") return null;
		if (cut === null) return require_read.isShell(call.tool) ? null : call.tool;
		if (cut.why !== "" || segments.some(({ why }) => why !== "")) return null;
		const open = new Set(segments.flatMap((one) => one.decision === "pass" ? [one.text] : []));
		const shapes = new Set(cut.segments.flatMap(({ text, allowed }) => open.has(text) ? [widened(allowed)] : []));
		const [only = null] = shapes;
		return shapes.size === 1 ? only : null;
	};
	for (const call of decisions) {
		if (call.decision !== "pass" || call.cut > 0 || call.outcome !== "ran" && call.outcome !== "failed") continue;
		const key = keyOf$1(call);
		const shape = known.has(key) ? known.get(key) ?? null : shapeOf(call);
		known.set(key, shape);
		if (shape === null) continue;
		const name = `${call.tool}\0${shape}`;
		groups.set(name, [...groups.get(name) ?? [], call]);
	}
	const found = [...groups].filter(([, calls]) => calls.length >= LEAST).map(([name, calls]) => suggestion(ruleOfShape(name), calls, fates)).sort((a, b) => rankOf(b) - rankOf(a) || b.saved - a.saved).slice(0, MOST);
	const isDenied = ({ rule }) => matchHistory(require_rule_set.compileOne(rule, "allow"), decisions, set, facts).matched.some(({ outcome }) => outcome === "denied");
	return found.filter((one) => !isDenied(one));
}
function ruleOfShape(name) {
	const [tool = "", shape = ""] = name.split("\0");
	return {
		tool: `^${literal(tool)}$`,
		...require_read.isShell(tool) ? { match: { command: `^${shape}$` } } : {}
	};
}
function rankOf({ saved, fate: { written, discarded, undone } }) {
	return written === 0 ? saved : saved * Math.max(0, 1 - (discarded + undone) / written);
}
function suggestion(rule, calls, fates) {
	const fate = {
		written: 0,
		committed: 0,
		discarded: 0,
		undone: 0
	};
	const exits = /* @__PURE__ */ new Map();
	for (const { request, rc } of calls) {
		if (rc !== null) exits.set(rc, (exits.get(rc) ?? 0) + 1);
		const own = fates.get(request);
		for (const kind of own === void 0 ? [] : FATES) fate[kind] += own?.[kind] ?? 0;
	}
	return {
		rule,
		exits: [...exits].map(([rc, count]) => ({
			rc,
			count
		})).sort((a, b) => b.count - a.count || a.rc - b.rc),
		fate,
		saved: calls.length,
		failed: calls.filter(({ outcome }) => outcome === "failed").length,
		sessions: new Set(calls.map(({ session }) => session)).size,
		last: calls.at(-1)?.at ?? "",
		examples: [...new Set(calls.map(({ subject }) => subject))].slice(-3).reverse()
	};
}
var MOST_SESSIONS = 20;
async function fatesIn(decisions, look) {
	const left = decisions.filter(({ tool, decision }) => require_read.isShell(tool) && decision === "pass");
	const sessions = [...new Set(left.map(({ session }) => session).reverse())].slice(0, MOST_SESSIONS);
	const found = /* @__PURE__ */ new Map();
	for (const session of sessions) {
		const fates = await look(session).catch(() => ({}));
		for (const [request, fate] of Object.entries(fates)) found.set(request, fate);
	}
	return found;
}
var UNITS = {
	m: 6e4,
	h: 36e5,
	d: 864e5,
	w: 6048e5
};
function sinceTime(text, now = /* @__PURE__ */ new Date()) {
	const [, count, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
	if (count !== void 0) return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0)).toISOString();
	if (text === "today") return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
	const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(time) ? null : new Date(time).toISOString();
}
function sinceOf(command, text) {
	const found = sinceTime(text);
	if (found === null) throw require_cli.badUsage(command, require_cli.USAGE.noTime(text));
	return found;
}
async function logDecisions(cli, args, command) {
	const since = sinceOf(command, args.options.get("since") ?? "7d");
	const tool = patternOf(command, args.options.get("tool"));
	const event = patternOf(command, args.options.get("event"));
	const found = (await readDecisions({
		stateDir: cli.state,
		since
	})).filter((one) => (tool === null || tool.test(one.tool)) && (event === null || wordsOf(one).some((words) => event.test(words)))).slice(-Number(args.options.get("tail") ?? "50"));
	const lines = found.map((one) => decisionLine(one, cli.style));
	cli.print(lines.length === 0 ? require_cli.RULES.noDecisions : lines.join("\n"), {
		since,
		decisions: found.map((one) => ({
			...one,
			event: eventOf(one)
		}))
	});
	return 0;
}
async function suggest(cli, args, command) {
	const place = placeOf(cli);
	const since = sinceOf(command, args.options.get("since") ?? "30d");
	const decisions = await readDecisions({
		stateDir: cli.state,
		since
	});
	const about = {
		env: cli.env,
		home: place.request.home,
		projectRoot: place.projectRoot
	};
	const facts = factsOf(place, "sandbox");
	const { JOBS } = await Promise.resolve().then(() => require("./jobs.cjs")).then((n) => n.jobs_exports);
	const fates = await fatesIn(decisions, async (session) => {
		return await JOBS.fates(await require_cli.sessionContext(cli.state, session, cli.env), null);
	});
	const found = suggestRules({
		decisions,
		set: require_rule_set.loadRules(place.request),
		facts,
		place: about,
		fates
	});
	const lines = found.flatMap(({ rule, saved, failed, sessions, examples, exits, fate }) => [
		require_cli.RULES.wouldHaveSaved(saved, sessions, failed),
		require_cli.RULES.evidence(exits, fate),
		`  trai rules add user ${require_cli.quoted(rule.tool ?? "")} ${Object.values(rule.match ?? {}).map(require_cli.quoted).join(" ")}`.trimEnd(),
		...examples.map((one) => `    ${oneLine(one)}`)
	]);
	cli.print(lines.length === 0 ? require_cli.RULES.noSuggestions : lines.join("\n"), {
		since,
		suggestions: found
	});
	return 0;
}
function wordsOf(call) {
	const words = [
		eventOf(call),
		call.outcome,
		endingOf(call)
	].filter((word) => word !== "");
	return [...words, words.join(" ")];
}
var EVENT_COLUMNS = 19;
function decisionLine(call, style) {
	const colour = {
		allow: style.green,
		ask: style.cyan,
		deny: style.red,
		pass: style.dim
	}[call.decision];
	const event = colour(eventOf(call).padEnd(EVENT_COLUMNS));
	const ending = endingOf(call);
	const ended = ending === "" ? "" : ` ${style.yellow(ending)}`;
	return `${style.dim(require_cli.minuteText(call.at))} ${event} ${call.tool} ${oneLine(call.subject)}${ended} ${style.dim(`(${permissionText(call)})`)}`;
}
function optimiseLate() {
	if (Number.parseInt(process.versions.node, 10) <= 24) (0, node_v8.setFlagsFromString)("--interrupt-budget=1000000");
}
async function testHistory(cli, args, command) {
	const place = placeOf(cli);
	const [, pattern, extra] = args.words;
	if (extra !== void 0) throw require_cli.badUsage(command, require_cli.USAGE.unexpected(extra));
	const lists = require_cli.RULE_LISTS.filter((list) => args.flags.has(list));
	if (lists.length > 1) throw require_cli.badUsage(command, require_cli.USAGE.twoLists);
	const [list = "allow"] = lists;
	const tool = args.options.get("tool") ?? "Bash";
	const field = args.options.get("field") ?? require_cli.fieldOf(tool);
	if (pattern !== void 0 && field === null) throw require_cli.badUsage(command, require_cli.USAGE.noField(tool));
	patternOf(command, tool);
	patternOf(command, pattern);
	const rule = require_rule_set.compileOne(require_cli.ruleOf(tool, pattern === void 0 || field === null ? void 0 : { [field]: pattern }, ""), list);
	const since = sinceOf(command, args.options.get("since") ?? "90d");
	optimiseLate();
	const { decisions, others } = await readCandidates({
		stateDir: cli.state,
		since
	}, mayDecide(rule));
	const found = ruleHistory(rule, decisions, require_rule_set.loadRules(place.request), factsOf(place));
	found.looked += others;
	const { matched, looked, asked, denied, newest } = found;
	const lines = [require_cli.RULES.matches(matched, looked, asked, denied), ...newest.map(historyLine)];
	cli.print(lines.join("\n"), {
		rule: rule.rule,
		list,
		...found
	});
	return 0;
}
function historyLine({ at, outcome, tool, subject }) {
	return `  ${require_cli.minuteText(at)}  ${outcome.padEnd(11)}  ${tool} ${oneLine(subject)}`;
}
var SCOPES = [
	"all",
	"user",
	"project",
	"session",
	"built-in"
];
async function listAll(cli, args, command) {
	const { config, request } = placeOf(cli);
	const set = require_rule_set.loadRules(request);
	const scope = require_cli.choiceOf(command, args, "scope", SCOPES);
	const list = require_cli.choiceOf(command, args, "list", ["all", ...require_cli.RULE_LISTS]);
	const source = require_cli.choiceOf(command, args, "source", [
		"all",
		"authored",
		"imported"
	]);
	const tool = patternOf(command, args.options.get("tool"));
	const found = listRules(set, config, hitsOf(args.flags.has("hits") ? await readDecisions({
		stateDir: cli.state,
		since: ""
	}) : []), Date.now()).filter((one) => {
		if (scope !== "all" && one.ref.scope !== scope) return false;
		if (list !== "all" && one.ref.list !== list) return false;
		if (source !== "all" && one.source !== source) return false;
		return tool === null || tool.test(one.rule.tool ?? "");
	});
	const files = listFiles(set.files);
	const withHits = args.flags.has("hits");
	const text = args.flags.has("flat") ? found.map(flatLine) : [...groups(found, withHits), ...fileLines(files)];
	if (!set.enabled) cli.remark(require_cli.RULES.off);
	cli.print(text.length === 0 ? require_cli.RULES.none : text.map(inRow).join("\n"), {
		enabled: set.enabled,
		sandboxed: set.sandboxed,
		allowedDirs: set.allowedDirs,
		rules: found.map(({ ref, hits, last, ...rest }) => {
			const use = withHits ? {
				hits,
				last
			} : {};
			return {
				...ref,
				...rest,
				...use
			};
		}),
		files
	});
	return 0;
}
function groups(found, withHits) {
	return require_cli.RULE_LISTS.flatMap((list) => {
		const own = found.filter(({ ref }) => ref.list === list);
		return own.length === 0 ? [] : [list, ...own.map((one) => groupLine(one, withHits))];
	});
}
function groupLine({ ref, rule, source, counts, hits, last }, withHits) {
	const where = source === "built-in" ? "built-in" : `${ref.scope}${source === "imported" ? " (imported)" : ""} ${ref.index}`;
	const reason = ref.reason === "" ? "" : `  # ${ref.reason}`;
	const used = withHits ? `${String(hits).padStart(6)}  ${require_cli.minuteText(last).padEnd(16)}  ` : "";
	const notes = [...ruleLimits(rule), ...counts ? [] : [require_cli.RULES.uncounted]].map((note) => `  (${note})`);
	return `  ${where.padEnd(10)}  ${used}${ref.text}${notes.join("")}${reason}`;
}
function flatLine({ ref, counts }) {
	return [
		ref.list,
		ref.scope,
		String(ref.index),
		counts ? "counts" : require_cli.RULES.uncounted,
		ref.file,
		ref.text
	].join("	");
}
function inRow(text) {
	return text.replaceAll("\n", "\\n");
}
function fileLines(files) {
	return files.flatMap(({ path, state, trusted, hash, problems, allowedDirs, effects }) => {
		if (state === "missing") return [];
		return [
			...problems,
			...allowedDirs.length === 0 ? [] : [require_cli.RULES.allowedDirs(allowedDirs, trusted)],
			...effects.map((effect, i) => `effects[${i}]  ${effectLine(effect)}`),
			...trusted || state === "broken" ? [] : [require_cli.RULES.untrusted(hash)]
		].map((line) => `${path}: ${line}`);
	});
}
function effectLine({ do: does, paths, kinds = [], reason = "" }) {
	return [
		does,
		...paths,
		kinds.length === 0 ? "" : `(${kinds.join(", ")})`,
		reason === "" ? "" : `# ${reason}`
	].filter((part) => part !== "").join("  ");
}
async function testCall(cli, args, command) {
	if (args.flags.has("history")) return await testHistory(cli, args, command);
	const place = placeOf(cli);
	const call = callOf(cli, args, command);
	const text = require_read.isShell(call.tool) && require_cli.isObject(call.input) ? String(call.input["command"]) : null;
	const runs = text === null ? null : whereItRuns(text, cli.cwd, {
		home: place.request.home,
		config: place.config
	});
	const facts = factsOf(place, runs);
	const verdict = judge(call, require_rule_set.loadRules(place.request), facts);
	const cut = text === null ? null : cutText(text, cli.cwd, facts.home);
	const about = {
		env: cli.env,
		home: facts.home,
		projectRoot: place.projectRoot
	};
	const settings = require_settings.settingsSay(call, cut, require_settings.settingsEntries(about), about);
	const said = settings.matches.map(({ list, entry, file }) => `  ${list} ${entry} in ${file}`);
	const lines = [
		`${verdict.decision}: ${verdict.why}`,
		...segmentLines(verdict),
		...runs === null ? [] : [require_cli.RULES.runs[runs]],
		require_cli.RULES.settings[settings.decision],
		...new Set(said)
	];
	cli.print(lines.join("\n"), {
		...verdict,
		runs,
		settings
	});
	return 0;
}
function segmentLines({ segments }) {
	return segments.map(({ text, decision, by, rule, why }) => {
		const from = rule === null ? why === "" ? require_cli.RULES.byNone : why : by === "rule" ? `${rule.list}[${rule.index}] of ${rule.file}` : by;
		return `  ${decision.padEnd(5)}  ${text}  (${from})`;
	});
}
function callOf(cli, args, command) {
	const [, ...words] = args.words;
	const tool = args.options.get("tool") ?? "Bash";
	const file = args.options.get("file");
	const [only = ""] = words;
	const text = words.length === 1 ? only : words.map(require_cli.quoted).join(" ");
	const about = {
		tool,
		cwd: cli.cwd,
		mode: args.options.get("mode") ?? "default"
	};
	if (file !== void 0) return {
		...about,
		input: { file_path: file.startsWith("/") ? file : `${cli.cwd}/${file}` }
	};
	if (!require_read.isShell(tool)) return {
		...about,
		input: text === "" ? {} : inputOf(text, command)
	};
	if (text === "") throw require_cli.badUsage(command, require_cli.USAGE.noCommand);
	return {
		...about,
		input: { command: text }
	};
}
function inputOf(text, command) {
	try {
		return JSON.parse(text);
	} catch {
		throw require_cli.badUsage(command, require_cli.USAGE.noInput(text));
	}
}
async function verify(cli, args, command) {
	const place = placeOf(cli);
	const set = require_rule_set.loadRules(place.request);
	const scope = require_cli.choiceOf(command, args, "scope", SCOPES);
	const files = set.files.filter((file) => scope === "all" || file.scope === scope);
	const names = new Set(files.map(({ path }) => require_cli.toDisplay(path)));
	const decisions = await readDecisions({
		stateDir: cli.state,
		since: ""
	});
	const use = {
		hits: hitsOf(decisions),
		oldest: decisions[0]?.at ?? ""
	};
	const findings = verifyRules(set, factsOf(place), use).filter(({ file }) => names.has(file));
	const errors = findings.filter(({ level }) => level === "error").length;
	const status = errors > 0 ? 1 : findings.length > 0 && args.flags.has("strict") ? 2 : 0;
	const read = files.filter(({ state }) => state !== "missing").length;
	const lines = findings.map(findingLine);
	if (findings.length === 0 && !args.flags.has("quiet")) lines.push(require_cli.RULES.verified(read));
	cli.print(lines.join("\n"), {
		ok: status === 0,
		errors,
		warnings: findings.length - errors,
		files: read,
		findings
	});
	return status;
}
function findingLine({ level, code, file, at, text }) {
	return `${level}: ${[file, at].filter((one) => one !== "").join(" ")}: ${text} [${code}]`;
}
async function add(cli, args, command) {
	const [, scope, tool = "", pattern, reason = "", extra] = args.words;
	const list = listFlag(args, command) ?? "allow";
	const about = await editOf(cli, scope, command);
	if (tool === "") throw require_cli.badUsage(command, require_cli.USAGE.noTool);
	none(extra, command);
	const field = args.options.get("field") ?? require_cli.fieldOf(tool);
	if (pattern !== void 0 && field === null) throw require_cli.badUsage(command, require_cli.USAGE.noField(tool));
	for (const source of [tool, pattern]) patternOf(command, source);
	const edited = await changeRules(about, {
		do: "add",
		list,
		rule: require_cli.ruleOf(tool, pattern === void 0 || field === null ? void 0 : { [field]: pattern }, reason)
	});
	cli.print(editedText(require_cli.RULES.added, edited), edited);
	return 0;
}
async function edit(cli, args, command) {
	const [, scope, named, number, pattern, extra] = args.words;
	const about = await editOf(cli, scope, command, args);
	const { list, index } = placeInFile(named, number, command);
	none(extra, command);
	patternOf(command, pattern);
	const { files } = require_rule_set.loadRules(about.request);
	const file = files.find((one) => one.scope === about.scope && one.imported === (about.imported ?? false));
	const rules = [...file?.rules?.deny ?? [], ...file?.rules?.ordered ?? []];
	const found = rules.find(({ ref }) => ref.list === list && ref.index === index);
	if (file === void 0 || found === void 0) throw require_rule_set.noSuchRule(file === void 0 ? "" : require_cli.toDisplay(file.path), `${list}[${index}]`, rules.filter(({ ref }) => ref.list === list).length);
	const rule = editedRule(found.rule, pattern, args, command);
	const to = listFlag(args, command) ?? list;
	const seen = file.hash ?? "";
	const edited = await changeRules({
		...about,
		seen
	}, {
		do: "replace",
		list,
		index,
		rule,
		to
	});
	cli.print(editedText(require_cli.RULES.changed, edited), edited);
	return 0;
}
function editedRule(old, pattern, { options, flags }, command) {
	const { reason, until, disabled, match, ...rest } = old;
	const fields = Object.keys(match ?? {});
	const field = options.get("field") ?? (fields.length === 1 ? fields[0] : void 0) ?? require_cli.fieldOf(old.tool ?? "") ?? void 0;
	if (pattern !== void 0 && field === void 0) throw require_cli.badUsage(command, require_cli.USAGE.noField(old.tool ?? "*"));
	const nextMatch = pattern === void 0 || field === void 0 ? match : {
		...match,
		[field]: pattern
	};
	const nextReason = options.get("reason") ?? reason ?? "";
	const nextUntil = options.get("until") ?? until ?? "";
	if (flags.has("on") && flags.has("off")) throw require_cli.badUsage(command, require_cli.USAGE.onAndOff);
	const isOff = flags.has("off") || disabled === true && !flags.has("on");
	return {
		...rest,
		...nextMatch === void 0 ? {} : { match: nextMatch },
		...nextReason === "" ? {} : { reason: nextReason },
		...nextUntil === "" ? {} : { until: nextUntil },
		...isOff ? { disabled: true } : {}
	};
}
async function move(cli, args, command) {
	const [, scope, named, number, to = "", extra] = args.words;
	const about = await editOf(cli, scope, command, args);
	const { list, index } = placeInFile(named, number, command);
	none(extra, command);
	if (!INDEX.test(to)) throw require_cli.badUsage(command, require_cli.USAGE.noIndex(to));
	const edited = await changeRules(about, {
		do: "move",
		list,
		index,
		before: Number(to)
	});
	cli.print(editedText(require_cli.RULES.moved, edited), edited);
	return 0;
}
async function remove(cli, args, command) {
	const [, scope, named, number, extra] = args.words;
	const about = await editOf(cli, scope, command, args);
	const { list, index } = placeInFile(named, number, command);
	none(extra, command);
	const edited = await changeRules(about, {
		do: "remove",
		list,
		index
	});
	cli.print(editedText(require_cli.RULES.removed, edited), edited);
	return 0;
}
async function trust(cli, args, command) {
	const seen = args.words.slice(1);
	const odd = seen.find((one) => !HASH.test(one));
	if (odd !== void 0) throw require_cli.badUsage(command, require_cli.USAGE.noHash(odd));
	const { request } = placeOf(cli);
	const waiting = await trustProject(request, seen.length === 0 ? null : seen);
	const present = seen.length === 0 ? [] : require_rule_set.loadRules(request).files;
	const gone = seen.find((one) => !present.some(({ trusted, hash }) => trusted && hash?.startsWith(one)));
	if (gone !== void 0) throw require_rule_set.contentChanged(gone);
	const files = waiting.map(({ path, hash, rules }) => ({
		file: require_cli.toDisplay(path),
		hash: hash ?? "",
		allow: (rules?.ordered ?? []).flatMap(({ ref }) => ref.list === "allow" ? [ref.text] : []),
		allowedDirs: rules?.allowedDirs ?? []
	}));
	const lines = files.flatMap(({ file, hash, allow, allowedDirs }) => [
		require_cli.RULES.trusted(file, hash),
		...allow.map((text) => `  allow  ${text}`),
		...allowedDirs.length === 0 ? [] : [`  ${require_cli.RULES.allowedDirs(allowedDirs, true)}`]
	]);
	cli.print(lines.length === 0 ? require_cli.RULES.nothingToTrust : lines.map(inRow).join("\n"), {
		project: request.project.id,
		files
	});
	return 0;
}
async function importFrom(cli, args, command) {
	const [, named, extra] = args.words;
	none(extra, command);
	const from = IMPORT_SOURCES.find((one) => one === named);
	const place = placeOf(cli);
	const { request, projectRoot } = place;
	const set = require_rule_set.loadRules(request);
	const planOf = (source) => planImport(source, {
		env: cli.env,
		home: request.home,
		projectRoot,
		set
	});
	if (args.flags.has("dismiss")) {
		if (named !== void 0 && from === void 0) throw require_cli.badUsage(command, require_cli.USAGE.noSource(named));
		const dismissed = await dismissImports(request, (from === void 0 ? IMPORT_SOURCES : [from]).map(planOf));
		cli.print(require_cli.RULES.dismissed(dismissed), { dismissed });
		return 0;
	}
	if (from === void 0) throw require_cli.badUsage(command, require_cli.USAGE.noSource(named ?? ""));
	const plan = planOf(from);
	const lines = [
		...plan.rules.map(({ scope, list, rule, entry }) => `  ${scope} ${list}  ${entry}  ->  ${require_rule_set.ruleText(rule)}`),
		...plan.dirs.map(({ scope, dir }) => `  ${scope} allowed_dirs  ${dir}`),
		...plan.left.map(({ entry, file, why }) => require_cli.RULES.leftOut(entry, file, why)),
		require_cli.RULES.importable(plan.rules.length, plan.dirs.length, plan.known)
	];
	const files = [];
	if (args.flags.has("yes")) for (const scope of ["user", "project"]) {
		const rules = plan.rules.filter((one) => one.scope === scope);
		const dirs = plan.dirs.filter((one) => one.scope === scope);
		if (rules.length + dirs.length === 0) continue;
		const { file, findings } = await importRules({
			request,
			facts: factsOf(place),
			scope
		}, rules, dirs);
		files.push(file);
		lines.push(require_cli.RULES.written(file), ...findings.map(findingLine));
	}
	else if (plan.rules.length + plan.dirs.length > 0) lines.push(require_cli.RULES.importWith(from));
	cli.print(lines.join("\n"), {
		...plan,
		files
	});
	return 0;
}
async function sandboxed(cli, args, command) {
	const place = placeOf(cli);
	const [, value, extra] = args.words;
	none(extra, command);
	const { sandboxed: now } = place.config.rules;
	if (value !== void 0 && value !== "ask" && value !== "allow") throw require_cli.badUsage(command, require_cli.USAGE.noSandboxed(value));
	if (value === void 0 || value === "allow" && !args.flags.has("yes")) {
		const since = sinceOf(command, args.options.get("since") ?? "30d");
		const found = savedPrompts(await readDecisions({
			stateDir: cli.state,
			since
		}), place.request, place.config);
		const still = found.still.slice(-10).map(({ call, why }) => `  ${oneLine(call.subject)}  (${why})`);
		const lines = [
			require_cli.RULES.sandboxed[now],
			require_cli.RULES.wouldSave(found.saved.length, found.saved.length + found.still.length),
			...still,
			require_cli.RULES.networkOpen,
			...now === "allow" ? [] : [require_cli.RULES.turnOn]
		];
		cli.print(lines.join("\n"), {
			sandboxed: now,
			since,
			saved: found.saved.length,
			still: found.still
		});
		return value === void 0 ? 0 : 1;
	}
	const file = await setSandboxed(place.request, value);
	cli.print(`${require_cli.RULES.sandboxed[value]}\n${require_cli.RULES.written(file)}`, {
		sandboxed: value,
		file
	});
	return 0;
}
var INDEX = /^\d{1,6}$/;
var HASH = /^[0-9a-f]{8,64}$/;
function placeInFile(named = "", number = "", command) {
	const list = require_cli.RULE_LISTS.find((one) => one === named);
	if (list === void 0) throw require_cli.badUsage(command, require_cli.USAGE.noList(named));
	if (!INDEX.test(number)) throw require_cli.badUsage(command, require_cli.USAGE.noIndex(number));
	return {
		list,
		index: Number(number)
	};
}
function listFlag({ flags }, command) {
	const lists = require_cli.RULE_LISTS.filter((list) => flags.has(list));
	if (lists.length > 1) throw require_cli.badUsage(command, require_cli.USAGE.twoLists);
	return lists[0];
}
function none(extra, command) {
	if (extra !== void 0) throw require_cli.badUsage(command, require_cli.USAGE.unexpected(extra));
}
async function editOf(cli, scope, command, args = null) {
	const imported = args !== null && require_cli.choiceOf(command, args, "source", SOURCES) === "imported";
	const scopes = imported ? WRITABLE.filter((one) => one !== "session") : WRITABLE;
	const known = scopes.find((one) => one === scope);
	if (known === void 0) throw require_cli.badUsage(command, require_cli.USAGE.noScope(scopes, scope ?? ""));
	const place = placeOf(cli);
	const about = {
		request: place.request,
		facts: factsOf(place),
		scope: known,
		imported
	};
	if (known !== "session" || place.request.session !== null) return about;
	const meta = await chosenMeta(cli);
	if (meta === null) throw require_cli.noSessionHere(cli.cwd);
	return {
		...about,
		request: {
			...place.request,
			session: meta.id
		}
	};
}
var SOURCES = ["authored", "imported"];
var WRITABLE = [
	"user",
	"project",
	"session"
];
function editedText(done, edited) {
	const { list, index, rule, file, findings, trusted } = edited;
	const lines = [done(`${list}[${index}]: ${JSON.stringify(rule)}`, file), ...findings.map(findingLine)];
	return (trusted ? lines : [...lines, require_cli.RULES.untrusted("")]).join("\n");
}
var rules = {
	name: "rules",
	usage: "list | test | verify | log | suggest | add | edit | move | remove | trust | sandboxed | import [...]",
	summary: "permission rules: which calls of Claude are allowed, asked about or denied",
	arguments: [
		["list", "the rules of all scopes: --scope, --list, --source, --tool, --flat, --hits"],
		["test [--] COMMAND", "what the rules say about a call: --tool, --file, --mode.\n--history: COMMAND is a pattern; which calls of the past it matches"],
		["verify", "what is wrong with the rule files: --scope, --strict, --quiet;\nstatus 1 = errors, 2 = warnings with --strict"],
		["log", "what was decided, of all sessions: --since, --event, --tool, --tail"],
		["suggest", "allow rules that would have saved prompts, with their evidence: --since"],
		["add SCOPE TOOL [RE] [REASON]", "appends a rule: --allow (the default), --ask, --deny, --field"],
		["edit SCOPE LIST INDEX [RE]", "changes the rule with this number, from 0, as listed: its pattern,\n--reason, --until, --on, --off, --allow, --ask, --deny, --field, --source"],
		["move SCOPE LIST INDEX TO", "gives the rule another place in its list: --source"],
		["remove SCOPE LIST INDEX", "removes the rule: --source"],
		["trust [HASH ...]", "lets the allow rules of this project count, with their present content;\nHASH, as listed: only with the content that was listed"],
		["sandboxed [ask | allow]", "whether calls are asked about whose writes stay pending; allow wants --yes"],
		["import passthru | settings", "rules of the passthru plugin, or of Claude Code’s settings:\nshows them; --yes writes, --dismiss: SessionStart names them no more"],
		["--scope S", "user, project, session, built-in or all (the default)"],
		["--list L", "deny, ask or allow (default: all)"],
		["--source S", "authored or imported (default: list: both; edit, move, remove: authored)"],
		["--tool RE", "list, log: whose tool matches; test: the tool (default: Bash)"],
		["--flat", "one line a rule, with the file"],
		["--hits", "list: how often each decided, and when last"],
		["--file PATH", "test: the file that a tool works on"],
		["--mode MODE", "test: the permission mode (default: default)"],
		["--history", "test: the calls of the past that a rule with this pattern matches"],
		["--since WHEN", "1h, 7d, today or an ISO time\n(default: log: 7d; test --history: 90d; suggest, sandboxed: 30d)"],
		["--event RE", "log: whose decision or outcome matches"],
		["--tail N", "log: the newest N (default: 50)"],
		["--field FIELD", "the field that RE is about (default: the tool’s own)"],
		["--reason TEXT", "edit: the reason; empty removes it"],
		["--until TIME", "edit: an ISO time after which it no longer counts; empty removes it"],
		["--on", "edit: it counts again"],
		["--off", "edit: it stays in the file and does not count"],
		["--allow", "an allow rule"],
		["--ask", "an ask rule"],
		["--deny", "a deny rule"],
		["--yes", "sandboxed, import: does it"],
		["--dismiss", "import: says no to what is there now, of both sources or of one"],
		["--strict", "verify: warnings count"],
		["--quiet", "verify: prints only problems"],
		["--format FORMAT", "json or plain (the default)"]
	],
	words: 200,
	session: "with the rules of this session (default: of none)",
	async run(cli, given) {
		const args = given.fromPrompt ? await typed(cli, given) : given;
		const [name = ""] = args.words;
		const { does, writes, options } = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] ?? NONE : NONE;
		require_cli.choiceOf(rules, args, "format", ["plain", "json"]);
		if (does === null) throw require_cli.badUsage(rules, require_cli.USAGE.noSubcommand(Object.keys(SUBCOMMANDS), name));
		const command = {
			...rules,
			usage: subcommandUsage(name, options)
		};
		refuseOthers(args, options, command);
		if (writes && !given.fromPrompt && writesWith(args)) onlyUser(cli);
		return await does(cli, args, command);
	}
};
var NONE = {
	does: null,
	writes: false,
	options: ""
};
var reads = (does, options) => ({
	does,
	writes: false,
	options
});
var writes = (does, options = "") => ({
	does,
	writes: true,
	options
});
var SUBCOMMANDS = {
	list: reads(listAll, "scope list source tool flat hits"),
	test: reads(testCall, "tool file mode history field allow ask deny since"),
	verify: reads(verify, "scope strict quiet"),
	log: reads(logDecisions, "since event tool tail"),
	suggest: reads(suggest, "since"),
	add: writes(add, "allow ask deny field"),
	edit: writes(edit, "reason until on off allow ask deny field source"),
	move: writes(move, "source"),
	remove: writes(remove, "source"),
	trust: writes(trust),
	sandboxed: writes(sandboxed, "yes since"),
	import: writes(importFrom, "yes dismiss")
};
function subcommandUsage(name, options) {
	const spellings = rules.arguments.map(([spelling]) => spelling);
	const own = options.split(" ").map((option) => spellings.find((one) => one.split(" ")[0] === `--${option}`));
	return [spellings.find((one) => one.split(" ")[0] === name), ...own.flatMap((one) => one === void 0 ? [] : [`[${one}]`])].join(" ");
}
function refuseOthers({ flags, options }, known, command) {
	const names = ["format", ...known.split(" ")];
	const other = [...flags, ...options.keys()].find((name) => !names.includes(name));
	if (other !== void 0) throw require_cli.badUsage(command, require_cli.USAGE.unexpected(`--${other}`));
}
function writesWith({ words: [name, value], flags }) {
	if (name === "import") return flags.has("yes") || flags.has("dismiss");
	return name !== "sandboxed" || value === "ask" || value === "allow" && flags.has("yes");
}
function onlyUser(cli) {
	const caller = require_cli.callerOf(process.pid, cli.state);
	if (caller.kind !== "user") throw require_cli.needsTerminal(caller);
}
async function typed(cli, given) {
	const meta = await chosenMeta(cli);
	if (meta === null) throw require_cli.noSessionHere(cli.cwd);
	return await withPermit(cli, rules, given, await require_cli.sessionContext(cli.state, meta.id, cli.env));
}
exports.EFFECT_WORDS = EFFECT_WORDS;
exports.aboutSession = aboutSession;
exports.addsHidden = addsHidden;
exports.always = always;
exports.byCallText = byCallText;
exports.changeLine = changeLine;
exports.chosenMeta = chosenMeta;
exports.conflictOf = conflictOf;
exports.countLines = countLines;
exports.countOf = countOf;
exports.countRisks = countRisks;
exports.countsText = countsText;
exports.detailOf = detailOf;
exports.explainParts = explainParts;
exports.groupByCall = groupByCall;
exports.logText = logText;
exports.matchEffects = matchEffects;
exports.mayGoUnread = mayGoUnread;
exports.never = never;
exports.oneLine = oneLine;
exports.openGrant = openGrant;
exports.permissionText = permissionText;
exports.permitText = permitText;
exports.psText = psText;
exports.rawOf = rawOf;
exports.replaceHidden = replaceHidden;
exports.rules = rules;
exports.splitLines = splitLines;
exports.statusText = statusText;
exports.wordsOf = wordsOf$2;
