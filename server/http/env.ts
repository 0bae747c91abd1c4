import type { HttpBindings } from '@hono/node-server';

/** What every handler of the app gets. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Of the tab that asks: set behind its check, so not for the ways to sign in. */
    credential: number;
  };
}
