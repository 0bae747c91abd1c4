/** The environment of a box: a list of names. It is handed over as an environment, since everybody can read arguments. Pure. */
import type { BoxOptions } from '../../shared/config/box.ts';
import { noVariable, placeVariable } from './messages/errors.ts';
import { PROXY_PORT } from './network/network-record.ts';

type Env = Readonly<Record<string, string | undefined>>;

const NAMES: ReadonlySet<string> = new Set([
  ...[
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'PATH',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TERM',
    'COLORTERM',
    'TERM_PROGRAM',
  ],
  ...['TERM_PROGRAM_VERSION', 'NO_COLOR', 'FORCE_COLOR', 'EDITOR', 'VISUAL', 'PAGER', 'LESS', 'CI'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'all_proxy',
  ],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'API_TIMEOUT_MS', 'USE_BUILTIN_RIPGREP'],
  ...['MAX_THINKING_TOKENS', 'MAX_MCP_OUTPUT_TOKENS', 'MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT'],
  ...['TRAI_STATE_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
  ...[
    'NVM_DIR',
    'NVM_BIN',
    'VOLTA_HOME',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'RUSTUP_TOOLCHAIN',
    'GOPATH',
    'GOROOT',
    'GOBIN',
  ],
  ...[
    'PYENV_ROOT',
    'JAVA_HOME',
    'VIRTUAL_ENV',
    'NIX_PATH',
    'NIX_SSL_CERT_FILE',
    'NIX_PROFILES',
    'LOCALE_ARCHIVE',
  ],
]);
const PREFIXES = [
  'LC_',
  'ANTHROPIC_',
  'CLAUDE_CODE_',
  'DISABLE_',
  'BASH_DEFAULT_',
  'BASH_MAX_',
  'FNM_',
  'ASDF_',
  'MISE_',
  'UV_',
  'NPM_CONFIG_PREFIX',
];
/** Of the tool chains' (`UV_PUBLISH_TOKEN`, `MISE_GITHUB_TOKEN`): they come by `--env` only. */
const SECRET = /TOKEN|PASSWORD|SECRET|CREDENTIAL/;
const OF_CLIENT = /^(?:ANTHROPIC|CLAUDE_CODE)_/;
/** What a client sets for its own hooks and calls: of another client than the one that will run. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...[
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_MESSAGING_SOCKET',
  ],
  ...['CLAUDE_CODE_MESSAGING_TOKEN', 'CLAUDE_CODE_SSE_PORT'],
]);

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
const LOCAL = 'localhost,127.0.0.1,::1';
/** With `--net list`, in place of the user's own: theirs cannot be reached. */
const PROXIES = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, PROXY]),
  ),
  ALL_PROXY: SOCKS,
  all_proxy: SOCKS,
  NO_PROXY: LOCAL,
  no_proxy: LOCAL,
  NODE_USE_ENV_PROXY: '1',
};
const CONFIG_DIR = 'CLAUDE_CONFIG_DIR';
/** Of a variable: others could be lines of the screen, and commands where the dry run is pasted. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** By them the rows are made, and trai's hooks in the box find the session. */
const PLACES: ReadonlySet<string> = new Set(['HOME', 'TRAI_STATE_HOME', 'XDG_STATE_HOME', CONFIG_DIR]);

/**
 * @param allowed paths that the user allows: a variable that names one (a socket) comes along
 * @throws TraiError `bad-usage` for a name that is none, or another value for one of `PLACES`
 */
export function boxEnvironment(
  env: Env,
  { env: named, net }: Pick<BoxOptions, 'env' | 'net'>,
  allowed: readonly string[],
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isListed =
      NAMES.has(name) ||
      name === CONFIG_DIR ||
      (PREFIXES.some((prefix) => name.startsWith(prefix)) && (OF_CLIENT.test(name) || !SECRET.test(name)));
    if (
      value !== undefined &&
      NAME.test(name) &&
      !OF_OTHERS.has(name) &&
      (isListed || allowed.some((path) => names(value, path)))
    )
      made[name] = value;
  }
  if (net === 'list') Object.assign(made, PROXIES);
  for (const given of named) {
    const [, name = '', value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(given) ?? [];
    if (name === '') throw noVariable(given);
    if (value !== undefined && value !== env[name] && PLACES.has(name)) throw placeVariable(name, value);
    const found = value ?? env[name];
    if (found !== undefined) made[name] = found;
  }
  return made;
}

/** `PATH`, `unix://PATH`, or D-Bus's `unix:path=PATH,...`. */
function names(value: string, path: string): boolean {
  return (
    value === path || value === `unix://${path}` || /^unix:(?:.*,)?path=([^,;]+)/.exec(value)?.[1] === path
  );
}
