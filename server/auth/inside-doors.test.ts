import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { processStat } from '../../core/kernel/proc/proc.ts';
import { InsideDoors } from './inside-doors.ts';

it('the door of a session is closed when its client has ended, and no other one', () => {
  const state = mkdtempSync(join(tmpdir(), 'trai-doors-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const dir = (id: string) => join(state, 'sessions', id);
  const doors = new InsideDoors(state, () => ({ pid: 1, port: 1, version: '' }));
  const start = (id: string): string => {
    const record = { v: 1, pid: process.pid, start: processStat(process.pid)?.start, state: null };
    mkdirSync(join(dir(id), 'inside'), { recursive: true });
    writeFileSync(join(dir(id), 'client.json'), JSON.stringify(record));
    doors.open(id);
    return JSON.parse(readFileSync(join(dir(id), 'inside/server.json'), 'utf8')).hook;
  };
  const [first, second] = [start('a'), start('b')];
  expect([first, second].map((token) => doors.find(token)?.session)).toEqual(['a', 'b']);
  rmSync(join(dir('a'), 'client.json'));
  const third = start('c');
  expect([first, second, third].map((token) => doors.find(token)?.session)).toEqual([undefined, 'b', 'c']);
  for (const id of ['b', 'c']) rmSync(join(dir(id), 'client.json'));
  expect(doors.inUse).toBe(false);
  expect([second, third].map((token) => doors.find(token))).toEqual([null, null]);
});
