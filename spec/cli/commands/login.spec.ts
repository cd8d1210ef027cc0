import { Readable } from 'node:stream';
import { firstValueFrom } from 'rxjs';
import { login, logout, readKey } from '../../../src/cli/commands/login';
import { givenBy, problemBy } from '../reading';

const read = (...parts: string[]) => firstValueFrom(readKey(Readable.from(parts.map((part) => Buffer.from(part)))));

describe('login', () => {
  it.each([
    [['--device', '--issuer', 'https://auth.example']],
    [['--issuer', 'http://127.0.0.1:8']],
    [['--issuer', 'http://localhost:8/x']],
  ])('accepts %j', (argv) => expect(givenBy(login, ...argv).issuer).toBe(argv[argv.indexOf('--issuer') + 1]));

  it.each([
    [['--issuer', 'http://localhost:x@evil.example/'], /^--issuer must be an address/],
    [['--issuer', 'http://localhost.evil.example'], /^--issuer must be an address/],
    [['--issuer', 'https://'], /^--issuer must be an address/],
    [['--device', '--api-key'], /^Give --api-key or --device, not both$/],
    [['--json'], /^--json is for: login status$/],
    [['logout'], /^ACTION must be status; it is logout$/],
  ])('refuses %j', (argv, problem) => expect(problemBy(login, ...argv)).toMatch(problem));
});

describe('readKey', () => {
  it('reads a key in any number of parts', async () => {
    expect(await read(' sk-', 'test\n')).toBe('sk-test');
  });

  it.each([
    ['no key', []],
    ['white space', [' \n']],
  ])('names what is missing at %s', async (_, parts) => {
    await expect(read(...parts)).rejects.toThrow('there is no key on standard input');
  });

  it('refuses more than a key, and does not repeat it', async () => {
    await expect(read('sk-1\nsk-2\n')).rejects.toThrow(/^standard input holds more than a key; send the key alone$/);
  });
});

describe('logout', () => {
  it('takes nothing', () => {
    expect(givenBy(logout)).toEqual({ command: [] });
    expect(problemBy(logout, 'all')).toMatch(/all/);
    expect(problemBy(logout, '--all')).toMatch(/all/);
  });
});
