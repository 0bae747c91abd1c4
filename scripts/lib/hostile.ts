/** Values that a caller's environment may have and that no test may notice: CI runs the suite with all of them. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const GIT_CONFIG = `[safe]
	directory = *
[core]
	hooksPath = /nonexistent/hooks
	autocrlf = true
	fileMode = false
	quotePath = false
[commit]
	gpgSign = true
[init]
	templateDir = /nonexistent/template
	defaultBranch = "not main"
[status]
	short = true
[color]
	ui = always
`;

/** Makes what the values name below `dir`; whoever runs with them must be able to write there. */
export function hostileEnvironment(dir: string): Record<string, string> {
  const home = path.join(dir, 'a home');
  const config = path.join(home, '.gitconfig');
  const tmp = path.join(dir, 'tmp of two words');
  for (const made of [path.join(home, '.config/git'), tmp]) mkdirSync(made, { recursive: true });
  for (const file of [config, path.join(home, '.config/git/config')]) writeFileSync(file, GIT_CONFIG);
  const link = path.join(dir, 'tmp');
  symlinkSync(tmp, link);
  return {
    HOME: home,
    GIT_CONFIG_SYSTEM: config,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
    LANGUAGE: 'tr',
    TMPDIR: link,
  };
}

/** A command under a mask that takes everything from everybody else. */
export function hostileCommand(command: readonly string[]): string[] {
  return ['sh', '-c', 'umask 077; exec "$@"', 'sh', ...command];
}
