/** How a Claude client looks in /proc. */

export interface ProgramFacts {
  /** Path of its program, null when it may not be looked at. */
  program: string | null;
  argv: readonly string[];
}

/**
 * Paths of the client: `claude` itself, the npm packages, and the native installer's `…/claude/versions/2.1.330`,
 * where the program is called like its version.
 */
const CLIENT = /(^|\/)claude$|\/@anthropic-ai\/claude-code|\/claude\/versions\/[^/]+$/;

/** Programs that run the client as a script, whose path is then their first argument that is no option. */
const RUNTIME = /(^|\/)(node|nodejs|bun|deno)$/;

export function isClaudeClient({ program, argv }: ProgramFacts): boolean {
  if (program !== null && CLIENT.test(program)) return true;
  const [name = ''] = argv;
  if (CLIENT.test(name)) return true;
  if (!RUNTIME.test(program ?? name) && !RUNTIME.test(name)) return false;
  const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
  return script !== undefined && CLIENT.test(script);
}
