import type { Program } from '../program.ts';

/** Odd names, links and modes that a copy must keep. */
const TREE = [
  'mkdir -p old/sub old/empty',
  "printf one >old/one && printf two >'old/sub/two words' && printf three >$'old/sub/line\\nbreak'",
  'ln -s ../one old/sub/link && ln old/one old/hard && ln -s /nowhere old/dangling',
  'printf x >old/run.sh && chmod 0750 old/run.sh && chmod 0700 old/empty && printf y >old/closed && chmod 0400 old/closed',
  'head -c 3000000 /dev/zero >old/big && touch -d 2020-02-02T02:02:02Z old/one old/sub',
];

export const FILES: readonly Program[] = [
  {
    name: 'tar',
    needs: ['tar', 'gzip'],
    files: {},
    setup: TREE.join(' && '),
    command: 'tar -czf all.tgz old && mkdir new && tar -xzpf all.tgz -C new && rm -r old && tar -tzf all.tgz',
    // gzip notes the time.
    loose: [/\/all\.tgz$/],
    times: true,
    ignore: [/^p\/all\.tgz$/],
  },
  {
    name: 'rsync',
    needs: ['rsync'],
    files: { 'copy/stale': 'x\n', 'copy/one': 'another\n', 'copy/sub/gone/deep': 'x\n' },
    setup: TREE.join(' && '),
    command:
      'rsync -aH --delete --itemize-changes old/ copy/ && rsync -aH --delete --itemize-changes old/ copy/',
    times: true,
  },
  {
    name: 'sqlite3',
    needs: ['sqlite3'],
    files: {},
    setup:
      "sqlite3 old.db 'create table t(a integer primary key, b text); insert into t(b) values (1),(2),(3);'",
    command: [
      'sqlite3 old.db "pragma journal_mode=wal; insert into t(b) select b || a from t; select count(*) from t;"',
      'sqlite3 new.db "create table n(x); begin; insert into n select value from generate_series(1, 20000); commit; select sum(x) from n;"',
      'sqlite3 old.db "update t set b = b + 1; pragma wal_checkpoint(truncate); pragma integrity_check;"',
    ].join(' && '),
  },
  {
    name: 'gpg',
    needs: ['gpg', 'gpgconf'],
    files: { 'letter.txt': 'Dear reader\n' },
    // A home of its own: the agent of the user who runs the tests is none of its business.
    command: [
      'export GNUPGHOME=$PWD/keys && mkdir -m 700 keys',
      "gpg --batch --quiet --passphrase '' --quick-generate-key tester@example.org ed25519 sign never",
      'gpg --batch --quiet --armor --detach-sign letter.txt',
      'gpg --batch --verify letter.txt.asc letter.txt 2>&1 | grep -c "Good signature"',
      'gpgconf --kill all',
    ].join(' && '),
    ignore: [/^p\/keys\/(private-keys-v1\.d|openpgp-revocs\.d)\/./, /^p\/keys\/(\.#lk|S\.|random_seed)/],
    loose: [/^p\/keys\//, /\.asc$/],
  },
];
