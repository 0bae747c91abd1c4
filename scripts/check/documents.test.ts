import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../cli/commands/all.ts';
import { usageOf } from '../../cli/context/command.ts';
import { PROGRAMS } from '../../e2e/programs/rows.ts';
import { DEFAULT_CONFIG, parseConfig } from '../../shared/config/config.ts';
import { MARKS } from '../../shared/terminal/status.ts';
import { DOCUMENTS, PLUGIN_FILES } from '../build/tree.ts';
import { ROOT } from '../lib/root.ts';
import { allStages } from '../lib/stages.ts';

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const readme = read('README.md');
const commands = read('docs/commands.md');
const configuration = read('docs/configuration.md');
const contributing = read('CONTRIBUTING.md');

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, group = '']) => group))].sort();
}

const commandFiles = readdirSync(path.join(ROOT, 'commands'))
  .map((name) => name.replace(/\.md$/, ''))
  .sort();

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

describe('README.md', () => {
  test('fits on two screens', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(150);
  });

  test('explains each letter of the lists, as docs/commands.md does', () => {
    for (const text of [readme, commands]) {
      const line = /\b(?:In lists|with a letter): ([^.]*)\./.exec(text.replaceAll('\n', ' '))?.[1] ?? '';
      expect(all(line, /\b([A-Z]) [a-z]/g)).toEqual([...new Set(Object.values(MARKS))].sort());
    }
  });

  test('names the programs and directories that are not covered, as docs/what-runs-where.md does', () => {
    for (const text of [readme, read('docs/what-runs-where.md')]) {
      expect(text).toContain(`| ${quoted(DEFAULT_CONFIG.passthrough)} |`);
      expect(text).toContain(`| ${quoted(DEFAULT_CONFIG.scratch)} |`);
    }
  });

  test('names five limits', () => {
    const part = /## Limits\n([\s\S]*?)\n##/.exec(readme)?.[1] ?? '';
    expect(all(part, /^(\d)\. /gm)).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('docs/commands.md', () => {
  test('names exactly the slash commands that exist; no other document names one that does not', () => {
    expect(all(commands, /\/trai:([a-z]+)/g)).toEqual(commandFiles);
    for (const name of DOCUMENTS)
      expect(commandFiles).toEqual(expect.arrayContaining(all(read(name), /\/trai:([a-z]+)/g)));
  });

  test('gives every slash command its form in a terminal', () => {
    expect(all(commands, /^\| `\/trai:[a-z]+` \| `trai ([a-z]+)/gm)).toEqual(commandFiles);
  });

  test('names every command of the terminal', () => {
    const named = all(commands, /^\| (?:`\/trai:[a-z]+` )?\| `trai ([a-z-]+)/gm);
    expect(named).toEqual(COMMANDS.map(({ name }) => name).sort());
  });
});

describe('docs/configuration.md', () => {
  const example: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(configuration)?.[1] ?? '');

  test('has an example that is valid', () => {
    expect(parseConfig(example).problems).toEqual([]);
  });

  test('explains every key, and the example has each', () => {
    const keys = Object.keys(DEFAULT_CONFIG).sort();
    const table = /\| key \| meaning \|\n([\s\S]*?)\n\n/.exec(configuration)?.[1] ?? '';
    expect(all(table, /^\| `([A-Za-z]+)` \|/gm)).toEqual(keys);
    expect(Object.keys(example ?? {}).sort()).toEqual(keys);
  });

  test('names the defaults', () => {
    expect(configuration).toContain(`| \`passthrough\` | ${quoted(DEFAULT_CONFIG.passthrough)} |`);
    expect(configuration).toContain(`| \`scratch\` | ${quoted(DEFAULT_CONFIG.scratch)} |`);
  });
});

test.each(commandFiles)('/trai:%s offers only options that the program takes', (name) => {
  const hint = /^argument-hint: (.*)$/m.exec(read(`commands/${name}.md`))?.[1] ?? '';
  const command = COMMANDS.find((one) => one.name === name);
  expect(all(command === undefined ? '' : usageOf(command), /(--?[a-z][a-z-]*)/g)).toEqual(
    expect.arrayContaining(all(hint, /(?<!\w)(--?[a-z][a-z-]*)/g)),
  );
});

/** The anchors of a document, as GitHub makes them. */
function headingsOf(name: string): string[] {
  return [...read(name).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Where a document leads to in this repository. */
function linksOf(name: string): { file: string; heading: string }[] {
  return all(read(name), /\]\(([^)\s]+)\)/g)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', heading = ''] = target.split('#');
      return { file: file === '' ? name : path.posix.join(path.dirname(name), file), heading };
    });
}

describe.each(DOCUMENTS)('%s', (name) => {
  const text = read(name);

  test('links only to files and headings that exist', () => {
    const broken = linksOf(name).filter(({ file, heading }) => {
      if (!existsSync(path.join(ROOT, file))) return true;
      return heading !== '' && !headingsOf(file).includes(heading);
    });
    expect(broken).toEqual([]);
  });

  test('links only to what is in the plugin', () => {
    expect(PLUGIN_FILES).toEqual(expect.arrayContaining(linksOf(name).map(({ file }) => file)));
  });

  test('names only files that exist', () => {
    const paths = all(text, /`((?:core|server|cli|shared|web|testing|hooks|e2e|scripts)\/[^`*<> ]+)`/g);
    expect(paths.filter((one) => !existsSync(path.join(ROOT, one)))).toEqual([]);
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

test('docs/limits.md says in ten lines what is different inside', () => {
  const part = /## The ten that you meet first\n([\s\S]*?)\n#/.exec(read('docs/limits.md'))?.[1] ?? '';
  expect([...part.matchAll(/^\| [^|]+ \| [^|]+ \|$/gm)]).toHaveLength(1 + 10);
});

test('CONTRIBUTING.md names the stages of npm test', () => {
  const ids = allStages(() => null).map(({ id }) => id);
  expect(contributing).toContain(`\`${ids.join(' ')}\``);
});
