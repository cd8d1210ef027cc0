/** What the MCP clients of this machine would start. */
import { isAbsolute } from 'node:path';
import { secretArguments } from '../../io/log/maskAddress';
import { redactText } from '../../io/log/redactText';
import type { FoundClient } from '../../settings/clients/clientFile';
import { argvOf, commandText, serverIn } from '../../settings/clients/planEntry';
import type { Result } from './finding';

/** A result for each entry that starts this program or the former server of Codex, and for each file that cannot be read; one for all other clients. */
export const examineClients = (clients: readonly FoundClient[], isThere: (path: string) => boolean): Result[] => {
  const results = clients.map((one) => ({ ...one, found: resultsOf(one, isThere) }));
  const others = results.filter(({ name, found }) => found.length === 0 && name !== 'codex'); // its file is that of this program
  const names = others.map(({ name }) => name).join(', ');
  const remedy = `to have one start codex-rx: codex-rx init ${others[0]?.name}`;
  return [
    ...results.flatMap(({ found }) => found),
    ...(others.length > 0 ? [{ text: `no entry for codex-rx: ${names}`, remedy }] : []),
  ];
};

const resultsOf = ({ name, client, entries, fault }: FoundClient, isThere: (path: string) => boolean): Result[] => {
  if (fault !== undefined) return name === 'codex' ? [] : [{ state: 'warning', text: fault }];
  return Object.entries(entries).flatMap(([server, entry]): Result[] => {
    const argv = argvOf(entry) ?? [];
    const kind = serverIn(argv);
    if (kind === 'other') return [];
    const hide = redactText({ secrets: secretArguments(argv), maxChars: Number.POSITIVE_INFINITY });
    const text = `${client.title} starts ${server}: ${hide(commandText(entry))}`;
    const remedy = `codex-rx init ${name}${server === client.own.name ? '' : ` ${server}`}`;
    if (kind === 'codex') return [{ state: 'warning', text: `${text}; newer releases of Codex lack it`, remedy }];
    const missing = argv.slice(0, 2).find((path) => isAbsolute(path) && !isThere(path));
    return [missing === undefined ? { text } : { state: 'warning', text: `${text}; ${missing} is not there`, remedy }];
  });
};
