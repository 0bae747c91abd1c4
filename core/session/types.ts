/** sessions/<id>/meta.json, validated where it is read (meta-file.ts). */
export const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork', 'exec'] as const;

export interface ClaudeIdentity {
  /** Claude's own session id. */
  id: string;
  /** How it came to this session. */
  source: (typeof SOURCES)[number];
  /** CLAUDE_PID and its start time (field 22 of /proc/PID/stat), which tell `/clear` in the same client. */
  pid: number | null;
  pidStart: string | null;
  at: string;
}

export interface SessionMeta {
  v: 1;
  /** Our id: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`. */
  id: string;
  claude: ClaudeIdentity[];
  /** Absolute, byte strings: the repository's top level (or the directory itself) and where the session began. */
  projectRoot: string;
  cwd: string;
  /** First 16 hex digits of SHA-256, see product.md "project id". */
  projectId: string;
  createdAt: string;
  clientVersion: string | null;
  /** Env files that hold our line, absolute. */
  envFiles: string[];
  /** Path of the config file that was used, or null for the defaults, and what was wrong with it. */
  configFile: string | null;
  configProblems: string[];
  /**
   * Config directories of the clients (`~/.claude`, `$CLAUDE_CONFIG_DIR`), absolute, as they named them. Missing in
   * sessions that began before this was kept.
   */
  claudeDirs?: string[];
  /** Turned off for this session: why (doctor failed, SANDBOX_RUNTIME, by the user); null = on. */
  off: string | null;
  /** A call was caught outside the sandbox: its id. Null = never. */
  caught: string | null;
  /** Sessions whose overlay became this one's (`trai adopt`): their logs hold the calls that wrote in it. */
  adopted?: string[];
  /** The session that goes on with what was pending here. */
  wentOnIn?: string;
  logVersion: 1;
}
