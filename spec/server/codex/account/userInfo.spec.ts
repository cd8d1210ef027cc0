import { firstValueFrom } from 'rxjs';
import { userInfo } from '../../../../src/server/codex/account/userInfo';
import { asked } from '../host';

describe('userInfo', () => {
  it.each([
    ['the address of the login', 'a@b.c', 'a@b.c'],
    ['null without a login', undefined, null],
  ])('answers with %s', async (_, email, allegedUserEmail) => {
    const result = await firstValueFrom(userInfo({ email: () => email })(asked('userInfo')));
    expect(result).toEqual({ kind: 'result', result: { allegedUserEmail } });
  });
});
