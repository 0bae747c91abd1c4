// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
/**
 * Runs texts with real shells and programs in a scratch tree, and finds those that change something in it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What readers may write in the scratch tree: git caches in its index what it learned about files. */
const MAY_WRITE: readonly { reader: RegExp; path: RegExp }[] = [
  { reader: /\bgit\b/, path: /^w\/\.git\/index$/ },
];

const BATCH = 100;

/**
 * gh and docker need a server. These stand-ins write a file where the real options write, in every spelling
 * that the option parsers accept.
 */
const STAND_IN = `#!/bin/bash
valued=iqtpHXfFLsaABbeSRjun method=GET sends='' gh='' api=''
[ \${0##*/} = gh ] && gh=1 || valued=n
while [ $# -gt 0 ]; do
  name='' value=''
  case $1 in
    --) break ;;
    --*=*) name=\${1%%=*} value=\${1#*=} ;;
    --method|--output|--field|--raw-field|--input) name=$1 value=\${2-}; shift ;;
    --file|--project-name|--profile|--project-directory|--env-file|--ansi|--progress|--parallel)
      [ "$gh$valued" = fpn ] && shift ;;
    --jq|--template|--preview|--header|--hostname) [ -n "$api" ] && shift ;;
    --*) name=$1 ;;
    -?*)
      letters=\${1#-}
      while [ -n "$letters" ]; do
        name=-\${letters:0:1} letters=\${letters:1}
        if [ $name = -o ] || [[ $valued = *\${name#-}* ]]; then
          [ -n "$letters" ] && value=$letters || { value=\${2-}; shift; }
          letters=''
        fi
        case $gh$name in 1-X) method=$value given=1 ;; 1-f|1-F) sends=1 ;; *-o|1-w) : > wrote ;; esac
      done ;;
    api) [ -n "$gh" ] && valued=\${valued#i} api=1 ;;
    compose) [ -z "$gh" ] && valued=fpn ;;
    *) [ -z "$gh" ] && valued=n ;;
  esac
  case $name in --method) method=$value given=1 ;; --field|--raw-field|--input) sends=1 ;; --output|--web|--lock-image-digests) : > wrote ;; esac
  [ $# -gt 0 ] && shift
done
[ -n "$sends" ] && [ -z "\${given-}" ] && method=POST
case $method in GET|HEAD) ;; *) : > wrote ;; esac
exit 0
`;

const MAKE = `
set -e
git init -q --template= -b main .
git config user.name a; git config user.email a@b.c
mkdir src; printf 'a\\nb\\n' > a; printf 'b\\na\\n' > b; echo v > victim; echo s > src/s; ln -s a link
git add -A; git commit -qm one; git branch topic; git tag v1; echo c >> b; git commit -qam two
git clone -q --template= --bare . ../o.git; git remote add origin ../o.git; git fetch -q
echo d >> a; git stash -q; echo d >> src/s; git notes add -m n
cp a ../home/a
`;

export class HostRun {
  readonly root = mkdtempSync(join(tmpdir(), 'trai-decide-'));
  readonly #tree = join(this.root, 'tree');
  readonly #pristine = join(this.root, 'pristine');
  readonly #bin = join(this.root, 'bin');

  constructor() {
    for (const dir of ['w', 'home', 'tmp']) mkdirSync(join(this.#tree, dir), { recursive: true });
    mkdirSync(this.#bin);
    for (const name of ['gh', 'docker', 'podman']) {
      writeFileSync(join(this.#bin, name), STAND_IN);
      chmodSync(join(this.#bin, name), 0o755);
    }
    const made = this.#run('/bin/sh', [MAKE], 60);
    if (made !== 0) throw new Error(`the scratch tree could not be made: ${made}`);
    cpSync(this.#tree, this.#pristine, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  /** The texts that change something, each with the paths that it changed. */
  writers(shell: string, texts: readonly string[]): string[] {
    const found: string[] = [];
    for (let i = 0; i < texts.length; i += BATCH) {
      const batch = texts.slice(i, i + BATCH);
      if (this.#changed(shell, batch, 15).length === 0) continue;
      this.#restore();
      for (const text of batch) {
        const paths = this.#changed(shell, [text], 10);
        if (paths.length === 0) continue;
        found.push(`${JSON.stringify(text)} changed ${paths.join(', ')}`);
        this.#restore();
      }
    }
    return found;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** A text that hangs is killed: what it would have written at its end is missed. */
  #changed(shell: string, texts: readonly string[], seconds: number): string[] {
    const before = this.#snapshot();
    this.#run(shell, texts, seconds);
    const after = this.#snapshot();
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path) !== after.get(path),
    );
    return paths.filter(
      (path) => !MAY_WRITE.some((may) => may.path.test(path) && texts.some((text) => may.reader.test(text))),
    );
  }

  /** Runs the texts within `seconds`; after a text that hangs the others go on. */
  #run(shell: string, texts: readonly string[], seconds: number): number | null {
    const driver =
      'for t in "$@"; do echo >&9; ( exec 9>&-; eval "$t"; wait ) </dev/null >/dev/null 2>&1 || s=$?; done; exit ${s-0}';
    const begun = join(this.root, 'begun');
    const args = ['-k', '1', String(seconds), shell, '-c', driver, shell, ...texts];
    const output = openSync(begun, 'w');
    const { status } = spawnSync('timeout', args, {
      cwd: join(this.#tree, 'w'),
      stdio: ['ignore', 'ignore', 'ignore', ...Array.from({ length: 6 }, () => 'ignore' as const), output],
      env: {
        PATH: `${this.#bin}:/usr/bin:/bin`,
        HOME: join(this.#tree, 'home'),
        ZDOTDIR: join(this.#tree, 'home'),
        TMPDIR: join(this.#tree, 'tmp'),
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C.UTF-8',
      },
    });
    closeSync(output);
    const rest = texts.slice(statSync(begun).size);
    const isCutOff = status === 124 || status === 137;
    return isCutOff && rest.length > 0 ? this.#run(shell, rest, seconds) : status;
  }

  #restore(): void {
    rmSync(this.#tree, { recursive: true, force: true });
    cpSync(this.#pristine, this.#tree, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  /**
   * Each path with all that a command may change; of a directory only its entries, since locks come and go.
   */
  #snapshot(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (path: string): void => {
      const full = join(this.#tree, path);
      const stat = lstatSync(full, { bigint: true });
      if (stat.isDirectory()) {
        found.set(path, `dir ${stat.mode}`);
        for (const name of readdirSync(full)) visit(path === '' ? name : `${path}/${name}`);
      } else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(full)}`);
      else {
        const sum = stat.isFile() ? createHash('sha1').update(readFileSync(full)).digest('hex') : '';
        found.set(path, `${stat.mode} ${stat.ino} ${stat.ctimeNs} ${sum}`);
      }
    };
    visit('');
    return found;
  }
}
