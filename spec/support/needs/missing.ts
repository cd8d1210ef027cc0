/** What this machine does not have, handed from the one search before the first spec to the processes that run specs. */
import type { Missing } from './findMissing';

const NAME = 'SPECS_MISSING';

/** For this process and those that it starts. */
export const setMissing = (missing: readonly Missing[]): void => {
  process.env[NAME] = JSON.stringify(missing);
};

/** What was found. */
export const getMissing = (): readonly Missing[] => JSON.parse(process.env[NAME] ?? '[]');
