/** Commits while the host's file system becomes read-only, and prints the report. */
import { existsSync, writeFileSync } from 'node:fs';
import { TraiError } from '../../../shared/errors.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';

interface Task {
  ctx: QuietSession;
  when: 'before' | 'applying';
  /** Asked for by making it; whoever may mount answers with `.done`. */
  signal: string;
}

const { ctx, when, signal } = JSON.parse(process.argv[2] ?? '{}') as Task;
let asked = false;
function becomeReadOnly(): void {
  if (asked) return;
  asked = true;
  writeFileSync(signal, '');
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(`${signal}.done`)) Atomics.wait(nothing, 0, 0, 10);
}

await recordBases(ctx);
const { revision, changes } = await scan(ctx);
const list = await scan(ctx);
if (when === 'before') becomeReadOnly();
// Everything is staged and on disk when the first entry gets its place.
const port: FsPort = {
  ...nodePort,
  link: (from, to) => {
    becomeReadOnly();
    nodePort.link(from, to);
  },
  rename: (from, to) => {
    becomeReadOnly();
    nodePort.rename(from, to);
  },
};
const request = {
  revision,
  includeIgnored: false,
  conflicts: 'take-sandbox',
  choices: {},
  yes: true,
  typedCount: null,
} as const;
const told = await commitAll(ctx, list, request, { port }).then(
  ({ state, applied, failed }) => ({
    state,
    applied,
    messages: [...new Set(failed.map(({ message }) => message))],
  }),
  (error: unknown) => ({ code: error instanceof TraiError ? error.code : String(error) }),
);
console.log(JSON.stringify({ pending: changes.length, told }));
