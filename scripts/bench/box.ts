import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { boxArgs } from '../../core/box/argv.ts';
import { PROXY_PORT } from '../../core/box/network/network-record.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { BoxRow } from '../../shared/model/box.ts';
import { ROOT } from '../lib/root.ts';
import { makeTrai, startServer, type Trai } from '../lib/trai.ts';
import { makeProject } from '../start/demo.ts';
import { bareEntry } from './calls.ts';
import { must } from './plugin-session.ts';
import type { Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const PROGRAM = path.join(ROOT, 'bin/trai');
const CLIENT = ['claude', '--', '--version'];
const BOX = ['box', '-y', '--shell', '--', 'true'];

/** The mounts of that box for bwrap alone, where the bare overlays are. Returns the file of the arguments. */
function bareBox(on: Trai): string {
  const said = must('bash', [PROGRAM, 'box', '--shell', '--dry-run', '--json'], on);
  const { rows } = JSON.parse(said) as { rows: BoxRow[] };
  const state = fromText(on.state);
  const [instance = ''] = readdirSync(path.join(on.state, 'box'));
  const inside = `${state}/instance`;
  const file = path.join(on.state, '../box-args');
  const copy = path.join(on.state, '../.claude.json');
  writeFileSync(copy, '{}');
  const bare = rows
    .filter(({ to }) => !to.startsWith(state))
    .map((row) => ({ ...row, from: sourceOf(row.from) }));
  writeFileSync(file, boxArgs({ rows: bare, cwd: fromText(on.project), net: 'open', newSession: true }));
  return file;

  function sourceOf(from: BytePath | null): BytePath | null {
    if (from === null || !from.startsWith(inside)) return from;
    if (from.endsWith('.claude.json')) return fromText(copy);
    return fromText(`${on.state}/box/${instance}${from.slice(inside.length)}`);
  }
}

const MEGABYTES = 1_000;
/** Sends so much to whoever connects, and says its port. */
const SOURCE = `
const chunk = Buffer.alloc(1 << 18);
const server = require('node:net').createServer((socket) => {
  let left = ${MEGABYTES} << 20;
  const send = () => {
    while (left > 0) {
      left -= chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', send);
    }
    socket.end();
  };
  socket.on('error', () => undefined);
  send();
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** In a box: ms for all that comes after the request. */
function received(on: Trai, net: string, port: number, request: string): number {
  const script = [
    `exec 5<>/dev/tcp/127.0.0.1/${port}`,
    `printf '${request}' >&5`,
    't=$EPOCHREALTIME',
    'cat <&5 | wc -c >&2',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a shell text
    'printf "%d" $((${EPOCHREALTIME//[!0-9]/} - ${t//[!0-9]/}))',
  ].join('; ');
  const words = ['box', '-y', '--net', net, '--shell', '--', 'bash', '-c', script];
  return Number(must('bash', [PROGRAM, ...words], on)) / 1_000;
}

/** Through the proxy of a box, beside a direct connection out of a box. */
async function throughProxy(on: Trai, rounds: number): Promise<Result> {
  const source = spawn(process.execPath, ['-e', SOURCE], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = await once(source.stdout, 'data');
    const port = Number(String(said));
    const config = path.join(on.env['XDG_CONFIG_HOME'] ?? path.join(on.env['HOME'] ?? '', '.config'), 'trai');
    mkdirSync(config, { recursive: true });
    const network = { allow: [`127.0.0.1:${port}`] };
    writeFileSync(path.join(config, 'config.json'), JSON.stringify({ box: { network } }));
    const samples = await interleave(rounds, {
      proxy: () => received(on, 'list', PROXY_PORT, `CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n`),
      direct: () => received(on, 'open', port, ''),
    });
    return {
      what: `${MEGABYTES} MB into a box, --net list`,
      values: samples['proxy'] ?? [],
      unit: 'ms',
      target: null,
      peer: { name: '--net open', values: samples['direct'] ?? [], atMost: 3 },
    };
  } finally {
    source.kill();
  }
}

/** A start of each, with a client that does nothing, beside Node's start and the same mounts by util-linux and bwrap. */
export async function benchBox(rounds: number): Promise<Result[]> {
  const made = makeTrai('box');
  await makeProject(made.project);
  const home = path.join(made.state, '../home');
  const bin = path.join(home, '.local/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\necho 1\n', { mode: 0o755 });
  const on: Trai = { ...made, env: { ...made.env, HOME: home, PATH: `${bin}:${made.env['PATH']}` } };
  const server = await startServer(on);
  const trai = (words: readonly string[]) => must('bash', [PROGRAM, ...words], on);
  trai(['claude', '--session', 'first', '--', '--version']);
  trai(BOX);
  const bare = bareEntry(on, 'first');
  const args = bareBox(on);
  const peer = (command: string) =>
    timed(() => must('bash', ['-c', `${bare.line}node -e 0; ${command}`], bare.on));
  const samples = await interleave(rounds, {
    claude: () => timed(() => trai(CLIENT)),
    bareClaude: () => peer('claude --version'),
    box: () => timed(() => trai(BOX)),
    bareBox: () => peer(`bwrap --args 3 -- true 3<'${args}'`),
  });
  const throughput = await throughProxy(on, Math.min(rounds, 5));
  await server.stop();
  const of = (name: string) => samples[name] ?? [];
  const row = (words: readonly string[], name: string, beside: string, mounts: string): Result => ({
    what: `trai ${words.join(' ')}`,
    values: of(name),
    unit: 'ms',
    target: null,
    peer: { name: `node -e 0 and ${mounts}`, values: of(beside), atMost: null, atMostMore: 40 },
  });
  return [
    row(CLIENT, 'claude', 'bareClaude', 'bare overlays'),
    row(BOX, 'box', 'bareBox', 'bare overlays, bwrap'),
    throughput,
  ];
}
