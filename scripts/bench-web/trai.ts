/** The dashboard on a real server and a real session. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { pause } from '../lib/exec.ts';
import { makeTrai, startInSession, type Trai, trai } from '../lib/trai.ts';
import { type ChangeSet, OPENED, writeBase, writeChanges } from './changes.ts';
import {
  keystrokes,
  now,
  openPage,
  type PageFigures,
  pageSize,
  type ScrollFigures,
  scrollBox,
} from './measure.ts';

export interface ColdFigures {
  /** The command alone: the server's start, and the code for the tab (ms). */
  command: number;
  /** From the command that is typed until the first line of a diff is on the screen, in a browser that is cold (ms). */
  firstLine: number;
}

export interface TraiFigures extends PageFigures {
  keys: number[];
  /** From a click on a file until its diff is on the screen (ms). */
  open: number;
  /** From the start of the navigation to the list's address until its first row is on the screen, browser warm (ms). */
  list: number;
  scroll: ScrollFigures;
  /** Of the answer with the list (bytes). */
  listBytes: number;
  /** Of the server with this list and those before it (MB): now, and the most that it ever took. */
  server: { rss: number; most: number };
}

const LIMIT_MS = 60_000;
/** The first scan of 300,000 entries on a busy machine is waited for. */
const FIRST_LOOK_MS = 600_000;
const ROW = '[role=tree] [role=treeitem]';
const LINE = 'table.diff tr.line';

/** One session with its changes. */
export interface TraiBench {
  /** Ends the server of the sessions first, so that the command starts one, as difit's does. */
  coldStart(browser: Browser): Promise<ColdFigures>;
  measure(browser: Browser): Promise<TraiFigures>;
}

/** Returns what makes a session, in a project of its own; before a browser is started. */
export function startTrai(): (session: string, changes: ChangeSet) => Promise<TraiBench> {
  const all = makeTrai('bench-web');
  return async (session, changes) => {
    const on = { ...all, project: path.join(all.project, session) };
    writeBase(on.project, changes);
    await fill(on, session, changes);
    const coldStart: TraiBench['coldStart'] = async (browser) => {
      await stopServer(on.state);
      return await toFirstLine(browser, on, session);
    };
    const measure: TraiBench['measure'] = async (browser) => {
      // The first scan is not among the figures.
      await coldStart(browser);
      const figures = await measurePage(browser, on, session);
      return { ...figures, server: memoryOf(serverPid(on.state) ?? -1) };
    };
    return { coldStart, measure };
  };
}

function serverPid(state: string): number | null {
  try {
    const json: unknown = JSON.parse(readFileSync(path.join(state, 'server.json'), 'utf8'));
    const pid: unknown = json !== null && typeof json === 'object' ? Reflect.get(json, 'pid') : null;
    return typeof pid === 'number' ? pid : null;
  } catch {
    return null;
  }
}

async function stopServer(state: string): Promise<void> {
  const pid = serverPid(state);
  if (pid === null) return;
  try {
    process.kill(pid, 'SIGTERM');
    while (process.kill(pid, 0)) await pause(50);
  } catch {
    // Gone.
  }
}

/** The changes are written outside of the project first, and copied over by one command of the session. */
async function fill(on: Trai, session: string, changes: ChangeSet): Promise<void> {
  const from = path.join(path.dirname(on.project), `from-${session}`);
  mkdirSync(from);
  writeChanges(from, changes);
  const { status } = await startInSession(on, session, `cp -r '${from}/.' .`, 'ignore').ended;
  if (status !== 0)
    throw new Error(`expected the changes to be copied in the sandbox, exit status ${status}`);
}

/** By the kernel. */
function memoryOf(pid: number): TraiFigures['server'] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_000;
  return { rss: of('VmRSS'), most: of('VmHWM') };
}

/** A fresh address: the code in it works once. */
export async function address(on: Trai, session: string): Promise<string> {
  const { status, text } = await trai(on, ['ui', '--session', session, '--print', '--json']);
  const url = /http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/.exec(text)?.[0];
  if (status !== 0 || url === undefined)
    throw new Error(`trai ui: exit status ${status}, no address: ${text}`);
  return url;
}

type PageOf = Omit<TraiFigures, 'server'>;

async function measurePage(browser: Browser, on: Trai, session: string): Promise<PageOf> {
  const { page, took: list } = await openPage(browser, await address(on, session), ROW, LIMIT_MS);
  // What is fetched behind the list is there: the event stream keeps the network from ever being idle.
  await page.waitForTimeout(1_000);
  const size = await pageSize(page);
  const listBytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/changes'))
      .reduce((most, entry) => Math.max(most, (entry as PerformanceResourceTiming).encodedBodySize), 0),
  );
  const scroll = await scrollBox(page, ROW);
  const keys = await keystrokes(page, 'input[type=search]', 'module_0');
  await page
    .locator(ROW, { hasText: path.basename(OPENED) })
    .first()
    .waitFor();
  const open = await page.evaluate(
    async ([row, name, line]) => {
      const target = [...document.querySelectorAll<HTMLElement>(row ?? '')].find((one) =>
        one.textContent?.includes(name ?? ''),
      );
      const from = performance.now();
      target?.click();
      while (document.querySelector(line ?? '') === null)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - from;
    },
    [ROW, path.basename(OPENED), LINE],
  );
  await page.close();
  return { list, ...size, keys, open, scroll, listBytes };
}

/** The command (it starts the server), the page, the first scan, and the key that opens the first file. */
async function toFirstLine(browser: Browser, on: Trai, session: string): Promise<ColdFigures> {
  const began = now();
  const url = await address(on, session);
  const command = now() - began;
  const { page } = await openPage(browser, url, ROW, FIRST_LOOK_MS);
  // The folded directories of new files come behind it.
  await page.keyboard.press(']');
  const painted = await page.evaluate(async (line) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (document.querySelector(line) === null) await frame();
    await frame();
    return performance.timeOrigin + performance.now();
  }, LINE);
  await page.close();
  return { command, firstLine: painted - began };
}
