import type { UndoLimits } from './commit.ts';

/** The user's config after validation (config.json); every field has a default. */
export interface PassthroughConfig {
  /** Programs that run on the host. Default: git gh sudo docker podman. */
  passthrough: readonly string[];
  /** Programs that run on the host only while nothing is pending. */
  readOnly: readonly string[];
  /** `false` turns the sandbox off: every call runs on the host, visibly. */
  enabled: boolean;
}

/** What happens to a host command that works on files which are pending. */
export const HOST_WITH_PENDING = ['ask', 'warn', 'refuse'] as const;
export type HostWithPending = (typeof HOST_WITH_PENDING)[number];

export interface Config extends PassthroughConfig {
  hostWithPending: HostWithPending;
  /** Directories (absolute) that stay the host's. Default: /tmp /var/tmp /dev/shm /run. */
  scratch: readonly string[];
  /** Glob-like rules of entries that "commit everything" leaves out; see shared/model/ignore.ts. */
  ignore: readonly string[];
  disk: {
    /** Whoever uses trai is warned when the state directory's file system has less free; 0 = never. */
    warnFreeBytes: number;
  };
  /** What is kept so that commits can be taken back. */
  undo: UndoLimits;
  /** Beginnings of commands that run tests: the commit confirmation says whether one passed after the last write. */
  testCommands: readonly string[];
  server: {
    /** SessionStart starts the server. */
    autostart: boolean;
    /** Fixed port; 0 = chosen by the kernel. */
    port: number;
    /** The server leaves after so many minutes without a tab, a hook and a live session. */
    idleMinutes: number;
  };
}
