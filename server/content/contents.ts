/** The content of pending entries as files: for the tabs (never through a link), or as a copy that an editor opens. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openSame } from '../../core/content/sides.ts';
import type { Env } from '../../core/session/dirs.ts';
import type { Handlers } from '../../shared/api/contract.ts';
import { EDITORS, type EditorId } from '../../shared/api/settings.ts';
import type { SideName } from '../../shared/api/types.ts';
import { type BytePath, nameOf, toDisplay } from '../../shared/bytes.ts';
import type { TraiError } from '../../shared/errors.ts';
import { refusal } from '../messages/refusals.ts';
import { editorCommand } from '../settings/editors.ts';
import type { SettingsStore } from '../settings/store.ts';
import type { Questions } from '../worker/questions.ts';

export interface ContentSource {
  /**
   * Opens one version of an entry; `side` null = the pending one, or the host's where it is deleted. Errors: `not-found`
   * when it is no regular file, or not the one that is listed.
   */
  openContent(id: string, entry: string, side: SideName | null): Promise<OpenContent>;
}

interface Parts {
  ask: (
    name: 'locate',
    id: string,
    input: Questions['locate']['input'],
  ) => Promise<Questions['locate']['output']>;
  settings: Pick<SettingsStore, 'read'>;
  stateDir: string;
  env: Env;
}

export function contentBackend({
  ask,
  settings,
  stateDir,
  env,
}: Parts): Pick<Handlers, 'openInEditor'> & ContentSource {
  async function openContent(id: string, entry: string, side: SideName | null): Promise<OpenContent> {
    const { path, file: found } = await ask('locate', id, { entry, side });
    if (found?.entry?.type !== 'file') throw notThere(path);
    const file = await openSame(found.path, found.entry, found.real).catch((error: unknown) => {
      throw refusal('unreadable', {}, { path: toDisplay(path), cause: error });
    });
    if (file === null) throw notThere(path);
    return { file, size: found.entry.size, path };
  }
  return {
    openContent,
    openInEditor: async (id, { entry, line }) => {
      const { editor } = (await settings.read()).settings;
      const content = await openContent(id, entry, null);
      try {
        await openCopy({ editor, line, content, stateDir, env });
      } finally {
        await content.file.close();
      }
      return { editor: EDITORS[editor] };
    },
  };
}

function notThere(path: BytePath): TraiError {
  return refusal('no-file', {}, { path: toDisplay(path) });
}

/** The last name of a path for a `Content-Disposition` header: nothing in it that a header or a browser would obey. */
export function downloadName(path: BytePath): { plain: string; encoded: string } {
  const text = toDisplay(nameOf(path)).replace(/[\\/]/g, '_');
  return {
    plain: text.replace(/[^A-Za-z0-9._ -]/g, '_'),
    encoded: encodeURIComponent(text).replace(
      /['()*!]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  };
}

/** A file that is open for reading, and what it is. Whoever gets it closes it. */
export interface OpenContent {
  file: FileHandle;
  size: number;
  path: BytePath;
}

/** Read at once (bytes). */
const PIECE = 256 * 1024;

/** Exactly as many bytes as the file had when it was opened. Errors: `io`, also when it has become shorter. */
export async function* piecesOf({ file, size, path }: OpenContent): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(PIECE, size - at)), 0, undefined, at);
    if (bytesRead === 0) throw refusal('changed-while-read', {}, { path: toDisplay(path) });
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

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
    throw refusal(
      'too-large',
      { size: content.size, done: 'opened in an editor', most: MAX_BYTES },
      { path: toDisplay(content.path) },
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
    throw refusal('editor-failed', {}, { path: command.program, cause });
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
  const why = editor === 'none' || editor === 'env' ? text[editor] : `${editor} is not installed here`;
  return refusal('no-editor', { why });
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
