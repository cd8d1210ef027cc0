/** Answers the handshake of a live client with that of the played one, as a server takes only one. */
import { isObject, toJson } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Session } from '../format/tape';
import type { ForkItem } from './forkLine';

/** Decides what happens to each line of the live client. Without a handshake in what was played, all lines go to the server. */
export const answerHandshake = (now: Session): ((line: string) => ForkItem) => {
  const result = initializeResult(now);
  return (line) => {
    const [message] = parseLine(line).messages;
    if (result === undefined || message === undefined || !('method' in message)) return { kind: 'line', line };
    if (message.kind === 'request' && message.method === 'initialize') {
      return { kind: 'answer', line: toJson({ jsonrpc: '2.0', id: message.id, result }) };
    }
    return message.method === 'notifications/initialized' ? { kind: 'ignored' } : { kind: 'line', line };
  };
};

/** What the server answered to `initialize`; undefined where that was not played. */
const initializeResult = ({ entries }: Session): unknown => {
  const lines = entries.map(({ entry }) => ({ dir: entry.dir, message: parseLine(entry.line).messages[0] }));
  const asked = lines.find(
    ({ dir, message }) => dir === 'in' && message?.kind === 'request' && message.method === 'initialize',
  )?.message;
  const answered = lines.find(
    ({ dir, message }) =>
      dir === 'out' && message?.kind === 'response' && asked?.kind === 'request' && message.id === asked.id,
  )?.message;
  return answered?.kind === 'response' && isObject(answered.body) ? answered.body.result : undefined;
};
