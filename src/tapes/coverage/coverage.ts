/** Which parts of what a server offers some sessions touch, and which they do not. */
import { toObject } from '../../protocol/jsonrpc/json';
import { counted } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';
import { ALL_KINDS, isNothing, type Offers, offersReader } from '../offers/offers';
import type { SessionFold } from '../session/readParts';
import { nothingObserved, type Observed, observePart, type SeenCalls, type SeenMembers } from './observe';
import { type SchemaPoint, schemaPoints } from './schemaPoints';

/** Points of one sort, such as all tools. */
type CoverageGroup = {
  name: string;
  covered: number;
  total: number;
  /** The names of the points that no session touches. */
  missing: readonly string[];
};

/** What sessions touch. */
export type Coverage = {
  /** From 0 to 100, rounded down to a tenth. */
  percent: number;
  covered: number;
  total: number;
  groups: readonly CoverageGroup[];
  /** How often the server sent an error of each code. */
  errorCodes: Readonly<Record<string, number>>;
};

/** Counts over all sessions of all tapes. */
export type CoverageTally = {
  /** Takes one more session. */
  session: () => SessionFold<void>;
  /** What the sessions touch of these lists, else of all that they list themselves; undefined if there is no list. */
  end: (baseline: Offers | undefined) => Coverage | undefined;
};

/** Starts to count. */
export const coverageTally = (): CoverageTally => {
  const observed = nothingObserved();
  let listed: Offers = {};
  return {
    session: () => {
      const offers = offersReader();
      return {
        add: (part) => {
          offers.add(part);
          observePart(observed, part);
        },
        end: () => {
          listed = joined(listed, offers.end());
        },
      };
    },
    end: (baseline) => {
      const offers = baseline ?? listed;
      return isNothing(offers) ? undefined : toCoverage(offers, observed);
    },
  };
};

const joined = (earlier: Offers, later: Offers): Offers =>
  Object.fromEntries(
    ALL_KINDS.flatMap((kind) =>
      earlier[kind] || later[kind] ? [[kind, new Map([...(earlier[kind] ?? []), ...(later[kind] ?? [])])]] : [],
    ),
  );

/** A point, and whether a session touches it. */
type Point = { group: string; name: string; isCovered: boolean };

const toCoverage = (offers: Offers, observed: Observed): Coverage => {
  const points = [
    ...toolPoints(offers, observed),
    ...taskPoints(offers, observed),
    ...promptPoints(offers, observed),
    ...resourcePoints(offers, observed),
  ];
  const names = [...new Set(points.map(({ group }) => group))];
  const groups = names.map((name): CoverageGroup => {
    const own = points.filter(({ group }) => group === name);
    const missing = own.filter(({ isCovered }) => !isCovered).map((point) => point.name);
    return { name, covered: own.length - missing.length, total: own.length, missing };
  });
  const covered = points.filter(({ isCovered }) => isCovered).length;
  return {
    percent: points.length === 0 ? 100 : Math.floor((1_000 * covered) / points.length) / 10,
    covered,
    total: points.length,
    groups,
    errorCodes: Object.fromEntries(observed.errors),
  };
};

const toolPoints = ({ tools = new Map() }: Offers, observed: Observed): Point[] => {
  const all = [...tools].map(([name, { inputSchema, outputSchema }]) => {
    const seen = observed.tools.get(name);
    const inputs = schemaPoints(inputSchema);
    const results = schemaPoints(outputSchema);
    return { name, seen, inputs, results };
  });
  return [
    ...all.map(({ name, seen }) => ({ group: 'tools', name, isCovered: seen !== undefined })),
    ...all.map(({ name, seen }) => ({ group: 'errors', name, isCovered: (seen?.failures ?? 0) > 0 })),
    ...all.flatMap(({ name, seen, inputs }) => argumentPoints(name, seen, inputs)),
    ...all.flatMap(({ name, seen, results }) =>
      memberPoints({ name, points: results, seen: seen?.results }, 'results'),
    ),
  ];
};

const TASK_SUPPORT: readonly unknown[] = ['optional', 'required'];

/** Tools that may answer with a task, and the methods of tasks once there is one. */
const taskPoints = ({ tools = new Map() }: Offers, { tools: seen, taskMethods }: Observed): Point[] => [
  ...[...tools]
    .filter(([, { execution }]) => TASK_SUPPORT.includes(toObject(execution).taskSupport))
    .map(([name]) => ({ group: 'tasks', name, isCovered: (seen.get(name)?.tasks ?? 0) > 0 })),
  ...[...taskMethods.known].map((name) => ({ group: 'tasks', name, isCovered: taskMethods.called.has(name) })),
];

const promptPoints = ({ prompts = new Map() }: Offers, observed: Observed): Point[] => [
  ...[...prompts.keys()].map((name) => ({ group: 'prompts', name, isCovered: observed.prompts.has(name) })),
  ...[...prompts].flatMap(([name, definition]) =>
    argumentPoints(name, observed.prompts.get(name), schemaPoints(toSchema(definition.arguments))),
  ),
];

/** The arguments of a prompt as a schema. */
const toSchema = (list: unknown): object => {
  const given = Array.isArray(list) ? list.filter((one) => typeof one?.name === 'string') : [];
  return {
    properties: Object.fromEntries(given.map(({ name }) => [name, {}])),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  };
};

/** A resource that a template describes is one of many, and no point of its own. */
const resourcePoints = (
  { resources = new Map(), resourceTemplates = new Map() }: Offers,
  observed: Observed,
): Point[] => {
  const templates = [...resourceTemplates.keys()];
  const fixed = [...resources.keys()].filter((uri) => !templates.some((template) => isOfTemplate(template, uri)));
  const read = [...observed.resources];
  return [
    ...fixed.map((name) => ({ group: 'resources', name, isCovered: observed.resources.has(name) })),
    ...templates.map((name) => ({
      group: 'templates',
      name,
      isCovered: read.some((uri) => isOfTemplate(name, uri)),
    })),
  ];
};

/** Whether the fixed parts of a template are in a URI, in their order. */
const isOfTemplate = (template: string, uri: string): boolean => {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/);
  const last = rest.pop() ?? '';
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false;
  const end = rest.reduce((from, part) => {
    const at = from === -1 ? -1 : uri.indexOf(part, from);
    return at === -1 ? -1 : at + part.length;
  }, first.length);
  return end !== -1 && end <= uri.length - last.length;
};

const argumentPoints = (name: string, seen: SeenCalls | undefined, points: readonly SchemaPoint[]): Point[] => [
  ...memberPoints({ name, points, seen: seen?.given }, 'arguments'),
  ...points.flatMap(({ key, shown, optionalIn }): Point[] => {
    if (optionalIn === undefined) return [];
    const [all = 0, some = 0] = [optionalIn, key].map((place) => seen?.given.get(place)?.count);
    return [{ group: 'left out', name: `${name}.${shown}`, isCovered: all > some }];
  }),
];

type Members = { name: string; points: readonly SchemaPoint[]; seen: SeenMembers | undefined };

const memberPoints = ({ name, points, seen }: Members, group: string): Point[] =>
  points.flatMap(({ key, shown, values }): Point[] => [
    { group, name: `${name}.${shown}`, isCovered: seen?.has(key) ?? false },
    ...values.map((value) => ({
      group: 'values',
      name: `${name}.${shown} ${value}`,
      isCovered: seen?.get(key)?.values.has(value) ?? false,
    })),
  ]);

/** How many names of a group are shown. */
const MAX_SHOWN = 10;

/** The coverage as lines of text. */
export const describeCoverage = ({ percent, covered, total, groups, errorCodes }: Coverage): string[] => {
  const width = (pick: (group: CoverageGroup) => string) => Math.max(0, ...groups.map((group) => pick(group).length));
  const names = width(({ name }) => name);
  const counts = width(countOf);
  const codes = Object.entries(errorCodes).map(([code, count]) => `${code} (${counted(count, 'time')})`);
  return [
    `COVERAGE: ${percent} %, ${covered} of ${total}`,
    ...groups.map((group) => {
      const untouched = group.missing.length === 0 ? '' : `  not ${toNames(group.missing)}`;
      return toVisible(`  ${group.name.padEnd(names)}  ${countOf(group).padEnd(counts)}${untouched}`.trimEnd());
    }),
    ...(codes.length === 0 ? [] : [`  codes of errors: ${codes.join(', ')}`]),
  ];
};

const countOf = ({ covered, total }: CoverageGroup): string => `${covered} of ${total}`;

const toNames = (names: readonly string[]): string => {
  const more = names.length - MAX_SHOWN;
  return `${names.slice(0, MAX_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
