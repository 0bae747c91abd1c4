/**
 * `npm start`: a demo session, without Claude Code. Makes a scratch project, runs a handful of commands in the sandbox,
 * starts the server and prints the dashboard's address. Ctrl-C ends and removes everything that it made.
 */
import path from 'node:path';
import { endAll, isEnding } from '../lib/exec.ts';
import { serveFake } from '../lib/fake.ts';
import { ROOT } from '../lib/root.ts';
import { ensureDist, makeTrai, startInSession, startServer, type Trai, trai } from '../lib/trai.ts';
import { DEMO_COMMANDS, type DemoCommand, LONG_COMMAND, makeProject } from './demo.ts';

const SESSION = 'demo';
const NOT_ENTERED = 125;

function announce({ title, command }: DemoCommand): void {
  console.log(`\n# ${title}\n$ ${command}`);
}

/** Runs the commands one after the other; false when the sandbox could not be entered, and so nothing ran. */
async function runCommands(on: Trai): Promise<boolean> {
  for (const demo of DEMO_COMMANDS) {
    announce(demo);
    const { status } = await startInSession(on, SESSION, demo.command, 'show').ended;
    if (status === NOT_ENTERED) return false;
    if (status !== demo.status)
      throw new Error(`expected exit status ${demo.status} of this command, found ${status}`);
    if (status !== 0) console.log(`(exit status ${status})`);
  }
  announce(LONG_COMMAND);
  startInSession(on, SESSION, LONG_COMMAND.command, 'ignore');
  return true;
}

/** Where no sandbox can be entered: doctor says why, and a recorded session shows what there would be to see. */
async function showRecorded(on: Trai): Promise<void> {
  console.log(
    '\nThe sandbox cannot be entered on this machine; nothing of the commands was run. trai doctor says:\n',
  );
  await trai(on, ['doctor'], 'show');
  const site = await serveFake(0);
  console.log(`\nA recorded session, to look at only: ${site.url}\nCtrl-C ends it.`);
  await new Promise(() => {});
}

async function main(): Promise<void> {
  await ensureDist();
  const on = makeTrai('demo');
  await makeProject(on.project);
  console.log(`Scratch project: ${on.project}`);
  const server = await startServer(on);
  if (!(await runCommands(on))) {
    await server.stop();
    return await showRecorded(on);
  }
  console.log(`\nNothing of this is in ${on.project} yet. Look at it, commit it or discard it:`);
  const ui = await trai(on, ['ui', '--session', SESSION], 'show');
  // Inside Claude Code it is refused, since the address would be the model's too; the page then asks for digits.
  if (ui.status !== 0) console.log(`The dashboard is at http://127.0.0.1:${server.port}/`);
  console.log(`\nA new address, or anything else, from another terminal in that project:`);
  console.log(`  TRAI_STATE_HOME=${on.state} ${path.join(ROOT, 'bin/trai')} ui --print`);
  console.log('\nCtrl-C stops the server and removes the project and the session.');
  const { status } = await server.ended;
  if (!isEnding()) throw new Error(`the server ended by itself, with status ${status}`);
}

/** npm that is ended leaves its script behind: nobody would end the demo then. */
function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.kill(process.pid, 'SIGHUP');
  }, 1_000).unref();
}

try {
  endWithNpm();
  await main();
} catch (error) {
  // What is interrupted fails, and that is no news to who interrupted it.
  if (!isEnding()) {
    console.error(`start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
} finally {
  await endAll();
}
