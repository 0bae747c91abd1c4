"use strict";
const require_cli = require("../cli.cjs");
const require_list = require("./list.cjs");
const require_resolve = require("./resolve.cjs");
var look_exports = /* @__PURE__ */ require_cli.__exportAll({
	lookThrough: () => lookThrough,
	readsOtherwise: () => readsOtherwise
});
function readsOtherwise({ kind }) {
	return kind !== "none" && kind !== "meta";
}
var NOT_READ = { state: "none" };
async function lookThrough(ctx, given, thorough) {
	const onHost = require_cli.lstatOrNone(given) !== null;
	const todo = require_resolve.partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = require_cli.parentOf(at);
			continue;
		}
		const here = require_cli.joinPath(at, name);
		if (require_cli.lstatOrNone(here)?.type !== "symlink" || links === 40) {
			at = here;
			continue;
		}
		links++;
		const link = await look(ctx, here, thorough);
		if (readsOtherwise(link)) return {
			...link,
			onHost
		};
		const target = require_cli.readTarget(here);
		todo.unshift(...require_resolve.partsOf(target));
		if (target.startsWith("/")) at = "/";
	}
	return await look(ctx, at, thorough);
}
async function look(ctx, path, thorough) {
	const covered = require_cli.isExcluded(path, ctx.excluded) ? null : require_cli.coveringDir(ctx.coveredDirs, path);
	if (covered === null) return {
		...nothing(path),
		onHost: require_cli.lstatOrNone(path) !== null
	};
	const descent = new Descent(ctx, covered, path);
	const found = await descent.run();
	if (found.kind !== "none") return found;
	const fromHost = found.onHost && !found.copied;
	if (!fromHost && !thorough) return found;
	const replaced = await require_list.replacedAmong(ctx, covered, descent.merged);
	if (replaced === null) return found;
	return {
		...found,
		kind: "replaced",
		at: replaced,
		inView: found.inView && !fromHost
	};
}
var Descent = class {
	merged = [];
	ctx;
	covered;
	path;
	added = null;
	constructor(ctx, covered, path) {
		this.ctx = ctx;
		this.covered = covered;
		this.path = path;
	}
	async run() {
		let at = this.covered.path;
		const rest = require_resolve.partsOf(this.path.slice(at === "/" ? 0 : at.length));
		let hostDir = require_cli.lstatOrNone(at)?.type === "dir";
		for (let name = rest.shift(); name !== void 0; name = rest.shift()) {
			at = require_cli.joinPath(at, name);
			const upper = require_cli.hostEntry(require_cli.upperPath(this.covered, at));
			if (upper === "closed") return this.differs("closed", require_cli.parentOf(at), true);
			const host = hostDir ? require_cli.lstatOrNone(at) : null;
			const last = rest.length === 0;
			if (upper === null || require_cli.isWhiteout(upper)) return this.withoutUpper(at, upper, host);
			if (upper.type !== "dir") return await this.notADirectory(at, upper, host, last);
			if (host === null) this.added ??= at;
			else if (host.type !== "dir") return this.differs("replaced", at, this.isInUpper());
			else this.merged.push({
				path: at,
				upperPath: require_cli.upperPath(this.covered, at),
				upper
			});
			hostDir = host?.type === "dir";
		}
		if (this.added !== null) return this.differs("added", this.added, true);
		return {
			...nothing(this.path),
			onHost: hostDir,
			copied: this.merged.length > 0
		};
	}
	withoutUpper(at, upper, host) {
		if (host !== null && upper !== null) return this.differs("deleted", at, false);
		if (this.added !== null) return this.differs("added", this.added, false);
		return {
			...nothing(this.path),
			onHost: host !== null && this.isOnHost()
		};
	}
	async notADirectory(at, upper, host, last) {
		const inView = last || upper.type === "symlink";
		const kind = !last && host !== null && host.type !== "dir" ? "none" : await this.judge(at, upper, host);
		if (kind === "none") {
			if (this.added !== null) return this.differs("added", this.added, inView);
			return {
				...nothing(this.path),
				onHost: this.isOnHost(),
				copied: last
			};
		}
		return this.differs(kind, kind === "added" ? this.added ?? at : at, inView);
	}
	async judge(at, upper, host) {
		const copy = require_cli.upperPath(this.covered, at);
		const judge = async (base) => {
			if (host?.type === upper.type) {
				const kind = await require_cli.resultOf(require_list.judgeSameType({
					path: at,
					host,
					upperPath: copy,
					upper,
					base
				}));
				return kind === "modified" || kind === "meta" ? kind : "none";
			}
			if (require_list.equalsBase(copy, upper, base)) return "none";
			return host === null ? "added" : "replaced";
		};
		try {
			const kind = await judge(NOT_READ);
			return kind === "none" ? kind : await judge((await require_list.readBases(this.ctx)).lookup(at));
		} catch (error) {
			if (require_cli.errorCode(error) === "EACCES") return host === null ? "added" : "modified";
			throw error;
		}
	}
	isInUpper() {
		const entry = require_cli.lstatEntry(require_cli.upperPath(this.covered, this.path));
		return entry !== null && !require_cli.isWhiteout(entry);
	}
	isOnHost() {
		return require_cli.lstatOrNone(this.path) !== null;
	}
	differs(kind, at, inView) {
		return {
			kind,
			at,
			inView,
			onHost: this.isOnHost(),
			copied: false
		};
	}
};
function nothing(path) {
	return {
		kind: "none",
		at: path,
		inView: true,
		onHost: false,
		copied: false
	};
}
Object.defineProperty(exports, "lookThrough", {
	enumerable: true,
	get: function() {
		return lookThrough;
	}
});
Object.defineProperty(exports, "look_exports", {
	enumerable: true,
	get: function() {
		return look_exports;
	}
});
