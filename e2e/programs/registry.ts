import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const LIBRARIES = 24;
const FILES_EACH = 20;

interface Manifest {
  name: string;
  version: string;
  [field: string]: unknown;
}

interface Published {
  manifest: Manifest;
  file: string;
  integrity: string;
  shasum: string;
}

/**
 * An npm registry on 127.0.0.1 with two dozen packages made here: `lib-0` ... depend on each other, `tool` has a program
 * and depends on all of them. So package managers do their real work, and nothing depends on what the world publishes.
 */
export class Registry {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `dir` holds the packages; it is made. */
  static async open(dir: string): Promise<Registry> {
    const published = new Map(makePackages(dir).map((one) => [one.manifest.name, one]));
    const server = createServer((request, response) => {
      const [, name = '', file] = (request.url ?? '').split('/');
      const found = published.get(decodeURIComponent(name));
      if (found === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      } else if (file !== undefined) {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(readFileSync(found.file));
      } else {
        const tarball = `http://${request.headers.host}/${name}/${path.basename(found.file)}`;
        const body = JSON.stringify(packument(found, tarball));
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Registry(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function packument({ manifest, integrity, shasum }: Published, tarball: string): unknown {
  const { name, version } = manifest;
  return {
    name,
    'dist-tags': { latest: version },
    time: { [version]: '2024-01-01T00:00:00.000Z', modified: '2024-01-01T00:00:00.000Z' },
    versions: { [version]: { ...manifest, dist: { tarball, integrity, shasum } } },
  };
}

function makePackages(dir: string): Published[] {
  const libraries = Array.from({ length: LIBRARIES }, (_, i) => {
    const below = [i * 2 + 1, i * 2 + 2].filter((n) => n < LIBRARIES).map((n) => [`lib-${n}`, '^1.0.0']);
    const files: Record<string, string> = { 'index.js': `module.exports = ${i};\n` };
    for (let n = 0; n < FILES_EACH; n++) files[`lib/part-${n}.js`] = `exports.part = ${n};\n`.repeat(n + 1);
    return publish(
      dir,
      { name: `lib-${i}`, version: '1.0.0', dependencies: Object.fromEntries(below) },
      files,
    );
  });
  const all = libraries.map(({ manifest }) => [manifest.name, '1.0.0']);
  const tool = publish(
    dir,
    { name: 'tool', version: '1.0.0', bin: { tool: 'cli.js' }, dependencies: Object.fromEntries(all) },
    {
      'cli.js':
        "#!/usr/bin/env node\nconsole.log('sum', [...Array(24).keys()].reduce((s, i) => s + require('lib-' + i), 0));\n",
    },
  );
  return [...libraries, tool];
}

function publish(dir: string, manifest: Manifest, files: Readonly<Record<string, string>>): Published {
  const stage = path.join(dir, manifest.name);
  const all = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...files };
  for (const [name, text] of Object.entries(all)) {
    const target = path.join(stage, 'package', name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { mode: name === 'cli.js' ? 0o755 : 0o644 });
  }
  const file = path.join(dir, `${manifest.name}-1.0.0.tgz`);
  execFileSync('tar', ['-czf', file, '-C', stage, 'package']);
  const bytes = readFileSync(file);
  const digest = (name: string, form: 'hex' | 'base64') => createHash(name).update(bytes).digest(form);
  return { manifest, file, integrity: `sha512-${digest('sha512', 'base64')}`, shasum: digest('sha1', 'hex') };
}
