/** The door of checks of recorded sessions, and exports of their calls. */
export { checkSession } from './checkSession';
export { type CheckedSession, type CheckOptions, type ListedTool, RULES } from './finding';
export { listedTools, toolsOf } from './listedTools';
export { isPassed, toCheckReport } from './toCheckReport';
export { type NamedIndex, toHar } from './toHar';
export { toOtlp } from './toOtlp';
