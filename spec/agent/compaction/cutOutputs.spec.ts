import { tokensOf } from '../../../src/agent/compaction/budget';
import { cutOutputs, fitForSummary, lastPrompt } from '../../../src/agent/compaction/cutOutputs';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { messageOf } from '../../support/models';
import { custom, environment, outputOf, shell } from '../support';

const long = 'x'.repeat(4_000);
const cut = `${'x'.repeat(200)}\n[... 3800 characters of this old output left out ...]`;
const call = (id: string, output: string) => [shell(id, 'ls'), outputOf(id, output)];
const change = (id: string) => [custom(id, 'apply_patch', long), outputOf(id, 'Success.')];
const past = [environment, messageOf('user', 'go'), ...call('a', long), ...call('b', 'short'), ...call('c', long)];

describe('cutOutputs', () => {
  it('leaves a conversation that is short enough', () => {
    expect(cutOutputs(past, tokensOf(past), 0)).toBe(past);
  });

  it('cuts the oldest outputs first, no more than it must, and never the newest', () => {
    const first = past.with(3, outputOf('a', cut));
    expect(cutOutputs(past, tokensOf(past) - 1, 0)).toEqual(first);
    expect(cutOutputs(past, tokensOf(first), 0)).toEqual(first);
    expect(cutOutputs(past, 10, 1)).toEqual(first);
    expect(cutOutputs(past, tokensOf(first) - 1, 0)).toEqual(first.with(7, outputOf('c', cut)));
    expect(cutOutputs(past, 10, 0)).toEqual(first.with(7, outputOf('c', cut)));
    expect(cutOutputs(past, 10, 3)).toEqual(past);
  });

  it('measures only about as much as stays of a conversation that is far too long', () => {
    const measured = jest.spyOn(Buffer, 'byteLength');
    const many = Array.from({ length: 1_000 }, (_, i) => call(`${i}`, 'x'.repeat(40_000))).flat();
    const shorter = cutOutputs(many, 200_000, 4);
    const chars = measured.mock.calls.reduce((sum, [text]) => sum + (text as string).length, 0);
    expect([chars < 2_500_000, tokensOf(shorter) <= 200_000, tokensOf(shorter) > 190_000]).toEqual([true, true, true]);
    measured.mockRestore();
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

  it('keeps the message of a turn that is too long, and the last answers to it', () => {
    const turn = [environment, messageOf('user', 'go'), ...['a', 'b', 'c'].flatMap(change)];
    const whole = tokensOf(turn);
    expect(fitForSummary(turn, whole - tokensOf([environment]) - 1)).toEqual([...turn.slice(0, 2), ...turn.slice(4)]);
    expect(fitForSummary(turn, whole / 2)).toEqual([...turn.slice(0, 2), ...turn.slice(6)]);
    expect(fitForSummary(turn, 10)).toEqual(turn.slice(0, 2));
  });

  it('shortens a message that is too long by itself', () => {
    const fit = fitForSummary([environment, messageOf('user', 'x'.repeat(40_000))], 3_000);
    expect([fit[0], fit.length]).toEqual([environment, 2]);
    expect(tokensOf(fit)).toBeLessThan(3_000);
  });
});

const picture: ResponseItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_image', image_url: 'data:' }],
};

describe('lastPrompt', () => {
  it('is the last message of the user, where a picture stands after it too', () => {
    const past = [environment, messageOf('user', 'one'), messageOf('user', 'two'), messageOf('assistant', 'ok')];
    expect(lastPrompt(past)).toEqual([messageOf('user', 'two')]);
    expect(lastPrompt([...past, picture])).toEqual([messageOf('user', 'two')]);
  });

  it('is shortened as an output is', () => {
    const past = [messageOf('user', 'x'.repeat(40_000))];
    const texts = [lastPrompt(past), lastPrompt(past, 1_000), lastPrompt(past, 99_000)].map((one) =>
      JSON.stringify(one),
    );
    expect(texts.map((text) => Math.round(text.length / 1_000))).toEqual([10, 1, 10]);
    expect(texts[0]).toContain('bytes ...]');
  });

  it('is nothing where no message has a text', () => {
    expect([lastPrompt([environment, picture]), lastPrompt([])]).toEqual([[], []]);
  });
});
