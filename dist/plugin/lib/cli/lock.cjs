"use strict";
const require_cli = require("../cli.cjs");
var lock_exports = /* @__PURE__ */ require_cli.__exportAll({
	asQuiet: () => asQuiet,
	lockedAs: () => lockedAs,
	withLock: () => withLock
});
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
	return await require_cli.withFileLock(`${session.sessionDir}/lock`, run, waitSeconds);
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
	hold.quiet ||= await require_cli.isQuiet(session);
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
Object.defineProperty(exports, "asQuiet", {
	enumerable: true,
	get: function() {
		return asQuiet;
	}
});
Object.defineProperty(exports, "lock_exports", {
	enumerable: true,
	get: function() {
		return lock_exports;
	}
});
Object.defineProperty(exports, "lockedAs", {
	enumerable: true,
	get: function() {
		return lockedAs;
	}
});
Object.defineProperty(exports, "withLock", {
	enumerable: true,
	get: function() {
		return withLock;
	}
});
