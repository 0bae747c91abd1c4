import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrant } from '../core/session/grants.ts';
import type { SessionProcess } from '../shared/model/process.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const left = (command: string) => `(${command} < /dev/null > /dev/null 2>&1 &)`;
function list(): SessionProcess[] {
  const parsed: { processes: SessionProcess[] } = JSON.parse(place.trai(['ps', '--json']).out);
  return parsed.processes;
}
async function running(count: number): Promise<SessionProcess[]> {
  await expect
    .poll(() => list().filter(({ command }) => command.startsWith('sleep')).length, { timeout: 30_000 })
    .toBe(count);
  return list();
}
const log = () => readFileSync(join(place.state, 'sessions/s/calls.jsonl'), 'utf8');

describe('trai ps', () => {
  it('lists what runs under the call that started it', async () => {
    place.sh(`${left('setsid sleep 301')}; ${left('sleep 302')}`);
    const processes = await running(2);
    const [call] = new Set(processes.map((one) => one.call));
    const { out } = place.trai(['ps']);
    expect(out).toContain('2 processes of session s running\n');
    expect(out).toContain(`(call ${call}, ended, started at `);
    for (const { pid, command } of processes) expect(out).toMatch(new RegExp(`^ +${pid} .*${command}$`, 'm'));
    expect(out).not.toContain('not known');
  });

  it('what one of them writes after a list of sessions is in the next list', async () => {
    const added = (): unknown => JSON.parse(place.trai(['sessions', '--json']).out).sessions[0].counts.added;
    const go = join(place.base, 'go');
    place.sh(`echo 1 > one; ${left(`{ while [ ! -e '${go}' ]; do sleep 0.1; done; echo 2 > two; }`)}`);
    expect(added()).toBe(1);
    place.trai(['log']);
    writeFileSync(go, '');
    await expect.poll(list, { timeout: 30_000 }).toEqual([]);
    expect(added()).toBe(2);
  });

  it('says so when nothing runs', () => {
    place.sh('true');
    expect(place.trai(['ps'])).toEqual({ rc: 0, out: 'No processes of session s are running.\n', err: '' });
    expect(place.trai(['ps', '--end'])).toEqual({ rc: 0, out: 'Nothing to end.\n', err: '' });
  });
});

describe('trai ps --end', () => {
  it('ends the named process, then all; each order is in the log', async () => {
    place.sh(`${left('sleep 301')}; ${left('sleep 302')}`);
    const [one, other] = await running(2);
    expect(place.trai(['ps', '--end', String(one?.pid)])).toEqual({
      rc: 0,
      out: `Ended 1 process: ${one?.pid}\n`,
      err: '',
    });
    expect(list().map(({ pid }) => pid)).toEqual([other?.pid]);
    expect(place.trai(['ps', '--end']).out).toBe(`Ended 1 process: ${other?.pid}\n`);
    expect(list()).toEqual([]);
    const orders = log()
      .split('\n')
      .filter((line) => line.includes('"state":"ending"'));
    expect(orders.map((line) => JSON.parse(line).pids)).toEqual([[one?.pid], [other?.pid]]);
    expect(place.trai(['discard', '--yes']).rc).toBe(0);
  });

  it('ends nothing when one of them is no process of the session', async () => {
    place.sh(left('sleep 301'));
    const [one] = await running(1);
    const refused = place.trai(['ps', '--end', String(one?.pid), String(process.pid)]);
    expect(refused).toMatchObject({ rc: 1, out: '' });
    expect(refused.err).toContain(`${process.pid} is no process of session s; nothing was ended`);
    expect(list()).toHaveLength(1);
  });

  it.each([
    [['ps', '12'], 'say --end PID'],
    [['ps', '--end', 'all'], 'expected a process number'],
    [['ps', '--end', '-1'], 'unknown option "-1"'],
    [['ps', '--end', '0'], 'expected a process number'],
  ])('`trai %j` is wrong usage', (args, message) => {
    place.sh('true');
    const result = place.trai(args);
    expect(result).toMatchObject({ rc: 2, out: '' });
    expect(result.err).toContain(message);
  });
});

describe('below a Claude client', () => {
  const below = { CLAUDECODE: '1', CLAUDE_PID: '1' };

  it('it lists, and ends only with the permit that typing leaves: once, and what was typed', async () => {
    place.sh(`${left('sleep 301')}; ${left('sleep 302')}`);
    const [one, other] = await running(2);
    expect(place.trai(['ps'], below).rc).toBe(0);
    const refused = place.trai(['ps', '--end'], below);
    expect(refused).toMatchObject({ rc: 1, out: '' });
    expect(refused.err).toContain('only the user may end processes');
    expect(place.trai(['ps', '--end', '--from-prompt'], below).rc).toBe(1);
    expect(list()).toHaveLength(2);
    await openGrant(join(place.state, 'sessions/s'), { kind: 'permit', what: `ps --end ${one?.pid}` });
    expect(place.trai(['ps', '--from-prompt'], below)).toMatchObject({ rc: 0 });
    expect(list().map(({ pid }) => pid)).toEqual([other?.pid]);
    expect(place.trai(['ps', '--from-prompt'], below).rc).toBe(1);
  });
});
