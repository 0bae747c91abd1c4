/** sessions/<id>/meta.json; meta-file.ts checks it. */
export const SOURCES = ['startup', 'resume', 'clear', 'compact', 'fork', 'exec'] as const;

export interface ClaudeIdentity {
  id: string;
  source: (typeof SOURCES)[number];
  /** CLAUDE_PID and field 22 of its stat, which identify the client of a `/clear`. */
  pid: number | null;
  pidStart: string | null;
  at: string;
}

export interface SessionMeta {
  v: 1;
  id: string;
  claude: ClaudeIdentity[];
  /** Byte strings: the repository's top level (or the directory itself), and where the session began. */
  projectRoot: string;
  cwd: string;
  projectId: string;
  createdAt: string;
  /** Null for the defaults. */
  configFile: string | null;
  configProblems: string[];
  /** The clients' config directories (`~/.claude`, `$CLAUDE_CONFIG_DIR`), absolute, as named. */
  claudeDirs?: string[];
  /** Why this session is off (doctor failed, SANDBOX_RUNTIME, by the user); null = on. */
  off: string | null;
  /** The call that was caught outside the sandbox. */
  caught: string | null;
  /** Sessions whose overlay this one has adopted: their logs hold the calls that wrote in it. */
  adopted?: string[];
  /** The session that adopted this one's overlay. */
  wentOnIn?: string;
  logVersion: 1;
}
