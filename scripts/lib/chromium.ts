import { accessSync, constants } from 'node:fs';
import { chromium } from '@playwright/test';

const INSTALLED = [
  // The same engine without a window's code: it takes a third less processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

export const CHROMIUM_MISSING =
  'No Chromium was found. Install one (Debian: apt-get install chromium; elsewhere: npx playwright install chromium) ' +
  'or name it with TRAI_CHROMIUM=/path/to/chromium.';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The Chromium that tests, bench and screenshots drive: TRAI_CHROMIUM, then an installed one, then Playwright's own.
 * @throws when TRAI_CHROMIUM names something that cannot be executed.
 */
export function findChromium(): string | null {
  const wanted = process.env['TRAI_CHROMIUM'];
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(`TRAI_CHROMIUM: expected an executable file, found ${wanted}`);
  }
  return [...INSTALLED, chromium.executablePath()].find(isExecutable) ?? null;
}

/** Start options: nothing asks the network, and the browser's own sandbox stays on except for root, who cannot have it. */
export function chromiumArgs(): string[] {
  return [
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
