"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
const require_trash = require("./trash.cjs");
function choose(list, scope, calls) {
	if (scope.kind === "all") return {
		paths: null,
		unsure: []
	};
	const chosen = scope.kind === "paths" ? chooseBelow(list, scope.paths) : chooseCalls(list, scope, calls);
	if (chosen.paths !== null && chosen.paths.size === 0) throw require_trash.nothingPending(scope, chosen.unsure);
	return chosen;
}
function chooseBelow(list, paths) {
	const wanted = new Set(paths.map(withoutSlash));
	const met = /* @__PURE__ */ new Set();
	const found = /* @__PURE__ */ new Set();
	for (const { path } of list.changes) for (let at = path;; at = require_cli.parentOf(at)) {
		if (wanted.has(at)) {
			met.add(at);
			found.add(path);
		}
		if (at === "/") break;
	}
	return {
		paths: found,
		unsure: [...wanted].filter((path) => !met.has(path)).map((path) => ({
			path,
			why: require_trash.NOTHING_THERE
		}))
	};
}
function withoutSlash(path) {
	return path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") || path : path;
}
function chooseCalls(list, scope, calls) {
	const at = indexOfCall(calls, scope.call);
	const meant = new Set(scope.kind === "call" ? calls.slice(at, at + 1) : calls.slice(0, at + 1));
	const found = /* @__PURE__ */ new Set();
	const unsure = [];
	for (const { path, by } of list.changes) if (by === void 0 || by.length === 0) unsure.push({
		path,
		why: require_trash.CALL_UNKNOWN
	});
	else if (by.every((call) => meant.has(call))) found.add(path);
	else if (by.some((call) => meant.has(call))) {
		const others = by.filter((call) => !meant.has(call));
		unsure.push({
			path,
			why: require_trash.byOtherCalls(others)
		});
	}
	return {
		paths: found,
		unsure
	};
}
function indexOfCall(calls, id) {
	const exact = calls.indexOf(id);
	const alike = calls.filter((call) => call.startsWith(id));
	if (exact < 0 && alike.length !== 1) throw require_trash.noSuchCall(id, alike.length);
	return exact < 0 ? calls.indexOf(alike[0] ?? "") : exact;
}
function alongText({ because, rule, change }) {
	const { path } = because;
	switch (rule) {
		case "links": return require_trash.ALONG.sameFile(path);
		case "rename": return change.pending === null ? require_trash.ALONG.oldName(path) : require_trash.ALONG.newName(path);
		case "below": return because.pending === null ? require_trash.ALONG.belowDeleted(path) : require_trash.ALONG.belowReplaced(path);
		case "group": {
			const group = change.group ?? "";
			const name = group.slice(group.indexOf(":") + 1);
			if (group.startsWith("links:")) return require_trash.ALONG.sameFile(path);
			return group.startsWith("git:") ? require_trash.ALONG.git(name) : require_trash.ALONG.database(name);
		}
		default: return require_trash.ALONG[rule](path);
	}
}
function staysText(change) {
	if (change.pending?.type === "socket") return require_trash.SOCKET;
	if (change.ignored !== null) return require_trash.ignoredBy(change.ignored);
	if (change.conflict === "unreadable") return require_draft.CONFLICT_REASONS.unreadable;
	if (change.conflict !== null) return require_trash.KEPT_AS_CHOSEN;
	return require_trash.NEEDS_KEPT;
}
Object.defineProperty(exports, "alongText", {
	enumerable: true,
	get: function() {
		return alongText;
	}
});
Object.defineProperty(exports, "choose", {
	enumerable: true,
	get: function() {
		return choose;
	}
});
Object.defineProperty(exports, "staysText", {
	enumerable: true,
	get: function() {
		return staysText;
	}
});
