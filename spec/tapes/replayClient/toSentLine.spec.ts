import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { toClientPlan } from '../../../src/tapes/replayClient/clientPlan';
import { IDLE_CLIENT, type Request } from '../../../src/tapes/replayClient/clientPlayback';
import { bindReceived, toSentLine } from '../../../src/tapes/replayClient/playClient';
import { itemAt } from '../../../src/tapes/session/sparseArray';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const ask = (id: number, text: string) => ({ id, method: 'elicitation/create', params: { text } });
const plan = toClientPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', '{ "id": 1, "method": "go" }'],
      [1, 'out', { id: 1, result: { taskId: 't1' } }],
      [2, 'out', ask(5, 'first')],
      [3, 'out', ask(6, 'second')],
      [4, 'in', { id: 6, result: { action: 'accept' } }],
      [5, 'in', { id: 2, method: 'tasks/get', params: { taskId: 't1' } }],
    ),
  ),
);
const line = (index: number) => plan.index.clientLines[index] ?? fail('no such line');
const [GO, ANSWER, GET] = [0, 1, 2].map(line) as [
  ReturnType<typeof line>,
  ReturnType<typeof line>,
  ReturnType<typeof line>,
];
const open = (id: number, text: string): Request => ({ kind: 'request', ...ask(id, text) });
const fail = (text: string): never => {
  throw new Error(text);
};

describe('toSentLine', () => {
  it('is the recorded line, byte by byte, where no handle differs', () => {
    const openRequests = [open(5, 'first')];
    expect(toSentLine(plan, { ...IDLE_CLIENT, openRequests }, GO)).toEqual({
      line: '{ "id": 1, "method": "go" }',
      openRequests,
    });
  });

  it.each<[string, Request[], number, Request[]]>([
    [
      'to the open request that is most like the recorded one',
      [open(8, 'first'), open(9, 'second')],
      9,
      [open(8, 'first')],
    ],
    ['to the first of its method where none is like it', [open(8, 'x'), open(9, 'y')], 8, [open(9, 'y')]],
    ['under the recorded id where the request has it', [open(6, 'second')], 6, []],
    [
      'as it was where no request of its method is open',
      [{ ...open(8, 'second'), method: 'ping' }],
      6,
      [{ ...open(8, 'second'), method: 'ping' }],
    ],
  ])('sends a response %s', (_, openRequests, id, left) => {
    const sent = toSentLine(plan, { ...IDLE_CLIENT, openRequests }, ANSWER);
    expect({ ...sent, line: JSON.parse(sent.line) }).toEqual({
      line: { id, result: { action: 'accept' } },
      openRequests: left,
    });
  });

  it('has the handle that this server issued, the first of two', () => {
    const received = ['t9', 't10'].reduce((state, taskId) => {
      const { value, messages } = parseLine(JSON.stringify({ id: 1, result: { taskId } }));
      return bindReceived(plan, state, { value, message: messages[0] });
    }, IDLE_CLIENT);
    expect(JSON.parse(toSentLine(plan, received, GET).line)).toEqual({
      id: 2,
      method: 'tasks/get',
      params: { taskId: 't9' },
    });
  });
});

describe('bindReceived', () => {
  it('counts the lines of a kind, and binds the handles of the recorded line in its place', () => {
    const { value, messages } = parseLine(JSON.stringify({ id: 1, result: { taskId: 't9' } }));
    const after = bindReceived(plan, IDLE_CLIENT, { value, message: messages[0] });
    expect({ ...after, received: itemAt(after.received, 0), bound: itemAt(after.bound, 0) }).toEqual({
      ...IDLE_CLIENT,
      received: 1,
      bound: 't9',
    });
  });

  it.each([
    ['a message of another kind', { method: 'unknown' }],
    ['no message', undefined],
  ])('keeps the state for %s', (_, message) => {
    const given = message && parseLine(JSON.stringify(message)).messages[0];
    expect(bindReceived(plan, IDLE_CLIENT, { value: message, message: given })).toBe(IDLE_CLIENT);
  });
});
