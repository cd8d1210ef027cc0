/** The tools of a turn: one table for the list that is offered to a model and for the calls it makes. */
import type { ToolSpec } from '../../protocol/model/request';
import type { ToolRow } from './tool';

/** `find` knows the offered tools by all their names. */
export type ToolTable = { specs: readonly ToolSpec[]; find: (name: string) => ToolRow | undefined };

/** The table of these tools, in this order; if two have the same name, the first counts. */
export const toolTable = (rows: readonly ToolRow[]): ToolTable => {
  const byName = new Map(rows.toReversed().flatMap((row) => row.names.map((name) => [name, row] as const)));
  return { specs: rows.map(({ spec }) => spec), find: (name) => byName.get(name) };
};
