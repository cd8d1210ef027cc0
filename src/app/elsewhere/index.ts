export { workspaceElsewhere } from './workspaceElsewhere';
