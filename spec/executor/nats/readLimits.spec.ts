import { emptyAccount, emptySession } from '../../../src/executor/nats/outputAccount';
import { isMuchRead, READ_LIMITS, readLimitsOf } from '../../../src/executor/nats/readLimits';

const MB = 1_048_576;

describe('readLimitsOf', () => {
  it.each([
    ['without a limit of the stream', 0, 128 * MB],
    ['of a large stream', 4_096 * MB, 128 * MB],
    ['of a small stream, an eighth', 64 * MB, 8 * MB],
  ])('is a number of bytes %s', (_, maxStreamBytes, bytes) => {
    expect(readLimitsOf(maxStreamBytes)).toEqual({ ...READ_LIMITS, bytes });
  });
});

describe('isMuchRead', () => {
  const account = (readBytes: number, messages: number) => ({
    ...emptyAccount(0, emptySession()),
    readBytes,
    read: Array.from({ length: messages }, (_, i) => i),
  });

  it.each([
    ['no process', [], false],
    ['less than either limit', [account(9, 3)], false],
    ['as many bytes of all processes together', [account(6, 1), account(4, 1)], true],
    ['as many messages of all processes together', [account(1, 2), account(1, 2)], true],
  ])('counts %s', (_, accounts, expected) => {
    expect(isMuchRead(accounts, { bytes: 10, messages: 4 })).toBe(expected);
  });
});
