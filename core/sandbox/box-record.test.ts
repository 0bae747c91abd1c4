import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { BoxRecord } from '../../shared/model/box.ts';
import {
  boxRecordPath,
  knownBoxRecord,
  readBoxRecord,
  writeBoxRecord,
  writesDirectly,
} from './box-record.ts';

it('who reads the record while it is written anew has one of the two whole', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trai-record-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const record = (direct: BytePath[]) => ({ v: 1, direct }) as unknown as BoxRecord;
  const [old, next] = [record([fromText('/p/\u00fc')]), record([])];
  writeBoxRecord(dir, old);
  const fd = openSync(boxRecordPath(dir), 'r');
  onTestFinished(() => closeSync(fd));
  writeBoxRecord(dir, next);
  expect(JSON.parse(readFileSync(fd, 'utf8'))).toEqual(old);
  expect(readBoxRecord(dir)).toEqual(next);
  writeBoxRecord(dir, null);
  expect(readdirSync(dir)).toEqual([]);
});

it.each(['', '{"v":1,"dir', '[]', '{"v":2}'])(
  'one that cannot be read is not taken for none: %j',
  (content) => {
    const dir = mkdtempSync(join(tmpdir(), 'trai-record-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    expect([readBoxRecord(dir), writesDirectly(dir)]).toEqual([null, false]);
    writeFileSync(boxRecordPath(dir), content);
    const damaged = expect.objectContaining({ code: 'corrupt', path: boxRecordPath(dir) });
    expect(() => readBoxRecord(dir)).toThrow(damaged);
    expect(() => writesDirectly(dir)).toThrow(damaged);
    expect(knownBoxRecord(dir)).toBe(null);
  },
);
