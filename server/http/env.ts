import type { HttpBindings } from '@hono/node-server';

/** What every handler of the app gets. */
export interface HttpEnv {
  Bindings: HttpBindings;
}
