import { Readable } from 'node:stream';
import { lastValueFrom, NEVER, of, throwError } from 'rxjs';
import { type SpecRequest, startWritingSpec } from '../../../src/cli/tapes/startWritingSpec';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const CALL = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** The spec of a tape whose first line names this command. */
const specOf = (
  command: string | string[] | undefined,
  { consent = () => of(true), own }: { consent?: SpecRequest['consent']; own?: string[] } = {},
): Promise<string | undefined> => {
  const lines = [
    { meta: { version: 1, command } },
    { t: 0, dir: 'in', line: CALL },
    { t: 1, dir: 'out', line: RESULT },
  ];
  const path = openHome().write('tape.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const deps = { stdin: Readable.from([]), remark: () => {}, version: '1', nats: () => NEVER };
  const asked = { path, choice: {}, command: own, consent, against: 'command', runner: 'node' } as const;
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

  it.each([
    [['codex-rx', 'mcp-server', '--record', 't.jsonl', '--lock']],
    [['codex-rx', 'mcp-server', '--record=t.jsonl', '--lock']],
    ['codex-rx mcp-server --lock --record t.jsonl'],
  ])('starts a server that recorded itself without its tape: %j', async (command) => {
    expect(await specOf(command)).toContain(`stdio(['codex-rx', 'mcp-server', '--lock'])`);
  });

  it.each([[undefined], [[]], [`node 'server.js`]])('plays the tape if the recorded command is %j', async (command) => {
    expect(await specOf(command)).toContain('tape.jsonl');
    expect(await specOf(command)).not.toContain('node ');
  });

  it('writes no spec of a command that the tape names and the person does not want, and asks about no other', async () => {
    const consent = jest.fn(() => throwError(() => new Error('no')));
    await expect(specOf(['sh', '-c', 'rm x'], { consent })).rejects.toThrow('no');
    expect(consent.mock.calls).toEqual([[['sh', '-c', 'rm x']]]);
    expect(await specOf(['sh'], { consent, own: ['cat'] })).toContain("stdio(['cat'])");
    expect(await specOf(undefined, { consent })).toContain('tape.jsonl');
    expect(consent).toHaveBeenCalledTimes(1);
  });
});
