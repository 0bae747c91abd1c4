import { expect, test } from 'vitest';
import { TraiError } from '../../shared/errors.ts';
import { textsOf } from '../../testing/messages.ts';
import * as messages from './messages.ts';

const file = '/home/kim/.config/trai/rules.json';
const ref = {
  scope: 'user',
  file,
  list: 'deny',
  index: 2,
  hash: '',
  text: '^Bash$ command=^rm ',
  reason: '',
} as const;

test('the texts of core/rules', async () => {
  const found = textsOf(messages, {
    jsonProblem: [[new SyntaxError('Unexpected end of JSON input')]],
    repeatedKey: [['deny']],
    patternProblem: [['allow[3].match.command', '(', 'Unterminated group']],
    unsupportedPattern: [['(?R']],
    fileIsLink: [[]],
    fileIsNoFile: [[]],
    fileNoText: [[]],
    fileOfOther: [[1000]],
    fileTooLarge: [[100, 200]],
    fileUnreadable: [['EACCES']],
    ruleFileProblem: [[file, 'it is a symbolic link (its last good version stays in force)']],
    ruleWhy: [
      ['deny', ref, ''],
      ['deny', { ...ref, reason: 'use trash' }, `rm ${'x'.repeat(200)}`],
      ['ask', { ...ref, list: 'ask' }, 'rm x'],
      ['allow', { ...ref, list: 'allow' }, 'rm x'],
    ],
    brokenWhy: [[file, 'not JSON: Unexpected end']],
    builtInWhy: [['Skill']],
    notAllowable: [[messages.NOT_ALLOWABLE.alias]],
    staysAsked: [[messages.LEAVING.program('curl')]],
    effectText: [
      [`effects[0] of ${file}`, ''],
      [`effects[0] of ${file}`, 'keys'],
    ],
    effectSlow: [[`effects[0] of ${file}`]],
    effectsUnknown: [[file, 'not JSON: Unexpected end']],
    LEAVING: { program: [['curl']], keys: [['~/.ssh/id_ed25519']], keysBelow: [['tar', '~']] },
    FINDING: {
      relative: [['../x']],
      duplicate: [[`allow[0] of ${file}`]],
      conflict: [[`allow[0] of ${file}`]],
      shadowed: [[`ask[0] of ${file}`]],
      unknownMode: [[['plann'], ['default', 'plan']]],
      expired: [['2026-01-01']],
      untried: [[1], [200]],
      slow: [['(a+)+$']],
      noMatch: [['rm x']],
      match: [['rm x']],
    },
    ruleFileUnusable: [[file, 'not JSON']],
    ruleFileRepeats: [[file, '//']],
    ruleFileChanged: [[file]],
    contentChanged: [['0123456789abcdef']],
    noSuchRule: [[file, 'allow[3]', 1]],
    wouldBreak: [[file, [{ at: 'allow[0]', text: messages.FINDING.conflict(`deny[0] of ${file}`) }]]],
    rulesBusy: [[new TraiError('busy', 'held', { path: '/state/rules.lock' }), 5]],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
