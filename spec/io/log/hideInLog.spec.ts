import { hideInLog } from '../../../src/io/log/hideInLog';
import type { Log } from '../../../src/protocol/log';

describe('hideInLog', () => {
  it('hides the given values in texts, and passes the rest', () => {
    const records: Parameters<Log>[] = [];
    const log = hideInLog((...record) => records.push(record), ['open sesame']);
    log('info', 'a process wrote', { program: 'a', line: 'it is open sesame, Bearer abcdefghij', count: 2 });
    log('error', 'a message');
    expect(records).toEqual([
      ['info', 'a process wrote', { program: 'a', line: 'it is [redacted], Bearer [redacted]', count: 2 }],
      ['error', 'a message', {}],
    ]);
  });
});
