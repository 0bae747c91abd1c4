/** Runs a script where the temporary directory is a small disk. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { builtFixture } from '../built.ts';
import { ROOT } from '../root.ts';

/** The output of a script (TypeScript, absolute path) with TMPDIR on a tmpfs of that many bytes and files. */
export async function onSmallDisk(script: string, bytes: number, files = 100_000): Promise<string> {
  const base = mkdtempSync(`${tmpdir()}/trai-full-`);
  try {
    const program = await builtFixture(script);
    const { uid, gid } = userInfo();
    const self = uid === 0 ? '' : `unshare --user --map-user=${uid} --map-group=${gid}`;
    // A mount for this process only: allowed to root, and to root of a user namespace.
    const mount = `mount -t tmpfs -o size=${bytes},nr_inodes=${files},mode=1777 tmpfs "$1" && TMPDIR=$1 exec ${self} "$2" "$3"`;
    const enter = uid === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    return execFileSync('unshare', [...enter, 'sh', '-c', mount, 'sh', base, process.execPath, program], {
      encoding: 'utf8',
      env: { ...process.env, TRAI_LAUNCHER: join(ROOT, 'hooks/launcher') },
    });
  } finally {
    rmdirSync(base);
  }
}
