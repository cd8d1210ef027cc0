import { pickThread } from '../../../src/threads/listing/pickThread';
import { ThreadError, UnknownThreadError } from '../../../src/threads/threadError';
import { A, B, C } from '../support';

const all = [C, B, A].map((id) => ({ id }));

describe('pickThread', () => {
  it('picks by a whole id in any form, or by the beginning of one', () => {
    expect(pickThread(A.toUpperCase(), all)).toBe(all[2]);
    expect(pickThread(A.replaceAll('-', ''), all)).toBe(all[2]);
    expect(pickThread('02b3', all)).toBe(all[0]);
  });

  it('throws where several are meant, or none', () => {
    expect(() => pickThread('01a2', all)).toThrow(
      new ThreadError(`2 threads begin with 01a2: ${B}, ${A}. Give more of the id.`),
    );
    expect(() => pickThread('none', [])).toThrow(new UnknownThreadError('none', []));
    expect(() => pickThread(A.replace(/1$/, '9'), all)).toThrow(`The nearest is ${B}. The newest is ${C}.`);
  });
});
