"use strict";
const require_cli = require("../cli.cjs");
const require_merged_before = require("./merged-before.cjs");
const require_trash = require("./trash.cjs");
let node_fs = require("node:fs");
var KEPT_BY_COMMIT = [
	require_merged_before.BEFORE,
	require_merged_before.MERGED,
	require_trash.BACK
];
var LIVE_MS = 6e4;
async function diskSizes(ctx, live) {
	const key = keyOf(ctx);
	const known = readKept(ctx, key, live);
	if (known !== null) return known;
	const sizes = await countSizes(ctx);
	const kept = {
		v: 1,
		key,
		at: Date.now(),
		sizes
	};
	require_cli.tryWriteWhole(fileOf(ctx), JSON.stringify(kept));
	return sizes;
}
async function sizeOnDisk(...paths) {
	return await new Sum().of(paths);
}
async function countSizes(ctx) {
	const sum = new Sum();
	const session = require_cli.fromText(ctx.sessionDir);
	const commits = require_trash.commitNumbers(require_cli.nodePort, ctx).map((n) => require_trash.commitDir(ctx, n));
	const discards = require_trash.trashNames(require_cli.nodePort, ctx).map((name) => require_cli.joinPath(require_trash.trashDir(ctx), name));
	return {
		upper: await sum.of(require_trash.overlaysIn(require_cli.nodePort, ctx, session)),
		images: await sum.of(commits.flatMap((dir) => KEPT_BY_COMMIT.map((name) => require_cli.joinPath(dir, name)))),
		trash: await sum.of(discards.flatMap((dir) => [dir, ...require_trash.overlaysIn(require_cli.nodePort, ctx, dir)])),
		other: await sum.of([session])
	};
}
var Sum = class {
	#linked = /* @__PURE__ */ new Set();
	#dirs = /* @__PURE__ */ new Set();
	#bytes = 0;
	async of(paths) {
		this.#bytes = 0;
		await require_cli.inSlices(this.#walk(paths), () => false);
		return this.#bytes;
	}
	*#walk(stack) {
		for (let path = stack.pop(); path !== void 0; path = stack.pop()) {
			yield null;
			const entry = require_cli.orNull(() => (0, node_fs.lstatSync)(require_cli.fsPath(path), { throwIfNoEntry: false })) ?? null;
			if (entry?.isDirectory()) {
				if (this.#dirs.has(path)) continue;
				this.#dirs.add(path);
				for (const name of require_cli.namesOrNone(path)) stack.push(require_cli.joinPath(path, name));
			}
			if (entry !== null && this.#isNew(entry)) this.#bytes += entry.blocks * 512;
		}
	}
	#isNew(entry) {
		if (entry.isDirectory() || entry.nlink < 2) return true;
		if (this.#linked.has(entry.ino)) return false;
		this.#linked.add(entry.ino);
		return true;
	}
};
function keyOf(ctx) {
	const images = require_trash.commitNumbers(require_cli.nodePort, ctx).flatMap((n) => KEPT_BY_COMMIT.filter((name) => require_cli.nodePort.lstat(require_cli.joinPath(require_trash.commitDir(ctx, n), name)) !== null).map((name) => `${n}${name}`));
	return `${require_cli.logSize(ctx.sessionDir)} ${images.join(",")} ${require_trash.trashNames(require_cli.nodePort, ctx).join(",")}`;
}
function readKept(ctx, key, live) {
	const value = require_cli.orNull(() => require_cli.readPlainJson(fileOf(ctx)));
	if (!isKept(value) || value.key !== key) return null;
	return live && Date.now() - value.at > LIVE_MS ? null : value.sizes;
}
function isKept(value) {
	if (!require_cli.isObject(value) || value["v"] !== 1) return false;
	const { sizes } = value;
	if (!require_cli.isObject(sizes)) return false;
	return [
		"upper",
		"images",
		"trash",
		"other"
	].every((part) => typeof sizes[part] === "number");
}
function fileOf({ sessionDir }) {
	return `${sessionDir}/disk.json`;
}
Object.defineProperty(exports, "KEPT_BY_COMMIT", {
	enumerable: true,
	get: function() {
		return KEPT_BY_COMMIT;
	}
});
Object.defineProperty(exports, "diskSizes", {
	enumerable: true,
	get: function() {
		return diskSizes;
	}
});
Object.defineProperty(exports, "sizeOnDisk", {
	enumerable: true,
	get: function() {
		return sizeOnDisk;
	}
});
