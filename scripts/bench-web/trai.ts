/** The dashboard on a real server and a real session. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { makeTrai, startInSession, startServer, type Trai, trai } from '../lib/trai.ts';
import { OPENED, writeBase, writeChanges } from './changes.ts';
import {
  keystrokes,
  openPage,
  type PageFigures,
  pageSize,
  type ScrollFigures,
  scrollBox,
} from './measure.ts';

export interface TraiFigures extends PageFigures {
  keys: number[];
  /** From a click on a file until its diff is on the screen (ms). */
  open: number;
  /** From the start of the navigation to that file's address until its diff is (ms). */
  firstDiff: number;
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

export interface TraiBench {
  measure(browser: Browser, entries: number): Promise<TraiFigures>;
  stop(): Promise<void>;
}

/** One server for all sizes; each has a session and a project of its own. */
export async function startTrai(): Promise<TraiBench> {
  const on = makeTrai('bench-web');
  const server = await startServer(on);
  return {
    stop: async () => void (await server.stop()),
    measure: async (browser, entries) => {
      const project = path.join(on.project, `p${entries}`);
      writeBase(project);
      const session = `s${entries}`;
      await fill({ ...on, project }, session, entries);
      const figures = await measure(browser, { ...on, project }, session);
      return { ...figures, server: memoryOf(server.pid) };
    },
  };
}

/** The changes are written outside of the project first, and copied over by one command of the session. */
async function fill(on: Trai, session: string, entries: number): Promise<void> {
  const from = path.join(path.dirname(on.project), `from-${entries}`);
  mkdirSync(path.join(from, 'app'), { recursive: true });
  writeChanges(from, entries);
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
async function address(on: Trai, session: string): Promise<string> {
  const { status, text } = await trai(on, ['ui', '--session', session, '--print', '--json']);
  const url = /http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/.exec(text)?.[0];
  if (status !== 0 || url === undefined)
    throw new Error(`trai ui: exit status ${status}, no address: ${text}`);
  return url;
}

type PageOf = Omit<TraiFigures, 'server'>;

async function measure(browser: Browser, on: Trai, session: string): Promise<PageOf> {
  // The first look at a session is a scan, which has a figure of its own (npm run bench): it is not measured here.
  const warm = await openPage(browser, await address(on, session), ROW, FIRST_LOOK_MS);
  await warm.page.close();
  const { page, paint } = await openPage(browser, await address(on, session), ROW, LIMIT_MS);
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
  const here = page.url().replace(/^[^#]*/, '');
  const origin = new URL(page.url()).origin;
  const firstDiff = await openAgain(page, `${origin}/${here}`);
  await page.close();
  return { paint, ...size, keys, open, firstDiff, scroll, listBytes };
}

/** The same tab has the credential: a load at the file's address is what a deep link costs. */
async function openAgain(page: Page, url: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit', timeout: LIMIT_MS });
  return await page.evaluate(async (line) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (document.querySelector(line) === null) await frame();
    await frame();
    return performance.now();
  }, LINE);
}
