import { run } from '../lib/exec.ts';
import { ROOT } from '../lib/root.ts';

/** What the tests need of Debian beside Node. */
const PACKAGES = [
  'attr',
  'bindfs',
  'bubblewrap',
  'cargo',
  'chromium',
  'chromium-headless-shell',
  'cmake',
  'fonts-liberation',
  'gcc',
  'git',
  'gnupg',
  'iproute2',
  'libc6-dev',
  'make',
  'openssh-client',
  'openssh-server',
  'patchelf',
  'procps',
  'python3-pytest',
  'python3-venv',
  'rsync',
  'sqlite3',
  'tmux',
  'uidmap',
  'util-linux',
  'zsh',
] as const;

const ATTEMPTS = 20;
const PAUSE_MS = 15_000;

/** The packages that dpkg does not have. */
async function missingPackages(): Promise<string[]> {
  const missing: string[] = [];
  for (const name of PACKAGES) {
    const query = await run('dpkg-query', ['--status', name], { cwd: ROOT, output: 'collect' });
    if (!query.text.includes('Status: install ok installed')) missing.push(name);
  }
  return missing;
}

/** Runs apt-get, and again while another process holds one of its locks (it waits for the dpkg lock only). */
async function aptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const options = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
    const { status, text } = await run('apt-get', [...options, ...args], {
      cwd: ROOT,
      env,
      output: 'collect',
    });
    if (status === 0) return;
    if (!/could not get lock|unable to lock|is held by process/i.test(text)) {
      throw new Error(`apt-get ${args.join(' ')}: exit status ${status}\n${text}`);
    }
    console.log('apt: another process holds its lock, waiting.');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(
    `apt-get ${args.join(' ')}: its lock was held for ${(ATTEMPTS * PAUSE_MS) / 60_000} minutes`,
  );
}

/**
 * Installs what is missing of PACKAGES; needs root and Debian.
 * @throws with apt-get's own output when it fails.
 */
export async function installPackages(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  console.log(`apt: installing ${missing.join(' ')}`);
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', ...missing);
}
