import type { PassthroughConfig } from '../../shared/model/config-types.ts';
import type { WhyPart } from '../../shared/model/why.ts';
import { classify, type Part } from './classify.ts';
import { parseShell } from './shell/parse.ts';

export interface PartsInput {
  cwd: string;
  home: string;
  config: PassthroughConfig;
}

/** The parts of a command text, each with the list or rule that it falls under. */
export function explainParts(command: string, input: PartsInput): { parts: WhyPart[]; plain: boolean } {
  const { parts, plain } = classify(parseShell(command), input);
  const { config } = input;
  return {
    parts: parts.map((part) => ({ program: part.program, kind: part.kind, why: whyPart(part, config) })),
    plain,
  };
}

export function whyPart(part: Part, { passthrough, readOnly }: PassthroughConfig): string {
  switch (part.kind) {
    case 'passthrough':
      return `is on the list "passthrough"; this use of it ${part.writes ? 'writes' : 'only reads'}`;
    case 'asked':
      return `is on the list "passthrough", but may run other programs (${part.because}): the user is asked`;
    case 'companion':
      return 'changes no file: it may run beside a program that runs on the host';
    case 'reader':
      return 'is on the list "readOnly", and this use of it only reads';
    case 'sandboxed':
      if (part.blocked)
        return 'is on the list "passthrough", but its own redirections or assignments keep it from the host';
      if (part.program === '') return 'has no literal name, or a path that may be anything';
      if (passthrough.includes(part.program)) return 'is on the list "passthrough", but not in this use';
      if (readOnly.includes(part.program)) return 'is on the list "readOnly", but this use of it may write';
      return 'is on no list';
  }
}
