/** Several sessions of one project side by side, with snapshots of host, views and everything retained. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dropCommitted } from '../../core/commit/apply/cleanup.ts';
import { recordBases } from '../../core/overlay/bases.ts';
import type { QuietSession } from '../../core/sandbox/lock.ts';
import { reap } from '../../core/scan/reap.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { beside, type TestSession, testSession } from '../changes/changes.ts';
import { byPath, SNAPSHOT, snapshot } from './commit.ts';
import { PLAIN, PLAIN_PYTHON, PYTHON, runPython } from './python.ts';
import { type Operation, type Pick, RUNNER } from './random-programs.ts';

/** Programs side by side, each in a directory of its own. */
const SIDE_BY_SIDE = 8;
const PLACE = 9;

/**
 * Hashes of every content (files, link targets) below the given directories. Without copies kept for merges,
 * where no user would look for a lost file, and the note of an adoption, which the next one replaces.
 */
const CONTENTS = `
import hashlib, os, stat, sys
found = set()
def walk(p):
    for n in os.listdir(p):
        if n in (b'blobs', b'w') and os.path.basename(p) != b'u': continue
        q = p + b'/' + n; s = os.lstat(q)
        if stat.S_ISDIR(s.st_mode): walk(q)
        elif stat.S_ISLNK(s.st_mode): found.add('link ' + repr(os.readlink(q)))
        elif stat.S_ISREG(s.st_mode) and not n.endswith((b'.jsonl', b'.json', b'.adopted', b'.base-pass', b'.base-looks')):
            found.add('file ' + hashlib.sha256(open(q, 'rb').read()).hexdigest()[:12])
for p in sys.argv[1:]: walk(os.fsencode(p))
print('\\n'.join(sorted(found)))
`;

export type Look = ReadonlyMap<string, string>;

/** A session of the project. */
export interface Side {
  ctx: QuietSession;
  /** Start of the first call since the last base pass. */
  earliestCall: number | null;
}

export class SharedProject {
  readonly t: TestSession;
  readonly sides: Side[];
  readonly #files: string;
  #programs: Record<string, readonly Operation[]> = {};

  constructor(count: number) {
    const t = testSession();
    this.t = t;
    this.sides = Array.from({ length: count }, (_, i) => ({
      ctx: i === 0 ? t.ctx : beside(t, `s${i + 1}`, PLACE),
      earliestCall: null,
    }));
    for (const { ctx } of this.sides)
      writeFileSync(`${ctx.sessionDir}/overlay/places.json`, JSON.stringify([[t.host, PLACE]]));
    this.#files = `${t.host}/../files`;
    mkdirSync(this.#files);
    for (const [name, text] of Object.entries({ run: RUNNER, look: SNAPSHOT }))
      writeFileSync(`${this.#files}/${name}.py`, text);
  }

  /** Runs a random program in some of the directories, on the host. */
  hostWorks(pick: Pick): void {
    this.#make(pick);
    execFileSync(PYTHON, [...PLAIN, `${this.#files}/run.py`, `${this.#files}/programs.json`], {
      cwd: this.t.host,
      stdio: 'pipe',
    });
  }

  /** The same as a call of a session; sometimes the server tidies up only after the next call. */
  async call(side: Side, pick: Pick): Promise<void> {
    this.#make(pick);
    const began = Date.now();
    side.earliestCall ??= began;
    const line = { v: 1, t: 'call.started', at: new Date(began).toISOString(), mode: 'sandbox' };
    appendFileSync(`${side.ctx.sessionDir}/calls.jsonl`, `${JSON.stringify(line)}\n`);
    this.#inside(side, `${PLAIN_PYTHON} '${this.#files}/run.py' '${this.#files}/programs.json'`);
    if (pick.of(5) > 0) await this.pass(side);
  }

  /** The server's work after a call of a quiet session. */
  async tidy(side: Side): Promise<void> {
    await this.pass(side);
    await dropCommitted(side.ctx);
    await reap(side.ctx);
  }

  async pass(side: Side): Promise<void> {
    const { earliestCall } = side;
    await recordBases(side.ctx, earliestCall === null ? {} : { earliestCall });
    side.earliestCall = null;
  }

  host(): Look {
    return byPath(snapshot(this.t.host));
  }

  view({ ctx }: Side): Look {
    const file = `${this.#files}/view-${ctx.session}.txt`;
    this.#inside({ ctx, earliestCall: null }, `${PLAIN_PYTHON} '${this.#files}/look.py' > '${file}'`);
    return byPath(readFileSync(file, 'utf8'));
  }

  /** What the uppers of the sessions hold. */
  uppers(sides: readonly Side[]): string {
    return sides.map(({ ctx }) => snapshot(`${ctx.sessionDir}/overlay/${PLACE}/u`)).join('\n');
  }

  /** Every content on the host, pending, or retained. */
  contents(): Set<string> {
    const { host, ctx } = this.t;
    return new Set(runPython(CONTENTS, '/', host, ctx.stateDir).trim().split('\n'));
  }

  /** A path as snapshots name it. */
  nameOf(path: BytePath): string {
    const bare = path === this.t.host ? '.' : `.${path.slice(this.t.host.length)}`;
    const shown = [...bare].map((one) => {
      if (one === '\n') return '\\n';
      return one < ' ' || one > '~' ? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}` : one;
    });
    return `b'${shown.join('')}'`;
  }

  /** The last programs in the directory of a path. */
  programOf(path: string): string {
    return JSON.stringify(this.#programs[/program\d+/.exec(path)?.[0] ?? ''] ?? []);
  }

  #make(pick: Pick): void {
    const names = Array.from({ length: SIDE_BY_SIDE }, (_, i) => `program${i}`);
    const some = names.filter(() => pick.of(2) === 0);
    this.#programs = Object.fromEntries(some.map((name) => [name, pick.program()]));
    writeFileSync(`${this.#files}/programs.json`, JSON.stringify(this.#programs));
  }

  #inside({ ctx }: Side, lines: string): void {
    this.t.inOverlay(`${ctx.sessionDir}/overlay`, PLACE, lines);
  }
}
