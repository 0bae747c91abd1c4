/** The same change set for both: some modified files, and new ones in directories of a hundred. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MODIFIED = 10;
const LINES = 120;
const PER_DIRECTORY = 100;

function lines(of: string, changed: boolean): string {
  return Array.from({ length: LINES }, (_, i) => {
    const value = changed && i % 12 === 3 ? `${i} + 1` : String(i);
    return `export const ${of}_${i} = ${value};`;
  })
    .join('\n')
    .concat('\n');
}

const moduleName = (i: number): string => `module_${String(i).padStart(2, '0')}`;

/** What is there before. */
export function writeBase(dir: string): void {
  mkdirSync(path.join(dir, 'app'), { recursive: true });
  for (let i = 0; i < MODIFIED; i++)
    writeFileSync(path.join(dir, 'app', `${moduleName(i)}.js`), lines(moduleName(i), false));
}

/** The changes, `count` entries with their directories left out. */
export function writeChanges(dir: string, count: number): void {
  for (let i = 0; i < MODIFIED; i++)
    writeFileSync(path.join(dir, 'app', `${moduleName(i)}.js`), lines(moduleName(i), true));
  for (let i = 0; i < count - MODIFIED; i++) {
    const part = path.join(dir, 'made', `part_${Math.floor(i / PER_DIRECTORY)}`);
    if (i % PER_DIRECTORY === 0) mkdirSync(part, { recursive: true });
    writeFileSync(
      path.join(part, `file_${i}.js`),
      `const a = ${i};\nconst b = a + 1;\nmodule.exports = b;\n`,
    );
  }
}

/** A file of the set whose diff is opened. */
export const OPENED = `app/${moduleName(4)}.js`;
