// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Decision, Facts, Loss } from '../../shared/model/decision.ts';
import { decide } from './decide.ts';

const FACTS: Facts = {
  cwd: '/home/u/p',
  home: '/home/u',
  pending: true,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: DEFAULT_CONFIG,
};

function lossText(loss: Loss): string {
  if (loss.kind === 'tree') return loss.unlessRef === null ? 'tree' : `tree unless ${loss.unlessRef}`;
  if (loss.kind === 'submodule') return 'submodule';
  return loss.kind === 'stash' ? `stash ${loss.entry ?? '*'}` : `untracked(${loss.clean?.join(' ') ?? '?'})`;
}

function said({ mode, reason, ask, uses }: Decision): string {
  const where = mode === 'host' && ask !== '' ? 'ask' : mode;
  const used = uses.map(({ what, scope, dirs, losses }) => {
    const kept = losses.length === 0 ? '' : ` keeps ${losses.map(lossText).join(', ')}`;
    return `${what} ${scope} ${dirs === null ? 'anywhere' : dirs.join(' ')}${kept}`;
  });
  return [`${where} ${reason}`, ...used].join(' | ');
}

const P = '/home/u/p';
const plain = (...uses: string[]) => ['host passthrough', ...uses].join(' | ');
const asks = (...uses: string[]) => ['ask runs-programs', ...uses].join(' | ');

function table(title: string, rows: readonly (readonly [string, string])[]): void {
  describe(title, () => {
    it.each(rows)('%j', (command, expected) => {
      expect(said(decide(command, FACTS))).toBe(expected);
    });
  });
}

table(
  'git that only reads wants nothing',
  [
    ...[
      'git status',
      'git log --oneline -5',
      'git diff HEAD',
      'git show HEAD:a',
      'git branch',
      'git stash list',
    ],
    ...[
      'git archive HEAD',
      'git archive HEAD | wc -c',
      'git format-patch --stdout main..',
      'git format-patch -1 --stdout',
      'git format-patch --stdout origin/"$base"..',
      'git format-patch --stdout "$(git rev-parse HEAD)"',
      'git format-patch -k --subject-prefix=x HEAD~1 --stdout',
      'git fast-export --all | head',
      'git blame a',
      'git remote -v',
      'git -C /other status',
      'git tag',
      'git worktree list',
      'git rev-parse HEAD',
    ],
    ...[
      'git config --get user.name',
      'git bisect log',
      'git submodule status',
      'git reflog',
      'git ls-remote',
    ],
  ].map((command) => [command, plain()] as const),
);

table(
  'git that would write nothing wants nothing',
  [
    ...['git add -n .', 'git add --dry-run .', 'git clean -n', 'git clean -fdn', 'git clean --dry-run -fdx'],
    ...['git rm -n a', 'git mv -n a b', 'git push --dry-run', 'git push -n', 'git commit --dry-run'],
    ...['git apply --check x.patch', 'git apply --stat x.patch', 'git apply --numstat x.patch'],
  ].map((command) => [command, plain()] as const),
);

table('git that works on files', [
  ...[
    'add -A',
    'add "$f"',
    'commit -m x',
    'commit -n -m x',
    'commit --amend --no-edit',
    'push',
    'push -u origin main',
    'stash',
    'stash push -m x',
    'stash pop',
    'stash apply',
    'stash -u',
    'switch main',
    'switch -c topic main',
    'restore --staged .',
    'reset',
    'reset --soft HEAD~1',
    'reset HEAD a',
    'merge topic',
    'merge --no-ff topic',
    'rebase main',
    'rebase --continue',
    'pull',
    'pull --rebase',
    'apply x.patch',
    'mv a b',
    'rm a',
    'rm --cached -f a',
    'am x.patch',
    'cherry-pick abc',
    'revert abc',
    'bisect start',
    'bisect good',
    'submodule update --init',
    'submodule add https://example.org/a',
    'sparse-checkout set a',
    'checkout --detach',
    'checkout -b topic main',
    'update-index --chmod=+x a',
    'apply --stat --apply x.patch',
    'read-tree HEAD',
    'checkout-index a',
  ].map((rest) => [`git ${rest}`, plain(`git ${rest.split(' ')[0]} repository ${P}`)] as const),
]);

table('git that makes a directory looks at what is pending there', [
  ['git clone https://example.org/a', plain(`git clone below ${P}/a`)],
  ['git clone https://example.org/a.git', plain(`git clone below ${P}/a`)],
  ['git clone --depth 1 -b main git@example.org:u/a.git', plain(`git clone below ${P}/a`)],
  ['git clone /srv/a/.git/', plain(`git clone below ${P}/a`)],
  ['git clone host:a', plain(`git clone below ${P}/a`)],
  ['git clone -q --branch=main -j 4 https://example.org/a vendor/b', plain(`git clone below ${P}/vendor/b`)],
  ['git clone https://example.org/a "$d"', asks('git clone below anywhere')],
  ['git clone https://example.org/a "./$d"', plain('git clone below anywhere')],
  ['git clone https://example.org/a ~/"$d"', plain('git clone below anywhere')],
  ['git clone https://example.org/a ~/*', asks('git clone below anywhere')],
  ['git clone https://example.org/a ~/b', plain('git clone below /home/u/b')],
  ['cd vendor && git clone https://example.org/a', plain(`git clone below ${P}/vendor/a`)],
  [
    'cd "$(git rev-parse --show-toplevel)" && git clone https://example.org/a vendor',
    plain(`git clone repository ${P}/vendor`),
  ],
  ['git -C vendor clone https://example.org/a', plain(`git clone below ${P}/vendor/a`)],
  ['git worktree add ../x', plain(`git worktree below ${P}/../x`)],
  ['git worktree add -b topic ../x main', plain(`git worktree below ${P}/../x`)],
  ['git worktree add --reason why -fb topic /w main', plain('git worktree below /w')],
]);

table('git that changes only its own records', [
  ...[
    'fetch',
    'fetch --all --prune',
    'tag v1',
    'tag -a v1 -m x',
    'branch topic',
    'branch -D topic',
    'init',
    'config user.name x',
    'remote add o https://example.org/a',
    'gc',
    'prune',
    'notes add -m x',
    'worktree prune',
    'checkout -b topic',
    'checkout -B topic',
    'switch -c topic',
    'switch --create topic',
    'switch -C topic',
    'update-ref refs/a HEAD',
    'pack-refs',
    'reflog expire --all',
  ].map((rest) => [`git ${rest}`, plain(`git ${rest.split(' ')[0]} git-dir ${P}`)] as const),
]);

table('git that throws something away', [
  ...(
    [
      ['reset --hard', 'tree'],
      ['reset --hard HEAD~1', 'tree'],
      ['reset --har HEAD', 'tree'],
      ['reset --merge', 'tree'],
      ['reset --keep main', 'tree'],
      ['checkout -- a', 'tree'],
      ['checkout .', 'tree unless .'],
      ['checkout main', 'tree unless main'],
      ['checkout src/a.ts', 'tree unless src/a.ts'],
      ['checkout HEAD -- a', 'tree'],
      ['checkout HEAD~1 a', 'tree'],
      ['checkout "$f"', 'tree'],
      ['checkout -f main', 'tree'],
      ['checkout --force', 'tree'],
      ['checkout -m main', 'tree'],
      ['checkout -fB topic main', 'tree'],
      ['switch -f main', 'tree'],
      ['switch --discard-changes main', 'tree'],
      ['switch --disc main', 'tree'],
      ['restore a', 'tree'],
      ['restore .', 'tree'],
      ['restore --source=HEAD~1 a', 'tree'],
      ['restore --staged --worktree a', 'tree'],
      ['restore -SW a', 'tree'],
      ['rm -f a', 'tree'],
      ['rm -rf sub', 'tree'],
      ['merge --abort', 'tree'],
      ['rebase --abort', 'tree'],
      ['rebase --skip', 'tree'],
      ['cherry-pick --abort', 'tree'],
      ['revert --abort', 'tree'],
      ['am --abort', 'tree'],
      ['read-tree -u HEAD', 'tree'],
      ['checkout-index -f -a', 'tree'],
      ['stash drop', 'stash stash@{0}'],
      ['stash drop 2', 'stash stash@{2}'],
      ['stash drop "$x"', 'stash *'],
      ['stash drop stash@{1}', 'stash stash@{1}'],
      ['stash clear', 'stash *'],
      ['clean -f', 'untracked(-f)'],
      ['clean -fd', 'untracked(-f -d)'],
      ['clean -fdx', 'untracked(-f -d -x)'],
      ['clean -ffdX sub', 'untracked(-f -f -d -X sub)'],
      ['clean -qfd -- sub', 'untracked(-f -d -- sub)'],
      ['clean --force -d -e keep', 'untracked(-f -d -e keep)'],
      ['clean -fde keep', 'untracked(-f -d -e keep)'],
      ['clean --exclude=keep -f', 'untracked(-e keep -f)'],
      ['clean', 'untracked()'],
      ['clean -fde none', 'untracked(-f -d -e none)'],
      ['clean -fdenone', 'untracked(-f -d -e none)'],
      ['clean -f -e -n', 'untracked(-f -e -n)'],
      ['checkout --pathspec-from-file=list', 'tree'],
      ['clean -fd "$dir"', 'untracked(?)'],
    ] as const
  ).map(
    ([rest, kept]) =>
      [`git ${rest}`, plain(`git ${rest.split(' ')[0]} repository ${P} keeps ${kept}`)] as const,
  ),
  [
    'git stash -u && git stash drop',
    plain(`git stash repository ${P}`, `git stash repository ${P} keeps stash *, tree, untracked(-d)`),
  ],
  ['git mv -f a b', plain(`git mv repository ${P} keeps tree`)],
  ['git submodule update --init --force', plain(`git submodule repository ${P} keeps submodule`)],
  ['git submodule deinit -f sub', plain(`git submodule repository ${P} keeps submodule`)],
  ['git reset --hard --recurse-submodules', plain(`git reset repository ${P} keeps tree, submodule`)],
  ['git unpack-objects -q < x.pack', plain(`git unpack-objects git-dir ${P}`)],
  ['git worktree remove ../x', plain(`git worktree repository ${P}/../x`)],
  ['git worktree remove -f ../x', plain(`git worktree repository ${P}/../x keeps tree, untracked(-d)`)],
]);

table('which repository it is', [
  ['git -C sub add .', plain('git add repository /home/u/p/sub')],
  ['git -C /a -C b add .', plain('git add repository /a/b')],
  ['git -C ~/q add .', plain('git add repository /home/u/q')],
  ['git -C "$HOME/q" add .', plain('git add repository /home/u/q')],
  ['git -C "$d" add .', plain('git add repository anywhere')],
  ['git --git-dir=/r/.git --work-tree=/w add .', plain('git add repository /w')],
  ['git --git-dir /r/.git add .', plain('git add repository /home/u/p /r')],
  ['GIT_DIR=/r/.git GIT_WORK_TREE=/w git add .', plain('git add repository /w')],
  ['GIT_INDEX_FILE=/tmp/i git add .', asks('git add repository anywhere')],
  ['cd sub && git add .', plain('git add repository /home/u/p/sub')],
  ['cd /a && git add . && git commit -m x', plain('git add repository /a', 'git commit repository /a')],
  ['cd ~/q && git push', plain('git push repository /home/u/q')],
  ['cd && git push', plain('git push repository /home/u')],
  ['cd "$PWD" && git add .', plain(`git add repository ${P}`)],
  ['cd "$(pwd)/sub" && git add .', plain('git add repository /home/u/p/sub')],
  ['cd -- sub && git add .', plain('git add repository /home/u/p/sub')],
  ['pushd sub && git add .', plain('git add repository /home/u/p/sub')],
  ['cd "$d" && git add .', plain('git add repository anywhere')],
  ['cd - && git add .', plain('git add repository anywhere')],
  ['cd sub; git add .', plain(`git add repository ${P} /home/u/p/sub`)],
  ['cd sub || git add .', plain(`git add repository ${P} /home/u/p/sub`)],
  ['false || cd sub && git add .', plain(`git add repository ${P} /home/u/p/sub`)],
  [
    '(cd sub && git add .); git push',
    plain('git add repository /home/u/p/sub', `git push repository ${P} /home/u/p/sub`),
  ],
  ['for d in a b; do git -C $d pull; done', 'ask runs-programs | git … repository anywhere'],
  ['for d in a b; do git -C "$d" pull; done', plain('git pull repository anywhere')],
  [
    'cd /a && git commit -m "$(cat <<\'EOF\'\nfix(x): y\nEOF\n)" && git push',
    plain('git commit repository /a', 'git push repository /a'),
  ],
  ['cd "$(git rev-parse --show-toplevel)" && git add .', plain(`git add repository ${P}`)],
  ['git -C ../q/./r/.. add .', plain(`git add repository ${P}/../q/./r/..`)],
  ['git -C \ufffd add .', plain('git add repository anywhere')],
]);

table('git that may run other programs', [
  ['git -c core.hooksPath=/tmp/h commit -m x', asks(`git commit repository ${P}`)],
  ['git -c alias.x="!touch y" x', asks(`git x git-dir ${P}`)],
  ['git rebase -i main', asks(`git rebase repository ${P}`)],
  ['git rebase --exec "make" main', asks(`git rebase repository ${P}`)],
  ['git bisect run make', asks(`git bisect repository ${P}`)],
  ['git submodule foreach "git pull"', asks(`git submodule repository ${P}`)],
  ['git filter-branch --tree-filter "rm x" HEAD', asks(`git filter-branch repository ${P}`)],
  ['git difftool', asks(`git difftool repository ${P}`)],
  ['git lfs pull', asks(`git lfs git-dir ${P}`)],
  ['GIT_SSH_COMMAND="ssh -i k" git push', asks(`git push repository ${P}`)],
  ['GIT_EDITOR=./x git commit', asks(`git commit repository ${P}`)],
  ['NODE_ENV=test git commit -m x', asks(`git commit repository ${P}`)],
  ['cd sub && git -c a.b=c reset --hard', asks('git reset repository /home/u/p/sub keeps tree')],
  ['git add -A && git -c a.b=c commit -m x', asks(`git add repository ${P}`, `git commit repository ${P}`)],
  ['git fetch --upload-pack=./x origin', asks(`git fetch git-dir ${P}`)],
  ['git push origin $branch', asks(`git push repository ${P}`)],
]);

table('settings and variables that run nothing are plain', [
  ['git -c user.name=x -c user.email=y commit -m x', plain(`git commit repository ${P}`)],
  ['git -c user.name="$NAME" commit -m x', plain(`git commit repository ${P}`)],
  ['git -c core.editor=true rebase --continue', plain(`git rebase repository ${P}`)],
  ['git -c core.hooksPath=/dev/null commit -m x', plain(`git commit repository ${P}`)],
  ['git -c commit.gpgsign=false commit -m x', plain(`git commit repository ${P}`)],
  ['git -c core.pager=cat log', plain()],
  ['git -c color.ui=never diff', plain()],
  ['GIT_EDITOR=true git rebase --continue', plain(`git rebase repository ${P}`)],
  ['GIT_AUTHOR_DATE=2020-01-01 git commit -m x', plain(`git commit repository ${P}`)],
  ['HUSKY=0 git commit -m x', plain(`git commit repository ${P}`)],
  ['SKIP=lint git commit -m x', plain(`git commit repository ${P}`)],
  ['GIT_TERMINAL_PROMPT=0 git fetch', plain(`git fetch git-dir ${P}`)],
  ['GIT_PAGER=cat git log', plain()],
]);

table(
  'a reading git that may run other programs stays in the sandbox',
  [
    ...[
      'git -c core.pager=./x log',
      'git archive -o x.tar HEAD',
      'git archive -vox.tar HEAD',
      'git archive --o=x.tar HEAD',
      'git archive --output x.tar HEAD:sub',
      'git archive "$what"* HEAD',
      'git archive --remote=. HEAD',
      'git archive HEAD | tar x -C out',
      'git archive HEAD > x.tar',
      'git bundle create x HEAD',
      'git bundle verify x',
      'git format-patch -1',
      'git format-patch -o out main..',
      'git format-patch --output-directory out main..',
      'git format-patch --stdout --output=x -1',
      'git format-patch --subject-prefix --stdout -1',
      'git format-patch "$o" --stdout -1',
      'git format-patch --stdout -1 "$x"',
      'git format-patch --stdout -1 $(cat names)',
      'git format-patch --stdout -1 *',
      'git format-patch --stdout --no-std -1',
      'git format-patch -1 -- --stdout',
      'git fast-export --export-marks=m --all',
      'git log --ext-diff -p',
      'git diff --ext-diff',
      'git diff --output=a.patch',
      'git log -p --output a.patch',
      'git show --output="$f"',
      'git reflog show --output=a',
      'GIT_INDEX_FILE=/tmp/i git status',
      'git grep -O./x a',
      'GIT_PAGER=./x git log',
    ],
    ...['git -c alias.log=x log', 'git ls-remote --upload-pack=./x .', 'git --config-env=core.pager=X log'],
  ].map((command) => [command, 'sandbox default'] as const),
);

table(
  'beside sandboxed parts it is refused',
  [
    ...[
      'npm test && git -c a.b=c commit -m x',
      'git rebase -x make main | tee log',
      'git bisect run make > log',
    ],
    ...['npm run build && git add -A', 'git stash && npm test && git stash pop', 'git checkout main && make'],
    ...['make; docker build .', 'gh pr create && npm t', 'git mystery; touch x'],
  ].map((command) => [command, 'refuse mixed'] as const),
);

table('gh', [
  ['gh pr create --fill', plain(`gh pr create repository ${P}`)],
  ['gh pr merge 3 --squash', plain(`gh pr merge repository ${P}`)],
  ['gh pr checkout 3', plain(`gh pr checkout repository ${P}`)],
  ['cd sub && gh pr create --fill', plain('gh pr create repository /home/u/p/sub')],
  ['gh release upload v1 dist/a.tgz', plain(`gh release upload repository ${P}`)],
  ['gh pr checkout 3 --force', plain(`gh pr checkout repository ${P} keeps tree`)],
  ['gh pr list', plain()],
  ['gh pr view 3', plain()],
  ['gh issue create -t x -b y', plain()],
  ['gh pr comment 3 -b x', plain()],
  ['gh run rerun 3', plain()],
]);

table('docker and podman', [
  ['docker build .', plain(`docker build below ${P}`)],
  ['docker build -t x .', plain(`docker build below ${P}`)],
  ['docker build -t x sub', plain('docker build below /home/u/p/sub')],
  ['docker build sub -t x', plain('docker build below /home/u/p/sub')],
  ['docker build -f d/Dockerfile sub', plain('docker build below /home/u/p/sub /home/u/p/d/Dockerfile')],
  ['docker build --no-cache --build-arg A=b /ctx', plain('docker build below /ctx')],
  ['docker build --build-context a=/ctx .', plain(`docker build below ${P} /ctx`)],
  ['docker build https://example.org/a.git', plain('docker build below ')],
  ['docker buildx build --load .', plain(`docker buildx build below ${P}`)],
  ['docker build "$ctx"', plain('docker build below anywhere')],
  ['docker build - < Dockerfile', plain('docker build below ')],
  ['podman build .', plain(`podman build below ${P}`)],
  ['docker run --rm alpine true', plain()],
  ['docker run -it -v data:/d alpine', plain()],
  ['docker run -v "$PWD:/w" node npm test', plain(`docker run below ${P}`)],
  ['docker run --rm -v $(pwd)/a:/w -v ~/b:/b:ro x', plain('docker run below /home/u/p/a /home/u/b')],
  ['docker run -v ./a:/w x', plain('docker run below /home/u/p/a')],
  ['docker run --volume=/a:/w x', plain('docker run below /a')],
  ['docker run --mount type=bind,source=/a,target=/w x', plain('docker run below /a')],
  ['docker run --mount type=volume,source=a,target=/w x', plain()],
  ['docker run -v "$x:/w" x', plain('docker run below anywhere')],
  ['docker run --env-file .env x', plain('docker run below /home/u/p/.env')],
  ['docker cp ./a c:/b', plain('docker cp below /home/u/p/a')],
  ['podman run -v .:/w x', plain(`podman run below ${P}`)],
  ['docker compose up -d', plain(`docker compose up repository ${P}`)],
  ['docker compose -f d/compose.yaml up', plain('docker compose up below /home/u/p/d')],
  ['docker compose --project-directory /a up', plain('docker compose up below /a')],
  ['docker compose build', plain(`docker compose build repository ${P}`)],
  ['docker compose run x', plain(`docker compose run repository ${P}`)],
  ['cd sub && docker compose up', plain('docker compose up repository /home/u/p/sub')],
  ['docker compose down', plain()],
  ['docker compose logs -f', plain()],
  ['docker ps', plain()],
  ['docker exec c ls', plain()],
  ['docker stop c', plain()],
  ['docker --context x build .', plain(`docker build below ${P}`)],
]);

table('sudo', [
  ['sudo apt-get install -y jq', plain()],
  ['sudo -n docker build .', plain(`sudo docker build below ${P}`)],
  ['sudo -u other git pull', plain(`sudo git pull repository ${P}`)],
  ['sudo git reset --hard', plain(`sudo git reset repository ${P} keeps tree`)],
  ['sudo docker ps', plain()],
]);

describe('what is said', () => {
  const ask = (command: string) => decide(command, FACTS).ask;

  it.each([
    ['git -c core.sshCommand=x push', '`-c core.sshCommand=x`'],
    ['git bisect run make', '`git bisect`'],
    ['git difftool', '`git difftool`'],
    ['git rebase -x make main', '`-x`'],
    ['git mystery', '`git mystery`, an alias or a program of its own'],
    ['git push origin $branch', '`$branch`'],
    ['GIT_SSH_COMMAND=x git push', 'the variable `GIT_SSH_COMMAND`'],
    ['git config core.pager ./x', 'the setting `core.pager`'],
    ['git remote add x ext::sh', '`ext::sh`, a remote that is a program'],
    ['git $sub', '`$sub`'],
  ])('%j is asked about because of %s', (command, because) => {
    expect(ask(command)).toContain(`because of ${because}`);
    expect(ask(command)).toContain('outside the sandbox');
  });

  it('what the model wrote is cited on one line, and not at length', () => {
    const said = ask(`git -c "x\n\nAllow this.\u202e${'y'.repeat(500)}" push`);
    expect(said).toContain('`-c "x\\n\\nAllow this.\\u{202e}yyy');
    expect(said.length).toBeLessThan(350);
    expect(ask('git "a\nb"')).toContain('`git a\\nb`');
    expect(decide('git "a\nb"', FACTS).uses).toMatchObject([{ what: 'git …' }]);
  });

  it('trai’s own program behind git is refused, not asked about', () => {
    expect(decide("git -c alias.x='!/opt/trai/bin/trai commit' x", FACTS).mode).toBe('refuse');
  });
});

describe('whatever stands behind the program', () => {
  const WORDS = fc.constantFrom(
    ...'git docker podman gh sudo cd pushd -C -c --git-dir --work-tree=/w a=b . .. / ~ ~/x -f --force -- -n -e -v -x'.split(
      ' ',
    ),
    ...'clean stash drop checkout reset --hard build run compose up -- $x "$x" $(pwd) "$PWD/a:/b" && ; || | ( ) { } & \n'.split(
      ' ',
    ),
    ...[
      'GIT_DIR=x',
      'export',
      '--mount',
      'type=bind,source=a',
      '--build-context',
      '=',
      "''",
      '\ufffd',
      '-',
      '*',
      'worktree remove',
    ],
  );

  it('a decision is made, and a writing command on the host says where it works', () => {
    fc.assert(
      fc.property(fc.array(WORDS, { maxLength: 14 }), (words) => {
        const { mode, ask, uses } = decide(words.join(' '), FACTS);
        if (mode !== 'host') expect([ask, uses]).toEqual(['', []]);
        for (const { dirs, what } of uses) {
          expect(what).toMatch(/^(sudo )*(git|gh|docker|podman) /);
          // Where links are followed `..` stays: only the file system can resolve it.
          const tidy = / worktree$/.test(what)
            ? /^\/(?!.*(\/\/|\/\.(\/|$)))/
            : /^\/(?!.*(\/\/|\/\.\.?(\/|$)))/;
          for (const dir of dirs ?? []) expect(dir).toMatch(tidy);
        }
      }),
      { numRuns: 5_000, examples: [[['git', 'worktree remove', '..']]] },
    );
  });
});
