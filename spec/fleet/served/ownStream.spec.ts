import { of, throwError } from 'rxjs';
import type { NatsAppend, NatsLink, NatsStreamSpec } from '../../../src/fleet/link/natsLink';
import { operatorStream, ownStream } from '../../../src/fleet/served/storeEvents';
import { NatsError, type NatsFailure } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const LIMITS = { maxBytes: 10, maxAgeMs: 20, replicas: 3 };
const failing = (kind: NatsFailure | undefined) =>
  kind === undefined ? of('there' as never) : throwError(() => new NatsError(kind, kind));

/** A server that answers a stream and a message with these failures, if any; `asked` has what it received. */
const server = (ofStream?: NatsFailure, ofMessage?: NatsFailure) => {
  const asked: unknown[] = [];
  const ensureStream = (spec: NatsStreamSpec) => {
    asked.push(spec);
    return failing(ofStream);
  };
  const append = (message: NatsAppend) => {
    asked.push(message);
    return failing(ofMessage);
  };
  return { asked, link: { prefix: 'p', ensureStream, append } as unknown as NatsLink };
};

describe('ownStream', () => {
  it(
    'makes the stream of an executor with its limits if there is none',
    marbles(({ expectObservable, flush }) => {
      const { asked, link } = server(undefined, 'noResponder');
      expectObservable(ownStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
      flush();
      const description = 'Events of processes on the executor e of codex-rx';
      expect(asked[1]).toEqual({
        name: 'p-exec-e',
        subjects: ['p.events.e.>'],
        discard: 'new',
        ...LIMITS,
        description,
      });
    }),
  );

  it(
    'needs the right to publish only if the operator made it, and stores nothing to find out',
    marbles(({ expectObservable, flush }) => {
      const { asked, link } = server('refused', 'conflict');
      expectObservable(ownStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
      flush();
      expect(asked).toMatchObject([{ subject: 'p.events.e.none.none', expectSubjectSeq: Number.MAX_SAFE_INTEGER }]);
    }),
  );

  it.each<[NatsFailure, NatsFailure, RegExp]>([
    [
      'refused',
      'noResponder',
      /^no stream takes p\.events\.e\.>, and this login may not make p-exec-e: let the operator make it .*; if it is there, see that the accounts/,
    ],
    ['full', 'timeout', /^full$/],
  ])('errors where a stream is %s and a message %s', (ofStream, ofMessage, message) =>
    marbles(({ expectObservable }) => {
      const error = expect.objectContaining({ message: expect.stringMatching(message) });
      expectObservable(ownStream(server(ofStream, ofMessage).link, 'e', LIMITS)).toBe('#', {}, error);
    })(),
  );
});

describe('operatorStream', () => {
  it(
    'makes the stream in which the oldest events give way, for an executor that may not remove any',
    marbles(({ expectObservable, flush }) => {
      const { asked, link } = server();
      expectObservable(operatorStream(link, 'e', LIMITS)).toBe('(t|)', { t: 'there' });
      flush();
      expect(asked).toMatchObject([{ name: 'p-exec-e', subjects: ['p.events.e.>'], discard: 'old', ...LIMITS }]);
    }),
  );
});
