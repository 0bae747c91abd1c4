/** Banners about what is beside a session: what the host changed meanwhile, and other sessions of its project. */
import { useSignal } from '@preact/signals';
import type { SessionDetail } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { hostMoved } from '../../shared/model/host-moved.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import { pendingCount } from '../state/sessions.ts';
import { displayBelow } from '../ui/display.ts';
import * as format from '../ui/format.ts';
import { Banner } from '../ui/Notice.tsx';
import { visibleText } from '../ui/visible.ts';

/** Paths that are named in a banner. */
const MOST_PATHS = 5;

export function OtherSessions({ detail, list }: { detail: SessionDetail; list: ChangeList | null }) {
  return (
    <>
      <HostMoved detail={detail} list={list} />
      {detail.overlaps.map((overlap) => (
        <Banner key={overlap.session} tone="warning" icon="warning">
          Session <SessionLink id={overlap.session} /> has pending changes of the same paths; who commits
          second meets a conflict:{' '}
          <Names paths={overlap.paths} more={overlap.more} root={detail.projectRoot} />
        </Banner>
      ))}
      {detail.wentOnIn === null || (pendingCount(detail) ?? 0) > 0 ? null : (
        <Banner tone="info" icon="link">
          What was pending here went on in session <SessionLink id={detail.wentOnIn} />.
        </Banner>
      )}
      <Earlier detail={detail} />
    </>
  );
}

/** Its second line has room from the start: the names come with the list, which is later. */
function HostMoved({ detail, list }: { detail: SessionDetail; list: ChangeList | null }) {
  const moved = list === null ? null : hostMoved(list);
  const count = moved?.length ?? detail.conflicts;
  if (count === 0) return null;
  const of = list === null ? (pendingCount(detail) ?? 0) : list.changes.length - list.ignored.count;
  return (
    <Banner tone="warning" icon="warning">
      The host changed {format.count(count)} of the {format.plural(of, 'pending path')} since the sandbox took
      its copies.
      <span class="banner-line">
        {moved === null ? (
          ' '
        ) : (
          <Names paths={moved.map(({ path }) => path)} more={false} root={detail.projectRoot} />
        )}
      </span>
    </Banner>
  );
}

/** Only a session without changes of its own can go on with another's. */
function Earlier({ detail }: { detail: SessionDetail }) {
  const [first, ...rest] = detail.others;
  if (first === undefined || (pendingCount(detail) ?? 0) > 0) return null;
  return (
    <Banner
      tone="info"
      icon="link"
      action={<CopyCommand text={`trai adopt ${first.id} --session ${detail.id}`} />}
    >
      Session <SessionLink id={first.id} /> of this project has{' '}
      {format.plural(first.changes, 'pending change')}. To go on with them here, type{' '}
      <code>/trai:adopt {visibleText(first.id)}</code> in this session.
      {rest.length === 0 ? null : ` ${format.plural(rest.length, 'more session')} of it, too.`}
    </Banner>
  );
}

function CopyCommand({ text }: { text: string }) {
  const { announcement } = useApp();
  const state = useSignal<'idle' | 'copied' | 'shown'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = 'copied';
      announcement.value = 'Copied.';
    } catch {
      // The browser does not let us: the person copies by hand.
      state.value = 'shown';
    }
  };
  if (state.value === 'shown') return <code>{visibleText(text)}</code>;
  return (
    <button type="button" class="button" title={text} onClick={() => void copy()}>
      {state.value === 'copied' ? 'Copied' : 'Copy command'}
    </button>
  );
}

function SessionLink({ id }: { id: string }) {
  return (
    <a class="mono" href={formatRoute({ view: 'changes', session: id, path: null })}>
      {visibleText(id)}
    </a>
  );
}

function Names({ paths, more, root }: { paths: readonly BytePath[]; more: boolean; root: BytePath }) {
  const left = paths.length - MOST_PATHS;
  const rest =
    left > 0 ? ` and ${more ? 'more than ' : ''}${format.count(left)} more` : more ? ' and more' : '';
  return (
    <>
      <span class="mono path">
        {paths
          .slice(0, MOST_PATHS)
          .map((path) => visibleText(displayBelow(path, root)))
          .join(', ')}
      </span>
      {rest}
    </>
  );
}
