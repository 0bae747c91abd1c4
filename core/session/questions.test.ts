import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Question } from '../../shared/model/question.ts';
import { removeTree } from '../../testing/remove-tree.ts';
import { keepQuestion, readQuestions } from './questions.ts';

it('reads a call as it was asked about, in any script: what `trai answer` shows is what runs', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'trai-questions-'));
  try {
    const input = { command: 'r\u043c \u202ecafé 削除 \u{1f600}' };
    const asked = {
      v: 1,
      id: 'q1',
      n: 1,
      tool: 'Bash',
      input,
      prompt: 'räume 削除 auf',
    } as Partial<Question>;
    keepQuestion(path.join(state, 'sessions/a'), asked as Question);
    expect(readQuestions(state)).toEqual([asked]);
  } finally {
    removeTree(state);
  }
});

it('reads what a server of an earlier version asks, which still runs after an update', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'trai-questions-'));
  try {
    const dir = path.join(state, 'sessions/a/questions');
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'q1.json'), '{"v":1,"id":"q1","n":7}');
    writeFileSync(path.join(dir, 'q2.json'), '{"v":1,"id":"q2","n":6,"prompt":"p"}');
    expect(readQuestions(state).map(({ n, prompt }) => [n, prompt])).toEqual([
      [6, 'p'],
      [7, ''],
    ]);
  } finally {
    removeTree(state);
  }
});
