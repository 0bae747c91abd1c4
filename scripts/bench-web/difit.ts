/** difit beside it: installed from npm into a cache, at exactly one version, and given the same change set by git. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { atEnd, run } from '../lib/exec.ts';
import { type ChangeSet, writeBase, writeChanges } from './changes.ts';
import { now, openPage, type PageFigures, pageSize, type ScrollFigures, scrollBox } from './measure.ts';

/** What takes longer, or more memory, is given up: nobody waits for it. At 50,000 entries its page went to 10 GB. */
export const DIFIT_LIMITS = { ms: 60_000, mb: 4_000 };
/** Small beside what is measured: the wait for its server is a part of that. */
const ANSWER_STEP_MS = 10;
/** Any line of a diff, in every release so far. */
const LINE = '[id*="-chunk-"][id*="-line-"], [data-diff-line-row]';

export interface DifitFigures extends PageFigures {
  /** From the command that is typed until the first line of a diff is on the screen, in a browser that is cold (ms). */
  firstLine: number;
  scroll: ScrollFigures;
}

export interface Difit {
  /** `difit@VERSION` */
  name: string;
  program: string;
}

/**
 * A release of it, or the newest that the registry has. Installed once; scripts of packages are not run. Throws where npm
 * cannot get it.
 */
export function installDifit(version: string | undefined): Difit {
  const npm = (...args: string[]): string =>
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const name = `difit@${version ?? npm('view', 'difit', 'version').trim()}`;
  const cache = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  const dir = path.join(cache, 'trai-bench-web', name);
  const program = path.join(dir, 'node_modules/difit/dist/cli/index.js');
  if (!existsSync(program)) {
    mkdirSync(dir, { recursive: true });
    npm('install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', dir, name);
  }
  return { name, program };
}

/** Shows a repository's staged changes, and measures that. Throws when they are not there within the limit. */
export async function measureDifit(
  program: string,
  browser: Browser,
  repository: string,
): Promise<DifitFigures> {
  const port = await freePort();
  // From its standard input, which is the one way that wants no terminal and that all releases have.
  const command = 'git diff --cached | exec "$@"';
  const options = ['-', '--no-open', '--host', '127.0.0.1', '--port', String(port)];
  const began = now();
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, program, ...options], {
    cwd: repository,
    detached: true,
    // Vite, which runs this script, says `development`, and difit then serves no page.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
  try {
    const url = `http://127.0.0.1:${port}/`;
    await answering(url, Date.now() + DIFIT_LIMITS.ms);
    const { page, painted } = await openPage(browser, url, LINE, DIFIT_LIMITS.ms);
    try {
      const size = await pageSize(page);
      return { firstLine: painted - began, ...size, scroll: await scrollBox(page, LINE) };
    } finally {
      await page.close();
    }
  } finally {
    if (child.exitCode === null) end();
    await ended;
  }
}

/** Stages the change set in a repository of its own, and returns where that is. */
export function makeRepository(changes: ChangeSet): string {
  const base = mkdtempSync(path.join(tmpdir(), 'trai-difit-'));
  atEnd(async () => void (await run('rm', ['-rf', base], { cwd: '/', output: 'ignore' })));
  const repository = path.join(base, 'repository');
  mkdirSync(repository);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', ...args], {
      cwd: repository,
      stdio: 'ignore',
    });
  git('init', '-q');
  writeBase(repository, changes);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'before');
  writeChanges(repository, changes);
  git('add', '-A');
  return repository;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function answering(url: string, until: number): Promise<void> {
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_STEP_MS));
  }
  throw new Error(`difit did not answer within ${DIFIT_LIMITS.ms / 1000} s`);
}
