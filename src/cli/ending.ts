/** How commands report on stderr, and how they end. */
import { lazy } from '../streams/lazy';
import { afterColon, reasonOf } from '../streams/text/reasons';
import { toVisible } from '../streams/text/visible';
import { exitCode } from './exitCode';
import { isProgramFault } from './programFault';
import { print } from './terminal';

/** Writes a remark or an error of a command to stderr, in one line; of the whole program if the name is empty. Control characters from a tape are escaped. */
export const remarkAs =
  (name: string) =>
  (remark: string): void =>
    print(`${['codex-rx', name].filter(Boolean).join(' ')}: ${toVisible(afterColon(remark))}\n`, process.stderr);

/** Says in a terminal that a command waits for what a person types, which is rarely meant. @param what such as `the patch` */
export const remarkInput = (name: string, what: string): void => {
  if (process.stdin.isTTY) remarkAs(name)(`${what} is read from this terminal; Ctrl-D ends it`);
};

/**
 * Sets the exit code after an error: 2 for a command line, a tape or an address that cannot be used, else 1. The stack is shown only for a bug; what
 * this program or the system refuses is one line, and a program that was replaced while it ran is its remedy alone.
 */
export const failAs =
  (name: string) =>
  (error: Error): void => {
    if (isProgramFault(error)) print(`${error.message}\n`, process.stderr);
    else if (isBug(error)) print(`codex-rx ${name}: ${error.stack}\n`, process.stderr);
    else remarkAs(name)(reasonOf(error));
    process.exitCode = isUnusable(error) ? exitCode.unusable : exitCode.failed;
  };

/** Errors of the language. Errors of this program have other names; errors of the system name a system call. */
const OF_LANGUAGE = /^(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/;

const isBug = ({ name, syscall }: NodeJS.ErrnoException): boolean => OF_LANGUAGE.test(name) && syscall === undefined;

const UNUSABLE: readonly string[] = ['StartError', 'TapeError', 'UsageError'];

const isUnusable = ({ name, syscall }: NodeJS.ErrnoException): boolean =>
  UNUSABLE.includes(name) || syscall === 'listen';

type EndingProcess = Pick<NodeJS.Process, 'exit' | 'kill' | 'pid' | 'getActiveResourcesInfo' | 'removeAllListeners'>;

/** How long a name lookup may hold up the end, in ms. */
const LOOKUP_MS = 1_000;
const LOOK_EVERY_MS = 50;

/** Ends the process. Node first waits for name lookups, which nothing can cancel: SIGTERM ends a process whose lookups take over a second. */
export const exitWithoutLookups = (code: number, ending: EndingProcess = process): void => {
  const isLookingUp = () => ending.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
  const end = (waitedMs: number): void => {
    if (isLookingUp() && waitedMs < LOOKUP_MS)
      return void setTimeout(() => end(waitedMs + LOOK_EVERY_MS), LOOK_EVERY_MS);
    if (isLookingUp()) {
      ending.removeAllListeners('SIGTERM'); // then it ends a process at once
      ending.kill(ending.pid, 'SIGTERM');
    }
    ending.exit(code);
  };
  end(0);
};

/** The error event of a stream that cannot be written, as on a full disk, ends no process: `exitWhenWritten` reports it. Once is enough. */
export const keepOutputErrors = lazy(() =>
  [process.stdout, process.stderr].map((stream) => stream.on('error', () => {})),
);

/** Exits once the whole result is written; with exit code 2 if that fails, as on a full disk. A reader that closed its end early is no failure. */
export const exitWhenWritten = (name: string) => (): void => {
  const { stdout } = process;
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
