import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { parseLines } from '../../../src/threads/lines/readRolloutLine';
import { hasUsage, storedUsage, toTokenCount } from '../../../src/threads/lines/tokenCount';

const usage = (tokens: number, part: number | null = 1) => ({
  input_tokens: tokens,
  cached_input_tokens: part,
  output_tokens: tokens,
  reasoning_output_tokens: part,
  total_tokens: 2 * tokens,
});

describe('toTokenCount', () => {
  it('writes the count as Codex reads it, without null in place of a number', () => {
    expect(toTokenCount({ last: usage(1, null), total: usage(3), window: 100 })).toEqual({
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { total_token_usage: usage(3), last_token_usage: usage(1, 0), model_context_window: 100 },
        rate_limits: null,
      },
    });
  });
});

describe('storedUsage', () => {
  const lastUsage = (lines: readonly JsonObject[]) => lines.filter(hasUsage).map(storedUsage).at(-1);
  const lineOf = (total: object) => ({ payload: { type: 'token_count', info: { total_token_usage: total } } });

  it.each([
    ['the last count', [lineOf(usage(1)), lineOf(usage(3))], usage(3)],
    [
      'a count before one without numbers',
      [lineOf(usage(1)), { payload: { type: 'token_count', info: null } }],
      usage(1),
    ],
    ['a count that is not whole', [lineOf({ input_tokens: 1 })], undefined],
    ['no count', [{ payload: { type: 'other' } }, {}], undefined],
  ])('reads %s', (_, lines, expected) => {
    expect(lastUsage(lines as JsonObject[])).toEqual(expected);
  });

  it.each([
    ['0.28.0', undefined],
    ['0.142.0', 'number'],
  ])('reads a rollout of %s', (release, expected) => {
    const text = readFileSync(join(__dirname, `../../fixtures/rollouts/${release}.jsonl`), 'utf8');
    expect(typeof lastUsage(parseLines(text))?.total_tokens).toBe(String(expected));
  });
});
