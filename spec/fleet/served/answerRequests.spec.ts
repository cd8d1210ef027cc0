import { NEVER } from 'rxjs';
import type { NatsServiceRequest } from '../../../src/fleet/operators/natsService';
import { type AnswerDeps, answerRequests } from '../../../src/fleet/served/serveExecutor';
import { marbles } from '../../support/marbles';

const STATUS = { executor: 'e', instance: 'i', running: 1, capacity: 2, load: 0 };

describe('answerRequests', () => {
  it(
    'answers how busy the executor is, and with the report of a session that is named',
    marbles(({ hot, expectObservable, flush }) => {
      const answers: unknown[] = [];
      const asked = (endpoint: string, headers = {}) =>
        ({
          ...{ endpoint, headers, subject: `p.${endpoint}`, data: new Uint8Array() },
          respond: (data: Uint8Array) => answers.push(JSON.parse(Buffer.from(data).toString())),
        }) as unknown as NatsServiceRequest;
      const deps = {
        link: { prefix: 'p', state$: NEVER },
        status: () => STATUS,
        report: (session: string) => ({ from: session.length, unread: [] }),
        ...{ maxConnections: 1, maxMessageBytes: 1 },
      } as unknown as AnswerDeps;
      const requests = { s: asked('status'), p: asked('pool'), r: asked('status', { 'Codex-Rx-Session': 'abc' }) };
      expectObservable(hot('-s-p-r', requests).pipe(answerRequests(deps))).toBe('-');
      flush();
      expect(answers).toEqual([STATUS, STATUS, { from: 3, unread: [] }]);
    }),
  );
});
