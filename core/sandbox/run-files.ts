/** sessions/<id>/run/: each launcher's file with the progress of its entering. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { orNull } from '../kernel/fs/port.ts';

/** Milliseconds, for files without a pid in their name. */
const OLD_MS = 24 * 60 * 60 * 1_000;

/** Removes files of launchers that have ended, which are their only readers. Never throws. */
export function dropRunFiles(sessionDir: string, quiet: boolean): void {
  const dir = `${sessionDir}/run`;
  for (const name of orNull(() => readdirSync(dir)) ?? []) {
    const file = `${dir}/${name}`;
    const pid = /^(?:early-)?([0-9]+)(?:\.refresh)?$/.exec(name)?.[1];
    orNull(() => {
      // With a reused pid the file stays until that process ends.
      const gone =
        pid === undefined
          ? quiet && Date.now() - lstatSync(file).mtimeMs > OLD_MS
          : !existsSync(`/proc/${pid}`);
      if (gone) rmSync(file, { force: true });
    });
  }
}
