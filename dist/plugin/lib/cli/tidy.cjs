"use strict";
const require_cli = require("../cli.cjs");
const require_with_session = require("./with-session.cjs");
const require_trash = require("./trash.cjs");
const require_list = require("./list.cjs");
const require_lock = require("./lock.cjs");
const require_unchanged = require("./unchanged.cjs");
const require_write_times = require("./write-times.cjs");
let node_fs = require("node:fs");
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
	for (const { path, upper } of ctx.coveredDirs) for (const directory of await require_cli.collect(finder.find(path, upper))) directories.push(directory);
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
	const began = require_write_times.momentNow(ctx);
	const passBegan = Date.now() - 20;
	const left = await leftIn(ctx);
	const live = left.length > 0;
	dropRunFiles(ctx.sessionDir, !live);
	const before = rounds.get(ctx.sessionDir);
	if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await require_write_times.readUppers(ctx))) {
		if (!live) require_cli.clearMarks(ctx);
		require_list.confirmBases(ctx, passBegan);
		if (began !== null) require_write_times.confirmListing(ctx, began);
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
	const listed = await require_write_times.listUppers(session, !live && await require_lock.asQuiet(session) !== null);
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
	const state = stateOf(quiet, dropped + removed === 0 ? listed : await require_write_times.readUppers(quiet));
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
	const uppers = require_unchanged.upperState(ctx, dirs);
	return uppers === null ? null : `${uppers} ${require_trash.commitNumbers(require_cli.nodePort, ctx).at(-1) ?? 0}`;
}
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
