/** The facts of the host alone, for the terminal: without a session there is no merged view. */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { isWithin } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import { errorCode, orNull } from '../../kernel/fs/port.ts';

/**
 * Where an absolute path leads to, without links, also when it does not exist. Null = not known: a link that leads
 * nowhere, a directory that may not be searched, `..` behind what does not exist.
 */
export function resolveOnHost(path: string): string | null {
  const rest: string[] = [];
  for (let at = path; ; at = posix.dirname(at)) {
    try {
      const found = realpathSync.native(at);
      return rest.length === 0 ? found : posix.join(found, ...rest);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return null;
    }
    if (orNull(() => readlinkSync(at)) !== null) return null;
    const name = posix.basename(at);
    if (name === '..') return null;
    rest.unshift(name);
    if (at === '/') return null;
  }
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
