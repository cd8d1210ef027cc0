/** Attacks the promise that a command in the sandbox reads no known secret: wherever it is, whatever leads to it, whatever HOME and CODEX_HOME are. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSandbox, PATH, runIn } from '../support/exec/sandboxes';
import { type Home, openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

const { describe, it } = needs('sandbox');

afterAll(removeHomes);

describe('places of secrets', () => {
  it('are hidden if a table names them', async () => {
    const home = openHome();
    const read = await readIn(home, [
      ...['.ssh/id_ed25519', '.aws/config', '.kube/config', '.npmrc', '.m2/settings.xml', '.config/op/config'],
      ...['.librewolf/p/key4.db', '.config/vivaldi/Default/Cookies', '.thunderbird/p/logins.json'],
    ]);
    expect(read).toEqual([]);
  });

  it('are hidden if they belong to programs that flatpak and snap keep apart', async () => {
    const home = openHome();
    const read = await readIn(home, [
      'snap/some-browser/common/profile/cookies.sqlite',
      'snap/some-tool/42/.config/some-tool/settings',
      '.var/app/org.example.Tool/config/tool/hosts.yml',
      '.var/app/org.example.Browser/.profile/places',
    ]);
    expect(read).toEqual([]);
  });

  it('are hidden by their names, whatever program they belong to', async () => {
    const home = openHome();
    const read = await readIn(home, [
      ...['.newtool/credentials', '.newtool/credentials.v2.json', '.config/newtool/auth.json', '.cache/newtool/token'],
      ...['.local/share/newtool/secrets.yaml', '.local/state/newtool/access-token', '.config/newtool/oauth_creds.json'],
      ...['.newshell_history', '.zhistory', '.local/share/newshell/newshell_history', 'wallet.kdbx', '.newtool-token'],
    ]);
    expect(read).toEqual([]);
  });

  it('are not everything: settings, projects and their files stay readable', async () => {
    const home = openHome();
    const files = [
      ...['.gitconfig', '.config/git/config', '.config/newtool/settings.json', '.cargo/config.toml', '.bashrc'],
      ...['auth/index.ts', 'projects/tokens/token.ts', '.local/bin/tool', 'secrets-of-cooking/recipe'],
    ];
    expect(await readIn(home, files)).toEqual(files);
  });

  it('are hidden where links in them lead, and links there', async () => {
    const home = openHome();
    const files = ['dotfiles/aws', 'dotfiles/ssh/keys/id', 'vault/id', 'elsewhere/deep'];
    for (const file of files) home.write(file, 'SECRET');
    link(home, '.aws/credentials', '../dotfiles/aws');
    link(home, '.ssh', 'dotfiles/ssh');
    link(home, 'dotfiles/ssh/id_rsa', join(home.path, 'vault/id'));
    link(home, '.config/gcloud/a/b/credentials.db', '../../../../elsewhere/deep');
    expect(await readIn(home, files)).toEqual([]);
  });

  it('do not take the home or the system with them, if links lead there', async () => {
    const home = openHome();
    link(home, '.aws/home', home.path);
    link(home, '.aws/programs', '/usr/bin');
    link(home, 'snap/browser/common/Documents', join(home.path, 'documents'));
    expect(await readIn(home, ['documents/text'])).toEqual(['documents/text']);
  });

  it('are hidden in the home that the system knows, whatever HOME is', async () => {
    const [home, fake] = [openHome(), openHome()];
    const read = await readIn(home, ['.ssh/id', '.codex/auth.json', '.codex/sessions/x'], { home: fake.path });
    expect(read).toEqual([]);
  });

  it('are hidden below XDG_DATA_HOME', async () => {
    const home = openHome();
    const variables = { XDG_DATA_HOME: join(home.path, 'data') };
    expect(
      await readIn(home, ['.config/newtool/token', 'data/othertool/token', 'data/keyrings/login.keyring'], {
        variables,
      }),
    ).toEqual([]);
  });

  it('are hidden in ~/.codex, wherever CODEX_HOME is', async () => {
    const home = openHome();
    home.write('elsewhere/auth.json', 'SECRET');
    const files = ['.codex/auth.json', '.codex/config.toml', '.codex/new-login', 'elsewhere/auth.json'];
    expect(await readIn(home, files, { codexHome: join(home.path, 'elsewhere') })).toEqual([]);
  });
});

const link = (home: Home, path: string, target: string): void => {
  mkdirSync(dirname(join(home.path, path)), { recursive: true });
  symlinkSync(target, join(home.path, path));
};

/** Which of these files of a home a command in the sandbox can read. @param own what the environment says instead */
const readIn = async (
  { path, work, write }: Home,
  files: readonly string[],
  own: { home?: string; codexHome?: string; variables?: Record<string, string> } = {},
): Promise<string[]> => {
  for (const file of files) write(file, 'SECRET');
  const { home = path, codexHome = join(path, 'codex'), variables } = own;
  const { asSet } = openSandbox({
    own: { cwd: work, mode: 'read-only' },
    codexHome,
    home,
    systemHome: path,
    ...(variables && { variables }),
  });
  const script = 'cd "$0"; for file; do grep -qs SECRET "$file" && echo "$file"; done';
  const argv = ['bash', '-c', script, path, ...files];
  const { stdout } = await runIn(asSet, argv, { cwd: work, env: { PATH, HOME: home } });
  return stdout.split('\n').filter(Boolean);
};
