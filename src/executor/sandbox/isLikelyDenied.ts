/** Distinguishes a command that its sandbox stopped from a command that simply failed. */

/** How a command in a sandbox ended. */
export type Ended = {
  /** 128 + n after signal n. */
  exitCode: number;
  /** Its output, or the end of it. */
  stdout: string;
  /** Its error output, or the end of it. */
  stderr: string;
  /** The setting of the sandbox. */
  network: 'open' | 'closed';
};

/** The system's texts for EROFS, EPERM and EACCES, as C, Node, Python, Go and Java write them. */
const FILES =
  /read-only file system|operation not permitted|permission denied|access is denied|\b(?:EROFS|EPERM|EACCES)\b/i;

/** What programs print when there is no network and names cannot be resolved. */
const NETWORK =
  /network is (?:unreachable|down)|no route to host|name resolution|could(?:n't| not) resolve|unable to resolve|name or service not known|nodename nor servname|no such host|\b(?:ENETUNREACH|ENETDOWN|EHOSTUNREACH|EAI_AGAIN|EAI_SYSTEM|ENOTFOUND)\b|UnknownHostException/i;

/** Source: bash; the program was not found, which no sandbox does. */
const NOT_FOUND = 127;
const SIGNALLED = { from: 129, to: 192 };

/**
 * True if the sandbox may have stopped the command: it failed, and either a signal ended it (nobody knows whose), or it reports that a
 * file or the network was denied to it. Its stderr counts; stdout only if stderr is empty, as after `2>&1`.
 * False for success, for exit code 127, and for every other failure: failing tests, a search that found nothing.
 * It errs in both directions: a program may hide the reason or report it in another language, and a test may quote such words. So it
 * decides only whether a person is asked, never whether something runs.
 * Source: Codex 0.28.0, CORE 7.3, asks after every exit code but 0 and 127, and after signals.
 */
export const isLikelyDenied = ({ exitCode, stdout, stderr, network }: Ended): boolean => {
  if (exitCode === 0 || exitCode === NOT_FOUND) return false;
  if (exitCode >= SIGNALLED.from && exitCode <= SIGNALLED.to) return true;
  const words = stderr.trim() === '' ? stdout : stderr;
  return FILES.test(words) || (network === 'closed' && NETWORK.test(words));
};
