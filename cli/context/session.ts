/** The session of a command: --session, else the client's own, else the newest of this project. */
import { sessionContext } from '../../core/sandbox/context.ts';
import { sessionOfClaude } from '../../core/session/attach.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { readMeta, type SessionMeta } from '../../core/session/meta-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { findSession } from '../../core/session/store.ts';
import { TraiError } from '../../shared/errors.ts';
import { noSessionHere, noSessionNamed } from '../messages/errors.ts';
import type { Args, Command } from './command.ts';
import { withPermit } from './permit.ts';
import type { Cli } from './world.ts';

interface Chosen {
  meta: SessionMeta;
  ctx: SessionContext;
}

export interface Call extends Chosen {
  cli: Cli;
  args: Args;
}

interface SessionCommand extends Omit<Command, 'run'> {
  /** Whether these arguments need a permit of the user. */
  acts(args: Args): boolean;
  run(call: Call): Promise<number>;
}

/** Finds the session first; takes arguments that were typed in the client from the permit. */
export function aboutSession({ acts, run, ...about }: SessionCommand): Command {
  const command: Command = {
    ...about,
    async run(cli, given) {
      const chosen = await chosenSession(cli);
      for (const { text } of loadConfig(cli.env, chosen.meta.configFile).problems) cli.remark(text);
      const needed = given.fromPrompt || acts(given);
      const args = needed ? await withPermit(cli, command, given, chosen.ctx) : given;
      return await run({ cli, ...chosen, args });
    },
  };
  return command;
}

export const always = (): boolean => true;
export const never = (): boolean => false;

/** Errors: `no-session`, with how to start one. */
async function chosenSession(cli: Cli): Promise<Chosen> {
  const meta = await chosenMeta(cli);
  if (meta === null) throw noSessionHere(cli.cwd);
  // `rules` looks for a session, and never repairs one.
  const { recoverOverlay } = await import('../../core/jobs/door/with-session.ts');
  await recoverOverlay({ stateDir: cli.state, session: meta.id, env: cli.env });
  return { meta, ctx: await sessionContext(cli.state, meta.id, cli.env) };
}

export async function chosenMeta(cli: Cli): Promise<SessionMeta | null> {
  if (cli.session !== null) return await namedMeta(cli.state, cli.session);
  const claude = cli.env['CLAUDE_CODE_SESSION_ID'] ?? '';
  const attached = claude === '' ? null : await sessionOfClaude(cli.state, claude);
  if (attached !== null) return await readMeta(sessionDir(cli.state, attached));
  return await findSession(cli.state, { cwd: cli.dir });
}

async function namedMeta(state: string, id: string): Promise<SessionMeta> {
  try {
    return await readMeta(sessionDir(state, id));
  } catch (error) {
    if (!(error instanceof TraiError) || error.code !== 'no-session') throw error;
    throw noSessionNamed(id, error);
  }
}
