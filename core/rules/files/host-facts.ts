/** The facts of the host alone, for the terminal: without a session there is no merged view. */
import { readdirSync } from 'node:fs';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { resolvePath } from '../../scan/lookup/resolve.ts';

/** Where an absolute path leads to, without links, also when it does not exist. Null = not known. */
export function resolveOnHost(path: string): string | null {
  const found = orNull(() => resolvePath(null, fromText(path)));
  return found === null ? null : Buffer.from(found, 'latin1').toString('utf8');
}

/** Null for a directory that cannot be read. */
export function namesOnHost(dir: string): readonly string[] | null {
  return orNull(() => readdirSync(dir));
}

const KERNEL_DIRS = ['/dev', '/proc', '/sys'];

/** As far as the config tells: the mount plan of a session knows better. */
export function staysPending(path: string, config: Pick<Config, 'enabled' | 'scratch'>): boolean {
  const found = resolveOnHost(path);
  if (!config.enabled || found === null) return false;
  return ![...KERNEL_DIRS, ...config.scratch].some((dir) => isWithin(found, dir));
}
