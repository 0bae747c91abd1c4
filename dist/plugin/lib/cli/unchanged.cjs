"use strict";
const require_cli = require("../cli.cjs");
const require_list = require("./list.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
var YOUNG_MS = 50;
var PATHS_MAX = 6e5;
var ScanTrace = class ScanTrace {
	#ctx;
	#uppers;
	#began = Date.now();
	#paths = [];
	#stats = [];
	#usable;
	#lastDir = "";
	constructor(ctx, usable) {
		this.#ctx = ctx;
		this.#uppers = ctx.coveredDirs.map(({ upper }) => upper);
		this.#usable = usable;
	}
	static async begin(ctx) {
		const trace = new ScanTrace(ctx, isLocal(ctx) && (await require_cli.liveProcesses(ctx.source)).length === 0);
		trace.during(() => {
			for (const path of ownFiles(ctx)) trace.#take(path, require_cli.lstatEntry(path));
		});
		return trace;
	}
	during(part) {
		const before = require_cli.watchLstat((path, entry) => this.#record(path, entry));
		try {
			return part();
		} finally {
			require_cli.watchLstat(before);
		}
	}
	*along(steps) {
		const iterator = steps[Symbol.iterator]();
		for (;;) {
			const step = this.during(() => iterator.next());
			if (step.done === true) return;
			yield step.value;
		}
	}
	mark() {
		if (!this.#usable) return null;
		const text = Buffer.from(this.#paths.map((path) => `${path}\0`).join(""), "latin1");
		const paths = new SharedArrayBuffer(text.length);
		text.copy(Buffer.from(paths));
		const stats = new SharedArrayBuffer(this.#stats.length * Float64Array.BYTES_PER_ELEMENT);
		new Float64Array(stats).set(this.#stats);
		return {
			settings: settingsOf(this.#ctx),
			paths,
			stats
		};
	}
	#record(path, entry) {
		if (!this.#usable || path.startsWith("/proc/")) return;
		if (this.#uppers.some((upper) => require_cli.isWithin(path, upper))) {
			if (entry?.type === "dir") this.#take(path, entry);
			return;
		}
		if (entry !== null) this.#take(path, entry);
		else this.#missing(require_cli.parentOf(path));
	}
	#missing(dir) {
		if (dir === this.#lastDir) return;
		this.#lastDir = dir;
		this.during(() => this.#take(dir, require_cli.lstatEntry(dir)));
	}
	#take(path, entry) {
		const changed = entry === null ? -1 : Number(entry.ctimeNs / 1000n) / 1e3;
		if (changed > this.#began - YOUNG_MS || this.#paths.length === PATHS_MAX) this.#usable = false;
		this.#paths.push(path);
		this.#stats.push(entry === null ? -1 : Number(entry.ino), changed);
	}
};
async function isUnchanged(ctx, mark) {
	if (mark.settings !== settingsOf(ctx) || (await require_cli.liveProcesses(ctx.source)).length > 0) return false;
	try {
		return !await require_cli.inSlices(differences(mark), () => true);
	} catch {
		return false;
	}
}
var STEP = 500;
var SAME_MS = .01;
function* differences({ paths, stats }) {
	const text = Buffer.from(paths);
	const known = new Float64Array(stats);
	for (let at = 0, i = 0; at < text.length; i += 2) {
		const end = text.indexOf(0, at);
		const now = statOf(text.subarray(at, end));
		const changed = Math.abs((now?.ctimeMs ?? -1) - (known[i + 1] ?? 0));
		if ((now?.ino ?? -1) !== known[i] || changed > SAME_MS) yield true;
		at = end + 1;
		if (i % STEP === 0) yield null;
	}
}
function statOf(path) {
	try {
		return (0, node_fs.lstatSync)(path, { throwIfNoEntry: false });
	} catch (error) {
		if (require_cli.errorCode(error) === "ENOTDIR") return void 0;
		throw error;
	}
}
function ownFiles({ sessionDir, coveredDirs }) {
	const overlay = require_cli.joinPath(require_cli.fromText(sessionDir), "overlay");
	return [
		require_cli.joinPath(overlay, "."),
		...require_cli.namesOrNone(overlay).map((name) => require_cli.joinPath(overlay, name)),
		...coveredDirs.flatMap(({ upper, work }) => [
			upper,
			work,
			require_cli.joinPath(work, "work"),
			require_cli.joinPath(require_cli.parentOf(upper), "copies.json")
		])
	];
}
function isLocal({ coveredDirs }) {
	return coveredDirs.every(({ path, upper }) => require_list.hasOurTimes(path) && require_list.hasOurTimes(upper));
}
function settingsOf(ctx) {
	const { coveredDirs, excluded, ignore, home, projectRoot, uid, gid, root } = ctx;
	return JSON.stringify([
		coveredDirs,
		excluded,
		ignore,
		home,
		projectRoot,
		uid,
		gid,
		root
	]);
}
var FILES_MAX = 2e3;
function upperState(ctx, { dirs, closed }) {
	if (closed.size > 0) return null;
	const hash = (0, node_crypto.createHash)("sha1");
	for (const [path, { id, own, ctimeNs }] of dirs) hash.update(`${path}\0${id}\0${own}\0${ctimeNs}\0`);
	const files = require_cli.orNull(() => filesIn(ctx, dirs));
	if (files === null) return null;
	const { coveredDirs } = ctx;
	const looked = files.length > FILES_MAX ? coveredDirs.map(({ work }) => require_cli.joinPath(work, "work")) : files;
	for (const path of looked) {
		const entry = require_cli.lstatEntry(path);
		hash.update(`${path}\0${entry?.ino}\0${entry?.ctimeNs}\0`);
	}
	return hash.digest("hex");
}
function filesIn({ coveredDirs }, dirs) {
	const found = [];
	for (const [path, dir] of dirs) {
		const upper = require_cli.upperPathIn(coveredDirs, path);
		if (upper === null) continue;
		const below = new Set(dir.dirs);
		for (const name of require_cli.readNames(upper)) if (!below.has(name)) found.push(require_cli.joinPath(upper, name));
		if (found.length > FILES_MAX) break;
	}
	return found;
}
Object.defineProperty(exports, "ScanTrace", {
	enumerable: true,
	get: function() {
		return ScanTrace;
	}
});
Object.defineProperty(exports, "isUnchanged", {
	enumerable: true,
	get: function() {
		return isUnchanged;
	}
});
Object.defineProperty(exports, "upperState", {
	enumerable: true,
	get: function() {
		return upperState;
	}
});
