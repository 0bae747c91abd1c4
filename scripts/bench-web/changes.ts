/** Change sets that are the same for both: modified files and new ones, in directories of a hundred. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface ChangeSet {
  modified: number;
  added: number;
}

const LINES = 120;
const PER_DIRECTORY = 100;

/** As a session is after a while: few modified files, and what a build has made. */
export const mixed = (entries: number): ChangeSet => ({ modified: 10, added: entries - 10 });
/** As a codemod or a formatter leaves it. */
export const onlyModified = (entries: number): ChangeSet => ({ modified: entries, added: 0 });

function lines(of: string, changed: boolean): string {
  return Array.from({ length: LINES }, (_, i) => {
    const value = changed && i % 12 === 3 ? `${i} + 1` : String(i);
    return `export const ${of}_${i} = ${value};`;
  })
    .join('\n')
    .concat('\n');
}

const moduleName = (i: number): string => `module_${String(i).padStart(2, '0')}`;

function writeFiles(top: string, count: number, file: (i: number) => [name: string, text: string]): void {
  for (let i = 0; i < count; i++) {
    const part = path.join(top, `part_${Math.floor(i / PER_DIRECTORY)}`);
    if (i % PER_DIRECTORY === 0) mkdirSync(part, { recursive: true });
    const [name, text] = file(i);
    writeFileSync(path.join(part, name), text);
  }
}

function writeModules(dir: string, count: number, changed: boolean): void {
  writeFiles(path.join(dir, 'app'), count, (i) => [`${moduleName(i)}.js`, lines(moduleName(i), changed)]);
}

/** What is there before. */
export function writeBase(dir: string, { modified }: ChangeSet): void {
  writeModules(dir, modified, false);
}

/** The changes; their directories are entries of their own. */
export function writeChanges(dir: string, { modified, added }: ChangeSet): void {
  writeModules(dir, modified, true);
  writeFiles(path.join(dir, 'made'), added, (i) => [
    `file_${i}.js`,
    `const a = ${i};\nconst b = a + 1;\nmodule.exports = b;\n`,
  ]);
}

/** A modified file, whose diff is opened. */
export const OPENED = `app/part_0/${moduleName(4)}.js`;
