import type { HttpBindings } from '@hono/node-server';
import type { Handlers, Input } from '../../shared/api/contract.ts';
import type { Answered } from '../../shared/model/question.ts';
import type { InsideDoors } from '../auth/inside-doors.ts';
import type { Peers } from '../auth/peers/peers.ts';
import type { BrowserCredentials, FailureLimit, OneTimeCodes, Pairings } from '../auth/sign-in.ts';
import type { ContentSource } from '../content/contents.ts';
import type { EventHub } from '../events/hub.ts';
import type { InsideAsker } from '../hooks/claim/claim.ts';
import type { HookAnswer, HookEvent, HookHeaders } from '../hooks/world/answer.ts';
import type { StaticFile } from './static-files.ts';

export interface ServerBackend extends Handlers, ContentSource {}

/** A `bin/trai`, a process of the user's outside of sessions that asks itself. */
export interface ClientAsker {
  pid: number;
  /** Byte strings. */
  words: readonly string[];
  hasLeft: () => boolean;
}

export interface AppDeps {
  /** Known only after listen(). */
  port: () => number;
  version: string;
  /** The hook credential and the proof, see docs/protocol.md. */
  hook: string;
  proof: string;
  inside: InsideDoors;
  browsers: BrowserCredentials;
  codes: OneTimeCodes;
  pairings: Pairings;
  failures: FailureLimit;
  peers: Peers;
  hub: EventHub;
  backend: ServerBackend;
  /** Never throws: a failure is an answer too. */
  hookEvent: (event: HookEvent, body: Buffer, headers: HookHeaders) => Promise<HookAnswer>;
  /** The text after the proof line; `inside`: the session whose own client asks. Never throws. */
  claim: (body: Buffer, inside: InsideAsker | null) => Promise<string>;
  /** Of the command `name`: for exactly `what` (`ui 483920`), or null for the last one. False when there is no permit. */
  usePermit: (session: string, name: string, what: string | null) => Promise<boolean>;
  /** An answer of `trai answer`; `typed`: the text of the permit for it. */
  answer: (given: Input<'answerQuestion'>, typed: string | null) => Promise<Answered>;
  /** Of a box whose first process this is; see BoxNetworks.open. */
  openNetwork: (session: string, pid: number) => Promise<void>;
  /** Those that `bin/trai` waits for; see Clients. Null = not done. */
  client: Record<'start' | 'end', (asker: ClientAsker) => Promise<string | null>> & {
    serve: (session: string) => void;
  };
  /** A browser is about to open this session. Never throws. */
  expectTab: (session: string) => void;
  /** A newer version takes over: finish running work and exit. */
  drain: () => void;
  touch: () => void;
  web: ReadonlyMap<string, StaticFile>;
  /** The page with the user's settings in it. Never throws. */
  page: (body: Uint8Array) => string;
  report: (thrown: unknown) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    credential: number;
  };
}
