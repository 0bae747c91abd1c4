/** What a replay does to directories must not look like the sandbox's change. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { replay } from '../jobs/replay.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { scan } from '../scan/scan.ts';

let s: TestSession;
afterEach(async () => await s.close());

async function live(lines: string, inside: string): Promise<void> {
  s = await testSession();
  s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
  onHost(lines);
  const child = s.start(`${inside}; echo ready; read -r _`);
  let said = '';
  for (; !said.includes('ready\n'); ) {
    const [chunk] = await once(child.stdout ?? expect.fail('no output'), 'data');
    said += String(chunk);
  }
}

const at = (name: string): string => path.join(s.project, name);
const onHost = (lines: string): void =>
  void execFileSync('bash', ['-ec', lines], { cwd: s.project, stdio: 'pipe' });
const replayed = async (...names: string[]) => {
  const paths: BytePath[] = names.map((name) => fromText(at(name)));
  return await replay(s.ctx, { paths, everything: false });
};
const pending = async (): Promise<string[]> =>
  (await scan(s.ctx)).changes.flatMap(({ kind, path: one, conflict }) =>
    isWithin(one, s.ctx.projectRoot)
      ? [`${kind} ${one.slice(s.ctx.projectRoot.length + 1)} ${conflict}`]
      : [],
  );

it('a directory that the host made a file stays one: what was in it is not taken away one by one', async () => {
  await live('mkdir -p d/e; echo 1 > d/k; echo 1 > d/e/h', 'cat d/k d/e/h');
  onHost('rm -r d; echo file > d');
  await replayed('d', 'd/k', 'd/e', 'd/e/h');
  expect(await pending()).toEqual([]);
});

it('a directory that the sandbox works in, and that the host gives another mode, does not lose that unasked', async () => {
  await live('mkdir d; echo 1 > d/k; chmod 755 d', 'echo n > d/n; cat d/k');
  onHost('chmod 710 d; echo 2 > d/k');
  await replayed('d/k', 'd');
  // Whether the sandbox set the old mode is unknown.
  expect(await pending()).toEqual(['meta d unknown-base', 'added d/n null']);
});

it('a directory that the host replaced has the mode of the new one, also where a process has the old one open', async () => {
  await live('mkdir d; echo 1 > d/k; chmod 755 d', 'ls d; exec 3< d');
  onHost('mkdir new; chmod 710 new; mv d gone; mv new d');
  await replayed('d');
  expect(await pending()).toEqual([]);
});

it('a directory that a replay copied up is no change when the host gives it another mode later', async () => {
  await live('mkdir d; echo 1 > d/k; chmod 755 d', 'ls d');
  onHost('echo 2 > d/new');
  await replayed('d');
  onHost('chmod 710 d');
  expect(await pending()).toEqual([]);
});

it('a mode that the sandbox gives a directory at the moment of a replay is not taken back', async () => {
  await live('mkdir d; echo 1 > d/k; chmod 755 d', 'ls d');
  onHost('echo 2 > d/new');
  const { openDir } = nodePort;
  let hit = 0;
  // Opens the directory between the check and the chmod, by the path that the sandbox has.
  nodePort.openDir = (dir) => {
    const fd = openDir(dir);
    if (!dir.endsWith('/d') || !dir.startsWith('/proc/')) return fd;
    hit++;
    chmodSync(dir, 0o700);
    return fd;
  };
  try {
    await replayed('d');
  } finally {
    nodePort.openDir = openDir;
  }
  expect(hit).toBeGreaterThan(0);
  expect(await pending()).toEqual([expect.stringMatching(/^meta d /)]);
});
