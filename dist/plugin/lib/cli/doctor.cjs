"use strict";
const require_check = require("./check.cjs");
const require_disk = require("./disk.cjs");
const require_rule_set = require("./rule-set.cjs");
const require_box = require("./box.cjs");
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
let node_fs = require("node:fs");
let node_os = require("node:os");
let node_path = require("node:path");
var NO_UPPER = {
	26985: "NFS",
	2035054128: "overlay",
	19780: "FAT",
	538032816: "exFAT",
	1936094318: "NTFS",
	1702057286: "FUSE",
	4283649346: "CIFS",
	4266872130: "SMB",
	16914839: "9p",
	12805120: "Ceph",
	61791: "eCryptfs",
	2240043254: "ramfs"
};
var LEAST_BYTES = 1e6;
var LITTLE_BYTES = 1e8;
function checkStateDir(stateDir, env) {
	try {
		(0, node_fs.mkdirSync)(stateDir, {
			recursive: true,
			mode: 448
		});
		(0, node_fs.accessSync)(stateDir, node_fs.constants.W_OK);
		require_cli.checkOwnDir(stateDir);
		const { bad, free } = fileSystemOf(stateDir);
		if (bad !== null) return require_box.fail(`${stateDir} is on ${bad}, which can't hold an overlay's upper directory`, `Keep trai's state on a local disk (ext4, xfs, btrfs). Before you start claude: ${betterStateDir(env)}`);
		if (free < LEAST_BYTES) return require_box.fail(`${stateDir} has no room left: no call can start`, `Free some space on that file system: trai gc, or trai commit where your files lie elsewhere. Or: ${betterStateDir(env)}`);
		const hint = "Free some space: what calls write is kept there until it is committed.";
		if (free < LITTLE_BYTES) return require_box.warn(`${stateDir} has ${require_cli.sizeText(free)} left`, hint);
		return require_box.pass(`${stateDir}, ${require_cli.sizeText(free)} free`);
	} catch (error) {
		const hint = error instanceof require_cli.TraiError ? error.hint : void 0;
		return require_box.fail(`${stateDir}: ${require_cli.messageOf(error)}`, hint ?? `Make it writable for this user, or: ${betterStateDir(env)}`);
	}
}
function fileSystemOf(dir) {
	const { type, bavail, bsize } = (0, node_fs.statfsSync)(dir);
	return {
		bad: NO_UPPER[type] ?? null,
		free: bavail * bsize
	};
}
function betterStateDir(env) {
	const local = [...require_cli.visibleMounts(require_cli.ownMounts()).values()].filter(({ type, readOnly }) => require_cli.LOWER_TYPES.has(type) && type !== "overlay" && type !== "tmpfs" && !readOnly);
	const name = `trai-${process.getuid?.() ?? 0}`;
	const good = [
		(0, node_path.join)(require_cli.homeDir(env), ".local/state/trai"),
		(0, node_path.join)("/var/tmp", name),
		...local.map((mount) => (0, node_path.join)(require_cli.toDisplay(mount.point), name)),
		(0, node_path.join)("/tmp", name)
	].find(couldHold);
	return good === void 0 ? "export TRAI_STATE_HOME=/a/directory/on/a/local/disk" : `export TRAI_STATE_HOME='${good}'`;
}
function couldHold(dir) {
	for (let at = dir;; at = (0, node_path.dirname)(at)) try {
		(0, node_fs.accessSync)(at, node_fs.constants.W_OK | node_fs.constants.X_OK);
		const { bad, free } = fileSystemOf(at);
		return bad === null && free >= LITTLE_BYTES;
	} catch (error) {
		if (require_cli.errorCode(error) !== "ENOENT" || at === "/") return false;
	}
}
function checkMounts(stateDir, env, project) {
	const { root } = require_cli.projectOf(project);
	const { notes, steps } = require_box.draftOf({
		mountinfo: (0, node_fs.readFileSync)("/proc/self/mountinfo", "latin1"),
		config: require_cli.loadConfig(env).config,
		home: require_cli.homeOf(env),
		projectRoot: root,
		stateDir
	});
	const direct = notes.find((note) => note.kind === "direct" && note.why === "the project is a scratch directory itself: what calls write in it is written directly");
	if (direct !== void 0) return require_box.warn(`${require_cli.toDisplay(direct.path)}: ${direct.why}`, "Work in a directory below it, or take it out of \"scratch\" in the config.");
	const step = require_box.innermostStep(steps, root);
	if (step?.do === "read-only") {
		const why = notes.find((note) => note.path === step.path)?.why ?? "";
		return require_box.warn(`the project ${require_cli.toDisplay(root)} can't be covered, so commands can only read it: ${why}`, "Work in a copy of it on a local Linux file system (ext4, xfs, btrfs), for example below your home directory.");
	}
	const readOnly = notes.filter((note) => note.kind === "read-only");
	if (readOnly.length === 0) return require_box.pass("every directory can be covered as a whole");
	return require_box.warn(`read-only inside: ${inPartsText(readOnly)}`, "Writing directly in these fails with \"Read-only file system\"; their other directories are covered.");
}
function inPartsText(notes) {
	const byReason = /* @__PURE__ */ new Map();
	for (const { path, why } of notes) byReason.set(why, [...byReason.get(why) ?? [], require_cli.toDisplay(path)]);
	const named = [...byReason].slice(0, 8).map(([why, paths]) => `${paths.join(", ")} (${why})`);
	const more = byReason.size > 8 ? `; and others, for ${byReason.size - 8} more reasons` : "";
	return `${named.join("; ")}${more}`;
}
function checkOwners(project) {
	const shown = require_cli.toDisplay(project);
	if (require_cli.isRealRoot()) return require_box.pass("root");
	try {
		const { uid, gid } = (0, node_fs.statSync)(require_cli.fsPath(project));
		const [own, ownGroup] = [process.getuid?.(), process.getgid?.()];
		if (uid === own && (gid === ownGroup || !require_draft.isUnmapped(gid))) return require_box.pass(`${shown} is yours${gid === ownGroup ? "" : `, of group ${gid}`}`);
		const remedy = uid === own ? require_draft.groupRemedy(gid, require_box.remedyForPackage("uidmap")) : "Take the files over (sudo chown -R), or work in a clone of your own.";
		return require_box.warn(`${shown} belongs to uid ${uid}, gid ${gid}; this user is ${own}, ${ownGroup}`, `Changing such files inside the sandbox fails with "Value too large for defined data type". ${remedy}`);
	} catch (error) {
		return require_box.warn(`${shown}: ${require_cli.messageOf(error)}`, "");
	}
}
var PROBE_MS = 5e3;
var TOOLS = [
	"unshare",
	"nsenter",
	"mount",
	"flock"
];
async function runDoctor({ stateDir, project, env }) {
	const checks = [
		{
			id: "system",
			...checkSystem()
		},
		{
			id: "node",
			...checkNode()
		},
		{
			id: "tools",
			...checkTools()
		},
		{
			id: "outer-sandbox",
			...checkOuterSandbox(env)
		},
		{
			id: "state",
			...checkStateDir(stateDir, env)
		}
	];
	if (isHealthy(checks)) {
		checks.push({
			id: "namespaces",
			...await checkNamespaces()
		});
		checks.push({
			id: "overlay",
			...await checkOverlay(stateDir)
		});
	}
	if (project !== void 0) {
		checks.push({
			id: "owners",
			...checkOwners(project)
		});
		checks.push({
			id: "mounts",
			...checkMounts(stateDir, env, project)
		});
	}
	return checks;
}
function isHealthy(checks) {
	return checks.every((check) => check.ok || check.level === "warning");
}
function checkSystem() {
	if (process.platform !== "linux") return require_box.fail(`this is ${process.platform}`, "trai needs Linux (overlayfs). Elsewhere use Claude Code’s own sandbox: /sandbox");
	const found = `Linux ${(0, node_os.release)()}`;
	if (isAtLeast((0, node_os.release)(), 5, 11)) return require_box.pass(found);
	return require_box.fail(found, "An overlay for an ordinary user needs Linux 5.11 or newer.");
}
function checkNode() {
	const found = `Node ${process.versions.node} (${process.execPath})`;
	if (isAtLeast(process.versions.node, 20, 19)) return require_box.pass(found);
	return require_box.fail(found, "Install Node 20.19 or newer; trai finds it on PATH or under nvm, fnm, volta, asdf and mise.");
}
function isAtLeast(version, leastMajor, leastMinor) {
	const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
	return major > leastMajor || major === leastMajor && minor >= leastMinor;
}
function checkTools() {
	const missing = [...TOOLS.map(require_cli.programPath), "/bin/sh"].filter((path) => require_cli.orNull(() => (0, node_fs.accessSync)(path, node_fs.constants.X_OK)) === null);
	if (missing.length > 0) return require_box.fail(`missing: ${missing.join(", ")}`, require_box.remedyForPackage("util-linux"));
	return require_box.pass(`${TOOLS.join(", ")} in ${require_cli.PROGRAM_DIR}`);
}
function checkOuterSandbox(env) {
	if (env["SANDBOX_RUNTIME"] !== "1") return require_box.pass("not inside another sandbox");
	return require_box.fail("inside Claude Code’s own sandbox (SANDBOX_RUNTIME=1)", "The two exclude each other. Turn it off with /sandbox to use trai, or disable the trai plugin.");
}
var enter = () => require_cli.isRealRoot() ? ["--mount"] : [
	"--user",
	"--map-root-user",
	"--mount"
];
async function checkNamespaces() {
	const result = await require_cli.run(require_cli.programPath("unshare"), [...enter(), require_cli.programPath("true")], { timeout: PROBE_MS });
	if (result.status !== 0) return require_box.fail(`unshare: ${reason(result)}`, require_box.remedyForNamespaces(require_box.readSetting));
	return require_box.pass(`${require_cli.isRealRoot() ? "root may make" : "this user may make user and"} mount namespaces`);
}
async function checkOverlay(stateDir) {
	const base = (0, node_fs.mkdtempSync)(`${stateDir}/probe-`);
	try {
		for (const dir of [
			"lower",
			"1",
			"m"
		]) (0, node_fs.mkdirSync)(`${base}/${dir}`);
		const at = (name) => require_cli.fromText(`${base}/${name}`);
		require_cli.prepareCoveredDir({
			n: 1,
			path: at("lower"),
			upper: at("1/u"),
			work: at("1/w")
		}, process.getuid?.() ?? 0);
		const script = `echo old > lower/gone && mount -t overlay trai-probe -o lowerdir=1/l,upperdir=1/u,workdir=1/w,${require_cli.isRealRoot() ? require_cli.ROOT_OPTIONS : "userxattr,index=on"},volatile m && echo new > m/made && rm m/gone && cat m/made`;
		const args = [
			...enter(),
			"/bin/sh",
			"-c",
			script
		];
		const result = await require_cli.run(require_cli.programPath("unshare"), args, {
			timeout: PROBE_MS,
			cwd: base,
			env: require_cli.plainEnv()
		});
		if (result.status !== 0) return require_box.fail(`mounting an overlay: ${reason(result)}`, require_box.remedyForNamespaces(require_box.readSetting));
		const whiteout = (0, node_fs.existsSync)(`${base}/1/u/gone`) && (0, node_fs.statSync)(`${base}/1/u/gone`).isCharacterDevice();
		if ((0, node_fs.existsSync)(`${base}/1/u/made`) && !(0, node_fs.existsSync)(`${base}/lower/made`) && whiteout) return require_box.pass("an overlay was mounted, written to and left; the host stayed as it was");
		return require_box.fail("an overlay could be mounted, but what was written in it was not where it should be", "Please report this with the output of: uname -a; mount --version");
	} finally {
		await require_cli.run(require_cli.programPath("chmod"), [
			"-R",
			"u+rwx",
			base
		], { timeout: PROBE_MS });
		(0, node_fs.rmSync)(base, {
			recursive: true,
			force: true
		});
	}
}
function reason(result) {
	if (result.timedOut) return `no answer within ${PROBE_MS / 1e3} s`;
	return require_cli.toText(result.stderr).trim().split("\n").slice(0, 2).join(" ") || `exit status ${result.status}`;
}
var doctor = {
	name: "doctor",
	summary: "test whether the sandbox works here, and print the remedy if it does not",
	arguments: [],
	session: null,
	async run(cli) {
		const checks = await runDoctor({
			stateDir: cli.state,
			project: cli.dir,
			env: cli.env
		});
		checks.push(configCheck(cli), ...await rulesChecks(cli), await serverCheck(cli), await sessionsCheck(cli));
		checks.push(...await require_check.boxNotes(cli.env));
		const lines = checksText(checks, cli.style);
		const healthy = isHealthy(checks);
		lines.push(healthy ? "The sandbox works here." : "The sandbox does not work here. Bash calls are refused until the above is fixed.");
		cli.print(lines.join("\n"), {
			ok: healthy,
			checks
		});
		return healthy ? 0 : 1;
	}
};
function checksText(checks, style) {
	return checks.flatMap((check) => {
		const mark = check.ok ? style.green("ok  ") : check.level === "warning" ? style.yellow("note") : style.red("FAIL");
		const remedy = check.remedy === "" ? [] : check.remedy.split("\n").map((line) => `       ${line}`);
		return [`${mark}  ${check.id}: ${check.found}`, ...remedy];
	});
}
function configCheck(cli) {
	const { file, problems } = require_cli.loadConfig(cli.env);
	if (problems.length === 0) return {
		id: "config",
		...require_box.pass(file ?? "none: the defaults")
	};
	return {
		id: "config",
		...require_box.warn(problems.map(({ text }) => text).join(" "), "Correct these keys; until then their defaults are used. docs/configuration.md explains every key.")
	};
}
async function rulesChecks(cli) {
	const id = "rules";
	const { config } = require_cli.loadConfig(cli.env);
	const home = require_cli.homeDir(cli.env);
	const about = {
		env: cli.env,
		stateDir: cli.state,
		session: null,
		home
	};
	const project = require_cli.projectOf(cli.dir);
	const { enabled, files } = require_rule_set.loadRules({
		...about,
		project,
		config
	});
	if (!enabled) return [{
		id,
		...require_box.pass("turned off by the config")
	}];
	const broken = files.flatMap((file) => require_rule_set.problemsOf(file).map((text) => `${require_cli.toDisplay(file.path)}: ${text}`));
	const found = broken.length === 0 ? require_box.pass("rule files can be used, or there are none") : require_box.warn(broken.join("; "), "Repair or remove them. More: trai rules verify");
	const { hasPassthru } = await Promise.resolve().then(() => require("./settings.cjs")).then((n) => n.settings_exports);
	const isShared = hasPassthru({
		env: cli.env,
		home,
		projectRoot: require_cli.toText(project.root)
	});
	return [{
		id,
		...found
	}, ...isShared ? [{
		id: "passthru",
		...require_box.warn(require_rule_set.PASSTHRU.on, require_rule_set.PASSTHRU.which)
	}] : []];
}
async function serverCheck(cli) {
	const id = "server";
	try {
		const server = await require_cli.findServer(cli);
		if (server !== null) return {
			id,
			...require_box.pass(`server ${server.version} answers on port ${server.port} (pid ${server.pid})`)
		};
	} catch (error) {
		if (!(error instanceof require_cli.TraiError)) throw error;
		return {
			id,
			...require_box.warn(`${error.message}: ${error.path ?? cli.state}`, error.hint ?? "")
		};
	}
	return {
		id,
		...require_box.warn("no server is running", "It starts with a session, or with: trai ui. Until then calls are slower.")
	};
}
async function sessionsCheck(cli) {
	const id = "sessions";
	if (!(0, node_fs.existsSync)(`${cli.state}/sessions`)) return {
		id,
		...require_box.pass("none yet")
	};
	const { sessions, broken } = await require_disk.contextsOf(cli.state, cli.env);
	const anew = sessions.flatMap(({ ctx }) => require_cli.damagedFiles(ctx.sessionDir));
	const found = [...broken.map((one) => `${one.session}: ${require_cli.messageWithPath(one)}`), ...anew.map((file) => `${file} is damaged`)];
	if (found.length === 0) return {
		id,
		...require_box.pass(`${sessions.length}, all can be read`)
	};
	const remedies = [...broken.map(({ hint }) => hint), ...anew.length === 0 ? [] : ["Nothing to do for damaged files: the next call of the session rebuilds them."]];
	return {
		id,
		...require_box.warn(found.join("; "), [...new Set(remedies)].join("\n"))
	};
}
exports.checksText = checksText;
exports.doctor = doctor;
