export { codexElsewhere } from './codexElsewhere';
export { examineElsewhere } from './examineElsewhere';
export { workspaceElsewhere } from './workspaceElsewhere';
