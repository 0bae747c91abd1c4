/** An undo interrupted around the rename of a directory, and changes of the host before the recovery. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook, undoRequest } from '../../../testing/commit/commit.ts';
import { FaultPort } from '../../../testing/commit/fault-port.ts';
import { eachFaultPoint } from '../../../testing/runs.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { readJournal } from '../journal/journal.ts';
import { closeUnfinished, finishCommit } from '../recover/recover.ts';
import { undoCommit } from './undo.ts';

const ASK = undoRequest();

const finishes = { 'a commit': finishCommit, 'a discard': closeUnfinished };

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);

/** The host writes to the file, or makes another one where it is gone. */
function edit(t: TestSession): string {
  const file = `${t.host}/x/d/1`;
  if (existsSync(file)) appendFileSync(file, 'late\n');
  else {
    mkdirSync(`${t.host}/x/d`, { recursive: true });
    writeFileSync(file, 'host\n');
  }
  return readFileSync(file, 'utf8');
}

/** Every text of a `d/1` that the session still has somewhere. */
function textsOf(t: TestSession): (string | null)[] {
  const commits = `${t.ctx.sessionDir}/commits`;
  const places = readdirSync(commits).map((n) => `${commits}/${n}/back/${t.ctx.coveredDirs[0]?.n}`);
  return [t.host, t.upper, ...places].map((dir) => textOf(`${dir}/x/d/1`));
}

/** The method that call `at` was, null when there were fewer. */
async function diesAt(at: number, finish: keyof typeof finishes): Promise<string | null> {
  const t = testSession();
  try {
    t.onHost('mkdir x; echo old > x/old');
    t.inSandbox('mkdir -p x/d/e; echo 1 > x/d/1; echo 2 > x/d/e/2');
    await recordBases(t.ctx);
    await commitNow(t);
    const faulty = FaultPort.at(at, 'die');
    await undoCommit(t.ctx, ASK, { port: faulty.port }).catch((thrown: unknown) =>
      expect(thrown).toBeInstanceOf(Error),
    );
    faulty.dispose();
    const where = `died at call ${at} (${faulty.hit}), finished by ${finish}`;
    const edited = edit(t);
    const report = await (finish === 'a commit' ? finishCommit(t.ctx) : closeUnfinished(t.ctx));
    expect(textOf(`${t.host}/x/d/1`), where).toBe(edited);
    expect(
      textsOf(t).some((text) => text?.startsWith('1\n')),
      where,
    ).toBe(true);
    expect(readJournal(nodePort, t.ctx, 1)?.phase, where).toBe('closed');
    await recordBases(t.ctx);
    const { changes } = await scan(t.ctx);
    const told = changes.find(({ path }) => path === `${t.host}/x/d/1`);
    if (existsSync(`${t.upper}/x/d/1`)) expect(told?.conflict, where).not.toBeNull();
    else expect(told, where).toBe(undefined);
    const taken = edited === 'host\n';
    const undone = readJournal(nodePort, t.ctx, 1)?.undone.size;
    expect([undone, report?.failed.map(({ message }) => message) ?? []], where).toEqual(
      taken ? [1, []] : [0, report === null ? [] : expect.anything()],
    );
    const host = quickLook(t.host);
    await commitNow(t, { request: { conflicts: 'keep-host' } });
    expect(textOf(`${t.host}/x/d/1`), where).toBe(edited);
    for (const [path, text] of host) expect(quickLook(t.host).get(path), where).toBe(text);
    return faulty.hit;
  } finally {
    t.remove();
  }
}

describe(`an undo that died with a directory on its way, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(['a commit', 'a discard'] as const)(
    'keeps what the host has done since beside what it took, finished by %s',
    async (finish) => {
      await eachFaultPoint(`undo finished by ${finish}`, async (at) => await diesAt(at, finish));
    },
    900_000,
  );
});
