/** `codex-rx logout`: forgets the login. */
import { accountsHere } from '../../settings/logins/accountsHere';
import { reasonOf } from '../../streams/text/reasons';
import { defineCommand } from '../command';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

export const logout = defineCommand({
  usage: '$0 logout',
  positionals: {},
  options: {},
  afterDashes: 'nothing',
  examples: [['$0 logout', 'remove auth.json, the login that an installed Codex uses too']],
  run: () => {
    try {
      const isDone = accountsHere({ processInfo: thisProcess() }).logout();
      print(`${isDone ? 'Logged out.' : 'Nobody was logged in.'}\n`);
    } catch (error) {
      remarkAs('logout')(reasonOf(error));
      process.exitCode = exitCode.failed;
    }
    exitWhenWritten('logout')();
  },
});
