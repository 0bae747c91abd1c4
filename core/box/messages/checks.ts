/** What doctor says about boxes. */
export const CHECKS = {
  bwrap: ({ path, version, setuid }: { path: string; version: string; setuid: boolean }) =>
    `bubblewrap ${version || 'of an unknown version'} (${path}): root’s, ${setuid ? 'setuid, in a version without a known hole' : 'not setuid'}`,
  nested: 'a box was made in the namespaces of a session',
  notNested: (said: string) => `a box could not be made in the namespaces of a session: ${said}`,
  proc: 'a box has a table of processes of its own (/proc)',
  noProc: (said: string) => `a box could not have a table of processes of its own (/proc): ${said}`,
  procRemedy:
    'Something lies over parts of /proc, as in most containers, and the kernel shows no second one there. Start the container with: docker run --security-opt systempaths=unconfined ...\nor use trai claude, which needs none.',
  typing:
    'this kernel lets a program type into its terminal (TIOCSTI), so a box gets a terminal session of its own: a shell in it has no job control',
  typingRemedy:
    'Turn it off: echo dev.tty.legacy_tiocsti=0 | sudo tee /etc/sysctl.d/60-tiocsti.conf && sudo sysctl --system',
  typingAlways:
    'Linux 6.2 and newer have a switch for it. Nothing needs to be done: the box is closed without it.',
  noTyping: 'no program can type into its terminal (TIOCSTI is off)',
} as const;
