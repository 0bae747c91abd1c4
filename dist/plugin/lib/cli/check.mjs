import { t as __exportAll } from "./rolldown-runtime.mjs";
import { Hn as messageOf, Vn as TraiError } from "../cli.mjs";
import { G as TYPING, J as versionOf, K as findBwrap, Q as remedyForNamespaces, X as pass, Y as fail, Z as readSetting, et as warn, q as tryBox } from "./programs.mjs";
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
var check_exports = /* @__PURE__ */ __exportAll({ checkBox: () => checkBox });
async function checkBox(env) {
	const terminal = {
		id: "terminal",
		...checkTerminal(readSetting)
	};
	let found;
	try {
		found = await findBwrap(env);
	} catch (error) {
		const remedy = error instanceof TraiError ? error.hint ?? "" : "";
		return [{
			id: "bwrap",
			...fail(messageOf(error), remedy)
		}, terminal];
	}
	const nested = await checkNested(found);
	return [
		{
			id: "bwrap",
			...pass(CHECKS.bwrap({
				...found,
				version: await versionOf(found)
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
	const setting = read(TYPING);
	if (setting === "0") return pass(CHECKS.noTyping);
	return warn(CHECKS.typing, setting === null ? CHECKS.typingAlways : CHECKS.typingRemedy);
}
async function checkNested(bwrap) {
	const said = await tryBox(bwrap, { ownProc: false });
	return said === "" ? pass(CHECKS.nested) : fail(CHECKS.notNested(said), remedyForNamespaces(readSetting));
}
async function checkProc(bwrap) {
	const said = await tryBox(bwrap, { ownProc: true });
	return said === "" ? pass(CHECKS.proc) : fail(CHECKS.noProc(said), CHECKS.procRemedy);
}
export { check_exports as n, boxNotes as t };
