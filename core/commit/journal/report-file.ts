import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import type { FsPort } from '../../kernel/fs/port.ts';

/** Leaves a commit's report beside its journal. */
export function writeReport(port: FsPort, dir: BytePath, report: CommitReport): void {
  const fd = port.openAppend(joinPath(dir, 'report.json'));
  try {
    port.append(fd, `${JSON.stringify(report)}\n`);
  } finally {
    port.close(fd);
  }
}
