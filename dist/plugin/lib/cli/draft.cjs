"use strict";
const require_cli = require("../cli.cjs");
let node_fs = require("node:fs");
let node_os = require("node:os");
var MAX_NAMES = 2e3;
var dirOf = (covered) => require_cli.parentOf(covered.upper);
function isCopyable(dir) {
	return (require_cli.orNull(() => (0, node_fs.readdirSync)(require_cli.fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES;
}
function readCopies(covered) {
	const value = require_cli.orNull(() => require_cli.readPlainJson(require_cli.fsPath(require_cli.joinPath(dirOf(covered), "copies.json"))));
	return Object(value).v === 1 ? value : null;
}
function isSame(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
}
var SUBGID = "/etc/subgid";
var NEWGIDMAP = require_cli.setuidPath("newgidmap");
var known = null;
function mappedGroups() {
	if (require_cli.isRealRoot()) return [];
	const read = () => {
		const stat = (0, node_fs.statSync)(SUBGID, { bigint: true });
		const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
		const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(",")}`;
		if (known?.identity === identity) return known.groups;
		(0, node_fs.accessSync)(NEWGIDMAP, node_fs.constants.X_OK);
		const ranges = rangesOf((0, node_fs.readFileSync)(SUBGID, "utf8"), userName(), String(process.getuid?.() ?? 0));
		const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
		known = {
			identity,
			groups: [...new Set(groups)].sort((a, b) => a - b)
		};
		return known.groups;
	};
	return require_cli.orNull(read) ?? [];
}
async function mapGroups(pid, gid, groups) {
	const map = groups.flatMap((group) => [
		group,
		group,
		1
	]);
	await require_cli.run(NEWGIDMAP, [
		pid,
		0,
		gid,
		1,
		...map
	].map(String), { timeout: 5e3 });
}
function isUnmapped(gid) {
	return gid !== process.getgid?.() && !mappedGroups().includes(gid);
}
function groupRemedy(gid, packageRemedy) {
	const steps = [`echo '${userName()}:${gid}:1' | sudo tee -a ${SUBGID}`];
	if (require_cli.orNull(() => (0, node_fs.accessSync)(NEWGIDMAP, node_fs.constants.X_OK)) === null) steps.unshift(packageRemedy);
	return `Let the sandbox map the group${(process.getgroups?.() ?? []).includes(gid) ? "" : " (and become a member of that group: you are not)"}:\n  ${steps.join("\n  ")}\nor give the directory your own group: chgrp -R, chmod g-s.`;
}
function rangesOf(text, name, uid) {
	return text.split("\n").flatMap((line) => {
		const [who, from = "", count = ""] = line.trim().split(":");
		return (who === name || who === uid) && /^\d+$/.test(from) && /^\d+$/.test(count) ? [{
			from: Number(from),
			count: Number(count)
		}] : [];
	});
}
function userName() {
	return require_cli.orNull(() => (0, node_os.userInfo)().username) ?? String(process.getuid?.() ?? 0);
}
Object.defineProperty(exports, "groupRemedy", {
	enumerable: true,
	get: function() {
		return groupRemedy;
	}
});
Object.defineProperty(exports, "isCopyable", {
	enumerable: true,
	get: function() {
		return isCopyable;
	}
});
Object.defineProperty(exports, "isSame", {
	enumerable: true,
	get: function() {
		return isSame;
	}
});
Object.defineProperty(exports, "isUnmapped", {
	enumerable: true,
	get: function() {
		return isUnmapped;
	}
});
Object.defineProperty(exports, "mapGroups", {
	enumerable: true,
	get: function() {
		return mapGroups;
	}
});
Object.defineProperty(exports, "mappedGroups", {
	enumerable: true,
	get: function() {
		return mappedGroups;
	}
});
Object.defineProperty(exports, "readCopies", {
	enumerable: true,
	get: function() {
		return readCopies;
	}
});
