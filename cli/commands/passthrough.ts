import { openPassthrough, withPermit } from '../context/permit.ts';
import type { Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

export const passthrough: Command = {
  name: 'passthrough',
  usage: 'passthrough',
  summary: 'let the session’s next call run on the host (within 5 minutes)',
  flags: [],
  options: [],
  words: 0,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    await withPermit(cli, passthrough, given, ctx);
    await openPassthrough(ctx);
    cli.print(
      'The next Bash call of this session runs on the host, unsandboxed. Ask for it now: this holds for 5 minutes and one prompt.',
      { open: true },
    );
    return 0;
  },
};
