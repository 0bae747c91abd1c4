import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { orNull } from '../../core/kernel/fs/port.ts';

export interface StaticFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Reads the built web app once. Addresses are looked up in the table and never become paths, so there is no
 * traversal; symlinks and types that the build does not produce are left out. A missing directory gives an
 * empty table.
 */
export function readStaticFiles(root: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  collect(root, '/', files);
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

function collect(dir: string, address: string, files: Map<string, StaticFile>): void {
  for (const name of orNull(() => readdirSync(dir)) ?? []) {
    const file = path.join(dir, name);
    const stat = lstatSync(file);
    if (stat.isDirectory()) collect(file, `${address}${name}/`, files);
    const type = TYPES[path.extname(name)];
    if (!stat.isFile() || type === undefined) continue;
    files.set(`${address}${name}`, {
      body: new Uint8Array(readFileSync(file)),
      type,
      // Names below assets/ contain a hash of their content.
      cache: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
}
