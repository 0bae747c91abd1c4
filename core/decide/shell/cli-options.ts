/** The options with which gh, docker and podman only read, in the notation of `option-grammar.ts`. With any other one they count as writing. */

export const GH_READS = `-#cvx -L~ -s~ -l~ -a~ -A~ -B~ -b~ -e~ -H~ -S~ -R~ -q~ -t~ -i~ -j~ -u~ --limit~ --state~ --label~ --assignee~
  --author~ --base~ --head~ --search~ --repo~ --jq~ --json~ --template~ --comments --name-only --patch --color~ --watch --interval~
  --required --fail-fast --log --log-failed --verbose --exit-status --job~ --attempt~ --branch~ --workflow~ --event~ --user~ --status~
  --commit~ --created~ --milestone~ --mention~ --app~ --draft --archived --no-archived --fork --source --language~ --topic~ --visibility~
  --order~ --sort~ --match~ --owner~ --org~ --env~ --key~ --ref~ --closed --active --hostname~ --yaml --files --filename~ --raw
  --exclude-drafts --exclude-pre-releases --compact --all --help`;

export const GH_API_READS = `-i -q= -t= -p= -H= -X= --include --jq= --template= --preview= --header= --hostname= --method= --paginate
  --slurp --silent --verbose --help`;
/** Part of the address, where the method is GET. */
export const GH_API_FIELDS = '-f= -F= --field= --raw-field=';

export const CONTAINER_READS = `-aqslt -n~ -f? --all --quiet --size --latest --last~ --no-trunc --filter~ --format~ --digests --tree
  --follow --timestamps --tail~ --since~ --until~ --details --type~ --no-stream --limit~ --human --services --status~ --orphans --volumes
  --images --profiles --hash~ --environment --no-interpolate --no-normalize --no-consistency --no-path-resolution
  --resolve-image-digests --no-color --no-log-prefix --index~ --protocol~ --json --short --verbose --names --sort~ --noheading --pod
  --external --help`;

/** Between `compose` and its verb. */
export const COMPOSE_GLOBALS = `-f~ -p~ --file~ --project-name~ --profile~ --project-directory~ --env-file~ --ansi~ --progress~ --parallel~
  --all-resources --compatibility`;
