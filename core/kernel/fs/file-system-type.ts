import { statfsSync } from 'node:fs';
import type { BytePath } from '../../../shared/bytes.ts';
import { fsPath } from './port.ts';

/** The number by which statfs(2) names the kind of file system (f_type) that a directory is on. */
export function fileSystemType(dir: BytePath): number {
  return statfsSync(fsPath(dir)).type;
}
