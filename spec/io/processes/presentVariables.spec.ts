import { presentVariables } from '../../../src/io/processes/presentVariables';

describe('presentVariables', () => {
  it('leaves out what is not set, and keeps what is empty', () => {
    const present = presentVariables({ PATH: '/bin', UNSET: undefined, EMPTY: '' });
    expect(Object.entries(present)).toEqual([
      ['PATH', '/bin'],
      ['EMPTY', ''],
    ]);
  });
});
