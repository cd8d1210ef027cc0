import { Readable } from 'node:stream';
import { lastValueFrom, NEVER } from 'rxjs';
import { startWritingSpec } from '../../../src/cli/tapes/startWritingSpec';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const CALL = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** The spec of a tape whose first line names this command. */
const specOf = (command: string | string[] | undefined): Promise<string | undefined> => {
  const lines = [
    { meta: { version: 1, command } },
    { t: 0, dir: 'in', line: CALL },
    { t: 1, dir: 'out', line: RESULT },
  ];
  const path = openHome().write('tape.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const deps = { stdin: Readable.from([]), remark: () => {}, version: '1', nats: () => NEVER };
  const asked = { path, choice: {}, against: 'command', runner: 'node' } as const;
  return lastValueFrom(startWritingSpec(deps, asked));
};

describe('startWritingSpec', () => {
  it.each([
    [['node', 'my server.js'], `['node', 'my server.js']`],
    ['node server.js', `['node', 'server.js']`],
    [`node 'my server.js' --name "a b"  c\\ d`, `['node', 'my server.js', '--name', 'a b', 'c d']`],
  ])('writes a spec of the recorded command %j', async (command, words) => {
    expect(await specOf(command)).toContain(words);
  });

  it.each([[undefined], [[]], [`node 'server.js`]])('plays the tape if the recorded command is %j', async (command) => {
    expect(await specOf(command)).toContain('tape.jsonl');
    expect(await specOf(command)).not.toContain('node ');
  });
});
