"use strict";
const require_box = require("./box.cjs");
const require_disk_use = require("./disk-use.cjs");
const require_boxes = require("./boxes.cjs");
const require_cli = require("../cli.cjs");
let node_path = require("node:path");
var boxes_exports = /* @__PURE__ */ require_cli.__exportAll({
	gcBoxes: () => gcBoxes,
	listBoxes: () => listBoxes
});
var DAY_MS = 864e5;
var placeOf = ({ state, env }) => ({
	stateDir: state,
	env
});
async function listBoxes(cli) {
	const { instances } = await require_boxes.sizedInstances(placeOf(cli));
	const lines = instances.map(({ state, why, sessions: _, ...one }) => ({
		...one,
		note: state === "gone" ? require_box.PROJECT_IS_GONE : why
	}));
	cli.print(require_box.instancesText(lines, cli.style), { boxes: lines });
	return 0;
}
async function boxGarbage(cli) {
	const { keepDays } = require_cli.loadConfig(cli.env).config.undo;
	const { taken } = await require_boxes.collectInstances(placeOf(cli), {
		ids: null,
		dry: true
	});
	const garbage = {
		gone: taken.map(({ at: _, ...one }) => one),
		old: []
	};
	for (const one of require_box.trashedInstances(cli.state)) {
		if (Date.now() - one.at < keepDays * DAY_MS) continue;
		garbage.old.push({
			...one,
			bytes: await require_disk_use.sizeOnDisk(require_cli.fromText((0, node_path.join)(cli.state, "trash", one.name)))
		});
	}
	return garbage;
}
async function collectBoxes(cli, { gone, old }) {
	if (gone.length > 0) await require_boxes.collectInstances(placeOf(cli), {
		ids: gone.map(({ id }) => id),
		dry: false
	});
	for (const one of old) require_box.removeTrashed(cli.state, one);
}
async function gcBoxes(cli, dry) {
	if (!dry) {
		const { kind, found } = require_cli.callerOf(process.pid, cli.state);
		if (kind !== "user") throw require_cli.onlyUserRemoves(found);
	}
	const report = {
		...await require_boxes.collectInstances(placeOf(cli), {
			ids: null,
			dry
		}),
		dry
	};
	cli.print(require_box.boxGcText(report), report);
	return 0;
}
Object.defineProperty(exports, "boxGarbage", {
	enumerable: true,
	get: function() {
		return boxGarbage;
	}
});
Object.defineProperty(exports, "boxes_exports", {
	enumerable: true,
	get: function() {
		return boxes_exports;
	}
});
Object.defineProperty(exports, "collectBoxes", {
	enumerable: true,
	get: function() {
		return collectBoxes;
	}
});
