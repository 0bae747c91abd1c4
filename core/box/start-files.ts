/** What a box is started with, beside the file in which bwrap notes its status. */
import { rmSync, writeFileSync } from 'node:fs';

interface Started {
  status: string;
  /** bwrap's. */
  args: Buffer;
}

/** The arguments, for who opens them by name. */
export const argsOf = ({ status }: Pick<Started, 'status'>): string => `${status}.args`;

/** The FIFO at which it waits (gate.ts). */
export const gateOf = ({ status }: Pick<Started, 'status'>): string => `${status}.gate`;

/** Returns the file. */
export function saveArgs(box: Started): string {
  const path = argsOf(box);
  rmSync(path, { force: true });
  writeFileSync(path, box.args, { flag: 'wx', mode: 0o600 });
  return path;
}
