/** `1h`, `7d`, `today` or an ISO time, as an ISO time in UTC. */
import { badUsage, type Command } from '../../context/command.ts';
import { USAGE } from '../../messages/errors.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Errors: `bad-usage`. */
export function sinceOf(command: Command, text: string, now = new Date()): string {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0)).toISOString();
  if (text === 'today') return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw badUsage(command, USAGE.noTime(text));
  return new Date(time).toISOString();
}
