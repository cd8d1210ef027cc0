import { isMuchRead, READ_LIMITS, readLimitsOf } from '../../../src/fleet/served/outputAccount';

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
  it.each([
    ['nothing', { bytes: 0, messages: 0 }, false],
    ['less than either limit', { bytes: 9, messages: 3 }, false],
    ['as many bytes', { bytes: 10, messages: 2 }, true],
    ['as many messages', { bytes: 2, messages: 4 }, true],
  ])('counts %s', (_, read, expected) => {
    expect(isMuchRead(read, { bytes: 10, messages: 4 })).toBe(expected);
  });
});
