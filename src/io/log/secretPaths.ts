/** Where programs keep keys, tokens and passwords. A command that runs without asking must not read these. */

/**
 * In the user's home folder: keys of SSH and GPG, clouds, package registries, version control, databases, key rings, browsers.
 * Not files that are mostly settings, because programs do not start without them.
 */
const IN_HOME = [
  ...['.ssh', '.gnupg', '.password-store', '.netrc', '_netrc', '.vault-token', '.age', '.config/age', '.config/sops'],
  ...['.aws', '.azure', '.config/gcloud', '.boto', '.s3cfg', '.oci', '.aliyun', '.config/doctl', '.config/hcloud'],
  ...['.kube', '.docker/config.json', '.config/containers/auth.json', '.config/helm/registry'],
  ...['.terraform.d/credentials.tfrc.json', '.pulumi/credentials.json', '.config/op', '.config/rclone'],
  ...['.config/nats', '.nkeys', '.local/share/nats'],
  ...[
    '.git-credentials',
    '.config/git/credentials',
    '.config/gh/hosts.yml',
    '.config/glab-cli/config.yml',
    '.config/hub',
  ],
  ...['.npmrc', '.pypirc', '.gem/credentials'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.m2/settings-security.xml'],
  ...[
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
    '.databrickscfg',
    '.snowflake',
    '.snowsql',
    '.kaggle',
    '.huggingface/token',
  ],
  ...[
    '.cache/huggingface/token',
    '.wrangler',
    '.vercel',
    '.netlify',
    '.config/netlify',
    '.heroku',
    '.fly',
    '.config/stripe',
  ],
  ...['.local/share/keyrings', '.local/share/kwalletd', '.config/keybase', '.claude/.credentials.json', '.claude.json'],
  ...['.gemini/oauth_creds.json', '.config/github-copilot', '.mozilla', '.thunderbird', '.config/google-chrome'],
  ...['.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.config/Signal', 'Library/Keychains'],
  ...['Library/Cookies', 'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox'],
];

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
const OF_MACHINE = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/ssl/private', '/etc/krb5.keytab'],
  ...['/etc/ssh/ssh_host_rsa_key', '/etc/ssh/ssh_host_ecdsa_key', '/etc/ssh/ssh_host_ed25519_key'],
  ...['/run/secrets', '/var/run/secrets', '/etc/wireguard', '/etc/NetworkManager/system-connections'],
];

/** Absolute folders; `home` is undefined where the user has none. */
export type SecretPlaces = { home: string | undefined; codexHome: string };

/** Absolute paths of files and folders that hold secrets; most do not exist. */
export const secretPaths = ({ home, codexHome }: SecretPlaces): string[] => [
  ...(home === undefined ? [] : IN_HOME.map((path) => `${home}/${path}`)),
  ...IN_CODEX_HOME.map((name) => `${codexHome}/${name}`),
  ...OF_MACHINE,
];
