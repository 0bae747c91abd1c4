/** What the pages of the permission rules and of the audit get. */
import type { Mode } from '../model/decision.ts';
import type {
  DecidedCall,
  Effect,
  Finding,
  ListedRule,
  Permission,
  RuleScope,
  SettingsEntry,
  SettingsVerdict,
  Verdict,
} from '../model/rule.ts';

export interface RuleFileState {
  scope: RuleScope;
  imported: boolean;
  /** For display. */
  path: string;
  state: 'missing' | 'good' | 'last-good' | 'broken';
  /** False: its allow rules and directories do not count. */
  trusted: boolean;
  /** SHA-256 of the content in force; empty without one. A change names the one that was seen. */
  hash: string;
  problems: readonly string[];
  /** As they are written. */
  allowedDirs: readonly string[];
  effects: readonly Effect[];
}

export interface RulesPage {
  enabled: boolean;
  sandboxed: 'ask' | 'allow';
  /** For display; null without a session, and then there are no rules of a project. */
  projectRoot: string | null;
  allowedDirs: readonly string[];
  rules: readonly ListedRule[];
  files: readonly RuleFileState[];
  findings: readonly Finding[];
  /** Claude Code's own, in the order of their files. */
  settings: readonly SettingsEntry[];
}

export interface RuleTest {
  verdict: Verdict;
  /** Of a command: where it would run. */
  runs: Mode | null;
  settings: SettingsVerdict;
}

export interface RuleHistory {
  looked: number;
  matched: number;
  /** Of them: that the user may have been asked about. */
  asked: number;
  denied: number;
  /** The newest, each text once. */
  newest: readonly DecidedCall[];
}

export interface SandboxedEffect {
  sandboxed: 'ask' | 'allow';
  /** Prompts of the last 30 days. */
  saved: number;
  still: number;
  /** The newest of those that would still be asked about. */
  examples: readonly { subject: string; why: string }[];
}

export interface AuditPage {
  /** Decisions on record, and those that the filter leaves. */
  all: number;
  total: number;
  /** Newest first, from `from` on. */
  rows: readonly DecidedCall[];
  /** Of those that the filter leaves. */
  byWhom: readonly { by: Permission['by']; count: number }[];
  decisions: readonly { decision: Permission['decision']; count: number }[];
  /** Names of the tools on record, whatever the filter. */
  tools: readonly string[];
  /** Calls that were asked about several times and always allowed, the most frequent first. */
  alwaysAllowed: readonly { tool: string; subject: string; count: number; last: string }[];
}

/** The rows of the contract that the pages of rules and audit have. */
export type RuleRoute =
  | 'rules'
  | 'testRule'
  | 'ruleHistory'
  | 'changeRules'
  | 'trustRules'
  | 'ruleSuggestions'
  | 'sandboxedEffect'
  | 'setSandboxed'
  | 'audit';
