/** A period of time. */
export interface Period {
  /** Its first moment. */
  since?: Date | undefined
  /** Its last moment, which belongs to it. */
  until?: Date | undefined
}

/** SQL conditions on a time in whole seconds since 1970: it is in the period. */
export function inPeriod(seconds: string, { since, until }: Period): string[] {
  const conditions: string[] = []
  if (since) conditions.push(`${seconds} >= ${Math.ceil(since.getTime() / 1000)}`)
  if (until) conditions.push(`${seconds} <= ${Math.floor(until.getTime() / 1000)}`)
  return conditions
}
