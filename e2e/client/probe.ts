import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';

/** One event as a hook of the probe got it. */
export type Seen = Readonly<Record<string, unknown>> & {
  hook_event_name: string;
};

/** What a hook of the probe says to one event; `hold`: first waits until `release` or its end. */
export interface ProbeAnswer {
  say?: Readonly<Record<string, unknown>>;
  hold?: boolean;
}

const SCRIPT = `#!/bin/bash
D=$HOME/probe; E=$1
printf '%s\\n' "$(cat)" >>"$D/seen.jsonl"
if [[ -e $D/hold.$E ]]; then
  for S in TERM INT HUP; do trap "echo '{\\"hook_event_name\\":\\"signal\\",\\"signal\\":\\"$S\\"}' >>'$D/seen.jsonl'; exit 1" $S; done
  until [[ -e $D/release ]]; do sleep 0.05; done
fi
[[ ! -e $D/say.$E ]] || cat "$D/say.$E"
`;

/** A plugin whose only work is to write down what its hooks get and to answer as told: for facts about the client. */
export class Probe {
  readonly plugin: string;
  readonly #bench: Bench;

  constructor(bench: Bench, events: readonly string[]) {
    this.#bench = bench;
    this.plugin = path.join(bench.base, 'probe-plugin');
    bench.write(`${this.plugin}/.claude-plugin/plugin.json`, '{"name":"probe","version":"1.0.0"}');
    bench.write(`${this.plugin}/probe.sh`, SCRIPT);
    const hook = (event: string) => ({
      type: 'command',
      command: 'bash',
      args: [`${this.plugin}/probe.sh`, event],
    });
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [hook(event)] }]]));
    bench.write(`${this.plugin}/hooks/hooks.json`, JSON.stringify({ hooks }));
    bench.write('probe/seen.jsonl', '');
  }

  answer(event: string, { say, hold }: ProbeAnswer): void {
    if (say !== undefined) this.#bench.write(`probe/say.${event}`, JSON.stringify(say));
    if (hold === true) this.#bench.write(`probe/hold.${event}`, '');
  }

  release(): void {
    this.#bench.write('probe/release', '');
  }

  seen(event?: string): Seen[] {
    const file = path.join(this.#bench.home, 'probe/seen.jsonl');
    if (!existsSync(file)) return [];
    const all = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Seen);
    return event === undefined ? all : all.filter((one) => one.hook_event_name === event);
  }
}
