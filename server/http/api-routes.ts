import { Hono } from 'hono';
import { resultOf } from '../../core/kernel/fs/slices.ts';
import { type PackedList, packing } from '../../shared/api/packed-changes.ts';
import {
  callsQuery,
  cancelBody,
  changesQuery,
  commitBody,
  diffQuery,
  discardBody,
  endProcessesBody,
  mergeQuery,
  previewBody,
  redoBody,
  undoBody,
  undoCommitBody,
  undoPreviewBody,
  viewedBody,
  whyCallQuery,
  whyNotQuery,
  whyQuery,
} from '../../shared/api/schema.ts';
import type { ListOrLast } from '../../shared/api/types.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** The dashboard's questions and orders. Chained, so that `hc` sees each route's types. */
export function apiRoutes(deps: AppDeps) {
  const { backend } = deps;
  return new Hono<HttpEnv>()
    .get('/sessions', async (c) => c.json(await backend.sessions()))
    .get('/sessions/:id', async (c) => c.json(await backend.session(c.req.param('id'))))
    .get('/sessions/:id/changes', valid('query', changesQuery), async (c) => {
      const { unless, last, since } = c.req.valid('query');
      const id = c.req.param('id');
      if (last === '1') return c.json(await packed(await backend.lastChanges(id), unless));
      const list = since === undefined ? backend.changes(id) : backend.changesSince(id, Number(since));
      return c.json(await packed({ list: await list, since: null }, unless));
    })
    .get('/sessions/:id/diff', valid('query', diffQuery), async (c) => {
      const { entry, load, whole, spaces } = c.req.valid('query');
      const view = { load: load === '1', whole: whole === '1', spaces };
      return c.json(await backend.diff(c.req.param('id'), entry, view));
    })
    .get('/sessions/:id/calls', valid('query', callsQuery), async (c) =>
      c.json(await backend.calls(c.req.param('id'), Number(c.req.valid('query').after ?? '0'))),
    )
    .get('/sessions/:id/call', valid('query', whyCallQuery), async (c) =>
      c.json(await backend.call(c.req.param('id'), c.req.valid('query').call)),
    )
    .post('/sessions/:id/preview', valid('json', previewBody), async (c) =>
      c.json(await backend.preview(c.req.param('id'), c.req.valid('json'))),
    )
    .post('/sessions/:id/commit', valid('json', commitBody), async (c) =>
      c.json(await backend.commit(c.req.param('id'), c.req.valid('json'))),
    )
    .post('/sessions/:id/discard', valid('json', discardBody), async (c) =>
      c.json(await backend.discard(c.req.param('id'), c.req.valid('json'))),
    )
    .post('/sessions/:id/cancel', valid('json', cancelBody), async (c) =>
      c.json(await backend.cancel(c.req.param('id'))),
    )
    .post('/sessions/:id/undo', valid('json', undoBody), async (c) =>
      c.json(await backend.undo(c.req.param('id'), c.req.valid('json').trash)),
    )
    .get('/sessions/:id/viewed', async (c) => c.json(await backend.viewed(c.req.param('id'))))
    .post('/sessions/:id/viewed', valid('json', viewedBody), async (c) =>
      c.json(await backend.markViewed(c.req.param('id'), c.req.valid('json'))),
    )
    .get('/sessions/:id/merge', valid('query', mergeQuery), async (c) =>
      c.json(await backend.merge(c.req.param('id'), c.req.valid('query').entry)),
    )
    .get('/sessions/:id/conflict', valid('query', mergeQuery), async (c) =>
      c.json(await backend.conflict(c.req.param('id'), c.req.valid('query').entry)),
    )
    .get('/sessions/:id/why', valid('query', whyQuery), async (c) =>
      c.json(await backend.why(c.req.param('id'), c.req.valid('query').entry)),
    )
    .get('/sessions/:id/why-not', valid('query', whyNotQuery), async (c) =>
      c.json(await backend.whyNot(c.req.param('id'), c.req.valid('query').path)),
    )
    .get('/sessions/:id/why-call', valid('query', whyCallQuery), async (c) =>
      c.json(await backend.whyCall(c.req.param('id'), c.req.valid('query').call)),
    )
    .post('/sessions/:id/end-processes', valid('json', endProcessesBody), async (c) =>
      c.json(await backend.endProcesses(c.req.param('id'), c.req.valid('json').processes)),
    )
    .get('/sessions/:id/history', async (c) => c.json(await backend.history(c.req.param('id'))))
    .post('/sessions/:id/undo-preview', valid('json', undoPreviewBody), async (c) =>
      c.json(await backend.undoPreview(c.req.param('id'), c.req.valid('json').n)),
    )
    .post('/sessions/:id/undo-commit', valid('json', undoCommitBody), async (c) =>
      c.json(await backend.undoCommit(c.req.param('id'), c.req.valid('json'))),
    )
    .post('/sessions/:id/redo', valid('json', redoBody), async (c) =>
      c.json(await backend.redo(c.req.param('id'))),
    );
}

/** A list that the tab has already is not sent once more. */
async function packed({ list, since }: ListOrLast, unless: string | undefined): Promise<PackedList> {
  // Of one that may be old it is not known whether it is the same.
  if (since === null && unless === list.revision) return { same: true };
  const { changes, timed: _, ...rest } = list;
  return { ...rest, since, same: false, packed: await resultOf(packing(changes)) };
}
