/** Processes of the sandbox write while the host's change of the same file is replayed. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { replay } from '../jobs/replay.ts';
import { isQuiet } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { clearQuiet } from './kept-entries.ts';

let s: TestSession;
afterEach(async () => await s.close());

const FILES = 60;
const names = Array.from({ length: FILES }, (_, i) => `f${i}`);

/** Runs each line of `writer` for every file ($f), in random order, while the host changes them all. */
async function race(writer: string): Promise<void> {
  s = await testSession();
  s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
  const at = (name: string): string => path.join(s.project, name);
  for (const name of names) writeFileSync(at(name), 'old\n');
  const go = path.join(s.base, 'go');
  const child = s.start(
    `cat f* >/dev/null; echo ready; until [ -e '${go}' ]; do :; done; for f in ${names.join(' ')}; do ${writer} || echo "failed $f"; done 2>&1; echo over; read -r _`,
  );
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, { timeout: 30_000 }).toContain('ready');
  writeFileSync(go, '');
  const paths = names.map((name) => fromText(at(name)));
  for (let n = 0; !said.includes('over') || n < 3; n++) {
    for (const name of names) writeFileSync(at(name), `host ${n}\n`);
    // From both ends, so that they meet.
    for (const list of [paths.slice(FILES / 2), paths.slice(0, FILES / 2).reverse()])
      await replay(s.ctx, { paths: list, everything: false });
  }
  // A write may fail, but not succeed and get lost.
  expect(said.replace(/^(ready|over)$/gm, '').trim()).toBe('');
  const closed = once(child, 'close');
  child.stdin?.end('\n');
  await closed;
}

async function versions(): Promise<string> {
  return (await s.call('cat *')).stdout;
}

it.each([
  ['append and close', 'echo "mine $f" >> $f'],
  ['write anew in place', 'echo "mine $f" > $f'],
  ['open first, write later', '{ sleep 0.002; echo "mine $f"; } >> $f'],
  [
    'open for both, through another name',
    'ln $f l-$f; echo "mine $f" >> l-$f; cat l-$f > /dev/null; rm l-$f',
  ],
])('none of what they write is lost: %s', async (_name, writer) => {
  await race(writer);
  await withLock(s, async () => {
    expect(await isQuiet(s.ctx)).toBe(true);
    clearQuiet(s.ctx);
  });
  // The text before it may be torn: the host wrote in place during the copy-up.
  const found = await versions();
  expect(names.filter((name) => !found.includes(`mine ${name}\n`))).toEqual([]);
  expect((await s.call('ls -d .trai-replay 2>&1')).stdout).toContain('No such file');
  for (const name of names) expect(readFileSync(path.join(s.project, name), 'utf8')).toMatch(/^host \d+\n$/);
});
