"use strict";
const require_cli = require("../cli.cjs");
const require_processes = require("./processes.cjs");
const require_draft = require("./draft.cjs");
const require_trash = require("./trash.cjs");
const require_list = require("./list.cjs");
let node_fs = require("node:fs");
var TIMES = "times";
var RETURNED = ".returned";
var FORMAT = "1";
function keepTimes(file, changes, times) {
	const lines = changes.flatMap(({ path }, i) => {
		const time = require_draft.timeOf(times, i);
		return time === null ? [] : [`${time[0]} ${time[1]} ${path}\0`];
	});
	require_cli.writeWhole(file, `${FORMAT}\0${lines.join("")}`);
}
function readTimes(file) {
	const [version, ...lines] = (readOrNull(file) ?? "").split("\0");
	return version === FORMAT ? lines.flatMap(timeLine) : [];
}
function timeLine(line) {
	const [, from, to, path] = /^([\d.]+) ([\d.]+) (\/.*)$/s.exec(line) ?? [];
	return path === void 0 ? [] : [[path, [Number(from), Number(to)]]];
}
function returnTimes(ctx, file, name, since, moved = /* @__PURE__ */ new Map()) {
	const text = readOrNull(file);
	if (text === null) return;
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	(0, node_fs.mkdirSync)(dir, {
		recursive: true,
		mode: 448
	});
	require_cli.writeWhole(`${dir}/${name.padStart(8, "0")}`, `${since} ${Date.now()}\0${text}${[...moved].map(([path, born]) => `=${born} ${path}\0`).join("")}`);
	for (const old of names(dir).slice(0, -4)) (0, node_fs.rmSync)(`${dir}/${old}`, { force: true });
}
function readReturned(ctx) {
	const found = /* @__PURE__ */ new Map();
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	for (const name of names(dir).reverse()) {
		const [window = "", version, ...lines] = (readOrNull(`${dir}/${name}`) ?? "").split("\0");
		const [since = NaN, until = NaN] = window.split(" ").map(Number);
		if (version !== FORMAT || Number.isNaN(since + until)) continue;
		const moved = new Map(lines.flatMap(bornLine));
		for (const [path, time] of lines.flatMap(timeLine)) found.set(path, [...found.get(path) ?? [], {
			time,
			since,
			until,
			born: moved.get(path)
		}]);
	}
	return found;
}
function bornLine(line) {
	const [, born, path] = /^=(\d+) (\/.*)$/s.exec(line) ?? [];
	return born === void 0 || path === void 0 ? [] : [[path, born]];
}
function readOrNull(file) {
	return require_cli.orNull(() => (0, node_fs.readFileSync)(file, "latin1"));
}
function names(dir) {
	return require_cli.namesOrNone(require_cli.fromText(dir)).filter((name) => /^\d{8}$/.test(name));
}
function isStored(port, at, stored) {
	return require_cli.orIfRefused(() => {
		const pair = pairOf(port, at, stored);
		return pair !== null && isSame(pair);
	}, false);
}
function isStoredWhole(port, at, stored) {
	return require_cli.orIfRefused(() => eachIs(isSame, port, at, stored), false);
}
function isLikeStored(port, at, stored) {
	return eachIs(isLike, port, at, stored);
}
function pairOf(port, at, stored) {
	const [now, kept] = [port.lstat(at), port.lstat(stored)];
	return now === null || kept === null ? null : {
		port,
		at,
		now,
		stored,
		kept
	};
}
function eachIs(is, port, at, stored) {
	const pair = pairOf(port, at, stored);
	if (pair === null || !is(pair)) return false;
	if (pair.kept.type !== "dir") return true;
	const names = port.readdir(stored);
	if (names.length !== port.readdir(at).length) return false;
	return names.every((name) => eachIs(is, port, require_cli.joinPath(at, name), require_cli.joinPath(stored, name)));
}
var isLike = ({ now, kept }) => require_cli.looksAlike(require_cli.identityOf(kept), now);
function isSame(pair) {
	const { port, at, now, stored, kept } = pair;
	if (require_cli.isWhiteout(now) || require_cli.isWhiteout(kept)) return require_cli.isWhiteout(now) && require_cli.isWhiteout(kept);
	if (!isLike(pair)) return false;
	if (now.type === "symlink") return port.readlink(at) === port.readlink(stored);
	return now.type !== "file" || require_cli.resultAtOnce(require_cli.sameContent(at, now, stored, kept));
}
var PendingPlan = class {
	items = [];
	failed = /* @__PURE__ */ new Map();
	#port;
	#ctx;
	#dirs;
	#uppers;
	#commit;
	#changed;
	#copies = null;
	#opaque = /* @__PURE__ */ new Map();
	#hidden = /* @__PURE__ */ new Map();
	#missing = /* @__PURE__ */ new Set();
	#viewer = null;
	constructor({ port, ctx, dirs, uppers }, commit, changed) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
		this.#uppers = uppers;
		this.#commit = commit;
		this.#changed = changed;
	}
	async add(displaced) {
		const { path, i } = displaced;
		const before = this.items.length;
		try {
			if (require_cli.coveringDir(this.#ctx.coveredDirs, path) === null) return;
			if (await this.#isHidden(require_cli.parentOf(path))) this.#keep(displaced);
			else await this.#add(displaced);
		} catch (error) {
			const message = require_cli.entryMessage(error);
			if (message === null) throw error;
			this.items.length = before;
			this.failed.set(i, message);
		}
	}
	async isWhole(path) {
		if (require_cli.coveringDir(this.#ctx.coveredDirs, path) === null || this.#uppers.lstat(path) !== null) return false;
		return !await this.#isHidden(require_cli.parentOf(path));
	}
	async dropNeedless() {
		const isDeletion = ({ line }) => line.kind === "whiteout";
		const opaque = await markedOpaque(this.#ctx, this.items.filter(isDeletion));
		this.items = this.items.filter((item) => !isDeletion(item) || !require_cli.isBelowAny(item.line.path, opaque));
	}
	async close() {
		await this.#viewer?.close();
		this.#viewer = null;
	}
	async #add(displaced) {
		const { i, path, now, alone, below, moves } = displaced;
		const upper = this.#missing.has(require_cli.parentOf(path)) ? null : this.#uppers.lstatHere(path);
		if (upper === null) {
			const kind = now === null ? "whiteout" : alone && now.type === "dir" ? "dir" : "copy";
			this.#push({
				i,
				path,
				kind
			}, now, moves);
			return;
		}
		if (alone) return;
		if (upper.type !== "dir") return this.#keep(displaced);
		if (now?.type !== "dir") {
			this.#keep(displaced);
			return this.#hide(i, below);
		}
		if (await this.#isOpaque(path)) return this.#keep(displaced);
		for (const name of this.#port.readdir(require_cli.at(this.#dirs.openToList(path)))) {
			const inside = require_cli.joinPath(path, name);
			await this.#add({
				i,
				path: inside,
				now: this.#dirs.lstat(inside),
				alone: false,
				below: []
			});
		}
	}
	#push(about, now, moves = false) {
		const { mode, uid, gid, mtimeNs } = now ?? {
			mode: 0,
			uid: 0,
			gid: 0,
			mtimeNs: 0n
		};
		const mtime = String(mtimeNs);
		const line = {
			t: "pending",
			...about,
			born: null,
			mode,
			uid,
			gid,
			mtime
		};
		this.items.push({
			line,
			now,
			moves
		});
	}
	#keep({ i, path, now, alone, moves }) {
		if (!alone && now !== null) this.#keepBelow(i, path, now, moves);
	}
	#keepBelow(i, path, now, moves) {
		const keep = {
			i,
			path,
			kind: "copy",
			stays: true
		};
		const all = this.#changed;
		if (all.has(path) || require_cli.isBelowAny(path, all)) {
			this.#push(keep, now);
			return;
		}
		const upper = this.#uppers.lstat(path);
		if (now.type !== "dir") {
			if (!this.#isCopy(path, upper)) this.#push({
				...keep,
				later: true
			}, now, moves);
			return;
		}
		const names = this.#port.readdir(require_cli.at(this.#dirs.openToList(path)));
		const isWhole = upper?.type !== "dir" && ![...all].some((one) => require_cli.isWithin(one, path));
		if (isWhole && names.length > 0) this.#push({
			...keep,
			later: true
		}, now);
		for (const name of isWhole ? [] : names) {
			const inside = require_cli.joinPath(path, name);
			const stat = this.#dirs.lstat(inside);
			if (stat !== null) this.#keepBelow(i, inside, stat);
		}
	}
	#isCopy(path, upper) {
		this.#copies ??= new Map(this.#commit.units.flatMap(require_trash.entriesOf).map((entry) => [entry.path, entry.id]));
		return upper !== null && require_cli.isSame(this.#copies.get(path) ?? null, upper);
	}
	#hide(i, paths) {
		const hidden = /* @__PURE__ */ new Set();
		for (const path of paths) {
			const upper = hidden.has(require_cli.parentOf(path)) ? void 0 : this.#uppers.lstat(path);
			if (upper?.type === "dir") continue;
			hidden.add(path);
			if (upper === null) this.#push({
				i,
				path,
				kind: "whiteout"
			}, null);
		}
	}
	async #isHidden(dir) {
		const known = this.#hidden.get(dir);
		if (known !== void 0) return known;
		const root = require_cli.coveringDir(this.#ctx.coveredDirs, dir)?.path;
		if (root === void 0 || dir === root) return false;
		const upper = this.#uppers.lstat(dir);
		if (upper === null) this.#missing.add(dir);
		const hidden = upper !== null && (upper.type !== "dir" || await this.#isOpaque(dir)) || await this.#isHidden(require_cli.parentOf(dir));
		this.#hidden.set(dir, hidden);
		return hidden;
	}
	async #isOpaque(dir) {
		const known = this.#opaque.get(dir);
		if (known !== void 0) return known;
		this.#viewer ??= await require_list.openViewer(this.#ctx);
		const upper = require_cli.upperPathIn(this.#ctx.coveredDirs, dir);
		const own = upper === null ? null : require_cli.lstatEntry(upper);
		const view = require_cli.lstatEntry(this.#viewer.pathOf(dir));
		const opaque = own !== null && own.nlink >= 2 && view !== null && view.nlink > 1;
		this.#opaque.set(dir, opaque);
		return opaque;
	}
};
async function markedOpaque(ctx, items) {
	const above = [...require_trash.allDirsTo(ctx, items.map(({ line }) => line.path))];
	if (above.length === 0) return /* @__PURE__ */ new Set();
	const uppers = above.map((dir) => require_cli.upperPathIn(ctx.coveredDirs, dir) ?? dir);
	const { names } = await require_cli.askXattrNames({
		whole: [],
		alone: uppers
	});
	const isOpaque = (upper = "/") => names.get(upper)?.some((name) => /\.overlay\.opaque$/.test(name)) === true;
	return new Set(above.filter((_, i) => isOpaque(uppers[i])));
}
async function stagePending({ port, ctx, journal }, items, instead) {
	const failed = /* @__PURE__ */ new Map();
	if (items.length === 0) return failed;
	const dirs = items.map(({ line }) => line).filter(({ kind }) => kind === "dir");
	port.xattrsOf(dirs.map(({ path }) => path)).forEach((text, i) => {
		const line = dirs[i];
		if (line !== void 0 && text !== null && text !== "") line.xattrs = text;
	});
	const back = require_cli.joinPath(journal.dir, require_trash.BACK);
	if (items.some(({ line, moves }) => line.kind === "copy" && !moves)) journal.syncBegin();
	port.mkdir(back, 448);
	expectOneFileSystem(port, ctx, back);
	if (items.some(({ line }) => line.kind === "whiteout")) await makeWhiteout(port, back);
	for (const covered of ctx.coveredDirs) {
		const mine = items.filter(({ line: { kind, path } }) => kind === "copy" && require_cli.coveringDir(ctx.coveredDirs, path) === covered);
		if (mine.length === 0) continue;
		const dir = require_cli.joinPath(back, String(covered.n));
		port.mkdir(dir, 448);
		await require_cli.withHandleAsync(port, port.openDir(dir), async (fd) => {
			await copyItems(port, {
				covered,
				items: mine,
				fd,
				instead
			}, failed);
		});
	}
	return failed;
}
async function copyItems(port, { covered, items, fd, instead }, failed) {
	const nameIn = ({ line }) => require_cli.relativeTo(covered.path, line.path);
	const copied = items.filter(({ moves }) => !moves);
	require_trash.makeParents(port, fd, items.map(nameIn));
	const own = copied.filter(({ line }) => !instead.has(line.path)).map(nameIn);
	let complaint = own.length === 0 ? "" : await require_trash.copyOut(port, covered.path, own, fd);
	for (const item of items) {
		const { path } = item.line;
		const dir = instead.get(path);
		if (dir === void 0) continue;
		const holder = require_cli.at(fd, `.${require_cli.parentOf(`/${nameIn(item)}`)}`);
		await require_cli.withHandleAsync(port, port.openDir(holder), async (to) => {
			complaint += await require_trash.copyOut(port, dir, [require_cli.nameOf(path)], to);
		});
	}
	const sourceOf = (path) => {
		const dir = instead.get(path);
		return dir === void 0 ? path : require_cli.joinPath(dir, require_cli.nameOf(path));
	};
	const fails = ({ line }, why) => failed.set(line.i, require_trash.notPending(why));
	for (const item of items) {
		const { line, now, moves } = item;
		const from = instead.has(line.path) ? port.lstat(sourceOf(line.path)) : now;
		const copy = moves ? from : port.lstat(require_cli.at(fd, nameIn(item)));
		if (copy !== null && from !== null && (moves || require_cli.looksAlike(require_cli.identityOf(from), copy))) line.born = require_cli.birthOf(copy);
		else fails(item, complaint || "it changed meanwhile");
	}
	if (complaint === "") return;
	for (const item of copied) if (!failed.has(item.line.i) && !require_trash.isWholeCopy(port, sourceOf(item.line.path), require_cli.at(fd, nameIn(item)))) fails(item, complaint);
}
function expectOneFileSystem(port, ctx, dir) {
	const dev = port.lstat(dir)?.dev;
	for (const { upper } of ctx.coveredDirs) {
		const there = port.lstat(upper)?.dev;
		if (there !== void 0 && there !== dev) throw require_trash.manyFileSystems();
	}
}
async function makeWhiteout(port, dir) {
	const script = "IFS= read -r -d \"\" path; exec mknod -- \"$path\" c 0 0";
	const input = Buffer.from(`${require_cli.joinPath(dir, "w")}\0`, "latin1");
	const { status, stderr } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) throw require_trash.deletionNotPending(stderr.trim());
}
function isPendingAlready({ port, ctx, journal: { record } }) {
	return require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => record.pending.every(({ i, kind, path, born, stays }) => stays === true || !record.done.has(i) || kind === "copy" && born === null || uppers.lstat(path) !== null));
}
function keptBeside({ port, ctx, journal }) {
	return journal.record.pending.flatMap((line) => {
		const covered = line.stays === true ? require_cli.coveringDir(ctx.coveredDirs, line.path) : null;
		const at = covered === null ? null : require_trash.waitingAt(require_cli.joinPath(journal.dir, require_trash.BACK), covered, line.path);
		return at === null || port.lstat(at) === null ? [] : [{
			path: line.path,
			at,
			later: line.later
		}];
	});
}
async function insertPending(transaction, resumed) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const { pending, done } = record;
	const dir = require_cli.joinPath(journal.dir, require_trash.BACK);
	const paths = pending.map(({ path }) => path);
	const kept = [];
	const pace = new require_cli.Pace();
	await require_cli.useAndCloseAsync(require_trash.openUppers(transaction), async (uppers) => {
		const parents = /* @__PURE__ */ new Map();
		const making = {
			port,
			uppers,
			dir,
			likeHost: await require_trash.askHostXattrs(transaction, uppers, paths),
			parents
		};
		const broken = brokenTrees(record);
		const rank = ({ kind }) => kind === "dir" ? 0 : 1;
		for (const line of [...pending].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
			await pace.breathe();
			if (!done.has(line.i) && !broken.has(line.path) && !isGone(port, record, line)) continue;
			const covered = require_cli.coveringDir(ctx.coveredDirs, line.path);
			const isThere = !resumed && done.get(line.i) === "" && require_cli.typeOf(line.born) === "file";
			if (covered !== null && line.stays !== true && insertOne(making, covered, line, isThere)) continue;
			if (line.kind !== "copy" || line.born === null) continue;
			const copy = covered === null ? dir : require_trash.waitingAt(dir, covered, line.path);
			if (port.lstat(copy) !== null) kept.push({
				path: line.path,
				at: copy,
				later: line.later
			});
		}
	});
	return kept;
}
function isGone(port, { unitOf }, { i, path }) {
	const unit = unitOf.get(i);
	const reviewed = unit === void 0 ? null : require_trash.hostOf(unit);
	const now = require_cli.orIfRefused(() => port.lstat(path), null);
	return !require_cli.isSame(reviewed, now) && !(unit?.kind === "swap" && require_cli.isRenamed(reviewed, now));
}
function brokenTrees({ units, pending, done }) {
	const paths = new Set(pending.map(({ path }) => path));
	const broken = /* @__PURE__ */ new Set();
	for (const { i, kind, path } of units) {
		if (kind !== "delete" && kind !== "move-to-store" || !done.has(i)) continue;
		for (let at = path; at !== "/" && !broken.has(at); at = require_cli.parentOf(at)) if (paths.has(at)) broken.add(at);
	}
	return broken;
}
function insertOne(making, covered, line, isThere) {
	const { port, uppers, dir, parents } = making;
	const { path, kind, mode } = line;
	const parent = require_cli.parentOf(path);
	if (parents.get(parent)?.has(path) ?? uppers.lstat(path) !== null) return false;
	if (!parents.has(parent)) {
		const isNew = uppers.lstat(parent) === null;
		if (!makeParents(making, parent, covered)) return false;
		parents.set(parent, isNew ? /* @__PURE__ */ new Set() : null);
	}
	if (kind === "whiteout") uppers.link(path, require_cli.joinPath(dir, "w"));
	else if (kind === "dir") makeDir(making, path, {
		...line,
		mtimeNs: BigInt(line.mtime)
	}, line.xattrs);
	else {
		const copy = require_trash.waitingAt(dir, covered, path);
		const stat = isThere ? null : port.lstat(copy);
		if (!isThere && !require_cli.isStillOurs(line.born, stat)) return false;
		uppers.insert(path, copy, stat?.type === "dir" ? ifClosed(mode) : null);
	}
	parents.get(parent)?.add(path);
	return kind === "copy";
}
function ifClosed(mode) {
	return (mode & 128) === 0 ? mode : null;
}
function makeParents(making, path, covered) {
	const { port, uppers, dir, likeHost } = making;
	if (path === covered.path) return true;
	if (!require_cli.isWithin(path, covered.path)) throw require_trash.coveredSince(covered.path, dir);
	const there = uppers.lstat(path);
	if (there !== null) return there.type === "dir";
	if (!makeParents(making, require_cli.parentOf(path), covered)) return false;
	const host = port.lstat(path);
	if (host?.type === "dir") makeDir(making, path, host, likeHost(path));
	else makeDir(making, path, {
		mode: 493,
		mtimeNs: 0n
	});
	return true;
}
function makeDir({ port, uppers, dir }, path, like, xattrs = "") {
	const name = "d";
	require_cli.removePath(port, dir, name);
	const fresh = require_cli.joinPath(dir, name);
	port.mkdir(fresh, 448);
	require_cli.dressDir(port, fresh, like, require_trash.xattrChanges("", xattrs));
	uppers.insert(path, fresh, ifClosed(like.mode));
}
var STORE = "overlay";
function dropEntries(transaction, units, cancelled) {
	const { port, journal } = transaction;
	announceDrops(transaction, units);
	require_cli.useAndClose(require_trash.openUppers(transaction), (uppers) => {
		for (const unit of units) if (unit.kind === "mode") resetDir(uppers, unit);
		for (const [i, unit] of units.entries()) {
			if (cancelled()) throw new require_cli.Cancelled(require_trash.STOPPED);
			if (unit.kind !== "entry") continue;
			uppers.takeOut(unit.path, storedAt(journal.dir, i));
			if (unit.closed) require_cli.chmodEntry(port, storedAt(journal.dir, i), unit.mode);
		}
	});
	forgetDropped(transaction);
	require_cli.syncDirs(port, [require_cli.joinPath(journal.dir, STORE), journal.dir]);
}
function announceDrops({ port, ctx, journal }, units) {
	port.mkdir(require_cli.joinPath(journal.dir, STORE), 448);
	const tops = new Set(units.filter(({ kind }) => kind === "entry").map(({ path }) => path));
	const bases = [...require_list.readBaseFile(ctx).records].filter(([path]) => tops.has(path) || require_cli.isBelowAny(path, tops));
	for (const unit of units) journal.add(unit);
	journal.addSynced({
		t: "bases",
		text: bases.map(([path, record]) => require_list.formatBaseLine(path, record)).join("")
	});
	require_cli.syncDirs(port, [journal.dir, require_cli.parentOf(journal.dir)]);
}
function forgetDropped({ port, ctx, journal: { record } }) {
	const file = require_list.readBaseFile(ctx);
	const isLeft = (i) => record.failed.has(i) || record.whiteouts.has(i);
	const stay = new Set(record.drops.flatMap(({ path }, i) => isLeft(i) ? [path] : []));
	require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => {
		const paths = [...require_list.parseBaseLines(record.bases).records.keys()].filter((path) => !require_cli.isBelowAny(path, stay));
		require_list.dropBases(ctx, file, paths.filter((path) => file.records.has(path) && require_cli.orIfRefused(() => uppers.lstat(path) === null, false)));
	});
}
function restoreEntries(transaction) {
	const { port, ctx, journal } = transaction;
	const { drops, bases, failed } = journal.record;
	const store = require_cli.joinPath(journal.dir, STORE);
	const paths = drops.map(({ path }) => path);
	const file = require_list.readBaseFile(ctx);
	const before = require_list.parseBaseLines(bases).records;
	require_cli.useAndClose(require_trash.openUppers(transaction), (uppers) => {
		const places = placesOf(transaction, uppers, require_list.makeBases(file.records));
		require_list.appendBases(ctx, file, basesBack(file.records, before, new Set(places.keys())));
		const dirs = drops.flatMap(({ kind, path }) => kind === "mode" ? [path] : []);
		const making = {
			port,
			uppers,
			dir: journal.dir,
			likeHost: require_trash.hostXattrs(port, ctx, paths, dirs)
		};
		for (const [i, unit] of drops.entries()) if (unit.kind === "mode" && !failed.has(i)) restoreDir(ctx, making, unit);
		for (const [i, unit] of drops.entries()) if (unit.kind === "entry") restoreEntry(transaction, making, unit, {
			from: storedAt(journal.dir, i),
			place: places.get(unit.path)
		});
	});
	if (port.lstat(store) === null) return 0;
	require_cli.syncDirs(port, [store, journal.dir]);
	return port.readdir(store).length;
}
function storedAt(dir, i) {
	return require_cli.joinPath(dir, `${STORE}/${i}`);
}
function resetDir(uppers, { path, mode, host, born, xattrs }) {
	const now = uppers.lstat(path);
	if (host === void 0 || now?.type !== "dir") return;
	if (xattrs !== void 0 && require_cli.birthOf(now) === born) dressWhole(uppers, path, now, xattrs, host);
	else if (now.mode === mode) uppers.dress(path, host);
}
function dressWhole(uppers, path, now, xattrs, like) {
	const has = uppers.xattrs(path);
	if (has === null || !require_trash.isBetween(has, xattrs)) return;
	const changes = require_trash.xattrChanges(has, xattrs.to);
	if (require_trash.needsWriting(changes) && (now.mode & 128) === 0) uppers.chmod(path, now.mode | 448);
	uppers.setXattrs(path, changes);
	uppers.dress(path, like);
}
function restoreDir(ctx, making, unit) {
	const { uppers } = making;
	const { path, host, xattrs } = unit;
	const covered = require_cli.coveringDir(ctx.coveredDirs, path);
	if (covered === null || host === void 0) return;
	const before = uppers.lstat(path);
	if (before === null && !makeParents(making, path, covered)) return;
	const now = uppers.lstat(path);
	if (now?.type !== "dir") return;
	if (xattrs !== void 0) dressWhole(uppers, path, now, {
		from: xattrs.to,
		to: xattrs.from
	}, unit);
	else if (before === null || now.mode === host.mode) uppers.dress(path, unit);
}
function placesOf({ port, journal: { dir, record } }, uppers, bases) {
	const places = /* @__PURE__ */ new Map();
	for (const [i, { kind, path }] of record.drops.entries()) {
		const from = storedAt(dir, i);
		if (kind !== "entry" || port.lstat(from) === null) continue;
		const there = uppers.lstat(path);
		const at = there === null ? null : uppers.placed(path);
		if (there === null || at === null) places.set(path, "free");
		else if (isStoredWhole(port, at, from)) places.set(path, "back");
		else if (record.reopened !== null && (require_cli.isWhiteout(there) || require_cli.isEventMark(at))) places.set(path, "free");
		else if (isReplaceable(bases, uppers, path)) places.set(path, "free");
	}
	return places;
}
function* basesBack(now, before, entries) {
	const isBack = (path) => entries.has(path) || require_cli.isBelowAny(path, entries);
	for (const path of now.keys()) if (isBack(path) && !before.has(path)) yield [path, null];
	for (const [path, record] of before) if (isBack(path)) yield [path, record];
}
function isReplaceable(bases, uppers, path) {
	const upper = uppers.lstat(path);
	if (upper?.type !== "file" && upper?.type !== "symlink") return false;
	const [upperPath, host] = [uppers.placed(path), require_cli.hostEntry(path)];
	if (upperPath === null || host === "closed") return false;
	return require_list.isUntouched({
		path,
		upperPath,
		upper,
		host,
		base: bases.lookup(path)
	});
}
function restoreEntry({ ctx }, making, unit, { from, place }) {
	const { path, mode, closed, born } = unit;
	const { port, uppers } = making;
	const covered = require_cli.coveringDir(ctx.coveredDirs, path);
	if (covered === null) return;
	if (port.lstat(from) === null) {
		const now = closed ? uppers.lstat(path) : null;
		if (now?.mode === (mode | 448) && require_cli.birthOf(now) === born) uppers.chmod(path, mode);
		return;
	}
	if (place === void 0) return;
	const there = uppers.lstat(path);
	const at = there === null ? null : uppers.placed(path);
	if (there !== null && at !== null) {
		if (place === "back") {
			const sync = () => require_cli.withHandle(port, port.openRead(at), (fd) => port.fsync(fd));
			if (there.type === "file") require_cli.orIfRefused(sync, void 0);
			require_cli.removePath(port, require_cli.parentOf(from), require_cli.nameOf(from));
			return;
		}
		uppers.remove(path, "file");
	}
	if (makeParents(making, require_cli.parentOf(path), covered)) uppers.insert(path, from, closed ? mode : null);
}
var LISTING_VERSION = 2;
var DIRS = ".listed.json";
var AT = ".listed-at";
function fileOf({ sessionDir }, name) {
	return `${sessionDir}/overlay/${name}`;
}
function readListing(ctx) {
	const none = {
		began: 0,
		stamp: 0,
		dirs: /* @__PURE__ */ new Map()
	};
	try {
		const [, began, stamp] = /^(\d+) (\d+)$/.exec(require_cli.readPlainFile(fileOf(ctx, AT))?.toString("latin1") ?? "") ?? [];
		const value = JSON.parse(require_cli.readPlainFile(fileOf(ctx, DIRS))?.toString("latin1") ?? "");
		if (!isListing(value) || began === void 0) return none;
		const dirs = new Map(value.dirs.map(([path, dir]) => [path, {
			...dir,
			marks: new Map(dir.marks)
		}]));
		return {
			began: Number(began),
			stamp: Number(stamp) / 1e6,
			dirs
		};
	} catch (error) {
		if (error instanceof SyntaxError || require_cli.errorCode(error) !== "") return none;
		throw error;
	}
}
function isListing(value) {
	return require_cli.isObject(value) && value["v"] === LISTING_VERSION && Array.isArray(value["dirs"]);
}
function momentNow(ctx) {
	const probe = `${fileOf(ctx, AT)}.${process.pid}`;
	try {
		return require_cli.orNull(() => {
			(0, node_fs.writeFileSync)(probe, "", { mode: 384 });
			return {
				began: Date.now(),
				stampNs: (0, node_fs.statSync)(probe, { bigint: true }).mtimeNs
			};
		});
	} finally {
		(0, node_fs.rmSync)(probe, { force: true });
	}
}
function writeListing(ctx, moment, dirs) {
	const lines = [...dirs].map(([path, dir]) => [path, {
		...dir,
		marks: [...dir.marks]
	}]);
	if (require_cli.tryWriteWhole(fileOf(ctx, DIRS), JSON.stringify({
		v: LISTING_VERSION,
		dirs: lines
	}))) confirmListing(ctx, moment);
}
function confirmListing(ctx, { began, stampNs }) {
	require_cli.tryWriteWhole(fileOf(ctx, AT), `${began} ${stampNs}`);
}
async function listUppers(ctx, quiet) {
	const moment = momentNow(ctx);
	const pass = await passOver(ctx, quiet);
	if (moment === null || pass.closed.size > 0) return pass;
	if (pass.changed) writeListing(ctx, moment, pass.dirs);
	else confirmListing(ctx, moment);
	return pass;
}
async function readUppers(ctx) {
	return await passOver(ctx, false);
}
async function passOver(ctx, quiet) {
	const pass = new Pass(readListing(ctx), quiet);
	for (const { path, upper } of ctx.coveredDirs) await require_cli.collect(pass.walk(path, upper));
	return pass;
}
function entryId({ ino, birthNs }) {
	return `${ino}.${birthNs}`;
}
function ownState({ mode, uid, gid }) {
	return `${mode}.${uid}.${gid}`;
}
function toMs(ns) {
	return Number(ns) / 1e6;
}
var Pass = class {
	dirs = /* @__PURE__ */ new Map();
	closed = /* @__PURE__ */ new Set();
	before;
	quiet;
	byId = /* @__PURE__ */ new Map();
	reread = false;
	earliest = 0;
	constructor(before, quiet) {
		this.before = before;
		this.quiet = quiet;
		for (const dir of before.dirs.values()) this.byId.set(dir.id, dir);
	}
	get changed() {
		return this.reread || this.before.dirs.size !== this.dirs.size;
	}
	*walk(root, upperRoot) {
		this.earliest = this.before.began || toMs(require_cli.lstatEntry(upperRoot)?.birthNs ?? 0n);
		const stack = [{
			path: root,
			upperPath: upperRoot
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			try {
				const entry = require_cli.lstatEntry(at.upperPath);
				if (entry?.type !== "dir") continue;
				const dir = this.directory(at, entry);
				this.dirs.set(at.path, dir);
				for (const name of dir.dirs) stack.push({
					path: require_cli.joinPath(at.path, name),
					upperPath: require_cli.joinPath(at.upperPath, name)
				});
			} catch (error) {
				if (require_cli.errorCode(error) === "") throw error;
				this.closed.add(at.path);
			}
		}
	}
	directory(at, entry) {
		const old = this.before.dirs.get(at.path);
		const known = old?.id === entryId(entry) ? old : void 0;
		const own = this.ownTimes(entry, known);
		const hides = known ?? {
			since: this.goneSince(at.path),
			placed: upTo(entry.ctimeNs)
		};
		const ctimeNs = String(entry.ctimeNs);
		const settled = toMs(entry.ctimeNs) < this.before.stamp;
		const same = known !== void 0 && known.ctimeNs === ctimeNs && settled;
		if (!same) this.reread = true;
		const names = same ? known : this.names(at, entry, known);
		return {
			id: entryId(entry),
			own: ownState(entry),
			...own,
			since: hides.since,
			placed: hides.placed,
			ctimeNs,
			marks: names.marks,
			dirs: names.dirs
		};
	}
	ownTimes(entry, known) {
		if (known !== void 0 && known.own === ownState(entry)) return {
			from: known.from,
			to: known.to
		};
		const moved = this.byId.get(entryId(entry));
		if (moved !== void 0 && toMs(entry.ctimeNs) < this.before.stamp) return {
			from: moved.from,
			to: moved.to
		};
		return order$1(Math.max(this.since(entry), toMs(entry.birthNs)), upTo(entry.ctimeNs));
	}
	since(entry) {
		return toMs(entry.ctimeNs) < this.before.stamp ? 0 : this.before.began;
	}
	markBefore(path) {
		const slash = path.lastIndexOf("/");
		return this.before.dirs.get(path.slice(0, slash) || "/")?.marks.get(path.slice(slash + 1));
	}
	names(at, holder, known) {
		const marks = /* @__PURE__ */ new Map();
		const dirs = [];
		const onHost = isDirectory(at.path);
		for (const one of require_cli.readEntries(at.upperPath)) {
			const path = require_cli.joinPath(at.path, one.name);
			if (one.isDirectory()) dirs.push(one.name);
			else if (one.isCharacterDevice() || onHost && isDirectory(path)) {
				const entry = require_cli.lstatEntry(require_cli.joinPath(at.upperPath, one.name));
				const was = known?.marks.get(one.name);
				if (entry === null) continue;
				if (require_cli.isWhiteout(entry)) marks.set(one.name, this.mark(path, entry, holder, was));
				else if (onHost && isDirectory(path)) marks.set(one.name, this.instead(path, entry, holder, was));
			}
		}
		return {
			marks,
			dirs
		};
	}
	mark(path, mark, holder, was) {
		const { began } = this.before;
		const id = entryId(mark);
		const latest = Math.min(upTo(mark.ctimeNs), upTo(holder.ctimeNs));
		if (was?.id === id) {
			const times = !was.final && toMs(mark.ctimeNs) >= this.before.stamp ? order$1(was.from, Math.max(was.to, latest)) : {
				from: was.from,
				to: was.to
			};
			return {
				...was,
				...times,
				final: was.final || this.quiet
			};
		}
		const times = order$1(Math.max(began, toMs(mark.birthNs), began === 0 ? toMs(holder.birthNs) : 0), latest);
		return {
			id,
			...times,
			final: this.quiet,
			since: Math.min(this.goneSince(path), times.from)
		};
	}
	instead(path, entry, holder, was) {
		if (was?.id === "") return was;
		const since = this.goneSince(path);
		return {
			id: "",
			final: true,
			since,
			...order$1(since, Math.min(upTo(entry.ctimeNs), upTo(holder.ctimeNs)))
		};
	}
	goneSince(path) {
		return this.before.dirs.get(path)?.since ?? this.markBefore(path)?.since ?? this.earliest;
	}
};
function upTo(ns) {
	return Math.min(Date.now(), toMs(ns));
}
function order$1(from, to) {
	return {
		from: Math.min(from, to),
		to: Math.max(from, to)
	};
}
function isDirectory(path) {
	return require_cli.lstatOrNone(path)?.type === "dir";
}
async function writeTimes(ctx, changes) {
	const asked = new WriteTimes(ctx, await readUppers(ctx));
	const times = new Float64Array(changes.length * 2);
	for (const [i, change] of changes.entries()) {
		const [from, to] = asked.of(change) ?? [NaN, NaN];
		times[2 * i] = from;
		times[2 * i + 1] = to;
	}
	return times;
}
var WriteTimes = class {
	ctx;
	uppers;
	returned;
	merged = /* @__PURE__ */ new Map();
	constructor(ctx, uppers) {
		this.ctx = ctx;
		this.uppers = uppers;
		this.returned = readReturned(ctx);
	}
	of(change) {
		const returned = this.returned.get(change.path);
		const time = this.now(change);
		return (returned === void 0 ? null : this.asReturned(change, time, returned)) ?? time;
	}
	now({ path, pending, upperIdentity }) {
		if (pending === null) return this.deleted(path);
		if (pending.type === "dir") {
			const listed = this.uppers.dirs.get(path);
			return listed === void 0 ? null : [listed.from, listed.to];
		}
		const ctimeNs = require_cli.identityFields(upperIdentity)?.ctimeNs ?? this.look(path)?.ctimeNs;
		return ctimeNs === void 0 ? null : [Number(ctimeNs) / 1e6, Number(ctimeNs) / 1e6];
	}
	asReturned({ path }, time, returned) {
		let at = path;
		let entry = this.look(at);
		while (entry === null && at !== "/") {
			at = require_cli.parentOf(at);
			entry = this.look(at);
		}
		const made = entry === null ? 0 : toMs(entry.birthNs);
		if (time === null || made === 0) return null;
		const isItself = (born) => at === path && born === String(entry?.birthNs);
		const isFrom = ({ since, until, born }) => (made >= since - 20 && made <= until || isItself(born)) && time[0] <= until;
		return returned.find(isFrom)?.time ?? null;
	}
	deleted(path) {
		const covered = require_cli.coveringDir(this.ctx.coveredDirs, path);
		if (covered === null) return null;
		const { dirs, closed } = this.uppers;
		let gone = path;
		let holder = require_cli.parentOf(path);
		for (; !dirs.has(holder); holder = require_cli.parentOf(gone)) {
			if (holder === covered.path || closed.has(holder)) return null;
			gone = holder;
		}
		const listed = dirs.get(holder);
		const mark = listed?.marks.get(require_cli.nameOf(gone));
		if (listed === void 0) return null;
		if (mark === void 0) return order(Math.min(listed.since, this.hiddenSince(require_cli.parentOf(holder), covered.path)), listed.placed);
		if (gone === path) return [mark.from, mark.to];
		const since = mark.id === "" ? this.hiddenSince(holder, covered.path) : mark.from;
		return order(Math.min(mark.since, since), mark.to);
	}
	hiddenSince(dir, root) {
		let since = Number.POSITIVE_INFINITY;
		for (let at = dir; at.length > root.length; at = require_cli.parentOf(at)) {
			const listed = this.uppers.dirs.get(at);
			if (listed === void 0 || this.isMerged(at, listed)) break;
			since = Math.min(since, listed.since);
		}
		return since;
	}
	isMerged(dir, { marks }) {
		const known = this.merged.get(dir) ?? [...marks.values()].some(({ id }) => id !== "");
		this.merged.set(dir, known);
		return known;
	}
	look(path) {
		const upper = require_cli.upperPathIn(this.ctx.coveredDirs, path);
		return upper === null ? null : require_cli.lstatOrNone(upper);
	}
};
function order(from, to) {
	return from <= to ? [from, to] : [to, from];
}
function readHistory(ctx) {
	const entries = [...transactions(ctx), ...discards(ctx)];
	entries.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n);
	const redo = require_trash.redoable(require_cli.nodePort, ctx)?.n ?? null;
	const newest = entries.find(({ kind, state }) => kind !== "undo" && state !== "undone");
	for (const entry of entries) if (entry === newest && entry.why === "" && entry.state !== "unfinished") entry.can = "undo";
	else if (entry.kind === "undo" && entry.n === redo && entry === entries[0]) entry.can = "redo";
	return entries;
}
function transactions(ctx) {
	return require_trash.commitNumbers(require_cli.nodePort, ctx).flatMap((n) => {
		const record = require_trash.readJournal(require_cli.nodePort, ctx, n);
		if (record === null || require_trash.isAborted(record)) return [];
		if (record.phase === "closed" && record.done.size === 0) return [];
		const { begin, report } = record;
		const kind = begin.undoes !== void 0 ? "undo" : begin.redoes !== void 0 ? "redo" : "commit";
		return [{
			n,
			kind,
			at: begin.at,
			state: stateOf(record),
			entries: report?.applied ?? 0,
			bytes: report?.bytes ?? 0,
			of: begin.undoes ?? begin.redoes ?? null,
			trash: null,
			auto: begin.auto ?? "",
			can: null,
			why: kind === "undo" ? "" : whyNot(record)
		}];
	});
}
function stateOf(record) {
	if (record.phase !== "closed") return "unfinished";
	if (record.undone.size > 0) return record.standing().length === 0 ? "undone" : "partly-undone";
	return record.report?.state ?? "applied";
}
function whyNot({ begin, collected }) {
	if (collected) return require_trash.NOT_KEPT_ANY_MORE;
	return !begin.reversible ? require_trash.NEVER_KEPT : "";
}
function discards(ctx) {
	return require_trash.readDiscards(require_cli.nodePort, ctx).map((discard) => {
		const there = require_trash.isReturnable(require_cli.nodePort, discard);
		return {
			n: 0,
			kind: "discard",
			at: discard.record.begin.at,
			entries: discard.entries,
			bytes: 0,
			state: there ? "applied" : "undone",
			trash: there ? discard.name : null,
			of: null,
			auto: "",
			can: null,
			why: ""
		};
	});
}
function historyPaths(ctx, key, after) {
	if ("n" in key) {
		const record = require_trash.readJournal(require_cli.nodePort, ctx, key.n);
		if (record === null) throw require_trash.historyEntryGone();
		const note = record.phase === "closed" ? "" : "It was stopped in the middle; the next run finishes it.";
		return {
			...pageOf(inOrder(pathsOf(record)), after),
			note
		};
	}
	const discard = require_trash.readDiscard(require_cli.nodePort, ctx, key.trash);
	if (discard === null || !require_trash.isReturnable(require_cli.nodePort, discard)) throw require_trash.historyEntryGone();
	return {
		...pageOf(dropped(discard), after),
		note: ""
	};
}
function pageOf(paths, after) {
	const page = [];
	let at = 0;
	for (const path of paths) {
		if (at++ < after) continue;
		if (page.length === 500) return {
			paths: page,
			next: after + page.length
		};
		page.push(path);
	}
	return {
		paths: page,
		next: null
	};
}
function pathsOf({ units, done }) {
	const found = /* @__PURE__ */ new Map();
	for (const unit of units) {
		if (!done.has(unit.i)) continue;
		const removed = new Set(require_trash.replacedBelow(unit).map(({ path }) => path));
		for (const { path } of require_trash.entriesOf(unit)) found.set(path, {
			path,
			what: removed.has(path) ? "removed" : whatOf(unit, path)
		});
	}
	return found;
}
function whatOf(unit, at) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return "removed";
		case "meta": return "meta";
		default: return at === unit.path && require_trash.hostOf(unit) !== null ? "changed" : "added";
	}
}
function inOrder(found) {
	return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}
function* dropped({ kind, dir, record }) {
	for (const n of kind === "all" ? require_cli.namesOrNone(require_cli.joinPath(dir, "overlay")) : []) {
		const path = require_cli.orNull(() => require_cli.nodePort.readlink(require_cli.joinPath(dir, `overlay/${n}/l`)));
		if (path !== null) yield* below(require_cli.joinPath(dir, `overlay/${n}/u`), path, false);
	}
	for (const [i, unit] of record.drops.entries()) {
		if (record.failed.has(i)) continue;
		if (unit.kind === "mode") yield {
			path: unit.path,
			what: "meta"
		};
		else yield* below(storedAt(dir, i), unit.path, true);
	}
}
function* below(at, path, chosen) {
	const stack = [{
		at,
		path,
		chosen
	}];
	for (let one = stack.pop(); one !== void 0; one = stack.pop()) {
		const entry = require_cli.lstatOrNone(one.at);
		if (entry === null) continue;
		const names = entry.type === "dir" ? require_cli.namesOrNone(one.at).filter((name) => name !== require_cli.REPLAY_NAME) : [];
		if (entry.type !== "dir" || one.chosen || names.length === 0 && one.at !== at) yield {
			path: one.path,
			what: require_cli.isWhiteout(entry) ? "kept" : "dropped"
		};
		for (const name of names.reverse()) stack.push({
			at: require_cli.joinPath(one.at, name),
			path: require_cli.joinPath(one.path, name),
			chosen: false
		});
	}
}
var NEWS = {
	committed: (entries, named) => `the user committed ${require_cli.countText(entries, "change")}${named}: they are in the user's files now, where file tools and host commands see them.`,
	committedByRule: (entries, named) => `by a rule of the user, ${require_cli.countText(entries, "change")}${named} went to the user's files after the call, where file tools and host commands see them.`,
	committedAgain: (entries, named) => `the user committed ${require_cli.countText(entries, "change")} again${named}: they are in the user's files now.`,
	undone: (entries, named) => `the user undid a commit${named}: ${require_cli.countText(entries, "change")} are pending again, and the user's files are as before the commit.`,
	discarded: (entries, named) => `the user discarded ${require_cli.countText(entries, "change")}${named}: Bash sees the user's own files there again.`,
	discardUndone: (entries) => `the user undid a discard: ${require_cli.countText(entries, "change")} are pending again.`,
	adopted: (from) => `the user lets this session go on with the pending changes of session ${from}.`
};
var manyFailed = (entries) => `${entries} entries failed`;
var STOPPED_BETWEEN = "it was stopped between two entries";
var markersWritten = (paths) => `conflict markers were written into ${paths.slice(0, 3).map(require_cli.toDisplay).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
var COMMIT_NOT_BEGUN = "it was interrupted before it changed anything; everything is still pending";
var INTERRUPTED = {
	left: {
		discard: "a discard was interrupted, and not all of it could come back: the rest can still be undone",
		undo: "the undo of a discard was interrupted, and not all of it could come back: the rest can still be undone"
	},
	closed: {
		discard: "a discard was interrupted, and rolled back: all of it is pending",
		undo: "the undo of a discard was interrupted before it changed anything"
	}
};
var NEEDED_AGAIN = "it is gone already, or is needed again";
var autoLeft = (path, rule, because) => because === path ? `${path} stays pending: ${rule} matches it, but not everything that it goes with` : `${path} stays pending: ${rule} matches it, but not ${because}, without which it cannot go`;
var autoFailed = (why) => `what effect rules would commit stays pending: ${why}`;
var outcome_exports = /* @__PURE__ */ require_cli.__exportAll({
	endAndLog: () => endAndLog,
	keepingDiscarded: () => keepingDiscarded,
	keepingTimes: () => keepingTimes,
	log: () => log,
	logCommit: () => logCommit,
	returnWritten: () => returnWritten,
	takeAgentNews: () => takeAgentNews,
	tellAgent: () => tellAgent
});
function log(ctx, event) {
	require_cli.logTo(ctx.sessionDir, event);
	const line = lineOf(ctx, event);
	if (line !== null) tellAgent(ctx.sessionDir, line);
}
function logCommit(ctx, report, state) {
	const [first, ...more] = report.failed;
	const many = more.length > 0 ? manyFailed(report.failed.length) : void 0;
	const stopped = report.cancelled === true ? STOPPED_BETWEEN : "";
	const { n, applied, bytes, kept, marked = [] } = report;
	const markers = marked.length === 0 ? "" : markersWritten(marked);
	const failed = [many ?? first?.message ?? stopped, markers].filter(Boolean).join("; ");
	const begin = require_trash.readJournal(require_cli.nodePort, ctx, n)?.begin;
	const of = begin?.undoes ?? begin?.redoes;
	if (of !== void 0) {
		log(ctx, {
			t: "commit.undone",
			n,
			of,
			redo: begin?.redoes !== void 0,
			state,
			entries: applied,
			bytes,
			text: failed
		});
		return;
	}
	log(ctx, {
		t: "commit",
		n,
		state,
		entries: applied,
		bytes,
		conflicts: kept,
		text: failed,
		auto: begin?.auto ?? ""
	});
}
var AGENT_NEWS = "agent-news";
var MAX_BYTES = 8e3;
function tellAgent(sessionDir, line) {
	const file = `${sessionDir}/${AGENT_NEWS}`;
	try {
		const known = (0, node_fs.lstatSync)(file, { throwIfNoEntry: false });
		if (known !== void 0 && (!known.isFile() || known.size > MAX_BYTES)) return;
		(0, node_fs.appendFileSync)(file, `${line}\n`, { mode: 384 });
	} catch {}
}
function takeAgentNews(sessionDir) {
	const file = `${sessionDir}/${AGENT_NEWS}`;
	const taken = `${file}.${process.pid}`;
	try {
		(0, node_fs.renameSync)(file, taken);
		const lines = (require_cli.readPlainFile(taken)?.toString("utf8") ?? "").split("\n");
		(0, node_fs.rmSync)(taken, {
			force: true,
			recursive: true
		});
		return lines.filter((line) => line !== "");
	} catch {
		return [];
	}
}
function lineOf(ctx, event) {
	if (event.t === "undo") return NEWS.discardUndone(event.entries);
	if (!("entries" in event) || event.entries === 0) return null;
	if (event.t === "commit") return (event.auto === "" ? NEWS.committed : NEWS.committedByRule)(event.entries, named(ctx, { n: event.n }));
	if (event.t === "commit.undone") return (event.redo ? NEWS.committedAgain : NEWS.undone)(event.entries, named(ctx, { n: event.n }));
	if (event.t === "discard") return NEWS.discarded(event.entries, named(ctx, { trash: event.trash }));
	return null;
}
function named(ctx, key) {
	try {
		const { paths, next } = historyPaths(ctx, key, 0);
		const names = paths.map(({ path: one }) => one);
		return names.length === 0 ? "" : ` (${require_cli.namedPaths(names, ctx.projectRoot, next !== null)})`;
	} catch {
		return "";
	}
}
async function keepingTimes(ctx, list, commit) {
	const times = await writeTimes(ctx, list.changes);
	const report = await commit();
	if (report.applied > 0) ignoring(() => keepTimes(timesFile(ctx, report.n), list.changes, times));
	return report;
}
async function keepingDiscarded(ctx, { changes }, discard) {
	const times = await writeTimes(ctx, changes);
	const { paths, ...report } = await discard();
	const left = new Set((report.left ?? []).map(({ path }) => path));
	ignoring(() => {
		const taken = changes.map((_, i) => i).filter((i) => isTaken(changes[i], paths, left));
		const own = new Float64Array(taken.flatMap((i) => [...times.subarray(2 * i, 2 * i + 2)]));
		keepTimes(`${require_cli.toText(require_trash.trashDir(ctx))}/${report.trash}/${TIMES}`, taken.flatMap((i) => changes[i] ?? []), own);
	});
	return report;
}
function isTaken(change, paths, left) {
	return change !== void 0 && (paths === null || paths.has(change.path)) && !left.has(change.path);
}
function returnWritten(ctx, { n }) {
	ignoring(() => {
		const record = require_trash.readJournal(require_cli.nodePort, ctx, n);
		const of = record?.begin.undoes;
		if (record === null || of === void 0) return;
		const moved = record.units.filter((unit) => unit.kind === "move-to-store");
		const births = new Map(moved.flatMap(({ i, path, born }) => record.done.has(i) ? [[path, born.split(":")[3] ?? ""]] : []));
		returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
	});
}
function timesFile(ctx, n) {
	return `${require_cli.toText(require_trash.commitDir(ctx, n))}/${TIMES}`;
}
function ignoring(work) {
	try {
		work();
	} catch {}
}
async function endAndLog(ctx, processes) {
	if (processes.length === 0) return [];
	await log(ctx, {
		t: "processes",
		state: "ending",
		pids: processes.map(({ pid }) => pid),
		commands: processes.map(({ command }) => command),
		quiet: false
	});
	return await require_processes.endThese(ctx.source, processes);
}
Object.defineProperty(exports, "COMMIT_NOT_BEGUN", {
	enumerable: true,
	get: function() {
		return COMMIT_NOT_BEGUN;
	}
});
Object.defineProperty(exports, "INTERRUPTED", {
	enumerable: true,
	get: function() {
		return INTERRUPTED;
	}
});
Object.defineProperty(exports, "NEEDED_AGAIN", {
	enumerable: true,
	get: function() {
		return NEEDED_AGAIN;
	}
});
Object.defineProperty(exports, "NEWS", {
	enumerable: true,
	get: function() {
		return NEWS;
	}
});
Object.defineProperty(exports, "PendingPlan", {
	enumerable: true,
	get: function() {
		return PendingPlan;
	}
});
Object.defineProperty(exports, "STORE", {
	enumerable: true,
	get: function() {
		return STORE;
	}
});
Object.defineProperty(exports, "TIMES", {
	enumerable: true,
	get: function() {
		return TIMES;
	}
});
Object.defineProperty(exports, "announceDrops", {
	enumerable: true,
	get: function() {
		return announceDrops;
	}
});
Object.defineProperty(exports, "autoFailed", {
	enumerable: true,
	get: function() {
		return autoFailed;
	}
});
Object.defineProperty(exports, "autoLeft", {
	enumerable: true,
	get: function() {
		return autoLeft;
	}
});
Object.defineProperty(exports, "basesBack", {
	enumerable: true,
	get: function() {
		return basesBack;
	}
});
Object.defineProperty(exports, "confirmListing", {
	enumerable: true,
	get: function() {
		return confirmListing;
	}
});
Object.defineProperty(exports, "dropEntries", {
	enumerable: true,
	get: function() {
		return dropEntries;
	}
});
Object.defineProperty(exports, "endAndLog", {
	enumerable: true,
	get: function() {
		return endAndLog;
	}
});
Object.defineProperty(exports, "forgetDropped", {
	enumerable: true,
	get: function() {
		return forgetDropped;
	}
});
Object.defineProperty(exports, "historyPaths", {
	enumerable: true,
	get: function() {
		return historyPaths;
	}
});
Object.defineProperty(exports, "insertPending", {
	enumerable: true,
	get: function() {
		return insertPending;
	}
});
Object.defineProperty(exports, "isLikeStored", {
	enumerable: true,
	get: function() {
		return isLikeStored;
	}
});
Object.defineProperty(exports, "isPendingAlready", {
	enumerable: true,
	get: function() {
		return isPendingAlready;
	}
});
Object.defineProperty(exports, "isReplaceable", {
	enumerable: true,
	get: function() {
		return isReplaceable;
	}
});
Object.defineProperty(exports, "isStored", {
	enumerable: true,
	get: function() {
		return isStored;
	}
});
Object.defineProperty(exports, "isStoredWhole", {
	enumerable: true,
	get: function() {
		return isStoredWhole;
	}
});
Object.defineProperty(exports, "keepingDiscarded", {
	enumerable: true,
	get: function() {
		return keepingDiscarded;
	}
});
Object.defineProperty(exports, "keepingTimes", {
	enumerable: true,
	get: function() {
		return keepingTimes;
	}
});
Object.defineProperty(exports, "keptBeside", {
	enumerable: true,
	get: function() {
		return keptBeside;
	}
});
Object.defineProperty(exports, "listUppers", {
	enumerable: true,
	get: function() {
		return listUppers;
	}
});
Object.defineProperty(exports, "log", {
	enumerable: true,
	get: function() {
		return log;
	}
});
Object.defineProperty(exports, "logCommit", {
	enumerable: true,
	get: function() {
		return logCommit;
	}
});
Object.defineProperty(exports, "makeWhiteout", {
	enumerable: true,
	get: function() {
		return makeWhiteout;
	}
});
Object.defineProperty(exports, "momentNow", {
	enumerable: true,
	get: function() {
		return momentNow;
	}
});
Object.defineProperty(exports, "outcome_exports", {
	enumerable: true,
	get: function() {
		return outcome_exports;
	}
});
Object.defineProperty(exports, "readHistory", {
	enumerable: true,
	get: function() {
		return readHistory;
	}
});
Object.defineProperty(exports, "readTimes", {
	enumerable: true,
	get: function() {
		return readTimes;
	}
});
Object.defineProperty(exports, "readUppers", {
	enumerable: true,
	get: function() {
		return readUppers;
	}
});
Object.defineProperty(exports, "resetDir", {
	enumerable: true,
	get: function() {
		return resetDir;
	}
});
Object.defineProperty(exports, "restoreEntries", {
	enumerable: true,
	get: function() {
		return restoreEntries;
	}
});
Object.defineProperty(exports, "returnWritten", {
	enumerable: true,
	get: function() {
		return returnWritten;
	}
});
Object.defineProperty(exports, "stagePending", {
	enumerable: true,
	get: function() {
		return stagePending;
	}
});
Object.defineProperty(exports, "storedAt", {
	enumerable: true,
	get: function() {
		return storedAt;
	}
});
Object.defineProperty(exports, "tellAgent", {
	enumerable: true,
	get: function() {
		return tellAgent;
	}
});
Object.defineProperty(exports, "writeTimes", {
	enumerable: true,
	get: function() {
		return writeTimes;
	}
});
