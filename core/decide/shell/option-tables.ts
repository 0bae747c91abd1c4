/**
 * The options with which programs certainly only read, in the notation of option-grammar.ts: shell programs,
 * gh, docker and podman, git. Any other use runs in the sandbox (of a passthrough program: counts as
 * writing), which is slower but always safe. Before adding an option, check in the manuals, of older versions
 * too, that it writes no file, runs no program and changes nothing else. `=` only for values that every
 * version takes from the next word too.
 */
import { wordSet } from './words.ts';

const GREP = `-#EFGPiywxzsvVbnHhoqaIrRLlcTZU -e= -f= -m= -d= -D= -A= -B= -C= --extended-regexp --fixed-strings --basic-regexp
    --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages
    --invert-match --version --help --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label=
    --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include=
    --exclude= --exclude-from= --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null
    --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour? --binary --`;

const SUMS =
  '-bctzw --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --help --version --';

export const READER_OPTIONS: Readonly<Record<string, string>> = {
  'ls': `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -T= -w= --all --almost-all --author --block-size= --color? --classify?
    --context --dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired --escape
    --file-type --format= --full-time --group-directories-first --help --hide= --hide-control-chars --human-readable --hyperlink?
    --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name
    --quoting-style= --recursive --reverse --show-control-chars --si --size --sort= --tabsize= --time= --time-style= --version
    --width= --zero --`,
  'cat': `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help
    --version --`,
  'head': '-#qvz -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated --help --version --',
  'tail': `-#fFqvz -c= -n= -s= --bytes= --follow? --lines= --max-unchanged-stats= --pid= --quiet --silent --retry
    --sleep-interval= --verbose --zero-terminated --help --version --`,
  'wc': '-cmlLw --bytes --chars --lines --max-line-length --words --files0-from= --total= --help --version --',
  'grep': GREP,
  'egrep': GREP,
  'fgrep': GREP,
  // Not -z, --search-zip, --pre and --hostname-bin: they run programs.
  'rg': `-.0bcFhHiIlLnNopPqsSuUvVwx -A= -B= -C= -d= -E= -e= -f= -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context=
    --context= --auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --color=
    --colors= --column --no-column --context-separator= --no-context-separator --count --count-matches --crlf --no-crlf --debug
    --dfa-size-limit= --encoding= --no-encoding --engine= --field-context-separator= --field-match-separator= --file= --files
    --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob= --glob-case-insensitive
    --heading --no-heading --help --hidden --no-hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive
    --ignore-dot --ignore-exclude --ignore-files --ignore-global --ignore-parent --ignore-vcs --include-zero --invert-match --json
    --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count=
    --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename
    --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
    --no-ignore-vcs --no-messages --messages --no-pcre2-unicode --no-require-git --require-git --no-unicode --unicode --null
    --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --no-pcre2 --pcre2-version --pretty --quiet
    --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr= --stats --no-stats --text --no-text --threads= --trace
    --trim --no-trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --version --vimgrep --with-filename
    --word-regexp --`,
  'which': '-acfmpsSvw --',
  'type': '-acfmpPsStvw --',
  'pwd': '-LP --logical --physical',
  'true': '--help --version',
  'false': '--help --version',
  ':': '',
  'basename': '-az -s= --multiple --suffix= --zero --help --version --',
  'dirname': '-z --zero --help --version --',
  'realpath': `-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base=
    --strip --no-symlinks --zero --help --version --`,
  'readlink': `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero
    --help --version --`,
  'stat': '-Lft -c= --dereference --file-system --cached= --format= --printf= --terse --help --version --',
  // Not -C, which writes magic.mgc, -p, which sets times, and -z and -Z, which run programs.
  'file': `-vbchiklLnNrs0 -m= -e= -f= -F= --brief --checking-printout --exclude= --exclude-quiet= --files-from= --separator= --mime
    --mime-encoding --mime-type --apple --extension --keep-going --list --dereference --no-dereference --no-buffer --no-pad --print0
    --raw --special-files --magic-file= --help --version --`,
  'du': `-0abcDHhklLmPSsx -B= -d= -t= -X= --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth=
    --files0-from= --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize
    --threshold= --time? --time-style= --exclude-from= --exclude= --one-file-system --help --version --`,
  'df': `-ahHiklPTv -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --total
    --type= --print-type --exclude-type= --help --version --`,
  // Not -o, -H with -R, and -R: they write HTML files.
  'tree': `-adfilxpsughDFqNQrtcUvnACSXJ -L+ -P+ -I+ --noreport --inodes --device --dirsfirst --filesfirst --filelimit? --sort?
    --du --si --prune --gitignore --matchdirs --metafirst --ignore-case --charset? --timefmt? --help --version --info --fromfile`,
  'id': '-aZgGnruz --context --group --groups --name --real --user --zero --help --version',
  'whoami': '--help --version',
  'uname': `-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform
    --operating-system --help --version`,
  'nproc': '--all --ignore= --help --version',
  'printenv': '-0 --null --help --version',
  'ps': `-#AadeNfFHjlMPyLmTcwVxhZ -C= -G= -g= -p= -q= -s= -t= -u= -U= -O= -o= --deselect --Group= --group= --pid= --ppid=
    --quick-pid= --sid= --tty= --user= --User= --forest --format= --context --headers --no-headers --no-heading --cols= --columns= --width=
    --rows= --lines= --cumulative --sort= --help --version`,
  'uptime': '-psV --pretty --since --help --version',
  // Not -o and --output, --compress-program, -T and --temporary-directory.
  'sort': `-bdfgiMhnRrVcCmsuz -k= -S= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
    --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --sort=
    --version-sort --batch-size= --check? --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique
    --zero-terminated --files0-from= --help --version --`,
  // The second operand is an output file.
  'uniq': `-cdDiuz -f= -s= -w= --count --repeated --all-repeated? --group? --skip-fields= --ignore-case --skip-chars= --unique
    --zero-terminated --check-chars= --help --version`,
  'cut': `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
    --zero-terminated --help --version --`,
  'tr': '-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version --',
  'nl': `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering=
    --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=
    --help --version --`,
  'column': `-tEdeLJxhV -n= -O= -N= -l= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --table-name= --table-order=
    --table-columns= --table-columns-limit= --table-noextreme= --table-noheadings --table-header-repeat --table-hide= --table-right=
    --table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= --output-separator=
    --separator= --fillrows --help --version --`,
  'jq': `-crjasSCMneRh0 -f= -L= --compact-output --raw-output --join-output --raw-output0 --ascii-output --slurp --sort-keys
    --color-output --monochrome-output --null-input --exit-status --raw-input --tab --indent= --unbuffered --stream --stream-errors
    --seq --from-file= --arg --argjson --slurpfile --rawfile --args --jsonargs --help --version --`,
  'tac': '-br -s= --before --regex --separator= --help --version --',
  'rev': '-hV0 --zero --help --version --',
  'diff': `-#qsceunyptTrNiEZbwBadPv -C= -U= -W= -F= -x= -X= -S= -I= -D= -L= --normal --brief --report-identical-files --context?
    --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line=
    --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --recursive --no-dereference --new-file
    --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file=
    --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --old-group-format= --new-group-format=
    --unchanged-group-format= --changed-group-format= --line-format= --old-line-format= --new-line-format= --unchanged-line-format=
    --minimal --horizon-lines= --speed-large-files --color? --palette= --help --version --`,
  'cmp':
    '-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version --',
  'comm': `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated --help --version --`,
  'od': `-abcdfiloshHxXvBDeFILO -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
    --output-duplicates --width? --traditional --help --version --`,
  'seq': '-#w -f= -s= --format= --separator= --equal-width --help --version --',
  'sleep': '--help --version',
  'md5sum': SUMS,
  'sha1sum': SUMS,
  'sha256sum': SUMS,
};

/** Unknown words are harmless: in no version an option writes or runs anything. */
export const HARMLESS_READERS =
  wordSet(`ls cat head tail wc grep egrep fgrep which type pwd true false : basename dirname realpath readlink stat du df id whoami uname
   nproc printenv ps uptime cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep`);

/** They write to the operand after these. */
export const MAX_OPERANDS: Readonly<Record<string, number>> = { uniq: 1 };

/** By number of arguments. */
export const FIND_TESTS: readonly ReadonlySet<string>[] = [
  wordSet(`-H -L -P -O0 -O1 -O2 -O3 -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn
     -noleaf -empty -executable -readable -writable -false -true -nouser -nogroup -print -print0 -ls -prune -quit -not -a -and -o -or
     -help --help -version --version`),
  wordSet(`-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
     -iwholename -links -lname -mmin -mtime -name -newer -path -perm -printf -regex -samefile -size -type -uid -used -user -wholename
     -xtype`),
];

export const GH_READS = `-#cvx -L~ -s~ -l~ -a~ -A~ -B~ -b~ -e~ -H~ -S~ -R~ -q~ -t~ -i~ -j~ -u~ --limit~ --state~ --label~ --assignee~
  --author~ --base~ --head~ --search~ --repo~ --jq~ --json~ --template~ --comments --name-only --patch --color~ --watch --interval~
  --required --fail-fast --log --log-failed --verbose --exit-status --job~ --attempt~ --branch~ --workflow~ --event~ --user~ --status~
  --commit~ --created~ --milestone~ --mention~ --app~ --draft --archived --no-archived --fork --source --language~ --topic~ --visibility~
  --order~ --sort~ --match~ --owner~ --org~ --env~ --key~ --ref~ --closed --active --hostname~ --yaml --files --filename~ --raw
  --exclude-drafts --exclude-pre-releases --compact --all --help`;

export const GH_API_READS = `-i -q= -t= -p= -H= -X= --include --jq= --template= --preview= --header= --hostname= --method= --paginate
  --slurp --silent --verbose --help`;
/** Part of the address with GET only. */
export const GH_API_FIELDS = '-f= -F= --field= --raw-field=';

export const CONTAINER_READS = `-afqslt -n~ --all --quiet --size --latest --last~ --no-trunc --filter~ --format~ --digests --tree
  --follow --timestamps --tail~ --since~ --until~ --details --type~ --no-stream --limit~ --human --services --status~ --orphans --volumes
  --images --profiles --hash~ --environment --no-interpolate --no-normalize --no-consistency --no-path-resolution
  --resolve-image-digests --no-color --no-log-prefix --index~ --protocol~ --json --short --verbose --names --sort~ --noheading --pod
  --external --help`;

export const COMPOSE_GLOBALS = `-f~ -p~ --file~ --project-name~ --profile~ --project-directory~ --env-file~ --ansi~ --progress~ --parallel~
  --all-resources --compatibility`;

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

/** For a subcommand that drops `--` while it reads its own options, and takes what follows it for options. */
const withoutEnd = (line: string): string => line.replace(/ --(?= |$)/g, '');

const REFS = `-i --sort= --format= --color? --no-color --ignore-case --points-at= --merged= --no-merged= --contains= --no-contains=
  --omit-empty`;

const BLAME = `-bltpcsewfn -L= -S= -M? -C? --root --show-stats --reverse --first-parent --porcelain --line-porcelain --incremental
  --encoding~ --contents~ --date~ --progress --no-progress --ignore-rev~ --ignore-revs-file~ --color-lines --color-by-age --score-debug
  --show-name --show-number --show-email --abbrev? --`;

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
  'fast-export': `${withoutEnd(REVISIONS)} -M? -C? --signed-tags~ --tag-of-filtered-object~ --reencode~ --no-data --full-tree
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

/** The empty verb is the subcommand alone. */
export const GIT_READING_VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bisect: { log: '' },
  remote: { '': '-v --verbose', show: '-n', 'get-url': '--push --all' },
  stash: { list: withoutEnd(LOG), show: `${withoutEnd(LOG)} --include-untracked --only-untracked` },
  worktree: { list: '-vz --verbose --porcelain --expire=' },
  submodule: {
    '': '-q --quiet',
    status: '-q --quiet --cached --recursive --',
    summary: '-n= --cached --files --for-status --summary-limit= --',
  },
  notes: { '': '--ref=', list: '', show: '' },
  reflog: { '': LOG, show: LOG, exists: '' },
};

/** With an operand they list only together with one of LISTING. */
export const GIT_LISTS: Readonly<Record<string, string>> = {
  branch: `${REFS} -arvl --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --column? --no-column --quiet -q`,
  tag: `${REFS} -l -n? --list --column? --no-column`,
};
export const LISTING = /^(-l|-n|--(list|contains|no-contains|merged|no-merged|points-at))$/;

export const SYMBOLIC_REF_READS = '-q --quiet --short --recurse --no-recurse';
