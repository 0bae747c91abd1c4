/**
 * The options with which subcommands of git only read, in the notation of `option-grammar.ts`. What is not in here, an
 * abbreviation included, is taken for something that writes. `=` is for values that every git takes from the next word, too.
 */
const DIFF = `-#puszabwRWrtcm -U~ -M? -C? -B? -D? -l~ -S= -G= -I~ -O~ -X? --patch --no-patch --unified~ --raw --stat? --numstat
  --shortstat --dirstat? --dirstat-by-file? --cumulative --summary --name-only --name-status --patch-with-stat --patch-with-raw
  --compact-summary --output-indicator-new~ --output-indicator-old~ --output-indicator-context~ --no-color --color? --color-moved?
  --no-color-moved --color-moved-ws~ --no-color-moved-ws --word-diff? --word-diff-regex~ --color-words? --check --full-index
  --binary --abbrev? --no-abbrev --find-renames? --no-renames --rename-empty --no-rename-empty --find-copies? --find-copies-harder
  --break-rewrites? --irreversible-delete --diff-filter~ --pickaxe-all --pickaxe-regex --find-object~ --relative? --no-relative --text
  --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines~
  --inter-hunk-context~ --function-context --exit-code --quiet --no-ext-diff --textconv --no-textconv --ignore-submodules?
  --submodule? --src-prefix~ --dst-prefix~ --no-prefix --default-prefix --line-prefix~ --ita-invisible-in-index --minimal --patience
  --histogram --anchored~ --diff-algorithm~ --indent-heuristic --no-indent-heuristic --ws-error-highlight~ --skip-to~ --rotate-to~
  --cc --combined-all-paths --cached --staged --merge-base --no-index --base --ours --theirs --`;

const REVISIONS = `-#iEFPgq -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter~ --author= --committer=
  --grep= --grep-reflog~ --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings
  --perl-regexp --remove-empty --merges --no-merges --min-parents~ --max-parents~ --no-min-parents --no-max-parents --first-parent
  --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob~ --exclude~ --exclude-hidden~ --reflog
  --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry
  --walk-reflogs --merge --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path?
  --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format~ --abbrev-commit
  --no-abbrev-commit --oneline --encoding~ --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --relative-date --date=
  --parents --children --left-right --graph --no-graph --show-linear-break? --count --timestamp --header --objects --no-object-names
  --disk-usage? --no-commit-header --commit-header --`;

const LOG = `${DIFF} ${REVISIONS} -L= --follow --decorate? --no-decorate --decorate-refs~ --decorate-refs-exclude~ --clear-decorations
  --source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --full-diff --log-size --root --diff-merges~ --no-diff-merges`;

const REFS = `-i --sort= --format= --color? --no-color --ignore-case --points-at= --merged= --no-merged= --contains= --no-contains=
  --omit-empty`;

const BLAME = `-bltpcsewfn -L= -S= -M? -C? --root --show-stats --reverse --first-parent --porcelain --line-porcelain --incremental
  --encoding~ --contents~ --date~ --progress --no-progress --ignore-rev~ --ignore-revs-file~ --color-lines --color-by-age --score-debug
  --show-name --show-number --show-email --abbrev? --`;

/** Subcommands that read, whatever their operands are. */
export const GIT_READS: Readonly<Record<string, string>> = {
  'annotate': BLAME,
  'archive': '-#lv --format~ --prefix~ --list --verbose --worktree-attributes',
  'blame': BLAME,
  'cat-file': `-tsepz --mailmap --no-mailmap --use-mailmap --no-use-mailmap --batch? --batch-check? --batch-command?
    --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks`,
  'check-attr': '-az --all --cached --stdin --',
  'check-ignore': '-qvzn --quiet --verbose --stdin --non-matching --no-index --',
  'cherry': '-v --verbose --abbrev?',
  'count-objects': '-vH --verbose --human-readable',
  'describe': `--dirty? --broken? --all --tags --contains --abbrev? --candidates~ --exact-match --debug --long --match= --exclude=
    --always --first-parent`,
  'diff': `${DIFF} --left-right --diff-merges~`,
  'diff-files': `${DIFF} -q`,
  'diff-index': DIFF,
  'diff-tree': `${DIFF} --root --stdin -v --pretty? --format~ --oneline --abbrev-commit --no-commit-id --always`,
  'fast-export': `${REVISIONS} -M? -C? --signed-tags~ --tag-of-filtered-object~ --reencode~ --no-data --full-tree
    --show-original-ids --reference-excluded-parents --progress~`,
  'for-each-ref': `${REFS} -spP --count= --shell --perl --python --tcl --exclude=`,
  'format-patch': `${DIFF} ${REVISIONS} -kN -v~ --stdout --root --no-numbered --numbered --no-signature --signature~ --subject-prefix~
    --cover-letter --no-stat --zero-commit --keep-subject --attach? --inline? --base~ --rfc`,
  'fsck': `--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict
    --verbose --name-objects --progress --no-progress -v`,
  'grep': `-#aiIwvhHEGPFnlLzocpWrq -A= -B= -C= -m= -e= -f= --cached --no-index --untracked --no-exclude-standard --exclude-standard
    --recurse-submodules --text --textconv --no-textconv --ignore-case --max-depth= --recursive --no-recursive --word-regexp
    --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
    --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading
    --show-function --after-context= --before-context= --context= --function-context --max-count= --threads= --and --or --not --all-match
    --quiet --`,
  'log': LOG,
  'ls-files': `-cdmoisukztvf -x= -X= --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory
    --unmerged --killed --deduplicate --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch
    --with-tree= --full-name --recurse-submodules --abbrev? --debug --eol --sparse --format= --`,
  'ls-remote':
    '-htq -o~ --heads --branches --tags --refs --quiet --exit-code --get-url --symref --sort= --server-option=',
  'ls-tree':
    '-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format=',
  'merge-base': '-a --all --octopus --independent --is-ancestor --fork-point',
  'name-rev':
    '--tags --refs= --exclude= --all --stdin --annotate-stdin --name-only --no-undefined --undefined --always',
  'range-diff': `${DIFF} --no-dual-color --creation-factor~ --left-only --right-only --notes? --no-notes`,
  'rev-list': `${REVISIONS} --objects-edge --use-bitmap-index --bisect-vars --bisect-all --unpacked`,
  'rev-parse': `${REVISIONS} --keep-dashdash --revs-only --no-revs --flags --no-flags --default= --prefix= --verify --quiet --sq --short?
    --abbrev-ref? --symbolic --symbolic-full-name --disambiguate? --local-env-vars --path-format? --git-dir --git-common-dir
    --resolve-git-dir --git-path --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir
    --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix
    --show-object-format? --show-ref-format`,
  'shortlog': `${REVISIONS} -nsec -w? --numbered --summary --email --group= --no-group`,
  'show': LOG,
  'show-branch': `-rag --remotes --all --current --topo-order --date-order --sparse --more? --list --merge-base --independent --no-name
    --sha1-name --topics --reflog? --color? --no-color`,
  'show-ref':
    '-dqs? --head --heads --branches --tags --dereference --hash? --verify --exists --abbrev? --quiet --exclude-existing? --',
  'status': `-sbvz -u? -M? --short --branch --show-stash --no-show-stash --porcelain? --long --verbose --untracked-files? --no-untracked-files
    --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --`,
  'var': '-l',
  'version': '--build-options',
  'whatchanged': LOG,
};

/** Verbs that read, by subcommand; the empty one is the subcommand without a verb. */
export const GIT_READING_VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bisect: { log: '' },
  remote: { '': '-v --verbose', show: '-n', 'get-url': '--push --all' },
  stash: { list: LOG, show: `${LOG} --include-untracked --only-untracked` },
  worktree: { list: '-vz --verbose --porcelain --expire=' },
  submodule: {
    '': '-q --quiet',
    status: '-q --quiet --cached --recursive --',
    summary: '-n= --cached --files --for-status --summary-limit= --',
  },
  notes: { '': '--ref=', list: '', show: '' },
  reflog: { '': LOG, show: LOG, exists: '' },
};

/** `git branch` and `git tag`: with these options they list; with an operand only where one of LISTING is there. */
export const GIT_LISTS: Readonly<Record<string, string>> = {
  branch: `${REFS} -arvl --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --column? --no-column --quiet -q`,
  tag: `${REFS} -l -n? --list --column? --no-column`,
};
export const LISTING = /^(-l|-n|--(list|contains|no-contains|merged|no-merged|points-at))$/;

export const SYMBOLIC_REF_READS = '-q --quiet --short --recurse --no-recurse';
