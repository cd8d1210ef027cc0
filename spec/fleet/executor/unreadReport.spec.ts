import { array, assert, integer, jsonValue, property, record, string } from 'fast-check';
import { decodeReport, encodeReport } from '../../../src/fleet/executor/member';

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const unread = array(record({ processId: string(), throughSeq: count }), { maxLength: 20 });

describe('decodeReport', () => {
  it('has what was encoded', () => {
    assert(
      property(record({ from: count, unread }), (report) => {
        expect(decodeReport(encodeReport(report))).toEqual(report);
      }),
    );
  });

  it('never throws, and has counts and names only', () => {
    assert(
      property(jsonValue(), (value) => {
        const report = decodeReport(Buffer.from(JSON.stringify(value)));
        expect(report === undefined || Number.isSafeInteger(report.from)).toBe(true);
      }),
    );
    expect(decodeReport(Buffer.from('{'))).toBeUndefined();
    expect(decodeReport(Buffer.from('{"executor":"e","running":1}'))).toBeUndefined();
    const some =
      '{"from":1,"unread":[1,{"processId":"p"},{"processId":"q","throughSeq":2},{"processId":"r","throughSeq":-1}]}';
    expect(decodeReport(Buffer.from(some))).toEqual({ from: 1, unread: [{ processId: 'q', throughSeq: 2 }] });
  });

  it('has some of very many processes', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ processId: `p${i}`, throughSeq: i }));
    expect(decodeReport(encodeReport({ from: 1, unread: many }))?.unread).toHaveLength(256);
  });
});
