import type { Observable } from 'rxjs';
import type { McpEvent } from '../../../src/io/mcpClient/mcpEvent';
import { beginSession } from '../../../src/io/mcpClient/renewSession';
import { marbles } from '../../support/marbles';

const INIT = '{"id":1,"method":"initialize"}';
const READY = '{"method":"notifications/initialized"}';
const line = (text: string, status?: number): McpEvent => ({ kind: 'line', line: text, ...(status && { status }) });
const error = (id: number | null, message: string): string => JSON.stringify({ id, error: { message } });
const LOST = line(error(null, 'Session not found'), 404);
const events: Record<string, McpEvent> = {
  I: line('{"id":1,"result":{}}'),
  N: line('{"method":"notifications/message"}'),
  R: line(error(1, 'too old')),
  S: line(error(1, 'busy'), 503),
  W: { kind: 'log', line: 'HTTP 401 of S', status: 401, challenge: 'Bearer' },
  U: { kind: 'log', line: 'S has ended its response', requests: [1] },
  E: { kind: 'ended', trouble: 'S cannot be reached' },
  L: LOST,
};

/** A session that begins with these responses to its two lines, and the lines that are sent. */
const begun = (responses: [string, string?], expected: string, reason = '', unsub?: string): string[] => {
  const sent: string[] = [];
  marbles(({ cold, expectObservable }) => {
    const post = (text: string): Observable<McpEvent> => {
      sent.push(text);
      return cold(responses[text === INIT ? 0 : 1] ?? '|', events);
    };
    const client = { post, session: () => 's' };
    const session$ = beginSession({ client, opening: [INIT, READY], beginMs: 20, name: 'S', login: 'LOGIN' });
    expectObservable(session$, unsub).toBe(expected, {}, expect.objectContaining({ message: reason }));
  })();
  return sent;
};
const none = (reason: string) => `S no longer knows the session, and no new one could be started: ${reason}`;

describe('beginSession', () => {
  it('sends the handshake, each line when the one before is answered', () => {
    expect(begun(['--I|', '--|'], '----|')).toEqual([INIT, READY]);
  });

  it('does not wait for the end of the stream that answers', () => {
    expect(begun(['-NI---', '-|'], '---|')).toEqual([INIT, READY]);
  });

  it.each<[string, [string, string?], string, string]>([
    ['the server rejects the client', ['-R|'], '-#', none('too old')],
    ['it answers with an error', ['-S|'], '-#', none('HTTP 503 of S: busy')],
    [
      'it wants a login',
      ['-W|'],
      '-#',
      none('HTTP 401 of S; LOGIN logs in, or bearer_token_env_var names the variable with its token'),
    ],
    ['it does not answer', ['-U|'], '-#', none('S has ended its response')],
    ['it cannot be reached', ['-E|'], '-#', none('S cannot be reached')],
    ['it says nothing', ['-'], '20ms #', none('it did not answer within 0.02 s')],
    ['it accepts only one of the lines', ['-I|', '-'], '20ms #', none('it did not answer within 0.02 s')],
    ['initialize is rejected like a session', ['-L|'], '-#', none('HTTP 404 of S: Session not found')],
    [
      'it does not know the new one either',
      ['-I|', '-L|'],
      '--#',
      'HTTP 404 of S: Session not found, in a new session too; where several servers share the address, all requests of a session must reach the same one',
    ],
  ])('errors where %s', (_, responses, expected, reason) => {
    begun(responses, expected, reason);
  });

  it('stops where nobody waits for it', () => {
    expect(begun(['--I|', '|'], '-', '', '-!')).toEqual([INIT]);
  });
});
