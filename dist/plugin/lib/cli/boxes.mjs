import { t as __exportAll } from "./rolldown-runtime.mjs";
import { A as boxesDir, F as trashInstance, I as trashedInstances, M as lastUsed, N as listInstances, P as removeTrashed, Un as callerOf, _ as boxGcText, h as PROJECT_IS_GONE, j as instanceDir, v as instancesText } from "./programs.mjs";
import { A as loadConfig, Ci as hasPending, V as sizeOnDisk, c as listSessions, ms as readPlainJson, p as sessionContext, vs as tryWriteWhole, xs as isObject } from "./processes.mjs";
import { Kn as fromText, bn as STAYS, qt as onlyUserRemoves, tt as orNull } from "../cli.mjs";
import { lstatSync } from "node:fs";
import { join } from "node:path";
async function instancesAt({ stateDir, env }) {
	return await listInstances(stateDir, {
		...await listSessions(stateDir),
		hasPending: async (session) => await hasPending(await sessionContext(stateDir, session, env))
	});
}
async function sizedInstances(at) {
	const instances = [];
	for (const one of await instancesAt(at)) instances.push(await sized(at.stateDir, one));
	return {
		instances,
		dir: boxesDir(at.stateDir)
	};
}
async function sized(stateDir, one) {
	return {
		...one,
		bytes: await instanceSize(instanceDir(stateDir, one.id), one.running)
	};
}
async function collectInstances(at, { ids, dry }) {
	const { stateDir } = at;
	const wanted = ids === null ? null : new Set(ids);
	const report = {
		taken: [],
		left: [],
		dir: boxesDir(stateDir)
	};
	for (const one of await instancesAt(at)) {
		const isNamed = wanted?.delete(one.id) ?? false;
		const { id, root, state, why } = one;
		if (wanted !== null && !isNamed) continue;
		if (state === "gone" && root !== null) {
			const moved = dry ? "" : await trashInstance(stateDir, id, Date.now());
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
			why: STAYS.used
		});
	}
	for (const id of wanted ?? []) report.left.push({
		id,
		why: STAYS.away
	});
	for (const one of report.taken) one.bytes = await instanceSize(dry ? instanceDir(stateDir, one.id) : one.at, false);
	return report;
}
var RUNNING_MS = 6e4;
var QUIET_MS = 864e5;
async function instanceSize(instance, running) {
	if (!isOwnDir(instance)) return await sizeOnDisk(fromText(instance));
	const file = join(instance, "size.json");
	const used = lastUsed(instance) ?? 0;
	const kept = orNull(() => readPlainJson(file));
	if (isValid(kept, used, running)) return kept.bytes;
	const at = Date.now();
	const bytes = await sizeOnDisk(fromText(instance));
	tryWriteWhole(file, JSON.stringify({
		v: 1,
		used,
		at,
		running,
		bytes
	}));
	return bytes;
}
function isOwnDir(path) {
	const stat = orNull(() => lstatSync(path));
	return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}
function isValid(kept, used, running) {
	if (!isObject(kept) || kept["v"] !== 1 || kept["used"] !== used || kept["running"] !== running) return false;
	const { at, bytes } = kept;
	if (typeof at !== "number" || typeof bytes !== "number") return false;
	const age = Date.now() - at;
	return age >= 0 && age < (running ? RUNNING_MS : QUIET_MS);
}
var boxes_exports = /* @__PURE__ */ __exportAll({
	gcBoxes: () => gcBoxes,
	listBoxes: () => listBoxes
});
var DAY_MS = 864e5;
var placeOf = ({ state, env }) => ({
	stateDir: state,
	env
});
async function listBoxes(cli) {
	const { instances } = await sizedInstances(placeOf(cli));
	const lines = instances.map(({ state, why, sessions: _, ...one }) => ({
		...one,
		note: state === "gone" ? PROJECT_IS_GONE : why
	}));
	cli.print(instancesText(lines, cli.style), { boxes: lines });
	return 0;
}
async function boxGarbage(cli) {
	const { keepDays } = loadConfig(cli.env).config.undo;
	const { taken } = await collectInstances(placeOf(cli), {
		ids: null,
		dry: true
	});
	const garbage = {
		gone: taken.map(({ at: _, ...one }) => one),
		old: []
	};
	for (const one of trashedInstances(cli.state)) {
		if (Date.now() - one.at < keepDays * DAY_MS) continue;
		garbage.old.push({
			...one,
			bytes: await sizeOnDisk(fromText(join(cli.state, "trash", one.name)))
		});
	}
	return garbage;
}
async function collectBoxes(cli, { gone, old }) {
	if (gone.length > 0) await collectInstances(placeOf(cli), {
		ids: gone.map(({ id }) => id),
		dry: false
	});
	for (const one of old) removeTrashed(cli.state, one);
}
async function gcBoxes(cli, dry) {
	if (!dry) {
		const { kind, found } = callerOf(process.pid, cli.state);
		if (kind !== "user") throw onlyUserRemoves(found);
	}
	const report = {
		...await collectInstances(placeOf(cli), {
			ids: null,
			dry
		}),
		dry
	};
	cli.print(boxGcText(report), report);
	return 0;
}
export { boxes_exports as n, collectBoxes as r, boxGarbage as t };
