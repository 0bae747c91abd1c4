import type { Program } from '../program.ts';

/** Programs that talk: to a daemon, a server, a network. */
export const WORLD: readonly Program[] = [
  {
    name: 'git over ssh',
    needs: ['git', 'ssh', 'ssh-keygen', 'sshd'],
    files: {},
    // ssh takes the home from the password file, so every file is named. The remote repository is no part of what is
    // compared: its daemon is on the host, and what it writes is there at once.
    setup: [
      'export GIT_CONFIG_GLOBAL=$PWD/gitconfig && git config --file gitconfig init.defaultBranch main',
      'git config --file gitconfig user.name Tester && git config --file gitconfig user.email tester@example.org',
      "mkdir ssh && ssh-keygen -q -t ed25519 -N '' -f ssh/host && ssh-keygen -q -t ed25519 -N '' -f ssh/key",
      'cp ssh/key.pub ssh/allowed && remote=$(mktemp -d) && echo "$remote" >remote',
      'git init -q --bare "$remote/r.git"',
      // inetd's way: a proxy command starts the daemon, which ends with the connection.
      'printf \'exec "$(type -P sshd)" -i -o HostKey="%s/ssh/host" -o AuthorizedKeysFile="%s/ssh/allowed" -o StrictModes=no -o UsePAM=no -o PidFile=none -f /dev/null\\n\' "$PWD" "$PWD" >ssh/daemon.sh',
      'printf \'exec ssh -F /dev/null -i "%s/ssh/key" -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile="%s/ssh/known" -o ProxyCommand="bash %s/ssh/daemon.sh" "$@"\\n\' "$PWD" "$PWD" "$PWD" >ssh/client.sh',
    ].join(' && '),
    command: [
      'export GIT_CONFIG_GLOBAL=$PWD/gitconfig GIT_SSH_COMMAND="bash $PWD/ssh/client.sh" GIT_AUTHOR_DATE=2024-01-01T00:00Z GIT_COMMITTER_DATE=2024-01-01T00:00Z',
      'rm -rf "$(cat remote)/r.git" && git init -q --bare "$(cat remote)/r.git"',
      'git clone -q "ssh://localhost$(cat remote)/r.git" work 2>/dev/null && cd work',
      'mkdir -p src/deep && for i in 1 2 3 4 5 6 7 8; do echo "file $i" >src/deep/f$i; done',
      'git add . && git commit -q -m first && git mv src/deep src/moved && git commit -q -m second && git push -q origin HEAD 2>/dev/null',
      'git fetch -q && git status --short --branch && git log --oneline --decorate && git ls-remote origin 2>/dev/null',
    ].join(' && '),
    loose: [/\/\.git\/(index|logs\/|FETCH_HEAD)/, /^p\/ssh\/known/],
  },
  {
    name: 'postgres',
    needs: ['initdb', 'postgres', 'pg_ctl', 'psql'],
    files: {},
    command: [
      'initdb -D data -A trust -U me --no-sync >/dev/null && mkdir sock',
      `pg_ctl -D data -w -l server.log -o "-k $PWD/sock -c listen_addresses=''" start >/dev/null`,
      "psql -h $PWD/sock -U me -d postgres -Atc 'create table t as select generate_series(1, 5000) as n' -c 'select sum(n) from t'",
      'pg_ctl -D data -m fast -w stop >/dev/null',
    ].join(' && '),
    loose: [/^p\/data\//, /^p\/server\.log$/],
    // How much log it keeps ahead, and what it had open, is of the moment.
    ignore: [
      /^p\/data\/(pg_wal|pg_stat|pg_stat_tmp|pg_logical|base\/\d+\/pg_internal\.init|global\/pg_internal\.init)/,
    ],
  },
  {
    name: 'docker, no daemon',
    needs: ['docker'],
    files: { Dockerfile: 'FROM scratch\n' },
    command:
      'export DOCKER_HOST=unix://$PWD/none.sock; docker version 2>&1; docker build . 2>/dev/null; echo $?; docker context ls',
    ignore: [/^\.docker\//],
  },
  {
    name: 'apt download',
    needs: ['apt-get'],
    files: {},
    setup: 'apt-get download -qq hostname && rm ./*.deb',
    setupFails: 'apt has no list of packages, or no way to them',
    command:
      'apt-get download -qq hostname && ls *.deb && mkdir x && dpkg-deb -x *.deb x && x/bin/hostname --version 2>&1 | head -n 1',
  },
  {
    name: 'chromium, headless',
    needs: ['chromium'],
    files: {
      'page.html':
        '<!doctype html><title>t</title><body><script>localStorage.setItem("a", "b"); document.body.append("made by a script: " + localStorage.getItem("a"));</script>\n',
    },
    command: [
      'options="--headless --disable-gpu --disable-background-networking --disable-component-update --no-first-run --user-data-dir=$PWD/profile"',
      '[ "$(id -u)" != 0 ] || options="$options --no-sandbox"',
      'chromium $options --dump-dom "file://$PWD/page.html" 2>/dev/null',
      'chromium $options --hide-scrollbars --window-size=400,200 --screenshot=shot.png "file://$PWD/page.html" 2>/dev/null',
    ].join('\n'),
    ignore: [/^p\/profile\//, /^\.(config|cache|local|pki)(\/|$)/],
  },
];
