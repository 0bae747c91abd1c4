"use strict";
const require_cli = require("../cli.cjs");
let node_util = require("node:util");
function nothingPending(ctx) {
	const copies = copiesAlone(ctx);
	const areExact = copies !== null && require_cli.areExactCopies(copies.map(({ path, upper }) => [path, upper]));
	return async () => (0, node_util.isDeepStrictEqual)(copiesAlone(ctx), copies) && await areExact;
}
var holdsDirsAlone = (ctx) => copiesAlone(ctx) !== null;
function copiesAlone({ coveredDirs, excluded }) {
	const copies = [];
	const plainAt = (dir) => {
		const [own, host] = [require_cli.lstatEntry(dir.upper), require_cli.lstatEntry(dir.path)];
		if (own?.type !== "dir" || host?.type !== "dir") return null;
		if (own.mode !== host.mode || own.uid !== host.uid || own.gid !== host.gid) return null;
		return require_cli.readNames(dir.upper).every((name) => {
			const below = {
				path: require_cli.joinPath(dir.path, name),
				upper: require_cli.joinPath(dir.upper, name)
			};
			if (require_cli.isExcluded(below.path, excluded)) return !require_cli.mayHoldListed(below.path, excluded) || require_cli.readNames(below.upper).length === 0;
			if (require_cli.excludedBelow(below.path, excluded).length === 0) return false;
			const copy = plainAt(below);
			if (copy !== null) copies.push({
				...below,
				changedNs: copy.ctimeNs
			});
			return copy !== null;
		}) ? own : null;
	};
	return require_cli.orNull(() => coveredDirs.every((covered) => plainAt(covered) !== null)) === true ? copies : null;
}
Object.defineProperty(exports, "holdsDirsAlone", {
	enumerable: true,
	get: function() {
		return holdsDirsAlone;
	}
});
Object.defineProperty(exports, "nothingPending", {
	enumerable: true,
	get: function() {
		return nothingPending;
	}
});
