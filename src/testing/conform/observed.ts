/** What was observed of a server in one session: the lines of both sides, as the rules and the judges of cases read them. */
import { isObject, parseJson } from '../../protocol/jsonrpc/json';
import type { Observed } from './conformCase';

/** The values of one side's lines, those of a batch one by one; a line that is not JSON is undefined. */
export const valuesOf = ({ lines }: Observed, dir: 'in' | 'out'): unknown[] =>
  lines
    .filter((one) => one.dir === dir && one.line.trim() !== '')
    .flatMap(({ line }) =>
      line
        .replace(/^\ufeff/, '')
        .split('\n')
        .filter((part) => part.trim() !== ''),
    )
    .flatMap((line) => parseJson(line));

/** The messages of one side, objects only. */
export const messagesOf = (observed: Observed, dir: 'in' | 'out') => valuesOf(observed, dir).filter(isObject);

/** The first fault of some values; undefined if none has one. */
export const firstFault = <T>(values: readonly T[], faultOf: (value: T) => string | undefined): string | undefined => {
  for (const value of values) {
    const fault = faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** The server's responses. */
export const responsesOf = (observed: Observed) =>
  messagesOf(observed, 'out').filter((one) => !('method' in one) && ('result' in one || 'error' in one));
