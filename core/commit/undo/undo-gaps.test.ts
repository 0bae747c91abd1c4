import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { readJournal } from '../journal/journal.ts';
import { undoCommit } from './undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

const ask = (n: number) => undoRequest(n, { yes: false });

const attribute = (value: string) =>
  `${PLAIN_PYTHON} -c 'import os; os.setxattr("d", "user.a", b"${value}")'; sleep 0.05`;

describe.runIf(hasPython)(
  `what an undo left out leaves a gap, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  () => {
    it('and the attributes that it gave back to a directory are still known to be its own', async () => {
      const t = testSession();
      open.push(t);
      t.onHost(`mkdir d; echo 1 > f; ${attribute('1')}`);
      t.inSandbox(attribute('2'));
      await commitNow(t);
      t.inSandbox(`echo 3 > f; ${attribute('3')}`);
      await commitNow(t);
      // The host writes to the file while the undo copies it, which it does because it is open for writing.
      const held = openSync(`${t.host}/f`, 'r+');
      const run: FsPort['run'] = (program, args, input, fds) => {
        if (input.includes('./f\0')) writeFileSync(`${t.host}/f`, 'host');
        return nodePort.run(program, args, input, fds);
      };
      const partly = await undoCommit(t.ctx, ask(2), { port: { ...nodePort, run } });
      closeSync(held);
      expect(partly.failed).toMatchObject([
        { path: `${t.host}/f`, message: expect.stringContaining('meanwhile') },
      ]);
      expect(readJournal(nodePort, t.ctx, 3)?.units.map(({ i }) => i)).toEqual([1]);
      expect(readFileSync(`${t.host}/f`, 'utf8')).toBe('host');
      // The expected attributes are those that the undo left, not the first commit's.
      expect(await undoCommit(t.ctx, ask(1))).toMatchObject({ state: 'applied', failed: [] });
    });
  },
);
