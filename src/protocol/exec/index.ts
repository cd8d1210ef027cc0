/** The door of the protocol of the exec-server: methods, params, results, notifications, the codec. */
export { ApplyChangesParams, SettleChangesParams, type WireChange } from './changeParams';
export { checkExecParams } from './checkExecParams';
export {
  decodeExecMessage,
  decodeExecRequest,
  type ExecMessage,
  type ExecNotification,
  type ExecOutgoing,
  type ExecRequest,
  type ExecResponse,
  encodeExecMessage,
} from './codec';
export {
  CloseParams,
  CopyParams,
  MetadataParams,
  OpenParams,
  PathOptionsParams,
  PathParams,
  ReadBlockParams,
  WriteBlockParams,
  WriteFileParams,
} from './fileParams';
export { EXEC_METHODS } from './methods';
export {
  AcknowledgeParams,
  ExecInitializeParams,
  HttpRequestParams,
  ProcessParams,
  ReadParams,
  SignalParams,
  StartParams,
  WriteParams,
} from './params';
export { RestrictionsParams } from './paramTypes';
export type {
  EnvPolicy,
  Evicted,
  Grace,
  OutputChunk,
  OutputPage,
  OutputStream,
  ProcessEvent,
  ProcessSignal,
  ProcessSpec,
  ReadRequest,
  WriteStatus,
} from './process';
export {
  BytesResult,
  ChangeResult,
  EntriesResult,
  FactsResult,
  InfoResult,
  InitializeResult,
  PathResult,
  ReadResult,
  StatusResult,
  TerminateResult,
  WireClosed,
  WireExited,
  WireOutput,
} from './results';
export { type ExecSandbox, SandboxParams } from './sandboxParams';
