import { map } from 'rxjs';
import type { PlaybackEvent } from '../../../src/tapes/replayServer/playbackSession';
import { type ReplayOptions, replayServer } from '../../../src/tapes/replayServer/replayServer';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';
import { answer, call, poll, polled, request, response, states } from '../tasks';

const max: ReplayOptions = { speed: 'max', repeat: 'once', match: 'strict' };
const { created, working, asks, done } = states();

const lines = {
  c: JSON.stringify(call('c')),
  p: JSON.stringify(poll('p')),
  y: JSON.stringify(answer('y')),
  n: JSON.stringify(poll('n', 'another-1')),
  o: JSON.stringify(request('o', 'tools/call', { name: 'other' })),
};

const shown = {
  C: JSON.stringify(response('c', created)),
  W: JSON.stringify(response('p', working)),
  Q: JSON.stringify(response('p', asks)),
  Y: JSON.stringify(response('y', {})),
  D: JSON.stringify(response('p', done)),
  O: JSON.stringify(response('o', 'O')),
  U: 'unrecorded',
  E: 'error',
  z: 'unplayed',
};

const brief = (event: PlaybackEvent): string => {
  if (event.kind !== 'line') return event.kind;
  return event.line.includes('"error":{') ? 'error' : event.line;
};

describe('a played task', () => {
  it.each([
    ['is in the next state at each poll', 'cppypp|', 'CWQYWD|'],
    ['stays in its state until it is answered', 'cpppppyp|', 'CWQQQQYW|'],
    ['stays at its end', 'cppyppppp|', 'CWQYWDDDD|'],
    ['goes on with an answer that comes after fewer polls', 'cpypp|', 'CWYWD|'],
    ['expects no polls', 'cy|', 'CY|'],
    ['is not known under another id', 'cn---|', 'C(UE)(z|)'],
  ])('%s', (_, line, out) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(line, lines).pipe(replayServer(toSessionIndex(polled), max), map(brief))).toBe(out, shown);
    })(),
  );

  it(
    'is in the state that it had after as much time, at the pace of the recording',
    marbles(({ hot, expectObservable }) => {
      const play = replayServer(toSessionIndex(polled), { ...max, speed: 1 });
      const line$ = hot(' cp 48ms p 199ms p 49ms y 99ms p 199ms p', lines);
      const out = '       -CW 48ms W 199ms Q 49ms Y 99ms W 199ms D';
      expectObservable(line$.pipe(play, map(brief))).toBe(out, shown);
    }),
  );

  it(
    'lets other calls go on, however often it is polled',
    marbles(({ cold, expectObservable }) => {
      const index = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1)],
          [1, 'out', response(1, created)],
          [2, 'in', request(2, 'tools/call', { name: 'other' })],
          [3, 'in', poll(3)],
          [4, 'out', response(3, working)],
          [5, 'in', poll(4)],
          [6, 'out', response(4, done)],
          [7, 'out', response(2, 'O')],
        ),
      );
      expectObservable(cold('co|', lines).pipe(replayServer(index, max), map(brief))).toBe('CO|', shown);
    }),
  );
});
