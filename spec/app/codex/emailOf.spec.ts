import { emailOf } from '../../../src/app/codex/emailOf';

const token = (claims: object | string) =>
  `e30.${Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('emailOf', () => {
  it.each<[string, unknown, string | undefined]>([
    ['the address in the id token', { tokens: { id_token: token({ email: 'a@b.c' }) } }, 'a@b.c'],
    ['nothing without a login', null, undefined],
    ['nothing for a key', { OPENAI_API_KEY: 'k' }, undefined],
    ['nothing for a token without an address', { tokens: { id_token: token({}) } }, undefined],
    ['nothing for a token that is none', { tokens: { id_token: token('no json') } }, undefined],
    ['nothing for a token of another kind', { tokens: { id_token: 5 } }, undefined],
  ])('is %s', (_, auth, email) => {
    expect(emailOf(auth)).toBe(email);
  });
});
