/**
 * Test set-up, imported for its effect: temporary directories are in memory, where the many syncs of a commit wait for nobody
 * else. Needs user xattrs on tmpfs (Linux 6.6).
 */
import { existsSync, statfsSync } from 'node:fs';

if (existsSync('/dev/shm') && statfsSync('/dev/shm').bavail > 0) process.env['TMPDIR'] = '/dev/shm';
