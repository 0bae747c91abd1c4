/**
 * Host, sandbox or refusal: the one decision about a command, on the text that really runs. Pure. Whatever is not understood
 * with certainty runs in the sandbox.
 *
 *     the config says disabled, or the user let this call through    -> host
 *     trai's own program: looking -> host; acting -> only with a permit (own-program.ts)
 *     parse the text into commands (shell/parse.ts), classify each (classify.ts):
 *       passthrough (git/, passthrough.ts), reader (shell/readers.ts), companion, sandboxed
 *     only passthrough and companions                                -> host; git that may run programs: ask
 *     only readers and companions                                    -> host while nothing is pending, else sandbox
 *     a writing passthrough program beside anything else             -> refuse: one shell cannot run on both sides
 *     else                                                           -> sandbox
 *
 * host-use.ts says what a host command works on and throws away; hiding.ts, which ones run with trai's directories hidden;
 * texts.ts and classify.ts have the words.
 */
import type { Decision, Facts, HostUse, Loss, Mode, OpenUse, Reason } from '../../shared/model/decision.ts';
import { type Classified, classify, type Part } from './classify.ts';
import { hidingFor } from './hiding.ts';
import { literalPaths, reachesHost, reachText } from './host-reach.ts';
import { ownUse } from './own-program.ts';
import { isPlain, type Script } from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';
import {
  CONFIG_OFF_TEXT,
  hostText,
  mixedText,
  ONE_SHOT_TEXT,
  openBesideText,
  ownProgramText,
  runsProgramsText,
} from './texts.ts';

/**
 * Decides about one command. Never throws. The caller has handled `inside`, `session-off`, `caught`, `env-file` and
 * `unavailable` before.
 *
 * trai's own program comes first, also when the config turns the sandbox off: what is pending from before must not
 * be committed by the model either.
 */
export function decide(command: string, facts: Facts): Decision {
  const script = parseShell(command);
  const own = ownUse(command, script, facts);
  if (own.kind === 'exact' && (own.reads || facts.ownPermit))
    return { ...decision('host', 'own-program', 'trai'), open: NO_PATHS };
  if (own.kind !== 'none') {
    return decision('refuse', 'own-program-by-model', 'trai', ownProgramText(facts.ownPrograms[0] ?? 'trai'));
  }
  if (!facts.config.enabled) return withoutSandbox(script, facts);
  if (facts.oneShot) {
    const { parts } = classify(script, facts);
    const once = decision('host', 'one-shot', '', ONE_SHOT_TEXT);
    return hidden(script, facts, parts, { ...once, usedOneShot: true, uses: usesOf(parts) });
  }
  // Without a tree there is nothing to tell the parts by.
  if (script.commands.length === 0)
    return decision('sandbox', isPlain(script) ? 'default' : 'not-understood');
  const classified = classify(script, facts);
  const made = hidden(script, facts, classified.parts, decideParts(classified, facts.pending));
  if (made.mode !== 'sandbox') return made;
  const reaching = reachesHost(script);
  return {
    ...made,
    text: reaching === null ? '' : reachText(reaching),
    paths: literalPaths(script, facts.cwd),
  };
}

const NO_PATHS: OpenUse = { paths: [], trees: [] };

/** Turned off, the sandbox is in nobody's way: only what is known to work there runs with our directories hidden. */
function withoutSandbox(script: Script, facts: Facts): Decision {
  const off = decision('host', 'config-off', '', CONFIG_OFF_TEXT);
  const { parts, plain } = classify(script, facts);
  if (script.commands.length === 0 || !plain || parts.some((part) => part.kind === 'sandboxed'))
    return { ...off, open: NO_PATHS };
  const { open, torn } = hidingFor(script, facts, parts);
  return { ...off, open: torn === '' ? open : NO_PATHS };
}

/** Says whether a host command runs with our directories hidden, and refuses it where it can run neither way. */
function hidden(script: Script, facts: Facts, parts: readonly Part[], made: Decision): Decision {
  if (made.mode !== 'host') return made;
  const { open, torn } = hidingFor(script, facts, parts);
  return torn === '' ? { ...made, open } : decision('refuse', 'mixed', torn, openBesideText(torn));
}

function decideParts({ parts, plain }: Classified, pending: boolean): Decision {
  const passthrough = parts.find((part) => part.kind === 'passthrough');
  const readers = parts.filter((part) => part.kind === 'reader');
  const sandboxed = parts.filter((part) => part.kind === 'sandboxed');
  if (plain && sandboxed.length === 0) {
    const asked = parts.find((part) => part.kind === 'asked');
    const uses = usesOf(parts);
    if (asked !== undefined && readers.length === 0) {
      const ask = runsProgramsText(asked.program, asked.because);
      return { ...decision('host', 'runs-programs', asked.program, ask), ask, uses };
    }
    if (passthrough !== undefined && readers.length === 0) {
      const text = hostText(passthrough.program, pending);
      return { ...decision('host', 'passthrough', passthrough.program, text), uses };
    }
    // Companions alone look at files too (`[ -e x ]`, `cd x`): the sandbox's view counts while something is pending.
    if (!parts.some((part) => part.kind === 'asked' || (part.kind === 'passthrough' && part.writes))) {
      if (pending) return decision('sandbox', 'default');
      return decision('host', 'read-only', passthrough?.program ?? parts[0]?.program ?? '');
    }
  }
  // A reader beside a writing program is refused whether or not something is pending now: the same command then
  // means the same in every call.
  const torn = parts.find((part) => isTorn(part, parts.length > 1 || !plain));
  if (torn !== undefined) {
    const others = [...sandboxed, ...readers].map((part) => part.program);
    return decision('refuse', 'mixed', torn.program, mixedText(torn.program, others));
  }
  return decision('sandbox', plain ? 'default' : 'not-understood');
}

function usesOf(parts: readonly Part[]): HostUse[] {
  const uses = parts.flatMap((part) => ('use' in part && part.use !== null ? [part.use] : []));
  return parts.length === 1
    ? uses
    : uses.map((use) => ({ ...use, losses: use.losses.flatMap(besideOthers) }));
}

/** Beside other commands a stash that is dropped may be any, also one that is made just before: `git stash && git stash drop`. */
function besideOthers(loss: Loss): Loss[] {
  if (loss.kind !== 'stash') return [loss];
  return [
    { kind: 'stash', entry: null },
    { kind: 'tree', unlessRef: null },
    { kind: 'untracked', clean: ['-d'] },
  ];
}

/** A writing passthrough program that would now do its work in the overlay, away from the host it is meant for. */
function isTorn(part: Part, compound: boolean): boolean {
  if (part.kind === 'passthrough') return part.writes && compound;
  if (part.kind === 'asked') return compound;
  return part.kind === 'sandboxed' && part.blocked;
}

/** A decision without anything special about it. */
export function decision(mode: Mode, reason: Reason, program = '', text = ''): Decision {
  return { mode, reason, program, text, usedOneShot: false, ask: '', uses: [], open: null, paths: [] };
}
