import { concat, ignoreElements, map, NEVER, type Observable, of, tap } from 'rxjs';
import { closeAnswer, type History, noHistory } from '../../../src/agent/thread/history';
import { recordTurn } from '../../../src/agent/turn/recordTurn';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { Event } from '../../../src/protocol/codex/events';
import { ThreadError } from '../../../src/threads/threadError';
import type { ThreadRecord } from '../../../src/threads/threadRecord';
import { marbles } from '../../support/marbles';
import { messageOf } from '../../support/models';
import { type Recorded, recordOf } from '../../support/threadStore';
import { turnOf } from '../support';

const event = (msg: EventMsg): Event => ({ kind: 'event', callId: 'a', threadId: 'n', turnId: 't', id: 'e', msg });
const events = {
  m: event({ type: 'agent_message', message: 'm' }),
  s: event({ type: 'task_started', model_context_window: null }),
  o: event({ type: 'session_configured' } as EventMsg),
  z: event({ type: 'task_complete', last_agent_message: 'm' }),
};
const eventAtEnd = (msg: EventMsg): Event => ({ ...event(msg), threadId: 'n1', turnId: 'n2', id: 'a-event' }) as Event;
const LETTERS: Record<string, string> = { message: 'u', user_message: 'v', agent_message: 'm', task_complete: 'z' };

/** What was recorded, by letters: u a prompt, v its event, m a message, z the end, E that the turn ends. */
const lettersOf = (recorded: Recorded): string =>
  recorded
    .map((each) => (typeof each === 'string' ? 'E' : LETTERS[String('type' in each.payload && each.payload.type)]))
    .join('');

const recording = (run: (keep: (history: History) => void) => Observable<Event>, own: Partial<ThreadRecord> = {}) => {
  const recorded: Recorded = [];
  const kept: History[] = [];
  const turn = turnOf(() => of());
  turn.thread.record = { ...recordOf(recorded), ...own };
  const out$ = recordTurn({ now: () => 0 }, { turn, keep: (history) => kept.push(history) }, run);
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
    'emits the end of a turn when the store has its lines and has given the thread back',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const kept$ = cold<never>('                 ---|');
      const rested$ = cold<never>('                  --|');
      const own = { endTurn: () => kept$, rest: () => rested$ };
      const { out$ } = recording(() => cold('    -m-z|', events), own);
      expectObservable(out$).toBe('              -m------(z|)', events);
      expectSubscriptions(kept$.subscriptions).toBe('---^--!');
      expectSubscriptions(rested$.subscriptions).toBe('------^-!');
    }),
  );

  it.each([
    ['while it runs', { lost$: '-----#', end: '|' }, '-m---(fg|)'],
    ['at its end', { lost$: '------', end: '--#' }, '-m-----(fg|)'],
  ])('ends a turn whose thread is lost %s, with the reason, and stops it', (_, { lost$, end }, expected) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const fault = new ThreadError('another process has it');
      const own = { lost$: cold<never>(lost$, {}, fault), endTurn: () => cold<never>(end, {}, fault) };
      const source$ = cold('-m---z', events);
      const reported = {
        f: { ...eventAtEnd({ type: 'error', message: 'another process has it' }) },
        g: { ...eventAtEnd({ type: 'task_complete', last_agent_message: null }) },
      };
      expectObservable(recording(() => source$, own).out$).toBe(expected, { ...events, ...reported });
      expectSubscriptions(source$.subscriptions).toBe(end === '|' ? '^----!' : '^------!');
    })(),
  );

  it(
    'records where folders led that the rollout does not have, or has otherwise',
    marbles(({ cold, expectObservable, flush }) => {
      const recorded: Recorded = [];
      const turn = turnOf(() => of());
      turn.thread.record = recordOf(recorded);
      turn.thread.recordedFolders = { '/a': { path: '/a' }, '/b': { path: '/b' } };
      turn.thread.workspace.folders = { '/a': { path: '/a' }, '/b': { path: '/b', owner: 0 }, '/c': { path: '/v' } };
      const out$ = recordTurn({ now: () => 0 }, { turn, keep: () => {} }, () => cold('-s-|', events));
      expectObservable(out$).toBe('                                                    -s-|', events);
      flush();
      expect(recorded.filter((one) => typeof one !== 'string' && one.type === 'turn_context')).toMatchObject([
        { payload: { codex_rx: { folders: { '/b': { path: '/b', owner: 0 }, '/c': { path: '/v' } } } } },
      ]);
    }),
  );

  it(
    'passes other errors on',
    marbles(({ expectObservable }) => {
      const lost$ = concat(of(), NEVER);
      const bug = new TypeError('bug');
      const run = () => {
        throw bug;
      };
      expectObservable(recording(run, { lost$ }).out$).toBe('#', undefined, bug);
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
        return concat(cold('s|', events), keeping$, cold('m|', events));
      });
      expectObservable(out$).toBe('s--m|', events);
      flush();
      expect(lettersOf(recorded)).toBe('uvm');
      expect(kept).toEqual([history]);
    }),
  );

  it.each([
    ['the first event', '            -m--|'],
    ['the first event of a new thread', '-(om)|'],
  ])('records what is kept before %s behind it', (_, source) =>
    marbles(({ cold, expectObservable, flush }) => {
      const history = closeAnswer(noHistory, messageOf('user', 'hi'));
      const { out$, recorded, kept } = recording((keep) => {
        keep(history);
        return cold(source, events);
      });
      expectObservable(out$).toBe(source, events);
      flush();
      expect(lettersOf(recorded)).toBe('muv');
      expect(kept).toEqual([history]);
    })(),
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
