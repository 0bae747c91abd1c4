import { defineConfig } from '@playwright/test';
import { CHROMIUM_MISSING, chromiumArgs, findChromium } from './scripts/lib/chromium.ts';
import { makeNeutral } from './scripts/lib/neutral.ts';

makeNeutral();

const executablePath = findChromium();
if (executablePath === null) throw new Error(CHROMIUM_MISSING);

const fakePort = Number(process.env['TRAI_FAKE_PORT'] ?? 41730);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.{spec,test}.ts',
  outputDir: 'test-results',
  forbidOnly: Boolean(process.env['CI']),
  // A test that passes only when tried again has a fault; scripts/lib/again.ts names it.
  retries: 0,
  timeout: 60_000,
  // As for vitest: a machine that does much else takes long.
  expect: { timeout: 30_000 },
  ...(process.env['CI'] ? { workers: 1 } : {}),
  reporter: [
    ['list'],
    ...(process.env['TRAI_REPORT'] ? ([['json', { outputFile: process.env['TRAI_REPORT'] }]] as const) : []),
  ],
  use: {
    trace: 'off',
    video: 'off',
    screenshot: 'only-on-failure',
    // A colour that is just changing has the contrast of neither state.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath, args: chromiumArgs() },
  },
  projects: [
    // The web app alone, on its fake backend.
    { name: 'fake', testDir: 'e2e/fake', use: { baseURL: `http://127.0.0.1:${fakePort}/` } },
    // The real server; its tests start servers of their own. They share the machine's two cores, so one at a time.
    { name: 'live', testDir: 'e2e/live', fullyParallel: false },
  ],
  webServer: {
    command: `node scripts/run.mjs fake --port ${fakePort}`,
    url: `http://127.0.0.1:${fakePort}/fake.html`,
    reuseExistingServer: !process.env['CI'],
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
