/**
 * A popup of the client's terminal that shows `trai answer N` for a question (`"rules": {"popup": true}`). It ends with its
 * question, however that ends, since `trai answer N` does.
 *
 *     popupIn     the client's environment, outside of sandboxes -> the terminal's program and its arguments
 *     Popups      one after the other in a terminal: tmux shows one at a time
 *
 * Arguments are given as such, never as a text for a shell, and none of them is of a question's text.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { lstatOrNone } from '../../core/kernel/fs/entry.ts';
import { orNull } from '../../core/kernel/fs/port.ts';
import { processEnvironment, processLink, processStat } from '../../core/kernel/proc/proc.ts';
import { isReplaceable, rootUids } from '../../core/kernel/proc/trusted-path.ts';
import { upperOf } from '../../core/scan/lookup/resolve.ts';
import { fromText } from '../../shared/bytes.ts';
import type { HookSession } from '../hooks/world/world.ts';
import type { Held } from './held.ts';

export interface Popup {
  program: 'tmux' | 'kitty' | 'wezterm';
  args: readonly string[];
  /** Beside the scrubbed environment. */
  env: Readonly<Record<string, string>>;
  /** In which one popup is open at a time. */
  terminal: string;
}

/** Null where the client runs in none of these terminals, or their variables have another form. */
export function popupIn(environ: ReadonlyMap<string, string>, command: readonly string[]): Popup | null {
  return inTmux(environ, command) ?? inKitty(environ, command) ?? inWezterm(environ, command);
}

function inTmux(environ: ReadonlyMap<string, string>, command: readonly string[]): Popup | null {
  const socket = /^(\/.+),\d+,\d+$/s.exec(environ.get('TMUX') ?? '')?.[1];
  const pane = environ.get('TMUX_PANE') ?? '';
  if (socket === undefined || !/^%\d{1,9}$/.test(pane)) return null;
  const size = ['-w', '80%', '-h', '80%'];
  // To tmux a semicolon at the end of an argument ends a command.
  const args = command.map((word) => word.replace(/;$/, '\\;'));
  return {
    program: 'tmux',
    args: ['-S', socket, 'display-popup', '-E', '-t', pane, ...size, ...args],
    env: {},
    terminal: `tmux ${socket}`,
  };
}

/** A socket of this machine only: remote control by the terminal itself needs its escape codes. */
function inKitty(environ: ReadonlyMap<string, string>, command: readonly string[]): Popup | null {
  const to = environ.get('KITTY_LISTEN_ON') ?? '';
  if (!/^unix:[/@]./s.test(to)) return null;
  const window = environ.get('KITTY_WINDOW_ID') ?? '';
  const where = /^\d{1,9}$/.test(window) ? [`--match=window_id:${window}`] : [];
  return {
    program: 'kitty',
    args: ['@', `--to=${to}`, 'launch', '--type=overlay', ...where, ...command],
    env: {},
    terminal: `kitty ${to} ${window}`,
  };
}

function inWezterm(environ: ReadonlyMap<string, string>, command: readonly string[]): Popup | null {
  const pane = environ.get('WEZTERM_PANE') ?? '';
  const socket = environ.get('WEZTERM_UNIX_SOCKET') ?? '';
  if (!/^\d{1,9}$/.test(pane) || !isAbsolute(socket)) return null;
  return {
    program: 'wezterm',
    args: ['cli', 'split-pane', '--pane-id', pane, '--bottom', '--percent', '50', '--', ...command],
    env: { WEZTERM_UNIX_SOCKET: socket },
    terminal: `wezterm ${socket} ${pane}`,
  };
}

export interface PopupParts {
  stateDir: string;
  /** The server's. */
  env: NodeJS.ProcessEnv;
  /** Spellings of bin/trai. */
  programs: readonly string[];
  isOpen(question: string): boolean;
}

const KEPT = ['HOME', 'PATH', 'LANG', 'LC_ALL', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'];

interface Waiting {
  question: string;
  program: string;
  popup: Popup;
}

export class Popups {
  readonly #parts: PopupParts;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(parts: PopupParts) {
    this.#parts = parts;
  }

  /** Best effort: where no popup can be shown, the question stands in its other places. */
  open({ question, session, client }: Held): void {
    const environ = client === null ? null : outerEnvironment(client.pid);
    const { env, programs } = this.#parts;
    const find = (names: readonly string[]) => trustedProgram(names, session);
    const [clean, trai] = [find(onPath('env', env)), find(programs)];
    if (environ === null || clean === null || trai === null) return;
    const command = [
      clean,
      '-i',
      ...this.#variables('TERM=xterm-256color'),
      trai,
      'answer',
      String(question.n),
    ];
    const popup = popupIn(environ, command);
    const program = popup === null ? null : find(onPath(popup.program, env));
    if (popup === null || program === null) return;
    const waiting = this.#waiting.get(popup.terminal) ?? [];
    this.#waiting.set(popup.terminal, waiting);
    waiting.push({ question: question.id, program, popup });
    if (waiting.length === 1) this.#next(popup.terminal);
  }

  /** The first one that is still a question. */
  #next(terminal: string): void {
    const waiting = this.#waiting.get(terminal) ?? [];
    while (waiting[0] !== undefined && !this.#parts.isOpen(waiting[0].question)) waiting.shift();
    const [first] = waiting;
    if (first === undefined) {
      this.#waiting.delete(terminal);
      return;
    }
    const child = spawn(first.program, first.popup.args, {
      env: { ...Object.fromEntries(this.#variables().map(splitVariable)), ...first.popup.env },
      stdio: 'ignore',
      detached: true,
    });
    child.unref();
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      waiting.shift();
      this.#next(terminal);
    };
    child.once('error', over);
    child.once('close', over);
  }

  /** All that the programs get: nothing of what the server or the terminal was started with. */
  #variables(...more: string[]): string[] {
    const { env, stateDir } = this.#parts;
    const own = KEPT.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
    return [...own, `TRAI_STATE_HOME=${stateDir}`, ...more];
  }
}

/**
 * Of the process, or of its next ancestor that is in no sandbox: what a sandbox starts could name a socket of its own making,
 * and a program of the host believes whoever listens there. Null where it cannot be read.
 */
export function outerEnvironment(pid: number): ReadonlyMap<string, string> | null {
  const own = processLink('self', 'ns/mnt');
  for (let at = pid; at > 1; at = processStat(at)?.parent ?? 0)
    if (own !== null && processLink(at, 'ns/mnt') === own) return processEnvironment(at);
  return null;
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

function onPath(name: string, env: NodeJS.ProcessEnv): string[] {
  const dirs = (env['PATH'] ?? '').split(':').filter(isAbsolute);
  return dirs.map((dir) => join(dir, name));
}

/** The first that is a program of root's or of the user's own, which no other user could have put there, and no call has changed. */
export function trustedProgram(names: readonly string[], session: Pick<HookSession, 'view'>): string | null {
  const owners = [...rootUids(), process.getuid?.() ?? 0];
  const isTrusted = (name: string): boolean => {
    const real = realpathSync(name);
    accessSync(real, constants.X_OK);
    if (!lstatSync(real).isFile() || isReplaceable(real, owners, constants.S_IWOTH)) return false;
    return !isPending(session, real);
  };
  return names.find((name) => orNull(() => isTrusted(name)) === true) ?? null;
}

/** What cannot be looked at may be. */
function isPending(session: Pick<HookSession, 'view'>, path: string): boolean {
  try {
    const view = session.view();
    const upper = view === null ? null : upperOf(view, fromText(path));
    return upper !== null && lstatOrNone(upper) !== null;
  } catch {
    return true;
  }
}
