import type { HttpInput } from '../../../src/io/http/listenHttp';
import { NO_ROUTES, type Routed, routeRequests } from '../../../src/io/mcpServer/routeRequests';

const INIT = '{"id":0,"method":"initialize"}';
const DISCOVER = '{"id":0,"method":"server/discover"}';
const CALL = '{"id":1,"method":"tools/call"}';

type Given = { method?: string; url?: string; session?: string; body?: string };

const request = (id: number, { method = 'POST', url = '/mcp', session, body = '' }: Given): HttpInput => ({
  kind: 'request',
  id,
  method,
  url,
  body,
  headers: session === undefined ? {} : { 'mcp-session-id': session },
});

const toText = (routed: Routed): string => {
  if (routed.kind !== 'session') return routed.kind === 'head' ? `${routed.id} ${routed.status}` : routed.kind;
  const { session, input } = routed;
  if (input.kind !== 'request') return `${session} ${input.kind}`;
  return `${session} ${input.transport} ${input.line ?? input.method}${input.opens === undefined ? '' : ' opens'}`;
};

/** Where the requests go; sessions get the names s1, s2, … */
const routesOf = (...inputs: HttpInput[]): string[] => {
  let keys = 0;
  const route = routeRequests({ newKey: () => `s${++keys}`, opens: (line) => line === DISCOVER });
  let state = NO_ROUTES;
  return inputs.flatMap((input) => {
    const step = route(state, input);
    state = step.state;
    return step.output.map(toText);
  });
};

describe('routeRequests', () => {
  it('opens a session with each initialize, and ends it with DELETE', () => {
    expect(
      routesOf(
        { kind: 'bound', url: 'http://x' },
        request(0, { body: INIT }),
        request(1, { body: INIT }),
        request(2, { body: CALL, session: 's1' }),
        { kind: 'closed', id: 2 },
        { kind: 'closed', id: 9 },
        request(3, { method: 'DELETE', session: 's1' }),
        request(4, { body: CALL, session: 's1' }),
      ),
    ).toEqual([
      `s1 streamable ${INIT} opens`,
      `s2 streamable ${INIT} opens`,
      `s1 streamable ${CALL}`,
      's1 closed',
      's1 streamable DELETE',
      's1 over',
      '4 404',
      'end',
    ]);
  });

  it('has one session for requests that name none, until the recording begins again', () => {
    expect(
      routesOf(request(0, { body: DISCOVER }), request(1, { body: CALL }), request(2, { body: DISCOVER })),
    ).toEqual([`s1 single ${DISCOVER}`, `s1 single ${CALL}`, `s2 single ${DISCOVER}`]);
  });

  it('gives the session that a client opens what it asked before', () => {
    expect(routesOf(request(0, { body: DISCOVER }), request(1, { body: INIT }), request(2, { body: INIT }))).toEqual([
      `s1 single ${DISCOVER}`,
      `s1 streamable ${INIT} opens`,
      `s2 streamable ${INIT} opens`,
    ]);
  });

  it('opens a session of the older transport with its stream', () => {
    expect(
      routesOf(request(0, { method: 'GET', url: '/sse' }), request(1, { url: '/sse?sessionId=s1', body: INIT })),
    ).toEqual(['s1 sse GET opens', `s1 sse ${INIT}`]);
  });

  it('knows each of several open requests', () => {
    expect(
      routesOf(
        request(0, { body: INIT }),
        request(1, { body: CALL, session: 's1' }),
        request(2, { body: CALL, session: 's1' }),
        { kind: 'closed', id: 2 },
        { kind: 'closed', id: 1 },
      ).slice(-2),
    ).toEqual(['s1 closed', 's1 closed']);
  });

  it('names the methods there are, and no headers where the method is not at fault', () => {
    const route = routeRequests({ newKey: () => 's1', opens: () => false });
    const headOf = (input: HttpInput) => route(NO_ROUTES, input).output[0];
    expect(headOf(request(0, { method: 'PUT' }))).toMatchObject({ headers: { allow: 'GET, POST, DELETE' } });
    expect(headOf(request(0, { body: ' ' }))).toMatchObject({ headers: {} });
  });

  it('refuses what is not a message', () => {
    expect(routesOf(request(0, { body: ' ' }), request(1, { method: 'PUT' }))).toEqual([
      '0 400',
      'end',
      '1 405',
      'end',
    ]);
  });
});
