/** Test help, run with a TMPDIR on a tmpfs of 3 MB: commits that have no room, and one that has. */
import { rmSync } from 'node:fs';
import { TraiError } from '../../../shared/errors.ts';
import { testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook } from '../../../testing/commit/commit.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import type { CommitTools } from '../commit.ts';

const t = testSession();
t.onHost('head -c 1200000 /dev/zero > filler');
t.inSandbox('echo a > a; mkdir d; head -c 1000000 /dev/urandom > d/big; ln a d/a');

async function codeOf(tools?: CommitTools): Promise<string> {
  try {
    return (await commitNow(t, tools === undefined ? {} : { tools })).state;
  } catch (error) {
    return error instanceof TraiError ? error.code : String(error);
  }
}

// First it is counted beforehand; then, as if somebody else took the space meanwhile, cp runs into it.
const lying = { ...nodePort, space: () => ({ free: Number.MAX_SAFE_INTEGER, kind: 0 }) };
const codes = [await codeOf(), await codeOf({ port: lying })];
const host = [...quickLook(t.host).keys()];
const pending = (await scan(t.ctx)).changes.length;
rmSync(`${t.host}/filler`);
const later = await codeOf();
console.log(JSON.stringify({ codes, host, pending, later, after: [...quickLook(t.host).keys()] }));
