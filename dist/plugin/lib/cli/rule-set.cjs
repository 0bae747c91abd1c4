"use strict";
const require_cli = require("../cli.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
let node_path = require("node:path");
let node_buffer = require("node:buffer");
var jsonProblem = (error) => `not JSON: ${require_cli.messageOf(error)}`;
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
var VERDICT = {
	off: "permission rules are turned off by the config (\"rules\": {\"enabled\": false})",
	noRule: "no permission rule is about this call",
	allowed: "every part of it is allowed by a permission rule",
	readOnly: "it only reads, inside the project and the allowed directories",
	sandboxed: "all that it writes stays pending, and no permission rule is about it"
};
function ruleWhy(decision, { list, index, file, text, reason }, segment) {
	const rule = `rule ${list}[${index}] of ${file} (${shortened(text)})`;
	const about = segment === "" ? "this call" : shortened(segment);
	return `${rule} ${decision === "ask" ? "asks about" : decision === "deny" ? "denies" : "allows"} ${about}${reason === "" ? "" : `: ${reason}`}`;
}
var brokenWhy = (file, problem) => `the rule file ${file} cannot be used (${problem}), and no good version of it is known; so every call is asked about. Repair or remove it; see: trai rules verify`;
var builtInWhy = (name) => `trai's own rule "${name}" allows it; "rules": {"builtIn": {"remove": ["${name}"]}} in the config turns that off`;
var notAllowable = (why) => `no rule may allow it, because ${why}`;
var staysAsked = (why) => `no permission rule is about this call, and ${why}`;
var MOST_SHOWN = 120;
function shortened(text) {
	return text.length <= MOST_SHOWN ? text : `${text.slice(0, 119)}…`;
}
var NOT_ALLOWABLE = {
	broken: "it is not understood as a shell text",
	odd: "it has parts that may run or set anything (a function, arithmetic, an unusual expansion)",
	hidden: "it has hidden characters, or a program whose name is not plain ASCII",
	alias: "it defines an alias",
	assignment: "it sets a variable that may change what runs",
	noProgram: "it has no literal program",
	wrapper: "it is run by a program with options that are not known",
	moves: "it is run in another directory",
	unknownText: "it runs a text that is not known whole",
	redirect: "it redirects to what may be anything",
	reads: "it reads from what may be anything",
	outside: "it writes to a file that is neither pending nor inside the project or an allowed directory"
};
var LEAVING = {
	program: (name) => `\`${name}\` acts beyond the sandbox`,
	keys: (path) => `it names ${path}, a file of keys or passwords`,
	keysBelow: (name, path) => `\`${name}\` reads everything below ${path}, where files of keys or passwords are`,
	unknown: "a shell runs a text that is not known before"
};
var effectText = (place, reason) => reason === "" ? place : `${place}: ${reason}`;
var effectSlow = (place) => `${place}: its patterns take too long, so it counts for every path`;
var effectsUnknown = (file, problem) => `the rule file ${file} cannot be used (${problem}), and no good version of it is known, so its effects are not known`;
var PASSTHRU = {
	on: "the passthru plugin is on and decides about calls, too",
	which: "Of both answers the stricter counts: deny, then ask, then allow. trai rules import passthru takes its rules over, /plugin turns it off."
};
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
var IMPORT = {
	notUnderstood: "it has no meaning that a rule could have",
	glob: "it is a glob with brackets or an exception",
	contradicts: "a rule in another list decides otherwise about the same calls",
	relative: "it is relative to the directory in which Claude Code works",
	local: "it holds in this project only, and a rule of yours would hold in all",
	relativeDir: "it is relative to the directory in which Claude Code works, and only absolute directories count",
	localDir: "it holds in this project only, and an allowed directory of yours would hold in all"
};
var ruleFileUnusable = (file, problem) => new require_cli.TraiError("corrupt", `the rule file cannot be used: ${problem}`, {
	path: file,
	hint: "Nothing was changed. Repair the file first; see: trai rules verify"
});
var ruleFileRepeats = (file, key) => new require_cli.TraiError("corrupt", `an object of the rule file has the key ${JSON.stringify(key)} twice, and one would be lost`, {
	path: file,
	hint: "Nothing was changed. Give the two different names first."
});
var ruleFileChanged = (file) => new require_cli.TraiError("stale-revision", "the rule file was changed meanwhile", {
	path: file,
	hint: "Nothing was changed. Look again."
});
var contentChanged = (hash) => new require_cli.TraiError("stale-revision", `no rule file of this project has the content with the SHA-256 ${hash} now`, { hint: "It does not count. Look again: trai rules list" });
var noSuchRule = (file, at, count) => new require_cli.TraiError("not-found", `there is no rule ${at}; the list has ${count}`, {
	path: file,
	hint: "See: trai rules list"
});
var wouldBreak = (file, findings) => new require_cli.TraiError("bad-input", `the change was refused: ${findings.map(({ at, text }) => `${at} ${text}`.trim()).join("; ")}`, {
	path: file,
	hint: "Nothing was changed."
});
var rulesBusy = (cause, seconds) => new require_cli.TraiError("busy", `the rules were being changed for ${seconds} seconds`, {
	path: cause.path,
	hint: "Nothing was changed. Try again in a moment.",
	cause
});
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
		throw new PatternError(require_cli.messageOf(error).replace(/^Invalid regular expression: \/.*\/u?: /s, ""));
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
	...require_cli.RULE_LISTS,
	"version",
	"allowed_dirs",
	"effects"
]);
var ENTRY_KEYS = /* @__PURE__ */ new Set([
	...require_cli.RULE_KEYS,
	...require_cli.EFFECT_KEYS,
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
	const problems = require_cli.ruleFileProblems(value);
	if (!require_cli.isObject(value) || problems.length > 0) return {
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
function compileOne(rule, list) {
	const { file, problems } = compileRules({
		version: 2,
		[list]: [rule]
	}, {
		scope: "user",
		file: ""
	});
	const [compiled] = file === null ? [] : [...file.deny, ...file.ordered];
	if (compiled === void 0) throw new PatternError(problems[0] ?? "");
	return compiled;
}
function ruleProblem(rule, list) {
	try {
		compileOne(rule, list);
		return "";
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return error.message.replace(/^\w+\[0\]\.?/, "").trim();
	}
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
	return (0, node_crypto.hash)("sha256", JSON.stringify([
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
var MAX_RULE_FILE_BYTES = 2097152;
function rulePlaces({ env, stateDir, projectRoot, session }) {
	const user = require_cli.fromText(require_cli.configDir(env));
	const project = require_cli.joinPath(projectRoot, ".claude");
	const places = [
		{
			scope: "user",
			imported: false,
			path: require_cli.joinPath(user, "rules.json")
		},
		{
			scope: "user",
			imported: true,
			path: require_cli.joinPath(user, "rules.imported.json")
		},
		{
			scope: "project",
			imported: false,
			path: require_cli.joinPath(project, "trai.rules.json")
		},
		{
			scope: "project",
			imported: true,
			path: require_cli.joinPath(project, "trai.rules.imported.json")
		}
	];
	if (session === null) return places;
	const path = require_cli.joinPath(require_cli.fromText(require_cli.sessionDir(stateDir, session)), "rules.json");
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
		const loaded = this.judged(place, contentOf({
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
			file: require_cli.toDisplay(place.path)
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
					hash: (0, node_crypto.hash)("sha256", content.text),
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
			hash: (0, node_crypto.hash)("sha256", before),
			rules: last
		};
	}
	goodFile(path) {
		return `${this.stateDir}/rules/${(0, node_crypto.hash)("sha256", Buffer.from(path, "latin1"))}.json`;
	}
	lastGood(path) {
		const kept = require_cli.readPlainJson(this.goodFile(path));
		const [ofPath, text] = Array.isArray(kept) ? kept : [];
		return ofPath === path && typeof text === "string" ? text : null;
	}
	keepGood(path, text) {
		if (this.lastGood(path) === text) return;
		require_cli.orIfRefused(() => (0, node_fs.mkdirSync)(`${this.stateDir}/rules`, {
			recursive: true,
			mode: 448
		}), void 0);
		require_cli.tryWriteWhole(this.goodFile(path), Buffer.from(JSON.stringify([path, text]), "utf8"));
	}
};
function identitiesOf(paths) {
	return paths.map((path) => `${path}\0${identityOf(path)}`).join("\0");
}
function identityOf(path) {
	try {
		const found = require_cli.lstat(path);
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
		if (require_cli.errorCode(error) === "") throw error;
		return require_cli.errorCode(error);
	}
}
function contentOf({ scope, path }) {
	const unusable = (problem) => ({
		kind: "unusable",
		problem
	});
	try {
		const found = require_cli.lstat(path);
		if (found === null) return { kind: "missing" };
		if (found.type === "symlink") return unusable(fileIsLink());
		if (found.type !== "file") return unusable(fileIsNoFile());
		if (scope !== "project" && found.uid !== process.getuid?.()) return unusable(fileOfOther(found.uid));
		if (found.size > 2097152) return unusable(fileTooLarge(MAX_RULE_FILE_BYTES, found.size));
		const bytes = require_cli.readPlainFile(Buffer.from(path, "latin1"));
		if (bytes === null) return { kind: "missing" };
		return (0, node_buffer.isUtf8)(bytes) ? {
			kind: "text",
			text: bytes.toString("utf8")
		} : unusable(fileNoText());
	} catch (error) {
		if (require_cli.errorCode(error) === "") throw error;
		return unusable(fileUnreadable(require_cli.errorCode(error)));
	}
}
function readTrusted(stateDir) {
	const value = require_cli.readPlainJson(`${stateDir}/trust.json`);
	const list = require_cli.isObject(value) && value["v"] === 1 ? value["trusted"] : null;
	return Array.isArray(list) ? list.filter(isTrusted) : [];
}
function isTrusted(value) {
	if (!require_cli.isObject(value)) return false;
	return [
		"project",
		"hash",
		"at"
	].every((key) => typeof value[key] === "string");
}
async function trustContent(stateDir, project, hashes) {
	const others = readTrusted(stateDir).filter((one) => one.project !== project || !hashes.includes(one.hash));
	const at = (/* @__PURE__ */ new Date()).toISOString();
	const trusted = [...others, ...hashes.map((hash) => ({
		project,
		hash,
		at
	}))].slice(-1e3);
	(0, node_fs.mkdirSync)(stateDir, {
		recursive: true,
		mode: 448
	});
	const file = `${stateDir}/trust.json`;
	await require_cli.writing(file, () => require_cli.replaceFile(file, `${JSON.stringify({
		v: 1,
		trusted
	})}\n`));
}
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
		allowedDirs: [...new Set(dirs.map((dir) => dir.replace(/^~(?=\/|$)/, home)).filter((dir) => (0, node_path.isAbsolute)(dir)))],
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
		place: `effects[${i}] of ${require_cli.toDisplay(path)}`
	}));
}
function problemsOf({ problems, state }) {
	const inForce = state === "last-good" ? FINDING.lastGood : FINDING.neverGood;
	return problems.map((problem) => `${problem} (${inForce})`);
}
function countingIn({ rules, trusted }) {
	return (rules === null ? [] : [...rules.deny, ...rules.ordered]).filter(({ rule, ref }) => rule.disabled !== true && (trusted || ref.list !== "allow"));
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
			file: require_cli.toDisplay(path),
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
Object.defineProperty(exports, "FINDING", {
	enumerable: true,
	get: function() {
		return FINDING;
	}
});
Object.defineProperty(exports, "IMPORT", {
	enumerable: true,
	get: function() {
		return IMPORT;
	}
});
Object.defineProperty(exports, "LEAVING", {
	enumerable: true,
	get: function() {
		return LEAVING;
	}
});
Object.defineProperty(exports, "MAX_RULE_FILE_BYTES", {
	enumerable: true,
	get: function() {
		return MAX_RULE_FILE_BYTES;
	}
});
Object.defineProperty(exports, "NOT_ALLOWABLE", {
	enumerable: true,
	get: function() {
		return NOT_ALLOWABLE;
	}
});
Object.defineProperty(exports, "PASSTHRU", {
	enumerable: true,
	get: function() {
		return PASSTHRU;
	}
});
Object.defineProperty(exports, "PatternError", {
	enumerable: true,
	get: function() {
		return PatternError;
	}
});
Object.defineProperty(exports, "RuleFiles", {
	enumerable: true,
	get: function() {
		return RuleFiles;
	}
});
Object.defineProperty(exports, "VERDICT", {
	enumerable: true,
	get: function() {
		return VERDICT;
	}
});
Object.defineProperty(exports, "brokenWhy", {
	enumerable: true,
	get: function() {
		return brokenWhy;
	}
});
Object.defineProperty(exports, "builtInWhy", {
	enumerable: true,
	get: function() {
		return builtInWhy;
	}
});
Object.defineProperty(exports, "compileOne", {
	enumerable: true,
	get: function() {
		return compileOne;
	}
});
Object.defineProperty(exports, "compilePattern", {
	enumerable: true,
	get: function() {
		return compilePattern;
	}
});
Object.defineProperty(exports, "contentChanged", {
	enumerable: true,
	get: function() {
		return contentChanged;
	}
});
Object.defineProperty(exports, "countingIn", {
	enumerable: true,
	get: function() {
		return countingIn;
	}
});
Object.defineProperty(exports, "effectSlow", {
	enumerable: true,
	get: function() {
		return effectSlow;
	}
});
Object.defineProperty(exports, "effectText", {
	enumerable: true,
	get: function() {
		return effectText;
	}
});
Object.defineProperty(exports, "effectsUnknown", {
	enumerable: true,
	get: function() {
		return effectsUnknown;
	}
});
Object.defineProperty(exports, "identitiesOf", {
	enumerable: true,
	get: function() {
		return identitiesOf;
	}
});
Object.defineProperty(exports, "loadRules", {
	enumerable: true,
	get: function() {
		return loadRules;
	}
});
Object.defineProperty(exports, "mayCommit", {
	enumerable: true,
	get: function() {
		return mayCommit;
	}
});
Object.defineProperty(exports, "noSuchRule", {
	enumerable: true,
	get: function() {
		return noSuchRule;
	}
});
Object.defineProperty(exports, "notAllowable", {
	enumerable: true,
	get: function() {
		return notAllowable;
	}
});
Object.defineProperty(exports, "problemsOf", {
	enumerable: true,
	get: function() {
		return problemsOf;
	}
});
Object.defineProperty(exports, "repeatedKeys", {
	enumerable: true,
	get: function() {
		return repeatedKeys;
	}
});
Object.defineProperty(exports, "ruleFileChanged", {
	enumerable: true,
	get: function() {
		return ruleFileChanged;
	}
});
Object.defineProperty(exports, "ruleFileProblem", {
	enumerable: true,
	get: function() {
		return ruleFileProblem;
	}
});
Object.defineProperty(exports, "ruleFileRepeats", {
	enumerable: true,
	get: function() {
		return ruleFileRepeats;
	}
});
Object.defineProperty(exports, "ruleFileUnusable", {
	enumerable: true,
	get: function() {
		return ruleFileUnusable;
	}
});
Object.defineProperty(exports, "ruleHash", {
	enumerable: true,
	get: function() {
		return ruleHash;
	}
});
Object.defineProperty(exports, "rulePlaces", {
	enumerable: true,
	get: function() {
		return rulePlaces;
	}
});
Object.defineProperty(exports, "ruleProblem", {
	enumerable: true,
	get: function() {
		return ruleProblem;
	}
});
Object.defineProperty(exports, "ruleText", {
	enumerable: true,
	get: function() {
		return ruleText;
	}
});
Object.defineProperty(exports, "ruleWhy", {
	enumerable: true,
	get: function() {
		return ruleWhy;
	}
});
Object.defineProperty(exports, "rulesBusy", {
	enumerable: true,
	get: function() {
		return rulesBusy;
	}
});
Object.defineProperty(exports, "rulesOff", {
	enumerable: true,
	get: function() {
		return rulesOff;
	}
});
Object.defineProperty(exports, "staysAsked", {
	enumerable: true,
	get: function() {
		return staysAsked;
	}
});
Object.defineProperty(exports, "trustContent", {
	enumerable: true,
	get: function() {
		return trustContent;
	}
});
Object.defineProperty(exports, "wouldBreak", {
	enumerable: true,
	get: function() {
		return wouldBreak;
	}
});
