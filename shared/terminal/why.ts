import { toDisplay } from '../bytes.ts';
import { localText, modeText, sizeText } from '../format.ts';
import { CONFLICT_REASONS, type Side } from '../model/change.ts';
import { REASONS } from '../model/decision.ts';
import type { Permission } from '../model/rule.ts';
import {
  concludeWhy,
  NOT_PENDING,
  PLACE_WORDS,
  type WhyCall,
  type WhyPath,
  type WhyPlace,
  type WhyWrite,
  type WhyWriter,
  WRITE_WORDS,
} from '../model/why.ts';
import { oneLine, permissionText } from './calls.ts';
import { countText, type Style } from './text.ts';

const KINDS = {
  'added': 'pending: added',
  'modified': 'pending: modified',
  'deleted': 'pending: deleted',
  'replaced': 'pending: replaced by another type',
  'dir-replaced': 'pending: a directory that was deleted and recreated',
  'meta': 'pending: mode or owner changed',
} as const;

const BASES = {
  known: 'copied from the host’s entry',
  absent: 'the host had no entry of that name',
  unknown: 'unknown: the host changed it at about the time of the copy',
  none: 'not recorded',
} as const;

export function whyText(why: WhyPath, style: Style): string {
  const lines = [style.bold(toDisplay(why.path))];
  const add = (name: string, text: string): void => void lines.push(`  ${style.dim(name.padEnd(9))} ${text}`);
  add('state', stateOf(why));
  if (why.below > 0)
    add('below', `${countText(why.below, 'pending change')}: trai diff --list ${toDisplay(why.path)}`);
  if (why.times !== undefined) add('times', timesBelow(why.times));
  const { change } = why;
  if (change !== null && change.conflict !== null)
    add('conflict', style.red(CONFLICT_REASONS[change.conflict]));
  if (change !== null && change.ignored !== null)
    add(
      'ignored',
      `by the rule ${JSON.stringify(change.ignored)}: a commit leaves it out without --include-ignored`,
    );
  if (change !== null && change.group !== null)
    add('group', `committed as one with all of ${change.group.replace(/^[a-z]+:/, '')}`);
  for (const write of why.writes) lines.push(...writeLines(write, why.session, style));
  add('host', sideText(why.host));
  if (change !== null) add('sandbox', sideText(change.pending));
  if (change !== null || why.base !== 'none') add('base', baseText(why));
  add('overlay', placeText(why.place));
  return lines.join('\n');
}

function timesBelow(times: number): string {
  return times === 1
    ? 'only the modification time of 1 file below it differs: a commit of it takes that along'
    : `only the modification times of ${times} files below it differ: a commit of it takes them along`;
}

function stateOf({ change, notPending }: WhyPath): string {
  if (change !== null) return KINDS[change.kind];
  return `not pending: ${notPending === null ? 'reason unknown' : NOT_PENDING[notPending]}`;
}

function writeLines(write: WhyWrite, session: string, style: Style): string[] {
  const when =
    write.from === write.to
      ? `at ${localText(write.to)}`
      : `between ${localText(write.from)} and ${localText(write.to)}`;
  const many = write.writers.length > 1 ? `, by one of ${write.writers.length} calls that ran then` : '';
  const none = write.writers.length === 0 ? ', when no known call was running' : '';
  const head = `  ${WRITE_WORDS[write.what]} ${when}${write.writers.length === 1 ? ' by' : `${many}${none}`}`;
  return [head, ...write.writers.map((writer) => writerLine(writer, session, style))];
}

function writerLine({ call, session, command, by }: WhyWriter, own: string, style: Style): string {
  const left = by === 'process' ? ', by a process that it left' : '';
  const where = session === own ? '' : ` of session ${session}`;
  return `    ${oneLine(command)} ${style.dim(`(call ${call}${where}${left})`)}`;
}

function sideText(side: Side | null): string {
  if (side === null) return 'no entry';
  const more = side.type === 'file' ? `, ${sizeText(side.size)}` : '';
  const target = side.target === undefined ? '' : ` -> ${toDisplay(side.target)}`;
  return `${side.type}${more}, mode ${modeText(side.mode)}, owner ${side.uid}:${side.gid}${target}`;
}

function baseText({ base, baseHost }: WhyPath): string {
  if (baseHost === null) return BASES[base];
  const changed = new Date(Number(BigInt(baseHost.ctimeNs) / 1_000_000n)).toISOString();
  return `${sideText(baseHost)}, last changed ${localText(changed)}`;
}

function placeText({ path, kind, why }: WhyPlace): string {
  if (kind === 'none') return PLACE_WORDS[kind];
  return `${PLACE_WORDS[kind]} ${toDisplay(path)}${why === '' ? '' : ` (${why})`}`;
}

const MODES = { sandbox: 'ran in the sandbox', host: 'ran on the host', refuse: 'was refused' } as const;
const PENDING = {
  yes: 'something was pending then',
  no: 'nothing was pending then',
  unasked: 'not checked: the decision does not depend on it',
} as const;

export function whyCallText(why: WhyCall, style: Style): string {
  const lines = [style.bold(oneLine(why.command))];
  const add = (name: string, text: string): void => void lines.push(`  ${style.dim(name.padEnd(8))} ${text}`);
  const mode = why.mode === null ? 'not recorded' : MODES[why.mode];
  add(
    'call',
    `${why.call} of session ${why.session}, ${why.origin}${why.at === null ? '' : `, ${localText(why.at)}`}`,
  );
  // The reason `default` would repeat it; `concludeWhy` says more.
  const isDefault = why.mode === 'sandbox' && why.reason === 'default';
  add('decided', why.reason === null || isDefault ? mode : `${mode}: ${REASONS[why.reason]}`);
  const more = concludeWhy(why);
  if (more !== '') add('', more);
  if (why.text !== '') add('said', why.text.replaceAll('\n', '\n           '));
  if (why.permission !== null) add('rule', decidedText(why.permission));
  add('pending', why.pending === null ? 'not recorded' : PENDING[why.pending]);
  add('config', configText(why));
  if (!why.plain) add('text', 'a part of it was not understood with certainty');
  for (const part of why.parts)
    add('part', `${part.program === '' ? '(no name)' : oneLine(part.program)} ${part.why}`);
  return lines.join('\n');
}

/** A rule's own sentence would repeat it; what trai itself said stands above. */
function decidedText(permission: Permission): string {
  const { by, why } = permission;
  const text = permissionText(permission);
  return by === 'rule' || by === 'trai' || why === '' ? text : `${text}: ${why}`;
}

function configText({ config, configChanged }: WhyCall): string {
  if (config === null) return 'not recorded';
  const file = config === '' ? 'the defaults' : config;
  return configChanged ? `${file} (changed since: the parts below use the present one)` : file;
}
