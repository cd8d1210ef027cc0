import { lastPrompt } from '../../../src/agent/compaction/cutOutputs';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { messageOf } from '../../support/models';
import { environment } from '../support';

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
