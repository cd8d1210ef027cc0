import type { ResponseItem } from '../../../src/protocol/model/items';
import { isPrompt } from '../../../src/threads/lines/isPrompt';
import { messageOf } from '../../support/models';

const picture: ResponseItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_image', image_url: 'data:' }],
};

describe('isPrompt', () => {
  it.each<[string, ResponseItem, boolean]>([
    ['a message of the user', messageOf('user', 'go'), true],
    ['a picture', picture, true],
    ['an environment', messageOf('user', '<environment_context>\n</environment_context>'), false],
    ['instructions of a folder', messageOf('user', '# AGENTS.md instructions for /w'), false],
    ['a message of the model', messageOf('assistant', 'ok'), false],
    ['a reasoning item', { type: 'reasoning', id: 'r', summary: [] } as unknown as ResponseItem, false],
  ])('of %s', (_, item, expected) => {
    expect(isPrompt(item)).toBe(expected);
  });
});
