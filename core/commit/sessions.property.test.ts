/**
 * Several sessions in one project with random calls, commits, discards, undos and adoptions, whole and of
 * selections, while the host changes too. Each request changes just what it is about, on the host and in its
 * session; no other session is affected; and all content is on the host, pending or kept afterwards.
 *
 * `TRAI_SEED`, `TRAI_RUNS` = how many runs; a seed that finds something is kept in it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { TraiError } from '../../shared/errors.ts';
import { asRoot } from '../../testing/changes/changes.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { Pick } from '../../testing/commit/random-programs.ts';
import {
  type Committed,
  isPossible,
  type Moment,
  ORDERS,
  type Outcome,
  type Scene,
} from '../../testing/commit/session-orders.ts';
import { type Look, SharedProject, type Side } from '../../testing/commit/sessions.ts';
import { firstSeed, foundSeeds, runsOf } from '../../testing/runs.ts';

const SESSIONS = 3;
const STEPS = 30;
const RUNS = runsOf(2);
const SEED = firstSeed();
/** Seeds that once found something, with the number of kinds of operations that there were then. */
const FOUND = new Map([
  [1, 14],
  [5, 14],
  [822_595_660, 27],
  [884_387_973, 27],
  [215_445_929, 27],
  [508, 27],
  [510, 27],
  [523_006_195, 27],
  [785_264_452, 27],
  [168_310_427, 27],
  [144_267_843, 27],
  [1105, 27],
  [2230, 27],
  [2234, 27],
]);
const seeds = [...foundSeeds([...FOUND.keys()]), ...Array.from({ length: RUNS }, (_, i) => SEED + i)];

const KINDS = [
  ...['call', 'call', 'call', 'call', 'host', 'host', 'tidy', 'tidy'],
  ...['commit', 'commit', 'part', 'part', 'part', 'undo', 'undo', 'undo', 'redo', 'redo'],
  ...['discard', 'discardPart', 'discardPart', 'undoDiscard', 'undoDiscard', 'adopt'],
];

let project: SharedProject | undefined;
afterEach(() => {
  project?.t.remove();
  project = undefined;
});

class Story {
  readonly lines: string[] = [];
  readonly done = new Map<string, number>();
  readonly #project: SharedProject;
  readonly #pick: Pick;
  readonly #commits = new Map<string, Committed>();
  readonly #discards = new Map<string, Moment>();

  constructor(shared: SharedProject, seed: number) {
    this.#project = shared;
    this.#pick = new Pick(seed, { texts: 2 ** 30, kinds: FOUND.get(seed) });
    shared.hostWorks(this.#pick);
  }

  async next(): Promise<void> {
    const side = this.#pick.from(this.#project.sides);
    let kind = this.#pick.from(KINDS);
    while (!(await isPossible(kind, side))) kind = this.#pick.from(KINDS);
    const order = ORDERS[kind];
    if (order !== undefined) return await this.#order(kind, order, side);
    this.#tell(kind, kind === 'host' ? 'the host' : side.ctx.session);
    const host = this.#project.host();
    if (kind === 'host') this.#project.hostWorks(this.#pick);
    else await this.#project.call(side, this.#pick);
    if (kind === 'call') this.#expect('host', this.#project.host(), host, (path) => [host.get(path)]);
  }

  async #order(kind: string, order: (typeof ORDERS)[string], side: Side): Promise<void> {
    const shared = this.#project;
    const others = kind === 'adopt' ? [] : shared.sides.filter((one) => one !== side);
    const was = { host: shared.host(), view: shared.view(side) };
    const [contents, uppers] = [shared.contents(), shared.uppers(others)];
    this.#tell(kind, side.ctx.session);
    const scene = {
      project: shared,
      pick: this.#pick,
      was,
      commits: this.#commits,
      discards: this.#discards,
    };
    const { host, view, commit, trash, mayGo } = await this.#outcome(order, side, scene);
    const now = shared.host();
    this.#expect('host', now, was.host, host);
    this.#expect('view', shared.view(side), was.view, view);
    expect(shared.uppers(others), 'the uppers of the other sessions').toBe(uppers);
    const after = shared.contents();
    const lost = [...contents].filter((content) => !after.has(content) && mayGo?.has(content) !== true);
    expect(lost, 'contents that were there before, and are nowhere now').toEqual([]);
    if (commit !== undefined)
      this.#commits.set(`${side.ctx.session} ${commit}`, {
        before: was.host,
        after: now,
        undone: new Set(),
      });
    if (trash !== undefined) this.#discards.set(trash, was);
  }

  async #outcome(order: (typeof ORDERS)[string], side: Side, scene: Scene): Promise<Outcome> {
    const { host, view } = scene.was;
    const nothing: Outcome = { host: (path) => [host.get(path)], view: (path) => [view.get(path)] };
    try {
      const outcome = await order(side, scene);
      if (outcome === null) this.#tell('none', 'that was nothing to do');
      return outcome ?? nothing;
    } catch (error) {
      if (!(error instanceof TraiError)) throw error;
      this.#tell(error.code, `refused: ${error.message}`);
      return nothing;
    }
  }

  #tell(kind: string, text: string): void {
    this.lines.push(`${kind} ${text}`);
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
  }

  #expect(what: string, now: Look, was: Look, may: Outcome['host']): void {
    const other = [...new Set([...was.keys(), ...now.keys()])].filter(
      (path) => !may(path).includes(now.get(path)),
    );
    const shown = other.map(
      (path) => `${what}: ${now.get(path)}, was ${was.get(path)}, may be ${may(path).join(' or ')}`,
    );
    expect(shown, this.#project.programOf(other[0] ?? '')).toEqual([]);
  }
}

describe.runIf(hasPython)(
  `sessions side by side, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  () => {
    it.each(seeds)(
      'lose nothing of the host and nothing of each other (seed %d)',
      async (seed) => {
        project = new SharedProject(SESSIONS);
        const story = new Story(project, seed);
        try {
          for (let step = 0; step < STEPS; step++) await story.next();
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new Error(`TRAI_SEED=${seed} TRAI_RUNS=1\n${story.lines.join('\n')}\n${why}`, {
            cause: error,
          });
        }
        console.log(`seed ${seed}: ${[...story.done].map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
      },
      600_000,
    );
  },
);
