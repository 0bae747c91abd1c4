/** The boxes of all projects: `trai box --list`, `trai box --gc`, and their part of `trai gc`. */
import { join } from 'node:path';
import { removeTrashed, type TrashedInstance, trashedInstances } from '../../core/box/instance.ts';
import { sizeOnDisk } from '../../core/commit/retention/disk-use.ts';
import { type BoxPlace, collectInstances, sizedInstances } from '../../core/jobs/boxes.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { fromText } from '../../shared/bytes.ts';
import type { TakenInstance } from '../../shared/model/box.ts';
import { boxGcText, instancesText, PROJECT_IS_GONE } from '../../shared/terminal/box.ts';
import type { Cli } from '../context/world.ts';
import { onlyUserRemoves } from '../messages/errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const placeOf = ({ state, env }: Cli): BoxPlace => ({ stateDir: state, env });

export async function listBoxes(cli: Cli): Promise<number> {
  const { instances } = await sizedInstances(placeOf(cli));
  const lines = instances.map(({ state, why, sessions: _, ...one }) => ({
    ...one,
    note: state === 'gone' ? PROJECT_IS_GONE : why,
  }));
  cli.print(instancesText(lines, cli.style), { boxes: lines });
  return 0;
}

export interface BoxGarbage {
  /** Their project is gone. */
  gone: Omit<TakenInstance, 'at'>[];
  /** In the trash for longer than what is discarded stays there. */
  old: (TrashedInstance & { bytes: number })[];
}

export async function boxGarbage(cli: Cli): Promise<BoxGarbage> {
  const { keepDays } = loadConfig(cli.env).config.undo;
  const { taken } = await collectInstances(placeOf(cli), { ids: null, dry: true });
  const garbage: BoxGarbage = { gone: taken.map(({ at: _, ...one }) => one), old: [] };
  for (const one of trashedInstances(cli.state)) {
    if (Date.now() - one.at < keepDays * DAY_MS) continue;
    garbage.old.push({ ...one, bytes: await sizeOnDisk(fromText(join(cli.state, 'trash', one.name))) });
  }
  return garbage;
}

/** The former go to the trash, the latter for good. */
export async function collectBoxes(cli: Cli, { gone, old }: BoxGarbage): Promise<void> {
  if (gone.length > 0) await collectInstances(placeOf(cli), { ids: gone.map(({ id }) => id), dry: false });
  for (const one of old) removeTrashed(cli.state, one);
}

export async function gcBoxes(cli: Cli, dry: boolean): Promise<number> {
  if (!dry) {
    const { kind, found } = callerOf(process.pid, cli.state);
    if (kind !== 'user') throw onlyUserRemoves(found);
  }
  const report = { ...(await collectInstances(placeOf(cli), { ids: null, dry })), dry };
  cli.print(boxGcText(report), report);
  return 0;
}
