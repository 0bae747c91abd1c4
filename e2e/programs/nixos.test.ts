/** The installed plugin on a root like NixOS's, as its user has it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NixosRoot } from './nixos.ts';

const missing = NixosRoot.missing();

describe('on a root like NixOS’s', () => {
  let root: NixosRoot;
  beforeAll(async () => {
    if (missing === null) root = await NixosRoot.open();
  });
  afterAll(async () => {
    await root?.close();
  });
  beforeEach((ctx) => {
    if (missing !== null) ctx.skip(missing);
  });

  const trai = (words: string) => root.run(`trai ${words}`);

  test('doctor finds what the sandbox and a box need', () => {
    const { status, stdout } = trai('doctor');
    expect(stdout).toContain('ok    tools: unshare, nsenter, mount, flock in /run/current-system/sw/bin\n');
    expect(stdout).toMatch(/\nok {4}overlay: .*\n(.*\n)*ok {4}proc: /);
    expect(status).toBe(0);
  });

  test('`trai exec` keeps what is written pending, and a commit applies it', () => {
    expect(trai('exec --session one -- bash -c "echo new >made; type -P sed"')).toMatchObject({
      status: 0,
      stdout: '/run/current-system/sw/bin/sed\n',
      stderr: '',
    });
    expect(root.run('ls')).toMatchObject({ stdout: '' });
    expect(trai('commit --session one --yes')).toMatchObject({ status: 0 });
    expect(root.run('cat made; rm made')).toMatchObject({ stdout: 'new\n' });
  });

  test('a file of a group that newgidmap may map can be changed', () => {
    root.change('echo old >/home/alice/p/shared; chown 1000:2000 /home/alice/p/shared');
    const changed = trai('exec --session two -- bash -c "echo more >>shared; stat -c %G shared"');
    expect(changed).toMatchObject({ status: 0, stdout: 'work\n', stderr: '' });
    expect(root.run('cat shared; rm -f shared')).toMatchObject({ stdout: 'old\n' });
  });

  test('calls of a client with the plugin enter a session, join it while it is live, and run git on the host', () => {
    const text = `
      export CLAUDE_ENV_FILE=~/env/sessionstart-hook-0.sh CLAUDE_PID=$$ AI_AGENT=claude-code_2-1-330_harness
      mkdir ~/env
      hook() { # script, event, more...
        local script=$1 about='"session_id":"c","cwd":"'$PWD'","tool_name":"Bash","tool_input":{"command":"true"}'
        bash -p ~/plugin/hooks/$script.sh "\${@:3}" <<<"{$about,\\"hook_event_name\\":\\"$2\\"}"
      }
      call() { bash -c "$(<"$CLAUDE_ENV_FILE")"$'\\n'": && eval '$1' < /dev/null && pwd -P >| /dev/null"; }
      hook session-start SessionStart late &
      [[ $(hook session-start SessionStart) == *'what Bash writes stays pending'* ]] && echo started
      [[ $(hook hook PreToolUse PreToolUse) == *'"permissionDecision":"allow"'* ]] && echo allowed
      call 'echo first >called'
      call 'echo begun >begun; until [[ -e /tmp/end ]]; do sleep 0.01; done' &
      until [[ $(call 'cat begun 2>/dev/null') == begun ]]; do sleep 0.01; done
      call 'cat called'
      touch /tmp/end
      wait $!
      call 'git init -q'
      ls -A
      hook hook SessionEnd SessionEnd`;
    expect(root.run(text)).toMatchObject({
      status: 0,
      stdout: 'started\nallowed\nfirst\n.git\n',
      stderr: '',
    });
    expect(trai('diff --session c called')).toMatchObject({ stdout: expect.stringContaining('+first') });
    expect(trai('discard --session c --yes')).toMatchObject({ status: 0 });
    root.run('rm -r .git');
  });

  test('a box has the programs of the system, and what is written in it is pending', () => {
    const text =
      'echo new >made; ls -d /bin/* /etc/* /home/*/* /nix/* /run/*/* /usr/*/*; type -P git; node -p 1+1';
    const boxed = trai(`box --session three -y --shell -- bash -c '${text}'`);
    expect(boxed).toMatchObject({ status: 0 });
    expect(boxed.stdout.split('\n')).toMatchInlineSnapshot(`
      [
        "/bin/sh",
        "/etc/group",
        "/etc/hosts",
        "/etc/nsswitch.conf",
        "/etc/os-release",
        "/etc/passwd",
        "/etc/static",
        "/home/alice/p",
        "/home/alice/plugin",
        "/nix/store",
        "/nix/var",
        "/run/current-system/sw",
        "/run/wrappers/bin",
        "/usr/bin/env",
        "/run/current-system/sw/bin/git",
        "2",
        "",
      ]
    `);
    expect(root.run('ls')).toMatchObject({ stdout: '' });
    expect(trai('diff --session three made')).toMatchObject({ stdout: expect.stringContaining('+new') });
    const { stdout } = trai('box --dry-run --session three --shell');
    expect(stdout).toContain('--ro-bind /nix/store /nix/store ');
    expect(stdout).toMatch(
      /\n\/nix\/store\/\S+\/bin\/bwrap \S+ -- \/run\/current-system\/sw\/bin\/bash -i\n/,
    );
  });

  test('a box with a list of hosts has the proxy and no other network', () => {
    const text = 'cat /proc/net/route | wc -l; exec 3<>/dev/tcp/127.0.0.1/3128 && echo proxy';
    expect(trai(`box --session four --net list -y --shell -- bash -c '${text}'`)).toMatchObject({
      status: 0,
      stdout: '1\nproxy\n',
    });
  });

  test('a program of that name elsewhere on PATH is not used: calls and doctor say that it is missing', () => {
    root.change(
      'mkdir /run/other; cp -a /run/current-system/sw/. /run/other/sw; ln -sfn /run/other /run/current-system',
    );
    root.change('mv /run/other/sw/bin/flock /run/wrappers/bin/');
    const refused = trai('exec --session five -- touch made');
    expect(refused.status).toBe(125);
    expect(refused.stderr).toMatch(/\/run\/current-system\/sw\/bin\/flock ENOENT[\s\S]*trai doctor/);
    expect(refused.stderr).not.toContain('locked');
    expect(root.run('ls')).toMatchObject({ stdout: '' });
    const { status, stdout } = trai('doctor');
    expect(status).toBe(1);
    expect(stdout).toContain('FAIL  tools: missing: /run/current-system/sw/bin/flock\n');
    expect(stdout).toContain('environment.systemPackages');
  });
});
