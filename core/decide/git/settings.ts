/** Which settings of git (`-c KEY=VALUE`, `git config KEY VALUE`) can't make it run a program of the caller's choice. */
import type { Word } from '../shell/facts.ts';
import { staysOneWord } from '../shell/words.ts';

/** Keys whose value is never a program, a path to one, or a file with such keys. */
const DATA =
  /^(user\.(name|email|signingkey|useconfigonly)|author\.(name|email)|committer\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|branch\.[^=]+\.(remote|merge|rebase)|core\.(autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|longpaths|abbrev|preloadindex|untrackedcache)|color\..*|column\.ui|commit\.gpgsign|tag\.(gpgsign|sort)|branch\.sort|fetch\.(prune|parallel)|merge\.(ff|conflictstyle|renamelimit)|diff\.(renames|renamelimit|algorithm|context|noprefix|mnemonicprefix)|log\.(date|decorate|showsignature)|status\.[a-z]+|rebase\.(autostash|autosquash)|rerere\.enabled|advice\..*|safe\.directory|gc\.auto|maintenance\.auto|http\.(postbuffer|version|lowspeedlimit|lowspeedtime)|submodule\.recurse|checkout\.workers)$/i;

/** Keys that name a program, with the values that are none to fear. */
const TAMED: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.pager$|^pager\.[a-z-]+$/i, /^(cat|less|false|true|)$/],
  [/^(core|sequence)\.editor$/i, /^(true|:)$/],
  [/^core\.hookspath$/i, /^\/dev\/null$/],
  [/^core\.fsmonitor$/i, /^(false|0)$/],
  [/^credential\.helper$/i, /^$/],
];

/** True for a setting that runs nothing. `value` null = not known. */
export function isSafeSetting(key: string, value: string | null): boolean {
  if (DATA.test(key)) return true;
  return value !== null && TAMED.some(([keys, values]) => keys.test(key) && values.test(value));
}

/** True for the word behind `-c`. */
export function isSafeOption(word: Word): boolean {
  if (word.value !== null) {
    const at = word.value.indexOf('=');
    return at < 0
      ? isSafeSetting(word.value, 'true')
      : isSafeSetting(word.value.slice(0, at), word.value.slice(at + 1));
  }
  const start = word.pieces.find((piece) => piece.kind !== 'text' || piece.text !== '');
  const key = start?.kind === 'text' ? /^([^=]+)=/.exec(start.text)?.[1] : undefined;
  return key !== undefined && staysOneWord(word) && isSafeSetting(key, null);
}
