/** Files of which only the modification time differs: they are no change to review, and go with a commit. */
import { timesText } from '../messages/changes.ts';
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
