/** Finds the tools that a server lists in a session, and how they differ from a baseline. */

import { isObject } from '../../protocol/jsonrpc/json';
import { diffJson, toDifferenceText } from '../../streams/marbles/diffJson';
import type { SessionIndex } from '../session/sessionIndex';
import type { Finding, ListedTool } from './finding';

/** The tools of the last list, with all its pages; undefined if none was listed. */
export const listedTools = ({ calls, messages }: SessionIndex): ListedTool[] | undefined => {
  const pages = calls.flatMap(({ from, request, response }) => {
    const asked = messages[request]?.message;
    const answer = messages[response ?? -1]?.message;
    if (from !== 'client' || asked?.kind !== 'request' || asked.method !== 'tools/list') return [];
    const isFirst = !isObject(asked.params) || asked.params.cursor === undefined;
    return answer?.kind === 'response' && 'result' in answer.body
      ? [{ isFirst, tools: toolsOf(answer.body.result) }]
      : [];
  });
  if (pages.length === 0) return undefined;
  const from = pages.findLastIndex(({ isFirst }) => isFirst);
  const last = pages.slice(Math.max(0, from)).flatMap(({ tools }) => tools);
  return [...new Map(last.map((tool) => [tool.name, tool])).values()];
};

/** The tools in a result of `tools/list`, or in a file with the same members. */
export const toolsOf = (value: unknown): ListedTool[] =>
  isObject(value) && Array.isArray(value.tools)
    ? value.tools.flatMap((tool) =>
        isObject(tool) && typeof tool.name === 'string' ? [{ name: tool.name, definition: tool }] : [],
      )
    : [];

const MAX_SHOWN = 3;

/** How the tools of a session differ from the expected tools. */
export const findDrift = (baseline: readonly ListedTool[], tools: readonly ListedTool[]): Finding[] => {
  const now = new Map(tools.map((tool) => [tool.name, tool.definition]));
  const known = new Set(baseline.map(({ name }) => name));
  const changed = baseline.flatMap(({ name, definition }) => {
    if (!now.has(name)) return [drift(name, 'the server no longer lists it')];
    const differences = diffJson(definition, now.get(name), 'tool');
    const shown = differences.slice(0, MAX_SHOWN).map(toDifferenceText).join('; ');
    return differences.length === 0 ? [] : [drift(name, shown)];
  });
  const added = tools
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => drift(name, 'it is not in the baseline'));
  return [...changed, ...added];
};

const drift = (name: string, text: string): Finding => ({ rule: 'drift', lineNumber: 0, what: `tool ${name}`, text });
