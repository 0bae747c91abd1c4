/**
 * The rule that an answer to a question would add, for what no rule covers:
 *
 *     a Bash text     program and subcommand of each uncovered command, with plain words after it; of a program that may
 *                     do anything with other words, exactly this command
 *     a file          everything below its directory
 *     a search        what it searches
 *     WebFetch        the host
 *     other tools     exactly that tool
 *
 * All patterns are anchored at both ends, except those of deny rules, which any continuation matches. The user may edit
 * them before they count.
 */
import { posix } from 'node:path';
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type { Proposals, RuleDraft } from '../../../shared/model/question.ts';
import type { ToolCall, Verdict } from '../../../shared/model/rule.ts';
import { type CutText, cutText, type Segment } from '../judge/segments.ts';
import { notAllowable, PROPOSAL } from '../messages.ts';

export interface Proposed extends Proposals {
  /** Commands of a Bash text that no rule allows, as written. */
  uncovered: string[];
}

/** Never throws, whatever the input is. */
export function propose(call: ToolCall, verdict: Verdict, home: string): Proposed {
  const input = isObject(call.input) ? call.input : {};
  if (isShell(call.tool)) {
    const command = typeof input['command'] === 'string' ? input['command'] : '';
    return ofText(call, cutText(command, call.cwd, home), verdict);
  }
  const draft = ofTool(call, input);
  return { allow: draft, deny: draft, noRule: '', uncovered: [] };
}

function ofText({ tool }: ToolCall, cut: CutText, verdict: Verdict): Proposed {
  const covered = new Set(
    verdict.segments.flatMap(({ text, decision }) => (decision === 'allow' ? [text] : [])),
  );
  // Of a text that needs no rule but for a part which cannot be allowed, all are named.
  const needing = cut.segments.filter(({ needsAllow }) => needsAllow);
  const open = needing.filter(({ text }) => !covered.has(text));
  const uncovered = open.length === 0 ? needing : open;
  const why = cut.why === '' ? (uncovered.find((one) => one.why !== '')?.why ?? '') : cut.why;
  const starts = [
    ...new Set(uncovered.map(({ allowed }) => startOf(allowed)).filter((start) => start !== '')),
  ];
  const others = starts.filter((start) => !MOVES.test(start));
  const denied = others.length === 0 ? starts : others;
  const exact = `^${literal(cut.whole.trim())}$`;
  return {
    allow: why !== '' || starts.length === 0 ? null : onTool(tool, 'command', allowing(uncovered)),
    deny: onTool(tool, 'command', denied.length === 0 ? exact : `^${oneOf(denied.map(literal))}\\b`),
    noRule: why !== '' ? notAllowable(why) : starts.length === 0 ? PROPOSAL.noCommand : '',
    uncovered: uncovered.map(({ text }) => text),
  };
}

/** What nobody means who never wants a text of several commands. */
const MOVES = /^(cd|pushd|popd)$/;

/** Words without anything that a shell, or a reader, could take for something else. */
const PLAIN_WORDS = '( [\\w./:=@%+,~-]+)*';

function allowing(segments: readonly Segment[]): string {
  const parts = segments.map(({ allowed }) => widened(allowed) ?? literal(allowed));
  return `^${oneOf([...new Set(parts)])}$`;
}

/**
 * The pattern, without anchors, of a command and of those that differ from it in plain words alone; null where these could
 * do anything else, or where it has other words itself.
 * @param allowed as rules see it (`Segment.allowed`)
 */
export function widened(allowed: string): string | null {
  const start = startOf(allowed);
  if (start === '' || isOpen(start)) return null;
  const pattern = `${literal(start)}${PLAIN_WORDS}`;
  return new RegExp(`^${pattern}$`).test(allowed) ? pattern : null;
}

function oneOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? (patterns[0] ?? '') : `(${patterns.join('|')})`;
}

/** Programs whose first word only says what they do. */
const WITH_SUBCOMMAND =
  /^(git|gh|npm|pnpm|yarn|bun|npx|pnpx|cargo|go|docker|podman|kubectl|helm|terraform|make|just|pip|pip3|uv|poetry|apt|apt-get|brew|systemctl|dotnet|mvn|gradle|rake|bundle|composer|deno|rustup|aws|gcloud|az)$/;
/** Below these a second one: `npm run build`, `docker compose up`. */
const WITH_SECOND =
  /^((npm|pnpm|yarn|bun) run|docker compose|uv (run|pip)|poetry run|gh \w+|aws \w+|gcloud \w+|az \w+)$/;
/** Programs that run, send or destroy whatever their words say; also as a word of another one: `uv run python`, `git rm`. */
const OPEN =
  /^((ba|z|da|k|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|sed|sudo|doas|su|env|xargs|find|parallel|script|watch|eval|exec|source|\.|ssh|scp|rsync|curl|wget|nc|rm|dd|mv|chmod|chown|kill|pkill|killall|mkfs.*|npx|pnpx)$/;
const OPEN_SUBCOMMAND =
  /^((docker|podman|go) run|(npm|bun) x|(pnpm|yarn) dlx|(uv|poetry|npm|pnpm|yarn|bun) run|git config|gh api)$/;
const WORD = /^[A-Za-z0-9][\w.:@+-]*$/;

/** Program and subcommand, as rules see them; empty where the program is not a plain word. */
function startOf(allowed: string): string {
  const [program = '', first = '', second = ''] = allowed.split(' ');
  if (!/^[\w./~@+-]+$/.test(program)) return '';
  const name = posix.basename(program);
  if (!WITH_SUBCOMMAND.test(name) || !WORD.test(first)) return program;
  return WITH_SECOND.test(`${name} ${first}`) && WORD.test(second)
    ? `${program} ${first} ${second}`
    : `${program} ${first}`;
}

/** An allow rule for any further words would allow anything. */
function isOpen(start: string): boolean {
  const [program = '', ...more] = start.split(' ');
  const name = posix.basename(program);
  const isWithout = more.length === 0 && WITH_SUBCOMMAND.test(name);
  return (
    isWithout ||
    [name, ...more].some((word) => OPEN.test(word)) ||
    OPEN_SUBCOMMAND.test([name, ...more].join(' '))
  );
}

const FILES = ['file_path', 'notebook_path'];

function ofTool({ tool, cwd }: ToolCall, input: Readonly<Record<string, unknown>>): RuleDraft {
  if (tool.startsWith('mcp__')) return onTool(tool, '', '');
  const pathIn = (name: string): string | null =>
    typeof input[name] === 'string' && input[name] !== ''
      ? posix.resolve(cwd === '' ? '/' : cwd, input[name])
      : null;
  for (const field of FILES) {
    const path = pathIn(field);
    if (path === null) continue;
    const dir = posix.dirname(path);
    return onTool(tool, field, dir === '/' ? `^${literal(path)}$` : `^${literal(dir)}/`);
  }
  const place = pathIn('path');
  if (place !== null) return onTool(tool, 'path', place === '/' ? '^/$' : `^${literal(place)}(/|$)`);
  const url = typeof input['url'] === 'string' ? originOf(input['url']) : null;
  if (url !== null) return onTool(tool, 'url', url);
  return onTool(tool, '', '');
}

/** Neither a user nor another port may follow the host. */
function originOf(text: string): string | null {
  const found = /^(https?):\/\/([A-Za-z0-9.-]+)(:\d+)?(?:[/?#]|$)/i.exec(text);
  return found === null ? null : `^${found[1]}://${literal(`${found[2]}${found[3] ?? ''}`)}([/?#]|$)`;
}

function onTool(tool: string, field: string, pattern: string): RuleDraft {
  return { tool: `^${literal(tool)}$`, field, pattern };
}

export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
