import { withoutUndefined } from '../../../src/protocol/jsonrpc/withoutUndefined';

describe('withoutUndefined', () => {
  it('leaves out members that are undefined, and no others', () => {
    const found = withoutUndefined({ a: undefined, b: null, c: '', d: 0, e: false, f: { g: undefined } });
    expect(found).toStrictEqual({ b: null, c: '', d: 0, e: false, f: { g: undefined } });
  });
});
