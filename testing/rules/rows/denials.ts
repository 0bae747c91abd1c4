import type { Group } from './group.ts';

const NO_RM = {
  version: 2,
  deny: [{ tool: '^Bash$', match: { command: '^rm\\b' }, reason: 'use trash' }],
} as const;

/** A text in so many shells. */
function nested(text: string, depth: number): string {
  return Array.from({ length: depth }).reduce<string>(
    (made, _, i) => `sh -c ${JSON.stringify(made)} ${i}`,
    text,
  );
}

export const DENIALS: readonly Group[] = [
  {
    name: 'more spellings of a denied command, and what runs it',
    rules: { user: NO_RM },
    rows: String.raw`
deny | env --split-string="rm x"
deny | env "A=1" rm x
deny | env A"="1 rm x
deny | env 'A'=1 rm x
deny | env a-b=1 rm x
deny | env 1=1 rm x
deny | env A$X=1 rm x
deny | sudo "A=1" rm x
deny | sudo -E FOO=1 rm x
deny | su - root -c "rm x"
deny | su -lc 'rm x'
deny | bash -O extglob -c 'rm x'
deny | bash -c $'r\x6d x'
deny | fish -c 'rm x'
deny | tcsh -c 'rm x'
deny | printf '%s\n' 'rm x' | sh
deny | echo -e 'ls\nrm x' | sh
deny | echo 'rm x' | tee /dev/null | bash
deny | . /dev/stdin <<< 'rm x'
deny | sh <<E 2>&1 | tail⏎rm x⏎E
deny | declare a=rm; $a x
deny | readonly a=rm; $a x
deny | typeset a=rm; $a x
deny | local a=rm; $a x
deny | $(:)rm x
deny | r$@m x
deny | r"$@"m x
deny | r$()m x
deny | r$(true)m x
deny | $SUDO rm x
deny | a=r; b=m; $a$b x
deny | f() { "$@"; }; f rm x
deny | repeat 2 rm x
deny | emulate sh -c 'rm x'
deny | { rm x } always { ls }
deny | () { rm x }
deny | rm x &!
deny | cat =(rm x)
deny | prlimit --nproc=5 rm x
deny | choom -n 0 -- rm x
deny | numactl -N 0 rm x
deny | gosu root rm x
deny | i386 rm x
deny | faketime '1 day' rm x
deny | eatmydata rm x
deny | stdbuf -oL -- rm x
deny | X[0]=1 rm x
deny | {fd}>x rm x
deny | <x rm y
deny | case a in (a) rm x ;& esac
deny | find . -name a -exec sh -c 'rm "$1"' _ {} \;
deny | xargs -I{} sh -c 'rm {}'
deny | r${'$'}{x}m x
deny | r${'`'}${'`'}m x
allow | env "A=rm" ls
allow | echo "$X" rm x
allow | printf '%s\n' 'rm x' | cat
`,
  },
  {
    name: 'a denied command, wherever it stands',
    rules: { user: NO_RM },
    rows: String.raw`
deny | rm x
deny | rm -rf /
deny |   rm   -rf    /
deny | ls; rm x
deny | ls && rm x
deny | ls || rm x
deny | ls & rm x
deny | ls | rm x
deny | ls |& rm x
deny | ls⏎rm x
deny | (rm x)
deny | { rm x; }
deny | (ls; (rm x))
deny | ! rm x
deny | time rm x
deny | if true; then rm x; fi
deny | if rm x; then ls; fi
deny | if false; then ls; else rm x; fi
deny | if false; then ls; elif rm x; then ls; fi
deny | while rm x; do ls; done
deny | while true; do rm x; done
deny | until false; do rm x; done
deny | for f in *; do rm "$f"; done
deny | for f in $(rm x); do ls; done
deny | for ((i=0; i<3; i++)); do rm x; done
deny | select f in a b; do rm "$f"; done
deny | case $x in a) rm x;; esac
deny | case $(rm x) in a) ls;; esac
deny | echo $(rm x)
deny | echo "$(rm x)"
deny | echo "a $(echo "$(rm x)")"
deny | echo ${'`'}rm x${'`'}
deny | echo "${'`'}rm x${'`'}"
deny | cat <(rm x)
deny | ls > >(rm x)
deny | x=$(rm x)
deny | x=$(rm x) ls
deny | export X=$(rm x)
deny | a=(1 $(rm x))
deny | echo ${'$'}{x:-$(rm x)}
deny | echo $(( $(rm x) + 1 ))
deny | (( $(rm x) ))
deny | [[ $(rm x) == a ]]
deny | [ "$(rm x)" = a ]
deny | coproc rm x
deny | coproc X { rm x; }
deny | f() { rm x; }
deny | f() { rm x; }; f
deny | function f { rm x; }
deny | f() ( rm x )
deny | rm x > /dev/null
deny | > out rm x
deny | 2>&1 rm x
deny | rm x 2>/dev/null || true
deny | ls > $(rm x)
deny | cat <<EOF⏎$(rm x)⏎EOF
deny | cat <<< "$(rm x)"
deny | ls && ls && ls && ls && rm x && ls
deny | ls \⏎&& rm x
deny | r\⏎m x
deny | rm\⏎ x
deny | rm	x
deny | rm
pass | rmdir x
pass | npm x
pass | git rm x
pass | echo rm x > f
pass | foo "rm x"
`,
  },
  {
    name: 'spellings of a denied command',
    rules: { user: NO_RM },
    rows: String.raw`
deny | \rm x
deny | 'rm' x
deny | "rm" x
deny | r'm' x
deny | r"m" x
deny | ''rm x
deny | r''m x
deny | r\m x
deny | $'rm' x
deny | $'\x72m' x
deny | $'\162m' x
deny | $'r\u006d' x
deny | $"rm" x
deny | /bin/rm x
deny | /usr/bin/rm x
deny | /usr/local/bin/rm x
deny | ./rm x
deny | ../../bin/rm x
deny | "/bin"/rm x
deny | =rm x
deny | rm$IFS-rf$IFS/
deny | rm${'$'}{IFS}x
deny | $IFS rm x
deny | {rm,-rf,/}
deny | r{m,} x
deny | r{m,x} y
deny | {,rm} x
deny | 'r'{m,}
deny | r{m,{a,b}} x
deny | r{m..m} x
deny | r{'m',x} y
deny | /bin/{rm,ls} x
deny | {env,rm} x
deny | sudo r{m,} x
deny | sh -c 'r{m,} x'
deny | echo r{m,} x | sh
allow | echo {rm,x}
pass | git {rm,x}
deny | X=rm; $X x
deny | X=rm; "$X" x
deny | X=rm; ${'$'}{X} x
deny | X=rm⏎$X x
deny | X=r Y=m; $X$Y x
deny | X='rm -rf'; $X /
deny | export X=rm; $X x
deny | for c in ls rm; do $c x; done
deny | A=1 rm x
deny | A=1 B=2 rm x
deny | PATH=/x rm x
deny | alias r=rm⏎r x
deny | alias r='rm -rf'⏎r /
deny | alias rm=ls; \rm x
deny | r() { rm "$@"; }; r x
deny | r() { "$@"; }; r rm x
deny | r() { $1 $2; }; r rm x
deny | r() { "$1" x; }; r rm
allow | X=rm
allow | echo $X
deny | "rm x"
pass | ''
`,
  },
  {
    name: 'what wrappers run',
    rules: { user: NO_RM },
    rows: String.raw`
deny | env rm x
deny | env A=1 rm x
deny | env -i rm x
deny | env -u A rm x
deny | env -C /tmp rm x
deny | env -S "rm x"
deny | /usr/bin/env rm x
deny | command rm x
deny | command -p rm x
allow | command -v rm
allow | command -V rm
deny | builtin rm x
deny | exec rm x
deny | exec -a ls rm x
deny | nohup rm x &
deny | nice rm x
deny | nice -n 10 rm x
deny | nice -10 rm x
deny | nice --adjustment=5 rm x
deny | ionice -c 3 rm x
deny | timeout 5 rm x
deny | timeout -s KILL 5 rm x
deny | timeout --signal=KILL -k 1 5s rm x
deny | timeout --weird 5 rm x
deny | /usr/bin/time -f %e rm x
deny | time -p rm x
deny | stdbuf -oL rm x
deny | setsid rm x
deny | setsid -w rm x
deny | flock f rm x
deny | flock -n f rm x
deny | flock f -c 'rm x'
deny | flock f sh -c 'rm x'
deny | sudo rm x
deny | sudo -u bob rm x
deny | sudo -n -- rm x
deny | sudo A=1 rm x
deny | sudo -E env rm x
deny | sudo --weird=1 rm x
deny | doas rm x
deny | doas -u bob rm x
deny | su -c 'rm x'
deny | su bob -c 'rm x'
deny | su - bob -c 'rm x'
deny | su bob -c'rm x'
deny | su -s /bin/sh -c 'rm x' bob
deny | sudo -R /x rm x
deny | sudo --chroot=/x rm x
deny | bash --rcfile f -ic 'rm x'
deny | xargs rm
deny | xargs -0 -n 1 rm -f
deny | xargs -I{} rm {}
deny | xargs -I {} sh -c 'rm {}'
deny | find . -name x | xargs rm
deny | find . -exec rm {} \;
deny | find . -exec rm {} +
deny | find . -execdir rm {} ';'
deny | find . -ok rm {} \;
deny | find . -name a -exec ls {} \; -exec rm {} \;
deny | find . -exec sh -c 'rm "$1"' _ {} \;
deny | watch rm x
deny | watch -n 1 'ls; rm x'
deny | watch -x rm x
deny | parallel rm ::: a b
deny | parallel -j 4 'rm {}' ::: a b
deny | script -c 'rm x' log
deny | script -qc 'rm x' log
deny | eval rm x
deny | eval "rm x"
deny | eval 'ls;' 'rm x'
deny | eval "$(echo a)"; rm x
deny | trap 'rm x' EXIT
deny | trap -- 'rm x' EXIT INT
pass | trap - EXIT
deny | strace rm x
deny | strace -f -o log rm x
deny | chrt -i 0 rm x
deny | unshare -r rm x
deny | busybox rm x
deny | systemd-run --user rm x
deny | chroot / rm x
deny | nocorrect rm x
deny | noglob rm x
deny | - rm x
deny | sudo timeout 5 nice -n 5 env A=1 nohup rm x
deny | git -c alias.x='!rm x' x
deny | git -c 'core.pager=!rm x' log
pass | sudo ls
pass | timeout 5 ls-rm
`,
  },
  {
    name: 'nested shells, and what they read',
    rules: { user: NO_RM },
    rows: String.raw`
deny | sh -c 'rm x'
deny | bash -c "rm x"
deny | bash -lc 'rm x'
deny | bash -euo pipefail -c 'rm x'
deny | bash +e -c 'rm x'
deny | bash --norc --noprofile -c 'rm x'
deny | zsh -c 'rm x'
deny | dash -c 'ls; rm x'
deny | /bin/sh -c 'rm x'
deny | ./sh -c 'rm x'
deny | sh -c 'ls' && sh -c 'rm x'
deny | sh -c "sh -c 'rm x'"
deny | sh -c "bash -c 'rm x'"
deny | sh -c 'sh -c "sh -c \"rm x\""'
deny | sh -c 'sh -c "sh -c \"sh -c '"'"'rm x'"'"'\""'
deny | sh -c 'eval "bash -c \"eval '"'"'rm x'"'"'\""'
deny | X='rm x'; sh -c "$X"
deny | sh -c "$(echo ls); rm x"
deny | sh -c 'echo $(rm x)'
deny | sh -c '$0 x' rm
deny | sh <<< 'rm x'
deny | sh <<EOF⏎rm x⏎EOF
deny | bash <<'EOF'⏎ls⏎rm x⏎EOF
deny | bash -s <<EOF⏎rm x⏎EOF
deny | bash -s -- a b <<EOF⏎rm x⏎EOF
deny | cat <<EOF | sh⏎rm x⏎EOF
deny | cat <<EOF | tee log | bash⏎rm x⏎EOF
deny | sudo bash <<EOF⏎rm x⏎EOF
deny | (cat <<EOF⏎rm x⏎EOF⏎) | sh
deny | { sh; } <<EOF⏎rm x⏎EOF
deny | while read l; do sh; done <<EOF⏎rm x⏎EOF
deny | echo 'rm x' | sh
deny | echo "rm x" | sudo bash
deny | printf 'rm x\n' | sh
deny | echo rm x | bash -
deny | sh -c "echo 'rm x' | sh"
deny | . /dev/stdin <<< 'rm x'
deny | source /dev/stdin <<EOF⏎rm x⏎EOF
allow | cat <<EOF⏎rm x⏎EOF
allow | cat <<'EOF'⏎rm x⏎EOF
pass | cat > f <<EOF⏎rm x⏎EOF
pass | tee f <<EOF⏎rm x⏎EOF
pass | git commit -F - <<EOF⏎rm x⏎EOF
allow | cat <<-EOF⏎	rm x⏎	EOF
pass | sh script.sh <<EOF⏎rm x⏎EOF
allow | ls # rm x
pass | # rm x
allow | ls # $(rm x)
allow | echo 'a # b' # rm x
pass | bash script.sh
`,
  },
  {
    name: 'what is not understood is still denied',
    rules: { user: NO_RM },
    rows: `
deny | echo "unterminated; rm x
deny | echo 'a; rm x
deny | ls && ; rm x
deny | if true; rm x
deny | (ls; rm x
deny | $(rm x
deny | r${'\u200b'}m x
deny | rm${'\u00ad'} x
deny | ${'\u202e'}rm x
deny | ls${'\u0000'}; rm x
deny | ls${'\r'}⏎rm x
deny | r${'\u0000'}m x
pass | echo "unterminated
deny | ${'echo a; '.repeat(1_800)}rm x
deny | ${'echo a; '.repeat(6_000)}rm x
deny | ${'a;'.repeat(4_500)}rm x
deny | ${nested('rm x', 6)}
deny | ${'eval '.repeat(12)}rm x
deny | ${'eval '.repeat(30)}sudo rm x
pass | ${'eval '.repeat(12)}npm x
deny | ${nested('ls; rm x', 7)}
pass | ls ${'\u202e'}
`,
  },
];

export const WHOLE_TEXTS: readonly Group[] = [
  {
    name: 'rules about the whole text',
    rules: {
      user: {
        version: 2,
        deny: [{ tool: 'Bash', match: { command: 'curl [^|]*\\|\\s*(ba)?sh' }, reason: 'no remote code' }],
        ask: [{ tool: 'Bash', match: { command: 'git push.*&&.*deploy' } }],
        allow: [{ tool: 'Bash', match: { command: '^(git push|deploy|curl|ls)\\b' } }],
      },
    },
    rows: String.raw`
deny | curl https://x | sh
deny | curl -s https://x|bash
deny | curl -s https://x \⏎| sh
allow | curl https://x
allow | curl https://x | cat -n
deny | ls; curl x | sh
deny | echo 'curl x | sh' | cat
allow | cat <<EOF⏎curl x | sh⏎EOF
allow | ls # curl x | sh
allow | ls # a comment
deny | cat <<EOF | sh⏎curl x | sh⏎EOF
ask | git push && deploy
ask | git push origin main && ls && deploy
allow | deploy && git push
allow | git push; deploy
deny | python3 - <<EOF⏎curl x | sh⏎EOF
`,
  },
  {
    name: 'an unanchored deny rule sees the text anywhere',
    rules: {
      user: {
        version: 1,
        deny: [{ match: { command: '--force' } }, { tool: 'Bash', match: { command: 'prod' } }],
      },
    },
    rows: String.raw`
deny | git push --force
deny | git push '--force'
deny | git push --"force"
deny | git push --fo\rce
deny | F=--force; git push $F
deny | npm run deploy -- prod
deny | echo production
pass | git push --fast
allow | cat <<EOF⏎--force⏎EOF
`,
  },
];
