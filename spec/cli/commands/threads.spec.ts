import { threads } from '../../../src/cli/commands/threads';
import { givenBy, problemBy } from '../reading';

describe('threads', () => {
  it.each([
    [[], { limit: 50 }],
    [['list', '--archived', '--limit', '1'], { action: 'list', archived: true, limit: 1 }],
    [['export', '01a2', '-o', 'tape.jsonl'], { action: 'export', id: '01a2', out: 'tape.jsonl' }],
    [['rm', '01a2', '-c', 'x=1'], { action: 'rm', id: '01a2', config: ['x=1'] }],
  ])('accepts %j', (argv, given) => expect(givenBy(threads, ...argv)).toMatchObject(given));

  it.each([
    [['remove', '01a2'], /^ACTION must be list, show, export, fork, archive, restore or rm; it is remove$/],
    [['list', '01a2'], /^list takes no id$/],
    [['rm'], /^rm needs the id of a thread$/],
    [['--limit', '0'], /limit/],
    [['--width', '29'], /width/],
  ])('refuses %j', (argv, problem) => expect(problemBy(threads, ...argv)).toMatch(problem));
});
