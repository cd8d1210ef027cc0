import { replayClient } from '../../../src/tapes/replayClient/replayClient';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { marbles } from '../../support/marbles';
import { sessionFrom } from '../../support/tapes';

const [LIVE, OLD] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
const request = (id: unknown, method: string, params: object = {}) => ({ id, method, params });
const answer = (id: unknown, result: unknown) => ({ id, result });
const notice = (method: string) => ({ method });
const text = (message: object): string => JSON.stringify(message);

const recording = toSessionIndex(
  sessionFrom(
    [0, 'in', request(1, 'open')],
    [1, 'out', answer(1, { thread: OLD })],
    [2, 'in', notice('opened')],
    [3, 'in', request(2, 'go', { thread: OLD })],
    [4, 'out', notice('working')],
    [5, 'out', request(0, 'may it?')],
    [6, 'in', answer(0, 'yes')],
    [7, 'out', answer(2, 'done')],
    [8, 'note', 'standard input closed'],
  ),
);
const patience = { patienceMs: 10, limitMs: 20 };

const fromServer = {
  O: text(answer(1, { thread: LIVE })),
  w: text(notice('working')),
  Q: text(request('q7', 'may it?')),
  D: text(answer(2, 'done')),
};
const fromClient = {
  o: text(request(1, 'open')),
  n: text(notice('opened')),
  g: text(request(2, 'go', { thread: LIVE })),
  y: text(answer('q7', 'yes')),
};

describe('replayClient', () => {
  it(
    'sends each line once what came before it has come again, with the ids of this server',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  --O----w-Q---D----', fromServer);
      const expected = '   o-(ng)---y---|';
      expectObservable(line$.pipe(replayClient(recording, patience))).toBe(expected, fromClient);
    }),
  );

  it(
    'pauses as recorded after a line without a response, or at a multiple of the pace',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  --O----w-Q---D---', fromServer);
      const needed = '     o-ng-----y---|';
      const halfSpeed = '  o---n-g-----y---|';
      expectObservable(line$.pipe(replayClient(recording, { ...patience, pace: 'needed' }))).toBe(needed, fromClient);
      expectObservable(line$.pipe(replayClient(recording, { ...patience, pace: 0.5 }))).toBe(halfSpeed, fromClient);
    }),
  );

  it(
    'does without a notification after some silence',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  --O-Q-------------D-', fromServer);
      const expected = '   o-(ng)--------y---|';
      expectObservable(line$.pipe(replayClient(recording, patience))).toBe(expected, fromClient);
    }),
  );

  it(
    'ends when an answer does not come',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  --O-w-----', fromServer);
      const expected = '   o-(ng) 18ms |';
      expectObservable(line$.pipe(replayClient(recording, patience))).toBe(expected, fromClient);
    }),
  );

  it(
    'ends with the server, and breaks with it',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('--O-----|', fromServer).pipe(replayClient(recording, patience))).toBe(
        'o-(ng)--|',
        fromClient,
      );
      expectObservable(hot('--O-----#', fromServer).pipe(replayClient(recording, patience))).toBe(
        'o-(ng)--#',
        fromClient,
      );
    }),
  );

  it(
    'sends the handles of this server, of any form',
    marbles(({ hot, expectObservable }) => {
      const call = (id: number, given: object) => request(id, 'tools/call', { arguments: given });
      const state = (requestState: string) => ({ requestState });
      const index = toSessionIndex(
        sessionFrom(
          [0, 'in', call(1, {})],
          [1, 'out', answer(1, { text: 'opened sess_1a2b3c as 4711', ...state('v1.ab12') })],
          [2, 'in', call(2, { session: 'sess_1a2b3c', pid: 4711, ...state('v1.ab12') })],
        ),
      );
      const values = {
        a: text(call(1, {})),
        A: text(answer(1, { text: 'opened sess_9z9z9z as 815', ...state('v1.zz99') })),
        b: text(call(2, { session: 'sess_9z9z9z', pid: 815, ...state('v1.zz99') })),
      };
      const line$ = hot('  --A--', values);
      const expected = '   a-(b|)';
      expectObservable(line$.pipe(replayClient(index, patience))).toBe(expected, values);
    }),
  );
});
