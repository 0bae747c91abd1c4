"use strict";
const require_cli = require("../cli.cjs");
const require_rules = require("./rules.cjs");
const require_read = require("./read.cjs");
const require_box = require("./box.cjs");
const require_doctor = require("./doctor.cjs");
const require_trash = require("./trash.cjs");
const require_jobs = require("./jobs.cjs");
const require_draft = require("./draft.cjs");
const require_list = require("./list.cjs");
const require_processes = require("./processes.cjs");
const require_outcome = require("./outcome.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_with_session = require("./with-session.cjs");
const require_disk = require("./disk.cjs");
const require_boxes = require("./boxes2.cjs");
let node_fs = require("node:fs");
let node_util = require("node:util");
let node_child_process = require("node:child_process");
let node_path = require("node:path");
let node_readline = require("node:readline");
var dirOf = (sessionDir) => (0, node_path.join)(sessionDir, "questions");
function readQuestions(stateDir) {
	return (require_cli.orNull(() => (0, node_fs.readdirSync)((0, node_path.join)(stateDir, "sessions"))) ?? []).flatMap((id) => recordsIn((0, node_path.join)(stateDir, "sessions", id))).filter(isQuestion).map((question) => ({
		...question,
		prompt: question.prompt ?? ""
	})).sort((a, b) => a.n - b.n);
}
function recordsIn(sessionDir) {
	const dir = dirOf(sessionDir);
	return (require_cli.orNull(() => (0, node_fs.readdirSync)(dir)) ?? []).filter((name) => name.endsWith(".json")).map((name) => require_cli.orNull(() => require_cli.readPlainJson((0, node_path.join)(dir, name))));
}
function isQuestion(value) {
	return require_cli.isObject(value) && value["v"] === 1 && typeof value["n"] === "number" && typeof value["id"] === "string";
}
var MOST_SHOWN = 100;
function spelled(text) {
	return require_rules.replaceHidden(text, (code) => `\\u{${code.toString(16)}}`);
}
function cited(text) {
	return spelled(text).replace(/\n/g, " ⏎ ");
}
function oneLine(text) {
	const line = cited(text);
	return line.length > MOST_SHOWN ? `${line.slice(0, 99)}…` : line;
}
function questionLine(question, style) {
	const { n, at, tool, session } = question;
	return `${style.bold(String(n).padStart(3))}  ${require_cli.clockText(at)}  ${oneLine(tool)}  ${oneLine(require_cli.subjectOf(question))}  ${style.dim(session)}`;
}
function questionText(question, style, size, below) {
	const { tool, project, session, agent, prompt, why, runs, uncovered, noRule, allow, deny, network } = question;
	const isOutside = question.input["dangerouslyDisableSandbox"] === true;
	const entry = (draft) => network === void 0 ? draftText(draft) : cited(draft.pattern);
	const named = uncovered.length > MOST_UNCOVERED ? uncovered.slice(0, MOST_UNCOVERED - 1) : uncovered;
	const rows = [
		["project", cited(project)],
		["session", agent === "" ? session : `${session}, subagent ${cited(agent)}`],
		...prompt === "" ? [] : [["prompt", cited(prompt)]],
		["why", cited(why)],
		...runs === null ? [] : [["runs", RUNS[runs]]],
		...isOutside ? [["client", OUTSIDE]] : [],
		...named.map((text) => ["no rule", oneLine(text)]),
		...named === uncovered ? [] : [["", `and ${uncovered.length - named.length} more`]],
		["always", allow === null ? cited(noRule) : entry(allow)],
		["never", entry(deny)]
	].map(([name, text]) => `  ${style.dim(name.padEnd(8))} ${text}`);
	const around = [...rows, ...below.split("\n")].flatMap((line) => wrapped(line, size.columns));
	const room = Math.max(LEAST_LINES, size.rows - around.length - OTHER_ROWS);
	const lines = wholeText(question).split("\n").flatMap((line) => wrapped(line, size.columns - INDENT.length));
	const shown = lines.slice(0, lines.length > room ? room - 1 : room);
	const more = lines.length - shown.length;
	if (more > 0) shown.push(style.bold(`… ${more} more lines; the dashboard shows all`));
	return [
		style.bold(`${question.n}  ${cited(tool)}`),
		...shown.map((line) => INDENT + line),
		"",
		...rows
	].join("\n");
}
var INDENT = "  ";
var MOST_UNCOVERED = 6;
var OTHER_ROWS = 3;
var LEAST_LINES = 4;
function wrapped(line, columns) {
	const rows = [""];
	let left = Math.max(2, columns);
	for (const character of line) {
		const width = widthOf(character);
		if (width > left) {
			rows.push("");
			left = Math.max(2, columns);
		}
		rows[rows.length - 1] += character;
		left -= width;
	}
	return rows;
}
function widthOf(character) {
	return (character.codePointAt(0) ?? 0) < 4352 ? 1 : 2;
}
var RUNS = {
	sandbox: "in the sandbox: what it writes stays pending",
	host: "on the host",
	refuse: "not at all: trai refuses it"
};
var OUTSIDE = "not in Claude Code’s own sandbox, if that is on: dangerouslyDisableSandbox is set";
function wholeText(question) {
	const { tool, input, network } = question;
	if (network !== void 0) return spelled(require_cli.subjectOf(question));
	return spelled(require_read.isShell(tool) && typeof input["command"] === "string" ? String(input["command"]) : editText(tool, input) ?? JSON.stringify(input, null, 2)).replaceAll("	", "    ");
}
function editText(tool, input) {
	const { file_path: path, content, edits } = input;
	if (typeof path !== "string") return null;
	const name = path.replaceAll("\n", " ⏎ ");
	if (tool === "Write" && typeof content === "string") return [`${name}, the whole file:`, ...marked("+", content)].join("\n");
	const lines = (tool === "Edit" ? [input] : tool === "MultiEdit" ? list(edits) : []).map((edit) => {
		const { old_string: old, new_string: fresh, replace_all: every } = require_cli.isObject(edit) ? edit : {};
		if (!(typeof old === "string" && typeof fresh === "string" && typeof (every ?? false) === "boolean")) return null;
		return [
			...every === true ? ["wherever it is:"] : [],
			...old === "" ? [] : marked("-", old),
			...marked("+", fresh)
		];
	});
	return lines.length === 0 || lines.includes(null) ? null : [name, ...lines.flat()].join("\n");
}
function list(value) {
	return Array.isArray(value) ? value : [];
}
function marked(mark, text) {
	return text.split("\n").map((line) => `${mark} ${line}`);
}
function draftText({ tool, field, pattern }) {
	return cited(field === "" ? tool : `${tool} ${field}=${pattern}`);
}
var ENDS = {
	once: "Allowed, once.",
	session: "Allowed, in this session.",
	always: "Allowed, always.",
	no: "Denied.",
	never: "Denied, always.",
	leave: "Left to Claude Code.",
	ran: "Answered in Claude Code: it runs.",
	refused: "Answered in Claude Code: it does not run.",
	ended: "Claude Code waits for no answer any more.",
	late: "Nobody answered in time; Claude Code goes on by itself.",
	gone: "Claude Code or the server has ended."
};
var HOST_ENDS = {
	session: "Allowed, in this box.",
	no: "Refused, for a minute.",
	never: "Refused, always.",
	leave: "Left unanswered, so refused."
};
function answeredText({ end, rule }, { network }) {
	const text = (network === void 0 ? void 0 : HOST_ENDS[end]) ?? ENDS[end];
	return rule === null ? text : `${text}\n${ruleText(rule, network === void 0 ? "rule" : "host")}`;
}
function ruleText(rule, what) {
	if (!rule.written) return `The ${what} was not added: ${rule.why}`;
	return `Added to ${rule.file} (${rule.list}).`;
}
var answer = {
	name: "answer",
	usage: "[N [ANSWER]] [--message TEXT] [--pattern RE] [--scope S] [--list]",
	summary: "answer Claude Code’s questions whether a call may run; alone: in turn, with single keys",
	arguments: [
		["N", "the number of the question, as listed; alone in a terminal: shows it, and ends with it"],
		["ANSWER", "once (y), session (s), always (a), no (n), never (d), or leave: Claude Code asks by itself"],
		["--message TEXT", "with no: what the model is told"],
		["--pattern RE", "with session, always and never: instead of the proposed pattern"],
		["--scope S", "always, never: session, project or user (the default)"],
		["--list", "only lists the questions"]
	],
	words: 2,
	session: null,
	run: answerRun
};
async function answerRun(cli, given) {
	const caller = require_cli.callerOf(process.pid, cli.state);
	const isBelow = given.fromPrompt || caller.kind !== "user";
	const open = openQuestions(cli);
	const isList = given.words.length === 0 && !given.fromPrompt;
	if (given.flags.has("list") || isList && (isBelow || cli.json || !isTerminal())) return listed(cli, open);
	if (isList) return await inTurn(cli);
	const permit = isBelow ? await permitOf(cli) : null;
	if (isBelow && permit === null) throw require_cli.needsPermit("answer", caller);
	const args = permit === null ? given : require_cli.readArgs(answer, require_rules.wordsOf(permit.what).slice(1));
	const [n = "", word = ""] = args.words;
	if (n === "") return listed(cli, open);
	if (!/^[1-9]\d{0,8}$/.test(n)) throw require_cli.badUsage(answer, require_cli.USAGE.noQuestionNumber(n));
	const question = open.find((one) => one.n === Number(n));
	if (word === "" && !isBelow && !cli.json && isTerminal()) {
		if (question === void 0) throw require_cli.noQuestion(Number(n));
		return await inTurn(cli, Number(n));
	}
	const end = require_cli.answerNamed(word);
	if (end === null) throw require_cli.badUsage(answer, require_cli.USAGE.noAnswer(word));
	if (question === void 0) throw require_cli.noQuestion(Number(n));
	const rule = ruleFor(question, end, args);
	const message = args.options.get("message") ?? null;
	if (message !== null && end !== "no") throw require_cli.badUsage(answer, require_cli.USAGE.messageWithNo);
	const answered = await send(cli, {
		question,
		answer: end,
		message,
		rule
	}, permit);
	cli.print(answeredText(answered, question), answered);
	return 0;
}
function isTerminal() {
	return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
function openQuestions(cli) {
	const server = require_cli.readServerFile(cli.state);
	return server === null || !require_cli.mayRun(server) ? [] : readQuestions(cli.state);
}
function listed(cli, open) {
	const lines = open.map((question) => questionLine(question, cli.style));
	cli.print(open.length === 0 ? require_cli.ANSWER.none : [...lines, require_cli.ANSWER.how].join("\n"), { open });
	return 0;
}
async function permitOf(cli) {
	const meta = await require_rules.chosenMeta(cli);
	const what = meta === null ? null : await require_rules.permitText(require_cli.sessionDir(cli.state, meta.id), "answer");
	return meta === null || what === null ? null : {
		session: meta.id,
		what
	};
}
function ruleFor(question, end, args) {
	const pattern = args.options.get("pattern");
	if (!require_cli.addsRule(end)) {
		if (pattern !== void 0) throw require_cli.badUsage(answer, require_cli.USAGE.patternWithRule);
		return null;
	}
	const proposed = require_cli.proposedRule(question, end);
	if (proposed === null) throw require_cli.badUsage(answer, question.noRule);
	const scope = end === "session" || !args.options.has("scope") ? proposed.scope : require_cli.choiceOf(answer, args, "scope", require_cli.ANSWER_SCOPES);
	return {
		...proposed,
		scope,
		pattern: pattern ?? proposed.pattern
	};
}
async function send(cli, { question, ...given }, permit) {
	const server = require_cli.readServerFile(cli.state);
	if (server === null || !require_cli.mayRun(server)) throw require_cli.noQuestion(question.n);
	const said = await require_cli.postJson(server, "answer", {
		question: question.id,
		...given,
		...permit
	});
	if (said === null) throw require_cli.noQuestion(question.n);
	return said;
}
var LOOK_MS = 250;
var PAUSE_MS = 1e3;
var MIN_ROWS = 24;
var MIN_COLUMNS = 80;
var Turn = class {
	#cli;
	#open = [];
	#shown = null;
	#settled = "";
	#asked = null;
	#typing = null;
	#drawn = "";
	#stays = false;
	#unmeant = null;
	#isFirstLook = true;
	#only;
	constructor(cli, only) {
		this.#cli = cli;
		this.#only = only;
	}
	get settled() {
		return this.#settled;
	}
	get isOver() {
		return this.#only !== null && !this.#stays && (this.#shown === null || this.#settled !== "");
	}
	#questions() {
		const open = openQuestions(this.#cli);
		return this.#only === null ? open : open.filter(({ n }) => n === this.#only);
	}
	look() {
		this.#open = this.#questions();
		const shown = this.#shown;
		if (shown === null) this.#comeUp(this.#open[0] ?? null);
		else if (this.#settled === "" && !this.#open.some(({ id }) => id === shown.id)) this.#settled = require_cli.ANSWER.elsewhere;
		this.#draw();
		this.#isFirstLook = false;
	}
	#comeUp(question) {
		this.#show(question);
		if (question !== null && (this.#only !== null || !this.#isFirstLook)) this.#unmeant = performance.now();
	}
	#isUnmeant() {
		if (this.#unmeant !== null && performance.now() - this.#unmeant >= PAUSE_MS) this.#unmeant = null;
		return this.#unmeant !== null;
	}
	#show(question) {
		this.#shown = question;
		this.#settled = "";
		this.#asked = null;
		this.#typing = null;
	}
	#move(by) {
		this.#open = this.#questions();
		const at = this.#open.findIndex(({ id }) => id === this.#shown?.id);
		const to = at === -1 ? 0 : Math.min(Math.max(at + by, 0), this.#open.length - 1);
		this.#show(this.#open[to] ?? null);
	}
	async press(name, text) {
		if (name === "ctrl-c" || this.#stays) return true;
		if (this.#isUnmeant()) {
			this.#unmeant = performance.now();
			return false;
		}
		if (this.#typing !== null) await this.#type(name, text);
		else if (name === "q") return true;
		else if (name === "down" || name === "j") this.#move(1);
		else if (name === "up" || name === "k") this.#move(-1);
		else if (this.#shown === null || this.#settled !== "") this.#move(1);
		else if (this.#asked !== null) await this.#confirm(name);
		else if (name === "m") this.#typing = "";
		else if (name === "escape") await this.#choose("leave");
		else if (name.length === 1) await this.#choose(require_cli.answerNamed(name));
		this.#draw();
		return false;
	}
	async #type(name, text) {
		const typed = this.#typing ?? "";
		if (name === "escape") this.#typing = null;
		else if (name === "backspace") this.#typing = typed.slice(0, -1);
		else if (name === "return") await this.#give("no", typed);
		else if (text.length >= 1 && text >= " ") this.#typing = typed + text;
	}
	async #choose(end) {
		if (end === null || this.#shown === null) return;
		if (!require_cli.addsRule(end)) await this.#give(end, "");
		else if (require_cli.proposedRule(this.#shown, end) !== null) this.#asked = end;
	}
	async #confirm(name) {
		const end = this.#asked;
		this.#asked = null;
		if (name === "return" && end !== null) await this.#give(end, "");
	}
	async #give(end, message) {
		const question = this.#shown;
		if (question === null) return;
		const rule = require_cli.addsRule(end) ? require_cli.proposedRule(question, end) : null;
		this.#typing = null;
		try {
			const given = {
				question,
				answer: end,
				message: message.trim() === "" ? null : message,
				rule
			};
			const answered = await send(this.#cli, given, null);
			this.#settled = answeredText(answered, question);
			this.#stays = this.#only !== null && answered.rule !== null;
		} catch (error) {
			if (!(error instanceof require_cli.TraiError)) throw error;
			this.#settled = `trai: ${error.message}`;
			this.#stays = this.#only !== null;
		}
	}
	#draw() {
		const text = this.#text();
		if (text === this.#drawn) return;
		this.#drawn = text;
		process.stdout.write(`\x1b[H\x1b[2J${require_cli.visible(text, this.#cli.style.bold("") !== "").replaceAll("\n", "\r\n")}\r\n`);
	}
	#text() {
		const { style } = this.#cli;
		if (this.#shown === null) return `${require_cli.ANSWER.none}\n\n${style.dim(require_cli.ANSWER.quit)}`;
		const more = this.#open.filter(({ id }) => id !== this.#shown?.id).length;
		const below = [
			more === 0 ? "" : require_cli.ANSWER.more(more),
			"",
			this.#prompt(this.#shown)
		].join("\n");
		const { rows = MIN_ROWS, columns = MIN_COLUMNS } = process.stdout;
		return `${questionText(this.#shown, style, {
			rows,
			columns
		}, below)}\n${below}`;
	}
	#prompt(question) {
		const { style } = this.#cli;
		if (this.#settled !== "") return `${style.bold(this.#settled)}\n${style.dim(require_cli.ANSWER.next)}`;
		if (this.#isUnmeant()) return style.dim(require_cli.ANSWER.unmeant);
		if (this.#typing !== null) return `${require_cli.ANSWER.message}\n> ${this.#typing}`;
		if (this.#asked === null) return style.dim(question.allow === null ? require_cli.ANSWER.keysWithoutAllow : require_cli.ANSWER.keys);
		const rule = require_cli.proposedRule(question, this.#asked);
		const list = this.#asked === "never" ? "deny" : "allow";
		return `${require_cli.ANSWER.confirm(list, rule === null ? "" : draftText(rule), rule?.scope ?? "")}\n${style.dim(require_cli.ANSWER.confirmKeys)}`;
	}
};
async function inTurn(cli, only = null) {
	const turn = new Turn(cli, only);
	const { stdin } = process;
	(0, node_readline.emitKeypressEvents)(stdin);
	stdin.setRawMode(true);
	process.stdout.write("\x1B[?1049h");
	let timer;
	try {
		await new Promise((resolve, reject) => {
			const look = () => {
				turn.look();
				if (turn.isOver) resolve();
			};
			timer = setInterval(look, LOOK_MS);
			look();
			let last = Promise.resolve();
			stdin.on("keypress", (text, key) => {
				const name = key.ctrl === true && key.name === "c" ? "ctrl-c" : key.name ?? "";
				last = last.then(async () => {
					if (await turn.press(name, text ?? "") || turn.isOver) resolve();
				}).catch(reject);
			});
			stdin.once("end", resolve);
		});
	} finally {
		clearInterval(timer);
		stdin.setRawMode(false);
		stdin.pause();
		process.stdout.write("\x1B[?1049l");
	}
	if (only !== null && turn.settled !== "") cli.print(turn.settled, { settled: turn.settled });
	return 0;
}
var GRACE_MS = 1e3;
var TOO_LATE = "it took too long";
var SETTINGS = [
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"core.pager=cat",
	"core.sshCommand=false",
	"core.quotePath=false",
	"color.ui=never",
	"commit.gpgSign=false",
	"credential.helper=",
	"diff.ignoreSubmodules=all",
	"diff.relative=false",
	"gc.auto=0",
	"log.showSignature=false",
	"maintenance.auto=false",
	"protocol.allow=never",
	"submodule.recurse=false"
].flatMap((setting) => ["-c", setting]);
var MAX_OUTPUT = 33554432;
var MAX_ERROR = 4e3;
async function git(repo, args, options = {}) {
	const { status, stdout, stderr, timedOut } = await require_cli.run("git", [
		...SETTINGS,
		...repo.globals,
		...args
	], {
		cwd: repo.dir,
		env: {
			...environment(repo.settings),
			...options.env
		},
		input: Buffer.from(options.input ?? "", "latin1"),
		stdout: options.stdout,
		timeout: Math.max(1, repo.deadline - Date.now()),
		grace: options.grace ?? GRACE_MS,
		mostOutput: options.long === true ? Infinity : MAX_OUTPUT
	});
	const said = require_cli.toText(stderr.slice(0, MAX_ERROR)).trim();
	return {
		status,
		out: stdout,
		err: timedOut ? TOO_LATE : said
	};
}
function hasNoWorkTree({ err }) {
	return /not a git repository|must be run in a work tree/.test(err);
}
function namesOf(out) {
	return out.split("\0").filter((name) => name !== "");
}
function environment(settings) {
	const env = {
		LC_ALL: "C",
		GIT_TERMINAL_PROMPT: "0",
		GIT_ASKPASS: "false",
		GIT_EDITOR: "true",
		GIT_PAGER: "cat",
		GIT_NO_LAZY_FETCH: "1",
		GIT_ALLOW_PROTOCOL: "none",
		GIT_AUTHOR_NAME: "trai",
		GIT_AUTHOR_EMAIL: "trai@localhost",
		GIT_COMMITTER_NAME: "trai",
		GIT_COMMITTER_EMAIL: "trai@localhost"
	};
	for (const name of [
		"PATH",
		"HOME",
		"XDG_CONFIG_HOME",
		"USER"
	]) env[name] = process.env[name];
	for (const [i, [key, value]] of settings.entries()) {
		env[`GIT_CONFIG_KEY_${i}`] = key;
		env[`GIT_CONFIG_VALUE_${i}`] = value;
	}
	env["GIT_CONFIG_COUNT"] = String(settings.length);
	return env;
}
async function ownSettings(repo, top) {
	const filters = await sections(repo, "filter");
	const submodules = [...await sections(repo, "submodule"), ...await listedSubmodules(repo, top)];
	return [...[...new Set(filters)].flatMap((name) => [
		[`${name}.clean`, ""],
		[`${name}.process`, ""],
		[`${name}.smudge`, ""],
		[`${name}.required`, "false"]
	]), ...[...new Set(submodules)].map((name) => [`${name}.ignore`, "all"])];
}
async function listedSubmodules(repo, top) {
	const file = Buffer.from(`${top}/.gitmodules`, "latin1");
	if ((0, node_fs.statSync)(file, { throwIfNoEntry: false })?.isFile()) return await sections(repo, "submodule", ["--file", "-"], (0, node_fs.readFileSync)(file, "latin1"));
	for (const blob of [":.gitmodules", "HEAD:.gitmodules"]) if ((await git(repo, [
		"rev-parse",
		"-q",
		"--verify",
		blob
	])).status === 0) return await sections(repo, "submodule", ["--blob", blob]);
	return [];
}
async function sections(repo, section, from = [], input = "") {
	const { status, out, err } = await git(repo, [
		"config",
		...from,
		"-z",
		"--name-only",
		"--get-regexp",
		`^${section}\\.`
	], { input });
	if (status === 1) return [];
	if (status !== 0) throw new Error(`git config: ${err}`);
	return out.split("\0").flatMap((key) => /^([a-z]+\.[\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []);
}
var notABranchName = (name) => new require_cli.TraiError("bad-input", `expected the name of a branch, found ${JSON.stringify(name)}`);
var branchExists = (name) => new require_cli.TraiError("bad-input", `there is a branch ${name} already`, { hint: "Nothing was changed. Choose another name, or delete that branch first." });
var patchNotMade = (file, why) => new require_cli.TraiError("bad-input", `expected the name of a new file for the patch, found ${file} (${why})`, { hint: "Nothing was written. Choose another name." });
function nothingToExport(top, left) {
	const [first] = left;
	const why = first === void 0 ? "" : ` (${require_cli.toDisplay(first.path)}: ${first.why})`;
	return new require_cli.TraiError("not-found", `nothing is pending in ${require_cli.toDisplay(top)} that differs from HEAD${why}`);
}
var GIT_FAILED = {
	workTree: "this is not the work tree of a repository",
	head: "HEAD cannot be read",
	objects: "the objects cannot be found",
	index: "the index cannot be made",
	indexRead: "the index cannot be read",
	tree: "the tree cannot be written",
	patch: "the patch cannot be written",
	commit: "the commit cannot be made",
	branch: "the branch cannot be made",
	differing: "the changes cannot be counted",
	ignored: "ignored files cannot be told"
};
var gitFailed = (step, { command, status, err }, code = "io") => new require_cli.TraiError(code, `${GIT_FAILED[step]}: git ${command} ended with ${status}: ${err}`);
var notCopied = (path, why) => new require_cli.TraiError("io", `${require_cli.toDisplay(path)} could not be read: ${why}`);
var OWN_DATA = "it is the repository’s own data";
var OTHER_REPOSITORY = "it belongs to another repository";
var IGNORED = "git ignores it";
var IN_SUBMODULE = "it belongs to a submodule";
var typeUnknownToGit = (type) => `git has no entries of this type (${type})`;
async function exportChanges(ctx, list, going, dir, target) {
	const found = {
		dir,
		globals: [],
		settings: [],
		deadline: Date.now() + require_cli.EXPORT_MS
	};
	const top = await line$1(found, ["rev-parse", "--show-toplevel"], "workTree");
	const repo = {
		...found,
		settings: await settingsOf(found, top)
	};
	if (target.kind === "branch") await expectFreeName(repo, target.name);
	const work = (0, node_fs.mkdtempSync)(`${ctx.sessionDir}/export-`);
	const place = {
		repo,
		ours: {
			...repo,
			globals: [`--work-tree=${work}/tree`]
		},
		top,
		work,
		env: { GIT_INDEX_FILE: `${work}/index` }
	};
	try {
		for (const name of ["tree", "objects"]) (0, node_fs.mkdirSync)(`${work}/${name}`, { mode: 448 });
		if (target.kind === "patch") await useOwnObjects(place);
		const head = await headOf$2(place);
		const { names, gone, left } = splitNames(list, going, top);
		const skipped = await fillTree(ctx, place, names);
		await stage(place, names.filter((name) => !skipped.some(({ path }) => path === require_cli.joinPath(top, name))), gone);
		const tree = await line$1(place.repo, ["write-tree"], "tree", { env: place.env });
		const entries = await countDiffering(place, head.tree, tree);
		if (entries === 0) throw nothingToExport(top, [...left, ...skipped]);
		const commit = target.kind === "patch" ? null : await makeBranch(place, head.commit, tree, target);
		if (target.kind === "patch") await writePatch(place, head.tree, tree, target.file);
		return {
			repository: top,
			entries,
			left: [...left, ...skipped],
			commit
		};
	} finally {
		require_cli.removePath(require_cli.nodePort, require_cli.fromText(ctx.sessionDir), require_cli.nameOf(require_cli.fromText(work)));
	}
}
async function settingsOf(repo, top) {
	return [
		...await ownSettings(repo, top),
		["core.fileMode", "true"],
		["core.symlinks", "true"],
		["core.ignoreCase", "false"],
		["core.safecrlf", "false"],
		["core.sparseCheckout", "false"],
		["core.splitIndex", "false"],
		["core.untrackedCache", "false"]
	];
}
async function expectFreeName(repo, name) {
	const ref = `refs/heads/${name}`;
	if (name.startsWith("-") || (await git(repo, ["check-ref-format", ref])).status !== 0) throw notABranchName(name);
	if ((await git(repo, [
		"show-ref",
		"--verify",
		"-q",
		ref
	])).status === 0) throw branchExists(name);
}
async function useOwnObjects({ repo, work, env }) {
	const objects = await line$1(repo, [
		"rev-parse",
		"--path-format=absolute",
		"--git-path",
		"objects"
	], "objects");
	(0, node_fs.mkdirSync)(`${work}/objects/info`);
	(0, node_fs.writeFileSync)(`${work}/objects/info/alternates`, `${objects}\n`, "latin1");
	env["GIT_OBJECT_DIRECTORY"] = `${work}/objects`;
}
async function headOf$2({ repo, env }) {
	const { status, out } = await git(repo, [
		"rev-parse",
		"-q",
		"--verify",
		"HEAD^{commit}"
	]);
	if (status !== 0) return {
		commit: null,
		tree: await line$1(repo, ["mktree"], "tree", { env })
	};
	const commit = out.trim();
	await line$1(repo, ["read-tree", commit], "head", { env });
	return {
		commit,
		tree: await line$1(repo, ["rev-parse", `${commit}^{tree}`], "head")
	};
}
async function fillTree(ctx, place, names) {
	const { top, work } = place;
	if (names.length === 0) return [];
	const viewer = await require_list.openViewer(ctx);
	const fd = require_cli.nodePort.openDir(require_cli.fromText(`${work}/tree`));
	try {
		const from = viewer.pathOf(top);
		const rules = ruleFiles(names).filter((name) => require_cli.nodePort.lstat(require_cli.joinPath(from, name))?.type === "file");
		const complaint = await require_trash.copyOut(require_cli.nodePort, from, [.../* @__PURE__ */ new Set([...names, ...rules])], fd);
		const [first] = names.filter((name) => require_cli.nodePort.lstat(require_cli.at(fd, name)) === null);
		if (first !== void 0) throw notCopied(require_cli.joinPath(top, first), complaint);
		for (const name of names) makeReadable(require_cli.at(fd, name));
	} finally {
		require_cli.nodePort.close(fd);
		await viewer.close();
	}
	return await notForGit(place, names);
}
function makeReadable(path) {
	const stat = require_cli.nodePort.lstat(path);
	if (stat?.type === "file" && (stat.mode & 256) === 0) require_cli.chmodEntry(require_cli.nodePort, path, stat.mode | 256);
}
async function stage({ ours, env }, names, gone) {
	const update = async (flags, some) => {
		const words = [
			"update-index",
			...flags,
			"-z",
			"--stdin"
		];
		const input = some.map((name) => `${name}\0`).join("");
		if (input !== "") await line$1(ours, words, "index", {
			env,
			input
		});
	};
	await update(["--force-remove"], gone);
	await update(["--add", "--replace"], names);
}
async function countDiffering({ repo, env }, from, to) {
	if (from === to) return 0;
	const words = [
		"diff-tree",
		"-r",
		"-z",
		"--name-only",
		"--no-renames",
		from,
		to
	];
	const { status, out, err } = await git(repo, words, { env });
	if (status !== 0) throw gitFailed("differing", {
		command: words[0],
		status,
		err
	});
	return namesOf(out).length;
}
async function writePatch({ repo, env }, from, to, file) {
	const fd = openNew(file);
	try {
		await line$1(repo, [
			"diff-tree",
			...[
				"-p",
				"-r",
				"--binary",
				"--full-index",
				"--no-renames",
				"--no-ext-diff",
				"--no-textconv"
			],
			from,
			to
		], "patch", {
			env,
			stdout: fd
		});
	} catch (error) {
		(0, node_fs.rmSync)(require_cli.fsPath(file), { force: true });
		throw error;
	} finally {
		(0, node_fs.closeSync)(fd);
	}
}
function openNew(file) {
	try {
		return (0, node_fs.openSync)(require_cli.fsPath(file), "wx", 438);
	} catch (error) {
		throw patchNotMade(file, require_cli.errorText(error));
	}
}
async function makeBranch({ repo, env }, parent, tree, { name, message }) {
	const commit = await line$1(repo, [
		"commit-tree",
		tree,
		...parent === null ? [] : ["-p", parent]
	], "commit", {
		env: {
			...env,
			...await identity(repo)
		},
		input: `${require_cli.fromText(message)}\n`
	});
	await line$1(repo, [
		"update-ref",
		"-m",
		"trai export",
		`refs/heads/${name}`,
		commit,
		""
	], "branch");
	return commit;
}
async function identity(repo) {
	const env = {};
	for (const [key, part] of [["user.name", "NAME"], ["user.email", "EMAIL"]]) {
		const { status, out } = await git(repo, [
			"config",
			"--get",
			key
		]);
		if (status !== 0 || out.trim() === "") continue;
		const value = require_cli.toText(out.trim());
		env[`GIT_AUTHOR_${part}`] = value;
		env[`GIT_COMMITTER_${part}`] = value;
	}
	return env;
}
function splitNames(list, going, top) {
	const whyForeign = foreignIn(list, top);
	const split = {
		names: [],
		gone: [],
		left: []
	};
	for (const { path, pending, host, conflict } of going) {
		if (path === top || !require_cli.isWithin(path, top)) continue;
		const name = path.slice(top === "/" ? 1 : top.length + 1);
		const why = whyForeign(path);
		if (why !== "") {
			if (why !== "it is the repository’s own data") split.left.push({
				path,
				why
			});
		} else if (conflict === "unreadable") split.left.push({
			path,
			why: require_draft.CONFLICT_REASONS.unreadable
		});
		else if (pending?.type === "file" || pending?.type === "symlink") split.names.push(name);
		else {
			if (host !== null && host.type !== "dir") split.gone.push(name);
			if (pending !== null && pending.type !== "dir") split.left.push({
				path,
				why: typeUnknownToGit(pending.type)
			});
		}
	}
	return split;
}
function foreignIn(list, top) {
	const pending = new Set(list.changes.map(({ path }) => path));
	const known = /* @__PURE__ */ new Map([[top, ""]]);
	const whyIn = (dir) => {
		const before = known.get(dir);
		if (before !== void 0) return before;
		const own = `${dir}/.git`;
		const why = dir.endsWith("/.git") || pending.has(own) || require_cli.nodePort.lstat(own) !== null ? OTHER_REPOSITORY : whyIn(require_cli.parentOf(dir));
		known.set(dir, why);
		return why;
	};
	return (path) => require_cli.isWithin(path, require_cli.joinPath(top, ".git")) ? OWN_DATA : whyIn(require_cli.parentOf(path));
}
async function line$1(repo, args, step, options = {}) {
	const ran = await git(repo, args, options);
	if (ran.status === 0) return ran.out.replace(/\n$/, "");
	throw gitFailed(step, {
		command: args[0],
		...ran
	}, hasNoWorkTree(ran) ? "not-found" : "io");
}
function ruleFiles(names) {
	const dirs = /* @__PURE__ */ new Set([""]);
	for (const name of names) for (let dir = require_cli.parentOf(`/${name}`); dir !== "/" && !dirs.has(dir); dir = require_cli.parentOf(dir)) dirs.add(dir);
	return [...dirs].flatMap((dir) => [".gitignore", ".gitattributes"].map((rule) => `${dir}/${rule}`.slice(1)));
}
async function notForGit({ repo, ours, top, env }, names) {
	const { status, out, err } = await git(ours, [
		"check-ignore",
		"-z",
		"--stdin"
	], {
		env,
		input: `${names.join("\0")}\0`
	});
	if (status > 1) throw gitFailed("ignored", {
		command: "check-ignore",
		status,
		err
	});
	const tell = (some, why) => some.map((name) => ({
		path: require_cli.joinPath(top, name),
		why
	}));
	const links = namesOf(await line$1(repo, [
		"ls-files",
		"-s",
		"-z"
	], "indexRead", {
		env,
		long: true
	})).flatMap((entry) => entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("	") + 1)] : []);
	return [...tell(namesOf(out), IGNORED), ...tell(names.filter((name) => links.some((link) => require_cli.isWithin(name, link))), IN_SUBMODULE)];
}
async function announceClient(cli, ctx) {
	const stays = require_cli.clientStays((await require_jobs.byClient(ctx)).own);
	if (stays !== "") cli.remark(stays);
}
var SCOPE_USAGE = "[PATH… | --call ID | --up-to ID]";
var SCOPE = [
	["PATH…", "only these paths, each with everything below it"],
	["--call ID", "only what that call alone wrote last (trai status --by-call has the ids)"],
	["--up-to ID", "only what that call and those before it wrote"]
];
var INCLUDE_IGNORED = ["--include-ignored", "also ignored entries (caches, histories ...)"];
var MOST_REPORTED = 20;
var MOST_TOLD = 10;
var CHOICES$1 = [
	"keep-host",
	"take-sandbox",
	"merge",
	"merge-markers"
];
var commit = require_rules.aboutSession({
	name: "commit",
	usage: `${SCOPE_USAGE} [--yes] [--include-ignored] [--no-undo] [--conflicts WAY] [--keep-host PATH,…] [--take-sandbox PATH,…] [--merge PATH,…] [--merge-markers PATH,…]`,
	summary: "apply pending changes, or a part of them, to your files",
	arguments: [
		...SCOPE,
		["--yes", "confirms that very many entries are deleted"],
		INCLUDE_IGNORED,
		["--no-undo", "keeps no before-images: the commit cannot be undone"],
		["--conflicts WAY", "for all conflicts: refuse (the default), keep-host, take-sandbox,\nmerge, merge-markers"],
		["--keep-host PATH,…", "conflict: keeps your file; the sandbox’s version stays pending"],
		["--take-sandbox PATH,…", "conflict: replaces your file"],
		["--merge PATH,…", "conflict: merges both changes of a text, or refuses"],
		["--merge-markers PATH,…", "the same, with markers where both changed the same lines"]
	],
	words: Number.POSITIVE_INFINITY,
	acts: require_rules.always,
	async run({ cli, ctx, args }) {
		const scope = scopeOf(cli, commit, args);
		const list = await require_jobs.scanFor(ctx, scope);
		const request = requestOf$1(cli, args, scope, list);
		announceMerges(cli, ctx, list, request);
		for (const text of require_jobs.unknownEffects(ctx)) cli.remark(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
		if (scope.kind !== "all") {
			const { includeIgnored } = request;
			const order = {
				scope,
				action: "commit",
				includeIgnored
			};
			announceSelection(cli, await require_jobs.JOBS.preview(ctx, {
				list,
				order,
				texts: null
			}));
		}
		const report = await require_cli.stoppable(cli, (signal) => require_jobs.JOBS.commit(ctx, request, void 0, signal));
		cli.print([...reportLines(report, request.includeIgnored), ...unreadLines(list, report)].join("\n"), report);
		return report.state === "applied" && (report.applied > 0 || list.problems.length === 0) ? 0 : 1;
	}
});
function requestOf$1(cli, args, scope, { changes }) {
	const conflicts = require_cli.choiceOf(commit, args, "conflicts", ["refuse", ...CHOICES$1]);
	const request = {
		scope,
		revision: null,
		includeIgnored: args.flags.has("include-ignored"),
		conflicts: "refuse",
		choices: {},
		yes: args.flags.has("yes"),
		typedCount: null,
		noUndo: args.flags.has("no-undo")
	};
	if (conflicts === "merge" || conflicts === "merge-markers") {
		for (const { id, conflict } of changes) if (conflict !== null) request.choices[id] = conflicts;
	} else request.conflicts = conflicts;
	for (const choice of CHOICES$1) for (const wanted of require_cli.pathsOf(cli, args, choice)) {
		const matches = changes.filter(({ conflict, path }) => conflict !== null && require_cli.isWithin(path, wanted));
		if (matches.length === 0) throw require_cli.noConflictAt(wanted);
		for (const { id } of matches) request.choices[id] = choice;
	}
	return request;
}
function announceMerges(cli, ctx, list, request) {
	for (const change of list.changes) {
		if (request.choices[change.id]?.startsWith("merge") !== true) continue;
		const { etag, diff, conflicts } = require_jobs.previewMerge(ctx, change);
		if (diff === null) continue;
		request.merges = {
			...request.merges,
			[change.id]: etag
		};
		const marks = conflicts === 0 ? "" : `, ${require_cli.countText(conflicts, "place")} in conflict`;
		cli.remark(`Merging ${require_cli.toDisplay(change.path)}: +${diff.added} −${diff.removed} on the host${marks}.`);
	}
}
function reportLines(report, asked) {
	const { applied, times, state, bytes, ms, kept, ignored, failed, notApplied, stopped, cancelled } = report;
	const timesText = times === void 0 ? "" : ` (+ ${require_cli.countText(times, "time")})`;
	const lines = [applied === 0 && times === void 0 && state === "applied" ? "Nothing to commit." : `${headOf$1(report)}${timesText}, ${require_cli.sizeText(bytes)}, in ${require_cli.durationText(ms)}.`];
	if (kept > 0) lines.push(`${require_cli.countText(kept, "conflict")} kept as on the host; the sandbox’s version stays pending.`);
	if (ignored > 0) lines.push(`${require_cli.countText(ignored, "ignored entry", "ignored entries")} left out (${asked ? "sockets are never committed" : "commit them with --include-ignored"}).`);
	if (report.copies) lines.push("The session is live: the committed copies stay in its overlay until it is quiet.");
	lines.push(...require_cli.markedLines(report.marked ?? []));
	lines.push(...require_cli.firstLines(failed, MOST_REPORTED, ({ path, message }) => `  not applied: ${require_cli.toDisplay(path)}: ${message}`));
	const named = new Set(failed.map(({ path }) => path));
	const rest = notApplied.filter((path) => !named.has(path));
	lines.push(...require_cli.firstLines(rest, MOST_REPORTED, (path) => `  not applied: ${require_cli.toDisplay(path)}`));
	const goOn = stopped === true || cancelled === true ? " Run the commit again to continue." : "";
	if (state === "partial") lines.push(`What was not applied is still pending.${goOn}`);
	return lines;
}
function headOf$1({ state, cancelled, stopped, applied, failed, notApplied }) {
	if (state === "applied") return `Committed ${require_cli.countText(applied, "change")}`;
	const left = (/* @__PURE__ */ new Set([...failed.map(({ path }) => path), ...notApplied])).size;
	const done = `${applied} of ${require_cli.countText(applied + left, "change")}`;
	if (cancelled === true) return `Cancelled after ${done}`;
	return stopped === true ? `Stopped after ${done}` : `Committed ${done}`;
}
function unreadLines({ problems }, { failed }) {
	const named = new Set(failed.map(({ path }) => require_cli.toDisplay(path)));
	return problems.filter(({ path }) => !named.has(path)).map(({ path, message }) => `Not committed, because it could not be read: ${path}: ${message}`);
}
var discard = require_rules.aboutSession({
	name: "discard",
	usage: `${SCOPE_USAGE} --yes [--end-processes]`,
	summary: "drop pending changes, or a part of them (undo restores them)",
	arguments: [
		...SCOPE,
		["--yes", "confirms; without it, the command only says what would be discarded"],
		["--end-processes", "ends the processes of the session first, all but Claude Code\nitself; without it, what one has open for writing stays pending"]
	],
	words: Number.POSITIVE_INFINITY,
	acts: require_rules.always,
	async run({ cli, ctx, args }) {
		const scope = scopeOf(cli, discard, args);
		const list = await require_jobs.scanFor(ctx, scope);
		if (scope.kind === "all" && await isEmpty(ctx, list)) {
			cli.print("Nothing to discard.", {
				trash: "",
				entries: 0
			});
			return 0;
		}
		const order = {
			scope,
			action: "discard",
			includeIgnored: true
		};
		const preview = await require_jobs.JOBS.preview(ctx, {
			list,
			order,
			texts: null
		});
		announceSelection(cli, preview);
		announceUsers(cli, preview);
		if (!args.flags.has("yes")) throw require_cli.notYetConfirmed(require_rules.countsText(preview.counts), cli.own("undo"));
		const endProcesses = args.flags.has("end-processes");
		if (endProcesses) await announceClient(cli, ctx);
		const request = {
			scope,
			revision: null,
			endProcesses
		};
		const report = await require_cli.stoppable(cli, (signal) => require_jobs.JOBS.discard(ctx, request, void 0, signal));
		const what = require_cli.countText(report.entries, "entry", "entries");
		const left = report.left ?? [];
		const lines = [`Discarded ${what}. Undo with: ${cli.own("undo")}`, ...titled("Stays pending", left, left.length)];
		cli.print(lines.join("\n"), report);
		return left.length === 0 ? 0 : 1;
	}
});
async function isEmpty(ctx, list) {
	if (list.changes.length > 0 || list.problems.length > 0) return false;
	return require_trash.unfinishedCommit(ctx) === null && (await require_cli.liveProcesses(ctx.source)).length === 0;
}
var exportCommand = require_rules.aboutSession({
	name: "export",
	usage: `--patch FILE | --branch NAME [--message TEXT] ${SCOPE_USAGE} [--include-ignored]`,
	summary: "write the pending changes of a repository as a patch, or as a commit on a new branch",
	arguments: [
		["--patch FILE", "writes a new file, for: git apply FILE"],
		["--branch NAME", "creates a branch with one commit on top of HEAD"],
		["--message TEXT", "the message of that commit"],
		...SCOPE,
		INCLUDE_IGNORED
	],
	words: Number.POSITIVE_INFINITY,
	acts: require_rules.always,
	async run({ cli, ctx, args }) {
		const target = targetOf$1(cli, args, ctx.session);
		const scope = scopeOf(cli, exportCommand, args);
		const list = {
			...await require_jobs.scanFor(ctx, scope),
			timed: void 0
		};
		const { paths } = await require_jobs.chosenOf(ctx, list, scope);
		const plan = require_trash.planTakingSandbox(list, args.flags.has("include-ignored"), paths);
		const going = [...plan.steps.flatMap(({ members, below }) => [...members, ...below]), ...plan.closed];
		const report = await exportChanges(ctx, list, going, ".", target);
		const effects = require_jobs.withNamedEffects(ctx, going).flatMap(({ path, effects: named = [] }) => named.map((one) => ({
			path,
			...one
		})));
		const lines = require_cli.firstLines(effects, MOST_TOLD, (one) => `  ${require_cli.toDisplay(one.path)}: ${require_rules.EFFECT_WORDS[one.do]} (${one.text})`);
		const about = lines.length === 0 ? [] : ["Your rules are about:", ...lines];
		cli.print([exportText(report, target), ...about].join("\n"), {
			...report,
			effects
		});
		return 0;
	}
});
function targetOf$1(cli, { options }, session) {
	const [patch, branch] = [options.get("patch"), options.get("branch")];
	if ((patch ?? "") === "" && (branch ?? "") === "") throw require_cli.badUsage(exportCommand, require_cli.USAGE.noTarget);
	if (patch !== void 0 && branch !== void 0) throw require_cli.badUsage(exportCommand, require_cli.USAGE.twoTargets);
	if (patch !== void 0) return {
		kind: "patch",
		file: require_cli.pathAt(cli, patch)
	};
	const message = options.get("message") ?? `Pending changes of the trai session ${session}`;
	return {
		kind: "branch",
		name: branch ?? "",
		message
	};
}
function exportText({ entries, left, commit: made, repository }, target) {
	const what = require_cli.countText(entries, "entry", "entries");
	const lines = [target.kind === "patch" ? `Wrote ${what} of ${require_cli.toDisplay(repository)} to ${require_cli.toDisplay(target.file)}. Apply it to HEAD with: git apply ${typed(target.file)}` : `Put ${what} of ${require_cli.toDisplay(repository)} on the new branch ${target.name} (${made?.slice(0, 12)}).`, "They are still pending; your files, HEAD and index are unchanged."];
	if (left.length > 0) lines.push(`Left out: ${require_cli.countText(left.length, "entry", "entries")}`);
	return [...lines, ...require_cli.firstLines(left, MOST_TOLD, toldLine)].join("\n");
}
function scopeOf(cli, command, { options, words }) {
	const [call, upTo] = [options.get("call"), options.get("up-to")];
	if ([
		words.length > 0,
		call !== void 0,
		upTo !== void 0
	].filter(Boolean).length > 1) throw require_cli.badUsage(command, require_cli.USAGE.twoScopes);
	if (words.includes("") || call === "" || upTo === "") throw require_cli.badUsage(command, require_cli.USAGE.emptyWord);
	if (call !== void 0) return {
		kind: "call",
		call
	};
	if (upTo !== void 0) return {
		kind: "up-to",
		call: upTo
	};
	if (words.length === 0) return { kind: "all" };
	return {
		kind: "paths",
		paths: words.map((word) => require_cli.pathAt(cli, word))
	};
}
function typed(file) {
	const shown = require_cli.toDisplay(file);
	return require_cli.fromText(shown) === file ? require_cli.quoted(shown) : "FILE";
}
function announceSelection(cli, { along, cannot, totals }) {
	const lines = [...titled("Also included", along, totals.along), ...titled("Stays pending", cannot, totals.cannot)];
	if (lines.length > 0) cli.remark(lines.join("\n"));
}
function announceUsers(cli, { writers, totals }) {
	const lines = titled("In use by processes of the session", writers.map(({ path, pid, command }) => ({
		path,
		why: `${command} (process ${pid})`
	})), totals.writers);
	if (lines.length > 0) cli.remark(lines.join("\n"));
}
function titled(title, entries, total) {
	return total === 0 ? [] : [`${title}:`, ...require_cli.firstLines(entries, MOST_TOLD, toldLine, total)];
}
function toldLine({ path, why }) {
	return `  ${require_cli.toDisplay(path)}: ${why}`;
}
var ps = require_rules.aboutSession({
	name: "ps",
	summary: "list the processes of the session and the calls that started them; --end ends them",
	arguments: [["--end [PID…]", "ends these, or all but Claude Code itself where it runs in the session"]],
	words: Number.POSITIVE_INFINITY,
	acts: ({ flags }) => flags.has("end"),
	async run({ cli, meta, ctx, args }) {
		const ends = args.flags.has("end");
		if (!ends && args.words.length > 0) throw require_cli.badUsage(ps, require_cli.USAGE.wordWithoutEnd(args.words[0] ?? ""));
		const pids = args.words.map(pidOf);
		const fold = () => require_read.readFold(ctx.sessionDir);
		const processes = await require_processes.sessionProcesses(ctx.source, async () => (await fold()).spans());
		if (!ends) {
			const found = {
				session: meta.id,
				processes
			};
			cli.print(require_rules.psText({
				...found,
				calls: (await fold()).views()
			}, cli.style), found);
			return 0;
		}
		const { own, others } = await require_jobs.withoutClient(ctx, processes);
		const chosen = pids.length === 0 ? others : processesNamed(processes, pids, meta.id);
		const ended = await require_outcome.endAndLog(ctx, chosen);
		const count = require_cli.countText(ended.length, "process", "processes");
		const said = ended.length === 0 ? "Nothing to end." : `Ended ${count}: ${ended.join(", ")}`;
		const stays = pids.length === 0 ? require_cli.clientStays(own) : "";
		cli.print([said, stays].filter(Boolean).join("\n"), { ended });
		return 0;
	}
});
function pidOf(word) {
	if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
	throw require_cli.badUsage(ps, require_cli.USAGE.noPid(word));
}
function processesNamed(processes, pids, session) {
	const found = processes.filter(({ pid }) => pids.includes(pid));
	const missing = pids.filter((pid) => !found.some((one) => one.pid === pid));
	if (missing.length > 0) throw require_cli.noSuchProcesses(missing, session);
	return found;
}
var passthrough = require_rules.aboutSession({
	name: "passthrough",
	summary: "let the session’s next call run on the host (within 5 minutes)",
	arguments: [],
	acts: require_rules.always,
	async run({ cli, ctx }) {
		const client = require_cli.runningClient(ctx.sessionDir);
		if (client !== null) throw require_cli.noHostCalls(ctx.session, client.pid);
		await require_rules.openGrant(ctx.sessionDir, { kind: "passthrough" });
		require_outcome.log(ctx, {
			t: "grant",
			kind: "passthrough",
			what: "the next call",
			state: "open"
		});
		cli.print("The next Bash call of this session runs on the host, unsandboxed. Ask for it now: this holds for 5 minutes and one prompt.", { open: true });
		return 0;
	}
});
async function adoptOverlay({ stateDir, from, to, env }) {
	if (from === to) throw require_cli.adoptsItself(to);
	await expectSameProject(require_cli.sessionDir(stateDir, from), require_cli.sessionDir(stateDir, to));
	const [first = "", second = ""] = [from, to].sort();
	const named = (session) => ({
		stateDir,
		session,
		env
	});
	return await require_with_session.withSession(named(first), "live", (one) => require_with_session.withSession(named(second), "live", async (other) => {
		const ready = [await makeReady(one), await makeReady(other)];
		const [theirs, ours] = first === from ? ready : [ready[1], ready[0]];
		return await adoptBehindDoors(theirs, ours);
	}));
}
async function adoptBehindDoors(from, to) {
	await expectNoClient(from);
	if (await require_jobs.mayHavePending(to)) throw require_cli.adopterHasChanges(to.session);
	await require_list.recordBases(from);
	const { changes } = await require_list.scan(from);
	if (changes.length === 0) throw require_cli.nothingPending(from.session);
	require_with_session.takeOverlay(from, to, changes.length);
	await require_with_session.logAdoption(to, require_with_session.recordAdoption);
	return {
		from: from.session,
		to: to.session,
		entries: changes.length
	};
}
async function expectSameProject(from, to) {
	const [theirs, ours] = await Promise.all([require_cli.readMeta(from), require_cli.readMeta(to)]);
	if (theirs.projectId !== ours.projectId) throw require_cli.otherProject(theirs, ours);
}
async function makeReady(session) {
	const whose = `session ${session.session}`;
	const quiet = await require_with_session.expectQuiet(session, require_cli.UNTIL_QUIET_TO_ADOPT, whose);
	await require_with_session.finishInterruptedUndo(quiet);
	await require_with_session.giveUpInterrupted(quiet);
	await require_with_session.dropCommitted(quiet);
	return quiet;
}
async function expectNoClient(from) {
	const { claude } = await require_cli.readMeta(from.sessionDir);
	for (const { pid, pidStart } of claude) {
		if (pid === null || pidStart === null || require_cli.processStat(pid)?.start !== pidStart) continue;
		if (currentSession(from.stateDir, `${pid}.${pidStart}`) !== from.session) continue;
		throw require_cli.clientIsOpen(from.session, pid);
	}
}
function currentSession(stateDir, client) {
	return require_cli.orNull(() => (0, node_fs.readFileSync)(`${stateDir}/claude-pid/${client}`, "utf8").trim()) ?? "";
}
var sessions = {
	name: "sessions",
	summary: "list all sessions, most recently used first, with what is pending in each",
	arguments: [],
	session: null,
	async run(cli) {
		const found = await require_disk.contextsOf(cli.state, cli.env);
		const disk = await diskOf(cli, found);
		const live = require_cli.liveSources();
		const rows = [];
		const unread = [...disk.problems];
		for (const { meta, ctx } of found.sessions) {
			const { id, projectRoot, off } = meta;
			const size = disk.sessions.find(({ session }) => session === id)?.total;
			if (size === void 0) continue;
			try {
				const { counts, bytes, conflicts } = await pendingIn(ctx, live.has(ctx.source));
				rows.push({
					id,
					projectRoot,
					lastUse: require_cli.lastUse(meta),
					off,
					counts,
					bytes,
					conflicts,
					disk: size
				});
			} catch (error) {
				unread.push(require_disk.unreadSession(id, error));
			}
		}
		const lines = rows.map((row) => rowText(row, cli.style));
		if (found.sessions.length > 0) lines.push(require_cli.diskText(disk, cli.style));
		lines.push(...unread.map((one) => unreadText(one, `${one.session}  could not be read`, cli.style)));
		cli.print(lines.length === 0 ? `No sessions yet.\n${require_cli.SESSION_STARTS}` : lines.join("\n"), {
			sessions: rows,
			disk,
			broken: unread.map(({ session, ...about }) => ({
				id: session,
				...about
			}))
		});
		return 0;
	}
};
async function pendingIn(ctx, live) {
	return (live ? null : require_jobs.readCounts(ctx)) ?? (await require_jobs.timedScan(ctx, live)).list;
}
async function diskOf(cli, found) {
	const { warnFreeBytes } = require_cli.loadConfig(cli.env).config.disk;
	return await require_disk.diskUse({
		stateDir: cli.state,
		found,
		warnFreeBytes,
		sizes: require_disk_use.diskSizes
	});
}
function rowText({ id, projectRoot, lastUse: at, off, counts, disk }, style) {
	const state = `${require_rules.countsText(counts)}${off === null ? "" : `  (off: ${off})`}`;
	return `${style.bold(id)}  ${require_cli.toDisplay(projectRoot)}\n    ${require_cli.minuteText(at)}  ${require_cli.sizeText(disk)}  pending: ${state}`;
}
function unreadText(unread, said, style) {
	return style.red(`${said}: ${require_cli.messageWithPath(unread)}\n    ${unread.hint}`);
}
var adopt = require_rules.aboutSession({
	name: "adopt",
	usage: "ID [--session NEW]",
	summary: "continue with the pending changes of an earlier session",
	arguments: [["ID", "the earlier session, or the beginning of its id (trai sessions)"]],
	words: 1,
	session: "the session that continues with them",
	acts: require_rules.always,
	async run({ cli, meta, args }) {
		const [named] = args.words;
		if (named === void 0) throw require_cli.badUsage(adopt, require_cli.USAGE.noAdopted);
		const from = await sessionNamed(cli, named);
		const to = args.session ?? meta.id;
		const report = await adoptOverlay({
			stateDir: cli.state,
			from,
			to,
			env: cli.env
		});
		const what = require_cli.countText(report.entries, "pending change");
		cli.print(`Session ${to} continues with ${what} of session ${from}.`, report);
		return 0;
	}
});
async function sessionNamed(cli, named) {
	if (!require_cli.isSessionId(named)) throw require_cli.badUsage(adopt, require_cli.USAGE.noSessionId(named));
	const { sessions: readable, broken } = await require_cli.listSessions(cli.state);
	const ids = [...readable, ...broken].map(({ id }) => id);
	if (ids.includes(named)) return named;
	const fits = ids.filter((id) => id.startsWith(named));
	const [only] = fits;
	if (only === void 0) throw require_cli.noSessionNamed(named);
	if (fits.length === 1) return only;
	throw require_cli.badUsage(adopt, require_cli.USAGE.manySessions(named, fits));
}
var NOTHING_TO_REMOVE = "Nothing to remove. Pending changes, and the newest commit and discard of each session, are always kept.";
var gc = {
	name: "gc",
	summary: "list what can be removed to free space; remove it with --yes",
	arguments: [["--yes", "removes it; without it, the command only lists it"]],
	session: null,
	async run(cli, { flags }) {
		const removes = flags.has("yes");
		if (removes) expectUser(cli);
		const all = await require_disk.contextsOf(cli.state, cli.env);
		const contexts = all.sessions.map(({ ctx }) => ctx);
		const { found, bytes, problems } = await require_disk.previewGc(all);
		const boxes = await require_boxes.boxGarbage(cli);
		const none = found.length + boxes.gone.length + boxes.old.length === 0;
		const lines = none ? [NOTHING_TO_REMOVE] : [];
		const unread = problems.map((one) => unreadText(one, `Session ${one.session} could not be read, and nothing of it is removed`, cli.style));
		if (removes) {
			const { removed, kept, freed } = await require_disk.collect(cli.state, contexts, { items: found });
			await require_boxes.collectBoxes(cli, boxes);
			if (found.length > 0) lines.push(`Removed ${require_cli.countText(removed.length, "item")}, ${require_cli.sizeText(freed)}.`);
			for (const { kind, name, session, why } of kept) lines.push(`Kept ${kind} ${name} of session ${session}: ${why}`);
			lines.push(...unread, ...require_box.boxGarbageLines(boxes, "done"));
			cli.print(lines.join("\n"), {
				found,
				bytes,
				removed,
				kept,
				problems,
				boxes
			});
			return 0;
		}
		const disk = await diskOf(cli, all);
		const named = new Set(problems.map(({ session }) => session));
		const uncounted = disk.problems.filter(({ session }) => !named.has(session));
		for (const one of uncounted) unread.push(unreadText(one, `Session ${one.session} could not be counted`, cli.style));
		lines.push(...found.map(garbageLine), ...require_box.boxGarbageLines(boxes, "found"));
		const total = [bytes, ...[...boxes.gone, ...boxes.old].map((one) => one.bytes)].reduce((sum, one) => sum + one);
		if (!none) lines.push(`${require_cli.sizeText(total)} in all. Remove it with: trai gc --yes`);
		lines.push(...unread, require_cli.diskText(disk, cli.style));
		cli.print(lines.join("\n"), {
			found,
			bytes,
			removed: [],
			disk,
			problems,
			boxes
		});
		return 0;
	}
};
function expectUser(cli) {
	const { kind, found } = require_cli.callerOf(process.pid, cli.state);
	if (kind !== "user") throw require_cli.onlyUserRemoves(found);
}
function garbageLine({ kind, session, name, at, bytes, why }) {
	const whats = {
		images: `commit ${name} of session`,
		discard: "discard of session",
		session: "session"
	};
	const when = at === "" ? "" : `, ${require_cli.localText(at).slice(0, 10)}`;
	return `  ${whats[kind]} ${session}${when}, ${require_cli.sizeText(bytes)}: ${why}`;
}
async function whyPath(ctx, list, path) {
	const listed = listedAt(list, path);
	const { change, below, times } = listed;
	const covered = require_cli.coveringDir(ctx.coveredDirs, path);
	const host = lookAt(path);
	const upper = covered === null ? null : lookAt(require_cli.upperPath(covered, path));
	const place = placeFacts(ctx, covered, path);
	const found = (await require_list.readBases(ctx)).lookup(path);
	const base = covered === null || require_cli.isExcluded(path, ctx.excluded) ? { state: "none" } : found;
	const shown = upper === null || require_cli.isWhiteout(upper.entry) ? null : upper.side;
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
		unreadable: problems.some((problem) => require_cli.isWithin(path, require_cli.fromText(problem.path)))
	};
}
function lookAt(path) {
	const entry = require_cli.lstatOrNone(path);
	return entry === null ? null : {
		entry,
		side: require_cli.toSide(entry, path)
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
	for (const note of require_cli.readPlan(ctx.sessionDir)?.notes ?? []) if (require_cli.isWithin(path, note.path) && (found.kind === "none" || note.path.length > found.path.length)) found = { ...note };
	return found;
}
function notPending(ctx, path, { below, unreadable, timed, place, host, upper }) {
	if (require_cli.isWithin(path, require_cli.fromText(ctx.stateDir))) return "state";
	if (require_cli.isExcluded(path, ctx.excluded)) return "client";
	if (ctx.coveredDirs.length === 0) return "no-call";
	if (ctx.coveredDirs.some((one) => one.path === path)) return "place";
	if (place.kind === "none") return "uncovered";
	if (place.kind !== "covered") return place.kind;
	if (unreadable) return "unreadable";
	if (below > 0) return "below";
	if (upper !== null && !require_cli.isWhiteout(upper.entry)) return timed ? "time" : "same";
	return host === null ? "absent" : "untouched";
}
async function writesOf(ctx, covered, change) {
	const written = require_draft.timeOf(await require_outcome.writeTimes(ctx, [change]), 0);
	const whens = written === null ? [] : whensOf(covered, change, written);
	if (whens.length === 0) return [];
	const { folds, spans } = await require_jobs.readOverlayLogs(ctx);
	const index = new require_cli.WriterIndex(spans);
	const writes = whens.map(([what, [from, to]]) => {
		const writers = index.spansBetween(from, to).map((span) => {
			const { call, session } = span;
			const view = folds.get(session)?.view(call);
			return {
				call,
				session,
				by: require_cli.writesBy(span, from),
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
	return writes.filter((one, at) => at === 0 || !(0, node_util.isDeepStrictEqual)(one.writers, writes[0]?.writers));
}
function whensOf(covered, change, written) {
	if (change.kind === "deleted") return [["deleted", written]];
	const made = Number((require_cli.lstatOrNone(require_cli.upperPath(covered, change.path))?.birthNs ?? 0n) / 1000000n);
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
var HEAD_LINES = 40;
async function diffEntry(ctx, change, view = {}) {
	const sides = require_jobs.lookAt(ctx, change);
	if (sides === null) return omitted({
		id: change.id,
		etag: ""
	}, "unreadable", null, null);
	const base = {
		id: change.id,
		etag: require_cli.entryEtag(require_cli.identityOf$1(sides.host.entry), require_cli.identityOf$1(sides.pending.entry))
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
	return entry?.type === "file" ? require_jobs.readSide(path, entry, real) : { state: "absent" };
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
	if (require_rules.countLines(oldText) > 2e4 || require_rules.countLines(newText) > 2e4) return omitted(base, "too-large", old, now);
	const compared = require_jobs.compareTexts(oldText, newText, {
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
		language: require_jobs.languageOf(change.path)
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
	return entry?.type === "symlink" ? require_cli.toDisplay(require_cli.readTarget(path)) : null;
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
		head: require_rules.splitLines(text.slice(0, 8192)).slice(0, HEAD_LINES).map((line) => line.text)
	};
}
function notesOf({ host, pending, kind, xattrs }) {
	const notes = [];
	if (host === null && pending !== null) notes.push(`new ${TYPE_WORDS[pending.type]}, mode ${require_cli.modeText(pending.mode)}`);
	if (host !== null && pending === null) notes.push(`${TYPE_WORDS[host.type]} deleted`);
	if (kind === "dir-replaced") notes.push("directory deleted and made again: what it held is listed as deleted");
	if (host === null || pending === null) return notes;
	if (host.type !== pending.type) notes.push(`${TYPE_WORDS[host.type]} → ${TYPE_WORDS[pending.type]}`);
	if (host.mode !== pending.mode) notes.push(`mode ${require_cli.modeText(host.mode)} → ${require_cli.modeText(pending.mode)}`);
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
	if (side.state === "text") return Buffer.from(side.text.slice(0, require_cli.HEX_BYTES)).toString("hex", 0, require_cli.HEX_BYTES);
	return side.state === "binary" ? side.head : "";
}
function mimeOf(side) {
	return side.state === "binary" ? side.mime : null;
}
async function whyCall(session, id, env) {
	const { events } = await require_read.readLog(session.dir);
	const view = chosen(require_read.foldLog(events), session.id, id);
	let grounds;
	for (const event of events) if (event.t === "call.grounds" && event.call === view.id) grounds = event;
	const { config } = require_cli.loadConfig(env);
	const at = grounds?.at ?? view.requestedAt;
	const { parts, plain } = require_rules.explainParts(view.command, {
		cwd: view.cwd,
		home: require_cli.homeDir(env),
		config
	});
	const { command, cwd, origin, mode, reason, text, permission } = view;
	return {
		session: session.id,
		call: view.id,
		command,
		cwd,
		origin,
		mode,
		reason,
		text,
		at,
		pending: grounds?.pending ?? null,
		config: grounds?.config ?? null,
		configChanged: at !== null && changedSince(grounds?.config ?? "", at),
		parts,
		plain,
		permission
	};
}
function chosen(fold, session, id) {
	const exact = fold.view(id);
	if (exact !== null) return exact;
	const calls = fold.views();
	const back = /^[1-9]\d{0,4}$/.test(id) ? calls.at(-Number(id)) : void 0;
	if (back !== void 0) return back;
	const matches = calls.filter((call) => call.id.startsWith(id));
	const [only] = matches;
	if (only !== void 0 && matches.length === 1) return only;
	throw require_cli.notOneCall(id, session, matches.length);
}
function changedSince(file, at) {
	return file !== "" && require_cli.orIfRefused(() => (0, node_fs.statSync)(file).mtimeMs > Date.parse(at), true);
}
async function statusFacts(ctx, env) {
	const { stateDir, session } = ctx;
	return {
		processes: await require_cli.liveProcesses(ctx.source),
		unfinished: require_trash.unfinishedCommit(ctx) !== null,
		overlaps: await require_jobs.overlapsOf(stateDir, env, session),
		rules: require_jobs.ruleNews(ctx),
		low: require_cli.lowSpace(stateDir, require_cli.loadConfig(env).config.disk.warnFreeBytes)
	};
}
var ROOT = "/";
function diffText(change, diff, style) {
	const detail = diff.kind !== "meta" && diff.kind !== "symlink" ? style.dim(require_rules.detailOf(change, ROOT)) : "";
	return [`${style.bold(`${change.kind}: ${require_cli.toDisplay(change.path)}`)}${detail}${require_rules.conflictOf(change, style)}`, ...body(diff, style)].join("\n");
}
function body(diff, style) {
	switch (diff.kind) {
		case "text":
			if (diff.hunks.length === 0) return ["  (empty file)"];
			return [...diff.hunks.flatMap((hunk) => hunkLines(hunk, style)), ...diff.approximate ? [style.dim("(comparison cut short: correct, but not minimal)")] : []];
		case "collapsed": return [`  ${diff.oldLines} to ${diff.newLines} lines, ${require_cli.sizeText(diff.oldBytes)} to ${require_cli.sizeText(diff.newBytes)}: too many changed lines. Show them with: trai diff PATH`];
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
	return require_rules.replaceHidden(text, (code) => `\\u{${code.toString(16)}}`);
}
function side(bytes) {
	return bytes === null ? "nothing" : require_cli.sizeText(bytes);
}
var NOT_PENDING = {
	"no-call": "no call of this session has run in the sandbox yet",
	"state": "it is trai’s own state, which is hidden in the sandbox and never listed",
	"client": "Claude Code itself rewrites it on the host all the time: it is never listed and never committed",
	"direct": "it is written directly: what is written here is on the host at once",
	"read-only": "this place could not be covered: writing here fails in the sandbox",
	"masked": "it is hidden in the sandbox",
	"uncovered": "it is not in a covered directory",
	"place": "it is a covered directory itself: what is pending lies below it",
	"unreadable": "it, or a directory above it, could not be read: whether it is pending is not known",
	"below": "nothing of its own is pending",
	"same": "the overlay holds a copy of it that says nothing new: as on the host, or untouched since it was taken",
	"time": "only its modification time differs from the host’s: a commit of everything, or of it, takes that along",
	"untouched": "no call of this session changed it: the sandbox shows what the host has",
	"absent": "there is no such entry, neither on the host nor in the sandbox"
};
var PLACE_WORDS = {
	"covered": "covered directory",
	"read-only": "read-only directory",
	"direct": "written directly",
	"masked": "hidden in the sandbox",
	"none": "not in a covered directory"
};
var WRITE_WORDS = {
	changed: "last changed",
	made: "created",
	earlier: "changed before",
	deleted: "deleted"
};
function concludeWhy(why) {
	if (why.origin === "exec" && why.mode === "sandbox") return "`trai exec` runs everything in the sandbox.";
	const onlyLooks = why.parts.length > 0 && why.parts.every((part) => part.kind === "reader" || part.kind === "companion");
	if (why.mode === "sandbox" && why.reason === "default" && onlyLooks && why.pending === "yes") return "It only reads, but something was pending: it had to see the files as the sandbox has them.";
	const first = why.parts.find((part) => part.kind === "sandboxed");
	if (why.mode === "sandbox" && why.reason === "default" && first !== void 0) return `What is not known to be harmless runs in the sandbox: ${first.program === "" ? "a part of it" : `\`${first.program}\``} ${first.why}.`;
	return "";
}
var KINDS$1 = {
	"added": "pending: added",
	"modified": "pending: modified",
	"deleted": "pending: deleted",
	"replaced": "pending: replaced by another type",
	"dir-replaced": "pending: a directory that was deleted and recreated",
	"meta": "pending: mode or owner changed"
};
var BASES = {
	known: "copied from the host’s entry",
	absent: "the host had no entry of that name",
	unknown: "unknown: the host changed it at about the time of the copy",
	none: "not recorded"
};
function whyText(why, style) {
	const lines = [style.bold(require_cli.toDisplay(why.path))];
	const add = (name, text) => void lines.push(`  ${style.dim(name.padEnd(9))} ${text}`);
	add("state", stateOf(why));
	if (why.below > 0) add("below", `${require_cli.countText(why.below, "pending change")}: trai diff --list ${require_cli.toDisplay(why.path)}`);
	if (why.times !== void 0) add("times", timesBelow(why.times));
	const { change } = why;
	if (change !== null && change.conflict !== null) add("conflict", style.red(require_draft.CONFLICT_REASONS[change.conflict]));
	if (change !== null && change.ignored !== null) add("ignored", `by the rule ${JSON.stringify(change.ignored)}: a commit leaves it out without --include-ignored`);
	if (change !== null && change.group !== null) add("group", `committed as one with all of ${change.group.replace(/^[a-z]+:/, "")}`);
	for (const write of why.writes) lines.push(...writeLines(write, why.session, style));
	add("host", sideText(why.host));
	if (change !== null) add("sandbox", sideText(change.pending));
	if (change !== null || why.base !== "none") add("base", baseText(why));
	add("overlay", placeText(why.place));
	return lines.join("\n");
}
function timesBelow(times) {
	return times === 1 ? "only the modification time of 1 file below it differs: a commit of it takes that along" : `only the modification times of ${times} files below it differ: a commit of it takes them along`;
}
function stateOf({ change, notPending }) {
	if (change !== null) return KINDS$1[change.kind];
	return `not pending: ${notPending === null ? "reason unknown" : NOT_PENDING[notPending]}`;
}
function writeLines(write, session, style) {
	const when = write.from === write.to ? `at ${require_cli.localText(write.to)}` : `between ${require_cli.localText(write.from)} and ${require_cli.localText(write.to)}`;
	const many = write.writers.length > 1 ? `, by one of ${write.writers.length} calls that ran then` : "";
	const none = write.writers.length === 0 ? ", when no known call was running" : "";
	return [`  ${WRITE_WORDS[write.what]} ${when}${write.writers.length === 1 ? " by" : `${many}${none}`}`, ...write.writers.map((writer) => writerLine(writer, session, style))];
}
function writerLine({ call, session, command, by }, own, style) {
	const left = by === "process" ? ", by a process that it left" : "";
	const where = session === own ? "" : ` of session ${session}`;
	return `    ${require_rules.oneLine(command)} ${style.dim(`(call ${call}${where}${left})`)}`;
}
function sideText(side) {
	if (side === null) return "no entry";
	const more = side.type === "file" ? `, ${require_cli.sizeText(side.size)}` : "";
	const target = side.target === void 0 ? "" : ` -> ${require_cli.toDisplay(side.target)}`;
	return `${side.type}${more}, mode ${require_cli.modeText(side.mode)}, owner ${side.uid}:${side.gid}${target}`;
}
function baseText({ base, baseHost }) {
	if (baseHost === null) return BASES[base];
	const changed = new Date(Number(BigInt(baseHost.ctimeNs) / 1000000n)).toISOString();
	return `${sideText(baseHost)}, last changed ${require_cli.localText(changed)}`;
}
function placeText({ path, kind, why }) {
	if (kind === "none") return PLACE_WORDS[kind];
	return `${PLACE_WORDS[kind]} ${require_cli.toDisplay(path)}${why === "" ? "" : ` (${why})`}`;
}
var MODES = {
	sandbox: "ran in the sandbox",
	host: "ran on the host",
	refuse: "was refused"
};
var PENDING = {
	yes: "something was pending then",
	no: "nothing was pending then",
	unasked: "not checked: the decision does not depend on it"
};
function whyCallText(why, style) {
	const lines = [style.bold(require_rules.oneLine(why.command))];
	const add = (name, text) => void lines.push(`  ${style.dim(name.padEnd(8))} ${text}`);
	const mode = why.mode === null ? "not recorded" : MODES[why.mode];
	add("call", `${why.call} of session ${why.session}, ${why.origin}${why.at === null ? "" : `, ${require_cli.localText(why.at)}`}`);
	const isDefault = why.mode === "sandbox" && why.reason === "default";
	add("decided", why.reason === null || isDefault ? mode : `${mode}: ${require_cli.REASONS[why.reason]}`);
	const more = concludeWhy(why);
	if (more !== "") add("", more);
	if (why.text !== "") add("said", why.text.replaceAll("\n", "\n           "));
	if (why.permission !== null) add("rule", decidedText(why.permission));
	add("pending", why.pending === null ? "not recorded" : PENDING[why.pending]);
	add("config", configText(why));
	if (!why.plain) add("text", "a part of it was not understood with certainty");
	for (const part of why.parts) add("part", `${part.program === "" ? "(no name)" : require_rules.oneLine(part.program)} ${part.why}`);
	return lines.join("\n");
}
function decidedText(permission) {
	const { by, why } = permission;
	const text = require_rules.permissionText(permission);
	return by === "rule" || by === "trai" || why === "" ? text : `${text}: ${why}`;
}
function configText({ config, configChanged }) {
	if (config === null) return "not recorded";
	const file = config === "" ? "the defaults" : config;
	return configChanged ? `${file} (changed since: the parts below use the present one)` : file;
}
var MOST_NAMED = 50;
var MOST_DIFFS = 200;
var MOST_CHANGED = 1e3;
var status = require_rules.aboutSession({
	name: "status",
	summary: "show what is pending, in conflict and running; --by-call: which call wrote what",
	arguments: [["--by-call", "group the changes by the call that wrote them"]],
	acts: require_rules.never,
	async run({ cli, meta, ctx, args }) {
		const isByCall = args.flags.has("by-call");
		const scanned = isByCall ? await require_jobs.scanWritten(ctx) : await require_list.scan(ctx);
		const list = {
			...scanned,
			changes: require_jobs.withNamedEffects(ctx, scanned.changes)
		};
		const { changes, ...summary } = list;
		const { off } = meta;
		const found = await statusFacts(ctx, cli.env);
		const projectRoot = meta.projectRoot;
		const ruled = changes.flatMap(({ path, effects = [] }) => effects.map((one) => ({
			path,
			...one
		})));
		const json = {
			...summary,
			projectRoot,
			off,
			caught: meta.caught,
			...found,
			effects: ruled
		};
		if (isByCall) {
			const byCall = require_rules.groupByCall(changes, (await require_read.readFold(ctx.sessionDir)).views());
			cli.print(require_rules.byCallText(byCall, projectRoot, cli.style), {
				...json,
				byCall
			});
			return 0;
		}
		const about = {
			session: meta.id,
			projectRoot,
			home: ctx.home,
			off,
			caught: meta.caught !== null
		};
		const texts = await require_jobs.hiddenAmong(ctx, changes, require_cli.HIDDEN_MS.status);
		cli.print(require_rules.statusText({
			...about,
			...found,
			list,
			texts
		}, cli.style, MOST_NAMED), json);
		return 0;
	}
});
var diff = require_rules.aboutSession({
	name: "diff",
	summary: "show the pending changes as diffs; PATH = a file or directory",
	arguments: [
		["PATH", "only this file or directory"],
		["--list", "one line a change, without its content"],
		["--include-ignored", "also ignored entries (caches, histories ...)"]
	],
	words: 1,
	acts: require_rules.never,
	async run({ cli, ctx, args }) {
		const list = await require_list.scan(ctx);
		const [word] = args.words;
		const wanted = word === void 0 ? null : require_cli.pathAt(cli, word);
		const matches = list.changes.filter((change) => wanted === null ? args.flags.has("include-ignored") || change.ignored === null : require_cli.isWithin(change.path, wanted));
		if (wanted !== null && matches.length === 0) throw require_cli.nothingPendingAt(wanted);
		if (args.flags.has("list")) {
			const named = require_jobs.withNamedEffects(ctx, matches);
			cli.print(named.map((change) => require_rules.changeLine(change, ctx.projectRoot, cli.style)).join("\n"), named);
			return 0;
		}
		const diffs = [];
		for (const change of matches.slice(0, MOST_DIFFS)) diffs.push({
			change,
			diff: await diffOf(ctx, change, wanted === change.path)
		});
		const left = Math.max(0, matches.length - MOST_DIFFS);
		const texts = diffs.map((one) => diffText(one.change, one.diff, cli.style));
		if (left > 0) texts.push(`… and ${left} more: ${cli.own("diff")} --list`);
		for (const { path, message } of list.problems) cli.remark(`Could not be read: ${path}: ${message}`);
		const nothing = list.problems.length > 0 ? "No readable changes are pending." : "Nothing is pending.";
		cli.print(texts.length === 0 ? nothing : texts.join("\n\n"), {
			diffs,
			left
		});
		return 0;
	}
});
async function diffOf(ctx, change, named) {
	const whole = await diffEntry(ctx, change, { load: true });
	if (named || whole.kind !== "text" || whole.added + whole.removed <= MOST_CHANGED) return whole;
	return await diffEntry(ctx, change);
}
var log = require_rules.aboutSession({
	name: "log",
	summary: "list the calls of the session: where each ran, how it ended",
	arguments: [["--last N", "the newest N calls (default: 50)"]],
	acts: require_rules.never,
	async run({ cli, ctx, args }) {
		const last = Number(args.options.get("last") ?? "50");
		const { events, raw } = await require_read.readLog(ctx.sessionDir);
		const fold = require_read.foldLog(events);
		const [calls, tools] = [fold.views(), fold.tools()];
		const torn = raw.length === 0 ? "" : `\n${require_cli.countText(raw.length, "line")} of the log ${raw.length === 1 ? "is" : "are"} damaged: trai log --json`;
		const wrote = require_jobs.countWritten((await require_jobs.scanWritten(ctx)).changes);
		cli.print(require_rules.logText({
			calls,
			tools,
			wrote
		}, cli.style, last) + torn, {
			calls: calls.slice(-last).map((call) => ({
				...call,
				wrote: wrote.get(call.id) ?? 0
			})),
			tools,
			raw
		});
		return 0;
	}
});
var why = require_rules.aboutSession({
	name: "why",
	usage: "PATH",
	summary: "show which call wrote PATH, and why it is pending, in conflict, ignored or not pending",
	arguments: [["PATH", "a file or a directory"]],
	words: 1,
	acts: require_rules.never,
	async run({ cli, ctx, args }) {
		const [word] = args.words;
		if (word === void 0) throw require_cli.badUsage(why, require_cli.USAGE.noPath);
		const found = await whyPath(ctx, await require_jobs.scanWritten(ctx), require_cli.pathAt(cli, word));
		cli.print(whyText(found, cli.style), found);
		return 0;
	}
});
var whyHost = require_rules.aboutSession({
	name: "why-host",
	summary: "show why a call ran where it ran (default: the newest; 2 = the one before it)",
	arguments: [["CALL", "an id, or a number: 1 = the newest (the default), 2 = the one before it"]],
	words: 1,
	acts: require_rules.never,
	async run({ cli, meta, ctx, args }) {
		const found = await whyCall({
			id: meta.id,
			dir: ctx.sessionDir
		}, args.words[0] ?? "1", cli.env);
		cli.print(whyCallText(found, cli.style), found);
		return 0;
	}
});
var ui = {
	name: "ui",
	summary: "open the dashboard; NUMBER = the six digits that a tab shows",
	arguments: [["NUMBER", "signs in the tab that shows these six digits"], ["--print", "prints the address, opens no browser"]],
	words: 1,
	async run(cli, given) {
		const caller = require_cli.callerOf(process.pid, cli.state);
		const below = given.fromPrompt || caller.kind !== "user";
		const meta = await require_rules.chosenMeta(cli);
		const ctx = meta === null ? null : await require_cli.sessionContext(cli.state, meta.id, cli.env);
		const typed = below ? await typedWords(ctx, caller) : given.words;
		const asked = meta === null ? {} : { session: meta.id };
		const [number] = typed;
		if (number !== void 0) return await pair(cli, number, asked);
		const { server, code } = await require_cli.needServer(cli, ask("ui-code", asked));
		const address = `http://127.0.0.1:${server.port}/`;
		const url = `${address}#c=${code}${meta === null ? "" : `&s=${encodeURIComponent(meta.id)}`}`;
		const opener = given.flags.has("print") || isRemote(cli.env) ? null : browserFor(cli.env);
		if (opener !== null && await opened(opener, url)) cli.print(`Opened ${address}`, {
			url: address,
			opened: true
		});
		else if (below) cli.print(remoteText(server.port, "/trai:ui"), {
			url: address,
			opened: false
		});
		else cli.print(`Open within 30 seconds: ${url}\n${isRemote(cli.env) ? remoteText(server.port, "trai ui") : ""}`.trimEnd(), {
			url,
			opened: false
		});
		return 0;
	}
};
async function typedWords(ctx, caller) {
	const text = ctx === null ? null : await require_rules.permitText(ctx.sessionDir, "ui");
	if (text === null) throw require_cli.needsPermit("ui", caller);
	return require_rules.wordsOf(text).slice(1);
}
async function pair(cli, number, asked) {
	if (!/^\d{6}$/.test(number)) throw require_cli.badUsage(ui, require_cli.USAGE.noDigits(number));
	await require_cli.needServer(cli, ask("pair", {
		...asked,
		number
	}));
	cli.print("The page is signed in.", { paired: true });
	return 0;
}
function ask(endpoint, body) {
	return async (server) => {
		const answer = JSON.parse(await require_cli.post(server, endpoint, JSON.stringify(body)));
		if (!require_cli.isObject(answer)) return null;
		const { error, proof, code } = answer;
		if (require_cli.isObject(error)) {
			const hint = "hint" in error ? String(error["hint"]) : void 0;
			throw new require_cli.TraiError("forbidden", String(error["message"] ?? "refused"), { hint });
		}
		return proof === server.proof ? {
			server,
			code: typeof code === "string" ? code : ""
		} : null;
	};
}
function isRemote(env) {
	return (env["SSH_CONNECTION"] ?? env["SSH_TTY"] ?? "") !== "";
}
function browserFor(env) {
	const isSet = (name) => (env[name] ?? "") !== "";
	if (isSet("WSL_DISTRO_NAME")) return "wslview";
	if (![
		"DISPLAY",
		"WAYLAND_DISPLAY",
		"BROWSER"
	].some(isSet)) return null;
	return env["BROWSER"] ?? "xdg-open";
}
function opened(command, url) {
	return new Promise((resolve) => {
		const child = (0, node_child_process.spawn)(command, [url], {
			stdio: "ignore",
			detached: true
		});
		const timer = setTimeout(() => resolve(true), 1500);
		const ended = (ok) => {
			clearTimeout(timer);
			resolve(ok);
		};
		child.on("error", () => ended(false));
		child.on("exit", (status) => ended(status === 0));
		child.unref();
	});
}
function remoteText(port, command) {
	return [
		`The dashboard is at http://127.0.0.1:${port}/ on this machine.`,
		`From another one: ssh -N -L ${port}:127.0.0.1:${port} HOST, then open that address there.`,
		`The page shows six digits; sign it in with: ${command} DIGITS`
	].join("\n");
}
var CHOICES = ["keep-host", "take-back"];
var KINDS = {
	commit: "commit",
	undo: "undo of",
	redo: "redo of",
	discard: "discard"
};
var undo = require_rules.aboutSession({
	name: "undo",
	summary: "undo the newest commit or discard",
	arguments: [
		["--list", "lists commits and discards, and which can be undone"],
		["--redo", "commits again what the last undo made pending"],
		["--yes", "confirms that very many entries are deleted"],
		["--end-processes", "ends the processes of the session first, all but Claude Code itself"],
		["--conflicts WAY", "for files that changed since: refuse (the default), keep-host, take-back"],
		["--keep-host PATH,…", "changed since: leaves them as they are now"],
		["--take-back PATH,…", "changed since: restores what was there before the commit"]
	],
	acts: ({ flags }) => !flags.has("list"),
	async run({ cli, ctx, args }) {
		if (args.flags.has("redo") && !args.flags.has("list")) return printReport(cli, await require_jobs.JOBS.redo(ctx, null), "Committed again");
		const history = await require_jobs.JOBS.history(ctx, null);
		if (args.flags.has("list")) {
			cli.print(history.length === 0 ? "No commits or discards yet." : history.map(line).join("\n"), history);
			return 0;
		}
		const newest = history.find(({ can }) => can === "undo");
		if (newest === void 0) throw require_cli.nothingToUndo(history.find(({ kind, state }) => kind !== "undo" && state !== "undone"));
		const endProcesses = args.flags.has("end-processes");
		if (endProcesses) await announceClient(cli, ctx);
		if (newest.trash !== null) {
			const report = await require_jobs.JOBS.undo(ctx, {
				trash: newest.trash,
				endProcesses
			});
			cli.print(`${require_cli.countText(report.entries, "entry", "entries")} pending again.`, report);
			return 0;
		}
		const request = {
			...requestOf(cli, args, newest.n),
			endProcesses
		};
		return printReport(cli, await require_jobs.JOBS.undoCommit(ctx, request), "Undone");
	}
});
function requestOf(cli, args, n) {
	const conflicts = require_cli.choiceOf(undo, args, "conflicts", ["refuse", ...CHOICES]);
	const choices = {};
	for (const choice of CHOICES) for (const path of require_cli.pathsOf(cli, args, choice)) choices[path] = choice;
	return {
		n,
		revision: null,
		conflicts,
		choices,
		yes: args.flags.has("yes"),
		typedCount: null
	};
}
function printReport(cli, report, done) {
	const [they, them] = report.applied === 1 ? ["It is", "it"] : ["They are", "them"];
	const beside = report.beside ?? [];
	const again = ` ${beside.length === 0 ? `${they} pending again. Commit ${them}` : `What no later call had changed is pending again. Commit it`} again with: ${cli.own("undo")} --redo`;
	const lines = [`${done}: ${require_cli.countText(report.applied, "change")}.${done === "Undone" && report.applied > 0 ? again : ""}`];
	if (report.kept > 0) lines.push(`${require_cli.countText(report.kept, "entry", "entries")} kept as on the host.`);
	lines.push(...require_cli.markedLines(report.marked ?? []));
	lines.push(...require_cli.besideLines(beside));
	for (const { path, message } of report.failed) lines.push(`  not undone: ${require_cli.toDisplay(path)}: ${message}`);
	cli.print(lines.join("\n"), report);
	return report.state === "applied" && report.failed.length === 0 ? 0 : 1;
}
function line({ kind, n, of, at, entries, bytes, state, auto, can, why }) {
	const name = kind === "discard" ? "discard" : `${n}: ${KINDS[kind]}${of === null ? "" : ` ${of}`}`;
	const size = bytes > 0 ? `, ${require_cli.sizeText(bytes)}` : "";
	const next = can === null ? "" : can === "undo" ? "  ← trai undo" : "  ← trai undo --redo";
	const shown = state === "applied" ? "" : ` (${state.replace("-", " ")})`;
	const by = auto === "" ? "" : `, by ${auto}`;
	return `${require_cli.localText(at).slice(0, 19)}  ${name}, ${require_cli.countText(entries, "entry", "entries")}${size}${by}${shown}${why === "" ? "" : ` (${why})`}${next}`;
}
var COMMANDS = [
	...[
		status,
		diff,
		log
	],
	...[
		commit,
		discard,
		undo,
		exportCommand,
		adopt
	],
	...[
		require_cli.claude,
		require_box.box,
		require_cli.exec,
		require_cli.explore,
		ps,
		why,
		whyHost
	],
	...[
		require_rules.rules,
		answer,
		sessions,
		gc,
		passthrough,
		ui,
		require_doctor.doctor
	]
];
function helpText() {
	const width = Math.max(...COMMANDS.map((command) => command.name.length));
	return [
		"trai: what Claude’s Bash calls write stays pending until you commit it.",
		"",
		...COMMANDS.map((command) => `  trai ${command.name.padEnd(width)}  ${command.summary}`),
		"",
		"`trai COMMAND --help` shows its options. Commands about a session take --session ID",
		"(default: this project’s newest); all but claude, exec and explore take --json.",
		"Exit status: 0 done, 1 refused or failed, 2 bad usage; exec, claude and box: the command’s own,",
		"125 = nothing ran, 127 = no claude."
	].join("\n");
}
exports.COMMANDS = COMMANDS;
exports.helpText = helpText;
