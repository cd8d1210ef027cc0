import { readPromptFile } from '../../../../src/server/mcp/library';
import { toFilled, toListed } from '../../../../src/server/mcp/methods/libraryMethods';

const fix = {
  name: 'fix',
  text: '---\ndescription: "Fix a bug"\nargument-hint: FILE=path\n---\nFix $1 in $FILE: $ARGUMENTS. It costs $$5, $FILE.',
};

const textIn = (filled: Record<string, unknown>): string => JSON.stringify(filled.messages);

describe('a custom prompt', () => {
  it('has the members of its head, which is no part of its text', () => {
    expect(readPromptFile('---\r\ndescription:\r\nargument-hint: FILE\r\n---\r\nDo it')).toEqual({
      hint: 'FILE',
      text: 'Do it',
    });
    expect(readPromptFile('--- Do it')).toEqual({ text: '--- Do it' });
  });

  it('lists its arguments in their order, once each, and its description', () => {
    expect(toListed(fix)).toEqual({
      name: 'fix',
      description: 'Fix a bug',
      arguments: [
        { name: '1', required: false },
        { name: 'FILE', required: true },
        { name: 'ARGUMENTS', required: false },
      ],
    });
    expect(toListed({ name: 'plain', text: 'Do it' })).toEqual({ name: 'plain' });
  });

  it('is filled once: a value is never read as a place', () => {
    expect(toFilled(fix, { 1: 'the $FILE', FILE: 'a.ts' })).toEqual({
      description: 'Fix a bug',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Fix the $FILE in a.ts: the $FILE. It costs $5, a.ts.' } },
      ],
    });
  });

  it('takes $ARGUMENTS as given, else all numbered arguments', () => {
    expect(textIn(toFilled({ name: 'a', text: '[$ARGUMENTS]' }, { 1: 'x', 2: 'y' }))).toContain('[x y]');
    expect(textIn(toFilled({ name: 'a', text: '[$ARGUMENTS]' }, { ARGUMENTS: 'z' }))).toContain('[z]');
    expect(textIn(toFilled({ name: 'a', text: '[$1]' }, {}))).toContain('[]');
  });

  it('needs the value of a named argument', () => {
    expect(() => toFilled(fix, {})).toThrow('the prompt fix needs the argument FILE');
  });
});
