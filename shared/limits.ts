/** Every cap that several folders or a user meet, with its unit and its reason. */

/** A larger diff is collapsed until the user asks for it: GitHub's limit, confirmed by measuring. */
export const AUTO_DIFF_LINES = 400;
export const AUTO_DIFF_BYTES = 20 * 1024;
/** A larger diff is never rendered: 100,000 rows make the page slow. */
export const MAX_DIFF_LINES = 20_000;
export const MAX_DIFF_BYTES = 500 * 1024;
/** A larger file is not searched, and the answer counts it. 50,000 small files take about 3 s. */
export const SEARCH_FILE_BYTES = 2 * 1024 * 1024;
/** One page of search results: lines in all, lines of one file, and ms until it is sent. */
export const SEARCH_HITS = 200;
export const SEARCH_FILE_HITS = 20;
export const SEARCH_MS = 400;
/** Larger texts are not scanned for hidden characters. ms for: a tab's answer, status, a confirmation. */
export const HIDDEN_FILE_BYTES = 2 * 1024 * 1024;
export const HIDDEN_MS = { page: 150, status: 500, order: 5_000 };
/** Characters of a line shown around a hit. */
export const SEARCH_SNIPPET = 160;
/** Entries whose lines one request counts (those in view), and the largest file that is counted. */
export const MAX_COUNTED = 200;
export const COUNTED_BYTES = 256 * 1024;
/** The tab holds the image decoded, in memory. */
export const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
export const MAX_DOWNLOAD_BYTES = 1024 ** 3;
export const HEX_BYTES = 1_024;
/** Longer lines are cut on screen: 100,000 characters with highlighting took 141 s. */
export const MAX_LINE_CHARS = 2_000;
/** jsdiff gives up then: 5,000 entirely different lines take 7.6 s. */
export const DIFF_TIMEOUT_MS = 1_000;
/** Larger text files are not kept as merge bases. */
export const BASE_BLOB_BYTES = 256 * 1024;
export const EXCERPT_BYTES = 8 * 1024;
export const PROMPT_CHARS = 2_000;
export const MASS_GUARD_ENTRIES = 1_000;
/** Bytes: PATH_MAX (4096) less the prefixes of views and staging directories. */
export const MAX_PATH_BYTES = 4_000;
/** Nesting of directories: each level may hold a descriptor. */
export const MAX_LEVELS = 1_000;
export const MAX_API_BODY_BYTES = 1024 * 1024;
/** 20 bytes each. Larger directories take several requests. */
export const MAX_VIEWED_ENTRIES = 20_000;
/** A directory stands for everything below it, so few are needed. */
export const MAX_SCOPE_PATHS = 10_000;
export const MAX_HISTORY_PATHS = 500;
/** Of each kind; a preview gives the rest as a number. */
export const MAX_PREVIEW_NAMED = 100;
/** A Bash command can be 128 KiB, a tool response 30,000 characters, both JSON-escaped. */
export const MAX_HOOK_BODY_BYTES = 4 * 1024 * 1024;
/** How long an unused permit or passthrough is valid: a turn may need minutes to reach the call. */
export const GRANT_MS = 5 * 60 * 1000;
/** How long a sign-in code is valid: enough for a browser to start. */
export const CODE_MS = 30 * 1000;
/** A log line is one write(2); longer texts are cut to fit. */
export const MAX_LOG_LINE_BYTES = 64 * 1024;
/** Default wait for a file lock; a request that waits longer is refused. */
export const LOCK_WAIT_S = 10;
/** Wait for the lock of rule files: changing one takes milliseconds. */
export const RULES_LOCK_S = 5;
/** Before-images: of one commit without a question, retention, and of all commits (config: `undo`). */
export const UNDO_LIMITS = { maxBytes: 2 * 1024 ** 3, keepDays: 7, keepBytes: 10 * 1024 ** 3 };
/** Larger host files are not copied into a live overlay: its processes see a change without an event. */
export const REPLAY_BYTES = 16 * 1024 * 1024;
/** Paths replayed under one hold of the session's lock, for which calls that enter wait. */
export const REPLAY_BATCH = 256;
/** Retention of an entry that a replay moved away: a process may be about to open it. */
export const REPLAY_KEPT_MS = 2_000;

/**
 * A network file system has its server's clock, and times arrive up to a minute late: a host entry there that
 * is younger than this counts as possibly changed (ms). Kerberos fails at a larger skew, so it would be
 * repaired soon.
 */
export const FOREIGN_CLOCK_MS = 10 * 60 * 1000;
/** Per live session: each takes one inotify watch (max_user_watches) and 1 kB. */
export const WATCHED_DIRECTORIES = 8_192;
/** What a host git command is about to delete is copied up to these limits; above them the user is asked. */
export const SAVED_FILES = 5_000;
export const SAVED_BYTES = 128 * 1024 * 1024;
/** Saving: a launcher waits. Looking ahead: a hook waits, with 5 s in all. */
export const SAVE_MS = 15_000;
export const LOOK_AHEAD_MS = 2_000;
/** Below this the user is warned (config: `disk.warnFreeBytes`). */
export const DISK_WARN_FREE_BYTES = 1024 ** 3;
/** With more candidate writers the attribution says nothing, and every change would carry them all. */
export const MAX_NAMED_WRITERS = 20;
export const SAVED_NAMES = 50;

/** All git commands of one export together: a repository of a million files takes a minute. */
export const EXPORT_MS = 10 * 60_000;
