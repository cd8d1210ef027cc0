import { resolve } from 'node:path';
import { mcpServer } from '../../../src/cli/commands/mcpServer';
import { toServeOptions } from '../../../src/cli/serve/toServeOptions';
import { givenBy } from '../reading';

const optionsOf = (...argv: string[]) => toServeOptions(givenBy(mcpServer, ...argv));

describe('toServeOptions', () => {
  it('has times in milliseconds, and leaves out what was not given', () => {
    expect(optionsOf('--ask-timeout', '5', '--answer-within', '50')).toMatchObject({
      askTimeoutMs: 5_000,
      taskAfterMs: 2_000,
      answerWithinMs: 50_000,
    });
    expect(optionsOf('--task-after', 'never')).not.toHaveProperty('taskAfterMs');
    expect(optionsOf()).not.toHaveProperty('answerWithinMs');
  });

  it('takes the bound of the tokens as the key of the configuration, after -c', () => {
    expect(optionsOf('-c', 'model=m', '--max-tokens', '9').overrides).toEqual(['model=m', 'max_tokens_per_turn=9']);
    expect(optionsOf().overrides).toEqual([]);
  });

  it('offers the tools of Codex, unless more are asked for', () => {
    expect(optionsOf().tools).toBe('codex');
    expect(optionsOf('--tools', 'extended').tools).toBe('extended');
  });

  it('offers the tapes of no folder, unless one is named', () => {
    expect(optionsOf()).not.toHaveProperty('offerTapes');
    expect(optionsOf('--offer-tapes', 'tapes').offerTapes).toBe(resolve('tapes'));
  });
});
