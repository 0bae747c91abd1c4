/** Recorded boxes: a table of rows, what it connected to, and what boxes of all projects keep. */
import { ApiError } from '../../shared/api/api-error.ts';
import type { SessionDetail } from '../../shared/api/types.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type {
  BoxHost,
  BoxHow,
  BoxNetwork,
  BoxRecord,
  BoxRow,
  InstanceGc,
  SessionBox,
  SizedInstance,
} from '../../shared/model/box.ts';
import { NO_BOX } from '../../shared/model/box.ts';
import type { Answers, FakeSession } from './make.ts';

const STATE = '/home/kim/.local/state/trai';
const DIR = `${STATE}/box`;
const MB = 1024 ** 2;
const HOME = '/home/kim';

const row = (what: string, to: string, how: BoxHow, why: string, from: string | null = to): BoxRow => ({
  what,
  from: from === null ? null : fromText(from),
  to: fromText(to),
  how,
  why,
});

const ETC = ['passwd', 'group', 'hosts', 'resolv.conf', 'nsswitch.conf', 'ssl', 'localtime', 'ld.so.cache'];
const KEPT = ['file-history', 'plans', 'tasks', 'todos', 'backups'];

function rowsOf({ projectRoot: project }: SessionDetail): BoxRow[] {
  const kept = (what: string, to: string, name: string, why: string): BoxRow =>
    row(what, to, 'instance', why, `${STATE}/instance/${name}`);
  const own = 'what Claude Code keeps of its work, for boxes of this project';
  return [
    row('the file system', '/', 'tmpfs', 'nothing else of this machine is there', null),
    row('/dev', '/dev', 'dev', 'null, zero, random, tty and the like', null),
    row('system settings', '/etc', 'tmpfs', 'nothing of /etc but what follows', null),
    ...ETC.map((name) => row('system settings', `/etc/${name}`, 'ro', 'settings that programs need')),
    row('home', HOME, 'tmpfs', 'nothing of your home but what follows', null),
    kept('cache', `${HOME}/.cache`, 'cache/xdg', 'downloads, kept for boxes of this project'),
    row('Claude Code', `${HOME}/.claude`, 'pending', 'your settings, hooks, commands, skills and plugins'),
    ...KEPT.map((name) => kept('Claude Code', `${HOME}/.claude/${name}`, `client/${name}`, own)),
    kept('prompts', `${HOME}/.claude/history.jsonl`, 'history.jsonl', 'the prompts of this project'),
    kept('conversations', `${HOME}/.claude/projects`, 'projects', own),
    row('git', `${HOME}/.gitconfig`, 'ro', 'your name and settings for git'),
    row('tools', `${HOME}/.nvm`, 'ro', 'a tool chain of yours'),
    {
      ...row('project', '/', 'pending', 'the project: what is written there is pending'),
      from: project,
      to: project,
    },
    row('hidden', `${HOME}/shop/.env`, 'empty', 'hidden (--hide)', `${STATE}/instance/none/file`),
    row('/proc', '/proc', 'proc', 'its own processes only', null),
    row(
      'allowed',
      '/run/docker.sock',
      'host',
      '--allow: whoever can ask this daemon is root on this machine',
      '/var/run/docker.sock',
    ),
    row('/tmp', '/tmp', 'tmpfs', 'temporary files, gone with the box', null),
    row('system', '/usr', 'ro', 'programs and libraries'),
  ];
}

/** Names that try to fool the reader, and many of them. */
function hostileRows(): BoxRow[] {
  const names = [
    'two\nlines',
    'invoice\u202egpj.exe',
    'zero\u200bwidth',
    '<img src=x onerror=alert(1)>',
    'n'.repeat(300),
  ];
  const named = names.map((name) => row('allowed', `/srv/${name}`, 'host', `--allow ${name}`));
  const bytes: BoxRow = {
    ...row('allowed', '/', 'host', '--allow'),
    from: null,
    to: '/srv/\xff\xfe' as BytePath,
  };
  const many = Array.from({ length: 500 }, (_, i) => row('system', `/usr/share/d${i}`, 'ro', 'programs'));
  return [...named, bytes, ...many];
}

const HOSTS: BoxHost[] = [
  {
    ...{ host: 'api.anthropic.com', port: 443, state: 'allowed', connections: 41, received: 9 * MB },
    ...{ sent: 2 * MB, first: '2026-03-02T10:01:00.000Z', call: null },
  },
  {
    ...{
      host: 'registry.npmjs.org',
      port: 443,
      state: 'asked',
      connections: 3,
      received: 4 * MB,
      sent: 9_000,
    },
    ...{ first: '2026-03-02T10:02:00.000Z', call: 'x2' },
  },
  {
    ...{
      host: 'pastebin\u202e.example\n',
      port: 8443,
      state: 'refused',
      connections: 1,
      received: 0,
      sent: 0,
    },
    ...{ first: '2026-03-02T10:03:00.000Z', call: 'x2' },
  },
  {
    ...{ host: '2606:4700::1111', port: 443, state: 'allowed', connections: 2, received: 4_000, sent: 900 },
    ...{ first: '2026-03-02T10:04:00.000Z', call: 'x2' },
  },
];

const LISTED: BoxNetwork = {
  allow: [
    { entry: 'preset:anthropic', hosts: 5 },
    { entry: '*.npmjs.org', hosts: 1 },
    { entry: '[2606:4700::1111]:443', hosts: 1 },
  ],
  deny: ['pastebin\u202e.example'],
};

function recordOf(detail: SessionDetail): BoxRecord {
  const odd = detail.id === 'odd-box';
  return {
    v: 1,
    instance: `${DIR}/${idOf(detail.projectRoot)}`,
    rows: odd ? hostileRows() : rowsOf(detail),
    variables: odd
      ? ['PATH', 'SECRET\u202e', '<b>X</b>']
      : ['ANTHROPIC_API_KEY', 'COLORTERM', 'HOME', 'LANG', 'NVM_DIR', 'PATH', 'SHELL', 'TERM', 'USER'],
    net: detail.id === 'cut-off' ? 'off' : detail.id === 'boxed' ? 'list' : 'open',
    write: 'pending',
    direct: [],
    directFiles: [],
    commitInside: odd,
  };
}

/** 16 hexadecimal digits, the same on every run. */
function idOf(text: string): string {
  let sum = 7;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) % 0xffffffff;
  return sum.toString(16).padStart(8, '0').repeat(2);
}

function boxOf({ detail, calls }: FakeSession): SessionBox {
  if (detail.level !== 'box') return { ...NO_BOX, everBoxed: detail.id === 'left-box' };
  const start = calls.find(({ origin }) => origin === 'client');
  const running = detail.live;
  return {
    record: recordOf(detail),
    everBoxed: true,
    running,
    startedAt: start?.startedAt ?? '',
    endedAt: running ? '' : (start?.endedAt ?? ''),
    call: start === undefined ? null : { id: start.id, command: start.command },
    processes: detail.processes,
    instance: detail.id === 'cut-off' ? null : { id: idOf(detail.projectRoot), bytes: 340 * MB },
    hosts: detail.id === 'boxed' ? HOSTS : null,
    network: detail.id === 'boxed' ? LISTED : null,
  };
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

function instancesOf(scenario: string, sessions: readonly SessionDetail[]): SizedInstance[] {
  const boxed = sessions.filter(({ level }) => level === 'box');
  const roots = [...new Set(boxed.map(({ projectRoot }) => projectRoot))];
  const used = roots.map((root): SizedInstance => {
    const own = boxed.filter(({ projectRoot }) => projectRoot === root);
    return {
      ...{ id: idOf(root), root, lastUse: ago(3), running: own.some(({ live }) => live), state: 'used' },
      ...{ why: '', sessions: own.map(({ id }) => id), bytes: 340 * MB },
    };
  });
  if (scenario !== 'boxes' && scenario !== 'boxes-many') return used;
  const gone = ['/home/kim/old-shop', '/home/kim/spike\nnext\u202e'].map(
    (root, i): SizedInstance => ({
      ...{
        id: idOf(root),
        root: fromText(root),
        lastUse: ago(50_000 * (i + 1)),
        running: false,
        state: 'gone',
      },
      ...{
        why: '',
        sessions: i === 0 ? ['old-1', 'old-2', 'old-3', 'old-4', 'old-5'] : [],
        bytes: (80 + i) * MB,
      },
    }),
  );
  const unsure: SizedInstance = {
    ...{ id: idOf('/mnt/disk/p'), root: fromText('/mnt/disk/p'), lastUse: ago(9_000), running: false },
    ...{ state: 'unsure', sessions: [], bytes: 3 * MB },
    why: 'the directory above its project is gone as well (/mnt/disk): a disk that is not mounted?',
  };
  const many = Array.from({ length: scenario === 'boxes-many' ? 500 : 0 }, (_, i): SizedInstance => {
    const root = fromText(`/home/kim/projects/p${String(i).padStart(3, '0')}`);
    return {
      ...{ id: idOf(root), root, lastUse: ago(100 * i), running: false, state: 'used', why: '' },
      ...{ sessions: [], bytes: i * MB },
    };
  });
  return [...used, ...gone, unsure, ...many];
}

type BoxAnswers = Pick<Answers, 'box' | 'boxes' | 'boxCount' | 'collectBoxes'>;

export function fakeBoxes(scenario: string, sessions: () => FakeSession[], orders: unknown[]): BoxAnswers {
  const away = new Set<string>();
  const found = (): SizedInstance[] =>
    instancesOf(
      scenario,
      sessions().map(({ detail }) => detail),
    ).filter(({ id }) => !away.has(id));
  return {
    box: (id) => {
      const session = sessions().find(({ detail }) => detail.id === id);
      if (session === undefined) throw new ApiError('no-session', `There is no session ${id}.`);
      return boxOf(session);
    },
    boxes: () => ({ instances: found(), dir: DIR }),
    boxCount: () => ({ boxes: found().length }),
    collectBoxes: ({ ids }) => {
      orders.push({ collectBoxes: ids });
      const report: InstanceGc = { taken: [], left: [], dir: DIR };
      for (const { id, root, bytes, state } of found().filter((one) => ids.includes(one.id))) {
        if (state !== 'gone' || root === null) report.left.push({ id, why: 'its project is there' });
        else report.taken.push({ id, root, bytes, at: `${STATE}/trash/box.${id}.1772445600000` });
      }
      for (const { id } of report.taken) away.add(id);
      return report;
    },
  };
}
