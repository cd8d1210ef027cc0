import { toChatUsage, toResponsesUsage } from '../../../src/agent/modelHttp/usage';

const counts = (input: number, output: number, total = input + output) => ({
  input_tokens: input,
  cached_input_tokens: null as number | null,
  output_tokens: output,
  reasoning_output_tokens: null as number | null,
  total_tokens: total,
});

describe('toResponsesUsage', () => {
  it.each([
    [{ input_tokens: 3, output_tokens: 4, total_tokens: 8 }, counts(3, 4, 8)],
    [{ input_tokens: 3, output_tokens: 4 }, counts(3, 4)],
    [{ input_tokens: '3' }, counts(3, 0)],
    [{ input_tokens: '', output_tokens: -1 }, counts(0, 0)],
    [{ prompt_tokens: 3, completion_tokens: 4 }, counts(3, 4)],
    [
      { input_tokens: 3, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 2 } },
      { ...counts(3, 0), cached_input_tokens: 0, reasoning_output_tokens: 2 },
    ],
    [null, null],
    [7, null],
  ])('of %j', (usage, expected) => {
    expect(toResponsesUsage(usage)).toEqual(expected);
  });
});

describe('toChatUsage', () => {
  it.each([
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 8 }, counts(3, 4, 8)],
    [{}, counts(0, 0)],
    [{ input_tokens: 3, output_tokens: 4 }, counts(3, 4)],
    [{ prompt_tokens: '3', completion_tokens: 4.4, total_tokens: '8' }, counts(3, 4, 8)],
    [
      {
        prompt_tokens: 1,
        prompt_tokens_details: { cached_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { ...counts(1, 0), cached_input_tokens: 1, reasoning_output_tokens: 0 },
    ],
  ])('of %j', (usage, expected) => {
    expect(toChatUsage(usage)).toEqual(expected);
  });
});
