/** How the commands on tapes report on stderr, and how they end. */
import { TapeError } from '../app/tape';
import { toVisible, toVisibleLines } from '../log';
import { exitCode } from './exitCode';

/** Writes a remark of a command to stderr, in one line. Control characters from a tape are escaped. */
export const remarkAs =
  (name: string) =>
  (remark: string): void =>
    void process.stderr.write(`codex-rx ${name}: ${toVisible(remark)}\n`);

/** Sets the exit code after an error: 2 for a tape or an address that cannot be used, else 1. The stack is shown only for a bug. */
export const failAs =
  (name: string) =>
  (error: Error): void => {
    const isUnusable = error instanceof TapeError || isOfListening(error);
    if (isUnusable) remarkAs(name)(error.message);
    else process.stderr.write(`codex-rx ${name}: ${toVisibleLines(`${error.stack}`)}\n`);
    process.exitCode = isUnusable ? exitCode.unusable : exitCode.failed;
  };

const isOfListening = (error: NodeJS.ErrnoException): boolean => error.syscall === 'listen';

/**
 * Exits once all of the result is written, with exit code 2 where it cannot be, as when the disk is full. A reader that
 * closed its end early is no failure.
 */
export const exitWhenWritten = (name: string) => (): void => {
  const { stdout } = process;
  stdout.on('error', () => {}); // reported below
  stdout.write('', () => {
    const fault = faultOf(stdout);
    if (fault !== undefined) {
      remarkAs(name)(`the result cannot be written: ${fault}`);
      process.exitCode = exitCode.unusable;
    }
    process.exit();
  });
};

const faultOf = ({ errored }: NodeJS.WriteStream): string | undefined =>
  errored === null || ('code' in errored && errored.code === 'EPIPE') ? undefined : errored.message;
