/**
 * What tabs ask about the content of pending entries: search, line counts, the file itself (open-content.ts: as text, attachment
 * or raster image, never through a link), a copy for an editor (open-copy.ts), hidden characters (text-looks.ts).
 */
import { openSame } from '../../core/content/read-side.ts';
import { lookAt } from '../../core/content/sides.ts';
import type { Env } from '../../core/session/dirs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { Handlers } from '../../shared/api/contract.ts';
import type { HiddenTexts, SideName } from '../../shared/api/files.ts';
import { EDITORS } from '../../shared/api/settings.ts';
import { type BytePath, nameOf, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { contextOrThrow, heldOrThrow } from '../sessions/index/expect.ts';
import type { SessionManager } from '../sessions/index/manager.ts';
import type { SettingsStore } from '../settings/store.ts';
import type { JobRunner } from '../worker/runner.ts';
import type { OpenContent } from './open-content.ts';
import { openCopy } from './open-copy.ts';
import type { TextLooks } from './text-looks.ts';

/** Before the first call there is no overlay. */
const NO_TEXTS: HiddenTexts = { hidden: [], unread: 0, left: 0 };

export interface ContentSource {
  /** Opens one version of an entry; `not-found` when it is no regular file, or not the one that is listed. */
  openContent(id: string, entry: string, side: SideName): Promise<OpenContent>;
}

type ContentBackend = Pick<Handlers, 'search' | 'lineCounts' | 'hiddenTexts' | 'openInEditor'> &
  ContentSource;

interface Parts {
  manager: Pick<SessionManager, 'get'>;
  runner: JobRunner;
  context: (session: string) => Promise<SessionContext | null>;
  settings: Pick<SettingsStore, 'read'>;
  stateDir: string;
  texts: TextLooks;
  env: Env;
}

export function contentBackend(parts: Parts): ContentBackend {
  const { manager, runner, settings, stateDir, texts, env } = parts;
  return {
    search: async (id, order) => {
      const session = manager.get(id);
      const ctx = await contextOrThrow(parts, id);
      // The list of the page before: a search does not begin anew because something is written meanwhile.
      if (order.after === null) await session.changes();
      return await runner.ask('search', ctx, await heldOrThrow(session), order);
    },
    lineCounts: async (id, order) => {
      const session = manager.get(id);
      const ctx = await contextOrThrow(parts, id);
      return await runner.ask('lineCounts', ctx, await heldOrThrow(session), order);
    },
    hiddenTexts: async (id) => {
      const session = manager.get(id);
      const ctx = await parts.context(id);
      return ctx === null ? NO_TEXTS : await texts.look(ctx, session.list ?? (await session.changes()));
    },
    openInEditor: async (id, { entry, line }) => {
      const { editor } = (await settings.read()).settings;
      const change = await manager.get(id).change(entry);
      const content = await openContent(id, entry, change?.pending == null ? 'host' : 'pending');
      try {
        await openCopy({ editor, line, content, stateDir, env });
      } finally {
        await content.file.close();
      }
      return { editor: EDITORS[editor] };
    },
    openContent,
  };

  async function openContent(id: string, entry: string, side: SideName): Promise<OpenContent> {
    const change = await manager.get(id).change(entry);
    const now = change === null ? null : (lookAt(await contextOrThrow(parts, id), change)?.[side] ?? null);
    if (change === null || now?.entry?.type !== 'file') throw notThere(change?.path);
    const file = await openSame(now.path, now.entry, now.real).catch((error: unknown) => {
      throw new TraiError('io', 'the file can not be read', { path: toDisplay(change.path), cause: error });
    });
    if (file === null) throw notThere(change.path);
    return { file, size: now.entry.size, path: change.path };
  }
}

function notThere(path: BytePath | undefined): TraiError {
  return new TraiError(
    'not-found',
    'expected a file on that side, and there is none, or it has just changed',
    {
      ...(path === undefined ? {} : { path: toDisplay(path) }),
      hint: 'Refresh and look again.',
    },
  );
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
