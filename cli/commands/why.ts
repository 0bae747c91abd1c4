import { resolve } from 'node:path';
import { askAbout, whyPath } from '../../core/attribution/why.ts';
import { whyCall } from '../../core/jobs/why-call.ts';
import { scanWritten } from '../../core/jobs/written.ts';
import { fromText } from '../../shared/bytes.ts';
import { whyCallText, whyText } from '../../shared/terminal/why.ts';
import { typedArgs } from '../context/permit.ts';
import { badUsage, type Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

export const why: Command = {
  name: 'why',
  usage: 'why PATH',
  summary: 'show which call wrote PATH, and why it is pending, in conflict, ignored or not pending',
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
  summary: 'show why a call ran where it ran (default: the newest; 2 = the one before it)',
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
