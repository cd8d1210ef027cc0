import { readAuthFile } from '../../../src/settings/auth/authFile';
import { isDue } from '../../../src/settings/auth/accounts';
import { authJson, NOW } from './support';

const tokens = readAuthFile(authJson())?.tokens;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('isDue', () => {
  it.each<[string, number | undefined, number | undefined, boolean]>([
    ['of today', 0, undefined, false],
    ['of 28 days', 28 * DAY_MS, undefined, false],
    ['of 29 days', 29 * DAY_MS, undefined, true],
    ['of a clock that is ahead', -DAY_MS, undefined, false],
    ['that expire in an hour', 0, 60 * MINUTE_MS, false],
    ['that expire in a minute', 0, MINUTE_MS, true],
    ['that have expired', undefined, -MINUTE_MS, true],
    ['of an unknown age', undefined, undefined, false],
  ])('tokens %s', (_, ageMs, leftMs, expected) => {
    const file = { tokens, ...(ageMs !== undefined && { lastRefreshMs: NOW - ageMs }) };
    expect(isDue(file, leftMs === undefined ? {} : { expiresMs: NOW + leftMs }, NOW)).toBe(expected);
  });

  it('is false without tokens', () => {
    expect(isDue({ lastRefreshMs: 0 }, { expiresMs: 0 }, NOW)).toBe(false);
  });
});
