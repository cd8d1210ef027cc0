import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { causeOfEnd } from '../../../src/tapes/sessions/verifySession';
import { sessionFrom } from '../../support/tapes';

type Line = Parameters<typeof sessionFrom>[number];
const request = (id: number): Line => [id, 'in', { id, method: 'a' }];
const response = (id: number): Line => [id, 'out', { id, result: {} }];
const exit = (code: number | null, sig: string | null = null): Line => [9, 'exit', { code, sig }];
const indexOf = (...lines: Line[]) => toSessionIndex(sessionFrom(...lines));

const recorded = indexOf(request(1), request(2), response(1), response(2), exit(0));

describe('causeOfEnd', () => {
  it.each<[string, Line[], string | undefined, 'client'?]>([
    ['all is as recorded', [request(1), request(2), response(1), response(2), exit(0)], undefined],
    ['only the exit code differs', [request(1), request(2), response(1), response(2), exit(3)], undefined],
    ['the server is silent and ends in order', [request(1), request(2), response(1), exit(0)], undefined],
    [
      'it crashes behind the first line',
      [request(1), [2, 'err', 'boom'], [3, 'err', ' '], exit(3)],
      'the server ended with exit code 3 (boom); the client got to send 1 of its 2 lines',
    ],
    [
      'a fault of its own ends it behind the first line',
      [request(1), [2, 'err', 'boom'], exit(null, 'SIGSEGV')],
      'the server ended by SIGSEGV (boom); the client got to send 1 of its 2 lines',
    ],
    [
      'somebody else ends it by a signal',
      [request(1), exit(null, 'SIGKILL')],
      'the server ended by SIGKILL; the client got to send 1 of its 2 lines',
    ],
    [
      'it hangs until the client ends it by a signal',
      [request(1), exit(null, 'SIGTERM')],
      'the server did not respond in time; the client got to send 1 of its 2 lines',
      'client',
    ],
    [
      'it hangs until the client ends its input',
      [request(1), exit(0)],
      'the server did not respond in time; the client got to send 1 of its 2 lines',
      'client',
    ],
    ['it hangs', [request(1)], 'the server did not respond in time; the client got to send 1 of its 2 lines'],
    [
      'it crashes when all has been sent',
      [request(1), request(2), exit(3)],
      'the server ended with exit code 3; it did not respond to 2 requests',
    ],
    [
      'a signal ends it',
      [request(1), request(2), response(1), exit(null, 'SIGSEGV')],
      'the server ended by SIGSEGV; it did not respond to 1 request',
    ],
  ])('where %s', (_, now, cause, endedBy = 'server' as never) => {
    expect(causeOfEnd(recorded, indexOf(...now), endedBy)).toBe(cause);
  });

  it('is none where the recorded server ended so too', () => {
    const ends = [exit(3), exit(null, 'SIGTERM')];
    for (const end of ends) {
      const before = indexOf(request(1), response(1), end);
      expect(causeOfEnd(before, indexOf(request(1), end), 'server')).toBeUndefined();
      expect(causeOfEnd(before, indexOf(request(1), exit(null, 'SIGKILL')), 'server')).toBe(
        'the server ended by SIGKILL; it did not respond to 1 request',
      );
    }
  });
});
