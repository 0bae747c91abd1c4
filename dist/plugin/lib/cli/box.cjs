"use strict";
const require_cli = require("../cli.cjs");
const require_draft = require("./draft.cjs");
let node_fs = require("node:fs");
require("node:crypto");
let node_timers_promises = require("node:timers/promises");
let node_os = require("node:os");
let node_path = require("node:path");
function rootUids() {
	return /^\s*0\s+0\s+4294967295\s*$/.test((0, node_fs.readFileSync)("/proc/self/uid_map", "latin1")) ? [0] : [0, Number((0, node_fs.readFileSync)("/proc/sys/kernel/overflowuid", "latin1"))];
}
var STICKY = 512;
var isOpen = (mode, write) => (mode & write) !== 0 && (mode & STICKY) === 0;
function isReplaceable(path, owners, write) {
	for (let at = path;; at = (0, node_path.dirname)(at)) {
		const { mode, uid } = (0, node_fs.lstatSync)(at);
		if (!owners.includes(uid) || isOpen(mode, write)) return true;
		if (at === "/") return false;
	}
}
var pass = (found) => ({
	ok: true,
	level: "error",
	found,
	remedy: ""
});
var failure = (level) => (found, remedy) => ({
	ok: false,
	level,
	found,
	remedy
});
var fail = failure("error");
var warn = failure("warning");
var APPARMOR_REMEDY = `This kernel lets only programs with an AppArmor profile make user namespaces (Ubuntu 23.10 and newer). Allow unshare:
  sudo tee /etc/apparmor.d/trai-unshare <<'EOF'
  abi <abi/4.0>,
  include <tunables/global>
  profile trai-unshare /usr/bin/unshare flags=(unconfined) {
    userns,
  }
  profile trai-nsenter /usr/bin/nsenter flags=(unconfined) {
    userns,
  }
  EOF
  sudo apparmor_parser -r /etc/apparmor.d/trai-unshare`;
var CONTAINER_REMEDY = `This is a container whose runtime forbids it. Start it with:
  docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN ...
or run claude outside the container.`;
function readSetting(name) {
	return require_cli.orNull(() => (0, node_fs.readFileSync)(`/proc/sys/${name}`, "utf8").trim());
}
function remedyForNamespaces(read) {
	if (read("kernel/unprivileged_userns_clone") === "0") return "Debian’s switch is off. Turn it on:\n  echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system";
	if (read("user/max_user_namespaces") === "0") return "User namespaces are switched off. Turn them on:\n  echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system";
	if (read("kernel/apparmor_restrict_unprivileged_userns") === "1") return APPARMOR_REMEDY;
	if (isContainer()) return CONTAINER_REMEDY;
	return "The kernel refused, and none of the known switches is off. Look at the last lines of: sudo dmesg (SELinux: sudo ausearch -m avc -ts recent).";
}
var by = (install) => (name) => `${install} ${name}`;
var INSTALL = [
	[["debian", "ubuntu"], by("sudo apt-get install")],
	[[
		"fedora",
		"rhel",
		"centos"
	], by("sudo dnf install")],
	[["arch"], by("sudo pacman -S")],
	[["suse", "opensuse"], by("sudo zypper install")],
	[["alpine"], by("sudo apk add")],
	[["nixos"], (name) => `Add pkgs.${name} to environment.systemPackages, and rebuild.`]
];
function remedyForPackage(name) {
	const ids = [...(require_cli.orNull(() => (0, node_fs.readFileSync)("/etc/os-release", "utf8")) ?? "").matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap(([, id = ""]) => id.split(" "));
	const [, install] = INSTALL.find(([names]) => names.some((one) => ids.includes(one))) ?? [];
	return install?.(name) ?? `Install the package ${name}.`;
}
function isContainer() {
	return (0, node_fs.existsSync)("/.dockerenv") || (0, node_fs.existsSync)("/run/.containerenv");
}
var HOLES = /* @__PURE__ */ new Set(["0.11.0", "0.11.1"]);
var PROBE_MS = 5e3;
var OTHERS_WRITE = node_fs.constants.S_IWGRP | node_fs.constants.S_IWOTH;
async function findBwrap(env) {
	const path = [...(env["PATH"] ?? "").split(":"), require_cli.PROGRAM_DIR].filter((dir) => dir.startsWith("/")).flatMap((dir) => require_cli.orNull(() => executable((0, node_path.join)(dir, "bwrap"))) ?? []).at(0);
	const remedy = remedyForPackage("bubblewrap");
	if (path === void 0) throw require_cli.noBwrap(remedy);
	const stat = (0, node_fs.lstatSync)(path);
	const owners = rootUids();
	if (!owners.includes(stat.uid)) throw require_cli.unsafeBwrap(path, require_cli.BWRAP.others(stat.uid), remedy);
	if (isReplaceable(path, owners, OTHERS_WRITE)) throw require_cli.unsafeBwrap(path, require_cli.BWRAP.written, remedy);
	const setuid = (stat.mode & 2048) !== 0;
	if (setuid) {
		const version = await versionOf({ path });
		if (HOLES.has(version)) throw require_cli.unsafeBwrap(path, require_cli.BWRAP.setuid(version), remedy);
	}
	return {
		path,
		setuid
	};
}
async function versionOf({ path }) {
	const { stdout } = await require_cli.run(path, ["--version"], {
		timeout: PROBE_MS,
		env: {}
	});
	return /(\d+(?:\.\d+)+)/.exec(stdout)?.[1] ?? "";
}
function executable(path) {
	(0, node_fs.accessSync)(path, node_fs.constants.X_OK);
	return (0, node_fs.realpathSync)(path);
}
async function tryBox({ path }, { ownProc }) {
	const argv = [
		path,
		"--ro-bind",
		"/",
		"/",
		...NAMESPACES,
		...ownProc ? ["--proc", "/proc"] : [],
		"--dev",
		"/dev",
		"--",
		"/bin/sh",
		"-c",
		"true"
	];
	const nested = require_cli.isRealRoot() ? ["--mount", ...argv] : [
		"--user",
		"--map-root-user",
		"--mount",
		require_cli.programPath("unshare"),
		"--user",
		`--map-user=${process.getuid?.()}`,
		`--map-group=${process.getgid?.()}`,
		"--mount",
		...argv
	];
	const { status, stderr, timedOut } = await require_cli.run(require_cli.programPath("unshare"), nested, { timeout: PROBE_MS });
	if (status === 0) return "";
	if (timedOut) return `no answer within ${PROBE_MS / 1e3} s`;
	return require_cli.toText(stderr).trim().split("\n").slice(0, 2).join(" ") || `exit status ${status}`;
}
var NAMESPACES = [
	"--unshare-user",
	"--unshare-pid",
	"--unshare-ipc",
	"--unshare-uts",
	"--unshare-cgroup-try",
	"--die-with-parent"
];
var TYPING = "dev/tty/legacy_tiocsti";
function canType() {
	return readSetting(TYPING) !== "0";
}
var RESETS = ["--default-signal=INT,QUIT", "--"];
function hasRun(status) {
	return (require_cli.orNull(() => (0, node_fs.readFileSync)(status, "latin1")) ?? "").includes("\"exit-code\"");
}
var REASONS = {
	root: "nothing else of this machine is there",
	tmp: "temporary files, gone with the box",
	proc: "its own processes only",
	dev: "null, zero, random, tty and the like",
	home: "nothing of your home but what follows",
	system: "programs and libraries",
	etcDir: "nothing of /etc but what follows",
	etc: "settings that programs need",
	tool: "a tool chain of yours",
	path: "a directory of your PATH",
	cache: "downloads, kept for boxes of this project",
	git: "your name and settings for git",
	client: "Claude Code itself",
	plugin: "trai’s hooks",
	pending: "the project: what is written there is pending",
	direct: "the project: what is written there is yours at once (--write direct)",
	readOnly: "the project, for reading (read-only)",
	gitDir: "the repository of this project, with its objects and branches",
	settings: "your settings, hooks, commands, skills and plugins of Claude Code; pending as any file",
	leads: "an entry of ~/.claude leads there",
	own: "what Claude Code keeps of its work, for boxes of this project",
	history: "the prompts of this project",
	sharedHistory: "your prompt history, of all projects (--history shared)",
	state: "a copy of your ~/.claude.json; account and counters go back",
	mask: "trai’s state, hidden",
	door: "for trai’s hooks, with this session’s credential",
	hidden: "hidden (--hide)",
	secret: "passwords that git keeps, hidden",
	allowed: "--allow"
};
function givesAway(path) {
	const found = GIVES.find(([pattern]) => pattern.test(path));
	return found === void 0 ? REASONS.allowed : `--allow: ${found[1]}`;
}
var byLink = (why, link) => `${why} (by the link ${require_cli.toDisplay(link)})`;
var GIVES = [
	[/^\/proc(\/|$)/, "your processes outside of the box: their memory, their variables, and by them every file of yours"],
	[/docker\.sock$|podman\.sock$|containerd/, "whoever can ask this daemon is root on this machine"],
	[/\/agent\.\d+$|ssh-[^/]*\/|S\.gpg-agent\.ssh$|keyring\/ssh$/, "it signs in to your servers with your keys"],
	[/\/bus$|dbus/, "it can start programs outside of the box, and read your keyring"],
	[/wayland-\d+$|\.X11-unix/, "it sees your screen, keyboard and clipboard"],
	[/S\.gpg-agent|\/\.gnupg(\/|$)/, "it decrypts and signs with your keys"],
	[/\/\.ssh(\/|$)/, "your private keys and the servers that you use"],
	[/\/\.(aws|kube|azure|docker|config\/gcloud|netrc|npmrc|pypirc)(\/|$)/, "your credentials for services"],
	[/^\/run(\/user(\/\d+)?)?$/, "the sockets of services: some start programs outside of the box, or have your keys"],
	[/^\/dev(\/|$)/, "the devices that you may use: terminals, cameras, microphones, some disks"],
	[/^\/sys(\/|$)/, "what this machine consists of, and the settings of it that you may change"]
];
var p = (...paths) => paths;
var SYSTEM = p(...[
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32"
], ...[
	"/nix/store",
	"/nix/var/nix",
	"/run/current-system"
]);
var ETC = p(...[
	"passwd",
	"group",
	"hosts",
	"host.conf",
	"resolv.conf",
	"nsswitch.conf",
	"gai.conf",
	"protocols",
	"services"
], ...[
	"ssl",
	"pki",
	"ca-certificates",
	"ca-certificates.conf",
	"crypto-policies",
	"localtime",
	"timezone"
], ...[
	"ld.so.cache",
	"ld.so.conf",
	"ld.so.conf.d",
	"alternatives",
	"os-release",
	"login.defs",
	"shells"
], ...[
	"environment",
	"locale.conf",
	"locale.alias",
	"profile",
	"profile.d",
	"bash.bashrc",
	"bashrc",
	"bash_completion.d"
], ...[
	"zsh",
	"zshenv",
	"zprofile",
	"zshrc",
	"inputrc",
	"terminfo",
	"mime.types",
	"magic",
	"fonts",
	"gitconfig"
], ...[
	"npmrc",
	"python3",
	"java",
	"maven",
	"nix",
	"static",
	"claude-code"
]).map((name) => require_cli.joinPath("/etc", name));
var TOOLS = p(...[
	".local/bin",
	"bin",
	".nvm",
	".fnm",
	".local/share/fnm",
	".volta",
	".asdf",
	".local/share/mise",
	".config/mise"
], ...[
	".cargo/bin",
	".cargo/env",
	".cargo/config.toml",
	".rustup",
	".pyenv",
	".local/share/uv",
	".local/share/pnpm"
], ...[
	"go/bin",
	"sdk",
	".sdkman",
	".bun/bin",
	".deno/bin",
	".nix-profile",
	".local/state/nix"
]);
var CACHES = [
	[
		"xdg",
		".cache",
		null
	],
	[
		"npm",
		".npm",
		null
	],
	[
		"cargo-registry",
		".cargo/registry",
		".cargo/bin"
	],
	[
		"cargo-git",
		".cargo/git",
		".cargo/bin"
	],
	[
		"go-pkg",
		"go/pkg",
		"go/bin"
	],
	[
		"gradle",
		".gradle",
		null
	],
	[
		"maven",
		".m2",
		null
	]
];
var CACHE_NAMES = CACHES.map(([name]) => name);
var GIT = p(".gitconfig", ".config/git");
var GIT_CREDENTIALS = ".config/git/credentials";
var CLIENT_DIRS = p(...[
	"sessions",
	"file-history",
	"plans",
	"tasks",
	"todos",
	"teams",
	"statsig",
	"usage-data"
], ...[
	"paste-cache",
	"image-cache",
	"backups",
	"debug",
	"ide"
]);
var PROJECTS = "projects";
var HISTORY = "history.jsonl";
var OWN_NAMES = /* @__PURE__ */ new Set([
	PROJECTS,
	HISTORY,
	...CLIENT_DIRS
]);
var instanceIn = (stateDir) => require_cli.instanceAt(stateDir);
var doorIn = (stateDir) => require_cli.insideAt(stateDir);
var stateCopy = (session) => `run/${session}.claude.json`;
var EMPTY_FILE = "none/file";
var EMPTY_DIR = "none/dir";
function clientPaths(configDir) {
	return [configDir, ...[
		PROJECTS,
		HISTORY,
		".claude.json",
		...CLIENT_DIRS
	].map((name) => require_cli.joinPath(configDir, name))];
}
function candidates(input) {
	const { home, configDir, program } = input;
	const below = (names) => names.map((name) => require_cli.joinPath(home, name));
	return [
		...SYSTEM,
		...ETC,
		...below([
			...TOOLS,
			...GIT,
			GIT_CREDENTIALS,
			...CACHES.map(([, path]) => path)
		]),
		...input.pathDirs,
		input.project,
		...input.gitDirs,
		...clientPaths(configDir),
		...input.configLinks,
		...program === null ? [] : [program],
		input.plugin,
		...input.allow.map(({ path }) => path),
		...input.hide
	];
}
function boxTable(input, found) {
	return new Table(input, found).made();
}
function installationOf(real) {
	const npm = /^(.*?\/node_modules\/@anthropic-ai)\//s.exec(real)?.[1];
	const native = /^(.*\/claude)\/versions\/[^/]+$/s.exec(real)?.[1];
	return npm ?? native ?? real;
}
var Table = class {
	#input;
	#found;
	#rows = /* @__PURE__ */ new Map();
	#make = [];
	constructor(input, found) {
		this.#input = input;
		this.#found = found;
	}
	made() {
		const { home } = this.#input;
		this.#own("the file system", "/", "tmpfs", REASONS.root);
		this.#own("/proc", "/proc", "proc", REASONS.proc);
		this.#own("/dev", "/dev", "dev", REASONS.dev);
		this.#own("/tmp", "/tmp", "tmpfs", REASONS.tmp);
		for (const path of SYSTEM) this.#show("system", path, "ro", REASONS.system);
		this.#own("system settings", "/etc", "tmpfs", REASONS.etcDir);
		for (const path of ETC) this.#show("system settings", path, "ro", REASONS.etc);
		this.#own("home", home, "tmpfs", REASONS.home);
		this.#tools();
		this.#project();
		this.#program();
		this.#clientFiles();
		this.#state();
		for (const { path, ro } of this.#input.allow) this.#allow(path, ro);
		for (const path of this.#input.hide) this.#hide(path, REASONS.hidden);
		return {
			rows: this.#ordered(),
			make: this.#make
		};
	}
	#own(what, to, how, why) {
		this.#rows.set(to, {
			what,
			from: null,
			to,
			how,
			why
		});
	}
	#show(what, to, how, why) {
		const found = this.#found.get(to);
		if (found !== void 0) this.#rows.set(to, {
			what,
			from: found.real,
			to,
			how,
			why
		});
	}
	#keep(what, to, name, why) {
		const from = require_cli.joinPath(instanceIn(this.#input.stateDir), name);
		this.#rows.set(to, {
			what,
			from,
			to,
			how: "instance",
			why
		});
	}
	#tools() {
		const { home, pathDirs } = this.#input;
		const at = (name) => require_cli.joinPath(home, name);
		for (const name of TOOLS) this.#show("tools", at(name), "ro", REASONS.tool);
		for (const name of GIT) this.#show("git", at(name), "ro", REASONS.git);
		this.#hide(at(GIT_CREDENTIALS), REASONS.secret);
		for (const [name, path, needed] of CACHES) if (needed === null || this.#found.has(at(needed))) this.#keep("cache", at(path), `cache/${name}`, REASONS.cache);
		for (const dir of pathDirs) if (![dir, this.#found.get(dir)?.real ?? dir].some((one) => require_cli.isWithin(one, home) || require_cli.isWithin(home, one)) && !this.#rows.has(dir) && !this.#isSeen(dir)) this.#show("tools", dir, "ro", REASONS.path);
	}
	#project() {
		const { project, gitDirs, options } = this.#input;
		const how = {
			"pending": "pending",
			"direct": "host",
			"read-only": "ro"
		}[options.write];
		const why = {
			pending: REASONS.pending,
			direct: REASONS.direct,
			"read-only": REASONS.readOnly
		}[options.write];
		this.#show("project", project, how, why);
		for (const dir of gitDirs) {
			const isHosts = how === "pending" && this.#found.get(dir)?.pending === false;
			this.#show("repository", dir, isHosts ? "ro" : how, REASONS.gitDir);
		}
	}
	#program() {
		const { program, plugin } = this.#input;
		if (!this.#isSeen(plugin)) this.#show("plugin", plugin, "ro", REASONS.plugin);
		const found = program === null ? void 0 : this.#found.get(program);
		if (program === null || found === void 0) return;
		const root = installationOf(found.real);
		if (!this.#isSeen(found.real)) this.#rows.set(root, {
			what: "client",
			from: root,
			to: root,
			how: "ro",
			why: REASONS.client
		});
		if (!this.#isSeen(program)) this.#show("client", program, "ro", REASONS.client);
	}
	#clientFiles() {
		const { configLinks, options } = this.#input;
		const { configDir, stateFile } = this.#config();
		const from = this.#found.get(configDir)?.real ?? configDir;
		this.#rows.set(configDir, {
			what: "Claude Code",
			from,
			to: configDir,
			how: "pending",
			why: REASONS.settings
		});
		if (!this.#found.has(configDir)) this.#make.push({
			path: configDir,
			type: "dir"
		});
		for (const link of configLinks) {
			const found = this.#found.get(link);
			if (OWN_NAMES.has(require_cli.nameOf(link))) continue;
			if (found !== void 0 && !this.#rows.has(found.real) && !this.#isSeen(found.real)) this.#rows.set(found.real, {
				what: "Claude Code",
				from: found.real,
				to: found.real,
				how: found.pending ? "pending" : "ro",
				why: REASONS.leads
			});
		}
		const own = (name) => require_cli.joinPath(configDir, name);
		this.#keep("conversations", own(PROJECTS), PROJECTS, REASONS.own);
		for (const name of CLIENT_DIRS) this.#keep("Claude Code", own(name), `client/${name}`, REASONS.own);
		const history = own(HISTORY);
		if (options.history === "shared" && this.#found.has(history)) this.#show("prompts", history, "host", REASONS.sharedHistory);
		else this.#keep("prompts", history, HISTORY, REASONS.history);
		this.#keep("Claude Code", stateFile, stateCopy(this.#input.session), REASONS.state);
	}
	#config() {
		const { configDir, stateFile } = this.#input;
		const real = this.#found.get(configDir)?.real ?? configDir;
		if (this.#sourceAt(configDir, this.#rows.values()) !== configDir) return {
			configDir,
			stateFile
		};
		return {
			configDir: real,
			stateFile: require_cli.isWithin(stateFile, configDir) ? real + stateFile.slice(configDir.length) : stateFile
		};
	}
	#state() {
		const { stateDir } = this.#input;
		const door = doorIn(stateDir);
		this.#rows.set(stateDir, {
			what: "trai",
			from: stateDir,
			to: stateDir,
			how: "ro",
			why: REASONS.mask
		});
		this.#own("trai", instanceIn(stateDir), "tmpfs", REASONS.mask);
		this.#rows.set(door, {
			what: "trai",
			from: door,
			to: door,
			how: "instance",
			why: REASONS.door
		});
	}
	#allow(path, ro) {
		const found = this.#found.get(path);
		if (found === void 0) return;
		const how = ro ? "ro" : found.type !== "other" && found.pending ? "pending" : "host";
		this.#rows.set(path, {
			what: "allowed",
			from: found.real,
			to: path,
			how,
			why: givesAway(found.real)
		});
	}
	#hide(path, why) {
		const found = this.#found.get(path);
		if (found === void 0 || !this.#isSeen(path)) return;
		const from = require_cli.joinPath(instanceIn(this.#input.stateDir), found.type === "dir" ? EMPTY_DIR : EMPTY_FILE);
		this.#rows.set(path, {
			what: "hidden",
			from,
			to: path,
			how: "empty",
			why
		});
	}
	#isSeen(path) {
		const source = this.#sourceAt(path, this.#rows.values());
		const real = this.#found.get(path)?.real ?? path;
		return source === real || source === path && this.#isSeen(real);
	}
	#sourceAt(path, rows) {
		const above = require_cli.innermost(path, rows, ({ to }) => to);
		return above === void 0 ? null : sourceOf(above, path);
	}
	#ordered() {
		const rows = [];
		for (const row of this.#behindLinks().sort((a, b) => rowOrder(a.to) < rowOrder(b.to) ? -1 : 1)) {
			const above = require_cli.innermost(row.to, rows, ({ to }) => to);
			const source = above === void 0 ? null : sourceOf(above, row.to);
			if (source === null || this.#fits(row, source, above?.how ?? "tmpfs")) rows.push(row);
		}
		return rows;
	}
	#behindLinks() {
		const moved = /* @__PURE__ */ new Map();
		for (const row of this.#rows.values()) {
			const others = [...this.#rows.values()].filter(({ to }) => to !== row.to);
			const source = this.#sourceAt(row.to, others);
			const to = source === null ? row.to : this.#found.get(source)?.real ?? source;
			if (to === source || source === null) moved.set(row.to, row);
			else if (!this.#rows.has(to) && !moved.has(to)) moved.set(to, {
				...row,
				to,
				why: row.what === "allowed" ? byLink(row.why, row.to) : row.why
			});
		}
		return [...moved.values()];
	}
	#fits(row, source, above) {
		if (above === "empty" || row.how === above && row.from === source) return false;
		if (require_cli.isWithin(source, this.#input.stateDir) || this.#found.has(source)) return true;
		if (row.how !== "instance" || row.what === "cache" || above !== "pending") return false;
		const isFile = row.to.endsWith(HISTORY) || row.to.endsWith("/.claude.json");
		this.#make.push({
			path: source,
			type: isFile ? "file" : "dir"
		});
		return true;
	}
};
var rowOrder = (path) => path.replaceAll("/", "\0");
function sourceOf({ from, to }, path) {
	if (from === null) return null;
	const rest = to === "/" ? path : path.slice(to.length);
	return from === "/" ? rest || "/" : from + rest;
}
function rowArgs({ from, to, how }) {
	switch (how) {
		case "tmpfs": return to === "/tmp" ? [
			"--perms",
			"1777",
			"--tmpfs",
			to
		] : ["--tmpfs", to];
		case "proc": return ["--proc", to];
		case "dev": return ["--dev", to];
		case "ro":
		case "empty": return [
			"--ro-bind",
			from ?? to,
			to
		];
		case "host":
		case "pending":
		case "instance": return [
			"--bind",
			from ?? to,
			to
		];
	}
}
function fixedArgs({ cwd, net, newSession }) {
	return [
		...NAMESPACES.map((name) => [name]),
		["--cap-drop", "ALL"],
		...net === "open" ? [] : [["--unshare-net"]],
		...newSession ? [["--new-session"]] : [],
		["--chdir", cwd]
	];
}
function boxArgs({ rows, ...fixed }) {
	const words = [...rows.filter(({ how }) => how !== "empty").flatMap(rowArgs), ...fixedArgs(fixed).flat()];
	return Buffer.from(words.map((word) => `${word}\0`).join(""), "latin1");
}
function hiddenPaths(rows, unseen) {
	const hidden = rows.filter(({ how }) => how === "empty").map(({ to }) => to);
	return [.../* @__PURE__ */ new Set([...hidden, ...unseen])].sort((a, b) => rowOrder(a) < rowOrder(b) ? -1 : 1);
}
var ENTRY_PROGRAMS = [
	"bash",
	"env",
	"mkdir",
	"readlink",
	"true"
].map(require_cli.programPath);
var ENTRY = `shopt -s nullglob
t_bwrap=$1 t_status=$2 t_gate=$3 t_none=$4 t_resets=$6
printf -v t_project %b "$5"
shift 6
t_dirs=() t_files=() t_hide=() t_hidden=()
while [[ $1 != -- ]]; do
  t_what=$1
  printf -v t_path %b "$2"
  shift 2
  case $t_what in
    dir) [[ -d $t_path ]] || t_dirs+=("$t_path") ;;
    file) t_files+=("$t_path") ;;
    hide)
      t_given=$t_path t_dir=\${t_path%/*}
      while [[ ! -d \${t_dir:=/} ]]; do t_dir=\${t_dir%/*}; done
      if [[ ! -x $t_dir ]]; then t_given=$t_dir t_path=$t_dir; fi
      [[ -e $t_path ]] || continue
      cd -P -- "\${t_path%/*}/" || exit 125
      t_path=\${PWD%/}/\${t_path##*/}
      if [[ -L $t_path ]]; then
        t_path=$(${require_cli.programPath("readlink")} -f -- "$t_path" && printf x) || exit 125
        t_path=\${t_path%$'\\nx'}
      fi
      [[ $t_path == "$t_given" || $t_path == "$t_project"/* ]] || continue
      for t_one in "\${t_hidden[@]}"; do [[ $t_path/ != "$t_one"/* ]] || continue 2; done
      t_hidden+=("$t_path")
      if [[ -d $t_path ]]; then t_hide+=(--ro-bind "$t_none/dir" "$t_path")
      else t_hide+=(--ro-bind "$t_none/file" "$t_path"); fi
      ;;
  esac
done
((!\${#t_dirs[@]})) || ${require_cli.programPath("mkdir")} -p -m 700 -- "\${t_dirs[@]}" || exit 125
for t_file in "\${t_files[@]}"; do [[ -e $t_file ]] || : >"$t_file" || exit 125; done
for t_fd in /proc/self/fd/*; do
  t_fd=\${t_fd##*/}
  ((t_fd <= 3)) || eval "exec $t_fd>&-"
done
exec 4>"$t_status" || exit 125
if [[ $t_resets == yes ]] || ${require_cli.programPath("env")} ${RESETS.join(" ")} ${require_cli.programPath("true")} 2>/dev/null; then
  trap '' INT QUIT
  shift
  set -- -- ${require_cli.programPath("env")} ${RESETS.join(" ")} "$@"
fi
if [[ -n $t_gate ]]; then
  exec 5<"$t_gate" || exit 125
  set -- --block-fd 5 "$@"
fi
exec "$t_bwrap" --args 3 --json-status-fd 4 "\${t_hide[@]}" "$@"`;
var SCRATCH = "scratch directory: sockets and short-lived files stay the host’s";
var PROJECT_IS_SCRATCH = "the project is a scratch directory itself: what calls write in it is written directly";
var MOUNTED_FILE = "a file that is mounted by itself";
var mayNotAnswer = (type) => `${type} file system, which may not answer`;
var noLower = (type) => `a ${type} file system can't be covered by an overlay`;
var inParts = (why, others) => `${why}; its other directories are covered${others === 0 ? "" : `, but for ${others} of others, which are read-only with it`}`;
var othersAbove = (own) => `directories of other owners lead to ${own === null ? "what is yours" : require_cli.toDisplay(own)}`;
var mountBelow = (point) => `the mount ${require_cli.toDisplay(point)} is below it`;
var hostsBelow = (path) => `${require_cli.toDisplay(path)}, which stays the host’s, is below it`;
function draftPlan(input) {
	const planner = new Planner(input);
	planner.cover("/");
	planner.coverProject();
	return {
		steps: planner.ordered(),
		notes: planner.notes,
		writable: planner.writable()
	};
}
function innermostStep(steps, path) {
	return require_cli.innermost(path, steps, (step) => step.path);
}
var MOST_PARTS = 8;
var NOBODY = /* @__PURE__ */ new Set();
var holds$1 = (dir, paths) => paths.some((path) => require_cli.isWithin(path, dir));
var liesIn = (path, dirs) => dirs.some((dir) => require_cli.isWithin(path, dir));
function crowdOf(paths, wanted, fs) {
	if (paths.length <= 100) return NOBODY;
	const others = paths.filter((path) => fs.isForeign(path) && !fs.mayWrite(path) && fs.ownNames(path).length === 0 && !holds$1(path, wanted));
	return others.length > 100 ? new Set(others) : NOBODY;
}
var Planner = class {
	notes = [];
	steps = [];
	unreachable = [];
	mounts;
	input;
	fs;
	wanted;
	copying = 0;
	constructor(input) {
		this.input = input;
		this.fs = input.fs;
		this.wanted = [
			...input.own,
			input.projectRoot,
			input.stateDir
		];
		this.mounts = require_cli.visibleMounts(input.mounts);
	}
	cover(dir) {
		const { scratch, silent } = this.input;
		const mount = this.mounts.get(dir);
		if (dir !== "/" && mount !== void 0 && require_cli.KERNEL_TYPES.has(mount.type)) return;
		if (scratch.includes(dir)) {
			if (mount === void 0) this.steps.push({
				do: "direct",
				path: dir
			});
			this.note(dir, "direct", SCRATCH);
			return;
		}
		const isAutomatic = mount?.type === "autofs";
		if (isAutomatic || mount !== void 0 && (require_cli.isRemote(mount.type) || silent?.has(dir) === true)) {
			if (!isAutomatic) this.readOnly(dir, mayNotAnswer(mount.type));
			for (const name of this.mountedBelow(dir)) this.cover(require_cli.joinPath(dir, name));
			return;
		}
		if (!this.canReach(dir)) {
			this.unreachable.push(dir);
			return;
		}
		if (dir !== "/" && mount?.readOnly === true && !this.hasMountBelow(dir)) return;
		const parts = this.ownParts(dir);
		if (dir === "/" || this.hasMountBelow(dir) || this.hidesParking(dir) || this.ownBelowOthers(dir) !== null) this.descend(dir);
		else if (parts !== null) this.readOnlyBut(dir, parts);
		else if (this.needsOnlyReading(dir)) this.readOnlyBut(dir, scratch.filter((kept) => require_cli.isWithin(kept, dir) && this.fs.isDirectory(kept)));
		else if (this.isDirectory(dir)) this.coverWhole(dir);
		else if (mount !== void 0) this.readOnly(dir, MOUNTED_FILE);
	}
	readOnlyBut(dir, parts) {
		this.readOnly(dir, "");
		for (const path of parts) this.cover(path);
	}
	ownParts(dir) {
		const { fs, wanted } = this;
		if (dir === "/" || require_cli.parentOf(dir) !== "/" || !fs.isForeign(dir) || fs.isCoveredDir(dir)) return null;
		if (wanted.includes(dir) || holds$1(dir, this.input.scratch)) return null;
		const paths = fs.directories(dir).map((name) => require_cli.joinPath(dir, name));
		const mine = new Set(fs.ownDirectories(dir)?.map((name) => require_cli.joinPath(dir, name)));
		const begun = paths.some((path) => fs.isCoveredDir(path) && !fs.isForeign(path));
		if (mine.size === 0 && !begun) return null;
		const also = (path) => fs.isCoveredDir(path) || fs.mayWrite(path) || holds$1(path, wanted);
		const parts = paths.filter((path) => mine.has(path) || also(path));
		return parts.length <= MOST_PARTS || begun ? parts : null;
	}
	needsNoOverlay(dir) {
		const { projectRoot, stateDir, scratch } = this.input;
		if (this.mounts.has(dir) || holds$1(dir, [
			...scratch,
			projectRoot,
			stateDir
		])) return false;
		return this.fs.ownNames(dir).length === 0 && (this.fs.isClosed(dir) || this.fs.takesNoWrite(dir));
	}
	needsOnlyReading(dir) {
		if (holds$1(dir, this.wanted) || liesIn(dir, this.input.scratch)) return false;
		return this.fs.ownNames(dir).length === 0 && this.fs.takesNoWrite(dir);
	}
	canReach(dir) {
		if (!require_cli.isNetwork(this.mounts.get(dir)?.type ?? "")) return this.fs.canReach(dir);
		const above = this.typeAt(require_cli.parentOf(dir));
		return require_cli.isNetwork(above) || require_cli.isRemote(above) || this.fs.canReach(require_cli.joinPath(require_cli.parentOf(dir), "."));
	}
	isDirectory(dir) {
		return require_cli.isNetwork(this.mounts.get(dir)?.type ?? "") || this.fs.isDirectory(dir);
	}
	coverProject() {
		const root = this.input.projectRoot;
		const covers = (step) => step.do === "overlay" && require_cli.isWithin(root, step.path) || step.do === "copied" && step.path === root;
		const isKept = this.steps.some((step) => step.do === "keep" && require_cli.isWithin(root, step.path));
		if (this.steps.some((step) => covers(step) && !isKept)) return;
		const scratch = this.input.scratch.find((dir) => require_cli.isWithin(root, dir));
		if (scratch === void 0) return;
		if (root === scratch) this.note(root, "direct", PROJECT_IS_SCRATCH);
		else if (this.fs.isDirectory(root)) {
			if (this.hasMountBelow(root)) this.descend(root);
			else this.coverWhole(root);
		}
	}
	ordered() {
		const direct = this.steps.filter((step) => step.do === "direct");
		const copied = this.steps.filter((step) => step.do === "copied");
		const others = this.steps.filter((step) => step.do !== "direct" && step.do !== "copied");
		const holder = others.find((step) => step.do === "overlay" && require_cli.isWithin(this.input.stateDir, step.path));
		const isLast = (step) => step === holder || step.do === "keep" && step.below === holder?.path;
		return [
			...direct,
			...others.filter((step) => !isLast(step)),
			...others.filter(isLast),
			...copied.sort((a, b) => b.path.length - a.path.length)
		];
	}
	coverWhole(dir) {
		const type = this.typeAt(dir);
		if (!require_cli.LOWER_TYPES.has(type)) {
			this.readOnly(dir, noLower(type));
			return;
		}
		for (const kept of this.input.scratch) if (kept !== dir && require_cli.isWithin(kept, dir) && this.fs.isDirectory(kept)) {
			this.steps.push({
				do: "keep",
				path: kept,
				below: dir
			});
			this.note(kept, "direct", SCRATCH);
		}
		this.steps.push({
			do: "overlay",
			path: dir
		});
	}
	descend(dir) {
		const type = this.typeAt(dir);
		const isLocal = require_cli.LOWER_TYPES.has(type) && !require_cli.isNetwork(type);
		if (dir !== "/" && this.fs.isCopyable(dir) && isLocal) this.copy(dir);
		else this.descendReadOnly(dir);
	}
	copy(dir) {
		const listed = new Set(this.fs.directories(dir));
		const own = new Set(this.fs.ownNames(dir));
		const children = [];
		for (const name of [.../* @__PURE__ */ new Set([...listed, ...this.mountedBelow(dir)])].sort()) {
			if (own.has(name)) continue;
			const path = require_cli.joinPath(dir, name);
			this.copying++;
			this.cover(path);
			this.copying--;
			if (this.mounts.has(path) || this.steps.some((step) => require_cli.isWithin(step.path, path))) children.push({
				path,
				file: !listed.has(name)
			});
		}
		this.steps.push({
			do: "copied",
			path: dir,
			children
		});
	}
	descendReadOnly(dir) {
		const paths = [.../* @__PURE__ */ new Set([...this.fs.directories(dir), ...this.mountedBelow(dir)])].sort().map((name) => require_cli.joinPath(dir, name));
		const wanted = [
			...this.wanted,
			...this.input.scratch,
			...this.mounts.keys()
		];
		const crowd = dir === "/" ? NOBODY : crowdOf(paths, wanted, this.fs);
		this.readOnly(dir, dir === "/" ? "" : inParts(this.whyInParts(dir), crowd.size));
		for (const path of paths) {
			if (crowd.has(path)) continue;
			if (this.hasMountBelow(path) || !this.needsNoOverlay(path)) this.cover(path);
		}
	}
	whyInParts(dir) {
		const below = [...this.mounts.keys(), ...this.input.scratch].find((point) => point !== dir && require_cli.isWithin(point, dir));
		if (below === void 0) return othersAbove(this.ownBelowOthers(dir));
		return this.mounts.has(below) ? mountBelow(below) : hostsBelow(below);
	}
	ownBelowOthers(dir) {
		const isBelowOthers = (path) => {
			if (path === dir || !require_cli.isWithin(path, dir) || liesIn(path, this.input.scratch)) return false;
			for (let way = require_cli.parentOf(path); way !== dir; way = require_cli.parentOf(way)) if (this.fs.isForeign(way)) return true;
			return false;
		};
		return this.input.own.find(isBelowOthers) ?? null;
	}
	mountedBelow(dir) {
		const prefix = dir === "/" ? dir : `${dir}/`;
		return [...this.mounts.keys()].filter((point) => point !== dir && require_cli.isWithin(point, dir)).map((point) => point.slice(prefix.length).split("/")[0]);
	}
	readOnly(path, why) {
		const mounted = path === "/" || this.mounts.has(path);
		const late = mounted || require_cli.isWithin(this.input.stateDir, path);
		const flags = require_cli.holderOf(path, this.mounts)?.flags ?? [];
		const held = !mounted && this.isHeld(path) ? { held: true } : {};
		this.steps.push({
			do: "read-only",
			path,
			mounted,
			late,
			flags,
			...held
		});
		if (why !== "") this.note(path, "read-only", why);
	}
	isHeld(path) {
		if (this.copying > 0 || liesIn(path, this.input.scratch)) return false;
		const point = require_cli.holderOf(path, this.mounts)?.point ?? "/";
		return this.steps.some((step) => step.do === "read-only" && step.mounted && step.path === point);
	}
	typeAt(path) {
		return require_cli.holderOf(path, this.mounts)?.type ?? "";
	}
	writable() {
		const { scratch, mounts } = this.input;
		const seen = [...this.mounts.values()];
		const hosts = [
			...seen.filter(({ type }) => require_cli.KERNEL_TYPES.has(type)).map(({ point }) => point),
			...scratch,
			...this.unreachable
		];
		const visible = seen.filter(({ point, type }) => type === "autofs" || liesIn(point, hosts));
		const hidden = mounts.filter(({ point }) => !this.mounts.has(point));
		const covered = this.steps.filter((step) => step.do === "overlay" || step.do === "copied");
		const points = [...visible, ...hidden].map(({ point }) => point);
		return [.../* @__PURE__ */ new Set([
			...points,
			...scratch,
			...covered.map(({ path }) => path)
		])];
	}
	hasMountBelow(dir) {
		for (const point of this.mounts.keys()) if (point !== dir && require_cli.isWithin(point, dir)) return true;
		return false;
	}
	hidesParking(dir) {
		const isBelow = (kept) => kept !== dir && require_cli.isWithin(kept, dir);
		return require_cli.isWithin(this.input.stateDir, dir) && this.input.scratch.some(isBelow);
	}
	note(path, kind, why) {
		this.notes.push({
			path,
			kind,
			why
		});
	}
};
var MAX_CHECKED = 32;
var MAX_NAMES = 500;
var verdicts = /* @__PURE__ */ new Map();
function isClosed(dir) {
	if (process.getuid?.() === 0) return false;
	const known = verdicts.get(dir);
	if (known !== void 0 && holds(dir, known)) return known.closed;
	const seen = /* @__PURE__ */ new Map();
	const closed = isClosedEntry(dir, seen);
	verdicts.set(dir, {
		closed,
		seen
	});
	return closed;
}
function holds(dir, { closed, seen }) {
	const entries = closed ? [...seen] : [...seen].filter(([path]) => path === dir);
	return entries.length > 0 && entries.every(([path, stamp]) => stampOf(path) === stamp);
}
function stampOf(path) {
	const entry = require_cli.orNull(() => require_cli.lstat(path));
	return entry === null ? null : `${entry.dev} ${entry.ino} ${entry.ctimeNs}`;
}
function isClosedEntry(path, seen) {
	const stamp = stampOf(path);
	if (stamp === null || seen.size >= MAX_CHECKED) return false;
	seen.set(path, stamp);
	return require_cli.orNull(() => {
		const entry = (0, node_fs.lstatSync)(require_cli.fsPath(path));
		if (entry.isSymbolicLink()) return true;
		if (entry.uid === process.getuid?.() || mayAccess(path, node_fs.constants.W_OK)) return false;
		if (!entry.isDirectory() || !mayAccess(path, node_fs.constants.X_OK)) return true;
		return fewNames(path)?.every((name) => isClosedEntry(require_cli.joinPath(path, name), seen)) === true;
	}) === true;
}
function takesNoWrite(dir) {
	return ownNamesIn(dir)?.length === 0;
}
function ownDirectories(dir) {
	const names = ownNamesIn(dir);
	const isDirectory = (name) => (0, node_fs.lstatSync)(require_cli.fsPath(require_cli.joinPath(dir, name))).isDirectory();
	return require_cli.orNull(() => names?.every(isDirectory)) === true ? names : null;
}
function ownNamesIn(dir) {
	const uid = process.getuid?.();
	if (uid === 0) return null;
	return require_cli.orNull(() => {
		if ((0, node_fs.lstatSync)(require_cli.fsPath(dir)).uid === uid || mayWrite(dir)) return null;
		const names = (0, node_fs.readdirSync)(require_cli.fsPath(dir), { encoding: "latin1" });
		if (names.length > MAX_NAMES) return null;
		return names.filter((name) => (0, node_fs.lstatSync)(require_cli.fsPath(require_cli.joinPath(dir, name))).uid === uid);
	});
}
function fewNames(path) {
	const names = [];
	const dir = (0, node_fs.opendirSync)(require_cli.fsPath(path), {
		encoding: "latin1",
		bufferSize: MAX_CHECKED
	});
	try {
		for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) if (names.push(entry.name) > MAX_CHECKED) return null;
	} finally {
		dir.closeSync();
	}
	return names;
}
function mayWrite(dir) {
	return require_cli.orNull(() => {
		const { mode } = (0, node_fs.lstatSync)(require_cli.fsPath(dir));
		return (mode & 18) !== 0 && mayAccess(dir, node_fs.constants.W_OK);
	}) ?? true;
}
function mayAccess(path, mode) {
	try {
		(0, node_fs.accessSync)(require_cli.fsPath(path), mode);
		return true;
	} catch (error) {
		if (require_cli.errorCode(error) === "EACCES") return false;
		throw error;
	}
}
var statOf = (path) => (0, node_fs.lstatSync)(require_cli.fsPath(path), { throwIfNoEntry: false });
var realFs = {
	directories(dir) {
		return (require_cli.orNull(() => require_cli.readEntries(dir)) ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
	},
	isDirectory: (path) => statOf(path)?.isDirectory() ?? false,
	isForeign(dir) {
		const found = require_cli.isRealRoot() ? null : require_cli.orNull(() => statOf(dir));
		return found != null && (found.uid !== process.getuid?.() || require_draft.isUnmapped(found.gid));
	},
	canReach: (path) => require_cli.orNull(() => statOf(path)) != null,
	isClosed,
	mayWrite,
	takesNoWrite,
	ownDirectories
};
function draftAhead(request) {
	const at = performance.now();
	const draft = draftOf(request);
	keepAhead(request, {
		at,
		draft
	});
	return draft;
}
function keepAhead(request, { at, draft }) {
	factsOf(request);
}
function factsOf({ stateDir, sessionDir, projectRoot, config, mountinfo, home }) {
	const silent = [...require_cli.knownSilent()];
	return JSON.stringify([
		mountinfo,
		config.scratch,
		silent,
		stateDir,
		sessionDir,
		projectRoot,
		home
	]);
}
var parsed = null;
function mountsOf(text) {
	if (parsed?.text !== text) parsed = {
		text,
		mounts: require_cli.parseMountinfo(text)
	};
	return parsed.mounts;
}
function draftOf(request) {
	const { sessionDir, home, projectRoot } = request;
	const uppers = uppersOf(sessionDir);
	return draftPlan({
		mounts: mountsOf(request.mountinfo),
		scratch: request.config.scratch.map(require_cli.fromText),
		projectRoot,
		own: [projectRoot, home],
		stateDir: require_cli.fromText(request.stateDir),
		silent: require_cli.knownSilent(),
		fs: {
			...realFs,
			isCopyable: (dir) => (dir === home || dir === projectRoot) && require_draft.isCopyable(dir),
			ownNames: uppers.names,
			isCoveredDir: uppers.has
		}
	});
}
var NO_UPPERS = {
	has: () => false,
	names: () => []
};
var uppersOf = (sessionDir) => sessionDir === void 0 ? NO_UPPERS : require_cli.uppersIn(require_cli.fromText(`${sessionDir}/overlay`));
var PROJECT_FILE = ".claude/trai.box.json";
function joinedOptions(profile, given) {
	return {
		...profile,
		...given,
		allow: [...profile.allow, ...given.allow ?? []],
		hide: [...profile.hide, ...given.hide ?? []],
		env: [...profile.env, ...given.env ?? []]
	};
}
function narrowed(options, file) {
	if (!require_cli.isObject(file)) return {
		options,
		hide: [],
		ignored: [require_cli.NARROWS.broken]
	};
	const ignored = [];
	const hide = [];
	const made = { ...options };
	for (const [key, value] of Object.entries(file)) if (key === "net" && isNarrower(value, options.net)) made.net = value;
	else if (key === "read-only" && value === true) made.write = "read-only";
	else if (key === "hide" && Array.isArray(value)) {
		const [inside, outside] = [value.filter(isInside), value.filter((path) => !isInside(path))];
		hide.push(...inside);
		ignored.push(...outside.map((path) => require_cli.NARROWS.outside(String(path))));
	} else if (FORMS.get(key)?.(value) === false) ignored.push(require_cli.NARROWS.form(key));
	else if (!(key === "net" && value === options.net) && !(key === "read-only" && value === false)) ignored.push(require_cli.NARROWS.widens(key));
	return {
		options: made,
		hide,
		ignored
	};
}
var FORMS = /* @__PURE__ */ new Map([
	["hide", (value) => Array.isArray(value)],
	["net", (value) => require_cli.BOX_NETS.includes(value)],
	["read-only", (value) => typeof value === "boolean"]
]);
function isNarrower(value, than) {
	return require_cli.BOX_NETS.indexOf(value) > require_cli.BOX_NETS.indexOf(than);
}
function isInside(path) {
	return typeof path === "string" && path !== "" && !path.startsWith("/") && !path.includes("\0") && !path.split("/").includes("..");
}
var MAX_FILE_BYTES = 65536;
function gatherFacts(request) {
	const { env, cwd, stateDir } = request;
	const home = require_cli.homeOf(env);
	if (require_cli.orNull(() => (0, node_fs.statSync)(require_cli.fsPath(home)))?.isDirectory() !== true) throw require_cli.noHome(home);
	const project = require_cli.projectOf(cwd);
	const state = realOr(require_cli.fromText(stateDir));
	const { config } = require_cli.loadConfig(env);
	expectNarrow(project.root, {
		home,
		state,
		scratch: config.scratch.map((dir) => realOr(require_cli.fromText(dir)))
	});
	const { options, hide, ignored } = narrowed(request.options, projectFile(project.root));
	const own = hide.map((name) => ({
		name,
		path: hiddenByProject(name, project.root)
	}));
	ignored.push(...own.flatMap(({ name, path }) => path === null ? require_cli.NARROWS.outside(name) : []));
	const { steps } = draftAhead({
		stateDir,
		projectRoot: project.root,
		config,
		mountinfo: (0, node_fs.readFileSync)("/proc/self/mountinfo", "latin1"),
		home
	});
	const variables = new Map(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
	const configDir = unlinkedParent(require_cli.clientDirs(home, variables).configDir);
	const isMoved = (env["CLAUDE_CONFIG_DIR"] ?? "") !== "";
	const at = (given) => {
		const text = require_cli.fromText(given);
		return unlinkedParent(text.startsWith("/") ? text : require_cli.joinPath(cwd, text));
	};
	for (const option of ["allow", "hide"]) if (options[option].some((given) => given === "" || given === ":ro")) throw require_cli.emptyPath(`--${option}`);
	const hidden = [...options.hide.map((given) => ({
		given,
		path: hiddenOf(given, at, project.root)
	})), ...own.flatMap(({ path }) => path === null ? [] : [{
		given: null,
		path
	}])];
	const gitDirs = gitDirsOf(project.root);
	const history = realOr(require_cli.joinPath(configDir, "history.jsonl"));
	const direct = {
		dirs: options.write === "direct" ? [project.root, ...gitDirs] : [],
		files: options.history === "shared" ? [history] : []
	};
	const isPending = (path) => isCovered(path, steps) && ![...direct.dirs, ...direct.files].some((one) => require_cli.isWithin(path, one));
	const found = /* @__PURE__ */ new Map();
	const realDirs = /* @__PURE__ */ new Map();
	const look = (path) => {
		const one = entryAt(path, isPending, realDirs);
		if (one !== null) found.set(path, one);
	};
	const input = {
		home,
		project: project.root,
		gitDirs,
		stateDir: state,
		configDir,
		stateFile: require_cli.joinPath(isMoved ? configDir : home, ".claude.json"),
		configLinks: linksIn(configDir),
		program: request.program === null ? null : unlinkedParent(require_cli.fromText(request.program)),
		plugin: realOr(require_cli.fromText(request.plugin)),
		pathDirs: (env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/")).map(require_cli.fromText),
		session: request.session,
		allow: options.allow.map((given) => allowedOf(given, at, state)),
		hide: hidden.map(({ path }) => path),
		options
	};
	for (const path of candidates(input)) look(path);
	for (const link of [...found.values()]) look(link.real);
	for (const path of clientPaths(realOr(configDir))) look(path);
	expectPending(input, steps, direct.dirs);
	const unseen = hidden.filter(({ path }) => !found.has(path));
	return {
		project,
		input,
		found,
		table: boxTable(input, found),
		direct,
		options,
		ignored,
		unseen
	};
}
function expectNarrow(project, { home, state, scratch }) {
	if (project === "/") throw require_cli.projectTooWide(project, require_cli.WIDE.root);
	if (require_cli.isWithin(home, project)) throw require_cli.projectTooWide(project, require_cli.WIDE.home);
	if (scratch.includes(project)) throw require_cli.projectTooWide(project, require_cli.WIDE.scratch);
	if (require_cli.isWithin(project, state)) throw require_cli.projectTooWide(project, require_cli.WIDE.state);
}
function expectPending({ project, configDir, options: { write } }, steps, direct) {
	const settings = realOr(configDir);
	if (write === "pending" && !isCovered(project, steps)) throw require_cli.projectNotPending(project, require_cli.CANNOT_COVER);
	if (!isCovered(settings, steps)) throw require_cli.settingsNotPending(configDir);
	if (direct.some((dir) => require_cli.isWithin(settings, dir))) throw require_cli.settingsDirect(configDir);
}
function isCovered(path, steps) {
	const step = innermostStep(steps, path);
	return step?.do === "overlay" || step?.do === "copied";
}
var realOr = (path) => require_cli.orNull(() => require_cli.realPath(path)) ?? path;
function unlinkedParent(path) {
	const plain = path.replace(/(.)\/+$/, "$1");
	const name = require_cli.nameOf(plain);
	if (plain === "/" || name === "." || name === "..") return realOr(plain);
	return require_cli.joinPath(realOr(require_cli.parentOf(plain)), name);
}
function entryAt(path, isPending, realDirs) {
	return require_cli.orNull(() => {
		const own = require_cli.lstat(path);
		if (own === null) return null;
		const name = require_cli.nameOf(path);
		const isPlain = own.type !== "symlink" && name !== "" && name !== "." && name !== "..";
		const real = isPlain ? require_cli.joinPath(realDir(require_cli.parentOf(path), realDirs), name) : require_cli.realPath(path);
		const type = isPlain ? own.type : require_cli.lstat(real)?.type;
		if (type === void 0) return null;
		return {
			type: type === "dir" || type === "file" ? type : "other",
			real,
			pending: isPending(real)
		};
	});
}
function realDir(dir, known) {
	const real = known.get(dir) ?? require_cli.realPath(dir);
	known.set(dir, real);
	return real;
}
function closedAbove(path) {
	const isDir = (dir) => require_cli.orNull(() => (0, node_fs.statSync)(require_cli.fsPath(dir)).isDirectory()) === true;
	let dir = require_cli.parentOf(path);
	while (dir !== "/" && !isDir(dir)) dir = require_cli.parentOf(dir);
	return require_cli.orNull(() => (0, node_fs.accessSync)(require_cli.fsPath(dir), node_fs.constants.X_OK)) === null ? dir : null;
}
function gitDirsOf(project) {
	const repository = require_cli.repositoryOf(project);
	if (repository === null) return [];
	const gitDir = realOr(repository.gitDir);
	const outside = [repository.commonDir, gitDir].filter((dir) => !require_cli.isWithin(dir, project));
	if (outside.length > 0 && !leadsBack(gitDir, project)) throw require_cli.foreignRepository(project, repository.commonDir);
	return outside.filter((dir, i) => !outside.some((other, j) => j !== i && require_cli.isWithin(dir, other) && (dir !== other || j < i)));
}
function leadsBack(gitDir, project) {
	if (require_cli.isWithin(gitDir, project)) return false;
	const read = (name) => require_cli.readBytes$1(require_cli.joinPath(gitDir, name), MAX_FILE_BYTES) ?? "";
	const worktree = read("gitdir").replace(/[\r\n]+$/, "");
	const named = ["config", "config.worktree"].map((name) => WORKTREE.exec(read(name))?.[1] ?? "");
	return [...worktree === "" ? [] : [require_cli.parentOf(worktree)], ...named.map(unquoted)].some((top) => realOr(top.startsWith("/") ? top : require_cli.joinPath(gitDir, top)) === project);
}
var WORKTREE = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t\r]*$/m;
var unquoted = (value) => value.replace(/^"(.*)"$/s, "$1").replace(/\\(["\\])/g, "$1");
function linksIn(dir) {
	return (require_cli.orNull(() => require_cli.readEntries(dir)) ?? []).filter((entry) => entry.isSymbolicLink()).map((entry) => require_cli.joinPath(dir, entry.name));
}
function allowedOf(given, at, state) {
	const ro = !(require_cli.orNull(() => (0, node_fs.statSync)(require_cli.fsPath(at(given)))) !== null) && given.endsWith(":ro");
	const path = at(ro ? given.slice(0, -3) : given);
	const real = require_cli.orNull(() => require_cli.realPath(path));
	if (real === null) throw require_cli.allowedMissing(path);
	if (real === "/") throw require_cli.allowsAll(path, require_cli.ALLOWS.root);
	if (require_cli.isWithin(real, state) || require_cli.isWithin(state, real)) throw require_cli.allowsAll(path, require_cli.ALLOWS.state);
	return {
		path,
		ro
	};
}
function hiddenOf(given, at, project) {
	const path = realOr(at(given));
	if (path === project || !require_cli.isWithin(path, project)) throw require_cli.hiddenOutside(path, project);
	return path;
}
function hiddenByProject(name, project) {
	const path = realOr(unlinkedParent(require_cli.joinPath(project, require_cli.fromText(name))));
	return path !== project && require_cli.isWithin(path, project) ? path : null;
}
function projectFile(project) {
	try {
		const [content] = require_cli.readEnds(require_cli.fsPath(require_cli.joinPath(project, ".claude/trai.box.json")), 65537, 0) ?? [];
		if (content === void 0 || content.length > MAX_FILE_BYTES) return isMissing(project) ? {} : void 0;
		return JSON.parse(content.toString("utf8"));
	} catch (error) {
		if (error instanceof require_cli.TraiError) throw error;
		return require_cli.errorCode(error) === "ENOENT" ? {} : void 0;
	}
}
var isMissing = (project) => require_cli.orNull(() => (0, node_fs.statSync)(require_cli.fsPath(require_cli.joinPath(project, PROJECT_FILE)))) === null;
async function makeGate(status) {
	const path = require_cli.gateOf(status);
	(0, node_fs.rmSync)(path, { force: true });
	const made = await require_cli.run(require_cli.programPath("mkfifo"), [
		"-m",
		"600",
		path
	]);
	if (made.status !== 0) throw require_cli.noGate(made.stderr.trim());
}
function holdGate(status) {
	const path = require_cli.gateOf(status);
	const fd = require_cli.orNull(() => (0, node_fs.openSync)(path, node_fs.constants.O_RDWR | node_fs.constants.O_NONBLOCK | node_fs.constants.O_NOFOLLOW));
	if (fd === null) return null;
	if (!(0, node_fs.fstatSync)(fd).isFIFO()) {
		(0, node_fs.closeSync)(fd);
		return null;
	}
	return {
		open: () => {
			(0, node_fs.writeSync)(fd, "x");
			(0, node_fs.rmSync)(path, { force: true });
		},
		close: () => (0, node_fs.closeSync)(fd)
	};
}
var LOOK_MS = 10;
async function firstProcess(status, ended) {
	while (!ended()) {
		const text = require_cli.orNull(() => (0, node_fs.readFileSync)(status, "latin1")) ?? "";
		const found = /"child-pid": (\d+)[\s,}]/.exec(text)?.[1];
		if (found !== void 0) return Number(found);
		await (0, node_timers_promises.setTimeout)(LOOK_MS);
	}
	return null;
}
function endUnopened(pid, start, why) {
	if (require_cli.processStat(pid)?.start === start) require_cli.orNull(() => process.kill(pid, "SIGKILL"));
	return require_cli.noNetwork(require_cli.messageOf(why), why instanceof require_cli.TraiError ? why.hint : void 0);
}
var PROXY_PORT = 3128;
var NAMES = /* @__PURE__ */ new Set([
	...[
		"HOME",
		"USER",
		"LOGNAME",
		"SHELL",
		"PATH",
		"LANG",
		"LANGUAGE",
		"TZ",
		"TERM",
		"COLORTERM",
		"TERM_PROGRAM"
	],
	...[
		"TERM_PROGRAM_VERSION",
		"NO_COLOR",
		"FORCE_COLOR",
		"EDITOR",
		"VISUAL",
		"PAGER",
		"LESS",
		"CI"
	],
	...[
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"NO_PROXY",
		"ALL_PROXY",
		"http_proxy",
		"https_proxy",
		"no_proxy",
		"all_proxy"
	],
	...[
		"NODE_EXTRA_CA_CERTS",
		"SSL_CERT_FILE",
		"SSL_CERT_DIR",
		"API_TIMEOUT_MS",
		"USE_BUILTIN_RIPGREP"
	],
	...[
		"MAX_THINKING_TOKENS",
		"MAX_MCP_OUTPUT_TOKENS",
		"MCP_TIMEOUT",
		"MCP_TOOL_TIMEOUT"
	],
	...[
		"TRAI_STATE_HOME",
		"XDG_STATE_HOME",
		"XDG_CONFIG_HOME",
		"XDG_DATA_HOME",
		"XDG_CACHE_HOME"
	],
	...[
		"NVM_DIR",
		"NVM_BIN",
		"VOLTA_HOME",
		"CARGO_HOME",
		"RUSTUP_HOME",
		"RUSTUP_TOOLCHAIN",
		"GOPATH",
		"GOROOT",
		"GOBIN"
	],
	...[
		"PYENV_ROOT",
		"JAVA_HOME",
		"VIRTUAL_ENV",
		"NIX_PATH",
		"NIX_SSL_CERT_FILE",
		"NIX_PROFILES",
		"LOCALE_ARCHIVE"
	]
]);
var PREFIXES = [
	"LC_",
	"ANTHROPIC_",
	"CLAUDE_CODE_",
	"DISABLE_",
	"BASH_DEFAULT_",
	"BASH_MAX_",
	"FNM_",
	"ASDF_",
	"MISE_",
	"UV_",
	"NPM_CONFIG_PREFIX"
];
var SECRET = /TOKEN|PASSWORD|SECRET|CREDENTIAL/;
var OF_CLIENT = /^(?:ANTHROPIC|CLAUDE_CODE)_/;
var OF_OTHERS = /* @__PURE__ */ new Set([...[
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_MESSAGING_SOCKET"
], ...["CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SSE_PORT"]]);
var PROXY = `http://127.0.0.1:${PROXY_PORT}`;
var SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
var LOCAL = "localhost,127.0.0.1,::1";
var PROXIES = {
	...Object.fromEntries([
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"http_proxy",
		"https_proxy"
	].map((name) => [name, PROXY])),
	ALL_PROXY: SOCKS,
	all_proxy: SOCKS,
	NO_PROXY: LOCAL,
	no_proxy: LOCAL,
	NODE_USE_ENV_PROXY: "1"
};
var CONFIG_DIR = "CLAUDE_CONFIG_DIR";
var NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
var PLACES = /* @__PURE__ */ new Set([
	"HOME",
	"TRAI_STATE_HOME",
	"XDG_STATE_HOME",
	CONFIG_DIR
]);
function boxEnvironment(env, { env: named, net }, allowed) {
	const made = {};
	for (const [name, value] of Object.entries(env)) {
		const isListed = NAMES.has(name) || name === CONFIG_DIR || PREFIXES.some((prefix) => name.startsWith(prefix)) && (OF_CLIENT.test(name) || !SECRET.test(name));
		if (value !== void 0 && NAME.test(name) && !OF_OTHERS.has(name) && (isListed || allowed.some((path) => names(value, path)))) made[name] = value;
	}
	if (net === "list") Object.assign(made, PROXIES);
	for (const given of named) {
		const [, name = "", value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(given) ?? [];
		if (name === "") throw require_cli.noVariable(given);
		if (value !== void 0 && value !== env[name] && PLACES.has(name)) throw require_cli.placeVariable(name, value);
		const found = value ?? env[name];
		if (found !== void 0) made[name] = found;
	}
	return made;
}
function names(value, path) {
	return value === path || value === `unix://${path}` || /^unix:(?:.*,)?path=([^,;]+)/.exec(value)?.[1] === path;
}
var ROOT = "project-root";
var boxesDir = (stateDir) => (0, node_path.join)(stateDir, "box");
var instanceDir = (stateDir, projectId) => (0, node_path.join)(boxesDir(stateDir), projectId);
var runFiles = (instance, session, pid) => ({
	state: (0, node_path.join)(instance, stateCopy(session)),
	status: (0, node_path.join)(instance, "run", `${session}.${pid}.status`)
});
function sharedRoot({ root }) {
	const common = require_cli.repositoryOf(root)?.commonDir;
	if (common === void 0) return root;
	return require_cli.nameOf(common) === ".git" ? require_cli.parentOf(common) : common;
}
function makeInstance(stateDir, project) {
	const dir = instanceDir(stateDir, project.id);
	const dirs = [
		"projects",
		"run",
		EMPTY_DIR,
		...CLIENT_DIRS.map((name) => `client/${name}`),
		...CACHE_NAMES.map((name) => `cache/${name}`)
	];
	for (const name of dirs) (0, node_fs.mkdirSync)((0, node_path.join)(dir, name), {
		recursive: true,
		mode: 448
	});
	for (const name of ["history.jsonl", EMPTY_FILE]) (0, node_fs.writeFileSync)((0, node_path.join)(dir, name), "", {
		flag: "a",
		mode: 384
	});
	for (const name of (0, node_fs.readdirSync)((0, node_path.join)(dir, "run"))) {
		const pid = /\.(\d+)\.status(?:\.\w+)?$/.exec(name)?.[1];
		if (pid !== void 0 && require_cli.processStat(Number(pid)) === null) (0, node_fs.rmSync)((0, node_path.join)(dir, "run", name), { force: true });
	}
	const root = sharedRoot(project);
	if (readRoot(dir) === null) require_cli.writeWhole((0, node_path.join)(dir, ROOT), Buffer.from(`${root}${root.includes("\n") ? "\0" : "\n"}`, "latin1"));
	return dir;
}
function readRoot(dir) {
	const file = (0, node_path.join)(dir, ROOT);
	const stat = require_cli.orNull(() => (0, node_fs.lstatSync)(file));
	if (stat === null || !stat.isFile() || stat.uid !== process.getuid?.() || stat.size > 8192) return null;
	const text = (0, node_fs.readFileSync)(file, "latin1");
	const [, path] = /^(\/[^\0\n]*)\n?$/.exec(text) ?? /^(\/[^\0]*)\0$/.exec(text) ?? [];
	return path === void 0 || /(^|\/)\.\.?(\/|$)/.test(path) ? null : path;
}
async function listInstances(stateDir, facts) {
	const names = instanceNames(stateDir);
	return await Promise.all(names.map((name) => instanceNamed(stateDir, name, facts)));
}
function instanceNames(stateDir) {
	return (require_cli.orNull(() => (0, node_fs.readdirSync)(boxesDir(stateDir))) ?? []).sort();
}
function lastUsed(instance) {
	return require_cli.orNull(() => (0, node_fs.statSync)((0, node_path.join)(instance, "run")).mtimeMs);
}
async function instanceNamed(stateDir, id, facts) {
	const dir = instanceDir(stateDir, id);
	const stat = require_cli.orNull(() => (0, node_fs.lstatSync)(dir));
	const one = {
		id,
		root: null,
		lastUse: "",
		running: false,
		state: "unsure",
		why: "",
		sessions: []
	};
	if (!/^[0-9a-f]{16}$/.test(id)) return {
		...one,
		why: require_cli.STAYS.name
	};
	if (stat === null || !stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 63) !== 0) return {
		...one,
		why: require_cli.STAYS.foreign
	};
	const own = facts.sessions.filter(({ projectId }) => projectId === id);
	const used = lastUsed(dir);
	one.lastUse = used === null ? "" : new Date(used).toISOString();
	one.sessions = own.filter(({ levels }) => levels?.includes("box")).map((meta) => meta.id);
	one.running = own.some((meta) => isBoxRunning(stateDir, meta.id));
	const root = readRoot(dir);
	one.root = root;
	if (root === null) return {
		...one,
		why: require_cli.STAYS.record
	};
	if (require_cli.orNull(() => (0, node_fs.lstatSync)(require_cli.fsPath(root))) !== null) return {
		...one,
		state: "used"
	};
	const above = require_cli.parentOf(root);
	if (require_cli.orNull(() => (0, node_fs.statSync)(require_cli.fsPath(above)))?.isDirectory() !== true) return {
		...one,
		why: require_cli.STAYS.above(require_cli.toDisplay(above))
	};
	if (require_cli.namesOrNone(above).length === 0) return {
		...one,
		why: require_cli.STAYS.empty(require_cli.toDisplay(above))
	};
	if (one.running) return {
		...one,
		why: require_cli.STAYS.running
	};
	for (const meta of own) {
		const pending = await facts.hasPending(meta.id).catch(() => null);
		if (pending !== false) return {
			...one,
			why: (pending === null ? require_cli.STAYS.unread : require_cli.STAYS.pending)(meta.id)
		};
	}
	const [unread] = facts.broken;
	if (unread !== void 0) return {
		...one,
		why: require_cli.STAYS.unread(unread.id)
	};
	return {
		...one,
		state: "gone"
	};
}
function isBoxRunning(stateDir, session) {
	const dir = require_cli.sessionDir(stateDir, session);
	return require_cli.isBoxed(dir) && require_cli.isClientRunning(dir);
}
function trashedInstances(stateDir) {
	return (require_cli.orNull(() => (0, node_fs.readdirSync)((0, node_path.join)(stateDir, "trash"))) ?? []).flatMap((name) => {
		const [, id = "", at = ""] = /^box\.([0-9a-f]{16})\.(\d{1,15})$/.exec(name) ?? [];
		return id === "" ? [] : [{
			name,
			id,
			at: Number(at)
		}];
	}).sort((a, b) => a.at - b.at);
}
function removeTrashed(stateDir, { name }) {
	require_cli.removePath(require_cli.nodePort, require_cli.fromText((0, node_path.join)(stateDir, "trash")), name);
}
async function trashInstance(stateDir, id, now) {
	const trash = (0, node_path.join)(stateDir, "trash");
	(0, node_fs.mkdirSync)(trash, {
		recursive: true,
		mode: 448
	});
	const to = (0, node_path.join)(trash, `box.${id}.${now}`);
	(0, node_fs.renameSync)(instanceDir(stateDir, id), to);
	await require_cli.syncPath(trash);
	return to;
}
var SHELL_DIRS = [
	"/usr/",
	"/bin/",
	`${require_cli.PROGRAM_DIR}/`
];
function shellOf(env) {
	const shell = env["SHELL"] ?? "";
	return [SHELL_DIRS.some((dir) => shell.startsWith(dir)) ? shell : "/bin/sh", "-i"];
}
function boxVariables(env, { facts, options, isShell }) {
	const { input } = facts;
	const allowed = input.allow.map(({ path }) => require_cli.toText(path));
	const unlinked = belowHome(env, input.home);
	const own = {
		...isShell ? {} : require_cli.DISABLED,
		...unlinkedEnv(env, facts, unlinked)
	};
	const named = options.env.map((given) => {
		const [name = "", ...parts] = given.split("=");
		const value = parts.join("=");
		if (parts.length === 0 || value === env[name]) return name;
		return `${name}=${unlinked(value)}`;
	});
	return boxEnvironment(own, {
		...options,
		env: named
	}, allowed);
}
function belowHome(env, home) {
	const given = (0, node_path.resolve)(require_cli.homeDir(env));
	const unlinked = (path) => `${path}/`.startsWith(`${given}/`) ? require_cli.toText(home) + path.slice(given.length) : path;
	return (value) => value.split(":").map(unlinked).join(":");
}
function unlinkedEnv(env, { input: { home, configDir, stateDir }, found }, unlinked) {
	const reached = (dir) => {
		const real = found.get(require_cli.fromText(dir))?.real;
		return real !== void 0 && require_cli.isWithin(real, home) ? require_cli.toText(real) : unlinked(dir);
	};
	const path = env["PATH"];
	const made = Object.entries(env).map(([name, value]) => [name, value && unlinked(value)]);
	const isSet = (name) => (env[name] ?? "") !== "";
	return {
		...Object.fromEntries(made),
		HOME: require_cli.toText(home),
		...path === void 0 ? {} : { PATH: path.split(":").map(reached).join(":") },
		...isSet("CLAUDE_CONFIG_DIR") ? { CLAUDE_CONFIG_DIR: require_cli.toText(configDir) } : {},
		...isSet("TRAI_STATE_HOME") || isSet("XDG_STATE_HOME") ? { TRAI_STATE_HOME: require_cli.toText(stateDir) } : {}
	};
}
var viewOf = ({ table, options }, variables) => ({
	rows: table.rows,
	variables: Object.keys(variables).sort(),
	net: options.net
});
function makeBox(want) {
	const { stateDir, session, cwd, facts, variables, commitInside, bwrap, pid, resets } = want;
	const { table, options, project, input } = facts;
	require_cli.ensureStateDir(stateDir);
	const instance = makeInstance(stateDir, project);
	const files = runFiles(instance, session, pid);
	(0, node_fs.rmSync)(files.status, { force: true });
	const record = {
		v: 1,
		instance,
		...viewOf(facts, variables),
		write: options.write,
		direct: facts.direct.dirs,
		directFiles: facts.direct.files,
		commitInside
	};
	const inside = require_cli.instanceAt(stateDir);
	const status = (0, node_path.join)(inside, "run", (0, node_path.basename)(files.status));
	const gate = options.net === "list" ? require_cli.gateOf(status) : "";
	const start = [
		require_cli.programPath("bash"),
		"-p",
		"-c",
		ENTRY,
		"trai-box"
	];
	const places = [
		bwrap.path,
		status,
		gate,
		(0, node_path.join)(inside, "none"),
		require_cli.entryWord(input.project)
	];
	const entry = [
		...start,
		...places,
		resets === true ? "yes" : ""
	];
	const make = table.make.flatMap(({ path, type }) => [type, require_cli.entryWord(path)]);
	const hide = hiddenPaths(table.rows, facts.unseen.map(({ path }) => path)).flatMap((path) => ["hide", require_cli.entryWord(path)]);
	const newSession = canType();
	return {
		start: {
			record,
			copy: files.state
		},
		status: files.status,
		args: boxArgs({
			rows: table.rows,
			cwd,
			net: options.net,
			newSession
		}),
		entry: [
			...entry,
			...make,
			...hide,
			"--"
		],
		signals: newSession ? ["SIGINT", "SIGWINCH"] : []
	};
}
var HOW_TEXTS = {
	ro: "read-only",
	host: "WRITES YOUR FILES",
	pending: "pending",
	instance: "kept",
	empty: "empty",
	tmpfs: "temporary",
	proc: "its own",
	dev: "its own"
};
var NETWORK = {
	open: "this machine’s, whole: what the box sees it can send anywhere (--net off cuts it off)",
	list: "only the hosts of box.network in config.json, by a proxy; you are asked about others (names, ports and bytes are on the record). A program that ignores HTTPS_PROXY and the like has no network",
	off: "none: Claude Code cannot reach its service from there, nor trai’s hooks the server"
};
function kindsOf(rows) {
	const kinds = /* @__PURE__ */ new Map();
	for (const row of rows) {
		const key = row.how === "host" ? row.to : `${row.how}\0${row.why}`;
		kinds.set(key, [...kinds.get(key) ?? [], row]);
	}
	return [...kinds.values()];
}
var inHome = (path, home) => require_cli.toDisplay(path !== home && require_cli.isWithin(path, home) ? `~${path.slice(home.length)}` : path);
function isAsNamed({ from, to, how }) {
	return from === null || from === to || how === "instance" || how === "empty";
}
function pathTexts(rows, home) {
	const dirs = /* @__PURE__ */ new Map();
	for (const row of rows) {
		const dir = row.to === "/" || !isAsNamed(row) ? row.to : require_cli.parentOf(row.to);
		dirs.set(dir, [...dirs.get(dir) ?? [], row]);
	}
	return [...dirs].flatMap(([dir, own]) => {
		if (own.length < 3) return own.map((row) => [inHome(row.to, home), ...isAsNamed(row) ? [] : [inHome(row.from ?? row.to, home)]].join(" <- "));
		const names = own.map(({ to }) => require_cli.toDisplay(require_cli.nameOf(to)));
		return [
			`${dir === "/" ? "" : dir === home ? "~" : inHome(dir, home)}/{${names[0]}`,
			...names.slice(1, -1),
			`${names.at(-1)}}`
		];
	});
}
var SCREEN_COLUMNS = 100;
function wrapped(head, words) {
	const room = SCREEN_COLUMNS - head.length;
	const lines = [];
	for (const word of words) {
		const line = lines.at(-1);
		if (line === void 0 || line.length + 1 + word.length > room) lines.push(word.trimStart());
		else lines[lines.length - 1] = `${line} ${word}`;
	}
	return lines.map((line, i) => (i === 0 ? head : " ".repeat(head.length)) + line);
}
function hostLines({ hosts }) {
	if (hosts === void 0) return [];
	const { allow, deny } = hosts;
	return [...wrapped("  allow    ", allow.length === 0 ? ["nothing"] : allow), ...wrapped("  deny     ", deny)];
}
function kindLines(rows, { home, style }) {
	const [{ how, why }] = rows;
	const paths = pathTexts(rows, home).map((text, i, { length }) => i === length - 1 ? text : `${text},`);
	const lines = wrapped(`  ${HOW_TEXTS[how].padEnd(HOW_WIDTH)}  `, [...paths, ...` (${why})`.split(/(?<=\S) /)]);
	return how === "host" ? lines.map(style.yellow) : lines;
}
var HOW_WIDTH = Math.max(...Object.values(HOW_TEXTS).map((text) => text.length));
function auditText(view, screen) {
	const { rows, variables, net } = view;
	const { remarks, style } = screen;
	const bold = (line) => line.replace(/^\w+:/, style.bold);
	return [
		style.bold("The box will see:"),
		...kindsOf(rows).flatMap((kind) => kindLines(kind, screen)),
		...wrapped("Network:   ", NETWORK[net].split(" ")).map(bold),
		...hostLines(view),
		...wrapped("Variables: ", variables).map(bold),
		...remarks.map((one) => style.yellow(one))
	].join("\n");
}
var AUDIT_QUESTION = "Start it? [Y/n] ";
var AUDIT_CANCELLED = "Cancelled. Nothing was started.";
function dryRunText({ program, rows, fixed, command, variables }) {
	const line = (words) => words.map(shellWord).join(" ");
	const width = Math.min(72, Math.max(...rows.map(({ words }) => line(words).length)));
	return [
		"# Inside the session’s namespace (trai exec has the same view, without the instance):",
		"box=(",
		...rows.map(({ words, row }) => `  ${line(words).padEnd(width)}  # ${HOW_TEXTS[row.how]}: ${row.why}`),
		...fixed.map((words) => `  ${line(words)}`),
		")",
		`# With these variables only: ${variables.join(" ")}`,
		`${shellWord(program)} "\${box[@]}" -- ${line(command)}`
	].join("\n");
}
function shellWord(word) {
	if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
	if (/^[\x20-\x7e]*$/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
	return `$'${word.replace(/[^\x20-\x26\x28-\x5b\x5d-\x7e]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
}
function instancesText(instances, style) {
	if (instances.length === 0) return "No boxes yet.";
	return instances.map(({ id, root, bytes, lastUse, running, note }) => {
		const used = lastUse === "" ? "" : `${require_cli.minuteText(lastUse)}  `;
		const state = running ? style.green("running") : "not running";
		const more = note === "" ? "" : `\n    ${style.yellow(note)}`;
		return `${style.bold(id)}  ${root === null ? "?" : require_cli.toDisplay(root)}\n    ${used}${require_cli.sizeText(bytes)}  ${state}${more}`;
	}).join("\n");
}
var PROJECT_IS_GONE = "its project is gone; removed by: trai box --gc";
function undoLine({ id, at }, dir) {
	return `mv -T ${shellWord(require_cli.fromText(at))} ${shellWord(require_cli.fromText(`${dir}/${id}`))}`;
}
function boxGcText({ taken, left, dry, dir }) {
	const lines = taken.flatMap((one) => [`  ${one.id}  ${require_cli.toDisplay(one.root)}  ${require_cli.sizeText(one.bytes)}`, ...dry ? [] : [`    Back with: ${undoLine(one, dir)}`]]);
	const count = require_cli.countText(taken.length, "box", "boxes");
	const what = dry ? `Would move ${count} to the trash, whose project is gone:` : `Moved ${count} to the trash, whose project is gone:`;
	return [
		...taken.length === 0 ? ["Nothing to move: every box belongs to a project that is there."] : [what],
		...lines,
		...left.map(({ id, why }) => `Left ${require_cli.toDisplay(id)}: ${why}`)
	].join("\n");
}
function boxGarbageLines({ gone, old }, as) {
	const [moved, removed] = as === "done" ? ["Moved", "Removed"] : [" ", " "];
	const to = as === "done" ? " to the trash" : "";
	return [...gone.map(({ id, root, bytes }) => `${moved} box ${id} of ${require_cli.toDisplay(root)}${to}, ${require_cli.sizeText(bytes)}: its project is gone`), ...old.map(({ id, bytes }) => `${removed} box ${id}, ${require_cli.sizeText(bytes)}: in the trash for long`)];
}
var STOPPING = [
	"SIGINT",
	"SIGTERM",
	"SIGHUP",
	"SIGQUIT"
];
async function openGate(cli, { session, status, gate }, ended) {
	const stop = new AbortController();
	let stopped = null;
	const onSignal = (signal) => {
		stopped = 128 + node_os.constants.signals[signal];
		stop.abort();
	};
	for (const signal of STOPPING) process.on(signal, onSignal);
	try {
		const pid = await firstProcess(status, () => ended.aborted);
		if (pid === null) return null;
		const began = require_cli.processStat(pid)?.start;
		try {
			await require_cli.needServer(cli, (server) => opened(server, {
				session,
				pid
			}, stop.signal), stop.signal);
			stop.signal.throwIfAborted();
			gate.open();
			return null;
		} catch (error) {
			const failed = endUnopened(pid, began, error);
			if (stopped !== null) return stopped;
			throw failed;
		}
	} finally {
		for (const signal of STOPPING) process.off(signal, onSignal);
	}
}
async function opened(server, box, stop) {
	return await require_cli.postJson(server, "box-network", box, stop) === null ? null : true;
}
var box_exports = /* @__PURE__ */ require_cli.__exportAll({ box: () => box });
var box = {
	name: "box",
	usage: "[OPTION…] [--] [ARGUMENT…]",
	summary: "run Claude Code in a session and in a box: it sees only what you give it (bubblewrap)",
	arguments: [
		["-y, --yes", "starts without the screen that shows what the box will see"],
		["--dry-run", "prints the command, a mount a line with its reason; nothing is made"],
		["--check", "tests whether a box can be made here"],
		["--shell", "a shell in place of Claude Code; --shell -- COMMAND runs one command"],
		["--write HOW", "the project: pending (default), direct (your files at once) or read-only"],
		["--allow PATH…", "one more file or directory; PATH:ro for reading only. May be repeated"],
		["--hide PATH…", "something of the project that is not there. May be repeated"],
		["--net NET", "open (default: this machine’s network, whole), list (hosts of box.network) or off"],
		["--env NAME…", "one more variable, or NAME=VALUE. May be repeated"],
		["--profile NAME", "a set of options of config.json (box.profiles)"],
		["--history WHOSE", "prompt history: of this project (project, default) or yours of all (shared)"],
		["--commit-inside", "lets /trai:commit and /trai:undo be typed inside"],
		["--continue", "goes on with this project’s newest session, and with its conversation"],
		["--keep-running", "leaves what a trai claude of the session left running; a box’s own processes end with it"],
		["--list", "lists the boxes of all projects, with size and last use"],
		["--gc", "moves boxes to the trash whose project is gone; with --dry-run only names them"],
		["ARGUMENT…", "of claude: all words from the first that is none of these options"]
	],
	words: Number.POSITIVE_INFINITY,
	handsOn: true,
	session: "goes on with this session; a new ID creates one (default: a new session)",
	async run(cli, args) {
		const { flags } = args;
		expectAlone(args, cli.session);
		if (flags.has("list")) return await (await Promise.resolve().then(() => require("./boxes2.cjs")).then((n) => n.boxes_exports)).listBoxes(cli);
		if (flags.has("gc")) return await (await Promise.resolve().then(() => require("./boxes2.cjs")).then((n) => n.boxes_exports)).gcBoxes(cli, flags.has("dry-run"));
		if (flags.has("check")) return await check(cli);
		require_cli.expectOutside("box", cli);
		return await require_cli.orNotEntered(() => start(cli, args));
	}
};
var ALONE = {
	list: [],
	gc: ["dry-run"],
	check: []
};
function expectAlone({ flags, options, lists, words }, session) {
	const alone = Object.keys(ALONE).find((name) => flags.has(name));
	if (alone === void 0) return;
	const other = [
		...flags,
		...options.keys(),
		...lists.keys(),
		...session === null ? [] : ["session"]
	].find((name) => name !== alone && ALONE[alone]?.includes(name) !== true);
	const [unexpected] = [...other === void 0 ? [] : [`--${other}`], ...words];
	if (unexpected !== void 0) throw require_cli.badUsage(box, require_cli.USAGE.unexpectedBeside(`--${alone}`, unexpected));
}
async function check(cli) {
	const { checkBox } = await Promise.resolve().then(() => require("./check.cjs")).then((n) => n.check_exports);
	const { checksText } = await Promise.resolve().then(() => require("./doctor.cjs"));
	const checks = await checkBox(cli.env);
	const ok = checks.every((one) => one.ok || one.level === "warning");
	const end = ok ? "A box can be made here." : "No box can be made here until the above is fixed. Without one: trai claude";
	cli.print([...checksText(checks, cli.style), end].join("\n"), {
		ok,
		checks
	});
	return ok ? 0 : 1;
}
async function wanted(cli, args) {
	const isShell = args.flags.has("shell");
	const options = optionsOf(cli, args);
	const cwd = cli.dir;
	const session = await require_cli.sessionOf(box, cli, isShell ? {
		...args,
		words: []
	} : args);
	const facts = gatherFacts({
		env: cli.env,
		stateDir: cli.state,
		cwd,
		plugin: cli.root,
		program: isShell ? null : require_cli.findClient(cli.env),
		session,
		options
	});
	const meta = await require_cli.readMeta(require_cli.sessionDir(cli.state, session)).catch(() => null);
	if (meta !== null && meta.projectId !== facts.project.id) throw require_cli.otherProject$1(session, meta.projectRoot);
	const ctx = meta === null ? null : await require_cli.sessionContext(cli.state, session, cli.env);
	const variables = boxVariables(cli.env, {
		facts,
		options,
		isShell
	});
	const unset = (args.lists.get("env") ?? []).filter((name) => !name.includes("=") && !(name in variables));
	const slipped = await slips(ctx, facts, args.lists.get("hide") ?? []);
	const remarks = [
		...facts.ignored,
		...slipped,
		...unset.map(require_cli.variableUnset)
	];
	if (ctx !== null && facts.options.write === "direct") {
		const { pendingBelow } = await Promise.resolve().then(() => require("./overlap.cjs")).then((n) => n.overlap_exports);
		if (pendingBelow(ctx, facts.input.project, 1).count > 0) remarks.push(require_cli.pendingUnseen(session));
	}
	const shell = args.words.length > 0 ? [...args.words] : shellOf(cli.env);
	const client = facts.input.program;
	return {
		session,
		ctx,
		cwd,
		facts,
		remarks,
		variables,
		command: client === null ? shell : [require_cli.toText(client), ...require_cli.ownWords(cli, args)]
	};
}
async function slips(ctx, { unseen, input }, typed) {
	const said = [];
	for (const { given, path } of unseen) {
		const isTyped = given !== null && typed.includes(given);
		if (!isTyped && !path.includes("*", input.project.length)) continue;
		if (ctx !== null && await isInView(ctx, path)) continue;
		if (!isTyped) {
			said.push(require_cli.hiddenPattern(path));
			continue;
		}
		const closed = closedAbove(path);
		const isThere = closed !== null && (ctx === null || await isInView(ctx, closed));
		said.push(isThere ? require_cli.hiddenWhole(given, closed) : require_cli.hiddenMissing(given));
	}
	return said;
}
var loadLook = async () => await Promise.resolve().then(() => require("./look.cjs")).then((n) => n.look_exports);
async function isInView(ctx, path) {
	const { lookThrough } = await loadLook();
	const { kind, inView, onHost } = await lookThrough(ctx, path, false);
	return kind === "none" ? onHost : inView;
}
function optionsOf(cli, args) {
	const loaded = require_cli.loadConfig(cli.env);
	const { profiles } = loaded.config.box;
	const named = args.options.get("profile");
	const wrong = named === void 0 ? [] : require_cli.problemsAbout(loaded, [
		"box",
		"profiles",
		named
	]);
	if (wrong.length > 0) throw require_cli.brokenProfile(named ?? "", wrong);
	const profile = named === void 0 ? require_cli.DEFAULT_BOX_OPTIONS : profiles[named];
	if (profile === void 0) throw require_cli.noProfile(named ?? "", Object.keys(profiles));
	const choice = (option, choices) => {
		const given = args.options.get(option);
		const found = choices.find((one) => one === given);
		if (given !== void 0 && found === void 0) throw require_cli.badUsage(box, require_cli.USAGE.noChoice(option, choices, given));
		return found;
	};
	const [write, net, history] = [
		choice("write", require_cli.BOX_WRITES),
		choice("net", require_cli.BOX_NETS),
		choice("history", require_cli.BOX_HISTORIES)
	];
	const list = (option) => args.lists.get(option) ?? [];
	return joinedOptions(profile, {
		...write === void 0 ? {} : { write },
		...net === void 0 ? {} : { net },
		...history === void 0 ? {} : { history },
		allow: list("allow"),
		hide: list("hide"),
		env: list("env")
	});
}
async function start(cli, args) {
	const want = await wanted(cli, args);
	const bwrap = await findBwrap(cli.env);
	await expectHosts(want, bwrap);
	if (args.flags.has("dry-run")) return dryRun(cli, want, bwrap);
	if (!args.flags.has("yes") && !await isAgreed(cli, want)) return 1;
	return await run(cli, args, want, bwrap);
}
async function expectHosts({ ctx, session }, { path }) {
	if (ctx === null) return;
	const { lookThrough, readsOtherwise } = await loadLook();
	for (const program of [require_cli.fromText(path), ...ENTRY_PROGRAMS]) if (readsOtherwise(await lookThrough(ctx, program, true))) throw require_cli.programPending(session, program);
}
function dryRun(cli, want, { path }) {
	const { cwd, facts, remarks, variables, command } = want;
	const { table, options } = facts;
	const rows = table.rows.map((row) => ({
		words: rowArgs(row),
		row
	}));
	const fixed = fixedArgs({
		cwd,
		net: options.net,
		newSession: canType()
	});
	const view = viewOf(facts, variables);
	cli.print(dryRunText({
		program: require_cli.fromText(path),
		rows,
		fixed,
		command: command.map(require_cli.fromText),
		variables: view.variables
	}), view);
	for (const one of remarks) cli.remark(one);
	return 0;
}
async function isAgreed(cli, { facts, remarks, variables }) {
	if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw require_cli.needsYes();
	const { network } = require_cli.loadConfig(cli.env).config.box;
	const view = {
		...viewOf(facts, variables),
		...facts.options.net === "list" ? { hosts: network } : {}
	};
	const { home } = facts.input;
	cli.remark(auditText(view, {
		home,
		remarks,
		style: cli.style
	}));
	const { createInterface } = await import("node:readline");
	process.stderr.write(AUDIT_QUESTION);
	const reader = createInterface({
		input: process.stdin,
		terminal: false
	});
	try {
		for await (const line of reader) {
			if ([
				"",
				"y",
				"yes"
			].includes(line.trim().toLowerCase())) return true;
			break;
		}
	} finally {
		reader.close();
	}
	cli.remark(AUDIT_CANCELLED);
	return false;
}
async function run(cli, args, want, bwrap) {
	const { session, facts, remarks, variables, command } = want;
	if (args.flags.has("yes")) for (const one of remarks) cli.remark(one);
	const waiter = await require_cli.waiterOf(cli, true);
	const isListed = facts.options.net === "list";
	const made = await require_cli.withRoom(cli, async () => {
		const commitInside = args.flags.has("commit-inside");
		const pid = waiter?.by.pid ?? process.pid;
		const box = makeBox({
			...want,
			stateDir: cli.state,
			commitInside,
			bwrap,
			pid
		});
		if (isListed) await makeGate(box.status);
		return box;
	});
	const client = {
		session,
		text: ["box", ...args.flags.has("shell") ? [
			"--shell",
			"--",
			...args.words
		] : args.words].map(require_cli.quoted).join(" "),
		argv: command,
		variables,
		keepsRunning: args.flags.has("keep-running"),
		box: made,
		waiter
	};
	if (waiter !== null) return await require_cli.runClient(cli, client);
	return await runWithGate(cli, client, {
		session,
		status: made.status,
		gate: isListed ? holdGate(made.status) : null
	});
}
async function runWithGate(cli, client, { gate, ...at }) {
	const ended = new AbortController();
	const opened = gate === null ? Promise.resolve(null) : openGate(cli, {
		...at,
		gate
	}, ended.signal).catch((error) => error);
	try {
		const code = await require_cli.runClient(cli, client);
		ended.abort();
		const failed = await opened;
		if (failed instanceof Error) throw failed;
		if (typeof failed === "number") return failed;
		if (code === 1 && !hasRun(at.status)) throw require_cli.notMade();
		return code;
	} finally {
		ended.abort();
		gate?.close();
		for (const file of [at.status, require_cli.gateOf(at.status)]) (0, node_fs.rmSync)(file, { force: true });
	}
}
Object.defineProperty(exports, "PROJECT_IS_GONE", {
	enumerable: true,
	get: function() {
		return PROJECT_IS_GONE;
	}
});
Object.defineProperty(exports, "PROJECT_IS_SCRATCH", {
	enumerable: true,
	get: function() {
		return PROJECT_IS_SCRATCH;
	}
});
Object.defineProperty(exports, "TYPING", {
	enumerable: true,
	get: function() {
		return TYPING;
	}
});
Object.defineProperty(exports, "box", {
	enumerable: true,
	get: function() {
		return box;
	}
});
Object.defineProperty(exports, "boxGarbageLines", {
	enumerable: true,
	get: function() {
		return boxGarbageLines;
	}
});
Object.defineProperty(exports, "boxGcText", {
	enumerable: true,
	get: function() {
		return boxGcText;
	}
});
Object.defineProperty(exports, "box_exports", {
	enumerable: true,
	get: function() {
		return box_exports;
	}
});
Object.defineProperty(exports, "boxesDir", {
	enumerable: true,
	get: function() {
		return boxesDir;
	}
});
Object.defineProperty(exports, "draftOf", {
	enumerable: true,
	get: function() {
		return draftOf;
	}
});
Object.defineProperty(exports, "fail", {
	enumerable: true,
	get: function() {
		return fail;
	}
});
Object.defineProperty(exports, "findBwrap", {
	enumerable: true,
	get: function() {
		return findBwrap;
	}
});
Object.defineProperty(exports, "hasRun", {
	enumerable: true,
	get: function() {
		return hasRun;
	}
});
Object.defineProperty(exports, "innermostStep", {
	enumerable: true,
	get: function() {
		return innermostStep;
	}
});
Object.defineProperty(exports, "instanceDir", {
	enumerable: true,
	get: function() {
		return instanceDir;
	}
});
Object.defineProperty(exports, "instancesText", {
	enumerable: true,
	get: function() {
		return instancesText;
	}
});
Object.defineProperty(exports, "lastUsed", {
	enumerable: true,
	get: function() {
		return lastUsed;
	}
});
Object.defineProperty(exports, "listInstances", {
	enumerable: true,
	get: function() {
		return listInstances;
	}
});
Object.defineProperty(exports, "pass", {
	enumerable: true,
	get: function() {
		return pass;
	}
});
Object.defineProperty(exports, "readSetting", {
	enumerable: true,
	get: function() {
		return readSetting;
	}
});
Object.defineProperty(exports, "remedyForNamespaces", {
	enumerable: true,
	get: function() {
		return remedyForNamespaces;
	}
});
Object.defineProperty(exports, "remedyForPackage", {
	enumerable: true,
	get: function() {
		return remedyForPackage;
	}
});
Object.defineProperty(exports, "removeTrashed", {
	enumerable: true,
	get: function() {
		return removeTrashed;
	}
});
Object.defineProperty(exports, "runFiles", {
	enumerable: true,
	get: function() {
		return runFiles;
	}
});
Object.defineProperty(exports, "trashInstance", {
	enumerable: true,
	get: function() {
		return trashInstance;
	}
});
Object.defineProperty(exports, "trashedInstances", {
	enumerable: true,
	get: function() {
		return trashedInstances;
	}
});
Object.defineProperty(exports, "tryBox", {
	enumerable: true,
	get: function() {
		return tryBox;
	}
});
Object.defineProperty(exports, "versionOf", {
	enumerable: true,
	get: function() {
		return versionOf;
	}
});
Object.defineProperty(exports, "warn", {
	enumerable: true,
	get: function() {
		return warn;
	}
});
