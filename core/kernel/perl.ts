/**
 * System calls that Node lacks, by a perl process. To start any program costs this process 5 to 20 ms, as fork(2) copies
 * its page tables; so a transaction keeps one perl for all that it asks (`keepPerl`). Without perl: null.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { plainEnv, run } from './run.ts';

/** System call numbers of 64-bit programs; perl has no names for them. */
interface SystemCalls {
  get: string;
  list: string;
  set: string;
  remove: string;
  lget: string;
  llist: string;
  lremove: string;
  syncfs: string;
}
const X64: SystemCalls = {
  get: '191',
  list: '194',
  set: '188',
  remove: '197',
  lget: '192',
  llist: '195',
  lremove: '198',
  syncfs: '306',
};
const GENERIC: SystemCalls = {
  get: '8',
  list: '11',
  set: '5',
  remove: '14',
  lget: '9',
  llist: '12',
  lremove: '15',
  syncfs: '267',
};
const CALLS: Partial<Record<string, SystemCalls>> = {
  x64: X64,
  arm64: GENERIC,
  riscv64: GENERIC,
  loong64: GENERIC,
};

/** The text of a program that reads `$input` (bytes), appends its answer to `$out`, and calls `syscall($call[0], ...)`. */
export interface PerlProgram {
  text: string;
  /** Those in `@call`. */
  calls: readonly (keyof SystemCalls)[];
}

/** Perl accepts no constant as an argument of syscall. */
const PRELUDE = `
exit 3 unless length(pack("p", "")) == 8;
my $max = 65536; my $names = "\\0" x $max; my $v = "\\0" x $max;`;

const ONCE =
  'my @call = map { $_ + 0 } @ARGV; my $out = ""; binmode STDIN; my $input = do { local $/; <STDIN> };';

/**
 * Reads requests: a line with the lengths of program and input and the numbers of `@call`, then both. Prints the length
 * of the answer, a line feed and the answer; -1 when the program fails.
 */
const SERVE = `
binmode STDIN; binmode STDOUT; $| = 1;
while (defined(my $head = <STDIN>)) {
  my ($p, $i, @call) = map { $_ + 0 } split " ", $head; my ($program, $input, $out) = ("", "", "");
  last unless read(STDIN, $program, $p) == $p && read(STDIN, $input, $i) == $i;
  print eval("$program; 1") ? length($out) . "\\n$out" : "-1\\n"; chdir "/"; }`;

/** Null on processors whose call numbers are unknown. */
function numbersOf({ calls }: PerlProgram): string[] | null {
  const numbers = CALLS[process.arch];
  return numbers === undefined ? null : calls.map((call) => numbers[call]);
}

function argsOf(program: PerlProgram): string[] | null {
  const numbers = numbersOf(program);
  return numbers === null ? null : ['-e', `${ONCE}${PRELUDE}${program.text}\nprint $out;`, ...numbers];
}

/** By a process of its own, waiting for it. `fd` becomes its descriptor 3. Texts are byte strings. */
export function perl(program: PerlProgram, input: string, fd?: number): string | null {
  const args = argsOf(program);
  if (args === null) return null;
  const { status, stdout } = spawnSync('perl', args, {
    input: Buffer.from(input, 'latin1'),
    stdio: ['pipe', 'pipe', 'ignore', ...(fd === undefined ? [] : [fd])],
    encoding: 'latin1',
    env: plainEnv(),
    cwd: '/',
    maxBuffer: 512 * 1024 * 1024,
  });
  return status === 0 ? stdout : null;
}

let kept: KeptPerl | null = null;
let keepers = 0;

/** While `work` runs, `askPerl` asks one process, which its first question starts. */
export async function keepPerl<T>(work: () => Promise<T>): Promise<T> {
  keepers++;
  try {
    return await work();
  } finally {
    keepers--;
    if (keepers === 0) {
      kept?.end();
      kept = null;
    }
  }
}

export function isPerlKept(): boolean {
  return keepers > 0;
}

/** The same while the caller goes on. Never rejects. Answers come in the order of the questions. */
export async function askPerl(program: PerlProgram, input: string): Promise<string | null> {
  const bytes = Buffer.from(input, 'latin1');
  if (keepers > 0) {
    kept ??= new KeptPerl();
    const first = kept;
    const answer = await first.ask(program, bytes);
    if (answer !== null || !first.isLost || keepers === 0) return answer;
    // One that was killed: the others that waited may have started the next.
    if (kept === first) kept = null;
    kept ??= new KeptPerl();
    return await kept.ask(program, bytes);
  }
  const args = argsOf(program);
  if (args === null) return null;
  const { status, stdout } = await run('perl', args, { input: bytes, env: plainEnv(), cwd: '/' });
  return status === 0 ? stdout : null;
}

class KeptPerl {
  readonly #child: ChildProcess;
  readonly #waiting: ((answer: string | null) => void)[] = [];
  #chunks: Buffer[] = [];
  #read = 0;
  /** Bytes until the answer that is being read is whole; 1 before its length is known. */
  #wanted = 1;
  #isOver = false;
  #hasAnswered = false;

  constructor() {
    // A process group of its own, as `run` gives. It ends with its input, also when this process dies.
    this.#child = spawn('perl', ['-e', SERVE], {
      cwd: '/',
      env: plainEnv(),
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stdin?.on('error', () => {});
    this.#child.on('error', () => this.#fail());
    this.#child.on('close', () => this.#fail());
  }

  /** It has worked, and is gone. One that has never answered is not there, or cannot run. */
  get isLost(): boolean {
    return this.#isOver && this.#hasAnswered;
  }

  async ask(program: PerlProgram, input: Buffer): Promise<string | null> {
    const numbers = numbersOf(program);
    if (numbers === null || this.#isOver) return null;
    const text = Buffer.from(`${PRELUDE}${program.text}`, 'latin1');
    const head = Buffer.from(`${[text.length, input.length, ...numbers].join(' ')}\n`, 'latin1');
    return await new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.stdin?.write(Buffer.concat([head, text, input]));
    });
  }

  end(): void {
    this.#child.stdin?.end();
  }

  #fail(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#read += chunk.length;
    if (this.#read < this.#wanted) return;
    let bytes = Buffer.concat(this.#chunks);
    for (this.#wanted = 1; bytes.length >= this.#wanted; ) {
      const end = bytes.indexOf('\n');
      if (end === -1) break;
      const length = Number(bytes.toString('latin1', 0, end));
      this.#wanted = end + 1 + Math.max(length, 0);
      if (bytes.length < this.#wanted) break;
      const answer = length < 0 ? null : bytes.toString('latin1', end + 1, this.#wanted);
      bytes = bytes.subarray(this.#wanted);
      this.#wanted = 1;
      this.#hasAnswered = true;
      this.#waiting.shift()?.(answer);
    }
    this.#chunks = [bytes];
    this.#read = bytes.length;
  }
}
