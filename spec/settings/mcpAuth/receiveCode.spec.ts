import { map } from 'rxjs';
import { receiveCode } from '../../../src/settings/mcpAuth/mcpLogin';
import { marbles } from '../../support/marbles';

const expected = { state: 'S', issuer: 'https://auth', path: '/callback', limitMs: 300_000 };
const PATHS: Record<string, string> = {
  c: '/callback?code=C&state=S',
  i: '/callback?code=C&state=S&iss=https://auth/',
  j: '/callback?code=C&state=S&iss=https://bank',
  t: '/callback?code=C&state=T',
  x: '/favicon.ico',
  n: '/cancel',
  d: '/callback?error=access_denied&state=S',
};

/** The codes that come of these visits, and the status each was answered with; a code is answered later. */
const received = (visits: string, out: string, own: { namesItself?: true } = {}): number[] => {
  const answered: number[] = [];
  marbles(({ hot, expectObservable }) => {
    const callback$ = hot(visits, PATHS).pipe(
      map((url) => ({
        request: { method: 'GET', url, headers: { host: '127.0.0.1:7' } },
        respond: ({ status }: { status: number }) => void answered.push(status),
      })),
    );
    const code$ = receiveCode({ port: 7, callback$ }, { ...expected, ...own }).pipe(map(({ code }) => code));
    expectObservable(code$).toBe(out, { C: 'C' }, expect.objectContaining({ name: 'AuthError' }));
  })();
  return answered;
};

describe('receiveCode', () => {
  it.each([
    ['the code of the callback', '            --c--', '--(C|)', []],
    ['one whose issuer is named', '           --i--', '--(C|)', []],
    ['it behind what is no callback', '       -xt-c', '----(C|)', [404, 400]],
    ['it behind a cancel of another program', '--n-c', '----(C|)', [404]],
    ['no code of another issuer', '           --j-c', '----(C|)', [400]],
    ['an error where the person declines', '  --d', '--#', [400]],
    ['an error after five minutes', '         -x-', '5m #', [404]],
  ])('emits %s', (_, visits, out, answered) => {
    expect(received(visits, out)).toEqual(answered);
  });

  it('emits no code without an issuer where the server names itself', () => {
    expect(received('--c-i', '----(C|)', { namesItself: true })).toEqual([400]);
  });
});
