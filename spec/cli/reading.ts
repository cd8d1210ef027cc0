/** How specs read the command line of a command. */
import type { Command } from '../../src/cli/command';

/** The arguments that a command line gives. */
export const givenBy = <T>(command: Command<T>, ...argv: string[]): T => {
  const reading = command.read(argv);
  if (reading.kind !== 'given') throw new Error(JSON.stringify(reading));
  return reading.given;
};

/** What is wrong with a command line. */
export const problemBy = <T>(command: Command<T>, ...argv: string[]): string => {
  const reading = command.read(argv);
  if (reading.kind !== 'problem') throw new Error(JSON.stringify(reading));
  return reading.problem;
};
