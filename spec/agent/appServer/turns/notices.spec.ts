import { notice, retried, startup } from '../../../../src/agent/appServer/turns/reduceNotification';
import { initialTurn } from '../../../../src/agent/appServer/turns/turnState';

describe('startup', () => {
  const update = (status: object) => ({ type: 'mcp_startup_update', server: 'm', status });
  const failed = (message: string, error: string) => [{ type: 'warning', message }, update({ state: 'failed', error })];
  it.each([
    [{ name: 'm', status: 'starting' }, [update({ state: 'starting' })]],
    [{ name: 'm', status: 'ready', error: null }, [update({ state: 'ready' })]],
    [{ name: 'm', status: 'cancelled' }, [update({ state: 'cancelled' })]],
    [{ name: 'm', status: 'napping' }, []],
    [{ name: 'm', status: 'failed' }, failed('The MCP server m could not be started', '')],
    [{ name: 'm', status: 'failed', error: 'gone' }, failed('The MCP server m could not be started: gone', 'gone')],
    [
      { name: 'm', status: 'failed', error: { message: 'gone' } },
      failed('The MCP server m could not be started: gone', 'gone'),
    ],
  ])('emits how far a server is: %j', (params, output) => {
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
