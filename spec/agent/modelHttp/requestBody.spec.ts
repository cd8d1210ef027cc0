import fc from 'fast-check';
import { map } from 'rxjs';
import { requestBody } from '../../../src/agent/modelHttp/requestBody';
import { marbles } from '../../support/marbles';

const read = (members: object): string => {
  let text = '';
  requestBody(members).subscribe((pieces) => {
    text = Buffer.concat(pieces).toString();
  });
  return text;
};

/** 2.5 million bytes of JSON and an item more make a piece each. */
const listOf = (count: number) => ({ input: Array<string>(count).fill('ü'.repeat(1_048_576)) });

describe('requestBody', () => {
  it('emits a short body at once, as JSON.stringify makes it', () => {
    const value = fc.jsonValue().map((json) => json as never);
    const members = fc.dictionary(fc.string(), fc.oneof(value, fc.array(value), fc.constant(undefined)));
    fc.assert(fc.property(members, (made) => expect(read(made)).toBe(JSON.stringify(made))));
  });

  it(
    'makes three pieces of a long body in each turn of the event loop',
    marbles(({ flush, expectObservable }) => {
      const items = jest.fn(JSON.stringify);
      const counted = { toJSON: () => items('ü'.repeat(1_048_576)) };
      requestBody({ input: Array(7).fill(counted) }).subscribe();
      expect(items).toHaveBeenCalledTimes(3);
      flush();
      expect(items).toHaveBeenCalledTimes(7);
      const sizes$ = requestBody(listOf(7)).pipe(map((pieces) => pieces.length));
      expectObservable(sizes$).toBe('(A|)', { A: 8 });
      const text = JSON.stringify(listOf(4));
      const text$ = requestBody(listOf(4)).pipe(map((pieces) => Buffer.concat(pieces).toString() === text));
      expectObservable(text$).toBe('(A|)', { A: true });
    }),
  );

  it('makes no further piece after unsubscription', () => {
    const items = jest.fn(JSON.stringify);
    const counted = { toJSON: () => items('x'.repeat(1_048_576)) };
    marbles(({ flush }) => {
      requestBody({ input: Array(7).fill(counted) })
        .subscribe()
        .unsubscribe();
      flush();
    })();
    expect(items).toHaveBeenCalledTimes(3);
  });
});
