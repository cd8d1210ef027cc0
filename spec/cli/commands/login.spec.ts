import { login } from '../../../src/cli/commands/login';
import { givenBy, problemBy } from '../reading';

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
