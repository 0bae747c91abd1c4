/**
 * Whether the rules of the sessions on show have changed since the last look, by whomever: an editor, a call, the terminal.
 * The marks of a list depend on them, and a file that is replaced by another one is not safely watched.
 */
import { identitiesOf, rulePlaces } from '../../core/rules/files/files.ts';
import { configFiles } from '../../core/session/config-file.ts';
import type { Env } from '../../core/session/dirs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { fromText } from '../../shared/bytes.ts';

export class RuleWatch {
  readonly #env: Env;
  /** By session. */
  #seen = new Map<string, string>();

  constructor(env: Env) {
    this.#env = env;
  }

  /** True for a session that was not among the last ones, too: since its tab asked, anything may have changed. */
  changed(sessions: readonly SessionContext[]): boolean {
    const before = this.#seen;
    const configs = configFiles(this.#env).map((file) => fromText(file));
    this.#seen = new Map(
      sessions.map((ctx) => {
        const places = rulePlaces({ ...ctx, env: this.#env });
        return [ctx.session, identitiesOf([...places.map(({ path }) => path), ...configs])] as const;
      }),
    );
    return [...this.#seen].some(([session, now]) => before.get(session) !== now);
  }
}
