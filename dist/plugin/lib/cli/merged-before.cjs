"use strict";
const require_cli = require("../cli.cjs");
const require_list = require("./list.cjs");
const require_trash = require("./trash.cjs");
let node_fs = require("node:fs");
var ACCESS = 3;
function heldForWriting(wanted) {
	return new Set(holders(wanted).map(({ ino }) => ino));
}
function writersOf(files) {
	const found = /* @__PURE__ */ new Map();
	const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`));
	for (const { pid, ino, fd } of holders(new Set(files.map(({ ino: one }) => one)))) {
		const key = `${(fd === null ? null : statOf(`/proc/${pid}/fd/${fd}`)?.dev) ?? files.find((file) => file.ino === ino)?.dev}:${ino}`;
		const known = found.get(key) ?? [];
		if (wanted.has(key) && !known.includes(pid)) found.set(key, [...known, pid]);
	}
	return found;
}
function treesInUse(trees) {
	const used = /* @__PURE__ */ new Set();
	if (trees.length === 0) return used;
	const all = (sets) => new Set(sets.flatMap((set) => [...set]));
	const dirs = all(trees.map((tree) => tree.dirs));
	const held = new Set(holders(all(trees.map(({ files }) => files)), dirs).map(({ ino }) => ino));
	const workDirs = findWorkDirs(trees);
	for (const tree of trees) {
		const { real, files, dirs: own } = tree;
		const isInside = ({ at, ino }) => require_cli.isWithin(at, real) || ino !== null && own.has(ino);
		if ([...held].some((ino) => files.has(ino) || own.has(ino)) || workDirs.some(isInside)) used.add(tree);
	}
	return used;
}
function usersBelow(processes, tops) {
	if (tops.size === 0) return [];
	return processes.flatMap(({ pid }) => {
		const used = /* @__PURE__ */ new Map();
		for (const thread of require_cli.namesIn(`/proc/${pid}/task`)) for (const name of ["cwd", "root"]) used.set(require_cli.processLink(pid, `task/${thread}/${name}`) ?? "", true);
		for (const [, name = ""] of (require_cli.processText(pid, "maps") ?? "").matchAll(MAPPED)) used.set(name, false);
		for (const fd of require_cli.namesIn(`/proc/${pid}/fd`)) {
			const name = require_cli.processLink(pid, `fd/${fd}`) ?? "";
			if (name.startsWith("/")) used.set(name, used.get(name) === true || isOpenDir(pid, fd));
		}
		return [...used].flatMap(([name, isDir]) => {
			const path = name;
			const top = path.startsWith("/") ? topOf(path, tops) : null;
			return top === null ? [] : [{
				top,
				path,
				pid,
				isDir
			}];
		});
	});
}
function topOf(path, tops) {
	for (let at = path;; at = require_cli.parentOf(at)) {
		if (tops.has(at)) return at;
		if (at === "/") return null;
	}
}
var MAPPED = /^\S+ \S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm;
var DIRECTORY = 65536;
function isOpenDir(pid, fd) {
	const flags = /^flags:\s+([0-7]+)/m.exec(require_cli.processText(pid, `fdinfo/${fd}`) ?? "")?.[1];
	return flags !== void 0 && (Number.parseInt(flags, 8) & DIRECTORY) !== 0;
}
function findWorkDirs(trees) {
	const own = devicesByPoint("self");
	const devices = new Set(trees.map(({ real }) => deviceAt(own, real)));
	const tables = /* @__PURE__ */ new Map();
	return require_cli.processIds().filter((pid) => pid !== process.pid).flatMap((pid) => {
		const namespace = require_cli.processLink(pid, "ns/mnt") ?? "";
		const mounts = tables.get(namespace) ?? devicesByPoint(pid);
		if (namespace !== "") tables.set(namespace, mounts);
		return ["cwd", "root"].map((name) => {
			const at = require_cli.processLink(pid, name) ?? "";
			return {
				at,
				ino: at === "" || devices.has(deviceAt(mounts, at)) ? statOf(`/proc/${pid}/${name}`)?.ino ?? null : null
			};
		});
	});
}
function devicesByPoint(pid) {
	return (require_cli.processText(pid, "mountinfo") ?? "").split("\n").flatMap((line) => {
		const [, , device = "", , point] = line.split(" ", 5);
		return point === void 0 ? [] : [[require_cli.unescapeMount(point), device]];
	});
}
function deviceAt(mounts, at) {
	return require_cli.innermost(at, mounts, ([point]) => point)?.[1] ?? null;
}
function holders(wanted, dirs = /* @__PURE__ */ new Set()) {
	if (wanted.size === 0 && dirs.size === 0) return [];
	const isWanted = (pid, { ino, writes }) => writes ? wanted.has(ino) : pid !== process.pid && dirs.has(ino);
	return require_cli.processIds().flatMap((pid) => [...openFiles(pid)].filter((file) => isWanted(pid, file)).map((file) => ({
		...file,
		pid
	})));
}
function* openFiles(pid) {
	for (const fd of require_cli.namesIn(`/proc/${pid}/fd`)) {
		const open = openInode(pid, fd);
		if (open !== null) yield {
			...open,
			fd
		};
	}
	for (const [, ino = ""] of (require_cli.processText(pid, "maps") ?? "").matchAll(SHARED)) yield {
		ino: BigInt(ino),
		fd: null,
		writes: true
	};
}
var SHARED = /^\S+ .w.s \S+ \S+ (\d+)/gm;
function statOf(path) {
	return require_cli.orNull(() => (0, node_fs.statSync)(path, { bigint: true }));
}
function openInode(pid, fd) {
	const name = require_cli.processLink(pid, `fd/${fd}`) ?? "";
	if (!name.startsWith("/") || name === "/dev/null" || name.startsWith("/dev/pts/")) return null;
	const info = require_cli.processText(pid, `fdinfo/${fd}`) ?? "";
	const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
	if (flags === void 0) return null;
	const writes = (Number.parseInt(flags, 8) & ACCESS) !== 0;
	const ino = inodeIn(info);
	if (ino !== null) return {
		ino,
		writes
	};
	const held = writes ? statOf(`/proc/${pid}/fd/${fd}`) : null;
	return held === null ? null : {
		ino: held.ino,
		writes
	};
}
function inodeIn(info) {
	const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
	return ino === void 0 ? null : BigInt(ino);
}
var BEFORE = "before";
var COPIES = "c";
function imageName(i) {
	return `l${i}`;
}
function copiedImage(path) {
	return `${BEFORE}/${COPIES}${path}`;
}
function imageOf(unit) {
	return "image" in unit ? unit.image : void 0;
}
function takenAway({ step, host, below }) {
	if (host === null || step.op === "meta") return [];
	return [{
		path: step.change.path,
		id: host
	}, ...below.map(({ path, host: id }) => ({
		path,
		id
	}))];
}
async function keepImages({ port, ctx, journal }, findings) {
	const kinds = /* @__PURE__ */ new Map();
	const taking = findings.checked.flatMap((one) => {
		const prints = takenAway(one).map(({ id }) => require_cli.fingerprint(id));
		return prints.length === 0 ? [] : [{
			one,
			prints
		}];
	});
	if (taking.length === 0) return kinds;
	const dir = require_trash.commitDir(ctx, journal.record.n);
	port.mkdir(require_cli.joinPath(dir, BEFORE), 448);
	const own = require_cli.mountOf(port, require_cli.joinPath(dir, BEFORE));
	const files = taking.flatMap(({ prints }) => prints).filter(({ type }) => type === "file");
	const held = heldForWriting(new Set(files.map(({ ino }) => ino)));
	const mounts = /* @__PURE__ */ new Map();
	for (const { one, prints } of taking) {
		const place = require_cli.coveringDir(ctx.coveredDirs, one.step.change.path)?.path ?? "/";
		if (!mounts.has(place)) mounts.set(place, require_cli.mountOf(port, place));
		const mayLink = mounts.get(place) === own && prints.every(({ dev }) => own.endsWith(`:${dev}`)) && prints.every((print) => isOnlyOurs(print, held));
		const permitted = one.step.op === "delete" || ctx.root || prints[0]?.uid === ctx.uid;
		kinds.set(one, mayLink && permitted ? "link" : "copy");
	}
	if ([...kinds.values()].includes("copy")) journal.syncBegin();
	await copyImages(port, dir, kinds, findings);
	return kinds;
}
function isOnlyOurs({ type, nlink, ino }, held) {
	return type === "dir" || nlink === 1 && !(type === "file" && held.has(ino));
}
async function copyImages(port, dir, kinds, findings) {
	const copied = [...kinds].filter(([, kind]) => kind === "copy").map(([one]) => one);
	if (copied.length === 0) return;
	port.mkdir(require_cli.joinPath(dir, copiedImage("")), 448);
	await require_cli.withHandleAsync(port, port.openDir(require_cli.joinPath(dir, copiedImage(""))), async (fd) => {
		const names = topsOf(copied.map(({ step, host }) => ({
			path: step.change.path,
			id: host
		}))).map((path) => require_cli.relativeTo("/", path));
		require_trash.makeParents(port, fd, names);
		const complaint = await require_trash.copyOut(port, "/", names, fd);
		for (const one of copied) {
			if (takenAway(one).every(({ path, id }) => isCopyOf(port, fd, path, id))) continue;
			require_trash.failStep(one.step, require_trash.noBeforeImage(complaint), findings.failed);
		}
		findings.checked = findings.checked.filter(({ step }) => !findings.failed.has(step.change.path));
	});
}
function topsOf(entries) {
	const dirs = new Set(entries.filter(({ id }) => require_cli.typeOf(id) === "dir").map(({ path }) => path));
	return entries.map(({ path }) => path).filter((path) => !require_cli.isBelowAny(path, dirs));
}
function isCopyOf(port, fd, path, id) {
	const stat = port.lstat(require_cli.at(fd, require_cli.relativeTo("/", path)));
	return stat !== null && require_cli.looksAlike(id, stat);
}
function linkedImage({ coveredDirs }, commit, unit) {
	const kind = imageOf(unit);
	if (kind === "link") return require_cli.joinPath(commit, require_cli.joinPath(BEFORE, imageName(unit.i)));
	const covered = kind === "back" ? require_cli.coveringDir(coveredDirs, unit.path) : null;
	return covered === null ? null : require_trash.waitingAt(require_cli.joinPath(commit, require_trash.BACK), covered, unit.path);
}
async function copyWrittenImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	const linked = /* @__PURE__ */ new Map();
	for (const unit of units) {
		const id = require_trash.hostOf(unit);
		if (imageOf(unit) !== "link" || !done.has(unit.i) || id === null) continue;
		const top = imageName(unit.i);
		if (require_cli.typeOf(id) === "file") linked.set(require_cli.fingerprint(id).ino, {
			unit,
			path: top
		});
		for (const { path, host } of require_trash.replacedBelow(unit)) {
			const below = require_cli.joinPath(top, require_cli.relativeTo(unit.path, path));
			if (require_cli.typeOf(host) === "file") linked.set(require_cli.fingerprint(host).ino, {
				unit,
				path: below
			});
		}
	}
	const held = heldForWriting(new Set(linked.keys()));
	if (held.size === 0) return;
	const dir = require_cli.joinPath(require_trash.commitDir(ctx, n), BEFORE);
	for (const ino of held) {
		const found = linked.get(ino);
		if (found === void 0) continue;
		const image = require_cli.joinPath(dir, found.path);
		if (port.lstat(image)?.ino !== ino) continue;
		if (!await ownCopy(port, dir, image)) journal.add({
			t: "no-image",
			i: found.unit.i
		});
	}
}
async function ownCopy(port, dir, image) {
	const copy = require_cli.joinPath(dir, "copy");
	if (port.lstat(copy) !== null) port.unlink(copy);
	const script = "IFS= read -r -d \"\" a; IFS= read -r -d \"\" b; exec cp -aT --reflink=auto -- \"$a\" \"$b\"";
	const input = Buffer.from(`${image}\0${copy}\0`, "latin1");
	const { status } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) return false;
	port.rename(copy, image);
	return true;
}
function dropUnusedImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	for (const unit of units) {
		if (unit.kind !== "put" || done.has(unit.i)) continue;
		const image = linkedImage(ctx, require_trash.commitDir(ctx, n), unit);
		if (image === null) continue;
		require_cli.orIfRefused(() => {
			if ((port.lstat(image)?.nlink ?? 0) <= 1) return;
			port.unlink(image);
			const now = imageOf(unit) === "back" ? port.lstat(unit.path) : null;
			if (now !== null) journal.add({
				t: "unlinked",
				i: unit.i,
				stamp: String(now.ctimeNs)
			});
		}, void 0);
	}
}
var MERGED = "merged";
function mergedUnits(units) {
	return units.flatMap((unit) => unit.kind === "put" && unit.merged !== void 0 ? [{
		...unit,
		merged: unit.merged
	}] : []);
}
function beforeMerge(port, ctx, record) {
	const found = /* @__PURE__ */ new Map();
	for (const { path, merged } of mergedUnits(record.units)) {
		const dir = require_cli.joinPath(require_cli.joinPath(require_trash.commitDir(ctx, record.n), MERGED), merged.id);
		if (port.lstat(require_cli.joinPath(dir, require_cli.nameOf(path)))?.type === "file") found.set(path, dir);
	}
	return found;
}
function restoreBases(ctx, commit, paths) {
	const unseen = [...commit.units.flatMap(({ overrides }) => overrides ?? []), ...mergedUnits(commit.units).map(({ path, merged }) => ({
		path,
		base: merged.base
	}))];
	if (unseen.length === 0) return;
	const file = require_list.readBaseFile(ctx);
	const entries = unseen.flatMap(({ path, base }) => {
		if (base === void 0 || !paths.has(path)) return [];
		return [[path, {
			listed: false,
			...file.records.get(path),
			path,
			base: looksUntouched(ctx, path, base) ? { state: "unknown" } : base
		}]];
	});
	require_list.appendBases(ctx, file, entries);
}
function looksUntouched(ctx, path, base) {
	const at = require_cli.upperPathIn(ctx.coveredDirs, path);
	const upper = at === null ? null : require_cli.lstatEntry(at);
	if (at === null || upper === null) return false;
	return upper.type === "dir" ? require_list.onlyTouched(upper, base) : require_list.equalsBase(at, upper, base);
}
Object.defineProperty(exports, "BEFORE", {
	enumerable: true,
	get: function() {
		return BEFORE;
	}
});
Object.defineProperty(exports, "MERGED", {
	enumerable: true,
	get: function() {
		return MERGED;
	}
});
Object.defineProperty(exports, "beforeMerge", {
	enumerable: true,
	get: function() {
		return beforeMerge;
	}
});
Object.defineProperty(exports, "copiedImage", {
	enumerable: true,
	get: function() {
		return copiedImage;
	}
});
Object.defineProperty(exports, "copyWrittenImages", {
	enumerable: true,
	get: function() {
		return copyWrittenImages;
	}
});
Object.defineProperty(exports, "dropUnusedImages", {
	enumerable: true,
	get: function() {
		return dropUnusedImages;
	}
});
Object.defineProperty(exports, "heldForWriting", {
	enumerable: true,
	get: function() {
		return heldForWriting;
	}
});
Object.defineProperty(exports, "imageName", {
	enumerable: true,
	get: function() {
		return imageName;
	}
});
Object.defineProperty(exports, "imageOf", {
	enumerable: true,
	get: function() {
		return imageOf;
	}
});
Object.defineProperty(exports, "inodeIn", {
	enumerable: true,
	get: function() {
		return inodeIn;
	}
});
Object.defineProperty(exports, "keepImages", {
	enumerable: true,
	get: function() {
		return keepImages;
	}
});
Object.defineProperty(exports, "linkedImage", {
	enumerable: true,
	get: function() {
		return linkedImage;
	}
});
Object.defineProperty(exports, "mergedUnits", {
	enumerable: true,
	get: function() {
		return mergedUnits;
	}
});
Object.defineProperty(exports, "openFiles", {
	enumerable: true,
	get: function() {
		return openFiles;
	}
});
Object.defineProperty(exports, "restoreBases", {
	enumerable: true,
	get: function() {
		return restoreBases;
	}
});
Object.defineProperty(exports, "statOf", {
	enumerable: true,
	get: function() {
		return statOf;
	}
});
Object.defineProperty(exports, "topsOf", {
	enumerable: true,
	get: function() {
		return topsOf;
	}
});
Object.defineProperty(exports, "treesInUse", {
	enumerable: true,
	get: function() {
		return treesInUse;
	}
});
Object.defineProperty(exports, "usersBelow", {
	enumerable: true,
	get: function() {
		return usersBelow;
	}
});
Object.defineProperty(exports, "writersOf", {
	enumerable: true,
	get: function() {
		return writersOf;
	}
});
