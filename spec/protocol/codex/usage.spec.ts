import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { addUsage, addUsageOf, type Usage } from '../../../src/protocol/codex/usage';
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

describe('addUsageOf', () => {
  const one = usage(1, 0, 2, 0, 3);
  const usageAfter = (...msgs: EventMsg[]): Usage => msgs.reduce(addUsageOf, {});
  const count = (total?: TokenUsage): EventMsg => ({ type: 'token_count', ...one, ...(total && { total }) });

  it('adds the answers of a turn, and has the sum of the thread as it was last reported', () => {
    const [seven, ten] = [usage(3, 0, 4, 0, 7), usage(4, 0, 6, 0, 10)];
    expect(usageAfter({ type: 'task_started', model_context_window: 9 }, count(seven), count(ten))).toEqual({
      turn: usage(2, 0, 4, 0, 6),
      thread: ten,
      contextWindow: 9,
    });
  });

  it('counts once what a server repeats, and each answer of a server that reports no sums', () => {
    expect(usageAfter(count(one), count(one))).toEqual({ turn: one, thread: one });
    expect(usageAfter(count(), count())).toEqual({ turn: usage(2, 0, 4, 0, 6) });
  });

  it('knows the window of a server that reports it with a count, and changes nothing at other events', () => {
    const known = usageAfter({ type: 'token_count', ...one, model_context_window: 5 });
    expect(known).toEqual({ turn: one, contextWindow: 5 });
    expect(addUsageOf(known, { type: 'error', message: 'no' })).toBe(known);
    expect(usageAfter({ type: 'task_started', model_context_window: null })).toEqual({});
  });
});
