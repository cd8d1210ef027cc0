import { CannotBegin, unusableEnvironment } from '../../../src/agent/turns/rejection';

describe('unusableEnvironment', () => {
  it('names the environment, the reason, what to do, and that nothing ran here', () => {
    expect(unusableEnvironment('box', new Error('lost'))).toEqual(
      new CannotBegin('The environment `box` cannot be used: lost. Nothing was run on this machine.'),
    );
    expect(unusableEnvironment('box', new Error('lost'), 'Start it again.').message).toBe(
      'The environment `box` cannot be used: lost. Start it again. Nothing was run on this machine.',
    );
  });
});
