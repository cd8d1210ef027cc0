import { type LogRecord, observableLog, silentLog } from '../../src/protocol/log';

describe('silentLog', () => {
  it('drops every record', () => {
    const write = jest.spyOn(process.stderr, 'write');
    expect(silentLog('error', 'message', { a: 1 })).toBeUndefined();
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  });
});

describe('observableLog', () => {
  it('writes each record, then emits it as it came', () => {
    const seen: [string, unknown][] = [];
    const { log, record$ } = observableLog((level, message, fields) =>
      seen.push(['written', { level, message, fields }]),
    );
    const first: LogRecord = { level: 'debug', message: 'before anyone listens', fields: { a: 1 } };
    log(first.level, first.message, first.fields);
    record$.subscribe((record) => seen.push(['emitted', record]));
    log('error', 'later');
    const later = { level: 'error', message: 'later', fields: undefined };
    expect(seen).toEqual([
      ['written', first],
      ['written', later],
      ['emitted', later],
    ]);
  });
});
