import { describe, expect, test } from 'vitest';
import { type BytePath, fromText } from '../bytes.ts';
import type { Change, ChangeKind } from './change.ts';
import { placesOf } from './change-places.ts';

function change(path: string, kind: ChangeKind = 'added', ignored: string | null = null): Change {
  return {
    id: path,
    path: fromText(path),
    kind,
    pending: null,
    host: null,
    ignored,
    conflict: null,
    group: null,
  };
}

const ROOT = fromText('/p');
const HOME = fromText('/h');
const lines = (changes: readonly Change[], includeIgnored = false): string[] => {
  const { shown, more } = placesOf(changes, { projectRoot: ROOT, home: HOME }, includeIgnored);
  const word = { project: '', outside: 'out ', cache: 'cache ' };
  const text = shown.map(
    ({ path, isDir, where, total }) => `${word[where]}${path}${isDir ? '/' : ''} ${total}`,
  );
  const rest = Object.entries(more).filter(([, count]) => count > 0);
  return [...text, ...rest.map(([where, count]) => `more ${where} ${count}`)];
};

describe('where changes lie', () => {
  test('directories of the project stand for what is below them, single entries for themselves', () => {
    const all = ['/p/a/b/c', '/p/a/d', '/p/readme', '/p/x/only'].map((path) => change(path));
    expect(lines(all)).toEqual(['/p/a/ 2', '/p/readme 1', '/p/x/only 1']);
  });

  test('the project comes first, then what lies outside it, then caches, with whole paths', () => {
    const all = ['/p/a', '/h/.bashrc', '/h/.x/1', '/h/.x/2', '/h/.npm/_npx/1', '/h/.npm/_npx/2/3'];
    expect(lines(all.map((path) => change(path)))).toEqual([
      ...['/p/a 1', 'out /h/.bashrc 1', 'out /h/.x/ 2', 'cache /h/.npm/ 2'],
    ]);
  });

  test('nothing that was fetched takes the lines of the project', () => {
    const innards = Array.from({ length: 300 }, (_, i) => change(`/h/.npm/_npx/x${i}/lib/f`));
    const stores = ['.m2', '.gradle', '.cargo/registry'].flatMap((name) => [
      ...[change(`/h/${name}/1`), change(`/h/${name}/2`)],
    ]);
    const settings = Array.from({ length: 20 }, (_, i) => change(`/h/.config/tool${i}/rc`));
    const src = Array.from({ length: 40 }, (_, i) => change(`/p/src/f${i}`, 'modified'));
    const tops = Array.from({ length: 15 }, (_, i) => change(`/p/top${String(i).padStart(2, '0')}`));
    const found = lines([...innards, ...stores, ...settings, ...src, ...tops]);
    expect(found.filter((line) => !/^(out|cache|more)/.test(line))).toHaveLength(6);
    expect(found).toContain('/p/src/ 40');
    expect(found).toContain('cache /h/.npm/ 300');
    expect(found.slice(-3)).toEqual(['more project 10', 'more outside 16', 'more cache 4']);
  });

  test('a directory of many programs is named by what is below it, a program by itself', () => {
    const all = [
      ...['/h/.config/git/config', '/h/.config/fish/a', '/h/.config/fish/b/c', '/h/.local/share/x/1'],
      ...['/h/.local/bin/tool', '/etc/nginx/a/1', '/etc/nginx/a/2', '/usr/bin/x'],
    ];
    expect(lines(all.map((path) => change(path)))).toEqual([
      ...['out /etc/nginx/ 2', 'out /h/.config/fish/ 2', 'out /h/.config/git/config 1'],
      ...['out /h/.local/bin/tool 1', 'out /h/.local/share/x/1 1', 'out /usr/bin/x 1'],
    ]);
  });

  test('a project that lies in a cache, or is the home, has its own lines', () => {
    const { shown } = placesOf([change('/h/.cache/p/a')], {
      projectRoot: fromText('/h/.cache/p'),
      home: HOME,
    });
    expect(shown.map(({ where }) => where)).toEqual(['project']);
    const home = placesOf([change('/h/a'), change('/h/.npm/b')], { projectRoot: HOME, home: HOME });
    expect(home.shown.map(({ where }) => where)).toEqual(['project', 'cache']);
  });

  test('directories that hold nothing but one directory are gone through', () => {
    expect(lines([change('/p/src/app/a/1'), change('/p/src/app/a/2'), change('/p/src/app/b')])).toEqual([
      ...['/p/src/app/a/ 2', '/p/src/app/b 1'],
    ]);
  });

  test('a directory that changed itself counts with what is below it', () => {
    expect(lines([change('/p/gone', 'deleted'), change('/p/gone/a', 'deleted')])).toEqual(['/p/gone/ 2']);
    expect(lines([change('/p', 'meta')])).toEqual(['/p 1']);
    expect(lines([change('/p', 'meta'), change('/p/a')])).toEqual(['/p 1', '/p/a 1']);
  });

  test('the rest is counted, so that all adds up', () => {
    const many = Array.from({ length: 20 }, (_, i) => change(`/p/${String(i).padStart(2, '0')}`));
    expect(lines(many).at(-1)).toBe('more project 8');
  });

  test('ignored entries are there only when they go along', () => {
    const all = [change('/p/a'), change('/p/b', 'added', 'rule')];
    expect(lines(all)).toEqual(['/p/a 1']);
    expect(lines(all, true)).toEqual(['/p/a 1', '/p/b 1']);
  });

  test('a project at the root of the file system has everything inside', () => {
    const { shown } = placesOf([change('/a/1'), change('/a/2'), change('/b')], {
      projectRoot: '/' as BytePath,
      home: HOME,
    });
    expect(shown.map(({ path, where }) => [path, where])).toEqual([
      ['/a', 'project'],
      ['/b', 'project'],
    ]);
  });
});
