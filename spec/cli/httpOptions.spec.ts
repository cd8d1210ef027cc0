import { problemOfListening } from '../../src/cli/tapeCommand';

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
