import { authorizeVisit } from '../../../src/executor';

const visit = (url: string, headers: Record<string, string> = {}, upgrade = true) => ({
  upgrade,
  method: 'GET',
  url,
  headers,
  from: { address: '127.0.0.1', port: 1 },
  to: { address: '127.0.0.1', port: 2 },
});

describe('authorizeVisit', () => {
  it.each<[string, ReturnType<typeof visit>, number | 'accepted']>([
    ['an upgrade', visit('/'), 'accepted'],
    ['an upgrade with a query', visit('/?a=/b'), 'accepted'],
    ['an upgrade on another path', visit('/other'), 404],
    ['an upgrade from a page', visit('/', { origin: 'http://localhost' }), 403],
    ['an upgrade from a page without a name', visit('/', { origin: 'null' }), 403],
    ['the question whether it is ready', visit('/readyz', {}, false), 200],
    ['that question from a page', visit('/readyz', { origin: 'https://x' }, false), 403],
    ['a plain request', visit('/', {}, false), 400],
    ['a plain request on another path', visit('/x', {}, false), 404],
  ])('answers %s', (_, asked, answer) => {
    expect(authorizeVisit({ isOwnUser: () => true })(asked)).toBe(answer);
  });

  it('refuses another user where no token is needed', () => {
    expect(authorizeVisit({ isOwnUser: () => false })(visit('/'))).toBe(403);
  });

  it.each<[string, Record<string, string>, number | 'accepted']>([
    ['the token', { authorization: 'Bearer right' }, 'accepted'],
    ['the token behind a small word', { authorization: 'bearer right' }, 'accepted'],
    ['another token', { authorization: 'Bearer wrong' }, 401],
    ['no token', {}, 401],
    ['a token that is empty', { authorization: 'Bearer ' }, 401],
    ['another kind of proof', { authorization: 'Basic right' }, 401],
  ])('wants the token, given %s', (_, headers, answer) => {
    expect(authorizeVisit({ isToken: (text) => text === 'right', isOwnUser: () => false })(visit('/', headers))).toBe(
      answer,
    );
  });
});
