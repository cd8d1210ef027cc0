import { toLooks } from '../../../src/tapes/diagram/toChart';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const drawn = (...lines: Parameters<typeof sessionFrom>) =>
  toLooks(toSessionIndex(sessionFrom(...lines))).map(({ entry, part, message, thread, look }) => ({
    ...{ entry, part, message, thread, name: look.name },
  }));

describe('toLooks', () => {
  it('draws each message of a batch, and names a response by its request', () => {
    expect(
      drawn(
        [
          0,
          'in',
          [
            { id: 1, method: 'a' },
            { id: 2, method: 'b', params: { threadId: 't' } },
          ],
        ],
        [1, 'out', { id: 2, result: {} }],
        [2, 'err', 'a line of stderr'],
      ),
    ).toEqual([
      { entry: 0, part: 0, message: 0, thread: undefined, name: 'a' },
      { entry: 0, part: 1, message: 1, thread: 0, name: 'b' },
      { entry: 1, part: undefined, message: 2, thread: 0, name: 'b' },
      { entry: 2, part: undefined, message: undefined, thread: undefined, name: 'stderr' },
    ]);
  });

  it('draws a second response as one to the same request', () => {
    expect(
      drawn([0, 'in', { id: 1, method: 'a' }], [1, 'out', { id: 1, result: {} }], [2, 'out', { id: 1, error: {} }]).map(
        ({ name }) => name,
      ),
    ).toEqual(['a', 'a', 'error: a']);
  });

  it('draws every exit as an end, the processes of a tape that restarts too', () => {
    const looks = toLooks(
      toSessionIndex(sessionFrom([0, 'exit', '{"code":0}'], [1, 'exit', '{"code":1}'], [2, 'exit', 'gone'])),
    );
    expect(looks.map(({ look: { name, mark } }) => [name, mark])).toEqual([
      ['the server ended with exit code 0', 'end'],
      ['the server ended with exit code 1', 'error'],
      ['the server ended in an unknown way', 'end'],
    ]);
  });
});
