import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGrant } from '../../../core/session/grants.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let client: TestClient;
beforeAll(async () => {
  t = await testServer();
  client = new TestClient(t, 'unable');
});
afterAll(async () => {
  await client.clean();
  await t.close();
});

/** Doctor's check for an outer sandbox reads this. */
function spoil(spoilt: boolean): void {
  // A good verdict is kept for an hour.
  rmSync(path.join(t.state, 'doctor.json'), { force: true });
  if (spoilt) t.env['SANDBOX_RUNTIME'] = '1';
  else delete t.env['SANDBOX_RUNTIME'];
}

it.each(['startup', 'resume', 'compact'])(
  'at %s: every call ends with 125 and the remedy, nothing runs, and what is pending is there afterwards',
  async (source) => {
    spoil(false);
    await client.start(source);
    expect(await client.bash(`echo ${source} > before`)).toMatchObject({ rc: 0 });
    spoil(true);
    const said = JSON.parse((await client.start(source)).text);
    expect(said.systemMessage).toMatch(
      /Claude Code’s own sandbox.*run nothing and end with status 125.*Pending changes of this session are safe/,
    );
    expect(said.hookSpecificOutput.additionalContext).toContain('status 125');
    for (const command of ['echo x > after', 'ls', 'cat before', 'git --version', 'echo x > after'])
      expect(await client.shell(command), command).toMatchObject({
        rc: 125,
        stdout: '',
        stderr: expect.stringMatching(
          /sandbox can’t be entered[\s\S]*Turn it off[\s\S]*Nothing of the command was run/,
        ),
      });
    expect(existsSync(path.join(t.project, 'after'))).toBe(false);
    // Repaired during the session: the next call runs without a new start.
    spoil(false);
    expect(await client.bash('cat before')).toMatchObject({ rc: 0, stdout: `${source}\n` });
  },
);

it('does not keep the user from a passthrough', async () => {
  spoil(true);
  await client.start();
  await openGrant(path.join(t.state, 'sessions/unable'), { kind: 'passthrough' });
  expect(await client.shell('echo x > by-passthrough')).toMatchObject({ rc: 0 });
  expect(existsSync(path.join(t.project, 'by-passthrough'))).toBe(true);
});
