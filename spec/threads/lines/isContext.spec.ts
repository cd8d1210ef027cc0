import { isContext } from '../../../src/threads/lines/isContext';

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
