import { codexOf } from '../../src/settings/environmentOfCall';
import { depsOf } from './deps';

const files = {
  '/home/environments.toml':
    'default = "a"\n[[environments]]\nid = "a"\nurl = "ws://a"\n[[environments]]\nid = "b"\nurl = "ws://b"\ncodex = "/opt/codex"\n[[environments]]\nid = "c"\nurl = "ws://c"\n',
};

describe('codexOf', () => {
  it.each([
    ['the one of the flag, where the operator sends all threads there', 'a', '/flag', '/flag'],
    ['the one that the environment names', 'b', '/flag', '/opt/codex'],
    ['that in PATH elsewhere', 'c', '/flag', 'codex'],
    ['that in PATH without a flag', 'a', undefined, 'codex'],
  ])('is %s', (_, id, named, path) => {
    expect(codexOf(depsOf({ files }), id, named)).toBe(path);
  });
});
