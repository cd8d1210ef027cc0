import { tokensOf } from '../../../src/agent/compaction/budget';
import { compacted } from '../../../src/agent/compaction/compact';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { messageOf } from '../../support/models';
import { environment, outputOf, shell } from '../support';

const summary = messageOf('user', `${SUMMARY_MARK}\nSUM`);
const [one, two] = [
  [messageOf('user', 'one'), shell('l', 'ls'), outputOf('l', 'x'.repeat(1_000)), messageOf('assistant', 'ok')],
  [messageOf('user', 'two'), messageOf('assistant', 'done')],
];
const past = [environment, ...one, ...two];
const sizeOfTwo = tokensOf(two);
const shortOf = (keepTokens: number, of = past) =>
  compacted({ opening: [environment], summary: 'SUM', past: of, keepTokens });

describe('compacted', () => {
  it.each([
    ['all turns where they fit', 100_000, [environment, summary, ...one, ...two]],
    ['the last turns that fit, whole', sizeOfTwo + 100, [environment, summary, ...two]],
    ['the last message of the user where no turn fits', 4, [environment, messageOf('user', 'two'), summary]],
  ])('keeps %s', (_, keepTokens, expected) => {
    expect(shortOf(keepTokens)).toEqual(expected);
  });

  it('keeps the last message of the user where what fits begins with a picture that the model looked at', () => {
    const picture: ResponseItem = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'data:' }],
    };
    const seen = [picture, messageOf('assistant', 'a dot')];
    const long = [environment, ...one, ...seen];
    expect(shortOf(tokensOf(seen), long)).toEqual([environment, messageOf('user', 'one'), summary, ...seen]);
    expect(shortOf(100_000, long)).toEqual([environment, summary, ...one, ...seen]);
  });

  it('shortens a message that is too long', () => {
    const [, message] = shortOf(1, [messageOf('user', 'x'.repeat(100_000))]);
    expect(message && tokensOf([message])).toBeLessThan(2_700);
  });

  it('puts a new summary in the place of the one before', () => {
    expect(shortOf(10_000, [environment, messageOf('user', `${SUMMARY_MARK}\nOLD`), ...two])).toEqual([
      environment,
      summary,
      ...two,
    ]);
  });

  it('is the opening and the summary without a message of the user', () => {
    expect(shortOf(1, [environment])).toEqual([environment, summary]);
  });
});
