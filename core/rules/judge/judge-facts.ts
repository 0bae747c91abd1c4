import type { Mode } from '../../../shared/model/decision.ts';

/** What rules ask about the machine. Paths are ordinary text. */
export interface JudgeFacts {
  home: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** The config's list. */
  readOnly: readonly string[];
  /**
   * Where core/decide says that a command will run; null for other tools, and where it is not known. A call that only
   * reads counts as `sandbox`, wherever it runs.
   */
  runs: Mode | null;
  /**
   * The paths that an absolute path leads to, without links, on the host and in the merged view; also for a path that
   * does not exist. Null = not known.
   */
  resolve(path: string): readonly string[] | null;
  /** The names in a directory, on the host and in the merged view; null = not known, or too many. */
  names(dir: string): readonly string[] | null;
  /** What this call writes to an absolute path stays pending. */
  isPending(path: string): boolean;
}
