/** Batches: their members go in one by one, their responses leave together. */
import { filter, map, type OperatorFunction, scan } from 'rxjs';
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

/** The members of a batch where the agreed revision has batches, else one fault. Source: 2025-03-26 basic "Batching". */
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
type Ending = Response | Silence;

/** The responses so far, newest first; a list of links, as copying an array for each response of a long batch is slow. */
type Links = { response: Response; before: Links } | undefined;

/** Per batch that is not complete: its responses, and how many of its requests are still open. */
type Open = ReadonlyMap<Batch, { left: number; newest: Links }>;
type Gathering = { open: Open; output?: Gathered };

/**
 * The responses of a batch leave as one array with the last of them; a cancelled request adds none to it. Everything else
 * passes at once; a silence is dropped.
 *   in  x1-n-x2   (a batch of two, a notification between)
 *   out ---n-A    (A holds x1 and x2)
 */
export const gatherBatches = (): OperatorFunction<Outgoing, Gathered> => (message$) =>
  message$.pipe(
    scan<Outgoing, Gathering>(({ open }, message) => gather(open, message), { open: new Map() }),
    map(({ output }) => output),
    filter((output) => output !== undefined),
  );

const gather = (open: Open, message: Outgoing): Gathering => {
  if (message.kind !== 'response' && message.kind !== 'silence') return { open, output: message };
  const { batch } = message;
  if (batch !== undefined) return gatherMember(open, batch, message);
  return message.kind === 'silence' ? { open } : { open, output: message };
};

const gatherMember = (open: Open, batch: Batch, message: Ending): Gathering => {
  const known = open.get(batch) ?? { left: batch.size, newest: undefined };
  const newest = message.kind === 'response' ? { response: message, before: known.newest } : known.newest;
  const left = known.left - 1;
  const next = new Map(open);
  if (left > 0) return { open: next.set(batch, { left, newest }) };
  next.delete(batch);
  return newest ? { open: next, output: { kind: 'answers', responses: toResponses(newest) } } : { open: next };
};

const toResponses = (newest: Links): Response[] => {
  const responses: Response[] = [];
  for (let link = newest; link; link = link.before) responses.push(link.response);
  return responses.reverse();
};
