import { reportFault } from '../../../src/agent/turns/rejection';

const reported = (error: NodeJS.ErrnoException) => {
  const records: unknown[] = [];
  const text = reportFault((...record) => records.push(record), { what: 'a turn failed', callId: 'c' }, error);
  return { text, records };
};

describe('reportFault', () => {
  it('takes an error for a bug, and logs its stack', () => {
    const error = new TypeError('x is not a function');
    expect(reported(error)).toEqual({
      text: 'internal error: x is not a function',
      records: [['error', 'a turn failed because of a bug', { callId: 'c', stack: error.stack }]],
    });
  });

  it('adds the remedy to what this machine refuses', () => {
    const error = Object.assign(new Error("EMFILE: too many open files, open '/a'"), { code: 'EMFILE' });
    const text =
      "EMFILE: too many open files, open '/a'; this process has too many open files: raise the limit (ulimit -n)";
    expect(reported(error)).toEqual({ text, records: [['error', 'a turn failed', { callId: 'c', reason: text }]] });
  });

  it('leaves a text that has the remedy as it is', () => {
    const message = '/a cannot be written: the disk is full: free some space';
    expect(reported(Object.assign(new Error(message), { code: 'ENOSPC' })).text).toBe(message);
  });
});
