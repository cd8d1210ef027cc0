import fc from 'fast-check';
import { isSessionStart, lastTurnContext, toSessionStart } from '../../../src/threads/lines/sessionStart';

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

const context = (payload: unknown) => JSON.stringify({ type: 'turn_context', payload });

const message = JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: '"turn_context"' } });

describe('lastTurnContext', () => {
  it.each<[string, string[], object | undefined]>([
    ['no line', [], undefined],
    ['a rollout without a turn', ['{"type":"session_meta","payload":{}}'], undefined],
    ['two turns', [context({ cwd: '/a' }), context({ cwd: '/b' })], { cwd: '/b' }],
    ['a line that was cut off after it', [context({ cwd: '/a' }), '{"type":"turn_context","payl'], { cwd: '/a' }],
    ['a message that quotes one after it', [context({ cwd: '/a' }), message.replaceAll('\\"', '"')], { cwd: '/a' }],
    ['a message that mentions one after it', [context({ cwd: '/a' }), message], { cwd: '/a' }],
  ])('reads %s', (_, lines, expected) => {
    expect(lastTurnContext(lines)).toEqual(expected);
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(lastTurnContext([`${text}"turn_context"${text}`])).toBeUndefined();
      }),
    );
  });
});
