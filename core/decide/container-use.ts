/** Which directories of the host `docker` and `podman` take files from. */
import type { Word } from './shell/facts.ts';
import { ANYWHERE, both, inDirectory, pathText, squeeze, type Where } from './shell/where.ts';

export interface ContainerUse {
  /** `build`, `run`, `compose up`. */
  verb: string;
  where: Where;
}

const BUILDS = new Set(['build', 'buildx build', 'builder build', 'image build']);
const RUNS = new Set(['run', 'create', 'container run', 'container create']);
const COPIES = new Set(['cp', 'container cp']);
/** What reads the project's compose file, its build contexts or its bind mounts anew. */
const COMPOSE = new Set(['up', 'run', 'build', 'create', 'watch']);

/** Options of build and cp that take no value: what stands behind them is an operand. */
const FLAGS =
  /^(-[aDhLq]+|--(debug|archive|follow-link|quiet|no-cache|pull|rm|force-rm|squash|squash-all|compress|load|push|check|layers|tls-verify|tls|tlsverify))$/;

/** Null: it takes no files of the host, or what it takes is known to be nothing. */
export function containerUse(args: readonly Word[], now: Where, home: string): ContainerUse | null {
  const rest = behindOptions(args);
  const [first, second] = [rest[0]?.value ?? '', rest[1]?.value ?? ''];
  if (first === 'compose') return composeUse(rest.slice(1), now, home);
  const [verb, words] =
    BUILDS.has(first) || RUNS.has(first) || COPIES.has(first)
      ? [first, rest.slice(1)]
      : [`${first} ${second}`, rest.slice(2)];
  if (BUILDS.has(verb)) return { verb, where: buildPlaces(words, now, home) };
  if (COPIES.has(verb)) return { verb, where: placesOf(operands(words).slice(0, 1), now, home) };
  if (!RUNS.has(verb)) return null;
  const where = mountPlaces(words, now, home);
  return where === null ? null : { verb, where };
}

/** Drops the options in front of the subcommand; judgePassthrough has looked at them. */
function behindOptions(args: readonly Word[]): readonly Word[] {
  let i = 0;
  while (args[i]?.value?.startsWith('-'))
    i += FLAGS.test(args[i]?.value ?? '') || args[i]?.value?.includes('=') ? 1 : 2;
  return args.slice(i);
}

function operands(words: readonly Word[]): Word[] {
  const found: Word[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = word?.value ?? '';
    if (word === undefined) continue;
    if (value === '--') return [...found, ...words.slice(i + 1)];
    if (!value.startsWith('-') || value === '-') found.push(word);
    else if (!FLAGS.test(value) && !value.includes('=')) i++;
  }
  return found;
}

/** The values of an option in all its spellings. */
function values(words: readonly Word[], names: readonly string[]): Word[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1];
    if (names.includes(word.value ?? '')) return next === undefined ? [] : [next];
    const name = names.find((one) => word.source.startsWith(`${one}=`));
    return name === undefined ? [] : [tail(word, name.length + 1)];
  });
}

/** A word without its first characters, which are literal. */
function tail(word: Word, count: number): Word {
  const [first, ...more] = word.pieces;
  if (first?.kind !== 'text' || first.text.length < count) return { ...word, value: null, pieces: [] };
  const pieces = [{ ...first, text: first.text.slice(count) }, ...more];
  return { source: word.source.slice(count), value: word.value?.slice(count) ?? null, pieces };
}

function buildPlaces(words: readonly Word[], now: Where, home: string): Where {
  const [context, ...more] = operands(words);
  if (context === undefined || more.length > 0) return { ...now, above: true };
  const contexts = context.value === '-' ? [] : [context];
  const named = values(words, ['--build-context']).map((word) =>
    tail(word, (word.value?.indexOf('=') ?? -1) + 1),
  );
  const files = values(words, ['-f', '--file']).filter((word) => word.value !== '-');
  return placesOf([...contexts, ...named, ...files], now, home);
}

/** Bind mounts and files of variables. Null = it has none: nothing of the host goes in. */
function mountPlaces(words: readonly Word[], now: Where, home: string): Where | null {
  const found: Where[] = [];
  for (const word of values(words, ['-v', '--volume'])) {
    const text = pathText(word, home);
    if (text === null) return ANYWHERE;
    // A name without a slash is a volume of the engine.
    const source = text.split(':')[0] ?? '';
    if (text.includes(':') && /^[./]/.test(source)) found.push(at(source, now));
  }
  for (const word of values(words, ['--mount'])) {
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(word.value ?? '')?.[1];
    if (word.value === null) return ANYWHERE;
    if (source !== undefined && /type=bind/.test(word.value)) found.push(at(source, now));
  }
  for (const word of values(words, ['--env-file'])) found.push(inDirectory(now, word, home));
  const [first, ...more] = found;
  return first === undefined ? null : more.reduce(both, first);
}

function at(text: string, now: Where): Where {
  if (text.startsWith('/')) return { dirs: [squeeze(text)], above: false };
  if (now.dirs === null) return ANYWHERE;
  return { dirs: now.dirs.map((dir) => squeeze(`${dir}/${text}`)), above: now.above };
}

function composeUse(args: readonly Word[], now: Where, home: string): ContainerUse | null {
  const words = args.findIndex((word) => COMPOSE.has(word.value ?? ''));
  if (words < 0) return null;
  const before = args.slice(0, words);
  const verb = `compose ${args[words]?.value ?? ''}`;
  const [project] = values(before, ['--project-directory', '--workdir']);
  if (project !== undefined) return { verb, where: inDirectory(now, project, home) };
  const files = values(before, ['-f', '--file']);
  // Without a name the file is looked for here and in the directories above.
  if (files.length === 0) return { verb, where: { ...now, above: true } };
  const dirs = files.map((word) => {
    const text = pathText(word, home);
    return text === null
      ? ANYWHERE
      : at(text.includes('/') ? text.slice(0, text.lastIndexOf('/') + 1) : '.', now);
  });
  return { verb, where: dirs.reduce(both) };
}

function placesOf(words: readonly Word[], now: Where, home: string): Where {
  const local = words.filter((word) => !/^([a-z+]+:\/\/|git@)/.test(word.value ?? ''));
  return local.map((word) => inDirectory(now, word, home)).reduce(both, { dirs: [], above: false });
}
