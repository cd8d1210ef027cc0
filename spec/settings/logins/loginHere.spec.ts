import { loginHere } from '../../../src/settings/logins/accountsHere';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

const FILE = '{"OPENAI_API_KEY":"sk-file"}';

describe('loginHere', () => {
  it.each([
    ['nothing', undefined, {}, { login: { kind: 'none' } }],
    ['the file', FILE, {}, { login: { kind: 'apikey', key: 'sk-file' }, source: 'auth.json' }],
    [
      'the variable',
      undefined,
      { OPENAI_API_KEY: 'sk-env' },
      { login: { kind: 'apikey', key: 'sk-env' }, source: 'OPENAI_API_KEY' },
    ],
    ['both', FILE, { OPENAI_API_KEY: 'sk-env' }, { login: { kind: 'apikey', key: 'sk-file' }, source: 'auth.json' }],
  ])('reads %s', (_, file, env, expected) => {
    const { path: codexHome, write } = openHome();
    if (file !== undefined) write('auth.json', file);
    expect(loginHere({ processInfo: { codexHome, env } })).toEqual(expected);
  });
});
