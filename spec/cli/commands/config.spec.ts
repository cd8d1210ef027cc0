import { config } from '../../../src/cli/commands/config';
import { givenBy, problemBy } from '../reading';

describe('config', () => {
  it('takes an action, and the flags of the server', () => {
    expect(givenBy(config, 'show', '--json', '-c', 'a=1', '-p', 'fast', '-m', 'm')).toMatchObject({
      action: 'show',
      json: true,
      config: ['a=1'],
      profile: 'fast',
      model: 'm',
    });
  });

  it('refuses another action', () => {
    expect(problemBy(config, 'list')).toBe('ACTION must be show or schema; it is list');
  });
});
