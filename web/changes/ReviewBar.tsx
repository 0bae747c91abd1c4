/** Below what is on show: on to the next file for who has a pointer and no keys, and in a narrow window the way back to the list. */

import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import { runAction } from '../ui/actions.ts';
import { Icon } from '../ui/Icon.tsx';

interface Props {
  session: string;
  /** A directory is on show, and not one file. */
  whole: boolean;
}

export function ReviewBar({ session, whole }: Props) {
  const { status } = useApp();
  return (
    <nav class="review-bar" aria-label="Review">
      <a class="review-back" href={formatRoute({ view: 'changes', session, path: null })}>
        <Icon name="back" /> All files
      </a>
      <button
        type="button"
        class="button button-quiet button-icon"
        aria-label="Previous file"
        title="Previous file ([)"
        onClick={() => runAction('previous-file')}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="button button-quiet button-icon"
        aria-label="Next file"
        title="Next file (])"
        onClick={() => runAction('next-file')}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        class="button button-small review-next"
        disabled={status.value !== 'connected'}
        title={`${whole ? 'All below it is viewed' : 'Viewed'}, and on to the next that is not (V)`}
        onClick={() => runAction('viewed-next')}
      >
        {whole ? 'All viewed, next' : 'Viewed, next'} <Icon name="chevron" />
      </button>
    </nav>
  );
}
