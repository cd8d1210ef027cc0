import { environmentToken } from '../../../src/settings/places/readEnvironment';

const env = { CODEX_RX_EXEC_TOKEN: 'general', BOX: 'of box', EMPTY: '' };
const tokenOf = (table: object, isOnly = false) =>
  environmentToken({ env }, { table: { ...table }, where: 'f: environment `a`', isOnly });

describe('environmentToken', () => {
  it('is that of the variable which is named, else the one in the table, else the general one', () => {
    expect(tokenOf({ bearer_token_env_var: 'BOX', auth_bearer_token: 'x' }, true)).toBe('of box');
    expect(tokenOf({ auth_bearer_token: 'x' }, true)).toBe('x');
    expect(tokenOf({}, true)).toBe('general');
  });

  it('is not the general one where there are several addresses', () => {
    expect(tokenOf({})).toBeUndefined();
  });

  it.each(['NONE', 'EMPTY'])('refuses the variable %s, which is not set', (name) => {
    expect(() => tokenOf({ bearer_token_env_var: name }, true)).toThrow(
      `f: environment \`a\`: bearer_token_env_var names ${name}, which is not set; set it for codex-rx`,
    );
  });
});
