/** Opens a copy of a pending file in an editor. The file itself is the sandbox's: nobody writes to an upper from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Env } from '../../core/session/dirs.ts';
import type { EditorId } from '../../shared/api/settings.ts';
import { nameOf, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { editorCommand } from '../settings/editors.ts';
import { type OpenContent, piecesOf } from './open-content.ts';

/** An editor opens no larger file at a click (bytes). */
const MAX_BYTES = 64 * 1024 * 1024;
/** Copies are removed when they are older (ms): the next one that is made looks. */
const KEPT_MS = 24 * 60 * 60 * 1000;

interface Opening {
  editor: EditorId;
  line: number;
  content: OpenContent;
  stateDir: string;
  env: Env;
}

/** Errors: `unsupported` when there is no such editor, `too-large`, `io`. */
export async function openCopy({ editor, line, content, stateDir, env }: Opening): Promise<void> {
  if (editorCommand(editor, '', line, env) === null) throw noEditor(editor);
  if (content.size > MAX_BYTES)
    throw new TraiError(
      'too-large',
      `${content.size} bytes are too many for an editor; at most ${MAX_BYTES} are opened`,
      {
        path: toDisplay(content.path),
      },
    );
  const views = path.join(stateDir, 'views');
  await mkdir(views, { recursive: true, mode: 0o700 });
  await removeOld(views);
  const file = await copyTo(await mkdtemp(path.join(views, 'v-')), content);
  const command = editorCommand(editor, file, line, env);
  if (command === null) throw noEditor(editor);
  // No shell, a fixed program, and a name that begins with a slash: nothing of the file can be taken for an option.
  const child = spawn(command.program, command.args, {
    detached: true,
    stdio: 'ignore',
    shell: false,
    env,
    cwd: views,
  });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new TraiError('io', 'the editor could not be started', { path: command.program, cause });
  }
  // Late errors are the editor's own.
  child.on('error', () => {});
  child.unref();
}

function noEditor(editor: EditorId): TraiError {
  const text = {
    none: 'no editor is chosen',
    env: 'neither $VISUAL nor $EDITOR names an editor with a window of its own that is installed here',
  } as const;
  return new TraiError(
    'unsupported',
    editor === 'none' || editor === 'env' ? text[editor] : `${editor} is not installed here`,
    {
      hint: 'Choose one in the settings.',
    },
  );
}

/** A file that nobody can write to by mistake, under its own name as far as an editor can be told it. */
async function copyTo(dir: string, content: OpenContent): Promise<string> {
  const to = path.join(dir, copyName(Buffer.from(nameOf(content.path), 'latin1')));
  const copy = await open(to, 'wx', 0o600);
  try {
    await writeFile(copy, piecesOf(content));
  } finally {
    await copy.close();
  }
  await chmod(to, 0o400);
  return to;
}

/**
 * A name that is no UTF-8 can't be handed on as an argument. In one with a colon (`notes:5`) VS Code, Zed, Sublime and
 * JetBrains' programs find a line number, and open another file or an empty one.
 */
function copyName(name: Buffer): string {
  const text = name.toString('utf8');
  return Buffer.from(text, 'utf8').equals(name) ? text.replaceAll(':', '_') : 'file';
}

async function removeOld(views: string): Promise<void> {
  const limit = Date.now() - KEPT_MS;
  for (const name of await readdir(views)) {
    const dir = path.join(views, name);
    const at = (await stat(dir).catch(() => null))?.mtimeMs ?? limit;
    if (at < limit) await rm(dir, { recursive: true, force: true });
  }
}
