"use strict";
const require_cli = require("../cli.cjs");
async function clientProcesses(ctx) {
	if ((await require_cli.liveProcesses(ctx.source)).length === 0) return [];
	const { sessionProcesses } = await Promise.resolve().then(() => require("./processes.cjs")).then((n) => n.processes_exports);
	const { readFold } = await Promise.resolve().then(() => require("./read.cjs")).then((n) => n.read_exports);
	const fold = async () => await readFold(ctx.sessionDir);
	const found = await sessionProcesses(ctx.source, async () => (await fold()).spans());
	if (found.length === 0) return [];
	const others = new Set((await fold()).views().flatMap(({ id, origin }) => origin === "exec" || origin === "explore" ? [id] : []));
	return found.filter(({ call }) => call === null || !others.has(call));
}
async function lastClientCall(sessionDir) {
	const { readFold } = await Promise.resolve().then(() => require("./read.cjs")).then((n) => n.read_exports);
	return (await readFold(sessionDir).then((fold) => fold.views(), () => [])).findLast(({ origin }) => origin === "client");
}
Object.defineProperty(exports, "clientProcesses", {
	enumerable: true,
	get: function() {
		return clientProcesses;
	}
});
Object.defineProperty(exports, "lastClientCall", {
	enumerable: true,
	get: function() {
		return lastClientCall;
	}
});
