import type { ResponseItem } from '../../../src/protocol/model/items';
import { isContext, isPrompt, textsOf } from '../../../src/threads/lines/prompts';
import { messageOf } from '../../support/models';

describe('isContext', () => {
  it.each([
    ['<environment_context>\n<cwd>/</cwd>', true],
    [' \n<user_instructions>', true],
    ['<permissions instructions>', true],
    ['<turn_aborted>', true],
    ['<user_shell_command>', true],
    ['# AGENTS.md instructions for /w', true],
    ['Summary of the conversation so far, which stands in its place:\nSUM', true],
    ['Your answer had neither a message nor a call of a tool, only reasoning.', true],
    ['fix <environment_context>', false],
    ['<environment>', false],
    ['# AGENTS.md is missing', false],
    ['', false],
  ])('of %j is %j', (text, expected) => {
    expect(isContext(text)).toBe(expected);
  });
});

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

describe('textsOf', () => {
  it.each([
    [
      [{ type: 'input_text', text: 'a' }, { type: 'input_image' }, { text: 'b' }],
      ['a', 'b'],
    ],
    [[{ text: 1 }, null, 'c'], []],
    ['a', []],
    [undefined, []],
  ])('reads %j', (parts, texts) => {
    expect(textsOf(parts)).toEqual(texts);
  });
});
