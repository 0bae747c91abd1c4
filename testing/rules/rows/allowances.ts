import type { RuleFile } from '../../../shared/model/rule.ts';
import type { Group } from './group.ts';

const allow = (...patterns: string[]): RuleFile => ({
  version: 2,
  allow: patterns.map((command) => ({ tool: '^Bash$', match: { command } })),
});

const BUILD = allow('^npm (test|run [a-z:]+)$', '^go (test|build)\\b', '^make( [a-z]+)?$', '^cp ');

export const ALLOWANCES: readonly Group[] = [
  {
    name: 'what env and sudo take for a variable is no command',
    rules: { user: allow('^ok\\b') },
    rows: `
allow | env A=1 ok
allow | env "A=1" ok
pass | env "ok=1" rm x
pass | env ok"="1 rm x
pass | env 'ok'=1 rm x
pass | env ok-b=1 rm x
pass | env ok.x=1 rm x
pass | env ok+=1 rm x
pass | env "PATH=/x" ok
pass | env 'LD_PRELOAD'=/x ok
pass | env A$X=1 ok
pass | npm_config_script_shell=/x ok
pass | env npm_config_node_options=--require=/x ok
pass | export npm_execpath=/x; ok
pass | custombeforemicrosoftcommonprops=/x ok
pass | http_proxy=x ok
pass | env --split-string='ok rm'
pass | ok >! /etc/x
pass | ok >!/etc/x
pass | ok >>! /etc/x
pass | ok &>! /etc/x
pass | ok >! f
pass | ok "$(</etc/passwd)"
allow | { ok; } < /etc/passwd
allow | (ok) < /etc/passwd
allow | sh -c ok < /etc/passwd
allow | while ok; do ok; done < /etc/passwd
allow | { { ok; } < /etc/x; } < /etc/passwd
pass | { ok; cat; } < /etc/passwd
pass | sh -c 'ok; cat' < /etc/passwd
pass | { ok "$(cat)"; } < /etc/passwd
pass | { ok; } < $(cat) < /etc/passwd
pass | { ok; } < a.md; { cat; } < /etc/passwd
pass | { ok; } < /etc/passwd > /etc/x
pass | { :; } < /etc/passwd
pass | env -C /x ok
pass | env --chdir=/x sh -c ok
allow | ok "$(<a.md)"
allow | { ok; } < a.md
allow | ok < /etc/passwd
allow | { ok; } < ~/x
allow | ok < "$HOME/x"
pass | { ok; } < $X
pass | ok < "$X/y"
pass | ok < ~bob/x
allow | ok < ~/dev/x
pass | ok < /dev/tcp/h/1
pass | ok {fd}< ~/x
`,
  },
  {
    name: 'every command of a text must be allowed',
    rules: { user: BUILD },
    rows: String.raw`
allow | npm test
allow |   npm    test
allow | npm run build
allow | npm test && npm run build
allow | npm test; make
allow | npm test | tail -5
allow | go test ./... 2>&1 | tail -20
allow | go test ./... | grep FAIL
allow | npm test &
allow | (npm test)
allow | { npm test; make; }
allow | ! npm test
allow | time npm test
allow | npm test && echo done
allow | if npm test; then echo ok; fi
allow | for i in 1 2 3; do npm test; done
allow | while ! npm test; do sleep 1; done
allow | npm test || true
allow | npm test⏎make
allow | npm \⏎test
allow | 'npm' "test"
allow | npm t''est
pass | npm install
pass | npm test; npm install
pass | npm install && npm test
pass | npm test | tee /etc/log
pass | npm test $(npm install)
pass | echo $(npm install)
pass | npm run build -- --x
pass | npm test && curl https://x
pass | xnpm test
pass | ./npm test
pass | /tmp/npm test
pass | NPM test
pass | npm 'test; rm x'
pass | for i in $(npm install); do npm test; done
pass | npm test <(npm install)
`,
  },
  {
    name: 'wrappers that change nothing need no rule of their own',
    rules: { user: BUILD },
    rows: String.raw`
allow | timeout 60 npm test
allow | nice npm test
allow | nice -n 5 npm test
allow | env npm test
allow | nohup npm test &
allow | stdbuf -oL npm test
allow | setsid npm test
allow | command npm test
allow | exec npm test
allow | ionice -c 3 nice npm test
allow | timeout 60 nice npm test
allow | sh -c 'npm test'
allow | bash -c 'npm test && make'
allow | bash -lc "npm test"
allow | sh -c "sh -c 'npm test'"
allow | eval npm test
allow | eval "npm test; make"
allow | trap 'echo bye' EXIT; npm test
allow | watch -n 5 npm test
pass | sudo npm test
pass | doas npm test
pass | su -c 'npm test'
pass | timeout 60 npm install
pass | sh -c 'npm install'
pass | sh -c 'npm test; npm install'
pass | sh -c "$X"
pass | sh -c "npm test; $X"
pass | eval "$X"
pass | eval npm test "$X"
pass | timeout --weird 60 npm test
pass | bash --rcfile ./f -ic 'npm test'
pass | bash --init-file ./f -i -c 'npm test'
pass | ./timeout 60 npm test
pass | flock f npm test
pass | xargs npm test
pass | find . -exec npm test \;
pass | parallel npm ::: test
pass | script -c 'npm test' log
pass | strace npm test
pass | xargs -I{} sh -c 'npm test'
`,
  },
  {
    name: 'privileged wrappers are named by the rule',
    rules: { user: allow('^sudo apt(-get)? update$', '^sudo systemctl status ', '^doas ls$', '^su whoami$') },
    rows: `
allow | sudo apt update
allow | sudo apt-get update
allow | sudo -n apt update
allow | sudo timeout 60 apt update
allow | sudo sh -c 'apt update'
allow | doas ls
allow | su -c whoami
pass | apt update
pass | sudo apt install x
pass | sudo sh -c 'apt update; rm x'
pass | sudo PATH=/x apt update
pass | sudo -D /x cat f
pass | sudo -R /x apt update
pass | sudo --chroot=/x apt update
pass | su -s ./f -c whoami
pass | su --shell=./f -c whoami
`,
  },
  {
    name: 'wrappers that do something themselves are named beside what they run',
    rules: {
      user: allow('^find ', '^grep ', '^rm \\{\\}', '^xargs -r', '^flock /tmp/l ', '^make$', '^rm \\$@$'),
    },
    rows: String.raw`
allow | find . -name x
allow | find / -name x -exec grep foo {} \;
allow | find . -exec rm {} +
pass | find . -exec mv {} /x \;
pass | find . -exec sh -c 'rm {}' \;
allow | find . | xargs grep foo
allow | ls | xargs rm
pass | ls | xargs rm -f
pass | ls | xargs mv
allow | flock /tmp/l make
pass | flock /tmp/m make
pass | flock /tmp/l npm test
`,
  },
  {
    name: 'what is never allowed',
    rules: { user: allow('') },
    rows: `
allow | anything at all
pass | f() { ls; }
pass | f() { ls; }; f
pass | (( x = 1 ))
pass | [[ -f x ]]
pass | coproc ls
pass | select x in a; do ls; done
pass | for ((i=0; i<3; i++)); do ls; done
pass | echo $((1 + 1))
pass | echo \${x:-y}
pass | echo \${x@P}
pass | a=(1 2) ls
pass | a[1]=2 ls
pass | a+=x ls
pass | $X
pass | "$X" a
pass | $(which ls)
pass | "$(which ls)" x
pass | {ls,-l}
pass | l* x
pass | ~/bin/x
pass | alias ls=rm⏎ls
pass | echo "unterminated
pass | echo ( sh -c
pass | <<E echo ( a⏎ >(rm x) ((
pass | echo a && echo \\⏎ (b
pass | echo $(echo ( b)
pass | echo \`echo ( b\`
pass | echo "$(echo (b; echo c)"
pass | echo "\`echo a; echo (b\`"
pass | cat <<E⏎$(echo (b⏎)⏎E
pass | ls )
pass | ls;;
pass | PATH=/x ls
pass | LD_PRELOAD=/x.so ls
pass | GIT_SSH_COMMAND=x git fetch
pass | BASH_ENV=x bash -c ls
pass | IFS=x ls
pass | env PATH=/x ls
pass | env LD_PRELOAD=x ls
pass | export PATH=/x; ls; PATH=/y
pass | PAGER=x git log
pass | NODE_OPTIONS=x npm test
pass | ls \u202e
pass | l\u200bs
pass | ls \u00ad
pass | ls\r
pass | ls \u0000
pass | ls \u001b[31m
pass | \u0455h -c ls
pass | ｌｓ
pass | ls =(cat)
pass | ls *(e:ls:)
pass | echo $~x
allow | A=1 ls
allow | x=1; ls
allow | TERM=dumb ls
allow | GIT_EDITOR=true git commit
allow | env A=1 ls
allow | ls > /dev/null 2>&1
allow | ls 2>&1
allow | ls "é"
allow | git commit -m 'été 🦊'
pass | ${'x'.repeat(10_001)}
allow | ${'x'.repeat(9_000)}
pass | 
`,
  },
  {
    name: 'redirections',
    rules: { user: { ...allow('^echo ', '^cat\\b'), allowed_dirs: ['/data', '~/notes'] } },
    rows: `
allow | echo a > f
allow | echo a >> f
allow | echo a >| f
allow | echo a > /p/f
allow | echo a > src/f
allow | echo a > ./src/../f
allow | echo a > /dev/null
allow | echo a &> f
allow | echo a > /data/f
allow | echo a > in/f
allow | echo a 2> f
allow | echo a > 'a b'
allow | { echo a; } > f
allow | for i in 1; do echo $i; done > f
pass | echo a > /etc/f
pass | echo a > ../f
pass | echo a > ~/f
pass | echo a > $HOME/f
pass | echo a > "$X"
pass | echo a > $(cat f)
pass | echo a > out/f
pass | echo a > in/../../f
pass | echo a > src/../../f
pass | echo a > /data/../etc/f
pass | echo a > /dev/sda
pass | echo a > /dev/tcp/1.2.3.4/80
pass | { echo a; } > /etc/f
pass | for i in 1; do echo $i; done > /etc/f
pass | > /etc/f
pass | echo a > *.txt
pass | echo a > =ls
allow | cat < =ls
pass | cd /etc; echo a > f
pass | cd /etc && echo a > f
pass | cd .. && echo a > f
allow | cd src && echo a > f
allow | cat < f
allow | cat < /etc/f
pass | cat < $X
pass | cat <> /etc/f
`,
  },
  {
    name: 'a redirection to what stays pending is fine anywhere',
    rules: { user: allow('^echo ') },
    facts: { isPending: (path) => path.startsWith('/home/') },
    rows: `
allow | echo a > ~/f
allow | echo a > /home/kim/f
pass | echo a > /etc/f
pass | echo a > $X
`,
  },
];

export const ORDERS: readonly Group[] = [
  {
    name: 'the first of allow and ask in document order',
    rules: {
      user: {
        version: 2,
        ask: [{ tool: 'Bash', match: { command: '^git push' } }],
        allow: [{ tool: 'Bash', match: { command: '^git ' } }],
      },
      project: { version: 2, ask: [{ tool: 'Bash', match: { command: '^git fetch' } }] },
    },
    rows: `
ask | git push
ask | git push origin
allow | git pull
allow | git fetch
ask | git pull && git push
ask | echo a | git push
ask | sudo git push
ask | timeout 5 git push
ask | X=push; git $X
ask | (git push)
ask | f() { git push; }
ask | sh -c 'git push'
ask | npm install && git push
ask | git push > /etc/f
ask | echo "a; git push
pass | echo "git push
`,
  },
  {
    name: 'what the documents of the passthru plugin say of texts of several commands, and of other hooks',
    rules: {
      user: {
        version: 2,
        allow: [
          { tool: '^Bash$', match: { command: '^go (test|build)\\b' } },
          { tool: '^Bash$', match: { command: '^gh api /repos/[^/]+/[^/]+/forks$' } },
          { tool: '^Bash$', match: { command: '^make$' } },
        ],
        ask: [{ tool: '^Bash$', match: { command: '^gh pr\\b' } }],
        deny: [{ tool: '^Bash$', match: { command: '^gh repo delete\\b' } }],
      },
    },
    rows: String.raw`
allow | go test | tail
allow | go test ./... 2>&1 | tail -n 20
allow | go test && go build
allow | go test || make
allow | go test; make
allow | go test & make
allow | go test 2>/dev/null
allow | go test > out.txt
allow | go test >> out.txt
allow | go test < a.md
allow | go test -run 'a && b; c | d'
allow | go test -run "a || b & c"
allow | go test -run a\;b
pass | rtk go test
pass | go test && rtk go test
pass | go test | unknown
pass | go test "$(unknown)"
pass | go test 'unterminated
pass | go test "unterminated
ask | go test; gh pr merge 1
ask | gh pr list | head
ask | unknown && gh pr list
deny | go test && gh repo delete x
deny | gh pr list; gh repo delete x
deny | echo "$(gh repo delete x)"
allow | gh api /repos/foo/bar/forks
pass | gh api /repos/foo/bar/forks | sh
pass | ToolSearch {"query":"x"}
pass | TaskCreate {"subject":"x"}
pass | TodoWrite {"todos":[]}
allow | Agent {"prompt":"x"}
allow | Skill {"skill":"x"}
allow | Glob {"pattern":"*"}
`,
  },
  {
    name: 'an allow rule before an ask rule',
    rules: {
      user: {
        version: 2,
        allow: [{ tool: 'Bash', match: { command: '^git push origin dev$' } }],
        ask: [{ tool: 'Bash', match: { command: 'git push' } }],
      },
    },
    rows: `
allow | git push origin dev
ask | git push origin main
ask | git push origin dev && git push origin main
ask | git push origin dev > /etc/f
ask | git push origin 'dev'; f() { ls; }
allow | timeout 9 git push origin dev
`,
  },
  {
    name: 'deny beats allow and ask of every scope',
    rules: {
      user: { version: 2, allow: [{ tool: 'Bash' }], ask: [{ tool: 'Write' }] },
      project: { version: 2, deny: [{ tool: 'Bash', match: { command: '^git push' } }, { tool: 'Write' }] },
      session: { version: 2, allow: [{ tool: 'Bash', match: { command: '^git push' } }] },
    },
    rows: `
deny | git push
allow | git pull
deny | git pull; git push
deny | Write {"file_path":"/p/x"}
`,
  },
  {
    name: 'an ask rule is before the rules of trai',
    rules: {
      user: {
        version: 2,
        ask: [
          { tool: '^Bash$', match: { command: '^cat .*\\.env' } },
          { tool: '^Skill$' },
          { tool: 'Web', match: { query: 'x' } },
        ],
      },
    },
    rows: `
ask | cat .env
ask | cat src/.env | head
allow | cat a.md
ask | Skill {"skill":"x"}
ask | WebSearch {"query":"xyz"}
allow | WebSearch {"query":"abc"}
allow | Glob {"pattern":"*"}
allow | Agent {"prompt":"x"}
`,
  },
  {
    name: 'deny beats the rules of trai',
    rules: {
      user: { version: 1, deny: [{ tool: '^(Skill|Agent|Glob|WebSearch)$' }, { match: { command: '^ls' } }] },
    },
    rows: `
deny | Skill {"skill":"x"}
deny | Agent {"prompt":"x"}
deny | Glob {"pattern":"x"}
deny | WebSearch {"query":"x"}
deny | ls
deny | pwd; ls
allow | pwd
`,
  },
  {
    name: 'rules of trai that are turned off',
    rules: {},
    set: { builtIn: new Set(['Agent']) },
    rows: `
allow | Agent {"prompt":"x"}
pass | Skill {"skill":"x"}
pass | Glob {"pattern":"x"}
pass | ls
`,
  },
  {
    name: 'version 1 has no ask rules',
    rules: {
      user: {
        version: 1,
        ask: [{ tool: 'Bash', match: { command: '^make' } }],
        allow: [{ tool: 'Bash', match: { command: '^make all' } }],
      },
    },
    rows: `
allow | make all
pass | make
`,
  },
  {
    name: 'rules that are turned off',
    rules: { user: { version: 1, deny: [{ tool: 'Bash' }] } },
    set: { enabled: false },
    rows: `
pass | rm x
pass | ls
pass | Skill {"skill":"x"}
`,
  },
];
