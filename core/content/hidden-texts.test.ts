import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HIDDEN_FILE_BYTES } from '../../shared/limits.ts';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { scan } from '../scan/scan.ts';
import { hasNewText, lookForHidden } from './texts.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

const FOREVER = 60_000;

async function verdicts(ms = FOREVER): Promise<Record<string, string>> {
  const texts = (await scan(s.ctx)).changes.filter(hasNewText);
  const found = await lookForHidden(s.ctx, texts, ms);
  return Object.fromEntries(
    texts.map(({ id, path }) => [path.slice(s.host.length + 1), found.get(id) ?? '']),
  );
}

describe('hidden characters in pending texts', () => {
  it('are told by what the change adds, not by what the host has', async () => {
    s.onHost("printf 'a\\n\\342\\200\\256old\\n' | tee kept worse moved clean > /dev/null; echo a > plain");
    s.inSandbox(`echo b >> kept; printf 'b\\342\\200\\256c\\n' >> worse; mv moved elsewhere; chmod 600 clean
      printf 'x\\342\\200\\213y\\n' | tee new plain > /dev/null; printf '\\342\\200\\256\\0' > binary
      ln -s "$(printf 'x\\342\\200\\256')" link`);
    expect(await verdicts()).toEqual({
      binary: 'clean',
      kept: 'clean',
      new: 'hidden',
      plain: 'hidden',
      worse: 'hidden',
    });
  });

  it('of a text that is too large are not looked for, which is not the same as having none', async () => {
    s.inSandbox(`head -c ${HIDDEN_FILE_BYTES + 1} /dev/zero | tr '\\0' x > large
      head -c ${HIDDEN_FILE_BYTES + 1} /dev/zero > binary`);
    expect(await verdicts()).toEqual({ large: 'unread', binary: 'clean' });
  });

  it('can not be in an empty file, also in one that nobody may open', async () => {
    s.onHost('echo a > emptied; : > filled');
    s.inSandbox(': > new; : > closed; chmod 000 closed; : > emptied; echo b > filled');
    expect(await verdicts()).toEqual({ closed: 'clean', emptied: 'clean', filled: 'clean', new: 'clean' });
  });

  it('are not looked for in another file than the one that is listed', async () => {
    s.onHost('echo a > both');
    s.inSandbox('echo b | tee both one > /dev/null');
    const { changes } = await scan(s.ctx);
    appendFileSync(`${s.upper}/one`, 'c');
    appendFileSync(`${s.host}/both`, 'c');
    expect([...(await lookForHidden(s.ctx, changes, FOREVER)).values()]).toEqual(['moved', 'moved']);
  });

  it('are looked for in one text at least, however little time there is', async () => {
    s.inSandbox('for i in 1 2 3; do echo $i > f$i; done');
    expect(await verdicts(0)).toEqual({ f1: 'clean', f2: '', f3: '' });
  });
});
