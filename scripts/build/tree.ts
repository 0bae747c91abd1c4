import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

/** README.md and every document that it leads to: a link must work in the plugin, too. */
export const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/architecture.md',
  'docs/box.md',
  'docs/commands.md',
  'docs/configuration.md',
  'docs/decisions.md',
  'docs/faq.md',
  'docs/formats.md',
  'docs/invariants.md',
  'docs/limits.md',
  'docs/client.md',
  'docs/measurements.md',
  'docs/programs.md',
  'docs/protocol.md',
  'docs/rules.md',
  'docs/what-runs-where.md',
] as const;

/** What the plugin consists of beside the bundles; all paths are the same in the repository and in the plugin. */
export const PLUGIN_FILES = [
  '.claude-plugin/plugin.json',
  'hooks',
  'commands',
  'bin',
  'LICENSE',
  ...DOCUMENTS,
  'docs/screenshots/session-light.png',
] as const;

/** The host runs `npm ci` in a plugin where it finds these. */
const FORBIDDEN = /^(package\.json|package-lock\.json|npm-shrinkwrap\.json|bun\.lockb?|node_modules)$/;

/** All files below `dir`, relative, sorted bytewise. Symbolic links and special files are named like files. */
export function filesBelow(dir: string, below = ''): string[] {
  const entries = readdirSync(path.join(dir, below), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const name = path.posix.join(below, entry.name);
      return entry.isDirectory() ? filesBelow(dir, name) : [name];
    })
    .sort();
}

/** Copies with the two modes that git knows, so that the umask of who builds does not show. */
export function copyTree(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) {
      if (!/\.tsx?$/.test(name)) copyTree(path.join(from, name), path.join(to, name));
    }
    return;
  }
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Every file gets mode 0755 or 0644, every directory 0755. */
export function normaliseModes(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const name = path.join(dir, entry.name);
    if (entry.isDirectory()) normaliseModes(name);
    else chmodSync(name, (statSync(name).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

/** Copies what exists of PLUGIN_FILES and returns what does not. */
export function copyPluginFiles(root: string, outDir: string): string[] {
  const missing: string[] = [];
  for (const name of PLUGIN_FILES) {
    const from = path.join(root, name);
    if (existsSync(from)) copyTree(from, path.join(outDir, name));
    else missing.push(name);
  }
  return missing;
}

/**
 * What is wrong with a built tree, as sentences; empty = nothing.
 * Symbolic links are refused since a copy of the plugin may leave their targets behind.
 */
export function treeProblems(outDir: string, root: string): string[] {
  return filesBelow(outDir).flatMap((name) => {
    const file = path.join(outDir, name);
    const problems: string[] = [];
    if (name.split('/').some((segment) => FORBIDDEN.test(segment))) {
      problems.push(`${name} must not be in the plugin: the host runs npm ci where it finds a lockfile.`);
    }
    if (!lstatSync(file).isFile()) problems.push(`${name} is not a plain file.`);
    else if (readFileSync(file, 'latin1').includes(root))
      problems.push(`${name} names the directory ${root}.`);
    return problems;
  });
}

/** What differs between two trees, as sentences; content and the executable bit count. */
export function compareTrees(expected: string, actual: string): string[] {
  const left = new Set(existsSync(expected) ? filesBelow(expected) : []);
  const right = new Set(existsSync(actual) ? filesBelow(actual) : []);
  const names = [...new Set([...left, ...right])].sort();
  return names.flatMap((name) => {
    if (!right.has(name)) return [`${name} is missing.`];
    if (!left.has(name)) return [`${name} is left over.`];
    const [a, b] = [path.join(expected, name), path.join(actual, name)];
    if (!readFileSync(a).equals(readFileSync(b))) return [`${name} has other content.`];
    return (statSync(a).mode & 0o100) === (statSync(b).mode & 0o100) ? [] : [`${name} has another mode.`];
  });
}
