/** Files of which only the modification time differs: they are no change to review, and go with a commit. */
import * as format from '../text/format.ts';

/** `behind`: it stands behind what is pending. */
export function Times({ times, behind }: { times: number | undefined; behind: boolean }) {
  if (times === undefined) return null;
  return (
    <span class="muted num" title={timesText(times)}>
      {behind ? '+ ' : ''}
      {format.plural(times, 'time')}
      <span class="sr-only">: {timesText(times)}</span>
    </span>
  );
}

export function timesText(times: number): string {
  return times === 1
    ? 'Only the modification time of 1 file differs. A commit takes it along.'
    : `Only the modification times of ${format.count(times)} files differ. A commit takes them along.`;
}
