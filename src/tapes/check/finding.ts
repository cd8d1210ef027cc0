/** What a check finds in a session. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Offers } from '../offers/offers';
import type { IndexedMessage, SessionIndex } from '../session/sessionIndex';

/** The rules; see docs/check.md. */
export const RULES = [
  'hung',
  'unanswered',
  'error',
  'crash',
  'noise',
  'protocol',
  'deprecated',
  'slow',
  'forbidden',
  'drift',
  'injected',
] as const;
/** The name of a rule. */
export type Rule = (typeof RULES)[number];

/** What a rule found. */
export type Finding = {
  rule: Rule;
  /** The line on the tape; 0 for a finding about the whole session. */
  lineNumber: number;
  /** Names the request. */
  what: string;
  text: string;
};

/** The rule of what follows from a fault that the recorder injected. It is reported, and no failure. */
const INJECTED: Rule = 'injected';

/** Whether a finding is a failure. */
export const isFailing = ({ rule }: Finding): boolean => rule !== INJECTED;

/**
 * What a recorder did on purpose to the request of a call, or to the whole server; undefined if nothing.
 * @param call an index
 */
export const injectedInto = (
  { entries, messages, calls, exit }: Pick<SessionIndex, 'entries' | 'messages' | 'calls' | 'exit'>,
  call: number,
): string | undefined => {
  const request = messages[calls[call]?.request ?? -1];
  const own = entries[request?.entry ?? -1]?.entry.injected;
  if (own !== undefined) return `the request ${own}`;
  const last = exit === undefined ? undefined : entries[exit.entry - 1]?.entry;
  return last?.dir === 'note' && last.injected !== undefined ? last.line : undefined;
};

/** The same findings; if a fault was injected, they follow from it. */
export const blameInjected = <F extends Pick<Finding, 'rule' | 'text'>>(
  findings: readonly F[],
  injected: string | undefined,
): F[] =>
  injected === undefined
    ? [...findings]
    : findings.map((found) => ({ ...found, rule: INJECTED, text: `${found.text}; ${injected}` }));

/** What a message breaks. */
export type Fault = { rule: 'protocol' | 'deprecated'; text: string };

/** Each text as a fault. */
export const protocolFault = (...texts: readonly (string | undefined)[]): Fault[] =>
  texts.flatMap((text) => (text === undefined ? [] : [{ rule: 'protocol', text }]));

/** Takes the messages of a session in their order, each with the part of the session that it is in, and returns what it breaks. */
export type MessageRules = (one: IndexedMessage, index: SessionIndex) => Fault[];

/** With this many values, those of the generation before are forgotten: a session of any length fits in memory. */
const MAX_RECENT = 50_000;

/** The latest values by their keys, at least `MAX_RECENT` of them. */
export const recent = <T>() => {
  let [fresh, old] = [new Map<string, T>(), new Map<string, T>()];
  return {
    get: (key: string): T | undefined => fresh.get(key) ?? old.get(key),
    set: (key: string, value: T): void => {
      if (fresh.size >= MAX_RECENT) [fresh, old] = [new Map(), fresh];
      fresh.set(key, value);
    },
  };
};

/** The request that a response ends; undefined for another message, and for a second response. */
export const requestOf = (
  { owner, index: at }: IndexedMessage,
  { calls, messages }: SessionIndex,
): IndexedMessage | undefined => {
  const call = calls[owner ?? -1];
  return call?.response === at ? messages[call.request] : undefined;
};

/** A protocol: whether a session speaks it, by its first part, and its rules, made once for each session. */
export type Protocol = { speaks: (index: SessionIndex) => boolean; rules: () => MessageRules };

/** What is checked. */
export type CheckOptions = {
  /** Rules that find nothing. */
  allowed: readonly Rule[];
  /** Limits the 99th percentile of each method. */
  slowMs?: number;
  /** Match names of tools. */
  forbidden: readonly RegExp[];
  /** What the server must offer. */
  baseline?: Offers;
};

/** A session that was checked. */
export type CheckedSession = {
  name: string;
  /** How many calls it has. */
  calls: number;
  findings: readonly Finding[];
  /** Why it could not be checked. */
  problem?: string;
};

/** Only a recorder sees a session from its beginning; what was imported may begin later. */
export const isFromStart = ({ recorder }: JsonObject): boolean =>
  typeof recorder === 'string' && !recorder.endsWith(' import');
