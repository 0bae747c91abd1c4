"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
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
Object.defineProperty(exports, "TIMES", {
	enumerable: true,
	get: function() {
		return TIMES;
	}
});
Object.defineProperty(exports, "confirmListing", {
	enumerable: true,
	get: function() {
		return confirmListing;
	}
});
Object.defineProperty(exports, "keepTimes", {
	enumerable: true,
	get: function() {
		return keepTimes;
	}
});
Object.defineProperty(exports, "listUppers", {
	enumerable: true,
	get: function() {
		return listUppers;
	}
});
Object.defineProperty(exports, "momentNow", {
	enumerable: true,
	get: function() {
		return momentNow;
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
Object.defineProperty(exports, "returnTimes", {
	enumerable: true,
	get: function() {
		return returnTimes;
	}
});
Object.defineProperty(exports, "writeTimes", {
	enumerable: true,
	get: function() {
		return writeTimes;
	}
});
