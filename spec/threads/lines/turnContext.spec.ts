import fc from 'fast-check';
import { lastTurnContext } from '../../../src/threads/lines/turnContext';

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
    expect(lastTurnContext(lines.join('\n'))).toEqual(expected);
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(lastTurnContext(`${text}"turn_context"${text}`)).toBeUndefined();
      }),
    );
  });
});
