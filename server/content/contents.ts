/**
 * Contents of pending entries: as a stream for tabs, or as a copy that an editor opens. Never through a link:
 *
 *     the worker locates the entry; open it; compare it with the listed fingerprint
 *     tab:     send exactly as many bytes as it had
 *     editor:  copy to views/ (read-only, removed after a day), start the program without a shell
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openSame } from '../../core/content/sides.ts';
import type { Env } from '../../core/session/dirs.ts';
import type { Handlers, SideName } from '../../shared/api/contract.ts';
import { EDITORS, type EditorId } from '../../shared/api/settings.ts';
import { type BytePath, nameOf, toDisplay } from '../../shared/bytes.ts';
import type { TraiError } from '../../shared/errors.ts';
import { refusal } from '../messages/refusals.ts';
import { editorCommand } from '../settings/editors.ts';
import type { SettingsStore } from '../settings/store.ts';
import type { Questions } from '../worker/questions.ts';

export interface ContentSource {
  /** `side` null: pending, or the host's where deleted. @throws TraiError `not-found` when not as listed */
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
      const { editor } = settings.read().settings;
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

/** For `Content-Disposition`: nothing that a header or a browser would interpret. */
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

/** The receiver closes it. */
export interface OpenContent {
  file: FileHandle;
  size: number;
  path: BytePath;
}

const PIECE = 256 * 1024;

/** Exactly `size` bytes. @throws TraiError `io`, also when the file has become shorter */
export async function* piecesOf({ file, size, path }: OpenContent): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(PIECE, size - at)), 0, undefined, at);
    if (bytesRead === 0) throw refusal('changed-while-read', {}, { path: toDisplay(path) });
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Bytes; an editor opens no larger file at a click. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Older copies (ms) are removed when the next one is made. */
const KEPT_MS = 24 * 60 * 60 * 1000;

interface Opening {
  editor: EditorId;
  line: number;
  content: OpenContent;
  stateDir: string;
  env: Env;
}

/** @throws TraiError `unsupported` without such an editor, `too-large`, `io` */
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
  // No shell, a fixed program, an absolute name: nothing of the file can become an option.
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

/** Some editors read a line number from `notes:5`; a name that is not UTF-8 cannot be an argument. */
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
