/** Owns batches: their members go in one by one, their answers leave together. */
import { defer, filter, map, type OperatorFunction } from 'rxjs';
import {
  type Batch,
  INVALID_REQUEST,
  type Message,
  type MessageBatch,
  type Outgoing,
  type Response,
  type Silence,
} from '../../protocol/jsonrpc';
import { BATCH_VERSION } from '../../protocol/mcp';
import type { Client, Incoming } from './withClient';

type Member = Exclude<Message, MessageBatch>;
export type Single = { message: Member; client: Client };

/** The members of a batch where the agreed revision has them, else one fault. Source: 2025-03-26 basic "Batching". */
export const membersOf = ({ message, client }: Incoming & { message: MessageBatch }): Single[] => {
  const members: Member[] =
    client.version === BATCH_VERSION
      ? message.messages.map((member) => (isOpening(member) ? noOpening(member) : member))
      : [invalid(null, `a line is one message, except in revision ${BATCH_VERSION}`)];
  return members.map((member) => ({ message: member, client }));
};

const isOpening = (member: Member): boolean => member.kind === 'request' && member.method === 'initialize';

const noOpening = (member: Member): Member => {
  const { id, batch } = member as Extract<Member, { kind: 'request' }>;
  return { ...invalid(id, 'initialize must not be part of a batch'), batch };
};

const invalid = (id: Response['id'], why: string) =>
  ({ kind: 'fault', id, code: INVALID_REQUEST, message: `Invalid Request: ${why}` }) as const;

type Gathered = Exclude<Outgoing, Silence>;
type Open = Map<Batch, { left: number; responses: Response[] }>;

/**
 * The answers of one batch leave as one array when the last is there; a request taken back is none of them.
 * Everything else passes at once; silence is swallowed.
 *   in  x1-n-x2   (a batch of two, a notification between)
 *   out ---n-A    (A holds x1 and x2)
 */
export const gatherBatches = (): OperatorFunction<Outgoing, Gathered> => (message$) =>
  defer(() => {
    const open: Open = new Map();
    return message$.pipe(
      map((message) => gather(open, message)),
      filter((message) => message !== undefined),
    );
  });

const gather = (open: Open, message: Outgoing): Gathered | undefined => {
  if (message.kind !== 'response' && message.kind !== 'silence') return message;
  const { batch } = message;
  if (batch === undefined) return message.kind === 'silence' ? undefined : message;
  const answers = open.get(batch) ?? { left: batch.size, responses: [] };
  if (message.kind === 'response') answers.responses.push(message);
  answers.left -= 1;
  if (answers.left > 0) {
    open.set(batch, answers);
    return undefined;
  }
  open.delete(batch);
  return answers.responses.length > 0 ? { kind: 'answers', responses: answers.responses } : undefined;
};
