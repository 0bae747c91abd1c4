import { t as __exportAll } from "./rolldown-runtime.mjs";
import { $ as nodePort, $n as nameOf, $t as clockText, A as noSuchSession, An as noNetwork, B as isNetwork, Bn as ERROR_TABLE, Bt as noSessionHere, Cn as allowsAll, Dn as hiddenOutside, En as hiddenMissing, Fn as programPending, Ft as needsYes, G as parseMountinfo, Gn as bytePath, H as knownSilent, Hn as messageOf, Ht as noSpaceForServer, I as KERNEL_TYPES, In as projectNotPending, It as noClient, J as at, Jt as portTaken, Kn as fromText, L as LOWER_TYPES, Ln as projectTooWide, M as permitNotWritten, Mn as noVariable, Mt as bashNotStarted, N as permitsUnreadable, Nn as notMade, Nt as needsPermit, On as noBwrap, Ot as readArgs, Pn as otherProject$1, Q as lstat, Qn as joinPath, Rn as settingsNotPending, Sn as allowedMissing, St as programPath, Tn as foreignRepository, Tt as badUsage, U as mountOf, Ut as noSuchProcesses, V as isRemote, Vn as TraiError, Vt as noSessionNamed, Wn as toErrorBody, X as fsPath, Xt as stateNotWritable, Y as errorCode, Yn as isBelowAny, Yt as serverNotStarted, Zn as isWithin, Zt as typedForOther, _n as CANNOT_COVER, _t as xattrNames, a as isSessionId, an as lowText, b as foreignServerFile, bn as STAYS, bt as run$1, c as sessionIdOfClaude, cn as namedPaths, ct as withHandle, dn as durationText, er as parentOf$1, et as orIfRefused, f as REPAIR_SESSION, ft as askXattrNames, gn as BWRAP, gt as xattrIdentity, hn as ALLOWS, ht as otherXattrs, i as ensureStateDir, in as fullText, it as syncFileSystems, j as permitNotUsedUp, jn as noProfile, jt as USAGE, kn as noGate, ln as overlapText, lt as withHandleAsync, m as attachmentUnreadable, mn as VERSION, mt as freeOfOrigin, nr as toText, nt as realPath, ot as useAndClose, p as attachmentDamaged, pn as sizeText, q as visibleMounts, qn as innermost, rt as syncDirs, s as sessionDir, sn as minuteText, st as useAndCloseAsync, tn as countText, tr as toDisplay, tt as orNull, un as shownPath, ut as OF_THE_PLACE, vn as INSIDE, w as logUnreadable, wn as alreadyInside, xn as WIDE, xt as PROGRAM_DIR, yn as NARROWS, yt as keepPerl, z as holderOf$1, zn as unsafeBwrap, zt as noRoomToEnter } from "../cli.mjs";
import { a as isRealRoot, c as processEnvironment, d as processProgram, f as processStat, o as namesIn, p as processText, s as processArguments, u as processLink } from "./proc.mjs";
import { $ as readDiscards, $a as lstatEntry, $i as isCopyable, $n as hostHasIn, $o as logTo, $t as groupsOf, A as loadConfig, Aa as resultOf$1, Ai as judgeSameType, Ao as isRenamed, At as otherThanHost, B as freeSpace, Ba as clientRecordPath, Bi as replacedAmong, Bn as SESSION_CHANGED, Bo as isSameTime, C as uppersIn, Ca as parseBaseLines, Cn as NEEDS_KEPT, Co as birthOf, Cr as isAborted, Ct as Uppers, D as readMeta, Da as Pace, Di as partnersOf, Dn as NOTHING_THERE, Do as isAsLeft, Dt as dirsTo, Ei as partnerMovedSince, En as NEW_OR_CHANGED, Eo as identityOf, Er as readJournal, F as BOX_NETS, Fo as onDeviceOf, Fr as isTimeOnly, Fs as UNDO_LIMITS, Ft as xattrChanges, G as restoreBases, Ga as isBoxed, Gi as knownBase, Go as entryMessage, Gt as isUnmarked, Ha as instanceAt, Hi as openViewer, Hn as SESSION_LIVE, Ho as lookIdentity, I as BOX_WRITES, Ia as isQuiet, Ii as readBases, In as ONLY_WHOLE, Io as sameFields, Ir as leavesUpper, It as copyOut$1, J as beginWhole, Ji as xattrHash, Jn as byOtherCalls, Jo as HOST_CHANGED, Jr as historyEntryGone, K as TAG, Ka as writeBoxRecord, Ki as rebase, Kn as XATTR_ERRORS, Ko as refusalOf, Kr as discardInTheWay, Kt as changesOf, L as DEFAULT_BOX_OPTIONS, La as liveProcesses, Li as recordBases, Ln as PENDING_WHEN_QUIET, Lo as typeOf, Lr as replacedBelow, Lt as isWholeCopy, M as withFileLock, Mi as onlyTouched, Mn as NOT_KEPT_ANY_MORE, Mo as isSame$1, Mr as entriesOf, Mt as isBetween, Na as sameEntry, Nn as NOT_MOVED_IN, No as isStillOurs, Nr as entryCount, Nt as needsWriting, O as updateMeta, Oa as collect$1, Oi as equalsBase, Oo as isBornAs, Or as redoable, Ot as hostXattrs, P as BOX_HISTORIES, Pa as addTo, Pn as NOT_MOVED_OUT, Po as looksAlike, Pr as hostOf, Pt as removesAcl, Q as readDiscard, Qa as isClosed$1, Qi as upperPathIn, Qn as hostHas, Qt as Tree, R as KEPT_BY_COMMIT, Ra as liveSources, Ri as HostClocks, Rn as PROJECT_GONE, Ro as closedIdentity, Rr as resultOf, Sa as makeBases, Sn as MEANWHILE, So as removeTree, Sr as endTime, Ti as isSameDatabase, Tn as NEW_INSIDE, To as hostStatOf, Tr as readClosed, Tt as askHostXattrs, Ua as isClientRunning, Un as SOCKET, Uo as Cancelled, Ur as coveredSince, Ut as isChangedFile, V as sizeOnDisk, Va as insideAt, Vi as showsHost, Vn as SESSION_CHANGED_XATTRS, Vo as isWhiteout, Vr as commitNotClosed, W as mergedUnits, Wa as readClientRecord, Wi as isUnmapped, Wn as STOPPED, Wo as NotApplied, Wr as deletionNotPending, Wt as isNewTree, X as isLeftover, Xa as hostEntry, Xi as coveringDir, Xn as dirGone, Xo as expectLog, Y as ensureTrash, Ya as holdsOutOfReach, Yi as indexDigest, Yn as cleaningStopped, Yo as NO_XATTRS, Yr as manyFileSystems, Z as isReturnable, Za as identityOf$1, Zi as upperPath, Zn as givenUp, Zo as logPath, Zt as Closure, _ as presentReplayDirs, _a as readBaseFile, _i as openFiles, _n as IN_USE, _r as beganAt$1, _s as temporaryName, a as ensureSession, aa as sameContent, ai as nothingPending$1, an as hostDirs, ao as toHostStat, ar as partlyApplied, at as linkTo, ba as isExcluded, bi as usersBelow, bn as LEFTOVER, bo as relativeTo, br as commitNumbers, bs as writeWhole, c as listSessions, cn as CALL_UNKNOWN, co as CONFLICT_REASONS, cr as savedBeside, ct as overlaysIn, d as repositoryOf, dn as GROUP_FAILED, dr as stoppedAt, dt as copyWrittenImages, ei as noSuchCall, en as isDir, eo as lstatOrNone, er as ignoredBy, es as LogParser, et as tag, f as homeOf, fa as appendBases, fn as HELD_OPEN, fo as timeOf, fr as takenFromHost, ft as dropUnusedImages, g as noteReplayDir, ga as dropBases, gi as inodeIn, gn as HOST_UNREADABLE, go as dressDir, gr as Journal, gs as syncDirectory, gt as linkedImage, h as REPLAY_NAME, ha as confirmEmpty, ho as chmodEntry, hs as replaceFile, i as refreshMounts, ii as nothingDiscardedLive, io as readTarget, ir as openForWriting$1, it as writeFile$1, ja as conflictOf, ji as metaChanged, jn as NOT_DISCARDED_LIVE, jo as isRenamedBy, jr as bytesOf, ka as inSlices, ki as isUntouched$1, kn as NOT_COVERED, ko as isOf, kr as unfinishedCommit, kt as openUppers, l as projectOf, li as staleList, ln as CHANGED_MEANWHILE, lr as sessionChanged, lt as BEFORE, m as KEPT, ma as confirmBases, mo as byParent, mr as treeStays, n as sessionProcesses, na as hashSame, no as readEntries, nr as notPending, nt as trashDir, o as findSession, on as waitingAt, or as pendingAgainStopped, ot as overlayOf, p as sessionContext, pa as blobsStored, po as Dirs, pr as treeReplaced, ps as readPlainFile, pt as imageName, q as beginDiscard, qi as rootBase, qo as COPY_GONE, qr as discardStopped, r as openInside, rn as BACK, ro as readNames, rr as olderThan, rt as trashNames, sn as ALONG, so as watchLstat, sr as replacedKept, st as overlaysDir, t as endThese, tn as linkedOf, to as namesOrNone, tr as moreThan, ts as isRaw, tt as timeOf$1, u as readBytes, uo as hostMoved, ur as sessionHasOther, v as replayDirsOf, va as clientDirs, vi as statOf$2, vn as IN_VIEW, vo as moveOut, vs as tryWriteWhole, wi as scan, wn as NEVER_KEPT, wo as fingerprint, wr as openJournal, wt as allDirsTo, x as makeSameDirs, xa as formatBaseLine, xn as LIVE_ENDED, xo as removePath, xr as commitsDir, xs as isObject, xt as makeParents$1, y as savedIn, ya as hostsOfClient, yi as treesInUse, yn as KEPT_AS_CHOSEN, yo as moveOutEmpty, yr as commitDir, za as clearMarks, zi as hasOurTimes, zn as SANDBOX_CHANGED, zo as identityFields, zr as asTraiError } from "./processes.mjs";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { accessSync, appendFileSync, chmodSync, closeSync, constants, copyFileSync, existsSync, fstatSync, linkSync, lstatSync, mkdirSync, openSync, opendirSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, rmdirSync, statSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { constants as constants$1, uptime } from "node:os";
import path, { basename, dirname, join } from "node:path";
import { spawn } from "node:child_process";
import { setImmediate, setTimeout } from "node:timers/promises";
import { mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { request } from "node:http";
function callerFrom(lineage, clients) {
	const { chain, isHere } = lineage;
	const [own] = chain;
	if (own === void 0) return {
		kind: "unknown",
		found: "a process that has ended"
	};
	const found = described(own);
	if (!isHere) return {
		kind: "elsewhere",
		found: `${found}, in a sandbox or another namespace`
	};
	if (chain.find((one) => one.isCall) !== void 0) return {
		kind: "call",
		found: `${found}, started by a call of a session`
	};
	const client = orphanSince(lineage, clients);
	if (client !== null) return {
		kind: "unknown",
		found: `${found}, whose parents are gone and which is younger than the Claude client ${client.pid} beside it`
	};
	return chain.some((one, at) => one.isMarked || at > 0 && (one.isClient || one.isRegistered)) ? {
		kind: "client",
		found: `${found}, started by Claude Code`
	} : {
		kind: "user",
		found
	};
}
function orphanSince({ chain, adopter }, clients) {
	const top = chain.at(-1);
	if (adopter === null || top === void 0 || top.sid === adopter.sid) return null;
	if (chain.some((one) => one.isRegistered)) return null;
	return clients.find((client) => client.began < top.began && client.cgroup === top.cgroup) ?? null;
}
function described({ pid, name }) {
	return `process ${pid} (${name})`;
}
var CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;
var RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;
function isClaudeClient({ program, argv }) {
	if (program !== null && CLIENT.test(program)) return true;
	const [name = ""] = argv;
	if (CLIENT.test(name)) return true;
	if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
	const script = argv.slice(1).find((argument) => !argument.startsWith("-"));
	return script !== void 0 && CLIENT.test(script);
}
var MOST_ANCESTORS = 256;
var MOST_TRIES = 3;
function callerOf(pid, stateDir) {
	const clients = registeredClients(stateDir);
	return callerFrom(lineageOf(pid, clients), clients);
}
function lineageOf(pid, clients) {
	const chain = [];
	const stat = processStat(pid);
	let next = stat === null ? null : {
		pid,
		stat
	};
	while (next !== null && chain.length < MOST_ANCESTORS && !(chain.length > 0 && isAdopter(next))) {
		chain.push(signsOf(next, clients));
		next = parentOf(next);
	}
	return {
		chain,
		adopter: next !== null && isAdopter(next) ? { sid: next.stat.sid } : null,
		isHere: isHere(pid, clients)
	};
}
function registeredClients(stateDir) {
	const found = [];
	for (const record of namesIn(`${stateDir}/claude-pid`)) {
		const [, pid = "", start = ""] = /^(\d{1,10})\.(\d{1,20})$/.exec(record) ?? [];
		if (pid !== "" && processStat(Number(pid))?.start === start) found.push({
			pid: Number(pid),
			began: Number(start),
			cgroup: processText(Number(pid), "cgroup")
		});
	}
	return found;
}
function namespaceOf(pid) {
	return processLink(pid, `ns/${process.getuid?.() === 0 ? "mnt" : "user"}`);
}
function isHere(pid, clients) {
	const namespace = namespaceOf(pid);
	if (namespace === null) return false;
	return namespace === namespaceOf("self") || clients.some((client) => namespace === namespaceOf(client.pid));
}
function parentOf({ pid, stat }) {
	let child = stat;
	for (let tries = 0; child !== null && tries < MOST_TRIES; tries++) {
		const above = processStat(child.parent);
		if (above !== null && Number(above.start) <= Number(child.start)) return {
			pid: child.parent,
			stat: above
		};
		const before = child.parent;
		child = processStat(pid);
		if (child?.parent === before) return null;
	}
	return null;
}
function isAdopter({ pid, stat }) {
	return pid === 1 || stat.name === "systemd" && stat.parent === 1;
}
function signsOf({ pid, stat }, clients) {
	const argv = processArguments(pid) ?? [];
	const variables = processEnvironment(pid) ?? /* @__PURE__ */ new Map();
	const began = Number(stat.start);
	return {
		pid,
		parent: stat.parent,
		sid: stat.sid,
		began,
		name: toDisplay(stat.name),
		cgroup: processText(pid, "cgroup"),
		isClient: isClaudeClient({
			program: processProgram(pid),
			argv
		}),
		isRegistered: clients.some((client) => client.pid === pid && client.began === began),
		isMarked: variables.get("CLAUDECODE") === "1" || (variables.get("CLAUDE_PID") ?? "") !== "",
		isCall: variables.has("TRAI_CALL") || isLauncher(argv)
	};
}
function isLauncher(argv) {
	return argv.slice(1, 3).some((word) => {
		const state = /^(\/.*)\/bin\/[^/]+\/launch$/.exec(word)?.[1];
		return state !== void 0 && existsSync(Buffer.from(`${state}/sessions`, "latin1"));
	});
}
var bootId = () => digest(readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
var sinceBoot = () => Math.round(uptime() * 1e3);
async function openGrant(sessionDir, { kind, what = "" }) {
	const dir = grantsDir(sessionDir);
	const random = randomBytes(6).toString("hex");
	const name = [
		kind,
		digest(what),
		bootId(),
		sinceBoot(),
		random
	].join(".");
	try {
		await mkdir(dir, { mode: 448 }).catch((error) => {
			if (errorCode(error) !== "EEXIST") throw error;
		});
		await writeFile(join(dir, `.${random}`), what, {
			flag: "wx",
			mode: 384
		});
		await rename(join(dir, `.${random}`), join(dir, name));
	} catch (error) {
		throw errorCode(error) === "ENOENT" ? noSuchSession(sessionDir, error) : permitNotWritten(dir, error);
	}
}
async function takeGrant(sessionDir, kind, what = "") {
	for (const grant of await grantsOf(sessionDir, kind)) {
		if (grant.what !== digest(what)) continue;
		const valid = isValid(grant);
		if (await remove$2(sessionDir, grant) && valid) return true;
	}
	return false;
}
async function permitText(sessionDir, command) {
	const open = (await grantsOf(sessionDir, "permit")).filter(isValid);
	for (const grant of open.reverse()) {
		const text = await readFile(join(grantsDir(sessionDir), grant.file), "utf8").catch(() => "");
		if (digest(text) === grant.what && (text === command || text.startsWith(`${command} `))) return text;
	}
	return null;
}
function wordsOf(text) {
	return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
var FILE = /^(permit|passthrough)\.([0-9a-f]{32})\.([0-9a-f]{32})\.(\d{1,15})\.[0-9a-f]{12}$/;
async function grantsOf(sessionDir, wanted) {
	const dir = grantsDir(sessionDir);
	let files;
	try {
		files = readdirSync(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw permitsUnreadable(dir, error);
	}
	const grants = [];
	for (const file of files) {
		const [, kind, what = "", boot = "", openedAt = ""] = FILE.exec(file) ?? [];
		if (kind === wanted) grants.push({
			file,
			what,
			boot,
			openedAt: Number(openedAt)
		});
	}
	return grants.sort((a, b) => a.openedAt - b.openedAt);
}
function isValid({ boot, openedAt }) {
	const age = sinceBoot() - openedAt;
	return boot === bootId() && age >= 0 && age <= 3e5;
}
async function remove$2(sessionDir, { file }) {
	const path = join(grantsDir(sessionDir), file);
	try {
		await unlink(path);
		return true;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return false;
		throw permitNotUsedUp(path, error);
	}
}
function digest(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
function grantsDir(sessionDir) {
	return join(sessionDir, "grants");
}
var { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants;
function serverFilePath(stateDir) {
	return path.join(stateDir, "server.json");
}
function readServerFile(stateDir) {
	const file = serverFilePath(stateDir);
	let fd;
	try {
		fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw foreignServerFile(file, error);
	}
	return withHandle(nodePort, fd, () => {
		const stat = fstatSync(fd);
		if (!(stat.isFile() && stat.uid === process.getuid?.()) || (stat.mode & 63) !== 0 || stat.nlink !== 1) throw foreignServerFile(file);
		return parse(readFileSync(fd, "utf8"));
	});
}
function mayRun({ pid }) {
	if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== process.geteuid?.()) return false;
	const stat = processStat(pid);
	return stat !== null && stat.state !== "Z";
}
function parse(text) {
	try {
		const { v, pid, port, version, hook, proof } = Object(JSON.parse(text));
		const texts = [
			version,
			hook,
			proof
		].every((value) => typeof value === "string");
		return v === 1 && Number.isInteger(port) && port > 0 && port < 65536 && typeof pid === "number" && texts ? {
			v,
			pid,
			port,
			version,
			hook,
			proof
		} : null;
	} catch {
		return null;
	}
}
function isShell(tool) {
	return tool === "Bash" || tool === "Monitor";
}
function callKey({ id, request }) {
	return request === "" ? id : `request ${request}`;
}
var FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;
function shownCommand({ command, reason }) {
	const name = reason === "own-program" ? FROM_PROMPT.exec(command)?.[1] : void 0;
	return name === void 0 ? command : `/trai:${name}`;
}
function ranUnnoticed(facts) {
	const { decision, outcome } = facts;
	const launched = facts.start ?? facts.end ?? facts.failed;
	if (outcome === void 0 || launched !== void 0 || decision?.mode === "refuse") return false;
	if (outcome.unsandboxed) return true;
	return decision?.mode === "sandbox" && !outcome.interrupted && !saysNothingRan(outcome);
}
function saysNothingRan({ ok, head }) {
	return !ok && head.startsWith("Exit code 125") && head.includes("Nothing of the command was run");
}
function stateOf$2(facts) {
	const { request, decision, start, outcome, closed } = facts;
	if (facts.failed !== void 0) return "not-entered";
	if (facts.end !== void 0) return "ended";
	if (start !== void 0) return closed?.why === "launcher-gone" ? "lost" : "running";
	if (ranUnnoticed(facts)) return "unsandboxed";
	if ((decision ?? request)?.mode === "refuse") return "refused";
	if (outcome?.interrupted === true && decision?.mode === "sandbox") return "not-run";
	if (outcome !== void 0) return saysNothingRan(outcome) ? "not-entered" : "ended";
	if (closed !== void 0) return closed.why === "launcher-gone" ? "lost" : "not-run";
	return "requested";
}
function viewOf$1(id, own, facts) {
	const { request, decision, start, end, failed, closed, outcome } = facts;
	const decided = decision ?? request;
	const state = stateOf$2(facts);
	const ms = end?.ms ?? (start === void 0 ? outcome?.ms : void 0);
	const isOpen = state === "running" || state === "requested";
	return {
		id,
		request: own,
		command: decided?.command ?? "",
		cwd: decided?.cwd ?? "",
		origin: originOf(facts),
		agent: request?.agent ?? "",
		mode: (start ?? decided)?.mode ?? null,
		reason: decided?.reason ?? null,
		text: decision?.text || request?.text || facts.denied?.error || "",
		state,
		requestedAt: request?.at ?? decision?.at ?? null,
		startedAt: start?.at ?? null,
		endedAt: isOpen ? null : (end ?? failed ?? outcome ?? closed)?.at ?? null,
		rc: end?.rc ?? null,
		ms: ms === void 0 ? null : Math.max(0, Math.round(ms)),
		background: request?.background === true || (outcome?.background ?? "") !== "",
		interrupted: outcome?.interrupted ?? false,
		ok: outcome?.ok ?? null,
		head: outcome?.head ?? "",
		tail: outcome?.tail ?? "",
		cut: outcome?.cut ?? 0,
		left: facts.left ?? [],
		gone: facts.gone ?? [],
		saved: (facts.saved ?? []).map(({ v: _v, at: _at, t: _t, call: _call, ...saved }) => saved),
		twins: request?.twins ?? 0,
		permission: facts.permission === void 0 ? null : permissionView(facts.permission, facts.answered ?? null)
	};
}
function permissionView(event, answered = null) {
	const { at, request, agent, tool, subject, cut, decision, by, rule, hash, also, segment, why, ms } = event;
	return {
		at,
		request,
		agent,
		tool,
		subject,
		cut,
		decision,
		by,
		rule,
		hash,
		also,
		segment,
		why,
		ms,
		answered
	};
}
function originOf({ request, decision, outcome }) {
	if (request !== void 0) return request.tool;
	if (decision === void 0) return outcome === void 0 ? "" : "Bash";
	if (decision.origin !== "claude") return decision.origin;
	return decision.request === "" ? "!" : "Bash";
}
function spanOf(call, { decision, start, end, failed, closed, left, gone, goneAt }) {
	if (start?.mode !== "sandbox" || failed !== void 0) return null;
	const from = Date.parse(start.at);
	const ends = [end, closed].flatMap((event) => event === void 0 ? [] : [Date.parse(event.at)]);
	const ended = ends.length === 0 ? null : Math.max(from, ...ends);
	const leaves = (left?.length ?? 0) > (gone?.length ?? 0);
	const to = ended === null || leaves ? null : Math.max(ended, goneAt === void 0 ? ended : Date.parse(goneAt));
	const around = decision?.origin === "client" ? { around: true } : {};
	return {
		call,
		pid: start.pid,
		from,
		ended,
		to,
		...around
	};
}
var TIMES = "times";
var RETURNED = ".returned";
var FORMAT = "1";
function keepTimes(file, changes, times) {
	const lines = changes.flatMap(({ path }, i) => {
		const time = timeOf(times, i);
		return time === null ? [] : [`${time[0]} ${time[1]} ${path}\0`];
	});
	writeWhole(file, `${FORMAT}\0${lines.join("")}`);
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
	mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	writeWhole(`${dir}/${name.padStart(8, "0")}`, `${since} ${Date.now()}\0${text}${[...moved].map(([path, born]) => `=${born} ${path}\0`).join("")}`);
	for (const old of names$1(dir).slice(0, -4)) rmSync(`${dir}/${old}`, { force: true });
}
function readReturned(ctx) {
	const found = /* @__PURE__ */ new Map();
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	for (const name of names$1(dir).reverse()) {
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
	return orNull(() => readFileSync(file, "latin1"));
}
function names$1(dir) {
	return namesOrNone(fromText(dir)).filter((name) => /^\d{8}$/.test(name));
}
function unreadSession(session, thrown) {
	const { message, path, hint = REPAIR_SESSION } = toErrorBody(thrown).error;
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
	const open = unfinishedCommit(ctx);
	const needed = open === null ? void 0 : readJournal(nodePort, ctx, open)?.begin.undoes;
	for (const n of commitNumbers(nodePort, ctx)) {
		const dir = commitDir(ctx, n);
		const there = KEPT_BY_COMMIT.filter((name) => nodePort.lstat(joinPath(dir, name)) !== null);
		const at = there.length === 0 ? null : beganAt$1(nodePort, ctx, n);
		if (at === null) continue;
		const about = {
			session: ctx.session,
			name: String(n),
			at,
			why: "",
			stays: n === needed
		};
		const paths = there.map((name) => joinPath(dir, name));
		const one = {
			kind: "images",
			...about,
			paths,
			taken: there.includes(BACK)
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
	for (const name of trashNames(nodePort, ctx)) {
		const discard = readDiscard(nodePort, ctx, name);
		const leftover = discard === null && isLeftover(nodePort, ctx, name);
		if (!leftover && discard?.record.phase !== "closed") continue;
		const about = {
			session: ctx.session,
			name,
			at: timeOf$1(ctx, name) ?? "",
			stays: false
		};
		const dir = joinPath(trashDir(ctx), name);
		const paths = [dir, ...overlaysIn(nodePort, ctx, dir)];
		const one = {
			kind: "discard",
			...about,
			why: leftover ? LEFTOVER : "",
			paths
		};
		found.push(one);
		if (discard !== null && isReturnable(nodePort, discard)) returnable = one;
	}
	if (returnable !== void 0) returnable.stays = true;
	return found;
}
async function findGarbage(contexts, now) {
	const found = [];
	const problems = [];
	const rest = [];
	const limits = contexts[0]?.undo ?? UNDO_LIMITS;
	for (const ctx of contexts) {
		let all;
		let forgotten;
		try {
			all = kept(ctx);
			forgotten = await isForgotten(ctx, all);
		} catch (error) {
			problems.push(unreadSession(ctx.session, error));
			continue;
		}
		if (forgotten) {
			const dir = fromText(ctx.sessionDir);
			const bytes = await sizeOnDisk(dir, ...overlaysIn(nodePort, ctx, dir));
			found.push({
				kind: "session",
				session: ctx.session,
				name: "",
				at: "",
				bytes,
				why: PROJECT_GONE
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
		bytes: await sizeOnDisk(...paths)
	});
	let total = sorted.reduce((sum, { bytes }) => sum + bytes, 0);
	return sorted.flatMap(({ stays, taken, ...one }) => {
		const isOld = now - Date.parse(one.at) > keepDays * DAY_MS;
		if (one.why === "" && (stays || !isOld && total <= keepBytes)) return [];
		total -= one.bytes;
		const limit = isOld ? olderThan(keepDays) : moreThan(keepBytes);
		return [{
			...one,
			why: one.why || (taken === true ? takenFromHost(limit) : limit)
		}];
	});
}
async function isForgotten(ctx, all) {
	if (all.length > 0 || existsSync(Buffer.from(ctx.projectRoot, "latin1"))) return false;
	if (unfinishedCommit(ctx) !== null || !await isQuiet(ctx)) return false;
	const list = await scan(ctx);
	return list.changes.length === 0 && list.problems.length === 0;
}
async function removeGarbage(ctx, garbage, now) {
	const all = kept(ctx);
	if (garbage.kind === "session") {
		if (!await isForgotten(ctx, all)) return false;
		ensureTrash(nodePort, ctx);
		remove$1(ctx, fromText(ctx.sessionDir), ctx.session);
		return true;
	}
	const still = all.find(({ kind, name }) => kind === garbage.kind && name === garbage.name);
	if (still === void 0 || still.stays || Date.parse(still.at) > now) return false;
	if (garbage.kind === "discard") {
		remove$1(ctx, joinPath(trashDir(ctx), garbage.name), garbage.name);
		return true;
	}
	const n = Number(garbage.name);
	const journal = openJournal(nodePort, commitDir(ctx, n));
	if (journal === null) return false;
	useAndClose(journal, () => journal.addSynced({ t: "collected" }));
	for (const name of [...KEPT_BY_COMMIT, TIMES]) removePath(nodePort, journal.dir, name);
	return true;
}
function sweepTrash(ctx) {
	if (nodePort.lstat(trashDir(ctx)) === null) return;
	for (const name of nodePort.readdir(trashDir(ctx))) if (name.startsWith(REMOVING)) removeWith(ctx, name);
}
function remove$1(ctx, dir, name) {
	const gone = `${REMOVING}${name}`;
	removePath(nodePort, trashDir(ctx), gone);
	nodePort.rename(dir, joinPath(trashDir(ctx), gone));
	removeWith(ctx, gone);
}
function removeWith(ctx, name) {
	const own = overlaysIn(nodePort, ctx, fromText(ctx.sessionDir));
	for (const overlay of overlaysIn(nodePort, ctx, joinPath(trashDir(ctx), name))) if (!own.includes(overlay)) removePath(nodePort, overlaysDir(ctx), nameOf(overlay));
	removePath(nodePort, trashDir(ctx), name);
}
async function collectOwn(ctx) {
	const now = Date.now();
	const images = keptImages(ctx).map((one) => ({
		...one,
		stays: one.stays || one.taken === true
	}));
	for (const one of await beyond(images, ctx.undo ?? UNDO_LIMITS, now)) await removeGarbage(ctx, one, now);
}
function isStored(port, at, stored) {
	const [now, kept] = [port.lstat(at), port.lstat(stored)];
	if (now === null || kept === null) return false;
	if (isWhiteout(now) || isWhiteout(kept)) return isWhiteout(now) && isWhiteout(kept);
	if (!looksAlike(identityOf(kept), now)) return false;
	if (now.type === "symlink") return port.readlink(at) === port.readlink(stored);
	return now.type !== "file" || isSameContent([at, now], [stored, kept]);
}
function isSameContent([a, statA], [b, statB]) {
	const steps = sameContent(a, statA, b, statB);
	for (let step = steps.next();; step = steps.next()) if (step.done === true) return step.value;
}
function isStoredWhole(port, at, stored) {
	if (!isStored(port, at, stored)) return false;
	if (port.lstat(stored)?.type !== "dir") return true;
	const names = port.readdir(stored);
	if (names.length !== port.readdir(at).length) return false;
	return names.every((name) => isStoredWhole(port, joinPath(at, name), joinPath(stored, name)));
}
function isLikeStored(port, at, stored) {
	const [now, kept] = [port.lstat(at), port.lstat(stored)];
	if (now === null || kept === null || !looksAlike(identityOf(kept), now)) return false;
	if (now.type !== "dir") return true;
	const names = port.readdir(at);
	if (names.length !== port.readdir(stored).length) return false;
	return names.every((name) => isLikeStored(port, joinPath(at, name), joinPath(stored, name)));
}
var PendingPlan = class {
	items = [];
	failed = /* @__PURE__ */ new Map();
	#port;
	#ctx;
	#dirs;
	#uppers;
	#changed;
	#opaque = /* @__PURE__ */ new Map();
	#hidden = /* @__PURE__ */ new Map();
	#missing = /* @__PURE__ */ new Set();
	#viewer = null;
	constructor({ port, ctx }, dirs, uppers, changed) {
		this.#port = port;
		this.#ctx = ctx;
		this.#dirs = dirs;
		this.#uppers = uppers;
		this.#changed = changed;
	}
	async add(displaced) {
		const { path, i } = displaced;
		const before = this.items.length;
		try {
			if (coveringDir(this.#ctx.coveredDirs, path) === null) return;
			if (await this.#isHidden(parentOf$1(path))) this.#keep(displaced);
			else await this.#add(displaced);
		} catch (error) {
			const message = entryMessage(error);
			if (message === null) throw error;
			this.items.length = before;
			this.failed.set(i, message);
		}
	}
	async isWhole(path) {
		if (coveringDir(this.#ctx.coveredDirs, path) === null || this.#uppers.lstat(path) !== null) return false;
		return !await this.#isHidden(parentOf$1(path));
	}
	async dropNeedless() {
		const isDeletion = ({ line }) => line.kind === "whiteout";
		const opaque = await markedOpaque(this.#ctx, this.items.filter(isDeletion));
		this.items = this.items.filter((item) => !isDeletion(item) || !isBelowAny(item.line.path, opaque));
	}
	async close() {
		await this.#viewer?.close();
		this.#viewer = null;
	}
	async #add(displaced) {
		const { i, path, now, alone, below, moves } = displaced;
		const upper = this.#missing.has(parentOf$1(path)) ? null : this.#uppers.lstatHere(path);
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
		for (const name of this.#port.readdir(at(this.#dirs.openToList(path)))) {
			const inside = joinPath(path, name);
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
		const { i, path, kind, stays } = about;
		const line = {
			t: "pending",
			i,
			path,
			kind,
			born: null,
			mode,
			uid,
			gid,
			mtime: String(mtimeNs)
		};
		if (stays !== void 0) line.stays = stays;
		this.items.push({
			line,
			now,
			moves
		});
	}
	#keep({ i, path, now, alone }) {
		if (alone || now === null || this.#changed.size === 0) return;
		const all = this.#changed;
		const inside = all.has(path) || isBelowAny(path, all) ? [path] : [...all].filter((one) => isWithin(one, path) && !isBelowAny(one, all));
		for (const one of inside) {
			const stat = this.#dirs.lstat(one);
			if (stat !== null) this.#push({
				i,
				path: one,
				kind: "copy",
				stays: true
			}, stat);
		}
	}
	#hide(i, paths) {
		const hidden = /* @__PURE__ */ new Set();
		for (const path of paths) {
			const upper = hidden.has(parentOf$1(path)) ? void 0 : this.#uppers.lstat(path);
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
		const root = coveringDir(this.#ctx.coveredDirs, dir)?.path;
		if (root === void 0 || dir === root) return false;
		const upper = this.#uppers.lstat(dir);
		if (upper === null) this.#missing.add(dir);
		const hidden = upper !== null && (upper.type !== "dir" || await this.#isOpaque(dir)) || await this.#isHidden(parentOf$1(dir));
		this.#hidden.set(dir, hidden);
		return hidden;
	}
	async #isOpaque(dir) {
		const known = this.#opaque.get(dir);
		if (known !== void 0) return known;
		this.#viewer ??= await openViewer(this.#ctx);
		const upper = upperPathIn(this.#ctx.coveredDirs, dir);
		const own = upper === null ? null : lstatEntry(upper);
		const view = lstatEntry(this.#viewer.pathOf(dir));
		const opaque = own !== null && own.nlink >= 2 && view !== null && view.nlink > 1;
		this.#opaque.set(dir, opaque);
		return opaque;
	}
};
async function markedOpaque(ctx, items) {
	const above = [...allDirsTo(ctx, items.map(({ line }) => line.path))];
	if (above.length === 0) return /* @__PURE__ */ new Set();
	const uppers = above.map((dir) => upperPathIn(ctx.coveredDirs, dir) ?? dir);
	const { names } = await askXattrNames({
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
	const back = joinPath(journal.dir, BACK);
	if (items.some(({ line, moves }) => line.kind === "copy" && !moves)) journal.syncBegin();
	port.mkdir(back, 448);
	expectOneFileSystem(port, ctx, back);
	if (items.some(({ line }) => line.kind === "whiteout")) await makeWhiteout(port, back);
	for (const covered of ctx.coveredDirs) {
		const mine = items.filter(({ line: { kind, path } }) => kind === "copy" && coveringDir(ctx.coveredDirs, path) === covered);
		if (mine.length === 0) continue;
		const dir = joinPath(back, String(covered.n));
		port.mkdir(dir, 448);
		await withHandleAsync(port, port.openDir(dir), async (fd) => {
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
	const nameIn = ({ line }) => relativeTo(covered.path, line.path);
	const copied = items.filter(({ moves }) => !moves);
	makeParents$1(port, fd, items.map(nameIn));
	const own = copied.filter(({ line }) => !instead.has(line.path)).map(nameIn);
	let complaint = own.length === 0 ? "" : await copyOut$1(port, covered.path, own, fd);
	for (const item of items) {
		const { path } = item.line;
		const dir = instead.get(path);
		if (dir === void 0) continue;
		const holder = at(fd, `.${parentOf$1(`/${nameIn(item)}`)}`);
		await withHandleAsync(port, port.openDir(holder), async (to) => {
			complaint += await copyOut$1(port, dir, [nameOf(path)], to);
		});
	}
	const sourceOf = (path) => {
		const dir = instead.get(path);
		return dir === void 0 ? path : joinPath(dir, nameOf(path));
	};
	const fails = ({ line }, why) => failed.set(line.i, notPending(why));
	for (const item of items) {
		const { line, now, moves } = item;
		const from = instead.has(line.path) ? port.lstat(sourceOf(line.path)) : now;
		const copy = moves ? from : port.lstat(at(fd, nameIn(item)));
		if (copy !== null && from !== null && (moves || looksAlike(identityOf(from), copy))) line.born = birthOf(copy);
		else fails(item, complaint || "it changed meanwhile");
	}
	if (complaint === "") return;
	for (const item of copied) if (!failed.has(item.line.i) && !isWholeCopy(port, sourceOf(item.line.path), at(fd, nameIn(item)))) fails(item, complaint);
}
function expectOneFileSystem(port, ctx, dir) {
	const dev = port.lstat(dir)?.dev;
	for (const { upper } of ctx.coveredDirs) {
		const there = port.lstat(upper)?.dev;
		if (there !== void 0 && there !== dev) throw manyFileSystems();
	}
}
async function makeWhiteout(port, dir) {
	const script = "IFS= read -r -d \"\" path; exec mknod -- \"$path\" c 0 0";
	const input = Buffer.from(`${joinPath(dir, "w")}\0`, "latin1");
	const { status, stderr } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) throw deletionNotPending(stderr.trim());
}
function isPendingAlready({ port, ctx, journal: { record } }) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => record.pending.every(({ i, kind, path, born, stays }) => stays === true || !record.done.has(i) || kind === "copy" && born === null || uppers.lstat(path) !== null));
}
function keptBeside({ port, ctx, journal }) {
	return journal.record.pending.flatMap((line) => {
		const covered = line.stays === true ? coveringDir(ctx.coveredDirs, line.path) : null;
		const at = covered === null ? null : waitingAt(joinPath(journal.dir, BACK), covered, line.path);
		return at === null || port.lstat(at) === null ? [] : [{
			path: line.path,
			at
		}];
	});
}
async function insertPending(transaction, resumed) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const { pending, done } = record;
	const dir = joinPath(journal.dir, BACK);
	const paths = pending.map(({ path }) => path);
	const kept = [];
	const pace = new Pace();
	await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		const parents = /* @__PURE__ */ new Map();
		const making = {
			port,
			uppers,
			dir,
			likeHost: await askHostXattrs(transaction, uppers, paths),
			parents
		};
		const broken = brokenTrees(record);
		const rank = ({ kind }) => kind === "dir" ? 0 : 1;
		for (const line of [...pending].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
			await pace.breathe();
			if (!done.has(line.i) && !broken.has(line.path) && !isGone(port, record, line)) continue;
			const covered = coveringDir(ctx.coveredDirs, line.path);
			const isThere = !resumed && done.get(line.i) === "" && typeOf(line.born) === "file";
			if (covered !== null && line.stays !== true && insertOne(making, covered, line, isThere)) continue;
			if (line.kind !== "copy" || line.born === null) continue;
			const copy = covered === null ? dir : waitingAt(dir, covered, line.path);
			if (port.lstat(copy) !== null) kept.push({
				path: line.path,
				at: copy
			});
		}
	});
	return kept;
}
function isGone(port, { unitOf }, { i, path }) {
	const unit = unitOf.get(i);
	const reviewed = unit === void 0 ? null : hostOf(unit);
	const now = orIfRefused(() => port.lstat(path), null);
	return !isSame$1(reviewed, now) && !(unit?.kind === "swap" && isRenamed(reviewed, now));
}
function brokenTrees({ units, pending, done }) {
	const paths = new Set(pending.map(({ path }) => path));
	const broken = /* @__PURE__ */ new Set();
	for (const { i, kind, path } of units) {
		if (kind !== "delete" && kind !== "move-to-store" || !done.has(i)) continue;
		for (let at = path; at !== "/" && !broken.has(at); at = parentOf$1(at)) if (paths.has(at)) broken.add(at);
	}
	return broken;
}
function insertOne(making, covered, line, isThere) {
	const { port, uppers, dir, parents } = making;
	const { path, kind, mode } = line;
	const parent = parentOf$1(path);
	if (parents.get(parent)?.has(path) ?? uppers.lstat(path) !== null) return false;
	if (!parents.has(parent)) {
		const isNew = uppers.lstat(parent) === null;
		if (!makeParents(making, parent, covered)) return false;
		parents.set(parent, isNew ? /* @__PURE__ */ new Set() : null);
	}
	if (kind === "whiteout") uppers.link(path, joinPath(dir, "w"));
	else if (kind === "dir") makeDir(making, path, {
		...line,
		mtimeNs: BigInt(line.mtime)
	}, line.xattrs);
	else {
		const copy = waitingAt(dir, covered, path);
		const stat = isThere ? null : port.lstat(copy);
		if (!isThere && !isStillOurs(line.born, stat)) return false;
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
	if (!isWithin(path, covered.path)) throw coveredSince(covered.path, dir);
	const there = uppers.lstat(path);
	if (there !== null) return there.type === "dir";
	if (!makeParents(making, parentOf$1(path), covered)) return false;
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
	removePath(port, dir, name);
	const fresh = joinPath(dir, name);
	port.mkdir(fresh, 448);
	dressDir(port, fresh, like, xattrChanges("", xattrs));
	uppers.insert(path, fresh, ifClosed(like.mode));
}
var STORE = "overlay";
function dropEntries(transaction, units, cancelled) {
	const { port, journal } = transaction;
	announceDrops(transaction, units);
	useAndClose(openUppers(transaction), (uppers) => {
		for (const unit of units) if (unit.kind === "mode") resetDir(uppers, unit);
		for (const [i, unit] of units.entries()) {
			if (cancelled()) throw new Cancelled(STOPPED);
			if (unit.kind !== "entry") continue;
			uppers.takeOut(unit.path, storedAt(journal.dir, i));
			if (unit.closed) chmodEntry(port, storedAt(journal.dir, i), unit.mode);
		}
	});
	forgetDropped(transaction);
	syncDirs(port, [joinPath(journal.dir, STORE), journal.dir]);
}
function announceDrops({ port, ctx, journal }, units) {
	port.mkdir(joinPath(journal.dir, STORE), 448);
	const tops = new Set(units.filter(({ kind }) => kind === "entry").map(({ path }) => path));
	const bases = [...readBaseFile(ctx).records].filter(([path]) => tops.has(path) || isBelowAny(path, tops));
	for (const unit of units) journal.add(unit);
	journal.addSynced({
		t: "bases",
		text: bases.map(([path, record]) => formatBaseLine(path, record)).join("")
	});
	syncDirs(port, [journal.dir, parentOf$1(journal.dir)]);
}
function forgetDropped({ port, ctx, journal: { record } }) {
	const file = readBaseFile(ctx);
	const stay = new Set(record.drops.flatMap(({ path }, i) => record.failed.has(i) ? [path] : []));
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		const paths = [...parseBaseLines(record.bases).records.keys()].filter((path) => !isBelowAny(path, stay));
		dropBases(ctx, file, paths.filter((path) => file.records.has(path) && uppers.lstat(path) === null));
	});
}
function restoreEntries(transaction) {
	const { port, ctx, journal } = transaction;
	const { drops, bases, failed } = journal.record;
	const store = joinPath(journal.dir, STORE);
	const paths = drops.map(({ path }) => path);
	useAndClose(openUppers(transaction), (uppers) => {
		const dirs = drops.flatMap(({ kind, path }) => kind === "mode" ? [path] : []);
		const making = {
			port,
			uppers,
			dir: journal.dir,
			likeHost: hostXattrs(port, ctx, paths, dirs)
		};
		for (const [i, unit] of drops.entries()) if (unit.kind === "mode" && !failed.has(i)) restoreDir(ctx, making, unit);
		for (const [i, unit] of drops.entries()) if (unit.kind === "entry") restoreEntry(transaction, making, unit, storedAt(journal.dir, i));
	});
	const file = readBaseFile(ctx);
	const back = [...parseBaseLines(bases).records].filter(([path]) => !file.records.has(path));
	appendBases(ctx, file, back);
	if (port.lstat(store) === null) return 0;
	syncDirs(port, [store, journal.dir]);
	return port.readdir(store).length;
}
function storedAt(dir, i) {
	return joinPath(dir, `${STORE}/${i}`);
}
function resetDir(uppers, { path, mode, host, born, xattrs }) {
	const now = uppers.lstat(path);
	if (host === void 0 || now?.type !== "dir") return;
	if (xattrs !== void 0 && birthOf(now) === born) dressWhole(uppers, path, now, xattrs, host);
	else if (now.mode === mode) uppers.dress(path, host);
}
function dressWhole(uppers, path, now, xattrs, like) {
	const has = uppers.xattrs(path);
	if (has === null || !isBetween(has, xattrs)) return;
	const changes = xattrChanges(has, xattrs.to);
	if (needsWriting(changes) && (now.mode & 128) === 0) uppers.chmod(path, now.mode | 448);
	uppers.setXattrs(path, changes);
	uppers.dress(path, like);
}
function restoreDir(ctx, making, unit) {
	const { uppers } = making;
	const { path, host, xattrs } = unit;
	const covered = coveringDir(ctx.coveredDirs, path);
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
function isReplaceable$1(ctx, uppers, path) {
	const upper = uppers.lstat(path);
	if (upper?.type !== "file" && upper?.type !== "symlink") return false;
	const [upperPath, host] = [uppers.placed(path), hostEntry(path)];
	if (upperPath === null || host === "closed") return false;
	const base = makeBases(readBaseFile(ctx).records).lookup(path);
	return isUntouched$1({
		path,
		upperPath,
		upper,
		host,
		base
	});
}
function restoreEntry({ ctx, journal }, making, unit, from) {
	const { path, mode, closed, born } = unit;
	const { port, uppers } = making;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null) return;
	if (port.lstat(from) === null) {
		const now = closed ? uppers.lstat(path) : null;
		if (now?.mode === (mode | 448) && birthOf(now) === born) uppers.chmod(path, mode);
		return;
	}
	const there = uppers.lstat(path);
	const place = there === null ? null : uppers.placed(path);
	if (there !== null && place !== null) {
		const isBack = isStoredWhole(port, place, from);
		if (isBack) {
			const sync = () => withHandle(port, port.openRead(place), (fd) => port.fsync(fd));
			if (there.type === "file") orIfRefused(sync, void 0);
			removePath(port, parentOf$1(from), nameOf(from));
		}
		const isFree = isReplaceable$1(ctx, uppers, path) || journal.record.reopened !== null && isWhiteout(there);
		if (isBack || !isFree) return;
		uppers.remove(path, "file");
	}
	if (makeParents(making, parentOf$1(path), covered)) uppers.insert(path, from, closed ? mode : null);
}
function finishStored(transaction) {
	const { port, journal } = transaction;
	const { record, dir } = journal;
	useAndClose(openUppers(transaction), (uppers) => {
		for (const [i, unit] of record.drops.entries()) {
			if (record.done.has(i) || record.failed.has(i)) continue;
			if (unit.kind === "mode") resetDir(uppers, unit);
			else removeStored(port, uppers, unit.path, storedAt(dir, i));
			journal.add({
				t: "done",
				i
			});
		}
	});
}
function closeStored(transaction) {
	dropFailed(transaction);
	forgetDropped(transaction);
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const entries = record.drops.flatMap((unit, i) => record.failed.has(i) ? [] : [entriesAt(port, dir, unit, i)]).reduce((sum, count) => sum + count, 0);
	if (entries > 0) {
		syncDirs(port, [joinPath(dir, STORE), dir]);
		const all = record.failed.size === 0;
		journal.addSynced({
			t: "discarded",
			...all ? {} : { entries }
		});
	} else removePath(port, parentOf$1(dir), nameOf(dir));
	return entries;
}
function entriesAt(port, dir, { kind }, i) {
	return kind === "mode" ? 1 : countBelow(port, storedAt(dir, i));
}
function countBelow(port, path) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return now === null ? 0 : 1;
	return orIfRefused(() => port.readdir(path), []).reduce((sum, name) => sum + countBelow(port, joinPath(path, name)), 1);
}
function dropFailed({ port, journal: { record, dir } }) {
	for (const i of record.failed.keys()) if (port.lstat(storedAt(dir, i)) !== null) removePath(port, joinPath(dir, STORE), String(i));
}
function removeStored(port, uppers, path, stored) {
	const now = uppers.lstat(path);
	if (now === null) return true;
	if (isWhiteout(now)) {
		uppers.remove(path, now.type);
		return true;
	}
	if (now.type !== "dir") {
		const place = uppers.placed(path);
		if (place === null || !isStored(port, place, stored)) return false;
		uppers.remove(path, now.type);
		return true;
	}
	if (port.lstat(stored)?.type !== "dir") return false;
	if (uppers.readdir(path).map((name) => removeStored(port, uppers, joinPath(path, name), joinPath(stored, name))).includes(false)) return false;
	uppers.remove(path, now.type);
	return true;
}
var DOUBT = "-";
var LAST_UNIT_MS = 1e3;
var Stamps = class {
	#clocks;
	#until;
	constructor(ctx, until) {
		this.#clocks = new HostClocks(ctx);
		this.#until = until;
	}
	of(path, left, found) {
		if (left === null || left.type !== "dir" && left.nlink > 1) return void 0;
		if (this.#clocks.lag(path) > 0n) return void 0;
		return this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1000000n ? DOUBT : String(left.ctimeNs);
	}
};
function stampOf$1({ stamps, unitOf }, i, path, id) {
	const stamp = stamps.get(i);
	return stamp === void 0 || unitOf.get(i)?.path === path ? stamp : id?.split(":")[10];
}
var NO_MOVES = "no-moves";
function mayMove(port, ctx) {
	return port.lstat(joinPath(commitsDir(ctx), NO_MOVES)) === null;
}
var HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;
function isFileStep(step, merges) {
	return isChangedFile(step) && step.change.group === null && !merges.has(step.change.path);
}
async function askMarks(ctx, steps, merges) {
	const asked = steps.filter((step) => isNewTree(step) || isFileStep(step, merges)).map(({ change, members }) => ({
		top: change.path,
		dirs: members.filter(({ pending }) => pending?.type === "dir").map(({ path }) => path)
	}));
	return await askXattrNames(marksAsked(ctx, asked));
}
function findMoves(port, ctx, uppers, { checked, failed }, { marks, merges }) {
	const mayRename = /* @__PURE__ */ new Map();
	const candidates = checked.filter((one) => {
		if (!isReady(one, failed, merges)) return false;
		const above = parentOf$1(one.step.change.path);
		if (!mayRename.has(above)) mayRename.set(above, isOneMount(port, ctx, above) && isWritable(port, uppers, above));
		return mayRename.get(above) === true;
	});
	if (candidates.length === 0 || !mayMove(port, ctx)) return /* @__PURE__ */ new Set();
	const whole = candidates.filter((one) => !isNewTree(one.step) || isWhole(port, ctx, uppers, treeOf(one), marks.counts));
	const marked = markedTops(ctx, uppers, whole.map(treeOf), marks);
	return new Set(whole.filter(({ step }) => !marked.has(step.change.path)));
}
async function takeMarksOff(uppers, moves, pace) {
	const files = [...moves].filter(({ step }) => !isNewTree(step));
	const paths = files.map(({ step }) => step.change.path);
	const free = await freeOfOrigin(paths.map((path) => uppers.pathOf(path)));
	const found = await uppers.lstatEach(paths, pace);
	for (const [i, one] of files.entries()) {
		const { change } = one.step;
		const [before, now] = [one.upper.get(change.path), found.get(change.path)];
		const isSame = now !== void 0 && (before === void 0 ? isUnmarked(change, now) : isRenamed(identityOf(before), now));
		if (isSame) {
			one.upper.set(change.path, now);
			one.listed = void 0;
		}
		if (free[i] !== true || !isSame) moves.delete(one);
	}
}
function uppersOf$1(ctx, moves) {
	const covering = [...moves].map(({ step }) => coveringDir(ctx.coveredDirs, step.change.path));
	return [...new Set(covering.flatMap((covered) => covered?.upper ?? []))];
}
function moveWhole(port, ctx, [from, to], refused) {
	try {
		port.rename(from, to);
	} catch (error) {
		if (errorCode(error) !== "EXDEV") throw error;
		port.close(port.openAppend(joinPath(commitsDir(ctx), NO_MOVES)));
		throw new NotApplied(refused);
	}
}
function expectUnmoved(port, ctx, uppers, unit) {
	const entries = /* @__PURE__ */ new Map();
	for (const { path, id } of entriesOf(unit)) {
		const now = uppers.lstat(path);
		if (now === null || identityOf(now) !== id) throw new NotApplied(SANDBOX_CHANGED);
		entries.set(path, now);
	}
	const tree = {
		top: unit.path,
		paths: [...entries.keys()],
		entries
	};
	const dirs = [...entries].flatMap(([path, { type }]) => type === "dir" ? [path] : []);
	const marks = xattrNames(marksAsked(ctx, [{
		top: unit.path,
		dirs
	}]));
	if (!isWhole(port, ctx, uppers, tree, /* @__PURE__ */ new Map()) || markedTops(ctx, uppers, [tree], marks).size > 0) throw new NotApplied(SANDBOX_CHANGED);
}
function isReady({ step, host, upper, listed }, failed, merges) {
	const top = upper.get(step.change.path);
	const isOnlyName = top === void 0 ? listed === true : top.nlink === 1;
	if (isFileStep(step, merges)) return host !== null && isOnlyName && !failed.has(step.change.path);
	if (!isNewTree(step) || host !== null || top === void 0) return false;
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
	const upper = upperPathIn(ctx.coveredDirs, dir);
	return upper !== null && orIfRefused(() => mountOf(port, dir) === mountOf(port, upper), false);
}
function isWritable(port, uppers, dir) {
	return orIfRefused(() => {
		const upper = uppers.placed(dir);
		return upper !== null && port.writable(upper);
	}, false);
}
function isWhole(port, ctx, uppers, tree, counts) {
	const { top, entries } = tree;
	if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 128) === 0) return false;
	if (!isWritable(port, uppers, parentOf$1(top))) return false;
	return orIfRefused(() => hasExactly(uppers, tree, counts) && hasAllNames(entries), false);
}
function hasExactly(uppers, { top, paths, entries }, counts) {
	const names = /* @__PURE__ */ new Map();
	let dir = parentOf$1(top);
	for (const path of paths) {
		if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) dir = parentOf$1(path);
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
	const above = allDirsTo(ctx, trees.map(({ top }) => top));
	const inUpper = (path) => upperPathIn(ctx.coveredDirs, path) ?? path;
	return {
		whole: trees.flatMap(({ dirs }) => dirs).map(inUpper),
		alone: [...above].map(inUpper)
	};
}
function markedTops(ctx, uppers, trees, { names, unknown }) {
	const tops = new Map(trees.map(({ top }) => [uppers.pathOf(top), top]));
	const marked = /* @__PURE__ */ new Set();
	const mark = (path) => {
		for (let at = path; at !== "/"; at = parentOf$1(at)) {
			const top = tops.get(at);
			if (top !== void 0) marked.add(top);
		}
	};
	for (const dir of unknown) mark(dir);
	for (const [path, found] of names) if (found.some((name) => OF_THE_PLACE.test(name))) mark(path);
	const hidden = /* @__PURE__ */ new Map();
	const isHiding = (dir) => unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true;
	for (const { top } of trees) {
		const above = parentOf$1(top);
		if (!hidden.has(above)) hidden.set(above, [...dirsTo(ctx, top)].some((dir) => isHiding(uppers.pathOf(dir))));
		if (hidden.get(above) === true) marked.add(top);
	}
	return marked;
}
function takeTree({ port, ctx, commit, resumed, dirs }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) throw new NotApplied(treeStays(NOT_COVERED));
	const to = waitingAt(joinPath(commit, BACK), covered, unit.path);
	const target = dirs.targetOrNone(unit.path);
	const waits = port.lstat(to);
	if (waits === null) {
		const now = target === null ? null : port.lstat(target);
		if (target === null || now === null) return "";
		if (!isSame$1(unit.host, dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		const why = resumed ? whyNotWhole(port, target, unit) : null;
		if (why !== null) throw new NotApplied(treeStays(why));
		moveWhole(port, ctx, [target, to], NOT_MOVED_IN);
	} else if (!isStillOurs(unit.born, waits)) throw new NotApplied(treeStays(NEW_OR_CHANGED));
	const why = whyNotWhole(port, to, unit);
	if (why === null) return "";
	if (target === null || port.lstat(target) !== null) return treeReplaced(why);
	port.rename(to, target);
	throw new NotApplied(treeStays(why));
}
function isTaken$1({ port, ctx, commit }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) return false;
	return isStillOurs(unit.born, port.lstat(waitingAt(joinPath(commit, BACK), covered, unit.path)));
}
function whyNotWhole(port, root, unit) {
	const walk = new Dirs(port, root, 0, null);
	try {
		const top = port.lstat(root);
		if (!isSame$1(onDeviceOf(unit.host, top), top) || !isAsNoted(port, walk, root, unit)) return NEW_OR_CHANGED;
		const inodes = (type) => new Set(unit.entries.flatMap(({ id }) => id?.startsWith(type) === true ? [fingerprint(id).ino] : []));
		const real = port.readlink(at(walk.open(root)));
		return treesInUse([{
			real,
			files: inodes("file:"),
			dirs: inodes("dir:")
		}]).size > 0 ? IN_USE : null;
	} catch (error) {
		const message = entryMessage(error);
		if (message === null) throw error;
		return message;
	} finally {
		walk.close();
	}
}
function isAsNoted(port, walk, root, { path, entries }) {
	const ids = new Map(entries.map((entry) => [entry.path, entry.id]));
	const inside = byParent([...ids.keys()].filter((one) => one !== path));
	for (const [dir, id] of ids) {
		if (id?.startsWith("dir:") !== true) continue;
		const below = relativeTo(path, dir);
		const fd = walk.openOrNone(below === "" ? root : joinPath(root, below));
		const names = inside.get(dir) ?? [];
		if (fd === null || port.readdir(at(fd)).length !== names.length) return false;
		for (const one of names) {
			const now = port.lstat(at(fd, nameOf(one)));
			if (now === null || identityOf(now) !== onDeviceOf(ids.get(one) ?? null, now)) return false;
		}
	}
	return true;
}
function xattrsAt(port, dirs, path) {
	const fd = port.openEntry(at(dirs.open(parentOf$1(path)), nameOf(path)));
	return withHandle(port, fd, () => port.xattrs(fd));
}
function isMetaInPlace(port, dirs, unit) {
	const now = dirs.lstat(unit.path);
	if (now === null || now.uid !== unit.uid || now.gid !== unit.gid) return false;
	if (now.type !== "symlink" && now.mode !== unit.mode) return false;
	if (!hasTime(unit, now)) return false;
	return unit.xattrs === void 0 || xattrsAt(port, dirs, unit.path) === unit.xattrs.to;
}
function hasTime({ mtime }, now) {
	return mtime === null || now.type === "dir" || isSameTime(now.mtimeNs, BigInt(mtime));
}
function isMetaBegun(port, dirs, unit, root) {
	const now = dirs.lstat(unit.path);
	if (now === null) return false;
	if (unit.xattrs === void 0) return isHalfOwned(unit, now, root);
	const xattrs = xattrsAt(port, dirs, unit.path);
	return (xattrs !== unit.xattrs.from || now.mode !== fingerprint(unit.host).mode) && isHalfSet(unit, unit.xattrs, now, xattrs);
}
function applyMeta(port, dirs, unit, { root, resumed }) {
	const dir = dirs.open(parentOf$1(unit.path));
	withHandle(port, port.openEntry(at(dir, nameOf(unit.path))), (fd) => {
		const now = port.fstat(fd);
		const isLink = now.type === "symlink";
		const owned = now.uid === unit.uid && now.gid === unit.gid;
		const { xattrs } = unit;
		const has = xattrs === void 0 ? "" : port.xattrs(fd);
		if (has === null) throw new NotApplied(NO_XATTRS);
		if (!(owned && (isLink || now.mode === unit.mode) && hasTime(unit, now)) || xattrs !== void 0 && has !== xattrs.to) {
			const asReviewed = isSame$1(unit.host, dirs.asFound(now)) && (xattrs === void 0 || has === xattrs.from);
			const half = xattrs === void 0 ? isHalfOwned(unit, now, root) || resumed && isHalfTimed(unit, now) : resumed && isHalfSet(unit, xattrs, now, has);
			if (!asReviewed && !half) throw new NotApplied(HOST_CHANGED);
			if (xattrs !== void 0) {
				const changes = xattrChanges(has, xattrs.to);
				setXattrs(port, fd, now, {
					mode: unit.mode,
					changes,
					root
				});
			}
			if (!owned) port.lchown(at(dir, nameOf(unit.path)), unit.uid, unit.gid);
			if (!isLink) port.chmod(at(fd), unit.mode);
		}
		if (unit.mtime !== null && !isLink) port.utimes(at(fd), BigInt(unit.mtime));
	});
}
function setXattrs(port, fd, now, { mode, changes, root }) {
	if (changes.length === 0) return;
	const closed = !root && (now.mode & 128) === 0 && needsWriting(changes);
	try {
		if (removesAcl(changes)) port.chmod(at(fd), mode | (closed ? 448 : 0));
		else if (closed) port.chmod(at(fd), now.mode | 448);
		port.setXattrs(fd, changes);
	} catch (error) {
		if (closed || port.fstat(fd).mode !== now.mode) port.chmod(at(fd), now.mode);
		const why = XATTR_ERRORS[errorCode(error)];
		throw why === void 0 ? error : new NotApplied(`${why} (${errorCode(error)})`);
	}
}
function isHalfOwned(unit, now, root) {
	return root && fingerprint(unit.host).ino === now.ino && now.uid === unit.uid && now.gid === unit.gid;
}
function isHalfTimed({ host, mode, uid, gid, mtime }, now) {
	if (mtime === null || now.type !== "file" || now.mode !== mode) return false;
	return sameFields(fingerprint(host), now, [
		"type",
		"ino",
		"birthNs",
		"size",
		"mtimeNs"
	]) && now.uid === uid && now.gid === gid;
}
function isHalfSet(unit, step, now, xattrs) {
	const then = fingerprint(unit.host);
	if (then.type !== now.type || then.ino !== now.ino || then.birthNs !== now.birthNs) return false;
	const owners = [`${then.uid}:${then.gid}`, `${unit.uid}:${unit.gid}`];
	const modes = [then.mode, unit.mode];
	const bits = modes.flatMap((one) => [one & 511, (one | 448) & 511]);
	const special = modes.reduce((all, one) => all | one & 3584, 0);
	return owners.includes(`${now.uid}:${now.gid}`) && bits.includes(now.mode & 511) && (now.mode & 3584 & ~special) === 0 && xattrs !== null && isBetween(xattrs, step);
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
		this.#commit = commitDir(ctx, n);
		this.#images = joinPath(commitDir(ctx, undoes), BEFORE);
		this.#resumed = earlier !== void 0;
		this.#uppers = new Uppers(port, ctx, null);
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
				this.#remove(unit.path, unit.host, isSame$1, linkedImage(this.#task.ctx, this.#commit, unit));
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
		return orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
	}
	isBegun(unit) {
		if (this.isInPlace(unit)) return true;
		switch (unit.kind) {
			case "swap": return this.#dirs.lstat(asidePath(unit)) !== null;
			case "meta": return isMetaBegun(this.#port, this.#dirs, unit, this.#task.ctx.root);
			case "move-to-store": return isTaken$1(this.#taking(), unit);
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
			if (!this.#task.ctx.quiet) throw new NotApplied(SESSION_LIVE);
			const from = this.#uppers.placedHere(target);
			const now = from === null ? null : this.#port.lstat(from);
			if (!isBornAs(born, now)) return null;
			if (!isSame$1(entries[0]?.id ?? null, now)) throw new NotApplied(SANDBOX_CHANGED);
			return from;
		}
		if (stage === "before") {
			const image = joinPath(this.#images, rel);
			if (!this.#resumed) return image;
			return isBornAs(born, this.#port.lstat(image)) ? image : null;
		}
		if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
		const fd = this.#stageFds.get(stage) ?? null;
		if (fd === null) return null;
		const path = at(fd, rel);
		return isBornAs(born, this.#port.lstat(path)) ? path : null;
	}
	#openStage(index) {
		const stage = this.#task.journal.record.stages[index];
		if (stage === void 0) return null;
		const base = new Dirs(this.#port, "/", 0, null);
		try {
			return this.#port.openDir(at(base.open(stage.base), stage.name));
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		} finally {
			base.close();
		}
	}
	#isReviewed(identity, now) {
		return isSame$1(identity, now === null ? null : this.#dirs.asFound(now));
	}
	#put(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		const inPlace = isBornAs(unit.born, now);
		const staged = inPlace && unit.stage === null ? null : this.#staged(unit);
		if (inPlace) {
			if (staged !== null) this.#port.unlink(staged);
			this.#setMode(unit, target);
			return "";
		}
		const image = now === null ? null : linkedImage(this.#task.ctx, this.#commit, unit);
		const linked = image === null || !this.#resumed ? null : this.#port.lstat(image);
		if (!(linked !== null && linked.ino === now?.ino && isRenamed(unit.host, now)) && !this.#isReviewed(unit.host, now)) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(unit.stage === null ? SANDBOX_CHANGED : COPY_GONE);
		if (image !== null && linked === null) this.#port.link(target, image);
		const isDir = typeOf(unit.born) === "dir";
		if (isDir) this.#setMode(unit, staged, 448);
		if (unit.stage === null) moveWhole(this.#port, this.#task.ctx, [staged, target], NOT_MOVED_OUT);
		else if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
		this.#setMode(unit, target);
		return "";
	}
	#moveToHost(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		if (isBornAs(unit.born, now)) return "";
		if (now !== null) throw new NotApplied(HOST_CHANGED);
		const { ctx } = this.#task;
		if (!ctx.quiet) throw new NotApplied(SESSION_LIVE);
		if (!isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new NotApplied(SANDBOX_CHANGED);
		if (this.#resumed) {
			expectUnmoved(this.#port, ctx, this.#uppers, unit);
			if (this.#port.lstat(target) !== null) throw new NotApplied(HOST_CHANGED);
		}
		const from = this.#uppers.placed(unit.path);
		if (from === null) throw new NotApplied(SANDBOX_CHANGED);
		moveWhole(this.#port, ctx, [from, target], NOT_MOVED_OUT);
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
			].includes(errorCode(error))) return false;
			throw error;
		}
		this.#port.unlink(staged);
		return true;
	}
	#setMode({ closedMode }, path, bits = 0) {
		if (closedMode !== null) chmodEntry(this.#port, path, closedMode | bits);
	}
	#swap(unit) {
		const staged = this.#staged(unit);
		const now = this.#port.lstat(this.#dirs.target(unit.path));
		if (!isBornAs(unit.born, now)) {
			const old = this.#dirs.lstat(asidePath(unit));
			if (now !== null) this.#mayMoveAside(unit, now, old, staged);
			else if (old === null || !isRenamed(unit.host, old)) throw new NotApplied(HOST_CHANGED);
			const dir = this.#dirs.openToWrite(parentOf$1(unit.path));
			if (now !== null) this.#port.rename(at(dir, nameOf(unit.path)), at(dir, unit.aside));
			this.#moveIn(unit, dir, staged);
		}
		const note = this.#removeAside(unit);
		this.#setMode(unit, this.#dirs.target(unit.path));
		return note;
	}
	#mayMoveAside(unit, now, old, staged) {
		if (!(this.#isReviewed(unit.host, now) || this.#resumed && isRenamed(unit.host, now))) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(COPY_GONE);
		if (old !== null) throw new NotApplied(hostHas(asidePath(unit)));
		if (now.type === "dir") this.#onlyReviewed(unit);
	}
	#moveIn(unit, dir, staged) {
		const target = at(dir, nameOf(unit.path));
		try {
			if (staged === null) throw new NotApplied(COPY_GONE);
			if (typeOf(unit.born) === "dir") this.#setMode(unit, staged, 448);
			this.#port.rename(staged, target);
		} catch (error) {
			this.#port.rename(at(dir, unit.aside), target);
			throw error;
		}
	}
	#onlyReviewed(unit) {
		const known = new Map(unit.below.map(({ path, host }) => [path, host]));
		let met = 0;
		const walk = (dir) => {
			for (const name of this.#port.readdir(at(this.#dirs.openToList(dir)))) {
				const path = joinPath(dir, name);
				const stat = this.#dirs.lstat(path);
				if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) throw new NotApplied(hostHasIn(path));
				met++;
				if (stat.type === "dir") walk(path);
			}
		};
		walk(unit.path);
		if (met !== known.size) throw new NotApplied(HOST_CHANGED);
	}
	#removeAside(unit) {
		const aside = asidePath(unit);
		const message = refusalOf(() => {
			if (this.#dirs.lstat(aside) === null) return;
			const image = linkedImage(this.#task.ctx, this.#commit, unit);
			if (image !== null) return moveOut(this.#port, this.#dirs, aside, image);
			for (const { path, host } of unit.below.toReversed()) this.#remove(joinPath(aside, relativeTo(unit.path, path)), host);
			this.#remove(aside, unit.host, isRenamed);
		});
		return message === null ? "" : replacedKept(aside, message);
	}
	#remove(path, host, same = isSame$1, image = null) {
		const target = this.#dirs.targetOrNone(path);
		const now = target === null ? null : this.#port.lstat(target);
		if (target === null || now === null) return;
		if (!same(host, this.#dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		if (image !== null && now.type === "dir") moveOutEmpty(this.#port, this.#dirs, path, image);
		else if (image !== null) moveOut(this.#port, this.#dirs, path, image);
		else if (now.type === "dir") this.#port.rmdir(target);
		else this.#port.unlink(target);
	}
};
function asidePath({ path, aside }) {
	return joinPath(parentOf$1(path), aside);
}
function isInPlace(port, dirs, unit) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return dirs.lstat(unit.path) === null;
		case "meta": return isMetaInPlace(port, dirs, unit);
		default: return isBornAs(unit.born, dirs.lstat(unit.path));
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
	const dirs = hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		await applyUnits(task, tools);
		const loosened = journal.record.loosened.length > 0;
		restoreModes(port, dirs, journal);
		if (journal.record.phase !== "applied") {
			await copyWrittenImages(task);
			dropUnusedImages(task);
			await makeDurable(task, dirs, loosened);
		}
		applier.close();
		removeStages(port, dirs, journal);
		return {
			report: reportOf(task, null),
			stopped: false
		};
	} catch (error) {
		if (errorCode(error) === "") throw error;
		orIfRefused(() => restoreModes(port, dirs, journal), void 0);
		return {
			report: reportOf(task, messageOf(error)),
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
	const dirs = hostDirs(task);
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
	const pace = new Pace();
	const total = units.reduce((sum, unit) => sum + entryCount(unit), 0);
	const count = {
		done: 0,
		bytes: 0
	};
	for (const unit of units) {
		await pace.breathe();
		if (record.abandoned === null && task.cancelled?.() === true) abandon(task, tools, units.filter(({ i }) => done.has(i)), "cancelled");
		if (record.abandoned === null) applyUnit(task, tools, unit, false);
		count.done += entryCount(unit);
		count.bytes += bytesOf(unit);
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
		if (unit.kind === "meta" && typeOf(unit.host) === "dir") restoreModes(port, dirs, journal);
		if (!isBegun && unit.groups.some((group) => broken.has(group))) journal.add({
			t: "fail",
			i: unit.i,
			message: GROUP_FAILED
		});
		else {
			const found = earlier !== void 0 && applier.isInPlace(unit) ? entryAt$1(unit, dirs) : null;
			const note = applier.apply(unit);
			const stamp = stamps.of(unit.path, entryAt$1(unit, dirs), found);
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
		const known = entryMessage(error);
		if (known === null && errorCode(error) === "") throw error;
		const message = known ?? messageOf(error);
		const partly = applier.isInPlace(unit) ? partlyApplied(message) : null;
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
function entryAt$1({ kind, path }, dirs) {
	if (kind === "delete" || kind === "move-to-store") return null;
	return orNull(() => dirs.lstatHere(path));
}
async function makeDurable({ port, journal, ctx }, dirs, loosened) {
	const bases = /* @__PURE__ */ new Set([...journal.record.stages.map(({ base }) => base)]);
	const renamed = /* @__PURE__ */ new Set();
	for (const unit of journal.record.units) {
		const { path, i } = unit;
		if (unit.kind === "move-to-host") {
			if (journal.record.done.has(i)) renamed.add(parentOf$1(path));
		} else if (unit.kind !== "put" || typeof unit.stage !== "number") bases.add(coveringDir(ctx.coveredDirs, path)?.path ?? parentOf$1(path));
	}
	for (const dir of renamed) if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir)) bases.add(coveringDir(ctx.coveredDirs, dir)?.path ?? dir);
	await syncFileSystems(port, heldOneByOne(dirs, bases));
	journal.addSynced({ t: "applied" });
}
var FEW = 32;
function syncRename(port, ctx, dirs, dir) {
	const from = upperPathIn(ctx.coveredDirs, dir);
	try {
		syncDirs(port, [at(dirs.open(dir), "."), ...from === null ? [] : [joinPath(from, ".")]]);
		return from !== null;
	} catch (error) {
		if ([
			"EACCES",
			"ENOENT",
			"ENOTDIR",
			"ELOOP"
		].includes(errorCode(error))) return false;
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
		const fd = port.openDir(at(dirs.open(parentOf$1(path)), nameOf(path)));
		withHandle(port, fd, () => port.chmod(at(fd), mode));
	}
	loosened.length = 0;
	dirs.loosened.clear();
	dirs.close();
}
function removeStages(port, dirs, journal) {
	for (const { base, name } of journal.record.stages) {
		if (dirs.lstat(base) === null) continue;
		removeTree(port, dirs.openToWrite(base), name);
	}
	restoreModes(port, dirs, journal);
}
function markedIn(done) {
	const marked = mergedUnits(done).filter(({ merged }) => merged.marks !== void 0);
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
		if (message !== void 0) for (const { path } of entriesOf(unit)) failures.push({
			path,
			message
		});
		else if (note !== void 0) {
			if (isTimeOnly(unit)) times++;
			else out.applied += entryCount(unit);
			out.bytes += bytesOf(unit);
			if (note !== "") failures.push({
				path: unit.path,
				message: note
			});
		} else if (record.abandoned === "discarded") left += entryCount(unit);
		else for (const { path } of entriesOf(unit)) out.notApplied.push(path);
	}
	if (left > 0) failures.push({
		path: task.ctx.projectRoot,
		message: givenUp(left)
	});
	if (stopped !== null) {
		const where = out.notApplied[0] ?? record.units.at(-1)?.path ?? "/";
		failures.push({
			path: where,
			message: stoppedAt(where, stopped)
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
	for (const n of commitNumbers(nodePort, ctx)) {
		if (readClosed(commitDir(ctx, n))?.after.has("dropped") === true) continue;
		const journal = openJournal(nodePort, commitDir(ctx, n));
		if (journal === null) continue;
		await useAndCloseAsync(journal, async () => {
			const { phase, dropped, report, begin } = journal.record;
			if (phase !== "closed" || dropped) return;
			if (report !== null && begin.undoes === void 0) count += (await dropRecord({
				port: nodePort,
				ctx,
				journal
			})).count;
			journal.addSynced({ t: "dropped" });
		});
	}
	return count;
}
async function dropRecord(transaction, { bases = readBaseFile(transaction.ctx), settled = false } = {}) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const applied = record.standing();
	const moved = applied.filter(isMoved);
	const copied = applied.filter((unit) => !isMoved(unit)).flatMap(entriesOf);
	const isRoot = ({ path }) => ctx.coveredDirs.some((covered) => covered.path === path);
	const going = copied.filter((entry) => !isRoot(entry));
	return await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		uppers.removeMovedOut();
		const made = new MadeDirs(ctx);
		const gone = new Set(applied.filter(leavesUpper).map(({ path }) => path));
		const left = going.filter(({ path }) => !gone.has(path));
		const entries = [
			...record.above,
			...record.same,
			...left
		];
		const there = [...left, ...record.same].filter(({ id }) => id !== null).map(({ path }) => path);
		await made.look(there, (path) => uppers.lstat(path)?.type === "dir");
		const before = there.some((path) => made.topOf(path) !== null) ? earlierEntries(port, ctx, record.n).filter((entry) => !isRoot(entry)) : [];
		const dirs = [...settled ? [...record.same, ...left] : entries, ...before].filter(({ id }) => typeOf(id) === "dir");
		const stays = blocked(record);
		for (const path of otherThanHost(port, uppers, [...new Set(dirs.map(({ path }) => path))])) stays.add(path);
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
	return commitNumbers(port, ctx).filter((number) => number < n).flatMap((number) => {
		const record = readJournal(port, ctx, number);
		if (record === null || record.report === null || record.begin.undoes !== void 0) return [];
		return [...record.same, ...record.standing().flatMap(entriesOf)];
	});
}
function idsOf(entries) {
	return new Map(entries.flatMap(({ path, id }) => id === null ? [] : [[path, id]]));
}
function mayBeOnHost(port, path) {
	return orIfRefused(() => port.lstat(path) !== null, true);
}
function forgetMoved(port, ctx, record) {
	const moved = record.units.filter(isMoved).filter(({ i }) => record.done.has(i));
	if (moved.length === 0) return;
	const bases = readBaseFile(ctx);
	useAndClose(new Uppers(port, ctx, null), (uppers) => forget({
		ctx,
		bases,
		uppers
	}, [], moved));
}
var isMoved = (unit) => unit.kind === "move-to-host";
function forget({ ctx, bases: file, uppers }, going, moved) {
	const names = /* @__PURE__ */ new Map();
	const isThere = (path) => {
		const dir = parentOf$1(path);
		if (!names.has(dir)) names.set(dir, orIfRefused(() => new Set(uppers.readdir(dir)), null));
		return names.get(dir)?.has(nameOf(path)) ?? uppers.lstat(path) !== null;
	};
	const isGone = ({ path }) => file.records.has(path) && !isThere(path);
	const gone = new Set(going.filter(isGone).map(({ path }) => path));
	const again = moved.filter(({ path }) => uppers.lstat(path) !== null);
	for (const { path } of again.flatMap((unit) => entriesOf(unit).filter(isGone))) gone.add(path);
	const left = new Set(moved.filter((unit) => !again.includes(unit)).map(({ path }) => path));
	if (left.size > 0) {
		for (const path of file.records.keys()) if (left.has(path) || isBelowAny(path, left)) gone.add(path);
	}
	dropBases(ctx, file, [...gone]);
}
function blocked(record) {
	const standing = new Set(record.standing());
	const failed = record.units.filter((unit) => !standing.has(unit)).flatMap(entriesOf);
	const left = [
		...record.begin.leftOut,
		...record.refused.map(({ path }) => path),
		...failed.map(({ path }) => path)
	];
	const stays = new Set(left);
	for (const path of left) for (let dir = parentOf$1(path); dir !== "/" && !stays.has(dir); dir = parentOf$1(dir)) stays.add(dir);
	return stays;
}
var Drop = class {
	count = 0;
	#parts;
	#decided = /* @__PURE__ */ new Map();
	#pace = new Pace();
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
				if (errorCode(error) === "") throw error;
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
			if (now.type === "dir") for (const name of uppers.readdir(path)) stack.push(joinPath(path, name));
		}
		return count;
	}
	#mayGo(path, now, id) {
		if (id === void 0 || this.#parts.stays.has(path)) return false;
		return isWhiteout(now) ? typeOf(id) === "char" && !mayBeOnHost(this.#parts.port, path) : isSame$1(id, now);
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
		const pace = new Pace();
		await useAndCloseAsync(await openViewer(this.#ctx), async (viewer) => {
			const shows = (path) => {
				const upper = upperPathIn(this.#ctx.coveredDirs, path);
				if (upper === null) return false;
				return orIfRefused(() => showsHost(viewer, {
					host: path,
					upper
				}), false);
			};
			for (const path of paths) {
				await pace.breathe();
				const dir = parentOf$1(path);
				if (this.#find(dir, shows) !== null || this.#tops.has(path) || !isDir(path)) continue;
				this.#tops.set(path, shows(path) ? null : path);
			}
		});
	}
	topOf(path) {
		return this.#tops.get(path) ?? this.#tops.get(parentOf$1(path)) ?? null;
	}
	#find(dir, shows) {
		const known = this.#tops.get(dir);
		if (known !== void 0) return known;
		const isRoot = coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === "/";
		const top = (isRoot ? null : this.#find(parentOf$1(dir), shows)) ?? (isRoot || shows(dir) ? null : dir);
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
		if (isOf(unit.host, base.host)) found.push([
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
	const isStored = blobsStored(ctx, commit.hashes.size);
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
			host: hostStatOf(id, stamp),
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
	const host = unit === void 0 ? null : hostOf(unit);
	return endedAt !== null && host !== null && isRenamedBy(endedAt, host, id);
}
function indexesIn(port, record) {
	const indexes = {};
	if (!record.begin.reversible) return {};
	for (const unit of record.units) {
		const { i } = unit;
		if (!record.done.has(i)) continue;
		if (unit.kind === "move-to-host" && !unit.tree.text.includes("/index//")) continue;
		for (const { path, id } of resultOf(unit)) {
			if (id === null || nameOf(path) !== "index") continue;
			const now = orNull(() => port.lstat(path));
			if (now === null || !isAsLeft(id, now, null, stampOf$1(record, i, path, id))) continue;
			const digest = digestNow(path, now);
			if (digest !== null) indexes[path] = digest;
		}
	}
	return Object.keys(indexes).length === 0 ? {} : { indexes };
}
function saysAsLeft(path, { id, index }, now) {
	if (index === void 0 || id === null || now?.type !== "file" || now.nlink !== 1) return false;
	return sameFields(fingerprint(id), now, [
		"type",
		"mode",
		"uid",
		"gid"
	]) && digestNow(path, now) === index;
}
function digestNow(path, now) {
	const entry = orNull(() => lstatEntry(path));
	if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
	return orNull(() => indexDigest(path, identityOf$1(entry)));
}
async function rebaseResults(task, paths, hiding, undone = null) {
	const { port, ctx, earlier } = task;
	const { record } = task.journal;
	const file = readBaseFile(ctx);
	const restored = restoredBases(task, undone);
	const others = restored.size === 0 ? paths : paths.filter((path) => !restored.has(path));
	const entries = [...findUnseen(port, record, await rebase(ctx, others, hiding, file), earlier)].map(([path, base]) => [path, {
		listed: false,
		...file.records.get(path),
		path,
		base
	}]);
	appendBases(ctx, file, [...restored, ...entries]);
}
function findUnseen(port, record, based, earlier) {
	const unseen = /* @__PURE__ */ new Map();
	const dressed = [];
	for (const unit of record.units) {
		if (!record.done.has(unit.i)) continue;
		const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
		const nothing = entriesOf(unit).map(({ path }) => ({
			path,
			id: null
		}));
		const left = new Map([...nothing, ...resultOf(unit)].map(({ path, id }) => [path, id]));
		for (const [path, id] of left) {
			const now = based.get(path);
			if (now === void 0) continue;
			if (isAsLeft(id, now, until, stampOf$1(record, unit.i, path, id))) unseen.delete(path);
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
	for (const n of commitNumbers(port, ctx)) {
		if (n < record.n) continue;
		const one = n === record.n ? record : readJournal(port, ctx, n);
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
			const left = new Map([...gone, ...resultOf(unit)].map(({ path, id }) => [path, id]));
			for (const [path, id] of left) {
				if (!isOurs(path)) continue;
				const xattrs = to ?? (typeOf(id) === "dir" ? found.get(path)?.xattrs : void 0);
				const stamp = stampOf$1(one, i, path, id);
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
	return new Map(replacedBelow(unit).map(({ path, host }) => [path, host]));
}
function hasFound(unit, path, before, known) {
	const from = unit.kind === "meta" ? unit.xattrs?.from : void 0;
	if (from !== void 0 && known.xattrs !== void 0 && from !== known.xattrs) return false;
	const host = path === unit.path ? hostOf(unit) : before.get(path) ?? null;
	return isAsLeft(known.id, host === null ? null : fingerprint(host), null);
}
async function collectOverrides(ctx, { steps }, merges) {
	const taken = /* @__PURE__ */ new Map();
	const against = steps.flatMap(changesOf).filter(({ conflict, path }) => conflict !== null && !merges.has(path));
	if (against.length === 0) return taken;
	const bases = await readBases(ctx);
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
	const now = lstatEntry(path);
	const host = now === null ? null : toHostStat(now, path);
	return conflictOf({
		base,
		host,
		since: 0n,
		parentGone: false,
		below: false
	}) === null ? null : base;
}
function overridesOf(overrides, step, failed) {
	if (overrides.size === 0) return [];
	return changesOf(step).flatMap(({ path }) => {
		const one = failed.has(path) ? void 0 : overrides.get(path);
		return one === void 0 ? [] : [one];
	});
}
function revertedOverrides({ units, undone }) {
	return units.flatMap(({ i, overrides }) => undone.has(i) ? overrides ?? [] : []).map(({ path }) => path);
}
function noteBeside(journal, commit) {
	const paths = [...new Set(revertedOverrides(commit).flatMap(partnersOf))];
	if (paths.length > 0) journal.add({
		t: "beside",
		paths
	});
}
function isPartnerGone(path, beside) {
	const now = new Set(partnersOf(path));
	return beside.some((other) => isSameDatabase(path, other) && !now.has(other));
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
		if (then.endedAt === null || !isAsLeft(then.id, now, then.endedAt, then.stamp)) continue;
		const end = BigInt(then.endedAt) * 1000000n;
		if (partnerMovedSince(path, end) || isPartnerGone(path, undo.beside)) continue;
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
		if (errorCode(error) === "") throw error;
		const why = messageOf(error);
		return partial(task, report, undoes === void 0 ? cleaningStopped(why) : pendingAgainStopped(why));
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
		at: endTime(),
		...indexesIn(port, journal.record)
	};
	journal.addSynced(end, ...ctx.quiet ? [{ t: "dropped" }] : []);
	return report;
}
async function cleanUppers(transaction, settled) {
	const { ctx, journal } = transaction;
	const bases = readBaseFile(ctx);
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
	return units.filter(({ i, kind }) => done.has(i) && kind !== "move-to-host").flatMap(entriesOf).map(({ path }) => path);
}
function abort(transaction) {
	const { port, journal } = transaction;
	if (journal.record.begin.discards !== void 0) return abortDiscard(transaction);
	useAndClose(hostDirs(transaction), (dirs) => {
		removeStages(port, dirs, journal);
		restoreModes(port, dirs, journal);
	});
	for (const name of [BEFORE, BACK]) removePath(port, journal.dir, name);
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
		removePath(port, parentOf$1(journal.dir), nameOf(journal.dir));
		return 0;
	}
	const left = restoreEntries(transaction);
	journal.addSynced(left > 0 ? { t: "discarded" } : {
		t: "end",
		report: null
	});
	if (left === 0 && reopened === null) removePath(port, parentOf$1(journal.dir), nameOf(journal.dir));
	return left;
}
function abortQuietly(transaction, forget) {
	const { port, journal } = transaction;
	orNull(() => {
		abort(transaction);
		if (forget) removePath(port, parentOf$1(journal.dir), nameOf(journal.dir));
	});
}
async function closeUndo(task, report, of) {
	const { ctx, journal } = task;
	if (!ctx.quiet && !isPendingAlready(task)) return partial(task, report, PENDING_WHEN_QUIET);
	noteInPlace(task);
	const kept = ctx.quiet ? await insertPending(task, task.earlier !== void 0) : keptBeside(task);
	await closeRecords(task, of);
	journal.sync();
	if (kept.length === 0) removePath(task.port, journal.dir, BACK);
	const failed = kept.map(({ path, at }) => ({
		path,
		message: sessionHasOther(at)
	}));
	const told = kept.length === 0 ? report : {
		...report,
		state: "partial",
		failed: [...report.failed, ...failed]
	};
	journal.addSynced({
		t: "end",
		report: told,
		at: endTime()
	}, { t: "dropped" });
	return told;
}
function noteInPlace(task) {
	const { port, journal } = task;
	const { failed, unitOf } = journal.record;
	if (failed.size === 0) return;
	useAndClose(hostDirs(task), (dirs) => {
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
async function closeRecords(task, of) {
	const { port, ctx, journal } = task;
	const { record } = journal;
	const commit = markUndone(task, of);
	await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const trees = record.units.filter((unit) => unit.kind === "move-to-store").filter(({ i, path, born }) => record.done.get(i) === "" && isStillOurs(born, uppers.lstat(path)));
		const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
		const paths = touchedPaths(record).filter((path) => !whole.has(path));
		const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
		const all = /* @__PURE__ */ new Set([
			...paths,
			...reverted,
			...trees.map(({ path }) => path)
		]);
		const found = await uppers.lstatEach([...all], new Pace());
		const hiding = paths.filter((path) => {
			const upper = found.get(path);
			return upper !== void 0 && upper.type !== "dir";
		});
		await rebaseResults(task, paths, new Set(hiding), commit);
		baseOnNothing(ctx, whole);
		if (commit !== null) restoreBases(ctx, commit, /* @__PURE__ */ new Set([...paths, ...whole]));
		if (commit !== null) noteBeside(journal, commit);
		const entries = [...all].sort().map((path) => {
			const stat = found.get(path);
			return {
				path,
				id: stat === void 0 ? null : identityOf(stat)
			};
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
	appendBases(ctx, readBaseFile(ctx), entries);
}
function touchedPaths({ units, done }) {
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => [unit.path, ...resultOf(unit).map(({ path }) => path)]);
	return [...new Set(paths)].sort();
}
function revertedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	return (commit?.units.filter(({ i }) => reverted.has(i)) ?? []).flatMap(entriesOf).map(({ path }) => path);
}
function revertedUnits({ units, done }, isDone) {
	return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}
function markUndone({ port, ctx, journal: { record: undo }, commit }, of) {
	const dirOf = commitDir(ctx, of);
	const journal = commit === void 0 ? openJournal(port, dirOf) : new Journal(port, dirOf, commit);
	if (journal === null) return null;
	const { record, dir } = journal;
	const open = revertedUnits(undo, false);
	const refused = new Set(undo.refused.map(({ path }) => path));
	const isRefused = (i) => refused.has(record.unitOf.get(i)?.path ?? "/");
	const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
	useAndClose(journal, () => journal.addSynced({
		t: "undone",
		by: undo.n,
		units
	}));
	if (record.standing().length === 0) removePath(port, dir, BEFORE);
	else if (port.lstat(joinPath(dir, "before")) !== null) withHandle(port, port.openDir(joinPath(dir, BEFORE)), (fd) => {
		for (const i of units) removeTree(port, fd, imageName(i));
	});
	return record;
}
function repairLink(session, port = nodePort) {
	const at = (name) => joinPath(fromText(session.sessionDir), name);
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
function repairOverlay(session, port = nodePort) {
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
			});
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
function openDiscard(session, port = nodePort) {
	for (const name of trashNames(port, session)) {
		if (readClosed(joinPath(trashDir(session), name)) !== null) continue;
		const discard = readDiscard(port, session, name);
		if (discard !== null && discard.record.phase !== "closed") return discard;
	}
	return null;
}
function needsRepair(session) {
	if (openDiscard(session) !== null) return true;
	const has = (name) => nodePort.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
	return has("overlay.new") && !has("overlay");
}
function closeWhole(port, session, journal) {
	const { dir, record } = journal;
	const has = (name) => port.lstat(joinPath(dir, name)) !== null;
	const own = overlayOf(port, session);
	const isOwn = (name) => port.readlink(joinPath(dir, name)) === own;
	if (record.reopened !== null) {
		const happened = !has("overlay") || isOwn("overlay");
		for (const name of ["overlay", record.reopened.aside ?? ""]) if (has(name) && isOwn(name)) port.unlink(joinPath(dir, name));
		const tagged = joinPath(fromText(session.sessionDir), `overlay/${TAG}`);
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
		tag(port, joinPath(dir, link));
		journal.addSynced(link === "overlay" ? { t: "discarded" } : {
			t: "end",
			report: null
		});
	} else {
		if (link !== void 0) port.unlink(joinPath(dir, link));
		removePath(port, parentOf$1(dir), nameOf(dir));
	}
	if (link !== "overlay") return null;
	return happened ? "discarded" : "rolled-back";
}
function inJournal(port, { dir }, work) {
	const journal = openJournal(port, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return useAndClose(journal, work);
}
function makeFresh(port, ctx) {
	const [link, overlays] = [joinPath(fromText(ctx.sessionDir), "overlay.new"), overlaysDir(ctx)];
	overlayOf(port, ctx);
	if (port.lstat(link) !== null) {
		removePath(port, overlays, nameOf(port.readlink(link)));
		port.unlink(link);
	}
	let time = Date.now();
	const nameAt = () => `${ctx.session}.${time}`;
	while (port.lstat(joinPath(overlays, nameAt())) !== null) time++;
	const dir = joinPath(overlays, nameAt());
	port.symlink(linkTo(nameAt()), link);
	port.mkdir(dir, 448);
	const records = makeSameDirs(dir, ctx.coveredDirs, ctx.uid).flatMap((covered) => {
		const base = rootBase(covered);
		return base === null ? [] : [formatBaseLine(covered.path, {
			path: covered.path,
			base,
			listed: false
		})];
	});
	writeWhole(`${ctx.stateDir}/overlays/${nameAt()}/base.jsonl`, records.join(""));
	confirmEmpty(`${ctx.stateDir}/overlays/${nameAt()}`);
	syncDirs(port, [dir, overlays]);
}
function takeOverlay(from, to, entries, port = nodePort) {
	const theirs = joinPath(fromText(from.sessionDir), "overlay");
	const ours = joinPath(fromText(to.sessionDir), "overlay");
	const replaced = overlayOf(port, to);
	try {
		makeFresh(port, from);
		const note = {
			v: 1,
			from: from.session,
			to: to.session,
			at: (/* @__PURE__ */ new Date()).toISOString(),
			entries
		};
		writeFile$1(port, noteIn(from.sessionDir), `${JSON.stringify(note)}\n`);
		useAndClose(beginWhole(port, to, 0, "replaced"), (journal) => {
			port.rename(theirs, ours);
			syncDirs(port, [fromText(to.sessionDir), fromText(from.sessionDir)]);
			closeWhole(port, to, journal);
		});
		repairLink(from, port);
		syncDirs(port, [fromText(from.sessionDir)]);
	} catch (error) {
		const moved = port.readlink(ours) !== replaced;
		throw asTraiError(error, moved ? "begunAdoption" : "adoption");
	}
}
async function logAdoption(to, record, port = nodePort) {
	const path = noteIn(to.sessionDir);
	const text = port.readText(path);
	if (text === null) return;
	const note = JSON.parse(text);
	if (note.to === to.session) await record(to.stateDir, note);
	port.unlink(path);
}
function adoptionWaits(sessionDir) {
	return nodePort.lstat(noteIn(sessionDir)) !== null;
}
function noteIn(sessionDir) {
	return joinPath(fromText(sessionDir), "overlay/.adopting");
}
var BYTES = 65536;
var BYTES_PER_PLACE = 16384;
function freeReserve(sessionDir) {
	const file = joinPath(fromText(sessionDir), "reserve");
	if (nodePort.lstat(file) !== null) nodePort.unlink(file);
}
function keepReserve(session) {
	const file = joinPath(fromText(session.sessionDir), "reserve");
	const wanted = BYTES + BYTES_PER_PLACE * session.coveredDirs.length;
	orNull(() => {
		const missing = wanted - (nodePort.lstat(file)?.size ?? 0);
		if (missing <= 0) return;
		const text = randomBytes(Math.ceil(missing * 3 / 4)).toString("base64");
		withHandle(nodePort, nodePort.openAppend(file), (fd) => nodePort.append(fd, text));
	});
}
var holds$2 = /* @__PURE__ */ new WeakMap();
async function withLock(session, work, waitSeconds = 10) {
	const run = async () => {
		const hold = {
			held: true,
			quiet: false
		};
		try {
			return await work(register(hold, {
				...session,
				quiet: false
			}));
		} finally {
			hold.held = false;
		}
	};
	return await withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
}
function lockedAs(locked, session) {
	if (session.sessionDir !== locked.sessionDir) throw new Error("expected the session whose lock is held");
	return register(holdOf(locked), {
		...session,
		quiet: false
	});
}
async function asQuiet(session) {
	const hold = holdOf(session);
	hold.quiet ||= await isQuiet(session);
	if (!hold.quiet) return null;
	return session.quiet ? session : register(hold, {
		...session,
		quiet: true
	});
}
function register(hold, locked) {
	holds$2.set(locked, hold);
	return locked;
}
function holdOf(locked) {
	const hold = holds$2.get(locked);
	if (hold?.held === true) return hold;
	throw new Error("the lock of this session is not held (any more)");
}
var adoptsItself = (session) => new TraiError("bad-input", `session ${session} cannot adopt its own changes`, { hint: `Name the session that continues with them: trai adopt ${session} --session NEW. All sessions: trai sessions` });
var rootOf = ({ projectRoot }) => toDisplay(bytePath(projectRoot));
var otherProject = (from, to) => new TraiError("bad-input", `session ${from.id} belongs to another project (${rootOf(from)}) than session ${to.id} (${rootOf(to)})`, { hint: "Commit it from there, or adopt it in a session of that project." });
var nothingPending = (session) => new TraiError("not-found", `nothing is pending in session ${session}`);
var notOneCall = (id, session, found) => new TraiError("not-found", `expected one call ${JSON.stringify(id)} in session ${session}, found ${found === 0 ? "none" : `${found} of them`}`, { hint: "See: trai log. Without an id the newest call is meant; 2 = the one before it." });
var nothingToDiscard = (cannot) => new TraiError("not-found", `nothing of it can be dropped alone: ${cannot[0]?.why ?? ""}`, { paths: cannot.map(({ path, why }) => `${toDisplay(path)}: ${why}`) });
var MovedOn = class extends TraiError {
	constructor() {
		super("stale-revision", "the session has adopted the changes of another one since", { hint: "Review them, then repeat." });
	}
};
var UNTIL_QUIET = "Wait until they are done, or end them.";
var UNTIL_QUIET_TO_DISCARD = "Discard and end what runs (trai discard --yes --end-processes), or wait until it is done. See also: trai ps";
var UNTIL_CLIENT_ENDS = "Claude Code itself runs in this session (trai claude): end it first. What is pending stays.";
var UNTIL_QUIET_TO_ADOPT = "Wait until it is done, or end it. Nothing was moved.";
function isLive(processes, hint, session = "this session") {
	const [first] = processes;
	const count = countText(processes.length, "process", "processes");
	const what = first === void 0 ? "is busy" : `is live, with ${count} running: ${first.command}`;
	return new TraiError("live", `${session} ${what}`, {
		hint,
		paths: processes.map(({ pid, command }) => `${pid} ${command}`),
		data: { processes: processes.length }
	});
}
var clientIsOpen = (session, pid) => new TraiError("live", `a Claude client is open in session ${session} (process ${pid})`, { hint: "Go on there, or close it first. Nothing was moved." });
var clientIsHere = (session, pid) => new TraiError("live", `Claude Code already runs in session ${session} (process ${pid})`, { hint: "Go on there, or end it first. Without --session and --continue, trai claude starts a session of its own." });
var clientStateLocked = (lock, seconds) => new TraiError("busy", `the client’s lock of ~/.claude.json was not free within ${seconds} seconds`, {
	path: lock,
	hint: `Another client has ${lock}. What Claude Code counted in the session goes to ~/.claude.json at the next start of trai claude in that session.`
});
var adopterHasChanges = (session) => new TraiError("not-empty", `session ${session} has pending changes of its own`, { hint: "Commit or discard them first, or adopt in a new session. Nothing was moved." });
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
		const [, began, stamp] = /^(\d+) (\d+)$/.exec(readPlainFile(fileOf(ctx, AT))?.toString("latin1") ?? "") ?? [];
		const value = JSON.parse(readPlainFile(fileOf(ctx, DIRS))?.toString("latin1") ?? "");
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
		if (error instanceof SyntaxError || errorCode(error) !== "") return none;
		throw error;
	}
}
function isListing(value) {
	return isObject(value) && value["v"] === LISTING_VERSION && Array.isArray(value["dirs"]);
}
function momentNow(ctx) {
	const probe = `${fileOf(ctx, AT)}.${process.pid}`;
	try {
		return orNull(() => {
			writeFileSync(probe, "", { mode: 384 });
			return {
				began: Date.now(),
				stampNs: statSync(probe, { bigint: true }).mtimeNs
			};
		});
	} finally {
		rmSync(probe, { force: true });
	}
}
function writeListing(ctx, moment, dirs) {
	const lines = [...dirs].map(([path, dir]) => [path, {
		...dir,
		marks: [...dir.marks]
	}]);
	if (tryWriteWhole(fileOf(ctx, DIRS), JSON.stringify({
		v: LISTING_VERSION,
		dirs: lines
	}))) confirmListing(ctx, moment);
}
function confirmListing(ctx, { began, stampNs }) {
	tryWriteWhole(fileOf(ctx, AT), `${began} ${stampNs}`);
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
	for (const { path, upper } of ctx.coveredDirs) await collect$1(pass.walk(path, upper));
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
		this.earliest = this.before.began || toMs(lstatEntry(upperRoot)?.birthNs ?? 0n);
		const stack = [{
			path: root,
			upperPath: upperRoot
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			try {
				const entry = lstatEntry(at.upperPath);
				if (entry?.type !== "dir") continue;
				const dir = this.directory(at, entry);
				this.dirs.set(at.path, dir);
				for (const name of dir.dirs) stack.push({
					path: joinPath(at.path, name),
					upperPath: joinPath(at.upperPath, name)
				});
			} catch (error) {
				if (errorCode(error) === "") throw error;
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
		for (const one of readEntries(at.upperPath)) {
			const path = joinPath(at.path, one.name);
			if (one.isDirectory()) dirs.push(one.name);
			else if (one.isCharacterDevice() || onHost && isDirectory(path)) {
				const entry = lstatEntry(joinPath(at.upperPath, one.name));
				const was = known?.marks.get(one.name);
				if (entry === null) continue;
				if (isWhiteout(entry)) marks.set(one.name, this.mark(path, entry, holder, was));
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
	return lstatOrNone(path)?.type === "dir";
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
		const ctimeNs = identityFields(upperIdentity)?.ctimeNs ?? this.look(path)?.ctimeNs;
		return ctimeNs === void 0 ? null : [Number(ctimeNs) / 1e6, Number(ctimeNs) / 1e6];
	}
	asReturned({ path }, time, returned) {
		let at = path;
		let entry = this.look(at);
		while (entry === null && at !== "/") {
			at = parentOf$1(at);
			entry = this.look(at);
		}
		const made = entry === null ? 0 : toMs(entry.birthNs);
		if (time === null || made === 0) return null;
		const isItself = (born) => at === path && born === String(entry?.birthNs);
		const isFrom = ({ since, until, born }) => (made >= since - 20 && made <= until || isItself(born)) && time[0] <= until;
		return returned.find(isFrom)?.time ?? null;
	}
	deleted(path) {
		const covered = coveringDir(this.ctx.coveredDirs, path);
		if (covered === null) return null;
		const { dirs, closed } = this.uppers;
		let gone = path;
		let holder = parentOf$1(path);
		for (; !dirs.has(holder); holder = parentOf$1(gone)) {
			if (holder === covered.path || closed.has(holder)) return null;
			gone = holder;
		}
		const listed = dirs.get(holder);
		const mark = listed?.marks.get(nameOf(gone));
		if (listed === void 0) return null;
		if (mark === void 0) return order(Math.min(listed.since, this.hiddenSince(parentOf$1(holder), covered.path)), listed.placed);
		if (gone === path) return [mark.from, mark.to];
		const since = mark.id === "" ? this.hiddenSince(holder, covered.path) : mark.from;
		return order(Math.min(mark.since, since), mark.to);
	}
	hiddenSince(dir, root) {
		let since = Number.POSITIVE_INFINITY;
		for (let at = dir; at.length > root.length; at = parentOf$1(at)) {
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
		const upper = upperPathIn(this.ctx.coveredDirs, path);
		return upper === null ? null : lstatOrNone(upper);
	}
};
function order(from, to) {
	return from <= to ? [from, to] : [to, from];
}
function readHistory(ctx) {
	const entries = [...transactions(ctx), ...discards(ctx)];
	entries.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : b.n - a.n);
	const redo = redoable(nodePort, ctx)?.n ?? null;
	const newest = entries.find(({ kind, state }) => kind !== "undo" && state !== "undone");
	for (const entry of entries) if (entry === newest && entry.why === "" && entry.state !== "unfinished") entry.can = "undo";
	else if (entry.kind === "undo" && entry.n === redo && entry === entries[0]) entry.can = "redo";
	return entries;
}
function transactions(ctx) {
	return commitNumbers(nodePort, ctx).flatMap((n) => {
		const record = readJournal(nodePort, ctx, n);
		if (record === null || isAborted(record)) return [];
		if (record.phase === "closed" && record.done.size === 0) return [];
		const { begin, report } = record;
		const kind = begin.undoes !== void 0 ? "undo" : begin.redoes !== void 0 ? "redo" : "commit";
		return [{
			n,
			kind,
			at: begin.at,
			state: stateOf$1(record),
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
function stateOf$1(record) {
	if (record.phase !== "closed") return "unfinished";
	if (record.undone.size > 0) return record.standing().length === 0 ? "undone" : "partly-undone";
	return record.report?.state ?? "applied";
}
function whyNot({ begin, collected }) {
	if (collected) return NOT_KEPT_ANY_MORE;
	return !begin.reversible ? NEVER_KEPT : "";
}
function discards(ctx) {
	return readDiscards(nodePort, ctx).map((discard) => {
		const there = isReturnable(nodePort, discard);
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
		const record = readJournal(nodePort, ctx, key.n);
		if (record === null) throw historyEntryGone();
		const note = record.phase === "closed" ? "" : "It was stopped in the middle; the next run finishes it.";
		return {
			...pageOf(inOrder(pathsOf$1(record)), after),
			note
		};
	}
	const discard = readDiscard(nodePort, ctx, key.trash);
	if (discard === null || !isReturnable(nodePort, discard)) throw historyEntryGone();
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
function pathsOf$1({ units, done }) {
	const found = /* @__PURE__ */ new Map();
	for (const unit of units) {
		if (!done.has(unit.i)) continue;
		const removed = new Set(replacedBelow(unit).map(({ path }) => path));
		for (const { path } of entriesOf(unit)) found.set(path, {
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
		default: return at === unit.path && hostOf(unit) !== null ? "changed" : "added";
	}
}
function inOrder(found) {
	return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}
function* dropped({ kind, dir, record }) {
	for (const n of kind === "all" ? namesOrNone(joinPath(dir, "overlay")) : []) {
		const path = orNull(() => nodePort.readlink(joinPath(dir, `overlay/${n}/l`)));
		if (path !== null) yield* below(joinPath(dir, `overlay/${n}/u`), path, false);
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
		const entry = lstatOrNone(one.at);
		if (entry === null) continue;
		const names = entry.type === "dir" ? namesOrNone(one.at).filter((name) => name !== REPLAY_NAME) : [];
		if (entry.type !== "dir" || one.chosen || names.length === 0 && one.at !== at) yield {
			path: one.path,
			what: isWhiteout(entry) ? "kept" : "dropped"
		};
		for (const name of names.reverse()) stack.push({
			at: joinPath(one.at, name),
			path: joinPath(one.path, name),
			chosen: false
		});
	}
}
var NEWS = {
	committed: (entries, named) => `the user committed ${countText(entries, "change")}${named}: they are in the user's files now, where file tools and host commands see them.`,
	committedByRule: (entries, named) => `by a rule of the user, ${countText(entries, "change")}${named} went to the user's files after the call, where file tools and host commands see them.`,
	committedAgain: (entries, named) => `the user committed ${countText(entries, "change")} again${named}: they are in the user's files now.`,
	undone: (entries, named) => `the user undid a commit${named}: ${countText(entries, "change")} are pending again, and the user's files are as before the commit.`,
	discarded: (entries, named) => `the user discarded ${countText(entries, "change")}${named}: Bash sees the user's own files there again.`,
	discardUndone: (entries) => `the user undid a discard: ${countText(entries, "change")} are pending again.`,
	adopted: (from) => `the user lets this session go on with the pending changes of session ${from}.`
};
var manyFailed = (entries) => `${entries} entries failed`;
var STOPPED_BETWEEN = "it was stopped between two entries";
var markersWritten = (paths) => `conflict markers were written into ${paths.slice(0, 3).map(toDisplay).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
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
function log(ctx, event) {
	logTo(ctx.sessionDir, event);
	const line = lineOf$1(ctx, event);
	if (line !== null) tellAgent(ctx.sessionDir, line);
}
function logCommit(ctx, report, state) {
	const [first, ...more] = report.failed;
	const many = more.length > 0 ? manyFailed(report.failed.length) : void 0;
	const stopped = report.cancelled === true ? STOPPED_BETWEEN : "";
	const { n, applied, bytes, kept, marked = [] } = report;
	const markers = marked.length === 0 ? "" : markersWritten(marked);
	const failed = [many ?? first?.message ?? stopped, markers].filter(Boolean).join("; ");
	const begin = readJournal(nodePort, ctx, n)?.begin;
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
		const known = lstatSync(file, { throwIfNoEntry: false });
		if (known !== void 0 && (!known.isFile() || known.size > MAX_BYTES)) return;
		appendFileSync(file, `${line}\n`, { mode: 384 });
	} catch {}
}
function lineOf$1(ctx, event) {
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
		return names.length === 0 ? "" : ` (${namedPaths(names, ctx.projectRoot, next !== null)})`;
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
		keepTimes(`${toText(trashDir(ctx))}/${report.trash}/${TIMES}`, taken.flatMap((i) => changes[i] ?? []), own);
	});
	return report;
}
function isTaken(change, paths, left) {
	return change !== void 0 && (paths === null || paths.has(change.path)) && !left.has(change.path);
}
function returnWritten(ctx, { n }) {
	ignoring(() => {
		const record = readJournal(nodePort, ctx, n);
		const of = record?.begin.undoes;
		if (record === null || of === void 0) return;
		const moved = record.units.filter((unit) => unit.kind === "move-to-store");
		const births = new Map(moved.flatMap(({ i, path, born }) => record.done.has(i) ? [[path, born.split(":")[3] ?? ""]] : []));
		returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
	});
}
function timesFile(ctx, n) {
	return `${toText(commitDir(ctx, n))}/${TIMES}`;
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
	return await endThese(ctx.source, processes);
}
async function finishCommit(ctx, { port = nodePort, onProgress } = {}) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress
		}, advance);
	} catch (error) {
		throw asTraiError(error);
	}
}
async function closeUnfinished(ctx, port = nodePort) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress: void 0
		}, async (task) => {
			abandonRest(task);
			const report = await advance(task);
			if (task.journal.record.phase === "closed") return report;
			throw commitNotClosed(report.failed.at(-1)?.message ?? "it was stopped");
		});
	} catch (error) {
		if (!(error instanceof Error) || errorCode(error) === "" || error instanceof TraiError) throw error;
		throw commitNotClosed(error.message, error);
	}
}
async function withOpen({ port, ctx, onProgress }, forward) {
	const startedAt = performance.now();
	const n = unfinishedCommit(ctx, port);
	if (n === null) return null;
	const dir = commitDir(ctx, n);
	const written = port.lstat(joinPath(dir, "journal.jsonl"))?.mtimeNs ?? 0n;
	const journal = openJournal(port, dir);
	if (journal === null) return null;
	return await useAndCloseAsync(journal, async () => {
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
		return await keepPerl(async () => await forward(task));
	});
}
function choose(list, scope, calls) {
	if (scope.kind === "all") return {
		paths: null,
		unsure: []
	};
	const chosen = scope.kind === "paths" ? chooseBelow(list, scope.paths) : chooseCalls(list, scope, calls);
	if (chosen.paths !== null && chosen.paths.size === 0) throw nothingPending$1(scope, chosen.unsure);
	return chosen;
}
function chooseBelow(list, paths) {
	const wanted = new Set(paths.map(withoutSlash));
	const met = /* @__PURE__ */ new Set();
	const found = /* @__PURE__ */ new Set();
	for (const { path } of list.changes) for (let at = path;; at = parentOf$1(at)) {
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
			why: NOTHING_THERE
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
		why: CALL_UNKNOWN
	});
	else if (by.every((call) => meant.has(call))) found.add(path);
	else if (by.some((call) => meant.has(call))) {
		const others = by.filter((call) => !meant.has(call));
		unsure.push({
			path,
			why: byOtherCalls(others)
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
	if (exact < 0 && alike.length !== 1) throw noSuchCall(id, alike.length);
	return exact < 0 ? calls.indexOf(alike[0] ?? "") : exact;
}
function alongText({ because, rule, change }) {
	const { path } = because;
	switch (rule) {
		case "links": return ALONG.sameFile(path);
		case "rename": return change.pending === null ? ALONG.oldName(path) : ALONG.newName(path);
		case "below": return because.pending === null ? ALONG.belowDeleted(path) : ALONG.belowReplaced(path);
		case "group": {
			const group = change.group ?? "";
			const name = group.slice(group.indexOf(":") + 1);
			if (group.startsWith("links:")) return ALONG.sameFile(path);
			return group.startsWith("git:") ? ALONG.git(name) : ALONG.database(name);
		}
		default: return ALONG[rule](path);
	}
}
function staysText(change) {
	if (change.pending?.type === "socket") return SOCKET;
	if (change.ignored !== null) return ignoredBy(change.ignored);
	if (change.conflict === "unreadable") return CONFLICT_REASONS.unreadable;
	if (change.conflict !== null) return KEPT_AS_CHOSEN;
	return NEEDS_KEPT;
}
function isDirMeta({ kind, pending }) {
	return kind === "meta" && isDir(pending);
}
function planDiscard(list, chosen, fixed = /* @__PURE__ */ new Set()) {
	const changes = [...list.changes].sort((a, b) => a.path < b.path ? -1 : 1);
	const tree = new Tree(changes);
	const states = changes.map(({ path }) => chosen.has(path) ? "take" : "ignored");
	const sets = [...groupsOf(changes), ...linkedOf(changes)].map((set) => ({
		...set,
		keeps: true
	}));
	const closure = new Closure(tree, states, () => "take");
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
	if (change === void 0 || holder === void 0 || !isDir(holder.host)) return false;
	return !isDir(holder.pending) || change.host !== null;
}
function droppedAlongText(along) {
	const { path } = along.because;
	if (along.rule === "below") return ALONG.inDropped(path);
	if (along.rule === "above") return ALONG.aboveDropped(path);
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
			why: ONLY_WHOLE
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
	port: nodePort,
	cancelled: () => false
}) {
	try {
		const units = unitsOf(port, ctx, tops);
		const journal = beginDiscard(port, ctx, {
			kind: "selection",
			entries: going.length
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		try {
			dropEntries(transaction, units, cancelled);
			journal.addSynced({ t: "discarded" });
			return {
				trash: nameOf(journal.dir),
				entries: going.length
			};
		} catch (error) {
			if (error instanceof Cancelled) throw discardStopped(abort(transaction));
			if (errorCode(error) !== "") abortQuietly(transaction, false);
			throw error;
		} finally {
			journal.close();
		}
	} catch (error) {
		throw asTraiError(error, "discard");
	}
}
function staleTops(port, ctx, tops) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => tops.filter((change) => {
		const now = uppers.lstat(change.path);
		return now === null || !isAsListed(change, now);
	}));
}
function unitsOf(port, ctx, tops) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => {
		const units = tops.map((change) => {
			const now = uppers.lstat(change.path);
			if (now === null || !isAsListed(change, now)) throw staleList();
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
		if (host === null || upper === null) throw staleList();
		if (change.xattrIdentity !== xattrIdentity({
			host,
			upper
		})) throw staleList();
		unit.xattrs = {
			from: upper,
			to: host
		};
	});
}
function isAsListed({ pending, upperIdentity }, now) {
	if (pending === null) return isWhiteout(now);
	return [
		void 0,
		lookIdentity(now),
		closedIdentity(now)
	].includes(upperIdentity);
}
function unitOf(change, now) {
	const { mode, uid, gid } = now;
	const about = {
		t: "drop",
		path: change.path,
		born: birthOf(now),
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
function undoPart(port, ctx, discard) {
	const inTheWay = [];
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		for (const [i, unit] of discard.record.drops.entries()) {
			if (unit.kind === "entry" && port.lstat(storedAt(discard.dir, i)) === null) continue;
			if (discard.record.failed.has(i)) continue;
			const why = obstacle(port, ctx, uppers, unit, unit.kind === "entry" && isReplaceable$1(ctx, uppers, unit.path));
			if (why !== null) inTheWay.push({
				path: unit.path,
				why
			});
		}
	});
	if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
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
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null || kind === "entry" && covered.path === path) return NOT_COVERED;
	const now = uppers.lstat(path);
	if (kind === "entry" && now !== null) return free ? null : SESSION_CHANGED;
	if (kind === "mode" && now !== null && (now.type !== "dir" || ![host?.mode, unit.mode].includes(now.mode))) return SESSION_CHANGED;
	const has = kind === "mode" && now !== null && xattrs !== void 0 ? uppers.xattrs(path) : null;
	if (has !== null && xattrs !== void 0 && !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
	for (let dir = kind === "mode" ? path : parentOf$1(path); dir !== covered.path; dir = parentOf$1(dir)) {
		const there = uppers.lstat(dir);
		if (there === null) {
			if (port.lstat(dir)?.type === "dir") continue;
			return dirGone(dir);
		}
		return there.type === "dir" ? null : sessionChanged(dir);
	}
	return null;
}
var REMEMBERED = 1e4;
var seenAs = /* @__PURE__ */ new Map();
function numberOf(at) {
	const fd = orNull(() => nodePort.openEntry(at));
	if (fd === null) return null;
	const inode = withHandle(nodePort, fd, () => inodeIn(processText("self", `fdinfo/${fd}`) ?? ""));
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
	const entry = number === null ? null : lstatEntry(upper);
	return entry === null ? null : {
		numbers: remember(entry, number),
		times: timesOf(entry)
	};
}
function openForWriting(pids, files) {
	const byMark = /* @__PURE__ */ new Map();
	const found = /* @__PURE__ */ new Set();
	for (const [key, marks] of files) for (const mark of marks === null ? [] : [...marks.numbers, marks.times]) byMark.set(mark, [...byMark.get(mark) ?? [], key]);
	if (byMark.size === 0) return found;
	for (const pid of pids) for (const mark of marksHeldBy(pid)) for (const key of byMark.get(mark) ?? []) found.add(key);
	return found;
}
function* marksHeldBy(pid) {
	for (const { ino, fd, writes } of openFiles(pid)) {
		if (!writes) continue;
		yield String(ino);
		const stat = fd === null ? null : statOf$2(`/proc/${pid}/fd/${fd}`);
		if (stat !== null) yield timesOf({
			birthNs: stat.birthtimeNs,
			ctimeNs: stat.ctimeNs
		});
	}
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
	for (const pid of pids) for (const tid of namesIn(`/proc/${pid}/task`)) {
		const stat = processStat(pid, `task/${tid}/stat`);
		if (stat !== null) found.set(`${tid} ${stat.start}`, stat);
	}
	return found;
}
function printOf(path) {
	const entry = lstatEntry(path);
	if (entry?.type === "symlink") return `link ${readTarget(path)}`;
	if (entry?.type === "file" && entry.size > 67108864) return `large ${entry.size} ${entry.mtimeNs}`;
	return entry?.type === "file" ? hashSame(path, identityOf$1(entry)) : null;
}
function keptName(print, mtimeNs) {
	return `${KEPT}${randomBytes(4).toString("hex")}-${sealOf(print, mtimeNs)}`;
}
function clearKept(dir, pids) {
	const cleared = {
		saved: [],
		waiting: 0
	};
	const all = nodePort.readdir(dir.upper).filter((name) => name !== "in");
	const since = momentsOf(dir, all, pids);
	const isDue = (name) => isOld(dir, name) && allPassed(pids, since.get(name) ?? /* @__PURE__ */ new Map());
	const old = all.filter((name) => pids.length === 0 || isDue(name));
	cleared.waiting = all.length - old.length;
	const marks = new Map(old.map((name) => [name, marksOf(spotOf(dir, name))]));
	const open = openForWriting(pids, marks);
	for (const name of old) try {
		const held = marks.get(name) === null || open.has(name);
		if (pids.length > 0 && held) cleared.waiting++;
		else if (isAsNamed$1(dir, name)) nodePort.unlink(joinPath(dir.own, name));
		else cleared.saved.push(makeVisible(dir, name));
	} catch (error) {
		if (errorCode(error) === "") throw error;
		cleared.waiting++;
	}
	return cleared;
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
	return presentReplayDirs(ctx).flatMap((path) => {
		const covered = coveringDir(ctx.coveredDirs, path);
		if (covered === null) return [];
		const own = upperPath(covered, path);
		const dir = savedIn(ctx.projectRoot, path);
		removePath(nodePort, own, "in");
		const { saved, waiting } = clearKept({
			own,
			upper: own,
			saved: upperPath(covered, dir)
		}, []);
		if (waiting === 0) nodePort.rmdir(own);
		return saved.map((name) => joinPath(dir, name));
	});
}
function spotOf(dir, name) {
	return {
		at: joinPath(dir.own, name),
		upper: joinPath(dir.upper, name)
	};
}
function isOld({ upper }, name) {
	const entry = lstatEntry(joinPath(upper, name));
	return entry !== null && Date.now() - Number(entry.ctimeNs / 1000000n) > 2e3;
}
function isAsNamed$1({ upper }, name) {
	const path = joinPath(upper, name);
	const [entry, print] = [lstatEntry(path), printOf(path)];
	return entry !== null && print !== null && name.endsWith(`-${sealOf(print, entry.mtimeNs)}`);
}
function sealOf(print, mtimeNs) {
	return createHash("sha256").update(`${print} ${mtimeNs}`, "latin1").digest("hex").slice(0, 32);
}
function makeVisible({ own, saved }, name) {
	const visible = (n) => `trai-kept-${n + 1}`;
	return visible(moveToFree(joinPath(own, name), (n) => joinPath(saved, visible(n))));
}
function moveToFree(from, named) {
	const isDir = nodePort.lstat(from)?.type === "dir";
	for (let n = 0;; n++) try {
		if (!isDir) nodePort.link(from, named(n));
		else if (nodePort.lstat(named(n)) !== null) continue;
		if (isDir) nodePort.rename(from, named(n));
		else nodePort.unlink(from);
		return n;
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
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
		const parent = path.length > this.#covered.path.length ? this.open(parentOf$1(path)) : null;
		const opened = parent === null ? null : orNull(() => nodePort.openDir(at(parent, nameOf(path))));
		const isHere = opened !== null && orNull(() => nodePort.fstat(opened).dev) === this.#inside.dev;
		if (opened !== null && !isHere) nodePort.close(opened);
		const fd = isHere ? opened : null;
		this.#fds.set(path, fd);
		return fd;
	}
	close(isKept = () => false) {
		for (const [path, fd] of this.#fds) {
			if (isKept(path)) continue;
			if (fd !== null) nodePort.close(fd);
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
	#count = 0;
	constructor(covered, inside, saved, { path, own, incoming }, dirs) {
		this.covered = covered;
		this.inside = inside;
		this.incoming = incoming;
		this.parent = parentOf$1(path);
		this.#path = path;
		this.#own = own;
		this.#saved = saved;
		this.#dirs = dirs;
	}
	static open(ctx, covered, inside, paths = []) {
		for (const path of replayDirsOf(ctx, covered, paths)) {
			const dirs = new HeldDirs(covered, inside);
			const saved = savedIn(ctx.projectRoot, path);
			const parent = dirs.open(parentOf$1(path));
			if (parent !== null && dirs.open(saved) !== null && makeDirs(ctx, path, parent)) {
				const [own, incoming] = [dirs.open(path), dirs.open(joinPath(path, "in"))];
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
		const dir = this.#dirs.open(parentOf$1(path));
		return dir === null ? null : {
			path,
			at: at(dir, nameOf(path)),
			upper: upperPath(this.covered, path)
		};
	}
	letGo() {
		this.#dirs.close((path) => isWithin(path, this.#path) || isWithin(this.#path, path));
	}
	namesOf({ ino }) {
		const dir = upperPath(this.covered, this.#path);
		return namesOrNone(dir).filter((name) => lstatEntry(joinPath(dir, name))?.ino === ino).length;
	}
	fresh() {
		return this.named(`${KEPT}${process.pid}-${++this.#count}-${randomBytes(4).toString("hex")}`);
	}
	named(name) {
		const path = joinPath(this.#path, name);
		return {
			path,
			at: at(this.#own, name),
			upper: upperPath(this.covered, path)
		};
	}
	copied(name) {
		return this.named(joinPath("in", name));
	}
	clear(pids) {
		const saved = this.#dirs.open(this.#saved);
		if (saved === null) return {
			saved: [],
			waiting: 0
		};
		const upper = upperPath(this.covered, this.#path);
		const cleared = clearKept({
			own: at(this.#own),
			upper,
			saved: at(saved)
		}, pids);
		return {
			...cleared,
			saved: cleared.saved.map((name) => joinPath(this.#saved, name))
		};
	}
	close() {
		const parent = this.#dirs.open(this.parent);
		orNull(() => {
			removeTree(nodePort, this.#own, "in");
			if (parent !== null) nodePort.rmdir(at(parent, REPLAY_NAME));
		});
		this.#dirs.close();
	}
};
function makeDirs(ctx, path, parent) {
	const own = at(parent, REPLAY_NAME);
	return orIfRefused(() => {
		if (nodePort.lstat(own) === null) noteReplayDir(ctx, path, () => nodePort.mkdir(own, 448));
		withHandle(nodePort, nodePort.openDir(own), (fd) => {
			removeTree(nodePort, fd, "in");
			nodePort.mkdir(at(fd, "in"), 448);
		});
		return true;
	}, false);
}
function isSameEntry(a, b) {
	const [first, second] = [lookUpper(a), lookUpper(b)];
	return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}
function lookUpper(spot) {
	return lstatEntry(spot.upper);
}
async function putOver(room, spot, from, isOld, names = 1) {
	const kept = room.fresh();
	const number = numberOf(spot.at);
	nodePort.link(spot.at, kept.at);
	const placed = placedOf(from);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = printOf(kept.upper);
	const isAlone = old?.nlink === names + 1 || old?.nlink === names + (old === null ? 0 : room.namesOf(old));
	if (!(old !== null && isAlone && print !== null && placed !== null && await isOld(kept)) || !isSameEntry(spot, kept)) {
		nodePort.unlink(kept.at);
		return null;
	}
	const sealed = seal(room, kept, print, old.mtimeNs);
	nodePort.rename(from.at, spot.at);
	return {
		spot,
		kept: sealed,
		print,
		mtimeNs: old.mtimeNs,
		placed
	};
}
function seal(room, kept, print, mtimeNs) {
	const sealed = room.named(keptName(print, mtimeNs));
	nodePort.rename(kept.at, sealed.at);
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
	const kept = room.fresh();
	const copied = room.fresh();
	const number = numberOf(spot.at);
	nodePort.link(spot.at, copied.at);
	nodePort.rename(spot.at, kept.at);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = printOf(kept.upper);
	if (old !== null && print !== null && isSameEntry(kept, copied) && await isOld(kept)) {
		nodePort.unlink(copied.at);
		return {
			spot,
			kept: seal(room, kept, print, old.mtimeNs),
			print,
			mtimeNs: old.mtimeNs,
			placed: null
		};
	}
	nodePort.unlink(copied.at);
	giveBack(spot, kept);
	return null;
}
function takeSpecial(room, spot) {
	const [kept, before] = [room.fresh(), lookUpper(spot)];
	nodePort.rename(spot.at, kept.at);
	if (before !== null && lookUpper(kept)?.ino === before.ino) {
		nodePort.unlink(kept.at);
		return true;
	}
	giveBack(spot, kept);
	return false;
}
function stir(room, spot) {
	const mark = room.fresh();
	nodePort.symlink(nameOf(spot.path), mark.at);
	const { ino } = lookUpper(mark) ?? { ino: 0n };
	try {
		nodePort.link(mark.at, spot.at);
	} catch (error) {
		nodePort.unlink(mark.at);
		if (errorCode(error) === "EEXIST") return;
		throw error;
	}
	const out = room.fresh();
	nodePort.rename(spot.at, out.at);
	if (lookUpper(out)?.ino !== ino) giveBack(spot, out);
	else nodePort.unlink(out.at);
	nodePort.unlink(mark.at);
}
function settle(room, pids, asides, together) {
	const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
	const open = openForWriting(pids, marks);
	const names = namesOf(asides);
	const stays = (aside) => marks.get(aside) === null || open.has(aside) || !isStill(room, aside, names);
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
	return now.nlink === names.get(now.ino) || now.nlink === room.namesOf(now);
}
function restore(room, { spot, kept, placed }) {
	const beside = placed === null ? null : secondName(room, spot);
	if (placed === null || beside === null) return giveBack(spot, kept);
	const now = lookUpper(beside);
	if (!(now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print) || !isSameEntry(spot, beside)) {
		nodePort.unlink(beside.at);
		return giveBack(spot, kept);
	}
	nodePort.rename(kept.at, spot.at);
	seal(room, beside, placed.print, placed.mtimeNs);
	return null;
}
function secondName(room, spot) {
	const beside = room.fresh();
	try {
		nodePort.link(spot.at, beside.at);
		return beside;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw error;
	}
}
function giveBack(spot, kept) {
	const named = (path, n) => n === 0 ? path : `${path}.trai-${n}`;
	const n = moveToFree(kept.at, (number) => named(spot.at, number));
	return n === 0 ? null : named(spot.path, n);
}
var Placer = class {
	bases;
	#ctx;
	#room;
	#file;
	#records = /* @__PURE__ */ new Map();
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#file = readBaseFile(ctx);
		this.bases = makeBases(this.#file.records);
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
		await copyOut$1(nodePort, root, steps.map(name), this.#room.incoming);
		for (const step of steps) {
			const { path } = step.spot;
			const from = this.#room.copied(name(step));
			const [host, copy] = [hostEntry(path), lookUpper(from)];
			const base = copy === null ? null : knownBase(this.#ctx, from.upper, copy, copy);
			if (host === "closed" || identityOf$1(host) !== identityOf$1(step.host)) found.again.push(path);
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
		const host = hostEntry(path);
		if (host === "closed" || host?.type !== "dir" || lstatEntry(place)?.type !== "dir") return false;
		withHandle(nodePort, nodePort.openDir(place), (fd) => {
			if (shown.mode === host.mode) nodePort.utimes(at(fd), BigInt(Date.now()) * 1000000n);
			else nodePort.chmod(at(fd), host.mode);
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
		const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		return settle(this.#room, pids, asides, together);
	}
	placed(record) {
		this.#records.set(record.path, record);
		this.record(parentOf$1(record.path));
	}
	restored(records) {
		for (const record of records) this.#records.set(record.path, record);
	}
	removed(path) {
		this.#records.set(path, null);
	}
	record(dir) {
		for (let path = dir; path !== this.#room.covered.path && path !== "/"; path = parentOf$1(path)) {
			if (this.#file.records.has(path) || this.#records.has(path)) continue;
			const host = hostEntry(path);
			if (host === null || host === "closed" || host.type !== "dir") continue;
			const upper = lstatEntry(upperPath(this.#room.covered, path));
			if (upper?.type !== "dir") continue;
			if (!sameFields(upper, host, [
				"mode",
				"uid",
				"gid"
			])) continue;
			const base = {
				state: "known",
				host: toHostStat(host, path)
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
		appendBases(this.#ctx, this.#file, this.#records);
		this.#records.clear();
	}
};
function recordOf({ spot, host }, from, base) {
	return {
		path: spot.path,
		base: {
			...base,
			host: toHostStat(host, from.upper)
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
	for (const item of items) {
		const covered = coveringDir(ctx.coveredDirs, pathOf(item));
		groups.set(covered, [...groups.get(covered) ?? [], item]);
	}
	const rest = [];
	for (const [covered, mine] of groups) {
		const inside = covered === null ? null : await openInside(ctx.source, covered);
		if (covered === null || inside === null) {
			rest.push(...mine);
			continue;
		}
		await useAndCloseAsync(inside, async () => {
			const room = Room.open(ctx, covered, inside, mine.map(pathOf));
			if (room === null) rest.push(...mine);
			else await useAndCloseAsync(room, () => inRoom(ctx, room, (view) => work(view, mine)));
		});
	}
	return rest;
}
async function inRoom(ctx, room, work) {
	const placer = new Placer(ctx, room);
	const upper = (path) => upperPath(room.covered, path);
	await work({
		room,
		placer,
		upper
	});
	placer.save();
}
function dressInView({ room }, path, { from, to, xattrs }) {
	const place = path === room.covered.path ? at(room.inside.fd, ".") : room.spot(path)?.at ?? null;
	if (place === null || lstatEntry(place)?.type !== "dir") return SESSION_CHANGED;
	return withHandle(nodePort, nodePort.openDir(place), (fd) => {
		const now = nodePort.fstat(fd);
		const has = xattrs === void 0 ? null : nodePort.xattrs(fd);
		if (xattrs === void 0) {
			if (now.mode !== from && now.mode !== to.mode) return SESSION_CHANGED;
		} else if (has === null || !isBetween(has, xattrs)) return SESSION_CHANGED_XATTRS;
		else nodePort.setXattrs(fd, xattrChanges(has, xattrs.to));
		if (now.uid !== to.uid || now.gid !== to.gid) nodePort.lchown(at(fd, "."), to.uid, to.gid);
		nodePort.chmod(at(fd), to.mode);
		return null;
	});
}
function takeWhiteout({ ctx, journal }, path, i) {
	const out = joinPath(journal.dir, `out${i}`);
	const putBack = () => useAndClose(new Uppers(nodePort, ctx, null), (uppers) => uppers.insert(path, out));
	useAndClose(new Uppers(nodePort, ctx, null), (uppers) => uppers.takeOut(path, out));
	const taken = nodePort.lstat(out);
	if (taken !== null && !isWhiteout(taken)) {
		putBack();
		return null;
	}
	return {
		putBack: () => taken === null ? void 0 : putBack(),
		remove: () => taken === null ? void 0 : nodePort.unlink(out)
	};
}
var ESTALE = -116;
function isHeld(spot) {
	try {
		if (spot !== null) lstatEntry(spot.at);
		return false;
	} catch (error) {
		if (error instanceof Error && "errno" in error && error.errno === ESTALE) return true;
		if (errorCode(error) === "") throw error;
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
	#late = /* @__PURE__ */ new Map();
	#told = [];
	#puts = [];
	#dirs = [];
	#specials = [];
	#placed = /* @__PURE__ */ new Map();
	#names = /* @__PURE__ */ new Map();
	#isSettled = false;
	constructor(transaction, view, resumed) {
		this.#transaction = transaction;
		this.#view = view;
		this.#resumed = resumed;
	}
	async run(drops) {
		const users = await this.#usersOf(drops);
		for (const { unit } of drops) if (unit.kind === "entry") this.#countNames(unit.path);
		for (const { i, unit } of drops) {
			if (unit.kind === "mode") continue;
			await this.#alone(i, async () => {
				await this.#take(i, unit.path, storedAt(this.#transaction.journal.dir, i));
			});
		}
		await this.#put();
		await this.#settle(users);
		for (const { i, unit } of drops) if (unit.kind === "mode" && !this.#isBroken(i)) await this.#alone(i, async () => this.#resetDir(i, unit));
		const going = drops.filter(({ i, unit }) => unit.kind === "entry" && !this.#isBroken(i));
		for (const { i, spot } of this.#specials) if (!this.#isBroken(i) && !takeSpecial(this.#view.room, spot)) this.#tell(spot.path, NEW_INSIDE);
		this.#removeDirs();
		await this.#uncover(going);
		await this.#clearKept();
		this.#close(drops);
		return this.#told;
	}
	#countNames(path) {
		const upper = this.#view.upper(path);
		const now = lstatEntry(upper);
		if (now === null) return;
		if (now.type === "dir") for (const name of namesOrNone(upper)) this.#countNames(joinPath(path, name));
		else this.#names.set(now.ino, (this.#names.get(now.ino) ?? 0) + 1);
	}
	async #take(i, path, stored) {
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null || isWhiteout(now)) return;
		const host = hostEntry(path);
		const isTop = stored === storedAt(this.#transaction.journal.dir, i);
		if (now.type === "dir") {
			this.#dirs.push({
				i,
				path
			});
			for (const name of namesOrNone(spot.upper)) await this.#take(i, joinPath(path, name), joinPath(stored, name));
		} else if (!isPlain$1(now)) this.#specials.push({
			i,
			spot
		});
		else if (isTop && host !== "closed" && isPlain$1(host)) await this.#wantPut({
			i,
			spot,
			host
		}, now);
		else this.#noteAside(i, await takeOut(this.#view.room, spot, this.#isStored(stored)));
	}
	async #wantPut(put, now) {
		const { i, spot, host } = put;
		const stored = storedAt(this.#transaction.journal.dir, i);
		const base = this.#view.placer.bases.lookup(spot.path);
		if (!(this.#resumed && !isStored(nodePort, spot.upper, stored) && isUntouched$1({
			path: spot.path,
			upperPath: spot.upper,
			upper: now,
			host,
			base
		}))) this.#puts.push(put);
	}
	#isStored(stored) {
		return async (kept) => isStored(nodePort, kept.upper, stored);
	}
	#noteAside(i, aside) {
		if (aside === null) this.#breaks(i, NOT_DISCARDED_LIVE);
		else this.#asides.set(aside, i);
	}
	async #put() {
		const { copied, again, left } = await this.#view.placer.copy(this.#puts);
		const failed = /* @__PURE__ */ new Set([...again, ...left]);
		for (const { i, spot } of this.#puts) if (failed.has(spot.path)) this.#breaks(i, HOST_UNREADABLE);
		for (const one of copied) {
			const { i, spot } = one.step;
			await this.#alone(i, async () => {
				const stored = storedAt(this.#transaction.journal.dir, i);
				const names = this.#names.get(lookUpper(spot)?.ino ?? 0n) ?? 1;
				this.#noteAside(i, await putOver(this.#view.room, spot, one.from, this.#isStored(stored), names));
				this.#placed.set(spot.path, one);
			});
		}
	}
	async #settle(users) {
		const { placer } = this.#view;
		const broken = new Set([...this.#broken.keys()].map((i) => this.#first(i)));
		const groupOf = (aside) => this.#first(this.#asides.get(aside) ?? -1);
		const { done, saved } = await placer.settle([...this.#asides.keys()], {
			groupOf,
			broken
		});
		for (const i of new Set(this.#asides.values())) if (broken.has(this.#first(i)) && !this.#isBroken(i)) this.#breaks(i, openForWriting$1([...users.get(i) ?? []].join(", ")));
		for (const { path } of done) {
			const put = this.#placed.get(path);
			if (put === void 0) placer.removed(path);
			else placer.placed(put.record);
		}
		for (const path of saved) this.#tell(path, savedBeside(toDisplay(path)));
		this.#isSettled = true;
	}
	async #usersOf(drops) {
		const processes = await liveProcesses(this.#transaction.ctx.source);
		const tops = new Map(drops.map(({ i, unit }) => [unit.path, i]));
		const found = /* @__PURE__ */ new Map();
		for (const { top, pid, isDir } of usersBelow(processes, new Set(tops.keys()))) {
			const [i, command] = [tops.get(top), processes.find((one) => one.pid === pid)?.command];
			if (isDir || i === void 0) continue;
			found.set(i, (found.get(i) ?? /* @__PURE__ */ new Set()).add(`${command} (process ${pid})`));
		}
		return found;
	}
	#removeDirs() {
		for (const { i, path } of this.#dirs.toReversed()) {
			const spot = this.#isBroken(i) ? null : this.#view.room.spot(path);
			if (spot === null) continue;
			try {
				nodePort.rmdir(spot.at);
				this.#view.placer.removed(path);
			} catch (error) {
				if (errorCode(error) === "") throw error;
				this.#tell(path, NEW_INSIDE);
			}
		}
	}
	async #uncover(going) {
		const { room, placer } = this.#view;
		const hidden = going.flatMap(({ i, unit: { path } }) => {
			const spot = room.spot(path);
			const now = spot === null ? null : lookUpper(spot);
			return spot !== null && now !== null && isWhiteout(now) ? [{
				i,
				spot,
				host: hostEntry(path)
			}] : [];
		});
		const plain = hidden.flatMap(({ i, spot, host }) => host !== "closed" && isPlain$1(host) ? [{
			i,
			spot,
			host
		}] : []);
		const linked = /* @__PURE__ */ new Set();
		for (const { step, from, record } of (await placer.copy(plain)).copied) await this.#alone(step.i, async () => {
			nodePort.link(from.at, step.spot.at);
			placer.placed(record);
			linked.add(step.spot.path);
		});
		const rest = hidden.filter(({ i, spot }) => !linked.has(spot.path) && !this.#isBroken(i));
		const taken = /* @__PURE__ */ new Map();
		for (const { i, spot } of rest) await this.#alone(i, async () => {
			const one = takeWhiteout(this.#transaction, spot.path, i);
			if (one === null) this.#breaks(i, NOT_DISCARDED_LIVE);
			else taken.set(spot.path, one);
		});
		let problem = await this.#refresh();
		const held = rest.filter(({ spot: { path } }) => taken.has(path) && isHeld(room.spot(path)));
		for (const { i, spot } of held) await this.#alone(i, async () => {
			taken.get(spot.path)?.putBack();
			taken.delete(spot.path);
			this.#breaks(i, HELD_OPEN);
		});
		for (const one of taken.values()) one.remove();
		if (held.length > 0) problem ??= await this.#refresh();
		for (const { spot } of rest) {
			if (lstatEntry(spot.upper) === null) placer.removed(spot.path);
			if (problem !== null) this.#tell(spot.path, problem);
		}
		for (const dir of new Set(rest.map(({ spot }) => parentOf$1(spot.path)))) {
			const mark = room.spot(joinPath(dir, `${REPLAY_NAME}-seen`));
			if (mark === null) continue;
			stir(room, mark);
			placer.record(dir);
		}
	}
	async #refresh() {
		const { room } = this.#view;
		room.letGo();
		return await refreshMounts(this.#transaction.ctx, room.inside.pid, [room.covered.path]);
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
		const pids = (await liveProcesses(this.#transaction.ctx.source)).map(({ pid }) => pid);
		if (pids.length === 0) return;
		for (const path of this.#view.room.clear(pids).saved) this.#tell(path, savedBeside(toDisplay(path)));
	}
	#close(drops) {
		const { journal } = this.#transaction;
		for (const { i } of drops) {
			const message = this.#late.get(i) ?? this.#reasonOf(i);
			if (message === void 0 || this.#resumed) journal.add({
				t: "done",
				i
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
		const first = this.#first(i);
		return this.#broken.get(i) ?? [...this.#broken].find(([one]) => this.#first(one) === first)?.[1];
	}
	#breaks(i, why) {
		if (!this.#isSettled) {
			if (!this.#broken.has(i)) this.#broken.set(i, why);
			return;
		}
		const { dir, record } = this.#transaction.journal;
		const [unit, stored] = [record.drops[i], nodePort.lstat(storedAt(dir, i))];
		if (unit?.kind === "mode" || stored !== null && isWhiteout(stored)) this.#late.set(i, why);
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
			const message = errorCode(error) === "EEXIST" ? NOT_DISCARDED_LIVE : entryMessage(error);
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
		if (units.length === 0) throw nothingDiscardedLive(left);
		const journal = beginDiscard(port, ctx, {
			kind: "selection",
			entries,
			live: true
		});
		const transaction = {
			port,
			ctx,
			journal
		};
		return await useAndCloseAsync(journal, async () => {
			try {
				announceDrops(transaction, units);
				await store(transaction);
				if (cancelled()) throw new Cancelled(STOPPED);
				journal.addSynced({
					t: "ready",
					units: 0
				});
			} catch (error) {
				if (error instanceof Cancelled) {
					abortQuietly(transaction, false);
					throw discardStopped(0);
				}
				if (errorCode(error) !== "") abortQuietly(transaction, false);
				throw error;
			}
			const report = await finishDiscard(transaction, false);
			const all = [...left, ...report.left ?? []];
			if (report.entries === 0) throw nothingDiscardedLive(all);
			return all.length === 0 ? report : {
				...report,
				left: all
			};
		});
	} catch (error) {
		throw asTraiError(error, "discard");
	}
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
		why: NOT_DISCARDED_LIVE
	}));
	const out = new Set(left.map(({ path }) => path));
	return {
		units,
		left,
		entries: going.filter(({ path }) => !out.has(path) && !isBelowAny(path, out)).length
	};
}
function firstOfSets(going, tops) {
	const byPath = new Map(tops.map((top) => [top.path, top]));
	const topOf = ({ path }) => {
		for (let at = path; at !== "/"; at = parentOf$1(at)) if (byPath.has(at)) return byPath.get(at);
	};
	const joined = /* @__PURE__ */ new Map();
	const first = (top) => {
		let at = top;
		for (let next = at; next !== void 0; next = at === void 0 ? void 0 : joined.get(at)) at = next;
		return at;
	};
	for (const { members } of [...groupsOf(going), ...linkedOf(going)]) {
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
	const quiet = await asQuiet(ctx);
	const rest = quiet !== null ? open : await inView(ctx, open, ({ unit }) => unit.path, async (view, mine) => {
		const dropping = new Dropping(transaction, view, resumed);
		left.push(...await dropping.run(mine));
	});
	const ended = rest.length === 0 ? null : quiet ?? await asQuiet(ctx);
	if (ended !== null) finishStored({
		...transaction,
		ctx: ended
	});
	else for (const { i } of rest) journal.add(resumed ? {
		t: "done",
		i
	} : {
		t: "fail",
		i,
		message: LIVE_ENDED
	});
	left.push(...[...record.failed].map(([i, why]) => ({
		path: record.drops[i]?.path ?? ctx.projectRoot,
		why
	})));
	const entries = closeStored(transaction);
	return {
		trash: nameOf(journal.dir),
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
	await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const isGone = ({ unit }) => {
			const now = uppers.lstat(unit.path);
			return now !== null && isWhiteout(now);
		};
		for (const { i, unit } of entries.filter(isGone)) {
			const from = uppers.placed(unit.path);
			if (from !== null) port.link(from, storedAt(journal.dir, i));
		}
		for (const covered of ctx.coveredDirs) {
			const mine = entries.filter((drop) => coveringDir(ctx.coveredDirs, drop.unit.path) === covered && !isGone(drop));
			if (mine.length === 0) continue;
			const name = `copies-${covered.n}`;
			const dir = joinPath(journal.dir, name);
			port.mkdir(dir, 448);
			const nameIn = ({ unit }) => relativeTo(covered.path, unit.path);
			await withHandleAsync(port, port.openDir(dir), async (fd) => {
				await copyOut$1(port, covered.upper, mine.map(nameIn), fd);
			});
			for (const drop of mine) arrange(transaction, uppers, drop, joinPath(dir, nameIn(drop)));
			removePath(port, journal.dir, name);
		}
	});
	const dir = port.openDir(journal.dir);
	await withHandleAsync(port, dir, async () => await syncFileSystems(port, [dir]));
}
function arrange({ port, journal }, uppers, { i, unit }, copy) {
	const from = uppers.placed(unit.path);
	if (from === null || !isLikeStored(port, from, copy)) {
		journal.add({
			t: "fail",
			i,
			message: CHANGED_MEANWHILE
		});
		return;
	}
	const now = port.lstat(copy);
	const stored = storedAt(journal.dir, i);
	const isClosed = now?.type === "dir" && (now.mode & 128) === 0;
	if (isClosed) chmodEntry(port, copy, now.mode | 448);
	port.rename(copy, stored);
	if (isClosed) chmodEntry(port, stored, now.mode);
}
var pendLive = async (transaction, items, instead) => {
	const { port, ctx, journal } = transaction;
	const beside = items.filter(({ line }) => line.stays === true);
	const going = items.filter((item) => !beside.includes(item));
	const failed = await stagePending(transaction, beside, instead);
	const fail = ({ line }, why) => failed.set(line.i, notPending(why));
	const back = joinPath(journal.dir, BACK);
	if (port.lstat(back) === null) port.mkdir(back, 448);
	if (going.some(({ line }) => line.kind === "whiteout")) await makeWhiteout(port, back);
	const used = await dirsInUse(transaction, going);
	const rest = await inView(ctx, going, pathOf, async (view, mine) => {
		await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		for (const item of mine) {
			const { path } = item.line;
			if (used.has(path)) fail(item, IN_VIEW);
			else if (instead.has(path)) fail(item, MEANWHILE);
			else await pendOne(transaction, view, item, (why) => fail(item, why));
		}
		view.room.letGo();
		const problem = await refreshMounts(ctx, view.room.inside.pid, [view.room.covered.path]);
		if (problem !== null) for (const item of mine) fail(item, problem);
	});
	for (const item of rest) fail(item, LIVE_ENDED);
	return failed;
};
async function refreshView(ctx, paths) {
	for (const covered of new Set(paths.map((path) => coveringDir(ctx.coveredDirs, path)))) {
		const inside = covered === null ? null : await openInside(ctx.source, covered);
		if (covered === null || inside === null) continue;
		await useAndCloseAsync(inside, async () => {
			await refreshMounts(ctx, inside.pid, [covered.path]);
		});
	}
}
var pathOf = ({ line }) => line.path;
async function dirsInUse({ ctx }, items) {
	const dirs = items.filter(({ line, now }) => line.kind === "copy" && now?.type === "dir").map(pathOf);
	const users = usersBelow(await liveProcesses(ctx.source), new Set(dirs));
	return new Set(users.flatMap(({ top, isDir }) => isDir ? [top] : []));
}
async function pendOne({ port, ctx, journal }, view, { line, now }, fail) {
	const { path, kind } = line;
	try {
		copyUpDirs(port, view, path);
		if (kind === "whiteout") useAndClose(new Uppers(port, ctx, null), (uppers) => uppers.link(path, joinPath(journal.dir, joinPath(BACK, "w"))));
		else if (kind === "dir") copyUp(port, view, path);
		else copyUpTree(port, view, path);
		const upper = port.lstat(view.upper(path));
		if (!(kind !== "copy" || now !== null && upper !== null && looksAlike(identityOf(now), upper))) fail(MEANWHILE);
	} catch (error) {
		const message = errorCode(error) === "EEXIST" ? MEANWHILE : entryMessage(error);
		if (message === null) throw error;
		fail(message);
	}
}
function copyUpTree(port, view, path) {
	copyUp(port, view, path);
	const spot = view.room.spot(path);
	if (spot === null || port.lstat(spot.at)?.type !== "dir") return;
	for (const name of port.readdir(spot.at)) copyUpTree(port, view, joinPath(path, name));
}
function copyUp(port, { room }, path) {
	const spot = room.spot(path);
	const shown = spot === null ? null : port.lstat(spot.at);
	if (spot === null || shown === null) return;
	if (shown.type === "symlink") port.lchown(spot.at, shown.uid, shown.gid);
	else chmodEntry(port, spot.at, shown.mode);
}
function copyUpDirs(port, view, path) {
	const missing = [];
	for (let dir = parentOf$1(path); dir !== view.room.covered.path && dir !== "/"; dir = parentOf$1(dir)) {
		if (port.lstat(view.upper(dir)) !== null) break;
		missing.push(dir);
	}
	for (const dir of missing.reverse()) copyUp(port, view, dir);
	view.placer.record(parentOf$1(path));
}
function returnableLive(ctx, trash) {
	const discard = readDiscard(nodePort, ctx, trash);
	return discard?.kind === "selection" && isReturnable(nodePort, discard) ? discard : null;
}
async function undoDiscardLive(ctx, discard) {
	try {
		const inTheWay = await obstacles(ctx, storedOf(discard));
		if (inTheWay.length > 0) throw discardInTheWay(inTheWay);
		const journal = openJournalOf(discard);
		return await useAndCloseAsync(journal, async () => {
			journal.addSynced({ t: "reopen" });
			const left = await restoreLive({
				port: nodePort,
				ctx,
				journal
			});
			if (left.length > 0) throw discardInTheWay(left);
			return {
				trash: discard.name,
				entries: discard.entries
			};
		});
	} catch (error) {
		throw asTraiError(error, "undoDiscard");
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
		why: LIVE_ENDED
	})));
	const store = joinPath(journal.dir, STORE);
	syncDirs(nodePort, [store, journal.dir]);
	const isEmpty = left.length === 0 && nodePort.readdir(store).length === 0;
	journal.addSynced(isEmpty ? {
		t: "end",
		report: null
	} : { t: "discarded" });
	return left;
}
function openJournalOf({ dir }) {
	const journal = openJournal(nodePort, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return journal;
}
function storedOf({ dir, record }) {
	return [...record.drops.entries()].flatMap(([i, unit]) => {
		const at = storedAt(dir, i);
		const stat = unit.kind === "mode" ? null : nodePort.lstat(at);
		return record.failed.has(i) || unit.kind === "entry" && stat === null ? [] : [{
			i,
			unit,
			at,
			stat
		}];
	});
}
async function obstacles(ctx, drops) {
	const bases = makeBases(readBaseFile(ctx).records);
	const processes = await liveProcesses(ctx.source);
	const uppers = new Uppers(nodePort, ctx, null);
	return await useAndCloseAsync(uppers, async () => {
		const found = [];
		for (const { unit, at: stored } of drops) {
			const { path } = unit;
			const now = uppers.lstat(path);
			const free = now !== null && unit.kind === "entry" && await isFree(bases, path, now, uppers, stored);
			const why = obstacle(nodePort, ctx, uppers, unit, free) ?? usedDir(processes, path);
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
	if (isStoredWhole(nodePort, place, stored)) return true;
	const host = hostEntry(path);
	if (host === "closed" || !isPlain(now)) return false;
	return isUntouched$1({
		path,
		upperPath: place,
		upper: now,
		host,
		base: bases.lookup(path)
	});
}
var isPlain = (entry) => entry?.type === "file" || entry?.type === "symlink";
function usedDir(processes, path) {
	const host = hostEntry(path);
	if (host === null || host === "closed" || host.type !== "dir") return null;
	return usersBelow(processes, /* @__PURE__ */ new Set([path])).some(({ isDir }) => isDir) ? IN_VIEW : null;
}
var isDeletion = ({ stat }) => stat !== null && isWhiteout(stat);
var Restoring = class {
	#transaction;
	#view;
	#left = [];
	#done = [];
	constructor(transaction, view) {
		this.#transaction = transaction;
		this.#view = view;
	}
	async run(drops) {
		const { room } = this.#view;
		const files = [];
		const hidden = [];
		for (const drop of drops) await this.#alone(drop, async () => {
			if (drop.stat === null) this.#dress(drop);
			else if (isStoredWhole(nodePort, this.#view.upper(drop.unit.path), drop.at)) this.#done.push(drop);
			else if (isPlain(drop.stat)) {
				files.push(drop);
				if (this.#isHiding(drop)) await this.#hide(drop);
			} else if (await this.#insert(drop)) hidden.push(drop);
		});
		room.letGo();
		const { inside, covered } = room;
		const problem = await refreshMounts(this.#transaction.ctx, inside.pid, [covered.path]);
		if (problem !== null) this.#left.push({
			path: covered.path,
			why: problem
		});
		await this.#putFiles(files.filter((drop) => !this.#isLeft(drop)));
		for (const { unit, stat } of hidden) {
			const spot = room.spot(unit.path);
			if (spot === null || stat === null) continue;
			if (isWhiteout(stat)) stir(room, spot);
			else if (stat.type === "dir") this.#touch(spot);
		}
		await this.#empty();
		return this.#left;
	}
	async #empty() {
		const { room, placer } = this.#view;
		const { dir, record } = this.#transaction.journal;
		const bases = [...parseBaseLines(record.bases).records.values()];
		for (const { unit } of this.#done) {
			placer.restored(bases.filter(({ path }) => path === unit.path || isWithin(path, unit.path)));
			placer.record(unit.path);
		}
		placer.save();
		const both = this.#done.filter(({ i, stat }) => stat !== null && nodePort.lstat(storedAt(dir, i)) !== null);
		if (both.length === 0) return;
		await withHandleAsync(nodePort, nodePort.openDir(room.covered.upper), async (fd) => {
			await syncFileSystems(nodePort, [fd]);
		});
		for (const { i } of both) removePath(nodePort, joinPath(dir, STORE), String(i));
	}
	#isHiding({ unit: { path } }) {
		const host = hostEntry(path);
		return lstatEntry(this.#view.upper(path)) === null && host !== null && host !== "closed" && !isPlain(host);
	}
	async #hide({ unit: { path } }) {
		const { ctx, journal } = this.#transaction;
		const whiteout = joinPath(journal.dir, "w");
		if (nodePort.lstat(whiteout) === null) await makeWhiteout(nodePort, journal.dir);
		copyUpDirs(nodePort, this.#view, path);
		useAndClose(new Uppers(nodePort, ctx, null), (uppers) => uppers.link(path, whiteout));
	}
	async #insert(drop) {
		const { path, closed, mode } = drop.unit;
		if (!await this.#freePlace(drop)) return false;
		copyUpDirs(nodePort, this.#view, path);
		return useAndClose(new Uppers(nodePort, this.#transaction.ctx, null), (uppers) => {
			const now = uppers.lstat(path);
			if (now === null && isDeletion(drop)) uppers.link(path, drop.at);
			else if (now === null) uppers.insert(path, drop.at, closed ? mode : null);
			else if (!isWhiteout(now) || !isDeletion(drop)) return this.#stays(drop, SESSION_CHANGED);
			this.#done.push(drop);
			return now === null;
		});
	}
	async #freePlace(drop) {
		const { path } = drop.unit;
		const spot = this.#view.room.spot(path);
		const now = spot === null ? null : lookUpper(spot);
		if (spot === null || now === null) return true;
		const isTaken = isWhiteout(now) || await this.#takeCopy(spot, now);
		const isFree = (isTaken ? lookUpper(spot) : null) === null || isDeletion(drop) || this.#takesWhiteout(drop);
		return isTaken && isFree ? true : this.#stays(drop, SESSION_CHANGED);
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
		await copyOut$1(nodePort, joinPath(this.#transaction.journal.dir, STORE), names, room.incoming);
		const asides = /* @__PURE__ */ new Map();
		for (const drop of files) {
			const { i, unit, at: stored } = drop;
			await this.#alone(drop, async () => {
				const from = room.copied(String(i));
				const spot = room.spot(unit.path);
				if (spot === null || !isStored(nodePort, from.upper, stored)) {
					this.#stays(drop, MEANWHILE);
					return;
				}
				if (lstatEntry(spot.at) === null) {
					nodePort.link(from.at, spot.at);
					this.#done.push(drop);
					return;
				}
				const aside = await putOver(room, spot, from, this.#isUntouched(unit.path));
				if (aside === null) this.#stays(drop, SESSION_CHANGED);
				else asides.set(aside, drop);
			});
		}
		const { done } = await placer.settle([...asides.keys()].flatMap((aside) => aside === null ? [] : [aside]));
		const placed = new Set(done.map(({ path }) => path));
		for (const drop of asides.values()) if (placed.has(drop.unit.path)) this.#done.push(drop);
		else this.#stays(drop, SESSION_CHANGED);
	}
	#isUntouched(path) {
		return async (kept) => {
			const [now, host] = [lookUpper(kept), hostEntry(path)];
			const base = this.#view.placer.bases.lookup(path);
			return now !== null && host !== "closed" && isUntouched$1({
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
		const now = lstatEntry(spot.at);
		if (now?.type !== "dir") return;
		withHandle(nodePort, nodePort.openDir(spot.at), (fd) => nodePort.chmod(at(fd), now.mode));
	}
	#isLeft({ unit }) {
		return this.#left.some(({ path }) => path === unit.path);
	}
	#stays({ unit: { path } }, why) {
		this.#left.push({
			path,
			why
		});
		return false;
	}
	async #alone(drop, work) {
		try {
			await work();
		} catch (error) {
			const message = errorCode(error) === "EEXIST" ? SESSION_CHANGED : entryMessage(error);
			if (message === null) throw error;
			this.#stays(drop, message);
		}
	}
};
async function finishInterrupted(session, onProgress) {
	const n = unfinishedCommit(session);
	if (n === null) return null;
	const report = await finishCommit(await asQuiet(session) ?? session, { onProgress });
	if (report === null) {
		log(session, {
			t: "commit",
			n,
			state: "refused",
			entries: 0,
			bytes: 0,
			conflicts: 0,
			auto: "",
			text: COMMIT_NOT_BEGUN
		});
		return null;
	}
	await showUndone(session, report);
	returnWritten(session, report);
	logCommit(session, report, "finished-later");
	return report;
}
async function showUndone(session, { n }) {
	const record = readJournal(nodePort, session, n);
	if (record?.begin.undoes === void 0 || await asQuiet(session) !== null) return;
	await refreshView(session, record.units.map(({ path }) => path));
}
async function finishInterruptedUndo(session) {
	const n = unfinishedCommit(session);
	if ((n === null ? void 0 : readJournal(nodePort, session, n))?.begin.undoes !== void 0) await finishInterrupted(session);
}
async function giveUpInterrupted(session) {
	const closed = await closeUnfinished(session);
	if (closed !== null) logCommit(session, closed, "finished-later");
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
		text: outcome === "left" ? INTERRUPTED.left[what] : INTERRUPTED.closed[what]
	};
}
async function finishDiscardLive(session) {
	const discard = openDiscard(session);
	if (discard?.kind !== "selection") return discard === null;
	const { record } = discard;
	if (record.begin.discards?.live !== true && record.reopened === null) return false;
	const journal = openJournal(nodePort, discard.dir);
	if (journal === null) return false;
	log(session, repairedEvent({
		discard,
		outcome: await useAndCloseAsync(journal, async () => {
			const transaction = {
				port: nodePort,
				ctx: session,
				journal
			};
			if (record.reopened !== null) return (await restoreLive(transaction)).length > 0 ? "left" : "undone";
			if (!isForward(discard)) {
				abort(transaction);
				return "rolled-back";
			}
			return (await finishDiscard(transaction, true)).entries > 0 ? "discarded" : "rolled-back";
		})
	}));
	return true;
}
async function recordAdoption(stateDir, { from, to, entries }) {
	const known = await readMeta(sessionDir(stateDir, from)).catch((error) => {
		if (errorCode(error) === "no-session") return null;
		throw error;
	});
	for (const id of known === null ? [to] : [from, to]) logTo(sessionDir(stateDir, id), {
		t: "adopt",
		from,
		to,
		entries
	});
	if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({
		...meta,
		wentOnIn: to
	}));
	tellAgent(sessionDir(stateDir, to), NEWS.adopted(from));
	await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
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
async function withSession(who, mode, work) {
	return await withLock(directoryOf(who), async (locked) => {
		if (mode === "read" && isContext(who)) return await work(lockedAs(locked, who));
		const live = await recovered(locked, who);
		return await work(mode === "quiet" ? await expectQuiet(live) : live);
	});
}
async function withRequest(ctx, work) {
	expectLog(ctx.sessionDir);
	return await withSession(ctx, "live", async (session) => {
		freeReserve(session.sessionDir);
		try {
			if (openDiscard(session) !== null && (await asQuiet(session) !== null || !await finishDiscardLive(session))) await expectQuiet(session, "An interrupted discard has to be finished first, which takes a session where nothing runs.");
			return await work(session);
		} finally {
			keepReserve(session);
		}
	});
}
async function expectQuiet(session, hint = UNTIL_QUIET, whose) {
	const quiet = await asQuiet(session);
	if (quiet !== null) {
		recoverQuiet(quiet);
		return quiet;
	}
	const way = isClientRunning(session.sessionDir) ? UNTIL_CLIENT_ENDS : hint;
	throw isLive(await liveProcesses(session.source), way, whose);
}
async function recoverOverlay(who) {
	const at = directoryOf(who);
	if (!existsSync(`${at.sessionDir}/overlay`) && needsRepair(at) || adoptionWaits(at.sessionDir)) await withSession(who, "live", async () => {});
}
async function recovered(locked, who) {
	const context = async () => isContext(who) ? who : await sessionContext(who.stateDir, who.session, who.env);
	const waits = needsRepair(locked);
	if (waits) {
		freeReserve(locked.sessionDir);
		const repaired = repairLink(locked);
		if (repaired !== null) log(await context(), repairedEvent(repaired));
	}
	const session = lockedAs(locked, await context());
	const quiet = waits ? await asQuiet(session) : null;
	if (quiet !== null) recoverQuiet(quiet);
	if (adoptionWaits(session.sessionDir)) await logAdoption(session, recordAdoption);
	if (!session.coveredDirs.every(isOfOverlay)) throw new MovedOn();
	return session;
}
function recoverQuiet(session) {
	const repaired = repairOverlay(session);
	if (repaired !== null) log(session, repairedEvent(repaired));
}
function directoryOf(who) {
	const { stateDir, session } = who;
	return {
		stateDir,
		session,
		sessionDir: isContext(who) ? who.sessionDir : sessionDir(stateDir, session)
	};
}
function isContext(who) {
	return "coveredDirs" in who;
}
function isOfOverlay({ path, upper }) {
	const dir = fsPath(parentOf$1(upper));
	const link = orNull(() => readlinkSync(fsPath(joinPath(parentOf$1(upper), "l")), "latin1"));
	return existsSync(dir) && (link ?? path) === path;
}
async function diskUse({ stateDir, found: { sessions: all, broken }, warnFreeBytes, sizes }) {
	const live = liveSources();
	const sessions = [];
	const problems = [...broken];
	for (const { ctx } of all) try {
		const found = await sizes(ctx, live.has(ctx.source));
		sessions.push({
			session: ctx.session,
			projectRoot: ctx.projectRoot,
			projectGone: !existsSync(Buffer.from(ctx.projectRoot, "latin1")),
			...found,
			total: found.upper + found.images + found.trash + found.other
		});
	} catch (error) {
		problems.push(unreadSession(ctx.session, error));
	}
	sessions.sort((a, b) => b.total - a.total);
	const { free, size } = freeSpace(nearest(stateDir));
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
function lowSpace(stateDir, warnFreeBytes) {
	const { free } = freeSpace(nearest(stateDir));
	return free < warnFreeBytes ? {
		free,
		warnFreeBytes
	} : null;
}
var NO_ROOM = 65536;
function isFull(stateDir) {
	return freeSpace(nearest(stateDir)).free < NO_ROOM;
}
function nearest(dir) {
	let at = dir;
	while (at !== "/" && !existsSync(at)) at = path.dirname(at);
	return at;
}
async function contextsOf(stateDir, env) {
	const { sessions: found, broken } = await listSessions(stateDir);
	const sessions = [];
	const unread = broken.map(({ id, error }) => unreadSession(id, error));
	for (const meta of found) try {
		sessions.push({
			meta,
			ctx: await sessionContext(stateDir, meta.id, env)
		});
	} catch (error) {
		if (errorCode(error) !== "no-session") unread.push(unreadSession(meta.id, error));
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
async function collect(contexts, { items }) {
	const now = Date.now();
	const found = new Map((await findGarbage(contexts, now)).found.map((one) => [keyOf$1(one), one]));
	const report = {
		removed: [],
		kept: [],
		freed: 0
	};
	for (const item of items) {
		const garbage = found.get(keyOf$1(item));
		const ctx = contexts.find(({ session }) => session === item.session);
		const why = garbage === void 0 || ctx === void 0 ? NEEDED_AGAIN : await remove(ctx, garbage, now);
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
	return report;
}
async function remove(ctx, garbage, now) {
	try {
		return await withSession(ctx, "read", (session) => removeGarbage(session, garbage, now)) ? null : NEEDED_AGAIN;
	} catch (error) {
		return toErrorBody(error).error.message;
	}
}
function keyOf$1({ kind, session, name }) {
	return `${kind} ${session} ${name}`;
}
var hello = async (server) => (await post(server, "hello", "{}")).startsWith(`${server.proof}\n`) ? server : null;
async function findServer(cli) {
	return await asked(cli, hello);
}
async function asked(cli, ask) {
	const server = readServerFile(cli.state);
	if (server === null || !mayRun(server)) return null;
	try {
		return await ask(server);
	} catch (error) {
		if (error instanceof TraiError) throw error;
		return null;
	}
}
async function needServer(cli, ask) {
	const running = await asked(cli, ask);
	if (running !== null) return running;
	ensureStateDir(cli.state);
	canWrite(cli.state);
	const log = join(cli.state, "server.log");
	const before = sizeOf(log);
	const pid = await startServer(cli);
	const until = Date.now() + START_MS;
	for (;;) {
		const ended = pid !== null && !mayRun({ pid });
		const started = await asked(cli, ask);
		if (started !== null) return started;
		const said = sizeOf(log) > before ? readFileSync(log).subarray(before).toString("utf8") : "";
		const last = /^\S+Z ended: (.*)/m.exec(said)?.[1];
		if (last !== void 0 || ended || Date.now() > until) throw notStarted(cli, log, last ?? reason(said));
		await setTimeout(START_STEP_MS);
	}
}
var START_MS = 1e4;
var START_STEP_MS = 10;
async function startServer(cli) {
	const child = spawn("bash", [`${cli.root}/hooks/start-server.sh`], {
		stdio: [
			"ignore",
			"pipe",
			"ignore"
		],
		env: {
			...process.env,
			TRAI_STATE_HOME: cli.state
		}
	});
	let said = "";
	child.stdout.setEncoding("latin1").on("data", (text) => {
		said += text;
	});
	await once(child, "close");
	return /^\d+\n$/.test(said) ? Number(said) : null;
}
var sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
function reason(said) {
	return /^\w*Error\b.*$/m.exec(said)?.[0] ?? said.trim().split("\n")[0] ?? "";
}
function canWrite(state) {
	try {
		accessSync(state, constants.W_OK);
	} catch (cause) {
		throw stateNotWritable(state, cause);
	}
}
function notStarted(cli, log, said) {
	const port = /EADDRINUSE.*:(\d+)/.exec(said)?.[1];
	if (port !== void 0) return portTaken(port, loadConfig(cli.env).file);
	if (isFull(cli.state)) return noSpaceForServer(cli.state);
	return serverNotStarted(said.replace(/^(\S+Z )?(Error: )?/, ""), log);
}
var ANSWER_MS = 5e3;
async function post(server, endpoint, body) {
	const question = request({
		host: "127.0.0.1",
		port: server.port,
		path: `/hook/${endpoint}`,
		method: "POST",
		headers: {
			"authorization": `Bearer ${server.hook}`,
			"content-type": "application/json"
		},
		agent: false,
		signal: AbortSignal.timeout(ANSWER_MS)
	});
	const answered = once(question, "response");
	question.end(body);
	const [response] = await answered;
	let text = "";
	for await (const chunk of response.setEncoding("utf8")) text += chunk;
	return text;
}
async function postJson(server, endpoint, body) {
	const said = JSON.parse(await post(server, endpoint, JSON.stringify(body)));
	if (!isObject(said)) return null;
	const { error, proof } = said;
	if (!isObject(error)) return proof === server.proof ? said : null;
	const code = String(error["code"]);
	const known = Object.hasOwn(ERROR_TABLE, code) ? code : "internal";
	const hint = "hint" in error ? String(error["hint"]) : void 0;
	throw new TraiError(known, String(error["message"] ?? ""), { hint });
}
async function sessionOfClaude(stateDir, claudeId) {
	const path = attachmentPath(stateDir, claudeId);
	let text;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw attachmentUnreadable(path, error);
	}
	const id = text.replace(/\n$/, "");
	if (isSessionId(id)) return id;
	throw attachmentDamaged(path, id);
}
function attachmentPath(stateDir, claudeId) {
	return join(stateDir, "claude", sessionIdOfClaude(claudeId));
}
async function withPermit(cli, command, given, ctx) {
	const caller = callerOf(process.pid, cli.state);
	if (caller.kind === "user" && !given.fromPrompt) return given;
	const text = await permitText(ctx.sessionDir, command.name);
	if (text === null || !await takeGrant(ctx.sessionDir, "permit", text)) throw needsPermit(command.name, caller);
	log(ctx, {
		t: "grant",
		kind: "permit",
		what: text,
		state: "used"
	});
	const args = {
		...readArgs(command, wordsOf(text).slice(1)),
		json: given.json
	};
	if (args.help) throw badUsage(command, USAGE.helpTyped);
	if (args.session === null || args.session === ctx.session || command.name === "adopt") return args;
	throw typedForOther(command.name, ctx.session, args.session, lineOf(command, args));
}
function lineOf(command, { flags, options, session, words }) {
	return [
		command.name,
		...[...flags].map((flag) => `--${flag}`),
		...[...options, ["session", session ?? ""]].flatMap(([name, value = ""]) => [`--${name}`, quoted(value)]),
		...words.some((word) => word.startsWith("-")) ? ["--"] : [],
		...words.map(quoted)
	].join(" ");
}
function quoted(word) {
	if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
	if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
	return `'${word.replaceAll("'", "'\\''")}'`;
}
function aboutSession({ acts, run, ...about }) {
	const command = {
		...about,
		async run(cli, given) {
			const chosen = await chosenSession(cli);
			const args = given.fromPrompt || acts(given) ? await withPermit(cli, command, given, chosen.ctx) : given;
			return await run({
				cli,
				...chosen,
				args
			});
		}
	};
	return command;
}
var always = () => true;
var never = () => false;
async function chosenSession(cli) {
	const meta = await chosenMeta(cli);
	if (meta === null) throw noSessionHere(cli.cwd);
	await recoverOverlay({
		stateDir: cli.state,
		session: meta.id,
		env: cli.env
	});
	return {
		meta,
		ctx: await sessionContext(cli.state, meta.id, cli.env)
	};
}
async function chosenMeta(cli) {
	if (cli.session !== null) return await namedMeta(cli.state, cli.session);
	const claude = cli.env["CLAUDE_CODE_SESSION_ID"] ?? "";
	const attached = claude === "" ? null : await sessionOfClaude(cli.state, claude);
	if (attached !== null) return await readMeta(sessionDir(cli.state, attached));
	return await findSession(cli.state, { cwd: fromText(cli.cwd) });
}
async function namedMeta(state, id) {
	try {
		return await readMeta(sessionDir(state, id));
	} catch (error) {
		if (!(error instanceof TraiError) || error.code !== "no-session") throw error;
		throw noSessionNamed(id, error);
	}
}
var pass = (found) => ({
	ok: true,
	level: "error",
	found,
	remedy: ""
});
var failure = (level) => (found, remedy) => ({
	ok: false,
	level,
	found,
	remedy
});
var fail = failure("error");
var warn = failure("warning");
var APPARMOR_REMEDY = `This kernel lets only programs with an AppArmor profile make user namespaces (Ubuntu 23.10 and newer). Allow unshare:
  sudo tee /etc/apparmor.d/trai-unshare <<'EOF'
  abi <abi/4.0>,
  include <tunables/global>
  profile trai-unshare /usr/bin/unshare flags=(unconfined) {
    userns,
  }
  profile trai-nsenter /usr/bin/nsenter flags=(unconfined) {
    userns,
  }
  EOF
  sudo apparmor_parser -r /etc/apparmor.d/trai-unshare`;
var CONTAINER_REMEDY = `This is a container whose runtime forbids it. Start it with:
  docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN ...
or run claude outside the container.`;
function readSetting(name) {
	return orNull(() => readFileSync(`/proc/sys/${name}`, "utf8").trim());
}
function remedyForNamespaces(read) {
	if (read("kernel/unprivileged_userns_clone") === "0") return "Debian’s switch is off. Turn it on:\n  echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system";
	if (read("user/max_user_namespaces") === "0") return "User namespaces are switched off. Turn them on:\n  echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system";
	if (read("kernel/apparmor_restrict_unprivileged_userns") === "1") return APPARMOR_REMEDY;
	if (isContainer()) return CONTAINER_REMEDY;
	return "The kernel refused, and none of the known switches is off. Look at the last lines of: sudo dmesg (SELinux: sudo ausearch -m avc -ts recent).";
}
var INSTALL = [
	[["debian", "ubuntu"], "sudo apt-get install "],
	[[
		"fedora",
		"rhel",
		"centos"
	], "sudo dnf install "],
	[["arch"], "sudo pacman -S "],
	[["suse", "opensuse"], "sudo zypper install "],
	[["alpine"], "sudo apk add "],
	[["nixos"], "Add to environment.systemPackages, and rebuild: pkgs."]
];
function remedyForPackage(name) {
	const ids = [...(orNull(() => readFileSync("/etc/os-release", "utf8")) ?? "").matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap(([, id = ""]) => id.split(" "));
	const [, install] = INSTALL.find(([names]) => names.some((one) => ids.includes(one))) ?? [];
	return install === void 0 ? `Install the package ${name}.` : `${install}${name}`;
}
function isContainer() {
	return existsSync("/.dockerenv") || existsSync("/run/.containerenv");
}
function rootUids() {
	return /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync("/proc/self/uid_map", "latin1")) ? [0] : [0, Number(readFileSync("/proc/sys/kernel/overflowuid", "latin1"))];
}
var STICKY = 512;
var isOpen = (mode, write) => (mode & write) !== 0 && (mode & STICKY) === 0;
function isReplaceable(path, owners, write) {
	for (let at = path;; at = dirname(at)) {
		const { mode, uid } = lstatSync(at);
		if (!owners.includes(uid) || isOpen(mode, write)) return true;
		if (at === "/") return false;
	}
}
var HOLES = /* @__PURE__ */ new Set(["0.11.0", "0.11.1"]);
var PROBE_MS = 5e3;
var OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;
async function findBwrap(env) {
	const path = [...(env["PATH"] ?? "").split(":"), PROGRAM_DIR].filter((dir) => dir.startsWith("/")).flatMap((dir) => orNull(() => executable(join(dir, "bwrap"))) ?? []).at(0);
	const remedy = remedyForPackage("bubblewrap");
	if (path === void 0) throw noBwrap(remedy);
	const stat = lstatSync(path);
	const owners = rootUids();
	if (!owners.includes(stat.uid)) throw unsafeBwrap(path, BWRAP.others(stat.uid), remedy);
	if (isReplaceable(path, owners, OTHERS_WRITE)) throw unsafeBwrap(path, BWRAP.written, remedy);
	const setuid = (stat.mode & 2048) !== 0;
	if (setuid) {
		const version = await versionOf({ path });
		if (HOLES.has(version)) throw unsafeBwrap(path, BWRAP.setuid(version), remedy);
	}
	return {
		path,
		setuid
	};
}
async function versionOf({ path }) {
	const { stdout } = await run$1(path, ["--version"], {
		timeout: PROBE_MS,
		env: {}
	});
	return /(\d+(?:\.\d+)+)/.exec(stdout)?.[1] ?? "";
}
function executable(path) {
	accessSync(path, constants.X_OK);
	return realpathSync(path);
}
async function tryBox({ path }, { ownProc }) {
	const argv = [
		path,
		"--ro-bind",
		"/",
		"/",
		...NAMESPACES,
		...ownProc ? ["--proc", "/proc"] : [],
		"--dev",
		"/dev",
		"--",
		"/bin/sh",
		"-c",
		"true"
	];
	const nested = isRealRoot() ? ["--mount", ...argv] : [
		"--user",
		"--map-root-user",
		"--mount",
		programPath("unshare"),
		"--user",
		`--map-user=${process.getuid?.()}`,
		`--map-group=${process.getgid?.()}`,
		"--mount",
		...argv
	];
	const { status, stderr, timedOut } = await run$1(programPath("unshare"), nested, { timeout: PROBE_MS });
	if (status === 0) return "";
	if (timedOut) return `no answer within ${PROBE_MS / 1e3} s`;
	return toText(stderr).trim().split("\n").slice(0, 2).join(" ") || `exit status ${status}`;
}
var NAMESPACES = [
	"--unshare-user",
	"--unshare-pid",
	"--unshare-ipc",
	"--unshare-uts",
	"--unshare-cgroup-try",
	"--die-with-parent"
];
var TYPING = "dev/tty/legacy_tiocsti";
function canType() {
	return readSetting(TYPING) !== "0";
}
var SCRATCH = "scratch directory: sockets and short-lived files stay the host’s";
var PROJECT_IS_SCRATCH = "the project is a scratch directory itself: what calls write in it is written directly";
var MOUNTED_FILE = "a file that is mounted by itself";
var mayNotAnswer = (type) => `${type} file system, which may not answer`;
var noLower = (type) => `a ${type} file system can't be covered by an overlay`;
var inParts = (why, others) => `${why}; its other directories are covered${others === 0 ? "" : `, but for ${others} of others, which are read-only with it`}`;
var othersAbove = (own) => `directories of other owners lead to ${own === null ? "what is yours" : toDisplay(own)}`;
var mountBelow = (point) => `the mount ${toDisplay(point)} is below it`;
var hostsBelow = (path) => `${toDisplay(path)}, which stays the host’s, is below it`;
function draftPlan(input) {
	const planner = new Planner(input);
	planner.cover("/");
	planner.coverProject();
	return {
		steps: planner.ordered(),
		notes: planner.notes,
		writable: planner.writable()
	};
}
function innermostStep(steps, path) {
	return innermost(path, steps, (step) => step.path);
}
var MOST_PARTS = 8;
var NOBODY = /* @__PURE__ */ new Set();
var holds$1 = (dir, paths) => paths.some((path) => isWithin(path, dir));
var liesIn = (path, dirs) => dirs.some((dir) => isWithin(path, dir));
function crowdOf(paths, wanted, fs) {
	if (paths.length <= 100) return NOBODY;
	const others = paths.filter((path) => fs.isForeign(path) && !fs.mayWrite(path) && fs.ownNames(path).length === 0 && !holds$1(path, wanted));
	return others.length > 100 ? new Set(others) : NOBODY;
}
var Planner = class {
	notes = [];
	steps = [];
	unreachable = [];
	mounts;
	input;
	fs;
	wanted;
	copying = 0;
	constructor(input) {
		this.input = input;
		this.fs = input.fs;
		this.wanted = [
			...input.own,
			input.projectRoot,
			input.stateDir
		];
		this.mounts = visibleMounts(input.mounts);
	}
	cover(dir) {
		const { scratch, silent } = this.input;
		const mount = this.mounts.get(dir);
		if (dir !== "/" && mount !== void 0 && KERNEL_TYPES.has(mount.type)) return;
		if (scratch.includes(dir)) {
			if (mount === void 0) this.steps.push({
				do: "direct",
				path: dir
			});
			this.note(dir, "direct", SCRATCH);
			return;
		}
		const isAutomatic = mount?.type === "autofs";
		if (isAutomatic || mount !== void 0 && (isRemote(mount.type) || silent?.has(dir) === true)) {
			if (!isAutomatic) this.readOnly(dir, mayNotAnswer(mount.type));
			for (const name of this.mountedBelow(dir)) this.cover(joinPath(dir, name));
			return;
		}
		if (!this.canReach(dir)) {
			this.unreachable.push(dir);
			return;
		}
		if (dir !== "/" && mount?.readOnly === true && !this.hasMountBelow(dir)) return;
		const parts = this.ownParts(dir);
		if (dir === "/" || this.hasMountBelow(dir) || this.hidesParking(dir) || this.ownBelowOthers(dir) !== null) this.descend(dir);
		else if (parts !== null) this.readOnlyBut(dir, parts);
		else if (this.needsOnlyReading(dir)) this.readOnlyBut(dir, scratch.filter((kept) => isWithin(kept, dir) && this.fs.isDirectory(kept)));
		else if (this.isDirectory(dir)) this.coverWhole(dir);
		else if (mount !== void 0) this.readOnly(dir, MOUNTED_FILE);
	}
	readOnlyBut(dir, parts) {
		this.readOnly(dir, "");
		for (const path of parts) this.cover(path);
	}
	ownParts(dir) {
		const { fs, wanted } = this;
		if (dir === "/" || parentOf$1(dir) !== "/" || !fs.isForeign(dir) || fs.isCoveredDir(dir)) return null;
		if (wanted.includes(dir) || holds$1(dir, this.input.scratch)) return null;
		const paths = fs.directories(dir).map((name) => joinPath(dir, name));
		const mine = new Set(fs.ownDirectories(dir)?.map((name) => joinPath(dir, name)));
		const begun = paths.some((path) => fs.isCoveredDir(path) && !fs.isForeign(path));
		if (mine.size === 0 && !begun) return null;
		const also = (path) => fs.isCoveredDir(path) || fs.mayWrite(path) || holds$1(path, wanted);
		const parts = paths.filter((path) => mine.has(path) || also(path));
		return parts.length <= MOST_PARTS || begun ? parts : null;
	}
	needsNoOverlay(dir) {
		const { projectRoot, stateDir, scratch } = this.input;
		if (this.mounts.has(dir) || holds$1(dir, [
			...scratch,
			projectRoot,
			stateDir
		])) return false;
		return this.fs.ownNames(dir).length === 0 && (this.fs.isClosed(dir) || this.fs.takesNoWrite(dir));
	}
	needsOnlyReading(dir) {
		if (holds$1(dir, this.wanted) || liesIn(dir, this.input.scratch)) return false;
		return this.fs.ownNames(dir).length === 0 && this.fs.takesNoWrite(dir);
	}
	canReach(dir) {
		if (!isNetwork(this.mounts.get(dir)?.type ?? "")) return this.fs.canReach(dir);
		const above = this.typeAt(parentOf$1(dir));
		return isNetwork(above) || isRemote(above) || this.fs.canReach(joinPath(parentOf$1(dir), "."));
	}
	isDirectory(dir) {
		return isNetwork(this.mounts.get(dir)?.type ?? "") || this.fs.isDirectory(dir);
	}
	coverProject() {
		const root = this.input.projectRoot;
		const covers = (step) => step.do === "overlay" && isWithin(root, step.path) || step.do === "copied" && step.path === root;
		const isKept = this.steps.some((step) => step.do === "keep" && isWithin(root, step.path));
		if (this.steps.some((step) => covers(step) && !isKept)) return;
		const scratch = this.input.scratch.find((dir) => isWithin(root, dir));
		if (scratch === void 0) return;
		if (root === scratch) this.note(root, "direct", PROJECT_IS_SCRATCH);
		else if (this.fs.isDirectory(root)) {
			if (this.hasMountBelow(root)) this.descend(root);
			else this.coverWhole(root);
		}
	}
	ordered() {
		const direct = this.steps.filter((step) => step.do === "direct");
		const copied = this.steps.filter((step) => step.do === "copied");
		const others = this.steps.filter((step) => step.do !== "direct" && step.do !== "copied");
		const holder = others.find((step) => step.do === "overlay" && isWithin(this.input.stateDir, step.path));
		const isLast = (step) => step === holder || step.do === "keep" && step.below === holder?.path;
		return [
			...direct,
			...others.filter((step) => !isLast(step)),
			...others.filter(isLast),
			...copied.sort((a, b) => b.path.length - a.path.length)
		];
	}
	coverWhole(dir) {
		const type = this.typeAt(dir);
		if (!LOWER_TYPES.has(type)) {
			this.readOnly(dir, noLower(type));
			return;
		}
		for (const kept of this.input.scratch) if (kept !== dir && isWithin(kept, dir) && this.fs.isDirectory(kept)) {
			this.steps.push({
				do: "keep",
				path: kept,
				below: dir
			});
			this.note(kept, "direct", SCRATCH);
		}
		this.steps.push({
			do: "overlay",
			path: dir
		});
	}
	descend(dir) {
		const type = this.typeAt(dir);
		const isLocal = LOWER_TYPES.has(type) && !isNetwork(type);
		if (dir !== "/" && this.fs.isCopyable(dir) && isLocal) this.copy(dir);
		else this.descendReadOnly(dir);
	}
	copy(dir) {
		const listed = new Set(this.fs.directories(dir));
		const own = new Set(this.fs.ownNames(dir));
		const children = [];
		for (const name of [.../* @__PURE__ */ new Set([...listed, ...this.mountedBelow(dir)])].sort()) {
			if (own.has(name)) continue;
			const path = joinPath(dir, name);
			this.copying++;
			this.cover(path);
			this.copying--;
			if (this.mounts.has(path) || this.steps.some((step) => isWithin(step.path, path))) children.push({
				path,
				file: !listed.has(name)
			});
		}
		this.steps.push({
			do: "copied",
			path: dir,
			children
		});
	}
	descendReadOnly(dir) {
		const paths = [.../* @__PURE__ */ new Set([...this.fs.directories(dir), ...this.mountedBelow(dir)])].sort().map((name) => joinPath(dir, name));
		const wanted = [
			...this.wanted,
			...this.input.scratch,
			...this.mounts.keys()
		];
		const crowd = dir === "/" ? NOBODY : crowdOf(paths, wanted, this.fs);
		this.readOnly(dir, dir === "/" ? "" : inParts(this.whyInParts(dir), crowd.size));
		for (const path of paths) {
			if (crowd.has(path)) continue;
			if (this.hasMountBelow(path) || !this.needsNoOverlay(path)) this.cover(path);
		}
	}
	whyInParts(dir) {
		const below = [...this.mounts.keys(), ...this.input.scratch].find((point) => point !== dir && isWithin(point, dir));
		if (below === void 0) return othersAbove(this.ownBelowOthers(dir));
		return this.mounts.has(below) ? mountBelow(below) : hostsBelow(below);
	}
	ownBelowOthers(dir) {
		const isBelowOthers = (path) => {
			if (path === dir || !isWithin(path, dir) || liesIn(path, this.input.scratch)) return false;
			for (let way = parentOf$1(path); way !== dir; way = parentOf$1(way)) if (this.fs.isForeign(way)) return true;
			return false;
		};
		return this.input.own.find(isBelowOthers) ?? null;
	}
	mountedBelow(dir) {
		const prefix = dir === "/" ? dir : `${dir}/`;
		return [...this.mounts.keys()].filter((point) => point !== dir && isWithin(point, dir)).map((point) => point.slice(prefix.length).split("/")[0]);
	}
	readOnly(path, why) {
		const mounted = path === "/" || this.mounts.has(path);
		const late = mounted || isWithin(this.input.stateDir, path);
		const flags = holderOf$1(path, this.mounts)?.flags ?? [];
		const held = !mounted && this.isHeld(path) ? { held: true } : {};
		this.steps.push({
			do: "read-only",
			path,
			mounted,
			late,
			flags,
			...held
		});
		if (why !== "") this.note(path, "read-only", why);
	}
	isHeld(path) {
		if (this.copying > 0 || liesIn(path, this.input.scratch)) return false;
		const point = holderOf$1(path, this.mounts)?.point ?? "/";
		return this.steps.some((step) => step.do === "read-only" && step.mounted && step.path === point);
	}
	typeAt(path) {
		return holderOf$1(path, this.mounts)?.type ?? "";
	}
	writable() {
		const { scratch, mounts } = this.input;
		const seen = [...this.mounts.values()];
		const hosts = [
			...seen.filter(({ type }) => KERNEL_TYPES.has(type)).map(({ point }) => point),
			...scratch,
			...this.unreachable
		];
		const visible = seen.filter(({ point, type }) => type === "autofs" || liesIn(point, hosts));
		const hidden = mounts.filter(({ point }) => !this.mounts.has(point));
		const covered = this.steps.filter((step) => step.do === "overlay" || step.do === "copied");
		const points = [...visible, ...hidden].map(({ point }) => point);
		return [.../* @__PURE__ */ new Set([
			...points,
			...scratch,
			...covered.map(({ path }) => path)
		])];
	}
	hasMountBelow(dir) {
		for (const point of this.mounts.keys()) if (point !== dir && isWithin(point, dir)) return true;
		return false;
	}
	hidesParking(dir) {
		const isBelow = (kept) => kept !== dir && isWithin(kept, dir);
		return isWithin(this.input.stateDir, dir) && this.input.scratch.some(isBelow);
	}
	note(path, kind, why) {
		this.notes.push({
			path,
			kind,
			why
		});
	}
};
var MAX_CHECKED = 32;
var MAX_NAMES = 500;
var verdicts = /* @__PURE__ */ new Map();
function isClosed(dir) {
	if (process.getuid?.() === 0) return false;
	const known = verdicts.get(dir);
	if (known !== void 0 && holds(dir, known)) return known.closed;
	const seen = /* @__PURE__ */ new Map();
	const closed = isClosedEntry(dir, seen);
	verdicts.set(dir, {
		closed,
		seen
	});
	return closed;
}
function holds(dir, { closed, seen }) {
	const entries = closed ? [...seen] : [...seen].filter(([path]) => path === dir);
	return entries.length > 0 && entries.every(([path, stamp]) => stampOf(path) === stamp);
}
function stampOf(path) {
	const entry = orNull(() => lstat(path));
	return entry === null ? null : `${entry.dev} ${entry.ino} ${entry.ctimeNs}`;
}
function isClosedEntry(path, seen) {
	const stamp = stampOf(path);
	if (stamp === null || seen.size >= MAX_CHECKED) return false;
	seen.set(path, stamp);
	return orNull(() => {
		const entry = lstatSync(fsPath(path));
		if (entry.isSymbolicLink()) return true;
		if (entry.uid === process.getuid?.() || mayAccess(path, constants.W_OK)) return false;
		if (!entry.isDirectory() || !mayAccess(path, constants.X_OK)) return true;
		return fewNames(path)?.every((name) => isClosedEntry(joinPath(path, name), seen)) === true;
	}) === true;
}
function takesNoWrite(dir) {
	return ownNamesIn(dir)?.length === 0;
}
function ownDirectories(dir) {
	const names = ownNamesIn(dir);
	const isDirectory = (name) => lstatSync(fsPath(joinPath(dir, name))).isDirectory();
	return orNull(() => names?.every(isDirectory)) === true ? names : null;
}
function ownNamesIn(dir) {
	const uid = process.getuid?.();
	if (uid === 0) return null;
	return orNull(() => {
		if (lstatSync(fsPath(dir)).uid === uid || mayWrite(dir)) return null;
		const names = readdirSync(fsPath(dir), { encoding: "latin1" });
		if (names.length > MAX_NAMES) return null;
		return names.filter((name) => lstatSync(fsPath(joinPath(dir, name))).uid === uid);
	});
}
function fewNames(path) {
	const names = [];
	const dir = opendirSync(fsPath(path), {
		encoding: "latin1",
		bufferSize: MAX_CHECKED
	});
	try {
		for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) if (names.push(entry.name) > MAX_CHECKED) return null;
	} finally {
		dir.closeSync();
	}
	return names;
}
function mayWrite(dir) {
	return orNull(() => {
		const { mode } = lstatSync(fsPath(dir));
		return (mode & 18) !== 0 && mayAccess(dir, constants.W_OK);
	}) ?? true;
}
function mayAccess(path, mode) {
	try {
		accessSync(fsPath(path), mode);
		return true;
	} catch (error) {
		if (errorCode(error) === "EACCES") return false;
		throw error;
	}
}
var statOf$1 = (path) => lstatSync(fsPath(path), { throwIfNoEntry: false });
var realFs = {
	directories(dir) {
		return (orNull(() => readEntries(dir)) ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
	},
	isDirectory: (path) => statOf$1(path)?.isDirectory() ?? false,
	isForeign(dir) {
		const found = isRealRoot() ? null : orNull(() => statOf$1(dir));
		return found != null && (found.uid !== process.getuid?.() || isUnmapped(found.gid));
	},
	canReach: (path) => orNull(() => statOf$1(path)) != null,
	isClosed,
	mayWrite,
	takesNoWrite,
	ownDirectories
};
var parsed$1 = null;
function mountsOf(text) {
	if (parsed$1?.text !== text) parsed$1 = {
		text,
		mounts: parseMountinfo(text)
	};
	return parsed$1.mounts;
}
function draftOf(request) {
	const { sessionDir, home, projectRoot } = request;
	const uppers = uppersOf(sessionDir);
	return draftPlan({
		mounts: mountsOf(request.mountinfo),
		scratch: request.config.scratch.map(fromText),
		projectRoot,
		own: [projectRoot, home],
		stateDir: fromText(request.stateDir),
		silent: knownSilent(),
		fs: {
			...realFs,
			isCopyable: (dir) => (dir === home || dir === projectRoot) && isCopyable(dir),
			ownNames: uppers.names,
			isCoveredDir: uppers.has
		}
	});
}
var NO_UPPERS = {
	has: () => false,
	names: () => []
};
var uppersOf = (sessionDir) => sessionDir === void 0 ? NO_UPPERS : uppersIn(fromText(`${sessionDir}/overlay`));
var HOME_STARTUP = /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout)|inputrc|x(?:profile|initrc|sessionrc)|pam_environment|config\/(?:fish|autostart|systemd|environment\.d)\/.*)$/s;
var HOME_CREDENTIALS = /^\.(?:ssh|gnupg|aws|kube|docker|azure|config\/gcloud|config\/gh|password-store)\/|^\.(?:netrc|npmrc|pypirc|git-credentials|pgpass|my\.cnf)$/s;
var HOME_GIT = /^\.(?:gitconfig|config\/git\/.*)$/s;
var ROOT_STARTUP = /^\/(?:etc\/(?:cron[^/]*|init\.d|rc[^/]*|profile(?:\.d)?|systemd|xdg\/autostart|bash\.bashrc|zsh)(?:\/|$)|var\/spool\/cron\/|(?:usr\/)?lib\/systemd\/system\/)/s;
var ROOT_CREDENTIALS = /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers(?:\.d\/.*)?|ssh\/.*|pam\.d\/.*)$/s;
var GIT_RUNS = /\/\.git\/(?:hooks\/(?!.*\.sample$)|config(?:\.worktree)?$|info\/attributes$)/s;
var AGENT = /\/\.claude\/|\/(?:CLAUDE(?:\.local)?\.md|\.mcp\.json)$|\/trai\/(?:config|rules(?:\.imported)?)\.json$/s;
var SETS_ID = 3072;
var RUNS = 73;
var DOT = 46;
var RISKS = {
	"flagged": {
		one: "change flagged by a rule of yours",
		many: "changes flagged by rules of yours",
		why: "An effect rule names it: trai rules list.",
		test: ({ effect }) => effect !== void 0
	},
	"setuid": {
		one: "new setuid or setgid file",
		many: "new setuid or setgid files",
		why: "It runs with the rights of its owner or group.",
		test: ({ pending, host }) => pending?.type === "file" && (pending.mode & SETS_ID & ~(host?.mode ?? 0)) !== 0
	},
	"git-hook": {
		one: "Git hook",
		many: "Git hooks",
		why: "Git runs it, or what it names.",
		test: (change, { home }) => isWritten(change) && isAt(change, GIT_RUNS, home, HOME_GIT)
	},
	"startup": {
		one: "start-up file",
		many: "start-up files",
		why: "It runs by itself: when a shell or a session starts, or at a set time.",
		test: (change, { home }) => isWritten(change) && isAt(change, ROOT_STARTUP, home, HOME_STARTUP)
	},
	"credentials": {
		one: "file of keys or passwords",
		many: "files of keys or passwords",
		why: "It says who may log in, or holds what one logs in with.",
		test: (change, { home }) => holdsKeys(change.path, home)
	},
	"agent": {
		one: "Claude Code setting",
		many: "Claude Code settings",
		why: "It changes what Claude may do, or what it runs by itself.",
		test: (change) => AGENT.test(change.path)
	},
	"link-out": {
		one: "symlink outside the project",
		many: "symlinks outside the project",
		why: "What is written through it lands outside the project.",
		test: (change, { projectRoot }) => {
			const { path, pending } = change;
			if (pending?.type !== "symlink" || pending.target === void 0 || !isWithin(path, projectRoot)) return false;
			return !isWithin(resolved(parentOf$1(path), pending.target), projectRoot);
		}
	},
	"odd-name": {
		one: "name with hidden characters",
		many: "names with hidden characters",
		why: "It may impersonate another file.",
		test: ({ path, pending }) => pending !== null && hasHidden(nameOf(path))
	},
	"hidden": {
		one: "file with hidden characters",
		many: "files with hidden characters",
		why: "Its text may read otherwise than it works. The diff shows each of them by name.",
		test: ({ id }, { hidden }) => hidden?.has(id) === true
	},
	"outside": {
		one: "outside the project",
		many: "outside the project",
		why: "It lies outside the directory that the session works in.",
		test: ({ path }, { projectRoot }) => !isWithin(path, projectRoot)
	},
	"executable": {
		one: "newly executable",
		many: "newly executable",
		why: "It could not be executed before.",
		test: ({ pending, host }) => pending?.type === "file" && (pending.mode & RUNS) !== 0 && (host?.type !== "file" || (host.mode & RUNS) === 0)
	}
};
var ORDER = Object.keys(RISKS);
function risksOf(change, place) {
	if (change.ignored !== null) return [];
	const risks = [];
	for (const risk of ORDER) if (RISKS[risk].test(change, place)) risks.push(risk);
	return risks;
}
var PLAIN_TYPES = /* @__PURE__ */ new Set([
	"file",
	"dir",
	"symlink"
]);
function mayGoUnread(change, place) {
	const { ignored, effect, conflict, pending, host } = change;
	if (ignored !== null || effect !== void 0 || conflict !== null) return false;
	return PLAIN_TYPES.has((pending ?? host)?.type) && risksOf(change, place).length === 0;
}
function holdsKeys(path, home) {
	return [path, `${path}/`].some((one) => isAt({ path: one }, ROOT_CREDENTIALS, home, HOME_CREDENTIALS));
}
function isWritten({ pending }) {
	return pending !== null && pending.type !== "dir";
}
function isAt({ path }, anywhere, home, inHome) {
	const below = belowHome(path, home);
	return anywhere.test(path) || below !== null && inHome.test(below);
}
function belowHome(path, home) {
	if (path.charCodeAt(home === "/" ? 1 : home.length + 1) !== DOT) return null;
	return path !== home && isWithin(path, home) ? path.slice(home === "/" ? 1 : home.length + 1) : null;
}
var PLAIN = /^[ -~]*$/;
function hasHidden(name) {
	if (PLAIN.test(name)) return false;
	return toDisplay(name.replaceAll("\\", "")).includes("\\");
}
function resolved(dir, target) {
	const parts = [];
	for (const part of (target.startsWith("/") ? target : joinPath(dir, target)).split("/")) if (part === "..") parts.pop();
	else if (part !== "" && part !== ".") parts.push(part);
	return `/${parts.join("/")}`;
}
function countRisks(changes, place) {
	return tallyRisks(changes.map((change) => risksOf(change, place)));
}
function tallyRisks(found) {
	const counts = /* @__PURE__ */ new Map();
	for (const risks of found) for (const risk of risks) counts.set(risk, (counts.get(risk) ?? 0) + 1);
	return ORDER.flatMap((risk) => {
		const count = counts.get(risk) ?? 0;
		return count === 0 ? [] : [{
			risk,
			count
		}];
	});
}
function unreadText(files) {
	const text = files === 1 ? "file" : "files";
	return `${files.toLocaleString("en")} ${text} not scanned for hidden characters`;
}
function riskText({ risk, count }) {
	return `${count.toLocaleString("en")} ${count === 1 ? RISKS[risk].one : RISKS[risk].many}`;
}
var MAX_PATH_CHARS = 4096;
function resolvePath(view, given, passed = () => {}) {
	if (given.includes("\0") || given.length > MAX_PATH_CHARS) return null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf$1(at);
			continue;
		}
		const here = joinPath(at, name);
		passed(here);
		const target = linkTarget(view, here);
		if (target === "unknown" || links > 40) return null;
		if (target === null) {
			at = here;
			continue;
		}
		links += 1;
		todo.unshift(...partsOf(target.to));
		if (target.to.startsWith("/")) at = "/";
	}
	return at;
}
function upperOf$1(view, path) {
	const covered = isExcluded(path, view.excluded) ? null : coveringDir(view.coveredDirs, path);
	return covered === null ? null : upperPath(covered, path);
}
function linkTarget(view, path) {
	const upper = view === null ? null : upperOf$1(view, path);
	const pending = upper === null ? null : hostEntry(upper);
	if (pending === "closed") return "unknown";
	if (upper !== null && pending !== null) {
		if (isWhiteout(pending) || pending.type !== "symlink") return null;
		return { to: readTarget(upper) };
	}
	const host = hostEntry(path);
	if (host === "closed") return "unknown";
	return host?.type === "symlink" ? { to: readTarget(path) } : null;
}
function partsOf(path) {
	return path.split("/").filter((name) => name !== "" && name !== ".");
}
var REASONS = {
	root: "nothing else of this machine is there",
	tmp: "temporary files, gone with the box",
	proc: "its own processes only",
	dev: "null, zero, random, tty and the like",
	home: "nothing of your home but what follows",
	system: "programs and libraries",
	etcDir: "nothing of /etc but what follows",
	etc: "settings that programs need",
	tool: "a tool chain of yours",
	path: "a directory of your PATH",
	cache: "downloads, kept for boxes of this project",
	git: "your name and settings for git",
	client: "Claude Code itself",
	plugin: "trai’s hooks",
	pending: "the project: what is written there is pending",
	direct: "the project: what is written there is yours at once (--write direct)",
	readOnly: "the project, for reading (read-only)",
	gitDir: "the repository of this project, with its objects and branches",
	settings: "your settings, hooks, commands, skills and plugins of Claude Code; pending as any file",
	leads: "an entry of ~/.claude leads there",
	own: "what Claude Code keeps of its work, for boxes of this project",
	history: "the prompts of this project",
	sharedHistory: "your prompt history, of all projects (--history shared)",
	state: "a copy of your ~/.claude.json; account and counters go back",
	mask: "trai’s state, hidden",
	door: "for trai’s hooks, with this session’s credential",
	hidden: "hidden (--hide)",
	secret: "passwords that git keeps, hidden",
	allowed: "--allow"
};
function givesAway(path) {
	const found = GIVES.find(([pattern]) => pattern.test(path));
	return found === void 0 ? REASONS.allowed : `--allow: ${found[1]}`;
}
var GIVES = [
	[/docker\.sock$|podman\.sock$|containerd/, "whoever can ask this daemon is root on this machine"],
	[/\/agent\.\d+$|ssh-[^/]*\/|S\.gpg-agent\.ssh$|keyring\/ssh$/, "it signs in to your servers with your keys"],
	[/\/bus$|dbus/, "it can start programs outside of the box, and read your keyring"],
	[/wayland-\d+$|\.X11-unix/, "it sees your screen, keyboard and clipboard"],
	[/S\.gpg-agent|\/\.gnupg(\/|$)/, "it decrypts and signs with your keys"],
	[/\/\.ssh(\/|$)/, "your private keys and the servers that you use"],
	[/\/\.(aws|kube|azure|docker|config\/gcloud|netrc|npmrc|pypirc)(\/|$)/, "your credentials for services"]
];
var p = (...paths) => paths;
var SYSTEM = p(...[
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32"
], ...[
	"/nix/store",
	"/nix/var/nix",
	"/run/current-system"
]);
var ETC = p(...[
	"passwd",
	"group",
	"hosts",
	"host.conf",
	"resolv.conf",
	"nsswitch.conf",
	"gai.conf",
	"protocols",
	"services"
], ...[
	"ssl",
	"pki",
	"ca-certificates",
	"ca-certificates.conf",
	"crypto-policies",
	"localtime",
	"timezone"
], ...[
	"ld.so.cache",
	"ld.so.conf",
	"ld.so.conf.d",
	"alternatives",
	"os-release",
	"login.defs",
	"shells"
], ...[
	"environment",
	"locale.conf",
	"locale.alias",
	"profile",
	"profile.d",
	"bash.bashrc",
	"bashrc",
	"bash_completion.d"
], ...[
	"zsh",
	"zshenv",
	"zprofile",
	"zshrc",
	"inputrc",
	"terminfo",
	"mime.types",
	"magic",
	"fonts",
	"gitconfig"
], ...[
	"npmrc",
	"python3",
	"java",
	"maven",
	"nix",
	"static",
	"claude-code"
]).map((name) => joinPath("/etc", name));
var TOOLS = p(...[
	".local/bin",
	"bin",
	".nvm",
	".fnm",
	".local/share/fnm",
	".volta",
	".asdf",
	".local/share/mise",
	".config/mise"
], ...[
	".cargo/bin",
	".cargo/env",
	".cargo/config.toml",
	".rustup",
	".pyenv",
	".local/share/uv",
	".local/share/pnpm"
], ...[
	"go/bin",
	"sdk",
	".sdkman",
	".bun/bin",
	".deno/bin",
	".nix-profile",
	".local/state/nix"
]);
var CACHES = [
	[
		"xdg",
		".cache",
		null
	],
	[
		"npm",
		".npm",
		null
	],
	[
		"cargo-registry",
		".cargo/registry",
		".cargo/bin"
	],
	[
		"cargo-git",
		".cargo/git",
		".cargo/bin"
	],
	[
		"go-pkg",
		"go/pkg",
		"go/bin"
	],
	[
		"gradle",
		".gradle",
		null
	],
	[
		"maven",
		".m2",
		null
	]
];
var CACHE_NAMES = CACHES.map(([name]) => name);
var GIT = p(".gitconfig", ".config/git");
var GIT_CREDENTIALS = ".config/git/credentials";
var CLIENT_DIRS = p(...[
	"sessions",
	"file-history",
	"plans",
	"tasks",
	"todos",
	"teams",
	"statsig",
	"usage-data"
], ...[
	"paste-cache",
	"image-cache",
	"backups",
	"debug",
	"ide"
]);
var PROJECTS = "projects";
var HISTORY = "history.jsonl";
var OWN_NAMES = /* @__PURE__ */ new Set([
	PROJECTS,
	HISTORY,
	...CLIENT_DIRS
]);
var instanceIn = (stateDir) => instanceAt(stateDir);
var doorIn = (stateDir) => insideAt(stateDir);
var stateCopy = (session) => `run/${session}.claude.json`;
var EMPTY_FILE = "none/file";
var EMPTY_DIR = "none/dir";
function clientPaths(configDir) {
	return [configDir, ...[
		PROJECTS,
		HISTORY,
		".claude.json",
		...CLIENT_DIRS
	].map((name) => joinPath(configDir, name))];
}
function candidates(input) {
	const { home, configDir, program } = input;
	const below = (names) => names.map((name) => joinPath(home, name));
	return [
		...SYSTEM,
		...ETC,
		...below([
			...TOOLS,
			...GIT,
			GIT_CREDENTIALS,
			...CACHES.map(([, path]) => path)
		]),
		...input.pathDirs,
		input.project,
		...input.gitDirs,
		...clientPaths(configDir),
		...input.configLinks,
		...program === null ? [] : [program],
		input.plugin,
		...input.allow.map(({ path }) => path),
		...input.hide
	];
}
function boxTable(input, found) {
	return new Table(input, found).made();
}
function installationOf(real) {
	const npm = /^(.*?\/node_modules\/@anthropic-ai)\//s.exec(real)?.[1];
	const native = /^(.*\/claude)\/versions\/[^/]+$/s.exec(real)?.[1];
	return npm ?? native ?? real;
}
var Table = class {
	#input;
	#found;
	#rows = /* @__PURE__ */ new Map();
	#make = [];
	constructor(input, found) {
		this.#input = input;
		this.#found = found;
	}
	made() {
		const { home } = this.#input;
		this.#own("the file system", "/", "tmpfs", REASONS.root);
		this.#own("/proc", "/proc", "proc", REASONS.proc);
		this.#own("/dev", "/dev", "dev", REASONS.dev);
		this.#own("/tmp", "/tmp", "tmpfs", REASONS.tmp);
		for (const path of SYSTEM) this.#show("system", path, "ro", REASONS.system);
		this.#own("system settings", "/etc", "tmpfs", REASONS.etcDir);
		for (const path of ETC) this.#show("system settings", path, "ro", REASONS.etc);
		this.#own("home", home, "tmpfs", REASONS.home);
		this.#tools();
		this.#project();
		this.#program();
		this.#clientFiles();
		this.#state();
		for (const { path, ro } of this.#input.allow) this.#allow(path, ro);
		for (const path of this.#input.hide) this.#hide(path, REASONS.hidden);
		return {
			rows: this.#ordered(),
			make: this.#make
		};
	}
	#own(what, to, how, why) {
		this.#rows.set(to, {
			what,
			from: null,
			to,
			how,
			why
		});
	}
	#show(what, to, how, why) {
		const found = this.#found.get(to);
		if (found !== void 0) this.#rows.set(to, {
			what,
			from: found.real,
			to,
			how,
			why
		});
	}
	#keep(what, to, name, why) {
		const from = joinPath(instanceIn(this.#input.stateDir), name);
		this.#rows.set(to, {
			what,
			from,
			to,
			how: "instance",
			why
		});
	}
	#tools() {
		const { home, pathDirs } = this.#input;
		const at = (name) => joinPath(home, name);
		for (const name of TOOLS) this.#show("tools", at(name), "ro", REASONS.tool);
		for (const name of GIT) this.#show("git", at(name), "ro", REASONS.git);
		this.#hide(at(GIT_CREDENTIALS), REASONS.secret);
		for (const [name, path, needed] of CACHES) if (needed === null || this.#found.has(at(needed))) this.#keep("cache", at(path), `cache/${name}`, REASONS.cache);
		for (const dir of pathDirs) if (![dir, this.#found.get(dir)?.real ?? dir].some((one) => isWithin(one, home) || isWithin(home, one)) && !this.#isSeen(dir)) this.#show("tools", dir, "ro", REASONS.path);
	}
	#project() {
		const { project, gitDirs, options } = this.#input;
		const how = {
			"pending": "pending",
			"direct": "host",
			"read-only": "ro"
		}[options.write];
		const why = {
			pending: REASONS.pending,
			direct: REASONS.direct,
			"read-only": REASONS.readOnly
		}[options.write];
		this.#show("project", project, how, why);
		for (const dir of gitDirs) {
			const isHosts = how === "pending" && this.#found.get(dir)?.pending === false;
			this.#show("repository", dir, isHosts ? "ro" : how, REASONS.gitDir);
		}
	}
	#program() {
		const { program, plugin } = this.#input;
		if (!this.#isSeen(plugin)) this.#show("plugin", plugin, "ro", REASONS.plugin);
		const found = program === null ? void 0 : this.#found.get(program);
		if (program === null || found === void 0) return;
		const root = installationOf(found.real);
		if (!this.#isSeen(found.real)) this.#rows.set(root, {
			what: "client",
			from: root,
			to: root,
			how: "ro",
			why: REASONS.client
		});
		if (!this.#isSeen(program)) this.#show("client", program, "ro", REASONS.client);
	}
	#clientFiles() {
		const { configLinks, options } = this.#input;
		const { configDir, stateFile } = this.#config();
		const from = this.#found.get(configDir)?.real ?? configDir;
		this.#rows.set(configDir, {
			what: "Claude Code",
			from,
			to: configDir,
			how: "pending",
			why: REASONS.settings
		});
		if (!this.#found.has(configDir)) this.#make.push({
			path: configDir,
			type: "dir"
		});
		for (const link of configLinks) {
			const found = this.#found.get(link);
			if (OWN_NAMES.has(nameOf(link))) continue;
			if (found !== void 0 && !this.#rows.has(found.real) && !this.#isSeen(found.real)) this.#rows.set(found.real, {
				what: "Claude Code",
				from: found.real,
				to: found.real,
				how: found.pending ? "pending" : "ro",
				why: REASONS.leads
			});
		}
		const own = (name) => joinPath(configDir, name);
		this.#keep("conversations", own(PROJECTS), PROJECTS, REASONS.own);
		for (const name of CLIENT_DIRS) this.#keep("Claude Code", own(name), `client/${name}`, REASONS.own);
		const history = own(HISTORY);
		if (options.history === "shared" && this.#found.has(history)) this.#show("prompts", history, "host", REASONS.sharedHistory);
		else this.#keep("prompts", history, HISTORY, REASONS.history);
		this.#keep("Claude Code", stateFile, stateCopy(this.#input.session), REASONS.state);
	}
	#config() {
		const { configDir, stateFile } = this.#input;
		const real = this.#found.get(configDir)?.real ?? configDir;
		if (this.#sourceAt(configDir, this.#rows.values()) !== configDir) return {
			configDir,
			stateFile
		};
		return {
			configDir: real,
			stateFile: isWithin(stateFile, configDir) ? real + stateFile.slice(configDir.length) : stateFile
		};
	}
	#state() {
		const { stateDir } = this.#input;
		const door = doorIn(stateDir);
		this.#rows.set(stateDir, {
			what: "trai",
			from: stateDir,
			to: stateDir,
			how: "ro",
			why: REASONS.mask
		});
		this.#own("trai", instanceIn(stateDir), "tmpfs", REASONS.mask);
		this.#rows.set(door, {
			what: "trai",
			from: door,
			to: door,
			how: "instance",
			why: REASONS.door
		});
	}
	#allow(path, ro) {
		const found = this.#found.get(path);
		if (found === void 0) return;
		const how = ro ? "ro" : found.type !== "other" && found.pending ? "pending" : "host";
		this.#rows.set(path, {
			what: "allowed",
			from: found.real,
			to: path,
			how,
			why: givesAway(found.real)
		});
	}
	#hide(path, why) {
		const found = this.#found.get(path);
		if (found === void 0 || !this.#isSeen(path)) return;
		const from = joinPath(instanceIn(this.#input.stateDir), found.type === "dir" ? EMPTY_DIR : EMPTY_FILE);
		this.#rows.set(path, {
			what: "hidden",
			from,
			to: path,
			how: "empty",
			why
		});
	}
	#isSeen(path) {
		const source = this.#sourceAt(path, this.#rows.values());
		const real = this.#found.get(path)?.real ?? path;
		return source === real || source === path && this.#isSeen(real);
	}
	#sourceAt(path, rows) {
		const above = innermost(path, rows, ({ to }) => to);
		return above === void 0 ? null : sourceOf(above, path);
	}
	#ordered() {
		const rows = [];
		for (const row of this.#behindLinks().sort((a, b) => rowOrder(a.to) < rowOrder(b.to) ? -1 : 1)) {
			const above = innermost(row.to, rows, ({ to }) => to);
			const source = above === void 0 ? null : sourceOf(above, row.to);
			if (source === null || this.#fits(row, source, above?.how ?? "tmpfs")) rows.push(row);
		}
		return rows;
	}
	#behindLinks() {
		const moved = /* @__PURE__ */ new Map();
		for (const row of this.#rows.values()) {
			const others = [...this.#rows.values()].filter(({ to }) => to !== row.to);
			const source = this.#sourceAt(row.to, others);
			const to = source === null ? row.to : this.#found.get(source)?.real ?? source;
			if (to === source || source === null) moved.set(row.to, row);
			else if (!this.#rows.has(to) && !moved.has(to)) moved.set(to, {
				...row,
				to
			});
		}
		return [...moved.values()];
	}
	#fits(row, source, above) {
		if (above === "empty" || row.how === above && row.from === source) return false;
		if (isWithin(source, this.#input.stateDir) || this.#found.has(source)) return true;
		if (row.how !== "instance" || above !== "pending") return false;
		const isFile = row.to.endsWith(HISTORY) || row.to.endsWith("/.claude.json");
		this.#make.push({
			path: source,
			type: isFile ? "file" : "dir"
		});
		return true;
	}
};
var rowOrder = (path) => path.replaceAll("/", "\0");
function sourceOf({ from, to }, path) {
	if (from === null) return null;
	const rest = to === "/" ? path : path.slice(to.length);
	return from === "/" ? rest || "/" : from + rest;
}
var ROOT = "project-root";
var boxesDir = (stateDir) => join(stateDir, "box");
var instanceDir = (stateDir, projectId) => join(boxesDir(stateDir), projectId);
var runFiles = (instance, session) => ({
	state: join(instance, stateCopy(session)),
	status: join(instance, "run", `${session}.${process.pid}.status`)
});
function sharedRoot({ root }) {
	const common = repositoryOf(root)?.commonDir;
	if (common === void 0) return root;
	return nameOf(common) === ".git" ? parentOf$1(common) : common;
}
function makeInstance(stateDir, project) {
	const dir = instanceDir(stateDir, project.id);
	const dirs = [
		"projects",
		"run",
		EMPTY_DIR,
		...CLIENT_DIRS.map((name) => `client/${name}`),
		...CACHE_NAMES.map((name) => `cache/${name}`)
	];
	for (const name of dirs) mkdirSync(join(dir, name), {
		recursive: true,
		mode: 448
	});
	for (const name of ["history.jsonl", EMPTY_FILE]) writeFileSync(join(dir, name), "", {
		flag: "a",
		mode: 384
	});
	for (const name of readdirSync(join(dir, "run"))) {
		const pid = /\.(\d+)\.status$/.exec(name)?.[1];
		if (pid !== void 0 && processStat(Number(pid)) === null) rmSync(join(dir, "run", name), { force: true });
	}
	if (readRoot(dir) === null) writeWhole(join(dir, ROOT), Buffer.from(`${sharedRoot(project)}\n`, "latin1"));
	return dir;
}
function readRoot(dir) {
	const path = join(dir, ROOT);
	const stat = orNull(() => lstatSync(path));
	if (stat === null || !stat.isFile() || stat.uid !== process.getuid?.() || stat.size > 8192) return null;
	const text = readFileSync(path, "latin1");
	return /^\/[^\0\n]*\n?$/.test(text) && !/(^|\/)\.\.?(\/|\n?$)/.test(text) ? text.replace(/\n$/, "") : null;
}
async function listInstances(stateDir, facts) {
	const names = instanceNames(stateDir);
	return await Promise.all(names.map((name) => instanceNamed(stateDir, name, facts)));
}
function instanceNames(stateDir) {
	return (orNull(() => readdirSync(boxesDir(stateDir))) ?? []).sort();
}
function lastUsed(instance) {
	return orNull(() => statSync(join(instance, "run")).mtimeMs);
}
async function instanceNamed(stateDir, id, facts) {
	const dir = instanceDir(stateDir, id);
	const stat = orNull(() => lstatSync(dir));
	const one = {
		id,
		root: null,
		lastUse: "",
		running: false,
		state: "unsure",
		why: "",
		sessions: []
	};
	if (!/^[0-9a-f]{16}$/.test(id)) return {
		...one,
		why: STAYS.name
	};
	if (stat === null || !stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 63) !== 0) return {
		...one,
		why: STAYS.foreign
	};
	const own = facts.sessions.filter(({ projectId }) => projectId === id);
	const used = lastUsed(dir);
	one.lastUse = used === null ? "" : new Date(used).toISOString();
	one.sessions = own.filter(({ levels }) => levels?.includes("box")).map((meta) => meta.id);
	one.running = own.some((meta) => isBoxRunning(stateDir, meta.id));
	const root = readRoot(dir);
	one.root = root;
	if (root === null) return {
		...one,
		why: STAYS.record
	};
	if (orNull(() => lstatSync(fsPath(root))) !== null) return {
		...one,
		state: "used"
	};
	const above = parentOf$1(root);
	if (orNull(() => statSync(fsPath(above)))?.isDirectory() !== true) return {
		...one,
		why: STAYS.above(toDisplay(above))
	};
	if (namesOrNone(above).length === 0) return {
		...one,
		why: STAYS.empty(toDisplay(above))
	};
	if (one.running) return {
		...one,
		why: STAYS.running
	};
	for (const meta of own) {
		const pending = await facts.hasPending(meta.id).catch(() => null);
		if (pending !== false) return {
			...one,
			why: (pending === null ? STAYS.unread : STAYS.pending)(meta.id)
		};
	}
	const [unread] = facts.broken;
	if (unread !== void 0) return {
		...one,
		why: STAYS.unread(unread.id)
	};
	return {
		...one,
		state: "gone"
	};
}
function isBoxRunning(stateDir, session) {
	const dir = sessionDir(stateDir, session);
	return isBoxed(dir) && isClientRunning(dir);
}
function trashedInstances(stateDir) {
	return (orNull(() => readdirSync(join(stateDir, "trash"))) ?? []).flatMap((name) => {
		const [, id = "", at = ""] = /^box\.([0-9a-f]{16})\.(\d{1,15})$/.exec(name) ?? [];
		return id === "" ? [] : [{
			name,
			id,
			at: Number(at)
		}];
	}).sort((a, b) => a.at - b.at);
}
function removeTrashed(stateDir, { name }) {
	removePath(nodePort, fromText(join(stateDir, "trash")), name);
}
async function trashInstance(stateDir, id, now) {
	const trash = join(stateDir, "trash");
	mkdirSync(trash, {
		recursive: true,
		mode: 448
	});
	const to = join(trash, `box.${id}.${now}`);
	renameSync(instanceDir(stateDir, id), to);
	await syncDirectory(trash);
	return to;
}
var PROXY_PORT = 3128;
function ownMark(event) {
	if (event.t === "file" && event.request !== "") return `file-${event.request}`;
	if (event.t === "permission" && event.request !== "") return `tool-${event.request}`;
	return (event.t === "commit" || event.t === "commit.undone") && event.n > 0 ? `commit-${event.n}` : null;
}
function markContent(event) {
	switch (event.t) {
		case "prompt": return {
			kind: "prompt",
			text: event.text,
			cut: event.cut
		};
		case "file": {
			const { tool, path, outcome, agent, text } = event;
			return {
				kind: "file",
				tool,
				path,
				outcome,
				agent,
				text
			};
		}
		case "permission": {
			const { tool, subject, agent, decision, by, rule, why } = event;
			if (isShell(tool) || decision === "pass" || by === "built-in") return null;
			return {
				kind: "tool",
				tool,
				subject,
				agent,
				decision,
				by,
				rule,
				why
			};
		}
		case "commit": {
			const { n, state, entries, bytes, conflicts, text, auto } = event;
			return {
				kind: "commit",
				n,
				state,
				entries,
				bytes,
				conflicts,
				text,
				auto
			};
		}
		case "discard": return {
			kind: "discard",
			trash: event.trash,
			entries: event.entries
		};
		case "undo": return {
			kind: "undo",
			what: "discard",
			of: 0,
			state: "applied",
			entries: event.entries,
			text: ""
		};
		case "commit.undone": {
			const { of, redo, state, entries, text } = event;
			return {
				kind: "undo",
				what: redo ? "undo" : "commit",
				of,
				state,
				entries,
				text
			};
		}
		case "adopt": return {
			kind: "adopt",
			from: event.from,
			to: event.to,
			entries: event.entries
		};
		case "session": return {
			kind: "session",
			what: event.source,
			text: ""
		};
		case "session.end": return {
			kind: "session",
			what: "end",
			text: event.reason
		};
		default: return null;
	}
}
function foldLog(events) {
	const fold = new LogFold();
	for (const event of events) fold.push(event);
	return fold;
}
var LogFold = class {
	adoptions = [];
	#entries = /* @__PURE__ */ new Set();
	#byCall = /* @__PURE__ */ new Map();
	#byRequest = /* @__PURE__ */ new Map();
	#tools = /* @__PURE__ */ new Map();
	#leftBy = /* @__PURE__ */ new Map();
	#running = /* @__PURE__ */ new Map();
	#marks = /* @__PURE__ */ new Map();
	#oldKeys = [];
	#position = 1;
	#version = 0;
	#spansVersion = 0;
	push(event, position = 1) {
		this.#position = position;
		this.#version++;
		this.#mark(event);
		switch (event.t) {
			case "call.requested":
				this.#requested(event);
				break;
			case "permission":
				this.#permission(event);
				break;
			case "permission.outcome":
				this.#toolOutcome(event);
				break;
			case "question":
				this.#answered(event);
				break;
			case "call.decided":
				this.#decided(event);
				break;
			case "call.grounds":
				this.#ofCall(event.call);
				break;
			case "call.started":
				this.#update(this.#ofCall(event.call), { start: event });
				this.#running.set(event.call, event);
				return {
					is: "started",
					start: event
				};
			case "call.ended":
				this.#update(this.#ofCall(event.call), { end: event });
				return this.#ended(event.call);
			case "call.failed":
				this.#update(this.#ofCall(event.call), { failed: event });
				return this.#ended(event.call);
			case "call.closed":
				this.#closed(event);
				return this.#ended(event.call);
			case "call.outcome":
				this.#update(this.#ofRequest(event.request), { outcome: event });
				break;
			case "call.saved":
				this.#saved(event);
				break;
			case "call.left":
				this.#left(event);
				break;
			case "processes":
				if (event.state === "ended") this.#gone(event.pids, event.at);
				break;
			case "adopt":
				this.adoptions.push({
					from: event.from,
					to: event.to,
					at: Date.parse(event.at)
				});
				this.#spansVersion++;
		}
		return null;
	}
	views() {
		return Array.from(this.#entries, viewOfEntry);
	}
	view(id) {
		const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
		return entry === void 0 ? null : viewOfEntry(entry);
	}
	tools() {
		return [...this.#tools.values()];
	}
	spans() {
		const found = [];
		for (const entry of this.#entries) {
			if (entry.span === void 0) entry.span = spanOf(entry.call, entry.facts);
			if (entry.span !== null) found.push(entry.span);
		}
		return found.sort((a, b) => a.from - b.from);
	}
	get version() {
		return this.#version;
	}
	get spansVersion() {
		return this.#spansVersion;
	}
	get running() {
		return this.#running;
	}
	marks(after = 0) {
		const found = [];
		for (const { mark, touched } of this.#marks.values()) if (touched > after) found.push(mark);
		return found;
	}
	after(position) {
		const calls = [];
		for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
		if (position > 0 && calls.some((call) => callKey(call) === "")) return this.after(0);
		const gone = this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key);
		return {
			whole: position === 0,
			calls: calls.map((call) => ({
				...call,
				head: "",
				tail: ""
			})),
			gone: position === 0 ? [] : gone,
			marks: this.marks(position)
		};
	}
	#requested(event) {
		const entry = this.#ofRequest(event.request);
		this.#update(entry, { request: {
			...event,
			at: entry.facts.request?.at ?? event.at
		} });
	}
	#permission(event) {
		if (isShell(event.tool)) {
			this.#update(this.#ofRequest(event.request), { permission: event });
			return;
		}
		const before = this.#tools.get(event.request);
		this.#tools.set(event.request, {
			...permissionView(event),
			at: before?.at ?? event.at,
			outcome: null,
			outcomeBy: null,
			error: ""
		});
	}
	#toolOutcome(event) {
		const { request, outcome, by, error } = event;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			outcome,
			outcomeBy: by,
			error
		});
		else if (entry !== void 0 && outcome === "denied") this.#update(entry, { denied: event });
	}
	#answered({ request, end, by }) {
		if (end === "open") return;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		const answered = {
			end,
			by
		};
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			answered
		});
		else if (entry !== void 0) this.#update(entry, { answered });
	}
	#decided(event) {
		const byRequest = event.request === "" ? void 0 : this.#byRequest.get(event.request);
		const byCall = this.#byCall.get(event.call);
		if (byRequest === void 0 || byRequest.call !== "" && byRequest !== byCall) {
			const entry = byCall ?? this.#add({ call: event.call });
			if (byRequest === void 0 && event.request !== "") this.#bindRequest(entry, event.request);
			const request = byRequest?.facts.request;
			this.#update(entry, request === void 0 ? { decision: event } : {
				decision: event,
				request
			});
			return;
		}
		byRequest.call = event.call;
		this.#byCall.set(event.call, byRequest);
		this.#update(byRequest, {
			...byCall?.facts,
			decision: event
		});
		if (byCall !== void 0 && byCall !== byRequest) {
			this.#entries.delete(byCall);
			this.#wasKey(callKey({
				id: byCall.call,
				request: byCall.request
			}));
		}
	}
	#ended(call) {
		const start = this.#running.get(call) ?? null;
		this.#running.delete(call);
		return {
			is: "ended",
			start
		};
	}
	#saved(event) {
		const entry = this.#ofCall(event.call);
		this.#update(entry, { saved: [...entry.facts.saved ?? [], event] });
	}
	#closed(event) {
		if (event.call === "" && event.request === "") return;
		const entry = event.call === "" ? this.#ofRequest(event.request) : this.#ofCall(event.call);
		this.#update(entry, { closed: event });
	}
	#left({ call, pids, at }) {
		this.#gone(pids, at);
		const entry = this.#ofCall(call);
		for (const pid of pids) this.#leftBy.set(pid, call);
		const left = [.../* @__PURE__ */ new Set([...entry.facts.left ?? [], ...pids])];
		this.#update(entry, {
			left,
			gone: entry.facts.gone?.filter((pid) => !pids.includes(pid)) ?? []
		});
	}
	#gone(pids, at) {
		for (const pid of pids) {
			const call = this.#leftBy.get(pid);
			this.#leftBy.delete(pid);
			if (call === void 0) continue;
			const entry = this.#ofCall(call);
			this.#update(entry, {
				gone: [...entry.facts.gone ?? [], pid],
				goneAt: at
			});
		}
	}
	#mark(event) {
		const content = markContent(event);
		if (content === null) return;
		const prefix = event.t === "commit" ? "refused" : content.kind;
		const id = ownMark(event) ?? `${prefix}-${this.#marks.size}`;
		const at = this.#marks.get(id)?.mark.at ?? event.at;
		this.#marks.set(id, {
			mark: {
				id,
				at,
				...content
			},
			touched: this.#position
		});
	}
	#ofRequest(request) {
		return this.#byRequest.get(request) ?? this.#add({ request });
	}
	#ofCall(call) {
		return this.#byCall.get(call) ?? this.#add({ call });
	}
	#add({ call = "", request = "" }) {
		const entry = {
			call,
			request: "",
			facts: {},
			view: void 0,
			span: void 0,
			touched: this.#position
		};
		this.#entries.add(entry);
		if (call !== "") this.#byCall.set(call, entry);
		if (request !== "") this.#bindRequest(entry, request);
		return entry;
	}
	#bindRequest(entry, request) {
		this.#wasKey(callKey({
			id: entry.call,
			request: entry.request
		}));
		entry.request = request;
		this.#byRequest.set(request, entry);
	}
	#wasKey(key) {
		if (key !== "") this.#oldKeys.push({
			key,
			touched: this.#position
		});
	}
	#update(entry, facts) {
		Object.assign(entry.facts, facts);
		entry.view = void 0;
		entry.span = void 0;
		entry.touched = this.#position;
		if (facts.outcome === void 0 && entry.facts.start?.mode === "sandbox") this.#spansVersion++;
	}
};
function viewOfEntry(entry) {
	entry.view ??= viewOf$1(entry.call === "" ? entry.request : entry.call, entry.request, entry.facts);
	return entry.view;
}
var CHUNK_BYTES = 262144;
var SMALL_BYTES = 4096;
var WITNESS_BYTES = 64;
async function readLog(sessionDir, wanted = null) {
	const tail = new LogTail(sessionDir, wanted);
	const { events, raw, size } = await tail.read();
	const pending = tail.pending();
	return {
		events,
		raw: pending === null ? raw : [...raw, pending],
		size
	};
}
async function readFold(sessionDir, wanted = null) {
	return foldLog((await readLog(sessionDir, wanted)).events);
}
var LogTail = class {
	#path;
	#wanted;
	#parser;
	#size = 0;
	#inode = "";
	#witness = /* @__PURE__ */ new Uint8Array();
	#queue = Promise.resolve();
	constructor(sessionDir, wanted = null) {
		this.#path = logPath(sessionDir);
		this.#wanted = wanted;
		this.#parser = new LogParser(wanted);
	}
	read() {
		const result = this.#queue.then(() => this.#read());
		this.#queue = result.catch(() => void 0);
		return result;
	}
	pending() {
		return this.#parser.pending();
	}
	async #read() {
		let file = null;
		try {
			file = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
			const reset = this.#isAnother(file);
			if (reset) this.#restart();
			return {
				...await this.#readOn(file),
				reset
			};
		} catch (error) {
			if (file === null && errorCode(error) === "ENOENT") return this.#gone();
			if (file !== null) this.#inode = "unknown";
			throw logUnreadable(this.#path, error);
		} finally {
			if (file !== null) closeSync(file);
		}
	}
	async #readOn(file) {
		const news = {
			events: [],
			raw: [],
			size: this.#size
		};
		const left = fstatSync(file).size - this.#size;
		const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
		for (;;) {
			const bytesRead = readSync(file, buffer, 0, buffer.length, this.#size);
			if (bytesRead === 0) break;
			const chunk = buffer.subarray(0, bytesRead);
			for (const line of this.#parser.push(chunk)) if (isRaw(line)) news.raw.push(line);
			else news.events.push(line);
			this.#size += bytesRead;
			this.#witness = lastBytes(this.#witness, chunk);
			if (bytesRead < buffer.length) break;
			await setImmediate();
		}
		return {
			...news,
			size: this.#size
		};
	}
	#isAnother(file) {
		const { dev, ino } = fstatSync(file, { bigint: true });
		const inode = `${dev}:${ino}`;
		const known = this.#inode;
		this.#inode = inode;
		if (known === "") return false;
		if (known !== inode) return true;
		const length = this.#witness.length;
		const found = new Uint8Array(length);
		return readSync(file, found, 0, length, this.#size - length) < length || Buffer.compare(found, this.#witness) !== 0;
	}
	#gone() {
		const reset = this.#size > 0;
		this.#restart();
		this.#inode = "";
		return {
			events: [],
			raw: [],
			size: 0,
			reset
		};
	}
	#restart() {
		this.#parser = new LogParser(this.#wanted);
		this.#size = 0;
		this.#witness = /* @__PURE__ */ new Uint8Array();
	}
};
function lastBytes(before, chunk) {
	if (chunk.length >= WITNESS_BYTES) return chunk.slice(-64);
	const joined = Buffer.concat([before, chunk]);
	return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
async function clientProcesses(ctx) {
	const fold = async () => await readFold(ctx.sessionDir);
	const found = await sessionProcesses(ctx.source, async () => (await fold()).spans());
	if (found.length === 0) return [];
	const others = new Set((await fold()).views().flatMap(({ id, origin }) => origin === "exec" || origin === "explore" ? [id] : []));
	return found.filter(({ call }) => call === null || !others.has(call));
}
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
		const trace = new ScanTrace(ctx, isLocal(ctx) && (await liveProcesses(ctx.source)).length === 0);
		trace.during(() => {
			for (const path of ownFiles(ctx)) trace.#take(path, lstatEntry(path));
		});
		return trace;
	}
	during(part) {
		const before = watchLstat((path, entry) => this.#record(path, entry));
		try {
			return part();
		} finally {
			watchLstat(before);
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
		if (this.#uppers.some((upper) => isWithin(path, upper))) {
			if (entry?.type === "dir") this.#take(path, entry);
			return;
		}
		if (entry !== null) this.#take(path, entry);
		else this.#missing(parentOf$1(path));
	}
	#missing(dir) {
		if (dir === this.#lastDir) return;
		this.#lastDir = dir;
		this.during(() => this.#take(dir, lstatEntry(dir)));
	}
	#take(path, entry) {
		const changed = entry === null ? -1 : Number(entry.ctimeNs / 1000n) / 1e3;
		if (changed > this.#began - YOUNG_MS || this.#paths.length === PATHS_MAX) this.#usable = false;
		this.#paths.push(path);
		this.#stats.push(entry === null ? -1 : Number(entry.ino), changed);
	}
};
async function isUnchanged(ctx, mark) {
	if (mark.settings !== settingsOf(ctx) || (await liveProcesses(ctx.source)).length > 0) return false;
	try {
		return !await inSlices(differences(mark), () => true);
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
		return lstatSync(path, { throwIfNoEntry: false });
	} catch (error) {
		if (errorCode(error) === "ENOTDIR") return void 0;
		throw error;
	}
}
function ownFiles({ sessionDir, coveredDirs }) {
	const overlay = joinPath(fromText(sessionDir), "overlay");
	return [
		joinPath(overlay, "."),
		...namesOrNone(overlay).map((name) => joinPath(overlay, name)),
		...coveredDirs.flatMap(({ upper, work }) => [
			upper,
			work,
			joinPath(work, "work"),
			joinPath(parentOf$1(upper), "copies.json")
		])
	];
}
function isLocal({ coveredDirs }) {
	return coveredDirs.every(({ path, upper }) => hasOurTimes(path) && hasOurTimes(upper));
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
	const hash = createHash("sha1");
	for (const [path, { id, own, ctimeNs }] of dirs) hash.update(`${path}\0${id}\0${own}\0${ctimeNs}\0`);
	const files = orNull(() => filesIn(ctx, dirs));
	if (files === null) return null;
	const { coveredDirs } = ctx;
	const looked = files.length > FILES_MAX ? coveredDirs.map(({ work }) => joinPath(work, "work")) : files;
	for (const path of looked) {
		const entry = lstatEntry(path);
		hash.update(`${path}\0${entry?.ino}\0${entry?.ctimeNs}\0`);
	}
	return hash.digest("hex");
}
function filesIn({ coveredDirs }, dirs) {
	const found = [];
	for (const [path, dir] of dirs) {
		const upper = upperPathIn(coveredDirs, path);
		if (upper === null) continue;
		const below = new Set(dir.dirs);
		for (const name of readNames(upper)) if (!below.has(name)) found.push(joinPath(upper, name));
		if (found.length > FILES_MAX) break;
	}
	return found;
}
function readsOtherwise({ kind }) {
	return kind !== "none" && kind !== "meta";
}
var NOT_READ = { state: "none" };
async function lookThrough(ctx, given, thorough) {
	const onHost = lstatOrNone(given) !== null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf$1(at);
			continue;
		}
		const here = joinPath(at, name);
		if (lstatOrNone(here)?.type !== "symlink" || links === 40) {
			at = here;
			continue;
		}
		links++;
		const link = await look(ctx, here, thorough);
		if (readsOtherwise(link)) return {
			...link,
			onHost
		};
		const target = readTarget(here);
		todo.unshift(...partsOf(target));
		if (target.startsWith("/")) at = "/";
	}
	return await look(ctx, at, thorough);
}
async function look(ctx, path, thorough) {
	const covered = isExcluded(path, ctx.excluded) ? null : coveringDir(ctx.coveredDirs, path);
	if (covered === null) return {
		...nothing(path),
		onHost: lstatOrNone(path) !== null
	};
	const descent = new Descent(ctx, covered, path);
	const found = await descent.run();
	if (found.kind !== "none") return found;
	const fromHost = found.onHost && !found.copied;
	if (!fromHost && !thorough) return found;
	const replaced = await replacedAmong(ctx, covered, descent.merged);
	if (replaced === null) return found;
	return {
		...found,
		kind: "replaced",
		at: replaced,
		inView: found.inView && !fromHost
	};
}
var Descent = class {
	merged = [];
	ctx;
	covered;
	path;
	added = null;
	constructor(ctx, covered, path) {
		this.ctx = ctx;
		this.covered = covered;
		this.path = path;
	}
	async run() {
		let at = this.covered.path;
		const rest = partsOf(this.path.slice(at === "/" ? 0 : at.length));
		let hostDir = lstatOrNone(at)?.type === "dir";
		for (let name = rest.shift(); name !== void 0; name = rest.shift()) {
			at = joinPath(at, name);
			const upper = hostEntry(upperPath(this.covered, at));
			if (upper === "closed") return this.differs("closed", parentOf$1(at), true);
			const host = hostDir ? lstatOrNone(at) : null;
			const last = rest.length === 0;
			if (upper === null || isWhiteout(upper)) return this.withoutUpper(at, upper, host);
			if (upper.type !== "dir") return await this.notADirectory(at, upper, host, last);
			if (host === null) this.added ??= at;
			else if (host.type !== "dir") return this.differs("replaced", at, this.isInUpper());
			else this.merged.push({
				path: at,
				upperPath: upperPath(this.covered, at),
				upper
			});
			hostDir = host?.type === "dir";
		}
		if (this.added !== null) return this.differs("added", this.added, true);
		return {
			...nothing(this.path),
			onHost: hostDir,
			copied: this.merged.length > 0
		};
	}
	withoutUpper(at, upper, host) {
		if (host !== null && upper !== null) return this.differs("deleted", at, false);
		if (this.added !== null) return this.differs("added", this.added, false);
		return {
			...nothing(this.path),
			onHost: host !== null && this.isOnHost()
		};
	}
	async notADirectory(at, upper, host, last) {
		const inView = last || upper.type === "symlink";
		const kind = !last && host !== null && host.type !== "dir" ? "none" : await this.judge(at, upper, host);
		if (kind === "none") {
			if (this.added !== null) return this.differs("added", this.added, inView);
			return {
				...nothing(this.path),
				onHost: this.isOnHost(),
				copied: last
			};
		}
		return this.differs(kind, kind === "added" ? this.added ?? at : at, inView);
	}
	async judge(at, upper, host) {
		const copy = upperPath(this.covered, at);
		const judge = async (base) => {
			if (host?.type === upper.type) {
				const kind = await resultOf$1(judgeSameType({
					path: at,
					host,
					upperPath: copy,
					upper,
					base
				}));
				return kind === "modified" || kind === "meta" ? kind : "none";
			}
			if (equalsBase(copy, upper, base)) return "none";
			return host === null ? "added" : "replaced";
		};
		try {
			const kind = await judge(NOT_READ);
			return kind === "none" ? kind : await judge((await readBases(this.ctx)).lookup(at));
		} catch (error) {
			if (errorCode(error) === "EACCES") return host === null ? "added" : "modified";
			throw error;
		}
	}
	isInUpper() {
		const entry = lstatEntry(upperPath(this.covered, this.path));
		return entry !== null && !isWhiteout(entry);
	}
	isOnHost() {
		return lstatOrNone(this.path) !== null;
	}
	differs(kind, at, inView) {
		return {
			kind,
			at,
			inView,
			onHost: this.isOnHost(),
			copied: false
		};
	}
};
function nothing(path) {
	return {
		kind: "none",
		at: path,
		inView: true,
		onHost: false,
		copied: false
	};
}
var OLD_MS = 864e5;
function dropRunFiles(sessionDir, quiet) {
	const dir = `${sessionDir}/run`;
	for (const name of orNull(() => readdirSync(dir)) ?? []) {
		const file = `${dir}/${name}`;
		const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
		orNull(() => {
			if (pid === void 0 ? quiet && Date.now() - lstatSync(file).mtimeMs > OLD_MS : !existsSync(`/proc/${pid}`)) rmSync(file, { force: true });
		});
	}
}
async function reap(ctx, listed = /* @__PURE__ */ new Map()) {
	const file = readBaseFile(ctx);
	const directories = [];
	const finder = new Finder(ctx, makeBases(file.records), listed);
	for (const { path, upper } of ctx.coveredDirs) for (const directory of await collect$1(finder.find(path, upper))) directories.push(directory);
	keepXattrs(directories);
	const asked = directories.filter(({ root, unchanged, entries }) => !root && (unchanged || entries.length > 0));
	const visible = asked.length === 0 ? /* @__PURE__ */ new Set() : await showing(ctx, asked);
	const going = directories.filter(({ root, path }) => root || visible.has(path));
	const removed = await collect$1(removeFrom(going));
	const gone = removed.filter((path) => file.records.has(path));
	dropBases(ctx, file, gone);
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
			onHost: lstatEntry(root)?.type === "dir",
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
			for (const name of namesOrNone(at.upperPath)) {
				const path = joinPath(at.path, name);
				const upperPath = joinPath(at.upperPath, name);
				const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
				if (upper === null) continue;
				const host = at.onHost ? hostEntry(path) : null;
				if (host === "closed" || isClosed$1(upper, this.ctx.root) || holdsOutOfReach(upperPath)) continue;
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
		if (isWhiteout(upper)) return host === null;
		if (host?.type === upper.type && host.mtimeNs === upper.mtimeNs) {
			if ((yield* judgeSameType({
				path,
				host,
				upperPath,
				upper,
				base: { state: "none" }
			})) === null) return true;
		}
		const base = this.bases.lookup(path);
		if (base.state !== "known") return false;
		return (host === null || !sameEntry(base.host, toHostStat(host, path))) && equalsBase(upperPath, upper, base);
	}
	fresh(at) {
		const { dirs, devices } = this.inside(at);
		const below = [];
		for (const name of dirs) {
			const [path, upperPath] = [joinPath(at.path, name), joinPath(at.upperPath, name)];
			if (!isExcluded(path, this.ctx.excluded)) below.push({
				...at,
				path,
				upperPath,
				entries: []
			});
		}
		for (const name of devices) {
			if (isExcluded(joinPath(at.path, name), this.ctx.excluded)) continue;
			const entry = lstatEntry(joinPath(at.upperPath, name));
			if (entry !== null && isWhiteout(entry)) at.entries.push(name);
		}
		return below;
	}
	inside({ path, upperPath }) {
		const was = this.listed.get(path);
		if (was !== void 0 && was.ctimeNs === String(lstatEntry(upperPath)?.ctimeNs)) return {
			dirs: was.dirs,
			devices: [...was.marks.keys()]
		};
		const found = orIfRefused(() => readEntries(upperPath), []);
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
			unchanged: onHost ? !metaChanged({
				host,
				upper,
				base
			}) : onlyTouched(upper, base),
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
			path: joinPath(path, name),
			upperPath: joinPath(upperPath, name)
		}));
		return unchanged && !root ? [...inside, {
			directory,
			path,
			upperPath
		}] : inside;
	});
	for (const { pair, upper } of otherXattrs(pairs)) {
		const { directory, path } = pair;
		if (directory.path === path) directory.unchanged = directory.xattrs === xattrHash(upper);
		else directory.entries = directory.entries.filter((name) => joinPath(directory.path, name) !== path);
	}
}
async function showing(ctx, directories) {
	return await useAndCloseAsync(await openViewer(ctx), async (viewer) => {
		const shows = ({ path, upperPath, onHost }) => !onHost || orIfRefused(() => showsHost(viewer, {
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
			removeOne(() => unlinkSync(fsPath(joinPath(upperPath, name))), upperPath);
			yield joinPath(path, name);
		}
		if (!unchanged || namesOrNone(upperPath).length > 0) continue;
		removeOne(() => rmdirSync(fsPath(upperPath)), parentOf$1(upperPath));
		yield path;
	}
}
function removeOne(take, parent) {
	try {
		take();
	} catch (error) {
		const mode = errorCode(error) === "EACCES" ? lstatEntry(parent)?.mode : void 0;
		if (mode === void 0) throw error;
		chmodSync(fsPath(parent), mode | 192);
		try {
			take();
		} finally {
			chmodSync(fsPath(parent), mode);
		}
	}
}
var rounds = /* @__PURE__ */ new Map();
async function tidy(ctx, earliestCall) {
	const began = momentNow(ctx);
	const passBegan = Date.now() - 20;
	const left = await leftIn(ctx);
	const live = left.length > 0;
	dropRunFiles(ctx.sessionDir, !live);
	const before = rounds.get(ctx.sessionDir);
	if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await readUppers(ctx))) {
		if (!live) clearMarks(ctx);
		confirmBases(ctx, passBegan);
		if (began !== null) confirmListing(ctx, began);
		return { left };
	}
	rounds.delete(ctx.sessionDir);
	try {
		return await withSession(ctx, "live", async (session) => await tidyBehindDoor(session, {
			live,
			earliestCall
		}));
	} catch (error) {
		if (error instanceof MovedOn) return { left: [] };
		throw error;
	}
}
async function tidyBehindDoor(session, { live, earliestCall }) {
	keepReserve(session);
	const listed = await listUppers(session, !live && await asQuiet(session) !== null);
	const before = live ? restingState(session, listed) : null;
	await recordBases(session, earliestCall === null ? {} : { earliestCall });
	const left = live ? await leftIn(session) : [];
	if (left.length > 0 || await asQuiet(session) === null) {
		if (before !== null) rounds.set(session.sessionDir, {
			state: before,
			quiet: false
		});
		return { left: left.length > 0 ? left : await leftIn(session) };
	}
	const quiet = await expectQuiet(session);
	await finishInterruptedUndo(quiet);
	const dropped = await dropCommitted(quiet);
	clearQuiet(quiet);
	const { removed } = await reap(quiet, listed.dirs);
	const state = stateOf(quiet, dropped + removed === 0 ? listed : await readUppers(quiet));
	if (state !== null) rounds.set(session.sessionDir, {
		state,
		quiet: true
	});
	return { left: [] };
}
async function leftIn({ source }) {
	return (await liveProcesses(source)).map(({ pid }) => pid);
}
function restingState(ctx, listed) {
	const young = BigInt(Date.now() - 20) * 1000000n;
	return [...listed.dirs.values()].every(({ ctimeNs }) => BigInt(ctimeNs) < young) ? stateOf(ctx, listed) : null;
}
function stateOf(ctx, dirs) {
	const uppers = upperState(ctx, dirs);
	return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
var MARKS = {
	"added": "A",
	"modified": "M",
	"deleted": "D",
	"replaced": "R",
	"dir-replaced": "R",
	"meta": "P"
};
function countsText(counts) {
	const parts = [
		"added",
		"modified",
		"deleted",
		"replaced",
		"meta"
	].filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind === "meta" ? "mode or owner" : kind}`);
	return parts.length === 0 ? "nothing" : parts.join(", ");
}
function statusText(input, style, most) {
	const { list } = input;
	const shown = list.changes.filter((change) => change.ignored === null);
	const head = shown.length === 0 ? `${list.problems.length > 0 ? "Nothing readable" : "Nothing"} is pending in session ${style.bold(input.session)}` : `${countText(shown.length, "change")} pending in session ${style.bold(input.session)}: ${countsText(list.counts)}, ${sizeText(list.bytes)}`;
	const ignored = list.ignored.count === 0 ? "" : style.dim(` (+ ${list.ignored.count} ignored, ${sizeText(list.ignored.bytes)})`);
	const times = list.times === void 0 ? "" : style.dim(` (+ ${countText(list.times, "time")})`);
	const lines = [head + ignored + times, ...warnings(input, style)];
	for (const change of shown.slice(0, most)) lines.push(changeLine(change, input.projectRoot, style));
	if (shown.length > most) lines.push(style.dim(`  … and ${shown.length - most} more: trai diff --list, or /trai:ui`));
	return lines.join("\n");
}
function warnings(input, style) {
	const lines = [];
	if (input.off !== null) lines.push(style.yellow(`The sandbox is off for this session: ${input.off}`));
	if (input.caught) lines.push(style.red("NOT SANDBOXED: a call of this session ran on the host, see trai log"));
	if (input.unfinished) lines.push(style.yellow("A commit was interrupted. The next commit completes it."));
	if (input.low !== null) lines.push(style.yellow(lowText(input.low)));
	const risks = countRisks(input.list.changes, {
		...input,
		hidden: input.texts.hidden
	}).map(riskText);
	if (input.texts.unread > 0) risks.push(unreadText(input.texts.unread));
	if (risks.length > 0) lines.push(style.yellow(`Worth a look: ${risks.join(", ")}`));
	if (input.list.conflicts > 0) lines.push(style.red(conflictText(input.list)));
	for (const overlap of input.overlaps) {
		const text = overlapText(overlap.session, overlap, input.projectRoot);
		lines.push(style.yellow(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
	}
	for (const problem of input.list.problems) lines.push(style.red(`Could not be read: ${problem.path}: ${problem.message}`));
	if (input.processes.length > 0) {
		lines.push(`${countText(input.processes.length, "running process", "running processes")}:`);
		for (const one of input.processes.slice(0, 10)) lines.push(style.dim(`  ${one.pid}  ${one.command}`));
	}
	return lines;
}
function conflictText(list) {
	const moved = hostMoved(list).length;
	const closed = list.conflicts - moved;
	const pending = list.changes.filter((change) => change.ignored === null).length;
	const parts = moved === 0 ? [] : [`The host changed ${moved} of ${countText(pending, "pending path")} since`];
	if (closed > 0) parts.push(`${countText(closed, "directory", "directories")} cannot be read`);
	return parts.join("; ");
}
function changeLine(change, projectRoot, style) {
	const mark = MARKS[change.kind];
	const colour = mark === "A" ? style.green : mark === "D" ? style.red : style.yellow;
	const slash = (change.pending ?? change.host)?.type === "dir" ? "/" : "";
	const conflict = change.conflict === null ? "" : style.red(`  ${change.conflict === "unreadable" ? "" : "conflict: "}${CONFLICT_REASONS[change.conflict]}`);
	return `  ${colour(mark)} ${shownPath(change.path, projectRoot)}${slash}${style.dim(detail(change, projectRoot))}${conflict}${effectsText(change, style)}`;
}
var EFFECT_WORDS = {
	flag: "flagged",
	confirm: "to be confirmed",
	never: "not to be committed",
	auto: "committed by itself"
};
function effectsText({ effects = [] }, style) {
	return effects.map((one) => style.yellow(`  ${EFFECT_WORDS[one.do]} (${one.text})`)).join("");
}
function detail(change, projectRoot) {
	const { pending, host } = change;
	if (pending?.type === "symlink" && pending.target !== void 0) return ` -> ${toDisplay(pending.target)}`;
	if (change.renamedFrom !== void 0) return ` (renamed from ${shownPath(change.renamedFrom, projectRoot)})`;
	if (pending === null || host === null) return "";
	if (change.kind === "dir-replaced") return " (directory recreated)";
	if (pending.type !== host.type) return ` (${host.type} becomes ${pending.type})`;
	const parts = [];
	if (pending.mode !== host.mode) parts.push(`mode ${host.mode.toString(8)} to ${pending.mode.toString(8)}`);
	if (pending.uid !== host.uid || pending.gid !== host.gid) parts.push(`owner ${host.uid}:${host.gid} to ${pending.uid}:${pending.gid}`);
	if (change.xattrs === true) parts.push("extended attributes");
	return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
function rowArgs({ from, to, how }) {
	switch (how) {
		case "tmpfs": return to === "/tmp" ? [
			"--perms",
			"1777",
			"--tmpfs",
			to
		] : ["--tmpfs", to];
		case "proc": return ["--proc", to];
		case "dev": return ["--dev", to];
		case "ro":
		case "empty": return [
			"--ro-bind",
			from ?? to,
			to
		];
		case "host":
		case "pending":
		case "instance": return [
			"--bind",
			from ?? to,
			to
		];
	}
}
function fixedArgs({ cwd, net, newSession }) {
	return [
		...NAMESPACES.map((name) => [name]),
		["--cap-drop", "ALL"],
		...net === "open" ? [] : [["--unshare-net"]],
		...newSession ? [["--new-session"]] : [],
		["--chdir", cwd]
	];
}
function boxArgs({ rows, ...fixed }) {
	const words = [...rows.filter(({ how }) => how !== "empty").flatMap(rowArgs), ...fixedArgs(fixed).flat()];
	return Buffer.from(words.map((word) => `${word}\0`).join(""), "latin1");
}
function hiddenPaths(rows, unseen) {
	const hidden = rows.filter(({ how }) => how === "empty").map(({ to }) => to);
	return [.../* @__PURE__ */ new Set([...hidden, ...unseen])].sort((a, b) => rowOrder(a) < rowOrder(b) ? -1 : 1);
}
var ENTRY_PROGRAMS = [
	"bash",
	"mkdir",
	"readlink"
].map(programPath);
var entryWord = (path) => path.replace(/[^A-Za-z0-9/._-]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
var ENTRY = `shopt -s nullglob
t_bwrap=$1 t_status=$2 t_gate=$3 t_none=$4
printf -v t_project %b "$5"
shift 5
t_dirs=() t_files=() t_hide=() t_hidden=()
while [[ $1 != -- ]]; do
  t_what=$1
  printf -v t_path %b "$2"
  shift 2
  case $t_what in
    dir) [[ -d $t_path ]] || t_dirs+=("$t_path") ;;
    file) t_files+=("$t_path") ;;
    hide)
      t_given=$t_path t_dir=\${t_path%/*}
      while [[ ! -d \${t_dir:=/} ]]; do t_dir=\${t_dir%/*}; done
      if [[ ! -x $t_dir ]]; then t_given=$t_dir t_path=$t_dir; fi
      [[ -e $t_path ]] || continue
      cd -P -- "\${t_path%/*}/" || exit 125
      t_path=\${PWD%/}/\${t_path##*/}
      if [[ -L $t_path ]]; then
        t_path=$(${programPath("readlink")} -f -- "$t_path" && printf x) || exit 125
        t_path=\${t_path%$'\\nx'}
      fi
      [[ $t_path == "$t_given" || $t_path == "$t_project"/* ]] || continue
      for t_one in "\${t_hidden[@]}"; do [[ $t_path/ != "$t_one"/* ]] || continue 2; done
      t_hidden+=("$t_path")
      if [[ -d $t_path ]]; then t_hide+=(--ro-bind "$t_none/dir" "$t_path")
      else t_hide+=(--ro-bind "$t_none/file" "$t_path"); fi
      ;;
  esac
done
((!\${#t_dirs[@]})) || ${programPath("mkdir")} -p -m 700 -- "\${t_dirs[@]}" || exit 125
for t_file in "\${t_files[@]}"; do [[ -e $t_file ]] || : >"$t_file" || exit 125; done
for t_fd in /proc/self/fd/*; do
  t_fd=\${t_fd##*/}
  ((t_fd <= 3)) || eval "exec $t_fd>&-"
done
exec 4>"$t_status" || exit 125
if [[ -n $t_gate ]]; then
  exec 5<"$t_gate" || exit 125
  set -- --block-fd 5 "$@"
fi
exec "$t_bwrap" --args 3 --json-status-fd 4 "\${t_hide[@]}" "$@"`;
var NAMES = /* @__PURE__ */ new Set([
	...[
		"HOME",
		"USER",
		"LOGNAME",
		"SHELL",
		"PATH",
		"LANG",
		"LANGUAGE",
		"TZ",
		"TERM",
		"COLORTERM",
		"TERM_PROGRAM"
	],
	...[
		"TERM_PROGRAM_VERSION",
		"NO_COLOR",
		"FORCE_COLOR",
		"EDITOR",
		"VISUAL",
		"PAGER",
		"LESS",
		"CI"
	],
	...[
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"NO_PROXY",
		"ALL_PROXY",
		"http_proxy",
		"https_proxy",
		"no_proxy",
		"all_proxy"
	],
	...[
		"NODE_EXTRA_CA_CERTS",
		"SSL_CERT_FILE",
		"SSL_CERT_DIR",
		"API_TIMEOUT_MS",
		"USE_BUILTIN_RIPGREP"
	],
	...[
		"MAX_THINKING_TOKENS",
		"MAX_MCP_OUTPUT_TOKENS",
		"MCP_TIMEOUT",
		"MCP_TOOL_TIMEOUT"
	],
	...[
		"TRAI_STATE_HOME",
		"XDG_STATE_HOME",
		"XDG_CONFIG_HOME",
		"XDG_DATA_HOME",
		"XDG_CACHE_HOME"
	],
	...[
		"NVM_DIR",
		"NVM_BIN",
		"VOLTA_HOME",
		"CARGO_HOME",
		"RUSTUP_HOME",
		"RUSTUP_TOOLCHAIN",
		"GOPATH",
		"GOROOT",
		"GOBIN"
	],
	...[
		"PYENV_ROOT",
		"JAVA_HOME",
		"VIRTUAL_ENV",
		"NIX_PATH",
		"NIX_SSL_CERT_FILE",
		"NIX_PROFILES",
		"LOCALE_ARCHIVE"
	]
]);
var PREFIXES = [
	"LC_",
	"ANTHROPIC_",
	"CLAUDE_CODE_",
	"DISABLE_",
	"BASH_DEFAULT_",
	"BASH_MAX_",
	"FNM_",
	"ASDF_",
	"MISE_",
	"UV_",
	"NPM_CONFIG_PREFIX"
];
var SECRET = /TOKEN|PASSWORD|SECRET|CREDENTIAL/;
var OF_CLIENT = /^(?:ANTHROPIC|CLAUDE_CODE)_/;
var OF_OTHERS = /* @__PURE__ */ new Set([...[
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_MESSAGING_SOCKET"
], ...["CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SSE_PORT"]]);
var PROXY = `http://127.0.0.1:${PROXY_PORT}`;
var SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
var LOCAL = "localhost,127.0.0.1,::1";
var PROXIES = {
	...Object.fromEntries([
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"http_proxy",
		"https_proxy"
	].map((name) => [name, PROXY])),
	ALL_PROXY: SOCKS,
	all_proxy: SOCKS,
	NO_PROXY: LOCAL,
	no_proxy: LOCAL,
	NODE_USE_ENV_PROXY: "1"
};
var CONFIG_DIR = "CLAUDE_CONFIG_DIR";
function boxEnvironment(env, { env: named, net }, allowed) {
	const made = {};
	for (const [name, value] of Object.entries(env)) {
		const isListed = NAMES.has(name) || name === CONFIG_DIR || PREFIXES.some((prefix) => name.startsWith(prefix)) && (OF_CLIENT.test(name) || !SECRET.test(name));
		if (value !== void 0 && !OF_OTHERS.has(name) && (isListed || allowed.some((path) => names(value, path)))) made[name] = value;
	}
	if (net === "list") Object.assign(made, PROXIES);
	for (const given of named) {
		const [, name = "", value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(given) ?? [];
		if (name === "") throw noVariable(given);
		const found = value ?? env[name];
		if (found !== void 0) made[name] = found;
	}
	return made;
}
function names(value, path) {
	return value === path || value === `unix://${path}` || /^unix:(?:.*,)?path=([^,;]+)/.exec(value)?.[1] === path;
}
var PROJECT_FILE = ".claude/trai.box.json";
function joinedOptions(profile, given) {
	return {
		...profile,
		...given,
		allow: [...profile.allow, ...given.allow ?? []],
		hide: [...profile.hide, ...given.hide ?? []],
		env: [...profile.env, ...given.env ?? []]
	};
}
function narrowed(options, file) {
	if (!isObject(file)) return {
		options,
		hide: [],
		ignored: [NARROWS.broken]
	};
	const ignored = [];
	const hide = [];
	const made = { ...options };
	for (const [key, value] of Object.entries(file)) if (key === "net" && isNarrower(value, options.net)) made.net = value;
	else if (key === "read-only" && value === true) made.write = "read-only";
	else if (key === "hide" && Array.isArray(value)) {
		const [inside, outside] = [value.filter(isInside), value.filter((path) => !isInside(path))];
		hide.push(...inside);
		ignored.push(...outside.map((path) => NARROWS.outside(String(path))));
	} else if (!(key === "net" && value === options.net) && !(key === "read-only" && value === false)) ignored.push(NARROWS.widens(key));
	return {
		options: made,
		hide,
		ignored
	};
}
function isNarrower(value, than) {
	return BOX_NETS.indexOf(value) > BOX_NETS.indexOf(than);
}
function isInside(path) {
	return typeof path === "string" && path !== "" && !path.startsWith("/") && !path.includes("\0") && !path.split("/").includes("..");
}
var MAX_FILE_BYTES = 65536;
function gatherFacts(request) {
	const { env, cwd, stateDir } = request;
	const home = homeOf(env);
	const project = projectOf(cwd);
	const state = realOr(fromText(stateDir));
	const { config } = loadConfig(env);
	expectNarrow(project.root, {
		home,
		state,
		scratch: config.scratch.map((dir) => realOr(fromText(dir)))
	});
	const { options, hide, ignored } = narrowed(request.options, projectFile(project.root));
	const own = hide.map((name) => ({
		name,
		path: hiddenByProject(name, project.root)
	}));
	ignored.push(...own.flatMap(({ name, path }) => path === null ? NARROWS.outside(name) : []));
	const { steps } = draftOf({
		stateDir,
		projectRoot: project.root,
		config,
		mountinfo: readFileSync("/proc/self/mountinfo", "latin1"),
		home
	});
	const found = /* @__PURE__ */ new Map();
	const look = (path) => {
		const one = entryAt(path, steps);
		if (one !== null) found.set(path, one);
	};
	const variables = new Map(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
	const configDir = unlinkedParent(clientDirs(home, variables).configDir);
	const isMoved = (env["CLAUDE_CONFIG_DIR"] ?? "") !== "";
	const at = (given) => {
		const text = fromText(given);
		return unlinkedParent(text.startsWith("/") ? text : joinPath(cwd, text));
	};
	const hidden = [...options.hide.map((given) => ({
		given,
		path: hiddenOf(given, at, project.root)
	})), ...own.flatMap(({ path }) => path === null ? [] : [{
		given: null,
		path
	}])];
	const input = {
		home,
		project: project.root,
		gitDirs: gitDirsOf(project.root),
		stateDir: state,
		configDir,
		stateFile: joinPath(isMoved ? configDir : home, ".claude.json"),
		configLinks: linksIn(configDir),
		program: request.program === null ? null : fromText(request.program),
		plugin: realOr(fromText(request.plugin)),
		pathDirs: (env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/")).map(fromText),
		session: request.session,
		allow: options.allow.map((given) => allowedOf(given, at, state)),
		hide: hidden.map(({ path }) => path),
		options
	};
	for (const path of candidates(input)) look(path);
	for (const link of [...found.values()]) look(link.real);
	for (const path of clientPaths(realOr(configDir))) look(path);
	expectPending(input, steps, options);
	const history = realOr(joinPath(configDir, "history.jsonl"));
	const unseen = hidden.filter(({ path }) => !found.has(path));
	return {
		project,
		input,
		found,
		table: boxTable(input, found),
		history,
		options,
		ignored,
		unseen
	};
}
function expectNarrow(project, { home, state, scratch }) {
	if (project === "/") throw projectTooWide(project, WIDE.root);
	if (isWithin(home, project)) throw projectTooWide(project, WIDE.home);
	if (scratch.includes(project)) throw projectTooWide(project, WIDE.scratch);
	if (isWithin(project, state)) throw projectTooWide(project, WIDE.state);
}
function expectPending(input, steps, { write }) {
	const { project, configDir } = input;
	if (write === "pending" && !isCovered(project, steps)) throw projectNotPending(project, CANNOT_COVER);
	if (!isCovered(realOr(configDir), steps)) throw settingsNotPending(configDir);
}
function isCovered(path, steps) {
	const step = innermostStep(steps, path);
	return step?.do === "overlay" || step?.do === "copied";
}
var realOr = (path) => orNull(() => realPath(path)) ?? path;
function unlinkedParent(path) {
	const plain = path.replace(/(.)\/+$/, "$1");
	const name = nameOf(plain);
	if (plain === "/" || name === "." || name === "..") return realOr(plain);
	return joinPath(realOr(parentOf$1(plain)), name);
}
function entryAt(path, steps) {
	return orNull(() => {
		const real = realPath(path);
		const stat = statSync(fsPath(real));
		return {
			type: stat.isDirectory() ? "dir" : stat.isFile() ? "file" : "other",
			real,
			pending: isCovered(real, steps)
		};
	});
}
function gitDirsOf(project) {
	const repository = repositoryOf(project);
	if (repository === null) return [];
	const gitDir = realOr(repository.gitDir);
	const outside = [repository.commonDir, gitDir].filter((dir) => !isWithin(dir, project));
	if (outside.length > 0 && !leadsBack(gitDir, project)) throw foreignRepository(project, repository.commonDir);
	return outside.filter((dir, i) => !outside.some((other, j) => j !== i && isWithin(dir, other) && (dir !== other || j < i)));
}
function leadsBack(gitDir, project) {
	if (isWithin(gitDir, project)) return false;
	const read = (name) => readBytes(joinPath(gitDir, name), MAX_FILE_BYTES) ?? "";
	const worktree = read("gitdir").replace(/[\r\n]+$/, "");
	const named = ["config", "config.worktree"].map((name) => WORKTREE.exec(read(name))?.[1] ?? "");
	return [...worktree === "" ? [] : [parentOf$1(worktree)], ...named.map(unquoted)].some((top) => realOr(top.startsWith("/") ? top : joinPath(gitDir, top)) === project);
}
var WORKTREE = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t\r]*$/m;
var unquoted = (value) => value.replace(/^"(.*)"$/s, "$1").replace(/\\(["\\])/g, "$1");
function linksIn(dir) {
	return (orNull(() => readEntries(dir)) ?? []).filter((entry) => entry.isSymbolicLink()).map((entry) => joinPath(dir, entry.name));
}
function allowedOf(given, at, state) {
	const ro = !(orNull(() => statSync(fsPath(at(given)))) !== null) && given.endsWith(":ro");
	const path = at(ro ? given.slice(0, -3) : given);
	const real = orNull(() => realPath(path));
	if (real === null) throw allowedMissing(path);
	if (real === "/") throw allowsAll(path, ALLOWS.root);
	if (isWithin(real, state) || isWithin(state, real)) throw allowsAll(path, ALLOWS.state);
	return {
		path,
		ro
	};
}
function hiddenOf(given, at, project) {
	const path = realOr(at(given));
	if (path === project || !isWithin(path, project)) throw hiddenOutside(path, project);
	return path;
}
function hiddenByProject(name, project) {
	const path = realOr(unlinkedParent(joinPath(project, fromText(name))));
	return path !== project && isWithin(path, project) ? path : null;
}
function projectFile(project) {
	try {
		const content = readPlainFile(fsPath(joinPath(project, PROJECT_FILE)));
		if (content === null || content.length > MAX_FILE_BYTES) return isMissing(project) ? {} : void 0;
		return JSON.parse(content.toString("utf8"));
	} catch (error) {
		if (error instanceof TraiError) throw error;
		return errorCode(error) === "ENOENT" ? {} : void 0;
	}
}
var isMissing = (project) => orNull(() => statSync(fsPath(joinPath(project, PROJECT_FILE)))) === null;
var HOW_TEXTS = {
	ro: "read-only",
	host: "WRITES YOUR FILES",
	pending: "pending",
	instance: "kept",
	empty: "empty",
	tmpfs: "temporary",
	proc: "its own",
	dev: "its own"
};
var NETWORK = {
	open: "this machine’s, whole: what the box sees it can send anywhere (--net off cuts it off)",
	list: "only the hosts of box.network in config.json, by a proxy; you are asked about others (names, ports and bytes are on the record). A program that ignores HTTPS_PROXY and the like has no network",
	off: "none: Claude Code cannot reach its service from there, nor trai’s hooks the server"
};
function kindsOf(rows) {
	const kinds = /* @__PURE__ */ new Map();
	for (const row of rows) {
		const key = row.how === "host" ? row.to : `${row.how}\0${row.why}`;
		kinds.set(key, [...kinds.get(key) ?? [], row]);
	}
	return [...kinds.values()];
}
var inHome = (path, home) => toDisplay(path !== home && isWithin(path, home) ? `~${path.slice(home.length)}` : path);
function isAsNamed({ from, to, how }) {
	return from === null || from === to || how === "instance" || how === "empty";
}
function pathTexts(rows, home) {
	const dirs = /* @__PURE__ */ new Map();
	for (const row of rows) {
		const dir = row.to === "/" || !isAsNamed(row) ? row.to : parentOf$1(row.to);
		dirs.set(dir, [...dirs.get(dir) ?? [], row]);
	}
	return [...dirs].flatMap(([dir, own]) => {
		if (own.length < 3) return own.map((row) => [inHome(row.to, home), ...isAsNamed(row) ? [] : [inHome(row.from ?? row.to, home)]].join(" <- "));
		const names = own.map(({ to }) => toDisplay(nameOf(to)));
		return [
			`${dir === "/" ? "" : dir === home ? "~" : inHome(dir, home)}/{${names[0]}`,
			...names.slice(1, -1),
			`${names.at(-1)}}`
		];
	});
}
var SCREEN_COLUMNS = 100;
function wrapped(head, words) {
	const room = SCREEN_COLUMNS - head.length;
	const lines = [];
	for (const word of words) {
		const line = lines.at(-1);
		if (line === void 0 || line.length + 1 + word.length > room) lines.push(word.trimStart());
		else lines[lines.length - 1] = `${line} ${word}`;
	}
	return lines.map((line, i) => (i === 0 ? head : " ".repeat(head.length)) + line);
}
function hostLines({ hosts }) {
	if (hosts === void 0) return [];
	const { allow, deny } = hosts;
	return [...wrapped("  allow    ", allow.length === 0 ? ["nothing"] : allow), ...wrapped("  deny     ", deny)];
}
function kindLines(rows, { home, style }) {
	const [{ how, why }] = rows;
	const paths = pathTexts(rows, home).map((text, i, { length }) => i === length - 1 ? text : `${text},`);
	const lines = wrapped(`  ${HOW_TEXTS[how].padEnd(HOW_WIDTH)}  `, [...paths, ...` (${why})`.split(/(?<=\S) /)]);
	return how === "host" ? lines.map(style.yellow) : lines;
}
var HOW_WIDTH = Math.max(...Object.values(HOW_TEXTS).map((text) => text.length));
function auditText(view, screen) {
	const { rows, variables, net } = view;
	const { remarks, style } = screen;
	const bold = (line) => line.replace(/^\w+:/, style.bold);
	return [
		style.bold("The box will see:"),
		...kindsOf(rows).flatMap((kind) => kindLines(kind, screen)),
		...wrapped("Network:   ", NETWORK[net].split(" ")).map(bold),
		...hostLines(view),
		...wrapped("Variables: ", variables).map(bold),
		...remarks.map((one) => style.yellow(one))
	].join("\n");
}
var AUDIT_QUESTION = "Start it? [Y/n] ";
var AUDIT_CANCELLED = "Cancelled. Nothing was started.";
function dryRunText({ program, rows, fixed, command, variables }) {
	const line = (words) => words.map(shellWord).join(" ");
	const width = Math.min(72, Math.max(...rows.map(({ words }) => line(words).length)));
	return [
		"# Inside the session’s namespace (trai exec has the same view, without the instance):",
		"box=(",
		...rows.map(({ words, row }) => `  ${line(words).padEnd(width)}  # ${HOW_TEXTS[row.how]}: ${row.why}`),
		...fixed.map((words) => `  ${line(words)}`),
		")",
		`# With these variables only: ${variables.join(" ")}`,
		`${shellWord(program)} "\${box[@]}" -- ${line(command)}`
	].join("\n");
}
function shellWord(word) {
	if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
	if (/^[\x20-\x7e]*$/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
	return `$'${word.replace(/[^\x20-\x26\x28-\x5b\x5d-\x7e]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
}
function instancesText(instances, style) {
	if (instances.length === 0) return "No boxes yet.";
	return instances.map(({ id, root, bytes, lastUse, running, note }) => {
		const used = lastUse === "" ? "" : `${minuteText(lastUse)}  `;
		const state = running ? style.green("running") : "not running";
		const more = note === "" ? "" : `\n    ${style.yellow(note)}`;
		return `${style.bold(id)}  ${root === null ? "?" : toDisplay(root)}\n    ${used}${sizeText(bytes)}  ${state}${more}`;
	}).join("\n");
}
var PROJECT_IS_GONE = "its project is gone; removed by: trai box --gc";
function undoLine({ id, at }, dir) {
	return `mv -T ${shellWord(fromText(at))} ${shellWord(fromText(`${dir}/${id}`))}`;
}
function boxGcText({ taken, left, dry, dir }) {
	const lines = taken.flatMap((one) => [`  ${one.id}  ${toDisplay(one.root)}  ${sizeText(one.bytes)}`, ...dry ? [] : [`    Back with: ${undoLine(one, dir)}`]]);
	const count = countText(taken.length, "box", "boxes");
	const what = dry ? `Would move ${count} to the trash, whose project is gone:` : `Moved ${count} to the trash, whose project is gone:`;
	return [
		...taken.length === 0 ? ["Nothing to move: every box belongs to a project that is there."] : [what],
		...lines,
		...left.map(({ id, why }) => `Left ${toDisplay(id)}: ${why}`)
	].join("\n");
}
function boxGarbageLines({ gone, old }, as) {
	const [moved, removed] = as === "done" ? ["Moved", "Removed"] : [" ", " "];
	const to = as === "done" ? " to the trash" : "";
	return [...gone.map(({ id, root, bytes }) => `${moved} box ${id} of ${toDisplay(root)}${to}, ${sizeText(bytes)}: its project is gone`), ...old.map(({ id, bytes }) => `${removed} box ${id}, ${sizeText(bytes)}: in the trash for long`)];
}
async function makeGate(path) {
	rmSync(path, { force: true });
	const { status, stderr } = await run$1(programPath("mkfifo"), [
		"-m",
		"600",
		path
	]);
	if (status !== 0) throw noGate(stderr.trim());
	return {
		path,
		fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
	};
}
function removeGate({ path, fd }) {
	closeSync(fd);
	rmSync(path, { force: true });
}
var LOOK_MS$1 = 10;
async function openGate(cli, { session, status, gate }, ended) {
	const pid = await firstProcess(status, ended);
	if (pid === null) return;
	const began = processStat(pid)?.start;
	try {
		await needServer(cli, (server) => opened(server, session, pid));
		writeSync(gate.fd, "x");
	} catch (error) {
		if (processStat(pid)?.start === began) orNull(() => process.kill(pid, "SIGKILL"));
		throw noNetwork(messageOf(error), error instanceof TraiError ? error.hint : void 0);
	}
}
async function firstProcess(status, ended) {
	while (!ended.aborted) {
		const text = orNull(() => readFileSync(status, "latin1")) ?? "";
		const found = /"child-pid": (\d+)[\s,}]/.exec(text)?.[1];
		if (found !== void 0) return Number(found);
		await setTimeout(LOOK_MS$1);
	}
	return null;
}
async function opened(server, session, pid) {
	return await postJson(server, "box-network", {
		session,
		pid
	}) === null ? null : true;
}
var OBEYED = /mcp|hook|command|helper|script|trust|allow|deny|permission|approv|bypass|server|env$/i;
var ANSWERED = /* @__PURE__ */ new Set(["customApiKeyResponses"]);
function mergeClientState(sides, isOwn) {
	const left = [];
	return {
		merged: merge(sides, [], {
			left,
			isOwn
		}),
		left: left.sort()
	};
}
function merge({ base, inside, host }, at, to) {
	const [was, now, theirs] = [
		objectOf(base),
		objectOf(inside),
		objectOf(host)
	];
	const merged = { ...theirs };
	for (const key of /* @__PURE__ */ new Set([...Object.keys(was), ...Object.keys(now)])) {
		const sides = {
			base: was[key],
			inside: now[key],
			host: theirs[key]
		};
		if (isSame(sides.inside, sides.base) || isSame(sides.inside, sides.host)) continue;
		const path = [...at, key];
		if (isObeyed(path, to)) {
			if (!(isNothing(sides.inside) && isNothing(sides.host))) to.left.push(path.join("."));
		} else if (isObject(sides.inside) && (sides.host === void 0 || isObject(sides.host))) merged[key] = merge(sides, path, to);
		else if (key in now) merged[key] = sides.inside;
		else delete merged[key];
	}
	return merged;
}
function isObeyed(path, { isOwn }) {
	const [first = "", project = ""] = path;
	const key = path.at(-1) ?? "";
	if (ANSWERED.has(first)) return false;
	if (first === "projects" && path.length <= 2) return false;
	if (first === "projects" && path.length === 3 && key === "hasTrustDialogAccepted") return !isOwn(project);
	return !/^cached|Cache$/.test(first) && OBEYED.test(key);
}
function objectOf(value) {
	return isObject(value) ? value : {};
}
function isNothing(value) {
	return value === void 0 || value === null || value === false || isEmpty(value);
}
function isEmpty(value) {
	return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
function isSame(one, other) {
	if (one === other) return true;
	if (Array.isArray(one) || Array.isArray(other)) return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((value, i) => isSame(value, other[i]));
	if (!isObject(one) || !isObject(other)) return false;
	const [mine, theirs] = [one, other];
	const keys = Object.keys(mine);
	return keys.length === Object.keys(theirs).length && keys.every((key) => key in theirs && isSame(mine[key], theirs[key]));
}
var FOLLOW_MS = 500;
var LOCK_STALE_MS = 1e4;
var LOCK_WAIT_MS = 12e3;
var variablesOf = (env) => new Map(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
function pathsOf(env) {
	const home = homeOf(env);
	const real = (path) => orNull(() => realPath(path)) ?? path;
	const configDir = real(clientDirs(home, variablesOf(env)).configDir);
	const isMoved = (env["CLAUDE_CONFIG_DIR"] ?? "") !== "";
	return {
		state: real(joinPath(isMoved ? configDir : home, ".claude.json")),
		credentials: real(joinPath(configDir, ".credentials.json")),
		cleanup: joinPath(configDir, ".last-cleanup")
	};
}
async function beginClient(ctx, env, box = null) {
	await withFileLock(`${clientRecordPath(ctx.sessionDir)}.lock`, async () => await begin(ctx, env, box));
}
async function begin(ctx, env, box) {
	await expectNoClient(ctx);
	await endClient(ctx, env);
	const paths = pathsOf(env);
	const hosts = hostsOfClient(homeOf(env), variablesOf(env));
	const { made, empty } = hosts;
	for (const dir of box === null ? [...made, empty] : [empty]) mkdirSync(fsPath(dir), {
		recursive: true,
		mode: 448
	});
	if (box === null) writeFileSync(fsPath(hosts.history), "", {
		flag: "a",
		mode: 384
	});
	writeBoxRecord(ctx.sessionDir, box?.record ?? null);
	await makeAnew(ctx, paths);
	const record = {
		v: 1,
		pid: process.pid,
		start: processStat(process.pid)?.start ?? "",
		state: textOf(upperOf(ctx, paths.state) ?? paths.state)
	};
	if (box !== null) {
		record.state = withoutOthers(textOf(paths.state), ctx.projectRoot);
		record.copy = box.copy;
		writeFileSync(box.copy, record.state ?? "{}", { mode: 384 });
	}
	await replaceFile(clientRecordPath(ctx.sessionDir), JSON.stringify(record));
}
async function expectNoClient(ctx) {
	const record = readClientRecord(ctx.sessionDir);
	if (record !== null && isClientRunning(ctx.sessionDir)) throw clientIsHere(ctx.session, record.pid);
	for (const { pid } of await liveProcesses(ctx.source)) if (isClaudeClient({
		program: processProgram(pid),
		argv: processArguments(pid) ?? []
	})) throw clientIsHere(ctx.session, pid);
}
async function makeAnew(ctx, { state, credentials, cleanup }) {
	const uppers = [
		state,
		credentials,
		cleanup
	].flatMap((path) => upperOf(ctx, path) ?? []);
	if (uppers.length === 0) return;
	try {
		await withSession(ctx, "quiet", async () => {
			for (const path of uppers) rmSync(fsPath(path), { force: true });
		});
	} catch (error) {
		if (!(error instanceof TraiError) || error.code !== "live") throw error;
	}
}
async function endClient({ stateDir, session }, env) {
	const ctx = await sessionContext(stateDir, session, env);
	const record = readClientRecord(ctx.sessionDir);
	if (record === null) return [];
	const paths = pathsOf(env);
	if (record.copy === void 0) giveToHost(ctx, paths.cleanup);
	giveToHost(ctx, paths.credentials);
	const left = await giveState(ctx, paths.state, record);
	if (record.copy !== void 0) rmSync(record.copy, { force: true });
	rmSync(clientRecordPath(ctx.sessionDir), { force: true });
	return left;
}
var isNear = (project, root) => isWithin(root, fromText(project)) || isWithin(fromText(project), root);
function withoutOthers(text, root) {
	const state = parsed(text);
	if (state === null || !isObject(state["projects"])) return state === null ? null : text;
	const common = repositoryOf(root)?.commonDir;
	const roots = common !== void 0 && nameOf(common) === ".git" ? [root, parentOf$1(common)] : [root];
	const own = Object.entries(state["projects"]).filter(([name]) => roots.some((one) => isNear(name, one)));
	return JSON.stringify({
		...state,
		projects: Object.fromEntries(own)
	});
}
async function giveState(ctx, path, record) {
	const from = record.copy === void 0 ? upperOf(ctx, path) : fromText(record.copy);
	const inside = from === null ? null : parsed(textOf(from));
	if (inside === null) return [];
	return await withClientLock(path, () => {
		const content = readPlainFile(fsPath(path));
		const host = content === null && entryOf(path) === null ? {} : parsed(content?.toString("utf8") ?? null);
		if (host === null) return [];
		const isOwn = (project) => record.copy === void 0 && fromText(project) === ctx.projectRoot;
		const { merged, left } = mergeClientState({
			base: parsed(record.state) ?? {},
			inside,
			host
		}, isOwn);
		const after = JSON.stringify(merged, null, 2);
		if (after !== JSON.stringify(host, null, 2)) writeWhole(toText(path), Buffer.from(after, "utf8"));
		return left;
	});
}
async function withClientLock(path, work) {
	const lock = `${toText(path)}.lock`;
	const until = Date.now() + LOCK_WAIT_MS;
	while (!takesLock(lock)) {
		if (Date.now() > until) throw clientStateLocked(lock, LOCK_WAIT_MS / 1e3);
		await setTimeout(100);
	}
	try {
		return work();
	} finally {
		orNull(() => rmdirSync(lock));
	}
}
function takesLock(lock) {
	try {
		mkdirSync(lock);
		return true;
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
		const since = orNull(() => statSync(lock).mtimeMs);
		if (since !== null && Date.now() - since > LOCK_STALE_MS) orNull(() => rmdirSync(lock));
		return false;
	}
}
function giveToHost(ctx, path) {
	const upper = upperOf(ctx, path);
	const content = upper === null ? null : readPlainFile(fsPath(upper));
	if (content === null) return;
	const temporary = temporaryName(toText(path));
	orNull(() => {
		writeFileSync(temporary, content, {
			flag: "wx",
			mode: 384
		});
		linkSync(temporary, toText(path));
	});
	rmSync(temporary, { force: true });
}
function followCredentials(ctx, env) {
	const { credentials } = pathsOf(env);
	let known = null;
	let running = null;
	const look = async () => {
		const { stateDir, session } = ctx;
		const now = await sessionContext(stateDir, session, env);
		const upper = upperOf(now, credentials);
		const [host, inside] = [entryOf(credentials), upper === null ? null : entryOf(upper)];
		const seen = {
			host: keyOf(host),
			inside: keyOf(inside)
		};
		const isInsideNew = inside?.type === "file" && seen.inside !== known?.inside;
		const isHostNew = known !== null && seen.host !== known.host;
		if (isInsideNew && upper !== null && (known !== null && !isHostNew || host === null || inside.mtimeNs > host.mtimeNs)) {
			const copied = copyOut(upper, credentials);
			if (copied !== null) known = {
				...seen,
				host: keyWith(credentials, copied) ?? seen.host
			};
		} else if ((isInsideNew || isHostNew) && host?.type === "file") {
			const copied = await copyIn(now, credentials);
			const made = upperOf(now, credentials);
			if (copied !== null) known = {
				...seen,
				inside: (made === null ? null : keyWith(made, copied)) ?? seen.inside
			};
		} else known = seen;
	};
	const next = () => {
		running ??= look().catch(() => void 0).finally(() => {
			running = null;
		});
	};
	const timer = globalThis.setInterval(next, FOLLOW_MS);
	return async () => {
		clearInterval(timer);
		await running;
		await look().catch(() => void 0);
	};
}
function keyWith(path, content) {
	const key = keyOf(entryOf(path));
	const found = content === null ? null : orNull(() => readPlainFile(fsPath(path)));
	return content !== null && found?.equals(content) === true && keyOf(entryOf(path)) === key ? key : null;
}
function copyOut(from, to) {
	const content = readPlainFile(fsPath(from));
	if (content === null || parsed(content.toString("utf8")) === null) return null;
	if (readPlainFile(fsPath(to))?.equals(content) !== true) writeWhole(toText(to), content);
	return content;
}
async function copyIn(ctx, path) {
	const content = readPlainFile(fsPath(path));
	const covered = coveringDir(ctx.coveredDirs, path);
	if (content === null || covered === null || parsed(content.toString("utf8")) === null) return null;
	return await withLock(ctx, async () => {
		const inside = await openInside(ctx.source, covered);
		if (inside === null) return null;
		try {
			const below = path.slice(covered.path === "/" ? 1 : covered.path.length + 1);
			const target = `/proc/self/fd/${inside.fd}/${toText(below)}`;
			if (readPlainFile(target)?.equals(content) !== true) writeWhole(target, content);
			return content;
		} finally {
			inside.close();
		}
	});
}
function upperOf(ctx, path) {
	const upper = upperPathIn(ctx.coveredDirs, path);
	return upper !== null && orNull(() => lstatEntry(upper)) !== null ? upper : null;
}
function entryOf(path) {
	return orNull(() => lstatEntry(path));
}
function keyOf(entry) {
	return entry === null ? "" : `${entry.ino}.${entry.size}.${entry.mtimeNs}`;
}
function textOf(path) {
	return orNull(() => readPlainFile(fsPath(path)))?.toString("utf8") ?? null;
}
function parsed(text) {
	try {
		const value = JSON.parse(text ?? "");
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}
function clientEndText({ pending, conflicts, session, port }) {
	if (pending === 0) return "";
	const named = session === null ? "" : ` --session ${session}`;
	const commands = [
		"diff",
		"commit",
		"discard"
	].map((name) => `trai ${name}${named}`).join(", ");
	const where = port === null ? "dashboard: trai ui" : `dashboard: http://127.0.0.1:${port}/ (trai ui)`;
	const moved = conflicts === 0 ? "" : `, ${conflicts} in conflict with changes of yours`;
	return `${countText(pending, "change")} pending${moved}: ${commands}, ${where}`;
}
function leftRunningText(processes, kept) {
	const lines = processes.map(({ pid, ports, command }) => {
		return `  ${pid}  ${command}${ports.length === 0 ? "" : ` (${ports.map((port) => `:${port}`).join(" ")})`}`;
	});
	const count = countText(processes.length, "process", "processes");
	return [
		kept ? `${count} of the session still running:` : `Ending ${count} that Claude Code left running:`,
		...lines,
		...kept ? ["See: trai ps"] : []
	].join("\n");
}
function stateLeftText(names) {
	return `Not carried to your ~/.claude.json, since Claude Code obeys it: ${names.join(", ")}. To keep it, do the same in claude outside of the session (claude mcp add ...).`;
}
var FORWARDED = [
	"SIGTERM",
	"SIGHUP",
	"SIGQUIT"
];
async function installLauncher(cli) {
	const bin = binDir(cli);
	const lib = existsSync(join(cli.root, "lib/fallback.mjs")) ? join(cli.root, "lib") : join(cli.root, "dist/plugin/lib");
	mkdirSync(join(bin, "lib"), {
		recursive: true,
		mode: 448
	});
	const source = join(cli.root, "hooks/launcher");
	const names = readdirSync(source).sort((a, b) => Number(a === "launch") - Number(b === "launch"));
	copyNewer(join(lib, "fallback.mjs"), join(bin, "lib/fallback.mjs"));
	for (const name of names) copyNewer(join(source, name), join(bin, name));
	const node = join(cli.state, "node");
	if (namesProgram(node)) return;
	rmSync(node, {
		recursive: true,
		force: true
	});
	writeFileSync(node, `${process.execPath}\n`, { mode: 384 });
}
function namesProgram(file) {
	const program = readPlainFile(file)?.toString("utf8").trim() ?? "";
	return program.startsWith("/") && existsSync(program);
}
function copyNewer(source, target) {
	if (existsSync(target) && readFileSync(target).equals(readFileSync(source))) return;
	const temporary = `${target}.${process.pid}`;
	copyFileSync(source, temporary);
	chmodSync(temporary, 448);
	renameSync(temporary, target);
}
function binDir(cli) {
	return join(cli.state, "bin", VERSION);
}
async function runLauncher(cli, launch) {
	const { session, origin, text, argv, box } = launch;
	const { TRAI_ROOT: _, ...env } = launch.env ?? cli.env;
	const own = [
		"bash",
		"-p",
		join(binDir(cli), "launch"),
		"-o",
		origin,
		session,
		text,
		...argv
	];
	const [program = "", ...words] = box === void 0 ? own : [...endsWithThis(), ...own];
	const stdio = [
		"inherit",
		"inherit",
		"inherit",
		...box === void 0 ? [] : [box.fd]
	];
	const child = spawn(program, words, {
		stdio,
		env
	});
	const forward = (signal) => {
		for (const pid of descendants(child.pid)) if (!(processProgram(pid) ?? "").endsWith("/bwrap")) orNull(() => process.kill(pid, signal));
	};
	const forwarded = [...FORWARDED, ...box?.signals ?? []];
	for (const signal of forwarded) process.on(signal, forward);
	process.on("SIGINT", () => void 0);
	try {
		const [code, signal] = await Promise.race([once(child, "close"), once(child, "error").then(([error]) => Promise.reject(error))]);
		return typeof code === "number" ? code : 128 + (constants$1.signals[signal] ?? 0);
	} catch (error) {
		throw bashNotStarted(error);
	} finally {
		for (const signal of forwarded) process.off(signal, forward);
	}
}
var SETPRIV = programPath("setpriv");
var endsWithThis = () => existsSync(SETPRIV) ? [
	SETPRIV,
	"--pdeathsig",
	"KILL",
	"--"
] : [];
function descendants(pid) {
	if (pid === void 0) return [];
	return (orNull(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")) ?? "").split(" ").filter((word) => word.trim() !== "").map(Number).flatMap((child) => [child, ...descendants(child)]);
}
var ANSWERS$1 = {
	once: "allowed_once",
	session: "allowed_always",
	always: "allowed_always",
	no: "denied_once",
	never: "denied_always",
	ran: "allowed_unknown",
	refused: "denied_unknown",
	ended: "denied_unknown",
	leave: null,
	late: null,
	gone: null
};
function answerOf({ decision, outcome, answered }) {
	if (decision === "allow" || decision === "deny") return null;
	const said = answered === null ? null : ANSWERS$1[answered.end];
	if (said !== null) return said;
	if (outcome === "denied") return "denied_unknown";
	return (decision === "ask" || answered !== null) && outcome !== "unknown" ? "allowed_unknown" : null;
}
function eventOf(call) {
	const answer = answerOf(call);
	return answer === null ? call.decision : `${call.decision}_${answer}`;
}
function endingOf({ outcome, error }) {
	if (outcome === "failed") return error === "" ? "failed" : `failed: ${error}`;
	return outcome === "timed-out" || outcome === "interrupted" ? outcome : "";
}
function errorOfCommand(rc) {
	if (rc === null || rc === 0) return "";
	return rc > 128 ? `signal ${rc - 128}` : `exit ${rc}`;
}
function errorOfTool(text) {
	const [, name, mcp] = /^(?:<tool_use_error>)?\s*(?:(\w{1,60}Error)\b|(MCP error -?\d{1,9}))/.exec(text) ?? [];
	return name ?? mcp ?? "error";
}
function isCommandTimeout(head) {
	return /^Exit code (137|143)\nCommand timed out after \d/.test(head);
}
var STATES = {
	"requested": "waiting",
	"running": "running",
	"ended": "",
	"not-entered": "not entered, nothing ran",
	"refused": "refused",
	"not-run": "not run",
	"unsandboxed": "NOT SANDBOXED",
	"lost": "end unknown (the launcher was killed)"
};
function logText({ calls, tools, wrote }, style, most) {
	const decided = tools.filter(({ decision }) => decision !== "pass");
	if (calls.length + decided.length === 0) return "No calls yet.";
	const newest = calls.slice(-most);
	const head = newest.length === calls.length ? countText(calls.length, "call") : `The last ${newest.length} of ${calls.length} calls`;
	const from = newest.length === calls.length ? "" : beganAt(newest[0]);
	let at = "";
	const lines = newest.map((call) => {
		at = beganAt(call) || at;
		const text = [callLine(call, style, wrote.get(call.id) ?? 0), ...savedLines(call, style)].join("\n");
		return {
			at,
			text
		};
	});
	const shown = decided.filter(({ at }) => at >= from).slice(-most);
	lines.push(...shown.map((tool) => ({
		at: tool.at,
		text: toolLine(tool, style)
	})));
	lines.sort((a, b) => a.at === b.at ? 0 : a.at < b.at ? -1 : 1);
	return [head, ...lines.map(({ text }) => text)].join("\n");
}
function beganAt(call) {
	return call?.startedAt ?? call?.requestedAt ?? "";
}
var DECISIONS = {
	allow: "allowed",
	ask: "asked",
	deny: "denied",
	pass: "client"
};
function toolLine(tool, style) {
	const said = (tool.decision === "deny" ? style.red : style.dim)(DECISIONS[tool.decision].padEnd(7));
	const by = tool.outcomeBy === "classifier" ? " by the classifier" : "";
	const type = tool.outcome === "failed" ? `: ${errorOfTool(tool.error)}` : "";
	const outcome = tool.outcome === null ? "" : style.dim(` ${tool.outcome}${type}${by}`);
	return `${style.dim(clockText(tool.at).padEnd(8))} ${said}          ${tool.tool} ${oneLine(tool.subject)}${outcome}${byText(tool, style)}`;
}
function byText(permission, style) {
	if (permission === null || permission.by === "read-only") return "";
	if (permission.decision === "pass" && permission.answered === null) return "";
	return style.dim(` (${permissionText(permission)})`);
}
function permissionText({ decision, by, rule, segment, subject, answered }) {
	const who = {
		"trai": "trai itself",
		"client": "the client",
		"broken": `the unusable rule file ${rule}`
	};
	const named = by === "trai" || by === "client" || by === "broken" ? who[by] : rule === "" ? by : rule;
	const part = segment === "" || segment === subject ? "" : `, for ${oneLine(segment)}`;
	return `${decision === "pass" ? "left to" : decision === "ask" ? "asked about by" : `${DECISIONS[decision]} by`} ${named}${part}${answered === null ? "" : answerText(answered)}`;
}
var PLACES$1 = {
	tab: "in the dashboard",
	answer: "with trai answer",
	client: "in Claude Code"
};
var ANSWERS = {
	once: "allowed",
	session: "allowed, with a rule for the session,",
	always: "allowed, with a rule,",
	no: "denied",
	never: "denied, with a rule,",
	leave: "left to the client",
	ran: "allowed",
	refused: "denied",
	ended: "",
	late: "",
	gone: ""
};
function answerText({ end, by }) {
	return ANSWERS[end] === "" ? "" : `; ${ANSWERS[end]} by you ${PLACES$1[by]}`;
}
function callLine(call, style, wrote) {
	const at = clockText(call.startedAt ?? call.requestedAt ?? "");
	const place = call.mode === "host" ? style.yellow("host   ") : call.mode === "refuse" ? style.red("refused") : "sandbox";
	const exit = call.rc === null ? " ".repeat(8) : (call.rc === 0 ? style.green : style.red)(`exit ${String(call.rc).padEnd(3)}`);
	const time = call.ms === null ? "" : style.dim(` ${durationText(call.ms)}`);
	const state = STATES[call.state];
	const reach = call.mode === "sandbox" && call.text !== "" ? ` ${style.yellow("may act on the host")}` : "";
	const ended = state === "" ? "" : ` ${call.state === "unsandboxed" ? style.red(state) : style.dim(state)}`;
	const pending = wrote === 0 ? "" : ` ${style.cyan(`${wrote} pending`)}`;
	const said = call.state === "unsandboxed" ? ended : ended + reach + byText(call.permission, style);
	return `${style.dim(at.padEnd(8))} ${place} ${exit} ${oneLine(shownCommand(call))}${time}${said}${pending}${leftText(call, style)}`;
}
function leftText({ left, gone }, style) {
	const running = left.filter((pid) => !gone.includes(pid)).length;
	return running === 0 ? "" : ` ${style.yellow(`${countText(running, "process", "processes")} of it still running: trai ps`)}`;
}
function savedLines({ saved }, style) {
	return saved.flatMap(({ what, restore, text }) => [...restore.map((line) => `  ${style.yellow("saved")} what \`${what}\` threw away; restore it in a terminal with: ${line}`), ...text === "" ? [] : [`  ${style.red("not saved")} what \`${what}\` threw away: ${oneLine(text)}`]]);
}
function oneLine(command) {
	const text = command.replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
	return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
function psText({ session, processes, calls }, style) {
	if (processes.length === 0) return `No processes of session ${style.bold(session)} are running.`;
	const byCall = /* @__PURE__ */ new Map();
	for (const process of processes) addTo(byCall, process.call, process);
	const lines = [`${countText(processes.length, "process", "processes")} of session ${style.bold(session)} running`];
	for (const [id, group] of byCall) {
		const call = calls.find((one) => one.id === id);
		lines.push(callHead(call, style));
		for (const process of group) lines.push(processLine(process, style));
	}
	lines.push(style.dim("End them with: trai ps --end [PID...]"));
	return lines.join("\n");
}
function callHead(call, style) {
	if (call === void 0) return style.dim("  call unknown:");
	const at = clockText(call.startedAt ?? "");
	const state = call.state === "running" ? "running since" : "ended, started at";
	return `  ${oneLine(call.command)} ${style.dim(`(call ${call.id}, ${state} ${at})`)}`;
}
function processLine({ pid, seconds, ports, command }, style) {
	const age = durationText(seconds * 1e3).padEnd(12);
	const listens = ports.length === 0 ? "" : `${style.cyan(ports.map((port) => `:${port}`).join(" "))}  `;
	return `  ${String(pid).padStart(9)}  ${style.dim(age)} ${listens}${command}`;
}
var NAMED = 20;
function groupByCall(changes, calls) {
	const known = new Map(calls.map(({ id, command }, order) => [id, {
		command,
		order
	}]));
	const groups = /* @__PURE__ */ new Map();
	for (const change of changes) {
		if (change.ignored !== null) continue;
		const { by = [] } = change;
		const key = by.join(" ");
		const commands = by.map((id) => known.get(id)?.command ?? "");
		const group = groups.get(key) ?? {
			calls: by,
			commands,
			changes: []
		};
		group.changes.push(change);
		groups.set(key, group);
	}
	const order = ({ calls: [first] }) => first === void 0 ? Number.POSITIVE_INFINITY : known.get(first)?.order ?? -1;
	const rank = (a, b) => order(a) === order(b) ? 0 : order(a) - order(b);
	return [...groups.values()].sort(rank);
}
function byCallText(groups, projectRoot, style) {
	if (groups.length === 0) return "Nothing is pending.";
	return groups.map((group) => {
		const lines = [...headLines(group, style)];
		for (const change of group.changes.slice(0, NAMED)) lines.push(changeLine(change, projectRoot, style));
		const more = group.changes.length - NAMED;
		if (more > 0) lines.push(style.dim(`  … and ${more} more`));
		return lines.join("\n");
	}).join("\n\n");
}
function headLines({ calls, commands, changes }, style) {
	const count = countText(changes.length, "change");
	if (calls.length === 0) return [style.bold(`${count}; call unknown`)];
	const named = calls.map((id, i) => `${oneLine(commands[i] || "(a call of another session)")} ${style.dim(id)}`);
	if (named.length === 1) return [style.bold(`${count} by `) + (named[0] ?? "")];
	return [style.bold(`${count} by one of ${named.length} calls:`), ...named.map((name) => `  | ${name}`)];
}
var NOT_ENTERED = 125;
var exec = {
	name: "exec",
	usage: "[--session ID] -- COMMAND [ARGUMENT…]",
	summary: "run a command in a session’s sandbox (a new ID creates a session)",
	arguments: [["-- COMMAND", "the command and its arguments; no shell interprets them"]],
	words: Number.POSITIVE_INFINITY,
	session: "the session; a new ID creates one (default: this project’s newest)",
	json: false,
	async run(cli, { words }) {
		if (words.length === 0) throw badUsage(exec, USAGE.noCommand);
		const session = await enterable(cli, cli.session);
		const status = await runLauncher(cli, {
			session,
			origin: "exec",
			text: words.map(quoted).join(" "),
			argv: words
		});
		remarkOnRoom(cli, status);
		await tidyUnlessServed(cli, session);
		return status;
	}
};
var explore = {
	name: "explore",
	usage: "[--session ID]",
	summary: "open an interactive shell in the session’s view of your files",
	arguments: [],
	json: false,
	async run(cli, { fromPrompt }) {
		const session = await sessionFor(cli, cli.session);
		if (fromPrompt || callerOf(process.pid, cli.state).kind !== "user" || process.stdin.isTTY !== true) {
			const line = `${quoted(join(cli.root, "bin/trai"))} explore --session ${session}`;
			cli.print(`Run this in a terminal of your own:\n  ${line}`, { command: line });
			return 0;
		}
		await installLauncher(cli);
		cli.remark(`A shell in session ${session}: what it writes stays pending. Leave with exit.`);
		const shell = cli.env["SHELL"] ?? programPath("bash");
		const argv = [shell, "-i"];
		const status = await runLauncher(cli, {
			session,
			origin: "explore",
			text: `explore (${shell})`,
			argv
		});
		await tidyUnlessServed(cli, session);
		return status;
	}
};
async function enterable(cli, named, level = null) {
	try {
		return await withRoom(cli, async () => {
			const session = await sessionFor(cli, named, level);
			await installLauncher(cli);
			return session;
		});
	} catch (error) {
		if (!(error instanceof TraiError) || ["bad-input", "not-entered"].includes(error.code)) throw error;
		throw new TraiError("not-entered", error.message, {
			cause: error,
			hint: error.hint
		});
	}
}
var OTHER_CAUSES = /* @__PURE__ */ new Set([
	"bad-input",
	"live",
	"busy"
]);
async function withRoom(cli, work) {
	try {
		return await work();
	} catch (error) {
		if (error instanceof TraiError && OTHER_CAUSES.has(error.code) || !isFull(cli.state)) throw error;
		throw noRoomToEnter(cli.state, error);
	}
}
async function sessionFor(cli, named, level = null) {
	const cwd = fromText(cli.cwd);
	if (named === null) {
		const meta = await findSession(cli.state, { cwd });
		if (meta !== null) return meta.id;
		throw noSessionHere(cli.cwd);
	}
	const levels = level === null ? {} : { levels: [level] };
	const { meta, created } = await ensureSession(cli.state, named, {
		cwd,
		...levels
	});
	const dir = sessionDir(cli.state, meta.id);
	const source = level === null ? "exec" : "client";
	if (created || level !== null || !existsSync(logPath(dir))) logTo(dir, {
		t: "session",
		claude: "",
		source,
		cwd: cli.cwd,
		plugin: VERSION
	});
	return meta.id;
}
function remarkOnRoom(cli, status) {
	if (status === NOT_ENTERED && isFull(cli.state)) cli.remark(fullText(cli.state));
}
async function tidyUnlessServed(cli, session) {
	if (await findServer(cli).catch(() => null) === null) await tidyAlone(cli, session);
}
async function tidyAlone(cli, session) {
	try {
		await tidy(await sessionContext(cli.state, session, cli.env), null);
	} catch {}
}
var ps = aboutSession({
	name: "ps",
	summary: "list the processes of the session and the calls that started them; --end ends them",
	arguments: [["--end [PID…]", "ends all of them, or these"]],
	words: Number.POSITIVE_INFINITY,
	acts: ({ flags }) => flags.has("end"),
	async run({ cli, meta, ctx, args }) {
		const ends = args.flags.has("end");
		if (!ends && args.words.length > 0) throw badUsage(ps, USAGE.wordWithoutEnd(args.words[0] ?? ""));
		const pids = args.words.map(pidOf);
		const fold = () => readFold(ctx.sessionDir);
		const processes = await sessionProcesses(ctx.source, async () => (await fold()).spans());
		if (!ends) {
			const found = {
				session: meta.id,
				processes
			};
			cli.print(psText({
				...found,
				calls: (await fold()).views()
			}, cli.style), found);
			return 0;
		}
		const ended = await endAndLog(ctx, pids.length === 0 ? processes : processesNamed(processes, pids, meta.id));
		const count = countText(ended.length, "process", "processes");
		cli.print(ended.length === 0 ? "Nothing to end." : `Ended ${count}: ${ended.join(", ")}`, { ended });
		return 0;
	}
});
function pidOf(word) {
	if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
	throw badUsage(ps, USAGE.noPid(word));
}
function processesNamed(processes, pids, session) {
	const found = processes.filter(({ pid }) => pids.includes(pid));
	const missing = pids.filter((pid) => !found.some((one) => one.pid === pid));
	if (missing.length > 0) throw noSuchProcesses(missing, session);
	return found;
}
var passthrough = aboutSession({
	name: "passthrough",
	summary: "let the session’s next call run on the host (within 5 minutes)",
	arguments: [],
	acts: always,
	async run({ cli, ctx }) {
		await openGrant(ctx.sessionDir, { kind: "passthrough" });
		log(ctx, {
			t: "grant",
			kind: "passthrough",
			what: "the next call",
			state: "open"
		});
		cli.print("The next Bash call of this session runs on the host, unsandboxed. Ask for it now: this holds for 5 minutes and one prompt.", { open: true });
		return 0;
	}
});
var claude = {
	name: "claude",
	usage: "[--session ID | --continue] [--keep-running] [--] [ARGUMENT…]",
	summary: "run Claude Code itself in a session, so that all that it writes is pending",
	arguments: [
		["--continue", "goes on with this project’s newest session, and with its conversation"],
		["--keep-running", "leaves what still runs when Claude Code ends"],
		["ARGUMENT…", "of claude: all words from the first that is none of these options"]
	],
	words: Number.POSITIVE_INFINITY,
	handsOn: true,
	session: "goes on with this session; a new ID creates one (default: a new session)",
	json: false,
	async run(cli, args) {
		const program = findClient(cli.env);
		return await runClient(cli, {
			session: await sessionOf(cli, args),
			text: ["claude", ...args.words].map(quoted).join(" "),
			argv: [
				program,
				...ownOptions(cli, args),
				...args.words
			],
			env: {
				...DISABLED,
				...cli.env
			},
			keepsRunning: args.flags.has("keep-running")
		});
	}
};
async function runClient(cli, { session: named, keepsRunning, box, ...run }) {
	const level = box === void 0 ? "claude" : "box";
	const asked = isAutostart(cli) ? findServer(cli).catch(() => null) : null;
	const session = await enterable(cli, named, level);
	const ctx = await sessionContext(cli.state, session, cli.env);
	await withRoom(cli, async () => {
		await beginClient(ctx, cli.env, box ?? null);
		await noteLevel(ctx.sessionDir, level);
	});
	if (asked !== null && await asked === null) await needServer(cli, hello).catch((error) => cli.remark(`trai: ${messageOf(error)}`));
	const stop = followCredentials(ctx, cli.env);
	const keeping = setInterval(() => void keepServer(cli), SERVER_LOOK_MS);
	try {
		const status = await runLauncher(cli, {
			...run,
			session,
			origin: "client",
			box
		});
		remarkOnRoom(cli, status);
		return status;
	} finally {
		clearInterval(keeping);
		await stop();
		await end(cli, session, keepsRunning);
	}
}
async function noteLevel(dir, level) {
	if ((await readMeta(dir)).levels?.at(-1) === level) return;
	await updateMeta(dir, (meta) => {
		const before = meta.levels ?? [];
		return before.at(-1) === level ? null : {
			...meta,
			levels: [...before.filter((one) => one !== level), level]
		};
	});
}
var isAutostart = ({ env }) => loadConfig(env).config.server.autostart;
var SERVER_LOOK_MS = 2e3;
async function keepServer(cli) {
	const file = orIfRefused(() => readServerFile(cli.state), null);
	if (file !== null && mayRun(file)) return;
	if (isAutostart(cli)) await needServer(cli, hello).catch(() => void 0);
}
var DISABLED = {
	DISABLE_AUTOUPDATER: "1",
	CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1"
};
var PLACES = [".local/bin/claude", ".claude/local/claude"];
function findClient(env) {
	const dirs = (env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/"));
	const more = PLACES.map((place) => join(env["HOME"] ?? "/", place));
	const found = [...dirs.map((dir) => join(dir, "claude")), ...more].find(isProgram);
	if (found === void 0) throw noClient(more);
	return found;
}
function isProgram(path) {
	return orIfRefused(() => {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	}, false);
}
async function sessionOf(cli, { words, flags }) {
	if (cli.session !== null) return cli.session;
	const resumed = resumedBy(words);
	const known = resumed === null ? null : await sessionOfClaude(cli.state, resumed);
	if (known !== null) return known;
	if (!flags.has("continue") && !words.some((word) => word === "--continue" || word === "-c")) return randomUUID();
	const newest = await findSession(cli.state, { cwd: fromText(cli.cwd) });
	if (newest === null) throw noSessionHere(cli.cwd);
	return newest.id;
}
function resumedBy(words) {
	for (const [at, word] of words.entries()) {
		if (word.startsWith("--resume=")) return word.slice(9);
		const next = words[at + 1];
		if ((word === "--resume" || word === "-r") && next !== void 0 && !next.startsWith("-")) return next;
	}
	return null;
}
function ownOptions(cli, { flags, words }) {
	const given = (name) => words.some((word) => word === name || word.startsWith(`${name}=`));
	return [
		"--plugin-dir",
		cli.root,
		...given("--settings") ? [] : ["--settings", "{\"disableDeepLinkRegistration\":\"disable\"}"],
		...flags.has("continue") ? ["--continue"] : []
	];
}
async function end(cli, session, keepsRunning) {
	try {
		const ctx = await sessionContext(cli.state, session, cli.env);
		await endProcesses(cli, ctx, keepsRunning);
		const left = await endClient(ctx, cli.env).catch((error) => {
			remarkOn(cli, error);
			return [];
		});
		if (left.length > 0) cli.remark(stateLeftText(left));
		const server = await findServer(cli).catch(() => null);
		if (server === null) await tidyAlone(cli, session);
		const { changes, conflicts } = await scan(ctx);
		const pending = changes.filter(({ ignored }) => ignored === null).length;
		const text = clientEndText({
			pending,
			conflicts,
			session: (pending === 0 ? null : await findSession(cli.state, { cwd: fromText(cli.cwd) }))?.id === session ? null : session,
			port: server?.port ?? null
		});
		if (text !== "") cli.remark(text);
	} catch (error) {
		remarkOn(cli, error);
	}
}
function remarkOn(cli, error) {
	const hint = error instanceof TraiError && error.hint !== void 0 ? `\n${error.hint}` : "";
	cli.remark(`trai: ${messageOf(error)}${hint}`);
}
var LOOKS = 5;
var LOOK_MS = 100;
async function endProcesses(cli, ctx, keepsRunning) {
	let left = [];
	for (let look = 0; look < LOOKS; look++) {
		if (look > 0) await setTimeout(LOOK_MS);
		left = await clientProcesses(ctx);
		if (left.length === 0) return;
	}
	cli.remark(leftRunningText(left, keepsRunning));
	if (!keepsRunning) await endAndLog(ctx, left);
}
var box = {
	name: "box",
	usage: "[OPTION…] [--] [ARGUMENT…]",
	summary: "run Claude Code in a session and in a box: it sees only what you give it (bubblewrap)",
	arguments: [
		["-y, --yes", "starts without the screen that shows what the box will see"],
		["--dry-run", "prints the command, a mount a line with its reason; nothing is made"],
		["--check", "tests whether a box can be made here"],
		["--shell", "a shell in place of Claude Code; --shell -- COMMAND runs one command"],
		["--write HOW", "the project: pending (default), direct (your files at once) or read-only"],
		["--allow PATH…", "one more file or directory; PATH:ro for reading only. May be repeated"],
		["--hide PATH…", "something of the project that is not there. May be repeated"],
		["--net NET", "open (default: this machine’s network, whole), list (hosts of box.network) or off"],
		["--env NAME…", "one more variable, or NAME=VALUE. May be repeated"],
		["--profile NAME", "a set of options of config.json (box.profiles)"],
		["--history WHOSE", "prompt history: of this project (project, default) or yours of all (shared)"],
		["--commit-inside", "lets /trai:commit and /trai:undo be typed inside"],
		["--continue", "goes on with this project’s newest session, and with its conversation"],
		["--keep-running", "leaves pending changes to processes that still run"],
		["--list", "lists the boxes of all projects, with size and last use"],
		["--gc", "moves boxes to the trash whose project is gone; with --dry-run only names them"],
		["ARGUMENT…", "of claude: all words from the first that is none of these options"]
	],
	words: Number.POSITIVE_INFINITY,
	handsOn: true,
	session: "goes on with this session; a new ID creates one (default: a new session)",
	async run(cli, args) {
		const { flags } = args;
		if (flags.has("list")) return await (await import("./boxes.mjs").then((n) => n.n)).listBoxes(cli);
		if (flags.has("gc")) return await (await import("./boxes.mjs").then((n) => n.n)).gcBoxes(cli, flags.has("dry-run"));
		if (flags.has("check")) return await check(cli);
		expectOutside(cli);
		return await start(cli, args);
	}
};
async function check(cli) {
	const { checkBox } = await import("./check.mjs").then((n) => n.n);
	const { checksText } = await import("./doctor.mjs").then((n) => n.n);
	const checks = await checkBox(cli.env);
	const ok = checks.every((one) => one.ok || one.level === "warning");
	const end = ok ? "A box can be made here." : "No box can be made here until the above is fixed. Without one: trai claude";
	cli.print([...checksText(checks, cli.style), end].join("\n"), {
		ok,
		checks
	});
	return ok ? 0 : 1;
}
function expectOutside({ env }) {
	if (env["SANDBOX_RUNTIME"] === "1") throw alreadyInside(INSIDE.client);
}
async function wanted(cli, args) {
	const isShell = args.flags.has("shell");
	const options = optionsOf(cli, args);
	const cwd = realPath(".");
	const session = isShell && cli.session === null ? randomUUID() : await sessionOf(cli, args);
	const program = isShell ? null : findClient(cli.env);
	const facts = gatherFacts({
		env: cli.env,
		stateDir: cli.state,
		cwd,
		plugin: cli.root,
		program,
		session,
		options
	});
	const meta = await readMeta(sessionDir(cli.state, session)).catch(() => null);
	if (meta !== null && meta.projectId !== facts.project.id) throw otherProject$1(session, meta.projectRoot);
	const ctx = meta === null ? null : await sessionContext(cli.state, session, cli.env);
	const remarks = [...facts.ignored, ...await slips(ctx, facts, args.lists.get("hide") ?? [])];
	const allowed = facts.input.allow.map(({ path }) => toText(path));
	return {
		session,
		ctx,
		cwd,
		facts,
		remarks,
		variables: boxEnvironment({
			...isShell ? {} : DISABLED,
			...cli.env,
			HOME: toText(facts.input.home)
		}, options, allowed),
		command: program === null ? shellOf(cli, args.words) : [
			program,
			...ownOptions(cli, args),
			...args.words
		]
	};
}
async function slips(ctx, { unseen }, typed) {
	const said = [];
	for (const { given, path } of unseen) {
		if (given === null || !typed.includes(given)) continue;
		if (ctx === null || !(await lookThrough(ctx, path, false)).inView) said.push(hiddenMissing(given));
	}
	return said;
}
var SHELL_DIRS = [
	"/usr/",
	"/bin/",
	`${PROGRAM_DIR}/`
];
function shellOf({ env }, words) {
	if (words.length > 0) return [...words];
	const shell = env["SHELL"] ?? "";
	return [SHELL_DIRS.some((dir) => shell.startsWith(dir)) ? shell : "/bin/sh", "-i"];
}
function optionsOf(cli, args) {
	const { profiles } = loadConfig(cli.env).config.box;
	const named = args.options.get("profile");
	const profile = named === void 0 ? DEFAULT_BOX_OPTIONS : profiles[named];
	if (profile === void 0) throw noProfile(named ?? "", Object.keys(profiles));
	const choice = (option, choices) => {
		const given = args.options.get(option);
		const found = choices.find((one) => one === given);
		if (given !== void 0 && found === void 0) throw badUsage(box, USAGE.noChoice(option, choices, given));
		return found;
	};
	const [write, net, history] = [
		choice("write", BOX_WRITES),
		choice("net", BOX_NETS),
		choice("history", BOX_HISTORIES)
	];
	const list = (option) => args.lists.get(option) ?? [];
	return joinedOptions(profile, {
		...write === void 0 ? {} : { write },
		...net === void 0 ? {} : { net },
		...history === void 0 ? {} : { history },
		allow: list("allow"),
		hide: list("hide"),
		env: list("env")
	});
}
async function start(cli, args) {
	const want = await wanted(cli, args);
	const bwrap = await findBwrap(cli.env);
	await expectHosts(want, bwrap);
	if (args.flags.has("dry-run")) return dryRun(cli, want, bwrap);
	if (!args.flags.has("yes") && !await isAgreed(cli, want)) return 1;
	return await run(cli, args, want, bwrap);
}
async function expectHosts({ ctx, session }, { path }) {
	if (ctx === null) return;
	for (const program of [fromText(path), ...ENTRY_PROGRAMS]) if (readsOtherwise(await lookThrough(ctx, program, true))) throw programPending(session, program);
}
var viewOf = ({ table, options }, variables) => ({
	rows: table.rows,
	variables: Object.keys(variables).sort(),
	net: options.net
});
var NEW_SESSION_SIGNALS = ["SIGINT", "SIGWINCH"];
function dryRun(cli, want, { path }) {
	const { cwd, facts, remarks, variables, command } = want;
	const { table, options } = facts;
	const rows = table.rows.map((row) => ({
		words: rowArgs(row),
		row
	}));
	const fixed = fixedArgs({
		cwd,
		net: options.net,
		newSession: canType()
	});
	const view = viewOf(facts, variables);
	cli.print(dryRunText({
		program: fromText(path),
		rows,
		fixed,
		command: command.map(fromText),
		variables: view.variables
	}), view);
	for (const one of remarks) cli.remark(one);
	return 0;
}
async function isAgreed(cli, { facts, remarks, variables }) {
	if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw needsYes();
	const { network } = loadConfig(cli.env).config.box;
	const view = {
		...viewOf(facts, variables),
		...facts.options.net === "list" ? { hosts: network } : {}
	};
	const { home } = facts.input;
	cli.remark(auditText(view, {
		home,
		remarks,
		style: cli.style
	}));
	const { createInterface } = await import("node:readline/promises");
	const reader = createInterface({
		input: process.stdin,
		output: process.stderr
	});
	try {
		const said = (await reader.question(AUDIT_QUESTION)).trim().toLowerCase();
		if (said === "" || said === "y" || said === "yes") return true;
	} catch {} finally {
		reader.close();
	}
	cli.remark(AUDIT_CANCELLED);
	return false;
}
async function run(cli, args, want, bwrap) {
	const { session, cwd, facts, remarks, variables, command } = want;
	const { table, options, project, input } = facts;
	if (args.flags.has("yes")) for (const one of remarks) cli.remark(one);
	const newSession = canType();
	const { instance, files, gate, fd } = await withRoom(cli, async () => {
		ensureStateDir(cli.state);
		const instance = makeInstance(cli.state, project);
		const files = runFiles(instance, session);
		rmSync(files.status, { force: true });
		const gate = options.net === "list" ? await makeGate(`${files.status}.gate`) : null;
		const made = boxArgs({
			rows: table.rows,
			cwd,
			net: options.net,
			newSession
		});
		return {
			instance,
			files,
			gate,
			fd: argumentsFile(`${files.status}.args`, made)
		};
	});
	const record = {
		v: 1,
		instance,
		...viewOf(facts, variables),
		write: options.write,
		direct: options.write === "direct" ? [input.project, ...input.gitDirs] : [],
		directFiles: options.history === "shared" ? [facts.history] : [],
		commitInside: args.flags.has("commit-inside")
	};
	const inside = instanceAt(cli.state);
	const status = join(inside, "run", basename(files.status));
	const insideGate = gate === null ? "" : `${status}.gate`;
	const entry = [
		...[
			programPath("bash"),
			"-p",
			"-c",
			ENTRY,
			"trai-box"
		],
		bwrap.path,
		status,
		insideGate,
		join(inside, "none"),
		entryWord(input.project)
	];
	const make = table.make.flatMap(({ path, type }) => [type, entryWord(path)]);
	const hide = hiddenPaths(table.rows, facts.unseen.map(({ path }) => path)).flatMap((path) => ["hide", entryWord(path)]);
	const ended = new AbortController();
	const opened = gate === null ? Promise.resolve(null) : openGate(cli, {
		session,
		status: files.status,
		gate
	}, ended.signal).catch((error) => error);
	try {
		const code = await runClient(cli, {
			session,
			text: ["box", ...args.flags.has("shell") ? [
				"--shell",
				"--",
				...args.words
			] : args.words].map(quoted).join(" "),
			argv: [
				...entry,
				...make,
				...hide,
				"--",
				...command
			],
			env: variables,
			keepsRunning: args.flags.has("keep-running"),
			box: {
				record,
				copy: files.state,
				fd,
				signals: newSession ? NEW_SESSION_SIGNALS : []
			}
		});
		ended.abort();
		const failed = await opened;
		if (failed instanceof Error) throw failed;
		if (code === 1 && !hasRun(files.status)) throw notMade();
		return code;
	} finally {
		ended.abort();
		closeSync(fd);
		if (gate !== null) removeGate(gate);
		rmSync(files.status, { force: true });
	}
}
function argumentsFile(path, content) {
	rmSync(path, { force: true });
	writeFileSync(path, content, {
		flag: "wx",
		mode: 384
	});
	const fd = openSync(path, "r");
	rmSync(path);
	return fd;
}
function hasRun(file) {
	return (orNull(() => readFileSync(file, "latin1")) ?? "").includes("\"exit-code\"");
}
var programs_exports = /* @__PURE__ */ __exportAll({ PROGRAMS: () => PROGRAMS });
var PROGRAMS = [
	claude,
	box,
	exec,
	explore
];
export { remedyForPackage as $, UNTIL_QUIET_TO_ADOPT as $t, boxesDir as A, takeMarksOff as An, stir as At, holdsKeys as B, readServerFile as Bn, staysText as Bt, tidy as C, saysAsLeft as Cn, showUndone as Ct, readFold as D, findMoves as Dn, discardLive as Dt, isUnchanged as E, askMarks as En, pendLive as Et, trashInstance as F, unreadSession as Fn, discardPart as Ft, TYPING as G, logCommit as Gt, draftOf as H, wordsOf as Hn, keepingDiscarded as Ht, trashedInstances as I, TIMES as In, lookAtDiscard as It, versionOf as J, autoLeft as Jt, findBwrap as K, returnWritten as Kt, resolvePath as L, readTimes as Ln, undoPart as Lt, lastUsed as M, PendingPlan as Mn, Room as Mt, listInstances as N, stagePending as Nn, lookUpper as Nt, readLog as O, hasAllNames as On, Placer as Ot, removeTrashed as P, collectOwn as Pn, printOf as Pt, remedyForNamespaces as Q, MovedOn as Qt, upperOf$1 as R, isShell as Rn, alongText as Rt, statusText as S, lastResults as Sn, recordAdoption as St, ScanTrace as T, xattrsAt as Tn, undoDiscardLive as Tt, innermostStep as U, callerOf as Un, keepingTimes as Ut, mayGoUnread as V, permitText as Vn, closeUnfinished as Vt, PROJECT_IS_SCRATCH as W, log as Wt, pass as X, readHistory as Xt, fail as Y, historyPaths as Yt, readSetting as Z, writeTimes as Zt, boxGcText as _, abortQuietly as _n, withRequest as _t, byCallText as a, nothingPending as an, quoted as at, changeLine as b, collectOverrides as bn, finishInterruptedUndo as bt, oneLine as c, asQuiet as cn, needServer as ct, errorOfCommand as d, takeOverlay as dn, collect as dt, UNTIL_QUIET_TO_DISCARD as en, warn as et, errorOfTool as f, makeFresh as fn, contextsOf as ft, boxGarbageLines as g, repairOverlay as gn, expectQuiet as gt, PROJECT_IS_GONE as h, needsRepair as hn, previewGc as ht, ps as i, notOneCall as in, never as it, instanceDir as j, uppersOf$1 as jn, takeOut as jt, foldLog as k, mayMove as kn, putOver as kt, permissionText as l, adoptionWaits as ln, post as lt, isCommandTimeout as m, inJournal as mn, lowSpace as mt, programs_exports as n, adoptsItself as nn, always as nt, groupByCall as o, nothingToDiscard as on, withPermit as ot, eventOf as p, closeWhole as pn, diskUse as pt, tryBox as q, autoFailed as qt, passthrough as r, clientIsOpen as rn, chosenMeta as rt, logText as s, otherProject as sn, findServer as st, PROGRAMS as t, adopterHasChanges as tn, aboutSession as tt, endingOf as u, logAdoption as un, postJson as ut, instancesText as v, advance as vn, withSession as vt, lookThrough as w, dropCommitted as wn, returnableLive as wt, countsText as x, overridesOf as xn, giveUpInterrupted as xt, EFFECT_WORDS as y, choicesOfRedo as yn, finishInterrupted as yt, countRisks as z, mayRun as zn, choose as zt };
