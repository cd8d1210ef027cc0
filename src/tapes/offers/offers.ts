/** What a server offers: its tools, prompts, resources and templates of resources, as it lists them. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { callsOf, type Part, type SessionFold } from '../session/readParts';

/** What a server lists: the method, the member that names an item, and the word for an item. Source: MCP 2025-11-25. */
export const KINDS = {
  tools: { method: 'tools/list', key: 'name', noun: 'tool' },
  prompts: { method: 'prompts/list', key: 'name', noun: 'prompt' },
  resources: { method: 'resources/list', key: 'uri', noun: 'resource' },
  resourceTemplates: { method: 'resources/templates/list', key: 'uriTemplate', noun: 'template' },
} as const;

/** The member of a result that holds a list. */
export type Kind = keyof typeof KINDS;

/** Definitions by their names. A kind that was not listed is absent. */
export type Offers = Partial<Record<Kind, ReadonlyMap<string, JsonObject>>>;

/** The kinds in the order of reports. */
export const ALL_KINDS = Object.keys(KINDS) as Kind[];

/** The lists in a result, or in a file with the same members. */
export const offersOf = (value: unknown): Offers =>
  Object.fromEntries(
    ALL_KINDS.flatMap((kind): [Kind, ReadonlyMap<string, JsonObject>][] => {
      const listed = toObject(value)[kind];
      return Array.isArray(listed) ? [[kind, new Map(listed.flatMap((item) => named(kind, item)))]] : [];
    }),
  );

const named = (kind: Kind, item: unknown): [string, JsonObject][] => {
  if (!isObject(item)) return [];
  const name = item[KINDS[kind].key];
  return typeof name === 'string' ? [[name, item]] : [];
};

/** Whether nothing was listed. */
export const isNothing = (offers: Offers): boolean => ALL_KINDS.every((kind) => offers[kind] === undefined);

/** The last lists of a session, each with all its pages. */
export const offersReader = (): SessionFold<Offers> => {
  let offers: Offers = {};
  return {
    add: (part) => {
      for (const page of pagesOf(part)) offers = withPage(offers, page);
    },
    end: () => offers,
  };
};

type Page = { kind: Kind; isFirst: boolean; items: ReadonlyMap<string, JsonObject> };

const pagesOf = (part: Part): Page[] => {
  const { messages } = part.index;
  return callsOf(part).flatMap(({ from, request, response }): Page[] => {
    const asked = messages[request]?.message;
    const answer = messages[response ?? -1]?.message;
    if (from !== 'client' || asked?.kind !== 'request' || answer?.kind !== 'response') return [];
    const kind = ALL_KINDS.find((one) => KINDS[one].method === asked.method);
    const items = kind && offersOf(answer.body.result)[kind];
    return kind && items ? [{ kind, items, isFirst: toObject(asked.params).cursor === undefined }] : [];
  });
};

const withPage = (offers: Offers, { kind, isFirst, items }: Page): Offers => ({
  ...offers,
  [kind]: isFirst ? items : new Map([...(offers[kind] ?? []), ...items]),
});
