import { toHostErrors } from '../../../src/app/codex/toHostErrors';
import { AuthError } from '../../../src/auth/authError';
import { FileError } from '../../../src/files/fileError';
import { ThreadError } from '../../../src/rollout/threadError';
import { HostError } from '../../../src/server/codex/host';
import { marbles } from '../../support/marbles';

const bug = new TypeError('no');

describe('toHostErrors', () => {
  it.each([
    ['a login', new AuthError('no'), new HostError('no')],
    ['a file', new FileError('no'), new HostError('no')],
    ['a thread', new ThreadError('no'), new HostError('no')],
    ['a bug, which stays one', bug, bug],
  ])('passes values, and the error of %s', (_, error, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-#', {}, error).pipe(toHostErrors())).toBe('a-#', {}, expected);
    })(),
  );

  it(
    'passes an end',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-|').pipe(toHostErrors())).toBe('a-|');
    }),
  );
});
