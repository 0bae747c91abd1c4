"use strict";
const require_cli = require("../cli.cjs");
const require_with_session = require("./with-session.cjs");
const require_trash = require("./trash.cjs");
const require_list = require("./list.cjs");
const require_lock = require("./lock.cjs");
const require_outcome = require("./outcome.cjs");
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
var OLD_MS = 864e5;
function dropRunFiles(sessionDir, quiet) {
	const dir = `${sessionDir}/run`;
	for (const name of require_cli.orNull(() => (0, node_fs.readdirSync)(dir)) ?? []) {
		const file = `${dir}/${name}`;
		const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
		require_cli.orNull(() => {
			if (pid === void 0 ? quiet && Date.now() - (0, node_fs.lstatSync)(file).mtimeMs > OLD_MS : !(0, node_fs.existsSync)(`/proc/${pid}`)) (0, node_fs.rmSync)(file, { force: true });
		});
	}
}
async function reap(ctx, listed = /* @__PURE__ */ new Map()) {
	const file = require_list.readBaseFile(ctx);
	const directories = [];
	const finder = new Finder(ctx, require_list.makeBases(file.records), listed);
	for (const { path, upper } of ctx.coveredDirs) {
		if (require_cli.lstatEntry(path)?.type !== "dir") continue;
		for (const directory of await require_cli.collect(finder.find(path, upper))) directories.push(directory);
	}
	keepXattrs(directories);
	const asked = directories.filter(({ root, unchanged, entries }) => !root && (unchanged || entries.length > 0));
	const visible = asked.length === 0 ? /* @__PURE__ */ new Set() : await showing(ctx, asked);
	const going = directories.filter(({ root, path }) => root || visible.has(path));
	const removed = await require_cli.collect(removeFrom(going));
	const gone = removed.filter((path) => file.records.has(path));
	require_list.dropBases(ctx, file, gone);
	return { removed: removed.length };
}
var Finder = class {
	ctx;
	bases;
	listed;
	constructor(ctx, bases, listed) {
		this.ctx = ctx;
		this.bases = bases;
		this.listed = listed;
	}
	*find(root, upperRoot) {
		const stack = [{
			path: root,
			upperPath: upperRoot,
			onHost: require_cli.lstatEntry(root)?.type === "dir",
			root: true,
			unchanged: false,
			entries: []
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			if (at.fresh === true) {
				stack.push(...this.fresh(at));
				yield at;
				continue;
			}
			for (const name of require_cli.namesOrNone(at.upperPath)) {
				const path = require_cli.joinPath(at.path, name);
				const upperPath = require_cli.joinPath(at.upperPath, name);
				const upper = require_cli.isExcluded(path, this.ctx.excluded) ? null : require_cli.lstatEntry(upperPath);
				if (upper === null) continue;
				const host = at.onHost ? require_cli.hostEntry(path) : null;
				if (host === "closed" || require_cli.isClosed(upper, this.ctx.root) || require_cli.holdsOutOfReach(upperPath)) continue;
				if (upper.type !== "dir") {
					if (yield* this.unchangedEntry({
						path,
						upperPath,
						upper,
						host
					})) at.entries.push(name);
				} else stack.push(this.directory({
					path,
					upperPath,
					upper,
					host
				}));
			}
			yield at;
		}
	}
	*unchangedEntry({ path, upperPath, upper, host }) {
		if (require_cli.isWhiteout(upper)) return host === null;
		if (host?.type === upper.type && host.mtimeNs === upper.mtimeNs) {
			if ((yield* require_list.judgeSameType({
				path,
				host,
				upperPath,
				upper,
				base: { state: "none" }
			})) === null) return true;
		}
		const base = this.bases.lookup(path);
		if (base.state !== "known") return false;
		return (host === null || !require_list.sameEntry(base.host, require_cli.toHostStat(host, path))) && require_list.equalsBase(upperPath, upper, base);
	}
	fresh(at) {
		const { dirs, devices } = this.inside(at);
		const below = [];
		for (const name of dirs) {
			const [path, upperPath] = [require_cli.joinPath(at.path, name), require_cli.joinPath(at.upperPath, name)];
			if (!require_cli.isExcluded(path, this.ctx.excluded)) below.push({
				...at,
				path,
				upperPath,
				entries: []
			});
		}
		for (const name of devices) {
			if (require_cli.isExcluded(require_cli.joinPath(at.path, name), this.ctx.excluded)) continue;
			const entry = require_cli.lstatEntry(require_cli.joinPath(at.upperPath, name));
			if (entry !== null && require_cli.isWhiteout(entry)) at.entries.push(name);
		}
		return below;
	}
	inside({ path, upperPath }) {
		const was = this.listed.get(path);
		if (was !== void 0 && was.ctimeNs === String(require_cli.lstatEntry(upperPath)?.ctimeNs)) return {
			dirs: was.dirs,
			devices: [...was.marks.keys()]
		};
		const found = require_cli.orIfRefused(() => require_cli.readEntries(upperPath), []);
		const named = (is) => found.filter(is).map(({ name }) => name);
		return {
			dirs: named((one) => one.isDirectory()),
			devices: named((one) => one.isCharacterDevice())
		};
	}
	directory({ path, upperPath, upper, host }) {
		const base = this.bases.lookup(path);
		const onHost = host?.type === "dir";
		if (!onHost && base.state !== "known") return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: false,
			entries: [],
			fresh: true
		};
		return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: onHost ? !require_list.metaChanged({
				host,
				upper,
				base
			}) : require_list.onlyTouched(upper, base),
			entries: [],
			xattrs: base.state === "known" ? base.xattrs : void 0
		};
	}
};
function keepXattrs(directories) {
	const pairs = directories.flatMap((directory) => {
		const { path, upperPath, onHost, root, unchanged, entries } = directory;
		if (!onHost) return [];
		const inside = entries.map((name) => ({
			directory,
			path: require_cli.joinPath(path, name),
			upperPath: require_cli.joinPath(upperPath, name)
		}));
		return unchanged && !root ? [...inside, {
			directory,
			path,
			upperPath
		}] : inside;
	});
	for (const { pair, upper } of require_cli.otherXattrs(pairs)) {
		const { directory, path } = pair;
		if (directory.path === path) directory.unchanged = directory.xattrs === require_list.xattrHash(upper);
		else directory.entries = directory.entries.filter((name) => require_cli.joinPath(directory.path, name) !== path);
	}
}
async function showing(ctx, directories) {
	return await require_cli.useAndCloseAsync(await require_list.openViewer(ctx), async (viewer) => {
		const shows = ({ path, upperPath, onHost }) => !onHost || require_cli.orIfRefused(() => require_list.showsHost(viewer, {
			host: path,
			upper: upperPath
		}), false);
		return new Set(directories.filter(shows).map(({ path }) => path));
	});
}
function* removeFrom(directories) {
	for (const { path, upperPath, unchanged, entries } of directories.toReversed()) {
		for (const name of entries) {
			yield null;
			removeOne(() => (0, node_fs.unlinkSync)(require_cli.fsPath(require_cli.joinPath(upperPath, name))), upperPath);
			yield require_cli.joinPath(path, name);
		}
		if (!unchanged || require_cli.namesOrNone(upperPath).length > 0) continue;
		removeOne(() => (0, node_fs.rmdirSync)(require_cli.fsPath(upperPath)), require_cli.parentOf(upperPath));
		yield path;
	}
}
function removeOne(take, parent) {
	try {
		take();
	} catch (error) {
		const mode = require_cli.errorCode(error) === "EACCES" ? require_cli.lstatEntry(parent)?.mode : void 0;
		if (mode === void 0) throw error;
		(0, node_fs.chmodSync)(require_cli.fsPath(parent), mode | 192);
		try {
			take();
		} finally {
			(0, node_fs.chmodSync)(require_cli.fsPath(parent), mode);
		}
	}
}
var tidy_exports = /* @__PURE__ */ require_cli.__exportAll({ tidy: () => tidy });
var rounds = /* @__PURE__ */ new Map();
async function tidy(ctx, earliestCall) {
	const began = require_outcome.momentNow(ctx);
	const passBegan = Date.now() - 20;
	const left = await leftIn(ctx);
	const live = left.length > 0;
	dropRunFiles(ctx.sessionDir, !live);
	const before = rounds.get(ctx.sessionDir);
	if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await require_outcome.readUppers(ctx))) {
		if (!live) require_cli.clearMarks(ctx);
		require_list.confirmBases(ctx, passBegan);
		if (began !== null) require_outcome.confirmListing(ctx, began);
		return { left };
	}
	rounds.delete(ctx.sessionDir);
	try {
		return await require_with_session.withSession(ctx, "live", async (session) => await tidyBehindDoor(session, {
			live,
			earliestCall
		}));
	} catch (error) {
		if (error instanceof require_cli.MovedOn) return { left: [] };
		throw error;
	}
}
async function tidyBehindDoor(session, { live, earliestCall }) {
	require_with_session.keepReserve(session);
	const listed = await require_outcome.listUppers(session, !live && await require_lock.asQuiet(session) !== null);
	const before = live ? restingState(session, listed) : null;
	await require_list.recordBases(session, earliestCall === null ? {} : { earliestCall });
	const left = live ? await leftIn(session) : [];
	if (left.length > 0 || await require_lock.asQuiet(session) === null) {
		if (before !== null) rounds.set(session.sessionDir, {
			state: before,
			quiet: false
		});
		return { left: left.length > 0 ? left : await leftIn(session) };
	}
	const quiet = await require_with_session.expectQuiet(session);
	await require_with_session.finishInterruptedUndo(quiet);
	const dropped = await require_with_session.dropCommitted(quiet);
	require_with_session.clearQuiet(quiet);
	const { removed } = await reap(quiet, listed.dirs);
	const state = stateOf(quiet, dropped + removed === 0 ? listed : await require_outcome.readUppers(quiet));
	if (state !== null) rounds.set(session.sessionDir, {
		state,
		quiet: true
	});
	return { left: [] };
}
async function leftIn({ source }) {
	return (await require_cli.liveProcesses(source)).map(({ pid }) => pid);
}
function restingState(ctx, listed) {
	return [...listed.dirs.values()].every(({ ctimeNs }) => require_cli.isPast(BigInt(ctimeNs))) ? stateOf(ctx, listed) : null;
}
function stateOf(ctx, dirs) {
	const uppers = upperState(ctx, dirs);
	return uppers === null ? null : `${uppers} ${require_trash.commitNumbers(require_cli.nodePort, ctx).at(-1) ?? 0}`;
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
Object.defineProperty(exports, "tidy", {
	enumerable: true,
	get: function() {
		return tidy;
	}
});
Object.defineProperty(exports, "tidy_exports", {
	enumerable: true,
	get: function() {
		return tidy_exports;
	}
});
