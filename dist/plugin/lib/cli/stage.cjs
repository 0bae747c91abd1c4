"use strict";
const require_cli = require("../cli.cjs");
const require_trash = require("./trash.cjs");
const require_draft = require("./draft.cjs");
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
		if (base === null) throw new require_cli.NotApplied(require_trash.DIR_NOT_WRITABLE);
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
	if (open.length > 0) throw require_trash.openConflicts(open);
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
		})) failStep(one.step, require_trash.XATTRS_CHANGED, failed);
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
		failed.set(member.path, require_trash.SANDBOX_CHANGED);
		upper.delete(member.path);
	}
	if (failed.has(step.change.path)) throw new require_cli.NotApplied(require_trash.SANDBOX_CHANGED);
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
	for (const { path } of stale) findings.failed.set(path, require_trash.NOT_REVIEWED);
	for (const { path } of closed) findings.failed.set(path, require_draft.CONFLICT_REASONS.unreadable);
	if (list.problems.length === 0) return;
	const unread = list.problems.map(({ path }) => path);
	const isUnread = (path) => unread.includes(require_cli.toDisplay(path));
	const holdsUnread = (path) => unread.some((one) => one.startsWith(`${require_cli.toDisplay(path)}/`));
	const { failed } = findings;
	findings.checked = findings.checked.filter(({ step }) => {
		const { op, change, members } = step;
		if (isUnread(change.path) || op === "delete" && holdsUnread(change.path)) {
			failStep(step, require_trash.NOT_ALL_READ, failed);
			return false;
		}
		const unreadDirs = /* @__PURE__ */ new Set();
		for (const { path } of members) {
			if (!unreadDirs.has(require_cli.parentOf(path)) && !isUnread(path)) continue;
			unreadDirs.add(path);
			failed.set(path, require_trash.NOT_ALL_READ);
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
		const names = fail((step) => deletesOf(step).some(({ path }) => renamed.has(path)), require_trash.NO_NEW_NAME);
		more = fail((step) => changesOf(step).some(({ group }) => group !== null && groups.has(group)), "it belongs together with an entry that could not be applied") || names;
	}
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
	let complaints = await copyWith(copying, [...isRoot || viewer === void 0 ? [] : [
		"nsenter",
		"--preserve-credentials",
		"-U",
		"-t",
		viewer
	], ...SHELL]);
	const other = complaints.filter((line) => !line.endsWith("Permission denied"));
	if (!isRoot && viewer === void 0 && other.length < complaints.length) {
		const again = await copyWith(copying, [
			"unshare",
			"--user",
			"--map-root-user",
			...SHELL
		]);
		complaints = [...other, ...again];
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
		if (/No space left on device|Disk quota exceeded/.test(stderr)) throw require_trash.noSpaceForCopies(lines[0] ?? "");
		if (status === 127) throw require_trash.noCp(stderr.trim());
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
		return this.#ctx.coveredDirs.some((covered) => covered.path === path);
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
			else failStep(one.step, complaint || require_trash.notCopied(""), findings.failed);
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
			const why = require_trash.XATTR_ERRORS[require_cli.errorCode(error)];
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
		failed.set(member, complaint === "" ? require_trash.CHANGED_MEANWHILE : require_trash.notCopied(complaint));
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
		throw require_trash.noSpace(bytes, free, base);
	}
}
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
Object.defineProperty(exports, "Closure", {
	enumerable: true,
	get: function() {
		return Closure;
	}
});
Object.defineProperty(exports, "Tree", {
	enumerable: true,
	get: function() {
		return Tree;
	}
});
Object.defineProperty(exports, "Uppers", {
	enumerable: true,
	get: function() {
		return Uppers;
	}
});
Object.defineProperty(exports, "allDirsTo", {
	enumerable: true,
	get: function() {
		return allDirsTo;
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
Object.defineProperty(exports, "copyAll", {
	enumerable: true,
	get: function() {
		return copyAll;
	}
});
Object.defineProperty(exports, "copyOut", {
	enumerable: true,
	get: function() {
		return copyOut;
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
Object.defineProperty(exports, "groupsOf", {
	enumerable: true,
	get: function() {
		return groupsOf;
	}
});
Object.defineProperty(exports, "hostDirs", {
	enumerable: true,
	get: function() {
		return hostDirs;
	}
});
Object.defineProperty(exports, "hostXattrs", {
	enumerable: true,
	get: function() {
		return hostXattrs;
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
Object.defineProperty(exports, "isNewTree", {
	enumerable: true,
	get: function() {
		return isNewTree;
	}
});
Object.defineProperty(exports, "isSelection", {
	enumerable: true,
	get: function() {
		return isSelection;
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
Object.defineProperty(exports, "needsWriting", {
	enumerable: true,
	get: function() {
		return needsWriting;
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
Object.defineProperty(exports, "removesAcl", {
	enumerable: true,
	get: function() {
		return removesAcl;
	}
});
Object.defineProperty(exports, "replacedBytes", {
	enumerable: true,
	get: function() {
		return replacedBytes;
	}
});
Object.defineProperty(exports, "unlisted", {
	enumerable: true,
	get: function() {
		return unlisted;
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
Object.defineProperty(exports, "xattrChanges", {
	enumerable: true,
	get: function() {
		return xattrChanges;
	}
});
