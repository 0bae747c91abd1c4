/**
 * `sessions/<id>/questions/<question>.json`: the open questions of the client, which the server writes and `trai answer`
 * reads. The directory is there only while there is one. `last-question` has the number of the newest one.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../shared/json-lines.ts';
import type { Question } from '../../shared/model/question.ts';
import { orNull } from '../kernel/fs/port.ts';
import { readPlainFile, readPlainJson, tryWriteWhole, writeWhole } from '../kernel/fs/state-file.ts';
import { logTo } from './log/append.ts';

const dirOf = (sessionDir: string): string => join(sessionDir, 'questions');
const fileOf = (sessionDir: string, id: string): string => join(dirOf(sessionDir), `${id}.json`);

/** Best effort: without the file only `trai answer` does not find it. */
export function keepQuestion(sessionDir: string, question: Question): void {
  orNull(() => {
    mkdirSync(dirOf(sessionDir), { recursive: true, mode: 0o700 });
    writeWhole(fileOf(sessionDir, question.id), Buffer.from(JSON.stringify(question)));
  });
}

export function forgetQuestion(sessionDir: string, id: string): void {
  orNull(() => rmSync(fileOf(sessionDir, id), { force: true }));
  orNull(() => rmdirSync(dirOf(sessionDir)));
}

/** Of all sessions, in the order in which they were asked. */
export function readQuestions(stateDir: string): Question[] {
  const sessions = orNull(() => readdirSync(join(stateDir, 'sessions'))) ?? [];
  const found = sessions.flatMap((id) => recordsIn(join(stateDir, 'sessions', id)));
  // A server of an earlier version, which still runs after an update, writes no prompt.
  return found
    .filter(isQuestion)
    .map((question) => ({ ...question, prompt: question.prompt ?? '' }))
    .sort((a, b) => a.n - b.n);
}

const MAX_NUMBER = 999_999_999;

/**
 * Of the newest question that any server has asked: a number that was typed for one must never answer another. Ask before
 * `endLeftQuestions`: where the file is missing or damaged, what a killed server left decides.
 */
export function lastQuestionNumber(stateDir: string): number {
  const kept = Number(orNull(() => readPlainFile(numberFile(stateDir)))?.toString('latin1') ?? '');
  const numbers = readQuestions(stateDir).map(({ n }) => n);
  return Math.max(0, ...[kept, ...numbers].filter((n) => Number.isSafeInteger(n) && n <= MAX_NUMBER));
}

/** Best effort: on a full disk the next server may begin anew. */
export function keepQuestionNumber(stateDir: string, n: number): void {
  tryWriteWhole(numberFile(stateDir), `${n}\n`);
}

const numberFile = (stateDir: string): string => join(stateDir, 'last-question');

function recordsIn(sessionDir: string): unknown[] {
  const dir = dirOf(sessionDir);
  const names = orNull(() => readdirSync(dir)) ?? [];
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => orNull(() => readPlainJson(join(dir, name))));
}

/** Only a server writes them, whole; of another version's nothing is read. */
function isQuestion(value: unknown): value is Question {
  return (
    isObject(value) && value['v'] === 1 && typeof value['n'] === 'number' && typeof value['id'] === 'string'
  );
}

/** What a killed server left: its hooks have gone on. */
export function endLeftQuestions(sessionDir: string): void {
  for (const value of recordsIn(sessionDir)) {
    if (!isQuestion(value)) continue;
    const { id, request, claude, agent, tool } = value;
    const event = { t: 'question', question: id, request, claude, agent, tool } as const;
    orNull(() => logTo(sessionDir, { ...event, end: 'gone', by: 'client', text: '', waited: 0 }));
  }
  orNull(() => rmSync(dirOf(sessionDir), { recursive: true, force: true }));
}
