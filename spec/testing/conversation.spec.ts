import { concat, concatMap, delay, EMPTY, map, merge, NEVER, of, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { answer, type Phase, request, type Server } from '../../src/testing';
import { playInOrder, playInTime } from '../../src/testing/conversation';
import { toScore } from '../../src/testing/score';
import type { State } from '../../src/testing/step';
import { marbles } from '../support/marbles';

const values = { a: request('a'), A: answer('a', {}), b: request('b'), B: answer('b', {}) };
const phase: Phase = { client: 'a-b-', server: '-A-B', values };
/** Read outside of virtual time, as reading marbles runs a scheduler of its own. */
const score = toScore([phase]);
const closing = toScore([{ ...phase, client: 'a-b|' }]);
const asReplay = toScore([phase], { compare: 'asReplay' });
const patience = { limitMs: 30, settleMs: 10 };

/** Answers each request after some time. */
const echo =
  (ms: number): Server =>
  (line$) =>
    line$.pipe(
      concatMap((line) => {
        const { id } = JSON.parse(line) as { id: number };
        return of(JSON.stringify({ jsonrpc: '2.0', id, result: {} })).pipe(delay(ms));
      }),
    );

const endless: Server = (line$) => concat(echo(5)(line$), NEVER);

/** Sends the same notification again and again, and answers nothing. */
const sending =
  (method: string): Server =>
  () =>
    timer(4, 4).pipe(map(() => JSON.stringify({ jsonrpc: '2.0', method })));
const babbling = sending('m');
const reporting = sending('notifications/progress');
const SILENT = 'the server was silent for 30 ms';

/** What was sent, what came, how the server ended, and remarks, in one text. */
const toText = ({ play, end, remarks }: State): string =>
  [play.sent, play.received.flat().length, end?.sign ?? 'open', ...remarks].join(' ');

describe('playInOrder', () => {
  it.each<[string, Server, string, string]>([
    ['answers and ends with its input', echo(5), '10ms (s|)', '2 2 |'],
    ['answers and stays, for the settling time', endless, '20ms (s|)', '2 2 open'],
    ['is silent, for the limit', () => NEVER, '30ms (s|)', '1 0 open the server was silent for 30 ms'],
    ['ends at once', () => EMPTY, '(s|)', '0 0 |'],
    ['fails', () => throwError(() => new Error('no disk')), '(s|)', '0 0 # no disk'],
    [
      'throws',
      () => {
        throw new Error('no file');
      },
      '(s|)',
      '0 0 # no file',
    ],
    ['sends what is surplus without end, for the limit', babbling, '30ms (s|)', `1 7 open ${SILENT}`],
    [
      'answers and goes on without end, for the settling time',
      (line$) => merge(echo(5)(line$), babbling(line$)),
      '20ms (s|)',
      '2 7 open',
    ],
    ['reports without end what is left out, for ten times the limit', reporting, '300ms (s|)', `1 0 open ${SILENT}`],
  ])('emits how it went with a server that %s', (_, server, track, text) => {
    marbles(({ expectObservable }) => {
      const state$ = playInOrder({ score: server === reporting ? asReplay : score, server }, patience);
      expectObservable(state$.pipe(map(toText))).toBe(track, { s: text });
    })();
  });

  it('unsubscribes from the server when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold<string>('-');
      const state$ = playInOrder({ score, server: () => answer$ }, patience);
      expectObservable(state$, '^----!').toBe('------');
      expectSubscriptions(answer$.subscriptions).toBe('^----!');
    })();
  });
});

describe('playInTime', () => {
  it('sends at the frames of the notes, whatever has come, and ends with the server', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ expectObservable }) => {
      const clock = { now: () => scheduler.now(), lastFrame: 50 };
      expectObservable(playInTime({ score: closing, server: echo(5) }, clock).pipe(map(toText))).toBe('10ms (s|)', {
        s: '2 2 |',
      });
    });
  });
});
