"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
let node_fs = require("node:fs");
let node_crypto = require("node:crypto");
let node_child_process = require("node:child_process");
function conflictOf(input) {
	const { base, host } = input;
	if (host === null) {
		if (base.state === "known" || base.state === "unknown") return "host-deleted";
		return input.parentGone ? "host-parent-gone" : null;
	}
	switch (base.state) {
		case "absent": return input.below ? "host-new-below" : "host-created";
		case "known": return sameEntry(base.host, host) ? null : "host-changed";
		case "unknown": return "unknown-base";
		case "none": return BigInt(host.ctimeNs) < input.since && (input.movedNs ?? 0n) < input.since ? null : "unknown-base";
	}
}
function sameEntry(base, now) {
	const isSame = (field) => base[field] === now[field];
	return ATTRIBUTES.every(isSame) && (base.type === "dir" || CONTENT.every(isSame));
}
var ATTRIBUTES = [
	"type",
	"uid",
	"gid",
	"mode"
];
var CONTENT = [
	"size",
	"nlink",
	"ino",
	"mtimeNs",
	"ctimeNs",
	"target"
];
function spreadGroupConflicts(changes) {
	const reasons = /* @__PURE__ */ new Map();
	for (const { group, conflict } of changes) if (group !== null && conflict !== null && !reasons.has(group)) reasons.set(group, conflict);
	if (reasons.size === 0) return;
	for (const change of changes) if (change.group !== null && change.conflict === null) change.conflict = reasons.get(change.group) ?? null;
}
var GIT = /^(.*?\/\.git)(?:\/|$)/s;
var SQLITE = /-(?:wal|shm|journal)$/;
function setGroups(changes) {
	const databases = /* @__PURE__ */ new Set();
	for (const { path } of changes) if (SQLITE.test(path)) databases.add(path.replace(SQLITE, ""));
	for (const change of changes) {
		const git = change.path.includes("/.git") ? GIT.exec(change.path)?.[1] : void 0;
		if (git !== void 0) change.group = `git:${git}`;
		else if (databases.size > 0) {
			const database = change.path.replace(SQLITE, "");
			if (databases.has(database)) change.group = `sqlite:${database}`;
		}
	}
	for (const names of linkSets(changes)) {
		const [first] = names;
		const group = names.find((change) => change.group !== null)?.group ?? `links:${first?.path}`;
		for (const change of names) change.group ??= group;
	}
}
function linkSets(changes) {
	if (changes.every(({ conflict }) => conflict === null)) return [];
	const sets = /* @__PURE__ */ new Map();
	const wanted = /* @__PURE__ */ new Set();
	for (const change of changes) {
		const inode = change.pending?.type === "file" ? require_cli.identityFields(change.upperIdentity)?.ino : void 0;
		if (inode === void 0) continue;
		require_draft.addTo(sets, inode, change);
		if (change.conflict !== null) wanted.add(inode);
	}
	return [...wanted].map((inode) => sets.get(inode) ?? []).filter((set) => set.length > 1);
}
function goesWithOthers(changes) {
	const groups = /* @__PURE__ */ new Set();
	const removed = /* @__PURE__ */ new Set();
	for (const { path, group, ignored, host, pending } of changes) {
		if (ignored !== null) continue;
		if (group !== null) groups.add(group);
		if (host?.type === "dir" && pending?.type !== "dir") removed.add(path);
	}
	return ({ path, group, pending }) => {
		if (group !== null && groups.has(group) && pending?.type !== "socket") return true;
		return removed.size > 0 && require_cli.isBelowAny(path, removed);
	};
}
function formatBaseLine(path, record) {
	if (record === null) return `${JSON.stringify({
		v: 1,
		path,
		state: "gone"
	})}\n`;
	const { base, listed, born, shows } = record;
	const flags = {
		listed: listed || void 0,
		born,
		shows: shows || void 0
	};
	return `${JSON.stringify({
		v: 1,
		path,
		...base,
		...flags
	})}\n`;
}
function parseBaseLines(text) {
	const records = /* @__PURE__ */ new Map();
	let lines = 0;
	for (const value of require_cli.jsonLines(text)) {
		const { v, path, state, listed, born, shows } = value;
		const base = parseBase(value);
		if (v !== 1 || !isPath(path) || base === null && state !== "gone") continue;
		lines++;
		if (base === null) {
			records.delete(path);
			continue;
		}
		const record = {
			path,
			base,
			listed: listed === true
		};
		if (isDigits(born)) record.born = born;
		if (shows === true) record.shows = true;
		records.set(path, record);
	}
	return {
		records,
		lines
	};
}
function makeBases(records) {
	const covering = [...records.values()].some(hadNothingElse);
	return { lookup(path) {
		const own = records.get(path);
		if (own !== void 0) return own.base;
		for (let dir = require_cli.parentOf(path); covering && dir !== "/"; dir = require_cli.parentOf(dir)) {
			const above = records.get(dir);
			if (above !== void 0 && hadNothingElse(above)) return { state: "absent" };
		}
		return { state: "none" };
	} };
}
function hadNothingElse({ base, listed }) {
	return listed || base.state === "absent" || base.state === "known" && base.host.type !== "dir";
}
function parseBase(value) {
	const { state, sha256, blob, index, xattrs } = value;
	if (state === "absent" || state === "unknown") return { state };
	const host = state === "known" ? parseHost(value["host"]) : null;
	if (host === null) return null;
	const base = {
		state: "known",
		host
	};
	if (typeof sha256 === "string") {
		base.sha256 = sha256;
		base.blob = blob === true;
	}
	if (typeof index === "string") base.index = index;
	if (typeof xattrs === "string") base.xattrs = xattrs;
	return base;
}
function parseHost(value) {
	if (!require_cli.isObject(value)) return null;
	const { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs, target } = value;
	if (!isEntryType(type) || !isNumber(mode) || !isNumber(uid) || !isNumber(gid)) return null;
	if (!isNumber(size) || !isNumber(nlink) || !isDigits(dev) || !isDigits(ino)) return null;
	if (!isDigits(mtimeNs) || !isDigits(ctimeNs)) return null;
	const stat = {
		type,
		mode,
		uid,
		gid,
		size,
		nlink,
		dev,
		ino,
		mtimeNs,
		ctimeNs
	};
	if (typeof target === "string" && require_cli.isByteString(target)) stat.target = target;
	return stat;
}
var isNumber = (value) => typeof value === "number";
var isEntryType = (value) => require_draft.ENTRY_TYPES.some((type) => type === value);
function isPath(value) {
	return typeof value === "string" && value.startsWith("/") && require_cli.isByteString(value);
}
function isDigits(value) {
	return typeof value === "string" && /^-?\d+$/.test(value);
}
function wasThere(base) {
	return base.state === "known" || base.state === "unknown";
}
function wasDirectory(base) {
	return base.state === "unknown" || base.state === "known" && base.host.type === "dir";
}
var viewNotMounted = (why, cause) => new require_cli.TraiError("unsupported", `the merged view could not be mounted: ${why}`, {
	hint: "`trai doctor` checks what the kernel allows and says what to do.",
	cause
});
var mountedBelow = (point, covered, cause) => new require_cli.TraiError("unsupported", `${require_cli.toDisplay(point)} was mounted below ${require_cli.toDisplay(covered)} after calls had changed something there, and as long as it is, that can't be looked at`, {
	hint: `Unmount ${require_cli.toDisplay(point)}; nothing of what is pending is lost.`,
	cause
});
var basesAreNoFile = (path) => new require_cli.TraiError("corrupt", "expected base records, found something that is no file", {
	path,
	hint: "Move it away: then the host’s changes since are conflicts. Nothing was changed."
});
var dirUnreadable = (why) => `The host’s directory could not be read: ${why}`;
var DIR_CLOSED = "The host’s directory may not be searched (no x permission).";
var OTHER_FILE_SYSTEM = "Another file system is mounted here now: it is left alone.";
var CLOSED_IN_SANDBOX = "What is below it cannot be read: the sandbox took away the permission to look into it. A command in the sandbox can give it back (chmod u+rx).";
var PASS = ".base-pass";
var LOOKS = ".base-looks";
var DEAD_LINES_MAX = 2e3;
function readBaseFile(ctx) {
	const path = fileOf(ctx);
	const text = require_cli.readPlainFile(path);
	if (text !== null) return {
		...parseBaseLines(text.toString("latin1")),
		lastPassNs: readPass(ctx)
	};
	if ((0, node_fs.lstatSync)(path, { throwIfNoEntry: false }) !== void 0) throw basesAreNoFile(path);
	return {
		records: /* @__PURE__ */ new Map(),
		lines: 0,
		lastPassNs: 0n
	};
}
function appendBases(ctx, file, entries) {
	const path = fileOf(ctx);
	const added = [...entries];
	if (added.length === 0) return;
	const text = added.map(([at, record]) => formatBaseLine(at, record)).join("");
	(0, node_fs.appendFileSync)(path, endsWithNewline(path) ? text : `\n${text}`, {
		encoding: "latin1",
		mode: 384
	});
	for (const [at, record] of added) if (record === null) file.records.delete(at);
	else file.records.set(at, record);
	file.lines += added.length;
	if (file.lines - file.records.size > DEAD_LINES_MAX + file.records.size) rewrite(ctx, file);
}
function dropBases(ctx, file, paths) {
	appendBases(ctx, file, paths.map((path) => [path, null]));
}
function notePass(ctx, beganMs) {
	const path = fileOf(ctx);
	if (!(0, node_fs.existsSync)(path)) (0, node_fs.writeFileSync)(path, "", { mode: 384 });
	require_cli.tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmBases(ctx, beganMs) {
	if ((0, node_fs.existsSync)(fileOf(ctx))) require_cli.tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmEmpty(dir) {
	require_cli.tryWriteWhole(`${dir}/${PASS}`, String(Date.now() - 20));
}
function readPass(ctx) {
	const text = require_cli.readPlainFile(passOf(ctx))?.toString("latin1") ?? "";
	return /^\d{1,15}$/.test(text) ? BigInt(text) * 1000000n : 0n;
}
function noteLook(ctx, look) {
	const known = readLooks(ctx);
	const lastPass = readPass(ctx);
	if (known.some(({ from }) => toNs(from) > lastPass)) return;
	const text = [...known.slice(-1), look].map(({ from, until }) => `${from} ${until}\n`).join("");
	require_cli.tryWriteWhole(looksOf(ctx), text);
}
function readLooks(ctx) {
	return [...(require_cli.readPlainFile(looksOf(ctx))?.toString("latin1") ?? "").matchAll(/^(\d{1,15}) (\d{1,15})$/gm)].map(([, from, until]) => ({
		from: Number(from),
		until: Number(until)
	}));
}
function toNs(ms) {
	return BigInt(ms - 20) * 1000000n;
}
function storeBlob(ctx, sha256, content) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if ((0, node_fs.existsSync)(`${dir}/${sha256}`)) return;
	try {
		require_cli.writeWhole(`${dir}/${sha256}`, content);
	} catch (error) {
		if (require_cli.errorCode(error) !== "ENOENT") throw error;
		(0, node_fs.mkdirSync)(dir, {
			recursive: true,
			mode: 448
		});
		require_cli.writeWhole(`${dir}/${sha256}`, content);
	}
}
var FEW_BLOBS = 64;
function blobsStored(ctx, asked) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if (asked <= FEW_BLOBS) return (sha256) => (0, node_fs.existsSync)(`${dir}/${sha256}`);
	const names = new Set(require_cli.namesOrNone(require_cli.fromText(dir)));
	return (sha256) => names.has(sha256);
}
function rewrite(ctx, file) {
	const text = [...file.records].map(([at, record]) => formatBaseLine(at, record)).join("");
	require_cli.writeWhole(fileOf(ctx), text);
	file.lines = file.records.size;
}
function endsWithNewline(path) {
	const last = require_cli.readTail(path, 1);
	return last === null || last.length === 0 || last[0] === 10;
}
function fileOf(ctx) {
	return `${ctx.sessionDir}/overlay/base.jsonl`;
}
function looksOf(ctx) {
	return `${ctx.sessionDir}/overlay/${LOOKS}`;
}
function passOf(ctx) {
	return `${ctx.sessionDir}/overlay/${PASS}`;
}
var SNIFF_BYTES = 8192;
function isBinary(content) {
	return hasNul(content) || decodeText(content) === null;
}
function isBinaryHead(head) {
	return hasNul(head) || decodeText(head, true) === null;
}
function decodeText(content, head = false) {
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(content, { stream: head });
	} catch {
		return null;
	}
}
var MAGIC = [
	{
		at: 0,
		bytes: "PNG\r\n\n",
		mime: "image/png"
	},
	{
		at: 0,
		bytes: "ÿØÿ",
		mime: "image/jpeg"
	},
	{
		at: 0,
		bytes: "GIF87a",
		mime: "image/gif"
	},
	{
		at: 0,
		bytes: "GIF89a",
		mime: "image/gif"
	},
	{
		at: 8,
		bytes: "WEBPVP8",
		mime: "image/webp"
	},
	{
		at: 4,
		bytes: "ftypavif",
		mime: "image/avif"
	},
	{
		at: 0,
		bytes: "\0\0\0",
		mime: "image/x-icon"
	},
	{
		at: 0,
		bytes: "%PDF-",
		mime: "application/pdf"
	},
	{
		at: 0,
		bytes: "PK",
		mime: "application/zip"
	},
	{
		at: 0,
		bytes: "",
		mime: "application/gzip"
	},
	{
		at: 0,
		bytes: "ELF",
		mime: "application/x-executable"
	},
	{
		at: 0,
		bytes: "SQLite format 3\0",
		mime: "application/vnd.sqlite3"
	},
	{
		at: 0,
		bytes: "\0asm",
		mime: "application/wasm"
	},
	{
		at: 0,
		bytes: "ÿþ",
		mime: "text/plain; charset=utf-16"
	},
	{
		at: 0,
		bytes: "þÿ",
		mime: "text/plain; charset=utf-16"
	}
];
function sniffMime(head) {
	const text = String.fromCharCode(...head.subarray(0, 32));
	return MAGIC.find(({ at, bytes }) => text.startsWith(bytes, at))?.mime ?? null;
}
function hasNul(content) {
	return content.subarray(0, SNIFF_BYTES).includes(0);
}
var MAX_BYTES = 134217728;
var CACHES = /* @__PURE__ */ new Set([
	"TREE",
	"UNTR",
	"FSMN",
	"EOIE",
	"IEOT"
]);
var STAT = 40;
var MODE_AT = 24;
var EXTENDED = 16384;
var FLAGS = 45056;
function indexDigest(path, identity) {
	if (require_cli.nameOf(path) !== "index") return null;
	const bytes = require_cli.readSame(path, identity, MAX_BYTES);
	return bytes === null ? null : digestOf(bytes);
}
function digestOf(bytes) {
	if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
	const version = bytes.readUInt32BE(4);
	if (version < 2 || version > 4) return null;
	for (const algorithm of ["sha1", "sha256"]) {
		const digest = digestWith(bytes, version, algorithm);
		if (digest !== null) return digest;
	}
	return null;
}
function digestWith(bytes, version, algorithm) {
	const idBytes = algorithm === "sha1" ? 20 : 32;
	const end = bytes.length - idBytes;
	const sum = bytes.subarray(end);
	if (end < 12 || !(sum.every((byte) => byte === 0) || sum.equals(hashOf(bytes.subarray(0, end), algorithm)))) return null;
	const hash = (0, node_crypto.createHash)("sha256").update(`${algorithm}\0${bytes.readUInt32BE(8)}\0`);
	try {
		const at = addEntries(hash, bytes.subarray(0, end), version, idBytes);
		return at !== null && addExtensions(hash, bytes.subarray(0, end), at) ? hash.digest("hex") : null;
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}
var hashOf = (bytes, algorithm) => (0, node_crypto.createHash)(algorithm).update(bytes).digest();
function addEntries(hash, bytes, version, idBytes) {
	let at = 12;
	let name = Buffer.alloc(0);
	for (let left = bytes.readUInt32BE(8); left > 0; left--) {
		const start = at;
		const id = bytes.subarray(start + STAT, start + STAT + idBytes);
		at = start + STAT + idBytes;
		const flags = bytes.readUInt16BE(at);
		at += 2;
		let more = 0;
		if ((flags & EXTENDED) !== 0) {
			more = bytes.readUInt16BE(at);
			at += 2;
		}
		let kept = Buffer.alloc(0);
		if (version === 4) {
			const strip = readVarint(bytes, at);
			at = strip.at;
			if (strip.value > name.length) return null;
			kept = name.subarray(0, name.length - strip.value);
		}
		const nul = bytes.indexOf(0, at);
		if (nul < 0) return null;
		name = Buffer.concat([kept, bytes.subarray(at, nul)]);
		at = version === 4 ? nul + 1 : start + (nul - start + 8 & -8);
		const mode = bytes.readUInt32BE(start + MODE_AT).toString(8);
		hash.update(`${mode} ${flags & FLAGS} ${more} ${id.toString("hex")} ${name.length}\0`).update(name);
	}
	return at;
}
function readVarint(bytes, from) {
	let at = from;
	let byte = bytes.readUInt8(at++);
	let value = byte & 127;
	while ((byte & 128) !== 0) {
		byte = bytes.readUInt8(at++);
		value = (value + 1) * 128 + (byte & 127);
	}
	return {
		value,
		at
	};
}
function addExtensions(hash, bytes, from) {
	let at = from;
	while (at < bytes.length) {
		const name = bytes.toString("latin1", at, at + 4);
		const size = bytes.readUInt32BE(at + 4);
		const content = bytes.subarray(at + 8, at + 8 + size);
		if (content.length < size) return false;
		if (!CACHES.has(name)) hash.update(`${name} ${size}\0`).update(content);
		at += 8 + size;
	}
	return at === bytes.length;
}
function knownBase(ctx, path, host, upper) {
	const seen = {
		state: "known",
		host: require_cli.toHostStat(host, path)
	};
	if (host.type !== "file" || upper.type !== "file") return seen;
	const index = indexDigest(path, require_cli.identityOf$1(host));
	const known = index === null ? seen : {
		...seen,
		index
	};
	const text = require_cli.readSame(path, require_cli.identityOf$1(host), require_cli.BASE_BLOB_BYTES);
	if (text !== null && !isBinary(text)) {
		const sha256 = (0, node_crypto.hash)("sha256", text);
		storeBlob(ctx, sha256, text);
		return {
			...known,
			sha256,
			blob: true
		};
	}
	const sha256 = host.size === upper.size ? require_cli.hashSame(path, require_cli.identityOf$1(host)) : null;
	return sha256 === null ? known : {
		...known,
		sha256
	};
}
function copiedDirOf(ctx, path) {
	return ctx.coveredDirs.find((covered) => covered.copied !== void 0 && path !== covered.path && require_cli.isWithin(path, covered.path) && require_cli.lstatEntry(require_cli.upperPath(covered, path)) !== null);
}
function copiedBase(ctx, covered, path, upper) {
	const seen = require_cli.parentOf(path) === covered.path ? require_draft.readCopies(covered)?.entries[require_cli.nameOf(path)] : void 0;
	if (seen === void 0) return { state: "absent" };
	const host = require_cli.lstatEntry(path);
	if (host !== null && upper !== null && require_draft.isSame(seen, require_cli.toHostStat(host, path))) return knownBase(ctx, path, host, upper);
	return {
		state: "known",
		host: seen
	};
}
function rootBase({ path, upper }) {
	const [host, made] = [require_cli.lstatEntry(path), require_cli.lstatEntry(upper)];
	if (host?.type !== "dir" || made === null) return null;
	if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
	return {
		state: "known",
		host: require_cli.toHostStat(host, path)
	};
}
async function rebase(ctx, paths, hiding = /* @__PURE__ */ new Set(), file = readBaseFile(ctx)) {
	const seen = /* @__PURE__ */ new Map();
	const entries = paths.map((path) => {
		const host = require_cli.lstatEntry(path);
		seen.set(path, host);
		const base = host === null ? { state: "absent" } : knownBase(ctx, path, host, host);
		const covered = host?.type === "dir" ? require_cli.coveringDir(ctx.coveredDirs, path) : null;
		const upper = covered === null ? null : require_cli.lstatEntry(require_cli.upperPath(covered, path));
		const born = upper?.type === "dir" ? { born: String(upper.birthNs) } : {};
		return [path, {
			path,
			base,
			listed: host?.type === "dir" && hiding.has(path),
			...born
		}];
	});
	await noteXattrs(entries.map(([, record]) => record));
	appendBases(ctx, file, entries);
	return seen;
}
async function noteXattrs(records, known = /* @__PURE__ */ new Set()) {
	const asked = [];
	for (const { path, base } of records) if (base.state === "known" && base.host.type === "dir" && !known.has(base)) asked.push({
		path,
		base
	});
	const texts = await require_cli.askXattrs(asked.map(({ path }) => path));
	asked.forEach(({ path, base }, i) => {
		const text = texts[i] ?? null;
		const now = text === null ? null : require_cli.hostEntry(path);
		if (text === null || now === null || now === "closed") return;
		if (String(now.ino) === base.host.ino && String(now.ctimeNs) === base.host.ctimeNs) base.xattrs = xattrHash(text);
	});
	return /* @__PURE__ */ new Set([...known, ...asked.map(({ base }) => base)]);
}
function xattrHash(text) {
	return text === "" ? "none" : (0, node_crypto.hash)("sha256", text).slice(0, 16);
}
function* hostTree(dir, dev, look) {
	const stack = [dir];
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
		yield null;
		let names;
		try {
			names = require_cli.readNames(at);
			if (require_cli.holdsOutOfReach(at)) look.onProblem({
				path: at,
				message: require_cli.OUT_OF_REACH
			});
		} catch (error) {
			look.onProblem({
				path: at,
				message: dirUnreadable(require_cli.errorText(error))
			});
			continue;
		}
		for (const name of names) {
			const path = require_cli.joinPath(at, name);
			if (look.skip(path)) continue;
			const entry = require_cli.hostEntry(path);
			if (entry === null) continue;
			if (entry === "closed") {
				look.onProblem({
					path: at,
					message: DIR_CLOSED
				});
				break;
			}
			if (entry.type === "dir" && entry.dev !== dev) {
				look.onProblem({
					path,
					message: OTHER_FILE_SYSTEM
				});
				continue;
			}
			yield {
				path,
				entry
			};
			if (entry.type === "dir") stack.push(path);
		}
	}
}
var OPEN_LIMIT_MS = 1e4;
var SCRIPT = `
options=$1 dirs=$2; shift 2
if [ "$1" = groups ]; then echo groups; read -r answer; shift; fi
mount -t tmpfs -o mode=0700,size=1m trai-view ../view || exit 1
mkdir -p ../view/e $dirs
while [ $# -gt 0 ]; do
  lower=$1/l
  if [ "$2" = copied ]; then lower=$1/c; mkdir -p $1/c; fi
  if [ "$2" = gone ]; then lower=../view/e; fi
  if [ "$2" = wrapped ]; then
    mount -t overlay -o "ro,$options,lowerdir=$1/l:../view/e" trai-view ../view/h/$1 || exit 1
    lower=../view/h/$1
  fi
  mount -t overlay -o "ro,$options,lowerdir=$1/u:$lower" trai-view ../view/v/$1 || exit 1
  shift 2
done
echo ready
read -r end
`;
async function openViewer(ctx) {
	const shown = shownBy(ctx);
	if (shown.length === 0) return {
		pathOf: (path) => path,
		close: async () => {}
	};
	const room = require_cli.joinPath(require_cli.parentOf(require_cli.realPath(require_cli.fromText(`${ctx.sessionDir}/overlay`))), "view");
	(0, node_fs.mkdirSync)(require_cli.fsPath(room), {
		recursive: true,
		mode: 448
	});
	const groups = ctx.root ? [] : require_draft.mappedGroups();
	const child = startNamespace(ctx, shown, groups.length > 0);
	if (groups.length > 0) child.stdout?.once("data", () => {
		require_draft.mapGroups(child.pid ?? 0, ctx.gid, groups).finally(() => child.stdin?.write("\n"));
	});
	await untilReady(child).catch((error) => {
		throw withMounts(error, shown);
	});
	const root = require_cli.bytePath(`/proc/${child.pid}/root${room}/v`);
	return {
		pathOf(path) {
			const covered = require_cli.coveringDir(shown, path);
			if (covered === null || covered !== require_cli.coveringDir(ctx.coveredDirs, path)) return path;
			return require_cli.upperPath({
				...covered,
				upper: require_cli.joinPath(root, String(covered.n))
			}, path);
		},
		close: () => end(child)
	};
}
function shownBy({ coveredDirs }) {
	return coveredDirs.filter(({ upper }) => require_cli.namesOrNone(upper).length > 0);
}
function withMounts(error, shown) {
	const mounts = require_cli.ownMounts();
	for (const { path } of shown) {
		const below = mounts.find(({ point }) => point !== path && require_cli.isWithin(point, path));
		if (below !== void 0) return mountedBelow(below.point, path, error);
	}
	return error;
}
function startNamespace(ctx, shown, groups) {
	const user = ctx.root ? [] : ["--user", groups ? "--map-user=0" : "--map-root-user"];
	const options = ctx.root ? require_cli.ROOT_OPTIONS : "userxattr";
	const places = shown.flatMap((covered) => [String(covered.n), lowerKind(covered)]);
	const dirs = shown.map(({ n }) => `../view/v/${n} ../view/h/${n}`).join(" ");
	return (0, node_child_process.spawn)(require_cli.programPath("unshare"), [
		...user,
		"--mount",
		"/bin/sh",
		"-c",
		SCRIPT,
		"sh",
		options,
		dirs,
		...groups ? ["groups"] : [],
		...places
	], {
		cwd: `${ctx.sessionDir}/overlay`,
		stdio: [
			"pipe",
			"pipe",
			"pipe"
		],
		detached: true,
		env: {
			...require_cli.plainEnv(),
			LIBMOUNT_FORCE_MOUNT2: "always"
		}
	});
}
function lowerKind({ copied, upper, path }) {
	if (copied !== void 0) return "copied";
	if (require_cli.lstat(path)?.type !== "dir") return "gone";
	return require_cli.isWithin(require_cli.realPath(upper), require_cli.realPath(path)) ? "wrapped" : "direct";
}
function untilReady(child) {
	return new Promise((resolve, reject) => {
		let said = "";
		const fail = (why, cause) => {
			clearTimeout(timer);
			child.kill("SIGKILL");
			reject(viewNotMounted(why, cause));
		};
		const timer = setTimeout(() => fail(`no answer within ${OPEN_LIMIT_MS / 1e3} s`), OPEN_LIMIT_MS);
		child.on("error", (error) => fail(error.message, error));
		child.on("exit", (code, signal) => fail(said.trim() || `unshare ended with ${signal ?? `status ${code}`}`));
		child.stderr?.on("data", (chunk) => {
			if (said.length < 2e3) said += chunk.toString("utf8");
		});
		child.stdin?.on("error", () => {});
		child.stdout?.on("data", (chunk) => {
			if (!chunk.includes("ready")) return;
			clearTimeout(timer);
			child.removeAllListeners("exit");
			child.unref();
			resolve();
		});
	});
}
function end(child) {
	if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
	return new Promise((resolve) => {
		child.once("exit", () => resolve());
		child.ref();
		child.kill("SIGKILL");
	});
}
function hiddenNames(viewer, dir, names) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return [];
	const hidden = [];
	for (const name of names) {
		if (require_cli.lstatEntry(require_cli.joinPath(view, name)) !== null) return [];
		if (require_cli.lstatEntry(require_cli.joinPath(dir.upper, name)) === null && require_cli.lstatEntry(require_cli.joinPath(dir.host, name)) !== null) hidden.push(name);
	}
	return hidden;
}
function showsHost(viewer, dir) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return false;
	const own = require_cli.lstatEntry(dir.upper);
	if (own !== null && own.nlink >= 2) return require_cli.lstatEntry(view)?.nlink === 1;
	const present = new Set(require_cli.readNames(dir.upper));
	return require_cli.readNames(dir.host).some((name) => !present.has(name) && require_cli.lstatEntry(require_cli.joinPath(view, name)) !== null);
}
var remembered = /* @__PURE__ */ new Map();
var REMEMBERED_MAX = 1e3;
async function replacedAmong(ctx, covered, dirs) {
	let viewer = null;
	try {
		let way = "";
		for (const dir of dirs) {
			way += identity(dir.upper);
			const known = remembered.get(dir.upperPath);
			let madeAgain = known?.way === way ? known.madeAgain : null;
			if (madeAgain === null) {
				viewer ??= await openViewer({
					...ctx,
					coveredDirs: [covered]
				});
				madeAgain = isMadeAgain(viewer, dir);
				if (madeAgain !== null) remember(dir.upperPath, {
					way,
					madeAgain
				});
			}
			if (madeAgain === true) return dir.path;
		}
		return null;
	} finally {
		await viewer?.close();
	}
}
function remember(upperPath, answer) {
	if (remembered.size >= REMEMBERED_MAX) remembered.clear();
	remembered.set(upperPath, answer);
}
function isMadeAgain(viewer, { path, upperPath, upper }) {
	const shown = require_cli.lstatEntry(viewer.pathOf(path));
	if (shown === null) return null;
	if (upper.nlink >= 2) return shown.nlink !== 1;
	const here = new Set(require_cli.namesOrNone(upperPath));
	const missing = require_cli.namesOrNone(path).filter((name) => !here.has(name));
	if (missing.length === 0) return null;
	return hiddenNames(viewer, {
		host: path,
		upper: upperPath
	}, missing).length > 0;
}
function identity({ dev, ino, birthNs, ctimeNs }) {
	return `${dev}:${ino}:${birthNs === 0n ? `c${ctimeNs}` : birthNs} `;
}
var UNSEEN = {
	ctimeNs: 2n ** 63n,
	movedNs: 2n ** 63n
};
function aboveRoot(root) {
	const ctimeNs = root?.ctimeNs ?? 0n;
	return {
		ctimeNs,
		movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs
	};
}
function below(above, dir) {
	return {
		ctimeNs: dir.ctimeNs,
		movedNs: later(putThere(dir, above), above.movedNs)
	};
}
function putThere(entry, above) {
	return earlier(entry.ctimeNs, above.ctimeNs);
}
var earlier = (a, b) => b < a ? b : a;
var later = (a, b) => b > a ? b : a;
function wasSeen(entry, bound, window, above) {
	return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}
var SeenWindow = class {
	#ctx;
	#since;
	#lastPass;
	#looks;
	#mounts;
	#isWholeLog = false;
	#blind;
	constructor(ctx, { lastPassNs }, { earliestCall }) {
		this.#ctx = ctx;
		this.#lastPass = lastPassNs;
		const births = ctx.coveredDirs.map(({ upper }) => require_cli.lstatEntry(upper)?.birthNs ?? 0n);
		const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
		this.#since = later(toNs(earliestCall ?? 0), since);
		this.#looks = readLooks(ctx).map(({ from, until }) => ({
			from: toNs(from),
			until: BigInt(until) * 1000000n
		}));
		this.#mounts = mountsIn(require_cli.orNull(() => require_cli.readTail(require_cli.logPath(ctx.sessionDir), TAIL_BYTES)));
		this.#blind = this.#mounts.length === 0 && lastPassNs === 0n && earliestCall === void 0;
	}
	of(upper) {
		const bound = require_cli.isWhiteout(upper) && this.#since > upper.birthNs ? this.#since : upper.birthNs;
		return this.#blind ? bound : earlier(this.#before(bound) ?? this.#since, bound);
	}
	get latest() {
		return this.#before(BigInt(Date.now()) * 1000000n) ?? 0n;
	}
	#before(bound) {
		const looks = [...this.#mounts, ...this.#looks].filter(({ until }) => until <= bound);
		if (looks.length > 0) {
			const times = looks.map(({ from }) => from);
			const fresh = times.filter((from) => from > this.#lastPass);
			return fresh.length > 0 ? fresh.reduce(earlier) : times.reduce(later);
		}
		if (this.#isWholeLog) return null;
		this.#isWholeLog = true;
		this.#mounts = mountsIn(require_cli.orNull(() => require_cli.readPlainFile(require_cli.logPath(this.#ctx.sessionDir))));
		return this.#before(bound);
	}
};
var TAIL_BYTES = 262144;
function mountsIn(log) {
	const lines = (log?.toString("latin1") ?? "").split("\n");
	const callOf = (line) => /"call":"([^"]*)"/.exec(line)?.[1] ?? "";
	const joined = new Set(lines.filter((line) => line.includes("\"t\":\"call.joined\"")).map(callOf));
	return lines.filter((line) => line.includes("\"t\":\"call.started\"") && MOUNTED.test(line) && !joined.has(callOf(line))).map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "")).filter(Number.isFinite).map((at) => ({
		from: toNs(at),
		until: toNs(at)
	}));
}
var MOUNTED = /"mode":"sandbox"(?!,"overlay":"(?:joined|inside)")/;
var LOCAL = /* @__PURE__ */ new Set([...[
	61267,
	2435016766,
	1481003842,
	16914836,
	4076150800,
	801189825,
	3393526350
], ...[
	827541066,
	13364,
	2240043254,
	2035054128
]]);
function hasOurTimes(dir) {
	return LOCAL.has(require_cli.orNull(() => require_cli.fileSystemType(dir)) ?? NaN);
}
var FOREIGN_NS = BigInt(require_cli.FOREIGN_CLOCK_MS) * 1000000n;
var HostClocks = class {
	#ctx;
	#foreign = null;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	lag(path) {
		const { coveredDirs } = this.#ctx;
		this.#foreign ??= new Set(coveredDirs.filter((dir) => !hasOurTimes(dir.path)).map(({ n }) => n));
		if (this.#foreign.size === 0) return 0n;
		const covered = require_cli.coveringDir(coveredDirs, path);
		return covered !== null && this.#foreign.has(covered.n) ? FOREIGN_NS : 0n;
	}
};
async function readBases(ctx) {
	const bases = makeBases(readBaseFile(ctx).records);
	return { lookup(path) {
		const base = bases.lookup(path);
		const covered = base.state === "none" ? copiedDirOf(ctx, path) : void 0;
		return covered === void 0 ? base : copiedBase(ctx, covered, path, null);
	} };
}
async function recordBases(ctx, options = {}) {
	const began = Date.now() - 20;
	const file = readBaseFile(ctx);
	const viewer = new EarlyViewer(ctx);
	const pass = new Pass(ctx, file, options, () => viewer.begin());
	try {
		for (const covered of ctx.coveredDirs) await require_cli.inSlices(pass.walk(covered.path, covered.upper), never);
		while (pass.asked.length > 0) await require_cli.inSlices(pass.askForCopies(), never);
		const noted = noteXattrs(pass.taken.values());
		noted.catch(() => {});
		if (pass.touched.length > 0) await require_cli.inSlices(pass.listReplaced(await viewer.opened()), never);
		await noteXattrs(pass.taken.values(), await noted);
	} finally {
		await viewer.close();
	}
	appendBases(ctx, file, [...pass.left().map((path) => [path, null]), ...pass.taken]);
	notePass(ctx, began);
	return { added: pass.taken.size };
}
var never = () => false;
var EarlyViewer = class {
	#ctx;
	#opening = null;
	#shown = 0;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	begin() {
		if (this.#opening !== null) return;
		this.#shown = shownBy(this.#ctx).length;
		this.#opening = openViewer(this.#ctx);
		this.#opening.catch(() => {});
	}
	async opened() {
		if (this.#opening !== null && shownBy(this.#ctx).length !== this.#shown) {
			await this.close();
			this.#opening = null;
		}
		this.begin();
		return await this.#opening;
	}
	async close() {
		await (await this.#opening?.catch(() => null))?.close();
	}
};
var Pass = class {
	taken = /* @__PURE__ */ new Map();
	touched = [];
	asked = [];
	seen = /* @__PURE__ */ new Set();
	hid = /* @__PURE__ */ new Set();
	closed = /* @__PURE__ */ new Set();
	ctx;
	file;
	window;
	clocks;
	before;
	onTouched;
	constructor(ctx, file, options, onTouched) {
		[this.ctx, this.file, this.onTouched] = [
			ctx,
			file,
			onTouched
		];
		this.window = new SeenWindow(ctx, file, options);
		this.clocks = new HostClocks(ctx);
		this.before = makeBases(file.records);
	}
	*walk(root, upperRoot) {
		this.seen.add(root);
		const upper = require_cli.lstatEntry(upperRoot);
		if (upper !== null && require_cli.isClosed(upper, this.ctx.root)) return void this.closed.add(root);
		const rootEntry = require_cli.lstatEntry(root);
		const onHost = rootEntry?.type === "dir";
		yield* this.directories([{
			path: root,
			upperPath: upperRoot,
			onHost,
			above: aboveRoot(rootEntry)
		}]);
	}
	*askForCopies() {
		const asked = this.asked;
		this.asked = [];
		const answers = require_cli.areCopies(asked.map(({ upperPath }) => upperPath));
		yield null;
		const stack = [];
		for (const { path, upperPath, upper, host, above } of asked.filter((_, i) => answers[i] === true)) {
			const listed = this.taken.get(path)?.listed === true;
			const base = host === null ? { state: "unknown" } : knownBase(this.ctx, path, host, upper);
			this.take({
				path,
				base,
				listed
			});
			if (host === null && upper.type === "dir" && !require_cli.isClosed(upper, this.ctx.root)) stack.push({
				path,
				upperPath,
				onHost: false,
				above
			});
		}
		yield* this.directories(stack);
	}
	*directories(stack) {
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			for (const name of require_cli.namesOrNone(at.upperPath)) {
				const path = require_cli.joinPath(at.path, name);
				const upperPath = require_cli.joinPath(at.upperPath, name);
				const upper = require_cli.isExcluded(path, this.ctx.excluded) ? null : require_cli.lstatEntry(upperPath);
				const host = upper !== null && at.onHost ? require_cli.hostEntry(path) : null;
				if (upper === null) continue;
				const known = host === "closed" ? {
					host: null,
					above: UNSEEN
				} : {
					host,
					above: at.above
				};
				if (!(yield* this.entry({
					path,
					upperPath,
					upper,
					...known
				}))) continue;
				if (require_cli.isClosed(upper, this.ctx.root)) continue;
				const onHost = known.host?.type === "dir";
				const above = known.host !== null && onHost ? below(at.above, known.host) : known.above;
				stack.push({
					path,
					upperPath,
					onHost,
					above: this.hid.has(path) ? UNSEEN : above
				});
			}
		}
	}
	*listReplaced(viewer) {
		const unseen = /* @__PURE__ */ new Set();
		for (const { path, upperPath, above } of this.touched) {
			yield null;
			const present = new Set(require_cli.namesOrNone(upperPath));
			const missing = require_cli.namesOrNone(path).filter((name) => !present.has(name));
			const record = this.taken.get(path) ?? this.file.records.get(path);
			if (record === void 0 || this.closed.has(path)) continue;
			const born = String(require_cli.lstatEntry(upperPath)?.birthNs ?? 0n);
			const dir = {
				host: path,
				upper: upperPath
			};
			const hides = hiddenNames(viewer, dir, missing).length > 0;
			const shows = !hides && showsHost(viewer, dir);
			if (hides || record.born !== born || (record.shows ?? false) !== shows) this.take({
				...record,
				listed: record.listed || hides,
				born,
				shows
			});
			const met = this.file.records.get(path);
			const blind = met !== void 0 && !shows && ((met.born ?? born) === born || met.shows !== true);
			if (blind) unseen.add(path);
			if (!hides) continue;
			const made = require_cli.lstatEntry(upperPath);
			if (made !== null) yield* this.listing(path, this.windowOf(path, made), blind ? UNSEEN : above);
		}
		if (unseen.size > 0) this.doubt(unseen);
	}
	doubt(dirs) {
		for (const { path, base, ...more } of this.taken.values()) if (base.state === "known" && !this.file.records.has(path) && require_cli.isBelowAny(path, dirs)) this.take({
			path,
			base: { state: "unknown" },
			...more
		});
	}
	left() {
		const gone = [];
		const listed = new Set(this.closed);
		for (const record of [...this.file.records.values(), ...this.taken.values()]) if (record.listed && this.seen.has(record.path)) listed.add(record.path);
		for (const path of this.file.records.keys()) if (!this.seen.has(path) && !this.taken.has(path) && !require_cli.isBelowAny(path, listed)) gone.push(path);
		return gone;
	}
	*entry({ path, upperPath, upper, host, above }) {
		this.seen.add(path);
		const isDir = upper.type === "dir";
		const old = this.file.records.get(path);
		if (require_cli.isClosed(upper, this.ctx.root)) this.closed.add(path);
		if (old !== void 0) return yield* this.again(old, {
			path,
			upperPath,
			upper,
			host,
			above
		});
		const copied = copiedDirOf(this.ctx, path);
		if (copied !== void 0) {
			this.take({
				path,
				base: copiedBase(this.ctx, copied, path, upper),
				listed: false
			});
			return false;
		}
		const birth = upper.birthNs - this.clocks.lag(path);
		const hidden = this.before.lookup(path).state === "absent";
		if (host === null || hidden) {
			this.take({
				path,
				base: { state: "absent" },
				listed: false
			});
			if (!hidden && above.ctimeNs >= birth && !require_cli.isWhiteout(upper)) this.asked.push({
				path,
				upperPath,
				upper,
				host,
				above
			});
			return false;
		}
		yield null;
		const window = this.windowOf(path, upper);
		const gone = host.type === "dir" && !isDir;
		const seen = wasSeen(host, window, window, above);
		const base = seen ? knownBase(this.ctx, path, host, upper) : { state: "unknown" };
		const both = isDir && host.type === "dir";
		this.take({
			path,
			base,
			listed: gone,
			...both && { born: String(upper.birthNs) }
		});
		if (!seen && both && wasSeen(host, birth, window, above)) this.asked.push({
			path,
			upperPath,
			upper,
			host,
			above
		});
		if (gone) yield* this.listing(path, window, below(above, host));
		if (both) this.touch({
			path,
			upperPath,
			onHost: true,
			above: below(above, host)
		});
		return isDir && wasDirectory(base);
	}
	*again(old, { path, upperPath, upper, host, above }) {
		const isDir = upper.type === "dir";
		if (host?.type === "dir" && !old.listed) {
			if (!isDir && wasDirectory(old.base)) {
				this.take({
					...old,
					listed: true
				});
				const shown = old.shows === true ? below(above, host) : UNSEEN;
				yield* this.listing(path, this.windowOf(path, upper), shown);
			} else if (isDir && old.base.state !== "absent") this.touch({
				path,
				upperPath,
				onHost: true,
				above: below(above, host)
			});
		} else if (host?.type !== "dir" && old.shows === true && !(isDir && old.born === String(upper.birthNs))) this.take({
			...old,
			shows: false
		});
		if (isDir && old.base.state === "unknown" && upper.birthNs > this.file.lastPassNs) this.hid.add(path);
		return isDir && wasDirectory(old.base);
	}
	windowOf(path, upper) {
		return this.window.of(upper) - this.clocks.lag(path);
	}
	*listing(dir, window, above) {
		const host = require_cli.lstatEntry(dir);
		if (host?.type !== "dir") return;
		const dirs = /* @__PURE__ */ new Map([[dir, above]]);
		const look = {
			skip: (path) => require_cli.isExcluded(path, this.ctx.excluded),
			onProblem: () => {}
		};
		for (const node of hostTree(dir, host.dev, look)) {
			if (node === null) yield null;
			const holder = node === null ? above : dirs.get(require_cli.parentOf(node.path)) ?? above;
			if (node?.entry.type === "dir") dirs.set(node.path, below(holder, node.entry));
			if (node === null || this.taken.has(node.path)) continue;
			if (this.before.lookup(node.path).state !== "none") continue;
			const base = wasSeen(node.entry, window, window, holder) ? {
				state: "known",
				host: require_cli.toHostStat(node.entry, node.path)
			} : { state: "unknown" };
			this.take({
				path: node.path,
				base,
				listed: false
			});
		}
	}
	touch(dir) {
		this.touched.push(dir);
		this.onTouched();
	}
	take(record) {
		this.taken.set(record.path, record);
	}
};
var SIZE = 16;
function fingerprintText(change) {
	const { path, kind, upperIdentity = "-", hostIdentity = "-", xattrIdentity } = change;
	const sides = `${upperIdentity} ${hostIdentity}`;
	return `${path}\0${kind} ${xattrIdentity === void 0 ? sides : `${sides} ${xattrIdentity}`}\0`;
}
function staleAmong(changes, reviewed) {
	const bytes = Buffer.from(reviewed.buffer, reviewed.byteOffset, reviewed.byteLength);
	const known = /* @__PURE__ */ new Set();
	for (let at = 0; at < bytes.length; at += SIZE) known.add(bytes.toString("latin1", at, at + SIZE));
	const isStale = (change) => !known.has(fingerprintOf(change).toString("latin1"));
	return new Set(changes.filter(isStale).map(({ path }) => path));
}
function fingerprintOf(change) {
	return (0, node_crypto.hash)("sha256", Buffer.from(fingerprintText(change), "latin1"), "buffer").subarray(0, SIZE);
}
function* judgeSameType(pair) {
	if (yield* sameThing(pair)) return metaChanged(pair) ? "meta" : null;
	return isStaleCopy(pair) ? null : "modified";
}
function isUntouched({ host, ...look }) {
	const { upperPath, upper, base } = look;
	if (equalsBase(upperPath, upper, base)) return true;
	if (host?.type !== upper.type) return false;
	return require_cli.resultAtOnce(judgeSameType({
		...look,
		host,
		base: { state: "none" }
	})) === null;
}
function metaChanged({ host, upper, base }) {
	const from = base.state === "known" && base.host.type === upper.type ? base.host : host;
	const changed = (field) => upper[field] !== from[field] && upper[field] !== host[field];
	return upper.type !== "symlink" && changed("mode") || changed("uid") || changed("gid");
}
var SECOND = 1000000000n;
function timeChanged({ host, upper }) {
	if (upper.type !== "file" || host.type !== "file" || host.nlink > 1) return false;
	return !require_cli.isSameTime(upper.mtimeNs, host.mtimeNs) && upper.mtimeNs !== host.mtimeNs - host.mtimeNs % SECOND;
}
function equalsBase(upperPath, upper, base) {
	if (base.state !== "known" || !sameMeta(upper, base.host)) return false;
	if (upper.type === "symlink") return require_cli.readTarget(upperPath) === base.host.target;
	if (upper.type !== "file" || upper.size !== base.host.size) return false;
	return base.sha256 !== void 0 && require_cli.hashSame(upperPath, require_cli.identityOf$1(upper)) === base.sha256;
}
function onlyTouched(upper, base) {
	if (base.state !== "known") return base.state === "unknown";
	const { type, mode, uid, gid } = base.host;
	return type === "dir" && mode === upper.mode && uid === upper.uid && gid === upper.gid;
}
function isStaleCopy({ path, host, upperPath, upper, base }) {
	if (base.state !== "known" || sameEntry(base.host, require_cli.toHostStat(host, path))) return false;
	return equalsBase(upperPath, upper, base);
}
function* sameThing({ path, host, upperPath, upper }) {
	switch (upper.type) {
		case "file": return yield* require_cli.sameContent(upperPath, upper, path, host);
		case "symlink": return require_cli.readTarget(upperPath) === require_cli.readTarget(path);
		case "char":
		case "block": return upper.rdev === host.rdev;
		default: return true;
	}
}
function sameMeta(upper, host) {
	if (upper.type !== host.type || upper.uid !== host.uid || upper.gid !== host.gid) return false;
	return upper.type === "symlink" || upper.mode === host.mode;
}
var ChangeMaker = class {
	ignoreRule;
	bases;
	#clocks;
	constructor(ctx, bases) {
		this.ignoreRule = require_draft.compileIgnore(ctx);
		this.bases = bases;
		this.#clocks = new HostClocks(ctx);
	}
	make(input) {
		const { path, pending, host, base, since } = input;
		const type = (pending?.entry ?? host)?.type;
		const change = {
			id: changeId(path),
			path,
			kind: input.kind,
			pending: pending === null ? null : require_cli.toSide(pending.entry, pending.path),
			host: host === null ? null : require_cli.toSide(host, path),
			ignored: require_draft.typeRule(pending?.entry.type ?? null, host?.type ?? null) ?? input.ignoredAbove ?? this.ignoreRule(path, type === "dir"),
			conflict: input.closed === true ? "unreadable" : conflictOf({
				base,
				host: host === null ? null : require_cli.toHostStat(host, path),
				since: since - this.#clocks.lag(path),
				movedNs: input.movedNs,
				parentGone: input.parentGone ?? false,
				below: input.below ?? false
			}),
			group: null
		};
		if (host !== null && host.type !== "dir" && host.nlink > 1) change.hostLinks = host.nlink;
		if (host !== null) change.hostIdentity = require_cli.lookIdentity(host);
		if (pending !== null) change.upperIdentity = require_cli.lookIdentity(pending.entry);
		if (input.closed === true && pending !== null) change.upperIdentity = require_cli.closedIdentity(pending.entry);
		return change;
	}
};
var ID_BYTES = 8;
function changeId(path) {
	return (0, node_crypto.hash)("sha256", require_cli.isAscii(path) ? path : Buffer.from(path, "latin1"), "buffer").toString("hex", 0, ID_BYTES);
}
var Attributes = class {
	times = [];
	#asked = [];
	ask(pair, found, make) {
		this.#asked.push({
			...pair,
			found,
			make
		});
		if (found !== null || !timeChanged(pair)) return;
		const change = make();
		if (change.kind !== "meta" || change.conflict !== null || change.ignored !== null) return;
		this.times.push({
			...change,
			ignored: require_draft.TIMES_RULE
		});
	}
	*compare() {
		yield null;
		for (const { pair, ...both } of require_cli.otherXattrs(this.#asked)) {
			const { upper, host, base, found, make } = pair;
			const from = base.state === "known" ? base.xattrs : void 0;
			if (from === xattrHash(both.upper)) continue;
			const change = found ?? make();
			change.xattrs = true;
			change.xattrIdentity = require_cli.xattrIdentity(both);
			if (from !== void 0 && from !== xattrHash(both.host)) change.conflict ??= "host-changed";
			if (from === void 0 && host.type === "dir" && host.ctimeNs >= upper.birthNs) change.conflict ??= "unknown-base";
			if (found === null) yield change;
		}
	}
};
function* forgiveSame(ctx, changes, bases) {
	const same = [];
	for (const change of changes) {
		const base = change.conflict === "host-changed" ? bases.lookup(change.path) : null;
		if (base === null || !looksSame(change, base)) continue;
		yield null;
		if (saysSame(change, base)) same.push(change);
	}
	const texts = require_cli.xattrsOf(same.flatMap(({ path }) => [path, require_cli.upperPathIn(ctx.coveredDirs, path) ?? path]));
	same.forEach((change, i) => {
		if (texts[2 * i] === "" && texts[2 * i + 1] === "" || change.host?.type === "symlink") change.conflict = null;
	});
}
function saysSame({ path, hostIdentity }, { host, sha256, index }) {
	if (host.type === "symlink") return true;
	if (index !== void 0) return indexDigest(path, hostIdentity) === index;
	return require_cli.hashSame(path, hostIdentity) === sha256;
}
function looksSame({ pending, host, hostLinks }, base) {
	if (base.state !== "known") return false;
	const { type, mode, uid, gid, size, nlink, target } = base.host;
	if (pending?.type !== host?.type || host?.type !== type) return false;
	if (!(type === "symlink" ? target !== void 0 && host.target === target : type === "file") || type === "file" && base.sha256 === void 0 && base.index === void 0) return false;
	if (nlink !== 1 || hostLinks !== void 0) return false;
	const sameMode = type === "symlink" || host.mode === mode;
	const sameSize = host.size === size || base.index !== void 0;
	return sameMode && host.uid === uid && host.gid === gid && sameSize;
}
function databaseFiles(path) {
	const base = path.replace(SQLITE, "");
	return [
		base,
		`${base}-wal`,
		`${base}-journal`
	];
}
function findMovedPartners(ctx, changes) {
	const names = /* @__PURE__ */ new Map();
	let listed = null;
	const clocks = new HostClocks(ctx);
	for (const change of changes) {
		if (change.conflict !== null || change.pending?.type === "dir") continue;
		if (change.host === null && !SQLITE.test(change.path)) continue;
		const dir = require_cli.parentOf(change.path);
		const inDir = names.get(dir) ?? new Set(require_cli.namesOrNone(dir));
		names.set(dir, inDir);
		const partners = databaseFiles(change.path).filter((path) => path !== change.path && inDir.has(require_cli.nameOf(path)));
		if (partners.length === 0) continue;
		const since = birthOf(ctx, change.path) - clocks.lag(change.path);
		listed ??= new Set(changes.map(({ path }) => path));
		if (partners.filter((path) => listed?.has(path) === false).some((path) => (require_cli.lstatEntry(path)?.ctimeNs ?? 0n) >= since)) change.conflict = "host-changed";
	}
}
function partnerMovedSince(path, since) {
	return databaseFiles(path).filter((other) => other !== path).some((other) => (require_cli.lstatOrNone(other)?.ctimeNs ?? 0n) > since);
}
function partnersOf(path) {
	return [...databaseFiles(path), `${path.replace(SQLITE, "")}-shm`].filter((other) => other !== path && require_cli.lstatOrNone(other) !== null);
}
function isSameDatabase(a, b) {
	return a.replace(SQLITE, "") === b.replace(SQLITE, "");
}
function birthOf(ctx, path) {
	const upper = require_cli.upperPathIn(ctx.coveredDirs, path);
	return (upper === null ? null : require_cli.lstatEntry(upper))?.birthNs ?? 0n;
}
var ALIKE_MAX = 16;
function* findRenames(ctx, changes) {
	const candidates = candidatesIn(ctx, changes);
	if (candidates.length === 0) return;
	const copies = require_cli.areCopies(candidates.map(({ upper }) => upper));
	const claims = /* @__PURE__ */ new Map();
	for (const candidate of candidates.filter((_, i) => copies[i])) {
		yield null;
		const equal = [];
		for (const from of candidate.from) if (yield* sameFile(candidate, from)) equal.push(from);
		const [only] = equal;
		if (only === void 0 || equal.length > 1) continue;
		claims.set(only, [...claims.get(only) ?? [], candidate]);
	}
	for (const [from, claimed] of claims) {
		const [only] = claimed;
		if (only !== void 0 && claimed.length === 1) only.to.renamedFrom = from.path;
	}
}
function candidatesIn(ctx, changes) {
	const deleted = /* @__PURE__ */ new Map();
	for (const change of changes) {
		if (change.kind !== "deleted" || change.host?.type !== "file") continue;
		const key = sizeAndTime(change.hostIdentity);
		const alike = deleted.get(key);
		if (alike === void 0) deleted.set(key, [change]);
		else alike.push(change);
	}
	if (deleted.size === 0) return [];
	return changes.flatMap((to) => {
		if (to.kind !== "added" || to.pending?.type !== "file") return [];
		const from = deleted.get(sizeAndTime(to.upperIdentity));
		if (from === void 0 || from.length > ALIKE_MAX) return [];
		const upper = require_cli.upperPathIn(ctx.coveredDirs, to.path);
		return upper === null ? [] : [{
			to,
			upper,
			from
		}];
	});
}
function sizeAndTime(identity) {
	const fields = require_cli.identityFields(identity);
	return `${fields?.size}.${fields?.mtimeNs}`;
}
function* sameFile({ to, upper }, from) {
	try {
		const [old, now] = [entryOf(from.path, from.hostIdentity), entryOf(upper, to.upperIdentity)];
		return old !== null && now !== null && (yield* require_cli.sameContent(from.path, old, upper, now));
	} catch {
		return false;
	}
}
function entryOf(path, identity) {
	const entry = require_cli.lstatEntry(path);
	return entry !== null && require_cli.lookIdentity(entry) === identity ? entry : null;
}
var NEW = { state: "none" };
var Walk = class {
	problems = [];
	holders = [];
	attributes = new Attributes();
	questions = [];
	frames = [];
	ctx;
	maker;
	constructor(ctx, maker) {
		this.ctx = ctx;
		this.maker = maker;
	}
	get needsViewer() {
		return this.questions.length > 0;
	}
	*walkUppers() {
		for (const covered of this.ctx.coveredDirs) {
			const root = this.rootFrame(covered);
			yield this.rootChange(root);
			this.frames.push(root);
			for (let frame = this.frames.pop(); frame !== void 0; frame = this.frames.pop()) {
				yield null;
				yield* this.guarded(frame.path, this.directory(frame));
			}
		}
	}
	*answerQuestions(viewer) {
		const replaced = /* @__PURE__ */ new Set();
		for (const question of this.questions) {
			yield null;
			yield* this.guarded(question.child.path, this.answer(question, viewer, replaced));
		}
	}
	rootFrame({ path, upper }) {
		const host = require_cli.lstatEntry(path);
		const onHost = host?.type === "dir";
		return {
			path,
			upperPath: upper,
			onHost,
			parentGone: !onHost,
			fresh: false,
			ignored: require_cli.isWithin(this.ctx.projectRoot, path) ? null : this.maker.ignoreRule(path, true),
			above: aboveRoot(host)
		};
	}
	rootChange(frame) {
		const { path, upperPath } = frame;
		const base = this.maker.bases.lookup(path);
		const [host, upper] = [require_cli.lstatEntry(path), require_cli.lstatEntry(upperPath)];
		if (base.state !== "known" || host?.type !== "dir" || upper === null) return null;
		if (require_cli.isClosed(upper, this.ctx.root) || require_cli.isExcluded(path, this.ctx.excluded)) return null;
		const child = {
			path,
			upperPath,
			upper,
			host,
			base
		};
		return metaChanged(child) ? this.found(frame, child, "meta") : null;
	}
	*guarded(path, steps) {
		try {
			yield* steps;
		} catch (error) {
			this.problem(path, error);
		}
	}
	problem(path, error) {
		this.problems.push({
			path,
			message: require_cli.errorText(error)
		});
	}
	*directory(frame) {
		const { excluded } = this.ctx;
		const nearExcluded = require_cli.isExcluded(frame.path, excluded) || require_cli.excludedBelow(frame.path, excluded).length > 0;
		const first = this.frames.length;
		for (const name of require_cli.readNames(frame.upperPath)) {
			const path = require_cli.joinPath(frame.path, name);
			const upperPath = require_cli.joinPath(frame.upperPath, name);
			const upper = require_cli.lstatEntry(upperPath);
			if (upper === null) continue;
			const host = frame.onHost ? require_cli.lstatEntry(path) : null;
			if (nearExcluded && require_cli.isExcluded(path, excluded)) {
				this.excludedEntry(frame, {
					path,
					upperPath,
					upper,
					host,
					base: NEW
				});
				continue;
			}
			const child = {
				path,
				upperPath,
				upper,
				host,
				base: frame.fresh ? NEW : this.maker.bases.lookup(path)
			};
			if (host === null && upper.type !== "dir" && !require_cli.isWhiteout(upper)) yield this.newEntry(frame, child);
			else yield* this.guarded(path, this.child(frame, child));
		}
		for (const dir of this.frames.splice(first).reverse()) this.frames.push(dir);
	}
	*child(frame, child) {
		const { path, upper, host, base } = child;
		if (require_cli.isWhiteout(upper)) {
			if (host !== null) yield* this.deleted({
				path,
				entry: host
			}, frame.above, upper.birthNs, false);
		} else if (upper.type === "dir") yield* this.childDirectory(frame, child);
		else if (host === null) yield this.newEntry(frame, child);
		else if (host.type !== upper.type) {
			if (equalsBase(child.upperPath, upper, base)) return;
			yield this.found(frame, child, "replaced");
			if (host.type === "dir") yield* this.below(path, host, frame.above, upper.birthNs);
		} else {
			const kind = yield* judgeSameType({
				...child,
				host
			});
			const found = kind === null ? null : this.found(frame, child, kind);
			if (kind !== "modified") this.attributes.ask({
				...child,
				host
			}, found, () => this.found(frame, child, isStaleCopy({
				...child,
				host
			}) ? "modified" : "meta"));
			yield found;
		}
	}
	newEntry(frame, child) {
		try {
			if (equalsBase(child.upperPath, child.upper, child.base)) return null;
			return this.found(frame, child, wasThere(child.base) ? "modified" : "added");
		} catch (error) {
			this.problem(child.path, error);
			return null;
		}
	}
	*childDirectory(frame, child) {
		const { path, upperPath, upper, host, base } = child;
		const onHost = host?.type === "dir";
		const isDeep = require_cli.holdsOutOfReach(upperPath) || onHost && require_cli.holdsOutOfReach(path);
		if (isDeep || require_cli.isClosed(upper, this.ctx.root) && !isNewAndEmpty(child)) {
			this.problems.push({
				path,
				message: isDeep ? require_cli.OUT_OF_REACH : CLOSED_IN_SANDBOX
			});
			const kind = host === null ? "added" : onHost ? "meta" : "replaced";
			yield this.found(frame, child, kind, true);
			return;
		}
		const parentGone = frame.parentGone || !onHost && wasDirectory(base);
		const ignored = require_cli.isWithin(this.ctx.projectRoot, path) ? null : frame.ignored ?? this.maker.ignoreRule(path, true);
		const above = onHost ? below(frame.above, host) : frame.above;
		this.frames.push({
			path,
			upperPath,
			onHost,
			parentGone,
			fresh: !onHost && !parentGone,
			ignored,
			above
		});
		if (!onHost) {
			const found = this.found(frame, child, host === null ? "added" : "replaced");
			if (onlyTouched(upper, base) && (host === null || base.state === "known")) this.holders.push(found);
			else yield found;
			return;
		}
		const both = {
			...child,
			host
		};
		const missing = this.missingNames(path, upperPath);
		if (missing.length > 0) this.questions.push({
			frame,
			child: both,
			missing
		});
		else yield this.sameDirectory(frame, both);
	}
	sameDirectory(frame, child, replaced = false) {
		const kind = replaced ? "dir-replaced" : metaChanged(child) ? "meta" : null;
		const found = kind === null ? null : this.found(frame, child, kind);
		this.attributes.ask(child, found, () => this.found(frame, child, "meta"));
		return found;
	}
	*answer({ frame, child, missing }, viewer, replaced) {
		const { path, upperPath, upper, host } = child;
		const hidden = hiddenNames(viewer, {
			host: path,
			upper: upperPath
		}, missing);
		const isReplaced = hidden.length > 0 && !require_cli.isBelowAny(path, replaced);
		if (isReplaced) replaced.add(path);
		yield this.sameDirectory(frame, child, isReplaced);
		const above = below(frame.above, host);
		for (const name of hidden) {
			const at = require_cli.joinPath(path, name);
			const entry = require_cli.lstatEntry(at);
			if (entry !== null) yield* this.deleted({
				path: at,
				entry
			}, above, upper.birthNs, true);
		}
	}
	*deleted(node, above, since, isBelow) {
		if (this.isSkipped(node.path)) return;
		yield this.gone(node, above, since, isBelow);
		if (node.entry.type === "dir") yield* this.below(node.path, node.entry, above, since);
	}
	*below(dir, host, above, since) {
		const dirs = /* @__PURE__ */ new Map([[dir, below(above, host)]]);
		const tree = hostTree(dir, host.dev, {
			skip: (path) => this.isSkipped(path),
			onProblem: (problem) => this.problems.push(problem)
		});
		for (const node of tree) {
			if (node === null) {
				yield null;
				continue;
			}
			const holder = dirs.get(require_cli.parentOf(node.path)) ?? above;
			if (node.entry.type === "dir") dirs.set(node.path, below(holder, node.entry));
			yield this.gone(node, holder, since, true);
		}
	}
	gone({ path, entry }, above, since, isBelow) {
		const { excluded } = this.ctx;
		const holdsExcluded = () => require_cli.excludedBelow(path, excluded).some((one) => require_cli.lstatEntry(one) !== null);
		if (entry.type === "dir" && holdsExcluded()) return null;
		return this.maker.make({
			kind: "deleted",
			path,
			pending: null,
			host: entry,
			base: this.maker.bases.lookup(path),
			since,
			movedNs: above.movedNs,
			below: isBelow
		});
	}
	found(frame, child, kind, closed = false) {
		return this.maker.make({
			kind,
			path: child.path,
			host: child.host,
			base: child.base,
			closed,
			pending: {
				entry: child.upper,
				path: child.upperPath
			},
			since: child.upper.birthNs,
			movedNs: frame.above.movedNs,
			parentGone: frame.parentGone,
			ignoredAbove: frame.ignored
		});
	}
	excludedEntry(frame, child) {
		if (child.upper.type !== "dir" || !require_cli.mayHoldListed(child.path, this.ctx.excluded)) return;
		const onHost = child.host?.type === "dir";
		this.frames.push({
			...frame,
			path: child.path,
			upperPath: child.upperPath,
			onHost,
			fresh: !onHost
		});
		if (child.host === null) this.holders.push(this.found(frame, child, "added"));
	}
	isSkipped(path) {
		return require_cli.isExcluded(path, this.ctx.excluded) || require_cli.coveringDir(this.ctx.coveredDirs, path)?.path === path;
	}
	missingNames(path, upperPath) {
		if (copiedDirOf(this.ctx, path) !== void 0) return [];
		const present = new Set(require_cli.readNames(upperPath));
		return require_cli.namesOrNone(path).filter((name) => !present.has(name) && !this.isSkipped(require_cli.joinPath(path, name)));
	}
};
function isNewAndEmpty({ host, upper, upperPath }) {
	return host === null && (upper.mode & 256) !== 0 && require_cli.readNames(upperPath).length === 0;
}
var scan_exports = /* @__PURE__ */ require_cli.__exportAll({
	bytesOf: () => bytesOf,
	hasPending: () => hasPending,
	scan: () => scan
});
async function scan(ctx, trace) {
	const bases = await readBases(ctx);
	const walk = new Walk(ctx, new ChangeMaker(ctx, bases));
	const found = [];
	const keep = (one) => {
		found.push(one);
		return false;
	};
	await run(ctx, walk, keep, trace);
	await require_cli.collect(forgiveSame(ctx, found, bases));
	const list = trace?.during(() => listOf(ctx, walk, found)) ?? listOf(ctx, walk, found);
	await require_cli.collect(findRenames(ctx, list.changes));
	return list;
}
async function hasPending(ctx) {
	const walk = new Walk(ctx, new ChangeMaker(ctx, await readBases(ctx)));
	return await run(ctx, walk, ({ ignored }) => ignored === null) || walk.problems.length > 0;
}
async function run(ctx, walk, take, trace) {
	const part = async (steps) => await require_cli.inSlices(trace?.along(steps) ?? steps, take);
	if (await part(walk.walkUppers())) return true;
	if (walk.needsViewer) {
		const answers = async (viewer) => await part(walk.answerQuestions(viewer));
		if (await require_cli.useAndCloseAsync(await openViewer(ctx), answers)) return true;
	}
	return await part(walk.attributes.compare());
}
function listOf(ctx, walk, found) {
	found.sort((a, b) => require_cli.byBytes(a.path, b.path));
	const changes = withHolders(found, walk.holders);
	findMovedPartners(ctx, changes);
	setGroups(changes);
	spreadGroupConflicts(changes);
	const ignored = changes.filter((change) => change.ignored !== null);
	const kept = changes.filter((change) => change.ignored === null);
	const times = timesOf(walk, changes);
	return {
		session: ctx.session,
		revision: revisionOf(changes, times.timed),
		at: (/* @__PURE__ */ new Date()).toISOString(),
		changes,
		counts: require_draft.countChanges(changes),
		bytes: bytesOf(kept),
		ignored: {
			count: ignored.length,
			bytes: bytesOf(ignored)
		},
		conflicts: kept.filter((change) => change.conflict !== null).length,
		...times,
		problems: walk.problems.map(({ path, message }) => ({
			path: require_cli.toDisplay(path),
			message
		}))
	};
}
function timesOf(walk, changes) {
	if (walk.attributes.times.length === 0) return {};
	const listed = new Set(changes.map(({ path }) => path));
	const timed = walk.attributes.times.filter(({ path }) => !listed.has(path));
	return timed.length === 0 ? {} : {
		timed,
		times: timed.length
	};
}
function withHolders(sorted, holders) {
	const needed = holders.filter((holder) => {
		const prefix = `${holder.path}/`;
		return sorted[firstFrom(sorted, prefix)]?.path.startsWith(prefix) === true;
	});
	if (needed.length === 0) return sorted;
	return [...sorted, ...needed].sort((a, b) => require_cli.byBytes(a.path, b.path));
}
function firstFrom(sorted, path) {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = low + high >> 1;
		if ((sorted[middle]?.path ?? "") < path) low = middle + 1;
		else high = middle;
	}
	return low;
}
function revisionOf(changes, timed = []) {
	const kept = (0, node_crypto.createHash)("sha256");
	const ignored = (0, node_crypto.createHash)("sha256");
	const goes = goesWithOthers(changes);
	for (const change of changes) (change.ignored === null || goes(change) ? kept : ignored).update(fingerprintText(change), "latin1");
	for (const change of timed) ignored.update(fingerprintText(change), "latin1");
	return `${kept.digest("hex").slice(0, 32)}-${ignored.digest("hex").slice(0, 32)}`;
}
function bytesOf(changes) {
	return changes.reduce((sum, { kind, pending }) => sum + (kind === "meta" ? 0 : pending?.size ?? 0), 0);
}
Object.defineProperty(exports, "HostClocks", {
	enumerable: true,
	get: function() {
		return HostClocks;
	}
});
Object.defineProperty(exports, "SNIFF_BYTES", {
	enumerable: true,
	get: function() {
		return SNIFF_BYTES;
	}
});
Object.defineProperty(exports, "SeenWindow", {
	enumerable: true,
	get: function() {
		return SeenWindow;
	}
});
Object.defineProperty(exports, "aboveRoot", {
	enumerable: true,
	get: function() {
		return aboveRoot;
	}
});
Object.defineProperty(exports, "appendBases", {
	enumerable: true,
	get: function() {
		return appendBases;
	}
});
Object.defineProperty(exports, "blobsStored", {
	enumerable: true,
	get: function() {
		return blobsStored;
	}
});
Object.defineProperty(exports, "bytesOf", {
	enumerable: true,
	get: function() {
		return bytesOf;
	}
});
Object.defineProperty(exports, "confirmBases", {
	enumerable: true,
	get: function() {
		return confirmBases;
	}
});
Object.defineProperty(exports, "confirmEmpty", {
	enumerable: true,
	get: function() {
		return confirmEmpty;
	}
});
Object.defineProperty(exports, "conflictOf", {
	enumerable: true,
	get: function() {
		return conflictOf;
	}
});
Object.defineProperty(exports, "decodeText", {
	enumerable: true,
	get: function() {
		return decodeText;
	}
});
Object.defineProperty(exports, "dropBases", {
	enumerable: true,
	get: function() {
		return dropBases;
	}
});
Object.defineProperty(exports, "equalsBase", {
	enumerable: true,
	get: function() {
		return equalsBase;
	}
});
Object.defineProperty(exports, "formatBaseLine", {
	enumerable: true,
	get: function() {
		return formatBaseLine;
	}
});
Object.defineProperty(exports, "goesWithOthers", {
	enumerable: true,
	get: function() {
		return goesWithOthers;
	}
});
Object.defineProperty(exports, "hasOurTimes", {
	enumerable: true,
	get: function() {
		return hasOurTimes;
	}
});
Object.defineProperty(exports, "hasPending", {
	enumerable: true,
	get: function() {
		return hasPending;
	}
});
Object.defineProperty(exports, "indexDigest", {
	enumerable: true,
	get: function() {
		return indexDigest;
	}
});
Object.defineProperty(exports, "isBinary", {
	enumerable: true,
	get: function() {
		return isBinary;
	}
});
Object.defineProperty(exports, "isBinaryHead", {
	enumerable: true,
	get: function() {
		return isBinaryHead;
	}
});
Object.defineProperty(exports, "isSameDatabase", {
	enumerable: true,
	get: function() {
		return isSameDatabase;
	}
});
Object.defineProperty(exports, "isUntouched", {
	enumerable: true,
	get: function() {
		return isUntouched;
	}
});
Object.defineProperty(exports, "judgeSameType", {
	enumerable: true,
	get: function() {
		return judgeSameType;
	}
});
Object.defineProperty(exports, "knownBase", {
	enumerable: true,
	get: function() {
		return knownBase;
	}
});
Object.defineProperty(exports, "makeBases", {
	enumerable: true,
	get: function() {
		return makeBases;
	}
});
Object.defineProperty(exports, "metaChanged", {
	enumerable: true,
	get: function() {
		return metaChanged;
	}
});
Object.defineProperty(exports, "noteLook", {
	enumerable: true,
	get: function() {
		return noteLook;
	}
});
Object.defineProperty(exports, "onlyTouched", {
	enumerable: true,
	get: function() {
		return onlyTouched;
	}
});
Object.defineProperty(exports, "openViewer", {
	enumerable: true,
	get: function() {
		return openViewer;
	}
});
Object.defineProperty(exports, "parseBaseLines", {
	enumerable: true,
	get: function() {
		return parseBaseLines;
	}
});
Object.defineProperty(exports, "partnerMovedSince", {
	enumerable: true,
	get: function() {
		return partnerMovedSince;
	}
});
Object.defineProperty(exports, "partnersOf", {
	enumerable: true,
	get: function() {
		return partnersOf;
	}
});
Object.defineProperty(exports, "putThere", {
	enumerable: true,
	get: function() {
		return putThere;
	}
});
Object.defineProperty(exports, "readBaseFile", {
	enumerable: true,
	get: function() {
		return readBaseFile;
	}
});
Object.defineProperty(exports, "readBases", {
	enumerable: true,
	get: function() {
		return readBases;
	}
});
Object.defineProperty(exports, "rebase", {
	enumerable: true,
	get: function() {
		return rebase;
	}
});
Object.defineProperty(exports, "recordBases", {
	enumerable: true,
	get: function() {
		return recordBases;
	}
});
Object.defineProperty(exports, "replacedAmong", {
	enumerable: true,
	get: function() {
		return replacedAmong;
	}
});
Object.defineProperty(exports, "rootBase", {
	enumerable: true,
	get: function() {
		return rootBase;
	}
});
Object.defineProperty(exports, "sameEntry", {
	enumerable: true,
	get: function() {
		return sameEntry;
	}
});
Object.defineProperty(exports, "scan", {
	enumerable: true,
	get: function() {
		return scan;
	}
});
Object.defineProperty(exports, "scan_exports", {
	enumerable: true,
	get: function() {
		return scan_exports;
	}
});
Object.defineProperty(exports, "showsHost", {
	enumerable: true,
	get: function() {
		return showsHost;
	}
});
Object.defineProperty(exports, "sniffMime", {
	enumerable: true,
	get: function() {
		return sniffMime;
	}
});
Object.defineProperty(exports, "staleAmong", {
	enumerable: true,
	get: function() {
		return staleAmong;
	}
});
Object.defineProperty(exports, "xattrHash", {
	enumerable: true,
	get: function() {
		return xattrHash;
	}
});
