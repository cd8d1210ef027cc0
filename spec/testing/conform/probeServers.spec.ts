/** Servers of MCP that are given to an agent. */
import { map, merge, NEVER, type OperatorFunction, of, Subject, type Subscription, tap } from 'rxjs';
import type { HttpInput, HttpOutput } from '../../../src/io/http/listenHttp';
import { GIVEN, type GivenServers, probeServers } from '../../../src/testing/conform/probeServers';

let subscription: Subscription;
afterEach(() => subscription.unsubscribe());

/** Servers of two sessions, behind a listener without a socket. */
const open = () => {
  const requests$ = new Subject<HttpInput>();
  const sent: HttpOutput[] = [];
  const sessions: GivenServers[] = [];
  const listen: OperatorFunction<HttpOutput, HttpInput> = (output$) =>
    merge(
      of<HttpInput>({ kind: 'bound', url: 'http://h:1' }),
      requests$,
      output$.pipe(
        tap((output) => sent.push(output)),
        map((): HttpInput => ({ kind: 'closed', id: 0 })),
      ),
      NEVER,
    );
  subscription = probeServers(listen, '/node').subscribe((probe) => void sessions.push(probe(), probe()));
  let id = 0;
  const ask = (method: string, url: string, message: object = {}, headers: Record<string, string> = {}) => {
    sent.length = 0;
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    requests$.next({ kind: 'request', id, method, url, headers, body });
    return sent.map((one) =>
      one.kind === 'head' ? one.status : one.kind === 'text' ? `${one.id} ${one.text}` : 'end',
    );
  };
  return { ask, sessions };
};

const INITIALIZE = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const RESULT =
  '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"conform","version":"1"}}}';

describe('probeServers', () => {
  it('describes servers of each transport, others for each session', () => {
    const { sessions } = open();
    expect(sessions).toMatchObject([
      {
        stdio: { command: '/node', args: ['-e', expect.any(String), 'http://h:1/stdio/1', 'one', 'two words'] },
        http: { type: 'http', url: 'http://h:1/http/1', headers: [{ name: 'X-Given', value: GIVEN.header }] },
        sse: { type: 'sse', url: 'http://h:1/sse/1' },
      },
      { http: { url: 'http://h:1/http/2' } },
    ]);
  });

  it('answers as a server without tools, and shows what each has got', () => {
    const { ask, sessions } = open();
    expect(ask('POST', '/http/1', INITIALIZE, { 'x-given': GIVEN.header })).toEqual([200, `1 ${RESULT}`, 'end']);
    expect(ask('POST', '/http/1', { method: 'notifications/initialized' })).toEqual([202, 'end']);
    expect(ask('POST', '/http/1', { id: 1, method: 'toString' })[1]).toContain('"error":{"code":-32601');
    expect(ask('GET', '/http/1')).toEqual([405, 'end']);
    expect(sessions[0]?.seen('http')).toEqual([
      { method: 'initialize', header: GIVEN.header },
      { method: 'notifications/initialized' },
      { method: 'toString' },
    ]);
    expect(sessions[1]?.seen('http')).toEqual([]);
  });

  it('shows what a process was started with', () => {
    const { ask, sessions } = open();
    const headers = {
      'x-args': encodeURIComponent(JSON.stringify(GIVEN.args)),
      'x-variable': encodeURIComponent(GIVEN.variable),
    };
    ask('POST', '/stdio/2', INITIALIZE, headers);
    expect(sessions[1]?.seen('stdio')).toEqual([{ method: 'initialize', args: GIVEN.args, variable: GIVEN.variable }]);
  });

  it('answers over SSE in the stream that was opened, whose header counts', () => {
    const { ask, sessions } = open();
    expect(ask('GET', '/sse/1', {}, { 'x-given': GIVEN.header })).toEqual([200, '1 event: endpoint\ndata: /sse/1\n\n']);
    expect(ask('POST', '/sse/1', INITIALIZE)).toEqual([202, 'end', `1 event: message\ndata: ${RESULT}\n\n`]);
    expect(sessions[0]?.seen('sse')).toEqual([{ method: 'initialize', header: GIVEN.header }]);
  });

  it('answers what is damaged, keeps little of what is sent, and is at no other path', () => {
    const { ask, sessions } = open();
    expect(ask('POST', '/stdio/1', INITIALIZE, { 'x-args': '%', 'x-variable': '%' })[0]).toBe(200);
    expect(sessions[0]?.seen('stdio')).toEqual([{ method: 'initialize', args: undefined, variable: '%' }]);
    for (let count = 0; count < 200; count += 1) ask('POST', '/http/1', { method: 'x'.repeat(1_000) });
    expect(sessions[0]?.seen('http')).toEqual(Array(100).fill({ method: '' }));
    expect(ask('POST', '/http/3', INITIALIZE)).toEqual([404, 'end']);
    expect(ask('GET', '/sse/3')).toEqual([404, 'end']);
  });
});
