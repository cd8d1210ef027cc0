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
export { EXEC_METHODS } from './methods';
export {
  AcknowledgeParams,
  CloseParams,
  CopyParams,
  ExecInitializeParams,
  HttpRequestParams,
  MetadataParams,
  OpenParams,
  PathOptionsParams,
  PathParams,
  ProcessParams,
  ReadBlockParams,
  ReadParams,
  RestrictionsParams,
  SignalParams,
  StartParams,
  WriteBlockParams,
  WriteFileParams,
  WriteParams,
} from './params';
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
