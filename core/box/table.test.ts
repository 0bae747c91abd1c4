import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BytePath, fromText, innermost, isWithin, toDisplay } from '../../shared/bytes.ts';
import { DEFAULT_BOX_OPTIONS } from '../../shared/config/box.ts';
import type { BoxRow } from '../../shared/model/box.ts';
import { auditText, boxContext, dryRunText, HOW_TEXTS } from '../../shared/terminal/box.ts';
import { PLAIN } from '../../shared/terminal/text.ts';
import { runsOf } from '../../testing/runs.ts';
import { boxArgs, fixedArgs, hiddenPaths, rowArgs } from './argv.ts';
import {
  type BoxInput,
  type BoxTable,
  boxTable,
  candidates,
  clientPaths,
  type Found,
  installationOf,
} from './table.ts';

const at = (path: string): BytePath => fromText(path);
const HOME = at('/home/kim');
const STATE = at('/home/kim/.local/state/trai');

const INPUT: BoxInput = {
  home: HOME,
  project: at('/home/kim/shop'),
  gitDirs: [],
  stateDir: STATE,
  configDir: at('/home/kim/.claude'),
  stateFile: at('/home/kim/.claude.json'),
  configLinks: [],
  program: at('/home/kim/.local/bin/claude'),
  plugin: at('/opt/trai'),
  pathDirs: [at('/usr/bin'), at('/usr/local/bin')],
  session: 's1',
  allow: [],
  hide: [],
  options: DEFAULT_BOX_OPTIONS,
};

type World = { input: BoxInput; found: Map<BytePath, Found> };

const FILES =
  /\.(json|jsonl|conf|cache|gitconfig)$|\/(passwd|group|hosts|\.gitconfig|env|localtime|resolv\.conf|claude)$/;

/** Where links lead to: within what is shown, beside it, and to a path of the list itself. */
const TARGETS = [
  '/usr/bin',
  '/usr/lib',
  '/nix/store/x',
  '/run/systemd/stub.conf',
  '/home/kim/dotfiles/a',
  '/data',
  '/home/kim/shop/x',
].map(at);

const world: fc.Arbitrary<World> = fc
  .record({
    nix: fc.boolean(),
    project: fc.constantFrom(
      '/home/kim/shop',
      '/srv/shop',
      '/home/kim/a b/c:d,e\\f\n',
      `/home/kim/${'x'.repeat(255)}`,
      '/tmp/p',
      '/home/kim/.claude/skills',
    ),
    plugin: fc.constantFrom('/opt/trai', '/home/kim/shop/dist', '/home/kim/.claude/plugins/trai'),
    program: fc.constantFrom(
      '/home/kim/.local/bin/claude',
      '/usr/bin/claude',
      '/home/kim/shop/node_modules/.bin/claude',
      null,
    ),
    configDir: fc.constantFrom('/home/kim/.claude', '/home/kim/.config/claude', '/srv/shop/.claude'),
    gitDir: fc.constantFrom(null, '/home/kim/main/.git', '/srv/shop.git'),
    write: fc.constantFrom('pending', 'direct', 'read-only'),
    history: fc.constantFrom('project', 'shared'),
    allow: fc.array(
      fc.record({
        path: fc
          .constantFrom(
            '/data',
            '/home/kim/.ssh',
            '/run/docker.sock',
            '/home/kim/lib',
            '/home/kim/shop/sub',
            '/usr/share',
            '/home/kim/.cache',
          )
          .map(at),
        ro: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    hide: fc.array(fc.constantFrom('.env', 'secrets', 'sub', '.claude/settings.json'), { maxLength: 3 }),
    links: fc.array(
      fc.constantFrom('settings.json', 'projects', 'skills', 'history.jsonl').map((name) => name),
      { maxLength: 3 },
    ),
    picks: fc.infiniteStream(fc.nat(99)),
  })
  .map(({ nix, picks, links, ...chosen }) => {
    const project = at(chosen.project);
    const configDir = at(chosen.configDir);
    const input: BoxInput = {
      ...INPUT,
      project,
      configDir,
      stateFile: at(
        chosen.configDir === '/home/kim/.claude'
          ? '/home/kim/.claude.json'
          : `${chosen.configDir}/.claude.json`,
      ),
      gitDirs: chosen.gitDir === null ? [] : [at(chosen.gitDir)],
      program: chosen.program === null ? null : at(chosen.program),
      plugin: at(chosen.plugin),
      configLinks: links.map((name) => at(`${chosen.configDir}/${name}`)),
      allow: chosen.allow,
      hide: chosen.hide.map((name) => at(`${chosen.project}/${name}`)),
      options: { write: chosen.write, history: chosen.history },
    };
    const found = new Map<BytePath, Found>();
    const missing = new Set<BytePath>();
    const next = (): number => picks.next().value ?? 0;
    const put = (path: BytePath, real: BytePath, type: Found['type']): void => {
      found.set(path, { type, real, pending: !/^\/(tmp|run|dev)(\/|$)/.test(real) });
    };
    /** As a look at `path` would find it; below a link it is what that leads to. */
    const look = (path: BytePath): void => {
      if (found.has(path) || missing.has(path)) return;
      const over = innermost(path, found.keys(), (one) => one);
      if (over !== undefined && found.get(over)?.real !== over) {
        const behind = ((found.get(over)?.real ?? '') + path.slice(over.length)) as BytePath;
        look(behind);
        const entry = found.get(behind);
        if (entry !== undefined) found.set(path, entry);
        return;
      }
      const [pick, target] = [next(), TARGETS[next() % TARGETS.length] ?? path];
      const isNeeded = path === project || path === input.plugin || path === '/usr';
      const isGone = [...missing].some((one) => isWithin(path, one));
      const isRare = /^\/(usr|lib|bin|sbin|etc)(\/|$)/.test(path) ? nix && pick < 90 : pick < 30;
      if (isGone || (isRare && !isNeeded)) {
        missing.add(path);
        return;
      }
      const type = FILES.test(path) ? 'file' : /sock$/.test(path) ? 'other' : 'dir';
      const isLink = pick > 85 || input.configLinks.includes(path) || /^\/(bin|sbin|lib)$/.test(path);
      // What holds others of the list stays a directory: links among them would be without an order.
      if (isNeeded || !isLink || TARGETS.some((one) => isWithin(one, path) || isWithin(path, one)))
        put(path, path, type);
      else {
        put(target, target, type);
        put(path, target, type);
      }
    };
    for (const path of candidates(input)) look(path);
    for (const path of clientPaths(found.get(configDir)?.real ?? configDir)) look(path);
    return { input, found };
  });

/** What is bound at `path`: the nearest row above it, and the entry that it shows there. */
function above(rows: readonly BoxRow[], row: BoxRow): { row: BoxRow; source: BytePath | null } | null {
  const found = innermost(
    row.to,
    rows.filter((one) => one !== row),
    ({ to }) => to,
  );
  if (found === undefined) return null;
  const rest = found.to === '/' ? row.to : row.to.slice(found.to.length);
  return { row: found, source: found.from === null ? null : ((found.from + rest) as BytePath) };
}

function holds({ input, found }: World, { rows, make }: BoxTable): void {
  const reals = new Set([...found.values()].map(({ real }) => real));
  const made = new Set(make.map(({ path }) => path));
  expect(new Set(rows.map(({ to }) => to)).size).toBe(rows.length);
  for (const [i, row] of rows.entries()) {
    const one = JSON.stringify(row);
    // After what is above it.
    expect(
      rows.some(({ to }, j) => j < i && to !== row.to && isWithin(to, row.to)),
      one,
    ).toBe(false);
    // No source missing.
    if (row.from !== null && !isWithin(row.from, STATE))
      expect(reals.has(row.from) || row.from === installationOf(row.from) || made.has(row.from), one).toBe(
        true,
      );
    // No target made: it is there, or below a file system of the box's own, or made in the overlay.
    const over = above(rows, row);
    if (over?.source != null && !isWithin(over.source, STATE)) {
      const there = found.get(over.source);
      expect(there !== undefined || (made.has(over.source) && row.how === 'instance'), one).toBe(true);
      if (there !== undefined) expect(there.real, one).toBe(over.source);
    }
    // Nothing of the host's is writable but what says so.
    if (row.how === 'host')
      expect(
        (input.options.write === 'direct' &&
          [input.project, ...input.gitDirs].some((dir) => found.get(dir)?.real === row.from)) ||
          (input.options.history === 'shared' && row.what === 'prompts') ||
          input.allow.some(({ path, ro }) => !ro && found.get(path)?.real === row.from),
        one,
      ).toBe(true);
    if (row.how === 'pending' && row.from !== null && found.has(row.from))
      expect([...found.values()].find(({ real }) => real === row.from)?.pending, one).toBe(true);
    if (row.how === 'instance') expect(isWithin(row.from ?? '', STATE), one).toBe(true);
  }
  for (const { path } of make)
    expect(isWithin(path, found.get(input.configDir)?.real ?? input.configDir), path).toBe(true);
}

const isHidden = ({ how }: BoxRow): boolean => how === 'empty';

/** `HOW PATH` of each path on the audit screen, whose lines are joined and wrapped. */
function shownPaths(lines: readonly string[], rows: readonly BoxRow[], home: BytePath): string[] {
  const kinds: string[] = [];
  for (const line of lines) {
    if (line.startsWith('     ')) kinds.push(`${kinds.pop()} ${line.trim()}`);
    else kinds.push(line);
  }
  return kinds.flatMap((kind) => {
    const how = kind.slice(2, 19).trim();
    const text = kind.slice(21);
    const why = rows.map((row) => `(${row.why})`).find((one) => text.endsWith(one));
    expect(why, kind).toBeDefined();
    const paths = text.slice(0, -(why ?? '').length).trimEnd();
    const items = paths.split(/, (?![^{}]*\})/).flatMap((item) => {
      const [, dir = '', names] = /^(.*)\/\{(.*)\}$/s.exec(item) ?? [];
      return names === undefined ? [item] : names.split(', ').map((name) => `${dir}/${name}`);
    });
    return items.map((path) => `${how} ${path.replace(/ <- .*$/, '').replace(/^~/, home)}`);
  });
}

/** What facts.ts lets through. */
const isPossible = ({ input, found }: World): boolean =>
  found.get(input.configDir)?.pending !== false &&
  (input.options.write !== 'pending' || found.get(input.project)?.pending === true);

describe('the table of a box', () => {
  it('is in order, has no source that is missing, makes no target, and writes only what says so', () => {
    fc.assert(
      fc.property(world, (one) => {
        fc.pre(isPossible(one));
        holds(one, boxTable(one.input, one.found));
      }),
      { numRuns: runsOf(600) },
    );
  });

  it('is what arguments, dry run, screen and context are made of, row by row', () => {
    fc.assert(
      fc.property(world, ({ input, found }) => {
        const { rows } = boxTable(input, found);
        const fixed = { cwd: input.project, net: 'open', newSession: true } as const;
        const words = boxArgs({ rows, ...fixed })
          .toString('latin1')
          .split('\0')
          .slice(0, -1);
        const own = fixedArgs(fixed).flat();
        const [hidden, bound] = [rows.filter(isHidden), rows.filter((row) => !isHidden(row))];
        expect(words).toEqual([...bound.flatMap(rowArgs), ...own]);
        expect(words.filter((word) => /^--(ro-bind|bind|tmpfs|proc|dev)$/.test(word))).toHaveLength(
          bound.length,
        );
        expect(hiddenPaths(rows, []).sort()).toEqual(hidden.map(({ to }) => to).sort());
        const view = { rows, variables: ['HOME'], net: 'open' } as const;
        const audit = auditText(view, { home: input.home, remarks: [], style: PLAIN }).split('\n');
        const shown = audit.slice(
          1,
          audit.findIndex((line) => line.startsWith('Network:')),
        );
        expect(shownPaths(shown, rows, input.home).sort()).toEqual(
          rows.map(({ to, how }) => `${HOW_TEXTS[how]} ${toDisplay(to)}`).sort(),
        );
        for (const line of shown)
          expect(line.length <= 100 || !line.slice(21).includes(' '), line).toBe(true);
        const context = boxContext(view).split('\n')[1] ?? '';
        expect(context).toBe(
          rows.map(({ to, how }) => `${toDisplay(to)} (${HOW_TEXTS[how].toLowerCase()})`).join(', '),
        );
        const lines = dryRunText({
          program: 'bwrap',
          rows: rows.map((row) => ({ words: rowArgs(row), row })),
          fixed: [],
          command: ['claude'],
          variables: [],
        }).split('\n');
        expect(lines.slice(lines.indexOf('box=(') + 1, lines.indexOf(')'))).toHaveLength(rows.length);
      }),
      { numRuns: runsOf(200) },
    );
  });

  it('fits a screen of 40 lines of 100 columns where all that it knows of the system is there', () => {
    const found = new Map<BytePath, Found>(
      candidates(INPUT).map((path) => [path, { type: 'dir', real: path, pending: true }]),
    );
    const { rows } = boxTable(INPUT, found);
    expect(rows.length).toBeGreaterThan(90);
    const view = { rows, variables: ['HOME', 'LANG', 'PATH', 'SHELL', 'TERM', 'USER'], net: 'open' } as const;
    const lines = auditText(view, { home: HOME, remarks: [], style: PLAIN }).split('\n');
    // With the question below it.
    expect(lines.length).toBeLessThan(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  /** What stands below `/`, but for `/proc`, `/dev`, `/tmp`, the home and the project. */
  const systemRows = (entries: Record<string, string>): string[] => {
    const found = new Map<BytePath, Found>(
      [...Object.entries(entries), [INPUT.project, INPUT.project], [INPUT.configDir, INPUT.configDir]].map(
        ([path = '', real = '']) => [at(path), { type: 'dir', real: at(real), pending: true }],
      ),
    );
    const { rows } = boxTable({ ...INPUT, program: null }, found);
    const isSystem = ({ to }: BoxRow) => /^\/(?!home|proc|dev|tmp|srv|opt)[^/]/.test(to);
    return rows.filter(isSystem).map(({ how, from, to }) => `${how} ${from ?? '-'} ${to}`);
  };

  it('shows a NixOS: the store, the running system, a few links of /etc, and no /lib', () => {
    const etc = '/nix/store/e-etc/etc';
    expect(
      systemRows({
        '/usr': '/usr',
        '/bin': '/bin',
        '/nix/store': '/nix/store',
        '/nix/var/nix': '/nix/var/nix',
        '/run/current-system': '/nix/store/s-nixos-system',
        '/etc/static': etc,
        '/etc/passwd': '/etc/passwd',
        '/etc/resolv.conf': '/etc/resolv.conf',
        '/etc/ssl': '/etc/ssl',
        '/etc/profile': `${etc}/profile`,
        '/etc/zshrc': `${etc}/zshrc`,
        '/etc/nix': '/etc/nix',
        '/etc/localtime': '/nix/store/t-tzdata/share/zoneinfo/UTC',
      }),
    ).toEqual([
      'ro /bin /bin',
      'tmpfs - /etc',
      'ro /nix/store/t-tzdata/share/zoneinfo/UTC /etc/localtime',
      'ro /etc/nix /etc/nix',
      'ro /etc/passwd /etc/passwd',
      `ro ${etc}/profile /etc/profile`,
      'ro /etc/resolv.conf /etc/resolv.conf',
      'ro /etc/ssl /etc/ssl',
      `ro ${etc} /etc/static`,
      `ro ${etc}/zshrc /etc/zshrc`,
      'ro /nix/store /nix/store',
      'ro /nix/var/nix /nix/var/nix',
      'ro /nix/store/s-nixos-system /run/current-system',
      'ro /usr /usr',
    ]);
  });

  it.each([
    ['merged', '/usr'],
    ['not merged', ''],
  ])('shows a /usr that is %s with /bin and /lib', (_, below) => {
    const names = ['bin', 'lib', 'lib64', 'sbin'];
    const entries = Object.fromEntries(names.map((name) => [`/${name}`, `${below}/${name}`]));
    expect(systemRows({ ...entries, '/usr': '/usr' })).toEqual([
      `ro ${below}/bin /bin`,
      'tmpfs - /etc',
      ...['lib', 'lib64', 'sbin'].map((name) => `ro ${below}/${name} /${name}`),
      'ro /usr /usr',
    ]);
  });

  it('shows the installation of the client whole, wherever a link on PATH leads', () => {
    expect(installationOf(at('/home/kim/.local/share/claude/versions/2.1.330'))).toBe(
      '/home/kim/.local/share/claude',
    );
    expect(installationOf(at('/n/lib/node_modules/@anthropic-ai/claude-code/cli.js'))).toBe(
      '/n/lib/node_modules/@anthropic-ai',
    );
    expect(installationOf(at('/home/kim/claude'))).toBe('/home/kim/claude');
    const real = at('/home/kim/.local/share/claude/versions/2');
    const found = new Map<BytePath, Found>([
      [INPUT.program ?? HOME, { type: 'file', real, pending: true }],
      [at('/home/kim/.local/bin'), { type: 'dir', real: at('/home/kim/.local/bin'), pending: true }],
    ]);
    const shown = boxTable(INPUT, found).rows.map(({ to }) => to);
    expect(shown).toContain('/home/kim/.local/share/claude');
    // The link itself is in a directory that is shown.
    expect(shown).not.toContain(INPUT.program);
  });

  it('has one row for what is hidden, and none below it', () => {
    const [dir, file] = [at('/home/kim/shop/keys'), at('/home/kim/shop/keys/k')];
    const found = new Map<BytePath, Found>([
      [INPUT.project, { type: 'dir', real: INPUT.project, pending: true }],
      [dir, { type: 'dir', real: dir, pending: true }],
      [file, { type: 'file', real: file, pending: true }],
    ]);
    for (const hide of [
      [dir, file],
      [file, dir],
    ])
      expect(
        boxTable({ ...INPUT, hide }, found)
          .rows.filter(({ how }) => how === 'empty')
          .map(({ to }) => to),
      ).toEqual([dir]);
  });

  it('has a /tmp, /etc, /proc and /dev of its own, also where PATH names them', () => {
    const pathDirs = ['/tmp', '/etc', '/proc', '/dev', '/srv/bin'].map(at);
    const found = new Map(
      pathDirs.map((path) => [path, { type: 'dir' as const, real: path, pending: false }]),
    );
    const { rows } = boxTable({ ...INPUT, pathDirs }, found);
    expect(pathDirs.map((dir) => rows.filter(({ to }) => to === dir).map(({ how }) => how))).toEqual([
      ['tmpfs'],
      ['tmpfs'],
      ['proc'],
      ['dev'],
      ['ro'],
    ]);
  });

  it('leaves out what the user did not allow, and says what an allowed socket gives away', () => {
    const paths = [
      '/home/kim/.ssh',
      '/home/kim/.aws',
      '/run/docker.sock',
      '/home/kim/shop',
      '/home/kim/other',
    ].map(at);
    const found = new Map(paths.map((path) => [path, { type: 'dir' as const, real: path, pending: true }]));
    const allow = [{ path: at('/run/docker.sock'), ro: false }];
    const rows = boxTable({ ...INPUT, allow }, found).rows.filter(
      ({ from }) => from !== null && paths.includes(from),
    );
    expect(rows.map(({ to, how }) => `${how} ${to}`)).toEqual([
      'pending /home/kim/shop',
      'pending /run/docker.sock',
    ]);
    expect(rows[1]?.why).toContain('root on this machine');
  });

  it.each(['/proc', '/proc/1/root', '/dev', '/dev/video0', '/sys', '/run', '/run/user/1000'])(
    'says what an allowed %s gives away',
    (name) => {
      const found = new Map([[at(name), { type: 'dir' as const, real: at(name), pending: true }]]);
      const { rows } = boxTable({ ...INPUT, allow: [{ path: at(name), ro: false }] }, found);
      expect(rows.find(({ what }) => what === 'allowed')).toMatchObject({
        to: name,
        why: expect.stringMatching(/^--allow: ./),
      });
    },
  );
});

it('the screen says which hosts a box with --net list may reach', () => {
  const view = { rows: [], variables: ['HOME'], net: 'list' as const };
  const screen = { home: HOME, remarks: [], style: PLAIN };
  const said = (hosts: { allow: string[]; deny: string[] }) => auditText({ ...view, hosts }, screen);
  expect(said({ allow: ['preset:npm', 'a.example'], deny: [] })).toContain(
    '\n  allow    preset:npm a.example\nVar',
  );
  expect(said({ allow: [], deny: ['b.example'] })).toContain('\n  allow    nothing\n  deny     b.example\n');
  expect(auditText({ ...view, net: 'off' }, screen)).not.toContain('  allow ');
});
