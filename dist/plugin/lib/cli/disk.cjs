"use strict";
const require_cli = require("../cli.cjs");
const require_outcome = require("./outcome.cjs");
const require_list = require("./list.cjs");
const require_read = require("./read.cjs");
require("./merged-before.cjs");
const require_trash = require("./trash.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_with_session = require("./with-session.cjs");
let node_fs = require("node:fs");
function unreadSession(session, thrown) {
	const { message, path, hint = require_cli.REPAIR_SESSION } = require_cli.toErrorBody(thrown).error;
	return {
		session,
		message,
		...path === void 0 ? {} : { path },
		hint
	};
}
var DAY_MS = 864e5;
var REMOVING = ".removing.";
function kept(ctx) {
	return [...keptImages(ctx), ...keptDiscards(ctx)];
}
function keptImages(ctx) {
	const found = [];
	let undoable;
	const open = require_trash.unfinishedCommit(ctx);
	const needed = open === null ? void 0 : require_trash.readJournal(require_cli.nodePort, ctx, open)?.begin.undoes;
	for (const n of require_trash.commitNumbers(require_cli.nodePort, ctx)) {
		const dir = require_trash.commitDir(ctx, n);
		const there = require_disk_use.KEPT_BY_COMMIT.filter((name) => require_cli.nodePort.lstat(require_cli.joinPath(dir, name)) !== null);
		const at = there.length === 0 ? null : require_trash.beganAt(require_cli.nodePort, ctx, n);
		if (at === null) continue;
		const about = {
			session: ctx.session,
			name: String(n),
			at,
			why: "",
			stays: n === needed
		};
		const paths = there.map((name) => require_cli.joinPath(dir, name));
		const one = {
			kind: "images",
			...about,
			paths,
			taken: there.includes(require_trash.BACK)
		};
		found.push(one);
		if (there.includes("before")) undoable = one;
	}
	for (const newest of [undoable, found.findLast((one) => one.taken)]) if (newest !== void 0) newest.stays = true;
	return found;
}
function keptDiscards(ctx) {
	const found = [];
	let returnable;
	for (const name of require_trash.trashNames(require_cli.nodePort, ctx)) {
		const discard = require_trash.readDiscard(require_cli.nodePort, ctx, name);
		const leftover = discard === null && require_trash.isLeftover(require_cli.nodePort, ctx, name);
		if (!leftover && discard?.record.phase !== "closed") continue;
		const about = {
			session: ctx.session,
			name,
			at: require_trash.timeOf(ctx, name) ?? "",
			stays: false
		};
		const dir = require_cli.joinPath(require_trash.trashDir(ctx), name);
		const paths = [dir, ...require_trash.overlaysIn(require_cli.nodePort, ctx, dir)];
		const one = {
			kind: "discard",
			...about,
			why: leftover ? require_trash.LEFTOVER : "",
			paths
		};
		found.push(one);
		if (discard !== null && require_trash.isReturnable(require_cli.nodePort, discard)) returnable = one;
	}
	if (returnable !== void 0) returnable.stays = true;
	return found;
}
async function findGarbage(contexts, now) {
	const found = [];
	const problems = [];
	const rest = [];
	const limits = contexts[0]?.undo ?? require_cli.UNDO_LIMITS;
	for (const ctx of contexts) {
		let all;
		let why;
		try {
			all = kept(ctx);
			why = await whyForgotten(ctx, all);
		} catch (error) {
			problems.push(unreadSession(ctx.session, error));
			continue;
		}
		if (why !== null) {
			const dir = require_cli.fromText(ctx.sessionDir);
			const bytes = await require_disk_use.sizeOnDisk(dir, ...require_trash.overlaysIn(require_cli.nodePort, ctx, dir));
			found.push({
				kind: "session",
				session: ctx.session,
				name: "",
				at: "",
				bytes,
				why
			});
			continue;
		}
		rest.push(...all);
	}
	return {
		found: [...found, ...await beyond(rest, limits, now)],
		problems
	};
}
async function beyond(all, limits, now) {
	const { keepDays, keepBytes } = limits;
	const sorted = [];
	for (const { paths, ...one } of [...all].sort((a, b) => a.at < b.at ? -1 : 1)) sorted.push({
		...one,
		bytes: await require_disk_use.sizeOnDisk(...paths)
	});
	let total = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
	return sorted.flatMap(({ stays, taken, ...one }) => {
		const isOld = now - Date.parse(one.at) > keepDays * DAY_MS;
		if (one.why === "" && (stays || !isOld && total <= keepBytes)) return [];
		total -= one.bytes;
		const limit = isOld ? require_trash.olderThan(keepDays) : require_trash.moreThan(keepBytes);
		return [{
			...one,
			why: one.why || (taken === true ? require_trash.takenFromHost(limit) : limit)
		}];
	});
}
async function whyForgotten(ctx, all) {
	const isGone = !(0, node_fs.existsSync)(Buffer.from(ctx.projectRoot, "latin1"));
	if (all.length > 0 || !(isGone || await neverBegan(ctx))) return null;
	if (require_trash.unfinishedCommit(ctx) !== null || !await require_cli.isQuiet(ctx)) return null;
	const list = await require_list.scan(ctx);
	if (list.changes.length + list.problems.length > 0) return null;
	return isGone ? require_trash.PROJECT_GONE : require_trash.NEVER_BEGAN;
}
var BEFORE_START = /* @__PURE__ */ new Set([
	"call.decided",
	"call.grounds",
	"call.failed",
	"call.closed"
]);
async function neverBegan({ sessionDir }) {
	if (require_cli.isClientRunning(sessionDir)) return false;
	const { events, raw } = await require_read.readLog(sessionDir);
	const isForClient = require_cli.readClientRecord(sessionDir) !== null || events.some(({ t }) => t === "session");
	const isBefore = (event) => event.t === "session" ? event.source === "client" : BEFORE_START.has(event.t);
	return isForClient && raw.length === 0 && events.every(isBefore);
}
async function removeGarbage(ctx, garbage, now) {
	const all = kept(ctx);
	if (garbage.kind === "session") {
		if (await whyForgotten(ctx, all) === null) return false;
		require_cli.removeCopy(ctx.sessionDir);
		require_trash.ensureTrash(require_cli.nodePort, ctx);
		remove$1(ctx, require_cli.fromText(ctx.sessionDir), ctx.session);
		return true;
	}
	const still = all.find(({ kind, name }) => kind === garbage.kind && name === garbage.name);
	if (still === void 0 || still.stays || Date.parse(still.at) > now) return false;
	if (garbage.kind === "discard") {
		remove$1(ctx, require_cli.joinPath(require_trash.trashDir(ctx), garbage.name), garbage.name);
		return true;
	}
	const n = Number(garbage.name);
	const journal = require_trash.openJournal(require_cli.nodePort, require_trash.commitDir(ctx, n));
	if (journal === null) return false;
	require_cli.useAndClose(journal, () => journal.addSynced({ t: "collected" }));
	for (const name of [...require_disk_use.KEPT_BY_COMMIT, require_outcome.TIMES]) require_cli.removePath(require_cli.nodePort, journal.dir, name);
	return true;
}
function sweepTrash(ctx) {
	if (require_cli.nodePort.lstat(require_trash.trashDir(ctx)) === null) return;
	for (const name of require_cli.nodePort.readdir(require_trash.trashDir(ctx))) if (name.startsWith(REMOVING)) removeWith(ctx, name);
}
function sweepUnmade(stateDir) {
	const sessions = require_cli.joinPath(require_cli.fromText(stateDir), "sessions");
	for (const name of require_cli.unmadeSessions(stateDir)) {
		const gone = require_cli.fromText(`${name}_`);
		if (!require_cli.orIfRefused(() => {
			require_cli.nodePort.rename(require_cli.joinPath(sessions, require_cli.fromText(name)), require_cli.joinPath(sessions, gone));
			return true;
		}, false)) continue;
		for (const overlay of require_trash.overlaysIn(require_cli.nodePort, { stateDir }, require_cli.joinPath(sessions, gone))) require_cli.removePath(require_cli.nodePort, require_trash.overlaysDir({ stateDir }), require_cli.nameOf(overlay));
		require_cli.removePath(require_cli.nodePort, sessions, gone);
	}
}
function remove$1(ctx, dir, name) {
	const gone = `${REMOVING}${name}`;
	require_cli.removePath(require_cli.nodePort, require_trash.trashDir(ctx), gone);
	require_cli.nodePort.rename(dir, require_cli.joinPath(require_trash.trashDir(ctx), gone));
	removeWith(ctx, gone);
}
function removeWith(ctx, name) {
	const own = require_trash.overlaysIn(require_cli.nodePort, ctx, require_cli.fromText(ctx.sessionDir));
	for (const overlay of require_trash.overlaysIn(require_cli.nodePort, ctx, require_cli.joinPath(require_trash.trashDir(ctx), name))) if (!own.includes(overlay)) require_cli.removePath(require_cli.nodePort, require_trash.overlaysDir(ctx), require_cli.nameOf(overlay));
	require_cli.removePath(require_cli.nodePort, require_trash.trashDir(ctx), name);
}
async function collectOwn(ctx) {
	const now = Date.now();
	const images = keptImages(ctx).map((one) => ({
		...one,
		stays: one.stays || one.taken === true
	}));
	for (const one of await beyond(images, ctx.undo ?? require_cli.UNDO_LIMITS, now)) await removeGarbage(ctx, one, now);
}
async function diskUse({ stateDir, found: { sessions: all, broken }, warnFreeBytes, sizes }) {
	const live = require_cli.liveSources();
	const sessions = [];
	const problems = [...broken];
	for (const { ctx } of all) try {
		const found = await sizes(ctx, live.has(ctx.source));
		sessions.push({
			session: ctx.session,
			projectRoot: ctx.projectRoot,
			projectGone: !(0, node_fs.existsSync)(Buffer.from(ctx.projectRoot, "latin1")),
			...found,
			total: found.upper + found.images + found.trash + found.other
		});
	} catch (error) {
		problems.push(unreadSession(ctx.session, error));
	}
	sessions.sort((a, b) => b.total - a.total);
	const { free, size } = require_cli.freeSpace(stateDir);
	return {
		at: (/* @__PURE__ */ new Date()).toISOString(),
		sessions,
		problems,
		total: sessions.reduce((sum, { total }) => sum + total, 0),
		free,
		size,
		warnFreeBytes,
		low: free < warnFreeBytes
	};
}
async function contextsOf(stateDir, env) {
	const { sessions: found, broken } = await require_cli.listSessions(stateDir);
	const sessions = [];
	const unread = broken.map(({ id, error }) => unreadSession(id, error));
	for (const meta of found) try {
		sessions.push({
			meta,
			ctx: await require_cli.sessionContext(stateDir, meta.id, env)
		});
	} catch (error) {
		if (require_cli.errorCode(error) !== "no-session") unread.push(unreadSession(meta.id, error));
	}
	return {
		sessions,
		broken: unread
	};
}
async function previewGc({ sessions, broken }) {
	const { found, problems } = await findGarbage(sessions.map(({ ctx }) => ctx), Date.now());
	return {
		found,
		problems: [...broken, ...problems],
		bytes: found.reduce((sum, { bytes }) => sum + bytes, 0)
	};
}
async function collect(stateDir, contexts, { items }) {
	const now = Date.now();
	const found = new Map((await findGarbage(contexts, now)).found.map((one) => [keyOf(one), one]));
	const report = {
		removed: [],
		kept: [],
		freed: 0
	};
	for (const item of items) {
		const garbage = found.get(keyOf(item));
		const ctx = contexts.find(({ session }) => session === item.session);
		const why = garbage === void 0 || ctx === void 0 ? require_outcome.NEEDED_AGAIN : await remove(ctx, garbage, now);
		const { kind, session, name } = item;
		if (garbage === void 0 || why !== null) {
			report.kept.push({
				kind,
				session,
				name,
				why: why ?? "it is gone already, or is needed again"
			});
			continue;
		}
		report.removed.push(garbage);
		report.freed += garbage.bytes;
	}
	const [first] = contexts;
	if (first !== void 0) sweepTrash(first);
	sweepUnmade(stateDir);
	return report;
}
async function remove(ctx, garbage, now) {
	try {
		return await require_with_session.withSession(ctx, "read", (session) => removeGarbage(session, garbage, now)) ? null : require_outcome.NEEDED_AGAIN;
	} catch (error) {
		return require_cli.toErrorBody(error).error.message;
	}
}
function keyOf({ kind, session, name }) {
	return `${kind} ${session} ${name}`;
}
Object.defineProperty(exports, "collect", {
	enumerable: true,
	get: function() {
		return collect;
	}
});
Object.defineProperty(exports, "collectOwn", {
	enumerable: true,
	get: function() {
		return collectOwn;
	}
});
Object.defineProperty(exports, "contextsOf", {
	enumerable: true,
	get: function() {
		return contextsOf;
	}
});
Object.defineProperty(exports, "diskUse", {
	enumerable: true,
	get: function() {
		return diskUse;
	}
});
Object.defineProperty(exports, "previewGc", {
	enumerable: true,
	get: function() {
		return previewGc;
	}
});
Object.defineProperty(exports, "unreadSession", {
	enumerable: true,
	get: function() {
		return unreadSession;
	}
});
