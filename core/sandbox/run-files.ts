/** sessions/<id>/run/: one file a launcher, in which the way in says how far it is. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { orNull } from '../kernel/fs/port.ts';

/** A file whose name gives no pid is read by nobody any more at this age (ms). */
const OLD_MS = 24 * 60 * 60 * 1_000;

/**
 * Removes the files of launchers that are gone: each reads its own until its command has ended, and nobody else does.
 * Never throws: one that stays does no harm.
 *
 * @param quiet no process of the session is left
 */
export function dropRunFiles(sessionDir: string, quiet: boolean): void {
  const dir = `${sessionDir}/run`;
  // Null: no call yet.
  for (const name of orNull(() => readdirSync(dir)) ?? []) {
    const file = `${dir}/${name}`;
    const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
    orNull(() => {
      // A number that another process has by now keeps its file until that has ended, too.
      const gone =
        pid === undefined
          ? quiet && Date.now() - lstatSync(file).mtimeMs > OLD_MS
          : !existsSync(`/proc/${pid}`);
      if (gone) rmSync(file, { force: true });
    });
  }
}
