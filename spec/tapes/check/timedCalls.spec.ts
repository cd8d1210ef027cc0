import { timedCalls } from '../../../src/tapes/check/toHar';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { index, STARTED } from './support';

const [call, question, answer, response, ping] = index.messages;

describe('timedCalls', () => {
  it('lists the calls with the times of the clock, and the call that a request of the server belongs to', () => {
    expect(timedCalls(index)).toEqual([
      {
        number: 0,
        from: 'client',
        method: 'tools/call',
        label: 'tools/call a',
        outcome: 'failed',
        startMs: STARTED,
        endMs: STARTED + 20.5,
        request: call,
        response,
      },
      {
        number: 1,
        parent: 0,
        from: 'server',
        method: 'elicitation/create',
        label: 'elicitation/create',
        outcome: 'answered',
        startMs: STARTED + 5,
        endMs: STARTED + 10,
        request: question,
        response: answer,
      },
      {
        number: 2,
        from: 'client',
        method: 'ping',
        label: 'ping',
        outcome: 'open',
        startMs: STARTED + 30,
        request: ping,
      },
    ]);
  });

  it.each([[undefined], ['no date'], [7]])('counts from 1970 where the session started at %j', (started) => {
    const calls = timedCalls({ ...index, meta: { started } as typeof index.meta });
    expect(calls.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 20.5],
      [5, 10],
      [30, undefined],
    ]);
  });

  it.each<[string, string[], (number | undefined)[]]>([
    ['the only call that is open', ['1', 'q'], [undefined, 0]],
    ['none of two', ['1', '2', 'q'], [undefined, undefined, undefined]],
    ['the one that is left of two', ['1', '2', '/1', 'q'], [undefined, undefined, 1]],
    ['none that comes later', ['q', '1'], [undefined, undefined]],
  ])('takes a question that names no request for that of %s', (_, script, parents) => {
    const lines = script.map((step, t): [number, 'in' | 'out', object] => {
      if (step === 'q') return [t, 'out', { id: 'q', method: 'roots/list' }];
      return step.startsWith('/')
        ? [t, 'out', { id: Number(step.slice(1)), result: {} }]
        : [t, 'in', { id: Number(step), method: 'tools/call', params: { name: 'a' } }];
    });
    expect(timedCalls(toSessionIndex(sessionFrom(...lines))).map(({ parent }) => parent)).toEqual(parents);
  });
});
