import { reasonOf } from '../../../src/streams/text/reasonOf';

describe('reasonOf', () => {
  it.each([
    [new Error('no'), 'no'],
    [new TypeError(''), ''],
    ['text', 'text'],
    [7, '7'],
    [undefined, 'undefined'],
    [{ message: 'no' }, '[object Object]'],
  ])('of %p is %s', (error, reason) => expect(reasonOf(error)).toBe(reason));
});
