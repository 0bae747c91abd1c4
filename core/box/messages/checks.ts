/** What doctor says about boxes. */
export const CHECKS = {
  bwrap: (path: string, version: string) => `bubblewrap ${version} (${path})`,
  made: 'a box was made in the namespaces of a session, with a table of processes of its own',
  notMade: (said: string) => `a box could not be made: ${said}`,
  procRemedy:
    'Something lies over parts of /proc, as in most containers, and the kernel shows no second one there. Start the container with: docker run --security-opt systempaths=unconfined ...\nor use trai claude, which needs none.',
  typing:
    'this kernel lets a program type into its terminal (TIOCSTI), so a box gets a terminal session of its own: a shell in it has no job control',
  typingRemedy:
    'Turn it off: echo dev.tty.legacy_tiocsti=0 | sudo tee /etc/sysctl.d/60-tiocsti.conf && sudo sysctl --system',
  noTyping: 'no program can type into its terminal (TIOCSTI is off)',
} as const;
