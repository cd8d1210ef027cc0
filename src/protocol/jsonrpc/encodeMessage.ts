/** Encodes messages as lines of JSON-RPC 2.0. */
import { type Outgoing, type Response, toIdText } from './messages';
import { toJson } from './toJson';

/** One message as one line, without its newline. `silence` has no line: filter it out before. */
export const encodeMessage = (message: Exclude<Outgoing, { kind: 'silence' }>): string => {
  switch (message.kind) {
    case 'notification':
      return `{"jsonrpc":"2.0","method":${JSON.stringify(message.method)},"params":${'json' in message ? message.json : toJson(message.params)}}`;
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
