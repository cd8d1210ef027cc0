import { withProcessId } from '../../../src/io/serverProcess/withProcessId';

const request = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('withProcessId', () => {
  it('names this process to a language server, and leaves the rest as it was', () => {
    const line = request('initialize', { processId: 7, rootUri: 'file:///a' });
    expect(JSON.parse(withProcessId(line, 42))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: 42, rootUri: 'file:///a' },
    });
  });

  it.each([
    ['another request', request('shutdown', { processId: 7 })],
    ['a client without a process', request('initialize', { processId: null })],
    ['a client of another protocol', request('initialize', { clientInfo: { name: '"processId"' } })],
    ['no params', request('initialize', ['processId'])],
    ['a notification', '{"jsonrpc":"2.0","method":"initialize","params":{"processId":7}}'],
    ['no message', '{"processId":7'],
  ])('leaves %s alone', (_, line) => {
    expect(withProcessId(line, 42)).toBe(line);
  });
});
