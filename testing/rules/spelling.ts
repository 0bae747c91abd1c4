/** Random spellings of a command that a shell runs alike, for properties of the permission rules. */
import fc from 'fast-check';

export type Words = readonly string[];

const sq = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One word without special characters, quoted in some way. */
export function quotedWord(word: string): fc.Arbitrary<string> {
  const hex = [...word].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
  const split = fc.nat(word.length).map((at) => `${word.slice(0, at)}''${word.slice(at)}`);
  const escaped = fc.nat(Math.max(0, word.length - 1)).map((at) => {
    const char = word[at] ?? '';
    return /[\w/-]/.test(char) ? `${word.slice(0, at)}\\${word.slice(at)}` : word;
  });
  const plain = [word, `'${word}'`, `"${word}"`, `$'${word}'`, `$'${hex}'`].map((one) => fc.constant(one));
  return fc.oneof(...plain, split, escaped);
}

/** The words in a line, each quoted in some way, with any blanks. */
export function line(words: Words): fc.Arbitrary<string> {
  const blank = fc.constantFrom(' ', '  ', '\t', ' \\\n', '\\\n ');
  const parts = words.map((word, i) => fc.tuple(i === 0 ? fc.constant('') : blank, quotedWord(word)));
  return fc.tuple(...parts).map((all) => all.map(([space, word]) => space + word).join(''));
}

type Around = (text: string) => string;

/** What runs a line beside other things, or inside of them. */
const AROUND: readonly Around[] = [
  (text) => `true; ${text}`,
  (text) => `true && ${text}`,
  (text) => `false || ${text}`,
  (text) => `true | ${text}`,
  (text) => `${text} | cat`,
  (text) => `true &\n${text}`,
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for i in 1; do ${text}; done`,
  (text) => `case a in a) ${text};; esac`,
  (text) => `echo "$( ${text} )"`,
  (text) => `: $( ${text} )`,
  (text) => `${text} # a comment`,
  (text) => `# a comment\n${text}`,
  (text) => `eval ${sq(text)}`,
  (text) => `trap ${sq(text)} EXIT`,
];

/** Programs that run their words. */
const PREFIXES: readonly Around[] = [
  (text) => `env ${text}`,
  (text) => `env A=1 ${text}`,
  (text) => `command ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `nohup ${text}`,
  (text) => `timeout 5 ${text}`,
];

/** What a simple command may stand in. */
const WRAPPED: readonly Around[] = [
  (text) => `A=1 ${text}`,
  (text) => `${text} > /dev/null`,
  (text) => `2>&1 ${text}`,
  (text) => `f() { ${text}; }; f`,
  (text) => `sh -c ${sq(text)}`,
  (text) => `bash -c ${sq(text)}`,
  (text) => `bash <<'END'\n${text}\nEND`,
  (text) => `echo ${sq(text)} | sh`,
  (text) => `cat <<'END' | bash\n${text}\nEND`,
  (text) => `bash <<< ${sq(text)}`,
];

/** Any way to have the shell run these words. */
export function spelling(words: Words): fc.Arbitrary<string> {
  const some = (all: readonly Around[], maxLength: number) =>
    fc.array(fc.constantFrom(...all), { maxLength });
  return fc
    .tuple(line(words), some(PREFIXES, 2), some(WRAPPED, 1), some(AROUND, 2))
    .map(([text, prefixes, wrapped, around]) => {
      const inner = [...prefixes, ...wrapped].reduce((made, one) => one(made), text);
      return around.reduce((made, one) => (made.includes('END') ? made : one(made)), inner);
    });
}
