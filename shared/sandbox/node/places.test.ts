import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bytePath } from '../../bytes.ts';
import { makePlaces } from './places.ts';

const base = mkdtempSync(join(tmpdir(), 'trai-places-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('a place is over its own directory also where the number was another’s in a try that came to nothing', () => {
  const [overlay, gone, kept] = ['overlay', 'gone', 'kept'].map((name) => bytePath(join(base, name)));
  if (overlay === undefined || gone === undefined || kept === undefined) throw new Error('no paths');
  for (const dir of [overlay, kept]) mkdirSync(dir);
  const uid = process.getuid?.() ?? 0;
  // Removed between the draft and this.
  expect(() => makePlaces(overlay, [gone, kept], uid)).toThrow(/ENOENT/);
  const [place] = makePlaces(overlay, [kept], uid);
  expect(place).toMatchObject({ path: kept });
  expect(readlinkSync(`${place?.upper.slice(0, -2)}/l`)).toBe(kept);
});
