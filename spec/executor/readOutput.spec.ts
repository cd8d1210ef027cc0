import { logLines, readMessages, toTooLong } from '../../src/executor/readOutput';
import { type LogRecord, silentLog } from '../../src/protocol/log';
import { marbles } from '../support/marbles';

const A = { kind: 'notification', method: 'a', params: {} };
const values = {
  a: '{"jsonrpc":"2.0","method":"a"}\n',
  b: `{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(200)}`,
  c: `${'x'.repeat(200)}"}\n`,
  d: 'no message\n',
  A,
  E: expect.objectContaining({ kind: 'response', id: 7, error: expect.anything() }),
};

describe('readMessages', () => {
  it.each([
    ['nothing                                      ', '-', '-'],
    ['an empty stream                              ', '|', '|'],
    ['messages, and no line that is none           ', '-a-d-a-|', '-A---A-|'],
    ['a response that is too long as an error      ', '-a-b-c-a|', '-A---E-A|'],
    ['the beginning of one that breaks off         ', '-b-b-|', '-----(E|)'],
    ['an error of the source                       ', '-a-#', '-A-#'],
  ])('reads %s', (_, text, messages) =>
    marbles(({ hot, expectObservable }) => {
      const text$ = hot(text, values);
      const read = readMessages({ log: silentLog, program: 'p', maxLineLength: 300 });
      expectObservable(text$.pipe(read)).toBe(messages, values);
    })(),
  );

  it.each([
    ['as long as a line may be', 300, '\n', '-A'],
    ['as long as a line may be, before CRLF', 300, '\r\n', '-A'],
    ['one longer', 301, '\n', '-E'],
    ['one longer, before CRLF', 301, '\r\n', '-E'],
    ['longer, before CRLF', 900, '\r\n', '-E'],
  ])('reads a response that is %s', (_, length, end, messages) =>
    marbles(({ hot, expectObservable }) => {
      const head = '{"jsonrpc":"2.0","id":7,"result":"';
      const result = 'x'.repeat(length - head.length - 2);
      const text$ = hot('-a', { a: `${head}${result}"}${end}` });
      const read = readMessages({ log: silentLog, program: 'p', maxLineLength: 300 });
      const A = { kind: 'response', id: 7, result };
      expectObservable(text$.pipe(read)).toBe(messages, { ...values, A: expect.objectContaining(A) });
    })(),
  );

  it(
    'leaves the source when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('-a-b-c-', values);
      const read = readMessages({ log: silentLog, program: 'p', maxLineLength: 300 });
      expectObservable(text$.pipe(read), '----!').toBe('-A---', values);
      expectSubscriptions(text$.subscriptions).toBe('^---!');
    }),
  );
});

const LONG = 'x'.repeat(2_000);
const error = (id: unknown) => [
  { kind: 'response', id, error: { code: -32603, message: expect.stringContaining('longer than 99 characters') } },
];

describe('toTooLong', () => {
  it.each<[string, string, unknown]>([
    ['a response whose id comes first', `{"jsonrpc":"2.0","id":7,"result":{"content":"${LONG}`, error(7)],
    ['one with blanks', `{ "jsonrpc": "2.0", "id": "a", "result": {"content":"${LONG}`, error('a')],
    ['one whose id comes last', `{"result":{"content":"${LONG}"}]},"jsonrpc":"2.0","id":8}`, error(8)],
    ['the id of the response, not that of its result', `{"id":7,"result":{"x":"${LONG}","id":8}`, error(7)],
    ['a notification', `{"jsonrpc":"2.0","method":"notifications/message","params":{"x":"${LONG}`, []],
    ['a request', `{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"x":"${LONG}`, []],
    ['what is no message', LONG, [{ kind: 'gap' }]],
    ['a response whose id is nowhere', `{"result":{"content":"${LONG}"},"id":7,"x":"${LONG}`, [{ kind: 'gap' }]],
  ])('knows %s', (_, line, expected) => {
    expect(toTooLong(line, 99)).toEqual(expected);
  });
});

const collecting = () => {
  const records: LogRecord[] = [];
  return {
    records,
    log: (level: LogRecord['level'], message: string, fields = {}) => records.push({ level, message, fields }),
  };
};
const logged = (line: string) => ({
  level: 'info',
  message: 'a process wrote to its error output',
  fields: { program: 'p', line },
});
const dropped = (droppedLines: number) => ({
  level: 'warning',
  message: 'error output of a process was too fast to log',
  fields: { program: 'p', droppedLines },
});

describe('logLines', () => {
  it(
    'makes one record of each line, and emits nothing',
    marbles(({ hot, flush, expectObservable }) => {
      const { records, log } = collecting();
      const line$ = hot('  -a-b-|');
      const expected = '   -----|';
      expectObservable(line$.pipe(logLines({ log, program: 'p' }))).toBe(expected);
      flush();
      expect(records).toEqual([logged('a'), logged('b')]);
    }),
  );

  it(
    'drops what is too much for a second, and reports how much with the next line or at the end',
    marbles(({ hot, flush, expectObservable }) => {
      const { records, log } = collecting();
      const line$ = hot('  (abcd) 995ms e(fgh) 1s |');
      expectObservable(line$.pipe(logLines({ log, program: 'p', perSecond: 2 }))).toBe('2007ms |');
      flush();
      expect(records).toEqual([logged('a'), logged('b'), dropped(2), logged('e'), logged('f'), dropped(2)]);
    }),
  );

  it(
    'is never, empty and failed as its source is',
    marbles(({ cold, expectObservable }) => {
      const operator = logLines({ log: () => {}, program: 'p' });
      expectObservable(cold<string>('---').pipe(operator)).toBe('---');
      expectObservable(cold<string>('--|').pipe(operator)).toBe('--|');
      expectObservable(cold<string>('-a#').pipe(operator)).toBe('--#');
    }),
  );
});
