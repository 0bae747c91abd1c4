/**
 * The import rule of CONTRIBUTING.md, read off the sources: which layer may import which, and no cycle of files or folders.
 * Tests, benches and scripts are free, since nothing that ships imports them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What each top folder may import beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: [],
  web: ['shared'],
  core: ['shared'],
  server: ['core', 'shared'],
  cli: ['core', 'shared'],
};

/** The folders of core/, from the bottom up: each imports itself and what stands before it. */
const CORE = [
  'kernel',
  'session',
  'sandbox',
  'box',
  'overlay',
  'scan',
  'content',
  'attribution',
  'decide',
  'rules',
  'commit',
  'live-sync',
  'git-rescue',
  'export',
  'jobs',
];

export interface Import {
  from: string;
  to: string;
}

const posix = path.posix;
const SHIPS = /\.tsx?$/;
const NEVER_SHIPS = /\.(test|spec|testing|fixture)\.tsx?$/;

/** The sources that ship, as paths below `root`, with their texts. */
export function sourcesOf(root: string): { name: string; text: string }[] {
  const names = Object.keys(MAY_IMPORT).flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(top, name))
      .filter((name) => SHIPS.test(name) && !NEVER_SHIPS.test(name)),
  );
  return names.map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));
}

/** The imports between the sources that ship. */
export function importsOf(root: string): Import[] {
  return sourcesOf(root).flatMap(({ name: from, text }) => {
    return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^'?]+)/g)].map(([, to = '']) => ({
      from,
      to: posix.join(posix.dirname(from), to),
    }));
  });
}

/** Why an import is against the layers, or null. */
export function offence({ from, to }: Import): string | null {
  const [source = '', area = ''] = from.split('/');
  const [target = '', other = ''] = to.split('/');
  // The version of the build stands in package.json.
  if (target === source || to === 'package.json') {
    const upwards = source === 'core' && CORE.indexOf(other) > CORE.indexOf(area);
    return upwards ? `core/${area} may not import core/${other}` : null;
  }
  return MAY_IMPORT[source]?.includes(target) ? null : `${source}/ may not import ${target}/`;
}

/** The groups of more than one node that reach each other; each sorted. (Tarjan's strongly connected components.) */
export function cyclesOf(imports: readonly Import[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): void => {
    const own = index.size;
    index.set(node, own);
    low.set(node, own);
    stack.push(node);
    for (const to of next.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node) ?? own, low.get(to) ?? own));
    }
    if (low.get(node) !== own) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return cycles;
}
