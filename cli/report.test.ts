/** A commit's report in a terminal: half a rename, conflict markers, a closed directory. */
import { expect, it } from 'vitest';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

it('names the other side of a rename before it is done', { timeout: 60_000 }, () => {
  place.onHost('mkdir docs; echo text > docs/guide.md; sleep 0.05');
  place.sh('mv docs/guide.md docs/handbook.md');
  const { rc, out, err } = place.trai(['commit', 'docs/handbook.md']);
  expect([rc, out.split(',')[0]]).toEqual([0, 'Committed 2 changes']);
  const [from, to] = ['guide', 'handbook'].map((name) => `${place.project}/docs/${name}.md`);
  expect(err).toBe(`Also included:\n  ${from}: it is the old name of ${to}, which was renamed\n`);
  expect(place.onHost('ls docs')).toBe('handbook.md\n');
});

it('names the files that got conflict markers, also in the log and after a redo', { timeout: 60_000 }, () => {
  place.onHost('seq 5 > f; sleep 0.05');
  place.sh('sed -i s/3/three/ f');
  place.onHost('sed -i s/3/drei/ f');
  const named = `Conflict markers were written into 1 file of yours; resolve them:\n  conflict markers: ${place.project}/f\n`;
  expect(place.trai(['commit', '--merge-markers', 'f']).out).toContain(named);
  expect(place.onHost('grep -c "^<<<<<<<" f')).toBe('1\n');
  expect(place.onHost(`cat '${place.state}/sessions/s/calls.jsonl'`)).toContain(
    `conflict markers were written into ${place.project}/f`,
  );
  expect(place.trai(['undo']).rc).toBe(0);
  expect(place.trai(['undo', '--redo']).out).toContain(named);
});

it('names a directory that nobody may look into once, and commits the rest', { timeout: 60_000 }, (ctx) => {
  if (process.getuid?.() === 0) return ctx.skip('root reads everything');
  place.sh('mkdir d; echo > d/x; chmod 300 d; echo new > new');
  const { rc, out } = place.trai(['commit']);
  expect(rc).toBe(1);
  expect(out).toMatch(/^Committed 1 of \d+ changes,/);
  expect(out.split(`${place.project}/d`)).toHaveLength(2);
  expect(out).not.toContain('to continue');
  expect(place.onHost('cat new')).toBe('new\n');
});
