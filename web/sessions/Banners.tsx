/** Above a session's tabs: undo, off, calls outside, unfinished commit, configuration, other sessions. */

import type { SessionDetail } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { type ChangeList, hostMoved } from '../../shared/model/change.ts';
import { pendingAgain } from '../messages/actions.ts';
import { useApp } from '../state/app.ts';
import { useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import { pendingCount } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { displayBelow } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { CopyCommand } from '../ui/CopyCommand.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';

export function SessionBanners() {
  const state = useSession();
  const detail = state.detail.data.value;
  if (detail === null) return null;
  return (
    <div class="banners">
      {detail.caught ? (
        <Banner tone="danger" icon="warning">
          <strong>NOT SANDBOXED.</strong> A command of this session ran on the host although trai did not
          allow it. What it wrote is not listed here. The timeline shows which.
        </Banner>
      ) : null}
      {detail.off === null ? null : (
        <Banner tone="warning" icon="off">
          <strong>The sandbox is off for this session:</strong> {visibleText(detail.off)}. Commands write to
          the host directly.
        </Banner>
      )}
      {detail.unfinished ? (
        <Banner tone="warning" icon="warning">
          A commit was interrupted. Nothing is lost: commit again to finish it first.
        </Banner>
      ) : null}
      {detail.configProblems.length > 0 ? (
        <Banner tone="warning" icon="warning">
          The config is not valid, so the defaults are used: {visibleText(detail.configProblems.join('; '))}
        </Banner>
      ) : null}
      <HostMoved detail={detail} list={state.changes.data.value} />
      {detail.overlaps.map((overlap) => (
        <Banner key={overlap.session} tone="warning" icon="warning">
          Session <SessionLink id={overlap.session} /> has pending changes of the same paths; whichever is
          committed second will conflict:{' '}
          <Names paths={overlap.paths} more={overlap.more} root={detail.projectRoot} />
        </Banner>
      ))}
      {detail.wentOnIn === null || (pendingCount(detail) ?? 0) > 0 ? null : (
        <Banner tone="accent" icon="link">
          The changes pending here moved to session <SessionLink id={detail.wentOnIn} />.
        </Banner>
      )}
      <Earlier detail={detail} />
      <UndoBanner />
    </div>
  );
}

function UndoBanner() {
  const state = useSession();
  const { backend, now, status, announcement } = useApp();
  const { running, error, run } = useWork();
  const undo = state.detail.data.value?.undo ?? null;
  if (undo === null) return null;
  const undoDiscard = (): Promise<void> =>
    run(async () => {
      const report = await backend.undo(state.id, { trash: undo.trash });
      announcement.value = pendingAgain(report.entries);
      await state.reload();
    });
  return (
    <>
      <Banner
        tone="accent"
        icon="undo"
        action={
          <Button
            icon="undo"
            disabled={running.value || status.value !== 'connected'}
            onClick={() => void undoDiscard()}
          >
            Undo discard
          </Button>
        }
      >
        Discarded {format.plural(undo.entries, 'entry', 'entries')} {format.ago(undo.at, now.value)}.
      </Banner>
      <ErrorPanel error={error.value} />
    </>
  );
}

const MOST_PATHS = 5;
const MOST_TITLE = 50;

/** The second line has its room from the start: the names arrive with the list. */
function HostMoved({ detail, list }: { detail: SessionDetail; list: ChangeList | null }) {
  const moved = list === null ? null : hostMoved(list);
  const count = moved?.length ?? detail.conflicts;
  if (count === 0) return null;
  const of = list === null ? (pendingCount(detail) ?? 0) : list.changes.length - list.ignored.count;
  const paths = (moved ?? []).map(({ path }) => path);
  const names = paths.slice(0, MOST_TITLE).map((path) => visibleText(displayBelow(path, detail.projectRoot)));
  return (
    <Banner tone="warning" icon="warning">
      You changed {format.count(count)} of the {format.plural(of, 'pending path')}, too.
      <span class="banner-line ellipsis" title={names.join('\n')}>
        {moved === null ? ' ' : <Names paths={paths} more={false} root={detail.projectRoot} />}
      </span>
    </Banner>
  );
}

/** Adoption is offered only to a session without changes. */
function Earlier({ detail }: { detail: SessionDetail }) {
  const [first, ...rest] = detail.others;
  if (first === undefined || (pendingCount(detail) ?? 0) > 0) return null;
  return (
    <Banner
      tone="accent"
      icon="link"
      action={<CopyCommand text={`trai adopt ${first.id} --session ${detail.id}`} />}
    >
      Session <SessionLink id={first.id} /> of this project has{' '}
      {format.plural(first.changes, 'pending change')}. To continue with them here, type{' '}
      <code>/trai:adopt {visibleText(first.id)}</code> in this session.
      {rest.length === 0
        ? null
        : ` ${format.plural(rest.length, 'more session has some, too', 'more sessions have some, too')}.`}
    </Banner>
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
