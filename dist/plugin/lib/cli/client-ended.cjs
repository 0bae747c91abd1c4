"use strict";
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
		if (require_cli.readClientRecord(require_cli.sessionDir(cli.state, session))?.pid !== process.ppid) throw require_cli.badUsage(clientEnded, require_cli.USAGE.notStartedBy);
		require_cli.remarkOnRoom(cli, Number(status));
		const follows = require_cli.followCredentials({
			stateDir: cli.state,
			session
		}, cli.env);
		await require_cli.endHere(cli, session, {
			keepsRunning: false,
			follows
		});
		return 0;
	}
};
exports.clientEnded = clientEnded;
