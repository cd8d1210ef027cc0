import { failureFields } from '../../../src/cli/execServer/failureFields';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { SetupError } from '../../../src/io/stdio/setupError';

describe('failureFields', () => {
  it.each([
    [new NatsError('refused', 'the server denies this login')],
    [new SetupError('an executor build-1 is there already')],
    [Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' })],
  ])('is the reason alone of %s', (error) => {
    expect(failureFields(error)).toEqual({ reason: error.message });
  });

  it('is the stack of a bug', () => {
    const bug = new TypeError('x is undefined');
    expect(failureFields(bug)).toEqual({ stack: bug.stack });
  });
});
