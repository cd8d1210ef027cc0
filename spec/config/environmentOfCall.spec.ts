import { environmentOfCall } from '../../src/config';
import type { ThreadSettings } from '../../src/protocol/codex';
import { depsOf, type World } from './deps';

const read = (world: World, settings?: ThreadSettings) => environmentOfCall(depsOf(world), settings);
const files = { '/home/environments.toml': 'default = "d"\n' };

describe('environmentOfCall', () => {
  it.each<[string, World, ThreadSettings | undefined, string]>([
    ['this machine', {}, undefined, 'local'],
    ['the default of environments.toml', { files }, undefined, 'd'],
    ['the file', { files, toml: 'environment_id = "a"' }, undefined, 'a'],
    ['a flag', { toml: 'environment_id = "a"', overrides: ['environment_id=b'] }, undefined, 'b'],
    ['the call', { toml: 'environment_id = "a"' }, { config: { environment_id: 'c' } }, 'c'],
    [
      'a profile',
      { toml: '[profiles.p]\nenvironment_id = "p"' },
      { profile: 'p', config: { environment_id: 'c' } },
      'p',
    ],
  ])('takes %s', (_, world, settings, id) => {
    expect(read(world, settings)).toBe(id);
  });

  it('does not mind values that only Codex reads', () => {
    expect(read({ toml: 'model = 3\nenvironment_id = "a"' })).toBe('a');
  });
});
