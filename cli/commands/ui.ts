import { spawn } from 'node:child_process';
import { type Caller, callerOf } from '../../core/kernel/proc/caller.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { permitText, wordsOf } from '../../core/session/grants.ts';
import type { ServerFile } from '../../core/session/server-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { TraiError } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-lines.ts';
import { badUsage, type Command } from '../context/command.ts';
import { type Ask, needServer, post } from '../context/server-process.ts';
import { chosenMeta } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { needsPermit, USAGE } from '../messages/errors.ts';

export const ui: Command = {
  name: 'ui',
  summary: 'open the dashboard; NUMBER = the six digits that a tab shows',
  arguments: [
    ['NUMBER', 'signs in the tab that shows these six digits'],
    ['--print', 'prints the address, opens no browser'],
  ],
  words: 1,
  async run(cli, given) {
    const caller = callerOf(process.pid, cli.state);
    const below = given.fromPrompt || caller.kind !== 'user';
    const meta = await chosenMeta(cli);
    const ctx = meta === null ? null : await sessionContext(cli.state, meta.id, cli.env);
    const typed = below ? await typedWords(ctx, caller) : given.words;
    // The permit is looked for in this session; and its list is what the tab asks for first.
    const asked = meta === null ? {} : { session: meta.id };
    const [number] = typed;
    if (number !== undefined) return await pair(cli, number, asked);
    const { server, code } = await needServer(cli, ask('ui-code', asked));
    const address = `http://127.0.0.1:${server.port}/`;
    const url = `${address}#c=${code}${meta === null ? '' : `&s=${encodeURIComponent(meta.id)}`}`;
    const opener = given.flags.has('print') || isRemote(cli.env) ? null : browserFor(cli.env);
    if (opener !== null && (await opened(opener, url))) {
      cli.print(`Opened ${address}`, { url: address, opened: true });
    } else if (below) {
      // The model reads this: no code, only the address.
      cli.print(remoteText(server.port, '/trai:ui'), { url: address, opened: false });
    } else {
      cli.print(
        `Open within 30 seconds: ${url}\n${isRemote(cli.env) ? remoteText(server.port, 'trai ui') : ''}`.trimEnd(),
        { url, opened: false },
      );
    }
    return 0;
  },
};

async function typedWords(ctx: SessionContext | null, caller: Caller): Promise<string[]> {
  const text = ctx === null ? null : await permitText(ctx.sessionDir, 'ui');
  if (text === null) throw needsPermit('ui', caller);
  return wordsOf(text).slice(1);
}

async function pair(cli: Cli, number: string, asked: object): Promise<number> {
  if (!/^\d{6}$/.test(number)) throw badUsage(ui, USAGE.noDigits(number));
  await needServer(cli, ask('pair', { ...asked, number }));
  cli.print('The page is signed in.', { paired: true });
  return 0;
}

/** Errors: `forbidden`, with the server's reason. */
function ask(endpoint: string, body: object): Ask<{ server: ServerFile; code: string }> {
  return async (server) => {
    const answer: unknown = JSON.parse(await post(server, endpoint, JSON.stringify(body)));
    if (!isObject(answer)) return null;
    const { error, proof, code } = answer;
    if (isObject(error)) {
      const hint = 'hint' in error ? String(error['hint']) : undefined;
      throw new TraiError('forbidden', String(error['message'] ?? 'refused'), { hint });
    }
    return proof === server.proof ? { server, code: typeof code === 'string' ? code : '' } : null;
  };
}

function isRemote(env: NodeJS.ProcessEnv): boolean {
  return (env['SSH_CONNECTION'] ?? env['SSH_TTY'] ?? '') !== '';
}

function browserFor(env: NodeJS.ProcessEnv): string | null {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (isSet('WSL_DISTRO_NAME')) return 'wslview';
  if (!['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER'].some(isSet)) return null;
  return env['BROWSER'] ?? 'xdg-open';
}

/** False when it failed at once. The code in the address works once, within 30 seconds. */
function opened(command: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [url], { stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), 1_500);
    const ended = (ok: boolean): void => {
      clearTimeout(timer);
      resolve(ok);
    };
    child.on('error', () => ended(false));
    child.on('exit', (status) => ended(status === 0));
    child.unref();
  });
}

function remoteText(port: number, command: string): string {
  return [
    `The dashboard is at http://127.0.0.1:${port}/ on this machine.`,
    `From another one: ssh -N -L ${port}:127.0.0.1:${port} HOST, then open that address there.`,
    `The page shows six digits; sign it in with: ${command} DIGITS`,
  ].join('\n');
}
