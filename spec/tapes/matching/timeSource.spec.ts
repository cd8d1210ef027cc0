import { TIME_SOURCE } from '../../../src/tapes/matching/timeSource';

describe('TIME_SOURCE', () => {
  it.each([
    '2026-11-22T16:46:05.123Z',
    '2026/11/22 16:46:05',
    'Sun, 22 Nov 2026 16:46:05 GMT',
    'Sun Nov 22 2026 16:46:05 GMT+0000 (Coordinated Universal Time)',
    '11/22/2026, 4:46:05 PM',
    '1763800000000',
    '16:46:05',
  ])('matches the whole of %s', (text) => {
    expect(`at ${text}, then`.match(new RegExp(TIME_SOURCE))?.[0]).toBe(text);
  });

  it.each(['2026-11-22', '9763800000000', '1:2:3', '12:30'])('does not match %s', (text) => {
    expect(new RegExp(TIME_SOURCE).test(text)).toBe(false);
  });
});
