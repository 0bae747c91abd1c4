/** From the command to the first line of a diff, each time with a new server and a new browser, beside difit. */
import { growthOf, type Result, type Row } from '../bench/table.ts';
import { withBrowser } from './browser.ts';
import { type ChangeSet, onlyModified } from './changes.ts';
import { DIFIT_LIMITS, type Difit, makeRepository, measureDifit } from './difit.ts';
import type { TraiBench } from './trai.ts';

interface Cold {
  command: number[];
  ours: number[];
  theirs: number[];
  /** Why difit has no figures; it is not asked again then. */
  gaveUp: string | null;
}

interface Parts {
  /** Ascending. */
  sizes: readonly number[];
  rounds: number;
  makeSession: (session: string, changes: ChangeSet) => Promise<TraiBench>;
  difit: Difit | null;
}

/** Both in turn. The files are modified ones: the commonest large change set, and the one that costs both most. */
export async function benchCold({ sizes, rounds, makeSession, difit }: Parts): Promise<Result[]> {
  const found = new Map<number, Cold>();
  for (const size of sizes) {
    console.error(`bench:web: cold starts, ${size} modified files ...`);
    const trai = await makeSession(`cold${size}`, onlyModified(size));
    const repository = difit === null ? '' : makeRepository(onlyModified(size));
    const cold: Cold = { command: [], ours: [], theirs: [], gaveUp: null };
    for (let round = 0; round < rounds; round++) {
      const { command, firstLine } = await withBrowser((browser) => trai.coldStart(browser));
      cold.command.push(command);
      cold.ours.push(firstLine);
      if (difit !== null && cold.gaveUp === null) await theirs(difit, repository, cold);
    }
    found.set(size, cold);
  }
  return [
    ...sizes.flatMap((size) => rowsOf(size, found.get(size), difit)),
    ...growthOf('cold start', sizes, (size) => found.get(size)?.ours ?? []),
  ];
}

async function theirs({ program }: Difit, repository: string, cold: Cold): Promise<void> {
  try {
    const measure = await withBrowser((browser) => measureDifit(program, browser, repository), DIFIT_LIMITS);
    cold.theirs.push(measure.firstLine);
  } catch (error) {
    cold.gaveUp = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

function rowsOf(size: number, cold: Cold | undefined, difit: Difit | null): Result[] {
  if (cold === undefined) return [];
  const { command, ours, theirs, gaveUp } = cold;
  const peer: Row['peer'] =
    difit === null || theirs.length === 0 ? null : { name: difit.name, values: theirs, atMost: 1 / 2 };
  const what = `cold start to the first line of a diff, ${size} modified files`;
  return [
    { what, values: ours, unit: 'ms', target: null, peer },
    { what: 'of it the command', values: command, unit: 'ms', target: 400, peer: null },
    ...(gaveUp === null ? [] : [{ what: `${difit?.name}, ${size}`, note: `gave up: ${gaveUp}` }]),
  ];
}
