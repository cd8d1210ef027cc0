import { concat, ignoreElements, map, type Observable, of, tap } from 'rxjs';
import { closeAnswer, type History, noHistory } from '../../src/agent/history';
import { recordTurn } from '../../src/agent/recordTurn';
import type { Event, EventMsg } from '../../src/protocol/codex';
import { marbles } from '../support/marbles';
import { messageOf } from '../support/models';
import { type Recorded, recordOf } from '../support/threadStore';
import { turnOf } from './support';

const event = (msg: EventMsg): Event => ({ kind: 'event', callId: 'a', threadId: 'n', turnId: 't', id: 'e', msg });
const events = {
  m: event({ type: 'agent_message', message: 'm' }),
  z: event({ type: 'task_complete', last_agent_message: 'm' }),
};
const LETTERS: Record<string, string> = { message: 'u', user_message: 'v', agent_message: 'm', task_complete: 'z' };

/** What was recorded, by letters: u a prompt, v its event, m a message, z the end, E that the turn ends. */
const lettersOf = (recorded: Recorded): string =>
  recorded
    .map((each) => (typeof each === 'string' ? 'E' : LETTERS[String('type' in each.payload && each.payload.type)]))
    .join('');

const recording = (run: (keep: (history: History) => void) => Observable<Event>) => {
  const recorded: Recorded = [];
  const kept: History[] = [];
  const turn = turnOf(() => of());
  turn.thread.record = recordOf(recorded);
  const out$ = recordTurn({ now: () => 0 }, { turn, keep: (history) => kept.push(history) })(run);
  return { out$, recorded, kept };
};

describe('recordTurn', () => {
  it(
    'has the end of a turn recorded before it is emitted',
    marbles(({ cold, expectObservable }) => {
      const { out$, recorded } = recording(() => cold('-m-z|', events));
      const recorded$ = out$.pipe(map(() => lettersOf(recorded)));
      expectObservable(recorded$).toBe('               -a-b|', { a: 'm', b: 'mzE' });
    }),
  );

  it(
    'records the history and passes it on',
    marbles(({ cold, expectObservable, flush }) => {
      const history = closeAnswer(noHistory, messageOf('user', 'hi'));
      const { out$, recorded, kept } = recording((keep) => {
        const keeping$ = cold('-k|').pipe(
          tap(() => keep(history)),
          ignoreElements(),
        );
        return concat(keeping$, cold('m|', events));
      });
      expectObservable(out$).toBe('--m|', events);
      flush();
      expect(lettersOf(recorded)).toBe('uvm');
      expect(kept).toEqual([history]);
    }),
  );

  it(
    'passes errors on, and an end without events',
    marbles(({ cold, expectObservable }) => {
      expectObservable(recording(() => cold('-#')).out$).toBe('-#');
      expectObservable(recording(() => cold('-|')).out$).toBe('-|');
    }),
  );

  it(
    'stops with its subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('                            -m--', events);
      expectObservable(recording(() => source$).out$, '^-!').toBe('-m', events);
      expectSubscriptions(source$.subscriptions).toBe('           ^-!');
    }),
  );
});
