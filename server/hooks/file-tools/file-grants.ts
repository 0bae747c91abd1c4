import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sessionDir } from '../../../core/session/dirs.ts';
import { hasGrant, openGrant, permitText, takeGrant } from '../../../core/session/grants.ts';
import type { Grants } from '../world/world.ts';

/** Grants on disk (core/session/grants.ts), where bin/trai finds them too. */
export class FileGrants implements Grants {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  async openPermit(session: string, name: string, args: string): Promise<void> {
    await openGrant(this.#dir(session), { kind: 'permit', what: args === '' ? name : `${name} ${args}` });
  }

  async hasPermit(session: string, what: string): Promise<boolean> {
    return await hasGrant(this.#dir(session), 'permit', what);
  }

  async typed(session: string, name: string): Promise<string | null> {
    return await permitText(this.#dir(session), name);
  }

  async usePermit(session: string, what: string): Promise<boolean> {
    return await takeGrant(this.#dir(session), 'permit', what);
  }

  async hasPassthrough(session: string): Promise<boolean> {
    return await hasGrant(this.#dir(session), 'passthrough');
  }

  async usePassthrough(session: string): Promise<boolean> {
    return await takeGrant(this.#dir(session), 'passthrough');
  }

  /**
   * Ends the passthroughs that were open at the prompt before this one already: opened between two prompts, one is
   * meant for what the next prompt makes the agent do, and for nothing after that.
   */
  async expireAtPrompt(session: string): Promise<void> {
    const dir = path.join(this.#dir(session), 'grants');
    const seenFile = path.join(this.#dir(session), 'seen-passthrough');
    const seen = readOrEmpty(seenFile).split('\n');
    const open = listOrEmpty(dir).filter((name) => name.startsWith('passthrough.'));
    for (const name of open) if (seen.includes(name)) rmSync(path.join(dir, name), { force: true });
    const left = open.filter((name) => !seen.includes(name));
    if (left.length === 0) rmSync(seenFile, { force: true });
    else writeFileSync(seenFile, left.join('\n'), { mode: 0o600 });
  }

  #dir(session: string): string {
    return sessionDir(this.#stateDir, session);
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listOrEmpty(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
