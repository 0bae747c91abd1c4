import { openPassthrough, withPermit } from '../context/permit.ts';
import type { Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

export const passthrough: Command = {
  name: 'passthrough',
  usage: 'passthrough',
  summary: 'the session’s next call runs on the host (within 5 minutes)',
  flags: [],
  options: [],
  words: 0,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    await withPermit(cli, passthrough, given, ctx);
    await openPassthrough(ctx);
    cli.print(
      'The next Bash call of this session runs on the host, unsandboxed, if it comes within 5 minutes: ask for it now. After that prompt it is gone.',
      { open: true },
    );
    return 0;
  },
};
