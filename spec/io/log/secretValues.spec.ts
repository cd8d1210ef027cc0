import {
  hideInLog,
  homeWithBlankOf,
  redactInSteps,
  secretsGiven,
  secretValuesOf,
} from '../../../src/io/log/secretValues';
import type { Log } from '../../../src/protocol/log';

describe('secretValuesOf', () => {
  it('takes the values of variables with secret names', () => {
    const env = {
      OPENAI_API_KEY: 'sk-12345',
      my_secret: 'correct horse',
      DB_PASSWORD: 'hunter2hunter2',
      PATH: '/usr/bin',
    };
    expect(secretValuesOf(env)).toEqual(['sk-12345', 'correct horse', 'hunter2hunter2']);
  });

  it('leaves out values that are short or not set', () => {
    expect(secretValuesOf({ A_TOKEN: '1234567', B_TOKEN: undefined, C_TOKEN: '' })).toEqual([]);
  });
});

describe('homeWithBlankOf', () => {
  it.each([
    ['/data/ann', []],
    ['/home/ann lee/', ['home/ann lee']],
    ['C:\\Users\\Ann Lee', ['Users\\Ann Lee']],
    ['/home/ann', []],
    ['C:\\Users\\Ann', []],
    ['/workspace', []],
    ['/', []],
    [undefined, []],
  ])('takes %s only if its name is cut', (home, expected) => expect(homeWithBlankOf(home)).toEqual(expected));
});

describe('secretsGiven', () => {
  it.each([
    ['MY_KEY', 'abc'],
    ['DB_PASS', 'hunter2'],
    ['COOKIE', 'a=b'],
    ['DATABASE_URL', 'postgres://me:word@host/db'],
    ['MCPTOK', 'k3J9x0QpL2mZ7vTs'],
    ['LINE', 'user=k3J9x0QpL2mZ7vTs'],
    ['ID', '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
  ])('takes %s=%s', (name, value) => {
    expect(secretsGiven({ [name]: value })).toEqual([value]);
  });

  it.each([
    ['HOME', '/home/me'],
    ['PATH', '/nix/store/k3j9x0qpl2mz7vts/bin:/usr/bin'],
    ['TMPDIR', '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/'],
    ['NODE_ENV', 'development'],
    ['LANG', 'en_US.UTF-8'],
    ['URL', 'http://localhost:8080/mcp'],
    ['API_KEY', ''],
    ['TERM', 'xterm-256color'],
    ['MODEL', 'claude-3-5-sonnet-20241022'],
    ['USER_EMAIL', 'user@example.com'],
  ])('leaves %s=%s', (name, value) => {
    expect(secretsGiven({ [name]: value })).toEqual([]);
  });
});

describe('redactInSteps', () => {
  it('hides the given values, and what looks like a secret, with pauses in a long text', () => {
    const text = `${'some words '.repeat(100_000)}password-of-mine Bearer abcdefghijklmnopqrstuvwxyz012345`;
    const steps = redactInSteps(['password-of-mine'])(text);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(step.value.slice(-40)).toBe(`${'some words '.repeat(9)}[redacted] Bearer [redacted]`.slice(-40));
    expect(pauses).toBeGreaterThan(10);
  });
});

describe('hideInLog', () => {
  it('hides the given values in texts, and passes the rest', () => {
    const records: Parameters<Log>[] = [];
    const log = hideInLog((...record) => records.push(record), ['open sesame']);
    log('info', 'a process wrote', { program: 'a', line: 'it is open sesame, Bearer abcdefghij', count: 2 });
    log('error', 'a message');
    expect(records).toEqual([
      ['info', 'a process wrote', { program: 'a', line: 'it is [redacted], Bearer [redacted]', count: 2 }],
      ['error', 'a message', {}],
    ]);
  });
});
