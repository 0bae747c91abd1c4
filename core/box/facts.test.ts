/** Facts of real directories: what is refused, and what links, repositories and odd names become in the table. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { type BoxOptions, DEFAULT_BOX_OPTIONS } from '../../shared/config/box.ts';
import { type BoxFacts, gatherFacts } from './facts.ts';

let base: string;
let home: string;
let project: string;
beforeEach(() => {
  // Covered, unlike temporary directories.
  base = realpathSync(mkdtempSync(join(userInfo().homedir, 'trai-facts-')));
  [home, project] = [join(base, 'home'), join(base, 'project')];
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(project);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function facts(options: Partial<BoxOptions> = {}, cwd = project, env: NodeJS.ProcessEnv = {}): BoxFacts {
  return gatherFacts({
    env: { HOME: home, PATH: '/usr/bin:/bin', ...env },
    stateDir: join(base, 'state'),
    cwd: fromText(cwd),
    plugin: project,
    program: null,
    session: 's',
    options: { ...DEFAULT_BOX_OPTIONS, ...options },
  });
}

/** `HOW FROM TO` of the rows with that target. */
const rowsTo = ({ table }: BoxFacts, path: string): string[] =>
  table.rows.filter(({ to }) => to === path).map(({ how, from, to }) => `${how} ${from} ${to}`);

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

const git = (dir: string, ...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: dir });

describe('the project', () => {
  it('is not the root, a home or what is above it, a scratch directory, or the state directory', () => {
    mkdirSync(join(base, 'state'));
    for (const cwd of ['/', home, base, '/tmp', '/dev/shm', join(base, 'state')])
      expect([cwd, codeOf(() => facts({}, cwd))]).toEqual([cwd, 'not-entered']);
    expect(rowsTo(facts(), project)).toEqual([`pending ${project} ${project}`]);
  });

  it('may be in a scratch directory, where it has an overlay of its own; the settings may not', () => {
    const scratch = mkdtempSync('/tmp/trai-facts-');
    try {
      expect(rowsTo(facts({}, scratch), scratch)).toEqual([`pending ${scratch} ${scratch}`]);
      mkdirSync(join(scratch, '.claude'));
      expect(codeOf(() => facts({}, project, { HOME: scratch }))).toBe('not-entered');
      // The project's own are covered with it.
      expect(codeOf(() => facts({}, scratch, { CLAUDE_CONFIG_DIR: join(scratch, '.claude') }))).toBe('none');
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });

  it('on FUSE can be written directly or not at all', (ctx) => {
    const far = join(base, 'far');
    for (const dir of [far, join(base, 'behind')]) mkdirSync(dir);
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/bindfs') || !existsSync('/dev/fuse'))
      return ctx.skip('needs root, bindfs and /dev/fuse');
    expect(spawnSync('/usr/bin/bindfs', [join(base, 'behind'), far]).status).toBe(0);
    try {
      expect(codeOf(() => facts({}, far))).toBe('not-entered');
      expect(rowsTo(facts({ write: 'direct' }, far), far)).toEqual([`host ${far} ${far}`]);
      expect(rowsTo(facts({ write: 'read-only' }, far), far)).toEqual([`ro ${far} ${far}`]);
    } finally {
      spawnSync('umount', [far]);
    }
  });

  it('comes with the directory of its repository, where that is elsewhere', () => {
    git(project, 'init', '-q');
    git(project, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(project, 'worktree', 'add', '-q', join(base, 'tree'));
    const tree = facts({}, join(base, 'tree'));
    expect(rowsTo(tree, `${project}/.git`)).toEqual([`pending ${project}/.git ${project}/.git`]);
    expect(rowsTo(tree, project)).toEqual([`ro ${project} ${project}`]);
    expect(facts().input.gitDirs).toEqual([]);
    expect(tree.project.id).toBe(facts().project.id);
  });

  it('is none whose files name the repository of another project', () => {
    const other = join(base, 'other');
    mkdirSync(other);
    spawnSync('git', ['init', '-q'], { cwd: other });
    writeFileSync(join(project, '.git'), `gitdir: ${other}/.git\n`);
    expect(codeOf(() => facts())).toBe('not-entered');
    spawnSync('git', ['config', 'core.worktree', project], { cwd: other });
    expect(rowsTo(facts(), `${other}/.git`)).toEqual([`pending ${other}/.git ${other}/.git`]);
    rmSync(join(project, '.git'));
    spawnSync('git', ['init', '-q'], { cwd: project });
    writeFileSync(join(project, '.git/commondir'), '../../other/.git\n');
    expect(facts).toThrow(/other project|another project/);
  });
});

describe('links', () => {
  it('of the settings are followed: the directory itself, an entry, and what is kept', () => {
    const dotfiles = join(base, 'dotfiles');
    for (const name of ['claude/skills', 'talk']) mkdirSync(join(dotfiles, name), { recursive: true });
    writeFileSync(join(dotfiles, 'settings.json'), '{}');
    rmSync(join(home, '.claude'), { recursive: true });
    symlinkSync(join(dotfiles, 'claude'), join(home, '.claude'));
    symlinkSync(join(dotfiles, 'settings.json'), join(dotfiles, 'claude/settings.json'));
    symlinkSync(join(dotfiles, 'talk'), join(dotfiles, 'claude/projects'));
    const found = facts();
    expect(rowsTo(found, `${home}/.claude`)).toEqual([`pending ${dotfiles}/claude ${home}/.claude`]);
    expect(rowsTo(found, `${dotfiles}/settings.json`)).toEqual([
      `pending ${dotfiles}/settings.json ${dotfiles}/settings.json`,
    ]);
    expect(rowsTo(found, `${dotfiles}/talk`)).toEqual([
      `instance ${base}/state/instance/projects ${dotfiles}/talk`,
    ]);
    expect(rowsTo(found, `${home}/.claude/projects`)).toEqual([]);
  });

  it('of the settings to the root or the home show neither', () => {
    symlinkSync('/', join(home, '.claude/root'));
    symlinkSync('..', join(home, '.claude/home'));
    const found = facts();
    expect(rowsTo(found, '/')).toEqual(['tmpfs null /']);
    expect(rowsTo(found, home)).toEqual([`tmpfs null ${home}`]);
  });

  it('on PATH to a directory below the home do not show it', () => {
    mkdirSync(join(home, 'other/bin'), { recursive: true });
    symlinkSync(join(home, 'other/bin'), join(base, 'bin'));
    expect(rowsTo(facts({}, project, { PATH: `${base}/bin:/usr/bin` }), `${base}/bin`)).toEqual([]);
  });

  it('of --allow and --hide: the target is bound, by the name that was given', () => {
    mkdirSync(join(base, 'lib'));
    symlinkSync(join(base, 'lib'), join(base, 'link'));
    writeFileSync(join(project, '.env'), '');
    symlinkSync('.env', join(project, 'same'));
    const found = facts({ allow: [join(base, 'link')], hide: ['same'] });
    expect(rowsTo(found, join(base, 'link'))).toEqual([`pending ${base}/lib ${base}/link`]);
    expect(rowsTo(found, join(project, '.env'))).toEqual([
      `empty ${base}/state/instance/none/file ${project}/.env`,
    ]);
  });
});

describe('what git keeps', () => {
  it('of settings is shown, but no passwords', () => {
    mkdirSync(join(home, '.config/git'), { recursive: true });
    for (const name of ['ignore', 'credentials']) writeFileSync(join(home, '.config/git', name), '');
    const found = facts();
    const dir = join(home, '.config/git');
    expect(rowsTo(found, dir)).toEqual([`ro ${dir} ${dir}`]);
    expect(rowsTo(found, `${dir}/credentials`)).toEqual([
      `empty ${base}/state/instance/none/file ${dir}/credentials`,
    ]);
  });
});

describe('the file of the project', () => {
  it('hides below the project’s root, wherever the box starts; a path outside is ignored, and said', () => {
    for (const dir of ['.claude', 'src']) mkdirSync(join(project, dir));
    writeFileSync(join(project, '.env'), '');
    symlinkSync(home, join(project, 'out'));
    writeFileSync(join(project, '.claude/trai.box.json'), '{"hide":[".env",".","out","../x"]}');
    // Without git a directory is its own project.
    spawnSync('git', ['init', '-q'], { cwd: project });
    const found = facts({}, join(project, 'src'));
    expect(rowsTo(found, join(project, '.env'))).toEqual([
      `empty ${base}/state/instance/none/file ${project}/.env`,
    ]);
    expect(found.ignored).toEqual(
      ['../x', '.', 'out'].map((name) => expect.stringContaining(`hide "${name}"`)),
    );
  });
});

it.each([
  ['a FIFO', (file: string) => spawnSync('mkfifo', [file])],
  ['a huge file', (file: string) => spawnSync('truncate', ['-s', '1G', file])],
])('a project’s file that is %s is ignored, said, and not read', (_, make) => {
  mkdirSync(join(project, '.claude'));
  make(join(project, '.claude/trai.box.json'));
  const before = process.resourceUsage().maxRSS;
  expect(facts().ignored).toEqual([expect.stringContaining('trai.box.json is ignored')]);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(2 ** 18);
});

describe('--write direct', () => {
  const direct = { write: 'direct' } as const;

  it('says of what --allow names in the project, or in its repository, that it is yours at once', () => {
    const tree = join(base, 'tree');
    mkdirSync(join(project, 'sub'));
    git(project, 'init', '-q');
    git(project, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(project, 'worktree', 'add', '-q', tree);
    const how = (options: Partial<BoxOptions>, cwd?: string): string[] =>
      facts(options, cwd)
        .table.rows.filter(({ what }) => what === 'allowed')
        .map(({ how, to }) => `${how} ${to}`);
    const [sub, hooks] = [join(project, 'sub'), join(project, '.git/hooks')];
    expect(how({ ...direct, allow: [sub] })).toEqual([]);
    expect(how({ ...direct, allow: [`${sub}:ro`] })).toEqual([`ro ${sub}`]);
    expect(how({ ...direct, allow: [project] }, tree)).toEqual([`pending ${project}`]);
    expect(how({ ...direct, allow: [hooks] }, tree)).toEqual([]);
    expect(how({ write: 'read-only', allow: [sub] })).toEqual([`pending ${sub}`]);
    const history = join(home, '.claude/history.jsonl');
    writeFileSync(history, '');
    expect(how({ history: 'shared', allow: [history] })).toEqual([`host ${history}`]);
  });

  it('is refused where the project has the settings', () => {
    const settings = join(project, 'settings');
    const env = { CLAUDE_CONFIG_DIR: settings };
    const claude = join(home, '.claude');
    for (const cwd of [project, claude]) {
      const more = cwd === project ? env : {};
      expect([cwd, codeOf(() => facts(direct, cwd, more)), codeOf(() => facts({}, cwd, more))]).toEqual([
        cwd,
        'not-entered',
        'none',
      ]);
    }
    symlinkSync(project, settings);
    expect(codeOf(() => facts(direct, project, env))).toBe('not-entered');
  });
});

describe('a path of an option', () => {
  it('ends with :ro, unless that is its name', () => {
    for (const name of ['lib', 'odd:ro']) mkdirSync(join(base, name));
    const how = (given: string) => facts({ allow: [join(base, given)] }).input.allow;
    expect(how('lib:ro')).toEqual([{ path: `${base}/lib`, ro: true }]);
    expect(how('odd:ro')).toEqual([{ path: `${base}/odd:ro`, ro: false }]);
    expect(how('odd:ro:ro')).toEqual([{ path: `${base}/odd:ro`, ro: true }]);
  });

  it('is refused: everything, trai’s own directory, what is above it, what is missing, what is not in the project', () => {
    mkdirSync(join(base, 'state'));
    for (const path of ['/', join(base, 'state'), base, join(base, 'none'), '/..'])
      expect([path, codeOf(() => facts({ allow: [path] }))]).toEqual([path, 'bad-usage']);
    for (const path of ['/etc/passwd', '..', '.', home])
      expect([path, codeOf(() => facts({ hide: [path] }))]).toEqual([path, 'bad-usage']);
    expect(codeOf(() => facts({ hide: ['not there'] }))).toBe('none');
  });
});
