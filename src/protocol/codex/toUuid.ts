/** The one notation of thread ids. */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a thread id in its one notation. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** Any notation of a UUID becomes the one with hyphens; other text stays as it is. */
export const toUuid = (id: string): string => {
  if (isUuid(id)) return id;
  const hex = id.toLowerCase().replaceAll(/[{}-]|^urn:uuid:/g, '');
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id;
};
