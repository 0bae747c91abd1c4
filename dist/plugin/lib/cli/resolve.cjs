"use strict";
const require_cli = require("../cli.cjs");
var MAX_PATH_CHARS = 4096;
function resolvePath(view, given, passed = () => {}) {
	if (given.includes("\0") || given.length > MAX_PATH_CHARS) return null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = require_cli.parentOf(at);
			continue;
		}
		const here = require_cli.joinPath(at, name);
		if (passed(here) === false) return null;
		const target = linkTarget(view, here);
		if (target === "unknown" || links > 40) return null;
		if (target === null) {
			at = here;
			continue;
		}
		links += 1;
		todo.unshift(...partsOf(target.to));
		if (target.to.startsWith("/")) at = "/";
	}
	return at;
}
function upperOf(view, path) {
	const covered = require_cli.isExcluded(path, view.excluded) ? null : require_cli.coveringDir(view.coveredDirs, path);
	return covered === null ? null : require_cli.upperPath(covered, path);
}
function linkTarget(view, path) {
	const upper = view === null ? null : upperOf(view, path);
	const pending = upper === null ? null : require_cli.hostEntry(upper);
	if (pending === "closed") return "unknown";
	if (upper !== null && pending !== null) {
		if (require_cli.isWhiteout(pending) || pending.type !== "symlink") return null;
		return { to: require_cli.readTarget(upper) };
	}
	const host = require_cli.hostEntry(path);
	if (host === "closed") return "unknown";
	return host?.type === "symlink" ? { to: require_cli.readTarget(path) } : null;
}
function partsOf(path) {
	return path.split("/").filter((name) => name !== "" && name !== ".");
}
Object.defineProperty(exports, "partsOf", {
	enumerable: true,
	get: function() {
		return partsOf;
	}
});
Object.defineProperty(exports, "resolvePath", {
	enumerable: true,
	get: function() {
		return resolvePath;
	}
});
Object.defineProperty(exports, "upperOf", {
	enumerable: true,
	get: function() {
		return upperOf;
	}
});
