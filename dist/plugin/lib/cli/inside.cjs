"use strict";
const require_cli = require("../cli.cjs");
let node_fs = require("node:fs");
var inside_exports = /* @__PURE__ */ require_cli.__exportAll({
	isRefresh: () => isRefresh,
	mountedDevices: () => mountedDevices,
	openInside: () => openInside,
	openInsideOf: () => openInsideOf,
	refreshMounts: () => refreshMounts
});
async function openInside(source, covered) {
	return openInsideOf(await require_cli.liveProcesses(source), source, covered);
}
function openInsideOf(processes, source, covered) {
	for (const { pid } of processes) {
		const opened = openAt(pid, source, covered);
		if (opened !== null) return {
			...opened,
			pid,
			close: () => require_cli.nodePort.close(opened.fd)
		};
	}
	return null;
}
function openAt(pid, source, covered) {
	const fd = require_cli.orNull(() => require_cli.nodePort.openDir(`/proc/${pid}/root${covered.path}`));
	if (fd === null) return null;
	const dev = require_cli.orNull(() => require_cli.nodePort.fstat(fd).dev);
	const device = dev === null ? "" : deviceText(dev);
	const isMounted = require_cli.parseMountinfo(require_cli.processText(pid, "mountinfo") ?? "").some((mount) => mount.source === source && mount.device === device && mount.point === covered.path);
	if (dev !== null && isMounted) return {
		fd,
		dev,
		device
	};
	require_cli.nodePort.close(fd);
	return null;
}
function mountedDevices(processes, source) {
	return [...new Set(processes.map(({ pid }) => require_cli.processText(pid, "mountinfo") ?? ""))].flatMap(require_cli.parseMountinfo).filter((mount) => mount.source === source).map(({ device }) => device);
}
function deviceText(dev) {
	return `${dev >> 8n & 4095n | dev >> 32n & -4096n}:${dev & 255n | dev >> 12n & -256n}`;
}
var SCRIPT = `export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do ${require_cli.programPath("mount")} -o remount "$at" || exit; done`;
function isRefresh(argv) {
	return argv.includes(SCRIPT);
}
async function refreshMounts(ctx, pid, points) {
	const fds = [];
	try {
		fds.push((0, node_fs.openSync)(`/proc/${pid}/ns/mnt`, "r"));
		if (!ctx.root) fds.push((0, node_fs.openSync)(`/proc/${pid}/root${ctx.stateDir}/userns`, "r"));
		const owner = ctx.root ? [] : ["--preserve-credentials", "--user=/proc/self/fd/4"];
		const shell = [
			require_cli.programPath("bash"),
			"--norc",
			"-p",
			"-c",
			SCRIPT
		];
		const input = Buffer.from(points.map((point) => `${point}\0`).join(""), "latin1");
		const args = [
			...owner,
			"--mount=/proc/self/fd/3",
			...shell
		];
		const { status, stderr } = await require_cli.nodePort.run(require_cli.programPath("nsenter"), args, input, fds);
		return status === 0 ? null : stderr.trim() || `nsenter ended with status ${status}`;
	} catch (error) {
		return require_cli.errorText(error);
	} finally {
		for (const fd of fds) (0, node_fs.closeSync)(fd);
	}
}
Object.defineProperty(exports, "inside_exports", {
	enumerable: true,
	get: function() {
		return inside_exports;
	}
});
Object.defineProperty(exports, "isRefresh", {
	enumerable: true,
	get: function() {
		return isRefresh;
	}
});
Object.defineProperty(exports, "mountedDevices", {
	enumerable: true,
	get: function() {
		return mountedDevices;
	}
});
Object.defineProperty(exports, "openInside", {
	enumerable: true,
	get: function() {
		return openInside;
	}
});
Object.defineProperty(exports, "openInsideOf", {
	enumerable: true,
	get: function() {
		return openInsideOf;
	}
});
Object.defineProperty(exports, "refreshMounts", {
	enumerable: true,
	get: function() {
		return refreshMounts;
	}
});
