/** All cases, in the order of their reports. */
import { CLIENT_FILES, CLIENT_TERMINALS } from './cases/acp/clientRequests';
import { ACP_LIFECYCLE } from './cases/acp/lifecycle';
import { ACP_MCP_SERVERS } from './cases/acp/mcpServers';
import { ACP_MESSAGES } from './cases/acp/messages';
import { ACP_PARAMS } from './cases/acp/params';
import { ACP_PERMISSIONS } from './cases/acp/permissions';
import { ACP_PROMPTS } from './cases/acp/prompts';
import { RULES_OF_AGENTS } from './cases/acp/rules';
import { ACP_SESSIONS } from './cases/acp/sessions';
import { ACP_SETTINGS } from './cases/acp/settings';
import { ACP_TURNS } from './cases/acp/turns';
import { ASKING_TOOLS } from './cases/askingTools';
import { BASE } from './cases/base';
import { BYTES_CASES } from './cases/bytes';
import { ENDING } from './cases/ending';
import { FEATURES } from './cases/features';
import { FRAMING } from './cases/framing';
import { HTTP_CASES } from './cases/http';
import { HTTP_MODERN } from './cases/httpModern';
import { IDS } from './cases/ids';
import { LIFECYCLE } from './cases/lifecycle';
import { LOAD } from './cases/load';
import { MODERN_CASES, MODERN_LISTS } from './cases/modern';
import { ODD_LIFECYCLE } from './cases/oddLifecycle';
import { ASKING_TASKS } from './cases/tasks/asking';
import { CREATED_TASKS } from './cases/tasks/created';
import { ENDING_TASKS, LISTENING } from './cases/tasks/ending';
import { RULES_OF_TASKS } from './cases/tasks/rules';
import { RUNNING_TASKS } from './cases/tasks/running';
import { TASK_CASES } from './cases/tasks/withoutTask';
import { SLOW_TOOLS, TOOL_CALLS } from './cases/toolCalls';
import { TOOLS } from './cases/tools';
import type { ConformCase, ConformRule } from './conformCase';
import { RULES } from './rules';

/** The cases are one table, to which a case is added by a row. */
export const CASES: readonly ConformCase[] = [
  ...LIFECYCLE,
  ...ODD_LIFECYCLE,
  ...BASE,
  ...IDS,
  ...FRAMING,
  ...BYTES_CASES,
  ...LOAD,
  ...TOOLS,
  ...TOOL_CALLS,
  ...SLOW_TOOLS,
  ...ASKING_TOOLS,
  ...FEATURES,
  ...MODERN_CASES,
  ...MODERN_LISTS,
  ...ENDING,
  ...HTTP_CASES,
  ...HTTP_MODERN,
  ...TASK_CASES,
  ...CREATED_TASKS,
  ...RUNNING_TASKS,
  ...ENDING_TASKS,
  ...LISTENING,
  ...ASKING_TASKS,
  ...ACP_LIFECYCLE,
  ...ACP_MESSAGES,
  ...ACP_SESSIONS,
  ...ACP_SETTINGS,
  ...ACP_PARAMS,
  ...ACP_PROMPTS,
  ...ACP_TURNS,
  ...ACP_MCP_SERVERS,
  ...ACP_PERMISSIONS,
  ...CLIENT_FILES,
  ...CLIENT_TERMINALS,
];

/** The rules of all protocols. */
export const ALL_RULES: readonly ConformRule[] = [...RULES, ...RULES_OF_TASKS, ...RULES_OF_AGENTS];
