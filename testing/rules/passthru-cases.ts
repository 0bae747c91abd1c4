/** Reads the test cases of the passthru plugin from a checkout: rule files, one call, the decision that is expected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../shared/json-lines.ts';

export interface PassthruCase {
  name: string;
  user: unknown;
  project: unknown;
  tool: string;
  input: unknown;
  mode: string;
  expected: 'allow' | 'ask' | 'deny';
}

/** Cases with more than one call, with a clock, links, or the plugin's own switches are left out. */
export function passthruCases(checkout: string): PassthruCase[] {
  const text = readFileSync(join(checkout, 'tests/hook_handler.bats'), 'utf8');
  return text
    .split(/^@test /m)
    .slice(1)
    .flatMap((block) => {
      const name = /^"((?:[^"\\]|\\.)*)"/.exec(block)?.[1] ?? '';
      const files = ruleFiles(block, checkout);
      const calls = [...block.matchAll(/run_handler '([^']*)'/g)].map((match) => parsed(match[1] ?? ''));
      const decisions = [...block.matchAll(/"\$(?:decision|output)" = "(allow|ask|deny)"/g)];
      const [call] = calls;
      const expected = decisions.at(-1)?.[1];
      if (calls.length !== 1 || !isObject(call) || files === null || expected === undefined) return [];
      if (/self-allow|sentinel|overlay-config|MOCK|ln -s/i.test(block)) return [];
      const { tool_name: tool, tool_input: input, permission_mode: mode = 'default', cwd } = call;
      if (typeof tool !== 'string' || typeof mode !== 'string' || cwd !== undefined) return [];
      return [{ name, ...files, tool, input, mode, expected: expected as PassthruCase['expected'] }];
    });
}

/** Null where a file is not JSON, or made in another way. */
function ruleFiles(block: string, checkout: string): { user: unknown; project: unknown } | null {
  const found: Record<string, unknown> = { USER: undefined, PROJ: undefined };
  for (const [, scope = '', body = ''] of block.matchAll(
    /cat > "\$(USER|PROJ)_ROOT\/\.claude\/passthru\.json" <<'?EOF'?\n([\s\S]*?)\nEOF/g,
  ))
    found[scope] = parsed(body);
  for (const [, scope = '', name = ''] of block.matchAll(
    /place "\$(USER|PROJ)_ROOT\/\.claude\/passthru\.json" "([^"]+)"/g,
  ))
    found[scope] = parsed(readFileSync(join(checkout, 'tests/fixtures', name), 'utf8'));
  const { USER: user, PROJ: project } = found;
  return user === null || project === null ? null : { user, project };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
