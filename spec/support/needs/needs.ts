/** How a spec declares what it needs of the machine. */
import type { Need } from './findMissing';
import { getMissing } from './missing';
import { markOf } from './report';

/** The blocks of Jest. */
export type Blocks = { describe: jest.Describe; it: jest.It };

const missing = getMissing().map(({ need }) => need);
const declared = new Set<Need>();

/**
 * `describe` and `it` for specs that need something of the machine. If it is missing they are left out, named and counted at the end of the run.
 *
 * @example
 * const { describe } = needs('nats-server'); // the whole file
 * needs('root').it('is closed to other users', () => …);
 */
export const needs = (...all: Need[]): Blocks => {
  for (const need of all) declared.add(need);
  return blocksOf(
    { describe, it },
    all.filter((need) => missing.includes(need)),
  );
};

/** For what starts or opens it: throws in a spec that has not declared it, even if it is not missing. */
export const demand = (need: Need): void => {
  if (!declared.has(need))
    throw new Error(`This spec needs ${need} and does not declare it: const { describe } = needs('${need}')`);
};

/** The part of `describe` and of `it` that is wrapped. */
type Block = ((name: string, ...rest: unknown[]) => void) & { each: (...table: unknown[]) => Block };

/** The same blocks if nothing is missing; else blocks that skip, with what is missing in their names. */
export const blocksOf = (blocks: Blocks, absent: readonly Need[]): Blocks => {
  if (absent.length === 0) return blocks;
  const named = (block: Block): Block =>
    Object.assign((name: string, ...rest: unknown[]) => block(`${name}${markOf(absent)}`, ...rest), {
      each: (...table: unknown[]) => named(block.each(...table)),
    });
  return { describe: named(blocks.describe.skip as never), it: named(blocks.it.skip as never) } as never;
};
