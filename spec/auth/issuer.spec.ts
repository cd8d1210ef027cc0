import { AuthError, isIssuer } from '../../src/auth';
import { issuerOf } from '../../src/auth/issuer';

describe('isIssuer', () => {
  it.each([
    ['https://auth.example', true],
    ['http://localhost:8080', true],
    ['http://127.0.0.1:1', true],
    ['http://auth.example', false],
    ['http://localhost.example', false],
    ['file:///etc/passwd', false],
    ['auth.example', false],
  ])('takes %s: %j', (text, expected) => {
    expect(isIssuer(text)).toBe(expected);
  });
});

describe('issuerOf', () => {
  const usual = 'https://auth.openai.com';

  it.each<[string, { issuer?: string; claims: { issuer?: string } }, string]>([
    ['no server', { claims: {} }, usual],
    ['OpenAI', { claims: { issuer: usual } }, usual],
    ['an older host of OpenAI', { claims: { issuer: 'https://auth0.openai.com/' } }, usual],
    ['a host alone', { claims: { issuer: 'auth.openai.com' } }, usual],
    ['a server that the login kept', { issuer: 'https://own.example', claims: {} }, 'https://own.example'],
    ['two', { issuer: 'https://own.example', claims: { issuer: usual } }, 'https://own.example'],
  ])('refreshes tokens that name %s', (_, tokens, expected) => {
    expect(issuerOf(usual, tokens)).toBe(expected);
  });

  it.each<[string, { issuer?: string; claims: { issuer?: string } }, RegExp]>([
    [
      'another server',
      { claims: { issuer: 'https://own.example' } },
      /issued by https:\/\/own\.example, .* not sent to auth\.openai\.com/,
    ],
    ['a host that ends alike', { claims: { issuer: 'https://notopenai.com' } }, /not sent to auth\.openai\.com/],
    ['no address', { claims: { issuer: '::' } }, /not sent to/],
    ['a server that is not encrypted', { issuer: 'http://own.example', claims: {} }, /cannot be sent to/],
  ])('refuses tokens that name %s', (_, tokens, text) => {
    expect(() => issuerOf(usual, tokens)).toThrow(text);
    expect(() => issuerOf(usual, tokens)).toThrow(AuthError);
  });
});
