/** A content is not read. `type` says what it is, such as `encrypted zip`. */
export class UnreadableError extends Error {
  readonly type: string

  constructor(type: string) {
    super(`not read: ${type}`)
    this.type = type
  }
}

/** The error for a content that a library could not read; any other error as it is. */
export const orUnreadable = (error: unknown, type: string): unknown =>
  error instanceof Error && Object.getPrototypeOf(error) === Error.prototype
    ? new UnreadableError(type)
    : error
