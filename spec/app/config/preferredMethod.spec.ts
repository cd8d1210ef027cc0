import { preferredMethod } from '../../../src/app/config';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('preferredMethod', () => {
  it.each([
    ['nothing', '', 'chatgpt'],
    ['a key', 'preferred_auth_method = "apikey"', 'apikey'],
    ['an account', 'preferred_auth_method = "chatgpt"', 'chatgpt'],
    ['what cannot be read', 'preferred_auth_method = ', 'chatgpt'],
  ])('reads a configuration that prefers %s', (_, text, expected) => {
    const { path, work, write } = openHome();
    write('config.toml', text);
    const machine = { dist: '', version: '0', node: '', platform: '', arch: '' };
    expect(preferredMethod({ ...machine, codexHome: path, cwd: work, env: {} })).toBe(expected);
  });
});
