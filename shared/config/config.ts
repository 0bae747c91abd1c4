/**
 * The user's config.json. Checked by hand, since every call of the Node path reads it, and a schema library
 * takes longer to load than the check. parseConfig merges the file with DEFAULT_CONFIG by the table CONFIG, a
 * check a key; a wrong field is reported and its default used. Nothing here throws.
 */

import { isObject } from '../json-lines.ts';
import { DISK_WARN_FREE_BYTES, UNDO_LIMITS } from '../limits.ts';
import { parseEntry } from '../network/pattern.ts';
import { PRESETS } from '../network/presets.ts';
import { BOX_HISTORIES, BOX_NETS, BOX_WRITES, type BoxOptions, DEFAULT_BOX_OPTIONS } from './box.ts';

/**
 * Rules of trai's own, tried last, which only allow: tools that change nothing by themselves, commands that only read
 * (core/rules/judge/read-only.ts), and files below `allowed_dirs`.
 */
export const BUILT_IN: readonly string[] = [
  'Agent',
  'Skill',
  'Glob',
  'WebSearch',
  'read-only',
  'allowed-dirs',
];

export const DEFAULT_CONFIG: Config = {
  passthrough: ['git', 'gh', 'sudo', 'docker', 'podman'],
  readOnly: (
    'ls cat head tail wc grep egrep fgrep rg find which type command env pwd echo true false printf test [ : ' +
    'basename dirname realpath readlink stat file du df tree id whoami uname date nproc printenv ps uptime ' +
    'sort uniq cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep'
  ).split(' '),
  enabled: true,
  hostWithPending: 'ask',
  scratch: ['/tmp', '/var/tmp', '/dev/shm', '/run'],
  ignore: [
    '~/.cache/',
    '~/.npm/_cacache/',
    '~/.npm/_logs/',
    '~/.bash_history',
    '~/.zsh_history',
    '~/.python_history',
    '~/.node_repl_history',
    '~/.psql_history',
    '~/.sqlite_history',
    '~/.mysql_history',
    '~/.lesshst',
    '~/.viminfo',
    'outside-project:__pycache__/',
  ],
  undo: UNDO_LIMITS,
  disk: { warnFreeBytes: DISK_WARN_FREE_BYTES },
  testCommands: [
    ...['npm test', 'npm t', 'npm run test', 'pnpm test', 'pnpm run test', 'yarn test', 'yarn run test'],
    ...['bun test', 'bun run test', 'deno test', 'node --test', 'npx vitest run', 'npx jest', 'npx mocha'],
    ...[
      'pytest',
      'python -m pytest',
      'python3 -m pytest',
      'uv run pytest',
      'poetry run pytest',
      'tox',
      'nox',
    ],
    ...['cargo test', 'cargo nextest run', 'go test', 'make test', 'make check', 'ctest', 'mvn test'],
    ...[
      'mvn verify',
      'gradle test',
      './gradlew test',
      'dotnet test',
      'mix test',
      'rspec',
      'bundle exec rspec',
    ],
  ],
  server: { autostart: true, port: 0, idleMinutes: 30 },
  rules: {
    enabled: true,
    sandboxed: 'ask',
    builtIn: BUILT_IN,
    logMcp: false,
    questions: true,
    holdSeconds: 60,
    headlessSeconds: 0,
    notify: true,
    popup: false,
  },
  box: { profiles: {}, network: { allow: ['preset:anthropic'], deny: [] } },
};

/** Keys, from the outermost. */
type Path = readonly string[];

export interface ConfigProblem {
  /** Of what is not used; empty for all of the file. */
  path: Path;
  isUnknownKey?: true;
  /** For the user: where, what was expected, what was found. */
  text: string;
}

export interface ParsedConfig {
  config: Config;
  problems: ConfigProblem[];
}

export function parseConfig(json: unknown): ParsedConfig {
  const problems: ConfigProblem[] = [];
  return { config: CONFIG(json, [], DEFAULT_CONFIG, problems), problems };
}

/** Returns the value, or reports a problem and returns the default. `path` is empty for the config itself. */
type Field<T> = (value: unknown, path: Path, fallback: T, problems: ConfigProblem[]) => T;

function plain<T>(expected: string, isRight: (value: unknown) => value is T): Field<T> {
  return (value, path, fallback, problems) => {
    if (isRight(value)) return value;
    problems.push(problem(path, expected, value));
    return fallback;
  };
}

const flag = plain('true or false', (value) => typeof value === 'boolean');

const integer = (least: number, most: number): Field<number> =>
  plain(
    `a whole number from ${least} to ${most}`,
    (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );

const word = <const W extends string>(words: readonly W[]): Field<W> =>
  plain(`one of ${words.map((one) => `"${one}"`).join(', ')}`, (value): value is W =>
    words.some((one) => one === value),
  );

/** An object with these keys; missing keys have their defaults. */
function group<T extends object>(fields: { [K in keyof T]: Field<T[K]> }): Field<T> {
  return (value, path, fallback, problems) => {
    if (!isObject(value)) {
      problems.push(problem(path, 'an object', value));
      return fallback;
    }
    reportUnknown(value, path, Object.keys(fields), problems);
    const read = { ...fallback };
    for (const key in fields)
      if (Object.hasOwn(value, key))
        read[key] = fields[key](value[key], [...path, key], fallback[key], problems);
    return read;
  };
}

interface Entry {
  expected: string;
  ok: (text: string) => boolean;
  /** Applied before the check. */
  tidy?: (text: string) => string;
}

/** A list is an array, or `{"add": [], "remove": []}` relative to the default. One wrong entry rejects it. */
function list(entry: Entry): Field<readonly string[]> {
  return (value, path, fallback, problems) => {
    if (Array.isArray(value)) return entries(value, path, entry, problems) ?? fallback;
    if (!isObject(value)) {
      problems.push(problem(path, 'an array, or an object with "add" and "remove"', value));
      return fallback;
    }
    reportUnknown(value, path, ['add', 'remove'], problems);
    const add = entries(value['add'] ?? [], [...path, 'add'], entry, problems);
    const remove = entries(value['remove'] ?? [], [...path, 'remove'], entry, problems);
    if (add === null || remove === null) return fallback;
    return [...new Set([...fallback, ...add])].filter((one) => !remove.includes(one));
  };
}

function entries(value: unknown, path: Path, entry: Entry, problems: ConfigProblem[]): string[] | null {
  if (!Array.isArray(value)) {
    problems.push(problem(path, 'an array of strings', value));
    return null;
  }
  const before = problems.length;
  const texts = value.map((one: unknown, i) => {
    const text = typeof one === 'string' ? (entry.tidy?.(one) ?? one) : null;
    if (text === null || !entry.ok(text)) problems.push(problem(path, entry.expected, one, `[${i}]`));
    return text ?? '';
  });
  return problems.length === before ? texts : null;
}

const programs = list({
  expected: 'the name of a program, without a path or arguments',
  ok: (text) => /^[A-Za-z0-9_.+:[-]+$/.test(text) && !text.startsWith('-'),
  // Older config files have patterns such as "git *".
  tidy: (text) => text.replace(/ \*$/, ''),
});
const directories = list({
  expected: 'an absolute directory other than "/", without ".."',
  ok: (text) => /^\/[^\0]/.test(text) && !text.split('/').includes('..') && /[^/]/.test(text),
  tidy: (text) => text.replace(/(.)\/+$/, '$1'),
});
const ignoreRules = list({
  expected: 'a rule that begins with "~/", "/" or "outside-project:"',
  ok: (text) => /^(~\/|\/|outside-project:)[^\0]+$/.test(text),
});
const testCommands = list({
  expected: 'the beginning of a command, such as "npm test", without quotes or other signs of a shell',
  ok: (text) => /^[A-Za-z0-9_./:@+=-]+( [A-Za-z0-9_./:@+=-]+)*$/.test(text),
  tidy: (text) => text.trim().replace(/\s+/g, ' '),
});
const words = list({ expected: 'a text', ok: (text) => text !== '' && !text.includes('\0') });
const hosts = list({
  expected: `host, *.host, an address or block, each also with :port, or preset:NAME (${Object.keys(PRESETS).join(', ')})`,
  ok: (text) => parseEntry(text) !== null,
});
const builtIn = list({
  expected: `one of ${BUILT_IN.map((one) => `"${one}"`).join(', ')}`,
  ok: (text) => BUILT_IN.includes(text),
});
/** What a profile may say; without a key, `trai box` has its own default. */
const PROFILE = group<BoxOptions>({
  write: word(BOX_WRITES),
  net: word(BOX_NETS),
  history: word(BOX_HISTORIES),
  allow: words,
  hide: words,
  env: words,
});

const profiles: Field<Readonly<Record<string, BoxOptions>>> = (value, path, fallback, problems) => {
  if (!isObject(value)) {
    problems.push(problem(path, 'an object with a profile a name', value));
    return fallback;
  }
  const read = Object.entries(value).map(([name, one]) => [
    name,
    PROFILE(one, [...path, name], DEFAULT_BOX_OPTIONS, problems),
  ]);
  return Object.fromEntries(read);
};
const bytes = integer(0, Number.MAX_SAFE_INTEGER);

const CONFIG = group({
  passthrough: programs,
  /** Programs that run on the host only while nothing is pending. */
  readOnly: programs,
  /** `false`: every call runs on the host, visibly. */
  enabled: flag,
  hostWithPending: word(['ask', 'warn', 'refuse']),
  /** Not covered. */
  scratch: directories,
  ignore: ignoreRules,
  undo: group({ maxBytes: bytes, keepDays: integer(0, 36_500), keepBytes: bytes }),
  /** Prefixes of commands that run tests: a preview says whether one passed after the last write. */
  testCommands,
  /** The user is warned when the state directory's file system has less free; 0 = never. */
  disk: group({ warnFreeBytes: bytes }),
  /** The server exits after `idleMinutes` without a tab, a hook and a live session. */
  server: group({ autostart: flag, port: integer(0, 65_535), idleMinutes: integer(1, 10_080) }),
  /**
   * Permission rules. `sandboxed`: whether a call is asked about whose writes all stay pending. `builtIn`: the rules of
   * trai's own that allow; each can be turned off. `logMcp`: the log gets whole inputs of MCP tools.
   * `questions`: the client's questions can be answered elsewhere. `holdSeconds`, `headlessSeconds`: how long a subagent and `claude -p`, which show no dialog meanwhile, wait for the
   * answer. `notify`: the client's terminal is told of a question (OSC 777). `popup`: tmux, kitty or wezterm show it.
   */
  rules: group({
    enabled: flag,
    sandboxed: word(['ask', 'allow']),
    builtIn,
    logMcp: flag,
    questions: flag,
    holdSeconds: integer(0, 3_600),
    headlessSeconds: integer(0, 86_400),
    notify: flag,
    popup: flag,
  }),
  /** Named sets of options of `trai box`; the hosts of `--net list`. */
  box: group({ profiles, network: group({ allow: hosts, deny: hosts }) }),
});

/** config.json after validation; every field has a default. */
export type Config = ReturnType<typeof CONFIG>;
export type PassthroughConfig = Pick<Config, 'passthrough' | 'readOnly' | 'enabled'>;

function reportUnknown(value: object, path: Path, known: readonly string[], problems: ConfigProblem[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const at = [...path, shown(key)].join('.');
    const text = `${at} is not a key of the config; expected one of ${known.join(', ')}.`;
    problems.push({ path: [...path, key], isUnknownKey: true, text });
  }
}

/** @param index of an entry, with its brackets */
function problem(path: Path, expected: string, found: unknown, index = ''): ConfigProblem {
  const at = path.length === 0 ? 'the config' : path.join('.') + index;
  return { path, text: `${at}: expected ${expected}, found ${shown(found)}; the default is used.` };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
