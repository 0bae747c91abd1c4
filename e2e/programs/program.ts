/** A program as an ordinary user runs it: one row of the tests, of the measurement and of docs/programs.md. */
export interface Program {
  name: string;
  /** Programs that must be on PATH; the row is left out, with a word about it, where one is missing. */
  needs: readonly string[];
  /** Text of the files of the project before anything runs, by path below it. */
  files: Readonly<Record<string, string>>;
  /** npm packages (`name@version`) and packages of our own lockfile (`name`) that the project has in node_modules. */
  packages?: readonly string[];
  /** Shell text run in the project, without trai, before both runs. Its failure leaves the row out, with `setupFails`. */
  setup?: string;
  /** Why the set-up may fail on a machine that is as it should be. */
  setupFails?: string;
  /** Shell text whose effect, output and exit status are compared. It leaves no process behind. */
  command: string;
  /** Paths below home that only one of two runs may have, or whose existence means nothing. */
  ignore?: readonly RegExp[];
  /** Paths below home whose content is another at each run: dates, random keys. */
  loose?: readonly RegExp[];
  /** Times of modification are part of the result. */
  times?: boolean;
  /** Hard links are not part of the result: one from a file of the host to a new name arrives as a copy (docs/limits.md). */
  copiesOfLinks?: boolean;
  /** Takes out of standard output what is another at each run; null = it is not compared. */
  stdout?: ((text: string) => string) | null;
}
