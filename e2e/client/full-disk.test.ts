import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const isRoot = process.getuid?.() === 0;
const skipped = isRoot ? '' : ' (skipped: only root can mount for the client alone)';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A bench whose state directory is a tmpfs of 2 MB, which only its own processes see. */
async function smallState(scenarios: (bench: () => Bench) => BenchOptions['scenarios']): Promise<Bench> {
  const state = '/srv/trai-state';
  let made: Bench | null = null;
  const bench = (): Bench => {
    if (made === null) throw new Error('asked before the bench was there');
    return made;
  };
  made = await Bench.open({
    mounts: true,
    settings: { permissions: { allow: ['Bash'] } },
    env: { TRAI_STATE_HOME: `${state}/trai` },
    scenarios: scenarios(bench) ?? {},
  });
  open.push(made);
  const { uid, gid } = made.person;
  made.mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/srv');
  mkdirSync(made.seen(state));
  made.mount('-t', 'tmpfs', '-o', `size=2m,mode=700,uid=${uid},gid=${gid}`, 'tmpfs', state);
  return made;
}
/** A file beside trai's own, as somebody else's that takes all the room there is. */
const filler = (bench: Bench): string => bench.seen(path.join(path.dirname(bench.state), 'filler'));
function fill(bench: Bench): void {
  try {
    for (let i = 0; i < 4096; i++) writeFileSync(filler(bench), Buffer.alloc(1024, 'x'), { flag: 'a' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
    throw error;
  }
  throw new Error('4 MB found room on a disk of 2 MB');
}

/** The lines of the log that are whole; a full disk leaves torn ones too. */
function wholeLines(bench: Bench): string[] {
  const [session = ''] = bench.sessions();
  const text = readFileSync(bench.seen(path.join(bench.state, 'sessions', session, 'calls.jsonl')), 'utf8');
  return text.split('\n').filter((line) => line.endsWith('}'));
}

describe.skipIf(!isRoot)(`a state directory on a disk of 2 MB${skipped}`, () => {
  test('a call that fills it fails inside, a discard works all the same, and with room again the session goes on', async () => {
    const bench = await smallState(() => ({
      full: [
        bash('echo small > small.txt'),
        bash('head -c 8000000 /dev/zero > big.bin; echo "head: $?"'),
        bash('echo refused > refused.txt; echo RAN'),
      ],
      after: [
        bash('cat small.txt; rm big.bin; echo "rm: $?"'),
        bash('echo fresh > fresh.txt; cat fresh.txt'),
      ],
    }));
    const trai = (words: string) => bench.sh(`"$0"/bin/trai ${words}`, { words: [bench.plugin ?? ''] });
    writeFileSync(filler(bench), Buffer.alloc(400 * 1024, 'x'));
    const first = await bench.claude('SCENARIO:full');
    expect(first.results[1]?.text).toMatch(/No space left on device[\s\S]*head: 1/);
    expect(first.results[2]).toMatchObject({
      error: true,
      text: expect.stringContaining(`${bench.state} has no space left`),
    });
    expect(first.results[2]?.text).not.toMatch(/^RAN/m);
    // The disk is as full as before: a discard and its undo have some room of their own.
    expect(await trai('discard --yes')).toMatchObject({ code: 0 });
    expect((await trai('status')).out).toMatch(/^(Nothing|No )/i);
    expect(await trai('undo')).toMatchObject({ code: 0 });
    expect(await bench.pending('small.txt')).toBe('small\n');
    rmSync(filler(bench));

    const second = await bench.claude('SCENARIO:after', { args: ['--resume', first.session] });
    expect(second.results.map((result) => result.text)).toEqual(['small\nrm: 0', 'fresh']);
    expect(await trai('discard --yes')).toMatchObject({ code: 0 });
    expect((await trai('status')).out).toMatch(/^(Nothing|No )/i);
    for (const name of ['small.txt', 'big.bin', 'refused.txt', 'fresh.txt'])
      expect(bench.read(name), name).toBeNull();
    expect(wholeLines(bench).filter((line) => line.includes('"unsandboxed":true'))).toEqual([]);
  });

  test('a call whose start cannot be written down is refused with 125, and runs once there is room', async () => {
    const bench = await smallState(() => ({}));
    const screen = await Terminal.open(bench);
    open.push(screen);
    await screen.ready();
    // Typed by the user, so that no hook but the launcher alone can refuse it.
    await screen.type('! echo 1 > one');
    await bench.until(
      async () => (await bench.pending('one')) === '1\n',
      () => screen.screen(),
    );
    fill(bench);
    await screen.type('! echo 2 > two; echo R"A"N');
    const shown = await screen.sees('Nothing of the command was run');
    expect(shown).toContain(`${bench.state} has no space left`);
    expect(shown).not.toMatch(/\bRAN\b/);
    rmSync(filler(bench));
    await screen.type('! echo 3 > three');
    await bench.until(
      async () => (await bench.pending('three')) === '3\n',
      () => screen.screen(),
    );
    for (const name of ['one', 'two', 'three']) expect(bench.read(name), name).toBeNull();
    expect(await bench.pending('two')).toBeNull();
    const types = wholeLines(bench).map((line) => String(JSON.parse(line)['t']));
    expect(types.filter((type) => type === 'call.started')).toHaveLength(2);
  });
});
