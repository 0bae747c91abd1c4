"use strict";
const require_cli = require("../cli.cjs");
const require_rules = require("./rules.cjs");
const require_read = require("./read.cjs");
const require_box = require("./box.cjs");
const require_doctor = require("./doctor.cjs");
const require_trash = require("./trash.cjs");
const require_stage = require("./stage.cjs");
const require_list = require("./list.cjs");
const require_draft = require("./draft.cjs");
const require_lock = require("./lock.cjs");
const require_merged_before = require("./merged-before.cjs");
const require_with_session = require("./with-session.cjs");
const require_outcome = require("./outcome.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_rule_set = require("./rule-set.cjs");
const require_resolve = require("./resolve.cjs");
const require_boxes = require("./boxes.cjs");
const require_fates = require("./fates.cjs");
const require_look = require("./look.cjs");
const require_scope = require("./scope.cjs");
const require_inside = require("./inside.cjs");
const require_tidy = require("./tidy.cjs");
const require_processes = require("./processes.cjs");
const require_write_times = require("./write-times.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
let node_path = require("node:path");
node_path = require_cli.__toESM(node_path, 1);
let node_timers_promises = require("node:timers/promises");
let node_child_process = require("node:child_process");
let node_readline = require("node:readline");
let node_fs_promises = require("node:fs/promises");
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
		...isOutside ? [["client", OUTSIDE$1]] : [],
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
var OUTSIDE$1 = "not in Claude Code’s own sandbox, if that is on: dangerouslyDisableSandbox is set";
function wholeText(question) {
	const { tool, input, network } = question;
	if (network !== void 0) return spelled(require_cli.subjectOf(question));
	return spelled(require_read.isShell(tool) && typeof input["command"] === "string" ? String(input["command"]) : JSON.stringify(input, null, 2)).replaceAll("	", "    ");
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
var MAX_EDITS = 2e4;
var BLANKS = /[ \t]+/g;
var KEYS = {
	exact: require_rules.rawOf,
	amount: ({ text, end }) => `${text.replace(BLANKS, " ").trimEnd()}${end === "none" ? "" : "\n"}`,
	ignored: ({ text, end }) => `${text.replace(BLANKS, "")}${end === "none" ? "" : "\n"}`
};
function compareTexts(oldText, newText, { context = 3, spaces = "exact", timeoutMs = require_cli.DIFF_TIMEOUT_MS } = {}) {
	const oldLines = require_rules.splitLines(oldText);
	const newLines = require_rules.splitLines(newText);
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
		if (kind === "context" && before !== void 0 && require_rules.rawOf(before) !== require_rules.rawOf(line)) spacesHidden++;
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
	const counts = require_rules.countOf(one);
	return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0) > MAX_PAIRS;
}
function linesOf(text) {
	return require_rules.splitLines(text).map(require_rules.rawOf);
}
function ended(text) {
	return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
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
	const name = require_cli.nameOf(path).toLowerCase();
	const dot = name.lastIndexOf(".");
	return BY_NAME.get(name) ?? (dot > 0 ? BY_NAME.get(name.slice(dot)) : void 0) ?? null;
}
var NOT_BOTH_TEXT = "Only text that both changed, whose common base was kept, can be merged.";
var CHANGED_OR_LARGE = "It changed since the list was made, or it is too large. Look again.";
var BASE_GONE = "The common base is not kept any more.";
var ONE_IS_NO_TEXT = "One side is not text.";
var MERGE_REPETITIVE = "It has too many equal lines to be merged.";
var MAX_BYTES = 4 * require_cli.BASE_BLOB_BYTES;
function mayMerge(change, base) {
	return change.conflict === "host-changed" && change.kind === "modified" && change.group === null && change.pending?.type === "file" && change.host?.type === "file" && base.state === "known" && base.blob === true;
}
function mergeable(ctx, changes) {
	if (!changes.some(({ conflict }) => conflict === "host-changed")) return /* @__PURE__ */ new Set();
	const { records } = require_list.readBaseFile(ctx);
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
	if (require_list.isBinary(host) || require_list.isBinary(sandbox)) return ONE_IS_NO_TEXT;
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
	const etag = (0, node_crypto.createHash)("sha256").update(names.join("\0")).update(content).digest("hex").slice(0, 32);
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
	const merged = mergeChange(ctx, change, require_list.readBaseFile(ctx).records);
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
			...compareTexts(textOf$1(host), textOf$1(content), { context: host.length + content.length }),
			language: languageOf(path)
		},
		refused: null
	};
}
var latin = (content) => content.toString("latin1");
var textOf$1 = (content) => require_list.decodeText(content) ?? latin(content);
var readAs = (path, identity) => require_cli.readSame(path, identity, MAX_BYTES);
function readUpper({ coveredDirs }, { path, upperIdentity }) {
	const upper = require_cli.upperPathIn(coveredDirs, path);
	return upper === null ? null : readAs(upper, upperIdentity);
}
function readBlob(ctx, sha256) {
	const content = require_cli.orNull(() => (0, node_fs.readFileSync)(`${ctx.sessionDir}/overlay/blobs/${sha256}`));
	return content !== null && (0, node_crypto.hash)("sha256", content) === sha256 ? content : null;
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
var patchNotMade = (why) => new require_cli.TraiError("bad-input", `expected the name of a new file for the patch: ${why}`, { hint: "Nothing was written. Choose another name." });
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
		const complaint = await require_stage.copyOut(require_cli.nodePort, from, [.../* @__PURE__ */ new Set([...names, ...rules])], fd);
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
		throw patchNotMade(require_cli.errorText(error));
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
function takesAway(change) {
	return change.host !== null && (change.kind === "deleted" || change.kind === "replaced" || change.kind === "dir-replaced");
}
function reasonFor(ctx, change) {
	const what = change.kind === "deleted" ? "deletes" : "replaces";
	const shown = require_cli.toDisplay(change.path);
	if (require_cli.isWithin(ctx.projectRoot, change.path)) return `${what} the project ${shown}`;
	if (require_cli.nameOf(change.path) === ".git") return `${what} the repository data ${shown}`;
	if (require_cli.parentOf(change.path) === ctx.home) return `${what} ${shown}, which lies directly in the home directory`;
	return null;
}
function massGuard(ctx, list, includeIgnored) {
	const goes = require_list.goesWithOthers(list.changes);
	const gone = list.changes.filter((c) => takesAway(c) && (includeIgnored || c.ignored === null || goes(c)));
	const reasons = gone.map((c) => reasonFor(ctx, c)).filter((reason) => reason !== null);
	if (gone.length > 1e3) reasons.push(`deletes or replaces ${gone.length} entries of the host (more than ${require_cli.MASS_GUARD_ENTRIES})`);
	const asked = list.changes.filter((c) => c.effect?.do === "confirm" && (includeIgnored || c.ignored === null || goes(c)));
	reasons.push(...asked.map((c) => `changes ${require_cli.toDisplay(c.path)}, which is to be confirmed (${c.effect?.text})`));
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
	throw new require_cli.TraiError("mass-guard", `this commit ${shown}${more}`, {
		hint: `Confirm with the number of these entries (${guard.count}), or with --yes.`,
		paths: guard.reasons,
		data: { count: guard.count }
	});
}
function mergesOf(ctx, plan, request) {
	const merges = /* @__PURE__ */ new Map();
	let records = null;
	const inConflict = plan.steps.flatMap(({ members }) => members.filter(({ conflict }) => conflict !== null));
	for (const change of inConflict) {
		const choice = request.choices[change.id] ?? request.conflicts;
		if (choice !== "merge" && choice !== "merge-markers") continue;
		records ??= require_list.readBaseFile(ctx).records;
		const merged = mergeChange(ctx, change, records);
		if (typeof merged === "string") throw require_trash.notMergeable(change.path, merged);
		const shown = request.merges?.[change.id];
		if (shown !== void 0 && shown !== merged.etag) throw require_trash.staleMerge(change.path);
		if (merged.conflicts > 0 && choice === "merge") throw require_trash.mergeOverlaps(change.path, merged.conflicts);
		merges.set(change.path, {
			...merged,
			id: change.id
		});
	}
	if (!ctx.quiet && merges.size > 0) throw require_trash.mergeWhileLive();
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
	return `${(0, node_crypto.createHash)("sha256").update(content).digest("hex")}.${mode.toString(8)}`;
}
function mergesAgain(ctx, changes, units, wanted) {
	const again = {
		choices: {},
		merges: {}
	};
	const merged = require_merged_before.mergedUnits(units).filter(({ path }) => wanted.has(path));
	if (merged.length === 0) return again;
	const { records } = require_list.readBaseFile(ctx);
	for (const { path, merged: was } of merged) {
		const change = changes.find((one) => one.path === path);
		const now = change === void 0 ? null : mergeChange(ctx, change, records);
		if (change === void 0 || now === null || typeof now === "string" || printOfMerge(now) !== was.print) throw require_trash.staleMerge(path);
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
		const all = require_cli.joinPath(require_trash.commitDir(ctx, journal.record.n), require_merged_before.MERGED);
		if (port.lstat(all) === null) port.mkdir(all, 448);
		const dir = require_cli.joinPath(all, merge.id);
		port.mkdir(dir, 448);
		await require_cli.withHandleAsync(port, port.openDir(dir), async (fd) => {
			const complaint = await require_stage.copyOut(port, viewer.pathOf(require_cli.parentOf(path)), [require_cli.nameOf(path)], fd);
			if (port.lstat(require_cli.at(fd, require_cli.nameOf(path)))?.type !== "file") throw require_trash.versionNotKept(path, complaint);
		});
		const staged = require_cli.at(copy.prepared.area.fd, require_cli.relativeTo(copy.prepared.area.base, path));
		const before = port.lstat(staged);
		if (before?.type !== "file" || before.nlink !== 1) throw require_trash.copyIsOther(path);
		await writeThrough(port, staged, merge, before.mode);
		const now = port.lstat(staged);
		if (now === null) throw require_trash.copyIsOther(path);
		copy.born = require_cli.birthOf(now);
		copy.result = copy.result.map((one) => one.path === path ? {
			path,
			id: require_cli.identityOf(now)
		} : one);
	}
}
async function writeThrough(port, staged, { content, mode }, had) {
	await require_cli.withHandleAsync(port, port.openEntry(staged), async (entry) => {
		if ((had & 128) === 0) port.chmod(require_cli.at(entry), had | 128);
		const { status, stderr } = await port.run("bash", [
			"--norc",
			"-c",
			"exec cat > /proc/self/fd/3"
		], content, [entry]);
		if (status !== 0) throw require_trash.mergeNotWritten(stderr.trim());
		port.chmod(require_cli.at(entry), mode);
	});
}
function writeUnits(ctx, journal, findings, staged) {
	const { moves } = staged;
	const { failed } = findings;
	findings.checked = findings.checked.toSorted((a, b) => Number(moves.has(b)) - Number(moves.has(a)));
	findings.checked.forEach((one, i) => {
		const unit = movedFile(one, i, staged) ?? unitOf(one, i, {
			ctx,
			journal,
			failed,
			staged
		});
		const overrides = require_with_session.overridesOf(staged.overrides, one.step, failed);
		journal.add(overrides.length === 0 ? unit : {
			...unit,
			overrides
		});
	});
}
function movedFile(one, i, { moves, images }) {
	const { step, host, upper } = one;
	if (!moves.has(one) || require_stage.isNewTree(step) || step.op !== "put") return null;
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
		born: require_cli.birthOf(stat),
		closedMode: null,
		entries: [{
			path,
			id: require_cli.identityOf(stat)
		}],
		result: [],
		bytes: pending?.size ?? 0
	};
	const image = images?.get(one);
	if (image !== void 0) unit.image = image;
	return unit;
}
function unitOf(one, i, { ctx, journal, failed, staged }) {
	const { step, host, below, upper, xattrs } = one;
	const image = staged.images?.get(one);
	const merge = staged.merges.get(step.change.path);
	const { path, pending, kind } = step.change;
	const upperStat = upper.get(path);
	const members = failed.size === 0 ? step.members : step.members.filter((change) => !failed.has(change.path));
	const groups = /* @__PURE__ */ new Set();
	for (const { group } of require_stage.changesOf(step)) if (group !== null) groups.add(group);
	const every = {
		t: "unit",
		i,
		path,
		groups: [...groups]
	};
	const kept = image === void 0 ? {} : { image };
	const upperId = upperStat === void 0 ? null : require_cli.identityOf(upperStat);
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
	if (staged.moves.has(one) && require_stage.isNewTree(step)) {
		const top = known$1(upperStat);
		return {
			...every,
			kind: "move-to-host",
			born: require_cli.birthOf(top),
			tree: packed(one, top),
			bytes
		};
	}
	const { prepared, born, result } = known$1(staged.copies.get(one));
	const closed = pending?.type === "dir" && !ctx.root && (pending.mode & 128) === 0;
	const fields = {
		stage: prepared.area.index,
		rel: require_cli.relativeTo(prepared.area.base, path),
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
		aside: require_stage.asideName(ctx.session, journal.record.n, i),
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
			id: stat === void 0 ? null : require_cli.identityOf(stat)
		};
	}), ...step.below.map(({ path }) => ({
		path,
		id: null
	}))];
}
function newTime(kind, host, { type, mtimeNs }) {
	const hasOther = type === "file" && (host === null || require_cli.fingerprint(host).mtimeNs !== mtimeNs);
	return kind === "dir-replaced" || hasOther ? String(mtimeNs) : null;
}
function packed({ step, upper }, top) {
	const packer = new require_trash.TreePacker(step.change.path, require_cli.identityOf(top));
	for (const member of step.members) {
		const stat = upper.get(member.path);
		if (stat === void 0) packer.listed(member);
		else packer.looked(member.path, require_cli.identityOf(stat));
	}
	return packer.done();
}
async function commitAll(ctx, list, request, tools = {}) {
	return await require_cli.keepPerl(async () => await commitList(ctx, list, request, tools));
}
async function commitList(ctx, list, request, tools) {
	if (!require_draft.sameRevision(list.revision, request.revision, request.includeIgnored)) throw require_trash.staleList();
	const startedAt = performance.now();
	const { port = require_cli.nodePort, onProgress, cancelled } = tools;
	const plan = require_stage.planCommit(list, request);
	if (plan.steps.length === 0 && plan.stale.length > 0) throw require_trash.staleList();
	askMassGuard(ctx, require_stage.isSelection(request) ? {
		...list,
		changes: plan.steps.flatMap(require_stage.changesOf)
	} : list, request);
	const merges = mergesOf(ctx, plan, request);
	const marks = ctx.quiet ? require_with_session.askMarks(ctx, plan.steps, merges) : null;
	const reversible = request.noUndo !== true;
	const { maxBytes } = ctx.undo ?? require_cli.UNDO_LIMITS;
	const bytes = require_stage.replacedBytes(plan);
	if (reversible && bytes > maxBytes) throw require_trash.undoTooLarge(bytes, maxBytes);
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
	return await require_cli.useAndCloseAsync(journal, async () => {
		try {
			await require_stage.withStaging(transaction, async (work) => await stageAll(work, order));
		} catch (error) {
			if (error instanceof require_cli.Cancelled) {
				require_with_session.abortQuietly(transaction, false);
				return cancelledReport(journal, plan, startedAt);
			}
			if (require_cli.errorCode(error) !== "") require_with_session.abortQuietly(transaction, require_cli.isNoSpace(error));
			throw require_trash.asTraiError(error);
		}
		const settled = isSettled(ctx, tools);
		return await require_with_session.advance({
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
		return require_trash.beginTransaction(port, ctx, {
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
		throw require_trash.asTraiError(error);
	}
}
async function stageAll(work, order) {
	const { port, ctx, journal, dirs, uppers, areas } = work;
	const { list, plan, merges, reversible, marks, tools } = order;
	const mayGoOn = () => {
		if (tools.cancelled?.() === true) throw new require_cli.Cancelled(require_trash.STOPPED);
	};
	const findings = await require_stage.checkSteps(work, plan.steps, isSettled(ctx, tools));
	const settle = () => {
		mayGoOn();
		require_stage.failGroups(plan, findings);
	};
	require_stage.failUnread(list, plan, findings);
	const bases = require_stage.chooseBases(areas, findings);
	settle();
	const moves = marks ? require_with_session.findMoves(port, ctx, uppers, findings, {
		marks: await marks,
		merges
	}) : /* @__PURE__ */ new Set();
	await require_with_session.takeMarksOff(uppers, moves, work.pace);
	await require_stage.checkBelieved(work, findings, moves);
	settle();
	const copied = new Set(findings.checked.filter((one) => !moves.has(one)));
	for (const one of bases.keys()) if (!copied.has(one)) bases.delete(one);
	require_stage.checkSpace(port, dirs, bases);
	const copies = await copyWithViewer(work, order, findings, bases);
	settle();
	const images = reversible ? await require_merged_before.keepImages(work, findings) : null;
	settle();
	writeUnits(ctx, journal, findings, {
		copies,
		moves,
		images,
		overrides: await require_with_session.collectOverrides(ctx, plan, merges),
		merges
	});
	const paths = journal.record.units.flatMap((unit) => unit.kind === "move-to-host" ? [unit.path] : require_trash.entriesOf(unit).map(({ path }) => path));
	journal.add({
		t: "above",
		entries: require_stage.dirsAbove(ctx, uppers, paths)
	});
	journal.add({
		t: "same",
		entries: await require_stage.unlisted(ctx, uppers, list.changes, work.pace)
	});
	journal.add({
		t: "refused",
		entries: [...findings.failed].map(([path, message]) => ({
			path,
			message
		}))
	});
	const areCopied = images !== null && [...images.values()].includes("copy");
	await areas.sync([...require_with_session.uppersOf(ctx, moves), ...areCopied ? [journal.dir] : []]);
	mayGoOn();
	journal.addSynced({
		t: "ready",
		units: journal.record.units.length
	});
}
async function copyWithViewer(work, { list, merges }, findings, bases) {
	if (bases.size === 0) return /* @__PURE__ */ new Map();
	return await require_cli.useAndCloseAsync(await require_list.openViewer(work.ctx), async (viewer) => {
		const copies = await require_stage.copyAll(work, list, findings, bases, viewer);
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
		notApplied: plan.steps.flatMap(require_stage.changesOf).map(({ path }) => path),
		ms: Math.round(performance.now() - startedAt)
	};
}
async function lookSettled(session, look) {
	const before = await require_lock.asQuiet(session);
	return {
		found: await look(),
		session: before ?? await require_lock.asQuiet(session) ?? session,
		settled: before !== null
	};
}
async function discardAll(ctx, entries, port = require_cli.nodePort) {
	try {
		require_with_session.repairOverlay(ctx, port);
		await require_with_session.closeUnfinished(ctx, port);
		require_with_session.makeFresh(port, ctx);
		const journal = require_trash.beginWhole(port, ctx, entries, "overlay");
		require_cli.useAndClose(journal, () => {
			moveLink(port, ctx, require_cli.joinPath(require_cli.fromText(ctx.sessionDir), "overlay.new"));
			require_with_session.closeWhole(port, ctx, journal);
		});
		return {
			trash: require_cli.nameOf(journal.dir),
			entries
		};
	} catch (error) {
		throw require_trash.asTraiError(error, "discard");
	}
}
async function undoDiscard(ctx, trash, port = require_cli.nodePort) {
	if (require_trash.timeOf(ctx, trash) === null) throw require_trash.notADiscard(ctx.session, trash);
	try {
		require_with_session.repairOverlay(ctx, port);
		const discard = require_trash.readDiscard(port, ctx, trash);
		if (discard === null || !require_trash.isReturnable(port, discard)) throw require_trash.discardGone(trash);
		if (discard.kind === "selection") require_with_session.undoPart(port, ctx, discard);
		else {
			if (await mayHavePending(ctx)) throw require_trash.overlayNotEmpty();
			await require_with_session.closeUnfinished(ctx, port);
			undoWhole(port, ctx, discard);
		}
		return {
			trash,
			entries: discard.entries
		};
	} catch (error) {
		throw require_trash.asTraiError(error, "undoDiscard");
	}
}
function undoWhole(port, ctx, discard) {
	const stored = require_cli.joinPath(discard.dir, "overlay");
	const aside = freeName(port, discard.dir);
	require_with_session.inJournal(port, discard, (journal) => {
		journal.addSynced({
			t: "reopen",
			aside
		});
		port.symlink(require_trash.overlayOf(port, ctx), require_cli.joinPath(discard.dir, aside));
		require_cli.syncDirs(port, [discard.dir]);
		moveLink(port, ctx, stored);
		require_with_session.closeWhole(port, ctx, journal);
	});
}
function moveLink(port, { sessionDir }, link) {
	port.rename(link, require_cli.joinPath(require_cli.fromText(sessionDir), "overlay"));
	require_cli.syncDirs(port, [require_cli.fromText(sessionDir)]);
}
async function mayHavePending(ctx) {
	const { changes, problems } = await require_list.scan(ctx);
	return problems.length > 0 || changes.some(({ ignored }) => ignored === null);
}
function freeName(port, dir) {
	for (let i = 1;; i++) {
		const name = `replaced-${i}`;
		if (port.lstat(require_cli.joinPath(dir, name)) === null) return name;
	}
}
async function redoCommit(ctx, list, tools = {}) {
	const port = tools.port ?? require_cli.nodePort;
	const undo = require_trash.redoable(port, ctx);
	if (undo === null) throw require_trash.nothingToRedo();
	expectSame(port, ctx, undo);
	const commit = undo.begin.undoes === void 0 ? null : require_trash.readJournal(port, ctx, undo.begin.undoes);
	const exactly = new Set(undo.same.map(({ path }) => path));
	const again = mergesAgain(ctx, list.changes, commit?.units ?? [], exactly);
	const choices = {
		...require_with_session.choicesOfRedo(port, ctx, list.changes, undo, commit),
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
	const come = require_stage.planCommit(list, request).along.find(({ rule, change }) => rule !== "below" || change.pending !== null);
	if (come !== void 0) throw require_trash.changedSinceUndo(come.change.path);
	return await commitAll(ctx, list, request, {
		...tools,
		redoes: undo.n
	});
}
function expectSame(port, ctx, record) {
	const latest = new Map(record.same.map(({ path, id }) => [path, id]));
	require_cli.useAndClose(new require_stage.Uppers(port, ctx, null), (uppers) => {
		for (const [path, id] of latest) {
			const now = uppers.lstat(path);
			if (now !== null && require_cli.isWhiteout(now) ? require_cli.typeOf(id) === "char" : require_cli.isSame(id, now)) continue;
			throw require_trash.changedSinceUndo(path);
		}
		const dressed = record.units.filter((unit) => unit.kind === "meta" && unit.xattrs !== void 0 && record.done.has(unit.i));
		const texts = port.xattrsOf(dressed.map(({ path }) => uppers.pathOf(path)));
		const other = dressed.find((unit, i) => unit.kind === "meta" && texts[i] !== unit.xattrs?.from);
		if (other !== void 0) throw require_trash.changedSinceUndo(other.path);
	});
}
async function compareHost(port, ctx, record) {
	return await require_cli.useAndCloseAsync(new require_cli.Dirs(port, "/", 0, null), async (dirs) => await new Comparison(port, ctx, dirs, record).run());
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
	#hash = (0, node_crypto.createHash)("sha256");
	#pace = new require_cli.Pace();
	constructor(port, ctx, dirs, record) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
		this.#record = record;
		this.#expected = require_with_session.lastResults(port, ctx, record);
		this.#hash.update(`${record.n} ${[...record.undone].join()}\n`);
	}
	async run() {
		const going = this.#record.standing();
		const deleted = new Set(going.filter(({ kind }) => kind === "delete").map(({ path }) => path));
		const trees = /* @__PURE__ */ new Map();
		for (const unit of going) if (unit.kind === "delete" && require_cli.coveringDir(this.#ctx.coveredDirs, unit.path) !== null) {
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
			const message = require_cli.entryMessage(error);
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
		if (require_cli.coveringDir(this.#ctx.coveredDirs, unit.path) === null) {
			this.#lookAt(unit.path);
			this.#unable.push({
				path: unit.path,
				message: require_trash.NOT_COVERED_NOW
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
		if (now === null) unable(require_trash.HOST_REMOVED);
		else if (!ok && now.type !== require_cli.typeOf(unit.host)) unable(require_trash.HOST_HAS_OTHER);
		else if (xattrs === void 0) this.#metas.push({
			path,
			unit,
			now,
			xattrs: null
		});
		else {
			const has = require_with_session.xattrsAt(this.#port, this.#dirs, path);
			this.#hash.update(`${has}\n`);
			const expected = this.#expected.get(path)?.xattrs ?? xattrs.to;
			if (ok && has !== null && has !== expected) this.#conflict(path, "host-changed");
			if (has === null) unable(require_cli.NO_XATTRS);
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
		const left = require_trash.resultOf(unit);
		const mine = new Set(left.map(({ path }) => path));
		const found = await require_cli.lstatEach(this.#port, this.#dirs, [...mine], this.#pace);
		const before = this.#conflicts.length + this.#unable.length;
		for (const path of mine) {
			await this.#pace.breathe();
			const now = this.#note(path, found.get(path) ?? null);
			if (now === null) continue;
			this.#check(path, now);
			this.#foreign(path, now, mine);
			if (this.#isCovered(path)) this.#unable.push({
				path,
				message: require_trash.COVERED_ITSELF
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
				id: stat === void 0 ? null : require_cli.identityOf(stat)
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
				message: require_trash.COVERED_ITSELF
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
				id: require_cli.identityOf(below)
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
			message: require_trash.HOST_HAS_DIR
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
		if (restore.units.some((unit) => collected || require_merged_before.imageOf(unit) === void 0 || imageless.has(unit.i))) this.#unable.push({
			path: restore.path,
			message: require_trash.NOT_KEPT_ANY_MORE
		});
		else this.#restores.push(restore);
	}
	#isCovered(path) {
		return this.#ctx.coveredDirs.some((covered) => require_cli.isWithin(covered.path, path));
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
		if (require_cli.isAsLeft(expected.id, now, expected.endedAt, expected.stamp) || require_with_session.saysAsLeft(path, expected, now)) return true;
		const reason = expected.id === null ? "host-created" : "host-changed";
		this.#conflict(path, now === null ? "host-removed" : reason);
		return false;
	}
	#foreign(dir, now, mine) {
		if (now.type !== "dir" || require_cli.typeOf(this.#expected.get(dir)?.id) !== "dir") return;
		for (const name of this.#port.readdir(require_cli.at(this.#dirs.openToList(dir)))) {
			const path = require_cli.joinPath(dir, name);
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
	for (let dir = require_cli.parentOf(path); dir !== "/" && deleted.has(dir); dir = require_cli.parentOf(dir)) top = dir;
	return top;
}
async function stageUndo(work, commit, reversal, pendLive) {
	const { port, ctx, journal, dirs, uppers, areas, pace } = work;
	const refused = [...reversal.unable];
	const puts = await assembleAll(work, commit, reversal, refused);
	const changed = new Set(reversal.conflicts.map(({ path }) => path));
	const instead = require_merged_before.beforeMerge(port, ctx, commit);
	for (const path of changed) instead.delete(path);
	const pending = new require_outcome.PendingPlan(work, dirs, uppers, changed);
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
	} finally {
		await pending.close();
	}
	const pend = ctx.quiet || pending.items.length === 0 ? require_outcome.stagePending : pendLive;
	if (pend === void 0) throw require_trash.undoWhileLive();
	const moving = new Set(pending.items.filter(({ moves }) => moves).map(({ line }) => line.i));
	for (const { unit } of planned) if (unit.kind === "put" && moving.has(unit.i)) unit.image = "back";
	const failed = await pend(work, pending.items, instead);
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
	if (trees.length === 0 || !require_with_session.mayMove(port, ctx)) return [];
	const own = require_cli.mountOf(port, require_trash.commitsDir(ctx));
	const points = require_cli.ownMounts().map(({ point }) => point);
	const found = /* @__PURE__ */ new Map();
	for (const tree of trees) {
		const { path } = tree.unit;
		const isFree = () => isOurs(ctx, tree.now) && require_with_session.hasAllNames(tree.stats) && require_cli.mountOf(port, require_cli.parentOf(path)) === own && !points.some((point) => require_cli.isWithin(point, path));
		if (require_cli.orIfRefused(isFree, false) && await pending.isWhole(path)) found.set(inodesOf$1(tree), tree);
	}
	for (const used of require_merged_before.treesInUse([...found.keys()])) found.delete(used);
	return [...found.values()];
}
function movableFiles({ port, ctx }, puts, isOther) {
	if (!require_with_session.mayMove(port, ctx)) return [];
	const own = require_cli.mountOf(port, require_trash.commitsDir(ctx));
	const near = /* @__PURE__ */ new Map();
	const candidates = puts.flatMap(({ restore: { path, now, units }, born }) => {
		if (now?.type !== "file" || now.nlink !== 1 || require_cli.typeOf(born) === "dir" || isOther(path)) return [];
		if (units.some(({ kind }) => kind !== "put") || !(ctx.root || now.uid === ctx.uid)) return [];
		const above = require_cli.parentOf(path);
		if (!near.has(above)) near.set(above, require_cli.orIfRefused(() => require_cli.mountOf(port, above) === own, false));
		return near.get(above) === true ? [{
			path,
			ino: now.ino
		}] : [];
	});
	const held = require_merged_before.heldForWriting(new Set(candidates.map(({ ino }) => ino)));
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
		const { path, now } = put.restore;
		const displaced = {
			path,
			now,
			alone: false,
			below: put.left.map((entry) => entry.path).filter((entry) => entry !== path).sort()
		};
		add((every) => restoreUnit(transaction, every, put), files.has(path) ? {
			...displaced,
			moves: true
		} : displaced);
	}
	for (const { unit, now, entries } of trees) {
		const { path, i } = unit;
		const of = {
			path,
			host: require_cli.identityOf(now),
			reverts: [i],
			born: require_cli.birthOf(now),
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
	const going = new Set(single.map(({ path }) => path));
	const added = /* @__PURE__ */ new Map();
	for (const { path, unit, now } of single.sort((a, b) => a.path < b.path ? 1 : -1)) {
		const displaced = going.has(require_cli.parentOf(path)) ? null : {
			path,
			now,
			alone: false,
			below: []
		};
		const of = {
			path,
			host: require_cli.identityOf(now),
			upper: null,
			reverts: [unit.i]
		};
		added.set(path, add((every) => ({
			...every,
			kind: "delete",
			...of
		}), displaced));
	}
	for (const [path, planned] of [...added].reverse()) planned.top = added.get(require_cli.parentOf(path))?.top ?? planned.top;
	for (const meta of [...metas].reverse()) add((every) => metaUnit(every, meta), {
		path: meta.path,
		now: meta.now,
		alone: true,
		below: []
	});
	return out;
}
function metaUnit(every, { path, unit, now, xattrs }) {
	const { mode, uid, gid, mtimeNs } = require_cli.fingerprint(unit.host);
	return {
		...every,
		kind: "meta",
		path,
		host: require_cli.identityOf(now),
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
		const id = require_trash.hostOf(unit);
		return id === null ? [] : [require_cli.fingerprint(id)];
	});
	const mode = before[0]?.mode ?? 0;
	const isNowDir = require_cli.typeOf(born) === "dir";
	const put = {
		t: "unit",
		i: every.i,
		path,
		groups: every.groups,
		kind: "put",
		host: now === null ? null : require_cli.identityOf(now),
		reverts: units.map(({ i }) => i),
		stage: source.stage,
		rel: source.rel,
		born,
		closedMode: isNowDir && !ctx.root && (mode & 128) === 0 ? mode : null,
		entries: units.flatMap(require_trash.entriesOf).map((entry) => ({
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
		host: require_cli.identityOf(now),
		aside: require_stage.asideName(ctx.session, journal.record.n, every.i),
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
		const message = require_cli.refusalOf(() => bases.set(restore, areas.baseFor(require_cli.parentOf(path))));
		if (message !== null) refused.push({
			path,
			message
		});
	}
	const puts = [];
	const images = require_cli.joinPath(require_trash.commitDir(ctx, commit.n), require_merged_before.BEFORE);
	for (const restore of bases.keys()) {
		const rel = imageAlone(restore);
		if (rel === null) continue;
		const found = await checkAssembled(restore, () => port.lstat(require_cli.joinPath(images, rel)), pace);
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
			message: require_trash.beforeImageChanged("")
		});
	}
	for (const base of bases.values()) areas.areaAt(base, journal);
	for (const area of areas.all) {
		const inArea = [...bases].flatMap(([restore, base]) => base === area.base ? [restore] : []);
		const complaint = await assemble(port, require_trash.commitDir(ctx, commit.n), area, inArea);
		const relOf = (path) => require_cli.joinPath(TREES, require_cli.relativeTo(area.base, path));
		for (const restore of inArea) {
			const found = await checkAssembled(restore, (path) => port.lstat(require_cli.at(area.fd, relOf(path))), pace);
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
				message: require_trash.beforeImageChanged(complaint)
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
	return require_merged_before.imageOf(unit) === "link" && require_cli.typeOf(require_trash.hostOf(unit)) !== "dir" ? require_merged_before.imageName(unit.i) : null;
}
function takenAway(unit) {
	const below = require_trash.replacedBelow(unit).map(({ path, host }) => ({
		path,
		id: host
	}));
	return [{
		path: unit.path,
		id: require_trash.hostOf(unit) ?? ""
	}, ...below];
}
async function assemble(port, dir, area, restores) {
	const units = restores.flatMap((one) => one.units);
	const linked = units.filter((unit) => require_merged_before.imageOf(unit) === "link");
	let complaint = "";
	if (linked.length > 0) {
		const names = linked.map(({ i }) => require_merged_before.imageName(i));
		complaint = await inside(port, area, IMAGES, async (fd) => {
			return await require_stage.copyOut(port, require_cli.joinPath(dir, require_merged_before.BEFORE), names, fd, "--link");
		});
	}
	const alone = (work) => {
		complaint = require_cli.refusalOf(work) ?? complaint;
	};
	const relOf = (path) => require_cli.relativeTo(area.base, path);
	await inside(port, area, TREES, async (fd) => {
		for (const unit of units) if (require_merged_before.imageOf(unit) === "link") alone(() => arrange(port, area, unit.i, [fd, relOf(unit.path)]));
		const copies = units.filter((unit) => require_merged_before.imageOf(unit) === "copy");
		const copied = require_merged_before.topsOf(copies.map((unit) => ({
			path: unit.path,
			id: require_trash.hostOf(unit)
		})));
		const from = require_cli.joinPath(dir, require_merged_before.copiedImage(area.base === "/" ? "" : area.base));
		if (copied.length > 0) {
			const wanted = copied.map(relOf);
			require_stage.makeParents(port, fd, wanted);
			complaint ||= await require_stage.copyOut(port, from, wanted, fd);
		}
		for (const unit of [...units].reverse()) for (const { path, id } of takenAway(unit).reverse()) if (require_cli.typeOf(id) === "dir") alone(() => require_cli.dressDir(port, require_cli.at(fd, relOf(path)), require_cli.fingerprint(id)));
	});
	return complaint;
}
async function inside(port, area, name, work) {
	port.mkdir(require_cli.at(area.fd, name), 448);
	return await require_cli.withHandleAsync(port, port.openDir(require_cli.at(area.fd, name)), work);
}
function arrange(port, area, i, [to, rel]) {
	const image = require_cli.at(area.fd, require_cli.joinPath(IMAGES, require_merged_before.imageName(i)));
	const now = port.lstat(image);
	if (now === null) return;
	if (now.type === "dir") require_cli.chmodEntry(port, image, now.mode | 448);
	require_stage.makeParents(port, to, [rel]);
	port.rename(image, require_cli.at(to, rel));
}
async function checkAssembled(restore, look, pace) {
	const left = [];
	let born = null;
	for (const { path, id } of restore.units.flatMap(takenAway)) {
		await pace.breathe();
		const found = require_cli.orIfRefused(() => look(path), null);
		if (found === null || !require_cli.looksAlike(id, found)) return null;
		if (path === restore.path) born = require_cli.birthOf(found);
		left.push({
			path,
			id: require_cli.identityOf(found)
		});
	}
	return born === null ? null : {
		born,
		left
	};
}
function readUndoable(port, ctx, n) {
	const found = require_trash.readJournalIn(port, require_trash.commitDir(ctx, n));
	if (found === null) throw require_trash.notUndoable(n, require_trash.NOT_COMPLETE);
	const { record } = found;
	if (record.phase !== "closed" || record.begin.undoes !== void 0 || record.done.size === 0) throw require_trash.notUndoable(n, require_trash.NOT_COMPLETE);
	if (record.standing().length === 0) throw require_trash.notUndoable(n, require_trash.UNDONE_ALREADY);
	if (!record.begin.reversible) throw require_trash.notUndoable(n, require_trash.NEVER_KEPT);
	return found;
}
async function previewUndo(ctx, n) {
	const { record } = readUndoable(require_cli.nodePort, ctx, n);
	const reversal = await compareHost(require_cli.nodePort, ctx, record);
	const { revision, restores, removes, metas, conflicts, unable } = reversal;
	const restored = restores.flatMap(({ units }) => units).reduce((sum, unit) => sum + require_trash.entryCount(unit), 0);
	return {
		n,
		at: record.begin.at,
		revision,
		restored,
		removed: removes.length,
		meta: metas.length,
		conflicts,
		unable,
		guard: guardOf(reversal)
	};
}
function guardOf({ removes, restores }) {
	const count = removes.length + restores.filter(({ now }) => now !== null).length;
	if (count <= 1e3) return null;
	return {
		reasons: [`removes or replaces ${count} entries of the host (more than ${require_cli.MASS_GUARD_ENTRIES})`],
		count
	};
}
async function undoCommit(ctx, request, tools = {}) {
	return await require_cli.keepPerl(async () => await undoRecord(ctx, request, tools));
}
async function undoRecord(ctx, request, { port = require_cli.nodePort, onProgress, pendLive }) {
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
		throw require_trash.asTraiError(error);
	}
	return await require_cli.useAndCloseAsync(transaction.journal, async () => await require_with_session.advance({
		...transaction,
		onProgress,
		startedAt,
		commit,
		unfinished: /* @__PURE__ */ new Map()
	}));
}
async function prepare(ctx, request, record, { port, pendLive }) {
	const reversal = await compareHost(port, ctx, record);
	const kept = decide$1(reversal, request);
	const journal = require_trash.beginTransaction(port, ctx, {
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
		await require_stage.withStaging(transaction, async (work) => await stageUndo(work, record, reversal, pendLive));
	} catch (error) {
		if (require_cli.errorCode(error) !== "") require_with_session.abortQuietly(transaction, true);
		journal.close();
		throw error;
	}
	return transaction;
}
function decide$1(reversal, { revision, yes, typedCount, choices, conflicts }) {
	if (revision !== null && revision !== reversal.revision) throw require_trash.staleUndo();
	const guard = guardOf(reversal);
	if (guard !== null && !yes && typedCount !== guard.count) throw require_trash.massUndo(guard);
	const choiceOf = (path) => choices[path] ?? conflicts;
	const open = reversal.conflicts.filter(({ path }) => choiceOf(path) === "refuse");
	if (open.length > 0) throw require_trash.openUndoConflicts(open);
	leaveOut(reversal, reversal.conflicts.filter(({ path, reason }) => choiceOf(path) === "keep-host" || reason === "host-new-below").map(({ path }) => path));
	return reversal.conflicts.filter(({ path }) => choiceOf(path) === "keep-host").length;
}
function leaveOut(reversal, paths) {
	const kept = /* @__PURE__ */ new Set();
	for (const path of paths) for (let at = path; at !== "/" && !kept.has(at); at = require_cli.parentOf(at)) kept.add(at);
	if (kept.size === 0) return;
	reversal.removes = reversal.removes.filter(({ path }) => !kept.has(path));
	reversal.trees = reversal.trees.filter(({ entries }) => !entries.some(({ path }) => kept.has(path)));
	const inside = reversal.conflicts.filter(({ path }) => kept.has(path));
	reversal.restores = reversal.restores.filter(({ path }) => !inside.some((one) => require_cli.isWithin(one.path, path)));
	reversal.metas = reversal.metas.filter(({ path }) => !inside.some((one) => one.path === path));
}
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
function unknownEffects(ctx) {
	return brokenOf(rulesOf(ctx)).map(({ path, problems }) => require_rule_set.effectsUnknown(require_cli.toDisplay(path), problems[0] ?? ""));
}
function brokenOf({ enabled, files }) {
	return enabled ? files.filter(({ state }) => state === "broken") : [];
}
function rulesOf(ctx) {
	const { configDir } = ctx;
	if (configDir === void 0) return {
		effects: [],
		auto: [],
		enabled: false,
		files: []
	};
	const env = { XDG_CONFIG_HOME: (0, node_path.dirname)(configDir) };
	const known = knownFiles.get(ctx.stateDir) ?? new require_rule_set.RuleFiles(ctx.stateDir);
	knownFiles.set(ctx.stateDir, known);
	const request = {
		env,
		stateDir: ctx.stateDir,
		project: require_cli.projectOf(ctx.projectRoot),
		session: ctx.session,
		home: require_cli.toText(ctx.home),
		config: require_cli.loadConfig(env).config
	};
	return require_rule_set.loadRules(request, known);
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
	const matched = matchAll(changes, effects, roots);
	for (const [e, { effect, place }] of effects.entries()) {
		const isAbout = matched[e] ?? null;
		const text = isAbout === null ? require_rule_set.effectSlow(place) : require_rule_set.effectText(place, effect.reason ?? "");
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
function matchAll(changes, effects, roots) {
	const entries = changes.map(({ path, pending, host }) => {
		return {
			path,
			isDir: (pending ?? host)?.type === "dir"
		};
	});
	return require_rules.matchEffects(effects.map(({ effect }) => effect), entries, roots);
}
function isOfKind({ kinds }, { kind }) {
	if (kinds === void 0) return true;
	return kinds.includes(kind === "added" || kind === "deleted" ? kind : "modified");
}
function lookAt$1(ctx, change) {
	const covered = require_cli.coveringDir(ctx.coveredDirs, change.path);
	if (covered === null) return null;
	const upper = require_cli.upperPath(covered, change.path);
	try {
		const entry = change.pending === null ? null : require_cli.lstatEntry(upper);
		const pending = entry !== null && require_cli.isWhiteout(entry) ? null : entry;
		return {
			host: {
				path: change.path,
				real: realBelow(covered, covered.path, change.path),
				entry: change.host === null ? null : require_cli.lstatEntry(change.path)
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
	const real = require_cli.realPath(root);
	return require_cli.upperPath({
		...covered,
		upper: real === "/" ? "" : real
	}, path);
}
function readNow({ path, real, entry }, maxBytes) {
	if (entry?.type !== "file") return null;
	return require_cli.withSame(path, require_cli.identityOf$1(entry), (fd, { dev, size }) => {
		if (dev !== entry.dev || (0, node_fs.readlinkSync)(`/proc/self/fd/${fd}`, "latin1") !== real) return null;
		const head = require_cli.readBytes(fd, Math.min(size, 8192));
		if (head === null) return null;
		if (require_list.isBinaryHead(head)) return { text: null };
		const bytes = size > maxBytes ? null : require_cli.readBytes(fd, size);
		return bytes === null ? null : { text: require_list.decodeText(bytes) };
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
	const file = await (0, node_fs_promises.open)(require_cli.fsPath(path), require_cli.READ_FLAGS);
	if (await (0, node_fs_promises.readlink)(`/proc/self/fd/${file.fd}`, "latin1") === real && await isSame(file, entry)) return file;
	await file.close();
	return null;
}
async function readOpen(file, entry, late) {
	const bytes = entry.size;
	const head = await readChunk(file, Math.min(bytes, require_list.SNIFF_BYTES), 0);
	if (head === null) return null;
	if (require_list.isBinaryHead(head)) return binary(file, head, bytes, late);
	if (bytes > 512e3) return {
		state: "large",
		head: new TextDecoder().decode(head, { stream: true }),
		bytes
	};
	const content = await readChunk(file, bytes, 0);
	if (content === null) return null;
	const text = require_list.decodeText(content);
	return text === null ? binary(file, head, bytes, late) : {
		state: "text",
		text,
		bytes
	};
}
async function binary(file, head, bytes, late) {
	const about = {
		state: "binary",
		mime: require_list.sniffMime(head),
		bytes,
		head: head.toString("hex", 0, require_cli.HEX_BYTES)
	};
	if (bytes > HASH_MAX_BYTES) return {
		...about,
		sha256: null
	};
	const hash = (0, node_crypto.createHash)("sha256");
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
	const now = require_cli.toStat(await file.stat({ bigint: true }));
	return now.type === "file" && now.dev === entry.dev && require_cli.identityOf$1(now) === require_cli.identityOf$1(entry);
}
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
	await require_cli.inSlices(oneByOne(changes), (change) => {
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
	const after = readNow(pending, require_cli.HIDDEN_FILE_BYTES);
	if (after === null) return "unread";
	if (after.text === null || !require_rules.addsHidden("", after.text)) return "clean";
	if (host.entry?.type !== "file") return "hidden";
	const before = readNow(host, require_cli.HIDDEN_FILE_BYTES);
	if (before === null) return "unread";
	return require_rules.addsHidden(before.text ?? "", after.text) ? "hidden" : "clean";
}
function isListed({ entry }, identity) {
	return identity === void 0 || require_cli.identityOf$1(entry) === identity;
}
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
	return require_rules.mayGoUnread(change, place) && !refused(change);
}
function dependents(list, selected) {
	const out = brokenSets(list, selected);
	if (out.size > 0 || selected.size === 0) return out;
	const { along, stays, steps } = require_stage.planTakingSandbox(list, false, new Set(selected.keys()));
	const causes = new Map(along.map(({ change, because }) => [change.path, because.path]));
	const holders = /* @__PURE__ */ new Set();
	for (const { change, because, rule } of along) {
		let cause = because.path;
		for (let next = causes.get(cause); next !== void 0; next = causes.get(cause)) cause = next;
		if (selected.has(cause)) out.set(cause, change.path);
		if (HOLDS.has(rule)) holders.add(change.path);
	}
	if (holders.size > 0) {
		for (const path of selected.keys()) if (!out.has(path) && require_cli.isBelowAny(path, holders)) out.set(path, above(path, holders));
	}
	for (const { path } of stays) if (selected.has(path)) out.set(path, path);
	if (out.size === 0 && steps.flatMap(require_stage.changesOf).some(({ path }) => !selected.has(path))) for (const path of selected.keys()) out.set(path, path);
	return out;
}
var HOLDS = /* @__PURE__ */ new Set(["holds", "above"]);
function above(path, dirs) {
	let at = require_cli.parentOf(path);
	while (at !== "/" && !dirs.has(at)) at = require_cli.parentOf(at);
	return at;
}
function brokenSets({ changes }, selected) {
	const out = /* @__PURE__ */ new Map();
	for (const { members } of [...require_stage.groupsOf(changes), ...require_stage.linkedOf(changes)]) {
		const paths = members.flatMap((i) => changes[i]?.path ?? []);
		const missing = paths.find((path) => !selected.has(path));
		if (missing === void 0) continue;
		for (const path of paths) if (selected.has(path)) out.set(path, missing);
	}
	return out;
}
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
		else for (let at = require_cli.parentOf(path); at !== "/" && !needed.has(at); at = require_cli.parentOf(at)) needed.add(at);
	}
	for (const path of dirs) if (!needed.has(path)) found.add(path);
	return found;
}
function undonePaths(ctx) {
	const found = /* @__PURE__ */ new Map();
	for (const owner of ownersOf(ctx)) for (const n of require_trash.commitNumbers(require_cli.nodePort, owner)) {
		const { paths = [], endedAt = 0 } = undoneBy(owner, n) ?? {};
		for (const path of paths) found.set(path, Math.max(endedAt, found.get(path) ?? 0));
	}
	return found;
}
function ownersOf({ stateDir, session }) {
	const owners = /* @__PURE__ */ new Map();
	const visit = (id) => {
		if (owners.has(id)) return;
		const owner = { sessionDir: require_cli.sessionDir(stateDir, id) };
		owners.set(id, owner);
		const meta = require_cli.readPlainJson(require_cli.metaPath(owner.sessionDir));
		if (require_cli.isSessionMeta(meta)) for (const from of meta.adopted ?? []) visit(from);
	};
	visit(session);
	return [...owners.values()];
}
function undoneBy(ctx, n) {
	const ofSession = known.get(ctx.sessionDir) ?? /* @__PURE__ */ new Map();
	known.set(ctx.sessionDir, ofSession);
	const before = ofSession.get(n);
	if (before !== void 0) return before;
	const record = require_trash.readJournal(require_cli.nodePort, ctx, n);
	if (record?.phase !== "closed") return null;
	const { begin, units, done, pending, endedAt } = record;
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => require_trash.entriesOf(unit));
	const undone = begin.undoes === void 0 || endedAt === null ? null : {
		paths: new Set([...paths, ...pending].map(({ path }) => path)),
		endedAt
	};
	ofSession.set(n, undone);
	return undone;
}
function wasWritten({ coveredDirs }, path, endedAt) {
	for (let at = path; at !== "/"; at = require_cli.parentOf(at)) {
		const upper = require_cli.upperPathIn(coveredDirs, at);
		const entry = upper === null ? null : require_cli.lstatOrNone(upper);
		if (entry === null) continue;
		return (at === path || require_cli.isWhiteout(entry)) && entry.mtimeNs > BigInt(endedAt) * 1000000n;
	}
	return false;
}
function rulePathsOf(configDir) {
	const through = /* @__PURE__ */ new Set();
	return {
		through,
		real: require_cli.orNull(() => require_resolve.resolvePath(null, require_cli.fromText(configDir), (path) => through.add(path)))
	};
}
function decidesRules(path, { through, real }) {
	return through.has(path) || real !== null && require_cli.isWithin(path, real);
}
var NOTHING$1 = {
	report: null,
	left: []
};
var MOST_NAMED$1 = 5;
async function autoCommit(ctx, commit, signal) {
	const effects = loadEffects(ctx);
	if (effects.auto.length === 0) return NOTHING$1;
	const cancelled = () => signal?.aborted === true;
	const seen = await require_list.scan(ctx);
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
			report: await require_with_session.withRequest(ctx, async (locked) => await commitMatched(locked, look)),
			left
		};
	} catch (error) {
		if (!(error instanceof require_cli.TraiError) || error.code === "busy") return NOTHING$1;
		return {
			report: null,
			left: [...left, require_outcome.autoFailed(require_cli.messageOf(error))]
		};
	}
}
async function commitMatched(locked, { effects, clean, cancelled, commit }) {
	const isIdle = await require_lock.asQuiet(locked) !== null || require_cli.isClientRunning(locked.sessionDir);
	if (cancelled() || !isIdle) return null;
	await require_list.recordBases(locked);
	const { found, session, settled } = await lookSettled(locked, () => require_list.scan(locked));
	const list = withEffects(session, found, effects);
	const selection = select(session, found, {
		effects,
		clean,
		held: session.quiet ? /* @__PURE__ */ new Set() : require_merged_before.heldForWriting(matchedInodes(session, found, effects))
	});
	if (selection.paths.size === 0 || cancelled()) return null;
	const tools = {
		settled,
		cancelled,
		auto: selection.rules.join(", ")
	};
	return await commit(session, list, requestOf$2(list, selection), tools);
}
function requestOf$2({ revision }, { paths }) {
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
	const verdicts = texts.length === 0 ? /* @__PURE__ */ new Map() : await lookForHidden(ctx, texts, require_cli.HIDDEN_MS.order);
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
		require_cli.upperPathIn(coveredDirs, path),
		path,
		renamedFrom ?? null
	].flatMap((name) => name === null ? [] : require_cli.lstatOrNone(name)?.ino ?? []);
}
function leftTexts({ left }) {
	return left.slice(0, MOST_NAMED$1).map(({ path, rule, because }) => require_outcome.autoLeft(require_cli.toDisplay(path), rule, require_cli.toDisplay(because)));
}
var SLICE = 2e3;
async function overlapOf(a, b, most) {
	const ignored = require_draft.compileIgnore(a);
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
		const names = require_cli.namesOrNone(at.upperA);
		const inB = names.length === 0 ? /* @__PURE__ */ new Set() : new Set(require_cli.namesOrNone(at.upperB));
		for (const name of names) {
			if (++seen % SLICE === 0) await (0, node_timers_promises.setImmediate)();
			if (!inB.has(name)) continue;
			const both = {
				path: require_cli.joinPath(at.path, name),
				upperA: require_cli.joinPath(at.upperA, name),
				upperB: require_cli.joinPath(at.upperB, name)
			};
			const [entryA, entryB] = [require_cli.lstatOrNone(both.upperA), require_cli.lstatOrNone(both.upperB)];
			if (entryA === null || entryB === null || [a, b].some((ctx) => require_cli.isExcluded(both.path, ctx.excluded))) continue;
			const { path } = both;
			if (ignored(path, entryA.type === "dir") !== null && !require_cli.isWithin(a.projectRoot, path)) continue;
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
		return (await require_look.lookThrough(ctx, path, false)).kind !== "none";
	} catch (error) {
		if (require_cli.errorCode(error) === "ENOENT" || require_cli.errorCode(error) === "ENOTDIR") return false;
		throw error;
	}
}
function pendingBelow(ctx, dir, limit) {
	const ignored = require_draft.compileIgnore(ctx);
	const hash = (0, node_crypto.createHash)("sha1");
	const stack = startsBelow(ctx, dir);
	let count = 0;
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) for (const name of require_cli.namesOrNone(at.upper)) {
		const path = require_cli.joinPath(at.path, name);
		const upper = require_cli.joinPath(at.upper, name);
		const entry = require_cli.lstatEntry(upper);
		if (entry === null || require_cli.isExcluded(path, ctx.excluded) || entry.type === "socket") continue;
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
	const holding = require_cli.coveringDir(ctx.coveredDirs, dir);
	const own = holding === null ? [] : [{
		path: dir,
		upper: require_cli.upperPath(holding, dir)
	}];
	const inner = ctx.coveredDirs.filter((covered) => covered !== holding && require_cli.isWithin(covered.path, dir));
	return [...own, ...inner.map(({ path, upper }) => ({
		path,
		upper
	}))];
}
function says(entry, path) {
	return !require_cli.isWhiteout(entry) || require_cli.lstatEntry(path) !== null;
}
var MOST_PATHS = 50;
var MOST_SESSIONS = 20;
var projects = /* @__PURE__ */ new Map();
async function overlapsOf(stateDir, env, id) {
	if (isEmpty$1(require_cli.sessionDir(stateDir, id))) return [];
	const found = [];
	for (const other of (await othersOfProject(stateDir, id)).slice(0, MOST_SESSIONS)) {
		const overlap = await overlapWith(stateDir, env, id, other);
		if (overlap.paths.length > 0) found.push({
			session: other,
			...overlap
		});
	}
	return found;
}
async function overlapWith(stateDir, env, id, other) {
	try {
		const [a, b] = [await require_cli.sessionContext(stateDir, id, env), await require_cli.sessionContext(stateDir, other, env)];
		return await overlapOf(a, b, MOST_PATHS);
	} catch (error) {
		if (require_cli.errorCode(error) === "") throw error;
		return {
			paths: [],
			more: false
		};
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
		for (const [one, two] of [[id, other], [other, id]]) await note(require_cli.sessionDir(stateDir, one), (root) => require_cli.committedText(two, committed, root, one === id));
	}
}
async function note(dir, textOf) {
	const { projectRoot } = await require_cli.readMeta(dir);
	require_cli.logTo(dir, {
		t: "notice",
		code: "overlap",
		text: textOf(require_cli.bytePath(projectRoot))
	});
}
async function projectIdOf(stateDir, id) {
	const key = `${stateDir}\0${id}`;
	const known = projects.get(key);
	if (known !== void 0) return known;
	try {
		const { projectId } = await require_cli.readMeta(require_cli.sessionDir(stateDir, id));
		projects.set(key, projectId);
		return projectId;
	} catch {
		return null;
	}
}
async function othersOfProject(stateDir, id) {
	const project = await projectIdOf(stateDir, id);
	const found = [];
	for (const other of namesIn(node_path.default.join(stateDir, "sessions"))) {
		if (other === id || project === null || !require_cli.isSessionId(other)) continue;
		const dir = require_cli.sessionDir(stateDir, other);
		if (await projectIdOf(stateDir, other) !== project || isEmpty$1(dir)) continue;
		found.push({
			other,
			at: (0, node_fs.statSync)(require_cli.logPath(dir), { throwIfNoEntry: false })?.mtimeMs ?? 0
		});
	}
	return found.sort((a, b) => b.at - a.at).map(({ other }) => other);
}
function isEmpty$1(dir) {
	const overlay = node_path.default.join(dir, "overlay");
	return namesIn(overlay).every((n) => !/^[0-9]+$/.test(n) || namesIn(node_path.default.join(overlay, n, "u")).length === 0);
}
var namesIn = (dir) => require_cli.namesOrNone(require_cli.fromText(dir));
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
]].map((name) => require_cli.fromText(name));
var SHARED = [
	".config",
	".local",
	".local/share",
	".local/state"
].map((name) => require_cli.fromText(name));
function placesOf(changes, { projectRoot: root, home }, includeIgnored = false) {
	const counted = changes.filter(({ ignored }) => includeIgnored || ignored === null);
	const sorts = {
		project: [],
		outside: [],
		cache: []
	};
	const caches = CACHES.map((name) => require_cli.joinPath(home, name)).filter((dir) => !require_cli.isWithin(root, dir));
	for (const change of counted) sorts[caches.some((dir) => require_cli.isWithin(change.path, dir)) ? "cache" : require_cli.isWithin(change.path, root) ? "project" : "outside"].push(change);
	const groups = {
		project: group(sorts.project, childBelow(commonDir(sorts.project, root)), "project"),
		outside: group(sorts.outside, placeOutside(home), "outside"),
		cache: group(sorts.cache, ({ path }) => caches.find((dir) => require_cli.isWithin(path, dir)) ?? path, "cache")
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
	const shared = new Set(SHARED.map((name) => require_cli.joinPath(home, name)));
	const belowRoot = childBelow("/");
	return (change) => {
		let dir = require_cli.isWithin(change.path, home) ? home : belowRoot(change);
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
		return end < 0 ? path : require_cli.joinPath(dir, path.slice(from, end));
	};
}
function group(changes, placeOf, where) {
	const groups = /* @__PURE__ */ new Map();
	for (const change of changes) require_draft.addTo(groups, placeOf(change), change);
	return [...groups].map(([place, within]) => {
		const [only] = within;
		const single = within.length === 1 && only !== void 0 ? only.path : null;
		const counts = require_draft.countChanges(within);
		return {
			path: single ?? place,
			isDir: single === null,
			where,
			counts,
			total: within.length
		};
	}).sort((a, b) => a.path < b.path ? -1 : 1);
}
var MAX_COMMAND = 200;
async function preflight(ctx, plan, live) {
	return await require_cli.useAndCloseAsync(new PreflightCheck(ctx), async (check) => {
		for (const step of plan.steps) await check.step(step);
		return await check.result(live);
	});
}
var PreflightCheck = class {
	#ctx;
	#dirs;
	#areas;
	#pace = new require_cli.Pace();
	#cannot = [];
	#targets = [];
	#copied = /* @__PURE__ */ new Map();
	constructor(ctx) {
		this.#ctx = ctx;
		this.#dirs = new require_cli.Dirs(require_cli.nodePort, "/", ctx.root ? 0 : ctx.uid, null);
		this.#areas = new require_stage.Areas(require_cli.nodePort, ctx, this.#dirs);
	}
	async step(step) {
		for (const change of [step.change, ...step.below]) {
			await this.#pace.breathe();
			if (change.host !== null && !this.#target(change)) return;
		}
		if (step.op !== "put" && step.op !== "swap") return;
		require_cli.refusalOf(() => {
			const base = this.#areas.baseFor(require_cli.parentOf(step.change.path));
			const steps = this.#copied.get(base) ?? [];
			steps.push(step);
			this.#copied.set(base, steps);
		});
	}
	async result(live) {
		const files = this.#targets.filter(({ stat }) => stat.type === "file");
		const held = require_merged_before.writersOf(files.map(({ stat }) => stat));
		const writers = files.flatMap(({ path, stat }) => (held.get(`${stat.dev}:${stat.ino}`) ?? []).map((pid) => shown$2(path, pid)));
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
		const why = require_cli.refusalOf(() => {
			const stat = require_stage.expectReviewed(require_cli.nodePort, this.#dirs, change);
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
		return await require_cli.useAndCloseAsync(new require_stage.Uppers(require_cli.nodePort, this.#ctx, null), async (uppers) => {
			const work = {
				port: require_cli.nodePort,
				dirs: this.#dirs,
				uppers,
				pace: this.#pace
			};
			const findings = await require_stage.checkSteps(work, steps);
			const merges = /* @__PURE__ */ new Map();
			const moves = require_with_session.findMoves(require_cli.nodePort, this.#ctx, uppers, findings, {
				marks: await require_with_session.askMarks(this.#ctx, steps, merges),
				merges
			});
			return new Set([...moves].map(({ step }) => step));
		});
	}
	async #space(held, live) {
		const own = require_cli.fromText(this.#ctx.sessionDir);
		const device = require_cli.nodePort.lstat(own)?.dev;
		let images = 0;
		for (const { stat } of this.#targets) {
			const linkable = stat.nlink === 1 && stat.dev === device && !held.has(`${stat.dev}:${stat.ino}`);
			if (stat.type === "file" && !linkable) images += stat.disk;
		}
		const found = [];
		for (const [path, steps] of this.#copied) {
			const { free } = require_cli.nodePort.space(require_cli.at(this.#dirs.open(path)));
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
			free: require_cli.nodePort.space(own).free
		});
		return found;
	}
};
function bytesOf$1(steps) {
	let bytes = 0;
	for (const { members } of steps) for (const { pending } of members) bytes += pending?.size ?? 0;
	return bytes;
}
function shown$2(path, pid) {
	return {
		path,
		pid,
		command: Buffer.from(require_cli.processText(pid, "cmdline") ?? "", "latin1").toString().replaceAll("\0", " ").trim().replace(/\p{C}/gu, "?").slice(0, MAX_COMMAND)
	};
}
async function previewJob(ctx, { list: scanned, order, texts }) {
	const { scope, action, includeIgnored } = order;
	const processes = await require_cli.liveProcesses(ctx.source);
	const list = action === "commit" ? withEffects(ctx, scanned) : scanned;
	const unknown = action === "commit" ? unknownEffects(ctx) : [];
	const chosen = await require_fates.chosenOf(ctx, action === "commit" ? require_fates.withTimes(list, scope) : list, scope);
	const { going, along, cannot, writers, linked, ...rest } = action === "commit" ? await aboutCommit(ctx, list, chosen, order, processes.length > 0) : await aboutDiscard(ctx, list, chosen, processes);
	const { hidden, unread } = await hiddenAmong(ctx, action === "commit" && texts !== null ? going : [], require_cli.HIDDEN_MS.order, texts ?? void 0);
	const ignored = (chosen.paths === null ? list.changes : list.changes.filter(({ path }) => chosen.paths?.has(path))).filter((change) => change.ignored !== null);
	const first = (all) => all.slice(0, 100);
	const { flagged, confirm, never } = action === "commit" ? effectsIn(scanned, going, ignored) : NO_EFFECTS;
	return {
		revision: list.revision,
		scope,
		action,
		counts: require_draft.countChanges(going),
		places: placesOf(going, ctx, includeIgnored),
		bytes: require_list.bytesOf(going.filter((change) => includeIgnored || change.ignored === null)),
		risks: require_rules.countRisks(going, {
			...ctx,
			hidden
		}),
		unread,
		conflicts: action === "discard" ? [] : conflictsOf(ctx, going),
		ignored: {
			count: ignored.length,
			bytes: require_list.bytesOf(ignored)
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
		processes,
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
	const plan = require_stage.planTakingSandbox(list, includeIgnored, paths);
	const all = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
	const going = all.filter(({ ignored }) => ignored !== require_draft.TIMES_RULE);
	const times = all.length - going.length;
	const { cannot, ...found } = await preflight(ctx, plan, live);
	const toldStays = (change) => ({
		path: change.path,
		why: require_scope.staysText(change)
	});
	const stays = plan.stays.map(toldStays);
	const closed = paths === null ? plan.closed.map(toldStays) : [];
	return {
		going,
		...times === 0 ? {} : { times },
		along: plan.along.map((one) => ({
			path: one.change.path,
			why: require_scope.alongText(one)
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
			bytes: require_stage.replacedBytes(plan),
			maxBytes: (ctx.undo ?? require_cli.UNDO_LIMITS).maxBytes
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
			maxBytes: (ctx.undo ?? require_cli.UNDO_LIMITS).maxBytes
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
	const all = paths ?? new Set(list.changes.map(({ path }) => path));
	const { plan, along, cannot } = await require_with_session.lookAtDiscard(ctx, list, all, live);
	return {
		...none,
		writers: users(plan.tops),
		going: plan.going,
		along,
		cannot: [...unsure, ...cannot]
	};
}
function usersOf(processes, changes) {
	const users = require_merged_before.usersBelow(processes, new Set(changes.map(({ path }) => path)));
	const commands = new Map(processes.map(({ pid, command }) => [pid, command]));
	return users.map(({ path, pid }) => ({
		path,
		pid,
		command: commands.get(pid) ?? ""
	}));
}
var LEAVE = { do: "leave" };
var NOTHING = { do: "nothing" };
async function isOld(kept, step, host) {
	const now = require_cli.lstatEntry(kept.upper);
	const { copied, shown, print, base } = step.old;
	if (now?.type !== shown.type) return false;
	if (!copied) return now.mtimeNs === shown.mtimeNs && now.mode === shown.mode && require_with_session.printOf(kept.upper) === print;
	return require_list.isUntouched({
		path: step.spot.path,
		upperPath: kept.upper,
		upper: now,
		host,
		base
	});
}
async function decide(ctx, room, bases, path) {
	const spot = require_cli.isExcluded(path, ctx.excluded) || path === room.covered.path ? null : room.spot(path);
	const host = spot === null ? "closed" : require_cli.hostEntry(path);
	if (spot === null || host === "closed") return LEAVE;
	const shown = require_cli.lstatEntry(spot.at);
	const print = host !== null && host.size > 16777216 || require_cli.lstatEntry(spot.upper) !== null ? null : require_with_session.printOf(spot.at);
	const base = bases.lookup(path);
	const upper = require_cli.lstatEntry(spot.upper);
	if (upper !== null && require_cli.isWhiteout(upper)) return host === null ? NOTHING : LEAVE;
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
	if (!require_list.isUntouched({
		...look,
		base
	})) return LEAVE;
	if (host.type === upper.type && host.mtimeNs === upper.mtimeNs && host.size === upper.size && host.mode === upper.mode && require_list.isUntouched({
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
	const parent = require_cli.hostEntry(require_cli.parentOf(spot.path));
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
	if (upper.type === "dir") return base.state === "known" && require_list.onlyTouched(upper, base) ? {
		do: "clear",
		spot
	} : LEAVE;
	if (!require_list.equalsBase(spot.upper, upper, base)) return LEAVE;
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
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#placer = new require_with_session.Placer(ctx, room);
	}
	async run(paths) {
		const removed = paths.filter((path) => require_cli.hostEntry(path) === null);
		const cleared = await this.#removals(removed.flatMap((path) => [...this.#below(path), path]));
		this.#room.letGo();
		const { inside, covered } = this.#room;
		const problem = await require_inside.refreshMounts(this.#ctx, inside.pid, [covered.path]);
		for (const path of cleared) await this.#guarded(path, async () => this.#clear(path));
		for (const path of removed) await this.#guarded(path, () => this.#stirIfGone(path));
		await this.#puts(paths.filter((path) => require_cli.hostEntry(path) !== null));
		this.#placer.save();
		await this.#clearKept();
		return problem;
	}
	*#below(dir) {
		const upper = require_cli.upperPath(this.#room.covered, dir);
		if (require_cli.lstatEntry(upper)?.type !== "dir") return;
		for (const name of require_cli.namesOrNone(upper)) {
			const path = require_cli.joinPath(dir, name);
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
		require_cli.nodePort.rmdir(spot.at);
		this.#placer.removed(path);
		this.result.replayed.push(path);
	}
	async #take(step) {
		const aside = await require_with_session.takeOut(this.#room, step.spot, (kept) => isOld(kept, step, null));
		this.#placer.record(require_cli.parentOf(step.spot.path));
		await this.#unmark(step.spot);
		return aside;
	}
	async #stirIfGone(path) {
		const step = await this.#decide(path);
		if (step.do !== "stir") return;
		require_with_session.stir(this.#room, step.spot);
		this.#placer.record(require_cli.parentOf(path));
		await this.#unmark(step.spot);
	}
	async #unmark(spot) {
		const upper = require_with_session.lookUpper(spot);
		if (upper === null || !require_cli.isWhiteout(upper)) return;
		const host = require_cli.hostEntry(spot.path);
		if (host === null || host === "closed") return require_with_session.stir(this.#room, spot);
		const [copied] = (await this.#placer.copy([{
			spot,
			host
		}])).copied;
		if (copied === void 0) {
			this.result.again.push(spot.path);
			return;
		}
		require_cli.nodePort.link(copied.from.at, spot.at);
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
				const aside = await require_with_session.putOver(this.#room, step.spot, from, (kept) => isOld(kept, step, step.host));
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
		const pids = (await require_cli.liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		if (pids.length === 0) return;
		const { saved, waiting } = this.#room.clear(pids);
		this.result.saved.push(...saved);
		this.result.kept += waiting;
	}
	#decide(path) {
		return decide(this.#ctx, this.#room, this.#placer.bases, path);
	}
	#held(path) {
		this.result.left.push(path);
		this.result.held.push(path);
	}
	async #guarded(path, work) {
		try {
			await work();
		} catch (error) {
			if (require_cli.errorCode(error) === "") throw error;
			this.result.left.push(path);
		}
	}
};
async function movedOn(records) {
	const moved = [];
	const pace = new require_cli.Pace();
	for (const { path, base } of records) {
		await pace.breathe();
		if (base.state !== "known" || base.host.type === "dir") continue;
		const host = require_cli.hostEntry(path);
		if (host === "closed") continue;
		if (host === null || !require_list.sameEntry(base.host, require_cli.toHostStat(host, path))) moved.push(path);
	}
	return moved;
}
async function replayBatch(ctx, paths, report) {
	const groups = byPlace(ctx, paths);
	report.left.push(...paths.filter((path) => require_cli.coveringDir(ctx.coveredDirs, path) === null));
	report.kept = 0;
	for (const [covered, mine] of groups) {
		const inside = await require_inside.openInside(ctx.source, covered);
		if (inside === null) continue;
		await require_cli.useAndCloseAsync(inside, async () => {
			report.live = true;
			const room = require_with_session.Room.open(ctx, covered, inside, mine);
			if (room === null) {
				report.left.push(...mine);
				report.problem ??= await require_inside.refreshMounts(ctx, inside.pid, [covered.path]);
			} else await replayIn(ctx, room, mine, report);
		});
	}
}
async function replayIn(ctx, room, paths, report) {
	await require_cli.useAndCloseAsync(room, async () => {
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
		const covered = require_cli.coveringDir(ctx.coveredDirs, path);
		if (covered !== null) groups.set(covered, [...groups.get(covered) ?? [], ...mine]);
	};
	add(ctx.projectRoot);
	for (const path of paths) add(path, path);
	for (const path of require_cli.presentReplayDirs(ctx)) add(path);
	const any = ctx.coveredDirs.find(({ path }) => require_cli.isWithin(ctx.home, path)) ?? ctx.coveredDirs[0];
	if (groups.size === 0 && any !== void 0) groups.set(any, []);
	return groups;
}
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
	if ((await require_cli.liveProcesses(ctx.source)).length === 0) return report;
	const moved = request.everything ? await movedOn(require_list.readBaseFile(ctx).records.values()) : [];
	const paths = [.../* @__PURE__ */ new Set([...request.paths, ...moved])];
	for (let at = 0; at === 0 || at < paths.length; at += 256) {
		const batch = paths.slice(at, at + 256);
		await require_with_session.withSession(ctx, "live", async (session) => {
			await require_with_session.finishInterruptedUndo(session);
			await replayBatch(session, batch, report);
		});
	}
	return report;
}
var JOBS = {
	scan: async (ctx, mark) => await require_fates.packScan(await require_fates.scanJob(ctx, mark)),
	preview: previewJob,
	history: async (ctx, _) => require_outcome.readHistory(ctx),
	historyPaths: async (ctx, { key, after }) => require_outcome.historyPaths(ctx, key, after),
	undoPreview: (ctx, { n }) => previewUndo(ctx, n),
	fates: async (ctx, _) => await require_fates.fatesJob(ctx),
	disk: (ctx, { live }) => require_disk_use.diskSizes(ctx, live),
	commit: commitJob,
	discard: discardJob,
	undo: undoDiscardJob,
	undoCommit: undoCommitJob,
	redo: redoJob,
	recover: recoverJob,
	replay: (ctx, request) => replay(ctx, request),
	tidy: (ctx, { earliestCall }) => require_tidy.tidy(ctx, earliestCall),
	autoCommit: (ctx, _, __, signal) => autoCommit(ctx, commitListed, signal)
};
async function commitJob(ctx, { scope, fingerprints, ...order }, progress, signal) {
	return await require_with_session.withRequest(ctx, async (locked) => {
		await require_list.recordBases(locked);
		const { found, session, settled } = await lookSettled(locked, () => require_fates.reviewedList(locked, {
			...order,
			scope,
			fingerprints
		}));
		const { stale } = found;
		const list = withEffects(session, found.list);
		const { paths } = await require_fates.chosenOf(session, require_fates.withTimes(list, scope), scope);
		const request = {
			...order,
			revision: list.revision,
			exactly: paths ?? void 0,
			stale
		};
		const tools = {
			settled,
			onProgress: shown$1(progress),
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
	const report = await require_outcome.keepingTimes(session, list, async () => {
		const earlier = await require_with_session.finishInterrupted(session, tools.onProgress);
		if (earlier !== null) return earlier;
		const done = await commitAll(session, list, request, tools);
		require_outcome.logCommit(session, done, done.state);
		return done;
	});
	await tellCommitted(stateDir, process.env, id, shared).catch(() => void 0);
	await require_doctor.collectOwn(session).catch(() => void 0);
	return report;
}
async function undoCommitJob(ctx, { endProcesses: end, ...request }, progress) {
	return await require_with_session.withRequest(ctx, async (session) => {
		expectNewest(session, request.n);
		await require_list.recordBases(session);
		if (end) await require_cli.endProcesses(session.source);
		return await logged(session, refusedUndo(request.n, false), async () => {
			const onProgress = shown$1(progress);
			const earlier = await require_with_session.finishInterrupted(session, onProgress);
			if (earlier !== null) return earlier;
			const tools = {
				onProgress,
				pendLive: require_with_session.pendLive
			};
			const report = await undoCommit(await require_lock.asQuiet(session) ?? session, request, tools);
			await require_with_session.showUndone(session, report);
			require_outcome.returnWritten(session, report);
			require_outcome.logCommit(session, report, report.state);
			return report;
		});
	});
}
function expectNewest(ctx, n) {
	const history = require_outcome.readHistory(ctx);
	if (history.find(({ can }) => can === "undo")?.n === n) return;
	const older = history.find((entry) => entry.n === n);
	const why = older?.why || (older?.state === "undone" ? "it is undone already" : "it is not the newest");
	throw require_trash.notUndoable(n, why);
}
async function redoJob(ctx, _, progress) {
	return await require_with_session.withRequest(ctx, async (locked) => {
		const onProgress = shown$1(progress);
		const earlier = await require_with_session.finishInterrupted(locked, onProgress);
		if (earlier !== null) return earlier;
		await require_list.recordBases(locked);
		const { found: list, session, settled } = await lookSettled(locked, () => require_list.scan(locked));
		const tools = {
			settled,
			onProgress
		};
		return await logged(session, refusedUndo(0, true), async () => {
			const report = await require_outcome.keepingTimes(session, list, () => redoCommit(session, list, tools));
			require_outcome.logCommit(session, report, report.state);
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
		if (error instanceof require_cli.TraiError) require_outcome.log(session, refused(error.message));
		throw error;
	}
}
function shown$1(progress) {
	return ({ done, total, path }) => progress?.(done, total, require_cli.toDisplay(path));
}
async function discardJob(ctx, { scope, revision, endProcesses: end }, _, signal) {
	return await require_with_session.withRequest(ctx, async (session) => {
		const asked = {
			scope,
			revision,
			includeIgnored: true
		};
		let { list } = await require_fates.reviewedList(session, asked);
		const ended = end ? await require_cli.endProcesses(session.source) : [];
		const now = end ? await require_with_session.expectQuiet(session, require_cli.UNTIL_QUIET_TO_DISCARD) : await require_lock.asQuiet(session) ?? session;
		const closed = await require_with_session.giveUpInterrupted(now);
		if (ended.length > 0 || closed !== null) ({list} = await require_fates.reviewedList(now, asked));
		const report = await require_outcome.keepingDiscarded(now, list, () => discardScope(now, list, scope, () => signal?.aborted === true));
		require_outcome.log(now, {
			t: "discard",
			trash: report.trash,
			entries: report.entries,
			ended
		});
		return report;
	});
}
async function discardScope(session, list, scope, cancelled) {
	const { paths } = await require_fates.chosenOf(session, list, scope);
	if (cancelled()) throw require_trash.discardStopped(0);
	const quiet = await require_lock.asQuiet(session);
	if (quiet !== null && paths === null) return {
		...await discardAll(quiet, list.changes.length),
		paths
	};
	const all = paths ?? new Set(list.changes.map(({ path }) => path));
	const { plan, cannot } = await require_with_session.lookAtDiscard(session, list, all, quiet === null);
	if (all.size === 0) throw require_cli.nothingPending(session.session);
	if (plan.going.length === 0) throw require_cli.nothingToDiscard(cannot);
	const tools = {
		port: require_cli.nodePort,
		cancelled
	};
	return {
		...quiet === null ? await require_with_session.discardLive(session, plan, tools) : require_with_session.discardPart(quiet, plan, tools),
		paths: new Set(plan.going.map(({ path }) => path))
	};
}
async function undoDiscardJob(ctx, { trash }) {
	return await require_with_session.withRequest(ctx, async (session) => {
		const quiet = await require_lock.asQuiet(session);
		const live = quiet === null ? require_with_session.returnableLive(session, trash) : null;
		const report = live === null ? await undoDiscard(quiet ?? await require_with_session.expectQuiet(session), trash) : await require_with_session.undoDiscardLive(session, live);
		require_outcome.log(session, {
			t: "undo",
			what: "discard",
			trash: report.trash,
			entries: report.entries
		});
		return report;
	});
}
async function recoverJob(ctx, _) {
	if (!(require_with_session.needsRepair(ctx) || require_with_session.adoptionWaits(ctx.sessionDir) || require_trash.unfinishedCommit(ctx) !== null)) return null;
	try {
		return await require_with_session.withRequest(ctx, require_with_session.finishInterrupted);
	} catch (error) {
		if (error instanceof require_cli.MovedOn) return null;
		throw error;
	}
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
		const list = await require_fates.scanFor(ctx, scope);
		const request = requestOf$1(cli, args, scope, list);
		announceMerges(cli, ctx, list, request);
		for (const text of unknownEffects(ctx)) cli.remark(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
		if (scope.kind !== "all") {
			const { includeIgnored } = request;
			const order = {
				scope,
				action: "commit",
				includeIgnored
			};
			announceSelection(cli, await JOBS.preview(ctx, {
				list,
				order,
				texts: null
			}));
		}
		const report = await require_cli.stoppable(cli, (signal) => JOBS.commit(ctx, request, void 0, signal));
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
		const { etag, diff, conflicts } = previewMerge(ctx, change);
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
		["--end-processes", "ends the processes of the session first; without it, what one\nhas open for writing stays pending"]
	],
	words: Number.POSITIVE_INFINITY,
	acts: require_rules.always,
	async run({ cli, ctx, args }) {
		const scope = scopeOf(cli, discard, args);
		const list = await require_fates.scanFor(ctx, scope);
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
		const preview = await JOBS.preview(ctx, {
			list,
			order,
			texts: null
		});
		announceSelection(cli, preview);
		announceUsers(cli, preview);
		if (!args.flags.has("yes")) throw require_cli.notYetConfirmed(require_rules.countsText(preview.counts), cli.own("undo"));
		const request = {
			scope,
			revision: null,
			endProcesses: args.flags.has("end-processes")
		};
		const report = await require_cli.stoppable(cli, (signal) => JOBS.discard(ctx, request, void 0, signal));
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
			...await require_fates.scanFor(ctx, scope),
			timed: void 0
		};
		const { paths } = await require_fates.chosenOf(ctx, list, scope);
		const plan = require_stage.planTakingSandbox(list, args.flags.has("include-ignored"), paths);
		const going = [...plan.steps.flatMap(({ members, below }) => [...members, ...below]), ...plan.closed];
		const report = await exportChanges(ctx, list, going, ".", target);
		const effects = withNamedEffects(ctx, going).flatMap(({ path, effects: named = [] }) => named.map((one) => ({
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
	const lines = [target.kind === "patch" ? `Wrote ${what} of ${require_cli.toDisplay(repository)} to "${require_cli.toDisplay(target.file)}". Apply it to HEAD with: git apply FILE` : `Put ${what} of ${require_cli.toDisplay(repository)} on the new branch ${target.name} (${made?.slice(0, 12)}).`, "They are still pending; your files, HEAD and index are unchanged."];
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
	arguments: [["--end [PID…]", "ends all of them, or these"]],
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
		const chosen = pids.length === 0 ? processes : processesNamed(processes, pids, meta.id);
		const ended = await require_outcome.endAndLog(ctx, chosen);
		const count = require_cli.countText(ended.length, "process", "processes");
		cli.print(ended.length === 0 ? "Nothing to end." : `Ended ${count}: ${ended.join(", ")}`, { ended });
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
	if (await mayHavePending(to)) throw require_cli.adopterHasChanges(to.session);
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
		const found = await require_doctor.contextsOf(cli.state, cli.env);
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
				unread.push(require_doctor.unreadSession(id, error));
			}
		}
		const lines = rows.map((row) => rowText(row, cli.style));
		if (found.sessions.length > 0) lines.push(require_cli.diskText(disk, cli.style));
		lines.push(...unread.map((one) => unreadText(one, `${one.session}  could not be read`, cli.style)));
		cli.print(lines.length === 0 ? "No sessions yet." : lines.join("\n"), {
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
	return (live ? null : require_fates.readCounts(ctx)) ?? (await require_fates.timedScan(ctx, live)).list;
}
async function diskOf(cli, found) {
	const { warnFreeBytes } = require_cli.loadConfig(cli.env).config.disk;
	return await require_doctor.diskUse({
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
		const all = await require_doctor.contextsOf(cli.state, cli.env);
		const contexts = all.sessions.map(({ ctx }) => ctx);
		const { found, bytes, problems } = await require_doctor.previewGc(all);
		const boxes = await require_boxes.boxGarbage(cli);
		const none = found.length + boxes.gone.length + boxes.old.length === 0;
		const lines = none ? [NOTHING_TO_REMOVE] : [];
		const unread = problems.map((one) => unreadText(one, `Session ${one.session} could not be read, and nothing of it is removed`, cli.style));
		if (removes) {
			const { removed, kept, freed } = await require_doctor.collect(cli.state, contexts, { items: found });
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
	const written = require_draft.timeOf(await require_write_times.writeTimes(ctx, [change]), 0);
	const whens = written === null ? [] : whensOf(covered, change, written);
	if (whens.length === 0) return [];
	const { folds, spans } = await require_fates.readOverlayLogs(ctx);
	const index = new require_cli.WriterIndex(spans);
	return whens.map(([what, [from, to]]) => {
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
}
function whensOf(covered, change, written) {
	if (change.kind === "deleted") return [["deleted", written]];
	const made = Number((require_cli.lstatOrNone(require_cli.upperPath(covered, change.path))?.birthNs ?? 0n) / 1000000n);
	return made > 0 && made < written[0] ? [["changed", written], ["made", [made, made]]] : [["changed", written]];
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
	const sides = lookAt$1(ctx, change);
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
	if (require_rules.countLines(oldText) > 2e4 || require_rules.countLines(newText) > 2e4) return omitted(base, "too-large", old, now);
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
	const octal = (side) => side.mode.toString(8).padStart(3, "0");
	if (host === null && pending !== null) notes.push(`new ${TYPE_WORDS[pending.type]}, mode ${octal(pending)}`);
	if (host !== null && pending === null) notes.push(`${TYPE_WORDS[host.type]} deleted`);
	if (kind === "dir-replaced") notes.push("directory deleted and made again: what it held is listed as deleted");
	if (host === null || pending === null) return notes;
	if (host.type !== pending.type) notes.push(`${TYPE_WORDS[host.type]} → ${TYPE_WORDS[pending.type]}`);
	if (host.mode !== pending.mode) notes.push(`mode ${octal(host)} → ${octal(pending)}`);
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
		overlaps: await overlapsOf(stateDir, env, session),
		low: require_cli.lowSpace(stateDir, require_cli.loadConfig(env).config.disk.warnFreeBytes)
	};
}
function diffText(change, diff, style) {
	return [style.bold(`${change.kind}: ${require_cli.toDisplay(change.path)}`), ...body(diff, style)].join("\n");
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
function concludeWhy(why) {
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
var PLACES = {
	"covered": "covered directory",
	"read-only": "read-only directory",
	"direct": "written directly",
	"masked": "hidden in the sandbox",
	"none": "not in a covered directory"
};
var WRITES = {
	changed: "last changed",
	made: "created",
	deleted: "deleted"
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
	return [`  ${WRITES[write.what]} ${when}${write.writers.length === 1 ? " by" : `${many}${none}`}`, ...write.writers.map((writer) => writerLine(writer, session, style))];
}
function writerLine({ call, session, command, by }, own, style) {
	const left = by === "process" ? ", by a process that it left" : "";
	const where = session === own ? "" : ` of session ${session}`;
	return `    ${require_rules.oneLine(command)} ${style.dim(`(call ${call}${where}${left})`)}`;
}
function sideText(side) {
	if (side === null) return "no entry";
	const mode = side.mode.toString(8).padStart(4, "0");
	const more = side.type === "file" ? `, ${require_cli.sizeText(side.size)}` : "";
	const target = side.target === void 0 ? "" : ` -> ${require_cli.toDisplay(side.target)}`;
	return `${side.type}${more}, mode ${mode}, owner ${side.uid}:${side.gid}${target}`;
}
function baseText({ base, baseHost }) {
	if (baseHost === null) return BASES[base];
	const changed = new Date(Number(BigInt(baseHost.ctimeNs) / 1000000n)).toISOString();
	return `${sideText(baseHost)}, last changed ${require_cli.localText(changed)}`;
}
function placeText({ path, kind, why }) {
	if (kind === "none") return PLACES[kind];
	return `${PLACES[kind]} ${require_cli.toDisplay(path)}${why === "" ? "" : ` (${why})`}`;
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
		const scanned = isByCall ? await require_fates.scanWritten(ctx) : await require_list.scan(ctx);
		const list = {
			...scanned,
			changes: withNamedEffects(ctx, scanned.changes)
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
		const texts = await hiddenAmong(ctx, changes, require_cli.HIDDEN_MS.status);
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
			const named = withNamedEffects(ctx, matches);
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
		const torn = raw.length === 0 ? "" : `\n${raw.length} line(s) of the log are damaged. See them with: trai log --json`;
		const wrote = require_fates.countWritten((await require_fates.scanWritten(ctx)).changes);
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
		const found = await whyPath(ctx, await require_fates.scanWritten(ctx), require_cli.pathAt(cli, word));
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
		["--end-processes", "ends the processes of the session first"],
		["--conflicts WAY", "for files that changed since: refuse (the default), keep-host, take-back"],
		["--keep-host PATH,…", "changed since: leaves them as they are now"],
		["--take-back PATH,…", "changed since: restores what was there before the commit"]
	],
	acts: ({ flags }) => !flags.has("list"),
	async run({ cli, ctx, args }) {
		if (args.flags.has("redo") && !args.flags.has("list")) return printReport(cli, await JOBS.redo(ctx, null), "Committed again");
		const history = await JOBS.history(ctx, null);
		if (args.flags.has("list")) {
			cli.print(history.length === 0 ? "No commits or discards yet." : history.map(line).join("\n"), history);
			return 0;
		}
		const newest = history.find(({ can }) => can === "undo");
		if (newest === void 0) throw require_cli.nothingToUndo(history.find(({ kind, state }) => kind !== "undo" && state !== "undone"));
		if (newest.trash !== null) {
			const report = await JOBS.undo(ctx, { trash: newest.trash });
			cli.print(`${require_cli.countText(report.entries, "entry", "entries")} pending again.`, report);
			return 0;
		}
		const request = {
			...requestOf(cli, args, newest.n),
			endProcesses: args.flags.has("end-processes")
		};
		return printReport(cli, await JOBS.undoCommit(ctx, request), "Undone");
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
function printReport(cli, report, what) {
	const [they, them] = report.applied === 1 ? ["It is", "it"] : ["They are", "them"];
	const again = ` ${they} pending again. Commit ${them} again with: ${cli.own("undo")} --redo`;
	const lines = [`${what}: ${require_cli.countText(report.applied, "change")}.${what === "Undone" && report.applied > 0 ? again : ""}`];
	if (report.kept > 0) lines.push(`${require_cli.countText(report.kept, "entry", "entries")} kept as on the host.`);
	lines.push(...require_cli.markedLines(report.marked ?? []));
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
