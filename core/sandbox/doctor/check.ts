import { existsSync, readFileSync } from 'node:fs';
import { orNull } from '../../kernel/fs/port.ts';

export interface Check {
  id: string;
  ok: boolean;
  /** A warning does not keep the sandbox from working. */
  level: 'error' | 'warning';
  found: string;
  remedy: string;
}

export type Finding = Omit<Check, 'id'>;

export const pass = (found: string): Finding => ({ ok: true, level: 'error', found, remedy: '' });

const failure =
  (level: Check['level']) =>
  (found: string, remedy: string): Finding => ({ ok: false, level, found, remedy });
export const fail = failure('error');
export const warn = failure('warning');

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

/** A setting of the kernel (sysctl); null where this kernel has none. */
export function readSetting(name: string): string | null {
  return orNull(() => readFileSync(`/proc/sys/${name}`, 'utf8').trim());
}

/** Most likely cause first. */
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

const by =
  (install: string) =>
  (name: string): string =>
    `${install} ${name}`;

const INSTALL: [string[], (name: string) => string][] = [
  [['debian', 'ubuntu'], by('sudo apt-get install')],
  [['fedora', 'rhel', 'centos'], by('sudo dnf install')],
  [['arch'], by('sudo pacman -S')],
  [['suse', 'opensuse'], by('sudo zypper install')],
  [['alpine'], by('sudo apk add')],
  [['nixos'], (name) => `Add pkgs.${name} to environment.systemPackages, and rebuild.`],
];

export function remedyForPackage(name: string): string {
  const text = orNull(() => readFileSync('/etc/os-release', 'utf8')) ?? '';
  const ids = [...text.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap(([, id = '']) => id.split(' '));
  const [, install] = INSTALL.find(([names]) => names.some((one) => ids.includes(one))) ?? [];
  return install?.(name) ?? `Install the package ${name}.`;
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
