import { receivedErrors } from '../../../src/fleet/link/natsConnection';

describe('receivedErrors', () => {
  it('has an error and its causes, also where they cause each other', () => {
    const received = receivedErrors();
    const [deep, other] = [new Error('deep'), new Error('other')];
    const outer = new Error('outer', { cause: deep });
    deep.cause = outer;
    received.add(outer);
    received.add('text');
    received.add(null);
    expect([outer, deep, other].map(received.has)).toEqual([true, true, false]);
  });
});
