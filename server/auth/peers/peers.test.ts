/** A call that has read server.json, or a tab's token, gets nothing that only the user may have. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGrant } from '../../../core/session/grants.ts';
import { type Attack, Attacked, POSITIONS, type Position } from './peers.testing.ts';

let a: Attacked;
beforeAll(async () => {
  a = await Attacked.start();
});
afterAll(async () => await a.close());

const sessionDir = () => path.join(a.t.state, 'sessions/attacked');
const hook = (name: string, body: object): Attack => ({
  path: `/hook/${name}`,
  token: a.t.server.hook,
  body,
});
const api = (address: string, body: object): Attack => ({
  path: `/api/${address}`,
  token: a.t.token,
  origin: true,
  body,
});
const typed = (name: string, args = ''): Attack =>
  hook('UserPromptExpansion', {
    session_id: 'attacked',
    cwd: a.t.project,
    hook_event_name: 'UserPromptExpansion',
    expansion_type: 'slash_command',
    command_name: `trai:${name}`,
    command_args: args,
  });
const permits = () =>
  existsSync(path.join(sessionDir(), 'grants')) ? readdirSync(path.join(sessionDir(), 'grants')) : [];

const refusals = (text: string, status = 403) => ({ status, text: expect.stringContaining(text) });

describe.each(POSITIONS)('%s', (position: Position) => {
  it('nobody gets a code or confirms a number, whatever he says of himself', async () => {
    const page = a.t.server.deps.pairings.open();
    const { number } = page;
    const asked = [{}, { terminal: true }, { session: 'attacked' }].map((body) => hook('ui-code', body));
    asked.push(hook('pair', { number, terminal: true }));
    expect(await a.send(position, ...asked)).toEqual(asked.map(() => refusals('needs-permit')));
    expect(a.t.server.deps.pairings.poll(page.id)).toBeNull();
    // At most five pages may wait.
    a.t.server.deps.pairings.confirm(number);
    expect(a.t.server.deps.pairings.poll(page.id)).not.toBeNull();
  });

  it('nobody leaves a permit by an event that he has forged', async () => {
    const forged = ['commit', 'discard', 'undo', 'passthrough', 'ui'].map((name) => typed(name, '--yes'));
    expect(await a.send(position, ...forged)).toEqual(
      forged.map(() => refusals('only what the user types counts', 200)),
    );
    expect(permits()).toEqual([]);
  });

  it('nobody answers a question, writes a rule by it, or counts as a tab in sight', async () => {
    const given = { question: 'q0000000000000000', message: null, rule: null };
    const answers = ['once', 'no', 'leave'].map((answer) => hook('answer', { ...given, answer }));
    const rule = { scope: 'user', tool: '.', field: '', pattern: '' };
    answers.push(
      hook('answer', { ...given, answer: 'always', rule, session: 'attacked', what: 'answer 1 always' }),
    );
    expect(await a.send(position, ...answers)).toEqual(answers.map(() => refusals('needs-permit')));
    const asked = [
      api('answer', { ...given, answer: 'once' }),
      api('seen', {}),
      api('rule-preview', { question: given.question, list: 'allow', rule }),
    ];
    expect(await a.send(position, ...asked)).toEqual(asked.map(() => refusals('only a browser of yours')));
  });

  it('nobody trades in a code that he has seen, opens a page or orders anything with the token of a tab', async () => {
    const { code } = a.t.server.deps.codes.make();
    const orders = ['commit', 'discard', 'undo', 'redo', 'end-processes', 'undo-commit', 'cancel'];
    const asked = [
      api('exchange', { code }),
      api('pair', {}),
      ...orders.map((order) => api(`sessions/attacked/${order}`, {})),
    ];
    expect(await a.send(position, ...asked)).toEqual(asked.map(() => refusals('only a browser of yours')));
    expect((await a.t.api('/api/exchange', { code })).status).toBe(200);
  });
});

describe('a call in the sandbox, while a permit for the dashboard is open', () => {
  it('does not use it up', async () => {
    await openGrant(sessionDir(), { kind: 'permit', what: 'ui' });
    const asked = hook('ui-code', { session: 'attacked' });
    for (const position of POSITIONS.filter((one) => one.startsWith('in the sandbox')))
      expect(await a.send(position, asked)).toMatchObject([{ status: 403 }]);
    expect(permits()).toHaveLength(1);
    expect(await a.sendAsHook(asked)).toMatchObject([{ status: 200 }]);
    expect(permits()).toEqual([]);
  });
});

describe('who is none of a call', () => {
  it('the client’s own hook leaves the permit, which is what a typed command is', async () => {
    const [said] = await a.sendAsHook(typed('commit', '--yes'));
    expect(said?.text.split('\n').slice(1)).toEqual(['0', 'run', '']);
    expect(permits()).toHaveLength(1);
  });

  it('but gets no code without one for it', async () => {
    expect(await a.sendAsHook(hook('ui-code', { terminal: true }))).toMatchObject([{ status: 403 }]);
  });

  it('a terminal and a hook with a typed command’s permit answer, and a permit for something else is none', async () => {
    const asked = hook('answer', { question: 'q0000000000000000', answer: 'no', message: null, rule: null });
    expect(await a.sendFromTerminal(asked)).toMatchObject([{ status: 404 }]);
    await openGrant(sessionDir(), { kind: 'permit', what: 'commit --yes' });
    await openGrant(sessionDir(), { kind: 'permit', what: 'answer 1 no' });
    const said = (what: string) => ({ ...asked, body: { ...asked.body, session: 'attacked', what } });
    expect(await a.sendAsHook(said('commit --yes'))).toMatchObject([{ status: 403 }]);
    expect(await a.sendAsHook(said('answer 1 no'))).toMatchObject([{ status: 404 }]);
    expect(await a.sendAsHook(said('answer 1 no'))).toMatchObject([{ status: 403 }]);
  });

  it('a terminal gets a code, and its browser a credential and a number', async () => {
    const [made] = await a.sendFromTerminal(hook('ui-code', {}));
    const { code }: { code: string } = JSON.parse(made?.text ?? '');
    const [exchanged, opened] = await a.sendFromTerminal(api('exchange', { code }), api('pair', {}));
    expect(exchanged?.status).toBe(200);
    const { number }: { number: string } = JSON.parse(opened?.text ?? '');
    const asked = [hook('pair', { number }), api('sessions/attacked/viewed', {})];
    expect(await a.sendFromTerminal(...asked)).toMatchObject([{ status: 200 }, { status: 400 }]);
  });
});
