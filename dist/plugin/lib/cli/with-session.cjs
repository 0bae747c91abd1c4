"use strict";
const require_cli = require("../cli.cjs");
const require_trash = require("./trash.cjs");
const require_outcome = require("./outcome.cjs");
const require_list = require("./list.cjs");
const require_merged_before = require("./merged-before.cjs");
const require_lock = require("./lock.cjs");
const require_draft = require("./draft.cjs");
const require_inside = require("./inside.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
function finishStored(transaction, resumed) {
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const open = [...record.drops.keys()].filter((i) => !record.done.has(i) && !record.failed.has(i));
	const first = (i) => record.drops[i]?.with ?? i;
	const staying = new Set([...record.failed.keys()].map(first));
	require_cli.useAndClose(require_trash.openUppers(transaction), (uppers) => {
		for (const parent of new Set(record.drops.map(({ path }) => require_cli.parentOf(path)))) {
			const mark = require_cli.joinPath(parent, require_cli.SEEN_NAME);
			const place = uppers.lstat(mark) === null ? null : uppers.placed(mark);
			if (place !== null && require_cli.isEventMark(place)) uppers.remove(mark, "symlink");
		}
		const isOther = (i, path) => {
			if (uppers.lstat(path) === null) return false;
			const place = uppers.placed(path);
			return place === null || !require_outcome.isStoredWhole(port, place, require_outcome.storedAt(dir, i));
		};
		for (const i of open) {
			const unit = record.drops[i];
			if (!resumed && unit?.kind === "entry" && isOther(i, unit.path)) staying.add(first(i));
		}
		for (const i of open) {
			const unit = record.drops[i];
			const stays = staying.has(first(i));
			if (unit === void 0) continue;
			if (!stays && unit.kind === "mode") require_outcome.resetDir(uppers, unit);
			else if (!stays) removeStored(port, uppers, unit.path, require_outcome.storedAt(dir, i));
			journal.add(stays && !resumed ? {
				t: "fail",
				i,
				message: require_trash.NOT_DISCARDED_LIVE
			} : {
				t: "done",
				i
			});
		}
	});
}
function closeStored(transaction) {
	dropFailed(transaction);
	require_outcome.forgetDropped(transaction);
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const entries = record.drops.flatMap((unit, i) => record.failed.has(i) ? [] : [entriesAt(port, dir, unit, i)]).reduce((sum, count) => sum + count, 0);
	if (entries > 0) {
		require_cli.syncDirs(port, [require_cli.joinPath(dir, require_outcome.STORE), dir]);
		const all = record.failed.size === 0;
		journal.addSynced({
			t: "discarded",
			...all ? {} : { entries }
		});
	} else require_cli.removePath(port, require_cli.parentOf(dir), require_cli.nameOf(dir));
	return entries;
}
function entriesAt(port, dir, { kind }, i) {
	return kind === "mode" ? 1 : countBelow(port, require_outcome.storedAt(dir, i));
}
function countBelow(port, path) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return now === null ? 0 : 1;
	return require_cli.orIfRefused(() => port.readdir(path), []).reduce((sum, name) => sum + countBelow(port, require_cli.joinPath(path, name)), 1);
}
function dropFailed({ port, journal: { record, dir } }) {
	for (const i of record.failed.keys()) if (port.lstat(require_outcome.storedAt(dir, i)) !== null) require_cli.removePath(port, require_cli.joinPath(dir, require_outcome.STORE), String(i));
}
function removeStored(port, uppers, path, stored) {
	const now = uppers.lstat(path);
	if (now === null) return true;
	if (require_cli.isWhiteout(now)) {
		uppers.remove(path, now.type);
		return true;
	}
	if (now.type !== "dir") {
		const place = uppers.placed(path);
		if (place === null || !require_outcome.isStored(port, place, stored)) return false;
		uppers.remove(path, now.type);
		return true;
	}
	if (port.lstat(stored)?.type !== "dir") return false;
	if (uppers.readdir(path).map((name) => removeStored(port, uppers, require_cli.joinPath(path, name), require_cli.joinPath(stored, name))).includes(false)) return false;
	uppers.remove(path, now.type);
	return true;
}
var DOUBT = "-";
var LAST_UNIT_MS = 1e3;
var Stamps = class {
	#clocks;
	#until;
	constructor(ctx, until) {
		this.#clocks = new require_list.HostClocks(ctx);
		this.#until = until;
	}
	of(path, left, found) {
		if (left === null || left.type !== "dir" && left.nlink > 1) return void 0;
		if (this.#clocks.lag(path) > 0n) return void 0;
		return this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1000000n ? DOUBT : String(left.ctimeNs);
	}
};
function stampOf({ stamps, unitOf }, i, path, id) {
	const stamp = stamps.get(i);
	return stamp === void 0 || unitOf.get(i)?.path === path ? stamp : id?.split(":")[10];
}
var NO_MOVES = "no-moves";
function mayMove(port, ctx) {
	return port.lstat(require_cli.joinPath(require_trash.commitsDir(ctx), NO_MOVES)) === null;
}
var HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;
function isFileStep(step, merges) {
	return require_trash.isChangedFile(step) && step.change.group === null && !merges.has(step.change.path);
}
async function askMarks(ctx, steps, merges) {
	const asked = steps.filter((step) => require_trash.isNewTree(step) || isFileStep(step, merges)).map(({ change, members }) => ({
		top: change.path,
		dirs: members.filter(({ pending }) => pending?.type === "dir").map(({ path }) => path)
	}));
	return await require_cli.askXattrNames(marksAsked(ctx, asked));
}
function findMoves(port, ctx, uppers, { checked, failed }, { marks, merges }) {
	const mayRename = /* @__PURE__ */ new Map();
	const candidates = checked.filter((one) => {
		if (!isReady(one, failed, merges)) return false;
		const above = require_cli.parentOf(one.step.change.path);
		if (!mayRename.has(above)) mayRename.set(above, isOneMount(port, ctx, above) && isWritable(port, uppers, above));
		return mayRename.get(above) === true;
	});
	if (candidates.length === 0 || !mayMove(port, ctx)) return /* @__PURE__ */ new Set();
	const whole = candidates.filter((one) => !require_trash.isNewTree(one.step) || isWhole(port, ctx, uppers, treeOf(one), marks.counts));
	const marked = markedTops(ctx, uppers, whole.map(treeOf), marks);
	return new Set(whole.filter(({ step }) => !marked.has(step.change.path)));
}
async function takeMarksOff(uppers, moves, pace) {
	const files = [...moves].filter(({ step }) => !require_trash.isNewTree(step));
	const paths = files.map(({ step }) => step.change.path);
	const free = await require_cli.freeOfOrigin(paths.map((path) => uppers.pathOf(path)));
	const found = await uppers.lstatEach(paths, pace);
	for (const [i, one] of files.entries()) {
		const { change } = one.step;
		const [before, now] = [one.upper.get(change.path), found.get(change.path)];
		const isSame = now !== void 0 && (before === void 0 ? require_trash.isUnmarked(change, now) : require_cli.isRenamed(require_cli.identityOf(before), now));
		if (isSame) {
			one.upper.set(change.path, now);
			one.listed = void 0;
		}
		if (free[i] !== true || !isSame) moves.delete(one);
	}
}
function uppersOf(ctx, moves) {
	const covering = [...moves].map(({ step }) => require_cli.coveringDir(ctx.coveredDirs, step.change.path));
	return [...new Set(covering.flatMap((covered) => covered?.upper ?? []))];
}
function moveWhole(port, ctx, [from, to], refused) {
	try {
		port.rename(from, to);
	} catch (error) {
		if (require_cli.errorCode(error) !== "EXDEV") throw error;
		port.close(port.openAppend(require_cli.joinPath(require_trash.commitsDir(ctx), NO_MOVES)));
		throw new require_cli.NotApplied(refused);
	}
}
function expectUnmoved(port, ctx, uppers, unit) {
	const entries = /* @__PURE__ */ new Map();
	for (const { path, id } of require_trash.entriesOf(unit)) {
		const now = uppers.lstat(path);
		if (now === null || require_cli.identityOf(now) !== id) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
		entries.set(path, now);
	}
	const tree = {
		top: unit.path,
		paths: [...entries.keys()],
		entries
	};
	const dirs = [...entries].flatMap(([path, { type }]) => type === "dir" ? [path] : []);
	const marks = require_cli.xattrNames(marksAsked(ctx, [{
		top: unit.path,
		dirs
	}]));
	if (!isWhole(port, ctx, uppers, tree, /* @__PURE__ */ new Map()) || markedTops(ctx, uppers, [tree], marks).size > 0) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
}
function isReady({ step, host, upper, listed }, failed, merges) {
	const top = upper.get(step.change.path);
	const isOnlyName = top === void 0 ? listed === true : top.nlink === 1;
	if (isFileStep(step, merges)) return host !== null && isOnlyName && !failed.has(step.change.path);
	if (!require_trash.isNewTree(step) || host !== null || top === void 0) return false;
	return step.members.every(({ path }) => (listed === true || upper.has(path)) && !failed.has(path));
}
function treeOf({ step, upper }) {
	return {
		top: step.change.path,
		paths: step.members.map(({ path }) => path),
		entries: upper
	};
}
function isOneMount(port, ctx, dir) {
	const upper = require_cli.upperPathIn(ctx.coveredDirs, dir);
	return upper !== null && require_cli.orIfRefused(() => require_cli.mountOf(port, dir) === require_cli.mountOf(port, upper), false);
}
function isWritable(port, uppers, dir) {
	return require_cli.orIfRefused(() => {
		const upper = uppers.placed(dir);
		return upper !== null && port.writable(upper);
	}, false);
}
function isWhole(port, ctx, uppers, tree, counts) {
	const { top, entries } = tree;
	if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 128) === 0) return false;
	if (!isWritable(port, uppers, require_cli.parentOf(top))) return false;
	return require_cli.orIfRefused(() => hasExactly(uppers, tree, counts) && hasAllNames(entries), false);
}
function hasExactly(uppers, { top, paths, entries }, counts) {
	const names = /* @__PURE__ */ new Map();
	let dir = require_cli.parentOf(top);
	for (const path of paths) {
		if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) dir = require_cli.parentOf(path);
		if (path !== top) names.set(dir, (names.get(dir) ?? 0) + 1);
	}
	for (const [path, { type }] of entries) {
		if (type !== "dir") continue;
		if ((counts.get(uppers.pathOf(path)) ?? uppers.readdir(path).length) !== (names.get(path) ?? 0)) return false;
	}
	return true;
}
function hasAllNames(entries) {
	const missing = /* @__PURE__ */ new Map();
	for (const { type, nlink, ino } of entries.values()) if (type !== "dir" && nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
	return [...missing.values()].every((names) => names === 0);
}
function marksAsked(ctx, trees) {
	const above = require_trash.allDirsTo(ctx, trees.map(({ top }) => top));
	const inUpper = (path) => require_cli.upperPathIn(ctx.coveredDirs, path) ?? path;
	return {
		whole: trees.flatMap(({ dirs }) => dirs).map(inUpper),
		alone: [...above].map(inUpper)
	};
}
function markedTops(ctx, uppers, trees, { names, unknown }) {
	const tops = new Map(trees.map(({ top }) => [uppers.pathOf(top), top]));
	const marked = /* @__PURE__ */ new Set();
	const mark = (path) => {
		for (let at = path; at !== "/"; at = require_cli.parentOf(at)) {
			const top = tops.get(at);
			if (top !== void 0) marked.add(top);
		}
	};
	for (const dir of unknown) mark(dir);
	for (const [path, found] of names) if (found.some((name) => require_cli.OF_THE_PLACE.test(name))) mark(path);
	const hidden = /* @__PURE__ */ new Map();
	const isHiding = (dir) => unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true;
	for (const { top } of trees) {
		const above = require_cli.parentOf(top);
		if (!hidden.has(above)) hidden.set(above, [...require_trash.dirsTo(ctx, top)].some((dir) => isHiding(uppers.pathOf(dir))));
		if (hidden.get(above) === true) marked.add(top);
	}
	return marked;
}
function takeTree({ port, ctx, commit, resumed, dirs }, unit) {
	const covered = require_cli.coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) throw new require_cli.NotApplied(require_trash.treeStays(require_trash.NOT_COVERED));
	const to = require_trash.waitingAt(require_cli.joinPath(commit, require_trash.BACK), covered, unit.path);
	const target = dirs.targetOrNone(unit.path);
	const waits = port.lstat(to);
	if (waits === null) {
		const now = target === null ? null : port.lstat(target);
		if (target === null || now === null) return "";
		if (!require_cli.isSame(unit.host, dirs.asFound(now))) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		const why = resumed ? whyNotWhole(port, target, unit) : null;
		if (why !== null) throw new require_cli.NotApplied(require_trash.treeStays(why));
		moveWhole(port, ctx, [target, to], require_trash.NOT_MOVED_IN);
	} else if (!require_cli.isStillOurs(unit.born, waits)) throw new require_cli.NotApplied(require_trash.treeStays(require_trash.NEW_OR_CHANGED));
	const why = whyNotWhole(port, to, unit);
	if (why === null) return "";
	if (target === null || port.lstat(target) !== null) return require_trash.treeReplaced(why);
	port.rename(to, target);
	throw new require_cli.NotApplied(require_trash.treeStays(why));
}
function isTaken({ port, ctx, commit }, unit) {
	const covered = require_cli.coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) return false;
	return require_cli.isStillOurs(unit.born, port.lstat(require_trash.waitingAt(require_cli.joinPath(commit, require_trash.BACK), covered, unit.path)));
}
function whyNotWhole(port, root, unit) {
	const walk = new require_cli.Dirs(port, root, 0, null);
	try {
		const top = port.lstat(root);
		if (!require_cli.isSame(require_cli.onDeviceOf(unit.host, top), top) || !isAsNoted(port, walk, root, unit)) return require_trash.NEW_OR_CHANGED;
		const inodes = (type) => new Set(unit.entries.flatMap(({ id }) => id?.startsWith(type) === true ? [require_cli.fingerprint(id).ino] : []));
		const real = port.readlink(require_cli.at(walk.open(root)));
		return require_merged_before.treesInUse([{
			real,
			files: inodes("file:"),
			dirs: inodes("dir:")
		}]).size > 0 ? require_trash.IN_USE : null;
	} catch (error) {
		const message = require_cli.entryMessage(error);
		if (message === null) throw error;
		return message;
	} finally {
		walk.close();
	}
}
function isAsNoted(port, walk, root, { path, entries }) {
	const ids = new Map(entries.map((entry) => [entry.path, entry.id]));
	const inside = require_cli.byParent([...ids.keys()].filter((one) => one !== path));
	for (const [dir, id] of ids) {
		if (id?.startsWith("dir:") !== true) continue;
		const below = require_cli.relativeTo(path, dir);
		const fd = walk.openOrNone(below === "" ? root : require_cli.joinPath(root, below));
		const names = inside.get(dir) ?? [];
		if (fd === null || port.readdir(require_cli.at(fd)).length !== names.length) return false;
		for (const one of names) {
			const now = port.lstat(require_cli.at(fd, require_cli.nameOf(one)));
			if (now === null || require_cli.identityOf(now) !== require_cli.onDeviceOf(ids.get(one) ?? null, now)) return false;
		}
	}
	return true;
}
function xattrsAt(port, dirs, path) {
	const fd = port.openEntry(require_cli.at(dirs.open(require_cli.parentOf(path)), require_cli.nameOf(path)));
	return require_cli.withHandle(port, fd, () => port.xattrs(fd));
}
function isMetaInPlace(port, dirs, unit) {
	const now = dirs.lstat(unit.path);
	if (now === null || now.uid !== unit.uid || now.gid !== unit.gid) return false;
	if (now.type !== "symlink" && now.mode !== unit.mode) return false;
	if (!hasTime(unit, now)) return false;
	return unit.xattrs === void 0 || xattrsAt(port, dirs, unit.path) === unit.xattrs.to;
}
function hasTime({ mtime }, now) {
	return mtime === null || now.type === "dir" || require_cli.isSameTime(now.mtimeNs, BigInt(mtime));
}
function isMetaBegun(port, dirs, unit, root) {
	const now = dirs.lstat(unit.path);
	if (now === null) return false;
	if (unit.xattrs === void 0) return isHalfOwned(unit, now, root);
	const xattrs = xattrsAt(port, dirs, unit.path);
	return (xattrs !== unit.xattrs.from || now.mode !== require_cli.fingerprint(unit.host).mode) && isHalfSet(unit, unit.xattrs, now, xattrs);
}
function applyMeta(port, dirs, unit, { root, resumed }) {
	const dir = dirs.open(require_cli.parentOf(unit.path));
	require_cli.withHandle(port, port.openEntry(require_cli.at(dir, require_cli.nameOf(unit.path))), (fd) => {
		const now = port.fstat(fd);
		const isLink = now.type === "symlink";
		const owned = now.uid === unit.uid && now.gid === unit.gid;
		const { xattrs } = unit;
		const has = xattrs === void 0 ? "" : port.xattrs(fd);
		if (has === null) throw new require_cli.NotApplied(require_cli.NO_XATTRS);
		if (!(owned && (isLink || now.mode === unit.mode) && hasTime(unit, now)) || xattrs !== void 0 && has !== xattrs.to) {
			const asReviewed = require_cli.isSame(unit.host, dirs.asFound(now)) && (xattrs === void 0 || has === xattrs.from);
			const half = xattrs === void 0 ? isHalfOwned(unit, now, root) || resumed && isHalfTimed(unit, now) : resumed && isHalfSet(unit, xattrs, now, has);
			if (!asReviewed && !half) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
			if (xattrs !== void 0) {
				const changes = require_trash.xattrChanges(has, xattrs.to);
				setXattrs(port, fd, now, {
					mode: unit.mode,
					changes,
					root
				});
			}
			if (!owned) port.lchown(require_cli.at(dir, require_cli.nameOf(unit.path)), unit.uid, unit.gid);
			if (!isLink) port.chmod(require_cli.at(fd), unit.mode);
		}
		if (unit.mtime !== null && !isLink) port.utimes(require_cli.at(fd), BigInt(unit.mtime));
	});
}
function setXattrs(port, fd, now, { mode, changes, root }) {
	if (changes.length === 0) return;
	const closed = !root && (now.mode & 128) === 0 && require_trash.needsWriting(changes);
	try {
		if (require_trash.removesAcl(changes)) port.chmod(require_cli.at(fd), mode | (closed ? 448 : 0));
		else if (closed) port.chmod(require_cli.at(fd), now.mode | 448);
		port.setXattrs(fd, changes);
	} catch (error) {
		if (closed || port.fstat(fd).mode !== now.mode) port.chmod(require_cli.at(fd), now.mode);
		const why = require_trash.XATTR_ERRORS[require_cli.errorCode(error)];
		throw why === void 0 ? error : new require_cli.NotApplied(`${why} (${require_cli.errorCode(error)})`);
	}
}
function isHalfOwned(unit, now, root) {
	return root && require_cli.fingerprint(unit.host).ino === now.ino && now.uid === unit.uid && now.gid === unit.gid;
}
function isHalfTimed({ host, mode, uid, gid, mtime }, now) {
	if (mtime === null || now.type !== "file" || now.mode !== mode) return false;
	return require_cli.sameFields(require_cli.fingerprint(host), now, [
		"type",
		"ino",
		"birthNs",
		"size",
		"mtimeNs"
	]) && now.uid === uid && now.gid === gid;
}
function isHalfSet(unit, step, now, xattrs) {
	const then = require_cli.fingerprint(unit.host);
	if (then.type !== now.type || then.ino !== now.ino || then.birthNs !== now.birthNs) return false;
	const owners = [`${then.uid}:${then.gid}`, `${unit.uid}:${unit.gid}`];
	const modes = [then.mode, unit.mode];
	const bits = modes.flatMap((one) => [one & 511, (one | 448) & 511]);
	const special = modes.reduce((all, one) => all | one & 3584, 0);
	return owners.includes(`${now.uid}:${now.gid}`) && bits.includes(now.mode & 511) && (now.mode & 3584 & ~special) === 0 && xattrs !== null && require_trash.isBetween(xattrs, step);
}
var UnitApplier = class {
	#task;
	#port;
	#dirs;
	#commit;
	#images;
	#resumed;
	#uppers;
	#stageFds = /* @__PURE__ */ new Map();
	constructor(task, dirs) {
		const { port, ctx, journal, earlier } = task;
		this.#task = task;
		this.#port = port;
		this.#dirs = dirs;
		const { n, undoes = n } = journal.record.begin;
		this.#commit = require_trash.commitDir(ctx, n);
		this.#images = require_cli.joinPath(require_trash.commitDir(ctx, undoes), require_merged_before.BEFORE);
		this.#resumed = earlier !== void 0;
		this.#uppers = new require_trash.Uppers(port, ctx, null);
	}
	apply(unit) {
		switch (unit.kind) {
			case "put": return this.#put(unit);
			case "swap": return this.#swap(unit);
			case "meta":
				applyMeta(this.#port, this.#dirs, unit, {
					root: this.#task.ctx.root,
					resumed: this.#resumed
				});
				return "";
			case "delete":
				this.#remove(unit.path, unit.host, require_cli.isSame, require_merged_before.linkedImage(this.#task.ctx, this.#commit, unit));
				return "";
			case "move-to-host": return this.#moveToHost(unit);
			case "move-to-store": return takeTree({
				...this.#taking(),
				resumed: this.#resumed,
				dirs: this.#dirs
			}, unit);
		}
	}
	isInPlace(unit) {
		return require_cli.orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
	}
	isBegun(unit) {
		if (this.isInPlace(unit)) return true;
		switch (unit.kind) {
			case "swap": return this.#dirs.lstat(asidePath(unit)) !== null;
			case "meta": return isMetaBegun(this.#port, this.#dirs, unit, this.#task.ctx.root);
			case "move-to-store": return isTaken(this.#taking(), unit);
			default: return false;
		}
	}
	close() {
		for (const fd of this.#stageFds.values()) if (fd !== null) this.#port.close(fd);
		this.#stageFds.clear();
		this.#uppers.close();
	}
	#staged({ stage, rel, born, path: target, entries }) {
		if (stage === null) {
			if (!this.#task.ctx.quiet) throw new require_cli.NotApplied(require_trash.SESSION_LIVE);
			const from = this.#uppers.placedHere(target);
			const now = from === null ? null : this.#port.lstat(from);
			if (!require_cli.isBornAs(born, now)) return null;
			if (!require_cli.isSame(entries[0]?.id ?? null, now)) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
			return from;
		}
		if (stage === "before") {
			const image = require_cli.joinPath(this.#images, rel);
			if (!this.#resumed) return image;
			return require_cli.isBornAs(born, this.#port.lstat(image)) ? image : null;
		}
		if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
		const fd = this.#stageFds.get(stage) ?? null;
		if (fd === null) return null;
		const path = require_cli.at(fd, rel);
		return require_cli.isBornAs(born, this.#port.lstat(path)) ? path : null;
	}
	#openStage(index) {
		const stage = this.#task.journal.record.stages[index];
		if (stage === void 0) return null;
		const base = new require_cli.Dirs(this.#port, "/", 0, null);
		try {
			return this.#port.openDir(require_cli.at(base.open(stage.base), stage.name));
		} catch (error) {
			if (require_cli.errorCode(error) === "ENOENT") return null;
			throw error;
		} finally {
			base.close();
		}
	}
	#isReviewed(identity, now) {
		return require_cli.isSame(identity, now === null ? null : this.#dirs.asFound(now));
	}
	#put(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		const inPlace = require_cli.isBornAs(unit.born, now);
		const staged = inPlace && unit.stage === null ? null : this.#staged(unit);
		if (inPlace) {
			if (staged !== null) this.#port.unlink(staged);
			this.#setMode(unit, target);
			return "";
		}
		const image = now === null ? null : require_merged_before.linkedImage(this.#task.ctx, this.#commit, unit);
		const linked = image === null || !this.#resumed ? null : this.#port.lstat(image);
		if (!(linked !== null && linked.ino === now?.ino && require_cli.isRenamed(unit.host, now)) && !this.#isReviewed(unit.host, now)) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		if (staged === null) throw new require_cli.NotApplied(unit.stage === null ? require_trash.SANDBOX_CHANGED : require_cli.COPY_GONE);
		if (image !== null && linked === null) this.#port.link(target, image);
		const isDir = require_cli.typeOf(unit.born) === "dir";
		if (isDir) this.#setMode(unit, staged, 448);
		if (unit.stage === null) moveWhole(this.#port, this.#task.ctx, [staged, target], require_trash.NOT_MOVED_OUT);
		else if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
		this.#setMode(unit, target);
		return "";
	}
	#moveToHost(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		if (require_cli.isBornAs(unit.born, now)) return "";
		if (now !== null) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		const { ctx } = this.#task;
		if (!ctx.quiet) throw new require_cli.NotApplied(require_trash.SESSION_LIVE);
		if (!require_cli.isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
		if (this.#resumed) {
			expectUnmoved(this.#port, ctx, this.#uppers, unit);
			if (this.#port.lstat(target) !== null) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		}
		const from = this.#uppers.placed(unit.path);
		if (from === null) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
		moveWhole(this.#port, ctx, [from, target], require_trash.NOT_MOVED_OUT);
		return "";
	}
	#taking() {
		return {
			port: this.#port,
			ctx: this.#task.ctx,
			commit: this.#commit
		};
	}
	#linked(staged, target) {
		try {
			this.#port.link(staged, target);
		} catch (error) {
			if ([
				"EPERM",
				"EMLINK",
				"EOPNOTSUPP",
				"ENOSYS"
			].includes(require_cli.errorCode(error))) return false;
			throw error;
		}
		this.#port.unlink(staged);
		return true;
	}
	#setMode({ closedMode }, path, bits = 0) {
		if (closedMode !== null) require_cli.chmodEntry(this.#port, path, closedMode | bits);
	}
	#swap(unit) {
		const staged = this.#staged(unit);
		const now = this.#port.lstat(this.#dirs.target(unit.path));
		if (!require_cli.isBornAs(unit.born, now)) {
			const old = this.#dirs.lstat(asidePath(unit));
			if (now !== null) this.#mayMoveAside(unit, now, old, staged);
			else if (old === null || !require_cli.isRenamed(unit.host, old)) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
			const dir = this.#dirs.openToWrite(require_cli.parentOf(unit.path));
			if (now !== null) this.#port.rename(require_cli.at(dir, require_cli.nameOf(unit.path)), require_cli.at(dir, unit.aside));
			this.#moveIn(unit, dir, staged);
		}
		const note = this.#removeAside(unit);
		this.#setMode(unit, this.#dirs.target(unit.path));
		return note;
	}
	#mayMoveAside(unit, now, old, staged) {
		if (!(this.#isReviewed(unit.host, now) || this.#resumed && require_cli.isRenamed(unit.host, now))) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		if (staged === null) throw new require_cli.NotApplied(require_cli.COPY_GONE);
		if (old !== null) throw new require_cli.NotApplied(require_trash.hostHas(asidePath(unit)));
		if (now.type === "dir") this.#onlyReviewed(unit);
	}
	#moveIn(unit, dir, staged) {
		const target = require_cli.at(dir, require_cli.nameOf(unit.path));
		try {
			if (staged === null) throw new require_cli.NotApplied(require_cli.COPY_GONE);
			if (require_cli.typeOf(unit.born) === "dir") this.#setMode(unit, staged, 448);
			this.#port.rename(staged, target);
		} catch (error) {
			this.#port.rename(require_cli.at(dir, unit.aside), target);
			throw error;
		}
	}
	#onlyReviewed(unit) {
		const known = new Map(unit.below.map(({ path, host }) => [path, host]));
		let met = 0;
		const walk = (dir) => {
			for (const name of this.#port.readdir(require_cli.at(this.#dirs.openToList(dir)))) {
				const path = require_cli.joinPath(dir, name);
				const stat = this.#dirs.lstat(path);
				if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) throw new require_cli.NotApplied(require_trash.hostHasIn(path));
				met++;
				if (stat.type === "dir") walk(path);
			}
		};
		walk(unit.path);
		if (met !== known.size) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
	}
	#removeAside(unit) {
		const aside = asidePath(unit);
		const message = require_cli.refusalOf(() => {
			if (this.#dirs.lstat(aside) === null) return;
			const image = require_merged_before.linkedImage(this.#task.ctx, this.#commit, unit);
			if (image !== null) return require_cli.moveOut(this.#port, this.#dirs, aside, image);
			for (const { path, host } of unit.below.toReversed()) this.#remove(require_cli.joinPath(aside, require_cli.relativeTo(unit.path, path)), host);
			this.#remove(aside, unit.host, require_cli.isRenamed);
		});
		return message === null ? "" : require_trash.replacedKept(aside, message);
	}
	#remove(path, host, same = require_cli.isSame, image = null) {
		const target = this.#dirs.targetOrNone(path);
		const now = target === null ? null : this.#port.lstat(target);
		if (target === null || now === null) return;
		if (!same(host, this.#dirs.asFound(now))) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		if (image !== null && now.type === "dir") require_cli.moveOutEmpty(this.#port, this.#dirs, path, image);
		else if (image !== null) require_cli.moveOut(this.#port, this.#dirs, path, image);
		else if (now.type === "dir") this.#port.rmdir(target);
		else this.#port.unlink(target);
	}
};
function asidePath({ path, aside }) {
	return require_cli.joinPath(require_cli.parentOf(path), aside);
}
function isInPlace(port, dirs, unit) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return dirs.lstat(unit.path) === null;
		case "meta": return isMetaInPlace(port, dirs, unit);
		default: return require_cli.isBornAs(unit.born, dirs.lstat(unit.path));
	}
}
function toolsOf(task, dirs) {
	const { units, failed } = task.journal.record;
	const stamps = new Stamps(task.ctx, task.earlier?.until ?? null);
	const broken = new Set(units.filter(({ i }) => failed.has(i)).flatMap(({ groups }) => groups));
	return {
		dirs,
		applier: new UnitApplier(task, dirs),
		stamps,
		broken
	};
}
async function applyAll(task) {
	const { port, journal } = task;
	const dirs = require_trash.hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		await applyUnits(task, tools);
		const loosened = journal.record.loosened.length > 0;
		restoreModes(port, dirs, journal);
		if (journal.record.phase !== "applied") {
			await require_merged_before.copyWrittenImages(task);
			require_merged_before.dropUnusedImages(task);
			await makeDurable(task, dirs, loosened);
		}
		applier.close();
		removeStages(port, dirs, journal);
		return {
			report: reportOf(task, null),
			stopped: false
		};
	} catch (error) {
		if (require_cli.errorCode(error) === "") throw error;
		require_cli.orIfRefused(() => restoreModes(port, dirs, journal), void 0);
		return {
			report: reportOf(task, require_cli.messageOf(error)),
			stopped: true
		};
	} finally {
		applier.close();
		dirs.close();
	}
}
function abandonRest(task) {
	const { units, done, failed, phase, abandoned } = task.journal.record;
	if (phase === "applied" || abandoned !== null) return;
	const dirs = require_trash.hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		abandon(task, tools, units.filter((unit) => done.has(unit.i) || !failed.has(unit.i) && applier.isBegun(unit)), "discarded");
	} finally {
		applier.close();
		dirs.close();
	}
}
function abandon(task, tools, begun, why) {
	const { journal } = task;
	const going = new Set(begun);
	for (const unit of withTheirGroups(journal.record.units, begun)) applyUnit(task, tools, unit, going.has(unit));
	journal.addSynced({
		t: "abandon",
		why
	});
}
async function applyUnits(task, tools) {
	const { record } = task.journal;
	const { units, done } = record;
	const pace = new require_cli.Pace();
	const total = units.reduce((sum, unit) => sum + require_trash.entryCount(unit), 0);
	const count = {
		done: 0,
		bytes: 0
	};
	for (const unit of units) {
		await pace.breathe();
		if (record.abandoned === null && task.cancelled?.() === true) abandon(task, tools, units.filter(({ i }) => done.has(i)), "cancelled");
		if (record.abandoned === null) applyUnit(task, tools, unit, false);
		count.done += require_trash.entryCount(unit);
		count.bytes += require_trash.bytesOf(unit);
		task.onProgress?.({
			done: count.done,
			total,
			path: unit.path,
			bytes: count.bytes
		});
	}
}
function applyUnit({ port, journal, unfinished, earlier }, { dirs, applier, stamps, broken }, unit, isBegun) {
	const { done, failed } = journal.record;
	if (done.has(unit.i) || failed.has(unit.i)) return;
	try {
		if (unit.kind === "meta" && require_cli.typeOf(unit.host) === "dir") restoreModes(port, dirs, journal);
		if (!isBegun && unit.groups.some((group) => broken.has(group))) journal.add({
			t: "fail",
			i: unit.i,
			message: require_trash.GROUP_FAILED
		});
		else {
			const found = earlier !== void 0 && applier.isInPlace(unit) ? entryAt(unit, dirs) : null;
			const note = applier.apply(unit);
			const stamp = stamps.of(unit.path, entryAt(unit, dirs), found);
			const more = {
				...note === "" ? {} : { note },
				...stamp === void 0 ? {} : { stamp }
			};
			journal.add({
				t: "done",
				i: unit.i,
				...more
			});
		}
	} catch (error) {
		const known = require_cli.entryMessage(error);
		if (known === null && require_cli.errorCode(error) === "") throw error;
		const message = known ?? require_cli.messageOf(error);
		const partly = applier.isInPlace(unit) ? require_trash.partlyApplied(message) : null;
		if (known === null) {
			if (partly !== null) unfinished.set(unit.i, partly);
			throw error;
		}
		journal.add({
			t: "fail",
			i: unit.i,
			message: partly ?? message
		});
	}
	if (failed.has(unit.i)) for (const group of unit.groups) broken.add(group);
	journal.flush();
}
function entryAt({ kind, path }, dirs) {
	if (kind === "delete" || kind === "move-to-store") return null;
	return require_cli.orNull(() => dirs.lstatHere(path));
}
async function makeDurable({ port, journal, ctx }, dirs, loosened) {
	const bases = /* @__PURE__ */ new Set([...journal.record.stages.map(({ base }) => base)]);
	const renamed = /* @__PURE__ */ new Set();
	for (const unit of journal.record.units) {
		const { path, i } = unit;
		if (unit.kind === "move-to-host") {
			if (journal.record.done.has(i)) renamed.add(require_cli.parentOf(path));
		} else if (unit.kind !== "put" || typeof unit.stage !== "number") bases.add(require_cli.coveringDir(ctx.coveredDirs, path)?.path ?? require_cli.parentOf(path));
	}
	for (const dir of renamed) if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir)) bases.add(require_cli.coveringDir(ctx.coveredDirs, dir)?.path ?? dir);
	await require_cli.syncFileSystems(port, heldOneByOne(dirs, bases));
	journal.addSynced({ t: "applied" });
}
var FEW = 32;
function syncRename(port, ctx, dirs, dir) {
	const from = require_cli.upperPathIn(ctx.coveredDirs, dir);
	try {
		require_cli.syncDirs(port, [require_cli.at(dirs.open(dir), "."), ...from === null ? [] : [require_cli.joinPath(from, ".")]]);
		return from !== null;
	} catch (error) {
		if ([
			"EACCES",
			"ENOENT",
			"ENOTDIR",
			"ELOOP"
		].includes(require_cli.errorCode(error))) return false;
		throw error;
	}
}
function* heldOneByOne(dirs, paths) {
	for (const path of paths) yield dirs.open(path);
}
function restoreModes(port, dirs, journal) {
	const { loosened } = journal.record;
	if (loosened.length === 0) return;
	for (const { path, mode } of loosened.toReversed()) {
		const now = dirs.lstat(path);
		if (now?.type !== "dir" || now.mode !== (mode | 448)) continue;
		const fd = port.openDir(require_cli.at(dirs.open(require_cli.parentOf(path)), require_cli.nameOf(path)));
		require_cli.withHandle(port, fd, () => port.chmod(require_cli.at(fd), mode));
	}
	loosened.length = 0;
	dirs.loosened.clear();
	dirs.close();
}
function removeStages(port, dirs, journal) {
	for (const { base, name } of journal.record.stages) {
		if (dirs.lstat(base) === null) continue;
		require_cli.removeTree(port, dirs.openToWrite(base), name);
	}
	restoreModes(port, dirs, journal);
}
function markedIn(done) {
	const marked = require_merged_before.mergedUnits(done).filter(({ merged }) => merged.marks !== void 0);
	return marked.length === 0 ? {} : { marked: marked.map(({ path }) => path) };
}
function reportOf(task, stopped) {
	const { record } = task.journal;
	const failures = [...record.refused];
	const out = {
		applied: 0,
		bytes: 0,
		notApplied: []
	};
	let [left, times] = [0, 0];
	for (const unit of record.units) {
		const message = record.failed.get(unit.i) ?? task.unfinished.get(unit.i);
		const note = record.done.get(unit.i);
		if (message !== void 0) for (const { path } of require_trash.entriesOf(unit)) failures.push({
			path,
			message
		});
		else if (note !== void 0) {
			if (require_trash.isTimeOnly(unit)) times++;
			else out.applied += require_trash.entryCount(unit);
			out.bytes += require_trash.bytesOf(unit);
			if (note !== "") failures.push({
				path: unit.path,
				message: note
			});
		} else if (record.abandoned === "discarded") left += require_trash.entryCount(unit);
		else for (const { path } of require_trash.entriesOf(unit)) out.notApplied.push(path);
	}
	if (left > 0) failures.push({
		path: task.ctx.projectRoot,
		message: require_trash.givenUp(left)
	});
	if (stopped !== null) {
		const where = out.notApplied[0] ?? record.units.at(-1)?.path ?? "/";
		failures.push({
			path: where,
			message: require_trash.stoppedAt(where, stopped)
		});
	}
	return {
		n: record.n,
		state: stopped === null && failures.length === 0 && record.abandoned !== "cancelled" ? "applied" : "partial",
		...record.abandoned === "cancelled" ? { cancelled: true } : {},
		...stopped === null ? {} : { stopped: true },
		...markedIn(record.units.filter(({ i }) => record.done.has(i))),
		...out,
		...times > 0 ? { times } : {},
		kept: record.begin.kept,
		ignored: record.begin.ignored,
		failed: failures,
		copies: record.begin.live,
		ms: Math.round(performance.now() - task.startedAt)
	};
}
function withTheirGroups(units, begun) {
	const going = new Set(begun);
	const groups = new Set(begun.flatMap((unit) => unit.groups));
	for (let before = -1; before < groups.size;) {
		before = groups.size;
		for (const unit of units) {
			if (!going.has(unit) && !unit.groups.some((group) => groups.has(group))) continue;
			going.add(unit);
			for (const group of unit.groups) groups.add(group);
		}
	}
	return units.filter((unit) => going.has(unit));
}
async function dropCommitted(ctx) {
	let count = 0;
	for (const n of require_trash.commitNumbers(require_cli.nodePort, ctx)) {
		if (require_trash.readClosed(require_trash.commitDir(ctx, n))?.after.has("dropped") === true) continue;
		const journal = require_trash.openJournal(require_cli.nodePort, require_trash.commitDir(ctx, n));
		if (journal === null) continue;
		await require_cli.useAndCloseAsync(journal, async () => {
			const { phase, dropped, report, begin } = journal.record;
			if (phase !== "closed" || dropped) return;
			if (report !== null && begin.undoes === void 0) count += (await dropRecord({
				port: require_cli.nodePort,
				ctx,
				journal
			})).count;
			journal.addSynced({ t: "dropped" });
		});
	}
	return count;
}
async function dropRecord(transaction, { bases = require_list.readBaseFile(transaction.ctx), settled = false } = {}) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const applied = record.standing();
	const moved = applied.filter(isMoved);
	const copied = applied.filter((unit) => !isMoved(unit)).flatMap(require_trash.entriesOf);
	const isRoot = ({ path }) => require_cli.coveringDir(ctx.coveredDirs, path)?.path === path;
	const going = copied.filter((entry) => !isRoot(entry));
	return await require_cli.useAndCloseAsync(require_trash.openUppers(transaction), async (uppers) => {
		uppers.removeMovedOut();
		const made = new MadeDirs(ctx);
		const gone = new Set(applied.filter(require_trash.leavesUpper).map(({ path }) => path));
		const left = going.filter(({ path }) => !gone.has(path));
		const entries = [
			...record.above,
			...record.same,
			...left
		];
		const there = [...left, ...record.same].filter(({ id }) => id !== null).map(({ path }) => path);
		await made.look(there, (path) => uppers.lstat(path)?.type === "dir");
		const before = there.some((path) => made.topOf(path) !== null) ? earlierEntries(port, ctx, record.n).filter((entry) => !isRoot(entry)) : [];
		const dirs = [...settled ? [...record.same, ...left] : entries, ...before].filter(({ id }) => require_cli.typeOf(id) === "dir");
		const stays = blocked(record);
		for (const path of require_trash.otherThanHost(port, uppers, [...new Set(dirs.map(({ path }) => path))])) stays.add(path);
		const drop = new Drop({
			port,
			uppers,
			made,
			stays,
			going: idsOf(entries),
			before: idsOf(before)
		});
		await drop.all();
		forget({
			ctx,
			bases,
			uppers
		}, [...going, ...before], moved);
		const frozen = going.filter(({ path }) => drop.isFrozen(path));
		return {
			count: drop.count,
			stay: [...frozen, ...copied.filter(isRoot)].map(({ path }) => path)
		};
	});
}
function earlierEntries(port, ctx, n) {
	return require_trash.commitNumbers(port, ctx).filter((number) => number < n).flatMap((number) => {
		const record = require_trash.readJournal(port, ctx, number);
		if (record === null || record.report === null || record.begin.undoes !== void 0) return [];
		return [...record.same, ...record.standing().flatMap(require_trash.entriesOf)];
	});
}
function idsOf(entries) {
	return new Map(entries.flatMap(({ path, id }) => id === null ? [] : [[path, id]]));
}
function mayBeOnHost(port, path) {
	return require_cli.orIfRefused(() => port.lstat(path) !== null, true);
}
function forgetMoved(port, ctx, record) {
	const moved = record.units.filter(isMoved).filter(({ i }) => record.done.has(i));
	if (moved.length === 0) return;
	const bases = require_list.readBaseFile(ctx);
	require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => forget({
		ctx,
		bases,
		uppers
	}, [], moved));
}
var isMoved = (unit) => unit.kind === "move-to-host";
function forget({ ctx, bases: file, uppers }, going, moved) {
	const names = /* @__PURE__ */ new Map();
	const isThere = (path) => {
		const dir = require_cli.parentOf(path);
		if (!names.has(dir)) names.set(dir, require_cli.orIfRefused(() => new Set(uppers.readdir(dir)), null));
		return names.get(dir)?.has(require_cli.nameOf(path)) ?? uppers.lstat(path) !== null;
	};
	const isGone = ({ path }) => file.records.has(path) && !isThere(path);
	const gone = new Set(going.filter(isGone).map(({ path }) => path));
	const again = moved.filter(({ path }) => uppers.lstat(path) !== null);
	for (const { path } of again.flatMap((unit) => require_trash.entriesOf(unit).filter(isGone))) gone.add(path);
	const left = new Set(moved.filter((unit) => !again.includes(unit)).map(({ path }) => path));
	if (left.size > 0) {
		for (const path of file.records.keys()) if (left.has(path) || require_cli.isBelowAny(path, left)) gone.add(path);
	}
	require_list.dropBases(ctx, file, [...gone]);
}
function blocked(record) {
	const standing = new Set(record.standing());
	const failed = record.units.filter((unit) => !standing.has(unit)).flatMap(require_trash.entriesOf);
	const left = [
		...record.begin.leftOut,
		...record.refused.map(({ path }) => path),
		...failed.map(({ path }) => path)
	];
	const stays = new Set(left);
	for (const path of left) for (let dir = require_cli.parentOf(path); dir !== "/" && !stays.has(dir); dir = require_cli.parentOf(dir)) stays.add(dir);
	return stays;
}
var Drop = class {
	count = 0;
	#parts;
	#decided = /* @__PURE__ */ new Map();
	#pace = new require_cli.Pace();
	constructor(parts) {
		this.#parts = parts;
	}
	isFrozen(path) {
		const top = this.#parts.made.topOf(path);
		return top !== null && this.#decided.get(top) === false;
	}
	async all() {
		const errors = [];
		const { going, made, uppers } = this.#parts;
		for (const path of [...going.keys()].sort().reverse()) {
			await this.#pace.breathe();
			const top = made.topOf(path);
			try {
				if (top !== null) await this.#whole(top);
				else this.#one(path);
			} catch (error) {
				if (require_cli.errorCode(error) === "") throw error;
				errors.push(error);
			}
		}
		uppers.removeMovedOut();
		if (errors.length > 0) throw errors[0];
	}
	#one(path) {
		const { uppers, going } = this.#parts;
		const now = uppers.lstat(path);
		if (now === null || !this.#mayGo(path, now, going.get(path))) return;
		if (now.type === "dir" && uppers.readdir(path).length > 0) return;
		uppers.remove(path, now.type);
		this.count++;
	}
	async #whole(top) {
		if (this.#decided.has(top)) return;
		const inside = await this.#countIfCommitted(top);
		this.#decided.set(top, inside !== null);
		const { uppers } = this.#parts;
		if (inside === null || inside === 0 || uppers.lstat(top)?.type !== "dir") return;
		uppers.moveOut(top);
		this.count += inside;
	}
	async #countIfCommitted(top) {
		const { uppers, going, before } = this.#parts;
		const stack = [top];
		let count = 0;
		for (let path = stack.pop(); path !== void 0; path = stack.pop()) {
			await this.#pace.breathe();
			const now = uppers.lstat(path);
			if (now === null) continue;
			if (!this.#mayGo(path, now, going.get(path) ?? before.get(path))) return null;
			count++;
			if (now.type === "dir") for (const name of uppers.readdir(path)) stack.push(require_cli.joinPath(path, name));
		}
		return count;
	}
	#mayGo(path, now, id) {
		if (id === void 0 || this.#parts.stays.has(path)) return false;
		return require_cli.isWhiteout(now) ? require_cli.typeOf(id) === "char" && !mayBeOnHost(this.#parts.port, path) : require_cli.isSame(id, now);
	}
};
var MadeDirs = class {
	#ctx;
	#tops = /* @__PURE__ */ new Map();
	constructor(ctx) {
		this.#ctx = ctx;
	}
	async look(paths, isDir) {
		if (paths.length === 0) return;
		const pace = new require_cli.Pace();
		await require_cli.useAndCloseAsync(await require_list.openViewer(this.#ctx), async (viewer) => {
			const shows = (path) => {
				const upper = require_cli.upperPathIn(this.#ctx.coveredDirs, path);
				if (upper === null) return false;
				return require_cli.orIfRefused(() => require_list.showsHost(viewer, {
					host: path,
					upper
				}), false);
			};
			for (const path of paths) {
				await pace.breathe();
				const dir = require_cli.parentOf(path);
				if (this.#find(dir, shows) !== null || this.#tops.has(path) || !isDir(path)) continue;
				this.#tops.set(path, shows(path) ? null : path);
			}
		});
	}
	topOf(path) {
		return this.#tops.get(path) ?? this.#tops.get(require_cli.parentOf(path)) ?? null;
	}
	#find(dir, shows) {
		const known = this.#tops.get(dir);
		if (known !== void 0) return known;
		const isRoot = require_cli.coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === "/";
		const top = (isRoot ? null : this.#find(require_cli.parentOf(dir), shows)) ?? (isRoot || shows(dir) ? null : dir);
		this.#tops.set(dir, top);
		return top;
	}
};
function hashesIn({ begin, units, done }, records) {
	const found = [];
	if (!begin.reversible) return found;
	for (const unit of units) {
		if (unit.kind !== "put" || unit.image !== "link" || unit.host === null || !done.has(unit.i)) continue;
		const base = records.get(unit.path)?.base;
		if (base?.state !== "known" || base.sha256 === void 0 || base.index !== void 0) continue;
		if (require_cli.isOf(unit.host, base.host)) found.push([
			unit.i,
			base.sha256,
			base.blob === true
		]);
	}
	return found;
}
function restoredBases({ ctx, journal: { record }, earlier }, commit) {
	const found = /* @__PURE__ */ new Map();
	if (earlier !== void 0 || commit === null || commit.hashes.size === 0) return found;
	const isStored = require_list.blobsStored(ctx, commit.hashes.size);
	for (const unit of record.units) {
		const stamp = record.stamps.get(unit.i);
		if (stamp === void 0 || record.done.get(unit.i) !== "" || !isImage(unit)) continue;
		const { path, result, reverts = [] } = unit;
		const [id, hash] = [result[0]?.id ?? null, commit.hashes.get(reverts[0] ?? -1)];
		if (id === null || hash === void 0 || !isUntouched(commit, reverts[0] ?? -1, id)) continue;
		const { sha256, blob } = hash;
		if (blob && !isStored(sha256)) continue;
		const base = {
			state: "known",
			host: require_cli.hostStatOf(id, stamp),
			sha256,
			blob
		};
		found.set(path, {
			path,
			base,
			listed: false
		});
	}
	return found;
}
var isImage = (unit) => unit.kind === "put" && unit.stage === "before";
function isUntouched({ unitOf, endedAt }, i, id) {
	const unit = unitOf.get(i);
	const host = unit === void 0 ? null : require_trash.hostOf(unit);
	return endedAt !== null && host !== null && require_cli.isRenamedBy(endedAt, host, id);
}
function indexesIn(port, record) {
	const indexes = {};
	if (!record.begin.reversible) return {};
	for (const unit of record.units) {
		const { i } = unit;
		if (!record.done.has(i)) continue;
		if (unit.kind === "move-to-host" && !unit.tree.text.includes("/index//")) continue;
		for (const { path, id } of require_trash.resultOf(unit)) {
			if (id === null || require_cli.nameOf(path) !== "index") continue;
			const now = require_cli.orNull(() => port.lstat(path));
			if (now === null || !require_cli.isAsLeft(id, now, null, stampOf(record, i, path, id))) continue;
			const digest = digestNow(path, now);
			if (digest !== null) indexes[path] = digest;
		}
	}
	return Object.keys(indexes).length === 0 ? {} : { indexes };
}
function saysAsLeft(path, { id, index }, now) {
	if (index === void 0 || id === null || now?.type !== "file" || now.nlink !== 1) return false;
	return require_cli.sameFields(require_cli.fingerprint(id), now, [
		"type",
		"mode",
		"uid",
		"gid"
	]) && digestNow(path, now) === index;
}
function digestNow(path, now) {
	const entry = require_cli.orNull(() => require_cli.lstatEntry(path));
	if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
	return require_cli.orNull(() => require_list.indexDigest(path, require_cli.identityOf$1(entry)));
}
async function rebaseResults(task, paths, hiding, undone = null) {
	const { port, ctx, earlier } = task;
	const { record } = task.journal;
	const file = require_list.readBaseFile(ctx);
	const restored = restoredBases(task, undone);
	const others = restored.size === 0 ? paths : paths.filter((path) => !restored.has(path));
	const entries = [...findUnseen(port, record, await require_list.rebase(ctx, others, hiding, file), earlier)].map(([path, base]) => [path, {
		listed: false,
		...file.records.get(path),
		path,
		base
	}]);
	require_list.appendBases(ctx, file, [...restored, ...entries]);
}
function findUnseen(port, record, based, earlier) {
	const unseen = /* @__PURE__ */ new Map();
	const dressed = [];
	for (const unit of record.units) {
		if (!record.done.has(unit.i)) continue;
		const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
		const nothing = require_trash.entriesOf(unit).map(({ path }) => ({
			path,
			id: null
		}));
		const left = new Map([...nothing, ...require_trash.resultOf(unit)].map(({ path, id }) => [path, id]));
		for (const [path, id] of left) {
			const now = based.get(path);
			if (now === void 0) continue;
			if (require_cli.isAsLeft(id, now, until, stampOf(record, unit.i, path, id))) unseen.delete(path);
			else unseen.set(path, { state: id === null ? "absent" : "unknown" });
		}
		if (unit.kind === "meta" && unit.xattrs !== void 0 && based.has(unit.path)) dressed.push(unit);
	}
	const texts = port.xattrsOf(dressed.map(({ path }) => path));
	dressed.forEach(({ path, xattrs }, i) => {
		if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: "unknown" });
	});
	return unseen;
}
function lastResults(port, ctx, record) {
	const found = /* @__PURE__ */ new Map();
	for (const n of require_trash.commitNumbers(port, ctx)) {
		if (n < record.n) continue;
		const one = n === record.n ? record : require_trash.readJournal(port, ctx, n);
		if (one?.begin.reversible !== true) continue;
		for (const unit of one.units) {
			const { i } = unit;
			const before = foundBelow(unit);
			const isOurs = (path) => {
				const known = found.get(path);
				return known === void 0 || known.n === n || hasFound(unit, path, before, known);
			};
			if (!isOurs(unit.path)) continue;
			const known = found.get(unit.path);
			if (!one.done.has(i)) {
				if (known !== void 0 && one.stamps.has(i)) found.set(unit.path, {
					...known,
					stamp: one.stamps.get(i)
				});
				continue;
			}
			const to = unit.kind === "meta" ? unit.xattrs?.to : void 0;
			const gone = [...before.keys()].map((path) => ({
				path,
				id: null
			}));
			const left = new Map([...gone, ...require_trash.resultOf(unit)].map(({ path, id }) => [path, id]));
			for (const [path, id] of left) {
				if (!isOurs(path)) continue;
				const xattrs = to ?? (require_cli.typeOf(id) === "dir" ? found.get(path)?.xattrs : void 0);
				const stamp = stampOf(one, i, path, id);
				const index = one.indexes[path];
				found.set(path, {
					n,
					id,
					endedAt: one.endedAt,
					stamp,
					index,
					...xattrs === void 0 ? {} : { xattrs }
				});
			}
		}
	}
	return found;
}
function foundBelow(unit) {
	if (unit.kind === "move-to-store") return new Map(unit.entries.map(({ path, id }) => [path, id]));
	return new Map(require_trash.replacedBelow(unit).map(({ path, host }) => [path, host]));
}
function hasFound(unit, path, before, known) {
	const from = unit.kind === "meta" ? unit.xattrs?.from : void 0;
	if (from !== void 0 && known.xattrs !== void 0 && from !== known.xattrs) return false;
	const host = path === unit.path ? require_trash.hostOf(unit) : before.get(path) ?? null;
	return require_cli.isAsLeft(known.id, host === null ? null : require_cli.fingerprint(host), null);
}
async function collectOverrides(ctx, { steps }, merges) {
	const taken = /* @__PURE__ */ new Map();
	const against = steps.flatMap(require_trash.changesOf).filter(({ conflict, path }) => conflict !== null && !merges.has(path));
	if (against.length === 0) return taken;
	const bases = await require_list.readBases(ctx);
	const ownGroups = /* @__PURE__ */ new Set();
	for (const change of against) {
		const base = ownBase(change, bases.lookup(change.path));
		if (base !== null) ownGroups.add(change.group);
		taken.set(change.path, {
			path: change.path,
			...base === null ? {} : { base }
		});
	}
	for (const { path, group } of against) {
		const isByGroup = group !== null && ownGroups.has(group);
		if (taken.get(path)?.base === void 0 && !isByGroup) taken.set(path, {
			path,
			base: { state: "unknown" }
		});
	}
	return taken;
}
function ownBase({ path, conflict }, base) {
	if (conflict === "host-parent-gone") return { state: "absent" };
	if (base.state === "none") return conflict === "unknown-base" ? { state: "unknown" } : null;
	const now = require_cli.lstatEntry(path);
	const host = now === null ? null : require_cli.toHostStat(now, path);
	return require_list.conflictOf({
		base,
		host,
		since: 0n,
		parentGone: false,
		below: false
	}) === null ? null : base;
}
function overridesOf(overrides, step, failed) {
	if (overrides.size === 0) return [];
	return require_trash.changesOf(step).flatMap(({ path }) => {
		const one = failed.has(path) ? void 0 : overrides.get(path);
		return one === void 0 ? [] : [one];
	});
}
function revertedOverrides({ units, undone }) {
	return units.flatMap(({ i, overrides }) => undone.has(i) ? overrides ?? [] : []).map(({ path }) => path);
}
function noteBeside(journal, commit) {
	const paths = [...new Set(revertedOverrides(commit).flatMap(require_list.partnersOf))];
	if (paths.length > 0) journal.add({
		t: "beside",
		paths
	});
}
function isPartnerGone(path, beside) {
	const now = new Set(require_list.partnersOf(path));
	return beside.some((other) => require_list.isSameDatabase(path, other) && !now.has(other));
}
function choicesOfRedo(port, ctx, changes, undo, commit) {
	const choices = {};
	const taken = new Set(commit === null ? [] : revertedOverrides(commit));
	if (taken.size === 0) return choices;
	const left = lastResults(port, ctx, undo);
	for (const { id, path, conflict, xattrs } of changes) {
		const then = left.get(path);
		if (conflict === null || !taken.has(path) || then === void 0) continue;
		const now = port.lstat(path);
		if (then.endedAt === null || !require_cli.isAsLeft(then.id, now, then.endedAt, then.stamp)) continue;
		const end = BigInt(then.endedAt) * 1000000n;
		if (require_list.partnerMovedSince(path, end) || isPartnerGone(path, undo.beside)) continue;
		if (now !== null && now.type !== "dir" && now.ctimeNs > end) continue;
		if (xattrs === true && now?.type === "dir" && port.xattrsOf([path])[0] !== then.xattrs) continue;
		choices[id] = "take-sandbox";
	}
	return choices;
}
async function advance(task) {
	const { ctx, journal } = task;
	const { report: applied, stopped } = await applyAll(task);
	const report = {
		...applied,
		copies: !ctx.quiet
	};
	if (stopped) return report;
	const { undoes } = journal.record.begin;
	try {
		return undoes === void 0 ? await closeCommit(task, report) : await closeUndo(task, report, undoes);
	} catch (error) {
		if (require_cli.errorCode(error) === "") throw error;
		const why = require_cli.messageOf(error);
		return partial(task, report, undoes === void 0 ? require_trash.cleaningStopped(why) : require_trash.pendingAgainStopped(why));
	}
}
function partial({ ctx }, report, message) {
	return {
		...report,
		state: "partial",
		failed: [...report.failed, {
			path: ctx.projectRoot,
			message
		}]
	};
}
async function closeCommit(task, report) {
	const { port, ctx, journal } = task;
	if (!ctx.quiet) forgetMoved(port, ctx, journal.record);
	const stay = ctx.quiet ? await cleanUppers({
		port,
		ctx,
		journal
	}, task.settled === true) : copiedPaths(journal.record);
	if (stay.length > 0) await rebaseResults(task, stay);
	const end = {
		t: "end",
		report,
		at: require_trash.endTime(),
		...indexesIn(port, journal.record)
	};
	journal.addSynced(end, ...ctx.quiet ? [{ t: "dropped" }] : []);
	return report;
}
async function cleanUppers(transaction, settled) {
	const { ctx, journal } = transaction;
	const bases = require_list.readBaseFile(ctx);
	const of = hashesIn(journal.record, bases.records);
	if (of.length > 0) journal.add({
		t: "hashes",
		of
	});
	journal.flush();
	return (await dropRecord(transaction, {
		bases,
		settled
	})).stay;
}
function copiedPaths({ units, done }) {
	return units.filter(({ i, kind }) => done.has(i) && kind !== "move-to-host").flatMap(require_trash.entriesOf).map(({ path }) => path);
}
function abort(transaction) {
	const { port, journal } = transaction;
	if (journal.record.begin.discards !== void 0) return abortDiscard(transaction);
	require_cli.useAndClose(require_trash.hostDirs(transaction), (dirs) => {
		removeStages(port, dirs, journal);
		restoreModes(port, dirs, journal);
	});
	for (const name of [require_merged_before.BEFORE, require_trash.BACK]) require_cli.removePath(port, journal.dir, name);
	journal.addSynced({
		t: "end",
		report: null
	});
	return 0;
}
function abortDiscard(transaction) {
	const { port, journal } = transaction;
	const { begin, reopened } = journal.record;
	if (begin.discards?.live === true && reopened === null) {
		require_cli.removePath(port, require_cli.parentOf(journal.dir), require_cli.nameOf(journal.dir));
		return 0;
	}
	const left = require_outcome.restoreEntries(transaction);
	journal.addSynced(left > 0 ? { t: "discarded" } : {
		t: "end",
		report: null
	});
	if (left === 0 && reopened === null) require_cli.removePath(port, require_cli.parentOf(journal.dir), require_cli.nameOf(journal.dir));
	return left;
}
function abortQuietly(transaction, forget) {
	const { port, journal } = transaction;
	require_cli.orNull(() => {
		abort(transaction);
		if (forget) require_cli.removePath(port, require_cli.parentOf(journal.dir), require_cli.nameOf(journal.dir));
	});
}
async function closeUndo(task, report, of) {
	const { ctx, journal } = task;
	if (!ctx.quiet && !require_outcome.isPendingAlready(task)) return partial(task, report, require_trash.PENDING_WHEN_QUIET);
	noteInPlace(task);
	const kept = ctx.quiet ? await require_outcome.insertPending(task, task.earlier !== void 0) : require_outcome.keptBeside(task);
	await closeRecords(task, of, kept);
	journal.sync();
	if (kept.length === 0) require_cli.removePath(task.port, journal.dir, require_trash.BACK);
	const told = withKept(report, kept);
	journal.addSynced({
		t: "end",
		report: told,
		at: require_trash.endTime()
	}, { t: "dropped" });
	return told;
}
function withKept(report, kept) {
	const failed = kept.filter(({ later }) => later !== true).map(({ path, at }) => ({
		path,
		message: require_trash.sessionHasOther(at)
	}));
	const beside = kept.filter(({ later }) => later === true).map(({ path, at }) => ({
		path,
		at
	}));
	return {
		...report,
		...failed.length === 0 ? {} : {
			state: "partial",
			failed: [...report.failed, ...failed]
		},
		...beside.length === 0 ? {} : { beside }
	};
}
function noteInPlace(task) {
	const { port, journal } = task;
	const { failed, unitOf } = journal.record;
	if (failed.size === 0) return;
	require_cli.useAndClose(require_trash.hostDirs(task), (dirs) => {
		for (const [i, note] of failed) {
			const unit = unitOf.get(i);
			if (unit !== void 0 && isInPlace(port, dirs, unit)) journal.add({
				t: "done",
				i,
				note
			});
		}
	});
}
async function closeRecords(task, of, kept) {
	const { port, ctx, journal } = task;
	const { record } = journal;
	const commit = markUndone(task, of);
	await require_cli.useAndCloseAsync(new require_trash.Uppers(port, ctx, null), async (uppers) => {
		const trees = record.units.filter((unit) => unit.kind === "move-to-store").filter(({ i, path, born }) => record.done.get(i) === "" && require_cli.isStillOurs(born, uppers.lstat(path)));
		const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
		const paths = touchedPaths(record).filter((path) => !whole.has(path));
		const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
		const all = /* @__PURE__ */ new Set([
			...paths,
			...reverted,
			...trees.map(({ path }) => path)
		]);
		const found = await uppers.lstatEach([...all], new require_cli.Pace());
		const hiding = paths.filter((path) => {
			const upper = found.get(path);
			return upper !== void 0 && upper.type !== "dir";
		});
		await rebaseResults(task, paths, new Set(hiding), commit);
		baseOnNothing(ctx, whole);
		if (commit !== null) require_merged_before.restoreBases(ctx, commit, /* @__PURE__ */ new Set([...paths, ...whole]));
		if (commit !== null) noteBeside(journal, commit);
		const deleted = deletedPaths(record, commit);
		const others = new Set(kept.map(({ path }) => path));
		const entries = [...all].sort().flatMap((path) => {
			const stat = found.get(path);
			if (stat !== void 0 && deleted.has(path) && !require_cli.isWhiteout(stat) || others.has(path) || require_cli.isBelowAny(path, others)) return [];
			return [{
				path,
				id: stat === void 0 ? null : require_cli.identityOf(stat)
			}];
		});
		journal.add({
			t: "same",
			entries,
			...trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}
		});
	});
}
function baseOnNothing(ctx, paths) {
	if (paths.size === 0) return;
	const base = { state: "absent" };
	const entries = [...paths].map((path) => [path, {
		path,
		base,
		listed: false
	}]);
	require_list.appendBases(ctx, require_list.readBaseFile(ctx), entries);
}
function touchedPaths({ units, done }) {
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => [unit.path, ...require_trash.resultOf(unit).map(({ path }) => path)]);
	return [...new Set(paths)].sort();
}
function revertedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	return (commit?.units.filter(({ i }) => reverted.has(i)) ?? []).flatMap(require_trash.entriesOf).map(({ path }) => path);
}
function deletedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	const units = commit?.units.filter(({ i, kind }) => reverted.has(i) && kind === "delete") ?? [];
	return new Set(units.map(({ path }) => path));
}
function revertedUnits({ units, done }, isDone) {
	return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}
function markUndone({ port, ctx, journal: { record: undo }, commit }, of) {
	const dirOf = require_trash.commitDir(ctx, of);
	const journal = commit === void 0 ? require_trash.openJournal(port, dirOf) : new require_trash.Journal(port, dirOf, commit);
	if (journal === null) return null;
	const { record, dir } = journal;
	const open = revertedUnits(undo, false);
	const refused = new Set(undo.refused.map(({ path }) => path));
	const isRefused = (i) => refused.has(record.unitOf.get(i)?.path ?? "/");
	const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
	require_cli.useAndClose(journal, () => journal.addSynced({
		t: "undone",
		by: undo.n,
		units
	}));
	if (record.standing().length === 0) require_cli.removePath(port, dir, require_merged_before.BEFORE);
	else if (port.lstat(require_cli.joinPath(dir, "before")) !== null) require_cli.withHandle(port, port.openDir(require_cli.joinPath(dir, require_merged_before.BEFORE)), (fd) => {
		for (const i of units) require_cli.removeTree(port, fd, require_merged_before.imageName(i));
	});
	return record;
}
function repairLink(session, port = require_cli.nodePort) {
	const at = (name) => require_cli.joinPath(require_cli.fromText(session.sessionDir), name);
	const has = (name) => port.lstat(at(name)) !== null;
	if (!has("overlay") && has("overlay.new")) port.rename(at("overlay.new"), at("overlay"));
	const open = has("overlay") ? openDiscard(session, port) : null;
	if (open?.kind !== "all") return null;
	const outcome = inJournal(port, open, (journal) => closeWhole(port, session, journal));
	return outcome === null ? null : {
		discard: open,
		outcome
	};
}
function repairOverlay(session, port = require_cli.nodePort) {
	const repaired = repairLink(session, port);
	const open = openDiscard(session, port);
	if (open === null) return repaired;
	if (isForward(open)) return {
		discard: open,
		outcome: inJournal(port, open, (journal) => {
			finishStored({
				port,
				ctx: session,
				journal
			}, true);
			return closeStored({
				port,
				ctx: session,
				journal
			});
		}) > 0 ? "discarded" : "rolled-back"
	};
	const left = inJournal(port, open, (journal) => abort({
		port,
		ctx: session,
		journal
	}));
	const outcome = open.record.reopened === null ? "rolled-back" : "undone";
	return {
		discard: open,
		outcome: left > 0 ? "left" : outcome
	};
}
function isForward({ record: { phase } }) {
	return phase === "ready" || phase === "applying";
}
function openDiscard(session, port = require_cli.nodePort) {
	for (const name of require_trash.trashNames(port, session)) {
		if (require_trash.readClosed(require_cli.joinPath(require_trash.trashDir(session), name)) !== null) continue;
		const discard = require_trash.readDiscard(port, session, name);
		if (discard !== null && discard.record.phase !== "closed") return discard;
	}
	return null;
}
function needsRepair(session) {
	if (openDiscard(session) !== null) return true;
	const has = (name) => require_cli.nodePort.lstat(require_cli.joinPath(require_cli.fromText(session.sessionDir), name)) !== null;
	return has("overlay.new") && !has("overlay");
}
function closeWhole(port, session, journal) {
	const { dir, record } = journal;
	const has = (name) => port.lstat(require_cli.joinPath(dir, name)) !== null;
	const own = require_trash.overlayOf(port, session);
	const isOwn = (name) => port.readlink(require_cli.joinPath(dir, name)) === own;
	if (record.reopened !== null) {
		const happened = !has("overlay") || isOwn("overlay");
		for (const name of ["overlay", record.reopened.aside ?? ""]) if (has(name) && isOwn(name)) port.unlink(require_cli.joinPath(dir, name));
		const tagged = require_cli.joinPath(require_cli.fromText(session.sessionDir), `overlay/${require_trash.TAG}`);
		if (port.lstat(tagged) !== null) port.unlink(tagged);
		journal.addSynced(happened ? {
			t: "end",
			report: null
		} : { t: "discarded" });
		return happened ? "undone" : "rolled-back";
	}
	const link = ["overlay", "replaced"].find(has);
	const happened = link !== void 0 && !isOwn(link);
	if (happened) {
		require_trash.tag(port, require_cli.joinPath(dir, link));
		journal.addSynced(link === "overlay" ? { t: "discarded" } : {
			t: "end",
			report: null
		});
	} else {
		if (link !== void 0) port.unlink(require_cli.joinPath(dir, link));
		require_cli.removePath(port, require_cli.parentOf(dir), require_cli.nameOf(dir));
	}
	if (link !== "overlay") return null;
	return happened ? "discarded" : "rolled-back";
}
function inJournal(port, { dir }, work) {
	const journal = require_trash.openJournal(port, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return require_cli.useAndClose(journal, work);
}
function makeFresh(port, ctx) {
	const [link, overlays] = [require_cli.joinPath(require_cli.fromText(ctx.sessionDir), "overlay.new"), require_trash.overlaysDir(ctx)];
	require_trash.overlayOf(port, ctx);
	if (port.lstat(link) !== null) {
		require_cli.removePath(port, overlays, require_cli.nameOf(port.readlink(link)));
		port.unlink(link);
	}
	let time = Date.now();
	const nameAt = () => `${ctx.session}.${time}`;
	while (port.lstat(require_cli.joinPath(overlays, nameAt())) !== null) time++;
	const dir = require_cli.joinPath(overlays, nameAt());
	port.symlink(require_trash.linkTo(nameAt()), link);
	port.mkdir(dir, 448);
	const records = require_cli.makeSameDirs(dir, ctx.coveredDirs, ctx.uid).flatMap((covered) => {
		const base = require_list.rootBase(covered);
		return base === null ? [] : [require_list.formatBaseLine(covered.path, {
			path: covered.path,
			base,
			listed: false
		})];
	});
	require_cli.writeWhole(`${ctx.stateDir}/overlays/${nameAt()}/base.jsonl`, records.join(""));
	require_list.confirmEmpty(`${ctx.stateDir}/overlays/${nameAt()}`);
	require_cli.syncDirs(port, [dir, overlays]);
}
function takeOverlay(from, to, entries, port = require_cli.nodePort) {
	const theirs = require_cli.joinPath(require_cli.fromText(from.sessionDir), "overlay");
	const ours = require_cli.joinPath(require_cli.fromText(to.sessionDir), "overlay");
	const replaced = require_trash.overlayOf(port, to);
	try {
		makeFresh(port, from);
		const note = {
			v: 1,
			from: from.session,
			to: to.session,
			at: (/* @__PURE__ */ new Date()).toISOString(),
			entries
		};
		require_trash.writeFile(port, noteIn(from.sessionDir), `${JSON.stringify(note)}\n`);
		require_cli.useAndClose(require_trash.beginWhole(port, to, 0, "replaced"), (journal) => {
			port.rename(theirs, ours);
			require_cli.syncDirs(port, [require_cli.fromText(to.sessionDir), require_cli.fromText(from.sessionDir)]);
			closeWhole(port, to, journal);
		});
		repairLink(from, port);
		require_cli.syncDirs(port, [require_cli.fromText(from.sessionDir)]);
	} catch (error) {
		const moved = port.readlink(ours) !== replaced;
		throw require_trash.asTraiError(error, moved ? "begunAdoption" : "adoption");
	}
}
async function logAdoption(to, record, port = require_cli.nodePort) {
	const path = noteIn(to.sessionDir);
	const text = port.readText(path);
	if (text === null) return;
	const note = JSON.parse(text);
	if (note.to === to.session) await record(to.stateDir, note);
	port.unlink(path);
}
function adoptionWaits(sessionDir) {
	return require_cli.nodePort.lstat(noteIn(sessionDir)) !== null;
}
function noteIn(sessionDir) {
	return require_cli.joinPath(require_cli.fromText(sessionDir), "overlay/.adopting");
}
var BYTES = 65536;
var BYTES_PER_PLACE = 16384;
function freeReserve(sessionDir) {
	const file = require_cli.joinPath(require_cli.fromText(sessionDir), "reserve");
	if (require_cli.nodePort.lstat(file) !== null) require_cli.nodePort.unlink(file);
}
function keepReserve(session) {
	const file = require_cli.joinPath(require_cli.fromText(session.sessionDir), "reserve");
	const wanted = BYTES + BYTES_PER_PLACE * session.coveredDirs.length;
	require_cli.orNull(() => {
		const missing = wanted - (require_cli.nodePort.lstat(file)?.size ?? 0);
		if (missing <= 0) return;
		const text = (0, node_crypto.randomBytes)(Math.ceil(missing * 3 / 4)).toString("base64");
		require_cli.withHandle(require_cli.nodePort, require_cli.nodePort.openAppend(file), (fd) => require_cli.nodePort.append(fd, text));
	});
}
async function finishCommit(ctx, { port = require_cli.nodePort, onProgress } = {}) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress
		}, advance);
	} catch (error) {
		throw require_trash.asTraiError(error);
	}
}
async function closeUnfinished(ctx, port = require_cli.nodePort) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress: void 0
		}, async (task) => {
			abandonRest(task);
			const report = await advance(task);
			if (task.journal.record.phase === "closed") return report;
			throw require_trash.commitNotClosed(report.failed.at(-1)?.message ?? "it was stopped");
		});
	} catch (error) {
		if (!(error instanceof Error) || require_cli.errorCode(error) === "" || error instanceof require_cli.TraiError) throw error;
		throw require_trash.commitNotClosed(error.message, error);
	}
}
async function withOpen({ port, ctx, onProgress }, forward) {
	const startedAt = performance.now();
	const n = require_trash.unfinishedCommit(ctx, port);
	if (n === null) return null;
	const dir = require_trash.commitDir(ctx, n);
	const written = port.lstat(require_cli.joinPath(dir, "journal.jsonl"))?.mtimeNs ?? 0n;
	const journal = require_trash.openJournal(port, dir);
	if (journal === null) return null;
	return await require_cli.useAndCloseAsync(journal, async () => {
		if (journal.record.phase === "staging") {
			abort({
				port,
				ctx,
				journal
			});
			return null;
		}
		const earlier = {
			done: new Set(journal.record.done.keys()),
			until: Number(written / 1000000n) + 1
		};
		const task = {
			port,
			ctx,
			journal,
			earlier,
			onProgress,
			startedAt,
			unfinished: /* @__PURE__ */ new Map()
		};
		return await require_cli.keepPerl(async () => await forward(task));
	});
}
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
function isDirMeta({ kind, pending }) {
	return kind === "meta" && require_trash.isDir(pending);
}
function planDiscard(list, chosen, fixed = /* @__PURE__ */ new Set()) {
	const changes = [...list.changes].sort((a, b) => a.path < b.path ? -1 : 1);
	const tree = new require_trash.Tree(changes);
	const states = changes.map(({ path }) => chosen.has(path) ? "take" : "ignored");
	const sets = [...require_trash.groupsOf(changes), ...require_trash.linkedOf(changes)].map((set) => ({
		...set,
		keeps: true
	}));
	const closure = new require_trash.Closure(tree, states, () => "take");
	const close = () => closure.run(sets, (i) => pairOfDiscard(closure, i));
	close();
	changes.forEach(({ path }, i) => {
		if (fixed.has(path) && states[i] === "take") closure.keep(i);
	});
	if (fixed.size > 0) close();
	const goes = (i) => states[i] === "take";
	const isBelowGoing = (i) => {
		const up = holderOf(tree, i);
		return up >= 0 && (goes(up) || isBelowGoing(up));
	};
	return {
		going: changes.filter((_, i) => goes(i)),
		tops: changes.filter((_, i) => goes(i) && !isBelowGoing(i)),
		along: closure.along.filter(({ change }) => goes(tree.indexOf(change))),
		stays: changes.filter(({ path }, i) => chosen.has(path) && !goes(i))
	};
}
function pairOfDiscard(closure, i) {
	const { tree, states } = closure;
	const up = holderOf(tree, i);
	if (states[i] === "keep" && up >= 0) closure.keep(up);
	if (states[up] === "take") closure.takeAlong(i, up, "below");
	if (!needsHolder(tree, i, up)) return;
	if (states[up] === "keep") closure.keep(i);
	else if (states[i] === "take") closure.takeAlong(up, i, "above");
}
function holderOf({ above, changes }, i) {
	let up = above[i] ?? -1;
	while (changes[up]?.kind === "meta") up = above[up] ?? -1;
	return up;
}
function needsHolder({ changes }, i, up) {
	const [change, holder] = [changes[i], changes[up]];
	if (change === void 0 || holder === void 0 || !require_trash.isDir(holder.host)) return false;
	return !require_trash.isDir(holder.pending) || change.host !== null;
}
function droppedAlongText(along) {
	const { path } = along.because;
	if (along.rule === "below") return require_trash.ALONG.inDropped(path);
	if (along.rule === "above") return require_trash.ALONG.aboveDropped(path);
	return alongText(along);
}
async function lookAtDiscard(ctx, list, chosen, live = false) {
	const first = planDiscard(list, chosen);
	const fixed = await fixedEntries(ctx, first.tops.filter((change) => !live || !isPut(change)));
	const plan = fixed.size === 0 ? first : planDiscard(list, chosen, fixed);
	return {
		plan,
		along: plan.along.map((one) => ({
			path: one.change.path,
			why: droppedAlongText(one)
		})),
		cannot: plan.stays.map(({ path }) => ({
			path,
			why: require_trash.ONLY_WHOLE
		}))
	};
}
function isPut({ host, pending }) {
	return [host, pending].every((side) => side?.type === "file" || side?.type === "symlink");
}
async function fixedEntries(ctx, tops) {
	const asked = tops.filter((change) => change.host !== null && !isDirMeta(change)).map(({ path }) => path);
	const made = new MadeDirs(ctx);
	await made.look(asked, () => false);
	return new Set(asked.filter((path) => made.topOf(path) !== null));
}
function discardPart(ctx, { going, tops }, { port, cancelled } = {
	port: require_cli.nodePort,
	cancelled: () => false
}) {
	try {
		const units = unitsOf(port, ctx, tops);
		const journal = require_trash.beginDiscard(port, ctx, {
			kind: "selection",
			entries: going.length
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		try {
			require_outcome.dropEntries(transaction, units, cancelled);
			journal.addSynced({ t: "discarded" });
			return {
				trash: require_cli.nameOf(journal.dir),
				entries: going.length
			};
		} catch (error) {
			if (error instanceof require_cli.Cancelled) throw require_trash.discardStopped(abort(transaction));
			if (require_cli.errorCode(error) !== "") abortQuietly(transaction, false);
			throw error;
		} finally {
			journal.close();
		}
	} catch (error) {
		throw require_trash.asTraiError(error, "discard");
	}
}
function staleTops(port, ctx, tops) {
	return require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => tops.filter((change) => {
		const now = uppers.lstat(change.path);
		return now === null || !isAsListed(change, now);
	}));
}
function unitsOf(port, ctx, tops) {
	return require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => {
		const units = tops.map((change) => {
			const now = uppers.lstat(change.path);
			if (now === null || !isAsListed(change, now)) throw require_trash.staleList();
			return unitOf(change, now);
		});
		addXattrs(port, uppers, tops, units);
		return units;
	});
}
function addXattrs(port, uppers, tops, units) {
	const asked = tops.flatMap((change, i) => {
		const unit = units[i];
		return change.xattrs === true && unit?.kind === "mode" ? [{
			change,
			unit
		}] : [];
	});
	const texts = port.xattrsOf(asked.flatMap(({ unit: { path } }) => [path, uppers.pathOf(path)]));
	asked.forEach(({ change, unit }, i) => {
		const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		if (host === null || upper === null) throw require_trash.staleList();
		if (change.xattrIdentity !== require_cli.xattrIdentity({
			host,
			upper
		})) throw require_trash.staleList();
		unit.xattrs = {
			from: upper,
			to: host
		};
	});
}
function isAsListed({ pending, upperIdentity }, now) {
	if (pending === null) return require_cli.isWhiteout(now);
	return [
		void 0,
		require_cli.lookIdentity(now),
		require_cli.closedIdentity(now)
	].includes(upperIdentity);
}
function unitOf(change, now) {
	const { mode, uid, gid } = now;
	const about = {
		t: "drop",
		path: change.path,
		born: require_cli.birthOf(now),
		mode,
		uid,
		gid
	};
	if (isDirMeta(change) && change.host !== null) {
		const { host } = change;
		return {
			...about,
			kind: "mode",
			closed: false,
			host: {
				mode: host.mode,
				uid: host.uid,
				gid: host.gid
			}
		};
	}
	return {
		...about,
		kind: "entry",
		closed: now.type === "dir" && (mode & 128) === 0
	};
}
function hasLeftWhiteout({ whiteouts }, i, now) {
	return now !== null && require_cli.isWhiteout(now) && whiteouts.has(i);
}
function undoPart(port, ctx, discard) {
	const inTheWay = [];
	const bases = require_list.makeBases(require_list.readBaseFile(ctx).records);
	require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => {
		for (const [i, unit] of discard.record.drops.entries()) {
			if (unit.kind === "entry" && port.lstat(require_outcome.storedAt(discard.dir, i)) === null) continue;
			if (discard.record.failed.has(i)) continue;
			const why = obstacle(port, ctx, uppers, unit, hasLeftWhiteout(discard.record, i, uppers.lstat(unit.path)) || unit.kind === "entry" && require_outcome.isReplaceable(bases, uppers, unit.path));
			if (why !== null) inTheWay.push({
				path: unit.path,
				why
			});
		}
	});
	if (inTheWay.length > 0) throw require_trash.discardInTheWay(inTheWay);
	inJournal(port, discard, (journal) => {
		journal.addSynced({ t: "reopen" });
		abort({
			port,
			ctx,
			journal
		});
	});
}
function obstacle(port, ctx, uppers, unit, free) {
	const { path, kind, host, xattrs } = unit;
	const covered = require_cli.coveringDir(ctx.coveredDirs, path);
	if (covered === null || kind === "entry" && covered.path === path) return require_trash.NOT_COVERED;
	const now = uppers.lstat(path);
	if (kind === "entry" && now !== null) return free ? null : require_trash.SESSION_CHANGED;
	if (kind === "mode" && now !== null && (now.type !== "dir" || ![host?.mode, unit.mode].includes(now.mode))) return require_trash.SESSION_CHANGED;
	const has = kind === "mode" && now !== null && xattrs !== void 0 ? uppers.xattrs(path) : null;
	if (has !== null && xattrs !== void 0 && !require_trash.isBetween(has, xattrs)) return require_trash.SESSION_CHANGED_XATTRS;
	for (let dir = kind === "mode" ? path : require_cli.parentOf(path); dir !== covered.path; dir = require_cli.parentOf(dir)) {
		const there = uppers.lstat(dir);
		if (there === null) {
			if (port.lstat(dir)?.type === "dir") continue;
			return require_trash.dirGone(dir);
		}
		return there.type === "dir" ? null : require_trash.sessionChanged(dir);
	}
	return null;
}
var REMEMBERED = 1e4;
var seenAs = /* @__PURE__ */ new Map();
function numberOf(at) {
	const fd = require_cli.orNull(() => require_cli.nodePort.openEntry(at));
	if (fd === null) return null;
	const inode = require_cli.withHandle(require_cli.nodePort, fd, () => require_merged_before.inodeIn(require_cli.processText("self", `fdinfo/${fd}`) ?? ""));
	return inode === null ? null : String(inode);
}
function remember(upper, number) {
	const key = `${upper.dev}:${upper.ino}:${upper.birthNs}`;
	const numbers = seenAs.get(key) ?? /* @__PURE__ */ new Set([String(upper.ino)]);
	if (number !== null) numbers.add(number);
	if (seenAs.size >= REMEMBERED) seenAs.clear();
	seenAs.set(key, numbers);
	return numbers;
}
function marksOf({ at, upper }) {
	const number = numberOf(at);
	const entry = number === null ? null : require_cli.lstatEntry(upper);
	return entry === null ? null : {
		numbers: remember(entry, number),
		times: timesOf(entry)
	};
}
function heldBy(pids) {
	const marks = /* @__PURE__ */ new Set();
	let byNumber = false;
	for (const pid of pids) for (const { ino, fd, writes } of require_merged_before.openFiles(pid)) {
		if (!writes) continue;
		marks.add(String(ino));
		const stat = fd === null ? null : require_merged_before.statOf(`/proc/${pid}/fd/${fd}`);
		if (stat === null) byNumber = true;
		else marks.add(timesOf({
			birthNs: stat.birthtimeNs,
			ctimeNs: stat.ctimeNs
		}));
	}
	return {
		marks,
		byNumber
	};
}
function isMarked({ marks }, file) {
	return file === null || marks.has(file.times) || [...file.numbers].some((number) => marks.has(number));
}
function isHeldOpen({ marks, byNumber }, at, upper) {
	if (marks.has(String(upper.ino)) || marks.has(timesOf(upper))) return true;
	const number = byNumber ? numberOf(at) : "";
	return number === null || marks.has(number);
}
function timesOf({ birthNs, ctimeNs }) {
	return `${birthNs} ${ctimeNs}`;
}
var BUSY = /* @__PURE__ */ new Set(["R", "D"]);
function momentOf(pids) {
	return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}
function allPassed(pids, since) {
	if (since.size === 0) return true;
	const now = tasks(pids);
	return [...since].every(([key, then]) => {
		const task = now.get(key);
		return task === void 0 || !BUSY.has(task.state) || task.user !== then.user;
	});
}
function tasks(pids) {
	const found = /* @__PURE__ */ new Map();
	for (const pid of pids) for (const tid of require_cli.namesIn(`/proc/${pid}/task`)) {
		const stat = require_cli.processStat(pid, `task/${tid}/stat`);
		if (stat !== null) found.set(`${tid} ${stat.start}`, stat);
	}
	return found;
}
function lookAtTree(top, held) {
	const hash = (0, node_crypto.createHash)("sha256");
	const look = {
		seal: null,
		isHeld: false,
		ctimeNs: 0n
	};
	const missing = /* @__PURE__ */ new Map();
	const add = (tree, name, entry) => {
		const { type, mode, uid, gid, size, ino, mtimeNs, ctimeNs, nlink } = entry;
		if (ctimeNs > look.ctimeNs) look.ctimeNs = ctimeNs;
		hash.update(`${name}\0${type} ${mode} ${uid} ${gid} ${size} ${ino} ${mtimeNs} `, "latin1");
		if (tree !== top) hash.update(`${ctimeNs} `);
		if (type === "dir") return addDir(tree);
		if (type !== "file" && type !== "symlink") return false;
		if (nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
		look.isHeld ||= type === "file" && isHeldOpen(held, tree.at, entry);
		return true;
	};
	const addDir = (tree) => {
		if (require_cli.holdsOutOfReach(tree.upper)) return false;
		const names = require_cli.readNames(tree.upper);
		hash.update(`${names.length}\n`);
		return names.every((name) => {
			const child = {
				at: require_cli.joinPath(tree.at, name),
				upper: require_cli.joinPath(tree.upper, name)
			};
			const entry = require_cli.lstatEntry(child.upper);
			return entry !== null && add(child, name, entry);
		});
	};
	const entry = require_cli.lstatEntry(top.upper);
	if (entry?.type === "dir" && require_cli.orIfRefused(() => add(top, "", entry), false) && [...missing.values()].every((names) => names === 0)) look.seal = hash.digest("hex");
	return look;
}
function dirsOfMounts(pids) {
	const mounts = mountsOf(pids);
	const covered = /* @__PURE__ */ new Map();
	for (const { source, device, root, point } of mounts) if (root === "/" && source.startsWith("trai:")) covered.set(device, (covered.get(device) ?? /* @__PURE__ */ new Set()).add(point));
	const dirs = /* @__PURE__ */ new Set();
	for (const { device, root, point } of mounts) {
		const shown = root !== "/" && !root.endsWith("//deleted") ? [...covered.get(device) ?? []].map((top) => `${top}${root}`) : [];
		for (const path of [point, ...shown]) for (let at = path; at !== "/"; at = require_cli.parentOf(at)) dirs.add(at);
	}
	return dirs;
}
function mountsOf(pids) {
	const tables = /* @__PURE__ */ new Map();
	for (const pid of pids) {
		const table = `${require_cli.processLink(pid, "ns/mnt") ?? pid} ${require_cli.processLink(pid, "root")}`;
		const text = tables.has(table) ? null : require_cli.processText(pid, "mountinfo");
		if (text !== null) tables.set(table, text);
	}
	return [...tables.values()].flatMap(require_cli.parseMountinfo);
}
function printOf(path) {
	const entry = require_cli.lstatEntry(path);
	if (entry?.type === "symlink") return `link ${require_cli.readTarget(path)}`;
	if (entry?.type === "file" && entry.size > 67108864) return `large ${entry.size} ${entry.mtimeNs}`;
	return entry?.type === "file" ? require_cli.hashSame(path, require_cli.identityOf$1(entry)) : null;
}
function keptName(print, mtimeNs) {
	return `${require_cli.KEPT}${(0, node_crypto.randomBytes)(4).toString("hex")}-${sealOf(print, mtimeNs)}`;
}
function clearKept(dir, pids) {
	const cleared = {
		saved: [],
		waiting: 0
	};
	const orWait = (work) => {
		if (require_cli.orIfRefused(work, "refused") === "refused") cleared.waiting++;
	};
	const names = require_cli.nodePort.readdir(dir.upper).filter((name) => name !== "in");
	const kept = names.filter((name) => !name.startsWith(require_cli.GONE));
	const gone = names.filter((name) => name.startsWith(require_cli.GONE));
	const mounted = mountedIn(dir, gone, pids);
	for (const name of gone) if (mounted.has(name)) cleared.waiting++;
	else orWait(() => require_cli.removePath(require_cli.nodePort, dir.own, name));
	const since = momentsOf(dir, kept, pids);
	const isDue = (name) => isOld(dir, name) && allPassed(pids, since.get(name) ?? /* @__PURE__ */ new Map());
	const due = kept.filter((name) => pids.length === 0 || isDue(name));
	cleared.waiting += kept.length - due.length;
	const look = looker(dir, due, pids);
	for (const name of due) orWait(() => {
		const { isInUse, isSealed } = look(name);
		if (pids.length > 0 && isInUse) cleared.waiting++;
		else if (isSealed()) removeKept(dir, name);
		else cleared.saved.push(makeVisible(dir, name));
	});
	return cleared;
}
function looker(dir, names, pids) {
	const trees = new Set(names.filter((name) => isTree(dir, name)));
	const marks = new Map(names.flatMap((name) => trees.has(name) ? [] : [[name, marksOf(spotOf(dir, name))]]));
	const held = heldBy(names.length === 0 ? [] : pids);
	const used = /* @__PURE__ */ new Set([...usedTrees(dir, trees, pids), ...mountedIn(dir, [...trees], pids)]);
	return (name) => {
		if (!trees.has(name)) return {
			isInUse: isMarked(held, marks.get(name) ?? null),
			isSealed: () => isAsNamed(dir, name)
		};
		const { seal, isHeld } = lookAtTree(spotOf(dir, name), held);
		return {
			isInUse: isHeld || used.has(name),
			isSealed: () => isNamedAfter(name, seal, 0n)
		};
	};
}
function usedTrees({ path }, trees, pids) {
	const processes = pids.map((pid) => ({ pid }));
	const users = require_merged_before.usersBelow(processes, new Set([...trees].map((name) => require_cli.joinPath(path, name))));
	return new Set(users.map(({ top }) => require_cli.nameOf(top)));
}
function mountedIn({ path }, names, pids) {
	const dirs = names.length === 0 ? /* @__PURE__ */ new Set() : dirsOfMounts(pids);
	return new Set(names.filter((name) => dirs.has(require_cli.joinPath(path, name))));
}
function isTree({ upper }, name) {
	return require_cli.lstatEntry(require_cli.joinPath(upper, name))?.type === "dir";
}
var moments = /* @__PURE__ */ new Map();
function momentsOf({ upper }, names, pids) {
	const before = moments.get(upper);
	const fresh = names.every((name) => before?.has(name)) ? /* @__PURE__ */ new Map() : momentOf(pids);
	const now = new Map(names.map((name) => [name, before?.get(name) ?? fresh]));
	if (now.size === 0) moments.delete(upper);
	else moments.set(upper, now);
	return now;
}
function clearQuiet(ctx) {
	return require_cli.presentReplayDirs(ctx).flatMap((path) => {
		const covered = require_cli.coveringDir(ctx.coveredDirs, path);
		if (covered === null) return [];
		const own = require_cli.upperPath(covered, path);
		const dir = require_cli.savedIn(ctx.projectRoot, path);
		require_cli.removePath(require_cli.nodePort, own, "in");
		const { saved, waiting } = clearKept({
			path,
			own,
			upper: own,
			saved: require_cli.upperPath(covered, dir)
		}, []);
		if (waiting === 0) require_cli.nodePort.rmdir(own);
		return saved.map((name) => require_cli.joinPath(dir, name));
	});
}
function spotOf(dir, name) {
	return {
		at: require_cli.joinPath(dir.own, name),
		upper: require_cli.joinPath(dir.upper, name)
	};
}
function isOld({ upper }, name) {
	const entry = require_cli.lstatEntry(require_cli.joinPath(upper, name));
	return entry !== null && Date.now() - Number(entry.ctimeNs / 1000000n) > 2e3;
}
function isAsNamed({ upper }, name) {
	const path = require_cli.joinPath(upper, name);
	const [entry, print] = [require_cli.lstatEntry(path), printOf(path)];
	return entry !== null && isNamedAfter(name, print, entry.mtimeNs);
}
function isNamedAfter(name, print, mtimeNs) {
	return print !== null && name.endsWith(`-${sealOf(print, mtimeNs)}`);
}
function removeKept(dir, name) {
	const from = require_cli.joinPath(dir.own, name);
	const gone = `${require_cli.GONE}${name}`;
	if (isTree(dir, name)) {
		require_cli.nodePort.rename(from, require_cli.joinPath(dir.own, gone));
		require_cli.removePath(require_cli.nodePort, dir.own, gone);
	} else require_cli.nodePort.unlink(from);
}
function sealOf(print, mtimeNs) {
	return (0, node_crypto.createHash)("sha256").update(`${print} ${mtimeNs}`, "latin1").digest("hex").slice(0, 32);
}
function makeVisible({ own, saved }, name) {
	const visible = (n) => `trai-kept-${n + 1}`;
	return visible(moveToFree(require_cli.joinPath(own, name), (n) => require_cli.joinPath(saved, visible(n))));
}
function moveToFree(from, named) {
	const isDir = require_cli.nodePort.lstat(from)?.type === "dir";
	for (let n = 0;; n++) {
		const to = named(n);
		const isTaken = () => require_cli.nodePort.lstat(to) !== null;
		if (isDir && isTaken()) continue;
		try {
			if (isDir) require_cli.nodePort.rename(from, to);
			else {
				require_cli.nodePort.link(from, to);
				require_cli.nodePort.unlink(from);
			}
			return n;
		} catch (error) {
			if (require_cli.errorCode(error) !== "EEXIST" && !(isDir && isTaken())) throw error;
		}
	}
}
var HeldDirs = class {
	#covered;
	#inside;
	#fds = /* @__PURE__ */ new Map();
	constructor(covered, inside) {
		this.#covered = covered;
		this.#inside = inside;
	}
	open(path) {
		if (path === this.#covered.path) return this.#inside.fd;
		const known = this.#fds.get(path);
		if (known !== void 0) return known;
		const parent = path.length > this.#covered.path.length ? this.open(require_cli.parentOf(path)) : null;
		const opened = parent === null ? null : require_cli.orNull(() => require_cli.nodePort.openDir(require_cli.at(parent, require_cli.nameOf(path))));
		const isHere = opened !== null && require_cli.orNull(() => require_cli.nodePort.fstat(opened).dev) === this.#inside.dev;
		if (opened !== null && !isHere) require_cli.nodePort.close(opened);
		const fd = isHere ? opened : null;
		this.#fds.set(path, fd);
		return fd;
	}
	close(isKept = () => false) {
		for (const [path, fd] of this.#fds) {
			if (isKept(path)) continue;
			if (fd !== null) require_cli.nodePort.close(fd);
			this.#fds.delete(path);
		}
	}
};
var Room = class Room {
	covered;
	inside;
	incoming;
	parent;
	#path;
	#own;
	#saved;
	#dirs;
	#before;
	#earlier = null;
	#count = 0;
	constructor(covered, inside, saved, { path, own, incoming }, dirs) {
		this.covered = covered;
		this.inside = inside;
		this.incoming = incoming;
		this.parent = require_cli.parentOf(path);
		this.#path = path;
		this.#own = own;
		this.#saved = saved;
		this.#dirs = dirs;
		this.#before = require_cli.namesOrNone(require_cli.upperPath(covered, path));
	}
	static open(ctx, covered, inside, paths = []) {
		for (const path of require_cli.replayDirsOf(ctx, covered, paths)) {
			const dirs = new HeldDirs(covered, inside);
			const saved = require_cli.savedIn(ctx.projectRoot, path);
			const parent = dirs.open(require_cli.parentOf(path));
			if (parent !== null && dirs.open(saved) !== null && makeDirs(ctx, path, parent)) {
				const [own, incoming] = [dirs.open(path), dirs.open(require_cli.joinPath(path, "in"))];
				if (own !== null && incoming !== null) return new Room(covered, inside, saved, {
					path,
					own,
					incoming
				}, dirs);
			}
			dirs.close();
		}
		return null;
	}
	spot(path) {
		const dir = this.#dirs.open(require_cli.parentOf(path));
		return dir === null ? null : {
			path,
			at: require_cli.at(dir, require_cli.nameOf(path)),
			upper: require_cli.upperPath(this.covered, path)
		};
	}
	letGo() {
		this.#dirs.close((path) => require_cli.isWithin(path, this.#path) || require_cli.isWithin(this.#path, path));
	}
	earlierNamesOf({ ino }) {
		this.#earlier ??= this.#namesBefore();
		return this.#earlier.get(ino) ?? 0;
	}
	#namesBefore() {
		const names = /* @__PURE__ */ new Map();
		for (const name of this.#before) {
			const ino = require_cli.lstatEntry(require_cli.joinPath(require_cli.upperPath(this.covered, this.#path), name))?.ino ?? 0n;
			names.set(ino, (names.get(ino) ?? 0) + 1);
		}
		return names;
	}
	fresh() {
		return this.named(`${require_cli.KEPT}${process.pid}-${++this.#count}-${(0, node_crypto.randomBytes)(4).toString("hex")}`);
	}
	named(name) {
		const path = require_cli.joinPath(this.#path, name);
		return {
			path,
			at: require_cli.at(this.#own, name),
			upper: require_cli.upperPath(this.covered, path)
		};
	}
	mark() {
		return this.copied(`mark-${(0, node_crypto.randomBytes)(4).toString("hex")}`);
	}
	copied(name) {
		return this.named(require_cli.joinPath("in", name));
	}
	clear(pids) {
		const saved = this.#dirs.open(this.#saved);
		if (saved === null) return {
			saved: [],
			waiting: 0
		};
		const upper = require_cli.upperPath(this.covered, this.#path);
		const cleared = clearKept({
			path: this.#path,
			own: require_cli.at(this.#own),
			upper,
			saved: require_cli.at(saved)
		}, pids);
		return {
			...cleared,
			saved: cleared.saved.map((name) => require_cli.joinPath(this.#saved, name))
		};
	}
	takeKept(dir) {
		const [fd, parent] = [this.#dirs.open(dir), this.#dirs.open(require_cli.parentOf(dir))];
		if (fd === null || parent === null) return;
		require_cli.removeTree(require_cli.nodePort, fd, "in");
		for (const name of require_cli.nodePort.readdir(require_cli.at(fd))) require_cli.nodePort.rename(require_cli.at(fd, name), this.named(name).at);
		require_cli.nodePort.rmdir(require_cli.at(parent, require_cli.REPLAY_NAME));
	}
	close() {
		const parent = this.#dirs.open(this.parent);
		require_cli.orNull(() => {
			require_cli.removeTree(require_cli.nodePort, this.#own, "in");
			if (parent !== null) require_cli.nodePort.rmdir(require_cli.at(parent, require_cli.REPLAY_NAME));
		});
		this.#dirs.close();
	}
};
function makeDirs(ctx, path, parent) {
	const own = require_cli.at(parent, require_cli.REPLAY_NAME);
	return require_cli.orIfRefused(() => {
		require_cli.noteReplayDir(ctx, path, () => {
			if (require_cli.nodePort.lstat(own) === null) require_cli.nodePort.mkdir(own, 448);
		});
		require_cli.withHandle(require_cli.nodePort, require_cli.nodePort.openDir(own), (fd) => {
			require_cli.removeTree(require_cli.nodePort, fd, "in");
			require_cli.nodePort.mkdir(require_cli.at(fd, "in"), 448);
		});
		return true;
	}, false);
}
function isSameEntry(a, b) {
	const [first, second] = [lookUpper(a), lookUpper(b)];
	return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}
function lookUpper(spot) {
	return require_cli.lstatEntry(spot.upper);
}
async function putOver(room, spot, from, isOld, names = 1) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	require_cli.nodePort.link(spot.at, kept.at);
	const placed = placedOf(from);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isAlone = old !== null && old.nlink === names + 1 + room.earlierNamesOf(old);
	if (!(old !== null && isAlone && print !== null && placed !== null && await isSealed(sealed, old, isOld)) || !isSameEntry(spot, kept)) {
		require_cli.nodePort.unlink(kept.at);
		return null;
	}
	const last = sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept;
	require_cli.nodePort.rename(from.at, spot.at);
	return {
		spot,
		kept: last,
		print,
		mtimeNs: old.mtimeNs,
		placed
	};
}
async function sealedName(room, spot, isOld) {
	const before = lookUpper(spot);
	if (before === null) return {
		kept: room.fresh(),
		print: null,
		before
	};
	const print = printOf(spot.upper);
	if (print === null || !await isOld(spot)) return null;
	return {
		kept: room.named(keptName(print, before.mtimeNs)),
		print,
		before
	};
}
async function isSealed({ kept, before }, old, isOld) {
	if (old === null) return false;
	if (before === null) return await isOld(kept);
	return old.ino === before.ino && old.dev === before.dev && old.mtimeNs === before.mtimeNs;
}
function seal(room, kept, print, mtimeNs) {
	const sealed = room.named(keptName(print, mtimeNs));
	require_cli.nodePort.rename(kept.at, sealed.at);
	return sealed;
}
function placedOf(from) {
	const entry = lookUpper(from);
	const print = printOf(from.upper);
	return entry === null || print === null ? null : {
		ino: entry.ino,
		mtimeNs: entry.mtimeNs,
		print
	};
}
async function takeOut(room, spot, isOld) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	const copied = sealed.before === null ? room.fresh() : null;
	if (copied !== null) require_cli.nodePort.link(spot.at, copied.at);
	require_cli.nodePort.rename(spot.at, kept.at);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isSame = copied === null || isSameEntry(kept, copied);
	const fits = old !== null && print !== null && isSame && await isSealed(sealed, old, isOld);
	if (copied !== null) require_cli.nodePort.unlink(copied.at);
	if (!fits) {
		giveBack(spot, kept);
		return null;
	}
	return {
		spot,
		kept: sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept,
		print,
		mtimeNs: old.mtimeNs,
		placed: null
	};
}
function takeSpecial(room, spot) {
	const [kept, before] = [room.fresh(), lookUpper(spot)];
	require_cli.nodePort.rename(spot.at, kept.at);
	if (before !== null && lookUpper(kept)?.ino === before.ino) {
		require_cli.nodePort.unlink(kept.at);
		return true;
	}
	giveBack(spot, kept);
	return false;
}
function stir(room, spot) {
	const mark = room.mark();
	require_cli.nodePort.symlink(require_cli.nameOf(spot.path), mark.at);
	try {
		require_cli.nodePort.link(mark.at, spot.at);
	} catch (error) {
		if (require_cli.errorCode(error) !== "EEXIST") throw error;
		require_cli.nodePort.unlink(mark.at);
		return;
	}
	unstir(room, spot);
	require_cli.nodePort.unlink(mark.at);
}
function unstir(room, spot) {
	const now = lookUpper(spot);
	const print = now !== null && require_cli.isEventMark(spot.upper) ? printOf(spot.upper) : null;
	if (now === null || print === null) return;
	const out = room.named(keptName(print, now.mtimeNs));
	require_cli.nodePort.rename(spot.at, out.at);
	if (lookUpper(out)?.ino !== now.ino) giveBack(spot, out);
	else require_cli.nodePort.unlink(out.at);
}
function settle(room, pids, asides, together) {
	const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
	const held = heldBy(pids);
	const names = namesOf(asides);
	const stays = (aside) => isMarked(held, marks.get(aside) ?? null) || !isStill(room, aside, names);
	const staying = new Set(asides.filter(stays));
	for (const aside of together === void 0 ? [] : staying) together?.broken.add(together.groupOf(aside));
	const settled = {
		done: [],
		back: [],
		saved: []
	};
	for (const aside of asides) if (!staying.has(aside) && together?.broken.has(together.groupOf(aside)) !== true) settled.done.push(aside.spot);
	else {
		const saved = restore(room, aside);
		if (saved !== null) settled.saved.push(saved);
		settled.back.push(aside.spot);
	}
	return settled;
}
function namesOf(asides) {
	const names = /* @__PURE__ */ new Map();
	for (const { kept } of asides) {
		const ino = lookUpper(kept)?.ino ?? 0n;
		names.set(ino, (names.get(ino) ?? 0) + 1);
	}
	return names;
}
function isStill(room, { kept, print, mtimeNs }, names) {
	const now = lookUpper(kept);
	if (now?.mtimeNs !== mtimeNs || printOf(kept.upper) !== print) return false;
	return now.nlink === (names.get(now.ino) ?? 0) + room.earlierNamesOf(now);
}
function restore(room, { spot, kept, placed }) {
	const beside = placed === null ? null : secondName(room, spot);
	if (placed === null || beside === null) return giveBack(spot, kept);
	const now = lookUpper(beside);
	if (!(now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print) || !isSameEntry(spot, beside)) {
		require_cli.nodePort.unlink(beside.at);
		return giveBack(spot, kept);
	}
	require_cli.nodePort.rename(kept.at, spot.at);
	seal(room, beside, placed.print, placed.mtimeNs);
	return null;
}
function secondName(room, spot) {
	const beside = room.fresh();
	try {
		require_cli.nodePort.link(spot.at, beside.at);
		return beside;
	} catch (error) {
		if (require_cli.errorCode(error) === "ENOENT") return null;
		throw error;
	}
}
function giveBack(spot, kept) {
	const named = (path, n) => n === 0 ? path : `${path}.trai-${n}`;
	const n = moveToFree(kept.at, (number) => named(spot.at, number));
	return n === 0 ? null : named(spot.path, n);
}
function takeTrees(room, units, processes, used) {
	const held = heldBy(pidsOf(processes));
	return units.flatMap(({ i, path, stored }) => {
		const spot = used.has(path) ? null : room.spot(path);
		const seal = spot === null ? null : require_cli.orIfRefused(() => sealOfStored(spot, stored, held), null);
		if (spot === null || seal === null) return [];
		const kept = room.named(keptName(seal, 0n));
		return require_cli.orIfRefused(() => {
			require_cli.nodePort.rename(spot.at, kept.at);
			return true;
		}, false) ? [{
			i,
			spot,
			kept,
			seal,
			stored
		}] : [];
	});
}
function changedTrees(trees, processes) {
	const held = heldBy(pidsOf(processes));
	const mounts = dirsOfMounts(pidsOf(processes));
	const used = new Set(require_merged_before.usersBelow(processes, new Set(trees.map(({ kept }) => kept.path))).map(({ top }) => top));
	return trees.filter(({ kept, seal, stored }) => {
		const now = lookAtTree(kept, held);
		if (now.seal !== seal || now.isHeld || used.has(kept.path) || mounts.has(kept.path)) return true;
		return !stampsMappings(kept.upper) && !require_outcome.isStoredWhole(require_cli.nodePort, kept.upper, stored);
	});
}
var STAMPING = /* @__PURE__ */ new Set([
	61267,
	1481003842,
	2435016766
]);
var stampsMappings = (upper) => require_cli.orIfRefused(() => STAMPING.has(require_cli.fileSystemType(upper)), false);
function sealOfStored(spot, stored, held) {
	if (lookUpper(spot)?.type !== "dir") return null;
	const { seal, isHeld, ctimeNs } = lookAtTree(spot, held);
	return !isHeld && require_cli.isPast(ctimeNs) && require_outcome.isStoredWhole(require_cli.nodePort, spot.upper, stored) ? seal : null;
}
var pidsOf = (processes) => processes.map(({ pid }) => pid);
var Placer = class {
	bases;
	#ctx;
	#room;
	#file;
	#records = /* @__PURE__ */ new Map();
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#file = require_list.readBaseFile(ctx);
		this.bases = require_list.makeBases(this.#file.records);
	}
	async copy(steps) {
		const found = {
			copied: [],
			again: [],
			left: []
		};
		if (steps.length === 0) return found;
		const root = this.#room.covered.path;
		const name = ({ spot }) => spot.path.slice(root.length + 1);
		await require_trash.copyOut(require_cli.nodePort, root, steps.map(name), this.#room.incoming);
		for (const step of steps) {
			const { path } = step.spot;
			const from = this.#room.copied(name(step));
			const [host, copy] = [require_cli.hostEntry(path), lookUpper(from)];
			const base = copy === null ? null : require_list.knownBase(this.#ctx, from.upper, copy, copy);
			if (host === "closed" || require_cli.identityOf$1(host) !== require_cli.identityOf$1(step.host)) found.again.push(path);
			else if (copy !== null && base?.state === "known" && isLike(copy, step.host)) found.copied.push({
				step,
				from,
				record: recordOf(step, from, base)
			});
			else found.left.push(path);
		}
		return found;
	}
	touch({ path, at: place }, shown) {
		const host = require_cli.hostEntry(path);
		if (host === "closed" || host?.type !== "dir" || require_cli.lstatEntry(place)?.type !== "dir") return false;
		require_cli.withHandle(require_cli.nodePort, require_cli.nodePort.openDir(place), (fd) => {
			if (shown.mode === host.mode) require_cli.nodePort.utimes(require_cli.at(fd), BigInt(Date.now()) * 1000000n);
			else require_cli.nodePort.chmod(require_cli.at(fd), host.mode);
		});
		this.record(path);
		return true;
	}
	async settle(asides, together) {
		if (asides.length === 0) return {
			done: [],
			back: [],
			saved: []
		};
		const pids = (await require_cli.liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		return settle(this.#room, pids, asides, together);
	}
	placed(record) {
		this.#records.set(record.path, record);
		this.record(require_cli.parentOf(record.path));
	}
	restored(entries, before) {
		for (const [path, record] of require_outcome.basesBack(this.#file.records, before, entries)) this.#records.set(path, record);
	}
	removed(path) {
		this.#records.set(path, null);
	}
	record(dir) {
		for (let path = dir; path !== this.#room.covered.path && path !== "/"; path = require_cli.parentOf(path)) {
			if (this.#file.records.has(path) || this.#records.has(path)) continue;
			const host = require_cli.hostEntry(path);
			if (host === null || host === "closed" || host.type !== "dir") continue;
			const upper = require_cli.lstatEntry(require_cli.upperPath(this.#room.covered, path));
			if (upper?.type !== "dir") continue;
			if (!require_cli.sameFields(upper, host, [
				"mode",
				"uid",
				"gid"
			])) continue;
			const base = {
				state: "known",
				host: require_cli.toHostStat(host, path)
			};
			this.#records.set(path, {
				path,
				base,
				listed: false,
				born: String(upper.birthNs)
			});
		}
	}
	save() {
		this.record(this.#room.parent);
		require_list.appendBases(this.#ctx, this.#file, this.#records);
		this.#records.clear();
	}
};
function recordOf({ spot, host }, from, base) {
	return {
		path: spot.path,
		base: {
			...base,
			host: require_cli.toHostStat(host, from.upper)
		},
		listed: false
	};
}
function isLike(copy, host) {
	if (copy.type !== host.type || copy.uid !== host.uid || copy.gid !== host.gid || copy.size !== host.size) return false;
	return host.type === "symlink" || copy.mode === host.mode && copy.mtimeNs === host.mtimeNs;
}
async function inView(ctx, items, pathOf, work) {
	const groups = /* @__PURE__ */ new Map();
	for (const item of items) require_draft.addTo(groups, require_cli.coveringDir(ctx.coveredDirs, pathOf(item)), item);
	const rest = [];
	for (const [covered, mine] of groups) {
		const inside = covered === null ? null : await require_inside.openInside(ctx.source, covered);
		if (covered === null || inside === null) {
			rest.push(...mine);
			continue;
		}
		await require_cli.useAndCloseAsync(inside, async () => {
			const room = Room.open(ctx, covered, inside, mine.map(pathOf));
			if (room === null) rest.push(...mine);
			else await require_cli.useAndCloseAsync(room, () => inRoom(ctx, room, (view) => work(view, mine)));
		});
	}
	return rest;
}
async function inRoom(ctx, room, work) {
	const placer = new Placer(ctx, room);
	const upper = (path) => require_cli.upperPath(room.covered, path);
	await work({
		room,
		placer,
		upper
	});
	placer.save();
}
function dressInView({ room }, path, { from, to, xattrs }) {
	const place = path === room.covered.path ? require_cli.at(room.inside.fd, ".") : room.spot(path)?.at ?? null;
	if (place === null || require_cli.lstatEntry(place)?.type !== "dir") return require_trash.SESSION_CHANGED;
	return require_cli.withHandle(require_cli.nodePort, require_cli.nodePort.openDir(place), (fd) => {
		const now = require_cli.nodePort.fstat(fd);
		const has = xattrs === void 0 ? null : require_cli.nodePort.xattrs(fd);
		if (xattrs === void 0) {
			if (now.mode !== from && now.mode !== to.mode) return require_trash.SESSION_CHANGED;
		} else if (has === null || !require_trash.isBetween(has, xattrs)) return require_trash.SESSION_CHANGED_XATTRS;
		else require_cli.nodePort.setXattrs(fd, require_trash.xattrChanges(has, xattrs.to));
		if (now.uid !== to.uid || now.gid !== to.gid) require_cli.nodePort.lchown(require_cli.at(fd, "."), to.uid, to.gid);
		require_cli.nodePort.chmod(require_cli.at(fd), to.mode);
		return null;
	});
}
function takeWhiteout({ ctx, journal }, path, i) {
	const out = outOf(journal.dir, i);
	const putBack = () => require_cli.useAndClose(new require_trash.Uppers(require_cli.nodePort, ctx, null), (uppers) => uppers.insert(path, out));
	require_cli.useAndClose(new require_trash.Uppers(require_cli.nodePort, ctx, null), (uppers) => {
		if (uppers.lstat(path) !== null) uppers.takeOut(path, out);
	});
	const taken = require_cli.nodePort.lstat(out);
	if (taken !== null && !require_cli.isWhiteout(taken)) {
		putBack();
		return null;
	}
	return {
		putBack: () => taken === null ? void 0 : putBack(),
		remove: () => taken === null ? void 0 : require_cli.nodePort.unlink(out)
	};
}
var outOf = (dir, i) => require_cli.joinPath(dir, `out${i}`);
function wasTaken({ journal }, i) {
	return require_cli.nodePort.lstat(outOf(journal.dir, i)) !== null;
}
var ESTALE = -116;
function isHeld(spot) {
	try {
		if (spot !== null) require_cli.lstatEntry(spot.at);
		return false;
	} catch (error) {
		if (error instanceof Error && "errno" in error && error.errno === ESTALE) return true;
		if (require_cli.errorCode(error) === "") throw error;
		return false;
	}
}
var isPlain$1 = (entry) => entry?.type === "file" || entry?.type === "symlink";
var Dropping = class {
	#transaction;
	#view;
	#resumed;
	#asides = /* @__PURE__ */ new Map();
	#broken = /* @__PURE__ */ new Map();
	#brokenSets = /* @__PURE__ */ new Map();
	#late = /* @__PURE__ */ new Map();
	#told = [];
	#puts = [];
	#dirs = [];
	#specials = [];
	#trees = [];
	#placed = /* @__PURE__ */ new Map();
	#names = /* @__PURE__ */ new Map();
	#whiteouts = /* @__PURE__ */ new Set();
	#isSettled = false;
	constructor(transaction, view, resumed) {
		this.#transaction = transaction;
		this.#view = view;
		this.#resumed = resumed;
	}
	async run(drops) {
		const { dir, record } = this.#transaction.journal;
		for (const [i, why] of record.failed) this.#brokenSets.set(this.#first(i), why);
		const processes = await this.#processes();
		const uses = this.#usesOf(drops, processes);
		const mounts = dirsOfMounts(processes.map(({ pid }) => pid));
		for (const { i, unit } of drops) if (unit.kind === "entry" && mounts.has(unit.path)) this.#breaks(i, require_trash.MOUNTED_OVER);
		if (this.#resumed) this.#clearMarks(drops);
		const entries = drops.flatMap(({ i, unit: { kind, path } }) => kind === "entry" && !this.#isBroken(i) ? [{
			i,
			path,
			stored: require_outcome.storedAt(dir, i)
		}] : []);
		this.#trees.push(...takeTrees(this.#view.room, entries, processes, uses.paths));
		const trees = new Set(this.#trees.map(({ i }) => i));
		const rest = entries.filter(({ i }) => !trees.has(i));
		for (const { path } of rest) this.#countNames(path);
		for (const { i, path, stored } of rest) await this.#alone(i, async () => await this.#take(i, path, stored));
		await this.#put();
		await this.#settle(uses);
		for (const { i, unit } of drops) if (unit.kind === "mode" && !this.#isBroken(i)) await this.#alone(i, async () => this.#resetDir(i, unit));
		const going = drops.filter(({ i, unit }) => unit.kind === "entry" && !this.#isBroken(i));
		for (const { i, spot } of this.#specials) if (!this.#isBroken(i) && !takeSpecial(this.#view.room, spot)) this.#tell(spot.path, require_trash.NEW_INSIDE);
		this.#removeDirs();
		await this.#uncover(going);
		await this.#clearKept();
		this.#close(drops);
		return this.#told;
	}
	async #processes() {
		return await require_cli.liveProcesses(this.#transaction.ctx.source);
	}
	#countNames(path) {
		const upper = this.#view.upper(path);
		const now = require_cli.orNull(() => require_cli.lstatEntry(upper));
		if (now === null) return;
		if (now.type === "dir") for (const name of require_cli.namesOrNone(upper)) this.#countNames(require_cli.joinPath(path, name));
		else this.#names.set(now.ino, (this.#names.get(now.ino) ?? 0) + 1);
	}
	#clearMarks(drops) {
		const { room } = this.#view;
		for (const dir of new Set(drops.map(({ unit }) => require_cli.parentOf(unit.path)))) {
			const mark = room.spot(require_cli.joinPath(dir, require_cli.SEEN_NAME));
			if (mark !== null) require_cli.orIfRefused(() => unstir(room, mark), void 0);
		}
	}
	async #take(i, path, stored) {
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null || require_cli.isWhiteout(now)) return;
		const host = require_cli.hostEntry(path);
		const isTop = stored === require_outcome.storedAt(this.#transaction.journal.dir, i);
		if (now.type === "dir") {
			this.#dirs.push({
				i,
				path
			});
			for (const name of require_cli.namesOrNone(spot.upper)) await this.#take(i, require_cli.joinPath(path, name), require_cli.joinPath(stored, name));
		} else if (!isPlain$1(now)) this.#specials.push({
			i,
			spot
		});
		else if (isTop && host !== "closed" && isPlain$1(host)) await this.#wantPut({
			i,
			spot,
			host
		}, now);
		else this.#noteAside(i, spot, await takeOut(this.#view.room, spot, this.#isStored(stored)));
	}
	async #wantPut(put, now) {
		const { i, spot, host } = put;
		const stored = require_outcome.storedAt(this.#transaction.journal.dir, i);
		const base = this.#view.placer.bases.lookup(spot.path);
		if (!(this.#resumed && !require_outcome.isStored(require_cli.nodePort, spot.upper, stored) && require_list.isUntouched({
			path: spot.path,
			upperPath: spot.upper,
			upper: now,
			host,
			base
		}))) this.#puts.push(put);
	}
	#isStored(stored) {
		return async (kept) => require_outcome.isStored(require_cli.nodePort, kept.upper, stored);
	}
	#noteAside(i, spot, aside) {
		if (aside !== null) this.#asides.set(aside, i);
		else this.#breaks(i, printOf(spot.upper) === null ? require_trash.NOT_ALL_READ : require_trash.NOT_DISCARDED_LIVE);
	}
	async #put() {
		const { copied, again, left } = await this.#view.placer.copy(this.#puts);
		const failed = /* @__PURE__ */ new Set([...again, ...left]);
		for (const { i, spot } of this.#puts) if (failed.has(spot.path)) this.#breaks(i, require_trash.HOST_UNREADABLE);
		for (const one of copied) {
			const { i, spot } = one.step;
			await this.#alone(i, async () => {
				const stored = require_outcome.storedAt(this.#transaction.journal.dir, i);
				const names = this.#names.get(lookUpper(spot)?.ino ?? 0n) ?? 1;
				const aside = await putOver(this.#view.room, spot, one.from, this.#isStored(stored), names);
				this.#noteAside(i, spot, aside);
				this.#placed.set(spot.path, one);
			});
		}
	}
	async #settle(uses) {
		const { placer } = this.#view;
		const changed = this.#trees.length === 0 ? [] : changedTrees(this.#trees, await this.#processes());
		for (const { i } of changed) this.#breaks(i, require_trash.NOT_DISCARDED_LIVE);
		const broken = new Set(this.#brokenSets.keys());
		const groupOf = (aside) => this.#first(this.#asides.get(aside) ?? -1);
		const { done, saved } = await placer.settle([...this.#asides.keys()], {
			groupOf,
			broken
		});
		for (const i of new Set(this.#asides.values())) if (broken.has(this.#first(i)) && !this.#isBroken(i)) this.#breaks(i, require_trash.openForWriting([...uses.texts.get(i) ?? []].join(", ")));
		for (const { i, spot, kept } of this.#trees) {
			const beside = this.#isBroken(i) ? giveBack(spot, kept) : null;
			if (!this.#isBroken(i)) placer.removed(spot.path);
			else if (beside !== null) saved.push(beside);
		}
		for (const { path } of done) {
			const put = this.#placed.get(path);
			if (put === void 0) placer.removed(path);
			else placer.placed(put.record);
		}
		for (const path of saved) this.#tell(path, require_trash.savedBeside(require_cli.toDisplay(path)));
		this.#isSettled = true;
	}
	#usesOf(drops, processes) {
		const tops = new Map(drops.map(({ i, unit }) => [unit.path, i]));
		const uses = {
			paths: /* @__PURE__ */ new Set(),
			texts: /* @__PURE__ */ new Map()
		};
		for (const { top, pid, isDir } of require_merged_before.usersBelow(processes, new Set(tops.keys()))) {
			uses.paths.add(top);
			const [i, command] = [tops.get(top), processes.find((one) => one.pid === pid)?.command];
			if (isDir || i === void 0) continue;
			uses.texts.set(i, (uses.texts.get(i) ?? /* @__PURE__ */ new Set()).add(`${command} (process ${pid})`));
		}
		return uses;
	}
	#removeDirs() {
		for (const { i, path } of this.#dirs.toReversed()) {
			const spot = this.#isBroken(i) ? null : this.#view.room.spot(path);
			if (spot === null) continue;
			try {
				require_cli.nodePort.rmdir(spot.at);
				this.#view.placer.removed(path);
			} catch (error) {
				if (require_cli.errorCode(error) === "") throw error;
				this.#tell(path, require_trash.NEW_INSIDE);
			}
		}
	}
	async #uncover(going) {
		const { room, placer } = this.#view;
		const hidden = going.flatMap(({ i, unit: { path } }) => {
			const spot = room.spot(path);
			const now = spot === null ? null : lookUpper(spot);
			const isHidden = now === null ? wasTaken(this.#transaction, i) : require_cli.isWhiteout(now);
			return spot !== null && isHidden ? [{
				i,
				spot,
				now,
				host: require_cli.hostEntry(path)
			}] : [];
		});
		const plain = hidden.flatMap(({ i, spot, now, host }) => now !== null && host !== "closed" && isPlain$1(host) ? [{
			i,
			spot,
			host
		}] : []);
		const linked = /* @__PURE__ */ new Set();
		for (const { step, from, record } of (await placer.copy(plain)).copied) await this.#alone(step.i, async () => {
			require_cli.nodePort.link(from.at, step.spot.at);
			placer.placed(record);
			linked.add(step.spot.path);
		});
		const rest = hidden.filter(({ i, spot }) => !linked.has(spot.path) && !this.#isBroken(i));
		const taken = /* @__PURE__ */ new Map();
		for (const { i, spot } of rest) await this.#alone(i, async () => {
			const one = takeWhiteout(this.#transaction, spot.path, i);
			if (one === null) this.#breaks(i, require_trash.NOT_DISCARDED_LIVE);
			else taken.set(spot.path, one);
		});
		let problem = await this.#refresh();
		const held = rest.filter(({ spot: { path } }) => taken.has(path) && isHeld(room.spot(path)));
		for (const { i, spot } of held) {
			if (!require_cli.orIfRefused(() => {
				taken.get(spot.path)?.putBack();
				return true;
			}, false)) continue;
			taken.delete(spot.path);
			this.#breaks(i, require_trash.HELD_OPEN);
		}
		for (const one of taken.values()) one.remove();
		if (held.length > 0) problem ??= await this.#refresh();
		const hiding = /* @__PURE__ */ new Set();
		for (const { i, spot } of rest) {
			const now = require_cli.lstatEntry(spot.upper);
			if (now === null) placer.removed(spot.path);
			else if (require_cli.isWhiteout(now)) {
				this.#whiteouts.add(i);
				hiding.add(spot.path);
			}
			if (problem !== null) this.#tell(spot.path, problem);
		}
		if (hiding.size > 0) placer.restored(hiding, require_list.parseBaseLines(this.#transaction.journal.record.bases).records);
		for (const dir of new Set(rest.map(({ spot }) => require_cli.parentOf(spot.path)))) {
			const mark = room.spot(require_cli.joinPath(dir, require_cli.SEEN_NAME));
			if (mark === null) continue;
			stir(room, mark);
			placer.record(dir);
		}
	}
	async #refresh() {
		const { room } = this.#view;
		room.letGo();
		return await require_inside.refreshMounts(this.#transaction.ctx, room.inside.pid, [room.covered.path]);
	}
	#resetDir(i, { path, host, mode, xattrs }) {
		if (host === void 0) return;
		const why = dressInView(this.#view, path, {
			from: mode,
			to: host,
			xattrs
		});
		if (why !== null) this.#breaks(i, why);
	}
	async #clearKept() {
		const pids = (await this.#processes()).map(({ pid }) => pid);
		if (pids.length === 0) return;
		for (const path of this.#view.room.clear(pids).saved) this.#tell(path, require_trash.savedBeside(require_cli.toDisplay(path)));
	}
	#close(drops) {
		const { journal } = this.#transaction;
		for (const { i } of drops) {
			const message = this.#late.get(i) ?? this.#reasonOf(i);
			if (message === void 0 || this.#resumed) journal.add({
				t: "done",
				i,
				...this.#whiteouts.has(i) ? { whiteout: true } : {}
			});
			else journal.add({
				t: "fail",
				i,
				message
			});
		}
		journal.flush();
	}
	#first(i) {
		return this.#transaction.journal.record.drops[i]?.with ?? i;
	}
	#isBroken(i) {
		return this.#late.has(i) || this.#reasonOf(i) !== void 0;
	}
	#reasonOf(i) {
		return this.#broken.get(i) ?? this.#brokenSets.get(this.#first(i));
	}
	#breaks(i, why) {
		if (!this.#isSettled) {
			if (!this.#broken.has(i)) this.#broken.set(i, why);
			const first = this.#first(i);
			if (!this.#brokenSets.has(first)) this.#brokenSets.set(first, why);
			return;
		}
		const { dir, record } = this.#transaction.journal;
		const [unit, stored] = [record.drops[i], require_cli.nodePort.lstat(require_outcome.storedAt(dir, i))];
		if (unit?.kind === "mode" || stored !== null && require_cli.isWhiteout(stored)) this.#late.set(i, why);
		else this.#tell(unit?.path ?? this.#view.room.covered.path, why);
	}
	#tell(path, why) {
		this.#told.push({
			path,
			why
		});
	}
	async #alone(i, work) {
		try {
			await work();
		} catch (error) {
			const message = require_cli.errorCode(error) === "EEXIST" ? require_trash.NOT_DISCARDED_LIVE : require_cli.entryMessage(error);
			if (message === null) throw error;
			this.#breaks(i, message);
		}
	}
};
async function discardLive(ctx, { going, tops }, { port, cancelled }) {
	try {
		const { units, left, entries } = unitsThatGo(port, ctx, {
			going,
			tops
		});
		if (units.length === 0) throw require_trash.nothingDiscardedLive(left);
		await moveKept(ctx, units);
		const journal = require_trash.beginDiscard(port, ctx, {
			kind: "selection",
			entries,
			live: true
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		return await require_cli.useAndCloseAsync(journal, async () => {
			try {
				require_outcome.announceDrops(transaction, units);
				await store(transaction);
				if (cancelled()) throw new require_cli.Cancelled(require_trash.STOPPED);
				journal.addSynced({
					t: "ready",
					units: 0
				});
			} catch (error) {
				if (error instanceof require_cli.Cancelled) {
					abortQuietly(transaction, false);
					throw require_trash.discardStopped(0);
				}
				if (require_cli.errorCode(error) !== "") abortQuietly(transaction, false);
				throw error;
			}
			const report = await finishDiscard(transaction, false);
			const all = [...left, ...report.left ?? []];
			if (report.entries === 0) throw require_trash.nothingDiscardedLive(all);
			return all.length === 0 ? report : {
				...report,
				left: all
			};
		});
	} catch (error) {
		throw require_trash.asTraiError(error, "discard");
	}
}
async function moveKept(ctx, units) {
	const going = new Set(units.map(({ path }) => path));
	await inView(ctx, require_cli.presentReplayDirs(ctx).filter((dir) => require_cli.isBelowAny(dir, going)), (dir) => units.find(({ path }) => require_cli.isWithin(dir, path))?.path ?? dir, async ({ room }, mine) => {
		for (const dir of mine) require_cli.orIfRefused(() => room.takeKept(dir), void 0);
	});
}
function unitsThatGo(port, ctx, { going, tops }) {
	const first = firstOfSets(going, tops);
	const stale = new Set(staleTops(port, ctx, tops).map((change) => first(change)));
	const isStale = (change) => stale.has(first(change));
	const rest = tops.filter((change) => !isStale(change));
	const units = unitsOf(port, ctx, rest);
	const firsts = /* @__PURE__ */ new Map();
	units.forEach((unit, i) => {
		const known = firsts.get(first(rest[i]));
		if (known === void 0) firsts.set(first(rest[i]), i);
		else unit.with = known;
	});
	const left = tops.filter(isStale).map(({ path }) => ({
		path,
		why: require_trash.NOT_DISCARDED_LIVE
	}));
	const out = new Set(left.map(({ path }) => path));
	return {
		units,
		left,
		entries: going.filter(({ path }) => !out.has(path) && !require_cli.isBelowAny(path, out)).length
	};
}
function firstOfSets(going, tops) {
	const byPath = new Map(tops.map((top) => [top.path, top]));
	const topOf = ({ path }) => {
		for (let at = path; at !== "/"; at = require_cli.parentOf(at)) if (byPath.has(at)) return byPath.get(at);
	};
	const joined = /* @__PURE__ */ new Map();
	const first = (top) => {
		let at = top;
		for (let next = at; next !== void 0; next = at === void 0 ? void 0 : joined.get(at)) at = next;
		return at;
	};
	for (const { members } of [...require_trash.groupsOf(going), ...require_trash.linkedOf(going)]) {
		const [head, ...others] = members.flatMap((i) => {
			const member = going[i];
			return member === void 0 ? [] : first(topOf(member)) ?? [];
		});
		for (const other of others) if (head !== void 0 && first(other) !== first(head)) joined.set(other, head);
	}
	return first;
}
async function finishDiscard(transaction, resumed) {
	const { ctx, journal } = transaction;
	const { record } = journal;
	const left = [];
	const open = openDrops(transaction);
	const quiet = await require_lock.asQuiet(ctx);
	const rest = quiet !== null ? open : await inView(ctx, open, ({ unit }) => unit.path, async (view, mine) => {
		const dropping = new Dropping(transaction, view, resumed);
		left.push(...await dropping.run(mine));
	});
	const ended = rest.length === 0 ? null : quiet ?? await require_lock.asQuiet(ctx);
	if (ended !== null) finishStored({
		...transaction,
		ctx: ended
	}, resumed);
	else for (const { i } of rest) journal.add(resumed ? {
		t: "done",
		i
	} : {
		t: "fail",
		i,
		message: require_trash.LIVE_ENDED
	});
	left.push(...[...record.failed].map(([i, why]) => ({
		path: record.drops[i]?.path ?? ctx.projectRoot,
		why
	})));
	const entries = closeStored(transaction);
	return {
		trash: require_cli.nameOf(journal.dir),
		entries,
		...left.length > 0 ? { left } : {}
	};
}
function openDrops({ journal: { record } }) {
	return [...record.drops.entries()].flatMap(([i, unit]) => record.done.has(i) || record.failed.has(i) ? [] : [{
		i,
		unit
	}]);
}
async function store(transaction) {
	const { port, ctx, journal } = transaction;
	const entries = openDrops(transaction).filter(({ unit }) => unit.kind === "entry");
	await require_cli.useAndCloseAsync(new require_trash.Uppers(port, ctx, null), async (uppers) => {
		const isGone = ({ unit }) => {
			const now = uppers.lstat(unit.path);
			return now !== null && require_cli.isWhiteout(now);
		};
		for (const { i, unit } of entries.filter(isGone)) {
			const from = uppers.placed(unit.path);
			if (from !== null) port.link(from, require_outcome.storedAt(journal.dir, i));
		}
		for (const covered of ctx.coveredDirs) {
			const mine = entries.filter((drop) => require_cli.coveringDir(ctx.coveredDirs, drop.unit.path) === covered && !isGone(drop));
			if (mine.length === 0) continue;
			const name = `copies-${covered.n}`;
			const dir = require_cli.joinPath(journal.dir, name);
			port.mkdir(dir, 448);
			const nameIn = ({ unit }) => require_cli.relativeTo(covered.path, unit.path);
			await require_cli.withHandleAsync(port, port.openDir(dir), async (fd) => {
				await require_trash.copyOut(port, covered.upper, mine.map(nameIn), fd);
			});
			for (const drop of mine) arrange(transaction, uppers, drop, require_cli.joinPath(dir, nameIn(drop)));
			require_cli.removePath(port, journal.dir, name);
		}
	});
	const dir = port.openDir(journal.dir);
	await require_cli.withHandleAsync(port, dir, async () => await require_cli.syncFileSystems(port, [dir]));
}
function arrange({ port, journal }, uppers, { i, unit }, copy) {
	const from = uppers.placed(unit.path);
	const isLike = from !== null && require_cli.orNull(() => require_outcome.isLikeStored(port, from, copy));
	if (isLike !== true) {
		journal.add({
			t: "fail",
			i,
			message: isLike === null ? require_trash.NOT_ALL_READ : require_trash.CHANGED_MEANWHILE
		});
		return;
	}
	const now = port.lstat(copy);
	const stored = require_outcome.storedAt(journal.dir, i);
	const isClosed = now?.type === "dir" && (now.mode & 128) === 0;
	if (isClosed) require_cli.chmodEntry(port, copy, now.mode | 448);
	port.rename(copy, stored);
	if (isClosed) require_cli.chmodEntry(port, stored, now.mode);
}
var pendLive = async (transaction, items, instead, losing) => {
	const { port, ctx, journal } = transaction;
	const used = await inUse(transaction, losing);
	const failed = new Map([...used].map((i) => [i, require_trash.notPending(require_trash.IN_VIEW)]));
	if (items.length === 0) return failed;
	const beside = items.filter(({ line }) => line.stays === true);
	const going = items.filter((item) => !beside.includes(item));
	for (const [i, why] of await require_outcome.stagePending(transaction, beside, instead)) failed.set(i, why);
	const fail = ({ line }, why) => failed.set(line.i, require_trash.notPending(why));
	const back = require_cli.joinPath(journal.dir, require_trash.BACK);
	if (port.lstat(back) === null) port.mkdir(back, 448);
	if (going.some(({ line }) => line.kind === "whiteout")) await require_outcome.makeWhiteout(port, back);
	const rest = await inView(ctx, going, pathOf, async (view, mine) => {
		await require_inside.refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		for (const item of mine) {
			const { path } = item.line;
			if (used.has(item.line.i)) continue;
			if (instead.has(path)) fail(item, require_trash.MEANWHILE);
			else await pendOne(transaction, view, item, (why) => fail(item, why));
		}
		view.room.letGo();
		const problem = await require_inside.refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		if (problem !== null) for (const item of mine) fail(item, problem);
	});
	for (const item of rest) fail(item, require_trash.LIVE_ENDED);
	return failed;
};
async function refreshView(ctx, paths) {
	for (const covered of new Set(paths.map((path) => require_cli.coveringDir(ctx.coveredDirs, path)))) {
		const inside = covered === null ? null : await require_inside.openInside(ctx.source, covered);
		if (covered === null || inside === null) continue;
		await require_cli.useAndCloseAsync(inside, async () => {
			await require_inside.refreshMounts(ctx, inside.pid, [covered.path]);
		});
	}
}
var pathOf = ({ line }) => line.path;
async function inUse({ ctx }, losing) {
	const users = require_merged_before.usersBelow(await require_cli.liveProcesses(ctx.source), new Set(losing.map(({ path }) => path)));
	const used = new Set(users.map(({ top }) => top));
	return new Set(losing.flatMap(({ i, path }) => used.has(path) ? [i] : []));
}
async function pendOne({ port, ctx, journal }, view, { line, now }, fail) {
	const { path, kind } = line;
	try {
		copyUpDirs(port, view, path);
		if (kind === "whiteout") require_cli.useAndClose(new require_trash.Uppers(port, ctx, null), (uppers) => uppers.link(path, require_cli.joinPath(journal.dir, require_cli.joinPath(require_trash.BACK, "w"))));
		else if (kind === "dir") copyUp(port, view, path);
		else copyUpTree(port, view, path);
		const upper = port.lstat(view.upper(path));
		if (!(kind !== "copy" || now !== null && upper !== null && require_cli.looksAlike(require_cli.identityOf(now), upper))) fail(require_trash.MEANWHILE);
	} catch (error) {
		const message = require_cli.errorCode(error) === "EEXIST" ? require_trash.MEANWHILE : require_cli.entryMessage(error);
		if (message === null) throw error;
		fail(message);
	}
}
function copyUpTree(port, view, path) {
	copyUp(port, view, path);
	const spot = view.room.spot(path);
	if (spot === null || port.lstat(spot.at)?.type !== "dir") return;
	for (const name of port.readdir(spot.at)) copyUpTree(port, view, require_cli.joinPath(path, name));
}
function copyUp(port, { room }, path) {
	const spot = room.spot(path);
	const shown = spot === null ? null : port.lstat(spot.at);
	if (spot === null || shown === null) return;
	if (shown.type === "symlink") port.lchown(spot.at, shown.uid, shown.gid);
	else require_cli.chmodEntry(port, spot.at, shown.mode);
}
function copyUpDirs(port, view, path) {
	const missing = [];
	for (let dir = require_cli.parentOf(path); dir !== view.room.covered.path && dir !== "/"; dir = require_cli.parentOf(dir)) {
		if (port.lstat(view.upper(dir)) !== null) break;
		missing.push(dir);
	}
	for (const dir of missing.reverse()) copyUp(port, view, dir);
	view.placer.record(require_cli.parentOf(path));
}
function returnableLive(ctx, trash) {
	const discard = require_trash.readDiscard(require_cli.nodePort, ctx, trash);
	return discard?.kind === "selection" && require_trash.isReturnable(require_cli.nodePort, discard) ? discard : null;
}
async function undoDiscardLive(ctx, discard) {
	try {
		const drops = storedOf(discard);
		const inTheWay = await obstacles(ctx, discard.record, drops);
		if (inTheWay.length > 0) throw require_trash.discardInTheWay(inTheWay);
		const journal = openJournalOf(discard);
		return await require_cli.useAndCloseAsync(journal, async () => {
			journal.addSynced({ t: "reopen" });
			const left = await restoreLive({
				port: require_cli.nodePort,
				ctx,
				journal
			});
			if (left.length > 0) throw require_trash.discardInTheWay(left);
			return {
				trash: discard.name,
				entries: discard.entries
			};
		});
	} catch (error) {
		throw require_trash.asTraiError(error, "undoDiscard");
	}
}
async function restoreLive(transaction) {
	const { ctx, journal } = transaction;
	const left = [];
	const rest = await inView(ctx, storedOf({
		dir: journal.dir,
		record: journal.record
	}), ({ unit }) => unit.path, async (view, mine) => {
		left.push(...await new Restoring(transaction, view).run(mine));
	});
	left.push(...rest.map(({ unit: { path } }) => ({
		path,
		why: require_trash.LIVE_ENDED
	})));
	const store = require_cli.joinPath(journal.dir, require_outcome.STORE);
	require_cli.syncDirs(require_cli.nodePort, [store, journal.dir]);
	const isEmpty = left.length === 0 && require_cli.nodePort.readdir(store).length === 0;
	journal.addSynced(isEmpty ? {
		t: "end",
		report: null
	} : { t: "discarded" });
	return left;
}
function openJournalOf({ dir }) {
	const journal = require_trash.openJournal(require_cli.nodePort, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return journal;
}
function storedOf({ dir, record }) {
	return [...record.drops.entries()].flatMap(([i, unit]) => {
		const at = require_outcome.storedAt(dir, i);
		const stat = unit.kind === "mode" ? null : require_cli.nodePort.lstat(at);
		return record.failed.has(i) || unit.kind === "entry" && stat === null ? [] : [{
			i,
			unit,
			at,
			stat
		}];
	});
}
async function obstacles(ctx, record, drops) {
	const bases = require_list.makeBases(require_list.readBaseFile(ctx).records);
	const processes = await require_cli.liveProcesses(ctx.source);
	const uppers = new require_trash.Uppers(require_cli.nodePort, ctx, null);
	return await require_cli.useAndCloseAsync(uppers, async () => {
		const found = [];
		for (const { i, unit, at: stored } of drops) {
			const { path } = unit;
			const now = uppers.lstat(path);
			const free = hasLeftWhiteout(record, i, now) || now !== null && unit.kind === "entry" && await isFree(bases, path, now, uppers, stored);
			const why = obstacle(require_cli.nodePort, ctx, uppers, unit, free) ?? usedDir(processes, unit, now);
			if (why !== null) found.push({
				path,
				why
			});
		}
		return found;
	});
}
async function isFree(bases, path, now, uppers, stored) {
	const place = uppers.placed(path);
	if (place === null) return false;
	if (require_outcome.isStoredWhole(require_cli.nodePort, place, stored)) return true;
	const host = require_cli.hostEntry(path);
	if (host === "closed" || !isPlain(now)) return false;
	return require_list.isUntouched({
		path,
		upperPath: place,
		upper: now,
		host,
		base: bases.lookup(path)
	});
}
var isPlain = (entry) => entry?.type === "file" || entry?.type === "symlink";
function usedDir(processes, { path, kind }, now) {
	const host = require_cli.hostEntry(path);
	if (host === null || host === "closed" || host.type !== "dir") return null;
	const isShown = kind === "entry" && (now === null || !require_cli.isWhiteout(now));
	return require_merged_before.usersBelow(processes, /* @__PURE__ */ new Set([path])).some(({ isDir }) => isDir || isShown) ? require_trash.IN_VIEW : null;
}
var isDeletion = ({ stat }) => stat !== null && require_cli.isWhiteout(stat);
var Restoring = class {
	#transaction;
	#view;
	#left = [];
	#leftPaths = /* @__PURE__ */ new Set();
	#done = [];
	constructor(transaction, view) {
		this.#transaction = transaction;
		this.#view = view;
	}
	async run(drops) {
		const { room } = this.#view;
		const files = [];
		const hidden = [];
		const mounts = dirsOfMounts((await require_cli.liveProcesses(this.#transaction.ctx.source)).map(({ pid }) => pid));
		for (const drop of drops) {
			if (drop.stat !== null && mounts.has(drop.unit.path)) {
				this.#stays(drop, require_trash.MOUNTED_OVER);
				continue;
			}
			await this.#alone(drop, async () => {
				const spot = isDeletion(drop) ? room.spot(drop.unit.path) : null;
				if (spot !== null) unstir(room, spot);
				if (drop.stat === null) this.#dress(drop);
				else if (require_outcome.isStoredWhole(require_cli.nodePort, this.#view.upper(drop.unit.path), drop.at)) this.#done.push(drop);
				else if (isPlain(drop.stat)) {
					files.push(drop);
					if (this.#isHiding(drop)) await this.#hide(drop);
				} else if (await this.#insert(drop)) hidden.push(drop);
			});
		}
		room.letGo();
		const { inside, covered } = room;
		const problem = await require_inside.refreshMounts(this.#transaction.ctx, inside.pid, [covered.path]);
		if (problem !== null) this.#left.push({
			path: covered.path,
			why: problem
		});
		await this.#putFiles(files.filter((drop) => !this.#isLeft(drop)));
		for (const { unit, stat } of hidden) {
			const spot = room.spot(unit.path);
			if (spot === null || stat === null) continue;
			if (require_cli.isWhiteout(stat)) stir(room, spot);
			else if (stat.type === "dir") this.#touch(spot);
		}
		await this.#empty();
		return this.#left;
	}
	async #empty() {
		const { room, placer } = this.#view;
		const { dir, record } = this.#transaction.journal;
		const entries = new Set(this.#done.flatMap(({ stat, unit }) => stat === null ? [] : [unit.path]));
		placer.restored(entries, require_list.parseBaseLines(record.bases).records);
		for (const { unit } of this.#done) placer.record(unit.path);
		placer.save();
		const both = this.#done.filter(({ i, stat }) => stat !== null && require_cli.nodePort.lstat(require_outcome.storedAt(dir, i)) !== null);
		if (both.length === 0) return;
		await require_cli.withHandleAsync(require_cli.nodePort, require_cli.nodePort.openDir(room.covered.upper), async (fd) => {
			await require_cli.syncFileSystems(require_cli.nodePort, [fd]);
		});
		for (const { i } of both) require_cli.removePath(require_cli.nodePort, require_cli.joinPath(dir, require_outcome.STORE), String(i));
	}
	#isHiding({ unit: { path } }) {
		const host = require_cli.hostEntry(path);
		return require_cli.lstatEntry(this.#view.upper(path)) === null && host !== null && host !== "closed" && !isPlain(host);
	}
	async #hide({ unit: { path } }) {
		const { ctx, journal } = this.#transaction;
		const whiteout = require_cli.joinPath(journal.dir, "w");
		if (require_cli.nodePort.lstat(whiteout) === null) await require_outcome.makeWhiteout(require_cli.nodePort, journal.dir);
		copyUpDirs(require_cli.nodePort, this.#view, path);
		require_cli.useAndClose(new require_trash.Uppers(require_cli.nodePort, ctx, null), (uppers) => uppers.link(path, whiteout));
	}
	async #insert(drop) {
		const { path, closed, mode } = drop.unit;
		if (!await this.#freePlace(drop)) return false;
		copyUpDirs(require_cli.nodePort, this.#view, path);
		return require_cli.useAndClose(new require_trash.Uppers(require_cli.nodePort, this.#transaction.ctx, null), (uppers) => {
			const now = uppers.lstat(path);
			if (now === null && isDeletion(drop)) uppers.link(path, drop.at);
			else if (now === null) uppers.insert(path, drop.at, closed ? mode : null);
			else if (!require_cli.isWhiteout(now) || !isDeletion(drop)) return this.#stays(drop, require_trash.SESSION_CHANGED);
			this.#done.push(drop);
			return now === null;
		});
	}
	async #freePlace(drop) {
		const { path } = drop.unit;
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null) return true;
		const isTaken = require_cli.isWhiteout(now) || await this.#takeCopy(spot, now);
		const isFree = (isTaken ? lookUpper(spot) : null) === null || isDeletion(drop) || this.#takesWhiteout(drop);
		return isTaken && isFree ? true : this.#stays(drop, require_trash.SESSION_CHANGED);
	}
	#takesWhiteout({ unit: { path }, i }) {
		const taken = takeWhiteout(this.#transaction, path, i);
		taken?.remove();
		return taken !== null;
	}
	async #takeCopy(spot, now) {
		const { room, placer } = this.#view;
		const aside = isPlain(now) ? await takeOut(room, spot, this.#isUntouched(spot.path)) : null;
		return aside !== null && (await placer.settle([aside])).done.length > 0;
	}
	async #putFiles(files) {
		const { room, placer } = this.#view;
		if (files.length === 0) return;
		const names = files.map(({ i }) => String(i));
		await require_trash.copyOut(require_cli.nodePort, require_cli.joinPath(this.#transaction.journal.dir, require_outcome.STORE), names, room.incoming);
		const asides = /* @__PURE__ */ new Map();
		for (const drop of files) {
			const { i, unit, at: stored } = drop;
			await this.#alone(drop, async () => {
				const from = room.copied(String(i));
				const spot = room.spot(unit.path);
				if (spot === null || !require_outcome.isStored(require_cli.nodePort, from.upper, stored)) {
					this.#stays(drop, require_trash.MEANWHILE);
					return;
				}
				if (require_cli.lstatEntry(spot.at) === null) {
					require_cli.nodePort.link(from.at, spot.at);
					this.#done.push(drop);
					return;
				}
				const aside = await putOver(room, spot, from, this.#isUntouched(unit.path));
				if (aside === null) this.#stays(drop, require_trash.SESSION_CHANGED);
				else asides.set(aside, drop);
			});
		}
		const { done } = await placer.settle([...asides.keys()].flatMap((aside) => aside === null ? [] : [aside]));
		const placed = new Set(done.map(({ path }) => path));
		for (const drop of asides.values()) if (placed.has(drop.unit.path)) this.#done.push(drop);
		else this.#stays(drop, require_trash.SESSION_CHANGED);
	}
	#isUntouched(path) {
		return async (kept) => {
			const [now, host] = [lookUpper(kept), require_cli.hostEntry(path)];
			const base = this.#view.placer.bases.lookup(path);
			return now !== null && host !== "closed" && require_list.isUntouched({
				path,
				upperPath: kept.upper,
				upper: now,
				host,
				base
			});
		};
	}
	#dress(drop) {
		const { path, host, mode, uid, gid, xattrs } = drop.unit;
		if (host === void 0) return;
		const step = xattrs === void 0 ? void 0 : {
			from: xattrs.to,
			to: xattrs.from
		};
		const why = dressInView(this.#view, path, {
			from: host.mode,
			to: {
				mode,
				uid,
				gid
			},
			xattrs: step
		});
		if (why === null) this.#done.push(drop);
		else this.#stays(drop, why);
	}
	#touch(spot) {
		const now = require_cli.lstatEntry(spot.at);
		if (now?.type !== "dir") return;
		require_cli.withHandle(require_cli.nodePort, require_cli.nodePort.openDir(spot.at), (fd) => require_cli.nodePort.chmod(require_cli.at(fd), now.mode));
	}
	#isLeft({ unit }) {
		return this.#leftPaths.has(unit.path);
	}
	#stays({ unit: { path } }, why) {
		this.#left.push({
			path,
			why
		});
		this.#leftPaths.add(path);
		return false;
	}
	async #alone(drop, work) {
		try {
			await work();
		} catch (error) {
			const message = require_cli.errorCode(error) === "EEXIST" ? require_trash.SESSION_CHANGED : require_cli.entryMessage(error);
			if (message === null) throw error;
			this.#stays(drop, message);
		}
	}
};
async function finishInterrupted(session, onProgress) {
	const n = require_trash.unfinishedCommit(session);
	if (n === null) return null;
	const report = await finishCommit(await require_lock.asQuiet(session) ?? session, { onProgress });
	if (report === null) {
		require_outcome.log(session, {
			t: "commit",
			n,
			state: "refused",
			entries: 0,
			bytes: 0,
			conflicts: 0,
			auto: "",
			text: require_outcome.COMMIT_NOT_BEGUN
		});
		return null;
	}
	await showUndone(session, report);
	require_outcome.returnWritten(session, report);
	require_outcome.logCommit(session, report, "finished-later");
	return report;
}
async function showUndone(session, { n }) {
	const record = require_trash.readJournal(require_cli.nodePort, session, n);
	if (record?.begin.undoes === void 0 || await require_lock.asQuiet(session) !== null) return;
	await refreshView(session, record.units.map(({ path }) => path));
}
async function finishInterruptedUndo(session) {
	const n = require_trash.unfinishedCommit(session);
	if ((n === null ? void 0 : require_trash.readJournal(require_cli.nodePort, session, n))?.begin.undoes !== void 0) await finishInterrupted(session);
}
async function giveUpInterrupted(session) {
	const closed = await closeUnfinished(session);
	if (closed !== null) require_outcome.logCommit(session, closed, "finished-later");
	return closed;
}
function repairedEvent({ discard: { name: trash, entries, record }, outcome }) {
	if (outcome === "discarded") return {
		t: "discard",
		trash,
		entries,
		ended: []
	};
	if (outcome === "undone") return {
		t: "undo",
		what: "discard",
		trash,
		entries
	};
	const what = record.reopened === null ? "discard" : "undo";
	return {
		t: "notice",
		code: "unfinished",
		text: outcome === "left" ? require_outcome.INTERRUPTED.left[what] : require_outcome.INTERRUPTED.closed[what]
	};
}
async function finishDiscardLive(session) {
	const discard = openDiscard(session);
	if (discard?.kind !== "selection") return discard === null;
	const { record } = discard;
	if (record.begin.discards?.live !== true && record.reopened === null) return false;
	const journal = require_trash.openJournal(require_cli.nodePort, discard.dir);
	if (journal === null) return false;
	const outcome = await require_cli.useAndCloseAsync(journal, async () => {
		const transaction = {
			port: require_cli.nodePort,
			ctx: session,
			journal
		};
		if (record.reopened !== null) return (await restoreLive(transaction)).length > 0 ? "left" : "undone";
		if (!isForward(discard)) {
			abort(transaction);
			return "rolled-back";
		}
		return (await finishDiscard(transaction, true)).entries > 0 ? "discarded" : "rolled-back";
	});
	require_outcome.log(session, repairedEvent({
		discard,
		outcome
	}));
	return true;
}
async function recordAdoption(stateDir, { from, to, entries }) {
	const known = await require_cli.readMeta(require_cli.sessionDir(stateDir, from)).catch((error) => {
		if (require_cli.errorCode(error) === "no-session") return null;
		throw error;
	});
	for (const id of known === null ? [to] : [from, to]) require_cli.logTo(require_cli.sessionDir(stateDir, id), {
		t: "adopt",
		from,
		to,
		entries
	});
	if (known !== null) await require_cli.updateMeta(require_cli.sessionDir(stateDir, from), (meta) => ({
		...meta,
		wentOnIn: to
	}));
	require_outcome.tellAgent(require_cli.sessionDir(stateDir, to), require_outcome.NEWS.adopted(from));
	await require_cli.updateMeta(require_cli.sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}
function adopter(meta, from, known) {
	const adopted = [.../* @__PURE__ */ new Set([...meta.adopted ?? [], from])];
	const claudeDirs = [.../* @__PURE__ */ new Set([...meta.claudeDirs ?? [], ...known?.claudeDirs ?? []])];
	const { wentOnIn: _, ...rest } = meta;
	return {
		...rest,
		adopted,
		claudeDirs
	};
}
var with_session_exports = /* @__PURE__ */ require_cli.__exportAll({
	expectQuiet: () => expectQuiet,
	recoverOverlay: () => recoverOverlay,
	withRequest: () => withRequest,
	withSession: () => withSession
});
async function withSession(who, mode, work) {
	return await require_lock.withLock(directoryOf(who), async (locked) => {
		if (mode === "read" && isContext(who)) return await work(require_lock.lockedAs(locked, who));
		const live = await recovered(locked, who);
		return await work(mode === "quiet" ? await expectQuiet(live) : live);
	});
}
async function withRequest(ctx, work) {
	require_cli.expectLog(ctx.sessionDir);
	return await withSession(ctx, "live", async (session) => {
		freeReserve(session.sessionDir);
		try {
			if (openDiscard(session) !== null && (await require_lock.asQuiet(session) !== null || !await finishDiscardLive(session))) await expectQuiet(session, "An interrupted discard has to be finished first, which takes a session where nothing runs.");
			return await work(session);
		} finally {
			keepReserve(session);
		}
	});
}
async function expectQuiet(session, hint = require_cli.UNTIL_QUIET, whose) {
	const quiet = await require_lock.asQuiet(session);
	if (quiet !== null) {
		recoverQuiet(quiet);
		return quiet;
	}
	const way = require_cli.isClientRunning(session.sessionDir) ? require_cli.UNTIL_CLIENT_ENDS : hint;
	throw require_cli.isLive(await require_cli.liveProcesses(session.source), way, whose);
}
async function recoverOverlay(who) {
	const at = directoryOf(who);
	if (!(0, node_fs.existsSync)(`${at.sessionDir}/overlay`) && needsRepair(at) || adoptionWaits(at.sessionDir)) await withSession(who, "live", async () => {});
}
async function recovered(locked, who) {
	const context = async () => isContext(who) ? who : await require_cli.sessionContext(who.stateDir, who.session, who.env);
	const waits = needsRepair(locked);
	if (waits) {
		freeReserve(locked.sessionDir);
		const repaired = repairLink(locked);
		if (repaired !== null) require_outcome.log(await context(), repairedEvent(repaired));
	}
	const session = require_lock.lockedAs(locked, await context());
	const quiet = waits ? await require_lock.asQuiet(session) : null;
	if (quiet !== null) recoverQuiet(quiet);
	if (adoptionWaits(session.sessionDir)) await logAdoption(session, recordAdoption);
	if (!session.coveredDirs.every(isOfOverlay)) throw new require_cli.MovedOn();
	return session;
}
function recoverQuiet(session) {
	const repaired = repairOverlay(session);
	if (repaired !== null) require_outcome.log(session, repairedEvent(repaired));
}
function directoryOf(who) {
	const { stateDir, session } = who;
	return {
		stateDir,
		session,
		sessionDir: isContext(who) ? who.sessionDir : require_cli.sessionDir(stateDir, session)
	};
}
function isContext(who) {
	return "coveredDirs" in who;
}
function isOfOverlay({ path, upper }) {
	const dir = require_cli.fsPath(require_cli.parentOf(upper));
	const link = require_cli.orNull(() => (0, node_fs.readlinkSync)(require_cli.fsPath(require_cli.joinPath(require_cli.parentOf(upper), "l")), "latin1"));
	return (0, node_fs.existsSync)(dir) && (link ?? path) === path;
}
Object.defineProperty(exports, "Placer", {
	enumerable: true,
	get: function() {
		return Placer;
	}
});
Object.defineProperty(exports, "Room", {
	enumerable: true,
	get: function() {
		return Room;
	}
});
Object.defineProperty(exports, "abortQuietly", {
	enumerable: true,
	get: function() {
		return abortQuietly;
	}
});
Object.defineProperty(exports, "adoptionWaits", {
	enumerable: true,
	get: function() {
		return adoptionWaits;
	}
});
Object.defineProperty(exports, "advance", {
	enumerable: true,
	get: function() {
		return advance;
	}
});
Object.defineProperty(exports, "alongText", {
	enumerable: true,
	get: function() {
		return alongText;
	}
});
Object.defineProperty(exports, "askMarks", {
	enumerable: true,
	get: function() {
		return askMarks;
	}
});
Object.defineProperty(exports, "choicesOfRedo", {
	enumerable: true,
	get: function() {
		return choicesOfRedo;
	}
});
Object.defineProperty(exports, "choose", {
	enumerable: true,
	get: function() {
		return choose;
	}
});
Object.defineProperty(exports, "clearQuiet", {
	enumerable: true,
	get: function() {
		return clearQuiet;
	}
});
Object.defineProperty(exports, "closeUnfinished", {
	enumerable: true,
	get: function() {
		return closeUnfinished;
	}
});
Object.defineProperty(exports, "closeWhole", {
	enumerable: true,
	get: function() {
		return closeWhole;
	}
});
Object.defineProperty(exports, "collectOverrides", {
	enumerable: true,
	get: function() {
		return collectOverrides;
	}
});
Object.defineProperty(exports, "dirsOfMounts", {
	enumerable: true,
	get: function() {
		return dirsOfMounts;
	}
});
Object.defineProperty(exports, "discardLive", {
	enumerable: true,
	get: function() {
		return discardLive;
	}
});
Object.defineProperty(exports, "discardPart", {
	enumerable: true,
	get: function() {
		return discardPart;
	}
});
Object.defineProperty(exports, "dropCommitted", {
	enumerable: true,
	get: function() {
		return dropCommitted;
	}
});
Object.defineProperty(exports, "expectQuiet", {
	enumerable: true,
	get: function() {
		return expectQuiet;
	}
});
Object.defineProperty(exports, "findMoves", {
	enumerable: true,
	get: function() {
		return findMoves;
	}
});
Object.defineProperty(exports, "finishInterrupted", {
	enumerable: true,
	get: function() {
		return finishInterrupted;
	}
});
Object.defineProperty(exports, "finishInterruptedUndo", {
	enumerable: true,
	get: function() {
		return finishInterruptedUndo;
	}
});
Object.defineProperty(exports, "giveUpInterrupted", {
	enumerable: true,
	get: function() {
		return giveUpInterrupted;
	}
});
Object.defineProperty(exports, "hasAllNames", {
	enumerable: true,
	get: function() {
		return hasAllNames;
	}
});
Object.defineProperty(exports, "inJournal", {
	enumerable: true,
	get: function() {
		return inJournal;
	}
});
Object.defineProperty(exports, "keepReserve", {
	enumerable: true,
	get: function() {
		return keepReserve;
	}
});
Object.defineProperty(exports, "lastResults", {
	enumerable: true,
	get: function() {
		return lastResults;
	}
});
Object.defineProperty(exports, "logAdoption", {
	enumerable: true,
	get: function() {
		return logAdoption;
	}
});
Object.defineProperty(exports, "lookAtDiscard", {
	enumerable: true,
	get: function() {
		return lookAtDiscard;
	}
});
Object.defineProperty(exports, "lookUpper", {
	enumerable: true,
	get: function() {
		return lookUpper;
	}
});
Object.defineProperty(exports, "makeFresh", {
	enumerable: true,
	get: function() {
		return makeFresh;
	}
});
Object.defineProperty(exports, "mayMove", {
	enumerable: true,
	get: function() {
		return mayMove;
	}
});
Object.defineProperty(exports, "mountsOf", {
	enumerable: true,
	get: function() {
		return mountsOf;
	}
});
Object.defineProperty(exports, "needsRepair", {
	enumerable: true,
	get: function() {
		return needsRepair;
	}
});
Object.defineProperty(exports, "overridesOf", {
	enumerable: true,
	get: function() {
		return overridesOf;
	}
});
Object.defineProperty(exports, "pendLive", {
	enumerable: true,
	get: function() {
		return pendLive;
	}
});
Object.defineProperty(exports, "printOf", {
	enumerable: true,
	get: function() {
		return printOf;
	}
});
Object.defineProperty(exports, "putOver", {
	enumerable: true,
	get: function() {
		return putOver;
	}
});
Object.defineProperty(exports, "recordAdoption", {
	enumerable: true,
	get: function() {
		return recordAdoption;
	}
});
Object.defineProperty(exports, "repairOverlay", {
	enumerable: true,
	get: function() {
		return repairOverlay;
	}
});
Object.defineProperty(exports, "returnableLive", {
	enumerable: true,
	get: function() {
		return returnableLive;
	}
});
Object.defineProperty(exports, "saysAsLeft", {
	enumerable: true,
	get: function() {
		return saysAsLeft;
	}
});
Object.defineProperty(exports, "showUndone", {
	enumerable: true,
	get: function() {
		return showUndone;
	}
});
Object.defineProperty(exports, "staysText", {
	enumerable: true,
	get: function() {
		return staysText;
	}
});
Object.defineProperty(exports, "stir", {
	enumerable: true,
	get: function() {
		return stir;
	}
});
Object.defineProperty(exports, "takeMarksOff", {
	enumerable: true,
	get: function() {
		return takeMarksOff;
	}
});
Object.defineProperty(exports, "takeOut", {
	enumerable: true,
	get: function() {
		return takeOut;
	}
});
Object.defineProperty(exports, "takeOverlay", {
	enumerable: true,
	get: function() {
		return takeOverlay;
	}
});
Object.defineProperty(exports, "undoDiscardLive", {
	enumerable: true,
	get: function() {
		return undoDiscardLive;
	}
});
Object.defineProperty(exports, "undoPart", {
	enumerable: true,
	get: function() {
		return undoPart;
	}
});
Object.defineProperty(exports, "uppersOf", {
	enumerable: true,
	get: function() {
		return uppersOf;
	}
});
Object.defineProperty(exports, "withRequest", {
	enumerable: true,
	get: function() {
		return withRequest;
	}
});
Object.defineProperty(exports, "withSession", {
	enumerable: true,
	get: function() {
		return withSession;
	}
});
Object.defineProperty(exports, "with_session_exports", {
	enumerable: true,
	get: function() {
		return with_session_exports;
	}
});
Object.defineProperty(exports, "xattrsAt", {
	enumerable: true,
	get: function() {
		return xattrsAt;
	}
});
