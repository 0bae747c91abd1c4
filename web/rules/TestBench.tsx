/** A call that the user makes up: what the rules say, for each command of a text, and what Claude Code's settings say. */
import { useState } from 'preact/hooks';
import type { RuleTest } from '../../shared/api/rules.ts';
import type { SegmentVerdict } from '../../shared/model/rule.ts';
import { useApp } from '../state/app.ts';
import { useWork } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { type Column, Section, Table } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { BY_WORDS, DECISIONS, placeText } from './words.ts';

const MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'];

export function TestBench({ session }: { session: string | null }) {
  const { backend } = useApp();
  const [tool, setTool] = useState('Bash');
  const [mode, setMode] = useState('default');
  const [text, setText] = useState('');
  const [found, setFound] = useState<RuleTest | null>(null);
  const work = useWork();
  const about = session === null ? {} : { session };
  const isShell = tool === 'Bash' || tool === 'Monitor';
  const test = (): void =>
    void work.run(async () => setFound(await backend.testRule({ ...about, tool, text, mode })));
  return (
    <Section title="Try a call" about="Nothing is run.">
      <form
        aria-label="Try a call"
        onSubmit={(event) => {
          event.preventDefault();
          test();
        }}
      >
        <div class="bench-fields">
          <label>
            Tool
            <input value={tool} spellcheck={false} onInput={(event) => setTool(event.currentTarget.value)} />
          </label>
          <label>
            Permission mode
            <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
              {MODES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label class="wide">
            {isShell ? 'Command' : 'Input, as JSON'}
            <textarea
              rows={3}
              value={text}
              spellcheck={false}
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) test();
              }}
            />
          </label>
        </div>
        <Button type="submit" disabled={work.running.value || (isShell && text.trim() === '')}>
          Test
        </Button>
      </form>
      <ErrorPanel error={work.error.value} />
      {found === null ? null : <Said found={found} />}
    </Section>
  );
}

const SEGMENTS: readonly Column<SegmentVerdict>[] = [
  { title: 'Command', plain: true, class: 'mono path', cell: ({ text }) => visibleText(text) },
  {
    title: 'Decision',
    plain: true,
    cell: ({ decision }) => <Badge tone={DECISIONS[decision].tone}>{DECISIONS[decision].word}</Badge>,
  },
  {
    title: 'By',
    class: 'path',
    cell: ({ rule, by, why }) =>
      rule === null ? visibleText(why === '' ? (BY_WORDS[by] ?? by) : why) : visibleText(placeText(rule)),
  },
];

const RUNS = {
  sandbox: 'It would run in the sandbox.',
  host: 'It would run on the host.',
  refuse: 'trai would refuse to run it.',
} as const;

const SETTINGS = {
  allow: 'Claude Code’s own settings allow it.',
  ask: 'Claude Code’s own settings ask about it, which no rule overrides.',
  deny: 'Claude Code’s own settings deny it, which no rule overrides.',
  pass: 'Claude Code’s own settings do not decide it.',
} as const;

function Said({ found: { verdict, runs, settings } }: { found: RuleTest }) {
  const { word, tone } = DECISIONS[verdict.decision];
  return (
    <div class="bench-said stack" role="status">
      <p>
        <Badge tone={tone}>{word}</Badge> <Prose text={verdict.why} />
      </p>
      {verdict.segments.length === 0 ? null : (
        <Table columns={SEGMENTS} rows={verdict.segments} keyOf={(one) => `${one.text} ${one.decision}`} />
      )}
      <p class="muted">
        {runs === null ? '' : `${RUNS[runs]} `}
        {SETTINGS[settings.decision]}{' '}
        {settings.matches.map(
          ({ list, entry, file }) => `${list} ${visibleText(entry)} in ${visibleText(file)}`,
        )}
      </p>
    </div>
  );
}
