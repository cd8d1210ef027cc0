import { addUsage } from '../../../src/agent/turn/loopState';
import type { TokenUsage } from '../../../src/protocol/model/events';

const usage = (...[input, cached, output, reasoning, total]: (number | null)[]): TokenUsage => ({
  input_tokens: input as number,
  cached_input_tokens: cached as number | null,
  output_tokens: output as number,
  reasoning_output_tokens: reasoning as number | null,
  total_tokens: total as number,
});

describe('addUsage', () => {
  it.each([
    ['is the first usage, as reported ', undefined, usage(1, null, 2, 3, 4), usage(1, null, 2, 3, 4)],
    ['adds each part                  ', usage(1, 2, 3, 4, 5), usage(10, 20, 30, 40, 50), usage(11, 22, 33, 44, 55)],
    [
      'keeps null what was not reported',
      usage(1, null, 3, null, 5),
      usage(1, null, 3, null, 5),
      usage(2, null, 6, null, 10),
    ],
    ['counts what one of them reports ', usage(1, 2, 3, null, 5), usage(1, null, 3, 7, 5), usage(2, 2, 6, 7, 10)],
  ])('%s', (_, sum, one, expected) => {
    expect(addUsage(sum, one)).toEqual(expected);
  });
});
