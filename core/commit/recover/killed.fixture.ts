/** Test help: scans, says so, and commits until somebody kills it. */

import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';

const ctx = JSON.parse(process.argv[2] ?? '{}') as QuietSession;
const list = await scan(ctx);
console.log('scanned');
const plain = {
  includeIgnored: false,
  conflicts: 'refuse',
  choices: {},
  yes: true,
  typedCount: null,
} as const;
await commitAll(ctx, list, { revision: list.revision, ...plain });
