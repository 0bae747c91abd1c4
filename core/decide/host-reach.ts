/** How a sandboxed command may act on the host: by a server that runs there, by hard links in scratch. */

import { allCommands, type Script, type SimpleCommand, wordsOf } from './shell/facts.ts';
import { squeeze } from './shell/where.ts';
import { programOf, wordSet } from './shell/words.ts';

export const REACHING = wordSet('tmux screen byobu zellij systemd-run systemctl at batch crontab');

/** Programs that run the program that one of their words names. */
const RUNNERS = wordSet('env command exec nohup setsid nice ionice time timeout stdbuf xargs');

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

export function reachText(program: string): string {
  return `\`${program}\` may act on the host: what its server does there is written directly.`;
}

export function literalPaths(script: Script, cwd: string): string[] {
  const words = allCommands(script).flatMap(wordsOf);
  const paths = words.flatMap(({ value }) => {
    if (value === null || value === '' || value.startsWith('-') || /\s/.test(value)) return [];
    return [squeeze(value.startsWith('/') ? value : `${cwd}/${value}`)];
  });
  return [...new Set(paths)];
}

export function linkText(path: string): string {
  return `\`${path}\` has other names (hard links): writing to it changes them on the host, also where they are covered.`;
}
