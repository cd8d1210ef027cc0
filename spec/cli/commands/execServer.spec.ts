import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execServer, failureFields } from '../../../src/cli/commands/execServer';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { SetupError } from '../../../src/io/stdio/setupError';
import { givenBy, problemBy } from '../reading';

const folder = mkdtempSync(join(tmpdir(), 'codex-rx-spec-'));

const file = join(folder, 'token');

writeFileSync(file, 'word\n', { mode: 0o600 });

const open = join(folder, 'open');

writeFileSync(open, 'word\n');

chmodSync(open, 0o644);

afterAll(() => rmSync(folder, { recursive: true }));

describe('exec-server', () => {
  it('listens on the standard streams by default', () => {
    expect(givenBy(execServer)).toEqual({
      command: [],
      listen: 'stdio',
      root: [],
      sandbox: undefined,
      'allow-network': false,
      'allow-method': [],
      'deny-method': [],
      'allow-other-users': false,
      'token-file': undefined,
      'session-grace-s': 30,
      name: undefined,
      pool: undefined,
      'stream-mb': 1024,
      'stream-age-s': 3600,
      'stream-replicas': 1,
      'make-stream': false,
      'max-connections': 128,
      'max-sessions': 256,
      'max-processes': 512,
      'retain-mb': 64,
      'log-level': 'warning',
      'log-file': undefined,
    });
  });

  it.each([[['--listen', 'ws://127.0.0.1:0']], [['--listen', 'ws://10.0.0.5:1', '--token-file', file]]])(
    'accepts %j',
    (argv) => {
      expect(givenBy(execServer, ...argv).listen).toBe(argv[1]);
    },
  );

  it.each<[string[], RegExp]>([
    [['--listen', 'ws://10.0.0.5:1'], /^Other machines can reach 10\.0\.0\.5, .* protect it by --token-file FILE$/],
    [
      ['--listen', 'tcp://x'],
      /^--listen must be stdio, ws:\/\/IP:PORT, .*, unix:\/\/\/PATH, or nats:\/\/HOST; it is tcp:\/\/x$/,
    ],
    [['--listen', 'nats://h'], /^--listen nats:\/\/HOST needs --name NAME/],
    [
      ['--listen', 'nats://h', '--name', 'a.b'],
      /^--name has letters, digits, - and _, up to 64 of them; it is "a\.b"$/,
    ],
    [['--listen', 'nats://h', '--name', 'a', '--pool', 'b c'], /^--pool has letters/],
    [['--listen', 'nats://h', '--name', 'a', '--stream-replicas', '2'], /^--stream-replicas is 1, 3 or 5$/],
    [['--listen', 'nats://h', '--name', 'a', '--token-file', file], /^--token-file goes with/],
    [['--make-stream', '--name', 'a'], /^--make-stream goes with --listen nats:\/\/HOST and --name NAME$/],
    [['--name', 'a'], /^--name goes with --listen nats:\/\/HOST$/],
    [['--listen', 'ws://127.0.0.1:0', '--pool', 'a'], /^--pool goes with --listen nats/],
    [['--token-file', file], /^--token-file goes with --listen ws:\/\/IP:PORT$/],
    [['--listen', 'ws://127.0.0.1:0', '--token-file', open], /is open to others \(mode 644\); close it: chmod 600/],
    [['--listen', 'ws://127.0.0.1:0', '--token-file', '/no/such/file'], /ENOENT/],
    [['--max-processes', '0'], /^--max-processes must be a number above 0$/],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(execServer, ...argv)).toMatch(problem);
  });
});

describe('failureFields', () => {
  it.each([
    [new NatsError('refused', 'the server denies this login')],
    [new SetupError('an executor build-1 is there already')],
    [Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' })],
  ])('is the reason alone of %s', (error) => {
    expect(failureFields(error)).toEqual({ reason: error.message });
  });

  it('is the stack of a bug', () => {
    const bug = new TypeError('x is undefined');
    expect(failureFields(bug)).toEqual({ stack: bug.stack });
  });
});
