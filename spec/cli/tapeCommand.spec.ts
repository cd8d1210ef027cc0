import { problemOfListening, sessionOf } from '../../src/cli/tapeCommand';

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

describe('problemOfListening', () => {
  it.each([
    [undefined, [], undefined],
    ['3001', [], undefined],
    ['3001', ['host'], undefined],
    ['0.0.0.0:3001', ['host'], undefined],
    [undefined, ['host'], '--allow-host goes with --http'],
    ['http', [], '--http http is not an address; write a port, as 3001, or IP:PORT, as 127.0.0.1:3001'],
    ['0.0.0.0:3001', [], expect.stringMatching(/^Other machines can reach 0\.0\.0\.0; name the hosts/)],
  ])('checks %s with the names %j', (http, hosts, problem) => {
    expect(problemOfListening(http, hosts)).toEqual(problem);
  });
});
