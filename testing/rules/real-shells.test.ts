/** What rules say about random texts, beside what real shells do with them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../core/rules/judge/judge.ts';
import { firstSeed, runsOf } from '../runs.ts';
import { plainFacts, ruleSet } from './facts.ts';
import { spelling } from './spelling.ts';

const RULES = ruleSet({
  user: {
    version: 2,
    deny: [{ tool: '^Bash$', match: { command: '^(trash|rm)\\b' } }],
    allow: [{ tool: '^Bash$', match: { command: '^good( |$)' } }],
  },
});
const decisionOn = (command: string) =>
  judge({ tool: 'Bash', input: { command }, cwd: '/p', mode: 'default' }, RULES, plainFacts()).decision;

const SHELLS = ['/usr/bin/bash', '/usr/bin/zsh'].filter((shell) => existsSync(shell));
const SEED = firstSeed();

/** `good` and `trash` note that they ran; there are no other programs but those that run others. */
class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'trai-shells-'));
  private readonly ran = join(this.root, 'ran');

  constructor() {
    mkdirSync(join(this.root, 'bin'));
    mkdirSync(join(this.root, 'cwd'));
    for (const name of ['good', 'trash', 'rm']) {
      const text = `#!/bin/sh\nexec 3>>${this.ran}\necho ${name} >&3\n`;
      writeFileSync(join(this.root, 'bin', name), text, { mode: 0o755 });
    }
    const tools = 'sh bash cat env nice nohup timeout xargs find sleep'.split(' ');
    for (const tool of tools) execFileSync('ln', ['-s', `/usr/bin/${tool}`, join(this.root, 'bin', tool)]);
  }

  /** The names of the programs that ran; null when the shell did not end by itself. */
  run(shell: string, text: string): string[] | null {
    writeFileSync(this.ran, '');
    const env = { PATH: join(this.root, 'bin'), HOME: join(this.root, 'cwd') };
    const before = this.programs();
    const done = spawnSync(shell, ['-c', text], {
      cwd: join(this.root, 'cwd'),
      env,
      timeout: 3_000,
      input: '',
    });
    // A redirection may not have left the working directory.
    if (this.programs() !== before) throw new Error(`programs were overwritten by ${JSON.stringify(text)}`);
    if (done.error !== undefined) return null;
    return readFileSync(this.ran, 'utf8')
      .split('\n')
      .filter((name) => name !== '');
  }

  private programs(): string {
    const bin = join(this.root, 'bin');
    return ['good', 'trash', 'rm'].map((name) => readFileSync(join(bin, name), 'utf8')).join();
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const WORDS =
  `good trash rm x ; ; && || | & $( ) ( ) { } \` " ' \\ \n if then fi for i in do done while case esac ! eval sh -c
  env X=trash $X \${X} \${X:-trash} \${Y:=trash} $IFS # << E E > f alias r=trash r f() f function time coproc [[ ]] (( ))
  $'\\x74rash' {trash,x} =trash =(trash) <(trash) >(trash) <<< command exec builtin nice timeout 5 trap EXIT xargs find . -exec
  \\; + ~ * ? [a] $@ "$@" set -- noglob - $~X \${(e)X} *(e:trash:) PATH=. && good; good echo printf cat true false`.split(
    ' ',
  );

const soup = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', ' ', ' ', '')), {
    minLength: 1,
    maxLength: 9,
  })
  .map((parts) => parts.map(([word, space]) => word + space).join(''));

/** Texts in which a shell might find another program. */
const TELLING = /trash|rm|[$`"'\\#{(<=]/;

describe.skipIf(SHELLS.length === 0)('beside real shells', () => {
  let machine: Machine;
  beforeAll(() => {
    machine = new Machine();
  });
  afterAll(() => machine.remove());

  it.each(SHELLS)('%s: what rules allow runs nothing else', { timeout: 600_000 }, (shell) => {
    const texts: string[] = [];
    for (let seed = SEED; texts.length < runsOf(300) && seed < SEED + 200; seed++)
      texts.push(
        ...fc
          .sample(soup, { seed, numRuns: 2_000 })
          .filter((text) => TELLING.test(text) && decisionOn(text) === 'allow'),
      );
    for (const text of texts.slice(0, runsOf(300))) {
      const ran = machine.run(shell, text) ?? [];
      expect(
        ran.filter((name) => name !== 'good'),
        `TRAI_SEED=${SEED} ${JSON.stringify(text)}`,
      ).toEqual([]);
    }
  });

  it.each(SHELLS)('%s: what runs a denied program is denied', { timeout: 600_000 }, (shell) => {
    const texts = fc.sample(spelling(['trash', '-rf', 'x/y']), { seed: SEED, numRuns: runsOf(200) });
    let count = 0;
    for (const text of texts) {
      if (machine.run(shell, text)?.includes('trash') !== true) continue;
      count += 1;
      expect(decisionOn(text), `TRAI_SEED=${SEED} ${JSON.stringify(text)}`).toBe('deny');
    }
    expect(count).toBeGreaterThan(texts.length / 2);
  });

  it('sees what ran', () => {
    for (const shell of SHELLS) {
      expect(machine.run(shell, 'good; trash')).toEqual(['good', 'trash']);
      expect(machine.run(shell, 'echo trash')).toEqual([]);
    }
  });
});
