"use strict";
const require_box = require("./box.cjs");
const require_cli = require("../cli.cjs");
const require_read = require("./read.cjs");
let node_fs = require("node:fs");
async function statusOfClient(sessionDir, [status, lost]) {
	const guess = Number(status);
	if (lost !== "lost") return guess;
	const call = (await require_read.readFold(sessionDir).then((fold) => fold.views(), () => [])).findLast(({ origin }) => origin === "client");
	return call?.state === "not-entered" ? 125 : call?.rc ?? guess;
}
function endBox({ stateDir, session, pid }, code) {
	const record = require_cli.knownBoxRecord(require_cli.sessionDir(stateDir, session));
	if (record === null) return;
	const { status } = require_box.runFiles(record.instance, session, pid);
	const ran = code !== 1 || require_box.hasRun(status);
	for (const file of [status, require_box.argsOf({ status })]) (0, node_fs.rmSync)(file, { force: true });
	if (!ran) throw require_cli.notMade();
}
exports.endBox = endBox;
exports.statusOfClient = statusOfClient;
