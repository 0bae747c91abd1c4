/** Every cap in one place: unit in the name or comment, number, and why. */

/** GitHub's and our measured limit of what is shown without being asked for. */
export const AUTO_DIFF_LINES = 400;
export const AUTO_DIFF_BYTES = 20 * 1024;
/** Above this a diff is never rendered, only head and sizes: 100,000 rows make the page slow. */
export const MAX_DIFF_LINES = 20_000;
export const MAX_DIFF_BYTES = 500 * 1024;
/** A file above this is not searched, and said to be left out: 50,000 small ones take some 3 s. */
export const SEARCH_FILE_BYTES = 2 * 1024 * 1024;
/** A page of search results: at most so many lines, so many of one file, and so long (ms) until it is sent. */
export const SEARCH_HITS = 200;
export const SEARCH_FILE_HITS = 20;
export const SEARCH_MS = 400;
/**
 * A text above this is not looked into for hidden characters, and said to be left out. So long (ms) does it take for one
 * answer to a tab, which asks again until all are looked at; for `trai status`; and for what is confirmed.
 */
export const HIDDEN_FILE_BYTES = 2 * 1024 * 1024;
export const HIDDEN_MS = { page: 150, status: 500, order: 5_000 };
/** Characters of a line around what was found. */
export const SEARCH_SNIPPET = 160;
/** Entries whose lines are counted with one request (what is in sight), and the largest file that is counted. */
export const MAX_COUNTED = 200;
export const COUNTED_BYTES = 256 * 1024;
/** An image is shown up to this many bytes: the tab holds it in memory, decoded. */
export const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
/** What a tab may download; larger files are better copied in a terminal. */
export const MAX_DOWNLOAD_BYTES = 1024 ** 3;
/** Beginning of a binary file that is shown in hex: 64 rows of 16. */
export const HEX_BYTES = 1_024;
/** One line longer than this is cut on screen: 100,000 characters with highlighting took 141 s. */
export const MAX_LINE_CHARS = 2_000;
/** jsdiff gives up after this (ms): 5,000 wholly different lines take 7.6 s without. */
export const DIFF_TIMEOUT_MS = 1_000;
/** Content kept as merge base for text files up to this many bytes. */
export const BASE_BLOB_BYTES = 256 * 1024;
/** Output excerpt: first and last bytes kept in the log. */
export const EXCERPT_BYTES = 8 * 1024;
/** A prompt in the log is cut to so many characters: it is there to find a place in the timeline by. */
export const PROMPT_CHARS = 2_000;
/** The mass guard wants a confirmation above this many deleted or replaced host entries. */
export const MASS_GUARD_ENTRIES = 1_000;
/** Longest path that is worked on, on the host and in an upper (bytes): PATH_MAX, less what views and staging put before it. */
export const MAX_PATH_BYTES = 4_000;
/** Deepest nesting of directories that is worked on: each directory of a path may be a held descriptor. */
export const MAX_LEVELS = 1_000;
/** API request bodies. */
export const MAX_API_BODY_BYTES = 1024 * 1024;
/** Entries that one request marks as viewed: 20 bytes each. Larger directories take several requests. */
export const MAX_VIEWED_ENTRIES = 20_000;
/** Paths that one order may name; a directory means all that is below it, so few are needed. */
export const MAX_SCOPE_PATHS = 10_000;
/** Paths of a commit or discard that one page of the history names. */
export const MAX_HISTORY_PATHS = 500;
/** Entries of each kind that a preview names (taken along, held open ...); the rest is a number. */
export const MAX_PREVIEW_NAMED = 100;
/** Hook bodies: a Bash command can be 128 KiB, a tool response 30,000 characters, both JSON-escaped. */
export const MAX_HOOK_BODY_BYTES = 4 * 1024 * 1024;
/** A one-shot passthrough and a permit expire after this (ms). */
export const GRANT_MS = 5 * 60 * 1000;
/** The browser's one-time code is good for this long (ms). */
export const CODE_MS = 30 * 1000;
/** One log line is written with one write(2); longer texts are cut to fit. */
export const MAX_LOG_LINE_BYTES = 64 * 1024;
/** How long anybody waits for a session's lock (s). */
export const LOCK_WAIT_S = 10;
/** Before-images: of one commit without a question, all together, and for how long (config: `undo`). */
export const UNDO_LIMITS = { maxBytes: 2 * 1024 ** 3, keepDays: 7, keepBytes: 10 * 1024 ** 3 };
/** A host file above this is not copied into a live overlay for every change of it: its processes see it without an event. */
export const REPLAY_BYTES = 16 * 1024 * 1024;
/** Paths that are replayed while the session's lock is held once: calls that enter wait for it. */
export const REPLAY_BATCH = 256;
/** What a replay took out of its place is kept for this long (ms): a process may be just about to open it. */
export const REPLAY_KEPT_MS = 2_000;

/**
 * Times of a network file system are its server's, and come to us up to a minute late: a host entry there that is not older
 * than this counts as possibly changed since (ms). A server that is further off has no Kerberos, and is repaired soon.
 */
export const FOREIGN_CLOCK_MS = 10 * 60 * 1000;
/** Directories that the server watches for a live session: each costs a watch of the kernel (max_user_watches) and 1 kB. */
export const WATCHED_DIRECTORIES = 8_192;
/** What a host git command is about to delete is copied up to so many files and bytes; above that the person is asked. */
export const SAVED_FILES = 5_000;
export const SAVED_BYTES = 128 * 1024 * 1024;
/** Keeping it may take so long (ms): a launcher waits for it. Looking ahead, so long: a hook waits, with 5 s in all. */
export const SAVE_MS = 15_000;
export const LOOK_AHEAD_MS = 2_000;
/** Free bytes of the state directory's file system below which people are warned (config: `disk.warnFreeBytes`). */
export const DISK_WARN_FREE_BYTES = 1024 ** 3;
/** Candidates for who wrote a change: above that it is as good as not known, and each change would carry them all. */
export const MAX_NAMED_WRITERS = 20;
/** Untracked files that the log names. */
export const SAVED_NAMES = 50;

/** All the git of one export together: a repository of a million files takes a minute (ms). */
export const EXPORT_MS = 10 * 60_000;
