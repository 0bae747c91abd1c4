import type { Group } from './group.ts';

const NOW = '2026-01-01T00:00:00Z';

export const TOOLS: readonly Group[] = [
  {
    name: 'patterns of tools and fields',
    rules: {
      user: {
        version: 2,
        allow: [
          { tool: '^mcp__github__(get|list)_' },
          { tool: '^WebFetch$', match: { url: '^https://([a-z]+\\.)?example\\.org(/|$)' } },
          { tool: '^Bash$', match: { command: '^gh api /repos/[^/]+/[^/]+/forks$' } },
          { tool: '^Task$', match: { count: '^[0-3]$', dry: '^true$' } },
          { match: { query: '^select ' } },
        ],
        ask: [{ tool: '^mcp__github__create' }],
        deny: [{ tool: 'delete' }, { tool: '^mcp__', match: { branch: '^main$' } }],
      },
    },
    rows: `
allow | mcp__github__get_issue {}
allow | mcp__github__list_issues {"state":"open"}
ask | mcp__github__create_issue {}
deny | mcp__github__delete_issue {}
deny | mcp__github__create_branch {"branch":"main"}
ask | mcp__github__create_branch {"branch":"dev"}
pass | mcp__github__merge {}
pass | mcp__gitlab__get_issue {}
allow | WebFetch {"url":"https://example.org"}
allow | WebFetch {"url":"https://docs.example.org/x"}
pass | WebFetch {"url":"https://example.org.evil.com/"}
pass | WebFetch {"url":"http://example.org/"}
pass | WebFetch {"prompt":"https://example.org/"}
allow | gh api /repos/foo/bar/forks
pass | gh api /repos/foo/bar/forks -X POST
pass | gh api /user
allow | Task {"count":3,"dry":true}
pass | Task {"count":4,"dry":true}
pass | Task {"count":3}
pass | Task {"count":3,"dry":null}
pass | Task {"count":[3],"dry":true}
pass | Task {"count":{"a":3},"dry":true}
allow | Task {"count":"2","dry":"true"}
allow | mcp__db__run {"query":"select 1"}
pass | mcp__db__run {"query":"drop x"}
pass | mcp__db__run {"query":["select 1"]}
deny | Undelete {}
pass | Unknown {}
pass | Unknown null
pass | Unknown []
pass | Unknown ""
deny | Xdelete null
pass | Bash {"command":["rm"]}
pass | Bash {}
pass | Bash null
pass | Monitor {"command":7}
`,
  },
  {
    name: 'a tool pattern is unanchored',
    rules: { user: { version: 1, allow: [{ tool: 'Read' }], deny: [{ tool: 'Bash' }] } },
    rows: `
allow | Read {"file_path":"/x"}
allow | NotebookRead {}
allow | ReadMcpResource {}
deny | BashOutput {}
deny | KillBash {}
deny | ls
pass | Write {}
`,
  },
  {
    name: 'paths as given and as resolved',
    rules: {
      user: {
        version: 2,
        deny: [
          { tool: '^(Read|Edit|Write)$', match: { file_path: '^/etc/' } },
          { tool: '^(Read|Edit|Write)$', match: { file_path: '/\\.env$' } },
        ],
        allow: [
          { tool: '^(Read|Edit|Write|Grep)$', match: { file_path: '^/p/' } },
          { tool: 'Grep', match: { path: '^/p/' } },
        ],
        ask: [{ tool: 'NotebookEdit', match: { notebook_path: '^/home/kim/' } }],
      },
    },
    rows: `
allow | Read {"file_path":"/p/a"}
allow | Edit {"file_path":"/p/src/a.ts"}
allow | Write {"file_path":"/p/in/new"}
deny | Read {"file_path":"/etc/passwd"}
deny | Read {"file_path":"/p/out/passwd"}
deny | Read {"file_path":"out/passwd"}
deny | Read {"file_path":"/p/../etc/passwd"}
deny | Read {"file_path":"/p/./src/../../etc/passwd"}
deny | Read {"file_path":"/p//src/../out/passwd"}
deny | Read {"file_path":"//etc/passwd"}
deny | Write {"file_path":"/p/.env"}
deny | Write {"file_path":"/p/src/../.env"}
deny | Write {"file_path":".env"}
pass | Read {"file_path":"/p/../home/x"}
pass | Read {"file_path":"src/a"}
pass | Read {"file_path":"/q/a"}
pass | Read {"file_path":"~/a"}
ask | NotebookEdit {"notebook_path":"~/a.ipynb"}
ask | NotebookEdit {"notebook_path":"/home/kim/a.ipynb"}
ask | NotebookEdit {"notebook_path":"/home/kim/x/../a.ipynb"}
pass | NotebookEdit {"notebook_path":"/home/bob/a.ipynb"}
allow | Grep {"pattern":"x","path":"/p/src"}
pass | Grep {"pattern":"x","path":"/p/out"}
pass | Grep {"pattern":"x"}
pass | Read {"file_path":7}
`,
  },
  {
    name: 'allowed directories, as the client treats its own',
    rules: { user: { version: 2, allowed_dirs: ['/data'] } },
    rows: `
allow | Read {"file_path":"/data/x"}
allow | Grep {"pattern":"x","path":"/data"}
allow | LS {"path":"/data/a/b"}
pass | Read {"file_path":"/database/x"}
pass | Read {"file_path":"/data/../etc/x"}
pass | Read {"file_path":"/etc/x"}
pass | Edit {"file_path":"/data/x"}
pass | Write {"file_path":"/data/x"}
allow | cat /data/x
allow | grep -rn foo /data/src
pass | cat /etc/x /data/x
`,
  },
  {
    name: 'allowed directories where edits are accepted',
    rules: { user: { version: 2, allowed_dirs: ['/data'] } },
    mode: 'acceptEdits',
    rows: `
allow | Edit {"file_path":"/data/x"}
allow | Write {"file_path":"/data/new/x"}
allow | NotebookEdit {"notebook_path":"/data/x.ipynb"}
pass | Write {"file_path":"/etc/x"}
pass | touch /data/x
`,
  },
  {
    name: 'rules of some modes, and until a time (default mode)',
    rules: {
      user: {
        version: 2,
        allow: [
          { tool: '^A$', modes: ['default', 'plan'] },
          { tool: '^B$', modes: ['acceptEdits'] },
          { tool: '^C$', until: '2026-01-02' },
          { tool: '^D$', until: '2025-12-31T23:59:59Z' },
          { tool: '^E$', until: NOW },
        ],
        deny: [{ tool: '^F$', until: '2025-01-01' }],
      },
    },
    rows: `
allow | A {}
pass | B {}
allow | C {}
pass | D {}
allow | E {}
pass | F {}
`,
  },
  {
    name: 'rules of some modes (bypassPermissions)',
    rules: {
      user: {
        version: 2,
        allow: [{ tool: '^A$', modes: ['default'] }],
        deny: [{ tool: '^B$', modes: ['bypassPermissions'] }, { tool: '^C$' }],
      },
    },
    mode: 'bypassPermissions',
    rows: `
pass | A {}
deny | B {}
deny | C {}
`,
  },
  {
    name: 'spellings of PCRE',
    rules: {
      user: {
        version: 2,
        allow: [
          { tool: '\\AA\\z', match: { x: '(?i)^hello\\s+world$' } },
          { tool: '\\AB\\Z', match: { x: '^(?>a+)b$' } },
          { tool: '^C$', match: { x: '^a++b$' } },
          { tool: '^D$', match: { x: '^(?P<q>[\'"]).*(?P=q)$' } },
          { tool: '^E$', match: { x: '^\\h+x$' } },
          { tool: '^F$', match: { x: '^\\Qa.b*\\E$' } },
          { tool: '^G$', match: { x: '^[[:alpha:]_]+$' } },
          { tool: '^H$', match: { x: '^a(?#comment)b$' } },
          { tool: '^I$', match: { x: '(?x) ^ a \\s b # c\n $' } },
          { tool: '^J$', match: { x: '^(a|b)\\1$' } },
          { tool: '^K$', match: { x: '^(?s)a.b$' } },
          { tool: '^L$', match: { x: '^a.b$' } },
          { tool: '^M$', match: { x: '(?m)^b$' } },
        ],
      },
    },
    rows: String.raw`
allow | A {"x":"Hello   WORLD"}
pass | A {"x":"Hello\u00a0world"}
pass | AB {"x":"hello world"}
allow | B {"x":"aab"}
pass | B {"x":"aa"}
allow | C {"x":"aab"}
pass | C {"x":"ab b"}
allow | D {"x":"'x'"}
pass | D {"x":"'x\""}
allow | E {"x":" \tx"}
pass | E {"x":"\nx"}
allow | F {"x":"a.b*"}
pass | F {"x":"aXb"}
allow | G {"x":"ab_c"}
pass | G {"x":"ab1"}
allow | H {"x":"ab"}
allow | I {"x":"a b"}
pass | I {"x":"ab"}
allow | J {"x":"aa"}
pass | J {"x":"ab"}
allow | K {"x":"a\nb"}
pass | L {"x":"a\nb"}
allow | L {"x":"a\rb"}
allow | L {"x":"a\u2028b"}
allow | L {"x":"aXb\n"}
allow | M {"x":"a\nb\nc"}
`,
  },
];
