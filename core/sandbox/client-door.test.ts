import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { processStat } from '../kernel/proc/proc.ts';
import { writeBoxRecord } from './box-record.ts';
import { CLIENT_RECORD, inDoor, isClientRunning, prepareInside } from './client-door.ts';

const BOX = {
  v: 1,
  rows: [],
  variables: [],
  instance: '/nowhere',
  net: 'open',
  write: 'pending',
  direct: [],
  directFiles: [],
  commitInside: false,
} as const;

/** A session with a door, and a directory of the user's with a file in it. */
function open() {
  const base = mkdtempSync(join(tmpdir(), 'trai-door-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [session, mine] = [join(base, 'sessions/s'), join(base, 'mine')];
  for (const dir of [session, mine]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(session, 'calls.jsonl'), '');
  writeFileSync(join(mine, 'file'), 'mine\n');
  const prepare = () => prepareInside(base, session, 's');
  writeBoxRecord(session, BOX);
  prepare();
  return { session, door: join(session, 'inside'), mine, prepare };
}

it('a bin/trai that has become Node runs no client in the session that the server made for it', async () => {
  const { session } = open();
  const name = '{ printf trai > /proc/$$/comm; } && echo';
  const asks = spawn('bash', [
    '-c',
    `${name}; read -r; exec '${process.execPath}' -e 'console.log(); setInterval(() => 1, 1e6)'`,
  ]);
  onTestFinished(() => void asks.kill('SIGKILL'));
  await once(asks.stdout, 'data');
  const pid = asks.pid ?? 0;
  const record = { v: 1, pid, start: processStat(pid)?.start, state: null };
  const runs = (served: object): boolean => {
    writeFileSync(join(session, CLIENT_RECORD), JSON.stringify({ ...record, ...served }));
    return isClientRunning(session);
  };
  const served = { mounted: '' };
  expect([runs({}), runs(served)]).toEqual([true, true]);
  asks.stdin.write('\n');
  await once(asks.stdout, 'data');
  // The same process; only one that Node itself has recorded runs its client.
  expect([runs({}), runs(served)]).toEqual([true, false]);
});

it.each(['meta.json', 'calls.jsonl'])('a link that was made in place of %s is replaced', (name) => {
  const { door, mine, prepare } = open();
  const file = join(door, 'sessions/s', name);
  rmSync(file);
  symlinkSync(join(mine, 'file'), file);
  prepare();
  expect(readFileSync(join(mine, 'file'), 'utf8')).toBe('mine\n');
  expect(readFileSync(file, 'utf8')).not.toBe('mine\n');
});

it('a link that was made in place of the mark of a box is replaced', () => {
  const { door, mine, prepare } = open();
  rmSync(join(door, 'boxed'));
  symlinkSync(join(mine, 'file'), join(door, 'boxed'));
  prepare();
  expect(readFileSync(join(mine, 'file'), 'utf8')).toBe('mine\n');
});

it.each(['boxed', 'host/fstab', 'host/rules', 'sessions/s/meta.json'])(
  '%s is put right where it was changed, and left where it was not',
  (name) => {
    const { door, prepare } = open();
    const file = join(door, name);
    const made = readFileSync(file, 'utf8');
    const inode = () => lstatSync(file).ino;
    for (const spoil of [
      () => writeFileSync(file, `${made}more`),
      () => writeFileSync(file, 'x'),
      () => rmSync(file),
      () => execFileSync('mkfifo', [`${file}.fifo`]) && renameSync(`${file}.fifo`, file),
      () => chmodSync(file, 0),
    ]) {
      spoil();
      prepare();
      const left = inode();
      prepare();
      expect([readFileSync(file, 'utf8'), inode()]).toEqual([made, left]);
    }
  },
);

it.each(['host', 'sessions', 'sessions/s', 'sessions/s/run'])(
  'nothing is made behind a link that was made in place of %s',
  (name) => {
    const { session, door, mine, prepare } = open();
    renameSync(join(door, name), join(door, 'away'));
    symlinkSync(mine, join(door, name));
    prepare();
    expect(inDoor(session, ['sessions', 's'], (own) => existsSync(`${own}/run`))).toBe(true);
    expect(existsSync(join(door, 'host/fstab'))).toBe(true);
    expect(readdirSync(mine)).toEqual(['file']);
  },
);

it.each(['boxed', 'host/fstab', 'sessions/s/meta.json', 'sessions/s/calls.jsonl'])(
  'a directory that was made in place of %s is named by the path that the user can remove',
  (name) => {
    const { door, prepare } = open();
    rmSync(join(door, name));
    mkdirSync(join(door, name));
    expect(prepare).toThrow(expect.objectContaining({ code: 'corrupt', path: door }));
    rmSync(door, { recursive: true });
    prepare();
  },
);
