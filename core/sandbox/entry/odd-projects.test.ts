import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bytePath, joinPath } from '../../../shared/bytes.ts';
import { requestFor } from '../../../testing/commit/commit.ts';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { commitAll } from '../../commit/commit.ts';
import { scan } from '../../scan/scan.ts';

const open: TestSession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});
async function sessionOf(name: string | Buffer): Promise<TestSession> {
  const session = await testSession(undefined, name);
  open.push(session);
  return session;
}
const onHost = (path: string): Buffer => Buffer.from(path, 'latin1');

const EVERY_BYTE = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1).filter((byte) => byte !== 0x2f));

describe('from a call to a commit', () => {
  it.each<[string, string | Buffer]>([
    ['a path of 300 bytes', `${'a'.repeat(120)}/${'b'.repeat(120)}/${'c'.repeat(60)}`],
    ['blanks, colons, commas and equals signs', ' a b:c,d=e '],
    ['backslashes and what looks like their escapes', 'a\\b\\040\\x\\'],
    ['quotes, dollars and backticks', `'"$HOME\`id\`$(id)`],
    ['a newline and a tab', 'line\nbreak\tand tab'],
    ['a newline at its end', 'line\n'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28])],
    ['every byte that a name may hold', EVERY_BYTE],
    ['a dash and a hash', '-a#b'],
  ])('a project with %s in its path works', async (_, name) => {
    const session = await sessionOf(name);
    const { ctx } = session;
    const root = ctx.projectRoot;
    writeFileSync(onHost(joinPath(root, 'kept')), 'old\n');
    writeFileSync(onHost(joinPath(root, 'gone')), 'old\n');
    expect(
      await session.call('echo new > kept; rm gone; mkdir d; echo made > d/made; cat kept d/made'),
    ).toEqual({ rc: 0, stdout: 'new\nmade\n', stderr: '' });
    expect(readFileSync(onHost(joinPath(root, 'kept')), 'utf8')).toBe('old\n');
    const list = await scan(ctx);
    expect(list.problems).toEqual([]);
    expect(list.changes.map((change) => `${change.kind} ${change.path}`)).toEqual([
      `added ${root}/d`,
      `added ${root}/d/made`,
      `deleted ${root}/gone`,
      `modified ${root}/kept`,
    ]);
    expect((await commitAll(ctx, list, requestFor(list))).applied).toBe(4);
    expect(readFileSync(onHost(joinPath(root, 'd/made')), 'utf8')).toBe('made\n');
    expect((await session.call('ls; cat kept')).stdout).toBe('d\nkept\nnew\n');
  });

  it('changes below a name of any bytes are listed and committed by those bytes', async () => {
    const session = await sessionOf('project');
    const octal = [...EVERY_BYTE].map((byte) => `\\0${byte.toString(8)}`).join('');
    await session.call(`n=$(printf '%b.' '${octal}'); mkdir "\${n%.}"; echo x > "\${n%.}/f"`);
    const list = await scan(session.ctx);
    const dir = joinPath(session.ctx.projectRoot, bytePath(EVERY_BYTE.toString('latin1')));
    expect(list.changes.map((change) => change.path)).toEqual([dir, `${dir}/f`]);
    await commitAll(session.ctx, list, requestFor(list));
    expect(readFileSync(onHost(`${dir}/f`), 'utf8')).toBe('x\n');
  });
});

it('a repository in a scratch directory is one place, so that git works in its directories too', async () => {
  const session = await sessionOf('repo');
  execFileSync('git', ['init', '-q'], { cwd: session.project });
  const sub = join(session.project, 'a/b');
  mkdirSync(sub, { recursive: true });
  const { rc, stdout } = await session.call(
    'git rev-parse --show-prefix && touch f && git status --short .',
    {
      cwd: sub,
    },
  );
  expect([rc, stdout]).toEqual([0, 'a/b/\n?? ./\n']);
});
