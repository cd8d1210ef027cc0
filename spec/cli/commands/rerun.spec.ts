import { rerun } from '../../../src/cli/commands/rerun';
import { givenBy, problemBy } from '../reading';

describe('rerun', () => {
  it('has nothing live by default', () => {
    expect(givenBy(rerun, 'tape.jsonl')).toMatchObject({ file: 'tape.jsonl', live: 'none', timeout: 10, config: [] });
    expect(givenBy(rerun, 'tape.jsonl', '--live', 'model', '-m', 'gpt-5')).toMatchObject({
      live: 'model',
      model: 'gpt-5',
    });
  });

  it.each([
    [['tape.jsonl', '-m', 'gpt-5'], '--model goes with --live model'],
    [['tape.jsonl', '--trust-tape'], '--trust-tape goes with --live'],
    [['tape.jsonl', '--unmask', 'none'], expect.stringContaining('--unmask')],
    [['tape.jsonl', '--live', 'network'], expect.stringContaining('--live')],
    [[], 'FILE is missing'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(rerun, ...argv)).toEqual(problem);
  });
});
