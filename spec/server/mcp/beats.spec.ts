import type { Event, TurnOp } from '../../../src/protocol';
import { beats } from '../../../src/server/mcp/beats';
import type { CallCommand } from '../../../src/server/mcp/command';
import { marbles } from '../../support/marbles';
import { complete, delta, started, told } from '../../support/mcp';

const op: TurnOp = { kind: 'turn', callId: 'c', eventId: '1', thread: { newest: true }, prompt: '', askable: false };
const era = { modern: false, capabilities: {} };
const calls: Record<string, CallCommand> = {
  b: { kind: 'begin', op, call: { callId: 'c', id: 1, era, tool: 'codex', digest: '' } },
};
const events: Record<string, Event> = { n: told(op, started), d: told(op, delta('a')), z: told(op, complete('x')) };
const out = { N: { kind: 'news' }, T: { kind: 'tick' } };

describe('beats', () => {
  it(
    'tells news a moment later, many as one, and no delta',
    marbles(({ hot, cold, expectObservable }) => {
      const event$ = hot(' nn-d 60ms n-', events);
      const expected = '   20ms N 63ms N-';
      expectObservable(beats(cold('-'), event$)).toBe(expected, out);
    }),
  );

  it(
    'ticks every 5 s while any call is under way',
    marbles(({ hot, expectObservable }) => {
      const command$ = hot('b-b 20s -', calls);
      const event$ = hot('  ----- 6s z 3s z 10s -', events);
      const expected = '    5s T 4999ms -';
      expectObservable(beats(command$, event$)).toBe(expected, out);
    }),
  );

  it(
    'ends with its sources',
    marbles(({ cold, expectObservable }) => {
      expectObservable(beats(cold<CallCommand>('--|'), cold<Event>('----|'))).toBe('----|');
    }),
  );
});
