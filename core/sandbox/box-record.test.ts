import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { BoxRecord } from '../../shared/model/box.ts';
import { boxRecordPath, readBoxRecord, writeBoxRecord } from './box-record.ts';

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
