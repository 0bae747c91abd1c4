/**
 * Programs that hand work to a server which runs on the host: what that does there is neither sandboxed nor pending. The
 * command itself stays in the sandbox; the person is told.
 */
import { allCommands, type Script, type SimpleCommand } from './shell-facts.ts';
import { programOf } from './words.ts';

const REACHING: ReadonlySet<string> = new Set([
  ...['tmux', 'screen', 'byobu', 'zellij'],
  ...['systemd-run', 'systemctl', 'at', 'batch', 'crontab'],
]);

/** These run the program that one of their words names. */
const RUNNERS: ReadonlySet<string> = new Set(
  'env command exec nohup setsid nice ionice time timeout stdbuf xargs'.split(' '),
);

/** The first such program of a text; null when there is none. */
export function reachesHost(script: Script): string | null {
  for (const command of allCommands(script)) {
    const found = namesOf(command).find((name) => REACHING.has(name));
    if (found !== undefined) return found;
  }
  return null;
}

function namesOf(command: SimpleCommand): string[] {
  const program = programOf(command);
  if (program === null) return [];
  if (!RUNNERS.has(program)) return [program];
  return command.words.flatMap((word) => (word.value === null ? [] : [word.value]));
}

/** What the person reads on such a call. */
export function reachText(program: string): string {
  return `\`${program}\` may act on the host: what its server does there is written directly.`;
}
