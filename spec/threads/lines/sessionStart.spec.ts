import { isSessionStart, toSessionStart } from '../../../src/threads/lines/sessionStart';

const bare = { id: 'T', timestamp: '2025-01-01T00:00:00Z', instructions: null };
const meta = {
  timestamp: '2026-01-01T00:00:00Z',
  type: 'session_meta',
  payload: { session_id: 'T', cli_version: '0.142.0' },
};

describe('isSessionStart', () => {
  it.each([
    ['the first line of 0.28.0', bare, true],
    ['the first line of 0.142.0', meta, true],
    ['another line', { type: 'event_msg' }, false],
    ['an object with an id', { id: 'T' }, false],
  ])('reads %s', (_, line, expected) => {
    expect(isSessionStart(line)).toBe(expected);
  });
});

describe('toSessionStart', () => {
  it('reads both shapes, and lines that name no thread', () => {
    expect([bare, meta, {}].map(toSessionStart)).toEqual([
      { threadId: 'T', timestamp: bare.timestamp },
      { threadId: 'T', timestamp: meta.timestamp, cliVersion: '0.142.0' },
      { threadId: 'unknown', timestamp: undefined },
    ]);
  });
});
