import type { HttpBindings } from '@hono/node-server';
import type { Handlers } from '../../shared/api/contract.ts';
import type { Peers } from '../auth/peers/peers.ts';
import type { BrowserCredentials, FailureLimit, OneTimeCodes, Pairings } from '../auth/sign-in.ts';
import type { ContentSource } from '../content/contents.ts';
import type { EventHub } from '../events/hub.ts';
import type { HookAnswer, HookHeaders } from '../hooks/world/answer.ts';
import type { StaticFile } from './static-files.ts';

/** What the table says, and the files that two of its rows answer with. */
export interface ServerBackend extends Handlers, ContentSource {}

/** What the HTTP layer is wired to. */
export interface AppDeps {
  /** The port that was bound; known only after listen(). */
  port: () => number;
  version: string;
  /** The hook credential and the proof, see docs/protocol.md. */
  hook: string;
  proof: string;
  browsers: BrowserCredentials;
  codes: OneTimeCodes;
  pairings: Pairings;
  failures: FailureLimit;
  peers: Peers;
  hub: EventHub;
  backend: ServerBackend;
  /** Answers a hook event. Never throws: a failure inside is an answer too. */
  hookEvent: (event: string, body: Buffer, headers: HookHeaders) => Promise<HookAnswer>;
  /** Answers a launcher: the text after the proof line. Never throws. */
  claim: (body: Buffer) => Promise<string>;
  /**
   * Uses up the person's permit for `ui` in a session: for exactly `what` (`ui 483920`), or for what was typed last when
   * that is null. False when there is none.
   */
  useUiPermit: (session: string, what: string | null) => Promise<boolean>;
  /** Finish running work and leave: a newer version takes over. */
  drain: () => void;
  /** Something happened: the idle clock starts again. */
  touch: () => void;
  web: ReadonlyMap<string, StaticFile>;
  /** The built page as it is sent, with what stands in it of the person's settings. Never throws. */
  page: (body: Uint8Array) => Promise<string>;
  /** Writes an unexpected error to the server's log. */
  report: (thrown: unknown) => void;
}

/** What every handler of the app gets. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Of the tab that asks: set behind its check, so not for the ways to sign in. */
    credential: number;
  };
}
