import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EditorId } from '../../shared/api/settings.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { editorCommand } from '../settings/editors.ts';
import { openCopy } from './contents.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'trai-open-'));
  mkdirSync(path.join(base, 'bin'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** An editor that records its arguments. */
function install(program: string): void {
  const file = path.join(base, 'bin', program);
  writeFileSync(
    file,
    `#!/bin/bash\nprintf '%s\\0' "$@" > ${base}/args.part; mv ${base}/args.part ${base}/args\n`,
  );
  chmodSync(file, 0o755);
}

const env = (patch: Record<string, string> = {}) => ({ PATH: `.:${base}/bin:/usr/bin:/bin`, ...patch });

async function openIt(
  editor: EditorId,
  name: BytePath,
  patch: Record<string, string> = {},
): Promise<string[]> {
  // Waits for the last step of this editor; the previous one has ended.
  rmSync(path.join(base, 'args'), { force: true });
  const from = path.join(base, 'from');
  writeFileSync(from, 'pending\n');
  const file = await open(from);
  try {
    await openCopy({
      editor,
      line: 7,
      content: { file, size: 8, path: name },
      stateDir: base,
      env: env(patch),
    });
  } finally {
    await file.close();
  }
  const args = path.join(base, 'args');
  await expect.poll(() => readdirSync(base), { timeout: 30_000 }).toContain('args');
  return readFileSync(args, 'utf8').split('\0').slice(0, -1);
}

describe('open in editor', () => {
  it('starts the chosen program with a copy that can not be written to, and no shell between', async () => {
    install('code');
    const [goto, place = ''] = await openIt('vscode', fromText('/p/-rf $(touch x); `id`.ts'));
    expect(goto).toBe('--goto');
    const copy = place.replace(/:7$/, '');
    expect(path.basename(copy)).toBe('-rf $(touch x); `id`.ts');
    expect(path.isAbsolute(copy)).toBe(true);
    expect(readFileSync(copy, 'utf8')).toBe('pending\n');
    expect(statSync(copy).mode & 0o777).toBe(0o400);
    expect(statSync(path.join(base, 'views')).mode & 0o777).toBe(0o700);
  });

  it('takes $VISUAL before $EDITOR, by its name alone, and never one that wants a terminal', async () => {
    install('gvim');
    install('vim');
    const args = await openIt('env', fromText('/p/a'), { VISUAL: '/elsewhere/gvim -f', EDITOR: 'code' });
    expect(args.slice(0, 2)).toEqual(['-R', '+7']);
    for (const VISUAL of ['vim', 'nano', 'sh -c evil', ''])
      expect(editorCommand('env', '/p/a', 1, env({ VISUAL }))).toBeNull();
  });

  it('says when there is none', async () => {
    const opening = openIt('none', fromText('/p/a'));
    await expect(opening).rejects.toMatchObject({ code: 'unsupported', hint: 'Choose one in the settings.' });
    await expect(openIt('zed', fromText('/p/a'))).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('removes copies of the days before', async () => {
    install('code');
    await openIt('vscode', fromText('/p/a'));
    const [old = ''] = readdirSync(path.join(base, 'views'));
    utimesSync(path.join(base, 'views', old), 0, 0);
    await openIt('vscode', fromText('/p/b'));
    expect(readdirSync(path.join(base, 'views'))).not.toContain(old);
  });

  it('gives a name that is no text another one', async () => {
    install('code');
    const [, place = ''] = await openIt('vscode', '/p/bad\xff' as BytePath);
    expect(path.basename(place)).toBe('file:7');
  });

  it.each(['vscode', 'zed', 'sublime', 'idea'] as const)(
    'a name that ends like a line number is none to %s',
    async (id) => {
      install({ vscode: 'code', zed: 'zed', sublime: 'subl', idea: 'idea' }[id]);
      const place = (await openIt(id, fromText('/p/notes:5:12.md:5'))).at(-1) ?? '';
      const copy = id === 'idea' ? place : place.replace(/:7$/, '');
      expect(path.basename(copy)).toBe('notes_5_12.md_5');
      expect(readFileSync(copy, 'utf8')).toBe('pending\n');
    },
  );
});
