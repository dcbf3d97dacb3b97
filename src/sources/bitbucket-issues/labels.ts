/** A label that is made of a field of an issue. */
export interface MadeLabel {
  name: string
  color: string
  description: string
}

const PRIORITIES: { readonly [word: string]: string } = {
  blocker: 'b60205',
  critical: 'd93f0b',
  major: 'fbca04',
  minor: 'fef2c0',
  trivial: 'ededed',
}

const KINDS: { readonly [word: string]: string } = {
  bug: 'd73a4a',
  enhancement: 'a2eeef',
  proposal: 'd4c5f9',
  task: 'c5def5',
}

/** Fields of issues that become labels, and what the label of a value is called. */
const FIELDS: {
  readonly [field: string]: { prefix: string; color: (word: string) => string }
} = {
  kind: { prefix: '', color: (word) => KINDS[word] ?? 'ededed' },
  priority: { prefix: 'priority: ', color: (word) => PRIORITIES[word] ?? 'ededed' },
  component: { prefix: 'component: ', color: () => '0e8a16' },
  version: { prefix: 'version: ', color: () => '1d76db' },
  status: { prefix: 'status: ', color: () => '5319e7' },
}

/** The fields, in the order in which an issue gets its labels. */
export const LABEL_FIELDS: readonly string[] = Object.keys(FIELDS)

/** States that open and closed say already. */
const PLAIN = new Set(['new', 'open', 'resolved', 'closed'])

const CLOSED = new Set(['resolved', 'closed', 'invalid', 'duplicate', 'wontfix'])

/** Whether an issue in this state is closed. */
export const isClosed = (status: string): boolean => CLOSED.has(status)

/** The label of a value of a field; undefined for a value that needs none. */
export function labelOf(field: string, word: string): MadeLabel | undefined {
  const kind = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  if (!kind || word === '' || (field === 'status' && PLAIN.has(word))) return undefined
  const color = kind.color(word)
  return { name: kind.prefix + word, color, description: `Made from Bitbucket's ${field}` }
}
