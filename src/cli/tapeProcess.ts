/** Owns what the commands on tapes have in common: words on stderr, and the end when there is no tape to work on. */
import { TapeError } from '../app/tape';

const UNUSABLE = 2;

/** Says a word of a command on stderr. */
export const tellAs =
  (command: string) =>
  (word: string): void =>
    void process.stderr.write(`codex-rx ${command}: ${word}\n`);

/** Ends with exit code 2 for a tape that cannot be used, and says why; with 1 and the stack for a fault of this program. */
export const endWithTrouble =
  (command: string) =>
  (error: Error): void => {
    tellAs(command)(error instanceof TapeError ? error.message : `${error.stack}`);
    process.exitCode = error instanceof TapeError ? UNUSABLE : 1;
  };

/** Ends once all of the result has left; with exit code 2 where it cannot, as when the disk is full. A reader that had enough is none. */
export const endWritten = (command: string) => (): void => {
  const { stdout } = process;
  stdout.on('error', () => {}); // told below
  stdout.write('', () => {
    const fault = stdout.errored as NodeJS.ErrnoException | null;
    if (fault && fault.code !== 'EPIPE') {
      tellAs(command)(`the result cannot be written: ${fault.message}`);
      process.exitCode = UNUSABLE;
    }
    process.exit();
  });
};
