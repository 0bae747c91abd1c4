import type { Command } from '../context/command.ts';
import { box } from './box.ts';
import { claude } from './claude.ts';
import { exec, explore } from './run.ts';

/** Those that start a program. The program is waited for: of trai they load a third of what the others do. */
export const PROGRAMS: readonly Command[] = [claude, box, exec, explore];
