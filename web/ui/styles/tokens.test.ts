import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

/** Names and values that a rule sets. */
function valuesOf(selector: string): Record<string, string> {
  const [, body = ''] = css.split(`${selector} {`);
  const lines = body.slice(0, body.indexOf('}')).matchAll(/(--[\w-]+): ([^;]+);/g);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

it('the dark theme is the same by the desktop and by choice', () => {
  const byDesktop = valuesOf(':root:not([data-theme="light"])');
  expect(Object.keys(byDesktop)).toContain('--surface');
  expect(valuesOf(':root[data-theme="dark"]')).toEqual(byDesktop);
});

it('the dark theme sets every colour that the light one sets', () => {
  const colours = Object.entries(valuesOf(':root')).filter(([, value]) => /#|rgb/.test(value));
  expect(colours.length).toBeGreaterThan(30);
  expect(Object.keys(valuesOf(':root[data-theme="dark"]'))).toEqual(colours.map(([name]) => name));
});
