/** The figures of one size as a table, with the targets of the product. */
import { median } from '../bench/timing.ts';
import type { DifitFigures } from './difit.ts';
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
  { list: 1_500, server: 300 },
  { list: 3_000, server: 500 },
] as const;

const ms = (value: number): string => `${Math.round(value)} ms`;

interface Measured {
  entries: number;
  ours: TraiFigures;
  /** A sentence where difit has no figures. */
  theirs: DifitFigures | string;
  /** difit and its version. */
  peer: string;
}

/** A Markdown table. */
export function report({ entries, ours, theirs, peer }: Measured): string {
  const other = typeof theirs === 'string' ? null : theirs;
  const most = Math.max(...ours.keys);
  const targets = TARGETS[entries > MANY ? 1 : 0];
  const lines: Line[] = [
    {
      what: 'the list again, warm',
      ours: ms(ours.list),
      target: `<= ${targets.list} ms`,
      theirs: '',
      good: ours.list <= targets.list,
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
      what: 'server (most)',
      ours: `${Math.round(ours.server.rss)} MB (${Math.round(ours.server.most)} MB)`,
      target: `<= ${targets.server} MB`,
      theirs: '',
      good: ours.server.rss <= targets.server,
    },
  ];
  const rows = lines.map((line) =>
    [line.what, line.ours, line.target, line.theirs, line.good ? 'good' : 'MISSED'].join(' | '),
  );
  const head = `\n## ${entries} pending entries\n${other === null ? `\n${peer}: ${String(theirs)}\n` : ''}`;
  return `${head}\n| what | trai | target | ${peer} | verdict |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}

function scrolled({ slow, frames, worst }: TraiFigures['scroll']): string {
  return `${slow} of ${frames} (${ms(worst)})`;
}
