/** Owns batches: their members go in one by one, their answers leave together. */
import {
  connect,
  filter,
  groupBy,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type OperatorFunction,
  reduce,
  skip,
  take,
} from 'rxjs';
import {
  BATCH_VERSION,
  type Batch,
  INVALID_REQUEST,
  type Message,
  type MessageBatch,
  type Outgoing,
  type Response,
  type Silence,
} from '../../protocol';
import type { Client, Incoming } from './client';

type Member = Exclude<Message, MessageBatch>;
export type Single = { message: Member; client: Client };

const isSingle = (incoming: Incoming): incoming is Single => incoming.message.kind !== 'batch';

/**
 * Batches become their members where the agreed revision has them, else one fault.
 *   in  a-B-c    (B holds x and y)
 *   out a-(xy)-c
 * Source: 2025-03-26 basic "Batching"; removed again by 2025-06-18.
 */
export const unbatch = (): OperatorFunction<Incoming, Single> => (incoming$) =>
  incoming$.pipe(
    connect((shared$) =>
      merge(
        shared$.pipe(filter(isSingle)),
        shared$.pipe(
          filter((incoming) => !isSingle(incoming)),
          mergeMap(({ message, client }) =>
            membersOf(message as MessageBatch, client).map((member) => ({ message: member, client })),
          ),
        ),
      ),
    ),
  );

const membersOf = ({ messages }: MessageBatch, { version }: Client): Member[] =>
  version === BATCH_VERSION
    ? messages.map((member) => (isOpening(member) ? noOpening(member) : member))
    : [invalid(null, `a line is one message, except in revision ${BATCH_VERSION}`)];

const isOpening = (member: Member): boolean => member.kind === 'request' && member.method === 'initialize';

const noOpening = (member: Member): Member => {
  const { id, batch } = member as Extract<Member, { kind: 'request' }>;
  return { ...invalid(id, 'initialize must not be part of a batch'), batch };
};

const invalid = (id: Response['id'], why: string) =>
  ({ kind: 'fault', id, code: INVALID_REQUEST, message: `Invalid Request: ${why}` }) as const;

type Ending = Response | Silence;

const batchOf = (message: Outgoing): Batch | undefined =>
  message.kind === 'response' || message.kind === 'silence' ? message.batch : undefined;

/**
 * The answers of one batch leave as one array when the last is there; a request taken back is none of them.
 * Everything else passes at once; silence is swallowed.
 *   in  x1-n-x2   (a batch of two, a notification between)
 *   out ---n-A    (A holds x1 and x2)
 */
export const gatherBatches = (): MonoTypeOperatorFunction<Outgoing> => (message$) =>
  message$.pipe(
    connect((shared$) =>
      merge(
        shared$.pipe(filter((message) => batchOf(message) === undefined && message.kind !== 'silence')),
        shared$.pipe(
          filter((message): message is Ending => batchOf(message) !== undefined),
          groupBy((message) => message.batch as Batch, {
            duration: (ending$) => ending$.pipe(skip(ending$.key.size - 1)),
          }),
          mergeMap((ending$) => ending$.pipe(take(ending$.key.size), reduce(append, [] as Response[]))),
          filter((responses) => responses.length > 0),
          map((responses) => ({ kind: 'answers' as const, responses })),
        ),
      ),
    ),
  );

const append = (responses: Response[], ending: Ending): Response[] =>
  ending.kind === 'response' ? [...responses, ending] : responses;
