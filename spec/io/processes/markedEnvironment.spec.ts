import { markedEnvironment, presentVariables } from '../../../src/io/processes/markedEnvironment';

const marks = { next: () => ({ name: 'MARK', value: 'm1' }), kill: () => {} };

const spec = { argv: ['a'], cwd: '/', env: { A: '1' } };

describe('markedEnvironment', () => {
  it.each([
    ['adds the next mark', { marks }, spec, { env: { A: '1', MARK: 'm1' }, mark: 'm1' }],
    ['adds none where the system cannot find it', {}, spec, { env: { A: '1' } }],
  ])('%s', (_, watch, given, expected) => {
    expect(markedEnvironment(watch, given)).toEqual(expected);
  });
});

describe('presentVariables', () => {
  it('leaves out what is not set, and keeps what is empty', () => {
    const present = presentVariables({ PATH: '/bin', UNSET: undefined, EMPTY: '' });
    expect(Object.entries(present)).toEqual([
      ['PATH', '/bin'],
      ['EMPTY', ''],
    ]);
  });
});
