/**
 * The system's programs by their absolute paths. PATH may lead into the project, and in a session's view to what a command
 * made; these run with the rights of whoever owns the mounts. `hooks/launcher/launch` chooses the same directory.
 */
import { existsSync } from 'node:fs';

const USR = '/usr/bin';
/** NixOS has `env` alone in /usr/bin. Both directories are root's. */
const NIXOS = '/run/current-system/sw/bin';
const NIXOS_SETUID = '/run/wrappers/bin';

const isNixos = !existsSync(`${USR}/unshare`) && existsSync(NIXOS);
export const PROGRAM_DIR = isNixos ? NIXOS : USR;

export const programPath = (name: string): string => `${PROGRAM_DIR}/${name}`;

/** Of one that has rights by its file's mode or capabilities. */
export const setuidPath = (name: string): string => `${isNixos ? NIXOS_SETUID : USR}/${name}`;
