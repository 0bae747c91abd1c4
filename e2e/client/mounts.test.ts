import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash, type Scenario } from './mock-api.ts';
import type { ClaudeRun } from './stream.ts';

const isRoot = process.getuid?.() === 0;
const skipped = isRoot ? '' : ' (skipped: only root can mount for the client alone)';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type Steps = (bench: Bench, step: number) => Promise<void> | void;

/** A session of these calls in a project with an empty directory `volume`; `before` runs ahead of each reply. */
async function session(before: Steps, ...commands: string[]): Promise<{ bench: Bench; run: ClaudeRun }> {
  let made: Bench | null = null;
  const scenario: Scenario = async ({ step }) => {
    if (made !== null) await before(made, step);
    const command = commands[step];
    return command === undefined ? null : bash(command);
  };
  made = await Bench.open({
    mounts: true,
    settings: { permissions: { allow: ['Bash'] } },
    scenarios: { mounts: scenario },
  });
  open.push(made);
  made.write('project/volume/below.txt', 'below\n');
  made.write('project/src/main.txt', 'main\n');
  const run = await made.claude('SCENARIO:mounts', { args: ['--permission-mode', 'bypassPermissions'] });
  return { bench: made, run };
}

function mountVolume(bench: Bench): void {
  const { uid, gid } = bench.person;
  bench.mount('-t', 'tmpfs', '-o', `size=8m,mode=755,uid=${uid},gid=${gid}`, 'volume', volume(bench));
  writeFileSync(bench.seen(path.join(volume(bench), 'theirs.txt')), 'theirs\n');
}
const volume = (bench: Bench): string => path.join(bench.project, 'volume');

/** Names in the directory `volume` as the host has it at this moment: the mount's own while it is mounted. */
const onHost = (bench: Bench): string[] => readdirSync(bench.seen(volume(bench))).sort();
const texts = (run: ClaudeRun): string[] => run.results.map((result) => result.text);

describe.skipIf(!isRoot)(`a mount that appears below the project in mid-session${skipped}`, () => {
  test('where nothing is pending: covered like the rest, and what turned read-only is said', async () => {
    const { bench, run } = await session(
      (bench, step) => {
        if (step === 1) mountVolume(bench);
      },
      'sh -c true',
      'echo 2 > volume/inside; rm volume/theirs.txt; echo 3 > src/inside; ls volume src',
      'echo 4 > right-in-the-project; cat volume/inside src/inside',
    );
    expect(texts(run)).toEqual([
      '(Bash completed with no output)',
      'src:\ninside\nmain.txt\n\nvolume:\ninside',
      expect.stringMatching(/Read-only file system\n2\n3$/),
    ]);
    expect(onHost(bench)).toEqual(['theirs.txt']);
    expect([bench.read('src/inside'), bench.read('right-in-the-project')]).toEqual([null, null]);
    const notices = bench.log().filter((event) => event['t'] === 'notice');
    expect(notices).toMatchObject([
      { code: 'mounts', text: expect.stringContaining(`${bench.project} is read-only`) },
    ]);
  });

  test('below a place with pending changes: calls are refused and name it, until it is unmounted', async () => {
    const { bench, run } = await session(
      (bench, step) => {
        if (step === 1) mountVolume(bench);
        if (step === 2) bench.unmount(volume(bench));
      },
      'echo 1 > one; echo changed > src/main.txt',
      'echo 2 > volume/inside; echo 2 > src/main.txt; echo RAN',
      'cat one src/main.txt; ls volume',
    );
    const [, refused, after] = run.results;
    expect(refused?.error).toBe(true);
    expect(refused?.text).toMatch(/^Exit code 125\ntrai: .*pending changes/);
    expect(refused?.text).toContain(volume(bench));
    expect(refused?.text).not.toMatch(/^RAN/m);
    expect(after?.text).toBe('1\nchanged\nbelow.txt');
    expect(await bench.pending('one')).toBe('1\n');
    expect([bench.read('one'), bench.read('src/main.txt')]).toEqual([null, 'main\n']);
    expect(onHost(bench)).toEqual(['below.txt']);
  });

  test('while a process of the session runs: the next call writes into its overlay, not onto the mount', async () => {
    const { bench, run } = await session(
      async (bench, step) => {
        if (step === 1) mountVolume(bench);
        if (step === 2) bench.unmount(volume(bench));
      },
      '{ for i in {1..300}; do [ -e over ] && break; sleep 0.1; done; } > /dev/null 2>&1 & disown; echo started',
      'echo 2 > volume/inside; echo "status $?"',
      'cat volume/inside; touch over; ls volume',
    );
    expect(texts(run)).toEqual(['started', 'status 0', '2\nbelow.txt\ninside']);
    expect(onHost(bench)).toEqual(['below.txt']);
  });

  test('and goes away again with pending changes in it: calls are refused until it is back', async () => {
    const { bench, run } = await session(
      (bench, step) => {
        if (step === 1) mountVolume(bench);
        if (step === 2) bench.unmount(volume(bench));
        if (step === 3) mountVolume(bench);
      },
      'sh -c true',
      'echo 2 > volume/inside',
      'echo 3 > volume/inside; echo RAN',
      'cat volume/inside',
    );
    expect(run.results[2]).toMatchObject({
      error: true,
      text: expect.stringContaining(`what was mounted at ${volume(bench)} is gone`),
    });
    expect(run.results[2]?.text).not.toMatch(/^RAN/m);
    expect(run.results[3]?.text).toBe('2');
    expect(onHost(bench)).toEqual(['theirs.txt']);
  });
});

describe.skipIf(!isRoot)(`a machine that can’t enter the sandbox${skipped}`, () => {
  test('ends every call with 125 and runs nothing, in a new session and in one that goes on; nothing is lost', async () => {
    const bench = await Bench.open({
      mounts: true,
      settings: { permissions: { allow: ['Bash'] } },
      scenarios: {
        make: [bash('echo x > made.txt')],
        more: [bash('echo y > more.txt')],
        look: [bash('cat made.txt')],
      },
    });
    open.push(bench);
    const first = await bench.claude('SCENARIO:make');
    const resume = { args: ['--resume', first.session] };
    bench.mount('--bind', '/dev/null', '/usr/bin/nsenter');
    await bench.sh('rm "$0/doctor.json"', { words: [bench.state] });
    for (const options of [resume, {}]) {
      const run = await bench.claude('SCENARIO:more', options);
      expect(run.out).toMatch(/the sandbox does not work here: .*\/usr\/bin\/nsenter.*end with status 125/);
      expect(run.results[0]?.text).toMatch(/^Exit code 125\ntrai: .*Nothing of the command was run/s);
      expect(bench.read('more.txt')).toBeNull();
    }
    bench.unmount('/usr/bin/nsenter');
    const again = await bench.claude('SCENARIO:look', resume);
    expect(again.results[0]?.text).toBe('x');
  });
});
