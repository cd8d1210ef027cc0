import { demo } from '../../../src/cli/commands/demo';
import { givenBy, problemBy } from '../reading';

describe('demo', () => {
  it('approves by itself and draws marbles by default', () => {
    expect(givenBy(demo)).toEqual({ ask: false, raw: false, keep: false, command: [] });
  });

  it('refuses what it does not know', () => {
    expect(problemBy(demo, '--asks')).toBe('--asks is not an option; did you mean --ask?');
  });
});
