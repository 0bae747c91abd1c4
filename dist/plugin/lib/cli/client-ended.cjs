"use strict";
const require_box = require("./box.cjs");
const require_cli = require("../cli.cjs");
var clientEnded = {
	name: "client-ended",
	usage: "SESSION STATUS",
	summary: "do what follows when Claude Code has ended",
	arguments: [],
	words: 2,
	session: null,
	json: false,
	async run(cli, { words: [session = "", status] }) {
		const code = Number(status);
		const record = require_cli.readClientRecord(require_cli.sessionDir(cli.state, session));
		if (record === null) return code;
		if (record.pid !== process.ppid) throw require_cli.badUsage(clientEnded, require_cli.USAGE.notStartedBy);
		process.on("SIGINT", () => void 0);
		require_cli.remarkOnRoom(cli, code);
		const follows = require_cli.followCredentials({
			stateDir: cli.state,
			session
		}, cli.env);
		await require_cli.endHere(cli, session, {
			keepsRunning: false,
			follows
		});
		require_box.endBox({
			stateDir: cli.state,
			session,
			pid: process.ppid
		}, code);
		return code;
	}
};
exports.clientEnded = clientEnded;
