import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/root.ts';
import type { Bench } from './bench.ts';
import { pluginTree } from './plugin-tree.ts';

/** What a user clones: manifests, the lockfile that the client must not install from, and the built plugin. */
export async function clone(bench: Bench): Promise<string> {
  const dir = path.join(bench.base, 'clone');
  mkdirSync(path.join(dir, 'dist'), { recursive: true });
  for (const name of ['.claude-plugin', 'package.json', 'package-lock.json', 'README.md']) {
    if (existsSync(path.join(ROOT, name)))
      cpSync(path.join(ROOT, name), path.join(dir, name), { recursive: true });
  }
  cpSync(await pluginTree(), path.join(dir, 'dist/plugin'), { recursive: true });
  bench.own(dir);
  await git(bench, dir, 'init -q . && git add -Af . && git commit -qm x');
  return dir;
}

/** Makes the clone another release: every manifest, and the version that the programs say. */
export async function release(bench: Bench, dir: string, version: string): Promise<void> {
  const plugin = path.join(dir, 'dist/plugin');
  const manifests = ['.claude-plugin', 'dist/plugin/.claude-plugin'].flatMap((folder) =>
    readdirSync(path.join(dir, folder)).map((name) => path.join(dir, folder, name)),
  );
  for (const file of manifests) edit(file, /("version": *)"[^"]+"/g, `$1"${version}"`);
  for (const name of ['server.mjs', 'cli.cjs', 'fallback.mjs'])
    edit(path.join(plugin, 'lib', name), /(VERSION = )"\d+\.\d+\.\d+"/, `$1"${version}"`);
  bench.own(dir);
  await git(bench, dir, `add -Af . && git commit -qm '${version}'`);
}

/** `claude plugin WORDS` as the user; throws with its output when it fails. */
export async function plugin(bench: Bench, ...words: string[]): Promise<string> {
  const ran = await bench.exec([bench.program, 'plugin', ...words]);
  if (ran.code !== 0) throw new Error(`claude plugin ${words.join(' ')}: ${ran.out}${ran.err}`);
  return ran.out;
}

/** Adds the clone as a marketplace and installs the plugin from it. */
export async function install(bench: Bench, dir: string): Promise<void> {
  await plugin(bench, 'marketplace', 'add', dir);
  await plugin(bench, 'install', 'trai@trai');
}

function edit(file: string, what: RegExp, by: string): void {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(what, by);
  if (changed === text) throw new Error(`${file} holds nothing like ${what}`);
  writeFileSync(file, changed);
}

async function git(bench: Bench, dir: string, words: string): Promise<void> {
  const ran = await bench.sh(
    `cd "$0" && export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t && git ${words}`,
    { words: [dir] },
  );
  if (ran.code !== 0) throw new Error(`git ${words}: ${ran.err}`);
}
