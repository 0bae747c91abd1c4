"use strict";
const require_cli = require("../cli.cjs");
const require_read = require("./read.cjs");
const require_trash = require("./trash.cjs");
const require_write_times = require("./write-times.cjs");
const require_draft = require("./draft.cjs");
const require_scope = require("./scope.cjs");
const require_list = require("./list.cjs");
const require_unchanged = require("./unchanged.cjs");
let node_crypto = require("node:crypto");
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
		times: await require_write_times.writeTimes(ctx, list.changes)
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
	if (mark !== null && await require_unchanged.isUnchanged(ctx, mark)) return { same: true };
	const trace = await require_unchanged.ScanTrace.begin(ctx);
	const list = await require_list.scan(ctx, trace);
	return {
		same: false,
		timed: {
			list,
			times: await require_write_times.writeTimes(ctx, list.changes)
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
	return require_scope.choose(list, scope, spans.map(({ call }) => call));
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
var fates_exports = /* @__PURE__ */ require_cli.__exportAll({ fatesJob: () => fatesJob });
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
		return require_write_times.readTimes(`${require_cli.toText(require_trash.commitDir(ctx, n))}/${require_write_times.TIMES}`).flatMap(([path, time]) => {
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
	return require_trash.readDiscards(require_cli.nodePort, ctx).filter((discard) => require_trash.isReturnable(require_cli.nodePort, discard)).flatMap(({ dir }) => require_write_times.readTimes(require_cli.toText(require_cli.joinPath(dir, require_write_times.TIMES)))).map(([path, time]) => ({
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
Object.defineProperty(exports, "chosenOf", {
	enumerable: true,
	get: function() {
		return chosenOf;
	}
});
Object.defineProperty(exports, "countWritten", {
	enumerable: true,
	get: function() {
		return countWritten;
	}
});
Object.defineProperty(exports, "fatesJob", {
	enumerable: true,
	get: function() {
		return fatesJob;
	}
});
Object.defineProperty(exports, "fates_exports", {
	enumerable: true,
	get: function() {
		return fates_exports;
	}
});
Object.defineProperty(exports, "packScan", {
	enumerable: true,
	get: function() {
		return packScan;
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
Object.defineProperty(exports, "reviewedList", {
	enumerable: true,
	get: function() {
		return reviewedList;
	}
});
Object.defineProperty(exports, "scanFor", {
	enumerable: true,
	get: function() {
		return scanFor;
	}
});
Object.defineProperty(exports, "scanJob", {
	enumerable: true,
	get: function() {
		return scanJob;
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
Object.defineProperty(exports, "withTimes", {
	enumerable: true,
	get: function() {
		return withTimes;
	}
});
