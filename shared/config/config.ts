/**
 * The user's config.json. Validated by hand, because it is read at every call of the Node path, where loading a schema
 * library costs more than the work. A field that is wrong is reported and its default used; nothing here throws.
 */

import { DISK_WARN_FREE_BYTES, UNDO_LIMITS } from '../limits.ts';
import { type Config, HOST_WITH_PENDING } from '../model/config-types.ts';
import { DEFAULT_IGNORE } from '../model/ignore.ts';

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
  ignore: DEFAULT_IGNORE,
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
};

export interface ParsedConfig {
  config: Config;
  /** Sentences for the user: where, what was expected, what was found. Empty = all is well. */
  problems: string[];
}

interface Check {
  expected: string;
  ok: (text: string) => boolean;
  /** Applied to each entry before it is checked. */
  tidy?: (text: string) => string;
}

const PROGRAM: Check = {
  expected: 'the name of a program, without a path or arguments',
  ok: (text) => /^[A-Za-z0-9_.+:[-]+$/.test(text) && !text.startsWith('-'),
  // Older config files write patterns such as "git *".
  tidy: (text) => text.replace(/ \*$/, ''),
};
const DIRECTORY: Check = {
  expected: 'an absolute directory other than "/", without ".."',
  ok: (text) => /^\/[^\0]/.test(text) && !text.split('/').includes('..') && /[^/]/.test(text),
  tidy: (text) => text.replace(/(.)\/+$/, '$1'),
};
const RULE: Check = {
  expected: 'a rule that begins with "~/", "/" or "outside-project:"',
  ok: (text) => /^(~\/|\/|outside-project:)[^\0]+$/.test(text),
};

const TEST_COMMAND: Check = {
  expected: 'the beginning of a command, such as "npm test", without quotes or other signs of a shell',
  ok: (text) => /^[A-Za-z0-9_./:@+=-]+( [A-Za-z0-9_./:@+=-]+)*$/.test(text),
  tidy: (text) => text.trim().replace(/\s+/g, ' '),
};

const KEYS = [
  ...['passthrough', 'readOnly', 'enabled', 'hostWithPending', 'scratch', 'ignore', 'undo', 'testCommands'],
  ...['disk', 'server'],
];
const DISK_KEYS = ['warnFreeBytes'];
const UNDO_KEYS = ['maxBytes', 'keepDays', 'keepBytes'];
const SERVER_KEYS = ['autostart', 'port', 'idleMinutes'];

/** Validates the parsed JSON of a config file. Never throws. */
export function parseConfig(json: unknown): ParsedConfig {
  const problems: string[] = [];
  const root = objectAt(json, 'the config', problems);
  reportUnknown(root, '', KEYS, problems);
  const defaults = DEFAULT_CONFIG;
  const server = root['server'] === undefined ? {} : objectAt(root['server'], 'server', problems);
  reportUnknown(server, 'server.', SERVER_KEYS, problems);
  const undo = root['undo'] === undefined ? {} : objectAt(root['undo'], 'undo', problems);
  reportUnknown(undo, 'undo.', UNDO_KEYS, problems);
  const disk = root['disk'] === undefined ? {} : objectAt(root['disk'], 'disk', problems);
  reportUnknown(disk, 'disk.', DISK_KEYS, problems);
  const bytes: [number, number] = [0, Number.MAX_SAFE_INTEGER];
  const config: Config = {
    passthrough: listAt(root, 'passthrough', defaults.passthrough, PROGRAM, problems),
    readOnly: listAt(root, 'readOnly', defaults.readOnly, PROGRAM, problems),
    enabled: booleanAt(root, 'enabled', '', defaults.enabled, problems),
    hostWithPending: wordAt(root, 'hostWithPending', HOST_WITH_PENDING, defaults.hostWithPending, problems),
    scratch: listAt(root, 'scratch', defaults.scratch, DIRECTORY, problems),
    ignore: listAt(root, 'ignore', defaults.ignore, RULE, problems),
    undo: {
      maxBytes: integerAt(undo, 'maxBytes', 'undo.', bytes, defaults.undo.maxBytes, problems),
      keepDays: integerAt(undo, 'keepDays', 'undo.', [0, 36_500], defaults.undo.keepDays, problems),
      keepBytes: integerAt(undo, 'keepBytes', 'undo.', bytes, defaults.undo.keepBytes, problems),
    },
    disk: {
      warnFreeBytes: integerAt(disk, 'warnFreeBytes', 'disk.', bytes, defaults.disk.warnFreeBytes, problems),
    },
    testCommands: listAt(root, 'testCommands', defaults.testCommands, TEST_COMMAND, problems),
    server: {
      autostart: booleanAt(server, 'autostart', 'server.', defaults.server.autostart, problems),
      port: integerAt(server, 'port', 'server.', [0, 65_535], defaults.server.port, problems),
      idleMinutes: integerAt(
        server,
        'idleMinutes',
        'server.',
        [1, 10_080],
        defaults.server.idleMinutes,
        problems,
      ),
    },
  };
  return { config, problems };
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectAt(value: unknown, path: string, problems: string[]): Fields {
  if (isObject(value)) return value;
  problems.push(problem(path, 'an object', value));
  return {};
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function reportUnknown(fields: Fields, prefix: string, known: readonly string[], problems: string[]): void {
  for (const key of Object.keys(fields)) {
    if (known.includes(key)) continue;
    problems.push(`${prefix}${shown(key)} is not a key of the config; expected one of ${known.join(', ')}.`);
  }
}

function booleanAt(
  fields: Fields,
  key: string,
  prefix: string,
  fallback: boolean,
  problems: string[],
): boolean {
  const value = own(fields, key);
  if (value === undefined || typeof value === 'boolean') return value ?? fallback;
  problems.push(problem(prefix + key, 'true or false', value));
  return fallback;
}

function wordAt<W extends string>(
  fields: Fields,
  key: string,
  words: readonly W[],
  fallback: W,
  problems: string[],
): W {
  const value = own(fields, key);
  const known = words.find((word) => word === value);
  if (value === undefined || known !== undefined) return known ?? fallback;
  problems.push(problem(key, `one of ${words.map((word) => `"${word}"`).join(', ')}`, value));
  return fallback;
}

function integerAt(
  fields: Fields,
  key: string,
  prefix: string,
  [least, most]: [number, number],
  fallback: number,
  problems: string[],
): number {
  const value = own(fields, key);
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  problems.push(problem(prefix + key, `a whole number from ${least} to ${most}`, value));
  return fallback;
}

/** A list is replaced by an array, or changed by `{"add": [], "remove": []}`. One wrong entry: the default is used. */
function listAt(
  root: Fields,
  key: string,
  fallback: readonly string[],
  check: Check,
  problems: string[],
): readonly string[] {
  const value = own(root, key);
  if (value === undefined) return fallback;
  if (Array.isArray(value)) return entries(value, key, check, problems) ?? fallback;
  if (!isObject(value)) {
    problems.push(problem(key, 'an array, or an object with "add" and "remove"', value));
    return fallback;
  }
  reportUnknown(value, `${key}.`, ['add', 'remove'], problems);
  const add = entries(own(value, 'add') ?? [], `${key}.add`, check, problems);
  const remove = entries(own(value, 'remove') ?? [], `${key}.remove`, check, problems);
  if (add === null || remove === null) return fallback;
  return [...new Set([...fallback, ...add])].filter((entry) => !remove.includes(entry));
}

function entries(value: unknown, path: string, check: Check, problems: string[]): string[] | null {
  if (!Array.isArray(value)) {
    problems.push(problem(path, 'an array of strings', value));
    return null;
  }
  const out: string[] = [];
  let good = true;
  for (const [i, entry] of value.entries()) {
    const text = typeof entry === 'string' ? (check.tidy?.(entry) ?? entry) : null;
    if (text !== null && check.ok(text)) {
      out.push(text);
    } else {
      problems.push(problem(`${path}[${i}]`, check.expected, entry));
      good = false;
    }
  }
  return good ? out : null;
}

function problem(path: string, expected: string, found: unknown): string {
  return `${path}: expected ${expected}, found ${shown(found)}; the default is used.`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
