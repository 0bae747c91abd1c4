import { afterEach, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

test('/trai:why says which call wrote the path, and what is typed is no shell’s text', async () => {
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash'] } },
    scenarios: { one: [bash('echo x > "a; touch pwned"; ls')] },
  });
  open.push(bench);
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'default'] });
  open.push(screen);
  await screen.ready();
  await screen.type('SCENARIO:one');
  await bench.until(
    async () => (await bench.pending('a; touch pwned')) !== null,
    () => screen.screen(),
  );
  await screen.sees('done');
  await screen.type('/trai:why "a; touch pwned"');
  const said = await screen.sees('last changed at');
  expect(said).toContain('pending: added');
  expect(said).toMatch(/echo x > [^(]*; ls\s+\(call\s+[a-z0-9-]+\)/);
  expect([bench.read('pwned'), await bench.pending('pwned')]).toEqual([null, null]);
});
