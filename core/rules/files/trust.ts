/**
 * Which content of a project's rule files the user has trusted: allow rules that come with a repository count only then.
 * `<state>/trust.json`: `{"v": 1, "trusted": [{"project", "hash", "at"}]}`, the newest last.
 */
import { mkdirSync } from 'node:fs';
import { isObject } from '../../../shared/json-lines.ts';
import { readPlainJson, replaceFile, writing } from '../../kernel/fs/state-file.ts';

export interface Trusted {
  /** Project.id of core/session/project.ts. */
  project: string;
  /** SHA-256 of the file's content. */
  hash: string;
  at: string;
}

/** What nobody looks for any more is dropped. */
const MOST = 1_000;

/** Empty where the file is missing or damaged: nothing is trusted then. */
export function readTrusted(stateDir: string): Trusted[] {
  const value = readPlainJson(`${stateDir}/trust.json`);
  const list: unknown = isObject(value) && value['v'] === 1 ? value['trusted'] : null;
  return Array.isArray(list) ? list.filter(isTrusted) : [];
}

function isTrusted(value: unknown): value is Trusted {
  if (!isObject(value)) return false;
  return ['project', 'hash', 'at'].every((key) => typeof value[key] === 'string');
}

/** The caller holds the lock of the rules. Errors: `io`. */
export async function trustContent(
  stateDir: string,
  project: string,
  hashes: readonly string[],
): Promise<void> {
  const others = readTrusted(stateDir).filter((one) => one.project !== project || !hashes.includes(one.hash));
  const at = new Date().toISOString();
  const trusted = [...others, ...hashes.map((hash): Trusted => ({ project, hash, at }))].slice(-MOST);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const file = `${stateDir}/trust.json`;
  await writing(file, () => replaceFile(file, `${JSON.stringify({ v: 1, trusted })}\n`));
}
