/** The option `-c` of every command that reads the configuration. */
import { splitOverride } from '../streams/text/words';
import type { ListOption } from './option';

/** A flag that sets nothing is a wrong use of the command: with it no thread could begin. */
export const overrideOption = (describe: string) =>
  ({
    alias: 'c',
    type: 'string',
    array: true,
    describe,
    problemOf: (text) => {
      const split = splitOverride(text);
      return typeof split === 'string' ? split : undefined;
    },
  }) as const satisfies ListOption;
