import fs, { accessSync, appendFileSync, chmodSync, closeSync, constants, copyFileSync, existsSync, fchmodSync, fstatSync, fsync, lchownSync, linkSync, lstatSync, lutimesSync, mkdirSync, mkdtempSync, openSync, opendirSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, rmdirSync, statSync, statfsSync, symlinkSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import path, { basename, dirname, isAbsolute, join, posix, resolve } from "node:path";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import { constants as constants$1, release, uptime, userInfo } from "node:os";
import { spawn, spawnSync } from "node:child_process";
import { createHash, hash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { isUtf8 } from "node:buffer";
import { Script } from "node:vm";
var utf8$1 = new TextDecoder("utf-8", {
	fatal: true,
	ignoreBOM: true
});
var decoder$1 = new TextDecoder("utf-8", { ignoreBOM: true });
function isByteString(text) {
	for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return false;
	return true;
}
function bytePath(text) {
	if (!isByteString(text)) throw new RangeError("expected a byte string (every character <= U+00FF)");
	return text;
}
function isAscii(path) {
	return !NOT_ASCII.test(path);
}
var NOT_ASCII = /[^\0-\x7f]/;
function fromText(text) {
	let out = "";
	for (const byte of new TextEncoder().encode(text)) out += String.fromCharCode(byte);
	return out;
}
function toText(bytes) {
	return decoder$1.decode(toBytes(bytes));
}
function toBytes(path) {
	const out = new Uint8Array(path.length);
	for (let i = 0; i < path.length; i++) out[i] = path.charCodeAt(i);
	return out;
}
function toDisplay(path) {
	const escaped = path.replaceAll("\\", "\\\\");
	let text;
	try {
		text = utf8$1.decode(toBytes(escaped));
	} catch {
		text = escaped.replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
	}
	return text.replace(INVISIBLE, (c) => {
		const code = c.codePointAt(0) ?? 0;
		if (c === "\n") return "\\n";
		if (c === "\r") return "\\r";
		if (c === "	") return "\\t";
		return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
	});
}
var INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;
function parentOf$1(path) {
	const at = path.lastIndexOf("/");
	return at <= 0 ? "/" : path.slice(0, at);
}
function nameOf$1(path) {
	return path.slice(path.lastIndexOf("/") + 1);
}
function joinPath(dir, name) {
	return dir.endsWith("/") ? dir + name : `${dir}/${name}`;
}
function isWithin(path, dir) {
	return path === dir || dir === "/" || path.startsWith(dir) && path.charCodeAt(dir.length) === 47;
}
function innermost$1(path, all, dirOf) {
	let best;
	for (const one of all) {
		const dir = dirOf(one);
		if (isWithin(path, dir) && (best === void 0 || dir.length >= dirOf(best).length)) best = one;
	}
	return best;
}
function isBelowAny(path, dirs) {
	for (let at = path; at !== "/";) {
		at = parentOf$1(at);
		if (dirs.has(at)) return true;
	}
	return false;
}
var USR = "/usr/bin";
var NIXOS = "/run/current-system/sw/bin";
var NIXOS_SETUID = "/run/wrappers/bin";
var isNixos = !existsSync(`${USR}/unshare`) && existsSync(NIXOS);
var PROGRAM_DIR = isNixos ? NIXOS : USR;
var programPath = (name) => `${PROGRAM_DIR}/${name}`;
var setuidPath = (name) => `${isNixos ? NIXOS_SETUID : USR}/${name}`;
var KILL_MS = 500;
function run$1(program, args, options = {}) {
	return new Promise((resolve) => {
		const { cwd, env = process.env, fds = [], timeout, grace = 0, mostOutput = Infinity } = options;
		const stdio = [
			"pipe",
			options.stdout ?? "pipe",
			"pipe",
			...fds
		];
		const child = spawn(program, args, {
			cwd,
			env,
			stdio,
			detached: true
		});
		const [output, errors] = [[], []];
		let [size, timedOut] = [0, false];
		let timer;
		const finish = (status, error = "") => {
			clearTimeout(timer);
			const [stdout, stderr] = [textOf$3(output), textOf$3(errors) + error];
			resolve({
				status: timedOut ? 124 : status,
				stdout,
				stderr,
				timedOut
			});
		};
		const kill = () => {
			signalGroup(child.pid, "SIGKILL");
			timer = setTimeout(() => {
				child.stdout?.destroy();
				child.stderr?.destroy();
				child.unref();
				finish(124);
			}, KILL_MS);
		};
		const stop = () => {
			if (timedOut) return;
			timedOut = true;
			clearTimeout(timer);
			signalGroup(child.pid, "SIGTERM");
			timer = setTimeout(kill, grace);
		};
		if (timeout !== void 0) timer = setTimeout(stop, timeout);
		child.stdout?.on("data", (chunk) => {
			output.push(chunk);
			size += chunk.length;
			if (size > mostOutput) stop();
		});
		child.stderr?.on("data", (chunk) => errors.push(chunk));
		child.on("error", (error) => finish(127, error.message));
		child.on("close", (code, signal) => finish(code ?? 128 + (signal === null ? 0 : constants$1.signals[signal])));
		child.stdin?.on("error", () => {});
		child.stdin?.end(options.input ?? "");
	});
}
var textOf$3 = (chunks) => Buffer.concat(chunks).toString("latin1");
function signalGroup(pid, name) {
	try {
		if (pid !== void 0) process.kill(-pid, name);
	} catch {}
}
function plainEnv() {
	return {
		PATH: PROGRAM_DIR,
		LC_ALL: "C"
	};
}
var X64 = {
	get: "191",
	list: "194",
	set: "188",
	remove: "197",
	lget: "192",
	llist: "195",
	lremove: "198",
	syncfs: "306"
};
var GENERIC = {
	get: "8",
	list: "11",
	set: "5",
	remove: "14",
	lget: "9",
	llist: "12",
	lremove: "15",
	syncfs: "267"
};
var CALLS = {
	x64: X64,
	arm64: GENERIC,
	riscv64: GENERIC,
	loong64: GENERIC
};
var PRELUDE = `
exit 3 unless length(pack("p", "")) == 8;
my $max = 65536; my $names = "\\0" x $max; my $v = "\\0" x $max;`;
var ONCE = "my @call = map { $_ + 0 } @ARGV; my $out = \"\"; binmode STDIN; my $input = do { local $/; <STDIN> };";
var SERVE = `
binmode STDIN; binmode STDOUT; $| = 1;
while (defined(my $head = <STDIN>)) {
  my ($p, $i, @call) = map { $_ + 0 } split " ", $head; my ($program, $input, $out) = ("", "", "");
  last unless read(STDIN, $program, $p) == $p && read(STDIN, $input, $i) == $i;
  print eval("$program; 1") ? length($out) . "\\n$out" : "-1\\n"; chdir "/"; }`;
function numbersOf({ calls }) {
	const numbers = CALLS[process.arch];
	return numbers === void 0 ? null : calls.map((call) => numbers[call]);
}
function argsOf(program) {
	const numbers = numbersOf(program);
	return numbers === null ? null : [
		"-e",
		`${ONCE}${PRELUDE}${program.text}\nprint $out;`,
		...numbers
	];
}
function perl(program, input, fd) {
	const args = argsOf(program);
	if (args === null) return null;
	const { status, stdout } = spawnSync("perl", args, {
		input: Buffer.from(input, "latin1"),
		stdio: [
			"pipe",
			"pipe",
			"ignore",
			...fd === void 0 ? [] : [fd]
		],
		encoding: "latin1",
		env: plainEnv(),
		cwd: "/",
		maxBuffer: 536870912
	});
	return status === 0 ? stdout : null;
}
var kept = null;
var keepers = 0;
async function keepPerl(work) {
	keepers++;
	try {
		return await work();
	} finally {
		keepers--;
		if (keepers === 0) {
			kept?.end();
			kept = null;
		}
	}
}
function isPerlKept() {
	return keepers > 0;
}
async function askPerl(program, input) {
	const bytes = Buffer.from(input, "latin1");
	if (keepers > 0) {
		kept ??= new KeptPerl();
		const first = kept;
		const answer = await first.ask(program, bytes);
		if (answer !== null || !first.isLost || keepers === 0) return answer;
		if (kept === first) kept = null;
		kept ??= new KeptPerl();
		return await kept.ask(program, bytes);
	}
	const args = argsOf(program);
	if (args === null) return null;
	const { status, stdout } = await run$1("perl", args, {
		input: bytes,
		env: plainEnv(),
		cwd: "/"
	});
	return status === 0 ? stdout : null;
}
var KeptPerl = class {
	#child;
	#waiting = [];
	#chunks = [];
	#read = 0;
	#wanted = 1;
	#isOver = false;
	#hasAnswered = false;
	constructor() {
		this.#child = spawn("perl", ["-e", SERVE], {
			cwd: "/",
			env: plainEnv(),
			stdio: [
				"pipe",
				"pipe",
				"ignore"
			],
			detached: true
		});
		this.#child.stdout?.on("data", (chunk) => this.#take(chunk));
		this.#child.stdin?.on("error", () => {});
		this.#child.on("error", () => this.#fail());
		this.#child.on("close", () => this.#fail());
	}
	get isLost() {
		return this.#isOver && this.#hasAnswered;
	}
	async ask(program, input) {
		const numbers = numbersOf(program);
		if (numbers === null || this.#isOver) return null;
		const text = Buffer.from(`${PRELUDE}${program.text}`, "latin1");
		const head = Buffer.from(`${[
			text.length,
			input.length,
			...numbers
		].join(" ")}\n`, "latin1");
		return await new Promise((resolve) => {
			this.#waiting.push(resolve);
			this.#child.stdin?.write(Buffer.concat([
				head,
				text,
				input
			]));
		});
	}
	end() {
		this.#child.stdin?.end();
	}
	#fail() {
		this.#isOver = true;
		for (const resolve of this.#waiting.splice(0)) resolve(null);
	}
	#take(chunk) {
		this.#chunks.push(chunk);
		this.#read += chunk.length;
		if (this.#read < this.#wanted) return;
		let bytes = Buffer.concat(this.#chunks);
		for (this.#wanted = 1; bytes.length >= this.#wanted;) {
			const end = bytes.indexOf("\n");
			if (end === -1) break;
			const length = Number(bytes.toString("latin1", 0, end));
			this.#wanted = end + 1 + Math.max(length, 0);
			if (bytes.length < this.#wanted) break;
			const answer = length < 0 ? null : bytes.toString("latin1", end + 1, this.#wanted);
			bytes = bytes.subarray(this.#wanted);
			this.#wanted = 1;
			this.#hasAnswered = true;
			this.#waiting.shift()?.(answer);
		}
		this.#chunks = [bytes];
		this.#read = bytes.length;
	}
};
var UNSUPPORTED = `$! == ${constants$1.errno.ENOTSUP}`;
var READ$1 = `
for my $p (split /\\0/, $input) {
  my $n = syscall($call[1], $p, $names, $max);
  if ($n < 0) { $out .= ${UNSUPPORTED} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($call[0], $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }`;
var READ_HERE = ["lget", "llist"];
var READ_OPEN = ["get", "list"];
var [OWN, OURS] = [/^\/proc\/self\/fd\//, `/proc/${process.pid}/fd/`];
function readAll(paths, fd) {
	if (paths.length === 0) return [];
	const calls = fd === void 0 ? READ_HERE : READ_OPEN;
	const input = (fd === void 0 ? paths.map((path) => path.replace(OWN, OURS)) : paths).map((path) => `${path}\0`).join("");
	return linesOf(paths, perl({
		text: READ$1,
		calls
	}, input, fd));
}
function linesOf(paths, output) {
	const lines = output?.split("\n").slice(0, -1);
	return lines?.length === paths.length ? lines : paths.map(() => "?");
}
var MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
var MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;
var ACLS = /^system\.posix_acl_/;
function meant(line) {
	return only(process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT, line);
}
function only(pattern, line) {
	if (line === "") return "";
	if (line === "?") return null;
	const all = line.split(" ").filter((one) => pattern.test(fromHex(one.slice(0, one.indexOf("=")))));
	return all.some((one) => one.endsWith("=?")) ? null : all.sort().join(" ");
}
function fromHex(hex) {
	return Buffer.from(hex, "hex").toString("latin1");
}
function xattrsOf(paths) {
	return readAll(paths).map(meant);
}
function aclsOf(paths) {
	return readAll(paths).map((line) => only(ACLS, line));
}
async function askXattrs(paths) {
	return (await askAll(paths)).map(meant);
}
async function askAll(paths) {
	if (paths.length === 0) return [];
	const input = paths.map((path) => `${path}\0`).join("");
	return linesOf(paths, await askPerl({
		text: READ$1,
		calls: READ_HERE
	}, input));
}
var HELD = "/proc/self/fd/3";
function readOpenXattrs(fd) {
	return meant(readAll([HELD], fd)[0] ?? "?");
}
var ORIGINS = ["user.overlay.origin", "trusted.overlay.origin"].map((name) => `${Buffer.from(name).toString("hex")}=`);
var isCopy = (line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`));
function areCopies(paths) {
	return readAll(paths).map(isCopy);
}
var BATCH = 1e4;
function otherXattrs(pairs) {
	const other = [];
	for (let at = 0; at < pairs.length; at += BATCH) {
		const batch = pairs.slice(at, at + BATCH);
		const texts = xattrsOf(batch.flatMap(({ path, upperPath }) => [path, upperPath]));
		batch.forEach((pair, i) => {
			const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
			if (host !== null && upper !== null && host !== upper) other.push({
				pair,
				host,
				upper
			});
		});
	}
	return other;
}
function xattrIdentity({ host, upper }) {
	return hash("sha256", `${host}/${upper}`).slice(0, 16);
}
var SET = `
my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($call[1], $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($call[0], $p, $n, $v, length($v), 0); }
$out = "0";
for my $line (split /\\n/, $input) { my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  $out = $! + 0; put(@$_) for @done; last }`;
function setOpenXattrs(fd, changes) {
	const value = (hex) => hex === null ? "-" : `=${hex}`;
	const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join("");
	const output = perl({
		text: SET,
		calls: ["set", "remove"]
	}, input, fd);
	if (output === "0") return;
	const number = output === null ? constants$1.errno.ENOSYS : Number(output);
	const code = Object.entries(constants$1.errno).find(([, one]) => one === number)?.[0] ?? "EIO";
	throw Object.assign(/* @__PURE__ */ new Error(`${code}: extended attributes could not be set`), { code });
}
var NAMES = `
my $i = -1; my $dot = "."; my $count;
for my $d (split /\\0/, $input) { $i++;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($call[0], $name, $names, $max); next if $n == 0 || ($n < 0 && ${UNSUPPORTED});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
$out .= $i + 1 . "\\n";`;
var OF_THE_PLACE = /^(?:user|trusted)\.overlay\.|^security\.(?!capability$)/;
`${UNSUPPORTED}${OF_THE_PLACE.source}`;
function xattrNames(asked) {
	return namesIn$5(asked, perl({
		text: NAMES,
		calls: ["llist"]
	}, namesInput(asked)));
}
function namesInput({ whole, alone }) {
	return [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join("");
}
function namesIn$5({ whole, alone }, output) {
	const dirs = [...whole, ...alone];
	return (output === null ? null : parseNames(dirs, output)) ?? {
		names: /* @__PURE__ */ new Map(),
		unknown: new Set(dirs),
		counts: /* @__PURE__ */ new Map()
	};
}
function parseNames(dirs, output) {
	const lines = output.split("\n").slice(0, -1);
	if (lines.pop() !== String(dirs.length)) return null;
	const names = /* @__PURE__ */ new Map();
	const unknown = /* @__PURE__ */ new Set();
	const counts = /* @__PURE__ */ new Map();
	for (const line of lines) {
		const [i, name = "", ...found] = line.split(" ");
		const dir = dirs[Number(i)];
		if (dir === void 0) return null;
		if (name === "?") unknown.add(dir);
		else if (name.startsWith("=")) counts.set(dir, Number(name.slice(1)));
		else names.set(fromHex(name) === "." ? dir : joinPath(dir, fromHex(name)), found.map(fromHex));
	}
	return {
		names,
		unknown,
		counts
	};
}
function at$1(fd, name = "") {
	return name === "" ? `/proc/self/fd/${fd}` : `/proc/self/fd/${fd}/${name}`;
}
function withHandle(port, fd, use) {
	return useAndClose({ close: () => port.close(fd) }, () => use(fd));
}
async function withHandleAsync(port, fd, use) {
	return await useAndCloseAsync({ close: () => port.close(fd) }, async () => await use(fd));
}
function useAndClose(held, use) {
	try {
		return use(held);
	} finally {
		held.close();
	}
}
async function useAndCloseAsync(held, use) {
	try {
		return await use(held);
	} finally {
		await held.close();
	}
}
function errorCode(thrown) {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}
function isNoSpace(thrown) {
	return [
		"ENOSPC",
		"EDQUOT",
		"no-space"
	].includes(errorCode(thrown));
}
function orIfRefused(call, otherwise) {
	try {
		return call();
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return otherwise;
	}
}
var O_PATH = 2097152;
var O_DIR = O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
var O_ENTRY = O_PATH | fs.constants.O_NOFOLLOW;
var O_APPEND$1 = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;
function fsPath(path) {
	return isAscii(path) ? path : Buffer.from(path, "latin1");
}
var TYPES = /* @__PURE__ */ new Map([
	[4096, "fifo"],
	[8192, "char"],
	[16384, "dir"],
	[24576, "block"],
	[32768, "file"],
	[40960, "symlink"],
	[49152, "socket"]
]);
function toStat(s) {
	const mode = Number(s.mode);
	const type = TYPES.get(mode & 61440);
	if (type === void 0) throw new RangeError(`expected a file type, got mode ${mode.toString(8)}`);
	return {
		type,
		mode: mode & 4095,
		uid: Number(s.uid),
		gid: Number(s.gid),
		size: type === "file" ? Number(s.size) : 0,
		nlink: Number(s.nlink),
		dev: s.dev,
		ino: s.ino,
		rdev: s.rdev,
		mtimeNs: s.mtimeNs,
		ctimeNs: s.ctimeNs,
		birthNs: s.birthtimeNs,
		disk: Number(s.blocks) * 512
	};
}
function lstat(path) {
	try {
		const s = fs.lstatSync(fsPath(path), {
			bigint: true,
			throwIfNoEntry: false
		});
		return s === void 0 ? null : toStat(s);
	} catch (error) {
		if (errorCode(error) === "ENOTDIR") return null;
		throw error;
	}
}
var nodePort = {
	lstat,
	fstat: (fd) => toStat(fs.fstatSync(fd, { bigint: true })),
	openDir: (path) => fs.openSync(fsPath(path), O_DIR),
	openEntry: (path) => fs.openSync(fsPath(path), O_ENTRY),
	openAppend: (path) => fs.openSync(fsPath(path), O_APPEND$1, 384),
	openRead: (path) => fs.openSync(fsPath(path), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK),
	close: (fd) => fs.closeSync(fd),
	readdir: (path) => fs.readdirSync(fsPath(path), { encoding: "latin1" }),
	readlink: (path) => fs.readlinkSync(fsPath(path), { encoding: "latin1" }),
	readText(path) {
		try {
			return fs.readFileSync(fsPath(path), "utf8");
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		}
	},
	append(fd, text) {
		let done = fs.writeSync(fd, text);
		if (done === Buffer.byteLength(text)) return;
		for (const bytes = Buffer.from(text, "utf8"); done < bytes.length;) done += fs.writeSync(fd, bytes, done);
	},
	fsync: (fd) => fs.fsyncSync(fd),
	syncFs: syncFileSystem,
	mkdir: (path, mode) => void fs.mkdirSync(fsPath(path), { mode }),
	symlink: (target, path) => fs.symlinkSync(fsPath(target), fsPath(path)),
	link: (from, to) => fs.linkSync(fsPath(from), fsPath(to)),
	rename: (from, to) => fs.renameSync(fsPath(from), fsPath(to)),
	unlink: (path) => fs.unlinkSync(fsPath(path)),
	rmdir: (path) => fs.rmdirSync(fsPath(path)),
	chmod: (path, mode) => fs.chmodSync(fsPath(path), mode),
	lchown: (path, uid, gid) => fs.lchownSync(fsPath(path), uid, gid),
	utimes(path, mtimeNs) {
		const seconds = Number(mtimeNs / 1000000n) / 1e3 + Number(mtimeNs % 1000000n) / 1e9;
		fs.utimesSync(fsPath(path), String(seconds), String(seconds));
	},
	xattrsOf,
	askXattrs,
	xattrs: readOpenXattrs,
	setXattrs: setOpenXattrs,
	writable(path) {
		try {
			fs.accessSync(fsPath(path), fs.constants.W_OK | fs.constants.X_OK);
			return true;
		} catch {
			return false;
		}
	},
	space(path) {
		const { bavail, bsize, type } = fs.statfsSync(fsPath(path));
		return {
			free: bavail * bsize,
			kind: type
		};
	},
	run: async (program, args, input, fds) => await run$1(program, args, {
		input,
		fds,
		stdout: "ignore",
		env: plainEnv()
	})
};
function syncDirs(port, dirs) {
	for (const dir of dirs) withHandle(port, port.openRead(dir), (fd) => port.fsync(fd));
}
async function syncFileSystems(port, fds) {
	const synced = /* @__PURE__ */ new Set();
	for (const fd of fds) {
		const { dev } = port.fstat(fd);
		if (!synced.has(dev)) await port.syncFs(fd);
		synced.add(dev);
	}
}
var SYNC = `
if (opendir my $h, $input) { my $fd = fileno $h;
  $out = syscall($call[0], $fd) < 0 ? $! + 0 : 0 if defined $fd; }`;
async function syncFileSystem(fd) {
	const held = `/proc/${process.pid}/fd/${fd}`;
	const answer = isPerlKept() ? await askPerl({
		text: SYNC,
		calls: ["syncfs"]
	}, held) : null;
	if (answer === null || answer === "") await syncByProgram(fd);
	else if (answer !== "0") throw notSynced(`errno ${answer}`, isFull(Number(answer)));
}
async function syncByProgram(fd) {
	const { status, stderr } = await run$1("sync", ["-f", "/proc/self/fd/3"], {
		fds: [fd],
		stdout: "ignore",
		env: plainEnv()
	});
	if (status !== 0) throw notSynced(stderr.trim() || `ended with ${status}`, /No space left/.test(stderr));
}
function isFull(errno) {
	return errno === constants$1.errno.ENOSPC || errno === constants$1.errno.EDQUOT;
}
function notSynced(why, isNoSpace) {
	return Object.assign(/* @__PURE__ */ new Error(`sync -f: ${why}`), { code: isNoSpace ? "ENOSPC" : "EIO" });
}
function orNull(call) {
	return orIfRefused(call, null);
}
function realPath(path) {
	return bytePath(realpathSync.native(fsPath(path), { encoding: "buffer" }).toString("latin1"));
}
var TraiError = class extends Error {
	code;
	hint;
	path;
	paths;
	data;
	constructor(code, message, details = {}) {
		super(message, details.cause === void 0 ? void 0 : { cause: details.cause });
		this.name = "TraiError";
		this.code = code;
		this.hint = details.hint;
		this.path = details.path;
		this.paths = details.paths;
		this.data = details.data;
	}
};
function messageOf(thrown) {
	return thrown instanceof Error ? thrown.message : String(thrown);
}
var UNITS = [
	"B",
	"kB",
	"MB",
	"GB",
	"TB"
];
function sizeText(value) {
	let size = value;
	let unit = 0;
	while (size >= 999.5 && unit < UNITS.length - 1) {
		size /= 1e3;
		unit++;
	}
	const digits = unit === 0 || size >= 99.95 ? 0 : 1;
	return `${size.toFixed(digits).replace(/\.0$/, "")} ${UNITS[unit]}`;
}
function filled(message, values) {
	return message.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
}
function countText(count, one, many = `${one}s`) {
	return `${count} ${count === 1 ? one : many}`;
}
function shownPath(path, projectRoot) {
	return toDisplay(path !== projectRoot && isWithin(path, projectRoot) && projectRoot !== "/" ? path.slice(projectRoot.length + 1) : path);
}
var MOST_NAMED = 5;
function namedPaths(paths, projectRoot, more = false) {
	const named = paths.slice(0, MOST_NAMED).map((path) => shownPath(path, projectRoot)).join(", ");
	const left = paths.length - MOST_NAMED;
	if (left <= 0) return more ? `${named} and more` : named;
	return `${named} and ${more ? "more than " : ""}${left} more`;
}
function overlapText(other, { paths, more }, projectRoot) {
	return `session ${other} has pending changes of ${paths.length === 1 && !more ? "the same path" : "the same paths"}: ${namedPaths(paths, projectRoot, more)}`;
}
function lowText({ free, warnFreeBytes }) {
	return `Only ${sizeText(free)} are free where trai keeps pending changes (config disk.warnFreeBytes: ${sizeText(warnFreeBytes)}). When the disk is full, calls and commits fail; nothing is lost. Free space with: trai gc`;
}
var lockUnusable = (path, why, cause) => new TraiError("io", `the lock file could not be opened: ${why}`, {
	path,
	cause,
	hint: "If it is no regular file, remove it: it is made anew."
});
var noFlock = (path, why) => new TraiError("unsupported", `flock could not be started: ${why}`, {
	path,
	hint: why.includes("ENOENT") ? "Install util-linux (flock). See: trai doctor" : "Is the limit of open files (ulimit -n) or of processes (ulimit -u) reached? See: trai doctor"
});
function lockHeld(path, seconds, holder) {
	return new TraiError("busy", `the lock was not free within ${seconds} seconds${holder === null ? "" : `: process ${holder.pid} (${holder.command}) has it`}`, {
		path,
		hint: "A call is just entering, or a commit is running. Try again in a moment."
	});
}
function ownProcess() {
	return {
		pid: process.pid,
		start: processStat(process.pid)?.start ?? ""
	};
}
function processStat(pid, file = "stat") {
	const text = processText(pid, file);
	if (text === null) return null;
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const [state, parent, group, sid] = fields;
	const [user, start] = [fields[11], fields[19]];
	if (state === void 0 || user === void 0 || start === void 0) return null;
	return {
		name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")),
		state,
		parent: Number(parent),
		group: Number(group),
		sid: Number(sid),
		user,
		start
	};
}
function processArguments(pid) {
	return processText(pid, "cmdline")?.replace(/\0$/, "").split("\0") ?? null;
}
function processEnvironment(pid) {
	const text = processText(pid, "environ");
	return text === null ? null : parseEnviron(text);
}
function parseEnviron(text) {
	const variables = /* @__PURE__ */ new Map();
	for (const entry of text.split("\0")) {
		const at = entry.indexOf("=");
		if (at > 0 && !variables.has(entry.slice(0, at))) variables.set(entry.slice(0, at), entry.slice(at + 1));
	}
	return variables;
}
function processProgram(pid) {
	return processLink(pid, "exe")?.replace(/ \(deleted\)$/, "") ?? null;
}
function processIds() {
	return readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).map(Number);
}
function processText(pid, name) {
	return orNull(() => textOf$2(`/proc/${pid}/${name}`));
}
var room = Buffer.allocUnsafeSlow(262144);
function textOf$2(file) {
	const fd = openSync(file, "r");
	try {
		let length = 0;
		for (;;) {
			if (length === room.length) room = Buffer.concat([room], 2 * length);
			const read = readSync(fd, room, length, room.length - length, null);
			if (read === 0) return room.toString("latin1", 0, length);
			length += read;
		}
	} finally {
		closeSync(fd);
	}
}
function processLink(pid, name) {
	return orNull(() => readlinkSync(`/proc/${pid}/${name}`, "latin1"));
}
function namesIn$4(dir) {
	return orNull(() => readdirSync(dir)) ?? [];
}
var TICKS_PER_SECOND = 100;
var MOST_CHARACTERS = 200;
var ENV_LINE_END = /; fi(?:; :)? '?# trai:/;
function commandLine(argv, name) {
	const words = (argv[1] === "-c" && ENV_LINE_END.test(argv[2] ?? "") ? `${argv[0]} -c (the call itself)` : argv.join(" ")).trim();
	const text = toDisplay(words === "" ? `[${name}]` : words).replaceAll("\\\\", "\\");
	return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, 199)}…`;
}
function ageSeconds(start) {
	return Math.max(0, Math.round(uptime$1() - Number(start) / TICKS_PER_SECOND));
}
function uptime$1() {
	return Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
}
var known$1 = null;
function isRealRoot() {
	known$1 ??= process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync("/proc/self/uid_map", "latin1"));
	return known$1;
}
function callerFrom(lineage, clients) {
	const { chain, isHere } = lineage;
	const [own] = chain;
	if (own === void 0) return {
		kind: "unknown",
		found: "a process that has ended"
	};
	const found = described(own);
	if (!isHere) return {
		kind: "elsewhere",
		found: `${found}, in a sandbox or another namespace`
	};
	if (chain.find((one) => one.isCall) !== void 0) return {
		kind: "call",
		found: `${found}, started by a call of a session`
	};
	const client = orphanSince(lineage, clients);
	if (client !== null) return {
		kind: "unknown",
		found: `${found}, whose parents are gone and which is younger than the Claude client ${client.pid} beside it`
	};
	return chain.some((one, at) => one.isMarked || at > 0 && (one.isClient || one.isRegistered)) ? {
		kind: "client",
		found: `${found}, started by Claude Code`
	} : {
		kind: "user",
		found
	};
}
function isOfTheUser({ kind }) {
	return kind === "user" || kind === "client";
}
function orphanSince({ chain, adopter }, clients) {
	const top = chain.at(-1);
	if (adopter === null || top === void 0 || top.sid === adopter.sid) return null;
	if (chain.some((one) => one.isRegistered)) return null;
	return clients.find((client) => client.began < top.began && client.cgroup === top.cgroup) ?? null;
}
function described({ pid, name }) {
	return `process ${pid} (${name})`;
}
var CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;
var RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;
function isClaudeClient({ program, argv }) {
	if (program !== null && CLIENT.test(program)) return true;
	const [name = ""] = argv;
	if (CLIENT.test(name)) return true;
	if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
	const script = argv.slice(1).find((argument) => !argument.startsWith("-"));
	return script !== void 0 && CLIENT.test(script);
}
var MOST_ANCESTORS = 256;
var MOST_TRIES = 3;
function callerOf(pid, stateDir) {
	const clients = registeredClients(stateDir);
	return callerFrom(lineageOf(pid, clients), clients);
}
function lineageOf(pid, clients) {
	const chain = [];
	const stat = processStat(pid);
	let next = stat === null ? null : {
		pid,
		stat
	};
	while (next !== null && chain.length < MOST_ANCESTORS && !(chain.length > 0 && isAdopter(next))) {
		chain.push(signsOf(next, clients));
		next = parentOf(next);
	}
	return {
		chain,
		adopter: next !== null && isAdopter(next) ? { sid: next.stat.sid } : null,
		isHere: isHere(pid, clients)
	};
}
function registeredClients(stateDir) {
	const found = [];
	for (const record of namesIn$4(`${stateDir}/claude-pid`)) {
		const [, pid = "", start = ""] = /^(\d{1,10})\.(\d{1,20})$/.exec(record) ?? [];
		if (pid !== "" && processStat(Number(pid))?.start === start) found.push({
			pid: Number(pid),
			began: Number(start),
			cgroup: processText(Number(pid), "cgroup")
		});
	}
	return found;
}
function namespaceOf(pid) {
	return processLink(pid, `ns/${process.getuid?.() === 0 ? "mnt" : "user"}`);
}
function isHere(pid, clients) {
	const namespace = namespaceOf(pid);
	if (namespace === null) return false;
	return namespace === namespaceOf("self") || clients.some((client) => namespace === namespaceOf(client.pid));
}
function parentOf({ pid, stat }) {
	let child = stat;
	for (let tries = 0; child !== null && tries < MOST_TRIES; tries++) {
		const above = processStat(child.parent);
		if (above !== null && Number(above.start) <= Number(child.start)) return {
			pid: child.parent,
			stat: above
		};
		const before = child.parent;
		child = processStat(pid);
		if (child?.parent === before) return null;
	}
	return null;
}
function isAdopter({ pid, stat }) {
	return pid === 1 || stat.name === "systemd" && stat.parent === 1;
}
function signsOf({ pid, stat }, clients) {
	const argv = processArguments(pid) ?? [];
	const variables = processEnvironment(pid) ?? /* @__PURE__ */ new Map();
	const began = Number(stat.start);
	return {
		pid,
		parent: stat.parent,
		sid: stat.sid,
		began,
		name: toDisplay(stat.name),
		cgroup: processText(pid, "cgroup"),
		isClient: isClaudeClient({
			program: processProgram(pid),
			argv
		}),
		isRegistered: clients.some((client) => client.pid === pid && client.began === began),
		isMarked: variables.get("CLAUDECODE") === "1" || (variables.get("CLAUDE_PID") ?? "") !== "",
		isCall: variables.has("TRAI_CALL") || isLauncher(argv)
	};
}
function isLauncher(argv) {
	return argv.slice(1, 3).some((word) => {
		const state = /^(\/.*)\/bin\/[^/]+\/launch$/.exec(word)?.[1];
		return state !== void 0 && existsSync(Buffer.from(`${state}/sessions`, "latin1"));
	});
}
var BIND_FLAGS = /* @__PURE__ */ new Set([
	"nosuid",
	"nodev",
	"noexec",
	"noatime",
	"nodiratime",
	"relatime"
]);
function escapeMount(path) {
	return path.replace(/[ \t\n\\]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
function unescapeMount(text) {
	return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}
function parseMountinfo(text) {
	const mounts = [];
	const lines = [];
	for (const line of text.split("\n")) {
		const end = line.indexOf(" - ");
		const [id = "", parent = "", device = "", root = "", at, flags = ""] = line.slice(0, end).split(" ");
		const [type, source = "", options = ""] = line.slice(end + 3).split(" ");
		if (end < 0 || at === void 0 || type === void 0) continue;
		const point = unescapeMount(at);
		lines.push({
			id,
			parent,
			point
		});
		mounts.push({
			point,
			root: unescapeMount(root),
			type,
			device,
			source: unescapeMount(source),
			options,
			readOnly: flags.split(",").includes("ro"),
			flags: flags.split(",").filter((flag) => BIND_FLAGS.has(flag))
		});
	}
	const hidden = hiddenLines(lines);
	return mounts.map((mount, i) => hidden[i] === true ? {
		...mount,
		hidden: true
	} : mount);
}
function ownMounts() {
	return parseMountinfo(readFileSync("/proc/self/mountinfo", "latin1"));
}
function hiddenLines(lines) {
	const byId = new Map(lines.map((line, i) => [line.id, i]));
	const onParent = /* @__PURE__ */ new Map();
	for (const line of lines) onParent.set(line.parent, [...onParent.get(line.parent) ?? [], line]);
	const known = [];
	const isHidden = (i) => {
		const line = lines[i];
		if (line === void 0) return false;
		const answer = known[i];
		if (answer !== void 0) return answer;
		known[i] = false;
		const covers = (other) => other.point !== line.point && isWithin(line.point, other.point);
		const parent = byId.get(line.parent);
		known[i] = (onParent.get(line.parent) ?? []).some(covers) || parent !== void 0 && isHidden(parent);
		return known[i] === true;
	};
	return lines.map((_, i) => isHidden(i));
}
function visibleMounts(mounts) {
	const seen = /* @__PURE__ */ new Map();
	for (const mount of mounts) if (mount.hidden !== true) seen.set(mount.point, mount);
	return seen;
}
function holderOf(path, mounts) {
	return innermost$1(path, mounts.values(), (mount) => mount.point);
}
function otherNames(path, mounts) {
	const holder = holderOf(path, mounts);
	if (holder === void 0) return [];
	const inside = under(holder.root, below$2(path, holder.point));
	return [...mounts.values()].flatMap((mount) => mount !== holder && mount.device === holder.device && isWithin(inside, mount.root) ? [under(mount.point, below$2(inside, mount.root))] : []);
}
function below$2(path, dir) {
	return dir === "/" ? path === "/" ? "" : path : path.slice(dir.length);
}
function under(dir, rest) {
	return dir === "/" && rest !== "" ? rest : `${dir}${rest}`;
}
var ROOT_OPTIONS = "index=off,metacopy=off,redirect_dir=off,xino=off,nfs_export=off";
var KERNEL_TYPES = new Set("proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs".split(" "));
var REMOTE_TYPES = new Set("fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2".split(" "));
function isRemote(type) {
	return REMOTE_TYPES.has(type) || type.startsWith("fuse.");
}
function isNetwork(type) {
	return type === "nfs" || type === "nfs4" || type === "ceph";
}
function isLocal(path, mounts) {
	const type = holderOf(path, mounts)?.type;
	return type !== void 0 && !isRemote(type) && !isNetwork(type) && type !== "autofs";
}
var LOWER_TYPES = new Set("ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ecryptfs nfs nfs4 ceph virtiofs".split(" "));
var ANSWER_MS = 2e3;
var REMEMBER_MS = 6e4;
var silentUntil = /* @__PURE__ */ new Map();
function knownSilent() {
	const now = Date.now();
	return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}
async function silentMounts(mounts) {
	const points = [...visibleMounts(mounts)].filter(([, { type }]) => isNetwork(type)).map(([point]) => point);
	await Promise.all(points.map(async (point) => {
		const name = toText(point);
		const { timedOut } = await run$1(programPath("stat"), ["--", name], { timeout: ANSWER_MS });
		if (timedOut) silentUntil.set(point, Date.now() + REMEMBER_MS);
		else silentUntil.delete(point);
	}));
	return knownSilent();
}
var quoted = (text) => JSON.stringify(text);
var relativeStateHome = (value) => new TraiError("bad-input", `expected TRAI_STATE_HOME to be an absolute path, found ${quoted(value)}`);
var invalidSessionId = (id) => new TraiError("bad-input", `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${quoted(id)}`);
var noSuchSession = (path, cause) => new TraiError("no-session", "there is no such session", {
	path,
	cause
});
var dirIsLink = (path) => notYourDir(path, "a symbolic link", "Set TRAI_STATE_HOME to the directory itself.");
var dirIsOther = (path) => notYourDir(path, "something else", "Move it away.");
var dirOfOther = (path, uid) => notYourDir(path, `one that belongs to uid ${uid}`, "Do not share it between users.");
var dirOthersWrite = (path) => notYourDir(path, "one that others can write to", "chmod 700 it, if its content is yours.");
var notYourDir = (path, found, hint) => new TraiError("forbidden", `expected a directory of your own, found ${found}`, {
	path,
	hint
});
var foreignServerFile = (path, cause) => new TraiError("forbidden", "expected a file of your own with mode 0600 and no other name, found something else", {
	path,
	cause,
	hint: "Look who made it, and remove it."
});
var stateHidden = () => new TraiError("inside-sandbox", "this runs inside a sandboxed call, where trai’s own state is hidden", { hint: "Ask the user: they can type the /trai: command, or run trai in a terminal of their own." });
var metaUnusable = (path, why) => new TraiError("corrupt", `the session’s meta.json cannot be used: ${why}`, {
	path,
	hint: "Nothing was changed. Put the file right, or move the session directory away."
});
var META_IS_MISSING = "it is missing";
var META_IS_NO_FILE = "it is not a regular file";
var META_IS_NO_JSON = "not JSON";
var metaOfOther = (id) => `it is that of session ${id}`;
var metaField = (field) => `missing or wrong: ${field}`;
var attachmentDamaged = (path, found) => new TraiError("corrupt", `expected the id of a session, found ${quoted(found.slice(0, 80))}`, { path });
var logIsNoFile = (path, cause) => new TraiError("corrupt", `expected the log to be a regular file: ${path}. Move it away (mv ${path} ${path}.other): a new log is begun.`, {
	path,
	cause
});
var NOT_LOGGED = "Free some space: what could not be logged is not run.";
var logLineCut = (path, written, length) => new TraiError("no-space", `wrote ${written} of ${length} bytes of a log line`, {
	path,
	hint: NOT_LOGGED
});
function logNotWritten(path, cause) {
	const code = errorCode(cause);
	const message = `the log could not be written: ${messageOf(cause)}`;
	if (code === "ENOENT") return new TraiError("no-session", message, {
		path,
		cause
	});
	if (isNoSpace(cause) || code === "EFBIG") return new TraiError("no-space", message, {
		path,
		cause,
		hint: NOT_LOGGED
	});
	return new TraiError("io", message, {
		path,
		cause
	});
}
var failed = (what, path, cause, hint) => new TraiError("io", `${what}: ${messageOf(cause)}`, {
	path,
	cause,
	hint
});
var ELSEWHERE$1 = "Set TRAI_STATE_HOME to a directory on a local disk that you can write to.";
var stateDirNotMade = (path, cause) => failed("the state directory could not be made", path, cause, ELSEWHERE$1);
var sessionsUnreadable = (path, cause) => failed("the sessions could not be listed", path, cause, `${ELSEWHERE$1} More: trai doctor`);
var sessionNotMade = (path, cause) => failed("the session could not be made", path, cause);
var logUnreadable = (path, cause) => failed("the log could not be read", path, cause);
var metaUnreadable = (path, cause) => failed("meta.json could not be read", path, cause);
var metaNotWritten = (path, cause) => failed("meta.json could not be written", path, cause);
var attachmentUnreadable = (path, cause) => failed("an attachment could not be read", path, cause);
var attachmentNotWritten = (path, cause) => failed("an attachment could not be written", path, cause);
var permitsUnreadable = (path, cause) => failed("the permits could not be read", path, cause);
var permitNotWritten = (path, cause) => failed("the permit could not be written", path, cause);
var permitNotUsedUp = (path, cause) => failed("a permit could not be used up", path, cause);
var configUnusable = (why) => `${why}. The defaults are used.`;
var CONFIG_IS_NO_FILE = "expected a regular file";
var configUnreadable = (code) => `can't be read (${code})`;
var configTooLarge = (most, bytes) => `expected at most ${most} bytes, found ${bytes}`;
var configIsNoJson = (error) => `expected JSON: ${messageOf(error)}`;
function stateDir(env) {
	const own = env["TRAI_STATE_HOME"] ?? "";
	if (own !== "" && !isAbsolute(own)) throw relativeStateHome(own);
	const state = absolute(env, "XDG_STATE_HOME") ?? join(homeDir(env), ".local/state");
	return unlinkedAbove(resolve(own === "" ? join(state, "trai") : own));
}
function unlinkedAbove(path) {
	const above = dirname(path);
	if (above === path) return path;
	return join(orNull(() => realpathSync.native(above)) ?? unlinkedAbove(above), basename(path));
}
function runtimeDir(env) {
	const xdg = absolute(env, "XDG_RUNTIME_DIR");
	return xdg === null ? null : resolve(xdg, "trai");
}
function ownDirectories$1(state, env) {
	return [
		state,
		configDir(env),
		...[runtimeDir(env)].filter((dir) => dir !== null)
	];
}
function configDir(env) {
	return resolve(absolute(env, "XDG_CONFIG_HOME") ?? join(homeDir(env), ".config"), "trai");
}
function homeDir(env) {
	return absolute(env, "HOME") ?? orNull(() => userInfo().homedir) ?? "/";
}
function absolute(env, name) {
	const value = env[name] ?? "";
	return isAbsolute(value) ? value : null;
}
function sessionDir(state, id) {
	if (isSessionId(id)) return join(state, "sessions", id);
	throw invalidSessionId(id);
}
function isInsideSandbox(state, mountinfo) {
	const text = mountinfo ?? readFileSync("/proc/self/mountinfo", "latin1");
	if (!/ trai:[0-9a-f]+:/.test(text)) return false;
	const point = realBytes(state);
	const mounts = parseMountinfo(text);
	return mounts.some((mount) => mount.point === point) && mounts.some((mount) => /^trai:[0-9a-f]+:/.test(mount.source));
}
function realBytes(path) {
	return (orNull(() => realpathSync.native(path, { encoding: "buffer" })) ?? Buffer.from(resolve(path))).toString("latin1");
}
function ensureStateDir(state) {
	if (isInsideSandbox(state)) throw stateHidden();
	try {
		mkdirSync(state, {
			recursive: true,
			mode: 448
		});
		checkOwnDir(state);
		for (const name of [
			"sessions",
			"claude",
			"trash"
		]) {
			mkdirSync(join(state, name), {
				recursive: true,
				mode: 448
			});
			checkOwnDir(join(state, name));
		}
		if (!existsSync(join(state, ".gitignore"))) writeFileSync(join(state, ".gitignore"), "*\n", { mode: 384 });
	} catch (error) {
		if (error instanceof TraiError) throw error;
		throw stateDirNotMade(state, error);
	}
}
var OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;
function checkOwnDir(path) {
	const found = lstatSync(path);
	if (found.isSymbolicLink()) throw dirIsLink(path);
	if (!found.isDirectory()) throw dirIsOther(path);
	if (found.uid !== process.getuid?.()) throw dirOfOther(path, found.uid);
	if ((found.mode & OTHERS_WRITE) !== 0) throw dirOthersWrite(path);
	if ((statSync(path).mode & 63) !== 0) chmodSync(path, 448);
}
function isSessionId(text) {
	return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}
function sessionIdOfClaude(claudeId) {
	if (isSessionId(claudeId)) return claudeId;
	return `${claudeId.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 40) || "claude"}.${hash("sha256", Buffer.from(claudeId, "utf16le")).slice(0, 16)}`;
}
var MARKER = /# trai:[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?=\s)/;
var EVAL = " && eval ";
var TAIL = /^(?: < \/dev\/null)? && pwd -P >\| \S+$/;
var BARE = /^[A-Za-z0-9_./:=@+,-]+/;
var CARRIED = /&& 'eval' "[^"`'$();|&<>]*\$\{?__CLAUDE_CC_COMMAND_TEXT\}?"/;
function commandOf$2(shellString, carried) {
	const first = MARKER.exec(shellString);
	if (first === null) return null;
	const behind = shellString.slice(first.index + first[0].length);
	const at = behind.indexOf(EVAL);
	if (at >= 0) {
		const word = readWord(behind, at + 9);
		return word !== null && TAIL.test(behind.slice(word.end)) ? word.text : null;
	}
	const match = carried === "" ? null : CARRIED.exec(behind);
	return match !== null && TAIL.test(behind.slice(match.index + match[0].length)) ? carried : null;
}
function readWord(text, start) {
	let out = "";
	let at = start;
	for (;;) {
		const rest = text[at];
		if (rest === "'") {
			const close = text.indexOf("'", at + 1);
			if (close < 0) return null;
			out += text.slice(at + 1, close);
			at = close + 1;
		} else if (text.startsWith(`"'"`, at)) {
			out += "'";
			at += 3;
		} else if (rest === void 0 || rest === " ") return at === start ? null : {
			text: out,
			end: at
		};
		else {
			const bare = BARE.exec(text.slice(at, at + 4096))?.[0];
			if (bare === void 0) return null;
			out += bare;
			at += bare.length;
		}
	}
}
var WATCHED_SLEEP = /\{ CLAUDE_CODE_WATCHED_SLEEP=1 (sleep [^|]*?) \|\| \( case \$\? in 141\) ;; \*\) \\?builtin exit "\$\?";; esac \); \}/g;
function normalise(command) {
	return command.replace(WATCHED_SLEEP, "$1").replace(/(\d?>{1,2}) ?nul(?=$|[\s;&|)])/gi, "$1/dev/null").replace(/(\d?>{1,2}) \/dev\/null/g, "$1/dev/null").trim();
}
function matchRequest(open, command, cwd) {
	const wanted = normalise(command);
	const fits = {
		exact: open.filter((one) => one.command === command),
		normalised: open.filter((one) => normalise(one.command) === wanted)
	};
	for (const matched of ["exact", "normalised"]) {
		const request = fits[matched].find((one) => one.cwd === cwd) ?? fits[matched][0];
		if (request !== void 0) return {
			request,
			matched
		};
	}
	const [only, ...more] = open;
	return only !== void 0 && more.length === 0 ? {
		request: only,
		matched: "only-open"
	} : {
		request: null,
		matched: "none"
	};
}
function wordSet(text) {
	return new Set(text.split(/\s+/));
}
function programOf(command) {
	const value = command.words[0]?.value;
	if (value === void 0 || value === null || value === "") return null;
	if (!value.includes("/")) return value;
	return /^\/(?:usr\/(?:local\/)?)?bin\/([^/]+)$/.exec(value)?.[1] ?? null;
}
function isFixed(word) {
	if (word.value !== null) return true;
	const start = word.pieces.find((piece) => piece.kind !== "text" || piece.text !== "");
	if (start?.kind === "pattern" && start.text === "~") return staysOneWord(word);
	if (start?.kind !== "text" || start.text.startsWith("-")) return false;
	return staysOneWord(word);
}
function staysOneWord(word) {
	return word.pieces.every((piece) => piece.kind === "pattern" ? piece.text === "~" : isOneVariable(piece));
}
function isOneVariable(piece) {
	if (piece.kind === "text") return true;
	if (piece.kind === "script") return piece.quoted;
	if (piece.kind !== "variable") return false;
	return /^[?#]$/.test(piece.name) || piece.quoted && !/^[@*]$/.test(piece.name);
}
function avoids(word, rules) {
	if (word.value === null) return isFixed(word);
	const long = /^--([^=]+)/.exec(word.value)?.[1];
	if (long !== void 0) return !(rules.long ?? []).some((name) => name.startsWith(long));
	if (!/^-[^-]/.test(word.value)) return true;
	return ![...rules.short ?? ""].some((letter) => word.value?.slice(1).includes(letter));
}
var HARMLESS = /^(TZ|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|CI|TERM|GH_REPO|GH_PROMPT_DISABLED|DOCKER_BUILDKIT|BUILDKIT_PROGRESS|COMPOSE_PROJECT_NAME|BRANCH|MSG|MESSAGE|VERSION|TAG|NAME|FILE|FILES|DIR|COMMIT|SHA|REF|REMOTE|BASE|TITLE|BODY|PR|NUM|COUNT|[A-Z])$/;
var HARMLESS_VALUES = [[/^(COLUMNS|LINES)$/, /^\d{1,5}$/], [/^(LANG|LANGUAGE|LC_[A-Z]+)$/, /^[\w.@:-]*$/]];
var GIT_DATA = /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|ADVICE|DIR|WORK_TREE|CEILING_DIRECTORIES|LITERAL_PATHSPECS|REFLOG_ACTION)|HUSKY|LEFTHOOK|SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|FILTER_BRANCH_SQUELCH_WARNING)$/;
var GIT_TAMED = [
	[/^(GIT_EDITOR|GIT_SEQUENCE_EDITOR|EDITOR|VISUAL)$/, /^(true|:)$/],
	[/^(GIT_PAGER|PAGER)$/, /^(cat|)$/],
	[/^(GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/, /^\/dev\/null$/]
];
function isGitHarmlessAssignment({ name, plain, value }) {
	if (!plain) return false;
	if (GIT_DATA.test(name)) return true;
	const text = value === null ? "" : value.value;
	return text !== null && GIT_TAMED.some(([names, values]) => names.test(name) && values.test(text));
}
var SHELL_SPECIAL = /^(f|cd|man|mail|module_|info)?path$|^(dis_)?(aliases|galiases|saliases|functions|functions_source|builtins|reswords|patchars)$|^(options|commands|parameters|modules|dirstack|history|historywords|jobdirs|jobtexts|jobstates|nameddirs|userdirs|usergroups|mapfile|psvar|fignore|watch|argv|status|pipestatus|signals|prompt|histchars|keymaps|widgets|termcap|terminfo|langinfo|errnos|sysparams|epochtime|(zsh|zle|zcurses|zgdbm|zftp)_.*|func.*trace|funcstack|auto_resume)$/;
var OBEYED = /_proxy$|^(p?npm|yarn|msbuild)_|^(msbuild|custom(before|after)|directorybuild)/;
function isHarmlessAssignment({ name, plain, value }) {
	return plain && isHarmlessVariable(name, value === null ? null : value.value);
}
function isHarmlessVariable(name, value) {
	if (/^[a-z][a-z0-9_]*$/.test(name)) return !SHELL_SPECIAL.test(name) && !OBEYED.test(name);
	if (HARMLESS.test(name)) return true;
	return value !== null && HARMLESS_VALUES.some(([names, values]) => names.test(name) && values.test(value));
}
function isHarmlessSet({ source, value }) {
	const text = value ?? source;
	const name = text.slice(0, text.indexOf("="));
	return isHarmlessVariable(name, value === null ? null : value.slice(name.length + 1));
}
var READ = {
	plain: true,
	writes: false,
	because: ""
};
var WRITE$1 = {
	plain: true,
	writes: true,
	because: ""
};
function cited(source) {
	const text = toDisplay(fromText(source));
	return `\`${text.length <= MOST$1 ? text : `${text.slice(0, MOST$1 - 1)}…`}\``;
}
var MOST$1 = 60;
function unplain(because, writes = true) {
	return {
		plain: false,
		writes,
		because
	};
}
var KINDS$1 = {
	"=": "value",
	"?": "joined",
	"~": "unsure",
	"+": "next"
};
var TAKES_NONE = /* @__PURE__ */ new Set(["flag", "joined"]);
var compiled = /* @__PURE__ */ new Map();
function grammarOf(line) {
	const known = compiled.get(line);
	if (known !== void 0) return known;
	const grammar = /* @__PURE__ */ new Map();
	for (const token of line.split(/\s+/)) {
		const kind = KINDS$1[token.slice(-1)] ?? "flag";
		const name = kind === "flag" ? token : token.slice(0, -1);
		if (name.startsWith("--")) grammar.set(name, kind);
		else for (const letter of name.slice(1).replace("#", "0123456789")) grammar.set(`-${letter}`, kind);
	}
	compiled.set(line, grammar);
	return grammar;
}
function readOptions(args, line, leniency = {}) {
	const grammar = grammarOf(line);
	const operands = [];
	const named = /* @__PURE__ */ new Map();
	const done = (bad) => {
		const countless = operands.some((word) => !staysOneWord(word));
		return {
			bad,
			operands,
			named,
			countless
		};
	};
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === void 0) break;
		if (word.value === "--" && grammar.has("--")) {
			operands.push(...args.slice(i + 1));
			return done(null);
		}
		const start = literalStart(word);
		const found = start.startsWith("-") && word.value !== "-" ? optionOf(word, start, grammar) : null;
		if (found !== null) {
			const value = found.next === null ? void 0 : args[++i];
			for (const name of found.names) named.set(name, value ?? null);
			if (value !== void 0 && !isValue(value, found.next, leniency)) return done(value);
		} else if (isOperand(word, start) || word.value === null && leniency.unknown?.(word) === true) {
			if (leniency.stop === true) {
				operands.push(...args.slice(i));
				return done(null);
			}
			operands.push(word);
		} else return done(word);
	}
	return done(null);
}
function verbIndex(args, line) {
	const at = args.findIndex((_, i) => {
		const { bad, operands } = readOptions(args.slice(0, i + 1), line);
		return bad !== null || operands.length > 0;
	});
	return at < 0 ? args.length : at;
}
function optionOf(word, start, grammar) {
	const whole = word.value !== null;
	if (start.startsWith("--")) {
		const name = /^[^=]+/.exec(start)?.[0] ?? "";
		const kind = grammar.get(name);
		const hasValue = name !== start;
		if (kind === void 0 || name === "--" || (hasValue ? kind === "flag" || !keepsStart(word) : !whole)) return null;
		return {
			names: [name],
			next: hasValue || TAKES_NONE.has(kind) ? null : kind
		};
	}
	const names = [];
	for (const [i, letter] of [...start].entries()) {
		if (i === 0) continue;
		const kind = grammar.get(`-${letter}`);
		if (kind === void 0) return null;
		names.push(`-${letter}`);
		if (kind === "flag") continue;
		const next = !TAKES_NONE.has(kind) && whole && i === start.length - 1 ? kind : null;
		return keepsStart(word) && (next !== null || kind !== "next") ? {
			names,
			next
		} : null;
	}
	return whole ? {
		names,
		next: null
	} : null;
}
function literalStart(word) {
	if (word.value !== null) return word.value;
	let start = "";
	for (const piece of word.pieces) {
		if (piece.kind === "pattern" && piece.text === "~" && start === "") return "~";
		if (piece.kind !== "text") break;
		start += piece.text;
	}
	return start;
}
function keepsStart(word) {
	return word.pieces.every((piece) => piece.kind === "pattern" || isOneVariable(piece));
}
function isOperand(word, start) {
	if (word.value !== null) return !word.value.startsWith("-") || word.value === "-";
	return start !== "" && !start.startsWith("-") && keepsStart(word);
}
function isValue(word, kind, { anyValue }) {
	if (!staysOneWord(word)) return false;
	if (kind === "unsure") return isOperand(word, literalStart(word));
	return anyValue === true || word.value === null || !/^-[^\d]/.test(word.value) || word.value === "-";
}
var GREP = `-#EFGPiywxzsvVbnHhoqaIrRLlcTZU -e= -f= -m= -d= -D= -A= -B= -C= --extended-regexp --fixed-strings --basic-regexp
    --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages
    --invert-match --version --help --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label=
    --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include=
    --exclude= --exclude-from= --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null
    --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour? --binary --`;
var SUMS = "-bctzw --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --help --version --";
var READER_OPTIONS = {
	"ls": `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -T= -w= --all --almost-all --author --block-size= --color? --classify?
    --context --dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired --escape
    --file-type --format= --full-time --group-directories-first --help --hide= --hide-control-chars --human-readable --hyperlink?
    --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name
    --quoting-style= --recursive --reverse --show-control-chars --si --size --sort= --tabsize= --time= --time-style= --version
    --width= --zero --`,
	"cat": `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help
    --version --`,
	"head": "-#qvz -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated --help --version --",
	"tail": `-#fFqvz -c= -n= -s= --bytes= --follow? --lines= --max-unchanged-stats= --pid= --quiet --silent --retry
    --sleep-interval= --verbose --zero-terminated --help --version --`,
	"wc": "-cmlLw --bytes --chars --lines --max-line-length --words --files0-from= --total= --help --version --",
	"grep": GREP,
	"egrep": GREP,
	"fgrep": GREP,
	"rg": `-.0bcFhHiIlLnNopPqsSuUvVwx -A= -B= -C= -d= -E= -e= -f= -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context=
    --context= --auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --color=
    --colors= --column --no-column --context-separator= --no-context-separator --count --count-matches --crlf --no-crlf --debug
    --dfa-size-limit= --encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --file= --files
    --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob= --glob-case-insensitive
    --heading --no-heading --help --hidden --no-hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive
    --ignore-dot --ignore-exclude --ignore-files --ignore-global --ignore-parent --ignore-vcs --include-zero --invert-match --json
    --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count=
    --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename
    --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
    --no-ignore-vcs --no-messages --messages --no-pcre2-unicode --no-require-git --require-git --no-unicode --unicode --null
    --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --no-pcre2 --pcre2-version --pretty --quiet
    --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr= --stats --no-stats --text --no-text --threads= --trace
    --trim --no-trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --version --vimgrep --with-filename
    --word-regexp --`,
	"which": "-acfmpsSvw --",
	"type": "-acfmpPsStvw --",
	"pwd": "-LP --logical --physical",
	"true": "--help --version",
	"false": "--help --version",
	":": "",
	"basename": "-az -s= --multiple --suffix= --zero --help --version --",
	"dirname": "-z --zero --help --version --",
	"realpath": `-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base=
    --strip --no-symlinks --zero --help --version --`,
	"readlink": `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero
    --help --version --`,
	"stat": "-Lft -c= --dereference --file-system --cached= --format= --printf= --terse --help --version --",
	"file": `-vbchiklLnNrs0 -m= -e= -f= -F= --brief --checking-printout --exclude= --exclude-quiet= --files-from= --separator= --mime
    --mime-encoding --mime-type --apple --extension --keep-going --list --dereference --no-dereference --no-buffer --no-pad --print0
    --raw --special-files --magic-file= --help --version --`,
	"du": `-0abcDHhklLmPSsx -B= -d= -t= -X= --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth=
    --files0-from= --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize
    --threshold= --time? --time-style= --exclude-from= --exclude= --one-file-system --help --version --`,
	"df": `-ahHiklPTv -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --total
    --type= --print-type --exclude-type= --help --version --`,
	"tree": `-adfilxpsughDFqNQrtcUvnACSXJ -L+ -P+ -I+ --noreport --inodes --device --dirsfirst --filesfirst --filelimit? --sort?
    --du --si --prune --gitignore --matchdirs --metafirst --ignore-case --charset? --timefmt? --help --version --info --fromfile`,
	"id": "-aZgGnruz --context --group --groups --name --real --user --zero --help --version",
	"whoami": "--help --version",
	"uname": `-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform
    --operating-system --help --version`,
	"nproc": "--all --ignore= --help --version",
	"printenv": "-0 --null --help --version",
	"ps": `-#AadeNfFHjlMPyLmTcwVxhZ -C= -G= -g= -p= -q= -s= -t= -u= -U= -O= -o= --deselect --Group= --group= --pid= --ppid=
    --quick-pid= --sid= --tty= --user= --User= --forest --format= --context --headers --no-headers --no-heading --cols= --columns= --width=
    --rows= --lines= --cumulative --sort= --help --version`,
	"uptime": "-psV --pretty --since --help --version",
	"sort": `-bdfgiMhnRrVcCmsuz -k= -S= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
    --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --sort=
    --version-sort --batch-size= --check? --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique
    --zero-terminated --files0-from= --help --version --`,
	"uniq": `-cdDiuz -f= -s= -w= --count --repeated --all-repeated? --group? --skip-fields= --ignore-case --skip-chars= --unique
    --zero-terminated --check-chars= --help --version`,
	"cut": `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
    --zero-terminated --help --version --`,
	"tr": "-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version --",
	"nl": `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering=
    --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=
    --help --version --`,
	"column": `-tEdeLJxhV -n= -O= -N= -l= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --table-name= --table-order=
    --table-columns= --table-columns-limit= --table-noextreme= --table-noheadings --table-header-repeat --table-hide= --table-right=
    --table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= --output-separator=
    --separator= --fillrows --help --version --`,
	"jq": `-crjasSCMneRh0 -f= -L= --compact-output --raw-output --join-output --raw-output0 --ascii-output --slurp --sort-keys
    --color-output --monochrome-output --null-input --exit-status --raw-input --tab --indent= --unbuffered --stream --stream-errors
    --seq --from-file= --arg --argjson --slurpfile --rawfile --args --jsonargs --help --version --`,
	"tac": "-br -s= --before --regex --separator= --help --version --",
	"rev": "-hV0 --zero --help --version --",
	"diff": `-#qsceunyptTrNiEZbwBadPv -C= -U= -W= -F= -x= -X= -S= -I= -D= -L= --normal --brief --report-identical-files --context?
    --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line=
    --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file
    --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file=
    --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --old-group-format= --new-group-format=
    --unchanged-group-format= --changed-group-format= --line-format= --old-line-format= --new-line-format= --unchanged-line-format=
    --minimal --horizon-lines= --speed-large-files --color? --palette= --help --version --`,
	"cmp": "-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version --",
	"comm": `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated --help --version --`,
	"od": `-abcdfiloshHxXvBDeFILO -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
    --output-duplicates --width? --traditional --help --version --`,
	"seq": "-#w -f= -s= --format= --separator= --equal-width --help --version --",
	"sleep": "--help --version",
	"md5sum": SUMS,
	"sha1sum": SUMS,
	"sha256sum": SUMS
};
var HARMLESS_READERS = wordSet(`ls cat head tail wc grep egrep fgrep which type pwd true false : basename dirname realpath readlink stat du df id whoami uname
   nproc printenv ps uptime cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep`);
var MAX_OPERANDS = { uniq: 1 };
var FIND_TESTS = [wordSet(`-H -L -P -O0 -O1 -O2 -O3 -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn
     -noleaf -empty -executable -readable -writable -false -true -nouser -nogroup -print -print0 -ls -prune -quit -not -a -and -o -or
     -help --help -version --version`), wordSet(`-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
     -iwholename -links -lname -mmin -mtime -name -newer -path -perm -printf -regex -samefile -size -type -uid -used -user -wholename
     -xtype`)];
var GH_READS = `-#cvx -L~ -s~ -l~ -a~ -A~ -B~ -b~ -e~ -H~ -S~ -R~ -q~ -t~ -i~ -j~ -u~ --limit~ --state~ --label~ --assignee~
  --author~ --base~ --head~ --search~ --repo~ --jq~ --json~ --template~ --comments --name-only --patch --color~ --watch --interval~
  --required --fail-fast --log --log-failed --verbose --exit-status --job~ --attempt~ --branch~ --workflow~ --event~ --user~ --status~
  --commit~ --created~ --milestone~ --mention~ --app~ --draft --archived --no-archived --fork --source --language~ --topic~ --visibility~
  --order~ --sort~ --match~ --owner~ --org~ --env~ --key~ --ref~ --closed --active --hostname~ --yaml --files --filename~ --raw
  --exclude-drafts --exclude-pre-releases --compact --all --help`;
var GH_API_READS = `-i -q= -t= -p= -H= -X= --include --jq= --template= --preview= --header= --hostname= --method= --paginate
  --slurp --silent --verbose --help`;
var GH_API_FIELDS = "-f= -F= --field= --raw-field=";
var CONTAINER_READS = `-afqslt -n~ --all --quiet --size --latest --last~ --no-trunc --filter~ --format~ --digests --tree
  --follow --timestamps --tail~ --since~ --until~ --details --type~ --no-stream --limit~ --human --services --status~ --orphans --volumes
  --images --profiles --hash~ --environment --no-interpolate --no-normalize --no-consistency --no-path-resolution
  --resolve-image-digests --no-color --no-log-prefix --index~ --protocol~ --json --short --verbose --names --sort~ --noheading --pod
  --external --help`;
var COMPOSE_GLOBALS = `-f~ -p~ --file~ --project-name~ --profile~ --project-directory~ --env-file~ --ansi~ --progress~ --parallel~
  --all-resources --compatibility`;
var DIFF = `-#puszabwRWrtcm -U~ -M? -C? -B? -D? -l~ -S= -G= -I~ -O~ -X? --patch --no-patch --unified~ --raw --stat? --numstat
  --shortstat --dirstat? --dirstat-by-file? --cumulative --summary --name-only --name-status --patch-with-stat --patch-with-raw
  --compact-summary --output-indicator-new~ --output-indicator-old~ --output-indicator-context~ --no-color --color? --color-moved?
  --no-color-moved --color-moved-ws~ --no-color-moved-ws --word-diff? --word-diff-regex~ --color-words? --check --full-index
  --binary --abbrev? --no-abbrev --find-renames? --no-renames --rename-empty --no-rename-empty --find-copies? --find-copies-harder
  --break-rewrites? --irreversible-delete --diff-filter~ --pickaxe-all --pickaxe-regex --find-object~ --relative? --no-relative --text
  --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines~
  --inter-hunk-context~ --function-context --exit-code --quiet --no-ext-diff --textconv --no-textconv --ignore-submodules?
  --submodule? --src-prefix~ --dst-prefix~ --no-prefix --default-prefix --line-prefix~ --ita-invisible-in-index --minimal --patience
  --histogram --anchored~ --diff-algorithm~ --indent-heuristic --no-indent-heuristic --ws-error-highlight~ --skip-to~ --rotate-to~
  --cc --combined-all-paths --cached --staged --merge-base --no-index --base --ours --theirs --`;
var REVISIONS = `-#iEFPgq -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter~ --author= --committer=
  --grep= --grep-reflog~ --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings
  --perl-regexp --remove-empty --merges --no-merges --min-parents~ --max-parents~ --no-min-parents --no-max-parents --first-parent
  --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob~ --exclude~ --exclude-hidden~ --reflog
  --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry
  --walk-reflogs --merge --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path?
  --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format~ --abbrev-commit
  --no-abbrev-commit --oneline --encoding~ --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --relative-date --date=
  --parents --children --left-right --graph --no-graph --show-linear-break? --count --timestamp --header --objects --no-object-names
  --disk-usage? --no-commit-header --commit-header --`;
var LOG = `${DIFF} ${REVISIONS} -L= --follow --decorate? --no-decorate --decorate-refs~ --decorate-refs-exclude~ --clear-decorations
  --source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --full-diff --log-size --root --diff-merges~ --no-diff-merges`;
var withoutEnd = (line) => line.replace(/ --(?= |$)/g, "");
var REFS = `-i --sort= --format= --color? --no-color --ignore-case --points-at= --merged= --no-merged= --contains= --no-contains=
  --omit-empty`;
var BLAME = `-bltpcsewfn -L= -S= -M? -C? --root --show-stats --reverse --first-parent --porcelain --line-porcelain --incremental
  --encoding~ --contents~ --date~ --progress --no-progress --ignore-rev~ --ignore-revs-file~ --color-lines --color-by-age --score-debug
  --show-name --show-number --show-email --abbrev? --`;
var GIT_READS = {
	"annotate": BLAME,
	"archive": "-#lv --format~ --prefix~ --list --verbose --worktree-attributes",
	"blame": BLAME,
	"cat-file": `-tsepz --mailmap --no-mailmap --use-mailmap --no-use-mailmap --batch? --batch-check? --batch-command?
    --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks`,
	"check-attr": "-az --all --cached --stdin --",
	"check-ignore": "-qvzn --quiet --verbose --stdin --non-matching --no-index --",
	"cherry": "-v --verbose --abbrev?",
	"count-objects": "-vH --verbose --human-readable",
	"describe": `--dirty? --broken? --all --tags --contains --abbrev? --candidates~ --exact-match --debug --long --match= --exclude=
    --always --first-parent`,
	"diff": `${DIFF} --left-right --diff-merges~`,
	"diff-files": `${DIFF} -q`,
	"diff-index": DIFF,
	"diff-tree": `${DIFF} --root --stdin -v --pretty? --format~ --oneline --abbrev-commit --no-commit-id --always`,
	"fast-export": `${withoutEnd(REVISIONS)} -M? -C? --signed-tags~ --tag-of-filtered-object~ --reencode~ --no-data --full-tree
    --show-original-ids --reference-excluded-parents --progress~`,
	"for-each-ref": `${REFS} -spP --count= --shell --perl --python --tcl --exclude=`,
	"format-patch": `${DIFF} ${REVISIONS} -kN -v~ --stdout --root --no-numbered --numbered --no-signature --signature~ --subject-prefix~
    --cover-letter --no-stat --zero-commit --keep-subject --attach? --inline? --base~ --rfc`,
	"fsck": `--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict
    --verbose --name-objects --progress --no-progress -v`,
	"grep": `-#aiIwvhHEGPFnlLzocpWrq -A= -B= -C= -m= -e= -f= --cached --no-index --untracked --no-exclude-standard --exclude-standard
    --recurse-submodules --text --textconv --no-textconv --ignore-case --max-depth= --recursive --no-recursive --word-regexp
    --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
    --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading
    --show-function --after-context= --before-context= --context= --function-context --max-count= --threads= --and --or --not --all-match
    --quiet --`,
	"log": LOG,
	"ls-files": `-cdmoisukztvf -x= -X= --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory
    --unmerged --killed --deduplicate --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch
    --with-tree= --full-name --recurse-submodules --abbrev? --debug --eol --sparse --format= --`,
	"ls-remote": "-htq -o~ --heads --branches --tags --refs --quiet --exit-code --get-url --symref --sort= --server-option=",
	"ls-tree": "-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format=",
	"merge-base": "-a --all --octopus --independent --is-ancestor --fork-point",
	"name-rev": "--tags --refs= --exclude= --all --stdin --annotate-stdin --name-only --no-undefined --undefined --always",
	"range-diff": `${DIFF} --no-dual-color --creation-factor~ --left-only --right-only --notes? --no-notes`,
	"rev-list": `${REVISIONS} --objects-edge --use-bitmap-index --bisect-vars --bisect-all --unpacked`,
	"rev-parse": `${REVISIONS} --keep-dashdash --revs-only --no-revs --flags --no-flags --default= --prefix= --verify --quiet --sq --short?
    --abbrev-ref? --symbolic --symbolic-full-name --disambiguate? --local-env-vars --path-format? --git-dir --git-common-dir
    --resolve-git-dir --git-path --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir
    --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix
    --show-object-format? --show-ref-format`,
	"shortlog": `${REVISIONS} -nsec -w? --numbered --summary --email --group= --no-group`,
	"show": LOG,
	"show-branch": `-rag --remotes --all --current --topo-order --date-order --sparse --more? --list --merge-base --independent --no-name
    --sha1-name --topics --reflog? --color? --no-color`,
	"show-ref": "-dqs? --head --heads --branches --tags --dereference --hash? --verify --exists --abbrev? --quiet --exclude-existing? --",
	"status": `-sbvz -u? -M? --short --branch --show-stash --no-show-stash --porcelain? --long --verbose --untracked-files? --no-untracked-files
    --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --`,
	"var": "-l",
	"version": "--build-options",
	"whatchanged": LOG
};
var GIT_READING_VERBS = {
	bisect: { log: "" },
	remote: {
		"": "-v --verbose",
		show: "-n",
		"get-url": "--push --all"
	},
	stash: {
		list: withoutEnd(LOG),
		show: `${withoutEnd(LOG)} --include-untracked --only-untracked`
	},
	worktree: { list: "-vz --verbose --porcelain --expire=" },
	submodule: {
		"": "-q --quiet",
		status: "-q --quiet --cached --recursive --",
		summary: "-n= --cached --files --for-status --summary-limit= --"
	},
	notes: {
		"": "--ref=",
		list: "",
		show: ""
	},
	reflog: {
		"": LOG,
		show: LOG,
		exists: ""
	}
};
var GIT_LISTS = {
	branch: `${REFS} -arvl --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --column? --no-column --quiet -q`,
	tag: `${REFS} -l -n? --list --column? --no-column`
};
var LISTING = /^(-l|-n|--(list|contains|no-contains|merged|no-merged|points-at))$/;
var SYMBOLIC_REF_READS = "-q --quiet --short --recurse --no-recurse";
var WRITING$1 = wordSet(`add am apply checkout checkout-index cherry-pick clean clone commit commit-tree fetch gc hash-object init merge merge-tree merge-file mktag mktree mv pack-refs prune pull push read-tree rebase repack
   replace rerere reset restore revert rm sparse-checkout switch unpack-objects update-index update-ref write-tree`);
var RUNS$2 = {
	"cherry-pick": { long: ["strategy"] },
	clone: {
		long: [
			"upload-pack",
			"config",
			"template"
		],
		short: "uc"
	},
	fetch: { long: ["upload-pack"] },
	init: { long: ["template"] },
	merge: {
		long: ["strategy"],
		short: "s"
	},
	pull: {
		long: ["upload-pack", "strategy"],
		short: "s"
	},
	push: { long: ["receive-pack", "exec"] },
	rebase: {
		long: [
			"exec",
			"interactive",
			"edit-todo",
			"strategy"
		],
		short: "xis"
	},
	revert: { long: ["strategy"] }
};
var RUNNERS$3 = wordSet("difftool mergetool filter-branch citool gui instaweb daemon web--browse");
var UNPLAIN$1 = unplain("");
var BY_ARGUMENTS = {
	bisect: byVerb("bisect", { write: "start good bad old new skip reset terms replay" }),
	branch: (args) => listing("branch", args),
	tag: (args) => listing("tag", args),
	remote: byVerb("remote", {
		write: "add remove rm rename set-url set-head set-branches prune update",
		before: "-v --verbose"
	}),
	stash: byVerb("stash", {
		write: "push pop apply drop clear branch save create store -u -k -m",
		none: WRITE$1
	}),
	worktree: byVerb("worktree", { write: "add remove prune move lock unlock repair" }),
	submodule: byVerb("submodule", {
		write: "add init update sync deinit absorbgitdirs",
		before: "-q --quiet"
	}),
	notes: byVerb("notes", {
		write: "add append copy remove prune merge",
		before: "--ref="
	}),
	reflog: judgeReflog,
	"symbolic-ref": (args) => {
		const { bad, operands, countless } = readOptions(args, SYMBOLIC_REF_READS);
		return bad === null && operands.length === 1 && !countless ? READ : WRITE$1;
	},
	config: judgeConfig
};
function judgeGit(args) {
	const globals = readGlobals(args);
	if (globals === null) {
		const odd = args.find((word) => !isFixed(word));
		return unplain(odd === void 0 ? "an option in front of git's subcommand" : unknownOption(odd));
	}
	const [name, ...operands] = globals.rest;
	if (name === void 0) return READ;
	if (name.value === null) return unplain(`${cited(name.source)}, which may stand for any subcommand`);
	const judged = judgeSubcommand(name.value, operands);
	if (!judged.plain) return judged;
	const remote = args.find(isTransportHelper);
	if (globals.runs !== null) return unplain(cited(globals.runs), judged.writes);
	if (remote !== void 0) return unplain(`${cited(remote.source)}, a remote that is a program`, judged.writes);
	return judged;
}
function judgeSubcommand(sub, operands) {
	const judge = Object.hasOwn(BY_ARGUMENTS, sub) ? BY_ARGUMENTS[sub] : void 0;
	if (judge !== void 0) return named$2(judge(operands), sub);
	if (RUNNERS$3.has(sub)) return unplain(cited(`git ${sub}`));
	if (Object.hasOwn(GIT_READS, sub)) return judgeReading(sub, operands);
	if (sub === "bundle") return unplain(cited(`git ${sub}`), false);
	if (!WRITING$1.has(sub)) return unplain(`${cited(`git ${sub}`)}, an alias or a program of its own`);
	const rules = Object.hasOwn(RUNS$2, sub) ? RUNS$2[sub] : void 0;
	const bad = operands.find((word) => !isRefOutput(word) && rules !== void 0 && !avoids(word, rules));
	if (bad !== void 0) return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source));
	return WRITE$1;
}
function judgeReading(sub, operands) {
	const read = readGit(operands, GIT_READS[sub] ?? "");
	if (read.bad !== null) return unreadable(read.bad);
	return sub === "format-patch" && !printsPatches(operands) ? unplain(cited(`git ${sub}`), false) : READ;
}
function printsPatches(operands) {
	const values = operands.map((word) => word.value);
	const at = values.indexOf("--stdout");
	const dashes = values.indexOf("--");
	if (at < 0 || dashes >= 0 && dashes < at) return false;
	const before = at === 0 ? "" : values[at - 1] ?? null;
	return before !== null && (!before.startsWith("-") || /^-\d+$|=/.test(before));
}
function readGit(args, line) {
	return readOptions(args, line, { unknown: isRefOutput });
}
function unreadable(bad) {
	return unplain(bad.value === null ? unknownOption(bad) : cited(bad.source), false);
}
function unknownOption(word) {
	return `${cited(word.source)}, which may stand for any option (quote it, behind a literal start)`;
}
function named$2(judged, sub) {
	return judged.plain || judged.because !== "" ? judged : unplain(cited(`git ${sub}`), judged.writes);
}
function isTransportHelper(word) {
	return /^[A-Za-z0-9]+::/.test(word.value ?? "");
}
function isRefOutput(word) {
	return /^"\$\(git (branch --show-current|rev-parse (--short |--abbrev-ref )?HEAD|rev-parse --show-toplevel|symbolic-ref --short HEAD)\)"$/.test(word.source);
}
function byVerb(sub, { write, none, before = "" }) {
	const reading = GIT_READING_VERBS[sub] ?? {};
	const writing = new Set(write.split(" "));
	return (args) => {
		const at = verbIndex(args, before);
		const first = args[at];
		if (first === void 0) return reading[""] === void 0 ? none ?? UNPLAIN$1 : READ;
		if (first.value === null) return unplain(unknownOption(first));
		if (writing.has(first.value)) return WRITE$1;
		const line = first.value !== "" && Object.hasOwn(reading, first.value) ? reading[first.value] : void 0;
		if (line === void 0) return UNPLAIN$1;
		const { bad } = readGit(args.slice(at + 1), line);
		return bad === null ? READ : unreadable(bad);
	};
}
var REFLOG_WRITES = wordSet("expire delete drop write");
function judgeReflog(args) {
	if (args.some((word) => REFLOG_WRITES.has(word.value ?? ""))) return WRITE$1;
	const verb = /^(show|exists)$/.exec(args[0]?.value ?? "")?.[0] ?? "";
	const { bad, operands } = readGit(verb === "" ? args : args.slice(1), GIT_READING_VERBS["reflog"]?.[verb] ?? "");
	const odd = verb === "" ? operands.slice(0, 1).find(({ source }) => !/^(HEAD|stash|main|master)$|[@/]/.test(source)) : void 0;
	const refused = bad ?? odd;
	return refused === void 0 ? READ : unreadable(refused);
}
function listing(sub, args) {
	const { bad, operands, named } = readGit(args, GIT_LISTS[sub] ?? "");
	if (bad !== null) return WRITE$1;
	return operands.length === 0 || [...named.keys()].some((name) => LISTING.test(name)) ? READ : WRITE$1;
}
var CONFIG_OPTION = /^--(global|local|system|worktree|null|show-origin|show-scope|name-only|bool|int|path|includes|type=\w+|add|replace-all|unset|unset-all|get|get-all|get-regexp|list)$|^-[lz]$/;
function judgeConfig(args) {
	const options = args.filter((word) => word.value?.startsWith("-"));
	if (!args.every(isFixed) || !options.every((word) => CONFIG_OPTION.test(word.value ?? ""))) return UNPLAIN$1;
	const [first, second, ...more] = args.filter((word) => !word.value?.startsWith("-"));
	const has = (pattern) => options.some((word) => pattern.test(word.value ?? ""));
	if (has(/^--(get.*|list)$|^-l$/) || first?.value === "get" || first?.value === "list") return READ;
	if (has(/^--unset/)) return WRITE$1;
	const named = first?.value === "set" || first?.value === "unset";
	const key = named ? second : first;
	const hasValue = named ? more.length > 0 : second !== void 0;
	if (key?.value == null || !key.value.includes(".")) return UNPLAIN$1;
	if (!hasValue) return named ? WRITE$1 : READ;
	const value = named ? more[0] : second;
	return isSafeSetting(key.value, value?.value ?? null) ? WRITE$1 : unplain(`the setting ${cited(key.value)}`);
}
var ALONE = wordSet(`--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
   --no-replace-objects --bare --version -v`);
var WITH_VALUE = wordSet("-C -c --git-dir --work-tree --namespace --config-env");
function readGlobals(args) {
	const directories = [];
	const named = /* @__PURE__ */ new Map();
	let runs = null;
	let i = 0;
	for (; i < args.length; i++) {
		const word = args[i];
		if (word === void 0 || !isFixed(word)) return null;
		const text = word.value ?? word.source;
		if (!text.startsWith("-")) break;
		if (ALONE.has(text)) continue;
		const joined = /^(--[a-z-]+)=/.exec(text)?.[1];
		const name = joined ?? text;
		const value = joined === void 0 ? args[++i] : behindEquals(word);
		if (name === "--exec-path" && joined !== void 0) runs ??= name;
		else if (!WITH_VALUE.has(name) || value === void 0 || !staysOneWord(value)) return null;
		else if (name === "-C") directories.push(value);
		else if (name === "--config-env") runs ??= name;
		else if (name === "-c") runs ??= isSafeOption(value) ? null : `-c ${value.source}`;
		else named.set(name, value);
	}
	return {
		rest: args.slice(i),
		runs,
		directories,
		gitDir: named.get("--git-dir") ?? null,
		workTree: named.get("--work-tree") ?? null
	};
}
function behindEquals(word) {
	if (word.value === null) return void 0;
	const value = word.value.slice(word.value.indexOf("=") + 1);
	return {
		source: value,
		value,
		pieces: [{
			kind: "text",
			text: value,
			quoted: true
		}]
	};
}
var DATA = /^(user\.(name|email|signingkey|useconfigonly)|author\.(name|email)|committer\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|branch\.[^=]+\.(remote|merge|rebase)|core\.(autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|longpaths|abbrev|preloadindex|untrackedcache)|color\..*|column\.ui|commit\.gpgsign|tag\.(gpgsign|sort)|branch\.sort|fetch\.(prune|parallel)|merge\.(ff|conflictstyle|renamelimit)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix)|log\.(date|decorate|showsignature)|status\.[a-z]+|rebase\.(autostash|autosquash)|rerere\.enabled|advice\..*|safe\.directory|gc\.auto|maintenance\.auto|http\.(postbuffer|version|lowspeedlimit|lowspeedtime)|submodule\.recurse|checkout\.workers)$/i;
var TAMED = [
	[/^core\.pager$|^pager\.[a-z-]+$/i, /^(cat|less|false|true|)$/],
	[/^(core|sequence)\.editor$/i, /^(true|:)$/],
	[/^core\.hookspath$/i, /^\/dev\/null$/],
	[/^core\.fsmonitor$/i, /^(false|0)$/],
	[/^credential\.helper$/i, /^$/]
];
function isSafeSetting(key, value) {
	if (DATA.test(key)) return true;
	return value !== null && TAMED.some(([keys, values]) => keys.test(key) && values.test(value));
}
function isSafeOption(word) {
	if (word.value !== null) {
		const at = word.value.indexOf("=");
		return at < 0 ? isSafeSetting(word.value, "true") : isSafeSetting(word.value.slice(0, at), word.value.slice(at + 1));
	}
	const start = word.pieces.find((piece) => piece.kind !== "text" || piece.text !== "");
	const key = start?.kind === "text" ? /^([^=]+)=/.exec(start.text)?.[1] : void 0;
	return key !== void 0 && staysOneWord(word) && isSafeSetting(key, null);
}
function allCommands(script) {
	const found = [];
	for (const command of script.commands) {
		found.push(command);
		for (const inner of scriptsOf(command)) found.push(...allCommands(inner));
	}
	return found;
}
function isPlain(script) {
	if (script.broken || script.odd.length > 0) return false;
	return script.commands.every((command) => wordsOf(command).every(({ value, pieces }) => value !== null || pieces.every((piece) => piece.kind !== "odd")) && scriptsOf(command).every(isPlain));
}
function wordsOf(command) {
	const { loose, assignments, redirects } = command;
	if (loose.length === 0 && assignments.length === 0 && redirects.length === 0) return command.words;
	const words = [...command.words, ...loose];
	for (const { value } of assignments) if (value !== null) words.push(value);
	for (const { target, body } of redirects) {
		if (target !== null) words.push(target);
		if (body !== null) words.push(body);
	}
	return words;
}
function scriptsOf(command) {
	const words = wordsOf(command).filter(({ value }) => value === null);
	return words.length === 0 ? NONE : words.flatMap(({ pieces }) => pieces.flatMap(scriptsOfPiece));
}
var NONE = [];
function scriptsOfPiece(piece) {
	if (piece.kind === "script") return [piece.script];
	return piece.kind === "odd" ? piece.scripts : [];
}
var ANYWHERE = {
	dirs: null,
	above: false
};
function whereabouts(script, cwd, home) {
	const found = /* @__PURE__ */ new Map();
	follow(script, isText$1(cwd) ? {
		dirs: [squeeze(cwd)],
		above: false
	} : ANYWHERE, home, found);
	return found;
}
function follow(script, start, home, found) {
	let seen = start;
	let now = start;
	for (const command of script.commands) {
		if (!command.chained) now = seen;
		found.set(command, now);
		let inside = now;
		for (const inner of scriptsOf(command)) inside = both(inside, follow(inner, now, home, found));
		seen = both(seen, inside);
		const next = after$1(command, now, home);
		if (next !== null) {
			now = next;
			seen = both(seen, next);
		}
	}
	return seen;
}
function after$1(command, now, home) {
	const program = programOf(command);
	if (program !== "cd" && program !== "pushd") return null;
	const [target, ...more] = command.words.slice(1).filter((word) => !/^(-[LPe]+|--)$/.test(word.value ?? ""));
	if (target === void 0) return program === "cd" ? {
		dirs: [home],
		above: false
	} : ANYWHERE;
	if (more.length > 0) return ANYWHERE;
	if (isTopLevel(target)) return {
		...now,
		above: true
	};
	return inDirectory(now, target, home);
}
function inDirectory(now, word, home, by = "text") {
	const tidy = (path) => by === "links" && path.includes("..") ? path : squeeze(path);
	const text = pathText(word, home);
	if (text === null || !isText$1(text) || /^[-+]\d*$/.test(text)) return ANYWHERE;
	if (text.startsWith("/")) return {
		dirs: [tidy(text)],
		above: false
	};
	if (now.dirs === null) return ANYWHERE;
	return {
		dirs: [...new Set(now.dirs.map((dir) => tidy(`${dir}/${text}`)))],
		above: now.above
	};
}
function pathText(word, home) {
	let text = "";
	let tilde = false;
	if (/^=./.test(word.source)) return null;
	for (const piece of word.pieces) if (piece.kind === "text") {
		text += tilde ? piece.text.slice(1) : piece.text;
		tilde = false;
	} else if (text !== "") return null;
	else if (piece.kind === "pattern" && piece.text === "~" && /^~(\/|$)/.test(word.source)) {
		tilde = true;
		text = home;
	} else if (piece.kind === "variable" && piece.name === "HOME") text = home;
	else if (piece.kind === "variable" ? piece.name === "PWD" : piece.kind === "script" && isPwd(piece.script)) text = ".";
	else return null;
	return text === "" ? null : text;
}
function isText$1(path) {
	return !path.includes("�");
}
function isPwd(script) {
	const [only, ...more] = script.commands;
	return more.length === 0 && only?.words.length === 1 && only.words[0]?.value === "pwd";
}
function isTopLevel(word) {
	return /^"?\$\(git rev-parse --show-toplevel\)"?$/.test(word.source);
}
function both(a, b) {
	if (a === b) return a;
	if (a.dirs === null || b.dirs === null) return ANYWHERE;
	return {
		dirs: [.../* @__PURE__ */ new Set([...a.dirs, ...b.dirs])],
		above: a.above || b.above
	};
}
var SQUEEZED = /^(?!.*(?:\/\.{0,2}\/|.\/$|\/\.{1,2}$))\//s;
function squeeze(path) {
	return SQUEEZED.test(path) ? path : posix.resolve("/", path);
}
var RECORDS = {
	touches: "git-dir",
	losses: [],
	target: null,
	makes: false
};
var TREE = {
	kind: "tree",
	unlessRef: null
};
var WORK_TREE = wordSet(`add am apply bisect checkout checkout-index cherry-pick clean commit difftool filter-branch merge merge-file
   mergetool mv pull push read-tree rebase reset restore revert rm sparse-checkout stash submodule switch
   update-index`);
var LOSSES = {
	"reset": (args) => when(has(args, [
		"hard",
		"merge",
		"keep"
	], ""), TREE),
	"checkout": checkoutLosses,
	"switch": (args) => when(has(args, [
		"discard-changes",
		"force",
		"merge"
	], "fm"), TREE),
	"restore": (args) => when(!has(args, ["staged"], "S") || has(args, ["worktree"], "W"), TREE),
	"clean": cleanLosses,
	"stash": stashLosses,
	"rm": (args) => when(has(args, ["force"], "f") && !has(args, ["cached"], ""), TREE),
	"read-tree": (args) => when(has(args, ["reset"], "u"), TREE),
	"checkout-index": (args) => when(has(args, ["force"], "f"), TREE),
	"mv": (args) => when(has(args, ["force"], "f"), TREE),
	"submodule": (args) => when(/^(update|deinit)$/.test(operandsOf$1(args)[0]?.value ?? "") && has(args, ["force"], "f"), { kind: "submodule" }),
	"merge": aborting,
	"rebase": aborting,
	"am": aborting,
	"cherry-pick": aborting,
	"revert": aborting
};
function gitUse(sub, args) {
	if (sub === null) return {
		touches: "work-tree",
		losses: [],
		target: null,
		makes: false
	};
	if (isDryRun(sub, args)) return null;
	if (sub === "worktree") return worktreeUse(args);
	if (sub === "clone") return makes(cloned(args), sourceOf$2(args));
	if (!WORK_TREE.has(sub) || onlyMakesBranch(sub, args)) return RECORDS;
	const losses = (Object.hasOwn(LOSSES, sub) ? LOSSES[sub]?.(args) ?? [] : []).map((loss) => loss.kind === "tree" && TARGETED.has(sub) ? {
		...loss,
		over: targets(args)
	} : loss);
	return {
		touches: "work-tree",
		losses: losses.some(({ kind }) => kind === "tree") && has(args, ["recurse-submodules"], "") ? [...losses, { kind: "submodule" }] : losses,
		target: null,
		makes: false
	};
}
var TARGETED = wordSet("reset checkout switch restore read-tree");
function targets(args) {
	return ["HEAD", ...beforeDashes(args).map(({ value }) => value).flatMap((value) => {
		if (!value?.startsWith("-")) return [value];
		const joined = /^(?:--so[a-z]*=|-s)(.+)$/.exec(value)?.[1];
		return joined === void 0 ? [] : [joined];
	})];
}
function when(holds, loss) {
	return holds ? [loss] : [];
}
function has(args, long, short) {
	return beforeDashes(args).some(({ value }) => {
		if (value === null) return false;
		const name = /^--([^=]+)/.exec(value)?.[1];
		if (name !== void 0) return long.some((one) => one.startsWith(name));
		return /^-[^-]/.test(value) && [...short].some((letter) => value.slice(1).includes(letter));
	});
}
function beforeDashes(args) {
	const at = args.findIndex((word) => word.value === "--");
	return at < 0 ? args : args.slice(0, at);
}
function operandsOf$1(args) {
	return args.filter((word) => !word.value?.startsWith("-"));
}
var DRY_LETTER = wordSet("add clean mv push rm");
function isDryRun(sub, args) {
	if (sub === "apply") return has(args, [
		"check",
		"stat",
		"numstat",
		"summary"
	], "") && !has(args, ["apply"], "");
	const dry = beforeDashes(args).some(({ value }) => value === "--dry-run");
	if (sub === "commit") return dry;
	if (sub === "clean") return readClean(args).dry;
	return DRY_LETTER.has(sub) && (dry || has(args, [], "n"));
}
function onlyMakesBranch(sub, args) {
	if (sub !== "switch" && sub !== "checkout") return false;
	const maker = sub === "switch" ? /^(-[cC]|--(force-)?create)$/ : /^-[bB]$/;
	const [first, second, ...more] = args;
	return maker.test(first?.value ?? "") && second !== void 0 && more.length === 0;
}
function checkoutLosses(args) {
	const operands = operandsOf$1(args);
	if (has(args, [
		"force",
		"merge",
		"pathspec-from-file"
	], "fm") || args.some((word) => word.value === "--")) return [TREE];
	if (has(args, ["orphan", "detach"], "bB") || operands.length === 0) return [];
	const [only, ...more] = operands;
	return [{
		kind: "tree",
		unlessRef: more.length === 0 ? only?.value ?? null : null
	}];
}
function stashLosses(args) {
	const [verb, entry] = operandsOf$1(args);
	if (verb?.value === "clear") return [{
		kind: "stash",
		entry: null
	}];
	if (verb?.value !== "drop") return [];
	const name = entry === void 0 ? "stash@{0}" : entry.value;
	return [{
		kind: "stash",
		entry: name !== null && /^\d+$/.test(name) ? `stash@{${name}}` : name
	}];
}
function cleanLosses(args) {
	return [{
		kind: "untracked",
		clean: readClean(args).listing
	}];
}
function readClean(args) {
	const listing = [];
	const values = args.map((word) => word.value);
	let [dry, known] = [false, true];
	for (let i = 0; i < values.length; i++) {
		const value = values[i] ?? null;
		if (value === null) known = false;
		else if (value === "--") {
			known &&= values.slice(i).every((one) => one !== null);
			listing.push(...values.slice(i).filter((one) => one !== null));
			break;
		} else if (/^-[^-]/.test(value)) {
			const at = value.indexOf("e", 1);
			const letters = at < 0 ? value.slice(1) : value.slice(1, at);
			dry ||= letters.includes("n");
			listing.push(...[...letters].filter((letter) => "dxXf".includes(letter)).map((letter) => `-${letter}`));
			if (at >= 0) exclude(value.slice(at + 1) || (values[++i] ?? null));
		} else if (/^--e[^=]*=/.test(value)) exclude(value.slice(value.indexOf("=") + 1));
		else if (/^--e/.test(value)) exclude(values[++i] ?? null);
		else if (/^--f/.test(value)) listing.push("-f");
		else if (value === "--dry-run") dry = true;
		else if (!value.startsWith("--")) listing.push(value);
	}
	return {
		dry,
		listing: known ? listing : null
	};
	function exclude(pattern) {
		known &&= pattern !== null;
		if (pattern !== null) listing.push("-e", pattern);
	}
}
function aborting(args) {
	return when(has(args, ["abort", "skip"], ""), TREE);
}
function worktreeUse(args) {
	const [verb, dir] = operandsOf$1(args);
	if (verb?.value === "add") return makes(withoutValues(args, /^(-[^-]*[bB]|--reason)$/)[1] ?? null, "here");
	if (verb?.value !== "remove" && verb?.value !== "move") return RECORDS;
	return {
		touches: "work-tree",
		losses: verb.value === "remove" && has(args, ["force"], "f") ? [TREE, {
			kind: "untracked",
			clean: ["-d"]
		}] : [],
		target: dir ?? null,
		makes: false
	};
}
function makes(target, from) {
	return target === null ? RECORDS : {
		touches: "work-tree",
		losses: [],
		target,
		makes: true,
		from
	};
}
var CLONE_VALUES = /^(-[^-]*[bojuc]|--(branch|origin|jobs|upload-pack|config|depth|filter|reference|reference-if-able|revision|template|ref-format|separate-git-dir|server-option|shallow-since|shallow-exclude|bundle-uri))$/;
function sourceOf$2(args) {
	const [from] = withoutValues(args, CLONE_VALUES);
	return from === void 0 || /^[^/]*:/.test(from.value ?? from.source) ? null : from;
}
var MAX_ADDRESS = 4096;
function cloned(args) {
	const [from, dir] = withoutValues(args, CLONE_VALUES);
	if (dir !== void 0) return dir;
	if ((from?.value?.length ?? 0) > MAX_ADDRESS) return null;
	const name = /([^/:]+?)(\/?\.git)?\/*$/.exec(from?.value ?? "")?.[1];
	if (from === void 0 || name === void 0) return null;
	return {
		source: name,
		value: name,
		pieces: [{
			kind: "text",
			text: name,
			quoted: true
		}]
	};
}
function withoutValues(args, takesValue) {
	return args.filter((word, at) => {
		if (word.value?.startsWith("-")) return false;
		return !takesValue.test(args[at - 1]?.value ?? "");
	});
}
function globalWords(gitDir, workTree, home) {
	const words = [];
	for (const [name, word] of [["--git-dir", gitDir], ["--work-tree", workTree]]) {
		if (word === null) continue;
		const text = pathText(word, home);
		if (text === null) return null;
		words.push(`${name}=${text}`);
	}
	return words;
}
function hostUse(program, command, now, home) {
	const args = command.words.slice(1);
	if (program === "git") return useOfGit(args, command.assignments, now, home);
	if (program === "gh") return useOfGh(args, now);
	if (program === "docker" || program === "podman") {
		const use = containerUse(args, now, home);
		return use === null ? null : useAt(`${program} ${use.verb}`, "below", use.where);
	}
	return program === "sudo" ? useBehindSudo(command, now, home) : null;
}
function useAt(what, scope, { dirs, above }) {
	return {
		what,
		scope: above ? "repository" : scope,
		dirs,
		globals: [],
		losses: []
	};
}
var REPOSITORY_VARIABLES = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/;
function useOfGit(args, assignments, now, home) {
	const globals = readGlobals(args);
	const sub = globals?.rest[0];
	const use = gitUse(sub?.value ?? null, globals?.rest.slice(1) ?? []);
	if (use === null) return null;
	let where = now;
	for (const dir of globals?.directories ?? []) where = inDirectory(where, dir, home, "links");
	const variables = assignments.filter(({ name }) => REPOSITORY_VARIABLES.test(name));
	const named = (name) => variables.find((one) => one.name === name)?.value ?? null;
	const gitDir = globals?.gitDir ?? named("GIT_DIR");
	const workTree = globals?.workTree ?? named("GIT_WORK_TREE");
	const words = variables.some(({ name }) => !/^GIT_(DIR|WORK_TREE)$/.test(name)) || globals === null ? null : globalWords(gitDir, workTree, home);
	const here = treePlaces(where, gitDir, workTree, home);
	const places = use.target === null ? here : inDirectory(where, use.target, home, "links");
	const records = use.from === "here" ? here : use.from == null ? null : inDirectory(where, use.from, home, "links");
	const name = sub?.value ?? "";
	return {
		what: `git ${/^[a-z][a-z0-9-]{0,40}$/i.test(name) ? name : "…"}`,
		scope: use.makes && !places.above ? "below" : use.touches === "git-dir" ? "git-dir" : "repository",
		dirs: words === null ? null : places.dirs,
		...records === null ? {} : { records: words === null ? null : records.dirs },
		globals: use.target === null ? words ?? [] : [],
		losses: use.losses
	};
}
function treePlaces(where, gitDir, workTree, home) {
	if (workTree !== null) return inDirectory(where, workTree, home, "links");
	if (gitDir === null) return where;
	const text = pathText(gitDir, home);
	if (text === null || where.dirs === null) return ANYWHERE;
	return both(where, {
		dirs: where.dirs.map((dir) => squeeze(`${text.startsWith("/") ? text : `${dir}/${text}`}/..`)),
		above: false
	});
}
var GH_FILES = /* @__PURE__ */ new Set([
	"pr create",
	"pr merge",
	"pr checkout",
	"pr co",
	"release create",
	"release upload",
	"repo sync"
]);
function useOfGh(args, now) {
	const verb = `${args[0]?.value ?? ""} ${args[1]?.value ?? ""}`;
	if (!GH_FILES.has(verb)) return null;
	const forced = args.some((word) => /^(-f|--force)$/.test(word.value ?? ""));
	const use = useAt(`gh ${verb}`, "repository", now);
	return forced && verb !== "pr create" ? {
		...use,
		losses: [{
			kind: "tree",
			unlessRef: null
		}]
	} : use;
}
function useBehindSudo(command, now, home) {
	const words = command.words.slice(1);
	let i = 0;
	for (; words[i]?.value?.startsWith("-"); i++) if (/^-[ug]$/.test(words[i]?.value ?? "")) i++;
	const program = words[i]?.value ?? "";
	if (program !== "git" && program !== "docker" && program !== "podman") return null;
	const use = hostUse(program, {
		...command,
		words: words.slice(i)
	}, now, home);
	return use === null ? null : {
		...use,
		what: `sudo ${use.what}`
	};
}
var BUILDS = /* @__PURE__ */ new Set([
	"build",
	"buildx build",
	"builder build",
	"image build"
]);
var RUNS$1 = /* @__PURE__ */ new Set([
	"run",
	"create",
	"container run",
	"container create"
]);
var COPIES$1 = /* @__PURE__ */ new Set(["cp", "container cp"]);
var COMPOSE = wordSet("up run build create watch");
var FLAGS$1 = /^(-[aDhLq]+|--(debug|archive|follow-link|quiet|no-cache|pull|rm|force-rm|squash|squash-all|compress|load|push|check|layers|tls-verify|tls|tlsverify))$/;
function containerUse(args, now, home) {
	const rest = behindOptions(args);
	const [first, second] = [rest[0]?.value ?? "", rest[1]?.value ?? ""];
	if (first === "compose") return composeUse(rest.slice(1), now, home);
	const [verb, words] = BUILDS.has(first) || RUNS$1.has(first) || COPIES$1.has(first) ? [first, rest.slice(1)] : [`${first} ${second}`, rest.slice(2)];
	if (BUILDS.has(verb)) return {
		verb,
		where: buildPlaces(words, now, home)
	};
	if (COPIES$1.has(verb)) return {
		verb,
		where: placesOf$1(operands(words).slice(0, 1), now, home)
	};
	if (!RUNS$1.has(verb)) return null;
	const where = mountPlaces(words, now, home);
	return where === null ? null : {
		verb,
		where
	};
}
function behindOptions(args) {
	let i = 0;
	while (args[i]?.value?.startsWith("-")) i += FLAGS$1.test(args[i]?.value ?? "") || args[i]?.value?.includes("=") ? 1 : 2;
	return args.slice(i);
}
function operands(words) {
	const found = [];
	for (let i = 0; i < words.length; i++) {
		const word = words[i];
		const value = word?.value ?? "";
		if (word === void 0) continue;
		if (value === "--") return [...found, ...words.slice(i + 1)];
		if (!value.startsWith("-") || value === "-") found.push(word);
		else if (!FLAGS$1.test(value) && !value.includes("=")) i++;
	}
	return found;
}
function values$1(words, names) {
	return words.flatMap((word, i) => {
		const next = words[i + 1];
		if (names.includes(word.value ?? "")) return next === void 0 ? [] : [next];
		const name = names.find((one) => word.source.startsWith(`${one}=`));
		return name === void 0 ? [] : [tail(word, name.length + 1)];
	});
}
function tail(word, count) {
	const [first, ...more] = word.pieces;
	if (first?.kind !== "text" || first.text.length < count) return {
		...word,
		value: null,
		pieces: []
	};
	const pieces = [{
		...first,
		text: first.text.slice(count)
	}, ...more];
	return {
		source: word.source.slice(count),
		value: word.value?.slice(count) ?? null,
		pieces
	};
}
function buildPlaces(words, now, home) {
	const [context, ...more] = operands(words);
	if (context === void 0 || more.length > 0) return {
		...now,
		above: true
	};
	const contexts = context.value === "-" ? [] : [context];
	const named = values$1(words, ["--build-context"]).map((word) => tail(word, (word.value?.indexOf("=") ?? -1) + 1));
	const files = values$1(words, ["-f", "--file"]).filter((word) => word.value !== "-");
	return placesOf$1([
		...contexts,
		...named,
		...files
	], now, home);
}
function mountPlaces(words, now, home) {
	const found = [];
	for (const word of values$1(words, ["-v", "--volume"])) {
		const text = pathText(word, home);
		if (text === null) return ANYWHERE;
		const source = text.split(":")[0] ?? "";
		if (text.includes(":") && /^[./]/.test(source)) found.push(at(source, now));
	}
	for (const word of values$1(words, ["--mount"])) {
		const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(word.value ?? "")?.[1];
		if (word.value === null) return ANYWHERE;
		if (source !== void 0 && /type=bind/.test(word.value)) found.push(at(source, now));
	}
	for (const word of values$1(words, ["--env-file"])) found.push(inDirectory(now, word, home));
	const [first, ...more] = found;
	return first === void 0 ? null : more.reduce(both, first);
}
function at(text, now) {
	if (text.startsWith("/")) return {
		dirs: [squeeze(text)],
		above: false
	};
	if (now.dirs === null) return ANYWHERE;
	return {
		dirs: now.dirs.map((dir) => squeeze(`${dir}/${text}`)),
		above: now.above
	};
}
function composeUse(args, now, home) {
	const words = args.findIndex((word) => COMPOSE.has(word.value ?? ""));
	if (words < 0) return null;
	const before = args.slice(0, words);
	const verb = `compose ${args[words]?.value ?? ""}`;
	const [project] = values$1(before, ["--project-directory", "--workdir"]);
	if (project !== void 0) return {
		verb,
		where: inDirectory(now, project, home)
	};
	const files = values$1(before, ["-f", "--file"]);
	if (files.length === 0) return {
		verb,
		where: {
			...now,
			above: true
		}
	};
	return {
		verb,
		where: files.map((word) => {
			const text = pathText(word, home);
			return text === null ? ANYWHERE : at(text.includes("/") ? text.slice(0, text.lastIndexOf("/") + 1) : ".", now);
		}).reduce(both)
	};
}
function placesOf$1(words, now, home) {
	return words.filter((word) => !/^([a-z+]+:\/\/|git@)/.test(word.value ?? "")).map((word) => inDirectory(now, word, home)).reduce(both, {
		dirs: [],
		above: false
	});
}
var UNPLAIN = unplain("");
function judgePassthrough(program, args) {
	if (program === "git") return judgeGit(args);
	if (program === "gh") return judgeGh(args);
	if (program === "docker" || program === "podman") return judgeContainers(args);
	return WRITE$1;
}
var GH_GROUPS = wordSet(`attestation auth browse cache gist gpg-key issue label org pr project release repo ruleset run search secret
   ssh-key status variable version workflow`);
var GH_READING = wordSet("list ls view status diff checks watch verify");
function judgeGh(args) {
	const [group, action, ...rest] = args;
	if (group === void 0 || group.value === "--version") return READ;
	if (group.value === "api") return judgeGhApi(args.slice(1));
	if (group.value === null || !GH_GROUPS.has(group.value)) return UNPLAIN;
	if (group.value === "browse") return byOptions(args.slice(1), `${GH_READS} -n --no-browser`, ["-n", "--no-browser"]);
	if ([
		"search",
		"status",
		"version"
	].includes(group.value)) return byOptions(args.slice(1), GH_READS);
	if (action === void 0) return READ;
	if (action.value === null) return UNPLAIN;
	if ([
		"clone",
		"fork",
		"create"
	].includes(action.value) && group.value !== "pr" && group.value !== "issue" && !rest.every((word) => isFixed(word) && word.value !== "--")) return UNPLAIN;
	return GH_READING.has(action.value) ? byOptions(rest, GH_READS) : WRITE$1;
}
function byOptions(args, line, needed = []) {
	const { bad, named } = readOptions(args, line);
	return bad === null && (needed.length === 0 || needed.some((name) => named.has(name))) ? READ : WRITE$1;
}
function judgeGhApi(args) {
	const texts = args.map((word) => word.value ?? word.source);
	const methods = texts.filter((text) => /^-[^-]*X|^--method/.test(text));
	const gets = texts.filter((text, i) => /^(-X|--method=)(GET|HEAD)$/.test(text) || /^(-X|--method)$/.test(text) && /^(GET|HEAD)$/.test(texts[i + 1] ?? ""));
	if (methods.length !== gets.length) return WRITE$1;
	return byOptions(args, methods.length === 0 ? GH_API_READS : `${GH_API_READS} ${GH_API_FIELDS}`);
}
var CONTAINER_READING = wordSet("ps images logs inspect version info stats top port diff history search events");
var CONTAINER_GROUPS = wordSet("container image volume network system context compose builder buildx");
var CONTAINER_READING_VERBS = wordSet("ls list ps inspect logs images config df top port version events");
var CONTAINER_GLOBALS = wordSet("-H --host -c --context --connection --url -l --log-level");
var CONTAINER_UNPLAIN = wordSet("unshare runlabel machine");
function judgeContainers(args) {
	let i = 0;
	for (; args[i]?.value?.startsWith("-"); i++) {
		const option = args[i]?.value ?? "";
		if (CONTAINER_GLOBALS.has(option)) i++;
		else if (!/^(--(host|context|connection|url|log-level)=.*|-D|--debug|-v|--version|--help)$/.test(option)) return UNPLAIN;
	}
	const [name, ...rest] = args.slice(i);
	if (name === void 0) return READ;
	if (name.value === null || CONTAINER_UNPLAIN.has(name.value)) return UNPLAIN;
	if (CONTAINER_READING.has(name.value)) return byOptions(rest, CONTAINER_READS);
	if (!CONTAINER_GROUPS.has(name.value)) return WRITE$1;
	const at = name.value === "compose" ? verbIndex(rest, COMPOSE_GLOBALS) : 0;
	const verb = rest[at];
	if (verb?.value == null || CONTAINER_UNPLAIN.has(verb.value)) return UNPLAIN;
	return CONTAINER_READING_VERBS.has(verb.value) ? byOptions(rest.slice(at + 1), CONTAINER_READS) : WRITE$1;
}
function forEachChild(node, callback) {
	switch (node.type) {
		case "Script":
		case "CompoundList":
		case "AndOr":
			for (const command of node.commands) callback(command);
			return;
		case "Statement":
			callback(node.command);
			return;
		case "Command":
			for (const child of node.prefix) callback(child);
			if (node.name) callback(node.name);
			for (const child of node.suffix) callback(child);
			return;
		case "Pipeline":
			for (const prefix of node.prefixes) callback(prefix);
			for (const command of node.commands) callback(command);
			return;
		case "Redirected":
			callback(node.command);
			for (const redirect of node.redirects) callback(redirect);
			return;
		case "If":
			callback(node.clause);
			callback(node.then);
			for (const branch of node.elif) callback(branch);
			if (node.else) callback(node.else);
			return;
		case "Elif":
			callback(node.clause);
			callback(node.then);
			return;
		case "For":
		case "Select":
			callback(node.name);
			if (node.wordlist) for (const word of node.wordlist) callback(word);
			callback(node.body);
			return;
		case "While":
			callback(node.clause);
			callback(node.body);
			return;
		case "Function":
		case "Coproc":
			if (node.name) callback(node.name);
			callback(node.body);
			return;
		case "Subshell":
		case "BraceGroup":
			callback(node.body);
			return;
		case "Case":
			callback(node.word);
			for (const item of node.items) callback(item);
			return;
		case "CaseItem":
			for (const pattern of node.pattern) callback(pattern);
			callback(node.body);
			return;
		case "ArithmeticFor": {
			const initialize = node.initialize;
			if (initialize) callback(initialize);
			const test = node.test;
			if (test) callback(test);
			const update = node.update;
			if (update) callback(update);
			callback(node.body);
			return;
		}
		case "Word":
		case "Glob":
		case "ArithmeticWord":
		case "HereDocBody":
		case "BraceExpansion":
		case "ExtendedGlob": {
			const parts = node.parts;
			if (parts) for (const part of parts) callback(part);
			return;
		}
		case "DoubleQuoted":
		case "LocaleString":
			for (const part of node.parts) callback(part);
			return;
		case "ParameterExpansion":
			if (node.index) callback(node.index);
			if (node.operation) callback(node.operation);
			return;
		case "Default":
		case "Remove":
		case "Transform":
			callback(node.operand);
			return;
		case "CaseModification":
			if (node.operand) callback(node.operand);
			return;
		case "Replace":
			callback(node.pattern);
			callback(node.replacement);
			return;
		case "Slice":
			callback(node.offset);
			if (node.length) callback(node.length);
			return;
		case "Assignment": {
			const index = node.index;
			if (index) callback(index);
			callback(node.value);
			return;
		}
		case "ArrayValue":
			for (const element of node.elements) callback(element);
			return;
		case "Redirect":
		case "HereString":
			if (node.descriptor) callback(node.descriptor);
			if (node.target) callback(node.target);
			return;
		case "HereDoc":
			if (node.descriptor) callback(node.descriptor);
			if (node.delimiter) callback(node.delimiter);
			callback(node.body);
			return;
		case "CommandExpansion":
		case "ProcessSubstitution":
		case "ArithmeticCommandExpansion": {
			const script = node.script;
			if (script) callback(script);
			return;
		}
		case "ArithmeticExpansion":
		case "ArithmeticCommand":
		case "ArithmeticGroup":
		case "TestCommand":
		case "TestGroup": {
			const expression = node.expression;
			if (expression) callback(expression);
			return;
		}
		case "ArithmeticBinary":
		case "TestBinary":
			callback(node.left);
			callback(node.right);
			return;
		case "ArithmeticUnary":
		case "TestUnary":
			callback(node.operand);
			return;
		case "ArithmeticTernary":
			callback(node.test);
			callback(node.consequent);
			callback(node.alternate);
			return;
		case "TestLogical":
			for (const operand of node.operands) callback(operand);
			return;
		case "TestNot":
			for (const negation of node.negations) callback(negation);
			callback(node.operand);
			return;
		case "Literal":
		case "SingleQuoted":
		case "AnsiCQuoted":
		case "SimpleExpansion":
		case "Names":
		case "Unknown":
		case "FileDescriptor":
		case "FileDescriptorVariable":
		case "HereDocDelimiter":
		case "Time":
		case "Negation": return;
		default: throw new TypeError(`Unexpected syntax node: ${node}`);
	}
}
function isOctal(code) {
	return code >= 48 && code <= 55;
}
function isHex(code) {
	return code >= 48 && code <= 57 || code >= 65 && code <= 70 || code >= 97 && code <= 102;
}
function codePoint(value, fallback) {
	try {
		return String.fromCodePoint(value);
	} catch {
		return fallback;
	}
}
var utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
function decodeBytes(bytes) {
	return utf8.decode(new Uint8Array(bytes));
}
function readByteEscape(source, pos, limit) {
	if (source.charCodeAt(pos) !== 92 || pos + 2 > limit) return void 0;
	const escaped = source.charCodeAt(pos + 1);
	const digitsStart = pos + 2;
	let end = digitsStart;
	if (escaped === 120) {
		while (end < limit && end - digitsStart < 2 && isHex(source.charCodeAt(end))) end++;
		if (end === digitsStart) return void 0;
		return {
			value: Number.parseInt(source.slice(digitsStart, end), 16),
			end
		};
	}
	if (!isOctal(escaped)) return void 0;
	while (end < limit && end - digitsStart < 2 && isOctal(source.charCodeAt(end))) end++;
	return {
		value: Number.parseInt(source.slice(pos + 1, end), 8) & 255,
		end
	};
}
function decodeAnsiCQuoted(source, start, limit) {
	let pos = start;
	let value = "";
	let bytes = [];
	let nul = -1;
	while (pos < limit && source.charCodeAt(pos) !== 39) {
		const escapeStart = pos;
		const byte = readByteEscape(source, pos, limit);
		if (byte && byte.value >= 128) {
			bytes.push(byte.value);
			pos = byte.end;
			continue;
		}
		if (bytes.length > 0) {
			value += decodeBytes(bytes);
			bytes = [];
		}
		if (byte) {
			if (byte.value === 0 && nul === -1) nul = value.length;
			value += String.fromCharCode(byte.value);
			pos = byte.end;
			continue;
		}
		if (source.charCodeAt(pos) !== 92 || pos + 1 >= limit) {
			const runStart = pos;
			while (pos < limit) {
				const code = source.charCodeAt(pos);
				if (code === 39 || code === 92 && pos + 1 < limit) break;
				pos++;
			}
			value += source.slice(runStart, pos);
			continue;
		}
		pos++;
		const escaped = source[pos++];
		switch (escaped) {
			case "a":
				value += "\x07";
				break;
			case "b":
				value += "\b";
				break;
			case "e":
			case "E":
				value += "\x1B";
				break;
			case "f":
				value += "\f";
				break;
			case "n":
				value += "\n";
				break;
			case "r":
				value += "\r";
				break;
			case "t":
				value += "	";
				break;
			case "v":
				value += "\v";
				break;
			case "\\":
				value += "\\";
				break;
			case "'":
				value += "'";
				break;
			case "\"":
				value += "\"";
				break;
			case "?":
				value += "?";
				break;
			case "\n": break;
			case "c": {
				const code = pos < limit ? source.charCodeAt(pos) : 39;
				if (code === 39) {
					value += source.slice(escapeStart, pos);
					break;
				}
				pos++;
				if (code === 92) {
					const pair = pos < limit && source.charCodeAt(pos) === 92;
					if (pair) pos++;
					value += "";
					if (!pair && pos < limit) {
						value += source[pos];
						pos++;
					}
					break;
				}
				const control = code === 63 ? 127 : code & 31;
				if (control === 0 && code < 128 && nul === -1) nul = value.length;
				value += String.fromCharCode(control);
				break;
			}
			case "u":
			case "U": {
				const digitsStart = pos;
				const maxDigits = escaped === "u" ? 4 : 8;
				while (pos < limit && pos - digitsStart < maxDigits && isHex(source.charCodeAt(pos))) pos++;
				if (pos === digitsStart) {
					value += `\\${escaped}`;
					break;
				}
				const raw = source.slice(escapeStart, pos);
				const point = Number.parseInt(source.slice(digitsStart, pos), 16);
				if (point === 0 && nul === -1) nul = value.length;
				value += codePoint(point, raw);
				break;
			}
			default: value += `\\${escaped}`;
		}
	}
	if (bytes.length > 0) value += decodeBytes(bytes);
	if (nul !== -1) value = value.slice(0, nul);
	const closed = pos < limit;
	if (closed) pos++;
	return {
		value,
		end: pos,
		closed
	};
}
var ScriptExpansionImpl = class ScriptExpansionImpl {
	static _resolveScript;
	type;
	pos;
	end;
	text;
	#window;
	#script = void 0;
	constructor(type, pos, end, text, window) {
		this.type = type;
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#window = window;
	}
	get script() {
		const window = this.#window;
		if (window !== void 0) {
			const script = ScriptExpansionImpl._resolveScript(window.source, window.start, window.end, window.depth, window.parenBoundary, window.context);
			if (window.context === void 0) script.source = window.source;
			this.script = script;
		}
		return this.#script;
	}
	set script(script) {
		this.#script = script;
		this.#window = void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			script: this.script
		};
	}
};
var ProcessSubstitutionImpl = class extends ScriptExpansionImpl {
	operator;
	constructor(pos, end, text, operator, window) {
		super("ProcessSubstitution", pos, end, text, window);
		this.operator = operator;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			operator: this.operator,
			script: this.script
		};
	}
};
var ArithmeticExpansionImpl = class ArithmeticExpansionImpl {
	static _resolveExpression;
	type = "ArithmeticExpansion";
	pos;
	end;
	text;
	#window;
	#expression = void 0;
	constructor(pos, end, text, window) {
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#window = window;
	}
	get expression() {
		const window = this.#window;
		if (window !== void 0) this.expression = ArithmeticExpansionImpl._resolveExpression(window.body, window.offset, window.source, window.depth, window.context, window.depth + 1);
		return this.#expression;
	}
	set expression(expression) {
		this.#expression = expression;
		this.#window = void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			expression: this.expression
		};
	}
};
function dequoteValue(parts) {
	let s = "";
	for (const c of parts) s += c.type === "Literal" ? c.value : c.text;
	return s;
}
function unescapeBareValue(text) {
	const first = text.indexOf("\\");
	if (first === -1) return text;
	let s = "";
	let start = 0;
	for (let i = first; i < text.length; i++) {
		if (text.charCodeAt(i) !== 92) continue;
		s += text.slice(start, i);
		i++;
		if (i >= text.length) {
			s += "\\";
			start = i;
			break;
		}
		if (text.charCodeAt(i) !== 10) s += text[i];
		start = i + 1;
	}
	return s + text.slice(start);
}
function continuedExpansionValue(text) {
	let pos = 1;
	while (text[pos] === "\\" && text[pos + 1] === "\n") pos += 2;
	return pos === 1 || text[pos] !== "(" ? text : text[0] + text.slice(pos);
}
function wordPartsValue(parts) {
	let value = "";
	for (const part of parts) switch (part.type) {
		case "Literal":
		case "Glob":
		case "SingleQuoted":
		case "AnsiCQuoted":
			value += part.value;
			break;
		case "DoubleQuoted":
		case "LocaleString":
			value += dequoteValue(part.parts);
			break;
		case "CommandExpansion":
			value += part.text[0] === "$" ? continuedExpansionValue(part.text) : part.text;
			break;
		case "ExtendedGlob":
			value += continuedExpansionValue(part.text);
			break;
		default: value += part.text;
	}
	return value;
}
var WordImpl = class {
	type = "Word";
	text;
	pos;
	end;
	#source;
	#resolver;
	#depth;
	#parts;
	#value = null;
	constructor(text, pos, end, source, resolver, depth = 0) {
		this.text = text;
		this.pos = pos;
		this.end = end;
		this.#source = source;
		this.#resolver = resolver;
		this.#depth = depth;
		this.#parts = resolver === void 0 ? void 0 : null;
	}
	get value() {
		if (this.#value === null) {
			const parts = this.#source === void 0 && this.#parts === null ? void 0 : this.parts;
			this.#value = parts ? wordPartsValue(parts) : unescapeBareValue(this.text);
		}
		return this.#value;
	}
	get parts() {
		if (this.#parts === null) this.#parts = this.#resolver?.(this.#source ?? "", this, this.#depth) ?? void 0;
		return this.#parts;
	}
	set parts(v) {
		this.#parts = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			text: this.text,
			pos: this.pos,
			end: this.end,
			parts: this.parts,
			value: this.value
		};
	}
};
function createSubstitutionContext(parent) {
	return {
		boundaries: parent === void 0 ? void 0 : substitutionBoundaries(parent),
		wordParts: void 0,
		embeddedParts: void 0,
		arrayParts: void 0
	};
}
function substitutionBoundaries(context) {
	return context.boundaries ?? (context.boundaries = /* @__PURE__ */ new Map());
}
function skipLineContinuations(source, pos, end) {
	while (pos + 1 < end && source.charCodeAt(pos) === 92 && source.charCodeAt(pos + 1) === 10) pos += 2;
	return pos;
}
function hasGlobCharacters(text) {
	return /[*?[]/.test(text);
}
var bracketSyntax = /* @__PURE__ */ new Uint8Array(128);
bracketSyntax[33] = 1;
bracketSyntax[94] = 1;
bracketSyntax[91] = 1;
bracketSyntax[93] = 1;
bracketSyntax[58] = 1;
bracketSyntax[46] = 1;
bracketSyntax[61] = 1;
bracketSyntax[45] = 1;
bracketSyntax[92] = 1;
function bracketEnds(source, start, end, parts, offset) {
	let close = end - 1;
	while (close > start && source.charCodeAt(close) !== 93) close--;
	if (close === start) return null;
	const positions = [];
	const kinds = [];
	const members = [];
	let partIndex = 0;
	let symbols = false;
	for (let pos = start; pos < end; pos++) {
		while (parts && partIndex < parts.length && parts[partIndex].end <= pos + offset) partIndex++;
		const part = parts?.[partIndex];
		const tokenPos = pos;
		let kind = 0;
		if (part && part.pos <= pos + offset && part.type !== "Literal") pos = part.end - offset - 1;
		else {
			kind = source.charCodeAt(pos);
			if (kind === 92 && pos + 1 < end && source.charCodeAt(pos + 1) === 10) {
				pos++;
				continue;
			}
			if (kind >= 128 || !bracketSyntax[kind]) kind = 0;
		}
		const last = kinds.length - 1;
		if (kind === 0 && last >= 0 && kinds[last] === 0) {
			members[last]++;
			continue;
		}
		if (last >= 0 && kinds[last] === 91 && (kind === 58 || kind === 61 || kind === 46)) symbols = true;
		positions.push(tokenPos);
		kinds.push(kind);
		members.push(1);
	}
	const count = kinds.length;
	let symbolEnd;
	if (symbols) {
		symbolEnd = new Int32Array(count).fill(-1);
		let close = -1;
		let colon = -1;
		let eq = -1;
		let dot = -1;
		for (let i = count - 1; i >= 0; i--) {
			const kind = kinds[i + 2];
			if (kind === 93) close = i + 2;
			else if (kinds[i + 3] === 93) {
				if (kind === 58) colon = i + 2;
				else if (kind === 61) eq = i + 2;
				else if (kind === 46) dot = i + 2;
			}
			if (kinds[i] !== 91) continue;
			const type = kinds[i + 1];
			const found = type === 58 ? colon : type === 61 ? eq : type === 46 ? dot : -1;
			if (found !== -1 && (type === 46 || close === -1 || close > found)) symbolEnd[i] = found + 2;
		}
	}
	const subBracket = (open) => symbolEnd === void 0 ? -1 : symbolEnd[open];
	const endFrom = new Int32Array(count + 2).fill(-1);
	const resume = (next, range) => {
		if (next >= count) return -1;
		if (range && kinds[next] === 45 && next + 1 < count && kinds[next + 1] !== 93) {
			let last = next + 1;
			if (kinds[last] === 92) {
				if (last + 1 >= count) return -1;
				last++;
			}
			let after = last + 1;
			if (kinds[last] === 91 && kinds[last + 1] === 46) {
				const symbol = subBracket(last);
				if (symbol !== -1) after = symbol;
			} else if (kinds[last] === 0 && members[last] > 1) return endFrom[last];
			if (after >= count) return -1;
			return kinds[after] === 93 ? after + 1 : endFrom[after];
		}
		return kinds[next] === 93 ? next + 1 : endFrom[next];
	};
	for (let t = count - 1; t >= 0; t--) {
		const kind = kinds[t];
		let after = t + 1;
		let range = true;
		if (kind === 92) {
			if (t + 1 >= count) continue;
			after = t + 2;
		} else if (kind === 91) {
			const type = kinds[t + 1];
			if (type === 58 || type === 61 || type === 46) {
				const symbol = subBracket(t);
				if (symbol !== -1) {
					after = symbol;
					range = type === 46;
				}
			}
		}
		endFrom[t] = resume(after, range);
	}
	const ends = /* @__PURE__ */ new Map();
	for (let t = 0; t < count; t++) {
		if (kinds[t] !== 91) continue;
		let first = t + 1;
		if (kinds[first] === 33 || kinds[first] === 94) first++;
		if (first >= count) continue;
		const close = kinds[first] === 93 ? resume(first + 1, true) : endFrom[first];
		if (close !== -1) ends.set(positions[t], positions[close - 1] + 1);
	}
	return ends;
}
function appendRange(source, start, end, parts, index, offset, result) {
	while (start < end) {
		while (parts && index < parts.length && parts[index].end <= start + offset) index++;
		const part = parts?.[index];
		if (part && part.pos === start + offset && part.end <= end + offset) {
			result.push(part);
			start = part.end - offset;
			index++;
			continue;
		}
		const stop = part ? Math.min(end, (part.pos > start + offset ? part.pos : part.end) - offset) : end;
		const text = source.slice(start, stop);
		result.push({
			type: "Literal",
			pos: start + offset,
			end: stop + offset,
			text,
			value: unescapeBareValue(text)
		});
		start = stop;
	}
	return index;
}
function parseGlobParts(source, start, end, parts, offset = 0) {
	let result;
	let brackets;
	let partIndex = 0;
	let emittedIndex = 0;
	let literalStart = start;
	for (let pos = start; pos < end; pos++) {
		while (parts && partIndex < parts.length && parts[partIndex].end <= pos + offset) partIndex++;
		const part = parts?.[partIndex];
		if (part && part.pos <= pos + offset && part.type !== "Literal") {
			pos = part.end - offset - 1;
			continue;
		}
		const character = source.charCodeAt(pos);
		if (character === 92) {
			pos++;
			continue;
		}
		let globEnd;
		if (character === 42 || character === 63) {
			const limit = part ? Math.min(end, part.end - offset) : end;
			const next = skipLineContinuations(source, pos + 1, limit);
			if (next < limit && source.charCodeAt(next) === 40) continue;
			globEnd = pos + 1;
			if (character === 42) while (globEnd < limit && source.charCodeAt(globEnd) === 42) {
				const next = skipLineContinuations(source, globEnd + 1, limit);
				if (next < limit && source.charCodeAt(next) === 40) break;
				globEnd++;
			}
		} else if (character === 91) {
			if (brackets === void 0) brackets = bracketEnds(source, pos, end, parts, offset);
			const close = brackets?.get(pos);
			if (close === void 0) continue;
			globEnd = close;
		} else continue;
		if (!result) result = [];
		emittedIndex = appendRange(source, literalStart, pos, parts, emittedIndex, offset, result);
		const text = source.slice(pos, globEnd);
		let glob;
		if (character === 91) {
			const interior = [];
			emittedIndex = appendRange(source, pos + 1, globEnd - 1, parts, emittedIndex, offset, interior);
			glob = {
				type: "Glob",
				kind: "bracket",
				pos: pos + offset,
				end: globEnd + offset,
				text,
				value: "[" + wordPartsValue(interior) + "]",
				parts: interior
			};
		} else glob = {
			type: "Glob",
			kind: character === 42 ? "star" : "question",
			pos: pos + offset,
			end: globEnd + offset,
			text,
			value: text,
			parts: void 0
		};
		result.push(glob);
		literalStart = globEnd;
		pos = globEnd - 1;
	}
	if (!result) return parts ?? void 0;
	appendRange(source, literalStart, end, parts, emittedIndex, offset, result);
	return result;
}
var Token = {
	Word: 0,
	Assignment: 1,
	Semi: 2,
	Newline: 3,
	Pipe: 4,
	And: 5,
	Or: 6,
	Amp: 7,
	LParen: 8,
	RParen: 9,
	LBrace: 10,
	RBrace: 11,
	Bang: 12,
	If: 13,
	Then: 14,
	Else: 15,
	Elif: 16,
	Fi: 17,
	Do: 18,
	Done: 19,
	For: 20,
	While: 21,
	Until: 22,
	In: 23,
	Case: 24,
	Esac: 25,
	Function: 26,
	DoubleSemi: 27,
	SemiAmp: 28,
	DoubleSemiAmp: 29,
	Select: 30,
	DblLBracket: 31,
	DblRBracket: 32,
	EOF: 33,
	ArithCmd: 34,
	Coproc: 35,
	Redirect: 36
};
var TokenValue = class {
	token = Token.EOF;
	_value = "";
	_owner;
	pos = 0;
	end = 0;
	fileDescriptor = void 0;
	variableName = void 0;
	descriptorEnd = 0;
	delimiterQuoted = false;
	content = void 0;
	targetPos = 0;
	targetEnd = 0;
	assignmentOperatorPos = -1;
	raw = false;
	keywordEligible = false;
	constructor(owner = null) {
		this._owner = owner;
	}
	get value() {
		return this._value ?? (this._value = this._owner === null ? "" : this._owner._tokenValue(this.pos, this.end, this.raw));
	}
	set value(v) {
		this._value = v;
	}
	reset() {
		this.token = Token.EOF;
		this._value = "";
		this.pos = 0;
		this.end = 0;
		this.fileDescriptor = void 0;
		this.variableName = void 0;
		this.descriptorEnd = 0;
		this.delimiterQuoted = false;
		this.content = void 0;
		this.targetPos = 0;
		this.targetEnd = 0;
		this.assignmentOperatorPos = -1;
		this.raw = false;
		this.keywordEligible = false;
	}
	copyFrom(other) {
		this.token = other.token;
		this._value = other._value;
		this.pos = other.pos;
		this.end = other.end;
		this.fileDescriptor = other.fileDescriptor;
		this.variableName = other.variableName;
		this.descriptorEnd = other.descriptorEnd;
		this.delimiterQuoted = other.delimiterQuoted;
		this.content = other.content;
		this.targetPos = other.targetPos;
		this.targetEnd = other.targetEnd;
		this.assignmentOperatorPos = other.assignmentOperatorPos;
		this.raw = other.raw;
		this.keywordEligible = other.keywordEligible;
	}
};
var RESERVED_WORDS = /* @__PURE__ */ new Map([
	["if", Token.If],
	["then", Token.Then],
	["else", Token.Else],
	["elif", Token.Elif],
	["fi", Token.Fi],
	["do", Token.Do],
	["done", Token.Done],
	["for", Token.For],
	["while", Token.While],
	["until", Token.Until],
	["in", Token.In],
	["case", Token.Case],
	["esac", Token.Esac],
	["function", Token.Function],
	["select", Token.Select],
	["coproc", Token.Coproc],
	["!", Token.Bang],
	["{", Token.LBrace],
	["}", Token.RBrace]
]);
var charType = /* @__PURE__ */ new Uint8Array(128);
charType[124] = 1;
charType[38] = 1;
charType[59] = 1;
charType[40] = 1;
charType[41] = 1;
charType[60] = 1;
charType[62] = 1;
charType[32] = 1;
charType[9] = 1;
charType[10] = 1;
charType[92] = 2;
charType[39] = 2;
charType[34] = 2;
charType[36] = 2;
charType[96] = 2;
charType[123] = 2;
function skipBlanks(source, pos, end) {
	while (pos < end) {
		const ch = source.charCodeAt(pos);
		if (ch === 32 || ch === 9) pos++;
		else if (ch === 92 && pos + 1 < end && source.charCodeAt(pos + 1) === 10) pos += 2;
		else break;
	}
	return pos;
}
var arithmeticWordDelimiter = /* @__PURE__ */ new Uint8Array(128);
for (const ch of [
	9,
	10,
	32,
	33,
	37,
	38,
	40,
	41,
	42,
	43,
	44,
	45,
	47,
	58,
	60,
	61,
	62,
	63,
	94,
	124
]) arithmeticWordDelimiter[ch] = 1;
function hasEmbeddedWordStructure(source, start, end) {
	for (let pos = start; pos < end; pos++) {
		const ch = source.charCodeAt(pos);
		if (ch === 92 || ch === 39 || ch === 34 || ch === 36 || ch === 96 || (ch === 60 || ch === 62) && pos + 1 < end && source.charCodeAt(pos + 1) === 40) return true;
	}
	return false;
}
function findUnnested(s, target, pairTernaries = false, findNestedEnd) {
	let depth = 0;
	let ternaryDepth = 0;
	for (let i = 0; i < s.length; i++) {
		const c = s.charCodeAt(i);
		if (c === 92) {
			i++;
			continue;
		}
		if (c === 123) {
			depth++;
			continue;
		}
		if (c === 125) {
			if (depth > 0) depth--;
			continue;
		}
		if (c === 39) {
			i++;
			while (i < s.length && s.charCodeAt(i) !== 39) i++;
			continue;
		}
		if (c === 34) {
			i++;
			while (i < s.length) {
				const quoted = s.charCodeAt(i);
				if (quoted === 34) break;
				if (quoted === 92) {
					i += 2;
					continue;
				}
				const nestedEnd = findNestedEnd?.(i, true) ?? i;
				if (nestedEnd > i) {
					i = nestedEnd;
					continue;
				}
				i++;
			}
			continue;
		}
		const nestedEnd = findNestedEnd?.(i, false) ?? i;
		if (nestedEnd > i) {
			i = nestedEnd - 1;
			continue;
		}
		if (pairTernaries && depth === 0) {
			if (c === 63) {
				ternaryDepth++;
				continue;
			}
			if (c === 58 && ternaryDepth > 0) {
				ternaryDepth--;
				continue;
			}
		}
		if (c === target && depth === 0) return i;
	}
	return -1;
}
var isIdChar = /* @__PURE__ */ new Uint8Array(128);
for (let i = 97; i <= 122; i++) isIdChar[i] = 3;
for (let i = 65; i <= 90; i++) isIdChar[i] = 3;
for (let i = 48; i <= 57; i++) isIdChar[i] = 2;
isIdChar[95] = 3;
var extglobPrefix = /* @__PURE__ */ new Uint8Array(128);
extglobPrefix[63] = 1;
extglobPrefix[64] = 1;
extglobPrefix[42] = 1;
extglobPrefix[43] = 1;
extglobPrefix[33] = 1;
extglobPrefix[61] = 1;
function isExtglobOpen(prefix) {
	return prefix < 128 && prefix !== 61 && extglobPrefix[prefix] === 1;
}
var extglobOp = {
	[63]: "?",
	[64]: "@",
	[42]: "*",
	[43]: "+",
	[33]: "!"
};
function isDQChild(p) {
	const t = p.type;
	return t === "Literal" || t === "SimpleExpansion" || t === "ParameterExpansion" || t === "CommandExpansion" || t === "ArithmeticExpansion";
}
function isAllDigitsRange(src, start, end) {
	for (let i = start; i < end; i++) {
		const c = src.charCodeAt(i);
		if (c < 48 || c > 57) return false;
	}
	return end > start;
}
var ASSIGNMENT_INVALID = -1;
var ASSIGNMENT_NAME_START = 0;
var ASSIGNMENT_NAME = 1;
var ASSIGNMENT_AFTER_INDEX = 2;
var ASSIGNMENT_AFTER_PLUS = 3;
var ASSIGNMENT_INDEX_BASE = 4;
function joinWordParts(head, tail) {
	const last = head[head.length - 1];
	const first = tail[0];
	let start = 0;
	if (last?.type === "Literal" && first?.type === "Literal" && last.end === first.pos) {
		head[head.length - 1] = {
			type: "Literal",
			pos: last.pos,
			end: first.end,
			text: last.text + first.text,
			value: last.value + first.value
		};
		start = 1;
	}
	for (let i = start; i < tail.length; i++) head.push(tail[i]);
	return head;
}
function isMatchedAssignment(state) {
	return state < ASSIGNMENT_INVALID;
}
function assignmentOperatorPos(state) {
	return -state - 2;
}
function scanAssignmentPrefix(src, start, end, initialState) {
	let state = initialState;
	for (let i = start; i < end && state >= 0; i++) {
		const c = src.charCodeAt(i);
		if (state >= ASSIGNMENT_INDEX_BASE) {
			if (c === 91) state++;
			else if (c === 93 && --state === ASSIGNMENT_INDEX_BASE) state = ASSIGNMENT_AFTER_INDEX;
		} else if (state === ASSIGNMENT_NAME_START) state = c < 128 && isIdChar[c] & 1 ? ASSIGNMENT_NAME : ASSIGNMENT_INVALID;
		else if (state === ASSIGNMENT_NAME) {
			if (c < 128 && isIdChar[c] & 2) continue;
			if (c === 91) state = 5;
			else if (c === 43) state = ASSIGNMENT_AFTER_PLUS;
			else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
		} else if (state === ASSIGNMENT_AFTER_INDEX) {
			if (c === 43) state = ASSIGNMENT_AFTER_PLUS;
			else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
		} else state = c === 61 ? -i - 2 : ASSIGNMENT_INVALID;
	}
	return state;
}
function setToken(out, token, value, pos = 0, end = 0) {
	out.token = token;
	out._value = value;
	out.pos = pos;
	out.end = end;
	out.fileDescriptor = void 0;
	out.variableName = void 0;
	out.descriptorEnd = 0;
	out.delimiterQuoted = false;
	out.content = void 0;
	out.assignmentOperatorPos = -1;
	out.raw = false;
	out.keywordEligible = false;
}
function setSpanToken(out, token, pos, end, raw) {
	out.token = token;
	out._value = null;
	out.pos = pos;
	out.end = end;
	out.fileDescriptor = void 0;
	out.variableName = void 0;
	out.descriptorEnd = 0;
	out.delimiterQuoted = false;
	out.content = void 0;
	out.assignmentOperatorPos = -1;
	out.raw = raw;
	out.keywordEligible = false;
}
function matchReservedWord(src, start, len) {
	switch (src.charCodeAt(start)) {
		case 33: return len === 1 ? Token.Bang : void 0;
		case 123: return len === 1 ? Token.LBrace : void 0;
		case 125: return len === 1 ? Token.RBrace : void 0;
		case 105: {
			if (len !== 2) return void 0;
			const c = src.charCodeAt(start + 1);
			return c === 102 ? Token.If : c === 110 ? Token.In : void 0;
		}
		case 102:
			if (len === 2) return src.charCodeAt(start + 1) === 105 ? Token.Fi : void 0;
			if (len === 3) return src.startsWith("for", start) ? Token.For : void 0;
			if (len === 8) return src.startsWith("function", start) ? Token.Function : void 0;
			return;
		case 116: return len === 4 && src.startsWith("then", start) ? Token.Then : void 0;
		case 101:
			if (len !== 4) return void 0;
			if (src.startsWith("else", start)) return Token.Else;
			if (src.startsWith("elif", start)) return Token.Elif;
			if (src.startsWith("esac", start)) return Token.Esac;
			return;
		case 100:
			if (len === 2) return src.charCodeAt(start + 1) === 111 ? Token.Do : void 0;
			if (len === 4) return src.startsWith("done", start) ? Token.Done : void 0;
			return;
		case 99:
			if (len === 4) return src.startsWith("case", start) ? Token.Case : void 0;
			if (len === 6) return src.startsWith("coproc", start) ? Token.Coproc : void 0;
			return;
		case 119: return len === 5 && src.startsWith("while", start) ? Token.While : void 0;
		case 117: return len === 5 && src.startsWith("until", start) ? Token.Until : void 0;
		case 115: return len === 6 && src.startsWith("select", start) ? Token.Select : void 0;
		default: return;
	}
}
var LexContext = {
	Normal: 0,
	CommandStart: 1,
	TestMode: 2,
	CommandPrefix: 3,
	Declaration: 4,
	ArrayElement: 5,
	FunctionName: 6,
	CasePattern: 7,
	EvalArgument: 8
};
function isBraceCommandOpener(after) {
	return after === 32 || after === 9 || after === 10 || after === 124;
}
var Lexer = class Lexer {
	static _findSubstitutionEnd;
	src;
	srcEnd;
	parenBoundary;
	pos;
	current;
	nextState;
	hasPeek;
	pendingHereDocs;
	substitutionContext;
	_errors = null;
	_buildParts = false;
	_buildValue = false;
	_nestingDepth = 0;
	constructor(src, start = 0, end = src.length, parenBoundary = false, context = createSubstitutionContext()) {
		this.src = src;
		this.srcEnd = end;
		this.parenBoundary = parenBoundary;
		this.pos = start;
		this.current = new TokenValue(this);
		this.nextState = new TokenValue(this);
		this.hasPeek = false;
		this.pendingHereDocs = null;
		this.substitutionContext = context;
		if (start === 0 && src.charCodeAt(0) === 35 && src.charCodeAt(1) === 33) {
			const nl = src.indexOf("\n");
			this.pos = nl === -1 ? this.srcEnd : nl + 1;
		}
	}
	getSource() {
		return this.src;
	}
	fork(start, end, parenBoundary = false) {
		const lexer = new Lexer(this.src, start, end, parenBoundary, this.substitutionContext);
		lexer._nestingDepth = this._nestingDepth;
		return lexer;
	}
	getSubstitutionContext() {
		return this.substitutionContext;
	}
	get errors() {
		return this._errors ?? (this._errors = []);
	}
	commandExpansion(pos, text, start, inner, parenBoundary = false) {
		const window = this.scriptWindow(this.src, start, start + inner.length, parenBoundary);
		return new ScriptExpansionImpl("CommandExpansion", pos, this.pos, text, window);
	}
	decodedCommandExpansion(pos, text, inner) {
		const window = this.scriptWindow(inner, 0, inner.length, false, true);
		return new ScriptExpansionImpl("CommandExpansion", pos, this.pos, text, window);
	}
	processSubstitution(pos, text, operator, inner) {
		const window = this.scriptWindow(this.src, pos + 2, pos + 2 + inner.length, !this._unbalanced);
		return new ProcessSubstitutionImpl(pos, this.pos, text, operator, window);
	}
	scriptWindow(source, start, end, parenBoundary, decoded = false) {
		if (this._nestingDepth > 256) return void 0;
		const context = decoded ? void 0 : this.substitutionContext;
		return {
			source,
			start,
			end,
			depth: this._nestingDepth + 1,
			parenBoundary,
			context
		};
	}
	getPos() {
		return this.pos;
	}
	findSubstitutionEnd(start, end, depth = this._nestingDepth + 1) {
		if (Lexer._findSubstitutionEnd === void 0) return -1;
		return Lexer._findSubstitutionEnd(this.src, start, end, depth, this.substitutionContext);
	}
	_tokenValue(pos, end, raw) {
		return raw ? this.src.slice(pos, end) : this.wordValueOf(pos, end);
	}
	wordValueOf(start, end) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedBuildValue = this._buildValue;
		const savedUnbalanced = this._unbalanced;
		const errorCount = this._errors === null ? 0 : this._errors.length;
		this.pos = start;
		this.srcEnd = end;
		this._buildValue = true;
		this.readWordText();
		if (this.pos < end && this._wordAssignmentState !== void 0 && this._wordAssignmentState >= ASSIGNMENT_INDEX_BASE) {
			this.pos = start;
			this.readWordText(true);
		}
		const value = this._wordText;
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._buildValue = savedBuildValue;
		this._unbalanced = savedUnbalanced;
		if (this._errors !== null) this._errors.length = errorCount;
		return value;
	}
	findClosingBracket(start, end = this.srcEnd) {
		const limit = Math.min(end, this.srcEnd);
		let window = this._bracketWindow;
		if (!window || window.limit !== limit) {
			window = {
				limit,
				depth: this._nestingDepth,
				last: this.src.lastIndexOf("]", limit - 1)
			};
			this._bracketWindow = window;
		}
		if (start > window.last) return -1;
		if (window.depth !== this._nestingDepth) {
			window = {
				limit,
				depth: this._nestingDepth,
				last: window.last
			};
			this._bracketWindow = window;
		}
		if (window.failed?.has(start)) return -1;
		const unmatched = [];
		const close = this.findClosingShellDelimiter(start, end, 93, false, true, unmatched);
		if (close === -1) {
			const failed = window.failed ?? (window.failed = /* @__PURE__ */ new Set());
			for (const starts of unmatched) for (const pos of starts) failed.add(pos);
		}
		return close;
	}
	findClosingArithmeticBracket(start, end = this.srcEnd) {
		const limit = Math.min(end, this.srcEnd);
		let window = this._arithmeticBracketWindow;
		if (!window || window.end !== limit || window.depth !== this._nestingDepth) {
			window = {
				end: limit,
				depth: this._nestingDepth,
				failed: /* @__PURE__ */ new Set()
			};
			this._arithmeticBracketWindow = window;
		}
		if (window.failed.has(start)) return -1;
		return this.findClosingShellDelimiter(start, end, 93, false, false, void 0, window.failed);
	}
	findClosingBrace(start, end = this.srcEnd) {
		return this.findClosingShellDelimiter(start, end, 125);
	}
	findClosingParenthesis(start, end = this.srcEnd) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedUnbalanced = this._unbalanced;
		this.pos = start;
		this.srcEnd = Math.min(end, this.srcEnd);
		this.extractBalanced();
		const close = this._unbalanced ? -1 : this.pos - 1;
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._unbalanced = savedUnbalanced;
		return close;
	}
	findArithmeticExpansionEnd(start, end = this.srcEnd) {
		const scanner = this.fork(start, end);
		scanner.pos = start + 1;
		scanner.scanArithmeticBody();
		return scanner.pos;
	}
	findArithmeticWordEnd(start, end = this.srcEnd) {
		const scanner = this.fork(start, end);
		scanner.pos = start;
		return scanner.scanArithmeticWordEnd();
	}
	scanArithmeticWordEnd() {
		while (this.pos < this.srcEnd) {
			const ch = this.src.charCodeAt(this.pos);
			if (ch === 36) {
				this.readDollar();
				continue;
			}
			if (ch === 96) {
				this.readBacktickExpansion();
				continue;
			}
			if (ch === 39) {
				this.pos++;
				this.skipSQ();
				continue;
			}
			if (ch === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			}
			if (ch === 92) {
				this.pos += 2;
				continue;
			}
			if (ch === 91) {
				const close = this.findClosingBracket(this.pos + 1);
				if (close !== -1) {
					this.pos = close + 1;
					continue;
				}
			}
			if ((ch === 60 || ch === 62) && this.src.charCodeAt(this.pos + 1) === 40) {
				this.pos += 2;
				this.extractBalanced();
				continue;
			}
			if (ch < 128 && arithmeticWordDelimiter[ch]) break;
			this.pos++;
		}
		return this.pos;
	}
	findClosingShellDelimiter(start, end, closing, array = false, braces = true, bracketStarts, failedBrackets) {
		const savedPos = this.pos;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedUnbalanced = this._unbalanced;
		this.srcEnd = Math.min(end, this.srcEnd);
		const delimiters = [closing];
		bracketStarts?.push([]);
		const failedStarts = failedBrackets ? [start] : void 0;
		let pos = start;
		let wordStart = true;
		let invalid = -1;
		while (pos < this.srcEnd) {
			const expected = delimiters[delimiters.length - 1];
			if (bracketStarts && expected === 93) bracketStarts[bracketStarts.length - 1].push(pos);
			const ch = this.src.charCodeAt(pos);
			if (ch === 92) {
				if (pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) !== 10) wordStart = false;
				pos += 2;
				continue;
			}
			if (ch === 35 && array && delimiters.length === 1 && wordStart) {
				while (pos < this.srcEnd && this.src.charCodeAt(pos) !== 10) pos++;
				continue;
			}
			if (ch === 39) {
				this.pos = pos + 1;
				this.skipSQ();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 34) {
				this.pos = pos + 1;
				this.skipDQ();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 96) {
				pos++;
				while (pos < this.srcEnd && this.src.charCodeAt(pos) !== 96) {
					if (this.src.charCodeAt(pos) === 92) pos++;
					pos++;
				}
				if (pos < this.srcEnd) pos++;
				wordStart = false;
				continue;
			}
			if (ch === 36 && pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) === 40 || (ch === 60 || ch === 62) && pos + 1 < this.srcEnd && this.src.charCodeAt(pos + 1) === 40) {
				this.pos = pos + 2;
				this.extractBalanced();
				pos = this.pos;
				wordStart = false;
				continue;
			}
			if (ch === 36 && pos + 1 < this.srcEnd) {
				const after = this.src.charCodeAt(pos + 1);
				if (after === 39) {
					pos = decodeAnsiCQuoted(this.src, pos + 2, this.srcEnd).end;
					wordStart = false;
					continue;
				}
				if (after === 36) {
					pos += 2;
					wordStart = false;
					continue;
				}
				if (after === 123 && braces) {
					delimiters.push(125);
					bracketStarts?.push([]);
					pos += 2;
					wordStart = false;
					continue;
				}
			}
			if (array && delimiters.length === 1) {
				if (ch === 91 && wordStart) {
					delimiters.push(93);
					bracketStarts?.push([]);
				} else if (invalid === -1 && (ch === 59 || ch === 38 || ch === 124 || ch === 60 || ch === 62 || ch === 40 && !isExtglobOpen(this.src.charCodeAt(pos - 1)))) invalid = pos;
			}
			if (expected === 93 && ch === 91) {
				delimiters.push(93);
				bracketStarts?.push([]);
				failedStarts?.push(pos + 1);
			} else if (expected === 41 && ch === 40) {
				delimiters.push(41);
				bracketStarts?.push([]);
			} else if (ch === expected) {
				delimiters.pop();
				failedStarts?.pop();
				bracketStarts?.pop();
				if (delimiters.length === 0) {
					this.pos = savedPos;
					this.srcEnd = savedEnd;
					this._bracketWindow = savedBracketWindow;
					this._arithmeticBracketWindow = savedArithmeticBracketWindow;
					this._unbalanced = savedUnbalanced;
					if (invalid !== -1) this.errors.push({
						message: `unexpected '${this.src[invalid]}' in array assignment`,
						pos: invalid
					});
					return pos;
				}
				wordStart = false;
				pos++;
				continue;
			}
			wordStart = ch < 128 && (charType[ch] & 1) !== 0;
			pos++;
		}
		if (failedStarts) for (const start of failedStarts) failedBrackets.add(start);
		this.pos = savedPos;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this._unbalanced = savedUnbalanced;
		return -1;
	}
	scanBraceExpansion(start, results) {
		const src = this.src;
		const len = this.srcEnd;
		const cached = results.get(start);
		if (cached !== void 0) return cached;
		const savedPos = this.pos;
		const savedUnbalanced = this._unbalanced;
		const errorCount = this._errors === null ? 0 : this._errors.length;
		const frames = [start, 0];
		let pos = start + 1;
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			const type = ch < 128 ? charType[ch] : 0;
			if (type === 0) {
				pos++;
				if (ch === 125) {
					const hasSep = frames.pop();
					results.set(frames.pop(), hasSep ? pos : -1);
					if (frames.length === 0) break;
				} else if (ch === 44 || ch === 46 && src.charCodeAt(pos) === 46) frames[frames.length - 1] = 1;
				continue;
			}
			const next = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
			if (type & 1) {
				if (next === 40 && (ch === 60 || ch === 62)) {
					this.pos = pos + 2;
					this.extractBalanced();
					pos = this.pos;
				} else if (ch === 40 && isExtglobOpen(src.charCodeAt(pos - 1))) {
					const close = this.findClosingShellDelimiter(pos + 1, len, 41);
					if (close === -1) break;
					pos = close + 1;
				} else break;
			} else if (ch === 92) pos += 2;
			else if (ch === 39) {
				this.pos = pos + 1;
				this.skipSQ();
				pos = this.pos;
			} else if (ch === 34) {
				this.pos = pos + 1;
				this.skipDQ();
				pos = this.pos;
			} else if (ch === 96) {
				pos++;
				while (pos < len && src.charCodeAt(pos) !== 96) pos += src.charCodeAt(pos) === 92 ? 2 : 1;
				pos++;
			} else if (ch === 123) {
				frames.push(pos, 0);
				pos++;
			} else if (next === 39) pos = decodeAnsiCQuoted(src, pos + 2, len).end;
			else if (next === 123) {
				const close = this.findClosingBrace(pos + 2, len);
				if (close === -1) break;
				pos = close + 1;
			} else if (next === 40) {
				this.pos = pos + 2;
				this.extractBalanced();
				pos = this.pos;
			} else pos++;
		}
		this.pos = savedPos;
		this._unbalanced = savedUnbalanced;
		if (this._errors !== null) this._errors.length = errorCount;
		for (let index = 0; index < frames.length; index += 2) results.set(frames[index], -1);
		return results.get(start);
	}
	skipSubshellBody() {
		this.extractBalanced(false);
		return this._unbalanced ? -1 : this.pos;
	}
	skipCompoundBody(closeToken) {
		const frames = [{
			close: closeToken,
			phase: closeToken === Token.Esac ? "case-pattern" : "commands"
		}];
		let commandStart = true;
		for (;;) {
			const phase = frames[frames.length - 1].phase;
			let ctx = commandStart ? LexContext.CommandStart : LexContext.Normal;
			if (phase === "function-name") ctx = LexContext.FunctionName;
			else if (phase === "case-pattern" && commandStart) ctx = LexContext.CasePattern;
			const value = this.next(ctx);
			const token = value.token;
			if (token === Token.EOF) return -1;
			const frame = frames[frames.length - 1];
			if (frame.phase === "function-name") {
				if (token === Token.Newline) continue;
				frame.phase = "function-body";
				commandStart = true;
				continue;
			} else if (frame.phase === "function-body") {
				if (token === Token.Newline) continue;
				frame.phase = "commands";
				commandStart = true;
				if (token === Token.LParen && this.peek(LexContext.Normal).token === Token.RParen) {
					this.next(LexContext.Normal);
					frame.phase = "function-body";
					continue;
				}
			} else if (frame.phase === "coproc-command") {
				if (token === Token.Newline) continue;
				if (token === Token.Word) {
					frame.phase = "coproc-body";
					commandStart = true;
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "coproc-body") {
				if (token === Token.Newline) continue;
				frame.phase = token === Token.Word && value.keywordEligible && value.value === "time" ? "time-command" : "commands";
				commandStart = true;
				if (frame.phase === "time-command") continue;
			} else if (frame.phase === "time-command") {
				if (token === Token.Word && value.keywordEligible && value.value === "-p") {
					frame.phase = "time-command-after-p";
					continue;
				}
				if (token === Token.Word && value.keywordEligible && value.value === "--") {
					frame.phase = "commands";
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "time-command-after-p") {
				if (token === Token.Word && value.keywordEligible && value.value === "--") {
					frame.phase = "commands";
					continue;
				}
				frame.phase = "commands";
				commandStart = true;
			} else if (frame.phase === "for-header") {
				if (token === Token.ArithCmd || token === Token.Semi || token === Token.Newline) {
					commandStart = true;
					continue;
				}
				if (token === Token.Do || token === Token.LBrace) {
					frame.close = token === Token.Do ? Token.Done : Token.RBrace;
					frame.phase = "commands";
					commandStart = true;
					continue;
				}
			} else if (frame.phase === "case-word") {
				if (token === Token.Newline) continue;
				frame.phase = "case-in";
				commandStart = false;
				continue;
			} else if (frame.phase === "case-in") {
				if (token === Token.Newline) {
					commandStart = true;
					continue;
				}
				frame.phase = "case-pattern";
				commandStart = true;
				continue;
			} else if (frame.phase === "case-pattern") {
				if (token === Token.Esac && commandStart) {
					frames.pop();
					if (frames.length === 0) return value.end;
					commandStart = false;
					continue;
				}
				if (token === Token.RParen) {
					frame.phase = "commands";
					commandStart = true;
				} else commandStart = token === Token.Newline;
				continue;
			}
			if (token === frame.close) {
				frames.pop();
				if (frames.length === 0) return value.end;
				commandStart = false;
				continue;
			}
			if (commandStart) switch (token) {
				case Token.LParen:
					frames.push({
						close: Token.RParen,
						phase: "commands"
					});
					break;
				case Token.LBrace:
					frames.push({
						close: Token.RBrace,
						phase: "commands"
					});
					break;
				case Token.If:
					frames.push({
						close: Token.Fi,
						phase: "commands"
					});
					break;
				case Token.For:
					frames.push({
						close: Token.Done,
						phase: "for-header"
					});
					break;
				case Token.While:
				case Token.Until:
				case Token.Select:
					frames.push({
						close: Token.Done,
						phase: "commands"
					});
					break;
				case Token.Case:
					frames.push({
						close: Token.Esac,
						phase: "case-word"
					});
					break;
				case Token.DblLBracket:
					if (!this.skipTestCommandBody()) return -1;
					commandStart = false;
					continue;
				case Token.Assignment:
				case Token.Redirect:
				case Token.Bang:
				case Token.Then:
				case Token.Else:
				case Token.Elif:
				case Token.Do:
				case Token.In: break;
				case Token.Semi:
				case Token.Newline:
				case Token.Pipe:
				case Token.And:
				case Token.Or:
				case Token.Amp:
				case Token.DoubleSemi:
				case Token.SemiAmp:
				case Token.DoubleSemiAmp: break;
				case Token.Function:
					frame.phase = "function-name";
					break;
				case Token.Coproc:
					frame.phase = "coproc-command";
					break;
				default:
					if (token === Token.Word && value.keywordEligible && value.value === "time") {
						frame.phase = "time-command";
						commandStart = true;
					} else commandStart = false;
					continue;
			}
			switch (token) {
				case Token.Semi:
				case Token.Newline:
				case Token.Pipe:
				case Token.And:
				case Token.Or:
				case Token.Amp:
					commandStart = true;
					break;
				case Token.DoubleSemi:
				case Token.SemiAmp:
				case Token.DoubleSemiAmp:
					if (frame.close === Token.Esac) frame.phase = "case-pattern";
					commandStart = true;
					break;
				case Token.RParen: commandStart = true;
			}
		}
	}
	skipTestGroup() {
		let depth = 1;
		for (;;) {
			const value = this.next(LexContext.TestMode);
			if (value.token === Token.EOF) return -1;
			if (value.token === Token.DblRBracket) {
				this.unshift(value);
				return -1;
			}
			if (value.token === Token.LParen) depth++;
			else if (value.token === Token.RParen && --depth === 0) return value.end;
		}
	}
	skipTestCommandBody() {
		for (;;) {
			const token = this.next(LexContext.TestMode).token;
			if (token === Token.DblRBracket) return true;
			if (token === Token.EOF) return false;
		}
	}
	buildWordParts(startPos) {
		this._buildParts = true;
		this.pos = startPos;
		const ch = this.src.charCodeAt(startPos);
		if ((ch === 60 || ch === 62) && startPos + 1 < this.srcEnd && this.src.charCodeAt(startPos + 1) === 40) {
			this.pos = startPos + 2;
			const inner = this.extractBalanced();
			const text = this.src.slice(startPos, this.pos);
			const part = this.processSubstitution(startPos, text, ch === 60 ? "<" : ">", inner);
			if (this.pos < this.srcEnd) {
				this.readWordText();
				if (this._wordParts) this._wordParts.unshift(part);
				else this._wordParts = [part];
			} else this._wordParts = [part];
		} else {
			this.readWordText();
			if (this.pos < this.srcEnd && this._wordAssignmentState !== void 0 && this._wordAssignmentState >= ASSIGNMENT_INDEX_BASE) {
				this.pos = startPos;
				this.readWordText(true);
			}
		}
		return this._wordParts;
	}
	buildEmbeddedWordParts(startPos, arithmetic = false) {
		this._buildParts = true;
		this.pos = startPos;
		this.readInnerWordText(false, arithmetic);
		return this._wordParts;
	}
	buildArrayElementParts(startPos) {
		const close = this.findClosingBracket(startPos + 1);
		if (close === -1) return this.buildWordParts(startPos);
		const src = this.src;
		this._buildParts = true;
		const head = hasEmbeddedWordStructure(src, startPos, close + 1) ? this.parseSubFieldWord(startPos, close + 1, "embedded") : void 0;
		this.pos = close + 1;
		this.readWordText(false, LexContext.ArrayElement);
		const end = this.pos;
		const operator = skipLineContinuations(src, close + 1, end);
		const after = src.charCodeAt(operator);
		const keyed = after === 61 || after === 43 && src.charCodeAt(operator + 1) === 61;
		let headParts = head?.parts;
		let tailParts = this._wordParts;
		if (keyed) tailParts = parseGlobParts(src, close + 1, end, tailParts) ?? tailParts;
		if (!headParts && !tailParts) return keyed ? null : parseGlobParts(src, startPos, end, void 0) ?? null;
		const headText = src.slice(startPos, close + 1);
		if (!headParts) headParts = [{
			type: "Literal",
			pos: startPos,
			end: close + 1,
			text: headText,
			value: head?.value ?? headText
		}];
		if (!tailParts) tailParts = end > close + 1 ? [{
			type: "Literal",
			pos: close + 1,
			end,
			text: src.slice(close + 1, end),
			value: this._wordText
		}] : [];
		let parts = joinWordParts(headParts, tailParts);
		if (!keyed) parts = parseGlobParts(src, startPos, end, parts) ?? parts;
		return parts.length > 1 || parts[0].type !== "Literal" ? parts : null;
	}
	buildHereDocParts(bodyPos, bodyEnd) {
		this._buildParts = true;
		const src = this.src;
		const parts = [];
		let hasExpansion = false;
		let litBuf = "";
		let litStart = bodyPos;
		let i = bodyPos;
		const flushLit = () => {
			if (i > litStart) {
				parts.push({
					type: "Literal",
					pos: litStart,
					end: i,
					value: litBuf,
					text: src.slice(litStart, i)
				});
				litBuf = "";
			}
		};
		while (i < bodyEnd) {
			const ch = src.charCodeAt(i);
			if (ch === 92) {
				if (i + 1 < bodyEnd) {
					const nc = src.charCodeAt(i + 1);
					if (nc === 10) {
						i += 2;
						continue;
					}
					if (nc === 36 || nc === 96 || nc === 92) {
						litBuf += String.fromCharCode(nc);
						i += 2;
						continue;
					}
				}
				litBuf += "\\";
				i++;
				continue;
			}
			if (ch === 36 && src.charCodeAt(i + 1) !== 39 && src.charCodeAt(i + 1) !== 34) {
				flushLit();
				litStart = i;
				this.pos = i;
				this.readDollar();
				if (this._resultPart) {
					hasExpansion = true;
					parts.push(this._resultPart);
					litStart = this.pos;
				} else litBuf += src.slice(i, this.pos);
				i = this.pos;
				continue;
			}
			if (ch === 96) {
				flushLit();
				litStart = i;
				this.pos = i;
				this.readBacktickExpansion();
				if (this._resultPart) {
					hasExpansion = true;
					parts.push(this._resultPart);
					litStart = this.pos;
				} else litBuf += src.slice(i, this.pos);
				i = this.pos;
				continue;
			}
			litBuf += src[i];
			i++;
		}
		flushLit();
		return hasExpansion ? parts : null;
	}
	registerHereDocTarget(target) {
		if (this.pendingHereDocs === null) return;
		for (const hd of this.pendingHereDocs) if (!hd.target) {
			hd.target = target;
			return;
		}
	}
	readTestRegexWord() {
		this.hasPeek = false;
		this.skipSpacesAndTabs();
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		let depth = 0;
		while (this.pos < len) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 40) {
				depth++;
				this.pos++;
				continue;
			}
			if (ch === 92) {
				this.pos += this.pos + 1 < len ? 2 : 1;
				continue;
			}
			if (ch === 39) {
				const quotePos = this.pos++;
				const ansiC = quotePos > start && src.charCodeAt(quotePos - 1) === 36;
				while (this.pos < len && src.charCodeAt(this.pos) !== 39) {
					if (ansiC && src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				else this.errors.push({
					message: ansiC ? "unterminated ANSI-C quote" : "unterminated single quote",
					pos: quotePos
				});
				continue;
			}
			if (ch === 34) {
				this.pos++;
				this.readDoubleQuoted();
				continue;
			}
			if (ch === 96) {
				this.readBacktickExpansion();
				continue;
			}
			if (depth > 0) {
				if (ch === 41) depth--;
				this.pos++;
				continue;
			}
			if (ch === 36) {
				this.readDollar();
				continue;
			}
			if ((ch === 60 || ch === 62) && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				const subPos = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated process substitution",
					pos: subPos
				});
				continue;
			}
			if (ch < 128 && charType[ch] & 1 && ch !== 124) break;
			this.pos++;
		}
		setToken(this.current, Token.Word, src.slice(start, this.pos), start, this.pos);
		return this.current;
	}
	readCStyleForExprs() {
		this.hasPeek = false;
		const src = this.src;
		const len = this.srcEnd;
		while (this.pos < len && (src.charCodeAt(this.pos) === 32 || src.charCodeAt(this.pos) === 9)) this.pos++;
		const openPos = this.pos;
		if (this.pos < len && src.charCodeAt(this.pos) === 40) this.pos++;
		const starts = [
			this.pos,
			0,
			0
		];
		const parts = [
			"",
			"",
			"",
			0,
			0,
			0
		];
		let partIdx = 0;
		let depth = 1;
		let partStart = this.pos;
		let extra = false;
		const setPart = (end) => {
			const raw = src.slice(partStart, end);
			parts[partIdx] = raw.trim();
			parts[3 + partIdx] = starts[partIdx] + raw.length - raw.trimStart().length;
		};
		while (this.pos < len && depth > 0) {
			const c = src.charCodeAt(this.pos);
			if (c === 40) {
				depth++;
				this.pos++;
			} else if (c === 41) {
				depth--;
				if (depth === 0) {
					if (!extra) setPart(this.pos);
					if (partIdx < 2) this.errors.push({
						message: "expected three arithmetic expressions in for header",
						pos: this.pos
					});
					this.pos++;
					while (this.pos < len && (src.charCodeAt(this.pos) === 32 || src.charCodeAt(this.pos) === 9)) this.pos++;
					if (this.pos < len && src.charCodeAt(this.pos) === 41) this.pos++;
					break;
				}
				this.pos++;
			} else if (c === 59 && depth === 1) {
				if (partIdx === 2) {
					if (!extra) {
						setPart(this.pos);
						this.errors.push({
							message: "expected three arithmetic expressions in for header",
							pos: this.pos
						});
					}
					extra = true;
					this.pos++;
					continue;
				}
				setPart(this.pos);
				partIdx++;
				this.pos++;
				partStart = this.pos;
				starts[partIdx] = partStart;
			} else if (c === 36) this.readDollar();
			else if (c === 96) this.readBacktickExpansion();
			else if (c === 92) this.pos += this.pos + 1 < len ? 2 : 1;
			else if (c === 39) {
				this.pos++;
				this.skipSQ();
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
			} else this.pos++;
		}
		if (depth > 0) {
			if (!extra) setPart(this.pos);
			this.errors.push({
				message: "unterminated arithmetic for header",
				pos: openPos
			});
		}
		return parts;
	}
	peek(ctx = LexContext.Normal) {
		if (!this.hasPeek) {
			this.readNext(this.nextState, ctx);
			this.hasPeek = true;
		}
		return this.nextState;
	}
	peekFollow(closers) {
		if (!this.hasPeek) {
			const ctx = closers[this.current.token] ? LexContext.CommandStart : LexContext.Normal;
			this.readNext(this.nextState, ctx);
			this.hasPeek = true;
		}
		return this.nextState;
	}
	next(ctx = LexContext.Normal) {
		if (this.hasPeek) {
			this.hasPeek = false;
			const temp = this.current;
			this.current = this.nextState;
			this.nextState = temp;
			return this.current;
		}
		this.readNext(this.current, ctx);
		return this.current;
	}
	unshift(tok) {
		this.nextState.copyFrom(tok);
		this.hasPeek = true;
	}
	readNext(out, ctx) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		while (true) {
			pos = skipBlanks(src, pos, len);
			if (ctx === LexContext.TestMode) while (pos < len && src.charCodeAt(pos) === 10) pos = skipBlanks(src, pos + 1, len);
			if (pos >= len || src.charCodeAt(pos) !== 35) break;
			while (pos < len && src.charCodeAt(pos) !== 10) pos++;
		}
		this.pos = pos;
		if (pos >= len) {
			this.consumePendingHereDocs();
			setToken(out, Token.EOF, "", pos, pos);
			return;
		}
		const tokenStart = pos;
		const ch = src.charCodeAt(pos);
		if (ch === 10) {
			this.pos++;
			this.consumePendingHereDocs();
			setToken(out, Token.Newline, "\n", tokenStart, this.pos);
			return;
		}
		if (ctx === LexContext.TestMode && (ch === 60 || ch === 62) && !(this.pos + 1 < this.srcEnd && src.charCodeAt(this.pos + 1) === 40)) {
			this.pos++;
			setToken(out, Token.Word, ch === 60 ? "<" : ">", tokenStart, this.pos);
			out.keywordEligible = true;
			return;
		}
		if (ch < 128 && charType[ch] & 1 && this.tryReadOperator(out, ch, ctx, tokenStart)) return;
		if (ch === 91 && ctx === LexContext.ArrayElement && this.readArrayElement(out, tokenStart)) return;
		this.readWord(out, ctx, tokenStart);
	}
	tryReadOperator(out, ch, ctx, tokenStart) {
		const src = this.src;
		const pos = this.pos;
		const next = pos + 1 < this.srcEnd ? src.charCodeAt(pos + 1) : 0;
		switch (ch) {
			case 59:
				if (next === 59) {
					if (pos + 2 < this.srcEnd && src.charCodeAt(pos + 2) === 38) {
						this.pos += 3;
						setToken(out, Token.DoubleSemiAmp, ";;&", tokenStart, this.pos);
						return true;
					}
					this.pos += 2;
					setToken(out, Token.DoubleSemi, ";;", tokenStart, this.pos);
					return true;
				}
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.SemiAmp, ";&", tokenStart, this.pos);
					return true;
				}
				this.pos++;
				setToken(out, Token.Semi, ";", tokenStart, this.pos);
				return true;
			case 124:
				if (next === 124) {
					this.pos += 2;
					setToken(out, Token.Or, "||", tokenStart, this.pos);
					return true;
				}
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.Pipe, "|&", tokenStart, this.pos);
					return true;
				}
				this.pos++;
				setToken(out, Token.Pipe, "|", tokenStart, this.pos);
				return true;
			case 38:
				if (next === 38) {
					this.pos += 2;
					setToken(out, Token.And, "&&", tokenStart, this.pos);
					return true;
				}
				if (next === 62) {
					this.pos += 2;
					const append = this.pos < this.srcEnd && src.charCodeAt(this.pos) === 62;
					if (append) this.pos++;
					return this.readRedirectTarget(out, append ? "&>>" : "&>", tokenStart);
				}
				this.pos++;
				setToken(out, Token.Amp, "&", tokenStart, this.pos);
				return true;
			case 40:
				if (ctx === LexContext.CommandStart && next === 40) {
					const savedErrors = this.errors.length;
					this.readArithmeticCommand(out, tokenStart);
					if (!this._notArithmetic) return true;
					this.errors.length = savedErrors;
					this.pos = tokenStart;
				}
				this.pos++;
				setToken(out, Token.LParen, "(", tokenStart, this.pos);
				return true;
			case 41:
				this.pos++;
				setToken(out, Token.RParen, ")", tokenStart, this.pos);
				return true;
			case 60:
			case 62: return this.readRedirection(out, tokenStart);
			default: return false;
		}
	}
	readRedirection(out, tokenStart) {
		const src = this.src;
		const ch = src.charCodeAt(this.pos);
		let op = "";
		if (ch === 60) {
			this.pos++;
			const next = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
			if (next === 60) {
				this.pos++;
				const third = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
				if (third === 60) {
					this.pos++;
					op = "<<<";
				} else {
					const dash = third === 45;
					if (dash) this.pos++;
					this.skipSpacesAndTabs();
					const targetPos = this.pos;
					if (this.pos >= this.srcEnd || src.charCodeAt(this.pos) !== 35) this.readHereDocDelimiter();
					const hasTarget = this.pos > targetPos;
					if (hasTarget) (this.pendingHereDocs ?? (this.pendingHereDocs = [])).push({
						delimiter: this._hereDelim,
						strip: dash,
						quoted: this._hereQuoted
					});
					setToken(out, Token.Redirect, dash ? "<<-" : "<<", tokenStart, this.pos);
					out.content = hasTarget ? this._hereDelim : void 0;
					out.delimiterQuoted = hasTarget && this._hereQuoted;
					out.targetPos = targetPos;
					out.targetEnd = hasTarget ? this.pos : targetPos;
					return true;
				}
			} else if (next === 40) {
				this.readProcessSubstitution(out, "<", tokenStart);
				return true;
			} else if (next === 62) {
				op = "<>";
				this.pos++;
			} else if (next === 38) {
				op = "<&";
				this.pos++;
			} else op = "<";
		} else if (ch === 62) {
			this.pos++;
			const next = this.pos < this.srcEnd ? src.charCodeAt(this.pos) : 0;
			if (next === 40) {
				this.readProcessSubstitution(out, ">", tokenStart);
				return true;
			}
			if (next === 62) {
				op = ">>";
				this.pos++;
			} else if (next === 38) {
				op = ">&";
				this.pos++;
			} else if (next === 124) {
				op = ">|";
				this.pos++;
			} else op = ">";
		}
		return this.readRedirectTarget(out, op, tokenStart);
	}
	readRedirectTarget(out, op, tokenStart) {
		const src = this.src;
		this.skipSpacesAndTabs();
		if (this.pos < this.srcEnd) {
			const nc = src.charCodeAt(this.pos);
			if ((nc === 60 || nc === 62) && this.pos + 1 < this.srcEnd && src.charCodeAt(this.pos + 1) === 40) {
				const psStart = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated process substitution",
					pos: psStart
				});
				const psText = src.slice(psStart, this.pos);
				setToken(out, Token.Redirect, op, tokenStart, this.pos);
				out.content = psText;
				out.targetPos = psStart;
				out.targetEnd = this.pos;
				return true;
			}
			const targetPos = this.pos;
			if (nc !== 10 && nc !== 35) this.readRedirectTargetText();
			this.redirectToken(out, op, tokenStart, targetPos);
			return true;
		}
		this.redirectToken(out, op, tokenStart, this.pos);
		return true;
	}
	readRedirectTargetText() {
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		this.readWordText();
		this._buildValue = savedBuildValue;
	}
	redirectToken(out, operator, tokenStart, targetPos) {
		const hasTarget = this.pos > targetPos && (this._wordText.length > 0 || this._wordQuoted);
		setToken(out, Token.Redirect, operator, tokenStart, this.pos);
		out.content = hasTarget ? this._wordText : void 0;
		out.targetPos = targetPos;
		out.targetEnd = hasTarget ? this.pos : targetPos;
	}
	readProcessSubstitution(out, operator, tokenStart) {
		this.pos++;
		this.extractBalanced();
		if (this._unbalanced) this.errors.push({
			message: "unterminated process substitution",
			pos: tokenStart
		});
		const text = this.src.slice(tokenStart, this.pos);
		setToken(out, Token.Word, text, tokenStart, this.pos);
	}
	readHereDocDelimiter() {
		const src = this.src;
		const len = this.srcEnd;
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		let delimiter = "";
		let quoted = false;
		while (this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 39) {
				quoted = true;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 39) {
					delimiter += src[this.pos];
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 34) {
				quoted = true;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 34) {
					if (src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) {
						const next = src.charCodeAt(this.pos + 1);
						if (next === 10) {
							this.pos += 2;
							continue;
						}
						if (next === 36 || next === 96 || next === 34 || next === 92) this.pos++;
					}
					delimiter += src[this.pos];
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 92) {
				if (this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 10) {
					this.pos += 2;
					continue;
				}
				quoted = true;
				this.pos++;
				if (this.pos < len) {
					delimiter += src[this.pos];
					this.pos++;
				} else delimiter += "\\";
			} else if (c === 96) {
				const btStart = this.pos;
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				delimiter += src.slice(btStart, this.pos);
			} else if (c === 36) {
				const next = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (next === 39 || next === 34) quoted = true;
				this.readDollar();
				delimiter += this._resultText;
			} else if (c < 128 && charType[c] & 1) break;
			else {
				delimiter += src[this.pos];
				this.pos++;
			}
		}
		this._buildValue = savedBuildValue;
		this._hereDelim = delimiter;
		this._hereQuoted = quoted;
	}
	consumePendingHereDocs() {
		const pending = this.pendingHereDocs;
		if (pending === null || pending.length === 0) return;
		for (const hd of pending) {
			const bodyPos = this.pos;
			const bodyEnd = this.skipHereDocBody(hd.delimiter, hd.strip, this.parenBoundary, hd.quoted);
			if (hd.target) {
				hd.target.body.pos = bodyPos;
				hd.target.body.end = bodyEnd;
				hd.target.body.text = this.src.slice(bodyPos, bodyEnd);
				if (this.hereDocClosingPos !== -1) hd.target.closing = {
					pos: this.hereDocClosingPos,
					end: this.hereDocClosingEnd
				};
			}
		}
		pending.length = 0;
	}
	hereDocClosingPos = -1;
	hereDocClosingEnd = -1;
	matchHereDocDelimiter(delimiter, lineStart, end, join) {
		const src = this.src;
		let pos = lineStart;
		for (let i = 0; i < delimiter.length;) {
			if (join && src.charCodeAt(pos) === 92 && pos + 1 < end && src.charCodeAt(pos + 1) === 10) {
				pos += 2;
				continue;
			}
			if (pos >= end || src.charCodeAt(pos) !== delimiter.charCodeAt(i)) return -1;
			pos++;
			i++;
		}
		return pos;
	}
	logicalLineEnd(from, end, join) {
		const src = this.src;
		let lineEnd = src.indexOf("\n", from);
		while (lineEnd !== -1 && lineEnd < end) {
			if (!join) return lineEnd;
			let backslashes = lineEnd;
			while (backslashes > from && src.charCodeAt(backslashes - 1) === 92) backslashes--;
			if ((lineEnd - backslashes) % 2 === 0) return lineEnd;
			from = lineEnd + 1;
			lineEnd = src.indexOf("\n", from);
		}
		return end;
	}
	skipHereDocBody(delimiter, strip, parenEnds = false, quoted = false) {
		this.hereDocClosingPos = -1;
		this.hereDocClosingEnd = -1;
		const src = this.src;
		const len = this.srcEnd;
		while (this.pos < len) {
			let lineStart = this.pos;
			const lineEnd = this.logicalLineEnd(lineStart, len, !quoted);
			for (;;) {
				const before = lineStart;
				if (strip) while (lineStart < lineEnd && src.charCodeAt(lineStart) === 9) lineStart++;
				if (!quoted) lineStart = skipLineContinuations(src, lineStart, lineEnd);
				if (lineStart === before) break;
			}
			let afterDelim = this.matchHereDocDelimiter(delimiter, lineStart, lineEnd, !quoted);
			if (afterDelim !== -1 && !quoted) afterDelim = skipLineContinuations(src, afterDelim, lineEnd);
			if (afterDelim === lineEnd) {
				const bodyEnd = this.pos;
				if (!parenEnds || !this.parenBoundary || lineEnd !== len) {
					this.hereDocClosingPos = lineStart;
					this.hereDocClosingEnd = lineEnd;
				}
				this.pos = lineEnd < len ? lineEnd + 1 : lineEnd;
				return bodyEnd;
			}
			if (parenEnds && afterDelim !== -1) {
				let paren = afterDelim;
				while (paren < lineEnd && src.charCodeAt(paren) !== 41) paren++;
				if (paren < lineEnd || this.parenBoundary && lineEnd === len) {
					const bodyEnd = this.pos;
					this.pos = afterDelim;
					return bodyEnd;
				}
			}
			this.pos = lineEnd < len ? lineEnd + 1 : lineEnd;
		}
		return this.pos;
	}
	_wordText = "";
	_wordRaw = false;
	_wordQuoted = false;
	_wordHasExpansions = false;
	_wordKeywordEligible = false;
	_wordAssignmentState;
	_bracketWindow;
	_arithmeticBracketWindow;
	_wordParts = null;
	_resultText = "";
	_resultIsRaw = true;
	_resultHasExpansion = false;
	_resultPart;
	_unbalanced = false;
	_notArithmetic = false;
	_arithUnterminated = false;
	_dqText = "";
	_dqHasExpansions = false;
	_dqParts = null;
	_dqEnd = 0;
	_hereDelim = "";
	_hereQuoted = false;
	readWord(out, ctx, tokenStart = 0) {
		const errorStart = this._errors === null ? 0 : this._errors.length;
		this.readWordText(false, ctx, true);
		if (ctx === LexContext.Normal) {
			const next = this.pos < this.srcEnd ? this.src.charCodeAt(this.pos) : 0;
			if (!this._wordRaw || next !== 60 && next !== 62) {
				setSpanToken(out, Token.Word, tokenStart, this.pos, this._wordRaw);
				out.keywordEligible = this._wordKeywordEligible;
				return;
			}
		}
		this.classifyWord(out, ctx, tokenStart, errorStart);
	}
	isRedirectVariable(start, end) {
		const src = this.src;
		for (let i = start; i < end; i++) {
			const c = src.charCodeAt(i);
			if (c === 91 && i > start) return i + 2 < end && src.charCodeAt(end - 1) === 93 && this.findClosingShellDelimiter(i + 1, end, 93) === end - 1;
			if (c >= 128 || !(isIdChar[c] & (i === start ? 1 : 2))) return false;
		}
		return end > start;
	}
	readArrayElement(out, tokenStart) {
		const close = this.findClosingBracket(tokenStart + 1);
		if (close === -1) return false;
		this.pos = close + 1;
		this.readWordText();
		setSpanToken(out, Token.Word, tokenStart, this.pos, true);
		return true;
	}
	classifyWord(out, ctx, tokenStart, errorStart) {
		const src = this.src;
		const raw = this._wordRaw;
		const hasExpansions = this._wordHasExpansions;
		const quoted = this._wordQuoted;
		const keywordEligible = this._wordKeywordEligible;
		let assignmentState = this._wordAssignmentState;
		const wordEnd = this.pos;
		const wordLen = wordEnd - tokenStart;
		if (ctx === LexContext.CasePattern) {
			let token = Token.Word;
			if (keywordEligible) {
				const reserved = raw ? matchReservedWord(src, tokenStart, wordLen) : RESERVED_WORDS.get(this.wordValueOf(tokenStart, wordEnd));
				if (reserved === Token.Esac) token = reserved;
			}
			setSpanToken(out, token, tokenStart, wordEnd, raw);
			out.keywordEligible = keywordEligible;
			return;
		}
		let value = null;
		if (!raw && !hasExpansions && keywordEligible && (ctx === LexContext.CommandStart || ctx === LexContext.TestMode)) {
			const nextCh = wordEnd < this.srcEnd ? src.charCodeAt(wordEnd) : 0;
			if (!quoted && wordLen <= 16 || nextCh === 60 || nextCh === 62) value = this.wordValueOf(tokenStart, wordEnd);
		}
		if (ctx === LexContext.CommandStart && keywordEligible) {
			if (raw) {
				if (wordLen <= 8) {
					const reserved = matchReservedWord(src, tokenStart, wordLen);
					if (reserved !== void 0) {
						setSpanToken(out, reserved, tokenStart, wordEnd, true);
						return;
					}
				}
				if (wordLen === 2 && src.charCodeAt(tokenStart) === 91 && src.charCodeAt(tokenStart + 1) === 91) {
					setSpanToken(out, Token.DblLBracket, tokenStart, wordEnd, true);
					return;
				}
			} else if (value !== null && value.length > 0) {
				const fc = value.charCodeAt(0);
				if (fc >= 97 && fc <= 122 && value.length <= 8 || fc === 33 || fc === 123 || fc === 125) {
					const reserved = RESERVED_WORDS.get(value);
					if (reserved !== void 0) {
						setToken(out, reserved, value, tokenStart, wordEnd);
						return;
					}
				}
				if (fc === 91 && value === "[[") {
					setToken(out, Token.DblLBracket, value, tokenStart, wordEnd);
					return;
				}
			}
		}
		if (ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix || ctx === LexContext.Declaration) {
			if (assignmentState === void 0) {
				let eq = -1;
				let bracket = false;
				for (let i = tokenStart + 1; i < wordEnd; i++) {
					const c = src.charCodeAt(i);
					if (c === 61) {
						eq = i;
						break;
					}
					if (c === 91) bracket = true;
				}
				if (eq !== -1 || ctx !== LexContext.Declaration && bracket) assignmentState = scanAssignmentPrefix(src, tokenStart, wordEnd, ASSIGNMENT_NAME_START);
			}
			if (assignmentState !== void 0) {
				if (ctx !== LexContext.Declaration && assignmentState >= ASSIGNMENT_INDEX_BASE) {
					if (wordEnd < this.srcEnd) {
						if (this._errors !== null) this._errors.length = errorStart;
						this.pos = tokenStart;
						this.readWordText(true, ctx, true);
						if (this.pos > wordEnd) {
							this.classifyWord(out, ctx, tokenStart, errorStart);
							return;
						}
					}
					if (this._errors === null || this._errors.length === errorStart) this.errors.push({
						message: "unterminated array subscript",
						pos: src.indexOf("[", tokenStart)
					});
				}
				if (isMatchedAssignment(assignmentState)) {
					setSpanToken(out, Token.Assignment, tokenStart, wordEnd, raw);
					if (value !== null) out._value = value;
					out.assignmentOperatorPos = assignmentOperatorPos(assignmentState);
					return;
				}
			}
		}
		if ((ctx === LexContext.CommandStart || ctx === LexContext.TestMode) && keywordEligible) {
			if (raw) {
				if (wordLen === 2 && src.charCodeAt(tokenStart) === 93 && src.charCodeAt(tokenStart + 1) === 93) {
					setSpanToken(out, Token.DblRBracket, tokenStart, wordEnd, true);
					return;
				}
			} else if (value === "]]") {
				setToken(out, Token.DblRBracket, value, tokenStart, wordEnd);
				return;
			}
		}
		if (!hasExpansions && this.pos < this.srcEnd) {
			const nc = src.charCodeAt(this.pos);
			if (nc === 60 || nc === 62) {
				if (raw) {
					const fc = src.charCodeAt(tokenStart);
					if (fc >= 48 && fc <= 57 && isAllDigitsRange(src, tokenStart, wordEnd)) {
						const fd = Number.parseInt(src.slice(tokenStart, wordEnd), 10);
						if (this.readRedirection(out, tokenStart)) {
							out.fileDescriptor = fd;
							out.descriptorEnd = wordEnd;
							return;
						}
					}
					if (fc === 123 && src.charCodeAt(wordEnd - 1) === 125 && this.isRedirectVariable(tokenStart + 1, wordEnd - 1)) {
						const varname = src.slice(tokenStart + 1, wordEnd - 1);
						if (this.readRedirection(out, tokenStart)) {
							out.variableName = varname;
							out.descriptorEnd = wordEnd;
							return;
						}
					}
				}
			}
		}
		setSpanToken(out, Token.Word, tokenStart, wordEnd, raw);
		if (value !== null) out._value = value;
		out.keywordEligible = keywordEligible;
	}
	readWordText(subscripts = false, ctx = LexContext.Normal, scanning = false) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		const fastStart = pos;
		let exitCh = 0;
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c < 128 && charType[c]) {
				exitCh = c;
				break;
			}
			pos++;
		}
		if (pos >= len || charType[exitCh] & 1 && !(exitCh === 40 && pos > fastStart && extglobPrefix[src.charCodeAt(pos - 1)]) && !subscripts) {
			this.pos = pos;
			this._wordText = (this._buildParts || this._buildValue) && pos > fastStart ? src.slice(fastStart, pos) : "";
			this._wordRaw = true;
			this._wordQuoted = false;
			this._wordHasExpansions = false;
			this._wordKeywordEligible = true;
			this._wordAssignmentState = void 0;
			if (this._buildParts) this._wordParts = hasGlobCharacters(this._wordText) && ctx !== LexContext.ArrayElement ? parseGlobParts(src, fastStart, pos, void 0) ?? null : null;
			return;
		}
		const bp = this._buildParts;
		const bt = bp || this._buildValue;
		let text = bt && pos > fastStart ? src.slice(fastStart, pos) : "";
		let quoted = false;
		let hasExpansions = false;
		let keywordEligible = true;
		let valueIsRaw = true;
		let lastValueChar = pos > fastStart ? src.charCodeAt(pos - 1) : 0;
		let assignmentState = scanAssignmentPrefix(src, fastStart, pos, ASSIGNMENT_NAME_START);
		let parts;
		let litBuf = "";
		let litStart = 0;
		let hasGlobs = false;
		let braceResults;
		if (bp) {
			parts = [];
			litBuf = text;
			litStart = fastStart;
			hasGlobs = text.length > 0 && hasGlobCharacters(text);
		}
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch >= 128 || !charType[ch]) {
				const runStart = pos;
				pos++;
				while (pos < len) {
					const c = src.charCodeAt(pos);
					if (c < 128 && charType[c]) break;
					pos++;
				}
				lastValueChar = src.charCodeAt(pos - 1);
				assignmentState = scanAssignmentPrefix(src, runStart, pos, assignmentState);
				if (bt) {
					const chunk = src.slice(runStart, pos);
					text += chunk;
					if (bp) {
						litBuf += chunk;
						hasGlobs = hasGlobs || hasGlobCharacters(chunk);
					}
				}
				continue;
			}
			if (charType[ch] & 1) {
				if (subscripts && assignmentState >= ASSIGNMENT_INDEX_BASE) {
					const close = this.findClosingBracket(pos);
					if (close !== -1) {
						const spanEnd = close + 1;
						assignmentState = assignmentState === 5 ? ASSIGNMENT_AFTER_INDEX : assignmentState - 1;
						lastValueChar = src.charCodeAt(close);
						if (bt) {
							const chunk = src.slice(pos, spanEnd);
							text += chunk;
							if (bp) {
								litBuf += chunk;
								hasGlobs = hasGlobs || hasGlobCharacters(chunk);
							}
						}
						pos = spanEnd;
						continue;
					}
				}
				if (ch === 40 && lastValueChar < 128 && extglobPrefix[lastValueChar]) {
					if (ctx === LexContext.FunctionName || assignmentState >= ASSIGNMENT_INDEX_BASE && (ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix)) break;
					if (ctx === LexContext.CommandStart && lastValueChar === 33 && keywordEligible && src.charCodeAt(fastStart) === 33 && skipLineContinuations(src, fastStart + 1, len) === pos) break;
					const prefixChar = lastValueChar;
					if (prefixChar === 61 && scanning && !((ctx === LexContext.CommandStart || ctx === LexContext.CommandPrefix || ctx === LexContext.Declaration || ctx === LexContext.EvalArgument) && isMatchedAssignment(assignmentState) && skipLineContinuations(src, assignmentOperatorPos(assignmentState) + 1, len) === pos)) break;
					const innerStart = pos + 1;
					const close = this.findClosingShellDelimiter(innerStart, len, 41, prefixChar === 61);
					if (close === -1 && !scanning && !subscripts && assignmentState >= ASSIGNMENT_INDEX_BASE) break;
					if (ctx === LexContext.CommandStart && prefixChar !== 61 && close !== -1 && skipBlanks(src, innerStart, close) === close) break;
					keywordEligible = false;
					const patternEnd = close === -1 ? len : close;
					pos = close === -1 ? len : close + 1;
					if (close === -1) this.errors.push({
						message: "unterminated extended glob",
						pos: innerStart - 2
					});
					lastValueChar = src.charCodeAt(pos - 1);
					if (bt) {
						const eg = "(" + src.slice(innerStart, pos);
						text += eg;
						if (bp && prefixChar !== 61) {
							let prefixPos = innerStart - 2;
							while (src.charCodeAt(prefixPos) === 10 && src.charCodeAt(prefixPos - 1) === 92) prefixPos -= 2;
							if (litBuf.length > 0) {
								const trimmed = litBuf.slice(0, -1);
								if (prefixPos > litStart) parts.push({
									type: "Literal",
									pos: litStart,
									end: prefixPos,
									value: trimmed,
									text: src.slice(litStart, prefixPos)
								});
								litBuf = "";
							}
							const op = extglobOp[prefixChar];
							parts.push({
								type: "ExtendedGlob",
								pos: prefixPos,
								end: pos,
								text: src.slice(prefixPos, pos),
								operator: op,
								pattern: src.slice(innerStart, patternEnd),
								parts: this.subFieldParts(innerStart, patternEnd)
							});
							litStart = pos;
						} else if (bp) {
							litBuf += eg;
							hasGlobs = hasGlobs || hasGlobCharacters(eg);
						}
					}
					continue;
				}
				break;
			}
			if (ch === 92) {
				pos++;
				if (pos < len) {
					if (src.charCodeAt(pos) === 10) {
						pos++;
						valueIsRaw = false;
					} else {
						if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
						quoted = true;
						keywordEligible = false;
						valueIsRaw = false;
						lastValueChar = src.charCodeAt(pos);
						if (bt) {
							text += src[pos];
							if (bp) litBuf += src[pos];
						}
						pos++;
					}
				} else {
					if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
					quoted = true;
					keywordEligible = false;
					lastValueChar = 92;
					if (bt) {
						text += "\\";
						if (bp) litBuf += "\\";
					}
				}
				continue;
			}
			if (ch === 39) {
				const sqStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				quoted = true;
				keywordEligible = false;
				valueIsRaw = false;
				pos++;
				const start = pos;
				while (pos < len && src.charCodeAt(pos) !== 39) pos++;
				if (pos > start) lastValueChar = src.charCodeAt(pos - 1);
				const value = bt ? src.slice(start, pos) : "";
				if (bt) text += value;
				if (pos < len) pos++;
				else this.errors.push({
					message: "unterminated single quote",
					pos: start - 1
				});
				if (bp) {
					if (sqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: sqStart,
							value: litBuf,
							text: src.slice(litStart, sqStart)
						});
						litBuf = "";
					}
					parts.push({
						type: "SingleQuoted",
						pos: sqStart,
						end: pos,
						value,
						text: src.slice(sqStart, pos)
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 34) {
				const dqStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				quoted = true;
				keywordEligible = false;
				valueIsRaw = false;
				pos++;
				this.pos = pos;
				this.readDoubleQuoted();
				pos = this.pos;
				if (this._dqEnd > dqStart + 1) lastValueChar = src.charCodeAt(this._dqEnd - 1);
				if (this._dqHasExpansions) hasExpansions = true;
				if (bt) text += this._dqText;
				if (bp) {
					if (dqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: dqStart,
							value: litBuf,
							text: src.slice(litStart, dqStart)
						});
						litBuf = "";
					}
					const dqText = src.slice(dqStart, pos);
					parts.push({
						type: "DoubleQuoted",
						pos: dqStart,
						end: pos,
						text: dqText,
						parts: this._dqParts ?? [{
							type: "Literal",
							pos: dqStart + 1,
							end: this._dqEnd,
							value: this._dqText,
							text: src.slice(dqStart + 1, this._dqEnd)
						}]
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 36) {
				keywordEligible = false;
				const dollarStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				const next = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
				if (next === 39 || next === 34) quoted = true;
				this.pos = pos;
				this.readDollar();
				pos = this.pos;
				if (!this._resultIsRaw) valueIsRaw = false;
				if (pos > dollarStart) lastValueChar = src.charCodeAt(pos - 1);
				if (this._resultHasExpansion) hasExpansions = true;
				if (bt) text += this._resultText;
				if (bp) {
					if (this._resultPart) {
						if (dollarStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: dollarStart,
								value: litBuf,
								text: src.slice(litStart, dollarStart)
							});
							litBuf = "";
						}
						parts.push(this._resultPart);
						litStart = pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				keywordEligible = false;
				const btStart = pos;
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				this.pos = pos;
				this.readBacktickExpansion();
				pos = this.pos;
				valueIsRaw = false;
				lastValueChar = src.charCodeAt(pos - 1);
				hasExpansions = true;
				if (bt) text += this._resultText;
				if (bp) {
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = pos;
				}
				continue;
			}
			if (ch === 123) {
				if (assignmentState >= 0 && assignmentState < ASSIGNMENT_INDEX_BASE) assignmentState = ASSIGNMENT_INVALID;
				const first = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
				const braceEnd = first <= 32 || first === 125 ? -1 : this.scanBraceExpansion(pos, braceResults ?? (braceResults = /* @__PURE__ */ new Map()));
				if (braceEnd > 0) {
					keywordEligible = false;
					lastValueChar = src.charCodeAt(braceEnd - 1);
					if (bt) {
						const braceText = src.slice(pos, braceEnd);
						text += braceText;
						if (bp) {
							if (pos > litStart) {
								parts.push({
									type: "Literal",
									pos: litStart,
									end: pos,
									value: litBuf,
									text: src.slice(litStart, pos)
								});
								litBuf = "";
							}
							parts.push({
								type: "BraceExpansion",
								pos,
								end: braceEnd,
								text: braceText,
								parts: this.subFieldParts(pos + 1, braceEnd - 1)
							});
							litStart = braceEnd;
						}
					}
					pos = braceEnd;
					continue;
				}
				lastValueChar = 123;
				if (bt) {
					text += "{";
					if (bp) litBuf += "{";
				}
				pos++;
				continue;
			}
			pos++;
		}
		if (bp && pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: pos,
			value: litBuf,
			text: src.slice(litStart, pos)
		});
		this.pos = pos;
		this._wordText = text;
		this._wordRaw = valueIsRaw;
		this._wordQuoted = quoted;
		this._wordHasExpansions = hasExpansions;
		this._wordKeywordEligible = keywordEligible;
		this._wordAssignmentState = assignmentState;
		if (bp) {
			this._wordParts = parts.length > 1 || parts.length === 1 && parts[0].type !== "Literal" ? parts : null;
			if (hasGlobs && ctx !== LexContext.ArrayElement) this._wordParts = parseGlobParts(src, fastStart, pos, this._wordParts) ?? null;
		}
	}
	readInnerWordText(insideDoubleQuotes = false, arithmetic = false, globs = false) {
		const src = this.src;
		const len = this.srcEnd;
		let pos = this.pos;
		const start = pos;
		let text = "";
		const bp = this._buildParts;
		let parts;
		let litBuf = "";
		let litStart = 0;
		let preserveLiteral = false;
		let hasGlobs = false;
		if (bp) {
			parts = [];
			litStart = pos;
		}
		while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch === 92) {
				pos++;
				if (pos < len) {
					if (src.charCodeAt(pos) === 10) pos++;
					else {
						const next = src.charCodeAt(pos);
						if (insideDoubleQuotes && next !== 36 && next !== 96 && next !== 34 && next !== 92 && next !== 125) {
							text += "\\";
							if (bp) litBuf += "\\";
							preserveLiteral = true;
						}
						const escaped = src[pos++];
						text += escaped;
						if (bp) litBuf += escaped;
					}
				}
				continue;
			}
			if (ch === 39 && !insideDoubleQuotes) {
				const sqStart = pos;
				pos++;
				const start = pos;
				while (pos < len && src.charCodeAt(pos) !== 39) pos++;
				const value = src.slice(start, pos);
				text += value;
				if (pos < len) pos++;
				if (bp) {
					if (sqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: sqStart,
							value: litBuf,
							text: src.slice(litStart, sqStart)
						});
						litBuf = "";
					}
					parts.push({
						type: "SingleQuoted",
						pos: sqStart,
						end: pos,
						value,
						text: src.slice(sqStart, pos)
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 34) {
				const dqStart = pos;
				pos++;
				this.pos = pos;
				this.readDoubleQuoted(insideDoubleQuotes);
				pos = this.pos;
				text += this._dqText;
				if (bp) {
					if (dqStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: dqStart,
							value: litBuf,
							text: src.slice(litStart, dqStart)
						});
						litBuf = "";
					}
					const dqText = src.slice(dqStart, pos);
					parts.push({
						type: "DoubleQuoted",
						pos: dqStart,
						end: pos,
						text: dqText,
						parts: this._dqParts ?? [{
							type: "Literal",
							pos: dqStart + 1,
							end: this._dqEnd,
							value: this._dqText,
							text: src.slice(dqStart + 1, this._dqEnd)
						}]
					});
					litStart = pos;
				}
				continue;
			}
			if (ch === 36) {
				const dollarStart = pos;
				this.pos = pos;
				this.readDollar(insideDoubleQuotes);
				pos = this.pos;
				text += this._resultText;
				if (bp) {
					if (this._resultPart) {
						if (dollarStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: dollarStart,
								value: litBuf,
								text: src.slice(litStart, dollarStart)
							});
							litBuf = "";
						}
						parts.push(this._resultPart);
						litStart = pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				const btStart = pos;
				this.pos = pos;
				this.readBacktickExpansion(insideDoubleQuotes);
				pos = this.pos;
				text += this._resultText;
				if (bp) {
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = pos;
				}
				continue;
			}
			if (!insideDoubleQuotes && !arithmetic && (ch === 60 || ch === 62) && pos + 1 < len && src.charCodeAt(pos + 1) === 40) {
				const psStart = pos;
				this.pos = pos + 2;
				const inner = this.extractBalanced();
				pos = this.pos;
				const raw = src.slice(psStart, pos);
				text += raw;
				if (bp) {
					if (psStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: psStart,
							value: litBuf,
							text: src.slice(litStart, psStart)
						});
						litBuf = "";
					}
					parts.push(this.processSubstitution(psStart, raw, ch === 60 ? "<" : ">", inner));
					litStart = pos;
				}
				continue;
			}
			text += src[pos];
			if (bp) {
				litBuf += src[pos];
				if (globs && (ch === 42 || ch === 63 || ch === 91)) hasGlobs = true;
			}
			pos++;
		}
		if (bp && pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: pos,
			value: litBuf,
			text: src.slice(litStart, pos)
		});
		this.pos = pos;
		this._wordText = text;
		this._wordRaw = false;
		this._wordQuoted = false;
		this._wordHasExpansions = false;
		this._wordKeywordEligible = false;
		if (bp) {
			this._wordParts = parts.length > 1 || parts.length === 1 && (parts[0].type !== "Literal" || preserveLiteral) ? parts : null;
			if (hasGlobs) this._wordParts = parseGlobParts(src, start, pos, this._wordParts) ?? null;
		}
	}
	subFieldParts(start, end) {
		if (this._nestingDepth >= 256) return void 0;
		return hasEmbeddedWordStructure(this.src, start, end) ? this.parseSubFieldWord(start, end).parts : parseGlobParts(this.src, start, end, void 0);
	}
	parseSubFieldWord(start, end, context = "word", arithmetic = false) {
		if (start >= end) return new WordImpl("", start, start);
		if (this._nestingDepth >= 256) return new WordImpl(this.src.slice(start, end), start, end);
		this._nestingDepth++;
		const savedEnd = this.srcEnd;
		const savedBracketWindow = this._bracketWindow;
		const savedArithmeticBracketWindow = this._arithmeticBracketWindow;
		const savedPos = this.pos;
		const savedText = this._wordText;
		const savedParts = this._wordParts;
		const savedQuoted = this._wordQuoted;
		const savedKeywordEligible = this._wordKeywordEligible;
		this.srcEnd = end;
		this.pos = start;
		this.readInnerWordText(context === "quoted", arithmetic, context === "word");
		const word = new WordImpl(this.src.slice(start, end), start, end);
		if (this._buildParts) word.parts = this._wordParts ?? void 0;
		this.srcEnd = savedEnd;
		this._bracketWindow = savedBracketWindow;
		this._arithmeticBracketWindow = savedArithmeticBracketWindow;
		this.pos = savedPos;
		this._wordText = savedText;
		this._wordParts = savedParts;
		this._wordQuoted = savedQuoted;
		this._wordKeywordEligible = savedKeywordEligible;
		this._nestingDepth--;
		return word;
	}
	skipSQ() {
		while (this.pos < this.srcEnd && this.src.charCodeAt(this.pos) !== 39) this.pos++;
		if (this.pos < this.srcEnd) this.pos++;
	}
	skipAnsiCQuoted() {
		const quotePos = this.pos - 1;
		const result = decodeAnsiCQuoted(this.src, this.pos, this.srcEnd);
		this.pos = result.end;
		if (!result.closed) this.errors.push({
			message: "unterminated ANSI-C quote",
			pos: quotePos
		});
	}
	skipDQ() {
		const src = this.src;
		const len = this.srcEnd;
		this._unbalanced = false;
		if (this._nestingDepth < 256) while (this.pos < len) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 34) {
				this.pos++;
				return;
			}
			if (ch === 92) {
				this.pos = Math.min(this.pos + 2, len);
				continue;
			}
			if (ch === 96) break;
			if (ch === 36) {
				const next = src.charCodeAt(this.pos + 1);
				if (next === 40 || next === 123 || next === 36) break;
			}
			this.pos++;
		}
		this.extractBalanced(true, true);
	}
	skipSpacesAndTabs() {
		this.pos = skipBlanks(this.src, this.pos, this.srcEnd);
	}
	readDoubleQuoted(unescapeAll = false) {
		const src = this.src;
		const len = this.srcEnd;
		const contentStart = this.pos;
		let hasExpansions = false;
		const bp = this._buildParts;
		const bt = bp || this._buildValue;
		if (!bp) {
			let p = this.pos;
			while (p < len) {
				const c = src.charCodeAt(p);
				if (c === 34) {
					this._dqText = bt ? src.slice(contentStart, p) : "";
					this._dqEnd = p;
					this.pos = p + 1;
					this._dqHasExpansions = false;
					this._dqParts = null;
					return;
				}
				if (c === 36 || c === 96 || c === 92) break;
				p++;
			}
		}
		let text = "";
		let parts = null;
		let litBuf = "";
		let litStart = bp ? this.pos : 0;
		while (this.pos < len && src.charCodeAt(this.pos) !== 34) {
			const runStart = this.pos;
			while (this.pos < len) {
				const c = src.charCodeAt(this.pos);
				if (c === 34 || c === 92 || c === 36 || c === 96) break;
				this.pos++;
			}
			if (bt && this.pos > runStart) {
				const chunk = src.slice(runStart, this.pos);
				text += chunk;
				if (bp) litBuf += chunk;
			}
			if (this.pos >= len || src.charCodeAt(this.pos) === 34) break;
			const ch = src.charCodeAt(this.pos);
			if (ch === 92) {
				this.pos++;
				if (this.pos < len) {
					const next = src.charCodeAt(this.pos);
					if (next === 10) {
						this.pos++;
						continue;
					}
					if (bt) {
						if (unescapeAll || next === 36 || next === 96 || next === 34 || next === 92) {
							const c = src[this.pos];
							text += c;
							if (bp) litBuf += c;
						} else {
							const pair = "\\" + src[this.pos];
							text += pair;
							if (bp) litBuf += pair;
						}
					}
					this.pos++;
				}
				continue;
			}
			if (ch === 36) {
				const afterDollar = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (afterDollar === 34 || afterDollar === 39) {
					if (bt) {
						text += "$";
						if (bp) litBuf += "$";
					}
					this.pos++;
					continue;
				}
				const expStart = this.pos;
				this.readDollar(true);
				if (bt) text += this._resultText;
				if (this._resultHasExpansion) hasExpansions = true;
				if (bp) {
					const rp = this._resultPart;
					if (rp && isDQChild(rp)) {
						if (!parts) parts = [];
						if (expStart > litStart) {
							parts.push({
								type: "Literal",
								pos: litStart,
								end: expStart,
								value: litBuf,
								text: src.slice(litStart, expStart)
							});
							litBuf = "";
						}
						parts.push(rp);
						litStart = this.pos;
					} else litBuf += this._resultText;
				}
				continue;
			}
			if (ch === 96) {
				const btStart = this.pos;
				this.readBacktickExpansion(true);
				if (bt) text += this._resultText;
				hasExpansions = true;
				if (bp && this._resultPart && isDQChild(this._resultPart)) {
					if (!parts) parts = [];
					if (btStart > litStart) {
						parts.push({
							type: "Literal",
							pos: litStart,
							end: btStart,
							value: litBuf,
							text: src.slice(litStart, btStart)
						});
						litBuf = "";
					}
					parts.push(this._resultPart);
					litStart = this.pos;
				}
				continue;
			}
		}
		if (bp && parts && this.pos > litStart) parts.push({
			type: "Literal",
			pos: litStart,
			end: this.pos,
			value: litBuf,
			text: src.slice(litStart, this.pos)
		});
		this._dqEnd = this.pos;
		if (this.pos < len) this.pos++;
		else this.errors.push({
			message: "unterminated double quote",
			pos: contentStart - 1
		});
		this._dqText = text;
		this._dqHasExpansions = hasExpansions;
		this._dqParts = parts;
	}
	readDollar(insideDoubleQuotes = false) {
		const dollarPos = this.pos;
		this.pos++;
		const src = this.src;
		const len = this.srcEnd;
		const bt = this._buildParts || this._buildValue;
		if (this.pos >= len) {
			this._resultText = "$";
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = void 0;
			return;
		}
		const logicalPos = skipLineContinuations(src, this.pos, len);
		if (logicalPos > this.pos && src.charCodeAt(logicalPos) === 40 && src.charCodeAt(logicalPos + 1) !== 40) this.pos = logicalPos;
		const ch = src.charCodeAt(this.pos);
		if (ch === 40) {
			if (this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				const savedPos = this.pos;
				const savedErrors = this.errors.length;
				this.readArithmeticExpansion(dollarPos);
				if (!this._notArithmetic) return;
				this.errors.length = savedErrors;
				this.pos = savedPos;
			}
			this.readCommandSubstitution(dollarPos);
			return;
		}
		if (ch === 123) {
			const after = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
			if (after === 32 || after === 9 || after === 10) {
				this.readBraceCommandSubstitution();
				return;
			}
			if (after === 124) {
				this.readValueSubstitution();
				return;
			}
			this.readParameterExpansion(insideDoubleQuotes);
			return;
		}
		if (ch === 39) {
			this.pos++;
			if (bt) {
				const value = this.readAnsiCQuoted();
				this._resultText = value;
				this._resultPart = this._buildParts ? {
					type: "AnsiCQuoted",
					pos: dollarPos,
					end: this.pos,
					text: src.slice(dollarPos, this.pos),
					value
				} : void 0;
			} else {
				this.skipAnsiCQuoted();
				this._resultText = "";
				this._resultPart = void 0;
			}
			this._resultIsRaw = false;
			this._resultHasExpansion = false;
			return;
		}
		if (ch === 34) {
			this.pos++;
			this.readDoubleQuoted(insideDoubleQuotes);
			this._resultText = this._dqText;
			this._resultIsRaw = false;
			this._resultHasExpansion = this._dqHasExpansions;
			if (this._buildParts) {
				const text = src.slice(dollarPos, this.pos);
				this._resultPart = {
					type: "LocaleString",
					pos: dollarPos,
					end: this.pos,
					text,
					parts: this._dqParts ?? [{
						type: "Literal",
						pos: dollarPos + 2,
						end: this._dqEnd,
						value: this._dqText,
						text: src.slice(dollarPos + 2, this._dqEnd)
					}]
				};
			} else this._resultPart = void 0;
			return;
		}
		if (ch === 64 || ch === 42 || ch === 35 || ch === 63 || ch === 45 || ch === 36 || ch === 33 || ch >= 48 && ch <= 57) {
			this.pos++;
			const text = bt ? src.slice(this.pos - 2, this.pos) : "";
			this._resultText = text;
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = this._buildParts ? {
				type: "SimpleExpansion",
				pos: dollarPos,
				end: this.pos,
				text
			} : void 0;
			return;
		}
		if (ch < 128 && isIdChar[ch] & 1) {
			const namePos = this.pos - 1;
			while (this.pos < len) {
				const c = src.charCodeAt(this.pos);
				if (c < 128 && isIdChar[c] & 2) this.pos++;
				else break;
			}
			const text = bt ? src.slice(namePos, this.pos) : "";
			this._resultText = text;
			this._resultIsRaw = true;
			this._resultHasExpansion = false;
			this._resultPart = this._buildParts ? {
				type: "SimpleExpansion",
				pos: dollarPos,
				end: this.pos,
				text
			} : void 0;
			return;
		}
		if (ch === 91) {
			const errorCount = this._errors === null ? 0 : this._errors.length;
			const close = this.findClosingArithmeticBracket(this.pos + 1);
			if (close !== -1) {
				const bodyStart = this.pos + 1;
				const body = src.slice(bodyStart, close);
				this.pos = close + 1;
				const text = bt ? src.slice(dollarPos, this.pos) : "";
				this._resultText = text;
				this._resultIsRaw = true;
				this._resultHasExpansion = false;
				this._resultPart = this._buildParts ? this.arithmeticExpansion(bodyStart - 2, text, body, bodyStart) : void 0;
				return;
			}
			if (this._errors !== null) this._errors.length = errorCount;
		}
		this._resultText = "$";
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		this._resultPart = void 0;
	}
	scanArithmeticBody() {
		this._notArithmetic = false;
		this._arithUnterminated = false;
		this.pos += 2;
		let depth = 1;
		let parenDepth = 0;
		let parentParenDepth = 0;
		let parenDepths;
		let reported = false;
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		while (this.pos < len && depth > 0) {
			const c = src.charCodeAt(this.pos);
			if (c === 92) this.pos += this.pos + 1 < len ? 2 : 1;
			else if (c === 39) {
				this.pos++;
				this.skipSQ();
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
			} else if (c === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
			} else if (c === 36 && this.pos + 2 < len && src.charCodeAt(this.pos + 1) === 40 && src.charCodeAt(this.pos + 2) !== 40) {
				const dollarPos = this.pos;
				this.pos += 2;
				this.extractBalanced();
				if (this._unbalanced) this.errors.push({
					message: "unterminated command substitution",
					pos: dollarPos
				});
			} else if (c === 36 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 123) {
				const close = this.findClosingBrace(this.pos + 2, len);
				this.pos = close === -1 ? len : close + 1;
			} else if ((c === 60 || c === 62) && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) {
				this.pos += 2;
				this.extractBalanced();
			} else if (c === 40) {
				if (src.charCodeAt(this.pos - 1) === 36 && src.charCodeAt(this.pos + 1) === 40) {
					if (depth === 1) parentParenDepth = parenDepth;
					else (parenDepths ?? (parenDepths = [])).push(parenDepth);
					depth++;
					parenDepth = 0;
					if (depth + this._nestingDepth > 256 && !reported) {
						this.errors.push({
							message: "maximum arithmetic expansion nesting depth exceeded",
							pos: this.pos - 1
						});
						reported = true;
					}
					this.pos += 2;
				} else {
					if (++parenDepth + depth - 1 + this._nestingDepth > 256 && !reported) {
						this.errors.push({
							message: "maximum arithmetic expression nesting depth exceeded",
							pos: this.pos
						});
						reported = true;
					}
					this.pos++;
				}
			} else if (c === 41 && parenDepth > 0) {
				parenDepth--;
				this.pos++;
			} else if (c === 41 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 41) {
				if (--depth === 0) {
					this.pos += 2;
					break;
				}
				parenDepth = depth === 1 ? parentParenDepth : parenDepths.pop();
				this.pos += 2;
			} else if (c === 41 && depth === 1) {
				this._notArithmetic = true;
				return "";
			} else this.pos++;
		}
		const bt = this._buildParts || this._buildValue;
		if (depth > 0) {
			this._arithUnterminated = true;
			return bt ? src.slice(start, this.pos) : "";
		}
		return bt ? src.slice(start, this.pos - 2) : "";
	}
	readArithmeticExpansion(dollarPos) {
		const bodyStart = this.pos + 2;
		const body = this.scanArithmeticBody();
		if (this._notArithmetic) return;
		if (this._arithUnterminated) this.errors.push({
			message: "unterminated arithmetic expansion",
			pos: dollarPos
		});
		const text = this._buildParts || this._buildValue ? this.src.slice(dollarPos, this.pos) : "";
		this._resultText = text;
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		this._resultPart = this._buildParts ? this.arithmeticExpansion(dollarPos, text, body, bodyStart) : void 0;
	}
	arithmeticExpansion(pos, text, body, bodyStart) {
		return new ArithmeticExpansionImpl(pos, this.pos, text, {
			source: this.src,
			body,
			offset: bodyStart,
			depth: this._nestingDepth,
			context: this.substitutionContext
		});
	}
	readArithmeticCommand(out, tokenStart) {
		const savedBuildValue = this._buildValue;
		this._buildValue = true;
		const body = this.scanArithmeticBody();
		this._buildValue = savedBuildValue;
		if (this._arithUnterminated) this.errors.push({
			message: "unterminated arithmetic command",
			pos: tokenStart
		});
		setToken(out, Token.ArithCmd, body, tokenStart, this.pos);
	}
	readCommandSubstitution(dollarPos) {
		const openPos = this.pos;
		this.pos++;
		const inner = this.extractBalanced();
		if (this._unbalanced) this.errors.push({
			message: "unterminated command substitution",
			pos: dollarPos
		});
		const bt = this._buildParts || this._buildValue;
		const rawText = bt ? this.src.slice(dollarPos, this.pos) : "";
		const text = !bt || openPos === dollarPos + 1 ? rawText : "$" + this.src.slice(openPos, this.pos);
		this._resultText = text;
		this._resultIsRaw = openPos === dollarPos + 1;
		this._resultHasExpansion = true;
		if (this._buildParts) this._resultPart = this.commandExpansion(dollarPos, rawText, openPos + 1, inner, !this._unbalanced);
		else this._resultPart = void 0;
	}
	readBraceCommandSubstitution() {
		this.readBraceSubstitution(1);
	}
	readValueSubstitution() {
		this.readBraceSubstitution(2);
	}
	readBraceSubstitution(skip) {
		const dollarPos = this.pos - 1;
		this.pos += skip;
		const src = this.src;
		const len = this.srcEnd;
		let depth = 1;
		const start = this.pos;
		while (this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 123) depth++;
			else if (c === 125) {
				if (--depth === 0) {
					this.pos++;
					break;
				}
			} else if (c === 39) {
				this.pos++;
				this.skipSQ();
				continue;
			} else if (c === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			} else if (c === 92) this.pos++;
			this.pos++;
		}
		this._resultIsRaw = true;
		this._resultHasExpansion = true;
		if (this._buildParts || this._buildValue) {
			const rawInner = src.slice(start, this.pos - 1);
			const inner = rawInner.trim();
			const text = src.slice(dollarPos, this.pos);
			this._resultText = text;
			if (this._buildParts) {
				const innerStart = start + (rawInner.length - rawInner.trimStart().length);
				this._resultPart = this.commandExpansion(dollarPos, text, innerStart, inner);
			} else this._resultPart = void 0;
		} else {
			this._resultText = "";
			this._resultPart = void 0;
		}
	}
	readBacktickExpansion(insideDoubleQuotes = false) {
		this.pos++;
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		if (!this._buildParts && !this._buildValue) {
			while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
				if (src.charCodeAt(this.pos) === 92 && this.pos + 1 < len) this.pos++;
				this.pos++;
			}
			if (this.pos < len) this.pos++;
			else this.errors.push({
				message: "unterminated backtick",
				pos: start - 1
			});
			this._resultText = "";
			this._resultIsRaw = false;
			this._resultHasExpansion = true;
			this._resultPart = void 0;
			return;
		}
		let inner = "";
		let hasEscapes = false;
		while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
			if (src.charCodeAt(this.pos) === 92) {
				hasEscapes = true;
				break;
			}
			this.pos++;
		}
		if (!hasEscapes) inner = src.slice(start, this.pos);
		else {
			inner = src.slice(start, this.pos);
			while (this.pos < len && src.charCodeAt(this.pos) !== 96) if (src.charCodeAt(this.pos) === 92) {
				this.pos++;
				if (this.pos < len) {
					const c = src.charCodeAt(this.pos);
					if (c === 36 || c === 96 || c === 92 || insideDoubleQuotes && c === 34) inner += src[this.pos];
					else inner += "\\" + src[this.pos];
					this.pos++;
				}
			} else {
				const runStart = this.pos;
				while (this.pos < len) {
					const c = src.charCodeAt(this.pos);
					if (c === 96 || c === 92) break;
					this.pos++;
				}
				inner += src.slice(runStart, this.pos);
			}
		}
		if (this.pos < len) this.pos++;
		else this.errors.push({
			message: "unterminated backtick",
			pos: start - 1
		});
		const text = src.slice(start - 1, this.pos);
		this._resultText = inner;
		this._resultHasExpansion = true;
		if (this._buildParts) this._resultPart = hasEscapes ? this.decodedCommandExpansion(start - 1, text, inner) : this.commandExpansion(start - 1, text, start, inner);
		else this._resultPart = void 0;
	}
	readParameterExpansion(insideDoubleQuotes) {
		const src = this.src;
		const len = this.srcEnd;
		const start = this.pos;
		this.pos++;
		let depth = 1;
		let reported = false;
		while (this.pos < len && depth > 0) {
			const ch = src.charCodeAt(this.pos);
			if (ch === 36) {
				const next = this.pos + 1 < len ? src.charCodeAt(this.pos + 1) : 0;
				if (next === 123) {
					depth++;
					if (this._nestingDepth + depth > 256 && !reported) {
						this.errors.push({
							message: "maximum parameter expansion nesting depth exceeded",
							pos: this.pos
						});
						reported = true;
					}
					this.pos += 2;
					continue;
				}
				if (next === 36) {
					this.pos += 2;
					continue;
				}
				if (next === 40) {
					const dollarPos = this.pos;
					this.pos += 2;
					this.extractBalanced();
					if (this._unbalanced) this.errors.push({
						message: "unterminated command substitution",
						pos: dollarPos
					});
					continue;
				}
			} else if (ch === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					this.pos++;
				}
				if (this.pos < len) this.pos++;
				continue;
			} else if (ch === 125) {
				if (--depth === 0) {
					this.pos++;
					break;
				}
			} else if (ch === 92) {
				if (this.pos + 1 < len) this.pos++;
			} else if (ch === 39) {
				this.pos++;
				if (this.pos > start + 1 && src.charCodeAt(this.pos - 2) === 36) this.skipAnsiCQuoted();
				else this.skipSQ();
				continue;
			} else if (ch === 34) {
				this.pos++;
				this.skipDQ();
				continue;
			}
			this.pos++;
		}
		const closed = depth === 0;
		if (!closed) this.errors.push({
			message: "unterminated parameter expansion",
			pos: start - 1
		});
		const text = this._buildParts || this._buildValue ? src.slice(start - 1, this.pos) : "";
		this._resultText = text;
		this._resultIsRaw = true;
		this._resultHasExpansion = false;
		if (this._buildParts) {
			const inner = src.slice(start + 1, closed ? this.pos - 1 : this.pos);
			this._resultPart = this.parseParamInner(text, inner, start + 1, insideDoubleQuotes);
		} else this._resultPart = void 0;
	}
	parseParamInner(text, inner, innerStart, insideDoubleQuotes) {
		const result = {
			type: "ParameterExpansion",
			pos: innerStart - 2,
			end: this.pos,
			text,
			parameter: "",
			parameterPos: innerStart,
			parameterEnd: innerStart,
			prefix: void 0,
			index: void 0,
			operation: void 0
		};
		const ilen = inner.length;
		if (ilen === 0) return result;
		const sub = (a, b, context = "word") => this.parseSubFieldWord(innerStart + a, innerStart + b, context);
		const closeBracket = (start) => {
			const close = this.findClosingBracket(innerStart + start, innerStart + ilen);
			return close === -1 ? -1 : close - innerStart;
		};
		let i = 0;
		if (ilen > 1 && inner.charCodeAt(0) === 33) {
			result.prefix = "!";
			i = 1;
		}
		if (ilen > 1 && inner.charCodeAt(0) === 35) {
			const nameEnd = this.scanParamName(inner, 1);
			let parameterEnd = nameEnd;
			let indexEnd = -1;
			if (parameterEnd < ilen && inner.charCodeAt(parameterEnd) === 91) {
				indexEnd = closeBracket(parameterEnd + 1);
				if (indexEnd !== -1) parameterEnd = indexEnd + 1;
			}
			if (nameEnd > 1 && parameterEnd === ilen) {
				result.prefix = "#";
				result.parameter = inner.slice(1, nameEnd);
				result.parameterPos = innerStart + 1;
				result.parameterEnd = innerStart + nameEnd;
				if (indexEnd !== -1) result.index = sub(nameEnd + 1, indexEnd, "embedded");
				return result;
			}
		}
		const nameStart = i;
		i = this.scanParamName(inner, i);
		result.parameter = inner.slice(nameStart, i);
		result.parameterPos = innerStart + nameStart;
		result.parameterEnd = innerStart + i;
		if (i < ilen && inner.charCodeAt(i) === 91) {
			const closeB = closeBracket(i + 1);
			if (closeB !== -1) {
				result.index = sub(i + 1, closeB, "embedded");
				i = closeB + 1;
			}
		}
		if (i >= ilen) return result;
		const pos = innerStart + i;
		const end = innerStart + ilen;
		const opChar = inner.charCodeAt(i);
		const nextChar = inner.charCodeAt(i + 1);
		const defaultChar = inner[opChar === 58 ? i + 1 : i];
		if (defaultChar === "-" || defaultChar === "=" || defaultChar === "+" || defaultChar === "?") {
			const operandStart = i + (opChar === 58 ? 2 : 1);
			result.operation = {
				type: "Default",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator: opChar === 58 ? `:${defaultChar}` : defaultChar,
				operand: sub(operandStart, ilen, insideDoubleQuotes ? "quoted" : "word")
			};
			return result;
		}
		if (opChar === 58) {
			i++;
			const sliceStart = innerStart + i;
			const colonIdx = findUnnested(inner.slice(i), 58, true, (index, quoted) => {
				return this.findNestedShellEnd(sliceStart + index, end, quoted) - sliceStart;
			});
			result.operation = {
				type: "Slice",
				pos,
				end,
				operatorEnd: sliceStart,
				operator: ":",
				offset: sub(i, colonIdx === -1 ? ilen : i + colonIdx, "embedded"),
				length: colonIdx === -1 ? void 0 : sub(i + colonIdx + 1, ilen, "embedded")
			};
			return result;
		}
		if (opChar === 35 || opChar === 37) {
			const doubled = nextChar === opChar;
			const operator = opChar === 35 ? doubled ? "##" : "#" : doubled ? "%%" : "%";
			const operandStart = i + (doubled ? 2 : 1);
			result.operation = {
				type: "Remove",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator,
				operand: sub(operandStart, ilen)
			};
			return result;
		}
		if (opChar === 47) {
			i++;
			let operator = "/";
			if (nextChar === 47 || nextChar === 35 || nextChar === 37) {
				operator = nextChar === 47 ? "//" : nextChar === 35 ? "/#" : "/%";
				i++;
			}
			let separatorStart = i;
			if (nextChar === 47) {
				separatorStart = skipLineContinuations(inner, i, ilen);
				if (inner.charCodeAt(separatorStart) === 47) separatorStart++;
			}
			const sepIdx = findUnnested(inner.slice(separatorStart), 47);
			const patternEnd = sepIdx === -1 ? ilen : separatorStart + sepIdx;
			result.operation = {
				type: "Replace",
				pos,
				end,
				operatorEnd: innerStart + i,
				operator,
				pattern: sub(i, patternEnd),
				replacement: sub(sepIdx === -1 ? ilen : patternEnd + 1, ilen)
			};
			return result;
		}
		if (opChar === 94 || opChar === 44) {
			const doubled = nextChar === opChar;
			const operator = opChar === 94 ? doubled ? "^^" : "^" : doubled ? ",," : ",";
			const operandStart = i + (doubled ? 2 : 1);
			result.operation = {
				type: "CaseModification",
				pos,
				end,
				operatorEnd: innerStart + operandStart,
				operator,
				operand: operandStart === ilen ? void 0 : sub(operandStart, ilen)
			};
			return result;
		}
		if (result.prefix === "!" && result.index === void 0 && i + 1 === ilen && (opChar === 64 || opChar === 42)) {
			result.operation = {
				type: "Names",
				pos,
				end,
				operatorEnd: end,
				operator: opChar === 64 ? "@" : "*"
			};
			return result;
		}
		if (opChar === 64) {
			result.operation = {
				type: "Transform",
				pos,
				end,
				operatorEnd: pos + 1,
				operator: "@",
				operand: sub(i + 1, ilen)
			};
			return result;
		}
		result.operation = {
			type: "Unknown",
			pos,
			end,
			operatorEnd: end,
			operator: inner.slice(i)
		};
		return result;
	}
	findNestedShellEnd(start, end, quoted) {
		const ch = this.src.charCodeAt(start);
		if (ch === 96) {
			let pos = start + 1;
			while (pos < end) {
				const current = this.src.charCodeAt(pos);
				if (current === 92) {
					pos += 2;
					continue;
				}
				pos++;
				if (current === 96) return pos;
			}
			return end;
		}
		let close;
		if (ch === 36) {
			const next = start + 1;
			if (next < end && this.src.charCodeAt(next) === 123) close = this.findClosingBrace(next + 1, end);
			else {
				const open = skipLineContinuations(this.src, next, end);
				if (open >= end || this.src.charCodeAt(open) !== 40) return start;
				close = this.findClosingParenthesis(open + 1, end);
			}
		} else {
			const open = start + 1;
			if (quoted || ch !== 60 && ch !== 62 || open >= end || this.src.charCodeAt(open) !== 40) return start;
			close = this.findClosingParenthesis(open + 1, end);
		}
		return close === -1 ? end : close + 1;
	}
	scanParamName(s, start) {
		let i = start;
		if (i >= s.length) return i;
		const c = s.charCodeAt(i);
		if (c === 64 || c === 42 || c === 35 || c === 63 || c === 45 || c === 36 || c === 33) return i + 1;
		if (c >= 48 && c <= 57) {
			while (i < s.length && s.charCodeAt(i) >= 48 && s.charCodeAt(i) <= 57) i++;
			return i;
		}
		if (c >= 97 && c <= 122 || c >= 65 && c <= 90 || c === 95) {
			i++;
			while (i < s.length) {
				const ch = s.charCodeAt(i);
				if (ch >= 97 && ch <= 122 || ch >= 65 && ch <= 90 || ch >= 48 && ch <= 57 || ch === 95) i++;
				else break;
			}
		}
		return i;
	}
	readAnsiCQuoted() {
		const quotePos = this.pos - 1;
		const result = decodeAnsiCQuoted(this.src, this.pos, this.srcEnd);
		this.pos = result.end;
		if (!result.closed) this.errors.push({
			message: "unterminated ANSI-C quote",
			pos: quotePos
		});
		return result.value;
	}
	extractBalanced(useGrammar = true, quoteOnly = false) {
		const src = this.src;
		const len = this.srcEnd;
		const bt = this._buildParts || this._buildValue;
		let depth = quoteOnly ? 0 : 1;
		const start = this.pos;
		this._unbalanced = false;
		const knownEnd = useGrammar && !quoteOnly ? this.substitutionContext.boundaries?.get(start) : void 0;
		if (knownEnd !== void 0 && knownEnd <= len && this._nestingDepth < 256) {
			this.pos = knownEnd;
			return bt ? src.slice(start, knownEnd - 1) : "";
		}
		let wordStart = true;
		while (!quoteOnly && this.pos < len) {
			const c = src.charCodeAt(this.pos);
			if (c === 41) {
				const result = bt ? src.slice(start, this.pos) : "";
				this.pos++;
				return result;
			} else if (c === 40 || c === 92 || c === 39 || c === 34 || c === 96 || c === 36 && (src.charCodeAt(this.pos + 1) === 39 || src.charCodeAt(this.pos + 1) === 36 || src.charCodeAt(this.pos + 1) === 123)) break;
			else if (c === 60 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 60) break;
			else if (c === 35 && wordStart) break;
			else if (c === 99 && wordStart && this.pos + 3 < len && src.charCodeAt(this.pos + 1) === 97 && src.charCodeAt(this.pos + 2) === 115 && src.charCodeAt(this.pos + 3) === 101 && (this.pos + 4 >= len || src.charCodeAt(this.pos + 4) < 128 && charType[src.charCodeAt(this.pos + 4)] & 1)) break;
			else {
				wordStart = c < 128 && (charType[c] & 1) !== 0;
				this.pos++;
			}
		}
		let caseDepth = 0;
		let caseParens = 0;
		const wordStartAfterParen = [];
		let pendingDelims = null;
		let scripts;
		let arithBase = -1;
		let arithExtent = start >= 2 && src.charCodeAt(start) === 40 && src.charCodeAt(start - 1) === 40 && src.charCodeAt(start - 2) === 36;
		let substitutions = 0;
		let reported = false;
		const quotes = quoteOnly ? [{
			close: 34,
			depth: 0
		}] : [];
		let quotedDepth = quoteOnly ? 1 : 0;
		let parameterDepth = 0;
		let arithmeticOpens;
		let continuedDollarPos = -1;
		let continuedParenPos = -1;
		let escapedEnd = -1;
		let lastParenEnd = -1;
		let checkedGrammar = false;
		while (this.pos < len && (depth > 0 || quotes.length > 0)) {
			let ch = src.charCodeAt(this.pos);
			const quote = quotes.length === 0 ? void 0 : quotes[quotes.length - 1];
			if (quote !== void 0 && quote.depth === depth) {
				let commandOpen = false;
				if (ch === 92) {
					this.pos = Math.min(this.pos + 2, len);
					continue;
				}
				if (ch === quote.close) {
					quotes.pop();
					if (ch === 34) quotedDepth--;
					else parameterDepth--;
					this.pos++;
					if (quoteOnly && depth === 0 && quotes.length === 0) return "";
					continue;
				}
				if (ch === 34) {
					quotes.push({
						close: 34,
						depth
					});
					quotedDepth++;
				} else if (ch === 39 && quote.close === 125) {
					this.pos++;
					this.skipSQ();
					continue;
				} else if (ch === 96) {
					this.pos++;
					while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
						if (src.charCodeAt(this.pos) === 92) this.pos++;
						if (this.pos < len) this.pos++;
					}
					if (this.pos < len) this.pos++;
					continue;
				} else if (ch === 36) {
					const next = src.charCodeAt(this.pos + 1);
					if (next === 39 && quote.close === 125) {
						this.pos += 2;
						this.skipAnsiCQuoted();
						continue;
					}
					if (next === 123) {
						quotes.push({
							close: 125,
							depth
						});
						parameterDepth++;
						this.pos++;
					} else if (next === 40) {
						this.pos++;
						ch = 40;
						commandOpen = true;
					} else if (next === 36) {
						this.pos += src.charCodeAt(this.pos + 2) === 40 ? 1 : 2;
						continue;
					}
				}
				if (!reported && this._nestingDepth + Math.max(quotedDepth, parameterDepth) > 256) {
					this.errors.push({
						message: "maximum word nesting depth exceeded",
						pos: this.pos
					});
					reported = true;
				}
				if (!commandOpen) {
					this.pos++;
					while (this.pos < len) {
						const c = src.charCodeAt(this.pos);
						if (c === 92 || c === 34 || c === 36 || c === 96 || c === 125 || c === 39) break;
						this.pos++;
					}
					continue;
				}
			}
			if (ch === 35 && lastParenEnd !== -1 && !arithExtent && arithBase < 0 && useGrammar && !checkedGrammar && this._nestingDepth + (scripts?.length ?? 0) < 256 && skipBlanks(src, lastParenEnd, len) === this.pos) {
				checkedGrammar = true;
				const scope = scripts?.[scripts.length - 1];
				const end = this.findSubstitutionEnd(scope?.start ?? start, len, this._nestingDepth + (scripts?.length ?? 0) + 1);
				if (end !== -1) {
					if (scope === void 0) {
						this.pos = end;
						return bt ? src.slice(start, end - 1) : "";
					}
					this.pos = end - 1;
					depth = scope.depth + 1;
					caseDepth = 0;
					caseParens = 0;
					wordStartAfterParen.length = scope.parens + 1;
					ch = 41;
				}
			}
			if (ch === 40) {
				const prev = this.pos > start && this.pos !== escapedEnd ? src.charCodeAt(this.pos - 1) : 0;
				const commandDollarPos = prev === 36 ? this.pos - 1 : this.pos === continuedParenPos ? continuedDollarPos : -1;
				const wordParen = commandDollarPos !== -1 || prev === 60 || prev === 62 || prev === 61 || prev === 64 || prev === 63 || prev === 42 || prev === 43 || prev === 33 || prev === 40 && wordStartAfterParen[wordStartAfterParen.length - 1] === false || arithExtent && this.pos === start;
				const script = commandDollarPos !== -1 && src.charCodeAt(this.pos + 1) !== 40 || (prev === 60 || prev === 62) && arithBase < 0 && !arithExtent;
				if (script) {
					(scripts ?? (scripts = [])).push({
						start: this.pos + 1,
						dollar: commandDollarPos,
						depth,
						parens: wordStartAfterParen.length,
						caseDepth,
						caseParens,
						arithBase,
						arithExtent,
						substitutions,
						checkedGrammar,
						pendingDelims
					});
					caseDepth = 0;
					caseParens = 0;
					arithBase = -1;
					arithExtent = false;
					checkedGrammar = false;
					pendingDelims = null;
				}
				wordStartAfterParen.push(!wordParen);
				wordStart = true;
				if (!script && arithBase < 0 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 40) arithBase = depth;
				if (commandDollarPos !== -1) {
					if (script) substitutions++;
					else (arithmeticOpens ?? (arithmeticOpens = [])).push(depth);
					if (substitutions + (arithmeticOpens?.length ?? 0) + this._nestingDepth + (quoteOnly ? 0 : 1) > 256 && !reported) {
						this.errors.push({
							message: "maximum command substitution nesting depth exceeded",
							pos: commandDollarPos
						});
						reported = true;
					}
				}
				continuedDollarPos = -1;
				continuedParenPos = -1;
				depth++;
				if (caseDepth > 0) caseParens++;
				this.pos++;
			} else if (ch === 41) {
				if (caseDepth > 0 && caseParens === 0) {
					this.pos++;
					wordStart = true;
				} else {
					if (caseDepth > 0) caseParens--;
					depth--;
					if (depth === 0 && !quoteOnly) {
						const result = bt ? src.slice(start, this.pos) : "";
						this.pos++;
						return result;
					}
					if (depth <= arithBase) arithBase = -1;
					if (arithmeticOpens !== void 0) while (arithmeticOpens.length > 0 && arithmeticOpens[arithmeticOpens.length - 1] >= depth) arithmeticOpens.pop();
					wordStart = wordStartAfterParen.pop() ?? true;
					this.pos++;
					const scope = scripts?.[scripts.length - 1];
					if (scope !== void 0 && scope.depth === depth) {
						scripts.pop();
						caseDepth = scope.caseDepth;
						caseParens = scope.caseParens;
						arithBase = scope.arithBase;
						arithExtent = scope.arithExtent;
						substitutions = scope.substitutions;
						checkedGrammar = scope.checkedGrammar;
						pendingDelims = scope.pendingDelims;
					}
				}
				lastParenEnd = this.pos;
			} else if (ch === 92) {
				if (this.pos > start && src.charCodeAt(this.pos - 1) === 36) {
					const logicalPos = skipLineContinuations(src, this.pos, len);
					if (logicalPos > this.pos && src.charCodeAt(logicalPos) === 40 && src.charCodeAt(logicalPos + 1) !== 40) {
						continuedDollarPos = this.pos - 1;
						continuedParenPos = logicalPos;
					}
				}
				this.pos++;
				if (this.pos < len) {
					if (src.charCodeAt(this.pos) !== 10) wordStart = false;
					this.pos++;
				}
				escapedEnd = this.pos;
			} else if (ch === 36) {
				const next = src.charCodeAt(++this.pos);
				if (next === 39) {
					this.pos++;
					this.skipAnsiCQuoted();
				} else if (next === 36) this.pos++;
				else if (next === 123 && !isBraceCommandOpener(src.charCodeAt(this.pos + 1))) {
					quotes.push({
						close: 125,
						depth
					});
					parameterDepth++;
					this.pos++;
				}
				wordStart = false;
			} else if (ch === 39) {
				this.pos++;
				this.skipSQ();
				wordStart = false;
			} else if (ch === 34) {
				quotes.push({
					close: 34,
					depth
				});
				quotedDepth++;
				this.pos++;
				wordStart = false;
			} else if (ch === 96) {
				this.pos++;
				while (this.pos < len && src.charCodeAt(this.pos) !== 96) {
					if (src.charCodeAt(this.pos) === 92) this.pos++;
					if (this.pos < len) this.pos++;
				}
				if (this.pos < len) this.pos++;
				wordStart = false;
			} else if (ch === 60 && arithBase < 0 && this.pos + 1 < len && src.charCodeAt(this.pos + 1) === 60) {
				if (this.pos + 2 < len && src.charCodeAt(this.pos + 2) === 60) this.pos += 3;
				else {
					this.pos += 2;
					const strip = this.pos < len && src.charCodeAt(this.pos) === 45;
					if (strip) this.pos++;
					this.skipSpacesAndTabs();
					this.readHereDocDelimiter();
					if (this._hereDelim || this._hereQuoted) (pendingDelims ?? (pendingDelims = [])).push({
						delimiter: this._hereDelim,
						strip,
						quoted: this._hereQuoted
					});
				}
				wordStart = false;
			} else if (ch === 10 && pendingDelims) {
				this.pos++;
				for (const hd of pendingDelims) this.skipHereDocBody(hd.delimiter, hd.strip, true, hd.quoted);
				pendingDelims = null;
				wordStart = true;
			} else if (ch === 35 && arithBase < 0 && !arithExtent && wordStart) while (this.pos < len && src.charCodeAt(this.pos) !== 10) this.pos++;
			else {
				const wStart = this.pos;
				while (this.pos < len) {
					const wc = src.charCodeAt(this.pos);
					if (wc < 128 && charType[wc]) break;
					this.pos++;
				}
				if (this.pos > wStart) {
					if (this.pos - wStart === 4 && wordStart && arithBase < 0 && !arithExtent) {
						const c0 = src.charCodeAt(wStart);
						if (c0 === 99 && src.charCodeAt(wStart + 1) === 97 && src.charCodeAt(wStart + 2) === 115 && src.charCodeAt(wStart + 3) === 101) caseDepth++;
						else if (c0 === 101 && src.charCodeAt(wStart + 1) === 115 && src.charCodeAt(wStart + 2) === 97 && src.charCodeAt(wStart + 3) === 99 && caseDepth > 0) {
							caseDepth--;
							if (caseDepth === 0) caseParens = 0;
						}
					}
					wordStart = false;
				} else {
					const wc = src.charCodeAt(this.pos);
					wordStart = wc < 128 && (charType[wc] & 1) !== 0;
					this.pos++;
				}
			}
		}
		this._unbalanced = true;
		if (quoteOnly && scripts !== void 0 && scripts.length > 0) this.errors.push({
			message: "unterminated command substitution",
			pos: scripts[0].dollar
		});
		return bt ? src.slice(start, this.pos) : "";
	}
};
function opPrec(op) {
	switch (op) {
		case ",": return 1;
		case "=":
		case "+=":
		case "-=":
		case "*=":
		case "/=":
		case "%=":
		case "<<=":
		case ">>=":
		case "&=":
		case "|=":
		case "^=": return 2;
		case "||": return 4;
		case "&&": return 5;
		case "|": return 6;
		case "^": return 7;
		case "&": return 8;
		case "==":
		case "!=": return 9;
		case "<":
		case "<=":
		case ">":
		case ">=": return 10;
		case "<<":
		case ">>": return 11;
		case "+":
		case "-": return 12;
		case "*":
		case "/":
		case "%": return 13;
		case "**": return 14;
		case "?": return 3;
		default: return -1;
	}
}
function trimEnd(src, start, end) {
	while (end > start) {
		const c = src.charCodeAt(end - 1);
		if (c !== 32 && c !== 9 && c !== 10) break;
		end--;
	}
	return end;
}
function opRightAssoc(op) {
	switch (op) {
		case "=":
		case "+=":
		case "-=":
		case "*=":
		case "/=":
		case "%=":
		case "<<=":
		case ">>=":
		case "&=":
		case "|=":
		case "^=":
		case "**": return true;
		default: return false;
	}
}
function parseArithmeticExpression(src, offset = 0, collector, nestingDepth = 0) {
	let pos = 0;
	const len = src.length;
	const initialWordCount = collector?.embeddedWords.length ?? 0;
	function makeWord(start, end, embedded = false) {
		const node = {
			type: "ArithmeticWord",
			pos: start + offset,
			end: end + offset,
			value: src.slice(start, end),
			parts: void 0
		};
		if (embedded) collector?.embeddedWords.push(node);
		return node;
	}
	function skipWS() {
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c === 32 || c === 9 || c === 10) pos++;
			else break;
		}
	}
	function tryReadBinOp() {
		if (pos >= len) return null;
		const c = src.charCodeAt(pos);
		const nc = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
		const nnc = pos + 2 < len ? src.charCodeAt(pos + 2) : 0;
		switch (c) {
			case 44:
				pos++;
				return ",";
			case 61:
				if (nc === 61) {
					pos += 2;
					return "==";
				}
				pos++;
				return "=";
			case 33:
				if (nc === 61) {
					pos += 2;
					return "!=";
				}
				return null;
			case 60:
				if (nc === 60) {
					if (nnc === 61) {
						pos += 3;
						return "<<=";
					}
					pos += 2;
					return "<<";
				}
				if (nc === 61) {
					pos += 2;
					return "<=";
				}
				pos++;
				return "<";
			case 62:
				if (nc === 62) {
					if (nnc === 61) {
						pos += 3;
						return ">>=";
					}
					pos += 2;
					return ">>";
				}
				if (nc === 61) {
					pos += 2;
					return ">=";
				}
				pos++;
				return ">";
			case 43:
				if (nc === 61) {
					pos += 2;
					return "+=";
				}
				if (nc === 43) return null;
				pos++;
				return "+";
			case 45:
				if (nc === 61) {
					pos += 2;
					return "-=";
				}
				if (nc === 45) return null;
				pos++;
				return "-";
			case 42:
				if (nc === 42) {
					pos += 2;
					return "**";
				}
				if (nc === 61) {
					pos += 2;
					return "*=";
				}
				pos++;
				return "*";
			case 47:
				if (nc === 61) {
					pos += 2;
					return "/=";
				}
				pos++;
				return "/";
			case 37:
				if (nc === 61) {
					pos += 2;
					return "%=";
				}
				pos++;
				return "%";
			case 124:
				if (nc === 124) {
					pos += 2;
					return "||";
				}
				if (nc === 61) {
					pos += 2;
					return "|=";
				}
				pos++;
				return "|";
			case 38:
				if (nc === 38) {
					pos += 2;
					return "&&";
				}
				if (nc === 61) {
					pos += 2;
					return "&=";
				}
				pos++;
				return "&";
			case 94:
				if (nc === 61) {
					pos += 2;
					return "^=";
				}
				pos++;
				return "^";
			case 63:
				pos++;
				return "?";
			default: return null;
		}
	}
	function skipTruncatedUnary() {
		skipWS();
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c !== 33 && c !== 126 && c !== 43 && c !== 45) break;
			if (src.charCodeAt(pos + 1) === 61) break;
			pos++;
			skipWS();
		}
		if (src.charCodeAt(pos) === 40) {
			let groups = 1;
			pos++;
			while (pos < len && groups > 0) {
				const wordEnd = collector?.findArithmeticWordEnd?.(pos + offset, offset + len) ?? pos + offset;
				if (wordEnd > pos + offset) {
					pos = wordEnd - offset;
					continue;
				}
				const c = src.charCodeAt(pos++);
				if (c === 40) groups++;
				else if (c === 41) groups--;
			}
		} else if (pos < len && src.charCodeAt(pos) !== 41 && src.charCodeAt(pos) !== 58) parseAtom(0);
		skipWS();
		const c = src.charCodeAt(pos);
		if ((c === 43 || c === 45) && src.charCodeAt(pos + 1) === c) pos += 2;
	}
	function recoverExpression(minPrec) {
		skipWS();
		const start = pos;
		if (start === len) return makeWord(start, start);
		const wordCount = collector?.embeddedWords.length ?? 0;
		let ternaries = 0;
		for (;;) {
			skipTruncatedUnary();
			skipWS();
			if (src.charCodeAt(pos) === 58 && ternaries > 0) {
				ternaries--;
				pos++;
				continue;
			}
			const saved = pos;
			const op = tryReadBinOp();
			if (op === null || ternaries === 0 && opPrec(op) < minPrec) {
				pos = saved;
				break;
			}
			if (op === "?") ternaries++;
		}
		if (collector) collector.embeddedWords.length = wordCount;
		return makeWord(start, trimEnd(src, start, pos));
	}
	function parseBinExpr(minPrec, depth) {
		if (depth > 256) return recoverExpression(minPrec);
		let left = parseUnaryExpr(depth);
		while (true) {
			skipWS();
			if (pos >= len) break;
			const saved = pos;
			const op = tryReadBinOp();
			if (!op) break;
			if (op === "?") {
				if (opPrec(op) < minPrec) {
					pos = saved;
					break;
				}
				const consequent = parseBinExpr(1, depth + 1);
				skipWS();
				if (pos < len && src.charCodeAt(pos) === 58) pos++;
				const alternate = parseBinExpr(3, depth + 1);
				left = {
					type: "ArithmeticTernary",
					pos: left.pos,
					end: alternate.end,
					test: left,
					consequent,
					alternate
				};
				continue;
			}
			const prec = opPrec(op);
			if (prec < minPrec) {
				pos = saved;
				break;
			}
			const right = parseBinExpr(opRightAssoc(op) ? prec : prec + 1, depth + 1);
			left = {
				type: "ArithmeticBinary",
				pos: left.pos,
				end: right.end,
				operator: op,
				left,
				right
			};
		}
		return left;
	}
	function parseUnaryExpr(depth) {
		skipWS();
		if (depth > 256) return recoverExpression(15);
		if (pos >= len) return makeWord(pos, pos);
		const start = pos;
		const c = src.charCodeAt(pos);
		const nc = pos + 1 < len ? src.charCodeAt(pos + 1) : 0;
		if (c === 43 && nc === 43) {
			pos += 2;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "++",
				operand,
				prefix: true
			};
		}
		if (c === 45 && nc === 45) {
			pos += 2;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "--",
				operand,
				prefix: true
			};
		}
		if (c === 33) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "!",
				operand,
				prefix: true
			};
		}
		if (c === 126) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "~",
				operand,
				prefix: true
			};
		}
		if (c === 43 && nc !== 43 && nc !== 61) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "+",
				operand,
				prefix: true
			};
		}
		if (c === 45 && nc !== 45 && nc !== 61) {
			pos++;
			const operand = parseUnaryExpr(depth + 1);
			return {
				type: "ArithmeticUnary",
				pos: start + offset,
				end: operand.end,
				operator: "-",
				operand,
				prefix: true
			};
		}
		return parsePostfixExpr(depth);
	}
	function parsePostfixExpr(depth) {
		const operand = parseAtom(depth);
		skipWS();
		if (pos + 1 < len) {
			const c = src.charCodeAt(pos);
			const nc = src.charCodeAt(pos + 1);
			if (c === 43 && nc === 43) {
				pos += 2;
				return {
					type: "ArithmeticUnary",
					pos: operand.pos,
					end: pos + offset,
					operator: "++",
					operand,
					prefix: false
				};
			}
			if (c === 45 && nc === 45) {
				pos += 2;
				return {
					type: "ArithmeticUnary",
					pos: operand.pos,
					end: pos + offset,
					operator: "--",
					operand,
					prefix: false
				};
			}
		}
		return operand;
	}
	function parseAtom(depth) {
		skipWS();
		if (pos >= len) return makeWord(pos, pos);
		const c = src.charCodeAt(pos);
		if (c === 40) {
			const start = pos;
			pos++;
			const expr = parseBinExpr(0, depth + 1);
			skipWS();
			if (pos < len && src.charCodeAt(pos) === 41) pos++;
			return {
				type: "ArithmeticGroup",
				pos: start + offset,
				end: pos + offset,
				expression: expr
			};
		}
		if (c === 36) {
			const start = pos;
			const wordCount = collector?.embeddedWords.length ?? 0;
			const atom = readDollarAtom();
			const wordEnd = collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? pos + offset;
			if (wordEnd > pos + offset) {
				if (collector) collector.embeddedWords.length = wordCount;
				pos = wordEnd - offset;
				return makeWord(start, pos, true);
			}
			return atom;
		}
		if (c === 96 || c === 34 || c === 39) {
			const start = pos;
			pos = (collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? start + offset + 1) - offset;
			return makeWord(start, pos, true);
		}
		const start = pos;
		const wordCount = collector?.embeddedWords.length ?? 0;
		const atom = readWordAtom();
		const wordEnd = collector?.findArithmeticWordEnd?.(start + offset, offset + len) ?? pos + offset;
		if (wordEnd > pos + offset) {
			if (collector) collector.embeddedWords.length = wordCount;
			pos = wordEnd - offset;
			return makeWord(start, pos, true);
		}
		return atom;
	}
	function readDollarAtom() {
		const start = pos;
		pos++;
		if (pos >= len) return makeWord(start, pos);
		const c = src.charCodeAt(pos);
		if (c === 40) {
			if (pos + 1 < len && src.charCodeAt(pos + 1) === 40) {
				const expansionEnd = collector?.findArithmeticExpansionEnd(start + offset, offset + len) ?? -1;
				if (expansionEnd !== -1) pos = expansionEnd - offset;
				else {
					pos += 2;
					let depth = 1;
					while (pos < len && depth > 0) if (src.charCodeAt(pos) === 40 && src.charCodeAt(pos + 1) === 40) {
						depth++;
						pos += 2;
					} else if (src.charCodeAt(pos) === 41 && src.charCodeAt(pos + 1) === 41) {
						depth--;
						pos += 2;
					} else pos++;
				}
			} else {
				pos++;
				const close = collector?.findClosingParenthesis(pos + offset, offset + len) ?? -1;
				if (close !== -1) pos = close - offset + 1;
				else {
					let depth = 1;
					while (pos < len && depth > 0) {
						const ch = src.charCodeAt(pos++);
						if (ch === 40) depth++;
						else if (ch === 41) depth--;
					}
				}
				const text = src.slice(start, pos);
				return collector ? collector.commandExpansion(start + offset, pos + offset, text) : new ScriptExpansionImpl("ArithmeticCommandExpansion", start + offset, pos + offset, text);
			}
		} else if (c === 123) {
			const close = collector?.findClosingBrace(pos + offset + 1, offset + len) ?? -1;
			if (close !== -1) pos = close - offset + 1;
			else {
				pos++;
				let depth = 1;
				while (pos < len && depth > 0) {
					const ch = src.charCodeAt(pos++);
					if (ch === 123) depth++;
					else if (ch === 125) depth--;
				}
			}
		} else while (pos < len) {
			const ch = src.charCodeAt(pos);
			if (ch >= 97 && ch <= 122 || ch >= 65 && ch <= 90 || ch >= 48 && ch <= 57 || ch === 95) pos++;
			else break;
		}
		return makeWord(start, pos, c === 40 || c === 123);
	}
	function readWordAtom() {
		const start = pos;
		while (pos < len) {
			const c = src.charCodeAt(pos);
			if (c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 95 || c === 35) pos++;
			else break;
		}
		if (pos > start && pos < len && src.charCodeAt(pos) === 91) {
			const close = collector?.findClosingBracket?.(pos + offset + 1, offset + len) ?? -1;
			if (close !== -1) pos = close - offset + 1;
			else {
				pos++;
				let depth = 1;
				while (pos < len && depth > 0) {
					const c = src.charCodeAt(pos);
					if (c === 91) depth++;
					else if (c === 93) depth--;
					pos++;
				}
			}
			return makeWord(start, pos, true);
		}
		if (pos === start) {
			pos++;
			return makeWord(start, pos);
		}
		return makeWord(start, pos);
	}
	skipWS();
	if (pos >= len) return null;
	const start = pos;
	const result = parseBinExpr(0, nestingDepth);
	skipWS();
	if (pos < len) {
		if (collector) collector.embeddedWords.length = initialWordCount;
		return makeWord(start, trimEnd(src, start, len), collector !== void 0);
	}
	return result;
}
var computeBareWordParts = (_source, word) => hasGlobCharacters(word.text) ? parseGlobParts(word.text, 0, word.text.length, void 0, word.pos) : void 0;
function wordPartsResolver(context) {
	return context.wordParts ?? (context.wordParts = (source, word, depth) => computeWordParts(source, word, depth, context));
}
function embeddedPartsResolver(context) {
	return context.embeddedParts ?? (context.embeddedParts = (source, word, depth) => computeEmbeddedWordParts(source, word, depth, context));
}
function arrayPartsResolver(context) {
	return context.arrayParts ?? (context.arrayParts = (source, word, depth) => computeArrayElementParts(source, word, depth, context));
}
function computeWordParts(source, word, depth = 0, context = createSubstitutionContext()) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildWordParts(word.pos) ?? void 0;
}
function computeEmbeddedWordParts(source, word, depth = 0, context, arithmetic = false) {
	if (!hasEmbeddedWordStructure(source, word.pos, word.end)) return void 0;
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildEmbeddedWordParts(word.pos, arithmetic) ?? void 0;
}
function computeArrayElementParts(source, word, depth = 0, context) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildArrayElementParts(word.pos) ?? void 0;
}
function computeHereDocBodyParts(source, word, depth = 0, context) {
	const lexer = new Lexer(source, word.pos, word.end, false, context);
	lexer._nestingDepth = depth;
	return lexer.buildHereDocParts(word.pos, word.end) ?? void 0;
}
function parseArithmeticWithParts(body, offset, source, depth, context, embeddedDepth = depth) {
	if (!hasEmbeddedWordStructure(source, offset, offset + body.length)) return parseArithmeticExpression(body, offset, void 0, depth) ?? void 0;
	const embeddedWords = [];
	const lexer = new Lexer(source, 0, source.length, false, context);
	lexer._nestingDepth = depth;
	const expression = parseArithmeticExpression(body, offset, {
		embeddedWords,
		commandExpansion: (pos, end, text) => new ScriptExpansionImpl("ArithmeticCommandExpansion", pos, end, text, {
			source,
			start: pos + 2,
			end: end - 1,
			depth: depth + 1,
			parenBoundary: true,
			context
		}),
		findClosingBracket: (start, end) => lexer.findClosingBracket(start, end),
		findClosingBrace: (start, end) => lexer.findClosingBrace(start, end),
		findClosingParenthesis: (start, end) => lexer.findClosingParenthesis(start, end),
		findArithmeticExpansionEnd: (start, end) => lexer.findArithmeticExpansionEnd(start, end),
		findArithmeticWordEnd: (start, end) => lexer.findArithmeticWordEnd(start, end)
	}, depth) ?? void 0;
	if (embeddedDepth <= 256) for (const node of embeddedWords) node.parts = computeEmbeddedWordParts(source, node, embeddedDepth, context, true);
	return expression;
}
var ArrayValueImpl = class {
	type = "ArrayValue";
	pos;
	end;
	#source;
	#depth;
	#context;
	#elements;
	constructor(source, pos, end, depth, context) {
		this.pos = pos;
		this.end = end;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get elements() {
		if (this.#elements) return this.#elements;
		const lexer = new Lexer(this.#source, this.pos + 1, this.end - 1, false, this.#context);
		lexer._nestingDepth = this.#depth;
		const elements = [];
		while (lexer.peek(LexContext.ArrayElement).token !== Token.EOF) {
			const token = lexer.next(LexContext.ArrayElement);
			if (token.token !== Token.Word && token.token !== Token.Assignment) continue;
			const text = token.raw ? token.value : this.#source.slice(token.pos, token.end);
			const indexed = text.charCodeAt(0) === 91;
			const context = lexer.getSubstitutionContext();
			const source = !indexed && token.raw && token.keywordEligible ? void 0 : this.#source;
			const resolver = source === void 0 ? computeBareWordParts : indexed ? arrayPartsResolver(context) : wordPartsResolver(context);
			elements.push(new WordImpl(text, token.pos, token.end, source, resolver, this.#depth));
		}
		this.#elements = elements;
		return elements;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			elements: this.elements
		};
	}
};
var AssignmentImpl = class {
	type = "Assignment";
	pos;
	end;
	text;
	#source;
	#depth;
	#context;
	#operatorPos;
	#name = null;
	#append;
	#index;
	#value = null;
	constructor(text, pos, end, source, operatorPos, depth, context) {
		this.pos = pos;
		this.end = end;
		this.text = text;
		this.#source = source;
		this.#operatorPos = operatorPos;
		this.#depth = depth;
		this.#context = context;
	}
	get name() {
		return this.#name ?? this.resolveTarget();
	}
	get append() {
		if (this.#name === null) this.resolveTarget();
		return this.#append;
	}
	get index() {
		if (this.#name === null) this.resolveTarget();
		return this.#index;
	}
	get value() {
		if (this.#value !== null) return this.#value;
		const start = this.#operatorPos + 1;
		const arrayStart = skipLineContinuations(this.#source, start, this.end);
		this.#value = this.#source.charCodeAt(arrayStart) === 40 && this.#source.charCodeAt(this.end - 1) === 41 ? new ArrayValueImpl(this.#source, arrayStart, this.end, this.#depth, this.#context) : new WordImpl(this.#source.slice(start, this.end), start, this.end, this.#source, wordPartsResolver(this.#context), this.#depth);
		return this.#value;
	}
	resolveTarget() {
		const equal = this.#operatorPos - this.pos;
		let nameEnd = equal;
		let appendPos = equal;
		while (appendPos >= 2 && this.text.charCodeAt(appendPos - 2) === 92 && this.text.charCodeAt(appendPos - 1) === 10) appendPos -= 2;
		if (this.text.charCodeAt(appendPos - 1) === 43) {
			this.#append = true;
			nameEnd = appendPos - 1;
		}
		const bracket = this.text.indexOf("[");
		if (bracket > 0 && bracket < nameEnd) {
			const close = this.text.lastIndexOf("]", equal);
			if (close > bracket) {
				const start = this.pos + bracket + 1;
				const end = this.pos + close;
				this.#index = new WordImpl(this.#source.slice(start, end), start, end, this.#source, embeddedPartsResolver(this.#context), this.#depth);
				nameEnd = bracket;
			}
		}
		const name = this.text.slice(0, nameEnd);
		return this.#name = name.includes("\\\n") ? name.split("\\\n").join("") : name;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			name: this.name,
			append: this.append,
			index: this.index,
			value: this.value
		};
	}
};
var isArgument = (item) => item.type === "Word" || item.type === "Assignment";
var CommandImpl = class {
	type = "Command";
	pos;
	end;
	name;
	prefix;
	suffix;
	#args;
	#redirects;
	constructor(pos, end, name, prefix, suffix) {
		this.pos = pos;
		this.end = end;
		this.name = name;
		this.prefix = prefix;
		this.suffix = suffix;
	}
	get args() {
		if (this.#args === void 0) {
			const suffix = this.suffix;
			this.#args = suffix.every(isArgument) ? suffix : suffix.filter(isArgument);
		}
		return this.#args;
	}
	get redirects() {
		if (this.#redirects === void 0) {
			const redirects = [];
			for (const item of this.prefix) if (item.type !== "Assignment") redirects.push(item);
			for (const item of this.suffix) if (!isArgument(item)) redirects.push(item);
			this.#redirects = redirects;
		}
		return this.#redirects;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			name: this.name,
			prefix: this.prefix,
			suffix: this.suffix
		};
	}
};
var HereDocBodyImpl = class {
	type = "HereDocBody";
	pos;
	end;
	text = "";
	#source;
	#depth;
	#context;
	#parts;
	constructor(source, pos, quoted, depth, context) {
		this.pos = pos;
		this.end = pos;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
		this.#parts = quoted ? void 0 : null;
	}
	get parts() {
		if (this.#parts === null) this.#parts = computeHereDocBodyParts(this.#source, this, this.#depth, this.#context);
		return this.#parts;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			text: this.text,
			parts: this.parts
		};
	}
};
Lexer._findSubstitutionEnd = findSubstitutionEnd;
ScriptExpansionImpl._resolveScript = parseRegion;
ArithmeticExpansionImpl._resolveExpression = parseArithmeticWithParts;
function isDeclarationCommand(name) {
	switch (name.length) {
		case 5: return name === "local" || name === "alias";
		case 6: return name === "export";
		case 7: return name === "declare" || name === "typeset";
		case 8: return name === "readonly";
		default: return false;
	}
}
var ArithmeticCommandImpl = class {
	type = "ArithmeticCommand";
	pos;
	end;
	body;
	#source;
	#depth;
	#context;
	#expression = null;
	constructor(pos, end, body, source, depth, context) {
		this.pos = pos;
		this.end = end;
		this.body = body;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get expression() {
		if (this.#expression === null) this.#expression = parseArithmeticWithParts(this.body, this.pos + 2, this.#source, this.#depth, this.#context);
		return this.#expression;
	}
	set expression(v) {
		this.#expression = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			expression: this.expression,
			body: this.body
		};
	}
};
var ArithmeticForImpl = class {
	type = "ArithmeticFor";
	pos;
	end;
	body;
	#initStr;
	#testStr;
	#updateStr;
	#initPos;
	#testPos;
	#updatePos;
	#source;
	#depth;
	#context;
	#initialize = null;
	#test = null;
	#update = null;
	constructor(pos, end, body, initStr, testStr, updateStr, initPos, testPos, updatePos, source, depth, context) {
		this.pos = pos;
		this.end = end;
		this.body = body;
		this.#initStr = initStr;
		this.#testStr = testStr;
		this.#updateStr = updateStr;
		this.#initPos = initPos;
		this.#testPos = testPos;
		this.#updatePos = updatePos;
		this.#source = source;
		this.#depth = depth;
		this.#context = context;
	}
	get initialize() {
		if (this.#initialize === null) {
			if (this.#initStr) this.#initialize = parseArithmeticWithParts(this.#initStr, this.#initPos, this.#source, this.#depth, this.#context);
			else this.#initialize = void 0;
		}
		return this.#initialize;
	}
	set initialize(v) {
		this.#initialize = v ?? void 0;
	}
	get test() {
		if (this.#test === null) {
			if (this.#testStr) this.#test = parseArithmeticWithParts(this.#testStr, this.#testPos, this.#source, this.#depth, this.#context);
			else this.#test = void 0;
		}
		return this.#test;
	}
	set test(v) {
		this.#test = v ?? void 0;
	}
	get update() {
		if (this.#update === null) {
			if (this.#updateStr) this.#update = parseArithmeticWithParts(this.#updateStr, this.#updatePos, this.#source, this.#depth, this.#context);
			else this.#update = void 0;
		}
		return this.#update;
	}
	set update(v) {
		this.#update = v ?? void 0;
	}
	toJSON() {
		return {
			type: this.type,
			pos: this.pos,
			end: this.end,
			initialize: this.initialize,
			test: this.test,
			update: this.update,
			body: this.body
		};
	}
};
var CASE_TERMINATORS = {
	[Token.DoubleSemi]: ";;",
	[Token.SemiAmp]: ";&",
	[Token.DoubleSemiAmp]: ";;&"
};
var REDIRECT_OPS = {
	">": ">",
	">>": ">>",
	"<": "<",
	"<>": "<>",
	"<&": "<&",
	">&": ">&",
	">|": ">|",
	"&>": "&>",
	"&>>": "&>>"
};
var listTerminators = /* @__PURE__ */ new Uint8Array(37);
listTerminators[Token.EOF] = 1;
listTerminators[Token.RParen] = 1;
listTerminators[Token.RBrace] = 1;
listTerminators[Token.Then] = 1;
listTerminators[Token.Else] = 1;
listTerminators[Token.Elif] = 1;
listTerminators[Token.Fi] = 1;
listTerminators[Token.Do] = 1;
listTerminators[Token.Done] = 1;
listTerminators[Token.Esac] = 1;
listTerminators[Token.DoubleSemi] = 1;
listTerminators[Token.SemiAmp] = 1;
listTerminators[Token.DoubleSemiAmp] = 1;
var compoundClosers = /* @__PURE__ */ new Uint8Array(37);
compoundClosers[Token.RParen] = 1;
compoundClosers[Token.RBrace] = 1;
compoundClosers[Token.DblRBracket] = 1;
compoundClosers[Token.Fi] = 1;
compoundClosers[Token.Done] = 1;
compoundClosers[Token.Esac] = 1;
compoundClosers[Token.ArithCmd] = 1;
function isTestNegation(t) {
	return t.token === Token.Word && t.keywordEligible && t.value === "!";
}
var commandStarts = /* @__PURE__ */ new Uint8Array(37);
commandStarts[Token.Word] = 1;
commandStarts[Token.Assignment] = 1;
commandStarts[Token.Bang] = 1;
commandStarts[Token.LParen] = 1;
commandStarts[Token.LBrace] = 1;
commandStarts[Token.DblLBracket] = 1;
commandStarts[Token.If] = 1;
commandStarts[Token.For] = 1;
commandStarts[Token.While] = 1;
commandStarts[Token.Until] = 1;
commandStarts[Token.Case] = 1;
commandStarts[Token.Function] = 1;
commandStarts[Token.Select] = 1;
commandStarts[Token.ArithCmd] = 1;
commandStarts[Token.Coproc] = 1;
commandStarts[Token.Redirect] = 1;
var UNARY_TEST_OPS = {
	"-a": 1,
	"-b": 1,
	"-c": 1,
	"-d": 1,
	"-e": 1,
	"-f": 1,
	"-g": 1,
	"-h": 1,
	"-k": 1,
	"-p": 1,
	"-r": 1,
	"-s": 1,
	"-t": 1,
	"-u": 1,
	"-v": 1,
	"-w": 1,
	"-x": 1,
	"-z": 1,
	"-n": 1,
	"-o": 1,
	"-N": 1,
	"-S": 1,
	"-L": 1,
	"-G": 1,
	"-O": 1,
	"-R": 1
};
var BINARY_TEST_OPS = {
	"==": 1,
	"!=": 1,
	"=~": 1,
	"=": 1,
	"-eq": 1,
	"-ne": 1,
	"-lt": 1,
	"-le": 1,
	"-gt": 1,
	"-ge": 1,
	"-nt": 1,
	"-ot": 1,
	"-ef": 1,
	"<": 1,
	">": 1
};
var EMPTY_REDIRECTS = [];
var EMPTY_PREFIXES = [];
var EMPTY_ELIFS = [];
function parse$3(source) {
	return new Parser(source, 0, source.length).run();
}
function parseRegion(source, start, end, depth = 0, parenBoundary = false, context) {
	return new Parser(source, start, end, depth, parenBoundary, void 0, context).run();
}
var SubstitutionLexer = class SubstitutionLexer extends Lexer {
	boundaries;
	pending;
	context;
	constructor(source, boundary, boundaries, pending, context, parenBoundary = true) {
		super(source, boundary.start, boundary.end, parenBoundary, context);
		this._nestingDepth = boundary.depth;
		this.boundaries = boundaries;
		this.pending = pending;
		this.context = context;
	}
	fork(start, end, parenBoundary = false) {
		return new SubstitutionLexer(this.getSource(), {
			start,
			end,
			depth: this._nestingDepth
		}, this.boundaries, this.pending, this.context, parenBoundary);
	}
	findSubstitutionEnd(start, end, depth = this._nestingDepth + 1) {
		const known = this.context.boundaries?.get(start);
		if (known !== void 0) return known <= end ? known : -1;
		const boundary = this.boundaries.get(start);
		if (boundary !== void 0) return boundary <= end ? boundary : -1;
		if (!this.boundaries.has(start)) {
			this.boundaries.set(start, void 0);
			this.pending.push({
				start,
				end,
				depth
			});
		}
		return -1;
	}
};
function findSubstitutionEnd(source, start, end, depth, context) {
	const boundaries = /* @__PURE__ */ new Map([[start, void 0]]);
	const pending = [{
		start,
		end,
		depth
	}];
	while (pending.length > 0) {
		const count = pending.length;
		const boundary = pending[count - 1];
		const lexer = new SubstitutionLexer(source, boundary, boundaries, pending, context);
		const found = new Parser(source, boundary.start, boundary.end, boundary.depth, true, lexer).findSubstitutionEnd();
		if (pending.length === count) {
			boundaries.set(boundary.start, found);
			if (found !== -1) substitutionBoundaries(context).set(boundary.start, found);
			pending.pop();
		}
	}
	return boundaries.get(start) ?? -1;
}
var Parser = class {
	tok;
	source;
	start;
	end;
	depth;
	errors = null;
	syntaxDepth = 0;
	constructor(source, start, end, depth = 0, parenBoundary = false, lexer, context) {
		this.tok = lexer ?? new Lexer(source, start, end, parenBoundary, createSubstitutionContext(context));
		this.tok._nestingDepth = depth;
		this.source = source;
		this.start = start;
		this.end = end;
		this.depth = depth;
	}
	run() {
		const start = this.start;
		if (this.depth > 256) this.error("maximum substitution nesting depth exceeded", start);
		let shebang;
		if (start === 0 && this.source.charCodeAt(0) === 35 && this.source.charCodeAt(1) === 33) {
			const nl = this.source.indexOf("\n");
			shebang = nl === -1 ? this.source : this.source.slice(0, nl);
		}
		const commands = this.list();
		for (;;) {
			const unexpected = this.tok.peek(LexContext.CommandStart);
			if (unexpected.token === Token.EOF) break;
			this.unexpectedToken(unexpected);
			if (!listTerminators[unexpected.token] && unexpected.token !== Token.In) break;
			this.tok.next(LexContext.CommandStart);
			let separator = this.tok.peek(LexContext.CommandStart).token;
			if (separator !== Token.Semi && separator !== Token.Newline && separator !== Token.Amp) break;
			while (separator === Token.Semi || separator === Token.Newline || separator === Token.Amp) {
				this.tok.next(LexContext.CommandStart);
				separator = this.tok.peek(LexContext.CommandStart).token;
			}
			const recovered = this.list();
			for (let i = 0; i < recovered.length; i++) commands.push(recovered[i]);
		}
		const lexerErrors = this.tok._errors;
		if (lexerErrors !== null && lexerErrors.length > 0) {
			const errors = this.errors ?? (this.errors = []);
			for (let i = 0; i < lexerErrors.length; i++) errors.push(lexerErrors[i]);
		}
		if (this.errors !== null && this.errors.length > 1) this.errors.sort((a, b) => a.pos - b.pos);
		return {
			type: "Script",
			pos: start,
			end: this.end,
			shebang,
			commands,
			errors: this.errors ?? void 0
		};
	}
	error(message, pos) {
		(this.errors ?? (this.errors = [])).push({
			message,
			pos
		});
	}
	unexpectedToken(t) {
		this.error(`unexpected token '${t.token === Token.Newline ? "newline" : t.value}'`, t.pos);
	}
	findSubstitutionEnd() {
		this.list();
		return this.acceptEnd(Token.RParen);
	}
	skipSemi() {
		if (this.tok.peek(LexContext.Normal).token === Token.Semi) this.tok.next(LexContext.Normal);
	}
	accept(token, ctx = LexContext.Normal) {
		if (this.tok.peek(ctx).token === token) return this.tok.next(ctx);
		return null;
	}
	acceptEnd(token, ctx = LexContext.Normal) {
		if (this.tok.peek(ctx).token === token) return this.tok.next(ctx).end;
		return -1;
	}
	skipNewlines(ctx = LexContext.Normal) {
		while (this.tok.peek(ctx).token === Token.Newline) this.tok.next(ctx);
	}
	doBody(hasDo) {
		const body = this.list();
		const emptyPos = hasDo ? this.emptyListPos(body) : -1;
		if (emptyPos >= 0) this.error("expected command after 'do'", emptyPos);
		return body;
	}
	emptyListPos(commands) {
		return commands.length === 0 ? this.tok.peek(LexContext.CommandStart).pos : -1;
	}
	makeStatement(command) {
		return {
			type: "Statement",
			pos: command.pos,
			end: command.end,
			command,
			background: void 0
		};
	}
	list() {
		const commands = [];
		this.skipNewlines(LexContext.CommandStart);
		let t = this.tok.peek(LexContext.CommandStart).token;
		if (listTerminators[t] || !commandStarts[t]) return commands;
		const first = this.andOr();
		if (first) commands.push(this.makeStatement(first));
		for (;;) {
			t = this.tok.peekFollow(compoundClosers).token;
			if (t !== Token.Semi && t !== Token.Newline && t !== Token.Amp) break;
			const isBackground = t === Token.Amp;
			const sepEnd = this.tok.next(LexContext.Normal).end;
			if (isBackground) {
				const stmt = commands[commands.length - 1];
				stmt.background = true;
				stmt.end = sepEnd;
			}
			this.skipNewlines(LexContext.CommandStart);
			t = this.tok.peek(LexContext.CommandStart).token;
			if (listTerminators[t] || !commandStarts[t]) break;
			const node = this.andOr();
			if (node) commands.push(this.makeStatement(node));
		}
		return commands;
	}
	andOr() {
		const first = this.pipeline();
		if (!first) return null;
		let t = this.tok.peek(LexContext.Normal).token;
		if (t !== Token.And && t !== Token.Or) return first;
		const commands = [first];
		const operators = [];
		do {
			const operatorToken = this.tok.next(LexContext.Normal);
			const operator = operatorToken.token === Token.And ? "&&" : "||";
			this.skipNewlines(LexContext.CommandStart);
			const next = this.pipeline();
			if (!next) {
				this.error(`expected command after '${operator}'`, operatorToken.end);
				break;
			}
			operators.push(operator);
			commands.push(next);
			t = this.tok.peek(LexContext.Normal).token;
		} while (t === Token.And || t === Token.Or);
		return {
			type: "AndOr",
			pos: first.pos,
			end: commands[commands.length - 1].end,
			commands,
			operators
		};
	}
	withRedirects(command) {
		const redirects = this.collectTrailingRedirects();
		if (redirects.length === 0) return command;
		return {
			type: "Redirected",
			pos: command.pos,
			end: redirects[redirects.length - 1].end,
			command,
			redirects
		};
	}
	pipeline() {
		let prefixes;
		for (;;) {
			const token = this.tok.peek(LexContext.CommandStart);
			const isTime = token.token === Token.Word && token.keywordEligible && token.value === "time";
			if (token.token !== Token.Bang && !isTime) break;
			const prefix = this.tok.next(LexContext.CommandStart);
			const pos = prefix.pos;
			const keywordEnd = prefix.end;
			let posix;
			let endOfOptions;
			if (isTime) {
				let flag = this.tok.peek(LexContext.CommandStart);
				if (flag.token === Token.Word && flag.keywordEligible && flag.value === "-p") {
					this.tok.next(LexContext.CommandStart);
					posix = {
						pos: flag.pos,
						end: flag.end
					};
					flag = this.tok.peek(LexContext.CommandStart);
				}
				if (flag.token === Token.Word && flag.keywordEligible && flag.value === "--") {
					this.tok.next(LexContext.CommandStart);
					endOfOptions = {
						pos: flag.pos,
						end: flag.end
					};
				}
			}
			if (prefixes === void 0) prefixes = [];
			prefixes.push(isTime ? {
				type: "Time",
				pos,
				end: endOfOptions?.end ?? posix?.end ?? keywordEnd,
				keywordEnd,
				posix,
				endOfOptions
			} : {
				type: "Negation",
				pos,
				end: keywordEnd
			});
		}
		const command = this.pipelineCommands();
		if (!prefixes) return command;
		const pos = prefixes[0].pos;
		if (command?.type === "Pipeline") {
			command.prefixes = prefixes;
			command.pos = pos;
			return command;
		}
		return {
			type: "Pipeline",
			pos,
			end: command ? command.end : prefixes[prefixes.length - 1].end,
			prefixes,
			commands: command ? [command] : [],
			operators: []
		};
	}
	pipelineCommands() {
		const first = this.command();
		if (!first) return null;
		if (this.tok.peek(LexContext.Normal).token !== Token.Pipe) return first;
		const commands = [first];
		const operators = [];
		while (this.tok.peek(LexContext.Normal).token === Token.Pipe) {
			const pipeToken = this.tok.next(LexContext.Normal);
			const operator = pipeToken.value === "|&" ? "|&" : "|";
			this.skipNewlines(LexContext.CommandStart);
			const cmd = this.command();
			if (!cmd) {
				this.error(`expected command after '${operator}'`, pipeToken.end);
				break;
			}
			operators.push(operator);
			commands.push(cmd);
		}
		if (commands.length === 1) return commands[0];
		return {
			type: "Pipeline",
			pos: first.pos,
			end: commands[commands.length - 1].end,
			prefixes: EMPTY_PREFIXES,
			commands,
			operators
		};
	}
	command() {
		let compound;
		switch (this.tok.peek(LexContext.CommandStart).token) {
			case Token.LParen:
				compound = this.subshell();
				break;
			case Token.LBrace:
				compound = this.braceGroup();
				break;
			case Token.If:
				compound = this.ifClause();
				break;
			case Token.For:
				compound = this.forClause();
				break;
			case Token.While:
				compound = this.whileClause();
				break;
			case Token.Until:
				compound = this.untilClause();
				break;
			case Token.Case:
				compound = this.caseClause();
				break;
			case Token.Function: return this.functionDef();
			case Token.Select:
				compound = this.selectClause();
				break;
			case Token.DblLBracket:
				compound = this.testCommand();
				break;
			case Token.ArithCmd:
				compound = this.arithCommand();
				break;
			case Token.Coproc: return this.coprocCommand();
			case Token.Word:
			case Token.Assignment:
			case Token.Redirect: return this.simpleCommandOrFunction(false);
			default: return null;
		}
		return this.withRedirects(compound);
	}
	collectTrailingRedirects() {
		let redirects = EMPTY_REDIRECTS;
		while (this.tok.peekFollow(compoundClosers).token === Token.Redirect) {
			if (redirects === EMPTY_REDIRECTS) redirects = [];
			redirects.push(this.readRedirect(LexContext.Normal));
		}
		return redirects;
	}
	arithCommand() {
		const tok = this.tok.next(LexContext.CommandStart);
		return new ArithmeticCommandImpl(tok.pos, tok.end, tok.value, this.source, this.depth, this.tok.getSubstitutionContext());
	}
	coprocCommand() {
		const start = this.tok.next(LexContext.CommandStart);
		const pos = start.pos;
		const first = this.tok.peek(LexContext.CommandStart);
		let name;
		if (first.token === Token.Word) {
			const lookahead = this.tok.fork(first.end, this.end);
			switch (lookahead.peek(LexContext.CommandStart).token) {
				case Token.LParen:
					lookahead.next(LexContext.CommandStart);
					if (lookahead.peek(LexContext.Normal).token !== Token.RParen) name = this.readWord(LexContext.CommandStart);
					break;
				case Token.LBrace:
				case Token.If:
				case Token.For:
				case Token.While:
				case Token.Until:
				case Token.Case:
				case Token.Select:
				case Token.DblLBracket:
				case Token.ArithCmd: name = this.readWord(LexContext.CommandStart);
			}
		}
		const cmd = first.token === Token.Word && name === void 0 ? this.simpleCommandOrFunction(true) : this.command();
		if (cmd && cmd.type !== "Function" && cmd.type !== "Coproc") return {
			type: "Coproc",
			pos,
			end: cmd.end,
			name,
			body: cmd
		};
		this.error("expected command after 'coproc'", cmd?.pos ?? start.end);
		const body = cmd ? this.makeCompoundList([this.makeStatement(cmd)]) : {
			type: "CompoundList",
			pos: start.end,
			end: start.end,
			commands: []
		};
		return {
			type: "Coproc",
			pos,
			end: body.end,
			name,
			body
		};
	}
	subshell() {
		return this.subshellBody(this.tok.next(LexContext.CommandStart).pos);
	}
	subshellBody(pos) {
		if (this.syntaxDepth >= 256) {
			this.error("maximum subshell nesting depth exceeded", pos);
			const closeEnd = this.tok.skipSubshellBody();
			if (closeEnd < 0) this.error("expected ')' to close subshell", this.tok.getPos());
			return {
				type: "Subshell",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const commands = this.list();
		this.syntaxDepth--;
		if (commands.length === 0) this.error("expected command in subshell", pos);
		const closeEnd = this.acceptEnd(Token.RParen, LexContext.Normal);
		if (closeEnd < 0) this.error("expected ')' to close subshell", this.tok.getPos());
		return {
			type: "Subshell",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			body: this.makeCompoundList(commands)
		};
	}
	braceGroup() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error("maximum brace group nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.RBrace);
			if (closeEnd < 0) this.error("expected '}' to close brace group", this.tok.getPos());
			return {
				type: "BraceGroup",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const commands = this.list();
		this.syntaxDepth--;
		if (commands.length === 0) this.error("expected command in brace group", pos);
		const closeEnd = this.acceptEnd(Token.RBrace, LexContext.Normal);
		if (closeEnd < 0) this.error("expected '}' to close brace group", this.tok.getPos());
		return {
			type: "BraceGroup",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			body: this.makeCompoundList(commands)
		};
	}
	ifClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error("maximum if nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Fi);
			if (closeEnd < 0) this.error("expected 'fi' to close 'if'", this.tok.getPos());
			return {
				type: "If",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				clause: this.makeCompoundList([]),
				then: this.makeCompoundList([]),
				elif: EMPTY_ELIFS,
				else: void 0
			};
		}
		this.syntaxDepth++;
		let command;
		let branchPos = pos;
		for (;;) {
			const clauseCommands = this.list();
			const emptyClausePos = this.emptyListPos(clauseCommands);
			const clause = this.makeCompoundList(clauseCommands);
			this.skipSemi();
			const thenToken = this.accept(Token.Then, LexContext.CommandStart);
			if (!thenToken) this.error("expected 'then'", this.tok.getPos());
			else if (emptyClausePos >= 0) this.error(`expected command after '${branchPos === pos ? "if" : "elif"}'`, emptyClausePos);
			const thenCommands = this.list();
			const then_ = this.makeCompoundList(thenCommands);
			if (thenToken && thenCommands.length === 0) {
				this.error("expected command after 'then'", this.tok.peek(LexContext.CommandStart).pos);
				then_.pos = thenToken.end;
				then_.end = thenToken.end;
			}
			if (command) {
				if (command.elif === EMPTY_ELIFS) command.elif = [];
				command.elif.push({
					type: "Elif",
					pos: branchPos,
					end: then_.end,
					clause,
					then: then_
				});
			} else command = {
				type: "If",
				pos,
				end: pos,
				clause,
				then: then_,
				elif: EMPTY_ELIFS,
				else: void 0
			};
			this.skipSemi();
			const elif = this.accept(Token.Elif, LexContext.CommandStart);
			if (!elif) break;
			branchPos = elif.pos;
		}
		if (this.accept(Token.Else, LexContext.CommandStart)) {
			const elseCommands = this.list();
			const emptyElsePos = this.emptyListPos(elseCommands);
			if (emptyElsePos >= 0) this.error("expected command after 'else'", emptyElsePos);
			command.else = this.makeCompoundList(elseCommands);
			this.skipSemi();
		}
		const closeEnd = this.acceptEnd(Token.Fi, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'fi' to close 'if'", this.tok.getPos());
		command.end = closeEnd >= 0 ? closeEnd : branchPos;
		this.syntaxDepth--;
		return command;
	}
	forClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.tok.peek(LexContext.Normal).token === Token.LParen) return this.cStyleFor(pos);
		const name = this.readRequiredWord("for");
		let wordlist;
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.In) {
			this.tok.next(LexContext.CommandStart);
			wordlist = [];
			while (this.tok.peek(LexContext.Normal).token === Token.Word) wordlist.push(this.readWord(LexContext.Normal));
		}
		this.skipSemi();
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return {
				type: "For",
				pos,
				end: bg.end,
				name,
				wordlist,
				body: bg.body
			};
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum for nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
			return {
				type: "For",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				name,
				wordlist,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
		return {
			type: "For",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			name,
			wordlist,
			body: this.makeCompoundList(body)
		};
	}
	cStyleFor(pos) {
		const [initStr, testStr, updateStr, initPos, testPos, updatePos] = this.tok.readCStyleForExprs();
		if (this.tok.peek(LexContext.CommandStart).token === Token.Semi) this.tok.next(LexContext.CommandStart);
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return new ArithmeticForImpl(pos, bg.end, bg.body, initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum for nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
			return new ArithmeticForImpl(pos, closeEnd >= 0 ? closeEnd : pos, this.makeCompoundList([]), initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'for'", this.tok.getPos());
		return new ArithmeticForImpl(pos, closeEnd >= 0 ? closeEnd : pos, this.makeCompoundList(body), initStr, testStr, updateStr, initPos, testPos, updatePos, this.source, this.depth, this.tok.getSubstitutionContext());
	}
	whileClause() {
		return this.whileOrUntil("while");
	}
	untilClause() {
		return this.whileOrUntil("until");
	}
	whileOrUntil(kind) {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		if (this.syntaxDepth >= 256) {
			this.error(`maximum ${kind} nesting depth exceeded`, pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error(`expected 'done' to close '${kind}'`, this.tok.getPos());
			return {
				type: "While",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				kind,
				clause: this.makeCompoundList([]),
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const clauseCommands = this.list();
		const emptyClausePos = this.emptyListPos(clauseCommands);
		const clause = this.makeCompoundList(clauseCommands);
		this.skipSemi();
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		else if (emptyClausePos >= 0) this.error(`expected command after '${kind}'`, emptyClausePos);
		const body = this.doBody(hasDo);
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error(`expected 'done' to close '${kind}'`, this.tok.getPos());
		const end = closeEnd >= 0 ? closeEnd : pos;
		this.syntaxDepth--;
		return {
			type: "While",
			pos,
			end,
			kind,
			clause,
			body: this.makeCompoundList(body)
		};
	}
	caseClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const word = this.readRequiredWord("case");
		this.skipNewlines(LexContext.CommandStart);
		if (!this.accept(Token.In, LexContext.CommandStart)) this.error("expected 'in' after 'case' word", this.tok.getPos());
		this.skipNewlines(LexContext.CasePattern);
		if (this.syntaxDepth >= 256) {
			this.error("maximum case nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Esac);
			if (closeEnd < 0) this.error("expected 'esac' to close 'case'", this.tok.getPos());
			return {
				type: "Case",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				word,
				items: []
			};
		}
		this.syntaxDepth++;
		const items = [];
		let invalid = false;
		let t = this.tok.peek(LexContext.CasePattern).token;
		while (t !== Token.Esac && t !== Token.EOF) {
			const itemPos = this.tok.peek(LexContext.Normal).pos;
			this.accept(Token.LParen, LexContext.Normal);
			const pattern = [];
			let expectWord = true;
			let next = this.tok.peek(LexContext.Normal);
			while (next.token !== Token.RParen && next.token !== Token.EOF) {
				if (next.token === (expectWord ? Token.Word : Token.Pipe)) expectWord = !expectWord;
				else if (!invalid) {
					this.unexpectedToken(next);
					invalid = true;
				}
				const tok = this.tok.next(LexContext.Normal);
				if (tok.token === Token.Word) pattern.push(this.toWord(tok));
				next = this.tok.peek(LexContext.Normal);
			}
			if (expectWord && next.token === Token.RParen && !invalid) {
				this.unexpectedToken(next);
				invalid = true;
			}
			const rparenEnd = this.acceptEnd(Token.RParen, LexContext.Normal);
			const cmds = this.list();
			const bodyPos = rparenEnd >= 0 ? rparenEnd : pattern.length > 0 ? pattern[pattern.length - 1].end : itemPos;
			const item = {
				type: "CaseItem",
				pos: itemPos,
				end: cmds.length > 0 ? cmds[cmds.length - 1].end : bodyPos,
				pattern,
				body: cmds.length > 0 ? this.makeCompoundList(cmds) : {
					type: "CompoundList",
					pos: bodyPos,
					end: bodyPos,
					commands: []
				},
				terminator: void 0
			};
			const after = this.tok.peek(LexContext.CommandStart);
			t = after.token;
			if (t === Token.DoubleSemi || t === Token.SemiAmp || t === Token.DoubleSemiAmp) {
				const termTok = this.tok.next(LexContext.CommandStart);
				item.terminator = CASE_TERMINATORS[termTok.token];
				item.end = termTok.end;
			} else if (t !== Token.Esac && t !== Token.EOF && !invalid) {
				this.unexpectedToken(after);
				invalid = true;
			}
			items.push(item);
			this.skipNewlines(LexContext.CasePattern);
			t = this.tok.peek(LexContext.CasePattern).token;
		}
		const closeEnd = this.acceptEnd(Token.Esac, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'esac' to close 'case'", this.tok.getPos());
		const end = closeEnd >= 0 ? closeEnd : pos;
		this.syntaxDepth--;
		return {
			type: "Case",
			pos,
			end,
			word,
			items
		};
	}
	selectClause() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const name = this.readRequiredWord("select");
		let wordlist;
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.In) {
			this.tok.next(LexContext.CommandStart);
			wordlist = [];
			while (this.tok.peek(LexContext.Normal).token === Token.Word) wordlist.push(this.readWord(LexContext.Normal));
		}
		this.skipSemi();
		this.skipNewlines(LexContext.CommandStart);
		if (this.tok.peek(LexContext.CommandStart).token === Token.LBrace) {
			const bg = this.braceGroup();
			return {
				type: "Select",
				pos,
				end: bg.end,
				name,
				wordlist,
				body: bg.body
			};
		}
		const hasDo = this.accept(Token.Do, LexContext.CommandStart) !== null;
		if (!hasDo) this.error("expected 'do'", this.tok.getPos());
		if (this.syntaxDepth >= 256) {
			this.error("maximum select nesting depth exceeded", pos);
			const closeEnd = this.tok.skipCompoundBody(Token.Done);
			if (closeEnd < 0) this.error("expected 'done' to close 'select'", this.tok.getPos());
			return {
				type: "Select",
				pos,
				end: closeEnd >= 0 ? closeEnd : pos,
				name,
				wordlist,
				body: this.makeCompoundList([])
			};
		}
		this.syntaxDepth++;
		const body = this.doBody(hasDo);
		this.syntaxDepth--;
		this.skipSemi();
		const closeEnd = this.acceptEnd(Token.Done, LexContext.CommandStart);
		if (closeEnd < 0) this.error("expected 'done' to close 'select'", this.tok.getPos());
		return {
			type: "Select",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			name,
			wordlist,
			body: this.makeCompoundList(body)
		};
	}
	testCommand() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const expr = this.parseTestOr();
		const closeEnd = this.acceptEnd(Token.DblRBracket, LexContext.TestMode);
		if (closeEnd < 0) this.error("expected ']]' to close '[['", this.tok.getPos());
		return {
			type: "TestCommand",
			pos,
			end: closeEnd >= 0 ? closeEnd : pos,
			expression: expr
		};
	}
	parseTestOr() {
		const first = this.parseTestAnd();
		if (this.tok.peek(LexContext.TestMode).token !== Token.Or) return first;
		const operands = [first];
		do {
			this.tok.next(LexContext.TestMode);
			operands.push(this.parseTestAnd());
		} while (this.tok.peek(LexContext.TestMode).token === Token.Or);
		return {
			type: "TestLogical",
			pos: first.pos,
			end: operands[operands.length - 1].end,
			operator: "||",
			operands
		};
	}
	parseTestAnd() {
		const first = this.parseTestNot();
		if (this.tok.peek(LexContext.TestMode).token !== Token.And) return first;
		const operands = [first];
		do {
			this.tok.next(LexContext.TestMode);
			operands.push(this.parseTestNot());
		} while (this.tok.peek(LexContext.TestMode).token === Token.And);
		return {
			type: "TestLogical",
			pos: first.pos,
			end: operands[operands.length - 1].end,
			operator: "&&",
			operands
		};
	}
	parseTestNot() {
		let t = this.tok.peek(LexContext.TestMode);
		if (!isTestNegation(t)) return this.parseTestPrimary();
		const negations = [];
		while (isTestNegation(t)) {
			const bang = this.tok.next(LexContext.TestMode);
			negations.push({
				type: "Negation",
				pos: bang.pos,
				end: bang.end
			});
			t = this.tok.peek(LexContext.TestMode);
		}
		const operand = this.parseTestPrimary();
		return {
			type: "TestNot",
			pos: negations[0].pos,
			end: operand.end,
			negations,
			operand
		};
	}
	parseTestPrimary() {
		if (this.tok.peek(LexContext.TestMode).token === Token.LParen) {
			const openPos = this.tok.next(LexContext.TestMode).pos;
			if (this.syntaxDepth >= 256) {
				this.error("maximum test group nesting depth exceeded", openPos);
				const closeEnd = this.tok.skipTestGroup();
				if (closeEnd < 0) this.error("expected ')' to close test group", this.tok.getPos());
				return {
					type: "TestGroup",
					pos: openPos,
					end: closeEnd >= 0 ? closeEnd : openPos,
					expression: {
						type: "TestUnary",
						pos: openPos,
						end: openPos,
						operator: "-n",
						operand: new WordImpl("", openPos, openPos)
					}
				};
			}
			this.syntaxDepth++;
			const expr = this.parseTestOr();
			this.syntaxDepth--;
			const closeEnd = this.acceptEnd(Token.RParen, LexContext.TestMode);
			if (closeEnd < 0) this.error("expected ')' to close test group", this.tok.getPos());
			return {
				type: "TestGroup",
				pos: openPos,
				end: closeEnd >= 0 ? closeEnd : openPos,
				expression: expr
			};
		}
		const first = this.tok.next(LexContext.TestMode);
		if (first.token === Token.And || first.token === Token.Or) this.unexpectedToken(first);
		const val = first.value;
		const firstPos = first.pos;
		const firstEnd = first.end;
		if (first.keywordEligible && UNARY_TEST_OPS[val] === 1) {
			if (this.tok.peek(LexContext.TestMode).token === Token.Word) {
				const operand = this.readTestOperand();
				return {
					type: "TestUnary",
					pos: firstPos,
					end: operand.end,
					operator: val,
					operand
				};
			}
			this.error("expected operand after unary test operator", firstEnd);
			return {
				type: "TestUnary",
				pos: firstPos,
				end: firstEnd,
				operator: val,
				operand: new WordImpl("", firstEnd, firstEnd)
			};
		}
		const nt = this.tok.peek(LexContext.TestMode);
		if (nt.token === Token.Word && nt.keywordEligible && BINARY_TEST_OPS[nt.value] === 1) {
			const op = this.tok.next(LexContext.TestMode).value;
			let right;
			if (op === "=~") {
				const token = this.tok.readTestRegexWord();
				right = new WordImpl(this.source.slice(token.pos, token.end), token.pos, token.end, this.source, embeddedPartsResolver(this.tok.getSubstitutionContext()), this.depth);
			} else right = this.readTestOperand();
			const left = this.toWordFromPosEnd(first, firstPos, firstEnd);
			return {
				type: "TestBinary",
				pos: firstPos,
				end: right.end,
				operator: op,
				left,
				right
			};
		}
		const w = this.toWordFromPosEnd(first, firstPos, firstEnd);
		return {
			type: "TestUnary",
			pos: firstPos,
			end: w.end,
			operator: "-n",
			operand: w
		};
	}
	readTestOperand() {
		const t = this.tok.next(LexContext.TestMode);
		if (t.keywordEligible && (t.value === "<" || t.value === ">")) this.error(`unexpected argument '${t.value}' to conditional operator`, t.pos);
		return this.toWord(t);
	}
	functionDef() {
		const pos = this.tok.next(LexContext.CommandStart).pos;
		const name = this.readWord(LexContext.FunctionName);
		let body;
		if (this.tok.peek(LexContext.CommandStart).token === Token.LParen) {
			const openPos = this.tok.next(LexContext.CommandStart).pos;
			if (this.tok.peek(LexContext.CommandStart).token === Token.RParen) {
				this.tok.next(LexContext.CommandStart);
				this.skipNewlines(LexContext.CommandStart);
				body = this.commandAsBody();
			} else body = this.withRedirects(this.subshellBody(openPos));
		} else {
			this.skipNewlines(LexContext.CommandStart);
			body = this.commandAsBody();
		}
		return {
			type: "Function",
			pos,
			end: body.end,
			name,
			body
		};
	}
	simpleCommandOrFunction(coproc) {
		const prefix = [];
		const cmdPos = this.tok.peek(LexContext.CommandStart).pos;
		let lastEnd = cmdPos;
		let ctx = LexContext.CommandStart;
		for (;;) {
			const t = this.tok.peek(ctx).token;
			if (t === Token.Assignment) {
				const assignment = this.tok.next(ctx);
				lastEnd = assignment.end;
				prefix.push(this.parseAssignment(assignment));
			} else if (t === Token.Redirect) {
				const redirect = this.readRedirect(ctx);
				prefix.push(redirect);
				lastEnd = redirect.end;
			} else break;
			ctx = LexContext.CommandPrefix;
		}
		if (this.tok.peek(LexContext.Normal).token !== Token.Word) return new CommandImpl(cmdPos, lastEnd, void 0, prefix, []);
		const nameToken = this.tok.next(LexContext.Normal);
		const keyword = nameToken.keywordEligible ? nameToken.value : "";
		const name = this.toWord(nameToken);
		ctx = isDeclarationCommand(keyword) ? LexContext.Declaration : keyword === "eval" || keyword === "let" ? LexContext.EvalArgument : LexContext.Normal;
		lastEnd = name.end;
		const suffix = [];
		if (coproc) while (this.tok.peek(LexContext.CommandPrefix).token === Token.Assignment) {
			const token = this.tok.next(LexContext.CommandPrefix);
			const word = ctx === LexContext.Declaration ? this.parseAssignment(token) : this.toWord(token);
			suffix.push(word);
			lastEnd = word.end;
		}
		if (this.tok.peek(ctx).token === Token.LParen && suffix.length === 0) {
			this.tok.next(LexContext.Normal);
			if (this.tok.peek(LexContext.Normal).token === Token.RParen) {
				this.tok.next(LexContext.Normal);
				this.skipNewlines(LexContext.CommandStart);
				const body = this.commandAsBody();
				return {
					type: "Function",
					pos: name.pos,
					end: body.end,
					name,
					body
				};
			}
		}
		for (;;) {
			const st = this.tok.peek(ctx).token;
			if (st === Token.Word || st === Token.Assignment) {
				const token = this.tok.next(ctx);
				const w = st === Token.Assignment ? this.parseAssignment(token) : this.toWord(token);
				suffix.push(w);
				lastEnd = w.end;
			} else if (st === Token.Redirect) {
				const redirect = this.readRedirect(ctx);
				suffix.push(redirect);
				lastEnd = redirect.end;
			} else break;
		}
		return new CommandImpl(cmdPos, lastEnd, name, prefix, suffix);
	}
	readRedirect(ctx) {
		const t = this.tok.next(ctx);
		const tPos = t.pos;
		const tEnd = t.end;
		const descriptor = t.fileDescriptor !== void 0 ? {
			type: "FileDescriptor",
			pos: tPos,
			end: t.descriptorEnd,
			value: t.fileDescriptor
		} : t.variableName !== void 0 ? {
			type: "FileDescriptorVariable",
			pos: tPos,
			end: t.descriptorEnd,
			name: t.variableName
		} : void 0;
		const hasTarget = t.targetEnd > t.targetPos;
		if (!hasTarget) this.error("expected redirect target", t.targetPos);
		if (t.value === "<<" || t.value === "<<-") {
			const r = {
				type: "HereDoc",
				pos: tPos,
				end: tEnd,
				operator: t.value,
				descriptor,
				delimiter: hasTarget ? {
					type: "HereDocDelimiter",
					pos: t.targetPos,
					end: t.targetEnd,
					text: this.source.slice(t.targetPos, t.targetEnd),
					value: t.content ?? "",
					quoted: t.delimiterQuoted
				} : void 0,
				body: new HereDocBodyImpl(this.source, tEnd, t.delimiterQuoted, this.depth, this.tok.getSubstitutionContext()),
				closing: void 0
			};
			if (hasTarget) this.tok.registerHereDocTarget(r);
			return r;
		}
		const target = hasTarget ? new WordImpl(this.source.slice(t.targetPos, t.targetEnd), t.targetPos, t.targetEnd, this.source, wordPartsResolver(this.tok.getSubstitutionContext()), this.depth) : void 0;
		return t.value === "<<<" ? {
			type: "HereString",
			pos: tPos,
			end: tEnd,
			operator: "<<<",
			descriptor,
			target
		} : {
			type: "Redirect",
			pos: tPos,
			end: tEnd,
			operator: REDIRECT_OPS[t.value] ?? ">",
			descriptor,
			target
		};
	}
	commandAsBody() {
		const cmd = this.command();
		if (cmd && cmd.type !== "Command" && cmd.type !== "Function" && cmd.type !== "Coproc") return cmd;
		this.error("expected compound command as function body", cmd?.pos ?? this.tok.getPos());
		return this.makeCompoundList(cmd ? [this.makeStatement(cmd)] : []);
	}
	readWord(ctx) {
		return this.toWord(this.tok.next(ctx));
	}
	readRequiredWord(keyword) {
		const t = this.tok.peek(LexContext.Normal);
		if (t.token === Token.Word) return this.toWord(this.tok.next(LexContext.Normal));
		if (t.token !== Token.EOF) this.error(`expected word after '${keyword}'`, t.pos);
		return new WordImpl("", t.pos, t.pos);
	}
	toWord(tok) {
		const text = tok.raw ? tok.value : this.source.slice(tok.pos, tok.end);
		const source = tok.raw && tok.keywordEligible ? void 0 : this.source;
		return new WordImpl(text, tok.pos, tok.end, source, source === void 0 ? computeBareWordParts : wordPartsResolver(this.tok.getSubstitutionContext()), this.depth);
	}
	toWordFromPosEnd(tok, pos, end) {
		if (tok.pos === pos && tok.end === end) return this.toWord(tok);
		return new WordImpl(this.source.slice(pos, end), pos, end, this.source, wordPartsResolver(this.tok.getSubstitutionContext()), this.depth);
	}
	parseAssignment(token) {
		return new AssignmentImpl(token.raw ? token.value : this.source.slice(token.pos, token.end), token.pos, token.end, this.source, token.assignmentOperatorPos, this.depth, this.tok.getSubstitutionContext());
	}
	makeCompoundList(commands) {
		const p = this.tok.getPos();
		return {
			type: "CompoundList",
			pos: commands.length > 0 ? commands[0].pos : p,
			end: commands.length > 0 ? commands[commands.length - 1].end : p,
			commands
		};
	}
};
var PLAIN$1 = /^[\w./:@%,+-]+(?: (?:[\w./:@%,+][\w./:@%,+-]*|-[\w./:@%,+=-]*))*$/;
var RESERVED = wordSet("if then elif else fi case esac for select while until do done in function time coproc");
var AND = " && ";
var MOST = 50;
function plainScript(text) {
	const parts = text.includes(AND) ? text.split(AND) : [text];
	if (parts.length > MOST || !parts.every(isPlainCommand)) return null;
	return {
		commands: parts.map((part, i) => commandOf$1(part, i > 0)),
		odd: [],
		broken: false,
		functions: [],
		comments: []
	};
}
function isPlainCommand(text) {
	const end = text.indexOf(" ");
	return PLAIN$1.test(text) && !RESERVED.has(end < 0 ? text : text.slice(0, end));
}
function commandOf$1(text, chained) {
	return {
		words: text.split(" ").map(wordOf$2),
		assignments: [],
		redirects: [],
		loose: [],
		piped: false,
		chained
	};
}
function wordOf$2(text) {
	return {
		source: text,
		value: text,
		pieces: [{
			kind: "text",
			text,
			quoted: false
		}]
	};
}
var MAX_DEPTH$1 = 12;
var MAX_COMMANDS = 2e3;
function parseShell(text) {
	if (text.length > 1e4) return brokenScript();
	return plainScript(text) ?? parseAll(text);
}
function brokenScript() {
	return {
		commands: [],
		odd: [],
		broken: true,
		functions: [],
		comments: []
	};
}
function parseAll(text) {
	const broken = brokenScript();
	if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) return broken;
	if (/[<>]\(/.test(text) && text.includes("#")) return broken;
	try {
		const parsed = parse$3(text);
		const script = scriptOf(parsed, 0, {
			text,
			budget: { left: MAX_COMMANDS }
		});
		if (!script.broken && text.includes("#")) script.comments = commentsOf(text, parsed);
		return script;
	} catch {
		return broken;
	}
}
function scriptOf(parsed, depth, whole) {
	const script = {
		commands: [],
		odd: [],
		broken: parsed === void 0 || depth > MAX_DEPTH$1,
		functions: [],
		comments: []
	};
	if (parsed === void 0 || script.broken) return script;
	if (parsed.errors !== void 0 && parsed.errors.length > 0) script.broken = true;
	const walk = {
		script,
		depth,
		whole
	};
	for (const statement of parsed.commands) visit(statement, walk, false);
	return script;
}
function push(walk, part, piped, chained = false) {
	if (walk.whole.budget.left-- <= 0) {
		walk.script.broken = true;
		return;
	}
	const { words = [], assignments = [], redirects = [], loose = [] } = part;
	walk.script.commands.push({
		words,
		assignments,
		redirects,
		loose,
		piped,
		chained
	});
}
var GROUPS = wordSet("Statement CompoundList If Elif While Subshell BraceGroup Time Negation");
function visit(node, walk, piped, chained = false) {
	if (node.type === "Command") visitCommand(node, walk, piped, chained);
	else if (node.type === "Pipeline") for (const [i, command] of node.commands.entries()) {
		const from = walk.script.commands.length;
		visit(command, walk, i > 0, chained);
		if (command.type !== "Command") markInPipe(walk.script.commands.slice(from));
	}
	else if (node.type === "AndOr") {
		const or = node.operators.findIndex((operator) => operator !== "&&");
		for (const [i, command] of node.commands.entries()) {
			const before = node.commands[i - 1];
			visit(command, walk, false, before?.type === "Command" && (or < 0 || i <= or));
		}
	} else if (node.type === "Redirected") {
		push(walk, { redirects: node.redirects.map((one) => redirectOf(one, walk)) }, false);
		const { commands } = walk.script;
		const [from, group] = [commands.length, commands.at(-1)];
		visit(node.command, walk, piped);
		if (group !== void 0) group.covers = commands.length - from;
	} else if (node.type === "For" || node.type === "Case" || node.type === "CaseItem") visitData(node, walk);
	else if (GROUPS.has(node.type)) forEachChild(node, (child) => visit(child, walk, false));
	else {
		walk.script.odd.push(node.type);
		const from = walk.script.commands.length;
		visitOdd(node, walk);
		if (node.type === "Function") walk.script.functions.push({
			name: node.name.value,
			from,
			to: walk.script.commands.length
		});
	}
}
function markInPipe(commands) {
	for (const command of commands) command.inPipe = true;
}
function visitData(node, walk) {
	if (node.type === "For") {
		const loose = (node.wordlist ?? []).map((word) => wordOf$1(word, walk));
		const name = node.name.value;
		push(walk, {
			loose,
			assignments: [{
				source: "",
				name,
				plain: true,
				value: null
			}]
		}, false);
		visit(node.body, walk, false);
	} else if (node.type === "Case") {
		push(walk, { loose: [wordOf$1(node.word, walk)] }, false);
		for (const item of node.items) visit(item, walk, false);
	} else {
		push(walk, { loose: node.pattern.map((word) => wordOf$1(word, walk)) }, false);
		visit(node.body, walk, false);
	}
}
function visitOdd(node, walk) {
	forEachChild(node, (child) => {
		if (child.type === "Word") push(walk, { loose: [wordOf$1(child, walk)] }, false);
		else if (isCommandNode(child)) visit(child, walk, false);
		else visitOdd(child, walk);
	});
}
function isCommandNode(node) {
	return GROUPS.has(node.type) || [
		"AndOr",
		"Command",
		"Pipeline",
		"Redirected",
		"For",
		"Case",
		"CaseItem"
	].includes(node.type);
}
function visitCommand(node, walk, piped, chained) {
	if (node.name !== void 0 && isParenthesisAt(walk.whole.text, node.name.end)) walk.script.broken = true;
	const assignments = [];
	for (const item of node.prefix) if (item.type === "Assignment") assignments.push(assignmentOf(item, walk));
	push(walk, {
		words: [...node.name === void 0 ? [] : [node.name], ...node.args].map((arg) => argumentOf(arg, walk)),
		assignments,
		redirects: node.redirects.map((one) => redirectOf(one, walk))
	}, piped, chained);
}
var LOOSE_PARENTHESIS = /[^\s$<>;&|(`][ \t]*\(/;
var OPENING = /(?:[ \t]|\\\n)*\(/y;
function isParenthesisAt(text, at) {
	OPENING.lastIndex = at;
	return text !== null && OPENING.test(text);
}
function assignmentOf(node, walk) {
	const { value } = node;
	const plain = node.append === void 0 && node.index === void 0 && value.type === "Word";
	const word = value.type === "Word" ? wordOf$1(value, walk) : oddWord(node.text, node, walk);
	return {
		source: node.text,
		name: node.name,
		plain,
		value: word
	};
}
function argumentOf(node, walk) {
	if (node.type === "Word") return wordOf$1(node, walk);
	const { name, plain, value } = assignmentOf(node, walk);
	if (!plain || value === null) return oddWord(node.text, node, walk);
	return {
		source: node.text,
		value: value.value === null ? null : `${name}=${value.value}`,
		pieces: [{
			kind: "text",
			text: `${name}=`,
			quoted: false
		}, ...value.pieces]
	};
}
function redirectOf(node, walk) {
	const { operator, descriptor } = node;
	const assigns = descriptor?.type === "FileDescriptorVariable";
	if (node.type !== "HereDoc") {
		const target = node.target ? wordOf$1(node.target, walk) : null;
		return {
			operator,
			assigns,
			target: target === null || !target.source.startsWith("!") ? target : null,
			body: null,
			span: null
		};
	}
	const { text, parts, pos, end } = node.body;
	const whole = node.delimiter?.quoted === true ? {
		kind: "text",
		text,
		quoted: true
	} : literal$1(text, text, true);
	return {
		operator,
		assigns,
		target: null,
		body: finish(text, parts === void 0 ? [whole] : piecesOf(parts, true, walk)),
		span: [pos, end]
	};
}
function oddWord(source, node, walk) {
	return {
		source,
		value: null,
		pieces: [oddPiece(source, node, walk)]
	};
}
function oddPiece(text, node, walk) {
	const scripts = [];
	const collect = (child) => {
		if (child.type === "Script") scripts.push(scriptOf(child, walk.depth + 1, {
			...walk.whole,
			text: null
		}));
		else forEachChild(child, collect);
	};
	forEachChild(node, collect);
	return {
		kind: "odd",
		text,
		scripts
	};
}
function wordOf$1(node, walk) {
	const { text, parts } = node;
	const pieces = parts === void 0 ? [literal$1(node.value, text, false)] : piecesOf(parts, false, walk);
	if (parts !== void 0 && parts.map((part) => part.text).join("") !== text) pieces.push({
		kind: "odd",
		text,
		scripts: []
	});
	if (text.startsWith("~[")) pieces.push({
		kind: "odd",
		text,
		scripts: []
	});
	if (text.startsWith("~")) pieces.unshift({
		kind: "pattern",
		text: "~"
	});
	return finish(text, pieces);
}
function finish(source, pieces) {
	let value = "";
	for (const [i, piece] of pieces.entries()) {
		value = value === null || piece.kind !== "text" ? null : value + piece.text;
		if (piece.kind === "variable" && zshGoesOn(piece.name, pieces[i + 1])) pieces[i] = {
			kind: "odd",
			text: piece.name,
			scripts: []
		};
	}
	return {
		source,
		value,
		pieces
	};
}
function literal$1(text, source, quoted) {
	return (quoted ? !zshExpands(source) : isInert(source)) ? {
		kind: "text",
		text,
		quoted
	} : {
		kind: "odd",
		text,
		scripts: []
	};
}
function isInert(source) {
	return !/[\s()<>|&;`$"']/.test(source.replace(/\\[\s\S]/g, ""));
}
function piecesOf(parts, quoted, walk) {
	return parts.flatMap((part) => pieceOf(part, quoted, walk));
}
var NO_COMMENTS = /^(Word|Assignment|HereDoc\w*|Arithmetic\w*|Test\w*)$/;
function commentsOf(text, parsed) {
	if (text.includes("`")) return [];
	const covered = new Uint8Array(text.length);
	const mark = (node) => {
		if (node.type === "Script") covered.fill(0, node.pos, node.end);
		else if (NO_COMMENTS.test(node.type)) covered.fill(1, node.pos, node.end);
		forEachChild(node, mark);
	};
	for (const statement of parsed.commands) mark(statement);
	const found = [];
	for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
		if (covered[at] === 1) continue;
		const end = text.indexOf("\n", at);
		found.push([at, end < 0 ? text.length : end]);
		at = end < 0 ? text.length : end;
	}
	return found;
}
var SIMPLE_PARAMETER = /^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9]|[?#$!@*-])\}?$/;
function pieceOf(part, quoted, walk) {
	switch (part.type) {
		case "Literal": return literal$1(part.value, part.text, quoted);
		case "SingleQuoted":
		case "AnsiCQuoted": return {
			kind: "text",
			text: part.value,
			quoted: true
		};
		case "DoubleQuoted":
		case "LocaleString": return [{
			kind: "text",
			text: "",
			quoted: true
		}, ...piecesOf(part.parts, true, walk)];
		case "Glob":
		case "BraceExpansion": return isInert(part.text) ? {
			kind: "pattern",
			text: part.text
		} : oddPiece(part.text, part, walk);
		case "SimpleExpansion":
		case "ParameterExpansion": {
			const name = SIMPLE_PARAMETER.exec(part.text)?.[1];
			return name === void 0 ? oddPiece(part.text, part, walk) : {
				kind: "variable",
				name,
				quoted
			};
		}
		case "CommandExpansion":
		case "ProcessSubstitution": {
			const inBackticks = part.text.startsWith("`");
			const whole = inBackticks ? {
				...walk.whole,
				text: null
			} : walk.whole;
			const script = scriptOf(part.script, walk.depth + 1, whole);
			if (inBackticks && LOOSE_PARENTHESIS.test(part.text)) script.broken = true;
			if (part.text.startsWith(">(")) markInPipe(script.commands);
			return {
				kind: "script",
				script,
				quoted,
				source: part.text
			};
		}
		default: return oddPiece(part.text, part, walk);
	}
}
function zshGoesOn(name, next) {
	if (next === void 0) return false;
	if (name === "#") return !("text" in next) || !/^[\s.,;:)/]/.test(next.text);
	if (!("text" in next)) return false;
	if (/^\d$/.test(name) && /^\d/.test(next.text)) return true;
	if (/^(\[|[^\0-\x7f])/.test(next.text)) return true;
	return next.text.startsWith(":") && /:[a-z&]*[FW]/.test(next.text);
}
function zshExpands(source) {
	return /\$(?![\s|)/.,;:%\]}<>&'"]|$)/.test(source.replace(/\\[\s\S]/g, " "));
}
var values = (args) => args.map((word) => word.value ?? "");
var FORMS$1 = {
	find: (args) => isFind(args),
	date: (args) => isDate(args),
	env: (args) => values(args).every((arg) => arg === "-0" || arg === "--null"),
	command: ([first, ...names]) => (first?.value === "-v" || first?.value === "-V") && names.every(staysOneWord),
	test: (args) => isTest(args),
	"[": (args) => args.at(-1)?.value === "]" && isTest(args.slice(0, -1)),
	printf: (args) => isPrintf(args),
	export: (args) => args.every((word) => word.value === "-p" || isHarmlessExport(word)),
	echo: () => true,
	cd: () => true,
	pushd: () => true,
	popd: () => true
};
function readsOnly$1(program, args) {
	const form = Object.hasOwn(FORMS$1, program) ? FORMS$1[program] : void 0;
	if (form !== void 0) return form(args);
	const read = readReader(program, args);
	if (read === null) return true;
	const most = Object.hasOwn(MAX_OPERANDS, program) ? MAX_OPERANDS[program] : void 0;
	return read.bad === null && (most === void 0 || !read.countless && isOrdered(args, read, most));
}
function readReader(program, args) {
	const line = Object.hasOwn(READER_OPTIONS, program) ? READER_OPTIONS[program] : void 0;
	if (line === void 0) return null;
	return readOptions(args, line, HARMLESS_READERS.has(program) ? {
		unknown: () => true,
		anyValue: true
	} : {});
}
function isOrdered(args, { operands }, most) {
	const first = operands[0];
	return first === void 0 || operands.length <= most && args.length - args.indexOf(first) <= most;
}
function isFind(args) {
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === void 0) break;
		const text = word.value;
		if (text === null || !/^-./.test(text)) {
			if (!(text !== null && /^([(),!]|)$/.test(text)) && readOptions([word], "").bad !== null) return false;
		} else if (FIND_TESTS[1]?.has(text) === true || /^-newer[aBcmt][aBcmt]$/.test(text)) {
			const value = args[++i];
			if (value !== void 0 && !staysOneWord(value)) return false;
		} else if (FIND_TESTS[0]?.has(text) !== true) return false;
	}
	return true;
}
var DATE_OPTIONS = "-uR -d= -I? --utc --universal --rfc-email --iso-8601? --rfc-3339? --date?";
function isDate(args) {
	const { bad, operands } = readOptions(args, DATE_OPTIONS);
	return bad === null && operands.every((word) => word.source.replace(/^['"]/, "").startsWith("+"));
}
function isHarmlessExport(word) {
	if (!staysOneWord(word)) return false;
	const first = word.pieces[0];
	const text = word.value ?? (first?.kind === "text" ? first.text : "");
	const [, name, equals] = /^([A-Za-z0-9_]+)(=|$)/.exec(text) ?? [];
	if (name === void 0 || equals === "" && word.value === null) return false;
	return isHarmlessVariable(name, word.value === null ? null : word.value.slice(name.length + 1));
}
var UNARY = /^-[efdrwxsLhnzSbcpugkOGN]$/;
var INTEGER = /^-?\d+$/;
function isTest(args) {
	const [first, ...rest] = args;
	if (first?.value === "!") return isTest(rest);
	if (!args.every((word) => staysOneWord(word))) return false;
	const [a, b, c] = args;
	if (args.length === 1) return true;
	if (args.length === 2) return a?.value != null && UNARY.test(a.value);
	if (args.length !== 3 || b?.value == null) return false;
	if (/^(=|==|!=)$/.test(b.value)) return true;
	return /^-(eq|ne|lt|le|gt|ge)$/.test(b.value) && isNumber$1(a) && isNumber$1(c);
}
function isNumber$1(word) {
	if (word === void 0) return false;
	return word.value === null ? /^"?\$[?#]"?$/.test(word.source) : INTEGER.test(word.value);
}
var TEXT_DIRECTIVE = /^%-?\d*(\.\d+)?[sbqc]$/;
var NUMBER_DIRECTIVE = /^%[-0+ #]*\d*(\.\d+)?[duixXofeg]$/;
function isPrintf([first, ...args]) {
	const format = first?.value;
	if (format == null || format.startsWith("-")) return false;
	const directives = format.replace(/%%/g, "").match(/%[^A-Za-z]*[A-Za-z]?/g) ?? [];
	if (directives.every((one) => TEXT_DIRECTIVE.test(one))) return true;
	if (!directives.every((one) => TEXT_DIRECTIVE.test(one) || NUMBER_DIRECTIVE.test(one))) return false;
	return args.every((word, i) => {
		const directive = directives[i % directives.length] ?? "";
		return staysOneWord(word) && (TEXT_DIRECTIVE.test(directive) || /^[-+]?\d+(\.\d+)?$/.test(word.value ?? ""));
	});
}
var COMPANIONS = wordSet("echo true false pwd date basename dirname whoami id seq cd pushd popd : [ test printf export sleep env command find rg type");
var PIPE_ENDS = wordSet("head tail wc sort uniq cut tr nl column jq cat grep");
var OWN_OPERANDS = {
	tr: 2,
	jq: 1,
	grep: 1
};
function isCompanion(program, command) {
	const args = command.words.slice(1);
	if (COMPANIONS.has(program)) return readsOnly$1(program, args);
	if (!PIPE_ENDS.has(program) || !readsOnly$1(program, args)) return false;
	return (command.piped || command.redirects.some(({ operator }) => operator.startsWith("<<"))) && filesOf$1(program, args) <= (OWN_OPERANDS[program] ?? 0);
}
function filesOf$1(program, args) {
	const read = readReader(program, args);
	if (read === null || read.countless) return Number.POSITIVE_INFINITY;
	return read.operands.filter((word) => word.value !== "-").length;
}
function classify(script, facts) {
	const where = whereabouts(script, facts.cwd, facts.home);
	return {
		parts: allCommands(script).map((command) => partOf(command, facts, where.get(command) ?? ANYWHERE)),
		plain: isPlain(script)
	};
}
function partOf(command, facts, where) {
	const { config, home } = facts;
	const program = programOf(command) ?? "";
	const args = command.words.slice(1);
	if (config.passthrough.includes(program) && isLiteralName(command)) return passthroughPart(program, command, where, home);
	const sandboxed = {
		kind: "sandboxed",
		program,
		blocked: false
	};
	const writesNothing = command.redirects.every(isHarmlessRedirect);
	if (!command.assignments.every(isHarmlessAssignment) || !writesNothing) return sandboxed;
	if (command.words.length === 0) return {
		kind: "companion",
		program
	};
	if (program === "") return sandboxed;
	if (isCompanion(program, command)) return {
		kind: "companion",
		program
	};
	if (config.readOnly.includes(program) && readsOnly$1(program, args)) return {
		kind: "reader",
		program
	};
	return sandboxed;
}
function passthroughPart(program, command, where, home) {
	const { plain, writes, because } = judgePassthrough(program, command.words.slice(1));
	const writesNothing = command.redirects.every(isHarmlessRedirect);
	const isGit = program === "git";
	const setter = command.assignments.find((one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)));
	const use = writes ? hostUse(program, command, where, home) : null;
	if (plain && setter === void 0 && writesNothing) return {
		kind: "passthrough",
		program,
		writes,
		use
	};
	const asks = isGit && writes && (!plain || setter !== void 0);
	if (asks && writesNothing) return {
		kind: "asked",
		program,
		because: plain ? `the variable \`${setter?.name ?? ""}\`` : because,
		use
	};
	return {
		kind: "sandboxed",
		program,
		blocked: asks || plain && setter === void 0 && writes
	};
}
function isLiteralName(command) {
	return command.words[0]?.value != null;
}
function isHarmlessRedirect({ operator, target, body, assigns }) {
	if (assigns) return false;
	if (body !== null) return true;
	if (target === null) return false;
	if (operator === "<<<") return true;
	if (operator === "<&" || operator === ">&") return /^\d$/.test(target.source) || isNull(target);
	if (operator === "<") return isNull(target) || target.value !== null && !/\/dev\//.test(target.value);
	return isNull(target);
}
function isNull(target) {
	return target.value === "/dev/null";
}
function readsFile(redirect, home) {
	const { operator, target, assigns } = redirect;
	if (operator !== "<" || target === null || isNull(target)) return false;
	if (isHarmlessRedirect(redirect)) return true;
	const path = assigns ? null : pathText(target, home);
	return path !== null && !path.startsWith("/dev/");
}
var OPEN_ONLY = wordSet(`sudo sudoedit su doas pkexec run0 newgrp sg passwd chsh chfn gpasswd mount umount fusermount fusermount3 crontab at
   atq atrm batch podman buildah toolbox distrobox yay paru`);
var OPEN_ALONE = wordSet("docker");
var PREFIXES = wordSet("env command exec time nohup nice setsid");
var SHALLOW = wordSet("ls stat df du mount umount findmnt test [ mkdir touch chmod chown chgrp install ln systemctl useradd usermod");
var SUDO_VALUE = /^-[CDRTUghpru]$/;
var RECURSIVE$1 = /^-[A-Za-z]*[rR]|^--(recursive|reference)/;
function hidingFor(script, facts, parts) {
	const commands = allCommands(script);
	const needy = commands.map(openProgram);
	if (needy.find((name) => name !== "") === void 0) return {
		open: null,
		torn: ""
	};
	if (commands.every((command, i) => needy[i] !== "" || readsNoFile(command))) return {
		open: openUse(script, facts, parts),
		torn: ""
	};
	return {
		open: null,
		torn: needy.find((name) => OPEN_ONLY.has(name)) ?? ""
	};
}
function openProgram(command) {
	const program = programOf(command) ?? "";
	const named = PREFIXES.has(program) ? command.words.slice(1).find((word) => word.value !== null && !/^-|=/.test(word.value))?.value : program;
	const name = named?.slice(named.lastIndexOf("/") + 1) ?? "";
	return OPEN_ONLY.has(name) || OPEN_ALONE.has(name) ? name : "";
}
var FILE_READERS = wordSet("find rg");
function readsNoFile(command) {
	const program = programOf(command) ?? "";
	if (command.redirects.some(({ operator, target }) => operator === "<" && target?.value !== "/dev/null")) return false;
	if (command.words.length === 0) return true;
	return !FILE_READERS.has(program) && isCompanion(program, command);
}
function openUse(script, facts, parts) {
	const where = whereabouts(script, facts.cwd, facts.home);
	const found = new Naming(facts, script);
	const paths = /* @__PURE__ */ new Set();
	const trees = /* @__PURE__ */ new Set();
	for (const command of allCommands(script)) {
		const dirs = where.get(command)?.dirs ?? [facts.cwd, facts.home];
		const deep = goesDeep(command);
		for (const word of wordsOf(command)) for (const path of found.pathsOf(word, dirs)) {
			paths.add(path);
			if (deep || isSudo(command) && holdsText(word)) trees.add(path);
		}
	}
	for (const use of parts.flatMap((part) => "use" in part && part.use !== null ? [part.use] : [])) if (use.scope === "below" && !use.what.includes("compose")) for (const dir of use.dirs ?? []) trees.add(dir);
	return {
		paths: [...paths],
		trees: [...trees]
	};
}
function isSudo(command) {
	const program = openProgram(command);
	return program !== "" && !OPEN_ALONE.has(program) && program !== "podman";
}
function goesDeep(command) {
	if (!isSudo(command)) return false;
	const words = command.words.slice(1).map((word) => word.value ?? "");
	const program = words.find((word, i) => !/^$|^-|=/.test(word) && !SUDO_VALUE.test(words[i - 1] ?? "")) ?? "";
	return !SHALLOW.has(program.slice(program.lastIndexOf("/") + 1)) || words.some((word) => RECURSIVE$1.test(word));
}
function holdsText(word) {
	return /\s/.test(word.value ?? "");
}
var MAX_VALUES$1 = 8;
var Naming = class {
	facts;
	known = /* @__PURE__ */ new Map();
	constructor(facts, script) {
		this.facts = facts;
		for (const command of allCommands(script)) for (const { name, value } of command.assignments) {
			const values = value === null ? ["*"] : this.texts(value);
			this.known.set(name, [...this.known.get(name) ?? [], ...values].slice(0, MAX_VALUES$1));
		}
	}
	pathsOf(word, dirs) {
		const tokens = this.texts(word).flatMap(tokensOf);
		return [...new Set(tokens)].flatMap((token) => this.absolute(token, dirs));
	}
	absolute(token, dirs) {
		if (token.startsWith("/")) return [token];
		if (/^~(\/|$)/.test(token)) return [`${this.facts.home}${token.slice(1)}`];
		return dirs.map((dir) => squeeze(`${dir}/${token}`));
	}
	texts(word) {
		let texts = [""];
		for (const piece of word.pieces) {
			const options = this.optionsOf(piece);
			texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES$1);
		}
		return texts.map((text) => this.named(text.replace(/^~~/, "~")));
	}
	optionsOf(piece) {
		if (piece.kind === "text") return [piece.text];
		if (piece.kind === "pattern") return [/^[{]/.test(piece.text) ? "*" : piece.text];
		if (piece.kind === "variable") {
			if (piece.name === "HOME" || piece.name === "PWD") return [`$${piece.name}`];
			return this.known.get(piece.name) ?? ["*"];
		}
		return ["*"];
	}
	named(text) {
		return text.replace(/\$\{?HOME\}?/g, this.facts.home).replace(/\$\{?PWD\}?/g, ".").replace(/\$\{?\w+\}?/g, "*");
	}
};
function tokensOf(text) {
	return [text, ...text.split(/[\s'"=:,;|&<>(){}`]+/)].flatMap((part) => {
		const at = part.search(/[~/]/);
		if (/^-+\w*$/.test(part)) return [];
		if (part.startsWith("@")) return [part.slice(1)];
		return part.startsWith("-") && at > 0 ? [part, part.slice(at)] : part === "" ? [] : [part];
	});
}
var REACHING = wordSet("tmux screen byobu zellij systemd-run systemctl at batch crontab");
var RUNNERS$2 = wordSet("env command exec nohup setsid nice ionice time timeout stdbuf xargs");
function reachesHost(script) {
	for (const command of allCommands(script)) {
		const found = namesOf$3(command).find((name) => REACHING.has(name));
		if (found !== void 0) return found;
	}
	return null;
}
function namesOf$3(command) {
	const program = programOf(command);
	if (program === null) return [];
	if (!RUNNERS$2.has(program)) return [program];
	return command.words.flatMap((word) => word.value === null ? [] : [word.value]);
}
function reachText(program) {
	return `\`${program}\` may act on the host: what its server does there is written directly.`;
}
function literalPaths(script, cwd) {
	const paths = allCommands(script).flatMap(wordsOf).flatMap(({ value }) => {
		if (value === null || value === "" || value.startsWith("-") || /\s/.test(value)) return [];
		return [squeeze(value.startsWith("/") ? value : `${cwd}/${value}`)];
	});
	return [...new Set(paths)];
}
function linkText(path) {
	return `\`${path}\` has other names (hard links): writing to it changes them on the host, also where they are covered.`;
}
function mixedText(program, others) {
	const named = [...new Set(others.filter((other) => other !== "" && other !== program))].slice(0, 3);
	return `this command mixes \`${program}\`, which runs on the host, with ${named.length === 0 ? "parts that run in the sandbox" : named.map((name) => `\`${name}\``).join(", ")}, which must run in the sandbox. Nothing was run. Run \`${program} ...\` as a call of its own: it runs on the host. Run the rest as another call, without redirecting output of the first one into a file.`;
}
function openBesideText(program) {
	return `\`${program}\` gains no rights beside commands that read files on the host, since those run in a user namespace. Nothing was run. Run \`${program} ...\` as a call of its own, and the rest as another.`;
}
function ownDirectoryText$1(program, path) {
	return `\`${program}\` would reach ${path} on the host, which holds trai's own state. Commands may not touch it. Nothing was run. Name only what it is to work on; or ask the user to run it in a terminal.`;
}
function ownProgramText(program) {
	return `only the user commits, discards, undoes or bypasses the sandbox. Nothing was run. Ask the user to type the slash command (for example \`/trai:commit\`). To look at the session, run \`${program} status\` (or diff, log, sessions, doctor, why) as a call of its own, written exactly so.`;
}
function hostText(program, pending) {
	const warning = `\`${program}\` runs on the host, outside the sandbox.`;
	return pending ? `${warning} Pending changes of this session are not on the host, so it does not see them.` : warning;
}
function runsProgramsText(program, because) {
	return `this \`${program}\` may run other programs, because of ${because}. It would run on the host, outside the sandbox, and what those programs write is not reviewed. Allow it only if you know what it runs.`;
}
var DENIED_TEXT = "To Claude, if this was denied: nothing was run. Do not try it another way. Continue with what does not need it, and end with the exact commands that are left for the user (/trai:commit first, where it is named above).";
var CONFIG_OFF_TEXT = "the sandbox is turned off by the config (\"enabled\": false); this call runs on the host.";
var ONE_SHOT_TEXT = "you let this one call run on the host, outside the sandbox.";
function globMatches(glob, name) {
	const anyOf = glob.replace(/\[[^\]]*\]|\[/g, "?");
	const shape = /^[\0-\x7f]*$/.test(name) ? anyOf : anyOf.replaceAll("?", "*");
	let [at, of] = [0, 0];
	let [star, end] = [-1, 0];
	while (of < name.length) {
		const sign = shape[at];
		if (sign === "*") [star, end] = [at++, of];
		else if (sign === "?" || sign === name[of]) [at, of] = [at + 1, of + 1];
		else if (star >= 0) [at, of] = [star + 1, ++end];
		else return false;
	}
	while (shape[at] === "*") at++;
	return at === shape.length;
}
var MAX_VALUES = 8;
var DECLARES = /^(export|alias|declare|typeset|local|readonly)$/;
var KnownValues = class {
	known = /* @__PURE__ */ new Map();
	unknown;
	constructor(unknown) {
		this.unknown = unknown;
	}
	learn(command) {
		for (const { name, value } of command.assignments) {
			const values = [...value === null ? command.loose : [value]].flatMap((word) => this.textsOf(word));
			this.remember(name, values);
		}
		if (!DECLARES.test(command.words[0]?.value ?? "")) return;
		for (const text of command.words.slice(1).flatMap((word) => this.textsOf(word))) {
			const at = text.indexOf("=");
			if (at > 0) this.remember(text.slice(0, at), [text.slice(at + 1)]);
		}
	}
	remember(name, values) {
		const known = this.known.get(name) ?? /* @__PURE__ */ new Set();
		for (const value of values.slice(0, MAX_VALUES)) known.add(value);
		this.known.set(name, known);
	}
	textsOf(word) {
		let texts = [""];
		for (const piece of word.pieces) {
			const options = this.optionsOf(piece);
			texts = texts.flatMap((text) => options.map((option) => text + option)).slice(0, MAX_VALUES);
		}
		return texts;
	}
	optionsOf(piece) {
		if (piece.kind === "text" || piece.kind === "pattern") return [piece.text];
		const known = piece.kind === "variable" ? this.known.get(piece.name) : void 0;
		return known === void 0 || known.size === 0 ? [this.unknown(piece)] : [...known];
	}
};
var READING$1 = wordSet("status diff log ps sessions doctor why why-host");
var ARGUMENTS = /^[ A-Za-z0-9_.,:=@%+/-]*$/;
var BARE_PATH = /^\/[A-Za-z0-9_.,:=@%+/-]+$/;
function ownUse(command, script, facts) {
	for (const program of facts.ownPrograms) {
		const args = exactArguments(command, program);
		if (args !== null) return {
			kind: "exact",
			reads: readsOnly(args)
		};
	}
	if (script.broken && script.commands.length === 0) return { kind: facts.ownPrograms.some((program) => command.includes(program)) ? "hidden" : "none" };
	return new Search(facts).finds(script, 0) ? { kind: "hidden" } : { kind: "none" };
}
function readsOnly(args) {
	const [name = "", ...rest] = args.trim().split(/ +/);
	return READING$1.has(name) && !(name === "ps" && rest.some((word) => word.startsWith("--end")));
}
function exactArguments(command, program) {
	const spellings = [...BARE_PATH.test(program) ? [program] : []];
	if (!/["'$`\\!\n]/.test(program)) spellings.push(`"${program}"`, `'${program}'`);
	for (const spelling of spellings) {
		if (!command.startsWith(spelling)) continue;
		const rest = command.slice(spelling.length);
		if (rest === "" || rest.startsWith(" ") && ARGUMENTS.test(rest)) return rest;
	}
	return null;
}
var SHELLS$1 = wordSet("sh bash zsh dash ksh ash eval source . trap alias su script ssh docker podman");
var RUNNERS$1 = wordSet(`env command exec builtin nohup nice ionice timeout time stdbuf setsid sudo doas xargs flock watch strace chrt
   unbuffer parallel find coproc noglob nocorrect chronic runuser unshare nsenter chroot systemd-run entr`);
var HANDLES_FILES = /^(ls|cat|head|tail|wc|stat|file|grep|rg|which|type|echo|printf|test|\[|cd|readlink|realpath|basename|dirname|cp|ln|mv|rm|chmod|diff|cmp|sha256sum|md5sum|git|export|sed|awk|less|bat|tee|touch|:|strings)$/;
var MAX_NESTED_TEXTS = 4;
var Search = class {
	facts;
	names;
	values = new KnownValues((piece) => piece.kind === "script" ? echoed(piece.script) ?? "" : "");
	constructor(facts) {
		this.facts = facts;
		this.names = new Set(facts.ownPrograms.map((program) => program.slice(program.lastIndexOf("/") + 1)));
	}
	finds(script, depth) {
		const commands = allCommands(script);
		for (const command of commands) this.values.learn(command);
		return commands.some((command) => this.runsIt(command, depth));
	}
	runsIt(command, depth) {
		const [first, ...rest] = command.words.map((word) => this.values.textsOf(word));
		if (first === void 0) return false;
		if (first.some((text) => this.isIt(text.split(/\s/)[0] ?? "") || this.matches(text))) return true;
		const program = programOf(command) ?? first[0]?.split("/").pop() ?? "";
		const args = rest.flat();
		if (RUNNERS$1.has(program) && args.some((text) => this.isIt(text))) return true;
		const bodies = command.redirects.flatMap(({ target, body }) => [...body === null ? [] : this.values.textsOf(body), ...target === null ? [] : this.values.textsOf(target)]);
		if (SHELLS$1.has(program) || RUNNERS$1.has(program)) {
			const texts = program === "find" ? behindExec(args) : args;
			if ([
				...texts,
				texts.join(" "),
				...bodies
			].some((text) => this.textRunsIt(text, depth))) return true;
		}
		if (program === "git") return args.some((text) => /=?!/.test(text) && this.textRunsIt(text.replace(/^.*?!/, ""), depth));
		return !HANDLES_FILES.test(program) && [...args, ...bodies].some((text) => this.mentions(text));
	}
	textRunsIt(text, depth) {
		if (depth >= MAX_NESTED_TEXTS || text === "") return false;
		if (this.isIt(text)) return true;
		return this.finds(parseShell(text.replace(/^[A-Za-z_][\w-]*=/, "")), depth + 1);
	}
	isIt(text) {
		const at = text.lastIndexOf("/");
		return this.names.has(text.slice(at + 1)) && (at < 0 || this.isPath(text));
	}
	isPath(text) {
		const path = squeeze(text.startsWith("/") ? text : `${this.facts.cwd}/${text}`);
		return this.facts.ownPrograms.includes(path) || /(^|\/)bin\/[^/]+$/.test(path) || !text.startsWith("/");
	}
	matches(text) {
		if (!/[*?[]/.test(text)) return false;
		const pattern = text.slice(text.lastIndexOf("/") + 1);
		return [...this.names].some((name) => globMatches(pattern, name));
	}
	mentions(text) {
		return this.facts.ownPrograms.some((program) => text.includes(program));
	}
};
function behindExec(args) {
	const at = args.findIndex((text) => /^-(exec|ok)|^-.*[*?[{]/.test(text));
	return at < 0 ? [] : args.slice(at + 1);
}
function echoed(script) {
	const [only] = script.commands;
	if (only === void 0 || script.commands.length !== 1) return null;
	const values = only.words.map((word) => word.value ?? "");
	if (!/^(echo|printf|which|command|type|realpath|readlink)$/.test(values[0] ?? "")) return null;
	return values.slice(1).filter((value) => !value.startsWith("-")).join(" ");
}
function decide$1(command, facts) {
	const script = parseShell(command);
	const own = ownUse(command, script, facts);
	if (own.kind === "exact" && (own.reads || facts.ownPermit)) return {
		...decision("host", "own-program", "trai"),
		open: NO_PATHS
	};
	if (own.kind !== "none") return decision("refuse", "own-program-by-model", "trai", ownProgramText(facts.ownPrograms[0] ?? "trai"));
	if (!facts.config.enabled) return withoutSandbox(script, facts);
	if (facts.oneShot) {
		const { parts } = classify(script, facts);
		return hidden(script, facts, parts, {
			...decision("host", "one-shot", "", ONE_SHOT_TEXT),
			usedOneShot: true,
			uses: usesOf(parts)
		});
	}
	if (script.commands.length === 0) return decision("sandbox", isPlain(script) ? "default" : "not-understood");
	const classified = classify(script, facts);
	const made = hidden(script, facts, classified.parts, decideParts(classified, facts.pending));
	if (made.mode !== "sandbox") return made;
	const reaching = reachesHost(script);
	return {
		...made,
		text: reaching === null ? "" : reachText(reaching),
		paths: literalPaths(script, facts.cwd)
	};
}
var NO_PATHS = {
	paths: [],
	trees: []
};
function withoutSandbox(script, facts) {
	const off = decision("host", "config-off", "", CONFIG_OFF_TEXT);
	const { parts, plain } = classify(script, facts);
	if (script.commands.length === 0 || !plain || parts.some((part) => part.kind === "sandboxed")) return {
		...off,
		open: NO_PATHS
	};
	const { open, torn } = hidingFor(script, facts, parts);
	return {
		...off,
		open: torn === "" ? open : NO_PATHS
	};
}
function hidden(script, facts, parts, made) {
	if (made.mode !== "host") return made;
	const { open, torn } = hidingFor(script, facts, parts);
	return torn === "" ? {
		...made,
		open
	} : decision("refuse", "mixed", torn, openBesideText(torn));
}
function decideParts({ parts, plain }, pending) {
	const passthrough = parts.find((part) => part.kind === "passthrough");
	const readers = parts.filter((part) => part.kind === "reader");
	const sandboxed = parts.filter((part) => part.kind === "sandboxed");
	if (plain && sandboxed.length === 0) {
		const asked = parts.find((part) => part.kind === "asked");
		const uses = usesOf(parts);
		if (asked !== void 0 && readers.length === 0) {
			const ask = runsProgramsText(asked.program, asked.because);
			return {
				...decision("host", "runs-programs", asked.program, ask),
				ask,
				uses
			};
		}
		if (passthrough !== void 0 && readers.length === 0) {
			const text = hostText(passthrough.program, pending);
			return {
				...decision("host", "passthrough", passthrough.program, text),
				uses
			};
		}
		if (!parts.some((part) => part.kind === "asked" || part.kind === "passthrough" && part.writes)) {
			if (pending) return decision("sandbox", "default");
			return decision("host", "read-only", passthrough?.program ?? parts[0]?.program ?? "");
		}
	}
	const torn = parts.find((part) => isTorn(part, parts.length > 1 || !plain));
	if (torn !== void 0) {
		const others = [...sandboxed, ...readers].map((part) => part.program);
		return decision("refuse", "mixed", torn.program, mixedText(torn.program, others));
	}
	return decision("sandbox", plain ? "default" : "not-understood");
}
function usesOf(parts) {
	const uses = parts.flatMap((part) => "use" in part && part.use !== null ? [part.use] : []);
	return parts.length === 1 ? uses : uses.map((use) => ({
		...use,
		losses: use.losses.flatMap(besideOthers)
	}));
}
function besideOthers(loss) {
	if (loss.kind !== "stash") return [loss];
	return [
		{
			kind: "stash",
			entry: null
		},
		{
			kind: "tree",
			unlessRef: null
		},
		{
			kind: "untracked",
			clean: ["-d"]
		}
	];
}
function isTorn(part, compound) {
	if (part.kind === "passthrough") return part.writes && compound;
	if (part.kind === "asked") return compound;
	return part.kind === "sandboxed" && part.blocked;
}
function decision(mode, reason, program = "", text = "") {
	return {
		mode,
		reason,
		program,
		text,
		usedOneShot: false,
		ask: "",
		uses: [],
		open: null,
		paths: []
	};
}
var MAX_LINE_CHARS = 2e3;
var BASE_BLOB_BYTES = 262144;
var EXCERPT_BYTES = 8192;
var PROMPT_CHARS = 2e3;
var MAX_PATH_BYTES = 4e3;
var MAX_LEVELS = 1e3;
var MAX_LOG_LINE_BYTES = 65536;
var UNDO_LIMITS = {
	maxBytes: 2 * 1024 ** 3,
	keepDays: 7,
	keepBytes: 10 * 1024 ** 3
};
var FOREIGN_CLOCK_MS = 6e5;
var SAVED_FILES = 5e3;
var SAVED_BYTES = 134217728;
var SAVE_MS = 15e3;
var LOOK_AHEAD_MS = 2e3;
var DISK_WARN_FREE_BYTES = 1024 ** 3;
var HOST_CHANGED = "the host changed it after the review; it stays pending";
var COPY_GONE = "its copy is gone; it stays pending";
var NEW_ENTRIES = "the host has entries in it that were not in the reviewed list";
var NO_XATTRS = "its extended attributes (an ACL, user.*) cannot be read: perl is missing, or it may not be read";
var OUT_OF_REACH = `It holds paths of more than ${MAX_PATH_BYTES} bytes or ${MAX_LEVELS} directories, which cannot be worked on. Shorten them with a command in the sandbox (mv).`;
var ENTRY_ERRORS = {
	EACCES: "permission denied on the host",
	EPERM: "the host does not permit it (owner, or an immutable entry)",
	EROFS: "the file system is read-only",
	EBUSY: "it is in use on the host (a mount point?)",
	ENOTEMPTY: NEW_ENTRIES,
	EEXIST: HOST_CHANGED,
	ENOTDIR: "a directory above it is no directory any more",
	ELOOP: "a directory above it became a symbolic link",
	ENOENT: "it or a directory above it is gone",
	EXDEV: "it can only be copied there, not renamed (another file system or subvolume)",
	ENAMETOOLONG: "its name or path, or one in it, is too long",
	EINVAL: "the host’s file system does not take such a name or value",
	EILSEQ: "the host’s file system does not take such a name",
	EOVERFLOW: "its owner or group is not known there",
	EOPNOTSUPP: "the host’s file system has no such thing",
	ENOTSUP: "the host’s file system has no such thing",
	EFBIG: "it is too large for the host’s file system",
	EMLINK: "it has too many names for the host’s file system",
	EISDIR: HOST_CHANGED,
	ETXTBSY: "it is being executed"
};
var NotApplied = class extends Error {
	name = "NotApplied";
};
function entryMessage(thrown) {
	if (thrown instanceof NotApplied) return thrown.message;
	const code = errorCode(thrown);
	const text = ENTRY_ERRORS[code];
	return text === void 0 ? null : `${text} (${code})`;
}
function refusalOf$1(work) {
	try {
		work();
		return null;
	} catch (error) {
		const message = entryMessage(error);
		if (message === null) throw error;
		return message;
	}
}
function inOnePiece(text) {
	return text.charCodeAt(0) >= 0 ? text : "";
}
function lookIdentity(entry) {
	if (entry.type === "dir") return `d${entry.mode}.${entry.uid}.${entry.gid}`;
	if (isWhiteout(entry)) return "w";
	const size = entry.type === "file" ? entry.size : 0;
	const { ino, mtimeNs, ctimeNs, mode, type, nlink, birthNs } = entry;
	return inOnePiece(`${ino}.${size}.${mtimeNs}.${ctimeNs}.${mode}.${type}.${nlink}.${birthNs}`);
}
function closedIdentity(entry) {
	return `closed.${lookIdentity(entry)}`;
}
function isSameTime(a, b) {
	return (a > b ? a - b : b - a) < 2000n;
}
function identityFields(identity = "") {
	const [, ino = "", size = "", mtimeNs = "", ctimeNs = ""] = /^(\d+)\.(\d+)\.(-?\d+)\.(-?\d+)\./.exec(identity) ?? [];
	return ino === "" ? null : {
		ino,
		size,
		mtimeNs,
		ctimeNs
	};
}
function isWhiteout(entry) {
	return entry.type === "char" && entry.rdev === 0n;
}
function identityOf$2(s) {
	return `${`${s.type}:${s.mode}:${s.uid}:${s.gid}:${s.size}:${s.dev}:${s.ino}:${s.birthNs}`}:${s.nlink}:${s.mtimeNs}:${s.ctimeNs}`;
}
function fingerprint(identity) {
	const [type, mode, uid, gid, size, dev, ino, birthNs, nlink, mtimeNs, ctimeNs] = identity.split(":");
	return {
		type,
		mode: Number(mode),
		uid: Number(uid),
		gid: Number(gid),
		size: Number(size),
		nlink: Number(nlink),
		dev: BigInt(dev ?? 0),
		ino: BigInt(ino ?? 0),
		birthNs: BigInt(birthNs ?? 0),
		mtimeNs: BigInt(mtimeNs ?? 0),
		ctimeNs: BigInt(ctimeNs ?? 0)
	};
}
function typeOf(identity) {
	return identity?.slice(0, identity.indexOf(":"));
}
var SECOND$1 = 1000000000n;
function isPast(timeNs) {
	const step = timeNs % SECOND$1 === 0n ? 1e3 : 0;
	return Number(timeNs / 1000000n) < Date.now() - 20 - step;
}
var LASTING = [
	"type",
	"mode",
	"uid",
	"gid",
	"size",
	"dev",
	"ino",
	"birthNs"
];
function sameFields(a, b, fields) {
	return fields.every((field) => a[field] === b[field]);
}
function isSame$3(identity, now) {
	if (identity === null || now === null) return identity === null && now === null;
	return identityOf$2(now) === identity || isUnchanged(fingerprint(identity), now);
}
function isUnchanged(then, now) {
	if (!sameFields(then, now, LASTING)) return false;
	if (now.type === "dir") return true;
	return then.mtimeNs === now.mtimeNs && (then.nlink > 1 || then.ctimeNs === now.ctimeNs);
}
function isRenamed(identity, now) {
	return identity !== null && now !== null && isUnchanged({
		...fingerprint(identity),
		ctimeNs: now.ctimeNs
	}, now);
}
function withoutChangeTime(identity) {
	return identity.slice(0, identity.lastIndexOf(":"));
}
function hasOnlyOtherChange(identity, now) {
	const text = identityOf$2(now);
	const end = text.lastIndexOf(":");
	return identity.lastIndexOf(":") === end && identity.startsWith(text.slice(0, end));
}
function isRenamedBy(until, before, after) {
	const prefix = withoutChangeTime(before);
	if (withoutChangeTime(after) !== prefix) return false;
	return BigInt(after.slice(prefix.length + 1)) <= BigInt(until) * 1000000n;
}
function hostStatOf(identity, ctimeNs) {
	const [type, mode, uid, gid, size, dev = "", ino = "", , nlink, mtimeNs = ""] = identity.split(":");
	return {
		type,
		mode: Number(mode),
		uid: Number(uid),
		gid: Number(gid),
		size: Number(size),
		nlink: Number(nlink),
		dev,
		ino,
		mtimeNs,
		ctimeNs
	};
}
function isOf(identity, host) {
	const { type, mode, uid, gid, size, dev, ino, nlink, mtimeNs, ctimeNs } = host;
	return identity.startsWith(`${type}:${mode}:${uid}:${gid}:${size}:${dev}:${ino}:`) && identity.endsWith(`:${nlink}:${mtimeNs}:${ctimeNs}`);
}
function birthOf$1(s) {
	return `${s.type}:${s.dev}:${s.ino}:${s.birthNs}`;
}
function isBornAs(birth, now) {
	return birth !== null && now !== null && birthOf$1(now) === birth;
}
function isStillOurs(birth, now) {
	if (birth === null || now === null || birth.endsWith(":0")) return isBornAs(birth, now);
	return isBornAs(birth.replace(/^(\w+):\d+:/, `$1:${now.dev}:`), now);
}
function onDeviceOf(identity, now) {
	if (identity === null || now === null) return identity;
	return identityOf$2({
		...fingerprint(identity),
		dev: now.dev
	});
}
function isAsLeft(identity, now, endedAt, stamp) {
	if (identity === null || now === null) return identity === null && now === null;
	if (stamp !== void 0 && now.nlink === 1 && stamp === String(now.ctimeNs) && hasOnlyOtherChange(identity, now)) return true;
	const then = fingerprint(identity);
	const mode = now.type === "symlink" ? now.mode : then.mode;
	if (!sameFields({
		...then,
		mode,
		dev: now.dev
	}, now, LASTING)) return false;
	if (now.type === "dir") return true;
	if (!isSameTime(then.mtimeNs, now.mtimeNs)) return false;
	if (now.nlink > 1 || then.nlink > 1) return true;
	if (stamp !== void 0) return stamp === String(now.ctimeNs);
	return endedAt === null || now.ctimeNs <= BigInt(endedAt) * 1000000n;
}
function looksAlike(identity, now) {
	if (hasOnlyOtherChange(identity, now)) return true;
	const then = fingerprint(identity);
	const mode = now.type === "symlink" ? now.mode : then.mode;
	return sameFields({
		...then,
		mode
	}, now, [
		"type",
		"mode",
		"uid",
		"gid",
		"size"
	]) && (now.type === "dir" || then.mtimeNs === now.mtimeNs);
}
var SEARCH = 64;
var LIST = 320;
var WRITE = 192;
var Dirs = class {
	#port;
	#root;
	#uid;
	#onLoosen;
	loosened = /* @__PURE__ */ new Map();
	#held = [];
	#realRoot = null;
	constructor(port, root, uid, onLoosen) {
		this.#port = port;
		this.#root = root;
		this.#uid = uid;
		this.#onLoosen = onLoosen;
	}
	open(path) {
		return this.#open(path).fd;
	}
	openOrNone(path) {
		try {
			return this.open(path);
		} catch (error) {
			if ([
				"ENOENT",
				"ENOTDIR",
				"ELOOP"
			].includes(errorCode(error))) return null;
			throw error;
		}
	}
	openToWrite(path) {
		return this.#loosen(this.#open(path), WRITE);
	}
	target(path) {
		return at$1(this.openToWrite(parentOf$1(path)), nameOf$1(path));
	}
	targetHere(path) {
		const dir = parentOf$1(path);
		const last = this.#held.at(-1);
		return at$1(this.#loosen(last?.path === dir ? last : this.#open(dir), WRITE), nameOf$1(path));
	}
	targetOrNone(path) {
		try {
			return this.target(path);
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		}
	}
	openToList(path) {
		return this.#loosen(this.#open(path), LIST);
	}
	asFound(now) {
		const mode = now.type === "dir" && this.loosened.size > 0 ? this.loosened.get(birthOf$1(now)) : void 0;
		return mode !== void 0 && now.mode === (mode | 448) ? {
			...now,
			mode
		} : now;
	}
	lstat(path) {
		const isRoot = path === this.#root;
		const fd = this.openOrNone(isRoot ? path : parentOf$1(path));
		if (fd === null) return null;
		return isRoot ? this.#port.fstat(fd) : this.#port.lstat(at$1(fd, nameOf$1(path)));
	}
	lstatHere(path) {
		const last = this.#held.at(-1);
		if (last === void 0 || !isIn(path, last.path)) return this.lstat(path);
		return this.#port.lstat(at$1(last.fd, nameOf$1(path)));
	}
	openHere(path) {
		const last = this.#held.at(-1);
		return last?.path === path ? last.fd : this.open(path);
	}
	close() {
		for (const held of this.#held.splice(0)) this.#port.close(held.fd);
	}
	#open(path) {
		this.#keepCommon(path);
		let last = this.#held.at(-1) ?? this.#openRoot();
		for (const name of relativeTo(last.path, path).split("/")) {
			if (name === "") continue;
			this.#loosen(last, SEARCH);
			const fd = this.#port.openDir(at$1(last.fd, name));
			last = {
				path: joinPath(last.path, name),
				fd,
				stat: this.#port.fstat(fd)
			};
			this.#held.push(last);
		}
		return last;
	}
	#openRoot() {
		const fd = this.#port.openDir(this.#root === "/" ? this.#root : joinPath(this.#root, "."));
		const held = {
			path: this.#root,
			fd,
			stat: this.#port.fstat(fd)
		};
		this.#held.push(held);
		this.#realRoot = this.#port.readlink(at$1(fd));
		return held;
	}
	#keepCommon(path) {
		let last = this.#held.at(-1);
		for (; last !== void 0 && !isWithin(path, last.path); last = this.#held.at(-1)) {
			this.#held.pop();
			this.#port.close(last.fd);
		}
		if (last !== void 0 && this.#port.readlink(at$1(last.fd)) !== this.#realOf(last.path)) this.close();
	}
	#realOf(path) {
		const root = this.#realRoot ?? this.#root;
		return path === this.#root ? root : joinPath(root, relativeTo(this.#root, path));
	}
	#loosen(held, bits) {
		const { mode, uid } = held.stat;
		if (this.#uid === 0 || uid !== this.#uid || (mode & bits) === bits || this.#onLoosen === null) return held.fd;
		const id = birthOf$1(held.stat);
		this.#onLoosen(held.path, mode, id);
		this.loosened.set(id, mode);
		this.#port.chmod(at$1(held.fd), mode | 448);
		held.stat = {
			...held.stat,
			mode: mode | 448
		};
		return held.fd;
	}
};
function isIn(path, dir) {
	return path.lastIndexOf("/") === dir.length && path.startsWith(dir);
}
function byParent(paths) {
	const found = /* @__PURE__ */ new Map();
	for (const path of paths) {
		const dir = parentOf$1(path);
		const known = found.get(dir);
		if (known === void 0) found.set(dir, [path]);
		else known.push(path);
	}
	return found;
}
function relativeTo(dir, path) {
	if (!isWithin(path, dir)) throw new TraiError("internal", `expected a path below ${toDisplay(dir)}, got ${toDisplay(path)}`);
	return path === dir ? "" : path.slice(dir === "/" ? 1 : dir.length + 1);
}
var EMPTYING_ROUNDS = 1e3;
function removeTree(port, dir, name) {
	const entry = port.lstat(at$1(dir, name));
	if (entry === null) return 0;
	if (entry.type !== "dir") {
		port.unlink(at$1(dir, name));
		return 1;
	}
	let count = 1;
	for (let round = 1;; round++) {
		count += withHandle(port, port.openDir(at$1(dir, name)), (fd) => {
			if ((entry.mode & 448) !== 448) port.chmod(at$1(fd), 448);
			return port.readdir(at$1(fd)).reduce((sum, child) => sum + removeTree(port, fd, child), 0);
		});
		try {
			port.rmdir(at$1(dir, name));
			return count;
		} catch (error) {
			if (errorCode(error) !== "ENOTEMPTY" || round === EMPTYING_ROUNDS) throw error;
		}
	}
}
function removePath(port, parent, name) {
	return withHandle(port, port.openDir(joinPath(parent, ".")), (fd) => removeTree(port, fd, name));
}
function dressDir(port, path, like, xattrs = []) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return;
	const { uid = now.uid, gid = now.gid } = like;
	if (now.uid !== uid || now.gid !== gid) port.lchown(path, uid, gid);
	withHandle(port, port.openDir(path), (fd) => {
		if (xattrs.length > 0) port.setXattrs(fd, xattrs);
		port.utimes(at$1(fd), like.mtimeNs);
		port.chmod(at$1(fd), like.mode);
	});
}
function chmodEntry(port, path, mode) {
	withHandle(port, port.openEntry(path), (fd) => port.chmod(at$1(fd), mode));
}
function moveOut(port, dirs, path, image) {
	if (dirs.lstat(path)?.type === "dir") dirs.openToWrite(path);
	port.rename(dirs.target(path), image);
}
function moveOutEmpty(port, dirs, path, image) {
	const now = dirs.lstat(path);
	const mode = now === null ? 448 : dirs.asFound(now).mode;
	if (port.readdir(at$1(dirs.openToList(path))).length === 0) {
		moveOut(port, dirs, path, image);
		if (port.readdir(image).length === 0) return;
		const target = dirs.target(path);
		port.rename(image, target);
		chmodEntry(port, target, mode);
	}
	throw new NotApplied(`${NEW_ENTRIES} (ENOTEMPTY)`);
}
var ACL = Buffer.from("system.posix_acl_access").toString("hex");
var USER$1 = Buffer.from("user.").toString("hex");
function parse$2(text) {
	return new Map(text.split(" ").flatMap((one) => {
		const end = one.indexOf("=");
		return end === -1 ? [] : [[one.slice(0, end), one.slice(end + 1)]];
	}));
}
function xattrChanges(now, to) {
	const [before, after] = [parse$2(now), parse$2(to)];
	return [...[.../* @__PURE__ */ new Set([...before.keys(), ...after.keys()])].filter((name) => name !== ACL).sort(), ACL].flatMap((name) => {
		const [old, value] = [before.get(name) ?? null, after.get(name) ?? null];
		return old === value ? [] : [{
			name,
			from: old,
			to: value
		}];
	});
}
function removesAcl(changes) {
	return changes.some(({ name, to }) => name === ACL && to === null);
}
function needsWriting(changes) {
	return changes.some(({ name }) => name.startsWith(USER$1));
}
function isBetween(now, { from, to }) {
	const [is, was, wanted] = [
		parse$2(now),
		parse$2(from),
		parse$2(to)
	];
	return [.../* @__PURE__ */ new Set([
		...is.keys(),
		...was.keys(),
		...wanted.keys()
	])].every((name) => {
		const one = lasting(name, is.get(name));
		return one === lasting(name, was.get(name)) || one === lasting(name, wanted.get(name));
	});
}
var OWNER = "0100";
var GROUP = "0400";
var MASK = "1000";
var OTHERS = "2000";
function lasting(name, value) {
	if (name !== ACL || value === void 0) return value;
	const entries = value.slice(8).match(/.{16}/g) ?? [];
	const set = [
		OWNER,
		entries.some((entry) => entry.startsWith(MASK)) ? MASK : GROUP,
		OTHERS
	];
	return entries.map((entry) => set.includes(entry.slice(0, 4)) ? `${entry.slice(0, 4)}${entry.slice(8)}` : entry).join("");
}
var ENTRY_TYPES = [
	"file",
	"dir",
	"symlink",
	"fifo",
	"socket",
	"char",
	"block"
];
var CONFLICT_REASONS = {
	"host-changed": "the host changed it after the sandbox took its copy",
	"host-deleted": "the host removed it after the sandbox took its copy",
	"host-created": "the host made an entry of that name since",
	"host-parent-gone": "the host removed the directory that holds it",
	"host-new-below": "the host has a new or changed entry below the deleted directory",
	"unknown-base": "the host changed it at about the time the sandbox took its copy; which came first is not known",
	unreadable: "nobody may look into the directory in the sandbox, or paths in it are too long, so what is below it can be neither shown nor committed; it stays pending until a command in the sandbox makes it readable (chmod u+rx) or its paths shorter (mv)"
};
function countChanges(changes) {
	const counts = {
		added: 0,
		modified: 0,
		deleted: 0,
		replaced: 0,
		meta: 0
	};
	for (const change of changes) {
		if (change.ignored !== null) continue;
		counts[change.kind === "dir-replaced" ? "replaced" : change.kind]++;
	}
	return counts;
}
function hostMoved(list) {
	return list.changes.filter(({ ignored, conflict }) => ignored === null && conflict !== null && conflict !== "unreadable");
}
var historyEntryGone = () => new TraiError("not-found", "the history has no such entry any more", { hint: "Load the history again." });
var noSpaceForCopies = (said) => new TraiError("no-space", `the copies could not be written: ${said}`, { hint: "Nothing was changed. Free some space on the file system of the target and try again." });
var noCp = (said) => new TraiError("io", `cp could not be started: ${said}`);
var FAILED = {
	commit: ["nothing was applied", "Everything is still pending. Try again."],
	discard: ["it could not be discarded", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	undoDiscard: ["it could not be brought back", "Nothing is lost: the next run completes what was begun, or rolls it back."],
	adoption: ["it could not be moved", "Nothing was moved."],
	begunAdoption: ["it could not be moved", "It is on its way: the next run completes what was begun."]
};
function asTraiError$1(thrown, what = "commit") {
	if (!(thrown instanceof Error) || errorCode(thrown) === "" || thrown instanceof TraiError) return thrown;
	const [message, hint] = FAILED[what];
	const full = isNoSpace(thrown);
	return new TraiError(full ? "no-space" : "io", `${message}: ${thrown.message}`, {
		hint: full ? `Free some space. ${hint}` : hint,
		cause: thrown
	});
}
var OLD_VERSION = "Save what is pending with `trai export` of that version, then begin a new session.";
var otherVersion = (link) => new TraiError("unsupported", "another version of trai has made this session", {
	path: toDisplay(link),
	hint: OLD_VERSION
});
var otherJournalVersion = (dir, found, expected) => new TraiError("unsupported", `another version of trai has written the journal of ${titleOf(dir)} (format ${String(found)}, expected ${expected})`, {
	path: toDisplay(dir),
	hint: OLD_VERSION
});
var journalDamaged = (journal, why) => new TraiError("corrupt", `the journal of ${titleOf(parentOf$1(journal))} can't be read: ${why}`, {
	path: toDisplay(journal),
	hint: "When nothing of it needs finishing, rename its directory."
});
var JOURNAL_HAS_NO_BEGIN = "it does not begin with a line `begin`";
var unitsMissing = (expected, found) => `expected ${expected} units, found ${found}`;
function titleOf(dir) {
	const name = nameOf$1(dir);
	return /^[0-9]+$/.test(name) ? `commit ${name}` : `discard ${toDisplay(name)}`;
}
var coveredSince = (path, back) => new TraiError("unsupported", "expected a path in a covered directory, found the directory itself", {
	path: toDisplay(path),
	hint: `What was there is in ${toDisplay(back)}`
});
var GROUP_FAILED = "it belongs together with an entry that could not be applied";
var SANDBOX_CHANGED = "the sandbox changed it after the review; it stays pending";
var aclNotKept = (name, why) => `the ACL of ${name} could not be kept: ${why}`;
var XATTR_ERRORS = {
	ENOTSUP: "the file system keeps no such extended attributes",
	EOPNOTSUPP: "the file system keeps no such extended attributes",
	ENOSPC: "the file system has no room for its extended attributes",
	EDQUOT: "the file system has no room for its extended attributes",
	E2BIG: "its extended attributes are too large for the file system",
	ERANGE: "its extended attributes are too large for the file system",
	EINVAL: "the file system does not take its extended attributes",
	ENOSYS: "its extended attributes cannot be set: perl is missing"
};
var SESSION_LIVE = "processes of the session are running; it stays pending";
var NOT_MOVED_OUT = "it cannot be renamed out of the overlay (EXDEV); it stays pending, and the next commit copies it";
var hostHas = (path) => `the host has an entry ${toDisplay(path)}`;
var hostHasIn = (path) => `the host has a new or changed entry in it: ${toDisplay(path)}`;
var replacedKept = (path, why) => `what it replaced could not be removed wholly and is kept as ${toDisplay(path)}: ${why}`;
var partlyApplied = (why) => `it is in place on the host, but not finished: ${why}`;
var stoppedAt = (path, why) => `the commit stopped at ${toDisplay(path)}: ${why}`;
var givenUp = (entries) => `${entries} entries were given up by a discard before they were applied`;
var cleaningStopped = (why) => `everything else is as reported, but cleaning up stopped (the next run does it): ${why}`;
var pendingAgainStopped = (why) => `everything else is as reported, but making it pending again stopped (the next run does it): ${why}`;
var PENDING_WHEN_QUIET = "it is on the host; what was undone is pending again when the session is quiet";
var sessionHasOther = (kept) => `the session has something else there by now, which stays; what was taken off the host is kept: ${toDisplay(kept)}`;
var IN_USE = "a process on the host works in it, or has a file of it open for writing";
var NEW_OR_CHANGED = "the host has a new or changed entry in it";
var treeStays = (why) => `${why}; it stays`;
var treeReplaced = (why) => `${why}, and something else is in its place by now: all that it had is pending`;
var NOT_MOVED_IN = "it cannot be renamed into the overlay (EXDEV); it stays, and the next undo copies it";
var NOT_COVERED = "it is not covered any more";
var NOT_DISCARDED_LIVE = "the session is changing it; it stays pending";
var ARGUMENT_BYTES = 1e6;
var SHELL$1 = [
	"bash",
	"--norc",
	"-c",
	"IFS= read -r -d \"\" how; IFS= read -r -d \"\" dir; cd -- \"$dir\" || exit 3; mapfile -d \"\" -t names; exec cp -au \"$how\" --parents -t /proc/self/fd/3 -- \"${names[@]}\""
];
async function copyOut(port, from, names, to, how = "--reflink=auto") {
	const copying = {
		port,
		from,
		names,
		to,
		how
	};
	const viewer = /^\/proc\/(\d+)\/root\//.exec(from)?.[1];
	const isRoot = process.getuid?.() === 0;
	const enter = viewer === void 0 ? [
		"unshare",
		"--user",
		"--map-root-user"
	] : [
		"nsenter",
		"--preserve-credentials",
		"-U",
		"-t",
		viewer
	];
	let complaints = await copyWith(copying, SHELL$1);
	const other = complaints.filter((line) => !line.endsWith("Permission denied"));
	if (!isRoot && other.length < complaints.length) {
		const again = (await copyWith(copying, [...enter, ...SHELL$1])).filter((line) => !ACL_LOST.test(line));
		complaints = [
			...other,
			...again,
			...setAcls(copying)
		];
	}
	dropInheritedSetgid(copying);
	return complaints[0] ?? "";
}
async function copyWith({ port, from, names, to, how }, command) {
	const [program = "", ...args] = command;
	const complaints = [];
	for (const chunk of chunks(names)) {
		const input = [
			how,
			`${from}/.`,
			...chunk.map((name) => `./${name}`),
			""
		].join("\0");
		const { status, stderr } = await port.run(program, args, Buffer.from(input, "latin1"), [to]);
		if (status === 0) continue;
		const lines = stderr.trim().split("\n");
		if (/No space left on device|Disk quota exceeded/.test(stderr)) throw noSpaceForCopies(lines[0] ?? "");
		if (status === 127) throw noCp(stderr.trim());
		complaints.push(...lines);
	}
	return complaints;
}
function* chunks(names) {
	let chunk = [];
	let bytes = 0;
	for (const name of names) {
		bytes += name.length + 12;
		if (bytes > ARGUMENT_BYTES && chunk.length > 0) {
			yield chunk;
			chunk = [];
			bytes = name.length + 12;
		}
		chunk.push(name);
	}
	if (chunk.length > 0) yield chunk;
}
var ACL_LOST = /^cp: preserving permissions for /;
function setAcls({ port, from, names, to }) {
	const pairs = names.flatMap((name) => [...pairsBelow(port, joinPath(from, name), to, name)]);
	const texts = aclsOf(pairs.flatMap(({ original, dir, name }) => [original, at$1(dir, name)]));
	return pairs.flatMap(({ original, dir, name, mode }, i) => {
		const [wanted, has] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		if (wanted === has && (wanted !== null || (mode & 256) !== 0)) return [];
		const why = refusalOf$1(() => {
			if (wanted === null || has === null) throw new NotApplied(NO_XATTRS);
			withHandle(port, port.openEntry(at$1(dir, name)), (fd) => {
				port.setXattrs(fd, xattrChanges(has, wanted));
				port.chmod(at$1(fd), mode);
			});
		});
		if (why === null) return [];
		const above = at$1(dir, `.${parentOf$1(`/${name}`)}`);
		withHandle(port, port.openDir(above), (fd) => {
			const { mode: closed } = port.fstat(fd);
			port.chmod(at$1(fd), closed | 448);
			removeTree(port, fd, nameOf$1(name));
			port.chmod(at$1(fd), closed);
		});
		return [aclNotKept(toDisplay(nameOf$1(original)), why)];
	});
}
function* pairsBelow(port, original, dir, name) {
	const [mine = null, copy] = orIfRefused(() => [port.lstat(original), port.lstat(at$1(dir, name))], []);
	if (mine === null || mine.type !== copy?.type || mine.type === "symlink") return;
	const children = mine.type === "dir" ? orIfRefused(() => port.readdir(original), []) : [];
	for (const child of children) yield* pairsBelow(port, joinPath(original, child), dir, joinPath(name, child));
	yield {
		original,
		dir,
		name,
		mode: mine.mode
	};
}
var SETGID = 1024;
function dropInheritedSetgid({ port, from, names, to }) {
	for (const [container, inside] of byParent(names.map((name) => `/${name}`))) {
		const dir = orNull(() => port.openDir(at$1(to, `.${container}`)));
		if (dir === null) continue;
		withHandle(port, dir, () => {
			if ((port.fstat(dir).mode & SETGID) !== 0) for (const path of inside) dropBelow(port, joinPath(from, path.slice(1)), dir, nameOf$1(path));
		});
	}
}
function dropBelow(port, original, dir, name) {
	const copy = orNull(() => port.lstat(at$1(dir, name)));
	if (copy?.type !== "dir" || (copy.mode & SETGID) === 0) return;
	const fd = orNull(() => port.openDir(at$1(dir, name)));
	if (fd === null) return;
	withHandle(port, fd, () => {
		for (const child of orIfRefused(() => port.readdir(at$1(fd)), [])) dropBelow(port, joinPath(original, child), fd, child);
		if (((orNull(() => port.lstat(original))?.mode ?? SETGID) & SETGID) === 0) port.chmod(at$1(fd), copy.mode & -1025);
	});
}
var onLstat = null;
function lstatEntry(path) {
	let entry = null;
	try {
		entry = lstat(path);
	} catch (error) {
		if (errorCode(error) !== "ELOOP") throw error;
	}
	onLstat?.(path, entry);
	return entry;
}
function hostEntry(path) {
	try {
		return lstatEntry(path);
	} catch (error) {
		if (["EACCES", "ENAMETOOLONG"].includes(errorCode(error))) return "closed";
		throw error;
	}
}
function lstatOrNone(path) {
	const entry = hostEntry(path);
	return entry === "closed" ? null : entry;
}
function isClosed$1(entry, asRoot) {
	return entry.type === "dir" && !asRoot && (entry.mode & 320) !== 320;
}
var NAME_MAX = 255;
function isNearLimit(dir) {
	return dir.length + NAME_MAX >= 4e3 || dir.length >= 1998;
}
function isOutOfReach(path) {
	return path.length > 4e3 || path.split("/").length > 1e3;
}
function holdsOutOfReach(dir) {
	if (!isNearLimit(dir)) return false;
	return (orNull(() => readdirSync(fsPath(dir), "latin1")) ?? []).some((name) => isOutOfReach(joinPath(dir, name)));
}
function readNames(dir) {
	const names = readdirSync(fsPath(dir), { encoding: "latin1" }).sort(byBytes);
	return isNearLimit(dir) ? names.filter((name) => !isOutOfReach(joinPath(dir, name))) : names;
}
function namesOrNone(dir) {
	return orNull(() => readNames(dir)) ?? [];
}
function readEntries(dir) {
	const entries = readdirSync(fsPath(dir), {
		encoding: "latin1",
		withFileTypes: true
	});
	return isNearLimit(dir) ? entries.filter(({ name }) => !isOutOfReach(joinPath(dir, name))) : entries;
}
function readTarget(path) {
	return readlinkSync(fsPath(path), "latin1");
}
function byBytes(a, b) {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
function toSide(entry, path) {
	const { type, mode, uid, gid, size } = entry;
	const side = {
		type,
		mode,
		uid,
		gid,
		size
	};
	return type === "symlink" ? {
		...side,
		target: readTarget(path)
	} : side;
}
function toHostStat(entry, path) {
	const { type, mode, uid, gid, size, nlink } = entry;
	const stat = {
		type,
		mode,
		uid,
		gid,
		size,
		nlink,
		dev: String(entry.dev),
		ino: String(entry.ino),
		mtimeNs: String(entry.mtimeNs),
		ctimeNs: String(entry.ctimeNs)
	};
	return type === "symlink" ? {
		...stat,
		target: readTarget(path)
	} : stat;
}
function identityOf$1(entry) {
	return entry === null ? "-" : lookIdentity(entry);
}
function errorText(error) {
	if (!(error instanceof Error)) return String(error);
	return error.message.replace(/, \w+ '.*$/s, "");
}
function fileSystemType(dir) {
	return statfsSync(fsPath(dir)).type;
}
var GRACE_MS = 1e3;
var TOO_LATE = "it took too long";
var SETTINGS = [
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"core.pager=cat",
	"core.sshCommand=false",
	"core.quotePath=false",
	"color.ui=never",
	"commit.gpgSign=false",
	"credential.helper=",
	"diff.ignoreSubmodules=all",
	"diff.relative=false",
	"gc.auto=0",
	"log.showSignature=false",
	"maintenance.auto=false",
	"protocol.allow=never",
	"submodule.recurse=false"
].flatMap((setting) => ["-c", setting]);
var MAX_OUTPUT = 33554432;
var MAX_ERROR = 4e3;
async function git(repo, args, options = {}) {
	const { status, stdout, stderr, timedOut } = await run$1("git", [
		...SETTINGS,
		...repo.globals,
		...args
	], {
		cwd: repo.dir,
		env: {
			...environment(repo.settings),
			...options.env
		},
		input: Buffer.from(options.input ?? "", "latin1"),
		stdout: options.stdout,
		timeout: Math.max(1, repo.deadline - Date.now()),
		grace: options.grace ?? GRACE_MS,
		mostOutput: options.long === true ? Infinity : MAX_OUTPUT
	});
	const said = toText(stderr.slice(0, MAX_ERROR)).trim();
	return {
		status,
		out: stdout,
		err: timedOut ? TOO_LATE : said
	};
}
function hasNoWorkTree({ err }) {
	return /not a git repository|must be run in a work tree/.test(err);
}
function namesOf$2(out) {
	return out.split("\0").filter((name) => name !== "");
}
async function gitNames(repo, args, before = "") {
	const { status, out, err } = await git(repo, args);
	if (status !== 0) throw new Error(`${before}${err}`);
	return namesOf$2(out);
}
function environment(settings) {
	const env = {
		LC_ALL: "C",
		GIT_TERMINAL_PROMPT: "0",
		GIT_ASKPASS: "false",
		GIT_EDITOR: "true",
		GIT_PAGER: "cat",
		GIT_NO_LAZY_FETCH: "1",
		GIT_ALLOW_PROTOCOL: "none",
		GIT_AUTHOR_NAME: "trai",
		GIT_AUTHOR_EMAIL: "trai@localhost",
		GIT_COMMITTER_NAME: "trai",
		GIT_COMMITTER_EMAIL: "trai@localhost"
	};
	for (const name of [
		"PATH",
		"HOME",
		"XDG_CONFIG_HOME",
		"USER"
	]) env[name] = process.env[name];
	for (const [i, [key, value]] of settings.entries()) {
		env[`GIT_CONFIG_KEY_${i}`] = key;
		env[`GIT_CONFIG_VALUE_${i}`] = value;
	}
	env["GIT_CONFIG_COUNT"] = String(settings.length);
	return env;
}
async function ownSettings(repo, top) {
	const filters = await sections(repo, "filter");
	const submodules = [...await sections(repo, "submodule"), ...await listedSubmodules(repo, top)];
	return [...[...new Set(filters)].flatMap((name) => [
		[`${name}.clean`, ""],
		[`${name}.process`, ""],
		[`${name}.smudge`, ""],
		[`${name}.required`, "false"]
	]), ...[...new Set(submodules)].map((name) => [`${name}.ignore`, "all"])];
}
async function listedSubmodules(repo, top) {
	const file = Buffer.from(`${top}/.gitmodules`, "latin1");
	if (statSync(file, { throwIfNoEntry: false })?.isFile()) return await sections(repo, "submodule", ["--file", "-"], readFileSync(file, "latin1"));
	for (const blob of [":.gitmodules", "HEAD:.gitmodules"]) if ((await git(repo, [
		"rev-parse",
		"-q",
		"--verify",
		blob
	])).status === 0) return await sections(repo, "submodule", ["--blob", blob]);
	return [];
}
async function sections(repo, section, from = [], input = "") {
	const { status, out, err } = await git(repo, [
		"config",
		...from,
		"-z",
		"--name-only",
		"--get-regexp",
		`^${section}\\.`
	], { input });
	if (status === 1) return [];
	if (status !== 0) throw new Error(`git config: ${err}`);
	return out.split("\0").flatMap((key) => /^([a-z]+\.[\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []);
}
var IN_SUBMODULES = "it lies in submodules, which trai does not look into";
var UNKNOWN_PLACE = "in which directory it runs can't be told from the command";
async function keepLosses(uses, saved, call, ms = SAVE_MS) {
	const kept = [];
	const deadline = Date.now() + ms;
	for (const use of uses) {
		if (use.losses.length === 0) continue;
		if (use.dirs === null) kept.push({
			what: use.what,
			dir: "",
			restore: [],
			untracked: [],
			count: 0,
			failed: UNKNOWN_PLACE
		});
		for (const dir of use.dirs ?? []) kept.push(await keepIn(dir, use, `${saved}/${call}.${kept.length}`, deadline));
	}
	return kept.filter((one) => one.restore.length > 0 || one.failed !== "");
}
async function lookAhead(uses, ms = LOOK_AHEAD_MS) {
	const deadline = Date.now() + ms;
	for (const { what, dirs, losses, globals } of uses) {
		if (losses.length > 0 && dirs === null) return {
			what,
			why: UNKNOWN_PLACE
		};
		for (const loss of losses) {
			if (loss.kind === "submodule") return {
				what,
				why: IN_SUBMODULES
			};
			for (const dir of dirs ?? []) {
				const why = await unkeepable({
					dir,
					globals,
					settings: [],
					deadline
				}, loss);
				if (why !== "") return {
					what,
					why
				};
			}
		}
	}
	return null;
}
async function unkeepable(repo, loss) {
	if (loss.kind === "tree") return loss.over !== void 0 && await reachesSubmodules(repo) ? IN_SUBMODULES : "";
	if (loss.kind !== "untracked") return "";
	try {
		wantRoom(fromText(repo.dir), await untrackedNames(repo, loss.clean), repo.deadline);
		return "";
	} catch (error) {
		const why = whyOf(error);
		return why === "it took too long" ? "" : why;
	}
}
async function keepIn(dir, use, target, deadline) {
	const kept = {
		what: use.what,
		dir,
		restore: [],
		untracked: [],
		count: 0,
		failed: ""
	};
	const repo = {
		dir,
		globals: use.globals,
		settings: [],
		deadline
	};
	try {
		const found = await git(repo, ["rev-parse", "--show-toplevel"]);
		if (!existsSync(dir) || hasNoWorkTree(found)) return kept;
		if (found.status !== 0) throw new Error(`git can't be used: ${found.err}`);
		const top = found.out.replace(/\n$/, "");
		const inside = {
			...repo,
			settings: await ownSettings(repo, top)
		};
		mkdirSync(dirname(target), {
			recursive: true,
			mode: 448
		});
		for (const loss of use.losses) await keepOne({
			repo: inside,
			top,
			target,
			kept
		}, loss);
	} catch (error) {
		kept.failed = whyOf(error);
	}
	return kept;
}
async function keepOne(keeping, loss) {
	const { repo, top, target, kept } = keeping;
	if (loss.kind === "submodule") throw new Error(IN_SUBMODULES);
	if (loss.kind === "stash") await keepStash(keeping, loss.entry);
	else if (loss.kind === "untracked") {
		const names = await untrackedNames(repo, loss.clean);
		const prefix = (await git(repo, ["rev-parse", "--show-prefix"])).out.replace(/\n$/, "");
		const fromTop = names.map((name) => squeeze(`/${prefix}${name}`).slice(1));
		nameUntracked(kept, fromTop);
		await keepFiles(keeping, fromTop);
	} else if (loss.unlessRef === null || await objectOf(repo, `${loss.unlessRef}^{commit}`) === null) {
		await keepTree(keeping);
		const covered = await namesInTheWay(repo, top, loss.over ?? []);
		await keepFiles({
			...keeping,
			target: `${target}.over`
		}, covered);
		if (loss.over !== void 0 && await reachesSubmodules(repo)) throw new Error(IN_SUBMODULES);
	}
}
async function objectOf(repo, name) {
	const found = await git(repo, [
		"rev-parse",
		"-q",
		"--verify",
		"--end-of-options",
		name
	]);
	if (found.status === 124) throw new Error(found.err);
	return found.status === 0 ? found.out.trim() : null;
}
async function keepTree(keeping) {
	const { repo, kept } = keeping;
	const made = await git(repo, [
		"stash",
		"create",
		`before ${kept.what}`
	]);
	const commit = made.out.trim();
	if (made.status === 0 && commit === "") return;
	if (made.status === 0) {
		const unpack = await pack(keeping, [commit]);
		const words = gitWords(keeping);
		const aside = `${words} stash push -q -m ${quote(`before taking back ${kept.what}`)}`;
		kept.restore.push(`${unpack} && ${aside} && ${words} stash apply --index ${commit}`);
	} else {
		const list = await objectOf(repo, "HEAD") === null ? [
			"ls-files",
			"-z",
			"--full-name",
			":/"
		] : [
			"diff",
			"--name-only",
			"-z",
			"--no-ext-diff",
			"--no-textconv",
			"--no-renames",
			"HEAD",
			"--"
		];
		const changed = await gitNames(repo, list, `git stash create: ${made.err}; git ${list[0]}: `);
		await keepFiles(keeping, [...new Set(changed)]);
	}
	nameUntracked(kept, namesOf$2((await git(repo, [
		"ls-files",
		"-z",
		"-o",
		"--exclude-standard",
		"--full-name",
		":/"
	])).out));
}
async function keepStash(keeping, entry) {
	const { repo, target, kept } = keeping;
	const list = await git(repo, [
		"log",
		"-g",
		"-z",
		"--format=%H %gs",
		"refs/stash",
		"--"
	]);
	if (list.status !== 0) return;
	const only = entry === null ? null : await objectOf(repo, entry) ?? "";
	const entries = namesOf$2(list.out).map((line) => ({
		commit: line.slice(0, line.indexOf(" ")),
		text: line.slice(line.indexOf(" ") + 1)
	})).filter(({ commit }) => only === null || only === commit);
	if (entries.length === 0) return;
	const unpack = await pack(keeping, entries.map(({ commit }) => commit));
	const words = gitWords(keeping);
	const line = [unpack, ...entries.map(({ commit, text }) => `${words} stash store -m ${quote(text)} ${commit}`).reverse()].join(" && ");
	if (line.length <= MOST_CHARS) {
		kept.restore.push(line);
		return;
	}
	writeFileSync(`${target}.sh`, `${line}\n`, {
		mode: 384,
		flag: "wx"
	});
	kept.restore.push(`bash ${quote(fromText(`${target}.sh`))}`);
}
var MOST_CHARS = 1e4;
async function pack(keeping, commits) {
	const file = `${keeping.target}.pack`;
	const half = `${file}.half`;
	const fd = openSync(half, "wx", 384);
	try {
		const input = commits.map((commit) => `${commit}\n^${commit}^1\n`).join("");
		const made = await git(keeping.repo, [
			"pack-objects",
			"--revs",
			"--stdout",
			"-q"
		], {
			input,
			stdout: fd
		});
		if (made.status !== 0) throw new Error(`git pack-objects: ${made.err}`);
		renameSync(half, file);
	} finally {
		closeSync(fd);
		rmSync(half, { force: true });
	}
	return `${gitWords(keeping)} unpack-objects -q < ${quote(fromText(file))}`;
}
function gitWords({ repo: { dir, globals }, top }) {
	if (globals.length === 0) return `git -C ${quote(top)}`;
	return [
		"git",
		"-C",
		...[dir, ...globals].map((word) => quote(fromText(word)))
	].join(" ");
}
async function keepFiles({ repo, top, target, kept }, names) {
	if (names.length === 0) return;
	wantRoom(top, names, repo.deadline);
	const there = names.filter((name) => nodePort.lstat(joinPath(top, name)) !== null);
	mkdirSync(target, {
		recursive: true,
		mode: 448
	});
	await withHandleAsync(nodePort, nodePort.openDir(fromText(target)), async (fd) => {
		const complaint = await copyOut(nodePort, top, there, fd);
		if (complaint !== "") throw new Error(complaint);
		const { mode, mtimeNs } = withHandle(nodePort, nodePort.openDir(top), nodePort.fstat);
		nodePort.chmod(at$1(fd), mode & 511);
		nodePort.utimes(at$1(fd), mtimeNs);
	});
	kept.restore.push(`cp -a --backup=numbered ${quote(fromText(`${target}/.`))} ${quote(top)}`);
}
async function untrackedNames(repo, clean) {
	if (clean === null) throw new Error("which files `git clean` deletes can't be told from the command");
	const { status, out, err } = await git(repo, [
		"clean",
		"-n",
		...clean
	]);
	if (status === 124) throw new Error(err);
	if (status === 127) throw new Error(`git clean -n: ${err}`);
	return out.split("\n").filter((line) => line.startsWith("Would remove ")).map((line) => unquote(line.slice(13)).replace(/\/$/, ""));
}
var ESCAPES = {
	a: "\x07",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "	",
	v: "\v"
};
function unquote(name) {
	if (!name.startsWith("\"")) return name;
	return name.slice(1, -1).replace(/\\([0-7]{3}|[\s\S])/g, (_, code) => code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : ESCAPES[code] ?? code);
}
function nameUntracked(kept, names) {
	kept.count = names.length;
	kept.untracked = names.slice(0, 50).map((name) => toDisplay(name).slice(0, 200));
}
function quote(path) {
	if (/^[A-Za-z0-9_./@%+=:,-]+$/.test(path)) return path;
	const text = toText(path);
	if (toDisplay(path) === text) return `'${text.replaceAll("'", "'\\''")}'`;
	return `$'${path.replace(/[^A-Za-z0-9_./@%+=:, -]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
}
function wantRoom(dir, names, deadline) {
	let [files, size] = [0, 0];
	for (const { path, entry } of entriesBelow(dir, names)) {
		if (entry.type === "file") accessSync(fsPath(path), constants.R_OK);
		files++;
		size += entry.size;
		if (files > 5e3 || size > 134217728) {
			const most = `${SAVED_FILES} files or ${SAVED_BYTES / 1024 / 1024} MB`;
			throw new Error(`it is more than trai keeps (${most}; ${names.length} names at the top)`);
		}
		if (Date.now() > deadline) throw new Error(TOO_LATE);
	}
}
function* entriesBelow(dir, names) {
	for (const name of names) {
		const path = joinPath(dir, name);
		const entry = nodePort.lstat(path);
		if (entry === null) continue;
		yield {
			path,
			entry
		};
		if (entry.type === "dir") yield* entriesBelow(path, readNames(path));
	}
}
function whyOf(error) {
	return toDisplay(fromText(messageOf(error).replace(/\s+/g, " ").slice(0, 300)));
}
var DAY_MS = 864e5;
function expireSaved(saved, days, now) {
	const oldest = BigInt(now - Math.max(1, days) * DAY_MS) * 1000000n;
	const dir = fromText(saved);
	for (const name of namesOrNone(dir)) try {
		const entry = nodePort.lstat(joinPath(dir, name));
		if (entry !== null && entry.ctimeNs < oldest) removePath(nodePort, dir, name);
	} catch {}
}
async function reachesSubmodules(repo) {
	if ((await git(repo, [
		"config",
		"--get-all",
		"--type=bool",
		"submodule.recurse"
	])).out.trim().split("\n").slice(0, -1).at(-1) !== "true") return false;
	return (await git(repo, [
		"config",
		"--get-regexp",
		"^submodule\\..*\\.url$"
	])).status === 0;
}
var MOST_WORDS = 8;
async function namesInTheWay(repo, top, commits) {
	const found = /* @__PURE__ */ new Set();
	const dirs = /* @__PURE__ */ new Set();
	for (const word of new Set(commits.slice(0, MOST_WORDS))) for (const name of word === null ? await untracked(repo, true) : await onlyIn(repo, word)) {
		const at = existing$1(top, name);
		if (at !== null) (at.isDirectory ? dirs : found).add(at.name);
	}
	if (dirs.size > 0) {
		for (const name of await untracked(repo, false)) if ([...dirs].some((dir) => isWithin(name, dir))) found.add(name);
	}
	return [...found];
}
async function onlyIn(repo, word) {
	const tree = await objectOf(repo, `${word}^{tree}`);
	if (tree === null) return [];
	return await gitNames(repo, [
		"diff-index",
		...[
			"--cached",
			"--name-only",
			"--diff-filter=D",
			"--no-renames",
			"-z",
			tree
		],
		"--"
	]);
}
async function untracked(repo, known) {
	return await gitNames(repo, [
		"ls-files",
		"-z",
		"-o",
		...known ? ["--exclude-standard"] : [],
		"--full-name",
		":/"
	]);
}
function existing$1(top, name) {
	for (let end = name.indexOf("/");; end = name.indexOf("/", end + 1)) {
		const part = end < 0 ? name : name.slice(0, end);
		const entry = nodePort.lstat(joinPath(top, part));
		if (entry === null) return null;
		if (end < 0 || entry.type !== "dir") return {
			name: part,
			isDirectory: entry.type === "dir"
		};
	}
}
function* jsonLines(text) {
	for (const line of text.split("\n")) try {
		const value = JSON.parse(line);
		if (isObject(value)) yield value;
	} catch {}
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
var sync = promisify(fsync);
async function writeNewFile(path, content, mode = 384) {
	const file = openSync(path, "wx", 384);
	try {
		writeFileSync(file, content);
		fchmodSync(file, mode);
		await sync(file);
	} finally {
		closeSync(file);
	}
}
async function replaceFile(path, content, mode) {
	const temporary = temporaryName(path);
	try {
		await writeNewFile(temporary, content, mode);
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
	await syncPath(dirname(path));
}
function temporaryName(path) {
	const at = path.lastIndexOf("/") + 1;
	return `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(6).toString("hex")}`;
}
async function syncPath(path) {
	const file = openSync(path, "r");
	try {
		await sync(file);
	} finally {
		closeSync(file);
	}
}
function writeWhole(file, content) {
	const temporary = temporaryName(file);
	try {
		writeFileSync(temporary, content, {
			encoding: "latin1",
			mode: 384
		});
		renameSync(temporary, file);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}
function tryWriteWhole(file, content) {
	return orIfRefused(() => {
		writeWhole(file, content);
		return true;
	}, false);
}
function readText$2(path) {
	const file = openSync(path, "r");
	return withHandle(nodePort, file, () => readFileSync(file, "utf8"));
}
function readPlainFile(path) {
	return withPlainFile(path, (file) => readFileSync(file));
}
function readTail(path, most) {
	return readEnds(path, 0, most)?.[1] ?? null;
}
function readEnds(path, first, last) {
	return withPlainFile(path, (file, size) => {
		const read = (bytes, from) => {
			const part = Buffer.alloc(bytes);
			return part.subarray(0, readSync(file, part, 0, bytes, from));
		};
		return [read(Math.min(size, first), 0), read(Math.min(size, last), size - Math.min(size, last))];
	});
}
function withPlainFile(path, read) {
	let file;
	try {
		file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch (error) {
		if ([
			"ENOENT",
			"ENOTDIR",
			"ELOOP",
			"ENXIO"
		].includes(errorCode(error))) return null;
		throw error;
	}
	return withHandle(nodePort, file, () => {
		const found = fstatSync(file);
		return found.isFile() ? read(file, found.size) : null;
	});
}
function readPlainJson(path) {
	const text = readPlainFile(path);
	try {
		return text === null ? void 0 : JSON.parse(text.toString("utf8"));
	} catch {
		return;
	}
}
var UNKNOWN$1 = "could not look whether the session is in use";
var probeFailed = (said) => new TraiError("not-entered", `${UNKNOWN$1}: ${said || "unshare failed"}`, { hint: "Run: trai doctor" });
var upperNotMounted = (path, said) => new TraiError("not-entered", `${UNKNOWN$1}: expected to mount ${path}, found: ${said}`, {
	path,
	hint: "Nothing was changed. Put that directory right, or run: trai doctor"
});
var newlineAboveMount = () => new TraiError("unsupported", "a directory with a mount below it has a newline in its name", { hint: "Rename it." });
var newlineInOwnDir = () => new TraiError("unsupported", "one of trai’s own directories has a newline in its name", { hint: "Rename it." });
var doorSpoilt = (dir, why, cause) => new TraiError("corrupt", `the directory ${dir} of the session’s client cannot be used (${why})`, {
	path: dir,
	hint: "End what runs in the session, and remove it: it is made anew.",
	cause
});
var boxRecordUnreadable = (path) => new TraiError("corrupt", `what the box of this session was given cannot be read: ${path} is damaged`, {
	path,
	hint: "Nothing was changed. End the box, and start it again: the file is made anew."
});
var upperMissing = (upper, covered) => new TraiError("corrupt", `expected the directory ${toDisplay(upper)} with what is pending in ${toDisplay(covered)}, found none`, {
	path: toDisplay(upper),
	hint: "Put it back, or start a new session."
});
function linkContradicts(overlayDir, n, found) {
	const link = `${toDisplay(overlayDir)}/${n}/l`;
	return new TraiError("corrupt", `expected that the link ${link} names the directory of which overlay/${n} holds the pending changes; ${found}`, {
		path: link,
		hint: "Nothing was changed. Make that link name the right directory (ln -sfn DIRECTORY LINK), and remove places.json beside it; or start a new session."
	});
}
var LINK_IS_MISSING = "there is no such link";
var tableSays = (path) => `places.json says ${toDisplay(path)}`;
var linkIsTaken = (n) => `overlay/${n} is of that directory, too`;
var boxRecordPath = (sessionDir) => join(sessionDir, "box.json");
function readBoxRecord(sessionDir) {
	const isThere = isBoxed(sessionDir);
	const record = knownBoxRecord(sessionDir);
	if (record === null && isThere && isBoxed(sessionDir)) throw boxRecordUnreadable(boxRecordPath(sessionDir));
	return record;
}
function knownBoxRecord(sessionDir) {
	const value = orNull(() => readPlainJson(boxRecordPath(sessionDir)));
	return isObject(value) && value["v"] === 1 ? value : null;
}
var isBoxed = (sessionDir) => existsSync(boxRecordPath(sessionDir));
var writesDirectly = (sessionDir) => (readBoxRecord(sessionDir)?.direct.length ?? 0) > 0;
var REASONS = {
	"default": "runs in the sandbox",
	"not-understood": "not understood with certainty, so it runs in the sandbox",
	"passthrough": "passthrough program",
	"inside": "the client runs in the session itself, with all that it starts",
	"runs-programs": "git that may run other programs; the user was asked",
	"host-with-pending": "works on files that are pending, which the config refuses",
	"unasked": "needs the user to be asked, and nobody was",
	"read-only": "reads only, and nothing is pending",
	"own-program": "trai's own program, asked for by the user",
	"one-shot": "the user let the next call run on the host",
	"session-off": "the user turned the sandbox off for this session",
	"config-off": "the sandbox is turned off by the config",
	"mixed": "mixes a writing passthrough program with sandboxed parts",
	"own-program-by-model": "trai's own program, but not asked for by the user",
	"caught": "an earlier call of this session ran outside the sandbox unnoticed",
	"env-file": "the session's env file is missing or was changed",
	"own-directories": "would reach trai's own directories from the host",
	"unavailable": "the sandbox cannot be entered on this machine",
	"rule": "a permission rule denies it"
};
var QUESTION_ENDS = [
	...[
		"once",
		"session",
		"always",
		"no",
		"never",
		"leave"
	],
	"ran",
	"refused",
	"ended",
	"late",
	"gone"
];
var ANSWERED_BY = [
	"tab",
	"answer",
	"client"
];
var RULE_LISTS = [
	"deny",
	"ask",
	"allow"
];
var EFFECT_KINDS = [
	"added",
	"modified",
	"deleted"
];
var EFFECT_DOES = [
	"flag",
	"confirm",
	"never",
	"auto"
];
var EFFECT_KEYS = [
	"paths",
	"kinds",
	"do",
	"reason"
];
var RULE_KEYS = [
	"tool",
	"match",
	"reason",
	"tests",
	"modes",
	"until",
	"disabled"
];
var PERMISSION_BY = [
	"rule",
	"broken",
	"read-only",
	"built-in",
	"sandboxed",
	"trai",
	"client"
];
function ruleFileProblems(value) {
	if (!isObject(value)) return ["expected an object"];
	const problems = [];
	const { version } = value;
	if (version !== 1 && version !== 2) problems.push("version: expected 1 or 2");
	checkTexts(value["allowed_dirs"], "allowed_dirs", problems);
	checkEffects(value["effects"], problems);
	for (const list of RULE_LISTS) {
		const rules = value[list];
		if (rules === void 0 || list === "ask" && version === 1) continue;
		if (!Array.isArray(rules)) problems.push(`${list}: expected an array of rules`);
		else for (const [i, rule] of rules.entries()) checkRule(rule, `${list}[${i}]`, problems);
	}
	return problems;
}
function checkRule(rule, at, problems) {
	if (!isObject(rule)) {
		problems.push(`${at}: expected an object`);
		return;
	}
	const { tool, match, reason, tests, modes, until, disabled, _source_hash: source } = rule;
	if (tool !== void 0 && !isFilled(tool)) problems.push(`${at}.tool: expected a pattern`);
	if (match !== void 0) checkMatch(match, `${at}.match`, problems);
	const hasField = isObject(match) && Object.keys(match).length > 0;
	if (tool === void 0 && !hasField) problems.push(`${at}: expected "tool" or a field in "match"`);
	if (reason !== void 0 && typeof reason !== "string") problems.push(`${at}.reason: expected a text`);
	if (source !== void 0 && typeof source !== "string") problems.push(`${at}._source_hash: expected a text`);
	if (tests !== void 0) checkTests(tests, `${at}.tests`, problems);
	checkTexts(modes, `${at}.modes`, problems);
	if (until !== void 0 && !isTime(until)) problems.push(`${at}.until: expected an ISO time`);
	if (disabled !== void 0 && typeof disabled !== "boolean") problems.push(`${at}.disabled: expected true or false`);
}
function checkEffects(effects, problems) {
	if (effects === void 0) return;
	if (!Array.isArray(effects)) {
		problems.push("effects: expected an array");
		return;
	}
	for (const [i, effect] of effects.entries()) {
		const at = `effects[${i}]`;
		if (!isObject(effect)) {
			problems.push(`${at}: expected an object`);
			continue;
		}
		const { paths, kinds, reason } = effect;
		if (!(Array.isArray(paths) && paths.length > 0 && paths.every(isFilled))) problems.push(`${at}.paths: expected patterns of paths`);
		if (kinds !== void 0 && !(Array.isArray(kinds) && kinds.every(isOneOf(EFFECT_KINDS)))) problems.push(`${at}.kinds: expected ${EFFECT_KINDS.join(", ")}`);
		if (!isOneOf(EFFECT_DOES)(effect["do"])) problems.push(`${at}.do: expected ${EFFECT_DOES.join(", ")}`);
		if (reason !== void 0 && typeof reason !== "string") problems.push(`${at}.reason: expected a text`);
	}
}
var isOneOf = (words) => (value) => words.some((word) => word === value);
function checkMatch(match, at, problems) {
	if (!isObject(match)) {
		problems.push(`${at}: expected an object of patterns`);
		return;
	}
	for (const [field, pattern] of Object.entries(match)) if (typeof pattern !== "string") problems.push(`${at}.${field}: expected a pattern`);
}
function checkTests(tests, at, problems) {
	if (!isObject(tests)) {
		problems.push(`${at}: expected an object with "yes" and "no"`);
		return;
	}
	for (const key of ["yes", "no"]) {
		const calls = tests[key];
		if (calls !== void 0 && !(Array.isArray(calls) && calls.every(isTestCall))) problems.push(`${at}.${key}: expected an array of commands, or of {"tool", "input"}`);
	}
}
function checkTexts(value, at, problems) {
	if (value === void 0) return;
	if (!(Array.isArray(value) && value.every(isFilled))) problems.push(`${at}: expected an array of texts that are not empty`);
}
function isTestCall(value) {
	if (typeof value === "string") return true;
	return isObject(value) && isFilled(value["tool"]) && isObject(value["input"]);
}
function isFilled(value) {
	return typeof value === "string" && value !== "";
}
var TIME$1 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
function isTime(value) {
	return typeof value === "string" && TIME$1.test(value) && !Number.isNaN(Date.parse(value));
}
var EVENT_FIELDS = {
	"session": {
		claude: "text",
		source: [
			"startup",
			"resume",
			"clear",
			"compact",
			"fork",
			"exec",
			"client"
		],
		cwd: "text",
		plugin: "text"
	},
	"session.end": {
		claude: "text",
		reason: "text"
	},
	"prompt": {
		claude: "text",
		text: "text",
		cut: "count"
	},
	"call.requested": {
		request: "text",
		claude: "text",
		tool: "text",
		command: "text",
		cwd: "text",
		agent: "text",
		background: "flag",
		mode: "mode",
		reason: "reason",
		text: "text",
		twins: "count"
	},
	"permission": {
		request: "text",
		claude: "text",
		agent: "text",
		tool: "text",
		subject: "text",
		cut: "count",
		decision: [
			"allow",
			"ask",
			"deny",
			"pass"
		],
		by: PERMISSION_BY,
		rule: "text",
		hash: "text",
		also: "texts",
		segment: "text",
		why: "text",
		ms: "number"
	},
	"permission.outcome": {
		request: "text",
		outcome: [
			"ran",
			"failed",
			"timed-out",
			"interrupted",
			"denied"
		],
		by: ["client", "classifier"],
		error: "text"
	},
	"question": {
		question: "text",
		request: "text",
		claude: "text",
		agent: "text",
		tool: "text",
		end: ["open", ...QUESTION_ENDS],
		by: ANSWERED_BY,
		text: "text",
		waited: "number"
	},
	"call.decided": {
		call: "text",
		request: "text",
		matched: [
			"exact",
			"normalised",
			"only-open",
			"none"
		],
		origin: [
			"claude",
			"exec",
			"explore",
			"client"
		],
		command: "text",
		cwd: "text",
		mode: "mode",
		reason: "reason",
		text: "text"
	},
	"call.grounds": {
		call: "text",
		program: "text",
		pending: [
			"yes",
			"no",
			"unasked"
		],
		config: "text"
	},
	"call.started": {
		call: "text",
		pid: "count",
		mode: "mode",
		overlay: [
			"none",
			"mounted",
			"joined",
			"inside"
		]
	},
	"call.joined": { call: "text" },
	"call.ended": {
		call: "text",
		rc: "count",
		ms: "number"
	},
	"call.failed": {
		call: "text",
		step: "count"
	},
	"call.closed": {
		call: "text",
		request: "text",
		why: ["launcher-gone", "not-run"]
	},
	"call.outcome": {
		request: "text",
		ok: "flag",
		interrupted: "flag",
		background: "text",
		head: "text",
		tail: "text",
		cut: "count",
		ms: "number",
		unsandboxed: "flag"
	},
	"call.saved": {
		call: "text",
		what: "text",
		dir: "text",
		restore: "texts",
		untracked: "texts",
		count: "count",
		text: "text"
	},
	"call.left": {
		call: "text",
		pids: "counts"
	},
	"processes": {
		state: ["ending", "ended"],
		pids: "counts",
		commands: "texts",
		quiet: "flag"
	},
	"grant": {
		kind: ["permit", "passthrough"],
		what: "text",
		state: ["open", "used"]
	},
	"commit": {
		n: "count",
		state: [
			"started",
			"applied",
			"partial",
			"finished-later",
			"refused"
		],
		entries: "count",
		bytes: "count",
		conflicts: "count",
		text: "text",
		auto: "text"
	},
	"discard": {
		trash: "text",
		entries: "count",
		ended: "counts"
	},
	"undo": {
		what: ["discard"],
		trash: "text",
		entries: "count"
	},
	"commit.undone": {
		n: "count",
		of: "count",
		redo: "flag",
		state: [
			"applied",
			"partial",
			"finished-later",
			"refused"
		],
		entries: "count",
		bytes: "count",
		text: "text"
	},
	"adopt": {
		from: "text",
		to: "text",
		entries: "count"
	},
	"doctor": {
		ok: "flag",
		failed: "texts"
	},
	"file": {
		request: "text",
		claude: "text",
		agent: "text",
		tool: "text",
		path: "text",
		outcome: [
			"asked",
			"written",
			"failed",
			"refused"
		],
		text: "text"
	},
	"notice": {
		code: "text",
		text: "text"
	}
};
var LATER_FIELDS = /* @__PURE__ */ new Map([["commit", { auto: "" }], ["call.started", { overlay: "mounted" }]]);
function withLaterFields(value) {
	if (!isObject(value) || value["v"] !== 1) return value;
	const later = LATER_FIELDS.get(value["t"]);
	return later === void 0 ? value : {
		...later,
		...value
	};
}
function isEventType(value) {
	return typeof value === "string" && Object.hasOwn(EVENT_FIELDS, value);
}
var MODES = [
	"sandbox",
	"host",
	"refuse"
];
var TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}|24:00:00\.000)Z$/;
var isText = (value) => typeof value === "string";
var isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
var CHECKS = {
	text: isText,
	texts: (value) => Array.isArray(value) && value.every(isText),
	flag: (value) => typeof value === "boolean",
	count: isCount,
	counts: (value) => Array.isArray(value) && value.every(isCount),
	number: (value) => Number.isFinite(value),
	mode: (value) => MODES.includes(value),
	reason: (value) => typeof value === "string" && Object.hasOwn(REASONS, value)
};
function checkOf(kind) {
	return typeof kind === "string" ? CHECKS[kind] : (value) => isText(value) && kind.includes(String(value));
}
var FIELD_CHECKS = new Map(Object.entries(EVENT_FIELDS).map(([type, fields]) => [type, Object.entries(fields).map(([name, kind]) => ({
	name,
	isFine: checkOf(kind)
}))]));
function isLogEvent(value) {
	if (!isObject(value)) return false;
	const { t: type, v, at } = value;
	const fields = FIELD_CHECKS.get(type);
	if (v !== 1 || fields === void 0 || typeof at !== "string" || !TIME.test(at)) return false;
	return Object.keys(value).length === fields.length + 3 && fields.every(({ name, isFine }) => isFine(value[name]));
}
function isRaw(line) {
	return "raw" in line;
}
function parseLine(text, offset) {
	let value;
	try {
		value = withLaterFields(JSON.parse(text));
	} catch {
		return rawLine(text, offset, text.startsWith("{") && !text.trimEnd().endsWith("}") ? "torn" : "not-json");
	}
	return isLogEvent(value) ? value : rawLine(text, offset, problemOf(value));
}
function problemOf(value) {
	if (!isObject(value)) return "bad-shape";
	const { v, t } = value;
	if (v !== void 0 && v !== 1) return "unknown-version";
	return v === 1 && typeof t === "string" && !isEventType(t) ? "unknown-type" : "bad-shape";
}
function rawLine(text, offset, problem) {
	return {
		raw: text.length > 2e3 ? `${text.slice(0, MAX_LINE_CHARS)}…` : text,
		offset,
		problem
	};
}
var NEWLINE$1 = 10;
var SHOWN_BYTES = MAX_LINE_CHARS * 4;
var HEAD = /^\{"v":1,(?:"at":"[^"]{0,30}",)?"t":"([a-z.]{1,30})"(?:,"at":"[^"]{0,30}")?(?:,"request":"([^"\\]+)")?/;
var encoder = new TextEncoder();
var decoder = new TextDecoder("utf-8", { ignoreBOM: true });
var LogParser = class {
	#offset = 0;
	#length = 0;
	#kept = [];
	#wanted;
	#unwanted;
	#enough = /* @__PURE__ */ new Map();
	constructor(wanted = null) {
		this.#wanted = wanted;
		const types = wanted === null ? [] : Object.keys(EVENT_FIELDS);
		this.#unwanted = new Set(types.filter((type) => isEventType(type) && wanted?.types.has(type) === false));
	}
	push(chunk) {
		const lines = [];
		const end = chunk.lastIndexOf(NEWLINE$1) + 1;
		let from = 0;
		if (this.#length > 0 && end > 0) {
			from = chunk.indexOf(NEWLINE$1) + 1;
			this.#keep(chunk.subarray(0, from - 1));
			this.#end(this.#text(), lines);
		}
		const text = decoder.decode(chunk.subarray(from, end));
		const isOneToOne = text.length === end - from;
		for (let at = 0; from < end;) {
			const next = text.indexOf("\n", at);
			this.#length = isOneToOne ? next - at : chunk.indexOf(NEWLINE$1, from) - from;
			from += this.#length + 1;
			this.#end(text.slice(at, next), lines);
			at = next + 1;
		}
		this.#keep(chunk.subarray(end));
		return lines;
	}
	#end(text, lines) {
		if (this.#length > 0) {
			if (this.#isTooLong) lines.push(rawLine(text, this.#offset, "too-long"));
			else if (this.#isWanted(text)) {
				const line = parseLine(text, this.#offset);
				if (!this.#isEnough(line)) lines.push(line);
			}
		}
		this.#offset += this.#length + 1;
		this.#length = 0;
		this.#kept = [];
	}
	pending() {
		if (this.#length === 0) return null;
		return rawLine(this.#text(), this.#offset, this.#isTooLong ? "too-long" : "torn");
	}
	#isWanted(text) {
		if (this.#wanted === null) return true;
		const head = HEAD.exec(text);
		const type = head?.[1] ?? "";
		if (this.#unwanted.has(type)) return false;
		const enough = this.#enough.get(head?.[2] ?? "");
		return enough === void 0 || enough === type;
	}
	#isEnough(line) {
		const isEnough = this.#wanted?.isEnough;
		if (isEnough === void 0 || isRaw(line) || !("request" in line) || line.request === "") return false;
		if (!isEnough(line)) return false;
		this.#enough.set(line.request, line.t);
		return true;
	}
	get #isTooLong() {
		return this.#length > MAX_LOG_LINE_BYTES;
	}
	#keep(bytes) {
		if (bytes.length === 0) return;
		const room = MAX_LOG_LINE_BYTES - this.#length;
		this.#length += bytes.length;
		if (room > 0) this.#kept.push(bytes.slice(0, room));
	}
	#text() {
		const whole = new Uint8Array(Math.min(this.#length, MAX_LOG_LINE_BYTES));
		let at = 0;
		for (const part of this.#kept) {
			whole.set(part, at);
			at += part.length;
		}
		return decoder.decode(this.#isTooLong ? whole.subarray(0, SHOWN_BYTES) : whole);
	}
};
var LINE_BYTES = MAX_LOG_LINE_BYTES - 2;
var MARK_BYTES = 64;
var byteLength = (text) => encoder.encode(text).length;
function eventLine(event) {
	const copy = { ...event };
	let line = JSON.stringify(event);
	for (let size = byteLength(line); size > LINE_BYTES; size = byteLength(line)) {
		cutLongest(copy, size - LINE_BYTES);
		line = JSON.stringify(copy);
	}
	return line;
}
function cutLongest(event, excess) {
	let longest = "";
	let bytes = -1;
	for (const [name, value] of Object.entries(event)) {
		if (typeof value !== "string" && !Array.isArray(value)) continue;
		const size = byteLength(JSON.stringify(value));
		if (size > bytes) [longest, bytes] = [name, size];
	}
	const value = event[longest];
	if (Array.isArray(value)) {
		event[longest] = value.slice(0, Math.floor(value.length / 2));
		return;
	}
	const text = String(value);
	const isOutput = event["t"] === "call.outcome" && (longest === "head" || longest === "tail");
	const kept = oneEnd(text, bytes - 2 - excess - MARK_BYTES, isOutput ? longest : "head");
	const lost = byteLength(text) - byteLength(kept);
	event[longest] = isOutput ? kept : `${kept}… [${lost} bytes cut]`;
	if (isOutput) event["cut"] = Number(event["cut"]) + lost;
}
function oneEnd(text, limit, end) {
	const characters = end === "head" ? [...text] : [...text].reverse();
	let bytes = 0;
	const over = characters.findIndex((one) => {
		bytes += byteLength(JSON.stringify(one)) - 2;
		return bytes > limit;
	});
	const kept = over < 0 ? characters : characters.slice(0, over);
	return (end === "head" ? kept : kept.reverse()).join("");
}
var isContinuation = (byte) => byte !== void 0 && (byte & 192) === 128;
function excerpt(output, limit = EXCERPT_BYTES) {
	const bytes = encoder.encode(output);
	if (bytes.length <= 2 * limit) return {
		head: decoder.decode(bytes),
		tail: "",
		cut: 0
	};
	let headEnd = limit;
	while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd--;
	let tailStart = bytes.length - limit;
	while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart++;
	return {
		head: decoder.decode(bytes.subarray(0, headEnd)),
		tail: decoder.decode(bytes.subarray(tailStart)),
		cut: tailStart - headEnd
	};
}
var { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW: O_NOFOLLOW$1, O_NONBLOCK: O_NONBLOCK$1 } = constants;
var NEWLINE = 10;
var LOG_NAME = "calls.jsonl";
function logPath(sessionDir) {
	return join(sessionDir, LOG_NAME);
}
function logTo(sessionDir, event) {
	appendEvent(sessionDir, {
		v: 1,
		at: (/* @__PURE__ */ new Date()).toISOString(),
		...event
	});
}
function appendEvent(sessionDir, event) {
	if (!isLogEvent(event)) throw new TraiError("internal", `expected a log event, got ${JSON.stringify(event).slice(0, 200)}`);
	const path = logPath(sessionDir);
	const fd = openLog(path);
	try {
		const start = endsInMidLine(fd, path) ? "\n" : "";
		const line = Buffer.from(`${start}${eventLine(event)}\n`);
		const written = writeSync(fd, line);
		if (written === line.length) return;
		throw logLineCut(path, written, line.length);
	} catch (error) {
		throw asTraiError(error, path);
	} finally {
		closeSync(fd);
	}
}
function openLog(path) {
	try {
		return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW$1 | O_NONBLOCK$1, 384);
	} catch (error) {
		throw asTraiError(error, path);
	}
}
function endsInMidLine(fd, path) {
	const found = fstatSync(fd);
	if (!found.isFile()) throw logIsNoFile(path);
	if (found.size === 0) return false;
	const last = /* @__PURE__ */ new Uint8Array(1);
	return readSync(fd, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
}
function asTraiError(error, path) {
	if (error instanceof TraiError) return error;
	return [
		"EISDIR",
		"ELOOP",
		"ENXIO"
	].includes(errorCode(error)) ? logIsNoFile(path, error) : logNotWritten(path, error);
}
var USER_OPTIONS = "userxattr,index=on,volatile";
function escapeFstab(text) {
	return text.replace(/[\s\\#]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
function fstabText(steps, { coveredDirs, source, root }, { stateDir, parking, doors }) {
	const lines = [];
	const entry = (from, target, type, options) => {
		lines.push(`${escapeFstab(from)} ${escapeFstab(target)} ${type} ${options} 0 0\n`);
	};
	const bind = (from, target) => entry(from, target, "none", "rbind");
	const overlay = (path, target, lower) => {
		const n = coveredDirs.find((covered) => covered.path === path)?.n;
		if (n === void 0) throw new RangeError(`expected a number for the covered directory ${path}`);
		const features = root ? `${ROOT_OPTIONS},volatile` : USER_OPTIONS;
		entry(source, target, "overlay", `lowerdir=${n}/${lower},upperdir=${n}/u,workdir=${n}/w,${features}`);
	};
	for (const { from, spot } of doors) bind(from, spot);
	const spots = childSpots(steps);
	let parked = 0;
	for (const step of steps) {
		if (step.do === "direct") bind(step.path, step.path);
		if (step.do === "read-only" && !step.mounted && step.held !== true) entry(step.path, step.path, "none", (step.late ? ["rbind"] : [
			"rbind",
			"ro",
			...step.flags
		]).join(","));
		if (step.do === "copied") {
			const children = step.children.map(({ path }) => ({
				path,
				...spots.get(path) ?? NOWHERE
			}));
			for (const { path, spot, within } of children) if (!within) bind(path, spot);
			overlay(step.path, step.path, "c");
			for (const { path, spot } of children) bind(spot, path);
		}
		if (step.do === "overlay") {
			const asides = steps.filter((other) => other.do === "keep" && other.below === step.path).map(({ path }) => ({
				path,
				spot: `${parking}/${++parked}`
			}));
			for (const { path, spot } of asides) bind(path, spot);
			const aside = spots.get(step.path);
			overlay(step.path, aside?.within === true ? aside.spot : step.path, "l");
			for (const { path, spot } of asides) bind(spot, path);
		}
	}
	entry(`${stateDir}/mask`, stateDir, "none", "bind,ro");
	for (const { spot, at } of doors) bind(spot, at);
	if (!root) entry("/proc/self/ns/user", `${stateDir}/userns`, "none", "bind");
	for (const { path, options } of lateSteps(steps)) entry("trai-late", path === "/" ? "/." : path, "none", options);
	return lines.join("");
}
var NOWHERE = {
	spot: "",
	within: false,
	file: false
};
function childSpots(steps) {
	const spots = /* @__PURE__ */ new Map();
	for (const { path, file } of steps.flatMap((step) => step.do === "copied" ? step.children : [])) {
		const inside = steps.filter((one) => isWithin(one.path, path));
		const within = inside.length === 1 && inside[0]?.do === "overlay" && inside[0].path === path;
		spots.set(path, {
			spot: `parking/${file ? "f" : "d"}${spots.size + 1}`,
			within,
			file
		});
	}
	return spots;
}
function lateSteps(steps) {
	return steps.flatMap((step) => step.do === "read-only" && step.late && step.held !== true ? [{
		path: step.path,
		options: [
			"remount",
			"bind",
			"ro",
			...step.flags
		].join(",")
	}] : []);
}
function lateText(steps) {
	const late = lateSteps(steps);
	if (late.some(({ path }) => path.includes("\n"))) throw newlineAboveMount();
	return late.map(({ path, options }) => `${options} ${path}\n`).join("");
}
function checkText(mounts, writable, stateDir, parking) {
	return `${mounts}\n ${writable.map(escapeMount).join(" ")} \n${escapeMount(stateDir)}\n${escapeMount(parking)}\n`;
}
var NAME = "inside";
var CLIENT_RECORD = "client.json";
var INSTANCE = "instance";
var BOXED = "boxed";
var insideDir = (sessionDir) => join(sessionDir, NAME);
var insideAt = (stateDir) => join(stateDir, NAME);
var instanceAt = (stateDir) => join(stateDir, INSTANCE);
function prepareInside(stateDir, sessionDir, session) {
	if (stateDir.includes("\n")) throw newlineInOwnDir();
	try {
		makeDoor(stateDir, sessionDir, session);
	} catch (error) {
		throw [
			"EISDIR",
			"ERR_FS_EISDIR",
			"EACCES",
			"ENOTDIR"
		].includes(errorCode(error)) ? doorSpoilt(insideDir(sessionDir), errorCode(error), error) : error;
	}
}
function makeDoor(stateDir, sessionDir, session) {
	inDoor(sessionDir, ["sessions", session], (own) => {
		within$1(joinPath(own, "run"), [], () => void 0);
		keepText(`${own}/meta.json`, "{}\n");
		const log = `${own}/calls.jsonl`;
		if (orNull(() => lstatSync(log).ino) !== orNull(() => lstatSync(logPath(sessionDir)).ino)) {
			rmSync(log, { force: true });
			linkSync(logPath(sessionDir), log);
		}
	});
	const at = insideAt(stateDir);
	const boxed = isBoxed(sessionDir);
	const ids = isRealRoot() && !boxed ? "root" : `${process.getuid?.()}:${process.getgid?.()}`;
	const mark = join(insideDir(sessionDir), BOXED);
	if (boxed) keepText(mark, "");
	else rmSync(mark, { force: true });
	const hidden = `trai-hidden ${escapeFstab(fromText(at))} tmpfs ro,mode=0555,nosuid,nodev,noexec 0 0\n`;
	inDoor(sessionDir, ["host"], (host) => {
		keepText(`${host}/fstab`, hidden);
		keepText(`${host}/rules`, `${ids}\nhidden ${fromText(at)}\n`);
	});
}
function keepText(file, text) {
	const [found] = orNull(() => readEnds(file, text.length + 1, 0)) ?? [];
	if (found?.toString("latin1") !== text) writeWhole(file, text);
}
function inDoor(sessionDir, names, work) {
	return within$1(fromText(insideDir(sessionDir)), names, work);
}
function within$1(dir, [name, ...below], work) {
	return withHandle(nodePort, openOrMake(dir), (fd) => name === void 0 ? work(at$1(fd)) : within$1(at$1(fd, fromText(name)), below, work));
}
function openOrMake(dir) {
	try {
		return nodePort.openDir(dir);
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOTDIR") nodePort.unlink(dir);
		else if (code !== "ENOENT") throw error;
		nodePort.mkdir(dir, 448);
		return nodePort.openDir(dir);
	}
}
var clientRecordPath = (sessionDir) => join(sessionDir, CLIENT_RECORD);
function readClientRecord(sessionDir) {
	const value = readPlainJson(clientRecordPath(sessionDir));
	return isObject(value) && value["v"] === 1 ? value : null;
}
function runningClient(sessionDir) {
	const record = readClientRecord(sessionDir);
	const stat = record === null ? null : processStat(record.pid);
	if (record === null || stat === null || stat.start !== record.start || stat.state === "Z") return null;
	return record.mounted === void 0 || isWaiter(stat) ? record : null;
}
var isWaiter = ({ name }) => name.startsWith("trai");
var isClientRunning = (sessionDir) => runningClient(sessionDir) !== null;
var jsonProblem = (error) => `not JSON: ${messageOf(error)}`;
var repeatedKey = (key) => `an object has the key ${JSON.stringify(key)} twice, and only the last would count`;
var patternProblem = (at, source, why) => `${at}: the pattern ${JSON.stringify(source)} cannot be used: ${why}`;
var unsupportedPattern = (what) => `${what} is not supported`;
var fileIsLink = () => "it is a symbolic link; put the file itself there";
var fileIsNoFile = () => "it is not a regular file";
var fileNoText = () => "it is not UTF-8";
var fileOfOther = (uid) => `it belongs to uid ${uid}`;
var fileTooLarge = (most, found) => `expected at most ${most} bytes, found ${found}`;
var fileUnreadable = (code) => `it cannot be read (${code})`;
var VERDICT = {
	off: "permission rules are turned off by the config (\"rules\": {\"enabled\": false})",
	noRule: "no permission rule is about this call",
	allowed: "every part of it is allowed by a permission rule",
	readOnly: "it only reads, inside the project and the allowed directories",
	sandboxed: "all that it writes stays pending, and no permission rule is about it"
};
function ruleWhy(decision, { list, index, file, text, reason }, segment) {
	const rule = `rule ${list}[${index}] of ${file} (${shortened(text)})`;
	const about = segment === "" ? "this call" : shortened(segment);
	return `${rule} ${decision === "ask" ? "asks about" : decision === "deny" ? "denies" : "allows"} ${about}${reason === "" ? "" : `: ${reason}`}`;
}
var brokenWhy = (file, problem) => `the rule file ${file} cannot be used (${problem}), and no good version of it is known; so every call is asked about. Repair or remove it; see: trai rules verify`;
var builtInWhy = (name) => `trai's own rule "${name}" allows it; "rules": {"builtIn": {"remove": ["${name}"]}} in the config turns that off`;
var notAllowable = (why) => `no rule may allow it, because ${why}`;
var staysAsked = (why) => `no permission rule is about this call, and ${why}`;
var MOST_SHOWN = 120;
function shortened(text) {
	return text.length <= MOST_SHOWN ? text : `${text.slice(0, 119)}…`;
}
var NOT_ALLOWABLE = {
	broken: "it is not understood as a shell text",
	odd: "it has parts that may run or set anything (a function, arithmetic, an unusual expansion)",
	hidden: "it has hidden characters, or a program whose name is not plain ASCII",
	alias: "it defines an alias",
	assignment: "it sets a variable that may change what runs",
	noProgram: "it has no literal program",
	wrapper: "it is run by a program with options that are not known",
	moves: "it is run in another directory",
	unknownText: "it runs a text that is not known whole",
	redirect: "it redirects to what may be anything",
	reads: "it reads from what may be anything",
	outside: "it writes to a file that is neither pending nor inside the project or an allowed directory"
};
var LEAVING = {
	program: (name) => `\`${name}\` acts beyond the sandbox`,
	keys: (path) => `it names ${path}, a file of keys or passwords`,
	keysBelow: (name, path) => `\`${name}\` reads everything below ${path}, where files of keys or passwords are`,
	unknown: "a shell runs a text that is not known before"
};
var PASSTHRU = {
	on: "the passthru plugin is on and decides about calls, too",
	which: "Of both answers the stricter counts: deny, then ask, then allow. trai rules import passthru takes its rules over, /plugin turns it off."
};
var IMPORT = {
	notUnderstood: "it has no meaning that a rule could have",
	glob: "it is a glob with brackets or an exception",
	contradicts: "a rule in another list decides otherwise about the same calls",
	relative: "it is relative to the directory in which Claude Code works",
	local: "it holds in this project only, and a rule of yours would hold in all",
	relativeDir: "it is relative to the directory in which Claude Code works, and only absolute directories count",
	localDir: "it holds in this project only, and an allowed directory of yours would hold in all"
};
var ANEW = "Ask the user to type /clear, which starts the session anew.";
var WAY_OUT$1 = "Only the user can put them there first: by typing /trai:commit.";
var MESSAGES = {
	"not-set-up": `this session was not set up (the SessionStart hook failed). Nothing was run. ${ANEW}`,
	"caught": `an earlier call of this session ran outside the sandbox unnoticed, so no more are run. ${ANEW}`,
	"env-missing": `this session's env file is missing, so the command would not run in the sandbox. Nothing was run. ${ANEW}`,
	"env-changed": `this session's env file was changed, so the command might not run in the sandbox. Nothing was run. ${ANEW}`,
	"env-unknown": `the hook did not look at the env file. Nothing was run. ${ANEW}`,
	"undecided": "this was not run, because it could not be decided: {why}",
	"not-sandboxed": "NOT SANDBOXED: this command ran on the host: {command}. Bash is refused until you type /clear.",
	"own-state": "{dir} holds trai's own state and is not for {tool}. Ask the user instead.",
	"own-commands": "only the user may run trai's commands. Ask the user to type the command.",
	"not-typed": "/trai:{name} was not run: only what the user types counts, and this was sent by {who}. Run in a terminal: trai {name}",
	"rule-denied": "{why}. Nothing was run. Only the user can change permission rules.",
	"rule-file": "{file} holds permission rules, which only the user writes. Ask the user instead.",
	"rule-slow": "the permission rule {rule} took too long on a call: it counted as a match where it denies or asks, and as none where it allows. Simplify its pattern",
	"rules-last-good": "the rule file {file} cannot be used ({problem}), so its last good version counts; see: trai rules verify",
	"rules-broken": "the rule file {file} cannot be used ({problem}), so everything that no other rule decides is asked about; see: trai rules verify",
	"rules-untrusted": "the allow rules of {file} came with the project and count once you have trusted them: trai rules trust",
	"rules-importable": "{count} of {from} could be imported: trai rules import {name} shows them, trai rules import --dismiss says no",
	"rules-passthru": `${PASSTHRU.on}. ${PASSTHRU.which}`,
	"rules-off": "the config has \"rules.enabled\": false, so no permission rule counts",
	"client-asks": "no permission rule decides this call, so Claude Code asks by its own settings",
	"client-asks-too": "a permission rule allows this call, but Claude Code asks by its own settings",
	"asked": "{tool} in {project} waits for your answer",
	"answered-no": "trai: the user was asked and said no. Nothing was run.",
	"answered-no-with": "trai: the user was asked and said no. Nothing was run. The user says: {words}",
	"rule-no-match": "this rule does not match the call that is asked about",
	"rule-behind": "another rule comes first: {why}",
	"edit-no-match": "The text to be replaced is not in the file as it is now, so the tool will fail.",
	"not-run": "{why}. Nothing of the command was run.",
	"unable": "the sandbox can’t be entered here. {why} Nothing of the command was run.",
	"unasked": "{said} The user was not asked, because this became so just now. Nothing was run. Run it again: then the user is asked.",
	"unasked-host": "this was allowed because what it writes would stay pending, and now it would run on the host. The user was not asked. Nothing was run. Run it again: then the user is asked.",
	"pending-refused": `{said} Nothing was run, as the config has "hostWithPending": "refuse". ${WAY_OUT$1} Then run this again.`,
	"pending-asked": `{said} ${WAY_OUT$1} Allow this only if it is right without them.`,
	"not-kept": "What `{what}` throws away cannot be saved: {why}.",
	"loss-asked": "{said} Allow this only if it may be lost.",
	"loss-refused": "{lost} Nothing was run. If it may be lost, the user types /trai:passthrough, which lets the next call run.",
	"no-space": "{dir} has no space left ({why}). Free some space on that disk; what is pending stays",
	"not-in-view": "{why}, which has pending changes that this call would not see. {undo}, or end this session and start a new one: what is pending stays in this one",
	"untidy": "the work after a call could not be done: {why}",
	"not-replayed": "a running process was not told of a change on the host: {why}",
	"replay-saved": "a process of the session wrote to a file while the host's change of it was taken over; its version is pending as {path}",
	"overlap": "{overlap}. Each session's Bash sees only its own versions, and whichever is committed second will conflict: tell the user.",
	"host-conflicts": "{count} in conflict since {commands} ran on the host: {named}. Bash still sees the pending versions; /trai:commit refuses until the user has resolved them.",
	"no-session": "the session could not be set up: {why}. Bash calls will be refused.",
	"unable-user": "the sandbox does not work here: {why} Until that is fixed, Bash calls run nothing and end with status 125.{pending} See /trai:doctor.",
	"unable-model": "Bash calls cannot run here for now, and end with status 125: {why} Only the user can fix that (/trai:doctor).{pending}",
	"pending-safe": " Pending changes of this session are safe.",
	"bad-config": "the config {file} is invalid ({problems}), so the defaults are used",
	"config-off": "the config has \"enabled\": false, so everything runs on the host",
	"begun": "what Bash writes stays pending until you commit it",
	"try-claude": "`trai claude` in a terminal runs Claude Code itself in a session, so that what Edit, Write and git do is pending too",
	"went-on": "what was pending here continues in session {session}",
	"moved": "the host changed {moved} of {count} since: {named}",
	"orientation": [
		"trai: Bash commands run in an overlay of the file system. They see all files; what they write is pending until the user commits it, and later Bash commands see it.",
		"The file tools (Read, Edit, Write, Grep, Glob) work on the host and do not see pending changes. Read and edit what Bash created or changed (a new directory with everything in it) through Bash: cat, sed, here-documents. Edit and Write refuse it.",
		"git, gh, docker, podman and sudo run on the host as calls of their own and do not see pending files. Only the user types trai commands (commit, discard ...)."
	].join("\n"),
	"inside-begun": "everything that is written in this session stays pending until you commit it",
	"inside-begun-direct": "what is written in this session stays pending until you commit it, except in {named}: that is yours at once",
	"inside-orientation": "trai: you run inside a session. All tools (Bash, Edit, Write, MCP servers, git) see one view of all files; {written}.\nsudo, docker and podman do not work inside. Only the user types trai commands (commit, discard ...).",
	"inside-written": "what they write is pending until the user commits it to the real files",
	"inside-written-direct": "what they write is pending until the user commits it to the real files, except in {named}: those are the real files",
	"inside-cannot": "{program} cannot do its work inside a session, or does it outside of it at once: ask the user to run it in a terminal outside.",
	"inside-push": "git push publishes what is pending here: commits that the real repository does not have yet.",
	"inside-elsewhere": "Claude Code runs in session {session} itself (trai claude), which is the session of this conversation too: go on there, or end it first",
	"inside-outside": "this client runs inside the session: run in a terminal outside of it: {command}",
	"inside-passthrough": "Claude Code itself runs in this session, so none of its calls can run on the host. Run the command in a terminal outside.",
	"inside-adopt": "Claude Code itself runs in this session, which can take over no other one meanwhile. To go on with that one: trai claude --session {other}",
	"box-outside": "/trai:{name} cannot be typed in a box. In a terminal outside of it: {command}. In the dashboard: {where}. To allow commit and undo inside: trai box --commit-inside",
	"box-direct": "a box of session {session} runs with --write direct: what this call writes in the project would be yours at once, not pending. Wait for the end of the box, or name another session",
	"inside-moved-model": "Meanwhile {moved}. You see the pending versions; which of the two stays, the user says at the commit.",
	"box-unread": "what this box was given cannot be read (box.json of the session is damaged), so not all that is written here may be pending",
	"moved-model": "Meanwhile {moved}. Bash sees the pending versions, the file tools the host's; both may matter."
};
function message(key, ...[values]) {
	return filled(MESSAGES[key], values ?? {});
}
function coveringDir(coveredDirs, path) {
	return innermost$1(path, coveredDirs, (covered) => covered.path) ?? null;
}
function upperPath(covered, path) {
	if (path === covered.path) return covered.upper;
	return `${covered.upper}${covered.path === "/" ? path : path.slice(covered.path.length)}`;
}
function upperPathIn(coveredDirs, path) {
	const covered = coveringDir(coveredDirs, path);
	return covered === null ? null : upperPath(covered, path);
}
function readPlan(sessionDir, id = currentId(sessionDir)) {
	return id === null ? null : readPlanFile(`${sessionDir}/plan/${id}/plan.json`);
}
function currentId(sessionDir) {
	return orNull(() => readlinkSync(`${sessionDir}/plan/current`, "latin1"));
}
function pointTo(sessionDir, id) {
	const link = `${sessionDir}/plan/.current-${randomBytes(6).toString("hex")}`;
	symlinkSync(id, link);
	const current = `${sessionDir}/plan/current`;
	if (lstatSync(current, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(current, { recursive: true });
	renameSync(link, current);
}
function savePlan(dir, plan, files) {
	const temp = `${dirname(dir)}/.new-${randomBytes(6).toString("hex")}`;
	mkdirSync(temp, { mode: 448 });
	const sums = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sumOf(content)]));
	const all = {
		...files,
		"plan.json": Buffer.from(`${JSON.stringify({
			...plan,
			sums
		})}\n`)
	};
	for (const [name, content] of Object.entries(all)) writeFileSync(`${temp}/${name}`, content, { mode: 384 });
	if (lstatSync(dir, { throwIfNoEntry: false }) !== void 0) {
		const entered = readPlainFile(`${dir}/entered`);
		if (entered !== null) writeFileSync(`${temp}/entered`, entered, { mode: 384 });
		rmSync(dir, { recursive: true });
	}
	renameSync(temp, dir);
}
function readPlanFile(path) {
	const value = readPlainJson(path);
	const { v, coveredDirs, source } = Object(value);
	return v === 1 && Array.isArray(coveredDirs) && source !== void 0 ? value : null;
}
function isWholePlan(dir) {
	const { sums } = Object(readPlainJson(`${dir}/plan.json`));
	if (typeof sums !== "object" || sums === null) return false;
	const entered = lstatSync(`${dir}/entered`, { throwIfNoEntry: false });
	if (entered !== void 0 && !entered.isFile()) return false;
	return Object.entries(sums).every(([name, sum]) => {
		const content = readPlainFile(`${dir}/${name}`);
		return content !== null && sumOf(content) === sum;
	});
}
function sumOf(content) {
	return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
var fsPathIn = (dir, name) => fsPath(`${dir}/${name}`);
function makeCoveredDirs({ overlayDir, paths, uid, copied, onMade }) {
	const numbers = readNumbers(overlayDir);
	for (const [path, n] of numbers) {
		const { upper } = coveredDirAt(overlayDir, path, n);
		if (!isDirectory$1(upper)) throw upperMissing(upper, path);
	}
	const fresh = paths.filter((path) => !numbers.has(path));
	let last = Math.max(0, ...numbers.values());
	for (const path of fresh) numbers.set(path, ++last);
	const all = paths.map((path) => {
		const children = copied?.get(path);
		const covered = coveredDirAt(overlayDir, path, numbers.get(path) ?? 0);
		return children === void 0 ? covered : {
			...covered,
			copied: children
		};
	});
	const made = all.filter(({ path }) => fresh.includes(path));
	for (const covered of made) prepareCoveredDir(covered, uid);
	onMade?.(made);
	writeNumbers(overlayDir, numbers);
	return all;
}
function knownCoveredDirs(sessionDir, plan) {
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const numbers = readNumbers(overlayDir);
	const planned = plan.filter(({ path, n }) => numbers.get(path) === n);
	const others = [...numbers].filter(([path]) => planned.every((covered) => covered.path !== path)).map(([path, n]) => coveredDirAt(overlayDir, path, n)).filter(({ upper }) => isDirectory$1(upper));
	const empty = others.filter(({ upper }) => readdirSync(fsPath(upper)).length === 0);
	const written = others.filter((one) => !empty.includes(one)).map((one) => existsSync(fsPathIn(overlayDir, `${one.n}/copies.json`)) ? {
		...one,
		copied: []
	} : one);
	const found = [...planned, ...written];
	return [...found, ...empty.filter((one) => hasOtherMode(one) && !isWrittenAbove(one, found))];
}
function hasOtherMode({ path, upper }) {
	const host = lstat(path);
	return host?.uid === process.getuid?.() && host?.mode !== lstat(upper)?.mode;
}
function isWrittenAbove({ path }, others) {
	const around = coveringDir(others, path);
	return around !== null && lstat(upperPath(around, path)) !== null;
}
function hasCoveredDirs(sessionDir) {
	return readNumbers(fromText(`${sessionDir}/overlay`)).size > 0;
}
function uppersIn(overlayDir) {
	let table = null;
	const numbers = () => {
		table ??= readNumbers(overlayDir);
		return table;
	};
	return {
		has: (path) => numbers().has(path),
		names(path) {
			const n = numbers().get(path);
			return (n === void 0 ? null : upperNames(overlayDir, n)) ?? [];
		}
	};
}
function prepareCoveredDir({ path, upper }, uid) {
	const dir = upper.slice(0, -2);
	for (const name of ["u", "w"]) mkdirSync(fsPathIn(dir, name), {
		recursive: true,
		mode: 448
	});
	rmSync(fsPathIn(dir, "l"), { force: true });
	symlinkSync(fsPath(path), fsPathIn(dir, "l"));
	const host = lstatSync(fsPath(path));
	const own = host.uid === uid || uid === 0;
	chmodSync(fsPath(upper), own ? host.mode & 4095 : host.mode & 365);
}
function coveredDirAt(overlayDir, path, n) {
	return {
		n,
		path,
		upper: `${overlayDir}/${n}/u`,
		work: `${overlayDir}/${n}/w`
	};
}
var isDirectory$1 = (path) => lstat(path)?.type === "dir";
function upperNames(overlayDir, n) {
	return orNull(() => readdirSync(fsPathIn(overlayDir, `${n}/u`), { encoding: "latin1" }));
}
function readNumbers(overlayDir) {
	const numbers = storedNumbers(overlayDir) ?? /* @__PURE__ */ new Map();
	const listed = new Map([...numbers].map(([path, n]) => [n, path]));
	for (const n of numberedDirs(overlayDir)) {
		const target = orNull(() => readlinkSync(fsPathIn(overlayDir, `${n}/l`), "latin1"));
		const link = target === null ? null : bytePath(target);
		const path = listed.get(n);
		if (path !== void 0 && (link === null || link === path)) continue;
		if (path !== void 0) throw linkContradicts(overlayDir, n, tableSays(path));
		if ((upperNames(overlayDir, n) ?? []).length === 0) continue;
		if (link === null) throw linkContradicts(overlayDir, n, LINK_IS_MISSING);
		const other = numbers.get(link);
		if (other !== void 0) throw linkContradicts(overlayDir, n, linkIsTaken(other));
		numbers.set(link, n);
	}
	return numbers;
}
function writeNumbers(overlayDir, numbers) {
	const file = fsPathIn(overlayDir, "places.json");
	const stored = storedNumbers(overlayDir);
	if (stored !== null && JSON.stringify([...stored]) === JSON.stringify([...numbers])) return;
	const temporary = fsPathIn(overlayDir, ".places.new");
	writeFileSync(temporary, JSON.stringify([...numbers]), { mode: 384 });
	if (isDirectory$1(joinPath(overlayDir, "places.json"))) rmSync(file, { recursive: true });
	renameSync(temporary, file);
}
function storedNumbers(overlayDir) {
	const stored = readPlainJson(fsPathIn(overlayDir, "places.json"));
	return isNumberTable(stored) ? new Map(stored.map(([path, n]) => [path, n])) : null;
}
function isNumberTable(value) {
	const isRow = (row) => Array.isArray(row) && typeof row[0] === "string" && Number.isSafeInteger(row[1]) && row[1] > 0;
	return Array.isArray(value) && value.every(isRow);
}
function numberedDirs(overlayDir) {
	return (orNull(() => readdirSync(fsPath(overlayDir), "latin1")) ?? []).filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number).sort((a, b) => a - b);
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
	return orNull(() => readFileSync(`/proc/sys/${name}`, "utf8").trim());
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
	const ids = [...(orNull(() => readFileSync("/etc/os-release", "utf8")) ?? "").matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap(([, id = ""]) => id.split(" "));
	const [, install] = INSTALL.find(([names]) => names.some((one) => ids.includes(one))) ?? [];
	return install?.(name) ?? `Install the package ${name}.`;
}
function isContainer() {
	return existsSync("/.dockerenv") || existsSync("/run/.containerenv");
}
var BITS = {
	4: 32,
	6: 128
};
var MAPPED$1 = 65535n << 32n;
function parseAddress(text) {
	const four = parseDotted(text);
	if (four !== null) return four;
	const value = parseSix(text);
	if (value === null) return null;
	return value >> 32n === MAPPED$1 >> 32n ? {
		family: 4,
		value: value & 4294967295n
	} : {
		family: 6,
		value
	};
}
function parseDotted(text) {
	if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return null;
	const bytes = text.split(".").map(Number);
	if (bytes.some((byte) => byte > 255)) return null;
	return {
		family: 4,
		value: bytes.reduce((sum, byte) => sum << 8n | BigInt(byte), 0n)
	};
}
function parseSix(text) {
	const [, before = text, tail] = /^(.*:)([^:]*\.[^:]*)$/.exec(text) ?? [];
	const four = tail === void 0 ? null : parseDotted(tail);
	if (tail !== void 0 && four === null) return null;
	const low = four?.value ?? 0n;
	const halves = (four === null ? text : `${before}${(low >> 16n).toString(16)}:${(low & 65535n).toString(16)}`).split("::").map((half) => half === "" ? [] : half.split(":"));
	const [left = [], right] = halves;
	const groups = [...left, ...right ?? []];
	const isRight = right === void 0 ? groups.length === 8 : groups.length < 8;
	if (halves.length > 2 || !isRight || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
	const zeros = Array.from({ length: 8 - groups.length }, () => "0");
	return [
		...left,
		...zeros,
		...right ?? []
	].reduce((sum, group) => sum << 16n | BigInt(`0x${group}`), 0n);
}
function addressIn(host) {
	const usual = parseAddress(host);
	if (usual !== null) return usual;
	if (host.includes(":")) return "invalid";
	const parts = host.replace(/\.$/, "").split(".");
	if (!/^(?:\d+|0x[0-9a-f]*)$/.test(parts.at(-1) ?? "")) return null;
	return legacyFour(parts) ?? "invalid";
}
function legacyFour(parts) {
	const numbers = parts.map((part) => {
		if (/^0x[0-9a-f]*$/.test(part)) return part === "0x" ? 0n : BigInt(part);
		if (/^0[0-7]*$/.test(part)) return BigInt(`0o${part}`);
		return /^[1-9]\d{0,19}$/.test(part) ? BigInt(part) : null;
	});
	const last = numbers.pop();
	const room = 8n * BigInt(4 - numbers.length);
	if (numbers.length > 3 || last === void 0 || last === null || last >= 1n << room) return null;
	let value = 0n;
	for (const number of numbers) {
		if (number === null || number > 255n) return null;
		value = value << 8n | number;
	}
	return {
		family: 4,
		value: value << room | last
	};
}
function parseBlock(text) {
	const [, address = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const base = parseAddress(address);
	if (base === null) return null;
	const most = BITS[base.family];
	const bits = length === void 0 ? most : Number(length);
	if (bits > most || base.value & (1n << BigInt(most - bits)) - 1n) return null;
	return {
		base,
		bits
	};
}
var PRESETS = {
	anthropic: [...[
		"api.anthropic.com",
		"console.anthropic.com",
		"statsig.anthropic.com"
	], ...["claude.ai", "platform.claude.com"]],
	github: [...[
		"github.com",
		"api.github.com",
		"codeload.github.com",
		"uploads.github.com"
	], "*.githubusercontent.com"],
	npm: ["registry.npmjs.org", "registry.yarnpkg.com"],
	pypi: ["pypi.org", "files.pythonhosted.org"],
	crates: [
		"crates.io",
		"index.crates.io",
		"static.crates.io"
	],
	go: ["proxy.golang.org", "sum.golang.org"],
	debian: ["deb.debian.org", "security.debian.org"]
};
var isPreset = (name) => Object.hasOwn(PRESETS, name);
var LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
var MAX_NAME = 253;
function isName(text) {
	return text.length <= MAX_NAME && text.split(".").every((label) => LABEL.test(label));
}
function portIn(text) {
	const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
	return port > 0 && port < 65536 ? port : null;
}
function parseEntry(text) {
	const preset = /^preset:(.*)$/.exec(text)?.[1];
	if (preset !== void 0) return isPreset(preset) ? PRESETS[preset].flatMap((one) => parseEntry(one) ?? []) : null;
	const pattern = parsePattern(text);
	return pattern === null ? null : [pattern];
}
function parsePattern(text) {
	const lower = text.toLowerCase();
	const whole = parseBlock(lower);
	if (whole !== null) return {
		kind: "address",
		block: whole,
		port: null
	};
	const [, bracketed, plain = "", given] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(lower) ?? [];
	const port = given === void 0 ? null : portIn(given);
	if (given !== void 0 && port === null) return null;
	const block = parseBlock(bracketed ?? plain);
	if (block !== null) return {
		kind: "address",
		block,
		port
	};
	const below = plain.startsWith("*.");
	const name = below ? plain.slice(2) : plain;
	return bracketed === void 0 && isName(name) && addressIn(name) === null ? {
		kind: "name",
		name,
		below,
		port
	} : null;
}
var BOX_WRITES = [
	"pending",
	"direct",
	"read-only"
];
var BOX_NETS = [
	"open",
	"list",
	"off"
];
var BOX_HISTORIES = ["project", "shared"];
var DEFAULT_BOX_OPTIONS = {
	write: "pending",
	net: "open",
	history: "project",
	allow: [],
	hide: [],
	env: []
};
var BUILT_IN = [
	"Agent",
	"Skill",
	"Glob",
	"WebSearch",
	"read-only",
	"allowed-dirs"
];
var DEFAULT_CONFIG = {
	passthrough: [
		"git",
		"gh",
		"sudo",
		"docker",
		"podman"
	],
	readOnly: "ls cat head tail wc grep egrep fgrep rg find which type command env pwd echo true false printf test [ : basename dirname realpath readlink stat file du df tree id whoami uname date nproc printenv ps uptime sort uniq cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep".split(" "),
	enabled: true,
	hostWithPending: "ask",
	scratch: [
		"/tmp",
		"/var/tmp",
		"/dev/shm",
		"/run"
	],
	ignore: [
		"~/.cache/",
		"~/.npm/_cacache/",
		"~/.npm/_logs/",
		"~/.bash_history",
		"~/.zsh_history",
		"~/.python_history",
		"~/.node_repl_history",
		"~/.psql_history",
		"~/.sqlite_history",
		"~/.mysql_history",
		"~/.lesshst",
		"~/.viminfo",
		"outside-project:__pycache__/"
	],
	undo: UNDO_LIMITS,
	disk: { warnFreeBytes: DISK_WARN_FREE_BYTES },
	testCommands: [
		...[
			"npm test",
			"npm t",
			"npm run test",
			"pnpm test",
			"pnpm run test",
			"yarn test",
			"yarn run test"
		],
		...[
			"bun test",
			"bun run test",
			"deno test",
			"node --test",
			"npx vitest run",
			"npx jest",
			"npx mocha"
		],
		...[
			"pytest",
			"python -m pytest",
			"python3 -m pytest",
			"uv run pytest",
			"poetry run pytest",
			"tox",
			"nox"
		],
		...[
			"cargo test",
			"cargo nextest run",
			"go test",
			"make test",
			"make check",
			"ctest",
			"mvn test"
		],
		...[
			"mvn verify",
			"gradle test",
			"./gradlew test",
			"dotnet test",
			"mix test",
			"rspec",
			"bundle exec rspec"
		]
	],
	server: {
		autostart: true,
		port: 0,
		idleMinutes: 30
	},
	rules: {
		enabled: true,
		sandboxed: "ask",
		builtIn: BUILT_IN,
		logMcp: false,
		questions: true,
		holdSeconds: 60,
		headlessSeconds: 0,
		notify: true,
		popup: false
	},
	box: {
		profiles: {},
		network: {
			allow: ["preset:anthropic"],
			deny: []
		}
	}
};
function parseConfig(json) {
	const problems = [];
	return {
		config: CONFIG(json, [], DEFAULT_CONFIG, problems),
		problems
	};
}
function plain(expected, isRight) {
	return (value, path, fallback, problems) => {
		if (isRight(value)) return value;
		problems.push(problem(path, expected, value));
		return fallback;
	};
}
var flag$1 = plain("true or false", (value) => typeof value === "boolean");
var integer = (least, most) => plain(`a whole number from ${least} to ${most}`, (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
var word = (words) => plain(`one of ${words.map((one) => `"${one}"`).join(", ")}`, (value) => words.some((one) => one === value));
function group(fields) {
	return (value, path, fallback, problems) => {
		if (!isObject(value)) {
			problems.push(problem(path, "an object", value));
			return fallback;
		}
		reportUnknown(value, path, Object.keys(fields), problems);
		const read = { ...fallback };
		for (const key in fields) if (Object.hasOwn(value, key)) read[key] = fields[key](value[key], [...path, key], fallback[key], problems);
		return read;
	};
}
function list$1(entry) {
	return (value, path, fallback, problems) => {
		if (Array.isArray(value)) return entries(value, path, entry, problems) ?? fallback;
		if (!isObject(value)) {
			problems.push(problem(path, "an array, or an object with \"add\" and \"remove\"", value));
			return fallback;
		}
		reportUnknown(value, path, ["add", "remove"], problems);
		const add = entries(value["add"] ?? [], [...path, "add"], entry, problems);
		const remove = entries(value["remove"] ?? [], [...path, "remove"], entry, problems);
		if (add === null || remove === null) return fallback;
		return [.../* @__PURE__ */ new Set([...fallback, ...add])].filter((one) => !remove.includes(one));
	};
}
function entries(value, path, entry, problems) {
	if (!Array.isArray(value)) {
		problems.push(problem(path, "an array of strings", value));
		return null;
	}
	const before = problems.length;
	const texts = value.map((one, i) => {
		const text = typeof one === "string" ? entry.tidy?.(one) ?? one : null;
		if (text === null || !entry.ok(text)) problems.push(problem(path, entry.expected, one, `[${i}]`));
		return text ?? "";
	});
	return problems.length === before ? texts : null;
}
var programs = list$1({
	expected: "the name of a program, without a path or arguments",
	ok: (text) => /^[A-Za-z0-9_.+:[-]+$/.test(text) && !text.startsWith("-"),
	tidy: (text) => text.replace(/ \*$/, "")
});
var directories = list$1({
	expected: "an absolute directory other than \"/\", without \"..\"",
	ok: (text) => /^\/[^\0]/.test(text) && !text.split("/").includes("..") && /[^/]/.test(text),
	tidy: (text) => text.replace(/(.)\/+$/, "$1")
});
var ignoreRules = list$1({
	expected: "a rule that begins with \"~/\", \"/\" or \"outside-project:\"",
	ok: (text) => /^(~\/|\/|outside-project:)[^\0]+$/.test(text)
});
var testCommands = list$1({
	expected: "the beginning of a command, such as \"npm test\", without quotes or other signs of a shell",
	ok: (text) => /^[A-Za-z0-9_./:@+=-]+( [A-Za-z0-9_./:@+=-]+)*$/.test(text),
	tidy: (text) => text.trim().replace(/\s+/g, " ")
});
var words = list$1({
	expected: "a text",
	ok: (text) => text !== "" && !text.includes("\0")
});
var hosts = list$1({
	expected: `host, *.host, an address or block, each also with :port, or preset:NAME (${Object.keys(PRESETS).join(", ")})`,
	ok: (text) => parseEntry(text) !== null
});
var builtIn = list$1({
	expected: `one of ${BUILT_IN.map((one) => `"${one}"`).join(", ")}`,
	ok: (text) => BUILT_IN.includes(text)
});
var PROFILE = group({
	write: word(BOX_WRITES),
	net: word(BOX_NETS),
	history: word(BOX_HISTORIES),
	allow: words,
	hide: words,
	env: words
});
var profiles = (value, path, fallback, problems) => {
	if (!isObject(value)) {
		problems.push(problem(path, "an object with a profile a name", value));
		return fallback;
	}
	const read = Object.entries(value).map(([name, one]) => [name, PROFILE(one, [...path, name], DEFAULT_BOX_OPTIONS, problems)]);
	return Object.fromEntries(read);
};
var bytes = integer(0, Number.MAX_SAFE_INTEGER);
var CONFIG = group({
	passthrough: programs,
	readOnly: programs,
	enabled: flag$1,
	hostWithPending: word([
		"ask",
		"warn",
		"refuse"
	]),
	scratch: directories,
	ignore: ignoreRules,
	undo: group({
		maxBytes: bytes,
		keepDays: integer(0, 36500),
		keepBytes: bytes
	}),
	testCommands,
	disk: group({ warnFreeBytes: bytes }),
	server: group({
		autostart: flag$1,
		port: integer(0, 65535),
		idleMinutes: integer(1, 10080)
	}),
	rules: group({
		enabled: flag$1,
		sandboxed: word(["ask", "allow"]),
		builtIn,
		logMcp: flag$1,
		questions: flag$1,
		holdSeconds: integer(0, 3600),
		headlessSeconds: integer(0, 86400),
		notify: flag$1,
		popup: flag$1
	}),
	box: group({
		profiles,
		network: group({
			allow: hosts,
			deny: hosts
		})
	})
});
function reportUnknown(value, path, known, problems) {
	for (const key of Object.keys(value)) {
		if (known.includes(key)) continue;
		const text = `${[...path, shown$2(key)].join(".")} is not a key of the config; expected one of ${known.join(", ")}.`;
		problems.push({
			path: [...path, key],
			isUnknownKey: true,
			text
		});
	}
}
function problem(path, expected, found, index = "") {
	return {
		path,
		text: `${path.length === 0 ? "the config" : path.join(".") + index}: expected ${expected}, found ${shown$2(found)}; the default is used.`
	};
}
function shown$2(value) {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
var MAX_CONFIG_BYTES = 262144;
function configFiles(env) {
	const data = absolute(env, "CLAUDE_PLUGIN_DATA");
	return [configDir(env), ...data === null ? [] : [data]].map((dir) => join(dir, "config.json"));
}
function loadConfig(env, recorded = null) {
	for (const file of [...recorded === null ? [] : [recorded], ...configFiles(env)]) {
		const read = readConfig(file);
		if (read === null) continue;
		const problems = read.problems.map((one) => ({
			...one,
			text: `${file}: ${one.text}`
		}));
		return {
			...read,
			file,
			problems
		};
	}
	return {
		config: DEFAULT_CONFIG,
		file: null,
		problems: []
	};
}
function readConfig(file) {
	const unusable = (why) => ({
		config: DEFAULT_CONFIG,
		problems: [{
			path: [],
			text: configUnusable(why)
		}]
	});
	let bytes;
	if (isMissing(file)) return null;
	try {
		bytes = readPlainFile(orNull(() => realpathSync(file)) ?? file);
	} catch (error) {
		return unusable(configUnreadable(errorCode(error)));
	}
	if (bytes === null) return unusable(CONFIG_IS_NO_FILE);
	if (bytes.length > 262144) return unusable(configTooLarge(MAX_CONFIG_BYTES, bytes.length));
	try {
		return parseConfig(JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, "")));
	} catch (error) {
		return unusable(configIsNoJson(error));
	}
}
function isMissing(file) {
	try {
		return statSync(file, { throwIfNoEntry: false }) === void 0;
	} catch (error) {
		return errorCode(error) === "ENOTDIR";
	}
}
function projectOf(cwd) {
	const start = resolved$1(cwd) ?? cwd;
	const found = discover(start);
	const id = hash("sha256", Buffer.from(found?.commonDir ?? start, "latin1")).slice(0, 16);
	return {
		root: found?.top ?? start,
		id
	};
}
function repositoryOf(cwd) {
	return discover(resolved$1(cwd) ?? cwd);
}
function discover(start) {
	const device = statOf$3(start)?.dev;
	for (let dir = start;; dir = parentOf$1(dir)) {
		if (statOf$3(dir)?.dev !== device) return null;
		const link = gitFileTarget(joinPath(dir, ".git"), dir);
		if (link === "broken") return null;
		const gitDir = link ?? joinPath(dir, ".git");
		const commonDir = commonDirOf(gitDir);
		if (commonDir !== null) return {
			top: dir,
			gitDir,
			commonDir
		};
		if (link !== null) return null;
		const bare = commonDirOf(dir);
		if (bare !== null) return {
			top: dir,
			gitDir: dir,
			commonDir: bare
		};
		if (dir === "/") return null;
	}
}
var GIT_FILE_BYTES = 1048576;
var GIT_FILE = /^gitdir: ([\s\S]+?)[\r\n]*$/;
function gitFileTarget(path, dir) {
	if (statOf$3(path)?.isFile() !== true) return null;
	const [, target] = GIT_FILE.exec(readBytes$1(path, GIT_FILE_BYTES) ?? "") ?? [];
	return target === void 0 ? "broken" : against(dir, target);
}
function commonDirOf(gitDir) {
	if (!hasValidHead(gitDir)) return null;
	const named = readBytes$1(joinPath(gitDir, "commondir"), 65536)?.replace(/[\r\n]+$/, "");
	const common = named === void 0 ? gitDir : against(gitDir, named);
	const isDirectory = (name) => statOf$3(joinPath(common, name))?.isDirectory() === true;
	return isDirectory("objects") && isDirectory("refs") ? resolved$1(common) : null;
}
function hasValidHead(gitDir) {
	const path = joinPath(gitDir, "HEAD");
	if (readLink(path)?.startsWith("refs/")) return true;
	return /^(ref:[ \t\n\r]*refs\/|[0-9a-f]{40})/.test(readBytes$1(path, 256) ?? "");
}
function against(dir, target) {
	return bytePath(target.startsWith("/") ? target : joinPath(dir, target));
}
var resolved$1 = (path) => orNull(() => realPath(path));
var readLink = (path) => orNull(() => readlinkSync(fsPath(path), "latin1"));
var statOf$3 = (path) => orNull(() => statSync(fsPath(path)));
function readBytes$1(path, limit) {
	const fd = orNull(() => openSync(fsPath(path), constants.O_RDONLY | constants.O_NONBLOCK));
	if (fd === null) return void 0;
	try {
		if (!fstatSync(fd).isFile()) return void 0;
		const buffer = Buffer.alloc(Math.min(limit, fstatSync(fd).size));
		return buffer.toString("latin1", 0, readSync(fd, buffer, 0, buffer.length, 0));
	} catch {
		return;
	} finally {
		closeSync(fd);
	}
}
async function takeFileLock(path, waitSeconds = 10) {
	let file;
	try {
		file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 384);
	} catch (cause) {
		throw lockUnusable(path, errorText(cause), cause);
	}
	try {
		await lock(file, path, waitSeconds);
	} catch (error) {
		closeSync(file);
		throw error;
	}
	return async () => closeSync(file);
}
async function withFileLock(path, work, waitSeconds = 10) {
	const release = await takeFileLock(path, waitSeconds);
	try {
		return await work();
	} finally {
		await release();
	}
}
async function lock(file, path, waitSeconds) {
	const { status, stderr } = await run$1(programPath("flock"), [
		"-x",
		"-w",
		String(waitSeconds),
		"3"
	], { fds: [file] });
	if (status === 0) return;
	throw status === 127 ? noFlock(path, stderr) : lockHeld(path, waitSeconds, lockHolder(path));
}
var WORDS = 3;
var CHARACTERS = 200;
function lockHolder(path) {
	try {
		const lock = statSync(path);
		for (const pid of processIds()) {
			if (!namesIn$4(`/proc/${pid}/fdinfo`).some((fd) => holds$3(pid, fd, lock))) continue;
			return {
				pid,
				command: toDisplay((processArguments(pid) ?? []).slice(0, WORDS).join(" ")).slice(0, CHARACTERS)
			};
		}
	} catch {}
	return null;
}
function holds$3(pid, fd, lock) {
	const text = processText(pid, `fdinfo/${fd}`) ?? "";
	if (!/^lock:.* FLOCK /m.test(text) || !text.includes(`:${lock.ino} 0 EOF`)) return false;
	const found = orNull(() => statSync(`/proc/${pid}/fd/${fd}`));
	return found?.dev === lock.dev && found.ino === lock.ino;
}
function metaPath(sessionDir) {
	return join(sessionDir, "meta.json");
}
async function readMeta(sessionDir) {
	const path = metaPath(sessionDir);
	const parsed = parseMeta(readText$1(path, sessionDir));
	if ("meta" in parsed && parsed.meta.id === basename(sessionDir)) return parsed.meta;
	throw metaUnusable(path, "meta" in parsed ? metaOfOther(parsed.meta.id) : parsed.problem);
}
async function writeMeta(sessionDir, meta) {
	const path = metaPath(sessionDir);
	try {
		await replaceFile(path, metaText(meta));
	} catch (error) {
		if (error instanceof TraiError) throw error;
		throw metaNotWritten(path, error);
	}
}
function metaText(meta) {
	if (!isSessionMeta(meta)) throw new TraiError("internal", "expected a valid SessionMeta");
	return `${JSON.stringify(meta, null, 2)}\n`;
}
async function updateMeta(sessionDir, change) {
	await readMeta(sessionDir);
	return withFileLock(join(sessionDir, ".meta.lock"), async () => {
		const meta = await readMeta(sessionDir);
		const changed = change(meta);
		if (changed === null) return meta;
		await writeMeta(sessionDir, changed);
		return changed;
	});
}
function readText$1(path, sessionDir) {
	try {
		const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		return withHandle(nodePort, file, () => readFileSync(file, "utf8"));
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") {
			if (orNull(() => lstatSync(sessionDir)) !== null) throw metaUnusable(path, META_IS_MISSING);
			throw noSuchSession(sessionDir, error);
		}
		if (code === "ELOOP" || code === "EISDIR") throw metaUnusable(path, META_IS_NO_FILE);
		throw metaUnreadable(path, error);
	}
}
var SOURCES$1 = EVENT_FIELDS.session.source;
var text$1 = (value) => typeof value === "string";
var byteText = (value) => text$1(value) && isByteString(value);
var time = (value) => text$1(value) && !Number.isNaN(Date.parse(value));
var sessionId = (value) => text$1(value) && isSessionId(value);
var projectId = (value) => text$1(value) && /^[0-9a-f]{16}$/.test(value);
var pid = (value) => Number.isSafeInteger(value) && Number(value) > 0;
var one = (value) => value === 1;
var source = (value) => SOURCES$1.some((word) => word === value);
function nullOr(check) {
	return (value) => value === null || check(value);
}
function listOf$1(check) {
	return (value) => Array.isArray(value) && value.every(check);
}
var IDENTITY = {
	id: text$1,
	source,
	pid: nullOr(pid),
	pidStart: nullOr(text$1),
	at: time
};
var level = (value) => value === "claude" || value === "box";
var identity$2 = (value) => wrongField(value, IDENTITY) === null;
var REQUIRED = {
	v: one,
	id: sessionId,
	claude: listOf$1(identity$2),
	projectRoot: byteText,
	cwd: byteText,
	projectId,
	createdAt: time,
	configFile: nullOr(text$1),
	configProblems: listOf$1(text$1),
	off: nullOr(text$1),
	caught: nullOr(text$1),
	logVersion: one
};
var OPTIONAL = {
	claudeDirs: listOf$1(text$1),
	adopted: listOf$1(sessionId),
	levels: listOf$1(level),
	wentOnIn: sessionId
};
function wrongField(value, required, optional = {}) {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "an object";
	const found = new Map(Object.entries(value));
	for (const [name, check] of Object.entries(required)) if (!check(found.get(name))) return name;
	for (const [name, check] of Object.entries(optional)) if (found.get(name) !== void 0 && !check(found.get(name))) return name;
	return null;
}
function isSessionMeta(value) {
	return wrongField(value, REQUIRED, OPTIONAL) === null;
}
function parseMeta(json) {
	let value;
	try {
		value = JSON.parse(json);
	} catch {
		return { problem: META_IS_NO_JSON };
	}
	if (isSessionMeta(value)) return { meta: value };
	return { problem: metaField(wrongField(value, REQUIRED, OPTIONAL) ?? "") };
}
var CLIENT_NAMES = [
	"projects",
	"sessions",
	"session-env",
	"shell-snapshots",
	"history.jsonl",
	"backups",
	"file-history",
	"cache",
	"daemon*",
	"jobs",
	"bridge-spawn",
	"plugins/store",
	"plugins/data",
	"todos",
	"statsig",
	"debug",
	"telemetry",
	"usage-data",
	"startup-perf",
	"paste-cache",
	"image-cache",
	"ide",
	"stats-cache.json",
	"gh-pr-status-cache.json",
	"mcp-needs-auth-cache.json",
	"mcp-discovery-cache",
	"policy-limits.json",
	".credentials.json",
	".cc-writes",
	".last-cleanup",
	".last-update-result.json",
	".update.lock",
	".npm-cache-cleanup",
	".version-cleanup",
	".deep-link-register-failed"
];
var BOX_NAMES = [
	"plans",
	"tasks",
	"teams"
];
var HOST_DIRS = [
	"projects",
	"sessions",
	"file-history",
	"plans",
	"tasks"
];
var MORE_HOST_DIRS = [
	"todos",
	"teams",
	"statsig",
	"usage-data",
	"paste-cache",
	"image-cache"
];
var HOST_FILE = "history.jsonl";
var EMPTY_DIR = "plugins";
function hostsOfClient(home, env) {
	const { configDir, locks } = clientDirs(home, env);
	const at = (name) => joinPath(configDir, name);
	return {
		dirs: [...[...HOST_DIRS, ...MORE_HOST_DIRS].map(at), locks],
		files: [at(HOST_FILE)],
		history: at(HOST_FILE),
		made: HOST_DIRS.map(at),
		empty: at(EMPTY_DIR)
	};
}
function clientDirs(home, env) {
	const dirOf = (name, otherwise) => {
		const value = env.get(name) ?? "";
		return value.startsWith("/") && isByteString(value) ? bytePath(value) : otherwise;
	};
	const state = dirOf("XDG_STATE_HOME", joinPath(home, ".local/state"));
	return {
		configDir: dirOf("CLAUDE_CONFIG_DIR", joinPath(home, ".claude")),
		locks: joinPath(state, "claude/locks")
	};
}
var MEMORY = /^\/[^/]+\/memory(?:\/|$)/;
function claudeOwnFiles(home, configDirs, boxed = false) {
	const names = [
		".claude.json*",
		...CLIENT_NAMES,
		...boxed ? BOX_NAMES : []
	];
	return [joinPath(home, ".claude.json*"), ...configDirs.flatMap((dir) => names.map((name) => joinPath(dir, name)))];
}
function isExcluded(path, excluded) {
	for (const entry of excluded) {
		if (!matches(path, entry)) continue;
		return !(entry.endsWith("/projects") && MEMORY.test(path.slice(entry.length)));
	}
	return false;
}
function mayHoldListed(path, excluded) {
	return excluded.some((entry) => entry.endsWith("/projects") && isWithin(path, entry) && path.slice(entry.length + 1).split("/").length <= 1);
}
function excludedBelow(dir, excluded) {
	const prefix = dir === "/" ? dir : `${dir}/`;
	return excluded.filter((entry) => entry.startsWith(prefix));
}
function matches(path, entry) {
	return entry.endsWith("*") ? path.startsWith(entry.slice(0, -1)) : isWithin(path, entry);
}
var REPLAY_NAME = ".trai-replay";
var SEEN_NAME = `${REPLAY_NAME}-seen`;
var KEPT = "kept-";
var GONE$1 = "gone-";
var replayDirIn = (dir) => joinPath(dir, REPLAY_NAME);
function replayDirs(projectRoot) {
	return [replayDirIn(joinPath(projectRoot, ".git")), replayDirIn(projectRoot)];
}
function savedIn(projectRoot, replayDir) {
	return replayDirs(projectRoot).includes(replayDir) ? projectRoot : parentOf$1(replayDir);
}
function isEventMark(upper) {
	return lstatOrNone(upper)?.type === "symlink" && readTarget(upper) === nameOf$1(upper);
}
function ownReplayDirs(scope, beside = []) {
	const made = readMade(scope.sessionDir);
	const usual = [...replayDirs(scope.projectRoot), replayDirIn(scope.home)];
	return [.../* @__PURE__ */ new Set([
		...usual,
		...made.keys(),
		...beside
	])].filter((path) => isOwn(scope, made, path));
}
function replayDirsOf(scope, covered, paths) {
	const beside = paths.map((path) => replayDirIn(parentOf$1(path)));
	const going = new Set(paths);
	return ownReplayDirs(scope, beside).filter((path) => coveringDir(scope.coveredDirs, path) === covered && !isBelowAny(path, going));
}
function presentReplayDirs(scope) {
	return ownReplayDirs(scope).filter((path) => upperOf$1(scope, path)?.type === "dir");
}
function noteReplayDir(scope, path, make) {
	const there = upperOf$1(scope, path);
	if (there !== null && readMade(scope.sessionDir).get(path) === idOf(there)) return;
	const note = (id) => {
		const made = readMade(scope.sessionDir);
		if (id === void 0) made.delete(path);
		else made.set(path, id);
		const lines = [...made].map(([at, known]) => `${JSON.stringify({
			path: at,
			id: known
		})}\n`);
		writeWhole(fileOf$5(scope.sessionDir), lines.join(""));
	};
	note(null);
	try {
		make();
	} catch (error) {
		note(void 0);
		throw error;
	}
	const upper = upperOf$1(scope, path);
	note(upper === null ? void 0 : idOf(upper));
}
function isOwn(scope, made, path) {
	if (statOf$2(path) !== null) return false;
	const upper = upperOf$1(scope, path);
	if (upper === null) return true;
	const id = made.get(path);
	if (upper.type !== "dir" || id === void 0) return false;
	if (id !== null) return id === idOf(upper);
	const covered = coveringDir(scope.coveredDirs, path);
	return covered !== null && namesOrNone(upperPath(covered, path)).every((name) => name === "in");
}
function upperOf$1({ coveredDirs }, path) {
	const covered = coveringDir(coveredDirs, path);
	return covered === null ? null : statOf$2(upperPath(covered, path));
}
var statOf$2 = (path) => orNull(() => lstatOrNone(path));
function idOf({ ino, birthNs }) {
	return `${ino}:${birthNs}`;
}
function readMade(sessionDir) {
	const lines = readPlainFile(fileOf$5(sessionDir))?.toString("latin1").split("\n") ?? [];
	return new Map(lines.flatMap(parseNote));
}
function parseNote(line) {
	try {
		const { path, id } = Object(JSON.parse(line));
		return typeof path === "string" && path.startsWith("/") && isByteString(path) && (id === null || typeof id === "string") ? [[path, id]] : [];
	} catch {
		return [];
	}
}
function fileOf$5(sessionDir) {
	return `${sessionDir}/overlay/replay-dirs.jsonl`;
}
async function sessionContext(stateDir, id, env = process.env, made) {
	return contextOf(stateDir, await readMeta(sessionDir(stateDir, id)), env, made);
}
function contextOf(stateDir, meta, env, made) {
	const { id } = meta;
	const dir = sessionDir(stateDir, id);
	const plan = made ?? readPlan(dir);
	const home = homeOf(env);
	const runtime = runtimeDir(env);
	const { config } = loadConfig(env, meta.configFile);
	const coveredDirs = knownCoveredDirs(dir, plan?.coveredDirs ?? []);
	const configDirs = claudeDirs(home, meta.claudeDirs ?? [], env);
	return {
		session: id,
		stateDir,
		sessionDir: dir,
		coveredDirs,
		source: plan?.source ?? mountSource(stateDir, id),
		root: isRealRoot(),
		uid: process.getuid?.() ?? 0,
		gid: process.getgid?.() ?? 0,
		home,
		projectRoot: meta.projectRoot,
		excluded: [
			fromText(stateDir),
			...runtime === null ? [] : [fromText(runtime)],
			...ownReplayDirs({
				sessionDir: dir,
				projectRoot: meta.projectRoot,
				home,
				coveredDirs
			}),
			...claudeOwnFiles(home, configDirs, meta.levels?.includes("box")),
			...linkedFiles(home, configDirs)
		],
		ignore: config.ignore,
		configDir: configDir(env),
		undo: config.undo
	};
}
function homeOf(env) {
	return withoutLinks(fromText(homeDir(env)));
}
function claudeDirs(home, recorded, env) {
	const own = env["CLAUDE_CONFIG_DIR"] ?? "";
	const named = [joinPath(home, ".claude"), ...[...recorded, own].filter(isAbsolute).map(fromText)];
	return [.../* @__PURE__ */ new Set([...named, ...named.map(withoutLinks)])];
}
function linkedFiles(home, configDirs) {
	const named = [home, ...configDirs].map((dir) => joinPath(dir, ".claude.json"));
	named.push(...configDirs.map((dir) => joinPath(dir, ".credentials.json")));
	return named.map(withoutLinks).filter((path) => !named.includes(path)).flatMap((path) => [
		"",
		".lock",
		".backup*",
		".tmp.*"
	].map((end) => `${path}${end}`));
}
function withoutLinks(path) {
	return orNull(() => realPath(path)) ?? path;
}
function mountSource(stateDir, session) {
	return `trai:${hash("sha256", stateDir).slice(0, 8)}:${session}`;
}
var SCRATCH = "scratch directory: sockets and short-lived files stay the host’s";
var PROJECT_IS_SCRATCH = "the project is a scratch directory itself: what calls write in it is written directly";
var OWN_STATE = "trai’s own state";
var MOUNTED_FILE = "a file that is mounted by itself";
var mayNotAnswer = (type) => `${type} file system, which may not answer`;
var noLower = (type) => `a ${type} file system can't be covered by an overlay`;
var inParts = (why, others) => `${why}; its other directories are covered${others === 0 ? "" : `, but for ${others} of others, which are read-only with it`}`;
var othersAbove = (own) => `directories of other owners lead to ${own === null ? "what is yours" : toDisplay(own)}`;
var mountBelow = (point) => `the mount ${toDisplay(point)} is below it`;
var hostsBelow = (path) => `${toDisplay(path)}, which stays the host’s, is below it`;
var SUBGID = "/etc/subgid";
var NEWGIDMAP = setuidPath("newgidmap");
var known = null;
function mappedGroups() {
	if (isRealRoot()) return [];
	const read = () => {
		const stat = statSync(SUBGID, { bigint: true });
		const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
		const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(",")}`;
		if (known?.identity === identity) return known.groups;
		accessSync(NEWGIDMAP, constants.X_OK);
		const ranges = rangesOf(readFileSync(SUBGID, "utf8"), userName(), String(process.getuid?.() ?? 0));
		const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
		known = {
			identity,
			groups: [...new Set(groups)].sort((a, b) => a - b)
		};
		return known.groups;
	};
	return orNull(read) ?? [];
}
async function mapGroups(pid, gid, groups) {
	await run$1(NEWGIDMAP, [
		pid,
		0,
		gid,
		1,
		...groups.flatMap((group) => [
			group,
			group,
			1
		])
	].map(String), { timeout: 5e3 });
}
function isUnmapped(gid) {
	return gid !== process.getgid?.() && !mappedGroups().includes(gid);
}
function groupRemedy(gid, packageRemedy) {
	const steps = [`echo '${userName()}:${gid}:1' | sudo tee -a ${SUBGID}`];
	if (orNull(() => accessSync(NEWGIDMAP, constants.X_OK)) === null) steps.unshift(packageRemedy);
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
	return orNull(() => userInfo().username) ?? String(process.getuid?.() ?? 0);
}
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
	return innermost$1(path, steps, (step) => step.path);
}
var MOST_PARTS = 8;
var NOBODY = /* @__PURE__ */ new Set();
var holds$2 = (dir, paths) => paths.some((path) => isWithin(path, dir));
var liesIn = (path, dirs) => dirs.some((dir) => isWithin(path, dir));
function crowdOf(paths, wanted, fs) {
	if (paths.length <= 100) return NOBODY;
	const others = paths.filter((path) => fs.isForeign(path) && !fs.mayWrite(path) && fs.ownNames(path).length === 0 && !holds$2(path, wanted));
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
		this.mounts = visibleMounts(input.mounts);
	}
	cover(dir) {
		const { scratch, silent } = this.input;
		const mount = this.mounts.get(dir);
		if (dir !== "/" && mount !== void 0 && KERNEL_TYPES.has(mount.type)) return;
		if (scratch.includes(dir)) {
			if (mount === void 0) this.steps.push({
				do: "direct",
				path: dir
			});
			this.note(dir, "direct", SCRATCH);
			return;
		}
		const isAutomatic = mount?.type === "autofs";
		if (isAutomatic || mount !== void 0 && (isRemote(mount.type) || silent?.has(dir) === true)) {
			if (!isAutomatic) this.readOnly(dir, mayNotAnswer(mount.type));
			for (const name of this.mountedBelow(dir)) this.cover(joinPath(dir, name));
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
		else if (this.needsOnlyReading(dir)) this.readOnlyBut(dir, scratch.filter((kept) => isWithin(kept, dir) && this.fs.isDirectory(kept)));
		else if (this.isDirectory(dir)) this.coverWhole(dir);
		else if (mount !== void 0) this.readOnly(dir, MOUNTED_FILE);
	}
	readOnlyBut(dir, parts) {
		this.readOnly(dir, "");
		for (const path of parts) this.cover(path);
	}
	ownParts(dir) {
		const { fs, wanted } = this;
		if (dir === "/" || parentOf$1(dir) !== "/" || !fs.isForeign(dir) || fs.isCoveredDir(dir)) return null;
		if (wanted.includes(dir) || holds$2(dir, this.input.scratch)) return null;
		const paths = fs.directories(dir).map((name) => joinPath(dir, name));
		const mine = new Set(fs.ownDirectories(dir)?.map((name) => joinPath(dir, name)));
		const begun = paths.some((path) => fs.isCoveredDir(path) && !fs.isForeign(path));
		if (mine.size === 0 && !begun) return null;
		const also = (path) => fs.isCoveredDir(path) || fs.mayWrite(path) || holds$2(path, wanted);
		const parts = paths.filter((path) => mine.has(path) || also(path));
		return parts.length <= MOST_PARTS || begun ? parts : null;
	}
	needsNoOverlay(dir) {
		const { projectRoot, stateDir, scratch } = this.input;
		if (this.mounts.has(dir) || holds$2(dir, [
			...scratch,
			projectRoot,
			stateDir
		])) return false;
		return this.fs.ownNames(dir).length === 0 && (this.fs.isClosed(dir) || this.fs.takesNoWrite(dir));
	}
	needsOnlyReading(dir) {
		if (holds$2(dir, this.wanted) || liesIn(dir, this.input.scratch)) return false;
		return this.fs.ownNames(dir).length === 0 && this.fs.takesNoWrite(dir);
	}
	canReach(dir) {
		if (!isNetwork(this.mounts.get(dir)?.type ?? "")) return this.fs.canReach(dir);
		const above = this.typeAt(parentOf$1(dir));
		return isNetwork(above) || isRemote(above) || this.fs.canReach(joinPath(parentOf$1(dir), "."));
	}
	isDirectory(dir) {
		return isNetwork(this.mounts.get(dir)?.type ?? "") || this.fs.isDirectory(dir);
	}
	coverProject() {
		const root = this.input.projectRoot;
		const covers = (step) => step.do === "overlay" && isWithin(root, step.path) || step.do === "copied" && step.path === root;
		const isKept = this.steps.some((step) => step.do === "keep" && isWithin(root, step.path));
		if (this.steps.some((step) => covers(step) && !isKept)) return;
		const scratch = this.input.scratch.find((dir) => isWithin(root, dir));
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
		const holder = others.find((step) => step.do === "overlay" && isWithin(this.input.stateDir, step.path));
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
		if (!LOWER_TYPES.has(type)) {
			this.readOnly(dir, noLower(type));
			return;
		}
		for (const kept of this.input.scratch) if (kept !== dir && isWithin(kept, dir) && this.fs.isDirectory(kept)) {
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
		const isLocal = LOWER_TYPES.has(type) && !isNetwork(type);
		if (dir !== "/" && this.fs.isCopyable(dir) && isLocal) this.copy(dir);
		else this.descendReadOnly(dir);
	}
	copy(dir) {
		const listed = new Set(this.fs.directories(dir));
		const own = new Set(this.fs.ownNames(dir));
		const children = [];
		for (const name of [.../* @__PURE__ */ new Set([...listed, ...this.mountedBelow(dir)])].sort()) {
			if (own.has(name)) continue;
			const path = joinPath(dir, name);
			this.copying++;
			this.cover(path);
			this.copying--;
			if (this.mounts.has(path) || this.steps.some((step) => isWithin(step.path, path))) children.push({
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
		const paths = [.../* @__PURE__ */ new Set([...this.fs.directories(dir), ...this.mountedBelow(dir)])].sort().map((name) => joinPath(dir, name));
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
		const below = [...this.mounts.keys(), ...this.input.scratch].find((point) => point !== dir && isWithin(point, dir));
		if (below === void 0) return othersAbove(this.ownBelowOthers(dir));
		return this.mounts.has(below) ? mountBelow(below) : hostsBelow(below);
	}
	ownBelowOthers(dir) {
		const isBelowOthers = (path) => {
			if (path === dir || !isWithin(path, dir) || liesIn(path, this.input.scratch)) return false;
			for (let way = parentOf$1(path); way !== dir; way = parentOf$1(way)) if (this.fs.isForeign(way)) return true;
			return false;
		};
		return this.input.own.find(isBelowOthers) ?? null;
	}
	mountedBelow(dir) {
		const prefix = dir === "/" ? dir : `${dir}/`;
		return [...this.mounts.keys()].filter((point) => point !== dir && isWithin(point, dir)).map((point) => point.slice(prefix.length).split("/")[0]);
	}
	readOnly(path, why) {
		const mounted = path === "/" || this.mounts.has(path);
		const late = mounted || isWithin(this.input.stateDir, path);
		const flags = holderOf(path, this.mounts)?.flags ?? [];
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
		const point = holderOf(path, this.mounts)?.point ?? "/";
		return this.steps.some((step) => step.do === "read-only" && step.mounted && step.path === point);
	}
	typeAt(path) {
		return holderOf(path, this.mounts)?.type ?? "";
	}
	writable() {
		const { scratch, mounts } = this.input;
		const seen = [...this.mounts.values()];
		const hosts = [
			...seen.filter(({ type }) => KERNEL_TYPES.has(type)).map(({ point }) => point),
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
		for (const point of this.mounts.keys()) if (point !== dir && isWithin(point, dir)) return true;
		return false;
	}
	hidesParking(dir) {
		const isBelow = (kept) => kept !== dir && isWithin(kept, dir);
		return isWithin(this.input.stateDir, dir) && this.input.scratch.some(isBelow);
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
var MAX_NAMES$4 = 500;
var verdicts = /* @__PURE__ */ new Map();
function isClosed(dir) {
	if (process.getuid?.() === 0) return false;
	const known = verdicts.get(dir);
	if (known !== void 0 && holds$1(dir, known)) return known.closed;
	const seen = /* @__PURE__ */ new Map();
	const closed = isClosedEntry(dir, seen);
	verdicts.set(dir, {
		closed,
		seen
	});
	return closed;
}
function holds$1(dir, { closed, seen }) {
	const entries = closed ? [...seen] : [...seen].filter(([path]) => path === dir);
	return entries.length > 0 && entries.every(([path, stamp]) => stampOf$1(path) === stamp);
}
function stampOf$1(path) {
	const entry = orNull(() => lstat(path));
	return entry === null ? null : `${entry.dev} ${entry.ino} ${entry.ctimeNs}`;
}
function isClosedEntry(path, seen) {
	const stamp = stampOf$1(path);
	if (stamp === null || seen.size >= MAX_CHECKED) return false;
	seen.set(path, stamp);
	return orNull(() => {
		const entry = lstatSync(fsPath(path));
		if (entry.isSymbolicLink()) return true;
		if (entry.uid === process.getuid?.() || mayAccess(path, constants.W_OK)) return false;
		if (!entry.isDirectory() || !mayAccess(path, constants.X_OK)) return true;
		return fewNames(path)?.every((name) => isClosedEntry(joinPath(path, name), seen)) === true;
	}) === true;
}
function takesNoWrite(dir) {
	return ownNamesIn(dir)?.length === 0;
}
function ownDirectories(dir) {
	const names = ownNamesIn(dir);
	const isDirectory = (name) => lstatSync(fsPath(joinPath(dir, name))).isDirectory();
	return orNull(() => names?.every(isDirectory)) === true ? names : null;
}
function ownNamesIn(dir) {
	const uid = process.getuid?.();
	if (uid === 0) return null;
	return orNull(() => {
		if (lstatSync(fsPath(dir)).uid === uid || mayWrite(dir)) return null;
		const names = readdirSync(fsPath(dir), { encoding: "latin1" });
		if (names.length > MAX_NAMES$4) return null;
		return names.filter((name) => lstatSync(fsPath(joinPath(dir, name))).uid === uid);
	});
}
function fewNames(path) {
	const names = [];
	const dir = opendirSync(fsPath(path), {
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
	return orNull(() => {
		const { mode } = lstatSync(fsPath(dir));
		return (mode & 18) !== 0 && mayAccess(dir, constants.W_OK);
	}) ?? true;
}
function mayAccess(path, mode) {
	try {
		accessSync(fsPath(path), mode);
		return true;
	} catch (error) {
		if (errorCode(error) === "EACCES") return false;
		throw error;
	}
}
var MAX_NAMES$3 = 2e3;
var MAX_BYTES$2 = 67108864;
var dirOf = (covered) => parentOf$1(covered.upper);
function isCopyable(dir) {
	return (orNull(() => readdirSync(fsPath(dir)).length) ?? Number.POSITIVE_INFINITY) <= MAX_NAMES$3;
}
function uncopied(dir, children, own) {
	const taken = /* @__PURE__ */ new Set([...children.map(({ path }) => path), ...own.map((name) => joinPath(dir, name))]);
	return split(dir, (path) => taken.has(path)).bound;
}
function writeCopies(covered) {
	const dir = dirOf(covered);
	const fresh = joinPath(dir, "c.new");
	rmSync(fsPath(fresh), {
		recursive: true,
		force: true
	});
	mkdirSync(fsPath(fresh), { mode: 493 });
	const copies = {
		children: {},
		entries: {}
	};
	for (const { path, file } of covered.copied ?? []) {
		const spot = joinPath(fresh, nameOf$1(path));
		if (file) writeFileSync(fsPath(spot), "");
		else mkdirSync(fsPath(spot));
		copies.children[nameOf$1(path)] = file ? "file" : "dir";
	}
	const { copied, bound } = split(covered.path, (path) => nameOf$1(path) in copies.children);
	for (const path of bound) writeFileSync(fsPath(joinPath(fresh, nameOf$1(path))), "");
	for (const { path } of copied) {
		const stat = copyEntry(path, joinPath(fresh, nameOf$1(path)));
		if (stat !== null) copies.entries[nameOf$1(path)] = stat;
	}
	const [list, newList] = [joinPath(dir, "copies.json"), joinPath(dir, "copies.json.new")];
	writeFileSync(fsPath(newList), JSON.stringify({
		v: 1,
		...copies
	}), { mode: 384 });
	renameSync(fsPath(newList), fsPath(list));
	rmSync(fsPath(joinPath(dir, "c")), {
		recursive: true,
		force: true
	});
	renameSync(fsPath(fresh), fsPath(joinPath(dir, "c")));
}
function readCopies(covered) {
	const value = orNull(() => readPlainJson(fsPath(joinPath(dirOf(covered), "copies.json"))));
	return Object(value).v === 1 ? value : null;
}
function isCurrent(covered, skip) {
	const copies = readCopies(covered);
	if (copies === null || lstatEntry(joinPath(dirOf(covered), "c"))?.type !== "dir") return false;
	const names = (covered.copied ?? []).map((child) => nameOf$1(child.path));
	if (names.length !== Object.keys(copies.children).length || !names.every((name) => name in copies.children)) return false;
	const { copied } = split(covered.path, (path) => nameOf$1(path) in copies.children);
	const left = new Set(Object.keys(copies.entries));
	for (const { path, entry } of copied) {
		const known = left.delete(nameOf$1(path)) ? copies.entries[nameOf$1(path)] : void 0;
		if (skip(path)) continue;
		if (known === void 0 || !isSame$2(known, toHostStat(entry, path))) return false;
	}
	return [...left].every((name) => skip(joinPath(covered.path, name)));
}
function isSame$2(one, other) {
	return JSON.stringify(one) === JSON.stringify(other);
}
function split(dir, isChild) {
	const copied = [];
	const files = [];
	for (const one of readEntries(dir)) {
		const path = joinPath(dir, one.name);
		if (isChild(path) || !(one.isFile() || one.isSymbolicLink())) continue;
		const entry = lstatEntry(path);
		if (entry?.type === "symlink") copied.push({
			path,
			entry
		});
		if (entry?.type === "file") files.push({
			path,
			entry
		});
	}
	const bound = [];
	let total = 0;
	files.sort((a, b) => a.entry.size - b.entry.size);
	for (const file of files) {
		total += file.entry.size;
		if (total > MAX_BYTES$2 || !isReadable(file.path)) bound.push(file.path);
		else copied.push(file);
	}
	return {
		copied,
		bound
	};
}
function isReadable(path) {
	return orNull(() => accessSync(fsPath(path), constants.R_OK)) !== null;
}
function copyEntry(from, to) {
	try {
		const before = lstatEntry(from);
		if (before === null) return null;
		if (before.type === "symlink") symlinkSync(readlinkSync(fsPath(from), { encoding: "buffer" }), fsPath(to));
		else copyFileSync(fsPath(from), fsPath(to), constants.COPYFILE_FICLONE);
		const stat = lstatSync(fsPath(from));
		lutimesSync(fsPath(to), stat.atime, stat.mtime);
		if (process.getuid?.() === 0) lchownSync(fsPath(to), before.uid, before.gid);
		const after = lstatEntry(from);
		const was = toHostStat(before, from);
		if (after !== null && isSame$2(was, toHostStat(after, from))) return was;
	} catch {}
	rmSync(fsPath(to), { force: true });
	return null;
}
function findBinds(search) {
	const copies = {};
	const files = search.steps.flatMap((step) => step.do === "copied" ? uncopied(step.path, step.children, search.ownNames(step.path)) : []);
	const binds = [...sockets(search), ...files].map((path) => ({
		path,
		copy: null
	}));
	for (const [path, content] of search.root ? [] : foreignSshFiles(search.uid)) {
		const copy = copyName(content);
		copies[copy] = content;
		binds.push({
			path,
			copy
		});
	}
	return {
		binds: [...binds, ...sharedWithHost(search)],
		copies
	};
}
function sharedWithHost({ client, steps }) {
	if (client === null) return [];
	const named = [...client.dirs.map((path) => ({
		path,
		type: "dir"
	})), ...client.files.map((path) => ({
		path,
		type: "file"
	}))];
	const found = /* @__PURE__ */ new Map();
	for (const { path: name, type } of named) {
		const path = orNull(() => realPath(name));
		const step = path === null ? void 0 : innermostStep(steps, path);
		const isHidden = step?.do === "overlay" || step?.do === "copied";
		if (path === null || !(isHidden || client.direct === true && step?.do === "read-only")) continue;
		if (orNull(() => lstat(path))?.type === type) found.set(path, {
			path,
			copy: null,
			shared: type
		});
	}
	for (const { from, at } of client.doors) found.set(at, {
		path: at,
		copy: null,
		shared: "dir",
		from
	});
	return [...found.values()];
}
function copyName(content) {
	return `copy-${hash("sha256", content).slice(0, 16)}`;
}
function parkedName({ shared }, index) {
	return `${shared === "dir" ? "dir" : "socket"}-${index + 1}`;
}
var WAYS = {
	dir: "rbind",
	file: "bind",
	copy: "bind,ro"
};
function doorsOf(binds) {
	return binds.flatMap((bind, i) => {
		const { path, from } = bind;
		return from === void 0 ? [] : [{
			from,
			spot: `parking/${parkedName(bind, i)}`,
			at: path
		}];
	});
}
function bindTexts(binds, planDir) {
	let [park, after] = ["", ""];
	for (const [i, bind] of binds.entries()) {
		const { path, copy, shared, from } = bind;
		if (from !== void 0) continue;
		const spot = `parking/${parkedName(bind, i)}`;
		park += `${escapeFstab(copy === null ? path : joinPath(planDir, copy))} ${spot} none ${shared === "dir" ? "rbind" : "bind"} 0 0\n`;
		after += `${spot} ${escapeFstab(path)} none ${WAYS[shared ?? "copy"]} 0 0\n`;
	}
	return {
		park,
		binds: after
	};
}
var ADDRESSES = [
	"DOCKER_HOST",
	"CONTAINER_HOST",
	"BUILDKIT_HOST"
];
var GNUPG = [
	"S.gpg-agent",
	"S.gpg-agent.ssh",
	"S.gpg-agent.extra",
	"S.keyboxd",
	"S.dirmngr"
];
function namedSockets(env) {
	const get = (name) => env.get(name) ?? "";
	const found = [get("SSH_AUTH_SOCK")];
	for (const name of ADDRESSES) if (get(name).startsWith("unix://")) found.push(get(name).slice(7));
	for (const address of get("DBUS_SESSION_BUS_ADDRESS").split(";")) {
		const path = /^unix:(?:.*,)?path=([^,]+)/.exec(address)?.[1] ?? "";
		found.push(path.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
	}
	const [wayland, runtime] = [get("WAYLAND_DISPLAY"), get("XDG_RUNTIME_DIR")];
	if (wayland.startsWith("/")) found.push(wayland);
	else if (wayland !== "" && runtime.startsWith("/")) found.push(`${runtime}/${wayland}`);
	const gnupg = env.get("GNUPGHOME") ?? `${get("HOME")}/.gnupg`;
	found.push(...GNUPG.map((name) => `${gnupg}/${name}`));
	const absolute = found.filter((path) => path.startsWith("/") && isByteString(path));
	return [...new Set(absolute)].map((path) => bytePath(path));
}
function sockets(search) {
	const seen = visibleMounts(search.mounts);
	const found = search.named.flatMap((named) => {
		if (!isLocal(named, seen) || orNull(() => lstat(named)) === null) return [];
		const path = orNull(() => realPath(named));
		const step = path === null ? void 0 : innermostStep(search.steps, path);
		const isCovered = step?.do === "overlay" || step?.do === "copied";
		return path !== null && isCovered && orNull(() => lstat(path))?.type === "socket" ? [path] : [];
	});
	if (found.length === 0) return [];
	const listening = listeners(search.unixSockets());
	return [...new Set(found)].filter((path) => listening.has(nameOf$1(path)));
}
function listeners(table) {
	const names = /* @__PURE__ */ new Set();
	for (const line of table.split("\n")) {
		const path = /^\S+ \S+ \S+ 00010000 \S+ \S+ +\S+ (.+)$/.exec(line)?.[1];
		if (path !== void 0) names.add(path.slice(path.lastIndexOf("/") + 1));
	}
	return names;
}
var SSH_CONFIG = "/etc/ssh/ssh_config";
var SSH_DEPTH = 16;
var SSH_MAX_BYTES = 262144;
function foreignSshFiles(uid) {
	const found = /* @__PURE__ */ new Map();
	let files = [SSH_CONFIG];
	for (let depth = 0; depth < SSH_DEPTH && files.length > 0; depth++) {
		const next = [];
		for (const file of files) {
			const content = orNull(() => contentOf$1(file));
			if (content === null) continue;
			if (depth > 0 && content.uid !== uid) found.set(content.path, content.bytes);
			next.push(...includedPatterns(content.bytes.toString("latin1")).flatMap(matching$1));
		}
		files = next.filter((file) => !found.has(file));
	}
	return found;
}
function contentOf$1(file) {
	const stat = statSync(fsPath(file));
	if (!stat.isFile() || stat.size > SSH_MAX_BYTES) return null;
	return {
		path: realPath(file),
		uid: stat.uid,
		bytes: readFileSync(fsPath(file))
	};
}
function includedPatterns(text) {
	const found = [];
	for (const line of text.split("\n")) {
		const words = /^\s*include(?:\s*=\s*|\s+)(.*)$/i.exec(line)?.[1] ?? "";
		for (const word of words.match(/"[^"]*"|[^\s"]+/g) ?? []) {
			const pattern = word.replaceAll("\"", "");
			if (pattern.startsWith("#")) break;
			if (pattern === "" || pattern.startsWith("~")) continue;
			found.push(pattern.startsWith("/") ? bytePath(pattern) : joinPath("/etc/ssh", pattern));
		}
	}
	return found;
}
function matching$1(pattern) {
	const [dir, name] = [parentOf$1(pattern), nameOf$1(pattern)];
	if (!/[*?[]/.test(name)) return [pattern];
	return namesOrNone(dir).filter((one) => !one.startsWith(".") && globMatches(name, one)).map((one) => joinPath(dir, one));
}
var statOf$1 = (path) => lstatSync(fsPath(path), { throwIfNoEntry: false });
var realFs = {
	directories(dir) {
		return (orNull(() => readEntries(dir)) ?? []).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
	},
	isDirectory: (path) => statOf$1(path)?.isDirectory() ?? false,
	isForeign(dir) {
		const found = isRealRoot() ? null : orNull(() => statOf$1(dir));
		return found != null && (found.uid !== process.getuid?.() || isUnmapped(found.gid));
	},
	canReach: (path) => orNull(() => statOf$1(path)) != null,
	isClosed,
	mayWrite,
	takesNoWrite,
	ownDirectories
};
var AHEAD_MS = 100;
var ahead = null;
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
	ahead = {
		facts: factsOf$1(request),
		at,
		draft
	};
}
function takeAhead(request, isNew = false) {
	const taken = ahead;
	ahead = null;
	const { sessionDir, ...others } = request;
	const facts = factsOf$1(isNew ? others : {
		...others,
		sessionDir
	});
	if (taken === null || performance.now() - taken.at > AHEAD_MS || taken.facts !== facts) return null;
	const { at, draft } = taken;
	return {
		at,
		draft,
		found: bindsOf(request, draft)
	};
}
function factsOf$1({ stateDir, sessionDir, projectRoot, config, mountinfo, home }) {
	const silent = [...knownSilent()];
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
function draftFor(request) {
	const at = performance.now();
	const draft = draftOf(request);
	return {
		at,
		draft,
		found: bindsOf(request, draft)
	};
}
var parsed = null;
function mountsOf$1(text) {
	if (parsed?.text !== text) parsed = {
		text,
		mounts: parseMountinfo(text)
	};
	return parsed.mounts;
}
function draftOf(request) {
	const { sessionDir, home, projectRoot } = request;
	const uppers = uppersOf(sessionDir);
	return draftPlan({
		mounts: mountsOf$1(request.mountinfo),
		scratch: request.config.scratch.map(fromText),
		projectRoot,
		own: [projectRoot, home],
		stateDir: fromText(request.stateDir),
		silent: knownSilent(),
		fs: {
			...realFs,
			isCopyable: (dir) => (dir === home || dir === projectRoot) && isCopyable(dir),
			ownNames: uppers.names,
			isCoveredDir: uppers.has
		}
	});
}
var NO_UPPERS = {
	has: () => false,
	names: () => []
};
var uppersOf = (sessionDir) => sessionDir === void 0 ? NO_UPPERS : uppersIn(fromText(`${sessionDir}/overlay`));
function bindsOf(request, { steps }) {
	const { unixSockets, uid } = request;
	const named = namedSockets(parseEnviron(request.environ));
	const mounts = mountsOf$1(request.mountinfo);
	const ownNames = uppersOf(request.sessionDir).names;
	return findBinds({
		named,
		unixSockets,
		mounts,
		steps,
		ownNames,
		uid,
		root: isRealRoot(),
		client: request.client ?? null
	});
}
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
		mkdirSync(stateDir, {
			recursive: true,
			mode: 448
		});
		accessSync(stateDir, constants.W_OK);
		checkOwnDir(stateDir);
		const { bad, free } = fileSystemOf(stateDir);
		if (bad !== null) return fail(`${stateDir} is on ${bad}, which can't hold an overlay's upper directory`, `Keep trai's state on a local disk (ext4, xfs, btrfs). Before you start claude: ${betterStateDir(env)}`);
		if (free < LEAST_BYTES) return fail(`${stateDir} has no room left: no call can start`, `Free some space on that file system: trai gc, or trai commit where your files lie elsewhere. Or: ${betterStateDir(env)}`);
		const hint = "Free some space: what calls write is kept there until it is committed.";
		if (free < LITTLE_BYTES) return warn(`${stateDir} has ${sizeText(free)} left`, hint);
		return pass(`${stateDir}, ${sizeText(free)} free`);
	} catch (error) {
		const hint = error instanceof TraiError ? error.hint : void 0;
		return fail(`${stateDir}: ${messageOf(error)}`, hint ?? `Make it writable for this user, or: ${betterStateDir(env)}`);
	}
}
function fileSystemOf(dir) {
	const { type, bavail, bsize } = statfsSync(dir);
	return {
		bad: NO_UPPER[type] ?? null,
		free: bavail * bsize
	};
}
function betterStateDir(env) {
	const local = [...visibleMounts(ownMounts()).values()].filter(({ type, readOnly }) => LOWER_TYPES.has(type) && type !== "overlay" && type !== "tmpfs" && !readOnly);
	const name = `trai-${process.getuid?.() ?? 0}`;
	const good = [
		join(homeDir(env), ".local/state/trai"),
		join("/var/tmp", name),
		...local.map((mount) => join(toDisplay(mount.point), name)),
		join("/tmp", name)
	].find(couldHold);
	return good === void 0 ? "export TRAI_STATE_HOME=/a/directory/on/a/local/disk" : `export TRAI_STATE_HOME='${good}'`;
}
function couldHold(dir) {
	for (let at = dir;; at = dirname(at)) try {
		accessSync(at, constants.W_OK | constants.X_OK);
		const { bad, free } = fileSystemOf(at);
		return bad === null && free >= LITTLE_BYTES;
	} catch (error) {
		if (errorCode(error) !== "ENOENT" || at === "/") return false;
	}
}
function checkMounts(stateDir, env, project) {
	const { root } = projectOf(project);
	const { notes, steps } = draftOf({
		mountinfo: readFileSync("/proc/self/mountinfo", "latin1"),
		config: loadConfig(env).config,
		home: homeOf(env),
		projectRoot: root,
		stateDir
	});
	const direct = notes.find((note) => note.kind === "direct" && note.why === "the project is a scratch directory itself: what calls write in it is written directly");
	if (direct !== void 0) return warn(`${toDisplay(direct.path)}: ${direct.why}`, "Work in a directory below it, or take it out of \"scratch\" in the config.");
	const step = innermostStep(steps, root);
	if (step?.do === "read-only") {
		const why = notes.find((note) => note.path === step.path)?.why ?? "";
		return warn(`the project ${toDisplay(root)} can't be covered, so commands can only read it: ${why}`, "Work in a copy of it on a local Linux file system (ext4, xfs, btrfs), for example below your home directory.");
	}
	const readOnly = notes.filter((note) => note.kind === "read-only");
	if (readOnly.length === 0) return pass("every directory can be covered as a whole");
	return warn(`read-only inside: ${inPartsText(readOnly)}`, "Writing directly in these fails with \"Read-only file system\"; their other directories are covered.");
}
function inPartsText(notes) {
	const byReason = /* @__PURE__ */ new Map();
	for (const { path, why } of notes) byReason.set(why, [...byReason.get(why) ?? [], toDisplay(path)]);
	const named = [...byReason].slice(0, 8).map(([why, paths]) => `${paths.join(", ")} (${why})`);
	const more = byReason.size > 8 ? `; and others, for ${byReason.size - 8} more reasons` : "";
	return `${named.join("; ")}${more}`;
}
function checkOwners(project) {
	const shown = toDisplay(project);
	if (isRealRoot()) return pass("root");
	try {
		const { uid, gid } = statSync(fsPath(project));
		const [own, ownGroup] = [process.getuid?.(), process.getgid?.()];
		if (uid === own && (gid === ownGroup || !isUnmapped(gid))) return pass(`${shown} is yours${gid === ownGroup ? "" : `, of group ${gid}`}`);
		const remedy = uid === own ? groupRemedy(gid, remedyForPackage("uidmap")) : "Take the files over (sudo chown -R), or work in a clone of your own.";
		return warn(`${shown} belongs to uid ${uid}, gid ${gid}; this user is ${own}, ${ownGroup}`, `Changing such files inside the sandbox fails with "Value too large for defined data type". ${remedy}`);
	} catch (error) {
		return warn(`${shown}: ${messageOf(error)}`, "");
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
	if (process.platform !== "linux") return fail(`this is ${process.platform}`, "trai needs Linux (overlayfs). Elsewhere use Claude Code’s own sandbox: /sandbox");
	const found = `Linux ${release()}`;
	if (isAtLeast(release(), 5, 11)) return pass(found);
	return fail(found, "An overlay for an ordinary user needs Linux 5.11 or newer.");
}
function checkNode() {
	const found = `Node ${process.versions.node} (${process.execPath})`;
	if (isAtLeast(process.versions.node, 20, 19)) return pass(found);
	return fail(found, "Install Node 20.19 or newer; trai finds it on PATH or under nvm, fnm, volta, asdf and mise.");
}
function isAtLeast(version, leastMajor, leastMinor) {
	const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
	return major > leastMajor || major === leastMajor && minor >= leastMinor;
}
function checkTools() {
	const missing = [...TOOLS.map(programPath), "/bin/sh"].filter((path) => orNull(() => accessSync(path, constants.X_OK)) === null);
	if (missing.length > 0) return fail(`missing: ${missing.join(", ")}`, remedyForPackage("util-linux"));
	return pass(`${TOOLS.join(", ")} in ${PROGRAM_DIR}`);
}
function checkOuterSandbox(env) {
	if (env["SANDBOX_RUNTIME"] !== "1") return pass("not inside another sandbox");
	return fail("inside Claude Code’s own sandbox (SANDBOX_RUNTIME=1)", "The two exclude each other. Turn it off with /sandbox to use trai, or disable the trai plugin.");
}
var enter$1 = () => isRealRoot() ? ["--mount"] : [
	"--user",
	"--map-root-user",
	"--mount"
];
async function checkNamespaces() {
	const result = await run$1(programPath("unshare"), [...enter$1(), programPath("true")], { timeout: PROBE_MS });
	if (result.status !== 0) return fail(`unshare: ${reason(result)}`, remedyForNamespaces(readSetting));
	return pass(`${isRealRoot() ? "root may make" : "this user may make user and"} mount namespaces`);
}
async function checkOverlay(stateDir) {
	const base = mkdtempSync(`${stateDir}/probe-`);
	try {
		for (const dir of [
			"lower",
			"1",
			"m"
		]) mkdirSync(`${base}/${dir}`);
		const at = (name) => fromText(`${base}/${name}`);
		prepareCoveredDir({
			n: 1,
			path: at("lower"),
			upper: at("1/u"),
			work: at("1/w")
		}, process.getuid?.() ?? 0);
		const script = `echo old > lower/gone && mount -t overlay trai-probe -o lowerdir=1/l,upperdir=1/u,workdir=1/w,${isRealRoot() ? ROOT_OPTIONS : "userxattr,index=on"},volatile m && echo new > m/made && rm m/gone && cat m/made`;
		const args = [
			...enter$1(),
			"/bin/sh",
			"-c",
			script
		];
		const result = await run$1(programPath("unshare"), args, {
			timeout: PROBE_MS,
			cwd: base,
			env: plainEnv()
		});
		if (result.status !== 0) return fail(`mounting an overlay: ${reason(result)}`, remedyForNamespaces(readSetting));
		const whiteout = existsSync(`${base}/1/u/gone`) && statSync(`${base}/1/u/gone`).isCharacterDevice();
		if (existsSync(`${base}/1/u/made`) && !existsSync(`${base}/lower/made`) && whiteout) return pass("an overlay was mounted, written to and left; the host stayed as it was");
		return fail("an overlay could be mounted, but what was written in it was not where it should be", "Please report this with the output of: uname -a; mount --version");
	} finally {
		await run$1(programPath("chmod"), [
			"-R",
			"u+rwx",
			base
		], { timeout: PROBE_MS });
		rmSync(base, {
			recursive: true,
			force: true
		});
	}
}
function reason(result) {
	if (result.timedOut) return `no answer within ${PROBE_MS / 1e3} s`;
	return toText(result.stderr).trim().split("\n").slice(0, 2).join(" ") || `exit status ${result.status}`;
}
var VERSION = "0.1.0";
function readInput(body) {
	let value;
	try {
		value = JSON.parse(body.toString("utf8"));
	} catch {
		return null;
	}
	if (!isObject(value)) return null;
	const claude = text(value, "session_id");
	if (claude === "") return null;
	return {
		claude,
		cwd: text(value, "cwd"),
		agent: text(value, "agent_id"),
		all: value
	};
}
function toolInput(input) {
	return {
		...input,
		tool: text(input.all, "tool_name"),
		toolInput: object(input.all, "tool_input"),
		request: text(input.all, "tool_use_id")
	};
}
var own = (from, field) => Object.hasOwn(from, field) ? from[field] : void 0;
function text(from, field) {
	const value = own(from, field);
	return typeof value === "string" ? value : "";
}
function flag(from, field) {
	return own(from, field) === true;
}
function number(from, field) {
	const value = own(from, field);
	return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
function object(from, field) {
	const value = own(from, field);
	return isObject(value) ? value : {};
}
function list(from, field) {
	const value = own(from, field);
	return Array.isArray(value) ? value : [];
}
function runsOwnCommand({ tool, toolInput: input }) {
	if (tool !== "Skill" && tool !== "SlashCommand") return false;
	return Object.values(input).some((value) => typeof value === "string" && /^\s*\/?trai:/i.test(value));
}
function textOrEmpty(file) {
	return orNull(() => readText$2(file)) ?? "";
}
function readOff(sessionDir) {
	const text = orNull(() => readText$2(path.join(sessionDir, "off")));
	return text === null ? null : text.split("\n")[0] || "no reason was given";
}
function programsBeside(lib) {
	const plugin = path.dirname(lib);
	const programs = [path.join(plugin, "bin/trai")];
	if (plugin.endsWith("/dist/plugin")) programs.push(path.join(plugin, "../../bin/trai"));
	return programs;
}
function readPrograms(sessionDir) {
	return textOrEmpty(path.join(sessionDir, "programs")).split("\n").filter((line) => line !== "");
}
function rememberPrograms(sessionDir, programs) {
	const known = readPrograms(sessionDir);
	const fresh = programs.filter((program) => !known.includes(program) && !program.includes("\n"));
	if (fresh.length > 0) appendFileSync(path.join(sessionDir, "programs"), `${fresh.join("\n")}\n`, { mode: 384 });
}
function expirePassthroughs(sessionDir) {
	const dir = path.join(sessionDir, "grants");
	const seenFile = path.join(sessionDir, "seen-passthrough");
	const seen = textOrEmpty(seenFile).split("\n");
	const open = (orNull(() => readdirSync(dir)) ?? []).filter((name) => name.startsWith("passthrough."));
	for (const name of open) if (seen.includes(name)) rmSync(path.join(dir, name), { force: true });
	const left = open.filter((name) => !seen.includes(name));
	if (left.length === 0) rmSync(seenFile, { force: true });
	else writeFileSync(seenFile, left.join("\n"), { mode: 384 });
}
var NEWEST_BYTES = 1048576;
function eventsNaming(sessionDir, id) {
	return [...jsonLines((orNull(() => readTail(logPath(sessionDir), NEWEST_BYTES))?.toString("utf8") ?? "").split("\n").filter((line) => line.includes(id)).join("\n"))].filter((event) => text(event, "call") === id || text(event, "request") === id).map((event) => text(event, "t"));
}
var BATCH_BYTES = 262144;
function requestsWithoutOutcome(sessionDir) {
	const lines = (orNull(() => readTail(logPath(sessionDir), BATCH_BYTES))?.toString("utf8") ?? "").split("\n").filter((line) => line.includes("\"t\":\"permission"));
	const found = /* @__PURE__ */ new Set();
	for (const event of jsonLines(lines.join("\n"))) if (text(event, "t") === "permission") found.add(text(event, "request"));
	else found.delete(text(event, "request"));
	return found;
}
var HEALTHY_MS = 36e5;
async function whyUnable(stateDir, env) {
	const file = path.join(stateDir, "doctor.json");
	const key = `${VERSION} ${process.version} ${textOrEmpty("/proc/sys/kernel/random/boot_id").trim()}`;
	if (isFresh(file, key)) return null;
	const checks = await runDoctor({
		stateDir,
		env
	});
	if (!isHealthy(checks)) return checks.filter((check) => !check.ok && check.level === "error").map(({ found, remedy }) => `${found}.${remedy === "" ? "" : ` ${remedy}`}`).join(" ");
	writeWhole(file, JSON.stringify({
		key,
		at: (/* @__PURE__ */ new Date()).toISOString()
	}));
	return null;
}
function isFresh(file, key) {
	const kept = orNull(() => readPlainJson(file));
	return isObject(kept) && text(kept, "key") === key && Date.now() - Date.parse(text(kept, "at")) < HEALTHY_MS;
}
function failureText(thrown, stateDir) {
	const why = messageOf(thrown);
	return isNoSpace(thrown) ? message("no-space", {
		dir: stateDir,
		why
	}) : why;
}
var bootId = () => digest(readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
var sinceBoot = () => Math.round(uptime() * 1e3);
async function openGrant(sessionDir, { kind, what = "" }) {
	const dir = grantsDir(sessionDir);
	const random = randomBytes(6).toString("hex");
	const name = [
		kind,
		digest(what),
		bootId(),
		sinceBoot(),
		random
	].join(".");
	try {
		await mkdir(dir, { mode: 448 }).catch((error) => {
			if (errorCode(error) !== "EEXIST") throw error;
		});
		await writeFile(join(dir, `.${random}`), what, {
			flag: "wx",
			mode: 384
		});
		await rename(join(dir, `.${random}`), join(dir, name));
	} catch (error) {
		throw errorCode(error) === "ENOENT" ? noSuchSession(sessionDir, error) : permitNotWritten(dir, error);
	}
}
async function takeGrant(sessionDir, kind, what = "") {
	for (const grant of await grantsOf(sessionDir, kind)) {
		if (grant.what !== digest(what)) continue;
		const valid = isValid(grant);
		if (await remove(sessionDir, grant) && valid) return true;
	}
	return false;
}
async function hasGrant(sessionDir, kind, what = "") {
	return (await grantsOf(sessionDir, kind)).some((grant) => grant.what === digest(what) && isValid(grant));
}
async function permitText(sessionDir, command) {
	const open = (await grantsOf(sessionDir, "permit")).filter(isValid);
	for (const grant of open.reverse()) {
		const text = await readFile(join(grantsDir(sessionDir), grant.file), "utf8").catch(() => "");
		if (digest(text) === grant.what && (text === command || text.startsWith(`${command} `))) return text;
	}
	return null;
}
var FILE = /^(permit|passthrough)\.([0-9a-f]{32})\.([0-9a-f]{32})\.(\d{1,15})\.[0-9a-f]{12}$/;
async function grantsOf(sessionDir, wanted) {
	const dir = grantsDir(sessionDir);
	let files;
	try {
		files = readdirSync(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw permitsUnreadable(dir, error);
	}
	const grants = [];
	for (const file of files) {
		const [, kind, what = "", boot = "", openedAt = ""] = FILE.exec(file) ?? [];
		if (kind === wanted) grants.push({
			file,
			what,
			boot,
			openedAt: Number(openedAt)
		});
	}
	return grants.sort((a, b) => a.openedAt - b.openedAt);
}
function isValid({ boot, openedAt }) {
	const age = sinceBoot() - openedAt;
	return boot === bootId() && age >= 0 && age <= 3e5;
}
async function remove(sessionDir, { file }) {
	const path = join(grantsDir(sessionDir), file);
	try {
		await unlink(path);
		return true;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return false;
		throw permitNotUsedUp(path, error);
	}
}
function digest(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
function grantsDir(sessionDir) {
	return join(sessionDir, "grants");
}
var WRITERS = /* @__PURE__ */ new Set([
	"Edit",
	"MultiEdit",
	"Write",
	"NotebookEdit"
]);
var SEARCHERS = /* @__PURE__ */ new Set([
	"Grep",
	"Glob",
	"LS"
]);
function absolutePath$1(given, cwd) {
	return path.resolve(cwd || "/", expandHome(given));
}
function fileOf$4(call) {
	const given = text(call.toolInput, "file_path") || text(call.toolInput, "notebook_path");
	return given === "" ? null : absolutePath$1(given, call.cwd);
}
function isFileTool(tool) {
	return tool === "Read" || WRITERS.has(tool) || SEARCHERS.has(tool);
}
function isFileWriter(tool) {
	return WRITERS.has(tool);
}
function searchedBy(call) {
	if (!SEARCHERS.has(call.tool)) return null;
	const given = text(call.toolInput, "path");
	if (given !== "") return absolutePath$1(given, call.cwd);
	return absolutePath$1(call.tool === "Glob" ? beforeGlob(text(call.toolInput, "pattern")) : "", call.cwd);
}
function beforeGlob(pattern) {
	const special = pattern.search(/[*?[{]/);
	return special < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", special) + 1);
}
function followed(given) {
	for (let at = given; at !== "/"; at = parentOf$1(at)) {
		const real = orNull(() => realPath(at));
		if (real !== null) return at === given ? real : joinPath(real, given.slice(at.length + 1));
	}
	return given;
}
function expandHome(given) {
	return given === "~" || given.startsWith("~/") ? homeDir(process.env) + given.slice(1) : given;
}
var MAX_NAMES$2 = 5e3;
function reachedOwn({ paths, trees }, own) {
	const dirs = own.map((dir) => ({
		dir,
		names: [.../* @__PURE__ */ new Set([fromText(dir), followed(fromText(dir))])]
	}));
	const deep = new Set(trees);
	const all = dirs.flatMap(({ names }) => names);
	for (const pattern of /* @__PURE__ */ new Set([...paths, ...trees])) {
		const places = expanded$1(pattern, all);
		for (const { dir, names } of dirs) {
			if (places === null) return dir;
			const reaches = (place) => names.some((name) => isWithin(place, name) || deep.has(pattern) && isWithin(name, place));
			if (places.map((place) => fromText(path.resolve(place))).some((place) => reaches(place) || reaches(followed(place)))) return dir;
		}
	}
	return null;
}
function expanded$1(pattern, own) {
	let found = ["/"];
	const parts = pattern.split("/").filter((name) => name !== "");
	for (const [i, part] of parts.entries()) {
		const fits = /[*?[]/.test(part) ? part : null;
		const last = i === parts.length - 1;
		found = found.flatMap((dir) => fits === null ? [`${dir}/${part}`] : matching(dir, fits, last, own));
		if (found.length > MAX_NAMES$2) return null;
	}
	return found;
}
function matching(dir, fits, last, own) {
	try {
		const real = Buffer.from(toBytes(followed(fromText(dir)))).toString();
		return readdirSync(dir, { withFileTypes: true }).filter((entry) => globMatches(fits, entry.name) && (entry.isDirectory() || entry.isSymbolicLink())).map((entry) => ({
			link: entry.isSymbolicLink(),
			place: path.join(real, entry.name)
		})).filter(({ link, place }) => link || !last || own.some((name) => isWithin(name, fromText(place)))).map(({ place }) => place);
	} catch {
		return [];
	}
}
async function decideCall(session, question) {
	const { command, cwd, config, at } = question;
	if (session.meta.off !== null) return {
		...decision("host", "session-off"),
		open: {
			paths: [],
			trees: []
		},
		pending: "unasked"
	};
	const facts = {
		cwd,
		home: homeDir(process.env),
		pending: false,
		ownPrograms: session.ownPrograms(),
		ownPermit: false,
		oneShot: await hasGrant(session.dir, "passthrough"),
		config
	};
	let decided = decide$1(command, facts);
	if (decided.reason === "own-program-by-model" && at === "claim") decided = decide$1(command, {
		...facts,
		ownPermit: await permitted(session, command, facts)
	});
	const own = decided.mode === "host" && decided.open !== null ? reachedOwn(decided.open, ownDirectories$1(session.world.stateDir, session.world.env)) : null;
	if (own !== null) {
		const text = ownDirectoryText$1(decided.program === "" ? "this command" : decided.program, own);
		return {
			...decision("refuse", "own-directories", decided.program, text),
			pending: "unasked"
		};
	}
	const pending = [
		"read-only",
		"passthrough",
		"runs-programs"
	].includes(decided.reason) ? await session.pending() ? "yes" : "no" : "unasked";
	if (pending === "yes") {
		decided = decide$1(command, {
			...facts,
			pending: true
		});
		if (decided.uses.length > 0) decided = await besidePending(session, config, decided);
	}
	if (at === "request" && decided.mode === "host" && !decided.usedOneShot) decided = await besideLosses(config, decided);
	if (decided.usedOneShot && at === "claim" && !await takeGrant(session.dir, "passthrough")) return await decideCall(session, question);
	if (decided.mode === "sandbox" && decided.text === "") decided = {
		...decided,
		text: linkedFile(decided.paths, session.meta.projectRoot, config)
	};
	return {
		...decided,
		pending
	};
}
var MAX_FILES = 50;
function linkedFile(paths, projectRoot, config) {
	const inScratch = (path) => config.scratch.some((dir) => isWithin(path, dir)) && !isWithin(fromText(path), projectRoot);
	const linked = paths.filter(inScratch).slice(0, MAX_FILES).find((path) => {
		const found = orNull(() => lstatSync(path));
		return found?.isFile() === true && found.nlink > 1;
	});
	return linked === void 0 ? "" : linkText(linked);
}
async function besidePending(session, config, decided) {
	const said = await session.ask("missing", decided.uses);
	if (said === "") return decided;
	const mode = config.hostWithPending;
	if (mode === "refuse") {
		const text = message("pending-refused", { said });
		return {
			...decided,
			mode: "refuse",
			reason: "host-with-pending",
			text,
			ask: ""
		};
	}
	if (mode === "warn") return {
		...decided,
		text: decided.ask === "" ? said : decided.text
	};
	const asked = decided.ask === "" ? said : `${decided.ask} ${said}`;
	return {
		...decided,
		text: said,
		ask: message("pending-asked", { said: asked })
	};
}
async function besideLosses(config, decided) {
	const found = await lookAhead(decided.uses);
	if (found === null) return decided;
	const said = message("not-kept", { ...found });
	if (config.hostWithPending === "warn") return {
		...decided,
		text: `${decided.text} ${said}`.trim()
	};
	return {
		...decided,
		ask: message("loss-asked", { said: `${decided.ask} ${said}`.trim() })
	};
}
async function permitted({ dir }, command, facts) {
	const what = ownArguments(command, facts.ownPrograms);
	if (what === null) return false;
	const name = /^([a-z]+) --from-prompt$/.exec(what)?.[1];
	return name === void 0 ? await hasGrant(dir, "permit", what) : await permitText(dir, name) !== null;
}
function ownArguments(command, programs) {
	for (const program of programs) for (const word of [
		program,
		`"${program}"`,
		`'${program}'`
	]) {
		if (command === word) return "";
		if (command.startsWith(`${word} `)) return foldBlanks(command.slice(word.length));
	}
	return null;
}
function foldBlanks(text) {
	return text.trim().replace(/\s+/g, " ");
}
function rememberUnable({ dir }, why) {
	if (why === null) rmSync(`${dir}/unable`, { force: true });
	else writeFileSync(`${dir}/unable`, `${why}\n`, { mode: 384 });
}
var WITHOUT_SANDBOX = /* @__PURE__ */ new Set([
	"own-program",
	"config-off",
	"session-off"
]);
async function unlessUnable(session, decision) {
	if (decision.mode === "refuse" || decision.usedOneShot || WITHOUT_SANDBOX.has(decision.reason)) return decision;
	if (!existsSync(`${session.dir}/unable`)) return decision;
	const why = await whyUnable(session.world.stateDir, session.world.env);
	if (why === null) {
		rememberUnable(session, null);
		return decision;
	}
	const text = message("unable", { why });
	return {
		...decision,
		mode: "refuse",
		reason: "unavailable",
		text,
		ask: "",
		uses: []
	};
}
function readClaim(body) {
	const [session, pid, cwd, from, string, carried, ...rest] = body.toString("utf8").split("\0");
	if (session === void 0 || pid === void 0 || cwd === void 0 || string === void 0) return null;
	const [, again, origin] = /^(again:)?(.*)$/.exec(from ?? "") ?? [];
	if (carried === void 0 || rest.length > 0 || !/^[1-9]\d{0,9}$/.test(pid) || !cwd.startsWith("/")) return null;
	if (origin !== "claude" && origin !== "exec" && origin !== "explore" && origin !== "client") return null;
	return {
		session,
		pid: Number(pid),
		cwd,
		origin,
		again: again !== void 0,
		string,
		carried
	};
}
function newCallId() {
	return `${Date.now().toString(36)}-${randomBytes(5).toString("hex")}`;
}
async function answerClaim(world, body, report, inside = null) {
	const call = newCallId();
	try {
		const claim = readClaim(body);
		if (claim === null) throw new Error("the launcher sent a claim of unknown form");
		const session = await world.session(claim.session);
		if (session === null) throw new Error(`there is no session ${claim.session}`);
		if (inside !== null) return await answerInside$1(session, inside, claim, call);
		if (claim.origin === "claude" && isClientRunning(session.dir)) throw new Error(message("inside-elsewhere", { session: session.id }));
		if (claim.origin !== "client" && isClientRunning(session.dir) && writesDirectly(session.dir)) throw new Error(message("box-direct", { session: session.id }));
		return await (claim.again ? answerAgain : answer)(session, claim, call);
	} catch (error) {
		report(error);
		return `refuse ${call}\n${message("not-run", { why: failureText(error, world.stateDir) })}\nSee: trai doctor\n`;
	}
}
async function answerInside$1(session, inside, claim, call) {
	if (claim.origin !== "claude" || claim.again || session.id !== inside.session) throw new Error(`this credential is for calls of session ${inside.session}`);
	const { origin, cwd, string, carried } = claim;
	const command = commandOf$2(string, carried) ?? "";
	const found = attribute(session, claim, command, {
		call,
		mode: "sandbox"
	});
	const { matched } = found;
	const request = found.open?.request ?? "";
	session.world.server?.questions.began(request);
	await session.log({
		t: "call.decided",
		call,
		request,
		matched,
		origin,
		command,
		cwd,
		mode: "sandbox",
		reason: "inside",
		text: ""
	});
	return `inside${isBoxed(session.dir) ? `:${inside.outside(claim.pid) ?? 0}` : ""} ${call} ${insideAt(session.world.stateDir)}/host\n`;
}
async function answer(session, claim, call) {
	const isClaude = claim.origin === "claude";
	const { config, file } = session.world.config();
	const { command, decision: wanted } = await decideClaim(session, claim, config);
	const decision = await unlessUnable(session, wanted);
	const asker = decision.mode === "host" ? askerOf(session, claim, command) : USER;
	const mayBeLost = asker.asked || decision.usedOneShot || config.hostWithPending === "warn";
	const kept = await whenKept(session, call, whenAsked(decision, asker), {
		...asker,
		mayBeLost,
		config
	});
	const { note } = kept;
	const { outcome, dir, live } = await withDirectory(session, claim, kept.outcome, config);
	if (decision.usedOneShot) await session.log({
		t: "grant",
		kind: "passthrough",
		what: "next call",
		state: "used"
	});
	const { mode, reason, text } = outcome;
	const found = isClaude ? attribute(session, claim, command, {
		call,
		mode
	}) : NO_REQUEST;
	session.world.server?.questions.began(found.open?.request ?? "");
	await session.log({
		t: "call.decided",
		call,
		request: found.open?.request ?? "",
		matched: found.matched,
		origin: claim.origin,
		command,
		cwd: claim.cwd,
		mode,
		reason,
		text
	});
	if (isClaude) {
		const { program, pending } = decision;
		await session.log({
			t: "call.grounds",
			call,
			program,
			pending,
			config: file ?? ""
		});
	}
	if (mode === "host") await rememberHostCall(session, call, outcome, decision.pending === "yes");
	if (found.open === null && isClaude) session.requests.loose.save({
		call,
		command,
		at: (/* @__PURE__ */ new Date()).toISOString()
	});
	if (mode === "refuse") return `refuse ${call}\n${text}\n`;
	if (mode === "sandbox") return `${live ? "join" : mode} ${call} ${dir}\n`;
	return `host ${call} ${dir}\n${note === "" ? "" : `${note}\n`}`;
}
async function answerAgain(session, claim, call) {
	const { config } = session.world.config();
	const { outcome, dir, live } = await withDirectory(session, claim, decision("sandbox", "default"), config);
	if (outcome.mode === "refuse") return `refuse ${call}\n${outcome.text}\n`;
	return `${live ? "join" : "sandbox"} ${call} ${dir}\n`;
}
async function withDirectory(session, claim, outcome, config) {
	const nowhere = {
		dir: "",
		live: false
	};
	if (outcome.mode === "refuse") return {
		outcome,
		...nowhere
	};
	try {
		if (outcome.mode === "host") return {
			outcome,
			dir: outcome.open === null ? session.hostMask(claim.pid) : "-",
			live: false
		};
		const { live } = await session.settled();
		return {
			outcome,
			dir: await session.plan(claim.pid, config, claim.origin === "client"),
			live
		};
	} catch (error) {
		const why = failureText(error, session.world.stateDir);
		const hint = error instanceof TraiError && error.hint !== void 0 ? `\n${error.hint}` : "";
		const text = message("not-run", { why }) + hint;
		return {
			outcome: {
				...outcome,
				mode: "refuse",
				reason: "unavailable",
				text
			},
			...nowhere
		};
	}
}
var USER = {
	who: "user",
	asked: false,
	sandboxed: false,
	sameText: false
};
function askerOf({ requests }, claim, command) {
	const { request, matched } = matchRequest(requests.list().filter((request) => request.call === ""), command, claim.cwd);
	const sameText = matched === "exact" || matched === "normalised";
	const { asked = false, sandboxed = false } = request ?? {};
	return {
		who: sameText ? "model" : "user",
		asked,
		sandboxed,
		sameText
	};
}
function whenAsked(decision$1, { who, asked, sandboxed, sameText }) {
	if (decision$1.mode === "host" && sandboxed) {
		const text = message("unasked-host");
		return {
			outcome: {
				...decision$1,
				mode: "refuse",
				reason: "unasked",
				text
			},
			note: ""
		};
	}
	if (decision$1.mode !== "host" || decision$1.ask === "") return {
		outcome: decision$1,
		note: ""
	};
	const runsPrograms = decision$1.reason === "runs-programs";
	if (asked && (sameText || !runsPrograms)) return {
		outcome: decision$1,
		note: ""
	};
	if (runsPrograms) return {
		outcome: decision("sandbox", "default"),
		note: ""
	};
	if (who === "user") return {
		outcome: decision$1,
		note: decision$1.text
	};
	const text = message("unasked", { said: decision$1.text });
	return {
		outcome: {
			...decision$1,
			mode: "refuse",
			reason: "unasked",
			text
		},
		note: ""
	};
}
async function whenKept(session, call, { outcome, note }, { who, mayBeLost, config }) {
	const lost = outcome.mode === "host" ? await keep(session, call, outcome.uses, config) : "";
	if (lost === "" || mayBeLost) return {
		outcome,
		note
	};
	if (who === "user") return {
		outcome,
		note: note === "" ? lost : `${note}\ntrai: ${lost}`
	};
	const text = message("loss-refused", { lost });
	return {
		outcome: {
			...outcome,
			mode: "refuse",
			reason: "unasked",
			text
		},
		note
	};
}
async function keep(session, call, uses, { undo }) {
	if (!uses.some(({ losses }) => losses.length > 0)) return "";
	const saved = `${session.dir}/saved`;
	expireSaved(saved, undo.keepDays, Date.now());
	const kept = await keepLosses(uses, saved, call);
	for (const { failed, ...rest } of kept) await session.log({
		t: "call.saved",
		call,
		...rest,
		text: failed
	});
	return kept.flatMap(({ what, failed: why }) => why === "" ? [] : [message("not-kept", {
		what,
		why
	})]).join(" ");
}
async function decideClaim(session, { origin, string, carried, cwd }, config) {
	if (origin !== "claude") return {
		command: string,
		decision: {
			...decision("sandbox", "default"),
			pending: "unasked"
		}
	};
	const command = commandOf$2(string, carried);
	if (command === null) return {
		command: "",
		decision: {
			...decision("sandbox", "not-understood"),
			pending: "unasked"
		}
	};
	return {
		command,
		decision: await decideCall(session, {
			command,
			cwd,
			config,
			at: "claim"
		})
	};
}
var NO_REQUEST = {
	open: null,
	matched: "none"
};
function attribute({ requests }, claim, command, taker) {
	let open = requests.list().filter((request) => request.call === "");
	for (;;) {
		const { request, matched } = matchRequest(open, command, claim.cwd);
		if (request === null) return NO_REQUEST;
		if (requests.take({
			...request,
			...taker
		})) return {
			open: request,
			matched
		};
		open = open.filter((one) => one !== request);
	}
}
async function rememberHostCall(session, call, { uses }, pending) {
	const working = uses.filter((use) => use.scope !== "git-dir");
	if (working.length === 0) return;
	const conflicts = pending ? await session.ask("conflicts", null) : [];
	session.requests.host.save({
		call,
		what: [...new Set(working.map(({ what }) => what))].join(" and "),
		dirs: [...new Set(working.flatMap(({ dirs }) => dirs ?? []))],
		conflicts: conflicts.map(({ path }) => path)
	});
}
function freeSpace(dir) {
	const { bavail, blocks, bsize } = statfsSync(nearest(dir));
	return {
		free: bavail * bsize,
		size: blocks * bsize
	};
}
function lowSpace(stateDir, warnFreeBytes) {
	const { free } = freeSpace(stateDir);
	return free < warnFreeBytes ? {
		free,
		warnFreeBytes
	} : null;
}
function nearest(dir) {
	let at = dir;
	while (at !== "/" && !existsSync(at)) at = dirname(at);
	return at;
}
function isShell(tool) {
	return tool === "Bash" || tool === "Monitor";
}
function callKey({ id, request }) {
	return request === "" ? id : `request ${request}`;
}
function ranUnnoticed(facts) {
	const { decision, outcome } = facts;
	const launched = facts.start ?? facts.end ?? facts.failed;
	if (outcome === void 0 || launched !== void 0 || decision?.mode === "refuse") return false;
	if (outcome.unsandboxed) return true;
	return decision?.mode === "sandbox" && !outcome.interrupted && !saysNothingRan$1(outcome);
}
function saysNothingRan$1({ ok, head }) {
	return !ok && head.startsWith("Exit code 125") && head.includes("Nothing of the command was run");
}
function stateOf$1(facts) {
	const { request, decision, start, outcome, closed } = facts;
	if (facts.failed !== void 0) return "not-entered";
	if (facts.end !== void 0) return "ended";
	if (start !== void 0) return closed?.why === "launcher-gone" ? "lost" : "running";
	if (ranUnnoticed(facts)) return "unsandboxed";
	if ((decision ?? request)?.mode === "refuse") return "refused";
	if (outcome?.interrupted === true && decision?.mode === "sandbox") return "not-run";
	if (outcome !== void 0) return saysNothingRan$1(outcome) ? "not-entered" : "ended";
	if (closed !== void 0) return closed.why === "launcher-gone" ? "lost" : "not-run";
	return "requested";
}
function viewOf(id, own, facts) {
	const { request, decision, start, end, failed, closed, outcome } = facts;
	const decided = decision ?? request;
	const state = stateOf$1(facts);
	const ms = end?.ms ?? (start === void 0 ? outcome?.ms : void 0);
	const isOpen = state === "running" || state === "requested";
	return {
		id,
		request: own,
		command: decided?.command ?? "",
		cwd: decided?.cwd ?? "",
		origin: originOf(facts),
		agent: request?.agent ?? "",
		mode: (start ?? decided)?.mode ?? null,
		reason: decided?.reason ?? null,
		text: decision?.text || request?.text || facts.denied?.error || "",
		state,
		requestedAt: request?.at ?? decision?.at ?? null,
		startedAt: start?.at ?? null,
		endedAt: isOpen ? null : (end ?? failed ?? outcome ?? closed)?.at ?? null,
		rc: end?.rc ?? null,
		ms: ms === void 0 ? null : Math.max(0, Math.round(ms)),
		background: request?.background === true || (outcome?.background ?? "") !== "",
		interrupted: outcome?.interrupted ?? false,
		ok: outcome?.ok ?? null,
		head: outcome?.head ?? "",
		tail: outcome?.tail ?? "",
		cut: outcome?.cut ?? 0,
		left: facts.left ?? [],
		gone: facts.gone ?? [],
		saved: (facts.saved ?? []).map(({ v: _v, at: _at, t: _t, call: _call, ...saved }) => saved),
		twins: request?.twins ?? 0,
		permission: facts.permission === void 0 ? null : permissionView(facts.permission, facts.answered ?? null)
	};
}
function permissionView(event, answered = null) {
	const { at, request, agent, tool, subject, cut, decision, by, rule, hash, also, segment, why, ms } = event;
	return {
		at,
		request,
		agent,
		tool,
		subject,
		cut,
		decision,
		by,
		rule,
		hash,
		also,
		segment,
		why,
		ms,
		answered
	};
}
function originOf({ request, decision, outcome }) {
	if (request !== void 0) return request.tool;
	if (decision === void 0) return outcome === void 0 ? "" : "Bash";
	if (decision.origin !== "claude") return decision.origin;
	return decision.request === "" ? "!" : "Bash";
}
function spanOf(call, { decision, start, end, failed, closed, left, gone, goneAt }) {
	if (start?.mode !== "sandbox" || failed !== void 0) return null;
	const from = Date.parse(start.at);
	const ends = [end, closed].flatMap((event) => event === void 0 ? [] : [Date.parse(event.at)]);
	const ended = ends.length === 0 ? null : Math.max(from, ...ends);
	const leaves = (left?.length ?? 0) > (gone?.length ?? 0);
	const to = ended === null || leaves ? null : Math.max(ended, goneAt === void 0 ? ended : Date.parse(goneAt));
	const around = decision?.origin === "client" ? { around: true } : {};
	return {
		call,
		pid: start.pid,
		from,
		ended,
		to,
		...around
	};
}
var CLEAR = "clear() { set -- */w/work/incompat; [ ! -e \"$1\" ] || rm -rf \"$@\"; }; clear";
function enter({ root }, ...more) {
	return root ? more : [
		"--user",
		"--map-root-user",
		...more
	];
}
function clearMarks({ sessionDir }) {
	const overlay = fromText(`${sessionDir}/overlay`);
	for (const name of namesOrNone(joinPath(overlay, "."))) orNull(() => clearMark(joinPath(joinPath(overlay, name), "w/work")));
}
function clearMark(work) {
	const entry = nodePort.lstat(work);
	if (entry?.type !== "dir" || entry.nlink === NO_SUBDIRECTORY) return;
	nodePort.chmod(work, 448);
	try {
		for (const name of ["incompat", "incompat/volatile"]) nodePort.chmod(joinPath(work, name), 448);
		removePath(nodePort, work, fromText("incompat"));
	} finally {
		nodePort.chmod(work, 0);
	}
}
var NO_SUBDIRECTORY = 2;
var ROOM = "mount -t tmpfs -o size=64m,mode=700 trai-room parking";
var NO_LOWER = "parking/none";
async function isBusy(session) {
	const overlay = `${session.sessionDir}/overlay`;
	if (!existsSync(overlay)) return false;
	const numbers = readdirSync(overlay, { encoding: "latin1" }).filter((n) => /^[0-9]+$/.test(n) && lstatSync(`${overlay}/${n}/u`, { throwIfNoEntry: false }) !== void 0);
	const first = await ask(session, session.root ? rootProbes(overlay, numbers) : numbers.map((n) => ownProbe(n, `${n}/l`)));
	if (first.busy || first.open.length === 0) return first.busy;
	for (const probe of first.open.flatMap((open) => onceMore(session, overlay, open))) {
		const { busy, open, said } = await ask(session, [probe]);
		if (busy) return true;
		if (open.length > 0) throw upperNotMounted(`${overlay}/${probe.uppers[0] ?? ""}/u`, said);
	}
	return false;
}
function onceMore({ root }, overlay, probe) {
	const { name, uppers } = probe;
	if (root) return name === "guard" ? [probe] : uppers.map((n) => rootProbe("again", [n]));
	return uppers.filter((n) => existsSync(`${overlay}/${n}/w/work`)).map((n) => ownProbe(n, NO_LOWER));
}
var BUSY$1 = /already mounted|busy/;
var FREE = /stale file handle|failed to verify/i;
async function ask(session, probes) {
	const overlay = `${session.sessionDir}/overlay`;
	const script = `exec 2>&1; ${CLEAR}; ${`${ROOM} 2>/dev/null; mkdir -p ${[
		"parking/probe",
		NO_LOWER,
		...probes.flatMap(({ own }) => own)
	].join(" ")} && printf %s "$1" >parking/probe.fstab || exit`}; mount -c -a -T parking/probe.fstab; rc=\$?; echo; echo "mounted \$rc"; [ $rc = 0 ] || cat /proc/self/mountinfo; clear; echo done`;
	const fstab = probes.map(({ line }) => line).join("");
	const args = [
		...enter(session, "--mount"),
		"/bin/sh",
		"-c",
		script,
		"probe",
		fstab
	];
	const { stdout, stderr } = await run$1(programPath("unshare"), args, {
		cwd: overlay,
		env: plainEnv()
	});
	const text = stdout + stderr;
	const [, told = "", status, table = ""] = /^(.*?)\nmounted (0|32|64)\n(.*)done\n$/s.exec(text) ?? [];
	if (status === void 0) throw probeFailed(text.trim());
	const lines = told.split("\n").filter((line) => line.startsWith("mount: "));
	const mounted = new Set(parseMountinfo(table).map(({ source }) => source));
	const open = status === "0" ? [] : probes.filter(({ name }) => !mounted.has(sourceOf$1(name)));
	const free = probes.every(({ ownLower }) => ownLower) ? lines.filter((line) => FREE.test(line)).length : 0;
	const said = lines.join("; ") || "no word of mount(8)";
	return {
		busy: lines.some((line) => BUSY$1.test(line)),
		open: open.length <= free ? [] : open,
		said
	};
}
var sourceOf$1 = (name) => `trai-probe-${name}`;
function lineOf$1(name, dir, lower, user) {
	return `${sourceOf$1(name)} parking/probe overlay lowerdir=${lower},upperdir=${dir}/u,workdir=${dir}/w,${user}index=on,volatile 0 0\n`;
}
function ownProbe(n, lower) {
	return {
		name: n,
		line: lineOf$1(n, n, lower, "userxattr,"),
		ownLower: lower === NO_LOWER,
		uppers: [n],
		own: []
	};
}
function rootProbes(overlay, numbers) {
	if (!existsSync(`${overlay}/guard/u`)) return [];
	const probes = [{
		name: "guard",
		line: lineOf$1("guard", "guard", "guard/l", ""),
		ownLower: true,
		uppers: ["guard"],
		own: []
	}];
	for (let from = 0; from < numbers.length; from += AT_ONCE$1) probes.push(rootProbe(String(from), numbers.slice(from, from + AT_ONCE$1)));
	return probes;
}
function rootProbe(dir, uppers) {
	const name = `uppers-${dir}`;
	const lower = ["guard/l", ...uppers.map((n) => `${n}/u`)].join(":");
	const asks = `parking/asks-${dir}`;
	const own = [`${asks}/u`, `${asks}/w`];
	return {
		name,
		line: lineOf$1(name, asks, lower, ""),
		ownLower: true,
		uppers,
		own
	};
}
var AT_ONCE$1 = 30;
var RETRIES = 20;
var RETRY_MS = 15;
async function isQuiet(ctx) {
	const seen = ctx.root || isClientRunning(ctx.sessionDir);
	for (let i = 0; i < RETRIES; i++) {
		if (seen && (await liveProcesses(ctx.source)).length > 0) return false;
		if (!await isBusy(ctx)) return true;
		if (!seen && (await liveProcesses(ctx.source)).length > 0) return false;
		await setTimeout$1(RETRY_MS);
	}
	return false;
}
function* mountedSources() {
	const without = /* @__PURE__ */ new Set();
	const of = /* @__PURE__ */ new Map();
	const chrooted = [];
	for (const pid of processIds()) {
		const namespace = processLink(pid, "ns/mnt");
		if (namespace === null || without.has(namespace)) continue;
		const mounts = processText(pid, "mountinfo");
		if (mounts === null) continue;
		const sources = new Set([...mounts.matchAll(/ - overlay (trai:\S+) /g)].map(([, source = ""]) => source));
		if (sources.size > 0) {
			of.set(namespace, {
				pid,
				sources
			});
			yield {
				pid,
				sources
			};
		} else if (processLink(pid, "root") === "/") without.add(namespace);
		else chrooted.push({
			pid,
			namespace
		});
	}
	for (const { pid, namespace } of chrooted) {
		const other = of.get(namespace);
		const isThere = (one) => processLink(one, "ns/mnt") === namespace;
		if (other !== void 0 && isThere(pid) && isThere(other.pid)) yield {
			pid,
			sources: other.sources
		};
	}
}
async function liveProcesses(source) {
	const found = [];
	for (const { pid, sources } of mountedSources()) {
		const stat = sources.has(source) ? processStat(pid) : null;
		if (stat === null) continue;
		const command = commandLine(processArguments(pid) ?? [], stat.name);
		found.push({
			pid,
			start: stat.start,
			command,
			seconds: ageSeconds(stat.start)
		});
	}
	return found;
}
var holds = /* @__PURE__ */ new WeakMap();
async function withLock(session, work, waitSeconds = 10) {
	const run = async () => {
		const hold = {
			held: true,
			quiet: false
		};
		try {
			return await work(register(hold, {
				...session,
				quiet: false
			}));
		} finally {
			hold.held = false;
		}
	};
	return await withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
}
function lockedAs(locked, session) {
	if (session.sessionDir !== locked.sessionDir) throw new Error("expected the session whose lock is held");
	return register(holdOf(locked), {
		...session,
		quiet: false
	});
}
async function asQuiet(session) {
	const hold = holdOf(session);
	hold.quiet ||= await isQuiet(session);
	if (!hold.quiet) return null;
	return session.quiet ? session : register(hold, {
		...session,
		quiet: true
	});
}
function register(hold, locked) {
	holds.set(locked, hold);
	return locked;
}
function holdOf(locked) {
	const hold = holds.get(locked);
	if (hold?.held === true) return hold;
	throw new Error("the lock of this session is not held (any more)");
}
var SLICE_MS = 20;
var Pace = class {
	#last = performance.now();
	async breathe() {
		if (this.isDue) await this.rest();
	}
	get isDue() {
		return performance.now() - this.#last >= SLICE_MS;
	}
	async rest() {
		await setImmediate();
		this.#last = performance.now();
	}
};
async function inSlices(steps, take) {
	const pace = new Pace();
	for (const step of steps) if (step !== null) {
		if (take(step)) return true;
	} else if (pace.isDue) await pace.rest();
	return false;
}
async function collect(steps) {
	const all = [];
	await inSlices(steps, (step) => {
		all.push(step);
		return false;
	});
	return all;
}
async function resultOf$1(steps) {
	const pace = new Pace();
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (pace.isDue) await pace.rest();
	}
}
function resultAtOnce(steps) {
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
function formatBaseLine(path, record) {
	if (record === null) return `${JSON.stringify({
		v: 1,
		path,
		state: "gone"
	})}\n`;
	const { base, listed, born, shows } = record;
	const flags = {
		listed: listed || void 0,
		born,
		shows: shows || void 0
	};
	return `${JSON.stringify({
		v: 1,
		path,
		...base,
		...flags
	})}\n`;
}
function parseBaseLines(text) {
	const records = /* @__PURE__ */ new Map();
	let lines = 0;
	for (const value of jsonLines(text)) {
		const { v, path, state, listed, born, shows } = value;
		const base = parseBase(value);
		if (v !== 1 || !isPath(path) || base === null && state !== "gone") continue;
		lines++;
		if (base === null) {
			records.delete(path);
			continue;
		}
		const record = {
			path,
			base,
			listed: listed === true
		};
		if (isDigits(born)) record.born = born;
		if (shows === true) record.shows = true;
		records.set(path, record);
	}
	return {
		records,
		lines
	};
}
function makeBases(records) {
	const covering = [...records.values()].some(hadNothingElse);
	return { lookup(path) {
		const own = records.get(path);
		if (own !== void 0) return own.base;
		for (let dir = parentOf$1(path); covering && dir !== "/"; dir = parentOf$1(dir)) {
			const above = records.get(dir);
			if (above !== void 0 && hadNothingElse(above)) return { state: "absent" };
		}
		return { state: "none" };
	} };
}
function hadNothingElse({ base, listed }) {
	return listed || base.state === "absent" || base.state === "known" && base.host.type !== "dir";
}
function parseBase(value) {
	const { state, sha256, blob, index, xattrs } = value;
	if (state === "absent" || state === "unknown") return { state };
	const host = state === "known" ? parseHost(value["host"]) : null;
	if (host === null) return null;
	const base = {
		state: "known",
		host
	};
	if (typeof sha256 === "string") {
		base.sha256 = sha256;
		base.blob = blob === true;
	}
	if (typeof index === "string") base.index = index;
	if (typeof xattrs === "string") base.xattrs = xattrs;
	return base;
}
function parseHost(value) {
	if (!isObject(value)) return null;
	const { type, mode, uid, gid, size, nlink, dev, ino, mtimeNs, ctimeNs, target } = value;
	if (!isEntryType(type) || !isNumber(mode) || !isNumber(uid) || !isNumber(gid)) return null;
	if (!isNumber(size) || !isNumber(nlink) || !isDigits(dev) || !isDigits(ino)) return null;
	if (!isDigits(mtimeNs) || !isDigits(ctimeNs)) return null;
	const stat = {
		type,
		mode,
		uid,
		gid,
		size,
		nlink,
		dev,
		ino,
		mtimeNs,
		ctimeNs
	};
	if (typeof target === "string" && isByteString(target)) stat.target = target;
	return stat;
}
var isNumber = (value) => typeof value === "number";
var isEntryType = (value) => ENTRY_TYPES.some((type) => type === value);
function isPath(value) {
	return typeof value === "string" && value.startsWith("/") && isByteString(value);
}
function isDigits(value) {
	return typeof value === "string" && /^-?\d+$/.test(value);
}
function wasThere(base) {
	return base.state === "known" || base.state === "unknown";
}
function wasDirectory(base) {
	return base.state === "unknown" || base.state === "known" && base.host.type === "dir";
}
var otherMountNamespace = () => new TraiError("unsupported", "this client runs in another mount namespace (a container?) than trai’s server", { hint: "Set TRAI_STATE_HOME there to a directory that only it uses, and start the session again." });
var nothingToCover = () => new TraiError("unsupported", "expected at least one directory that can be covered, found none", { hint: "Run: trai doctor" });
var viewNotMounted = (why, cause) => new TraiError("unsupported", `the merged view could not be mounted: ${why}`, {
	hint: "`trai doctor` checks what the kernel allows and says what to do.",
	cause
});
var mountedBelow = (point, covered, cause) => new TraiError("unsupported", `${toDisplay(point)} was mounted below ${toDisplay(covered)} after calls had changed something there, and as long as it is, that can't be looked at`, {
	hint: `Unmount ${toDisplay(point)}; nothing of what is pending is lost.`,
	cause
});
var basesAreNoFile = (path) => new TraiError("corrupt", "expected base records, found something that is no file", {
	path,
	hint: "Move it away: then the host’s changes since are conflicts. Nothing was changed."
});
var dirUnreadable = (why) => `The host’s directory could not be read: ${why}`;
var DIR_CLOSED = "The host’s directory may not be searched (no x permission).";
var OTHER_FILE_SYSTEM = "Another file system is mounted here now: it is left alone.";
var CLOSED_IN_SANDBOX = "What is below it cannot be read: the sandbox took away the permission to look into it. A command in the sandbox can give it back (chmod u+rx).";
var PASS = ".base-pass";
var LOOKS = ".base-looks";
var DEAD_LINES_MAX = 2e3;
function readBaseFile(ctx) {
	const path = fileOf$3(ctx);
	const text = readPlainFile(path);
	if (text !== null) return {
		...parseBaseLines(text.toString("latin1")),
		lastPassNs: readPass(ctx)
	};
	if (lstatSync(path, { throwIfNoEntry: false }) !== void 0) throw basesAreNoFile(path);
	return {
		records: /* @__PURE__ */ new Map(),
		lines: 0,
		lastPassNs: 0n
	};
}
function appendBases(ctx, file, entries) {
	const path = fileOf$3(ctx);
	const added = [...entries];
	if (added.length === 0) return;
	const text = added.map(([at, record]) => formatBaseLine(at, record)).join("");
	appendFileSync(path, endsWithNewline(path) ? text : `\n${text}`, {
		encoding: "latin1",
		mode: 384
	});
	for (const [at, record] of added) if (record === null) file.records.delete(at);
	else file.records.set(at, record);
	file.lines += added.length;
	if (file.lines - file.records.size > DEAD_LINES_MAX + file.records.size) rewrite(ctx, file);
}
function dropBases(ctx, file, paths) {
	appendBases(ctx, file, paths.map((path) => [path, null]));
}
function notePass(ctx, beganMs) {
	const path = fileOf$3(ctx);
	if (!existsSync(path)) writeFileSync(path, "", { mode: 384 });
	tryWriteWhole(passOf(ctx), String(beganMs));
}
function confirmBases(ctx, beganMs) {
	if (existsSync(fileOf$3(ctx))) tryWriteWhole(passOf(ctx), String(beganMs));
}
function readPass(ctx) {
	const text = readPlainFile(passOf(ctx))?.toString("latin1") ?? "";
	return /^\d{1,15}$/.test(text) ? BigInt(text) * 1000000n : 0n;
}
function readLooks(ctx) {
	return [...(readPlainFile(looksOf(ctx))?.toString("latin1") ?? "").matchAll(/^(\d{1,15}) (\d{1,15})$/gm)].map(([, from, until]) => ({
		from: Number(from),
		until: Number(until)
	}));
}
function toNs(ms) {
	return BigInt(ms - 20) * 1000000n;
}
function storeBlob(ctx, sha256, content) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if (existsSync(`${dir}/${sha256}`)) return;
	try {
		writeWhole(`${dir}/${sha256}`, content);
	} catch (error) {
		if (errorCode(error) !== "ENOENT") throw error;
		mkdirSync(dir, {
			recursive: true,
			mode: 448
		});
		writeWhole(`${dir}/${sha256}`, content);
	}
}
var FEW_BLOBS = 64;
function blobsStored(ctx, asked) {
	const dir = `${ctx.sessionDir}/overlay/blobs`;
	if (asked <= FEW_BLOBS) return (sha256) => existsSync(`${dir}/${sha256}`);
	const names = new Set(namesOrNone(fromText(dir)));
	return (sha256) => names.has(sha256);
}
function rewrite(ctx, file) {
	const text = [...file.records].map(([at, record]) => formatBaseLine(at, record)).join("");
	writeWhole(fileOf$3(ctx), text);
	file.lines = file.records.size;
}
function endsWithNewline(path) {
	const last = readTail(path, 1);
	return last === null || last.length === 0 || last[0] === 10;
}
function fileOf$3(ctx) {
	return `${ctx.sessionDir}/overlay/base.jsonl`;
}
function looksOf(ctx) {
	return `${ctx.sessionDir}/overlay/${LOOKS}`;
}
function passOf(ctx) {
	return `${ctx.sessionDir}/overlay/${PASS}`;
}
var SNIFF_BYTES = 8192;
function isBinary(content) {
	return hasNul(content) || decodeText(content) === null;
}
function decodeText(content, head = false) {
	try {
		return new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(content, { stream: head });
	} catch {
		return null;
	}
}
function hasNul(content) {
	return content.subarray(0, SNIFF_BYTES).includes(0);
}
var CHUNK = 262144;
var READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
function openToRead(path) {
	return openSync(fsPath(path), READ_FLAGS);
}
function statOpen(fd) {
	return toStat(fstatSync(fd, { bigint: true }));
}
var remembered$1 = /* @__PURE__ */ new Map();
var REMEMBERED_MAX$1 = 1e3;
function* sameContent(pathA, a, pathB, b) {
	if (a.size !== b.size) return false;
	if (a.size === 0) return true;
	if (a.size <= CHUNK) return yield* compare(pathA, a, pathB, b);
	const key = `${a.dev}:${identityOf$1(a)}|${b.dev}:${identityOf$1(b)}`;
	const known = remembered$1.get(key);
	if (known !== void 0) return known;
	const isSettled = isPast(a.ctimeNs) && isPast(b.ctimeNs);
	const same = yield* compare(pathA, a, pathB, b);
	if (!isSettled) return same;
	if (remembered$1.size >= REMEMBERED_MAX$1) remembered$1.clear();
	remembered$1.set(key, same);
	return same;
}
var LOOKED_AT = [
	"type",
	"mode",
	"size",
	"dev",
	"ino",
	"birthNs",
	"nlink",
	"mtimeNs",
	"ctimeNs"
];
function* compare(pathA, a, pathB, b) {
	const open = [];
	try {
		const fdA = openToRead(pathA);
		open.push(fdA);
		const fdB = openToRead(pathB);
		open.push(fdB);
		if (!sameFields(statOpen(fdA), a, LOOKED_AT) || !sameFields(statOpen(fdB), b, LOOKED_AT)) return false;
		return yield* sameBytes(fdA, fdB, a.size);
	} finally {
		for (const fd of open) closeSync(fd);
	}
}
function* sameBytes(fdA, fdB, size) {
	const bytes = Math.min(CHUNK, size);
	const [bufferA, bufferB] = [Buffer.allocUnsafe(bytes), Buffer.allocUnsafe(bytes)];
	for (let at = 0; at < size;) {
		const a = readSync(fdA, bufferA, 0, bytes, at);
		const b = readSync(fdB, bufferB, 0, bytes, at);
		if (a === 0 || a !== b || !bufferA.subarray(0, a).equals(bufferB.subarray(0, b))) return false;
		at += a;
		if (at < size) yield null;
	}
	return true;
}
function withSame(path, identity, read) {
	let fd = null;
	try {
		fd = openToRead(path);
		const entry = statOpen(fd);
		if (entry.type !== "file" || identityOf$1(entry) !== identity) return null;
		const result = read(fd, entry);
		return result !== null && identityOf$1(statOpen(fd)) === identity ? result : null;
	} catch {
		return null;
	} finally {
		if (fd !== null) closeSync(fd);
	}
}
function readBytes(fd, size) {
	const bytes = Buffer.alloc(size);
	let at = 0;
	for (let got = 1; at < size && got > 0; at += got) got = readSync(fd, bytes, at, size - at, at);
	return at === size ? bytes : null;
}
function readSame(path, identity, maxBytes) {
	return withSame(path, identity, (fd, { size }) => size > maxBytes ? null : readBytes(fd, size));
}
function hashSame(path, identity) {
	return withSame(path, identity, (fd, { size }) => size > 67108864 ? null : hashOf$1(fd, size));
}
function hashOf$1(fd, size) {
	const hash = createHash("sha256");
	const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
	let rest = size;
	for (let got = 1; rest > 0 && got > 0; rest -= got) {
		got = readSync(fd, buffer, 0, Math.min(buffer.length, rest), null);
		hash.update(buffer.subarray(0, got));
	}
	return rest === 0 ? hash.digest("hex") : null;
}
var MAX_BYTES$1 = 134217728;
var CACHES = /* @__PURE__ */ new Set([
	"TREE",
	"UNTR",
	"FSMN",
	"EOIE",
	"IEOT"
]);
var STAT = 40;
var MODE_AT = 24;
var EXTENDED = 16384;
var FLAGS = 45056;
function indexDigest(path, identity) {
	if (nameOf$1(path) !== "index") return null;
	const bytes = readSame(path, identity, MAX_BYTES$1);
	return bytes === null ? null : digestOf(bytes);
}
function digestOf(bytes) {
	if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
	const version = bytes.readUInt32BE(4);
	if (version < 2 || version > 4) return null;
	for (const algorithm of ["sha1", "sha256"]) {
		const digest = digestWith(bytes, version, algorithm);
		if (digest !== null) return digest;
	}
	return null;
}
function digestWith(bytes, version, algorithm) {
	const idBytes = algorithm === "sha1" ? 20 : 32;
	const end = bytes.length - idBytes;
	const sum = bytes.subarray(end);
	if (end < 12 || !(sum.every((byte) => byte === 0) || sum.equals(hashOf(bytes.subarray(0, end), algorithm)))) return null;
	const hash = createHash("sha256").update(`${algorithm}\0${bytes.readUInt32BE(8)}\0`);
	try {
		const at = addEntries(hash, bytes.subarray(0, end), version, idBytes);
		return at !== null && addExtensions(hash, bytes.subarray(0, end), at) ? hash.digest("hex") : null;
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}
var hashOf = (bytes, algorithm) => createHash(algorithm).update(bytes).digest();
function addEntries(hash, bytes, version, idBytes) {
	let at = 12;
	let name = Buffer.alloc(0);
	for (let left = bytes.readUInt32BE(8); left > 0; left--) {
		const start = at;
		const id = bytes.subarray(start + STAT, start + STAT + idBytes);
		at = start + STAT + idBytes;
		const flags = bytes.readUInt16BE(at);
		at += 2;
		let more = 0;
		if ((flags & EXTENDED) !== 0) {
			more = bytes.readUInt16BE(at);
			at += 2;
		}
		let kept = Buffer.alloc(0);
		if (version === 4) {
			const strip = readVarint(bytes, at);
			at = strip.at;
			if (strip.value > name.length) return null;
			kept = name.subarray(0, name.length - strip.value);
		}
		const nul = bytes.indexOf(0, at);
		if (nul < 0) return null;
		name = Buffer.concat([kept, bytes.subarray(at, nul)]);
		at = version === 4 ? nul + 1 : start + (nul - start + 8 & -8);
		const mode = bytes.readUInt32BE(start + MODE_AT).toString(8);
		hash.update(`${mode} ${flags & FLAGS} ${more} ${id.toString("hex")} ${name.length}\0`).update(name);
	}
	return at;
}
function readVarint(bytes, from) {
	let at = from;
	let byte = bytes.readUInt8(at++);
	let value = byte & 127;
	while ((byte & 128) !== 0) {
		byte = bytes.readUInt8(at++);
		value = (value + 1) * 128 + (byte & 127);
	}
	return {
		value,
		at
	};
}
function addExtensions(hash, bytes, from) {
	let at = from;
	while (at < bytes.length) {
		const name = bytes.toString("latin1", at, at + 4);
		const size = bytes.readUInt32BE(at + 4);
		const content = bytes.subarray(at + 8, at + 8 + size);
		if (content.length < size) return false;
		if (!CACHES.has(name)) hash.update(`${name} ${size}\0`).update(content);
		at += 8 + size;
	}
	return at === bytes.length;
}
function knownBase(ctx, path, host, upper) {
	const seen = {
		state: "known",
		host: toHostStat(host, path)
	};
	if (host.type !== "file" || upper.type !== "file") return seen;
	const index = indexDigest(path, identityOf$1(host));
	const known = index === null ? seen : {
		...seen,
		index
	};
	const text = readSame(path, identityOf$1(host), BASE_BLOB_BYTES);
	if (text !== null && !isBinary(text)) {
		const sha256 = hash("sha256", text);
		storeBlob(ctx, sha256, text);
		return {
			...known,
			sha256,
			blob: true
		};
	}
	const sha256 = host.size === upper.size ? hashSame(path, identityOf$1(host)) : null;
	return sha256 === null ? known : {
		...known,
		sha256
	};
}
function copiedDirOf(ctx, path) {
	return ctx.coveredDirs.find((covered) => covered.copied !== void 0 && path !== covered.path && isWithin(path, covered.path) && lstatEntry(upperPath(covered, path)) !== null);
}
function copiedBase(ctx, covered, path, upper) {
	const seen = parentOf$1(path) === covered.path ? readCopies(covered)?.entries[nameOf$1(path)] : void 0;
	if (seen === void 0) return { state: "absent" };
	const host = lstatEntry(path);
	if (host !== null && upper !== null && isSame$2(seen, toHostStat(host, path))) return knownBase(ctx, path, host, upper);
	return {
		state: "known",
		host: seen
	};
}
function rootBase({ path, upper }) {
	const [host, made] = [lstatEntry(path), lstatEntry(upper)];
	if (host?.type !== "dir" || made === null) return null;
	if (host.mode !== made.mode || host.uid !== made.uid || host.gid !== made.gid) return null;
	return {
		state: "known",
		host: toHostStat(host, path)
	};
}
function recordRoots(ctx, made) {
	const entries = made.flatMap((covered) => {
		const { path } = covered;
		const base = rootBase(covered);
		return base === null ? [] : [[path, {
			path,
			base,
			listed: false
		}]];
	});
	if (entries.length > 0) appendBases(ctx, readBaseFile(ctx), entries);
}
async function rebase(ctx, paths, hiding = /* @__PURE__ */ new Set(), file = readBaseFile(ctx)) {
	const seen = /* @__PURE__ */ new Map();
	const entries = paths.map((path) => {
		const host = lstatEntry(path);
		seen.set(path, host);
		const base = host === null ? { state: "absent" } : knownBase(ctx, path, host, host);
		const covered = host?.type === "dir" ? coveringDir(ctx.coveredDirs, path) : null;
		const upper = covered === null ? null : lstatEntry(upperPath(covered, path));
		const born = upper?.type === "dir" ? { born: String(upper.birthNs) } : {};
		return [path, {
			path,
			base,
			listed: host?.type === "dir" && hiding.has(path),
			...born
		}];
	});
	await noteXattrs(entries.map(([, record]) => record));
	appendBases(ctx, file, entries);
	return seen;
}
async function noteXattrs(records, known = /* @__PURE__ */ new Set()) {
	const asked = [];
	for (const { path, base } of records) if (base.state === "known" && base.host.type === "dir" && !known.has(base)) asked.push({
		path,
		base
	});
	const texts = await askXattrs(asked.map(({ path }) => path));
	asked.forEach(({ path, base }, i) => {
		const text = texts[i] ?? null;
		const now = text === null ? null : hostEntry(path);
		if (text === null || now === null || now === "closed") return;
		if (String(now.ino) === base.host.ino && String(now.ctimeNs) === base.host.ctimeNs) base.xattrs = xattrHash(text);
	});
	return /* @__PURE__ */ new Set([...known, ...asked.map(({ base }) => base)]);
}
function xattrHash(text) {
	return text === "" ? "none" : hash("sha256", text).slice(0, 16);
}
function* hostTree(dir, dev, look) {
	const stack = [dir];
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
		yield null;
		let names;
		try {
			names = readNames(at);
			if (holdsOutOfReach(at)) look.onProblem({
				path: at,
				message: OUT_OF_REACH
			});
		} catch (error) {
			look.onProblem({
				path: at,
				message: dirUnreadable(errorText(error))
			});
			continue;
		}
		for (const name of names) {
			const path = joinPath(at, name);
			if (look.skip(path)) continue;
			const entry = hostEntry(path);
			if (entry === null) continue;
			if (entry === "closed") {
				look.onProblem({
					path: at,
					message: DIR_CLOSED
				});
				break;
			}
			if (entry.type === "dir" && entry.dev !== dev) {
				look.onProblem({
					path,
					message: OTHER_FILE_SYSTEM
				});
				continue;
			}
			yield {
				path,
				entry
			};
			if (entry.type === "dir") stack.push(path);
		}
	}
}
var OPEN_LIMIT_MS = 1e4;
var SCRIPT$1 = `
options=$1 dirs=$2; shift 2
if [ "$1" = groups ]; then echo groups; read -r answer; shift; fi
mount -t tmpfs -o mode=0700,size=1m trai-view ../view || exit 1
mkdir -p ../view/e $dirs
while [ $# -gt 0 ]; do
  lower=$1/l
  if [ "$2" = copied ]; then lower=$1/c; mkdir -p $1/c; fi
  if [ "$2" = gone ]; then lower=../view/e; fi
  if [ "$2" = wrapped ]; then
    mount -t overlay -o "ro,$options,lowerdir=$1/l:../view/e" trai-view ../view/h/$1 || exit 1
    lower=../view/h/$1
  fi
  mount -t overlay -o "ro,$options,lowerdir=$1/u:$lower" trai-view ../view/v/$1 || exit 1
  shift 2
done
echo ready
read -r end
`;
async function openViewer(ctx) {
	const shown = shownBy(ctx);
	if (shown.length === 0) return {
		pathOf: (path) => path,
		close: async () => {}
	};
	const room = joinPath(parentOf$1(realPath(fromText(`${ctx.sessionDir}/overlay`))), "view");
	mkdirSync(fsPath(room), {
		recursive: true,
		mode: 448
	});
	const groups = ctx.root ? [] : mappedGroups();
	const child = startNamespace(ctx, shown, groups.length > 0);
	if (groups.length > 0) child.stdout?.once("data", () => {
		mapGroups(child.pid ?? 0, ctx.gid, groups).finally(() => child.stdin?.write("\n"));
	});
	await untilReady(child).catch((error) => {
		throw withMounts(error, shown);
	});
	const root = bytePath(`/proc/${child.pid}/root${room}/v`);
	return {
		pathOf(path) {
			const covered = coveringDir(shown, path);
			if (covered === null || covered !== coveringDir(ctx.coveredDirs, path)) return path;
			return upperPath({
				...covered,
				upper: joinPath(root, String(covered.n))
			}, path);
		},
		close: () => end(child)
	};
}
function shownBy({ coveredDirs }) {
	return coveredDirs.filter(({ upper }) => namesOrNone(upper).length > 0);
}
function withMounts(error, shown) {
	const mounts = ownMounts();
	for (const { path } of shown) {
		const below = mounts.find(({ point }) => point !== path && isWithin(point, path));
		if (below !== void 0) return mountedBelow(below.point, path, error);
	}
	return error;
}
function startNamespace(ctx, shown, groups) {
	const user = ctx.root ? [] : ["--user", groups ? "--map-user=0" : "--map-root-user"];
	const options = ctx.root ? ROOT_OPTIONS : "userxattr";
	const places = shown.flatMap((covered) => [String(covered.n), lowerKind(covered)]);
	const dirs = shown.map(({ n }) => `../view/v/${n} ../view/h/${n}`).join(" ");
	return spawn(programPath("unshare"), [
		...user,
		"--mount",
		"/bin/sh",
		"-c",
		SCRIPT$1,
		"sh",
		options,
		dirs,
		...groups ? ["groups"] : [],
		...places
	], {
		cwd: `${ctx.sessionDir}/overlay`,
		stdio: [
			"pipe",
			"pipe",
			"pipe"
		],
		detached: true,
		env: {
			...plainEnv(),
			LIBMOUNT_FORCE_MOUNT2: "always"
		}
	});
}
function lowerKind({ copied, upper, path }) {
	if (copied !== void 0) return "copied";
	if (lstat(path)?.type !== "dir") return "gone";
	return isWithin(realPath(upper), realPath(path)) ? "wrapped" : "direct";
}
function untilReady(child) {
	return new Promise((resolve, reject) => {
		let said = "";
		const fail = (why, cause) => {
			clearTimeout(timer);
			child.kill("SIGKILL");
			reject(viewNotMounted(why, cause));
		};
		const timer = setTimeout(() => fail(`no answer within ${OPEN_LIMIT_MS / 1e3} s`), OPEN_LIMIT_MS);
		child.on("error", (error) => fail(error.message, error));
		child.on("exit", (code, signal) => fail(said.trim() || `unshare ended with ${signal ?? `status ${code}`}`));
		child.stderr?.on("data", (chunk) => {
			if (said.length < 2e3) said += chunk.toString("utf8");
		});
		child.stdin?.on("error", () => {});
		child.stdout?.on("data", (chunk) => {
			if (!chunk.includes("ready")) return;
			clearTimeout(timer);
			child.removeAllListeners("exit");
			child.unref();
			resolve();
		});
	});
}
function end(child) {
	if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
	return new Promise((resolve) => {
		child.once("exit", () => resolve());
		child.ref();
		child.kill("SIGKILL");
	});
}
function hiddenNames(viewer, dir, names) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return [];
	const hidden = [];
	for (const name of names) {
		if (lstatEntry(joinPath(view, name)) !== null) return [];
		if (lstatEntry(joinPath(dir.upper, name)) === null && lstatEntry(joinPath(dir.host, name)) !== null) hidden.push(name);
	}
	return hidden;
}
function showsHost(viewer, dir) {
	const view = viewer.pathOf(dir.host);
	if (view === dir.host) return false;
	const own = lstatEntry(dir.upper);
	if (own !== null && own.nlink >= 2) return lstatEntry(view)?.nlink === 1;
	const present = new Set(readNames(dir.upper));
	return readNames(dir.host).some((name) => !present.has(name) && lstatEntry(joinPath(view, name)) !== null);
}
var remembered = /* @__PURE__ */ new Map();
var REMEMBERED_MAX = 1e3;
async function replacedAmong(ctx, covered, dirs) {
	let viewer = null;
	try {
		let way = "";
		for (const dir of dirs) {
			way += identity$1(dir.upper);
			const known = remembered.get(dir.upperPath);
			let madeAgain = known?.way === way ? known.madeAgain : null;
			if (madeAgain === null) {
				viewer ??= await openViewer({
					...ctx,
					coveredDirs: [covered]
				});
				madeAgain = isMadeAgain(viewer, dir);
				if (madeAgain !== null) remember$1(dir.upperPath, {
					way,
					madeAgain
				});
			}
			if (madeAgain === true) return dir.path;
		}
		return null;
	} finally {
		await viewer?.close();
	}
}
function remember$1(upperPath, answer) {
	if (remembered.size >= REMEMBERED_MAX) remembered.clear();
	remembered.set(upperPath, answer);
}
function isMadeAgain(viewer, { path, upperPath, upper }) {
	const shown = lstatEntry(viewer.pathOf(path));
	if (shown === null) return null;
	if (upper.nlink >= 2) return shown.nlink !== 1;
	const here = new Set(namesOrNone(upperPath));
	const missing = namesOrNone(path).filter((name) => !here.has(name));
	if (missing.length === 0) return null;
	return hiddenNames(viewer, {
		host: path,
		upper: upperPath
	}, missing).length > 0;
}
function identity$1({ dev, ino, birthNs, ctimeNs }) {
	return `${dev}:${ino}:${birthNs === 0n ? `c${ctimeNs}` : birthNs} `;
}
var UNSEEN$1 = {
	ctimeNs: 2n ** 63n,
	movedNs: 2n ** 63n
};
function aboveRoot(root) {
	const ctimeNs = root?.ctimeNs ?? 0n;
	return {
		ctimeNs,
		movedNs: root === null || root.mtimeNs === ctimeNs ? 0n : ctimeNs
	};
}
function below$1(above, dir) {
	return {
		ctimeNs: dir.ctimeNs,
		movedNs: later(putThere(dir, above), above.movedNs)
	};
}
function putThere(entry, above) {
	return earlier(entry.ctimeNs, above.ctimeNs);
}
var earlier = (a, b) => b < a ? b : a;
var later = (a, b) => b > a ? b : a;
function wasSeen(entry, bound, window, above) {
	return entry.ctimeNs < bound && putThere(entry, above) < window && above.movedNs < window;
}
var SeenWindow = class {
	#ctx;
	#since;
	#lastPass;
	#looks;
	#mounts;
	#isWholeLog = false;
	#blind;
	constructor(ctx, { lastPassNs }, { earliestCall }) {
		this.#ctx = ctx;
		this.#lastPass = lastPassNs;
		const births = ctx.coveredDirs.map(({ upper }) => lstatEntry(upper)?.birthNs ?? 0n);
		const since = lastPassNs === 0n ? births.reduce(earlier, births[0] ?? 0n) : lastPassNs;
		this.#since = later(toNs(earliestCall ?? 0), since);
		this.#looks = readLooks(ctx).map(({ from, until }) => ({
			from: toNs(from),
			until: BigInt(until) * 1000000n
		}));
		this.#mounts = mountsIn(orNull(() => readTail(logPath(ctx.sessionDir), TAIL_BYTES$1)));
		this.#blind = this.#mounts.length === 0 && lastPassNs === 0n && earliestCall === void 0;
	}
	of(upper) {
		const bound = isWhiteout(upper) && this.#since > upper.birthNs ? this.#since : upper.birthNs;
		return this.#blind ? bound : earlier(this.#before(bound) ?? this.#since, bound);
	}
	get latest() {
		return this.#before(BigInt(Date.now()) * 1000000n) ?? 0n;
	}
	#before(bound) {
		const looks = [...this.#mounts, ...this.#looks].filter(({ until }) => until <= bound);
		if (looks.length > 0) {
			const times = looks.map(({ from }) => from);
			const fresh = times.filter((from) => from > this.#lastPass);
			return fresh.length > 0 ? fresh.reduce(earlier) : times.reduce(later);
		}
		if (this.#isWholeLog) return null;
		this.#isWholeLog = true;
		this.#mounts = mountsIn(orNull(() => readPlainFile(logPath(this.#ctx.sessionDir))));
		return this.#before(bound);
	}
};
var TAIL_BYTES$1 = 262144;
function mountsIn(log) {
	const lines = (log?.toString("latin1") ?? "").split("\n");
	const callOf = (line) => /"call":"([^"]*)"/.exec(line)?.[1] ?? "";
	const joined = new Set(lines.filter((line) => line.includes("\"t\":\"call.joined\"")).map(callOf));
	return lines.filter((line) => line.includes("\"t\":\"call.started\"") && MOUNTED.test(line) && !joined.has(callOf(line))).map((line) => Date.parse(/"at":"([^"]+)"/.exec(line)?.[1] ?? "")).filter(Number.isFinite).map((at) => ({
		from: toNs(at),
		until: toNs(at)
	}));
}
var MOUNTED = /"mode":"sandbox"(?!,"overlay":"(?:joined|inside)")/;
var LOCAL = /* @__PURE__ */ new Set([...[
	61267,
	2435016766,
	1481003842,
	16914836,
	4076150800,
	801189825,
	3393526350
], ...[
	827541066,
	13364,
	2240043254,
	2035054128
]]);
function hasOurTimes(dir) {
	return LOCAL.has(orNull(() => fileSystemType(dir)) ?? NaN);
}
var FOREIGN_NS = BigInt(FOREIGN_CLOCK_MS) * 1000000n;
var HostClocks = class {
	#ctx;
	#foreign = null;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	lag(path) {
		const { coveredDirs } = this.#ctx;
		this.#foreign ??= new Set(coveredDirs.filter((dir) => !hasOurTimes(dir.path)).map(({ n }) => n));
		if (this.#foreign.size === 0) return 0n;
		const covered = coveringDir(coveredDirs, path);
		return covered !== null && this.#foreign.has(covered.n) ? FOREIGN_NS : 0n;
	}
};
async function readBases(ctx) {
	const bases = makeBases(readBaseFile(ctx).records);
	return { lookup(path) {
		const base = bases.lookup(path);
		const covered = base.state === "none" ? copiedDirOf(ctx, path) : void 0;
		return covered === void 0 ? base : copiedBase(ctx, covered, path, null);
	} };
}
async function recordBases(ctx, options = {}) {
	const began = Date.now() - 20;
	const file = readBaseFile(ctx);
	const viewer = new EarlyViewer(ctx);
	const pass = new Pass$1(ctx, file, options, () => viewer.begin());
	try {
		for (const covered of ctx.coveredDirs) await inSlices(pass.walk(covered.path, covered.upper), never);
		while (pass.asked.length > 0) await inSlices(pass.askForCopies(), never);
		const noted = noteXattrs(pass.taken.values());
		noted.catch(() => {});
		if (pass.touched.length > 0) await inSlices(pass.listReplaced(await viewer.opened()), never);
		await noteXattrs(pass.taken.values(), await noted);
	} finally {
		await viewer.close();
	}
	appendBases(ctx, file, [...pass.left().map((path) => [path, null]), ...pass.taken]);
	notePass(ctx, began);
	return { added: pass.taken.size };
}
var never = () => false;
var EarlyViewer = class {
	#ctx;
	#opening = null;
	#shown = 0;
	constructor(ctx) {
		this.#ctx = ctx;
	}
	begin() {
		if (this.#opening !== null) return;
		this.#shown = shownBy(this.#ctx).length;
		this.#opening = openViewer(this.#ctx);
		this.#opening.catch(() => {});
	}
	async opened() {
		if (this.#opening !== null && shownBy(this.#ctx).length !== this.#shown) {
			await this.close();
			this.#opening = null;
		}
		this.begin();
		return await this.#opening;
	}
	async close() {
		await (await this.#opening?.catch(() => null))?.close();
	}
};
var Pass$1 = class {
	taken = /* @__PURE__ */ new Map();
	touched = [];
	asked = [];
	seen = /* @__PURE__ */ new Set();
	hid = /* @__PURE__ */ new Set();
	closed = /* @__PURE__ */ new Set();
	ctx;
	file;
	window;
	clocks;
	before;
	onTouched;
	constructor(ctx, file, options, onTouched) {
		[this.ctx, this.file, this.onTouched] = [
			ctx,
			file,
			onTouched
		];
		this.window = new SeenWindow(ctx, file, options);
		this.clocks = new HostClocks(ctx);
		this.before = makeBases(file.records);
	}
	*walk(root, upperRoot) {
		this.seen.add(root);
		const upper = lstatEntry(upperRoot);
		if (upper !== null && isClosed$1(upper, this.ctx.root)) return void this.closed.add(root);
		const rootEntry = lstatEntry(root);
		const onHost = rootEntry?.type === "dir";
		yield* this.directories([{
			path: root,
			upperPath: upperRoot,
			onHost,
			above: aboveRoot(rootEntry)
		}]);
	}
	*askForCopies() {
		const asked = this.asked;
		this.asked = [];
		const answers = areCopies(asked.map(({ upperPath }) => upperPath));
		yield null;
		const stack = [];
		for (const { path, upperPath, upper, host, above } of asked.filter((_, i) => answers[i] === true)) {
			const listed = this.taken.get(path)?.listed === true;
			const base = host === null ? { state: "unknown" } : knownBase(this.ctx, path, host, upper);
			this.take({
				path,
				base,
				listed
			});
			if (host === null && upper.type === "dir" && !isClosed$1(upper, this.ctx.root)) stack.push({
				path,
				upperPath,
				onHost: false,
				above
			});
		}
		yield* this.directories(stack);
	}
	*directories(stack) {
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			for (const name of namesOrNone(at.upperPath)) {
				const path = joinPath(at.path, name);
				const upperPath = joinPath(at.upperPath, name);
				const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
				const host = upper !== null && at.onHost ? hostEntry(path) : null;
				if (upper === null) continue;
				const known = host === "closed" ? {
					host: null,
					above: UNSEEN$1
				} : {
					host,
					above: at.above
				};
				if (!(yield* this.entry({
					path,
					upperPath,
					upper,
					...known
				}))) continue;
				if (isClosed$1(upper, this.ctx.root)) continue;
				const onHost = known.host?.type === "dir";
				const above = known.host !== null && onHost ? below$1(at.above, known.host) : known.above;
				stack.push({
					path,
					upperPath,
					onHost,
					above: this.hid.has(path) ? UNSEEN$1 : above
				});
			}
		}
	}
	*listReplaced(viewer) {
		const unseen = /* @__PURE__ */ new Set();
		for (const { path, upperPath, above } of this.touched) {
			yield null;
			const present = new Set(namesOrNone(upperPath));
			const missing = namesOrNone(path).filter((name) => !present.has(name));
			const record = this.taken.get(path) ?? this.file.records.get(path);
			if (record === void 0 || this.closed.has(path)) continue;
			const born = String(lstatEntry(upperPath)?.birthNs ?? 0n);
			const dir = {
				host: path,
				upper: upperPath
			};
			const hides = hiddenNames(viewer, dir, missing).length > 0;
			const shows = !hides && showsHost(viewer, dir);
			if (hides || record.born !== born || (record.shows ?? false) !== shows) this.take({
				...record,
				listed: record.listed || hides,
				born,
				shows
			});
			const met = this.file.records.get(path);
			const blind = met !== void 0 && !shows && ((met.born ?? born) === born || met.shows !== true);
			if (blind) unseen.add(path);
			if (!hides) continue;
			const made = lstatEntry(upperPath);
			if (made !== null) yield* this.listing(path, this.windowOf(path, made), blind ? UNSEEN$1 : above);
		}
		if (unseen.size > 0) this.doubt(unseen);
	}
	doubt(dirs) {
		for (const { path, base, ...more } of this.taken.values()) if (base.state === "known" && !this.file.records.has(path) && isBelowAny(path, dirs)) this.take({
			path,
			base: { state: "unknown" },
			...more
		});
	}
	left() {
		const gone = [];
		const listed = new Set(this.closed);
		for (const record of [...this.file.records.values(), ...this.taken.values()]) if (record.listed && this.seen.has(record.path)) listed.add(record.path);
		for (const path of this.file.records.keys()) if (!this.seen.has(path) && !this.taken.has(path) && !isBelowAny(path, listed)) gone.push(path);
		return gone;
	}
	*entry({ path, upperPath, upper, host, above }) {
		this.seen.add(path);
		const isDir = upper.type === "dir";
		const old = this.file.records.get(path);
		if (isClosed$1(upper, this.ctx.root)) this.closed.add(path);
		if (old !== void 0) return yield* this.again(old, {
			path,
			upperPath,
			upper,
			host,
			above
		});
		const copied = copiedDirOf(this.ctx, path);
		if (copied !== void 0) {
			this.take({
				path,
				base: copiedBase(this.ctx, copied, path, upper),
				listed: false
			});
			return false;
		}
		const birth = upper.birthNs - this.clocks.lag(path);
		const hidden = this.before.lookup(path).state === "absent";
		if (host === null || hidden) {
			this.take({
				path,
				base: { state: "absent" },
				listed: false
			});
			if (!hidden && above.ctimeNs >= birth && !isWhiteout(upper)) this.asked.push({
				path,
				upperPath,
				upper,
				host,
				above
			});
			return false;
		}
		yield null;
		const window = this.windowOf(path, upper);
		const gone = host.type === "dir" && !isDir;
		const seen = wasSeen(host, window, window, above);
		const base = seen ? knownBase(this.ctx, path, host, upper) : { state: "unknown" };
		const both = isDir && host.type === "dir";
		this.take({
			path,
			base,
			listed: gone,
			...both && { born: String(upper.birthNs) }
		});
		if (!seen && both && wasSeen(host, birth, window, above)) this.asked.push({
			path,
			upperPath,
			upper,
			host,
			above
		});
		if (gone) yield* this.listing(path, window, below$1(above, host));
		if (both) this.touch({
			path,
			upperPath,
			onHost: true,
			above: below$1(above, host)
		});
		return isDir && wasDirectory(base);
	}
	*again(old, { path, upperPath, upper, host, above }) {
		const isDir = upper.type === "dir";
		if (host?.type === "dir" && !old.listed) {
			if (!isDir && wasDirectory(old.base)) {
				this.take({
					...old,
					listed: true
				});
				const shown = old.shows === true ? below$1(above, host) : UNSEEN$1;
				yield* this.listing(path, this.windowOf(path, upper), shown);
			} else if (isDir && old.base.state !== "absent") this.touch({
				path,
				upperPath,
				onHost: true,
				above: below$1(above, host)
			});
		} else if (host?.type !== "dir" && old.shows === true && !(isDir && old.born === String(upper.birthNs))) this.take({
			...old,
			shows: false
		});
		if (isDir && old.base.state === "unknown" && upper.birthNs > this.file.lastPassNs) this.hid.add(path);
		return isDir && wasDirectory(old.base);
	}
	windowOf(path, upper) {
		return this.window.of(upper) - this.clocks.lag(path);
	}
	*listing(dir, window, above) {
		const host = lstatEntry(dir);
		if (host?.type !== "dir") return;
		const dirs = /* @__PURE__ */ new Map([[dir, above]]);
		const look = {
			skip: (path) => isExcluded(path, this.ctx.excluded),
			onProblem: () => {}
		};
		for (const node of hostTree(dir, host.dev, look)) {
			if (node === null) yield null;
			const holder = node === null ? above : dirs.get(parentOf$1(node.path)) ?? above;
			if (node?.entry.type === "dir") dirs.set(node.path, below$1(holder, node.entry));
			if (node === null || this.taken.has(node.path)) continue;
			if (this.before.lookup(node.path).state !== "none") continue;
			const base = wasSeen(node.entry, window, window, holder) ? {
				state: "known",
				host: toHostStat(node.entry, node.path)
			} : { state: "unknown" };
			this.take({
				path: node.path,
				base,
				listed: false
			});
		}
	}
	touch(dir) {
		this.touched.push(dir);
		this.onTouched();
	}
	take(record) {
		this.taken.set(record.path, record);
	}
};
function addTo(lists, key, value) {
	const list = lists.get(key);
	if (list === void 0) lists.set(key, [value]);
	else list.push(value);
}
function conflictOf(input) {
	const { base, host } = input;
	if (host === null) {
		if (base.state === "known" || base.state === "unknown") return "host-deleted";
		return input.parentGone ? "host-parent-gone" : null;
	}
	switch (base.state) {
		case "absent": return input.below ? "host-new-below" : "host-created";
		case "known": return sameEntry(base.host, host) ? null : "host-changed";
		case "unknown": return "unknown-base";
		case "none": return BigInt(host.ctimeNs) < input.since && (input.movedNs ?? 0n) < input.since ? null : "unknown-base";
	}
}
function sameEntry(base, now) {
	const isSame = (field) => base[field] === now[field];
	return ATTRIBUTES.every(isSame) && (base.type === "dir" || CONTENT.every(isSame));
}
var ATTRIBUTES = [
	"type",
	"uid",
	"gid",
	"mode"
];
var CONTENT = [
	"size",
	"nlink",
	"ino",
	"mtimeNs",
	"ctimeNs",
	"target"
];
function spreadGroupConflicts(changes) {
	const reasons = /* @__PURE__ */ new Map();
	for (const { group, conflict } of changes) if (group !== null && conflict !== null && !reasons.has(group)) reasons.set(group, conflict);
	if (reasons.size === 0) return;
	for (const change of changes) if (change.group !== null && change.conflict === null) change.conflict = reasons.get(change.group) ?? null;
}
var GIT = /^(.*?\/\.git)(?:\/|$)/s;
var SQLITE = /-(?:wal|shm|journal)$/;
function setGroups(changes) {
	const databases = /* @__PURE__ */ new Set();
	for (const { path } of changes) if (SQLITE.test(path)) databases.add(path.replace(SQLITE, ""));
	for (const change of changes) {
		const git = change.path.includes("/.git") ? GIT.exec(change.path)?.[1] : void 0;
		if (git !== void 0) change.group = `git:${git}`;
		else if (databases.size > 0) {
			const database = change.path.replace(SQLITE, "");
			if (databases.has(database)) change.group = `sqlite:${database}`;
		}
	}
	for (const names of linkSets(changes)) {
		const [first] = names;
		const group = names.find((change) => change.group !== null)?.group ?? `links:${first?.path}`;
		for (const change of names) change.group ??= group;
	}
}
function linkSets(changes) {
	if (changes.every(({ conflict }) => conflict === null)) return [];
	const sets = /* @__PURE__ */ new Map();
	const wanted = /* @__PURE__ */ new Set();
	for (const change of changes) {
		const inode = change.pending?.type === "file" ? identityFields(change.upperIdentity)?.ino : void 0;
		if (inode === void 0) continue;
		addTo(sets, inode, change);
		if (change.conflict !== null) wanted.add(inode);
	}
	return [...wanted].map((inode) => sets.get(inode) ?? []).filter((set) => set.length > 1);
}
function goesWithOthers(changes) {
	const groups = /* @__PURE__ */ new Set();
	const removed = /* @__PURE__ */ new Set();
	for (const { path, group, ignored, host, pending } of changes) {
		if (ignored !== null) continue;
		if (group !== null) groups.add(group);
		if (host?.type === "dir" && pending?.type !== "dir") removed.add(path);
	}
	return ({ path, group, pending }) => {
		if (group !== null && groups.has(group) && pending?.type !== "socket") return true;
		return removed.size > 0 && isBelowAny(path, removed);
	};
}
var SOCKET_RULE = "socket";
var TIMES_RULE = "only its time differs";
var SPECIAL_RULE = "pipe or device";
function typeRule(pending, host) {
	if ((pending ?? host) === "socket") return SOCKET_RULE;
	return pending === "fifo" || pending === "char" || pending === "block" ? SPECIAL_RULE : null;
}
var OUTSIDE = "outside-project:";
var PROJECT = "project:";
function compileIgnore(scope) {
	const rules = scope.ignore.filter((text) => text.trim() !== "").map((text) => compileRule$1(text, scope));
	if (rules.length === 0) return () => null;
	const any = new RegExp(rules.map((rule) => `(?:${rule.pattern.source})`).join("|"), "s");
	return (path, isDir) => {
		if (!any.test(path)) return null;
		for (const rule of rules) {
			if (!(isDir ? rule.pattern : rule.ofFile).test(path)) continue;
			if (!rule.outside || !isWithin(path, scope.projectRoot)) return rule.text;
		}
		return null;
	};
}
function compileRule$1(text, scope) {
	const outside = text.startsWith(OUTSIDE);
	const inside = text.startsWith(PROJECT);
	let body = fromText(text.slice(outside ? 16 : inside ? 8 : 0));
	const dirOnly = body.endsWith("/") && body !== "/";
	if (dirOnly) body = body.slice(0, -1);
	let anchor = null;
	if (body === "~" || body.startsWith("~/")) {
		anchor = scope.home;
		body = body.slice(1);
	} else if (inside) {
		anchor = scope.projectRoot;
		body = `/${body.replace(/^\/+/, "")}`;
	} else if (body.startsWith("/")) anchor = "/";
	else body = body.replace(/^(\*\*\/)+(?=.)/s, "");
	const source = anchor === null ? `/${globSource(body)}` : anchoredSource(anchor, body, scope);
	const pattern = new RegExp(`${source}(?:/.*)?$`, "s");
	return {
		text,
		outside,
		pattern,
		ofFile: dirOnly ? new RegExp(`${source}/`, "s") : pattern
	};
}
function anchoredSource(anchor, body, { resolve }) {
	const literal = /^(?:\/[^/*?]*(?=\/|$))*/.exec(body)?.[0] ?? "";
	const written = `${anchor === "/" ? "" : anchor}${literal}`;
	const real = resolve?.(written) ?? written;
	return `^(?:${[.../* @__PURE__ */ new Set([written, real === "/" && written !== "/" ? "" : real])].map(escapeText).join("|")})${globSource(body.slice(literal.length))}`;
}
function globSource(glob) {
	let source = "";
	for (let i = 0; i < glob.length; i++) if (glob.startsWith("**/", i) && (i === 0 || glob[i - 1] === "/")) {
		source += "(?:.*/)?";
		i += 2;
	} else if (glob.startsWith("**", i)) {
		source += ".*";
		i += 1;
	} else if (glob[i] === "*") source += "[^/]*";
	else if (glob[i] === "?") source += "[^/]";
	else source += escapeText(glob.charAt(i));
	return source;
}
function escapeText(text) {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
function* judgeSameType(pair) {
	if (yield* sameThing(pair)) return metaChanged(pair) ? "meta" : null;
	return isStaleCopy(pair) ? null : "modified";
}
function isUntouched$1({ host, ...look }) {
	const { upperPath, upper, base } = look;
	if (equalsBase(upperPath, upper, base)) return true;
	if (host?.type !== upper.type) return false;
	return resultAtOnce(judgeSameType({
		...look,
		host,
		base: { state: "none" }
	})) === null;
}
function metaChanged({ host, upper, base }) {
	const from = base.state === "known" && base.host.type === upper.type ? base.host : host;
	const changed = (field) => upper[field] !== from[field] && upper[field] !== host[field];
	return upper.type !== "symlink" && changed("mode") || changed("uid") || changed("gid");
}
var SECOND = 1000000000n;
function timeChanged({ host, upper }) {
	if (upper.type !== "file" || host.type !== "file" || host.nlink > 1) return false;
	return !isSameTime(upper.mtimeNs, host.mtimeNs) && upper.mtimeNs !== host.mtimeNs - host.mtimeNs % SECOND;
}
function equalsBase(upperPath, upper, base) {
	if (base.state !== "known" || !sameMeta(upper, base.host)) return false;
	if (upper.type === "symlink") return readTarget(upperPath) === base.host.target;
	if (upper.type !== "file" || upper.size !== base.host.size) return false;
	return base.sha256 !== void 0 && hashSame(upperPath, identityOf$1(upper)) === base.sha256;
}
function onlyTouched(upper, base) {
	if (base.state !== "known") return base.state === "unknown";
	const { type, mode, uid, gid } = base.host;
	return type === "dir" && mode === upper.mode && uid === upper.uid && gid === upper.gid;
}
function isStaleCopy({ path, host, upperPath, upper, base }) {
	if (base.state !== "known" || sameEntry(base.host, toHostStat(host, path))) return false;
	return equalsBase(upperPath, upper, base);
}
function* sameThing({ path, host, upperPath, upper }) {
	switch (upper.type) {
		case "file": return yield* sameContent(upperPath, upper, path, host);
		case "symlink": return readTarget(upperPath) === readTarget(path);
		case "char":
		case "block": return upper.rdev === host.rdev;
		default: return true;
	}
}
function sameMeta(upper, host) {
	if (upper.type !== host.type || upper.uid !== host.uid || upper.gid !== host.gid) return false;
	return upper.type === "symlink" || upper.mode === host.mode;
}
var ChangeMaker = class {
	ignoreRule;
	bases;
	#clocks;
	constructor(ctx, bases) {
		this.ignoreRule = compileIgnore(ctx);
		this.bases = bases;
		this.#clocks = new HostClocks(ctx);
	}
	make(input) {
		const { path, pending, host, base, since } = input;
		const type = (pending?.entry ?? host)?.type;
		const change = {
			id: changeId(path),
			path,
			kind: input.kind,
			pending: pending === null ? null : toSide(pending.entry, pending.path),
			host: host === null ? null : toSide(host, path),
			ignored: typeRule(pending?.entry.type ?? null, host?.type ?? null) ?? input.ignoredAbove ?? this.ignoreRule(path, type === "dir"),
			conflict: input.closed === true ? "unreadable" : conflictOf({
				base,
				host: host === null ? null : toHostStat(host, path),
				since: since - this.#clocks.lag(path),
				movedNs: input.movedNs,
				parentGone: input.parentGone ?? false,
				below: input.below ?? false
			}),
			group: null
		};
		if (host !== null && host.type !== "dir" && host.nlink > 1) change.hostLinks = host.nlink;
		if (host !== null) change.hostIdentity = lookIdentity(host);
		if (pending !== null) change.upperIdentity = lookIdentity(pending.entry);
		if (input.closed === true && pending !== null) change.upperIdentity = closedIdentity(pending.entry);
		return change;
	}
};
var ID_BYTES = 8;
function changeId(path) {
	return hash("sha256", isAscii(path) ? path : Buffer.from(path, "latin1"), "buffer").toString("hex", 0, ID_BYTES);
}
var Attributes = class {
	times = [];
	#asked = [];
	ask(pair, found, make) {
		this.#asked.push({
			...pair,
			found,
			make
		});
		if (found !== null || !timeChanged(pair)) return;
		const change = make();
		if (change.kind !== "meta" || change.conflict !== null || change.ignored !== null) return;
		this.times.push({
			...change,
			ignored: TIMES_RULE
		});
	}
	*compare() {
		yield null;
		for (const { pair, ...both } of otherXattrs(this.#asked)) {
			const { upper, host, base, found, make } = pair;
			const from = base.state === "known" ? base.xattrs : void 0;
			if (from === xattrHash(both.upper)) continue;
			const change = found ?? make();
			change.xattrs = true;
			change.xattrIdentity = xattrIdentity(both);
			if (from !== void 0 && from !== xattrHash(both.host)) change.conflict ??= "host-changed";
			if (from === void 0 && host.type === "dir" && host.ctimeNs >= upper.birthNs) change.conflict ??= "unknown-base";
			if (found === null) yield change;
		}
	}
};
var MAX_PATH_CHARS = 4096;
function resolvePath(view, given, passed = () => {}) {
	if (given.includes("\0") || given.length > MAX_PATH_CHARS) return null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf$1(at);
			continue;
		}
		const here = joinPath(at, name);
		if (passed(here) === false) return null;
		const target = linkTarget(view, here);
		if (target === "unknown" || links > 40) return null;
		if (target === null) {
			at = here;
			continue;
		}
		links += 1;
		todo.unshift(...partsOf(target.to));
		if (target.to.startsWith("/")) at = "/";
	}
	return at;
}
function upperOf(view, path) {
	const covered = isExcluded(path, view.excluded) ? null : coveringDir(view.coveredDirs, path);
	return covered === null ? null : upperPath(covered, path);
}
function linkTarget(view, path) {
	const upper = view === null ? null : upperOf(view, path);
	const pending = upper === null ? null : hostEntry(upper);
	if (pending === "closed") return "unknown";
	if (upper !== null && pending !== null) {
		if (isWhiteout(pending) || pending.type !== "symlink") return null;
		return { to: readTarget(upper) };
	}
	const host = hostEntry(path);
	if (host === "closed") return "unknown";
	return host?.type === "symlink" ? { to: readTarget(path) } : null;
}
function partsOf(path) {
	return path.split("/").filter((name) => name !== "" && name !== ".");
}
function readsOtherwise({ kind }) {
	return kind !== "none" && kind !== "meta";
}
var NOT_READ = { state: "none" };
async function lookThrough(ctx, given, thorough) {
	const onHost = lstatOrNone(given) !== null;
	const todo = partsOf(given);
	let at = "/";
	let links = 0;
	for (let name = todo.shift(); name !== void 0; name = todo.shift()) {
		if (name === "..") {
			at = parentOf$1(at);
			continue;
		}
		const here = joinPath(at, name);
		if (lstatOrNone(here)?.type !== "symlink" || links === 40) {
			at = here;
			continue;
		}
		links++;
		const link = await look(ctx, here, thorough);
		if (readsOtherwise(link)) return {
			...link,
			onHost
		};
		const target = readTarget(here);
		todo.unshift(...partsOf(target));
		if (target.startsWith("/")) at = "/";
	}
	return await look(ctx, at, thorough);
}
async function look(ctx, path, thorough) {
	const covered = isExcluded(path, ctx.excluded) ? null : coveringDir(ctx.coveredDirs, path);
	if (covered === null) return {
		...nothing(path),
		onHost: lstatOrNone(path) !== null
	};
	const descent = new Descent(ctx, covered, path);
	const found = await descent.run();
	if (found.kind !== "none") return found;
	const fromHost = found.onHost && !found.copied;
	if (!fromHost && !thorough) return found;
	const replaced = await replacedAmong(ctx, covered, descent.merged);
	if (replaced === null) return found;
	return {
		...found,
		kind: "replaced",
		at: replaced,
		inView: found.inView && !fromHost
	};
}
var Descent = class {
	merged = [];
	ctx;
	covered;
	path;
	added = null;
	constructor(ctx, covered, path) {
		this.ctx = ctx;
		this.covered = covered;
		this.path = path;
	}
	async run() {
		let at = this.covered.path;
		const rest = partsOf(this.path.slice(at === "/" ? 0 : at.length));
		let hostDir = lstatOrNone(at)?.type === "dir";
		for (let name = rest.shift(); name !== void 0; name = rest.shift()) {
			at = joinPath(at, name);
			const upper = hostEntry(upperPath(this.covered, at));
			if (upper === "closed") return this.differs("closed", parentOf$1(at), true);
			const host = hostDir ? lstatOrNone(at) : null;
			const last = rest.length === 0;
			if (upper === null || isWhiteout(upper)) return this.withoutUpper(at, upper, host);
			if (upper.type !== "dir") return await this.notADirectory(at, upper, host, last);
			if (host === null) this.added ??= at;
			else if (host.type !== "dir") return this.differs("replaced", at, this.isInUpper());
			else this.merged.push({
				path: at,
				upperPath: upperPath(this.covered, at),
				upper
			});
			hostDir = host?.type === "dir";
		}
		if (this.added !== null) return this.differs("added", this.added, true);
		return {
			...nothing(this.path),
			onHost: hostDir,
			copied: this.merged.length > 0
		};
	}
	withoutUpper(at, upper, host) {
		if (host !== null && upper !== null) return this.differs("deleted", at, false);
		if (this.added !== null) return this.differs("added", this.added, false);
		return {
			...nothing(this.path),
			onHost: host !== null && this.isOnHost()
		};
	}
	async notADirectory(at, upper, host, last) {
		const inView = last || upper.type === "symlink";
		const kind = !last && host !== null && host.type !== "dir" ? "none" : await this.judge(at, upper, host);
		if (kind === "none") {
			if (this.added !== null) return this.differs("added", this.added, inView);
			return {
				...nothing(this.path),
				onHost: this.isOnHost(),
				copied: last
			};
		}
		return this.differs(kind, kind === "added" ? this.added ?? at : at, inView);
	}
	async judge(at, upper, host) {
		const copy = upperPath(this.covered, at);
		const judge = async (base) => {
			if (host?.type === upper.type) {
				const kind = await resultOf$1(judgeSameType({
					path: at,
					host,
					upperPath: copy,
					upper,
					base
				}));
				return kind === "modified" || kind === "meta" ? kind : "none";
			}
			if (equalsBase(copy, upper, base)) return "none";
			return host === null ? "added" : "replaced";
		};
		try {
			const kind = await judge(NOT_READ);
			return kind === "none" ? kind : await judge((await readBases(this.ctx)).lookup(at));
		} catch (error) {
			if (errorCode(error) === "EACCES") return host === null ? "added" : "modified";
			throw error;
		}
	}
	isInUpper() {
		const entry = lstatEntry(upperPath(this.covered, this.path));
		return entry !== null && !isWhiteout(entry);
	}
	isOnHost() {
		return lstatOrNone(this.path) !== null;
	}
	differs(kind, at, inView) {
		return {
			kind,
			at,
			inView,
			onHost: this.isOnHost(),
			copied: false
		};
	}
};
function nothing(path) {
	return {
		kind: "none",
		at: path,
		inView: true,
		onHost: false,
		copied: false
	};
}
function visible(text, coloured) {
	return text.replace(PATTERN$1, (found) => {
		if (found.length > 1) return coloured ? found : `\\x1b${found.slice(1)}`;
		const code = found.codePointAt(0) ?? 0;
		return code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
	});
}
var PATTERN$1 = new RegExp(`\\u001b\\[(?:1|2|22|3[1236]|39)m|${/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g.source}`, "g");
var HOOK_EVENTS = [
	"SessionStart",
	"PreToolUse",
	"PermissionRequest",
	"PermissionDenied",
	"PostToolUse",
	"PostToolUseFailure",
	"PostToolBatch",
	"UserPromptExpansion",
	"UserPromptSubmit",
	"SessionEnd"
];
function isHookEvent(name) {
	return HOOK_EVENTS.some((event) => event === name);
}
var SILENT = {
	exit: 0,
	stream: "out",
	text: ""
};
var RUN_TYPED = {
	exit: 0,
	stream: "run",
	text: ""
};
function blocked$1(text) {
	return {
		exit: 2,
		stream: "err",
		text: visible(`trai: ${text}\n`, false)
	};
}
function json({ reason, systemMessage, ...rest }) {
	const shown = (one) => one === void 0 ? void 0 : visible(one, false);
	const text = JSON.stringify({
		...rest,
		reason: shown(reason),
		systemMessage: shown(systemMessage)
	});
	return text === "{}" ? SILENT : {
		exit: 0,
		stream: "out",
		text: `${text}\n`
	};
}
function contextAnswer(hookEventName, lines, systemMessage) {
	const output = {
		hookEventName,
		additionalContext: lines.join("\n")
	};
	return json({
		systemMessage,
		hookSpecificOutput: lines.length === 0 ? void 0 : output
	});
}
function preToolUseAnswer(said) {
	const { decision, reason = "", context = [], updatedInput, systemMessage } = said;
	const output = {
		hookEventName: "PreToolUse",
		...decision === void 0 ? {} : {
			permissionDecision: decision,
			permissionDecisionReason: visible(reason, false)
		},
		...updatedInput === void 0 ? {} : { updatedInput },
		...context.length === 0 ? {} : { additionalContext: context.join("\n") }
	};
	return json({
		systemMessage,
		hookSpecificOutput: Object.keys(output).length === 1 ? void 0 : output
	});
}
function readHookHeaders(get, caller) {
	const env = get("env") ?? "";
	const pid = get("claude-pid") ?? "";
	const start = get("claude-start") ?? "";
	return {
		session: get("session") ?? "",
		env: env === "ok" || env === "missing" || env === "changed" ? env : "",
		claudePid: /^\d{1,10}$/.test(pid) ? Number(pid) : null,
		claudePidStart: /^\d{1,20}$/.test(start) ? start : null,
		entry: get("entry") ?? "",
		caller,
		inside: null,
		isClientOf: () => false,
		outside: () => null,
		whenGone: () => void 0
	};
}
var WAY_OUT = "Do it with Bash (sed, a here-document, a script): that stays pending with the rest. Or ask the user to commit (/trai:commit) or discard (/trai:discard --yes) first.";
function readText(look, file) {
	if (!look.inView && !look.onHost) return null;
	const text = `${look.onHost ? "this is the host's content of" : "the host does not have"} ${shown$1(file)}. ${happened(look, file)}, and that is pending`;
	if (!look.inView) return `${text}: Bash commands no longer see it.`;
	return `${text}. Read the pending version with Bash${catLine(file)}.`;
}
function writeText(look, file) {
	return `${happened(look, file)}, and that is pending: the file tools work on the host and would create a second version. ${WAY_OUT}`;
}
function missedText(look, file) {
	if (look.kind === "added") return `${`Bash created ${shownAt(look, file)}, and that is pending`}: the file tools do not see it. Edit it with Bash (sed, a here-document, a script), or ask the user to commit it (/trai:commit).`;
	return `${happened(look, file)}, and that is pending; the file tools see the host's version. ${WAY_OUT}`;
}
function searchText(dir, pending) {
	const { count, more } = pending;
	return `this searches the host. ${more ? "More than " : ""}${count} pending ${count === 1 ? "entry" : "entries"} below ${shown$1(dir)} can be found only with Bash (grep -rn, find).`;
}
function searchDirText(look, dir) {
	return `this searches the host. ${happened(look, dir)}, and that is pending: search the pending version with Bash (grep -rn, find).`;
}
var HAPPENED = {
	none: "changed",
	modified: "changed",
	meta: "changed the permissions or the owner of",
	replaced: "replaced",
	deleted: "deleted",
	added: "created",
	closed: "removed the permission to read"
};
function happened(look, file) {
	return `Bash ${HAPPENED[look.kind]} ${shownAt(look, file)}`;
}
function shownAt(look, file) {
	return look.at === fromText(file) ? shown$1(file) : toDisplay(look.at);
}
function shown$1(file) {
	return toDisplay(fromText(file));
}
function catLine(file) {
	if (shown$1(file) !== file) return " (cat)";
	return `: cat ${/^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`;
}
var SLICE = 2e3;
async function overlapOf(a, b, most) {
	const ignored = compileIgnore(a);
	const stack = a.coveredDirs.flatMap(({ path, upper }) => {
		const other = b.coveredDirs.find((covered) => covered.path === path);
		return other === void 0 ? [] : [{
			path,
			upperA: upper,
			upperB: other.upper
		}];
	});
	const paths = [];
	let seen = 0;
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
		const names = namesOrNone(at.upperA);
		const inB = names.length === 0 ? /* @__PURE__ */ new Set() : new Set(namesOrNone(at.upperB));
		for (const name of names) {
			if (++seen % SLICE === 0) await setImmediate();
			if (!inB.has(name)) continue;
			const both = {
				path: joinPath(at.path, name),
				upperA: joinPath(at.upperA, name),
				upperB: joinPath(at.upperB, name)
			};
			const [entryA, entryB] = [lstatOrNone(both.upperA), lstatOrNone(both.upperB)];
			if (entryA === null || entryB === null || [a, b].some((ctx) => isExcluded(both.path, ctx.excluded))) continue;
			const { path } = both;
			if (ignored(path, entryA.type === "dir") !== null && !isWithin(a.projectRoot, path)) continue;
			if (entryA.type === "dir" && entryB.type === "dir") stack.push(both);
			else if (await isPending(a, path, entryA) && await isPending(b, path, entryB)) {
				if (paths.length === most) return {
					paths,
					more: true
				};
				paths.push(path);
			}
		}
	}
	return {
		paths: paths.sort(),
		more: false
	};
}
async function isPending(ctx, path, entry) {
	if (entry.type === "socket") return false;
	try {
		if (entry.type === "dir") return pendingBelow(ctx, path, 1).count > 0;
		return (await lookThrough(ctx, path, false)).kind !== "none";
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
		throw error;
	}
}
function pendingBelow(ctx, dir, limit) {
	const ignored = compileIgnore(ctx);
	const hash = createHash("sha1");
	const stack = startsBelow(ctx, dir);
	let count = 0;
	for (let at = stack.pop(); at !== void 0; at = stack.pop()) for (const name of namesOrNone(at.upper)) {
		const path = joinPath(at.path, name);
		const upper = joinPath(at.upper, name);
		const entry = lstatEntry(upper);
		if (entry === null || isExcluded(path, ctx.excluded) || entry.type === "socket") continue;
		if (ignored(path, entry.type === "dir") !== null) continue;
		if (entry.type === "dir") stack.push({
			path,
			upper
		});
		else if (says(entry, path)) {
			if (count === limit) return {
				count,
				more: true,
				signature: hash.digest("hex")
			};
			count++;
			hash.update(`${path}\0`, "latin1");
		}
	}
	return {
		count,
		more: false,
		signature: hash.digest("hex")
	};
}
function startsBelow(ctx, dir) {
	const holding = coveringDir(ctx.coveredDirs, dir);
	const own = holding === null ? [] : [{
		path: dir,
		upper: upperPath(holding, dir)
	}];
	const inner = ctx.coveredDirs.filter((covered) => covered !== holding && isWithin(covered.path, dir));
	return [...own, ...inner.map(({ path, upper }) => ({
		path,
		upper
	}))];
}
function says(entry, path) {
	return !isWhiteout(entry) || lstatEntry(path) !== null;
}
var COUNT_MAX = 500;
function searchHint(ctx, agent, dir, look) {
	const key = `${agent}\0${dir}`;
	let signature = `${look.kind} ${look.at}`;
	let said;
	if (readsOtherwise(look)) said = searchDirText(look, dir);
	else {
		const below = pendingBelow(ctx, look.at, COUNT_MAX);
		if (below.count === 0) return null;
		signature = below.signature;
		said = searchText(dir, below);
	}
	const told = readTold(ctx.sessionDir);
	if (told.get(key) === signature) return null;
	told.delete(key);
	saveTold(ctx.sessionDir, [...told, [key, signature]].slice(-50));
	return said;
}
function forgetTold(sessionDir) {
	rmSync(fileOf$2(sessionDir), { force: true });
}
function fileOf$2(sessionDir) {
	return path.join(sessionDir, "requests", "told");
}
function readTold(sessionDir) {
	const value = readPlainJson(fileOf$2(sessionDir));
	if (!isObject(value)) return /* @__PURE__ */ new Map();
	return new Map(Object.entries(value).filter((row) => typeof row[1] === "string"));
}
function saveTold(sessionDir, told) {
	tryWriteWhole(fileOf$2(sessionDir), Buffer.from(JSON.stringify(Object.fromEntries(told))));
}
var LOCK_SECONDS = 2;
var MAX_MISSED = 5;
var PATH_FIELDS$1 = [
	"file_path",
	"notebook_path",
	"path",
	"pattern"
];
async function beforeFileTool(world, session, call) {
	const refusal = fileRefusal(world, call);
	if (refusal !== null) {
		if (session !== null) await logDenied(session, call, refusal);
		return {
			refusal,
			context: []
		};
	}
	if (session === null || session.meta.off !== null) return {
		refusal: null,
		context: []
	};
	if (isFileWriter(call.tool)) return {
		refusal: await beforeWrite(session, call),
		context: []
	};
	const hint = await beforeRead(session, call).catch(() => null);
	return {
		refusal: null,
		context: hint === null ? [] : [`trai: ${hint}`]
	};
}
var RULE_FILE = /(^|\/)\.claude\/trai\.rules(\.imported)?\.json$/;
function fileRefusal(world, call) {
	return ownDirectoryText(world, call) ?? ruleFileRefusal(call);
}
function ruleFileRefusal(call) {
	const file = fileOf$4(call);
	if (file === null || !isFileWriter(call.tool)) return null;
	return [fromText(file), followed(fromText(file))].some((path) => RULE_FILE.test(path)) ? message("rule-file", { file }) : null;
}
async function logDenied(session, call, why) {
	const path = fileOf$4(call) ?? searchedBy(call);
	if (path !== null) await logFileUse(session, call, {
		path,
		outcome: "refused",
		text: why
	});
}
function ownDirectoryText({ stateDir }, call) {
	const own = ownDirectories$1(stateDir, process.env).map(fromText).flatMap((dir) => [dir, followed(dir)]);
	for (const field of PATH_FIELDS$1) {
		const given = text(call.toolInput, field);
		if (given === "" || field === "pattern" && call.tool !== "Glob") continue;
		const asked = fromText(absolutePath$1(field === "pattern" ? beforeGlob(given) : given, call.cwd));
		for (const candidate of [asked, followed(asked)]) {
			const hit = own.find((dir) => isWithin(candidate, dir));
			if (hit !== void 0) return message("own-state", {
				dir: toDisplay(hit),
				tool: call.tool
			});
		}
	}
	return null;
}
async function beforeWrite(session, call) {
	const path = fileOf$4(call);
	if (path === null) return null;
	const refusal = await refusalOf(session, path);
	await logFileUse(session, call, {
		path,
		outcome: refusal === null ? "asked" : "refused",
		text: refusal ?? ""
	});
	return refusal;
}
async function beforeRead(session, call) {
	const path = fileOf$4(call);
	const hint = path === null ? await hintForSearch(session, call) : await hintForRead(session, path);
	if (path !== null) await logFileUse(session, call, {
		path,
		outcome: "asked",
		text: hint ?? ""
	});
	return hint;
}
async function fileTouched(session, call, failed) {
	const path = fileOf$4(call);
	if (path === null) return SILENT;
	await logFileUse(session, call, {
		path,
		outcome: failed ? "failed" : "written",
		text: ""
	});
	if (!failed) await session.hostChanged([followed(fromText(path))]);
	return SILENT;
}
async function afterFileTools(session, input) {
	const uses = list(input.all, "tool_calls").flatMap((item) => {
		if (!isObject(item)) return [];
		const request = text(item, "tool_use_id");
		const call = {
			...input,
			tool: text(item, "tool_name"),
			toolInput: object(item, "tool_input"),
			request
		};
		const file = call.tool === "Read" || isFileWriter(call.tool) ? fileOf$4(call) : null;
		return file === null ? [] : [{
			call,
			file
		}];
	});
	const ctx = uses.length === 0 ? null : await session.context();
	if (ctx === null) return [];
	const told = /* @__PURE__ */ new Set();
	for (const { call, file } of uses) {
		const look = await lookThrough(ctx, fromText(file), isFileWriter(call.tool));
		const missed = readsOtherwise(look) ? await missedBy(session, call, file, look) : null;
		if (missed !== null) told.add(missed);
	}
	const lines = [...told].slice(0, MAX_MISSED).map((line) => `trai: ${line}`);
	if (told.size > MAX_MISSED) lines.push(`trai: and so it is with ${told.size - MAX_MISSED} more.`);
	return lines;
}
async function logFileUse(session, { request, claude, agent, tool }, use) {
	await session.log({
		t: "file",
		request,
		claude,
		agent,
		tool,
		...use
	}).catch(() => void 0);
}
async function missedBy(session, call, file, look) {
	if (eventsNaming(session.dir, call.request).includes("file")) return null;
	const said = isFileWriter(call.tool) ? missedText(look, file) : readText(look, file);
	if (said !== null) await logFileUse(session, call, {
		path: file,
		outcome: "failed",
		text: said
	});
	return said;
}
async function refusalOf(session, file) {
	const first = await lookIn(session, file, true);
	if (first === null || first.kind === "none" && !first.copied) return null;
	await session.settled();
	const look = await betweenChanges(session, () => lookIn(session, file, true));
	return look === null || look.kind === "none" ? null : writeText(look, file);
}
async function betweenChanges(session, look) {
	try {
		return await withLock({ sessionDir: session.dir }, look, LOCK_SECONDS);
	} catch (error) {
		if (error instanceof TraiError && error.code === "busy") return await look();
		throw error;
	}
}
async function hintForRead(session, file) {
	const look = await lookIn(session, file, false);
	return look === null || !readsOtherwise(look) ? null : readText(look, file);
}
async function hintForSearch(session, call) {
	const dir = searchedBy(call);
	const ctx = await session.context();
	if (dir === null || ctx === null) return null;
	const look = await lookThrough(ctx, fromText(dir), true);
	return searchHint(ctx, call.agent, dir, look);
}
async function lookIn(session, file, thorough) {
	const ctx = await session.context();
	return ctx === null ? null : await lookThrough(ctx, fromText(file), thorough);
}
var PatternError = class extends Error {};
var MAX_PATTERN_CHARS = 1e4;
function compilePattern(source) {
	if (source.length > MAX_PATTERN_CHARS) throw new PatternError(unsupportedPattern(`${source.length} characters`));
	const { text, literal, atStart } = new Translation(source).result();
	const choice = CHOICE.exec(source);
	const literals = literal === "" ? choice?.[1]?.split("|") ?? [] : [literal];
	try {
		return {
			source,
			regexp: new RegExp(text, "u"),
			literals,
			atStart
		};
	} catch (error) {
		throw new PatternError(messageOf(error).replace(/^Invalid regular expression: \/.*\/u?: /s, ""));
	}
}
var CHOICE = /^(?:\^|\\A)?\((?:\?:)?([A-Za-z0-9_/ -]+(?:\|[A-Za-z0-9_/ -]+)*)\)(?![*?+{])(?!.*\|)/s;
var SPACES = "\\t\\n\\v\\f\\r ";
var NO_SPACES = "\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}";
var VERTICAL = "\\n\\v\\f\\r\\x85\\u2028\\u2029";
var SETS = {
	s: [SPACES, NO_SPACES],
	h: ["\\t ", "\\0-\\x08\\x0a-\\x1f\\x21-\\u{10ffff}"],
	v: [VERTICAL, "\\0-\\x09\\x0e-\\x84\\x86-\\u2027\\u202a-\\u{10ffff}"],
	d: ["0-9", "\\0-\\x2f\\x3a-\\u{10ffff}"],
	w: ["0-9A-Za-z_", "\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}"]
};
var POSIX_SETS = {
	alnum: "0-9A-Za-z",
	alpha: "A-Za-z",
	ascii: "\\0-\\x7f",
	blank: "\\t ",
	cntrl: "\\0-\\x1f\\x7f",
	digit: "0-9",
	graph: "\\x21-\\x7e",
	lower: "a-z",
	print: "\\x20-\\x7e",
	punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
	space: SPACES,
	upper: "A-Z",
	word: "0-9A-Za-z_",
	xdigit: "0-9A-Fa-f"
};
var CONTROLS = {
	a: 7,
	e: 27,
	f: 12,
	n: 10,
	r: 13,
	t: 9
};
var Translation = class {
	source;
	at = 0;
	out = "";
	flags = {
		i: false,
		m: false,
		s: false,
		x: false
	};
	groups = [];
	atom = -1;
	helpers = 0;
	captures = 0;
	named;
	literal = "";
	isLiteral = true;
	atStart = false;
	alternates = false;
	constructor(source) {
		this.source = source;
		this.named = /\\[1-9]|\\g/.test(source);
	}
	result() {
		while (this.at < this.source.length) this.step();
		if (this.groups.length > 0) throw new PatternError("Unterminated group");
		const text = this.out;
		return this.alternates ? {
			text,
			literal: "",
			atStart: false
		} : {
			text,
			literal: this.literal,
			atStart: this.atStart
		};
	}
	refuse(what) {
		throw new PatternError(unsupportedPattern(what));
	}
	take(pattern) {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.source);
		if (found !== null) this.at += found[0].length;
		return found;
	}
	put(text) {
		this.isLiteral = false;
		this.atom = this.out.length;
		this.out += text;
	}
	putZeroWidth(text) {
		this.isLiteral = false;
		this.atom = -1;
		this.out += text;
	}
	step() {
		if (this.flags.x && this.take(/(?:\s|#[^\n]*)+/y) !== null) return;
		const quantifier = this.take(/([*+?]|\{\d+(?:,\d*)?\})([+?]?)/y);
		if (quantifier !== null) {
			this.quantify(quantifier[1] ?? "", quantifier[2] ?? "");
			return;
		}
		const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
		this.at += char.length;
		switch (char) {
			case "\\":
				this.escape();
				return;
			case "[":
				this.set();
				return;
			case "(":
				this.open();
				return;
			case ")":
				this.close();
				return;
			case "|":
				if (this.groups.length === 0) this.alternates = true;
				this.putZeroWidth("|");
				return;
			case ".":
				this.put(this.flags.s ? "[^]" : "[^\\n]");
				return;
			case "^":
				if (this.out === "" && !this.flags.m) {
					this.atStart = true;
					this.out = "^";
				} else this.putZeroWidth(this.flags.m ? "(?<![^\\n])" : "^");
				this.atom = -1;
				return;
			case "$":
				this.putZeroWidth(this.flags.m ? "(?![^\\n])" : "(?=\\n?$)");
				return;
			case "{":
				if (/^\{,\d+\}/.test(this.source.slice(this.at - 1))) this.refuse("{,n}");
				this.character(char);
				return;
			default: this.character(char);
		}
	}
	character(char) {
		if (this.flags.i && char.toLowerCase() !== char.toUpperCase()) {
			this.put(`[${char}${char.toLowerCase()}${upper(char)}]`);
			return;
		}
		const wasLiteral = this.isLiteral;
		this.put(escaped(char));
		this.isLiteral = wasLiteral;
		if (wasLiteral) this.literal += char;
	}
	quantify(quantifier, mode) {
		if (this.atom < 0) throw new PatternError("Nothing to repeat");
		if (this.isLiteral) this.literal = [...this.literal].slice(0, -1).join("");
		this.isLiteral = false;
		if (mode === "+") {
			const atom = this.out.slice(this.atom) + quantifier;
			this.out = this.out.slice(0, this.atom) + this.atomic(atom);
		} else this.out += quantifier + mode;
		this.atom = -1;
	}
	atomic(text) {
		this.helpers += 1;
		const name = `atomic${this.helpers}_`;
		return `(?:(?=(?<${name}>${text}))\\k<${name}>)`;
	}
	open() {
		const start = this.out.length;
		const flags = { ...this.flags };
		const enter = (begin, end = ")") => {
			this.groups.push({
				start,
				flags,
				end
			});
			this.putZeroWidth(begin);
		};
		if (this.take(/\?#[^)]*\)/y) !== null) return;
		if (this.take(/\*/y) !== null) this.refuse("(*");
		if (this.take(/(?!\?)/y) !== null) {
			this.captures += 1;
			enter(this.named ? `(?<group${this.captures}_>` : "(");
			return;
		}
		const plain = this.take(/\?(?::|<?=|<?!)/y);
		if (plain !== null) {
			enter(`(${plain[0]}`);
			return;
		}
		const name = this.take(/\?P?<([A-Za-z_]\w*)>|\?'([A-Za-z_]\w*)'/y);
		if (name !== null) {
			this.captures += 1;
			if (this.named) this.refuse("numbered references beside named groups");
			enter(`(?<${name[1] ?? name[2] ?? ""}>`);
			return;
		}
		const reference = this.take(/\?P=([A-Za-z_]\w*)\)/y);
		if (reference !== null) {
			this.put(`\\k<${reference[1] ?? ""}>`);
			return;
		}
		if (this.take(/\?>/y) !== null) {
			this.helpers += 1;
			const helper = `atomic${this.helpers}_`;
			enter(`(?:(?=(?<${helper}>`, `))\\k<${helper}>)`);
			return;
		}
		const inline = this.take(/\?(\^?[imsxun]*(?:-[imsx]*)?)(:|\))/y);
		if (inline === null) this.refuse(`(${this.source.slice(this.at, this.at + 3)}`);
		if (inline[2] === ":") enter("(?:");
		this.flags = changed(this.flags, inline[1] ?? "");
	}
	close() {
		const group = this.groups.pop();
		if (group === void 0) throw new PatternError("Unmatched )");
		this.put(group.end);
		this.atom = /^\(\?<?[=!]/.test(this.out.slice(group.start, group.start + 4)) ? -1 : group.start;
		this.flags = group.flags;
	}
	escape() {
		const set = this.take(/[sShHvVdDwW]/y)?.[0];
		if (set !== void 0) {
			this.put(`[${setText(set)}]`);
			return;
		}
		const property = this.take(/[pP]\{\^?\w+\}|[pP][LMNPSZC]/y)?.[0];
		if (property !== void 0) {
			this.put(`\\${propertyText(property)}`);
			return;
		}
		if (this.take(/Q/y) !== null) {
			const end = this.source.indexOf("\\E", this.at);
			const text = this.source.slice(this.at, end < 0 ? void 0 : end);
			this.at += text.length + (end < 0 ? 0 : 2);
			for (const char of text) this.character(char);
			return;
		}
		if (this.take(/[EK]/y) !== null) return;
		const assertion = this.take(/[AzZbBG]/y)?.[0];
		if (assertion !== void 0) {
			this.assert(assertion);
			return;
		}
		if (this.take(/R/y) !== null) {
			this.put(`(?:\\r\\n|[${VERTICAL}])`);
			return;
		}
		if (this.take(/N(?!\{)/y) !== null) {
			this.put("[^\\n]");
			return;
		}
		const octal = this.take(/[1-3][0-7]{2}/y)?.[0];
		if (octal !== void 0) {
			this.character(codeText(Number.parseInt(octal, 8)));
			return;
		}
		const number = this.take(/([1-9]\d?)|g(\d+)|g\{(\d+)\}/y);
		if (number !== null) {
			this.put(`\\k<group${number[1] ?? number[2] ?? number[3] ?? ""}_>`);
			return;
		}
		const name = this.take(/k(?:<(\w+)>|\{(\w+)\}|'(\w+)')/y);
		if (name !== null) {
			this.put(`\\k<${name[1] ?? name[2] ?? name[3] ?? ""}>`);
			return;
		}
		this.character(this.escapedCharacter());
	}
	assert(letter) {
		if (letter === "G") this.refuse("\\G");
		if (letter === "A") {
			if (this.out === "") this.atStart = true;
			const isFirst = this.out === "";
			this.putZeroWidth("(?<![^])");
			this.isLiteral = isFirst;
		} else if (letter === "z") this.putZeroWidth("(?![^])");
		else if (letter === "Z") this.putZeroWidth("(?=\\n?(?![^]))");
		else this.putZeroWidth(`\\${letter}`);
	}
	escapedCharacter() {
		const code = this.take(/x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{4})/y);
		if (code !== null) return codeText(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16) || 0);
		const octal = this.take(/0[0-7]{0,2}|o\{([0-7]+)\}/y);
		if (octal !== null) return codeText(Number.parseInt(octal[1] ?? octal[0], 8));
		const control = this.take(/c([A-Za-z])/y)?.[1];
		if (control !== void 0) return codeText(control.toUpperCase().charCodeAt(0) - 64);
		const known = this.take(/[aefnrt]/y)?.[0];
		if (known !== void 0) return codeText(CONTROLS[known] ?? 0);
		const other = this.source.codePointAt(this.at);
		if (other === void 0) throw new PatternError("\\ at end of pattern");
		const char = String.fromCodePoint(other);
		if (/[A-Za-z0-9]/.test(char)) this.refuse(`\\${char}`);
		this.at += char.length;
		return char;
	}
	set() {
		let text = this.take(/\^/y) === null ? "[" : "[^";
		let isFirst = true;
		for (;;) {
			const char = this.source[this.at];
			if (char === void 0) throw new PatternError("Unterminated character class");
			if (char === "]" && !isFirst) break;
			isFirst = false;
			text += this.member();
		}
		this.at += 1;
		this.put(`${text}]`);
	}
	member() {
		const posix = this.take(/\[:(\^?)(\w+):\]/y);
		if (posix !== null) {
			const set = POSIX_SETS[posix[2] ?? ""];
			if (set === void 0 || posix[1] === "^") this.refuse(posix[0]);
			return this.flags.i && /upper|lower/.test(posix[0]) ? "A-Za-z" : set;
		}
		const set = this.take(/\\([sShHvVdDwW])/y)?.[1];
		if (set !== void 0) return setText(set);
		const property = this.take(/\\([pP]\{\^?\w+\}|[pP][LMNPSZC])/y)?.[1];
		if (property !== void 0) return `\\${propertyText(property)}`;
		if (this.take(/\\[QE]/y) !== null) this.refuse("\\Q in a class");
		const from = this.memberCharacter();
		if (this.take(/-(?!\]|\\[sShHvVdDwWpP]|\[:)/y) === null) return this.folded(from, from);
		return this.folded(from, this.memberCharacter());
	}
	memberCharacter() {
		if (this.take(/\\b/y) !== null) return "\b";
		if (this.take(/\\/y) !== null) return this.escapedCharacter();
		const code = this.source.codePointAt(this.at);
		if (code === void 0) throw new PatternError("Unterminated character class");
		const char = String.fromCodePoint(code);
		this.at += char.length;
		return char;
	}
	folded(from, to) {
		const range = (a, b) => a === b ? inClass(a) : `${inClass(a)}-${inClass(b)}`;
		const plain = range(from, to);
		if (!this.flags.i) return plain;
		if (from === to) return plain + range(from.toLowerCase(), from.toLowerCase()) + range(upper(from), upper(from));
		let text = plain;
		for (const [first, last, shift] of [[
			65,
			90,
			32
		], [
			97,
			122,
			-32
		]]) {
			const low = Math.max(from.codePointAt(0) ?? 0, first);
			const high = Math.min(to.codePointAt(0) ?? 0, last);
			if (low <= high) text += range(codeText(low + shift), codeText(high + shift));
		}
		return text;
	}
};
function upper(char) {
	const text = char.toUpperCase();
	return [...text].length === 1 ? text : char;
}
function changed(flags, text) {
	const [on = "", off = ""] = text.split("-");
	const next = on.startsWith("^") ? {
		i: false,
		m: false,
		s: false,
		x: false
	} : { ...flags };
	for (const name of [
		"i",
		"m",
		"s",
		"x"
	]) {
		if (on.includes(name)) next[name] = true;
		if (off.includes(name)) next[name] = false;
	}
	return next;
}
function setText(letter) {
	const [set, complement] = SETS[letter.toLowerCase()] ?? ["", ""];
	return letter === letter.toLowerCase() ? set : complement;
}
function propertyText(text) {
	const name = text.slice(1).replace(/[{}^]/g, "");
	return `${text[0] === "P" !== text.includes("^") ? "P" : "p"}{${name}}`;
}
function codeText(code) {
	if (code > 1114111) throw new PatternError(unsupportedPattern(`\\x{${code.toString(16)}}`));
	return String.fromCodePoint(code);
}
function escaped(char) {
	return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char === "\n" ? "\\n" : char;
}
function inClass(char) {
	return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}
function compileRuleText(text, origin) {
	let value;
	try {
		value = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch (error) {
		return {
			file: null,
			problems: [jsonProblem(error)]
		};
	}
	const twice = repeatedKeys(text).find(({ counts }) => counts);
	return twice === void 0 ? compileRules(value, origin) : {
		file: null,
		problems: [repeatedKey(twice.key)]
	};
}
var FILE_KEYS = /* @__PURE__ */ new Set([
	...RULE_LISTS,
	"version",
	"allowed_dirs",
	"effects"
]);
var ENTRY_KEYS = /* @__PURE__ */ new Set([
	...RULE_KEYS,
	...EFFECT_KEYS,
	"_source_hash"
]);
function repeatedKeys(text) {
	const found = [];
	const open = [];
	const means = (key) => {
		const known = open.length === 1 ? FILE_KEYS : open.length === 2 ? ENTRY_KEYS : null;
		return open.at(-1)?.counts !== false && known?.has(key) !== false;
	};
	for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
		const inside = open.at(-1);
		if (token === "{") open.push({
			keys: /* @__PURE__ */ new Set(),
			at: "",
			counts: inside === void 0 || means(inside.at)
		});
		else if (token === "}") open.pop();
		else if (name !== void 0 && colon !== void 0 && inside !== void 0) {
			inside.at = JSON.parse(name);
			if (inside.keys.has(inside.at)) found.push({
				key: inside.at,
				counts: means(inside.at)
			});
			inside.keys.add(inside.at);
		}
	}
	return found;
}
function compileRules(value, origin) {
	const problems = ruleFileProblems(value);
	if (!isObject(value) || problems.length > 0) return {
		file: null,
		problems
	};
	const lists = {
		deny: [],
		ask: [],
		allow: []
	};
	const ordered = [];
	const known = /* @__PURE__ */ new Map();
	for (const [key, rules] of Object.entries(value)) {
		if (!isList(key) || !Array.isArray(rules) || key === "ask" && value["version"] === 1) continue;
		for (const [index, rule] of rules.entries()) {
			const compiled = compileRule(rule, {
				...origin,
				list: key,
				index
			}, {
				problems,
				known
			});
			if (compiled === null) continue;
			lists[key].push(compiled);
			if (key !== "deny") ordered.push(compiled);
		}
	}
	if (problems.length > 0) return {
		file: null,
		problems
	};
	const dirs = value["allowed_dirs"];
	const allowedDirs = Array.isArray(dirs) ? dirs.filter((dir) => typeof dir === "string") : [];
	const effects = Array.isArray(value["effects"]) ? value["effects"] : [];
	return {
		file: {
			deny: lists.deny,
			ordered,
			allowedDirs,
			effects
		},
		problems: []
	};
}
function isList(key) {
	return key === "deny" || key === "ask" || key === "allow";
}
function compileRule(rule, position, { problems, known }) {
	const at = `${position.list}[${position.index}]`;
	const compiled = (source, place) => {
		try {
			const pattern = known.get(source) ?? compilePattern(source);
			known.set(source, pattern);
			return pattern;
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			problems.push(patternProblem(`${at}.${place}`, source, error.message));
			return null;
		}
	};
	const tool = rule.tool === void 0 ? null : compiled(rule.tool, "tool");
	const match = [];
	for (const [field, source] of Object.entries(rule.match ?? {})) {
		const pattern = compiled(source, `match.${field}`);
		if (pattern === null) return null;
		match.push([field, pattern]);
	}
	if (rule.tool !== void 0 && tool === null) return null;
	const until = rule.until === void 0 ? null : Date.parse(rule.until);
	return {
		ref: refOf(rule, position),
		rule,
		tool,
		match,
		until
	};
}
function compileOne(rule, list) {
	const { file, problems } = compileRules({
		version: 2,
		[list]: [rule]
	}, {
		scope: "user",
		file: ""
	});
	const [compiled] = file === null ? [] : [...file.deny, ...file.ordered];
	if (compiled === void 0) throw new PatternError(problems[0] ?? "");
	return compiled;
}
function ruleProblem(rule, list) {
	try {
		compileOne(rule, list);
		return "";
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return error.message.replace(/^\w+\[0\]\.?/, "").trim();
	}
}
function refOf(rule, { scope, file, list, index }) {
	return {
		scope,
		file,
		list,
		index,
		hash: ruleHash(rule),
		text: ruleText(rule),
		reason: rule.reason ?? ""
	};
}
function ruleHash({ tool, match = {}, modes = [], until }) {
	const fields = Object.entries(match).sort(([a], [b]) => a < b ? -1 : 1);
	return hash("sha256", JSON.stringify([
		tool ?? null,
		fields,
		[...modes].sort(),
		until ?? null
	]));
}
function ruleText({ tool, match = {} }) {
	const fields = Object.entries(match).map(([field, pattern]) => `${field}=${pattern}`);
	return [tool ?? "*", ...fields].join(" ");
}
var MAX_RULE_FILE_BYTES = 2097152;
function rulePlaces({ env, stateDir, projectRoot, session }) {
	const user = fromText(configDir(env));
	const project = joinPath(projectRoot, ".claude");
	const places = [
		{
			scope: "user",
			imported: false,
			path: joinPath(user, "rules.json")
		},
		{
			scope: "user",
			imported: true,
			path: joinPath(user, "rules.imported.json")
		},
		{
			scope: "project",
			imported: false,
			path: joinPath(project, "trai.rules.json")
		},
		{
			scope: "project",
			imported: true,
			path: joinPath(project, "trai.rules.imported.json")
		}
	];
	if (session === null) return places;
	const path = joinPath(fromText(sessionDir(stateDir, session)), "rules.json");
	return [...places, {
		scope: "session",
		imported: false,
		path
	}];
}
var RuleFiles = class {
	known = /* @__PURE__ */ new Map();
	stateDir;
	instead;
	constructor(stateDir, instead = /* @__PURE__ */ new Map()) {
		this.stateDir = stateDir;
		this.instead = instead;
	}
	load(place) {
		const path = this.instead.get(place.path) ?? place.path;
		const identity = identityOf(path);
		const known = this.known.get(place.path);
		if (known !== void 0 && known.identity === identity) return known.loaded;
		const loaded = this.judged(place, contentOf({
			...place,
			path
		}));
		this.known.set(place.path, {
			identity,
			loaded
		});
		return loaded;
	}
	judged(place, content) {
		if (content.kind === "missing") return {
			...place,
			state: "missing",
			problems: [],
			hash: null,
			rules: null
		};
		const origin = {
			scope: place.scope,
			file: toDisplay(place.path)
		};
		const problems = [];
		if (content.kind === "text") {
			const { file, problems: found } = compileRuleText(content.text, origin);
			if (file !== null) {
				if (!this.instead.has(place.path)) this.keepGood(place.path, content.text);
				return {
					...place,
					state: "good",
					problems: [],
					hash: hash("sha256", content.text),
					rules: file
				};
			}
			problems.push(...found);
		} else problems.push(content.problem);
		const before = this.lastGood(place.path);
		const last = before === null ? null : compileRuleText(before, origin).file;
		if (before === null || last === null) return {
			...place,
			state: "broken",
			problems,
			hash: null,
			rules: null
		};
		return {
			...place,
			state: "last-good",
			problems,
			hash: hash("sha256", before),
			rules: last
		};
	}
	goodFile(path) {
		return `${this.stateDir}/rules/${hash("sha256", Buffer.from(path, "latin1"))}.json`;
	}
	lastGood(path) {
		const kept = readPlainJson(this.goodFile(path));
		const [ofPath, text] = Array.isArray(kept) ? kept : [];
		return ofPath === path && typeof text === "string" ? text : null;
	}
	keepGood(path, text) {
		if (this.lastGood(path) === text) return;
		orIfRefused(() => mkdirSync(`${this.stateDir}/rules`, {
			recursive: true,
			mode: 448
		}), void 0);
		tryWriteWhole(this.goodFile(path), Buffer.from(JSON.stringify([path, text]), "utf8"));
	}
};
function identityOf(path) {
	try {
		const found = lstat(path);
		if (found === null) return "";
		return [
			found.dev,
			found.ino,
			found.size,
			found.mode,
			found.uid,
			found.mtimeNs,
			found.ctimeNs
		].join(" ");
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return errorCode(error);
	}
}
function contentOf({ scope, path }) {
	const unusable = (problem) => ({
		kind: "unusable",
		problem
	});
	try {
		const found = lstat(path);
		if (found === null) return { kind: "missing" };
		if (found.type === "symlink") return unusable(fileIsLink());
		if (found.type !== "file") return unusable(fileIsNoFile());
		if (scope !== "project" && found.uid !== process.getuid?.()) return unusable(fileOfOther(found.uid));
		if (found.size > 2097152) return unusable(fileTooLarge(MAX_RULE_FILE_BYTES, found.size));
		const bytes = readPlainFile(Buffer.from(path, "latin1"));
		if (bytes === null) return { kind: "missing" };
		return isUtf8(bytes) ? {
			kind: "text",
			text: bytes.toString("utf8")
		} : unusable(fileNoText());
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return unusable(fileUnreadable(errorCode(error)));
	}
}
function readTrusted(stateDir) {
	const value = readPlainJson(`${stateDir}/trust.json`);
	const list = isObject(value) && value["v"] === 1 ? value["trusted"] : null;
	return Array.isArray(list) ? list.filter(isTrusted) : [];
}
function isTrusted(value) {
	if (!isObject(value)) return false;
	return [
		"project",
		"hash",
		"at"
	].every((key) => typeof value[key] === "string");
}
function loadRules(request, files = new RuleFiles(request.stateDir)) {
	const { project, stateDir, home, config } = request;
	const { enabled, sandboxed, builtIn } = config.rules;
	const loaded = rulePlaces({
		...request,
		projectRoot: project.root
	}).map((place) => files.load(place));
	const needsTrust = loaded.some((file) => file.scope === "project" && file.hash !== null);
	const hashes = new Set(needsTrust ? readTrusted(stateDir).flatMap((one) => one.project === project.id ? [one.hash] : []) : []);
	const own = loaded.map((file) => {
		return {
			...file,
			trusted: file.scope !== "project" || file.hash !== null && hashes.has(file.hash)
		};
	});
	const counting = enabled ? own : [];
	const dirs = counting.flatMap(({ trusted, rules }) => trusted ? rules?.allowedDirs ?? [] : []);
	return {
		enabled,
		sandboxed,
		deny: counting.flatMap(({ rules }) => rules?.deny ?? []),
		ordered: counting.flatMap(orderedOf),
		builtIn: new Set(enabled ? builtIn : []),
		allowedDirs: [...new Set(dirs.map((dir) => dir.replace(/^~(?=\/|$)/, home)).filter((dir) => isAbsolute(dir)))],
		effects: counting.flatMap(effectsOf).filter(({ effect }) => effect.do !== "auto"),
		auto: counting.filter((file) => mayCommit(file) && file.state === "good").flatMap(effectsOf).filter(({ effect }) => effect.do === "auto"),
		files: own,
		projectRoot: project.root
	};
}
function mayCommit({ scope, imported }) {
	return scope === "user" && !imported;
}
function effectsOf({ path, rules }) {
	return (rules?.effects ?? []).map((effect, i) => ({
		effect,
		place: `effects[${i}] of ${toDisplay(path)}`
	}));
}
function countingIn({ rules, trusted }) {
	return (rules === null ? [] : [...rules.deny, ...rules.ordered]).filter(({ rule, ref }) => rule.disabled !== true && (trusted || ref.list !== "allow"));
}
function orderedOf(file) {
	if (file.state === "broken") return [askAboutAll(file)];
	const rules = file.rules?.ordered ?? [];
	return file.trusted ? rules : rules.filter(({ ref }) => ref.list === "ask");
}
function askAboutAll({ scope, path, problems }) {
	const reason = problems[0] ?? "";
	return {
		ref: {
			scope,
			file: toDisplay(path),
			list: "ask",
			index: -1,
			hash: "",
			text: "",
			reason
		},
		rule: {},
		tool: null,
		match: [],
		until: null
	};
}
function builtInRef(name) {
	return {
		scope: "built-in",
		file: "",
		list: "allow",
		index: BUILT_IN.indexOf(name),
		hash: "",
		text: name,
		reason: ""
	};
}
function builtInFor(call, rules, facts) {
	const name = BUILT_IN.includes(call.tool) ? call.tool : isInAllowedDir(call, rules, facts) ? "allowed-dirs" : "";
	return rules.builtIn.has(name) ? builtInRef(name) : null;
}
var READING = /^(Read|Grep|Glob|LS|NotebookRead)$/;
var WRITING = /^(Edit|MultiEdit|Write|NotebookEdit)$/;
function isInAllowedDir({ tool, input, mode, cwd }, rules, facts) {
	if (rules.allowedDirs.length === 0 || !isObject(input)) return false;
	if (!READING.test(tool) && !(WRITING.test(tool) && mode === "acceptEdits")) return false;
	const path = input["file_path"] ?? input["notebook_path"] ?? input["path"];
	return typeof path === "string" && isInside(absolutePath(path, cwd, facts.home), rules.allowedDirs, facts);
}
function isInside(path, dirs, facts) {
	const found = facts.resolve(path);
	if (found === null || found.length === 0) return false;
	const roots = dirs.flatMap((dir) => facts.resolve(dir) ?? []);
	return found.every((one) => roots.some((root) => isWithin(one, root)));
}
function absolutePath(path, cwd, home) {
	const named = path.replace(/^~(?=\/|$)/, home);
	return posix.isAbsolute(named) ? named : `${cwd}/${named}`;
}
function resolvedPaths(path, cwd, facts) {
	const whole = absolutePath(path, cwd, facts.home);
	return [posix.normalize(whole), ...facts.resolve(whole) ?? []];
}
var SLOW_MS = 25;
var MOST_MS = 1e3;
var MOST_SLOW = 2;
var ENTRY = Symbol.for("trai.rules.guarded");
var script = new Script(`globalThis[Symbol.for('trai.rules.guarded')]()`);
var Guard = class {
	slow = /* @__PURE__ */ new Map();
	count = 0;
	running = null;
	isSpent = false;
	run(work) {
		const started = performance.now();
		const usage = process.cpuUsage();
		for (let limit = 50;;) {
			const spent = Math.min(performance.now() - started, processorMs(usage));
			this.isSpent = this.count >= MOST_SLOW || spent > MOST_MS;
			if (this.isSpent) return work();
			const before = process.cpuUsage();
			try {
				return interruptible(work, limit);
			} catch (error) {
				if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
				if (processorMs(before) >= SLOW_MS && this.noteSlow()) continue;
				limit *= 2;
			}
		}
	}
	test(pattern, text) {
		const { literals, atStart, regexp } = pattern;
		const isThere = (one) => atStart ? text.startsWith(one) : text.includes(one);
		if (literals.length > 0 && !literals.some(isThere)) return false;
		return this.watch(pattern, text, () => regexp.test(text));
	}
	watch(what, text, match) {
		if (this.isSpent || this.slow.get(what)?.has(text) === true) return null;
		this.running = {
			what,
			text,
			since: performance.now()
		};
		const found = match();
		this.running = null;
		return found;
	}
	noteSlow() {
		if (this.running === null || performance.now() - this.running.since < SLOW_MS) return false;
		const { what, text } = this.running;
		this.slow.set(what, (this.slow.get(what) ?? /* @__PURE__ */ new Set()).add(text));
		this.count += 1;
		return true;
	}
};
function processorMs(since) {
	const { user, system } = process.cpuUsage(since);
	return (user + system) / 1e3;
}
function interruptible(work, timeout) {
	const results = [];
	Reflect.set(globalThis, ENTRY, () => {
		results.push(work());
	});
	try {
		script.runInThisContext({ timeout });
	} finally {
		Reflect.deleteProperty(globalThis, ENTRY);
	}
	const [result] = results;
	return result === void 0 ? work() : result;
}
var HOME_KEYS = ".ssh/ .gnupg/ .aws/ .kube/ .docker/ .azure/ .config/gcloud/ .config/gh/ .password-store/ .netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf".split(" ");
var ROOT_KEYS = "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d/ /etc/ssh/ /etc/pam.d/".split(" ");
var HOME_CREDENTIALS = atOrBelow(HOME_KEYS);
var ROOT_CREDENTIALS = atOrBelow(ROOT_KEYS);
var DOT = 46;
function holdsKeys(path, home) {
	return [path, `${path}/`].some((one) => isAt({ path: one }, ROOT_CREDENTIALS, home, HOME_CREDENTIALS));
}
function keyPaths(home) {
	return [...HOME_KEYS.map((key) => `${home}/${key}`), ...ROOT_KEYS];
}
function isAt({ path }, anywhere, home, inHome) {
	const below = belowHome(path, home);
	return anywhere.test(path) || below !== null && inHome.test(below);
}
function belowHome(path, home) {
	if (path.charCodeAt(home === "/" ? 1 : home.length + 1) !== DOT) return null;
	return path !== home && isWithin(path, home) ? path.slice(home === "/" ? 1 : home.length + 1) : null;
}
function atOrBelow(paths) {
	const forms = paths.map((path) => path.replaceAll(".", "\\.") + (path.endsWith("/") ? "" : "$"));
	return new RegExp(`^(?:${forms.join("|")})`, "s");
}
var MAX_WORDS = 200;
var MAX_BRACES = 8;
function withoutBraces(words) {
	if (!words.some(hasBraces)) return words;
	const found = [];
	for (const word of words) if (found.length >= MAX_WORDS || !hasBraces(word)) found.push(word);
	else for (const pieces of expanded(word.pieces)) if (pieces.length > 0) found.push(wordOf(pieces));
	return found;
}
function hasBraces({ value, pieces }) {
	return value === null && pieces.some(isBrace);
}
function isBrace(piece) {
	return (piece.kind === "pattern" || piece.kind === "odd" && piece.scripts.length === 0) && piece.text.startsWith("{");
}
function expanded(pieces) {
	let forms = [[]];
	const last = pieces.filter(isBrace)[MAX_BRACES];
	const end = last === void 0 ? pieces.length : pieces.indexOf(last);
	for (const piece of pieces.slice(0, end)) {
		const options = (isBrace(piece) && "text" in piece ? textsOf$2(piece.text.replace(/['"]/g, ""), 0) : null)?.map((text) => text === "" ? [] : [{
			kind: "text",
			text,
			quoted: false
		}]);
		forms = forms.flatMap((form) => (options ?? [[piece]]).map((option) => [...form, ...option])).slice(0, MAX_WORDS);
	}
	if (last === void 0) return forms;
	const rest = pieces.slice(end).map((piece) => "text" in piece ? piece.text : piece.kind);
	return forms.map((form) => [...form, {
		kind: "odd",
		text: rest.join(""),
		scripts: []
	}]);
}
function wordOf(pieces) {
	const texts = pieces.map((piece) => piece.kind === "text" ? piece.text : null);
	const value = texts.includes(null) ? null : texts.join("");
	return {
		source: pieces.map((piece) => "text" in piece ? piece.text : "").join(""),
		value,
		pieces
	};
}
function textsOf$2(text, depth) {
	const from = text.indexOf("{");
	const parts = from < 0 || depth > MAX_BRACES ? null : partsAt(text, from);
	if (parts === null) return [text];
	const { options, end } = parts;
	const heads = options.flatMap((one) => textsOf$2(one, depth + 1)).map((one) => text.slice(0, from) + one);
	const tails = textsOf$2(text.slice(end), depth + 1);
	return heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_WORDS);
}
function partsAt(text, from) {
	const options = [];
	let [depth, start] = [0, from + 1];
	for (let at = from; at < text.length; at++) {
		const sign = text[at];
		if (sign === "\\") at++;
		else if (sign === "{") depth++;
		else if (sign === "}") depth--;
		if (depth === 0 || sign === "," && depth === 1) {
			options.push(text.slice(start, at).replace(/\\(.)/gs, "$1"));
			start = at + 1;
		}
		if (depth > 0) continue;
		const all = options.length > 1 ? options : rangeOf(options[0] ?? "");
		return all === null ? null : {
			options: all,
			end: start
		};
	}
	return null;
}
function rangeOf(text) {
	const [, first, last] = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text) ?? [];
	if (first === void 0 || last === void 0) return null;
	const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)].sort((a, b) => a - b);
	const all = Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i));
	return first < last ? all : all.reverse();
}
var HELP = "--help --version --";
var WRAPPERS = {
	env: {
		options: `-i0v -u= -C= -a= --ignore-environment --null --unset= --chdir= --argv0= --block-signal? --default-signal? --ignore-signal?
      --list-signal-handling --debug ${HELP}`,
		runs: "words",
		sets: true,
		moves: ["-C", "--chdir"]
	},
	command: {
		options: "-pvV --",
		runs: "words",
		except: ["-v", "-V"]
	},
	builtin: {
		options: "--",
		runs: "words"
	},
	exec: {
		options: "-cl -a= --",
		runs: "words"
	},
	nohup: {
		options: HELP,
		runs: "words"
	},
	nice: {
		options: `-# -n= --adjustment= ${HELP}`,
		runs: "words"
	},
	ionice: {
		options: `-t -c= -n= -p= -P= -u= --class= --classdata= --pid= --pgid= --uid= --ignore ${HELP}`,
		runs: "words",
		except: [
			"-p",
			"-P",
			"-u",
			"--pid",
			"--pgid",
			"--uid"
		]
	},
	timeout: {
		options: `-vfp -s= -k= --signal= --kill-after= --foreground --preserve-status --verbose ${HELP}`,
		runs: "words",
		skip: 1
	},
	time: {
		options: `-pqv -f= --format= --portability --verbose --quiet ${HELP}`,
		runs: "words"
	},
	stdbuf: {
		options: `-i= -o= -e= --input= --output= --error= ${HELP}`,
		runs: "words"
	},
	setsid: {
		options: `-cfw --ctty --fork --wait ${HELP}`,
		runs: "words"
	},
	noglob: {
		options: "",
		runs: "words"
	},
	nocorrect: {
		options: "",
		runs: "words"
	},
	"-": {
		options: "",
		runs: "words"
	},
	"!": {
		options: "",
		runs: "words"
	},
	eval: {
		options: "--",
		runs: "text",
		any: true
	},
	watch: {
		options: `-bcegprtwxC -n= -q= -s= -d? --beep --color --no-color --differences? --errexit --chgexit --equexit= --interval=
      --precise --no-rerun --no-title --no-wrap --exec ${HELP}`,
		runs: "text"
	},
	xargs: {
		options: `-0rtpxo -a= -d= -E= -e? -I= -i? -L= -l? -n= -P= -s= --null --arg-file= --delimiter= --eof? --replace? --max-lines?
      --max-args= --max-procs= --max-chars= --no-run-if-empty --verbose --interactive --open-tty --process-slot-var= --exit
      --show-limits ${HELP}`,
		runs: "words",
		fills: true
	},
	parallel: {
		options: "-kXmqu -j= -n= -N= -I= -a= --jobs= --keep-order --bar --eta --will-cite --dry-run --max-args= --arg-file= --colsep= --",
		runs: "text",
		fills: true,
		also: true
	},
	flock: {
		options: `-sxeunFov -w= -E= --shared --exclusive --unlock --nonblock --nb --timeout= --wait= --conflict-exit-code= --close
      --no-fork --fcntl --verbose ${HELP}`,
		runs: "words",
		skip: 1,
		also: true
	},
	script: {
		options: `-aefqT -c= -E= -I= -O= -B= -m= -o= -t? --append --command= --echo= --return --flush --force --log-in= --log-out=
      --log-io= --logging-format= --output-limit= --quiet --timing? --log-timing= ${HELP}`,
		runs: "text",
		text: ["-c", "--command"],
		also: true
	},
	sudo: {
		options: `-ABbEHiKklNnPSsVv -C= -D= -g= -p= -r= -T= -t= -U= -u= --askpass --background --bell --close-from=
      --preserve-env? --chdir= --group= --set-home --host= --login --remove-timestamp --reset-timestamp --list
      --non-interactive --preserve-groups --prompt= --role= --stdin --shell --type= --other-user= --command-timeout=
      --user= --validate ${HELP}`,
		runs: "words",
		sets: true,
		moves: [
			"-D",
			"--chdir",
			"-i",
			"--login"
		],
		privileged: true
	},
	doas: {
		options: "-Lns -a= -C= -u= --",
		runs: "words",
		privileged: true
	},
	su: {
		options: `-lmpfP -c= -g= -G= -w= --command= --session-command= --login --preserve-environment --group=
      --supp-group= --fast --pty --whitelist-environment= ${HELP}`,
		runs: "text",
		text: [
			"-c",
			"--command",
			"--session-command"
		],
		moves: [
			"-l",
			"--login",
			"-"
		],
		privileged: true
	}
};
var SHELL = `-abCefhmnuvxilcrsDEHkpPtTB -o= -O= --norc --noprofile --login --posix --restricted --verbose --noediting --`;
var SHELLS = wordSet("sh bash zsh dash ksh ash mksh");
var INTERPRETERS = /^(python|python\d(\.\d+)?|perl|ruby|node|nodejs|php|lua|deno|bun|tclsh|Rscript|osascript|psql|mysql|sqlite3)$/;
var OTHER_RUNNERS = wordSet(`strace ltrace chrt taskset setarch unbuffer chronic runuser unshare nsenter chroot systemd-run entr busybox toybox
   ssh-agent dbus-run-session xvfb-run firejail bwrap fakeroot proxychains torsocks catchsegv valgrind gdb rlwrap
   setpriv capsh pkexec run0 sg newgrp at batch coproc prlimit choom numactl cpulimit gosu su-exec linux32 linux64 i386 x86_64
   eatmydata faketime fakechroot proot trickle dtach emulate repeat fish csh tcsh pwsh nu elvish xonsh`);
var OTHER_KNOWN = /* @__PURE__ */ new Set([
	...SHELLS,
	"find",
	"trap",
	"git",
	...OTHER_RUNNERS
]);
function nameOfProgram(word) {
	const value = word?.value ?? "";
	return value.slice(value.lastIndexOf("/") + 1);
}
function unwrap(words) {
	const name = nameOfProgram(words[0]);
	if (!Object.hasOwn(WRAPPERS, name) && !OTHER_KNOWN.has(name)) return null;
	const found = unwrapAs(name, words.slice(1));
	return found !== null && programOf({ words: words.slice(0, 1) }) === null ? {
		...found,
		sure: false
	} : found;
}
function unwrapAs(name, args) {
	const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : void 0;
	if (SHELLS.has(name)) return ofShell(args);
	if (name === "find") return ofFind(args);
	if (name === "trap") return ofTrap(args);
	if (name === "git") return ofGit(args);
	return wrapper === void 0 ? guessed(args) : ofWrapper(wrapper, args);
}
function made(inner, changed = {}) {
	const { privileged = false, also = false, fills = false, sets = [], moves = false, sure = true } = changed;
	return {
		inner,
		privileged,
		also,
		fills,
		sets,
		moves,
		sure
	};
}
function setsVariable({ value, pieces }) {
	if (value !== null) return value.includes("=");
	return pieces.some((piece) => piece.kind === "text" && piece.text.includes("="));
}
function ofWrapper(wrapper, args) {
	const { privileged = false, also = false, fills = false } = wrapper;
	const stop = wrapper.text === void 0;
	const unknown = () => wrapper.any === true;
	const read = readOptions(args, wrapper.options, {
		stop,
		unknown,
		anyValue: true
	});
	const moves = hasAny(read, wrapper.moves);
	const about = {
		privileged,
		also,
		fills,
		moves
	};
	if (read.bad !== null) return {
		...guessed(args),
		...about,
		sure: false
	};
	if (hasAny(read, wrapper.except)) return null;
	if (wrapper.text !== void 0) return ofTextOption(wrapper.text, read, args, about);
	const operands = read.operands.slice(wrapper.skip ?? 0);
	const isSet = (word) => wrapper.sets === true && setsVariable(word);
	const first = operands.findIndex((word) => !isSet(word));
	const sets = first < 0 ? operands : operands.slice(0, first);
	const rest = operands.slice(sets.length);
	if (wrapper.skip !== void 0 && /^(-c|--command)$/.test(rest[0]?.value ?? "")) return made([{
		kind: "text",
		text: rest.slice(1, 2)
	}], about);
	if (rest.length === 0) return null;
	const end = fills ? rest.findIndex(({ value }) => /^:::/.test(value ?? "")) : -1;
	const command = end < 0 ? rest : rest.slice(0, end);
	return made([wrapper.runs === "words" || hasAny(read, ["-x", "--exec"]) ? {
		kind: "words",
		words: command
	} : {
		kind: "text",
		text: command
	}], {
		privileged,
		also,
		fills,
		moves,
		sets
	});
}
function ofTextOption(names, { named }, args, about) {
	const name = names.find((one) => named.has(one));
	if (name === void 0) return null;
	const value = named.get(name) ?? null;
	if (value === null) return {
		...guessed(args),
		...about,
		sure: false
	};
	return made([{
		kind: "text",
		text: [value]
	}], about);
}
function hasAny({ named }, names = []) {
	return names.some((name) => named.has(name));
}
function ofShell(args) {
	const plain = args.filter(({ value }) => value === null || !/^\+[A-Za-z]+$/.test(value));
	const read = readOptions(plain, SHELL, {
		stop: true,
		anyValue: true
	});
	if (read.bad !== null) {
		const at = plain.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? ""));
		return at < 0 ? null : made([{
			kind: "text",
			text: plain.slice(at + 1, at + 2)
		}], { sure: false });
	}
	if (!read.named.has("-c")) return null;
	const [text, ...rest] = read.operands;
	return made([{
		kind: "text",
		text: text === void 0 ? [] : [text],
		args: rest
	}]);
}
function runsFile(name) {
	return SHELLS.has(name) || name === "source" || name === ".";
}
function filesRunBy([shell, ...args]) {
	if (!SHELLS.has(nameOfProgram(shell))) return args.slice(0, 1);
	const read = readOptions(args, SHELL, {
		stop: true,
		anyValue: true
	});
	return read.bad === null ? read.operands.slice(0, 1) : args;
}
function mayReadProgram(name) {
	return runsFile(name) || INTERPRETERS.test(name);
}
function readsProgram(words) {
	const name = nameOfProgram(words[0]);
	const args = words.slice(1);
	if (SHELLS.has(name)) {
		const read = readOptions(args, SHELL, {
			stop: true,
			anyValue: true
		});
		return (read.bad !== null || read.named.has("-s") || read.operands.every(isInput)) && !read.named.has("-c") ? "shell" : null;
	}
	if (name === "source" || name === ".") return isInput(args[0]) ? "shell" : null;
	if (!INTERPRETERS.test(name)) return null;
	return args.every((word) => isInput(word) || (word.value ?? "").startsWith("-")) ? "interpreter" : null;
}
function innermost(words) {
	let inner = words;
	for (let i = 0; i < 12; i++) {
		const [only] = unwrap(inner)?.inner ?? [];
		if (only?.kind !== "words") return inner;
		inner = only.words;
	}
	return inner;
}
function innermostReads(words) {
	if (!words.some((word) => mayReadProgram(nameOfProgram(word)))) return null;
	return readsProgram(innermost(words));
}
function isInput(word) {
	return /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word?.value ?? "");
}
function ofFind(args) {
	const inner = [];
	for (let at = 0; at < args.length; at++) {
		if (!/^-(exec|ok)(dir)?$/.test(args[at]?.value ?? "")) continue;
		const words = [];
		for (at++; at < args.length && !/^[;+]$/.test(args[at]?.value ?? ""); at++) words.push(...args.slice(at, at + 1));
		inner.push({
			kind: "words",
			words
		});
	}
	return inner.length === 0 ? null : made(inner, {
		also: true,
		fills: true
	});
}
function ofTrap(args) {
	const rest = args[0]?.value === "--" ? args.slice(1) : args;
	const value = rest[0]?.value ?? null;
	if (rest.length < 2 || value === "" || value?.startsWith("-") === true) return null;
	return made([{
		kind: "text",
		text: rest.slice(0, 1)
	}]);
}
function ofGit(args) {
	const inner = args.flatMap((word) => {
		const text = /=\s*!(.*)$/s.exec(word.value ?? "")?.[1];
		return text === void 0 ? [] : [{
			kind: "text",
			text: [literalWord(text)]
		}];
	});
	return inner.length === 0 ? null : made(inner, {
		also: true,
		fills: true
	});
}
function literalWord(text) {
	return {
		source: text,
		value: text,
		pieces: [{
			kind: "text",
			text,
			quoted: true
		}]
	};
}
var MAX_GUESSES = 12;
function guessed(args) {
	const inner = [];
	for (const [at, { value }] of args.slice(0, MAX_GUESSES).entries()) {
		const attached = /^(?:-[A-Za-z]|--[\w-]+=)(.+)$/s.exec(value ?? "")?.[1];
		if (value !== null && /\s/.test(value)) inner.push({
			kind: "text",
			text: [literalWord(attached ?? value)]
		});
		else if (attached === void 0 && !(value ?? "").startsWith("-")) inner.push({
			kind: "words",
			words: args.slice(at)
		});
	}
	return made(inner, {
		also: true,
		fills: true,
		sure: false
	});
}
var MAX_TEXTS = 8;
var Spellings = class {
	list = [];
	add(spelling, text) {
		if (text !== "" && !this.list.some(([, one]) => one === text)) this.list.push([spelling, text]);
	}
};
var WordTexts = class {
	values = new KnownValues(textOfPiece);
	aliases = /* @__PURE__ */ new Map();
	functions = /* @__PURE__ */ new Map();
	learn(command) {
		this.values.learn(command);
		if (command.words[0]?.value !== "alias") return false;
		let defines = false;
		for (const { value } of command.words.slice(1)) {
			const [, name, text] = /^([^=]+)=(.*)$/s.exec(value ?? "") ?? [];
			if (name !== void 0 && text !== void 0) this.aliases.set(name, text);
			defines ||= name !== void 0 || value === null;
		}
		return defines;
	}
	learnFunctions(script) {
		for (const { name, from, to } of script.functions) this.functions.set(name, script.commands.slice(from, to));
	}
	dequoted(words) {
		if (words.every(({ value }) => value !== null)) return [words.map(({ value }) => value ?? "").join(" ").trimStart()];
		let texts = [""];
		for (const [i, word] of withoutBraces(words).entries()) {
			const options = this.values.textsOf(word).map(tilde);
			const before = i === 0 ? "" : " ";
			texts = texts.flatMap((text) => options.map((one) => text + before + one)).slice(0, MAX_TEXTS);
		}
		return texts.map((text) => text.replace(/^\s+/, ""));
	}
	expanded(words) {
		const [first, ...rest] = words;
		const value = first?.value ?? "";
		const name = value.startsWith("=") ? value.slice(1) : nameOfProgram(first);
		if (name === value && !this.aliases.has(name) && !this.functions.has(name)) return [];
		const args = this.dequoted(rest);
		const texts = name === value || name === "" ? [] : args.map((one) => `${name} ${one}`.trimEnd());
		const alias = this.aliases.get(name);
		if (alias !== void 0) for (const { words: inner } of parseShell(alias).commands) texts.push(...args.flatMap((one) => this.dequoted(inner).map((text) => `${text} ${one}`)));
		for (const { words: inner } of this.functions.get(name) ?? []) texts.push(inner.map((word) => word.pieces.map((piece) => argument(piece, args[0] ?? "")).join("")).join(" "));
		return texts;
	}
};
function canonical(words) {
	return words.map((word) => tilde(word.value ?? word.pieces.map(canonicalPiece).join(""))).join(" ");
}
function withoutUnknown(words) {
	return words.map(({ value, pieces }) => {
		return value ?? pieces.map((piece) => piece.kind === "text" ? piece.text : "").join("");
	}).join(" ").trim();
}
function withLines(word) {
	return literalWord((word.value ?? "").replace(/\\n/g, "\n"));
}
function withPositions(text, args) {
	return text.replace(/"?\$\{?(\d|[@*])\}?"?/g, (_, name) => /\d/.test(name) ? args[Number(name)] ?? "" : args.slice(1).join(" "));
}
function textOfPiece(piece) {
	if (piece.kind === "variable") return piece.name === "IFS" && !piece.quoted ? " " : `$${piece.name}`;
	if (piece.kind === "script") return piece.source;
	return /^\$\{\w*:?[-=+]([^{}$`]*)\}$/.exec(piece.text)?.[1] ?? piece.text;
}
var tilde = (text) => text.replace(/^~~/, "~");
function canonicalPiece(piece) {
	return piece.kind === "variable" ? `$${piece.name}` : piece.kind === "script" ? piece.source : piece.text;
}
function argument(piece, args) {
	if (piece.kind !== "variable") return textOfPiece(piece);
	if (piece.name === "@" || piece.name === "*") return args;
	return /^[1-9]$/.test(piece.name) ? args.split(" ")[Number(piece.name) - 1] ?? "" : textOfPiece(piece);
}
var MAX_SUFFIXES = 64;
function roughly(piece, anywhere) {
	const bare = piece.replace(/['"\\]/g, "").replace(/\s+/g, " ").trim();
	if (bare === "") return null;
	const spellings = new Spellings();
	spellings.add("written", piece.trim());
	spellings.add("dequoted", bare);
	spellings.add("unwrapped", bare.replace(/^((\w+=\S*|[!-]|then|do|else|sudo|exec|command|env|nohup) )+/, ""));
	const words = anywhere ? bare.split(" ") : [];
	for (const [i] of words.slice(0, MAX_SUFFIXES).entries()) spellings.add("unwrapped", words.slice(i).join(" "));
	return spellings;
}
var ELSEWHERE = wordSet(`ssh scp sftp mosh telnet ftp lftp nc ncat netcat socat http https xh xhs mail mailx mutt sendmail msmtp
   dbus-send gdbus busctl qdbus loginctl machinectl systemctl
   kubectl oc helm k9s istioctl argocd flux aws gcloud gsutil bq az doctl linode-cli hcloud oci ibmcloud eb
   vercel netlify fly flyctl heroku wrangler firebase surge railway render now
   terraform tofu terragrunt pulumi cdk sls serverless sam copilot ansible ansible-playbook packer nomad vault
   twine goreleaser kill pkill killall skill xkill fuser`);
var SUBCOMMANDS = {
	npm: /^(publish|unpublish|deprecate|dist-tag|access|owner|token|login|adduser|team|star|unstar)$/,
	pnpm: /^(publish|deploy)$/,
	yarn: /^(publish|npm)$/,
	bun: /^publish$/,
	cargo: /^(publish|yank|owner|login)$/,
	gem: /^(push|yank|owner|signin)$/,
	poetry: /^publish$/,
	uv: /^publish$/,
	flit: /^publish$/,
	hatch: /^publish$/,
	mvn: /^(deploy|release:.*)$/,
	gradle: /^publish/,
	gradlew: /^publish/,
	docker: /./,
	podman: /^(push|login)$/,
	git: /^(push|send-email|svn|p4|alias\..*)$/i,
	gh: /./,
	glab: /./,
	openssl: /^s_client$/
};
var RUNNERS = {
	npx: null,
	bunx: null,
	uvx: null,
	pnpx: null,
	pnpm: /^(dlx|exec)$/,
	yarn: /^(dlx|exec)$/,
	npm: /^(exec|x)$/,
	bun: /^x$/,
	pipx: /^run$/,
	uv: /^run$/,
	poetry: /^run$/,
	bundle: /^exec$/,
	python: /^-m$/,
	python3: /^-m$/
};
var CURL_SENDS = /^(-[A-Za-z#:0-9]*[dFTK]|-[A-Za-z#:0-9]*X(?=.)(?!GET$|HEAD$)|--(da|fo|up|js|conf|request(?!=(GET|HEAD)$)|url-query|mail))/;
var WGET_SENDS = /^--(post|body|method|config|input-file|execute)|^-[A-Za-z]*[ei]/;
var reads = (when, choose) => {
	return (args) => {
		const isOne = (one, i) => (i === 0 || one.startsWith("-")) && when.test(one);
		return args.some(isOne) ? choose(operandsOf(args), args) : [];
	};
};
var ENTERS = /^(-C|--directory)$/;
function operandsOf(args) {
	return args.filter((one, i) => !one.startsWith("-") && !ENTERS.test(args[i - 1] ?? ""));
}
function enteredBy(args) {
	return args.flatMap((one, i) => {
		const [, attached] = /^(?:-C|--directory=)(.+)$/.exec(one) ?? [];
		return ENTERS.test(args[i - 1] ?? "") ? [one] : attached === void 0 ? [] : [attached];
	});
}
var all = (operands) => operands;
var allButLast = (operands) => operands.slice(0, -1);
var TARGET = /^(?:-[A-Za-z]*?t|--target-directory(?:=|$))(.*)$/s;
var allButTarget = (operands, args) => {
	const at = args.findIndex((one) => TARGET.test(one));
	if (at < 0) return allButLast(operands, args);
	const isApart = TARGET.exec(args[at] ?? "")?.[1] === "";
	return operands.filter((one) => !isApart || one !== args[at + 1]);
};
var PATTERN = /^(-[A-Za-z0-9]*?[ef].|--(regexp|file)=)/s;
var behindPattern = (operands, args) => {
	const paths = args.some((one) => PATTERN.test(one)) ? operands : operands.slice(1);
	return paths.length === 0 ? ["."] : paths;
};
var beforeTests = (_, args) => {
	const paths = args.filter((one) => !/^-([HLP]$|O)/.test(one));
	const end = paths.findIndex((one) => /^[-(!]/.test(one));
	return end === 0 || paths.length === 0 ? ["."] : end < 0 ? paths : paths.slice(0, end);
};
var ALWAYS = /^/;
var EXEC = /^-(exec|ok)(dir)?$/;
var FD_EXEC = /^(-[A-Za-z]*[xX]|--exec(-batch)?)/;
var ARCHIVES = /^-?[A-Za-z]*[cru]|^--(create|append|update)/;
var COPIES = /^-[A-Za-z]*[rRa]|^--(recursive|archive)/;
var RECURSIVE = /^-[A-Za-z]*[rR]|^--(dereference-)?recursive/;
var GREP_RECURSIVE = /^-[A-Za-ce-z]*([rR]|d=?rec)|^--(dereference-)?recursive|^--directories=rec/;
var greps = (args, isTaken) => {
	const joined = args.flatMap((one, i) => {
		if (GREP_DIRECTORIES.test(one)) return [`${one}=${args[i + 1] ?? ""}`];
		return GREP_DIRECTORIES.test(args[i - 1] ?? "") ? [] : [one];
	});
	return reads(GREP_RECURSIVE, behindPattern)(joined, isTaken);
};
var GREP_DIRECTORIES = /^(-[A-Za-ce-z]*d|--directories)$/;
var lists = (when, choose) => {
	return (args, isTaken) => isTaken ? choose(operandsOf(args), args) : reads(when, choose)(args, isTaken);
};
var READS_BELOW = {
	tar: reads(ARCHIVES, all),
	bsdtar: reads(ARCHIVES, all),
	zip: reads(/^-[A-Za-z]*r|^--recurse/, all),
	"7z": reads(/^[au]$/, all),
	cp: reads(COPIES, allButTarget),
	rsync: reads(COPIES, allButLast),
	diff: reads(RECURSIVE, all),
	grep: greps,
	egrep: greps,
	fgrep: greps,
	rgrep: reads(ALWAYS, behindPattern),
	rg: reads(ALWAYS, behindPattern),
	ag: reads(ALWAYS, behindPattern),
	ack: reads(ALWAYS, behindPattern),
	find: lists(EXEC, beforeTests),
	fd: lists(FD_EXEC, behindPattern),
	fdfind: lists(FD_EXEC, behindPattern)
};
var TAKES_NAMES = wordSet("xargs parallel read mapfile readarray");
var SUBSTITUTES = /\$\(|`|<\(/;
function takesNames({ segments, whole }) {
	const isOne = ([, text]) => TAKES_NAMES.has(nameIn(text.split(/\s/, 1)[0]));
	return SUBSTITUTES.test(whole) || segments.some(({ spellings }) => spellings.some(isOne));
}
function nameIn(word = "") {
	return word.slice(word.lastIndexOf("/") + 1);
}
function leavingWhy(segment, isTaken, facts) {
	for (const [, text] of segment.spellings) {
		const [first = "", ...args] = text.split(/\s+/);
		const name = nameIn(first);
		if (acts(name, args)) return LEAVING.program(name);
		const key = keyIn([first, ...args], segment, facts);
		if (key !== void 0) return LEAVING.keys(key);
	}
	for (const [name, args] of argumentsOf(segment)) {
		const dir = keysBelow(Object.hasOwn(READS_BELOW, name) ? READS_BELOW[name]?.(args, isTaken) ?? [] : [], args, segment, facts);
		if (dir !== void 0) return LEAVING.keysBelow(name, dir);
	}
	if (segment.files.some((one) => /\/dev\/(tcp|udp)\//.test(one))) return LEAVING.program("/dev/tcp");
	const key = keyIn(segment.files, segment, facts);
	return key === void 0 ? null : LEAVING.keys(key);
}
function keyIn(words, { where }, facts) {
	const paths = words.flatMap(pathsIn);
	const isHome = (path) => named$1(path, facts).replace(/\/+$/, "") === facts.home;
	const dirs = [...dirsOf(words, where.dirs ?? [facts.home], facts), ...paths.some(isHome) ? [facts.home] : []];
	return paths.find((path) => dirs.some((dir) => isKey(named$1(path, facts), dir, facts)));
}
function argumentsOf({ command, spellings }) {
	const words = command?.words.map((word) => canonical([word])) ?? [];
	const spaced = words.filter((word) => /\S\s|\s\S/.test(word));
	const whole = (text) => spaced.reduce((all, word) => all.replaceAll(word, () => word.replace(/\s/g, "\0")), text);
	const emptied = command?.words.some(({ pieces }) => pieces.some((one) => one.kind !== "text")) === true ? withoutUnknown(command?.words ?? []) : "";
	return [words, ...spellings.filter(([spelling, text]) => (command === null || spelling !== "written") && text !== emptied).map(([, text]) => whole(text).split(/\s+/))].map(([first, ...args]) => [nameIn(first), args]);
}
function dirsOf(args, start, facts) {
	const found = [...start];
	let now = start;
	for (const path of enteredBy(args)) {
		now = now.map((dir) => absolutePath(named$1(path, facts), dir, facts.home));
		found.push(...now);
	}
	return found;
}
function keysBelow(paths, args, { where }, facts) {
	const dirs = dirsOf(args, where.dirs ?? [UNKNOWN], facts);
	const isAbove = (path, dir) => resolvedPaths(named$1(path, facts), dir, facts).some((one) => mayBeAboveKeys(one, facts.home));
	return paths.find((path) => dirs.some((dir) => isAbove(path, dir)));
}
function acts(name, args) {
	if (ELSEWHERE.has(name) || REACHING.has(name)) return true;
	const isUnknown = args.some((one) => one.startsWith("$"));
	if (name === "curl") return isUnknown || args.some((one) => CURL_SENDS.test(one)) || sendsByMethod(args);
	if (name === "wget") return isUnknown || args.some((one) => WGET_SENDS.test(one));
	if (name === "rsync") return isUnknown || args.some((one) => /^[^/-][^/]*:|^rsync:/.test(one));
	const verbs = args.filter((one) => !one.startsWith("-"));
	const subcommands = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : void 0;
	const most = 3 + args.length - verbs.length;
	if (subcommands !== void 0 && verbs.slice(0, most).some((one) => subcommands.test(one))) return true;
	const runs = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : void 0;
	if (runs === void 0) return false;
	const at = runs === null ? -1 : args.findIndex((one) => runs.test(one));
	if (runs !== null && at < 0) return false;
	const behind = args.slice(at + 1);
	const program = behind.findIndex((one) => !one.startsWith("-"));
	return program >= 0 && acts((behind[program] ?? "").replace(/(.)@.*$/, "$1"), behind.slice(program + 1));
}
function sendsByMethod(args) {
	return args.some((one, i) => /^(-[A-Za-z]*X|--request)$/.test(one) && !/^(GET|HEAD)$/.test(args[i + 1] ?? ""));
}
var UNKNOWN = "/?";
var HOME_NAMES = /^(?:~[^/]*|\$\{?HOME\}?)(?=\/|$)/;
function named$1(path, { home }) {
	return path.replace(HOME_NAMES, home);
}
function pathsIn(word) {
	return word.replace(/^-[A-Za-z0-9]+(?=[/~.$])/, "").split(/['"=:,;@<>|]+/).filter((one) => /[/~.]|^\$\{?HOME/.test(one));
}
function isKey(path, dir, facts) {
	const { home } = facts;
	return resolvedPaths(path, dir, facts).some((one) => {
		return /[*?[]/.test(one) ? mayHoldKeys(one, home) : holdsKeys(fromText(one), fromText(home));
	});
}
function mayHoldKeys(glob, home) {
	const parts = namesIn$3(glob);
	return keyPaths(home).some((key) => {
		const names = namesIn$3(key);
		return (key.endsWith("/") ? parts.length >= names.length : parts.length === names.length) && names.every((name, i) => mayBe(parts[i] ?? "", name));
	});
}
function mayBeAboveKeys(glob, home) {
	const parts = namesIn$3(glob);
	return keyPaths(home).some((key) => {
		const names = namesIn$3(key);
		return parts.length < names.length && parts.every((part, i) => mayBe(part, names[i] ?? ""));
	});
}
var namesIn$3 = (path) => path.split("/").filter((part) => part !== "");
function mayBe(glob, name) {
	return (!name.startsWith(".") || glob.startsWith(".")) && globMatches(glob, name);
}
var READERS = wordSet(`cal uptime cat head tail wc stat strings hexdump od nl id uname free df du locale groups nproc basename dirname
   realpath cut paste tr column tac rev fold expand unexpand fmt comm cmp numfmt readlink diff true false sleep which type
   expr test getconf seq tsort pr docker echo pwd whoami ls find cd jq uniq history alias arch node python python3 : [`);
var literally = (form) => (args) => form.test(args.map(({ value }) => value ?? "\0").join(" "));
var FORMS = {
	history: literally(/^\d*$/),
	alias: literally(/^$/),
	node: literally(/^(-v|--version)$/),
	python: literally(/^(-V|--version)$/),
	python3: literally(/^(-V|--version)$/),
	jq: literally(/^(?!.*\b(import|include)\b)[^\0]*$/s),
	strings: literally(/^(?!(.* )?@)[^\0]*$/s),
	docker: literally(/^(ps|images)( (-a|-q|-aq|--all|--quiet|--no-trunc))*$/)
};
var NO_FILES = wordSet(`echo printf true false : seq sleep basename dirname date whoami id uname nproc uptime arch groups locale getconf
   which type command expr cal free ps printenv env node python python3 docker history alias export numfmt`);
var FOLLOWS = {
	ls: /^-[A-Za-z]*L|^--dereference/,
	grep: /^-[A-Za-z]*R|^--dereference-recursive/,
	find: /^-(L|follow)$/,
	rg: /^-[A-Za-z]*L|^--follow/,
	du: /^-[A-Za-z]*L|^--dereference/,
	tree: /^-[A-Za-z]*l/,
	diff: /^-[A-Za-z]*r|^--recursive/,
	file: /^-[A-Za-z]*f|^--files-from/
};
var NAMES_FILES = /^--files0-from/;
function isReadOnly(command, where, dirs, facts) {
	const program = programOf(command);
	const args = command.words.slice(1);
	if (program === null || !(READERS.has(program) || facts.readOnly.includes(program))) return false;
	const files = command.redirects.filter((one) => readsFile(one, facts.home));
	if (!command.assignments.every(isHarmlessAssignment)) return false;
	if (!command.redirects.every((one) => isHarmlessRedirect(one) || files.includes(one))) return false;
	const form = Object.hasOwn(FORMS, program) ? FORMS[program] : void 0;
	if (!readsOnly$1(program, args) || form?.(args) === false) return false;
	const inside = new Inside(where, dirs, facts);
	if (!files.every(({ target }) => inside.has(target))) return false;
	if (NO_FILES.has(program)) return true;
	const follows = Object.hasOwn(FOLLOWS, program) ? FOLLOWS[program] : void 0;
	return args.every((word) => {
		const text = word.value ?? "";
		return follows?.test(text) !== true && !NAMES_FILES.test(text) && inside.hasArgument(word);
	});
}
var MAX_NAMES$1 = 1e3;
var Inside = class {
	where;
	dirs;
	facts;
	constructor(where, dirs, facts) {
		this.where = where;
		this.dirs = dirs;
		this.facts = facts;
	}
	hasArgument(word) {
		const { value } = word;
		if (value === null || !value.startsWith("-") || value === "-") return this.has(word);
		const [, after] = /^--[^=]*=(.*)$/s.exec(value) ?? [];
		if (after !== void 0) return this.hasText(after);
		return !/[/~]|\.\./.test(value);
	}
	has(word) {
		if (word === null || this.where.dirs === null || this.where.above) return false;
		if (word.value === "" || word.value === "-") return true;
		const { dirs } = inDirectory(this.where, word, this.facts.home, "links");
		if (pathText(word, this.facts.home) !== null) return dirs?.every((path) => this.holds(path)) === true;
		return this.hasGlob(word);
	}
	hasText(text) {
		if (text === "") return true;
		if (this.where.dirs === null || text.startsWith("~")) return false;
		return (text.startsWith("/") ? [text] : this.where.dirs.map((dir) => `${dir}/${text}`)).every((path) => this.holds(path));
	}
	hasGlob({ pieces, source }) {
		if (source.startsWith("=")) return false;
		const text = pieces.map((piece) => piece.kind === "text" || piece.kind === "pattern" ? piece.text : "\0").join("");
		if (!pieces.every((piece) => piece.kind === "text" || /^[*?[]/.test("text" in piece ? piece.text : "")) || !pieces.some(({ kind }) => kind === "pattern") || this.where.dirs === null) return false;
		const at = text.lastIndexOf("/");
		if (/[*?[]/.test(text.slice(0, Math.max(0, at)))) return false;
		const last = text.slice(at + 1);
		return (text.startsWith("/") ? [text.slice(0, at + 1)] : this.where.dirs.map((dir) => `${dir}/${text.slice(0, at + 1)}`)).every((parent) => {
			if (!this.holds(parent)) return false;
			const names = this.facts.names(posix.normalize(parent));
			if (names === null || names.length > MAX_NAMES$1) return false;
			return names.filter((name) => globMatches(last, name)).every((name) => this.holds(`${parent}/${name}`));
		});
	}
	holds(path) {
		return isInside(path, this.dirs, this.facts);
	}
};
var HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\ud800-\udfff]/gu;
var PICTURE = /\p{Extended_Pictographic}/u;
var SKIN = /\p{Emoji_Modifier}/u;
var KEY = /[0-9#*]/;
var JOINER = 8205;
var KEYCAP = "⃣";
function replaceHidden(text, by) {
	return text.replace(HIDDEN, (c, at) => {
		const code = c.codePointAt(0) ?? 0;
		return isPartOfPicture(text, at, code) ? c : by(code, at);
	});
}
function isPartOfPicture(text, at, code) {
	if (code === 65039 || code === 65038) {
		const before = characterBefore(text, at);
		if (KEY.test(before)) return text[at + 1] === KEYCAP;
		return PICTURE.test(before);
	}
	if (code !== JOINER || !PICTURE.test(characterAt(text, at + 1))) return false;
	const before = characterBefore(text, at);
	if (before === "️") return isPartOfPicture(text, at - 1, 65039);
	return PICTURE.test(before) || SKIN.test(before);
}
function characterBefore(text, at) {
	return [...text.slice(Math.max(0, at - 2), at)].pop() ?? "";
}
function characterAt(text, at) {
	const code = text.codePointAt(at);
	return code === void 0 ? "" : String.fromCodePoint(code);
}
var PRINTS = /^(echo|printf|print)$/;
var PRINTS_NOTHING = /^(read|test|\[|true|:|cd)$/;
var STARTS_FILLED = /^\s*["']?(\{\}|[%@])/;
var STARTS_UNKNOWN = /^"?(\$(?!\{?(HOME|PWD)\b)|`)/;
var UnseenTexts = class {
	texts;
	constructor(texts) {
		this.texts = texts;
	}
	readsUnknownText({ redirects, piped, inPipe }, leaf, before) {
		if (!runsFile(nameOfProgram(leaf[0]))) return false;
		if (filesRunBy(leaf).some(isMade)) return true;
		if (readsProgram(leaf) !== "shell") return false;
		if (redirects.some(({ operator, target }) => operator === "<" && target !== null && isMade(target))) return true;
		const text = fedBy(redirects);
		if (text.length > 0) return this.startsUnknown(text);
		if (piped) return !this.isTold(before);
		const isSure = leaf.every(({ value }) => value !== null);
		return inPipe === true && isSure && redirects.every(({ operator }) => operator !== "<");
	}
	isUnknown(text, isFilled) {
		if (this.startsUnknown(text)) return true;
		return isFilled && (text.length === 0 || this.texts.dequoted(text).some((one) => STARTS_FILLED.test(one)));
	}
	isTold(before) {
		for (let at = before.length - 1; at >= 0; at--) {
			if (!this.isTellingAt(before, at)) return false;
			if (before[at]?.inPipe !== true || before[at - 1]?.inPipe !== true) return true;
		}
		return false;
	}
	isTellingAt(commands, at) {
		const { words = [], redirects = [], piped = false, inPipe } = commands[at] ?? {};
		const [first, ...args] = innermost(words);
		const name = nameOfProgram(first);
		if (first === void 0 || PRINTS_NOTHING.test(name)) return inPipe === true;
		if (PRINTS.test(name)) return !this.printsUnknown(name, args);
		if (name !== "tee" && (name !== "cat" || args.length > 0)) return false;
		if (redirects.some(({ operator }) => operator === "<")) return false;
		const text = fedBy(redirects);
		if (text.length > 0) return !this.startsUnknown(text);
		return piped && this.isTold(commands.slice(0, at));
	}
	printsUnknown(name, args) {
		if (name === "printf") return args.some((arg) => this.startsUnknown([arg], true));
		const first = args.findIndex(({ value }) => !/^-/.test(value ?? ""));
		return first >= 0 && this.startsUnknown(args.slice(first), true);
	}
	startsUnknown(words, isPrinted = false) {
		if (words.every(({ value }) => value !== null)) return false;
		return this.texts.dequoted(words).some((text) => {
			const { commands } = parseShell(isPrinted ? text.replace(/\\n/g, "\n") : text);
			return commands.some((command) => {
				const [first] = innermost(command.words);
				return first?.value === null && STARTS_UNKNOWN.test(first.source);
			});
		});
	}
};
function isMade({ pieces }) {
	return pieces.some((piece) => piece.kind === "script" && piece.source.startsWith("<("));
}
function fedBy(redirects) {
	return redirects.flatMap(({ body, operator, target }) => body ?? (operator === "<<<" ? target : null) ?? []);
}
function isUnread(why) {
	return why === NOT_ALLOWABLE.broken || why === NOT_ALLOWABLE.hidden;
}
function cutText(text, cwd, home) {
	return cutPlainly(text, cwd, home) ?? cutByLevels(text, cwd, home);
}
function cutPlainly(text, cwd, home) {
	const script = text.length > 1e4 ? null : plainScript(text);
	const [command, ...more] = script?.commands ?? [];
	const program = command?.words[0]?.value ?? "/";
	if (script === null || command === void 0 || more.length > 0) return null;
	if (program.includes("/") || program === "alias" || unwrap(command.words) !== null) return null;
	return {
		segments: [{
			text,
			spellings: [["written", text]],
			allowed: text,
			why: "",
			needsAllow: true,
			command,
			writes: [],
			files: [],
			where: (cwd === "" ? null : whereabouts(script, cwd, home).get(command)) ?? {
				dirs: null,
				above: false
			}
		}],
		whole: text,
		why: "",
		runsUnknown: false
	};
}
function cutByLevels(text, cwd, home) {
	const clean = replaceHidden(text, () => "");
	const script = parseShell(clean);
	const cutter = new Cutter(home, script);
	if (clean !== text) cutter.bar(NOT_ALLOWABLE.hidden);
	cutter.cut(script, {
		cwd,
		prefix: "",
		depth: 0,
		isFilled: false,
		isSure: true
	});
	if (script.broken || cutter.isFull) cutter.cutRoughly(clean, false);
	return cutter.result(clean);
}
var MAX_DEPTH = 8;
var MAX_SEGMENTS = 4e3;
var Cutter = class {
	segments = [];
	home;
	texts = new WordTexts();
	unseen = new UnseenTexts(this.texts);
	data = [];
	unasked = [];
	reader = false;
	why = "";
	runsUnknown = false;
	constructor(home, script) {
		this.home = home;
		this.data.push(...script.comments);
		if (script.broken) this.bar(NOT_ALLOWABLE.broken);
		else if (!isPlain(script)) this.bar(NOT_ALLOWABLE.odd);
	}
	get isFull() {
		return this.segments.length >= MAX_SEGMENTS;
	}
	bar(why) {
		if (this.why === "" || isUnread(why) && !isUnread(this.why)) this.why = why;
	}
	result(text) {
		let whole = "";
		let at = 0;
		for (const [from, to] of this.data.sort(([a], [b]) => a - b)) {
			whole += text.slice(at, Math.max(at, from));
			at = Math.max(at, to);
		}
		const { segments, why, runsUnknown } = this;
		return {
			segments,
			whole: (whole + text.slice(at)).trim(),
			why,
			runsUnknown
		};
	}
	cut(script, context) {
		const { cwd, depth } = context;
		if (depth > MAX_DEPTH) return;
		const commands = allCommands(script);
		for (const command of commands) if (this.texts.learn(command)) this.bar(NOT_ALLOWABLE.alias);
		for (const command of commands) this.unasked.push(command);
		this.texts.learnFunctions(script);
		const where = cwd === "" ? null : whereabouts(script, cwd, this.home);
		this.cutLevel(script, context, where);
	}
	get hasReader() {
		this.reader ||= this.unasked.some(({ words }) => innermostReads(words) !== null);
		this.unasked.length = 0;
		return this.reader;
	}
	cutLevel(script, context, where) {
		const groups = [];
		const close = (before) => {
			while ((groups.at(-1)?.end ?? before) < before) {
				const group = groups.pop();
				if (group !== void 0) group.reading.readers = [group.from, this.segments.length];
			}
		};
		for (const [i, command] of script.commands.entries()) {
			close(i);
			if (this.isFull) {
				this.bar(NOT_ALLOWABLE.broken);
				return;
			}
			const place = where?.get(command) ?? {
				dirs: null,
				above: false
			};
			this.cutInputs(command, script.commands[i + 1]?.piped === true, context);
			const before = command.piped ? script.commands.slice(0, i) : [];
			const reading = this.cutCommand(command, place, context, before);
			const { covers = 0 } = command;
			if (reading !== null && covers > 0) groups.push({
				reading,
				from: this.segments.length,
				end: i + covers
			});
			for (const inner of scriptsOf(command)) this.cutLevel(inner, context, where);
		}
		close(Number.POSITIVE_INFINITY);
	}
	cutInputs(command, isPipedOn, context) {
		const reads = command.redirects.length === 0 ? null : innermostReads(command.words);
		for (const { operator, target, body, span } of command.redirects) {
			const text = body ?? (operator === "<<<" ? target : null);
			if (text === null) continue;
			const goesOn = reads === null && (isPipedOn || command.words.length === 0) && this.hasReader;
			if (reads === "shell" || goesOn) this.cutFed([text], context);
			else if (reads === null && span !== null && context.depth === 0) this.data.push(span);
		}
		if (!isPipedOn || !this.hasReader) return;
		const [first, ...args] = innermost(command.words);
		if (!PRINTS.test(nameOfProgram(first))) return;
		this.cutFed(args, context);
		for (const arg of args) if (/\s/.test(arg.value ?? "")) this.cutFed([withLines(arg)], context);
	}
	cutFed(words, context) {
		for (const text of this.texts.dequoted(words)) this.cutTextOf(text, {
			...context,
			cwd: "",
			prefix: "",
			depth: context.depth + 1
		});
	}
	cutTextOf(text, context) {
		const script = parseShell(text);
		if (context.isSure && script.broken) this.bar(NOT_ALLOWABLE.broken);
		else if (context.isSure && !isPlain(script)) this.bar(NOT_ALLOWABLE.odd);
		this.cut(script, context);
		if (context.depth > MAX_DEPTH) this.bar(NOT_ALLOWABLE.broken);
		if (context.depth > MAX_DEPTH || script.broken) this.cutRoughly(text, context.depth > MAX_DEPTH);
	}
	cutCommand(command, where, context, before = []) {
		const { words, assignments } = command;
		const text = [...assignments.map(({ source }) => source).filter((source) => source !== ""), ...words.map(({ source }) => source)].join(" ");
		const { writes, readsUnknown } = redirectsOf(command, this.home);
		if (words.length === 0) return this.pushBare(command, text, where);
		const from = this.segments.length;
		const isGit = nameOfProgram(words[0]) === "git";
		const setter = assignments.find((one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)));
		const spellings = new Spellings();
		spellings.add("written", text);
		const chain = this.unwrapped(command, where, context, spellings);
		const { levels, needsAllow, sets } = chain;
		for (const level of levels) for (const one of this.texts.dequoted(level)) spellings.add(level === words ? "dequoted" : "unwrapped", one);
		const leaf = levels.at(-1) ?? words;
		this.runsUnknown ||= needsAllow && !chain.isFilled && this.unseen.readsUnknownText(command, innermost(leaf), before);
		this.spellBraces(command, where, context, spellings);
		for (const one of this.texts.expanded(leaf)) spellings.add("unwrapped", one);
		if (leaf.some(({ value }) => value === null)) spellings.add("unwrapped", withoutUnknown(leaf));
		const why = [
			setter === void 0 && sets.every(isHarmlessSet) ? "" : NOT_ALLOWABLE.assignment,
			leaf[0]?.value ? "" : NOT_ALLOWABLE.noProgram,
			/^[\x20-\x7e]*$/.test(leaf[0]?.value ?? "") ? "" : NOT_ALLOWABLE.hidden,
			chain.isSure && context.isSure ? "" : NOT_ALLOWABLE.wrapper,
			chain.moves ? NOT_ALLOWABLE.moves : "",
			readsUnknown ? NOT_ALLOWABLE.reads : "",
			writes.every(({ target }) => target !== null) ? "" : NOT_ALLOWABLE.redirect
		].find((one) => one !== "");
		const plain = chain.prefix === "" && !chain.isFilled && levels.length > 0;
		const inside = [from, this.segments.length];
		const reading = needsAllow ? null : this.pushReading(command, where);
		if (reading !== null) reading.readers = inside;
		this.segments.push({
			text,
			spellings: spellings.list,
			allowed: `${chain.prefix}${canonical(leaf)}${chain.isFilled ? " $@" : ""}`,
			why: why ?? "",
			needsAllow,
			command: plain ? withWords(command, leaf) : null,
			writes: writesOf(writes, where),
			files: filesOf(command),
			where: chain.moves ? {
				dirs: null,
				above: false
			} : where
		});
		return null;
	}
	spellBraces(command, where, context, spellings) {
		const words = withoutBraces(command.words);
		if (words === command.words) return;
		const { levels } = this.unwrapped(withWords(command, words), where, {
			...context,
			isSure: false
		}, spellings);
		for (const level of levels) for (const one of [...this.texts.dequoted(level), ...this.texts.expanded(level)]) spellings.add("unwrapped", one);
	}
	pushBare(command, text, where) {
		const { writes, readsUnknown } = redirectsOf(command, this.home);
		if (!command.assignments.every(isHarmlessAssignment)) this.bar(NOT_ALLOWABLE.assignment);
		if (!writes.every(({ target }) => target !== null)) this.bar(NOT_ALLOWABLE.redirect);
		const reading = this.pushReading(command, where);
		if (text === "" && writes.length === 0 && !readsUnknown) return reading;
		this.segments.push({
			text,
			spellings: [["written", text]],
			allowed: "",
			why: readsUnknown ? NOT_ALLOWABLE.reads : "",
			needsAllow: false,
			command: null,
			writes: writesOf(writes, where),
			files: filesOf(command),
			where
		});
		return reading;
	}
	pushReading(command, where) {
		const redirects = command.redirects.filter((one) => readsFile(one, this.home));
		if (redirects.length === 0) return null;
		const { piped, chained } = command;
		const text = redirects.map(({ target }) => `< ${target?.source ?? ""}`).join(" ");
		const reading = {
			text,
			spellings: [["written", text]],
			allowed: "cat",
			why: "",
			needsAllow: true,
			command: {
				words: [literalWord("cat")],
				assignments: [],
				redirects,
				loose: [],
				piped,
				chained
			},
			writes: [],
			files: filesOf(command),
			where
		};
		this.segments.push(reading);
		return reading;
	}
	unwrapped(command, where, context, spellings) {
		const chain = {
			levels: [command.words],
			prefix: context.prefix,
			needsAllow: true,
			isFilled: context.isFilled,
			isSure: true,
			moves: false,
			sets: []
		};
		let words = command.words;
		for (let i = 0;; i++) {
			const found = unwrap(words);
			if (found === null) return chain;
			if (i >= 12) return {
				...chain,
				isSure: false
			};
			chain.sets.push(...found.sets);
			chain.moves ||= found.moves;
			if (!found.sure && !found.also) chain.isSure = false;
			const prefix = found.privileged ? `${chain.prefix}${nameOfProgram(words[0])} ` : chain.prefix;
			const [only] = found.inner;
			if (only?.kind === "words" && found.inner.length === 1 && !found.also) {
				chain.prefix = prefix;
				chain.isFilled ||= found.fills;
				chain.levels.push(only.words);
				words = only.words;
				continue;
			}
			const inside = {
				cwd: chain.moves || where.dirs?.length !== 1 ? "" : where.dirs[0] ?? "",
				prefix,
				depth: context.depth + 1,
				isFilled: chain.isFilled || found.fills,
				isSure: context.isSure && chain.isSure && found.sure
			};
			for (const inner of found.inner) this.cutInner(inner, {
				command,
				inside,
				spellings,
				where
			});
			chain.needsAllow = found.also || !found.sure || chain.moves;
			return chain;
		}
	}
	cutInner(inner, around) {
		const { command, inside, spellings, where } = around;
		if (inner.kind === "words") {
			if (!inside.isSure) for (const one of this.texts.dequoted(inner.words)) spellings.add("unwrapped", one);
			if (!inside.isSure || inside.depth > MAX_DEPTH) return;
			const { piped, chained } = command;
			const bare = {
				words: [...inner.words],
				assignments: [],
				redirects: [],
				loose: [],
				piped,
				chained
			};
			this.cutCommand(bare, inside.cwd === "" ? {
				dirs: null,
				above: false
			} : where, inside);
			return;
		}
		if (!inner.text.every(({ value }) => value !== null) && inside.isSure) this.bar(NOT_ALLOWABLE.unknownText);
		this.runsUnknown ||= this.unseen.isUnknown(inner.text, inside.isFilled);
		const texts = this.texts.dequoted(inner.text);
		if (inside.isFilled && inside.isSure) this.bar(NOT_ALLOWABLE.unknownText);
		const args = this.texts.dequoted(inner.args ?? [])[0]?.split(" ") ?? [];
		const filled = args.length === 0 ? [] : texts.map((text) => withPositions(text, args));
		for (const text of /* @__PURE__ */ new Set([...texts, ...filled])) this.cutTextOf(text, {
			...inside,
			isFilled: false
		});
	}
	cutRoughly(text, anywhere) {
		const pieces = new Set(text.split(/\$\(|[\n;&|(){}`]+/));
		for (const piece of pieces) {
			const spellings = roughly(piece, anywhere);
			if (spellings === null) continue;
			this.segments.push({
				text: piece.trim(),
				spellings: spellings.list,
				allowed: "",
				why: NOT_ALLOWABLE.broken,
				needsAllow: true,
				command: null,
				writes: [],
				files: [],
				where: {
					dirs: null,
					above: false
				}
			});
		}
	}
};
function withWords(command, words) {
	const { assignments, redirects, loose, piped, chained } = command;
	return {
		words: [...words],
		assignments,
		redirects,
		loose,
		piped,
		chained
	};
}
function redirectsOf({ redirects }, home) {
	const open = redirects.filter((one) => !isHarmlessRedirect(one) && !readsFile(one, home));
	const reads = ({ operator, assigns }) => operator === "<" && !assigns;
	return {
		writes: open.filter((one) => !reads(one)),
		readsUnknown: open.some(reads)
	};
}
function filesOf({ redirects }) {
	return redirects.flatMap(({ target }) => target === null ? [] : [target.source, target.value ?? ""]);
}
function writesOf(redirects, where) {
	return redirects.flatMap(({ target }) => target === null ? [] : [{
		target,
		where
	}]);
}
function judge(call, rules, facts) {
	const [only] = judgeAll([call], rules, facts);
	return only ?? verdict("pass", {
		by: "none",
		why: VERDICT.noRule
	});
}
function judgeAll(calls, rules, facts) {
	if (!rules.enabled) return calls.map(() => verdict("pass", {
		by: "none",
		why: VERDICT.off
	}));
	const known = remembering(facts);
	const hasPatterns = rules.deny.length + rules.ordered.length > 0;
	const found = [];
	for (let from = 0; from < calls.length; from += AT_ONCE) {
		const guard = new Guard();
		const several = calls.slice(from, from + AT_ONCE).map((call) => {
			const command = isShell(call.tool) && isObject(call.input) ? call.input["command"] : void 0;
			const cut = typeof command === "string" ? cutText(command, call.cwd, facts.home) : null;
			return new Judgement({
				call,
				rules,
				facts: known,
				cut
			}, guard);
		});
		const verdicts = () => several.map((one) => one.verdict());
		found.push(...hasPatterns ? guard.run(verdicts) : verdicts());
	}
	return found;
}
var AT_ONCE = 100;
function remembering(facts) {
	const known = /* @__PURE__ */ new Map();
	const resolve = (path) => {
		const before = known.get(path);
		if (before !== void 0) return before;
		const found = facts.resolve(path);
		known.set(path, found);
		return found;
	};
	return {
		...facts,
		resolve
	};
}
function verdict(decision, { by, why, rule = null, segments = [], slow = [] }) {
	return {
		decision,
		by,
		why,
		rule,
		segments,
		slow
	};
}
var Judgement = class {
	slow = /* @__PURE__ */ new Set();
	tools = /* @__PURE__ */ new Map();
	call;
	rules;
	facts;
	guard;
	cut;
	texts = null;
	readersAllowed;
	constructor(subject, guard) {
		this.call = subject.call;
		this.rules = subject.rules;
		this.facts = subject.facts;
		this.cut = subject.cut;
		this.guard = guard;
		const redirects = this.cut?.segments.some(({ needsAllow, writes }) => !needsAllow && writes.length > 0);
		this.readersAllowed = redirects !== true && this.rules.builtIn.has("read-only");
	}
	get root() {
		return toText(this.rules.projectRoot);
	}
	verdict() {
		return {
			...this.cut === null ? this.ofTool() : this.ofText(this.cut),
			slow: [...this.slow]
		};
	}
	ofTool() {
		const [deny] = this.candidates(this.rules.deny);
		if (deny !== void 0) return decided("deny", deny.rule);
		const [first] = this.candidates(this.rules.ordered);
		if (first !== void 0) return decided(first.rule.ref.list, first.rule);
		const builtIn = builtInFor(this.call, this.rules, this.facts);
		if (builtIn !== null) return verdict("allow", {
			by: "built-in",
			why: builtInWhy(builtIn.text),
			rule: builtIn
		});
		return verdict("pass", {
			by: "none",
			why: VERDICT.noRule
		});
	}
	ofText(cut) {
		const segments = [];
		const denied = this.denial(cut);
		if (denied !== null) return denied;
		const ordered = this.candidates(this.rules.ordered);
		const judged = cut.segments.map((segment) => this.ofSegment(segment, ordered, cut.why));
		this.allowFed(cut, judged);
		for (const [i, { needsAllow }] of cut.segments.entries()) {
			const one = judged[i];
			if (one !== void 0 && (needsAllow || one.decision === "ask")) segments.push(one);
		}
		const asking = this.asking(segments, this.wholeAsk(cut, ordered));
		if (asking !== null) return decided("ask", asking, segments);
		const why = cut.why === "" ? this.barring(cut) : cut.why;
		if (why === "" && segments.length > 0 && segments.every(({ decision }) => decision === "allow")) return allowed(segments);
		if (why === "" && segments.length === 0 && cut.segments.length > 0 && this.readersAllowed) return verdict("allow", {
			by: "read-only",
			why: VERDICT.readOnly,
			rule: builtInRef("read-only")
		});
		return this.unlessPending(unsaid(segments, why), cut);
	}
	allowFed({ segments }, judged) {
		for (let i = segments.length - 1; i >= 0; i--) {
			const [segment, before] = [segments[i], judged[i]];
			if (segment?.readers === void 0 || before?.decision !== "pass" || this.barredBy(segment) !== "") continue;
			const [from, to] = segment.readers;
			const readers = judged.slice(from, to).filter((_, at) => segments[from + at]?.needsAllow === true);
			const isAllowed = ({ decision, by }) => decision === "allow" && by === "rule";
			const [first] = readers;
			if (first !== void 0 && readers.every(isAllowed)) judged[i] = {
				...first,
				text: segment.text
			};
		}
	}
	barring({ segments }) {
		for (const segment of segments) {
			const why = segment.needsAllow ? "" : this.barredBy(segment);
			if (why !== "") return why;
		}
		return "";
	}
	barredBy({ why, writes }) {
		if (why !== "") return why;
		const isFine = (path) => this.facts.isPending(path) || isInside(path, [this.root, ...this.rules.allowedDirs], this.facts);
		return writes.every(({ target, where }) => {
			const { dirs } = inDirectory(where, target, this.facts.home, "links");
			return dirs?.every(isFine) === true;
		}) ? "" : NOT_ALLOWABLE.outside;
	}
	unlessPending(passed, cut) {
		const { rules, facts, call } = this;
		if (rules.sandboxed !== "allow" || facts.runs !== "sandbox" || call.mode === "plan") return passed;
		if (isUnread(cut.why)) return passed;
		if (cut.runsUnknown) return {
			...passed,
			why: staysAsked(LEAVING.unknown)
		};
		const listed = takesNames(cut);
		for (const segment of cut.segments) {
			const why = leavingWhy(segment, listed, facts);
			if (why !== null) return {
				...passed,
				why: staysAsked(why)
			};
		}
		return {
			...passed,
			decision: "allow",
			by: "sandboxed",
			why: VERDICT.sandboxed
		};
	}
	denial(cut) {
		for (const candidate of this.candidates(this.rules.deny)) {
			for (const segment of cut.segments) {
				const found = this.find([candidate], this.textsOf(segment, cut));
				if (found !== null) return decided("deny", found.candidate.rule, [segmentVerdict(segment, "deny", found)]);
			}
			if (this.find([candidate], [["whole", cut.whole]]) !== null) return decided("deny", candidate.rule);
		}
		return null;
	}
	textsOf({ spellings }, { segments, whole }) {
		return segments.length === 1 ? [...spellings, ["whole", whole]] : spellings;
	}
	ofSegment(segment, ordered, wholeWhy) {
		const why = wholeWhy === "" ? this.barredBy(segment) : wholeWhy;
		const texts = this.cut === null ? segment.spellings : this.textsOf(segment, this.cut);
		for (const candidate of ordered) {
			const { list } = candidate.rule.ref;
			if (list === "allow" && why !== "") continue;
			const found = this.find([candidate], list === "allow" ? [["unwrapped", segment.allowed]] : texts);
			if (found !== null) return segmentVerdict(segment, list, found);
		}
		const { text, command, where } = segment;
		if (why === "" && command !== null && this.readersAllowed) {
			if (isReadOnly(command, where, [
				this.call.cwd,
				this.root,
				...this.rules.allowedDirs
			], this.facts)) return {
				text,
				spelling: "unwrapped",
				decision: "allow",
				by: "read-only",
				rule: builtInRef("read-only"),
				why
			};
		}
		return {
			text,
			spelling: null,
			decision: "pass",
			by: "none",
			rule: null,
			why
		};
	}
	wholeAsk({ segments, whole }, ordered) {
		if (segments.length === 1) return null;
		const asks = ordered.filter(({ rule, command }) => {
			return rule.ref.list === "ask" && (command !== null || segments.length === 0);
		});
		return this.find(asks, [["whole", whole]])?.candidate.rule ?? null;
	}
	asking(segments, whole) {
		const refs = new Set(segments.flatMap(({ decision, rule }) => decision === "ask" && rule !== null ? [rule] : []));
		return this.rules.ordered.find((rule) => rule === whole || refs.has(rule.ref)) ?? null;
	}
	find(candidates, texts) {
		for (const candidate of candidates) {
			const { rule, command } = candidate;
			for (const [spelling, text] of texts) if (command === null || this.matches(rule, command, text)) return {
				candidate,
				spelling
			};
		}
		return null;
	}
	matches(rule, pattern, text) {
		const found = this.guard.test(pattern, text);
		if (found !== null) return found;
		this.slow.add(rule.ref);
		return rule.ref.list !== "allow";
	}
	candidates(rules) {
		return rules.flatMap((rule) => {
			const command = this.cut === null ? null : rule.match.find(([field]) => field === "command")?.[1] ?? null;
			return this.counts(rule, command) ? [{
				rule,
				command
			}] : [];
		});
	}
	counts(rule, command) {
		if (rule.rule.disabled === true) return false;
		if (rule.until !== null && rule.until < this.facts.now) return false;
		if (rule.rule.modes !== void 0 && !rule.rule.modes.includes(this.call.mode)) return false;
		if (rule.tool !== null && !this.isAboutTool(rule, rule.tool)) return false;
		if (command !== null && !this.mayOccur(command)) return false;
		return rule.match.every(([field, pattern]) => pattern === command || this.fieldMatches(rule, field, pattern));
	}
	isAboutTool(rule, pattern) {
		const known = this.tools.get(pattern);
		if (known !== void 0) return known;
		const found = this.guard.test(pattern, this.call.tool);
		if (found === null) return this.matches(rule, pattern, this.call.tool);
		this.tools.set(pattern, found);
		return found;
	}
	mayOccur({ literals, atStart }) {
		if (literals.length === 0 || this.cut === null || this.rules.deny.length + this.rules.ordered.length < FEW$1) return true;
		this.texts ??= textsOf$1(this.cut);
		const { sorted, joined } = this.texts;
		return literals.some((one) => atStart ? anyStartsWith(sorted, one) : joined.includes(one));
	}
	fieldMatches(rule, field, pattern) {
		const texts = fieldTexts(this.call, field, this.facts);
		const test = (text) => this.matches(rule, pattern, text);
		return texts.length > 0 && (rule.ref.list === "allow" ? texts.every(test) : texts.some(test));
	}
};
var FEW$1 = 4;
function textsOf$1({ segments, whole }) {
	const texts = segments.flatMap(({ spellings, allowed }) => [allowed, ...spellings.map(([, text]) => text)]);
	const sorted = [.../* @__PURE__ */ new Set([...texts, whole])].sort();
	return {
		sorted,
		joined: sorted.join("\n")
	};
}
function anyStartsWith(texts, prefix) {
	let [low, high] = [0, texts.length];
	while (low < high) {
		const middle = low + high >> 1;
		if ((texts[middle] ?? "") < prefix) low = middle + 1;
		else high = middle;
	}
	return texts[low]?.startsWith(prefix) === true;
}
var PATH_FIELDS = [
	"file_path",
	"path",
	"notebook_path"
];
function fieldTexts({ input, cwd }, field, facts) {
	if (!isObject(input) || !Object.hasOwn(input, field)) return [];
	const value = input[field];
	if (typeof value === "number" || typeof value === "boolean") return [JSON.stringify(value)];
	if (typeof value !== "string") return [];
	if (!PATH_FIELDS.includes(field)) return [value];
	return [.../* @__PURE__ */ new Set([value, ...resolvedPaths(value, cwd, facts)])];
}
function decided(decision, { ref }, segments = []) {
	if (ref.index === -1) return verdict("ask", {
		by: "broken",
		why: brokenWhy(ref.file, ref.reason),
		rule: ref,
		segments
	});
	return verdict(decision, {
		by: "rule",
		why: ruleWhy(decision, ref, segments.find((one) => one.rule === ref)?.text ?? ""),
		rule: ref,
		segments
	});
}
function segmentVerdict({ text }, decision, found) {
	const { ref } = found.candidate.rule;
	const by = ref.index === -1 ? "broken" : "rule";
	return {
		text,
		spelling: found.spelling,
		decision,
		by,
		rule: ref,
		why: ""
	};
}
function allowed(segments) {
	const refs = new Set(segments.flatMap(({ rule }) => rule === null ? [] : [rule]));
	const [rule = null] = refs.size === 1 ? refs : [];
	const by = segments.find((one) => one.by === "rule")?.by ?? segments[0]?.by ?? "none";
	return verdict("allow", {
		by,
		why: by === "rule" ? VERDICT.allowed : VERDICT.readOnly,
		rule,
		segments
	});
}
function unsaid(segments, why) {
	return verdict("pass", {
		by: "none",
		why: why === "" ? VERDICT.noRule : notAllowable(why),
		segments
	});
}
var MAX_NAMES = 2e3;
function judgeFacts({ view, home, config, runs }) {
	let seen;
	const parts = () => {
		if (seen === void 0) seen = view === "none" ? null : viewOrDamaged(view);
		return seen;
	};
	const inView = (path) => {
		const side = parts();
		return side === "damaged" ? null : orNull(() => resolvePath(side, fromText(path)));
	};
	return {
		home,
		now: Date.now(),
		readOnly: config.readOnly,
		runs,
		resolve(path) {
			const onHost = textOf$1(orNull(() => resolvePath(null, fromText(path))));
			const pending = parts() === null ? onHost : textOf$1(inView(path));
			return onHost === null || pending === null ? null : [.../* @__PURE__ */ new Set([onHost, pending])];
		},
		names(dir) {
			const [at, side] = [inView(dir), parts()];
			return at === null || side === "damaged" ? null : namesIn$2(side, at);
		},
		isPending(path) {
			const at = inView(path);
			if (view === "none") return runs === "sandbox" && at !== null && staysPending(at, config);
			const side = parts();
			return at !== null && side !== null && side !== "damaged" && upperOf(side, at) !== null;
		}
	};
}
var KERNEL_DIRS = [
	"/dev",
	"/proc",
	"/sys"
];
function staysPending(path, { enabled, scratch }) {
	return enabled && ![...KERNEL_DIRS, ...scratch.map(fromText)].some((dir) => isWithin(path, dir));
}
function viewOrDamaged(view) {
	try {
		return view();
	} catch {
		return "damaged";
	}
}
function namesIn$2(view, dir) {
	const names = new Set(namesOrNone(dir));
	const upper = view === null ? null : upperOf(view, dir);
	if (upper !== null) for (const name of namesOrNone(upper)) {
		const entry = lstatOrNone(joinPath(upper, name));
		if (entry !== null && !isWhiteout(entry)) names.add(name);
	}
	if (names.size > MAX_NAMES) return null;
	const texts = [...names].map((name) => textOf$1(name));
	return texts.includes(null) ? null : texts.filter((text) => text !== null);
}
function textOf$1(path) {
	if (path === null) return null;
	const text = toText(path);
	return fromText(text) === path ? text : null;
}
async function judgeCall(request) {
	const { world, session, call, config, runs } = request;
	const rules = session === null ? world.rules(config, projectOf(fromText(call.cwd === "" ? "/" : call.cwd)), null) : session.rules(config);
	const { tool, toolInput, cwd, all } = call;
	const verdict = judge({
		tool,
		input: toolInput,
		cwd,
		mode: text(all, "permission_mode")
	}, rules, judgeFacts({
		view: () => session?.view() ?? null,
		home: homeDir(world.env),
		config,
		runs
	}));
	for (const { file, list, index, text: rule } of verdict.slow) {
		const slow = message("rule-slow", { rule: `${file} ${list}[${index}] (${rule})` });
		await session?.log({
			t: "notice",
			code: "rule-slow",
			text: slow
		});
	}
	if (session !== null && call.request !== "") world.server?.questions.judged(session.id, call, {
		request: call.request,
		verdict,
		runs,
		asks: ""
	});
	return { verdict };
}
function said({ decision, why }) {
	if (decision === "pass") return {};
	return {
		decision,
		reason: `trai: ${decision === "deny" ? message("rule-denied", { why }) : why}`
	};
}
function ofVerdict({ decision, by, why, rule, segments }) {
	const deciding = segments.find((one) => one.decision === decision && one.rule === rule) ?? segments[0];
	const segment = decision === "pass" ? segments.find((one) => one.decision === "pass") : deciding;
	const hashes = segments.flatMap((one) => one.rule === null || one.rule === rule ? [] : [one.rule.hash]);
	const also = [...new Set(hashes)].filter((hash) => hash !== "");
	return {
		decision,
		by: by === "none" ? "client" : by,
		why,
		rule,
		also,
		segment: segment?.text ?? ""
	};
}
function ofTrai(decision, why) {
	return {
		decision,
		by: "trai",
		why
	};
}
async function logDecision(session, { request, claude, agent, tool, toolInput }, { rule = null, also = [], segment = "", ...logged }, since) {
	const whole = subjectOf(tool, toolInput, () => session.world.config().config.rules.logMcp);
	const subject = whole.slice(0, MAX_SUBJECT_CHARS);
	const ms = Math.round((performance.now() - since) * 10) / 10;
	const event = {
		t: "permission",
		request,
		claude,
		agent,
		tool,
		subject,
		cut: whole.length - subject.length,
		...logged,
		rule: rule === null ? "" : placeOf(rule),
		hash: rule?.hash ?? "",
		also: [...also],
		segment: segment.slice(0, MAX_SUBJECT_CHARS),
		ms
	};
	await session.log(event).catch(() => void 0);
}
var MAX_SUBJECT_CHARS = 2e3;
function placeOf({ scope, file, list, index, text: rule }) {
	return scope === "built-in" ? rule : `${file} ${list}[${index}]`;
}
var FIELDS = "command file_path notebook_path path url query pattern skill prompt description".split(" ");
function subjectOf(tool, input, logMcp) {
	if (tool.startsWith("mcp__")) return logMcp() ? JSON.stringify(input) : Object.keys(input).join(" ");
	const field = FIELDS.find((name) => text(input, name) !== "");
	return field === void 0 ? Object.keys(input).join(" ") : text(input, field);
}
var TIMED_OUT = /\btimed out\b|\btimeout\b/i;
function isTimeout(text) {
	return TIMED_OUT.test(text);
}
var DENIED = [
	/^Permission to use \S+ .*\bhas been denied\b/,
	/^Claude requested permissions to /,
	/^The user doesn't want to (proceed|take this action)/,
	/^This \S+ requires approval/,
	/^Auto mode is unavailable/,
	/^PreToolUse:\S+ hook error: /,
	/^trai: /
];
var LOOKED_AT_CHARS = 1e3;
var MAX_ERROR_CHARS = 200;
async function logOutcomes(session, input) {
	const others = list(input.all, "tool_calls").filter(isObject).filter((call) => !isShell(text(call, "tool_name")));
	if (others.length === 0) return;
	const seen = requestsWithoutOutcome(session.dir);
	for (const call of others) {
		const request = text(call, "tool_use_id");
		if (!seen.has(request)) continue;
		const response = text(call, "tool_response");
		const outcome = outcomeOf(response);
		await log$1(session, {
			request,
			outcome,
			by: "client",
			error: outcome === "ran" ? "" : response.slice(0, MAX_ERROR_CHARS)
		});
	}
}
async function logFailure(session, call) {
	const { request, tool, all } = call;
	if (isShell(tool) || !eventsNaming(session.dir, request).includes("permission")) return;
	const error = text(all, "error").slice(0, MAX_ERROR_CHARS);
	await log$1(session, {
		request,
		outcome: flag(all, "is_interrupt") ? "interrupted" : flag(all, "is_timeout") || isTimeout(error) ? "timed-out" : "failed",
		by: "client",
		error
	});
}
async function logClassifierDenial(session, input) {
	const error = text(input.all, "reason").slice(0, MAX_ERROR_CHARS);
	await log$1(session, {
		request: text(input.all, "tool_use_id"),
		outcome: "denied",
		by: "classifier",
		error
	});
}
async function log$1(session, outcome) {
	await session.log({
		t: "permission.outcome",
		...outcome
	}).catch(() => void 0);
}
function outcomeOf(response) {
	const start = response.slice(0, LOOKED_AT_CHARS);
	if (DENIED.some((pattern) => pattern.test(start))) return "denied";
	if (!/^(<tool_use_error>|MCP error )/.test(start)) return "ran";
	return isTimeout(start) ? "timed-out" : "failed";
}
var POLL_MS = 50;
async function waitFor(done, ms) {
	const end = Date.now() + ms;
	while (!done() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
async function within(ms, work) {
	let timer;
	const limit = new Promise((resolve) => {
		timer = setTimeout(() => resolve(null), ms);
	});
	try {
		return await Promise.race([work, limit]);
	} finally {
		clearTimeout(timer);
		work.catch(() => {});
	}
}
var LAUNCH_WAIT_MS = 15e3;
async function beforeCommand(world, call, headers) {
	const session = await world.session(call.claude);
	if (session === null) return blocked$1(message("not-set-up"));
	if (session.meta.off !== null) return SILENT;
	const since = performance.now();
	const command = text(call.toolInput, "command");
	const refused = async (reason, why) => {
		await logRequest(session, call, {
			command,
			mode: "refuse",
			reason,
			text: why,
			twins: 0
		});
		await logDecision(session, call, ofTrai("deny", why), since);
		return blocked$1(why);
	};
	if (session.meta.caught !== null) return await refused("caught", message("caught"));
	if (headers.env !== "ok") return await refused("env-file", message(headers.env === "" ? "env-unknown" : `env-${headers.env}`));
	const { config } = world.config();
	const decision = await decideCall(session, {
		command,
		cwd: call.cwd,
		config,
		at: "request"
	});
	if (decision.mode === "refuse") return await refused(decision.reason, decision.text);
	const { verdict } = await judgeCall({
		world,
		session,
		call,
		config,
		runs: decision.mode
	});
	if (verdict.decision === "deny") {
		await logRefused(session, call, verdict.why);
		await logDecision(session, call, ofVerdict(verdict), since);
		return preToolUseAnswer(said(verdict));
	}
	const asksItself = decision.ask !== "" && verdict.decision !== "ask";
	if (decision.ask !== "") {
		const { request } = call;
		world.server?.questions.judged(session.id, call, {
			request,
			verdict,
			runs: decision.mode,
			asks: decision.ask
		});
	}
	await logDecision(session, call, asksItself ? ofTrai("ask", decision.ask) : ofVerdict(verdict), since);
	if (decision.mode === "sandbox") session.expectCall(call.claude, config);
	return await letThrough(session, call, decision, verdict);
}
async function letThrough(session, call, decision, verdict) {
	const asked = text(call.toolInput, "command");
	const { mode, reason, ask } = decision;
	const { command, twins } = await session.alone(() => openRequest(session, call, {
		asked: ask !== "",
		sandboxed: verdict.by === "sandboxed"
	}));
	await logRequest(session, call, {
		command: asked,
		mode,
		reason,
		text: ask === "" ? decision.text : ask,
		twins
	});
	const warns = mode === "host" && ask === "" && decision.text !== "";
	return preToolUseAnswer({
		...ask === "" ? said(verdict) : {
			decision: "ask",
			reason: questionText(ask, verdict)
		},
		updatedInput: command === asked ? void 0 : {
			...call.toolInput,
			command
		},
		systemMessage: warns ? `trai: ${decision.text}` : void 0
	});
}
function questionText(ask, verdict) {
	return `trai: ${ask} ${DENIED_TEXT}${verdict.decision === "ask" ? ` Also, ${verdict.why}.` : ""}`;
}
async function openCall(session, call, { command, text: said }) {
	const isBash = "command" in call.toolInput;
	const named = isBash ? call : {
		...call,
		toolInput: { command }
	};
	const permitted = {
		asked: false,
		sandboxed: false
	};
	const opened = await session.alone(() => openRequest(session, named, permitted));
	await logRequest(session, call, {
		command,
		mode: "sandbox",
		reason: "inside",
		text: said,
		twins: opened.twins
	});
	return isBash && opened.command !== command ? {
		...call.toolInput,
		command: opened.command
	} : void 0;
}
async function logRefused(session, call, why) {
	await logRequest(session, call, {
		command: text(call.toolInput, "command"),
		mode: "refuse",
		reason: "rule",
		text: why,
		twins: 0
	});
}
function openRequest({ requests }, { request, claude, tool, cwd, toolInput }, permitted) {
	let command = text(toolInput, "command");
	const open = requests.list().filter((other) => other.call === "" && other.request !== request);
	const wanted = command.trimStart();
	const twins = open.filter((other) => other.command.trimStart() === wanted).length;
	const taken = new Set(open.map((other) => other.command));
	while (taken.has(command)) command = ` ${command}`;
	const at = (/* @__PURE__ */ new Date()).toISOString();
	requests.open.save({
		request,
		claude,
		tool,
		command,
		cwd,
		at,
		call: "",
		mode: "",
		...permitted
	});
	return {
		command,
		twins
	};
}
async function logRequest(session, { request, claude, tool, cwd, agent, toolInput }, said) {
	const background = flag(toolInput, "run_in_background");
	await session.log({
		t: "call.requested",
		request,
		claude,
		tool,
		cwd,
		agent,
		background,
		...said
	});
}
async function postToolUse(session, call, failed, inside = false) {
	if (!isShell(call.tool)) return SILENT;
	const response = object(call.all, "tool_response");
	if ((startsLater(call.tool, call.toolInput) || text(response, "backgroundTaskId") !== "") && isUnderWay(session, call.request)) {
		await session.later(async () => {
			await waitFor(() => !isUnderWay(session, call.request), LAUNCH_WAIT_MS);
			await recordOutcome(session, call, failed, inside);
		});
		return SILENT;
	}
	return await recordOutcome(session, call, failed, inside) ? json({ systemMessage: notSandboxed(call) }) : SILENT;
}
async function recordOutcome(session, call, failed, inside) {
	const { request } = call;
	const unsandboxed = !inside && !wasLaunched(session, call);
	const response = object(call.all, "tool_response");
	await session.log({
		t: "call.outcome",
		request,
		ok: !failed,
		interrupted: wasInterrupted(call),
		background: text(response, "backgroundTaskId"),
		...excerpt(failed ? text(call.all, "error") : text(response, "stdout")),
		ms: number(call.all, "duration_ms"),
		unsandboxed
	});
	session.requests.close(request);
	if (unsandboxed) {
		await updateMeta(session.dir, (meta) => ({
			...meta,
			caught: meta.caught ?? request
		}));
		await session.log({
			t: "notice",
			code: "caught",
			text: notSandboxed(call)
		});
	}
	return unsandboxed;
}
function notSandboxed(call) {
	const command = text(call.toolInput, "command");
	return `trai: ${message("not-sandboxed", { command: command.length > 80 ? `${command.slice(0, 80)}…` : command })}`;
}
function isUnderWay(session, request) {
	const open = session.requests.open.find(request);
	return open !== null && (open.call === "" || open.mode === "sandbox" && !wroteItself(session, open.call));
}
function wroteItself({ dir }, call) {
	const events = eventsNaming(dir, call);
	return events.includes("call.started") || events.includes("call.failed");
}
function wasLaunched(session, call) {
	const open = session.requests.open.find(call.request);
	if (open !== null && open.call !== "") return open.mode !== "sandbox" || wroteItself(session, open.call) || wasInterrupted(call) || saysNothingRan(call);
	if (eventsNaming(session.dir, call.request).includes("call.decided")) return true;
	const command = normalise(open?.command ?? text(call.toolInput, "command")).trim();
	return session.requests.takeLoose((claim) => claim.at >= (open?.at ?? "") && (claim.command === "" || normalise(claim.command).includes(command)), Date.now()) !== null || saysNothingRan(call);
}
function wasInterrupted(call) {
	return flag(object(call.all, "tool_response"), "interrupted") || flag(call.all, "is_interrupt");
}
function saysNothingRan(call) {
	const error = text(call.all, "error");
	return /^Exit code 125\b/.test(error) && /^trai: /m.test(error) && error.includes("Nothing of the command was run");
}
async function closeDenied(session, input) {
	for (const item of list(input.all, "tool_calls")) {
		if (!isObject(item)) continue;
		const open = session.requests.open.find(text(item, "tool_use_id"));
		if (open === null || open.call !== "" || startsLater(open.tool, object(item, "tool_input"))) continue;
		if (open.tool !== "Bash") continue;
		await closeNotRun(session, open);
	}
}
async function closeNotRun(session, { request }) {
	await session.log({
		t: "call.closed",
		call: "",
		request,
		why: "not-run"
	});
	session.requests.close(request);
}
function startsLater(tool, input) {
	return tool === "Monitor" || flag(input, "run_in_background");
}
function ownMark(event) {
	if (event.t === "file" && event.request !== "") return `file-${event.request}`;
	if (event.t === "permission" && event.request !== "") return `tool-${event.request}`;
	return (event.t === "commit" || event.t === "commit.undone") && event.n > 0 ? `commit-${event.n}` : null;
}
function markContent(event) {
	switch (event.t) {
		case "prompt": return {
			kind: "prompt",
			text: event.text,
			cut: event.cut
		};
		case "file": {
			const { tool, path, outcome, agent, text } = event;
			return {
				kind: "file",
				tool,
				path,
				outcome,
				agent,
				text
			};
		}
		case "permission": {
			const { tool, subject, agent, decision, by, rule, why } = event;
			if (isShell(tool) || decision === "pass" || by === "built-in") return null;
			return {
				kind: "tool",
				tool,
				subject,
				agent,
				decision,
				by,
				rule,
				why
			};
		}
		case "commit": {
			const { n, state, entries, bytes, conflicts, text, auto } = event;
			return {
				kind: "commit",
				n,
				state,
				entries,
				bytes,
				conflicts,
				text,
				auto
			};
		}
		case "discard": return {
			kind: "discard",
			trash: event.trash,
			entries: event.entries
		};
		case "undo": return {
			kind: "undo",
			what: "discard",
			of: 0,
			state: "applied",
			entries: event.entries,
			text: ""
		};
		case "commit.undone": {
			const { of, redo, state, entries, text } = event;
			return {
				kind: "undo",
				what: redo ? "undo" : "commit",
				of,
				state,
				entries,
				text
			};
		}
		case "adopt": return {
			kind: "adopt",
			from: event.from,
			to: event.to,
			entries: event.entries
		};
		case "session": return {
			kind: "session",
			what: event.source,
			text: ""
		};
		case "session.end": return {
			kind: "session",
			what: "end",
			text: event.reason
		};
		default: return null;
	}
}
function foldLog(events) {
	const fold = new LogFold();
	for (const event of events) fold.push(event);
	return fold;
}
var LogFold = class {
	adoptions = [];
	#entries = /* @__PURE__ */ new Set();
	#byCall = /* @__PURE__ */ new Map();
	#byRequest = /* @__PURE__ */ new Map();
	#tools = /* @__PURE__ */ new Map();
	#leftBy = /* @__PURE__ */ new Map();
	#running = /* @__PURE__ */ new Map();
	#marks = /* @__PURE__ */ new Map();
	#oldKeys = [];
	#position = 1;
	#version = 0;
	#spansVersion = 0;
	push(event, position = 1) {
		this.#position = position;
		this.#version++;
		this.#mark(event);
		switch (event.t) {
			case "call.requested":
				this.#requested(event);
				break;
			case "permission":
				this.#permission(event);
				break;
			case "permission.outcome":
				this.#toolOutcome(event);
				break;
			case "question":
				this.#answered(event);
				break;
			case "call.decided":
				this.#decided(event);
				break;
			case "call.grounds":
			case "call.joined":
				this.#ofCall(event.call);
				break;
			case "call.started":
				this.#update(this.#ofCall(event.call), { start: event });
				this.#running.set(event.call, event);
				return {
					is: "started",
					start: event
				};
			case "call.ended":
				this.#update(this.#ofCall(event.call), { end: event });
				return this.#ended(event.call);
			case "call.failed":
				this.#update(this.#ofCall(event.call), { failed: event });
				return this.#ended(event.call);
			case "call.closed":
				this.#closed(event);
				return this.#ended(event.call);
			case "call.outcome":
				this.#update(this.#ofRequest(event.request), { outcome: event });
				break;
			case "call.saved":
				this.#saved(event);
				break;
			case "call.left":
				this.#left(event);
				break;
			case "processes":
				if (event.state === "ended") this.#gone(event.pids, event.at);
				break;
			case "adopt":
				this.adoptions.push({
					from: event.from,
					to: event.to,
					at: Date.parse(event.at)
				});
				this.#spansVersion++;
		}
		return null;
	}
	views() {
		return Array.from(this.#entries, viewOfEntry);
	}
	view(id) {
		const entry = this.#byCall.get(id) ?? this.#byRequest.get(id);
		return entry === void 0 ? null : viewOfEntry(entry);
	}
	tools() {
		return [...this.#tools.values()];
	}
	spans() {
		const found = [];
		for (const entry of this.#entries) {
			if (entry.span === void 0) entry.span = spanOf(entry.call, entry.facts);
			if (entry.span !== null) found.push(entry.span);
		}
		return found.sort((a, b) => a.from - b.from);
	}
	get version() {
		return this.#version;
	}
	get spansVersion() {
		return this.#spansVersion;
	}
	get running() {
		return this.#running;
	}
	marks(after = 0) {
		const found = [];
		for (const { mark, touched } of this.#marks.values()) if (touched > after) found.push(mark);
		return found;
	}
	after(position) {
		const calls = [];
		for (const entry of this.#entries) if (entry.touched > position) calls.push(viewOfEntry(entry));
		if (position > 0 && calls.some((call) => callKey(call) === "")) return this.after(0);
		const gone = this.#oldKeys.filter(({ touched }) => touched > position).map(({ key }) => key);
		return {
			whole: position === 0,
			calls: calls.map((call) => ({
				...call,
				head: "",
				tail: ""
			})),
			gone: position === 0 ? [] : gone,
			marks: this.marks(position)
		};
	}
	#requested(event) {
		const entry = this.#ofRequest(event.request);
		this.#update(entry, { request: {
			...event,
			at: entry.facts.request?.at ?? event.at
		} });
	}
	#permission(event) {
		if (isShell(event.tool)) {
			this.#update(this.#ofRequest(event.request), { permission: event });
			return;
		}
		const before = this.#tools.get(event.request);
		this.#tools.set(event.request, {
			...permissionView(event),
			at: before?.at ?? event.at,
			outcome: null,
			outcomeBy: null,
			error: ""
		});
	}
	#toolOutcome(event) {
		const { request, outcome, by, error } = event;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			outcome,
			outcomeBy: by,
			error
		});
		else if (entry !== void 0 && outcome === "denied") this.#update(entry, { denied: event });
	}
	#answered({ request, end, by }) {
		if (end === "open") return;
		const tool = this.#tools.get(request);
		const entry = this.#byRequest.get(request);
		const answered = {
			end,
			by
		};
		if (tool !== void 0) this.#tools.set(request, {
			...tool,
			answered
		});
		else if (entry !== void 0) this.#update(entry, { answered });
	}
	#decided(event) {
		const byRequest = event.request === "" ? void 0 : this.#byRequest.get(event.request);
		const byCall = this.#byCall.get(event.call);
		if (byRequest === void 0 || byRequest.call !== "" && byRequest !== byCall) {
			const entry = byCall ?? this.#add({ call: event.call });
			if (byRequest === void 0 && event.request !== "") this.#bindRequest(entry, event.request);
			const request = byRequest?.facts.request;
			this.#update(entry, request === void 0 ? { decision: event } : {
				decision: event,
				request
			});
			return;
		}
		byRequest.call = event.call;
		this.#byCall.set(event.call, byRequest);
		this.#update(byRequest, {
			...byCall?.facts,
			decision: event
		});
		if (byCall !== void 0 && byCall !== byRequest) {
			this.#entries.delete(byCall);
			this.#wasKey(callKey({
				id: byCall.call,
				request: byCall.request
			}));
		}
	}
	#ended(call) {
		const start = this.#running.get(call) ?? null;
		this.#running.delete(call);
		return {
			is: "ended",
			start
		};
	}
	#saved(event) {
		const entry = this.#ofCall(event.call);
		this.#update(entry, { saved: [...entry.facts.saved ?? [], event] });
	}
	#closed(event) {
		if (event.call === "" && event.request === "") return;
		const entry = event.call === "" ? this.#ofRequest(event.request) : this.#ofCall(event.call);
		this.#update(entry, { closed: event });
	}
	#left({ call, pids, at }) {
		this.#gone(pids, at);
		const entry = this.#ofCall(call);
		for (const pid of pids) this.#leftBy.set(pid, call);
		const left = [.../* @__PURE__ */ new Set([...entry.facts.left ?? [], ...pids])];
		this.#update(entry, {
			left,
			gone: entry.facts.gone?.filter((pid) => !pids.includes(pid)) ?? []
		});
	}
	#gone(pids, at) {
		for (const pid of pids) {
			const call = this.#leftBy.get(pid);
			this.#leftBy.delete(pid);
			if (call === void 0) continue;
			const entry = this.#ofCall(call);
			this.#update(entry, {
				gone: [...entry.facts.gone ?? [], pid],
				goneAt: at
			});
		}
	}
	#mark(event) {
		const content = markContent(event);
		if (content === null) return;
		const prefix = event.t === "commit" ? "refused" : content.kind;
		const id = ownMark(event) ?? `${prefix}-${this.#marks.size}`;
		const at = this.#marks.get(id)?.mark.at ?? event.at;
		this.#marks.set(id, {
			mark: {
				id,
				at,
				...content
			},
			touched: this.#position
		});
	}
	#ofRequest(request) {
		return this.#byRequest.get(request) ?? this.#add({ request });
	}
	#ofCall(call) {
		return this.#byCall.get(call) ?? this.#add({ call });
	}
	#add({ call = "", request = "" }) {
		const entry = {
			call,
			request: "",
			facts: {},
			view: void 0,
			span: void 0,
			touched: this.#position
		};
		this.#entries.add(entry);
		if (call !== "") this.#byCall.set(call, entry);
		if (request !== "") this.#bindRequest(entry, request);
		return entry;
	}
	#bindRequest(entry, request) {
		this.#wasKey(callKey({
			id: entry.call,
			request: entry.request
		}));
		entry.request = request;
		this.#byRequest.set(request, entry);
	}
	#wasKey(key) {
		if (key !== "") this.#oldKeys.push({
			key,
			touched: this.#position
		});
	}
	#update(entry, facts) {
		Object.assign(entry.facts, facts);
		entry.view = void 0;
		entry.span = void 0;
		entry.touched = this.#position;
		if (facts.outcome === void 0 && entry.facts.start?.mode === "sandbox") this.#spansVersion++;
	}
};
function viewOfEntry(entry) {
	entry.view ??= viewOf(entry.call === "" ? entry.request : entry.call, entry.request, entry.facts);
	return entry.view;
}
var CHUNK_BYTES = 65536;
var SMALL_BYTES = 4096;
var WITNESS_BYTES = 64;
async function readLog(sessionDir, wanted = null) {
	const tail = new LogTail(sessionDir, wanted);
	const { events, raw, size } = await tail.read();
	const pending = tail.pending();
	return {
		events,
		raw: pending === null ? raw : [...raw, pending],
		size
	};
}
async function readFold(sessionDir, wanted = null) {
	return foldLog((await readLog(sessionDir, wanted)).events);
}
var LogTail = class {
	#path;
	#wanted;
	#parser;
	#size = 0;
	#inode = "";
	#seen = "";
	#witness = /* @__PURE__ */ new Uint8Array();
	#queue = Promise.resolve();
	constructor(sessionDir, wanted = null) {
		this.#path = logPath(sessionDir);
		this.#wanted = wanted;
		this.#parser = new LogParser(wanted);
	}
	read() {
		const result = this.#queue.then(() => this.#read());
		this.#queue = result.catch(() => void 0);
		return result;
	}
	pending() {
		return this.#parser.pending();
	}
	async #read() {
		let file = null;
		try {
			if (this.#seen !== "" && this.#seen === seenOf(statSync(this.#path, QUIETLY))) return {
				events: [],
				raw: [],
				size: this.#size,
				reset: false
			};
			file = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK);
			const reset = this.#isAnother(file);
			if (reset) this.#restart();
			return {
				...await this.#readOn(file),
				reset
			};
		} catch (error) {
			if (file === null && errorCode(error) === "ENOENT") return this.#gone();
			if (file !== null) [this.#inode, this.#seen] = ["unknown", ""];
			throw logUnreadable(this.#path, error);
		} finally {
			if (file !== null) closeSync(file);
		}
	}
	async #readOn(file) {
		const news = {
			events: [],
			raw: [],
			size: this.#size
		};
		const left = fstatSync(file).size - this.#size;
		const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
		for (;;) {
			const bytesRead = readSync(file, buffer, 0, buffer.length, this.#size);
			if (bytesRead === 0) break;
			const chunk = buffer.subarray(0, bytesRead);
			for (const line of this.#parser.push(chunk)) if (isRaw(line)) news.raw.push(line);
			else news.events.push(line);
			this.#size += bytesRead;
			this.#witness = lastBytes(this.#witness, chunk);
			if (bytesRead < buffer.length) break;
			await setImmediate();
		}
		return {
			...news,
			size: this.#size
		};
	}
	#isAnother(file) {
		const now = fstatSync(file, { bigint: true });
		this.#seen = isPast(now.ctimeNs) ? seenOf(now) : "";
		const inode = `${now.dev}:${now.ino}`;
		const known = this.#inode;
		this.#inode = inode;
		if (known === "") return false;
		if (known !== inode) return true;
		const length = this.#witness.length;
		const found = new Uint8Array(length);
		return readSync(file, found, 0, length, this.#size - length) < length || Buffer.compare(found, this.#witness) !== 0;
	}
	#gone() {
		const reset = this.#size > 0;
		this.#restart();
		[this.#inode, this.#seen] = ["", ""];
		return {
			events: [],
			raw: [],
			size: 0,
			reset
		};
	}
	#restart() {
		this.#parser = new LogParser(this.#wanted);
		this.#size = 0;
		this.#witness = /* @__PURE__ */ new Uint8Array();
	}
};
var QUIETLY = {
	bigint: true,
	throwIfNoEntry: false
};
var seenOf = (file) => file === void 0 ? "" : `${file.dev}:${file.ino} ${file.size} ${file.ctimeNs}`;
function lastBytes(before, chunk) {
	if (chunk.length >= WITNESS_BYTES) return chunk.slice(-64);
	const joined = Buffer.concat([before, chunk]);
	return new Uint8Array(joined.subarray(Math.max(0, joined.length - WITNESS_BYTES)));
}
var { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants;
function serverFilePath(stateDir) {
	return path.join(stateDir, "server.json");
}
function readServerFile(stateDir) {
	const file = serverFilePath(stateDir);
	let fd;
	try {
		fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw foreignServerFile(file, error);
	}
	return withHandle(nodePort, fd, () => {
		const stat = fstatSync(fd);
		if (!(stat.isFile() && stat.uid === process.getuid?.()) || (stat.mode & 63) !== 0 || stat.nlink !== 1) throw foreignServerFile(file);
		return parse$1(readFileSync(fd, "utf8"));
	});
}
function parse$1(text) {
	try {
		const { v, pid, port, version, hook, proof } = Object(JSON.parse(text));
		const texts = [
			version,
			hook,
			proof
		].every((value) => typeof value === "string");
		return v === 1 && Number.isInteger(port) && port > 0 && port < 65536 && typeof pid === "number" && texts ? {
			v,
			pid,
			port,
			version,
			hook,
			proof
		} : null;
	} catch {
		return null;
	}
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
Math.max(...Object.values(HOW_TEXTS).map((text) => text.length));
var TOLD$1 = {
	open: "open",
	list: "by the proxy of HTTPS_PROXY and ALL_PROXY only, to hosts that the user allows; about another one the user is asked, which takes up to 30 seconds. Names cannot be resolved here",
	off: "none"
};
function boxContext({ rows, net, variables }) {
	return [
		"You run in a box: of this machine only the following is there. \"pending\" waits for the user; \"kept\" stays for the next box of this project; \"temporary\" ends with the box.",
		rows.map(({ to, how }) => `${toDisplay(to)} (${HOW_TEXTS[how].toLowerCase()})`).join(", "),
		`Network: ${TOLD$1[net]}. Variables: ${variables.join(" ")}.`,
		"What is missing cannot be had from inside: ask the user, who can start the box with --allow PATH or --env NAME."
	].join("\n");
}
async function openInside(source, covered) {
	return openInsideOf(await liveProcesses(source), source, covered);
}
function openInsideOf(processes, source, covered) {
	for (const { pid } of processes) {
		const opened = openAt(pid, source, covered);
		if (opened !== null) return {
			...opened,
			pid,
			close: () => nodePort.close(opened.fd)
		};
	}
	return null;
}
function openAt(pid, source, covered) {
	const fd = orNull(() => nodePort.openDir(`/proc/${pid}/root${covered.path}`));
	if (fd === null) return null;
	const dev = orNull(() => nodePort.fstat(fd).dev);
	const device = dev === null ? "" : deviceText(dev);
	const isMounted = parseMountinfo(processText(pid, "mountinfo") ?? "").some((mount) => mount.source === source && mount.device === device && mount.point === covered.path);
	if (dev !== null && isMounted) return {
		fd,
		dev,
		device
	};
	nodePort.close(fd);
	return null;
}
function deviceText(dev) {
	return `${dev >> 8n & 4095n | dev >> 32n & -4096n}:${dev & 255n | dev >> 12n & -256n}`;
}
var SCRIPT = `export LIBMOUNT_FORCE_MOUNT2=always; while IFS= read -r -d "" at; do ${programPath("mount")} -o remount "$at" || exit; done`;
async function refreshMounts(ctx, pid, points) {
	const fds = [];
	try {
		fds.push(openSync(`/proc/${pid}/ns/mnt`, "r"));
		if (!ctx.root) fds.push(openSync(`/proc/${pid}/root${ctx.stateDir}/userns`, "r"));
		const owner = ctx.root ? [] : ["--preserve-credentials", "--user=/proc/self/fd/4"];
		const shell = [
			programPath("bash"),
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
		const { status, stderr } = await nodePort.run(programPath("nsenter"), args, input, fds);
		return status === 0 ? null : stderr.trim() || `nsenter ended with status ${status}`;
	} catch (error) {
		return errorText(error);
	} finally {
		for (const fd of fds) closeSync(fd);
	}
}
var TIMES = "times";
var RETURNED = ".returned";
function returnTimes(ctx, file, name, since, moved = /* @__PURE__ */ new Map()) {
	const text = readOrNull(file);
	if (text === null) return;
	const dir = `${ctx.sessionDir}/overlay/${RETURNED}`;
	mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	writeWhole(`${dir}/${name.padStart(8, "0")}`, `${since} ${Date.now()}\0${text}${[...moved].map(([path, born]) => `=${born} ${path}\0`).join("")}`);
	for (const old of names(dir).slice(0, -4)) rmSync(`${dir}/${old}`, { force: true });
}
function readOrNull(file) {
	return orNull(() => readFileSync(file, "latin1"));
}
function names(dir) {
	return namesOrNone(fromText(dir)).filter((name) => /^\d{8}$/.test(name));
}
var LISTING_VERSION = 2;
var DIRS = ".listed.json";
var AT = ".listed-at";
function fileOf$1({ sessionDir }, name) {
	return `${sessionDir}/overlay/${name}`;
}
function readListing(ctx) {
	const none = {
		began: 0,
		stamp: 0,
		dirs: /* @__PURE__ */ new Map()
	};
	try {
		const [, began, stamp] = /^(\d+) (\d+)$/.exec(readPlainFile(fileOf$1(ctx, AT))?.toString("latin1") ?? "") ?? [];
		const value = JSON.parse(readPlainFile(fileOf$1(ctx, DIRS))?.toString("latin1") ?? "");
		if (!isListing(value) || began === void 0) return none;
		const dirs = new Map(value.dirs.map(([path, dir]) => [path, {
			...dir,
			marks: new Map(dir.marks)
		}]));
		return {
			began: Number(began),
			stamp: Number(stamp) / 1e6,
			dirs
		};
	} catch (error) {
		if (error instanceof SyntaxError || errorCode(error) !== "") return none;
		throw error;
	}
}
function isListing(value) {
	return isObject(value) && value["v"] === LISTING_VERSION && Array.isArray(value["dirs"]);
}
function momentNow(ctx) {
	const probe = `${fileOf$1(ctx, AT)}.${process.pid}`;
	try {
		return orNull(() => {
			writeFileSync(probe, "", { mode: 384 });
			return {
				began: Date.now(),
				stampNs: statSync(probe, { bigint: true }).mtimeNs
			};
		});
	} finally {
		rmSync(probe, { force: true });
	}
}
function writeListing(ctx, moment, dirs) {
	const lines = [...dirs].map(([path, dir]) => [path, {
		...dir,
		marks: [...dir.marks]
	}]);
	if (tryWriteWhole(fileOf$1(ctx, DIRS), JSON.stringify({
		v: LISTING_VERSION,
		dirs: lines
	}))) confirmListing(ctx, moment);
}
function confirmListing(ctx, { began, stampNs }) {
	tryWriteWhole(fileOf$1(ctx, AT), `${began} ${stampNs}`);
}
async function listUppers(ctx, quiet) {
	const moment = momentNow(ctx);
	const pass = await passOver(ctx, quiet);
	if (moment === null || pass.closed.size > 0) return pass;
	if (pass.changed) writeListing(ctx, moment, pass.dirs);
	else confirmListing(ctx, moment);
	return pass;
}
async function readUppers(ctx) {
	return await passOver(ctx, false);
}
async function passOver(ctx, quiet) {
	const pass = new Pass(readListing(ctx), quiet);
	for (const { path, upper } of ctx.coveredDirs) await collect(pass.walk(path, upper));
	return pass;
}
function entryId({ ino, birthNs }) {
	return `${ino}.${birthNs}`;
}
function ownState({ mode, uid, gid }) {
	return `${mode}.${uid}.${gid}`;
}
function toMs(ns) {
	return Number(ns) / 1e6;
}
var Pass = class {
	dirs = /* @__PURE__ */ new Map();
	closed = /* @__PURE__ */ new Set();
	before;
	quiet;
	byId = /* @__PURE__ */ new Map();
	reread = false;
	earliest = 0;
	constructor(before, quiet) {
		this.before = before;
		this.quiet = quiet;
		for (const dir of before.dirs.values()) this.byId.set(dir.id, dir);
	}
	get changed() {
		return this.reread || this.before.dirs.size !== this.dirs.size;
	}
	*walk(root, upperRoot) {
		this.earliest = this.before.began || toMs(lstatEntry(upperRoot)?.birthNs ?? 0n);
		const stack = [{
			path: root,
			upperPath: upperRoot
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			try {
				const entry = lstatEntry(at.upperPath);
				if (entry?.type !== "dir") continue;
				const dir = this.directory(at, entry);
				this.dirs.set(at.path, dir);
				for (const name of dir.dirs) stack.push({
					path: joinPath(at.path, name),
					upperPath: joinPath(at.upperPath, name)
				});
			} catch (error) {
				if (errorCode(error) === "") throw error;
				this.closed.add(at.path);
			}
		}
	}
	directory(at, entry) {
		const old = this.before.dirs.get(at.path);
		const known = old?.id === entryId(entry) ? old : void 0;
		const own = this.ownTimes(entry, known);
		const hides = known ?? {
			since: this.goneSince(at.path),
			placed: upTo(entry.ctimeNs)
		};
		const ctimeNs = String(entry.ctimeNs);
		const settled = toMs(entry.ctimeNs) < this.before.stamp;
		const same = known !== void 0 && known.ctimeNs === ctimeNs && settled;
		if (!same) this.reread = true;
		const names = same ? known : this.names(at, entry, known);
		return {
			id: entryId(entry),
			own: ownState(entry),
			...own,
			since: hides.since,
			placed: hides.placed,
			ctimeNs,
			marks: names.marks,
			dirs: names.dirs
		};
	}
	ownTimes(entry, known) {
		if (known !== void 0 && known.own === ownState(entry)) return {
			from: known.from,
			to: known.to
		};
		const moved = this.byId.get(entryId(entry));
		if (moved !== void 0 && toMs(entry.ctimeNs) < this.before.stamp) return {
			from: moved.from,
			to: moved.to
		};
		return order(Math.max(this.since(entry), toMs(entry.birthNs)), upTo(entry.ctimeNs));
	}
	since(entry) {
		return toMs(entry.ctimeNs) < this.before.stamp ? 0 : this.before.began;
	}
	markBefore(path) {
		const slash = path.lastIndexOf("/");
		return this.before.dirs.get(path.slice(0, slash) || "/")?.marks.get(path.slice(slash + 1));
	}
	names(at, holder, known) {
		const marks = /* @__PURE__ */ new Map();
		const dirs = [];
		const onHost = isDirectory(at.path);
		for (const one of readEntries(at.upperPath)) {
			const path = joinPath(at.path, one.name);
			if (one.isDirectory()) dirs.push(one.name);
			else if (one.isCharacterDevice() || onHost && isDirectory(path)) {
				const entry = lstatEntry(joinPath(at.upperPath, one.name));
				const was = known?.marks.get(one.name);
				if (entry === null) continue;
				if (isWhiteout(entry)) marks.set(one.name, this.mark(path, entry, holder, was));
				else if (onHost && isDirectory(path)) marks.set(one.name, this.instead(path, entry, holder, was));
			}
		}
		return {
			marks,
			dirs
		};
	}
	mark(path, mark, holder, was) {
		const { began } = this.before;
		const id = entryId(mark);
		const latest = Math.min(upTo(mark.ctimeNs), upTo(holder.ctimeNs));
		if (was?.id === id) {
			const times = !was.final && toMs(mark.ctimeNs) >= this.before.stamp ? order(was.from, Math.max(was.to, latest)) : {
				from: was.from,
				to: was.to
			};
			return {
				...was,
				...times,
				final: was.final || this.quiet
			};
		}
		const times = order(Math.max(began, toMs(mark.birthNs), began === 0 ? toMs(holder.birthNs) : 0), latest);
		return {
			id,
			...times,
			final: this.quiet,
			since: Math.min(this.goneSince(path), times.from)
		};
	}
	instead(path, entry, holder, was) {
		if (was?.id === "") return was;
		const since = this.goneSince(path);
		return {
			id: "",
			final: true,
			since,
			...order(since, Math.min(upTo(entry.ctimeNs), upTo(holder.ctimeNs)))
		};
	}
	goneSince(path) {
		return this.before.dirs.get(path)?.since ?? this.markBefore(path)?.since ?? this.earliest;
	}
};
function upTo(ns) {
	return Math.min(Date.now(), toMs(ns));
}
function order(from, to) {
	return {
		from: Math.min(from, to),
		to: Math.max(from, to)
	};
}
function isDirectory(path) {
	return lstatOrNone(path)?.type === "dir";
}
function leavesUpper(unit) {
	return unit.kind === "move-to-host" || unit.kind === "put" && unit.stage === null;
}
function entriesOf(unit) {
	switch (unit.kind) {
		case "put":
		case "swap":
		case "move-to-store": return unit.entries;
		case "meta":
		case "delete": return [{
			path: unit.path,
			id: unit.upper
		}];
		case "move-to-host": return unpackTree(unit.path, unit.tree);
	}
}
function entryCount(unit) {
	return unit.kind === "move-to-host" ? unit.tree.count : entriesOf(unit).length;
}
function hostOf(unit) {
	return unit.kind === "move-to-host" ? null : unit.host;
}
function bytesOf$1(unit) {
	return "bytes" in unit ? unit.bytes : 0;
}
function replacedBelow(unit) {
	return unit.kind === "swap" ? unit.below : [];
}
function resultOf(unit) {
	switch (unit.kind) {
		case "put":
		case "swap": return unit.stage === null ? unit.entries : unit.result;
		case "meta": return [resultOfMeta(unit)];
		case "delete": return [{
			path: unit.path,
			id: null
		}];
		case "move-to-host": return entriesOf(unit);
		case "move-to-store": return unit.entries.map(({ path }) => ({
			path,
			id: null
		}));
	}
}
function resultOfMeta({ path, host, mode, uid, gid, mtime }) {
	const then = {
		...fingerprint(host),
		uid,
		gid
	};
	if (then.type !== "symlink") then.mode = mode;
	if (then.type === "file" && mtime !== null) then.mtimeNs = BigInt(mtime);
	return {
		path,
		id: identityOf$2(then)
	};
}
function isTimeOnly(unit) {
	if (unit.kind !== "meta" || unit.mtime === null || unit.xattrs !== void 0) return false;
	return unit.host.startsWith(`file:${unit.mode}:${unit.uid}:${unit.gid}:`);
}
var END = "//";
var unpacked = /* @__PURE__ */ new WeakMap();
function unpackTree(top, tree) {
	const known = unpacked.get(tree);
	if (known !== void 0) return known;
	const { dev, owner, text } = tree;
	const fields = text.split(END);
	const entries = [];
	for (let i = 0; i + 1 < fields.length; i += 2) {
		const path = `${top}${fields[i] ?? ""}`;
		entries.push({
			path,
			id: wholeIdentity(fields[i + 1] ?? "", dev, owner)
		});
	}
	unpacked.set(tree, entries);
	return entries;
}
function wholeIdentity(id, dev, owner) {
	const fields = id.split(".");
	if (fields.length < 8) return id;
	const [ino, size, mtimeNs, ctimeNs, mode, type, nlink, birthNs, own] = fields;
	return `${type}:${mode}:${own ?? owner}:${size}:${dev}:${ino}:${birthNs}:${nlink}:${mtimeNs}:${ctimeNs}`;
}
var JOURNAL = "journal.jsonl";
function phaseAfter(phase, { t }) {
	switch (t) {
		case "ready":
		case "applied": return t;
		case "done":
		case "fail":
		case "abandon": return phase === "ready" ? "applying" : phase;
		case "end":
		case "discarded": return "closed";
		case "reopen": return "staging";
		default: return phase;
	}
}
var CommitRecord = class {
	begin;
	n;
	phase = "staging";
	stages = [];
	units = [];
	unitOf = /* @__PURE__ */ new Map();
	above = [];
	same = [];
	refused = [];
	loosened = [];
	upperLoosened = [];
	done = /* @__PURE__ */ new Map();
	stamps = /* @__PURE__ */ new Map();
	failed = /* @__PURE__ */ new Map();
	hashes = /* @__PURE__ */ new Map();
	abandoned = null;
	report = null;
	dropped = false;
	pending = [];
	beside = [];
	imageless = /* @__PURE__ */ new Set();
	undone = /* @__PURE__ */ new Set();
	collected = false;
	endedAt = null;
	indexes = {};
	drops = [];
	bases = "";
	whiteouts = /* @__PURE__ */ new Set();
	discarded = false;
	entries = null;
	reopened = null;
	constructor(begin) {
		this.begin = begin;
		this.n = begin.n;
	}
	standing() {
		return this.units.filter(({ i }) => this.done.has(i) && !this.undone.has(i));
	}
	fold(line) {
		this.phase = phaseAfter(this.phase, line);
		switch (line.t) {
			case "stage":
				this.stages.push(line);
				break;
			case "unit":
				this.units.push(line);
				this.unitOf.set(line.i, line);
				break;
			case "above":
				this.above = this.above.concat(line.entries);
				break;
			case "refused":
				this.refused = this.refused.concat(line.entries);
				break;
			case "same":
				this.same = this.same.concat(line.entries, ...(line.trees ?? []).map((i) => this.#belowTop(i)));
				break;
			case "loosen":
				this.loosened.push(line);
				break;
			case "loosen-upper":
				this.upperLoosened.push(line);
				break;
			case "done":
				this.done.set(line.i, line.note ?? "");
				if (line.stamp !== void 0) this.stamps.set(line.i, line.stamp);
				if (line.whiteout === true) this.whiteouts.add(line.i);
				break;
			case "fail":
				this.failed.set(line.i, line.message);
				break;
			case "end":
				this.report = line.report;
				this.endedAt = line.at ?? null;
				this.indexes = line.indexes ?? {};
				this.discarded = false;
				break;
			case "drop":
				this.drops.push(line);
				break;
			case "bases":
				this.bases = line.text;
				break;
			case "reopen":
				this.reopened = line;
				break;
			case "pending":
				this.pending.push(line);
				break;
			case "beside":
				this.beside = this.beside.concat(line.paths);
				break;
			case "no-image":
				this.imageless.add(line.i);
				break;
			case "unlinked":
				this.stamps.set(line.i, line.stamp);
				break;
			case "undone":
				for (const i of line.units) this.undone.add(i);
				break;
			case "abandon":
				this.abandoned = line.why;
				break;
			case "discarded":
				this.discarded = true;
				this.entries = line.entries ?? this.entries;
				break;
			case "hashes":
				for (const [i, sha256, blob] of line.of) this.hashes.set(i, {
					sha256,
					blob
				});
				break;
			case "collected":
			case "dropped": this[line.t] = true;
		}
	}
	#belowTop(i) {
		const unit = this.unitOf.get(i);
		return unit === void 0 ? [] : entriesOf(unit).filter(({ path }) => path !== unit.path);
	}
};
function endTime() {
	return Date.now() + 1;
}
var Journal = class {
	record;
	dir;
	#port;
	#fd;
	#pending;
	#isDurable;
	constructor(port, dir, { record, torn }) {
		this.#port = port;
		this.dir = dir;
		this.record = record;
		this.#pending = torn ? "\n" : "";
		this.#isDurable = false;
		this.#fd = port.openAppend(joinPath(dir, JOURNAL));
	}
	add(line) {
		this.record.fold(line);
		this.#pending += `${JSON.stringify(line)}\n`;
		if (this.#pending.length > 1e6) this.flush();
	}
	addSynced(...lines) {
		for (const line of lines) this.add(line);
		this.sync();
	}
	flush() {
		const text = this.#pending;
		if (text === "") return;
		this.#pending = "";
		this.#port.append(this.#fd, text);
	}
	sync() {
		this.flush();
		this.#port.fsync(this.#fd);
		this.#isDurable = true;
	}
	syncBegin() {
		if (!this.#isDurable) this.sync();
	}
	close() {
		this.#port.close(this.#fd);
	}
};
function commitsDir(ctx) {
	return joinPath(fromText(ctx.sessionDir), "commits");
}
function commitDir(ctx, n) {
	return joinPath(commitsDir(ctx), String(n));
}
function commitNumbers(port, ctx) {
	if (port.lstat(commitsDir(ctx)) === null) return [];
	return port.readdir(commitsDir(ctx)).filter((name) => /^[1-9][0-9]*$/.test(name)).map(Number).sort((a, b) => a - b);
}
function readJournal(port, ctx, n) {
	return readJournalIn(port, commitDir(ctx, n))?.record ?? null;
}
function unfinishedCommit(ctx, port = nodePort) {
	for (const n of commitNumbers(port, ctx).reverse()) {
		if (readClosed(commitDir(ctx, n)) !== null) return null;
		const record = readJournal(port, ctx, n);
		if (record !== null) return record.phase === "closed" ? null : n;
	}
	return null;
}
function openJournal(port, dir) {
	const found = readJournalIn(port, dir);
	return found === null ? null : new Journal(port, dir, found);
}
function readJournalIn(port, dir) {
	const text = port.readText(joinPath(dir, "journal.jsonl")) ?? "";
	let record = null;
	for (const raw of text.split("\n")) {
		const line = raw === "" ? null : parse(raw);
		if (line === null) continue;
		if (record === null) {
			if (line.t !== "begin") throw journalDamaged(joinPath(dir, JOURNAL), JOURNAL_HAS_NO_BEGIN);
			if (line.v !== 5) throw otherJournalVersion(dir, line.v, 5);
			record = new CommitRecord(line);
		} else if (line.t === "ready" && record.units.length !== line.units) throw journalDamaged(joinPath(dir, JOURNAL), unitsMissing(line.units, record.units.length));
		else record.fold(line);
	}
	return record === null ? null : {
		record,
		torn: !text.endsWith("\n")
	};
}
function readClosed(dir) {
	const [head = "", tail = ""] = readEnds(Buffer.from(joinPath(dir, "journal.jsonl"), "latin1"), HEAD_BYTES, TAIL_BYTES)?.map((part) => part.toString("latin1")) ?? [];
	const [, version, at] = /^\{"t":"begin","v":(\d+),"at":"([^"]+)"/.exec(head) ?? [];
	if (at === void 0 || Number(version) !== 5 || !tail.endsWith("}\n")) return null;
	const after = /* @__PURE__ */ new Set();
	for (let end = tail.length - 1; end > 0;) {
		const start = tail.lastIndexOf("\n", end - 1) + 1;
		const kind = /^\{"t":"([a-z-]+)"/.exec(tail.slice(start, Math.min(end, start + 30)))?.[1] ?? "";
		if (kind === "end" || kind === "discarded") return {
			at,
			after
		};
		if (!AFTER_END.has(kind)) return null;
		after.add(kind);
		end = start - 1;
	}
	return null;
}
var HEAD_BYTES = 100;
var TAIL_BYTES = 65536;
var AFTER_END = /* @__PURE__ */ new Set([
	"dropped",
	"undone",
	"collected"
]);
function parse(raw) {
	try {
		return JSON.parse(raw);
	} catch {
		return null;
	}
}
function overlayOf(port, { sessionDir }) {
	const link = joinPath(fromText(sessionDir), "overlay");
	if (port.lstat(link)?.type !== "dir") return port.readlink(link);
	throw otherVersion(link);
}
var TAG = "CACHEDIR.TAG";
var CACHE_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Overlays that were discarded; `trai undo` undoes a discard.\n";
function trashDir(ctx) {
	return joinPath(fromText(ctx.stateDir), "trash");
}
function timeOf({ session }, name) {
	if (!name.startsWith(`${session}.`)) return null;
	const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(name.slice(session.length + 1));
	if (time === null) return null;
	const [, year, month, day, hour, minute, second, ms] = time;
	return `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
}
function trashNames(port, ctx) {
	if (port.lstat(trashDir(ctx)) === null) return [];
	return port.readdir(trashDir(ctx)).filter((name) => timeOf(ctx, name) !== null).sort();
}
function readDiscard(port, ctx, name) {
	if (timeOf(ctx, name) === null) return null;
	const dir = joinPath(trashDir(ctx), name);
	const record = readJournalIn(port, dir)?.record;
	const about = record?.begin.discards;
	if (record === void 0 || about === void 0 || record.begin.session !== ctx.session) return null;
	return {
		...about,
		entries: record.entries ?? about.entries,
		name,
		dir,
		record
	};
}
function isReturnable(port, { dir, record }) {
	return record.discarded && port.lstat(joinPath(dir, "overlay")) !== null;
}
function tag(port, dir) {
	const file = joinPath(dir, TAG);
	if (port.lstat(file) === null) writeFile$1(port, file, CACHE_TAG);
}
function writeFile$1(port, path, text) {
	const temporary = `${path}.new`;
	if (port.lstat(temporary) !== null) port.unlink(temporary);
	withHandle(port, port.openAppend(temporary), (fd) => {
		port.append(fd, text);
		port.fsync(fd);
	});
	port.rename(temporary, path);
}
var GONE = "gone";
var Uppers = class {
	#port;
	#ctx;
	#onLoosen;
	#walks = /* @__PURE__ */ new Map();
	#moved = 0;
	#loosened = [];
	constructor(port, ctx, onLoosen) {
		this.#port = port;
		this.#ctx = ctx;
		this.#onLoosen = onLoosen;
	}
	isRoot(path) {
		return coveringDir(this.#ctx.coveredDirs, path)?.path === path;
	}
	lstat(path) {
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstat(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	lstatHere(path) {
		if (this.isRoot(path)) return this.lstat(path);
		return this.#in(path, ({ walk, inside }) => {
			const now = walk.lstatHere(inside);
			return now === null ? null : walk.asFound(now);
		});
	}
	async lstatEach(paths, pace) {
		const found = /* @__PURE__ */ new Map();
		for (const path of paths) {
			const root = this.isRoot(path) ? this.lstat(path) : null;
			if (root !== null) found.set(path, root);
		}
		for (const [dir, inDir] of byParent(paths.filter((path) => !this.isRoot(path)))) {
			await pace.breathe();
			this.#in(dir, ({ walk, inside }) => {
				const fd = walk.openOrNone(inside);
				for (const path of fd === null ? [] : inDir) {
					const now = this.#port.lstat(at$1(fd ?? 0, nameOf$1(path)));
					if (now !== null) found.set(path, walk.asFound(now));
				}
			});
		}
		return found;
	}
	placed(path) {
		return this.#in(path, ({ walk, inside }) => this.isRoot(path) ? at$1(walk.open(inside)) : at$1(walk.open(parentOf$1(inside)), nameOf$1(inside)));
	}
	placedHere(path) {
		return this.#in(path, ({ walk, inside }) => at$1(walk.openHere(parentOf$1(inside)), nameOf$1(inside)));
	}
	pathOf(path) {
		return upperPathIn(this.#ctx.coveredDirs, path) ?? path;
	}
	readdir(path) {
		return this.#in(path, ({ walk, inside }) => walk.lstat(inside)?.type === "dir" ? this.#port.readdir(at$1(walk.openToList(inside))) : []) ?? [];
	}
	remove(path, type) {
		this.#at(path, (target) => type === "dir" ? this.#port.rmdir(target) : this.#port.unlink(target));
	}
	insert(path, from, closedMode = null) {
		const now = closedMode === null ? null : this.#port.lstat(from);
		if (closedMode !== null && now !== null) {
			this.#in(path, ({ inside }) => this.#onLoosen?.(inside, closedMode, birthOf$1(now)));
			chmodEntry(this.#port, from, closedMode | 448);
		}
		this.#in(path, ({ walk, inside }) => this.#port.rename(from, walk.targetHere(inside)));
		if (closedMode !== null) this.chmod(path, closedMode);
	}
	takeOut(path, to) {
		this.#in(path, ({ walk, inside }) => moveOut(this.#port, walk, inside, to));
	}
	dress(path, { mode, uid, gid }) {
		this.#at(path, (target) => {
			const now = this.#port.lstat(target);
			if (now?.type !== "dir") return;
			if (now.uid !== uid || now.gid !== gid) this.#port.lchown(target, uid, gid);
			chmodEntry(this.#port, target, mode);
		});
	}
	xattrs(path) {
		return this.#in(path, ({ walk, inside }) => this.#port.xattrs(walk.open(inside)));
	}
	setXattrs(path, changes) {
		if (changes.length > 0) this.#in(path, ({ walk, inside }) => this.#port.setXattrs(walk.open(inside), changes));
	}
	link(path, from) {
		this.#at(path, (target) => this.#port.link(from, target));
	}
	chmod(path, mode) {
		this.#at(path, (target) => chmodEntry(this.#port, target, mode));
	}
	moveOut(path) {
		const covered = coveringDir(this.#ctx.coveredDirs, path);
		if (covered === null) return;
		const gone = joinPath(parentOf$1(covered.upper), GONE);
		if (this.#port.lstat(gone) === null) this.#port.mkdir(gone, 448);
		this.takeOut(path, joinPath(gone, String(this.#moved++)));
	}
	removeMovedOut() {
		for (const { upper } of this.#ctx.coveredDirs) {
			const beside = parentOf$1(upper);
			if (this.#port.lstat(joinPath(beside, GONE)) !== null) removePath(this.#port, beside, GONE);
		}
	}
	restore(loosened) {
		for (const { path, mode, id } of loosened) {
			const covered = this.#ctx.coveredDirs.find(({ upper }) => isWithin(path, upper));
			const walk = covered === void 0 ? null : this.#walk(covered);
			const now = walk?.lstat(path) ?? null;
			if (walk === null || now === null || birthOf$1(now) !== id || now.mode !== (mode | 448)) continue;
			this.#port.chmod(at$1(walk.open(path)), mode);
		}
	}
	close() {
		for (const { walk, path, mode } of this.#loosened.splice(0).reverse()) if (walk.lstat(path)?.type === "dir") this.#port.chmod(at$1(walk.open(path)), mode);
		for (const walk of this.#walks.values()) walk.close();
		this.#walks.clear();
	}
	#in(path, use) {
		const covered = coveringDir(this.#ctx.coveredDirs, path);
		return covered === null ? null : use({
			inside: upperPath(covered, path),
			walk: this.#walk(covered)
		});
	}
	#at(path, use) {
		this.#in(path, ({ walk, inside }) => {
			if (this.isRoot(path)) use(at$1(walk.open(inside), "."));
			else use(walk.target(inside));
		});
	}
	#walk({ n, upper }) {
		const known = this.#walks.get(n);
		if (known !== void 0) return known;
		const announce = this.#onLoosen;
		const note = (dir, mode, id) => {
			announce?.(dir, mode, id);
			this.#loosened.push({
				walk,
				path: dir,
				mode
			});
		};
		const uid = this.#ctx.root ? 0 : this.#ctx.uid;
		const walk = new Dirs(this.#port, upper, uid, announce === null ? null : note);
		this.#walks.set(n, walk);
		return walk;
	}
};
function openUppers({ port, ctx, journal }) {
	const earlier = [...journal.record.upperLoosened];
	const uppers = new Uppers(port, ctx, (path, mode, id) => {
		journal.addSynced({
			t: "loosen-upper",
			path,
			mode,
			id
		});
	});
	uppers.restore(earlier);
	return uppers;
}
function* dirsTo({ coveredDirs }, path) {
	const root = coveringDir(coveredDirs, path)?.path ?? path;
	for (let dir = parentOf$1(path); dir !== root && isWithin(dir, root); dir = parentOf$1(dir)) yield dir;
}
function allDirsTo(ctx, paths) {
	const seen = /* @__PURE__ */ new Set();
	for (const path of paths) {
		if (seen.has(parentOf$1(path))) continue;
		for (const dir of dirsTo(ctx, path)) {
			if (seen.has(dir)) break;
			seen.add(dir);
		}
	}
	return seen;
}
function hostXattrs(port, ctx, paths, dirs = []) {
	let texts = null;
	return (dir) => {
		if (texts === null) {
			const all = [.../* @__PURE__ */ new Set([
				dir,
				...dirs,
				...allDirsTo(ctx, paths)
			])];
			const found = port.xattrsOf(all);
			texts = new Map(all.map((one, i) => [one, found[i] ?? ""]));
		}
		return texts.get(dir) ?? "";
	};
}
async function askHostXattrs({ port, ctx }, uppers, paths) {
	const lacking = [...allDirsTo(ctx, paths)].filter((dir) => uppers.lstat(dir) === null);
	const found = await port.askXattrs(lacking);
	const texts = new Map(lacking.map((dir, i) => [dir, found[i] ?? ""]));
	return (dir) => texts.get(dir) ?? "";
}
function otherThanHost(port, uppers, dirs) {
	const texts = port.xattrsOf(dirs.flatMap((dir) => [dir, uppers.pathOf(dir)]));
	return dirs.filter((_, i) => {
		const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
		return host !== null && upper !== null && host !== upper;
	});
}
function isStored(port, at, stored) {
	return orIfRefused(() => {
		const pair = pairOf(port, at, stored);
		return pair !== null && isSame$1(pair);
	}, false);
}
function isStoredWhole(port, at, stored) {
	return orIfRefused(() => eachIs(isSame$1, port, at, stored), false);
}
function pairOf(port, at, stored) {
	const [now, kept] = [port.lstat(at), port.lstat(stored)];
	return now === null || kept === null ? null : {
		port,
		at,
		now,
		stored,
		kept
	};
}
function eachIs(is, port, at, stored) {
	const pair = pairOf(port, at, stored);
	if (pair === null || !is(pair)) return false;
	if (pair.kept.type !== "dir") return true;
	const names = port.readdir(stored);
	if (names.length !== port.readdir(at).length) return false;
	return names.every((name) => eachIs(is, port, joinPath(at, name), joinPath(stored, name)));
}
var isLike$1 = ({ now, kept }) => looksAlike(identityOf$2(kept), now);
function isSame$1(pair) {
	const { port, at, now, stored, kept } = pair;
	if (isWhiteout(now) || isWhiteout(kept)) return isWhiteout(now) && isWhiteout(kept);
	if (!isLike$1(pair)) return false;
	if (now.type === "symlink") return port.readlink(at) === port.readlink(stored);
	return now.type !== "file" || resultAtOnce(sameContent(at, now, stored, kept));
}
function hostDirs({ port, ctx, journal }) {
	const dirs = new Dirs(port, "/", ctx.root ? 0 : ctx.uid, (path, mode, id) => {
		journal.addSynced({
			t: "loosen",
			path,
			mode,
			id
		});
	});
	for (const { id, mode } of journal.record.loosened) dirs.loosened.set(id, mode);
	return dirs;
}
var BACK = "back";
function waitingAt(back, covered, path) {
	return joinPath(back, joinPath(String(covered.n), relativeTo(covered.path, path)));
}
function isPendingAlready({ port, ctx, journal: { record } }) {
	return useAndClose(new Uppers(port, ctx, null), (uppers) => record.pending.every(({ i, kind, path, born, stays }) => stays === true || !record.done.has(i) || kind === "copy" && born === null || uppers.lstat(path) !== null));
}
function keptBeside({ port, ctx, journal }) {
	return journal.record.pending.flatMap((line) => {
		const covered = line.stays === true ? coveringDir(ctx.coveredDirs, line.path) : null;
		const at = covered === null ? null : waitingAt(joinPath(journal.dir, BACK), covered, line.path);
		return at === null || port.lstat(at) === null ? [] : [{
			path: line.path,
			at,
			later: line.later
		}];
	});
}
async function insertPending(transaction, resumed) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const { pending, done } = record;
	const dir = joinPath(journal.dir, BACK);
	const paths = pending.map(({ path }) => path);
	const kept = [];
	const pace = new Pace();
	await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		const parents = /* @__PURE__ */ new Map();
		const making = {
			port,
			uppers,
			dir,
			likeHost: await askHostXattrs(transaction, uppers, paths),
			parents
		};
		const broken = brokenTrees(record);
		const rank = ({ kind }) => kind === "dir" ? 0 : 1;
		for (const line of [...pending].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))) {
			await pace.breathe();
			if (!done.has(line.i) && !broken.has(line.path) && !isGone(port, record, line)) continue;
			const covered = coveringDir(ctx.coveredDirs, line.path);
			const isThere = !resumed && done.get(line.i) === "" && typeOf(line.born) === "file";
			if (covered !== null && line.stays !== true && insertOne(making, covered, line, isThere)) continue;
			if (line.kind !== "copy" || line.born === null) continue;
			const copy = covered === null ? dir : waitingAt(dir, covered, line.path);
			if (port.lstat(copy) !== null) kept.push({
				path: line.path,
				at: copy,
				later: line.later
			});
		}
	});
	return kept;
}
function isGone(port, { unitOf }, { i, path }) {
	const unit = unitOf.get(i);
	const reviewed = unit === void 0 ? null : hostOf(unit);
	const now = orIfRefused(() => port.lstat(path), null);
	return !isSame$3(reviewed, now) && !(unit?.kind === "swap" && isRenamed(reviewed, now));
}
function brokenTrees({ units, pending, done }) {
	const paths = new Set(pending.map(({ path }) => path));
	const broken = /* @__PURE__ */ new Set();
	for (const { i, kind, path } of units) {
		if (kind !== "delete" && kind !== "move-to-store" || !done.has(i)) continue;
		for (let at = path; at !== "/" && !broken.has(at); at = parentOf$1(at)) if (paths.has(at)) broken.add(at);
	}
	return broken;
}
function insertOne(making, covered, line, isThere) {
	const { port, uppers, dir, parents } = making;
	const { path, kind, mode } = line;
	const parent = parentOf$1(path);
	if (parents.get(parent)?.has(path) ?? uppers.lstat(path) !== null) return false;
	if (!parents.has(parent)) {
		const isNew = uppers.lstat(parent) === null;
		if (!makeParents(making, parent, covered)) return false;
		parents.set(parent, isNew ? /* @__PURE__ */ new Set() : null);
	}
	if (kind === "whiteout") uppers.link(path, joinPath(dir, "w"));
	else if (kind === "dir") makeDir$1(making, path, {
		...line,
		mtimeNs: BigInt(line.mtime)
	}, line.xattrs);
	else {
		const copy = waitingAt(dir, covered, path);
		const stat = isThere ? null : port.lstat(copy);
		if (!isThere && !isStillOurs(line.born, stat)) return false;
		uppers.insert(path, copy, stat?.type === "dir" ? ifClosed(mode) : null);
	}
	parents.get(parent)?.add(path);
	return kind === "copy";
}
function ifClosed(mode) {
	return (mode & 128) === 0 ? mode : null;
}
function makeParents(making, path, covered) {
	const { port, uppers, dir, likeHost } = making;
	if (path === covered.path) return true;
	if (!isWithin(path, covered.path)) throw coveredSince(covered.path, dir);
	const there = uppers.lstat(path);
	if (there !== null) return there.type === "dir";
	if (!makeParents(making, parentOf$1(path), covered)) return false;
	const host = port.lstat(path);
	if (host?.type === "dir") makeDir$1(making, path, host, likeHost(path));
	else makeDir$1(making, path, {
		mode: 493,
		mtimeNs: 0n
	});
	return true;
}
function makeDir$1({ port, uppers, dir }, path, like, xattrs = "") {
	const name = "d";
	removePath(port, dir, name);
	const fresh = joinPath(dir, name);
	port.mkdir(fresh, 448);
	dressDir(port, fresh, like, xattrChanges("", xattrs));
	uppers.insert(path, fresh, ifClosed(like.mode));
}
var STORE = "overlay";
function forgetDropped({ port, ctx, journal: { record } }) {
	const file = readBaseFile(ctx);
	const isLeft = (i) => record.failed.has(i) || record.whiteouts.has(i);
	const stay = new Set(record.drops.flatMap(({ path }, i) => isLeft(i) ? [path] : []));
	useAndClose(new Uppers(port, ctx, null), (uppers) => {
		const paths = [...parseBaseLines(record.bases).records.keys()].filter((path) => !isBelowAny(path, stay));
		dropBases(ctx, file, paths.filter((path) => file.records.has(path) && orIfRefused(() => uppers.lstat(path) === null, false)));
	});
}
function restoreEntries(transaction) {
	const { port, ctx, journal } = transaction;
	const { drops, bases, failed } = journal.record;
	const store = joinPath(journal.dir, STORE);
	const paths = drops.map(({ path }) => path);
	const file = readBaseFile(ctx);
	const before = parseBaseLines(bases).records;
	useAndClose(openUppers(transaction), (uppers) => {
		const places = placesOf(transaction, uppers, makeBases(file.records));
		appendBases(ctx, file, basesBack(file.records, before, new Set(places.keys())));
		const dirs = drops.flatMap(({ kind, path }) => kind === "mode" ? [path] : []);
		const making = {
			port,
			uppers,
			dir: journal.dir,
			likeHost: hostXattrs(port, ctx, paths, dirs)
		};
		for (const [i, unit] of drops.entries()) if (unit.kind === "mode" && !failed.has(i)) restoreDir(ctx, making, unit);
		for (const [i, unit] of drops.entries()) if (unit.kind === "entry") restoreEntry(transaction, making, unit, {
			from: storedAt(journal.dir, i),
			place: places.get(unit.path)
		});
	});
	if (port.lstat(store) === null) return 0;
	syncDirs(port, [store, journal.dir]);
	return port.readdir(store).length;
}
function storedAt(dir, i) {
	return joinPath(dir, `${STORE}/${i}`);
}
function resetDir(uppers, { path, mode, host, born, xattrs }) {
	const now = uppers.lstat(path);
	if (host === void 0 || now?.type !== "dir") return;
	if (xattrs !== void 0 && birthOf$1(now) === born) dressWhole(uppers, path, now, xattrs, host);
	else if (now.mode === mode) uppers.dress(path, host);
}
function dressWhole(uppers, path, now, xattrs, like) {
	const has = uppers.xattrs(path);
	if (has === null || !isBetween(has, xattrs)) return;
	const changes = xattrChanges(has, xattrs.to);
	if (needsWriting(changes) && (now.mode & 128) === 0) uppers.chmod(path, now.mode | 448);
	uppers.setXattrs(path, changes);
	uppers.dress(path, like);
}
function restoreDir(ctx, making, unit) {
	const { uppers } = making;
	const { path, host, xattrs } = unit;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null || host === void 0) return;
	const before = uppers.lstat(path);
	if (before === null && !makeParents(making, path, covered)) return;
	const now = uppers.lstat(path);
	if (now?.type !== "dir") return;
	if (xattrs !== void 0) dressWhole(uppers, path, now, {
		from: xattrs.to,
		to: xattrs.from
	}, unit);
	else if (before === null || now.mode === host.mode) uppers.dress(path, unit);
}
function placesOf({ port, journal: { dir, record } }, uppers, bases) {
	const places = /* @__PURE__ */ new Map();
	for (const [i, { kind, path }] of record.drops.entries()) {
		const from = storedAt(dir, i);
		if (kind !== "entry" || port.lstat(from) === null) continue;
		const there = uppers.lstat(path);
		const at = there === null ? null : uppers.placed(path);
		if (there === null || at === null) places.set(path, "free");
		else if (isStoredWhole(port, at, from)) places.set(path, "back");
		else if (record.reopened !== null && (isWhiteout(there) || isEventMark(at))) places.set(path, "free");
		else if (isReplaceable(bases, uppers, path)) places.set(path, "free");
	}
	return places;
}
function* basesBack(now, before, entries) {
	const isBack = (path) => entries.has(path) || isBelowAny(path, entries);
	for (const path of now.keys()) if (isBack(path) && !before.has(path)) yield [path, null];
	for (const [path, record] of before) if (isBack(path)) yield [path, record];
}
function isReplaceable(bases, uppers, path) {
	const upper = uppers.lstat(path);
	if (upper?.type !== "file" && upper?.type !== "symlink") return false;
	const [upperPath, host] = [uppers.placed(path), hostEntry(path)];
	if (upperPath === null || host === "closed") return false;
	return isUntouched$1({
		path,
		upperPath,
		upper,
		host,
		base: bases.lookup(path)
	});
}
function restoreEntry({ ctx }, making, unit, { from, place }) {
	const { path, mode, closed, born } = unit;
	const { port, uppers } = making;
	const covered = coveringDir(ctx.coveredDirs, path);
	if (covered === null) return;
	if (port.lstat(from) === null) {
		const now = closed ? uppers.lstat(path) : null;
		if (now?.mode === (mode | 448) && birthOf$1(now) === born) uppers.chmod(path, mode);
		return;
	}
	if (place === void 0) return;
	const there = uppers.lstat(path);
	const at = there === null ? null : uppers.placed(path);
	if (there !== null && at !== null) {
		if (place === "back") {
			const sync = () => withHandle(port, port.openRead(at), (fd) => port.fsync(fd));
			if (there.type === "file") orIfRefused(sync, void 0);
			removePath(port, parentOf$1(from), nameOf$1(from));
			return;
		}
		uppers.remove(path, "file");
	}
	if (makeParents(making, parentOf$1(path), covered)) uppers.insert(path, from, closed ? mode : null);
}
function historyPaths(ctx, key, after) {
	if ("n" in key) {
		const record = readJournal(nodePort, ctx, key.n);
		if (record === null) throw historyEntryGone();
		const note = record.phase === "closed" ? "" : "It was stopped in the middle; the next run finishes it.";
		return {
			...pageOf(inOrder(pathsOf(record)), after),
			note
		};
	}
	const discard = readDiscard(nodePort, ctx, key.trash);
	if (discard === null || !isReturnable(nodePort, discard)) throw historyEntryGone();
	return {
		...pageOf(dropped(discard), after),
		note: ""
	};
}
function pageOf(paths, after) {
	const page = [];
	let at = 0;
	for (const path of paths) {
		if (at++ < after) continue;
		if (page.length === 500) return {
			paths: page,
			next: after + page.length
		};
		page.push(path);
	}
	return {
		paths: page,
		next: null
	};
}
function pathsOf({ units, done }) {
	const found = /* @__PURE__ */ new Map();
	for (const unit of units) {
		if (!done.has(unit.i)) continue;
		const removed = new Set(replacedBelow(unit).map(({ path }) => path));
		for (const { path } of entriesOf(unit)) found.set(path, {
			path,
			what: removed.has(path) ? "removed" : whatOf(unit, path)
		});
	}
	return found;
}
function whatOf(unit, at) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return "removed";
		case "meta": return "meta";
		default: return at === unit.path && hostOf(unit) !== null ? "changed" : "added";
	}
}
function inOrder(found) {
	return [...found.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}
function* dropped({ kind, dir, record }) {
	for (const n of kind === "all" ? namesOrNone(joinPath(dir, "overlay")) : []) {
		const path = orNull(() => nodePort.readlink(joinPath(dir, `overlay/${n}/l`)));
		if (path !== null) yield* below(joinPath(dir, `overlay/${n}/u`), path, false);
	}
	for (const [i, unit] of record.drops.entries()) {
		if (record.failed.has(i)) continue;
		if (unit.kind === "mode") yield {
			path: unit.path,
			what: "meta"
		};
		else yield* below(storedAt(dir, i), unit.path, true);
	}
}
function* below(at, path, chosen) {
	const stack = [{
		at,
		path,
		chosen
	}];
	for (let one = stack.pop(); one !== void 0; one = stack.pop()) {
		const entry = lstatOrNone(one.at);
		if (entry === null) continue;
		const names = entry.type === "dir" ? namesOrNone(one.at).filter((name) => name !== REPLAY_NAME) : [];
		if (entry.type !== "dir" || one.chosen || names.length === 0 && one.at !== at) yield {
			path: one.path,
			what: isWhiteout(entry) ? "kept" : "dropped"
		};
		for (const name of names.reverse()) stack.push({
			at: joinPath(one.at, name),
			path: joinPath(one.path, name),
			chosen: false
		});
	}
}
var NEWS = {
	committed: (entries, named) => `the user committed ${countText(entries, "change")}${named}: they are in the user's files now, where file tools and host commands see them.`,
	committedByRule: (entries, named) => `by a rule of the user, ${countText(entries, "change")}${named} went to the user's files after the call, where file tools and host commands see them.`,
	committedAgain: (entries, named) => `the user committed ${countText(entries, "change")} again${named}: they are in the user's files now.`,
	undone: (entries, named) => `the user undid a commit${named}: ${countText(entries, "change")} are pending again, and the user's files are as before the commit.`,
	discarded: (entries, named) => `the user discarded ${countText(entries, "change")}${named}: Bash sees the user's own files there again.`,
	discardUndone: (entries) => `the user undid a discard: ${countText(entries, "change")} are pending again.`,
	adopted: (from) => `the user lets this session go on with the pending changes of session ${from}.`
};
var manyFailed = (entries) => `${entries} entries failed`;
var STOPPED_BETWEEN = "it was stopped between two entries";
var markersWritten = (paths) => `conflict markers were written into ${paths.slice(0, 3).map(toDisplay).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
var COMMIT_NOT_BEGUN = "it was interrupted before it changed anything; everything is still pending";
var INTERRUPTED = {
	left: {
		discard: "a discard was interrupted, and not all of it could come back: the rest can still be undone",
		undo: "the undo of a discard was interrupted, and not all of it could come back: the rest can still be undone"
	},
	closed: {
		discard: "a discard was interrupted, and rolled back: all of it is pending",
		undo: "the undo of a discard was interrupted before it changed anything"
	}
};
function log(ctx, event) {
	logTo(ctx.sessionDir, event);
	const line = lineOf(ctx, event);
	if (line !== null) tellAgent(ctx.sessionDir, line);
}
function logCommit(ctx, report, state) {
	const [first, ...more] = report.failed;
	const many = more.length > 0 ? manyFailed(report.failed.length) : void 0;
	const stopped = report.cancelled === true ? STOPPED_BETWEEN : "";
	const { n, applied, bytes, kept, marked = [] } = report;
	const markers = marked.length === 0 ? "" : markersWritten(marked);
	const failed = [many ?? first?.message ?? stopped, markers].filter(Boolean).join("; ");
	const begin = readJournal(nodePort, ctx, n)?.begin;
	const of = begin?.undoes ?? begin?.redoes;
	if (of !== void 0) {
		log(ctx, {
			t: "commit.undone",
			n,
			of,
			redo: begin?.redoes !== void 0,
			state,
			entries: applied,
			bytes,
			text: failed
		});
		return;
	}
	log(ctx, {
		t: "commit",
		n,
		state,
		entries: applied,
		bytes,
		conflicts: kept,
		text: failed,
		auto: begin?.auto ?? ""
	});
}
var AGENT_NEWS = "agent-news";
var MAX_BYTES = 8e3;
function tellAgent(sessionDir, line) {
	const file = `${sessionDir}/${AGENT_NEWS}`;
	try {
		const known = lstatSync(file, { throwIfNoEntry: false });
		if (known !== void 0 && (!known.isFile() || known.size > MAX_BYTES)) return;
		appendFileSync(file, `${line}\n`, { mode: 384 });
	} catch {}
}
function takeAgentNews(sessionDir) {
	const file = `${sessionDir}/${AGENT_NEWS}`;
	const taken = `${file}.${process.pid}`;
	try {
		renameSync(file, taken);
		const lines = (readPlainFile(taken)?.toString("utf8") ?? "").split("\n");
		rmSync(taken, {
			force: true,
			recursive: true
		});
		return lines.filter((line) => line !== "");
	} catch {
		return [];
	}
}
function lineOf(ctx, event) {
	if (event.t === "undo") return NEWS.discardUndone(event.entries);
	if (!("entries" in event) || event.entries === 0) return null;
	if (event.t === "commit") return (event.auto === "" ? NEWS.committed : NEWS.committedByRule)(event.entries, named(ctx, { n: event.n }));
	if (event.t === "commit.undone") return (event.redo ? NEWS.committedAgain : NEWS.undone)(event.entries, named(ctx, { n: event.n }));
	if (event.t === "discard") return NEWS.discarded(event.entries, named(ctx, { trash: event.trash }));
	return null;
}
function named(ctx, key) {
	try {
		const { paths, next } = historyPaths(ctx, key, 0);
		const names = paths.map(({ path: one }) => one);
		return names.length === 0 ? "" : ` (${namedPaths(names, ctx.projectRoot, next !== null)})`;
	} catch {
		return "";
	}
}
function returnWritten(ctx, { n }) {
	ignoring(() => {
		const record = readJournal(nodePort, ctx, n);
		const of = record?.begin.undoes;
		if (record === null || of === void 0) return;
		const moved = record.units.filter((unit) => unit.kind === "move-to-store");
		const births = new Map(moved.flatMap(({ i, path, born }) => record.done.has(i) ? [[path, born.split(":")[3] ?? ""]] : []));
		returnTimes(ctx, timesFile(ctx, of), String(n), Date.parse(record.begin.at), births);
	});
}
function timesFile(ctx, n) {
	return `${toText(commitDir(ctx, n))}/${TIMES}`;
}
function ignoring(work) {
	try {
		work();
	} catch {}
}
var holdsDirsAlone = (ctx) => copiesAlone(ctx) !== null;
function copiesAlone({ coveredDirs, excluded }) {
	const copies = [];
	const plainAt = (dir) => {
		const [own, host] = [lstatEntry(dir.upper), lstatEntry(dir.path)];
		if (own?.type !== "dir" || host?.type !== "dir") return null;
		if (own.mode !== host.mode || own.uid !== host.uid || own.gid !== host.gid) return null;
		return readNames(dir.upper).every((name) => {
			const below = {
				path: joinPath(dir.path, name),
				upper: joinPath(dir.upper, name)
			};
			if (isExcluded(below.path, excluded)) return !mayHoldListed(below.path, excluded) || readNames(below.upper).length === 0;
			if (excludedBelow(below.path, excluded).length === 0) return false;
			const copy = plainAt(below);
			if (copy !== null) copies.push({
				...below,
				changedNs: copy.ctimeNs
			});
			return copy !== null;
		}) ? own : null;
	};
	return orNull(() => coveredDirs.every((covered) => plainAt(covered) !== null)) === true ? copies : null;
}
var MOST_PATHS = 50;
var MOST_SESSIONS = 20;
var projects = /* @__PURE__ */ new Map();
async function overlapsOf(stateDir, env, id) {
	if (isEmpty(sessionDir(stateDir, id))) return [];
	const context = async (one) => await sessionContext(stateDir, one, env);
	const own = await unlessGone(async () => await context(id));
	if (own === null || holdsDirsAlone(own)) return [];
	const found = [];
	for (const other of (await othersOfProject(stateDir, id)).slice(0, MOST_SESSIONS)) {
		await setImmediate();
		const overlap = await unlessGone(async () => await overlapOf(own, await context(other), MOST_PATHS));
		if (overlap !== null && overlap.paths.length > 0) found.push({
			session: other,
			...overlap
		});
	}
	return found;
}
async function overlapWith(stateDir, env, id, other) {
	const context = async (one) => await sessionContext(stateDir, one, env);
	return await unlessGone(async () => overlapOf(await context(id), await context(other), MOST_PATHS)) ?? {
		paths: [],
		more: false
	};
}
async function unlessGone(work) {
	try {
		return await work();
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return null;
	}
}
async function noteOverlaps(stateDir, env, id) {
	let news = false;
	for (const { session: other, ...overlap } of await overlapsOf(stateDir, env, id)) for (const [one, two] of [[id, other], [other, id]]) {
		const dir = sessionDir(stateDir, one);
		if (!markNew(dir, two)) continue;
		news = true;
		await note(dir, (root) => overlapText(two, overlap, root));
	}
	return news;
}
async function note(dir, textOf) {
	const { projectRoot } = await readMeta(dir);
	logTo(dir, {
		t: "notice",
		code: "overlap",
		text: textOf(bytePath(projectRoot))
	});
}
function takeNews(dir) {
	const marks = path.join(dir, "overlaps");
	return namesIn$1(marks).flatMap((name) => {
		const other = name.startsWith(NEW$2) ? name.slice(NEW$2.length) : "";
		if (!isSessionId(other)) return [];
		try {
			renameSync(path.join(marks, name), path.join(marks, TOLD + other));
			return [other];
		} catch {
			return [];
		}
	});
}
function forgetOverlap(dir, other) {
	rmSync(path.join(dir, "overlaps", TOLD + other), { force: true });
}
var NEW$2 = "new.";
var TOLD = "told.";
function markNew(dir, other) {
	const marks = path.join(dir, "overlaps");
	if (namesIn$1(marks).includes(TOLD + other)) return false;
	try {
		if (!existsSync(marks)) mkdirSync(marks, { mode: 448 });
		writeFileSync(path.join(marks, NEW$2 + other), "", {
			flag: "wx",
			mode: 384
		});
		return true;
	} catch {
		return false;
	}
}
async function projectIdOf(stateDir, id) {
	const key = `${stateDir}\0${id}`;
	const known = projects.get(key);
	if (known !== void 0) return known;
	try {
		const { projectId } = await readMeta(sessionDir(stateDir, id));
		projects.set(key, projectId);
		return projectId;
	} catch {
		return null;
	}
}
async function othersOfProject(stateDir, id) {
	const project = await projectIdOf(stateDir, id);
	const found = [];
	for (const other of namesIn$1(path.join(stateDir, "sessions"))) {
		if (other === id || project === null || !isSessionId(other)) continue;
		const dir = sessionDir(stateDir, other);
		if (await projectIdOf(stateDir, other) !== project) continue;
		await setImmediate();
		if (isEmpty(dir)) continue;
		found.push({
			other,
			at: statSync(logPath(dir), { throwIfNoEntry: false })?.mtimeMs ?? 0
		});
	}
	return found.sort((a, b) => b.at - a.at).map(({ other }) => other);
}
function isEmpty(dir) {
	const overlay = path.join(dir, "overlay");
	return namesIn$1(overlay).every((n) => !/^[0-9]+$/.test(n) || namesIn$1(path.join(overlay, n, "u")).length === 0);
}
var namesIn$1 = (dir) => namesOrNone(fromText(dir));
var MARKS = {
	"added": "A",
	"modified": "M",
	"deleted": "D",
	"replaced": "R",
	"dir-replaced": "R",
	"meta": "P"
};
var HOOK_QUESTIONS = {
	missing: async ({ projectRoot }, { changes }, uses) => {
		const missing = missingFor(uses, changes);
		return missing.length === 0 ? "" : missingText(missing, projectRoot);
	},
	conflicts: async (_, { changes }) => changes.filter(({ conflict, ignored }) => conflict !== null && ignored === null).map(({ path, conflict }) => ({
		path,
		conflict
	})),
	facts: async ({ projectRoot }, list) => {
		const pathsOf = (changes) => changes.map(({ path }) => path);
		const counted = pathsOf(list.changes.filter(({ ignored }) => ignored === null));
		const moved = pathsOf(hostMoved(list));
		return {
			count: counted.length,
			named: namedPaths(counted, projectRoot),
			moved: moved.length,
			movedNamed: namedPaths(moved, projectRoot)
		};
	}
};
function missingFor(uses, changes) {
	const found = [];
	for (const use of uses) {
		const roots = rootsOf(use);
		const inside = (change) => change.ignored === null && (roots === null || roots.some((root) => matters(change, root)));
		const missing = changes.filter(inside);
		if (missing.length > 0) found.push({
			what: use.what,
			changes: missing
		});
	}
	return found;
}
function matters({ kind, path }, root) {
	return isWithin(path, root) || HIDES.has(kind) && isWithin(root, path);
}
var HIDES = /* @__PURE__ */ new Set([
	"added",
	"deleted",
	"dir-replaced",
	"replaced"
]);
function rootsOf({ scope, dirs, records = [] }) {
	if (dirs === null || records === null) return null;
	const read = records.length === 0 ? [] : rootsOf({
		scope: "git-dir",
		dirs: records
	}) ?? [];
	const roots = dirs.flatMap((dir) => {
		const start = followed(fromText(dir));
		if (scope === "below") return [start];
		const repository = repositoryOf(existing(start));
		if (repository === null) return scope === "repository" ? [start] : [joinPath(start, ".git")];
		const records = [repository.commonDir, joinPath(repository.top, ".git")];
		return scope === "git-dir" ? records : [repository.top, repository.commonDir];
	});
	return [.../* @__PURE__ */ new Set([...roots, ...read])];
}
function existing(path) {
	for (let at = path;; at = parentOf$1(at)) if (at === "/" || lstatSync(fsPath(at), { throwIfNoEntry: false }) !== void 0) return at;
}
var SHOWN = 5;
function changesText(changes, projectRoot) {
	const first = changes.slice(0, SHOWN).map((change) => `${MARKS[change.kind]} ${shown(change.path, projectRoot)}`);
	const more = changes.length > SHOWN ? ` and ${changes.length - SHOWN} more` : "";
	return `${countText(changes.length, "pending change")}: ${first.join(", ")}${more}`;
}
function shown(path, projectRoot) {
	const text = shownPath(path, projectRoot);
	return text.length <= 120 ? text : `…/${toDisplay(nameOf$1(path)).slice(-118)}`;
}
function missingText(missing, projectRoot) {
	return `${[...new Set(missing.map(({ what }) => `\`${what}\``))].join(" and ")} would run on the host without ${changesText([...new Set(missing.flatMap((one) => one.changes))], projectRoot)}.`;
}
var NAMED = 10;
var isOurs = (input) => text(input.all, "prompt").startsWith("/trai:");
async function hostNews(session, input) {
	if (isOurs(input)) return [];
	const done = session.requests.takeHost((call) => eventsNaming(session.dir, call).some((type) => type === "call.ended" || type === "call.closed"));
	if (done.length === 0) return [];
	await session.hostChanged([...new Set(done.flatMap(({ dirs }) => dirs.map(fromText)))]);
	if (!await session.pending()) return [];
	const before = new Set(done.flatMap(({ conflicts }) => conflicts));
	const fresh = (await session.ask("conflicts", null)).filter(({ path }) => !before.has(path));
	if (fresh.length === 0) return [];
	const said = conflictsText(session, done.map((call) => call.what), fresh);
	await session.log({
		t: "notice",
		code: "host-conflicts",
		text: said
	});
	return [`trai: ${said}`];
}
function conflictsText(session, what, fresh) {
	const root = bytePath(session.meta.projectRoot);
	const named = fresh.slice(0, NAMED).map(({ path, conflict }) => {
		const why = conflict === null ? "" : ` (${CONFLICT_REASONS[conflict]})`;
		return `${shown(path, root)}${why}`;
	});
	const more = fresh.length > NAMED ? `, and ${fresh.length - NAMED} more` : "";
	return message("host-conflicts", {
		count: countText(fresh.length, "pending change is", "pending changes are"),
		commands: [...new Set(what)].map((one) => `\`${one}\``).join(" and "),
		named: `${named.join(", ")}${more}`
	});
}
async function overlapNews(session) {
	const { stateDir, env } = session.world;
	const lines = [];
	for (const other of takeNews(session.dir)) {
		const overlap = await overlapWith(stateDir, env, session.id, other);
		if (overlap.paths.length === 0) forgetOverlap(session.dir, other);
		else {
			const said = overlapText(other, overlap, bytePath(session.meta.projectRoot));
			lines.push(`trai: ${message("overlap", { overlap: said })}`);
		}
	}
	return lines;
}
function userNews(session, input) {
	if (input.agent !== "" || isOurs(input)) return [];
	return takeAgentNews(session.dir).map((line) => `trai: ${line}`);
}
var SEARCHED_CHARS = 2e4;
var HINTS = [{
	when: /failed to create link .*Invalid cross-device link/,
	said: "in the sandbox, hard links from another file system (such as /tmp) into the overlay are not possible. Clone without `--local`, or with `--no-hardlinks`."
}, {
	when: /Invalid cross-device link|EXDEV: cross-device link/,
	said: "in the sandbox, an existing directory of the user cannot be renamed, and nothing can be linked or renamed between covered directories and /tmp. `mv` and `cp -a` copy instead."
}];
function resultHints(input) {
	const hints = list(input.all, "tool_calls").flatMap((item) => {
		if (!isObject(item) || text(item, "tool_name") !== "Bash") return [];
		const result = text(item, "tool_response");
		const seen = `${result.slice(0, SEARCHED_CHARS)}\n${result.slice(-2e4)}`;
		const found = HINTS.find(({ when }) => when.test(seen));
		return found === void 0 ? [] : [`trai: ${found.said}`];
	});
	return [...new Set(hints)];
}
var STALE_REQUEST_MS = 2e4;
async function userPromptExpansion(world, input, caller) {
	const [plugin, name] = text(input.all, "command_name").split(":");
	if (plugin !== "trai" || name === void 0 || text(input.all, "expansion_type") !== "slash_command") return SILENT;
	const session = await world.session(input.claude);
	if (session === null) return RUN_TYPED;
	const who = caller();
	if (!isOfTheUser(who)) return json({
		decision: "block",
		reason: `trai: ${message("not-typed", {
			name,
			who: who.found
		})}`
	});
	const args = foldBlanks(text(input.all, "command_args"));
	const answer = await world.server?.typed(session, {
		name,
		args,
		cwd: input.cwd
	}) ?? null;
	if (answer !== null) return json({
		decision: "block",
		reason: answer
	});
	const what = `${name} ${args}`.trim();
	await openGrant(session.dir, {
		kind: "permit",
		what
	});
	await session.log({
		t: "grant",
		kind: "permit",
		what,
		state: "open"
	});
	return RUN_TYPED;
}
async function userPromptSubmit(session, input) {
	const prompt = text(input.all, "prompt");
	if (prompt.startsWith("/trai:")) return;
	expirePassthroughs(session.dir);
	const before = (/* @__PURE__ */ new Date(Date.now() - STALE_REQUEST_MS)).toISOString();
	for (const open of session.requests.list()) if (open.call === "" && open.claude === input.claude && open.at < before) await closeNotRun(session, open);
	if (prompt.trim() !== "") {
		const kept = prompt.slice(0, PROMPT_CHARS).replace(/[\ud800-\udbff]$/, "");
		const cut = prompt.length - kept.length;
		await session.log({
			t: "prompt",
			claude: input.claude,
			text: kept,
			cut
		}).catch(() => void 0);
	}
	session.expectFirstCall(input.claude);
}
async function listSessions(stateDir) {
	const ids = namesIn(join(stateDir, "sessions")).filter(isSessionId).sort();
	const listing = {
		sessions: [],
		broken: []
	};
	await Promise.all(ids.map(async (id) => {
		try {
			listing.sessions.push(await readMeta(sessionDir(stateDir, id)));
		} catch (error) {
			if (!(error instanceof TraiError)) throw error;
			if (error.code !== "no-session") listing.broken.push({
				id,
				error
			});
		}
	}));
	listing.sessions.sort((a, b) => byBytes(lastUse(b), lastUse(a)) || byBytes(b.createdAt, a.createdAt) || byBytes(a.id, b.id));
	listing.broken.sort((a, b) => byBytes(a.id, b.id));
	return listing;
}
function lastUse(meta) {
	return [meta.createdAt, ...meta.claude.map(({ at }) => at)].sort().at(-1) ?? meta.createdAt;
}
async function ensureSession(stateDir, id, input) {
	const dir = sessionDir(stateDir, id);
	ensureStateDir(stateDir);
	const created = !existsSync(dir) && await create(dir, id, input);
	return {
		meta: await readMeta(dir),
		created
	};
}
function freshMeta(id, { cwd, levels, now = /* @__PURE__ */ new Date() }, project) {
	return {
		v: 1,
		id,
		claude: [],
		projectRoot: project.root,
		cwd,
		projectId: project.id,
		createdAt: now.toISOString(),
		configFile: null,
		configProblems: [],
		off: null,
		caught: null,
		logVersion: 1,
		...levels === void 0 ? {} : { levels }
	};
}
var NEW$1 = ".new.";
function maker() {
	const { pid, start } = ownProcess();
	return `${pid}-${start}`;
}
async function create(dir, id, input) {
	const { cwd, project = projectOf(cwd), files, fill } = input;
	const meta = freshMeta(id, input, project);
	const sessions = join(dir, "..");
	const temporary = mkdtempSync(join(sessions, `${NEW$1}${basename(dir)}.${maker()}.`));
	let overlay = temporary;
	try {
		const overlays = join(sessions, "../overlays");
		mkdirSync(overlays, {
			recursive: true,
			mode: 448
		});
		const name = basename(temporary).slice(5);
		symlinkSync(`../../overlays/${name}`, join(temporary, "overlay"));
		mkdirSync(join(overlays, name), { mode: 448 });
		overlay = join(overlays, name);
		for (const name of [
			"plan",
			"run",
			"requests",
			"grants",
			"commits"
		]) mkdirSync(join(temporary, name), { mode: 448 });
		writeFileSync(join(temporary, LOG_NAME), "", { mode: 384 });
		const all = {
			...files?.(project),
			"meta.json": metaText(meta)
		};
		for (const [name, content] of Object.entries(all)) writeFileSync(join(temporary, name), content, {
			flag: "wx",
			mode: 384
		});
		await fill?.(temporary, meta);
		await Promise.all([...Object.keys(all).map((name) => join(temporary, name)), temporary].map(syncPath));
		renameSync(temporary, dir);
	} catch (error) {
		for (const made of [temporary, overlay]) rmSync(made, {
			recursive: true,
			force: true
		});
		if (existsSync(dir)) return false;
		throw error instanceof TraiError || errorCode(error) === "" ? error : sessionNotMade(dir, error);
	}
	await syncPath(sessions);
	return true;
}
function namesIn(dir) {
	try {
		return readdirSync(dir);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw sessionsUnreadable(dir, error);
	}
}
var LONG = 4e3;
[
	"a",
	" ",
	"/",
	"-a ",
	"a.",
	"0",
	"ab/",
	"\"a\" "
].map((text) => `${text.repeat(LONG / text.length)}\n!`);
[
	`/${"a".repeat(200)}`,
	"/a".repeat(200),
	`/${"a/".repeat(100)}.env`
].map((path) => {
	return {
		path: fromText(path),
		isDir: false
	};
});
function literal(text) {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
function settingsEntries(place) {
	return permissionsIn(place).flatMap(({ scope, file, permissions }) => RULE_LISTS.flatMap((list) => textsOf(permissions[list]).map((entry) => ({
		scope,
		file,
		list,
		entry
	}))));
}
function settingsDirs(place) {
	return permissionsIn(place).flatMap(({ scope, file, permissions }) => textsOf(permissions["additionalDirectories"]).map((dir) => ({
		scope,
		file,
		dir
	})));
}
function hasPassthru(place) {
	const [managed, ...others] = settingsFiles(place).map(({ content }) => content["enabledPlugins"]);
	const plugins = [...others, managed].filter(isObject);
	return Object.entries(Object.assign({}, ...plugins)).some(([name, isOn]) => isOn === true && name.split("@")[0] === "passthru");
}
function permissionsIn(place) {
	return settingsFiles(place).flatMap(({ scope, file, content: { permissions } }) => isObject(permissions) ? [{
		scope,
		file,
		permissions
	}] : []);
}
function settingsFiles({ env, home, projectRoot }) {
	const user = absolute(env, "CLAUDE_CONFIG_DIR") ?? join(home, ".claude");
	return [
		["managed", "/etc/claude-code/managed-settings.json"],
		["user", join(user, "settings.json")],
		["project", join(projectRoot, ".claude/settings.json")],
		["local", join(projectRoot, ".claude/settings.local.json")]
	].map(([scope, file]) => {
		const value = readSmallJson(file);
		return {
			scope,
			file,
			content: isObject(value) ? value : {}
		};
	});
}
var textsOf = (value) => Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
function readSmallJson(file) {
	const real = orNull(() => realpathSync(file)) ?? file;
	const found = orNull(() => lstat(fromText(real)));
	return found === null || found.size > 2097152 ? void 0 : orNull(() => readPlainJson(real));
}
var IMPORT_SOURCES = ["passthru", "settings"];
function planImport(from, request) {
	const { files } = request.set;
	const known = new Set(files.flatMap(({ rules }) => [...rules?.deny ?? [], ...rules?.ordered ?? []].map(({ rule }) => rule._source_hash ?? "")));
	const found = from === "settings" ? ofSettings(request) : ofPassthru(request);
	const isFresh = ({ rule }) => !known.has(rule._source_hash ?? "");
	const freshRules = found.rules.filter(isFresh);
	const { agreeing, left } = withoutContradictions(freshRules, files);
	const fresh = new Map(agreeing.map((one) => [`${one.scope} ${one.rule._source_hash}`, one]));
	const dirsOf = (of) => files.flatMap(({ scope, rules }) => scope === of ? rules?.allowedDirs ?? [] : []);
	const newDirs = found.dirs.filter(({ scope, dir }) => !dirsOf(scope).includes(dir));
	const freshDirs = new Map(newDirs.map((one) => [`${one.scope} ${one.dir}`, one]));
	return {
		rules: [...fresh.values()],
		dirs: [...freshDirs.values()],
		left: [...found.left, ...left],
		known: found.rules.length - freshRules.length + found.dirs.length - newDirs.length
	};
}
function withoutContradictions(rules, files) {
	const lists = /* @__PURE__ */ new Map();
	for (const file of files) for (const { ref } of countingIn(file)) lists.set(ref.hash, ref.list);
	for (const list of RULE_LISTS) for (const one of rules) if (one.list === list && !lists.has(ruleHash(one.rule))) lists.set(ruleHash(one.rule), list);
	const agrees = (one) => lists.get(ruleHash(one.rule)) === one.list;
	const left = rules.filter((one) => !agrees(one)).map(({ entry, file }) => ({
		entry,
		file,
		why: IMPORT.contradicts
	}));
	return {
		agreeing: rules.filter(agrees),
		left
	};
}
function ofPassthru({ env, home, projectRoot }) {
	const user = absolute(env, "CLAUDE_CONFIG_DIR") ?? join(home, ".claude");
	const files = ["passthru.json", "passthru.imported.json"].flatMap((name) => [{
		scope: "user",
		file: join(user, name)
	}, {
		scope: "project",
		file: join(projectRoot, ".claude", name)
	}]);
	const found = {
		rules: [],
		dirs: [],
		left: []
	};
	for (const { scope, file } of files) {
		const content = readSmallJson(file) ?? null;
		if (content === null) continue;
		const [problem] = ruleFileProblems(content);
		if (problem !== void 0 || !isObject(content)) {
			found.left.push({
				entry: file,
				file,
				why: problem ?? ""
			});
			continue;
		}
		for (const list of RULE_LISTS) {
			const rules = content[list];
			const isRead = Array.isArray(rules) && (list !== "ask" || content["version"] !== 1);
			for (const rule of isRead ? rules : []) {
				const _source_hash = rule._source_hash ?? hash("sha256", `passthru\0${list}\0${JSON.stringify(rule)}`);
				const why = ruleProblem(rule, list);
				if (why !== "") found.left.push({
					entry: ruleText(rule),
					file,
					why
				});
				else found.rules.push({
					scope,
					list,
					rule: {
						...rule,
						_source_hash
					},
					entry: rule.tool ?? "*",
					file
				});
			}
		}
		const dirs = content["allowed_dirs"];
		for (const dir of Array.isArray(dirs) ? dirs : []) addDir(found, {
			scope,
			dir,
			file
		}, "allowed_dirs");
	}
	return found;
}
function ofSettings({ env, home, projectRoot }) {
	const place = {
		env,
		home,
		projectRoot
	};
	const found = {
		rules: [],
		dirs: [],
		left: []
	};
	for (const one of settingsEntries(place)) {
		const made = ruleOfEntry(one, {
			home,
			projectRoot
		});
		const { list, entry, file } = one;
		if (typeof made === "string") found.left.push({
			entry,
			file,
			why: made
		});
		else if (one.scope === "local" && list === "allow" && !isInProject(made, projectRoot)) found.left.push({
			entry,
			file,
			why: IMPORT.local
		});
		else {
			const scope = one.scope === "project" ? "project" : "user";
			const _source_hash = hash("sha256", `settings\0${list}\0${entry.trim()}\0${scope}`);
			found.rules.push({
				scope,
				list,
				rule: {
					...made,
					_source_hash
				},
				entry,
				file
			});
		}
	}
	for (const { scope, dir, file } of settingsDirs(place)) {
		const key = "additionalDirectories";
		if (scope === "local") found.left.push({
			entry: `${key}: ${dir}`,
			file,
			why: IMPORT.localDir
		});
		else addDir(found, {
			scope: scope === "project" ? "project" : "user",
			dir,
			file
		}, key);
	}
	return found;
}
function addDir({ dirs, left }, one, key) {
	const entry = `${key}: ${one.dir}`;
	if (/^(\/|~\/|~$)/.test(one.dir)) dirs.push(one);
	else left.push({
		entry,
		file: one.file,
		why: IMPORT.relativeDir
	});
}
function isInProject({ match = {} }, projectRoot) {
	const start = `^${literal(projectRoot === "/" ? "" : projectRoot)}/`;
	return Object.values(match).some((pattern) => pattern.startsWith(start));
}
function ruleOfEntry(one, where) {
	const [, tool = "", spec] = /^([^()]+?)(?:\((.*)\))?$/s.exec(one.entry.trim()) ?? [];
	if (tool === "" || spec === "") return IMPORT.notUnderstood;
	const name = toolPattern(tool);
	if (spec === void 0 || spec === "*") return { tool: name };
	if (tool === "Bash") return {
		tool: name,
		match: { command: commandPattern(spec) }
	};
	if (tool === "WebFetch") {
		const domain = /^domain:([A-Za-z0-9.*-]+)$/.exec(spec)?.[1];
		if (domain === void 0) return IMPORT.notUnderstood;
		return {
			tool: name,
			match: { url: `^https?://${domain.split("*").map(literal).join("[^./:@?#]*")}(:\\d+)?([/?#]|$)` }
		};
	}
	if (tool === "Skill") return spec.includes("*") ? IMPORT.notUnderstood : {
		tool: name,
		match: { skill: `^${literal(spec)}$` }
	};
	const about = PATH_TOOLS.get(tool);
	if (about === void 0) return IMPORT.notUnderstood;
	const [tools, field] = about;
	const { pattern, why } = pathPattern(spec, one, where);
	return pattern === void 0 ? why : {
		tool: tools,
		match: { [field]: pattern }
	};
}
function toolPattern(tool) {
	if (tool === "Edit") return "^(Edit|MultiEdit|Write|NotebookEdit)$";
	if (tool === "Read") return "^(Read|Grep|Glob|LS|NotebookRead)$";
	if (/^mcp__[^_*]+(_[^_*]+)*$/.test(tool)) return `^${literal(tool)}(__.*)?$`;
	return `^${tool.split("*").map(literal).join(".*")}$`;
}
function commandPattern(spec) {
	const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
	const shape = (text) => text.split("*").map(literal).join("[\\s\\S]*");
	return prefix === void 0 ? `^${shape(spec)}$` : `^${shape(prefix)}( [\\s\\S]*)?$`;
}
var PATH_TOOLS = /* @__PURE__ */ new Map([
	["Read", ["^Read$", "file_path"]],
	["Edit", ["^(Edit|MultiEdit|Write)$", "file_path"]],
	["MultiEdit", ["^MultiEdit$", "file_path"]],
	["Write", ["^Write$", "file_path"]],
	["NotebookEdit", ["^NotebookEdit$", "notebook_path"]]
]);
function pathPattern(spec, { scope, file, list }, where) {
	if (/[[\]!{}]/.test(spec)) return { why: IMPORT.glob };
	const isOfProject = scope === "project" || scope === "local";
	const base = isOfProject ? where.projectRoot : posix.dirname(file);
	const isAnywhere = !spec.includes("/") || spec.startsWith("**/");
	const isWider = isAnywhere && list !== "allow";
	if (!/^(\/|~\/)/.test(spec) && !isOfProject && !isWider) return { why: IMPORT.relative };
	return { pattern: `^${globPattern(spec.startsWith("//") ? spec.slice(1) : spec.startsWith("~/") ? join(where.home, spec.slice(2)) : spec.startsWith("/") ? join(base, spec) : isAnywhere ? join(isWider ? "/" : where.projectRoot, "**", spec.replace(/^\*\*\//, "")) : join(where.projectRoot, spec))}$` };
}
function globPattern(glob) {
	const named = glob.endsWith("/") ? `${glob}**` : glob;
	const pattern = named.split(/(\/\*\*\/|\*\*|\*|\?)/).map((part) => {
		if (part === "/**/") return "/(.*/)?";
		if (part === "**") return ".*";
		if (part === "*") return "[^/]*";
		return part === "?" ? "[^/]" : literal(part);
	}).join("");
	return /[*?]/.test(named) ? pattern : `${pattern}(/.*)?`;
}
function importNews(about, set, request) {
	if (!set.enabled || set.files.every(({ state }) => state === "missing")) return [];
	const dismissed = new Set(readDismissed(about.stateDir).map(keyOf));
	return IMPORT_SOURCES.flatMap((from) => {
		const count = itemsOf(planImport(from, {
			...request,
			set
		}), about.project.id).filter((one) => !dismissed.has(keyOf(one))).length;
		return count === 0 ? [] : [{
			from,
			count
		}];
	});
}
function itemsOf({ rules, dirs }, project) {
	const owner = (scope) => scope === "user" ? "" : project;
	return [...rules.map(({ scope, rule }) => ({
		project: owner(scope),
		hash: rule._source_hash ?? ""
	})), ...dirs.map(({ scope, dir }) => ({
		project: owner(scope),
		hash: hash("sha256", `dir\0${dir}`)
	}))];
}
var keyOf = (one) => `${one.project} ${one.hash}`;
var fileOf = (stateDir) => `${stateDir}/dismissed-imports.json`;
function readDismissed(stateDir) {
	const value = orNull(() => readPlainJson(fileOf(stateDir)));
	const list = isObject(value) && value["v"] === 1 ? value["dismissed"] : null;
	return Array.isArray(list) ? list.filter(isDismissed) : [];
}
function isDismissed(value) {
	return isObject(value) && ["project", "hash"].every((key) => typeof value[key] === "string");
}
var LIST_MS = 2e3;
var MOST_EARLIER = 3;
async function sessionStart(world, input, headers) {
	const source = EVENT_FIELDS.session.source.find((known) => known === text(input.all, "source")) ?? "startup";
	const transcript = text(input.all, "transcript_path");
	const cwd = fromText(input.cwd === "" ? "/" : input.cwd);
	const loaded = world.config();
	const request = {
		claudeId: input.claude,
		session: headers.session,
		source,
		cwd,
		project: projectOf(cwd),
		pid: headers.claudePid,
		pidStart: headers.claudePidStart,
		transcriptPath: transcript === "" ? null : transcript
	};
	const session = await world.attach(request, loaded);
	forgetTold(session.dir);
	await session.log({
		t: "session",
		claude: input.claude,
		source,
		cwd: input.cwd,
		plugin: VERSION
	});
	const { problems, file, config } = loaded;
	const problem = problems.length === 0 ? "" : message("bad-config", {
		file: file ?? "",
		problems: problems.join("; ")
	});
	if (problem !== "") await session.log({
		t: "notice",
		code: "config",
		text: problem
	});
	const set = session.rules(config);
	const rules = rulesNews(set);
	const ofOthers = newsOfOthers(session, set, source);
	for (const news of rules) await session.log({
		t: "notice",
		code: "rules",
		text: news
	});
	const unable = config.enabled ? await whyUnable(world.stateDir, world.env) : null;
	rememberUnable(session, unable);
	const news = [
		...problem === "" ? [] : [problem],
		...rules,
		...ofOthers,
		...config.enabled ? [] : [message("config-off")]
	];
	return unable === null ? await welcome(session, news) : await sayUnable(session, unable, rules);
}
function rulesNews({ enabled, files }) {
	if (!enabled) return [message("rules-off")];
	return files.flatMap(({ path, state, problems, trusted, rules }) => {
		const file = toDisplay(path);
		const problem = problems[0] ?? "";
		if (state === "broken") return [message("rules-broken", {
			file,
			problem
		})];
		if (state === "last-good") return [message("rules-last-good", {
			file,
			problem
		})];
		return !trusted && rules?.ordered.some(({ ref }) => ref.list === "allow") === true ? [message("rules-untrusted", { file })] : [];
	});
}
var SOURCES = {
	passthru: "the passthru plugin",
	settings: "Claude Code’s settings"
};
function newsOfOthers(session, set, source) {
	if (source !== "startup" && source !== "resume") return [];
	const { world, meta } = session;
	const { env, stateDir } = world;
	const root = bytePath(meta.projectRoot);
	const about = {
		stateDir,
		project: {
			root,
			id: meta.projectId
		}
	};
	const request = {
		env,
		home: homeDir(env),
		projectRoot: toText(root)
	};
	const found = orIfRefused(() => importNews(about, set, request), []);
	return [...set.enabled && hasPassthru(request) ? [message("rules-passthru")] : [], ...found.map(({ from, count }) => message("rules-importable", {
		count: countText(count, "entry", "entries"),
		from: SOURCES[from],
		name: from
	}))];
}
async function sayUnable(session, why, rules) {
	await session.log({
		t: "doctor",
		ok: false,
		failed: [why]
	});
	const pending = await session.pending() ? message("pending-safe") : "";
	const context = `trai: ${message("unable-model", {
		why,
		pending
	})}`;
	const said = [message("unable-user", {
		why,
		pending
	}), ...rules];
	return contextAnswer("SessionStart", [context], `trai: ${said.join("; ")}`);
}
async function welcome(session, news) {
	const isPending = await session.pending();
	const facts = await within(LIST_MS, isPending ? session.ask("facts", null).catch(() => null) : Promise.resolve(null));
	const moved = facts === null ? "" : movedText(facts);
	const said = [
		ownText(session, isPending, facts),
		...moved === "" ? [] : [moved],
		...earlierText(await session.earlierPending(), isPending),
		...news,
		...isFirstTime(session) ? [message("try-claude")] : []
	];
	return contextAnswer("SessionStart", orientation(isPending, facts, moved), `trai: ${said.join("; ")}. /trai:ui shows it.`);
}
function isFirstTime({ world }) {
	return orIfRefused(() => {
		writeFileSync(`${world.stateDir}/told-claude`, "", {
			flag: "wx",
			mode: 384
		});
		return true;
	}, false);
}
function ownText({ meta }, isPending, facts) {
	const count = facts?.count ?? 0;
	if (isPending) return `this session has ${count === 0 ? "pending changes" : countText(count, "pending change")}`;
	return meta.wentOnIn === void 0 ? message("begun") : message("went-on", { session: meta.wentOnIn });
}
function movedText({ count, moved, movedNamed }) {
	if (moved === 0) return "";
	return message("moved", {
		moved,
		count: countText(count, "pending path"),
		named: movedNamed
	});
}
function earlierText(earlier, pending) {
	const named = earlier.slice(0, MOST_EARLIER).map(({ id, changes }) => {
		const has = `session ${id} has ${changes === null ? "pending changes" : countText(changes, "pending change")}`;
		return pending ? has : `${has}: /trai:adopt ${id} continues with ${changes === 1 ? "it" : "them"}`;
	});
	return earlier.length > MOST_EARLIER ? [...named, `${earlier.length - MOST_EARLIER} more sessions have pending changes`] : named;
}
function orientation(isPending, facts, moved) {
	const pending = facts === null || facts.count === 0 ? "This session has pending changes from earlier." : `This session has ${countText(facts.count, "pending change")} from earlier: ${facts.named}.`;
	return [
		message("orientation"),
		...isPending ? [pending] : [],
		...moved === "" ? [] : [message("moved-model", { moved })]
	];
}
async function answerInside(world, session, event, input, headers) {
	switch (event) {
		case "SessionStart": return await start(world, session, input, headers);
		case "PreToolUse": return await before(session, toolInput(input), headers);
		case "PostToolUse":
		case "PostToolUseFailure": return await after(session, toolInput(input), event === "PostToolUseFailure");
		case "PermissionRequest": return await world.server?.questions.ask(session, toolInput(input), headers) ?? SILENT;
		case "PermissionDenied":
			await logClassifierDenial(session, input);
			return SILENT;
		case "PostToolBatch":
			await closeDenied(session, input);
			await logOutcomes(session, input);
			return contextAnswer(event, [...await overlapNews(session), ...userNews(session, input)]);
		case "UserPromptExpansion": return await typed(session, input, headers);
		case "UserPromptSubmit":
			await userPromptSubmit(session, input);
			session.rules(world.config().config);
			return contextAnswer(event, userNews(session, input));
		case "SessionEnd":
			await session.log({
				t: "session.end",
				claude: input.claude,
				reason: text(input.all, "reason")
			});
			return SILENT;
	}
}
async function start(world, { id, dir }, input, headers) {
	const [box, boxed] = [knownBoxRecord(dir), isBoxed(dir)];
	const { claudePid } = headers;
	const source = EVENT_FIELDS.session.source.find((known) => known === text(input.all, "source")) ?? "startup";
	const cwd = fromText(input.cwd === "" ? "/" : input.cwd);
	const session = await world.attach({
		claudeId: input.claude,
		session: id,
		inside: true,
		source,
		cwd,
		project: projectOf(cwd),
		pid: !boxed || claudePid === null ? claudePid : headers.outside(claudePid),
		pidStart: headers.claudePidStart,
		transcriptPath: text(input.all, "transcript_path") || null
	}, world.config());
	await session.log({
		t: "session",
		claude: input.claude,
		source,
		cwd: input.cwd,
		plugin: VERSION
	});
	const set = session.rules(world.config().config);
	const logged = rulesNews(set);
	const rules = [...logged, ...newsOfOthers(session, set, source)];
	for (const text of logged) await session.log({
		t: "notice",
		code: "rules",
		text
	});
	const facts = await session.pending() ? await session.ask("facts", null).catch(() => null) : null;
	const count = facts === null || facts.count === 0 ? "" : `; ${countText(facts.count, "change")} pending`;
	const moved = facts === null ? "" : movedText(facts);
	const news = [...moved === "" ? [] : [moved], ...rules].map((one) => `; ${one}`).join("");
	const written = writtenTexts(box, boxed, bytePath(session.meta.projectRoot));
	return contextAnswer("SessionStart", [
		message("inside-orientation", { written: written.model }),
		...box === null ? [] : [boxContext(box)],
		...moved === "" ? [] : [message("inside-moved-model", { moved })]
	], `trai: ${written.user}${count}${news}. /trai:ui shows it.`);
}
function writtenTexts(box, boxed, projectRoot) {
	if (box === null && boxed) return {
		user: message("box-unread"),
		model: message("box-unread")
	};
	const direct = box === null ? [] : [...box.direct, ...box.directFiles];
	if (direct.length === 0) return {
		user: message("inside-begun"),
		model: message("inside-written")
	};
	const named = namedPaths(direct, projectRoot);
	return {
		user: message("inside-begun-direct", { named }),
		model: message("inside-written-direct", { named })
	};
}
async function before(session, call, headers) {
	const since = performance.now();
	const isBash = isShell(call.tool);
	const own = isBash ? envRefusal(headers) : ownRefusal(session, call);
	if (own !== null) {
		await logDecision(session, call, ofTrai("deny", own), since);
		return blocked$1(own);
	}
	const { world } = session;
	const { config } = world.config();
	const { verdict } = await judgeCall({
		world,
		session,
		call,
		config,
		runs: isBash ? "sandbox" : null
	});
	await logDecision(session, call, ofVerdict(verdict), since);
	if (verdict.decision === "deny") {
		if (isBash) await logRefused(session, call, verdict.why);
		return preToolUseAnswer(said(verdict));
	}
	if (!isBash && !isWriter(call.tool)) return preToolUseAnswer(said(verdict));
	const note = isBash ? noteOn(session, call, config) : "";
	const updatedInput = await openCall(session, call, {
		command: isBash ? text(call.toolInput, "command") : commandOf(call),
		text: note
	});
	return preToolUseAnswer({
		...said(verdict),
		updatedInput,
		...note === "" ? {} : {
			context: [`trai: ${note}`],
			systemMessage: `trai: ${note}`
		}
	});
}
function envRefusal({ env }) {
	return env === "ok" ? null : message(env === "" ? "env-unknown" : `env-${env}`);
}
function ownRefusal(session, call) {
	if (runsOwnCommand(call)) return message("own-commands");
	return fileRefusal(session.world, call);
}
function noteOn(session, call, { passthrough }) {
	const { segments } = cutText(text(call.toolInput, "command"), call.cwd, homeDir(session.world.env));
	const commands = segments.flatMap(({ spellings }) => spellings.flatMap(([, one]) => parseShell(one).commands.slice(0, 1)));
	const programs = commands.map((command) => programOf(command) ?? "");
	const outside = programs.find((one) => passthrough.includes(one) && one !== "git" && one !== "gh");
	const publishes = commands.some(({ words }, at) => programs[at] === "git" && isPush(words.slice(1)));
	return [...outside === void 0 ? [] : [message("inside-cannot", { program: outside })], ...publishes ? [message("inside-push")] : []].join(" ");
}
function isPush(args) {
	const [name, ...operands] = readGlobals(args)?.rest ?? [];
	return name?.value === "push" && !operands.some(({ value }) => value === "--dry-run" || value === "-n");
}
async function after(session, call, failed) {
	if (failed) await logFailure(session, call);
	if (!isWriter(call.tool)) return await postToolUse(session, call, failed, true);
	const { request, tool, claude, cwd } = call;
	const at = session.requests.open.find(request)?.at ?? new Date(Date.now() - number(call.all, "duration_ms")).toISOString();
	const id = newCallId();
	const decision = {
		mode: "sandbox",
		reason: "inside",
		text: ""
	};
	const command = commandOf(call);
	await session.log({
		t: "call.decided",
		call: id,
		request,
		matched: "exact",
		origin: "claude",
		command,
		cwd,
		...decision
	});
	const pid = session.meta.claude.findLast((one) => one.id === claude)?.pid ?? 0;
	appendEvent(session.dir, {
		v: 1,
		t: "call.started",
		at,
		call: id,
		pid,
		mode: "sandbox",
		overlay: "inside"
	});
	await session.log({
		t: "call.ended",
		call: id,
		rc: failed ? 1 : 0,
		ms: number(call.all, "duration_ms")
	});
	session.requests.close(request);
	const path = fileOf$4(call);
	const outcome = failed ? "failed" : "written";
	if (path !== null) await session.log({
		t: "file",
		request,
		claude,
		agent: call.agent,
		tool,
		path,
		outcome,
		text: ""
	});
	return SILENT;
}
function isWriter(tool) {
	return /^(?:Edit|MultiEdit|Write|NotebookEdit|mcp__.*)$/s.test(tool);
}
function commandOf(call) {
	const path = fileOf$4(call);
	return path === null ? call.tool : `${call.tool} ${path}`;
}
var IN_A_BOX = /* @__PURE__ */ new Set([
	"status",
	"diff",
	"log",
	"why",
	"ps",
	"discard",
	"explore",
	"ui",
	"doctor"
]);
var COMMITS = /* @__PURE__ */ new Set(["commit", "undo"]);
async function typed(session, input, headers) {
	const [plugin, name] = text(input.all, "command_name").split(":");
	if (plugin !== "trai" || name === void 0 || text(input.all, "expansion_type") !== "slash_command") return SILENT;
	const say = (reason) => json({
		decision: "block",
		reason
	});
	if (!await isFromClient(session, headers)) return say(`trai: ${message("not-typed", {
		name,
		who: "a process that is not the client of this session"
	})}`);
	const args = foldBlanks(text(input.all, "command_args"));
	const what = `${name} ${args}`.trim();
	const command = `trai ${name} --session ${session.id} ${args}`.trim();
	const mayCommit = knownBoxRecord(session.dir)?.commitInside === true;
	if (isBoxed(session.dir) && !IN_A_BOX.has(name) && !(mayCommit && COMMITS.has(name))) return say(`trai: ${message("box-outside", {
		name,
		command,
		where: dashboardOf(session)
	})}`);
	if (name === "passthrough") return say(`trai: ${message("inside-passthrough")}`);
	if (name === "adopt") return say(`trai: ${message("inside-adopt", { other: args === "" ? "ID" : args })}`);
	const { server } = session.world;
	const answer = await server?.typed(session, {
		name,
		args,
		cwd: input.cwd
	}) ?? null;
	if (answer !== null) return say(answer);
	await openGrant(session.dir, {
		kind: "permit",
		what
	});
	await session.log({
		t: "grant",
		kind: "permit",
		what,
		state: "open"
	});
	const said = await server?.runTyped(session, name, input.cwd) ?? `trai: ${message("inside-outside", { command })}`;
	return said.startsWith("{\"decision\":\"block\"") ? {
		exit: 0,
		stream: "out",
		text: `${said}\n`
	} : say(said);
}
function dashboardOf({ world }) {
	const file = orIfRefused(() => readServerFile(world.stateDir), null);
	return file === null ? "trai ui" : `http://127.0.0.1:${file.port}/ (trai ui)`;
}
async function isFromClient({ dir }, { isClientOf }) {
	const fold = await readFold(dir);
	return [...fold.running.values()].filter(({ call }) => fold.view(call)?.origin === "client").some(({ pid }) => isClientOf(pid));
}
async function answerHook(world, event, body, headers, report) {
	try {
		const input = readInput(body);
		if (input === null) throw new Error("the event is not a JSON object with a session_id");
		world.server?.questions.saw(event, input, headers.inside);
		if (headers.inside !== null) {
			const inside = await world.session(headers.inside);
			if (inside === null) throw new Error(`there is no session ${headers.inside}`);
			return await answerInside(world, inside, event, input, headers);
		}
		if (event === "SessionStart") return await sessionStart(world, input, headers);
		if (event === "PreToolUse") return await preToolUse(world, toolInput(input), headers);
		if (event === "UserPromptExpansion") return await userPromptExpansion(world, input, headers.caller);
		const session = await world.session(input.claude);
		if (session === null) return SILENT;
		if (event !== "PermissionRequest") return await ofSession(session, event, input);
		return session.meta.off === null ? await asked(session, input, headers) : SILENT;
	} catch (error) {
		report(error);
		if (event !== "PreToolUse" && event !== "SessionStart") return SILENT;
		const why = failureText(error, world.stateDir);
		if (event === "PreToolUse") return blocked$1(message("undecided", { why }));
		return json({ systemMessage: `trai: ${message("no-session", { why })}` });
	}
}
async function asked(session, input, headers) {
	return await session.world.server?.questions.ask(session, toolInput(input), headers) ?? SILENT;
}
async function ofSession(session, event, input) {
	const isOn = session.meta.off === null;
	switch (event) {
		case "PostToolUse":
		case "PostToolUseFailure": {
			const call = toolInput(input);
			const failed = event === "PostToolUseFailure";
			if (!isOn) return SILENT;
			if (failed) await logFailure(session, call);
			return isFileWriter(call.tool) ? await fileTouched(session, call, failed) : await postToolUse(session, call, failed);
		}
		case "PermissionDenied":
			await logClassifierDenial(session, input);
			return SILENT;
		case "PostToolBatch":
			await closeDenied(session, input);
			await logOutcomes(session, input);
			if (!isOn) return contextAnswer(event, userNews(session, input));
			return contextAnswer(event, [
				...await afterFileTools(session, input),
				...await overlapNews(session),
				...await hostNews(session, input),
				...userNews(session, input),
				...resultHints(input)
			]);
		case "UserPromptSubmit":
			await userPromptSubmit(session, input);
			session.rules(session.world.config().config);
			return contextAnswer(event, [...isOn ? await hostNews(session, input) : [], ...userNews(session, input)], isOn ? diskWarning(session) : void 0);
		case "SessionEnd":
			await session.log({
				t: "session.end",
				claude: input.claude,
				reason: text(input.all, "reason")
			});
			return SILENT;
	}
}
async function preToolUse(world, call, headers) {
	if (isShell(call.tool)) return await beforeCommand(world, call, headers);
	if (call.tool === "") throw new Error("the event names no tool");
	return await beforeTool(world, call);
}
async function beforeTool(world, call) {
	const since = performance.now();
	const session = await world.session(call.claude);
	const own = await ownAnswer(world, session, call);
	if (session !== null && session.meta.off !== null) return own.refusal === null ? SILENT : blocked$1(own.refusal);
	if (own.refusal !== null) {
		if (session !== null) await logDecision(session, call, ofTrai("deny", own.refusal), since);
		return blocked$1(own.refusal);
	}
	const { config } = world.config();
	const { verdict } = await judgeCall({
		world,
		session,
		call,
		config,
		runs: null
	});
	if (session !== null) {
		await logDecision(session, call, ofVerdict(verdict), since);
		if (verdict.decision === "deny") await logDenied(session, call, verdict.why);
	}
	return preToolUseAnswer({
		...said(verdict),
		context: own.context
	});
}
async function ownAnswer(world, session, call) {
	if (isFileTool(call.tool)) return await beforeFileTool(world, session, call);
	return {
		refusal: runsOwnCommand(call) ? message("own-commands") : null,
		context: []
	};
}
function diskWarning({ dir, world }) {
	const low = lowSpace(world.stateDir, world.config().config.disk.warnFreeBytes);
	const told = `${dir}/told-disk`;
	if (low === null || existsSync(told)) return void 0;
	orNull(() => writeFileSync(told, "", { mode: 384 }));
	return `trai: ${lowText(low)}`;
}
function finishStored(transaction, resumed) {
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const open = [...record.drops.keys()].filter((i) => !record.done.has(i) && !record.failed.has(i));
	const first = (i) => record.drops[i]?.with ?? i;
	const staying = new Set([...record.failed.keys()].map(first));
	useAndClose(openUppers(transaction), (uppers) => {
		for (const parent of new Set(record.drops.map(({ path }) => parentOf$1(path)))) {
			const mark = joinPath(parent, SEEN_NAME);
			const place = uppers.lstat(mark) === null ? null : uppers.placed(mark);
			if (place !== null && isEventMark(place)) uppers.remove(mark, "symlink");
		}
		const isOther = (i, path) => {
			if (uppers.lstat(path) === null) return false;
			const place = uppers.placed(path);
			return place === null || !isStoredWhole(port, place, storedAt(dir, i));
		};
		for (const i of open) {
			const unit = record.drops[i];
			if (!resumed && unit?.kind === "entry" && isOther(i, unit.path)) staying.add(first(i));
		}
		for (const i of open) {
			const unit = record.drops[i];
			const stays = staying.has(first(i));
			if (unit === void 0) continue;
			if (!stays && unit.kind === "mode") resetDir(uppers, unit);
			else if (!stays) removeStored(port, uppers, unit.path, storedAt(dir, i));
			journal.add(stays && !resumed ? {
				t: "fail",
				i,
				message: NOT_DISCARDED_LIVE
			} : {
				t: "done",
				i
			});
		}
	});
}
function closeStored(transaction) {
	dropFailed(transaction);
	forgetDropped(transaction);
	const { port, journal } = transaction;
	const { record, dir } = journal;
	const entries = record.drops.flatMap((unit, i) => record.failed.has(i) ? [] : [entriesAt(port, dir, unit, i)]).reduce((sum, count) => sum + count, 0);
	if (entries > 0) {
		syncDirs(port, [joinPath(dir, STORE), dir]);
		const all = record.failed.size === 0;
		journal.addSynced({
			t: "discarded",
			...all ? {} : { entries }
		});
	} else removePath(port, parentOf$1(dir), nameOf$1(dir));
	return entries;
}
function entriesAt(port, dir, { kind }, i) {
	return kind === "mode" ? 1 : countBelow(port, storedAt(dir, i));
}
function countBelow(port, path) {
	const now = port.lstat(path);
	if (now?.type !== "dir") return now === null ? 0 : 1;
	return orIfRefused(() => port.readdir(path), []).reduce((sum, name) => sum + countBelow(port, joinPath(path, name)), 1);
}
function dropFailed({ port, journal: { record, dir } }) {
	for (const i of record.failed.keys()) if (port.lstat(storedAt(dir, i)) !== null) removePath(port, joinPath(dir, STORE), String(i));
}
function removeStored(port, uppers, path, stored) {
	const now = uppers.lstat(path);
	if (now === null) return true;
	if (isWhiteout(now)) {
		uppers.remove(path, now.type);
		return true;
	}
	if (now.type !== "dir") {
		const place = uppers.placed(path);
		if (place === null || !isStored(port, place, stored)) return false;
		uppers.remove(path, now.type);
		return true;
	}
	if (port.lstat(stored)?.type !== "dir") return false;
	if (uppers.readdir(path).map((name) => removeStored(port, uppers, joinPath(path, name), joinPath(stored, name))).includes(false)) return false;
	uppers.remove(path, now.type);
	return true;
}
var DOUBT = "-";
var LAST_UNIT_MS = 1e3;
var Stamps = class {
	#clocks;
	#until;
	constructor(ctx, until) {
		this.#clocks = new HostClocks(ctx);
		this.#until = until;
	}
	of(path, left, found) {
		if (left === null || left.type !== "dir" && left.nlink > 1) return void 0;
		if (this.#clocks.lag(path) > 0n) return void 0;
		return this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1000000n ? DOUBT : String(left.ctimeNs);
	}
};
function stampOf({ stamps, unitOf }, i, path, id) {
	const stamp = stamps.get(i);
	return stamp === void 0 || unitOf.get(i)?.path === path ? stamp : id?.split(":")[10];
}
function mergedUnits(units) {
	return units.flatMap((unit) => unit.kind === "put" && unit.merged !== void 0 ? [{
		...unit,
		merged: unit.merged
	}] : []);
}
function restoreBases(ctx, commit, paths) {
	const unseen = [...commit.units.flatMap(({ overrides }) => overrides ?? []), ...mergedUnits(commit.units).map(({ path, merged }) => ({
		path,
		base: merged.base
	}))];
	if (unseen.length === 0) return;
	const file = readBaseFile(ctx);
	appendBases(ctx, file, unseen.flatMap(({ path, base }) => {
		if (base === void 0 || !paths.has(path)) return [];
		return [[path, {
			listed: false,
			...file.records.get(path),
			path,
			base: looksUntouched(ctx, path, base) ? { state: "unknown" } : base
		}]];
	}));
}
function looksUntouched(ctx, path, base) {
	const at = upperPathIn(ctx.coveredDirs, path);
	const upper = at === null ? null : lstatEntry(at);
	if (at === null || upper === null) return false;
	return upper.type === "dir" ? onlyTouched(upper, base) : equalsBase(at, upper, base);
}
var ACCESS = 3;
function heldForWriting(wanted) {
	return new Set(holders(wanted).map(({ ino }) => ino));
}
function treesInUse(trees) {
	const used = /* @__PURE__ */ new Set();
	if (trees.length === 0) return used;
	const all = (sets) => new Set(sets.flatMap((set) => [...set]));
	const dirs = all(trees.map((tree) => tree.dirs));
	const held = new Set(holders(all(trees.map(({ files }) => files)), dirs).map(({ ino }) => ino));
	const workDirs = findWorkDirs(trees);
	for (const tree of trees) {
		const { real, files, dirs: own } = tree;
		const isInside = ({ at, ino }) => isWithin(at, real) || ino !== null && own.has(ino);
		if ([...held].some((ino) => files.has(ino) || own.has(ino)) || workDirs.some(isInside)) used.add(tree);
	}
	return used;
}
function usersBelow(processes, tops) {
	if (tops.size === 0) return [];
	return processes.flatMap(({ pid }) => {
		const used = /* @__PURE__ */ new Map();
		for (const thread of namesIn$4(`/proc/${pid}/task`)) for (const name of ["cwd", "root"]) used.set(processLink(pid, `task/${thread}/${name}`) ?? "", true);
		for (const [, name = ""] of (processText(pid, "maps") ?? "").matchAll(MAPPED)) used.set(name, false);
		for (const fd of namesIn$4(`/proc/${pid}/fd`)) {
			const name = processLink(pid, `fd/${fd}`) ?? "";
			if (name.startsWith("/")) used.set(name, used.get(name) === true || isOpenDir(pid, fd));
		}
		return [...used].flatMap(([name, isDir]) => {
			const path = name;
			const top = path.startsWith("/") ? topOf(path, tops) : null;
			return top === null ? [] : [{
				top,
				path,
				pid,
				isDir
			}];
		});
	});
}
function topOf(path, tops) {
	for (let at = path;; at = parentOf$1(at)) {
		if (tops.has(at)) return at;
		if (at === "/") return null;
	}
}
var MAPPED = /^\S+ \S+ \S+ \S+ [1-9]\d* +(\/.*)$/gm;
var DIRECTORY = 65536;
function isOpenDir(pid, fd) {
	const flags = /^flags:\s+([0-7]+)/m.exec(processText(pid, `fdinfo/${fd}`) ?? "")?.[1];
	return flags !== void 0 && (Number.parseInt(flags, 8) & DIRECTORY) !== 0;
}
function findWorkDirs(trees) {
	const own = devicesByPoint("self");
	const devices = new Set(trees.map(({ real }) => deviceAt(own, real)));
	const tables = /* @__PURE__ */ new Map();
	return processIds().filter((pid) => pid !== process.pid).flatMap((pid) => {
		const namespace = processLink(pid, "ns/mnt") ?? "";
		const mounts = tables.get(namespace) ?? devicesByPoint(pid);
		if (namespace !== "") tables.set(namespace, mounts);
		return ["cwd", "root"].map((name) => {
			const at = processLink(pid, name) ?? "";
			return {
				at,
				ino: at === "" || devices.has(deviceAt(mounts, at)) ? statOf(`/proc/${pid}/${name}`)?.ino ?? null : null
			};
		});
	});
}
function devicesByPoint(pid) {
	return (processText(pid, "mountinfo") ?? "").split("\n").flatMap((line) => {
		const [, , device = "", , point] = line.split(" ", 5);
		return point === void 0 ? [] : [[unescapeMount(point), device]];
	});
}
function deviceAt(mounts, at) {
	return innermost$1(at, mounts, ([point]) => point)?.[1] ?? null;
}
function holders(wanted, dirs = /* @__PURE__ */ new Set()) {
	if (wanted.size === 0 && dirs.size === 0) return [];
	const isWanted = (pid, { ino, writes }) => writes ? wanted.has(ino) : pid !== process.pid && dirs.has(ino);
	return processIds().flatMap((pid) => [...openFiles(pid)].filter((file) => isWanted(pid, file)).map((file) => ({
		...file,
		pid
	})));
}
function* openFiles(pid) {
	for (const fd of namesIn$4(`/proc/${pid}/fd`)) {
		const open = openInode(pid, fd);
		if (open !== null) yield {
			...open,
			fd
		};
	}
	for (const [, ino = ""] of (processText(pid, "maps") ?? "").matchAll(SHARED)) yield {
		ino: BigInt(ino),
		fd: null,
		writes: true
	};
}
var SHARED = /^\S+ .w.s \S+ \S+ (\d+)/gm;
function statOf(path) {
	return orNull(() => statSync(path, { bigint: true }));
}
function openInode(pid, fd) {
	const name = processLink(pid, `fd/${fd}`) ?? "";
	if (!name.startsWith("/") || name === "/dev/null" || name.startsWith("/dev/pts/")) return null;
	const info = processText(pid, `fdinfo/${fd}`) ?? "";
	const flags = /^flags:\s+([0-7]+)/m.exec(info)?.[1];
	if (flags === void 0) return null;
	const writes = (Number.parseInt(flags, 8) & ACCESS) !== 0;
	const ino = inodeIn(info);
	if (ino !== null) return {
		ino,
		writes
	};
	const held = writes ? statOf(`/proc/${pid}/fd/${fd}`) : null;
	return held === null ? null : {
		ino: held.ino,
		writes
	};
}
function inodeIn(info) {
	const ino = /^ino:\s+(\d+)/m.exec(info)?.[1];
	return ino === void 0 ? null : BigInt(ino);
}
var BEFORE = "before";
function imageName(i) {
	return `l${i}`;
}
function imageOf(unit) {
	return "image" in unit ? unit.image : void 0;
}
function linkedImage({ coveredDirs }, commit, unit) {
	const kind = imageOf(unit);
	if (kind === "link") return joinPath(commit, joinPath(BEFORE, imageName(unit.i)));
	const covered = kind === "back" ? coveringDir(coveredDirs, unit.path) : null;
	return covered === null ? null : waitingAt(joinPath(commit, BACK), covered, unit.path);
}
async function copyWrittenImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	const linked = /* @__PURE__ */ new Map();
	for (const unit of units) {
		const id = hostOf(unit);
		if (imageOf(unit) !== "link" || !done.has(unit.i) || id === null) continue;
		const top = imageName(unit.i);
		if (typeOf(id) === "file") linked.set(fingerprint(id).ino, {
			unit,
			path: top
		});
		for (const { path, host } of replacedBelow(unit)) {
			const below = joinPath(top, relativeTo(unit.path, path));
			if (typeOf(host) === "file") linked.set(fingerprint(host).ino, {
				unit,
				path: below
			});
		}
	}
	const held = heldForWriting(new Set(linked.keys()));
	if (held.size === 0) return;
	const dir = joinPath(commitDir(ctx, n), BEFORE);
	for (const ino of held) {
		const found = linked.get(ino);
		if (found === void 0) continue;
		const image = joinPath(dir, found.path);
		if (port.lstat(image)?.ino !== ino) continue;
		if (!await ownCopy(port, dir, image)) journal.add({
			t: "no-image",
			i: found.unit.i
		});
	}
}
async function ownCopy(port, dir, image) {
	const copy = joinPath(dir, "copy");
	if (port.lstat(copy) !== null) port.unlink(copy);
	const script = "IFS= read -r -d \"\" a; IFS= read -r -d \"\" b; exec cp -aT --reflink=auto -- \"$a\" \"$b\"";
	const input = Buffer.from(`${image}\0${copy}\0`, "latin1");
	const { status } = await port.run("bash", [
		"--norc",
		"-c",
		script
	], input, []);
	if (status !== 0) return false;
	port.rename(copy, image);
	return true;
}
function dropUnusedImages({ port, ctx, journal }) {
	const { units, done, n } = journal.record;
	for (const unit of units) {
		if (unit.kind !== "put" || done.has(unit.i)) continue;
		const image = linkedImage(ctx, commitDir(ctx, n), unit);
		if (image === null) continue;
		orIfRefused(() => {
			if ((port.lstat(image)?.nlink ?? 0) <= 1) return;
			port.unlink(image);
			const now = imageOf(unit) === "back" ? port.lstat(unit.path) : null;
			if (now !== null) journal.add({
				t: "unlinked",
				i: unit.i,
				stamp: String(now.ctimeNs)
			});
		}, void 0);
	}
}
var NO_MOVES = "no-moves";
var HIDING = /^(?:user|trusted)\.overlay\.(?!(?:impure|origin|uuid|nlink)$)/;
function moveWhole(port, ctx, [from, to], refused) {
	try {
		port.rename(from, to);
	} catch (error) {
		if (errorCode(error) !== "EXDEV") throw error;
		port.close(port.openAppend(joinPath(commitsDir(ctx), NO_MOVES)));
		throw new NotApplied(refused);
	}
}
function expectUnmoved(port, ctx, uppers, unit) {
	const entries = /* @__PURE__ */ new Map();
	for (const { path, id } of entriesOf(unit)) {
		const now = uppers.lstat(path);
		if (now === null || identityOf$2(now) !== id) throw new NotApplied(SANDBOX_CHANGED);
		entries.set(path, now);
	}
	const tree = {
		top: unit.path,
		paths: [...entries.keys()],
		entries
	};
	const dirs = [...entries].flatMap(([path, { type }]) => type === "dir" ? [path] : []);
	const marks = xattrNames(marksAsked(ctx, [{
		top: unit.path,
		dirs
	}]));
	if (!isWhole(port, ctx, uppers, tree, /* @__PURE__ */ new Map()) || markedTops(ctx, uppers, [tree], marks).size > 0) throw new NotApplied(SANDBOX_CHANGED);
}
function isWritable(port, uppers, dir) {
	return orIfRefused(() => {
		const upper = uppers.placed(dir);
		return upper !== null && port.writable(upper);
	}, false);
}
function isWhole(port, ctx, uppers, tree, counts) {
	const { top, entries } = tree;
	if (!ctx.root && ((entries.get(top)?.mode ?? 0) & 128) === 0) return false;
	if (!isWritable(port, uppers, parentOf$1(top))) return false;
	return orIfRefused(() => hasExactly(uppers, tree, counts) && hasAllNames(entries), false);
}
function hasExactly(uppers, { top, paths, entries }, counts) {
	const names = /* @__PURE__ */ new Map();
	let dir = parentOf$1(top);
	for (const path of paths) {
		if (path.lastIndexOf("/") !== dir.length || !path.startsWith(dir)) dir = parentOf$1(path);
		if (path !== top) names.set(dir, (names.get(dir) ?? 0) + 1);
	}
	for (const [path, { type }] of entries) {
		if (type !== "dir") continue;
		if ((counts.get(uppers.pathOf(path)) ?? uppers.readdir(path).length) !== (names.get(path) ?? 0)) return false;
	}
	return true;
}
function hasAllNames(entries) {
	const missing = /* @__PURE__ */ new Map();
	for (const { type, nlink, ino } of entries.values()) if (type !== "dir" && nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
	return [...missing.values()].every((names) => names === 0);
}
function marksAsked(ctx, trees) {
	const above = allDirsTo(ctx, trees.map(({ top }) => top));
	const inUpper = (path) => upperPathIn(ctx.coveredDirs, path) ?? path;
	return {
		whole: trees.flatMap(({ dirs }) => dirs).map(inUpper),
		alone: [...above].map(inUpper)
	};
}
function markedTops(ctx, uppers, trees, { names, unknown }) {
	const tops = new Map(trees.map(({ top }) => [uppers.pathOf(top), top]));
	const marked = /* @__PURE__ */ new Set();
	const mark = (path) => {
		for (let at = path; at !== "/"; at = parentOf$1(at)) {
			const top = tops.get(at);
			if (top !== void 0) marked.add(top);
		}
	};
	for (const dir of unknown) mark(dir);
	for (const [path, found] of names) if (found.some((name) => OF_THE_PLACE.test(name))) mark(path);
	const hidden = /* @__PURE__ */ new Map();
	const isHiding = (dir) => unknown.has(dir) || names.get(dir)?.some((name) => HIDING.test(name)) === true;
	for (const { top } of trees) {
		const above = parentOf$1(top);
		if (!hidden.has(above)) hidden.set(above, [...dirsTo(ctx, top)].some((dir) => isHiding(uppers.pathOf(dir))));
		if (hidden.get(above) === true) marked.add(top);
	}
	return marked;
}
function takeTree({ port, ctx, commit, resumed, dirs }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) throw new NotApplied(treeStays(NOT_COVERED));
	const to = waitingAt(joinPath(commit, BACK), covered, unit.path);
	const target = dirs.targetOrNone(unit.path);
	const waits = port.lstat(to);
	if (waits === null) {
		const now = target === null ? null : port.lstat(target);
		if (target === null || now === null) return "";
		if (!isSame$3(unit.host, dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		const why = resumed ? whyNotWhole(port, target, unit) : null;
		if (why !== null) throw new NotApplied(treeStays(why));
		moveWhole(port, ctx, [target, to], NOT_MOVED_IN);
	} else if (!isStillOurs(unit.born, waits)) throw new NotApplied(treeStays(NEW_OR_CHANGED));
	const why = whyNotWhole(port, to, unit);
	if (why === null) return "";
	if (target === null || port.lstat(target) !== null) return treeReplaced(why);
	port.rename(to, target);
	throw new NotApplied(treeStays(why));
}
function isTaken({ port, ctx, commit }, unit) {
	const covered = coveringDir(ctx.coveredDirs, unit.path);
	if (covered === null) return false;
	return isStillOurs(unit.born, port.lstat(waitingAt(joinPath(commit, BACK), covered, unit.path)));
}
function whyNotWhole(port, root, unit) {
	const walk = new Dirs(port, root, 0, null);
	try {
		const top = port.lstat(root);
		if (!isSame$3(onDeviceOf(unit.host, top), top) || !isAsNoted(port, walk, root, unit)) return NEW_OR_CHANGED;
		const inodes = (type) => new Set(unit.entries.flatMap(({ id }) => id?.startsWith(type) === true ? [fingerprint(id).ino] : []));
		return treesInUse([{
			real: port.readlink(at$1(walk.open(root))),
			files: inodes("file:"),
			dirs: inodes("dir:")
		}]).size > 0 ? IN_USE : null;
	} catch (error) {
		const message = entryMessage(error);
		if (message === null) throw error;
		return message;
	} finally {
		walk.close();
	}
}
function isAsNoted(port, walk, root, { path, entries }) {
	const ids = new Map(entries.map((entry) => [entry.path, entry.id]));
	const inside = byParent([...ids.keys()].filter((one) => one !== path));
	for (const [dir, id] of ids) {
		if (id?.startsWith("dir:") !== true) continue;
		const below = relativeTo(path, dir);
		const fd = walk.openOrNone(below === "" ? root : joinPath(root, below));
		const names = inside.get(dir) ?? [];
		if (fd === null || port.readdir(at$1(fd)).length !== names.length) return false;
		for (const one of names) {
			const now = port.lstat(at$1(fd, nameOf$1(one)));
			if (now === null || identityOf$2(now) !== onDeviceOf(ids.get(one) ?? null, now)) return false;
		}
	}
	return true;
}
function xattrsAt(port, dirs, path) {
	const fd = port.openEntry(at$1(dirs.open(parentOf$1(path)), nameOf$1(path)));
	return withHandle(port, fd, () => port.xattrs(fd));
}
function isMetaInPlace(port, dirs, unit) {
	const now = dirs.lstat(unit.path);
	if (now === null || now.uid !== unit.uid || now.gid !== unit.gid) return false;
	if (now.type !== "symlink" && now.mode !== unit.mode) return false;
	if (!hasTime(unit, now)) return false;
	return unit.xattrs === void 0 || xattrsAt(port, dirs, unit.path) === unit.xattrs.to;
}
function hasTime({ mtime }, now) {
	return mtime === null || now.type === "dir" || isSameTime(now.mtimeNs, BigInt(mtime));
}
function isMetaBegun(port, dirs, unit, root) {
	const now = dirs.lstat(unit.path);
	if (now === null) return false;
	if (unit.xattrs === void 0) return isHalfOwned(unit, now, root);
	const xattrs = xattrsAt(port, dirs, unit.path);
	return (xattrs !== unit.xattrs.from || now.mode !== fingerprint(unit.host).mode) && isHalfSet(unit, unit.xattrs, now, xattrs);
}
function applyMeta(port, dirs, unit, { root, resumed }) {
	const dir = dirs.open(parentOf$1(unit.path));
	withHandle(port, port.openEntry(at$1(dir, nameOf$1(unit.path))), (fd) => {
		const now = port.fstat(fd);
		const isLink = now.type === "symlink";
		const owned = now.uid === unit.uid && now.gid === unit.gid;
		const { xattrs } = unit;
		const has = xattrs === void 0 ? "" : port.xattrs(fd);
		if (has === null) throw new NotApplied(NO_XATTRS);
		if (!(owned && (isLink || now.mode === unit.mode) && hasTime(unit, now)) || xattrs !== void 0 && has !== xattrs.to) {
			const asReviewed = isSame$3(unit.host, dirs.asFound(now)) && (xattrs === void 0 || has === xattrs.from);
			const half = xattrs === void 0 ? isHalfOwned(unit, now, root) || resumed && isHalfTimed(unit, now) : resumed && isHalfSet(unit, xattrs, now, has);
			if (!asReviewed && !half) throw new NotApplied(HOST_CHANGED);
			if (xattrs !== void 0) {
				const changes = xattrChanges(has, xattrs.to);
				setXattrs(port, fd, now, {
					mode: unit.mode,
					changes,
					root
				});
			}
			if (!owned) port.lchown(at$1(dir, nameOf$1(unit.path)), unit.uid, unit.gid);
			if (!isLink) port.chmod(at$1(fd), unit.mode);
		}
		if (unit.mtime !== null && !isLink) port.utimes(at$1(fd), BigInt(unit.mtime));
	});
}
function setXattrs(port, fd, now, { mode, changes, root }) {
	if (changes.length === 0) return;
	const closed = !root && (now.mode & 128) === 0 && needsWriting(changes);
	try {
		if (removesAcl(changes)) port.chmod(at$1(fd), mode | (closed ? 448 : 0));
		else if (closed) port.chmod(at$1(fd), now.mode | 448);
		port.setXattrs(fd, changes);
	} catch (error) {
		if (closed || port.fstat(fd).mode !== now.mode) port.chmod(at$1(fd), now.mode);
		const why = XATTR_ERRORS[errorCode(error)];
		throw why === void 0 ? error : new NotApplied(`${why} (${errorCode(error)})`);
	}
}
function isHalfOwned(unit, now, root) {
	return root && fingerprint(unit.host).ino === now.ino && now.uid === unit.uid && now.gid === unit.gid;
}
function isHalfTimed({ host, mode, uid, gid, mtime }, now) {
	if (mtime === null || now.type !== "file" || now.mode !== mode) return false;
	return sameFields(fingerprint(host), now, [
		"type",
		"ino",
		"birthNs",
		"size",
		"mtimeNs"
	]) && now.uid === uid && now.gid === gid;
}
function isHalfSet(unit, step, now, xattrs) {
	const then = fingerprint(unit.host);
	if (then.type !== now.type || then.ino !== now.ino || then.birthNs !== now.birthNs) return false;
	const owners = [`${then.uid}:${then.gid}`, `${unit.uid}:${unit.gid}`];
	const modes = [then.mode, unit.mode];
	const bits = modes.flatMap((one) => [one & 511, (one | 448) & 511]);
	const special = modes.reduce((all, one) => all | one & 3584, 0);
	return owners.includes(`${now.uid}:${now.gid}`) && bits.includes(now.mode & 511) && (now.mode & 3584 & ~special) === 0 && xattrs !== null && isBetween(xattrs, step);
}
var UnitApplier = class {
	#task;
	#port;
	#dirs;
	#commit;
	#images;
	#resumed;
	#uppers;
	#stageFds = /* @__PURE__ */ new Map();
	constructor(task, dirs) {
		const { port, ctx, journal, earlier } = task;
		this.#task = task;
		this.#port = port;
		this.#dirs = dirs;
		const { n, undoes = n } = journal.record.begin;
		this.#commit = commitDir(ctx, n);
		this.#images = joinPath(commitDir(ctx, undoes), BEFORE);
		this.#resumed = earlier !== void 0;
		this.#uppers = new Uppers(port, ctx, null);
	}
	apply(unit) {
		switch (unit.kind) {
			case "put": return this.#put(unit);
			case "swap": return this.#swap(unit);
			case "meta":
				applyMeta(this.#port, this.#dirs, unit, {
					root: this.#task.ctx.root,
					resumed: this.#resumed
				});
				return "";
			case "delete":
				this.#remove(unit.path, unit.host, isSame$3, linkedImage(this.#task.ctx, this.#commit, unit));
				return "";
			case "move-to-host": return this.#moveToHost(unit);
			case "move-to-store": return takeTree({
				...this.#taking(),
				resumed: this.#resumed,
				dirs: this.#dirs
			}, unit);
		}
	}
	isInPlace(unit) {
		return orIfRefused(() => isInPlace(this.#port, this.#dirs, unit), false);
	}
	isBegun(unit) {
		if (this.isInPlace(unit)) return true;
		switch (unit.kind) {
			case "swap": return this.#dirs.lstat(asidePath(unit)) !== null;
			case "meta": return isMetaBegun(this.#port, this.#dirs, unit, this.#task.ctx.root);
			case "move-to-store": return isTaken(this.#taking(), unit);
			default: return false;
		}
	}
	close() {
		for (const fd of this.#stageFds.values()) if (fd !== null) this.#port.close(fd);
		this.#stageFds.clear();
		this.#uppers.close();
	}
	#staged({ stage, rel, born, path: target, entries }) {
		if (stage === null) {
			if (!this.#task.ctx.quiet) throw new NotApplied(SESSION_LIVE);
			const from = this.#uppers.placedHere(target);
			const now = from === null ? null : this.#port.lstat(from);
			if (!isBornAs(born, now)) return null;
			if (!isSame$3(entries[0]?.id ?? null, now)) throw new NotApplied(SANDBOX_CHANGED);
			return from;
		}
		if (stage === "before") {
			const image = joinPath(this.#images, rel);
			if (!this.#resumed) return image;
			return isBornAs(born, this.#port.lstat(image)) ? image : null;
		}
		if (!this.#stageFds.has(stage)) this.#stageFds.set(stage, this.#openStage(stage));
		const fd = this.#stageFds.get(stage) ?? null;
		if (fd === null) return null;
		const path = at$1(fd, rel);
		return isBornAs(born, this.#port.lstat(path)) ? path : null;
	}
	#openStage(index) {
		const stage = this.#task.journal.record.stages[index];
		if (stage === void 0) return null;
		const base = new Dirs(this.#port, "/", 0, null);
		try {
			return this.#port.openDir(at$1(base.open(stage.base), stage.name));
		} catch (error) {
			if (errorCode(error) === "ENOENT") return null;
			throw error;
		} finally {
			base.close();
		}
	}
	#isReviewed(identity, now) {
		return isSame$3(identity, now === null ? null : this.#dirs.asFound(now));
	}
	#put(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		const inPlace = isBornAs(unit.born, now);
		const staged = inPlace && unit.stage === null ? null : this.#staged(unit);
		if (inPlace) {
			if (staged !== null) this.#port.unlink(staged);
			this.#setMode(unit, target);
			return "";
		}
		const image = now === null ? null : linkedImage(this.#task.ctx, this.#commit, unit);
		const linked = image === null || !this.#resumed ? null : this.#port.lstat(image);
		if (!(linked !== null && linked.ino === now?.ino && isRenamed(unit.host, now)) && !this.#isReviewed(unit.host, now)) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(unit.stage === null ? SANDBOX_CHANGED : COPY_GONE);
		if (image !== null && linked === null) this.#port.link(target, image);
		const isDir = typeOf(unit.born) === "dir";
		if (isDir) this.#setMode(unit, staged, 448);
		if (unit.stage === null) moveWhole(this.#port, this.#task.ctx, [staged, target], NOT_MOVED_OUT);
		else if (unit.host !== null || isDir || !this.#linked(staged, target)) this.#port.rename(staged, target);
		this.#setMode(unit, target);
		return "";
	}
	#moveToHost(unit) {
		const target = this.#dirs.target(unit.path);
		const now = this.#port.lstat(target);
		if (isBornAs(unit.born, now)) return "";
		if (now !== null) throw new NotApplied(HOST_CHANGED);
		const { ctx } = this.#task;
		if (!ctx.quiet) throw new NotApplied(SESSION_LIVE);
		if (!isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new NotApplied(SANDBOX_CHANGED);
		if (this.#resumed) {
			expectUnmoved(this.#port, ctx, this.#uppers, unit);
			if (this.#port.lstat(target) !== null) throw new NotApplied(HOST_CHANGED);
		}
		const from = this.#uppers.placed(unit.path);
		if (from === null) throw new NotApplied(SANDBOX_CHANGED);
		moveWhole(this.#port, ctx, [from, target], NOT_MOVED_OUT);
		return "";
	}
	#taking() {
		return {
			port: this.#port,
			ctx: this.#task.ctx,
			commit: this.#commit
		};
	}
	#linked(staged, target) {
		try {
			this.#port.link(staged, target);
		} catch (error) {
			if ([
				"EPERM",
				"EMLINK",
				"EOPNOTSUPP",
				"ENOSYS"
			].includes(errorCode(error))) return false;
			throw error;
		}
		this.#port.unlink(staged);
		return true;
	}
	#setMode({ closedMode }, path, bits = 0) {
		if (closedMode !== null) chmodEntry(this.#port, path, closedMode | bits);
	}
	#swap(unit) {
		const staged = this.#staged(unit);
		const now = this.#port.lstat(this.#dirs.target(unit.path));
		if (!isBornAs(unit.born, now)) {
			const old = this.#dirs.lstat(asidePath(unit));
			if (now !== null) this.#mayMoveAside(unit, now, old, staged);
			else if (old === null || !isRenamed(unit.host, old)) throw new NotApplied(HOST_CHANGED);
			const dir = this.#dirs.openToWrite(parentOf$1(unit.path));
			if (now !== null) this.#port.rename(at$1(dir, nameOf$1(unit.path)), at$1(dir, unit.aside));
			this.#moveIn(unit, dir, staged);
		}
		const note = this.#removeAside(unit);
		this.#setMode(unit, this.#dirs.target(unit.path));
		return note;
	}
	#mayMoveAside(unit, now, old, staged) {
		if (!(this.#isReviewed(unit.host, now) || this.#resumed && isRenamed(unit.host, now))) throw new NotApplied(HOST_CHANGED);
		if (staged === null) throw new NotApplied(COPY_GONE);
		if (old !== null) throw new NotApplied(hostHas(asidePath(unit)));
		if (now.type === "dir") this.#onlyReviewed(unit);
	}
	#moveIn(unit, dir, staged) {
		const target = at$1(dir, nameOf$1(unit.path));
		try {
			if (staged === null) throw new NotApplied(COPY_GONE);
			if (typeOf(unit.born) === "dir") this.#setMode(unit, staged, 448);
			this.#port.rename(staged, target);
		} catch (error) {
			this.#port.rename(at$1(dir, unit.aside), target);
			throw error;
		}
	}
	#onlyReviewed(unit) {
		const known = new Map(unit.below.map(({ path, host }) => [path, host]));
		let met = 0;
		const walk = (dir) => {
			for (const name of this.#port.readdir(at$1(this.#dirs.openToList(dir)))) {
				const path = joinPath(dir, name);
				const stat = this.#dirs.lstat(path);
				if (stat === null || !this.#isReviewed(known.get(path) ?? null, stat)) throw new NotApplied(hostHasIn(path));
				met++;
				if (stat.type === "dir") walk(path);
			}
		};
		walk(unit.path);
		if (met !== known.size) throw new NotApplied(HOST_CHANGED);
	}
	#removeAside(unit) {
		const aside = asidePath(unit);
		const message = refusalOf$1(() => {
			if (this.#dirs.lstat(aside) === null) return;
			const image = linkedImage(this.#task.ctx, this.#commit, unit);
			if (image !== null) return moveOut(this.#port, this.#dirs, aside, image);
			for (const { path, host } of unit.below.toReversed()) this.#remove(joinPath(aside, relativeTo(unit.path, path)), host);
			this.#remove(aside, unit.host, isRenamed);
		});
		return message === null ? "" : replacedKept(aside, message);
	}
	#remove(path, host, same = isSame$3, image = null) {
		const target = this.#dirs.targetOrNone(path);
		const now = target === null ? null : this.#port.lstat(target);
		if (target === null || now === null) return;
		if (!same(host, this.#dirs.asFound(now))) throw new NotApplied(HOST_CHANGED);
		if (image !== null && now.type === "dir") moveOutEmpty(this.#port, this.#dirs, path, image);
		else if (image !== null) moveOut(this.#port, this.#dirs, path, image);
		else if (now.type === "dir") this.#port.rmdir(target);
		else this.#port.unlink(target);
	}
};
function asidePath({ path, aside }) {
	return joinPath(parentOf$1(path), aside);
}
function isInPlace(port, dirs, unit) {
	switch (unit.kind) {
		case "delete":
		case "move-to-store": return dirs.lstat(unit.path) === null;
		case "meta": return isMetaInPlace(port, dirs, unit);
		default: return isBornAs(unit.born, dirs.lstat(unit.path));
	}
}
function toolsOf(task, dirs) {
	const { units, failed } = task.journal.record;
	const stamps = new Stamps(task.ctx, task.earlier?.until ?? null);
	const broken = new Set(units.filter(({ i }) => failed.has(i)).flatMap(({ groups }) => groups));
	return {
		dirs,
		applier: new UnitApplier(task, dirs),
		stamps,
		broken
	};
}
async function applyAll(task) {
	const { port, journal } = task;
	const dirs = hostDirs(task);
	const tools = toolsOf(task, dirs);
	const { applier } = tools;
	try {
		await applyUnits(task, tools);
		const loosened = journal.record.loosened.length > 0;
		restoreModes(port, dirs, journal);
		if (journal.record.phase !== "applied") {
			await copyWrittenImages(task);
			dropUnusedImages(task);
			await makeDurable(task, dirs, loosened);
		}
		applier.close();
		removeStages(port, dirs, journal);
		return {
			report: reportOf(task, null),
			stopped: false
		};
	} catch (error) {
		if (errorCode(error) === "") throw error;
		orIfRefused(() => restoreModes(port, dirs, journal), void 0);
		return {
			report: reportOf(task, messageOf(error)),
			stopped: true
		};
	} finally {
		applier.close();
		dirs.close();
	}
}
function abandon(task, tools, begun, why) {
	const { journal } = task;
	const going = new Set(begun);
	for (const unit of withTheirGroups(journal.record.units, begun)) applyUnit(task, tools, unit, going.has(unit));
	journal.addSynced({
		t: "abandon",
		why
	});
}
async function applyUnits(task, tools) {
	const { record } = task.journal;
	const { units, done } = record;
	const pace = new Pace();
	const total = units.reduce((sum, unit) => sum + entryCount(unit), 0);
	const count = {
		done: 0,
		bytes: 0
	};
	for (const unit of units) {
		await pace.breathe();
		if (record.abandoned === null && task.cancelled?.() === true) abandon(task, tools, units.filter(({ i }) => done.has(i)), "cancelled");
		if (record.abandoned === null) applyUnit(task, tools, unit, false);
		count.done += entryCount(unit);
		count.bytes += bytesOf$1(unit);
		task.onProgress?.({
			done: count.done,
			total,
			path: unit.path,
			bytes: count.bytes
		});
	}
}
function applyUnit({ port, journal, unfinished, earlier }, { dirs, applier, stamps, broken }, unit, isBegun) {
	const { done, failed } = journal.record;
	if (done.has(unit.i) || failed.has(unit.i)) return;
	try {
		if (unit.kind === "meta" && typeOf(unit.host) === "dir") restoreModes(port, dirs, journal);
		if (!isBegun && unit.groups.some((group) => broken.has(group))) journal.add({
			t: "fail",
			i: unit.i,
			message: GROUP_FAILED
		});
		else {
			const found = earlier !== void 0 && applier.isInPlace(unit) ? entryAt(unit, dirs) : null;
			const note = applier.apply(unit);
			const stamp = stamps.of(unit.path, entryAt(unit, dirs), found);
			const more = {
				...note === "" ? {} : { note },
				...stamp === void 0 ? {} : { stamp }
			};
			journal.add({
				t: "done",
				i: unit.i,
				...more
			});
		}
	} catch (error) {
		const known = entryMessage(error);
		if (known === null && errorCode(error) === "") throw error;
		const message = known ?? messageOf(error);
		const partly = applier.isInPlace(unit) ? partlyApplied(message) : null;
		if (known === null) {
			if (partly !== null) unfinished.set(unit.i, partly);
			throw error;
		}
		journal.add({
			t: "fail",
			i: unit.i,
			message: partly ?? message
		});
	}
	if (failed.has(unit.i)) for (const group of unit.groups) broken.add(group);
	journal.flush();
}
function entryAt({ kind, path }, dirs) {
	if (kind === "delete" || kind === "move-to-store") return null;
	return orNull(() => dirs.lstatHere(path));
}
async function makeDurable({ port, journal, ctx }, dirs, loosened) {
	const bases = /* @__PURE__ */ new Set([...journal.record.stages.map(({ base }) => base)]);
	const renamed = /* @__PURE__ */ new Set();
	for (const unit of journal.record.units) {
		const { path, i } = unit;
		if (unit.kind === "move-to-host") {
			if (journal.record.done.has(i)) renamed.add(parentOf$1(path));
		} else if (unit.kind !== "put" || typeof unit.stage !== "number") bases.add(coveringDir(ctx.coveredDirs, path)?.path ?? parentOf$1(path));
	}
	for (const dir of renamed) if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir)) bases.add(coveringDir(ctx.coveredDirs, dir)?.path ?? dir);
	await syncFileSystems(port, heldOneByOne(dirs, bases));
	journal.addSynced({ t: "applied" });
}
var FEW = 32;
function syncRename(port, ctx, dirs, dir) {
	const from = upperPathIn(ctx.coveredDirs, dir);
	try {
		syncDirs(port, [at$1(dirs.open(dir), "."), ...from === null ? [] : [joinPath(from, ".")]]);
		return from !== null;
	} catch (error) {
		if ([
			"EACCES",
			"ENOENT",
			"ENOTDIR",
			"ELOOP"
		].includes(errorCode(error))) return false;
		throw error;
	}
}
function* heldOneByOne(dirs, paths) {
	for (const path of paths) yield dirs.open(path);
}
function restoreModes(port, dirs, journal) {
	const { loosened } = journal.record;
	if (loosened.length === 0) return;
	for (const { path, mode } of loosened.toReversed()) {
		const now = dirs.lstat(path);
		if (now?.type !== "dir" || now.mode !== (mode | 448)) continue;
		const fd = port.openDir(at$1(dirs.open(parentOf$1(path)), nameOf$1(path)));
		withHandle(port, fd, () => port.chmod(at$1(fd), mode));
	}
	loosened.length = 0;
	dirs.loosened.clear();
	dirs.close();
}
function removeStages(port, dirs, journal) {
	for (const { base, name } of journal.record.stages) {
		if (dirs.lstat(base) === null) continue;
		removeTree(port, dirs.openToWrite(base), name);
	}
	restoreModes(port, dirs, journal);
}
function markedIn(done) {
	const marked = mergedUnits(done).filter(({ merged }) => merged.marks !== void 0);
	return marked.length === 0 ? {} : { marked: marked.map(({ path }) => path) };
}
function reportOf(task, stopped) {
	const { record } = task.journal;
	const failures = [...record.refused];
	const out = {
		applied: 0,
		bytes: 0,
		notApplied: []
	};
	let [left, times] = [0, 0];
	for (const unit of record.units) {
		const message = record.failed.get(unit.i) ?? task.unfinished.get(unit.i);
		const note = record.done.get(unit.i);
		if (message !== void 0) for (const { path } of entriesOf(unit)) failures.push({
			path,
			message
		});
		else if (note !== void 0) {
			if (isTimeOnly(unit)) times++;
			else out.applied += entryCount(unit);
			out.bytes += bytesOf$1(unit);
			if (note !== "") failures.push({
				path: unit.path,
				message: note
			});
		} else if (record.abandoned === "discarded") left += entryCount(unit);
		else for (const { path } of entriesOf(unit)) out.notApplied.push(path);
	}
	if (left > 0) failures.push({
		path: task.ctx.projectRoot,
		message: givenUp(left)
	});
	if (stopped !== null) {
		const where = out.notApplied[0] ?? record.units.at(-1)?.path ?? "/";
		failures.push({
			path: where,
			message: stoppedAt(where, stopped)
		});
	}
	return {
		n: record.n,
		state: stopped === null && failures.length === 0 && record.abandoned !== "cancelled" ? "applied" : "partial",
		...record.abandoned === "cancelled" ? { cancelled: true } : {},
		...stopped === null ? {} : { stopped: true },
		...markedIn(record.units.filter(({ i }) => record.done.has(i))),
		...out,
		...times > 0 ? { times } : {},
		kept: record.begin.kept,
		ignored: record.begin.ignored,
		failed: failures,
		copies: record.begin.live,
		ms: Math.round(performance.now() - task.startedAt)
	};
}
function withTheirGroups(units, begun) {
	const going = new Set(begun);
	const groups = new Set(begun.flatMap((unit) => unit.groups));
	for (let before = -1; before < groups.size;) {
		before = groups.size;
		for (const unit of units) {
			if (!going.has(unit) && !unit.groups.some((group) => groups.has(group))) continue;
			going.add(unit);
			for (const group of unit.groups) groups.add(group);
		}
	}
	return units.filter((unit) => going.has(unit));
}
async function dropCommitted(ctx) {
	let count = 0;
	for (const n of commitNumbers(nodePort, ctx)) {
		if (readClosed(commitDir(ctx, n))?.after.has("dropped") === true) continue;
		const journal = openJournal(nodePort, commitDir(ctx, n));
		if (journal === null) continue;
		await useAndCloseAsync(journal, async () => {
			const { phase, dropped, report, begin } = journal.record;
			if (phase !== "closed" || dropped) return;
			if (report !== null && begin.undoes === void 0) count += (await dropRecord({
				port: nodePort,
				ctx,
				journal
			})).count;
			journal.addSynced({ t: "dropped" });
		});
	}
	return count;
}
async function dropRecord(transaction, { bases = readBaseFile(transaction.ctx), settled = false } = {}) {
	const { port, ctx, journal } = transaction;
	const { record } = journal;
	const applied = record.standing();
	const moved = applied.filter(isMoved);
	const copied = applied.filter((unit) => !isMoved(unit)).flatMap(entriesOf);
	const isRoot = ({ path }) => coveringDir(ctx.coveredDirs, path)?.path === path;
	const going = copied.filter((entry) => !isRoot(entry));
	return await useAndCloseAsync(openUppers(transaction), async (uppers) => {
		uppers.removeMovedOut();
		const made = new MadeDirs(ctx);
		const gone = new Set(applied.filter(leavesUpper).map(({ path }) => path));
		const left = going.filter(({ path }) => !gone.has(path));
		const entries = [
			...record.above,
			...record.same,
			...left
		];
		const there = [...left, ...record.same].filter(({ id }) => id !== null).map(({ path }) => path);
		await made.look(there, (path) => uppers.lstat(path)?.type === "dir");
		const before = there.some((path) => made.topOf(path) !== null) ? earlierEntries(port, ctx, record.n).filter((entry) => !isRoot(entry)) : [];
		const dirs = [...settled ? [...record.same, ...left] : entries, ...before].filter(({ id }) => typeOf(id) === "dir");
		const stays = blocked(record);
		for (const path of otherThanHost(port, uppers, [...new Set(dirs.map(({ path }) => path))])) stays.add(path);
		const drop = new Drop({
			port,
			uppers,
			made,
			stays,
			going: idsOf(entries),
			before: idsOf(before)
		});
		await drop.all();
		forget({
			ctx,
			bases,
			uppers
		}, [...going, ...before], moved);
		const frozen = going.filter(({ path }) => drop.isFrozen(path));
		return {
			count: drop.count,
			stay: [...frozen, ...copied.filter(isRoot)].map(({ path }) => path)
		};
	});
}
function earlierEntries(port, ctx, n) {
	return commitNumbers(port, ctx).filter((number) => number < n).flatMap((number) => {
		const record = readJournal(port, ctx, number);
		if (record === null || record.report === null || record.begin.undoes !== void 0) return [];
		return [...record.same, ...record.standing().flatMap(entriesOf)];
	});
}
function idsOf(entries) {
	return new Map(entries.flatMap(({ path, id }) => id === null ? [] : [[path, id]]));
}
function mayBeOnHost(port, path) {
	return orIfRefused(() => port.lstat(path) !== null, true);
}
function forgetMoved(port, ctx, record) {
	const moved = record.units.filter(isMoved).filter(({ i }) => record.done.has(i));
	if (moved.length === 0) return;
	const bases = readBaseFile(ctx);
	useAndClose(new Uppers(port, ctx, null), (uppers) => forget({
		ctx,
		bases,
		uppers
	}, [], moved));
}
var isMoved = (unit) => unit.kind === "move-to-host";
function forget({ ctx, bases: file, uppers }, going, moved) {
	const names = /* @__PURE__ */ new Map();
	const isThere = (path) => {
		const dir = parentOf$1(path);
		if (!names.has(dir)) names.set(dir, orIfRefused(() => new Set(uppers.readdir(dir)), null));
		return names.get(dir)?.has(nameOf$1(path)) ?? uppers.lstat(path) !== null;
	};
	const isGone = ({ path }) => file.records.has(path) && !isThere(path);
	const gone = new Set(going.filter(isGone).map(({ path }) => path));
	const again = moved.filter(({ path }) => uppers.lstat(path) !== null);
	for (const { path } of again.flatMap((unit) => entriesOf(unit).filter(isGone))) gone.add(path);
	const left = new Set(moved.filter((unit) => !again.includes(unit)).map(({ path }) => path));
	if (left.size > 0) {
		for (const path of file.records.keys()) if (left.has(path) || isBelowAny(path, left)) gone.add(path);
	}
	dropBases(ctx, file, [...gone]);
}
function blocked(record) {
	const standing = new Set(record.standing());
	const failed = record.units.filter((unit) => !standing.has(unit)).flatMap(entriesOf);
	const left = [
		...record.begin.leftOut,
		...record.refused.map(({ path }) => path),
		...failed.map(({ path }) => path)
	];
	const stays = new Set(left);
	for (const path of left) for (let dir = parentOf$1(path); dir !== "/" && !stays.has(dir); dir = parentOf$1(dir)) stays.add(dir);
	return stays;
}
var Drop = class {
	count = 0;
	#parts;
	#decided = /* @__PURE__ */ new Map();
	#pace = new Pace();
	constructor(parts) {
		this.#parts = parts;
	}
	isFrozen(path) {
		const top = this.#parts.made.topOf(path);
		return top !== null && this.#decided.get(top) === false;
	}
	async all() {
		const errors = [];
		const { going, made, uppers } = this.#parts;
		for (const path of [...going.keys()].sort().reverse()) {
			await this.#pace.breathe();
			const top = made.topOf(path);
			try {
				if (top !== null) await this.#whole(top);
				else this.#one(path);
			} catch (error) {
				if (errorCode(error) === "") throw error;
				errors.push(error);
			}
		}
		uppers.removeMovedOut();
		if (errors.length > 0) throw errors[0];
	}
	#one(path) {
		const { uppers, going } = this.#parts;
		const now = uppers.lstat(path);
		if (now === null || !this.#mayGo(path, now, going.get(path))) return;
		if (now.type === "dir" && uppers.readdir(path).length > 0) return;
		uppers.remove(path, now.type);
		this.count++;
	}
	async #whole(top) {
		if (this.#decided.has(top)) return;
		const inside = await this.#countIfCommitted(top);
		this.#decided.set(top, inside !== null);
		const { uppers } = this.#parts;
		if (inside === null || inside === 0 || uppers.lstat(top)?.type !== "dir") return;
		uppers.moveOut(top);
		this.count += inside;
	}
	async #countIfCommitted(top) {
		const { uppers, going, before } = this.#parts;
		const stack = [top];
		let count = 0;
		for (let path = stack.pop(); path !== void 0; path = stack.pop()) {
			await this.#pace.breathe();
			const now = uppers.lstat(path);
			if (now === null) continue;
			if (!this.#mayGo(path, now, going.get(path) ?? before.get(path))) return null;
			count++;
			if (now.type === "dir") for (const name of uppers.readdir(path)) stack.push(joinPath(path, name));
		}
		return count;
	}
	#mayGo(path, now, id) {
		if (id === void 0 || this.#parts.stays.has(path)) return false;
		return isWhiteout(now) ? typeOf(id) === "char" && !mayBeOnHost(this.#parts.port, path) : isSame$3(id, now);
	}
};
var MadeDirs = class {
	#ctx;
	#tops = /* @__PURE__ */ new Map();
	constructor(ctx) {
		this.#ctx = ctx;
	}
	async look(paths, isDir) {
		if (paths.length === 0) return;
		const pace = new Pace();
		await useAndCloseAsync(await openViewer(this.#ctx), async (viewer) => {
			const shows = (path) => {
				const upper = upperPathIn(this.#ctx.coveredDirs, path);
				if (upper === null) return false;
				return orIfRefused(() => showsHost(viewer, {
					host: path,
					upper
				}), false);
			};
			for (const path of paths) {
				await pace.breathe();
				const dir = parentOf$1(path);
				if (this.#find(dir, shows) !== null || this.#tops.has(path) || !isDir(path)) continue;
				this.#tops.set(path, shows(path) ? null : path);
			}
		});
	}
	topOf(path) {
		return this.#tops.get(path) ?? this.#tops.get(parentOf$1(path)) ?? null;
	}
	#find(dir, shows) {
		const known = this.#tops.get(dir);
		if (known !== void 0) return known;
		const isRoot = coveringDir(this.#ctx.coveredDirs, dir)?.path === dir || dir === "/";
		const top = (isRoot ? null : this.#find(parentOf$1(dir), shows)) ?? (isRoot || shows(dir) ? null : dir);
		this.#tops.set(dir, top);
		return top;
	}
};
function hashesIn({ begin, units, done }, records) {
	const found = [];
	if (!begin.reversible) return found;
	for (const unit of units) {
		if (unit.kind !== "put" || unit.image !== "link" || unit.host === null || !done.has(unit.i)) continue;
		const base = records.get(unit.path)?.base;
		if (base?.state !== "known" || base.sha256 === void 0 || base.index !== void 0) continue;
		if (isOf(unit.host, base.host)) found.push([
			unit.i,
			base.sha256,
			base.blob === true
		]);
	}
	return found;
}
function restoredBases({ ctx, journal: { record }, earlier }, commit) {
	const found = /* @__PURE__ */ new Map();
	if (earlier !== void 0 || commit === null || commit.hashes.size === 0) return found;
	const isStored = blobsStored(ctx, commit.hashes.size);
	for (const unit of record.units) {
		const stamp = record.stamps.get(unit.i);
		if (stamp === void 0 || record.done.get(unit.i) !== "" || !isImage(unit)) continue;
		const { path, result, reverts = [] } = unit;
		const [id, hash] = [result[0]?.id ?? null, commit.hashes.get(reverts[0] ?? -1)];
		if (id === null || hash === void 0 || !isUntouched(commit, reverts[0] ?? -1, id)) continue;
		const { sha256, blob } = hash;
		if (blob && !isStored(sha256)) continue;
		const base = {
			state: "known",
			host: hostStatOf(id, stamp),
			sha256,
			blob
		};
		found.set(path, {
			path,
			base,
			listed: false
		});
	}
	return found;
}
var isImage = (unit) => unit.kind === "put" && unit.stage === "before";
function isUntouched({ unitOf, endedAt }, i, id) {
	const unit = unitOf.get(i);
	const host = unit === void 0 ? null : hostOf(unit);
	return endedAt !== null && host !== null && isRenamedBy(endedAt, host, id);
}
function indexesIn(port, record) {
	const indexes = {};
	if (!record.begin.reversible) return {};
	for (const unit of record.units) {
		const { i } = unit;
		if (!record.done.has(i)) continue;
		if (unit.kind === "move-to-host" && !unit.tree.text.includes("/index//")) continue;
		for (const { path, id } of resultOf(unit)) {
			if (id === null || nameOf$1(path) !== "index") continue;
			const now = orNull(() => port.lstat(path));
			if (now === null || !isAsLeft(id, now, null, stampOf(record, i, path, id))) continue;
			const digest = digestNow(path, now);
			if (digest !== null) indexes[path] = digest;
		}
	}
	return Object.keys(indexes).length === 0 ? {} : { indexes };
}
function digestNow(path, now) {
	const entry = orNull(() => lstatEntry(path));
	if (entry === null || entry.ino !== now.ino || entry.ctimeNs !== now.ctimeNs) return null;
	return orNull(() => indexDigest(path, identityOf$1(entry)));
}
async function rebaseResults(task, paths, hiding, undone = null) {
	const { port, ctx, earlier } = task;
	const { record } = task.journal;
	const file = readBaseFile(ctx);
	const restored = restoredBases(task, undone);
	const entries = [...findUnseen(port, record, await rebase(ctx, restored.size === 0 ? paths : paths.filter((path) => !restored.has(path)), hiding, file), earlier)].map(([path, base]) => [path, {
		listed: false,
		...file.records.get(path),
		path,
		base
	}]);
	appendBases(ctx, file, [...restored, ...entries]);
}
function findUnseen(port, record, based, earlier) {
	const unseen = /* @__PURE__ */ new Map();
	const dressed = [];
	for (const unit of record.units) {
		if (!record.done.has(unit.i)) continue;
		const until = earlier?.done.has(unit.i) === true ? earlier.until : null;
		const nothing = entriesOf(unit).map(({ path }) => ({
			path,
			id: null
		}));
		const left = new Map([...nothing, ...resultOf(unit)].map(({ path, id }) => [path, id]));
		for (const [path, id] of left) {
			const now = based.get(path);
			if (now === void 0) continue;
			if (isAsLeft(id, now, until, stampOf(record, unit.i, path, id))) unseen.delete(path);
			else unseen.set(path, { state: id === null ? "absent" : "unknown" });
		}
		if (unit.kind === "meta" && unit.xattrs !== void 0 && based.has(unit.path)) dressed.push(unit);
	}
	const texts = port.xattrsOf(dressed.map(({ path }) => path));
	dressed.forEach(({ path, xattrs }, i) => {
		if (texts[i] !== xattrs?.to && !unseen.has(path)) unseen.set(path, { state: "unknown" });
	});
	return unseen;
}
function* forgiveSame(ctx, changes, bases) {
	const same = [];
	for (const change of changes) {
		const base = change.conflict === "host-changed" ? bases.lookup(change.path) : null;
		if (base === null || !looksSame(change, base)) continue;
		yield null;
		if (saysSame(change, base)) same.push(change);
	}
	const texts = xattrsOf(same.flatMap(({ path }) => [path, upperPathIn(ctx.coveredDirs, path) ?? path]));
	same.forEach((change, i) => {
		if (texts[2 * i] === "" && texts[2 * i + 1] === "" || change.host?.type === "symlink") change.conflict = null;
	});
}
function saysSame({ path, hostIdentity }, { host, sha256, index }) {
	if (host.type === "symlink") return true;
	if (index !== void 0) return indexDigest(path, hostIdentity) === index;
	return hashSame(path, hostIdentity) === sha256;
}
function looksSame({ pending, host, hostLinks }, base) {
	if (base.state !== "known") return false;
	const { type, mode, uid, gid, size, nlink, target } = base.host;
	if (pending?.type !== host?.type || host?.type !== type) return false;
	if (!(type === "symlink" ? target !== void 0 && host.target === target : type === "file") || type === "file" && base.sha256 === void 0 && base.index === void 0) return false;
	if (nlink !== 1 || hostLinks !== void 0) return false;
	const sameMode = type === "symlink" || host.mode === mode;
	const sameSize = host.size === size || base.index !== void 0;
	return sameMode && host.uid === uid && host.gid === gid && sameSize;
}
function databaseFiles(path) {
	const base = path.replace(SQLITE, "");
	return [
		base,
		`${base}-wal`,
		`${base}-journal`
	];
}
function findMovedPartners(ctx, changes) {
	const names = /* @__PURE__ */ new Map();
	let listed = null;
	const clocks = new HostClocks(ctx);
	for (const change of changes) {
		if (change.conflict !== null || change.pending?.type === "dir") continue;
		if (change.host === null && !SQLITE.test(change.path)) continue;
		const dir = parentOf$1(change.path);
		const inDir = names.get(dir) ?? new Set(namesOrNone(dir));
		names.set(dir, inDir);
		const partners = databaseFiles(change.path).filter((path) => path !== change.path && inDir.has(nameOf$1(path)));
		if (partners.length === 0) continue;
		const since = birthOf(ctx, change.path) - clocks.lag(change.path);
		listed ??= new Set(changes.map(({ path }) => path));
		if (partners.filter((path) => listed?.has(path) === false).some((path) => (lstatEntry(path)?.ctimeNs ?? 0n) >= since)) change.conflict = "host-changed";
	}
}
function partnersOf(path) {
	return [...databaseFiles(path), `${path.replace(SQLITE, "")}-shm`].filter((other) => other !== path && lstatOrNone(other) !== null);
}
function birthOf(ctx, path) {
	const upper = upperPathIn(ctx.coveredDirs, path);
	return (upper === null ? null : lstatEntry(upper))?.birthNs ?? 0n;
}
var ALIKE_MAX = 16;
function* findRenames(ctx, changes) {
	const candidates = candidatesIn(ctx, changes);
	if (candidates.length === 0) return;
	const copies = areCopies(candidates.map(({ upper }) => upper));
	const claims = /* @__PURE__ */ new Map();
	for (const candidate of candidates.filter((_, i) => copies[i])) {
		yield null;
		const equal = [];
		for (const from of candidate.from) if (yield* sameFile(candidate, from)) equal.push(from);
		const [only] = equal;
		if (only === void 0 || equal.length > 1) continue;
		claims.set(only, [...claims.get(only) ?? [], candidate]);
	}
	for (const [from, claimed] of claims) {
		const [only] = claimed;
		if (only !== void 0 && claimed.length === 1) only.to.renamedFrom = from.path;
	}
}
function candidatesIn(ctx, changes) {
	const deleted = /* @__PURE__ */ new Map();
	for (const change of changes) {
		if (change.kind !== "deleted" || change.host?.type !== "file") continue;
		const key = sizeAndTime(change.hostIdentity);
		const alike = deleted.get(key);
		if (alike === void 0) deleted.set(key, [change]);
		else alike.push(change);
	}
	if (deleted.size === 0) return [];
	return changes.flatMap((to) => {
		if (to.kind !== "added" || to.pending?.type !== "file") return [];
		const from = deleted.get(sizeAndTime(to.upperIdentity));
		if (from === void 0 || from.length > ALIKE_MAX) return [];
		const upper = upperPathIn(ctx.coveredDirs, to.path);
		return upper === null ? [] : [{
			to,
			upper,
			from
		}];
	});
}
function sizeAndTime(identity) {
	const fields = identityFields(identity);
	return `${fields?.size}.${fields?.mtimeNs}`;
}
function* sameFile({ to, upper }, from) {
	try {
		const [old, now] = [entryOf(from.path, from.hostIdentity), entryOf(upper, to.upperIdentity)];
		return old !== null && now !== null && (yield* sameContent(from.path, old, upper, now));
	} catch {
		return false;
	}
}
function entryOf(path, identity) {
	const entry = lstatEntry(path);
	return entry !== null && lookIdentity(entry) === identity ? entry : null;
}
function revertedOverrides({ units, undone }) {
	return units.flatMap(({ i, overrides }) => undone.has(i) ? overrides ?? [] : []).map(({ path }) => path);
}
function noteBeside(journal, commit) {
	const paths = [...new Set(revertedOverrides(commit).flatMap(partnersOf))];
	if (paths.length > 0) journal.add({
		t: "beside",
		paths
	});
}
async function advance(task) {
	const { ctx, journal } = task;
	const { report: applied, stopped } = await applyAll(task);
	const report = {
		...applied,
		copies: !ctx.quiet
	};
	if (stopped) return report;
	const { undoes } = journal.record.begin;
	try {
		return undoes === void 0 ? await closeCommit(task, report) : await closeUndo(task, report, undoes);
	} catch (error) {
		if (errorCode(error) === "") throw error;
		const why = messageOf(error);
		return partial(task, report, undoes === void 0 ? cleaningStopped(why) : pendingAgainStopped(why));
	}
}
function partial({ ctx }, report, message) {
	return {
		...report,
		state: "partial",
		failed: [...report.failed, {
			path: ctx.projectRoot,
			message
		}]
	};
}
async function closeCommit(task, report) {
	const { port, ctx, journal } = task;
	if (!ctx.quiet) forgetMoved(port, ctx, journal.record);
	const stay = ctx.quiet ? await cleanUppers({
		port,
		ctx,
		journal
	}, task.settled === true) : copiedPaths(journal.record);
	if (stay.length > 0) await rebaseResults(task, stay);
	const end = {
		t: "end",
		report,
		at: endTime(),
		...indexesIn(port, journal.record)
	};
	journal.addSynced(end, ...ctx.quiet ? [{ t: "dropped" }] : []);
	return report;
}
async function cleanUppers(transaction, settled) {
	const { ctx, journal } = transaction;
	const bases = readBaseFile(ctx);
	const of = hashesIn(journal.record, bases.records);
	if (of.length > 0) journal.add({
		t: "hashes",
		of
	});
	journal.flush();
	return (await dropRecord(transaction, {
		bases,
		settled
	})).stay;
}
function copiedPaths({ units, done }) {
	return units.filter(({ i, kind }) => done.has(i) && kind !== "move-to-host").flatMap(entriesOf).map(({ path }) => path);
}
function abort(transaction) {
	const { port, journal } = transaction;
	if (journal.record.begin.discards !== void 0) return abortDiscard(transaction);
	useAndClose(hostDirs(transaction), (dirs) => {
		removeStages(port, dirs, journal);
		restoreModes(port, dirs, journal);
	});
	for (const name of [BEFORE, BACK]) removePath(port, journal.dir, name);
	journal.addSynced({
		t: "end",
		report: null
	});
	return 0;
}
function abortDiscard(transaction) {
	const { port, journal } = transaction;
	const { begin, reopened } = journal.record;
	if (begin.discards?.live === true && reopened === null) {
		removePath(port, parentOf$1(journal.dir), nameOf$1(journal.dir));
		return 0;
	}
	const left = restoreEntries(transaction);
	journal.addSynced(left > 0 ? { t: "discarded" } : {
		t: "end",
		report: null
	});
	if (left === 0 && reopened === null) removePath(port, parentOf$1(journal.dir), nameOf$1(journal.dir));
	return left;
}
async function closeUndo(task, report, of) {
	const { ctx, journal } = task;
	if (!ctx.quiet && !isPendingAlready(task)) return partial(task, report, PENDING_WHEN_QUIET);
	noteInPlace(task);
	const kept = ctx.quiet ? await insertPending(task, task.earlier !== void 0) : keptBeside(task);
	await closeRecords(task, of, kept);
	journal.sync();
	if (kept.length === 0) removePath(task.port, journal.dir, BACK);
	const told = withKept(report, kept);
	journal.addSynced({
		t: "end",
		report: told,
		at: endTime()
	}, { t: "dropped" });
	return told;
}
function withKept(report, kept) {
	const failed = kept.filter(({ later }) => later !== true).map(({ path, at }) => ({
		path,
		message: sessionHasOther(at)
	}));
	const beside = kept.filter(({ later }) => later === true).map(({ path, at }) => ({
		path,
		at
	}));
	return {
		...report,
		...failed.length === 0 ? {} : {
			state: "partial",
			failed: [...report.failed, ...failed]
		},
		...beside.length === 0 ? {} : { beside }
	};
}
function noteInPlace(task) {
	const { port, journal } = task;
	const { failed, unitOf } = journal.record;
	if (failed.size === 0) return;
	useAndClose(hostDirs(task), (dirs) => {
		for (const [i, note] of failed) {
			const unit = unitOf.get(i);
			if (unit !== void 0 && isInPlace(port, dirs, unit)) journal.add({
				t: "done",
				i,
				note
			});
		}
	});
}
async function closeRecords(task, of, kept) {
	const { port, ctx, journal } = task;
	const { record } = journal;
	const commit = markUndone(task, of);
	await useAndCloseAsync(new Uppers(port, ctx, null), async (uppers) => {
		const trees = record.units.filter((unit) => unit.kind === "move-to-store").filter(({ i, path, born }) => record.done.get(i) === "" && isStillOurs(born, uppers.lstat(path)));
		const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
		const paths = touchedPaths(record).filter((path) => !whole.has(path));
		const reverted = revertedPaths(record, commit).filter((path) => !whole.has(path));
		const all = /* @__PURE__ */ new Set([
			...paths,
			...reverted,
			...trees.map(({ path }) => path)
		]);
		const found = await uppers.lstatEach([...all], new Pace());
		const hiding = paths.filter((path) => {
			const upper = found.get(path);
			return upper !== void 0 && upper.type !== "dir";
		});
		await rebaseResults(task, paths, new Set(hiding), commit);
		baseOnNothing(ctx, whole);
		if (commit !== null) restoreBases(ctx, commit, /* @__PURE__ */ new Set([...paths, ...whole]));
		if (commit !== null) noteBeside(journal, commit);
		const deleted = deletedPaths(record, commit);
		const others = new Set(kept.map(({ path }) => path));
		const entries = [...all].sort().flatMap((path) => {
			const stat = found.get(path);
			if (stat !== void 0 && deleted.has(path) && !isWhiteout(stat) || others.has(path) || isBelowAny(path, others)) return [];
			return [{
				path,
				id: stat === void 0 ? null : identityOf$2(stat)
			}];
		});
		journal.add({
			t: "same",
			entries,
			...trees.length > 0 ? { trees: trees.map(({ i }) => i) } : {}
		});
	});
}
function baseOnNothing(ctx, paths) {
	if (paths.size === 0) return;
	const base = { state: "absent" };
	const entries = [...paths].map((path) => [path, {
		path,
		base,
		listed: false
	}]);
	appendBases(ctx, readBaseFile(ctx), entries);
}
function touchedPaths({ units, done }) {
	const paths = units.filter(({ i }) => done.has(i)).flatMap((unit) => [unit.path, ...resultOf(unit).map(({ path }) => path)]);
	return [...new Set(paths)].sort();
}
function revertedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	return (commit?.units.filter(({ i }) => reverted.has(i)) ?? []).flatMap(entriesOf).map(({ path }) => path);
}
function deletedPaths(undo, commit) {
	const reverted = revertedUnits(undo, true);
	const units = commit?.units.filter(({ i, kind }) => reverted.has(i) && kind === "delete") ?? [];
	return new Set(units.map(({ path }) => path));
}
function revertedUnits({ units, done }, isDone) {
	return new Set(units.filter(({ i }) => done.has(i) === isDone).flatMap(({ reverts }) => reverts ?? []));
}
function markUndone({ port, ctx, journal: { record: undo }, commit }, of) {
	const dirOf = commitDir(ctx, of);
	const journal = commit === void 0 ? openJournal(port, dirOf) : new Journal(port, dirOf, commit);
	if (journal === null) return null;
	const { record, dir } = journal;
	const open = revertedUnits(undo, false);
	const refused = new Set(undo.refused.map(({ path }) => path));
	const isRefused = (i) => refused.has(record.unitOf.get(i)?.path ?? "/");
	const units = [...revertedUnits(undo, true)].filter((i) => !open.has(i) && !isRefused(i));
	useAndClose(journal, () => journal.addSynced({
		t: "undone",
		by: undo.n,
		units
	}));
	if (record.standing().length === 0) removePath(port, dir, BEFORE);
	else if (port.lstat(joinPath(dir, "before")) !== null) withHandle(port, port.openDir(joinPath(dir, BEFORE)), (fd) => {
		for (const i of units) removeTree(port, fd, imageName(i));
	});
	return record;
}
function repairLink(session, port = nodePort) {
	const at = (name) => joinPath(fromText(session.sessionDir), name);
	const has = (name) => port.lstat(at(name)) !== null;
	if (!has("overlay") && has("overlay.new")) port.rename(at("overlay.new"), at("overlay"));
	const open = has("overlay") ? openDiscard(session, port) : null;
	if (open?.kind !== "all") return null;
	const outcome = inJournal(port, open, (journal) => closeWhole(port, session, journal));
	return outcome === null ? null : {
		discard: open,
		outcome
	};
}
function repairOverlay(session, port = nodePort) {
	const repaired = repairLink(session, port);
	const open = openDiscard(session, port);
	if (open === null) return repaired;
	if (isForward(open)) return {
		discard: open,
		outcome: inJournal(port, open, (journal) => {
			finishStored({
				port,
				ctx: session,
				journal
			}, true);
			return closeStored({
				port,
				ctx: session,
				journal
			});
		}) > 0 ? "discarded" : "rolled-back"
	};
	const left = inJournal(port, open, (journal) => abort({
		port,
		ctx: session,
		journal
	}));
	const outcome = open.record.reopened === null ? "rolled-back" : "undone";
	return {
		discard: open,
		outcome: left > 0 ? "left" : outcome
	};
}
function isForward({ record: { phase } }) {
	return phase === "ready" || phase === "applying";
}
function openDiscard(session, port = nodePort) {
	for (const name of trashNames(port, session)) {
		if (readClosed(joinPath(trashDir(session), name)) !== null) continue;
		const discard = readDiscard(port, session, name);
		if (discard !== null && discard.record.phase !== "closed") return discard;
	}
	return null;
}
function needsRepair(session) {
	if (openDiscard(session) !== null) return true;
	const has = (name) => nodePort.lstat(joinPath(fromText(session.sessionDir), name)) !== null;
	return has("overlay.new") && !has("overlay");
}
function closeWhole(port, session, journal) {
	const { dir, record } = journal;
	const has = (name) => port.lstat(joinPath(dir, name)) !== null;
	const own = overlayOf(port, session);
	const isOwn = (name) => port.readlink(joinPath(dir, name)) === own;
	if (record.reopened !== null) {
		const happened = !has("overlay") || isOwn("overlay");
		for (const name of ["overlay", record.reopened.aside ?? ""]) if (has(name) && isOwn(name)) port.unlink(joinPath(dir, name));
		const tagged = joinPath(fromText(session.sessionDir), `overlay/${TAG}`);
		if (port.lstat(tagged) !== null) port.unlink(tagged);
		journal.addSynced(happened ? {
			t: "end",
			report: null
		} : { t: "discarded" });
		return happened ? "undone" : "rolled-back";
	}
	const link = ["overlay", "replaced"].find(has);
	const happened = link !== void 0 && !isOwn(link);
	if (happened) {
		tag(port, joinPath(dir, link));
		journal.addSynced(link === "overlay" ? { t: "discarded" } : {
			t: "end",
			report: null
		});
	} else {
		if (link !== void 0) port.unlink(joinPath(dir, link));
		removePath(port, parentOf$1(dir), nameOf$1(dir));
	}
	if (link !== "overlay") return null;
	return happened ? "discarded" : "rolled-back";
}
function inJournal(port, { dir }, work) {
	const journal = openJournal(port, dir);
	if (journal === null) throw new RangeError("expected the journal of a discard");
	return useAndClose(journal, work);
}
async function logAdoption(to, record, port = nodePort) {
	const path = noteIn(to.sessionDir);
	const text = port.readText(path);
	if (text === null) return;
	const note = JSON.parse(text);
	if (note.to === to.session) await record(to.stateDir, note);
	port.unlink(path);
}
function adoptionWaits(sessionDir) {
	return nodePort.lstat(noteIn(sessionDir)) !== null;
}
function noteIn(sessionDir) {
	return joinPath(fromText(sessionDir), "overlay/.adopting");
}
var BYTES = 65536;
var BYTES_PER_PLACE = 16384;
function freeReserve(sessionDir) {
	const file = joinPath(fromText(sessionDir), "reserve");
	if (nodePort.lstat(file) !== null) nodePort.unlink(file);
}
function keepReserve(session) {
	const file = joinPath(fromText(session.sessionDir), "reserve");
	const wanted = BYTES + BYTES_PER_PLACE * session.coveredDirs.length;
	orNull(() => {
		const missing = wanted - (nodePort.lstat(file)?.size ?? 0);
		if (missing <= 0) return;
		const text = randomBytes(Math.ceil(missing * 3 / 4)).toString("base64");
		withHandle(nodePort, nodePort.openAppend(file), (fd) => nodePort.append(fd, text));
	});
}
var MovedOn = class extends TraiError {
	constructor() {
		super("stale-revision", "the session has adopted the changes of another one since", { hint: "Review them, then repeat." });
	}
};
var UNTIL_QUIET = "Wait until they are done, or end them.";
var UNTIL_CLIENT_ENDS = "Claude Code itself runs in this session (trai claude): end it first. What is pending stays.";
function isLive(processes, hint, session = "this session") {
	const [first] = processes;
	const count = countText(processes.length, "process", "processes");
	return new TraiError("live", `${session} ${first === void 0 ? "is busy" : `is live, with ${count} running: ${first.command}`}`, {
		hint,
		paths: processes.map(({ pid, command }) => `${pid} ${command}`),
		data: { processes: processes.length }
	});
}
async function finishCommit(ctx, { port = nodePort, onProgress } = {}) {
	try {
		return await withOpen({
			port,
			ctx,
			onProgress
		}, advance);
	} catch (error) {
		throw asTraiError$1(error);
	}
}
async function withOpen({ port, ctx, onProgress }, forward) {
	const startedAt = performance.now();
	const n = unfinishedCommit(ctx, port);
	if (n === null) return null;
	const dir = commitDir(ctx, n);
	const written = port.lstat(joinPath(dir, "journal.jsonl"))?.mtimeNs ?? 0n;
	const journal = openJournal(port, dir);
	if (journal === null) return null;
	return await useAndCloseAsync(journal, async () => {
		if (journal.record.phase === "staging") {
			abort({
				port,
				ctx,
				journal
			});
			return null;
		}
		const earlier = {
			done: new Set(journal.record.done.keys()),
			until: Number(written / 1000000n) + 1
		};
		const task = {
			port,
			ctx,
			journal,
			earlier,
			onProgress,
			startedAt,
			unfinished: /* @__PURE__ */ new Map()
		};
		return await keepPerl(async () => await forward(task));
	});
}
var REMEMBERED = 1e4;
var seenAs = /* @__PURE__ */ new Map();
function numberOf(at) {
	const fd = orNull(() => nodePort.openEntry(at));
	if (fd === null) return null;
	const inode = withHandle(nodePort, fd, () => inodeIn(processText("self", `fdinfo/${fd}`) ?? ""));
	return inode === null ? null : String(inode);
}
function remember(upper, number) {
	const key = `${upper.dev}:${upper.ino}:${upper.birthNs}`;
	const numbers = seenAs.get(key) ?? /* @__PURE__ */ new Set([String(upper.ino)]);
	if (number !== null) numbers.add(number);
	if (seenAs.size >= REMEMBERED) seenAs.clear();
	seenAs.set(key, numbers);
	return numbers;
}
function marksOf({ at, upper }) {
	const number = numberOf(at);
	const entry = number === null ? null : lstatEntry(upper);
	return entry === null ? null : {
		numbers: remember(entry, number),
		times: timesOf$1(entry)
	};
}
function heldBy(pids) {
	const marks = /* @__PURE__ */ new Set();
	let byNumber = false;
	for (const pid of pids) for (const { ino, fd, writes } of openFiles(pid)) {
		if (!writes) continue;
		marks.add(String(ino));
		const stat = fd === null ? null : statOf(`/proc/${pid}/fd/${fd}`);
		if (stat === null) byNumber = true;
		else marks.add(timesOf$1({
			birthNs: stat.birthtimeNs,
			ctimeNs: stat.ctimeNs
		}));
	}
	return {
		marks,
		byNumber
	};
}
function isMarked({ marks }, file) {
	return file === null || marks.has(file.times) || [...file.numbers].some((number) => marks.has(number));
}
function isHeldOpen({ marks, byNumber }, at, upper) {
	if (marks.has(String(upper.ino)) || marks.has(timesOf$1(upper))) return true;
	const number = byNumber ? numberOf(at) : "";
	return number === null || marks.has(number);
}
function timesOf$1({ birthNs, ctimeNs }) {
	return `${birthNs} ${ctimeNs}`;
}
var BUSY = /* @__PURE__ */ new Set(["R", "D"]);
function momentOf(pids) {
	return new Map([...tasks(pids)].filter(([, { state }]) => BUSY.has(state)));
}
function allPassed(pids, since) {
	if (since.size === 0) return true;
	const now = tasks(pids);
	return [...since].every(([key, then]) => {
		const task = now.get(key);
		return task === void 0 || !BUSY.has(task.state) || task.user !== then.user;
	});
}
function tasks(pids) {
	const found = /* @__PURE__ */ new Map();
	for (const pid of pids) for (const tid of namesIn$4(`/proc/${pid}/task`)) {
		const stat = processStat(pid, `task/${tid}/stat`);
		if (stat !== null) found.set(`${tid} ${stat.start}`, stat);
	}
	return found;
}
function lookAtTree(top, held) {
	const hash = createHash("sha256");
	const look = {
		seal: null,
		isHeld: false,
		ctimeNs: 0n
	};
	const missing = /* @__PURE__ */ new Map();
	const add = (tree, name, entry) => {
		const { type, mode, uid, gid, size, ino, mtimeNs, ctimeNs, nlink } = entry;
		if (ctimeNs > look.ctimeNs) look.ctimeNs = ctimeNs;
		hash.update(`${name}\0${type} ${mode} ${uid} ${gid} ${size} ${ino} ${mtimeNs} `, "latin1");
		if (tree !== top) hash.update(`${ctimeNs} `);
		if (type === "dir") return addDir(tree);
		if (type !== "file" && type !== "symlink") return false;
		if (nlink > 1) missing.set(ino, (missing.get(ino) ?? nlink) - 1);
		look.isHeld ||= type === "file" && isHeldOpen(held, tree.at, entry);
		return true;
	};
	const addDir = (tree) => {
		if (holdsOutOfReach(tree.upper)) return false;
		const names = readNames(tree.upper);
		hash.update(`${names.length}\n`);
		return names.every((name) => {
			const child = {
				at: joinPath(tree.at, name),
				upper: joinPath(tree.upper, name)
			};
			const entry = lstatEntry(child.upper);
			return entry !== null && add(child, name, entry);
		});
	};
	const entry = lstatEntry(top.upper);
	if (entry?.type === "dir" && orIfRefused(() => add(top, "", entry), false) && [...missing.values()].every((names) => names === 0)) look.seal = hash.digest("hex");
	return look;
}
function dirsOfMounts(pids) {
	const mounts = mountsOf(pids);
	const covered = /* @__PURE__ */ new Map();
	for (const { source, device, root, point } of mounts) if (root === "/" && source.startsWith("trai:")) covered.set(device, (covered.get(device) ?? /* @__PURE__ */ new Set()).add(point));
	const dirs = /* @__PURE__ */ new Set();
	for (const { device, root, point } of mounts) {
		const shown = root !== "/" && !root.endsWith("//deleted") ? [...covered.get(device) ?? []].map((top) => `${top}${root}`) : [];
		for (const path of [point, ...shown]) for (let at = path; at !== "/"; at = parentOf$1(at)) dirs.add(at);
	}
	return dirs;
}
function mountsOf(pids) {
	const tables = /* @__PURE__ */ new Map();
	for (const pid of pids) {
		const table = `${processLink(pid, "ns/mnt") ?? pid} ${processLink(pid, "root")}`;
		const text = tables.has(table) ? null : processText(pid, "mountinfo");
		if (text !== null) tables.set(table, text);
	}
	return [...tables.values()].flatMap(parseMountinfo);
}
function printOf(path) {
	const entry = lstatEntry(path);
	if (entry?.type === "symlink") return `link ${readTarget(path)}`;
	if (entry?.type === "file" && entry.size > 67108864) return `large ${entry.size} ${entry.mtimeNs}`;
	return entry?.type === "file" ? hashSame(path, identityOf$1(entry)) : null;
}
function keptName(print, mtimeNs) {
	return `${KEPT}${randomBytes(4).toString("hex")}-${sealOf(print, mtimeNs)}`;
}
function clearKept(dir, pids) {
	const cleared = {
		saved: [],
		waiting: 0
	};
	const orWait = (work) => {
		if (orIfRefused(work, "refused") === "refused") cleared.waiting++;
	};
	const names = nodePort.readdir(dir.upper).filter((name) => name !== "in");
	const kept = names.filter((name) => !name.startsWith(GONE$1));
	const gone = names.filter((name) => name.startsWith(GONE$1));
	const mounted = mountedIn(dir, gone, pids);
	for (const name of gone) if (mounted.has(name)) cleared.waiting++;
	else orWait(() => removePath(nodePort, dir.own, name));
	const since = momentsOf(dir, kept, pids);
	const isDue = (name) => isOld$1(dir, name) && allPassed(pids, since.get(name) ?? /* @__PURE__ */ new Map());
	const due = kept.filter((name) => pids.length === 0 || isDue(name));
	cleared.waiting += kept.length - due.length;
	const look = looker(dir, due, pids);
	for (const name of due) orWait(() => {
		const { isInUse, isSealed } = look(name);
		if (pids.length > 0 && isInUse) cleared.waiting++;
		else if (isSealed()) removeKept(dir, name);
		else cleared.saved.push(makeVisible(dir, name));
	});
	return cleared;
}
function looker(dir, names, pids) {
	const trees = new Set(names.filter((name) => isTree(dir, name)));
	const marks = new Map(names.flatMap((name) => trees.has(name) ? [] : [[name, marksOf(spotOf(dir, name))]]));
	const held = heldBy(names.length === 0 ? [] : pids);
	const used = /* @__PURE__ */ new Set([...usedTrees(dir, trees, pids), ...mountedIn(dir, [...trees], pids)]);
	return (name) => {
		if (!trees.has(name)) return {
			isInUse: isMarked(held, marks.get(name) ?? null),
			isSealed: () => isAsNamed(dir, name)
		};
		const { seal, isHeld } = lookAtTree(spotOf(dir, name), held);
		return {
			isInUse: isHeld || used.has(name),
			isSealed: () => isNamedAfter(name, seal, 0n)
		};
	};
}
function usedTrees({ path }, trees, pids) {
	const users = usersBelow(pids.map((pid) => ({ pid })), new Set([...trees].map((name) => joinPath(path, name))));
	return new Set(users.map(({ top }) => nameOf$1(top)));
}
function mountedIn({ path }, names, pids) {
	const dirs = names.length === 0 ? /* @__PURE__ */ new Set() : dirsOfMounts(pids);
	return new Set(names.filter((name) => dirs.has(joinPath(path, name))));
}
function isTree({ upper }, name) {
	return lstatEntry(joinPath(upper, name))?.type === "dir";
}
var moments = /* @__PURE__ */ new Map();
function momentsOf({ upper }, names, pids) {
	const before = moments.get(upper);
	const fresh = names.every((name) => before?.has(name)) ? /* @__PURE__ */ new Map() : momentOf(pids);
	const now = new Map(names.map((name) => [name, before?.get(name) ?? fresh]));
	if (now.size === 0) moments.delete(upper);
	else moments.set(upper, now);
	return now;
}
function clearQuiet(ctx) {
	return presentReplayDirs(ctx).flatMap((path) => {
		const covered = coveringDir(ctx.coveredDirs, path);
		if (covered === null) return [];
		const own = upperPath(covered, path);
		const dir = savedIn(ctx.projectRoot, path);
		removePath(nodePort, own, "in");
		const { saved, waiting } = clearKept({
			path,
			own,
			upper: own,
			saved: upperPath(covered, dir)
		}, []);
		if (waiting === 0) nodePort.rmdir(own);
		return saved.map((name) => joinPath(dir, name));
	});
}
function spotOf(dir, name) {
	return {
		at: joinPath(dir.own, name),
		upper: joinPath(dir.upper, name)
	};
}
function isOld$1({ upper }, name) {
	const entry = lstatEntry(joinPath(upper, name));
	return entry !== null && Date.now() - Number(entry.ctimeNs / 1000000n) > 2e3;
}
function isAsNamed({ upper }, name) {
	const path = joinPath(upper, name);
	const [entry, print] = [lstatEntry(path), printOf(path)];
	return entry !== null && isNamedAfter(name, print, entry.mtimeNs);
}
function isNamedAfter(name, print, mtimeNs) {
	return print !== null && name.endsWith(`-${sealOf(print, mtimeNs)}`);
}
function removeKept(dir, name) {
	const from = joinPath(dir.own, name);
	const gone = `${GONE$1}${name}`;
	if (isTree(dir, name)) {
		nodePort.rename(from, joinPath(dir.own, gone));
		removePath(nodePort, dir.own, gone);
	} else nodePort.unlink(from);
}
function sealOf(print, mtimeNs) {
	return createHash("sha256").update(`${print} ${mtimeNs}`, "latin1").digest("hex").slice(0, 32);
}
function makeVisible({ own, saved }, name) {
	const visible = (n) => `trai-kept-${n + 1}`;
	return visible(moveToFree(joinPath(own, name), (n) => joinPath(saved, visible(n))));
}
function moveToFree(from, named) {
	const isDir = nodePort.lstat(from)?.type === "dir";
	for (let n = 0;; n++) {
		const to = named(n);
		const isTaken = () => nodePort.lstat(to) !== null;
		if (isDir && isTaken()) continue;
		try {
			if (isDir) nodePort.rename(from, to);
			else {
				nodePort.link(from, to);
				nodePort.unlink(from);
			}
			return n;
		} catch (error) {
			if (errorCode(error) !== "EEXIST" && !(isDir && isTaken())) throw error;
		}
	}
}
var HeldDirs = class {
	#covered;
	#inside;
	#fds = /* @__PURE__ */ new Map();
	constructor(covered, inside) {
		this.#covered = covered;
		this.#inside = inside;
	}
	open(path) {
		if (path === this.#covered.path) return this.#inside.fd;
		const known = this.#fds.get(path);
		if (known !== void 0) return known;
		const parent = path.length > this.#covered.path.length ? this.open(parentOf$1(path)) : null;
		const opened = parent === null ? null : orNull(() => nodePort.openDir(at$1(parent, nameOf$1(path))));
		const isHere = opened !== null && orNull(() => nodePort.fstat(opened).dev) === this.#inside.dev;
		if (opened !== null && !isHere) nodePort.close(opened);
		const fd = isHere ? opened : null;
		this.#fds.set(path, fd);
		return fd;
	}
	close(isKept = () => false) {
		for (const [path, fd] of this.#fds) {
			if (isKept(path)) continue;
			if (fd !== null) nodePort.close(fd);
			this.#fds.delete(path);
		}
	}
};
var Room = class Room {
	covered;
	inside;
	incoming;
	parent;
	#path;
	#own;
	#saved;
	#dirs;
	#before;
	#earlier = null;
	#count = 0;
	constructor(covered, inside, saved, { path, own, incoming }, dirs) {
		this.covered = covered;
		this.inside = inside;
		this.incoming = incoming;
		this.parent = parentOf$1(path);
		this.#path = path;
		this.#own = own;
		this.#saved = saved;
		this.#dirs = dirs;
		this.#before = namesOrNone(upperPath(covered, path));
	}
	static open(ctx, covered, inside, paths = []) {
		for (const path of replayDirsOf(ctx, covered, paths)) {
			const dirs = new HeldDirs(covered, inside);
			const saved = savedIn(ctx.projectRoot, path);
			const parent = dirs.open(parentOf$1(path));
			if (parent !== null && dirs.open(saved) !== null && makeDirs(ctx, path, parent)) {
				const [own, incoming] = [dirs.open(path), dirs.open(joinPath(path, "in"))];
				if (own !== null && incoming !== null) return new Room(covered, inside, saved, {
					path,
					own,
					incoming
				}, dirs);
			}
			dirs.close();
		}
		return null;
	}
	spot(path) {
		const dir = this.#dirs.open(parentOf$1(path));
		return dir === null ? null : {
			path,
			at: at$1(dir, nameOf$1(path)),
			upper: upperPath(this.covered, path)
		};
	}
	letGo() {
		this.#dirs.close((path) => isWithin(path, this.#path) || isWithin(this.#path, path));
	}
	earlierNamesOf({ ino }) {
		this.#earlier ??= this.#namesBefore();
		return this.#earlier.get(ino) ?? 0;
	}
	#namesBefore() {
		const names = /* @__PURE__ */ new Map();
		for (const name of this.#before) {
			const ino = lstatEntry(joinPath(upperPath(this.covered, this.#path), name))?.ino ?? 0n;
			names.set(ino, (names.get(ino) ?? 0) + 1);
		}
		return names;
	}
	fresh() {
		return this.named(`${KEPT}${process.pid}-${++this.#count}-${randomBytes(4).toString("hex")}`);
	}
	named(name) {
		const path = joinPath(this.#path, name);
		return {
			path,
			at: at$1(this.#own, name),
			upper: upperPath(this.covered, path)
		};
	}
	mark() {
		return this.copied(`mark-${randomBytes(4).toString("hex")}`);
	}
	copied(name) {
		return this.named(joinPath("in", name));
	}
	clear(pids) {
		const saved = this.#dirs.open(this.#saved);
		if (saved === null) return {
			saved: [],
			waiting: 0
		};
		const upper = upperPath(this.covered, this.#path);
		const cleared = clearKept({
			path: this.#path,
			own: at$1(this.#own),
			upper,
			saved: at$1(saved)
		}, pids);
		return {
			...cleared,
			saved: cleared.saved.map((name) => joinPath(this.#saved, name))
		};
	}
	takeKept(dir) {
		const [fd, parent] = [this.#dirs.open(dir), this.#dirs.open(parentOf$1(dir))];
		if (fd === null || parent === null) return;
		removeTree(nodePort, fd, "in");
		for (const name of nodePort.readdir(at$1(fd))) nodePort.rename(at$1(fd, name), this.named(name).at);
		nodePort.rmdir(at$1(parent, REPLAY_NAME));
	}
	close() {
		const parent = this.#dirs.open(this.parent);
		orNull(() => {
			removeTree(nodePort, this.#own, "in");
			if (parent !== null) nodePort.rmdir(at$1(parent, REPLAY_NAME));
		});
		this.#dirs.close();
	}
};
function makeDirs(ctx, path, parent) {
	const own = at$1(parent, REPLAY_NAME);
	return orIfRefused(() => {
		noteReplayDir(ctx, path, () => {
			if (nodePort.lstat(own) === null) nodePort.mkdir(own, 448);
		});
		withHandle(nodePort, nodePort.openDir(own), (fd) => {
			removeTree(nodePort, fd, "in");
			nodePort.mkdir(at$1(fd, "in"), 448);
		});
		return true;
	}, false);
}
function isSameEntry(a, b) {
	const [first, second] = [lookUpper(a), lookUpper(b)];
	return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev;
}
function lookUpper(spot) {
	return lstatEntry(spot.upper);
}
async function putOver(room, spot, from, isOld, names = 1) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	nodePort.link(spot.at, kept.at);
	const placed = placedOf(from);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isAlone = old !== null && old.nlink === names + 1 + room.earlierNamesOf(old);
	if (!(old !== null && isAlone && print !== null && placed !== null && await isSealed(sealed, old, isOld)) || !isSameEntry(spot, kept)) {
		nodePort.unlink(kept.at);
		return null;
	}
	const last = sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept;
	nodePort.rename(from.at, spot.at);
	return {
		spot,
		kept: last,
		print,
		mtimeNs: old.mtimeNs,
		placed
	};
}
async function sealedName(room, spot, isOld) {
	const before = lookUpper(spot);
	if (before === null) return {
		kept: room.fresh(),
		print: null,
		before
	};
	const print = printOf(spot.upper);
	if (print === null || !await isOld(spot)) return null;
	return {
		kept: room.named(keptName(print, before.mtimeNs)),
		print,
		before
	};
}
async function isSealed({ kept, before }, old, isOld) {
	if (old === null) return false;
	if (before === null) return await isOld(kept);
	return old.ino === before.ino && old.dev === before.dev && old.mtimeNs === before.mtimeNs;
}
function seal(room, kept, print, mtimeNs) {
	const sealed = room.named(keptName(print, mtimeNs));
	nodePort.rename(kept.at, sealed.at);
	return sealed;
}
function placedOf(from) {
	const entry = lookUpper(from);
	const print = printOf(from.upper);
	return entry === null || print === null ? null : {
		ino: entry.ino,
		mtimeNs: entry.mtimeNs,
		print
	};
}
async function takeOut(room, spot, isOld) {
	const sealed = await sealedName(room, spot, isOld);
	if (sealed === null) return null;
	const { kept } = sealed;
	const number = numberOf(spot.at);
	const copied = sealed.before === null ? room.fresh() : null;
	if (copied !== null) nodePort.link(spot.at, copied.at);
	nodePort.rename(spot.at, kept.at);
	const old = lookUpper(kept);
	if (old !== null) remember(old, number);
	const print = sealed.print ?? printOf(kept.upper);
	const isSame = copied === null || isSameEntry(kept, copied);
	const fits = old !== null && print !== null && isSame && await isSealed(sealed, old, isOld);
	if (copied !== null) nodePort.unlink(copied.at);
	if (!fits) {
		giveBack(spot, kept);
		return null;
	}
	return {
		spot,
		kept: sealed.print === null ? seal(room, kept, print, old.mtimeNs) : kept,
		print,
		mtimeNs: old.mtimeNs,
		placed: null
	};
}
function stir(room, spot) {
	const mark = room.mark();
	nodePort.symlink(nameOf$1(spot.path), mark.at);
	try {
		nodePort.link(mark.at, spot.at);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
		nodePort.unlink(mark.at);
		return;
	}
	unstir(room, spot);
	nodePort.unlink(mark.at);
}
function unstir(room, spot) {
	const now = lookUpper(spot);
	const print = now !== null && isEventMark(spot.upper) ? printOf(spot.upper) : null;
	if (now === null || print === null) return;
	const out = room.named(keptName(print, now.mtimeNs));
	nodePort.rename(spot.at, out.at);
	if (lookUpper(out)?.ino !== now.ino) giveBack(spot, out);
	else nodePort.unlink(out.at);
}
function settle(room, pids, asides, together) {
	const marks = new Map(asides.map((aside) => [aside, marksOf(aside.kept)]));
	const held = heldBy(pids);
	const names = namesOf$1(asides);
	const stays = (aside) => isMarked(held, marks.get(aside) ?? null) || !isStill(room, aside, names);
	const staying = new Set(asides.filter(stays));
	for (const aside of together === void 0 ? [] : staying) together?.broken.add(together.groupOf(aside));
	const settled = {
		done: [],
		back: [],
		saved: []
	};
	for (const aside of asides) if (!staying.has(aside) && together?.broken.has(together.groupOf(aside)) !== true) settled.done.push(aside.spot);
	else {
		const saved = restore(room, aside);
		if (saved !== null) settled.saved.push(saved);
		settled.back.push(aside.spot);
	}
	return settled;
}
function namesOf$1(asides) {
	const names = /* @__PURE__ */ new Map();
	for (const { kept } of asides) {
		const ino = lookUpper(kept)?.ino ?? 0n;
		names.set(ino, (names.get(ino) ?? 0) + 1);
	}
	return names;
}
function isStill(room, { kept, print, mtimeNs }, names) {
	const now = lookUpper(kept);
	if (now?.mtimeNs !== mtimeNs || printOf(kept.upper) !== print) return false;
	return now.nlink === (names.get(now.ino) ?? 0) + room.earlierNamesOf(now);
}
function restore(room, { spot, kept, placed }) {
	const beside = placed === null ? null : secondName(room, spot);
	if (placed === null || beside === null) return giveBack(spot, kept);
	const now = lookUpper(beside);
	if (!(now?.ino === placed.ino && now.nlink === 2 && printOf(beside.upper) === placed.print) || !isSameEntry(spot, beside)) {
		nodePort.unlink(beside.at);
		return giveBack(spot, kept);
	}
	nodePort.rename(kept.at, spot.at);
	seal(room, beside, placed.print, placed.mtimeNs);
	return null;
}
function secondName(room, spot) {
	const beside = room.fresh();
	try {
		nodePort.link(spot.at, beside.at);
		return beside;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw error;
	}
}
function giveBack(spot, kept) {
	const named = (path, n) => n === 0 ? path : `${path}.trai-${n}`;
	const n = moveToFree(kept.at, (number) => named(spot.at, number));
	return n === 0 ? null : named(spot.path, n);
}
var Placer = class {
	bases;
	#ctx;
	#room;
	#file;
	#records = /* @__PURE__ */ new Map();
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#file = readBaseFile(ctx);
		this.bases = makeBases(this.#file.records);
	}
	async copy(steps) {
		const found = {
			copied: [],
			again: [],
			left: []
		};
		if (steps.length === 0) return found;
		const root = this.#room.covered.path;
		const name = ({ spot }) => spot.path.slice(root.length + 1);
		await copyOut(nodePort, root, steps.map(name), this.#room.incoming);
		for (const step of steps) {
			const { path } = step.spot;
			const from = this.#room.copied(name(step));
			const [host, copy] = [hostEntry(path), lookUpper(from)];
			const base = copy === null ? null : knownBase(this.#ctx, from.upper, copy, copy);
			if (host === "closed" || identityOf$1(host) !== identityOf$1(step.host)) found.again.push(path);
			else if (copy !== null && base?.state === "known" && isLike(copy, step.host)) found.copied.push({
				step,
				from,
				record: recordOf(step, from, base)
			});
			else found.left.push(path);
		}
		return found;
	}
	touch({ path, at: place }, shown) {
		const host = hostEntry(path);
		if (host === "closed" || host?.type !== "dir" || lstatEntry(place)?.type !== "dir") return false;
		withHandle(nodePort, nodePort.openDir(place), (fd) => {
			if (shown.mode === host.mode) nodePort.utimes(at$1(fd), BigInt(Date.now()) * 1000000n);
			else nodePort.chmod(at$1(fd), host.mode);
		});
		this.record(path);
		return true;
	}
	async settle(asides, together) {
		if (asides.length === 0) return {
			done: [],
			back: [],
			saved: []
		};
		const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		return settle(this.#room, pids, asides, together);
	}
	placed(record) {
		this.#records.set(record.path, record);
		this.record(parentOf$1(record.path));
	}
	restored(entries, before) {
		for (const [path, record] of basesBack(this.#file.records, before, entries)) this.#records.set(path, record);
	}
	removed(path) {
		this.#records.set(path, null);
	}
	record(dir) {
		for (let path = dir; path !== this.#room.covered.path && path !== "/"; path = parentOf$1(path)) {
			if (this.#file.records.has(path) || this.#records.has(path)) continue;
			const host = hostEntry(path);
			if (host === null || host === "closed" || host.type !== "dir") continue;
			const upper = lstatEntry(upperPath(this.#room.covered, path));
			if (upper?.type !== "dir") continue;
			if (!sameFields(upper, host, [
				"mode",
				"uid",
				"gid"
			])) continue;
			const base = {
				state: "known",
				host: toHostStat(host, path)
			};
			this.#records.set(path, {
				path,
				base,
				listed: false,
				born: String(upper.birthNs)
			});
		}
	}
	save() {
		this.record(this.#room.parent);
		appendBases(this.#ctx, this.#file, this.#records);
		this.#records.clear();
	}
};
function recordOf({ spot, host }, from, base) {
	return {
		path: spot.path,
		base: {
			...base,
			host: toHostStat(host, from.upper)
		},
		listed: false
	};
}
function isLike(copy, host) {
	if (copy.type !== host.type || copy.uid !== host.uid || copy.gid !== host.gid || copy.size !== host.size) return false;
	return host.type === "symlink" || copy.mode === host.mode && copy.mtimeNs === host.mtimeNs;
}
async function refreshView(ctx, paths) {
	for (const covered of new Set(paths.map((path) => coveringDir(ctx.coveredDirs, path)))) {
		const inside = covered === null ? null : await openInside(ctx.source, covered);
		if (covered === null || inside === null) continue;
		await useAndCloseAsync(inside, async () => {
			await refreshMounts(ctx, inside.pid, [covered.path]);
		});
	}
}
async function finishInterrupted(session, onProgress) {
	const n = unfinishedCommit(session);
	if (n === null) return null;
	const report = await finishCommit(await asQuiet(session) ?? session, { onProgress });
	if (report === null) {
		log(session, {
			t: "commit",
			n,
			state: "refused",
			entries: 0,
			bytes: 0,
			conflicts: 0,
			auto: "",
			text: COMMIT_NOT_BEGUN
		});
		return null;
	}
	await showUndone(session, report);
	returnWritten(session, report);
	logCommit(session, report, "finished-later");
	return report;
}
async function showUndone(session, { n }) {
	const record = readJournal(nodePort, session, n);
	if (record?.begin.undoes === void 0 || await asQuiet(session) !== null) return;
	await refreshView(session, record.units.map(({ path }) => path));
}
async function finishInterruptedUndo(session) {
	const n = unfinishedCommit(session);
	if ((n === null ? void 0 : readJournal(nodePort, session, n))?.begin.undoes !== void 0) await finishInterrupted(session);
}
function repairedEvent({ discard: { name: trash, entries, record }, outcome }) {
	if (outcome === "discarded") return {
		t: "discard",
		trash,
		entries,
		ended: []
	};
	if (outcome === "undone") return {
		t: "undo",
		what: "discard",
		trash,
		entries
	};
	const what = record.reopened === null ? "discard" : "undo";
	return {
		t: "notice",
		code: "unfinished",
		text: outcome === "left" ? INTERRUPTED.left[what] : INTERRUPTED.closed[what]
	};
}
async function recordAdoption(stateDir, { from, to, entries }) {
	const known = await readMeta(sessionDir(stateDir, from)).catch((error) => {
		if (errorCode(error) === "no-session") return null;
		throw error;
	});
	for (const id of known === null ? [to] : [from, to]) logTo(sessionDir(stateDir, id), {
		t: "adopt",
		from,
		to,
		entries
	});
	if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({
		...meta,
		wentOnIn: to
	}));
	tellAgent(sessionDir(stateDir, to), NEWS.adopted(from));
	await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}
function adopter(meta, from, known) {
	const adopted = [.../* @__PURE__ */ new Set([...meta.adopted ?? [], from])];
	const claudeDirs = [.../* @__PURE__ */ new Set([...meta.claudeDirs ?? [], ...known?.claudeDirs ?? []])];
	const { wentOnIn: _, ...rest } = meta;
	return {
		...rest,
		adopted,
		claudeDirs
	};
}
async function withSession(who, mode, work) {
	return await withLock(directoryOf(who), async (locked) => {
		if (mode === "read" && isContext(who)) return await work(lockedAs(locked, who));
		const live = await recovered(locked, who);
		return await work(mode === "quiet" ? await expectQuiet(live) : live);
	});
}
async function expectQuiet(session, hint = UNTIL_QUIET, whose) {
	const quiet = await asQuiet(session);
	if (quiet !== null) {
		recoverQuiet(quiet);
		return quiet;
	}
	const way = isClientRunning(session.sessionDir) ? UNTIL_CLIENT_ENDS : hint;
	throw isLive(await liveProcesses(session.source), way, whose);
}
async function recoverOverlay(who) {
	const at = directoryOf(who);
	if (!existsSync(`${at.sessionDir}/overlay`) && needsRepair(at) || adoptionWaits(at.sessionDir)) await withSession(who, "live", async () => {});
}
async function recovered(locked, who) {
	const context = async () => isContext(who) ? who : await sessionContext(who.stateDir, who.session, who.env);
	const waits = needsRepair(locked);
	if (waits) {
		freeReserve(locked.sessionDir);
		const repaired = repairLink(locked);
		if (repaired !== null) log(await context(), repairedEvent(repaired));
	}
	const session = lockedAs(locked, await context());
	const quiet = waits ? await asQuiet(session) : null;
	if (quiet !== null) recoverQuiet(quiet);
	if (adoptionWaits(session.sessionDir)) await logAdoption(session, recordAdoption);
	if (!session.coveredDirs.every(isOfOverlay)) throw new MovedOn();
	return session;
}
function recoverQuiet(session) {
	const repaired = repairOverlay(session);
	if (repaired !== null) log(session, repairedEvent(repaired));
}
function directoryOf(who) {
	const { stateDir, session } = who;
	return {
		stateDir,
		session,
		sessionDir: isContext(who) ? who.sessionDir : sessionDir(stateDir, session)
	};
}
function isContext(who) {
	return "coveredDirs" in who;
}
function isOfOverlay({ path, upper }) {
	const dir = fsPath(parentOf$1(upper));
	const link = orNull(() => readlinkSync(fsPath(joinPath(parentOf$1(upper), "l")), "latin1"));
	return existsSync(dir) && (link ?? path) === path;
}
var LEAVE = { do: "leave" };
var NOTHING = { do: "nothing" };
async function isOld(kept, step, host) {
	const now = lstatEntry(kept.upper);
	const { copied, shown, print, base } = step.old;
	if (now?.type !== shown.type) return false;
	if (!copied) return now.mtimeNs === shown.mtimeNs && now.mode === shown.mode && printOf(kept.upper) === print;
	return isUntouched$1({
		path: step.spot.path,
		upperPath: kept.upper,
		upper: now,
		host,
		base
	});
}
async function decide(ctx, room, bases, path) {
	const spot = isExcluded(path, ctx.excluded) || path === room.covered.path ? null : room.spot(path);
	const host = spot === null ? "closed" : hostEntry(path);
	if (spot === null || host === "closed") return LEAVE;
	const shown = lstatEntry(spot.at);
	const print = host !== null && host.size > 16777216 || lstatEntry(spot.upper) !== null ? null : printOf(spot.at);
	const base = bases.lookup(path);
	const upper = lstatEntry(spot.upper);
	if (upper !== null && isWhiteout(upper)) return host === null ? NOTHING : LEAVE;
	if (host === null) return upper === null ? vanished(spot, shown, print, base) : removed(spot, upper, base);
	if (host.type === "dir") return directory(spot, shown, upper);
	if (host.type !== "file" && host.type !== "symlink") return NOTHING;
	if (host.size > (upper === null ? 16777216 : 67108864)) return LEAVE;
	if (upper === null) {
		if (shown === null || shown.type !== "file" && shown.type !== "symlink") return LEAVE;
		return {
			do: "put",
			spot,
			host,
			old: {
				copied: false,
				shown,
				print,
				base
			}
		};
	}
	if (upper.type !== "file" && upper.type !== "symlink") return LEAVE;
	const look = {
		path,
		upperPath: spot.upper,
		upper,
		host
	};
	if (!isUntouched$1({
		...look,
		base
	})) return LEAVE;
	if (host.type === upper.type && host.mtimeNs === upper.mtimeNs && host.size === upper.size && host.mode === upper.mode && isUntouched$1({
		...look,
		base: { state: "none" }
	})) return NOTHING;
	return {
		do: "put",
		spot,
		host,
		old: {
			copied: true,
			shown: upper,
			print: null,
			base
		}
	};
}
function vanished(spot, shown, print, base) {
	const parent = hostEntry(parentOf$1(spot.path));
	if (parent === null || parent !== "closed" && parent.type !== "dir") return NOTHING;
	if (shown === null) return {
		do: "stir",
		spot
	};
	if (shown.type !== "file" && shown.type !== "symlink") return NOTHING;
	return {
		do: "take",
		spot,
		old: {
			copied: false,
			shown,
			print,
			base
		}
	};
}
function removed(spot, upper, base) {
	if (upper.type === "dir") return base.state === "known" && onlyTouched(upper, base) ? {
		do: "clear",
		spot
	} : LEAVE;
	if (!equalsBase(spot.upper, upper, base)) return LEAVE;
	return {
		do: "take",
		spot,
		old: {
			copied: true,
			shown: upper,
			print: null,
			base
		}
	};
}
function directory(spot, shown, upper) {
	if (upper !== null) return upper.type === "dir" ? NOTHING : LEAVE;
	return shown?.type === "dir" ? {
		do: "touch",
		spot,
		shown
	} : LEAVE;
}
var Round = class {
	result = {
		replayed: [],
		left: [],
		held: [],
		saved: [],
		again: [],
		kept: 0
	};
	#ctx;
	#room;
	#placer;
	#mounted = null;
	constructor(ctx, room) {
		this.#ctx = ctx;
		this.#room = room;
		this.#placer = new Placer(ctx, room);
	}
	async run(paths) {
		const removed = paths.filter((path) => hostEntry(path) === null);
		const cleared = await this.#removals(removed.flatMap((path) => [...this.#below(path), path]));
		this.#room.letGo();
		const { inside, covered } = this.#room;
		const problem = await refreshMounts(this.#ctx, inside.pid, [covered.path]);
		for (const path of cleared) await this.#guarded(path, async () => this.#clear(path));
		for (const path of removed) await this.#guarded(path, () => this.#stirIfGone(path));
		await this.#puts(paths.filter((path) => hostEntry(path) !== null));
		this.#placer.save();
		await this.#clearKept();
		return problem;
	}
	*#below(dir) {
		const upper = upperPath(this.#room.covered, dir);
		if (lstatEntry(upper)?.type !== "dir") return;
		for (const name of namesOrNone(upper)) {
			const path = joinPath(dir, name);
			yield* this.#below(path);
			yield path;
		}
	}
	async #removals(paths) {
		const asides = [];
		const cleared = [];
		for (const path of paths) await this.#guarded(path, async () => {
			const step = await this.#decide(path);
			if (step.do === "take") {
				const aside = await this.#take(step);
				if (aside === null) this.#held(path);
				else asides.push(aside);
			} else if (step.do === "clear") cleared.push(path);
			else if (step.do === "leave") this.result.left.push(path);
		});
		for (const path of await this.#settle(asides)) this.#placer.removed(path);
		return cleared;
	}
	#clear(path) {
		const spot = this.#room.spot(path);
		if (spot === null) return;
		nodePort.rmdir(spot.at);
		this.#placer.removed(path);
		this.result.replayed.push(path);
	}
	async #take(step) {
		const aside = await takeOut(this.#room, step.spot, (kept) => isOld(kept, step, null));
		this.#placer.record(parentOf$1(step.spot.path));
		await this.#unmark(step.spot);
		return aside;
	}
	async #stirIfGone(path) {
		const step = await this.#decide(path);
		if (step.do !== "stir") return;
		stir(this.#room, step.spot);
		this.#placer.record(parentOf$1(path));
		await this.#unmark(step.spot);
	}
	async #unmark(spot) {
		const upper = lookUpper(spot);
		if (upper === null || !isWhiteout(upper)) return;
		const host = hostEntry(spot.path);
		if (host === null || host === "closed") return stir(this.#room, spot);
		const [copied] = (await this.#placer.copy([{
			spot,
			host
		}])).copied;
		if (copied === void 0) {
			this.result.again.push(spot.path);
			return;
		}
		nodePort.link(copied.from.at, spot.at);
		this.#placer.placed(copied.record);
	}
	async #puts(paths) {
		const puts = [];
		for (const path of paths) await this.#guarded(path, async () => {
			const step = await this.#decide(path);
			if (step.do === "put") puts.push(step);
			else if (step.do === "touch" && this.#placer.touch(step.spot, step.shown)) this.result.replayed.push(path);
			else if (step.do === "leave") this.result.left.push(path);
		});
		const records = /* @__PURE__ */ new Map();
		const asides = [];
		const { copied, again, left } = await this.#placer.copy(puts);
		this.result.again.push(...again);
		this.result.left.push(...left);
		for (const { step, from, record } of copied) {
			records.set(record.path, record);
			await this.#guarded(step.spot.path, async () => {
				const aside = await putOver(this.#room, step.spot, from, (kept) => isOld(kept, step, step.host));
				if (aside === null) this.#held(step.spot.path);
				else asides.push(aside);
			});
		}
		for (const path of await this.#settle(asides)) {
			const record = records.get(path);
			if (record !== void 0) this.#placer.placed(record);
		}
	}
	async #settle(asides) {
		const settled = await this.#placer.settle(asides);
		for (const { path } of settled.back) this.#held(path);
		this.result.saved.push(...settled.saved);
		this.result.replayed.push(...settled.done.map(({ path }) => path));
		return settled.done.map(({ path }) => path);
	}
	async #clearKept() {
		const pids = (await liveProcesses(this.#ctx.source)).map(({ pid }) => pid);
		if (pids.length === 0) return;
		const { saved, waiting } = this.#room.clear(pids);
		this.result.saved.push(...saved);
		this.result.kept += waiting;
	}
	async #decide(path) {
		const step = await decide(this.#ctx, this.#room, this.#placer.bases, path);
		if (step.do !== "put" && step.do !== "take" && step.do !== "clear") return step;
		this.#mounted ??= dirsOfMounts((await liveProcesses(this.#ctx.source)).map(({ pid }) => pid));
		return this.#mounted.has(path) ? { do: "leave" } : step;
	}
	#held(path) {
		this.result.left.push(path);
		this.result.held.push(path);
	}
	async #guarded(path, work) {
		try {
			await work();
		} catch (error) {
			if (errorCode(error) === "") throw error;
			this.result.left.push(path);
		}
	}
};
async function movedOn(records) {
	const moved = [];
	const pace = new Pace();
	for (const { path, base } of records) {
		await pace.breathe();
		if (base.state !== "known" || base.host.type === "dir") continue;
		const host = hostEntry(path);
		if (host === "closed") continue;
		if (host === null || !sameEntry(base.host, toHostStat(host, path))) moved.push(path);
	}
	return moved;
}
async function replayBatch(ctx, paths, report) {
	const groups = byPlace(ctx, paths);
	report.left.push(...paths.filter((path) => coveringDir(ctx.coveredDirs, path) === null));
	report.kept = 0;
	for (const [covered, mine] of groups) {
		const inside = await openInside(ctx.source, covered);
		if (inside === null) continue;
		await useAndCloseAsync(inside, async () => {
			report.live = true;
			const room = Room.open(ctx, covered, inside, mine);
			if (room === null) {
				report.left.push(...mine);
				report.problem ??= await refreshMounts(ctx, inside.pid, [covered.path]);
			} else await replayIn(ctx, room, mine, report);
		});
	}
}
async function replayIn(ctx, room, paths, report) {
	await useAndCloseAsync(room, async () => {
		const round = new Round(ctx, room);
		report.problem ??= await round.run(paths);
		for (const key of [
			"replayed",
			"left",
			"held",
			"saved",
			"again"
		]) report[key].push(...round.result[key]);
		report.kept += round.result.kept;
	});
}
function byPlace(ctx, paths) {
	const groups = /* @__PURE__ */ new Map();
	const add = (path, ...mine) => {
		const covered = coveringDir(ctx.coveredDirs, path);
		if (covered !== null) groups.set(covered, [...groups.get(covered) ?? [], ...mine]);
	};
	add(ctx.projectRoot);
	for (const path of paths) add(path, path);
	for (const path of presentReplayDirs(ctx)) add(path);
	const any = ctx.coveredDirs.find(({ path }) => isWithin(ctx.home, path)) ?? ctx.coveredDirs[0];
	if (groups.size === 0 && any !== void 0) groups.set(any, []);
	return groups;
}
async function replay(ctx, request) {
	const report = {
		live: false,
		problem: null,
		kept: 0,
		replayed: [],
		left: [],
		held: [],
		saved: [],
		again: []
	};
	if ((await liveProcesses(ctx.source)).length === 0) return report;
	const moved = request.everything ? await movedOn(readBaseFile(ctx).records.values()) : [];
	const paths = [.../* @__PURE__ */ new Set([...request.paths, ...moved])];
	for (let at = 0; at === 0 || at < paths.length; at += 256) {
		const batch = paths.slice(at, at + 256);
		await withSession(ctx, "live", async (session) => {
			await finishInterruptedUndo(session);
			await replayBatch(session, batch, report);
		});
	}
	return report;
}
var OLD_MS = 864e5;
function dropRunFiles(sessionDir, quiet) {
	const dir = `${sessionDir}/run`;
	for (const name of orNull(() => readdirSync(dir)) ?? []) {
		const file = `${dir}/${name}`;
		const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
		orNull(() => {
			if (pid === void 0 ? quiet && Date.now() - lstatSync(file).mtimeMs > OLD_MS : !existsSync(`/proc/${pid}`)) rmSync(file, { force: true });
		});
	}
}
var FILES_MAX = 2e3;
function upperState(ctx, { dirs, closed }) {
	if (closed.size > 0) return null;
	const hash = createHash("sha1");
	for (const [path, { id, own, ctimeNs }] of dirs) hash.update(`${path}\0${id}\0${own}\0${ctimeNs}\0`);
	const files = orNull(() => filesIn(ctx, dirs));
	if (files === null) return null;
	const { coveredDirs } = ctx;
	const looked = files.length > FILES_MAX ? coveredDirs.map(({ work }) => joinPath(work, "work")) : files;
	for (const path of looked) {
		const entry = lstatEntry(path);
		hash.update(`${path}\0${entry?.ino}\0${entry?.ctimeNs}\0`);
	}
	return hash.digest("hex");
}
function filesIn({ coveredDirs }, dirs) {
	const found = [];
	for (const [path, dir] of dirs) {
		const upper = upperPathIn(coveredDirs, path);
		if (upper === null) continue;
		const below = new Set(dir.dirs);
		for (const name of readNames(upper)) if (!below.has(name)) found.push(joinPath(upper, name));
		if (found.length > FILES_MAX) break;
	}
	return found;
}
async function reap(ctx, listed = /* @__PURE__ */ new Map()) {
	const file = readBaseFile(ctx);
	const directories = [];
	const finder = new Finder(ctx, makeBases(file.records), listed);
	for (const { path, upper } of ctx.coveredDirs) {
		if (lstatEntry(path)?.type !== "dir") continue;
		for (const directory of await collect(finder.find(path, upper))) directories.push(directory);
	}
	keepXattrs(directories);
	const asked = directories.filter(({ root, unchanged, entries }) => !root && (unchanged || entries.length > 0));
	const visible = asked.length === 0 ? /* @__PURE__ */ new Set() : await showing(ctx, asked);
	const removed = await collect(removeFrom(directories.filter(({ root, path }) => root || visible.has(path))));
	dropBases(ctx, file, removed.filter((path) => file.records.has(path)));
	return { removed: removed.length };
}
var Finder = class {
	ctx;
	bases;
	listed;
	constructor(ctx, bases, listed) {
		this.ctx = ctx;
		this.bases = bases;
		this.listed = listed;
	}
	*find(root, upperRoot) {
		const stack = [{
			path: root,
			upperPath: upperRoot,
			onHost: lstatEntry(root)?.type === "dir",
			root: true,
			unchanged: false,
			entries: []
		}];
		for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
			yield null;
			if (at.fresh === true) {
				stack.push(...this.fresh(at));
				yield at;
				continue;
			}
			for (const name of namesOrNone(at.upperPath)) {
				const path = joinPath(at.path, name);
				const upperPath = joinPath(at.upperPath, name);
				const upper = isExcluded(path, this.ctx.excluded) ? null : lstatEntry(upperPath);
				if (upper === null) continue;
				const host = at.onHost ? hostEntry(path) : null;
				if (host === "closed" || isClosed$1(upper, this.ctx.root) || holdsOutOfReach(upperPath)) continue;
				if (upper.type !== "dir") {
					if (yield* this.unchangedEntry({
						path,
						upperPath,
						upper,
						host
					})) at.entries.push(name);
				} else stack.push(this.directory({
					path,
					upperPath,
					upper,
					host
				}));
			}
			yield at;
		}
	}
	*unchangedEntry({ path, upperPath, upper, host }) {
		if (isWhiteout(upper)) return host === null;
		if (host?.type === upper.type && host.mtimeNs === upper.mtimeNs) {
			if ((yield* judgeSameType({
				path,
				host,
				upperPath,
				upper,
				base: { state: "none" }
			})) === null) return true;
		}
		const base = this.bases.lookup(path);
		if (base.state !== "known") return false;
		return (host === null || !sameEntry(base.host, toHostStat(host, path))) && equalsBase(upperPath, upper, base);
	}
	fresh(at) {
		const { dirs, devices } = this.inside(at);
		const below = [];
		for (const name of dirs) {
			const [path, upperPath] = [joinPath(at.path, name), joinPath(at.upperPath, name)];
			if (!isExcluded(path, this.ctx.excluded)) below.push({
				...at,
				path,
				upperPath,
				entries: []
			});
		}
		for (const name of devices) {
			if (isExcluded(joinPath(at.path, name), this.ctx.excluded)) continue;
			const entry = lstatEntry(joinPath(at.upperPath, name));
			if (entry !== null && isWhiteout(entry)) at.entries.push(name);
		}
		return below;
	}
	inside({ path, upperPath }) {
		const was = this.listed.get(path);
		if (was !== void 0 && was.ctimeNs === String(lstatEntry(upperPath)?.ctimeNs)) return {
			dirs: was.dirs,
			devices: [...was.marks.keys()]
		};
		const found = orIfRefused(() => readEntries(upperPath), []);
		const named = (is) => found.filter(is).map(({ name }) => name);
		return {
			dirs: named((one) => one.isDirectory()),
			devices: named((one) => one.isCharacterDevice())
		};
	}
	directory({ path, upperPath, upper, host }) {
		const base = this.bases.lookup(path);
		const onHost = host?.type === "dir";
		if (!onHost && base.state !== "known") return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: false,
			entries: [],
			fresh: true
		};
		return {
			path,
			upperPath,
			onHost,
			root: false,
			unchanged: onHost ? !metaChanged({
				host,
				upper,
				base
			}) : onlyTouched(upper, base),
			entries: [],
			xattrs: base.state === "known" ? base.xattrs : void 0
		};
	}
};
function keepXattrs(directories) {
	const pairs = directories.flatMap((directory) => {
		const { path, upperPath, onHost, root, unchanged, entries } = directory;
		if (!onHost) return [];
		const inside = entries.map((name) => ({
			directory,
			path: joinPath(path, name),
			upperPath: joinPath(upperPath, name)
		}));
		return unchanged && !root ? [...inside, {
			directory,
			path,
			upperPath
		}] : inside;
	});
	for (const { pair, upper } of otherXattrs(pairs)) {
		const { directory, path } = pair;
		if (directory.path === path) directory.unchanged = directory.xattrs === xattrHash(upper);
		else directory.entries = directory.entries.filter((name) => joinPath(directory.path, name) !== path);
	}
}
async function showing(ctx, directories) {
	return await useAndCloseAsync(await openViewer(ctx), async (viewer) => {
		const shows = ({ path, upperPath, onHost }) => !onHost || orIfRefused(() => showsHost(viewer, {
			host: path,
			upper: upperPath
		}), false);
		return new Set(directories.filter(shows).map(({ path }) => path));
	});
}
function* removeFrom(directories) {
	for (const { path, upperPath, unchanged, entries } of directories.toReversed()) {
		for (const name of entries) {
			yield null;
			removeOne(() => unlinkSync(fsPath(joinPath(upperPath, name))), upperPath);
			yield joinPath(path, name);
		}
		if (!unchanged || namesOrNone(upperPath).length > 0) continue;
		removeOne(() => rmdirSync(fsPath(upperPath)), parentOf$1(upperPath));
		yield path;
	}
}
function removeOne(take, parent) {
	try {
		take();
	} catch (error) {
		const mode = errorCode(error) === "EACCES" ? lstatEntry(parent)?.mode : void 0;
		if (mode === void 0) throw error;
		chmodSync(fsPath(parent), mode | 192);
		try {
			take();
		} finally {
			chmodSync(fsPath(parent), mode);
		}
	}
}
var rounds = /* @__PURE__ */ new Map();
async function tidy(ctx, earliestCall) {
	const began = momentNow(ctx);
	const passBegan = Date.now() - 20;
	const left = await leftIn(ctx);
	const live = left.length > 0;
	dropRunFiles(ctx.sessionDir, !live);
	const before = rounds.get(ctx.sessionDir);
	if ((live || before?.quiet === true) && before?.state === stateOf(ctx, await readUppers(ctx))) {
		if (!live) clearMarks(ctx);
		confirmBases(ctx, passBegan);
		if (began !== null) confirmListing(ctx, began);
		return { left };
	}
	rounds.delete(ctx.sessionDir);
	try {
		return await withSession(ctx, "live", async (session) => await tidyBehindDoor(session, {
			live,
			earliestCall
		}));
	} catch (error) {
		if (error instanceof MovedOn) return { left: [] };
		throw error;
	}
}
async function tidyBehindDoor(session, { live, earliestCall }) {
	keepReserve(session);
	const listed = await listUppers(session, !live && await asQuiet(session) !== null);
	const before = live ? restingState(session, listed) : null;
	await recordBases(session, earliestCall === null ? {} : { earliestCall });
	const left = live ? await leftIn(session) : [];
	if (left.length > 0 || await asQuiet(session) === null) {
		if (before !== null) rounds.set(session.sessionDir, {
			state: before,
			quiet: false
		});
		return { left: left.length > 0 ? left : await leftIn(session) };
	}
	const quiet = await expectQuiet(session);
	await finishInterruptedUndo(quiet);
	const dropped = await dropCommitted(quiet);
	clearQuiet(quiet);
	const { removed } = await reap(quiet, listed.dirs);
	const state = stateOf(quiet, dropped + removed === 0 ? listed : await readUppers(quiet));
	if (state !== null) rounds.set(session.sessionDir, {
		state,
		quiet: true
	});
	return { left: [] };
}
async function leftIn({ source }) {
	return (await liveProcesses(source)).map(({ pid }) => pid);
}
function restingState(ctx, listed) {
	return [...listed.dirs.values()].every(({ ctimeNs }) => isPast(BigInt(ctimeNs))) ? stateOf(ctx, listed) : null;
}
function stateOf(ctx, dirs) {
	const uppers = upperState(ctx, dirs);
	return uppers === null ? null : `${uppers} ${commitNumbers(nodePort, ctx).at(-1) ?? 0}`;
}
var TRIES = 3;
async function ensurePlan(request) {
	return await again(() => planFor(request));
}
async function makeFirstPlan(request, place) {
	await again(async () => {
		const made = {
			...request,
			sessionDir: place
		};
		const drafted = await draftNew(made, takeAhead(made, true) ?? draftFor(made));
		const { plan } = makePlan(made, drafted, request.sessionDir);
		pointTo(place, plan.id);
		keepAhead(request, drafted);
	});
}
async function again(work) {
	for (let tries = 1;; tries++) try {
		return await work();
	} catch (error) {
		if (errorCode(error) !== "ENOENT" || tries === TRIES) throw error;
	}
}
async function planFor(request) {
	const ahead = takeAhead(request);
	const expected = ahead === null ? null : knownPlan(request, ahead);
	if (expected !== null) return expected;
	const first = draftFor(request);
	const known = knownPlan(request, first);
	if (known !== null) return known;
	const drafted = await draftNew(request, first);
	return await withLock(request, async () => knownPlan(request, drafted) ?? makePlan(request, drafted));
}
async function draftNew(request, first) {
	return (await silentMounts(parseMountinfo(request.mountinfo))).size === 0 ? first : draftFor(request);
}
function knownPlan(request, drafted) {
	const id = planId(request, drafted);
	const dir = `${request.sessionDir}/plan/${id}`;
	const plan = isWholePlan(dir) ? readPlanFile(`${dir}/plan.json`) : null;
	return plan === null ? null : {
		plan,
		dir
	};
}
function wantSameMounts(launcher) {
	if (readlinkSync(`/proc/${launcher}/ns/mnt`) === readlinkSync("/proc/self/ns/mnt")) return;
	throw otherMountNamespace();
}
var FORMAT$1 = 4;
function planId({ uid, gid, stateDir, sessionDir }, { draft, found }) {
	const overlay = orNull(() => realPath(fromText(`${sessionDir}/overlay`)));
	const facts = [
		FORMAT$1,
		mappedGroups(),
		draft.steps,
		draft.writable,
		found.binds,
		uid,
		gid,
		stateDir,
		overlay
	];
	return hash("sha256", JSON.stringify(facts)).slice(0, 16);
}
function makePlan(request, drafted, known = request.sessionDir) {
	const { stateDir, sessionDir, session, uid } = request;
	const { steps, notes } = drafted.draft;
	const root = isRealRoot();
	const overlayDir = fromText(`${sessionDir}/overlay`);
	const later = fromText(`${known}/overlay`);
	for (const name of [
		"overlay/parking",
		"run",
		"plan"
	]) makeDir(fromText(`${sessionDir}/${name}`));
	prepareMask(stateDir);
	const copied = new Map(steps.flatMap((step) => step.do === "copied" ? [[step.path, step.children]] : []));
	const paths = [...steps.flatMap((step) => step.do === "overlay" ? [step.path] : []), ...copied.keys()];
	if (paths.length === 0) throw nothingToCover();
	const coveredDirs = makeCoveredDirs({
		overlayDir,
		paths,
		uid,
		copied,
		onMade: recordRoots.bind(null, { sessionDir })
	});
	for (const covered of coveredDirs) if (covered.copied !== void 0 && readCopies(covered) === null) writeCopies(covered);
	makeSpots(overlayDir, drafted, root);
	const plan = {
		v: 1,
		session,
		id: planId(request, drafted),
		root,
		coveredDirs: coveredDirs.map((covered) => ({
			...covered,
			...coveredDirAt(later, covered.path, covered.n)
		})),
		notes: [...notes, {
			path: fromText(stateDir),
			kind: "masked",
			why: OWN_STATE
		}],
		source: mountSource(stateDir, session)
	};
	const dir = `${sessionDir}/plan/${plan.id}`;
	savePlan(dir, plan, planFiles(request, plan, drafted, known));
	return {
		plan,
		dir
	};
}
function makeSpots(overlayDir, { draft: { steps }, found }, root) {
	const dirs = steps.filter((step) => step.do === "keep").map((_, i) => `parking/${i + 1}`);
	if (root) dirs.push(...[
		"l",
		"u",
		"w",
		"m"
	].map((name) => `guard/${name}`));
	const files = [];
	for (const [i, bind] of found.binds.entries()) (bind.shared === "dir" ? dirs : files).push(`parking/${parkedName(bind, i)}`);
	for (const { spot, file } of childSpots(steps).values()) (file ? files : dirs).push(spot);
	for (const name of dirs) makeDir(joinPath(overlayDir, name));
	for (const name of files) writeFileSync(fsPath(joinPath(overlayDir, name)), "", { flag: "a" });
}
function makeDir(path) {
	mkdirSync(fsPath(path), {
		recursive: true,
		mode: 448
	});
}
function planFiles(request, plan, { draft, found }, known) {
	const { sessionDir, uid, gid } = request;
	const { root, source, id, coveredDirs } = plan;
	const { steps } = draft;
	const stateDir = fromText(request.stateDir);
	const parking = realPath(fromText(`${sessionDir}/overlay/parking`));
	const kept = steps.filter((step) => step.do === "keep").map((_, i) => joinPath(parking, String(i + 1)));
	const parked = found.binds.map((bind, i) => joinPath(parking, parkedName(bind, i)));
	const shared = found.binds.flatMap((bind) => bind.shared === void 0 ? [] : [bind.path]);
	const guard = root ? [joinPath(parentOf$1(parking), "guard/m")] : [];
	const own = [
		...kept,
		...parked,
		...shared,
		...guard,
		joinPath(stateDir, "userns")
	];
	const writable = [...draft.writable, ...own].filter((point) => point !== stateDir);
	const holder = coveringDir(coveredDirs, stateDir);
	const isMasked = holder !== null && holder.path !== stateDir;
	const mounts = coveredDirs.length + (isMasked ? 1 : 0);
	const texts = {
		...bindTexts(found.binds, fromText(`${known}/plan/${id}`)),
		fstab: fstabText(steps, plan, {
			stateDir,
			parking,
			doors: doorsOf(found.binds)
		}),
		late: lateText(steps),
		check: checkText(mounts, writable, stateDir, parking),
		vars: `root=${root ? 1 : 0}\nuid=${uid}\ngid=${gid}\ngroups=${mappedGroups().join(",")}\nsource=${source}\nid=${id}\n`
	};
	const files = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, "latin1")]);
	return {
		...found.copies,
		...Object.fromEntries(files)
	};
}
function prepareMask(stateDir) {
	mkdirSync(`${stateDir}/mask`, {
		recursive: true,
		mode: 493
	});
	for (const spot of [insideAt, instanceAt]) mkdirSync(spot(`${stateDir}/mask`), {
		recursive: true,
		mode: 493
	});
	const handle = `${stateDir}/mask/userns`;
	try {
		if (!existsSync(handle)) writeFileSync(handle, "", {
			flag: "wx",
			mode: 292
		});
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw error;
	}
}
async function freshCopies(ctx) {
	const skip = (path) => isExcluded(path, ctx.excluded);
	const stale = ctx.coveredDirs.filter((covered) => covered.copied !== void 0 && !isCurrent(covered, skip));
	if (stale.length === 0) return;
	await withLock(ctx, async (session) => {
		const quiet = await asQuiet(session);
		if (quiet === null) return;
		await recordBases(quiet);
		for (const covered of stale) writeCopies(covered);
	});
}
var FORMAT = 1;
function ensureHostMask(request) {
	const { stateDir, sessionDir, uid, gid } = request;
	const mounts = visibleMounts(parseMountinfo(request.mountinfo));
	const rules = rulesFor(request, mounts);
	const copies = isRealRoot() ? /* @__PURE__ */ new Map() : foreignSshFiles(uid);
	const ids = isRealRoot() ? "root" : `${uid}:${gid}`;
	const facts = [
		FORMAT,
		ids,
		rules,
		[...copies].map(([path, content]) => [path, copyName(content)])
	];
	const flags = rules.map(({ path }) => holderOf(path, mounts)?.flags ?? []);
	const dir = `${stateDir}/host/${hash("sha256", JSON.stringify([
		...facts,
		flags,
		stateDir
	])).slice(0, 16)}`;
	if (!existsSync(`${sessionDir}/run`)) mkdirSync(`${sessionDir}/run`, {
		recursive: true,
		mode: 448
	});
	if (isWholePlan(dir)) return dir;
	mkdirSync(`${stateDir}/host`, {
		recursive: true,
		mode: 448
	});
	const lines = [...copyLines(copies, dir, mounts), ...rules.map((rule) => ruleLine(rule, mounts))];
	try {
		savePlan(dir, { v: 1 }, {
			...Object.fromEntries([...copies.values()].map((content) => [copyName(content), content])),
			fstab: Buffer.from(lines.join(""), "latin1"),
			rules: Buffer.from(`${[ids, ...rules.map(({ kind, path }) => `${kind} ${path}`)].join("\n")}\n`, "latin1")
		});
	} catch (error) {
		if (!isWholePlan(dir)) throw error;
	}
	return dir;
}
function rulesFor(request, mounts) {
	const named = parseEnviron(request.environ).get("XDG_RUNTIME_DIR") ?? "";
	const hidden = [request.stateDir, runtimeDir(request.env) ?? ""].filter((path) => path !== "").map(fromText);
	if (named.startsWith("/") && isByteString(named)) hidden.push(bytePath(`${named}/trai`));
	const rulesOf = (kind, path) => namesOf(path, mounts).map((name) => ({
		kind,
		path: name
	}));
	const all = [...hidden.flatMap((path) => rulesOf("hidden", path)), ...rulesOf("fixed", fromText(configDir(request.env)))].sort((a, b) => a.path.length - b.path.length);
	const rules = [];
	for (const one of all) {
		if (one.path.includes("\n")) throw newlineInOwnDir();
		const covered = (other) => other.path === one.path || other.kind === "hidden" && isWithin(one.path, other.path);
		if (!rules.some(covered)) rules.push(one);
	}
	return rules;
}
function namesOf(path, mounts) {
	const found = identity(path);
	if (found === null) return [];
	const real = realPath(path);
	return [real, ...otherNames(real, mounts).filter((other) => identity(other) === found)];
}
function identity(path) {
	const stat = orNull(() => statSync(fsPath(path), {
		bigint: true,
		throwIfNoEntry: false
	}));
	return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}` : null;
}
function ruleLine({ kind, path }, mounts) {
	const target = escapeFstab(path);
	if (kind === "hidden") return `trai-hidden ${target} tmpfs ro,mode=0555,nosuid,nodev,noexec 0 0\n`;
	return `${target} ${target} none ${[
		"rbind",
		"ro",
		...flagsAt(path, mounts)
	].join(",")} 0 0\n`;
}
function copyLines(copies, dir, mounts) {
	return [...copies].map(([path, content]) => {
		const source = fromText(`${dir}/${copyName(content)}`);
		const options = [
			"bind",
			"ro",
			...flagsAt(source, mounts)
		].join(",");
		return `${escapeFstab(source)} ${escapeFstab(path)} none ${options} 0 0\n`;
	});
}
function flagsAt(path, mounts) {
	return holderOf(path, mounts)?.flags ?? [];
}
function fingerprintText(change) {
	const { path, kind, upperIdentity = "-", hostIdentity = "-", xattrIdentity } = change;
	const sides = `${upperIdentity} ${hostIdentity}`;
	return `${path}\0${kind} ${xattrIdentity === void 0 ? sides : `${sides} ${xattrIdentity}`}\0`;
}
var NEW = { state: "none" };
var Walk = class {
	problems = [];
	holders = [];
	attributes = new Attributes();
	questions = [];
	frames = [];
	ctx;
	maker;
	constructor(ctx, maker) {
		this.ctx = ctx;
		this.maker = maker;
	}
	get needsViewer() {
		return this.questions.length > 0;
	}
	*walkUppers() {
		for (const covered of this.ctx.coveredDirs) {
			const root = this.rootFrame(covered);
			yield this.rootChange(root);
			this.frames.push(root);
			for (let frame = this.frames.pop(); frame !== void 0; frame = this.frames.pop()) {
				yield null;
				yield* this.guarded(frame.path, this.directory(frame));
			}
		}
	}
	*answerQuestions(viewer) {
		const replaced = /* @__PURE__ */ new Set();
		for (const question of this.questions) {
			yield null;
			yield* this.guarded(question.child.path, this.answer(question, viewer, replaced));
		}
	}
	rootFrame({ path, upper }) {
		const host = lstatEntry(path);
		const onHost = host?.type === "dir";
		return {
			path,
			upperPath: upper,
			onHost,
			parentGone: !onHost,
			fresh: false,
			ignored: isWithin(this.ctx.projectRoot, path) ? null : this.maker.ignoreRule(path, true),
			above: aboveRoot(host)
		};
	}
	rootChange(frame) {
		const { path, upperPath } = frame;
		const base = this.maker.bases.lookup(path);
		const [host, upper] = [lstatEntry(path), lstatEntry(upperPath)];
		if (base.state !== "known" || host?.type !== "dir" || upper === null) return null;
		if (isClosed$1(upper, this.ctx.root) || isExcluded(path, this.ctx.excluded)) return null;
		const child = {
			path,
			upperPath,
			upper,
			host,
			base
		};
		return metaChanged(child) ? this.found(frame, child, "meta") : null;
	}
	*guarded(path, steps) {
		try {
			yield* steps;
		} catch (error) {
			this.problem(path, error);
		}
	}
	problem(path, error) {
		this.problems.push({
			path,
			message: errorText(error)
		});
	}
	*directory(frame) {
		const { excluded } = this.ctx;
		const nearExcluded = isExcluded(frame.path, excluded) || excludedBelow(frame.path, excluded).length > 0;
		const first = this.frames.length;
		for (const name of readNames(frame.upperPath)) {
			const path = joinPath(frame.path, name);
			const upperPath = joinPath(frame.upperPath, name);
			const upper = lstatEntry(upperPath);
			if (upper === null) continue;
			const host = frame.onHost ? lstatEntry(path) : null;
			if (nearExcluded && isExcluded(path, excluded)) {
				this.excludedEntry(frame, {
					path,
					upperPath,
					upper,
					host,
					base: NEW
				});
				continue;
			}
			const child = {
				path,
				upperPath,
				upper,
				host,
				base: frame.fresh ? NEW : this.maker.bases.lookup(path)
			};
			if (host === null && upper.type !== "dir" && !isWhiteout(upper)) yield this.newEntry(frame, child);
			else yield* this.guarded(path, this.child(frame, child));
		}
		for (const dir of this.frames.splice(first).reverse()) this.frames.push(dir);
	}
	*child(frame, child) {
		const { path, upper, host, base } = child;
		if (isWhiteout(upper)) {
			if (host !== null) yield* this.deleted({
				path,
				entry: host
			}, frame.above, upper.birthNs, false);
		} else if (upper.type === "dir") yield* this.childDirectory(frame, child);
		else if (host === null) yield this.newEntry(frame, child);
		else if (host.type !== upper.type) {
			if (equalsBase(child.upperPath, upper, base)) return;
			yield this.found(frame, child, "replaced");
			if (host.type === "dir") yield* this.below(path, host, frame.above, upper.birthNs);
		} else {
			const kind = yield* judgeSameType({
				...child,
				host
			});
			const found = kind === null ? null : this.found(frame, child, kind);
			if (kind !== "modified") this.attributes.ask({
				...child,
				host
			}, found, () => this.found(frame, child, isStaleCopy({
				...child,
				host
			}) ? "modified" : "meta"));
			yield found;
		}
	}
	newEntry(frame, child) {
		try {
			if (equalsBase(child.upperPath, child.upper, child.base)) return null;
			return this.found(frame, child, wasThere(child.base) ? "modified" : "added");
		} catch (error) {
			this.problem(child.path, error);
			return null;
		}
	}
	*childDirectory(frame, child) {
		const { path, upperPath, upper, host, base } = child;
		const onHost = host?.type === "dir";
		const isDeep = holdsOutOfReach(upperPath) || onHost && holdsOutOfReach(path);
		if (isDeep || isClosed$1(upper, this.ctx.root) && !isNewAndEmpty(child)) {
			this.problems.push({
				path,
				message: isDeep ? OUT_OF_REACH : CLOSED_IN_SANDBOX
			});
			const kind = host === null ? "added" : onHost ? "meta" : "replaced";
			yield this.found(frame, child, kind, true);
			return;
		}
		const parentGone = frame.parentGone || !onHost && wasDirectory(base);
		const ignored = isWithin(this.ctx.projectRoot, path) ? null : frame.ignored ?? this.maker.ignoreRule(path, true);
		const above = onHost ? below$1(frame.above, host) : frame.above;
		this.frames.push({
			path,
			upperPath,
			onHost,
			parentGone,
			fresh: !onHost && !parentGone,
			ignored,
			above
		});
		if (!onHost) {
			const found = this.found(frame, child, host === null ? "added" : "replaced");
			if (onlyTouched(upper, base) && (host === null || base.state === "known")) this.holders.push(found);
			else yield found;
			return;
		}
		const both = {
			...child,
			host
		};
		const missing = this.missingNames(path, upperPath);
		if (missing.length > 0) this.questions.push({
			frame,
			child: both,
			missing
		});
		else yield this.sameDirectory(frame, both);
	}
	sameDirectory(frame, child, replaced = false) {
		const kind = replaced ? "dir-replaced" : metaChanged(child) ? "meta" : null;
		const found = kind === null ? null : this.found(frame, child, kind);
		this.attributes.ask(child, found, () => this.found(frame, child, "meta"));
		return found;
	}
	*answer({ frame, child, missing }, viewer, replaced) {
		const { path, upperPath, upper, host } = child;
		const hidden = hiddenNames(viewer, {
			host: path,
			upper: upperPath
		}, missing);
		const isReplaced = hidden.length > 0 && !isBelowAny(path, replaced);
		if (isReplaced) replaced.add(path);
		yield this.sameDirectory(frame, child, isReplaced);
		const above = below$1(frame.above, host);
		for (const name of hidden) {
			const at = joinPath(path, name);
			const entry = lstatEntry(at);
			if (entry !== null) yield* this.deleted({
				path: at,
				entry
			}, above, upper.birthNs, true);
		}
	}
	*deleted(node, above, since, isBelow) {
		if (this.isSkipped(node.path)) return;
		yield this.gone(node, above, since, isBelow);
		if (node.entry.type === "dir") yield* this.below(node.path, node.entry, above, since);
	}
	*below(dir, host, above, since) {
		const dirs = /* @__PURE__ */ new Map([[dir, below$1(above, host)]]);
		const tree = hostTree(dir, host.dev, {
			skip: (path) => this.isSkipped(path),
			onProblem: (problem) => this.problems.push(problem)
		});
		for (const node of tree) {
			if (node === null) {
				yield null;
				continue;
			}
			const holder = dirs.get(parentOf$1(node.path)) ?? above;
			if (node.entry.type === "dir") dirs.set(node.path, below$1(holder, node.entry));
			yield this.gone(node, holder, since, true);
		}
	}
	gone({ path, entry }, above, since, isBelow) {
		const { excluded } = this.ctx;
		const holdsExcluded = () => excludedBelow(path, excluded).some((one) => lstatEntry(one) !== null);
		if (entry.type === "dir" && holdsExcluded()) return null;
		return this.maker.make({
			kind: "deleted",
			path,
			pending: null,
			host: entry,
			base: this.maker.bases.lookup(path),
			since,
			movedNs: above.movedNs,
			below: isBelow
		});
	}
	found(frame, child, kind, closed = false) {
		return this.maker.make({
			kind,
			path: child.path,
			host: child.host,
			base: child.base,
			closed,
			pending: {
				entry: child.upper,
				path: child.upperPath
			},
			since: child.upper.birthNs,
			movedNs: frame.above.movedNs,
			parentGone: frame.parentGone,
			ignoredAbove: frame.ignored
		});
	}
	excludedEntry(frame, child) {
		if (child.upper.type !== "dir" || !mayHoldListed(child.path, this.ctx.excluded)) return;
		const onHost = child.host?.type === "dir";
		this.frames.push({
			...frame,
			path: child.path,
			upperPath: child.upperPath,
			onHost,
			fresh: !onHost
		});
		if (child.host === null) this.holders.push(this.found(frame, child, "added"));
	}
	isSkipped(path) {
		return isExcluded(path, this.ctx.excluded) || coveringDir(this.ctx.coveredDirs, path)?.path === path;
	}
	missingNames(path, upperPath) {
		if (copiedDirOf(this.ctx, path) !== void 0) return [];
		const present = new Set(readNames(upperPath));
		return namesOrNone(path).filter((name) => !present.has(name) && !this.isSkipped(joinPath(path, name)));
	}
};
function isNewAndEmpty({ host, upper, upperPath }) {
	return host === null && (upper.mode & 256) !== 0 && readNames(upperPath).length === 0;
}
async function scan(ctx, trace) {
	const bases = await readBases(ctx);
	const walk = new Walk(ctx, new ChangeMaker(ctx, bases));
	const found = [];
	const keep = (one) => {
		found.push(one);
		return false;
	};
	await run(ctx, walk, keep, trace);
	await collect(forgiveSame(ctx, found, bases));
	const list = trace?.during(() => listOf(ctx, walk, found)) ?? listOf(ctx, walk, found);
	await collect(findRenames(ctx, list.changes));
	return list;
}
async function hasPending(ctx) {
	const walk = new Walk(ctx, new ChangeMaker(ctx, await readBases(ctx)));
	return await run(ctx, walk, ({ ignored }) => ignored === null) || walk.problems.length > 0;
}
async function run(ctx, walk, take, trace) {
	const part = async (steps) => await inSlices(trace?.along(steps) ?? steps, take);
	if (await part(walk.walkUppers())) return true;
	if (walk.needsViewer) {
		const answers = async (viewer) => await part(walk.answerQuestions(viewer));
		if (await useAndCloseAsync(await openViewer(ctx), answers)) return true;
	}
	return await part(walk.attributes.compare());
}
function listOf(ctx, walk, found) {
	found.sort((a, b) => byBytes(a.path, b.path));
	const changes = withHolders(found, walk.holders);
	findMovedPartners(ctx, changes);
	setGroups(changes);
	spreadGroupConflicts(changes);
	const ignored = changes.filter((change) => change.ignored !== null);
	const kept = changes.filter((change) => change.ignored === null);
	const times = timesOf(walk, changes);
	return {
		session: ctx.session,
		revision: revisionOf(changes, times.timed),
		at: (/* @__PURE__ */ new Date()).toISOString(),
		changes,
		counts: countChanges(changes),
		bytes: bytesOf(kept),
		ignored: {
			count: ignored.length,
			bytes: bytesOf(ignored)
		},
		conflicts: kept.filter((change) => change.conflict !== null).length,
		...times,
		problems: walk.problems.map(({ path, message }) => ({
			path: toDisplay(path),
			message
		}))
	};
}
function timesOf(walk, changes) {
	if (walk.attributes.times.length === 0) return {};
	const listed = new Set(changes.map(({ path }) => path));
	const timed = walk.attributes.times.filter(({ path }) => !listed.has(path));
	return timed.length === 0 ? {} : {
		timed,
		times: timed.length
	};
}
function withHolders(sorted, holders) {
	const needed = holders.filter((holder) => {
		const prefix = `${holder.path}/`;
		return sorted[firstFrom(sorted, prefix)]?.path.startsWith(prefix) === true;
	});
	if (needed.length === 0) return sorted;
	return [...sorted, ...needed].sort((a, b) => byBytes(a.path, b.path));
}
function firstFrom(sorted, path) {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = low + high >> 1;
		if ((sorted[middle]?.path ?? "") < path) low = middle + 1;
		else high = middle;
	}
	return low;
}
function revisionOf(changes, timed = []) {
	const kept = createHash("sha256");
	const ignored = createHash("sha256");
	const goes = goesWithOthers(changes);
	for (const change of changes) (change.ignored === null || goes(change) ? kept : ignored).update(fingerprintText(change), "latin1");
	for (const change of timed) ignored.update(fingerprintText(change), "latin1");
	return `${kept.digest("hex").slice(0, 32)}-${ignored.digest("hex").slice(0, 32)}`;
}
function bytesOf(changes) {
	return changes.reduce((sum, { kind, pending }) => sum + (kind === "meta" ? 0 : pending?.size ?? 0), 0);
}
async function sessionOfClaude(stateDir, claudeId) {
	const path = attachmentPath(stateDir, claudeId);
	let text;
	try {
		text = readText$2(path);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return null;
		throw attachmentUnreadable(path, error);
	}
	const id = text.replace(/\n$/, "");
	if (isSessionId(id)) return id;
	throw attachmentDamaged(path, id);
}
async function attachClaude(stateDir, input, also = (meta) => meta) {
	ensureStateDir(stateDir);
	const { claudeId, session } = input;
	const chosen = isSessionId(session) ? session : sessionIdOfClaude(claudeId);
	const known = await sessionOfClaude(stateDir, claudeId) ?? await bind(stateDir, claudeId, chosen);
	const id = input.inside === true ? chosen : known;
	const { created } = await ensureSession(stateDir, id, input);
	const dir = sessionDir(stateDir, id);
	return {
		id,
		dir,
		meta: await updateMeta(dir, (before) => also(withIdentity(before, input), dir)),
		created
	};
}
function attachmentPath(stateDir, claudeId) {
	return join(stateDir, "claude", sessionIdOfClaude(claudeId));
}
async function bind(stateDir, claudeId, id) {
	const path = attachmentPath(stateDir, claudeId);
	const temporary = temporaryName(path);
	try {
		await writeNewFile(temporary, `${id}\n`);
		linkSync(temporary, path);
		await syncPath(join(stateDir, "claude"));
		return id;
	} catch (error) {
		const winner = await sessionOfClaude(stateDir, claudeId);
		if (winner !== null) return winner;
		throw attachmentNotWritten(path, error);
	} finally {
		rmSync(temporary, { force: true });
	}
}
function withIdentity(meta, input) {
	const { claudeId: id, source, pid, pidStart, now = /* @__PURE__ */ new Date() } = input;
	const at = now.toISOString();
	const isSame = (entry) => entry.id === id && entry.pid === pid && entry.pidStart === pidStart;
	const claude = meta.claude.some(isSame) ? meta.claude.map((entry) => isSame(entry) ? {
		...entry,
		at
	} : entry) : [...meta.claude, {
		id,
		source,
		pid,
		pidStart,
		at
	}];
	const own = configDirOf(input.transcriptPath ?? "");
	const before = meta.claudeDirs ?? [];
	const claudeDirs = own === null || before.includes(own) ? before : [...before, own];
	return {
		...meta,
		claude,
		claudeDirs
	};
}
function configDirOf(transcriptPath) {
	return /^(\/.+)\/projects\/[^/]+\/[^/]+\.jsonl$/s.exec(transcriptPath)?.[1] ?? null;
}
var LOOSE_MS = 6e5;
var RequestFiles = class {
	open;
	loose;
	host;
	constructor(sessionDir) {
		const dir = path.join(sessionDir, "requests");
		const empty = {
			request: "",
			claude: "",
			tool: "",
			command: "",
			cwd: "",
			at: "",
			call: "",
			mode: "",
			asked: false,
			sandboxed: false
		};
		this.open = new Records(dir, "open.", "request", empty, TAKEN);
		this.loose = new Records(dir, "loose.", "call", {
			call: "",
			command: "",
			at: ""
		});
		this.host = new Records(dir, "host.", "call", {
			call: "",
			what: "",
			dirs: [],
			conflicts: []
		});
	}
	list() {
		return this.open.all().sort((a, b) => a.at < b.at ? -1 : 1);
	}
	take(open) {
		try {
			const file = this.open.fileOf(open.request, TAKEN);
			writeFileSync(file, JSON.stringify(open), {
				flag: "wx",
				mode: 384
			});
			return true;
		} catch (error) {
			if (errorCode(error) === "EEXIST") return false;
			throw error;
		}
	}
	close(request) {
		this.open.remove(request);
		rmSync(this.open.fileOf(request, TAKEN), { force: true });
	}
	takeLoose(fits, now) {
		for (const claim of this.loose.all()) {
			const taken = fits(claim);
			if (taken || now - Date.parse(claim.at) > LOOSE_MS) this.loose.remove(claim.call);
			if (taken) return claim;
		}
		return null;
	}
	takeHost(ended) {
		const done = this.host.all().filter(({ call }) => ended(call));
		for (const { call } of done) this.host.remove(call);
		return done;
	}
};
var TAKEN = "taken.";
var Records = class {
	#dir;
	#prefix;
	#key;
	#empty;
	#over;
	constructor(dir, prefix, key, empty, over = null) {
		this.#dir = dir;
		this.#prefix = prefix;
		this.#key = key;
		this.#empty = empty;
		this.#over = over;
	}
	all() {
		return (orNull(() => readdirSync(this.#dir)) ?? []).flatMap((name) => {
			const found = name.startsWith(this.#prefix) ? this.#newest(name.slice(this.#prefix.length)) : null;
			return found === null ? [] : [found];
		});
	}
	find(id) {
		return this.#newest(nameOf(id));
	}
	save(record) {
		mkdirSync(this.#dir, {
			recursive: true,
			mode: 448
		});
		writeWhole(this.fileOf(String(record[this.#key])), Buffer.from(JSON.stringify(record)));
	}
	remove(id) {
		rmSync(this.fileOf(id), { force: true });
	}
	fileOf(id, prefix = this.#prefix) {
		return path.join(this.#dir, prefix + nameOf(id));
	}
	#newest(name) {
		const first = this.#read(this.#prefix + name);
		if (first === null || this.#over === null) return first;
		return this.#read(this.#over + name) ?? first;
	}
	#read(name) {
		const value = orNull(() => readPlainJson(path.join(this.#dir, name)));
		if (!isObject(value) || text(value, this.#key) === "") return null;
		const fields = Object.entries(this.#empty).map(([name, none]) => {
			const given = value[name];
			if (Array.isArray(none)) return [name, Array.isArray(given) ? given.filter((one) => typeof one === "string") : []];
			return [name, typeof given === typeof none ? given : none];
		});
		return Object.fromEntries(fields);
	}
};
function nameOf(id) {
	return /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}
var TICK_MS = 20;
var MAX_REGEX_CHARS = 2e3;
function writeMarker({ sessionDir, places, rules, also, readAt }) {
	const session = fromText(sessionDir);
	const rulePaths = rules.files.map((one) => one.path);
	const dirs = rulePaths.map(parentOf$1).filter((dir) => dir !== session);
	const around = dirs.flatMap((dir) => [...linksTo(dir)].map(parentOf$1));
	const sources = [.../* @__PURE__ */ new Set([
		...rulePaths,
		...dirs,
		...around,
		...also.map(fromText)
	])].map(sourceOf);
	if (sources.some((source) => source.path.includes("\n"))) return;
	const text = textOf(rules, withoutBelow(sources));
	const newest = Math.max(0, ...sources.map(({ mtimeMs }) => mtimeMs));
	for (const place of places) {
		const file = path.join(place, "rules.about");
		const known = orNull(() => ({
			text: readEnds(file, text.length + 1, 0)?.[0].toString("latin1"),
			at: statSync(file).mtimeMs
		}));
		if (known?.text === text && known.at > newest + 1) continue;
		orNull(() => replaceWith(file, text, (readAt - TICK_MS) / 1e3));
	}
}
function replaceWith(file, text, seconds) {
	const temporary = temporaryName(file);
	writeFileSync(temporary, text, {
		encoding: "latin1",
		mode: 384
	});
	lutimesSync(temporary, seconds, seconds);
	renameSync(temporary, file);
}
var MAX_LINKS = 40;
function linksTo(path, found = /* @__PURE__ */ new Set()) {
	if (path === "/" || found.size >= MAX_LINKS || found.has(path)) return found;
	const above = parentOf$1(path);
	if (orNull(() => lstat(path))?.type === "symlink") {
		found.add(path);
		const target = orNull(() => readTarget(path)) ?? above;
		linksTo(target.startsWith("/") ? target : joinPath(above, target), found);
	}
	return linksTo(above, found);
}
function sourceOf(name) {
	const found = orNull(() => statSync(fsPath(name), { throwIfNoEntry: false }));
	return {
		path: name,
		mtimeMs: Math.floor(found?.mtimeMs ?? 0)
	};
}
function withoutBelow(sources) {
	const missing = new Set(sources.flatMap((one) => one.mtimeMs === 0 ? [one.path] : []));
	return sources.filter((one) => !missing.has(parentOf$1(one.path)));
}
function textOf(rules, sources) {
	const stops = [...rules.deny, ...rules.ordered.filter(({ ref }) => ref.list === "ask")];
	const about = regexOf([...rules.deny, ...rules.ordered], builtInTools(rules));
	const lines = sources.map(({ path: name, mtimeMs }) => mtimeMs === 0 ? `-${name}` : `+${mtimeMs} ${name}`);
	return [
		`about=${about}`,
		`stops=${regexOf(stops, [])}`,
		...lines,
		""
	].join("\n");
}
function builtInTools({ builtIn }) {
	return [...builtIn].filter((name) => /^[A-Z][A-Za-z]*$/.test(name)).map((name) => `^${name}$`);
}
function regexOf(rules, more) {
	const patterns = [.../* @__PURE__ */ new Set([...rules.map(({ rule }) => rule.tool ?? "."), ...more])];
	if (patterns.length === 0) return "";
	if (patterns.includes(".") || !patterns.every(isSame)) return ".";
	const regex = patterns.map((pattern) => `(${pattern})`).join("|");
	return regex.length > MAX_REGEX_CHARS ? "." : regex;
}
function isSame(pattern) {
	return /^[\w^$.|()*+?-]+$/.test(pattern) && !/[*+?(|^][*+?]|\(\)|[(|]\||\|\)|^[|*+?]|\|$/.test(pattern);
}
var MAX_EARLIER = 5;
var EXPECT_MS = 2;
function soon(work) {
	setTimeout(() => void work().catch(() => void 0), EXPECT_MS).unref();
}
var HookWorld = class {
	stateDir;
	env;
	programs;
	server;
	#ruleFiles;
	constructor({ stateDir, env, programs, server }) {
		this.stateDir = stateDir;
		this.env = env;
		this.programs = programs;
		this.server = server ?? null;
		this.#ruleFiles = new RuleFiles(stateDir);
	}
	config() {
		return loadConfig(this.env);
	}
	rules(config, project, session) {
		const { stateDir, env } = this;
		return loadRules({
			env,
			stateDir,
			project,
			session,
			home: homeDir(env),
			config
		}, this.#ruleFiles);
	}
	async session(id) {
		const ours = await sessionOfClaude(this.stateDir, id) ?? (isSessionId(id) ? id : null);
		if (ours === null) return null;
		const dir = sessionDir(this.stateDir, ours);
		try {
			return new HookSession(this, {
				...await readMeta(dir),
				off: readOff(dir)
			});
		} catch (error) {
			if (error instanceof TraiError && error.code === "no-session") return null;
			throw error;
		}
	}
	async attach(request, { file, problems }) {
		const { meta, dir } = await attachClaude(this.stateDir, request, (before, at) => ({
			...before,
			configFile: file,
			configProblems: problems.map(({ text }) => text),
			off: readOff(at)
		}));
		rememberPrograms(dir, this.programs);
		this.server?.see(meta.id);
		return new HookSession(this, meta);
	}
};
var HookSession = class HookSession {
	world;
	meta;
	id;
	dir;
	requests;
	constructor(world, meta) {
		this.world = world;
		this.meta = meta;
		this.id = meta.id;
		this.dir = sessionDir(world.stateDir, meta.id);
		this.requests = new RequestFiles(this.dir);
	}
	async log(event) {
		logTo(this.dir, event);
	}
	rules(config) {
		const readAt = Date.now();
		const { world, meta, id, dir } = this;
		const rules = world.rules(config, {
			root: bytePath(meta.projectRoot),
			id: meta.projectId
		}, id);
		const also = [...configFiles(world.env), join(world.stateDir, "trust.json")];
		const renew = () => {
			let written = false;
			const write = (...places) => {
				written = true;
				writeMarker({
					sessionDir: dir,
					places,
					rules,
					also,
					readAt
				});
			};
			if (existsSync(insideDir(dir))) orNull(() => inDoor(dir, ["sessions", id], (own) => write(dir, own)));
			if (!written) write(dir);
		};
		if (world.server === null) renew();
		else soon(async () => renew());
		return rules;
	}
	view() {
		const { world, dir, meta } = this;
		const plan = readPlan(dir);
		if (plan === null && !hasCoveredDirs(dir)) return null;
		return contextOf(world.stateDir, meta, world.env, plan ?? void 0);
	}
	async context() {
		return await contextOrNull(this.world.stateDir, this.id, this.world.env);
	}
	async pending() {
		if (this.world.server?.hasPending(this.id) === true) return true;
		const ctx = await this.context();
		return ctx !== null && await hasPending(ctx);
	}
	async ask(question, input) {
		const { server, stateDir, env } = this.world;
		const ctx = await sessionContext(stateDir, this.id, env);
		if (server === null) return await HOOK_QUESTIONS[question](ctx, await scan(ctx), input);
		await server.settled(this.id);
		return await server.ask(ctx, question, input);
	}
	async alone(work) {
		if (this.world.server !== null) return work();
		return await withFileLock(`${this.dir}/.requests.lock`, async () => work());
	}
	async later(work) {
		const { server } = this.world;
		if (server === null) await work();
		else work().catch(server.report);
	}
	ownPrograms() {
		return [.../* @__PURE__ */ new Set([...this.world.programs, ...readPrograms(this.dir)])];
	}
	async plan(launcher, config, client = false) {
		const { stateDir, env } = this.world;
		wantSameMounts(launcher);
		if (client) {
			prepareInside(stateDir, this.dir, this.id);
			this.world.server?.openDoor(this.id);
		}
		await recoverOverlay({
			stateDir,
			session: this.id,
			env
		});
		const before = currentId(this.dir);
		const { plan, dir } = await ensurePlan(this.#planRequest(launcher, config, client));
		const context = async () => await sessionContext(stateDir, this.id, env, plan);
		const planned = new Set(plan.coveredDirs.map(({ n }) => n));
		const left = knownCoveredDirs(this.dir, plan.coveredDirs).filter(({ n }) => !planned.has(n));
		if (left.length > 0) await expectPendingInView(await context(), left);
		if (currentId(this.dir) !== plan.id) pointTo(this.dir, plan.id);
		if (plan.coveredDirs.some(({ copied }) => copied !== void 0)) await freshCopies(await context());
		const old = before === plan.id ? null : readPlan(this.dir, before);
		const news = old === null ? null : planNews(old, plan);
		if (news !== null) await this.log({
			t: "notice",
			code: "mounts",
			text: news
		});
		return dir;
	}
	async firstPlan(place, launcher, config, environ) {
		wantSameMounts(launcher);
		prepareInside(this.world.stateDir, place, this.id);
		const request = this.#planRequest(launcher, config, true, place);
		await makeFirstPlan(environ === null ? request : {
			...request,
			environ
		}, place);
	}
	hostMask(launcher) {
		const { stateDir, env } = this.world;
		return ensureHostMask({
			stateDir,
			sessionDir: this.dir,
			env,
			...factsOf(launcher)
		});
	}
	expectFirstCall(claude) {
		if (currentId(this.dir) !== null) return;
		const { config } = this.world.config();
		const pid = config.enabled ? this.#expectedClient(claude) : null;
		if (pid !== null) soon(async () => void await this.plan(pid, config));
	}
	expectCall(claude, config) {
		const pid = this.#expectedClient(claude);
		if (pid !== null) soon(async () => void draftAhead(this.#planRequest(pid, config, false)));
	}
	#expectedClient(claude) {
		const client = this.meta.claude.findLast(({ id }) => id === claude);
		if (this.world.server === null || this.meta.off !== null || client?.pid == null) return null;
		return processStat(client.pid)?.start === client.pidStart ? client.pid : null;
	}
	#planRequest(launcher, config, client, place = this.dir) {
		const home = homeOf(this.world.env);
		const facts = factsOf(launcher);
		return {
			stateDir: this.world.stateDir,
			sessionDir: this.dir,
			session: this.id,
			projectRoot: bytePath(this.meta.projectRoot),
			config,
			home,
			unixSockets: () => readFileSync(`/proc/${launcher}/net/unix`, "latin1"),
			...facts,
			client: client ? this.#clientHosts(home, parseEnviron(facts.environ), place) : null
		};
	}
	#clientHosts(home, env, place) {
		const { stateDir } = this.world;
		const doors = [{
			from: fromText(insideDir(this.dir)),
			at: fromText(insideAt(stateDir))
		}];
		const box = readBoxRecord(place);
		if (box === null) return {
			...hostsOfClient(home, env),
			doors
		};
		doors.push({
			from: fromText(box.instance),
			at: fromText(instanceAt(stateDir))
		});
		return {
			dirs: box.direct,
			files: box.directFiles,
			direct: true,
			doors
		};
	}
	async settled() {
		const { server, stateDir, env } = this.world;
		if (server !== null) return await server.settled(this.id);
		const ctx = await this.context();
		if (ctx === null) return { live: false };
		let live = false;
		try {
			const { left } = await tidy(ctx, null);
			live = left.length > 0;
			if (live) await this.#replay(ctx, [], true);
			await noteOverlaps(stateDir, env, this.id);
		} catch (error) {
			const text = message("untidy", { why: failureText(error, stateDir) });
			await this.log({
				t: "notice",
				code: "untidy",
				text
			});
		}
		return { live };
	}
	async hostChanged(paths) {
		const { server } = this.world;
		if (server !== null) return await server.hostChanged(this.id, paths);
		const ctx = await this.context();
		if (ctx !== null) await this.#replay(ctx, paths, false);
	}
	async #replay(ctx, paths, everything) {
		try {
			const { saved } = await replay(ctx, {
				paths,
				everything
			});
			for (const path of saved) await this.log(savedNotice(path));
		} catch (error) {
			const text = message("not-replayed", { why: failureText(error, ctx.stateDir) });
			await this.log({
				t: "notice",
				code: "not-replayed",
				text
			});
		}
	}
	async earlierPending() {
		const { sessions } = await listSessions(this.world.stateDir);
		const { server } = this.world;
		const earlier = sessions.filter(({ id, projectId }) => id !== this.id && projectId === this.meta.projectId);
		const pending = [];
		for (const other of earlier.slice(0, MAX_EARLIER)) try {
			if (!await new HookSession(this.world, other).pending()) continue;
			const changes = server === null ? null : await server.countPending(other.id);
			pending.push({
				id: other.id,
				changes
			});
		} catch {
			pending.push({
				id: other.id,
				changes: null
			});
		}
		return pending;
	}
};
async function contextOrNull(stateDir, session, env) {
	const dir = sessionDir(stateDir, session);
	const plan = readPlan(dir);
	if (plan === null && !hasCoveredDirs(dir)) return null;
	return await sessionContext(stateDir, session, env, plan ?? void 0);
}
function factsOf(launcher) {
	return {
		mountinfo: readFileSync(`/proc/${launcher}/mountinfo`, "latin1"),
		environ: readFileSync(`/proc/${launcher}/environ`, "latin1"),
		uid: process.getuid?.() ?? 0,
		gid: process.getgid?.() ?? 0
	};
}
function savedNotice(path) {
	return {
		t: "notice",
		code: "replay-saved",
		text: message("replay-saved", { path: toDisplay(path) })
	};
}
async function expectPendingInView(ctx, left) {
	for (const covered of left) {
		if (!await hasPending({
			...ctx,
			coveredDirs: [covered]
		}).catch(() => true)) continue;
		const below = ownMounts().find(({ point }) => point !== covered.path && isWithin(point, covered.path));
		throw new TraiError("unsupported", message("not-in-view", {
			why: below === void 0 ? `what was mounted at ${toDisplay(covered.path)} is gone` : `${toDisplay(below.point)} was mounted below ${toDisplay(covered.path)}`,
			undo: below === void 0 ? "Mount it again" : "Unmount it"
		}));
	}
}
function planNews(before, now) {
	const closed = (plan) => plan.notes.filter((note) => note.kind === "read-only");
	const known = new Set(closed(before).map((note) => note.path));
	const fresh = closed(now).filter((note) => !known.has(note.path));
	const inner = fresh.filter((note) => !fresh.some((other) => other !== note && isWithin(other.path, note.path)));
	if (inner.length === 0) return null;
	return `the mounts changed. ${inner.map((note) => `${toDisplay(note.path)} is read-only in the sandbox now: ${note.why}`).join("; ")}`;
}
function report(thrown) {
	process.stderr.write(`trai: ${messageOf(thrown)}\n`);
}
function ownPrograms(state) {
	const lib = path.dirname(process.argv[1] ?? "");
	return lib.startsWith(`${state}/`) ? [] : programsBeside(lib);
}
async function main(argv) {
	const [what, event] = argv;
	const state = stateDir(process.env);
	const world = new HookWorld({
		stateDir: state,
		env: process.env,
		programs: ownPrograms(state)
	});
	const body = readFileSync(0);
	if (what === "claim") {
		process.stdout.write(`node\n${await answerClaim(world, body, report)}`);
		return 0;
	}
	if (what !== "hook" || event === void 0 || !isHookEvent(event)) {
		report(`expected: claim, or hook EVENT; found: ${argv.join(" ")}`);
		return 1;
	}
	const answer = await answerHook(world, event, body, readHookHeaders((name) => process.env[`TRAI_${name.toUpperCase().replace(/-/g, "_")}`], () => callerOf(process.pid, state)), () => {});
	if (answer.stream === "run") return 3;
	(answer.stream === "err" ? process.stderr : process.stdout).write(answer.text);
	return answer.exit;
}
main(process.argv.slice(2)).then((status) => {
	process.exitCode = status;
}, (thrown) => {
	report(thrown);
	process.exitCode = 1;
});
export {};
