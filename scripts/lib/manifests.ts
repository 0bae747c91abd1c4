import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './root.ts';

/** Every place that states the version of trai: file, and the path of the field in its JSON. */
export const VERSION_FIELDS = [
  { file: 'package.json', field: ['version'] },
  { file: 'package-lock.json', field: ['version'] },
  { file: 'package-lock.json', field: ['packages', '', 'version'] },
  { file: '.claude-plugin/plugin.json', field: ['version'] },
  { file: '.claude-plugin/marketplace.json', field: ['plugins', '0', 'version'] },
] as const;

function fieldOf(json: unknown, field: readonly string[]): unknown {
  return field.reduce<unknown>((value, name) => {
    return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined;
  }, json);
}

function parse(file: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
}

/** `file: version` of every place, `none` where it is not stated. */
export function statedVersions(): { place: string; version: string }[] {
  return VERSION_FIELDS.map(({ file, field }) => {
    const found = existsSync(path.join(ROOT, file)) ? fieldOf(parse(file), field) : undefined;
    return { place: `${file} ${field.join('.')}`, version: typeof found === 'string' ? found : 'none' };
  });
}

/** Writes the version to every place; the files keep their two-space form. */
export function writeVersion(version: string): void {
  for (const { file, field } of VERSION_FIELDS) {
    const json = parse(file);
    const owner = fieldOf(json, field.slice(0, -1));
    if (owner === null || typeof owner !== 'object')
      throw new Error(`${file}: expected ${field.join('.')}, found none`);
    Reflect.set(owner, field.at(-1) ?? '', version);
    writeFileSync(path.join(ROOT, file), `${JSON.stringify(json, null, 2)}\n`);
  }
}
