import { authorizeConnection } from '../../../src/executor/listen/serveSockets';

const incoming = (url: string, headers: Record<string, string> = {}, upgrade = true) => ({
  upgrade,
  method: 'GET',
  url,
  headers,
  connection: {},
  from: { address: '127.0.0.1', port: 1 },
  to: { address: '127.0.0.1', port: 2 },
});

describe('authorizeConnection', () => {
  it.each<[string, ReturnType<typeof incoming>, number | 'accepted']>([
    ['an upgrade', incoming('/'), 'accepted'],
    ['an upgrade with a query', incoming('/?a=/b'), 'accepted'],
    ['an upgrade on another path', incoming('/other'), 404],
    ['an upgrade from a page', incoming('/', { origin: 'http://localhost' }), 403],
    ['an upgrade from a page without a name', incoming('/', { origin: 'null' }), 403],
    ['the question whether it is ready', incoming('/readyz', {}, false), 200],
    ['that question from a page', incoming('/readyz', { origin: 'https://x' }, false), 403],
    ['a plain request', incoming('/', {}, false), 400],
    ['a plain request on another path', incoming('/x', {}, false), 404],
  ])('answers %s', (_, asked, answer) => {
    expect(authorizeConnection({ isOwnProcess: () => true })(asked)).toBe(answer);
  });

  it('refuses another user, or a sandbox, if no token is needed', () => {
    expect(authorizeConnection({ isOwnProcess: () => false })(incoming('/'))).toBe(403);
  });

  it.each<[string, Record<string, string>, number | 'accepted']>([
    ['the token', { authorization: 'Bearer right' }, 'accepted'],
    ['the token behind a small word', { authorization: 'bearer right' }, 'accepted'],
    ['another token', { authorization: 'Bearer wrong' }, 401],
    ['no token', {}, 401],
    ['a token that is empty', { authorization: 'Bearer ' }, 401],
    ['another kind of proof', { authorization: 'Basic right' }, 401],
  ])('wants the token, given %s', (_, headers, answer) => {
    expect(
      authorizeConnection({ isToken: (text) => text === 'right', isOwnProcess: () => false })(incoming('/', headers)),
    ).toBe(answer);
  });
});
