const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `1h`, `7d`, `today` or an ISO time, as an ISO time in UTC; null for anything else. */
export function sinceTime(text: string, now = new Date()): string | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0)).toISOString();
  if (text === 'today') return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
