"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
const require_list = require("./list.cjs");
const require_lock = require("./lock.cjs");
const require_merged_before = require("./merged-before.cjs");
const require_trash = require("./trash.cjs");
const require_with_session = require("./with-session.cjs");
const require_rules = require("./rules.cjs");
const require_outcome = require("./outcome.cjs");
const require_disk = require("./disk.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_resolve = require("./resolve.cjs");
const require_rule_set = require("./rule-set.cjs");
require("./boxes.cjs");
const require_processes = require("./processes.cjs");
const require_read = require("./read.cjs");
const require_tidy = require("./tidy.cjs");
const require_inside = require("./inside.cjs");
const require_overlap = require("./overlap.cjs");
const require_nothing_pending = require("./nothing-pending.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
let node_timers_promises = require("node:timers/promises");
let node_path = require("node:path");
node_path = require_cli.__toESM(node_path, 1);
let node_fs_promises = require("node:fs/promises");
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
			...compareTexts(textOf(host), textOf(content), { context: host.length + content.length }),
			language: languageOf(path)
		},
		refused: null
	};
}
var latin = (content) => content.toString("latin1");
var textOf = (content) => require_list.decodeText(content) ?? latin(content);
var readAs = (path, identity) => require_cli.readSame(path, identity, MAX_BYTES);
function readUpper({ coveredDirs }, { path, upperIdentity }) {
	const upper = require_cli.upperPathIn(coveredDirs, path);
	return upper === null ? null : readAs(upper, upperIdentity);
}
function readBlob(ctx, sha256) {
	const content = require_cli.orNull(() => (0, node_fs.readFileSync)(`${ctx.sessionDir}/overlay/blobs/${sha256}`));
	return content !== null && (0, node_crypto.hash)("sha256", content) === sha256 ? content : null;
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
			const complaint = await require_trash.copyOut(port, viewer.pathOf(require_cli.parentOf(path)), [require_cli.nameOf(path)], fd);
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
	if (!moves.has(one) || require_trash.isNewTree(step) || step.op !== "put") return null;
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
	for (const { group } of require_trash.changesOf(step)) if (group !== null) groups.add(group);
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
	if (staged.moves.has(one) && require_trash.isNewTree(step)) {
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
		aside: require_trash.asideName(ctx.session, journal.record.n, i),
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
	const plan = require_trash.planCommit(list, request);
	if (plan.steps.length === 0 && plan.stale.length > 0) throw require_trash.staleList();
	askMassGuard(ctx, require_trash.isSelection(request) ? {
		...list,
		changes: plan.steps.flatMap(require_trash.changesOf)
	} : list, request);
	const merges = mergesOf(ctx, plan, request);
	const marks = ctx.quiet ? require_with_session.askMarks(ctx, plan.steps, merges) : null;
	const reversible = request.noUndo !== true;
	const { maxBytes } = ctx.undo ?? require_cli.UNDO_LIMITS;
	const bytes = require_trash.replacedBytes(plan);
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
			await require_trash.withStaging(transaction, async (work) => await stageAll(work, order));
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
	const findings = await require_trash.checkSteps(work, plan.steps, isSettled(ctx, tools));
	const settle = () => {
		mayGoOn();
		require_trash.failGroups(plan, findings);
	};
	require_trash.failUnread(list, plan, findings);
	const bases = require_trash.chooseBases(areas, findings);
	settle();
	const moves = marks ? require_with_session.findMoves(port, ctx, uppers, findings, {
		marks: await marks,
		merges
	}) : /* @__PURE__ */ new Set();
	await require_with_session.takeMarksOff(uppers, moves, work.pace);
	await require_trash.checkBelieved(work, findings, moves);
	settle();
	const copied = new Set(findings.checked.filter((one) => !moves.has(one)));
	for (const one of bases.keys()) if (!copied.has(one)) bases.delete(one);
	require_trash.checkSpace(port, dirs, bases);
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
		entries: require_trash.dirsAbove(ctx, uppers, paths)
	});
	journal.add({
		t: "same",
		entries: await require_trash.unlisted(ctx, uppers, list.changes, work.pace)
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
		const copies = await require_trash.copyAll(work, list, findings, bases, viewer);
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
		notApplied: plan.steps.flatMap(require_trash.changesOf).map(({ path }) => path),
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
	const come = require_trash.planCommit(list, request).along.find(({ rule, change }) => rule !== "below" || change.pending !== null);
	if (come !== void 0) throw require_trash.changedSinceUndo(come.change.path);
	return await commitAll(ctx, list, request, {
		...tools,
		redoes: undo.n
	});
}
function expectSame(port, ctx, record) {
	const latest = new Map(record.same.map(({ path, id }) => [path, id]));
	require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => {
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
	const { port, ctx, journal, areas, pace } = work;
	const refused = [...reversal.unable];
	const puts = await assembleAll(work, commit, reversal, refused);
	const changed = new Set(reversal.conflicts.map(({ path }) => path));
	const instead = require_merged_before.beforeMerge(port, ctx, commit);
	for (const path of changed) instead.delete(path);
	const pending = new require_outcome.PendingPlan(work, commit, changed);
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
	const pend = ctx.quiet || pending.items.length + losing.length === 0 ? require_outcome.stagePending : pendLive;
	if (pend === void 0) throw require_trash.undoWhileLive();
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
	return removes.filter(({ path }) => !going.has(require_cli.parentOf(path)));
}
async function keptBack(port, ctx, commit, { restores, removes, conflicts }) {
	const back = require_cli.joinPath(require_trash.commitDir(ctx, require_trash.nextNumber(port, ctx)), require_trash.BACK);
	const dirs = new require_cli.Dirs(port, "/", 0, null);
	const pace = new require_cli.Pace();
	return await require_cli.useAndCloseAsync(dirs, async () => require_cli.useAndCloseAsync(new require_trash.Uppers(port, ctx, null), async (uppers) => {
		const changed = new Set(conflicts.map(({ path }) => path));
		const pending = new require_outcome.PendingPlan({
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
			const covered = stays === true ? require_cli.coveringDir(ctx.coveredDirs, path) : null;
			return covered === null ? [] : [{
				path,
				at: require_trash.waitingAt(back, covered, path)
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
		aside: require_trash.asideName(ctx.session, journal.record.n, every.i),
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
			return await require_trash.copyOut(port, require_cli.joinPath(dir, require_merged_before.BEFORE), names, fd, "--link");
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
			require_trash.makeParents(port, fd, wanted);
			complaint ||= await require_trash.copyOut(port, from, wanted, fd);
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
	require_trash.makeParents(port, to, [rel]);
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
	const kept = await keptBack(require_cli.nodePort, ctx, record, leaveOut(reversal, conflicts.filter(isForeign)));
	const held = withParents(conflicts);
	const heldRestores = new Set(restores.flatMap(({ path }) => held.has(path) ? [path] : []));
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
		kept: kept.map((one) => {
			return {
				...one,
				conflict: held.has(one.path) || require_cli.isBelowAny(one.path, heldRestores)
			};
		}),
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
	const { going, kept } = await decide$1(reversal, request, async (left) => await keptBack(port, ctx, record, left));
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
		await require_trash.withStaging(transaction, async (work) => await stageUndo(work, record, going, pendLive));
	} catch (error) {
		if (require_cli.errorCode(error) !== "") require_with_session.abortQuietly(transaction, true);
		journal.close();
		throw error;
	}
	return transaction;
}
async function decide$1(reversal, { revision, yes, typedCount, choices, conflicts }, keptOf) {
	if (revision !== null && revision !== reversal.revision) throw require_trash.staleUndo();
	const choiceOf = ({ path }) => choices[path] ?? conflicts;
	const kept = reversal.conflicts.filter((one) => choiceOf(one) === "keep-host");
	const going = leaveOut(reversal, [...kept, ...reversal.conflicts.filter(isForeign)]);
	const guard = guardOf(reversal);
	if (guard !== null && !yes && typedCount !== guard.count) throw require_trash.massUndo(guard, await keptOf(going));
	const open = reversal.conflicts.filter((one) => choiceOf(one) === "refuse");
	if (open.length > 0) throw require_trash.openUndoConflicts(open, await keptOf(going));
	return {
		going,
		kept: kept.length
	};
}
var isForeign = ({ reason }) => reason === "host-new-below";
function withParents(conflicts) {
	const found = /* @__PURE__ */ new Set();
	for (const { path } of conflicts) for (let at = path; at !== "/" && !found.has(at); at = require_cli.parentOf(at)) found.add(at);
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
function ruleNews(ctx) {
	const { enabled, files } = rulesOf(ctx);
	if (!enabled) return ctx.configDir === void 0 ? [] : [require_rule_set.rulesOff];
	return files.flatMap((file) => require_rule_set.problemsOf(file).map((problem) => require_rule_set.ruleFileProblem(require_cli.toDisplay(file.path), problem)));
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
	const matched = matchAll(changes, effects, {
		...roots,
		resolve: hostResolver(roots)
	});
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
function hostResolver({ home, projectRoot }) {
	let mounts = null;
	const mayLookAt = (path) => {
		mounts ??= require_cli.visibleMounts(require_cli.ownMounts());
		const known = mounts;
		const isInUse = (root) => require_cli.isWithin(root, path) || require_cli.holderOf(root, known) === require_cli.holderOf(path, known);
		return require_cli.isLocal(path, known) || isInUse(home) || isInUse(projectRoot);
	};
	return (path) => require_cli.orNull(() => require_resolve.resolvePath(null, path, mayLookAt));
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
function lookAt(ctx, change) {
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
	const sides = lookAt(ctx, change);
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
	const { along, stays, steps } = require_trash.planTakingSandbox(list, false, new Set(selected.keys()));
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
	if (out.size === 0 && steps.flatMap(require_trash.changesOf).some(({ path }) => !selected.has(path))) for (const path of selected.keys()) out.set(path, path);
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
	for (const { members } of [...require_trash.groupsOf(changes), ...require_trash.linkedOf(changes)]) {
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
var MOST_NAMED = 5;
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
	return left.slice(0, MOST_NAMED).map(({ path, rule, because }) => require_outcome.autoLeft(require_cli.toDisplay(path), rule, require_cli.toDisplay(because)));
}
async function withoutClient({ sessionDir }, processes) {
	if (!require_cli.isClientRunning(sessionDir)) return {
		own: [],
		others: processes
	};
	const views = (await require_read.readFold(sessionDir)).views();
	const running = new Set(views.flatMap(({ id, origin, state }) => origin === "client" && state === "running" ? [id] : []));
	const isOwn = ({ call }) => call !== null && running.has(call);
	return {
		own: processes.filter(isOwn),
		others: processes.filter((one) => !isOwn(one))
	};
}
async function byClient(session) {
	const calls = async () => (await require_read.readFold(session.sessionDir)).spans();
	return await withoutClient(session, await require_processes.sessionProcesses(session.source, calls));
}
async function endOthers(session) {
	return await require_cli.endWhile(async () => require_cli.isClientRunning(session.sessionDir) ? (await byClient(session)).others : await require_cli.liveProcesses(session.source));
}
async function readOverlayLogs({ stateDir, session }) {
	const folds = /* @__PURE__ */ new Map();
	const waiting = [session];
	for (let id = waiting.pop(); id !== void 0; id = waiting.pop()) {
		if (folds.has(id)) continue;
		const fold = await require_read.readFold(require_cli.sessionDir(stateDir, id));
		folds.set(id, fold);
		for (const { from, to } of fold.adoptions) if (to === id) waiting.push(from);
	}
	return {
		folds,
		spans: require_cli.overlaySpans(session, (id) => folds.get(id) ?? null)
	};
}
var STEP = 5e3;
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
		if (names.length % STEP === 0) yield null;
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
function countsKey({ sessionDir, ignore }) {
	return `${require_cli.logSize(sessionDir)} ${(0, node_crypto.createHash)("sha1").update(ignore.join("\0")).digest("hex")}`;
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
	require_cli.tryWriteWhole(fileOf(ctx), JSON.stringify({
		v: 1,
		key,
		...kept
	}));
}
function readCounts(ctx) {
	return require_cli.orNull(() => {
		const value = require_cli.readPlainJson(fileOf(ctx));
		return isCounts(value) && value.key === countsKey(ctx) ? value : null;
	});
}
function isCounts(value) {
	if (!require_cli.isObject(value) || value["v"] !== 1) return false;
	const { counts, ignored } = value;
	if (!require_cli.isObject(counts) || !require_cli.isObject(ignored)) return false;
	return [
		...[
			"added",
			"modified",
			"deleted",
			"replaced",
			"meta"
		].map((name) => counts[name]),
		value["bytes"],
		value["conflicts"],
		value["entries"],
		ignored["count"]
	].every((found) => typeof found === "number");
}
function fileOf({ sessionDir }) {
	return `${sessionDir}/counts.json`;
}
async function timedScan(ctx, live) {
	const key = countsKey(ctx);
	const list = await require_list.scan(ctx);
	if (!live && key === countsKey(ctx)) saveCounts(ctx, key, list);
	return {
		list,
		times: await require_outcome.writeTimes(ctx, list.changes)
	};
}
function nameWriters({ list, times }, spans) {
	const index = new require_cli.WriterIndex(spans);
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
	const timed = await timedScan(ctx, require_cli.liveSources().has(ctx.source));
	nameWriters(timed, (await readOverlayLogs(ctx)).spans);
	return timed.list;
}
async function scanJob(ctx, mark) {
	if (mark !== null && await require_tidy.isUnchanged(ctx, mark)) return { same: true };
	const trace = await require_tidy.ScanTrace.begin(ctx);
	const list = await require_list.scan(ctx, trace);
	return {
		same: false,
		timed: {
			list,
			times: await require_outcome.writeTimes(ctx, list.changes)
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
		packed: await require_cli.resultOf(packing(changes, true)),
		rest,
		times: timed.times
	};
}
async function reviewedList(session, { scope, revision, includeIgnored, fingerprints }) {
	const list = await scanFor(session, scope);
	if (revision === null || require_draft.sameRevision(list.revision, revision, includeIgnored)) return { list };
	const stale = fingerprints === void 0 ? null : require_list.staleAmong(list.changes, fingerprints);
	if (stale !== null && stale.size < list.changes.length) return {
		list,
		stale
	};
	throw require_trash.staleList({ revision: list.revision });
}
async function scanFor(ctx, scope) {
	return isAboutCalls(scope) ? await scanWritten(ctx) : await require_list.scan(ctx);
}
async function chosenOf(ctx, list, scope) {
	const spans = isAboutCalls(scope) ? (await require_read.readFold(ctx.sessionDir)).spans() : [];
	return require_with_session.choose(list, scope, spans.map(({ call }) => call));
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
async function fatesJob(ctx) {
	const [fold, { spans }] = [await require_read.readFold(ctx.sessionDir), await readOverlayLogs(ctx)];
	const index = new require_cli.WriterIndex(spans);
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
	return require_trash.commitNumbers(require_cli.nodePort, ctx).flatMap((n) => {
		const record = require_trash.readJournal(require_cli.nodePort, ctx, n);
		if (record === null || record.begin.undoes !== void 0) return [];
		const kinds = /* @__PURE__ */ new Map();
		for (const unit of record.units) {
			if (!record.done.has(unit.i)) continue;
			const of = record.undone.has(unit.i) ? ["committed", "undone"] : ["committed"];
			for (const { path } of require_trash.entriesOf(unit)) kinds.set(path, of);
		}
		return require_outcome.readTimes(`${require_cli.toText(require_trash.commitDir(ctx, n))}/${require_outcome.TIMES}`).flatMap(([path, time]) => {
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
	return require_trash.readDiscards(require_cli.nodePort, ctx).filter((discard) => require_trash.isReturnable(require_cli.nodePort, discard)).flatMap(({ dir }) => require_outcome.readTimes(require_cli.toText(require_cli.joinPath(dir, require_outcome.TIMES)))).map(([path, time]) => ({
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
function mayInspect(pid) {
	return require_cli.processLink(pid, "cwd") !== null || require_cli.processStat(pid) === null;
}
function namesInUse(processes, shown) {
	const coveredOf = new Map(shown.map(({ inside, covered }) => [inside.device, covered.path]));
	const parts = /* @__PURE__ */ new Map();
	for (const mount of require_with_session.mountsOf(processes.map(({ pid }) => pid))) if (coveredOf.has(mount.device)) parts.set(`${mount.device} ${mount.point}\0${mount.root}`, mount);
	const points = new Set([...parts.values()].map(({ point }) => point));
	const paths = require_merged_before.usersBelow(processes, points).map(({ path }) => path);
	const names = /* @__PURE__ */ new Map();
	for (const { device, point, root } of parts.values()) for (const path of [point, ...paths.filter((one) => require_cli.isWithin(one, point))]) require_draft.addTo(names, device, pathOf(coveredOf.get(device) ?? "", root, path.slice(point.length)));
	return names;
}
function areCurrent({ excluded }, { inside, covered }, used, since) {
	const names = new NamesInUse(inside, covered, {
		used,
		since
	});
	return [covered.path, ...used].every((path) => require_cli.isExcluded(path, excluded) || names.isCurrent(path));
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
		for (const path of use.used) for (let at = path; at !== covered.path && !this.#used.has(at); at = require_cli.parentOf(at)) this.#used.add(at);
	}
	isCurrent(path) {
		return this.#answer(path) !== "stale";
	}
	#answer(path) {
		const known = this.#known.get(path);
		if (known !== void 0) return known;
		const isRoot = path === this.#covered.path;
		const above = isRoot ? "current" : this.#answer(require_cli.parentOf(path));
		const answer = isRoot ? this.#lookAtRoot() : above === "current" ? this.#look(path) : above;
		this.#known.set(path, answer);
		return answer;
	}
	#lookAtRoot() {
		const host = require_cli.lstatEntry(this.#covered.path);
		if (host === null) return "own";
		return require_list.aboveRoot(host).movedNs < this.#since || this.#isMerged(this.#covered.path) ? "current" : "stale";
	}
	#look(path) {
		const [upper, host, holder] = [
			require_cli.lstatEntry(this.#upper(path)),
			require_cli.hostEntry(path),
			require_cli.hostEntry(require_cli.parentOf(path))
		];
		if (host === null || host === "closed" || holder === null || holder === "closed") return "own";
		if (upper !== null && (upper.type !== "dir" || host.type !== "dir")) return "own";
		const shown = this.#shown(path);
		if (shown?.type === "dir" && shown.dev !== this.#inside.dev) return "own";
		if (upper !== null && upper.nlink > 1 && shown !== null && shown.nlink > 1) return "own";
		if (require_list.putThere(host, holder) < this.#since) return "current";
		return (upper === null && (host.type !== "dir" || this.#hasNumbers(host)) ? this.#isSame(shown, host) : this.#isMerged(path)) ? "current" : "stale";
	}
	#isMerged(path) {
		const [here, there] = [new Set(require_cli.namesOrNone(this.#upper(path))), require_cli.namesOrNone(path)];
		const missing = there.filter((name) => !here.has(name));
		for (const name of missing.slice(0, MOST_TRIED)) {
			const child = require_cli.joinPath(path, name);
			const host = require_cli.lstatEntry(child);
			if (host !== null && (host.type === "dir" || host.nlink === 1) && (!this.#used.has(child) || host.ctimeNs < this.#since) && this.#isSame(this.#shown(child), host)) return true;
		}
		const view = missing.length > 0 ? null : require_cli.orNull(() => require_cli.readNames(this.#view(path)));
		if (view === null || !view.every((name) => here.has(name))) return false;
		return there.every((name) => {
			const child = require_cli.joinPath(path, name);
			return !(require_cli.lstatEntry(child)?.type === "dir" && require_cli.lstatEntry(this.#upper(child))?.type === "dir") || this.#isMerged(child);
		});
	}
	#isSame(shown, host) {
		if (shown === null || shown.type !== host.type || shown.size !== host.size) return false;
		if (shown.ctimeNs !== host.ctimeNs || shown.mtimeNs !== host.mtimeNs) return false;
		return shown.ino === host.ino || host.type === "dir" && !this.#hasNumbers(host);
	}
	#hasNumbers(host) {
		return require_cli.lstatEntry(this.#covered.upper)?.dev === host.dev;
	}
	#upper(path) {
		return require_cli.upperPath(this.#covered, path);
	}
	#view(path) {
		return require_cli.joinPath(require_cli.at(this.#inside.fd), path.slice(this.#covered.path.length + 1));
	}
	#shown(path) {
		return require_cli.orNull(() => require_cli.lstatEntry(this.#view(path)));
	}
};
async function look(ctx) {
	if ((await require_cli.liveProcesses(ctx.source)).length === 0) return;
	await require_with_session.withSession(ctx, "live", async (session) => {
		const from = Date.now();
		if (await isSeen(session)) require_list.noteLook(session, {
			from,
			until: Date.now() + 1
		});
	});
	await require_tidy.tidy(ctx, null);
}
var REFRESHES = 2;
async function isSeen(session) {
	const since = new require_list.SeenWindow(session, require_list.readBaseFile(session), {}).latest;
	const clocks = new require_list.HostClocks(session);
	let processes = await require_cli.liveProcesses(session.source);
	const shown = [];
	try {
		for (const covered of session.coveredDirs) {
			const inside = require_inside.openInsideOf(processes, session.source, covered);
			if (inside !== null) shown.push({
				inside,
				covered
			});
		}
		const used = /* @__PURE__ */ new Map();
		const note = () => {
			for (const [device, names] of namesInUse(processes, shown)) for (const name of names) require_draft.addTo(used, device, name);
		};
		note();
		for (let i = 0; i < REFRESHES; i++) {
			if (!await refreshAll(session, shown)) return false;
			processes = await require_cli.liveProcesses(session.source);
			if (!processes.every(({ pid }) => mayInspect(pid))) return false;
			note();
		}
		const devices = new Set(shown.map(({ inside }) => inside.device));
		return require_inside.mountedDevices(processes, session.source).every((device) => devices.has(device)) && shown.every((one) => one.covered.copied !== void 0 || areCurrent(session, one, used.get(one.inside.device) ?? [], since - clocks.lag(one.covered.path)));
	} finally {
		for (const { inside } of shown) inside.close();
	}
}
async function refreshAll(session, shown) {
	for (const pid of new Set(shown.map(({ inside }) => inside.pid))) {
		const points = shown.filter(({ inside }) => inside.pid === pid).map(({ covered }) => covered.path);
		if (await require_inside.refreshMounts(session, pid, points) !== null) return false;
	}
	return true;
}
var MOST_PATHS = 50;
var MOST_SESSIONS = 20;
var projects = /* @__PURE__ */ new Map();
async function overlapsOf(stateDir, env, id) {
	if (isEmpty(require_cli.sessionDir(stateDir, id))) return [];
	const context = async (one) => await require_cli.sessionContext(stateDir, one, env);
	const own = await unlessGone(async () => await context(id));
	if (own === null || require_nothing_pending.holdsDirsAlone(own)) return [];
	const found = [];
	for (const other of (await othersOfProject(stateDir, id)).slice(0, MOST_SESSIONS)) {
		await (0, node_timers_promises.setImmediate)();
		const overlap = await unlessGone(async () => await require_overlap.overlapOf(own, await context(other), MOST_PATHS));
		if (overlap !== null && overlap.paths.length > 0) found.push({
			session: other,
			...overlap
		});
	}
	return found;
}
async function overlapWith(stateDir, env, id, other) {
	const context = async (one) => await require_cli.sessionContext(stateDir, one, env);
	return await unlessGone(async () => require_overlap.overlapOf(await context(id), await context(other), MOST_PATHS)) ?? {
		paths: [],
		more: false
	};
}
async function unlessGone(work) {
	try {
		return await work();
	} catch (error) {
		if (require_cli.errorCode(error) === "") throw error;
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
		if (await projectIdOf(stateDir, other) !== project) continue;
		await (0, node_timers_promises.setImmediate)();
		if (isEmpty(dir)) continue;
		found.push({
			other,
			at: (0, node_fs.statSync)(require_cli.logPath(dir), { throwIfNoEntry: false })?.mtimeMs ?? 0
		});
	}
	return found.sort((a, b) => b.at - a.at).map(({ other }) => other);
}
function isEmpty(dir) {
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
		this.#areas = new require_trash.Areas(require_cli.nodePort, ctx, this.#dirs);
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
		const writers = files.flatMap(({ path, stat }) => (held.get(`${stat.dev}:${stat.ino}`) ?? []).map((pid) => shown$1(path, pid)));
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
			const stat = require_trash.expectReviewed(require_cli.nodePort, this.#dirs, change);
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
		return await require_cli.useAndCloseAsync(new require_trash.Uppers(require_cli.nodePort, this.#ctx, null), async (uppers) => {
			const work = {
				port: require_cli.nodePort,
				dirs: this.#dirs,
				uppers,
				pace: this.#pace
			};
			const findings = await require_trash.checkSteps(work, steps);
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
			const moved = !live && bytesOf(steps) > free ? await this.#moved(steps) : /* @__PURE__ */ new Set();
			found.push({
				path,
				needed: bytesOf(steps.filter((step) => !moved.has(step))),
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
function bytesOf(steps) {
	let bytes = 0;
	for (const { members } of steps) for (const { pending } of members) bytes += pending?.size ?? 0;
	return bytes;
}
function shown$1(path, pid) {
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
	const chosen = await chosenOf(ctx, action === "commit" ? withTimes(list, scope) : list, scope);
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
		processes: action === "discard" && require_cli.isClientRunning(ctx.sessionDir) ? [...(await byClient(ctx)).others] : processes,
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
	const plan = require_trash.planTakingSandbox(list, includeIgnored, paths);
	const all = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
	const going = all.filter(({ ignored }) => ignored !== require_draft.TIMES_RULE);
	const times = all.length - going.length;
	const { cannot, ...found } = await preflight(ctx, plan, live);
	const toldStays = (change) => ({
		path: change.path,
		why: require_with_session.staysText(change)
	});
	const stays = plan.stays.map(toldStays);
	const closed = paths === null ? plan.closed.map(toldStays) : [];
	return {
		going,
		...times === 0 ? {} : { times },
		along: plan.along.map((one) => ({
			path: one.change.path,
			why: require_with_session.alongText(one)
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
			bytes: require_trash.replacedBytes(plan),
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
	#mounted = null;
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
	async #decide(path) {
		const step = await decide(this.#ctx, this.#room, this.#placer.bases, path);
		if (step.do !== "put" && step.do !== "take" && step.do !== "clear") return step;
		this.#mounted ??= require_with_session.dirsOfMounts((await require_cli.liveProcesses(this.#ctx.source)).map(({ pid }) => pid));
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
var jobs_exports = /* @__PURE__ */ require_cli.__exportAll({ JOBS: () => JOBS });
var JOBS = {
	scan: async (ctx, mark) => await packScan(await scanJob(ctx, mark)),
	preview: previewJob,
	history: async (ctx, _) => require_outcome.readHistory(ctx),
	historyPaths: async (ctx, { key, after }) => require_outcome.historyPaths(ctx, key, after),
	undoPreview: async (ctx, { n }) => {
		return {
			...await previewUndo(ctx, n),
			processes: [...(await byClient(ctx)).others]
		};
	},
	fates: async (ctx, _) => await fatesJob(ctx),
	disk: (ctx, { live }) => require_disk_use.diskSizes(ctx, live),
	commit: commitJob,
	discard: discardJob,
	undo: undoDiscardJob,
	undoCommit: undoCommitJob,
	redo: redoJob,
	recover: recoverJob,
	replay: (ctx, request) => replay(ctx, request),
	look: (ctx, _) => look(ctx),
	tidy: (ctx, { earliestCall }) => require_tidy.tidy(ctx, earliestCall),
	autoCommit: (ctx, _, __, signal) => autoCommit(ctx, commitListed, signal)
};
async function commitJob(ctx, { scope, fingerprints, ...order }, progress, signal) {
	return await require_with_session.withRequest(ctx, async (locked) => {
		await require_list.recordBases(locked);
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
			onProgress: shown(progress),
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
	await require_disk.collectOwn(session).catch(() => void 0);
	return report;
}
async function undoCommitJob(ctx, { endProcesses: end, ...request }, progress) {
	return await require_with_session.withRequest(ctx, async (session) => {
		expectNewest(session, request.n);
		await require_list.recordBases(session);
		if (end) await endOthers(session);
		return await logged(session, refusedUndo(request.n, false), async () => {
			const onProgress = shown(progress);
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
		const onProgress = shown(progress);
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
function shown(progress) {
	return ({ done, total, path }) => progress?.(done, total, require_cli.toDisplay(path));
}
async function discardJob(ctx, { scope, revision, endProcesses: end }, _, signal) {
	return await require_with_session.withRequest(ctx, async (session) => {
		const asked = {
			scope,
			revision,
			includeIgnored: true
		};
		let { list } = await reviewedList(session, asked);
		const ended = end ? await endOthers(session) : [];
		const now = end && !require_cli.isClientRunning(session.sessionDir) ? await require_with_session.expectQuiet(session, require_cli.UNTIL_QUIET_TO_DISCARD) : await require_lock.asQuiet(session) ?? session;
		const closed = await require_with_session.giveUpInterrupted(now);
		if (ended.length > 0 || closed !== null) ({list} = await reviewedList(now, asked));
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
	const { paths } = await chosenOf(session, list, scope);
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
async function undoDiscardJob(ctx, { trash, endProcesses: end = false }) {
	return await require_with_session.withRequest(ctx, async (session) => {
		if (end) {
			if (require_cli.isClientRunning(session.sessionDir) && require_with_session.returnableLive(session, trash) === null) await require_with_session.expectQuiet(session);
			await endOthers(session);
		}
		const quiet = await require_lock.asQuiet(session);
		const live = quiet === null ? require_with_session.returnableLive(session, trash) : null;
		const report = live === null ? await undoDiscard(quiet ?? await require_with_session.expectQuiet(session, "Undo and end what runs (trai undo --end-processes), or wait until it is done. See also: trai ps"), trash) : await require_with_session.undoDiscardLive(session, live);
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
Object.defineProperty(exports, "JOBS", {
	enumerable: true,
	get: function() {
		return JOBS;
	}
});
Object.defineProperty(exports, "byClient", {
	enumerable: true,
	get: function() {
		return byClient;
	}
});
Object.defineProperty(exports, "chosenOf", {
	enumerable: true,
	get: function() {
		return chosenOf;
	}
});
Object.defineProperty(exports, "compareTexts", {
	enumerable: true,
	get: function() {
		return compareTexts;
	}
});
Object.defineProperty(exports, "countWritten", {
	enumerable: true,
	get: function() {
		return countWritten;
	}
});
Object.defineProperty(exports, "hiddenAmong", {
	enumerable: true,
	get: function() {
		return hiddenAmong;
	}
});
Object.defineProperty(exports, "jobs_exports", {
	enumerable: true,
	get: function() {
		return jobs_exports;
	}
});
Object.defineProperty(exports, "languageOf", {
	enumerable: true,
	get: function() {
		return languageOf;
	}
});
Object.defineProperty(exports, "lookAt", {
	enumerable: true,
	get: function() {
		return lookAt;
	}
});
Object.defineProperty(exports, "mayHavePending", {
	enumerable: true,
	get: function() {
		return mayHavePending;
	}
});
Object.defineProperty(exports, "overlapsOf", {
	enumerable: true,
	get: function() {
		return overlapsOf;
	}
});
Object.defineProperty(exports, "previewMerge", {
	enumerable: true,
	get: function() {
		return previewMerge;
	}
});
Object.defineProperty(exports, "readCounts", {
	enumerable: true,
	get: function() {
		return readCounts;
	}
});
Object.defineProperty(exports, "readOverlayLogs", {
	enumerable: true,
	get: function() {
		return readOverlayLogs;
	}
});
Object.defineProperty(exports, "readSide", {
	enumerable: true,
	get: function() {
		return readSide;
	}
});
Object.defineProperty(exports, "ruleNews", {
	enumerable: true,
	get: function() {
		return ruleNews;
	}
});
Object.defineProperty(exports, "scanFor", {
	enumerable: true,
	get: function() {
		return scanFor;
	}
});
Object.defineProperty(exports, "scanWritten", {
	enumerable: true,
	get: function() {
		return scanWritten;
	}
});
Object.defineProperty(exports, "timedScan", {
	enumerable: true,
	get: function() {
		return timedScan;
	}
});
Object.defineProperty(exports, "unknownEffects", {
	enumerable: true,
	get: function() {
		return unknownEffects;
	}
});
Object.defineProperty(exports, "withNamedEffects", {
	enumerable: true,
	get: function() {
		return withNamedEffects;
	}
});
Object.defineProperty(exports, "withoutClient", {
	enumerable: true,
	get: function() {
		return withoutClient;
	}
});
