import { toHar } from '../../../src/tapes/check/toHar';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { index, program } from './support';

const none = { httpVersion: 'MCP', cookies: [], headers: [], headersSize: -1 };
const body = (value: object | undefined) => {
  const text = value === undefined ? '' : JSON.stringify(value);
  return { text, size: text.length };
};
const entry = (
  [second, time, comment]: [string, number, string],
  [url, sent]: [string, object],
  [status, statusText, received]: [number, string, object?],
) => {
  const [asked, answered] = [body(sent), body(received)];
  const mimeType = 'application/json';
  return {
    pageref: 'session_1',
    startedDateTime: `2026-11-22T10:00:00.${second}Z`,
    time,
    comment,
    cache: {},
    request: {
      ...none,
      method: 'POST',
      url: `mcp://${url}`,
      queryString: [],
      bodySize: asked.size,
      postData: { mimeType, text: asked.text },
    },
    response: {
      ...none,
      status,
      statusText,
      redirectURL: '',
      bodySize: answered.size,
      content: { mimeType, ...answered },
    },
    timings: { send: 0, wait: time, receive: 0 },
  };
};

describe('toHar', () => {
  it('has a page for the session, and an entry for each call with its times and bodies', () => {
    const call = { id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 1 } } };
    const question = { id: 'q', method: 'elicitation/create', params: { _meta: { progressToken: 1 } } };
    const failed = { id: 1, error: { code: -1, message: 'no' } };
    expect(JSON.parse(toHar([{ name: 't', index }], program))).toEqual({
      log: {
        version: '1.2',
        creator: program,
        pages: [{ id: 'session_1', title: 't', startedDateTime: '2026-11-22T10:00:00.000Z', pageTimings: {} }],
        entries: [
          entry(['000', 20.5, 'tools/call, line 1'], ['server/tools/call%20a', call], [500, 'failed', failed]),
          entry(
            ['005', 5, 'elicitation/create, line 2'],
            ['client/elicitation/create', question],
            [200, 'answered', { id: 'q', result: {} }],
          ),
          entry(['030', 0, 'ping, line 5'], ['server/ping', { id: 2, method: 'ping' }], [0, 'open']),
        ],
      },
    });
  });

  it('has an address for a name with half a character', () => {
    const half = toSessionIndex(sessionFrom([0, 'in', { id: 1, method: 'tools/call', params: { name: '\ud800' } }]));
    const { log } = JSON.parse(toHar([{ name: 't', index: half }], program));
    expect(log.entries[0].request.url).toBe('mcp://server/tools/call%20%EF%BF%BD');
  });

  it('has the last date there is for a session that began after it', () => {
    const late = {
      ...sessionFrom([1e14, 'in', { jsonrpc: '2.0', id: 1, method: 'ping' }]),
      meta: { started: '+275760-09-13T00:00:00.000Z' },
    };
    const { log } = JSON.parse(toHar([{ name: 't', index: toSessionIndex(late) }], program));
    expect(log.entries[0].startedDateTime).toBe('+275760-09-13T00:00:00.000Z');
  });

  it('has a page for each session', () => {
    const { log } = JSON.parse(
      toHar(
        [
          { name: 'a', index },
          { name: 'b', index: { ...index, calls: [] } },
        ],
        program,
      ),
    );
    expect(log.pages.map(({ id, title }: Record<string, string>) => [id, title])).toEqual([
      ['session_1', 'a'],
      ['session_2', 'b'],
    ]);
    expect(log.pages[1].startedDateTime).toBe('1970-01-01T00:00:00.000Z');
  });
});
