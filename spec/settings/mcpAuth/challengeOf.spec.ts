import { NEVER } from 'rxjs';
import { challengeOf } from '../../../src/settings/mcpAuth/mcpLogin';
import { marbles } from '../../support/marbles';
import { answer, outcomeOf, SERVER, serverOf, unreachable } from './support';

describe('challengeOf', () => {
  it('emits what the server asks for, whatever its status', () => {
    const header = { 'www-authenticate': 'Bearer scope="a"' };
    expect(outcomeOf(challengeOf(serverOf({ [SERVER.url]: () => answer(401, '', header) }), SERVER.url))).toEqual({
      scope: 'a',
    });
    expect(outcomeOf(challengeOf(serverOf({ [SERVER.url]: {} }), SERVER.url))).toEqual({});
  });

  it('errors where there is no connection', () => {
    expect(outcomeOf(challengeOf(unreachable, SERVER.url))).toBe('x cannot be reached: connect ECONNREFUSED');
  });

  it(
    'errors where nothing comes for 30 s',
    marbles(({ expectObservable }) => {
      const error = expect.objectContaining({ message: 'x cannot be reached: no response within 30 s' });
      expectObservable(challengeOf(() => NEVER, SERVER.url)).toBe('30s #', undefined, error);
    }),
  );
});
