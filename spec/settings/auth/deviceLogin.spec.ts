import { map, type Observable } from 'rxjs';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import { AuthError } from '../../../src/settings/auth/authError';
import type { LoginEvent } from '../../../src/settings/auth/browserLogin';
import { deviceLogin } from '../../../src/settings/logins/accountsHere';
import { marbles } from '../../support/marbles';
import { loginDeps, memoryFiles, NEW, PATH, tokenAnswer, tokenServer } from './support';

const CODE = tokenAnswer(200, { device_auth_id: 'd', user_code: 'AB-CD', interval: '2' });
const PENDING = tokenAnswer(403);
const GRANTED = tokenAnswer(200, { authorization_code: 'c', code_verifier: 'v' });

const logging = (...answers: (HttpResponse | Observable<HttpResponse>)[]) => {
  const files = memoryFiles();
  const server = tokenServer(...answers);
  return { files, server, event$: deviceLogin(loginDeps(files, server.post)) };
};
const letters = (event$: Observable<LoginEvent>) =>
  event$.pipe(map((event) => (event.kind === 'waiting' ? `${event.url} ${event.userCode}` : 'L')));
const values = { w: 'https://auth.example/codex/device AB-CD', L: 'L' };

describe('deviceLogin', () => {
  it(
    'emits the code, and asks at the interval until it was typed in',
    marbles(({ expectObservable, flush }) => {
      const { event$, server, files } = logging(CODE, PENDING, PENDING, GRANTED, tokenAnswer(200, NEW));
      expectObservable(letters(event$)).toBe('w 3999ms (L|)', values);
      flush();
      expect(server.requests.map(({ url }) => url.replace('https://auth.example', ''))).toEqual([
        '/api/accounts/deviceauth/usercode',
        ...Array(3).fill('/api/accounts/deviceauth/token'),
        '/oauth/token',
      ]);
      expect(server.requests.at(-1)?.body).toContain('redirect_uri=https%3A%2F%2Fauth.example%2Fdeviceauth%2Fcallback');
      expect(files.texts.has(PATH)).toBe(true);
    }),
  );

  it(
    'ends when the code has expired',
    marbles(({ expectObservable }) => {
      const { event$ } = logging(CODE, ...Array(500).fill(PENDING));
      const error = new AuthError('the code has expired; start the login again');
      expectObservable(letters(event$)).toBe('w 899999ms #', values, error);
    }),
  );

  it(
    'stops asking when it is unsubscribed',
    marbles(({ expectObservable, flush }) => {
      const { event$, server } = logging(CODE, ...Array(10).fill(PENDING));
      expectObservable(letters(event$), '5s !').toBe('w', values);
      flush();
      expect(server.requests).toHaveLength(4);
    }),
  );

  it.each<[string, HttpResponse[], string, string]>([
    [
      'no code',
      [tokenAnswer(404)],
      '#',
      'no code for this device: 404 Bad Request. Log in with a browser: codex-rx login.',
    ],
    [
      'a cut answer',
      [tokenAnswer(200, '{')],
      '#',
      'no code for this device: 200 OK. Log in with a browser: codex-rx login.',
    ],
    ['a refusal', [CODE, tokenAnswer(400, { error: 'no' })], '(w#)', 'the login was refused: 400 Bad Request, no'],
  ])('errors at %s', (_, answers, out, message) =>
    marbles(({ expectObservable }) => {
      expectObservable(letters(logging(...answers).event$)).toBe(out, values, new AuthError(message));
    })(),
  );
});
