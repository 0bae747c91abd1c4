import { existsSync } from 'node:fs';
import path from 'node:path';

/** What tests use of the system, and what is not tested where it is missing. */
const TOOLS: readonly { program: string; use: string }[] = [
  { program: 'unshare', use: 'the sandbox (package util-linux)' },
  { program: 'mount', use: 'the sandbox (package mount or util-linux)' },
  { program: 'setpriv', use: 'the sandbox (package util-linux)' },
  { program: 'flock', use: "a session's lock (package util-linux)" },
  { program: 'git', use: 'projects that are repositories' },
  { program: 'zsh', use: 'calls of clients whose shell is zsh' },
  { program: 'tmux', use: 'what is typed into the real client' },
  { program: 'ip', use: 'the network that keeps the real client on this machine (package iproute2)' },
  { program: 'bwrap', use: 'boxes (package bubblewrap)' },
  { program: 'bindfs', use: 'what lies on a file system that a program serves' },
  { program: 'patchelf', use: 'a root like NixOS’s' },
  { program: 'kitty', use: 'the popup of a question in kitty (with Xvfb; CI has neither)' },
  { program: 'getfattr', use: 'that no overlay mark is left (package attr)' },
];

function isInPath(program: string): boolean {
  const dirs = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
  return dirs.some((dir) => existsSync(path.join(dir, program)));
}

/** A line for each missing tool. */
export function missingTools(): string[] {
  return TOOLS.filter(({ program }) => !isInPath(program)).map(
    ({ program, use }) => `missing: ${program}; without it is not tested: ${use}`,
  );
}
