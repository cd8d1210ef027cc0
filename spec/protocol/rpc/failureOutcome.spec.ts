import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../../../src/protocol/jsonrpc/messages';
import type { LogFields } from '../../../src/protocol/log';
import { failureOutcome, reportBug, unknownMethod } from '../../../src/protocol/rpc/failureOutcome';

const logOf = () => {
  const records: unknown[] = [];
  return {
    records,
    log: (level: string, message: string, fields?: LogFields) => void records.push({ level, message, fields }),
  };
};
const bug = (stack: unknown) => ({ level: 'error', message: 'a request failed because of a bug', fields: { stack } });

describe('failureOutcome', () => {
  it('makes the error of the response of an RpcError, and logs nothing', () => {
    const { log, records } = logOf();
    expect(failureOutcome({ log })(new RpcError(7, 'no', { a: 1 }))).toEqual({
      error: { code: 7, message: 'no', data: { a: 1 } },
    });
    expect(records).toEqual([]);
  });

  it('sends no more than 1,000 characters of a message', () => {
    const outcome = failureOutcome({ log: logOf().log })(new RpcError(7, 'n'.repeat(5_000)));
    expect(outcome).toEqual({ error: { code: 7, message: `${'n'.repeat(1_000)}…` } });
  });

  it('logs a bug with its stack, of which the client reads nothing', () => {
    const { log, records } = logOf();
    const error = new Error('secret');
    expect(failureOutcome({ log })(error)).toEqual({ error: { code: INTERNAL_ERROR, message: 'Internal error' } });
    expect(records).toEqual([bug(error.stack)]);
  });

  it('passes on what to do if a part of the program is gone', () => {
    const error = Object.assign(new Error('codex-rx was updated; start it again'), { code: 'ERR_PROGRAM_REPLACED' });
    expect(failureOutcome({ log: () => {} })(error)).toEqual({
      error: { code: -32603, message: 'codex-rx was updated; start it again' },
    });
  });

  it('has the text that its server gives a bug', () => {
    const outcome = failureOutcome({ log: logOf().log, textOf: (error) => `bug: ${error}` });
    expect(outcome('x')).toEqual({ error: { code: INTERNAL_ERROR, message: 'bug: x' } });
  });
});

describe('reportBug', () => {
  it('logs what is no error as text', () => {
    const { log, records } = logOf();
    reportBug(log)(7);
    expect(records).toEqual([bug('7')]);
  });
});

describe('unknownMethod', () => {
  it.each([
    ['a/b', 'a/b'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ])('names the method %s', (name, method) => {
    const error = unknownMethod(name);
    expect([error.code, error.message, error.data]).toEqual([
      METHOD_NOT_FOUND,
      `Method not found: ${method}`,
      { method },
    ]);
  });

  it('names no more than the beginning of a long one', () => {
    expect(unknownMethod('x'.repeat(10_000)).message.length).toBeLessThan(250);
  });
});
