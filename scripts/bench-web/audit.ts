/** The page of all decisions, with a hundred thousand of them in the logs of real sessions. */
import type { Browser, Page } from '@playwright/test';
import { linesOf, type Made, putSession } from '../../testing/rules/decisions.ts';
import type { Result } from '../bench/table.ts';
import { makeTrai, type Trai } from '../lib/trai.ts';
import { withBrowser } from './browser.ts';
import { keystrokes, noteFirst, now, openPage } from './measure.ts';
import { address } from './trai.ts';

const SESSIONS = 40;
const ROW = '.audit-table tbody tr';
const LIMIT_MS = 120_000;
/** The product's target, for a page with 100,000 decisions. */
const TARGET_MS = 1_000;

const RULE = {
  decision: 'ask',
  by: 'rule',
  rule: '/home/kim/.config/trai/rules.json ask[0]',
  hash: 'a',
} as const;
const KINDS: readonly Pick<Made, 'command' | 'said'>[] = [
  { command: 'npm test -- --run', said: { decision: 'allow', by: 'read-only', rule: 'read-only' } },
  { command: 'git push origin main', said: RULE },
  { command: 'rm -rf build', said: { ...RULE, decision: 'deny' } },
  { command: 'cat README.md | head -40' },
];

async function fill(on: Trai, decisions: number): Promise<void> {
  const each = Math.ceil(decisions / SESSIONS);
  for (let session = 0; session < SESSIONS; session++) {
    const calls = Array.from({ length: each }, (_, i): Made => {
      const n = session * each + i;
      const { command, said = {} } = KINDS[n % KINDS.length] ?? { command: 'true' };
      const at = new Date(Date.now() - (decisions - n) * 5_000).toISOString();
      return { command: `${command} ${n % 500}`, said, at, rc: said.decision === 'deny' ? null : 0 };
    });
    await putSession(on.state, `audit${session}`, linesOf(calls, `s${session}-`), on.project);
  }
}

/** From the start of the navigation until the first row is on the screen, with a server and a browser that are warm. */
async function firstRow(page: Page, reload: () => Promise<unknown>): Promise<number> {
  await reload();
  await page.waitForFunction(() => window.benchFirst, undefined, { timeout: LIMIT_MS });
  return await page.evaluate(() => window.benchFirst ?? Number.NaN);
}

/** The command waits five seconds for a server, which reads all logs first. */
async function patientAddress(on: Trai): Promise<string> {
  for (const until = now() + LIMIT_MS; ; ) {
    try {
      return await address(on, 'audit0');
    } catch (error) {
      if (now() > until) throw error;
    }
  }
}

/** @param rounds page loads */
export async function benchAudit(decisions: number, rounds: number): Promise<Result[]> {
  const on = makeTrai('bench-audit');
  await fill(on, decisions);
  return await withBrowser(async (browser: Browser) => {
    const began = now();
    const { page } = await openPage(browser, await patientAddress(on), ROW_OR_PAGE, LIMIT_MS);
    const started = now() - began;
    await noteFirst(page, ROW);
    await page.evaluate(() => (location.hash = '#/audit'));
    const first = await firstRow(page, () => page.reload({ waitUntil: 'commit' }));
    const loads: number[] = [];
    for (let round = 0; round < rounds; round++)
      loads.push(await firstRow(page, () => page.reload({ waitUntil: 'commit' })));
    const keys = await keystrokes(page, 'input[type=search]', 'm');
    const chosen = await page.evaluate(async () => {
      const began = performance.now();
      const select = document.querySelector<HTMLSelectElement>('.audit-filter select');
      if (select === null) return Number.NaN;
      const counts = () => document.querySelector('.audit-counts')?.textContent;
      const before = counts();
      select.value = 'ask';
      select.dispatchEvent(new Event('change', { bubbles: true }));
      while (counts() === before) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - began;
    });
    const what = `audit with ${decisions.toLocaleString('en')} decisions`;
    const row = { unit: 'ms', peer: null } as const;
    return [
      { what: `${what}, start of the server`, values: [started], target: null, ...row },
      { what: `${what}, first time`, values: [first], target: null, ...row },
      { what: `${what}, first row`, values: loads, target: TARGET_MS, ...row },
      { what: `${what}, key to paint`, values: keys, target: 50, ...row },
      { what: `${what}, another decision`, values: [chosen], target: null, ...row },
    ];
  });
}

/** Whatever the page of the session shows first. */
const ROW_OR_PAGE = 'main :is(section, .page, [role=tree], .empty, h1, h2)';
