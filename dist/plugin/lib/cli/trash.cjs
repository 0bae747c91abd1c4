"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
var UNDO_REASONS = {
	"host-changed": "changed on the host since",
	"host-removed": "removed on the host since",
	"host-created": "created on the host since",
	"host-new-below": "added below it on the host since, and stays in any case"
};
var NAMED = 5;
var named = (texts) => `${texts.slice(0, NAMED).join("; ")}${texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ""}`;
var toldText = ({ path, why }) => `${require_cli.toDisplay(path)}: ${why}`;
var because = ([first]) => first === void 0 ? "" : ` (${toldText(first)})`;
var notADiscard = (session, name) => new require_cli.TraiError("bad-input", `expected the name of a discard of session ${session}, found ${require_cli.toDisplay(name)}`);
var discardGone = (trash) => new require_cli.TraiError("not-found", `the trash has no discard ${trash} that can be undone`);
var historyEntryGone = () => new require_cli.TraiError("not-found", "the history has no such entry any more", { hint: "Load the history again." });
function nothingPending(scope, unsure) {
	const where = scope.kind === "paths" ? "at the paths that were given" : "of the calls that were given";
	return new require_cli.TraiError("not-found", `nothing is pending ${where}${because(unsure)}`, {
		hint: "See: trai status",
		paths: unsure.map(toldText)
	});
}
var noSuchCall = (id, alike) => new require_cli.TraiError("not-found", alike === 0 ? `this session has no sandboxed call ${JSON.stringify(id)}` : `the ids of ${alike} sandboxed calls begin with ${JSON.stringify(id)}`, { hint: "The ids stand in: trai status --by-call, and for a path in: trai why PATH" });
var notUndoable = (n, why) => new require_cli.TraiError("not-found", `commit ${n} cannot be undone: ${why}`, { hint: "See: trai undo --list" });
var nothingToRedo = () => new require_cli.TraiError("not-found", "nothing was undone that could be committed again", { hint: "A redo commits what the newest undo reverted, and only until the next commit. What is pending is committed with: trai commit. See: trai undo --list" });
var staleList = (data) => new require_cli.TraiError("stale-revision", "the pending changes are not the ones that were reviewed", {
	hint: "Review them again, then repeat.",
	data
});
var staleUndo = () => new require_cli.TraiError("stale-revision", "the host is not as it was when the undo was reviewed", { hint: "Review it again, then repeat." });
var staleMerge = (path) => new require_cli.TraiError("stale-revision", `the merge of ${require_cli.toDisplay(path)} would be another one by now`, {
	hint: "Review it again, then commit.",
	paths: [require_cli.toDisplay(path)]
});
var changedSinceUndo = (path) => new require_cli.TraiError("stale-revision", `the session has changed ${require_cli.toDisplay(path)} since it was undone`, {
	hint: "Look at the pending changes, then commit them.",
	paths: [require_cli.toDisplay(path)]
});
function openConflicts(changes) {
	const texts = changes.map(({ path, conflict }) => require_cli.toDisplay(path) + (conflict === null ? "" : `: ${require_draft.CONFLICT_REASONS[conflict]}`));
	return new require_cli.TraiError("conflicts", `${texts.length} in conflict with the host: ${named(texts)}`, {
		hint: "Decide for all (--conflicts keep-host, take-sandbox or merge) or for each path (--keep-host PATH, --take-sandbox PATH, --merge PATH), or in the dashboard.",
		paths: changes.map(({ path }) => require_cli.toDisplay(path)),
		data: { count: changes.length }
	});
}
var keptText = (kept) => kept.length === 0 ? "" : ` The session has ${kept.length === 1 ? "a version" : "versions"} of its own of ${require_cli.countText(kept.length, "path")}, which ${kept.length === 1 ? "stays" : "stay"} pending; what the host has there would be kept: ${named(kept.map(({ path, at }) => `${require_cli.toDisplay(path)} as ${require_cli.toDisplay(at)}`))}.`;
var openUndoConflicts = (open, kept) => new require_cli.TraiError("conflicts", `the host is not as the commit left it: ${named(open.map(({ path, reason }) => `${require_cli.toDisplay(path)}: ${UNDO_REASONS[reason]}`))}`, {
	hint: `Decide: --conflicts keep-host leaves them as they are, --conflicts take-back undoes them too (what the host has now is pending then).${keptText(kept)}`,
	paths: open.map(({ path }) => require_cli.toDisplay(path)),
	data: { count: open.length }
});
var notMergeable = (path, refused) => new require_cli.TraiError("conflicts", `${require_cli.toDisplay(path)} cannot be merged. ${refused}`, {
	hint: "Keep the host’s version or take the sandbox’s for it.",
	paths: [require_cli.toDisplay(path)]
});
var mergeOverlaps = (path, count) => new require_cli.TraiError("conflicts", `both changed the same lines of ${require_cli.toDisplay(path)} in ${require_cli.countText(count, "place")}`, {
	hint: "Take one side, or have markers written at those places (merge-markers).",
	paths: [require_cli.toDisplay(path)],
	data: { count }
});
var massUndo = ({ reasons, count }, kept) => new require_cli.TraiError("mass-guard", `this undo ${reasons.join("; ")}`, {
	hint: `Confirm with --yes, or with the number (${count}).${keptText(kept)}`,
	data: { count }
});
var undoTooLarge = (bytes, maxBytes) => new require_cli.TraiError("undo-size", `what this commit replaces or deletes takes ${bytes} bytes to keep for an undo; up to ${maxBytes} are kept without asking`, {
	hint: "Commit with --no-undo: it cannot be undone then. Or raise undo.maxBytes in the config.",
	data: {
		bytes,
		maxBytes
	}
});
var mergeWhileLive = () => new require_cli.TraiError("live", "processes of this session are running: they would go on with another version than the merged one", { hint: "Wait until they are done, or end them (trai ps), then merge." });
var undoWhileLive = () => new require_cli.TraiError("live", "processes of this session are running: what is undone could not be pending again", { hint: "Wait until they are done, or end them (--end-processes)." });
var nothingDiscardedLive = (left) => new require_cli.TraiError("live", `nothing was discarded: ${left.slice(0, 1).map(toldText).join("")}`, {
	hint: "Wait until the processes of the session are done with it, or end them (trai ps), then discard again.",
	paths: left.map(toldText)
});
var overlayNotEmpty = () => new require_cli.TraiError("not-empty", "the session has pending changes; a discard can be undone into an empty one only", { hint: "Commit or discard what is pending first, also what could not be read. The earlier discard stays in the trash." });
var discardInTheWay = (obstacles) => new require_cli.TraiError("not-empty", `${obstacles.length} of what was discarded can't come back: ${obstacles.slice(0, 1).map(toldText).join("")}`, {
	hint: "Commit or discard what is pending there first. The earlier discard stays in the trash.",
	paths: obstacles.map(toldText)
});
var discardStopped = (left) => left === 0 ? new require_cli.TraiError("cancelled", "the discard was stopped; everything is still pending") : new require_cli.TraiError("not-empty", `the discard was stopped, and ${require_cli.countText(left, "entry", "entries")} could not come back: something took the place`, { hint: "Nothing is lost: the discard is in the trash, and trai undo brings it back when its places are free." });
var commitNotClosed = (why, cause) => new require_cli.TraiError(require_cli.isNoSpace(cause) ? "no-space" : "unfinished", `an interrupted commit could not be closed first: ${why}`, {
	hint: "Nothing was discarded. Remove the cause, then try again, or commit to finish it.",
	cause
});
var noSpace = (bytes, free, dir) => new require_cli.TraiError("no-space", `the commit needs ${bytes} bytes below ${require_cli.toDisplay(dir)}; ${free} are free`, {
	hint: "Nothing was applied. Free some space there and commit again.",
	path: require_cli.toDisplay(dir),
	data: {
		needed: bytes,
		free
	}
});
var noSpaceForCopies = (said) => new require_cli.TraiError("no-space", `the copies could not be written: ${said}`, { hint: "Nothing was changed. Free some space on the file system of the target and try again." });
var noCp = (said) => new require_cli.TraiError("io", `cp could not be started: ${said}`);
var versionNotKept = (path, said) => new require_cli.TraiError("io", `the sandbox’s version of ${require_cli.toDisplay(path)} could not be kept: ${said}`);
var mergeNotWritten = (said) => new require_cli.TraiError("io", `the merge could not be written: ${said}`);
var copyIsOther = (path) => new require_cli.TraiError("io", `expected the copy of ${require_cli.toDisplay(path)}, found something else`);
var deletionNotPending = (said) => new require_cli.TraiError("io", `a deletion could not be made pending again: ${said}`);
var FAILED = {
	commit: ["nothing was applied", "Everything is still pending. Try again."],
	discard: ["it could not be discarded", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	undoDiscard: ["it could not be brought back", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	adoption: ["it could not be moved", "Nothing was moved."],
	begunAdoption: ["it could not be moved", "It is on its way: the next run completes what was begun."]
};
function asTraiError(thrown, what = "commit") {
	if (!(thrown instanceof Error) || require_cli.errorCode(thrown) === "" || thrown instanceof require_cli.TraiError) return thrown;
	const [message, hint] = FAILED[what];
	const full = require_cli.isNoSpace(thrown);
	return new require_cli.TraiError(full ? "no-space" : "io", `${message}: ${thrown.message}`, {
		hint: full ? `Free some space. ${hint}` : hint,
		cause: thrown
	});
}
var OLD_VERSION = "Save what is pending with `trai export` of that version, then begin a new session.";
var otherVersion = (link) => new require_cli.TraiError("unsupported", "another version of trai has made this session", {
	path: require_cli.toDisplay(link),
	hint: OLD_VERSION
});
var otherJournalVersion = (dir, found, expected) => new require_cli.TraiError("unsupported", `another version of trai has written the journal of ${titleOf(dir)} (format ${String(found)}, expected ${expected})`, {
	path: require_cli.toDisplay(dir),
	hint: OLD_VERSION
});
var journalDamaged = (journal, why) => new require_cli.TraiError("corrupt", `the journal of ${titleOf(require_cli.parentOf(journal))} can't be read: ${why}`, {
	path: require_cli.toDisplay(journal),
	hint: "When nothing of it needs finishing, rename its directory."
});
var JOURNAL_HAS_NO_BEGIN = "it does not begin with a line `begin`";
var unitsMissing = (expected, found) => `expected ${expected} units, found ${found}`;
function titleOf(dir) {
	const name = require_cli.nameOf(dir);
	return /^[0-9]+$/.test(name) ? `commit ${name}` : `discard ${require_cli.toDisplay(name)}`;
}
var manyFileSystems = () => new require_cli.TraiError("unsupported", "expected the overlay and the commits of the session on one file system");
var coveredSince = (path, back) => new require_cli.TraiError("unsupported", "expected a path in a covered directory, found the directory itself", {
	path: require_cli.toDisplay(path),
	hint: `What was there is in ${require_cli.toDisplay(back)}`
});
function leavesUpper(unit) {
	return unit.kind === "move-to-host" || unit.kind === "put" && unit.stage === null;
}
function entriesOf(unit) {
	switch (unit.kind) {
		case "put":
		case "swap":
		case "move-to-store": return unit.entries;
		case "meta":
		case "delete": return [{
			path: unit.path,
			id: unit.upper
		}];
		case "move-to-host": return unpackTree(unit.path, unit.tree);
	}
}
function entryCount(unit) {
	return unit.kind === "move-to-host" ? unit.tree.count : entriesOf(unit).length;
}
function hostOf(unit) {
	return unit.kind === "move-to-host" ? null : unit.host;
}
function bytesOf(unit) {
	return "bytes" in unit ? unit.bytes : 0;
}
function replacedBelow(unit) {
	return unit.kind === "swap" ? unit.below : [];
}
function resultOf(unit) {
	switch (unit.kind) {
		case "put":
		case "swap": return unit.stage === null ? unit.entries : unit.result;
		case "meta": return [resultOfMeta(unit)];
		case "delete": return [{
			path: unit.path,
			id: null
		}];
		case "move-to-host": return entriesOf(unit);
		case "move-to-store": return unit.entries.map(({ path }) => ({
			path,
			id: null
		}));
	}
}
function resultOfMeta({ path, host, mode, uid, gid, mtime }) {
	const then = {
		...require_cli.fingerprint(host),
		uid,
		gid
	};
	if (then.type !== "symlink") then.mode = mode;
	if (then.type === "file" && mtime !== null) then.mtimeNs = BigInt(mtime);
	return {
		path,
		id: require_cli.identityOf(then)
	};
}
function isTimeOnly(unit) {
	if (unit.kind !== "meta" || unit.mtime === null || unit.xattrs !== void 0) return false;
	return unit.host.startsWith(`file:${unit.mode}:${unit.uid}:${unit.gid}:`);
}
var END = "//";
var TreePacker = class {
	#count = 0;
	#parts = [];
	#skip;
	#dev;
	#owner;
	constructor(top, id) {
		const [, , uid = "", gid = "", , dev = ""] = id.split(":");
		this.#skip = top.length;
		this.#dev = dev;
		this.#owner = `${uid}:${gid}`;
	}
	looked(path, id) {
		this.#count++;
		this.#parts.push(path.slice(this.#skip), END, id, END);
	}
	listed({ path, pending, upperIdentity = "" }) {
		const owner = `${pending?.uid}:${pending?.gid}`;
		this.looked(path, owner === this.#owner ? upperIdentity : `${upperIdentity}.${owner}`);
	}
	done() {
		return {
			count: this.#count,
			dev: this.#dev,
			owner: this.#owner,
			text: this.#parts.join("")
		};
	}
};
var unpacked = /* @__PURE__ */ new WeakMap();
function unpackTree(top, tree) {
	const known = unpacked.get(tree);
	if (known !== void 0) return known;
	const { dev, owner, text } = tree;
	const fields = text.split(END);
	const entries = [];
	for (let i = 0; i + 1 < fields.length; i += 2) {
		const path = `${top}${fields[i] ?? ""}`;
		entries.push({
			path,
			id: wholeIdentity(fields[i + 1] ?? "", dev, owner)
		});
	}
	unpacked.set(tree, entries);
	return entries;
}
function wholeIdentity(id, dev, owner) {
	const fields = id.split(".");
	if (fields.length < 8) return id;
	const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
	return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
var JOURNAL = "journal.jsonl";
function phaseAfter(phase, { t }) {
	switch (t) {
		case "ready":
		case "applied": return t;
		case "done":
		case "fail":
		case "abandon": return phase === "ready" ? "applying" : phase;
		case "end":
		case "discarded": return "closed";
		case "reopen": return "staging";
		default: return phase;
	}
}
function isAborted({ phase, report }) {
	return phase === "closed" && report === null;
}
var CommitRecord = class {
	begin;
	n;
	phase = "staging";
	stages = [];
	units = [];
	unitOf = /* @__PURE__ */ new Map();
	above = [];
	same = [];
	refused = [];
	loosened = [];
	upperLoosened = [];
	done = /* @__PURE__ */ new Map();
	stamps = /* @__PURE__ */ new Map();
	failed = /* @__PURE__ */ new Map();
	hashes = /* @__PURE__ */ new Map();
	abandoned = null;
	report = null;
	dropped = false;
	pending = [];
	beside = [];
	imageless = /* @__PURE__ */ new Set();
	undone = /* @__PURE__ */ new Set();
	collected = false;
	endedAt = null;
	indexes = {};
	drops = [];
	bases = "";
	whiteouts = /* @__PURE__ */ new Set();
	discarded = false;
	entries = null;
	reopened = null;
	constructor(begin) {
		this.begin = begin;
		this.n = begin.n;
	}
	standing() {
		return this.units.filter(({ i }) => this.done.has(i) && !this.undone.has(i));
	}
	fold(line) {
		this.phase = phaseAfter(this.phase, line);
		switch (line.t) {
			case "stage":
				this.stages.push(line);
				break;
			case "unit":
				this.units.push(line);
				this.unitOf.set(line.i, line);
				break;
			case "above":
				this.above = this.above.concat(line.entries);
				break;
			case "refused":
				this.refused = this.refused.concat(line.entries);
				break;
			case "same":
				this.same = this.same.concat(line.entries, ...(line.trees ?? []).map((i) => this.#belowTop(i)));
				break;
			case "loosen":
				this.loosened.push(line);
				break;
			case "loosen-upper":
				this.upperLoosened.push(line);
				break;
			case "done":
				this.done.set(line.i, line.note ?? "");
				if (line.stamp !== void 0) this.stamps.set(line.i, line.stamp);
				if (line.whiteout === true) this.whiteouts.add(line.i);
				break;
			case "fail":
				this.failed.set(line.i, line.message);
				break;
			case "end":
				this.report = line.report;
				this.endedAt = line.at ?? null;
				this.indexes = line.indexes ?? {};
				this.discarded = false;
				break;
			case "drop":
				this.drops.push(line);
				break;
			case "bases":
				this.bases = line.text;
				break;
			case "reopen":
				this.reopened = line;
				break;
			case "pending":
				this.pending.push(line);
				break;
			case "beside":
				this.beside = this.beside.concat(line.paths);
				break;
			case "no-image":
				this.imageless.add(line.i);
				break;
			case "unlinked":
				this.stamps.set(line.i, line.stamp);
				break;
			case "undone":
				for (const i of line.units) this.undone.add(i);
				break;
			case "abandon":
				this.abandoned = line.why;
				break;
			case "discarded":
				this.discarded = true;
				this.entries = line.entries ?? this.entries;
				break;
			case "hashes":
				for (const [i, sha256, blob] of line.of) this.hashes.set(i, {
					sha256,
					blob
				});
				break;
			case "collected":
			case "dropped": this[line.t] = true;
		}
	}
	#belowTop(i) {
		const unit = this.unitOf.get(i);
		return unit === void 0 ? [] : entriesOf(unit).filter(({ path }) => path !== unit.path);
	}
};
function endTime() {
	return Date.now() + 1;
}
var Journal = class {
	record;
	dir;
	#port;
	#fd;
	#pending;
	#isDurable;
	constructor(port, dir, { record, torn }) {
		this.#port = port;
		this.dir = dir;
		this.record = record;
		this.#pending = torn ? "\n" : "";
		this.#isDurable = false;
		this.#fd = port.openAppend(require_cli.joinPath(dir, JOURNAL));
	}
	add(line) {
		this.record.fold(line);
		this.#pending += `${JSON.stringify(line)}\n`;
		if (this.#pending.length > 1e6) this.flush();
	}
	addSynced(...lines) {
		for (const line of lines) this.add(line);
		this.sync();
	}
	flush() {
		const text = this.#pending;
		if (text === "") return;
		this.#pending = "";
		this.#port.append(this.#fd, text);
	}
	sync() {
		this.flush();
		this.#port.fsync(this.#fd);
		this.#isDurable = true;
	}
	syncBegin() {
		if (!this.#isDurable) this.sync();
	}
	close() {
		this.#port.close(this.#fd);
	}
};
function commitsDir(ctx) {
	return require_cli.joinPath(require_cli.fromText(ctx.sessionDir), "commits");
}
function commitDir(ctx, n) {
	return require_cli.joinPath(commitsDir(ctx), String(n));
}
function commitNumbers(port, ctx) {
	if (port.lstat(commitsDir(ctx)) === null) return [];
	return port.readdir(commitsDir(ctx)).filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number).sort((a, b) => a - b);
}
function nextNumber(port, ctx) {
	return (commitNumbers(port, ctx).at(-1) ?? 0) + 1;
}
function readJournal(port, ctx, n) {
	return readJournalIn(port, commitDir(ctx, n))?.record ?? null;
}
function unfinishedCommit(ctx, port = require_cli.nodePort) {
	for (const n of commitNumbers(port, ctx).reverse()) {
		if (readClosed(commitDir(ctx, n)) !== null) return null;
		const record = readJournal(port, ctx, n);
		if (record !== null) return record.phase === "closed" ? null : n;
	}
	return null;
}
function openJournal(port, dir) {
	const found = readJournalIn(port, dir);
	return found === null ? null : new Journal(port, dir, found);
}
function readJournalIn(port, dir) {
	const text = port.readText(require_cli.joinPath(dir, "journal.jsonl")) ?? "";
	let record = null;
	for (const raw of text.split("\n")) {
		const line = raw === "" ? null : parse$1(raw);
		if (line === null) continue;
		if (record === null) {
			if (line.t !== "begin") throw journalDamaged(require_cli.joinPath(dir, JOURNAL), JOURNAL_HAS_NO_BEGIN);
			if (line.v !== 5) throw otherJournalVersion(dir, line.v, 5);
			record = new CommitRecord(line);
		} else if (line.t === "ready" && record.units.length !== line.units) throw journalDamaged(require_cli.joinPath(dir, JOURNAL), unitsMissing(line.units, record.units.length));
		else record.fold(line);
	}
	return record === null ? null : {
		record,
		torn: !text.endsWith("\n")
	};
}
function readClosed(dir) {
	const [head = "", tail = ""] = require_cli.readEnds(Buffer.from(require_cli.joinPath(dir, "journal.jsonl"), "latin1"), HEAD_BYTES, TAIL_BYTES)?.map((part) => part.toString("latin1")) ?? [];
	const [, version, at] = /^\{"t":"begin","v":(\d+),"at":"([^"]+)"/.exec(head) ?? [];
	if (at === void 0 || Number(version) !== 5 || !tail.endsWith("}\n")) return null;
	const after = /* @__PURE__ */ new Set();
	for (let end = tail.length - 1; end > 0;) {
		const start = tail.lastIndexOf("\n", end - 1) + 1;
		const kind = /^\{"t":"([a-z-]+)"/.exec(tail.slice(start, Math.min(end, start + 30)))?.[1] ?? "";
		if (kind === "end" || kind === "discarded") return {
			at,
			after
		};
		if (!AFTER_END.has(kind)) return null;
		after.add(kind);
		end = start - 1;
	}
	return null;
}
function beganAt(port, ctx, n) {
	const closed = readClosed(commitDir(ctx, n));
	const record = closed === null ? readJournal(port, ctx, n) : null;
	return record?.phase === "closed" ? record.begin.at : closed?.at ?? null;
}
var HEAD_BYTES = 100;
var TAIL_BYTES = 65536;
var AFTER_END = /* @__PURE__ */ new Set([
	"dropped",
	"undone",
	"collected"
]);
function parse$1(raw) {
	try {
		return JSON.parse(raw);
	} catch {
		return null;
	}
}
function beginTransaction(port, ctx, about) {
	if (unfinishedCommit(ctx, port) !== null) throw new require_cli.TraiError("internal", "expected no interrupted commit or undo");
	if (port.lstat(commitsDir(ctx)) === null) port.mkdir(commitsDir(ctx), 448);
	const n = nextNumber(port, ctx);
	return beginJournal(port, commitDir(ctx, n), {
		n,
		session: ctx.session,
		live: !ctx.quiet,
		...about
	});
}
function beginJournal(port, dir, about) {
	port.mkdir(dir, 448);
	const line = {
		t: "begin",
		v: 5,
		at: (/* @__PURE__ */ new Date()).toISOString(),
		...about
	};
	const journal = new Journal(port, dir, {
		record: new CommitRecord(line),
		torn: false
	});
	journal.add(line);
	journal.flush();
	return journal;
}
function redoable(port, ctx) {
	for (const n of commitNumbers(port, ctx).reverse()) {
		const record = readJournal(port, ctx, n);
		if (record === null || isAborted(record)) continue;
		return record.phase === "closed" && record.begin.undoes !== void 0 && record.done.size > 0 ? record : null;
	}
	return null;
}
var NOTHING_THERE = "nothing is pending there";
var CALL_UNKNOWN = "which call wrote it is not known";
var byOtherCalls = (calls) => `it can also have been written by call ${calls.slice(0, 3).join(", ")}${calls.length > 3 ? ` and ${calls.length - 3} more` : ""}, which ran at the same time`;
var ALONG = {
	holds: (path) => `it is the directory that holds ${require_cli.toDisplay(path)}`,
	sameFile: (path) => `it is another name of the same file as ${require_cli.toDisplay(path)}`,
	oldName: (path) => `it is the old name of ${require_cli.toDisplay(path)}, which was renamed`,
	newName: (path) => `it is the new name of ${require_cli.toDisplay(path)}, which was renamed`,
	belowDeleted: (path) => `it goes with ${require_cli.toDisplay(path)}, which is deleted`,
	belowReplaced: (path) => `it goes with ${require_cli.toDisplay(path)}, which is replaced`,
	above: (path) => `it has to go first: ${require_cli.toDisplay(path)} lies in it`,
	again: (path) => `${require_cli.toDisplay(path)} was deleted and made again, and goes as a whole`,
	git: (path) => `the repository’s data ${require_cli.toDisplay(path)} goes as a whole`,
	database: (path) => `it belongs to the database ${require_cli.toDisplay(path)}`,
	inDropped: (path) => `it lies in ${require_cli.toDisplay(path)}, which is dropped whole`,
	aboveDropped: (path) => `${require_cli.toDisplay(path)} lies in it, and it can only be dropped whole`
};
var SOCKET = "a socket is an address of a process, not content";
var ignoredBy = (rule) => `it is ignored (${rule}) and was not asked for by --include-ignored`;
var KEPT_AS_CHOSEN = "it stays as on the host, as was chosen for this conflict";
var NEEDS_KEPT = "it cannot go without an entry that stays as on the host";
var ONLY_WHOLE = "its directory was made in the sandbox and hides the host’s: commit it, or discard everything";
var NOT_REVIEWED = "it is not as it was reviewed any more; it stays pending";
var NOT_ALL_READ = "not all of it could be read; it stays pending";
var NO_NEW_NAME = "its new name could not be committed; it stays pending";
var GROUP_FAILED = "it belongs together with an entry that could not be applied";
var XATTRS_CHANGED = "its extended attributes (an ACL, user.*) are not as they were reviewed; it stays pending";
var SANDBOX_CHANGED = "the sandbox changed it after the review; it stays pending";
var CHANGED_MEANWHILE = "it changed while it was being copied; it stays pending";
var DIR_NOT_WRITABLE = "its directory on the host is missing or cannot be written";
var notCopied = (complaint) => `it could not be copied${complaint === "" ? "" : `: ${complaint}`}`;
var aclNotKept = (name, why) => `the ACL of ${name} could not be kept: ${why}`;
var noBeforeImage = (complaint) => `what it replaces could not be kept for an undo, so it stays pending (a commit without undo leaves that out)${complaint === "" ? "" : `: ${complaint}`}`;
var XATTR_ERRORS = {
	ENOTSUP: "the file system keeps no such extended attributes",
	EOPNOTSUPP: "the file system keeps no such extended attributes",
	ENOSPC: "the file system has no room for its extended attributes",
	EDQUOT: "the file system has no room for its extended attributes",
	E2BIG: "its extended attributes are too large for the file system",
	ERANGE: "its extended attributes are too large for the file system",
	EINVAL: "the file system does not take its extended attributes",
	ENOSYS: "its extended attributes cannot be set: perl is missing"
};
var SESSION_LIVE = "processes of the session are running; it stays pending";
var NOT_MOVED_OUT = "it cannot be renamed out of the overlay (EXDEV); it stays pending, and the next commit copies it";
var hostHas = (path) => `the host has an entry ${require_cli.toDisplay(path)}`;
var hostHasIn = (path) => `the host has a new or changed entry in it: ${require_cli.toDisplay(path)}`;
var replacedKept = (path, why) => `what it replaced could not be removed wholly and is kept as ${require_cli.toDisplay(path)}: ${why}`;
var partlyApplied = (why) => `it is in place on the host, but not finished: ${why}`;
var STOPPED = "it was stopped";
var stoppedAt = (path, why) => `the commit stopped at ${require_cli.toDisplay(path)}: ${why}`;
var givenUp = (entries) => `${entries} entries were given up by a discard before they were applied`;
var cleaningStopped = (why) => `everything else is as reported, but cleaning up stopped (the next run does it): ${why}`;
var pendingAgainStopped = (why) => `everything else is as reported, but making it pending again stopped (the next run does it): ${why}`;
var PENDING_WHEN_QUIET = "it is on the host; what was undone is pending again when the session is quiet";
var HOST_REMOVED = "the host has removed it";
var HOST_HAS_OTHER = "the host has something else there";
var HOST_HAS_DIR = "the host has a directory there now";
var COVERED_ITSELF = "it is a covered directory of its own by now, and stays";
var NOT_COVERED_NOW = "the session does not cover that place now, so it could not be pending again; it stays until a command of the session covers it";
var beforeImageChanged = (complaint) => `a process that still had it open has changed what was kept of it; it stays as it is on the host${complaint === "" ? "" : ` (${complaint})`}`;
var sessionHasOther = (kept) => `the session has something else there by now, which stays; what was taken off the host is kept: ${require_cli.toDisplay(kept)}`;
var notPending = (why) => `it could not be kept as pending: ${why}`;
var MEANWHILE = "it changed meanwhile";
var IN_VIEW = "a process of the session works in it, or has something of it open";
var MOUNTED_OVER = "a process of the session has it mounted, or something over it, as a box has what it shows and hides; it stays as it is until that ends";
var LIVE_ENDED = "the last process of the session has just ended, or no directory beside it can be written";
var IN_USE = "a process on the host works in it, or has a file of it open for writing";
var NEW_OR_CHANGED = "the host has a new or changed entry in it";
var treeStays = (why) => `${why}; it stays`;
var treeReplaced = (why) => `${why}, and something else is in its place by now: all that it had is pending`;
var NOT_MOVED_IN = "it cannot be renamed into the overlay (EXDEV); it stays, and the next undo copies it";
var NOT_COVERED = "it is not covered any more";
var SESSION_CHANGED = "the session has changed it since";
var openForWriting = (who) => `${who === "" ? "a process of the session" : who} has it open for writing; it stays pending`;
var NOT_DISCARDED_LIVE = "the session is changing it; it stays pending";
var HELD_OPEN = "a process has something of the deleted directory open, and until it closes that the kernel shows no other one; its deletion stays pending";
var NEW_INSIDE = "the session has made something new in it meanwhile, which stays pending";
var HOST_UNREADABLE = "the host’s entry could not be read or copied; it stays pending";
var savedBeside = (path) => `a process wrote it meanwhile; it is ${path} now`;
var SESSION_CHANGED_XATTRS = "the session has changed its extended attributes since";
var dirGone = (path) => `the directory ${require_cli.toDisplay(path)} is gone`;
var sessionChanged = (path) => `the session has changed ${require_cli.toDisplay(path)} since`;
var NOT_COMPLETE = "it is not a complete commit of this session";
var UNDONE_ALREADY = "it is undone already";
var NOT_NEWEST = "it is not the newest";
var NOT_KEPT_ANY_MORE = "what was there before is not kept any more";
var NEVER_KEPT = "it was made without keeping what was there before";
var LEFTOVER = "left by a discard that was interrupted before it took anything";
var PROJECT_GONE = "its project is gone, and nothing is pending";
var NEVER_BEGAN = "its client was ended before it had begun, and nothing is pending";
var olderThan = (days) => `older than ${days} days`;
var moreThan = (bytes) => `more than ${bytes} bytes are kept`;
var takenFromHost = (limit) => `${limit}; what its undo took off the host is nowhere else`;
function hostDirs({ port, ctx, journal }) {
	const dirs = new require_cli.Dirs(port, "/", ctx.root ? 0 : ctx.uid, (path, mode, id) => {
		journal.addSynced({
			t: "loosen",
			path,
			mode,
			id
		});
	});
	for (const { id, mode } of journal.record.loosened) dirs.loosened.set(id, mode);
	return dirs;
}
var Areas = class {
	#port;
	#ctx;
	#dirs;
	#bases = /* @__PURE__ */ new Map();
	all = [];
	constructor(port, ctx, dirs) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
	}
	baseFor(parent) {
		const known = this.#bases.get(parent);
		const base = known === void 0 ? this.#find(parent) : known;
		this.#bases.set(parent, base);
		if (base === null) throw new require_cli.NotApplied(DIR_NOT_WRITABLE);
		return base;
	}
	areaAt(base, journal) {
		const found = this.all.find((area) => area.base === base);
		if (found !== void 0) return found;
		const name = stageName(this.#ctx.session, journal.record.n);
		journal.addSynced({
			t: "stage",
			base,
			name
		});
		const dir = this.#dirs.openToWrite(base);
		this.#port.mkdir(require_cli.at(dir, name), 448);
		const area = {
			index: this.all.length,
			base,
			fd: this.#port.openDir(require_cli.at(dir, name))
		};
		this.all.push(area);
		return area;
	}
	async sync(more) {
		const fds = more.map((dir) => this.#port.openDir(require_cli.joinPath(dir, ".")));
		try {
			await require_cli.syncFileSystems(this.#port, [...this.all.map(({ fd }) => fd), ...fds]);
		} finally {
			for (const fd of fds) this.#port.close(fd);
		}
	}
	close() {
		for (const area of this.all.splice(0)) this.#port.close(area.fd);
	}
	#find(parent) {
		const covered = require_cli.coveringDir(this.#ctx.coveredDirs, parent);
		const target = this.#dirs.lstat(parent);
		if (covered === null || target?.type !== "dir") return null;
		const mine = !this.#ctx.root && target.uid === this.#ctx.uid;
		if (!mine && !this.#port.writable(require_cli.at(this.#dirs.open(parent)))) return null;
		const names = parent.slice(covered.path.length).split("/").filter(Boolean);
		let dir = covered.path;
		for (;;) {
			const fd = this.#dirs.open(dir);
			if (this.#port.fstat(fd).dev === target.dev && this.#port.writable(require_cli.at(fd))) return dir;
			const name = names.shift();
			if (name === void 0) break;
			dir = require_cli.joinPath(dir, name);
		}
		return mine ? parent : null;
	}
};
function stageName(session, n) {
	return `.trai-commit.${session}.${n}`;
}
function asideName(session, n, i) {
	return `.trai-old.${session}.${n}.${i}`;
}
var BACK = "back";
function waitingAt(back, covered, path) {
	return require_cli.joinPath(back, require_cli.joinPath(String(covered.n), require_cli.relativeTo(covered.path, path)));
}
var isDir = (side) => side?.type === "dir";
var Tree = class {
	changes;
	above;
	#index = null;
	#dirs = /* @__PURE__ */ new Map();
	#nearest = /* @__PURE__ */ new Map();
	constructor(changes) {
		this.changes = changes;
		changes.forEach(({ path, pending, host }, i) => {
			if (isDir(pending) || isDir(host)) this.#dirs.set(path, i);
		});
		let dir = "\0";
		let at = -1;
		this.above = changes.map(({ path }) => {
			if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) {
				dir = require_cli.parentOf(path);
				at = this.#listed(dir);
			}
			return at;
		});
	}
	indexOf(change) {
		this.#index ??= new Map(this.changes.map((one, i) => [one, i]));
		return this.#index.get(change) ?? -1;
	}
	#listed(dir) {
		const known = this.#dirs.get(dir) ?? this.#nearest.get(dir);
		if (known !== void 0) return known;
		const found = dir === "/" ? -1 : this.#listed(require_cli.parentOf(dir));
		this.#nearest.set(dir, found);
		return found;
	}
};
function collectSelectionClosure(tree, states, rules) {
	const sets = [...groupsOf(tree.changes), ...rules.forSelection ? linkedOf(tree.changes) : []];
	const closure = new Closure(tree, states, (change, rule) => {
		return (rule === "links" || rule === "rename" || rule === "again") && rules.leftOut(change) ? "ignored" : rules.decide(change);
	});
	closure.run(sets, (i, up) => pairOfCommit(closure, i, up, rules.forSelection));
	return closure.along;
}
function sets(changes, keyOf) {
	const found = /* @__PURE__ */ new Map();
	changes.forEach((change, i) => {
		const key = keyOf(change);
		if (key === null) return;
		const known = found.get(key);
		if (known === void 0) found.set(key, [i]);
		else known.push(i);
	});
	return [...found.values()].filter((members) => members.length > 1);
}
var groupOf = (change) => change.pending?.type === "socket" ? null : change.group;
function renamesOf(changes) {
	const renamed = changes.flatMap(({ renamedFrom }, i) => renamedFrom === void 0 ? [] : [{
		renamedFrom,
		i
	}]);
	if (renamed.length === 0) return [];
	const wanted = new Set(renamed.map(({ renamedFrom }) => renamedFrom));
	const deleted = /* @__PURE__ */ new Map();
	changes.forEach(({ path, pending }, i) => {
		if (pending === null && wanted.has(path)) deleted.set(path, i);
	});
	return renamed.flatMap(({ renamedFrom, i }) => {
		const from = deleted.get(renamedFrom);
		return from === void 0 ? [] : [[i, from]];
	});
}
function linkSetOf({ pending, upperIdentity }) {
	if (pending === null || pending.type === "dir" || pending.type === "socket") return null;
	return upperIdentity ?? null;
}
function linkedOf(changes) {
	return [...sets(changes, linkSetOf).map((members) => ({
		members,
		rule: "links",
		keeps: false
	})), ...renamesOf(changes).map((members) => ({
		members,
		rule: "rename",
		keeps: false
	}))];
}
function groupsOf(changes) {
	return sets(changes, groupOf).map((members) => ({
		members,
		rule: "group",
		keeps: true
	}));
}
var Closure = class {
	along = [];
	tree;
	states;
	#decide;
	#moved = false;
	constructor(tree, states, decide) {
		this.tree = tree;
		this.states = states;
		this.#decide = decide;
	}
	run(sets, pair) {
		do {
			this.#moved = false;
			for (const { members, rule, keeps } of sets) {
				if (keeps && members.some((i) => this.states[i] === "keep")) for (const i of members) this.keep(i);
				const taken = members.find((i) => this.states[i] === "take");
				if (taken !== void 0) for (const i of members) this.takeAlong(i, taken, rule);
			}
			this.tree.above.forEach((up, i) => {
				pair(i, up);
			});
		} while (this.#moved);
	}
	keep(i) {
		if (this.states[i] === "keep") return;
		this.states[i] = "keep";
		this.#moved = true;
	}
	takeAlong(i, because, rule) {
		const change = this.tree.changes[i];
		const cause = this.tree.changes[because];
		if (this.states[i] !== "ignored" || change === void 0 || cause === void 0) return;
		const state = this.#decide(change, rule);
		if (state === "ignored") return;
		this.states[i] = state;
		this.along.push({
			change,
			because: cause,
			rule
		});
		this.#moved = true;
	}
};
function pairOfCommit(closure, i, up, forSelection) {
	const { tree, states } = closure;
	const parent = tree.changes[up];
	if (parent === void 0 || parent.kind === "meta") return;
	const [mine, theirs] = [states[i], states[up]];
	if (isDir(parent.pending) && !isDir(parent.host)) {
		if (theirs === "keep") closure.keep(i);
		else if (mine === "take") closure.takeAlong(up, i, "holds");
		return;
	}
	if (theirs === "keep" && (parent.kind !== "deleted" || parent.conflict !== null)) closure.keep(i);
	else if (isDir(parent.pending)) {
		if (forSelection && theirs === "take") closure.takeAlong(i, up, "again");
	} else if (mine === "keep") closure.keep(up);
	else if (theirs === "take") closure.takeAlong(i, up, "below");
	else if (mine === "take" && parent.pending !== null) closure.takeAlong(up, i, "above");
}
function changesOf({ members, below }) {
	return [...members, ...below];
}
function planTakingSandbox(list, includeIgnored, paths) {
	const { revision } = list;
	return planCommit(list, {
		revision,
		includeIgnored,
		conflicts: "take-sandbox",
		choices: {},
		yes: true,
		typedCount: null,
		exactly: paths ?? void 0
	});
}
function planCommit(list, request) {
	const changes = [...list.changes, ...list.timed ?? []].sort((a, b) => a.path < b.path ? -1 : 1);
	const chosen = changes.map((change) => isChosen(change, request));
	const first = firstStates(changes, chosen, request);
	refuseUndecided(changes, first, request);
	const tree = new Tree(changes);
	const states = [...first];
	const along = collectSelectionClosure(tree, states, rulesOf(request));
	refuseUndecided(changes, states.map((state) => state === "take" ? state : "ignored"), request);
	const pick = (state) => changes.filter((_, i) => states[i] === state);
	const stale = staleIn(tree, chosen, states, request);
	return {
		steps: order(build(tree, states)),
		kept: pick("keep").filter((change) => !isClosed(change) && !stale.has(change)),
		closed: pick("keep").filter(isClosed),
		ignored: pick("ignored"),
		stale: [...stale],
		along: along.filter(({ change }) => states[tree.indexOf(change)] === "take"),
		stays: isSelection(request) ? changes.filter((_, i) => chosen[i] === true && states[i] !== "take") : []
	};
}
function firstStates(changes, chosen, request) {
	return changes.map((change, i) => chosen[i] !== true || leftOut(change, request) ? "ignored" : decided(change, request));
}
function rulesOf(request) {
	return {
		forSelection: isSelection(request),
		leftOut: (change) => leftOut(change, request),
		decide: (change) => decided(change, request)
	};
}
function staleIn(tree, chosen, states, { stale, ...fresh }) {
	if (stale === void 0 || stale.size === 0) return /* @__PURE__ */ new Set();
	const going = firstStates(tree.changes, chosen, fresh);
	collectSelectionClosure(tree, going, rulesOf(fresh));
	return new Set(tree.changes.filter((_, i) => states[i] === "keep" && going[i] === "take"));
}
function isSelection({ only, exactly }) {
	return only !== void 0 || exactly !== void 0;
}
function isClosed({ conflict }) {
	return conflict === "unreadable";
}
function leftOut(change, request) {
	return change.pending?.type === "socket" || change.ignored !== null && change.ignored !== "only its time differs" && !request.includeIgnored;
}
function isChosen({ path }, { only, exactly }) {
	if (exactly !== void 0) return exactly.has(path);
	return only === void 0 || only.has(path) || require_cli.isBelowAny(path, only);
}
function refuseUndecided(changes, states, request) {
	const open = changes.filter((c, i) => c.conflict !== null && !isClosed(c) && states[i] !== "ignored" && !isStale(c, request) && (request.choices[c.id] ?? request.conflicts) === "refuse");
	if (open.length > 0) throw openConflicts(open);
}
function isStale({ path }, { stale }) {
	return stale?.has(path) === true;
}
function decided(change, request) {
	if (isStale(change, request)) return "keep";
	if (change.conflict === null) return "take";
	if (isClosed(change)) return "keep";
	return (request.choices[change.id] ?? request.conflicts) === "keep-host" ? "keep" : "take";
}
function opOf(change) {
	if (change.pending === null) return "delete";
	const parted = change.xattrs === true || change.hostLinks !== void 0;
	if (change.kind === "meta" && parted && !isDir(change.pending)) return "put";
	if (change.kind === "meta" || change.kind === "dir-replaced") return "meta";
	if (change.host === null) return "put";
	if (isDir(change.host) !== isDir(change.pending)) return "swap";
	return isDir(change.pending) ? "meta" : "put";
}
function build(tree, states) {
	const steps = [];
	const stepOf = [];
	tree.changes.forEach((change, i) => {
		if (states[i] !== "take") return;
		const above = stepOf[tree.above[i] ?? -1];
		const op = opOf(change);
		if (above !== void 0 && (above.op === "put" || above.op === "swap")) {
			if (op === "delete") above.below.push(change);
			else above.members.push(change);
			stepOf[i] = above;
			return;
		}
		const step = {
			op,
			change,
			members: [change],
			below: []
		};
		stepOf[i] = step;
		steps.push(step);
	});
	return steps;
}
function order(steps) {
	const lastMeta = (step) => step.op === "meta" && isDir(step.change.pending);
	return [
		...steps.filter((step) => step.op !== "delete" && !lastMeta(step)),
		...steps.filter((step) => step.op === "delete").reverse(),
		...steps.filter(lastMeta).reverse()
	];
}
function replacedBytes({ steps }) {
	const sizeOf = ({ host }) => host?.size ?? 0;
	return steps.filter(({ op }) => op !== "meta").flatMap(({ change, below }) => [change, ...below]).reduce((sum, change) => sum + sizeOf(change), 0);
}
async function checkSteps(work, steps, settled = false) {
	const looked = [];
	const failed = /* @__PURE__ */ new Map();
	for (const step of steps) {
		await work.pace.breathe();
		try {
			looked.push(await checkStep(work, step, failed, settled && (isNewTree(step) || isChangedFile(step))));
		} catch (error) {
			const message = require_cli.entryMessage(error);
			if (message === null) throw error;
			failStep(step, message, failed);
		}
	}
	return {
		checked: checkXattrs(work, looked, failed),
		failed
	};
}
async function checkBelieved(work, findings, moves) {
	const believed = findings.checked.filter((one) => one.listed === true && !moves.has(one));
	if (believed.length === 0) return;
	const { checked: looked, failed } = await checkSteps(work, believed.map(({ step }) => step));
	const found = new Map(looked.map((one) => [one.step, one]));
	for (const [path, message] of failed) findings.failed.set(path, message);
	findings.checked = findings.checked.filter((one) => {
		if (one.listed !== true || moves.has(one)) return true;
		const now = found.get(one.step);
		if (now === void 0) return false;
		one.listed = void 0;
		one.host = now.host;
		one.upper = now.upper;
		return true;
	});
}
function isNewTree({ op, change }) {
	return op === "put" && change.host === null && change.pending?.type === "dir";
}
function isChangedFile({ op, change, members }) {
	return op === "put" && change.pending?.type === "file" && change.host !== null && members.length === 1;
}
function checkXattrs({ port, uppers }, looked, failed) {
	const asked = looked.filter(({ step }) => step.op === "meta" && step.change.xattrs === true);
	const paths = asked.flatMap(({ step: { change } }) => [change.path, uppers.pathOf(change.path)]);
	const texts = port.xattrsOf(paths);
	asked.forEach((one, i) => {
		const [from, to] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		const { change } = one.step;
		if (from === null || to === null) failStep(one.step, require_cli.NO_XATTRS, failed);
		else if (change.xattrIdentity !== require_cli.xattrIdentity({
			host: from,
			upper: to
		})) failStep(one.step, XATTRS_CHANGED, failed);
		else one.xattrs = {
			from,
			to
		};
	});
	return looked.filter(({ step }) => !failed.has(step.change.path));
}
function failStep(step, message, failed) {
	for (const { path } of changesOf(step)) if (!failed.has(path)) failed.set(path, message);
}
async function checkStep({ port, dirs, uppers, pace }, step, failed, listed) {
	const top = expectReviewed(port, dirs, step.change);
	const host = top === null ? null : require_cli.identityOf(top);
	const below = [];
	for (const change of step.below) {
		await pace.breathe();
		const found = expectReviewed(port, dirs, change);
		if (found === null) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
		below.push({
			path: change.path,
			host: require_cli.identityOf(found)
		});
	}
	const asked = listed ? step.members.filter((member) => !saysAll(member)) : step.members;
	const upper = await look(uppers, asked, pace);
	for (const member of asked) {
		if (member.pending === null || isAsReviewed(member, upper.get(member.path) ?? null)) continue;
		failed.set(member.path, SANDBOX_CHANGED);
		upper.delete(member.path);
	}
	if (failed.has(step.change.path)) throw new require_cli.NotApplied(SANDBOX_CHANGED);
	return {
		step,
		host,
		below,
		upper,
		...listed ? { listed } : {}
	};
}
async function look(uppers, asked, pace) {
	const [one, more] = asked;
	if (one === void 0) return /* @__PURE__ */ new Map();
	if (more === void 0) {
		const now = uppers.lstatHere(one.path);
		return new Map(now === null ? [] : [[one.path, now]]);
	}
	return await uppers.lstatEach(asked.map(({ path }) => path), pace);
}
function saysAll({ pending, upperIdentity }) {
	return pending !== null && require_cli.isWholeIdentity(upperIdentity, pending.type);
}
function isUnmarked(change, now) {
	const then = require_cli.identityFields(change.upperIdentity);
	return then !== null && isAsReviewed(change, now, BigInt(then.ctimeNs));
}
function isAsReviewed({ pending, upperIdentity }, now, ctimeNs = now?.ctimeNs) {
	if (now === null || ctimeNs === void 0 || !require_cli.looksLike(pending, now)) return false;
	return upperIdentity === void 0 || upperIdentity === require_cli.lookIdentity({
		...now,
		ctimeNs
	});
}
function expectReviewed(port, dirs, { path, host, hostIdentity }) {
	const now = dirs.lstatHere(path);
	if (!require_cli.looksLike(host, now) || now !== null && hostIdentity !== void 0 && hostIdentity !== require_cli.lookIdentity(now) || now?.type === "symlink" && port.readlink(require_cli.at(dirs.open(require_cli.parentOf(path)), require_cli.nameOf(path))) !== host?.target) throw new require_cli.NotApplied(require_cli.HOST_CHANGED);
	return now;
}
function failUnread(list, { stale, closed }, findings) {
	for (const { path } of stale) findings.failed.set(path, NOT_REVIEWED);
	for (const { path } of closed) findings.failed.set(path, require_draft.CONFLICT_REASONS.unreadable);
	if (list.problems.length === 0) return;
	const unread = list.problems.map(({ path }) => path);
	const isUnread = (path) => unread.includes(require_cli.toDisplay(path));
	const holdsUnread = (path) => unread.some((one) => one.startsWith(`${require_cli.toDisplay(path)}/`));
	const { failed } = findings;
	findings.checked = findings.checked.filter(({ step }) => {
		const { op, change, members } = step;
		if (isUnread(change.path) || op === "delete" && holdsUnread(change.path)) {
			failStep(step, NOT_ALL_READ, failed);
			return false;
		}
		const unreadDirs = /* @__PURE__ */ new Set();
		for (const { path } of members) {
			if (!unreadDirs.has(require_cli.parentOf(path)) && !isUnread(path)) continue;
			unreadDirs.add(path);
			failed.set(path, NOT_ALL_READ);
		}
		return true;
	});
}
function failGroups({ steps }, findings) {
	const { failed } = findings;
	const fail = (isMeant, message) => {
		const falling = findings.checked.filter(({ step }) => isMeant(step));
		for (const { step } of falling) failStep(step, message, failed);
		findings.checked = findings.checked.filter(({ step }) => !failed.has(step.change.path));
		return falling.length > 0;
	};
	for (let more = failed.size > 0; more;) {
		const changes = steps.flatMap(changesOf).filter(({ path }) => failed.has(path));
		const renamed = new Set(changes.map(({ renamedFrom }) => renamedFrom));
		const groups = new Set(changes.map(({ group }) => group).filter((group) => group !== null));
		const deletesOf = ({ op, change, below }) => op === "delete" ? [change] : below;
		const names = fail((step) => deletesOf(step).some(({ path }) => renamed.has(path)), NO_NEW_NAME);
		more = fail((step) => changesOf(step).some(({ group }) => group !== null && groups.has(group)), "it belongs together with an entry that could not be applied") || names;
	}
}
var ACL = Buffer.from("system.posix_acl_access").toString("hex");
var USER = Buffer.from("user.").toString("hex");
function parse(text) {
	return new Map(text.split(" ").flatMap((one) => {
		const end = one.indexOf("=");
		return end === -1 ? [] : [[one.slice(0, end), one.slice(end + 1)]];
	}));
}
function xattrChanges(now, to) {
	const [before, after] = [parse(now), parse(to)];
	return [...[.../* @__PURE__ */ new Set([...before.keys(), ...after.keys()])].filter((name) => name !== ACL).sort(), ACL].flatMap((name) => {
		const [old, value] = [before.get(name) ?? null, after.get(name) ?? null];
		return old === value ? [] : [{
			name,
			from: old,
			to: value
		}];
	});
}
function removesAcl(changes) {
	return changes.some(({ name, to }) => name === ACL && to === null);
}
function needsWriting(changes) {
	return changes.some(({ name }) => name.startsWith(USER));
}
function isBetween(now, { from, to }) {
	const [is, was, wanted] = [
		parse(now),
		parse(from),
		parse(to)
	];
	return [.../* @__PURE__ */ new Set([
		...is.keys(),
		...was.keys(),
		...wanted.keys()
	])].every((name) => {
		const one = lasting(name, is.get(name));
		return one === lasting(name, was.get(name)) || one === lasting(name, wanted.get(name));
	});
}
var OWNER = "0100";
var GROUP = "0400";
var MASK = "1000";
var OTHERS = "2000";
function lasting(name, value) {
	if (name !== ACL || value === void 0) return value;
	const entries = value.slice(8).match(/.{16}/g) ?? [];
	const set = [
		OWNER,
		entries.some((entry) => entry.startsWith(MASK)) ? MASK : GROUP,
		OTHERS
	];
	return entries.map((entry) => set.includes(entry.slice(0, 4)) ? `${entry.slice(0, 4)}${entry.slice(8)}` : entry).join("");
}
var ARGUMENT_BYTES = 1e6;
var SHELL = [
	"bash",
	"--norc",
	"-c",
	"IFS= read -r -d \"\" how; IFS= read -r -d \"\" dir; cd -- \"$dir\" || exit 3; mapfile -d \"\" -t names; exec cp -au \"$how\" --parents -t /proc/self/fd/3 -- \"${names[@]}\""
];
async function copyOut(port, from, names, to, how = "--reflink=auto") {
	const copying = {
		port,
		from,
		names,
		to,
		how
	};
	const viewer = /^\/proc\/(\d+)\/root\//.exec(from)?.[1];
	const isRoot = process.getuid?.() === 0;
	const enter = viewer === void 0 ? [
		"unshare",
		"--user",
		"--map-root-user"
	] : [
		"nsenter",
		"--preserve-credentials",
		"-U",
		"-t",
		viewer
	];
	let complaints = await copyWith(copying, SHELL);
	const other = complaints.filter((line) => !line.endsWith("Permission denied"));
	if (!isRoot && other.length < complaints.length) {
		const again = (await copyWith(copying, [...enter, ...SHELL])).filter((line) => !ACL_LOST.test(line));
		complaints = [
			...other,
			...again,
			...setAcls(copying)
		];
	}
	dropInheritedSetgid(copying);
	return complaints[0] ?? "";
}
async function copyWith({ port, from, names, to, how }, command) {
	const [program = "", ...args] = command;
	const complaints = [];
	for (const chunk of chunks(names)) {
		const input = [
			how,
			`${from}/.`,
			...chunk.map((name) => `./${name}`),
			""
		].join("\0");
		const { status, stderr } = await port.run(program, args, Buffer.from(input, "latin1"), [to]);
		if (status === 0) continue;
		const lines = stderr.trim().split("\n");
		if (/No space left on device|Disk quota exceeded/.test(stderr)) throw noSpaceForCopies(lines[0] ?? "");
		if (status === 127) throw noCp(stderr.trim());
		complaints.push(...lines);
	}
	return complaints;
}
function* chunks(names) {
	let chunk = [];
	let bytes = 0;
	for (const name of names) {
		bytes += name.length + 12;
		if (bytes > ARGUMENT_BYTES && chunk.length > 0) {
			yield chunk;
			chunk = [];
			bytes = name.length + 12;
		}
		chunk.push(name);
	}
	if (chunk.length > 0) yield chunk;
}
var ACL_LOST = /^cp: preserving permissions for /;
function setAcls({ port, from, names, to }) {
	const pairs = names.flatMap((name) => [...pairsBelow(port, require_cli.joinPath(from, name), to, name)]);
	const texts = require_cli.aclsOf(pairs.flatMap(({ original, dir, name }) => [original, require_cli.at(dir, name)]));
	return pairs.flatMap(({ original, dir, name, mode }, i) => {
		const [wanted, has] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		if (wanted === has && (wanted !== null || (mode & 256) !== 0)) return [];
		const why = require_cli.refusalOf(() => {
			if (wanted === null || has === null) throw new require_cli.NotApplied(require_cli.NO_XATTRS);
			require_cli.withHandle(port, port.openEntry(require_cli.at(dir, name)), (fd) => {
				port.setXattrs(fd, xattrChanges(has, wanted));
				port.chmod(require_cli.at(fd), mode);
			});
		});
		if (why === null) return [];
		const above = require_cli.at(dir, `.${require_cli.parentOf(`/${name}`)}`);
		require_cli.withHandle(port, port.openDir(above), (fd) => {
			const { mode: closed } = port.fstat(fd);
			port.chmod(require_cli.at(fd), closed | 448);
			require_cli.removeTree(port, fd, require_cli.nameOf(name));
			port.chmod(require_cli.at(fd), closed);
		});
		return [aclNotKept(require_cli.toDisplay(require_cli.nameOf(original)), why)];
	});
}
function* pairsBelow(port, original, dir, name) {
	const [mine = null, copy] = require_cli.orIfRefused(() => [port.lstat(original), port.lstat(require_cli.at(dir, name))], []);
	if (mine === null || mine.type !== copy?.type || mine.type === "symlink") return;
	const children = mine.type === "dir" ? require_cli.orIfRefused(() => port.readdir(original), []) : [];
	for (const child of children) yield* pairsBelow(port, require_cli.joinPath(original, child), dir, require_cli.joinPath(name, child));
	yield {
		original,
		dir,
		name,
		mode: mine.mode
	};
}
var SETGID = 1024;
function dropInheritedSetgid({ port, from, names, to }) {
	for (const [container, inside] of require_cli.byParent(names.map((name) => `/${name}`))) {
		const dir = require_cli.orNull(() => port.openDir(require_cli.at(to, `.${container}`)));
		if (dir === null) continue;
		require_cli.withHandle(port, dir, () => {
			if ((port.fstat(dir).mode & SETGID) !== 0) for (const path of inside) dropBelow(port, require_cli.joinPath(from, path.slice(1)), dir, require_cli.nameOf(path));
		});
	}
}
function dropBelow(port, original, dir, name) {
	const copy = require_cli.orNull(() => port.lstat(require_cli.at(dir, name)));
	if (copy?.type !== "dir" || (copy.mode & SETGID) === 0) return;
	const fd = require_cli.orNull(() => port.openDir(require_cli.at(dir, name)));
	if (fd === null) return;
	require_cli.withHandle(port, fd, () => {
		for (const child of require_cli.orIfRefused(() => port.readdir(require_cli.at(fd)), [])) dropBelow(port, require_cli.joinPath(original, child), fd, child);
		if (((require_cli.orNull(() => port.lstat(original))?.mode ?? SETGID) & SETGID) === 0) port.chmod(require_cli.at(fd), copy.mode & -1025);
	});
}
function isWholeCopy(port, from, to) {
	try {
		const pairs = pairsOf(port, from, to);
		if (pairs === null) return false;
		const texts = port.xattrsOf(pairs.flat());
		return pairs.every((_, i) => texts[2 * i] === texts[2 * i + 1]);
	} catch (error) {
		if (require_cli.entryMessage(error) === null) throw error;
		return false;
	}
}
function pairsOf(port, from, to) {
	const open = [[from, to]];
	const pairs = [];
	for (let pair = open.pop(); pair !== void 0; pair = open.pop()) {
		const [mine, theirs] = pair;
		const [original, copy] = [port.lstat(mine), port.lstat(theirs)];
		if (original === null || copy === null || !require_cli.looksAlike(require_cli.identityOf(original), copy)) return null;
		if (original.type === "symlink" && port.readlink(mine) !== port.readlink(theirs)) return null;
		pairs.push(pair);
		if (original.type !== "dir") continue;
		const names = port.readdir(mine);
		if (names.length !== port.readdir(theirs).length) return null;
		for (const name of names) open.push([require_cli.joinPath(mine, name), require_cli.joinPath(theirs, name)]);
	}
	return pairs;
}
var GONE = "gone";
var Uppers = class {
	#port;
	#ctx;
	#onLoosen;
	#walks = /* @__PURE__ */ new Map();
	#moved = 0;
	#loosened = [];
	constructor(port, ctx, onLoosen) {
		this.#port = port;
		this.#ctx = ctx;
		this.#onLoosen = onLoosen;
	}
	isRoot(path) {
		return require_cli.coveringDir(this.#ctx.coveredDirs, path)?.path === path;
	}
	lstat(path) {
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstat(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	lstatHere(path) {
		if (this.isRoot(path)) return this.lstat(path);
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstatHere(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	async lstatEach(paths, pace) {
		const found = /* @__PURE__ */ new Map();
		for (const path of paths) {
			const root = this.isRoot(path) ? this.lstat(path) : null;
			if (root !== null) found.set(path, root);
		}
		for (const [dir, inDir] of require_cli.byParent(paths.filter((path) => !this.isRoot(path)))) {
			await pace.breathe();
			this.#in(dir, ({ walk, inside }) => {
				const fd = walk.openOrNone(inside);
				for (const path of fd === null ? [] : inDir) {
					const now = this.#port.lstat(require_cli.at(fd ?? 0, require_cli.nameOf(path)));
					if (now !== null) found.set(path, walk.asFound(now));
				}
			});
		}
		return found;
	}
	placed(path) {
		return this.#in(path, ({ walk, inside }) => this.isRoot(path) ? require_cli.at(walk.open(inside)) : require_cli.at(walk.open(require_cli.parentOf(inside)), require_cli.nameOf(inside)));
	}
	placedHere(path) {
		return this.#in(path, ({ walk, inside }) => require_cli.at(walk.openHere(require_cli.parentOf(inside)), require_cli.nameOf(inside)));
	}
	pathOf(path) {
		return require_cli.upperPathIn(this.#ctx.coveredDirs, path) ?? path;
	}
	readdir(path) {
		return this.#in(path, ({ walk, inside }) => walk.lstat(inside)?.type === "dir" ? this.#port.readdir(require_cli.at(walk.openToList(inside))) : []) ?? [];
	}
	remove(path, type) {
		this.#at(path, (target) => type === "dir" ? this.#port.rmdir(target) : this.#port.unlink(target));
	}
	insert(path, from, closedMode = null) {
		const now = closedMode === null ? null : this.#port.lstat(from);
		if (closedMode !== null && now !== null) {
			this.#in(path, ({ inside }) => this.#onLoosen?.(inside, closedMode, require_cli.birthOf(now)));
			require_cli.chmodEntry(this.#port, from, closedMode | 448);
		}
		this.#in(path, ({ walk, inside }) => this.#port.rename(from, walk.targetHere(inside)));
		if (closedMode !== null) this.chmod(path, closedMode);
	}
	takeOut(path, to) {
		this.#in(path, ({ walk, inside }) => require_cli.moveOut(this.#port, walk, inside, to));
	}
	dress(path, { mode, uid, gid }) {
		this.#at(path, (target) => {
			const now = this.#port.lstat(target);
			if (now?.type !== "dir") return;
			if (now.uid !== uid || now.gid !== gid) this.#port.lchown(target, uid, gid);
			require_cli.chmodEntry(this.#port, target, mode);
		});
	}
	xattrs(path) {
		return this.#in(path, ({ walk, inside }) => this.#port.xattrs(walk.open(inside)));
	}
	setXattrs(path, changes) {
		if (changes.length > 0) this.#in(path, ({ walk, inside }) => this.#port.setXattrs(walk.open(inside), changes));
	}
	link(path, from) {
		this.#at(path, (target) => this.#port.link(from, target));
	}
	chmod(path, mode) {
		this.#at(path, (target) => require_cli.chmodEntry(this.#port, target, mode));
	}
	moveOut(path) {
		const covered = require_cli.coveringDir(this.#ctx.coveredDirs, path);
		if (covered === null) return;
		const gone = require_cli.joinPath(require_cli.parentOf(covered.upper), GONE);
		if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 448);
		this.takeOut(path, require_cli.joinPath(gone, String(this.#moved++)));
	}
	removeMovedOut() {
		for (const { upper } of this.#ctx.coveredDirs) {
			const beside = require_cli.parentOf(upper);
			if (this.#port.lstat(require_cli.joinPath(beside, GONE)) !== null) require_cli.removePath(this.#port, beside, GONE);
		}
	}
	restore(loosened) {
		for (const { path, mode, id } of loosened) {
			const covered = this.#ctx.coveredDirs.find(({ upper }) => require_cli.isWithin(path, upper));
			const walk = covered === void 0 ? null : this.#walk(covered);
			const now = walk?.lstat(path) ?? null;
			if (walk === null || now === null || require_cli.birthOf(now) !== id || now.mode !== (mode | 448)) continue;
			this.#port.chmod(require_cli.at(walk.open(path)), mode);
		}
	}
	close() {
		for (const { walk, path, mode } of this.#loosened.splice(0).reverse()) if (walk.lstat(path)?.type === "dir") this.#port.chmod(require_cli.at(walk.open(path)), mode);
		for (const walk of this.#walks.values()) walk.close();
		this.#walks.clear();
	}
	#in(path, use) {
		const covered = require_cli.coveringDir(this.#ctx.coveredDirs, path);
		return covered === null ? null : use({
			inside: require_cli.upperPath(covered, path),
			walk: this.#walk(covered)
		});
	}
	#at(path, use) {
		this.#in(path, ({ walk, inside }) => {
			if (this.isRoot(path)) use(require_cli.at(walk.open(inside), "."));
			else use(walk.target(inside));
		});
	}
	#walk({ n, upper }) {
		const known = this.#walks.get(n);
		if (known !== void 0) return known;
		const announce = this.#onLoosen;
		const note = (dir, mode, id) => {
			announce?.(dir, mode, id);
			this.#loosened.push({
				walk,
				path: dir,
				mode
			});
		};
		const uid = this.#ctx.root ? 0 : this.#ctx.uid;
		const walk = new require_cli.Dirs(this.#port, upper, uid, announce === null ? null : note);
		this.#walks.set(n, walk);
		return walk;
	}
};
function openUppers({ port, ctx, journal }) {
	const earlier = [...journal.record.upperLoosened];
	const uppers = new Uppers(port, ctx, (path, mode, id) => {
		journal.addSynced({
			t: "loosen-upper",
			path,
			mode,
			id
		});
	});
	uppers.restore(earlier);
	return uppers;
}
function* dirsTo({ coveredDirs }, path) {
	const root = require_cli.coveringDir(coveredDirs, path)?.path ?? path;
	for (let dir = require_cli.parentOf(path); dir !== root && require_cli.isWithin(dir, root); dir = require_cli.parentOf(dir)) yield dir;
}
function allDirsTo(ctx, paths) {
	const seen = /* @__PURE__ */ new Set();
	for (const path of paths) {
		if (seen.has(require_cli.parentOf(path))) continue;
		for (const dir of dirsTo(ctx, path)) {
			if (seen.has(dir)) break;
			seen.add(dir);
		}
	}
	return seen;
}
function dirsAbove(ctx, uppers, paths) {
	return [...allDirsTo(ctx, paths)].sort().flatMap((path) => {
		const stat = uppers.lstat(path);
		return stat?.type === "dir" ? [{
			path,
			id: require_cli.identityOf(stat)
		}] : [];
	});
}
async function unlisted(ctx, uppers, changes, pace) {
	const found = /* @__PURE__ */ new Map();
	const stack = changes.filter(({ kind }) => kind === "dir-replaced").map(({ path }) => path);
	if (stack.length === 0) return [];
	const listed = new Set(changes.map(({ path }) => path));
	for (let dir = stack.pop(); dir !== void 0; dir = stack.pop()) for (const name of uppers.readdir(dir)) {
		await pace.breathe();
		const path = require_cli.joinPath(dir, name);
		const stat = listed.has(path) || found.has(path) || require_cli.isExcluded(path, ctx.excluded) ? null : uppers.lstat(path);
		if (stat === null) continue;
		found.set(path, {
			path,
			id: require_cli.identityOf(stat)
		});
		if (stat.type === "dir") stack.push(path);
	}
	return [...found.values()];
}
function hostXattrs(port, ctx, paths, dirs = []) {
	let texts = null;
	return (dir) => {
		if (texts === null) {
			const all = [.../* @__PURE__ */ new Set([
				dir,
				...dirs,
				...allDirsTo(ctx, paths)
			])];
			const found = port.xattrsOf(all);
			texts = new Map(all.map((one, i) => [one, found[i] ?? ""]));
		}
		return texts.get(dir) ?? "";
	};
}
async function askHostXattrs({ port, ctx }, uppers, paths) {
	const lacking = [...allDirsTo(ctx, paths)].filter((dir) => uppers.lstat(dir) === null);
	const found = await port.askXattrs(lacking);
	const texts = new Map(lacking.map((dir, i) => [dir, found[i] ?? ""]));
	return (dir) => texts.get(dir) ?? "";
}
function otherThanHost(port, uppers, dirs) {
	const texts = port.xattrsOf(dirs.flatMap((dir) => [dir, uppers.pathOf(dir)]));
	return dirs.filter((_, i) => {
		const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		return host !== null && upper !== null && host !== upper;
	});
}
async function withStaging(transaction, stage) {
	const { port, ctx } = transaction;
	const dirs = hostDirs(transaction);
	const uppers = new Uppers(port, ctx, null);
	const areas = new Areas(port, ctx, dirs);
	try {
		await stage({
			...transaction,
			dirs,
			uppers,
			areas,
			pace: new require_cli.Pace()
		});
	} finally {
		areas.close();
		uppers.close();
		dirs.close();
	}
}
function chooseBases(areas, findings) {
	const bases = /* @__PURE__ */ new Map();
	findings.checked = findings.checked.filter((one) => {
		const { op, change } = one.step;
		if (op !== "put" && op !== "swap") return true;
		const message = require_cli.refusalOf(() => bases.set(one, areas.baseFor(require_cli.parentOf(change.path))));
		if (message !== null) failStep(one.step, message, findings.failed);
		return message === null;
	});
	return bases;
}
async function copyAll(work, list, findings, bases, viewer) {
	const prepared = prepare(work, list, findings, bases);
	const copies = /* @__PURE__ */ new Map();
	for (const area of work.areas.all) {
		const mine = [...prepared].filter(([, one]) => one.area === area);
		const all = mine.map(([, one]) => one);
		const copied = await copyArea(work.port, area, viewer.pathOf(area.base), all);
		const { complaint } = copied;
		for (const [checked, one] of mine) {
			const copy = await checkCopy(work, one, findings.failed, copied);
			if (copy !== null) copies.set(checked, copy);
			else failStep(one.step, complaint || notCopied(""), findings.failed);
		}
	}
	findings.checked = findings.checked.filter((one) => !prepared.has(one) || copies.has(one));
	return copies;
}
function prepare({ areas, journal }, list, findings, bases) {
	const prepared = /* @__PURE__ */ new Map();
	const excludedBelow = /* @__PURE__ */ new Map();
	const going = /* @__PURE__ */ new Set();
	for (const [one, base] of bases) {
		const area = areas.areaAt(base, journal);
		const members = one.step.members.filter(({ path }) => !findings.failed.has(path));
		for (const { path } of members) going.add(path);
		const excluded = [];
		if (one.step.change.pending?.type === "dir") excludedBelow.set(one.step.change.path, excluded);
		prepared.set(one, {
			step: {
				...one.step,
				members
			},
			upper: one.upper,
			area,
			excluded
		});
	}
	for (const { path, pending } of list.changes) {
		if (pending === null || going.has(path)) continue;
		for (let dir = require_cli.parentOf(path); dir !== "/"; dir = require_cli.parentOf(dir)) excludedBelow.get(dir)?.push(path);
	}
	return prepared;
}
async function copyArea(port, area, from, prepared) {
	const names = [];
	const linked = [];
	const bare = [];
	for (const one of prepared) for (const { change, whole } of toCopy(one)) {
		const stat = one.upper.get(change.path);
		if (stat === void 0) continue;
		if (change.pending?.type === "dir" && !whole) bare.push({
			path: change.path,
			stat
		});
		else (stat.nlink > 1 && stat.type !== "dir" ? linked : names).push(require_cli.relativeTo(area.base, change.path));
	}
	const complaint = await copyOut(port, from, [...linked, ...names], area.fd);
	const deepest = bare.filter(({ path }, i) => bare[i + 1]?.path.startsWith(`${path}/`) !== true);
	for (const { path } of deepest) makeDirs(port, area.fd, require_cli.relativeTo(area.base, path));
	return {
		complaint,
		undressed: dressBare(port, area, from, bare.reverse())
	};
}
function dressBare(port, area, from, bare) {
	const undressed = /* @__PURE__ */ new Map();
	const rels = bare.map(({ path }) => require_cli.relativeTo(area.base, path));
	const texts = port.xattrsOf(rels.map((rel) => require_cli.joinPath(from, rel)));
	for (const [i, { path, stat }] of bare.entries()) {
		const staged = require_cli.at(area.fd, rels[i]);
		try {
			require_cli.dressDir(port, staged, stat, xattrChanges("", texts[i] ?? ""));
		} catch (error) {
			const why = XATTR_ERRORS[require_cli.errorCode(error)];
			if (why === void 0) throw error;
			undressed.set(path, why);
		}
	}
	return undressed;
}
function toCopy({ step, excluded }) {
	const partly = /* @__PURE__ */ new Set();
	for (const path of excluded) for (let dir = require_cli.parentOf(path); dir.length >= step.change.path.length; dir = require_cli.parentOf(dir)) partly.add(dir);
	const brought = /* @__PURE__ */ new Set();
	const out = [];
	for (const change of step.members) {
		const isBrought = brought.has(require_cli.parentOf(change.path));
		const whole = !partly.has(change.path);
		if (change.pending?.type === "dir" && (isBrought || whole)) brought.add(change.path);
		if (!isBrought) out.push({
			change,
			whole
		});
	}
	return out;
}
function makeParents(port, fd, names) {
	const parents = new Set(names.map((name) => require_cli.parentOf(`/${name}`).slice(1)));
	for (const parent of parents) if (parent !== "") makeDirs(port, fd, parent);
}
function makeDirs(port, fd, rel) {
	let path = "";
	for (const name of rel.split("/")) {
		path = path === "" ? name : `${path}/${name}`;
		const stat = port.lstat(require_cli.at(fd, path));
		if (stat === null) port.mkdir(require_cli.at(fd, path), 448);
		else if (stat.type === "dir" && (stat.mode & 448) !== 448) port.chmod(require_cli.at(fd, path), 448);
	}
}
async function checkCopy({ port, ctx, uppers, pace }, prepared, failed, { complaint, undressed }) {
	const { step, area, upper } = prepared;
	const members = new Map(step.members.map((change) => [change.path, change]));
	const found = /* @__PURE__ */ new Map();
	const agrees = (staged, { path, pending }, stat) => {
		if (!require_cli.looksLike(pending, stat)) return false;
		if (stat.type === "symlink" && port.readlink(staged) !== pending?.target) return false;
		const before = ctx.quiet ? void 0 : upper.get(path);
		return before === void 0 || require_cli.isSame(require_cli.identityOf(before), uppers.lstat(path));
	};
	const checkEntry = async (dir, name, path, stat) => {
		await pace.breathe();
		const change = members.get(path);
		const why = undressed.get(path);
		if (change === void 0 || why !== void 0 || !agrees(require_cli.at(dir, name), change, stat)) {
			if (change !== void 0) failed.set(path, why ?? "it changed while it was being copied; it stays pending");
			require_cli.removeTree(port, dir, name);
			return false;
		}
		found.set(path, {
			path,
			id: require_cli.identityOf(stat)
		});
		if (stat.type === "dir") await checkChildren(require_cli.at(dir, name), path, stat);
		return true;
	};
	const checkChildren = async (staged, path, stat) => {
		await require_cli.withHandleAsync(port, port.openDir(staged), async (fd) => {
			const closed = (stat.mode & 448) !== 448;
			if (closed) port.chmod(require_cli.at(fd), stat.mode | 448);
			let removed = false;
			for (const child of port.readdir(require_cli.at(fd))) {
				const now = port.lstat(require_cli.at(fd, child));
				if (now !== null && !await checkEntry(fd, child, require_cli.joinPath(path, child), now)) removed = true;
			}
			if (removed) port.utimes(require_cli.at(fd), stat.mtimeNs);
			if (closed) port.chmod(require_cli.at(fd), stat.mode);
		});
	};
	const { path } = step.change;
	const rel = require_cli.relativeTo(area.base, path);
	const top = openContainers(port, area.fd, rel) ? port.lstat(require_cli.at(area.fd, rel)) : null;
	if (top !== null) await checkEntry(area.fd, rel, path, top);
	for (const member of members.keys()) {
		if (found.has(member) || failed.has(member)) continue;
		failed.set(member, complaint === "" ? CHANGED_MEANWHILE : notCopied(complaint));
	}
	if (top === null || failed.has(path)) return null;
	return {
		prepared,
		born: require_cli.birthOf(top),
		result: [...found.values()]
	};
}
function openContainers(port, fd, rel) {
	const names = rel.split("/").slice(0, -1);
	let path = "";
	for (const name of names) {
		path = path === "" ? name : `${path}/${name}`;
		const stat = port.lstat(require_cli.at(fd, path));
		if (stat === null || stat.type !== "dir") return false;
		if ((stat.mode & 448) !== 448) port.chmod(require_cli.at(fd, path), 448);
	}
	return true;
}
var RESERVE = 262144;
var SHARING = /* @__PURE__ */ new Set([
	2435016766,
	1481003842,
	3393526350
]);
function checkSpace(port, dirs, bases) {
	const needed = /* @__PURE__ */ new Map();
	for (const [{ upper }, base] of bases) {
		let bytes = needed.get(base) ?? RESERVE;
		for (const stat of upper.values()) bytes += stat.disk;
		needed.set(base, bytes);
	}
	for (const [base, bytes] of needed) {
		const { free, kind } = port.space(require_cli.at(dirs.open(base)));
		if (bytes <= free || SHARING.has(kind)) continue;
		throw noSpace(bytes, free, base);
	}
}
function overlaysDir({ stateDir }) {
	return require_cli.joinPath(require_cli.fromText(stateDir), "overlays");
}
function overlayOf(port, { sessionDir }) {
	const link = require_cli.joinPath(require_cli.fromText(sessionDir), "overlay");
	if (port.lstat(link)?.type !== "dir") return port.readlink(link);
	throw otherVersion(link);
}
function linkTo(name) {
	return `../../overlays/${name}`;
}
function overlaysIn(port, ctx, dir) {
	if (port.lstat(dir) === null) return [];
	return port.readdir(dir).flatMap((name) => {
		const path = require_cli.joinPath(dir, name);
		const target = port.lstat(path)?.type === "symlink" ? port.readlink(path) : null;
		return target === null || target !== linkTo(require_cli.nameOf(target)) ? [] : [require_cli.joinPath(overlaysDir(ctx), require_cli.nameOf(target))];
	});
}
var TAG = "CACHEDIR.TAG";
var CACHE_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Overlays that were discarded; `trai undo` undoes a discard.\n";
function trashDir(ctx) {
	return require_cli.joinPath(require_cli.fromText(ctx.stateDir), "trash");
}
function timeOf({ session }, name) {
	if (!name.startsWith(`${session}.`)) return null;
	const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name.slice(session.length + 1));
	if (time === null) return null;
	const [, year, month, day, hour, minute, second, ms] = time;
	return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}
function trashNames(port, ctx) {
	if (port.lstat(trashDir(ctx)) === null) return [];
	return port.readdir(trashDir(ctx)).filter((name) => timeOf(ctx, name) !== null).sort();
}
function readDiscard(port, ctx, name) {
	if (timeOf(ctx, name) === null) return null;
	const dir = require_cli.joinPath(trashDir(ctx), name);
	const record = readJournalIn(port, dir)?.record;
	const about = record?.begin.discards;
	if (record === void 0 || about === void 0 || record.begin.session !== ctx.session) return null;
	return {
		...about,
		entries: record.entries ?? about.entries,
		name,
		dir,
		record
	};
}
function readDiscards(port, ctx) {
	return trashNames(port, ctx).flatMap((name) => readDiscard(port, ctx, name) ?? []).filter((discard) => discard.record.reopened !== null || isReturnable(port, discard));
}
function isReturnable(port, { dir, record }) {
	return record.discarded && port.lstat(require_cli.joinPath(dir, "overlay")) !== null;
}
function isLeftover(port, ctx, name) {
	const dir = require_cli.joinPath(trashDir(ctx), name);
	return require_cli.orIfRefused(() => {
		if (port.readdir(dir).some((one) => one !== "overlay" && one !== "journal.jsonl")) return false;
		const overlay = require_cli.joinPath(dir, "overlay");
		if (port.lstat(overlay) !== null && port.readdir(overlay).length > 0) return false;
		return readJournalIn(port, dir) === null;
	}, false);
}
function beginDiscard(port, ctx, discards) {
	ensureTrash(port, ctx);
	const last = trashNames(port, ctx).at(-1) ?? "";
	let time = Date.now();
	const nameAt = () => `${ctx.session}.${new Date(time).toISOString().replace(/[-:.]/g, "")}`;
	while (nameAt() <= last) time++;
	const journal = beginJournal(port, require_cli.joinPath(trashDir(ctx), nameAt()), {
		n: 0,
		session: ctx.session,
		revision: "",
		live: false,
		leftOut: [],
		kept: 0,
		ignored: 0,
		reversible: true,
		discards
	});
	journal.sync();
	return journal;
}
function beginWhole(port, ctx, entries, as) {
	const journal = beginDiscard(port, ctx, {
		kind: "all",
		entries
	});
	port.symlink(overlayOf(port, ctx), require_cli.joinPath(journal.dir, as));
	require_cli.syncDirs(port, [journal.dir, trashDir(ctx)]);
	return journal;
}
function ensureTrash(port, ctx) {
	if (port.lstat(trashDir(ctx)) === null) port.mkdir(trashDir(ctx), 448);
	tag(port, trashDir(ctx));
}
function tag(port, dir) {
	const file = require_cli.joinPath(dir, TAG);
	if (port.lstat(file) === null) writeFile(port, file, CACHE_TAG);
}
function writeFile(port, path, text) {
	const temporary = `${path}.new`;
	if (port.lstat(temporary) !== null) port.unlink(temporary);
	require_cli.withHandle(port, port.openAppend(temporary), (fd) => {
		port.append(fd, text);
		port.fsync(fd);
	});
	port.rename(temporary, path);
}
Object.defineProperty(exports, "ALONG", {
	enumerable: true,
	get: function() {
		return ALONG;
	}
});
Object.defineProperty(exports, "Areas", {
	enumerable: true,
	get: function() {
		return Areas;
	}
});
Object.defineProperty(exports, "BACK", {
	enumerable: true,
	get: function() {
		return BACK;
	}
});
Object.defineProperty(exports, "CALL_UNKNOWN", {
	enumerable: true,
	get: function() {
		return CALL_UNKNOWN;
	}
});
Object.defineProperty(exports, "CHANGED_MEANWHILE", {
	enumerable: true,
	get: function() {
		return CHANGED_MEANWHILE;
	}
});
Object.defineProperty(exports, "COVERED_ITSELF", {
	enumerable: true,
	get: function() {
		return COVERED_ITSELF;
	}
});
Object.defineProperty(exports, "Closure", {
	enumerable: true,
	get: function() {
		return Closure;
	}
});
Object.defineProperty(exports, "GROUP_FAILED", {
	enumerable: true,
	get: function() {
		return GROUP_FAILED;
	}
});
Object.defineProperty(exports, "HELD_OPEN", {
	enumerable: true,
	get: function() {
		return HELD_OPEN;
	}
});
Object.defineProperty(exports, "HOST_HAS_DIR", {
	enumerable: true,
	get: function() {
		return HOST_HAS_DIR;
	}
});
Object.defineProperty(exports, "HOST_HAS_OTHER", {
	enumerable: true,
	get: function() {
		return HOST_HAS_OTHER;
	}
});
Object.defineProperty(exports, "HOST_REMOVED", {
	enumerable: true,
	get: function() {
		return HOST_REMOVED;
	}
});
Object.defineProperty(exports, "HOST_UNREADABLE", {
	enumerable: true,
	get: function() {
		return HOST_UNREADABLE;
	}
});
Object.defineProperty(exports, "IN_USE", {
	enumerable: true,
	get: function() {
		return IN_USE;
	}
});
Object.defineProperty(exports, "IN_VIEW", {
	enumerable: true,
	get: function() {
		return IN_VIEW;
	}
});
Object.defineProperty(exports, "JOURNAL", {
	enumerable: true,
	get: function() {
		return JOURNAL;
	}
});
Object.defineProperty(exports, "Journal", {
	enumerable: true,
	get: function() {
		return Journal;
	}
});
Object.defineProperty(exports, "KEPT_AS_CHOSEN", {
	enumerable: true,
	get: function() {
		return KEPT_AS_CHOSEN;
	}
});
Object.defineProperty(exports, "LEFTOVER", {
	enumerable: true,
	get: function() {
		return LEFTOVER;
	}
});
Object.defineProperty(exports, "LIVE_ENDED", {
	enumerable: true,
	get: function() {
		return LIVE_ENDED;
	}
});
Object.defineProperty(exports, "MEANWHILE", {
	enumerable: true,
	get: function() {
		return MEANWHILE;
	}
});
Object.defineProperty(exports, "MOUNTED_OVER", {
	enumerable: true,
	get: function() {
		return MOUNTED_OVER;
	}
});
Object.defineProperty(exports, "NEEDS_KEPT", {
	enumerable: true,
	get: function() {
		return NEEDS_KEPT;
	}
});
Object.defineProperty(exports, "NEVER_BEGAN", {
	enumerable: true,
	get: function() {
		return NEVER_BEGAN;
	}
});
Object.defineProperty(exports, "NEVER_KEPT", {
	enumerable: true,
	get: function() {
		return NEVER_KEPT;
	}
});
Object.defineProperty(exports, "NEW_INSIDE", {
	enumerable: true,
	get: function() {
		return NEW_INSIDE;
	}
});
Object.defineProperty(exports, "NEW_OR_CHANGED", {
	enumerable: true,
	get: function() {
		return NEW_OR_CHANGED;
	}
});
Object.defineProperty(exports, "NOTHING_THERE", {
	enumerable: true,
	get: function() {
		return NOTHING_THERE;
	}
});
Object.defineProperty(exports, "NOT_ALL_READ", {
	enumerable: true,
	get: function() {
		return NOT_ALL_READ;
	}
});
Object.defineProperty(exports, "NOT_COMPLETE", {
	enumerable: true,
	get: function() {
		return NOT_COMPLETE;
	}
});
Object.defineProperty(exports, "NOT_COVERED", {
	enumerable: true,
	get: function() {
		return NOT_COVERED;
	}
});
Object.defineProperty(exports, "NOT_COVERED_NOW", {
	enumerable: true,
	get: function() {
		return NOT_COVERED_NOW;
	}
});
Object.defineProperty(exports, "NOT_DISCARDED_LIVE", {
	enumerable: true,
	get: function() {
		return NOT_DISCARDED_LIVE;
	}
});
Object.defineProperty(exports, "NOT_KEPT_ANY_MORE", {
	enumerable: true,
	get: function() {
		return NOT_KEPT_ANY_MORE;
	}
});
Object.defineProperty(exports, "NOT_MOVED_IN", {
	enumerable: true,
	get: function() {
		return NOT_MOVED_IN;
	}
});
Object.defineProperty(exports, "NOT_MOVED_OUT", {
	enumerable: true,
	get: function() {
		return NOT_MOVED_OUT;
	}
});
Object.defineProperty(exports, "NOT_NEWEST", {
	enumerable: true,
	get: function() {
		return NOT_NEWEST;
	}
});
Object.defineProperty(exports, "ONLY_WHOLE", {
	enumerable: true,
	get: function() {
		return ONLY_WHOLE;
	}
});
Object.defineProperty(exports, "PENDING_WHEN_QUIET", {
	enumerable: true,
	get: function() {
		return PENDING_WHEN_QUIET;
	}
});
Object.defineProperty(exports, "PROJECT_GONE", {
	enumerable: true,
	get: function() {
		return PROJECT_GONE;
	}
});
Object.defineProperty(exports, "SANDBOX_CHANGED", {
	enumerable: true,
	get: function() {
		return SANDBOX_CHANGED;
	}
});
Object.defineProperty(exports, "SESSION_CHANGED", {
	enumerable: true,
	get: function() {
		return SESSION_CHANGED;
	}
});
Object.defineProperty(exports, "SESSION_CHANGED_XATTRS", {
	enumerable: true,
	get: function() {
		return SESSION_CHANGED_XATTRS;
	}
});
Object.defineProperty(exports, "SESSION_LIVE", {
	enumerable: true,
	get: function() {
		return SESSION_LIVE;
	}
});
Object.defineProperty(exports, "SOCKET", {
	enumerable: true,
	get: function() {
		return SOCKET;
	}
});
Object.defineProperty(exports, "STOPPED", {
	enumerable: true,
	get: function() {
		return STOPPED;
	}
});
Object.defineProperty(exports, "TAG", {
	enumerable: true,
	get: function() {
		return TAG;
	}
});
Object.defineProperty(exports, "Tree", {
	enumerable: true,
	get: function() {
		return Tree;
	}
});
Object.defineProperty(exports, "TreePacker", {
	enumerable: true,
	get: function() {
		return TreePacker;
	}
});
Object.defineProperty(exports, "UNDONE_ALREADY", {
	enumerable: true,
	get: function() {
		return UNDONE_ALREADY;
	}
});
Object.defineProperty(exports, "Uppers", {
	enumerable: true,
	get: function() {
		return Uppers;
	}
});
Object.defineProperty(exports, "XATTR_ERRORS", {
	enumerable: true,
	get: function() {
		return XATTR_ERRORS;
	}
});
Object.defineProperty(exports, "allDirsTo", {
	enumerable: true,
	get: function() {
		return allDirsTo;
	}
});
Object.defineProperty(exports, "asTraiError", {
	enumerable: true,
	get: function() {
		return asTraiError;
	}
});
Object.defineProperty(exports, "asideName", {
	enumerable: true,
	get: function() {
		return asideName;
	}
});
Object.defineProperty(exports, "askHostXattrs", {
	enumerable: true,
	get: function() {
		return askHostXattrs;
	}
});
Object.defineProperty(exports, "beforeImageChanged", {
	enumerable: true,
	get: function() {
		return beforeImageChanged;
	}
});
Object.defineProperty(exports, "beganAt", {
	enumerable: true,
	get: function() {
		return beganAt;
	}
});
Object.defineProperty(exports, "beginDiscard", {
	enumerable: true,
	get: function() {
		return beginDiscard;
	}
});
Object.defineProperty(exports, "beginTransaction", {
	enumerable: true,
	get: function() {
		return beginTransaction;
	}
});
Object.defineProperty(exports, "beginWhole", {
	enumerable: true,
	get: function() {
		return beginWhole;
	}
});
Object.defineProperty(exports, "byOtherCalls", {
	enumerable: true,
	get: function() {
		return byOtherCalls;
	}
});
Object.defineProperty(exports, "bytesOf", {
	enumerable: true,
	get: function() {
		return bytesOf;
	}
});
Object.defineProperty(exports, "changedSinceUndo", {
	enumerable: true,
	get: function() {
		return changedSinceUndo;
	}
});
Object.defineProperty(exports, "changesOf", {
	enumerable: true,
	get: function() {
		return changesOf;
	}
});
Object.defineProperty(exports, "checkBelieved", {
	enumerable: true,
	get: function() {
		return checkBelieved;
	}
});
Object.defineProperty(exports, "checkSpace", {
	enumerable: true,
	get: function() {
		return checkSpace;
	}
});
Object.defineProperty(exports, "checkSteps", {
	enumerable: true,
	get: function() {
		return checkSteps;
	}
});
Object.defineProperty(exports, "chooseBases", {
	enumerable: true,
	get: function() {
		return chooseBases;
	}
});
Object.defineProperty(exports, "cleaningStopped", {
	enumerable: true,
	get: function() {
		return cleaningStopped;
	}
});
Object.defineProperty(exports, "commitDir", {
	enumerable: true,
	get: function() {
		return commitDir;
	}
});
Object.defineProperty(exports, "commitNotClosed", {
	enumerable: true,
	get: function() {
		return commitNotClosed;
	}
});
Object.defineProperty(exports, "commitNumbers", {
	enumerable: true,
	get: function() {
		return commitNumbers;
	}
});
Object.defineProperty(exports, "commitsDir", {
	enumerable: true,
	get: function() {
		return commitsDir;
	}
});
Object.defineProperty(exports, "copyAll", {
	enumerable: true,
	get: function() {
		return copyAll;
	}
});
Object.defineProperty(exports, "copyIsOther", {
	enumerable: true,
	get: function() {
		return copyIsOther;
	}
});
Object.defineProperty(exports, "copyOut", {
	enumerable: true,
	get: function() {
		return copyOut;
	}
});
Object.defineProperty(exports, "coveredSince", {
	enumerable: true,
	get: function() {
		return coveredSince;
	}
});
Object.defineProperty(exports, "deletionNotPending", {
	enumerable: true,
	get: function() {
		return deletionNotPending;
	}
});
Object.defineProperty(exports, "dirGone", {
	enumerable: true,
	get: function() {
		return dirGone;
	}
});
Object.defineProperty(exports, "dirsAbove", {
	enumerable: true,
	get: function() {
		return dirsAbove;
	}
});
Object.defineProperty(exports, "dirsTo", {
	enumerable: true,
	get: function() {
		return dirsTo;
	}
});
Object.defineProperty(exports, "discardGone", {
	enumerable: true,
	get: function() {
		return discardGone;
	}
});
Object.defineProperty(exports, "discardInTheWay", {
	enumerable: true,
	get: function() {
		return discardInTheWay;
	}
});
Object.defineProperty(exports, "discardStopped", {
	enumerable: true,
	get: function() {
		return discardStopped;
	}
});
Object.defineProperty(exports, "endTime", {
	enumerable: true,
	get: function() {
		return endTime;
	}
});
Object.defineProperty(exports, "ensureTrash", {
	enumerable: true,
	get: function() {
		return ensureTrash;
	}
});
Object.defineProperty(exports, "entriesOf", {
	enumerable: true,
	get: function() {
		return entriesOf;
	}
});
Object.defineProperty(exports, "entryCount", {
	enumerable: true,
	get: function() {
		return entryCount;
	}
});
Object.defineProperty(exports, "expectReviewed", {
	enumerable: true,
	get: function() {
		return expectReviewed;
	}
});
Object.defineProperty(exports, "failGroups", {
	enumerable: true,
	get: function() {
		return failGroups;
	}
});
Object.defineProperty(exports, "failStep", {
	enumerable: true,
	get: function() {
		return failStep;
	}
});
Object.defineProperty(exports, "failUnread", {
	enumerable: true,
	get: function() {
		return failUnread;
	}
});
Object.defineProperty(exports, "givenUp", {
	enumerable: true,
	get: function() {
		return givenUp;
	}
});
Object.defineProperty(exports, "groupsOf", {
	enumerable: true,
	get: function() {
		return groupsOf;
	}
});
Object.defineProperty(exports, "historyEntryGone", {
	enumerable: true,
	get: function() {
		return historyEntryGone;
	}
});
Object.defineProperty(exports, "hostDirs", {
	enumerable: true,
	get: function() {
		return hostDirs;
	}
});
Object.defineProperty(exports, "hostHas", {
	enumerable: true,
	get: function() {
		return hostHas;
	}
});
Object.defineProperty(exports, "hostHasIn", {
	enumerable: true,
	get: function() {
		return hostHasIn;
	}
});
Object.defineProperty(exports, "hostOf", {
	enumerable: true,
	get: function() {
		return hostOf;
	}
});
Object.defineProperty(exports, "hostXattrs", {
	enumerable: true,
	get: function() {
		return hostXattrs;
	}
});
Object.defineProperty(exports, "ignoredBy", {
	enumerable: true,
	get: function() {
		return ignoredBy;
	}
});
Object.defineProperty(exports, "isAborted", {
	enumerable: true,
	get: function() {
		return isAborted;
	}
});
Object.defineProperty(exports, "isBetween", {
	enumerable: true,
	get: function() {
		return isBetween;
	}
});
Object.defineProperty(exports, "isChangedFile", {
	enumerable: true,
	get: function() {
		return isChangedFile;
	}
});
Object.defineProperty(exports, "isDir", {
	enumerable: true,
	get: function() {
		return isDir;
	}
});
Object.defineProperty(exports, "isLeftover", {
	enumerable: true,
	get: function() {
		return isLeftover;
	}
});
Object.defineProperty(exports, "isNewTree", {
	enumerable: true,
	get: function() {
		return isNewTree;
	}
});
Object.defineProperty(exports, "isReturnable", {
	enumerable: true,
	get: function() {
		return isReturnable;
	}
});
Object.defineProperty(exports, "isSelection", {
	enumerable: true,
	get: function() {
		return isSelection;
	}
});
Object.defineProperty(exports, "isTimeOnly", {
	enumerable: true,
	get: function() {
		return isTimeOnly;
	}
});
Object.defineProperty(exports, "isUnmarked", {
	enumerable: true,
	get: function() {
		return isUnmarked;
	}
});
Object.defineProperty(exports, "isWholeCopy", {
	enumerable: true,
	get: function() {
		return isWholeCopy;
	}
});
Object.defineProperty(exports, "leavesUpper", {
	enumerable: true,
	get: function() {
		return leavesUpper;
	}
});
Object.defineProperty(exports, "linkTo", {
	enumerable: true,
	get: function() {
		return linkTo;
	}
});
Object.defineProperty(exports, "linkedOf", {
	enumerable: true,
	get: function() {
		return linkedOf;
	}
});
Object.defineProperty(exports, "makeParents", {
	enumerable: true,
	get: function() {
		return makeParents;
	}
});
Object.defineProperty(exports, "manyFileSystems", {
	enumerable: true,
	get: function() {
		return manyFileSystems;
	}
});
Object.defineProperty(exports, "massUndo", {
	enumerable: true,
	get: function() {
		return massUndo;
	}
});
Object.defineProperty(exports, "mergeNotWritten", {
	enumerable: true,
	get: function() {
		return mergeNotWritten;
	}
});
Object.defineProperty(exports, "mergeOverlaps", {
	enumerable: true,
	get: function() {
		return mergeOverlaps;
	}
});
Object.defineProperty(exports, "mergeWhileLive", {
	enumerable: true,
	get: function() {
		return mergeWhileLive;
	}
});
Object.defineProperty(exports, "moreThan", {
	enumerable: true,
	get: function() {
		return moreThan;
	}
});
Object.defineProperty(exports, "needsWriting", {
	enumerable: true,
	get: function() {
		return needsWriting;
	}
});
Object.defineProperty(exports, "nextNumber", {
	enumerable: true,
	get: function() {
		return nextNumber;
	}
});
Object.defineProperty(exports, "noBeforeImage", {
	enumerable: true,
	get: function() {
		return noBeforeImage;
	}
});
Object.defineProperty(exports, "noSuchCall", {
	enumerable: true,
	get: function() {
		return noSuchCall;
	}
});
Object.defineProperty(exports, "notADiscard", {
	enumerable: true,
	get: function() {
		return notADiscard;
	}
});
Object.defineProperty(exports, "notMergeable", {
	enumerable: true,
	get: function() {
		return notMergeable;
	}
});
Object.defineProperty(exports, "notPending", {
	enumerable: true,
	get: function() {
		return notPending;
	}
});
Object.defineProperty(exports, "notUndoable", {
	enumerable: true,
	get: function() {
		return notUndoable;
	}
});
Object.defineProperty(exports, "nothingDiscardedLive", {
	enumerable: true,
	get: function() {
		return nothingDiscardedLive;
	}
});
Object.defineProperty(exports, "nothingPending", {
	enumerable: true,
	get: function() {
		return nothingPending;
	}
});
Object.defineProperty(exports, "nothingToRedo", {
	enumerable: true,
	get: function() {
		return nothingToRedo;
	}
});
Object.defineProperty(exports, "olderThan", {
	enumerable: true,
	get: function() {
		return olderThan;
	}
});
Object.defineProperty(exports, "openForWriting", {
	enumerable: true,
	get: function() {
		return openForWriting;
	}
});
Object.defineProperty(exports, "openJournal", {
	enumerable: true,
	get: function() {
		return openJournal;
	}
});
Object.defineProperty(exports, "openUndoConflicts", {
	enumerable: true,
	get: function() {
		return openUndoConflicts;
	}
});
Object.defineProperty(exports, "openUppers", {
	enumerable: true,
	get: function() {
		return openUppers;
	}
});
Object.defineProperty(exports, "otherThanHost", {
	enumerable: true,
	get: function() {
		return otherThanHost;
	}
});
Object.defineProperty(exports, "overlayNotEmpty", {
	enumerable: true,
	get: function() {
		return overlayNotEmpty;
	}
});
Object.defineProperty(exports, "overlayOf", {
	enumerable: true,
	get: function() {
		return overlayOf;
	}
});
Object.defineProperty(exports, "overlaysDir", {
	enumerable: true,
	get: function() {
		return overlaysDir;
	}
});
Object.defineProperty(exports, "overlaysIn", {
	enumerable: true,
	get: function() {
		return overlaysIn;
	}
});
Object.defineProperty(exports, "partlyApplied", {
	enumerable: true,
	get: function() {
		return partlyApplied;
	}
});
Object.defineProperty(exports, "pendingAgainStopped", {
	enumerable: true,
	get: function() {
		return pendingAgainStopped;
	}
});
Object.defineProperty(exports, "planCommit", {
	enumerable: true,
	get: function() {
		return planCommit;
	}
});
Object.defineProperty(exports, "planTakingSandbox", {
	enumerable: true,
	get: function() {
		return planTakingSandbox;
	}
});
Object.defineProperty(exports, "readClosed", {
	enumerable: true,
	get: function() {
		return readClosed;
	}
});
Object.defineProperty(exports, "readDiscard", {
	enumerable: true,
	get: function() {
		return readDiscard;
	}
});
Object.defineProperty(exports, "readDiscards", {
	enumerable: true,
	get: function() {
		return readDiscards;
	}
});
Object.defineProperty(exports, "readJournal", {
	enumerable: true,
	get: function() {
		return readJournal;
	}
});
Object.defineProperty(exports, "readJournalIn", {
	enumerable: true,
	get: function() {
		return readJournalIn;
	}
});
Object.defineProperty(exports, "redoable", {
	enumerable: true,
	get: function() {
		return redoable;
	}
});
Object.defineProperty(exports, "removesAcl", {
	enumerable: true,
	get: function() {
		return removesAcl;
	}
});
Object.defineProperty(exports, "replacedBelow", {
	enumerable: true,
	get: function() {
		return replacedBelow;
	}
});
Object.defineProperty(exports, "replacedBytes", {
	enumerable: true,
	get: function() {
		return replacedBytes;
	}
});
Object.defineProperty(exports, "replacedKept", {
	enumerable: true,
	get: function() {
		return replacedKept;
	}
});
Object.defineProperty(exports, "resultOf", {
	enumerable: true,
	get: function() {
		return resultOf;
	}
});
Object.defineProperty(exports, "savedBeside", {
	enumerable: true,
	get: function() {
		return savedBeside;
	}
});
Object.defineProperty(exports, "sessionChanged", {
	enumerable: true,
	get: function() {
		return sessionChanged;
	}
});
Object.defineProperty(exports, "sessionHasOther", {
	enumerable: true,
	get: function() {
		return sessionHasOther;
	}
});
Object.defineProperty(exports, "staleList", {
	enumerable: true,
	get: function() {
		return staleList;
	}
});
Object.defineProperty(exports, "staleMerge", {
	enumerable: true,
	get: function() {
		return staleMerge;
	}
});
Object.defineProperty(exports, "staleUndo", {
	enumerable: true,
	get: function() {
		return staleUndo;
	}
});
Object.defineProperty(exports, "stoppedAt", {
	enumerable: true,
	get: function() {
		return stoppedAt;
	}
});
Object.defineProperty(exports, "tag", {
	enumerable: true,
	get: function() {
		return tag;
	}
});
Object.defineProperty(exports, "takenFromHost", {
	enumerable: true,
	get: function() {
		return takenFromHost;
	}
});
Object.defineProperty(exports, "timeOf", {
	enumerable: true,
	get: function() {
		return timeOf;
	}
});
Object.defineProperty(exports, "trashDir", {
	enumerable: true,
	get: function() {
		return trashDir;
	}
});
Object.defineProperty(exports, "trashNames", {
	enumerable: true,
	get: function() {
		return trashNames;
	}
});
Object.defineProperty(exports, "treeReplaced", {
	enumerable: true,
	get: function() {
		return treeReplaced;
	}
});
Object.defineProperty(exports, "treeStays", {
	enumerable: true,
	get: function() {
		return treeStays;
	}
});
Object.defineProperty(exports, "undoTooLarge", {
	enumerable: true,
	get: function() {
		return undoTooLarge;
	}
});
Object.defineProperty(exports, "undoWhileLive", {
	enumerable: true,
	get: function() {
		return undoWhileLive;
	}
});
Object.defineProperty(exports, "unfinishedCommit", {
	enumerable: true,
	get: function() {
		return unfinishedCommit;
	}
});
Object.defineProperty(exports, "unlisted", {
	enumerable: true,
	get: function() {
		return unlisted;
	}
});
Object.defineProperty(exports, "versionNotKept", {
	enumerable: true,
	get: function() {
		return versionNotKept;
	}
});
Object.defineProperty(exports, "waitingAt", {
	enumerable: true,
	get: function() {
		return waitingAt;
	}
});
Object.defineProperty(exports, "withStaging", {
	enumerable: true,
	get: function() {
		return withStaging;
	}
});
Object.defineProperty(exports, "writeFile", {
	enumerable: true,
	get: function() {
		return writeFile;
	}
});
Object.defineProperty(exports, "xattrChanges", {
	enumerable: true,
	get: function() {
		return xattrChanges;
	}
});
