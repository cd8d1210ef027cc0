import { NEVER } from 'rxjs';
import { withRemark } from '../../../src/app/engines/engines';
import type { Ask } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import { turn } from '../../agent/wiring/wiring';
import { marbles } from '../../support/marbles';
import { aborted, complete, delta, started, turnEventOf } from '../../support/mcp';

const ask: Ask = () => NEVER;
const op = turn('a') as Extract<Op, { kind: 'turn' }>;
const of = (msg: EventMsg): Event => turnEventOf(op, msg);
const { callId } = op;
const values: Record<string, Event> = {
  s: of(started),
  d: of(delta('hi')),
  c: of(complete('hi')),
  n: of(complete(null)),
  f: of({ type: 'error', message: 'no' }),
  a: of(aborted),
  r: { kind: 'rejected', callId, message: 'no' },
  j: { kind: 'done', callId, threadId: 't' },
  W: of({ type: 'warning', message: 'Note.' }),
  C: of(complete('hi\n\nNote.')),
  N: of(complete('Note.')),
  F: of({ type: 'error', message: 'no\n\nNote.' }),
  R: { kind: 'rejected', callId, message: 'no\n\nNote.' },
};

describe('withRemark', () => {
  it.each([
    ['of an engine that emits nothing', '---', '---'],
    ['of an engine that is done at once', '|', '|'],
    ['at the end of the first result, and as a warning before it', 's----dc-s-c|', '(sW)-dC-s-c|'],
    ['for a turn without a message', 's----n', '(sW)-N'],
    ['at a failure, once', 's----(fn)', '(sW)-(Fn)'],
    ['at a rejection', 'r-s-c', 'R-s-c'],
    ['at the next result, if a turn was stopped', 's----a-s-c', '(sW)-a-s-C'],
    ['at the next result, after what is no turn', 'j-c', 'j-C'],
    ['with the error of the engine', 's----#', '(sW)-#'],
  ])('adds the remark %s', (_, source, expected) =>
    marbles(({ cold, hot, expectObservable }) => {
      const engine$ = withRemark('Note.')(() => () => cold(source, values))(ask)(hot('-'));
      expectObservable(engine$).toBe(expected, values);
    })(),
  );

  it(
    'lets go of the engine when nobody listens',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const events$ = cold('s----c', values);
      expectObservable(withRemark('Note.')(() => () => events$)(ask)(hot('-')), '^---!').toBe('(sW)', values);
      expectSubscriptions(events$.subscriptions).toBe('^---!');
    }),
  );

  it('is the engine itself without a remark', () => {
    const engine = () => () => NEVER;
    expect(withRemark(undefined)(engine)).toBe(engine);
  });
});
