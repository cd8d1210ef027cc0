import { of, tap } from 'rxjs';
import { type Notification, notifyTurn } from '../../../src/agent/turn/runOperation';
import type { InputTurn } from '../../../src/agent/turn/runTurn';
import type { Event } from '../../../src/protocol/codex/events';
import type { Config } from '../../../src/settings/config';
import { marbles } from '../../support/marbles';
import { config, first, turn } from '../support';

const events: Record<string, Event> = {
  s: first.started,
  m: first.message('ok'),
  e: first.error('broke'),
  z: first.complete('ok'),
  n: first.complete(null),
  x: first.aborted,
};

const turnOf = (own: Partial<Config>, text = 'do it'): InputTurn => ({
  op: turn('a', { start: {} }, { input: [{ type: 'text', text }] }),
  thread: { id: 'n1', config: config(own) } as InputTurn['thread'],
  turnId: 'n2',
  opensThread: false,
});

const configured = { notify: ['say', 'done'] };

/** What was started, by the argument that the program gets last. */
const watch = (own: Partial<Config> = configured, text?: string) => {
  const started: Notification[] = [];
  const operator = notifyTurn({ notify: (one) => started.push(one) }, turnOf(own, text));
  return { started, operator };
};
const payloadOf = ({ argv }: Notification) => JSON.parse(argv.at(-1) ?? '');

describe('notifyTurn', () => {
  it(
    'passes the events as they are',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const { operator } = watch();
      expectObservable(cold('-s-m-(z|)', events).pipe(operator)).toBe('-s-m-(z|)', events);
      expectObservable(cold<Event>('-').pipe(operator)).toBe('-');
      expectObservable(cold<Event>('|').pipe(operator)).toBe('|');
      expectObservable(cold('-s#', events).pipe(operator)).toBe('-s#', events);
      const turn$ = cold('-s-m', events);
      expectObservable(turn$.pipe(operator), '--!').toBe('-s', events);
      expectSubscriptions(turn$.subscriptions).toBe('^-!');
    }),
  );

  it('starts the program once the turn is complete, with the messages of the turn', () => {
    const { started, operator } = watch();
    const before: number[] = [];
    of(...['s', 'm', 'z'].map((name) => events[name] as Event))
      .pipe(
        tap(() => before.push(started.length)),
        operator,
      )
      .subscribe();
    expect(before).toEqual([0, 0, 0]);
    expect(started).toEqual([{ argv: ['say', 'done', expect.any(String)], workspace: '/repo' }]);
    expect(started.map(payloadOf)).toEqual([
      {
        type: 'agent-turn-complete',
        'thread-id': 'n1',
        'turn-id': 'n2',
        cwd: '/repo',
        'input-messages': ['do it'],
        'last-assistant-message': 'ok',
      },
    ]);
  });

  it.each([
    ['a turn that failed', ['s', 'e', 'n'], configured],
    ['a turn that was stopped', ['s', 'x'], configured],
    ['a turn that goes on', ['s', 'm'], configured],
    ['a thread that has no program', ['s', 'm', 'z'], {}],
  ])('starts nothing for %s', (_, names, own) => {
    const { started, operator } = watch(own);
    of(...names.map((name) => events[name] as Event))
      .pipe(operator)
      .subscribe();
    expect(started).toEqual([]);
  });

  it('keeps the argument within what a system takes', () => {
    const { started, operator } = watch(configured, '界'.repeat(200_000));
    of(events.n as Event)
      .pipe(operator)
      .subscribe();
    const [argument = ''] = started.map(({ argv }) => argv.at(-1));
    expect(Buffer.byteLength(argument)).toBeLessThan(120_000);
    expect(JSON.parse(argument)).toMatchObject({ 'last-assistant-message': null });
  });
});
