/** A fresh browser for each measurement, and an end for one that takes too much. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from '@playwright/test';
import { CHROMIUM_MISSING, chromiumArgs, findChromium } from '../lib/chromium.ts';
import { atEnd } from '../lib/exec.ts';

export interface Limits {
  ms: number;
  /** Of all processes of the browser together. */
  mb: number;
}

const LOOK_MS = 500;

/** Neither finds a warm cache or a heap of the other. Rejects when a limit is reached: the browser is killed then. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>, limits?: Limits): Promise<T> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(CHROMIUM_MISSING);
  // Its own handling of signals would end this program before endAll() has cleaned up.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  // A server, since only that has a kill: a page that is busy with 10 GB answers no order to close.
  const server = await chromium.launchServer({ executablePath, args: chromiumArgs(), ...signals });
  atEnd(() => server.kill());
  const worked = work(await chromium.connect(server.wsEndpoint()));
  const watch = limits === undefined ? null : watchLimits(server, limits);
  try {
    return await (watch === null ? worked : Promise.race([worked, watch.exceeded]));
  } finally {
    watch?.stop();
    await server.kill();
    // What it was doing ends with an error now, and cleans up after itself.
    await worked.catch(() => {});
  }
}

function watchLimits(server: BrowserServer, { ms, mb }: Limits) {
  const until = Date.now() + ms;
  let timer: NodeJS.Timeout | undefined;
  const exceeded = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const taken = treeMb(server.process().pid ?? -1);
      if (taken > mb) reject(new Error(`its page took ${(taken / 1_000).toFixed(1)} GB`));
      else if (Date.now() > until)
        reject(new Error(`not there after ${ms / 1_000} s, with ${(taken / 1_000).toFixed(1)} GB`));
    }, LOOK_MS);
  });
  return { exceeded, stop: () => clearInterval(timer) };
}

/** Memory of a process and of all below it. */
function treeMb(root: number): number {
  const found = readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? textOrEmpty(`/proc/${name}/status`) : '';
    const of = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return status === '' ? [] : [{ pid: Number(name), parent: of('PPid'), mb: of('VmRSS') / 1_000 }];
  });
  const tree = new Set([root]);
  // A child may have a smaller number than its parent.
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of found) if (tree.has(parent)) tree.add(pid);
  }
  return found.filter(({ pid }) => tree.has(pid)).reduce((sum, { mb }) => sum + mb, 0);
}

/** Empty for a process that has ended. */
function textOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
