import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PLUGIN_DIST } from '../lib/root.ts';

/** Everything that the browser loads before it shows something, compressed. */
const FIRST_LOAD_GZIP_BYTES = 150_000;
/** All of it, with the diff renderer and the highlighter, which come later. */
const WHOLE_WEB_GZIP_BYTES = 200_000;
/**
 * Node reads this for every call without a server: 752 and 865 kB took 28 and 31 ms more than `node -e 0` (medians); 724 and
 * 803 kB could not be told apart, nor 751 and 838 kB, of which permission rules are 87 (25 runs each, in turn), nor 944 and
 * 961, nor 961 and 973, nor 969 and 972, nor 979 and 981, nor 983 and 985 (40 pairs, processor time). What rules see of braces,
 * redirections and homes, and one perl for a transaction, took it from 932 to 961; texts that a shell runs unseen, whole groups
 * and a second perl to 975; links above the state directory, in a client's door and to its files, and what a box has mounts over,
 * from 979 to 981; a box whose record is damaged, what a client inside hears of it, and what is in use in a live session, to 987.
 */
const FALLBACK_BYTES = 990_000;

/** What `trai claude`, `box` and `exec` load before they begin; all commands together take 20 ms more. */
const PROGRAMS_BYTES = 238_000;

const web = path.join(PLUGIN_DIST, 'web');
const page = path.join(web, 'index.html');
const fallback = path.join(PLUGIN_DIST, 'lib/fallback.mjs');

/** Scripts, preloaded modules and styles that the page names. */
function firstLoad(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
}

test('the first load of the dashboard stays below its budget', ({ skip }) => {
  if (!existsSync(page)) skip('dist/plugin/web has not been built');
  const html = readFileSync(page, 'utf8');
  const files = firstLoad(html);
  expect(files.some((name) => name.endsWith('.js'))).toBe(true);
  const bytes = files.map((name) => gzipSync(readFileSync(path.join(web, name))).length);
  expect(bytes.reduce((sum, size) => sum + size, gzipSync(html).length)).toBeLessThan(FIRST_LOAD_GZIP_BYTES);
});

test('all that the dashboard may ever load stays below its budget', ({ skip }) => {
  if (!existsSync(page)) skip('dist/plugin/web has not been built');
  const bytes = readdirSync(path.join(web, 'assets')).map(
    (name) => gzipSync(readFileSync(path.join(web, 'assets', name))).length,
  );
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(WHOLE_WEB_GZIP_BYTES);
});

test('the first load is without the highlighter', ({ skip }) => {
  if (!existsSync(page)) skip('dist/plugin/web has not been built');
  const scripts = firstLoad(readFileSync(page, 'utf8')).filter((name) => name.endsWith('.js'));
  // A name that highlight.js gives its modes, which no minifier changes.
  for (const name of scripts) expect(readFileSync(path.join(web, name), 'utf8')).not.toContain('keywords:');
  const all = readdirSync(path.join(web, 'assets')).map((name) => path.join(web, 'assets', name));
  expect(all.some((name) => readFileSync(name, 'utf8').includes('keywords:'))).toBe(true);
});

test('the page has no inline script or style, which its CSP would refuse', ({ skip }) => {
  if (!existsSync(page)) skip('dist/plugin/web has not been built');
  const html = readFileSync(page, 'utf8');
  expect(html).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/i);
});

test('the program that runs without a server stays small', ({ skip }) => {
  if (!existsSync(fallback)) skip('dist/plugin/lib/fallback.mjs has not been built');
  expect(readFileSync(fallback).length).toBeLessThan(FALLBACK_BYTES);
});

test('of the command line program, what starts a client is one small file', ({ skip }) => {
  const lib = path.join(PLUGIN_DIST, 'lib');
  if (!existsSync(path.join(lib, 'cli.cjs'))) skip('dist/plugin/lib/cli.cjs has not been built');
  const text = readFileSync(path.join(lib, 'cli.cjs'), 'utf8');
  // The sources are modules; what is no module is not strict by itself.
  for (const name of ['cli.cjs', 'cli/all.cjs', 'cli/box.cjs', 'cli/rules.cjs'])
    expect(readFileSync(path.join(lib, name), 'utf8')).toMatch(/^"use strict";\n/);
  const loaded = requiredBy(text);
  expect(loaded).toContain('node:net');
  expect(loaded.filter((name) => !name.startsWith('node:'))).toEqual([]);
  // Each takes milliseconds to load.
  for (const name of ['node:http', 'node:fs/promises']) expect(loaded).not.toContain(name);
  expect(Buffer.byteLength(text)).toBeLessThan(PROGRAMS_BYTES);
  // unbash's.
  const PARSER = 'class Lexer';
  const rules = readFileSync(path.join(lib, 'cli/rules.cjs'), 'utf8');
  expect([rules.includes(PARSER), text.includes(PARSER)]).toEqual([true, false]);
  // `rules` commits nothing.
  const byRules = requiredBy(rules);
  expect(byRules).toContain('./rule-set.cjs');
  for (const name of ['all', 'box', 'list', 'with-session', 'stage', 'outcome'])
    expect(byRules).not.toContain(`./${name}.cjs`);
});

/** What is indented is loaded when it is needed. */
function requiredBy(text: string): string[] {
  return [...text.matchAll(/^\S.*require\("([^"]+)"\)/gm)].map(([, name = '']) => name);
}
