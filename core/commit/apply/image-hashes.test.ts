import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { falseBases } from '../../../testing/commit/base-records.ts';
import { commitNow, mergedSnapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { readBaseFile } from '../../overlay/base-file.ts';
import { rebase } from '../../overlay/base-of.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitDir, readJournal } from '../journal/journal.ts';
import type { HashesLine } from '../journal/lines.ts';
import { finishCommit } from '../recover/recover.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

let t: TestSession;
beforeEach(() => {
  t = testSession();
});
afterEach(() => t.remove());

const tick = 'sleep 0.05';
const FALSE_HASH = 'f'.repeat(64);

/** What the host has, and what a call makes of it, with the call's base records. */
async function changed(before: string, inside: string): Promise<void> {
  t.onHost(`${before}; ${tick}`);
  const earliestCall = Date.now();
  t.inSandbox(inside);
  await recordBases(t.ctx, { earliestCall });
}

const at = (name: string) => `${t.host}/${name}` as BytePath;
const recordOf = (name: string): BaseRecord | undefined => readBaseFile(t.ctx).records.get(at(name));
const hashOf = (name: string): string | undefined => {
  const base = recordOf(name)?.base;
  return base?.state === 'known' ? base.sha256 : undefined;
};

const journalOf = (n: number) => `${commitDir(t.ctx, n)}/journal.jsonl`;

/** Changes the line `hashes` of commit `n`; `edit` returns null to leave it out. */
function editHashes(n: number, edit: (line: HashesLine) => HashesLine | null): void {
  const lines = readFileSync(journalOf(n), 'utf8').split('\n');
  const edited = lines.flatMap((text) => {
    if (!text.startsWith('{"t":"hashes"')) return [text];
    const line = edit(JSON.parse(text) as HashesLine);
    return line === null ? [] : [JSON.stringify(line)];
  });
  writeFileSync(journalOf(n), edited.join('\n'));
}

/** An undo that takes a hash from the journal, instead of reading, takes over a false one. */
const makeFalse = (n: number) =>
  editHashes(n, ({ t, of }) => ({ t, of: of.map(([i]) => [i, FALSE_HASH, false]) }));

const undo = async (n: number, port = nodePort) =>
  await undoCommit(t.ctx, undoRequest(n, { conflicts: 'take-back' }), { port });

const BEFORE = `mkdir d; cd d; echo old > text; : > empty; printf 'a\\0b' > same-size; printf 'a\\0b' > other-size
  echo 1 > mode; chmod 640 mode; echo x > links; ln links links2; ln -s text link; echo gone > deleted; mkdir dir; echo f > dir/f
  printf DIRC > index; echo t > $'n\\xff\\n"'; echo big > becomes-dir; seq 90000 > long`;
const INSIDE = `cd d; for f in text empty mode links long $'n\\xff\\n"' index; do echo new >> "$f"; done; printf 'c\\0d' > same-size
  printf 'c\\0de' > other-size; rm link; echo file > link; rm deleted; rm -r dir; echo file > dir; chmod 755 mode
  rm becomes-dir; mkdir becomes-dir; echo n > added`;

describe(`hashes of before-images, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('an undo makes the base records that a look at the host makes', async () => {
    await changed(BEFORE, INSIDE);
    await commitNow(t);
    expect((readJournal(nodePort, t.ctx, 1)?.hashes.size ?? 0) >= 5).toBe(true);
    expect(await undo(1)).toMatchObject({ state: 'applied', failed: [] });
    const ofUndo = new Map(readBaseFile(t.ctx).records);
    const files = [...ofUndo.values()].flatMap(({ path, base }) =>
      base.state === 'known' && base.host.type !== 'dir' ? [path] : [],
    );
    expect(files.length).toBeGreaterThan(10);
    await rebase(t.ctx, files);
    const looked = readBaseFile(t.ctx).records;
    for (const path of files) expect(ofUndo.get(path)?.base, path).toEqual(looked.get(path)?.base);
    expect(falseBases(t.ctx)).toEqual([]);
  });

  it('a file with a hash in the journal is not read, also after a redo and a second undo', async () => {
    await changed('echo old > f', 'echo new > f');
    await commitNow(t);
    await undo(1);
    await redoCommit(t.ctx, await scan(t.ctx));
    makeFalse(3);
    await undo(3);
    expect(hashOf('f')).toBe(FALSE_HASH);
  });

  it('without the line, as in a journal of an earlier version, it is read', async () => {
    await changed('echo old > f', 'echo new > f');
    const before = recordOf('f')?.base;
    await commitNow(t);
    editHashes(1, () => null);
    await undo(1);
    expect(hashOf('f')).toBe(before?.state === 'known' ? before.sha256 : '');
  });

  const DOUBTS: Record<string, () => void | Promise<void>> = {
    'the before-image was written to, and has its time back': () => {
      const image = `${commitDir(t.ctx, 1)}/before/l0`;
      t.onHost(`${tick}; touch -r '${image}' t; printf 'odd\\n' > '${image}'; touch -r t '${image}'; rm t`);
    },
    'its content is not stored any more': () => {
      editHashes(1, ({ t: kind, of }) => ({ t: kind, of: of.map(([i]) => [i, FALSE_HASH, true]) }));
    },
  };
  it.each(Object.entries(DOUBTS))('where %s, it is read', async (_, doubt) => {
    await changed('echo old > f', 'echo new > f');
    await commitNow(t);
    makeFalse(1);
    await doubt();
    await undo(1);
    expect(hashOf('f')).not.toBe(FALSE_HASH);
    expect(falseBases(t.ctx)).toEqual([]);
  });

  it('where the before-image is a copy, as somebody had opened the file for writing, it is read', async () => {
    await changed('echo old > f', 'echo new > f');
    let held = -1;
    const link: typeof nodePort.link = (from, to) => {
      held = openSync(from, 'r+');
      nodePort.link(from, to);
    };
    try {
      await commitNow(t, { tools: { port: { ...nodePort, link } } });
    } finally {
      closeSync(held);
    }
    makeFalse(1);
    await undo(1);
    expect(hashOf('f')).toMatch(/^(?!f{64})/);
    expect(falseBases(t.ctx)).toEqual([]);
  });

  it('where the stored content was removed, the undo stores it again', async () => {
    await changed('echo old > f', 'echo new > f');
    await commitNow(t);
    rmSync(`${t.ctx.sessionDir}/overlay/blobs`, { recursive: true });
    await undo(1);
    expect(recordOf('f')?.base).toMatchObject({ state: 'known', blob: true });
    expect(falseBases(t.ctx)).toEqual([]);
  });

  it('what the host had changed before the commit has no hash of what it was', async () => {
    await changed('echo old > f', 'echo new > f');
    t.onHost(`${tick}; echo odd > f; ${tick}`);
    await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    expect(readJournal(nodePort, t.ctx, 1)?.hashes.size).toBe(0);
    await undo(1);
    expect((await scan(t.ctx)).changes.map(({ conflict }) => conflict)).toEqual(['host-changed']);
  });

  it('what the host changes while the undo ends is a conflict', async () => {
    await changed('echo old > f', 'echo new > f');
    const view = mergedSnapshot(t);
    await commitNow(t);
    let isEdited = false;
    const append: typeof nodePort.append = (fd, text) => {
      nodePort.append(fd, text);
      if (isEdited || !text.includes('"t":"done"')) return;
      isEdited = true;
      t.onHost(`${tick}; touch -r f ../t; printf 'odd\\n' > f; touch -r ../t f; rm ../t`);
    };
    await undo(1, { ...nodePort, append });
    expect(isEdited).toBe(true);
    expect((await scan(t.ctx)).changes.map(({ conflict }) => conflict)).toEqual(['host-changed']);
    expect(mergedSnapshot(t)).toBe(view);
  });

  it('an undo that died is completed by looking at the host', async () => {
    await changed('echo old > f; echo old > g', 'echo new > f; echo new > g');
    await commitNow(t);
    makeFalse(1);
    const dies = new FaultPort(2, 'die', () => {}, 'rename');
    await expect(undo(1, dies.port)).rejects.toThrow(Died);
    dies.dispose();
    await finishCommit(t.ctx);
    expect([hashOf('f'), hashOf('g')]).not.toContain(FALSE_HASH);
    expect(falseBases(t.ctx)).toEqual([]);
    expect((await scan(t.ctx)).changes.map(({ conflict }) => conflict)).toEqual([null, null]);
  });

  it('a commit that died when the base records were dropped still has the hashes', async () => {
    await changed('echo old > f', 'echo new > f');
    const append: typeof nodePort.append = (fd, text) => {
      if (text.includes('"t":"end"')) throw new Died('append');
      nodePort.append(fd, text);
    };
    await expect(commitNow(t, { tools: { port: { ...nodePort, append } } })).rejects.toThrow(Died);
    expect(recordOf('f')).toBeUndefined();
    makeFalse(1);
    await finishCommit(t.ctx);
    await undo(1);
    expect(hashOf('f')).toBe(FALSE_HASH);
  });
});
