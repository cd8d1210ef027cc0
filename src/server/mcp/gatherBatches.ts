/** Batches: their members go in one by one, their responses leave together. */
import type { OperatorFunction } from 'rxjs';
import {
  type Batch,
  INVALID_REQUEST,
  type Message,
  type MessageBatch,
  type NoResponse,
  type Outgoing,
  type Response,
} from '../../protocol/jsonrpc/messages';
import { BATCH_VERSION } from '../../protocol/mcp/mcp';
import { type Accumulated, mapAccum } from '../../streams/gather';
import type { Client } from './withClient';

/** A message that is no batch. */
export type Member = Exclude<Message, MessageBatch>;

/** The members of a batch; one fault if the agreed revision has no batches. Source: 2025-03-26 basic "Batching". */
export const membersOf = ({ message, client }: { message: MessageBatch; client: Client }): Member[] =>
  client.version === BATCH_VERSION
    ? message.messages.map((member) => (isOpening(member) ? noOpening(member) : member))
    : [invalid(null, `a line is one message, except in revision ${BATCH_VERSION}`)];

const isOpening = (member: Member): boolean => member.kind === 'request' && member.method === 'initialize';

const noOpening = (member: Member): Member => {
  const { id, batch } = member as Extract<Member, { kind: 'request' }>;
  return { ...invalid(id, 'initialize must not be part of a batch'), batch };
};

const invalid = (id: Response['id'], why: string) =>
  ({ kind: 'fault', id, code: INVALID_REQUEST, message: `Invalid Request: ${why}` }) as const;

type Gathered = Exclude<Outgoing, NoResponse>;
type Ending = Response | NoResponse;

/** Per batch that is not complete: its responses, added in place as there may be many, and how many of its requests are still open. */
type Open = ReadonlyMap<Batch, { left: number; responses: Response[] }>;
type Gathering = Accumulated<Open, Gathered>;

/**
 * The responses of a batch leave as one array, with the last response. A cancelled request adds none. Everything else passes at once; `noResponse`
 * is dropped.
 *   in  x1-n-x2   (a batch of two, a notification between)
 *   out ---n-A    (A holds x1 and x2)
 */
export const gatherBatches = (): OperatorFunction<Outgoing, Gathered> => mapAccum(gather, new Map());

const gather = (open: Open, message: Outgoing): Gathering => {
  if (message.kind !== 'response' && message.kind !== 'noResponse') return { state: open, output: message };
  const { batch } = message;
  if (batch !== undefined) return gatherMember(open, batch, message);
  return message.kind === 'noResponse' ? { state: open } : { state: open, output: message };
};

const gatherMember = (open: Open, batch: Batch, message: Ending): Gathering => {
  const { left, responses } = open.get(batch) ?? { left: batch.size, responses: [] };
  if (message.kind === 'response') responses.push(message);
  const next = new Map(open);
  if (left > 1) return { state: next.set(batch, { left: left - 1, responses }) };
  next.delete(batch);
  return responses.length > 0 ? { state: next, output: { kind: 'answers', responses } } : { state: next };
};
