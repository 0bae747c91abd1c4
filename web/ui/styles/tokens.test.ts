import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

it('every colour has a value for the light theme and one for the dark', () => {
  const colours = [...css.matchAll(/(--[\w-]+): ([^;]+);/g)].filter(([, , value = '']) =>
    /#|rgb/.test(value),
  );
  expect(colours.length).toBeGreaterThan(30);
  for (const [, name, value] of colours) expect(value, name).toContain('light-dark(');
});
