import { of, throwError } from 'rxjs';
import { silentLog } from '../../../src/protocol/log';
import { HostError } from '../../../src/protocol/methods/host';
import type { ConnectionInput } from '../../../src/server/mcp/connectionReducer';
import { withStored } from '../../../src/server/mcp/serveCalls';
import { asked, hostWith } from '../../protocol/methods/host';
import { marbles } from '../../support/marbles';

const resume = {
  kind: 'conversation',
  request: { ...asked('resumeConversation', { conversationId: 'a' }), method: 'resumeConversation' },
} as const;
const found = { id: 'a', path: '/h/a.jsonl', model: 'm' };
const inputs: Record<string, ConnectionInput> = { r: resume, c: { kind: 'cancel', requestId: 1 } };
const out = { ...inputs, R: { ...resume, stored: found }, F: { ...resume, stored: { fault: 'no such thread' } } };

const bug = (): never => {
  throw new Error('a bug');
};

describe('withStored', () => {
  it(
    'adds what is on disk to a request that resumes; all else passes at once',
    marbles(({ hot, cold, expectObservable }) => {
      const host = hostWith({ findStored: () => cold('---(f|)', { f: found }) });
      expectObservable(hot('rc---|', inputs).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe(
        '-c-R-|',
        out,
      );
    }),
  );

  it.each([
    [{ conversationId: 'a' }, { id: 'a' }],
    [{ path: '/p' }, { path: '/p' }],
    [{ conversationId: 1, path: null }, {}],
  ])('looks for what %j names', (params, named) => {
    const looked: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const host = hostWith({
        findStored: (about) => {
          looked.push(about);
          return of(found);
        },
      });
      const request = { ...asked('resumeConversation', params), method: 'resumeConversation' } as const;
      const given = { r: { kind: 'conversation', request } as const };
      expectObservable(hot('r|', given).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe('R|', {
        R: { ...given.r, stored: found },
      });
    })();
    expect(looked).toEqual([named]);
  });

  it(
    'adds why there is none',
    marbles(({ hot, expectObservable }) => {
      const host = hostWith({ findStored: () => throwError(() => new HostError('no such thread')) });
      expectObservable(hot('r|', inputs).pipe(withStored({ codexHost: () => host, log: silentLog }))).toBe('F|', out);
    }),
  );

  it.each([
    ['cannot be made', bug],
    ['throws', () => hostWith({ findStored: bug })],
    ['errors', () => hostWith({ findStored: () => throwError(() => new Error('a bug')) })],
  ])(
    'fails the request alone if the host %s',
    (_, codexHost) =>
      void marbles(({ hot, expectObservable }) => {
        const stored = { fault: 'internal error: a bug' };
        expectObservable(hot('rc|', inputs).pipe(withStored({ codexHost, log: silentLog }))).toBe('Bc|', {
          ...out,
          B: { ...inputs.r, stored },
        });
      })(),
  );
});
