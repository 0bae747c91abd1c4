import {
  existsSync,
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
import { writeBoxRecord } from './box-record.ts';
import { inDoor, prepareInside } from './client-door.ts';

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
