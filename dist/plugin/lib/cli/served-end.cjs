"use strict";
const require_box = require("./box.cjs");
const require_cli = require("../cli.cjs");
const require_client_processes = require("./client-processes.cjs");
let node_fs = require("node:fs");
async function clientEndOf(sessionDir, [status, ...marks]) {
	const guess = Number(status);
	const keepsRunning = marks.includes("keep-running");
	return {
		code: marks.includes("lost") ? await loggedStatus(sessionDir, guess) : guess,
		keepsRunning
	};
}
async function loggedStatus(sessionDir, guess) {
	const call = await require_client_processes.lastClientCall(sessionDir);
	return call?.state === "not-entered" ? 125 : call?.rc ?? guess;
}
function endBox({ stateDir, session, pid }, code) {
	const record = require_cli.knownBoxRecord(require_cli.sessionDir(stateDir, session));
	if (record === null) return;
	const { status } = require_box.runFiles(record.instance, session, pid);
	const ran = code !== 1 || require_box.hasRun(status);
	for (const file of [
		status,
		require_cli.argsOf(status),
		require_cli.gateOf(status)
	]) (0, node_fs.rmSync)(file, { force: true });
	if (!ran) throw require_cli.notMade();
}
exports.clientEndOf = clientEndOf;
exports.endBox = endBox;
