import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANGE_KINDS, type ChangeList, ENTRY_TYPES } from '../../shared/model/change.ts';
import type { CommitReport } from '../../shared/model/commit.ts';
import { asRoot } from '../../testing/changes/changes.ts';
import {
  DONE,
  type Doing,
  expectedKind,
  MAKE,
  ODD_NAMES,
  PRELUDE,
  ROOT_ONLY,
  STATES,
  WAYS,
} from '../../testing/changes/matrix.ts';
import { requestFor, SNAPSHOT, snapshot } from '../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { commitAll } from '../commit/commit.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

interface Case extends Doing {
  name: string;
  on: string;
  socket: boolean;
}

const types: Case[] = STATES.flatMap((before) =>
  STATES.map((after) => ({
    name: `${before}-to-${after}`,
    on: MAKE[before].a,
    inside: `clear("x"); clear("y"); ${MAKE[after].b}`,
    kind: expectedKind(before, after),
    rootOnly: ROOT_ONLY.has(before) || ROOT_ONLY.has(after),
    socket: after === 'socket' || (before === 'socket' && after === 'none'),
  })),
);
const doings: Case[] = Object.entries(DONE).flatMap(([state, ways]) =>
  Object.entries(ways).flatMap(([way, cell]) => {
    if ('never' in cell) return [];
    const [on, socket] = [MAKE[state as keyof typeof MAKE].a, state === 'socket'];
    const rootOnly = cell.rootOnly === true || ROOT_ONLY.has(state as keyof typeof MAKE);
    return [{ ...cell, name: `${state}-${way}`, on, rootOnly, socket }];
  }),
);
const names: Case[] = ODD_NAMES.flatMap((name, i) => [
  { name: `name-${i}-new`, on: 'pass', inside: `write(b"${name}", "new")`, kind: null, socket: false },
  {
    name: `name-${i}-dir`,
    on: `os.mkdir(b"${name}"); write(b"${name}/${name}", "old"); write(b"${name}/kept", "old")`,
    inside: `os.unlink(b"${name}/${name}"); write(b"${name}/new", "new")`,
    kind: null,
    socket: false,
  },
]);
const all = [...types, ...doings, ...names];
const cells = all.filter(({ rootOnly }) => asRoot || rootOnly !== true);

describe('the matrix of changes', () => {
  it('has a cell for every type before and after, and for every way on every type, or says why not', () => {
    expect(types).toHaveLength((ENTRY_TYPES.length + 2) ** 2);
    for (const type of ENTRY_TYPES) expect(Object.keys(DONE[type]).sort()).toEqual([...WAYS].sort());
    const kinds = new Set(all.map(({ kind }) => kind));
    expect([...CHANGE_KINDS].filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });
});

describe.runIf(hasPython)(
  `each cell of the matrix, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  () => {
    let session: TestSession;
    let list: ChangeList;
    let report: CommitReport;
    let rest: ChangeList;
    let merged: Map<string, string[]>;
    let after: Map<string, string[]>;

    beforeAll(async () => {
      session = await testSession();
      const script = (line: (one: Case) => string): string =>
        `${PRELUDE}${cells.map((one) => `cell("${one.name}")\n${line(one)}\n`).join('')}`;
      const [host, inside] = [`${session.state}/host.py`, `${session.base}/inside.py`];
      writeFileSync(
        host,
        script(({ on, before }) => `${on}${before === undefined ? '' : `; ${before}`}`),
      );
      writeFileSync(
        inside,
        script((one) => one.inside),
      );
      execFileSync('python3', [host], { cwd: session.project, stdio: 'pipe' });
      execFileSync('sleep', ['0.05']);
      const call = async (line: string) => {
        const { rc, stdout, stderr } = await session.call(line);
        expect(stderr).toBe('');
        expect(rc).toBe(0);
        return stdout;
      };
      const earliestCall = Date.now();
      await call(`python3 ${inside}`);
      await recordBases(session.ctx, { earliestCall });
      list = await scan(session.ctx);
      writeFileSync(`${session.base}/look.py`, SNAPSHOT);
      merged = byCell(await call(`python3 ${session.base}/look.py`));
      report = await commitAll(session.ctx, list, requestFor(list, { conflicts: 'take-sandbox' }));
      after = byCell(snapshot(session.project));
      rest = await scan(session.ctx);
    }, 600_000);
    afterAll(async () => {
      await session.close();
    });

    const kindOf = (changes: ChangeList, path: string) =>
      changes.changes.find((change) => change.path === `${session.project}/${path}`)?.kind ?? null;

    it('says nothing else, and commits all', () => {
      expect(list.problems).toEqual([]);
      expect(report.failed).toEqual([]);
      expect(rest.changes.filter(({ ignored }) => ignored === null)).toEqual([]);
    });

    it.each(cells)('$name', ({ name, kind, socket }) => {
      expect(kindOf(list, `${name}/x`)).toBe(kind);
      if (socket) return;
      // Times alone are no change; a copy does not keep which host names share an inode.
      expect(list.changes.filter((c) => c.conflict !== null && c.path.includes(`/${name}/`))).toEqual([]);
      const plain = (lines: string[] | undefined) =>
        lines?.map((line) => line.replace(/ = b.*?'(?= |$)/, '').replace(/ mtime=-?\d+(?= |$)/, ''));
      expect(plain(after.get(name))).toEqual(plain(merged.get(name)));
    });
  },
);

function byCell(text: string): Map<string, string[]> {
  const cells = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const cell = /^b['"]\.\/([^/'"]+)/.exec(line)?.[1];
    if (cell === undefined) continue;
    cells.set(cell, [...(cells.get(cell) ?? []), line]);
  }
  return cells;
}
