import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../reap.ts';
import { scan } from '../scan.ts';
import { lookThrough } from './look.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.remove();
});
/** Longer than a tick of the kernel's clock. */
const TICK = 'sleep 0.05';

function session(hostLines: string, sandboxLines: string): TestSession {
  const s = testSession();
  open.push(s);
  s.onHost(`${hostLines}; ${TICK}`);
  s.inSandbox(sandboxLines);
  return s;
}
async function at(s: TestSession, name: string, thorough = true): Promise<string> {
  const found = await lookThrough(s.ctx, fromText(`${s.host}/${name}`), thorough);
  const where = found.at.startsWith(`${fromText(s.host)}/`) ? found.at.slice(s.host.length + 1) : found.at;
  return [
    found.kind,
    ...(found.kind === 'none' ? [] : [where]),
    found.inView ? 'view' : '',
    found.onHost ? 'host' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

describe('a path that the sandbox', () => {
  it('did not touch makes no difference, whatever lies beside it', async () => {
    const s = session('mkdir -p d/e; echo 1 > d/e/a; echo 2 > d/b; mkdir other', 'echo 3 > d/e/new; rm d/b');
    for (const name of ['d/e/a', 'd', 'd/e', 'other', 'd/e/a/below'])
      expect(await at(s, name)).toMatch(/^none/);
    expect(await at(s, 'd/e/a')).toBe('none view host');
  });

  it('changed is modified, or meta where only mode or owner differ', async () => {
    const s = session(
      'echo one > same-size; echo longer > size; echo m > mode; ln -s a link; printf x > "$(printf "\\377")"',
      'echo two > same-size; echo x > size; chmod 600 mode; ln -sfn b link; printf y > "$(printf "\\377")"',
    );
    expect(await at(s, 'same-size')).toBe('modified same-size view host');
    expect(await at(s, 'size')).toBe('modified size view host');
    expect(await at(s, 'link')).toBe('modified link view host');
    expect(await at(s, 'mode')).toBe('meta mode view host');
    const odd = `${fromText(s.host)}/\xff` as BytePath;
    expect(await lookThrough(s.ctx, odd, false)).toMatchObject({ kind: 'modified', at: odd });
  });

  it('made is added, with the uppermost new directory; so is what could be made below it', async () => {
    const s = session('mkdir d', 'mkdir -p app/src; echo 1 > app/src/a; echo 2 > d/b; ln -s app newlink');
    expect(await at(s, 'app/src/a')).toBe('added app view');
    expect(await at(s, 'app/src/none')).toBe('added app');
    expect(await at(s, 'app/none/none')).toBe('added app');
    expect(await at(s, 'd/b')).toBe('added d/b view');
    expect(await at(s, 'd/b/below')).toBe('added d/b');
    expect(await at(s, 'newlink/src/a')).toBe('added newlink view');
  });

  it('deleted, or in a directory that it deleted, is deleted; there the host may have it or not', async () => {
    const s = session('mkdir -p d/e; echo 1 > d/e/a; echo 2 > b', 'rm -r d b');
    expect(await at(s, 'b')).toBe('deleted b host');
    expect(await at(s, 'd/e/a')).toBe('deleted d host');
    expect(await at(s, 'd/e/none')).toBe('deleted d');
  });

  it('put something else in the place of is replaced', async () => {
    const s = session(
      'mkdir d e; echo 1 > d/a; echo 2 > f; echo 3 > e/a; ln -s e l',
      'rm -r d; echo x > d; rm f; mkdir f; echo y > f/in; rm -r e; ln -s f e; rm l; mkdir l; echo z > l/a',
    );
    expect(await at(s, 'd')).toBe('replaced d view host');
    expect(await at(s, 'd/a')).toBe('replaced d host');
    expect(await at(s, 'f/in')).toBe('replaced f view');
    expect(await at(s, 'f/none')).toBe('replaced f');
    expect(await at(s, 'e/a')).toBe('replaced e view host');
    expect(await at(s, 'l/a')).toBe('replaced l view host');
  });

  it('made again hides what the host has there', async () => {
    const s = session(
      'mkdir -p d/sub; echo 1 > d/old; echo 2 > d/same; echo 3 > d/sub/x',
      'rm -r d; mkdir -p d/sub; echo 2 > d/same; echo new > d/new',
    );
    expect(await at(s, 'd/old')).toBe('replaced d host');
    expect(await at(s, 'd/sub/x')).toBe('replaced d host');
    // No difference for a reader, but the sandbox would not see a write on the host.
    expect(await at(s, 'd/same', false)).toBe('none view host');
    expect(await at(s, 'd/same')).toBe('replaced d view host');
    expect(await at(s, 'd/none', false)).toBe('none view');
    expect(await at(s, 'd/none')).toBe('replaced d view');
    expect(await at(s, 'd/new')).toBe('added d/new view');
  });

  it('made again while the host had nothing in it is found by its link count', async (context) => {
    const s = session('mkdir d', 'rmdir d; mkdir d; echo 1 > d/a');
    if (Number(execFileSync('stat', ['-c', '%h', `${s.upper}/d`], { encoding: 'utf8' })) < 2)
      context.skip(
        'this file system counts no links of directories (btrfs): nothing is hidden, nothing tells',
      );
    expect(await at(s, 'd/none')).toBe('replaced d view');
  });

  it('closed, with what it could hold, is closed', async (context) => {
    if (asRoot) context.skip('root looks into every directory');
    const s = session('mkdir d; echo 1 > d/a', 'echo 2 > d/b; chmod 000 d');
    expect(await at(s, 'd/a')).toBe('closed d view host');
  });

  it('took the right to read from is modified, since it can not be compared', async (context) => {
    if (asRoot) context.skip('root reads every file');
    const s = session('echo 1 > a', 'echo 2 > a; chmod 000 a');
    expect(await at(s, 'a')).toBe('modified a view host');
  });
});

describe('copies that say nothing new make no difference', () => {
  it('one that was only opened for writing', async () => {
    const s = session('echo 1 > a', 'exec 3<>a');
    expect(await lookThrough(s.ctx, fromText(`${s.host}/a`), true)).toMatchObject({
      kind: 'none',
      copied: true,
    });
  });

  it('one whose host file moved on, was removed or became something else, where the base is known', async () => {
    const s = session('echo 1 > a; echo 1 > b; echo 1 > c; echo 1 > d', 'exec 3<>a 4<>b 5<>c; echo 2 > d');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${TICK}; echo 2 > a; rm b c; mkdir c; echo 3 > c/x; echo 3 > d`);
    expect(await at(s, 'a')).toBe('none view host');
    expect(await at(s, 'b')).toBe('none view');
    expect(await at(s, 'c/x')).toBe('none view host');
    expect(await at(s, 'd')).toBe('modified d view host');
  });

  it('a whiteout of what the host has lost', async () => {
    const s = session('mkdir d; echo 1 > a; echo 1 > d/b', 'rm -r a d');
    s.onHost('rm -r a d');
    expect(await at(s, 'a')).toBe('none view');
    expect(await at(s, 'd/b')).toBe('none view');
  });
});

describe('through the links of the host', () => {
  it('it comes to the same place by every way', async () => {
    const s = session(
      'mkdir -p real/sub; echo 1 > real/sub/a; ln -s real/sub rel; ln -s "$PWD/real" abs; ln -s ../real real/up; ln -s missing dangling; ln -s loop loop',
      'echo 2 > real/sub/a; mkdir missing; echo 3 > missing/x',
    );
    for (const name of ['rel/a', 'abs/sub/a', 'abs/up/sub/a', 'rel/../../real/sub/a'])
      expect(await at(s, name)).toBe('modified real/sub/a view host');
    expect(await at(s, 'dangling/x')).toBe('added missing view');
    expect(await at(s, 'loop')).toMatch(/^none/);
  });

  it('a link that the sandbox changed, removed or hid leads the two to different places', async () => {
    const s = session(
      'mkdir a b d; echo 1 > a/x; echo 1 > b/x; ln -s a changed; ln -s a removed; ln -s ../a d/hidden; ln -s a/x file',
      'ln -sfn b changed; rm removed; rm -r d; mkdir d; rm file; echo own > file',
    );
    expect(await at(s, 'changed/x')).toBe('modified changed view host');
    expect(await at(s, 'removed/x')).toBe('deleted removed host');
    expect(await at(s, 'd/hidden/x', false)).toBe('replaced d host');
    expect(await at(s, 'file')).toBe('replaced file view host');
  });
});

describe('where the session has no view of its own', () => {
  it('outside covered directories and in excluded ones nothing is pending', async () => {
    const s = session('mkdir .state2; echo 1 > .state2/a', 'echo 2 > .state2/a');
    s.ctx.excluded.push(fromText(`${s.host}/.state2`));
    expect(await at(s, '.state2/a')).toBe('none view host');
    const outside = fromText(`${s.host}/../outside`);
    writeFileSync(`${s.host}/../outside`, '');
    expect(await lookThrough(s.ctx, outside, true)).toMatchObject({ kind: 'none', onHost: true });
    symlinkSync(`${s.host}/../outside`, `${s.host}/out`);
    expect(await at(s, 'out')).toBe('none view host');
    expect(await lookThrough(s.ctx, '/' as BytePath, true)).toMatchObject({ kind: 'none', onHost: true });
    expect(await lookThrough({ ...s.ctx, coveredDirs: [] }, fromText(`${s.host}/x`), true)).toMatchObject({
      kind: 'none',
      onHost: false,
    });
  });

  it('a place inside another one is looked at by itself', async () => {
    const s = session('mkdir in; echo 1 > in/a', 'rm -r in');
    const upper = fromText(`${s.ctx.stateDir}/inner`);
    mkdirSync(`${s.ctx.stateDir}/inner`);
    const [outer] = s.ctx.coveredDirs;
    if (outer === undefined) throw new Error('the session covers nothing');
    s.ctx.coveredDirs.push({ ...outer, n: 8, path: fromText(`${s.host}/in`), upper });
    expect(await at(s, 'in/a')).toBe('none view host');
  });
});

it('agrees with the change list about every path of a tree that was turned over', async () => {
  const s = session(
    'mkdir -p a/b c/d e g; for f in a/1 a/b/2 c/3 c/d/4 e/5 g/6; do echo $f > $f; done; ln -s a h',
    'rm -r a; mkdir a; echo 1 > a/1; echo new > a/b; echo x > c/3; rm c/d/4; exec 3<>e/5; chmod 700 e; mkdir -p n/m; echo > n/m/7; ln -sfn c h; rm g/6; mkdir g/6',
  );
  await recordBases(s.ctx, { earliestCall: Date.now() });
  await reap(s.ctx);
  const { changes } = await scan(s.ctx);
  const listed = new Map(changes.map((change) => [change.path, change]));
  const all = execFileSync('find', [s.host, s.upper, '-mindepth', '1'], { encoding: 'latin1' })
    .trim()
    .split('\n')
    .map((line) => (line.startsWith(s.upper) ? s.host + line.slice(s.upper.length) : line));
  for (const name of new Set(all)) {
    const path = name as BytePath;
    const found = await lookThrough(s.ctx, path, false);
    const change = listed.get(path);
    const differs = change !== undefined && change.kind !== 'meta' && change.kind !== 'dir-replaced';
    expect({ path, differs: found.kind !== 'none' }, JSON.stringify(found)).toEqual({ path, differs });
  }
  expect(readFileSync(`${s.host}/a/1`, 'utf8')).toBe('a/1\n');
});
