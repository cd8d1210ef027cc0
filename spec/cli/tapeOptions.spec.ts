import { sessionOf } from '../../src/cli/tapeCommand';

describe('sessionOf', () => {
  it('names what the sessions are counted in', () => {
    expect(sessionOf('A')).toEqual({
      type: 'number',
      from: 1,
      whole: true,
      describe: 'Number of the session in A, from 1. Default: the last',
    });
  });
});
