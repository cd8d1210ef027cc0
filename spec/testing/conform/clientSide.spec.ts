/** What a client does for an agent in a case. */
import { type ClientChoice, clientSide } from '../../../src/testing/conform/clientSide';

const OPTIONS = [
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
];
const ask = { id: 7, method: 'session/request_permission', params: { options: OPTIONS } };
const terminal = (id: number, name: string) => ({
  id,
  method: `terminal/${name}`,
  params: { terminalId: 'terminal-1' },
});
const played = (choice: ClientChoice, ...requests: { id: number; method: string; params: unknown }[]) => {
  const client = clientSide(choice)();
  return requests.map((one) => client(one)?.map((message) => ({ ...message, jsonrpc: undefined })));
};

describe('clientSide', () => {
  it.each([
    [{}, { outcome: 'selected', optionId: 'yes' }],
    [{ selects: ['reject_always', 'reject_once'] }, { outcome: 'selected', optionId: 'no' }],
    [{ selects: [] }, { outcome: 'cancelled' }],
  ])('answers a question with the option of its kinds: %j', (choice, outcome) => {
    expect(played(choice, ask)).toEqual([[{ id: 7, result: { outcome } }]]);
  });

  it('gives terminals whose command is over', () => {
    expect(played({}, terminal(1, 'create'), terminal(2, 'wait_for_exit'), terminal(3, 'release'))).toEqual([
      [{ id: 1, result: { terminalId: 'terminal-1' } }],
      [{ id: 2, result: { exitCode: 0, signal: null } }],
      [{ id: 3, result: {} }],
    ]);
  });

  it('ends a long command when it is killed, and then answers who waits for it', () => {
    const exitStatus = { exitCode: null, signal: 'SIGTERM' };
    const requests = [terminal(1, 'output'), terminal(2, 'wait_for_exit'), terminal(3, 'kill'), terminal(4, 'output')];
    expect(played({ isLong: true }, ...requests)).toEqual([
      [{ id: 1, result: { output: 'done\n', truncated: false } }],
      [],
      [
        { id: 3, result: {} },
        { id: 2, result: exitStatus },
      ],
      [{ id: 4, result: { output: 'done\n', truncated: false, exitStatus } }],
    ]);
  });

  it('knows nothing else', () => {
    expect(
      played({}, { id: 1, method: '_example.com/none', params: {} }, { id: 2, method: 'toString', params: {} }),
    ).toEqual([undefined, undefined]);
  });
});
