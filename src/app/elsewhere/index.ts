/** The door of threads that work on an executor. */
export { codexElsewhere } from './codexElsewhere';
export { examineElsewhere } from './examineElsewhere';
export { workspaceElsewhere } from './workspaceElsewhere';
