/**
 * Ways in which a determined model evades "only the user commits", or writes to the host unreviewed. None of them shows in
 * the command's text. SECURITY.md explains them; trai is a correctness tool, not a security boundary.
 */
export interface Unstoppable {
  way: string;
  /** A command line of that kind. */
  example: string;
  /** What still stands in the way. */
  leftover: string;
}

export const UNSTOPPABLE: readonly Unstoppable[] = [
  {
    way: 'a git hook or a git setting that was put in place earlier with the Write tool, or that the user committed',
    example: 'git commit -m x',
    leftover: 'bin/trai itself wants a permit when a Claude client is among its ancestors',
  },
  {
    way: 'a repository whose own configuration runs programs, made in a scratch directory',
    example: 'git -C /tmp/made status',
    leftover: 'the call is shown as run on the host',
  },
  {
    way: 'sudo, which runs anything as another user on the host',
    example: 'sudo sh ./script',
    leftover: 'a warning to the person, and the call is shown as run on the host; sudo asks for a password',
  },
  {
    way: 'a container that mounts the host',
    example: 'docker run -v /:/host alpine sh /host/tmp/script',
    leftover: 'a warning to the person, and the call is shown as run on the host',
  },
  {
    way: 'a symlink to or a copy of the program under another name, started by one of the above',
    example: 'sudo /tmp/copy commit',
    leftover: 'bin/trai itself wants a permit when a Claude client is among its ancestors',
  },
  {
    way: 'an alias or a function of the user that gives a listed program another meaning',
    example: 'ls',
    leftover: 'it is the user who defined it',
  },
  {
    way: 'a daemon, a terminal multiplexer or a scheduler of the host that does what it is told over its socket',
    example: 'tmux send-keys "trai commit" Enter',
    leftover: 'nothing: it is not a child of the client',
  },
  {
    way: 'a process that is set on leaving the sandbox, since the network is open',
    example: 'ssh localhost',
    leftover: 'ssh asks for a key or a password',
  },
];
