/** Whether tests passed on what a commit would apply, and the command line that would run them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { classify } from '../../../core/decide/classify.ts';
import { parseShell } from '../../../core/decide/shell/parse.ts';
import { testLine, testRunOf } from '../../../core/decide/test-run.ts';
import { loadConfig } from '../../../core/session/config-file.ts';
import type { Env } from '../../../core/session/dirs.ts';
import { readBytes } from '../../../core/session/project.ts';
import type { CommitPreview } from '../../../shared/api/types.ts';
import { fromText } from '../../../shared/bytes.ts';
import { findTested, type Tested } from '../../../shared/log/tested.ts';
import { type ChangeCounts, sumCounts } from '../../../shared/model/change.ts';
import type { WatchedSession } from '../index/watched-session.ts';

interface Facts {
  session: WatchedSession;
  env: Env;
  projectRoot: string;
}

export function testedOf(
  { session, env, projectRoot }: Facts,
  all: ChangeCounts,
  preview: Pick<CommitPreview, 'counts'>,
): Tested {
  const { config } = loadConfig(env);
  const { testCommands } = config;
  const home = env['HOME'] ?? '/';
  const { fold } = session.log;
  const calls = fold.views();
  const found = findTested({
    calls,
    marks: fold.marks(),
    spans: fold.spans(),
    projectRoot,
    isTest: (command) => testRunOf(command, testCommands) !== null,
    onlyLooks: ({ command, cwd }) => {
      const { parts, plain } = classify(parseShell(command), { config, cwd, home });
      const looks = parts.every(
        (part) =>
          part.kind === 'reader' ||
          part.kind === 'companion' ||
          (part.kind === 'passthrough' && !part.writes),
      );
      return plain && parts.length > 0 && looks;
    },
  });
  const ran = calls.find(({ id }) => id === found.run?.call);
  const command = ran?.command ?? guess(projectRoot);
  const cwd = ran?.cwd || projectRoot;
  const line = command === null ? null : testLine({ session: session.id, cwd, command, testCommands });
  return { ...found, line, beside: Math.max(0, sumCounts(all) - sumCounts(preview.counts)) };
}

const LARGEST = 1024 * 1024;

function guess(root: string): string | null {
  const there = (name: string): boolean => existsSync(path.join(root, name));
  const read = (name: string): string => readBytes(fromText(path.join(root, name)), LARGEST) ?? '';
  if (/"test"\s*:/.test(read('package.json'))) {
    if (there('pnpm-lock.yaml')) return 'pnpm test';
    return there('yarn.lock') ? 'yarn test' : 'npm test';
  }
  if (there('Cargo.toml')) return 'cargo test';
  if (there('go.mod')) return 'go test ./...';
  if (['pytest.ini', 'pyproject.toml', 'tox.ini', 'conftest.py'].some(there)) return 'pytest';
  const target = /^(check|test)\s*:/m.exec(read('Makefile'))?.[1];
  return target === undefined ? null : `make ${target}`;
}
