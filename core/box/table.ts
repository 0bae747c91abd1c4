/**
 * The table of a box: what a client in it sees. Pure: facts in, rows out. Whatever tells of a box (argv, dry run, audit
 * screen, the agent's context) is made of these rows, in their order, and has no other.
 *
 *     candidates   the paths of which the table wants to know whether they exist (facts.ts looks)
 *     boxTable     rows for what exists: system, tool chains, project, the client's files, what the user allows and hides
 *
 * A row comes after those of the directories above it. bwrap makes a missing target, and below a bound directory that
 * would be a file of the user's: such a row is left out, or, where the directory is pending and the name is one that no
 * change list has, it is made in the merged view before (`make`).
 */
import { type BytePath, innermost, isWithin, joinPath, nameOf } from '../../shared/bytes.ts';
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxHow, BoxRow } from '../../shared/model/box.ts';
import { insideAt, instanceAt } from '../sandbox/client-door.ts';
import { byLink, givesAway, REASONS } from './messages/reasons.ts';

/** An entry as it is after its links. */
export interface Found {
  type: 'dir' | 'file' | 'other';
  real: BytePath;
  /** An overlay of the session covers it, and the box writes through that. */
  pending: boolean;
}

export interface Allowed {
  path: BytePath;
  ro: boolean;
}

export interface BoxInput {
  home: BytePath;
  project: BytePath;
  /** Of the project's repository, where they lie outside of it (worktrees, submodules). */
  gitDirs: readonly BytePath[];
  stateDir: BytePath;
  configDir: BytePath;
  /** `.claude.json`, where the client looks for it. */
  stateFile: BytePath;
  /** Entries of the config directory that are links. */
  configLinks: readonly BytePath[];
  /** The client, as it was found on PATH; null: a shell. */
  program: BytePath | null;
  plugin: BytePath;
  /** Absolute ones. */
  pathDirs: readonly BytePath[];
  session: string;
  allow: readonly Allowed[];
  hide: readonly BytePath[];
  options: Pick<BoxOptions, 'write' | 'history'>;
}

export interface BoxTable {
  rows: BoxRow[];
  /** Targets that are made in the merged view first: the client's own names, which are never listed. */
  make: { path: BytePath; type: 'dir' | 'file' }[];
}

const p = (...paths: string[]): BytePath[] => paths as BytePath[];

const SYSTEM = p(
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/nix/var/nix', '/run/current-system'],
);

const ETC = p(
  ...[
    'passwd',
    'group',
    'hosts',
    'host.conf',
    'resolv.conf',
    'nsswitch.conf',
    'gai.conf',
    'protocols',
    'services',
  ],
  ...['ssl', 'pki', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'localtime', 'timezone'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'os-release', 'login.defs', 'shells'],
  ...[
    'environment',
    'locale.conf',
    'locale.alias',
    'profile',
    'profile.d',
    'bash.bashrc',
    'bashrc',
    'bash_completion.d',
  ],
  ...[
    'zsh',
    'zshenv',
    'zprofile',
    'zshrc',
    'inputrc',
    'terminfo',
    'mime.types',
    'magic',
    'fonts',
    'gitconfig',
  ],
  ...['npmrc', 'python3', 'java', 'maven', 'nix', 'static', 'claude-code'],
).map((name) => joinPath('/etc' as BytePath, name));

/** Below the home: programs and settings, never credentials (`.cargo/credentials.toml`, `.npmrc`). */
const TOOLS = p(
  ...[
    '.local/bin',
    'bin',
    '.nvm',
    '.fnm',
    '.local/share/fnm',
    '.volta',
    '.asdf',
    '.local/share/mise',
    '.config/mise',
  ],
  ...[
    '.cargo/bin',
    '.cargo/env',
    '.cargo/config.toml',
    '.rustup',
    '.pyenv',
    '.local/share/uv',
    '.local/share/pnpm',
  ],
  ...['go/bin', 'sdk', '.sdkman', '.bun/bin', '.deno/bin', '.nix-profile', '.local/state/nix'],
);

/** Kept in the instance: the name there, the path below the home, and without which of the above it is left out. */
const CACHES: readonly (readonly [name: string, path: string, needs: string | null])[] = [
  ['xdg', '.cache', null],
  ['npm', '.npm', null],
  ['cargo-registry', '.cargo/registry', '.cargo/bin'],
  ['cargo-git', '.cargo/git', '.cargo/bin'],
  ['go-pkg', 'go/pkg', 'go/bin'],
  ['gradle', '.gradle', null],
  ['maven', '.m2', null],
];
export const CACHE_NAMES: readonly string[] = CACHES.map(([name]) => name);

const GIT = p('.gitconfig', '.config/git');
/** Of git-credential-store(1). */
const GIT_CREDENTIALS = '.config/git/credentials';

/** In the client's config directory: what it keeps of its own work, but not what it executes (session-env, shell-snapshots). */
export const CLIENT_DIRS = p(
  ...['sessions', 'file-history', 'plans', 'tasks', 'todos', 'teams', 'statsig', 'usage-data'],
  // Of all projects; and keys, with which the IDEs could be asked.
  ...['paste-cache', 'image-cache', 'backups', 'debug', 'ide'],
);
const PROJECTS = 'projects';
const HISTORY = 'history.jsonl';
const OWN_NAMES: ReadonlySet<string> = new Set([PROJECTS, HISTORY, ...CLIENT_DIRS]);

const instanceIn = (stateDir: BytePath): BytePath => instanceAt(stateDir) as BytePath;
const doorIn = (stateDir: BytePath): BytePath => insideAt(stateDir) as BytePath;

/** Below an instance. */
export const stateCopy = (session: string): string => `run/${session}.claude.json`;
export const EMPTY_FILE = 'none/file';
export const EMPTY_DIR = 'none/dir';

/** What is looked up in a config directory of the client. */
export function clientPaths(configDir: BytePath): BytePath[] {
  const names = [PROJECTS, HISTORY, '.claude.json', ...CLIENT_DIRS];
  return [configDir, ...names.map((name) => joinPath(configDir, name))];
}

export function candidates(input: BoxInput): BytePath[] {
  const { home, configDir, program } = input;
  const below = (names: readonly string[]) => names.map((name) => joinPath(home, name));
  return [
    ...SYSTEM,
    ...ETC,
    ...below([...TOOLS, ...GIT, GIT_CREDENTIALS, ...CACHES.map(([, path]) => path)]),
    ...input.pathDirs,
    input.project,
    ...input.gitDirs,
    ...clientPaths(configDir),
    ...input.configLinks,
    ...(program === null ? [] : [program]),
    input.plugin,
    ...input.allow.map(({ path }) => path),
    ...input.hide,
  ];
}

/** @param found what exists of the candidates, by their names and without links */
export function boxTable(input: BoxInput, found: ReadonlyMap<BytePath, Found>): BoxTable {
  return new Table(input, found).made();
}

/** Where the client is installed: the directory that has all of its parts, or the program alone. */
export function installationOf(real: BytePath): BytePath {
  const npm = /^(.*?\/node_modules\/@anthropic-ai)\//s.exec(real)?.[1];
  const native = /^(.*\/claude)\/versions\/[^/]+$/s.exec(real)?.[1];
  return (npm ?? native ?? real) as BytePath;
}

class Table {
  readonly #input: BoxInput;
  readonly #found: ReadonlyMap<BytePath, Found>;
  readonly #rows = new Map<BytePath, BoxRow>();
  readonly #make: BoxTable['make'] = [];

  constructor(input: BoxInput, found: ReadonlyMap<BytePath, Found>) {
    this.#input = input;
    this.#found = found;
  }

  made(): BoxTable {
    const { home } = this.#input;
    this.#own('the file system', '/' as BytePath, 'tmpfs', REASONS.root);
    this.#own('/proc', '/proc' as BytePath, 'proc', REASONS.proc);
    this.#own('/dev', '/dev' as BytePath, 'dev', REASONS.dev);
    this.#own('/tmp', '/tmp' as BytePath, 'tmpfs', REASONS.tmp);
    for (const path of SYSTEM) this.#show('system', path, 'ro', REASONS.system);
    this.#own('system settings', '/etc' as BytePath, 'tmpfs', REASONS.etcDir);
    for (const path of ETC) this.#show('system settings', path, 'ro', REASONS.etc);
    this.#own('home', home, 'tmpfs', REASONS.home);
    this.#tools();
    this.#project();
    this.#program();
    this.#clientFiles();
    this.#state();
    for (const { path, ro } of this.#input.allow) this.#allow(path, ro);
    for (const path of this.#input.hide) this.#hide(path, REASONS.hidden);
    return { rows: this.#ordered(), make: this.#make };
  }

  #own(what: string, to: BytePath, how: BoxHow, why: string): void {
    this.#rows.set(to, { what, from: null, to, how, why });
  }

  /** Null where nothing is. */
  #show(what: string, to: BytePath, how: BoxHow, why: string): void {
    const found = this.#found.get(to);
    if (found !== undefined) this.#rows.set(to, { what, from: found.real, to, how, why });
  }

  /** From the instance. */
  #keep(what: string, to: BytePath, name: string, why: string): void {
    const from = joinPath(instanceIn(this.#input.stateDir), name);
    this.#rows.set(to, { what, from, to, how: 'instance', why });
  }

  #tools(): void {
    const { home, pathDirs } = this.#input;
    const at = (name: string) => joinPath(home, name);
    for (const name of TOOLS) this.#show('tools', at(name), 'ro', REASONS.tool);
    for (const name of GIT) this.#show('git', at(name), 'ro', REASONS.git);
    this.#hide(at(GIT_CREDENTIALS), REASONS.secret);
    for (const [name, path, needed] of CACHES)
      if (needed === null || this.#found.has(at(needed)))
        this.#keep('cache', at(path), `cache/${name}`, REASONS.cache);
    // Below the home it may be another project.
    for (const dir of pathDirs)
      if (
        ![dir, this.#found.get(dir)?.real ?? dir].some((one) => isWithin(one, home) || isWithin(home, one)) &&
        // Its own /tmp, /etc ... would be the host's.
        !this.#rows.has(dir) &&
        !this.#isSeen(dir)
      )
        this.#show('tools', dir, 'ro', REASONS.path);
  }

  #project(): void {
    const { project, gitDirs, options } = this.#input;
    const how = ({ 'pending': 'pending', 'direct': 'host', 'read-only': 'ro' } as const)[options.write];
    const why = { pending: REASONS.pending, direct: REASONS.direct, 'read-only': REASONS.readOnly }[
      options.write
    ];
    this.#show('project', project, how, why);
    for (const dir of gitDirs) {
      // In a scratch directory what is written would be the host's.
      const isHosts = how === 'pending' && this.#found.get(dir)?.pending === false;
      this.#show('repository', dir, isHosts ? 'ro' : how, REASONS.gitDir);
    }
  }

  #program(): void {
    const { program, plugin } = this.#input;
    if (!this.#isSeen(plugin)) this.#show('plugin', plugin, 'ro', REASONS.plugin);
    const found = program === null ? undefined : this.#found.get(program);
    if (program === null || found === undefined) return;
    const root = installationOf(found.real);
    if (!this.#isSeen(found.real))
      this.#rows.set(root, { what: 'client', from: root, to: root, how: 'ro', why: REASONS.client });
    if (!this.#isSeen(program)) this.#show('client', program, 'ro', REASONS.client);
  }

  #clientFiles(): void {
    const { configLinks, options } = this.#input;
    const { configDir, stateFile } = this.#config();
    const from = this.#found.get(configDir)?.real ?? configDir;
    this.#rows.set(configDir, {
      what: 'Claude Code',
      from,
      to: configDir,
      how: 'pending',
      why: REASONS.settings,
    });
    if (!this.#found.has(configDir)) this.#make.push({ path: configDir, type: 'dir' });
    for (const link of configLinks) {
      const found = this.#found.get(link);
      // What is kept of its own work is mounted there, and holds that of all projects.
      if (OWN_NAMES.has(nameOf(link))) continue;
      // A link to `/` or the home would show it whole.
      if (found !== undefined && !this.#rows.has(found.real) && !this.#isSeen(found.real))
        this.#rows.set(found.real, {
          what: 'Claude Code',
          from: found.real,
          to: found.real,
          how: found.pending ? 'pending' : 'ro',
          why: REASONS.leads,
        });
    }
    const own = (name: string) => joinPath(configDir, name);
    this.#keep('conversations', own(PROJECTS), PROJECTS, REASONS.own);
    for (const name of CLIENT_DIRS) this.#keep('Claude Code', own(name), `client/${name}`, REASONS.own);
    const history = own(HISTORY);
    if (options.history === 'shared' && this.#found.has(history))
      this.#show('prompts', history, 'host', REASONS.sharedHistory);
    else this.#keep('prompts', history, HISTORY, REASONS.history);
    this.#keep('Claude Code', stateFile, stateCopy(this.#input.session), REASONS.state);
  }

  /** Where the client's files are mounted: behind a link that the project shows, else by their names. */
  #config(): Pick<BoxInput, 'configDir' | 'stateFile'> {
    const { configDir, stateFile } = this.#input;
    const real = this.#found.get(configDir)?.real ?? configDir;
    if (this.#sourceAt(configDir, this.#rows.values()) !== configDir) return { configDir, stateFile };
    const isBelow = isWithin(stateFile, configDir);
    return {
      configDir: real,
      stateFile: isBelow ? ((real + stateFile.slice(configDir.length)) as BytePath) : stateFile,
    };
  }

  #state(): void {
    const { stateDir } = this.#input;
    const door = doorIn(stateDir);
    this.#rows.set(stateDir, { what: 'trai', from: stateDir, to: stateDir, how: 'ro', why: REASONS.mask });
    this.#own('trai', instanceIn(stateDir), 'tmpfs', REASONS.mask);
    this.#rows.set(door, { what: 'trai', from: door, to: door, how: 'instance', why: REASONS.door });
  }

  #allow(path: BytePath, ro: boolean): void {
    const found = this.#found.get(path);
    if (found === undefined) return;
    const how = ro ? 'ro' : found.type !== 'other' && found.pending ? 'pending' : 'host';
    this.#rows.set(path, { what: 'allowed', from: found.real, to: path, how, why: givesAway(found.real) });
  }

  #hide(path: BytePath, why: string): void {
    const found = this.#found.get(path);
    if (found === undefined || !this.#isSeen(path)) return;
    const from = joinPath(instanceIn(this.#input.stateDir), found.type === 'dir' ? EMPTY_DIR : EMPTY_FILE);
    this.#rows.set(path, { what: 'hidden', from, to: path, how: 'empty', why });
  }

  /** True if a row above shows the very entry of that path, also by a link that is itself shown. */
  #isSeen(path: BytePath): boolean {
    const source = this.#sourceAt(path, this.#rows.values());
    const real = this.#found.get(path)?.real ?? path;
    return source === real || (source === path && this.#isSeen(real));
  }

  /** What the rows show at `path`: an entry of the session's view; null where nothing or a file system of the box is. */
  #sourceAt(path: BytePath, rows: Iterable<BoxRow>): BytePath | null {
    const above = innermost(path, rows, ({ to }) => to);
    return above === undefined ? null : sourceOf(above, path);
  }

  #ordered(): BoxRow[] {
    const rows: BoxRow[] = [];
    for (const row of this.#behindLinks().sort((a, b) => (rowOrder(a.to) < rowOrder(b.to) ? -1 : 1))) {
      const above = innermost(row.to, rows, ({ to }) => to);
      const source = above === undefined ? null : sourceOf(above, row.to);
      if (source === null || this.#fits(row, source, above?.how ?? 'tmpfs')) rows.push(row);
    }
    return rows;
  }

  /** Nothing can be mounted on a link that a bound directory has: what it leads to is there instead. */
  #behindLinks(): BoxRow[] {
    const moved = new Map<BytePath, BoxRow>();
    for (const row of this.#rows.values()) {
      const others = [...this.#rows.values()].filter(({ to }) => to !== row.to);
      const source = this.#sourceAt(row.to, others);
      const to = source === null ? row.to : (this.#found.get(source)?.real ?? source);
      if (to === source || source === null) moved.set(row.to, row);
      else if (!this.#rows.has(to) && !moved.has(to))
        moved.set(to, { ...row, to, why: row.what === 'allowed' ? byLink(row.why, row.to) : row.why });
    }
    return [...moved.values()];
  }

  /** Whether a row may lie below a bound directory whose entry there is `source`. */
  #fits(row: BoxRow, source: BytePath, above: BoxHow): boolean {
    // `ENTRY` hides after all else is mounted.
    if (above === 'empty' || (row.how === above && row.from === source)) return false;
    if (isWithin(source, this.#input.stateDir) || this.#found.has(source)) return true;
    // Of the client's names alone: others are listed.
    if (row.how !== 'instance' || row.what === 'cache' || above !== 'pending') return false;
    const isFile = row.to.endsWith(HISTORY) || row.to.endsWith('/.claude.json');
    this.#make.push({ path: source, type: isFile ? 'file' : 'dir' });
    return true;
  }
}

/** A sort key: directories before what is below them. */
export const rowOrder = (path: BytePath): string => path.replaceAll('/', '\0');

/** The entry that a bound directory shows at `path`; null below a file system of the box's own. */
function sourceOf({ from, to }: BoxRow, path: BytePath): BytePath | null {
  if (from === null) return null;
  const rest = to === '/' ? path : path.slice(to.length);
  return (from === '/' ? rest || '/' : from + rest) as BytePath;
}
