/** `npm run release:version -- X.Y.Z` writes the version to all manifests; without an argument it prints what they state. */
import { statedVersions, writeVersion } from '../lib/manifests.ts';

const version = process.argv[3];
if (version !== undefined && !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error(`version: expected X.Y.Z, found ${version}`);
  process.exitCode = 2;
} else {
  if (version !== undefined) writeVersion(version);
  for (const { place, version: stated } of statedVersions()) console.log(`${stated.padEnd(10)} ${place}`);
  if (version !== undefined) console.log('Now: CHANGELOG.md, npm run build, commit, tag v' + version);
}
