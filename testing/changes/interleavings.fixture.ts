/**
 * Random operations on one small directory. Functions without imports: their text runs in the sandbox, too.
 */
import type * as ChildProcess from 'node:child_process';
import type * as Fs from 'node:fs';

export interface Seen {
  path: string;
  state: string;
}

/** The directory, the operation, and a text that no other operation writes. */
export type Step = [dir: string, op: string, token: string];

/** The entry at a path in one line; `absent` for nothing. */
export function stateOf(fs: typeof Fs, path: string): string {
  try {
    const stat = fs.lstatSync(path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) return `dir ${mode}`;
    if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(path)}`;
    return `file ${mode} ${fs.readFileSync(path, 'latin1')}`;
  } catch {
    return 'absent';
  }
}

export function treeOf(fs: typeof Fs, path: string, found: string[] = []): string[] {
  found.push(path);
  try {
    if (fs.lstatSync(path).isDirectory())
      for (const name of fs.readdirSync(path)) treeOf(fs, `${path}/${name}`, found);
  } catch {
    // Nothing there.
  }
  return found;
}

/** Calls `look` with each path before touching it. False: the operation stopped early. */
export function perform(
  fs: typeof Fs,
  tree: (fs: typeof Fs, path: string) => string[],
  [dir, op, token]: Step,
  look: (path: string) => void,
  checkout: (dir: string, token: string) => void,
): boolean {
  const at = (name: string) => `${dir}/${name}`;
  const n = token.charCodeAt(token.length - 1);
  const names = ['f', 'f2', 'o', 'd/k', 'd/m'].map(at);
  const inodeOf = (path: string) => {
    try {
      return fs.lstatSync(path).ino;
    } catch {
      return undefined;
    }
  };
  const see = (path: string) => {
    look(path);
    const inode = names.includes(path) ? inodeOf(path) : undefined;
    // Work on one name of a file is work on all.
    if (inode !== undefined) for (const name of names) if (inodeOf(name) === inode) look(name);
  };
  const drop = (name: string) => {
    for (const path of tree(fs, at(name))) see(path);
    fs.rmSync(at(name), { recursive: true, force: true });
  };
  // Not through a link, which may lead to the parent of all directories.
  const chmodOwn = (name: string, mode: number) => {
    see(at(name));
    if (!fs.lstatSync(at(name)).isSymbolicLink()) fs.chmodSync(at(name), mode);
  };
  const write = (name: string, text = token) => {
    see(at(name));
    fs.writeFileSync(at(name), text);
  };
  const over = (name: string) => {
    see(at(name));
    write('.tmp');
    fs.renameSync(at('.tmp'), at(name));
  };
  const ops: Record<string, () => void> = {
    write: () => write('f'),
    append: () => {
      see(at('f'));
      fs.appendFileSync(at('f'), token);
    },
    replace: () => over('f'),
    replaceDeep: () => over('d/k'),
    remove: () => {
      see(at('f'));
      fs.unlinkSync(at('f'));
    },
    // Until the program ends.
    hold: () => {
      for (const name of ['d', 'd/e', 'f']) {
        see(at(name));
        fs.openSync(at(name), 'r');
      }
    },
    openOnly: () => {
      see(at('f'));
      fs.closeSync(fs.openSync(at('f'), 'r+'));
    },
    chmod: () => {
      see(at('f'));
      // A directory that cannot be searched stays pending, even if it was seen.
      fs.chmodSync(at('f'), (fs.statSync(at('f')).isDirectory() ? 0o700 : 0o600) + (n % 8));
    },
    chmodParent: () => chmodOwn('d', 0o700 + (n % 8) * 8),
    touch: () => {
      see(at('f'));
      fs.utimesSync(at('f'), n, n);
    },
    link: () => {
      see(at('l'));
      fs.rmSync(at('l'), { force: true });
      fs.symlinkSync(token, at('l'));
    },
    hardLink: () => {
      see(at('f'));
      see(at('f2'));
      fs.linkSync(at('f'), at('f2'));
    },
    writeLink: () => {
      see(at('f'));
      write('f2');
    },
    removeDir: () => drop('d'),
    remakeDir: () => {
      drop('d');
      fs.mkdirSync(at('d'));
      write('d/k');
    },
    newDeep: () => write('d/e/n'),
    newOther: () => write(`d/e/${token}`),
    writeDeep: () => write('d/e/h'),
    dirToFile: () => {
      drop('d');
      write('d');
    },
    fileToDir: () => {
      see(at('f'));
      fs.unlinkSync(at('f'));
      fs.mkdirSync(at('f'));
      write('f/x');
    },
    swapDir: () => {
      for (const path of [...tree(fs, at('d')), at('d/e'), at('d/k')]) see(path);
      fs.mkdirSync(at(`s${token}/e`), { recursive: true });
      fs.writeFileSync(at(`s${token}/k`), token);
      fs.renameSync(at('d'), at(`old${token}`));
      fs.renameSync(at(`s${token}`), at('d'));
    },
    gitCheckout: () => {
      for (const path of [...tree(fs, at('f')), ...tree(fs, at('d')), at('d/k'), at('d/e'), at('d/e/h')])
        see(path);
      checkout(dir, token);
    },
    look: () => {
      for (const path of tree(fs, dir)) see(path);
    },
    see: () => see(at(token)),
    // An editor that saves keeps the old file under another name.
    backup: () => {
      for (const name of ['f', 'o']) see(at(name));
      fs.renameSync(at('f'), at('o'));
      write('f');
    },
    backupDeep: () => {
      for (const name of ['d/k', 'd/m']) see(at(name));
      fs.renameSync(at('d/k'), at('d/m'));
      write('d/k');
    },
    moveDown: () => {
      for (const name of ['f', 'd/m']) see(at(name));
      fs.renameSync(at('f'), at('d/m'));
    },
    moveUp: () => {
      for (const name of ['d/k', 'f']) see(at(name));
      fs.renameSync(at('d/k'), at('f'));
    },
    cut: () => {
      see(at('f'));
      fs.truncateSync(at('f'), n % 20);
    },
    again: () => {
      see(at('f'));
      fs.writeFileSync(at('f'), fs.readFileSync(at('f')));
    },
    stamp: () => {
      see(at('f'));
      const time = [0, -1, 2 ** 31 + 0.123456789, 1e9 + 0.000000001][n % 4] ?? 0;
      fs.utimesSync(at('f'), time, time);
    },
    setgid: () => chmodOwn('d', 0o2700 + (n % 8) * 8),
    oddName: () => write(n % 2 === 0 ? 'd/-\n"\u0301' : `d/${'n'.repeat(255)}`),
    dirToLink: () => {
      drop('d');
      fs.symlinkSync(n % 2 === 0 ? token : '..', at('d'));
    },
    copyDir: () => {
      for (const path of tree(fs, at('d'))) see(path);
      fs.cpSync(at('d'), at(`t${token}`), { recursive: true, preserveTimestamps: true });
      drop('d');
      fs.renameSync(at(`t${token}`), at('d'));
    },
    log: () => {
      write('db-wal');
      write('db-shm');
    },
    checkpoint: () => {
      write('db');
      for (const name of ['db-wal', 'db-shm']) {
        see(at(name));
        fs.rmSync(at(name), { force: true });
      }
    },
  };
  const work = ops[op];
  if (work === undefined) throw new Error(`expected an operation, found ${op}`);
  try {
    work();
    return true;
  } catch {
    // Another operation removed what this one needs.
    return false;
  }
}

export const OPS = [
  ...[
    'write',
    'append',
    'replace',
    'replaceDeep',
    'remove',
    'openOnly',
    'chmod',
    'chmodParent',
    'touch',
    'link',
  ],
  ...['hardLink', 'writeLink', 'removeDir', 'remakeDir', 'newDeep', 'newOther', 'writeDeep', 'dirToFile'],
  ...['fileToDir', 'swapDir', 'log', 'checkpoint', 'gitCheckout'],
  ...[
    'backup',
    'backupDeep',
    'moveDown',
    'moveUp',
    'cut',
    'again',
    'stamp',
    'setgid',
    'oddName',
    'dirToLink',
    'copyDir',
  ],
];

/** What a program in the sandbox may do besides. */
export const HELD_OPS = [...OPS, 'hold', 'hold'];

/**
 * A branch switch of git: replaces tracked files, removes those that the other branch does not have, and
 * directories that become empty. Tracked are f, d/k and d/e/h; the other branch has none of them.
 */
export const CHECKOUT = `
export GIT_DIR=$1 GIT_WORK_TREE=$2 GIT_INDEX_FILE=$1/index.$3 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
blob=$(printf %s "$3" | git hash-object -w --stdin)
add() { git update-index --add --cacheinfo "100644,$blob,$1"; }
case $3 in *[02468]) add f; add d/k; gone=d/e/h;; *) add d/k; add d/e/h; gone=f;; esac
tree=$(git write-tree)
add "$gone"
git read-tree --reset -u "$tree"`;

/** For both sides: runs it in `repo`, which no sandbox covers. */
export function checkoutWith(
  execFileSync: typeof ChildProcess.execFileSync,
  script: string,
  repo: string,
): (dir: string, token: string) => void {
  return (dir, token) =>
    void execFileSync('sh', ['-ec', script, 'sh', repo, dir, token], { cwd: dir, stdio: 'ignore' });
}

/** The initial content of a directory. */
export function populate(fs: typeof Fs, dir: string): void {
  fs.mkdirSync(`${dir}/d/e`, { recursive: true });
  for (const name of ['f', 'd/k', 'd/e/h', 'db', 'db-wal', 'db-shm'])
    fs.writeFileSync(`${dir}/${name}`, `first ${dir} ${name}`);
  fs.symlinkSync(`first ${dir}`, `${dir}/l`);
}

/** The program in the sandbox: reads a line of steps, answers a line of what it saw and what it did. */
export const INSIDE = `
const fs = require('node:fs');
const stateOf = ${stateOf.toString()};
const treeOf = ${treeOf.toString()};
const perform = ${perform.toString()};
const checkoutWith = ${checkoutWith.toString()};
const checkout = checkoutWith(require('node:child_process').execFileSync, ${JSON.stringify(CHECKOUT)}, process.env.TRAI_REPO);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [seen, done] = [[], []];
  for (const step of JSON.parse(line))
    if (perform(fs, treeOf, step, (path) => seen.push({ path, state: stateOf(fs, path) }), checkout)) done.push(step[1]);
  process.stdout.write(JSON.stringify({ seen, done }) + '\\n');
});
process.stdout.write('{}\\n');
`;
