/** Python for what Node has no call for: extended attributes, file modes that only the root of a namespace may read. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { asRoot } from '../changes/changes.ts';

const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable, end="")'], {
  encoding: 'utf8',
});
export const hasPython = python.status === 0;
/** Appended to the name of a skipped test. */
export const NO_PYTHON = hasPython ? '' : ' (skipped: python3 is not installed)';
/** The program itself: a version manager's shim takes five times as long to start. */
export const PYTHON = hasPython ? python.stdout : 'python3';
/** Without the packages of machine and user: looking for them takes longer than the rest of the start. */
export const PLAIN = ['-I', '-S'];
/** As words of a shell. */
export const PLAIN_PYTHON = `'${PYTHON}' ${PLAIN.join(' ')}`;

/** Answers each line `[script, dir, arguments]` with `LENGTH FAILED\n` and that many bytes. */
const ANSWERS = `
import io, json, os, sys, traceback
asked, answers = open(sys.argv[1], 'rb'), open(sys.argv[2], 'wb')
programs = {}
for line in asked:
    script, cwd, args = json.loads(line)
    out, failed = io.StringIO(), 0
    try:
        if script not in programs: programs[script] = compile(script, 'script', 'exec')
        os.chdir(cwd); sys.stdout = out; sys.argv = [''] + args
        exec(programs[script], {})
    except BaseException:
        traceback.print_exc(file=out); failed = 1
    sys.stdout = sys.__stdout__; os.chdir('/')
    data = out.getvalue().encode('utf-8', 'surrogateescape')
    answers.write(b'%d %d\\n' % (len(data), failed) + data); answers.flush()
`;

let interpreter: { ask: number; answer: number } | null = null;

function start(): { ask: number; answer: number } {
  const dir = mkdtempSync(`${tmpdir()}/trai-python-`);
  try {
    const names = [`${dir}/ask`, `${dir}/answer`];
    execFileSync('mkfifo', names);
    const enter = asRoot ? [] : ['unshare', '--user', '--map-root-user'];
    const [program = '', ...args] = [...enter, PYTHON, ...PLAIN, '-c'];
    // Fails where it can't run; opening the pipes would wait for it without end.
    execFileSync(program, [...args, '']);
    // It ends with this process, whose end of the first pipe is then closed.
    spawn(program, [...args, ANSWERS, ...names], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
    }).unref();
    return { ask: openSync(names[0] ?? '', 'w'), answer: openSync(names[1] ?? '', 'r') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function read(fd: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(fd, data, at, length - at, null);
    if (count === 0) throw new Error('python ended early');
    at += count;
  }
  return data;
}

/**
 * The output of a script, as the root of a user namespace unless this is root. One interpreter runs all of
 * them, as starting one takes longer than most scripts.
 */
export function runPython(script: string, cwd: string, ...args: string[]): string {
  interpreter ??= start();
  writeSync(interpreter.ask, `${JSON.stringify([script, cwd, args])}\n`);
  let head = '';
  while (!head.endsWith('\n')) head += read(interpreter.answer, 1).toString();
  const [length, failed] = head.split(' ').map(Number);
  const output = read(interpreter.answer, length ?? 0).toString();
  if (failed === 0) return output;
  for (const fd of Object.values(interpreter)) closeSync(fd);
  interpreter = null;
  throw new Error(output);
}
