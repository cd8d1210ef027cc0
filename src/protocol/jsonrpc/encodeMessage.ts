/** Encodes messages as lines of JSON-RPC 2.0. */
import { type Outgoing, type Response, toIdText } from './messages';
import { toJson } from './toJson';

/** What has a line of its own. */
type Single = Exclude<Outgoing, { kind: 'silence' | 'notifications' }>;

/** Emits the lines of a message, without their newlines. `silence` has none: filter it out before. */
export const encodeLines = (message: Exclude<Outgoing, { kind: 'silence' }>, emit: (line: string) => void): void => {
  if (message.kind !== 'notifications') return void emit(encodeMessage(message));
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(message.method)},"params":`;
  for (const params of message.params) emit(`${head}${params}}`);
};

/** One message as one line, without its newline. */
export const encodeMessage = (message: Single): string => {
  switch (message.kind) {
    case 'notification':
      return `{"jsonrpc":"2.0","method":${JSON.stringify(message.method)},"params":${toJson(message.params)}}`;
    case 'request':
      return `{"jsonrpc":"2.0","id":${toIdText(message.id)},"method":${JSON.stringify(message.method)},"params":${toJson(message.params)}}`;
    case 'response':
      return encodeResponse(message);
    case 'answers':
      return `[${message.responses.map(encodeResponse).join(',')}]`;
  }
};

const encodeResponse = (message: Response): string => {
  const head = `{"jsonrpc":"2.0","id":${toIdText(message.id)},`;
  if ('json' in message) return `${head}"result":${message.json}}`;
  return 'error' in message
    ? `${head}"error":${toJson(message.error)}}`
    : `${head}"result":${toJson(message.result ?? {})}}`;
};
