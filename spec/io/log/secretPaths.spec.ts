import { secretPaths } from '../../../src/io/log/secretPaths';

describe('secretPaths', () => {
  it('has those of the user, of Codex and of the machine', () => {
    const paths = secretPaths({ home: '/home/u', codexHome: '/home/u/.codex' });
    expect(paths).toEqual(
      expect.arrayContaining([
        '/home/u/.ssh',
        '/home/u/.aws',
        '/home/u/.netrc',
        '/home/u/.codex/auth.json',
        '/home/u/.codex/nats.password',
        '/home/u/.codex/sessions',
        '/home/u/.codex/history.jsonl',
        '/home/u/.codex/shell_snapshots',
        '/etc/shadow',
      ]),
    );
    expect(paths.every((path) => path.startsWith('/') && !path.endsWith('/'))).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has none in a home that nobody has', () => {
    const paths = secretPaths({ home: undefined, codexHome: '/codex' });
    expect(paths.filter((path) => !path.startsWith('/codex/') && !/^\/(etc|run|var)\//.test(path))).toEqual([]);
  });
});
