import { preferredLogin } from '../../../src/agent/wiring/wiring';
import { plainOptions } from '../../../src/cli/commonOptions';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('preferredLogin', () => {
  it.each([
    ['no file', undefined, 'chatgpt'],
    ['a key', 'preferred_auth_method = "apikey"', 'apikey'],
    ['a file that cannot be read', 'preferred_auth_method = [', 'chatgpt'],
  ])('reads %s', (_, toml, expected) => {
    const { path: codexHome, write } = openHome();
    if (toml !== undefined) write('config.toml', toml);
    const processInfo = { codexHome, cwd: codexHome, env: {}, platform: 'linux', version: '0' } as never;
    expect(preferredLogin({ processInfo, options: plainOptions })).toBe(expected);
  });
});
