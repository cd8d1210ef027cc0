import { notice, retried, startup } from '../../src/appServer/notices';
import { initialTurn } from '../../src/appServer/turnState';

describe('startup', () => {
  it.each([
    [{ name: 'm', status: 'ready' }, []],
    [{ name: 'm', status: 'failed' }, ['The MCP server m could not be started']],
    [{ name: 'm', status: 'failed', error: 'gone' }, ['The MCP server m could not be started: gone']],
    [{ name: 'm', status: 'failed', error: { message: 'gone' } }, ['The MCP server m could not be started: gone']],
  ])('emits a failure of %j only', (params, messages) => {
    const output = messages.map((message) => ({ type: 'warning', message }));
    expect(startup(initialTurn, params)).toEqual({ state: initialTurn, output });
  });
});

describe('notice', () => {
  it('emits the summary, else the message', () => {
    const texts = [{ summary: 'old', message: 'more' }, { message: 'more' }].map(
      (params) => notice(initialTurn, params).output,
    );
    expect(texts).toEqual([[{ type: 'warning', message: 'old' }], [{ type: 'warning', message: 'more' }]]);
  });
});

describe('retried', () => {
  it('emits an error that is retried, and no final one', () => {
    expect(retried(initialTurn, { error: { message: 'again' }, willRetry: true }).output).toEqual([
      { type: 'stream_error', message: 'again' },
    ]);
    expect(retried(initialTurn, { error: { message: 'over' } }).output).toEqual([]);
  });
});
