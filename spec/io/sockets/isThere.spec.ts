import { isThere } from '../../../src/io/sockets/listenSocket';
import { marbles } from '../../support/marbles';
import { emitAt, fakeSocket } from '../../support/sockets';

describe('isThere', () => {
  it.each([
    ['pong', '---t', '---(T|)'],
    ['message', '---t', '---(T|)'],
    ['close', '---t', '---(F|)'],
    ['ping', '---t', '1s (F|)'],
  ])('takes a %s for an answer, or not', (event, at, expected) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { done, socket, own } = fakeSocket();
      hot(at).pipe(emitAt(socket, event)).subscribe();
      expectObservable(isThere(own)).toBe(expected, { T: true, F: false });
      flush();
      expect(done).toEqual(['ping']);
    })(),
  );
});
