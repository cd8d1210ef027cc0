/** Owns small tapes for the specs of the page. */
import { type Model, type PageData, toModel } from '../../../src/tapes/page/model';

type Given = {
  lane?: number;
  at?: number;
  thread?: number;
  symbol?: string;
  mark?: number;
  count?: number;
  text?: string;
};

/** The data of these marbles, a line each: two lanes, two threads. */
export const dataOf = (given: Given[], spans: PageData['spans'] = []): PageData => {
  const column = (pick: (one: Given, i: number) => number): number[] => given.map(pick);
  return {
    title: 'tape.jsonl',
    axis: 'ordinal',
    facts: [],
    lanes: [
      { key: 'request', title: 'client sends', group: 'request' },
      { key: 'answer', title: 'server responds', group: 'answer' },
    ],
    threads: ['one', 'two'],
    names: ['ping', 'pong'],
    marbles: {
      at: column(({ at }, i) => at ?? i * 10),
      until: column(({ at }, i) => at ?? i * 10),
      lane: column(({ lane }) => lane ?? 0),
      name: column(({ lane }) => lane ?? 0),
      thread: column(({ thread }) => thread ?? -1),
      symbol: given.map(({ symbol }) => symbol ?? 'p').join(''),
      mark: column(({ mark }) => mark ?? 0),
      first: column((_, i) => i),
      count: column(({ count }) => count ?? 1),
      part: column(() => -1),
    },
    spans,
    ends: { client: -1, server: -1 },
    lines: {
      t: column(({ at }, i) => at ?? i * 10),
      dir: given.map(() => 'in'),
      number: column((_, i) => i + 2),
      text: given.map(({ text }) => text ?? '{}'),
    },
  };
};

export const modelOf = (given: Given[], spans?: PageData['spans']): Model => toModel(dataOf(given, spans));
