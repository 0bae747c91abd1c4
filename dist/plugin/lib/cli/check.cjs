"use strict";
const require_cli = require("../cli.cjs");
const require_box = require("./box.cjs");
var CHECKS = {
	bwrap: ({ path, version, setuid }) => `bubblewrap ${version || "of an unknown version"} (${path}): root’s, ${setuid ? "setuid, in a version without a known hole" : "not setuid"}`,
	nested: "a box was made in the namespaces of a session",
	notNested: (said) => `a box could not be made in the namespaces of a session: ${said}`,
	proc: "a box has a table of processes of its own (/proc)",
	noProc: (said) => `a box could not have a table of processes of its own (/proc): ${said}`,
	procRemedy: "Something lies over parts of /proc, as in most containers, and the kernel shows no second one there. Start the container with: docker run --security-opt systempaths=unconfined ...\nor use trai claude, which needs none.",
	typing: "this kernel lets a program type into its terminal (TIOCSTI), so a box gets a terminal session of its own: a shell in it has no job control",
	typingRemedy: "Turn it off: echo dev.tty.legacy_tiocsti=0 | sudo tee /etc/sysctl.d/60-tiocsti.conf && sudo sysctl --system",
	typingAlways: "Linux 6.2 and newer have a switch for it. Nothing needs to be done: the box is closed without it.",
	noTyping: "no program can type into its terminal (TIOCSTI is off)"
};
var check_exports = /* @__PURE__ */ require_cli.__exportAll({ checkBox: () => checkBox });
async function checkBox(env) {
	const terminal = {
		id: "terminal",
		...checkTerminal(require_box.readSetting)
	};
	let found;
	try {
		found = await require_box.findBwrap(env);
	} catch (error) {
		const remedy = error instanceof require_cli.TraiError ? error.hint ?? "" : "";
		return [{
			id: "bwrap",
			...require_box.fail(require_cli.messageOf(error), remedy)
		}, terminal];
	}
	const nested = await checkNested(found);
	return [
		{
			id: "bwrap",
			...require_box.pass(CHECKS.bwrap({
				...found,
				version: await require_box.versionOf(found)
			}))
		},
		{
			id: "nested",
			...nested
		},
		...nested.ok ? [{
			id: "proc",
			...await checkProc(found)
		}] : [],
		terminal
	];
}
async function boxNotes(env) {
	return (await checkBox(env)).map((one) => ({
		...one,
		level: "warning"
	}));
}
function checkTerminal(read) {
	const setting = read(require_box.TYPING);
	if (setting === "0") return require_box.pass(CHECKS.noTyping);
	return require_box.warn(CHECKS.typing, setting === null ? CHECKS.typingAlways : CHECKS.typingRemedy);
}
async function checkNested(bwrap) {
	const said = await require_box.tryBox(bwrap, { ownProc: false });
	return said === "" ? require_box.pass(CHECKS.nested) : require_box.fail(CHECKS.notNested(said), require_box.remedyForNamespaces(require_box.readSetting));
}
async function checkProc(bwrap) {
	const said = await require_box.tryBox(bwrap, { ownProc: true });
	return said === "" ? require_box.pass(CHECKS.proc) : require_box.fail(CHECKS.noProc(said), CHECKS.procRemedy);
}
Object.defineProperty(exports, "boxNotes", {
	enumerable: true,
	get: function() {
		return boxNotes;
	}
});
Object.defineProperty(exports, "check_exports", {
	enumerable: true,
	get: function() {
		return check_exports;
	}
});
