/** Recorded scenarios of 0.28.0: what the client sends, what it waits for, and what the model answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../support/daemon/peer';
import type { ModelScript } from './scriptedModel';

const FOLDER = join(__dirname, '../scenarios');

/** A message of the server: a response by its id, a request or notification by its method, an event by its type. */
export type Match = { response: number | string } | { request: string } | { method: string } | { event: string };

/** One step of the client; those that wait have milliseconds. */
export type Step =
  | { send: Json }
  | { raw: string }
  | { base64: string }
  | { repeat: { before: string; unit: string; count: number; after: string } }
  | { expect: Match; timeout?: number; save?: Record<string, string>; optional?: true }
  | { none: Match; within: number }
  | { wait: number }
  | { comment: string }
  | { closeStdin: true }
  | { closeStdout: true }
  | { kill: NodeJS.Signals }
  | { http: string }
  | { exit: number; optional?: true };

/** How the client answers a request of the server: the first one that fits is used up. */
export type Answer = { method?: string; delay?: number; result?: Json; error?: Json; ignore?: true };

/** `files` are written into the workspace, `homeFiles` into the home, `outsideFiles` beside both. */
export type Scenario = {
  title: string;
  config: string | null;
  args?: string[];
  env?: Record<string, string>;
  files?: Record<string, string | { base64: string }>;
  homeFiles?: Record<string, string>;
  outsideFiles?: Record<string, string>;
  git?: true | { remote: true };
  answers?: Answer[];
  steps: Step[];
  model: ModelScript;
};

export const scenarioNames = (): string[] => readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));

export const readScenario = (name: string): Scenario => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

/** Replaces `${NAME}` in every string; a string that is nothing else becomes the value itself. */
export const fill = <T>(value: T, values: Record<string, unknown>): T => {
  const filled = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const whole = /^\$\{(\w+)\}$/.exec(one)?.[1];
      if (whole !== undefined && whole in values) return values[whole];
      return one.replace(/\$\{(\w+)\}/g, (all, name: string) => (name in values ? String(values[name]) : all));
    }
    if (Array.isArray(one)) return one.map(filled);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [filled(key), filled(member)]));
  };
  return filled(value) as T;
};
