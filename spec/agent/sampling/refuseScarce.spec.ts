import { refuseScarce } from '../../../src/agent/sampling/prepareCall';
import { marbles } from '../../support/marbles';

describe('refuseScarce', () => {
  it(
    'refuses a call with the cause and the remedy',
    marbles(({ expectObservable }) => {
      const error = Object.assign(new Error("ENFILE: file table overflow, open '/x'"), {
        code: 'ENFILE',
        syscall: 'open',
      });
      const output = expect.stringMatching(
        /^the call was not run: ENFILE: file table overflow; this machine has too many/,
      );
      expectObservable(refuseScarce(error)).toBe('(r|)', { r: { verdict: 'refuse', output } });
    }),
  );

  it('throws what is no matter of this machine', () => {
    expect(() => refuseScarce(new Error('bug'))).toThrow('bug');
  });
});
