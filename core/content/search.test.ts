import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { scan } from '../scan/scan.ts';
import { searchPending } from './texts.ts';

let s: TestSession;
afterEach(() => s.remove());

it('looks into text, whatever it says, and passes over what is binary', async () => {
  s = testSession();
  s.inSandbox("printf binary > one; printf 'a binary\\nb\\n' > two; printf 'binary\\0' > three");
  const { changes } = await scan(s.ctx);
  const page = await searchPending(s.ctx, changes, {
    text: 'binary',
    matchCase: true,
    includeIgnored: false,
    after: null,
  });
  const found = page.hits.map(({ path, line }) => `${path.slice(s.host.length + 1)}:${line}`);
  expect(found).toEqual(['one:1', 'two:1']);
  expect(page).toMatchObject({ searched: 3, skipped: 0, next: null });
});
