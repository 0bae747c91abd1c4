"use strict";
const require_cli = require("../cli.cjs");
require("./rule-set.cjs");
let node_fs = require("node:fs");
let node_path = require("node:path");
var settings_exports = /* @__PURE__ */ require_cli.__exportAll({ hasPassthru: () => hasPassthru });
function settingsEntries(place) {
	return permissionsIn(place).flatMap(({ scope, file, permissions }) => require_cli.RULE_LISTS.flatMap((list) => textsOf(permissions[list]).map((entry) => ({
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
	const plugins = [...others, managed].filter(require_cli.isObject);
	return Object.entries(Object.assign({}, ...plugins)).some(([name, isOn]) => isOn === true && name.split("@")[0] === "passthru");
}
function permissionsIn(place) {
	return settingsFiles(place).flatMap(({ scope, file, content: { permissions } }) => require_cli.isObject(permissions) ? [{
		scope,
		file,
		permissions
	}] : []);
}
function settingsFiles({ env, home, projectRoot }) {
	const user = require_cli.absolute(env, "CLAUDE_CONFIG_DIR") ?? (0, node_path.join)(home, ".claude");
	return [
		["managed", "/etc/claude-code/managed-settings.json"],
		["user", (0, node_path.join)(user, "settings.json")],
		["project", (0, node_path.join)(projectRoot, ".claude/settings.json")],
		["local", (0, node_path.join)(projectRoot, ".claude/settings.local.json")]
	].map(([scope, file]) => {
		const value = readSmallJson(file);
		return {
			scope,
			file,
			content: require_cli.isObject(value) ? value : {}
		};
	});
}
var textsOf = (value) => Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
function readSmallJson(file) {
	const real = require_cli.orNull(() => (0, node_fs.realpathSync)(file)) ?? file;
	const found = require_cli.orNull(() => require_cli.lstat(require_cli.fromText(real)));
	return found === null || found.size > 2097152 ? void 0 : require_cli.orNull(() => require_cli.readPlainJson(real));
}
function settingsSay(call, cut, entries, place) {
	const subjects = cut === null ? [""] : cut.segments.map(({ text }) => text);
	const matches = entries.flatMap((entry) => subjects.filter((segment) => applies(entry, call, segment, place)).map((segment) => ({
		...entry,
		segment
	})));
	const of = (list) => matches.filter((match) => match.list === list);
	if (of("deny").length > 0) return {
		decision: "deny",
		matches
	};
	if (of("ask").length > 0) return {
		decision: "ask",
		matches
	};
	const allowed = new Set(of("allow").map(({ segment }) => segment));
	return {
		decision: subjects.length > 0 && subjects.every((segment) => allowed.has(segment)) ? "allow" : "pass",
		matches
	};
}
function applies({ entry, file, scope }, call, segment, place) {
	const [, tool = "", spec] = /^([^()]+?)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
	if (!toolMatches(tool, call.tool)) return false;
	if (spec === void 0 || spec === "*") return true;
	if (call.tool === "Bash") return commandMatches(spec, segment);
	const input = require_cli.isObject(call.input) ? call.input : {};
	if (call.tool === "WebFetch") return urlMatches(spec, input["url"]);
	if (call.tool === "Skill") return spec === input["skill"] || spec === input["command"];
	const path = input["file_path"] ?? input["notebook_path"] ?? input["path"];
	if (typeof path !== "string") return false;
	const base = scope === "user" || scope === "managed" ? node_path.posix.dirname(file) : place.projectRoot;
	return pathMatches(spec, (0, node_path.isAbsolute)(path) ? path : (0, node_path.join)(call.cwd, path), {
		base,
		cwd: call.cwd,
		home: place.home
	});
}
function toolMatches(tool, called) {
	if (tool === called) return true;
	if (tool === "Edit") return /^(MultiEdit|Write|NotebookEdit)$/.test(called);
	if (tool === "Read") return /^(Grep|Glob|LS|NotebookRead)$/.test(called);
	return tool.startsWith("mcp__") && (called.startsWith(`${tool}__`) || shapeOf(tool, ".*").test(called));
}
function commandMatches(spec, segment) {
	const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
	if (prefix === void 0) return shapeOf(spec, ".*").test(segment);
	return shapeOf(prefix, ".*").test(segment) || shapeOf(`${prefix} *`, ".*").test(segment);
}
function urlMatches(spec, url) {
	const domain = /^domain:(.+)$/.exec(spec)?.[1];
	if (domain === void 0 || typeof url !== "string" || !URL.canParse(url)) return false;
	return shapeOf(domain, "[^.]*").test(new URL(url).hostname);
}
function pathMatches(spec, path, from) {
	const pattern = (spec.startsWith("//") ? spec.slice(1) : spec.startsWith("~/") ? (0, node_path.join)(from.home, spec.slice(2)) : spec.startsWith("/") ? (0, node_path.join)(from.base, spec) : (0, node_path.join)(from.cwd, spec.includes("/") ? spec : `**/${spec}`)).replace(/\/$/, "/**");
	return globPath(pattern).test(path) || !/[*?[]/.test(pattern) && require_cli.isWithin(path, pattern);
}
function shapeOf(pattern, star) {
	const source = pattern.split("*").map((text) => text.replace(/[\\^$.+()|{}[\]?]/g, "\\$&"));
	return new RegExp(`^${source.join(star)}$`, "s");
}
function globPath(pattern) {
	const source = pattern.replace(/[\\^$.+()|{}[\]]/g, "\\$&").replace(/\*\*\/|\*\*|\*|\?/g, (sign) => sign === "**/" ? "(?:.*/)?" : sign === "**" ? ".*" : sign === "*" ? "[^/]*" : "[^/]");
	return new RegExp(`^${source}$`, "s");
}
Object.defineProperty(exports, "readSmallJson", {
	enumerable: true,
	get: function() {
		return readSmallJson;
	}
});
Object.defineProperty(exports, "settingsDirs", {
	enumerable: true,
	get: function() {
		return settingsDirs;
	}
});
Object.defineProperty(exports, "settingsEntries", {
	enumerable: true,
	get: function() {
		return settingsEntries;
	}
});
Object.defineProperty(exports, "settingsSay", {
	enumerable: true,
	get: function() {
		return settingsSay;
	}
});
Object.defineProperty(exports, "settings_exports", {
	enumerable: true,
	get: function() {
		return settings_exports;
	}
});
