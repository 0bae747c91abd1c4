import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeTree } from '../../testing/remove-tree.ts';
import { readQuestions } from './questions.ts';

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
