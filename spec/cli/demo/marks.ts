/** What the specs of this room share: marks without the fields that do not matter. */
import type { Mark } from '../../../src/cli/demo/toMarks';

/** A mark of one lane; times are 0 unless given. */
export const mark = (own: Partial<Mark> & Pick<Mark, 'lane' | 'symbol'>): Mark => ({
  atMs: 0,
  untilMs: own.atMs ?? 0,
  sent: false,
  name: own.symbol,
  text: '',
  count: 1,
  ...own,
});

/** A piece of a message. */
export const delta = (text: string, atMs: number): Mark =>
  mark({ lane: 'event', symbol: 'D', name: 'agent_message_delta', delta: text, atMs });
