/** The door of the log: the port through which every room logs, and what secrets look like. */
export { hideInLog } from './hideInLog';
export { limitRate, NO_RECORDS, type RateVerdict, type RateWindow } from './limitRate';
export { LOG_LEVELS, type Log, type LogFields, type LogLevel, type LogRecord, silentLog } from './log';
export { maskAddress, maskAddresses, secretsInAddress, secretsInLogin } from './maskAddress';
export { mayHoldSecret } from './mayHoldSecret';
export { mayHoldValues, REDACTED, redactText } from './redactText';
export { maskArguments, secretArguments } from './secretArguments';
export { holdsPassword, isSecretName, isSecretSetting, isSecretVariable, SECRET_VARIABLES } from './secretNames';
export { secretPaths } from './secretPaths';
export { secretsGiven, secretValuesOf } from './secretValues';
export { toVisible, toVisibleLines } from './toVisible';
