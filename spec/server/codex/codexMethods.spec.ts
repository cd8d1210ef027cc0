import { codexMethods } from '../../../src/server/codex/codexMethods';
import { asked, hostWith, log } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const requests = {
  a: asked('execOneOffCommand', { command: ['sleep'] }, 1),
  u: asked('userInfo', {}, 'u'),
};
const responses = {
  U: { kind: 'response', id: 'u', result: { allegedUserEmail: null } },
  A: { kind: 'response', id: 1, result: { exitCode: 0, stdout: '', stderr: '' } },
  E: {
    kind: 'response',
    id: 1,
    error: { code: -32603, message: 'The server ended before this request was done.' },
  },
};
const own = { newId: () => 'id', extended: true };
const end = { exitCode: 0, stdout: '', stderr: '', isCut: false };

describe('codexMethods', () => {
  it(
    'answers each when it is done, so that none waits for another',
    marbles(({ hot, cold, expectObservable }) => {
      const host = hostWith({ runOneOff: () => cold('----(e|)', { e: end }) });
      const request$ = hot(' -au----|', requests);
      const expected = '     --U--A-|';
      const out$ = request$.pipe(codexMethods({ host: () => host, log, ...own, cancelled$: hot('-'), end$: hot('-') }));
      expectObservable(out$).toBe(expected, responses);
    }),
  );

  it(
    'fails the request if the host cannot be made, and makes it for the next',
    marbles(({ hot, cold, expectObservable }) => {
      const made = jest
        .fn(() => hostWith({ runOneOff: () => cold('(e|)', { e: end }) }))
        .mockImplementationOnce(() => {
          throw new Error('a bug');
        });
      const request$ = hot('a-a-|', requests);
      const out$ = request$.pipe(codexMethods({ host: made, log, ...own, cancelled$: hot('-'), end$: hot('-') }));
      const B = { kind: 'response', id: 1, error: { code: -32603, message: 'Internal error' } };
      expectObservable(out$).toBe('B-A-|', { ...responses, B });
    }),
  );

  it(
    'stops a cancelled one in silence, and answers what runs at the end',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const run$ = cold('  ------(e|)', { e: end });
      const host = hostWith({ runOneOff: () => run$ });
      const request$ = hot('-a--a---|', requests);
      const cancelled$ = hot('--1', { 1: 1 });
      const end$ = hot('     ------z', { z: 'over' });
      const expected = '     ------E-|';
      expectObservable(request$.pipe(codexMethods({ host: () => host, log, ...own, cancelled$, end$ }))).toBe(
        expected,
        responses,
      );
      expectSubscriptions(run$.subscriptions).toBe(['-^!', '----^-!']);
    }),
  );
});
