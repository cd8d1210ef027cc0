import { tokensOf } from '../../src/agent/budget';
import { cutOutputs, fitForSummary } from '../../src/agent/cutOutputs';
import { messageOf } from '../support/models';
import { environment, outputOf, shell } from './support';

const long = 'x'.repeat(4_000);
const cut = `${'x'.repeat(200)}\n[... 3800 bytes of this old output left out ...]`;
const call = (id: string, output: string) => [shell(id, 'ls'), outputOf(id, output)];
const past = [environment, messageOf('user', 'go'), ...call('a', long), ...call('b', 'short'), ...call('c', long)];

describe('cutOutputs', () => {
  it('leaves a conversation that is short enough', () => {
    expect(cutOutputs(past, tokensOf(past), 0)).toBe(past);
  });

  it('cuts the oldest outputs first, no more than it must, and never the newest', () => {
    const first = past.with(3, outputOf('a', cut));
    expect(cutOutputs(past, tokensOf(past) - 1, 0)).toEqual(first);
    expect(cutOutputs(past, 10, 1)).toEqual(first);
    expect(cutOutputs(past, 10, 0)).toEqual(first.with(7, outputOf('c', cut)));
    expect(cutOutputs(past, 10, 3)).toEqual(past);
  });
});

describe('fitForSummary', () => {
  const next = [messageOf('user', 'more'), messageOf('assistant', 'ok')];

  it('leaves out the oldest turns where the outputs are not enough, but not the environment', () => {
    expect(fitForSummary([...past, ...next], 20)).toEqual([environment, ...next]);
  });

  it('leaves a conversation that is short enough', () => {
    expect(fitForSummary(past, 10_000)).toEqual(past);
  });

  it('is the environment where even the last turn is too long', () => {
    expect(fitForSummary([environment, messageOf('user', long)], 10)).toEqual([environment]);
  });
});
