import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPlugin } from '../../scripts/build/plugin.ts';
import { ROOT } from '../../scripts/lib/root.ts';
import { installClient } from './install.ts';
import type { Person } from './person.ts';

/** Sources that go into the plugin. */
const SOURCES = [
  '.claude-plugin',
  'hooks',
  'commands',
  'bin',
  'shared',
  'server',
  'web',
  'scripts/build',
  'vite.config.ts',
  'package.json',
];
const STAGE = path.join(tmpdir(), `trai-client-${process.getuid?.() ?? 0}`);

/**
 * The plugin as a user gets it, built from the present sources, in a place that every user of the machine can read
 * (a checkout below /root is not). Built once for each state of the sources; `TRAI_TEST_PLUGIN` names another tree.
 */
export async function pluginTree(): Promise<string> {
  const given = process.env['TRAI_TEST_PLUGIN'];
  if (given !== undefined) return given;
  const tree = path.join(STAGE, `plugin-${sourceHash()}`);
  if (existsSync(tree)) return tree;
  mkdirSync(STAGE, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(STAGE).filter((entry) => entry.startsWith('plugin-'))) {
    rmSync(path.join(STAGE, name), { recursive: true, force: true });
  }
  const half = path.join(STAGE, `building-${process.pid}`);
  // What is wrong with the tree's form is the build's own test to say.
  await buildPlugin(half);
  renameSync(half, tree);
  return tree;
}

/** The client's program at a path that this person can run. */
export function clientFor(person: Person): string {
  const program = installClient();
  if (process.getuid?.() !== 0 || canRun(person, program)) return program;
  const copy = path.join(STAGE, `claude-${statSync(program).mtimeMs}`);
  if (existsSync(copy)) return copy;
  mkdirSync(STAGE, { recursive: true, mode: 0o755 });
  try {
    linkSync(program, copy);
  } catch {
    copyFileSync(program, copy);
  }
  return copy;
}

/** A copy of a tree at a place of the test's own, for tests that change or remove it. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function canRun(person: Person, program: string): boolean {
  const ids = ['--reuid', String(person.uid), '--regid', String(person.gid), '--clear-groups'];
  return spawnSync('setpriv', [...ids, 'test', '-x', program]).status === 0;
}

function sourceHash(): string {
  const hash = createHash('sha256');
  const add = (name: string): void => {
    const file = path.join(ROOT, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const entry of readdirSync(file).sort()) add(path.join(name, entry));
    else if (stat !== undefined) hash.update(`${name}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const name of SOURCES) add(name);
  return hash.digest('hex').slice(0, 16);
}
