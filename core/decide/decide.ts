/**
 * Host, sandbox or refusal: the one decision about a command, on the text that runs. Pure. Whatever is not
 * understood with certainty runs in the sandbox.
 *
 *     the config says disabled, or the user let it through     -> host
 *     trai's own program: reading -> host; acting -> only with a permit (own-program.ts)
 *     parse the text into commands (shell/parse.ts), classify each (classify.ts):
 *       passthrough (git/, passthrough.ts), reader (shell/readers.ts), companion, sandboxed
 *     only passthrough and companions                          -> host; git that may run programs: ask
 *     only readers and companions                              -> host while nothing is pending, else sandbox
 *     a writing passthrough program beside anything else       -> refuse: one shell cannot run on both sides
 *     else                                                     -> sandbox
 *
 * host-use.ts: what a host command works on and throws away. hiding.ts: which host commands run with trai's
 * directories hidden. texts.ts and classify.ts: the texts.
 */
import type { Decision, Facts, HostUse, Loss, Mode, OpenUse, Reason } from '../../shared/model/decision.ts';
import { type Classified, classify, type Part } from './classify.ts';
import { hidingFor } from './hiding.ts';
import { literalPaths, reachesHost, reachText } from './host-reach.ts';
import {
  CONFIG_OFF_TEXT,
  hostText,
  mixedText,
  ONE_SHOT_TEXT,
  openBesideText,
  ownProgramText,
  runsProgramsText,
} from './messages.ts';
import { ownUse } from './own-program.ts';
import { isPlain, type Script } from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';

/**
 * Never throws. The caller has handled `inside`, `session-off`, `caught`, `env-file` and `unavailable`.
 * trai's own program comes first even when the config turns the sandbox off: the model must not commit what
 * is pending from before.
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

/** Hides trai's directories only from commands that are known to work without them. */
function withoutSandbox(script: Script, facts: Facts): Decision {
  const off = decision('host', 'config-off', '', CONFIG_OFF_TEXT);
  const { parts, plain } = classify(script, facts);
  if (script.commands.length === 0 || !plain || parts.some((part) => part.kind === 'sandboxed'))
    return { ...off, open: NO_PATHS };
  const { open, torn } = hidingFor(script, facts, parts);
  return { ...off, open: torn === '' ? open : NO_PATHS };
}

/** Refuses a command that works neither with nor without trai's directories. */
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
    // Companions read files too (`[ -e x ]`, `cd x`).
    if (!parts.some((part) => part.kind === 'asked' || (part.kind === 'passthrough' && part.writes))) {
      if (pending) return decision('sandbox', 'default');
      return decision('host', 'read-only', passthrough?.program ?? parts[0]?.program ?? '');
    }
  }
  // Whether or not something is pending, so that a command always gets the same decision.
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

/** A dropped stash may be one made just before: `git stash && git stash drop`. */
function besideOthers(loss: Loss): Loss[] {
  if (loss.kind !== 'stash') return [loss];
  return [
    { kind: 'stash', entry: null },
    { kind: 'tree', unlessRef: null },
    { kind: 'untracked', clean: ['-d'] },
  ];
}

/** In the sandbox it would change the overlay instead of the host. */
function isTorn(part: Part, compound: boolean): boolean {
  if (part.kind === 'passthrough') return part.writes && compound;
  if (part.kind === 'asked') return compound;
  return part.kind === 'sandboxed' && part.blocked;
}

export function decision(mode: Mode, reason: Reason, program = '', text = ''): Decision {
  return { mode, reason, program, text, usedOneShot: false, ask: '', uses: [], open: null, paths: [] };
}
