import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const MARK = '/node_modules/';

interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** The package directory that a module below node_modules belongs to, or null for our own modules. */
function packageDirOf(module: string): string | null {
  const at = module.lastIndexOf(MARK);
  if (at < 0) return null;
  const segments = module.slice(at + MARK.length).split('/');
  const depth = segments[0]?.startsWith('@') ? 2 : 1;
  return module.slice(0, at + MARK.length) + segments.slice(0, depth).join('/');
}

function readManifest(dir: string): Manifest {
  const json: unknown = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
  const field = (name: string): string => {
    const value = json !== null && typeof json === 'object' ? Reflect.get(json, name) : undefined;
    return typeof value === 'string' ? value : 'unknown';
  };
  return { name: field('name'), version: field('version'), license: field('license') };
}

function licenceText(dir: string): string {
  const file = readdirSync(dir)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.|$)/i.test(name));
  return file === undefined ? '' : readFileSync(path.join(dir, file), 'utf8').trim();
}

/** Names of the packages whose code is among the modules, sorted. */
export function packagesOf(modules: readonly string[]): string[] {
  const dirs = new Set(modules.map(packageDirOf).filter((dir) => dir !== null));
  return [...dirs].map((dir) => dir.slice(dir.lastIndexOf(MARK) + MARK.length)).sort();
}

/**
 * The licences of everything that was bundled, as their terms ask for.
 * @throws when a bundled package has no package.json.
 */
export function licencesOf(modules: readonly string[]): string {
  const dirs = [...new Set(modules.map(packageDirOf).filter((dir) => dir !== null))];
  const sections = dirs
    .filter((dir) => existsSync(path.join(dir, 'package.json')))
    .map((dir) => ({ ...readManifest(dir), text: licenceText(dir) }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
    .map(({ name, version, license, text }) => `## ${name} ${version}\n\nLicence: ${license}\n\n${text}\n`);
  return `# Licences of the packages bundled with trai\n\n${[...new Set(sections)].join('\n')}`;
}
