import { Writable } from 'node:stream';
import { boundedWriter, type winstonLogger as WinstonLogger } from '../../../src/io/log/winstonLogger';

/** Whether winston can be loaded. */
const loading = { fails: true, times: 0 };

jest.mock('winston', () => {
  loading.times += 1;
  if (loading.fails) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  return jest.requireActual('winston');
});

const record = (message: string) => ({ time: 't', level: 'error' as const, message, fields: {} });

const open = () => {
  const lines: string[] = [];
  const waits: (() => void)[] = [];
  const { winstonLogger } = require('../../../src/io/log/winstonLogger') as { winstonLogger: typeof WinstonLogger };
  const log = winstonLogger({
    clean: (one) => ({ ...one, message: one.message.replace('secret', '-') }),
    toLine: ({ level, message, fields }) => `${level} ${message} ${JSON.stringify(fields)}`,
    write: (line) => void lines.push(line),
    later: (run) => void waits.push(run),
  });
  return { lines, log, load: () => waits.shift()?.() };
};

describe('winstonLogger', () => {
  beforeEach(() => jest.resetModules());

  it('writes the first records at once, without winston, which is loaded some time after them', async () => {
    loading.fails = false;
    loading.times = 0;
    const { lines, log, load } = open();
    log(record('one secret'));
    log(record('two'));
    expect({ lines, times: loading.times }).toEqual({ lines: ['error one - {}', 'error two {}'], times: 0 });
    load();
    log(record('three secret'));
    await new Promise(setImmediate);
    expect({ lines: lines.slice(2), times: loading.times }).toEqual({ lines: ['error three - {}'], times: 1 });
  });

  it('writes without winston while it cannot be loaded, and with it afterwards', async () => {
    loading.fails = true;
    const { lines, log, load } = open();
    for (const text of ['one secret', 'two', 'three']) {
      log(record(text));
      load();
    }
    const reason = '{"reason":"EMFILE: too many open files"}';
    expect(lines).toEqual([
      'error one - {}',
      `warning the formatter of the log cannot be loaded; records are written without it ${reason}`,
      'error two {}',
      'error three {}',
    ]);
    loading.fails = false;
    log(record('four'));
    load();
    log(record('five secret'));
    await new Promise(setImmediate);
    expect(lines.slice(4)).toEqual(['error four {}', 'error five - {}']);
  });
});

/** A reader who takes a line only on demand, or refuses it. */
const reader = () => {
  const taken: string[] = [];
  const asked: ((error?: Error) => void)[] = [];
  const stream = new Writable({
    autoDestroy: false,
    write: (line: Buffer, _encoding, done) => {
      taken.push(line.toString().trimEnd());
      asked.push(done);
    },
  });
  const take = async (error?: Error) => {
    asked.shift()?.(error);
    await new Promise(setImmediate);
  };
  return { stream, taken, take };
};

const toLossLine = (count: number) => `lost ${count}`;

describe('boundedWriter', () => {
  it('drops what a slow reader does not take, and reports it once it drains', async () => {
    const { stream, taken, take } = reader();
    const { write } = boundedWriter({ stream, maxWaitingBytes: 12, toLossLine });
    for (const line of ['aaaa', 'bbbb', 'cccc', 'dddd']) write(line);
    await take();
    await take();
    await take();
    write('eeee');
    await take();
    expect(taken).toEqual(['aaaa', 'bbbb', 'lost 2', 'eeee']);
  });

  it('is idle when nothing waits, however it went', async () => {
    const { stream, take } = reader();
    const failures: string[] = [];
    const { write, idle } = boundedWriter({
      stream,
      maxWaitingBytes: 100,
      toLossLine,
      onFailure: ({ message }) => failures.push(message),
    });
    await idle();
    write('a');
    const soon = idle();
    await take(new Error('EPIPE'));
    await soon;
    expect(failures).toEqual(['EPIPE']);
  });

  it('counts the lines of a reader who is gone, and does not throw', async () => {
    const stream = new Writable({ write: (_line, _encoding, done) => done(new Error('EPIPE')) });
    const failures: string[] = [];
    const { write, idle } = boundedWriter({
      stream,
      maxWaitingBytes: 100,
      toLossLine,
      onFailure: ({ message }) => failures.push(message),
    });
    for (const line of ['a', 'b', 'c']) write(line);
    await idle();
    write('d');
    await idle();
    expect(failures).toHaveLength(4);
  });

  it('survives a stream that throws', async () => {
    const stream = Object.assign(new Writable(), {
      write: () => {
        throw new Error('broken');
      },
    });
    const { write, idle } = boundedWriter({ stream, maxWaitingBytes: 100, toLossLine });
    expect(() => write('a')).not.toThrow();
    await idle();
  });
});
