import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
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
  'cli',
  'core',
  'server',
  'web',
  'scripts/build',
  'vite.config.ts',
  'package.json',
];
const STAGE = path.join(tmpdir(), `trai-client-${process.getuid?.() ?? 0}`);
/** Beside a checkout's tree: the name of the checkout, so that what a removed one left can be told. */
const OWNER = 'checkout';

/**
 * The plugin as a user gets it, built from the present sources, in a place that every user of the machine can read
 * (a checkout below /root is not). Built once for each state of the sources; `TRAI_TEST_PLUGIN` names another tree.
 */
export async function pluginTree(): Promise<string> {
  const given = process.env['TRAI_TEST_PLUGIN'];
  if (given !== undefined) return given;
  return await treeOf(ROOT, sourceHash(), STAGE, buildPlugin);
}

/** The tree of that state of a checkout; its earlier ones, and those of checkouts that are gone, are removed. */
export async function treeOf(
  checkout: string,
  state: string,
  stage: string,
  build: (tree: string) => Promise<unknown>,
): Promise<string> {
  const own = path.join(stage, `tree-${hashOf(checkout)}`);
  const tree = path.join(own, `plugin-${state}`);
  if (existsSync(tree)) return tree;
  mkdirSync(own, { recursive: true, mode: 0o755 });
  writeFileSync(path.join(own, OWNER), checkout);
  removeStale(stage, own);
  const half = path.join(own, `building-${process.pid}`);
  // What is wrong with the tree's form is the build's own test to say.
  await build(half);
  try {
    renameSync(half, tree);
  } catch (error) {
    // Another run of the same checkout was faster.
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(tree)) throw error;
  }
  return tree;
}

function removeStale(stage: string, own: string): void {
  const remove = (name: string): void => rmSync(name, { recursive: true, force: true });
  for (const name of readdirSync(own)) {
    const building = /^building-([0-9]+)$/.exec(name)?.[1];
    if (name !== OWNER && (building === undefined || !existsSync(`/proc/${building}`)))
      remove(path.join(own, name));
  }
  for (const name of readdirSync(stage)) {
    const owner = path.join(stage, name, OWNER);
    // One without its name is just being made.
    if (existsSync(owner) && !existsSync(readFileSync(owner, 'utf8'))) remove(path.join(stage, name));
  }
}

/** The client's program at a path that this user can run. */
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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
