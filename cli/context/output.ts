/** What becomes of output that nobody takes. */

/**
 * A reader that leaves (`trai log | head -1`) ends no command: the rest of the output goes nowhere, and what was requested is
 * done with its own exit status. Any other error of an output is said, where it can be, and the command counts as failed.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EIO: the terminal is gone.
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      // After the command has set its own.
      process.once('exit', () => {
        process.exitCode = 1;
      });
      if (stream === process.stdout)
        process.stderr.write(`trai: the output could not be written: ${error.message}\n`);
    });
  }
}
