import { isSecretEntry, isSecretInHome, secretPaths } from '../../../src/io/disk/secretsHere';

describe('secretPaths', () => {
  it('has those of the user, of Codex and of the machine, each once', () => {
    const paths = secretPaths({ homes: ['/home/u'], codexHomes: ['/home/u/.codex'] });
    expect(paths).toEqual(
      expect.arrayContaining([
        '/home/u/.ssh',
        '/home/u/.config/Bitwarden CLI',
        '/home/u/.netrc',
        '/home/u/.codex/auth.json',
        '/home/u/.codex/sessions',
        '/etc/shadow',
      ]),
    );
    expect(paths.filter((path) => !/^\/\S.*[^\s/]$/.test(path))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has none in a home that nobody has', () => {
    const paths = secretPaths({ homes: [], codexHomes: ['/codex'] });
    expect(paths.filter((path) => !/^\/(codex|etc|run|var)\//.test(path))).toEqual([]);
  });
});

describe('isSecretEntry', () => {
  it.each(['auth.json', '.credentials.json', 'oauth_creds.json', 'access-token', 'stored_tokens', 'Cookies'])(
    'knows %s',
    (name) => expect(isSecretEntry(name)).toBe(true),
  );
  it.each(['.bash_history', '.histfile', 'fish_history', 'history.jsonl', 'id.key', 'my.kdbx'])('knows %s', (name) =>
    expect(isSecretEntry(name)).toBe(true),
  );
  it.each(['authors', 'config.toml', 'keyboard', 'tokenizer.json', 'historic', 'cert.pem', 'settings.json'])(
    'passes over %s',
    (name) => expect(isSecretEntry(name)).toBe(false),
  );
});

describe('isSecretInHome', () => {
  it('takes folders of projects for what they are', () => {
    expect(['tokens', 'secrets', 'auth', '.vault-token', 'my.key'].map(isSecretInHome)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
