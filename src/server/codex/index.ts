export { codexMethods } from './codexMethods';
export { type CodexHost, type FolderEntry, HostError, type OneOffCommand, type ProcessEnd } from './host';
