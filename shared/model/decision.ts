/** What a decision about one command is made of. Pure: no I/O, the caller brings the facts. */
import type { PassthroughConfig } from './config-types.ts';

export type Mode = 'sandbox' | 'host' | 'refuse';

export const REASONS = {
  'default': 'runs in the sandbox',
  'not-understood': 'not understood with certainty, so it runs in the sandbox',
  'passthrough': 'passthrough program',
  'runs-programs': 'git that may run other programs; the person was asked',
  'host-with-pending': 'works on files that are pending, which the config refuses',
  'unasked': 'needs the person to be asked, and nobody was',
  'read-only': 'reads only, and nothing is pending',
  'own-program': "trai's own program, asked for by the person",
  'one-shot': 'the person let the next call run on the host',
  'session-off': 'the person turned the sandbox off for this session',
  'config-off': 'the sandbox is turned off by the config',
  'inside': 'already inside an outer sandbox',
  'mixed': 'mixes a writing passthrough program with sandboxed parts',
  'own-program-by-model': "trai's own program, but not asked for by the person",
  'caught': 'an earlier call of this session ran outside the sandbox unnoticed',
  'env-file': "the session's env file is missing or was changed",
  'own-directories': "would reach trai's own directories from the host",
  'unavailable': 'the sandbox cannot be entered on this machine',
} as const;
export type Reason = keyof typeof REASONS;

export interface Facts {
  /** Working directory of the call, absolute and decoded. */
  cwd: string;
  /** The session has a pending change that is not ignored. */
  pending: boolean;
  home: string;
  /** Absolute paths of `bin/trai`: of the installed copy and of the plugin's root. */
  ownPrograms: readonly string[];
  /** A permit of the user for exactly this command of trai's own is open. */
  ownPermit: boolean;
  /** A one-shot passthrough of the user is open. */
  oneShot: boolean;
  config: PassthroughConfig;
}

/** Something that a host command throws away. */
export type Loss =
  /**
   * Changes in the work tree. `unlessRef`: not when this is the name of a commit (`git checkout NAME`). `over`: words
   * that may name commits whose files are written over untracked ones, too; null = a word that is not known.
   */
  | { kind: 'tree'; unlessRef: string | null; over?: readonly (string | null)[] }
  /** Untracked files; `clean` = the arguments with which `git clean -n` lists them, null = not known. */
  | { kind: 'untracked'; clean: readonly string[] | null }
  /** `entry`: the one stash that goes, null = all of them. */
  | { kind: 'stash'; entry: string | null }
  /** Changes inside submodules, which nobody looks into. */
  | { kind: 'submodule' };

/** What a host command has to do with files that may be pending. */
export interface HostUse {
  /** The command as users call it: `git commit`. */
  what: string;
  /** `repository`: of any of `dirs`; `below`: one of `dirs` and what is in it; `git-dir`: a repository's own records. */
  scope: 'repository' | 'below' | 'git-dir';
  /** Absolute directories (or files); null = can't be told from the text. */
  dirs: readonly string[] | null;
  /** Directories whose repositories' own records it reads besides; null = can't be told. */
  records?: readonly string[] | null;
  /** `--git-dir=…` and `--work-tree=…`, as git is to be given them again. */
  globals: readonly string[];
  losses: readonly Loss[];
}

/**
 * A host command that cannot work where trai's own directories are hidden, since that takes a user namespace. Absolute
 * paths; they may hold `*`, `?` and `[`, and links.
 */
export interface OpenUse {
  /** Reaches trai's own directories when it leads into one of them. */
  paths: readonly string[];
  /** Also when it leads above one: what stands there is read with all that is below. */
  trees: readonly string[];
}

export interface Decision {
  mode: Mode;
  reason: Reason;
  /** The program that decided it (`git`), or empty. */
  program: string;
  /** `refuse`: why, and the way out. `host`: a warning, or empty. `sandbox`: what of it may act on the host all the same, or empty. */
  text: string;
  usedOneShot: boolean;
  /** What the user has to be asked before it may run on the host, whatever is pending; empty = nothing. */
  ask: string;
  /** For `host`: what of it may want pending files, or throws something away. */
  uses: readonly HostUse[];
  /** For `host`: null = it runs with trai's own directories hidden. */
  open: OpenUse | null;
  /** For `sandbox`: the paths that its text names literally. */
  paths: readonly string[];
}
