"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
const require_look = require("./look.cjs");
let node_crypto = require("node:crypto");
let node_timers_promises = require("node:timers/promises");
var overlap_exports = /* @__PURE__ */ require_cli.__exportAll({ pendingBelow: () => pendingBelow });
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
Object.defineProperty(exports, "overlapOf", {
	enumerable: true,
	get: function() {
		return overlapOf;
	}
});
Object.defineProperty(exports, "overlap_exports", {
	enumerable: true,
	get: function() {
		return overlap_exports;
	}
});
