export { codexElsewhere } from './codexElsewhere';
export { workspaceElsewhere } from './workspaceElsewhere';
