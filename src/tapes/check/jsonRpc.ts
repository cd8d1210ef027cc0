/** What JSON-RPC rules about ids, which other protocols took over: each response belongs to one request, and each request has one response. */
import { idKey, type RequestId, toIdText } from '../../protocol/jsonrpc/messages';
import { type Protocol, protocolFault, recent } from './finding';

/** Every protocol of tapes has requests and responses. */
export const JSON_RPC: Protocol = {
  speaks: () => true,
  rules: () => {
    const requests = { client: openIds(), server: openIds() };
    return ({ from, message, lineNumber }) => {
      if (message.kind === 'request') return protocolFault(requests[from].open(message.id, lineNumber));
      if (message.kind !== 'response' || message.id === null) return [];
      return protocolFault(requests[from === 'client' ? 'server' : 'client'].close(message.id, lineNumber));
    };
  },
};

/** The ids of one side. Each function takes the line of a message, and returns what is wrong with its id. */
const openIds = () => {
  const open = new Map<string, number[]>();
  const closed = recent<number>();
  return {
    open: (id: RequestId, lineNumber: number): string | undefined => {
      const key = idKey(id);
      const waiting = open.get(key) ?? [];
      open.set(key, [...waiting, lineNumber]);
      return waiting[0] === undefined ? undefined : takenText(id, waiting[0]);
    },
    close: (id: RequestId, lineNumber: number): string | undefined => {
      const key = idKey(id);
      const waiting = open.get(key);
      if (waiting !== undefined) {
        if (waiting.length === 1) open.delete(key);
        else open.set(key, waiting.slice(1));
        closed.set(key, lineNumber);
        return undefined;
      }
      const first = closed.get(key);
      if (first !== undefined) return `a second response: its request has one in line ${first}`;
      const twin = twinOf(id);
      const isUsed = twin !== undefined && (open.has(idKey(twin)) || closed.get(idKey(twin)) !== undefined);
      return isUsed ? `its id is ${toIdText(id)}, and that of the request is ${toIdText(twin)}` : unknownText(id);
    },
  };
};

const takenText = (id: RequestId, lineNumber: number): string =>
  `the request of line ${lineNumber}, which has no response yet, has the id ${toIdText(id)} too`;

const unknownText = (id: RequestId): string => `no request has the id ${toIdText(id)}`;

/** The same id as the other type. */
const twinOf = (id: RequestId): RequestId | undefined => {
  if (typeof id !== 'string') return String(id);
  return /^-?\d{1,15}$/.test(id) ? Number(id) : undefined;
};
