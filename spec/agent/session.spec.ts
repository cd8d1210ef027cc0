import { EMPTY } from 'rxjs';
import { session } from '../../src/agent/session';
import type { Turn } from '../../src/agent/step';
import { marbles } from '../support/marbles';
import { completed } from '../support/models';
import { around, fresh, modelOf, personOf, turn, turnOf, voice } from './support';

const [one, two, three] = [voice('1', 'n1', 'n2'), voice('2', 'n1', 'n2'), voice('3', 'n1', 'n2')];
const ids = { 1: '1', 2: '2', 3: '3', 9: '9' };
/** Of the first turn in capitals. */
const out = {
  S: one.started,
  X: one.aborted,
  Z: one.complete(null),
  s: two.started,
  z: two.complete(null),
  x: three.aborted,
};
const spoken = { y: completed() };

describe('session', () => {
  const turns = (model: Turn['thread']['model']): Record<string, Turn> =>
    Object.fromEntries(['1', '2', '3'].map((callId) => [callId, { ...turnOf(model), op: turn(callId, { id: 'n1' }) }]));
  const deps = { ...around({}).native, ...fresh, ask: personOf(EMPTY) };

  it(
    'runs one turn after another; an interrupt ends the one that runs and the one that waits',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const one$ = cold('       --------        ', spoken);
      const two$ = cold('             -----(y|) ', spoken);
      const turn$ = hot('       1-2-3---------|  ', turns(modelOf([one$, two$]).model));
      const interrupted$ = hot('----3-193-----|  ', ids);
      const expected = '        S---x-(Xs)-z--|  ';
      const asked = '           ^-----!          ';
      const next = '            ------^----!     ';
      expectObservable(session(deps, interrupted$)(turn$)).toBe(expected, out);
      expectSubscriptions(one$.subscriptions).toBe(asked);
      expectSubscriptions(two$.subscriptions).toBe(next);
    }),
  );

  it(
    'comes to its end of turns when no more are wanted',
    marbles(({ hot, cold, expectObservable }) => {
      const one$ = cold('       -----(y|)       ', spoken);
      const two$ = cold('            -----(y|)  ', spoken);
      const turn$ = hot('       1-(2|)           ', turns(modelOf([one$, two$]).model));
      const interrupted$ = hot('---|             ', ids);
      const expected = '        S----(Zs)-(z|)   ';
      expectObservable(session(deps, interrupted$)(turn$)).toBe(expected, out);
    }),
  );

  it(
    'is never and empty as its turns are, and stops with its reader',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const run = (turn: string, model: Turn['thread']['model'] = () => EMPTY) =>
        session(deps, hot('-|'))(hot(turn, turns(model)));
      expectObservable(run('-----')).toBe('-----');
      expectObservable(run('--|--')).toBe('--|');
      const one$ = cold('            ------', spoken);
      const stop = '                 ---!  ';
      expectObservable(
        run('1--', () => one$),
        stop,
      ).toBe('S', out);
      expectSubscriptions(one$.subscriptions).toBe('^--!');
    }),
  );
});
