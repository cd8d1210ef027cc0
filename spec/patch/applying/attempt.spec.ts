import { attempt } from '../../../src/patch/applying/attempt';
import { systemText } from '../../../src/patch/applying/systemText';

describe('attempt', () => {
  it('is undefined for what was done', async () => {
    expect(await attempt(async () => {})).toBeUndefined();
  });

  it('is the text of the error else', async () => {
    const error = Object.assign(new Error('x'), { code: 'ENOENT', errno: -2 });
    expect(await attempt(() => Promise.reject(error))).toBe(systemText(error));
  });
});
