/** The boxes of all projects: `trai box --list`, `trai box --gc`, and their part of `trai gc`. */
import { join } from 'node:path';
import {
  type Instance,
  instanceDir,
  listInstances,
  removeTrashed,
  type TrashedInstance,
  trashedInstances,
  trashInstance,
} from '../../core/box/instance.ts';
import { sizeOnDisk } from '../../core/commit/retention/disk-use.ts';
import { contextsOf } from '../../core/jobs/disk.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { hasPending } from '../../core/scan/scan.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { listSessions } from '../../core/session/store.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { boxGcText, instancesText, PROJECT_IS_GONE } from '../../shared/terminal/box.ts';
import type { Cli } from '../context/world.ts';
import { onlyUserRemoves } from '../messages/errors.ts';

async function instancesOf(cli: Cli): Promise<Instance[]> {
  const { sessions } = await contextsOf(cli.state, cli.env);
  const contexts = new Map(sessions.map(({ ctx }) => [ctx.session, ctx]));
  return await listInstances(cli.state, {
    ...(await listSessions(cli.state)),
    hasPending: async (session) => {
      const ctx = contexts.get(session);
      return ctx === undefined ? true : await hasPending(ctx);
    },
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

const sizeOf = async (cli: Cli, id: string): Promise<number> =>
  await sizeOnDisk(fromText(instanceDir(cli.state, id)));

export async function listBoxes(cli: Cli): Promise<number> {
  const found = await instancesOf(cli);
  const lines = [];
  for (const { id, root, lastUse, running, state, why } of found) {
    const note = state === 'gone' ? PROJECT_IS_GONE : why;
    lines.push({ id, root, bytes: await sizeOf(cli, id), lastUse, running, note });
  }
  cli.print(instancesText(lines, cli.style), { boxes: lines });
  return 0;
}

interface GoneBox {
  id: string;
  root: BytePath;
  bytes: number;
}

export interface BoxGarbage {
  /** Their project is gone. */
  gone: GoneBox[];
  /** In the trash for longer than what is discarded stays there. */
  old: (TrashedInstance & { bytes: number })[];
}

export async function boxGarbage(cli: Cli): Promise<BoxGarbage> {
  const { keepDays } = loadConfig(cli.env).config.undo;
  const garbage: BoxGarbage = { gone: await goneAmong(cli, await instancesOf(cli)), old: [] };
  for (const one of trashedInstances(cli.state)) {
    if (Date.now() - one.at < keepDays * DAY_MS) continue;
    garbage.old.push({ ...one, bytes: await sizeOnDisk(fromText(join(cli.state, 'trash', one.name))) });
  }
  return garbage;
}

async function goneAmong(cli: Cli, instances: readonly Instance[]): Promise<GoneBox[]> {
  const gone: GoneBox[] = [];
  for (const { id, root, state } of instances)
    if (state === 'gone' && root !== null) gone.push({ id, root, bytes: await sizeOf(cli, id) });
  return gone;
}

/** The former go to the trash, the latter for good. */
export async function collectBoxes(cli: Cli, { gone, old }: BoxGarbage): Promise<void> {
  for (const { id } of gone) await trashInstance(cli.state, id, Date.now());
  for (const one of old) removeTrashed(cli.state, one);
}

export async function gcBoxes(cli: Cli, dry: boolean): Promise<number> {
  if (!dry) {
    const { kind, found } = callerOf(process.pid, cli.state);
    if (kind !== 'user') throw onlyUserRemoves(found);
  }
  const found = await instancesOf(cli);
  const taken = [];
  for (const { id, root, bytes } of await goneAmong(cli, found))
    taken.push({ id, root, bytes, at: dry ? '' : await trashInstance(cli.state, id, Date.now()) });
  const left = found.filter(({ state }) => state === 'unsure').map(({ id, why }) => ({ id, why }));
  const report = { taken, left, dry, dir: join(cli.state, 'box') };
  cli.print(boxGcText(report), report);
  return 0;
}
