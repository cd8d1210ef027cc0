/** Encodes messages as lines of JSON-RPC 2.0. */
import { toJson } from './json';
import { type EncodedNotifications, type Outgoing, type Response, toIdText } from './messages';

/**
 * One message as one line, without its newline; notifications that leave together as one line each, with newlines between, because one
 * text for all costs half of joining their lines later. `noResponse` has no line: filter it out before.
 */
export const encodeMessage = (message: Exclude<Outgoing, { kind: 'noResponse' }>): string => {
  switch (message.kind) {
    case 'notifications':
      return encodeTogether(message);
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

const encodeTogether = ({ method, head, values, tail }: EncodedNotifications): string => {
  const begin = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${head}`;
  return `${begin}${values.join(`${tail}}\n${begin}`)}${tail}}`;
};

const encodeResponse = (message: Response): string => {
  const head = `{"jsonrpc":"2.0","id":${toIdText(message.id)},`;
  if ('json' in message) return `${head}"result":${message.json}}`;
  return 'error' in message
    ? `${head}"error":${toJson(message.error)}}`
    : `${head}"result":${toJson(message.result ?? {})}}`;
};
