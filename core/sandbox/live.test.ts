import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { asRoot, testSession } from '../../testing/changes/changes.ts';
import { mountedSources } from './live.ts';

const TRIES = 40;
const UNSHARE = `exec unshare ${asRoot ? '' : '--user --map-root-user'} --mount bash -c 'echo up; read'`;
const numberOf = (pid: number) => readlinkSync(`/proc/${pid}/ns/mnt`);

/** Whether the walk found a process of a new namespace in the session; null when that got another number. */
async function lookWhileTheNumberIsReused(): Promise<boolean | null> {
  const s = testSession();
  const live = await s.live('echo ready; read');
  // There when the walk begins.
  const late = spawn('bash', ['-c', `echo there; read; ${UNSHARE}`], { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    await once(late.stdout, 'data');
    const walk = mountedSources();
    const found = [];
    let number: string | null = null;
    for (const one of walk) {
      found.push(one);
      if (number !== null || !one.sources.has(s.ctx.source)) continue;
      number = numberOf(one.pid);
      await live.stop();
      late.stdin.write('\n');
      await once(late.stdout, 'data');
    }
    if (number === null || late.pid === undefined || numberOf(late.pid) !== number) return null;
    return found.some(({ pid, sources }) => pid === late.pid && sources.has(s.ctx.source));
  } finally {
    late.kill('SIGKILL');
    await live.stop();
    s.remove();
  }
}

it(`a process is in no session whose namespace ended while all were looked at, as ${asRoot ? 'root' : 'an ordinary user'}`, async (ctx) => {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await lookWhileTheNumberIsReused();
    if (found === null) continue;
    expect(found).toBe(false);
    return;
  }
  ctx.skip(`no new namespace got the number of the ended one in ${TRIES} tries`);
}, 120_000);
