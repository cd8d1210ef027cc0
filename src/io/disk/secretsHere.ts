/**
 * The paths at which programs keep keys, tokens and passwords, and what links in them lead to: a command that runs without asking must not read them. Two
 * rules by name find what programs keep in the folders that each of them has in a home; the tables name what no rule finds, each row with its source.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../../streams/text/trim';
import { realPathOf } from '../paths/look';
import type { ProcessInfo } from '../serverProcess/serverProcess';

/** The process whose secrets these are. */
type Place = Pick<ProcessInfo, 'cwd' | 'home' | 'systemHome' | 'codexHome' | 'credentialFiles'> &
  Partial<Pick<ProcessInfo, 'env'>>;

/** All homes of the user, and all folders of Codex in them: neither HOME nor CODEX_HOME makes one of them harmless. */
export const homesOf = ({ home, systemHome, codexHome }: Omit<Place, 'cwd' | 'credentialFiles' | 'env'>): Homes => {
  const homes = distinct(
    [home, systemHome].flatMap((path) => (path === undefined ? [] : [toBase(realPathOf(path) ?? path)])),
  );
  return { homes, codexHomes: distinct([toBase(codexHome), ...homes.map((path) => `${path}/.codex`)]) };
};

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)];

/** What the paths in a folder begin with, before their separator. */
const toBase = (folder: string): string => resolve(folder).replace(/[\\/]$/, '');

/**
 * Absolute paths of files and folders that hold secrets now; they may be links, or missing. What links in them lead to is a secret too, as tools that
 * manage dotfiles put files elsewhere; but for a folder that holds a home, or the folder of this process.
 */
export const secretsHere = (place: Place): (() => string[]) => {
  const { credentialFiles = [], env = {} } = place;
  const own = { ...homesOf(place), moved: movedBy(env) };
  const { homes, moved } = own;
  const kept = [...homes, place.cwd].flatMap((path) => [path, realPathOf(path) ?? path]);
  const others = homes.flatMap((home) => OF_OTHER_SANDBOXES.map((name) => `${home}/${name}`));
  return () => {
    const places = [
      ...secretPaths(own),
      ...credentialFiles,
      ...homes.flatMap(namedIn),
      ...moved.flatMap(([, to]) => secretsOfPrograms(to)),
    ];
    const linked = linkedFrom(places.filter((path) => !others.includes(path)));
    return distinct([...places, ...linked.filter((path) => !kept.some((one) => isWithin(path, one)))]);
  };
};

/** An empty or relative value counts as unset. Source: XDG Base Directory Specification 0.8. */
const movedBy = (env: ProcessInfo['env']): (readonly [from: string, to: string])[] =>
  Object.entries(MOVED_BY).flatMap(([name, from]) => {
    const to = env[name] ?? '';
    return isAbsolute(to) ? [[from, toBase(realPathOf(to) ?? to)] as const] : [];
  });

/** Nothing for what is missing, is no folder, or is closed to this user, and so to its commands. */
const listed = <T>(list: () => T[]): T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};

const entriesOf = (folder: string): Dirent[] => listed(() => readdirSync(folder, { withFileTypes: true }));
const namesOf = (folder: string): string[] => listed(() => readdirSync(folder));

/** Whether something may have entries: links are followed. */
const mayHold = (entry: Dirent): boolean => entry.isDirectory() || entry.isSymbolicLink();

/** What is secret by its name: in a home, and in the folders that programs have there. */
const namedIn = (home: string): string[] => {
  const inHome = entriesOf(home);
  const hidden = inHome.filter((entry) => entry.name.startsWith('.') && mayHold(entry));
  return [
    ...inHome.flatMap(({ name }) => (isSecretInHome(name) ? [join(home, name)] : [])),
    ...hidden.flatMap(({ name }) => secretsOf(join(home, name))),
    ...PARENTS.flatMap((parent) => secretsOfPrograms(join(home, parent))),
  ];
};

/** The same in the folders that programs have in this one. */
const secretsOfPrograms = (parent: string): string[] =>
  entriesOf(parent)
    .filter(mayHold)
    .flatMap(({ name }) => secretsOf(join(parent, name)));

const secretsOf = (folder: string): string[] =>
  namesOf(folder)
    .filter(isSecretEntry)
    .map((name) => join(folder, name));

/** How many entries are looked at for links, those near the top first: the profile of a browser has thousands. */
const MAX_ENTRIES = 1_000;

/** What every program reads: a link there hides nothing. */
const SYSTEM = ['/usr', '/etc', '/opt', '/nix', '/lib', '/lib64', '/bin', '/var/lib', '/proc', '/sys', '/dev'];

const linkedFrom = (places: readonly string[]): string[] => {
  const folders = distinct(places.flatMap((path) => realPathOf(path) ?? []));
  const found: string[] = [];
  let left = MAX_ENTRIES;
  for (const folder of folders) {
    if (left <= 0) break; // folders grows below: this is a search in breadth
    const entries = entriesOf(folder);
    left -= entries.length;
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)));
    const targets = entries
      .filter((entry) => entry.isSymbolicLink())
      .flatMap(({ name }) => realPathOf(join(folder, name)) ?? [])
      .filter((path) => !folders.includes(path) && !SYSTEM.some((one) => isWithin(one, path)));
    folders.push(...targets);
    found.push(...targets);
  }
  return found;
};

/** In the user's home folder, on any system. A row is a source, and the paths that are known from it. */
const IN_HOME = `
  firejail 0.9.72, disable-common.inc, top secret | .ssh, .gnupg, .netrc, .git-credentials, .git-credential-cache, .pki, .cert, .caff, .fetchmailrc
  the same | .msmtprc, .mutt, .muttrc, .davfs2, .ecryptfs, .Private, .nyx, .vaults, .smbcredentials, .config/hub, .config/keybase, .gnome2/keyrings
  the same | .kde/share/apps/kwallet, .kde4/share/apps/kwallet, .local/share/keyrings, .local/share/kwalletd, .local/share/pki, .local/share/plasma-vault
  the same, cloud provider configuration | .aws, .boto, .config/gcloud, .kube, .s3cmd, .passwd-s3fs
  the same, mail directories | .Mail, .mail
  the same, flatpak; snap(8) likewise | .var, snap
  firejail 0.9.72, disable-programs.inc, browsers | .mozilla, .librewolf, .waterfox, .zen, .opera, .config/opera, .config/vivaldi, .config/google-chrome
  the same | .config/google-chrome-beta, .config/chromium, .config/BraveSoftware, .config/microsoft-edge
  the same, mail and messages | .thunderbird, .config/evolution, .local/share/evolution, .config/Signal, .config/Slack, .config/discord, .config/Element
  the same | .local/share/TelegramDesktop, .purple, .config/Microsoft
  the same, key stores | .password-store, .keepass, .keepassx, .keepassxc, .config/keepassxc, .config/KeePass, .lastpass, .config/Bitwarden
  the same | .config/Bitwarden CLI, .config/1Password, .local/share/Enpass, .electrum, .bitcoin, .ethereum
  op(1), age(1), sops | .op, .config/op, .age, .config/age, .config/sops
  documentation of the clouds | .azure, .oci, .aliyun, .s3cfg, .config/doctl, .config/hcloud, .config/rclone, .config/linode-cli, .bluemix
  documentation of deploy tools | .wrangler, .config/.wrangler, .vercel, .local/share/com.vercel.cli, .netlify, .config/netlify, .heroku, .fly, .config/stripe
  the same | .supabase, .cloudflared, .config/ngrok, .config/ngrok2, .ngrok2, .config/configstore
  containers-auth.json(5), docker login, helm | .docker/config.json, .config/containers/auth.json, .config/helm/registry
  documentation of data stores | .pgpass, .my.cnf, .mylogin.cnf, .databrickscfg, .snowflake, .snowsql, .kaggle, .config/nats, .nkeys, .local/share/nats
  documentation of forges | .config/gh/hosts.yml, .config/glab-cli, .config/tea, .config/github-copilot, .copilot, .jira.d, .config/.jira
  documentation of package registries | .npmrc, .yarnrc, .yarnrc.yml, .bunfig.toml, .pypirc, .config/pip, .pip, .condarc, .m2/settings.xml, .m2/settings-security.xml
  the same | .gradle/gradle.properties, .nuget/NuGet, .config/NuGet
  documentation of other agents | .claude.json, .gemini, .config/goose, .local/share/opencode, .aider.conf.yml, .config/io.datasette.llm
  curl(1), subversion | .curlrc, _netrc, .subversion/auth
  Apple, Keychain Services and File System Programming Guide | Library/Keychains, Library/Cookies, Library/Containers, Library/Group Containers
  the same | Library/Messages, Library/Mail, Library/Safari
  the same, with the browsers above | Library/Application Support/Google/Chrome, Library/Application Support/Firefox
  the same | Library/Application Support/BraveSoftware, Library/Application Support/Microsoft Edge
`;

/** What flatpak and snap hold leads back to the folders of the person, such as Documents. */
const OF_OTHER_SANDBOXES: readonly string[] = ['.var', 'snap'];

/**
 * In Codex's own folder. `config.toml` holds headers and the environment of MCP servers, `environments.toml` tokens and the environment of programs;
 * sessions and logs contain other conversations, about other folders; and shell snapshots contain shell variables.
 */
const IN_CODEX_HOME = [
  ...['sessions', 'archived_sessions', 'history.jsonl', 'session_index.jsonl', 'log', 'shell_snapshots'],
  ...['auth.json', '.credentials.json', '.env', 'config.toml', 'environments.toml'],
  ...['nats', 'nats.password', 'nats.token', 'nats.creds', 'nats.nk', 'nats.key'],
];

/** On the machine: files that only root can read (a command of a root daemon runs as root too), and the secrets of containers. */
const OF_MACHINE = `
  firejail 0.9.72, disable-common.inc | /etc/shadow, /etc/shadow-, /etc/gshadow, /etc/gshadow-, /etc/davfs2/secrets, /etc/boto.cfg
  sshd(8), openssl(1), krb5.conf(5) | /etc/ssh/ssh_host_rsa_key, /etc/ssh/ssh_host_ecdsa_key, /etc/ssh/ssh_host_ed25519_key, /etc/ssl/private, /etc/krb5.keytab
  Docker and Kubernetes, secrets | /run/secrets, /var/run/secrets
  wg(8), NetworkManager(8) | /etc/wireguard, /etc/NetworkManager/system-connections
`;

const pathsOf = (table: string): string[] =>
  table
    .trim()
    .split('\n')
    .flatMap((row) => row.slice(row.indexOf('|') + 1).split(','))
    .map((path) => path.trim());

/** Absolute folders, without a slash at the end. */
type Homes = {
  /** The home of HOME, and that which the system has for the user. */
  homes: readonly string[];
  /** The folder of Codex in use, and those in these homes. */
  codexHomes: readonly string[];
  /** Where a variable moves a folder of programs in a home, such as `.local/share`. Default: nowhere. */
  moved?: readonly (readonly [from: string, to: string])[];
};

/** Absolute paths of files and folders that hold secrets; most do not exist. */
export const secretPaths = ({ homes, codexHomes, moved = [] }: Homes): string[] => [
  ...homes.flatMap((home) => pathsOf(IN_HOME).map((path) => `${home}/${path}`)),
  ...moved.flatMap(([from, to]) =>
    pathsOf(IN_HOME).flatMap((path) => (path.startsWith(`${from}/`) ? [`${to}${path.slice(from.length)}`] : [])),
  ),
  ...codexHomes.flatMap((home) => IN_CODEX_HOME.map((name) => `${home}/${name}`)),
  ...pathsOf(OF_MACHINE),
];

/** Folders in a home in which each program has a folder of its own. Source: XDG Base Directory Specification 0.8; Apple, File System Programming Guide. */
const PARENTS: readonly string[] = ['.config', '.local/share', '.local/state', '.cache', 'Library/Application Support'];

/** The variables that move such a folder. Source: the same specification. */
const MOVED_BY: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
};

/** `credentials.toml`, `oauth_creds.json`, `access-token`, `secrets.yaml`, `cookies.sqlite`. */
const NAMED_SECRET =
  /^\.?(?:[\w-]*[_-])?(?:auth|credentials?|creds|secrets?|tokens?|cookies?|passwords?)(?:[._-].*)?$/i;

/** `.bash_history`, `.zhistory`, `.histfile`, `fish_history`: commands hold the passwords that people typed into them. */
const HISTORY = /^\.?\w*hist(?:ory|file)(?:\.\w+)?$/i;

/** Keys and key stores that are of use without a program's settings. */
const KEY = /\.(?:key|kdbx?|p12|pfx|ppk)$/i;

/** True for the name of what a program keeps for itself, if it says that it is a secret. */
export const isSecretEntry = (name: string): boolean => [NAMED_SECRET, HISTORY, KEY].some((rule) => rule.test(name));

/** The same in the home itself, where other names are those of projects. */
export const isSecretInHome = (name: string): boolean => (name.startsWith('.') ? isSecretEntry(name) : KEY.test(name));
