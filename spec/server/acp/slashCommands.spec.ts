import { firstChoices } from '../../../src/server/acp/sessionConfig';
import { findCommand, skillNotes, toCommands } from '../../../src/server/acp/slashCommands';
import { factsWith } from '../../support/acp';

const prompts = [
  { name: 'heron', description: 'Says what a heron says', hint: 'WORD', text: 'say $1 and $ARGUMENTS for $$5' },
  { name: 'status', description: 'hidden', text: '' },
  { name: 'fix', description: 'Fixes', text: 'fix $FILE as $1 says' },
];
const skills = [
  { name: 'owl', description: 'Sees\u202e', path: '/h/owl/SKILL.md' },
  { name: 'owl-2', description: 'Two', path: '/h/2/SKILL.md' },
];
const facts = factsWith({ prompts, skills, servers: ['docs'] });
const find = (text: string) => findCommand({ id: 't', facts, choices: firstChoices(facts) }, text);

describe('the commands of a session', () => {
  it('are those of this program, and the prompts of the person', () => {
    const commands = toCommands(facts);
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(commands).toContainEqual({ name: 'heron', description: 'Says what a heron says', input: { hint: 'WORD' } });
  });

  it('answer without a model, or become a text for it', () => {
    expect(find('/status')).toMatchObject({
      kind: 'answer',
      text: expect.stringContaining('Sandbox: workspace-write'),
    });
    expect(find('/mcp')).toEqual({ kind: 'answer', text: '- docs' });
    expect(find('/skills')).toEqual({ kind: 'answer', text: '- $owl: Sees\\u202e\n- $owl-2: Two' });
    expect(find('/compact')).toEqual({ kind: 'compact' });
    expect(find('/review src')).toMatchObject({ kind: 'input', text: expect.stringContaining('Review src.') });
    expect(find('/review-branch main')).toMatchObject({ text: expect.stringContaining('`git diff main...HEAD`') });
    expect(find('/review-commit HEAD~1')).toMatchObject({ text: expect.stringContaining('`git show HEAD~1`') });
    expect(find('/rename  the heron ')).toEqual({ kind: 'rename', name: 'the heron' });
    expect(find(' /heron a b')).toEqual({ kind: 'input', text: 'say a and a b for $5' });
  });

  it('fill named places by NAME=value, and ask for one that is missing', () => {
    expect(find('/fix me FILE="a b.ts"')).toEqual({ kind: 'input', text: 'fix a b.ts as me says' });
    expect(find('/fix me')).toEqual({ kind: 'answer', text: 'This prompt needs a value: /fix FILE="…"' });
  });

  it.each([
    ['/review-branch', 'Write /review-branch BRANCH, with the branch that this one began from.'],
    ['/review-branch --output=x', 'Write /review-branch BRANCH, with the branch that this one began from.'],
    ['/review-commit a b', 'Write /review-commit COMMIT, with its id.'],
    ['/rename', 'Write /rename NAME, with the new name.'],
  ])('answer %s with its right form', (text, answer) => {
    expect(find(text)).toEqual({ kind: 'answer', text: answer });
  });

  it('name skills after a dollar, which the model is asked to read', () => {
    expect(toCommands(facts)).toContainEqual({ name: '$owl-2', description: 'Two' });
    expect(skillNotes(facts, 'use $owl, as $HOME and $owl-22 cannot')).toEqual([
      'The user chose the skill owl: first read /h/owl/SKILL.md, and follow it.',
    ]);
  });

  it.each(['/etc/passwd', '/nope', 'see /status', '/'])('do not begin with %s', (text) => {
    expect(find(text)).toBeUndefined();
  });
});
