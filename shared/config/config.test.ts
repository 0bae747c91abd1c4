import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG, parseConfig } from './config.ts';

describe('parseConfig', () => {
  it('takes the defaults for an empty config and finds them valid', () => {
    expect(parseConfig({})).toEqual({ config: DEFAULT_CONFIG, problems: [] });
    expect(parseConfig(JSON.parse(JSON.stringify(DEFAULT_CONFIG)))).toEqual({
      config: DEFAULT_CONFIG,
      problems: [],
    });
  });

  it.each(['ask', 'warn', 'refuse'])('takes "%s" for hostWithPending', (hostWithPending) => {
    expect(parseConfig({ hostWithPending })).toMatchObject({ config: { hostWithPending }, problems: [] });
  });

  it('replaces a list by an array and changes it by add and remove', () => {
    expect(parseConfig({ passthrough: ['make'] }).config.passthrough).toEqual(['make']);
    const { config, problems } = parseConfig({ passthrough: { add: ['make', 'git'], remove: ['docker'] } });
    expect(config.passthrough).toEqual(['git', 'gh', 'sudo', 'podman', 'make']);
    expect(problems).toEqual([]);
    expect(parseConfig({ passthrough: ['git *'] }).config.passthrough).toEqual(['git']);
    expect(parseConfig({ scratch: ['/scratch/'] }).config.scratch).toEqual(['/scratch']);
    expect(parseConfig({ testCommands: ['  ./check  all '] }).config.testCommands).toEqual(['./check all']);
    expect(parseConfig({ testCommands: ['npm test; rm x'] }).problems).toHaveLength(1);
  });

  it.each([
    [null, 'the config: expected an object, found null; the default is used.'],
    [[], 'the config: expected an object, found []; the default is used.'],
    [{ enabled: 'no' }, 'enabled: expected true or false, found "no"; the default is used.'],
    [
      { passthrough: 'git' },
      'passthrough: expected an array, or an object with "add" and "remove", found "git"; the default is used.',
    ],
    [
      { passthrough: ['git', 3] },
      'passthrough[1]: expected the name of a program, without a path or arguments, found 3; the default is used.',
    ],
    [
      { readOnly: { add: ['a b'] } },
      'readOnly.add[0]: expected the name of a program, without a path or arguments, found "a b"; the default is used.',
    ],
    [
      { readOnly: { add: 'x' } },
      'readOnly.add: expected an array of strings, found "x"; the default is used.',
    ],
    [
      { scratch: ['/'] },
      'scratch[0]: expected an absolute directory other than "/", without "..", found "/"; the default is used.',
    ],
    [
      { scratch: ['//'] },
      'scratch[0]: expected an absolute directory other than "/", without "..", found "//"; the default is used.',
    ],
    [
      { scratch: ['/tmp/../home'] },
      'scratch[0]: expected an absolute directory other than "/", without "..", found "/tmp/../home"; the default is used.',
    ],
    [
      { ignore: ['*.log'] },
      'ignore[0]: expected a rule that begins with "~/", "/" or "outside-project:", found "*.log"; the default is used.',
    ],
    [
      { hostWithPending: 'never' },
      'hostWithPending: expected one of "ask", "warn", "refuse", found "never"; the default is used.',
    ],
    [{ server: 1 }, 'server: expected an object, found 1; the default is used.'],
    [
      { server: { port: 70000 } },
      'server.port: expected a whole number from 0 to 65535, found 70000; the default is used.',
    ],
    [
      { server: { idleMinutes: 0 } },
      'server.idleMinutes: expected a whole number from 1 to 10080, found 0; the default is used.',
    ],
    [
      { pasthrough: [] },
      '"pasthrough" is not a key of the config; expected one of passthrough, readOnly, enabled, hostWithPending, scratch, ignore, undo, testCommands, disk, server, rules, box.',
    ],
    [
      { server: { prot: 1 } },
      'server."prot" is not a key of the config; expected one of autostart, port, idleMinutes.',
    ],
  ])('reports %j and uses the default', (json, problem) => {
    const { config, problems } = parseConfig(json);
    expect(problems.map(({ text }) => text)).toEqual([problem]);
    expect(config).toEqual(DEFAULT_CONFIG);
  });

  it('keeps the good fields beside a wrong one', () => {
    const { config, problems } = parseConfig({ enabled: false, server: { port: 'x', idleMinutes: 5 } });
    expect(problems).toHaveLength(1);
    expect(config).toMatchObject({ enabled: false, server: { port: 0, idleMinutes: 5 } });
  });

  it('never throws, and always gives a whole config', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        for (const json of [
          a,
          { passthrough: a, server: b, enabled: a },
          { ignore: { add: a, remove: b }, scratch: [a] },
        ]) {
          const { config } = parseConfig(json);
          expect(Object.keys(config)).toEqual(Object.keys(DEFAULT_CONFIG));
          expect(config.passthrough.every((name) => typeof name === 'string')).toBe(true);
        }
      }),
    );
  });
});
