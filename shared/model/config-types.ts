import type { UndoLimits } from './commit.ts';

/** config.json after validation; every field has a default. */
export interface PassthroughConfig {
  passthrough: readonly string[];
  /** Programs that run on the host only while nothing is pending. */
  readOnly: readonly string[];
  /** `false`: every call runs on the host, visibly. */
  enabled: boolean;
}

export const HOST_WITH_PENDING = ['ask', 'warn', 'refuse'] as const;
export type HostWithPending = (typeof HOST_WITH_PENDING)[number];

export interface Config extends PassthroughConfig {
  hostWithPending: HostWithPending;
  /** Not covered. */
  scratch: readonly string[];
  ignore: readonly string[];
  disk: {
    /** The user is warned when the state directory's file system has less free; 0 = never. */
    warnFreeBytes: number;
  };
  undo: UndoLimits;
  /** Prefixes of commands that run tests: a preview says whether one passed after the last write. */
  testCommands: readonly string[];
  server: {
    autostart: boolean;
    port: number;
    /** The server exits after so many minutes without a tab, a hook and a live session. */
    idleMinutes: number;
  };
}
