/**
 * The options with which programs certainly only read. A form that is not in here runs in the sandbox, which is slower and never
 * wrong. The notation is that of `option-grammar.ts`. To add an option, look it up in the program's manual, in older versions too:
 * it may write no file, run no program and change nothing else.
 */
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
  'grep': `-#EFGPiywxzsvVbnHhoqaIrRLlcTZU -e= -f= -m= -d= -D= -A= -B= -C= --extended-regexp --fixed-strings --basic-regexp
    --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages
    --invert-match --version --help --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label=
    --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include=
    --exclude= --exclude-from= --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null
    --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour? --binary --`,
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
};

const SUMS =
  '-bctzw --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --help --version --';

/** Programs with the options of another one. */
export const READER_ALIASES: Readonly<Record<string, string>> = {
  egrep: READER_OPTIONS['grep'] ?? '',
  fgrep: READER_OPTIONS['grep'] ?? '',
  md5sum: SUMS,
  sha1sum: SUMS,
  sha256sum: SUMS,
};

/** Programs none of whose options writes or runs something, in any version: a word that is not known may be any of them. */
export const HARMLESS_READERS: ReadonlySet<string> = new Set(
  `ls cat head tail wc grep egrep fgrep which type pwd true false : basename dirname realpath readlink stat du df id whoami uname
   nproc printenv ps uptime cut tr nl column jq tac rev diff cmp comm md5sum sha1sum sha256sum od seq sleep`.split(
    /\s+/,
  ),
);

/** How many operands a program may have that writes to the next one. */
export const MAX_OPERANDS: Readonly<Record<string, number>> = { uniq: 1 };

/** What `find` may be asked, by the number of words that belong to it. */
export const FIND_TESTS: readonly ReadonlySet<string>[] = [
  new Set(
    `-H -L -P -O0 -O1 -O2 -O3 -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -nowarn -warn
     -noleaf -empty -executable -readable -writable -false -true -nouser -nogroup -print -print0 -ls -prune -quit -not -a -and -o -or
     -help --help -version --version`.split(/\s+/),
  ),
  new Set(
    `-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
     -iwholename -links -lname -mmin -mtime -name -newer -path -perm -printf -regex -samefile -size -type -uid -used -user -wholename
     -xtype`.split(/\s+/),
  ),
];
