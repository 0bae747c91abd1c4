"use strict";
const require_cli = require("../cli.cjs");
let node_fs = require("node:fs");
let node_os = require("node:os");
var SUBGID = "/etc/subgid";
var NEWGIDMAP = require_cli.setuidPath("newgidmap");
var known = null;
function mappedGroups() {
	if (require_cli.isRealRoot()) return [];
	const read = () => {
		const stat = (0, node_fs.statSync)(SUBGID, { bigint: true });
		const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
		const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(",")}`;
		if (known?.identity === identity) return known.groups;
		(0, node_fs.accessSync)(NEWGIDMAP, node_fs.constants.X_OK);
		const ranges = rangesOf((0, node_fs.readFileSync)(SUBGID, "utf8"), userName(), String(process.getuid?.() ?? 0));
		const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
		known = {
			identity,
			groups: [...new Set(groups)].sort((a, b) => a - b)
		};
		return known.groups;
	};
	return require_cli.orNull(read) ?? [];
}
async function mapGroups(pid, gid, groups) {
	const map = groups.flatMap((group) => [
		group,
		group,
		1
	]);
	await require_cli.run(NEWGIDMAP, [
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
	if (require_cli.orNull(() => (0, node_fs.accessSync)(NEWGIDMAP, node_fs.constants.X_OK)) === null) steps.unshift(packageRemedy);
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
	return require_cli.orNull(() => (0, node_os.userInfo)().username) ?? String(process.getuid?.() ?? 0);
}
function globMatches(glob, name) {
	const anyOf = glob.replace(/\[[^\]]*\]|\[/g, "?");
	const shape = /^[\0-\x7f]*$/.test(name) ? anyOf : anyOf.replaceAll("?", "*");
	let [at, of] = [0, 0];
	let [star, end] = [-1, 0];
	while (of < name.length) {
		const sign = shape[at];
		if (sign === "*") [star, end] = [at++, of];
		else if (sign === "?" || sign === name[of]) [at, of] = [at + 1, of + 1];
		else if (star >= 0) [at, of] = [star + 1, ++end];
		else return false;
	}
	while (shape[at] === "*") at++;
	return at === shape.length;
}
var MAX_NAMES = 2e3;
var dirOf = (covered) => require_cli.parentOf(covered.upper);
function isCopyable(dir) {
	return (require_cli.orNull(() => (0, node_fs.readdirSync)(require_cli.fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES;
}
function readCopies(covered) {
	const value = require_cli.orNull(() => require_cli.readPlainJson(require_cli.fsPath(require_cli.joinPath(dirOf(covered), "copies.json"))));
	return Object(value).v === 1 ? value : null;
}
function isSame(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
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
function sumCounts({ added, modified, deleted, replaced, meta }) {
	return added + modified + deleted + replaced + meta;
}
function sameRevision(now, seen, includeIgnored) {
	if (includeIgnored) return now === seen;
	return now.split("-")[0] === seen.split("-")[0];
}
function hostMoved(list) {
	return list.changes.filter(({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== "unreadable");
}
function timeOf(times, i) {
	const [from = NaN, to = NaN] = times.subarray(2 * i, 2 * i + 2);
	return Number.isNaN(from) ? null : [from, to];
}
function addTo(lists, key, value) {
	const list = lists.get(key);
	if (list === void 0) lists.set(key, [value]);
	else list.push(value);
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
			if (!(isDir ? rule.pattern : rule.ofFile).test(path)) continue;
			if (!rule.outside || !require_cli.isWithin(path, scope.projectRoot)) return rule.text;
		}
		return null;
	};
}
function compileRule(text, scope) {
	const outside = text.startsWith(OUTSIDE);
	const inside = text.startsWith(PROJECT);
	let body = require_cli.fromText(text.slice(outside ? 16 : inside ? 8 : 0));
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
Object.defineProperty(exports, "CONFLICT_REASONS", {
	enumerable: true,
	get: function() {
		return CONFLICT_REASONS;
	}
});
Object.defineProperty(exports, "ENTRY_TYPES", {
	enumerable: true,
	get: function() {
		return ENTRY_TYPES;
	}
});
Object.defineProperty(exports, "TIMES_RULE", {
	enumerable: true,
	get: function() {
		return TIMES_RULE;
	}
});
Object.defineProperty(exports, "addTo", {
	enumerable: true,
	get: function() {
		return addTo;
	}
});
Object.defineProperty(exports, "compileIgnore", {
	enumerable: true,
	get: function() {
		return compileIgnore;
	}
});
Object.defineProperty(exports, "countChanges", {
	enumerable: true,
	get: function() {
		return countChanges;
	}
});
Object.defineProperty(exports, "globMatches", {
	enumerable: true,
	get: function() {
		return globMatches;
	}
});
Object.defineProperty(exports, "groupRemedy", {
	enumerable: true,
	get: function() {
		return groupRemedy;
	}
});
Object.defineProperty(exports, "hostMoved", {
	enumerable: true,
	get: function() {
		return hostMoved;
	}
});
Object.defineProperty(exports, "isCopyable", {
	enumerable: true,
	get: function() {
		return isCopyable;
	}
});
Object.defineProperty(exports, "isSame", {
	enumerable: true,
	get: function() {
		return isSame;
	}
});
Object.defineProperty(exports, "isUnmapped", {
	enumerable: true,
	get: function() {
		return isUnmapped;
	}
});
Object.defineProperty(exports, "mapGroups", {
	enumerable: true,
	get: function() {
		return mapGroups;
	}
});
Object.defineProperty(exports, "mappedGroups", {
	enumerable: true,
	get: function() {
		return mappedGroups;
	}
});
Object.defineProperty(exports, "readCopies", {
	enumerable: true,
	get: function() {
		return readCopies;
	}
});
Object.defineProperty(exports, "sameRevision", {
	enumerable: true,
	get: function() {
		return sameRevision;
	}
});
Object.defineProperty(exports, "sumCounts", {
	enumerable: true,
	get: function() {
		return sumCounts;
	}
});
Object.defineProperty(exports, "timeOf", {
	enumerable: true,
	get: function() {
		return timeOf;
	}
});
Object.defineProperty(exports, "typeRule", {
	enumerable: true,
	get: function() {
		return typeRule;
	}
});
