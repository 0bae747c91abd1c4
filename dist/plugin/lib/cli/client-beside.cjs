"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
const require_nothing_pending = require("./nothing-pending.cjs");
const require_client_processes = require("./client-processes.cjs");
let node_fs = require("node:fs");
let node_timers_promises = require("node:timers/promises");
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
	return `${require_cli.countText(pending, "change")} pending${moved}: ${commands}, ${where}`;
}
function leftRunningText(processes, kept) {
	const lines = processes.map(({ pid, ports, command }) => {
		return `  ${pid}  ${command}${ports.length === 0 ? "" : ` (${ports.map((port) => `:${port}`).join(" ")})`}`;
	});
	const count = require_cli.countText(processes.length, "process", "processes");
	return [
		kept ? `${count} of the session still running:` : `Ending ${count} that Claude Code left running:`,
		...lines,
		...kept ? ["See: trai ps"] : []
	].join("\n");
}
function stateLeftText(names) {
	return `Not carried to your ~/.claude.json, since Claude Code obeys it: ${names.join(", ")}. To keep it, do the same in claude outside of the session (claude mcp add ...).`;
}
async function endOfClient(ending) {
	const { stateDir, session, env, say } = ending;
	const remark = (error) => {
		const hint = error instanceof require_cli.TraiError && error.hint !== void 0 ? `\n${error.hint}` : "";
		say(`trai: ${require_cli.messageOf(error)}${hint}`);
	};
	const context = async () => await require_cli.sessionContext(stateDir, session, env);
	let ctx = null;
	try {
		ctx = await context();
	} catch (error) {
		remark(error);
	}
	await ending.follows.stop(ctx);
	if (ctx === null) return;
	try {
		let look = require_nothing_pending.nothingPending(ctx);
		if (await endProcesses(ending, ctx)) {
			ctx = await context();
			look = require_nothing_pending.nothingPending(ctx);
		}
		const nothing = look();
		const left = await require_cli.endClient(ctx, env).catch((error) => {
			remark(error);
			return [];
		});
		if (left.length > 0) say(stateLeftText(left));
		if (await nothing || await require_nothing_pending.nothingPending(ctx)()) {
			if (!ending.isServed()) await require_cli.tidyAlone(stateDir, session, env);
			return;
		}
		const port = await ending.port();
		if (port === null) await require_cli.tidyAlone(stateDir, session, env);
		const { counts, conflicts } = await ending.count(ctx);
		const pending = require_draft.sumCounts(counts);
		const text = clientEndText({
			pending,
			conflicts,
			session: (pending === 0 ? null : await require_cli.findSession(stateDir, { cwd: ending.cwd }))?.id === session ? null : session,
			port
		});
		if (text !== "") say(text);
	} catch (error) {
		remark(error);
	}
}
var LOOKS = 5;
var LOOK_MS = 100;
async function endProcesses({ keepsRunning, say }, ctx) {
	let left = [];
	for (let look = 0; look < LOOKS; look++) {
		if (look > 0) await (0, node_timers_promises.setTimeout)(LOOK_MS);
		left = await require_client_processes.clientProcesses(ctx);
		if (left.length === 0) return look > 0;
	}
	if (!await hasStarted(ctx)) return true;
	say(leftRunningText(left, keepsRunning));
	if (!keepsRunning) {
		const { endAndLog } = await Promise.resolve().then(() => require("./outcome.cjs")).then((n) => n.outcome_exports);
		await endAndLog(ctx, left);
	}
	return true;
}
async function hasStarted({ sessionDir }) {
	const call = await require_client_processes.lastClientCall(sessionDir);
	return call === void 0 || call.startedAt !== null && call.state !== "not-entered";
}
async function runBeside(cli, { session, text, argv, variables, keepsRunning, box }) {
	const fd = box === null ? null : await require_cli.withRoom(cli, () => argumentsFile(box));
	const follows = require_cli.followCredentials({
		stateDir: cli.state,
		session
	}, cli.env);
	const keeping = setInterval(() => void keepServer(cli), SERVER_LOOK_MS);
	try {
		const status = await require_cli.runLauncher(cli, {
			session,
			origin: "client",
			text,
			argv: [...box?.entry ?? [], ...argv],
			env: box === null ? {
				...variables,
				...cli.env
			} : variables,
			box: box === null || fd === null ? void 0 : {
				fd,
				signals: box.signals
			}
		});
		require_cli.remarkOnRoom(cli, status);
		return status;
	} finally {
		if (fd !== null) (0, node_fs.closeSync)(fd);
		clearInterval(keeping);
		await endHere(cli, session, {
			keepsRunning,
			follows
		});
	}
}
function argumentsFile(made) {
	const path = require_cli.saveArgs(made);
	const fd = (0, node_fs.openSync)(path, "r");
	(0, node_fs.rmSync)(path);
	return fd;
}
var clientEnded = {
	name: "client-ended",
	usage: "SESSION STATUS [lost] [keep-running]",
	summary: "do what follows when Claude Code has ended",
	arguments: [],
	words: 4,
	session: null,
	json: false,
	async run(cli, { words: [session = "", ...status] }) {
		const { clientEndOf, endBox } = await Promise.resolve().then(() => require("./served-end.cjs"));
		const dir = require_cli.sessionDir(cli.state, session);
		const record = require_cli.readClientRecord(dir);
		const { code, keepsRunning } = await clientEndOf(dir, status);
		if (record === null) return code;
		if (record.pid !== process.ppid) throw require_cli.badUsage(clientEnded, require_cli.USAGE.notStartedBy);
		process.on("SIGINT", () => void 0);
		require_cli.remarkOnRoom(cli, code);
		await endHere(cli, session, {
			keepsRunning,
			follows: require_cli.followCredentials({
				stateDir: cli.state,
				session
			}, cli.env)
		});
		endBox({
			stateDir: cli.state,
			session,
			pid: process.ppid
		}, code);
		return code;
	}
};
async function endHere(cli, session, { keepsRunning, follows }) {
	const { state: stateDir, env, dir: cwd } = cli;
	const asked = () => require_cli.findServer(cli).catch(() => null);
	await endOfClient({
		stateDir,
		session,
		env,
		cwd,
		keepsRunning,
		follows,
		say: (text) => cli.remark(text),
		isServed: () => seemsServed(cli),
		port: async () => (await asked())?.port ?? null,
		count: async (ctx) => await (await Promise.resolve().then(() => require("./list.cjs")).then((n) => n.scan_exports)).scan(ctx)
	});
}
var SERVER_LOOK_MS = 2e3;
function seemsServed(cli) {
	const file = require_cli.orIfRefused(() => require_cli.readServerFile(cli.state), null);
	return file !== null && require_cli.mayRun(file);
}
async function loadRest() {
	await Promise.all([
		Promise.resolve().then(() => require("./processes.cjs")).then((n) => n.processes_exports),
		Promise.resolve().then(() => require("./outcome.cjs")).then((n) => n.outcome_exports),
		Promise.resolve().then(() => require("./with-session.cjs")).then((n) => n.with_session_exports),
		Promise.resolve().then(() => require("./tidy.cjs")).then((n) => n.tidy_exports),
		Promise.resolve().then(() => require("./inside.cjs")).then((n) => n.inside_exports),
		Promise.resolve().then(() => require("./lock.cjs")).then((n) => n.lock_exports),
		Promise.resolve().then(() => require("./list.cjs")).then((n) => n.scan_exports),
		Promise.resolve().then(() => require("./read.cjs")).then((n) => n.read_exports)
	]);
}
async function keepServer(cli) {
	await loadRest().catch(() => void 0);
	if (!seemsServed(cli) && require_cli.isAutostart(cli)) await require_cli.needServer(cli, require_cli.hello).catch(() => void 0);
}
exports.clientEnded = clientEnded;
exports.runBeside = runBeside;
