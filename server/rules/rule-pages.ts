/**
 * The pages of the permission rules. Only a tab's credential gets here (server/http/guards.ts): what is written is the
 * user's own.
 *
 *     rules         the rules of all scopes with their use, findings, and Claude Code's own entries
 *     testRule      a call that the user makes up, judged as core/rules does
 *     ruleHistory   what a rule would have decided, from the logs that the session index holds
 *     changeRules   core/rules/manage/edit.ts, with the content that the tab showed
 *     audit         ./audit.ts
 */
import { RuleFiles } from '../../core/rules/files/files.ts';
import type { RulesRequest } from '../../core/rules/files/rule-set.ts';
import { loadRules } from '../../core/rules/files/rule-set.ts';
import { hitsOf } from '../../core/rules/history/decisions.ts';
import { ruleHistory } from '../../core/rules/history/history.ts';
import { savedPrompts, setSandboxed } from '../../core/rules/history/sandboxed.ts';
import { judge } from '../../core/rules/judge/judge.ts';
import { judgeFacts, whereItRuns } from '../../core/rules/judge/judge-facts.ts';
import { cutText } from '../../core/rules/judge/segments.ts';
import { changeRules, trustProject } from '../../core/rules/manage/edit.ts';
import { listFiles, listRules } from '../../core/rules/manage/list.ts';
import { settingsEntries, settingsSay } from '../../core/rules/manage/settings.ts';
import { fatesIn, suggestRules } from '../../core/rules/manage/suggest.ts';
import { verifyRules } from '../../core/rules/manage/verify.ts';
import { compileOne } from '../../core/rules/model/model.ts';
import { PatternError } from '../../core/rules/model/pattern.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import type { Env } from '../../core/session/dirs.ts';
import { homeDir } from '../../core/session/dirs.ts';
import { readMeta } from '../../core/session/meta-file.ts';
import type { Handlers, Input } from '../../shared/api/contract.ts';
import type { RuleHistory, RuleRoute, RulesPage, RuleTest, SandboxedEffect } from '../../shared/api/rules.ts';
import { bytePath, fromText, toDisplay, toText } from '../../shared/bytes.ts';
import type { Config } from '../../shared/config/config.ts';
import { TraiError } from '../../shared/errors.ts';
import { isShell } from '../../shared/log/calls.ts';
import type { Fate, Finding, ToolCall } from '../../shared/model/rule.ts';
import { refusal } from '../messages/refusals.ts';
import { auditPage, type LoggedSession, recordedDecisions } from './audit.ts';

interface RulePagesParts {
  stateDir: string;
  env: Env;
  manager: { all(): readonly LoggedSession[]; get(id: string): { dir: string } };
  /** What became of what the session's calls wrote; the worker looks. */
  fates(session: string): Promise<Readonly<Record<string, Fate>>>;
}

type RuleRows = Pick<Handlers, RuleRoute>;

interface Place {
  request: RulesRequest;
  config: Config;
  /** Null without a session. */
  projectRoot: string | null;
}

/** Calls that are judged for one question: hooks wait meanwhile. */
const MOST_JUDGED = 2_000;
/** Examples of calls on a page. */
const MOST_SHOWN = 10;
const SANDBOXED_MS = 30 * 24 * 3600_000;

export function rulePages({ stateDir, env, manager, fates }: RulePagesParts): RuleRows {
  const files = new RuleFiles(stateDir);
  const home = homeDir(env);
  /** Of the last content: the probes for slow patterns take a while. */
  let verified: { key: string; findings: readonly Finding[] } = { key: '', findings: [] };

  const placeOf = async (session: string | undefined): Promise<Place> => {
    const { config } = loadConfig(env);
    if (session === undefined) {
      // There are no rule files below the state directory.
      const project = { root: fromText(stateDir), id: '' };
      return { request: { env, stateDir, project, session: null, home, config }, config, projectRoot: null };
    }
    const meta = await readMeta(manager.get(session).dir);
    const root = bytePath(meta.projectRoot);
    const request = { env, stateDir, project: { root, id: meta.projectId }, session, home, config };
    return { request, config, projectRoot: toText(root) };
  };

  const pageOf = ({ request, config, projectRoot }: Place): RulesPage => {
    const set = loadRules(request, files);
    const decisions = recordedDecisions(manager.all());
    const hits = hitsOf(decisions);
    const shown = set.files.filter(({ scope }) => projectRoot !== null || scope === 'user');
    const listed = listFiles(shown);
    const key = JSON.stringify(listed);
    if (verified.key !== key) {
      const facts = judgeFacts({ view: 'none', home, config, runs: null });
      verified = { key, findings: verifyRules(set, facts, { hits, oldest: decisions[0]?.at ?? '' }) };
    }
    return {
      enabled: set.enabled,
      sandboxed: set.sandboxed,
      projectRoot: projectRoot === null ? null : toDisplay(request.project.root),
      allowedDirs: set.allowedDirs,
      rules: listRules(set, config, hits, Date.now()),
      files: listed,
      findings: verified.findings,
      settings: settingsEntries({ env, home, projectRoot: projectRoot ?? stateDir }),
    };
  };

  const testOf = ({ request, config, projectRoot }: Place, asked: Input<'testRule'>): RuleTest => {
    const { tool, text, mode } = asked;
    const cwd = projectRoot ?? home;
    const command = isShell(tool) ? text : null;
    const runs = command === null ? null : whereItRuns(command, cwd, { home, config });
    const call: ToolCall = { tool, input: command === null ? inputOf(text) : { command }, cwd, mode };
    const verdict = judge(call, loadRules(request, files), judgeFacts({ view: 'none', home, config, runs }));
    const place = { env, home, projectRoot: cwd };
    const cut = command === null ? null : cutText(command, cwd, home);
    return { verdict, runs, settings: settingsSay(call, cut, settingsEntries(place), place) };
  };

  const historyOf = ({ request, config }: Place, { list, rule }: Input<'ruleHistory'>): RuleHistory => {
    const facts = judgeFacts({ view: 'none', home, config, runs: null });
    const decisions = recordedDecisions(manager.all()).slice(-MOST_JUDGED);
    return ruleHistory(compiled(rule, list), decisions, loadRules(request, files), facts);
  };

  const effect = async (): Promise<SandboxedEffect> => {
    const { request, config } = await placeOf(undefined);
    const since = new Date(Date.now() - SANDBOXED_MS).toISOString();
    const decisions = recordedDecisions(manager.all()).filter(({ at }) => at >= since);
    const { saved, still } = savedPrompts(decisions.slice(-MOST_JUDGED), request, config);
    const examples = still.slice(-MOST_SHOWN).map(({ call, why }) => ({ subject: call.subject, why }));
    const { sandboxed } = config.rules;
    return { sandboxed, saved: saved.length, still: still.length, examples: examples.reverse() };
  };

  return {
    rules: async ({ session }) => pageOf(await placeOf(session)),
    testRule: async (asked) => testOf(await placeOf(asked.session), asked),
    ruleHistory: async (asked) => historyOf(await placeOf(asked.session), asked),
    changeRules: async ({ session, scope, seen, change }) => {
      const place = await placeOf(session);
      if (scope !== 'user' && session === undefined) throw refusal('rules-need-session', { scope });
      const facts = judgeFacts({ view: 'none', home, config: place.config, runs: null });
      await changeRules({ request: place.request, facts, scope, seen }, change);
      return pageOf(place);
    },
    trustRules: async ({ session, hashes }) => {
      const place = await placeOf(session);
      await trustProject(place.request, hashes);
      return pageOf(place);
    },
    ruleSuggestions: async ({ session }) => {
      const { request, config, projectRoot } = await placeOf(session);
      const decisions = recordedDecisions(manager.all()).slice(-MOST_JUDGED);
      return suggestRules({
        decisions,
        fates: await fatesIn(decisions, fates),
        set: loadRules(request, files),
        facts: judgeFacts({ view: 'none', home, config, runs: 'sandbox' }),
        place: { env, home, projectRoot: projectRoot ?? stateDir },
      });
    },
    sandboxedEffect: effect,
    setSandboxed: async ({ value }) => {
      await setSandboxed({ env, stateDir }, value);
      return await effect();
    },
    audit: async (asked) => auditPage(recordedDecisions(manager.all()), asked),
  };
}

function inputOf(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw refusal('no-tool-input');
  }
}

function compiled(rule: Input<'ruleHistory'>['rule'], list: Input<'ruleHistory'>['list']) {
  try {
    return compileOne(rule, list);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new TraiError('bad-input', error.message);
  }
}
