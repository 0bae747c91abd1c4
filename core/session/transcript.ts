/** Which of Claude's sessions does a fork come from? Read tolerantly: transcript and options are the client's own. */

/**
 * Ids of sessions that the lines of a transcript name, each once; what says `forkedFrom` comes before a line's own
 * `sessionId`. Lines that are no JSON objects, such as one cut off at the end, are passed over.
 */
export function sessionsNamedIn(transcript: string): string[] {
  const parents = new Set<string>();
  const own = new Set<string>();
  for (const line of transcript.split('\n')) {
    const entry = parseObject(line);
    const forkedFrom = entry['forkedFrom'];
    add(parents, forkedFrom);
    if (isObject(forkedFrom)) add(parents, forkedFrom['sessionId']);
    add(parents, entry['parentSessionId']);
    add(own, entry['sessionId']);
  }
  return [...new Set([...parents, ...own])];
}

/** The session that a client's command line asks to go on with (`--resume ID`, `--resume=ID`, `-r ID`). */
export function sessionResumedBy(argv: readonly string[]): string | null {
  for (const [i, argument] of argv.entries()) {
    if (argument === '--') return null;
    if (argument.startsWith('--resume=')) return argument.slice('--resume='.length);
    if (argument === '--resume' || argument === '-r') return argv[i + 1] ?? null;
  }
  return null;
}

/**
 * The client's config directory (`~/.claude`, `$CLAUDE_CONFIG_DIR`) by the path of its transcript,
 * `DIR/projects/PROJECT/ID.jsonl`; null for a path of another form. What the client itself says is better than our own
 * environment: one server answers clients with different ones.
 */
export function configDirOf(transcriptPath: string): string | null {
  return /^(\/.+)\/projects\/[^/]+\/[^/]+\.jsonl$/s.exec(transcriptPath)?.[1] ?? null;
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function add(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '') ids.add(value);
}
