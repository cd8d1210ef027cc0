import { TransportError, toTransportError } from '../../src/executor/transportError';

describe('toTransportError', () => {
  it.each([
    ['unknownProcess', 'broken pipe: unknown process'],
    ['stdinClosed', 'broken pipe: stdin closed'],
    ['starting', 'would block: process is starting'],
  ] as const)('of %s', (status, message) => {
    const error = toTransportError(status);
    expect(error).toBeInstanceOf(TransportError);
    expect({ ...error, message: error.message }).toEqual({ name: 'TransportError', status, message });
  });
});
