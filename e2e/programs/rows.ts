import type { Program } from './program.ts';
import { FILES } from './rows/files.ts';
import { NATIVE } from './rows/native.ts';
import { NODE } from './rows/node.ts';
import { PYTHON } from './rows/python.ts';
import { WORLD } from './rows/world.ts';

/** What is tried, in the order of docs/programs.md. */
export const PROGRAMS: readonly Program[] = [...NODE, ...PYTHON, ...NATIVE, ...FILES, ...WORLD];
