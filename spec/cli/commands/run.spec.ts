import { run } from '../../../src/cli/commands/run';
import { givenBy, problemBy } from '../reading';

describe('run', () => {
  it('takes the prompt as one word or several, and the settings of the server', () => {
    expect(givenBy(run, 'fix', 'it', '-m', 'o3', '--thread', 'T', '-o', 't.jsonl')).toMatchObject({
      prompt: ['fix', 'it'],
      model: 'o3',
      thread: 'T',
      record: 't.jsonl',
      json: false,
      engine: 'auto',
    });
    expect(givenBy(run)).toMatchObject({ prompt: [] });
    expect(problemBy(run, 'x', '--sandbox', 'none')).toContain('--sandbox must be');
    expect(problemBy(run, 'x', '-C', '/no/such')).toBe('--cd must be an existing folder; /no/such is not one');
  });
});
