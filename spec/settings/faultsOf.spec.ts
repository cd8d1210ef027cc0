import { ConfigError } from '../../src/settings/faults/configError';
import { tried } from '../../src/settings/faults/tried';
import { faultsOf } from '../../src/settings/faultsOf';
import { depsOf, loaded, refusal, type World } from './deps';

const FILE = `model = 5
profile = "fast"
model_provider = "mine"
environment_id = "far"
model_instructions_file = "none.md"
[model_providers.mine]
name = "mine"
base_url = "mine.example"
[model_providers.yours]
name = "yours"
wire_api = "chat"
[mcp_servers.a]
command = ["sh"]
[mcp_servers.b]
command = "sh"
environment_id = "nowhere"
[nats]
prefix = "a b"
`;
const PROFILE = 'approval_policy = 7\n';
const ENVIRONMENTS = `[[environments]]
id = "far"

[[environments]]
id = "near"
url = "ws://near"
bearer_token_env_var = "NO_SUCH"
default_cwd = "here"
`;
const files = { '/home/fast.config.toml': PROFILE, '/home/environments.toml': ENVIRONMENTS };
const world: World = { toml: FILE, files, overrides: ['novalue', 'notify=3', '=x'] };

const URL = 'expected a URL such as "http://localhost:8080/v1"';
const OF_THREAD = [
  "-c novalue: Invalid override (missing '='), expected key=value",
  '-c =x: Empty key in override, expected key=value',
  '/home/config.toml:1: model is 5, expected a string',
  '-c notify=3: notify is 3, expected a list of strings',
  '/home/config.toml:13: mcp_servers.a.command is a list, expected a string',
  '/home/fast.config.toml:1: approval_policy is 7, expected one of "untrusted", "on-failure", "on-request", "never"',
  '/home/environments.toml:1: environment `far` must have a url, or a program with args, env and cwd',
  `/home/config.toml:8: model_providers.mine.base_url is "mine.example", ${URL}`,
  '/home/config.toml:5: failed to read experimental instructions file /home/none.md: no such file, expected a text file with instructions',
];
const OF_OTHERS = [
  `/home/config.toml:9: model_providers.yours.base_url is missing, ${URL}`,
  '/home/environments.toml:4: environment `near`: bearer_token_env_var names NO_SUCH, which is not set; set it for codex-rx',
  '/home/environments.toml:4: default_cwd of `near` must be an absolute path of that machine',
  '/home/config.toml:16: environment `nowhere` not found in /home/environments.toml; known are `local`, `far`, `near`',
];

describe('faultsOf', () => {
  it('finds nothing if nothing is wrong', () => {
    expect(faultsOf(depsOf(), {})).toEqual({ ofThread: [], ofOthers: [] });
  });

  it('finds the faults of all layers, each once and with its place', () => {
    expect(faultsOf(depsOf(world), {})).toEqual({ ofThread: OF_THREAD, ofOthers: OF_OTHERS });
  });

  it.each<[string, World, object, string[]]>([
    [
      'a profile and a provider that are not there',
      { toml: 'profile = "p"\nmodel_provider = "q"\n' },
      {},
      [
        '/home/config.toml:1: config profile `p` not found in /home/config.toml; there is none',
        '/home/config.toml:2: Model provider `q` not found in /home/config.toml; known are `openai`, `oss`, `scripted`, `client`',
      ],
    ],
    [
      'a file that is not TOML, beside flags and the call',
      { toml: 'model = \n', overrides: ['model=1'] },
      { config: { notify: 2 } },
      [
        expect.stringMatching(/^\/home\/config.toml:1:\d+: not TOML: /) as unknown as string,
        '-c model=1: model is 1, expected a string',
        'argument config, key notify: notify is 2, expected a list of strings',
      ],
    ],
    [
      'every fault of two files that are not TOML, and nothing missing that may stand in one of them',
      {
        toml: 'model = x\nmodel_provider = "p"\n[model_providers.p\nname = "p"\n',
        files: { '/home/fast.config.toml': 'a = \nb = y\n' },
        profile: 'fast',
        overrides: ['model=1'],
      },
      {},
      [
        '/home/config.toml:1:9: not TOML: the value cannot be read; put a text in quotes',
        expect.stringMatching(/^\/home\/config.toml:3:\d+: not TOML: the key cannot be read/) as unknown as string,
        '-c model=1: model is 1, expected a string',
        '/home/fast.config.toml:1:5: not TOML: the value cannot be read; put a text in quotes',
        '/home/fast.config.toml:2:5: not TOML: the value cannot be read; put a text in quotes',
      ],
    ],
    [
      'no missing profile, provider or environment where the file cannot be read',
      { toml: 'x = \n', overrides: ['model_provider=p', 'environment_id=e'], profile: 'fast' },
      {},
      ['/home/config.toml:1:5: not TOML: the value cannot be read; put a text in quotes'],
    ],
    [
      'an environment of environments.toml that is not there',
      { files: { '/home/environments.toml': 'include_local = true\ndefault = "x"\n' }, overrides: ['model=1'] },
      {},
      [
        '-c model=1: model is 1, expected a string',
        '/home/environments.toml:2: environment `x` not found in /home/environments.toml; known are `local`',
      ],
    ],
    [
      'an environment that the call names',
      {},
      { config: { environment_id: 'x' } },
      ['argument config, key environment_id: environment `x` not found in /home/environments.toml; known are `local`'],
    ],
  ])('finds %s', (_, own, settings, faults) => {
    expect(faultsOf(depsOf(own), settings).ofThread).toEqual(faults);
  });
});

describe('loadConfig', () => {
  it('names all of them in one error', () => {
    expect(refusal(world).split('\n')).toEqual([...OF_THREAD, ...OF_OTHERS]);
  });

  it('starts a thread that uses nothing of what is wrong', () => {
    const toml = '[model_providers.yours]\nname = "yours"\n[nats]\nprefix = "a b"\n';
    expect(loaded({ toml }).model).toBe('gpt-5');
  });

  it('refuses a call that asks for too much for that alone', () => {
    const toml = '[model_providers.yours]\nname = "yours"\n';
    expect(refusal({ toml, overrides: ['sandbox_mode="read-only"'] }, { sandbox: 'danger-full-access' })).not.toContain(
      'yours',
    );
  });
});

describe('tried', () => {
  it('gives the value, or the faults in its place', () => {
    expect(tried(() => 7)).toEqual({ value: 7, faults: [] });
    const fail = () => {
      throw new ConfigError(['a', 'b']);
    };
    expect(tried(fail)).toEqual({ faults: ['a', 'b'] });
  });

  it('lets other errors pass', () => {
    const fail = () => {
      throw new TypeError('a bug');
    };
    expect(() => tried(fail)).toThrow(TypeError);
  });
});
