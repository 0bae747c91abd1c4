import type { Command } from '../context/command.ts';
import { claude } from './claude.ts';
import { exec, explore } from './exec.ts';

/**
 * Those that start a program. The program is waited for, so each loads what it needs until then, and the rest when it is
 * needed. `rules` needs half of what the others do.
 */
const PROGRAMS = new Map<string, () => Command | Promise<Command>>([
  ['claude', () => claude],
  ['box', async () => (await import('./box.ts')).box],
  // In no list: for hooks/lib/start-client.sh.
  ['client-ended', async () => (await import('./client-beside.ts')).clientEnded],
  ['exec', () => exec],
  ['explore', () => explore],
  ['rules', async () => (await import('./rules/rules.ts')).rules],
]);

export async function programNamed(name: string): Promise<Command | null> {
  return (await PROGRAMS.get(name)?.()) ?? null;
}
