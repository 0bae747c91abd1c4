/** Runs with a TMPDIR on a tmpfs of 2 MB: the disk fills while before-images are copied. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { TraiError } from '../../../shared/errors.ts';
import { testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, quickLook, undoRequest } from '../../../testing/commit/commit.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import type { CommitTools } from '../commit.ts';
import { undoCommit } from '../undo/undo.ts';

const t = testSession();
// Of two names: its before-image is a copy.
t.onHost('head -c 500000 /dev/urandom > a; ln a b; head -c 1200000 /dev/zero > filler; echo old > c');
t.inSandbox('echo small > a; echo new > c');
const print = () =>
  createHash('sha256')
    .update(readFileSync(`${t.host}/a`))
    .digest('hex');
const before = print();

async function codeOf(work: () => Promise<{ state: string }>): Promise<string> {
  try {
    return (await work()).state;
  } catch (error) {
    return error instanceof TraiError ? error.code : String(error);
  }
}
const commit = async (tools?: CommitTools) =>
  await codeOf(async () => await commitNow(t, tools === undefined ? {} : { tools }));
const pending = async () => brief(await scan(t.ctx), t.host);

// As if somebody else took the room between the count and the copies.
const lying = { ...nodePort, space: () => ({ free: Number.MAX_SAFE_INTEGER, kind: 0 }) };
const codes = [await commit(), await commit({ port: lying })];
const kept = { same: print() === before, names: [...quickLook(t.host).keys()], pending: await pending() };
rmSync(`${t.host}/filler`);
const later = await commit();
const landed = readFileSync(`${t.host}/a`, 'utf8');
const numbers = [1, 2, 3, 4];
const undone: string[] = [];
for (const n of numbers) undone.push(await codeOf(async () => await undoCommit(t.ctx, undoRequest(n))));
console.log(
  JSON.stringify({
    codes,
    kept,
    later,
    landed,
    undone: undone.filter((one) => one !== 'not-found'),
    back: print() === before,
    after: await pending(),
  }),
);
