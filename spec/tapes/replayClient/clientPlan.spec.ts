import { toClientPlan, toPauses } from '../../../src/tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const event = (type: string) => ({ method: 'codex/event', params: { msg: { type } } });
const ask = { id: 1, method: 'elicitation/create', params: {} };
const result = { id: 7, result: { taskId: 't1' } };

describe('toClientPlan', () => {
  const index = toSessionIndex(
    sessionFrom(
      [0, 'in', { id: 7, method: 'go' }],
      [1, 'out', event('began')],
      [2, 'out', [event('ended'), ask]],
      [3, 'out', event('began')],
      [4, 'out', result],
      [5, 'in', { id: 8, method: 'get', params: { taskId: 't1' } }],
    ),
  );
  const plan = toClientPlan(index);
  const [began, ended, asked, responded] = [
    { id: 0, required: false, values: [event('began'), event('began')] },
    { id: 1, required: false, values: [[event('ended'), ask]] },
    { id: 2, required: true, values: [] },
    { id: 3, required: true, values: [result] },
  ];

  it('counts the messages of the server by kind, with the lines that each kind begins', () => {
    expect(plan.index).toBe(index);
    expect([...plan.kinds.values()]).toEqual([began, ended, asked, responded]);
    expect(plan.kindsOf).toEqual([[began], [ended, asked], [began], [responded]]);
  });

  it('knows the handles that the client sends back', () => {
    expect([...plan.handles]).toEqual([['= t1', { id: 0, origin: '0.0' }]]);
  });

  it('of a session without lines is empty', () => {
    const empty = toClientPlan(toSessionIndex(sessionFrom()));
    expect([empty.kinds.size, empty.kindsOf, empty.handles.size]).toEqual([0, [], 0]);
  });
});

const index = toSessionIndex(
  sessionFrom(
    [0, 'in', { id: 1, method: 'a' }],
    [100, 'out', { id: 1, result: 'A' }],
    [300, 'in', { method: 'n' }],
    [500, 'in', { id: 2, method: 'b' }],
    [600, 'out', { id: 0, method: 'ask' }],
    [700, 'in', { id: 0, result: 'yes' }],
    [9_000, 'in', { method: 'n' }],
    [9_400, 'exit', '{"code":null,"sig":"SIGTERM"}'],
  ),
);

describe('toPauses', () => {
  it('waits after a notification and a response, a second at most', () => {
    expect(toPauses(index, 'needed')).toEqual([0, 200, 0, 1_000, 400]);
  });

  it('waits as long as recorded, at a multiple of the pace', () => {
    expect(toPauses(index, 1)).toEqual([300, 200, 200, 8_300, 400]);
    expect(toPauses(index, 10)).toEqual([30, 20, 20, 830, 40]);
  });

  it('does not wait at all', () => {
    expect(toPauses(index, 'max')).toEqual([0, 0, 0, 0, 0]);
  });
});
