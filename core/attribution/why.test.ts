import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { WhyPath } from '../../shared/model/why.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { recordBases } from '../overlay/bases.ts';
import { endProcesses, liveProcesses } from '../sandbox/live.ts';
import { scan } from '../scan/scan.ts';
import { appendEvent } from '../session/log/append.ts';
import { type CoveredDir, coveringDir, upperPath } from '../session/session-context.ts';
import { whyPath } from './why.ts';

let session: TestSession;
beforeEach(async () => {
  session = await testSession();
});
afterEach(async () => {
  await session.close();
});

const onHost = (name: string): string => join(session.project, name);
/** Its own covered directory, or one above it where TMPDIR is not scratch. */
function projectPlace(): CoveredDir {
  const covered = coveringDir(session.ctx.coveredDirs, session.ctx.projectRoot);
  if (covered === null) throw new Error('the project is in no place');
  return covered;
}
async function why(path: string): Promise<WhyPath> {
  return await whyPath(session.ctx, await scan(session.ctx), fromText(path));
}
/** A call with its base records, and a gap longer than a clock tick, so that calls do not overlap. */
async function call(command: string): Promise<void> {
  await session.call(command);
  await recordBases(session.ctx);
  await sleep(60);
}
const writers = (found: WhyPath) =>
  found.writes.map(({ what, writers: all }) => `${what} ${all.map((one) => one.call).join(' ')}`);

describe('which call wrote it', () => {
  it('is told by the times of the entry: who made it, and who changed it last', async () => {
    writeFileSync(onHost('kept'), 'old\n');
    // Certainly older than the call, in spite of coarse file system clocks.
    await sleep(60);
    await call('echo 1 > made; echo 1 > kept');
    await call('echo 2 >> made');
    await call('chmod 600 made; true');
    await call('echo 2 >> kept');
    expect(writers(await why(onHost('made')))).toEqual(['changed c3', 'made c1']);
    const kept = await why(onHost('kept'));
    expect(kept).toMatchObject({
      change: { kind: 'modified' },
      notPending: null,
      base: 'known',
      baseHost: { size: 4 },
      host: { size: 4 },
      upper: { size: 4 },
      place: { kind: 'covered', path: projectPlace().path },
    });
    expect(writers(kept)).toEqual(['changed c4', 'earlier c1']);
    expect(kept.writes[0]?.writers[0]).toMatchObject({ session: 's1', by: 'command' });
    await call('echo x > own; sleep 0.05; echo y >> own');
    expect(writers(await why(onHost('own')))).toEqual(['changed c5']);
  });

  it('of two that ran at the same time: both are named', async () => {
    const first = session.start('echo up > up; while [ ! -e stop ]; do sleep 0.05; done');
    await expect
      .poll(async () => (await scan(session.ctx)).changes.length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    await session.call('echo x > made; touch stop');
    if (first.exitCode === null) await new Promise((resolve) => first.once('close', resolve));
    expect(writers(await why(onHost('made')))[0]).toBe('changed c1 c2');
  });

  it('of a process that a call left behind: that call', async () => {
    await session.call(
      "(sh -c 'until [ -e go ]; do sleep 0.05; done; echo late > late; sleep 300' </dev/null >/dev/null 2>&1 &)",
    );
    const pids = (await liveProcesses(session.ctx.source)).map(({ pid }) => pid);
    appendEvent(session.sessionDir, {
      v: 1,
      at: new Date().toISOString(),
      t: 'call.left',
      call: 'c1',
      pids,
    });
    await sleep(60);
    await session.call('touch go');
    await expect
      .poll(async () => (await why(onHost('late'))).change?.kind, { timeout: 30_000 })
      .toBe('added');
    const { writes } = await why(onHost('late'));
    expect(writes[0]?.writers[0]).toMatchObject({ call: 'c1', by: 'process' });
    await endProcesses(session.ctx.source);
  });

  it('deleted it lies between the times of what held it, and no other call of that time is left out', async () => {
    for (const name of ['a/x', 'a/y', 'b/deep/z', 'c/w']) {
      mkdirSync(join(onHost(name), '..'), { recursive: true });
      writeFileSync(onHost(name), 'old\n');
    }
    await call('rm a/x');
    await call('rm -r b');
    await call('rm -r c; mkdir c; echo new > c/v');
    await call('rm a/y');
    const named = async (name: string) =>
      (await why(onHost(name))).writes.flatMap((write) => write.writers.map((one) => one.call));
    expect(await named('a/x')).toContain('c1');
    expect(await named('b/deep/z')).toContain('c2');
    expect(await named('c/w')).toContain('c3');
    expect(await named('a/y')).toContain('c4');
    expect((await why(onHost('a/x'))).writes.map(({ what }) => what)).toEqual(['deleted']);
  });

  it('is nobody of the log when no call was running then', async () => {
    await call('echo x > made');
    const covered = projectPlace();
    await sleep(60);
    writeFileSync(upperPath(covered, fromText(onHost('by-hand'))), 'x');
    expect((await why(onHost('by-hand'))).writes[0]?.writers).toEqual([]);
  });
});

describe('why it is not pending', () => {
  it('nothing ran yet', async () => {
    session.ctx.coveredDirs = [];
    expect((await why(onHost('x'))).notPending).toBe('no-call');
  });

  it('each reason by its name', async () => {
    writeFileSync(onHost('same'), 'x\n');
    writeFileSync(onHost('host'), 'x\n');
    mkdirSync(onHost('dir'));
    session.ctx.excluded.push(fromText(onHost('client')));
    await call('exec 3<>same; exec 3>&-; echo x > dir/in; echo x > client; echo x > made');
    const reasons: Record<string, string | null> = {};
    for (const name of ['same', 'host', 'dir', 'client', 'nothing', 'nothing/below', 'made'])
      reasons[name] = (await why(onHost(name))).notPending;
    expect(reasons).toEqual({
      'same': 'same',
      'host': 'untouched',
      'dir': 'below',
      'client': 'client',
      'nothing': 'absent',
      'nothing/below': 'absent',
      'made': null,
    });
    expect((await why(onHost('dir'))).below).toBe(1);
    expect((await why(`${session.state}/server.json`)).notPending).toBe('state');
    expect((await why(projectPlace().path)).notPending).toBe('place');
    const scratch = await why('/tmp/trai-why-test');
    expect([scratch.notPending, scratch.place.kind]).toEqual(['direct', 'direct']);
  });

  it('an ignored entry is pending, with its rule', async () => {
    session.ctx.ignore = ['cache/'];
    await call('mkdir cache; echo x > cache/x');
    expect((await why(onHost('cache/x'))).change).toMatchObject({ ignored: 'cache/' });
  });

  it('a name of every odd byte', async () => {
    await call("printf x > $'\\377\\033name'");
    const path = `${fromText(session.project)}/\xff\x1bname` as BytePath;
    const found = await whyPath(session.ctx, await scan(session.ctx), path);
    expect(found.change?.kind).toBe('added');
    expect(writers(found)[0]).toBe('changed c1');
  });
});
