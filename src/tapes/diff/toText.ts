/** Writes a session as text that is the same for two runs that are the same, for `git diff`: without times, ids, and what the masks hide. */
import { isObject } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { withoutRequestNames } from '../../protocol/jsonrpc/requestNames';
import { toVisible } from '../../streams/text/visible';
import { toHandles } from '../handles/handles';
import { replaceHandles } from '../handles/replaceHandles';
import { ALL_MASKS, toMask } from '../matching/mask';
import { parseTexts } from '../matching/matchKey';
import type { SessionIndex } from '../session/sessionIndex';

const mask = toMask(ALL_MASKS);

/** The lines of a session: `>` before what the client sends, `<` before what the server sends, and below it what is in it. A name makes no line of its own. */
export const toText = (index: SessionIndex): string[] => {
  const handles = toHandles(index);
  const { messages, calls } = index;
  const shown = (value: unknown): unknown =>
    mask(parseTexts(replaceHandles(handles, withoutRequestNames(value), ({ origin }) => `<handle ${origin}>`)));
  return index.entries.flatMap(({ entry, messages: own }) => {
    if (own.length === 0) return entry.dir === 'exit' ? [`exit ${toVisible(entry.line)}`] : [];
    return own.flatMap(({ from, message, value, owner }) => {
      const request = message.kind === 'response' ? messages[calls[owner ?? -1]?.request ?? -1]?.message : undefined;
      const label = request === undefined ? labelOf(message) : `the response to ${labelOf(request)}`;
      return [`${from === 'client' ? '>' : '<'} ${toVisible(label)}`, ...bodyOf(shown(value ?? entry.line))];
    });
  });
};

const bodyOf = (value: unknown): string[] => {
  const { jsonrpc, method, ...body } = isObject(value) ? value : { text: value };
  return Object.keys(body).length === 0
    ? []
    : JSON.stringify(body, null, 2)
        .split('\n')
        .map((line) => `  ${line}`);
};
