/** All cases, in the order of their reports. */

import { BASE } from './cases/base';
import { ENDING } from './cases/ending';
import { FEATURES } from './cases/features';
import { FRAMING } from './cases/framing';
import { IDS } from './cases/ids';
import { LIFECYCLE } from './cases/lifecycle';
import { LOAD } from './cases/load';
import { MODERN_CASES } from './cases/modern';
import { MODERN_LISTS } from './cases/modernLists';
import { ODD_LIFECYCLE } from './cases/oddLifecycle';
import { TOOL_CALLS } from './cases/toolCalls';
import { TOOLS } from './cases/tools';
import type { ConformCase } from './conformCase';

/** The cases are one table, to which a case is added by a row. */
export const CASES: readonly ConformCase[] = [
  ...LIFECYCLE,
  ...ODD_LIFECYCLE,
  ...BASE,
  ...IDS,
  ...FRAMING,
  ...LOAD,
  ...TOOLS,
  ...TOOL_CALLS,
  ...FEATURES,
  ...MODERN_CASES,
  ...MODERN_LISTS,
  ...ENDING,
];
