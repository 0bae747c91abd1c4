/** One session in the list: what it is, where it stands, what waits in it. */
import { useId } from 'preact/hooks';
import type { SessionSummary } from '../../shared/api/types.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import { lastUse, waitsForReview } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, Counts } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';

export function SessionCard({ session }: { session: SessionSummary }) {
  const { now } = useApp();
  const about = useId();
  const last = lastUse(session);
  const review = waitsForReview(session);
  const state = session.live ? 'live: a process is running' : 'quiet';
  return (
    <div class={review ? 'session-card session-review' : 'session-card'}>
      <span class={`dot ${session.live ? 'dot-live' : ''}`} title={state}>
        <span class="sr-only">{state}</span>
      </span>
      <div class="card-main">
        <div class="card-title">
          <a
            class="card-link mono"
            href={formatRoute({ view: 'changes', session: session.id, path: null })}
            aria-describedby={about}
          >
            {session.id}
          </a>
          {review ? (
            <Badge tone="review" title="Nobody works in it any more, and what it wrote waits for you">
              to review
            </Badge>
          ) : null}
          <SessionBadges session={session} />
        </div>
        <p class="card-about muted" id={about}>
          <Where session={session} />
          <span title={session.createdAt}>started {format.ago(session.createdAt, now.value)}</span>
          <span>{format.plural(session.calls, 'call')}</span>
          <Ending session={session} />
          <Shared session={session} />
        </p>
      </div>
      <span class="card-counts">
        {session.counts === null ? <span class="muted">loading…</span> : <Counts counts={session.counts} />}
      </span>
      <span class="card-size num muted">{session.bytes > 0 ? format.bytes(session.bytes) : ''}</span>
      <time class="card-time muted" dateTime={last} title={`last call: ${last}`}>
        {format.ago(last, now.value)}
      </time>
    </div>
  );
}

/** Branch and worktree of the directory as it is now. */
function Where({ session: { git } }: { session: SessionSummary }) {
  if (git === null) return null;
  const name = git.branch ?? (git.commit === null ? null : `${git.commit} (detached)`);
  return (
    <>
      {name === null ? null : (
        <span class="card-branch" title="The branch that is checked out now">
          <Icon name="branch" />
          <span class="mono">{visibleText(name)}</span>
        </span>
      )}
      {git.worktree === null ? null : (
        <span>
          worktree <span class="mono">{visibleText(git.worktree)}</span>
        </span>
      )}
    </>
  );
}

function Ending({ session }: { session: SessionSummary }) {
  const { now } = useApp();
  if (session.client === 'none') return <span>trai exec</span>;
  if (session.ended === null) return null;
  return <span title={session.ended}>ended {format.ago(session.ended, now.value)}</span>;
}

/** With whom it will meet a conflict. */
function Shared({ session: { shares } }: { session: SessionSummary }) {
  const [first, ...rest] = shares;
  if (first === undefined) return null;
  const names = rest.length === 0 ? first.session : `${first.session} and ${rest.length} more`;
  return (
    <span
      class="warn-text"
      title={shares.map((one) => `${one.session}: ${format.plural(one.paths, 'path')}`).join('\n')}
    >
      {format.plural(first.paths, 'path')} also pending in <span class="mono">{names}</span>
    </span>
  );
}

/** What a user must know before anything else about a session. */
export function SessionBadges({ session }: { session: SessionSummary }) {
  return (
    <>
      {session.caught ? (
        <Badge tone="danger" title="A command of this session ran on the host without trai having let it">
          NOT SANDBOXED
        </Badge>
      ) : null}
      {session.off === null ? null : (
        <Badge tone="warning" title={visibleText(session.off)}>
          off
        </Badge>
      )}
      {session.unfinished ? (
        <Badge tone="warning" title="A commit stopped in the middle; commit again to finish it">
          unfinished commit
        </Badge>
      ) : null}
      {session.conflicts > 0 ? (
        <Badge tone="warning">{format.plural(session.conflicts, 'conflict')}</Badge>
      ) : null}
      {session.live ? <Badge tone="live">live</Badge> : null}
    </>
  );
}
