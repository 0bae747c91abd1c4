import { resolve } from 'node:path';
import { fromText } from '../../../shared/bytes.ts';
import { askAbout, whyPath } from '../../../shared/changes/node/why.ts';
import { whyCall } from '../../sessions/why-call.ts';
import { scanWritten } from '../../sessions/written.ts';
import { whyCallText, whyText } from '../../text/why.ts';
import { typedArgs } from '../permit.ts';
import { badUsage, type Command } from '../read-args.ts';
import { chosenSession } from '../which-session.ts';

export const why: Command = {
  name: 'why',
  usage: 'why PATH',
  summary: 'which call wrote PATH; why it is pending, in conflict, ignored or not pending',
  flags: [],
  options: [],
  words: 1,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await typedArgs(cli, why, given, ctx);
    const [word] = args.words;
    if (word === undefined) throw badUsage(why, 'expected a path');
    const found = await whyPath(ctx, askAbout(ctx, await scanWritten(ctx), fromText(resolve(cli.cwd, word))));
    cli.print(whyText(found, cli.style), found);
    return 0;
  },
};

export const whyHost: Command = {
  name: 'why-host',
  usage: 'why-host [CALL]',
  summary: 'why a call ran where it ran (default: the newest; 2 = the one before it)',
  flags: [],
  options: [],
  words: 1,
  async run(cli, args) {
    const { meta, ctx } = await chosenSession(cli);
    const found = await whyCall({ id: meta.id, dir: ctx.sessionDir }, args.words[0] ?? '1', cli.env);
    cli.print(whyCallText(found, cli.style), found);
    return 0;
  },
};
