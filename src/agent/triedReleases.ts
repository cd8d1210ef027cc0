/** The releases of Codex whose app-server was run with this program. */

/** Oldest first. The newest release of the npm registry joins when `npm run test:peers` has passed with it. */
const TRIED = ['0.142.0', '0.169.0', '0.171.0'] as const;

const OLDEST = TRIED[0];
export const NEWEST = TRIED[TRIED.length - 1] as string;

/** Ends a sentence about a Codex that does not work. */
export const TRIED_RELEASES = `${OLDEST} to ${NEWEST} are known to work`;

/** What follows the program's name, and a blank, in the `userAgent` of an app-server. Source: codex app-server 0.142.0 to 0.171.0. */
const RELEASE = /^[^/]{1,100}\/(\d{1,6}\.\d{1,6}\.\d{1,6})/;

/** The release that an app-server names, such as `0.171.0`; '' if it names none. */
export const releaseOf = (userAgent: string): string => RELEASE.exec(userAgent)?.[1] ?? '';

/** How far a release is known, in words that follow its name; '' if it is unknown, or lies between the oldest and the newest tried release. */
export const doubtOf = (release: string): string => {
  if (release === '') return '';
  if (isOlder(release, OLDEST)) return `, and older than ${OLDEST}, the oldest release that was tried`;
  return isOlder(NEWEST, release) ? `, and newer than ${NEWEST}, the newest release that was tried` : '';
};

const isOlder = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0;
