/** The end of a client that the server has started for `bin/trai` (hooks/lib/start-client.sh), and that no server does. */
import { followCredentials } from '../../core/jobs/client-files.ts';
import { endBox, statusOfClient } from '../../core/jobs/served-end.ts';
import { readClientRecord } from '../../core/sandbox/client-door.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { badUsage, type Command } from '../context/command.ts';
import { USAGE } from '../messages/errors.ts';
import { endHere } from './claude.ts';
import { remarkOnRoom } from './exec.ts';

export const clientEnded: Command = {
  name: 'client-ended',
  usage: 'SESSION STATUS [lost]',
  summary: 'do what follows when Claude Code has ended',
  arguments: [],
  words: 3,
  session: null,
  json: false,
  async run(cli, { words: [session = '', ...status] }) {
    const dir = sessionDir(cli.state, session);
    const record = readClientRecord(dir);
    const code = await statusOfClient(dir, status);
    // The server had done it when it was killed.
    if (record === null) return code;
    if (record.pid !== process.ppid) throw badUsage(clientEnded, USAGE.notStartedBy);
    // As beside the client: what follows it is done once.
    process.on('SIGINT', () => undefined);
    remarkOnRoom(cli, code);
    const follows = followCredentials({ stateDir: cli.state, session }, cli.env);
    await endHere(cli, session, { keepsRunning: false, follows });
    endBox({ stateDir: cli.state, session, pid: process.ppid }, code);
    return code;
  },
};
