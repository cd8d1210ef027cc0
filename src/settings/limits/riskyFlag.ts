/** Whether a command line of the server sets what could run programs or move credentials. */

import type { ConfigDeps } from '../deps';
import { flagLayer } from '../layers/flagLayer';
import { riskySetting } from './callKeys';

/** The first such key among its overrides, as its dotted path; undefined where there is none. Throws ConfigError. */
export const riskyFlag = (overrides: ConfigDeps['overrides'], cwd: string): string | undefined =>
  riskySetting(flagLayer({ overrides, model: undefined, cwd }));
