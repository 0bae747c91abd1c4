/** Whether a command of a passthrough program is plain use of it, and whether it writes. */

import { judgeGit } from './git/git.ts';
import type { Word } from './shell/facts.ts';
import { readOptions, verbIndex } from './shell/option-grammar.ts';
import {
  COMPOSE_GLOBALS,
  CONTAINER_READS,
  GH_API_FIELDS,
  GH_API_READS,
  GH_READS,
} from './shell/option-tables.ts';
import { isFixed, type Judgement, READ, unplain, WRITE, wordSet } from './shell/words.ts';

const UNPLAIN = unplain('');

/** Programs that the user added to the list are trusted. */
export function judgePassthrough(program: string, args: readonly Word[]): Judgement {
  if (program === 'git') return judgeGit(args);
  if (program === 'gh') return judgeGh(args);
  if (program === 'docker' || program === 'podman') return judgeContainers(args);
  return WRITE;
}

const GH_GROUPS =
  wordSet(`attestation auth browse cache gist gpg-key issue label org pr project release repo ruleset run search secret
   ssh-key status variable version workflow`);
const GH_READING = wordSet('list ls view status diff checks watch verify');

/** `gh alias`, `gh extension` and names that are not builtin run other programs. */
function judgeGh(args: readonly Word[]): Judgement {
  const [group, action, ...rest] = args;
  if (group === undefined || group.value === '--version') return READ;
  if (group.value === 'api') return judgeGhApi(args.slice(1));
  if (group.value === null || !GH_GROUPS.has(group.value)) return UNPLAIN;
  if (group.value === 'browse')
    return byOptions(args.slice(1), `${GH_READS} -n --no-browser`, ['-n', '--no-browser']);
  if (['search', 'status', 'version'].includes(group.value)) return byOptions(args.slice(1), GH_READS);
  if (action === undefined) return READ;
  if (action.value === null) return UNPLAIN;
  // Words after `--` go to git, with all of git's options; an unknown word may be a `--`.
  const passesOn =
    ['clone', 'fork', 'create'].includes(action.value) && group.value !== 'pr' && group.value !== 'issue';
  if (passesOn && !rest.every((word) => isFixed(word) && word.value !== '--')) return UNPLAIN;
  return GH_READING.has(action.value) ? byOptions(rest, GH_READS) : WRITE;
}

/** `needed`: at least one of these. */
function byOptions(args: readonly Word[], line: string, needed: readonly string[] = []): Judgement {
  const { bad, named } = readOptions(args, line);
  return bad === null && (needed.length === 0 || needed.some((name) => named.has(name))) ? READ : WRITE;
}

/** Reads only when every spelling of the method option is exactly GET or HEAD. */
function judgeGhApi(args: readonly Word[]): Judgement {
  const texts = args.map((word) => word.value ?? word.source);
  const methods = texts.filter((text) => /^-[^-]*X|^--method/.test(text));
  const gets = texts.filter(
    (text, i) =>
      /^(-X|--method=)(GET|HEAD)$/.test(text) ||
      (/^(-X|--method)$/.test(text) && /^(GET|HEAD)$/.test(texts[i + 1] ?? '')),
  );
  if (methods.length !== gets.length) return WRITE;
  return byOptions(args, methods.length === 0 ? GH_API_READS : `${GH_API_READS} ${GH_API_FIELDS}`);
}

const CONTAINER_READING = wordSet(
  'ps images logs inspect version info stats top port diff history search events',
);
const CONTAINER_GROUPS = wordSet('container image volume network system context compose builder buildx');
const CONTAINER_READING_VERBS = wordSet('ls list ps inspect logs images config df top port version events');
/** Their value names no program, unlike that of `--config`, `--runtime`, `--conmon`. */
const CONTAINER_GLOBALS = wordSet('-H --host -c --context --connection --url -l --log-level');
/** podman: they run a program of the host, or of an image's label, on the host. */
const CONTAINER_UNPLAIN = wordSet('unshare runlabel machine');

function judgeContainers(args: readonly Word[]): Judgement {
  let i = 0;
  for (; args[i]?.value?.startsWith('-'); i++) {
    const option = args[i]?.value ?? '';
    if (CONTAINER_GLOBALS.has(option)) i++;
    else if (!/^(--(host|context|connection|url|log-level)=.*|-D|--debug|-v|--version|--help)$/.test(option))
      return UNPLAIN;
  }
  const [name, ...rest] = args.slice(i);
  if (name === undefined) return READ;
  if (name.value === null || CONTAINER_UNPLAIN.has(name.value)) return UNPLAIN;
  if (CONTAINER_READING.has(name.value)) return byOptions(rest, CONTAINER_READS);
  if (!CONTAINER_GROUPS.has(name.value)) return WRITE;
  const at = name.value === 'compose' ? verbIndex(rest, COMPOSE_GLOBALS) : 0;
  const verb = rest[at];
  if (verb?.value == null || CONTAINER_UNPLAIN.has(verb.value)) return UNPLAIN;
  return CONTAINER_READING_VERBS.has(verb.value) ? byOptions(rest.slice(at + 1), CONTAINER_READS) : WRITE;
}
