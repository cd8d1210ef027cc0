/** The secrets among the arguments of a program: the option before it makes a plain word one, and part of an address may be one. */
import { maskAddress, secretsInAddress } from './maskAddress';
import { REDACTED } from './redactText';
import { isSecretName, isSecretVariable } from './secretNames';

/** Parts of options whose values are secret, besides the names of fields; `H` and `header` of curl and of MCP bridges hold credentials. */
const SECRET_PART = /(?:^|[-_.])(?:key|auth|pass|pwd|pat|pin|jwt|bearer|dsn|credentials?|headers?|H)$/;
const OPTION = /^--?([A-Za-z][\w.-]*)(=?)/;
const VARIABLE = /^([A-Za-z_]\w*)=/;
/** Docker and others set a variable of the program with these; each value counts as secret, as in a table `env`. */
const SETS_VARIABLE = /^(?:-e|--env)$/;

const isSecretOption = (name: string): boolean => isSecretName(name, '') || SECRET_PART.test(name);

/** How many characters of an argument precede its secret, which is the rest; undefined if it has none. */
const secretFrom = (arg: string, before = ''): number | undefined => {
  const [option = '', name = '', sign] = OPTION.exec(arg) ?? [];
  if (sign === '=') return isSecretOption(name) ? option.length : undefined;
  if (option !== '') return undefined;
  const [, previous = '', joined] = OPTION.exec(before) ?? [];
  if (previous !== '' && joined === '' && isSecretOption(previous)) return 0;
  const [assigned, variable = ''] = VARIABLE.exec(arg) ?? [];
  if (assigned === undefined) return undefined;
  return SETS_VARIABLE.test(before) || isSecretVariable(variable) ? assigned.length : undefined;
};

/** An address over HTTP, alone or as the value of an option. */
const ADDRESSED = /^(--?[A-Za-z][\w.-]*=)?((?:https?|wss?):\/\/.*)$/is;

const maskAddressed = (arg: string): string => {
  const [, option = '', address] = ADDRESSED.exec(arg) ?? [];
  return address === undefined ? arg : option + maskAddress(address);
};

/** The arguments with each secret masked. What looks like a secret in itself is left to `redactText`. */
export const maskArguments = (args: readonly string[]): string[] =>
  args.map((arg, at) => {
    const from = secretFrom(arg, args[at - 1]);
    return from === undefined || from === arg.length ? maskAddressed(arg) : arg.slice(0, from) + REDACTED;
  });

/** The secrets themselves, to be hidden in what the program prints. */
export const secretArguments = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) => {
    const from = secretFrom(arg, args[at - 1]);
    return from === undefined || from === arg.length
      ? secretsInAddress(ADDRESSED.exec(arg)?.[2] ?? '')
      : [arg.slice(from)];
  });
