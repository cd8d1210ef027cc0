import { timedCalls, toHar } from '../../../src/tapes/check/toHar';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';
import { index, program, STARTED } from './support';

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

const [call, question, answer, response, ping] = index.messages;

describe('timedCalls', () => {
  it('lists the calls with the times of the clock, and the call that a request of the server belongs to', () => {
    expect(timedCalls(index)).toEqual([
      {
        number: 0,
        from: 'client',
        method: 'tools/call',
        label: 'tools/call a',
        outcome: 'failed',
        startMs: STARTED,
        endMs: STARTED + 20.5,
        request: call,
        response,
      },
      {
        number: 1,
        parent: 0,
        from: 'server',
        method: 'elicitation/create',
        label: 'elicitation/create',
        outcome: 'answered',
        startMs: STARTED + 5,
        endMs: STARTED + 10,
        request: question,
        response: answer,
      },
      {
        number: 2,
        from: 'client',
        method: 'ping',
        label: 'ping',
        outcome: 'open',
        startMs: STARTED + 30,
        request: ping,
      },
    ]);
  });

  it.each([[undefined], ['no date'], [7]])('counts from 1970 where the session started at %j', (started) => {
    const calls = timedCalls({ ...index, meta: { started } as typeof index.meta });
    expect(calls.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 20.5],
      [5, 10],
      [30, undefined],
    ]);
  });

  it.each<[string, string[], (number | undefined)[]]>([
    ['the only call that is open', ['1', 'q'], [undefined, 0]],
    ['none of two', ['1', '2', 'q'], [undefined, undefined, undefined]],
    ['the one that is left of two', ['1', '2', '/1', 'q'], [undefined, undefined, 1]],
    ['none that comes later', ['q', '1'], [undefined, undefined]],
  ])('takes a question that names no request for that of %s', (_, script, parents) => {
    const lines = script.map((step, t): [number, 'in' | 'out', object] => {
      if (step === 'q') return [t, 'out', { id: 'q', method: 'roots/list' }];
      return step.startsWith('/')
        ? [t, 'out', { id: Number(step.slice(1)), result: {} }]
        : [t, 'in', { id: Number(step), method: 'tools/call', params: { name: 'a' } }];
    });
    expect(timedCalls(toSessionIndex(sessionFrom(...lines))).map(({ parent }) => parent)).toEqual(parents);
  });
});
