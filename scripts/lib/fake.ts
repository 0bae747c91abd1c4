import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBuilder, type InlineConfig, type PreviewServer, preview } from 'vite';
import { CSP } from '../../server/http/guards.ts';
import { sharedConfig, webBuild } from '../../vite.config.ts';
import { ROOT } from './root.ts';

/** The dashboard on recorded data: for browser tests, and for `npm start` where no sandbox can be entered. Never shipped. */
const ENTRY = 'testing/dashboard/fake.html';

export interface FakeSite {
  /** Address of the page, with the port that was taken. */
  url: string;
  close(): Promise<void>;
}

async function buildAndServe(config: InlineConfig): Promise<PreviewServer> {
  const builder = await createBuilder(config);
  const client = builder.environments['client'];
  if (client) await builder.build(client);
  return await preview(config);
}

/**
 * Builds the web app on its fake backend into a temporary directory and serves it on 127.0.0.1.
 * @param port 0 = any free one; a taken one is an error.
 */
export async function serveFake(port: number): Promise<FakeSite> {
  const outDir = mkdtempSync(path.join(tmpdir(), 'trai-fake-'));
  const config: InlineConfig = {
    ...sharedConfig(),
    root: path.join(ROOT, path.dirname(ENTRY)),
    mode: 'production',
    configFile: false,
    logLevel: 'warn',
    builder: {},
    build: { outDir },
    environments: { client: webBuild(ENTRY, outDir) },
    // As the real server serves it, so that a test on the fake can find a breach.
    preview: { host: '127.0.0.1', port, strictPort: true, headers: { 'Content-Security-Policy': CSP } },
  };
  const remove = () => rmSync(outDir, { recursive: true, force: true });
  // Vite answers SIGTERM itself, and leaves before anybody could call `close`.
  process.once('exit', remove);
  const server = await buildAndServe(config).catch((error: unknown) => {
    remove();
    throw error;
  });
  const address = server.httpServer.address();
  const taken = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://127.0.0.1:${taken}/fake.html`,
    close: async () => {
      await server.close();
      remove();
    },
  };
}
