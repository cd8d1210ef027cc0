import type { winstonLogger as WinstonLogger } from '../../../src/io/log/winstonLogger';

/** Whether winston can be loaded. */
const loading = { fails: true };

jest.mock('winston', () => {
  if (loading.fails) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  return jest.requireActual('winston');
});

const record = (message: string) => ({ time: 't', level: 'error' as const, message, fields: {} });

const open = () => {
  const lines: string[] = [];
  const { winstonLogger } = require('../../../src/io/log/winstonLogger') as { winstonLogger: typeof WinstonLogger };
  const log = winstonLogger({
    clean: (one) => ({ ...one, message: one.message.replace('secret', '-') }),
    toLine: ({ level, message, fields }) => `${level} ${message} ${JSON.stringify(fields)}`,
    write: (line) => void lines.push(line),
  });
  return { lines, log };
};

describe('winstonLogger', () => {
  it('writes without winston while it cannot be loaded, and with it afterwards', async () => {
    const { lines, log } = open();
    log(record('one secret'));
    log(record('two'));
    const reason = '{"reason":"EMFILE: too many open files"}';
    expect(lines).toEqual([
      `warning the formatter of the log cannot be loaded; records are written without it ${reason}`,
      'error one - {}',
      'error two {}',
    ]);
    loading.fails = false;
    log(record('three secret'));
    await new Promise(setImmediate);
    expect(lines.slice(3)).toEqual(['error three - {}']);
  });
});
