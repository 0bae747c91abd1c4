/** What boxes keep, of all projects and of one session: for the terminal, `trai gc` and the dashboard. */
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fromText } from '../../shared/bytes.ts';
import { isObject } from '../../shared/json-lines.ts';
import {
  type BoxInstance,
  type BoxNetwork,
  type BoxRecord,
  type InstanceGc,
  type InstanceList,
  NO_BOX,
  type SessionBox,
  type SizedInstance,
} from '../../shared/model/box.ts';
import { parseEntry } from '../../shared/network/pattern.ts';
import {
  boxesDir,
  instanceDir,
  isBoxRunning,
  lastUsed,
  listInstances,
  trashInstance,
} from '../box/instance.ts';
import { STAYS } from '../box/messages/errors.ts';
import { readBoxHosts } from '../box/network/network-log.ts';
import { readNetworkRecord } from '../box/network/network-record.ts';
import { sizeOnDisk } from '../commit/retention/disk-use.ts';
import { orNull } from '../kernel/fs/port.ts';
import { readPlainJson, tryWriteWhole } from '../kernel/fs/state-file.ts';
import { knownBoxRecord } from '../sandbox/box-record.ts';
import { sessionContext } from '../sandbox/context.ts';
import { hasPending } from '../scan/scan.ts';
import { loadConfig } from '../session/config-file.ts';
import { readFold } from '../session/log/read.ts';
import { readMeta } from '../session/meta-file.ts';
import { listSessions } from '../session/store.ts';
import { clientProcesses } from './client-processes.ts';

export interface BoxPlace {
  stateDir: string;
  env: NodeJS.ProcessEnv;
}

/** By id, without their sizes. */
export async function instancesAt({ stateDir, env }: BoxPlace): Promise<BoxInstance[]> {
  return await listInstances(stateDir, {
    ...(await listSessions(stateDir)),
    // Only asked about projects that are gone.
    hasPending: async (session) => await hasPending(await sessionContext(stateDir, session, env)),
  });
}

/** By id. */
export async function sizedInstances(at: BoxPlace): Promise<InstanceList> {
  const instances: SizedInstance[] = [];
  for (const one of await instancesAt(at)) instances.push(await sized(at.stateDir, one));
  return { instances, dir: boxesDir(at.stateDir) };
}

async function sized(stateDir: string, one: BoxInstance): Promise<SizedInstance> {
  return { ...one, bytes: await instanceSize(instanceDir(stateDir, one.id), one.running) };
}

interface GcRequest {
  /** Only these; null: all. */
  ids: readonly string[] | null;
  dry: boolean;
}

/**
 * Moves instances to the trash whose project is gone. Names in `left` what of the request stays, or, without ids, what
 * cannot be told.
 */
export async function collectInstances(at: BoxPlace, { ids, dry }: GcRequest): Promise<InstanceGc> {
  const { stateDir } = at;
  const wanted = ids === null ? null : new Set(ids);
  const report: InstanceGc = { taken: [], left: [], dir: boxesDir(stateDir) };
  for (const one of await instancesAt(at)) {
    const isNamed = wanted?.delete(one.id) ?? false;
    const { id, root, state, why } = one;
    if (wanted !== null && !isNamed) continue;
    if (state === 'gone' && root !== null) {
      const moved = dry ? '' : await trashInstance(stateDir, id, Date.now());
      report.taken.push({ id, root, bytes: 0, at: moved });
    } else if (state === 'unsure') report.left.push({ id, why });
    else if (isNamed) report.left.push({ id, why: STAYS.used });
  }
  for (const id of wanted ?? []) report.left.push({ id, why: STAYS.away });
  // Counted in the trash, and when all are there: a walk between the check and a rename would let a box begin.
  for (const one of report.taken)
    one.bytes = await instanceSize(dry ? instanceDir(stateDir, one.id) : one.at, false);
  return report;
}

/** Of the session's newest client. Without a record nothing but `everBoxed` is said. */
export async function sessionBox({
  session,
  stateDir,
  env,
}: BoxPlace & { session: string }): Promise<SessionBox> {
  const ctx = await sessionContext(stateDir, session, env);
  const { sessionDir } = ctx;
  const record = knownBoxRecord(sessionDir);
  const { levels = [] } = await readMeta(sessionDir);
  const everBoxed = levels.includes('box');
  if (record === null) return { ...NO_BOX, everBoxed };
  const running = isBoxRunning(stateDir, session);
  const start = (await readFold(sessionDir)).views().findLast(({ origin }) => origin === 'client');
  return {
    record,
    everBoxed,
    running,
    startedAt: start?.startedAt ?? '',
    endedAt: running ? '' : (start?.endedAt ?? ''),
    call: start === undefined ? null : { id: start.id, command: start.command },
    processes: await clientProcesses(ctx),
    instance: await instanceOf(record, running),
    hosts: record.net === 'list' ? readBoxHosts(sessionDir) : null,
    network: record.net === 'list' ? networkNow(env, sessionDir) : null,
  };
}

function networkNow(env: BoxPlace['env'], sessionDir: string): BoxNetwork {
  const { allow, deny } = loadConfig(env).config.box.network;
  const own = readNetworkRecord(sessionDir);
  const entries = [...new Set([...allow, ...(own?.allow ?? [])])];
  return {
    allow: entries.map((entry) => ({ entry, hosts: parseEntry(entry)?.length ?? 0 })),
    deny: [...new Set([...deny, ...(own?.deny ?? [])])],
  };
}

async function instanceOf({ instance }: BoxRecord, running: boolean): Promise<SessionBox['instance']> {
  if (!isOwnDir(instance)) return null;
  return { id: basename(instance), bytes: await instanceSize(instance, running) };
}

/** `size.json` of an instance. */
interface KeptSize {
  v: 1;
  /** When it was last used (ms). */
  used: number;
  /** When it was counted (ms), and whether a box ran then. */
  at: number;
  running: boolean;
  bytes: number;
}

/** How long a count is valid while a box runs, and for what somebody else removes (ms). */
const RUNNING_MS = 60_000;
const QUIET_MS = 24 * 60 * 60 * 1000;

/** Bytes on disk, from `size.json` if no box can have changed them: a cache of packages has 100,000 files. */
export async function instanceSize(instance: string, running: boolean): Promise<number> {
  // The name may be a link's, which leads anywhere.
  if (!isOwnDir(instance)) return await sizeOnDisk(fromText(instance));
  const file = join(instance, 'size.json');
  const used = lastUsed(instance) ?? 0;
  const kept: unknown = orNull(() => readPlainJson(file));
  if (isValid(kept, used, running)) return kept.bytes;
  const at = Date.now();
  const bytes = await sizeOnDisk(fromText(instance));
  // Best effort: if it fails, the next one counts again.
  tryWriteWhole(file, JSON.stringify({ v: 1, used, at, running, bytes } satisfies KeptSize));
  return bytes;
}

function isOwnDir(path: string): boolean {
  const stat = orNull(() => lstatSync(path));
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

function isValid(kept: unknown, used: number, running: boolean): kept is KeptSize {
  if (!isObject(kept) || kept['v'] !== 1 || kept['used'] !== used || kept['running'] !== running)
    return false;
  const { at, bytes } = kept;
  if (typeof at !== 'number' || typeof bytes !== 'number') return false;
  const age = Date.now() - at;
  return age >= 0 && age < (running ? RUNNING_MS : QUIET_MS);
}
