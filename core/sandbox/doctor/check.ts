/** One finding of the doctor. */
import { existsSync, readFileSync } from 'node:fs';
export interface Check {
  id: string;
  ok: boolean;
  /** A warning does not keep the sandbox from working. */
  level: 'error' | 'warning';
  found: string;
  /** Empty when nothing is to be done. */
  remedy: string;
}

export function pass(id: string, found: string): Check {
  return { id, ok: true, level: 'error', found, remedy: '' };
}

export function fail(id: string, found: string, remedy: string, level: Check['level'] = 'error'): Check {
  return { id, ok: false, level, found, remedy };
}

const APPARMOR_REMEDY = `This kernel lets only programs with an AppArmor profile make user namespaces (Ubuntu 23.10 and newer). Allow unshare:
  sudo tee /etc/apparmor.d/trai-unshare <<'EOF'
  abi <abi/4.0>,
  include <tunables/global>
  profile trai-unshare /usr/bin/unshare flags=(unconfined) {
    userns,
  }
  profile trai-nsenter /usr/bin/nsenter flags=(unconfined) {
    userns,
  }
  EOF
  sudo apparmor_parser -r /etc/apparmor.d/trai-unshare`;

const CONTAINER_REMEDY = `This is a container whose runtime forbids it. Start it with:
  docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN ...
or run claude outside the container.`;

export type ReadSetting = (name: string) => string | null;

/** Why a user namespace or an overlay may have been refused here, most likely cause first. */
export function remedyForNamespaces(read: ReadSetting): string {
  if (read('kernel/unprivileged_userns_clone') === '0') {
    return 'Debian’s switch is off. Turn it on:\n  echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system';
  }
  if (read('user/max_user_namespaces') === '0') {
    return 'User namespaces are switched off. Turn them on:\n  echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system';
  }
  if (read('kernel/apparmor_restrict_unprivileged_userns') === '1') return APPARMOR_REMEDY;
  if (isContainer()) return CONTAINER_REMEDY;
  return 'The kernel refused, and none of the known switches is off. Look at the last lines of: sudo dmesg (SELinux: sudo ausearch -m avc -ts recent).';
}

/** The command that installs a package on this distribution. */
export function remedyForPackage(name: string): string {
  const id = distribution();
  const commands: Record<string, string> = {
    debian: `sudo apt-get install ${name}`,
    fedora: `sudo dnf install ${name}`,
    arch: `sudo pacman -S ${name}`,
    suse: `sudo zypper install ${name}`,
    alpine: `sudo apk add ${name}`,
  };
  return commands[id] ?? `Install the package ${name}.`;
}

function distribution(): string {
  let text = '';
  try {
    text = readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
  const ids = [...text.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap((match) =>
    (match[1] ?? '').split(' '),
  );
  for (const [family, names] of Object.entries({
    debian: ['debian', 'ubuntu'],
    fedora: ['fedora', 'rhel', 'centos'],
    arch: ['arch'],
    suse: ['suse', 'opensuse'],
    alpine: ['alpine'],
  })) {
    if (ids.some((id) => names.includes(id))) return family;
  }
  return '';
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
