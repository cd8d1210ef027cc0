/** Exchanges of HTTP: they are sent as they are written, and each fault of a server is found by its own cases. */
import { concat, lastValueFrom, map, NEVER, of, throwError, toArray } from 'rxjs';
import type { HttpPost } from '../../../src/io/http/httpRequest';
import { toObject } from '../../../src/protocol/jsonrpc/json';
import type { SignalledServer } from '../../../src/tapes/sessions/playSession';
import { CASES } from '../../../src/testing/conform/caseTable';
import { conform } from '../../../src/testing/conform/conform';
import type { Offer } from '../../../src/testing/conform/conformCase';
import { type Exchange, type Exchanged, httpExchanges } from '../../../src/testing/conform/httpExchanges';
import { HTTP_SESSION } from '../../../src/testing/conform/needs';
import { marbles } from '../../support/marbles';

const cases = CASES.filter(({ id }) => id.startsWith('http-'));

type Answer = (exchange: Exchange) => Exchanged;
type Fault = (good: Answer) => Answer;

const failedIn = async (fault: Fault = (good) => good): Promise<string[]> => {
  const server: SignalledServer = () => (line$) => {
    const answer = fault(serverOfHttp());
    return concat(
      line$.pipe(
        map((line) => JSON.parse(line) as Exchange),
        map((one) => ({ kind: 'line' as const, line: JSON.stringify({ ...answer(one), letter: one.letter }) })),
      ),
      of({ kind: 'ended' as const, trouble: '', exitCode: 0 }),
    );
  };
  const deps = { server, http: server, limitMs: 100, settleMs: 5, now: () => 0 };
  const choice = { cases, rules: [], revisions: REVISIONS, kind: 'url' as const, jobs: 8 };
  const results = await lastValueFrom(conform({ deps, offer: OFFER, choice }).pipe(toArray()));
  expect(results.filter(({ verdict }) => verdict === 'not applicable')).toEqual([]);
  return results.filter(({ verdict }) => verdict === 'failed').map(({ sentence }) => sentence.id);
};

const bodyOf = ({ body }: Exchange) => toObject(typeof body === 'string' ? {} : body);
const with200 = (answer: Exchanged): Exchanged => ({ ...answer, status: 200 });

/** Faults, each with the cases that find it. */
const FAULTS: Readonly<Record<string, { fault: Fault; found: readonly string[] }>> = {
  'accepts notifications with 200': {
    fault: (good) => (one) => (good(one).status === 202 ? with200(good(one)) : good(one)),
    found: [
      'http-get',
      'http-initialize',
      'http-notification-accepted',
      'http-response-accepted',
      'http-session-deleted',
      'http-session-missing',
      'http-session-unknown',
      'http-version-missing',
      'http-version-unsupported',
    ],
  },
  'breaks at a response': {
    fault: (good) => (one) => ('result' in bodyOf(one) ? { ...good(one), status: 500 } : good(one)),
    found: ['http-response-accepted'],
  },
  'has a page for GET': {
    fault: (good) => (one) => (one.verb === 'GET' ? { ...good(one), status: 200, type: 'text/html' } : good(one)),
    found: ['http-get'],
  },
  'has ids with blanks': {
    fault: (good) => (one) => ({ ...good(one), session: good(one).session && 'the session' }),
    found: ['EVERY', 'http-session-visible'],
  },
  'needs no session': {
    fault: (good) => (one) =>
      good({ ...one, headers: { ...one.headers, 'mcp-session-id': one.headers['mcp-session-id'] ?? 'session' } }),
    found: ['http-session-missing'],
  },
  'takes any session': {
    fault: (good) => (one) =>
      good({
        ...one,
        headers: { ...one.headers, ...(one.headers['mcp-session-id'] && { 'mcp-session-id': 'session' }) },
      }),
    found: ['http-session-unknown'],
  },
  'goes on with what was deleted': {
    fault: (good) => (one) => (one.verb === 'DELETE' ? { ...good({ ...one, verb: 'GET' }), status: 204 } : good(one)),
    found: ['http-session-deleted'],
  },
  'takes any version': {
    fault: (good) => (one) =>
      good(
        bodyOf(one).method === 'ping'
          ? { ...one, headers: { ...one.headers, 'mcp-protocol-version': undefined } }
          : one,
      ),
    found: ['http-version-unsupported'],
  },
  'needs a version': {
    fault: (good) => (one) =>
      bodyOf(one).method === 'ping' && !one.headers['mcp-protocol-version'] ? { ...good(one), status: 400 } : good(one),
    found: ['http-version-missing'],
  },
  'breaks at what is no JSON': {
    fault: (good) => (one) => (one.body === '{"jsonrpc":' ? { ...good(one), status: 500 } : good(one)),
    found: ['http-body-broken'],
  },
  'serves pages': {
    fault: (good) => (one) => good({ ...one, headers: { ...one.headers, origin: undefined } }),
    found: ['http-origin-foreign', 'http-modern-origin-foreign'],
  },
  'reads no headers': {
    fault: (good) => (one) => {
      const body = bodyOf(one);
      const { name, _meta } = toObject(body.params);
      const own = { 'mcp-method': String(body.method), 'mcp-name': name === undefined ? undefined : String(name) };
      return good(_meta !== undefined ? { ...one, headers: { ...one.headers, ...own } } : one);
    },
    found: [
      'http-modern-method-other',
      'http-modern-method-missing',
      'http-modern-name-other',
      'http-modern-name-missing',
    ],
  },
  'decodes no names': {
    fault: (good) => (one) => ({ ...good(one), ...(one.headers['mcp-name']?.startsWith('=?') && mismatch()) }),
    found: ['http-modern-name-encoded'],
  },
  'has 200 for unknown methods': {
    fault: (good) => (one) =>
      good(one).status === 404 && bodyOf(one).method === 'no/such/method' ? with200(good(one)) : good(one),
    found: ['http-modern-unknown-method'],
  },
  'still has sessions': {
    fault: (good) => (one) => ({ ...good(one), session: 'session' }),
    found: ['http-modern-no-session'],
  },
};

describe('conform of a server behind a URL', () => {
  it('passes a server that conforms', async () => expect(await failedIn()).toEqual([]));

  it.each(Object.entries(FAULTS))('finds a server that %s', async (_, { fault, found }) => {
    const failed = await failedIn(fault);
    const named = found.filter((id) => id !== 'EVERY');
    const seen = [...new Set(found.includes('EVERY') ? failed.filter((id) => named.includes(id)) : failed)];
    expect(seen.sort()).toEqual(named.toSorted());
  });
});

describe('httpExchanges', () => {
  const line = (answer: object) => ({ kind: 'line', line: JSON.stringify(answer) });
  const answer = {
    status: 200,
    type: 'text/event-stream',
    session: 's',
    messages: [{ id: 1, result: {} }],
    letter: 'a',
  };
  const exchanges = (send: HttpPost) => httpExchanges({ send, url: 'http://h/mcp', bodyMs: 9 })(NEVER);
  const ended = { kind: 'ended', trouble: '', exitCode: 0 };

  it(
    'reads a stream up to its response, and goes on',
    marbles(({ hot, cold, expectObservable }) => {
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'mcp-session-id': 's' };
      const body$ = () => cold('--b-----', { b: 'data: {"id":1,"result":{}}\n\n' });
      const send: HttpPost = () => concat(of({ status: 200, statusText: '', headers, body$: body$() }), NEVER);
      expectObservable(hot('a----|', { a: '{"letter":"a","headers":{}}' }).pipe(exchanges(send))).toBe(
        '--A--E-|'.replace('E-|', '(E|)'),
        {
          A: line(answer),
          E: ended,
        },
      );
    }),
  );

  it(
    'reports what has no response',
    marbles(({ hot, expectObservable }) => {
      const send: HttpPost = () => throwError(() => new Error('refused'));
      const trouble = { letter: 'a', status: 0, type: '', session: '', messages: [], trouble: 'refused' };
      expectObservable(hot('a-|', { a: '{"letter":"a","headers":{}}' }).pipe(exchanges(send))).toBe('A-(E|)', {
        A: line(trouble),
        E: ended,
      });
    }),
  );
});

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const OFFER: Offer = {
  name: 'x',
  revisions: REVISIONS,
  capabilities: { '2025-11-25': { tools: {}, [HTTP_SESSION]: true }, '2026-07-28': { tools: {} } },
  tools: [{ name: 'echo', arguments: {}, isSlow: false }],
  startMs: 1,
};

const JSON_TYPE = 'application/json';
const answerOf = (status: number, ...messages: object[]): Exchanged => ({
  status,
  type: messages.length ? JSON_TYPE : '',
  session: '',
  messages,
});
const error = (code: number): object => ({ jsonrpc: '2.0', id: 'own', error: { code, message: 'x' } });
const done = (): Exchanged => answerOf(200, { jsonrpc: '2.0', id: 'own', result: {} });
const mismatch = (): Exchanged => answerOf(400, error(-32020));

const decoded = (name: string | undefined): string | undefined =>
  name?.startsWith('=?base64?') ? `${Buffer.from(name.slice('=?base64?'.length, -2), 'base64')}` : name;

const modern = ({ headers }: Exchange, { method, params }: Readonly<Record<string, unknown>>): Exchanged => {
  const { _meta, name } = toObject(params);
  const version = toObject(_meta)['io.modelcontextprotocol/protocolVersion'];
  if (version !== headers['mcp-protocol-version'] || method !== headers['mcp-method']) return mismatch();
  if (version !== '2026-07-28') return answerOf(400, error(-32022));
  if (name !== decoded(headers['mcp-name'])) return mismatch();
  return method === 'no/such/method' ? answerOf(404, error(-32601)) : done();
};

/** A server that conforms. */
const serverOfHttp = (): Answer => {
  let isOpen = false;
  return (one) => {
    const { verb, headers, body } = one;
    if (headers.origin) return answerOf(403);
    if (verb === 'GET') return answerOf(405);
    if (verb === 'DELETE') {
      isOpen = false;
      return answerOf(204);
    }
    if (headers.accept === 'image/png' || headers['content-type'] !== JSON_TYPE) return answerOf(406);
    if (typeof body === 'string' || body === undefined) return answerOf(400, error(-32700));
    const message = toObject(body);
    if (message.method === 'initialize') {
      isOpen = true;
      return { ...done(), session: 'session' };
    }
    if (
      'mcp-method' in headers ||
      'io.modelcontextprotocol/protocolVersion' in toObject(toObject(message.params)._meta)
    )
      return modern(one, message);
    if (!headers['mcp-session-id']) return answerOf(400);
    if (!isOpen || headers['mcp-session-id'] !== 'session') return answerOf(404);
    if (!['2025-11-25', undefined, ''].includes(headers['mcp-protocol-version'])) return answerOf(400);
    return 'id' in message && 'method' in message ? done() : answerOf(202);
  };
};
