import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands/all.ts';
import { commandHelp, usageOf } from './context/command.ts';

describe('trai COMMAND --help', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s: says each option, and none that is not there',
    (_name, command) => {
      const text = commandHelp(command);
      const said = [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1]?.slice(2));
      const common = ['session', 'json', ''];
      expect(said.filter((option) => !common.includes(option ?? '')).sort()).toEqual(
        command.arguments.flatMap(([spelling]) => /^--([a-z-]+)/.exec(spelling)?.[1] ?? []).sort(),
      );
      for (const word of usageOf(command).matchAll(/--[a-z-]+/g))
        expect(text.split('\n').slice(2).join('\n')).toContain(word[0]);
      expect(
        Math.max(
          ...text
            .split('\n')
            .slice(1)
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(110);
    },
  );
});
