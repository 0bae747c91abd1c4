import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { CHROMIUM_MISSING, chromiumArgs, findChromium } from '../lib/chromium.ts';
import { pause } from '../lib/exec.ts';
import { PLUGIN_DIST } from '../lib/root.ts';
import { makeTrai, startInSession, startServer, type Trai, trai } from '../lib/trai.ts';
import type { Result } from './table.ts';
import { timed } from './timing.ts';

const SESSION = 'bench';
const PAINT_ROUNDS = 5;
const PAINT_TIMEOUT_MS = 60_000;

/** Resident memory of a process, in MB. */
function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** A fresh address of the dashboard: the code in it works once. */
async function dashboardUrl(on: Trai): Promise<string> {
  const { status, text } = await trai(on, ['ui', '--session', SESSION, '--print', '--json']);
  const url = /http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/.exec(text)?.[0];
  if (status !== 0 || url === undefined)
    throw new Error(`trai ui --print --json: exit status ${status}, no address: ${text}`);
  return url;
}

/** Milliseconds from the start of the navigation until the first row of the change tree is on the screen. */
async function paintTimes(on: Trai, executablePath: string): Promise<number[]> {
  const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
  try {
    const times: number[] = [];
    for (let round = -1; round < PAINT_ROUNDS; round += 1) {
      const page = await browser.newPage();
      const url = await dashboardUrl(on);
      const ms = await timed(async () => {
        await page.goto(url);
        await page.getByRole('treeitem').first().waitFor({ timeout: PAINT_TIMEOUT_MS });
      });
      if (round >= 0) times.push(ms);
      await page.close();
    }
    return times;
  } finally {
    await browser.close();
  }
}

/** The resident server's memory, idle and with many pending files, and the first paint of such a session. */
export async function benchServer(files: number): Promise<Result[]> {
  const names = [
    'server, resident, idle',
    `server, resident, ${files} pending`,
    `first paint, ${files} pending`,
  ] as const;
  if (!existsSync(path.join(PLUGIN_DIST, 'lib/server.mjs'))) {
    return names.map((what) => ({ what, skipped: 'dist/plugin/lib/server.mjs has not been built' }));
  }
  const on = makeTrai('bench');
  const server = await startServer(on);
  await pause(2_000);
  const idle = residentMb(server.pid);
  const command = `for d in $(seq 1 ${Math.ceil(files / 100)}); do mkdir -p new/$d; for f in $(seq 1 100); do echo $f >new/$d/$f.js; done; done`;
  const { status } = await startInSession(on, SESSION, command, 'ignore').ended;
  if (status !== 0) throw new Error(`expected the files to be written in the sandbox, exit status ${status}`);
  const results: Result[] = [{ what: names[0], values: [idle], unit: 'MB', target: 100, peer: null }];
  const executablePath = findChromium();
  if (executablePath === null) {
    results.push({ what: names[2], skipped: CHROMIUM_MISSING });
  } else {
    const values = await paintTimes(on, executablePath);
    results.push({ what: names[2], values, unit: 'ms', target: 1_500, peer: null });
  }
  results.push({ what: names[1], values: [residentMb(server.pid)], unit: 'MB', target: 300, peer: null });
  await server.stop();
  return results;
}
