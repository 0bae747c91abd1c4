/** Why entries and calls of a recording are as they are, and the end of its processes. */

import { ApiError } from '../../shared/api/api-error.ts';
import type { BytePath } from '../../shared/bytes.ts';
import type { CallView } from '../../shared/log/calls.ts';
import type { HostStat } from '../../shared/model/base-record.ts';
import type { ProcessKey } from '../../shared/model/process.ts';
import type { WhyCall, WhyPath, WhyWriter } from '../../shared/model/why.ts';
import { type FakeSession, side } from './make.ts';

/** A deletion may be of any of the last calls, all else is of one. */
export function fakeWhy(session: FakeSession, entry: string): WhyPath {
  const found = session.entries.get(entry);
  if (found === undefined) throw new ApiError('not-found', 'The entry is not pending any more.');
  const { change } = found;
  const calls = session.calls.filter((call) => change.by?.includes(call.id));
  const writers = calls.map((call) => writerOf(session, call));
  const from = writers[0]?.at ?? session.detail.createdAt;
  const to = writers.at(-1)?.at ?? from;
  const what = change.kind === 'deleted' ? 'deleted' : 'changed';
  const baseHost: HostStat | null =
    change.host === null
      ? null
      : { ...change.host, nlink: 1, dev: '1', ino: '1', mtimeNs: '0', ctimeNs: '1772445600000000000' };
  return {
    session: session.detail.id,
    path: change.path,
    change,
    notPending: null,
    below: 0,
    place: { path: session.detail.projectRoot, kind: 'covered', why: '' },
    base: change.host === null ? 'absent' : 'known',
    baseHost,
    host: change.host,
    upper: change.pending,
    writes: [{ what, from: what === 'deleted' ? from : to, to, writers }],
  };
}

/** A path that ends with `.stamp` is a file with a new modification time, any other one is untouched. */
export function fakeWhyNot({ detail }: FakeSession, path: BytePath): WhyPath {
  const file = side({ size: 312 });
  return {
    session: detail.id,
    path,
    change: null,
    below: 0,
    writes: [],
    notPending: path.endsWith('.stamp') ? 'time' : 'untouched',
    place: { path: detail.projectRoot, kind: 'covered', why: '' },
    base: 'none',
    baseHost: null,
    host: file,
    upper: path.endsWith('.stamp') ? file : null,
  };
}

function writerOf(session: FakeSession, { id, command, startedAt }: CallView): WhyWriter {
  return { call: id, session: session.detail.id, command, at: startedAt ?? '', by: 'command' };
}

export function fakeWhyCall(session: FakeSession, id: string): WhyCall {
  const call = session.calls.find((one) => one.id === id);
  if (call === undefined) throw new ApiError('not-found', 'There is no such call.');
  const { command, cwd, origin, mode, reason, text, requestedAt } = call;
  const program = command.split(/\s/)[0] ?? '';
  const host = mode === 'host';
  return {
    session: session.detail.id,
    call: id,
    command,
    cwd,
    origin,
    mode,
    reason,
    text,
    at: requestedAt,
    pending: mode === 'refuse' ? null : host ? 'yes' : 'unasked',
    config: mode === 'refuse' ? null : '',
    configChanged: false,
    parts: [
      host
        ? { program, kind: 'passthrough', why: 'is on the list "passthrough"; this use of it only reads' }
        : { program, kind: 'sandboxed', why: 'is on no list' },
    ],
    plain: true,
    permission: call.permission,
  };
}

export function fakeEnd(session: FakeSession, keys: readonly ProcessKey[]): { ended: number[] } {
  const { detail } = session;
  const ended = detail.processes.filter(({ pid, start }) =>
    keys.some((key) => key.pid === pid && key.start === start),
  );
  detail.processes = detail.processes.filter((process) => !ended.includes(process));
  detail.live = detail.processes.length > 0;
  return { ended: ended.map(({ pid }) => pid) };
}
