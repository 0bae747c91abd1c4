/** The page of a mark: a prompt with the calls that followed it, a file tool, a commit. */
import { fromText } from '../../shared/bytes.ts';
import type { MarkOf, TimelineMark } from '../../shared/log/marks.ts';
import { outcomeOf } from '../calls/words.ts';
import { entries, ruleCommitted } from '../messages/actions.ts';
import { BY_WORDS, DECISIONS } from '../rules/words.ts';
import { formatRoute } from '../state/router.ts';
import { type SessionState, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { FactList, type FactRow, scrolls } from '../ui/Panel.tsx';
import { callsOfPrompt, type Row } from './model/rows.ts';

export function MarkDetail({ mark, rows }: { mark: TimelineMark; rows: readonly Row[] }) {
  const state = useSession();
  const words = wordsOf(mark);
  return (
    <article class="call-detail" aria-label={words.badge}>
      <header class="stack">
        <MarkSub words={words} />
        {mark.kind === 'prompt' ? (
          <pre class="prompt-text" {...scrolls}>
            {visibleText(mark.text)}
          </pre>
        ) : (
          <h2 class={mark.kind === 'file' || mark.kind === 'tool' ? 'mono path' : ''}>
            {visibleText(words.title)}
          </h2>
        )}
        {mark.kind === 'prompt' && mark.cut > 0 ? (
          <p class="muted">
            {format.plural(mark.cut, 'more character is', 'more characters are')} not on record.
          </p>
        ) : null}
      </header>
      <FactList
        facts={[['At', <time dateTime={mark.at}>{format.dateTime(mark.at)}</time>], ...factsOf(state, mark)]}
      />
      {mark.kind === 'prompt' ? <LedTo mark={mark} rows={rows} /> : null}
    </article>
  );
}

function factsOf(state: SessionState, mark: TimelineMark): FactRow[] {
  const said = 'text' in mark && mark.text !== '' ? visibleText(mark.text) : null;
  const undo: FactRow = [
    'Undo',
    <a href={formatRoute({ view: 'history', session: state.id })}>See History to undo it</a>,
  ];
  switch (mark.kind) {
    case 'file': {
      const change = state.byPath.value(fromText(mark.path));
      return [
        ['Source', mark.agent === '' ? null : `agent ${visibleText(mark.agent)}`],
        ['Where', 'Claude’s file tools work on the host: what they write is not pending, and git shows it.'],
        ['Message', said],
        [
          'Pending',
          change === undefined ? null : (
            <a href={formatRoute({ view: 'changes', session: state.id, path: change.path })}>
              The sandbox has another version of this file
            </a>
          ),
        ],
      ];
    }
    case 'tool':
      return [
        ['Source', mark.agent === '' ? null : `agent ${visibleText(mark.agent)}`],
        [
          'Permission',
          format.capital(
            `${DECISIONS[mark.decision].word} by ${visibleText(mark.rule === '' ? (BY_WORDS[mark.by] ?? mark.by) : mark.rule)}`,
          ),
        ],
        ['Reason', mark.why === '' ? null : visibleText(mark.why)],
      ];
    case 'commit':
      return [
        ['By', mark.auto === '' ? null : ruleCommitted(mark.auto)],
        ['Wrote', format.bytes(mark.bytes)],
        ['Conflicts', mark.conflicts > 0 ? format.count(mark.conflicts) : null],
        ['Message', said],
        undo,
      ];
    case 'discard':
      return [undo];
    case 'undo':
      return [['Message', said], undo];
    case 'adopt': {
      const other = mark.to === state.id ? mark.from : mark.to;
      const to = formatRoute({ view: 'calls', session: other, call: null });
      return [['Session', <a href={to}>{visibleText(other)}</a>]];
    }
    default:
      return [];
  }
}

/** More would make the page slow; the list has them all. */
const MOST = 100;

function LedTo({ mark, rows }: { mark: MarkOf<'prompt'>; rows: readonly Row[] }) {
  const { id: session } = useSession();
  const calls = callsOfPrompt(rows, mark.id);
  return (
    <section aria-label="Calls after it">
      <h2>{calls.length === 0 ? 'No calls before the next prompt' : format.plural(calls.length, 'call')}</h2>
      <ul class="plain framed call-files">
        {calls.slice(0, MOST).map((call) => {
          const outcome = outcomeOf(call);
          return (
            <li key={call.id}>
              <a
                class="call-file quiet-link lines"
                href={formatRoute({ view: 'calls', session, call: call.id })}
              >
                <Icon name="terminal" class="faint" />
                <code class="path grow">{oneLine(format.cut(call.command, 200))}</code>
                <span class={`medium tone-${outcome.tone}`}>{outcome.text}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {calls.length > MOST ? <p class="muted">and {format.count(calls.length - MOST)} more</p> : null}
    </section>
  );
}

export function MarkSub({ words }: { words: MarkWords }) {
  return (
    <div class="call-sub inline small">
      <Badge tone={words.tone}>
        <Icon name={words.icon} /> {visibleText(words.badge)}
      </Badge>
      {words.sub === '' ? null : (
        <span class="muted" title={visibleText(words.sub)}>
          {visibleText(words.sub)}
        </span>
      )}
    </div>
  );
}

interface MarkWords {
  icon: IconName;
  title: string;
  sub: string;
  badge: string;
  tone: BadgeTone;
}

const COMMIT_STATES = {
  'started': 'not finished',
  'applied': '',
  'partial': 'applied in part',
  'finished-later': 'finished later',
  'refused': 'refused',
} as const;

const FILE_OUTCOMES = {
  asked: 'let through',
  written: 'written on the host',
  failed: 'failed',
  refused: 'refused',
} as const;

const CLIENTS = {
  startup: 'Claude Code started',
  resume: 'Claude Code resumed',
  clear: 'Conversation cleared',
  compact: 'Conversation compacted',
  fork: 'Conversation forked',
  exec: 'Terminal started (trai exec)',
  client: 'Started inside (trai claude or trai box)',
  end: 'Claude Code session ended',
} as const;

const UNDONE = { discard: 'a discard', commit: 'commit', undo: 'undo' } as const;

const sumOf = (mark: MarkOf<'commit'> | MarkOf<'undo'>): string =>
  [entries(mark.entries), COMMIT_STATES[mark.state]].filter((part) => part !== '').join(', ');

export function wordsOf(mark: TimelineMark): MarkWords {
  switch (mark.kind) {
    case 'prompt':
      return { icon: 'prompt', title: mark.text, sub: '', badge: 'prompt', tone: 'accent' };
    case 'file': {
      const tone = mark.outcome === 'refused' || mark.outcome === 'failed' ? 'warning' : 'modified';
      return { icon: 'edit', title: mark.path, sub: FILE_OUTCOMES[mark.outcome], badge: mark.tool, tone };
    }
    case 'tool': {
      const { word, tone } = DECISIONS[mark.decision];
      return { icon: 'flag', title: mark.subject, sub: word, badge: mark.tool, tone };
    }
    case 'commit': {
      const tone = mark.state === 'applied' || mark.state === 'finished-later' ? 'added' : 'warning';
      const title = mark.n === 0 ? 'A commit was refused' : `Commit ${mark.n}`;
      return {
        icon: 'check',
        title,
        sub: sumOf(mark),
        badge: mark.auto === '' ? 'commit' : 'auto commit',
        tone,
      };
    }
    case 'discard': {
      const sub = entries(mark.entries);
      return { icon: 'trash', title: 'Discard', sub, badge: 'discard', tone: 'deleted' };
    }
    case 'undo': {
      const word = mark.what === 'undo' ? 'redo' : 'undo';
      const title = `${format.capital(word)} of ${UNDONE[mark.what]}${mark.of === 0 ? '' : ` ${mark.of}`}`;
      const tone = mark.state === 'applied' ? 'meta' : 'warning';
      return { icon: 'undo', title, sub: sumOf(mark), badge: word, tone };
    }
    case 'adopt': {
      const title = `Pending changes moved from ${mark.from} to ${mark.to}`;
      return { icon: 'branch', title, sub: entries(mark.entries), badge: 'adopt', tone: 'meta' };
    }
    case 'session':
      return { icon: 'pulse', title: CLIENTS[mark.what], sub: mark.text, badge: 'client', tone: 'neutral' };
  }
}
