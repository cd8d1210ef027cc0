import { systemText } from '../../../src/executor/applying/systemText';
import { attempt } from '../../../src/executor/applying/transact';

describe('attempt', () => {
  it('is undefined for what was done', async () => {
    expect(await attempt(async () => {})).toBeUndefined();
  });

  it('is the text of the error else', async () => {
    const error = Object.assign(new Error('x'), { code: 'ENOENT', errno: -2 });
    expect(await attempt(() => Promise.reject(error))).toBe(systemText(error));
  });
});
