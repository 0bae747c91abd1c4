import { type BytePath, joinPath } from '../../bytes.ts';
import type { CommitReport } from '../types.ts';
import type { FsPort } from './port.ts';

/** Leaves a commit's report beside its journal. */
export function writeReport(port: FsPort, dir: BytePath, report: CommitReport): void {
  const fd = port.openAppend(joinPath(dir, 'report.json'));
  try {
    port.append(fd, `${JSON.stringify(report)}\n`);
  } finally {
    port.close(fd);
  }
}
