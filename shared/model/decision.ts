/** The decision where a command runs: facts in, decision out. */
import type { PassthroughConfig } from '../config/config.ts';

export type Mode = 'sandbox' | 'host' | 'refuse';

export const REASONS = {
  'default': 'runs in the sandbox',
  'not-understood': 'not understood with certainty, so it runs in the sandbox',
  'passthrough': 'passthrough program',
  'inside': 'the client runs in the session itself, with all that it starts',
  'runs-programs': 'git that may run other programs; the user was asked',
  'host-with-pending': 'works on files that are pending, which the config refuses',
  'unasked': 'needs the user to be asked, and nobody was',
  'read-only': 'reads only, and nothing is pending',
  'own-program': "trai's own program, asked for by the user",
  'one-shot': 'the user let the next call run on the host',
  'session-off': 'the user turned the sandbox off for this session',
  'config-off': 'the sandbox is turned off by the config',
  'mixed': 'mixes a writing passthrough program with sandboxed parts',
  'own-program-by-model': "trai's own program, but not asked for by the user",
  'caught': 'an earlier call of this session ran outside the sandbox unnoticed',
  'env-file': "the session's env file is missing or was changed",
  'own-directories': "would reach trai's own directories from the host",
  'unavailable': 'the sandbox cannot be entered on this machine',
  'rule': 'a permission rule denies it',
} as const;
export type Reason = keyof typeof REASONS;

export interface Facts {
  cwd: string;
  pending: boolean;
  home: string;
  ownPrograms: readonly string[];
  /** The user has an open permit for exactly this trai command. */
  ownPermit: boolean;
  oneShot: boolean;
  config: PassthroughConfig;
}

export type Loss =
  /** `unlessRef`: unless this names a commit. `over`: words that may; null = an unknown word. */
  | { kind: 'tree'; unlessRef: string | null; over?: readonly (string | null)[] }
  /** `clean`: arguments with which `git clean -n` lists the files; null = not known. */
  | { kind: 'untracked'; clean: readonly string[] | null }
  /** `entry`: the stash that is dropped; null = all. */
  | { kind: 'stash'; entry: string | null }
  /** Changes inside submodules, which are not examined. */
  | { kind: 'submodule' };

export interface HostUse {
  what: string;
  /** `repository`: of any of `dirs`; `below`: `dirs` and all in them; `git-dir`: a `.git`. */
  scope: 'repository' | 'below' | 'git-dir';
  /** Absolute directories or files; null = the text does not tell. */
  dirs: readonly string[] | null;
  /** Directories whose repositories' `.git` it reads as well; null = the text does not tell. */
  records?: readonly string[] | null;
  /** `--git-dir=…` and `--work-tree=…`, to be passed to git again. */
  globals: readonly string[];
  losses: readonly Loss[];
}

/** A host command that cannot run with trai's directories hidden. Paths may contain globs and links. */
export interface OpenUse {
  paths: readonly string[];
  /** Also when one of these leads above them: everything below is read. */
  trees: readonly string[];
}

export interface Decision {
  mode: Mode;
  reason: Reason;
  program: string;
  /** `refuse`: reason and way out. `host`: a warning. `sandbox`: what may act on the host nevertheless. */
  text: string;
  usedOneShot: boolean;
  /** Asked before it runs on the host, whatever is pending. */
  ask: string;
  uses: readonly HostUse[];
  /** `host` only; null = it runs with trai's own directories hidden. */
  open: OpenUse | null;
  /** `sandbox` only: paths that its text names literally. */
  paths: readonly string[];
}
