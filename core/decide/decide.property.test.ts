// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { TEXT } from '../../testing/decide/host-texts.ts';
import { decide } from './decide.ts';
import { allCommands, isPlain } from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';

const FACTS: Facts = {
  cwd: '/',
  home: '/home/u',
  pending: false,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: { ...DEFAULT_CONFIG, passthrough: ['git'] },
};

describe('decide', () => {
  it('never throws and always knows its mode, whatever the text', () => {
    const modes = ['host', 'sandbox', 'refuse'];
    fc.assert(
      fc.property(fc.oneof(TEXT, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        expect(modes).toContain(decide(text, FACTS).mode);
        expect(modes).toContain(decide(text, { ...FACTS, config: DEFAULT_CONFIG, pending: true }).mode);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never lets a text onto the host because something was put behind it', () => {
    const endings = [
      '; touch x',
      ' && touch x',
      ' | tee x',
      '\ntouch x',
      ' & touch x',
      ' > x',
      ' $(touch x)',
    ];
    fc.assert(
      fc.property(TEXT, fc.constantFrom(...endings), (text, ending) => {
        // Only after a start that stands alone is the ending certainly a command.
        if (decide(text, FACTS).mode !== 'host' || /#|<<|\\$/.test(text)) return;
        expect(decide(text + ending, FACTS).mode).not.toBe('host');
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('hostile nesting is given up on, not followed', () => {
  const texts: [string, string][] = [
    ['open substitutions', `echo ${'$('.repeat(5_000)}`.slice(0, 10_000)],
    ['closed substitutions', '$('.repeat(3_300) + ')'.repeat(3_300)],
    ['quoted substitutions', '"$('.repeat(3_300)],
    ['process substitutions', '<('.repeat(5_000)],
    ['backticks', '`'.repeat(10_000)],
    ['groups', '{ '.repeat(5_000)],
    ['subshells', '('.repeat(10_000)],
    ['arithmetic', '$(('.repeat(3_300)],
    ['parameters', '${x:-'.repeat(2_000)],
    ['here-documents', 'cat <<a '.repeat(1_200)],
    ['commands', 'a;'.repeat(5_000)],
    ['shells in shells', `${'bash -c "'.repeat(1_000)}ls`],
    ['variables of variables', Array.from({ length: 300 }, (_, i) => `a${i}=$a${i + 1}$b${i}`).join(';')],
  ];
  it.each(texts)('%s', (_, text) => {
    expect(allCommands(parseShell(text)).length).toBeLessThanOrEqual(2_000);
    expect(decide(`touch x; ${text}`, FACTS).mode).toBe('sandbox');
  });

  it.each(['$(', '"$(', '<(', '$(('])('%j, often, is not understood', (opening) => {
    const script = parseShell(`echo ${opening.repeat(2_400)}`);
    expect(isPlain(script)).toBe(false);
  });
});
