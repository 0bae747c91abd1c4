import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../cli/commands.ts';
import { PROGRAMS } from '../../e2e/programs/rows.ts';
import { DEFAULT_CONFIG, parseConfig } from '../../shared/config/config.ts';
import { MARKS } from '../../shared/terminal/status.ts';
import { ROOT } from '../lib/root.ts';
import { allStages } from '../lib/stages.ts';

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const readme = read('README.md');
const contributing = read('CONTRIBUTING.md');

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, group = '']) => group))].sort();
}

const commandFiles = readdirSync(path.join(ROOT, 'commands')).map((name) => name.replace(/\.md$/, ''));

describe('README.md', () => {
  test('names exactly the slash commands that exist', () => {
    expect(all(readme, /\/trai:([a-z]+)/g)).toEqual(commandFiles.sort());
  });

  test('gives every slash command its form in a terminal', () => {
    const inTable = all(readme, /^\| `\/trai:[a-z]+` \| `trai ([a-z]+)/gm);
    expect(inTable).toEqual(commandFiles.sort());
  });

  test('explains each letter of the lists', () => {
    const line = /In lists: ([^.]*)\./.exec(readme.replaceAll('\n', ' '))?.[1] ?? '';
    expect(all(line, /\b([A-Z]) (?!and|as)[a-z]/g)).toEqual([...new Set(Object.values(MARKS))].sort());
  });

  test('has a config example that is valid', () => {
    const example = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(parseConfig(JSON.parse(example)).problems).toEqual([]);
  });

  test('names the programs that run on the host', () => {
    const line = DEFAULT_CONFIG.passthrough.map((program) => `\`${program}\``).join(', ');
    expect(readme).toContain(`| ${line} |`);
  });

  test('names the directories that stay the host’s', () => {
    const line = DEFAULT_CONFIG.scratch.map((dir) => `\`${dir}\``).join(', ');
    expect(readme).toContain(`| ${line} |`);
  });
});

test.each(commandFiles)('/trai:%s offers only options that the program takes', (name) => {
  const hint = /^argument-hint: (.*)$/m.exec(read(`commands/${name}.md`))?.[1] ?? '';
  const usage = COMMANDS.find((command) => command.name === name)?.usage ?? '';
  expect(all(usage, /(--?[a-z][a-z-]*)/g)).toEqual(
    expect.arrayContaining(all(hint, /(?<!\w)(--?[a-z][a-z-]*)/g)),
  );
});

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/limits.md',
  'docs/measurements.md',
  'docs/programs.md',
];

describe.each(DOCUMENTS)('%s', (name) => {
  const text = read(name);

  test('links only to files and headings that exist', () => {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) =>
        `#${title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-')}`,
    );
    const targets = all(text, /\]\(([^)\s]+)\)/g).filter((target) => !/^[a-z]+:/.test(target));
    const broken = targets.filter((target) => {
      if (target.startsWith('#')) return !headings.includes(target);
      return !existsSync(path.join(ROOT, path.dirname(name), target.replace(/#.*/, '')));
    });
    expect(broken).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const manifest: unknown = JSON.parse(read('package.json'));
    const scripts = manifest !== null && typeof manifest === 'object' ? Reflect.get(manifest, 'scripts') : {};
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(all(text, /npm run ([a-z:]+)/g)));
  });
});

test('docs/programs.md has a row for each program that is tried', () => {
  const rows = [...read('docs/programs.md').matchAll(/^\| (?!program \|)([^|]+) \|/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(PROGRAMS.map(({ name }) => name));
});

test('README.md says in ten lines what is different inside', () => {
  const part = /## What is different inside\n([\s\S]*?)\n#/.exec(readme)?.[1] ?? '';
  expect([...part.matchAll(/^\| [^|]+ \| [^|]+ \|$/gm)]).toHaveLength(1 + 10);
});

test('CONTRIBUTING.md names the stages of npm test', () => {
  const ids = allStages(() => null).map(({ id }) => id);
  expect(contributing).toContain(`\`${ids.join(' ')}\``);
});
