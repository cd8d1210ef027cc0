import { defer, EMPTY, map, mergeMap, type Observable } from 'rxjs';
import type { McpEvent } from '../../../src/io/mcpClient/mcpEvent';
import { renewSession } from '../../../src/io/mcpClient/renewSession';
import { type Log, silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';

const LINES = {
  i: '{"id":0,"method":"initialize"}',
  r: '{"method":"notifications/initialized"}',
  c: '{"id":1,"method":"tools/call"}',
  d: '{"id":2,"method":"tools/call"}',
  x: '{"method":"notifications/cancelled","params":{"requestId":1}}',
  l: '{"id":1,"method":"tools/list"}',
  n: '{"method":"notifications/progress"}',
  y: '{"id":"q","result":{}}',
};
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LINES).map(([name, text]) => [text, name]),
);
const line = (text: string, status?: number): McpEvent => ({ kind: 'line', line: text, ...(status && { status }) });
const F = line('{"jsonrpc":"2.0","id":null,"error":{"message":"Session not found"}}', 404);
const events: Record<string, McpEvent> = {
  F,
  I: line('{"id":0,"result":{}}'),
  C: line('{"id":1,"result":{}}'),
  D: line('{"id":2,"result":{}}'),
  T: line('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'),
  S: line('{"method":"of the stream"}'),
  B: { kind: 'log', line: 'the response broke off', requests: [1] },
  E: {
    kind: 'ended',
    trouble:
      'HTTP 404 of S: Session not found, in a new session too; where several servers share the address, all requests of a session must reach the same one',
  },
  N: {
    kind: 'ended',
    trouble: 'S no longer knows the session, and no new one could be started: HTTP 404 of S: Session not found',
  },
};

type Run = {
  lines: string;
  out: string;
  stream?: string;
  responses: Record<string, string | string[]>;
  own$?: string;
  log?: Log;
};

/** What is sent to a server, by name, with the session; a session begins with each response to `i`. The last response to a line is repeated. */
const run = ({ lines, out, stream = '-', own$ = '-', responses, log = silentLog }: Run): string => {
  const sent: string[] = [];
  const counts = new Map<string, number>();
  marbles(({ cold, hot, expectObservable, flush }) => {
    let sessions = 0;
    const post = (text: string): Observable<McpEvent> => {
      const name = NAMES[text] ?? '';
      sent.push(name === 'i' ? 'i' : `${name}${sessions}`);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const all = [responses[name] ?? '-|'].flat();
      const begins = (event: McpEvent): McpEvent => {
        if (event === events.I) sessions += 1;
        return event;
      };
      return cold(all[count] ?? (all.at(-1) as string), events).pipe(map(begins));
    };
    const client = { post, stream$: cold(own$, events), session: () => `${sessions}`, end: () => EMPTY };
    const { post: postOnce, stream$ } = renewSession({ client, name: 'S', beginMs: 20, log });
    expectObservable(stream$).toBe(stream, events);
    expectObservable(hot(lines, LINES).pipe(mergeMap((text) => defer(() => postOnce(text))))).toBe(out, events);
    flush();
  })();
  return sent.join(' ');
};
const opening = { i: '-I|', r: '-|' };

describe('renewSession', () => {
  it('posts as the client does, and has its stream', () => {
    const responses = { ...opening, c: '-C|', n: '-|', y: '-|' };
    expect(run({ lines: 'i-r-c-n-y|', out: '-I---C---|', own$: '---S', stream: '---S', responses })).toBe(
      'i r1 c1 n1 y1',
    );
  });

  it('sends a call that is rejected for its session in a new one, and emits that its tools may be others', () => {
    const responses = { ...opening, c: ['-F|', '-C|'] };
    expect(run({ lines: 'i-r-c|', out: '-I------C|', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2');
  });

  it('sends a notification again likewise', () => {
    const responses = { ...opening, n: ['-F|', '-|'] };
    expect(run({ lines: 'i-r-n|', out: '-I------|', stream: '-------T', responses })).toBe('i r1 n1 i r2 n2');
  });

  it('does not emit that for a list of the tools, which is itself sent again, so that no list asks for another', () => {
    const responses = { ...opening, l: ['-F|', '-C|'] };
    expect(run({ lines: 'i-r-l|', out: '-I------C|', responses })).toBe('i r1 l1 i r2 l2');
  });

  it('begins one session for all calls that are rejected side by side, each of which is sent again once', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: ['-F|', '--D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------CD|', stream: '-------T', responses })).toBe('i r1 c1 d1 i r2 c2 d2');
  });

  it('begins none for a call that was rejected when there is another already', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: ['------F|', '-D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------C---D|', stream: '-------T', responses })).toBe(
      'i r1 c1 d1 i r2 c2 d2',
    );
  });

  it('lets a call wait that is posted while a session begins', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: '--D|' };
    expect(run({ lines: 'i-r-c-d|', out: '-I------CD|', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2 d2');
  });

  it('leaves a call that the server has accepted as it is, also where its response breaks off', () => {
    const responses = { ...opening, c: '----B|', d: ['-F|', '-D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------B D|', stream: '--------T', responses })).toBe('i r1 c1 d1 i r2 d2');
  });

  it('ends with what to do where the call is rejected in the new session too', () => {
    const responses = { ...opening, c: '-F|' };
    expect(run({ lines: 'i-r-c|', out: '-I------(E|)', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2');
  });

  it('ends with the reason where no session begins', () => {
    const responses = { ...opening, i: ['-I|', '-F|'], c: '-F|' };
    expect(run({ lines: 'i-r-c|', out: '-I----(N|)', responses })).toBe('i r1 c1 i');
  });

  it('logs each new session, and none that does not begin', () => {
    const records: unknown[][] = [];
    const log: Log = (...record) => void records.push(record);
    const renewed = { ...opening, c: ['-F|', '-C|'], d: ['-F|', '--D|'] };
    run({ lines: 'i-r-cd|', out: '-I------CD|', stream: '-------T', responses: renewed, log });
    const text = 'a session with an MCP server was lost, and a new one began';
    expect(records).toEqual([['info', text, { server: 'S' }]]);
    run({ lines: 'i-r-c|', out: '-I----(N|)', responses: { ...opening, i: ['-I|', '-F|'], c: '-F|' }, log });
    expect(records).toHaveLength(1);
  });

  it('does not send a call again that is cancelled while it waits, and keeps the session for the next', () => {
    const responses = { ...opening, c: '-F|' };
    expect(run({ lines: 'i-r-c-x|', out: '-I------|', stream: '-------T', responses })).toBe('i r1 c1 i r2 x2');
  });

  it('sends the cancellation of a call that was sent again', () => {
    const responses = { ...opening, c: ['-F|', '----|'] };
    expect(run({ lines: 'i-r-c----x|', out: '-I---------|', stream: '-------T', responses })).toBe(
      'i r1 c1 i r2 c2 x2',
    );
  });

  it('leaves a response that is rejected, and a handshake, to those who read the events', () => {
    expect(run({ lines: 'i-r-y|', out: '-I---F|', responses: { ...opening, y: '-F|' } })).toBe('i r1 y1');
    expect(run({ lines: 'i-r-|', out: '-I-F|', responses: { ...opening, r: '-F|' } })).toBe('i r1');
    expect(run({ lines: 'i-|', out: '-F|', responses: { i: '-F|' } })).toBe('i');
  });
});
