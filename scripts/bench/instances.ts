/** What boxes of many projects keep: what listing and collecting it costs. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeInstance } from '../../core/box/instance.ts';
import { projectOf } from '../../core/session/project.ts';
import { ensureSession } from '../../core/session/store.ts';
import { fromText } from '../../shared/bytes.ts';
import { makeTrai, type Trai, trai } from '../lib/trai.ts';
import type { Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const TARGET_MS = 500;
/** Of so many instances one whose project is gone. */
const GONE = 10;

/** `count` projects with an instance of `files` downloads and a session each. */
async function makeInstances(on: Trai, count: number, files: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const dir = path.join(on.project, `p${i}`);
    mkdirSync(dir);
    const project = projectOf(fromText(dir));
    const instance = makeInstance(on.state, project);
    for (let file = 0; file < files; file++) writeFileSync(path.join(instance, 'cache/npm', `f${file}`), 'x');
    await ensureSession(on.state, `s${i}`, { cwd: fromText(dir), project });
    if (i % GONE === 0) rmSync(dir, { recursive: true });
  }
}

/** First when nothing is counted yet, then as it is every time after; beside a start of the same program. */
export async function benchInstances(count: number, files: number, rounds: number): Promise<Result[]> {
  const on = makeTrai('boxes');
  await makeInstances(on, count, files);
  const run = async (...args: string[]) => {
    const { status, text } = await trai(on, args);
    if (status !== 0) throw new Error(`trai ${args.join(' ')}: exit status ${status}\n${text.slice(-500)}`);
  };
  const list = () => timed(() => run('box', '--list', '--json'));
  const first = await list();
  const samples = await interleave(rounds, {
    list,
    gc: () => timed(() => run('box', '--gc', '--dry-run', '--json')),
    start: () => timed(() => run('--version')),
  });
  const found = readdirSync(path.join(on.state, 'box')).length;
  if (found !== count) throw new Error(`expected ${count} boxes, found ${found}`);
  const of = (name: string) => samples[name] ?? [];
  const row = (what: string, values: number[], target: number | null): Result => ({
    ...{ what, values, unit: 'ms', target },
    peer: { name: 'trai --version', values: of('start'), atMost: null },
  });
  return [
    row(`trai box --list, ${count} boxes`, of('list'), TARGET_MS),
    row(`trai box --gc --dry-run, ${count} boxes`, of('gc'), TARGET_MS),
    row(`… listed for the first time, ${files} files each`, [first], null),
  ];
}
