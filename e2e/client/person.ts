import { execFileSync, spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** Whom the client runs as. The ordinary user's run is the one that counts; `root` only where a test is about root. */
export interface Person {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/** A user that exists on the machine, or one that this makes: `TRAI_TEST_USER`, else `tester`. */
export function ordinaryPerson(): Person {
  if (process.getuid?.() !== 0) {
    const { username, uid, gid, homedir } = userInfo();
    return { name: username, uid, gid, home: homedir };
  }
  const name = process.env['TRAI_TEST_USER'] ?? 'tester';
  const known = lookUp(name);
  if (known !== null) return known;
  execFileSync('useradd', ['--create-home', '--shell', '/bin/bash', name]);
  const made = lookUp(name);
  if (made === null) throw new Error(`useradd made no user ${name}.`);
  return made;
}

/** The user that runs the tests. */
export function rootPerson(): Person {
  return { name: 'root', uid: 0, gid: 0, home: '/root' };
}

function lookUp(name: string): Person | null {
  const line = spawnSync('getent', ['passwd', name], { encoding: 'utf8' }).stdout.trim();
  const [, , uid, gid, , home] = line.split(':');
  if (uid === undefined || gid === undefined || home === undefined) return null;
  return { name, uid: Number(uid), gid: Number(gid), home };
}
