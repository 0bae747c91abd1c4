import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { nodePort, withHandleAsync } from './fs/port.ts';
import { askPerl, keepPerl, type PerlProgram, perl } from './perl.ts';
import { childrenOf } from './proc/proc.ts';
import { system } from './programs.testing.ts';
import { programPath } from './programs.ts';

vi.mock('./programs.ts', async (original) =>
  (await import('./programs.testing.ts')).movable(await original()),
);

const program = (text: string): PerlProgram => ({ text, calls: [] });
const REVERSE = program('$out = reverse $input;');
const DIES = program('die "no"');
const KILLED = program('kill 9, $$; sleep 100;');

const perlPath = spawnSync(programPath('perl'), ['-e', 'print $^X'], { encoding: 'utf8' }).stdout ?? '';
const NO_PERL = perlPath === '' ? ' (skipped: perl is not installed)' : '';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(`${tmpdir()}/trai-perl-`));
  mkdirSync(`${dir}/bin`);
});
afterEach(() => {
  system.reset();
  rmSync(dir, { recursive: true });
});

/** Where the system's programs are, there is a `sync` that notes what it is asked for, and what else is named. */
function noteSyncs(...others: string[]): () => string {
  writeFileSync(`${dir}/bin/sync`, `#!/bin/sh\nreadlink /proc/self/fd/3 >>'${dir}/synced'\n`, {
    mode: 0o755,
  });
  writeFileSync(`${dir}/synced`, '');
  for (const program of ['readlink', ...others]) symlinkSync(programPath(program), `${dir}/bin/${program}`);
  system.dir = `${dir}/bin`;
  return () => readFileSync(`${dir}/synced`, 'utf8');
}

const sync = async (): Promise<void> =>
  await withHandleAsync(nodePort, nodePort.openDir(fromText(dir)), async (fd) => await nodePort.syncFs(fd));

const perls = () =>
  childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'perl\n');

describe.skipIf(perlPath === '')(`perl${NO_PERL}`, () => {
  it('answers alike whether it is kept or not, and bytes stay bytes', async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));
    const answer = [...bytes].reverse().join('');
    expect(perl(REVERSE, bytes)).toBe(answer);
    expect(await askPerl(REVERSE, bytes)).toBe(answer);
    expect(await keepPerl(async () => await askPerl(REVERSE, bytes))).toBe(answer);
  });

  it('is one process for all questions while it is kept, and answers each in its order', async () => {
    await keepPerl(async () => {
      const asked = Array.from({ length: 50 }, (_, i) => `${'x'.repeat(i * 5_000)}\n${i}`);
      const pids = [askPerl(program('$out = $$;'), '')];
      const answers = asked.map((input) => askPerl(program('$out = $input;'), input));
      pids.push(askPerl(program('$out = $$;'), ''));
      expect(await Promise.all(answers)).toEqual(asked);
      expect(new Set(await Promise.all(pids)).size).toBe(1);
    });
    await expect.poll(perls).toEqual([]);
  });

  it('works in no directory of the user’s between two questions', async () => {
    await keepPerl(async () => {
      expect(await askPerl(program('chdir $input; $out = "in";'), dir)).toBe('in');
      expect(await askPerl(program('use Cwd; $out = getcwd();'), '')).toBe('/');
    });
  });

  it('gives no answer to what fails, and goes on; once it has died, to nothing', async () => {
    await keepPerl(async () => {
      expect(await askPerl(DIES, '')).toBeNull();
      expect(await askPerl(REVERSE, 'ab')).toBe('ba');
      expect(await Promise.all([askPerl(KILLED, ''), askPerl(REVERSE, 'ab')])).toEqual([null, null]);
      expect(await askPerl(REVERSE, 'ab')).toBeNull();
    });
    expect(await askPerl(REVERSE, 'ab')).toBe('ba');
  });

  it('one that somebody has killed is followed by another, which answers what that one has not', async () => {
    const waits = program('select undef, undef, undef, 0.2; $out = "waited";');
    await keepPerl(async () => {
      for (const _ of [1, 2]) {
        expect(await askPerl(REVERSE, 'ab')).toBe('ba');
        const asked = [askPerl(waits, ''), askPerl(REVERSE, 'cd')];
        for (const pid of perls()) process.kill(pid, 'SIGKILL');
        expect(await Promise.all(asked)).toEqual(['waited', 'dc']);
        for (const pid of perls()) process.kill(pid, 'SIGKILL');
        await expect.poll(perls).toEqual([]);
      }
    });
    expect(perls()).toEqual([]);
  });

  it('one that is killed as the work ends is followed by that of the next work', async () => {
    const waits = program('select undef, undef, undef, 0.2; $out = "waited";');
    let asked: Promise<string | null> | null = null;
    await keepPerl(async () => {
      expect(await askPerl(REVERSE, 'ab')).toBe('ba');
      asked = askPerl(waits, '');
      for (const pid of perls()) process.kill(pid, 'SIGKILL');
    });
    await keepPerl(async () => expect(await asked).toBe('waited'));
  });

  it('is ended when the work fails', async () => {
    const work = keepPerl(async () => {
      await askPerl(REVERSE, '');
      throw new Error('failed');
    });
    await expect(work).rejects.toThrow('failed');
    await expect.poll(perls).toEqual([]);
  });

  it('syncs a file system while it is kept; sync(1) does it else, and when it has died', async () => {
    const synced = noteSyncs('perl');
    await keepPerl(sync);
    expect(synced()).toBe('');
    await sync();
    expect(synced()).toBe(`${dir}\n`);
    await keepPerl(async () => {
      await askPerl(KILLED, '');
      await sync();
    });
    expect(synced()).toBe(`${dir}\n${dir}\n`);
  });
});

it('a file system is synced by sync(1) where perl is missing, and its error is told', async () => {
  const synced = noteSyncs();
  await keepPerl(sync);
  expect(synced()).toBe(`${dir}\n`);
  writeFileSync(`${dir}/bin/sync`, '#!/bin/sh\necho No space left >&2; exit 1\n', { mode: 0o755 });
  await expect(keepPerl(sync)).rejects.toMatchObject({ code: 'ENOSPC' });
});
