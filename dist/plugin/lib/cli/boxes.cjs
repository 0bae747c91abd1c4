"use strict";
const require_cli = require("../cli.cjs");
const require_box = require("./box.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_list = require("./list.cjs");
require("./read.cjs");
require("./client-processes.cjs");
let node_fs = require("node:fs");
let node_path = require("node:path");
async function instancesAt({ stateDir, env }) {
	return await require_box.listInstances(stateDir, {
		...await require_cli.listSessions(stateDir),
		hasPending: async (session) => await require_list.hasPending(await require_cli.sessionContext(stateDir, session, env))
	});
}
async function sizedInstances(at) {
	const instances = [];
	for (const one of await instancesAt(at)) instances.push(await sized(at.stateDir, one));
	return {
		instances,
		dir: require_box.boxesDir(at.stateDir)
	};
}
async function sized(stateDir, one) {
	return {
		...one,
		bytes: await instanceSize(require_box.instanceDir(stateDir, one.id), one.running)
	};
}
async function collectInstances(at, { ids, dry }) {
	const { stateDir } = at;
	const wanted = ids === null ? null : new Set(ids);
	const report = {
		taken: [],
		left: [],
		dir: require_box.boxesDir(stateDir)
	};
	for (const one of await instancesAt(at)) {
		const isNamed = wanted?.delete(one.id) ?? false;
		const { id, root, state, why } = one;
		if (wanted !== null && !isNamed) continue;
		if (state === "gone" && root !== null) {
			const moved = dry ? "" : await require_box.trashInstance(stateDir, id, Date.now());
			report.taken.push({
				id,
				root,
				bytes: 0,
				at: moved
			});
		} else if (state === "unsure") report.left.push({
			id,
			why
		});
		else if (isNamed) report.left.push({
			id,
			why: require_cli.STAYS.used
		});
	}
	for (const id of wanted ?? []) report.left.push({
		id,
		why: require_cli.STAYS.away
	});
	for (const one of report.taken) one.bytes = await instanceSize(dry ? require_box.instanceDir(stateDir, one.id) : one.at, false);
	return report;
}
var RUNNING_MS = 6e4;
var QUIET_MS = 864e5;
async function instanceSize(instance, running) {
	if (!isOwnDir(instance)) return await require_disk_use.sizeOnDisk(require_cli.fromText(instance));
	const file = (0, node_path.join)(instance, "size.json");
	const used = require_box.lastUsed(instance) ?? 0;
	const kept = require_cli.orNull(() => require_cli.readPlainJson(file));
	if (isValid(kept, used, running)) return kept.bytes;
	const at = Date.now();
	const bytes = await require_disk_use.sizeOnDisk(require_cli.fromText(instance));
	require_cli.tryWriteWhole(file, JSON.stringify({
		v: 1,
		used,
		at,
		running,
		bytes
	}));
	return bytes;
}
function isOwnDir(path) {
	const stat = require_cli.orNull(() => (0, node_fs.lstatSync)(path));
	return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}
function isValid(kept, used, running) {
	if (!require_cli.isObject(kept) || kept["v"] !== 1 || kept["used"] !== used || kept["running"] !== running) return false;
	const { at, bytes } = kept;
	if (typeof at !== "number" || typeof bytes !== "number") return false;
	const age = Date.now() - at;
	return age >= 0 && age < (running ? RUNNING_MS : QUIET_MS);
}
Object.defineProperty(exports, "collectInstances", {
	enumerable: true,
	get: function() {
		return collectInstances;
	}
});
Object.defineProperty(exports, "sizedInstances", {
	enumerable: true,
	get: function() {
		return sizedInstances;
	}
});
