/** The figures of one size as a table, with the targets of the product. */
import { median } from '../bench/timing.ts';
import { DIFIT, type DifitFigures } from './difit.ts';
import type { TraiFigures } from './trai.ts';

interface Line {
  what: string;
  ours: string;
  target: string;
  theirs: string;
  good: boolean;
}

/** Up to so many entries the first row of these counts, beyond it the second (product.md). */
const MANY = 50_000;
const TARGETS = [
  { paint: 1_500, server: 300 },
  { paint: 3_000, server: 500 },
] as const;

const ms = (value: number): string => `${Math.round(value)} ms`;

/** A Markdown table; `theirs` is a sentence where difit has no figures. */
export function report(entries: number, ours: TraiFigures, theirs: DifitFigures | string): string {
  const other = typeof theirs === 'string' ? null : theirs;
  const most = Math.max(...ours.keys);
  const targets = TARGETS[entries > MANY ? 1 : 0];
  const lines: Line[] = [
    {
      what: 'first paint of the list',
      ours: ms(ours.paint),
      target: `<= ${targets.paint} ms`,
      theirs: other === null ? '' : ms(other.paint),
      good: ours.paint <= targets.paint,
    },
    {
      what: 'load at a file’s address until its diff',
      ours: ms(ours.firstDiff),
      target: 'faster than difit',
      theirs: other === null ? '' : ms(other.paint),
      good: other === null || ours.firstDiff < other.paint,
    },
    {
      what: 'filter, key to paint (median, most)',
      ours: `${ms(median(ours.keys))}, ${ms(most)}`,
      target: '< 50 ms',
      theirs: '',
      good: median(ours.keys) < 50,
    },
    { what: 'open a diff', ours: ms(ours.open), target: '< 150 ms', theirs: '', good: ours.open < 150 },
    {
      what: 'scroll, frames over 50 ms (worst)',
      ours: scrolled(ours.scroll),
      target: '',
      theirs: other === null ? '' : scrolled(other.scroll),
      good: true,
    },
    {
      what: 'DOM nodes',
      ours: String(ours.nodes),
      target: '< 15000',
      theirs: other === null ? '' : String(other.nodes),
      good: ours.nodes < 15_000,
    },
    {
      what: 'heap',
      ours: `${ours.heapMb.toFixed(1)} MB`,
      target: '',
      theirs: other === null ? '' : `${other.heapMb.toFixed(1)} MB`,
      good: true,
    },
    {
      what: 'answer with the list',
      ours: `${(ours.listBytes / 1e6).toFixed(1)} MB`,
      target: '',
      theirs: '',
      good: true,
    },
    {
      what: 'server with this and the smaller lists (most)',
      ours: `${Math.round(ours.server.rss)} MB (${Math.round(ours.server.most)} MB)`,
      target: `<= ${targets.server} MB`,
      theirs: '',
      good: ours.server.rss <= targets.server,
    },
  ];
  const rows = lines.map((line) =>
    [line.what, line.ours, line.target, line.theirs, line.good ? 'good' : 'MISSED'].join(' | '),
  );
  const head = `\n## ${entries} pending entries\n${other === null ? `\n${DIFIT}: ${String(theirs)}\n` : ''}`;
  return `${head}\n| what | trai | target | ${DIFIT} | verdict |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}

function scrolled({ slow, frames, worst }: TraiFigures['scroll']): string {
  return `${slow} of ${frames} (${ms(worst)})`;
}
