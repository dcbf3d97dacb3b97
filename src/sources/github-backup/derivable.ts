/** Members of the host's JSON that say nothing which the record or other records do not say. */
const DERIVABLE = new Set([
  'url', // the address of the thing in the interface
  '_links', // addresses
  'node_id', // another form of id and type
])

const ADDRESS = /_url$/

export const isDerivable = (name: string): boolean => DERIVABLE.has(name) || ADDRESS.test(name)

/** The same of threads and milestones. */
export const OF_NUMBERED: readonly string[] = [
  'number', // a part of the url
  'state', // follows from closed_at
  'merged', // follows from merged_at
]
