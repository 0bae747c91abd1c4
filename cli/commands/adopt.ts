import { adoptOverlay } from '../../core/jobs/adopt.ts';
import { isSessionId } from '../../core/session/dirs.ts';
import { listSessions } from '../../core/session/store.ts';
import { TraiError } from '../../shared/errors.ts';
import { countText } from '../../shared/terminal/style.ts';
import { permittedArgs } from '../context/permit.ts';
import { badUsage, type Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';
import type { Cli } from '../context/world.ts';

export const adopt: Command = {
  name: 'adopt',
  usage: 'adopt ID [--session NEW]',
  summary: 'continue with the pending changes of an earlier session',
  flags: [],
  options: [],
  words: 1,
  async run(cli, given) {
    const { meta, ctx } = await chosenSession(cli);
    const args = await permittedArgs(cli, adopt, given, ctx);
    const [named] = args.words;
    if (named === undefined) throw badUsage(adopt, 'expected the id of the session to continue');
    const from = await sessionNamed(cli, named);
    // What was typed behind a slash command may name another session than the client's own.
    const to = args.session ?? meta.id;
    if (from === to) {
      throw new TraiError('bad-usage', `session ${from} cannot adopt its own changes`, {
        hint: `Name the session that continues with them: trai adopt ${from} --session NEW. All sessions: trai sessions`,
      });
    }
    const report = await adoptOverlay({ stateDir: cli.state, from, to, env: cli.env });
    cli.print(
      `Session ${to} continues with ${countText(report.entries, 'pending change')} of session ${from}.`,
      report,
    );
    return 0;
  },
};

/** A session by its id, or by the beginning of one where only one begins so. Errors: `no-session`, `bad-usage`. */
async function sessionNamed(cli: Cli, named: string): Promise<string> {
  if (!isSessionId(named))
    throw badUsage(adopt, `expected the id of a session, found ${JSON.stringify(named)}`);
  const { sessions, broken } = await listSessions(cli.state);
  const ids = [...sessions, ...broken].map(({ id }) => id);
  if (ids.includes(named)) return named;
  const [only, ...more] = ids.filter((id) => id.startsWith(named));
  if (only === undefined) {
    throw new TraiError('no-session', `there is no session ${named}`, {
      hint: 'All sessions: trai sessions',
    });
  }
  if (more.length > 0) {
    throw badUsage(
      adopt,
      `${more.length + 1} sessions begin with ${named}: ${[only, ...more].slice(0, 5).join(', ')}`,
    );
  }
  return only;
}
