// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOf, normalise } from './call-text.ts';

const HEAD =
  'source /home/u/.claude/shell-snapshots/s.sh 2>/dev/null || true && eval "$OTHER"; ' +
  'if [ "${TRAI_IN-}" = "$$" ]; then typeset +x TRAI_IN; else \\builtin exec \'/s/launch\' "$BASH" "$X"; exit 125; fi # trai:abc-1.2\n' +
  '\\builtin shopt -u extglob 2>/dev/null || true';
const TAIL = ' && pwd -P >| /tmp/claude-1a2b-cwd';

function quoted(command: string): string {
  return /^[A-Za-z0-9_./:=@+,-]+$/.test(command) ? command : `'${command.replaceAll("'", `'"'"'`)}'`;
}

function clientString(command: string, noInput = true): string {
  return `${HEAD} && eval ${quoted(command)}${noInput ? ' < /dev/null' : ''}${TAIL}`;
}

describe('commandOf', () => {
  it('gives back any command that the client quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (command, noInput) => {
        expect(commandOf(clientString(command, noInput), '')).toBe(command);
      }),
    );
  });

  it('gives back commands made of the characters that matter to quoting', () => {
    const unit = fc.constantFrom(
      "'",
      '"',
      `'"'"'`,
      ' && eval ',
      ' < /dev/null',
      TAIL,
      '\n',
      '\\',
      '# trai:x ',
      'a',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const command = parts.join('');
        expect(commandOf(clientString(command), '')).toBe(command);
      }),
    );
  });

  it('reads the word as bash does', () => {
    for (const command of ['ls', "it's", `a"b'c'"d`, ' x  ', 'a\nb', '$x `y` \\', '']) {
      const seen = execFileSync('bash', ['-c', `printf %s ${quoted(command)}`], { encoding: 'utf8' });
      expect(commandOf(clientString(command), '')).toBe(seen);
    }
  });

  it('does not understand any other form', () => {
    const good = clientString('ls -l');
    const others = [
      '',
      'ls',
      good.replace('# trai:', '# else:'),
      good.replace('# trai:abc-1.2\n', '# trai:abc-1.2'),
      `${good}; touch x`,
      `${good} && touch x`,
      `${good}\ntouch x`,
      good.replace(TAIL, ''),
      good.replace(' < /dev/null', ' < /etc/passwd'),
      good.replace(' < /dev/null', ' > x'),
      good.replace("'ls -l'", '"ls -l"'),
      good.replace("'ls -l'", "'ls'$x"),
      good.replace("'ls -l'", "'ls' touch"),
      good.replace("'ls -l'", "'ls"),
      good.replace("'ls -l'", ''),
      good.replace(" && eval 'ls", " ; eval 'ls"),
      good.replace(" && eval 'ls", " && builtin eval 'ls"),
    ];
    for (const other of others) expect(commandOf(other, ''), other).toBeNull();
  });

  it('takes the text of a carried command from the variable', () => {
    const string = `${HEAD} && 'eval' "$__CLAUDE_CC_COMMAND_TEXT" < /dev/null${TAIL}`;
    expect(commandOf(string, 'pkill -f x')).toBe('pkill -f x');
    expect(commandOf(string, '')).toBeNull();
    expect(commandOf(string.replace('"$__', '"touch x; $__'), 'pkill x')).toBeNull();
    expect(commandOf(`${string}; touch x`, 'pkill x')).toBeNull();
  });

  it('prefers what the string holds over the variable', () => {
    expect(commandOf(clientString('touch x'), 'ls')).toBe('touch x');
  });
});

describe('normalise', () => {
  it.each([
    ['ls 2>nul', 'ls 2>/dev/null'],
    ['ls > NUL', 'ls >/dev/null'],
    ['ls 2> /dev/null', 'ls 2>/dev/null'],
    ['  ls \n', 'ls'],
    ['echo >nullable', 'echo >nullable'],
    [
      '{ CLAUDE_CODE_WATCHED_SLEEP=1 sleep 30 || ( case $? in 141) ;; *) \\builtin exit "$?";; esac ); }; ls',
      'sleep 30; ls',
    ],
  ])('%j', (command, expected) => {
    expect(normalise(command)).toBe(expected);
  });
});
