import fc from 'fast-check';
import { of } from 'rxjs';
import * as z from 'zod/mini';
import {
  fromBase64,
  method,
  notification,
  results,
  toBase64,
  toBytes,
  toWaitMs,
} from '../../../src/executor/server/method';
import { marbles } from '../../support/marbles';

describe('method', () => {
  const sized = method(
    () => z.object({ size: z.number() }),
    ({ size }) => results(of(size)),
  );

  it(
    'runs with params that fit the schema',
    marbles(({ expectObservable }) => {
      expectObservable(sized({ size: 3, more: 1 })).toBe('(r|)', { r: { kind: 'result', result: 3 } });
    }),
  );

  it('throws for others before it runs', () => {
    expect(() => sized({})).toThrow('missing field `size`');
  });
});

describe('results', () => {
  it(
    'makes a result of each value',
    marbles(({ cold, expectObservable }) => {
      const value$ = cold('-a-b-#');
      const toValue = (value: string) => ({ value });
      expectObservable(results(value$, toValue)).toBe('-a-b-#', {
        a: { kind: 'result', result: { value: 'a' } },
        b: { kind: 'result', result: { value: 'b' } },
      });
    }),
  );
});

describe('notification', () => {
  it('has a name and params', () => {
    expect(notification('a/b', { c: 1 })).toEqual({ kind: 'notification', method: 'a/b', params: { c: 1 } });
  });
});

describe('toBytes', () => {
  it('reads all bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { buffer, byteOffset, length } = toBytes(Buffer.from(bytes).toString('base64'));
        expect(new Uint8Array(buffer, byteOffset, length)).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['a', 'Invalid padding'],
    ['a*==', 'Invalid symbol 42, offset 1.'],
  ])('refuses %s', (text, message) => {
    expect(() => toBytes(text)).toThrow(message);
  });
});

describe('toWaitMs', () => {
  it('is no longer than a timer can wait for', () => {
    expect([5, 2 ** 40].map(toWaitMs)).toEqual([5, 1_073_741_823]);
  });
});

describe('base64', () => {
  it('is read as it was written, also from a view into more bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (bytes, before) => {
        const view = Buffer.concat([before, bytes]).subarray(before.length);
        expect(fromBase64(toBase64(view))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    ['', Buffer.from('')],
    ['YQ==', Buffer.from('a')],
    ['YQ', 'Invalid padding'],
    ['YQ=', 'Invalid padding'],
    ['Y===', 'Invalid padding'],
    ['====', 'Invalid padding'],
    ['YQ-=', 'Invalid symbol 45, offset 2.'],
    ['YQ==\n', 'Invalid symbol 10, offset 4.'],
  ])('reads %j strictly', (text, expected) => {
    expect(fromBase64(text)).toEqual(expected);
  });
});
