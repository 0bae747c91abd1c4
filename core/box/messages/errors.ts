/** Why a box cannot be made; core/session/messages/errors.ts has the form. Nothing ran: status 125, or 2 for a wrong option. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { BOX_NETS } from '../../../shared/config/box.ts';
import { TraiError } from '../../../shared/errors.ts';

// not-entered

const refused = (message: string, hint: string, path?: BytePath): TraiError =>
  new TraiError('not-entered', message, { hint, path: path === undefined ? undefined : toDisplay(path) });

/** @param remedy the line that installs it */
export const noBwrap = (remedy: string): TraiError =>
  refused('expected the program bwrap (bubblewrap), found none', `${remedy}\nWithout it: trai claude`);

/** @param found a text below */
export const unsafeBwrap = (path: string, found: string, remedy: string): TraiError =>
  refused(`${path} cannot be trusted: ${found}`, `${remedy}\nWithout it: trai claude`);

export const BWRAP = {
  others: (uid: number) => `it belongs to uid ${uid}, and not to root`,
  written: 'others can write to it, or to a directory above it',
  setuid: (version: string) =>
    `it is setuid root in version ${version}, which lets every user of this machine become root`,
} as const;

export const projectTooWide = (project: BytePath, what: string): TraiError =>
  refused(
    `the project would be ${toDisplay(project)}, ${what}`,
    'A box shows the project whole. Start it in the directory of one project (a git repository, or any directory of its own).',
  );

export const WIDE = {
  root: 'the root of the file system',
  home: 'your home, or a directory above it',
  scratch: 'a directory for temporary files',
  state: 'trai’s own directory',
} as const;

export const foreignRepository = (project: BytePath, repository: BytePath): TraiError =>
  refused(
    `the repository of ${toDisplay(project)} would be ${toDisplay(repository)}, which does not lead back to it: it may be another project’s`,
    'If it is its own, note that there: git worktree repair, or: git --git-dir REPOSITORY config core.worktree PROJECT',
  );

/** @param why what the mount plan says */
export const projectNotPending = (project: BytePath, why: string): TraiError =>
  refused(
    `nothing can be pending in ${toDisplay(project)}: ${why}`,
    'Let the box write there at once with --write direct, or not at all with --write read-only.',
  );

export const CANNOT_COVER = 'no overlay can lie over it (it is read-only, or FUSE, 9p, FAT ...)';

export const settingsNotPending = (dir: BytePath): TraiError =>
  refused(
    `nothing can be pending in ${toDisplay(dir)}, where Claude Code has its settings`,
    'What is written there would be yours at once. Move it out of the scratch directories, or see: trai doctor',
  );

export const settingsDirect = (dir: BytePath): TraiError =>
  refused(
    `Claude Code has its settings in the project (${toDisplay(dir)}), and --write direct would write them at once`,
    'Start the box without --write direct.',
  );

export const noHome = (home: BytePath): TraiError =>
  refused(
    `expected your home directory, found none: ${toDisplay(home)}`,
    'It is what HOME names, or else the password file. Nothing was started.',
  );

/** @param command what cannot run there */
export const alreadyInside = (command: string, where: string): TraiError =>
  refused(
    `this runs inside ${where}, and trai ${command} cannot run in it`,
    `Run trai ${command} in a terminal outside of it.`,
  );

export const INSIDE = {
  session: 'a session or a box of trai’s',
  client: 'Claude Code’s own sandbox (SANDBOX_RUNTIME=1)',
} as const;

export const otherProject = (session: string, project: BytePath): TraiError =>
  refused(
    `session ${session} is about another project: ${toDisplay(project)}`,
    'Start the box there, or without --session.',
  );

/** Of the session's view, in which it would run as root of the box's mounts. */
export const programPending = (session: string, path: BytePath): TraiError =>
  refused(
    `session ${session} has another ${toDisplay(path)} pending, and no box is made with that`,
    `Look at it (trai diff --session ${session}), then commit or discard it; or start the box in a new session.`,
  );

/** bwrap has said why on stderr. */
export const notMade = (): TraiError =>
  refused('the box could not be made, and nothing ran', 'bwrap’s own words are above. See: trai box --check');

/** @param said by mkfifo */
export const noGate = (said: string): TraiError =>
  refused(`a FIFO for the start of the box could not be made: ${said}`, 'See: trai doctor');

export const noNetwork = (why: string, hint: string | undefined): TraiError =>
  refused(`the box was not started: ${why}`, hint ?? 'Without its network: --net off, or --net open.');

// bad-usage

const wrong = (message: string, hint: string): TraiError => new TraiError('bad-usage', message, { hint });

export const allowsAll = (path: BytePath, what: string): TraiError =>
  wrong(
    `--allow ${toDisplay(path)} is ${what}`,
    'Name what the box needs. Without a box all is visible: trai claude',
  );

export const ALLOWS = {
  root: 'everything',
  state: 'trai’s own directory, or one above it',
} as const;

export const allowedMissing = (path: BytePath): TraiError =>
  wrong(
    `expected something at the path of --allow, found nothing: ${toDisplay(path)}`,
    'Nothing was started.',
  );

export const hiddenOutside = (path: BytePath, project: BytePath): TraiError =>
  wrong(
    `expected a path in the project for --hide, found ${toDisplay(path)}`,
    `The project is ${toDisplay(project)}. What lies outside of it is only there if the table of --dry-run says so.`,
  );

/** The box starts all the same. */
export const hiddenMissing = (given: string): string =>
  `--hide ${JSON.stringify(given)}: nothing is there, so nothing is hidden. Is the name right?`;

/** The box sees the host's. */
export const pendingUnseen = (session: string): string =>
  `--write direct: what session ${session} has pending in the project is not seen in the box.`;

/** Of a project's file and of profiles: what else is missing may be there later, or in another project. */
export const hiddenPattern = (path: BytePath): string =>
  `Nothing is hidden by ${toDisplay(path)}: no such name, and * is no wildcard.`;

/** Whoever owns it could change its mode in the box. */
export const hiddenWhole = (given: string, dir: BytePath): string =>
  `--hide ${JSON.stringify(given)}: you can't look into ${toDisplay(dir)}, so all of that directory is hidden.`;

export const noVariable = (given: string): TraiError =>
  wrong(
    `expected NAME or NAME=VALUE for --env, found ${JSON.stringify(given.split('=')[0])}`,
    'Nothing was started.',
  );

/** The box starts all the same. */
export const variableUnset = (name: string): string =>
  `--env ${name}: it is not set, so the box does not have it. Is it exported?`;

export const placeVariable = (name: string, value: string): TraiError =>
  wrong(
    `--env ${name} would be ${JSON.stringify(value)} inside alone, and the box is made by its value outside`,
    `Nothing was started. Give it to trai itself: ${name}=… trai box`,
  );

export const noProfile = (name: string, names: readonly string[]): TraiError =>
  wrong(
    `expected a profile of config.json, found ${JSON.stringify(name)}`,
    names.length === 0 ? 'There are none: box.profiles in config.json.' : `There are: ${names.join(', ')}`,
  );

/** @param problems what the config says of it */
export const brokenProfile = (name: string, problems: readonly string[]): TraiError =>
  wrong(
    `the profile ${JSON.stringify(name)} is not as it should be: ${problems.join(' ')}`,
    'Nothing was started. Mend it there, or start the box without --profile.',
  );

/** @param option with its dashes */
export const emptyPath = (option: string): TraiError =>
  wrong(`expected a path after ${option}, found ""`, 'Nothing was started. Is a variable empty?');

/** Of a project's trai.box.json: reported, and ignored. */
export const NARROWS = {
  widens: (key: string) =>
    `.claude/trai.box.json: ${JSON.stringify(key)} is ignored, since a project may only narrow its box (hide, net, read-only)`,
  form: (key: string) =>
    `.claude/trai.box.json: ${JSON.stringify(key)} is ignored: expected "hide": ["PATH"], "net": ${BOX_NETS.map((net) => `"${net}"`).join(' or ')}, "read-only": true`,
  outside: (path: string) =>
    `.claude/trai.box.json: hide ${JSON.stringify(path)} is ignored: not a path in the project`,
  broken: '.claude/trai.box.json is ignored: it is no JSON object of at most 64 kB in a regular file',
} as const;

/** Why an instance stays. */
export const STAYS = {
  used: 'its project is there',
  away: 'it is not there any more',
  name: 'its name is no project’s id',
  foreign: 'it is no directory of yours with mode 0700',
  record: 'its project-root is no file of yours with one absolute path',
  running: 'a box of it runs',
  pending: (session: string) => `session ${session} of it has pending changes`,
  unread: (session: string) => `session ${session} of it could not be read`,
  above: (dir: string) =>
    `the directory above its project is gone as well (${dir}): a disk that is not mounted?`,
  empty: (dir: string) =>
    `the directory above its project can’t be read, or is empty (${dir}): a disk that is not mounted?`,
} as const;
