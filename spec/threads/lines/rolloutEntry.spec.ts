import { readRolloutLine } from '../../../src/threads/lines/readRolloutLine';
import { toRolloutLine } from '../../../src/threads/lines/rolloutEntry';

const entry = { type: 'event_msg', payload: { type: 'user_message', message: 'a\n"b' } } as const;

describe('toRolloutLine', () => {
  it('is one line in the envelope of Codex', () => {
    expect(toRolloutLine(entry, 0)).toBe(
      '{"timestamp":"1970-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"a\\n\\"b"}}\n',
    );
  });

  it('has a number where the lines of the rollout are counted', () => {
    expect(JSON.parse(toRolloutLine(entry, 0, 7))).toMatchObject({ ordinal: 7, type: 'event_msg' });
  });

  it('is read again', () => {
    expect(readRolloutLine(JSON.parse(toRolloutLine(entry, 0)))).toEqual([{ kind: 'prompt', text: 'a\n"b' }]);
  });
});
