/** All cases, in the order of their reports. */

import { ACP_LIFECYCLE } from './cases/acpLifecycle';
import { ACP_PROMPTS } from './cases/acpPrompts';
import { ACP_SESSIONS } from './cases/acpSessions';
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
import type { ConformCase, ConformRule } from './conformCase';
import { RULES } from './rules';
import { RULES_OF_AGENTS } from './rulesOfAgents';

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
  ...ACP_LIFECYCLE,
  ...ACP_SESSIONS,
  ...ACP_PROMPTS,
];

/** The rules of all protocols. */
export const ALL_RULES: readonly ConformRule[] = [...RULES, ...RULES_OF_AGENTS];
