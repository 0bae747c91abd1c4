import { sessionContext } from '../sandbox/context.ts';
import type { Env } from '../session/dirs.ts';

/** Records bases and reaps where no server does it. */
export async function tidyAlone(stateDir: string, session: string, env: Env): Promise<void> {
  try {
    // Loaded when needed: a start is waited for.
    const { tidy } = await import('./tidy.ts');
    await tidy(await sessionContext(stateDir, session, env), null);
  } catch {
    // Safe: without base records a host change is a conflict.
  }
}
