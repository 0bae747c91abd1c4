import type { Env } from '../../../core/session/dirs.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { EventHub } from '../../events/hub.ts';
import type { JobRunner } from '../../worker/runner.ts';

export interface ManagerParts {
  stateDir: string;
  hub: EventHub;
  runner: JobRunner;
  /** Null before the first call of a session. */
  context: (session: string) => Promise<SessionContext | null>;
  report: (thrown: unknown) => void;
  /** Env of the server, for what depends on HOME. */
  env: Env;
}
