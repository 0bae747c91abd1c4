/** `trai exec` in a live session, without a server: the next command sees the host's changes. */
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const host = (name: string, text: string) => writeFileSync(join(place.project, name), text);

it('the next command sees what the host has changed since, also of a file that was committed meanwhile', () => {
  host('committed', 'host 0\n');
  host('read', 'host 0\n');
  host('pending', 'host 0\n');
  place.sh('echo box > committed; cat read missing pending; (sleep 300) > /dev/null 2>&1 &');
  expect(place.trai(['commit']).out).toContain('Committed 1 change,');
  place.sh('echo box > pending');
  for (const text of ['host 1\n', 'host 22\n']) {
    for (const name of ['committed', 'read', 'missing', 'pending']) host(name, text);
    expect(place.sh('cat committed read missing pending').out).toBe(`${text}${text}${text}box\n`);
    const list: { path: string; conflict: string | null }[] = JSON.parse(
      place.trai(['diff', '--list', '--json']).out,
    );
    expect(list.map(({ path, conflict }) => [path, conflict])).toEqual([
      [join(place.project, 'pending'), 'host-changed'],
    ]);
  }
  for (const name of ['committed', 'read', 'missing']) rmSync(join(place.project, name));
  expect(place.sh('ls -A').out).toMatch(/^(\.trai-replay\n)?pending\n$/);
}, 180_000);

it.each([
  ['$HOME', homedir()],
  ['another place than $HOME', undefined],
])(
  'so it does of files outside the project that were committed meanwhile, in %s',
  (_where, home) => {
    const outside = mkdtempSync(join(homedir(), 'trai-live-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const env = { OUTSIDE: outside, ...(home === undefined ? {} : { HOME: home }) };
    const sh = (script: string) => place.sh(script, 's', env);
    const at = (name: string) => join(outside, name);
    const names = ['modified', 'renamed', 'deleted', 'mode'];
    for (const name of ['modified', 'deleted']) writeFileSync(at(name), 'host 0\n');
    sh(`cd "$OUTSIDE"; for f in ${names.join(' ')}; do echo box > $f; done; (sleep 300) > /dev/null 2>&1 &`);
    expect(place.trai(['commit'], env).out).toContain('Committed 4 changes,');
    expect(readdirSync(outside).sort()).toEqual([...names].sort());
    const show = `cd "$OUTSIDE"; cat ${names.join(' ')} 2>&1; stat -c %a mode; ls -A`;
    for (const [text, mode] of [
      ['host 1', 0o600],
      ['host 22', 0o640],
    ] as const) {
      writeFileSync(at('modified'), `${text}\n`);
      writeFileSync(at('new'), `${text}\n`);
      renameSync(at('new'), at('renamed'));
      rmSync(at('deleted'), { force: true });
      chmodSync(at('mode'), mode);
      const { out } = sh(show);
      expect(out.replace(/^\.trai-replay\n/m, '')).toMatch(
        new RegExp(
          `^${text}\n${text}\ncat: .*deleted.*\nbox\n${mode.toString(8)}\nmode\nmodified\nrenamed\n$`,
        ),
      );
      expect(place.trai(['diff', '--list'], env).out).toBe('');
    }
    // A write of the process is its change again, and a later one of the host a conflict.
    sh('echo mine > "$OUTSIDE/modified"');
    writeFileSync(at('modified'), 'host 333\n');
    expect(sh('cat "$OUTSIDE/modified"').out).toBe('mine\n');
    expect(place.trai(['ps', '--end'], env)).toMatchObject({ rc: 0, err: '' });
    sh('true');
    const list: { path: string }[] = JSON.parse(place.trai(['diff', '--list', '--json'], env).out);
    expect(list.map(({ path }) => path)).toEqual([at('modified')]);
    expect(sh('ls -A "$OUTSIDE" "$HOME" | grep trai-replay').out).toBe('');
  },
  180_000,
);
