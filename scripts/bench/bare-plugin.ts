import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/root.ts';

/** What of a hook's entry the client takes; the rest is copied as it is. */
interface Hook {
  type: 'command';
  command: string;
  args?: string[];
}
type Hooks = Record<string, { matcher?: string; hooks: Hook[] }[]>;

const NOTHING: Hook = { type: 'command', command: 'nohup', args: ['bash', '-p', '-c', 'exit 0'] };

/**
 * Writes a plugin to `dir` that has our hooks' events, matchers and waiting, and does nothing in them: what is left of
 * the time of a turn is what starting the programs takes. With `places` each Bash command also gets an overlay over each of
 * them, by util-linux alone, in the user's own ids: what any sandbox takes that mounts its overlays for each call.
 */
export function writeBarePlugin(dir: string, places: readonly string[]): void {
  const ours = JSON.parse(readFileSync(path.join(ROOT, 'hooks/hooks.json'), 'utf8')) as { hooks: Hooks };
  const hooks: Hooks = {};
  for (const [event, groups] of Object.entries(ours.hooks))
    if (event !== 'SessionStart')
      hooks[event] = groups.map((group) => ({
        ...group,
        hooks: group.hooks.map((hook) => ({ ...hook, ...NOTHING })),
      }));
  if (places.length > 0)
    hooks['SessionStart'] = [
      { hooks: [{ type: 'command', command: `bash ${quoted(path.join(dir, 'start.sh'))}` }] },
    ];
  write(dir, 'hooks/hooks.json', JSON.stringify({ hooks }));
  write(dir, '.claude-plugin/plugin.json', JSON.stringify({ name: 'bare', version: '1.0.0' }));
  write(dir, 'start.sh', START);
  write(dir, 'places', places.map((place) => `${place}\n`).join(''));
  write(dir, 'enter.sh', ENTER);
}

/** The places that a session's calls have overlays over. */
export function overlaysOf(sessionDir: string): string[] {
  return readFileSync(path.join(sessionDir, 'plan/current/fstab'), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([, place = '', type]) => (type === 'overlay' ? [place] : []));
}

/** Makes the table of mounts, and the line by which the client's shell starts again below them. */
const START = `cd -- "\${BASH_SOURCE[0]%/*}"
n=0
while IFS= read -r place; do
  mkdir -p "$HOME/bare/$n/u" "$HOME/bare/$n/w"
  echo "bare-$n $place overlay userxattr,volatile,lowerdir=$place,upperdir=$HOME/bare/$n/u,workdir=$HOME/bare/$n/w 0 0"
  n=$((n + 1))
done <places >"$HOME/bare.fstab"
echo "[ -n \\"\\\${BARE-}\\" ] || BARE=1 exec unshare --user --map-root-user --mount bash -p $PWD/enter.sh $(id -u) $(id -g) \\"\\$BASH_EXECUTION_STRING\\"" >>"$CLAUDE_ENV_FILE"
`;

/** What `volatile` leaves behind keeps the next mount away; without it each call's end would wait for the disk. */
const ENTER = `rm -rf "$HOME"/bare/*/w/work
mount -a -T "$HOME/bare.fstab" || exit 125
cd -- "$PWD" && exec unshare --user --map-user="$1" --map-group="$2" bash -c "$3"
`;

function write(dir: string, name: string, text: string): void {
  const file = path.join(dir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
