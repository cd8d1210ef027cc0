import { secretValuesOf } from '../../src/log';

describe('secretValuesOf', () => {
  it('takes the values of variables with secret names', () => {
    const env = {
      OPENAI_API_KEY: 'sk-12345',
      my_secret: 'correct horse',
      DB_PASSWORD: 'hunter2hunter2',
      PATH: '/usr/bin',
    };
    expect(secretValuesOf(env)).toEqual(['sk-12345', 'correct horse', 'hunter2hunter2']);
  });

  it('leaves out values that are short or not set', () => {
    expect(secretValuesOf({ A_TOKEN: '1234567', B_TOKEN: undefined, C_TOKEN: '' })).toEqual([]);
  });
});
