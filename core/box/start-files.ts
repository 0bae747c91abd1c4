/** What a box is started with, beside the file in which bwrap notes its status. */
import { rmSync, writeFileSync } from 'node:fs';

/** Its arguments, for who opens them by name. */
export const argsOf = (status: string): string => `${status}.args`;

/** The FIFO at which it waits (gate.ts). */
export const gateOf = (status: string): string => `${status}.gate`;

/** Returns the file. */
export function saveArgs({ status, args }: { status: string; args: Buffer }): string {
  const path = argsOf(status);
  rmSync(path, { force: true });
  writeFileSync(path, args, { flag: 'wx', mode: 0o600 });
  return path;
}
