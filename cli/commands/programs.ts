import type { Command } from '../context/command.ts';
import { claude } from './claude.ts';
import { exec, explore } from './exec.ts';

/**
 * Those that start a program. The program is waited for, so each loads what it needs until then, and the rest when it is
 * needed.
 */
const PROGRAMS: Readonly<Record<string, () => Promise<Command>>> = {
  claude: async () => claude,
  box: async () => (await import('./box.ts')).box,
  exec: async () => exec,
  explore: async () => explore,
};

export async function programNamed(name: string): Promise<Command | null> {
  return Object.hasOwn(PROGRAMS, name) ? ((await PROGRAMS[name]?.()) ?? null) : null;
}
