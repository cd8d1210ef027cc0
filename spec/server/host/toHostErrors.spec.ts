import { FileError } from '../../../src/io/files/fileError';
import { HostError } from '../../../src/protocol/methods/host';
import { toHostErrors } from '../../../src/server/host/homeHere';
import { AuthError } from '../../../src/settings/auth/authError';
import { ThreadError } from '../../../src/threads/threadError';
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
