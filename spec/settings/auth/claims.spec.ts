import fc from 'fast-check';
import { claimsOf } from '../../../src/settings/auth/claims';
import { jwt } from './support';

describe('claimsOf', () => {
  it('reads who a token is of, and until when', () => {
    const auth = { chatgpt_plan_type: 'pro', chatgpt_account_id: 'acc' };
    expect(claimsOf(jwt({ email: 'a@b.c', exp: 7, auth }))).toEqual({
      ...{ email: 'a@b.c', plan: 'pro', accountId: 'acc', expiresMs: 7_000 },
    });
    expect(claimsOf(jwt())).toEqual({});
  });

  it.each(['', 'AT', 'a.b', 'a..c', 'a.b.c.d', `e30.${Buffer.from('[]').toString('base64url')}.s`])(
    'refuses %j',
    (token) => {
      expect(claimsOf(token)).toBeUndefined();
    },
  );

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => void expect(claimsOf(`a.${text}.c`) ?? {}).toEqual(expect.any(Object))),
    );
  });
});
