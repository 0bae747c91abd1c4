import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ServerEvent } from '../../shared/api/types.ts';
import { TraiError } from '../../shared/errors.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';

/** A comment this often keeps the connection alive and finds out that the tab is gone (ms). */
const HEARTBEAT_MS = 20_000;

const SIGNED_OUT: ServerEvent = { type: 'signed-out' };

/** Server-sent events for tabs. They carry no id of their own with `hello`, so that a replay never goes backwards. */
export function eventsRoute(deps: AppDeps) {
  return new Hono<HttpEnv>().get('/events', (c) => {
    const subscription = deps.hub.subscribe(lastEventId(c.req.header('last-event-id')));
    if (subscription === null) throw new TraiError('busy', 'too many tabs are open');
    deps.touch();
    let isGone = false;
    const forget = deps.browsers.whenGone(c.get('credential'), () => {
      isGone = true;
      subscription.close();
    });
    const response = streamSSE(c, async (stream) => {
      stream.onAbort(() => subscription.close());
      try {
        const hello: ServerEvent = { type: 'hello', version: deps.version };
        await stream.writeSSE({ data: JSON.stringify(hello) });
        while (!stream.aborted) {
          const next = await subscription.next(HEARTBEAT_MS);
          if (isGone) await stream.writeSSE({ data: JSON.stringify(SIGNED_OUT) });
          if (next === null) break;
          if (next === 'idle') await stream.write(': still here\n\n');
          else await stream.writeSSE({ id: String(next.id), data: JSON.stringify(next.event) });
        }
      } finally {
        forget();
        subscription.close();
        deps.touch();
      }
    });
    // streamSSE sets its own; nothing of the API is ever stored.
    response.headers.set('Cache-Control', 'no-store');
    return response;
  });
}

function lastEventId(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
