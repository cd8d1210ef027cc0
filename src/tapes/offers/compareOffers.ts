/** Compares what two releases of a server offer: what breaks a client, and what does not, in words for a changelog. */
import { type JsonObject, ownOf, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { differenceLines, diffJson } from '../../streams/marbles/diffJson';
import { toCanonical } from '../matching/matchKey';
import { compareSchemas, type SchemaChange } from './compareSchemas';
import { ALL_KINDS, KINDS, type Kind, type Offers } from './offers';

/** One change between two releases. */
export type OfferChange = {
  /** `breaking`: a client that was right before may fail now. */
  effect: 'breaking' | 'compatible';
  /** What changed, such as `tool search`. */
  what: string;
  /** How it changed. */
  text: string;
};

type Change = Pick<OfferChange, 'effect' | 'text'>;

const breaking = (text: string): Change => ({ effect: 'breaking', text });
const compatible = (text: string): Change => ({ effect: 'compatible', text });

/** The changes of the kinds that both list, in the order of the earlier lists; what is new comes last. */
export const compareOffers = (before: Offers, after: Offers): OfferChange[] =>
  ALL_KINDS.flatMap((kind) => compareKind(kind, before[kind], after[kind]));

const compareKind = (kind: Kind, before: Offers[Kind], after: Offers[Kind]): OfferChange[] => {
  if (before === undefined || after === undefined) return [];
  const change = (name: string, { effect, text }: Change): OfferChange => {
    return { effect, what: `${KINDS[kind].noun} ${name}`, text };
  };
  const changed = [...before].flatMap(([name, definition]) => {
    const now = after.get(name);
    const changes = now === undefined ? [breaking('it is gone')] : compareItem(kind, definition, now);
    return changes.map((one) => change(name, one));
  });
  const added = [...after.keys()].filter((name) => !before.has(name));
  return [...changed, ...added.map((name) => change(name, compatible('it is new')))];
};

type Compare = (before: unknown, after: unknown) => Change[];

const compareItem = (kind: Kind, before: JsonObject, after: JsonObject): Change[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => ({ name, was: ownOf(before, name), is: ownOf(after, name) }))
    .filter(({ was, is }) => toCanonical(was) !== toCanonical(is))
    .flatMap(({ name, was, is }) => comparerOf(kind, name)(was, is));
};

/** A member that people and models read. */
const compareText =
  (name: string): Compare =>
  (before, after) =>
    diffJson(before, after, name).map((one) => compatible(differenceLines(['before', 'now'], Infinity)(one).join(' ')));

/** A member by which programs decide. */
const compareFixed =
  (name: string): Compare =>
  (before, after) =>
    compareText(name)(before, after).map(({ text }) => breaking(text));

const compareInput: Compare = (before, after) =>
  compareSchemas(before, after).map((one) => toChange(one, 'argument', ['narrower', 'either']));

const compareOutput: Compare = (before, after) => {
  if (before === undefined) return [compatible('it has an output schema now')];
  if (after === undefined) return [breaking('it has no output schema any more')];
  return compareSchemas(before, after).map((one) => toChange(one, 'result member', ['wider', 'either']));
};

const toChange = (
  { place, effect, text }: SchemaChange,
  noun: string,
  breaks: readonly SchemaChange['effect'][],
): Change => ({
  effect: breaks.includes(effect) ? 'breaking' : 'compatible',
  text: `${place === '' ? `${noun}s` : `${noun} ${place}`}: ${text}`,
});

/** The values by which clients run a tool without asking, and their defaults. Source: MCP 2025-11-25, ToolAnnotations. */
const HARMLESS = {
  readOnlyHint: { value: true, default: false },
  destructiveHint: { value: false, default: true },
  idempotentHint: { value: true, default: false },
  openWorldHint: { value: false, default: true },
} as const;

const compareAnnotations: Compare = (before, after) => {
  const risky = Object.entries(HARMLESS).flatMap(([name, hint]) => {
    const [was, is] = [before, after].map((one) => toObject(one)[name] ?? hint.default);
    return was === hint.value && is !== was
      ? [breaking(`${name}: ${was} became ${wordOf(is)}, so a client that ran it without asking has to ask`)]
      : [];
  });
  return risky.length > 0 ? risky : compareText('annotations')(before, after);
};

/** Whether a tool may be called as a task: a client of the one kind fails with the other. */
const compareExecution: Compare = (before, after) => {
  const [was = 'forbidden', is = 'forbidden'] = [before, after].map((one) => toObject(one).taskSupport);
  const change = `taskSupport: ${wordOf(was)} became ${wordOf(is)}`;
  if (was === is) return compareText('execution')(before, after);
  return [is === 'optional' ? compatible(change) : breaking(change)];
};

const comparePromptArguments: Compare = (before, after) => {
  const [known, now] = [before, after].map(toPromptArguments) as [PromptArguments, PromptArguments];
  const gone = [...known.keys()]
    .filter((name) => !now.has(name))
    .map((name) => breaking(`argument ${wordOf(name)}: it is gone`));
  const changed = [...now].flatMap(([name, argument]): Change[] => {
    const earlier = known.get(name);
    const isRequired = argument.required === true;
    if (earlier === undefined)
      return [
        isRequired
          ? breaking(`argument ${wordOf(name)}: it is new and required`)
          : compatible(`argument ${wordOf(name)}: it is new`),
      ];
    const { required: was = false, ...texts } = earlier;
    const { required: is = false, ...textsNow } = argument;
    const needed = is
      ? breaking(`argument ${wordOf(name)}: it is required now`)
      : compatible(`argument ${wordOf(name)}: it is optional now`);
    return [...(was === is ? [] : [needed]), ...compareText(`argument ${wordOf(name)}`)(texts, textsNow)];
  });
  return [...gone, ...changed];
};

type PromptArguments = ReadonlyMap<unknown, JsonObject>;

const toPromptArguments = (value: unknown): PromptArguments =>
  new Map((Array.isArray(value) ? value : []).map(toObject).map((one) => [one.name, one]));

/** Members that are more than texts. */
const MEMBERS: Readonly<Record<Kind, Readonly<Record<string, Compare>>>> = {
  tools: {
    inputSchema: compareInput,
    outputSchema: compareOutput,
    annotations: compareAnnotations,
    execution: compareExecution,
  },
  prompts: { arguments: comparePromptArguments },
  resources: { mimeType: compareFixed('mimeType') },
  resourceTemplates: { mimeType: compareFixed('mimeType') },
};

const comparerOf = (kind: Kind, name: string): Compare =>
  (Object.hasOwn(MEMBERS[kind], name) ? MEMBERS[kind][name] : undefined) ?? compareText(name);
